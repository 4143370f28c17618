"""A table as it is printed: ids as people write them, decimals exact, the same in every format.

Every writer takes its numbers from here, so that one number never stands in two forms.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import IN_TEN_THOUSANDTHS, id_texts, points_text

IDS = frozenset(("fideid", "opponent"))
"""Columns of ids: texts, because ``0042`` is another id than 42."""

DECIMALS = {"score": 1}
"""Decimals of a column in ten-thousandths where they are not two: half points need one. Where a value needs more, four are printed."""


def printed(table: pa.Table, *, words: bool = False) -> pa.Table:
    """The table with ids and decimal numbers as texts; everything else as it is, words as plain texts.

    Whole numbers stay numbers and days stay days; null stays null (an id that is none is '').

    Args:
        table: any.
        words: leave columns of a dictionary as they are.
    """
    columns, fields = [], []
    for field, column in zip(table.schema, table.columns, strict=True):
        if field.name in IDS and pa.types.is_integer(field.type):
            column = pa.chunked_array([_ids(chunk) for chunk in column.chunks], pa.string())
        elif field.name in IN_TEN_THOUSANDTHS and pa.types.is_integer(field.type):
            column = pa.chunked_array(
                [_decimals(chunk, DECIMALS.get(field.name, 2)) for chunk in column.chunks], pa.string()
            )
        elif pa.types.is_dictionary(field.type) and not words:
            column = column.cast(pa.string())
        columns.append(column)
        fields.append(pa.field(field.name, column.type))
    return pa.table(columns, schema=pa.schema(fields))


def _ids(codes: pa.Array) -> pa.Array:
    return id_texts(codes.fill_null(0).to_numpy(zero_copy_only=False))


def _decimals(values: pa.Array, decimals: int) -> pa.Array:
    """Ten-thousandths as texts. Of a million there are a few thousand different ones."""
    encoded = values.dictionary_encode()
    texts = pa.array([points_text(value, decimals) for value in encoded.dictionary.to_pylist()], pa.string())
    return texts.take(encoded.indices)


def places(column: pa.Array, first: int = 0) -> np.ndarray:
    """How far each whole number is from the one before ``first``; 0 where one is missing."""
    validity, data = column.buffers()
    kind = np.dtype(str(column.type))
    found = np.frombuffer(data, kind, len(column), kind.itemsize * column.offset) - kind.type(first - 1)
    if column.null_count:
        byte, bit = divmod(column.offset, 8)
        bits = np.frombuffer(validity, np.uint8)[byte:]
        found *= np.unpackbits(bits, count=bit + len(column), bitorder="little")[bit:]
    return found


def letters(texts: pa.Array) -> np.ndarray:
    """All bytes of some texts, one after the other."""
    offsets, data = texts.buffers()[1], texts.buffers()[2]
    if data is None or not len(texts):
        return np.zeros(0, np.uint8)
    places = np.frombuffer(offsets, np.int32, len(texts) + 1 + texts.offset)[texts.offset :]
    return np.frombuffer(data, np.uint8)[places[0] : places[-1]]


# A text that begins like a formula is one to a spreadsheet: an apostrophe before it makes it text. So that nothing is lost, a text that begins with
# apostrophes and then like a formula gets one more; the reader of lists takes one away from both. A sign alone ("=" for a draw) is no formula.
_FORMULA = re.compile(r"'*[=+\-@\t\r].", re.DOTALL)
_BEGINS = np.zeros(256, bool)
_BEGINS[[ord(char) for char in "=+-@\t\r'"]] = True


def harmless(texts: pa.Array) -> pa.Array:
    """Texts of a CSV file such that no spreadsheet takes one for a formula: ``=1+1`` as ``'=1+1``. Null stays null."""
    if not len(texts):
        return texts
    offsets = np.frombuffer(texts.buffers()[1], np.int32, len(texts) + 1 + texts.offset)[texts.offset :]
    data = texts.buffers()[2]
    if data is None or offsets[-1] == offsets[0]:
        return texts
    whole = np.frombuffer(data, np.uint8)
    suspect = _BEGINS.take(whole.take(offsets[:-1], mode="clip"))
    if suspect.any():
        suspect &= offsets[1:] > offsets[:-1]
    if not suspect.any():
        return texts
    mask = pa.array(suspect)
    mended = [
        f"'{text}" if text is not None and _FORMULA.match(text) else text for text in texts.filter(mask).to_pylist()
    ]
    return pc.replace_with_mask(texts, mask, pa.array(mended, pa.string()))
