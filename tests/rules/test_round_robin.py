"""Closed round robins with unrated participants: the formula of classic and of the years until 2021."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fide_batch import regulations
from fide_batch.rules.month import rate
from fide_batch.rules.round_robin import RoundRobin, everybody_met_everybody
from tests.rules.build import Result, a_month, event, month

POINT = 10_000
WITH_FORMULA = ["classic", "fide-2009-07", "fide-2011-07", "fide-2012-07", "fide-2014-07", "fide-2017-07"]
WITHOUT = ["fide-2022-01", "fide-2022-10", "fide-2024-03", "fide-2025-10"]

# Three rated and three unrated players; made up, the shape of the Arbiters' Manual. White is the first named.
RATED = {1: 2100, 2: 2000, 3: 1900}
GAMES = [
    "1-2 =", "1-3 1", "1-4 1", "1-5 1", "1-6 1", "2-3 =", "2-4 1", "2-5 =", "2-6 1", "3-4 =", "3-5 1", "3-6 1", "4-5 1", "4-6 1", "5-6 =",
]  # fmt: skip


def cup(games=GAMES, players=(1, 2, 3, 4, 5, 6), name="Cup", **more):
    return event(
        name,
        list(players),
        [f"{game}@{place % 5 + 1}" if "@" not in game else game for place, game in enumerate(games)],
        **more,
    )


def test_ra_and_ru_in_fractions():
    performance = regulations.edition("fide-2014-07").performance
    # 4.5, 3.5 and 3 of 5: D(.90) 366, D(.70) 149, D(.60) 72
    formula = RoundRobin((2100, 2000, 1900), (366, 149, 72), 5, 200)
    assert formula.ra == 2000 - Fraction(587, 3) * Fraction(5, 6)
    assert [formula.ru(points, 5, performance) for points in (25_000, 30_000, 10_000, 5_000)] == [
        formula.ra, formula.ra + 20, formula.ra - 240 * Fraction(5, 6), formula.ra - 366 * Fraction(5, 6),
    ]  # fmt: skip


def test_just_above_and_just_below_half_in_fractions():
    """.51 and .49 of fifty games."""
    law = regulations.edition("fide-2014-07")
    formula = RoundRobin((2100, 2000, 1900), (0, 0, 0), 5, 200)
    assert formula.ru(255_000, 50, law.performance) == 2020
    assert formula.ru(245_000, 50, law.performance) == 2000 - 7 * Fraction(5, 6)


@pytest.mark.parametrize("name", ["classic", "fide-2014-07", "fide-2017-07"])
def test_first_ratings_and_the_rated_players_games_by_the_formula(name):
    """Ra 1836.94; 2.5 of 5 -> 1837, 1 of 5 -> 1637, half a point -> 1532."""
    rated = month(RATED, cup(), rules=name)
    assert [rated.rating(each) for each in (4, 5, 6)] == [1837, 1637, 1532]
    opponents = {game["opponent"]: game["opponent_rating"] for game in rated.games(1)}
    assert opponents == {2: 2000, 3: 1900, 4: 1837, 5: 1637, 6: 1532}
    assert rated.change(1)["games"] == 5
    # D 100, 200, 263, 400 (463), 400 (568): .64 .76 .82 .92 .92
    assert rated.change(1)["expected"] == 40_600
    reason = next(game["reason"] for game in rated.games(1) if game["opponent"] == 4)
    assert "Ru in this closed round robin" in reason
    assert {game["counted"] for each in (4, 5, 6) for game in rated.games(each)} == {1}


@pytest.mark.parametrize("name", WITHOUT)
def test_from_2022_games_with_unrated_players_are_not_rated(name):
    rated = month(RATED, cup(), rules=name)
    assert rated.change(1)["games"] == 2
    assert rated.pending(4)[0]["games"] == 3


@pytest.mark.parametrize("name", WITH_FORMULA)
@pytest.mark.parametrize("letter", ["+", "-", "W", "D", "L"])
def test_a_game_that_was_not_played_makes_a_swiss_of_it(name, letter):
    games = [*GAMES[:-1], f"5-6 {letter}"]
    rated = month(RATED, cup(games), rules=name)
    assert rated.change(1)["games"] == 2
    reason = next(game["reason"] for game in rated.games(1) if game["opponent"] == 4)
    assert "a round robin with a game not played is treated as a Swiss" in reason


def test_a_game_that_was_not_paired_makes_a_swiss_of_it():
    assert month(RATED, cup(GAMES[:-1]), rules="classic").change(1)["games"] == 2


def test_a_participant_who_never_played_makes_a_swiss_of_it():
    assert month(RATED, cup(players=(1, 2, 3, 4, 5, 6, 7)), rules="classic").change(1)["games"] == 2


def test_free_rounds_of_an_odd_number_are_no_games():
    games = ["1-2 =@1", "3 U@1", "1-3 1@2", "2 U@2", "2-3 1@3", "1 U@3"]
    rated = month({1: 2000, 2: 1900}, event("Cup", [1, 2, 3], games), rules="classic")
    assert rated.change(1)["games"] == 2
    assert rated.pending(3)[0]["games"] == 2


def test_a_double_round_robin_has_the_same_n():
    """Two rated, one unrated, everybody twice: n stays 2, p is over all four games."""
    games = ["1-2 =", "1-3 1", "2-3 1", "2-1 =", "3-1 =", "3-2 0"]
    rated = month({1: 2000, 2: 1900}, event("Cup", [1, 2, 3], games), rules="classic")
    # 2.5 of 4 = .63 -> 95; 3 of 4 = .75 -> 193; Ra = 1950 - 144 x 2/3 = 1854; .5 of 4 = .13 -> -322 x 2/3 = 1639.33
    assert {game["opponent_rating"] for game in rated.games(1) if game["opponent"] == 3} == {1639}
    assert (rated.pending(3)[0]["games"], rated.pending(3)[0]["rc"], rated.pending(3)[0]["ru"]) == (4, 1854, 1639)


def test_the_bonus_and_the_words_of_an_event_decided_to_be_a_swiss():
    swiss = month(RATED, cup(forced_kind="swiss"), rules="classic")
    assert swiss.change(1)["games"] == 2
    forced = month(RATED, cup(GAMES[:-1], forced_kind="round robin"), rules="classic")
    assert forced.change(1)["games"] == 2
    assert [problem.code for problem in forced.rated.problems if problem.severity == "warning"] == [
        "round-robin-not-closed"
    ]


def test_without_an_unrated_or_without_a_rated_participant_there_is_nothing_to_do():
    all_rated = month(dict.fromkeys(range(1, 7), 2000), cup(), rules="classic")
    assert all_rated.change(1)["games"] == 5
    none = month({50: 2000}, cup(), rules="classic")
    assert none.rated.pending.num_rows == 0
    assert {game["counted"] for game in none.games(1)} == {0}


def test_an_unidentified_participant_takes_part_without_a_rating_and_changes_nobody():
    games = ["1-2 =", "1--3 1", "2--3 1"]
    rated = month({1: 2000, 2: 1900}, event("Cup", [1, 2, -3], games), rules="classic")
    assert rated.change(1)["games"] == 1
    assert [game["reason"] for game in rated.games(1) if game["round"] == 2] == ["opponent unidentified"]


def test_the_result_waits_with_what_the_formula_needs():
    """Two rated and one unrated: two games; in the next month three more, and Ru of the round robin is weighed with two games."""
    games = ["1-2 1", "1-3 1", "2-3 ="]
    october = month({1: 2000, 2: 1900}, event("Cup", [1, 2, 3], games), rules="classic").rated
    (kept,) = october.kept.to_pylist()
    # 2 of 2 -> 800, .5 of 2 = .25 -> -193
    assert (kept["round_robin_rated"], kept["round_robin_dp"], kept["round_robin_games"]) == (
        [2000, 1900],
        [800, -193],
        2,
    )
    # Ra = 1950 - 303.5 x 2/3 = 1747.67; p .25 -> -193 x 2/3: Ru 1619
    (waiting,) = october.pending.to_pylist()
    assert (waiting["games"], waiting["rc"], waiting["ru"]) == (2, 1748, 1619)
    later = event("Open", [3, 1, 2, 7], ["3-1 =", "3-2 =", "3-7 ="], start="2026-11-05")
    lists = {row["fideid"]: row for row in october.list.to_pylist()} | {7: {"rating": 1850}}
    rated = month(lists, later, rules="classic", period="2026-12", kept=october.kept)
    opponents = lists[1]["rating"] + lists[2]["rating"] + 1850
    exact = (2 * (Fraction(5243, 3) - Fraction(386, 3)) + opponents) / 5
    assert rated.rating(3) == int(exact + Fraction(1, 2))


@pytest.mark.parametrize("name", ["fide-2014-07"])
def test_pooled_with_other_results_ra_stands_for_each_of_its_games(name):
    games = ["1-2 1", "1-3 1", "2-3 ="]
    swiss = event("Open", [3, 1, 2, 7], ["3-1 =", "3-2 =", "3-7 ="], start="2026-10-15")
    rated = month({1: 2000, 2: 1900, 7: 1850}, event("Cup", [1, 2, 3], games, start="2026-10-01"), swiss, rules=name)
    # Ra of the round robin 1747.67 for two games, then 2000 1900 1850; 2 of 5 = .40 -> -72
    exact = (2 * Fraction(5243, 3) + 5750) / 5 - 72
    assert rated.rating(3) == int(exact + Fraction(1, 2))


def test_one_who_is_rated_since_counts_as_unrated_there_and_plays_against_ratings_and_ru():
    """Reading 16: unrated when the event began, rated today."""
    older = {"2026-09": {1: 2000, 2: 1900, 3: None, 4: None}}
    games = ["1-2 =", "1-3 1", "1-4 1", "2-3 =", "2-4 1", "3-4 1"]
    rated = month(
        {1: 2000, 2: 1900, 3: 1800, 4: None},
        event("Cup", [1, 2, 3, 4], games, start="2026-09-15"),
        rules="classic",
        older=older,
    )
    # 2.5 and 2 of 3: .83 -> 273, .67 -> 125; Ra = 1950 - 199 x 3/4 = 1800.75; 3 has 1.5 of 3 -> 1801, 4 none -> 1800.75 - 600 = 1200.75
    assert {game["opponent"]: game["opponent_rating"] for game in rated.games(1)} == {2: 1900, 3: 1801, 4: 1201}
    assert {game["opponent"]: game["opponent_rating"] for game in rated.games(3)} == {1: 2000, 2: 1900, 4: 1201}
    assert {game["own_rating"] for game in rated.games(3)} == {1800}
    assert (rated.change(3)["status"], rated.change(3)["games"]) == ("rated", 3)


def test_games_of_a_round_robin_count_toward_the_thirty():
    rated = month(RATED, cup(), rules="classic")
    assert (rated.player(4)["career_games"], rated.player(4)["games"]) == (5, 5)


@pytest.mark.parametrize(
    ("pairs", "size", "round_robin"),
    [
        ([(0, 1), (1, 0)], 2, True), ([(0, 1), (1, 0)], 3, False), ([(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)], 3, True),
        ([(0, 1), (1, 0), (0, 2), (2, 0), (0, 1), (1, 0)], 3, False), ([], 0, False),
    ],
)  # fmt: skip
def test_everybody_met_everybody(pairs, size, round_robin):
    own, other = (
        (np.array(column, np.int64) for column in zip(*pairs, strict=True)) if pairs else (np.zeros(0, np.int64),) * 2
    )
    assert everybody_met_everybody(own, other, size) is round_robin


def test_a_kept_round_robin_keeps_the_bonus_of_its_first_day():
    """By date, 15 a half point until June 2014 and 20 since; 2.5 of 3 is two half points above half."""
    players = [1, 2, 3, 99]
    games = ["1-99 0@1", "2-3 =@1", "99-2 1@2", "3-1 =@2", "3-99 =@3", "1-2 =@3"]
    closed = event("R", players, games, start="2014-06-10")
    field = {1: 1800, 2: 1850, 3: 1900}
    july = month(field, closed, period="2014-07", base_period="2014-06", in_force=True)
    august = month(july.rated.list, period="2014-08", kept=july.rated.kept, in_force=True)
    (then,), (later,) = july.pending(99), august.pending(99)
    assert later == then
    assert then["ru"] - then["rc"] == 30


def test_of_several_events_each_is_looked_at_by_itself():
    """One is decided to be a Swiss, of one a game was not played, one is of another edition, one is closed."""
    events = [
        cup(name="Decided", forced_kind="swiss"),
        cup([*GAMES[:-1], "5-6 +"], name="Unplayed"),
        cup(name="Of 2022", start="2022-01-02"),
        cup(name="Closed"),
    ]
    field = RATED | {each: {"rating": None} for each in (4, 5, 6)}
    both = a_month(field, *events, rules="fide-2017-07", older={"2022-01": field})
    editions = [
        regulations.edition("fide-2022-01") if each.head.start.year == 2022 else both.edition for each in events
    ]
    rated = Result(rate(replace(both, event_editions=editions)))
    reasons = {(game["event"], game["opponent"]): game["reason"].partition(": ")[2] for game in rated.games(1)}
    assert {name: reasons[name, 4] for name in ("Decided", "Unplayed", "Of 2022", "Closed")} == {
        "Decided": "opponent unrated",
        "Unplayed": "opponent unrated; a round robin with a game not played is treated as a Swiss",
        "Of 2022": "opponent unrated",
        "Closed": "opponent unrated, his Ru in this closed round robin counts",
    }


def test_a_round_robin_of_rated_players_alone_needs_no_formula_and_no_warning():
    everybody = {each: {"rating": 2000, "k": 20} for each in range(1, 7)}
    assert month(everybody, cup(forced_kind="round robin"), rules="classic").rated.problems == []


def test_among_unrated_players_alone_a_game_not_played_is_no_reason():
    rated = month({50: 2000}, cup([*GAMES[:-1], "5-6 +"]), rules="classic")
    assert {game["reason"].partition(": ")[2] for game in rated.games(1)} == {"opponent unrated"}


def test_as_many_games_as_a_round_robin_has_are_none_where_not_everybody_met():
    """Of four players two pairs met three times each."""
    games = [f"{pair} ={at}" for at in ("@1", "@2", "@3") for pair in ("1-2", "3-9")]
    rated = month(RATED, event("Cup", [1, 2, 3, 9], games), rules="classic")
    assert rated.change(1)["games"] == 3
    assert rated.changes(3) == []
    assert {game["reason"].partition(": ")[2] for game in rated.games(3)} == {"opponent unrated"}


def test_a_win_without_a_game_and_without_a_name_makes_a_swiss_of_it_too():
    assert month(RATED, cup([*GAMES, "6 +@6"]), rules="classic").change(1)["games"] == 2


def test_a_match_of_two_is_a_round_robin_and_one_alone_is_none():
    """Ra = 1800 − D(1.00) x 1/2 = 1400; nothing of 1 game: 1400 − 400 = 1000."""
    rated = month({1: 1800}, event("Match", [1, 9], ["1-9 1"]), rules="classic")
    assert rated.change(1)["games"] == 1
    assert [game["opponent_rating"] for game in rated.games(1)] == [1000]
    assert not everybody_met_everybody(np.array([0]), np.array([0]), 1)
