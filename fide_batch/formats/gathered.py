"""The tables of a whole month, filled batch by batch in place: no second copy of millions of player-rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow
from fide_batch.formats import trf_columns as at
from fide_batch.formats.arrow import Growing, GrowingTexts
from fide_batch.model import CELLS, ENTRIES, Event, Problem, Reports

_MOST_ROOM = 100_000_000
"""Player-rounds of many of the world's months."""


class Gathered:
    """Reports as they come, side by side.

    Args:
        most_cells: how many player-rounds there may be; room for so many is reserved (not used), more make it grow.
        shared: whether a copy of this process fills the same memory.
    """

    def __init__(self, most_cells: int, shared: bool = False) -> None:
        most_cells = min(most_cells, _MOST_ROOM)
        self._cells = [Growing(arrow.dtype(kind), most_cells, shared) for kind in CELLS.types]
        most_players = most_cells * at.WIDTH // at.CELLS
        self._people = [
            GrowingTexts(most_players, shared)
            if kind == pa.string()
            else Growing(arrow.dtype(kind), most_players, shared)
            for kind in ENTRIES.types
        ]
        self._events: list[Event] = []
        self._problems: list[Problem] = []
        self.rows = 0
        """Players so far."""

    @property
    def events(self) -> int:
        """Reports so far."""
        return len(self._events)

    def room(self, count: int) -> list[np.ndarray]:
        """Where the next player-rounds will stand, so many; good until reports are added."""
        return [column.next(count) for column in self._cells]

    def add(self, part: Reports) -> None:
        """More reports, whose events and players are counted on from those before."""
        self._events += part.events
        self._problems += part.problems
        self.rows += part.entries.num_rows
        for people, column in zip(self._people, part.entries.columns, strict=True):
            if isinstance(people, Growing):
                people.add(arrow.values(column))
            else:
                for chunk in column.chunks:
                    people.add(chunk)
        for cells, column in zip(self._cells, part.cells.columns, strict=True):
            cells.add(arrow.values(column))

    def written(self) -> Any:
        """All but what stands in shared memory, to be taken by the process this one is a copy of."""
        return self._events, self._problems, self.rows, [column.written() for column in (*self._people, *self._cells)]

    def take(self, written: Any) -> None:
        """Have what a copy of this process has gathered."""
        self._events, self._problems, self.rows, columns = written
        for column, of_column in zip((*self._people, *self._cells), columns, strict=True):
            column.take(of_column)

    def append(self, other: Gathered) -> None:
        """What was gathered by itself, its events and players counted from 0; column by column it is left without it."""
        steps = {"event": self.events, "entry": self.rows, "opponent": self.rows}
        self._events += other._events
        self._problems += other._problems
        self.rows += other.rows
        other._people.reverse()
        other._cells.reverse()
        for name, people in zip(ENTRIES.names, self._people, strict=True):
            more = other._people.pop()
            if isinstance(people, GrowingTexts):
                people.add(more.column)
            elif isinstance(more, Growing):
                _add(people, more.values, steps.get(name, 0))
        for name, cells in zip(CELLS.names, self._cells, strict=True):
            _add(cells, other._cells.pop().values, steps.get(name, 0))

    def reports(self) -> Reports:
        """All reports, with their problems by place."""
        return Reports(
            self._events,
            pa.table([column.column for column in self._people], schema=ENTRIES),
            pa.table([column.column for column in self._cells], schema=CELLS),
            sorted(self._problems, key=lambda problem: problem.sort_key),
        )


def _add(column: Growing, values: np.ndarray, step: int) -> None:
    """Some more places, each so many later; what is no place (-1, -2) stays what it is."""
    if step:
        moved = column.next(len(values))
        np.add(values, values.dtype.type(step), out=moved)
        np.copyto(moved, values, where=values < 0)
        values = moved
    column.add(values)
