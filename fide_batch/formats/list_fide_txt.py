"""FIDE's list as text in columns, of any year: combined, legacy, of one control, and the lists before 2012.

The heading says where the columns stand. Lines of 162 places (158 in the legacy list, 136 in that of one control) end with CR LF, LF or CR;
columns are characters, or bytes in files of programs that pad UTF-8 as bytes.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa

from fide_batch.formats.list_assembly import Assembly
from fide_batch.formats.list_bytes import (
    ENCODINGS,
    HEAD,
    blocks,
    head_lines,
    head_text,
    missed,
    newline_of,
    open_list,
    readable,
)
from fide_batch.formats.list_columns import CENTURY_END, Gathering, Rows, finish
from fide_batch.formats.list_control import in_columns_of, single_control, year_of
from fide_batch.formats.list_told import LOOK, MOST, NOT_A_LIST, Told
from fide_batch.formats.list_txt_block import BLANK, as_lines, rows_of_lines
from fide_batch.formats.list_txt_layout import ANY_CONTROL, Layout, of_lines
from fide_batch.formats.list_txt_line import LineReader
from fide_batch.model import Problem, Refused

NAME = "FIDE list, text"

_CALLED = {
    "fideid": "id", "country": "federation", "k": "K", "w_title": "women's title", "o_title": "other titles", "foa_title": "online title",
    "birthday": "birth",
}  # fmt: skip


def called(column: str) -> str:
    """A column in words."""
    return _CALLED.get(column, column.replace("_", " "))


def looks(name: str, data: bytes) -> str:
    """'' when the beginning of a file is that of a text list, else what was missed."""
    heading = "no heading with ID and Name in columns, and no lines as in FIDE's old lists"
    return missed(data, "columns of text", of_lines, heading)


def read(path: Path, *, plain: bool = False) -> tuple[pa.Table, list[Problem]]:
    """A text list as the table LIST, and what was found.

    Args:
        path: the file.
        plain: read every line with care, none in columns: the same, slower.

    Raises:
        Refused: when it is not a rating list or cannot be read at all.
    """
    with readable(path):
        return _whole(path, plain)


def _whole(path: Path, plain: bool) -> tuple[pa.Table, list[Problem]]:
    for encoding in ENCODINGS:
        told = Told(str(path))
        try:
            rows = _read(path, told, encoding, plain)
        except UnicodeDecodeError:
            continue
        return finish(rows)
    raise AssertionError("every byte is a letter of Latin-1")


def _read(path: Path, told: Told, encoding: str, plain: bool) -> Rows:
    with open_list(path, told) as file:
        begin = file.tell()
        head = file.read(HEAD)
        file.seek(begin)
        layout = of_lines(head_lines(head_text(head)))
        if layout is None:
            told.error(NOT_A_LIST, "does not look like a rating list: no heading with ID and Name", LOOK)
            raise Refused(*told.problems)
        layout = _with_control(layout, path, told)
        year = year_of(layout.heading, path.name)
        room = file.seek(0, os.SEEK_END) // layout.width + 1
        file.seek(begin)
        reading = _Reading(layout, told, encoding, year - 5 if year else CENTURY_END, plain, room)
        newline = newline_of(head)
        for block in blocks(file, newline, told):
            reading.block(block, newline)
        reading.cut_lines()
    if encoding != "utf-8":
        told.note(
            "list-encoding",
            f"letters outside ASCII are not UTF-8: read as {encoding}",
            "save the list as UTF-8 if names look wrong",
        )
    return reading.rows


def _with_control(layout: Layout, path: Path, told: Told) -> Layout:
    """The layout with every rating column named as in LIST.

    Raises:
        Refused: when it has no rating column.
    """
    if not any(column.name.endswith("rating") for column in layout.columns):
        heads = " ".join(layout.heading.split())
        told.error(
            NOT_A_LIST,
            f"does not look like a rating list: its heading has no rating column ({heads})",
            LOOK,
            line=layout.heading_line,
        )
        raise Refused(*told.problems)
    control = single_control(path, layout.heading, told) if layout.single else "standard"
    names = {found: in_columns_of(control, name) for found, name in ANY_CONTROL.items()}
    present = {column.name for column in layout.columns}
    return layout.renamed({found: name if name not in present else "" for found, name in names.items()})


class _Reading:
    """The list as far as it has been read."""

    def __init__(self, layout: Layout, told: Told, encoding: str, century_end: int, plain: bool, room: int) -> None:
        names = {column.name: None for column in layout.columns}
        self.layout = layout
        self.encoding = encoding
        self.plain = plain
        self.line = 0
        self.gathering = Gathering(told, names, century_end)
        self.reader = LineReader(layout, self.gathering, told, called)
        self.told = told
        self.short: list[tuple[int, int]] = []
        self.shorter = self.filled = 0
        self.assembly = Assembly(list(names), self.gathering, room)

    def block(self, block: np.ndarray, newline: int) -> None:
        """Some whole lines more."""
        lines, longer, starts, ends = as_lines(block, newline, self.layout.width)
        length = ends - starts
        country = self.layout.named("country")
        odd = longer | (length <= (country.start if country else 0))
        head = max(0, min(self.layout.heading_line - self.line, len(lines)))
        lines[:head] = BLANK  # the heads are no codes
        found = rows_of_lines(
            lines,
            self.layout,
            np.ones(len(lines), bool) if self.plain else odd,
            self.assembly.codes,
            self.assembly.next,
        )
        kept = ~found.odd
        kept[:head] = False
        for row in np.flatnonzero(found.odd[head:]) + head:
            raw = block[starts[row] : ends[row]].tobytes()
            kept[row] = self.reader.read(raw, self.line + int(row) + 1, self.encoding)
        self.assembly.add(found, kept)
        short = kept & (length < self.layout.width)
        self.filled += int(np.count_nonzero(kept))
        self.shorter += int(np.count_nonzero(short))
        if len(self.short) < MOST and short.any():
            self.short += [(self.line + int(row) + 1, int(length[row])) for row in np.flatnonzero(short)[:MOST]]
        self.line += len(lines)

    def cut_lines(self) -> None:
        """Tell of lines shorter than all others: a file cut off within a rating would else hold a rating of three digits."""
        if 0 < self.shorter <= MOST and self.shorter * 50 <= self.filled:
            for line, length in self.short:
                self.told.error(
                    "list-line", f"the line ends after {length} places, the others have {self.layout.width}", "was the line or the file cut?",
                    line=line, column=length + 1,
                )  # fmt: skip

    @property
    def rows(self) -> Rows:
        """All players of the list."""
        lines = np.flatnonzero(self.assembly.kept) + 1
        return self.assembly.rows(lambda row: int(lines[row]))
