"""What waits for a first rating, what is dropped, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

import numpy as np

from fide_batch.model import CONTROLS, Period, add_months
from fide_batch.regulations.edition import Edition
from fide_batch.rules import first_rating as first
from fide_batch.rules.change import half_away_from_zero, half_up
from fide_batch.rules.games import totals
from fide_batch.rules.law import EditionOf
from fide_batch.rules.rateable import Kind
from fide_batch.rules.results import Results
from fide_batch.rules.sheet import EPOCH


@dataclass(frozen=True)
class Pools:
    """A row a player and control whose results are pooled, or were dropped this month."""

    results: Results
    """All results in the order of player, control, start, end and name."""
    fate: np.ndarray
    """For each result a ``Kind`` of ``FIRST_...``; ``FIRST_WAITS`` for all that are in the pool."""
    pool: np.ndarray
    """For each result the row of its pool."""
    row: np.ndarray
    """Of each pool: the player's row in the new list, -1 when he is on no list."""
    fideid: np.ndarray
    control: np.ndarray
    games: np.ndarray
    """Pooled games that count."""
    score: np.ndarray
    rating: np.ndarray
    """The first rating that comes out, rounded and under the ceiling; 0 where games or score are missing."""

    @property
    def waiting(self) -> np.ndarray:
        """The results that are in the pools."""
        return self.fate == Kind.FIRST_WAITS


@dataclass(frozen=True)
class FirstRatings:
    """The first ratings that come out in one control: rows of the new list, ratings, and the games that went into them."""

    row: np.ndarray
    rating: np.ndarray
    games: np.ndarray


def first_ratings(pools: Pools, control: str, with_games: np.ndarray) -> FirstRatings:
    """The first ratings of one control, before one-off changes and the floor.

    ``with_games`` are the rows of the players with rated games in the period: one for whom the standard rating stood in this month gets his rating
    that way.
    """
    out = np.flatnonzero((pools.rating > 0) & (pools.control == CONTROLS.index(control)))
    out = out[~np.isin(pools.row[out], with_games)]
    return FirstRatings(pools.row[out], pools.rating[out], pools.games[out])


def expiry(end: np.ndarray, window_months: int) -> np.ndarray:
    """The last list date each result can serve within a window (reading 8). Days since 1970."""
    last = {day: (_last(_date(day), window_months) - EPOCH).days for day in np.unique(end).tolist()}
    return np.array([last[day] for day in end.tolist()], np.int32)


def last_lists(end: np.ndarray, edition: Edition, editions: EditionOf) -> np.ndarray:
    """The last list date each result can serve, when each list asks for its own window (reading 1). Days since 1970.

    Until June 2014 a result serves for 24 months, from July for 26: what could serve June's list goes on to August's.

    Args:
        end: the events' last days; days since 1970.
        edition: of the list at hand.
        editions: of a later list's date.
    """
    last = {}
    for day in np.unique(end).tolist():
        ended, window = _date(day), edition.first_rating.window_months
        following = add_months(_last(ended, window), 1)
        while following <= _last(ended, editions(following).first_rating.window_months):
            window = editions(following).first_rating.window_months
            following = add_months(_last(ended, window), 1)
        last[day] = (_last(ended, window) - EPOCH).days
    return np.array([last[day] for day in end.tolist()], np.int32)


def _last(ended: date, window_months: int) -> date:
    """The first of the month a window ends in."""
    return add_months(ended, window_months).replace(day=1)


def _date(day: int) -> date:
    """A day since 1970 as a date."""
    return date.fromordinal(EPOCH.toordinal() + day)


def pooled(results: Results, period: Period, edition: Edition, editions: EditionOf) -> Pools:
    """Pool the results of each unrated player and control, and take the rating that comes out.

    Args:
        results: of this month and kept, of players without a rating in the control.
        period: of the list.
        edition: of the list: games, score, window, method and ceiling.
        editions: of an event's first day: the rated opponents it needs.
    """
    names = {name: place for place, name in enumerate(sorted(set(results.event.tolist())))}
    name_rank = np.array([names[name] for name in results.event.tolist()], np.int64)
    order = np.lexsort((name_rank, results.end, results.start, results.control, results.fideid))
    results = results.only(order)
    law = edition.first_rating
    fate = np.full(len(results), Kind.FIRST_WAITS, np.uint8)
    starts_pool = np.ones(len(results), bool)
    starts_pool[1:] = (results.fideid[1:] != results.fideid[:-1]) | (results.control[1:] != results.control[:-1])
    pool = np.cumsum(starts_pool) - 1
    firsts = np.flatnonzero(starts_pool)
    pools = len(firsts)

    fate[expiry(results.end, law.window_months) < (period.list_date - EPOCH).days] = Kind.FIRST_EXPIRED
    swiss = np.ones(len(results), bool)
    swiss[list(results.closed)] = False
    # A kept result had the opponents its edition asked for when it was new; only the head of a pool is asked again.
    few = results.games < _needed(results, editions, "every event")
    fate[(fate == Kind.FIRST_WAITS) & swiss & (results.entry >= 0) & few] = Kind.FIRST_FEW
    if law.score_in == "first event":
        reaches = results.score >= first.score_needed(law)
        reaches &= ~swiss | (results.games >= _needed(results, editions, "first event"))
        reached = np.cumsum(reaches & (fate == Kind.FIRST_WAITS))
        before = np.where(firsts > 0, reached[firsts - 1], 0) if pools else np.zeros(0, np.int64)
        fate[(fate == Kind.FIRST_WAITS) & (reached == before[pool])] = Kind.FIRST_HEAD

    alive = np.flatnonzero(fate == Kind.FIRST_WAITS)
    games, score, total, weighted = (
        totals(pool[alive], column[alive], pools)
        for column in (results.games, results.score, results.total, _weighted(results, edition))
    )
    row = results.row[firsts]
    enough = (games >= law.games) & (row >= 0)
    if law.score_in == "pool":
        enough &= score >= first.score_needed(law)
    rating = np.zeros(pools, np.int64)
    rating[enough] = first.rn(weighted[enough], total[enough], score[enough], games[enough], law, edition.performance)
    with_closed = {int(pool[place]) for place in results.closed if fate[place] == Kind.FIRST_WAITS}
    for each in sorted(with_closed):
        if enough[each]:
            rating[each] = _with_round_robins(results, np.flatnonzero(pool[alive] == each), alive, edition)
    return Pools(results, fate, pool, row, results.fideid[firsts], results.control[firsts], games, score, rating)


def _weighted(results: Results, edition: Edition) -> np.ndarray:
    """games x Ru of each Swiss result, in tenths."""
    return first.weighted_ru(
        results.total, results.score, np.maximum(results.games, 1), edition.first_rating, edition.performance
    )


def _with_round_robins(results: Results, picked: np.ndarray, alive: np.ndarray, edition: Edition) -> int:
    """The first rating of a pool that holds closed round robins, in fractions.

    Ra of a closed round robin stands for each of its games; alone in its pool, or with ``mean of Ru``, it keeps its own formula (reading 10).
    """
    law = edition.first_rating
    total = weighted = Fraction(0)
    score = games = 0
    for place in alive[picked].tolist():
        n, points = int(results.games[place]), int(results.score[place])
        closed = results.closed.get(place)
        if closed is None:
            total += int(results.total[place])
            weighted += int(first.weighted_ru(int(results.total[place]), points, n, law, edition.performance))
        else:
            total += n * closed.ra
            weighted += first.TENTHS * n * closed.ru(points, n, edition.performance)
        score, games = score + points, games + n
    alone = len(picked) == 1 and law.method == "pooled"
    if alone or law.method == "mean of Ru":
        return int(first.at_most_highest(half_away_from_zero(weighted, first.TENTHS * games), law))
    return int(first.rn(weighted, total, score, games, law, edition.performance))


def rc(results: Results) -> np.ndarray:
    """Rc of each result, the mean of the opponents' ratings, rounded half up; of a closed round robin Ra."""
    means = half_up(results.total, np.maximum(results.games, 1))
    for place, closed in results.closed.items():
        means[place] = half_up(closed.ra, 1)
    return means


def ru_alone(results: Results, edition: Edition) -> np.ndarray:
    """Ru of each result by itself, by the edition's method, rounded."""
    law, games = edition.first_rating, np.maximum(results.games, 1)
    ru = first.rn(_weighted(results, edition), results.total, results.score, games, law, edition.performance)
    every = np.arange(len(results))
    for place in results.closed:
        ru[place] = _with_round_robins(results, np.zeros(1, np.int64), every[place : place + 1], edition)
    return ru


def _needed(results: Results, editions: EditionOf, where: str) -> np.ndarray:
    """Games against rated opponents each event needs by the edition of its first day."""
    needed = {
        day: first.opponents_needed(editions(_date(day)).first_rating, where)
        for day in np.unique(results.start).tolist()
    }
    return np.array([needed[day] for day in results.start.tolist()], np.int64)
