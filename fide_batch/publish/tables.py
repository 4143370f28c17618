"""Any table of a month as CSV, JSON or Parquet, in the printed form.

CSV: UTF-8, comma, LF, a heading; quotes only where needed; null is empty. JSON: a list of objects, whole numbers as numbers, decimals as texts so
that they stay exact, null is null. Parquet: ids as texts, decimals as ``decimal128``, days as days. The same table always gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import IN_TEN_THOUSANDTHS
from fide_batch.publish import csv_words
from fide_batch.publish.files import replacing
from fide_batch.publish.printed import harmless, letters, places, printed

__all__ = ["ENDINGS", "csv_pieces", "json_pieces", "printed", "write"]

_TEN_THOUSANDTH = Decimal("0.0001")

ROWS = 1 << 16
"""Rows written at a time."""

_ROW_GROUP = 1 << 17
"""Rows of a group in Parquet."""

_LARGEST_DICTIONARY = 1 << 16
"""Bytes; far below the size from which Parquet writes texts without one."""


def write(path: Path, name: str, table: pa.Table) -> None:
    """Write a table in the format its file's ending names.

    Args:
        path: ``.csv``, ``.json`` or ``.parquet``.
        name: of the table, for messages; any table can be written.
        table: as in ``model``.

    Raises:
        ValueError: for another ending.
        OSError: when the file cannot be written; then there is none, or the one before.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise ValueError(f"{path.name}: table {name} is written as {', '.join(ENDINGS)}")
    ENDINGS[ending](path, table)


def write_csv(path: Path, table: pa.Table) -> None:
    """A table as CSV."""
    with replacing(path) as file:
        for piece in csv_pieces(table):
            file.write(piece)


def write_json(path: Path, table: pa.Table) -> None:
    """A table as a JSON list of objects, one a line."""
    with replacing(path) as file:
        for piece in json_pieces(table):
            file.write(piece)


def write_parquet(path: Path, table: pa.Table) -> None:
    """A table as Parquet, always with the same options."""
    from pyarrow import parquet

    table = table.replace_schema_metadata(None)
    ids = printed(table.select([name for name in table.column_names if name not in IN_TEN_THOUSANDTHS]), words=True)
    columns = {name: _as_written(ids.column(name)) for name in ids.column_names}
    for name in table.column_names:
        if name in IN_TEN_THOUSANDTHS:
            columns[name] = (
                _exact(table.column(name)) if pa.types.is_integer(table.column(name).type) else table.column(name)
            )
    typed = pa.table([columns[name] for name in table.column_names], names=table.column_names)
    with replacing(path) as file:
        parquet.write_table(
            typed, file, row_group_size=_ROW_GROUP, version="2.6", compression="zstd", compression_level=1, store_schema=False,
            use_dictionary=[name for name in typed.column_names if name not in ("fideid", "name")],
        )  # fmt: skip


def _as_written(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as plain texts; in its dictionaries where those are what Parquet would make of the texts, group by group: few, each met in order."""
    if not pa.types.is_dictionary(column.type):
        return column
    whole = all(len(chunk) == _ROW_GROUP for chunk in column.chunks[:-1]) and all(map(_met_in_order, column.chunks))
    return column if whole else column.cast(pa.string())


def _met_in_order(chunk: pa.DictionaryArray) -> bool:
    known = chunk.dictionary
    if not 0 < len(chunk) <= _ROW_GROUP or chunk.null_count or known.null_count or known.nbytes > _LARGEST_DICTIONARY:
        return False
    highest = np.maximum.accumulate(places(chunk.indices, 1))
    in_order = highest[0] == 0 and highest[-1] == len(known) - 1 and (highest[1:] - highest[:-1]).max(initial=0) <= 1
    return bool(in_order) and len(known.unique()) == len(known)


ENDINGS: dict[str, Callable[[Path, pa.Table], None]] = {
    ".csv": write_csv,
    ".json": write_json,
    ".parquet": write_parquet,
}


def _exact(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Ten-thousandths as decimal numbers."""
    whole = column.cast(pa.int64()).cast(pa.decimal128(19, 0))
    return pc.multiply(whole, pa.scalar(_TEN_THOUSANDTH, pa.decimal128(5, 4))).cast(pa.decimal128(19, 4))


def _slices(table: pa.Table) -> Iterator[pa.RecordBatch]:
    for start in range(0, table.num_rows, ROWS):
        part = table.slice(start, ROWS).combine_chunks()
        yield part.to_batches()[0]


def csv_pieces(table: pa.Table, *, plain: bool = False) -> Iterator[bytes | memoryview]:
    """The bytes of a CSV file, some thousand rows at a time.

    Args:
        table: any.
        plain: join every block cell by cell, lay none in words: the same, slower.
    """
    yield (",".join(table.column_names) + "\n").encode()
    for batch in _slices(table):
        words = None if plain else _csv_words(batch)
        lines = None if words is None else csv_words.lines(words, batch.num_rows)
        if lines is not None:
            yield lines
            continue
        shown = printed(pa.table(batch))
        cells = [_csv_cells(_plain(shown.column(name)), name) for name in shown.column_names]
        if all(isinstance(cell, pa.Scalar) for cell in cells):
            cells[0] = pa.array([""] * batch.num_rows)
        yield _lines(cells, ",", "\n")


def _plain(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _csv_words(batch: pa.RecordBatch) -> list[csv_words.Word] | None:
    """Lines of CSV as words; None where a text is too long for that."""
    shown = printed(pa.table(batch), words=True)
    words: list[csv_words.Word] = []
    between = ""
    for place, name in enumerate(shown.column_names):
        between += "," if place else ""
        cells = _words_of(_plain(shown.column(name)), name)
        if cells is None:
            return None
        if cells:
            words += csv_words.constant(between)
            words += cells
            between = ""
    words += csv_words.constant(between + "\n")
    return words


def _words_of(column: pa.Array, name: str) -> list[csv_words.Word] | None:
    """A column as words, with quotation marks; none where all cells are empty, None where a text is too long."""
    if column.null_count == len(column):
        return []
    kind = column.type
    if pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type) and pa.types.is_int32(kind.index_type):
        known = _text_words(pa.concat_arrays([pa.array([""]), column.dictionary]), name)
        return None if known is None else csv_words.words(column, known)
    if pa.types.is_string(kind) or pa.types.is_dictionary(kind):
        return _text_words(column.cast(pa.string()), name)
    cells = None
    if pa.types.is_int32(kind) or pa.types.is_int64(kind):
        cells = csv_words.small_numbers(column)
    elif pa.types.is_date32(kind):
        cells = csv_words.days(column)
    return cells if cells is not None else csv_words.texts(_filled(column.cast(pa.string())))


def _text_words(texts: pa.Array, name: str) -> list[csv_words.Word] | None:
    if name in IN_TEN_THOUSANDTHS:
        return csv_words.texts(_filled(texts))
    inner, quoted = _quoted(harmless(texts))
    cells = csv_words.texts(_filled(inner))
    if cells is None or quoted is None:
        return cells
    mark = csv_words.quote(np.asarray(quoted.fill_null(False)))
    return [mark, *cells, mark]


def _csv_cells(array: pa.Array, name: str) -> pa.Array | pa.Scalar:
    """A column as cells of CSV; one scalar where all are empty."""
    if array.null_count == len(array):
        return pa.scalar("")
    if not pa.types.is_string(array.type):
        return _filled(array.cast(pa.string()))
    if name not in IN_TEN_THOUSANDTHS:
        inner, quoted = _quoted(harmless(array))
        array = inner if quoted is None else pc.if_else(quoted, pc.binary_join_element_wise('"', inner, '"', ""), inner)
    return _filled(array)


def _filled(array: pa.Array) -> pa.Array:
    """Texts with '' for null."""
    return array.fill_null("") if array.null_count else array


def _quoted(texts: pa.Array) -> tuple[pa.Array, pa.Array | None]:
    """Texts with their quotation marks written twice, and which of them (bool) CSV wants in quotes; None for none."""
    found = letters(texts)
    special = [char for char in ',"\n\r' if (found == ord(char)).any()]
    if not special:
        return texts, None
    needs = pc.match_substring(texts, special[0])
    for char in special[1:]:
        needs = pc.or_(needs, pc.match_substring(texts, char))
    return (pc.replace_substring(texts, '"', '""') if '"' in special else texts), needs


def _lines(cells: list[pa.Array | pa.Scalar], separator: str, end: str) -> memoryview:
    """Cells joined to lines, as one piece of memory; at least one of them is an array."""
    pieces: list[pa.Array | str] = []
    between = ""
    for place, cell in enumerate(cells):
        between += separator if place else ""
        if isinstance(cell, pa.Scalar):
            between += cell.as_py()
        else:
            pieces += [between, cell]
            between = ""
    joined = pc.binary_join_element_wise(*pieces, between + end, "")
    return np.ascontiguousarray(letters(joined)).data


def json_pieces(table: pa.Table) -> Iterator[bytes | memoryview]:
    """The bytes of a JSON file, some thousand rows at a time."""
    yield b"["
    names = [json.dumps(name) for name in table.column_names]
    first = True
    for batch in _slices(table):
        shown = printed(pa.table(batch))
        cells: list[pa.Array | pa.Scalar] = []
        for place, name in enumerate(names):
            cells += [pa.scalar(("" if place == 0 else ", ") + name + ": "), _json_cells(shown.column(place))]
        lines = pc.binary_join_element_wise(",\n{", *cells, "}", "")
        piece = np.ascontiguousarray(letters(lines)).data
        yield piece[1:] if first else piece
        first = False
    yield b"\n]\n" if not first else b"]\n"


def _json_cells(column: pa.ChunkedArray) -> pa.Array | pa.Scalar:
    array = _plain(column)
    if array.null_count == len(array):
        return pa.scalar("null")
    if pa.types.is_integer(array.type):
        return array.cast(pa.string()).fill_null("null")
    texts = array.cast(pa.string())
    found = letters(texts)
    if ((found < 32) | (found == 34) | (found == 92) | (found == 127)).any():
        texts = pa.array(
            [None if text is None else json.dumps(text, ensure_ascii=False)[1:-1] for text in texts.to_pylist()],
            pa.string(),
        )
    quoted = pc.binary_join_element_wise('"', texts, '"', "")
    return quoted.fill_null("null") if quoted.null_count else quoted
