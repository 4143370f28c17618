"""A rating list as a workbook, XLSX or ODS: the sheet and the headings are found, the cells read as those of a CSV list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from fide_batch.formats.list_columns import CENTURY_END, Gathering, finish
from fide_batch.formats.list_control import year_of
from fide_batch.formats.list_csv import add_row, checked_columns
from fide_batch.formats.list_headings import HEADING_WITHIN, Heading, heading_of
from fide_batch.formats.list_told import LOOK, NOT_A_LIST, Told
from fide_batch.formats.sheet_book import MOST_BYTES, book_kind, open_book
from fide_batch.formats.sheet_grid import Sheet
from fide_batch.formats.sheet_guard import LIST as LIST_LIMITS
from fide_batch.formats.sheet_values import text
from fide_batch.model import Problem, Refused

NAME = "workbook list"


def looks(name: str, data: bytes) -> str:
    """'' when the beginning of a file is that of a workbook, else what was missed."""
    kind = book_kind(data)
    if kind in ("XLSX", "ODS", "XLS", "XLSB") or (kind == "ZIP" and name.lower().endswith((".xlsx", ".xlsm", ".ods"))):
        return ""
    return "no workbook"


def read(path: Path) -> tuple[pa.Table, list[Problem]]:
    """A workbook as the table LIST, and what was found. The first sheet with the heading of a list is read.

    Raises:
        Refused: when it is not a rating list or cannot be read at all.
    """
    told = Told(str(path))
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
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
    if len(data) > MOST_BYTES:
        message = f"a workbook of more than {MOST_BYTES >> 20} MB is not read"
        raise Refused(Problem("list-file", "error", str(path), message=message, hint="save the table as CSV"))
    opened = open_book(data, LIST_LIMITS)
    for problem in opened.problems:
        told.again(replace(problem, file=str(path)))
    if any(problem.severity == "error" for problem in opened.problems):
        raise Refused(*told.problems)
    found = [(sheet, heading) for sheet in opened.sheets if (heading := _heading(sheet)) is not None]
    if not found:
        told.error(
            NOT_A_LIST, "does not look like a rating list: no sheet has a heading with an id and a name or rating", LOOK
        )
        raise Refused(*told.problems)
    sheet, heading = found[0]
    if len(opened.sheets) > 1:
        told.note(
            "list-sheet",
            f"sheet {sheet.name!r} is read; {len(opened.sheets) - 1} other sheets are not",
            "move the list to the first sheet",
        )
    columns = checked_columns(heading, path, told)
    year = year_of(path.name)
    gathering = Gathering(told, columns, year - 5 if year else CENTURY_END)
    for row in sheet.rows:
        if row.line > heading.line:
            cells = [text(cell) for cell in row.cells]
            add_row(gathering, columns, cells, row.line, "", heading, book=True)
    return finish(gathering.rows)


def _heading(sheet: Sheet) -> Heading | None:
    best: Heading | None = None
    for row in sheet.rows[:HEADING_WITHIN]:
        heading = heading_of([text(cell) for cell in row.cells], row.line)
        if heading.is_one and (best is None or heading.score > best.score):
            best = heading
    return best
