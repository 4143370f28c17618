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
    """What the games of the period add up to, a row a player who has any. Ten-thousandths."""

    row: np.ndarray
    """In the new list, in order."""
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
    played, games = sums.row, sums.games
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
    exact = period_change(sums.chg, k_used)
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

    no_rating_yet = first[struck[first]]
    touched[no_rating_yet] = False
    games_of_row = np.zeros(len(rating), np.int32)
    games_of_row[played] = games
    games_of_row[first] = come_out.games
    games_of_row[no_rating_yet] = 0
    k, career_games, reached_2400, reached_2300 = _printed(
        record, rating, touched, games_of_row, played[stood_in], birth_year, period, newest, law, law_then
    )
    return NewRatings(
        rating, k, career_games, reached_2400, reached_2300, played, before, stood_in, k_newest.astype(np.int32), k_used.astype(np.int32), exact,
        change, computed, first, adjusted, adjusted_from, adjusted_to, struck,
    )  # fmt: skip


def _printed(
    record: Record, rating: np.ndarray, touched: np.ndarray, games: np.ndarray, stood_in: np.ndarray, birth_year: np.ndarray, period: Period,
    newest: Period, law: KFactor, law_then: KFactor,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """K, count of games and the two marks of the new list.

    K is that of the rule after this period's games (reading 2), blank for the delisted; of the unrated who did not play it stays what it was. Count and
    marks are written for who played or was delisted; an empty record of others stays empty, but a mark known to be missing is set when it is reached.

    Args:
        record: before the period; ``rating`` after it, 0 for unrated.
        touched: rows whose rating was computed, or moved by a one-off change.
        games: that count in this period, for a first rating all that went into it.
        stood_in: rows for whom the standard rating stood in: unknown games are taken as 30 played, as for a list without K.
        birth_year: 0 where it is not known.
        period: of the new list, which prints K by ``law``; ``newest`` of the list before, which did by ``law_then``.
    """
    rows = np.flatnonzero((rating > 0) | touched)
    past = record.past(rows, k_factor.is_junior(birth_year[rows], newest.year, law_then), law_then)
    career = past.career_games
    settled = np.isin(rows, stood_in[record.career_games[stood_in] == k_factor.UNKNOWN])
    now = rating[rows]
    after = k_factor.Past(
        np.where(settled, law_then.games, career) + games[rows],
        past.reached_2400 | (now >= law.top_rating),
        past.reached_2300 | (now >= k_factor.junior_mark(law)),
    )
    printed = k_factor.k_by_rule(after, k_factor.is_junior(birth_year[rows], period.year, law), law)
    k = record.k_list.copy()
    k[rows] = np.where(now > 0, printed, 0)
    recorded = (games[rows] > 0) | (now == 0)
    columns = [k]
    for was, value, set_now in (
        (record.career_games, after.career_games, None),
        (record.reached_2400, after.reached_2400, now >= law.top_rating),
        (record.reached_2300, after.reached_2300, now >= k_factor.junior_mark(law)),
    ):
        column = was.copy()
        others = was[rows] if set_now is None else np.where((was[rows] == 0) & set_now, 1, was[rows])
        column[rows] = np.where(recorded, value, others)
        columns.append(column)
    return columns[0], columns[1], columns[2], columns[3]
