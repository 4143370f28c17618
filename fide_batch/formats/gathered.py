"""The tables of a whole month, filled batch by batch in place: no second copy of millions of player-rounds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow
from fide_batch.model import CELLS, ENTRIES, Event, Problem, Reports


class Gathered:
    """Reports as they come, side by side.

    Args:
        most_cells: how many player-rounds there may be; room for so many is reserved (not used), more make it grow.
    """

    def __init__(self, most_cells: int) -> None:
        self._columns = [np.empty(max(most_cells, 1), arrow.dtype(kind)) for kind in CELLS.types]
        self._size = 0
        self._events: list[Event] = []
        self._people: list[list[pa.Array]] = [[] for _ in ENTRIES]
        self._problems: list[Problem] = []
        self.rows = 0
        """Players so far."""

    @property
    def events(self) -> int:
        """Reports so far."""
        return len(self._events)

    def room(self, count: int) -> list[np.ndarray]:
        """Where the next player-rounds will stand, so many; good until reports are added."""
        stop = self._size + count
        if stop > len(self._columns[0]):
            self._columns = [
                np.concatenate((column[: self._size], np.empty(stop, column.dtype))) for column in self._columns
            ]
        return [column[self._size : stop] for column in self._columns]

    def add(self, part: Reports) -> None:
        """More reports, whose events and players are counted on from those before."""
        self._events += part.events
        self._problems += part.problems
        for pieces, people in zip(self._people, part.entries.columns, strict=True):
            pieces += people.chunks
        self.rows += part.entries.num_rows
        for place, values in zip(self.room(part.cells.num_rows), map(arrow.values, part.cells.columns), strict=True):
            # What was read right into its place is there already.
            if place.ctypes.data != values.ctypes.data:
                place[:] = values
        self._size += part.cells.num_rows

    def reports(self) -> Reports:
        """All reports, with their problems by place. To be called once: each column of players is given up for the whole one."""
        people = []
        for pieces, kind in zip(self._people, ENTRIES.types, strict=True):
            people.append(pa.concat_arrays(pieces) if pieces else arrow.no_values(kind))
            pieces.clear()
        return Reports(
            self._events,
            pa.table(people, schema=ENTRIES),
            pa.table([arrow.numbers(column[: self._size]) for column in self._columns], schema=CELLS),
            sorted(self._problems, key=lambda problem: problem.sort_key),
        )
