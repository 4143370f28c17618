"""Lines of a text list by the ten thousand: blocks of bytes cut into columns with NumPy.

A block gives its sound rows as columns and names the odd ones, which ``list_txt_line`` reads with care. A row is odd when the careful
reader could have anything to say about it; so both give the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow
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
    words = np.empty(((end - start + 7) // 8, len(lines)), np.uint64)
    for word, place in zip(words, range(start, end, 8), strict=True):
        begin = min(place, last)
        word[:] = lines[:, begin : begin + 8].view("<u8")[:, 0]
        if begin < place:
            word >>= np.uint64(8 * (place - begin))
        filled = min(end - place, lines.shape[1] - place, 8)
        if filled < 8:
            word &= FIRST_BYTES[filled]
            word |= BLANKS & ~FIRST_BYTES[filled]
    return words


class _Lane:
    """The constants for looking at eight (or four) places of a cell at once, in words of 64 (or 32) bits."""

    def __init__(self, kind: type[np.unsignedinteger], places: int) -> None:
        def same(byte: int) -> np.unsignedinteger:
            return kind(int.from_bytes(bytes([byte]) * places, "little"))

        self.kind = kind
        self.places = places
        self.blanks, self.ones, self.tens = same(BLANK), same(0x01), same(0x10)
        self.low, self.high, self.six = same(0x0F), same(0xE0), same(0x06)
        self.top = kind(8 * (places - 1))
        # Byte j is 8 j: times a single bit at byte e, its highest byte is how far a number must move to end at the last byte.
        self.shift = kind(sum(8 * place << 8 * place for place in range(places)))

    def number(self, word: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The number in each word: its value, a one in each byte that holds a digit, and whether it is one number or nothing.

        A blank becomes 0, a digit 0x10 to 0x19; what is neither shows in other bits.
        """
        kind = self.kind
        cell = word ^ self.blanks
        low = cell & self.low
        digits = (cell & self.tens) >> kind(4)
        begins = digits & ~(digits << kind(8))
        unsound = (
            (cell & self.high)
            | ((low + self.six) & self.tens)
            | (low & ~(digits * kind(15)))
            | (begins & (begins - kind(1)))
        )
        ends = digits & ~(digits >> kind(8))
        low = low << ((ends * self.shift) >> self.top)
        # Two digits, four, eight at a time; the first place is the lowest byte.
        if self.places == 4:
            low = (low * kind(10) + (low >> kind(8))) & kind(0x00FF00FF)
            low = (low * kind(100) + (low >> kind(16))) & kind(0xFFFF)
        else:
            low = (low * kind(10) + (low >> kind(8))) & kind(0x00FF00FF00FF00FF)
            low = (low * kind(100) + (low >> kind(16))) & kind(0x0000FFFF0000FFFF)
            low = (low * kind(10_000) + (low >> kind(32))) & kind(0xFFFFFFFF)
        return low, digits, unsound == 0


_WIDE, _NARROW = _Lane(np.uint64, 8), _Lane(np.uint32, 4)
_POWERS = np.array([10**exponent for exponent in range(9)], np.int64)
_MOST_DIGITS = 18
_TENFOLD = np.array([0, *(10**exponent for exponent in range(_MOST_DIGITS))], np.int64)
"""The smallest number of so many digits."""


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
        low, digits, one = _WIDE.number(word)
        here = ((digits * _WIDE.ones) >> _WIDE.top).astype(np.int64)
        value = low.astype(np.int64)
        sound &= one
        if place:
            # A number goes on from the word before only without a blank between.
            sound &= (here == 0) | (count == 0) | (open_end & ((digits & np.uint64(1)) == 1))
            value += number * _POWERS.take(here)
        number = value
        count = count + here
        open_end = (digits >> _WIDE.top) == 1
    sound &= count <= _MOST_DIGITS
    return np.where(count == 0, EMPTY, number), sound, count


_UPPER_BLANK = np.uint64(int(_NARROW.blanks) << 32)
_UPPER = np.uint64(0xFFFFFFFF00000000)


def small_numbers(words: np.ndarray, into: np.ndarray) -> np.ndarray:
    """The same for columns of ratings, games and K: where all numbers of a block stand in the first four places, these alone are looked at.

    Args:
        words: uint64, shape (words, rows).
        into: int32, gets the numbers, -1 where a cell is blank.

    Returns:
        bool, whether a cell holds one number or nothing.
    """
    first = words[0]
    if ((first & _UPPER) == _UPPER_BLANK).all() and (words[1:] == BLANKS).all():
        found, digits, sound = _NARROW.number(first.astype(np.uint32))
        np.subtract(found.view(np.int32), digits == 0, out=into)
        return sound
    number, sound, _ = whole_numbers(words)
    sound &= number < 1 << 31
    into[:] = number
    return sound


_NOTHING = int(BLANKS)
_SPREAD = 0x9E3779B97F4A7C15
_SLOT_BITS = 12
_TO_SLOT = np.uint64(64 - _SLOT_BITS)


class Codes:
    """The texts of a column with few different ones, each looked at once.

    A text of up to eight places is found again by a slot of its own in a table; one whose slot was taken before is looked up with the new ones.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.values: list[str] = []
        self._place: dict[str, int] = {}
        self._known: dict[int | bytes, tuple[int, bool]] = {}
        self._slot_word = np.zeros(1 << _SLOT_BITS, np.uint64)
        self._slot_word[0] = 1  # no word of this slot, as 0 is none of any other
        self._slot_place = np.zeros(1 << _SLOT_BITS, np.int32)

    def place(self, text: str) -> int:
        """The place of a text among ``values``, which grows."""
        place = self._place.setdefault(text, len(self.values))
        if place == len(self.values):
            self.values.append(text)
        return place

    def places(self, words: np.ndarray, into: np.ndarray) -> np.ndarray | bool:
        """Cells as places in ``values``.

        Args:
            words: uint64, shape (words, rows).
            into: int32, gets the places.

        Returns:
            bool, whether each cell is what its column is for; one for all.
        """
        if len(words) > 1 and not (words[1:] == BLANKS).all():
            return self._looked_up(words, into)
        first = words[0]
        if (first == BLANKS).all():
            place, known = self._known.get(_NOTHING) or self._learn(_NOTHING)
            into[:] = place
            return known
        slots = ((first * np.uint64(_SPREAD)) >> _TO_SLOT).view(np.int64)
        self._slot_place.take(slots, out=into, mode="clip")
        new = np.flatnonzero(self._slot_word.take(slots) != first)
        if not len(new):
            return True
        places = np.empty(len(new), np.int32)
        found = self._looked_up(first[None, new], places)
        into[new] = places
        if found is True:
            return True
        sound = np.ones(len(into), bool)
        sound[new] = found
        return sound

    def _looked_up(self, words: np.ndarray, into: np.ndarray) -> np.ndarray | bool:
        """The same, by a dictionary of the cells."""
        if len(words) == 1:
            cells = arrow.numbers(words[0])
        else:
            bytes_ = np.ascontiguousarray(words.T)
            cells = pa.Array.from_buffers(pa.binary(8 * len(words)), len(bytes_), [None, pa.py_buffer(bytes_)])
        encoded = cells.dictionary_encode()
        found = [self._known.get(raw) or self._learn(raw) for raw in encoded.dictionary.to_pylist()]
        indices = arrow.values(encoded.indices)
        np.array([place for place, _ in found], np.int32).take(indices, out=into, mode="clip")
        if all(sound for _, sound in found):
            return True
        return np.array([sound for _, sound in found])[indices]

    def _learn(self, raw: int | bytes) -> tuple[int, bool]:
        if len(self._known) >= MOST_CODES:
            return 0, False  # no codes; the careful reader will say so
        cell = (raw.to_bytes(8, "little") if isinstance(raw, int) else raw).decode("latin-1").strip(" ")
        # Cells that are not ASCII stand in odd rows and are read again with care.
        known = self._known[raw] = (self.place(cell if cell.isascii() else ""), plausible(cell, self.name))
        if isinstance(raw, int) and known[1]:
            slot = (raw * _SPREAD & (1 << 64) - 1) >> (64 - _SLOT_BITS)
            if self._slot_word[slot] in (0, 1):
                self._slot_word[slot], self._slot_place[slot] = raw, known[0]
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


def rows_of(
    count: int,
    columns: Sequence[str],
    words_of_column: Callable[[str], np.ndarray],
    names: np.ndarray,
    odd: np.ndarray,
    codes: Callable[[str], Codes],
    into: Callable[[str, int], np.ndarray],
) -> Block:
    """Cells of some lines as columns.

    Args:
        count: of the lines.
        columns: named as in LIST; others are left out.
        words_of_column: the cells of a column, as ``words_of`` gives them.
        names: uint8, shape (rows, width), contiguous.
        odd: bool, rows already known to be odd: those with anything but printable ASCII (``strange``) must be among them.
        codes: the codes of a column.
        into: int32, where the so many numbers, or places of codes, of a column are wanted.
    """
    odd = odd.copy()
    ids = np.zeros(count, np.int64)
    numbers: dict[str, np.ndarray] = {}
    words: dict[str, np.ndarray] = {}
    for name in columns:
        if name == "fideid":
            ids, sound, length = whole_numbers(words_of_column(name))
            # A zero in front is part of an id of its own.
            odd |= ~sound | (ids <= 0) | (ids < _TENFOLD.take(length, mode="clip"))
        elif name in NUMBERS:
            values = numbers[name] = into(name, count)
            sound = small_numbers(words_of_column(name), values)
            kind = name.rsplit("_", 1)[-1]
            odd |= ~sound | (values > _HIGHEST[kind])
            if kind in ("rating", "k"):
                values -= values == 0  # none
        elif name in WORDS:
            words[name] = into(name, count)
            odd |= np.logical_not(codes(name).places(words_of_column(name), words[name]))
    for row in np.flatnonzero(names[:, 0] == BLANK):
        odd[row] |= bool((names[row] != BLANK).any())  # a name that begins further right
    return Block(ids, numbers, names, words, odd)


def rows_of_lines(
    lines: np.ndarray,
    layout: Layout,
    odd: np.ndarray,
    codes: Callable[[str], Codes],
    into: Callable[[str, int], np.ndarray],
) -> Block:
    """The columns of some lines.

    Args:
        lines: uint8, shape (rows, layout.width or more); short lines are filled with blanks.
        layout: where the columns stand; named as in LIST.
        odd: bool, rows already known to be odd, as for ``rows_of``.
        codes: the codes of a column.
        into: where a column is wanted, as for ``rows_of``.
    """
    line = lines[:, : layout.width]
    odd = odd.copy()
    names = np.full((len(lines), 1), BLANK, np.uint8)
    for column in layout.columns:
        if column.name == "name":
            end = column.end
            while end - 8 > column.start and (words_of(line, end - 8, end) == BLANKS).all():
                end -= 8  # no name is so long
            names = np.ascontiguousarray(line[:, column.start : end])
        if column.name in ("name", "o_title") and column.end < layout.width:
            odd |= (line[:, column.end - 1] != BLANK) & (line[:, column.end] != BLANK)
    places = {column.name: (column.start, column.end) for column in layout.columns}
    return rows_of(len(lines), list(places), lambda name: words_of(line, *places[name]), names, odd, codes, into)


def strange(lines: np.ndarray) -> np.ndarray:
    """Rows (of uint8) with anything but printable ASCII."""
    if lines.size and (lines.min() < BLANK or lines.max() > 126):
        return np.asarray(((lines < BLANK) | (lines > 126)).any(axis=1))
    return np.zeros(len(lines), bool)


def as_lines(block: np.ndarray, newline: int, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A block of whole lines as rows of equal width.

    Args:
        block: uint8, ends with ``newline``; line ends may be overwritten with blanks.
        newline: the byte that ends a line.
        width: places wanted.

    Returns:
        uint8 of shape (rows, width or more), blank where a line is shorter; bool, lines with something beyond the width or anything but printable
        ASCII; int64, where each line begins and where it ends (its end of line and a carriage return before it not included).
    """
    stride = int(np.argmax(block[:4096] == newline)) + 1
    if stride > width and len(block) % stride == 0:
        lines = block.reshape(-1, stride)
        if (lines[:, -1] == newline).all():
            returns = bool(newline == 10 and stride - 1 > width and (lines[:, -2] == 13).all())
            length = stride - 1 - returns
            lines[:, length:] = BLANK
            # All other bytes of the block are printable: no line ends within another.
            if block.min() >= BLANK and block.max() <= 126:
                beyond = lines[:, width:length]
                odd = (beyond != BLANK).any(axis=1) if length > width else np.zeros(len(lines), bool)
                starts = np.arange(0, len(block), stride)
                return lines, odd, starts, starts + length
            lines[:, length] = 13  # as it was
            lines[:, -1] = newline
    ends = np.flatnonzero(block == newline)
    starts = np.concatenate(([0], ends[:-1] + 1))
    before = block[np.maximum(ends - 1, 0)]
    ends = np.where((before == 13) & (ends > starts), ends - 1, ends)
    places = starts[:, None] + np.arange(width)
    lines = block[np.minimum(places, len(block) - 1)]
    lines[places >= ends[:, None]] = BLANK
    odd = strange(lines)
    for row in np.flatnonzero(ends - starts > width):
        odd[row] |= bool((block[starts[row] + width : ends[row]] != BLANK).any())
    return lines, odd, starts, ends
