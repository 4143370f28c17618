"""Reports in our own plain layout as XLSX, ODS or XLS workbook. See docs/sheets.md."""

from __future__ import annotations

from fide_batch.formats.sheet_reading import is_book, look
from fide_batch.formats.sheet_report import read_reports, unread
from fide_batch.formats.sheet_tables import OURS
from fide_batch.model import Report

NAME = "workbook sheet"


def looks(name: str, data: bytes) -> str:
    """'' when the file is a workbook in our layout, or one that cannot be opened; else what is missing, in words."""
    if not is_book(data):
        if data[:4] == b"PK\x03\x04":
            return "a ZIP archive, not a workbook"
        return "not a workbook (XLSX, ODS, XLS)"
    looked = look(data)
    if looked.opened.failed or looked.owner == OURS:
        return ""
    return looked.missing or "written by chess-results"


def read(name: str, data: bytes) -> Report | list[Report]:
    """The report of a workbook, or of each sheet where each is one; never raises."""
    looked = look(data)
    if looked.opened.failed or looked.owner != OURS:
        return unread(name, "sheet", looked.opened)
    return read_reports(name, looked.opened, looked.found, OURS)
