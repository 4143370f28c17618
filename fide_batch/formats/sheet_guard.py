"""What is measured of a packed workbook (XLSX, ODS) before python-calamine sees it.

That library unpacks whatever the ZIP holds and lays a sheet out as one dense block from its first to its last used cell: sizes are taken as parts
really unpack, and the extent of each sheet from its cells.
"""

from __future__ import annotations

import io
import re
import string
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from typing import NamedTuple
from xml.parsers import expat

import numpy as np

from fide_batch.formats import sheet_plain
from fide_batch.model import Problem
from fide_batch.words import column_name

MOST_PARTS = 2_000


class Limits(NamedTuple):
    """How large a workbook may be."""

    bytes: int
    """What it may unpack to, all parts together."""
    cells: int
    """What the block from the first to the last used cell of a sheet may hold."""
    text: int
    """The longest text times the number of text cells: one text may be shared by all cells."""


REPORT = Limits(64 << 20, 2_000_000, 256 << 20)
"""Of a report: one of 5,000 players and 30 rounds unpacks to 10 MB."""
LIST = Limits(512 << 20, 8_000_000, 2 << 30)
"""Of a rating list: 200,000 players with all our columns."""

_ZIP = b"PK\x03\x04"

PASSWORD, WITHOUT_PASSWORD = (
    "the workbook is protected with a password",
    "open it with the password and save it without one",
)
SAVE = "open it in a spreadsheet program and save the table as XLSX or CSV"
AGAIN = "ask for the file again, or open it in a spreadsheet program and save it anew"

note = partial(Problem, "workbook", "note", "", None, None)


class Fault(Exception):
    """Raised with the problem that ends the reading of a workbook."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.problem = Problem("unreadable", "error", "", None, None, message, hint)


def damaged(reason: object) -> Fault:
    """The fault of a workbook that is broken."""
    return Fault(f"the workbook is damaged: {' '.join(str(reason).split())[:200]}", AGAIN)


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
        raise Fault("a part of the workbook is UTF-16, as no spreadsheet program writes it", SAVE)
    if b"!" in content and (b"<!DOCTYPE" in content or b"<!ENTITY" in content):
        raise Fault("the workbook declares entities, as no spreadsheet program does", SAVE)


def check_zip(data: bytes, limits: Limits = REPORT) -> tuple[list[Problem], bytes]:
    """Refuse what would unpack without end or lie about its size.

    Returns:
        Notes about what is left aside, and the workbook to read: the same parts without packing where they are small.

    Raises:
        Fault: with the problem.
    """
    notes: list[Problem] = []
    contents: list[tuple[zipfile.ZipInfo, bytes]] = []
    longest_text = texts = 0
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = archive.infolist()
        if len(parts) > MOST_PARTS:
            raise Fault(f"the workbook has {len(parts)} parts; at most {MOST_PARTS} are read", SAVE)
        size = sum(part.file_size for part in parts)
        if size > limits.bytes:
            raise Fault(
                f"the workbook unpacks to {size / (1 << 20):,.0f} MB; at most {limits.bytes >> 20} MB are read", SAVE
            )
        if len({part.filename.lower() for part in parts}) < len(parts):
            raise Fault("two parts of the workbook have the same name", SAVE)
        for part in parts:
            if part.flag_bits & 1:
                raise Fault(PASSWORD, WITHOUT_PASSWORD)
            content = _unpacked(data, part)
            if size <= sheet_plain.MOST:
                contents.append((part, content))
            name = part.filename.lower()
            if name.endswith("workbook.bin"):
                raise Fault("a binary workbook (XLSB) is not read", SAVE)
            if name.endswith("vbaproject.bin") or (name.startswith("basic/") and name.count("/") > 1):
                if not notes:
                    notes.append(note("the workbook holds macros; they are not run", "nothing to do"))
                continue
            # A relation may call any part a sheet, and one file may pass for XLSX and for ODS: what stands in a part decides, not its name.
            sheet = b"sheetData" in content
            if sheet or name.endswith((".xml", ".rels")):
                _check_xml(content)
            if not sheet and b"manifest:encryption-data" in content:
                raise Fault(PASSWORD, WITHOUT_PASSWORD)
            if name == "content.xml":
                _check_ods(content, limits)
            tags = _Tags(content) if sheet else None
            if tags.count(b"<si") if tags else b"</si>" in content:
                longest_text = max(longest_text, *map(len, content.split(b"</si>")))
            if tags:
                texts += _check_sheet(tags, limits)
        if longest_text * texts > limits.text:
            raise Fault("a very long text stands in very many cells", SAVE)
    except Fault:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise Fault(
            f"the workbook is damaged: {error}",
            "ask for the file again, or open it in a spreadsheet program and save it anew",
        ) from None
    except (NotImplementedError, RuntimeError, ValueError, OverflowError, MemoryError, struct.error) as error:
        raise Fault(f"the workbook cannot be unpacked: {error}", SAVE) from None
    return notes, sheet_plain.plain_zip(contents) if contents else data


_VALUELESS = re.compile(rb'<c r="([A-Z]+)(\d+)"[^>]*><f\b[^>]*>[^<]*</f>(?:<v ?/>|<v></v>)?</c>')


class _Tags:
    """All tags of a part that begin something, at once: eight bytes from the beginning of each, as a number."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        padded = content + bytes(20)  # so that the name of a cell can be looked for behind every tag
        self.letters = np.frombuffer(padded, np.uint8)
        self.at = np.flatnonzero((self.letters[:-1] == ord("<")) & (self.letters[1:] != ord("/")))
        self.begin = np.ndarray(len(content), "<u8", padded, 0, (1,))[self.at]

    def like(self, begin: bytes) -> np.ndarray:
        """bool per tag: whether it begins like this, with ``<``."""
        mask = np.uint64((1 << 8 * len(begin)) - 1)
        found: np.ndarray = (self.begin & mask) == np.uint64(int.from_bytes(begin, "little"))
        return found

    def count(self, begin: bytes) -> int:
        """How many begin like this."""
        return int(np.count_nonzero(self.like(begin)))


def cells_of(content: bytes) -> tuple[np.ndarray, np.ndarray] | None:
    """The bytes of a sheet and where its cells begin, when every cell is written ``<c r="...``; None when some are not."""
    return _cells(_Tags(content))


def _cells(tags: _Tags) -> tuple[np.ndarray, np.ndarray] | None:
    letters = tags.letters
    # A cell's tag ends its name here; <cols> and <conditionalFormatting> go on.
    at = tags.at[tags.like(b"<c") & ((tags.begin >> np.uint64(16)) & np.uint64(0xFF) <= ord(">"))]
    # A cell or row with a second r may be called anything: not well-formed, which only following the tags one by one tells.
    letter_r = np.flatnonzero(letters[1:-1] == ord("r")) + 1
    named = np.count_nonzero(~_IN_NAMES[letters[letter_r - 1]] & _AFTER_NAMES[letters[letter_r + 1]])
    plain = tags.count(b'<c r="') == len(at) and named == len(at) + tags.count(b'<row r="')
    colon = np.flatnonzero(letters[:-2] == ord(":"))
    prefixed = (letters[colon + 1] == ord("c")) & _ENDS_NAME[letters[colon + 2]]
    return (letters, at) if plain and not prefixed.any() else None


def _marked(signs: bytes) -> np.ndarray:
    """bool per byte: whether it is one of some."""
    return np.isin(np.arange(256), np.frombuffer(signs, np.uint8))


_IN_NAMES = _marked(string.ascii_letters.encode() + string.digits.encode() + b"_-.:" + bytes(range(0x80, 0x100)))
"""Bytes before an ``r`` that make it part of a longer name: ``footer="``, ``xr:r="``."""
_AFTER_NAMES = _marked(b"= \t\r\n")
_ENDS_NAME = _marked(b">/ \t\r\n")


def _near(letters: np.ndarray, at: np.ndarray) -> bool:
    """Whether every cell stands from A1 to ZZ9999: one or two letters, then a quotation mark after one to four digits."""
    start = at + 6
    digits = start + 1 + (letters[start + 1] >= ord("A"))
    near = (letters[start] >= ord("A")) & (letters[start + 2] < ord("A"))
    ended = letters[digits + 1] == 34
    for place in (2, 3, 4):
        ended |= letters[digits + place] == 34
    return bool((near & ended).all())


def _block(letters: np.ndarray, at: np.ndarray) -> int:
    """How many cells lie between the first and the last of some cells, empty ones too.

    Raises:
        Fault: when a cell is called as no cell is called.
    """
    start = at + 6
    column = np.zeros(len(at), np.int64)
    for _ in range(3):
        letter = letters[start]
        inside = ((letter >= ord("A")) & (letter <= ord("Z"))) | ((letter >= ord("a")) & (letter <= ord("z")))
        column = np.where(inside, column * 26 + (letter & 31), column)
        start = start + inside
    row, going, ended = np.zeros(len(at), np.int64), np.ones(len(at), bool), np.zeros(len(at), bool)
    for place in range(8):
        sign = letters[start + place]
        digit = going & (sign >= ord("0")) & (sign <= ord("9"))
        ended |= going & (sign == 34)
        row = np.where(digit, row * 10 + (sign - ord("0")), row)
        going = digit
    strange = np.flatnonzero(~ended | (column == 0) | (row == 0))
    if len(strange):
        begin = int(at[strange[0]]) + 6
        name = letters[begin : begin + 12].tobytes().decode("ascii", "replace").split('"')[0]
        raise Fault(f"a cell is called {name!r}; expected a name such as C7", SAVE)
    return int((row.max() - row.min() + 1) * (column.max() - column.min() + 1))


def _check_sheet(tags: _Tags, limits: Limits) -> int:
    """Refuse a sheet whose used cells span too much, or with formulas whose values were never worked out; its number of cells."""
    content, cells = tags.content, _cells(tags)
    if cells is None or not (len(cells[1]) == 0 or _near(*cells) or _block(*cells) <= limits.cells):
        # Cells written otherwise, or far apart: followed one by one, since those without content take no room.
        extent = _Extent(limits)
        _walk(content, extent.xlsx_start, None, None)
        extent.check()
    if tags.count(b"<f"):
        found = _VALUELESS.search(content)
        if found:
            raise Fault(
                f"cell {found[1].decode()}{found[2].decode()} holds a formula without its value",
                "open the file in a spreadsheet program and save it: that stores the values",
            )
    return len(cells[1]) if cells is not None else max(content.count(b"</c>"), content.count(b":c>"))


class _Extent:
    """The block of used cells of one sheet, followed as the XML goes by."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
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
        most = self.limits.cells
        if area > most or self.used > most or self.last_row * self.last_column > 40 * most:
            raise Fault(
                f"a sheet is used from {column_name(self.first_column)}{self.first_row} to {column_name(self.last_column)}{self.last_row},"
                f" {area:,} cells; at most {most:,} are read",
                "delete the stray cells outside the table and save it again",
            )

    def xlsx_start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(":")[2]
        if name == "row":
            found = attributes.get("r")
            self.row = self.row + 1 if found is None else _row_number(found)
            self.column = 0
        elif name == "c":
            reference = attributes.get("r")
            if reference is not None:
                found_cell = re.fullmatch(r"([A-Za-z]{1,3})(\d{1,7})", reference, re.ASCII)
                if not found_cell:
                    raise Fault(f"a cell is called {reference[:40]!r}; expected a name such as C7", SAVE)
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
                if self.letters > self.limits.text:
                    raise Fault("a very long text stands in very many cells", SAVE)
            self.column += self.repeat
            self.inside = False
        elif tag == "table:table-row":
            self.row += self.row_repeat
        elif tag == "table:table":
            self.check()


def _row_number(found: str) -> int:
    if not re.fullmatch(r"\d{1,7}", found, re.ASCII):
        raise Fault(f"a row is called {found[:40]!r}; expected a number", SAVE)
    return int(found)


def _repeats(attributes: dict[str, str], name: str) -> int:
    value = attributes.get(name, "1")
    if not re.fullmatch(r"\+?\d{1,9}", value, re.ASCII):
        raise Fault(f"a cell is repeated {value[:40]!r} times", SAVE)
    return max(int(value), 1)


def _check_ods(content: bytes, limits: Limits) -> None:
    """Refuse an ODS whose repeated cells stand for too many."""
    extent = _Extent(limits)
    _walk(content, extent.ods_start, extent.ods_end, extent.ods_text)


def _walk(
    content: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None] | None,
    letters: Callable[[str], None] | None,
) -> None:
    parser = expat.ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = letters
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise Fault(
            f"the workbook is damaged: {error}",
            "ask for the file again, or open it in a spreadsheet program and save it anew",
        ) from None
