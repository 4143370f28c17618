"""Exports of chess-results and Swiss-Manager, as XLSX or CSV: the cross table, or starting list and pairings, in the languages they come in."""

from __future__ import annotations

from fide_batch.formats.sheet_reading import look
from fide_batch.formats.sheet_report import read_report, unread
from fide_batch.formats.sheet_tables import CHESS_RESULTS
from fide_batch.model import Report

NAME = "chess-results"


def looks(name: str, data: bytes) -> str:
    """'' when the file is an export of chess-results; else what is missing, in words."""
    looked = look(data)
    if looked.opened.failed:
        return "cannot be opened"
    if looked.owner == CHESS_RESULTS:
        return ""
    return looked.missing or "neither the name of chess-results nor its headings (1.Rd, Round 1 on ...)"


def read(name: str, data: bytes) -> Report:
    """The report of an export; never raises."""
    looked = look(data)
    if looked.opened.failed or looked.owner != CHESS_RESULTS:
        return unread(name, NAME, looked.opened)
    return read_report(name, looked.opened, looked.found, CHESS_RESULTS)
