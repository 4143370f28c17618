"""K: the rule at each of its thresholds, an imported list, and K times n."""

import pytest

from fide_batch import regulations
from fide_batch.rules.k_factor import (
    UNKNOWN,
    Past,
    is_junior,
    k_by_rule,
    k_standing_in,
    k_used,
    k_within_product,
    past_of,
)
from fide_batch.rules.players import birth_years
from tests.rules.build import against, event, month, rating_list

LAW = regulations.edition("fide-2025-10").k_standard


def k(games=100, reached_2400=False, reached_2300=False, junior=False, law=LAW):
    return int(k_by_rule(Past(games, reached_2400, reached_2300), junior, law))


@pytest.mark.parametrize(("games", "expected"), [(0, 40), (29, 40), (30, 20), (31, 20)])
def test_a_newcomer_keeps_40_until_thirty_games(games, expected):
    assert k(games) == expected


def test_2400_once_reached_is_10_for_good_even_for_a_junior_newcomer():
    assert k(5, reached_2400=True, reached_2300=True, junior=True) == 10


def test_a_junior_has_40_until_2300_was_reached():
    assert k(100, junior=True) == 40
    assert k(100, junior=True, reached_2300=True) == 20


@pytest.mark.parametrize(("birth", "junior"), [(2007, False), (2008, True), (2009, True), (0, False)])
def test_a_junior_to_the_end_of_the_year_of_the_18th_birthday(birth, junior):
    assert bool(is_junior(birth, 2026, LAW)) is junior


@pytest.mark.parametrize(
    ("name", "new", "settled", "top", "junior"),
    [
        ("classic", 40, 20, 10, 40), ("fide-2005-01", 25, 15, 10, 0), ("fide-2009-07", 25, 15, 10, 0), ("fide-2011-07", 30, 15, 10, 0),
        ("fide-2012-07", 30, 15, 10, 0), ("fide-2014-07", 40, 20, 10, 40), ("fide-2017-07", 40, 20, 10, 40), ("fide-2022-01", 40, 20, 10, 40),
        ("fide-2022-10", 40, 20, 10, 40), ("fide-2024-03", 40, 20, 10, 40), ("fide-2024-12", 40, 20, 10, 40), ("fide-2025-10", 40, 20, 10, 40),
    ],
)  # fmt: skip
def test_standard_k_of_each_edition(name, new, settled, top, junior):
    law = regulations.edition(name).k_standard
    assert (k(29, law=law), k(30, law=law), k(30, reached_2400=True, law=law)) == (new, settled, top)
    young = bool(is_junior(2010, 2026, law))
    assert young is bool(junior)
    assert k(100, junior=young, law=law) == (junior or settled)


@pytest.mark.parametrize("name", ["fide-2012-07", "fide-2014-07", "fide-2017-07", "fide-2022-01"])
def test_rapid_and_blitz_had_20_for_all_until_september_2022(name):
    law = regulations.edition(name).k_rapid_blitz
    assert {
        k(0, law=law),
        k(100, law=law),
        k(100, reached_2400=True, law=law),
        k(5, junior=bool(is_junior(2010, 2026, law)), law=law),
    } == {20}


# --- K times n ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("newest", "games", "used"), [(40, 17, 40), (40, 18, 38), (20, 35, 20), (20, 36, 19), (20, 39, 17), (10, 70, 10), (10, 71, 9), (40, 40, 17)]
)  # fmt: skip
def test_k_times_games_is_at_most_700(newest, games, used):
    assert k_within_product(newest, games, LAW) == used


@pytest.mark.parametrize("name", ["classic", "fide-2009-07", "fide-2014-07", "fide-2017-07"])
def test_until_2021_and_in_classic_k_is_not_cut(name):
    assert k_within_product(40, 19, regulations.edition(name).k_standard) == 40


@pytest.mark.parametrize(("name", "used"), [("fide-2014-07", 20), ("fide-2017-07", 19)])
def test_in_rapid_k_is_cut_from_2017(name, used):
    assert k_within_product(20, 36, regulations.edition(name).k_rapid_blitz) == used


def test_the_list_goes_on_printing_the_uncut_k():
    """39 games with K 20: 17 is used (17 x 39 = 663), over all events of the period."""
    players = {1: {"rating": 2000, "k": 20}, 2: {"rating": 2000, "k": 20}}
    first = event("A", [1, 2], ["1-2 1"] * 20)
    second = event("B", [1, 2], ["1-2 0"] * 19)
    rated = month(players, first, second, rules="fide-2025-10")
    change = rated.change(1)
    assert (change["k_list"], change["k"], change["games"]) == (20, 17, 39)
    assert change["change_exact"] == 17 * 5_000
    assert rated.player(1)["k"] == 20
    assert "39 games with K 20 are more than 700" in change["why"]


def test_games_of_another_control_are_not_counted_into_n():
    players = {
        1: {"rating": 2000, "k": 20, "rapid_rating": 2000, "rapid_k": 20},
        2: {"rating": 2000, "k": 20, "rapid_rating": 2000, "rapid_k": 20},
    }
    slow = event("A", [1, 2], ["1-2 1"] * 20)
    rapid = event("B", [1, 2], ["1-2 1"] * 20, control="rapid")
    rated = month(players, slow, rapid, rules="fide-2025-10")
    assert (rated.change(1)["k"], rated.change(1, "rapid")["k"]) == (20, 20)


# --- a list without our own record ----------------------------------------------------------------------


def read(k_list=0, rating=1800, junior=False, career=UNKNOWN, top=UNKNOWN, high=UNKNOWN, highest=None, law=LAW):
    return past_of(career, top, high, k_list, rating, rating if highest is None else highest, junior, law)


def test_k_10_is_the_mark_of_2400():
    assert bool(read(10, 2350).reached_2400) is True


def test_k_20_means_thirty_games_and_of_a_junior_that_2300_was_reached():
    assert read(20).career_games == 30
    assert bool(read(20, junior=True).reached_2300) is True
    assert bool(read(20, junior=False, rating=1800).reached_2300) is False


def test_k_40_of_an_adult_is_a_newcomer_counted_from_the_import_on():
    assert read(40).career_games == 0


def test_k_40_of_a_junior_says_nothing_of_his_games():
    past = read(40, junior=True)
    assert (past.career_games, bool(past.reached_2300)) == (30, False)


@pytest.mark.parametrize(("rating", "expected"), [(2399, 20), (2400, 10), (2401, 10)])
def test_without_k_the_rating_decides_and_exactly_2400_is_10(rating, expected):
    assert k_used(read(0, rating), UNKNOWN, 0, False, LAW) == expected


@pytest.mark.parametrize(("rating", "expected"), [(2299, 40), (2300, 20)])
def test_without_k_a_junior_below_2300_has_40(rating, expected):
    assert k_used(read(0, rating, junior=True), UNKNOWN, 0, True, LAW) == expected


def test_the_list_decides_where_our_record_is_empty_and_the_rule_where_it_is_filled():
    assert k_used(read(15), UNKNOWN, 15, False, LAW) == 15
    assert k_used(read(40, career=30, top=0, high=0), 30, 40, False, LAW) == 20
    assert k_used(read(20, career=29, top=0, high=0), 29, 20, False, LAW) == 40


def test_a_rating_of_2400_on_the_list_is_a_mark_whatever_the_record_says():
    assert k_used(read(20, 2400, career=50, top=0, high=1), 50, 20, False, LAW) == 10


@pytest.mark.parametrize(("standard", "expected"), [(1600, 20), (2399, 20), (2400, 10)])
def test_standing_in_without_a_record_is_20_and_10_from_2400(standard, expected):
    assert k_standing_in(read(0, 0), UNKNOWN, standard, False, LAW) == expected


@pytest.mark.parametrize(
    ("career", "standard", "junior", "expected"),
    [(0, 1600, False, 40), (30, 1600, False, 20), (30, 1600, True, 40), (30, 2300, True, 20), (5, 2400, True, 10)],
)
def test_standing_in_with_a_record_is_by_the_rule(career, standard, junior, expected):
    past = read(0, 0, junior=junior, career=career, top=0, high=0)
    assert k_standing_in(past, career, standard, junior, LAW) == expected


# --- what a month does to it ----------------------------------------------------------------------------


def one_game(player, rules="fide-2025-10", period="2026-11", result="=", control="standard", **more):
    other = {"rating": 2000, "rapid_rating": 2000, "k": 20}
    return month(
        {1: player, 2: other},
        event("A", [1, 2], [f"1-2 {result}"], control=control, **more),
        rules=rules,
        period=period,
    )


@pytest.mark.parametrize(("games", "used", "printed"), [(28, 40, 40), (29, 40, 20), (30, 20, 20)])
def test_the_30th_game_of_the_period_is_still_played_with_40(games, used, printed):
    rated = one_game(
        {"rating": 2000, "k": 40 if games < 30 else 20, "career_games": games, "reached_2400": 0, "reached_2300": 0}
    )
    assert rated.change(1)["k"] == used
    assert (rated.player(1)["k"], rated.player(1)["career_games"]) == (printed, games + 1)


def test_one_who_reaches_2400_plays_with_10_from_the_next_list_on():
    rated = one_game({"rating": 2395, "k": 20}, result="1")
    assert rated.change(1)["k"] == 20
    assert (rated.rating(1), rated.player(1)["k"], rated.player(1)["reached_2400"]) == (2397, 20, 0)
    rated = one_game({"rating": 2398, "k": 20}, result="1")
    assert (rated.rating(1), rated.player(1)["k"], rated.player(1)["reached_2400"]) == (2400, 10, 1)


def test_one_who_fell_back_below_2400_keeps_10():
    rated = one_game({"rating": 2350, "k": 10, "career_games": 300, "reached_2400": 1, "reached_2300": 1}, result="0")
    assert rated.change(1)["k"] == 10
    assert rated.player(1)["k"] == 10


def test_a_juniors_40_ends_with_the_list_of_the_year_after_his_18th_birthday():
    december = one_game({"rating": 2000, "k": 40, "birthday": "2008"}, period="2026-12", start="2026-11-10")
    assert december.player(1)["k"] == 40
    january = one_game({"rating": 2000, "k": 40, "birthday": "2008"}, period="2027-01", start="2026-12-10")
    assert january.change(1)["k"] == 40
    assert january.player(1)["k"] == 20


def test_a_juniors_40_ends_at_2300():
    rated = one_game({"rating": 2290, "k": 40, "birthday": "2012"}, result="1")
    assert (rated.rating(1), rated.player(1)["k"], rated.player(1)["reached_2300"]) == (2296, 40, 0)
    rated = one_game({"rating": 2294, "k": 40, "birthday": "2012"}, result="1")
    assert (rated.rating(1), rated.player(1)["k"], rated.player(1)["reached_2300"]) == (2300, 20, 1)


def test_the_k_used_is_that_of_the_newest_list_also_for_an_event_of_months_ago():
    rated = month(
        {1: {"rating": 2000, "k": 20}, 2: 2000}, event("A", [1, 2], ["1-2 1"], start="2026-08-10"), rules="fide-2025-10",
        older={"2026-08": {1: {"rating": 1900, "k": 40}, 2: 2000}},
    )  # fmt: skip
    assert (rated.change(1)["k"], rated.change(1)["rating_before"], rated.events(1)[0]["own_rating"]) == (
        20,
        2000,
        1900,
    )


@pytest.mark.parametrize(("rating", "marks"), [(2299, (0, 0)), (2300, (0, 1)), (2399, (0, 1)), (2400, (1, 1))])
def test_editions_without_juniors_keep_the_mark_of_2300_for_those_that_have_them(rating, marks):
    players = {
        each: {"rating": rating, "k": 15, "career_games": 50, "reached_2400": 0, "reached_2300": 0} for each in (1, 2)
    }
    after = month(players, event("A", [1, 2], ["1-2 ="]), rules="fide-2009-07").player(1)
    assert (after["reached_2400"], after["reached_2300"]) == marks


@pytest.mark.parametrize(("rating", "marks"), [(2299, (0, 0)), (2300, (0, 1)), (2399, (0, 1)), (2400, (1, 1))])
def test_a_mark_known_to_be_missing_is_set_also_of_who_did_not_play(rating, marks):
    idle = {"rating": rating, "k": 20, "career_games": 50, "reached_2400": 0, "reached_2300": 0}
    after = month({1: idle}, rules="fide-2025-10").player(1)
    assert (after["reached_2400"], after["reached_2300"]) == marks


def test_a_k_of_0_never_means_no_change():
    """Rapid rating 0 and K 0 in the list: the standard rating stands in with K 20, and the games count (B03)."""
    players = {
        1: {"rating": 1600, "rapid_rating": None, "rapid_k": 0},
        2: {"rating": 1600, "rapid_rating": 1600, "rapid_k": 0},
    }
    rated = month(players, event("Rapid", [1, 2], ["1-2 1"] * 7, control="rapid"), rules="fide-2025-10")
    assert (rated.change(1, "rapid")["k"], rated.change(1, "rapid")["games"], rated.rating(1, "rapid")) == (20, 7, 1670)
    assert (rated.change(2, "rapid")["k"], rated.rating(2, "rapid")) == (20, 1530)


def test_a_list_without_any_k_is_said_so():
    rated = month({1: 2000, 2: 2000}, event("A", [1, 2], ["1-2 1"]), rules="fide-2025-10")
    notes = [problem for problem in rated.rated.problems if problem.code == "no-k-in-list"]
    assert [(note.severity, "2 players" in note.message) for note in notes] == [("note", True)]
    with_k = month({1: {"rating": 2000, "k": 20}, 2: 2000}, event("A", [1, 2], ["1-2 1"]), rules="fide-2025-10")
    assert not [problem for problem in with_k.rated.problems if problem.code == "no-k-in-list"]


def test_a_grandmaster_below_2400_on_a_list_without_k_has_10():
    rated = month({1: {"rating": 2380, "title": "GM"}, 2: 2380}, event("A", [1, 2], ["1-2 1"]), rules="fide-2025-10")
    assert (rated.change(1)["k"], rated.change(2)["k"]) == (10, 20)


@pytest.mark.parametrize(
    ("title", "rating", "k"), [("GM", 2380, 10), ("IM", 2380, 10), ("FM", 2380, 20), ("", 2380, 20), ("FM", 2400, 10)]
)
def test_which_title_shows_that_2400_was_reached(title, rating, k):
    rated = month({1: {"rating": rating, "title": title}, 2: 2380}, event("A", [1, 2], ["1-2 1"]), rules="fide-2025-10")
    assert rated.change(1)["k"] == k


def test_our_record_says_more_than_a_title():
    known = {"rating": 2380, "title": "GM", "career_games": 50, "reached_2400": 0, "reached_2300": 1}
    assert month({1: known, 2: 2380}, event("A", [1, 2], ["1-2 1"]), rules="fide-2025-10").change(1)["k"] == 20


def test_a_title_without_a_rating_shows_nothing():
    """It may be an honorary one."""
    field = dict.fromkeys(range(1, 6), 1800) | {9: {"rating": None, "title": "GM"}}
    rated = month(field, event("A", [9, *range(1, 6)], against(9, range(1, 6), "1====")), rules="fide-2025-10")
    assert (rated.player(9)["k"], rated.player(9)["reached_2400"]) == (40, 0)


@pytest.mark.parametrize(
    ("birthday", "year"),
    [("2012", 2012), ("2012-05-03", 2012), ("2012/00/00", 2012), ("2012é", 2012), ("", 0), (None, 0), ("201x", 0), ("x012", 0), ("201٢", 0), ("٢٠١٢", 0)],
)  # fmt: skip
def test_the_year_of_birth_is_the_four_digits_the_list_begins_with(birthday, year):
    players = rating_list({1: {"birthday": "2012"}, 2: {"birthday": birthday}, 3: {"birthday": "1999"}})
    assert birth_years(players).tolist() == [2012, year, 1999]
    assert birth_years(rating_list({})).tolist() == []


def test_a_list_that_prints_20_for_a_grandmaster_is_believed():
    rated = month(
        {1: {"rating": 2380, "title": "GM", "k": 20}, 2: 2380}, event("A", [1, 2], ["1-2 1"]), rules="fide-2025-10"
    )
    assert rated.change(1)["k"] == 20
    assert (rated.player(1)["k"], rated.player(1)["reached_2400"]) == (20, 0)


def test_an_empty_record_stays_empty_until_something_becomes_known():
    rated = month(
        {1: {"rating": 2000, "k": 20}, 2: 2000, 3: {"rating": 1900, "k": 40}},
        event("A", [1, 2], ["1-2 1"]),
        rules="fide-2025-10",
    )
    idle, player = rated.player(3), rated.player(1)
    assert (idle["career_games"], idle["reached_2400"], idle["k"]) == (None, None, 40)
    assert (player["career_games"], player["reached_2400"], player["k"]) == (31, 0, 20)


def test_marks_are_kept_for_each_control_by_itself():
    """A standard rating of 2400 counts for the K used in rapid but leaves no mark there (reading 15)."""
    players = {1: {"rating": 2450, "k": 10}, 2: {"rating": 2000, "rapid_rating": 2000}}
    rated = month(players, event("Rapid", [1, 2], ["1-2 0"] * 6, control="rapid"), rules="fide-2025-10")
    assert rated.change(1, "rapid")["k"] == 10
    assert (rated.rating(1, "rapid"), rated.player(1)["rapid_reached_2400"], rated.player(1)["rapid_k"]) == (
        2395,
        0,
        20,
    )
