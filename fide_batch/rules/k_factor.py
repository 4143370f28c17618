"""The development coefficient K: by the rule, as an imported list tells it, and within K times n."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fide_batch.model import MARKS
from fide_batch.regulations.edition import KFactor

UNKNOWN = -1
"""In columns of counts and marks: our record is empty."""


def junior_mark(law: KFactor) -> int:
    """The rating from which a junior has no K of his own any more; an edition without juniors keeps the mark for the next one that has them."""
    return law.junior_rating or MARKS[1]


@dataclass(frozen=True)
class Past:
    """What K looks at, a row a player, in one control."""

    career_games: Any
    """Games rated before the period, those of the first rating included."""
    reached_2400: Any
    """Whether a published rating ever reached the edition's ``top_rating``."""
    reached_2300: Any
    """... its ``junior_rating``."""


def is_junior(birth_year: Any, list_year: int, law: KFactor) -> Any:
    """To the end of the year of the ``junior_age``th birthday, by the year of the list that prints the K; an unknown year (0) is no junior's."""
    if not law.junior:
        return np.zeros(np.shape(birth_year), bool)[()]
    return (np.asarray(birth_year) > 0) & (list_year - np.asarray(birth_year) <= law.junior_age)


def k_by_rule(past: Past, junior: Any, law: KFactor) -> Any:
    """K in the order of the article ``k_factor``: 2400 once reached, a junior who never reached 2300, newcomers, all others."""
    settled = np.where(np.asarray(past.career_games) < law.games, law.new, law.standard)
    young = np.where(np.asarray(junior) & ~np.asarray(past.reached_2300, bool), law.junior, settled)
    return np.where(np.asarray(past.reached_2400, bool), law.top, young)[()]


def past_of(
    career_games: Any, reached_2400: Any, reached_2300: Any, k_list: Any, rating: Any, highest: Any, junior: Any, law: KFactor
) -> Past:  # fmt: skip
    """What is known of a player before the period: our own record, and where it is empty what the list's K tells (reading 3).

    K 10 is the mark of 2400. K 40 of an adult means fewer than 30 games, counted from now on. In every other case 30 games are taken as played: K 20
    says so (and of a junior that he reached 2300), a junior's K 40 says nothing of his games (reading 18), and no K says nothing at all.
    An unrated player has played none, unless his K says so.

    Args:
        career_games: and the two marks, ``UNKNOWN`` where our record is empty.
        k_list: K of the newest list, 0 for none.
        rating: of the newest list, 0 for none.
        highest: the highest published rating we know of.
        junior: see ``is_junior``.
        law: the K of the edition of the newest list.
    """
    k = np.asarray(k_list)
    tells_new = (k == law.new) & (law.new != law.standard) & ~np.asarray(junior)
    tells_top = (k == law.top) & (law.top != law.standard)
    tells_settled = (k == law.standard) & (law.standard != law.new)
    none_yet = (np.asarray(rating) == 0) & ~tells_settled & ~tells_top
    read_games = np.where(tells_new | none_yet, 0, law.games)
    known = np.asarray(career_games) != UNKNOWN
    top = (np.asarray(reached_2400) == 1) | (np.asarray(highest) >= law.top_rating) | (~known & tells_top)
    young = np.asarray(junior) & ~known & tells_settled
    high = (np.asarray(reached_2300) == 1) | (np.asarray(highest) >= junior_mark(law)) | young | top
    return Past(np.where(known, career_games, read_games)[()], top[()], high[()])


def k_used(past: Past, career_games: Any, k_list: Any, junior: Any, law: KFactor) -> Any:
    """K of the newest list: by the rule where our record is filled or the list prints none, else as the list prints it."""
    as_printed = (np.asarray(career_games) == UNKNOWN) & (np.asarray(k_list) > 0)
    return np.where(as_printed, k_list, k_by_rule(past, junior, law))[()]


def k_standing_in(past: Past, career_games: Any, standard: Any, junior: Any, law: KFactor) -> Any:
    """K of a player for whom the standard rating stands in (readings 4 and 15).

    By the rule with the games of the control where our record knows them, else that of a settled player. A standard rating of 2400 (for a junior 2300)
    counts here, though it leaves no mark in the control.
    """
    top = np.asarray(past.reached_2400, bool) | (np.asarray(standard) >= law.top_rating)
    high = np.asarray(past.reached_2300, bool) | (np.asarray(standard) >= junior_mark(law))
    by_rule = k_by_rule(Past(past.career_games, top, high), junior, law)
    settled = np.where(top, law.top, law.standard)
    return np.where(np.asarray(career_games) == UNKNOWN, settled, by_rule)[()]


def k_within_product(k: Any, games: Any, law: KFactor) -> Any:
    """K for the sum of a period: K times its games is at most ``product`` (article ``k_product``), so K is cut to the whole part of product/games."""
    if not law.product:
        return k
    return np.minimum(k, law.product // np.maximum(games, 1))
