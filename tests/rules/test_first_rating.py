"""First ratings: the three methods, what an event and a pool need, the window, ceiling and floor, and what waits."""

from datetime import date

import numpy as np
import pytest

from fide_batch import regulations
from fide_batch.rules.first_rating import percentage, rn, three_cases, weighted_ru
from fide_batch.rules.performance import performance_rating
from tests.rules.build import a_month, against, event, month, with_law

POINT = 10_000
DP = regulations.edition("classic").performance


def computed(name, opponents, points, games=None):
    edition = regulations.edition(name)
    law, games = edition.first_rating, games or len(opponents)
    total, score = sum(opponents), round(points * 2) * POINT // 2
    return int(
        rn(weighted_ru(total, score, games, law, edition.performance), total, score, games, law, edition.performance)
    )


# --- p and the three cases ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "games", "hundredths"),
    [
        (1, 8, 13),
        (3, 8, 38),
        (4.5, 9, 50),
        (4, 9, 44),
        (5, 9, 56),
        (1, 3, 33),
        (2, 3, 67),
        (0, 5, 0),
        (5, 5, 100),
        (97, 200, 49),
        (101, 201, 50),
    ],
)
def test_p_is_rounded_to_two_decimals_half_up(points, games, hundredths):
    """1/8 = .125 -> .13; 97/200 = .485 -> .49."""
    assert percentage(round(points * POINT), games) == hundredths


@pytest.mark.parametrize(
    ("name", "bonus"), [("classic", 20), ("fide-2009-07", 12.5), ("fide-2011-07", 15), ("fide-2012-07", 15), ("fide-2014-07", 20), ("fide-2017-07", 20), ("fide-2022-01", 20), ("fide-2022-10", 20)]
)  # fmt: skip
def test_at_above_and_below_fifty_per_cent(name, bonus):
    law = regulations.edition(name).first_rating
    assert three_cases(50_000, 10, law, DP) == 0
    assert three_cases(55_000, 10, law, DP) == bonus * 10
    assert three_cases(60_000, 10, law, DP) == 2 * bonus * 10
    assert three_cases(255_000, 50, law, DP) == bonus * 10
    assert three_cases(245_000, 50, law, DP) == -70
    assert three_cases(40_000, 10, law, DP) == -720


def test_p_decides_the_case_after_rounding():
    """100.5 of 201 is .50: no bonus for the half point above."""
    law = regulations.edition("classic").first_rating
    assert three_cases(1_010_000, 201, law, DP) == 0


@pytest.mark.parametrize(
    ("opponents", "points", "ru"),
    [
        ([2000] * 10, 4, 1928),
        ([2000] * 10, 6, 2040),
        ([2000] * 10, 5, 2000),
        ([1660] * 5, 0, 860),
        ([1300, 2000, 2100, 2200, 2300], 5, 2080),
    ],
)
def test_one_event_by_the_three_cases(opponents, points, ru):
    for name in ("classic", "fide-2014-07", "fide-2022-10"):
        assert computed(name, opponents, points) == ru


def test_rn_is_the_mean_of_ru_weighted_by_games():
    """Ru 2280 in 5 games, 2400 in 10, 2000 in 5 -> Rn 2270."""
    edition = regulations.edition("classic")
    law = edition.first_rating
    total = np.array([2280 * 5, 2400 * 10, 2000 * 5])
    games = np.array([5, 10, 5])
    weighted = weighted_ru(total, games * POINT // 2, games, law, edition.performance).sum()
    assert rn(weighted, total.sum(), int(games.sum()) * POINT // 2, int(games.sum()), law, edition.performance) == 2270


@pytest.mark.parametrize(
    ("opponents", "points", "ru"),
    [
        ([1902, 1877, 1884, 2012, 1832], 3, 1922),  # the official first rating of the list of December 2025
        ([2000] * 5, 3, 1993), ([2000] * 5, 2, 1893), ([2000] * 5, 2.5, 1943), ([2100] * 5, 5, 2200), ([2400] * 5, 3, 2200), ([1600] * 5, 1, 1499),
        ([1657] * 5, 3, 1748), ([1800] * 7, 4, 1843), ([1000] * 5, 5, 1538), ([1400] * 5, 0.5, 1284),
    ],
)  # fmt: skip
def test_two_imaginary_draws_with_1800(opponents, points, ru):
    for name in ("fide-2024-03", "fide-2024-12", "fide-2025-10"):
        assert computed(name, opponents, points) == ru


def test_five_wins_against_1800_by_the_table_not_the_logistic_formula():
    """p 6/7 = .86 -> 309: 2109 (B22)."""
    assert computed("fide-2025-10", [1800] * 5, 5) == 2109


@pytest.mark.parametrize(
    ("opponents", "points", "rp"),
    [([2772, 2597, 2698, 2615, 2665, 2715, 2707], 5, 2839), ([2250] * 5, 2, 2178), ([1700, 2250], 1.5, 2168)],
)
def test_performance(opponents, points, rp):
    assert performance_rating(opponents, round(points * POINT), DP) == rp


def test_a_performance_needs_a_game():
    with pytest.raises(ValueError, match="needs a game"):
        performance_rating([], 0, DP)


# --- in a month -------------------------------------------------------------------------------------

FIELD = dict.fromkeys(range(1, 13), 1800)


def newcomer(results, rules, *more, field=FIELD, name="Open", **where):
    """A month in which 99, who is not on the list, plays so many games against rated opponents."""
    games = against(99, list(field)[: len(results)], results)
    return month(field, event(name, [99, *field], games, **where), *more, rules=rules)


@pytest.mark.parametrize(
    "name", ["classic", "fide-2014-07", "fide-2017-07", "fide-2022-01", "fide-2022-10", "fide-2024-03", "fide-2025-10"]
)
def test_five_games_are_needed(name):
    four, five = newcomer("1===", name), newcomer("1====", name)
    assert four.rating(99) is None
    assert four.change(99)["status"] == "pending"
    assert four.pending(99)[0]["missing"] == "4 of 5 games"
    assert five.rating(99) is not None
    assert five.change(99)["status"] == "first-rating"
    assert five.pending(99) == []


@pytest.mark.parametrize("name", ["fide-2005-01", "fide-2009-07", "fide-2011-07", "fide-2012-07"])
def test_until_june_2014_nine_were_needed(name):
    assert newcomer("1=======", name).rating(99) is None
    assert newcomer("1========", name).rating(99) is not None


def test_the_official_first_rating_as_a_month():
    field = {1: 1902, 2: 1877, 3: 1884, 4: 2012, 5: 1832}
    rated = newcomer("==101", "fide-2025-10", field=field)
    assert (rated.rating(99), rated.player(99)["k"], rated.player(99)["games"]) == (1922, 40, 5)
    line = rated.events(99)[0]
    assert (line["rc"], line["games"], line["score"]) == (1901, 5, 3 * POINT)
    assert "1872.43" in rated.change(99)["why"]


@pytest.mark.parametrize("name", ["fide-2014-07", "fide-2017-07", "fide-2022-01", "fide-2024-03", "fide-2025-10"])
def test_half_a_point_is_needed_in_the_first_event(name):
    """B20: 0/2, then 2/4: the first event is disregarded, one game is missing."""
    first = event("A", [99, 1, 2], against(99, [1, 2], "00"), start="2026-10-01")
    second = event("B", [99, 1, 2, 3, 4], against(99, [1, 2, 3, 4], "10=="), start="2026-10-05")
    rated = month(FIELD, first, second, rules=name)
    assert [row["event"] for row in rated.pending(99)] == ["B"]
    assert rated.pending(99)[0]["missing"] == "4 of 5 games; first event disregarded: no point"
    lost = [game for game in rated.games(99) if game["event"] == "A"]
    assert {(game["counted"], "disregarded" in game["reason"]) for game in lost} == {(0, True)}
    assert [(line["event"], line["games"]) for line in rated.events(99)] == [("A", 0), ("B", 4)]
    half = month(FIELD, event("A", [99, 1, 2], against(99, [1, 2], "0="), start="2026-10-01"), second, rules=name)
    assert half.change(99)["status"] == "first-rating"
    assert half.change(99)["games"] == 6


def test_every_scoreless_event_at_the_head_is_dropped_but_none_later():
    events = [
        event("A", [99, 1], ["99-1 0"], start="2026-10-01"), event("B", [99, 2], ["99-2 0"], start="2026-10-02"),
        event("C", [99, 3], ["99-3 ="], start="2026-10-03"), event("D", [99, 4, 5], ["99-4 0", "99-5 0"], start="2026-10-04"),
    ]  # fmt: skip
    rated = month(FIELD, *events, rules="fide-2025-10")
    assert [row["event"] for row in rated.pending(99)] == ["C", "D"]
    assert rated.pending(99)[0]["missing"] == "3 of 5 games; first events disregarded: no point"


def test_what_was_dropped_never_comes_back():
    first = month(FIELD, event("A", [99, 1, 2], against(99, [1, 2], "00")), rules="fide-2025-10")
    assert first.rated.kept.num_rows == first.rated.pending.num_rows == 0
    assert first.changes(99) == []
    again = month(
        first.rated.list, event("B", [99, 1, 2, 3, 4], against(99, [1, 2, 3, 4], "1===")), rules="fide-2025-10", period="2026-12", kept=first.rated.kept
    )  # fmt: skip
    assert again.pending(99)[0]["missing"] == "4 of 5 games"


def test_an_event_without_a_game_that_counts_is_no_event():
    """A first event of two forfeits is not a scoreless first event."""
    first = event("A", [99, 1, 2], against(99, [1, 2], "--"), start="2026-10-01")
    second = event("B", [99, *range(1, 6)], against(99, range(1, 6), "1===="), start="2026-10-05")
    assert month(FIELD, first, second, rules="fide-2025-10").change(99)["status"] == "first-rating"


@pytest.mark.parametrize("name", ["fide-2009-07", "fide-2011-07", "fide-2012-07"])
def test_until_june_2014_a_whole_point_was_needed_in_the_first_event(name):
    half = newcomer("=00000000", name)
    whole = newcomer("==0000000", name, field=dict.fromkeys(range(1, 13), 2000))
    assert (half.changes(99), half.pending(99)) == ([], [])
    assert whole.change(99)["games"] == 9


def test_classic_asks_half_a_point_of_the_whole_pool():
    scoreless = newcomer("00000", "classic", field=dict.fromkeys(range(1, 13), 2400))
    assert scoreless.pending(99)[0]["missing"] == "score 0.0, 0.5 needed"
    lost = event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "000"), start="2026-10-01")
    drawn = event("B", [99, 1, 2, 3], against(99, [1, 2, 3], "00="), start="2026-10-05")
    assert month(dict.fromkeys(range(1, 13), 2400), lost, drawn, rules="classic").change(99)["status"] == "first-rating"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("classic", False),
        ("fide-2005-01", False),
        ("fide-2009-07", False),
        ("fide-2011-07", True),
        ("fide-2014-07", True),
        ("fide-2025-10", True),
    ],
)
def test_an_event_with_two_games_against_rated_opponents(name, counts):
    """Three are needed in classic and until June 2011; from July 2011 in the first event only, from July 2014 one is enough."""
    first = event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "=1="), start="2026-10-01")
    second = event("B", [99, 4, 5], against(99, [4, 5], "=1"), start="2026-10-05")
    rated = month(FIELD, first, second, rules=name)
    kept = {row["event"]: row["games"] for row in rated.rated.pending.to_pylist()}
    if counts and name in ("fide-2014-07", "fide-2025-10"):
        assert rated.change(99)["games"] == 5
    else:
        assert kept == ({"A": 3, "B": 2} if counts else {"A": 3})


def test_from_july_2011_the_first_event_needs_three():
    first = event("A", [99, 1, 2], against(99, [1, 2], "11"), start="2026-10-01")
    second = event("B", [99, 3, 4, 5], against(99, [3, 4, 5], "=1="), start="2026-10-05")
    rated = month(FIELD, first, second, rules="fide-2011-07")
    assert [row["event"] for row in rated.pending(99)] == ["B"]


def test_games_are_counted_not_persons():
    """Three games against one rated opponent are enough where three are needed (reading 19)."""
    rated = month(FIELD, event("A", [99, 1], ["99-1 1", "99-1 =", "99-1 0"]), rules="classic")
    assert rated.pending(99)[0]["games"] == 3


# --- pooling over months ----------------------------------------------------------------------------


def test_a_result_waits_and_serves_in_a_later_month():
    rules = "fide-2025-10"
    october = month(FIELD, event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0"), end="2026-10-20"), rules=rules)
    (waiting,) = october.pending(99)
    assert (waiting["games"], waiting["score"], waiting["rc"], waiting["expires"]) == (
        3,
        15_000,
        1800,
        date(2028, 12, 1),
    )
    assert waiting["ru"] == 1800
    november = month(
        october.rated.list, event("B", [99, 4, 5], against(99, [4, 5], "11"), start="2026-11-05"), rules=rules, period="2026-12",
        kept=october.rated.kept,
    )  # fmt: skip
    # 3.5 of 5 against 1800, with the draws 4.5 of 7 = .64
    assert november.rating(99) == 1902
    change = november.change(99)
    assert (change["games"], change["score"]) == (2, 20_000)
    assert "3 games of earlier months included" in change["why"]
    assert november.player(99)["career_games"] == 5
    assert november.rated.kept.num_rows == 0


def test_all_events_of_the_period_of_the_first_rating_go_into_it():
    first = event("A", [99, *range(1, 6)], against(99, range(1, 6), "1===="), start="2026-10-01")
    second = event("B", [99, 6, 7], against(99, [6, 7], "11"), start="2026-10-15")
    rated = month(FIELD, first, second, rules="fide-2025-10")
    assert (rated.change(99)["games"], rated.change(99)["status"]) == (7, "first-rating")
    assert {game["reason"].split(": ")[1] for game in rated.games(99)} == {"goes into the first rating"}


def kept_result(end, rules="fide-2025-10", start="2026-10-01"):
    return month(
        FIELD,
        event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0"), start=start, end=end),
        rules=rules,
        period="2026-11",
    ).rated


@pytest.mark.parametrize(
    ("rules", "end", "last"),
    [
        ("fide-2025-10", "2026-10-01", "2028-12"), ("fide-2025-10", "2026-10-31", "2028-12"), ("classic", "2026-10-20", "2028-12"),
        ("fide-2014-07", "2026-10-20", "2028-12"),
    ],
)  # fmt: skip
def test_a_result_serves_for_26_months(rules, end, last):
    october = kept_result(end, rules)
    year, month_ = map(int, last.split("-"))
    following = f"{year + month_ // 12}-{month_ % 12 + 1:02d}"
    for period, serves in ((last, True), (following, False)):
        later = event("B", [99, 4, 5, 6], against(99, [4, 5, 6], "1=1"), start=f"{year}-{month_:02d}-01")
        rated = month(october.list, later, rules=rules, period=period, kept=october.kept)
        assert (rated.change(99)["status"] == "first-rating") is serves
        if not serves:
            assert [problem.code for problem in rated.rated.problems if problem.code.startswith("kept")] == [
                "kept-result-expired"
            ]


@pytest.mark.parametrize(("period", "kept"), [("2028-11", 1), ("2028-12", 0)])
def test_what_can_serve_no_later_list_is_not_kept_for_one(period, kept):
    october = kept_result("2026-10-20", "fide-2025-10")
    rated = month(october.list, rules="fide-2025-10", period=period, kept=october.kept).rated
    assert (rated.kept.num_rows, rated.pending.num_rows, rated.problems) == (kept, kept, [])


@pytest.mark.parametrize(("period", "serves"), [("2028-10", True), ("2028-11", False)])
def test_until_june_2014_for_24(period, serves):
    october = month(
        FIELD,
        event("A", [99, *range(1, 9)], against(99, range(1, 9), "========"), start="2026-10-20"),
        rules="fide-2012-07",
    ).rated
    rated = month(
        october.list,
        event("B", [99, 1, 2, 3], against(99, [1, 2, 3], "==="), start="2028-09-01"),
        rules="fide-2012-07",
        period=period,
        kept=october.kept,
    )
    assert (rated.change(99)["status"] == "first-rating") is serves


THREE_GAMES = against(99, [1, 2, 3], "1=0")


@pytest.mark.parametrize(
    ("end", "by_date", "named"),
    [
        ("2012-05-31", "2014-05", "2014-05"),  # expired before the list of June 2014, and does not come back
        ("2012-06-01", "2014-08", "2014-06"), ("2012-06-30", "2014-08", "2014-06"), ("2012-07-01", "2014-09", "2014-07"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("in_force", [True, False])
def test_the_26_months_of_july_2014_hold_for_what_still_served_the_list_of_june(end, by_date, named, in_force):
    """The window is that of each list's edition: a result of June 2012 is not gone when its 24 months are over."""
    rated = month(
        FIELD, event("A", [99, 1, 2, 3], THREE_GAMES, start="2012-05-28", end=end), rules="fide-2012-07", period="2014-05", in_force=in_force
    )  # fmt: skip
    expires = by_date if in_force else named
    assert [f"{row['expires']:%Y-%m}" for row in rated.pending(99)] == ([] if expires == "2014-05" else [expires])


@pytest.mark.parametrize(
    ("end", "period", "rating"),
    [
        ("2012-05-31", "2014-07", None), ("2012-06-01", "2014-07", 1840), ("2012-06-02", "2014-07", 1840), ("2012-06-02", "2014-08", 1840),
        ("2012-06-02", "2014-09", None), ("2012-07-02", "2014-09", 1840),
    ],
)  # fmt: skip
def test_a_result_of_june_2012_goes_into_a_first_rating_of_july_2014(end, period, rating):
    """By date: 1.5 of 3 against 1800, kept through June 2014, and two wins against 1800: 3.5 of 5, Ra 1800 + 2 half points x 20."""
    kept, rows = None, FIELD
    for each in ("2014-05", "2014-06"):
        late = [event("A", [99, 1, 2, 3], THREE_GAMES, start="2012-05-28", end=end)] if kept is None else []
        rated = month(rows, *late, period=each, in_force=True, kept=kept).rated
        kept, rows = rated.kept, rated.list
    wins = event("B", [99, 4, 5], against(99, [4, 5], "11"), start="2014-06-20")
    assert month(rows, wins, period=period, in_force=True, kept=kept).rating(99) == rating


def test_a_month_later_than_the_31st_of_december_is_the_end_of_february():
    """26 months after 31 December 2026 is 28 February 2029: the list of 1 February is the last one."""
    assert month(
        FIELD,
        event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0"), start="2026-12-31"),
        rules="classic",
        period="2027-01",
    ).pending(99)[0]["expires"] == date(2029, 2, 1)


def test_islands_of_unrated_players_wait_for_nothing():
    """Three unrated players in a group of their own are not rateable; the others are rated (B25)."""
    group = event("Group", [91, 92, 93], ["91-92 1", "92-93 =", "91-93 1"])
    others = event("Open", [1, 2], ["1-2 1"])
    rated = month({1: 1800, 2: 1800}, group, others, rules="fide-2025-10")
    assert rated.rating(1) == 1810
    assert [rated.rating(each) for each in (91, 92, 93)] == [None] * 3
    assert rated.rated.pending.num_rows == 0
    assert {game["reason"] for game in rated.games(91)} == {"8.3.1: opponent unrated"}
    told = [problem for problem in rated.rated.problems if problem.code == "unrated-island"]
    assert [problem.severity for problem in told] == ["note"]
    assert told[0].message.startswith("3 unrated players met nobody with a rating (the first: start number 1, id 91)")


def test_one_game_against_a_rated_player_leaves_the_island():
    """A newcomer who met one rated player waits; nobody is on an island then but who met only newcomers."""
    rated = month({1: 1800}, event("Open", [1, 91, 92, 93], ["1-91 1", "91-92 1", "92-93 1"]), rules="fide-2025-10")
    told = [problem.message for problem in rated.rated.problems if problem.code == "unrated-island"]
    assert len(told) == 1 and told[0].startswith(
        "2 unrated players met nobody with a rating (the first: start number 3, id 92)"
    )


# --- ceiling and floor --------------------------------------------------------------------------------


@pytest.mark.parametrize(("opponents", "rating"), [(2289, 2199), (2290, 2200), (2291, 2200), (2700, 2200)])
@pytest.mark.parametrize("name", ["fide-2024-03", "fide-2024-12", "fide-2025-10"])
def test_from_2024_2200_is_the_highest_first_rating(name, opponents, rating):
    """3 of 5, with the draws 4 of 7 = .57 -> +50: (5 x 2290 + 3600)/7 + 50 is 2200."""
    rated = newcomer("1=1=0", name, field=dict.fromkeys(range(1, 6), opponents))
    assert rated.rating(99) == rating
    assert ("2200 is the highest first rating" in rated.change(99)["why"]) is (rating == 2200)


def test_before_2024_there_was_no_ceiling():
    assert computed("fide-2022-10", [2400] * 5, 4) == 2460


@pytest.mark.parametrize(
    ("rules", "floor"),
    [
        ("classic", 1000), ("fide-2009-07", 1200), ("fide-2011-07", 1200), ("fide-2012-07", 1000), ("fide-2014-07", 1000), ("fide-2017-07", 1000),
        ("fide-2022-01", 1000), ("fide-2022-10", 1000), ("fide-2005-01", 1400),
    ],
)  # fmt: skip
@pytest.mark.parametrize("above", [-1, 0, 1])
def test_a_first_rating_below_the_floor_is_not_published(rules, floor, above):
    """Fifty per cent against opponents exactly at the rating that is asked for."""
    field = dict.fromkeys(range(1, 13), floor + above)
    rated = newcomer("=" * 10, rules, field=field)
    if above < 0:
        assert rated.rating(99) is None
        assert rated.change(99)["status"] == "pending"
        assert rated.pending(99)[0]["missing"] == f"rating {floor - 1} below {floor}"
    else:
        assert rated.rating(99) == floor + above


@pytest.mark.parametrize(("opponents", "rating"), [(1239, None), (1240, 1400), (1241, 1401)])
@pytest.mark.parametrize("name", ["fide-2024-03", "fide-2024-12", "fide-2025-10"])
def test_from_2024_the_floor_is_1400(name, opponents, rating):
    """Fifty per cent of five games: (5 x 1240 + 3600)/7 is 1400."""
    rated = newcomer("=====", name, field=dict.fromkeys(range(1, 6), opponents))
    assert rated.rating(99) == rating
    assert [row["missing"] for row in rated.pending(99)] == ([] if rating else ["rating 1399 below 1400"])


def test_a_pool_below_the_floor_is_tried_again_with_the_next_results():
    rules = "fide-2025-10"
    october = newcomer("=0000", rules, field=dict.fromkeys(range(1, 13), 1400)).rated
    better = event("B", [99, *range(1, 6)], against(99, range(1, 6), "11111"), start="2026-11-05")
    rated = month(october.list, better, rules=rules, period="2026-12", kept=october.kept)
    assert rated.change(99)["status"] == "first-rating"
    assert rated.player(99)["career_games"] == 10


def test_a_rating_is_rounded_once_half_away_from_zero():
    """Ra 1800.5 at fifty per cent is 1801."""
    field = {1: 1800, 2: 1801, 3: 1800, 4: 1801, 5: 1800, 6: 1801}
    assert newcomer("======", "fide-2022-10", field=field).rating(99) == 1801


# --- who is new -----------------------------------------------------------------------------------------


def test_new_players_stand_at_the_end_by_id_rated_or_not():
    rated = month({5: 1800, 3: 1800}, event("A", [99, 5, 3, 42], ["99-5 1", "42-3 0"]), rules="fide-2025-10")
    assert [row["fideid"] for row in rated.rated.list.to_pylist()] == [5, 3, 42, 99]


def test_the_first_report_in_order_of_dates_tells_who_he_is():
    late = event("A", [99, 1], ["99-1 1"], start="2026-10-20", births={99: "1990"}, federations={99: "bbb"})
    early = event("B", [99, 1], ["99-1 1"], start="2026-10-01", births={99: "1991"}, federations={99: "aaa"})
    for events in ((late, early), (early, late)):
        player = month({1: 1800}, *events, rules="fide-2025-10").player(99)
        assert (player["birthday"], player["country"], player["name"]) == ("1991", "AAA", "Player 99")


@pytest.mark.parametrize(("report", "listed"), [("m", "M"), ("w", "F"), ("f", "F"), ("", "")])
def test_a_list_writes_m_and_f_where_reports_write_m_and_w(report, listed):
    rated = month({1: 1800}, event("A", [99, 1], ["99-1 1"], sexes={99: report}), rules="fide-2025-10")
    assert rated.player(99)["sex"] == listed


def test_a_newcomers_k_is_40_and_his_career_is_counted():
    player = newcomer("1====", "fide-2025-10").player(99)
    assert (player["k"], player["career_games"], player["reached_2400"], player["last_played"]) == (
        40,
        5,
        0,
        date(2026, 10, 10),
    )


def test_a_kept_result_of_one_who_was_rated_by_another_way_is_dropped_and_said_so():
    october = month(FIELD, event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0")), rules="fide-2025-10").rated
    rows = {row["fideid"]: row for row in october.list.to_pylist()}
    rows[99]["rating"] = 1750
    november = month(rows, rules="fide-2025-10", period="2026-12", kept=october.kept)
    assert november.rated.kept.num_rows == 0
    assert [(problem.code, problem.severity) for problem in november.rated.problems] == [
        ("kept-result-dropped", "note")
    ]


def test_of_two_with_kept_results_only_the_one_who_was_rated_loses_his():
    """He stands first on the list."""
    pair = [event(name, [id_, 1, 2, 3], against(id_, [1, 2, 3], "1=0")) for name, id_ in (("A", 98), ("B", 99))]
    october = month(FIELD, *pair, rules="fide-2025-10").rated
    rows = {row["fideid"]: row for row in october.list.to_pylist()}
    rows = {98: rows.pop(98) | {"rating": 1750}} | rows
    november = month(rows, rules="fide-2025-10", period="2026-12", kept=october.kept)
    assert november.rated.kept.column("fideid").to_pylist() == [99]
    assert [problem.code for problem in november.rated.problems] == ["kept-result-dropped"]


def test_who_falls_below_the_floor_while_the_standard_rating_stands_in_keeps_no_rapid_results():
    """He was rated in rapid, 1000 - .5 x 20 = 990, and is unrated again: games before a delisting are not pooled again, whenever they are reported."""
    field = {each: {"rating": 1000, "rapid_rating": 1000} for each in (1, 2, 3)} | {9: {"rating": None}}
    october = month(field, event("R", [9, 1, 2, 3], against(9, [1, 2, 3], "1=0"), control="rapid")).rated
    rows = {row["fideid"]: row for row in october.list.to_pylist()}
    rows[9]["rating"] = 1000
    lost = event("S", [9, 1], ["9-1 0"], start="2026-11-10", control="rapid")
    november = month(rows, lost, period="2026-12", kept=october.kept)
    assert november.change(9, "rapid")["status"] == "delisted"
    assert november.rated.kept.num_rows == 0
    assert [problem.message for problem in november.rated.problems if problem.code == "kept-result-dropped"] == [
        "9: the rapid result of R kept for a first rating is dropped: the player has been delisted, and games before a delisting are not pooled again"
    ]
    listed = {row["fideid"]: row for row in november.rated.list.to_pylist()}
    listed[9]["rating"] = None
    # three new games of five; late ones of before are none
    for start, status in (("2026-12-10", "pending"), ("2026-10-01", None)):
        three = event("T", [9, 1, 2, 3], against(9, [1, 2, 3], "1=="), start=start, control="rapid")
        january = month(
            listed, three, period="2027-01", kept=november.rated.kept, older={"2026-10": {each: {"rapid_rating": 1000} for each in (1, 2, 3)}}
        )  # fmt: skip
        assert [row["status"] for row in january.changes(9)] == ([status] if status else [])


def test_what_is_kept_of_one_who_is_on_no_list_any_more_waits_and_touches_nobody():
    october = month(FIELD, event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0")), rules="fide-2025-10").rated
    november = month(FIELD, rules="fide-2025-10", period="2026-12", kept=october.kept)
    assert {row["fideid"]: row["rating"] for row in november.rated.list.to_pylist()} == FIELD
    assert [row["missing"] for row in november.pending(99)] == ["3 of 5 games; not on the list"]
    assert november.rated.kept.num_rows == 1


def test_where_one_game_is_enough_it_counts_as_one():
    law = with_law("classic", first_rating={"opponents": 1})
    (waiting,) = month({1: 1800, 2: 1800}, event("A", [99, 1, 2], ["99-1 1", "1-2 ="]), rules=law).pending(99)
    assert (waiting["games"], waiting["rc"], waiting["ru"]) == (1, 1800, 1820)


def test_each_pool_has_a_head_of_its_own():
    """Another's point is none of his: his first event without one is disregarded."""
    events = [
        event("A", [97, 1, 2], against(97, [1, 2], "1=")), event("B", [98, 1, 2], against(98, [1, 2], "00")),
        event("C", [98, 3, 4], against(98, [3, 4], "=="), start="2026-10-14"),
    ]  # fmt: skip
    rated = month(FIELD, *events, rules="fide-2025-10")
    assert [(row["fideid"], row["event"]) for row in rated.rated.pending.to_pylist()] == [(97, "A"), (98, "C")]


def test_how_many_rated_opponents_an_event_needs_is_asked_of_its_first_day():
    """Until June 2011 every event needs three, from July on the first alone."""
    events = [
        event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "11="), start="2011-06-10"),
        event("B", [99, 4, 5], against(99, [4, 5], "1="), start="2011-06-30"),
        event("C", [99, 1, 5], against(99, [1, 5], "1="), start="2011-07-01"),
    ]
    rated = month(FIELD, *events, period="2011-09", base_period="2011-01", in_force=True)
    assert [row["event"] for row in rated.pending(99)] == ["A", "C"]


@pytest.mark.parametrize("record", [{}, {"career_games": 12, "reached_2400": 0, "reached_2300": 0}])
def test_a_first_rating_below_the_floor_leaves_no_trace_in_the_record(record):
    field = {each: 1400 + each for each in range(1, 6)} | {99: {"rating": None} | record}
    after = month(
        field, event("A", [99, *range(1, 6)], against(99, range(1, 6), "10000")), rules="fide-2025-10"
    ).player(99)
    assert (after["rating"], after["k"], after["career_games"]) == (None, None, record.get("career_games"))


def test_two_who_come_back_to_the_list_find_what_was_kept_of_each():
    pair = [
        event(name, [id_, 1, 2, 3], against(id_, [1, 2, 3], result))
        for name, id_, result in (("A", 98, "1=0"), ("B", 99, "111"))
    ]
    october = month(FIELD, *pair, rules="fide-2025-10").rated
    back = [
        event(name, [id_, 4, 5], against(id_, [4, 5], "1="), start="2026-11-10") for name, id_ in (("C", 98), ("D", 99))
    ]
    november = month(FIELD, *back, rules="fide-2025-10", period="2026-12", kept=october.kept)
    # 3 of 5 and 4.5 of 5 against 1800 and two draws: .57 and .79
    assert (november.rating(98), november.rating(99)) == (1800 + DP[57], 1800 + DP[79])


def test_pending_shows_everything_still_kept_also_of_players_who_did_not_play():
    october = month(FIELD, event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0")), rules="fide-2025-10").rated
    november = month(october.list, rules="fide-2025-10", period="2026-12", kept=october.kept)
    assert [row["event"] for row in november.pending(99)] == ["A"]
    assert november.rated.kept.equals(october.kept)
    assert november.changes(99) == []


def test_of_all_that_a_federation_may_set_otherwise():
    law = with_law("classic", first_rating={"games": 3, "bonus": 100}, lists={"floor": 800})
    rated = month(dict.fromkeys(range(1, 4), 900), event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1==")), rules=law)
    assert rated.rating(99) == 910
    assert a_month({1: 900}, rules=law).edition.lists.floor == 800
