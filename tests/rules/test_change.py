"""The sum of a period and its one rounding: half a point away from zero."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fide_batch.rules.change import half_away_from_zero, half_up, period_change, rounded_change


@pytest.mark.parametrize(
    ("exact", "rounded"),
    [
        ("0.5", 1), ("-0.5", -1), ("1.5", 2), ("-1.5", -2), ("2.5", 3), ("-2.5", -3), ("2.49", 2), ("-2.49", -2), ("0.4999", 0), ("-0.4999", 0),
        ("-0.5001", -1), ("0", 0), ("92.48", 92), ("-51.6", -52), ("0.6", 1), ("-0.2", 0), ("17", 17), ("-7.9", -8), ("1.9", 2), ("1.6", 2),
        ("27.60", 28), ("19.40", 19), ("-92.20", -92), ("-4.90", -5), ("44.60", 45), ("9.70", 10), ("55.20", 55), ("40.60", 41), ("16.9", 17),
    ],
)  # fmt: skip
def test_rounding_to_the_nearest_point(exact, rounded):
    assert rounded_change(int(Fraction(exact) * 10_000)) == rounded


def test_a_column_rounds_like_its_numbers():
    exact = np.array([5_000, -5_000, 4_999, -4_999, 15_000, -15_000, 0])
    assert rounded_change(exact).tolist() == [1, -1, 0, 0, 2, -2, 0]


@pytest.mark.parametrize(
    ("value", "rounded"), [("2/3", 1), ("1/2", 1), ("1/3", 0), ("-1/3", 0), ("-1/2", -1), ("-2/3", -1)]
)
def test_a_fraction_rounds_like_a_number(value, rounded):
    assert half_away_from_zero(Fraction(value), 1) == rounded


def test_k_times_the_sum_is_exact():
    assert period_change(54_400, 17) == 924_800


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_rounding_is_as_near_as_can_be_and_the_same_on_both_sides(numerator, denominator):
    rounded = int(half_away_from_zero(numerator, denominator))
    assert abs(Fraction(numerator, denominator) - rounded) <= Fraction(1, 2)
    assert half_away_from_zero(-numerator, denominator) == -rounded


@pytest.mark.parametrize(
    ("total", "games", "mean"), [(3801, 2, 1901), (3800, 2, 1900), (9507, 5, 1901), (5701, 3, 1900), (5702, 3, 1901)]
)
def test_a_mean_is_rounded_half_up(total, games, mean):
    assert half_up(total, games) == mean
