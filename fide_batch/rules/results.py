"""Unrated players' results: this month's, and those kept from earlier months."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, KEPT, numbers, table
from fide_batch.regulations.edition import Edition
from fide_batch.rules.join import rows_of
from fide_batch.rules.rateable import SCORE, Kind
from fide_batch.rules.round_robin import RoundRobin
from fide_batch.rules.sheet import EPOCH, Piece


@dataclass(frozen=True)
class Results:
    """A row a player and event, this month's first and then the kept ones."""

    fideid: np.ndarray
    row: np.ndarray
    """In the new list; -1 for a kept player who is on no list any more."""
    control: np.ndarray
    event: np.ndarray
    """The events' names (objects)."""
    start: np.ndarray
    end: np.ndarray
    games: np.ndarray
    """Games that count."""
    score: np.ndarray
    total: np.ndarray
    """Sum of the opponents' ratings; of a closed round robin without meaning."""
    entry: np.ndarray
    """The participant in the sheet; -1 for a kept result."""
    bounds: np.ndarray
    """Where each result's games begin in the two columns below, and the end of the last."""
    opponents: np.ndarray
    scores: np.ndarray
    closed: dict[int, RoundRobin] = field(default_factory=dict)
    """The closed round robins, by row."""

    def __len__(self) -> int:
        return len(self.fideid)

    def only(self, rows: np.ndarray) -> Results:
        """Some of the results, in the order given."""
        sizes = self.games[rows]
        bounds = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        picked = np.repeat(self.bounds[:-1][rows] - bounds[:-1], sizes) + np.arange(bounds[-1])
        columns = {
            name: getattr(self, name)[rows]
            for name in ("fideid", "row", "control", "event", "start", "end", "games", "score", "total", "entry")
        }
        closed = {}
        if self.closed:
            closed = {place: self.closed[old] for place, old in enumerate(rows.tolist()) if old in self.closed}
        return Results(
            **columns, bounds=bounds, opponents=self.opponents[picked], scores=self.scores[picked], closed=closed
        )

    def to_kept(self) -> pa.Table:
        """The table of results for the next month."""
        rr_rated: list[list[int]] = [[]] * len(self)
        rr_dp: list[list[int]] = [[]] * len(self)
        rr_games: list[int | None] = [None] * len(self)
        for place, closed in self.closed.items():
            rr_rated[place], rr_dp[place], rr_games[place] = list(closed.rated), list(closed.dp), closed.opponents
        offsets = pa.array(self.bounds, pa.int32())
        return table(KEPT, {
            "fideid": self.fideid, "control": control_words(self.control), "event": pa.array(self.event, pa.string()),
            "start": days(self.start), "end": days(self.end),
            "opponents": pa.ListArray.from_arrays(offsets, pa.array(self.opponents, pa.int32())),
            "scores": pa.ListArray.from_arrays(offsets, pa.array(self.scores, pa.int32())),
            "round_robin_rated": rr_rated, "round_robin_dp": rr_dp, "round_robin_games": rr_games,
        })  # fmt: skip


def days(values: np.ndarray) -> pa.Array:
    """Days since 1970 as dates."""
    return pa.array(np.asarray(values, np.int32), pa.int32()).cast(pa.date32())


def control_words(places: np.ndarray) -> pa.DictionaryArray:
    """The names of controls by their place in ``CONTROLS``."""
    return pa.DictionaryArray.from_arrays(pa.array(np.asarray(places, np.int32)), pa.array(CONTROLS, pa.string()))


def of_this_month(
    piece: Piece, kind: np.ndarray, row: np.ndarray, as_opponent: np.ndarray, closed: dict[int, RoundRobin]
) -> Results:  # fmt: skip
    """The results of the unrated players of some events: their games against rated opponents, in a closed round robin all of them."""
    cell = np.flatnonzero(kind == Kind.FIRST)
    entry = piece.entry[cell]
    begins = np.flatnonzero(np.concatenate([[True], entry[1:] != entry[:-1]])) if len(entry) else np.zeros(0, np.int64)
    who = entry[begins]
    bounds = np.concatenate([begins, [len(entry)]])
    opponents = as_opponent[piece.opponent[cell]].astype(np.int32)
    scores = SCORE[piece.result[cell]].astype(np.int32)
    place = piece.event[who]
    labels = np.array(piece.labels, object)
    return Results(
        piece.player[who], row[who], piece.control[place] if len(who) else np.zeros(0, np.uint8), labels[place] if len(who) else labels[:0],
        piece.start[place], piece.end[place], np.diff(bounds), _sums(scores, bounds), _sums(opponents, bounds), who + np.int32(piece.seats.start),
        bounds, opponents, scores, {index: closed[event] for index, event in enumerate(place.tolist()) if event in closed} if closed else {},
    )  # fmt: skip


def of_earlier_months(
    kept: pa.Table, base_ids: np.ndarray, new_players: np.ndarray, edition_of: Callable[[date], Edition]
) -> Results:
    """The results kept for this list. A closed round robin has the bonus of its first day's edition."""
    if not kept.num_rows:
        return nothing()
    kept = kept.combine_chunks()
    ids = numbers(kept, "fideid")
    row = rows_of(base_ids, ids)
    added = rows_of(new_players, ids)
    row = np.where((row < 0) & (added >= 0), len(base_ids) + added, row).astype(np.int32)
    names = kept.column("control").to_pylist()
    opponents, scores = kept.column("opponents").combine_chunks(), kept.column("scores").combine_chunks()
    games = np.array([len(each) for each in kept.column("scores").to_pylist()], np.int64)
    bounds = np.concatenate([[0], np.cumsum(games)]).astype(np.int64)
    opponent_values = opponents.flatten().to_numpy().astype(np.int32)
    score_values = scores.flatten().to_numpy().astype(np.int32)
    start = numbers(kept, "start")
    closed: dict[int, RoundRobin] = {}
    for place, opponents_each in enumerate(kept.column("round_robin_games").to_pylist()):
        if opponents_each is None:
            continue
        began = date.fromordinal(EPOCH.toordinal() + int(start[place]))
        closed[place] = RoundRobin(
            tuple(kept.column("round_robin_rated")[place].as_py()), tuple(kept.column("round_robin_dp")[place].as_py()),
            opponents_each, edition_of(began).first_rating.bonus,
        )  # fmt: skip
    return Results(
        ids, row, np.array([CONTROLS.index(name) for name in names], np.uint8), np.array(kept.column("event").to_pylist(), object), start,
        numbers(kept, "end"), games, _sums(score_values, bounds), _sums(opponent_values, bounds), np.full(len(ids), -1, np.int32), bounds,
        opponent_values, score_values, closed,
    )  # fmt: skip


def nothing() -> Results:
    """No result at all."""
    whole, small = np.zeros(0, np.int64), np.zeros(0, np.int32)
    return Results(
        whole, small, np.zeros(0, np.uint8), np.zeros(0, object), small, small, whole, whole, whole, small, np.zeros(1, np.int64), small, small
    )  # fmt: skip


def together(parts: Sequence[Results]) -> Results:
    """Columns of results, one after the other."""
    parts = parts or [nothing()]
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("fideid", "row", "control", "event", "start", "end", "games", "score", "total", "entry", "opponents", "scores")
    }  # fmt: skip
    closed: dict[int, RoundRobin] = {}
    bounds = [np.zeros(1, np.int64)]
    rows, games = 0, 0
    for part in parts:
        closed |= {place + rows: formula for place, formula in part.closed.items()}
        bounds.append(part.bounds[1:] + games)
        rows, games = rows + len(part), games + len(part.opponents)
    return Results(**columns, bounds=np.concatenate(bounds), closed=closed)


def _sums(values: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    return np.diff(np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[bounds])
