"""The reports as NumPy columns, in canonical order: what every check looks at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.model import Event, Reports, texts

SLICE = 400_000
"""Cells looked at together: columns of this length stay in the processor's cache, which makes the passes several times faster."""

PLAYED = np.zeros(256, bool)
"""By result letter: a game that was played."""
PLAYED[[ord(letter) for letter in "1=0"]] = True

NO_RESULT = np.zeros(256, bool)
"""By result letter: a game whose result is not known."""
NO_RESULT[[ord(letter) for letter in "*?"]] = True


def _numbers(source: pa.Table, name: str) -> np.ndarray:
    """A whole-number column, not copied where it is in one piece."""
    column = source.column(name)
    if column.null_count:
        column = column.fill_null(0)
    if column.num_chunks == 1:
        return column.chunk(0).to_numpy()
    return column.to_numpy()


def starts_of(group: np.ndarray, count: int) -> np.ndarray:
    """Of rows that stand by group: where each group's rows begin, and one past the last."""
    return np.searchsorted(group, np.arange(count + 1, dtype=group.dtype))


def order_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places of whole numbers in ascending order, equal ones by place, and the numbers so ordered.

    Number and place are packed into one 64-bit number where they fit, which sorts several times faster than ``argsort``.
    """
    bits = len(values).bit_length()
    if len(values) and int(values.min()) >= 0 and int(values.max()).bit_length() + bits < 64:
        packed = (values.astype(np.int64) << bits) | np.arange(len(values))
        packed.sort()
        return packed & ((1 << bits) - 1), packed >> bits
    order = np.argsort(values, kind="stable")
    return order, values[order]


@dataclass(frozen=True)
class Columns:
    """Players and player-rounds of all reports.

    Players stand by event, player-rounds by player and round, so that an event's rows (``entries_of``, ``cells_of``) and a player's are
    slices. Player-rounds whose start number nobody has are set apart in ``orphans``.
    """

    reports: Reports
    event_of_entry: np.ndarray
    number: np.ndarray
    fideid: np.ndarray
    rating: np.ndarray
    points: np.ndarray
    entry_line: np.ndarray
    event: np.ndarray
    entry: np.ndarray
    round: np.ndarray
    opponent: np.ndarray
    opponent_number: np.ndarray
    colour: np.ndarray
    result: np.ndarray
    line: np.ndarray
    column: np.ndarray
    entry_start: np.ndarray
    """Per event the first of its rows of players, and one past the last."""
    cell_start: np.ndarray
    """The same of player-rounds."""
    first: np.ndarray
    """Per player the first of his player-rounds, and one past the last."""
    orphans: pa.Table

    @classmethod
    def of(cls, reports: Reports) -> Columns:
        """The columns of reports; the player-rounds are put in order of player and round where they are not."""
        entries, cells = reports.entries, reports.cells
        own = _numbers(cells, "entry")
        orphans = cells.slice(0, 0)
        if len(own) and int(own.min()) < 0:
            orphans = cells.filter(pa.array(own < 0))
            cells = cells.filter(pa.array(own >= 0))
            own = _numbers(cells, "entry")
        rounds = _numbers(cells, "round")
        if len(own) > 1 and not _in_order(own, rounds):
            order = np.lexsort((_numbers(cells, "column"), _numbers(cells, "line"), rounds, own))
            cells = cells.take(pa.array(order))
            own, rounds = _numbers(cells, "entry"), _numbers(cells, "round")
        # Players stand by event already: reports are gathered one after the other.
        event_of_entry, event = _numbers(entries, "event"), _numbers(cells, "event")
        return cls(
            reports=Reports(reports.events, entries, cells, reports.problems),
            event_of_entry=event_of_entry,
            event=event,
            entry=own,
            round=rounds,
            entry_start=starts_of(event_of_entry, len(reports.events)),
            cell_start=starts_of(event, len(reports.events)),
            first=starts_of(own, entries.num_rows),
            orphans=orphans,
            entry_line=_numbers(entries, "line"),
            **{name: _numbers(entries, name) for name in ("number", "fideid", "rating", "points")},
            **{
                name: _numbers(cells, name)
                for name in ("opponent", "opponent_number", "colour", "result", "line", "column")
            },
        )

    @property
    def events(self) -> list[Event]:
        """The heads of the reports."""
        return self.reports.events

    def entries_of(self, event: int) -> slice:
        """The rows of an event's players."""
        return slice(int(self.entry_start[event]), int(self.entry_start[event + 1]))

    def cells_of(self, event: int) -> slice:
        """The rows of an event's player-rounds."""
        return slice(int(self.cell_start[event]), int(self.cell_start[event + 1]))

    def slices(self) -> Iterator[slice]:
        """All player-rounds in pieces of whole events, each about ``SLICE`` long."""
        start, total = 0, len(self.event)
        while start < total:
            stop = int(self.cell_start[np.searchsorted(self.cell_start, min(start + SLICE, total))])
            yield slice(start, stop)
            start = stop

    def add_up(self, values: np.ndarray, piece: slice, totals: np.ndarray) -> None:
        """Sums per player of a piece of player-rounds, written into ``totals``: a player's are a piece of a running total."""
        low, high = int(self.entry[piece.start]), int(self.entry[piece.stop - 1]) + 1
        running = np.zeros(len(values) + 1, totals.dtype)
        np.cumsum(values, out=running[1:])
        bounds = running[self.first[low : high + 1] - piece.start]
        totals[low:high] = bounds[1:] - bounds[:-1]

    def name(self, row: int) -> str:
        """A player's name as printed."""
        return self.reports.entries.column("name")[row].as_py() or ""

    def who(self, row: int) -> str:
        """A player as messages call him: start number and name."""
        return f"{int(self.number[row])} {self.name(row)}".rstrip()

    def names(self, rows: slice) -> list[str]:
        """The names of some players."""
        return texts(self.reports.entries.slice(rows.start, rows.stop - rows.start), "name")


def _in_order(entry: np.ndarray, rounds: np.ndarray) -> bool:
    for start in range(0, len(entry) - 1, SLICE):
        a, b = slice(start, start + SLICE), slice(start + 1, start + SLICE + 1)
        later, r = entry[b], rounds[b]
        before = entry[a][: len(later)]
        if not bool(((later > before) | ((later == before) & (r >= rounds[a][: len(later)]))).all()):
            return False
    return True
