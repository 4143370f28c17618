"""First ratings: the pool of an unrated player's results, and the three ways of making a rating of it.

A *result* is a plain dict: ``event`` (name), ``start``, ``end``, ``opponents`` (ratings), ``scores`` (Fractions), and ``closed``: None in
a Swiss, else the closed round robin it came from (``ratings`` and ``dps`` of its rated participants, ``n``).
"""

from __future__ import annotations

import calendar
from datetime import date
from fractions import Fraction

from tests.oracle.law import Law, dp, law_of, to_nearest, two_decimals

HALF = Fraction(1, 2)


def months_later(day: date, months: int) -> date:
    """The same day so many months later, or the last day of a shorter month (31 January + 1 = 28 February)."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def serves(result: dict, list_date: date, law: Law) -> bool:
    """A result counts for a list dated on or before its event's end plus the window (reading 8)."""
    return list_date <= months_later(result["end"], law.window)


def last_list(result: dict, list_date: date, rules: str) -> date:
    """The last list a result waiting on a list can serve; each list asks by its own edition, and what has expired does not come back."""
    following = months_later(list_date, 1)
    while serves(result, following, law_of(rules, following)):
        list_date, following = following, months_later(following, 1)
    return list_date


def score(result: dict) -> Fraction:
    return sum(result["scores"], Fraction(0))


def enough_opponents(result: dict, law: Law, when: str) -> bool:
    """Games against rated opponents, counted as games and not as persons; a closed round robin need not ask (reading 19)."""
    if law.opponents_of != when or result["closed"]:
        return True
    return len(result["scores"]) >= law.opponents


def in_order(results: list[dict]) -> list[dict]:
    return sorted(results, key=lambda result: (result["start"], result["end"], result["event"]))


def without_bad_beginning(pool: list[dict], law: Law, rules: str) -> list[dict]:
    """Events at the head of the pool that do not reach the score (or the rated opponents) a first event needs are dropped (reading 6)."""
    pool = in_order(pool)
    if law.halves_of != "first event":
        return pool
    while pool:
        first = pool[0]
        if score(first) >= law.halves * HALF and enough_opponents(first, law_of(rules, first["start"]), "first event"):
            break
        pool = pool[1:]
    return pool


# --- Ru -------------------------------------------------------------------------------------------


def closed_ra(closed: dict) -> Fraction:
    """Ra = Rar - dpa x n/(n + 1), over the rated participants of a closed round robin."""
    rar = Fraction(sum(closed["ratings"]), len(closed["ratings"]))
    dpa = Fraction(sum(closed["dps"]), len(closed["dps"]))
    return rar - dpa * Fraction(closed["n"], closed["n"] + 1)


def closed_ru(closed: dict, points: Fraction, games: int, bonus: Fraction) -> Fraction:
    """An unrated player's Ru of a closed round robin, exact."""
    p = two_decimals(points, games)
    if p > HALF:
        return closed_ra(closed) + bonus * (2 * points - games)
    if p < HALF:
        return closed_ra(closed) + dp(p) * Fraction(closed["n"], closed["n"] + 1)
    return closed_ra(closed)


def three_cases(average: Fraction, points: Fraction, games: int, bonus: Fraction) -> Fraction:
    """At 50 % the average itself, above it so much per half point, below it D(p)."""
    p = two_decimals(points, games)
    if p > HALF:
        return average + bonus * (2 * points - games)
    if p < HALF:
        return average + dp(p)
    return average


def opponents_average(result: dict) -> list[Fraction]:
    """The opponents' ratings; a closed round robin's Ra stands for each of its games."""
    if result["closed"]:
        return [closed_ra(result["closed"])] * len(result["scores"])
    return [Fraction(rating) for rating in result["opponents"]]


def first_rating(pool: list[dict], law: Law) -> int:
    """Rn of a pool, rounded once, at most the highest first rating."""
    games = sum(len(result["scores"]) for result in pool)
    points = sum((score(result) for result in pool), Fraction(0))
    if law.method == "mean of Ru":
        exact = sum((event_ru(result, law) * len(result["scores"]) for result in pool), Fraction(0)) / games
    elif law.method == "pooled":
        if len(pool) == 1:
            exact = event_ru(pool[0], law)
        else:
            average = sum((r for result in pool for r in opponents_average(result)), Fraction(0)) / games
            exact = three_cases(average, points, games, law.bonus)
    else:
        average = (sum((r for result in pool for r in opponents_average(result)), Fraction(0)) + 2 * 1800) / (games + 2)
        exact = average + dp(two_decimals(points + 1, games + 2))
    rating = to_nearest(exact)
    return min(rating, law.highest) if law.highest else rating


def event_ru(result: dict, law: Law) -> Fraction:
    """Ru of a single event, exact."""
    games = len(result["scores"])
    if result["closed"]:
        return closed_ru(result["closed"], score(result), games, result["bonus"])
    return three_cases(Fraction(sum(result["opponents"]), games), score(result), games, law.bonus)


def enough_for_a_rating(pool: list[dict], law: Law) -> bool:
    """The games, and where it is asked of the whole pool the score."""
    games = sum(len(result["scores"]) for result in pool)
    points = sum((score(result) for result in pool), Fraction(0))
    return games >= law.games and (law.halves_of != "pool" or points >= law.halves * HALF)
