"""Lines of CSV from columns: every cell in words of eight letters, laid one over the other.

A word is written with all its eight bytes where it begins, and the next covers what stands beyond its end. So a column is an indexed store or two,
whatever the lengths of its cells. ``tables`` joins blocks with long texts, or very short lines, cell by cell: the same, slower.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.publish.printed import letters, places

LONGEST = 64
"""Letters of a cell that are laid in words: every row has as many words as the longest cell of its block needs."""

_PLACES = 8
_KEPT = np.array([(1 << 8 * count) - 1 for count in range(_PLACES + 1)], np.uint64)
"""Masks of the first 0 to 8 letters of a word."""

_SMALL = 10_000
"""Numbers below are looked up."""

_MOST_DAYS = 4_096


@dataclass(frozen=True)
class Word:
    """Up to eight letters of every row; the first is the lowest byte, and nothing stands beyond the length."""

    letters: np.ndarray | np.uint64
    """uint64, a row each, or the same for all rows."""
    lengths: np.ndarray | np.uint8
    """uint8, the same."""
    most: int
    """The greatest length, 1 to 8."""


def constant(text: str) -> Iterator[Word]:
    """A text that stands in every row."""
    raw = text.encode()
    for start in range(0, len(raw), _PLACES):
        part = raw[start : start + _PLACES]
        yield Word(np.uint64(int.from_bytes(part, "little")), np.uint8(len(part)), len(part))


def quote(where: np.ndarray) -> Word:
    """A quotation mark in some rows (bool), nothing in the others."""
    return Word(where * np.uint64(ord('"')), where.view(np.uint8), 1)


def small_numbers(column: pa.Array) -> list[Word] | None:
    """A column of whole numbers from 0 to 9999, nothing where one is missing; None where there is any other."""
    place = places(column)
    highest = int(place.max())
    if highest > _SMALL or place.min() < 0 or np.count_nonzero(place) + column.null_count < len(column):
        return None
    return _looked_up([Word(word.letters, word.lengths, len(str(max(highest - 1, 0)))) for word in _small()], place)


def days(column: pa.Array) -> list[Word] | None:
    """A column of days as ``2026-10-31``, nothing where one is missing; None where they lie too far apart to be looked up."""
    numbers = column.view(pa.int32())
    limits = pc.min_max(numbers)
    first, last = limits["min"].as_py(), limits["max"].as_py()
    if last - first > _MOST_DAYS:
        return None
    printed = pa.array(np.arange(first, last + 1, dtype=np.int32)).view(pa.date32()).cast(pa.string())
    known = texts(pa.concat_arrays([pa.array([""]), printed]))
    return None if known is None else _looked_up(known, places(numbers, first))


def words(column: pa.DictionaryArray, known: list[Word]) -> list[Word]:
    """A column of a dictionary, nothing where a word is missing.

    Args:
        column: places in the dictionary.
        known: '' and then all of the dictionary.
    """
    return _looked_up(known, places(column.indices))


def texts(column: pa.Array) -> list[Word] | None:
    """A column of texts, none of them null; None where one is longer than ``LONGEST`` bytes."""
    ends = np.frombuffer(column.buffers()[1], np.int32, len(column) + 1, 4 * column.offset)
    lengths = ends[1:] - ends[:-1]
    most = int(lengths.max(initial=0))
    if most > LONGEST:
        return None
    found = letters(column)
    padded = np.zeros(len(found) + most + _PLACES, np.uint8)
    padded[: len(found)] = found
    begin = (ends[:-1] - ends[0]).astype(np.int64)
    left = lengths.astype(np.uint8)
    words = []
    for start in range(0, most, _PLACES):
        here = np.minimum(left, np.uint8(_PLACES))
        left = left - here
        # Every eight bytes from each place on, as one number.
        at = np.ndarray((len(found) + most - start + 1,), "<u8", padded, start, (1,))
        words.append(Word(at[begin] & _KEPT.take(here, mode="clip"), here, min(most - start, _PLACES)))
    return words


def lines(words: Iterable[Word], rows: int) -> memoryview | None:
    """The words of each row one after the other, as one piece of memory; None where a line is shorter than a word."""
    laid = _closer(words)
    lengths = np.zeros(rows, np.int64)
    for word in laid:
        lengths += word.lengths
    if lengths.min() < _PLACES:
        return None
    ends = np.cumsum(lengths)
    begins = ends - lengths
    size = int(ends[-1])
    text = np.empty(size + _PLACES, np.uint8)
    # Every eight bytes from each place on, as one number.
    at = np.ndarray((size + 1,), "<u8", text, 0, (1,))
    # Words are stored column by column: each covers what the one before wrote beyond its end. The last of a line writes over the beginning of the
    # next, so that every other line is laid first, and its beginning put right when the lines before are laid.
    for first in (1, 0):
        place = begins[first::2].copy()
        for word in laid:
            at[place] = word.letters[first::2] if isinstance(word.letters, np.ndarray) else word.letters
            place += word.lengths[first::2] if isinstance(word.lengths, np.ndarray) else word.lengths
        if first:
            begun = at[begins[1::2]]
    at[begins[1::2]] = begun
    return text[:size].data


def _closer(words: Iterable[Word]) -> list[Word]:
    """Words that fit into one put together, as few as that makes."""
    found: list[Word] = []
    for word in words:
        if found and found[-1].most + word.most <= _PLACES:
            before = found[-1]
            moved = word.letters << (before.lengths * np.uint8(8))
            found[-1] = Word(before.letters | moved, before.lengths + word.lengths, before.most + word.most)
        else:
            found.append(word)
    return found


def _looked_up(known: list[Word], at: np.ndarray) -> list[Word]:
    """Words by their places among some."""
    return [Word(word.letters.take(at), word.lengths.take(at), word.most) for word in known]


@functools.cache
def _small() -> list[Word]:
    """Nothing, 0, 1 ... 9999."""
    known = texts(pa.array(["", *map(str, range(_SMALL))]))
    assert known is not None
    return known
