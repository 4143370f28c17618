"""First ratings after the floor was asked, and what the month comes to for each player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, PREFIX, Period, Problem, id_text, numbers
from fide_batch.rules.audit import EntrySums
from fide_batch.rules.games import totals
from fide_batch.rules.participants import Participants
from fide_batch.rules.players import NEVER
from fide_batch.rules.pool import Pools
from fide_batch.rules.rateable import Kind
from fide_batch.rules.ratings import NewRatings, Sums
from fide_batch.rules.results import Results
from fide_batch.rules.sheet import EPOCH, Sheet


@dataclass(frozen=True)
class Decided:
    """The pools after the floor was asked."""

    pools: Pools
    made: np.ndarray
    """For each pool, whether a first rating is published."""
    published: np.ndarray
    """... and which."""
    dropped: np.ndarray
    """For each result, whether it is dropped because its player was rated by another way (reading 14), though he fell below the floor at once."""

    @property
    def used(self) -> np.ndarray:
        """The results that went into a first rating."""
        return self.pools.waiting & self.made[self.pools.pool]

    def kept(self, period: Period, last_list: np.ndarray) -> np.ndarray:
        """The rows of the results that can serve a later list than the period's; ``last_list`` is the last one each can serve."""
        serves = last_list > (period.list_date - EPOCH).days
        return np.flatnonzero(self.pools.waiting & ~self.made[self.pools.pool] & ~self.dropped & serves)


def without_the_rated(kept: Results, players: pa.Table) -> tuple[Results, list[Problem]]:
    """The kept results of players who are still unrated in that control; the others are dropped, and said so (readings 14 and 17)."""
    rated = np.zeros(len(kept), bool)
    for place, control in enumerate(CONTROLS):
        here = np.flatnonzero((kept.control == place) & (kept.row >= 0))
        if len(here):
            rated[here] = numbers(players, PREFIX[control] + "rating")[kept.row[here]] > 0
    return kept.only(np.flatnonzero(~rated)) if rated.any() else kept, _dropped(kept, rated)


def decide(pools: Pools, new: Mapping[str, NewRatings]) -> tuple[Decided, list[Problem]]:
    """Which first ratings are published, and whose kept results nobody needs any more."""
    published = np.zeros(len(pools.row), np.int64)
    for control, ratings in new.items():
        here = np.flatnonzero((pools.control == CONTROLS.index(control)) & (pools.row >= 0))
        published[here] = ratings.rating[pools.row[here]]
    stood_in = np.zeros(len(pools.row), bool)
    for control, ratings in new.items():
        played = np.zeros(len(ratings.rating) + 1, bool)
        played[ratings.played] = True
        stood_in |= (pools.control == CONTROLS.index(control)) & played[pools.row]
    made = (published > 0) & (pools.rating > 0) & ~stood_in
    other_way = stood_in[pools.pool] & pools.waiting
    delisted = other_way & (published == 0)[pools.pool]
    told = [
        *_dropped(pools.results, other_way & ~delisted),
        *_dropped(
            pools.results, delisted, "the player has been delisted, and games before a delisting are not pooled again"
        ),
    ]
    return Decided(pools, made, np.where(made, published, 0), other_way), told


def _dropped(
    results: Results, which: np.ndarray, why: str = "the player has been rated by another way"
) -> list[Problem]:
    return [
        Problem(
            "kept-result-dropped", "note", "", None, None,
            f"{id_text(int(results.fideid[row]))}: the {CONTROLS[results.control[row]]} result of {results.event[row]} kept for a first rating is"
            f" dropped: {why}",
            "nothing to do; the games counted for the opponents",
        )
        for row in np.flatnonzero(which).tolist()
    ]  # fmt: skip


def fates(sheet: Sheet, decided: Decided) -> np.ndarray:
    """For each participant the ``Kind`` of his games for a first rating: what became of his result."""
    results = decided.pools.results
    fresh = results.entry >= 0
    fate = np.full(len(sheet.event), Kind.FIRST, np.uint8)
    fate[results.entry[fresh]] = np.where(decided.used, Kind.FIRST_USED, decided.pools.fate)[fresh]
    return fate


def sums_of_control(control: str, sheet: Sheet, people: Participants, of_entry: EntrySums, size: int) -> Sums:
    """The period's rated games of each player of the new list, over all events of one control."""
    entries = np.flatnonzero((sheet.control[sheet.event] == CONTROLS.index(control)) & (of_entry.games > 0))
    row = people.row[entries]
    has_games = np.zeros(size, bool)
    has_games[row] = True
    rows = np.flatnonzero(has_games)
    place = (np.cumsum(has_games, dtype=np.int32) - 1)[row]
    return Sums(
        rows,
        *(
            totals(place, column[entries], len(rows))
            for column in (of_entry.games, of_entry.score, of_entry.expected, of_entry.chg)
        ),
    )


def games_of_period(control: str, sums: Sums, decided: Decided, size: int) -> np.ndarray:
    """Rated games of this period, those that went into a first rating included; a row a player of the new list."""
    results = decided.pools.results
    fresh = np.flatnonzero(decided.used & (results.entry >= 0) & (results.control == CONTROLS.index(control)))
    games = np.zeros(size, np.int32)
    games[sums.row] = sums.games
    np.add.at(games, results.row[fresh], results.games[fresh].astype(np.int32))
    return games


def last_days(
    control: str, players: pa.Table, sheet: Sheet, people: Participants, of_entry: EntrySums, decided: Decided
) -> np.ndarray:  # fmt: skip
    """The last day of the last event with a rated game, a row a player; days since 1970, ``NEVER`` when it is not known."""
    last = numbers(players, PREFIX[control] + "last_played", NEVER)
    place = CONTROLS.index(control)
    entries = np.flatnonzero((sheet.control[sheet.event] == place) & (of_entry.games > 0))
    results = decided.pools.results
    used = np.flatnonzero(decided.used & (results.control == place))
    if not len(entries) and not len(used):
        return last
    last = last.astype(np.int32)
    np.maximum.at(last, people.row[entries], sheet.end[sheet.event[entries]])
    np.maximum.at(last, results.row[used], results.end[used])
    return last


def k_of_participants(sheet: Sheet, people: Participants, new: Mapping[str, NewRatings]) -> np.ndarray:
    """The K used for each participant, 0 where none was."""
    k = np.zeros(len(sheet.event), np.int64)
    control = sheet.control[sheet.event]
    for name, ratings in new.items():
        of_row = np.zeros(len(ratings.rating), np.int64)
        of_row[ratings.played] = ratings.k_used
        here = np.flatnonzero((control == CONTROLS.index(name)) & (people.row >= 0) & (people.added_to > 0))
        k[here] = of_row[people.row[here]]
    return k


def counting(sheet: Sheet, fresh: Results, decided: Decided) -> np.ndarray:
    """Which of the month's results of unrated players count: those that went into a first rating or wait for one."""
    counts = np.zeros(len(sheet.event) + 1, bool)
    counts[decided.pools.results.entry[decided.pools.waiting]] = True
    return counts[fresh.entry]
