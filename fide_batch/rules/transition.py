"""Changes FIDE made once, to one list."""

from __future__ import annotations

from typing import Any

import numpy as np

from fide_batch.model import Period
from fide_batch.regulations.edition import OneOff
from fide_batch.rules.change import half_away_from_zero


def applies(law: OneOff, period: Period) -> bool:
    """Whether a list is the one the change was made for."""
    return law.method != "none" and law.period == str(period)


def adjusted(rating: Any, standard: Any, control: str, law: OneOff) -> Any:
    """Ratings after the change (article ``one_off``); 0 is unrated and stays so.

    Args:
        rating: after the period's own changes and first ratings.
        standard: the standard rating of the same list, which rapid and blitz are raised to less the margin.
        control: standard, rapid or blitz.
    """
    if law.method == "compression":
        moved = rating + half_away_from_zero(law.percent * (law.below - rating), 100)
        return np.where((rating > 0) & (rating < law.below), moved, rating)[()]
    if law.method == "rapid and blitz raised" and control != "standard":
        raised = np.maximum(rating, standard - law.margin)
        return np.where((rating > 0) & (np.asarray(standard) > 0), raised, rating)[()]
    return rating
