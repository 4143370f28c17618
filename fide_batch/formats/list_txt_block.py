"""Lines of a text list by the ten thousand: blocks of bytes cut into columns with NumPy.

A block gives its sound rows as columns and names the odd ones, which ``list_txt_line`` reads with care. A row is odd when the careful
reader could have anything to say about it; so both give the same list.
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass

import numpy as np

from fide_batch.formats.list_cells import EMPTY, HIGHEST_GAMES, HIGHEST_K, HIGHEST_RATING, NUMBERS, WORDS
from fide_batch.formats.list_txt_layout import Layout

BLANK = 32
_HIGHEST = {"rating": HIGHEST_RATING, "games": HIGHEST_GAMES, "k": HIGHEST_K}

# Two places of a number at a time. Of a pair: its digits as a number, by how much it moves what stands before it, and what kind it is.
_BLANKS, _BOTH, _FIRST, _SECOND, _NEITHER = range(5)


def _pairs() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    value = np.zeros(65536, np.int64)
    moves = np.ones(65536, np.int64)
    kind = np.full(65536, _NEITHER, np.int64)
    for low, high in itertools.product(range(256), repeat=2):
        place = low | high << 8
        first, second = low - 48, high - 48
        if low == BLANK and high == BLANK:
            kind[place] = _BLANKS
        elif 0 <= first <= 9 and 0 <= second <= 9:
            kind[place], value[place], moves[place] = _BOTH, first * 10 + second, 100
        elif 0 <= first <= 9 and high == BLANK:
            kind[place], value[place], moves[place] = _FIRST, first, 10
        elif low == BLANK and 0 <= second <= 9:
            kind[place], value[place], moves[place] = _SECOND, second, 10
    return value, moves, kind


@functools.cache
def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return _pairs()


_ONE_NUMBER = re.compile(f"{_BLANKS}*{_SECOND}?{_BOTH}*{_FIRST}?{_BLANKS}*")


@functools.cache
def _one_number(pairs: int) -> np.ndarray:
    """For each sequence of kinds, as a number in base 4: whether the digits stand together."""
    return np.array(
        [
            _ONE_NUMBER.fullmatch("".join(map(str, kinds))) is not None
            for kinds in itertools.product(range(4), repeat=pairs)
        ]
    )


def whole_numbers(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers written in cells of equal width, at either side.

    Args:
        cells: uint8, shape (rows, width).

    Returns:
        int64, the numbers, -1 where a cell is blank; and bool, whether a cell holds one number or nothing.
    """
    rows, width = cells.shape
    padded = np.full((rows, width + width % 2), BLANK, np.uint8)
    padded[:, :width] = cells
    pairs = padded.view("<u2")
    used = [place for place in range(pairs.shape[1]) if (pairs[:, place] != 0x2020).any()]
    value, moves, kind = _tables()
    number = np.zeros(rows, np.int64)
    if not used:
        return np.full(rows, EMPTY, np.int64), np.ones(rows, bool)
    used = list(range(used[0], used[-1] + 1))
    if len(used) > 9:  # more than 18 places
        return number, np.zeros(rows, bool)
    kinds = np.zeros(rows, np.int64)
    sound = np.ones(rows, bool)
    for place in used:
        pair = pairs[:, place].astype(np.intp)
        number = number * moves[pair] + value[pair]
        this = kind[pair]
        sound &= this != _NEITHER
        kinds = kinds * 4 + (this & 3)
    sound &= _one_number(len(used))[kinds]
    return np.where(kinds == 0, EMPTY, number), sound


@dataclass
class Block:
    """Some lines of a list in columns, a row a line."""

    ids: np.ndarray
    numbers: dict[str, np.ndarray]
    names: np.ndarray
    """uint8, shape (rows, width)."""
    words: dict[str, np.ndarray]
    odd: np.ndarray
    """Rows to be read with care, blank lines too."""


def _letters(cells: np.ndarray) -> np.ndarray:
    """Whether each place holds a letter."""
    return ((cells | BLANK) - np.uint8(97)) < 26


def rows_of(lines: np.ndarray, layout: Layout, odd: np.ndarray) -> Block:
    """The columns of some lines.

    Args:
        lines: uint8, shape (rows, layout.width or more); short lines are filled with blanks.
        layout: where the columns stand; named as in LIST.
        odd: bool, rows already known to be odd.
    """
    rows = len(lines)
    line = lines[:, : layout.width]
    if rows and (line.min() < BLANK or line.max() > 126):
        odd = odd | ((line < BLANK) | (line > 126)).any(axis=1)
    else:
        odd = odd.copy()
    ids = np.zeros(rows, np.int64)
    numbers: dict[str, np.ndarray] = {}
    words: dict[str, np.ndarray] = {}
    names = np.full((rows, 1), BLANK, np.uint8)
    last = layout.columns[-1]
    for column in layout.columns:
        cells = line[:, column.start : column.end]
        name = column.name
        if name == "fideid":
            ids, sound = whole_numbers(cells)
            first = cells[np.arange(rows), np.argmax(cells != BLANK, axis=1)]
            odd |= ~sound | (ids <= 0) | (first == 48)
        elif name == "name":
            names = np.ascontiguousarray(cells)
        elif name in NUMBERS:
            values, sound = whole_numbers(cells)
            kind = name.rsplit("_", 1)[-1]
            odd |= ~sound | (values > _HIGHEST[kind])
            if kind in ("rating", "k"):
                values[values == 0] = EMPTY
            numbers[name] = values.astype(np.int32)
        elif name in WORDS:
            words[name] = np.ascontiguousarray(cells)
            if name == "birthday":
                odd |= (cells > 57).any(axis=1)
            elif name == "country":
                odd |= ~_blank_or_letters(cells, 3)
            elif name == "sex":
                odd |= ~_blank_or_letters(cells, 1)
            elif name == "flag":
                odd |= ~(_letters(cells) | (cells == BLANK)).all(axis=1)
        if name in ("name", "o_title") and column is not last:
            odd |= (line[:, column.end - 1] != BLANK) & (line[:, column.end] != BLANK)
    return Block(ids, numbers, names, words, odd)


def _blank_or_letters(cells: np.ndarray, letters: int) -> np.ndarray:
    """Whether a cell begins with so many letters, or is blank, and holds nothing else."""
    if cells.shape[1] < letters:
        return np.zeros(len(cells), bool)
    begin = _letters(cells[:, :letters])
    blank = cells == BLANK
    return (begin.all(axis=1) & blank[:, letters:].all(axis=1)) | blank.all(axis=1)


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
