"""The first rating of an unrated player: Ra, p, Ru, and Rn out of all results that wait for him."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from fide_batch.model import POINT
from fide_batch.regulations.edition import FirstRating
from fide_batch.rules.change import half_away_from_zero

TENTHS = 10
"""Ru is reckoned in tenths of a point: the bonus of 2009 is 12.5 per half point."""


def percentage(score: Any, games: Any) -> Any:
    """p = score/games in hundredths, rounded half up (reading 9); columns or whole numbers."""
    return (200 * score + games * POINT) // (2 * games * POINT)


def half_points_above(score: Any, games: Any) -> Any:
    """Half points more than 50 per cent: wins less losses."""
    return 2 * score // POINT - games


def three_cases(score: Any, games: Any, law: FirstRating, performance: Sequence[int]) -> Any:
    """Ru less Ra, in tenths: nothing at 50 per cent, the bonus for each half point above it, D(p) below it."""
    p = percentage(score, games)
    below = TENTHS * np.asarray(performance, np.int64)[p]
    return np.where(p == 50, 0, np.where(p > 50, law.bonus * half_points_above(score, games), below))[()]


def weighted_ru(total: Any, score: Any, games: Any, law: FirstRating, performance: Sequence[int]) -> Any:
    """games x Ru by the three cases, exact, in tenths; ``total`` is the sum of the opponents' ratings (games x Ra)."""
    return TENTHS * total + games * three_cases(score, games, law, performance)


def with_hypothetical(total: Any, score: Any, games: Any, law: FirstRating) -> tuple[Any, Any, Any]:
    """Sum of ratings, score and games with the imaginary opponents, each drawn."""
    imaginary = law.hypothetical_opponents
    return total + imaginary * law.hypothetical_rating, score + imaginary * POINT // 2, games + imaginary


def rn(weighted: Any, total: Any, score: Any, games: Any, law: FirstRating, performance: Sequence[int]) -> Any:
    """The first rating of pooled results (article ``first_rating``): rounded once, a half away from zero, then the ceiling.

    Args:
        weighted: sum of games x Ru over the results, in tenths; used by ``mean of Ru`` only.
        total: sum of the opponents' ratings over all games.
        score: in ten-thousandths.
        games: against rated opponents.
    """
    if law.method == "mean of Ru":
        rating = half_away_from_zero(weighted, TENTHS * games)
    elif law.method == "pooled":
        rating = half_away_from_zero(weighted_ru(total, score, games, law, performance), TENTHS * games)
    else:
        total, score, games = with_hypothetical(total, score, games, law)
        dp = np.asarray(performance, np.int64)[percentage(score, games)]
        rating = half_away_from_zero(total + games * dp, games)
    return at_most_highest(rating, law)


def at_most_highest(rating: Any, law: FirstRating) -> Any:
    """A rounded first rating under the edition's ceiling; exactly the ceiling is allowed."""
    return np.minimum(rating, law.highest) if law.highest else rating


def score_needed(law: FirstRating) -> int:
    """The score asked for, in ten-thousandths."""
    return law.score * POINT // 2


def opponents_needed(law: FirstRating, where: str) -> int:
    """Games against rated opponents an event of a Swiss needs, in ``every event`` or in the ``first event``; games, not persons (reading 19)."""
    return law.opponents if law.opponents_in == where else 1
