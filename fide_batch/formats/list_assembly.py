"""Blocks of rows read in columns, and the odd rows among them read with care, put together in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.formats import arrow
from fide_batch.formats.arrow import Growing, GrowingTexts
from fide_batch.formats.list_cells import NUMBERS, WORDS
from fide_batch.formats.list_columns import Gathering, Rows, Words
from fide_batch.formats.list_txt_block import BLANK, Block, Codes

_MOST_ROOM = 4_000_000
"""More than all players there are. A hostile file may promise any number of them."""


class Assembly:
    """A list as far as it has been read."""

    def __init__(self, columns: Sequence[str], gathering: Gathering, room: int = 10_000) -> None:
        """Start with nothing.

        Args:
            columns: of LIST, those the list has.
            gathering: where the odd rows go.
            room: for so many players memory is reserved (not used); more make it grow.
        """
        self.columns = [name for name in columns if name in NUMBERS or name in WORDS]
        self.gathering = gathering
        self._ids = Growing(np.dtype(np.int64), min(room, _MOST_ROOM))
        self._names = GrowingTexts(min(room, _MOST_ROOM))
        self._cells = {name: Growing(np.dtype(np.int32), min(room, _MOST_ROOM)) for name in self.columns}
        self._codes = {name: Codes(name) for name in self.columns if name in WORDS}
        self._kept: list[np.ndarray] = []
        self._careful: list[np.ndarray] = []
        self._players = 0

    def add(self, block: Block, kept: np.ndarray) -> None:
        """A block.

        Args:
            block: its rows; those that are odd have been added to the gathering if they are players.
            kept: bool, the rows that are players.
        """
        players = slice(None) if kept.all() else kept
        odd, names = block.odd[players], block.names[players]
        self._careful.append(np.flatnonzero(odd) + self._players)
        # What stands in an odd row may not even be ASCII; it is replaced below.
        names[odd] = BLANK
        self._names.add(texts(names))
        self._ids.add(block.ids[players])
        for name in self.columns:
            self._cells[name].add((block.numbers[name] if name in NUMBERS else block.words[name])[players])
        self._kept.append(kept)
        self._players += len(odd)

    def next(self, name: str, count: int) -> np.ndarray:
        """Where the next numbers, or places of codes, of a column will stand, so many."""
        return self._cells[name].next(count)

    def codes(self, name: str) -> Codes:
        """The texts of a column."""
        return self._codes[name]

    @property
    def kept(self) -> np.ndarray:
        """bool, of all rows seen: those that are players."""
        return np.concatenate(self._kept) if self._kept else np.zeros(0, bool)

    def rows(self, line_of: Callable[[int], int]) -> Rows:
        """All players. ``line_of`` tells the line of one."""
        careful = self.gathering.rows
        places = np.concatenate(self._careful) if self._careful else np.zeros(0, np.int64)

        def spliced(column: Growing, careful_values: np.ndarray) -> np.ndarray:
            values = column.values
            values[places] = careful_values
            return values

        names = self._names.column
        if len(places):
            mask = np.zeros(len(names), bool)
            mask[places] = True
            names = pc.replace_with_mask(names, arrow.marks(mask), careful.names)
        numbers: dict[str, np.ndarray] = {}
        words: dict[str, Words] = {}
        for name in self.columns:
            if name in NUMBERS:
                numbers[name] = spliced(self._cells[name], careful.numbers[name])
            else:
                codes = self._codes[name]
                again = np.array([codes.place(value) for value in careful.words[name].values], np.int32)
                words[name] = Words(spliced(self._cells[name], again[careful.words[name].places]), codes.values)
        return Rows(
            self.gathering.told,
            spliced(self._ids, careful.ids),
            names,
            numbers,
            words,
            line_of,
            self.gathering.century_end,
        )


def texts(cells: np.ndarray) -> pa.Array:
    """Cells of equal width (uint8, shape (rows, width)) as texts without the blanks after them."""
    return pc.ascii_rtrim(arrow.cells(cells), characters=" ")
