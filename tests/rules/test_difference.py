"""The 400 rule through the years, the 2650 exception, the 600 rule."""

from dataclasses import replace

import numpy as np
import pytest

from fide_batch import regulations
from fide_batch.rules.difference import counted_difference, not_rated_by_difference, one_upgrade
from fide_batch.rules.month import rate
from tests.rules.build import Result, a_month, against, event, month, with_law

EVERY_GAME = [
    "classic",
    "fide-2009-07",
    "fide-2011-07",
    "fide-2012-07",
    "fide-2014-07",
    "fide-2017-07",
    "fide-2024-03",
    "fide-2024-12",
    "fide-2025-10",
]


@pytest.mark.parametrize("name", EVERY_GAME)
@pytest.mark.parametrize(
    ("difference", "counted"), [(399, 399), (400, 400), (401, 400), (1200, 400), (-399, -399), (-400, -400), (-401, -400), (0, 0)]
)  # fmt: skip
def test_more_than_400_counts_as_400_in_every_game(name, difference, counted):
    assert counted_difference(difference, 2000, "standard", regulations.edition(name).difference) == counted


@pytest.mark.parametrize(("difference", "counted"), [(349, 349), (350, 350), (351, 350), (-351, -350)])
def test_until_june_2009_the_cap_was_350(difference, counted):
    assert counted_difference(difference, 2000, "standard", regulations.edition("fide-2005-01").difference) == counted


@pytest.mark.parametrize(("own", "counted"), [(2649, 400), (2650, 413), (2651, 413)])
def test_from_october_2025_an_own_rating_of_2650_counts_in_full(own, counted):
    law = regulations.edition("fide-2025-10").difference
    assert counted_difference(413, own, "standard", law) == counted
    assert counted_difference(413, own, "rapid", law) == 400
    assert counted_difference(413, own, "blitz", law) == 400


@pytest.mark.parametrize("name", ["fide-2024-03", "fide-2024-12"])
def test_before_october_2025_nobody_was_exempt(name):
    assert counted_difference(736, 2700, "standard", regulations.edition(name).difference) == 400


def test_the_exception_looks_at_the_own_rating_only():
    rated = month({1: 2813, 2: 2400}, event("Cup", [1, 2], ["1-2 1"]), rules="fide-2025-10")
    first, second = rated.games(1)[0], rated.games(2)[0]
    assert (first["difference"], first["counted_difference"], first["expected"]) == (413, 413, 9300)
    assert (second["difference"], second["counted_difference"], second["expected"]) == (-413, -400, 800)
    assert "413 counts in full" in first["reason"]
    assert "413 counts as 400" in second["reason"]


@pytest.mark.parametrize(
    ("own", "opponent", "k", "exact"),
    [
        (2650, 2150, 10, "0.4"),
        (2700, 1964, 10, "0"),
        (2700, 2200, 10, "0.4"),
        (2600, 2100, 10, "0.8"),
        (2649, 2149, 10, "0.8"),
    ],
)
def test_a_win_of_the_higher_rated_from_october_2025(own, opponent, k, exact):
    rated = month({1: {"rating": own, "k": k}, 2: opponent}, event("Cup", [1, 2], ["1-2 1"]), rules="fide-2025-10")
    assert rated.change(1)["change_exact"] == round(float(exact) * 10) * 1000


@pytest.mark.parametrize("name", ["fide-2012-07", "fide-2014-07", "fide-2017-07"])
def test_rapid_and_blitz_had_no_400_rule_until_2021(name):
    law = regulations.edition(name).difference
    assert counted_difference(700, 2000, "rapid", law) == 700
    assert counted_difference(-700, 2000, "blitz", law) == -700


# --- one upgrade per event, 2022-01 to 2024-02 -----------------------------------------------------


@pytest.mark.parametrize("name", ["fide-2022-01", "fide-2022-10"])
def test_only_the_largest_difference_of_an_event_counts_as_400(name):
    """Seven games of a 2000, as a player copied them from FIDE's page: .08 .01 .02 -.17 -.70 .02 .13, sum -.61."""
    opponents = [1063, 1299, 1413, 1872, 1851, 1427, 1682]
    players = {1: 2000} | dict(enumerate(opponents, 2))
    rated = month(players, event("Open", list(players), against(1, range(2, 9), "111=011")), rules=name)
    assert [game["chg"] for game in rated.games(1)] == [800, 100, 200, -1700, -7000, 200, 1300]
    assert rated.change(1)["change_exact"] == -122_000
    # The lower rated side counts as 400 in every game.
    assert [rated.games(each)[0]["counted_difference"] for each in (2, 3, 4, 7)] == [-400, -400, -400, -400]


def test_since_march_2024_each_of_them_counts_as_400():
    opponents = [1063, 1299, 1413, 1872, 1851, 1427, 1682]
    players = {1: 2000} | dict(enumerate(opponents, 2))
    rated = month(players, event("Open", list(players), against(1, range(2, 9), "111=011")), rules="fide-2024-03")
    assert rated.change(1)["change_exact"] == -84_000


def test_the_upgrade_is_given_once_in_each_event():
    players = {1: 2000, 2: 1500, 3: 1400}
    first = event("A", [1, 2, 3], ["1-2 1", "1-3 1"])
    second = event("B", [1, 2], ["1-2 1"])
    rated = month(players, first, second, rules="fide-2022-01")
    assert [(game["event"], game["counted_difference"]) for game in rated.games(1)] == [
        ("A", 500),
        ("A", 400),
        ("B", 400),
    ]


def test_of_equal_largest_differences_one_counts_as_400():
    rated = month({1: 2000, 2: 1500, 3: 1500}, event("A", [1, 2, 3], ["1-2 1", "1-3 1"]), rules="fide-2022-01")
    assert [game["counted_difference"] for game in rated.games(1)] == [400, 500]


def test_the_upgrade_is_not_spent_on_a_game_that_is_not_rated():
    rated = month({1: 2000, 2: 1000, 3: 1500}, event("A", [1, 2, 3], ["1-2 +", "1-3 1"]), rules="fide-2022-01")
    assert [game["counted_difference"] for game in rated.games(1)] == [None, 400]


def test_nobody_is_upgraded_who_is_not_said_to_be():
    law = regulations.edition("fide-2022-01").difference
    assert [counted_difference(each, 2000, "standard", law) for each in (500, -500)] == [500, -400]
    assert counted_difference(500, 2000, "standard", law, True) == 400


def test_one_upgrade_over_columns():
    difference = np.array([401, 500, 400, 450, -900, 400])
    law = regulations.edition("fide-2022-01").difference
    assert np.flatnonzero(one_upgrade(difference, np.array([0, 0, 0, 1, 1, 2]), law)).tolist() == [1, 3]


@pytest.mark.parametrize(
    ("before", "since", "period", "counted"),
    [("2009-06-30", "2009-07-01", "2009-09", [350, 400]), ("2024-02-29", "2024-03-01", "2024-04", [430, 400])],
)
def test_two_events_of_one_month_are_each_rated_by_their_own_edition(before, since, period, counted):
    players = {1: 2000, 2: 1570, 3: 1500}
    earlier = event("A", [1, 2, 3], ["1-2 1", "1-3 1"], start=before)
    later = event("B", [1, 2], ["1-2 1"], start=since)
    rated = month(players, earlier, later, period=period, base_period="2009-01", in_force=True)
    assert [game["counted_difference"] for game in rated.games(1)][::2] == counted


# --- the 600 rule, from 2024-12, rapid and blitz ----------------------------------------------------


@pytest.mark.parametrize(
    ("own", "opponent", "not_rated"),
    [
        (2601, 2001, True), (2601, 2002, False), (2600, 2000, False), (2600, 1900, False), (2001, 2601, True), (2700, 2100, True),
        (2700, 2101, False),
    ],
)  # fmt: skip
def test_600_points_apart_and_one_above_2600(own, opponent, not_rated):
    for name in ("fide-2024-12", "fide-2025-10"):
        law = regulations.edition(name).unrated_difference
        assert bool(not_rated_by_difference(own - opponent, own, opponent, "rapid", law)) is not_rated
        assert bool(not_rated_by_difference(own - opponent, own, opponent, "blitz", law)) is not_rated
        assert not not_rated_by_difference(own - opponent, own, opponent, "standard", law)


@pytest.mark.parametrize("name", ["classic", "fide-2022-10", "fide-2024-03"])
def test_before_december_2024_there_was_no_600_rule(name):
    assert not not_rated_by_difference(900, 2700, 1800, "rapid", regulations.edition(name).unrated_difference)


def test_such_a_game_counts_for_neither_and_says_why():
    players = {
        1: {"rating": 2650, "rapid_rating": 2650},
        2: {"rating": 2000, "rapid_rating": 2050},
        3: {"rating": 2300, "rapid_rating": 2300},
    }
    rapid = event("Rapid", [1, 2, 3], ["1-2 =", "1-3 1"], control="rapid")
    rated = month(players, rapid, rules="fide-2024-12")
    for id_, size in ((1, 600), (2, -600)):
        game = next(row for row in rated.games(id_) if row["round"] == 1)
        assert (game["counted"], game["difference"], game["chg"]) == (0, size, None)
        assert "difference 600, not rated" in game["reason"]
    assert rated.change(1, "rapid")["games"] == 1
    assert rated.changes(2) == []


def test_two_editions_with_their_own_600_rule_in_one_month():
    stricter = with_law("fide-2025-10", unrated_difference={"from_difference": 500})
    players = {1: {"rapid_rating": 2700}, 2: {"rapid_rating": 2150}}
    events = [event(name, [1, 2], ["1-2 1"], control="rapid") for name in "AB"]
    both = a_month(players, *events, rules="fide-2025-10")
    rated = Result(rate(replace(both, event_editions=[stricter, both.edition])))
    assert [game["counted"] for game in rated.games(1)] == [0, 1]


# --- what the audit says about it -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "control", "own", "opponent", "higher", "lower"),
    [
        ("classic", "standard", 2000, 1600, "rated", "rated"),
        ("classic", "standard", 2000, 1599, "difference 401 counts as 400", "difference 401 counts as 400"),
        ("fide-2005-01", "standard", 2000, 1649, "difference 351 counts as 350", "difference 351 counts as 350"),
        ("fide-2012-07", "rapid", 2000, 1300, "rated", "rated"),
        ("fide-2025-10", "standard", 2650, 2250, "rated", "rated"),
        ("fide-2025-10", "standard", 2650, 2249, "difference 401 counts in full, the own rating is 2650 or more", "difference 401 counts as 400"),
        ("fide-2025-10", "standard", 2649, 2248, "difference 401 counts as 400", "difference 401 counts as 400"),
        ("fide-2025-10", "rapid", 2700, 2299, "difference 401 counts as 400", "difference 401 counts as 400"),
        (with_law("classic", difference={"method": "none"}), "standard", 2000, 1300, "rated", "rated"),
    ],
)  # fmt: skip
def test_each_side_reads_why_its_difference_counts_so(rules, control, own, opponent, higher, lower):
    column = {"standard": "rating", "rapid": "rapid_rating"}[control]
    rated = month(
        {1: {column: own}, 2: {column: opponent}}, event("Cup", [1, 2], ["1-2 1"], control=control), rules=rules
    )
    assert [rated.games(each)[0]["reason"].rpartition(": ")[2] for each in (1, 2)] == [higher, lower]


def said(rated, player):
    return [game["reason"].rpartition(": ")[2] for game in rated.games(player)]


def test_of_several_differences_each_reads_its_own():
    """In one event: in full of a 2650, capped next to it, and two of the same size that count differently."""
    players = {1: 2650, 2: 2249, 3: 2248, 4: 1847, 5: 1846}
    games = ["1-2 1", "1-3 1", "3-5 1", "4-3 0", "3-4 1"]
    rated = month(players, event("Cup", list(players), games), rules="fide-2025-10")
    assert said(rated, 1) == [
        f"difference {size} counts in full, the own rating is 2650 or more" for size in (401, 402)
    ]
    assert said(rated, 3) == [f"difference {size} counts as 400" for size in (402, 402, 401, 401)]
    assert said(rated, 2) == said(rated, 4)[:1] == ["difference 401 counts as 400"]


@pytest.mark.parametrize("exempt", [{}, {"exempt_from": 2650, "exempt_controls": ("standard",)}])
def test_the_game_that_is_not_upgraded_says_so(exempt):
    rules = with_law("fide-2022-01", difference=exempt)
    rated = month(
        {1: 2000, 2: 1500, 3: 1500, 4: 1590}, event("A", [1, 2, 3, 4], ["1-2 1", "1-3 1", "1-4 1"]), rules=rules
    )
    assert said(rated, 1) == [
        "difference 500 counts as 400",
        "difference 500 counts in full, another game of the event is the one that counts as 400",
        "difference 410 counts in full, another game of the event is the one that counts as 400",
    ]
