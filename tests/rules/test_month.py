"""The month as a whole: which games count, which ratings are used, what they are added to, and the audit."""

from dataclasses import replace
from datetime import date

import pytest

from fide_batch import regulations
from fide_batch.model import CHANGES, EVENTS, GAMES, KEPT, LIST, PENDING
from tests.rules.build import against, event, month, rating_list

EVERY_EDITION = regulations.names()


# --- which games count ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("+", "forfeit win"), ("-", "forfeit loss"), ("W", "win in less than one move"), ("D", "draw in less than one move"),
        ("L", "loss in less than one move"), ("*", "no result"), ("?", "no result"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rules", ["classic", "fide-2009-07", "fide-2025-10"])
def test_games_that_were_not_played_change_nothing_and_stay_visible(result, words, rules):
    rated = month({1: 2000, 2: 1900}, event("A", [1, 2], [f"1-2 {result}"]), rules=rules)
    game = rated.games(1)[0]
    assert (game["counted"], game["chg"], game["difference"]) == (0, None, None)
    assert words in game["reason"]
    assert (rated.rating(1), rated.rating(2)) == (2000, 1900)
    assert rated.changes(1) == rated.changes(2) == []


@pytest.mark.parametrize(
    ("letter", "words"),
    [("H", "half-point bye"), ("F", "full-point bye"), ("U", "pairing-allocated bye"), ("Z", "zero-point bye")],
)
def test_byes_are_rows_too(letter, words):
    rated = month({1: 2000, 2: 1900}, event("A", [1, 2], ["1-2 1", f"1 {letter}"]), rules="fide-2025-10")
    bye = next(game for game in rated.games(1) if game["round"] == 2)
    assert (bye["counted"], bye["opponent"], bye["score"]) == (0, None, None)
    assert words in bye["reason"]


@pytest.mark.parametrize("rules", EVERY_EDITION)
def test_games_against_unrated_opponents_do_not_count_in_a_swiss(rules):
    """2100 wins twice against players without a rating: 0 rated games, rating 2100 (B01)."""
    rated = month({1: 2100, 2: None, 3: None, 4: 2000}, event("A", [1, 2, 3, 4], ["1-2 1", "1-3 1"]), rules=rules)
    assert rated.rating(1) == 2100
    assert rated.changes(1) == []
    assert {(game["counted"], "opponent unrated" in game["reason"]) for game in rated.games(1)} == {(0, True)}
    assert rated.events(1)[0]["games"] == 0


def test_an_unidentified_player_changes_nobody():
    rated = month({1: 2000}, event("A", [1, -2], ["1--2 1"]), rules="fide-2025-10")
    assert rated.changes(1) == []
    assert [(game["counted"], game["reason"]) for game in rated.games(1)] == [(0, "opponent unidentified")]
    assert [(game["counted"], game["reason"]) for game in rated.games(0)] == [(0, "unidentified")]
    assert rated.events(0) == []
    assert rated.rated.list.num_rows == 1


def test_two_games_against_the_same_opponent_are_two_games():
    rated = month({1: 2000, 2: 2000}, event("A", [1, 2], ["1-2 1", "2-1 1"]), rules="fide-2025-10")
    assert (rated.change(1)["games"], rated.change(1)["score"], rated.rating(1)) == (2, 10_000, 2000)


def test_a_player_of_one_event_gains_once_when_another_event_follows():
    rated = month(
        dict.fromkeys(range(1, 5), 2000),
        event("A", [1, 2], ["1-2 1"]),
        event("B", [3, 4], ["3-4 1"]),
        rules="fide-2025-10",
    )
    assert [(change["games"], change["change"]) for change in rated.changes(1)] == [(1, 10)]


@pytest.mark.parametrize("control", ["rapid", "blitz"])
@pytest.mark.parametrize("rules", ["fide-2005-01", "fide-2009-07", "fide-2011-07"])
def test_an_edition_without_a_rapid_list_rates_no_rapid_game(rules, control):
    rated = month({1: 2000, 2: 2000}, event("A", [1, 2], ["1-2 1"], control=control), rules=rules)
    assert rated.rating(1, control) is None
    assert rated.games(1)[0]["reason"] == f"{rules}: no {control} rating list"
    assert [problem.code for problem in rated.rated.problems] == ["no-list-of-control"]


# --- the change -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "own", "k", "opponents", "results", "exact", "new"),
    [
        ("fide-2014-07", 2000, 20, [1900], "1", "7.20", 2007),
        ("fide-2025-10", 2000, 20, [1900], "=", "-2.80", 1997),
        ("fide-2025-10", 2000, 20, [1900], "0", "-12.80", 1987),
        ("fide-2025-10", 1802, 20, [1186], "1", "1.60", 1804),
        ("fide-2024-03", 2003, 10, [2000], "1", "5.00", 2008),
        ("fide-2024-03", 2010, 10, [2000], "1", "4.90", 2015),
        ("fide-2024-03", 2206, 10, [2000], "1", "2.40", 2208),
        ("fide-2024-03", 2391, 10, [2000], "1", "0.90", 2392),
        ("fide-2024-03", 1656, 10, [2000], "0", "-1.20", 1655),
        ("fide-2024-03", 2200, 20, [2700], "0", "-1.60", 2198),
        ("fide-2024-03", 2000, 30, [2092], "=", "3.90", 2004),
        ("fide-2014-07", 2000, 40, [2200] * 19, "=" * 19, "197.60", 2198),
        ("fide-2024-03", 2500, 10, [2100] * 11, "1" * 11, "8.80", 2509),
    ],
)  # fmt: skip
def test_sums_as_printed(rules, own, k, opponents, results, exact, new):
    players = {1: {"rating": own, "k": k}} | dict(enumerate(opponents, 2))
    rated = month(players, event("A", list(players), against(1, range(2, 2 + len(opponents)), results)), rules=rules)
    assert rated.change(1)["change_exact"] == round(float(exact) * 100) * 100
    assert rated.rating(1) == new
    assert rated.change(1)["k"] == k


@pytest.mark.parametrize(
    ("rules", "own", "k", "opponents", "results", "exact", "expected", "new"),
    [
        ("fide-2014-07", 2212, 40, [1926, 2011, 2318, 2067, 2219, 2585, 2659, 2464, 2652], "110==01==", "56.40", None, 2268),
        ("fide-2005-01", 2240, 15, [2242, 2360, 2289, 2251, 2303, 2152, 2313, 2309, 2110], "===00===0", "-18.90", "4.26", 2221),
        (
            "fide-2009-07", 2810, 10, [2662, 2657, 2641, 2696, 2708, 2790, 2749, 2723, 2788, 2720, 2712, 2739, 2675], "=11===1=011==", "2.90", "8.21",
            2813,
        ),
        ("fide-2009-07", 2690, 10, [2730, 2682, 2702, 2684, 2745, 2660, 2676, 2700, 2677], "01===0=1=", "0.70", "4.43", 2691),
        ("fide-2005-01", 2235, 15, [1700, 2250], "1=", "1.95", "1.37", 2237),
    ],
)  # fmt: skip
def test_tournaments_calculated_by_fide_and_in_its_manual(rules, own, k, opponents, results, exact, expected, new):
    players = {1: {"rating": own, "k": k}} | dict(enumerate(opponents, 2))
    rated = month(players, event("A", list(players), against(1, range(2, 2 + len(opponents)), results)), rules=rules)
    change = rated.change(1)
    assert change["change_exact"] == round(float(exact) * 100) * 100
    assert expected is None or change["expected"] == round(float(expected) * 10_000)
    assert rated.rating(1) == new


def test_the_sum_of_all_events_is_rounded_once():
    """An official period: -1.60 and +2.20 make +0.60, so +1; rounded event by event it would be 0."""
    field = {1: {"rating": 1617, "k": 20}, 2: 1651, 3: 1525, 4: 2099, 5: 1451, 6: 1854, 7: 1800, 8: 1935}
    first = event("A", [1, 2, 3], against(1, [2, 3], "01"), start="2025-10-01")
    second = event("B", [1, 4, 5, 6, 7, 8], against(1, [4, 5, 6, 7, 8], "010=0"), start="2025-10-25")
    rated = month(field, first, second, rules="fide-2025-10", period="2025-11")
    assert [(line["event"], line["k_chg"]) for line in rated.events(1)] == [("A", -16_000), ("B", 22_000)]
    assert (rated.change(1)["change_exact"], rated.change(1)["change"], rated.rating(1)) == (6_000, 1, 1618)


@pytest.mark.parametrize(
    ("own", "opponents", "rc"),
    [(2400, [1000, 1000], 2000), (1800, [2400, 2400], 2200), (2200, [1000, 1000], 1800), (2000, [1900, 1901], 1901)],
)
def test_rc_is_the_mean_of_the_opponents_after_the_400_rule(own, opponents, rc):
    players = {1: own} | dict(enumerate(opponents, 2))
    assert month(players, event("A", list(players), against(1, [2, 3], "1="))).events(1)[0]["rc"] == rc


# --- which ratings -----------------------------------------------------------------------------------


def test_the_list_in_force_when_the_event_begins_decides_for_both():
    """Begins on 31 October, ends on 8 November, the November list has other ratings (B14)."""
    older = {"2026-10": {1: 2000, 2: 1900}}
    rated = month(
        {1: 2100, 2: 1800}, event("A", [1, 2], ["1-2 ="], start="2026-10-31", end="2026-11-08"), rules="fide-2025-10", period="2026-12",
        older=older,
    )  # fmt: skip
    line, game = rated.events(1)[0], rated.games(1)[0]
    assert (line["list"], line["own_rating"], game["opponent_rating"], game["difference"]) == (
        "2026-10",
        2000,
        1900,
        100,
    )
    assert (rated.change(1)["rating_before"], rated.rating(1)) == (2100, 2097)
    first_day = month(
        {1: 2100, 2: 1800},
        event("A", [1, 2], ["1-2 ="], start="2026-11-01"),
        rules="fide-2025-10",
        period="2026-12",
        older=older,
    )
    assert first_day.events(1)[0]["list"] == "2026-11"
    assert first_day.games(1)[0]["difference"] == 300


def test_a_late_event_is_rated_by_its_own_list_and_added_to_the_newest():
    older = {"2026-06": {1: 1900, 2: 1900}, "2026-09": {1: 1950, 2: 1900}}
    rated = month(
        {1: 2000, 2: 1900}, event("A", [1, 2], ["1-2 1"], start="2026-07-05"), rules="fide-2025-10", older=older
    )
    assert (rated.events(1)[0]["list"], rated.events(1)[0]["own_rating"], rated.rating(1)) == ("2026-06", 1900, 2010)


OLDER = {"2026-09": {1: 1800, 2: 1800, 3: None}}


def test_rated_since_the_event_began_he_is_rated_and_for_his_opponents_unrated():
    """8.2.4: with his rating of today."""
    rated = month(
        {1: 1800, 2: 1800, 3: 1750},
        event("A", [1, 2, 3], ["1-3 1", "2-3 0"], start="2026-09-10"),
        rules="fide-2025-10",
        older=OLDER,
    )
    assert rated.changes(1) == rated.changes(2) == []
    assert [game["own_rating"] for game in rated.games(3)] == [1750, 1750]
    change = rated.change(3)
    # D -50: .43 twice
    assert (change["status"], change["games"], change["expected"], change["rating_before"]) == ("rated", 2, 8_600, 1750)
    assert {"opponent unrated" in game["reason"] for game in rated.games(1)} == {True}


def test_rated_when_the_event_began_and_delisted_since():
    """Reading 5: the opponents' games count, his own have nothing to be added to and are not pooled."""
    older = {"2026-09": {1: 1800, 2: 1410}}
    base = {1: 1800, 2: {"rating": None, "career_games": 40, "reached_2400": 0, "reached_2300": 0}}
    rated = month(base, event("A", [1, 2], ["1-2 1"] * 6, start="2026-09-10"), rules="fide-2025-10", older=older)
    assert rated.change(1)["games"] == 6
    assert rated.changes(2) == []
    assert rated.rated.kept.num_rows == 0
    assert {game["counted"] for game in rated.games(2)} == {0}
    assert "unrated since" in rated.games(2)[0]["reason"]
    (line,) = rated.events(2)
    assert (line["own_rating"], line["games"], line["k"], line["k_chg"]) == (1410, 0, None, None)


def test_games_before_a_delisting_are_not_pooled_even_if_he_was_not_yet_rated_when_they_began():
    base = {
        1: 1800,
        2: {"rating": None, "career_games": 40, "reached_2400": 0, "reached_2300": 0, "last_played": date(2026, 9, 20)},
    }
    older = {"2026-08": {1: 1800, 2: None}, "2026-09": {1: 1800, 2: 1405}}
    rated = month(base, event("A", [1, 2], ["2-1 1"], start="2026-08-10"), rules="fide-2025-10", older=older)
    assert rated.rated.kept.num_rows == 0
    after = month(base, event("A", [1, 2], ["2-1 1"], start="2026-10-10"), rules="fide-2025-10", older=older)
    assert after.rated.kept.num_rows == 1


# --- the floor ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "floor"), [("classic", 1000), ("fide-2009-07", 1200), ("fide-2012-07", 1000), ("fide-2022-10", 1000), ("fide-2024-03", 1400), ("fide-2025-10", 1400), ("fide-2005-01", 1400)])  # fmt: skip
@pytest.mark.parametrize("above", [-1, 0, 1])
def test_below_the_floor_a_player_is_unrated(rules, floor, above):
    """A loss against an equal with K 20 costs 10."""
    base = {1: {"rating": floor + 10 + above, "k": 20}, 2: {"rating": floor + 10 + above, "k": 20}}
    rated = month(base, event("A", [1, 2], ["1-2 0"]), rules=rules)
    change = rated.change(1)
    assert rated.rating(1) == (None if above < 0 else floor + above)
    assert change["status"] == ("delisted" if above < 0 else "rated")
    if above < 0:
        assert f"computed {floor - 1}" in change["why"]
        assert change["rating_before"] + change["change"] == floor - 1
        assert (change["rating_after"], rated.player(1)["k"], rated.player(1)["career_games"]) == (None, None, 31)


def test_who_did_not_play_is_not_struck():
    rated = month({1: 1300, 2: 1800, 3: 1800}, event("A", [2, 3], ["2-3 1"]), rules="fide-2025-10")
    assert rated.rating(1) == 1300


def test_after_a_delisting_five_new_games_and_the_counts_are_kept():
    base = {
        1: {"rating": 1405, "k": 20, "career_games": 60, "reached_2400": 0, "reached_2300": 1},
        **dict.fromkeys(range(2, 8), 1500),
    }
    down = month(base, event("A", [1, 2], ["1-2 0"]), rules="fide-2025-10")
    assert down.change(1)["status"] == "delisted"
    back = month(
        down.rated.list, event("B", list(base), against(1, range(3, 8), "11==1"), start="2026-11-05"), rules="fide-2025-10", period="2026-12",
        kept=down.rated.kept,
    )  # fmt: skip
    player = back.player(1)
    assert (back.change(1)["status"], back.change(1)["games"]) == ("first-rating", 5)
    assert (player["k"], player["career_games"], player["reached_2300"]) == (20, 66, 1)


def test_the_arithmetic_of_a_delisting_adds_up():
    """1405 with K 20 loses 12: computed 1393, below 1400, published as unrated (B19)."""
    base = {1: {"rating": 1405, "k": 20}, 2: {"rating": 1335, "k": 20}}
    change = month(base, event("A", [1, 2], ["1-2 0"]), rules="fide-2025-10").change(1)
    assert (change["rating_before"], change["change"], change["rating_after"]) == (1405, -12, None)
    assert "below 1400: computed 1393, unrated from this list" in change["why"]


# --- rapid and blitz -----------------------------------------------------------------------------------


def test_the_standard_rating_stands_in_on_both_sides():
    """Standard 1750, no rapid rating, half a point of five: all games are rated on both sides (B02)."""
    base = {1: {"rating": 1750, "k": 20}} | {
        number: {"rating": 1800, "rapid_rating": 1700, "rapid_k": 20} for number in range(2, 7)
    }
    rated = month(
        base, event("Rapid", list(base), against(1, range(2, 7), "=0000"), control="rapid"), rules="fide-2025-10"
    )
    change = rated.change(1, "rapid")
    assert (change["status"], change["rating_before"], change["games"], change["k"]) == ("rated", 1750, 5, 20)
    # D 50: .57 x 5 = 2.85; -2.35 x 20 = -47
    assert (rated.rating(1, "rapid"), rated.rating(1)) == (1703, 1750)
    assert [rated.change(number, "rapid")["games"] for number in range(2, 7)] == [1] * 5
    assert "standard rating 1750 stands in" in change["why"]


def test_standing_in_the_sum_is_added_to_the_newest_standard_rating():
    older = {"2026-09": {1: 1700, 2: {"rapid_rating": 1700}}}
    base = {1: 1800, 2: {"rapid_rating": 1700, "rapid_k": 20}}
    rated = month(
        base, event("Rapid", [1, 2], ["1-2 1"], start="2026-09-20", control="rapid"), rules="fide-2025-10", older=older
    )
    assert (rated.events(1)[0]["own_rating"], rated.rating(1, "rapid")) == (1700, 1810)


def test_standing_in_gives_a_rapid_rating_that_is_used_next_time():
    base = {1: 1800, 2: {"rapid_rating": 1800, "rapid_k": 20}}
    first = month(base, event("Rapid", [1, 2], ["1-2 1"], control="rapid"), rules="fide-2025-10")
    player = first.player(1)
    assert (player["rapid_rating"], player["rapid_games"], player["rapid_k"]) == (1810, 1, 20)
    second = month(
        first.rated.list,
        event("R2", [1, 2], ["1-2 1"], start="2026-11-10", control="rapid"),
        rules="fide-2025-10",
        period="2026-12",
    )
    assert second.events(1)[0]["own_rating"] == 1810


def test_a_rapid_rating_of_the_events_day_is_used_though_it_was_delisted_since():
    """Reading 15: rated from that rapid rating, the sum added to the standard one."""
    older = {"2026-09": {1: {"rating": 1600, "rapid_rating": 1410}, 2: {"rapid_rating": 1410}}}
    base = {1: 1600, 2: {"rapid_rating": 1410, "rapid_k": 20}}
    rated = month(
        base, event("Rapid", [1, 2], ["1-2 1"], start="2026-09-20", control="rapid"), rules="fide-2025-10", older=older
    )
    assert (rated.events(1)[0]["own_rating"], rated.change(1, "rapid")["rating_before"], rated.rating(1, "rapid")) == (
        1410,
        1600,
        1610,
    )


def test_a_standard_rating_that_arrived_meanwhile_rates_a_rapid_event_of_before():
    """Reading 16: for his opponents he is unrated, himself he is rated, standing in."""
    older = {"2026-09": {1: None, 2: {"rapid_rating": 1700}}}
    rated = month(
        {1: 1700, 2: {"rapid_rating": 1700}},
        event("Rapid", [1, 2], ["1-2 1"], start="2026-09-20", control="rapid"),
        rules="fide-2025-10",
        older=older,
    )
    assert (rated.change(1, "rapid")["status"], rated.rating(1, "rapid")) == ("rated", 1710)
    assert rated.changes(2) == []


def test_kept_rapid_results_wait_on_when_only_a_standard_rating_arrives_and_end_when_it_stands_in():
    """Readings 14 and 17."""
    field = {number: {"rapid_rating": 1700, "rapid_k": 20} for number in range(1, 6)}
    october = month(field, event("Rapid", [9, 1, 2], ["9-1 1", "9-2 ="], control="rapid"), rules="fide-2025-10").rated
    assert october.kept.num_rows == 1
    rows = {row["fideid"]: row for row in october.list.to_pylist()}
    rows[9]["rating"] = 1650
    november = month(rows, rules="fide-2025-10", period="2026-12", kept=october.kept)
    assert november.rated.kept.num_rows == 1
    december = month(
        november.rated.list, event("R2", [9, 3], ["9-3 1"], start="2026-12-10", control="rapid"), rules="fide-2025-10", period="2027-01",
        kept=november.rated.kept,
    )  # fmt: skip
    assert december.change(9, "rapid")["status"] == "rated"
    assert december.rated.kept.num_rows == 0
    assert [problem.code for problem in december.rated.problems if problem.code == "kept-result-dropped"] == [
        "kept-result-dropped"
    ]


# --- the new list -----------------------------------------------------------------------------------------


def test_games_of_the_period_and_the_last_day():
    base = {
        1: {"rating": 1800, "games": 7, "last_played": date(2026, 1, 5)},
        2: {"rating": 1800, "games": 7},
        3: {"rating": None, "games": 0},
        4: {"rating": 1500, "games": 3},
    }
    rated = month(
        base, event("A", [1, 2], ["1-2 1", "1-2 ="], start="2026-10-10", end="2026-10-18"), rules="fide-2025-10"
    )
    assert [rated.player(number)["games"] for number in (1, 2, 3, 4)] == [2, 2, None, 0]
    assert rated.player(1)["last_played"] == date(2026, 10, 18)


def test_a_late_event_does_not_turn_back_the_last_day():
    base = {1: {"rating": 1800, "last_played": date(2026, 9, 30)}, 2: 1800}
    rated = month(
        base,
        event("A", [1, 2], ["1-2 1"], start="2026-07-10"),
        rules="fide-2025-10",
        older={"2026-07": {1: 1800, 2: 1800}},
    )
    assert rated.player(1)["last_played"] == date(2026, 9, 30)


def test_rows_stay_in_their_order_and_untouched_columns_as_they_were():
    base = {
        7: {
            "rating": 1800,
            "name": "Zwei, Anna",
            "country": "AUT",
            "sex": "F",
            "w_title": "WFM",
            "o_title": "FA",
            "foa_title": "ACM",
            "birthday": "2001-02-03",
            "flag": "w",
        },
        3: 1700,
        5: None,
    }
    rated = month(base, event("A", [3, 7], ["3-7 1"]), rules="fide-2025-10")
    assert [row["fideid"] for row in rated.rated.list.to_pylist()] == [7, 3, 5]
    before, after = rating_list(base).to_pylist()[0], rated.player(7)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"rating", "games", "k", "career_games", "reached_2400", "reached_2300", "last_played"}


def test_a_month_without_reports_is_a_list():
    rated = month({1: {"rating": 1800, "k": 20, "games": 4}, 2: None}, rules="fide-2025-10")
    assert rated.rating(1) == 1800
    assert (rated.player(1)["games"], rated.rated.games.num_rows, rated.rated.changes.num_rows) == (0, 0, 0)


def test_the_tables_have_their_schemas():
    rated = month({1: 1800, 2: 1800}, event("A", [1, 2, 9], ["1-2 1", "9-1 1"]), rules="fide-2025-10").rated
    tables = (rated.list, rated.changes, rated.events, rated.games, rated.pending, rated.kept)
    for table, schema in zip(tables, (LIST, CHANGES, EVENTS, GAMES, PENDING, KEPT), strict=True):
        assert table.schema.equals(schema)
        table.validate(full=True)
    nothing = month({1: 1800}, rules="fide-2025-10").rated
    for table, schema in zip(
        (nothing.list, nothing.changes, nothing.events, nothing.games, nothing.pending, nothing.kept),
        (LIST, CHANGES, EVENTS, GAMES, PENDING, KEPT),
        strict=True,
    ):
        assert table.schema.equals(schema)
        table.validate(full=True)


# --- names of events -----------------------------------------------------------------------------------------


def test_events_of_one_name_are_told_apart_by_their_files():
    events = [
        event("League", [1, 2], ["1-2 1"], file="results/oct.trf"), event("League", [1, 2], ["1-2 0"], file="results/nov.trf"),
        event("", [1, 2], ["1-2 ="], file="x.csv"), event("Open", [1, 2], ["1-2 ="]),
    ]  # fmt: skip
    rated = month({1: 1800, 2: 1800}, *events, rules="fide-2025-10")
    assert sorted(line["event"] for line in rated.events(1)) == [
        "(x.csv)",
        "League (results/nov.trf)",
        "League (results/oct.trf)",
        "Open",
    ]


# --- the edition by the day ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "control", "counted"),
    [
        ("2025-09-30", "standard", 400), ("2025-10-01", "standard", 500), ("2024-02-29", "standard", 500), ("2024-03-01", "standard", 400),
        ("2021-12-31", "standard", 400), ("2022-01-01", "standard", 500), ("2009-06-30", "standard", 350), ("2009-07-01", "standard", 400),
        ("2021-12-31", "rapid", 500), ("2022-01-01", "rapid", 500),
    ],
)  # fmt: skip
def test_the_400_rule_is_that_of_the_events_first_day(start, control, counted):
    """A 2700 beats two of 2200 and 2150: what the first game counts as, whatever the list's date."""
    base = {
        1: {"rating": 2700, "rapid_rating": 2700},
        2: {"rating": 2200, "rapid_rating": 2200},
        3: {"rating": 2150, "rapid_rating": 2150},
    }
    year, month_ = map(int, start.split("-")[:2])
    period = f"{year + month_ // 12}-{month_ % 12 + 1:02d}"
    rated = month(
        base,
        event("A", [1, 2, 3], ["1-2 1", "1-3 1"], start=start, control=control),
        in_force=True,
        period=period,
        base_period=start[:7],
    )
    assert rated.games(1)[0]["counted_difference"] == counted


@pytest.mark.parametrize(("start", "counted"), [("2024-11-30", 1), ("2024-12-01", 0)])
def test_the_600_rule_is_that_of_the_events_first_day(start, counted):
    base = {1: {"rapid_rating": 2700}, 2: {"rapid_rating": 2100}}
    rated = month(
        base,
        event("A", [1, 2], ["1-2 1"], start=start, control="rapid"),
        in_force=True,
        period="2025-01",
        base_period=start[:7],
    )
    assert rated.games(1)[0]["counted"] == counted


@pytest.mark.parametrize(("start", "games"), [("2021-12-31", 2), ("2022-01-01", 1)])
def test_the_closed_round_robin_is_that_of_the_events_first_day(start, games):
    cup = event("Cup", [1, 2, 3], ["1-2 1", "1-3 1", "2-3 ="], start=start)
    assert (
        month({1: 2000, 2: 1900}, cup, in_force=True, period="2022-02", base_period=start[:7]).change(1)["games"]
        == games
    )


@pytest.mark.parametrize(("period", "rating"), [("2024-02", 1300), ("2024-03", 1666), ("2024-04", 1443)])
def test_the_method_is_that_of_the_lists_date(period, rating):
    """Fifty per cent of five games against 1300: 1300 before; with the imaginary draws 1443, and 1666 on the list of the one-off change."""
    field = dict.fromkeys(range(1, 6), 1300)
    newcomer = event("A", [9, *field], against(9, list(field), "====="), start="2024-01-10")
    assert month(field, newcomer, in_force=True, period=period, base_period="2024-01").rating(9) == rating


@pytest.mark.parametrize(("period", "rating"), [("2024-02", 1380), ("2024-04", None)])
def test_the_floor_is_that_of_the_lists_date(period, rating):
    base = {1: {"rating": 1390, "k": 20}, 2: {"rating": 1390, "k": 20}}
    assert (
        month(
            base, event("A", [1, 2], ["1-2 0"], start="2024-01-10"), in_force=True, period=period, base_period="2024-01"
        ).rating(1)
        == rating
    )


def test_the_k_used_is_by_the_edition_of_the_newest_list_and_the_k_printed_by_that_of_the_new_one():
    """From the list of July 2014 a settled player has 20; in the period that leads to it he still plays with the 15 of the list before."""
    base = {
        1: {"rating": 2000, "k": 15},
        2: {"rating": 2000, "career_games": 100, "reached_2400": 0, "reached_2300": 0},
    }
    rated = month(
        base, event("A", [1, 2], ["1-2 1"], start="2014-06-05"), in_force=True, period="2014-07", base_period="2014-06"
    )
    assert (rated.change(1)["k"], rated.change(2)["k"]) == (15, 15)
    assert (rated.player(1)["k"], rated.player(2)["k"]) == (20, 20)


def test_an_edition_named_outright_rates_everything():
    rated = month(
        {1: 2700, 2: 2200},
        event("A", [1, 2], ["1-2 1"], start="2009-01-05"),
        rules="fide-2025-10",
        period="2009-02",
        base_period="2009-01",
    )
    assert rated.games(1)[0]["counted_difference"] == 500
    assert rated.events(1)[0]["edition"] == "fide-2025-10"


# --- next to nothing --------------------------------------------------------------------------------------------


def test_an_empty_list_takes_its_first_players():
    rated = month({}, event("A", [9, 8], ["9-8 1"]), rules="fide-2025-10")
    assert [row["fideid"] for row in rated.rated.list.to_pylist()] == [8, 9]
    assert rated.rated.changes.num_rows == 0


def test_an_event_without_games_and_one_without_players():
    rated = month({1: 1800}, event("A", [1, 2], []), event("B", [], []), rules="classic")
    assert rated.rating(1) == 1800
    assert [(line["event"], line["games"]) for line in rated.events(1)] == [("A", 0)]


def test_nothing_at_all():
    assert month({}, rules="classic").rated.list.num_rows == 0


def test_an_event_must_have_been_checked():
    with pytest.raises(ValueError, match="without dates or control"):
        month({1: 1800}, event("A", [1], [], control=""), rules="classic")


# --- sentences ---------------------------------------------------------------------------------------------------


def test_the_sentences_are_plain():
    base = {
        1: {"rating": 1750, "k": 20},
        2: {"rating": 1800, "rapid_rating": 1800, "rapid_k": 20},
        3: {"rating": 1700, "k": 20},
    }
    rated = month(
        base, event("A", [1, 3], ["1-3 1", "1-3 0"]), event("R", [1, 2], ["1-2 ="], control="rapid"), rules="fide-2025-10",
    )  # fmt: skip
    assert rated.change(1)["why"] == "Sum of 2 games −2.80, rounded −3."
    assert rated.change(3)["why"] == "Sum of 2 games +2.80, rounded +3."
    assert rated.change(1, "rapid")["why"] == (
        "Sum of 1 game +1.40, rounded +1; without a rapid rating the standard rating 1750 stands in (Rapid and Blitz 7.2.1)."
    )


def test_four_decimals_are_shown_where_two_do_not_hold_them():
    law = regulations.edition("classic")
    formula = replace(law, expected_score=replace(law.expected_score, method="formula"))
    change = month(
        {1: {"rating": 1750, "k": 10}, 2: {"rating": 1800, "k": 10}}, event("A", [1, 2], ["1-2 1"]), rules=formula
    ).change(1)
    # 1/(1 + 10^(50/400)) = .4285
    assert (change["change_exact"], change["why"]) == (57_150, "Sum of 1 game +5.7150, rounded +6.")


@pytest.mark.parametrize(
    ("start", "reason"), [("2026-09-09", "unrated since"), ("2026-09-10", "unrated since"), ("2026-09-11", "waits for a first rating")]
)  # fmt: skip
@pytest.mark.parametrize("career", [1, 9])
def test_an_event_up_to_the_last_day_of_who_was_rated_and_delisted_meanwhile_is_not_pooled(start, reason, career):
    """The list in force when it began did not have him yet; he got his rating, played until 10 September, and lost it."""
    base = {1: 1800, 2: 1800, 3: 1800, 9: {"rating": None, "career_games": career, "last_played": date(2026, 9, 10)}}
    late = event("A", [9, 1, 2, 3], against(9, [1, 2, 3], "1=1"), start=start, end="2026-10-05")
    rated = month(base, late, older={"2026-09": dict.fromkeys((1, 2, 3), 1800)}, rules="fide-2025-10")
    assert all(reason in game["reason"] for game in rated.games(9))


def test_an_unidentified_player_has_nobodys_rating():
    """Not that of the first of the list either, where an older one is in force."""
    field = {1: 1800, 2: 1700}
    rated = month(field, event("A", [2, -5], ["2--5 1"], start="2026-09-10"), older={"2026-09": field})
    assert [(game["own_rating"], game["opponent_rating"]) for game in rated.games(0)] == [(None, 1700)]
    assert rated.games(2)[0]["opponent_rating"] is None


def test_of_a_new_players_birthday_the_list_has_the_day_and_no_more():
    newcomer = month({1: 1800}, event("A", [1, 9], ["1-9 1"], births={9: "1990-01-12T00:00"})).player(9)
    assert newcomer["birthday"] == "1990-01-12"


def test_a_line_of_the_calculation_page():
    """Rc of a single game; of an unrated player neither expected score nor change; who played nothing has no Rc."""
    field = {1: {"rating": 1800, "k": 20}, 2: {"rating": 1701, "k": 20}, 3: {"rating": 1600, "k": 20}}
    rated = month(field, event("A", [1, 2, 3, 9], ["1-2 1", "9-1 =", "3 U"]), rules="fide-2025-10")
    shown = {each: rated.events(each)[0] for each in (1, 2, 3, 9)}
    assert [rated.games(each)[0]["score"] for each in (1, 2, 3, 9)] == [10_000, 0, None, 5_000]
    columns = ("rc", "games", "score", "expected", "chg", "k", "k_chg")
    assert [tuple(shown[each][column] for column in columns) for each in (1, 2, 3, 9)] == [
        (1701, 1, 10_000, 6400, 3600, 20, 72_000), (1800, 1, 0, 3600, -3600, 20, -72_000), (None, 0, 0, 0, 0, None, None),
        (1800, 1, 5_000, None, None, None, None),
    ]  # fmt: skip


def test_each_event_cites_the_articles_of_its_own_control():
    field = {1: {"rating": 1800, "rapid_rating": 1800}, 2: {"rating": 1800, "rapid_rating": 1800}}
    events = [event("A", [1, 2], ["1-2 1"]), event("B", [1, 2], ["1-2 1"], control="rapid")]
    rated = month(field, *events, rules="fide-2025-10")
    assert [game["reason"] for game in rated.games(1)] == ["8.1.2: rated", "Rapid and Blitz 7.1.2: rated"]
