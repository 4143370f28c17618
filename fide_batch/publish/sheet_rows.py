"""Rows of a sheet as XML, whole columns at a time, into a workbook that openpyxl has drawn.

openpyxl draws everything but the rows: heads, styles, widths, filter, page setup. The rows of a big list would take it minutes, so they are put
together from columns here and streamed into the sheet's XML behind its head. ``tests/publish/test_workbook.py`` holds a plain twin that writes
the same workbook cell by cell with openpyxl.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import id_texts

if TYPE_CHECKING:
    from openpyxl import Workbook

MOST_ROWS = 1_048_575
"""Rows a sheet holds under its head."""

_LONGEST = 32_767
"""Characters a cell holds."""

_BLOCK = 1 << 15
"""Rows put together at a time."""

_DAY_ZERO = 25_569
"""1 January 1970 as a workbook counts days."""


@dataclass(frozen=True)
class Column:
    """One column of a sheet."""

    head: str
    values: pa.ChunkedArray | pa.Array
    kind: str
    """``id``, ``text``, ``number``, ``change`` (a whole number with its sign), ``points`` (ten-thousandths), ``change points``, ``day``, ``yes``."""
    width: int = 0
    """Characters; 0: as wide as what it holds."""


def written(column: Column, start: int, stop: int) -> pa.Array:
    """Some cells of a column as they stand in the XML; null where the cell is empty."""
    part = column.values.slice(start, stop - start)
    if pa.types.is_dictionary(part.type):
        part = part.cast(pa.string())
    if isinstance(part, pa.ChunkedArray):
        part = part.combine_chunks()
    if column.kind == "id":
        texts = id_texts(part.fill_null(0).to_numpy(zero_copy_only=False))
        return pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
    if column.kind == "text":
        return _text(part)
    if column.kind == "yes":
        return pc.if_else(pc.equal(part, 1), "yes", "no")
    if column.kind == "day":
        return pc.add(part.cast(pa.int32()), _DAY_ZERO).cast(pa.string())
    if column.kind in ("points", "change points"):
        return pc.divide(part.cast(pa.float64()), 10_000.0).cast(pa.string())
    return part.cast(pa.string())


def _text(part: pa.Array) -> pa.Array:
    """Text for XML; what XML cannot hold becomes the replacement character, and ``_x0041_``, which a workbook takes for A, is masked."""
    part = part.cast(pa.string())
    if pc.any(pc.greater(pc.binary_length(part), _LONGEST)).as_py():
        part = pc.utf8_slice_codeunits(part, 0, _LONGEST)
    for pattern, instead in (
        ("[\\x00-\\x08\\x0b-\\x1f\uffff\ufffe]", "\ufffd"),
        ("_(x[0-9A-Fa-f]{4}_)", "_x005F_\\1"),
    ):
        if pc.any(pc.match_substring_regex(part, pattern)).as_py():
            part = pc.replace_substring_regex(part, pattern, instead)
    for char, instead in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        if pc.any(pc.match_substring(part, char)).as_py():
            part = pc.replace_substring(part, char, instead)
    return pc.if_else(pc.equal(part, ""), pa.scalar(None, pa.string()), part)


def rows_xml(
    columns: list[Column], letters: list[str], styles: list[int], start: int, stop: int, first_row: int
) -> Iterator[bytes]:
    """The rows ``start`` to ``stop`` of some columns, block by block; the first stands in row ``first_row`` of the sheet."""
    for block in range(start, stop, _BLOCK):
        end = min(stop, block + _BLOCK)
        number = pa.array(np.arange(block - start + first_row, end - start + first_row)).cast(pa.string())
        pieces: list[pa.Array | str] = ['<row r="', number, '">']
        for column, letter, style in zip(columns, letters, styles, strict=True):
            values = written(column, block, end)
            if column.kind in ("id", "text", "yes"):
                before, after = f'" s="{style}" t="inlineStr"><is><t xml:space="preserve">', "</t></is></c>"
            else:
                before, after = f'" s="{style}"><v>', "</v></c>"
            cells = pc.binary_join_element_wise(f'<c r="{letter}', number, before, values, after, "")
            pieces.append(cells.fill_null("") if cells.null_count else cells)
        rows = pc.binary_join_element_wise(*pieces, "</row>", "")
        yield _joined(rows)


def _joined(rows: pa.Array) -> bytes:
    """All strings of an array one after the other: their bytes as they lie in memory."""
    offsets = np.frombuffer(rows.buffers()[1], np.int32)[rows.offset : rows.offset + len(rows) + 1]
    return bytes(memoryview(rows.buffers()[2])[offsets[0] : offsets[-1]]) if len(rows) else b""


@dataclass(frozen=True)
class Filling:
    """The rows of one sheet."""

    columns: list[Column]
    letters: list[str]
    styles: list[int]
    start: int
    stop: int


class _Undated(zipfile.ZipFile):
    """A ZIP file that does not ask what time it is: a ZIP cannot hold a year before 1980, which a machine without a battery begins with."""

    def writestr(self, zinfo_or_arcname: str | zipfile.ZipInfo, data: str | bytes, *args: Any, **named: Any) -> None:  # type: ignore[override]
        """One member."""
        if isinstance(zinfo_or_arcname, str):
            zinfo_or_arcname = zipfile.ZipInfo(zinfo_or_arcname, (1980, 1, 1, 0, 0, 0))
        super().writestr(zinfo_or_arcname, data, *args, **named)


def save(workbook: Workbook, fillings: dict[str, Filling], stamp: str, file: IO[bytes]) -> None:
    """Write a workbook with rows streamed into its sheets; the same content gives the same bytes.

    Args:
        workbook: drawn by openpyxl; of a sheet named in ``fillings`` only the head row is kept.
        fillings: rows by the sheet's title.
        stamp: the day the file says it was made (``2026-11-01``): there is no clock in it.
        file: open for writing.
    """
    from openpyxl.writer.excel import ExcelWriter

    drawn = io.BytesIO()
    ExcelWriter(workbook, _Undated(drawn, "w", strict_timestamps=False)).save()
    part_of = {f"xl/worksheets/sheet{place}.xml": title for place, title in enumerate(workbook.sheetnames, 1)}
    with (
        zipfile.ZipFile(drawn) as source,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=2) as target,
    ):
        for name in sorted(source.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            content = source.read(name)
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o600 << 16
            filling = fillings.get(part_of.get(name, ""))
            with target.open(info, "w", force_zip64=filling is not None) as out:
                if name == "docProps/core.xml":
                    content = re.sub(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", f"{stamp}T00:00:00Z".encode(), content)
                if filling is None:
                    out.write(content)
                else:
                    _fill(out, content, filling)


def _fill(out: IO[bytes], content: bytes, filling: Filling) -> None:
    head_end = content.index(b"</row>") + len(b"</row>")
    data_end = content.index(b"</sheetData>")
    rows = filling.stop - filling.start
    last = filling.letters[-1]
    before = re.sub(
        rb'<dimension ref="[^"]*"', f'<dimension ref="A1:{last}{rows + 1}"'.encode(), content[:head_end], count=1
    )
    out.write(before)
    for block in rows_xml(filling.columns, filling.letters, filling.styles, filling.start, filling.stop, 2):
        out.write(block)
    after = content[data_end:]
    digits = [
        f"{letter}2:{letter}{rows + 1}"
        for letter, column in zip(filling.letters, filling.columns, strict=True)
        if column.kind in ("id", "text")
    ]
    if digits and rows:
        # An id is text on purpose: no green corners that offer to turn it into a number.
        ignored = f'<ignoredErrors><ignoredError sqref="{" ".join(digits)}" numberStoredAsText="1"/></ignoredErrors>'
        after = after.replace(b"</worksheet>", ignored.encode() + b"</worksheet>")
    out.write(after)
