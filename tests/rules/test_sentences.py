"""The sentence beside each change, word for word: what a player is told of his first rating, or of what he still lacks."""

from itertools import combinations

import numpy as np
import pytest

from fide_batch.rules.sentences import _decimal, games_text, signed, signed_points
from tests.rules.build import against, event, month, with_law

FIELD = {1: 1800, 2: 1700, 3: 1900, 4: 1650, 5: 1750, 6: 1850, 7: 1600, 8: 1500, 9: 1550}


def played(player, opponents, results, name="A", start="2026-10-10"):
    return event(name, [player, *opponents], against(player, opponents, results), start=start)


@pytest.mark.parametrize(
    ("rules", "results", "why"),
    [
        ("classic", "1=0101", "Ru 1795 in 6 games (3.5 points)"),
        ("classic", "1=1101", "Ru 1835 in 6 games (4.5 points)"),
        ("classic", "1=0100", "Ru 1718 in 6 games (2.5 points)"),
        ("fide-2022-01", "1=0101", "3.5 points, Ra 1775, p 0.58, 1 half point above 50% at 20"),
        ("fide-2022-01", "1=1101", "4.5 points, Ra 1775, p 0.75, 3 half points above 50% at 20"),
        ("fide-2022-01", "1=1000", "2.5 points, Ra 1775, p 0.42, D(p) −57"),
        ("fide-2022-01", "1=10=0", "3.0 points, Ra 1775, p 0.50, D(p) 0"),
        ("fide-2025-10", "1=0101", "3.5 points and 2 imaginary draws with 1800, Ra 1781.25, p 0.56, D(p) +43"),
        ("fide-2025-10", "1=10=0", "3.0 points and 2 imaginary draws with 1800, Ra 1781.25, p 0.50, D(p) 0"),
        ("fide-2025-10", "1=1000", "2.5 points and 2 imaginary draws with 1800, Ra 1781.25, p 0.44, D(p) −43"),
    ],
)
def test_a_first_rating_of_one_event(rules, results, why):
    """Six opponents of 1775 on average."""
    change = month(FIELD, played(98, range(1, 7), results), rules=rules).change(98)
    head, _, reckoning = change["why"].partition(": ")
    assert head == f"First rating {change['rating_after']} from 6 games against rated opponents"
    assert reckoning == f"{why}."


def test_nine_games_and_half_points_at_twelve_and_a_half():
    change = month(FIELD, played(98, range(1, 10), "11111=000"), rules="fide-2009-07").change(98)
    assert change["why"] == (
        "First rating 1725 from 9 games against rated opponents: 5.5 points, Ra 1700, p 0.61, 2 half points above 50% at 12.5."
    )


def test_each_of_two_newcomers_reads_of_his_own_events():
    """97: Ru 1760 − 366 = 1394 in five games, 1712.5 + 4 x 20 in four; 98: two games are too few."""
    events = [
        played(97, range(1, 6), "=0000", "A"), played(97, (4, 5, 6, 7), "1111", "B", "2026-10-12"),
        played(98, range(1, 7), "1=0101", "C"), played(98, (8, 9), "11", "D", "2026-10-12"),
    ]  # fmt: skip
    rated = month(FIELD, *events)
    assert rated.change(97)["why"] == (
        "First rating 1571 from 9 games against rated opponents of 2 events: Ru 1394 in 5 games (0.5 points), Ru 1792.5 in 4 games (4.0 points)."
    )
    assert rated.change(98)["why"] == (
        "First rating 1795 from 6 games against rated opponents: Ru 1795 in 6 games (3.5 points)."
    )


def test_closed_round_robins_are_named():
    everybody = [1, 2, 3, 4, 5, 97]
    closed = event("R", everybody, [f"{a}-{b} =@{at}" for at, (a, b) in enumerate(combinations(everybody, 2), 1)])
    assert month(FIELD, closed).change(97)["why"] == (
        "First rating 1760 from 5 games against rated opponents: 2.5 points, by the formula of closed round robins (round robins with unrated players)."
    )
    both = month(FIELD, closed, played(97, (6, 7, 8), "110", "S", "2026-10-20")).change(97)
    assert ": 4.5 points, 1 of the events by the formula of closed round robins (" in both["why"]
    assert "from 8 games against rated opponents of 2 events" in both["why"]


@pytest.mark.parametrize(
    ("rules", "field", "events", "missing"),
    [
        ("classic", FIELD, [((1, 2, 3), "000")], "3 of 5 games; score 0.0, 0.5 needed"),
        ("classic", FIELD, [(range(1, 6), "00000")], "score 0.0, 0.5 needed"),
        ("classic", FIELD, [((1, 2, 3), "00=")], "3 of 5 games"),
        ("classic", FIELD, [((1, 2), "11"), ((3, 4, 5), "=1=")], "3 of 5 games; 1 event with too few games against rated opponents disregarded"),
        ("classic", FIELD, [((1, 2), "11"), ((3, 4), "1="), ((3, 4, 5), "=1=")], "3 of 5 games; 2 events with too few games against rated opponents disregarded"),
        ("fide-2025-10", FIELD, [((1, 2), "00"), ((3,), "1")], "1 of 5 games; first event disregarded: no point"),
        ("fide-2025-10", FIELD, [((1, 2), "00"), ((3,), "0"), ((3, 4, 5), "=1=")], "3 of 5 games; first events disregarded: no point"),
        ("fide-2009-07", FIELD, [((1, 2, 3), "=00"), ((4, 5, 6), "111")], "3 of 9 games; first event disregarded: less than 1.0"),
        ("fide-2012-07", FIELD, [((1, 2), "11"), ((4, 5, 6), "111")], "3 of 9 games; first event disregarded: less than 1.0 or fewer than 3 games against rated opponents"),
        (with_law("classic", first_rating={"score": 2}), FIELD, [(range(1, 6), "=0000")], "score 0.5, 1.0 needed"),
        (with_law("fide-2009-07", first_rating={"score": 3}), FIELD, [((1, 2, 3), "100"), ((4, 5, 6), "111")], "3 of 9 games; first event disregarded: less than 1.5"),
        (with_law("fide-2012-07", first_rating={"opponents": 2}), FIELD, [((1, 2), "00"), ((4, 5, 6), "111")], "3 of 9 games; first event disregarded: less than 1.0 or fewer than 2 games against rated opponents"),
        ("fide-2025-10", {each: 1400 + each for each in range(1, 6)}, [(range(1, 6), "10000")], "rating 1358 below 1400"),
    ],
)  # fmt: skip
def test_what_is_missing(rules, field, events, missing):
    dated = [
        played(98, opponents, results, f"E{at}", f"2026-10-1{at}") for at, (opponents, results) in enumerate(events)
    ]
    rated = month(field, *dated, rules=rules)
    assert rated.change(98)["why"] == f"Waits for a first rating: {missing}."
    assert {row["missing"] for row in rated.pending(98)} == {missing}


@pytest.mark.parametrize(("rating", "said"), [(1000, False), (999, True)])
def test_the_floor_itself_is_no_reason(rating, said):
    law = with_law("classic", lists={"floor": 1000})
    rated = month(dict.fromkeys(range(1, 6), rating), played(98, range(1, 6), "1=0=="), rules=law)
    assert (rated.change(98)["status"] == "pending") is said
    assert ("below 1000" in rated.change(98)["why"]) is said


def test_who_stands_first_on_the_list_is_on_it():
    field = {98: {"rating": None}} | FIELD
    rated = month(field, played(98, (1, 2, 3), "1=0"), rules="fide-2025-10")
    assert rated.change(98)["why"] == "Waits for a first rating: 3 of 5 games."


@pytest.mark.parametrize(
    ("results", "rating", "told"),
    [
        ("1" * 25 + "=" + "0" * 24, 1770, "50 games against rated opponents: 25.5 points, Ra 1750, p 0.51, 1 half point above 50% at 20"),
        ("1" * 99 + "0", 3710, "100 games against rated opponents: 99.0 points, Ra 1750, p 0.99, 98 half points above 50% at 20"),
        ("1" * 10, 1950, "10 games against rated opponents: 10.0 points, Ra 1750, p 1.00, 10 half points above 50% at 20"),
    ],
)  # fmt: skip
def test_just_above_half_just_below_all_and_all(results, rating, told):
    many = event("A", [98, 1, 2], against(98, [1, 2] * (len(results) // 2), results))
    assert month(FIELD, many, rules="fide-2022-01").change(98)["why"] == f"First rating {rating} from {told}."


def test_one_game_of_an_earlier_month():
    october = month(FIELD, played(98, (1,), "1"), rules="fide-2025-10").rated
    later = played(98, (2, 3, 4, 5), "0000", "B", "2026-11-10")
    why = month(october.list, later, rules="fide-2025-10", period="2026-12", kept=october.kept).change(98)["why"]
    assert why.endswith("; 1 game of earlier months included.")


# --- rated players ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        {0: "0.00", 12_400: "+1.24", -12_400: "−1.24", 100: "+0.01", -9_900: "−0.99", 1_000_000: "+100.00"},
        {57_150: "+5.7150", -1: "−0.0001", 101: "+0.0101", 10_000: "+1.00"},
    ],
)
def test_hundredths_are_shown_and_four_places_where_two_do_not_hold_them(column):
    assert signed_points(np.array(list(column))).to_pylist() == list(column.values())


def test_whole_numbers_with_their_sign():
    assert signed(np.array([12, -12, 0, 1, -1])).to_pylist() == ["+12", "−12", "0", "+1", "−1"]
    assert games_text(np.array([0, 1, 2])).to_pylist() == ["0 games", "1 game", "2 games"]


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"),
    [(0, 3, "0"), (15, 10, "1.5"), (-15, 10, "−1.5"), (1, 3, "0.33"), (2, 3, "0.67"), (1, 200, "0.01"), (1, 201, "0"), (-2, 3, "−0.67"), (1781_25, 100, "1781.25"), (1700, 1, "1700")],
)  # fmt: skip
def test_a_mean_has_two_places_at_most(numerator, denominator, text):
    assert _decimal(numerator, denominator) == text


def test_each_player_reads_his_own_sum_and_what_became_of_it():
    """.08 x 20; half of 40; 36 draws at .14 with K 20, cut to 19."""
    field = {
        1: {"rating": 2000, "k": 20}, 2: {"rating": 1400, "k": 40}, 3: {"rating": 1500, "k": 20}, 5: {"rating": 1600, "k": 20},
        6: {"rating": 1400, "k": 20},
    }  # fmt: skip
    games = ["1-5 1", "2-6 0", *["3-5 ="] * 36]
    rated = month(field, event("A", list(field), games), rules="fide-2025-10")
    assert [rated.change(each)["why"] for each in (1, 2, 3)] == [
        "Sum of 1 game +1.60, rounded +2.",
        "Sum of 1 game −20.00, rounded −20; below 1400: computed 1380, unrated from this list (7.2.1).",
        "Sum of 36 games +95.76, rounded +96; K 19 (8.3.3): 36 games with K 20 are more than 700.",
    ]


def test_a_one_off_change_is_told_between_sum_and_floor():
    field = {1: {"rating": 1500, "k": 20}, 2: {"rating": 1500, "k": 20}, 3: {"rating": 900, "k": 20}, 4: {"rating": 900, "k": 20}, 5: {"rating": 2100, "k": 20}, 6: {"rating": 2100, "k": 20}, 7: {"rating": 900, "k": 20}}  # fmt: skip
    rated = month(field, event("A", list(field), ["1-2 1", "3-4 1", "5-6 ="]), rules="fide-2024-03", period="2024-03", base_period="2024-02")  # fmt: skip
    assert [rated.change(each)["why"].replace("Sum of 1 game ", "") for each in (1, 3, 5, 7)] == [
        "+10.00, rounded +10; computed 1510, after the one-off change of 2024-03 1706.",
        "+10.00, rounded +10; computed 910, after the one-off change of 2024-03 1346; below 1400: unrated from this list (7.2.1).",
        "0.00, rounded 0.",
        "One-off change of 2024-03 (the one-off change of 1 March 2024): 900 becomes 1340; below 1400: unrated from this list (7.2.1).",
    ]
