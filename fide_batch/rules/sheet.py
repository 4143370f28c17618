"""All reports of the month in one order, so that nothing depends on the order of files and rows.

Events stand by start, end, name and file; the players of an event by start number; their games by round. The participants are laid out whole; the
player-rounds, by far the most of a month, stay where they were read and are laid out piece by piece, some events at a time.
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
    """The events and participants of the reports in columns. ``event`` counts events in the order of the sheet."""

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


@dataclass(frozen=True)
class Piece(Sheet):
    """Some whole events with their player-rounds. ``entry`` and ``opponent`` count participants of the piece."""

    entry: np.ndarray
    """For each player-round ..."""
    opponent: np.ndarray
    """-1 no opponent, -2 a start number nobody has."""
    round: np.ndarray
    colour: np.ndarray
    result: np.ndarray
    line: np.ndarray
    places: slice
    """Of its events in the whole sheet ..."""
    seats: slice
    """... and of its participants."""
    cells: slice
    """Its player-rounds among all of the month, in the order of the sheet."""

    @cached_property
    def cell_bounds(self) -> np.ndarray:
        """Where each event's player-rounds begin, and the end of the last."""
        return np.searchsorted(self.entry, self.entry_bounds)


@dataclass(frozen=True)
class Rounds:
    """The player-rounds of all reports as they were read, and the order of the sheet."""

    columns: dict[str, np.ndarray]
    """``entry``, ``opponent``, ``round``, ``colour``, ``result`` and ``line`` of CELLS."""
    seat: np.ndarray
    """For each row of ENTRIES the participant in the sheet."""
    begin: np.ndarray
    """For each event of the sheet its first row, and ..."""
    bounds: np.ndarray
    """... where it stands in the order of the sheet, with the end of the last."""
    order: np.ndarray | None
    """All rows in the order of the sheet; None where each event's stand together and in order."""

    def __len__(self) -> int:
        return int(self.bounds[-1])

    def rows(self, events: slice) -> np.ndarray:
        """The rows of some events, in the order of the sheet."""
        if self.order is not None:
            return self.order[self.bounds[events.start] : self.bounds[events.stop]]
        return _runs(self.begin[events], np.diff(self.bounds[events.start : events.stop + 1]))

    def who(self, rows: np.ndarray) -> np.ndarray:
        """Whose rounds they are, as participants of the sheet."""
        return self.seat[self.columns["entry"][rows]]

    def pieces(self, sheet: Sheet) -> Iterator[Piece]:
        """The whole sheet in pieces of whole events, each of ``PIECE`` player-rounds or a little more."""
        events, cells, seats = len(sheet.events), self.bounds, sheet.entry_bounds
        begin = 0
        while begin < events:
            end = int(np.searchsorted(cells, cells[begin] + PIECE)) if cells[begin] + PIECE < cells[-1] else events
            yield self._piece(
                sheet, slice(begin, end), slice(seats[begin], seats[end]), slice(cells[begin], cells[end])
            )
            begin = end

    def _piece(self, sheet: Sheet, events: slice, seats: slice, cells: slice) -> Piece:
        rows, first = self.rows(events), np.int32(seats.start)
        opponent = self.columns["opponent"][rows]
        if len(opponent):
            opponent = np.where(opponent >= 0, self.seat[np.maximum(opponent, 0)] - first, opponent)
        return Piece(
            sheet.events[events], sheet.labels[events], sheet.editions[events], sheet.place_of_list[events], sheet.control[events],
            sheet.start[events], sheet.end[events], sheet.event[seats] - np.int32(events.start), sheet.number[seats], sheet.player[seats],
            sheet.source[seats], self.who(rows) - first, opponent, self.columns["round"][rows], self.columns["colour"][rows],
            self.columns["result"][rows], self.columns["line"][rows], events, seats, cells,
        )  # fmt: skip


def lay_out(
    reports: Reports, player: np.ndarray, editions: list[Edition] | tuple[Edition, ...], place_of_list: list[int]
) -> tuple[Sheet, Rounds]:  # fmt: skip
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

    entries = reports.entries
    event = rank[numbers(entries, "event")]
    number, line = numbers(entries, "number"), numbers(entries, "line")
    source = _order(line, number, event)
    seat = np.empty(len(source), np.int32)
    seat[source] = np.arange(len(source), dtype=np.int32)
    sheet = Sheet(
        events, _labels(events), [editions[place] for place in places], np.array([place_of_list[place] for place in places], np.int32),
        np.array([CONTROLS.index(each.control) for each in events], np.uint8),
        _days(events, "start"), _days(events, "end"),
        event[source], number[source], np.asarray(player, np.int64)[source], source,
    )  # fmt: skip
    return sheet, _rounds(reports, rank, seat)


def _rounds(reports: Reports, rank: np.ndarray, seat: np.ndarray) -> Rounds:
    """The player-rounds, and their order: quick where they stand by row of ENTRIES and round, as readers leave them."""
    cells = reports.cells
    own = numbers(cells, "entry")
    if len(own) and own.min() < 0:  # rounds of nobody: the checks tell of them, here they are nobody's
        cells = cells.filter(pa.array(own >= 0))
    columns = {name: numbers(cells, name) for name in ("entry", "opponent", "round", "colour", "result", "line")}
    entry, event = columns["entry"], numbers(reports.entries, "event")
    if _ascending(event) and _ascending(entry):
        edges = np.searchsorted(event, np.arange(len(reports.events) + 1))
        begin_of, end_of = np.searchsorted(entry, edges[:-1]), np.searchsorted(entry, edges[1:])
        begin, sizes = np.empty_like(begin_of), np.empty_like(begin_of)
        begin[rank[:-1]], sizes[rank[:-1]] = begin_of, end_of - begin_of
        rounds = Rounds(columns, seat, begin, np.concatenate([[0], np.cumsum(sizes)]), None)
        if _in_order(rounds):
            return rounds
    who, opponent = seat[entry], columns["opponent"]
    met = np.where(opponent >= 0, seat[np.maximum(opponent, 0)], opponent)
    order = _order(columns["result"], met, columns["round"], who)
    sizes = (
        np.bincount(rank[event[entry]], minlength=len(reports.events))
        if len(entry)
        else np.zeros(len(reports.events), np.int64)
    )
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    return Rounds(columns, seat, bounds[:-1], bounds, order)


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


def _runs(begin: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Whole numbers from each beginning on, so many of each, one run after the other."""
    return np.repeat(begin - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())


def _ascending(values: np.ndarray) -> bool:
    return bool((values[1:] >= values[:-1]).all())


def _in_order(rounds: Rounds) -> bool:
    """Whether each event's player-rounds go up by participant and round, no two of them alike."""
    events = len(rounds.begin)
    step = max(1, events * PIECE // max(len(rounds), 1))
    for begin in range(0, events, step):
        rows = rounds.rows(slice(begin, min(begin + step, events)))
        who, round_ = rounds.who(rows), rounds.columns["round"][rows]
        if not ((who[1:] > who[:-1]) | ((who[1:] == who[:-1]) & (round_[1:] > round_[:-1]))).all():
            return False
    return True
