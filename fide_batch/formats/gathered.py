"""The tables of a whole month, filled batch by batch in place: no second copy of millions of player-rounds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow
from fide_batch.formats import trf_columns as at
from fide_batch.formats.arrow import Growing, GrowingTexts
from fide_batch.model import CELLS, ENTRIES, Event, Problem, Reports

_MOST_ROOM = 50_000_000
"""Player-rounds of several world's months."""


class Gathered:
    """Reports as they come, side by side.

    Args:
        most_cells: how many player-rounds there may be; room for so many is reserved (not used), more make it grow.
    """

    def __init__(self, most_cells: int) -> None:
        most_cells = min(most_cells, _MOST_ROOM)
        self._cells = [Growing(arrow.dtype(kind), most_cells) for kind in CELLS.types]
        most_players = most_cells * at.WIDTH // at.CELLS
        self._people = [
            GrowingTexts(most_players) if kind == pa.string() else Growing(arrow.dtype(kind), most_players)
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

    def add(self, part: Reports, *, by_itself: bool = False) -> None:
        """More reports.

        Args:
            part: the reports.
            by_itself: whether their events and players are counted from 0, to be moved on here, or from those before already.
        """
        events, rows = (self.events, self.rows) if by_itself else (0, 0)
        steps = {"event": events, "entry": rows, "opponent": rows}
        self._events += part.events
        self._problems += part.problems
        self.rows += part.entries.num_rows
        for name, people, column in zip(ENTRIES.names, self._people, part.entries.columns, strict=True):
            if isinstance(people, Growing):
                _add(people, arrow.values(column), steps.get(name, 0))
            else:
                for chunk in column.chunks:
                    people.add(chunk)
        for name, cells, column in zip(CELLS.names, self._cells, part.cells.columns, strict=True):
            _add(cells, arrow.values(column), steps.get(name, 0))

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
