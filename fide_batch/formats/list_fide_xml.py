"""FIDE's list as XML: combined, of one control, or the old one with the id as an attribute and full births.

A file in FIDE's regular shape is scanned in blocks (``list_xml_block``); players that are not in that shape, and files that are not at all, are
read event by event (``list_xml_events``), with document types and their entities refused.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from fide_batch.formats.list_bytes import head_text
from fide_batch.formats.list_cells import NUMBERS
from fide_batch.formats.list_columns import CENTURY_END, Gathering, Rows, finish
from fide_batch.formats.list_control import in_columns_of, single_control, year_of
from fide_batch.formats.list_told import Told
from fide_batch.formats.list_xml_block import in_blocks
from fide_batch.formats.list_xml_events import COLUMNS, NotUtf8, Players
from fide_batch.model import Problem, Refused

NAME = "FIDE list, XML"


def looks(name: str, data: bytes) -> str:
    """'' when the beginning of a file is that of a list as XML, else what was missed."""
    text = head_text(data).lstrip()
    if not text.startswith("<"):
        return "no XML"
    lower = text.lower()
    if "<player" in lower or "<!doctype" in lower:
        return ""
    return "XML without <player> elements"


def read(path: Path, *, plain: bool = False) -> tuple[pa.Table, list[Problem]]:
    """A list as XML as the table LIST, and what was found.

    Args:
        path: the file.
        plain: read event by event, nothing in blocks: the same, slower.

    Raises:
        Refused: when it is not a rating list, not XML, or declares a document type.
    """
    try:
        if not plain:
            players = _players(path)
            rows = in_blocks(path, players)
            if rows is not None:
                return _finish(path, players, rows)
        players = _players(path)
        players.read(path)
    except NotUtf8:
        players = _players(path)
        players.told.note(
            "list-encoding",
            "letters outside ASCII are not UTF-8: read as cp1252",
            "save the list as UTF-8 if names look wrong",
        )
        players.read(path, "windows-1252")
    except OSError as error:
        raise Refused(
            Problem(
                "list-file",
                "error",
                str(path),
                message=f"the list cannot be read: {error.strerror}",
                hint="is it there, and a file?",
            )
        ) from None
    return _finish(path, players, players.gathering.rows)


def _players(path: Path) -> Players:
    told = Told(str(path))
    year = year_of(path.name)
    return Players(Gathering(told, dict.fromkeys(COLUMNS), year - 5 if year else CENTURY_END), told)


def _finish(path: Path, players: Players, rows: Rows) -> tuple[pa.Table, list[Problem]]:
    """The table: without the columns no player has, and the ratings of one control under its name."""
    seen, told = players.seen, players.told
    if players.unused:
        told.note(
            "list-columns",
            f"elements not used: {', '.join(players.unused)}",
            "known are FIDE's: fideid, name, country, rating, k ...",
        )
    numbers = {name: values for name, values in rows.numbers.items() if name in seen}
    if "rating" in seen and not any(name in seen for name in NUMBERS if "_" in name):
        control = single_control(path, players.root, told)
        numbers = {in_columns_of(control, name): values for name, values in numbers.items()}
    rows.numbers = numbers
    rows.words = {name: words for name, words in rows.words.items() if name in seen}
    return finish(rows)
