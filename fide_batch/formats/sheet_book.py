"""Opening a workbook (XLSX, XLSM, ODS, XLS) without trusting it.

python-calamine reads the cells. It lays a sheet out as one dense block from its first to its last used cell, and unpacks whatever the ZIP
holds, so both are measured before it sees the file: sizes as they really unpack, and the extent of each sheet.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any
from xml.parsers import expat

import numpy as np

from fide_batch.formats.sheet_grid import Opened, Row, Sheet, column_name
from fide_batch.model import Problem

MOST_BYTES = 64 << 20
"""What a workbook may unpack to, all parts together. A report of 5,000 players and 30 rounds is 10 MB."""
MOST_CELLS = 2_000_000
"""What the block from the first to the last used cell of a sheet may hold."""
MOST_PARTS = 2_000
MOST_TEXT = 256 << 20
"""The longest text times the number of text cells: one text may be shared by all cells."""

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_PASSWORD, _WITHOUT_PASSWORD = (
    "the workbook is protected with a password",
    "open it with the password and save it without one",
)
_SAVE = "open it in a spreadsheet program and save the table as XLSX or CSV"

problem = partial(Problem, "unreadable", "error", "", None, None)
_note = partial(Problem, "workbook", "note", "", None, None)


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


class _Fault(Exception):
    """Raised inside this module with the problem that ends the reading."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.problem = problem(message, hint)


def open_book(data: bytes) -> Opened:
    """The visible sheets of a workbook with their rows that are not empty; never raises."""
    kind = book_kind(data)
    opened = Opened(kind=kind)
    try:
        if kind == "XLSB":
            raise _Fault("a binary workbook (XLSB) is not read", _SAVE)
        if kind == "XLS":
            _check_ole(data)
        else:
            opened.problems += _check_zip(data, kind)
        _read(data, opened)
    except _Fault as fault:
        opened.sheets, opened.problems = [], [fault.problem]
    return opened


def _check_ole(data: bytes) -> None:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise _Fault(_PASSWORD, _WITHOUT_PASSWORD)
    if len(data) > MOST_BYTES:
        raise _Fault(f"the workbook has {len(data) >> 20} MB; at most {MOST_BYTES >> 20} MB are read", _SAVE)


def _unpacked(data: bytes, part: zipfile.ZipInfo) -> bytes:
    """One part, to the size it declares and not a byte more: one that unpacks to another size is damaged, or lies."""
    start = part.header_offset
    if data[start : start + 4] != _ZIP:
        raise zipfile.BadZipFile(f"{part.filename!r} is not where the directory says")
    name, extra = struct.unpack_from("<HH", data, start + 26)
    start += 30 + name + extra
    content = data[start : start + part.compress_size]
    if part.compress_type == zipfile.ZIP_DEFLATED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, part.file_size + 1)
    elif part.compress_type != zipfile.ZIP_STORED:
        raise zipfile.BadZipFile(f"{part.filename!r} is packed in a way no spreadsheet program packs")
    if len(content) != part.file_size:
        raise zipfile.BadZipFile(f"{part.filename!r} does not unpack to the size it declares")
    return content


def _check_xml(content: bytes) -> None:
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in content[:4]:
        raise _Fault("a part of the workbook is UTF-16, as no spreadsheet program writes it", _SAVE)
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise _Fault("the workbook declares entities, as no spreadsheet program does", _SAVE)


def _check_zip(data: bytes, kind: str) -> list[Problem]:
    """Refuse what would unpack without end or lie about its size; notes about what is left aside."""
    notes: list[Problem] = []
    longest_text = texts = 0
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = archive.infolist()
        if len(parts) > MOST_PARTS:
            raise _Fault(f"the workbook has {len(parts)} parts; at most {MOST_PARTS} are read", _SAVE)
        size = sum(part.file_size for part in parts)
        if size > MOST_BYTES:
            raise _Fault(
                f"the workbook unpacks to {size / (1 << 20):,.0f} MB; at most {MOST_BYTES >> 20} MB are read", _SAVE
            )
        if len({part.filename.lower() for part in parts}) < len(parts):
            raise _Fault("two parts of the workbook have the same name", _SAVE)
        for part in parts:
            if part.flag_bits & 1:
                raise _Fault(_PASSWORD, _WITHOUT_PASSWORD)
            content = _unpacked(data, part)
            name = part.filename.lower()
            if name.endswith("vbaproject.bin") or (kind == "ODS" and name.startswith("basic/") and name.count("/") > 1):
                if not notes:
                    notes.append(_note("the workbook holds macros; they are not run", "nothing to do"))
                continue
            # A relation may call any part a sheet, whatever its name.
            sheet = b"sheetData" in content
            if sheet or name.endswith((".xml", ".rels")):
                _check_xml(content)
            if kind == "ODS":
                if b"manifest:encryption-data" in content:
                    raise _Fault(_PASSWORD, _WITHOUT_PASSWORD)
                if name == "content.xml":
                    _check_ods(content)
            elif b"</si>" in content:
                longest_text = max(longest_text, *map(len, content.split(b"</si>")))
            elif sheet:
                texts += _check_sheet(content)
        if longest_text * texts > MOST_TEXT:
            raise _Fault("a very long text stands in very many cells", _SAVE)
    except _Fault:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise _Fault(
            f"the workbook is damaged: {error}",
            "ask for the file again, or open it in a spreadsheet program and save it anew",
        ) from None
    except (NotImplementedError, RuntimeError, ValueError, OverflowError, MemoryError, struct.error) as error:
        raise _Fault(f"the workbook cannot be unpacked: {error}", _SAVE) from None
    return notes


_FAR = re.compile(rb'<c r="(?:[A-Z]{3,}\d+|[A-Z]+\d{5,})"(?:[^>/]|/(?!>))*>')
"""A cell with content right of ZZ or below row 9,999."""
_VALUELESS = re.compile(rb'<c r="([A-Z]+)(\d+)"[^>]*><f\b[^>]*>[^<]*</f>(?:<v ?/>|<v></v>)?</c>')


def _usual(content: bytes) -> tuple[bool, int]:
    """Whether every cell is written ``<c r="...`` and stands within ZZ9999, and the number of cells; -1 where they are written otherwise."""
    letters = np.frombuffer(content, np.uint8)
    at = np.flatnonzero((letters[:-16] == ord("<")) & (letters[1:-15] == ord("c")))
    # A cell's tag ends its name here; <cols> and <conditionalFormatting> go on.
    at = at[letters[at + 2] <= ord(">")]
    if b":c" in content or content.count(b'<c r="') != len(at):
        return False, -1
    two_letters = letters[at + 7] > ord("9")
    fifth_digit = letters[at + 10 + 1 + two_letters]
    far = (letters[at + 8] > ord("9")) | ((fifth_digit >= ord("0")) & (fifth_digit <= ord("9")))
    return not far.any(), len(at)


def _check_sheet(content: bytes) -> int:
    """Refuse a sheet whose used cells span more than ``MOST_CELLS``, or with formulas whose values were never worked out; its number of cells."""
    usual, cells = _usual(content)
    if not usual and (cells < 0 or _FAR.search(content)):
        extent = _Extent()
        _walk(content, extent.xlsx_start, None, None)
        extent.check()
    if b"</f>" in content:
        found = _VALUELESS.search(content)
        if found:
            raise _Fault(
                f"cell {found[1].decode()}{found[2].decode()} holds a formula without its value",
                "open the file in a spreadsheet program and save it: that stores the values",
            )
    return cells if cells >= 0 else max(content.count(b"</c>"), content.count(b":c>"))


class _Extent:
    """The block of used cells of one sheet, followed as the XML goes by."""

    def __init__(self) -> None:
        self.row = self.column = 0
        self.first_row = self.first_column = 1 << 62
        self.last_row = self.last_column = 0
        self.used = self.letters = 0
        self.inside = False
        self.repeat = self.row_repeat = 1
        self.length = 0
        self.cell = (0, 0)

    def use(self, row: int, column: int, rows: int = 1, columns: int = 1) -> None:
        self.first_row, self.last_row = min(self.first_row, row), max(self.last_row, row + rows - 1)
        self.first_column, self.last_column = (
            min(self.first_column, column),
            max(self.last_column, column + columns - 1),
        )
        self.used += rows * columns

    def check(self) -> None:
        if not self.used:
            return
        area = (self.last_row - self.first_row + 1) * (self.last_column - self.first_column + 1)
        if area > MOST_CELLS or self.used > MOST_CELLS or self.last_row * self.last_column > 40 * MOST_CELLS:
            raise _Fault(
                f"a sheet is used from {column_name(self.first_column)}{self.first_row} to {column_name(self.last_column)}{self.last_row},"
                f" {area:,} cells; at most {MOST_CELLS:,} are read",
                "delete the stray cells outside the table and save it again",
            )

    def xlsx_start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if name == "row":
            found = attributes.get("r", "")
            self.row = int(found) if found.isascii() and found.isdigit() and len(found) < 10 else self.row + 1
            self.column = 0
        elif name == "c":
            found_cell = re.fullmatch(r"([A-Za-z]{1,6})(\d{1,9})", attributes.get("r", ""))
            if found_cell:
                self.column = 0
                for letter in found_cell[1].upper():
                    self.column = self.column * 26 + ord(letter) - 64
                self.row = int(found_cell[2])
            else:
                self.column += 1
            self.cell = (self.row, self.column)
        elif name in ("v", "is", "f"):
            self.use(*self.cell)

    def ods_start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "table:table":
            self.row = 0
            self.first_row = self.first_column = 1 << 62
            self.last_row = self.last_column = self.used = 0
        elif tag == "table:table-row":
            self.row_repeat = _repeats(attributes, "table:number-rows-repeated")
            self.column = 1
        elif tag in ("table:table-cell", "table:covered-table-cell"):
            self.repeat = _repeats(attributes, "table:number-columns-repeated")
            self.length = 0
            self.inside = any(key.startswith("office:value") or key == "table:formula" for key in attributes)
        elif tag == "text:p":
            self.inside = True

    def ods_text(self, piece: str) -> None:
        self.length += len(piece)

    def ods_end(self, tag: str) -> None:
        if tag in ("table:table-cell", "table:covered-table-cell"):
            if self.inside:
                self.use(self.row + 1, self.column, self.row_repeat, self.repeat)
                self.letters += self.length * self.row_repeat * self.repeat
                if self.letters > MOST_TEXT:
                    raise _Fault("a very long text stands in very many cells", _SAVE)
            self.column += self.repeat
            self.inside = False
        elif tag == "table:table-row":
            self.row += self.row_repeat
        elif tag == "table:table":
            self.check()


def _repeats(attributes: dict[str, str], name: str) -> int:
    value = attributes.get(name, "1")
    return max(int(value), 1) if value.isascii() and value.isdigit() and len(value) < 10 else 1


def _check_ods(content: bytes) -> None:
    """Refuse an ODS whose repeated cells stand for more than ``MOST_CELLS``."""
    extent = _Extent()
    _walk(content, extent.ods_start, extent.ods_end, extent.ods_text)


def _walk(
    content: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None] | None,
    letters: Callable[[str], None] | None,
) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = letters
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise _Fault(
            f"the workbook is damaged: {error}",
            "ask for the file again, or open it in a spreadsheet program and save it anew",
        ) from None


def _read(data: bytes, opened: Opened) -> None:
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
            if sheet.total_height * sheet.total_width > 4 * MOST_CELLS:
                raise _Fault(
                    f"sheet {meta.name!r} spans {sheet.total_height} rows and {sheet.total_width} columns", _SAVE
                )
            opened.sheets.append(Sheet(meta.name, _rows(sheet), book=True))
    except _Fault:
        raise
    except calamine.PasswordError:
        raise _Fault(_PASSWORD, _WITHOUT_PASSWORD) from None
    except BaseException as error:
        # A panic inside the library is no Exception; anything else that is none (Ctrl-C) goes on its way.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise _Fault(
            f"the workbook is damaged: {str(error)[:200] or type(error).__name__}",
            "ask for the file again, or open it in a spreadsheet program and save it anew",
        ) from None
    if hidden:
        opened.problems.append(
            _note(f"hidden sheets are not read: {', '.join(hidden)}", "unhide a sheet that belongs to the report")
        )
    if not opened.sheets:
        raise _Fault("the workbook has no visible sheet", "unhide the sheet with the results and save it again")


def _rows(sheet: Any) -> list[Row]:
    cells_of = enumerate(sheet.to_python(skip_empty_area=False), 1)
    return [Row(line, cells) for line, cells in cells_of if cells.count("") != len(cells)]
