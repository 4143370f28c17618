"""Players' lines as one block of bytes, cut into columns with NumPy: the arithmetic of the fast reader.

Every line is a row of a matrix, padded with blanks. Whatever is not exactly as the handbook draws it makes its row *odd*; odd rows are not
explained here but left to the careful reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fide_batch.formats import trf_columns as at
from fide_batch.formats.trf_cells import read_cell
from fide_batch.model import POINT

_BLANK = 32

_PIECE = 1024
"""Rows that are cut at a time."""

_SEX = np.full(256, 9, np.uint8)
for _letter, _code in ((" ", 0), ("m", 1), ("M", 1), ("w", 2), ("W", 2), ("f", 2), ("F", 2)):
    _SEX[ord(_letter)] = _code
SEXES = ("", "m", "w")

_ODD = 255
_COLOUR = np.full(256, _ODD, np.uint8)
_RESULT = np.full(256, _ODD, np.uint8)
_OTHER = np.zeros(65536, bool)
"""By own result * 256 + the other side's: whether they tell the same game."""


def _fill_tables() -> None:
    """The careful reader's own words for every colour and result."""
    for byte in range(128):
        colour = read_cell(f"     1 {chr(byte)} 1", False)
        if colour.fault is None:
            _COLOUR[byte] = ord(colour.colour) if colour.colour else 0
        result = read_cell(f"     1 w {chr(byte)}", False)
        if result.fault is None:
            _RESULT[byte] = ord(result.result)
    for own, other in ("10", "01", "==", "+-", "-+", "--", "WL", "LW", "DD"):
        _OTHER[ord(own) << 8 | ord(other)] = True


_fill_tables()


@dataclass
class Players:
    """The fields of some players' lines, a value a line; ``odd`` marks lines that are for the careful reader."""

    odd: np.ndarray
    number: np.ndarray
    sex: np.ndarray
    """0, 1, 2: a place in ``SEXES``."""
    title: np.ndarray
    """Three bytes as a number."""
    rating: np.ndarray
    federation: np.ndarray
    identity: np.ndarray
    birth: np.ndarray
    """Year, month and day as ``20080304``; zeros for what is not given."""
    points: np.ndarray
    rank: np.ndarray


@dataclass
class Rounds:
    """The rounds of some players' lines: matrices of a row a player and a column a round."""

    odd: np.ndarray
    """bool per player."""
    opponent: np.ndarray
    """Start numbers, 0 for none."""
    colour: np.ndarray
    result: np.ndarray
    happened: np.ndarray
    """int per player: the last round in which something happened."""


def _word(block: np.ndarray, column: int) -> np.ndarray:
    """Four columns of every line as one number, first column lowest."""
    rows, width = block.shape
    return np.array(np.ndarray((rows,), "<u4", block, column, (width,)))


def _figures(word: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Four columns as a number flush right, blank as 0; and where they are not that.

    The four bytes are looked at together: a blank is 0x20, a figure 0x30 to 0x39.
    """
    low = word & np.uint32(0x0F0F0F0F)
    blank = (~word >> np.uint32(4)) & np.uint32(0x01010101)
    odd = (word & np.uint32(0xE0E0E0E0)) ^ np.uint32(0x20202020)
    odd |= (low + np.uint32(0x06060606)) & np.uint32(0x10101010)
    odd |= low & (blank * np.uint32(0x0F))
    # A blank after a figure: not flush right.
    odd |= (blank >> np.uint32(8)) & (blank ^ np.uint32(0x01010101)) & np.uint32(0x00010101)
    pairs = (low * np.uint32(10) + (low >> np.uint32(8))) & np.uint32(0x00FF00FF)
    value = (pairs * np.uint32(100) + (pairs >> np.uint32(16))) & np.uint32(0xFFFF)
    return value.astype(np.int32), odd != 0


def _slices(rows: int) -> Iterator[slice]:
    """Rows in pieces that stay in the processor's cache: several times faster than all at once."""
    return (slice(start, min(start + _PIECE, rows)) for start in range(0, rows, _PIECE))


def players(block: np.ndarray) -> Players:
    """The fields of players' lines.

    Args:
        block: uint8, a row a line, padded with blanks to at least the width of the head; contiguous.
    """
    size = len(block)
    found = Players(
        np.zeros(size, bool), np.empty(size, np.int32), np.empty(size, np.uint8), np.empty(size, np.int32), np.empty(size, np.int32),
        np.empty(size, np.int32), np.empty(size, np.int64), np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32),
    )  # fmt: skip
    for piece in _slices(size):
        _players(block[piece], found, piece)
    return found


def _players(block: np.ndarray, found: Players, piece: slice) -> None:
    odd = found.odd[piece]
    for column in at.GAPS:
        odd |= block[:, column] != _BLANK
    for column, into in ((at.NUMBER.start, found.number), (at.RATING.start, found.rating), (at.RANK.start, found.rank)):
        into[piece], wrong = _figures(_word(block, column))
        odd |= wrong
    odd |= found.number[piece] == 0
    found.sex[piece] = _SEX[block[:, at.SEX.start]]
    odd |= found.sex[piece] == 9
    for read, into in ((_identity, found.identity), (_birth, found.birth), (_points, found.points)):
        into[piece], wrong = read(block)
        odd |= wrong
    for where, into in ((at.TITLE, found.title), (at.FEDERATION, found.federation)):
        into[piece], wrong = _letters(block, where)
        odd |= wrong


def _letters(block: np.ndarray, where: slice) -> tuple[np.ndarray, np.ndarray]:
    """Three columns as one number, and where they hold something that is not ASCII."""
    first, second, third = (block[:, column].astype(np.int32) for column in range(where.start, where.stop))
    return first << 16 | second << 8 | third, (first | second | third) > 127


def _identity(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The id: figures flush right or left; odd when it is anything else or begins with 0."""
    value = np.zeros(len(block), np.int64)
    odd = np.zeros(len(block), bool)
    begun = np.zeros(len(block), bool)
    for column in range(at.IDENTITY.stop - 12, at.IDENTITY.stop, 4):
        word = _word(block, column)
        four, wrong = _figures(word)
        # After the first figure no more blanks, and no zero before it.
        blank = (~word & np.uint32(0x10101010)) != 0
        odd |= wrong | (begun & blank)
        begun |= (word & np.uint32(0x10101010)) != 0
        value = value * 10_000 + four
    columns = block[:, at.IDENTITY]
    first = columns[np.arange(len(block)), np.argmax(columns != _BLANK, axis=1)]
    odd |= (first == 48) & (value > 0)
    if odd.any():
        rows = np.flatnonzero(odd)
        value[rows], odd[rows] = _identity_anywhere(block[rows])
    return value, odd


def _identity_anywhere(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same column by column."""
    columns = np.ascontiguousarray(block[:, at.IDENTITY].T)
    value = np.zeros(len(block), np.int64)
    odd, begun, ended, zero_first = (np.zeros(len(block), bool) for _ in range(4))
    for column in columns:
        figure = (column - np.uint8(48)) < 10
        odd |= ~figure & (column != _BLANK)
        odd |= figure & ended
        zero_first |= figure & ~begun & (column == 48)
        ended |= begun & ~figure
        begun |= figure
        value = np.where(figure, value * 10 + (column - np.uint8(48)), value)
    return value, odd | (zero_first & (value > 0))


def _birth(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Year, month, day: ``2008``, ``2008/00/00``, ``2008-03-04``, blank; anything else is odd."""
    year, wrong = _figures(_word(block, at.BIRTH.start))
    columns = np.ascontiguousarray(block[:, at.BIRTH].T)
    blank_year = (columns[:4] == _BLANK).all(axis=0)
    full_year = ((columns[:4] - np.uint8(48)) < 10).all(axis=0)
    rest_blank = (columns[4:] == _BLANK).all(axis=0)
    parted = np.ones(len(block), bool)
    for place in (4, 7):
        parted &= (columns[place] == ord("/")) | (columns[place] == ord("-")) | (columns[place] == ord("."))
    figures = columns[[5, 6, 8, 9]] - np.uint8(48)
    dated = parted & (figures < 10).all(axis=0)
    figures = figures.astype(np.int32)
    day = figures[0] * 1000 + figures[1] * 100 + figures[2] * 10 + figures[3]
    key = np.where(full_year & dated, year * 10_000 + day, np.where(full_year & rest_blank, year * 10_000, 0))
    good = (blank_year & rest_blank) | (full_year & (rest_blank | dated))
    return key, wrong | ~good


def _points(block: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A total such as ``4.5`` or ``10.5``, in ten-thousandths."""
    columns = np.ascontiguousarray(block[:, at.POINTS].T)
    tens, ones, tenths = (columns[place] - np.uint8(48) for place in (0, 1, 3))
    odd = (ones > 9) | (tenths > 9) | (columns[2] != ord(".")) | ((tens > 9) & (columns[0] != _BLANK))
    tens = np.where(columns[0] == _BLANK, 0, tens).astype(np.int32)
    return (tens * 10 + ones) * POINT + tenths.astype(np.int32) * (POINT // 10), odd


def rounds(block: np.ndarray, count: int) -> Rounds:
    """The rounds of players' lines.

    Args:
        block: uint8, a row a line, padded with blanks to the full width of ``count`` rounds; contiguous.
        count: of rounds.
    """
    size = len(block)
    found = Rounds(
        np.empty(size, bool), np.empty((size, count), np.int32), np.empty((size, count), np.uint8), np.empty((size, count), np.uint8),
        np.empty(size, np.int32),
    )  # fmt: skip
    for piece in _slices(size):
        _rounds(block[piece], count, found, piece)
    return found


def _rounds(block: np.ndarray, count: int, found: Rounds, piece: slice) -> None:
    size, width = block.shape

    def column(place: int, kind: str) -> np.ndarray:
        return np.array(np.ndarray((size, count), kind, block, at.CELLS + place, (width, at.WIDTH)))

    word = column(2, "<u4")
    opponent, wrong = _figures(word)
    written_colour, written_result = column(7, "u1"), column(9, "u1")
    colour, result = np.take(_COLOUR, written_colour), np.take(_RESULT, written_result)
    wrong |= column(0, "<u2") != 0x2020
    wrong |= (column(6, "u1") != _BLANK) | (column(8, "u1") != _BLANK)
    wrong |= (colour == _ODD) | (result == _ODD)
    no_result = result == _BLANK
    if no_result.any():
        met = opponent > 0
        wrong |= met & no_result
        empty = no_result & ~met
        colour[empty] = 0
        happened = _last(~empty)
        # Something printed after the last round in which something happened is told of by the careful reader.
        after = np.arange(count) >= happened[:, None]
        wrong |= after & ((word != 0x20202020) | (written_colour != _BLANK))
        found.happened[piece] = happened
    else:
        found.happened[piece] = count
    found.odd[piece] = wrong.any(axis=1)
    found.opponent[piece], found.colour[piece], found.result[piece] = opponent, colour, result


def _last(there: np.ndarray) -> np.ndarray:
    """For each row how far the last True is: its place from 1, 0 for none."""
    count = there.shape[1]
    if not count:
        return np.zeros(len(there), np.int64)
    return np.where(there.any(axis=1), count - np.argmax(there[:, ::-1], axis=1), 0)


def disagreeing(opponent: np.ndarray, rounds: Rounds) -> np.ndarray:
    """Where a game is not told by both sides alike: bool per player.

    Args:
        opponent: rows of the opponents, -1 for none, -2 for a start number that nobody has.
        rounds: the rounds.
    """
    size, count = opponent.shape
    if not opponent.size:
        return np.zeros(size, bool)
    odd = np.empty(size, bool)
    colours, results, backs = rounds.colour.ravel(), rounds.result.ravel(), opponent.ravel()
    place = np.arange(count, dtype=np.int32)
    for piece in _slices(size):
        met = opponent[piece] >= 0
        other = np.maximum(opponent[piece], 0) * np.int32(count) + place
        own = np.arange(piece.start, piece.stop, dtype=np.int32)[:, None]
        wrong = np.take(backs, other) != own
        wrong |= opponent[piece] == own
        other_colour, colour = np.take(colours, other), rounds.colour[piece]
        wrong |= (other_colour != 0) & ((colour == other_colour) | (colour == 0))
        wrong |= ~np.take(_OTHER, rounds.result[piece].astype(np.uint16) << 8 | np.take(results, other))
        wrong &= met
        wrong |= opponent[piece] == -2
        odd[piece] = wrong.any(axis=1)
    return odd
