"""The columns of the fast reader as the tables ENTRIES and CELLS."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.formats import arrow
from fide_batch.formats import trf_columns as at
from fide_batch.formats.dates import birth
from fide_batch.formats.trf_fast_columns import SEXES, Players, Rounds, beyond_ascii, letters_of
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
    title: pa.Array
    federation: pa.Array
    birth: pa.Array

    @classmethod
    def of(cls, block: Block, people: Players, texts: Sequence[str | None]) -> Words:
        """The texts of a block; ``texts`` holds per file its text where it has letters outside ASCII."""
        name, odd = _names(block, texts)
        title, _ = _looked_up(people.title, lambda code: (title_text(_letters(code)), ""))
        federation, _ = _looked_up(people.federation, lambda code: (_letters(code).strip().upper(), ""))
        born, unreadable = _looked_up(people.birth, _birth)
        return cls(odd | unreadable, name, title, federation, born)


def _letters(code: int) -> str:
    return code.to_bytes(3, "little").decode("latin-1")


def _birth(key: int) -> tuple[str, str]:
    if not key:
        return "", ""
    text, _, message = birth(f"{key // 10_000:04d}/{key // 100 % 100:02d}/{key % 100:02d}")
    return text, message


def _looked_up(codes: np.ndarray, look: Callable[[int], tuple[str, str]]) -> tuple[pa.Array, np.ndarray]:
    """Codes as texts, each different one looked up once; and where something is to be said of it."""
    encoded = arrow.numbers(codes).dictionary_encode()
    places = arrow.values(encoded.indices)
    answers = [look(code) for code in encoded.dictionary.to_pylist()]
    texts = arrow.looked_up([text for text, _ in answers], places)
    if not any(message for _, message in answers):
        return texts, np.zeros(len(codes), bool)
    said = np.array([bool(message) for _, message in answers], bool)
    return texts, said[places]


def _names(block: Block, texts: Sequence[str | None]) -> tuple[pa.Array, np.ndarray]:
    """The names, and where there is none."""
    letters = np.ascontiguousarray(block.matrix[:, at.NAME])
    rows = np.zeros(0, np.int64)
    if any(text is not None for text in texts):
        has_text = np.array([text is not None for text in texts])
        rows = np.flatnonzero(beyond_ascii(block.matrix, at.NAME) & has_text[block.file])
        letters[rows] = ord("?")
    names = pc.ascii_trim(arrow.cells(letters), characters=" ")
    if len(rows):
        spelled = []
        begin = block.offset[rows] + at.NAME.start
        for file, start in zip(block.file[rows].tolist(), begin.tolist(), strict=True):
            text = texts[file]
            spelled.append(text[start : start + len(letters[0])].strip() if text else "")
        wide = np.zeros(len(letters), bool)
        wide[rows] = True
        names = pc.replace_with_mask(names, arrow.marks(wide), arrow.texts(spelled))
    ends = np.frombuffer(names.buffers()[1], np.int32, len(names) + 1, 4 * names.offset)
    return names, ends[1:] == ends[:-1]


def entries_table(people: Players, words: Words, block: Block, event: int) -> pa.Table:
    """ENTRIES of a block whose first event has this place."""
    size = len(people.number)
    found = {
        "event": arrow.numbers(block.file + np.int32(event)),
        "number": arrow.numbers(people.number),
        "fideid": arrow.numbers(people.identity),
        "id_found": arrow.blanks(size),
        "name": words.name,
        "sex": arrow.looked_up(SEXES, people.sex),
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
