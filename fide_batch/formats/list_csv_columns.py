"""A sound list as CSV, read in columns by pyarrow; None for any file that is not, which ``list_csv`` then reads with care."""

from __future__ import annotations

import codecs
import mmap
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.formats import arrow, list_cells
from fide_batch.formats.list_cells import EMPTY, NUMBERS, STATE_DAYS, STATE_NUMBERS, WORDS, Fault
from fide_batch.formats.list_columns import Rows, Words
from fide_batch.formats.list_headings import LAST, Heading
from fide_batch.formats.list_told import Told

_HIGHEST = {"rating": list_cells.HIGHEST_RATING, "games": list_cells.HIGHEST_GAMES, "k": list_cells.HIGHEST_K}


def in_columns(path: Path, heading: Heading, columns: dict[str, int], told: Told, century_end: int) -> Rows | None:
    """The rows of a file in which every number is one and every row has its cells; None when there is anything to look at."""
    from pyarrow import csv

    if LAST in columns or "name" not in columns:
        return None
    heads = [f"{place}" for place in range(len(heading.cells))]
    kinds = {heads[place]: kind(name) for name, place in columns.items()}
    try:
        found = csv.read_csv(
            str(path),
            csv.ReadOptions(column_names=heads, skip_rows=heading.line, block_size=1 << 22),
            csv.ParseOptions(delimiter=heading.separator),
            csv.ConvertOptions(
                column_types=kinds,
                include_columns=list(kinds),
                null_values=[""],
                strings_can_be_null=False,
                quoted_strings_can_be_null=True,
            ),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError):
        return None
    with path.open("rb") as file:
        # Not closed but let go: with Ctrl-C somebody may still look into it, and closing it would raise something else.
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        # Blank lines, or cells of several lines: their line numbers need care.
        if _newlines(data) + (data[-1:] != b"\n") != heading.line + found.num_rows:
            return None
        # pyarrow would read 0x10 as a number.
        if (
            data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
            or any(data.find(odd) >= 0 for odd in (b"\0", b"0x", b"0X"))
            or not _utf8(data)
        ):
            return None
    after = heading.line + 1
    columns_found = {name: found.column(heads[place]) for name, place in columns.items()}
    return rows_of(columns_found, told, lambda row: row + after, century_end)


def _utf8(data: mmap.mmap) -> bool:
    """Whether every letter is UTF-8, those of headings and of columns nobody uses too."""
    ends = pa.py_buffer(np.array([0, len(data)], np.int64))
    try:
        pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(data)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def rows_of(
    columns: Mapping[str, pa.ChunkedArray], told: Told, line_of: Callable[[int], int], century_end: int
) -> Rows | None:
    """Rows from columns of the right kinds (``kind``); None when there is anything in them that needs care."""
    ids = _ids(columns["fideid"])
    names = _names(columns["name"])
    if ids is None or names is None:
        return None
    numbers: dict[str, np.ndarray] = {}
    words: dict[str, Words] = {}
    for name, column in columns.items():
        if name in NUMBERS or name in STATE_NUMBERS or name in STATE_DAYS:
            values = _numbers(column, name)
            if values is None:
                return None
            numbers[name] = values
        elif name in WORDS:
            words[name] = _words(column)
    return Rows(told, ids, names, numbers, words, line_of, century_end)


def _newlines(data: mmap.mmap) -> int:
    view = np.frombuffer(data, np.uint8)
    count = sum(int(np.count_nonzero(view[start : start + (1 << 22)] == 10)) for start in range(0, len(view), 1 << 22))
    del view
    return count


def kind(name: str) -> pa.DataType:
    """The type a column of LIST is read as."""
    if name in STATE_DAYS:
        return pa.date32()
    if name in NUMBERS or name in STATE_NUMBERS:
        return pa.int32()
    return pa.dictionary(pa.int32(), pa.string()) if name in WORDS else pa.string()


def _numbers(column: pa.ChunkedArray, name: str) -> np.ndarray | None:
    if name in STATE_DAYS:
        column = column.cast(pa.int32())
    lowest = pc.min(column).as_py()
    values = arrow.values(column.fill_null(EMPTY))
    if not len(values):
        return values.astype(np.int32)
    called = name.removeprefix("rapid_").removeprefix("blitz_")
    highest = 1 if called.startswith("reached") else _HIGHEST.get(called, 999_999)
    if values.max() > highest or (lowest is not None and lowest < (365 if name in STATE_DAYS else 0)):
        return None
    if called in ("rating", "k"):
        values = np.where(values == 0, np.int32(EMPTY), values)
    return values


def _ids(column: pa.ChunkedArray) -> np.ndarray | None:
    """The codes of ids; None when one of them cannot be read."""
    texts = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    try:
        plain = texts.cast(pa.int64())
        same = plain.cast(pa.string()).equals(texts)
    except pa.ArrowInvalid:
        same = False
    if same and (not len(texts) or (pc.min(plain).as_py() > 0 and pc.max(plain).as_py() < 10**18)):
        return arrow.values(plain)
    try:
        return np.array(
            [list_cells.identity(list_cells.without_apostrophe(text)) for text in texts.to_pylist()], np.int64
        )
    except Fault:
        return None


def _plain_text(texts: pa.Array) -> bool:
    """Whether no control character stands in any text."""
    data = texts.buffers()[2]
    if data is None or not len(texts):
        return True
    letters = np.frombuffer(data, np.uint8)
    return not len(letters) or (letters.min() >= 32 and not (letters == 127).any())


def _names(column: pa.ChunkedArray) -> pa.Array | None:
    texts = pa.concat_arrays(column.chunks) if column.num_chunks else arrow.texts([])
    if not _plain_text(texts):
        return None
    protected = pc.starts_with(texts, "'")
    if pc.any(protected).as_py():
        mended = [list_cells.without_apostrophe(text) for text in texts.filter(protected).to_pylist()]
        texts = pc.replace_with_mask(texts, protected, arrow.texts(mended))
    return pc.utf8_trim_whitespace(texts)


def _words(column: pa.ChunkedArray) -> Words:
    unified = column.unify_dictionaries().combine_chunks()
    if isinstance(unified, pa.ChunkedArray):
        unified = unified.chunk(0) if unified.num_chunks else arrow.texts([]).dictionary_encode()
    known: dict[str, int] = {}
    moved = [
        known.setdefault(list_cells.clean(list_cells.without_apostrophe(text or "")), len(known))
        for text in unified.dictionary.to_pylist()
    ]
    empty = known.setdefault("", len(known)) if unified.null_count else 0
    places = unified.indices.fill_null(len(moved)) if unified.null_count else unified.indices
    return Words(np.array([*moved, empty], np.int32)[arrow.values(places)], list(known))
