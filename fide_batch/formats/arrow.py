"""Between NumPy and Arrow, as columns lie in memory.

``pyarrow.array`` and ``to_numpy`` do the same, but the first of them imports pandas where there is one: a fifth of a second and 40 MiB, for nothing a
reader needs.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

_KINDS = {np.dtype(str(kind)): kind for kind in (pa.uint8(), pa.int32(), pa.int64(), pa.uint32(), pa.uint64())}


class Growing:
    """Numbers that are put one after the other in place: no second copy of a long column.

    Args:
        kind: of the numbers.
        room: for so many memory is reserved (not used); more make it grow.
        shared: whether a copy of this process writes into the same memory; what it has written is told by ``written``, and taken by ``take``.
    """

    def __init__(self, kind: np.dtype, room: int, shared: bool = False) -> None:
        self._values = (
            np.frombuffer(mmap.mmap(-1, max(room, 1) * kind.itemsize), kind) if shared else np.empty(room, kind)
        )
        self._first = self._values
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

    def written(self) -> tuple[int, np.ndarray | None]:
        """How many there are; and they themselves, if they outgrew the memory that was reserved."""
        return self._size, None if self._values is self._first else self.values

    def take(self, written: tuple[int, np.ndarray | None]) -> None:
        """Have what a copy of this process has written."""
        self._size, outgrown = written
        if outgrown is not None:
            self._values = outgrown

    @property
    def values(self) -> np.ndarray:
        """All so far."""
        return self._values[: self._size]

    @property
    def column(self) -> pa.Array:
        """The same as a column of Arrow."""
        return numbers(self.values)


class GrowingTexts:
    """The same for texts.

    Args:
        room: for so many texts memory is reserved.
        shared: as of ``Growing``.
    """

    def __init__(self, room: int, shared: bool = False) -> None:
        self._ends = Growing(np.dtype(np.int32), room + 1, shared)
        self._ends.add(np.zeros(1, np.int32))
        self._letters = Growing(np.dtype(np.uint8), 24 * room, shared)

    def written(self) -> tuple[Any, Any]:
        """As of ``Growing``."""
        return self._ends.written(), self._letters.written()

    def take(self, written: tuple[Any, Any]) -> None:
        """As of ``Growing``."""
        self._ends.take(written[0])
        self._letters.take(written[1])

    def add(self, more: pa.Array) -> None:
        """Some more."""
        _, offsets, letters = more.buffers()
        if not len(more):
            return
        ends = np.frombuffer(offsets, np.int32, len(more) + 1, 4 * more.offset)
        before = int(self._ends.values[-1])
        _bounded(before + int(ends[-1]) - int(ends[0]))
        np.add(ends[1:], np.int32(before - int(ends[0])), out=self._ends.next(len(more)))
        self._ends.add(self._ends.next(len(more)))
        if ends[-1] > ends[0]:
            self._letters.add(np.frombuffer(letters, np.uint8, ends[-1] - ends[0], ends[0]))

    @property
    def column(self) -> pa.Array:
        """All so far."""
        return _texts(self._ends.values, self._letters.values)


def _bounded(size: int) -> None:
    if size >= 1 << 31:
        raise ValueError("texts of more than two thousand million bytes")


def _texts(ends: np.ndarray, letters: np.ndarray | bytes) -> pa.Array:
    """Texts by where each ends; before the first stands 0."""
    _bounded(int(ends[-1]))
    buffers = [None, pa.py_buffer(ends.astype(np.int32, copy=False)), pa.py_buffer(letters)]
    return pa.Array.from_buffers(pa.string(), len(ends) - 1, buffers, null_count=0)


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
    return _texts(np.cumsum([0, *map(len, letters)], dtype=np.int64), b"".join(letters))


def looked_up(known: Sequence[str], places: np.ndarray) -> pa.Array:
    """A text a row, by its place among some. As ``take``, in a third of the time where all are of one length or most are empty."""
    letters = [value.encode() for value in known]
    longest = max(map(len, letters), default=0)
    if not longest:
        return blanks(len(places))
    lengths = np.array([len(value) for value in letters], np.uint8 if longest < 256 else np.int32)[places]
    ends = _ends(lengths)
    if len(places) and lengths.min() == longest:
        table = np.frombuffer(
            b"".join(value.ljust(longest)[:longest] for value in letters), np.dtype((np.void, longest))
        )
        return _texts(ends, table[places].view(np.uint8))
    filled = texts(known).take(numbers(places[lengths > 0]))
    return _texts(ends, filled.buffers()[2])


def cells(letters: np.ndarray) -> pa.Array:
    """Cells of equal width as texts with their blanks.

    Args:
        letters: uint8, shape (rows, width), contiguous; ASCII, or UTF-8 in each row.
    """
    rows, width = letters.shape
    ends = np.arange(0, (rows + 1) * width, width, dtype=np.int32)[: rows + 1]
    return pa.Array.from_buffers(pa.string(), rows, [None, pa.py_buffer(ends), pa.py_buffer(letters)], null_count=0)


def cut(letters: np.ndarray, lengths: np.ndarray) -> pa.Array:
    """The beginnings of cells of equal width as texts.

    Args:
        letters: uint8, shape (rows, width), contiguous; ASCII, or UTF-8 in each beginning.
        lengths: whole numbers: of each cell so many letters.
    """
    return _texts(_ends(lengths), beginnings(letters, lengths))


def beginnings(letters: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The letters of ``cut`` one after the other."""
    width = letters.shape[1]
    if not len(letters) or int(lengths.min()) == width:
        return letters.ravel()
    kept = np.take(_shorter(width), lengths, axis=0)
    return letters.ravel()[kept.ravel()]


@lru_cache(maxsize=50)
def _shorter(width: int) -> np.ndarray:
    """For every length up to a width which letters belong to it."""
    return np.arange(width) < np.arange(width + 1)[:, None]


def joined(letters: np.ndarray | bytes, lengths: np.ndarray) -> pa.Array:
    """Texts that stand one after the other, each of so many bytes."""
    return _texts(_ends(lengths), letters)


def _ends(lengths: np.ndarray) -> np.ndarray:
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=ends[1:])
    _bounded(int(ends[-1]))
    return ends.astype(np.int32)


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
