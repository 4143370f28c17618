"""Reports in our own plain layout as CSV: head lines, then a cross table, or players and a row a game. See docs/sheets.md."""

from __future__ import annotations

from fide_batch.formats.sheet_reading import is_book, look
from fide_batch.formats.sheet_report import read_report, unread
from fide_batch.formats.sheet_tables import OURS
from fide_batch.model import Report

NAME = "CSV sheet"


def looks(name: str, data: bytes) -> str:
    """'' when the file is a table in our layout; else what is missing, in words."""
    if is_book(data):
        return "a workbook, not text"
    looked = look(data)
    if looked.opened.failed:
        return ""
    if looked.owner == OURS:
        return ""
    return looked.missing or "written by chess-results"


def read(name: str, data: bytes) -> Report:
    """The report of a CSV file; never raises."""
    looked = look(data)
    if looked.opened.failed or looked.owner != OURS:
        return unread(name, "sheet CSV", looked.opened)
    return read_report(name, looked.opened, looked.found, OURS)
