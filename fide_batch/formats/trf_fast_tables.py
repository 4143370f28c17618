"""The columns of the fast reader as the tables ENTRIES and CELLS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow
from fide_batch.formats import trf_columns as at
from fide_batch.formats import trf_fast_columns as fast
from fide_batch.formats.dates import BIRTH_YEARS
from fide_batch.formats.trf_fast_columns import Players, Rounds, letters_of
from fide_batch.formats.trf_players import title_text
from fide_batch.model import CELLS, ENTRIES

if TYPE_CHECKING:
    from fide_batch.formats.trf_fast import Block


def opponent_rows(number: np.ndarray, opponent: np.ndarray, block: Block) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the opponents.

    Args:
        number: start numbers, a row a player.
        opponent: start numbers, a row a player and a column a round; 0 for none.
        block: which file each player is of.

    Returns:
        Rows (-1 no opponent, -2 a start number nobody has in the file), and where a start number stands twice in a file.
    """
    size = len(number)
    highest = np.maximum.reduceat(number, block.rows[:-1])
    base = np.concatenate((np.zeros(1, np.int64), np.cumsum(highest + 1)))
    place = base[block.file] + number
    row_of = np.full(int(base[-1]), -2, np.int32)
    row_of[place] = np.arange(size, dtype=np.int32)
    twice = row_of[place] != np.arange(size)
    row_of[base[:-1]] = -1  # start number 0: no opponent
    within = opponent <= highest[block.file][:, None]
    rows = np.take(row_of, base[:-1].astype(np.int32)[block.file][:, None] + np.where(within, opponent, 0))
    if not within.all():
        rows[~within] = -2
    return rows, twice


@dataclass
class Words:
    """The texts of the players."""

    odd: np.ndarray
    """bool per player: for the careful reader."""
    name: pa.Array
    sex: pa.Array
    title: pa.Array
    federation: pa.Array
    birth: pa.Array

    @classmethod
    def of(cls, block: Block, people: Players, texts: Sequence[str | None]) -> Words:
        """The texts of a block; ``texts`` holds per file its text where its bytes are not Latin-1."""
        name, nameless = _names(block, texts)
        born, unreadable = _births(block.matrix, people.birth)
        sex = arrow.cut(np.take(fast.SEXES, people.sex, mode="clip")[:, None], people.sex > 0)
        return cls(nameless | unreadable, name, sex, _titles(people.title), _federations(block.matrix, people), born)


def _letters(code: int) -> str:
    return code.to_bytes(3, "little").decode("latin-1")


def _looked_up(codes: np.ndarray, look: Callable[[str], str]) -> pa.Array:
    """Codes of three letters as texts, each different one looked up once; three blanks are the empty text."""
    rows = np.flatnonzero(codes != _THREE_BLANKS)
    different, places = np.unique(codes[rows], return_inverse=True)
    known = [look(_letters(code)).encode() for code in different.tolist()]
    longest = max(map(len, known), default=1)
    found, lengths = np.zeros((len(codes), longest), np.uint8), np.zeros(len(codes), np.int64)
    if known:
        cells = np.frombuffer(b"".join(text.ljust(longest) for text in known), np.uint8).reshape(-1, longest)
        found[rows] = cells[places]
        lengths[rows] = np.array(list(map(len, known)))[places]
    return arrow.cut(found, lengths)


_THREE_BLANKS = int.from_bytes(b"   ", "little")


def _titles(codes: np.ndarray) -> pa.Array:
    return _looked_up(codes, title_text)


def _federations(matrix: np.ndarray, people: Players) -> pa.Array:
    """Three capitals, as nearly always, stand as they are."""
    codes = people.federation
    capitals = codes & 0xE0E0E0 == 0x404040  # and what stands among them in ASCII, none of it blank or a small letter
    if not bool((capitals | (codes == _THREE_BLANKS)).all()):
        return _looked_up(codes, lambda text: text.strip().upper())
    return arrow.cut(fast.letters(matrix, at.FEDERATION), capitals * 3)


_DAYS = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 0])
"""The most days of a month; none of a thirteenth."""


def _births(matrix: np.ndarray, births: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    """Days of birth as ``2008-03-04``, years as ``2008``, and where something is to be said; the twin of ``dates.birth``."""
    year = births // 10_000
    month_day = births - year * 10_000
    odd = (births > 0) & ((year < BIRTH_YEARS.start) | (year >= BIRTH_YEARS.stop))
    lengths = (births > 0) * 4
    if not month_day.any():
        return arrow.cut(fast.letters(matrix, slice(at.BIRTH.start, at.BIRTH.start + 4)), lengths), odd
    month = month_day // 100
    day = month_day - month * 100
    full = (month > 0) & (day > 0)
    odd |= full & (day > np.take(_DAYS, month, mode="clip"))
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    odd |= (month_day == 229) & ~leap
    letters = fast.letters(matrix, at.BIRTH)
    letters[:, [4, 7]] = ord("-")
    return arrow.cut(letters, lengths + full * 6), odd


def _names(block: Block, texts: Sequence[str | None]) -> tuple[pa.Array, np.ndarray]:
    """The names, and where there is none."""
    letters = fast.letters(block.matrix, at.NAME)
    lengths, beyond_ascii = fast.filled(block.matrix, at.NAME)
    is_spelled = (letters[:, 0] == _BLANK) & (lengths > 0)
    high = np.flatnonzero(beyond_ascii)
    if len(high):
        those = letters[high]
        lengths[high] = those.shape[1] - np.argmax(those[:, ::-1] != _BLANK, axis=1)
        has_text = np.array([text is not None for text in texts])
        is_spelled[high] |= has_text[block.file[high]] | ((those == 0x85) | (those == 0xA0)).any(axis=1)  # blank too
    rows = np.flatnonzero(is_spelled)
    lengths[rows] = 0
    body = arrow.beginnings(letters, lengths).tobytes()
    if len(high):
        body = body.decode("latin-1").encode()
        lengths[high] += np.where(is_spelled[high], 0, (those >= 0x80).sum(axis=1))
    if len(rows):
        spelled = [name.encode() for name in _spelled(letters, rows, block, texts)]
        body = _put_in(body, np.cumsum(lengths)[rows].tolist(), spelled)
        lengths[rows] = list(map(len, spelled))
    return arrow.joined(body, lengths), lengths == 0


_BLANK = ord(" ")


def _spelled(letters: np.ndarray, rows: np.ndarray, block: Block, texts: Sequence[str | None]) -> list[str]:
    """The names of some rows one by one: in files whose letters are not a byte each, or with something blank before or after them."""
    names = []
    wide = letters.shape[1]
    begin = block.offset[rows] + at.NAME.start
    for row, file, start in zip(rows.tolist(), block.file[rows].tolist(), begin.tolist(), strict=True):
        text = texts[file]
        name = letters[row].tobytes().decode("latin-1") if text is None else text[start : start + wide]
        names.append(name.strip())
    return names


def _put_in(body: bytes, places: Sequence[int], texts: Sequence[bytes]) -> bytes:
    """Texts put into a body, each before its place."""
    parts, before = [], 0
    for place, text in zip(places, texts, strict=True):
        parts += [body[before:place], text]
        before = place
    return b"".join([*parts, body[before:]])


def entries_table(people: Players, words: Words, block: Block, event: int) -> pa.Table:
    """ENTRIES of a block whose first event has this place."""
    size = len(people.number)
    found = {
        "event": arrow.numbers(block.file + np.int32(event)),
        "number": arrow.numbers(people.number),
        "fideid": arrow.numbers(people.identity),
        "id_found": arrow.blanks(size),
        "name": words.name,
        "sex": words.sex,
        "title": words.title,
        "rating": arrow.numbers(people.rating),
        "federation": words.federation,
        "birth": words.birth,
        "points": arrow.numbers(people.points.astype(np.int32)),
        "rank": arrow.numbers(people.rank),
        "line": arrow.numbers(block.line),
    }
    return pa.table([found[name] for name in ENTRIES.names], schema=ENTRIES)


Room = Callable[[int], list[np.ndarray]]
"""Where so many player-rounds are to stand: an array for each column of CELLS."""


def new_room(count: int) -> list[np.ndarray]:
    """Memory of their own."""
    return [np.empty(count, arrow.dtype(kind)) for kind in CELLS.types]


def cells_table(games: Rounds, opponents: np.ndarray, block: Block, event: int, row: int, room: Room) -> pa.Table:
    """CELLS of a block whose first event and first player have these places: the rounds of every player up to the last in which something happened."""
    size, count = opponents.shape
    happened = games.happened.astype(np.int64)
    total = int(happened.sum())
    columns = dict(zip(CELLS.names, room(total), strict=True))
    before = np.cumsum(happened) - happened  # per player, the player-rounds of the players before him
    kept = None
    if total != size * count:
        kept = np.arange(total) + np.repeat(np.arange(0, size * count, count) - before, happened)

    def repeated(name: str, values: np.ndarray) -> None:
        """A value a player."""
        columns[name][:] = np.repeat(values.astype(np.int32, copy=False), happened)

    def taken(values: np.ndarray) -> np.ndarray:
        """A value a player and round."""
        return values.ravel() if kept is None else np.take(values.ravel(), kept, mode="clip")

    repeated("event", block.file + np.int32(event))
    repeated("entry", np.arange(row, row + size, dtype=np.int32))
    repeated("line", block.line)
    np.subtract(
        np.arange(1, total + 1, dtype=np.int32), np.repeat(before.astype(np.int32), happened), out=columns["round"]
    )
    np.multiply(columns["round"], np.int32(at.WIDTH), out=columns["column"])
    columns["column"] += np.int32(at.round_column(0))
    columns["opponent_number"][:] = taken(games.opponent)
    met = taken(opponents)
    columns["opponent"][:] = np.where(met < 0, met, met + np.int32(row)) if row else met
    letters = letters_of(taken(games.code))
    columns["colour"][:], columns["result"][:] = letters[:, 0], letters[:, 1]
    return pa.table([arrow.numbers(values) for values in columns.values()], schema=CELLS)
