"""Between NumPy and Arrow, as columns lie in memory.

``pyarrow.array`` and ``to_numpy`` do the same, but the first of them imports pandas where there is one: a fifth of a second and 40 MiB, for nothing a
reader needs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

_KINDS = {np.dtype(str(kind)): kind for kind in (pa.uint8(), pa.int32(), pa.int64(), pa.uint32(), pa.uint64())}


class Growing:
    """Numbers that are put one after the other in place: no second copy of a long column.

    Args:
        kind: of the numbers.
        room: for so many memory is reserved (not used); more make it grow.
    """

    def __init__(self, kind: np.dtype, room: int) -> None:
        self._values = np.empty(room, kind)
        self._size = 0

    def next(self, count: int) -> np.ndarray:
        """Where the next numbers will stand, so many; good until some are added."""
        stop = self._size + count
        if stop > len(self._values):
            longer = np.empty(2 * stop, self._values.dtype)
            longer[: self._size] = self.values
            self._values = longer
        return self._values[self._size : stop]

    def add(self, more: np.ndarray) -> None:
        """Some more; those that were written to ``next`` are there already."""
        place = self.next(len(more))
        if place.ctypes.data != more.ctypes.data:
            place[:] = more
        self._size += len(more)

    @property
    def values(self) -> np.ndarray:
        """All so far."""
        return self._values[: self._size]


def numbers(values: np.ndarray) -> pa.Array:
    """Whole numbers, none of them missing."""
    return pa.Array.from_buffers(
        _KINDS[values.dtype], len(values), [None, pa.py_buffer(np.ascontiguousarray(values))], null_count=0
    )


def marks(values: np.ndarray) -> pa.Array:
    """bool."""
    return pa.Array.from_buffers(
        pa.bool_(), len(values), [None, pa.py_buffer(np.packbits(values, bitorder="little"))], null_count=0
    )


def texts(values: Sequence[str]) -> pa.Array:
    """Texts."""
    letters = [value.encode() for value in values]
    ends = np.cumsum([0, *map(len, letters)], dtype=np.int64)
    if ends[-1] >= 1 << 31:
        raise ValueError("texts of more than two thousand million bytes")
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(b"".join(letters))]
    return pa.Array.from_buffers(pa.string(), len(letters), buffers, null_count=0)


def looked_up(known: Sequence[str], places: np.ndarray) -> pa.Array:
    """A text a row, by its place among some. As ``take``, in a third of the time where all are of one length or most are empty."""
    letters = [value.encode() for value in known]
    lengths = np.array([len(value) for value in letters], np.int32)[places]
    ends = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)))
    if ends[-1] >= 1 << 31:
        raise ValueError("texts of more than two thousand million bytes")
    longest = int(lengths.max(initial=0))
    if longest and lengths.min() == longest:
        table = np.frombuffer(
            b"".join(value.ljust(longest)[:longest] for value in letters), np.dtype((np.void, longest))
        )
        data = pa.py_buffer(table[places])
    else:
        data = texts(known).take(numbers(places[lengths > 0])).buffers()[2]
    return pa.Array.from_buffers(
        pa.string(), len(places), [None, pa.py_buffer(ends.astype(np.int32)), data], null_count=0
    )


def cells(letters: np.ndarray) -> pa.Array:
    """Cells of equal width as texts with their blanks.

    Args:
        letters: uint8, shape (rows, width), contiguous; ASCII, or UTF-8 in each row.
    """
    rows, width = letters.shape
    ends = np.arange(0, (rows + 1) * width, width, dtype=np.int32)[: rows + 1]
    return pa.Array.from_buffers(pa.string(), rows, [None, pa.py_buffer(ends), pa.py_buffer(letters)], null_count=0)


def blanks(count: int) -> pa.Array:
    """So many empty texts."""
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(bytes(4 * count + 4)), pa.py_buffer(b"")])


def values(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Whole numbers, none of them missing, as NumPy; not to be written to."""
    if isinstance(column, pa.ChunkedArray):
        pieces = [values(chunk) for chunk in column.chunks]
        return pieces[0] if len(pieces) == 1 else np.concatenate([np.empty(0, dtype(column.type)), *pieces])
    kind = dtype(column.type)
    if not len(column):
        return np.empty(0, kind)
    if column.null_count:
        raise ValueError("numbers are missing")
    return np.frombuffer(column.buffers()[1], kind, len(column), column.offset * kind.itemsize)


def dtype(kind: pa.DataType) -> np.dtype:
    """NumPy's type for Arrow's of whole numbers."""
    return np.dtype(str(kind))
