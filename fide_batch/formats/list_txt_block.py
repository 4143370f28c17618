"""Lines of a text list by the ten thousand: blocks of bytes cut into columns with NumPy.

A block gives its sound rows as columns and names the odd ones, which ``list_txt_line`` reads with care. A row is odd when the careful
reader could have anything to say about it; so both give the same list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.formats.list_cells import EMPTY, HIGHEST_GAMES, HIGHEST_K, HIGHEST_RATING, NUMBERS, WORDS
from fide_batch.formats.list_columns import MOST_CODES
from fide_batch.formats.list_txt_layout import Layout
from fide_batch.formats.list_txt_line import plausible

BLANK = 32
BLANKS = np.uint64(0x2020202020202020)
"""Eight blanks in one word."""
FIRST_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
"""Masks of the first 0 to 8 places of a word."""

_HIGHEST = {"rating": HIGHEST_RATING, "games": HIGHEST_GAMES, "k": HIGHEST_K}


def words_of(lines: np.ndarray, start: int, end: int) -> np.ndarray:
    """The cells of a column as words of eight places, filled up with blanks.

    Args:
        lines: uint8, shape (rows, places); at least eight places.
        start: the first place of the column.
        end: the place after its last.

    Returns:
        uint64, shape (words, rows); the first place is the lowest byte.
    """
    last = lines.shape[1] - 8
    found = []
    for place in range(start, end, 8):
        begin = min(place, last)
        word = lines[:, begin : begin + 8].view("<u8")[:, 0]
        if begin < place:
            word = word >> np.uint64(8 * (place - begin))
        keep = FIRST_BYTES[min(end - place, lines.shape[1] - place, 8)]
        found.append((word & keep) | (BLANKS & ~keep))
    return np.array(found)


def _same(byte: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([byte]) * 8, "little"))


_ONES, _TENS, _LOW, _HIGH, _SIX = _same(0x01), _same(0x10), _same(0x0F), _same(0xE0), _same(0x06)
_EIGHT, _SIXTEEN, _THIRTY_TWO = np.uint64(8), np.uint64(16), np.uint64(32)
_FOUR, _FIFTY_SIX = np.uint64(4), np.uint64(56)
_SHIFT = np.uint64(0x3830282018100800)
"""Byte j is 8 j: times a single bit at byte e, its highest byte is how far the number must move to end at byte 7."""
_PAIRS, _QUADS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_POWERS = np.array([10**exponent for exponent in range(9)], np.int64)
_MOST_DIGITS = 18


def _number(word: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The number in each word of eight places: its value, a one in each byte that holds a digit, and whether it is one number or nothing.

    All eight places are looked at together: a blank becomes 0, a digit 0x10 to 0x19.
    """
    places = word ^ BLANKS
    low = places & _LOW
    digits = (places & _TENS) >> _FOUR
    begins = digits & ~(digits << _EIGHT)
    sound = (
        (places & _HIGH)
        | ((low + _SIX) & _TENS)
        | (low & ~(digits * np.uint64(15)))
        | (begins & (begins - np.uint64(1)))
    )
    ends = digits & ~(digits >> _EIGHT)
    low = low << ((ends * _SHIFT) >> _FIFTY_SIX)
    low = (low * np.uint64(10) + (low >> _EIGHT)) & _PAIRS
    low = (low * np.uint64(100) + (low >> _SIXTEEN)) & _QUADS
    low = (low * np.uint64(10_000) + (low >> _THIRTY_TWO)) & np.uint64(0xFFFFFFFF)
    return low.astype(np.int64), digits, sound == 0


def whole_numbers(words: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers written in cells, at either side.

    Args:
        words: uint64, shape (words, rows), as ``words_of`` gives them.

    Returns:
        int64, the numbers, -1 where a cell is blank; bool, whether a cell holds one number or nothing; int64, the digits of each.
    """
    rows = words.shape[1]
    number = np.zeros(rows, np.int64)
    count = np.zeros(rows, np.int64)
    sound = np.ones(rows, bool)
    open_end = np.zeros(rows, bool)
    for place, word in enumerate(words):
        if (word == BLANKS).all():
            open_end[:] = False
            continue
        value, digits, one = _number(word)
        here = ((digits * _ONES) >> _FIFTY_SIX).astype(np.int64)
        sound &= one
        if place:
            # A number goes on from the word before only without a blank between.
            sound &= (here == 0) | (count == 0) | (open_end & ((digits & np.uint64(1)) == 1))
            value = number * _POWERS[here] + value
        number = value
        count = count + here
        open_end = (digits >> _FIFTY_SIX) == 1
    sound &= count <= _MOST_DIGITS
    return np.where(count == 0, EMPTY, number), sound, count


_NOTHING = int(BLANKS)


class Codes:
    """The texts of a column with few different ones, each looked at once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: list[str] = []
        self._place: dict[str, int] = {}
        self._known: dict[int | bytes, tuple[int, bool]] = {}

    def place(self, text: str) -> int:
        """The place of a text among ``values``, which grows."""
        place = self._place.setdefault(text, len(self.values))
        if place == len(self.values):
            self.values.append(text)
        return place

    def places(self, words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cells as places in ``values``, and whether each is what its column is for.

        Args:
            words: uint64, shape (words, rows).
        """
        if (words == BLANKS).all():
            place, sound = self._known.get(_NOTHING) or self._learn(_NOTHING)
            return np.full(words.shape[1], place, np.int32), np.full(words.shape[1], sound)
        if len(words) == 1:
            cells = pa.array(words[0])
        else:
            bytes_ = np.ascontiguousarray(words.T)
            cells = pa.Array.from_buffers(pa.binary(8 * len(words)), len(bytes_), [None, pa.py_buffer(bytes_)])
        encoded = cells.dictionary_encode()
        found = [self._known.get(raw) or self._learn(raw) for raw in encoded.dictionary.to_pylist()]
        moved = np.array([place for place, _ in found], np.int32)
        places = moved[encoded.indices.to_numpy()]
        if all(sound for _, sound in found):
            return places, np.ones(len(places), bool)
        return places, np.array([sound for _, sound in found])[encoded.indices.to_numpy()]

    def _learn(self, raw: int | bytes) -> tuple[int, bool]:
        if len(self._known) >= MOST_CODES:
            return 0, False  # no codes; the careful reader will say so
        cell = (raw.to_bytes(8, "little") if isinstance(raw, int) else raw).decode("latin-1").strip(" ")
        # Cells that are not ASCII stand in odd rows and are read again with care.
        known = self._known[raw] = (self.place(cell if cell.isascii() else ""), plausible(cell, self.name))
        return known


@dataclass
class Block:
    """Some lines of a list in columns, a row a line."""

    ids: np.ndarray
    numbers: dict[str, np.ndarray]
    names: np.ndarray
    """uint8, shape (rows, width)."""
    words: dict[str, np.ndarray]
    """int32, places in ``Codes.values``."""
    odd: np.ndarray
    """Rows to be read with care, blank lines too."""


def rows_of(lines: np.ndarray, layout: Layout, odd: np.ndarray, codes: Callable[[str], Codes]) -> Block:
    """The columns of some lines.

    Args:
        lines: uint8, shape (rows, layout.width or more); short lines are filled with blanks.
        layout: where the columns stand; named as in LIST.
        odd: bool, rows already known to be odd.
        codes: the codes of a column.
    """
    line = lines[:, : layout.width]
    if len(lines) and (line.min() < BLANK or line.max() > 126):
        odd = odd | ((line < BLANK) | (line > 126)).any(axis=1)
    else:
        odd = odd.copy()
    ids = np.zeros(len(lines), np.int64)
    numbers: dict[str, np.ndarray] = {}
    words: dict[str, np.ndarray] = {}
    names = np.full((len(lines), 1), BLANK, np.uint8)
    for column in layout.columns:
        name = column.name
        if name == "fideid":
            ids, sound, count = whole_numbers(words_of(line, column.start, column.end))
            # A zero in front is part of an id of its own.
            odd |= ~sound | (ids <= 0) | (ids < _TENFOLD[np.minimum(count, _MOST_DIGITS)])
        elif name == "name":
            names = np.ascontiguousarray(line[:, column.start : column.end])
        elif name in NUMBERS:
            values, sound, _ = whole_numbers(words_of(line, column.start, column.end))
            kind = name.rsplit("_", 1)[-1]
            odd |= ~sound | (values > _HIGHEST[kind])
            if kind in ("rating", "k"):
                values[values == 0] = EMPTY
            numbers[name] = values.astype(np.int32)
        elif name in WORDS:
            words[name], sound = codes(name).places(words_of(line, column.start, column.end))
            odd |= ~sound
        if name in ("name", "o_title") and column.end < layout.width:
            odd |= (line[:, column.end - 1] != BLANK) & (line[:, column.end] != BLANK)
    return Block(ids, numbers, names, words, odd)


_TENFOLD = np.array([0, *(10**exponent for exponent in range(_MOST_DIGITS))], np.int64)
"""The smallest number of so many digits."""


def as_lines(block: np.ndarray, newline: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A block of whole lines as rows of equal width.

    Args:
        block: uint8, ends with ``newline``.
        newline: the byte that ends a line.
        width: places wanted.

    Returns:
        uint8 of shape (rows, width or more), blank where a line is shorter; bool, lines with something beyond the width; int64, where each line
        begins and where it ends (its end of line and a carriage return before it not included).
    """
    stride = int(np.argmax(block == newline)) + 1
    if stride > width and len(block) % stride == 0:
        lines = block.reshape(-1, stride)
        if (lines[:, -1] == newline).all() and np.count_nonzero(block == newline) == len(lines):
            starts = np.arange(0, len(block), stride)
            beyond = lines[:, width : stride - 1]
            ends = starts + stride - 1
            if stride - 1 > width and (lines[:, -2] == 13).all():
                beyond = beyond[:, :-1]
                ends = ends - 1
            longer = (beyond != BLANK).any(axis=1) if beyond.shape[1] else np.zeros(len(lines), bool)
            return lines, longer, starts, ends
    ends = np.flatnonzero(block == newline)
    starts = np.concatenate(([0], ends[:-1] + 1))
    before = block[np.maximum(ends - 1, 0)]
    ends = np.where((before == 13) & (ends > starts), ends - 1, ends)
    places = starts[:, None] + np.arange(width)
    lines = block[np.minimum(places, len(block) - 1)]
    lines[places >= ends[:, None]] = BLANK
    longer = np.zeros(len(lines), bool)
    for row in np.flatnonzero(ends - starts > width):
        longer[row] = bool((block[starts[row] + width : ends[row]] != BLANK).any())
    return lines, longer, starts, ends
