"""The new ratings of one control: sums added, first ratings, one-off changes, the floor, and K."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fide_batch.model import Period
from fide_batch.regulations.edition import Edition, KFactor
from fide_batch.rules import k_factor, transition
from fide_batch.rules.change import period_change, rounded_change
from fide_batch.rules.floor import below_floor
from fide_batch.rules.players import Record
from fide_batch.rules.pool import FirstRatings
from fide_batch.rules.stand_in import rating_used


@dataclass(frozen=True)
class Sums:
    """What the games of the period add up to, a row a player of the new list. Ten-thousandths."""

    games: np.ndarray
    score: np.ndarray
    expected: np.ndarray
    chg: np.ndarray


@dataclass(frozen=True)
class NewRatings:
    """One control of the new list, and how it came about."""

    rating: np.ndarray
    """0 is unrated."""
    k: np.ndarray
    """K the new list prints; 0 is blank."""
    career_games: np.ndarray
    reached_2400: np.ndarray
    reached_2300: np.ndarray
    """``UNKNOWN`` where our record stays empty."""
    played: np.ndarray
    """Rows of the players with a sum; the columns that follow go with them."""
    before: np.ndarray
    stood_in: np.ndarray
    """Whether ``before`` is the standard rating."""
    k_newest: np.ndarray
    """K before K times n is asked."""
    k_used: np.ndarray
    exact: np.ndarray
    change: np.ndarray
    computed: np.ndarray
    """Rating and rounded sum, before one-off changes and floor."""
    first: np.ndarray
    """Rows of the players whose first rating was computed."""
    adjusted: np.ndarray
    """Rows a one-off change moved, and ..."""
    adjusted_from: np.ndarray
    adjusted_to: np.ndarray
    struck: np.ndarray
    """For every row, whether it fell below the floor."""


def new_ratings(
    control: str, record: Record, standard: np.ndarray, new_standard: np.ndarray, birth_year: np.ndarray, sums: Sums,
    come_out: FirstRatings, period: Period, newest: Period, edition: Edition, law_then: KFactor,
) -> NewRatings:  # fmt: skip
    """The new list's column of one control.

    Args:
        control: standard, rapid or blitz.
        record: the control before the period.
        standard: standard ratings of the newest list; ``new_standard`` those of the new one (for ``standard`` itself: not used).
        birth_year: 0 where it is not known.
        sums: of the period.
        come_out: the first ratings before one-off changes and floor.
        period: of the new list, with its ``edition``; ``newest`` of the list before, which prints the K that is used, by ``law_then``.
    """
    first = come_out.row
    law = edition.k_factor(control)
    played = np.flatnonzero(sums.games > 0)
    games = sums.games[played]
    before = rating_used(record.rating[played], standard[played], control, edition.lists.stand_in)
    stood_in = record.rating[played] == 0
    junior = k_factor.is_junior(birth_year[played], newest.year, law_then)
    past = record.past(played, junior, law_then)
    career, k_list = record.career_games[played], record.k_list[played]
    k_newest = np.where(
        stood_in,
        k_factor.k_standing_in(past, career, before, junior, law_then),
        k_factor.k_used(past, career, k_list, junior, law_then),
    )
    k_used = k_factor.k_within_product(k_newest, games, law)
    exact = period_change(sums.chg[played], k_used)
    change = rounded_change(exact).astype(np.int32)
    computed = before + change

    rating = record.rating.copy()
    rating[played] = computed
    rating[first] = come_out.rating
    touched = np.zeros(len(rating), bool)
    touched[played] = touched[first] = True

    adjusted = np.zeros(0, np.int64)
    adjusted_from = adjusted_to = rating[adjusted]
    if transition.applies(edition.one_off, period):
        # A sum may leave less than nothing; it is a rating all the same until the floor is asked.
        moved = transition.adjusted(rating, new_standard, control, edition.one_off)
        adjusted = np.flatnonzero(moved != rating)
        adjusted_from, adjusted_to = rating[adjusted], moved[adjusted]
        rating = moved.astype(rating.dtype)
        touched[adjusted] = True
    struck = touched & below_floor(rating, edition.lists.floor)
    rating[struck] = 0

    counts = np.zeros(len(rating), np.int64)
    counts[played] = games
    counts[first] = np.where(struck[first], 0, come_out.games)
    no_rating_yet = np.zeros(len(rating), bool)
    no_rating_yet[first] = struck[first]
    everybody = slice(None)
    all_past = record.past(everybody, k_factor.is_junior(birth_year, newest.year, law_then), law_then)
    past_games = all_past.career_games.copy()
    unknown = record.career_games[played] == k_factor.UNKNOWN
    past_games[played] = np.where(stood_in & unknown, law_then.games, past_games[played])
    after = k_factor.Past(
        past_games + counts,
        all_past.reached_2400 | (rating >= law.top_rating),
        all_past.reached_2300 | (rating >= k_factor.junior_mark(law)),
    )
    printed = k_factor.k_by_rule(after, k_factor.is_junior(birth_year, period.year, law), law)
    k = np.where(rating > 0, printed, np.where(touched & ~no_rating_yet, 0, record.k_list))
    recorded = struck.copy()
    recorded[played] = recorded[first] = True
    recorded &= ~no_rating_yet

    return NewRatings(
        rating, k.astype(np.int32), np.where(recorded, after.career_games, record.career_games).astype(np.int32),
        _mark(record.reached_2400, after.reached_2400, recorded, rating >= law.top_rating),
        _mark(record.reached_2300, after.reached_2300, recorded, rating >= k_factor.junior_mark(law)), played, before, stood_in, k_newest.astype(np.int32), k_used.astype(np.int32), exact, change,
        computed, first, adjusted, adjusted_from, adjusted_to, struck,
    )  # fmt: skip


def _mark(was: np.ndarray, after: np.ndarray, recorded: np.ndarray, reached_now: np.ndarray) -> np.ndarray:
    """A mark of the new list: written for who played or was delisted, and where it was known to be missing until now."""
    return np.where(recorded, after, np.where((was == 0) & reached_now, 1, was)).astype(np.int32)
