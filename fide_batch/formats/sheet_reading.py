"""The way every reader of tables goes: open, find the tables, see whose they are. The last file is remembered, so that ``looks`` and ``read``
of three readers open it once."""

from __future__ import annotations

from typing import NamedTuple

from fide_batch.formats.sheet_book import book_kind, open_book
from fide_batch.formats.sheet_grid import Opened
from fide_batch.formats.sheet_tables import Found, claimed, find
from fide_batch.formats.sheet_text import open_text


class Looked(NamedTuple):
    """A file as far as it is known before it is read."""

    opened: Opened
    found: Found
    owner: str
    """``ours``, ``chess-results`` or ''."""
    kind: str
    """XLSX, ODS, XLS, XLSB or ZIP by what is inside; '' for anything else."""
    missing: str
    """What it lacks to be a report in a table; '' when it has an owner."""


_last: list[tuple[bytes, Looked]] = []


def look(data: bytes) -> Looked:
    """Open a file and find its tables; the last one is kept."""
    if _last and _last[0][0] is data:
        return _last[0][1]
    kind = book_kind(data)
    opened = open_book(data) if kind not in ("", "ZIP") else open_text(data)
    found = find(opened)
    owner, missing = claimed(found)
    if not owner and data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        missing = "an HTML or XML page; a page saved from the web is opened in a spreadsheet program and saved as XLSX"
    looked = Looked(opened, found, owner, kind, missing)
    _last[:] = [(data, looked)]
    return looked


def is_book(data: bytes) -> bool:
    """Whether a file is a workbook, sound or not."""
    return data[:4] in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0") and look(data).kind not in ("", "ZIP")
