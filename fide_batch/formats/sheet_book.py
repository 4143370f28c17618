"""Opening a workbook (XLSX, XLSM, ODS, XLS) without trusting it: python-calamine reads the cells of what ``sheet_guard`` has measured."""

from __future__ import annotations

import io
from typing import Any

from fide_batch.formats import sheet_xls
from fide_batch.formats.sheet_grid import Opened, Row, Sheet
from fide_batch.formats.sheet_guard import (
    PASSWORD,
    REPORT,
    SAVE,
    WITHOUT_PASSWORD,
    Fault,
    Limits,
    check_zip,
    damaged,
    note,
)

MOST_BYTES = REPORT.bytes
"""The largest workbook of a report."""

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def book_kind(data: bytes) -> str:
    """XLSX, ODS, XLSB or XLS by what is inside; ``ZIP`` for another ZIP archive, '' for anything else."""
    if data[:8] == _OLE:
        return "XLS"
    if data[:4] != _ZIP:
        return ""
    # The names of the first parts stand near the start and all names again in the directory at the end: no need to open it for this.
    ends = data[:4096] + data[-(1 << 16) :]
    if b"application/vnd.oasis.opendocument.spreadsheet" in ends[:200] or (
        b"content.xml" in ends and b"META-INF/manifest.xml" in ends
    ):
        return "ODS"
    if b"xl/workbook.bin" in ends:
        return "XLSB"
    if b"xl/workbook.xml" in ends or (b"[Content_Types].xml" in ends and b"xl/" in ends):
        return "XLSX"
    return "ZIP"


def open_book(data: bytes, limits: Limits = REPORT) -> Opened:
    """The visible sheets of a workbook with their rows that are not empty; never raises."""
    kind = book_kind(data)
    opened = Opened(kind=kind)
    try:
        if kind == "XLSB":
            raise Fault("a binary workbook (XLSB) is not read", SAVE)
        if kind == "XLS":
            _read_xls(data, opened, limits)
        else:
            opened.problems, measured = check_zip(data, limits)
            _read(measured, opened, limits)
        if not opened.sheets:
            raise Fault("the workbook has no visible sheet", "unhide the sheet with the results and save it again")
    except Fault as fault:
        opened.sheets, opened.problems = [], [fault.problem]
    return opened


def _read(data: bytes, opened: Opened, limits: Limits) -> None:
    """The cells, by python-calamine."""
    import python_calamine as calamine

    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        hidden = []
        for place, meta in enumerate(book.sheets_metadata):
            if meta.typ != calamine.SheetTypeEnum.WorkSheet:
                continue
            if meta.visible != calamine.SheetVisibleEnum.Visible:
                hidden.append(meta.name)
                continue
            sheet = book.get_sheet_by_index(place)
            if sheet.total_height * sheet.total_width > 4 * limits.cells:
                raise Fault(
                    f"sheet {meta.name!r} spans {sheet.total_height} rows and {sheet.total_width} columns", SAVE
                )
            opened.sheets.append(Sheet(meta.name, _rows(sheet), book=True))
    except Fault:
        raise
    except calamine.PasswordError:
        raise Fault(PASSWORD, WITHOUT_PASSWORD) from None
    except BaseException as error:
        # A panic inside the library is no Exception; anything else that is none (Ctrl-C) goes on its way.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise damaged(error or type(error).__name__) from None
    _tell_hidden(hidden, opened)


def _read_xls(data: bytes, opened: Opened, limits: Limits) -> None:
    """The cells of the old binary format, read by another process."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise Fault(PASSWORD, WITHOUT_PASSWORD)
    if len(data) > limits.bytes:
        raise Fault(f"the workbook has {len(data) >> 20} MB; at most {limits.bytes >> 20} MB are read", SAVE)
    hidden = []
    for name, visible, rows in sheet_xls.read(data, 4 * limits.cells):
        if visible:
            opened.sheets.append(Sheet(name, [Row(line, cells) for line, cells in rows], book=True))
        else:
            hidden.append(name)
    _tell_hidden(hidden, opened)


def _tell_hidden(hidden: list[str], opened: Opened) -> None:
    if hidden:
        opened.problems.append(
            note(f"hidden sheets are not read: {', '.join(hidden)}", "unhide a sheet that belongs to the report")
        )


def _rows(sheet: Any) -> list[Row]:
    rows = sheet.to_python(skip_empty_area=False)
    empty = [""] * len(rows[0]) if rows else []
    return [Row(line, cells) for line, cells in enumerate(rows, 1) if cells != empty]
