"""The first rating step by step: the regulations' own examples, in figures an arbiter can follow."""

import pytest

from fide_batch import regulations
from fide_batch.desk.first_steps import Result, mean_text, results_of, steps
from fide_batch.model import Grid
from fide_batch.rules.round_robin import RoundRobin

CLASSIC = regulations.edition("classic")


def shown(blocks):
    grid = next(block for block in blocks if isinstance(block, Grid))
    return [dict(zip(grid.heads, row, strict=True)) for row in grid.rows], [
        block for block in blocks if isinstance(block, str)
    ]


def test_four_from_ten_is_72_below_the_average():
    rows, texts = shown(steps([Result("Open", (1700,) * 10, 40_000)], CLASSIC, 1628))
    assert (
        rows[0]["Ra"] == "1700"
        and rows[0]["p"] == "0.40"
        and rows[0]["Step"] == "- 72 (D(p))"
        and rows[0]["Ru"] == "1628"
    )
    assert texts == ["Rn = Ru, rounded 1628."]


def test_six_from_ten_is_two_half_points_above():
    rows, _ = shown(steps([Result("Open", (1700,) * 10, 60_000)], CLASSIC, 1740))
    assert rows[0]["Step"] == "+ 40 (2 half points above 50 %)" and rows[0]["Ru"] == "1740"


def test_mean_of_ru_weighted_by_games():
    """Ru 2280 in 5 games, 2400 in 10, 2000 in 5: Rn 2270."""
    results = [
        Result("A", (2280,) * 5, 25_000),
        Result("B", (2400,) * 10, 50_000),
        Result("C", (2000,) * 5, 25_000, True),
    ]
    rows, texts = shown(steps(results, CLASSIC, 2270))
    assert [row["Ru"] for row in rows] == ["2280", "2400", "2000"] and rows[2]["Event"] == "C (earlier month)"
    assert texts == ["Rn = (5 x 2280 + 10 x 2400 + 5 x 2000) / 20 = 2270, rounded 2270."]


def test_two_imaginary_draws_against_1800():
    """FIDE's example: 1902, 1877, 1884, 2012, 1832 with 3 of 5 -> 1922."""
    results = [Result("Open", (1902, 1877, 1884, 2012, 1832), 30_000)]
    _, texts = shown(steps(results, regulations.edition("fide-2024-03"), 1922))
    assert texts == [
        "With 2 imaginary opponents of 1800, each drawn: Ra = (9507 + 3600) / 7 = 1872.43, p = 4.00 / 7 = 0.57, D(p) = +50."
        " Rn = Ra + 50, rounded 1922."
    ]


def test_highest_first_rating_is_named():
    _, texts = shown(steps([Result("Open", (2500,) * 9, 80_000)], regulations.edition("fide-2024-03"), 2200))
    assert texts[0].endswith("rounded 2200, at most 2200.")


def test_pooled_results_are_one_event():
    """2017: Ra 1750 of ten games, 6 points, two half points at 20."""
    results = [Result("A", (1700,) * 5, 30_000), Result("B", (1800,) * 5, 30_000)]
    _, texts = shown(steps(results, regulations.edition("fide-2017-07"), 1790))
    assert texts == [
        "Together Ra = 17500 / 10 = 1750, p = 6.00 / 10 = 0.60. Rn = Ra + 40 (2 half points above 50 %), rounded 1790."
    ]


def test_closed_round_robin_by_its_formula():
    """Four rated of mean 1700 with D(p) 84 on average, five opponents each: Ra 1700 - 84 x 5/6 = 1630; p .10 takes 366 x 5/6 = 305 off."""
    closed = RoundRobin((1600, 1650, 1750, 1800), (84, 84, 84, 84), 5, 200)
    rows, texts = shown(steps([Result("Cup", (0,) * 5, 5_000, False, closed)], CLASSIC, 1325))
    assert rows[0]["Ra"] == "1630" and rows[0]["Step"] == "- 305 (366 x 5/6)" and rows[0]["Ru"] == "1325"
    assert "Rar, the mean of its 4 rated participants, is 1700" in texts[0]


def test_nothing_is_shown_that_does_not_lead_to_the_published_rating():
    assert steps([Result("Open", (1700,) * 10, 40_000)], CLASSIC, 1629) == []
    assert steps([], CLASSIC, 1500) == []


def test_results_are_the_games_that_count_and_those_kept():
    games = [
        {"event": "A", "counted": 1, "opponent_rating": 1700, "score": 10_000},
        {"event": "A", "counted": 0, "opponent_rating": None, "score": 10_000},
        {"event": "B", "counted": 0, "opponent_rating": 1800, "score": 0},
    ]
    kept = [
        {
            "event": "Old",
            "opponents": [1650, 1600],
            "scores": [5_000, 0],
            "round_robin_rated": [],
            "round_robin_dp": [],
            "round_robin_games": None,
        }
    ]
    found = results_of([{"event": "A", "own_rating": None}, {"event": "B", "own_rating": None}], games, kept, CLASSIC)
    assert found == [Result("Old", (1650, 1600), 5_000, True), Result("A", (1700,), 10_000)]


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"),
    [(5, 2, "2.5"), (10, 3, "3.33"), (7, 7, "1"), (-5, 4, "-1.25"), (2, 3, "0.67")],
)
def test_means_for_the_eye(numerator, denominator, text):
    assert mean_text(numerator, denominator) == text
