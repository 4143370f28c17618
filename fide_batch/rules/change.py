"""What a period's games add up to, and the one place where a change is rounded."""

from __future__ import annotations

from typing import Any

import numpy as np

from fide_batch.model import POINT


def rating_change(score: Any, expected: Any) -> Any:
    """What one game brings before K: score less expected score (article ``change``), in ten-thousandths."""
    return score - expected


def period_change(sum_of_changes: Any, k: Any) -> Any:
    """The change of a period, exact: K times the sum over all its games (article ``change``), in ten-thousandths of a rating point."""
    return np.multiply(sum_of_changes, k, dtype=np.int64)


def rounded_change(exact: Any) -> Any:
    """The change of a period in whole points, once a period and player; half a point away from zero (article ``rounding``)."""
    return half_away_from_zero(exact, POINT)


def half_away_from_zero(numerator: Any, denominator: Any) -> Any:
    """A quotient to the nearest whole number, a half away from zero; the denominator is positive. Columns, whole numbers or fractions."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return np.where(numerator < 0, -size, size)[()]


def half_up(numerator: Any, denominator: Any) -> Any:
    """A quotient to the nearest whole number, a half upwards; the denominator is positive. For means of ratings and percentages."""
    return (2 * numerator + denominator) // (2 * denominator)
