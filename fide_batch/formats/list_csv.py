"""A rating list as CSV: comma, semicolon or tab; columns in any order, under FIDE's names, ours, or those people use.

``fideid,name,rating`` is enough. Sound files are read by pyarrow in columns; whatever it stumbles over is read row by row with care.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from fide_batch.formats import list_cells
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
from fide_batch.formats.list_columns import CENTURY_END, Gathering, finish
from fide_batch.formats.list_control import in_columns_of, single_control, year_of
from fide_batch.formats.list_headings import FIRST, LAST, Heading, heading_in
from fide_batch.formats.list_told import LOOK, NOT_A_LIST, Told
from fide_batch.model import Problem, Refused
from fide_batch.words import column_name

NAME = "CSV list"


def looks(name: str, data: bytes) -> str:
    """'' when the beginning of a file is that of a list as CSV, else what was missed."""
    heading = "no heading with an id and a name or rating between commas, semicolons or tabs"
    return missed(data, "CSV", heading_in, heading)


def read(path: Path, *, plain: bool = False) -> tuple[pa.Table, list[Problem]]:
    """A list as CSV as the table LIST, and what was found.

    Args:
        path: the file.
        plain: read every row with care, none in columns: the same, slower.

    Raises:
        Refused: when it is not a rating list or cannot be read at all.
    """
    with readable(path):
        return _whole(path, plain)


def _whole(path: Path, plain: bool) -> tuple[pa.Table, list[Problem]]:
    told = Told(str(path))
    with open_list(path, told) as file:
        head = file.read(HEAD)
    heading = heading_in(head_lines(head_text(head)))
    if heading is None:
        told.error(NOT_A_LIST, "does not look like a rating list: no heading with an id and a name or rating", LOOK)
        raise Refused(*told.problems)
    columns = checked_columns(heading, path, told)
    year = year_of(path.name)
    century_end = year - 5 if year else CENTURY_END
    if not plain and newline_of(head) == 10 and b"\0" not in head:
        from fide_batch.formats.list_csv_columns import in_columns

        rows = in_columns(path, heading, columns, told, century_end)
        if rows is not None:
            return finish(rows)
    noted = told.problems
    for encoding in ENCODINGS:
        told = Told(str(path))
        for problem in noted:
            told.again(problem)
        try:
            gathering = _row_by_row(path, heading, columns, told, encoding, century_end, newline_of(head))
        except UnicodeDecodeError:
            continue
        if encoding != "utf-8":
            told.note(
                "list-encoding",
                f"letters outside ASCII are not UTF-8: read as {encoding}",
                "save the list as UTF-8 if names look wrong",
            )
        return finish(gathering.rows)
    raise AssertionError("every byte is a letter of Latin-1")


def checked_columns(heading: Heading, path: Path, told: Told) -> dict[str, int]:
    """The places of the columns, named as in LIST: the rating of a single control under that control's name.

    Raises:
        Refused: without an id or a rating column, or with two columns of one name.
    """
    heads = ", ".join(cell.strip() for cell in heading.cells)[:200]
    names = set(heading.columns)
    if "fideid" not in names:
        told.error(
            NOT_A_LIST,
            f"does not look like a rating list: its heading has no id column ({heads})",
            LOOK,
            line=heading.line,
        )
    elif not names & {"rating", "rapid_rating", "blitz_rating"}:
        told.error(
            NOT_A_LIST,
            f"does not look like a rating list: its heading has no rating column ({heads})",
            LOOK,
            line=heading.line,
        )
    for head in dict.fromkeys(heading.twice):
        told.error(
            "list-columns",
            f"two columns are called {head.strip()!r}",
            "rename or delete one of them",
            line=heading.line,
        )
    if told.problems and any(problem.severity == "error" for problem in told.problems):
        raise Refused(*told.problems)
    if heading.unused:
        unused = ", ".join(heading.unused)[:300]
        told.note(
            "list-columns",
            f"columns not used: {unused}",
            "known are FIDE's names: fideid, name, country, rating, k ...",
            line=heading.line,
        )
    if not heading.single:
        return heading.columns
    control = single_control(path, " ".join(heading.cells), told)
    return {in_columns_of(control, name): place for name, place in heading.columns.items()}


def _lines(path: Path, told: Told, encoding: str, newline: int) -> Iterator[str]:
    """The lines with their ends, never more than a block in memory."""
    with open_list(path, told) as file:
        end = bytes([newline])
        for block in blocks(file, newline, told):
            for line in block.tobytes().split(end)[:-1]:
                yield line.decode(encoding) + "\n"


def _row_by_row(
    path: Path, heading: Heading, columns: dict[str, int], told: Told, encoding: str, century_end: int, newline: int
) -> Gathering:
    gathering = Gathering(told, columns, century_end)
    lines: list[str] = []

    def remembered() -> Iterator[str]:
        for number, line in enumerate(_lines(path, Told(told.file), encoding, newline), 1):
            lines.append(line)
            if number > heading.line:
                yield line

    reader = csv.reader(remembered(), delimiter=heading.separator)
    before = 0
    while True:
        start = heading.line + before + 1
        try:
            cells = next(reader)
        except StopIteration:
            return gathering
        except csv.Error as error:
            told.error(
                "list-line", f"not CSV: {error}", "is a quotation mark opened here and never closed?", line=start
            )
            return gathering
        span, before = reader.line_num - before, reader.line_num
        source = "".join(lines[-span:])
        lines.clear()
        if span > 1 and source.count('"') % 2:
            told.error(
                "list-line",
                "a quotation mark is opened here and never closed",
                "close it, or write it twice inside a cell",
                line=start,
            )
            continue
        add_row(gathering, columns, cells, start, source.rstrip("\r\n") if span == 1 else "", heading)


def add_row(
    gathering: Gathering,
    columns: dict[str, int],
    cells: list[str],
    line: int,
    source: str,
    heading: Heading,
    *,
    book: bool = False,
) -> None:
    """One row of a table as a player; nothing for a blank row, an error for one with too many or too few cells.

    Args:
        gathering: gets the player.
        columns: the places of the columns in the row.
        cells: the row.
        line: its line, or its number in a workbook.
        source: the line itself, when the row is one line.
        heading: of the table.
        book: whether cells have names such as C14.
    """
    expected = len(heading.cells)
    if not any(cell and not cell.isspace() for cell in cells):
        return
    needed = max(columns[name] for name in columns if name in ("fideid", "name", LAST) or name.endswith("rating"))
    if len(cells) <= needed or any(cell.strip() for cell in cells[expected:]):
        gathering.told.error(
            "list-line", f"{len(cells)} cells; expected {expected} as in the heading", "put a name with a comma in quotes",
            line=line, source=source,
        )  # fmt: skip
        return
    if len(cells) < expected and any(place >= len(cells) for place in columns.values()):
        gathering.told.rows("list-short-row", "note", "rows without their last cells: taken as empty", line)
    values = {name: cells[place] for name, place in columns.items() if place < len(cells)}
    for name, value in values.items():
        if value[:1] == "'":
            values[name] = list_cells.without_apostrophe(value)
    if LAST in values:
        values["name"] = ", ".join(part for part in (values[LAST].strip(), values.get(FIRST, "").strip()) if part)

    def column_of(name: str) -> int | None:
        place = columns.get(name)
        if place is None or book:
            return None if place is None else place + 1
        return _cell_start(source, heading.separator, place) if source else None

    cell_of = (lambda name: f"{column_name(columns[name] + 1)}{line}") if book else None
    gathering.add(values, line, column_of, source, cell_of)


def _cell_start(line: str, separator: str, place: int) -> int | None:
    """Where the cell begins in its line, from 1."""
    quoted = False
    for at, char in enumerate(line):
        if place == 0:
            return at + 1
        if char == '"':
            quoted = not quoted
        elif char == separator and not quoted:
            place -= 1
    return None
