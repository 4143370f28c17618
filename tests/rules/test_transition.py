"""The one-off changes of 2022-10 and 2024-03, and inactivity."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from fide_batch import regulations
from fide_batch.model import Period
from fide_batch.rules import inactivity
from fide_batch.rules.transition import adjusted, applies
from tests.rules.build import against, event, month, with_law

COMPRESSION = regulations.edition("fide-2024-03").one_off
RAISE = regulations.edition("fide-2022-10").one_off


# --- 2024-03: every rating below 2000 moves 40 per cent of the way to it -----------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (1000, 1400),
        (1500, 1700),
        (1950, 1970),
        (1998, 1999),
        (1999, 1999),
        (2000, 2000),
        (2001, 2001),
        (2100, 2100),
        (1001, 1401),
        (1997, 1998),
    ],
)
def test_compression(old, new):
    """1999 + .4 is 1999; 1998 + .8 is 1999; 1997 + 1.2 is 1998; 1001 + 399.6 is 1401."""
    assert adjusted(old, 0, "standard", COMPRESSION) == new
    assert adjusted(np.array([old, 0]), np.array([0, 0]), "blitz", COMPRESSION).tolist() == [new, 0]


def test_a_one_off_is_made_to_one_list_only():
    assert applies(COMPRESSION, Period(2024, 3))
    assert not applies(COMPRESSION, Period(2024, 4))
    assert applies(RAISE, Period(2022, 10))
    assert not applies(regulations.edition("fide-2025-10").one_off, Period(2025, 10))


def compressed(base, *events):
    return month(base, *events, rules="fide-2024-03", period="2024-03")


def test_all_three_lists_move_with_rows_of_their_own():
    rated = compressed(
        {1: {"rating": 1500, "rapid_rating": 1000, "blitz_rating": 2100, "k": 20, "rapid_k": 20, "blitz_k": 20}}
    )
    assert [rated.rating(1, control) for control in ("standard", "rapid", "blitz")] == [1700, 1400, 2100]
    changes = rated.changes(1)
    assert [(row["control"], row["status"], row["rating_before"], row["change"], row["rating_after"]) for row in changes] == [
        ("standard", "adjusted", 1500, 200, 1700), ("rapid", "adjusted", 1000, 400, 1400),
    ]  # fmt: skip
    assert "1500 becomes 1700" in changes[0]["why"]


def test_the_periods_own_change_comes_first():
    """1500 + 10 = 1510, then 1706; the status stays rated (reading 20), and the row adds up."""
    base = {1: {"rating": 1500, "k": 20}, 2: {"rating": 1500, "k": 20}}
    rated = compressed(base, event("A", [1, 2], ["1-2 1"], start="2024-02-05"))
    change = rated.change(1)
    assert (change["status"], change["change_exact"], change["change"], change["rating_after"]) == (
        "rated",
        100_000,
        206,
        1706,
    )
    assert "computed 1510, after the one-off change of 2024-03 1706" in change["why"]


@pytest.mark.parametrize(("rating", "after"), [(999, None), (1000, 1400), (1001, 1401)])
def test_the_floor_is_asked_after_it_also_of_who_did_not_play(rating, after):
    """999 becomes 1399.4, 1399: below 1400."""
    rated = compressed({1: {"rating": rating, "k": 20}})
    assert rated.rating(1) == after
    assert rated.change(1)["status"] == ("adjusted" if after else "delisted")
    assert rated.player(1)["k"] == (20 if after else None)


@pytest.mark.parametrize(("opponents", "rating"), [(679, None), (680, 1400)])
def test_a_first_rating_too_before_the_floor_is_asked(opponents, rating):
    """Fifty per cent of five against 680: (3400 + 3600)/7 = 1000, then 1400."""
    field = {number: {"rating": opponents} for number in range(1, 6)}
    rated = compressed(field, event("A", [9, *field], against(9, list(field), "====="), start="2024-02-05"))
    assert rated.rating(9) == rating
    assert rated.change(9)["status"] == ("first-rating" if rating else "pending")
    if rating:
        assert "1000 from 5 games" in rated.change(9)["why"]
        assert "after the one-off change of 2024-03 1400" in rated.change(9)["why"]


# --- 2022-10: rapid and blitz raised to standard - 100 ----------------------------------------------------


@pytest.mark.parametrize(
    ("rapid", "standard", "new"),
    [(2283, 2732, 2632), (2631, 2732, 2632), (2632, 2732, 2632), (2633, 2732, 2633), (0, 2732, 0), (1500, 0, 1500)],
)
def test_raised_to_a_hundred_below_standard(rapid, standard, new):
    assert adjusted(rapid, standard, "rapid", RAISE) == new
    assert adjusted(rapid, standard, "blitz", RAISE) == new
    assert adjusted(standard, standard, "standard", RAISE) == standard


def test_it_looks_at_the_new_standard_rating_and_raises_nobody_without_a_rapid_rating():
    base = {1: {"rating": 1990, "k": 20, "rapid_rating": 1700, "rapid_k": 20}, 2: {"rating": 1990, "k": 20}}
    rated = month(base, event("A", [1, 2], ["1-2 1"], start="2022-09-05"), rules="fide-2022-10", period="2022-10")
    assert (rated.rating(1), rated.rating(1, "rapid"), rated.rating(2, "rapid")) == (2000, 1900, None)
    change = rated.change(1, "rapid")
    assert (change["status"], change["change"]) == ("adjusted", 200)


# --- inactivity ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "period", "months"),
    [
        ("classic", (2026, 11), 12), ("fide-2014-07", (2016, 1), 12), ("fide-2017-07", (2020, 10), 12), ("fide-2017-07", (2020, 11), 24),
        ("fide-2017-07", (2020, 12), 24), ("fide-2022-01", (2022, 1), 24), ("fide-2022-10", (2024, 2), 24), ("fide-2024-03", (2024, 3), 12),
        ("fide-2025-10", (2026, 11), 12),
    ],
)  # fmt: skip
def test_over_how_many_months(name, period, months):
    assert inactivity.window_months(regulations.edition(name).inactivity, Period(*period)) == months


@pytest.mark.parametrize(
    ("name", "games", "inactive"),
    [("classic", 3, True), ("classic", 4, False), ("fide-2025-10", 0, True), ("fide-2025-10", 1, False)],
)
def test_how_many_games(name, games, inactive):
    assert bool(inactivity.is_inactive(regulations.edition(name).inactivity, games)) is inactive


def flag_of(player, rules="fide-2025-10", period="2026-11", **more):
    return month({1: player}, rules=rules, period=period, **more).player(1)["flag"]


@pytest.mark.parametrize(("last", "flag"), [("2025-10-31", "i"), ("2025-11-01", ""), ("2025-11-02", "")])
def test_the_last_game_at_the_edge_of_the_window(last, flag):
    assert flag_of({"rating": 1800, "last_played": date.fromisoformat(last)}) == flag


@pytest.mark.parametrize(("rules", "flag"), [("fide-2014-07", "i"), ("fide-2017-07", "")])
def test_in_december_2020_the_window_was_24_months(rules, flag):
    """Last game October 2019, list of December 2020 (B29)."""
    assert flag_of({"rating": 1800, "last_played": date(2019, 10, 15)}, rules, "2020-12") == flag


@pytest.mark.parametrize("more", [{}, {"rapid_rating": 1700}])
@pytest.mark.parametrize("rules", ["classic", "fide-2025-10"])
@pytest.mark.parametrize(("before", "after"), [("wi", "w"), ("i", ""), ("w", "w"), ("", "")])
def test_who_plays_is_active_again_and_w_stays(before, after, rules, more):
    """Where one game is not enough to be active, and where of his rapid games nothing is known, too."""
    base = {1: {"rating": 1800, "flag": before} | more, 2: 1800}
    assert month(base, event("A", [1, 2], ["1-2 1"]), rules=rules).player(1)["flag"] == after


def test_nobody_is_inactive_who_has_no_rating():
    assert flag_of({"rating": None}) == ""
    assert flag_of({"rating": None, "flag": "i"}) == "i"


def test_a_game_of_another_month_within_the_window_takes_the_flag_where_one_is_enough():
    player = {"rating": 1800, "flag": "i", "last_played": date(2026, 6, 1)}
    assert (flag_of(player), flag_of(player, "classic")) == ("", "i")
    assert flag_of(player, with_law("fide-2025-10", inactivity={"games": 2})) == "i"


@pytest.mark.parametrize("before", ["wi", "i", "w", ""])
def test_where_nothing_is_known_the_flag_stays(before):
    assert flag_of({"rating": 1800, "flag": before}) == before


def test_a_woman_who_becomes_inactive():
    assert flag_of({"rating": 1800, "flag": "w", "last_played": date(2024, 1, 1)}) == "wi"


@pytest.mark.parametrize(
    ("before", "plays", "after"),
    [("", False, "wi"), ("w", False, "wi"), ("i", True, "w"), ("wi", True, "w"), ("", True, "")],
)
def test_a_flag_that_changes_tells_a_woman(before, plays, after):
    """FIDE's lists have w for every woman and wi for one who is inactive; a flag nothing happens to stays as the list has it."""
    woman = {"rating": 1800, "sex": "F", "flag": before, "last_played": date(2024, 1, 1)}
    games = [event("A", [1, 2], ["1-2 1"])] if plays else []
    assert month({1: woman, 2: 1800}, *games, rules="fide-2025-10").player(1)["flag"] == after


@pytest.mark.parametrize(("sex", "flag"), [("w", "w"), ("m", ""), ("", "")])
def test_a_new_woman_has_her_flag(sex, flag):
    assert (
        month({1: 1800}, event("A", [1, 9], ["1-9 1"], sexes={9: sex}), rules="fide-2025-10").player(9)["flag"] == flag
    )


@pytest.mark.parametrize(
    ("title", "w_title"),
    [("WGM", "WGM"), ("WIM", "WIM"), ("WFM", "WFM"), ("WCM", "WCM"), ("IM", ""), ("WAFM", ""), ("", "")],
)
def test_a_new_players_womens_title_stands_in_both_columns_as_in_fides_lists(title, w_title):
    newcomer = month({1: 1800}, event("A", [1, 9], ["1-9 1"], titles={9: title}), rules="fide-2025-10").player(9)
    assert (newcomer["title"], newcomer["w_title"]) == (title, w_title)


def test_a_rapid_game_is_a_game_and_an_unknown_rapid_history_leaves_it_open():
    old, new = date(2024, 1, 1), date(2026, 6, 1)
    assert flag_of({"rating": 1800, "last_played": old, "rapid_rating": 1800, "rapid_last_played": new}) == ""
    assert flag_of({"rating": 1800, "last_played": old, "rapid_rating": 1800}) == ""
    assert flag_of({"rating": 1800, "last_played": old, "rapid_rating": 1800, "rapid_last_played": old}) == "i"


def test_flags_of_a_column():
    flags = inactivity.flags(
        pa.array(["", "i", "wi", "w", "i"]),
        np.array([False, True, True, False, False]),
        np.array([True, False, False, True, True]),
    )
    assert flags.to_pylist() == ["i", "", "w", "wi", "i"]


def test_capital_letters_of_a_flag_are_read_too():
    flags = inactivity.flags(
        pa.array(["I", "WI", "I", "W", None]),
        np.array([True, True, False, False, False]),
        np.array([False, False, True, True, True]),
        pa.array(["M", "F", "F", "F", "F"]),
    )
    assert flags.to_pylist() == ["", "W", "I", "Wi", "wi"]


def test_who_is_still_below_the_floor_after_the_one_off_change_is_delisted_and_his_record_begins():
    """900 becomes 1340 in March 2024; 30 games are taken as played, as his K of 20 says."""
    after = month({1: {"rating": 900, "k": 20}, 2: 1800}, rules="fide-2024-03", period="2024-03").player(1)
    assert (after["rating"], after["k"]) == (None, None)
    assert (after["career_games"], after["reached_2400"], after["reached_2300"]) == (30, 0, 0)
