"""All reports of the month laid out in one order, so that nothing depends on the order of files and rows.

Events stand by start, end, name and file; the players of an event by start number; their games by round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, Event, Reports, numbers
from fide_batch.regulations.edition import Edition

EPOCH = date(1970, 1, 1)

PIECE = 1 << 17
"""Player-rounds reckoned together, and a block of rows of the sealed games: columns of this length stay in the processor's cache."""


@dataclass(frozen=True)
class Sheet:
    """The reports in columns. ``event`` counts events, ``entry`` and ``opponent`` participants, in the order of the sheet."""

    events: list[Event]
    labels: list[str]
    """The events' names, each only once in the month."""
    editions: list[Edition]
    """Of each event's first day."""
    place_of_list: np.ndarray
    """For each event the place in ``Month.lists`` of the list in force."""
    control: np.ndarray
    """For each event the place of its control in ``CONTROLS``."""
    start: np.ndarray
    end: np.ndarray
    """For each event in days since 1970."""
    event: np.ndarray
    """For each participant ..."""
    number: np.ndarray
    player: np.ndarray
    source: np.ndarray
    """... and his row in the table of entries."""
    entry: np.ndarray
    """For each player-round ..."""
    opponent: np.ndarray
    """-1 no opponent, -2 a start number nobody has."""
    round: np.ndarray
    colour: np.ndarray
    result: np.ndarray
    line: np.ndarray

    @cached_property
    def laws(self) -> tuple[list[int], np.ndarray]:
        """The editions and controls of the month: an event of each pair, and for each participant the place of his."""
        known: dict[tuple[int, int], int] = {}
        pairs = list(zip((id(edition) for edition in self.editions), self.control.tolist(), strict=True))
        of_event = np.array([known.setdefault(pair, len(known)) for pair in pairs], np.uint16)
        return [pairs.index(pair) for pair in known], of_event[self.event]

    @cached_property
    def entry_bounds(self) -> np.ndarray:
        """Where each event's participants begin, and the end of the last."""
        return np.searchsorted(self.event, np.arange(len(self.events) + 1))

    @cached_property
    def cell_bounds(self) -> np.ndarray:
        """Where each event's player-rounds begin, and the end of the last."""
        return np.searchsorted(self.entry, self.entry_bounds)

    def pieces(self) -> Iterator[Piece]:
        """The sheet in pieces of whole events, each of ``PIECE`` player-rounds or a little more."""
        events, cells, seats = len(self.events), self.cell_bounds, self.entry_bounds
        begin = 0
        while begin < events:
            end = int(np.searchsorted(cells, cells[begin] + PIECE)) if cells[begin] + PIECE < cells[-1] else events
            yield self._piece(slice(begin, end), slice(seats[begin], seats[end]), slice(cells[begin], cells[end]))
            begin = end

    def _piece(self, events: slice, seats: slice, cells: slice) -> Piece:
        opponent = self.opponent[cells]
        part = Sheet(
            self.events[events], self.labels[events], self.editions[events], self.place_of_list[events], self.control[events], self.start[events],
            self.end[events], self.event[seats] - np.int32(events.start), self.number[seats], self.player[seats], self.source[seats],
            self.entry[cells] - np.int32(seats.start), np.where(opponent >= 0, opponent - np.int32(seats.start), opponent), self.round[cells],
            self.colour[cells], self.result[cells], self.line[cells],
        )  # fmt: skip
        return Piece(part, seats, cells)


@dataclass(frozen=True)
class Piece:
    """Some whole events of a sheet, which are a sheet themselves, and where their participants and player-rounds stand in the whole."""

    sheet: Sheet
    seats: slice
    cells: slice


def lay_out(
    reports: Reports, player: np.ndarray, editions: list[Edition] | tuple[Edition, ...], place_of_list: list[int]
) -> Sheet:  # fmt: skip
    """The reports in the order of the sheet.

    Raises:
        ValueError: for an event without start, end or control; the checks let none through.
    """
    for event in reports.events:
        if event.start is None or event.end is None or event.control not in CONTROLS:
            raise ValueError(f"{event.file}: an event without dates or control cannot be rated")
    places = sorted(range(len(reports.events)), key=lambda place: _event_key(reports.events[place]))
    events = [reports.events[place] for place in places]
    rank = np.empty(len(places) + 1, np.int32)
    rank[places] = np.arange(len(places), dtype=np.int32)

    entries, cells = reports.entries, reports.cells
    event = rank[numbers(entries, "event")]
    number, line = numbers(entries, "number"), numbers(entries, "line")
    source = _order(line, number, event)
    seat = np.empty(len(source), np.int32)
    seat[source] = np.arange(len(source), dtype=np.int32)

    own, opponent = numbers(cells, "entry"), numbers(cells, "opponent")
    if len(own) and own.min() < 0:  # rounds of nobody: the checks tell of them, here they are nobody's
        cells = cells.filter(pa.array(own >= 0))
        own, opponent = numbers(cells, "entry"), numbers(cells, "opponent")
    entry = seat[own]
    met = np.where(opponent >= 0, seat[np.maximum(opponent, 0)], opponent) if len(own) else opponent
    round_, result = numbers(cells, "round"), numbers(cells, "result")
    order = _blocks_in_order(numbers(cells, "event"), rank)
    if not _ascending(entry, round_, order):
        order = _order(result, met, round_, entry)

    def laid(column: np.ndarray) -> np.ndarray:
        return column if order is None else column[order]

    return Sheet(
        events, _labels(events), [editions[place] for place in places], np.array([place_of_list[place] for place in places], np.int32),
        np.array([CONTROLS.index(each.control) for each in events], np.uint8),
        _days(events, "start"), _days(events, "end"),
        event[source], number[source], np.asarray(player, np.int64)[source], source,
        laid(entry), laid(met), laid(round_), laid(numbers(cells, "colour")), laid(result), laid(numbers(cells, "line")),
    )  # fmt: skip


def _event_key(event: Event) -> tuple[date, date, str, str, str, str]:
    return (event.start or EPOCH, event.end or EPOCH, event.name, event.file, event.sha256, event.control)


def _labels(events: list[Event]) -> list[str]:
    """The events' names; where two have the same one, or none, the file is added."""
    names = Counter(event.name for event in events)
    labels: list[str] = []
    taken = {name for name, times in names.items() if name and times == 1}
    for event in events:
        label = event.name
        if not event.name or names[event.name] > 1:
            label = bare = f"{event.name} ({event.file})".strip()
            times = 1
            while label in taken:
                times += 1
                label = f"{bare} {times}"
            taken.add(label)
        labels.append(label)
    return labels


def _days(events: list[Event], name: str) -> np.ndarray:
    return np.array([(getattr(event, name) - EPOCH).days for event in events], np.int32)


def _order(*keys: np.ndarray) -> np.ndarray:
    """The rows by the last key, then the one before, and so on; quick where they stand in that order already or nearly so."""
    major, minor = keys[-1].astype(np.int64), keys[-2].astype(np.int64)
    if not len(major):
        return np.zeros(0, np.int64)
    together = major * (int(minor.max()) + 2) + minor + 1
    if (together[1:] > together[:-1]).all():
        return np.arange(len(together))
    order = np.argsort(together, kind="stable")
    laid = together[order]
    return order if (laid[1:] > laid[:-1]).all() else np.lexsort((*keys[:-2], together))


def _blocks_in_order(event: np.ndarray, rank: np.ndarray) -> np.ndarray | None:
    """The rows by the rank of their event, those of an event as they stand; None where they stand so already."""
    begins = np.flatnonzero(np.concatenate([[True], event[1:] != event[:-1]])) if len(event) else np.zeros(0, np.int64)
    blocks = np.argsort(rank[event[begins]], kind="stable")
    if (blocks == np.arange(len(blocks))).all():
        return None
    sizes = np.diff(np.append(begins, len(event)))[blocks]
    moved = (begins[blocks] - np.cumsum(sizes) + sizes).astype(np.int32)
    return np.repeat(moved, sizes) + np.arange(len(event), dtype=np.int32)


def _ascending(major: np.ndarray, minor: np.ndarray, order: np.ndarray | None) -> bool:
    """Whether rows so ordered go up by two columns, no two of them alike."""
    for begin in range(0, len(major) - 1, PIECE):
        rows: slice | np.ndarray = slice(begin, begin + PIECE + 1)
        rows = rows if order is None else order[rows]
        a, b = major[rows], minor[rows]
        if not ((a[1:] > a[:-1]) | ((a[1:] == a[:-1]) & (b[1:] > b[:-1]))).all():
            return False
    return True
