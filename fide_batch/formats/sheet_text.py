"""Opening a CSV file: which encoding, which separator, which rows."""

from __future__ import annotations

import csv
import re

from fide_batch.formats.findings import Findings
from fide_batch.formats.headings import column_of, round_of
from fide_batch.formats.sheet_grid import Opened, Row, Sheet
from fide_batch.formats.text import decode
from fide_batch.model import Problem

MOST_BYTES = 16 << 20
"""The largest CSV report that is read. A league of 3,000 players and 30 rounds is 1 MB."""

SEPARATORS = (";", "\t", ",", "|")

HEAD = 1 << 16
"""The heading row must begin within so many bytes."""

_TRF = re.compile(rb"(?:^|[\r\n])(?:\xef\xbb\xbf)?001[ \d]{5}")


def heading_score(cells: list[str]) -> int:
    """How many cells of a row are known as headings; 0 when it does not look like a heading row."""
    known = named = 0
    for cell in cells:
        if cell and len(cell) < 61:
            if column_of(cell):
                known += 1
                named += 1
            elif round_of(cell):
                known += 1
    return known if named >= 2 else 0


def separator_of(head: list[str]) -> str:
    """The separator under which the first lines hold the best heading row; '' when none of them is one."""
    best, best_score = "", 1
    for line in head:
        for separator in SEPARATORS:
            if line.count(separator) >= 2:
                score = heading_score([cell.strip(" \"'") for cell in line[:4000].split(separator)])
                if score > best_score:
                    best, best_score = separator, score
    return best


def open_text(data: bytes) -> Opened:
    """The rows of a CSV file that are not empty; never raises. Nothing is opened (and nothing said) where no heading row is found."""
    opened = Opened()
    if b"\0" in data[:4] and data[:2] not in (b"\xff\xfe", b"\xfe\xff") and data[:4].count(0) != 2:
        return opened
    if _TRF.search(data, 0, 20_000):
        return opened
    head = decode(data[:HEAD], Findings(""))
    separator = separator_of(head.lines[:200])
    if not separator:
        return opened
    opened.kind = "CSV"

    def fault(message: str, hint: str, line: int | None = None) -> None:
        opened.problems.append(Problem("unreadable", "error", "", line, None, message, hint))

    if len(data) > MOST_BYTES:
        fault(
            f"the file has {len(data) >> 20} MB; a CSV report of at most {MOST_BYTES >> 20} MB is read",
            "hand over one event a file",
        )
        return opened
    found = Findings("")
    text = decode(data, found)
    opened.problems += found.all()
    sheet = Sheet("", [])
    reader = csv.reader(text.lines, delimiter=separator, strict=True)
    before = 0
    protected = b'="' in data
    try:
        for cells in reader:
            if any(cell and not cell.isspace() for cell in cells):
                if protected:
                    # ="0042" is how a spreadsheet is kept from turning the text into a number.
                    cells = [cell[2:-1] if cell[:2] == '="' and cell[-1:] == '"' else cell for cell in cells]
                sheet.rows.append(Row(before + 1, cells))
            before = reader.line_num
    except csv.Error as error:
        reason = "a quotation mark is opened here and never closed" if "end of data" in str(error) else str(error)
        fault(
            f"not CSV: {reason}",
            "write a quotation mark inside a quoted cell twice, and close every quoted cell",
            before + 1,
        )
        # What was read up to here may end in half a row: the report is refused, its rows would only mislead.
        return opened
    opened.sheets.append(sheet)
    return opened
