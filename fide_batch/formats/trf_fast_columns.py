"""Players' lines as one block of bytes, cut into columns with NumPy: the arithmetic of the fast reader.

Every line is a row of a matrix, padded with blanks. Four columns of a line are looked at as one number of four bytes. Whatever is not exactly as
the handbook draws it makes its row *odd*; odd rows are not explained here but left to the careful reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from fide_batch.formats import trf_columns as at
from fide_batch.formats.trf_cells import KNOWN, read_cell
from fide_batch.model import POINT

_BLANK = 32

_PIECE = 16384
"""Rows that are cut at a time: those of a usual batch, each column of which stays in the processor's cache."""

SEXES = np.frombuffer(b" mw", np.uint8)
"""The letters of the sexes; the first is none."""

_SEX = np.full(256, 9, np.uint8)
for _letter, _code in ((" ", 0), ("m", 1), ("M", 1), ("w", 2), ("W", 2), ("f", 2), ("F", 2)):
    _SEX[ord(_letter)] = _code

_FOLLOWS = frozenset(("10", "01", "==", "+-", "-+", "--", "WL", "LW", "DD"))
"""Results of the two sides that tell the same game."""

# A colour and a result together are one code of eight bits: colour * 16 + result.
_COLOURS = ("", "w", "b")
_RESULTS = " 1=0+-WDLHFUZ*?"
_ODD = 255


def _code_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Codes by the two letters as printed (colour + 256 * result), in the careful reader's own reading; letters by code; fitting pairs of codes."""
    codes = np.full(65536, _ODD, np.uint8)
    # Only the signs that can be sound: asking for all of them would take a tenth of a second at every start.
    for letter, score in product(*KNOWN):
        cell = read_cell(f"     1 {letter} {score}", False)
        if cell.fault is None and ord(score) < 128:
            codes[ord(letter) | ord(score) << 8] = _COLOURS.index(cell.colour) << 4 | _RESULTS.index(cell.result)
    letters = np.zeros(256, "<u2")
    pairs = np.zeros(65536, bool)
    known = [(c, r, c << 4 | r) for c in range(len(_COLOURS)) for r in range(len(_RESULTS))]
    for colour, result, code in known:
        letters[code] = (ord(_COLOURS[colour]) if colour else 0) | ord(_RESULTS[result]) << 8
        for other_colour, other_result, other in known:
            tells = _RESULTS[result] + _RESULTS[other_result] in _FOLLOWS
            pairs[code << 8 | other] = tells and (other_colour == 0 or colour + other_colour == 3)
    return codes, letters, pairs


_CODES, _LETTERS_OF, _PAIRS = _code_tables()
_NO_RESULT = _RESULTS.index(" ")


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
    code: np.ndarray
    """Colour and result."""
    happened: np.ndarray
    """int per player: the last round in which something happened."""


def letters_of(codes: np.ndarray) -> np.ndarray:
    """Two uint8 a code: the colour's letter (0 for none), and the result's."""
    return np.take(_LETTERS_OF, codes).view(np.uint8).reshape(-1, 2)


def width(rounds: int) -> int:
    """Columns of a matrix for so many rounds: a multiple of eight."""
    return -(-(at.CELLS + at.WIDTH * rounds) // 8) * 8


def _slices(rows: int) -> Iterator[slice]:
    return (slice(start, min(start + _PIECE, rows)) for start in range(0, rows, _PIECE))


def _words(block: np.ndarray, column: int, count: int = 1) -> np.ndarray:
    """Four columns of every line as one number, first column lowest; with ``count``, of every round."""
    return np.array(_in_place(block, column, count))


def _in_place(block: np.ndarray, column: int, count: int = 1) -> np.ndarray:
    """The same where they stand."""
    rows, step = block.shape
    return np.ndarray((rows, count), "<u4", block, column, (step, at.WIDTH))


def _u4(value: int) -> np.uint32:
    return np.uint32(value)


_LOW, _ONES = _u4(0x0F0F0F0F), _u4(0x01010101)


def _figures(word: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Four columns as a number flush right, blank as 0; and (not 0) where they are not that.

    The four bytes are looked at together: a blank is 0x20, a figure 0x30 to 0x39.
    """
    low = word & _LOW
    figure = (word >> _u4(4)) & _ONES
    blank = figure ^ _ONES
    odd = (word & _u4(0xE0E0E0E0)) ^ _u4(0x20202020)
    odd |= (low + _u4(0x06060606)) & _u4(0x10101010)
    odd |= low & (blank * _u4(0x0F))
    # A blank after a figure: not flush right.
    odd |= (blank >> _u4(8)) & figure & _u4(0x00010101)
    # Ten times the first figure and the second, of both pairs; then a hundred times the first pair and the second.
    low *= _u4(10 << 8 | 1)
    low >>= _u4(8)
    low &= _u4(0x00FF00FF)
    low *= _u4(100 << 16 | 1)
    low >>= _u4(16)
    return low, odd


def shifted(matrix: np.ndarray, rounds: int) -> np.ndarray:
    """Where something stands in a column that must be blank: bool per row."""
    mask, blanks = _gaps(matrix.shape[1], rounds)
    words = matrix.view("<u8")
    odd = np.zeros(len(matrix), bool)
    for start in range(0, len(matrix), _LOOKED_AT):
        some = words[start : start + _LOOKED_AT]
        wrong = (some & mask[: len(some)]) != blanks[: len(some)]
        if wrong.any():
            odd[start : start + _LOOKED_AT] = wrong.any(axis=1)
    return odd


_LOOKED_AT = 2048
"""Rows whose blank columns are looked at together."""


@lru_cache(maxsize=8)
def _gaps(columns: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """The columns that must be blank, and what then stands in them, for ``_LOOKED_AT`` rows: row by row the same, which is faster than one for all."""
    must = np.zeros(columns, np.uint8)
    must[list(at.GAPS[1:])] = 255
    for place in range(rounds):
        must[[at.CELLS + at.WIDTH * place + blank for blank in (0, 1, 6, 8)]] = 255
    mask = np.tile(must, (_LOOKED_AT, 1))
    return mask.view("<u8"), (mask & np.uint8(_BLANK)).view("<u8")


def letters(matrix: np.ndarray, columns: slice) -> np.ndarray:
    """Some columns of every line: uint8, contiguous."""
    rows, step = matrix.shape
    wide = columns.stop - columns.start
    return np.array(np.ndarray(rows, f"V{wide}", matrix, columns.start, (step,))).view(np.uint8).reshape(rows, wide)


def filled(matrix: np.ndarray, columns: slice) -> tuple[np.ndarray, np.ndarray]:
    """How far some columns of every line are filled: int64, up to the last that is not blank, 0 where all are; and where letters outside ASCII stand.

    Eight columns are looked at as one number, blank as 0. The exponent of the same number as a floating one tells its highest bit. In ASCII it is not
    rounded up to the next power of two, since every letter has a bit that is 0; in other lines it may be one letter too far.
    """
    rows, step = matrix.shape
    found, bits = np.zeros(rows, np.int64), np.zeros(rows, np.uint64)
    for start in range(columns.start, columns.stop, 8):
        beyond = max(start + 8 - columns.stop, 0)
        words = np.ndarray(rows, "<u8", matrix, start, (step,)) ^ np.uint64(0x2020202020202020)
        if beyond:
            words <<= np.uint64(8 * beyond)
        bits |= words
        exponent = words.astype(np.float64).view(np.int64) >> 52
        last = (exponent - 1023) >> 3  # of the eight columns, from 0; far below where all are blank
        np.maximum(found, last + (start - columns.start + 1 - beyond), out=found)
    return found, bits & np.uint64(0x8080808080808080) != 0


def players(matrix: np.ndarray) -> Players:
    """The fields of players' lines.

    Args:
        matrix: uint8, a row a line, padded with blanks; contiguous.
    """
    size = len(matrix)
    four = [np.empty(size, np.int32) for _ in range(7)]
    found = Players(
        np.zeros(size, bool), four[0], np.take(_SEX, matrix[:, at.SEX.start]), four[1], four[2], four[3], np.empty(size, np.int64), *four[4:]
    )  # fmt: skip
    found.odd |= found.sex == 9
    for piece in _slices(size):
        _players(matrix[piece], found, piece)
    return found


def _players(block: np.ndarray, found: Players, piece: slice) -> None:
    title, federation, after_year, day, points = (
        _words(block, column)[:, 0]
        for column in (at.TITLE.start, at.FEDERATION.start, at.BIRTH.start + 4, at.BIRTH.start + 8, at.POINTS.start)
    )
    title &= _u4(0xFFFFFF)
    federation &= _u4(0xFFFFFF)
    numeric = np.empty((9, len(block)), np.uint32)
    for place, column in enumerate(_NUMERIC):
        numeric[place] = _in_place(block, column)[:, 0]
    first_id, second_id, third_id, born = numeric[3:7]
    month_day = numeric[7] = ((after_year >> _u4(8)) & _u4(0xFFFF)) | (day << _u4(16))
    numeric[8] = ((points & _u4(0xFFFF)) << _u4(8)) | (points & _u4(0xFF000000)) | _u4(_BLANK)
    value, wrong = _figures(numeric)
    number, rating, rank, first, second, third, year, date, total = value
    odd = np.bitwise_or.reduce(wrong, axis=0)
    odd |= (title | federation) & _u4(0x808080)
    # A total has a figure before the point: d.d.
    odd |= ((points >> _u4(16)) & _u4(0xFF)) ^ _u4(ord("."))
    flags = (odd != 0) | (number == 0) | (points & _u4(0x1000) == 0) | (points & _u4(0x10000000) == 0)
    flags |= _birth_odd(born, after_year, month_day)
    # The id: no blank after its first figure, and no zero before it.
    figure = _u4(0x10101010)
    flags |= (first_id & figure != 0) & (~second_id & figure != 0)
    flags |= ((first_id | second_id) & figure != 0) & (~third_id & figure != 0)
    identity = (first.astype(np.int64) * 10_000 + second) * 10_000 + third
    figures = _figures_in(first_id) + _figures_in(second_id) + _figures_in(third_id)
    flags |= (identity > 0) & (identity < _TENS[figures])
    found.number[piece], found.rating[piece], found.rank[piece] = number, rating, rank
    found.identity[piece] = identity
    found.birth[piece] = year * np.uint32(10_000) + date
    found.points[piece] = total * np.uint32(POINT // 10)
    found.title[piece], found.federation[piece] = title, federation
    if flags.any():
        _identity_flush_left(block, found, piece, flags)
    found.odd[piece] |= flags


_ID = at.IDENTITY.stop - 12
_NUMERIC = (at.NUMBER.start, at.RATING.start, at.RANK.start, _ID, _ID + 4, _ID + 8, at.BIRTH.start)
_TENS = np.array([0, *(10**power for power in range(12))], np.int64)
"""The smallest number with so many figures."""


def _figures_in(word: np.ndarray) -> np.ndarray:
    """How many figures a word of figures and blanks holds."""
    return (((word >> _u4(4)) & _ONES) * _ONES) >> _u4(24)


def _birth_odd(year: np.ndarray, after_year: np.ndarray, month_day: np.ndarray) -> np.ndarray:
    """Where a birth is neither blank nor ``2008`` nor ``2008/03/04`` (or with points or hyphens)."""
    blank, figures = _u4(0x20202020), _u4(0x30303030)
    full_year = (year & figures) == figures
    rest_blank = (after_year == blank) & (month_day == blank)
    full_date = (month_day & figures) == figures
    for place in (0, 24):
        mark = (after_year >> _u4(place)) & _u4(0xFF)
        full_date &= (mark >= ord("-")) & (mark <= ord("/"))
    return ~(((year == blank) & rest_blank) | (full_year & (rest_blank | full_date)))


def _identity_flush_left(block: np.ndarray, found: Players, piece: slice, flags: np.ndarray) -> None:
    """Ids that stand on the left of their columns: the only thing that may be odd about the row is mended here."""
    for row in np.flatnonzero(flags).tolist():
        text = block[row, at.IDENTITY].tobytes()
        bare = text.strip(b" ")
        if text[-1:] != b" " or not bare.isdigit() or bare[:1] == b"0":
            continue
        moved = block[row : row + 1].copy()
        moved[0, at.IDENTITY] = np.frombuffer(bare.rjust(len(text)), np.uint8)
        alone = Players(np.zeros(1, bool), *(np.empty(1, np.int64) for _ in range(9)))
        _players(moved, alone, slice(0, 1))
        flags[row] = alone.odd[0]
        found.identity[piece.start + row] = alone.identity[0]


def rounds(matrix: np.ndarray, count: int, longest: np.ndarray) -> Rounds:
    """The rounds of players' lines.

    Args:
        matrix: uint8, a row a line, padded with blanks to the full width of ``count`` rounds; contiguous.
        count: of rounds.
        longest: int32 per row: how many rounds there is room for in the lines of the file; all after that is padding.
    """
    size = len(matrix)
    found = Rounds(
        np.zeros(size, bool), np.empty((size, count), np.int32), np.empty((size, count), np.uint8), longest.copy()
    )
    for piece in _slices(size):
        _rounds(matrix[piece], count, found, piece)
    return found


def _rounds(block: np.ndarray, count: int, found: Rounds, piece: slice) -> None:
    word = _words(block, at.CELLS + 2, count)
    opponent, odd = _figures(word)
    tail = _words(block, at.CELLS + 6, count)  # blank, colour, blank, result
    code = np.take(_CODES, ((tail >> _u4(8)) & _u4(0xFF)) | ((tail >> _u4(16)) & _u4(0xFF00)))
    wrong = odd != 0
    wrong |= code == _ODD
    no_result = (code & 15) == _NO_RESULT
    if np.count_nonzero(no_result) != code.size - int(found.happened[piece].sum()):
        met = opponent > 0
        wrong |= met & no_result
        empty = no_result & ~met
        code[empty] = _NO_RESULT
        happened = _last(~empty)
        # Something printed after the last round in which something happened is told of by the careful reader.
        after = np.arange(count) >= happened[:, None]
        wrong |= after & ((word != 0x20202020) | (tail != 0x20202020))
        found.happened[piece] = happened
    if wrong.any():
        found.odd[piece] = wrong.any(axis=1)
    found.opponent[piece], found.code[piece] = opponent, code


def _last(there: np.ndarray) -> np.ndarray:
    """For each row how far the last True is: its place from 1, 0 for none."""
    count = there.shape[1]
    return np.where(there.any(axis=1), count - np.argmax(there[:, ::-1], axis=1), 0) if count else np.zeros(len(there))


def disagreeing(opponent: np.ndarray, rounds: Rounds) -> np.ndarray:
    """Where a game is not told by both sides alike: bool per player.

    Args:
        opponent: rows of the opponents, -1 for none, -2 for a start number that nobody has.
        rounds: the rounds.
    """
    size, count = opponent.shape
    odd = np.zeros(size, bool)
    if not opponent.size:
        return odd
    codes, backs = rounds.code.ravel(), opponent.ravel()
    place = np.arange(count)
    for piece in _slices(size):
        row = opponent[piece]
        other = row.astype(np.intp)
        other *= count
        other += place
        np.maximum(other, 0, out=other)
        own = np.arange(piece.start, piece.stop, dtype=np.int32)[:, None]
        wrong = np.take(backs, other) != own
        wrong |= row == own
        wrong |= ~np.take(_PAIRS, rounds.code[piece].astype(np.uint16) << np.uint16(8) | np.take(codes, other))
        wrong &= row >= 0
        wrong |= row == -2
        if wrong.any():
            odd[piece] = wrong.any(axis=1)
    return odd
