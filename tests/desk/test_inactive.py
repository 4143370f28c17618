"""inactive: by edition, from the sealed months where they reach, from the list's flag and games where they do not."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from stand_in import OCTOBER, StandIn, month, player

from fide_batch import regulations
from fide_batch.desk import inactive as asked
from fide_batch.desk.inactive import FROM_LIST, FROM_MONTHS, inactive, inactive_table
from fide_batch.model import Period

CLASSIC, NEWEST = regulations.edition("classic"), regulations.edition("fide-2025-10")
IDLE, ONE, BUSY, BACK = 1000001, 1000002, 1000003, 1000004


def played(fideid, end, games, name="Club Open", control="standard"):
    return {"fideid": fideid, "control": control, "event": name, "start": end, "end": end, "games": games}


def chain(first, events, players, flags=None):
    """Sealed months from ``first`` on: a list, then a month for every period named in ``events``."""
    flags = flags or {}
    rows = [player(code, f"Player {code}", 1500, flag=flags.get(code, "")) for code in players]
    months = {first: month(list=rows)}
    manifests = {first: {"kind": "list"}}
    for period, played_in in events.items():
        months[period] = month(list=[dict(row, flag="") for row in rows], events=played_in)
        manifests[period] = {"kind": "month", "edition": {"name": "classic"}}
    return StandIn(months, manifests)


def found(archive, period, edition=CLASSIC, **more):
    return {row["fideid"]: row for row in inactive(archive, period, edition=edition, **more)[1].to_pylist()}


TWO_YEARS = {
    Period(2024, 12): [played(BUSY, date(2024, 11, 20), 9), played(ONE, date(2024, 11, 20), 9, "Autumn Open")],
    Period(2025, 11): [played(BUSY, date(2025, 10, 31), 9)],
    Period(2025, 12): [played(ONE, date(2025, 11, 30), 3, "Winter Cup"), played(BUSY, date(2025, 11, 1), 2)],
    Period(2026, 10): [played(BUSY, date(2026, 9, 30), 2)],
    Period(2026, 11): [],
}


def test_fewer_than_four_games_in_twelve_months_by_classic():
    """Three games in the window are too few; BUSY has 2 + 2 = 4, and the nine of 31 October 2025 are just outside."""
    rows = found(chain(Period(2024, 10), TWO_YEARS, [IDLE, ONE, BUSY]), Period(2026, 11))
    assert rows[ONE]["status"] == "inactive" and rows[ONE]["games"] == 3
    assert rows[IDLE]["status"] == "inactive" and rows[IDLE]["games"] == 0
    assert rows[BUSY]["status"] != "inactive"
    assert {row["source"] for row in rows.values()} == {FROM_MONTHS}


def test_none_in_twelve_months_by_the_editions_since_2024():
    rows = found(chain(Period(2024, 10), TWO_YEARS, [IDLE, ONE, BUSY]), Period(2026, 11), NEWEST)
    assert rows[IDLE]["status"] == "inactive"
    assert ONE not in rows or rows[ONE]["status"] != "inactive"


def test_event_on_the_first_day_of_the_window_counts_and_on_the_eve_not():
    for end, is_in in ((date(2025, 11, 1), True), (date(2025, 10, 31), False)):
        archive = chain(Period(2025, 1), {Period(2025, 12): [played(ONE, end, 4)], Period(2026, 11): []}, [ONE])
        rows = found(archive, Period(2026, 11))
        assert (rows.get(ONE, {}).get("status") == "inactive") is not is_in


def test_since_last_event_and_last_day():
    row = found(chain(Period(2024, 10), TWO_YEARS, [IDLE, ONE, BUSY]), Period(2026, 11))[ONE]
    # Nine games of 20 November 2024 were in the window until the list of 1 November 2025; three are left from December 2025 on.
    assert row["since"] == "2025-12"
    assert row["last_event"] == "Winter Cup" and row["last_played"] == date(2025, 11, 30)
    assert row["news"] == 0


def test_falls_out_with_the_next_list():
    """The two games of 1 November 2025 leave the window on 1 December 2026: two are left."""
    rows = found(chain(Period(2024, 10), TWO_YEARS, [BUSY]), Period(2026, 11))
    assert rows[BUSY]["status"] == "falls out next"


def test_came_back_with_enough_games():
    events = {Period(2026, 10): [], Period(2026, 11): [played(BACK, date(2026, 10, 20), 4)]}
    row = found(chain(Period(2024, 1), events, [BACK]), Period(2026, 11))[BACK]
    assert row["status"] == "came back" and row["news"] == 1


def test_newly_inactive_is_news():
    events = {Period(2025, 11): [played(ONE, date(2025, 10, 5), 9)], Period(2026, 10): [], Period(2026, 11): []}
    row = found(chain(Period(2024, 1), events, [ONE]), Period(2026, 11))[ONE]
    assert row["status"] == "inactive" and row["news"] == 1 and row["since"] == "2026-11"


def test_twenty_four_months_for_lists_from_2020_11():
    """Last game in October 2019: still active on the lists of November and December 2020; by twelve months he would not be."""
    law = regulations.edition("fide-2017-07")
    events = {
        Period(2019, 11): [played(ONE, date(2019, 10, 15), 9)],
        Period(2020, 10): [],
        Period(2020, 11): [],
        Period(2020, 12): [],
    }
    archive = chain(Period(2017, 8), events, [ONE])
    assert found(archive, Period(2020, 12), law) == {}
    assert found(archive, Period(2020, 11), law) == {}
    assert found(archive, Period(2020, 10), law) == {}
    assert found(archive, Period(2020, 12), regulations.edition("fide-2014-07"))[ONE]["status"] == "inactive"


def test_short_history_takes_the_lists_flag_and_says_so():
    events = {Period(2026, 11): [played(BUSY, date(2026, 10, 20), 4)]}
    archive = chain(OCTOBER, events, [IDLE, ONE, BUSY], {IDLE: "i", BUSY: "wi"})
    page, table = inactive(archive, Period(2026, 11), edition=CLASSIC)
    rows = {row["fideid"]: row for row in table.to_pylist()}
    assert rows[IDLE]["status"] == "inactive" and rows[IDLE]["source"] == FROM_LIST
    assert ONE not in rows
    assert rows[BUSY]["status"] == "came back" and rows[BUSY]["source"] == FROM_MONTHS
    assert any(
        "begin with the list of 2026-10" in block and "flag" in block for block in page.blocks if isinstance(block, str)
    )
    assert page.data["covered"] is False


def test_short_history_counts_the_games_the_list_prints():
    """Three games on the list they start from and one since make four."""
    archive = chain(OCTOBER, {Period(2026, 11): [played(ONE, date(2026, 10, 20), 1)]}, [ONE], {ONE: "i"})
    archive.months[OCTOBER]["list"] = month(list=[player(ONE, "Player", 1500, games=3, flag="i")])["list"]
    assert found(archive, Period(2026, 11))[ONE]["status"] == "came back"


def test_last_day_the_list_knows_decides_where_it_is_before_the_window():
    archive = chain(OCTOBER, {Period(2026, 11): []}, [ONE])
    for period in archive.months:
        archive.months[period]["list"] = month(list=[player(ONE, "Player", 1500, last_played=date(2025, 10, 31))])[
            "list"
        ]
    row = found(archive, Period(2026, 11))[ONE]
    assert row["status"] == "inactive" and row["source"] == FROM_MONTHS and row["last_played"] == date(2025, 10, 31)


def test_own_window_and_number_of_games():
    archive = chain(Period(2024, 10), TWO_YEARS, [ONE])
    assert found(archive, Period(2026, 11), min_games=3).get(ONE, {}).get("status") != "inactive"
    assert found(archive, Period(2026, 11), months=24)[ONE]["status"] == "falls out next"
    assert found(archive, Period(2026, 11), months=6, min_games=1)[ONE]["games"] == 0


def test_each_control_by_itself():
    events = {Period(2026, 11): [played(ONE, date(2026, 10, 20), 9, control="rapid")]}
    archive = chain(Period(2024, 10), events, [ONE])
    assert found(archive, Period(2026, 11))[ONE]["games"] == 0
    assert found(archive, Period(2026, 11), control="rapid") == {}


def test_unrated_players_are_not_called_inactive():
    archive = chain(Period(2024, 10), {Period(2026, 11): []}, [])
    archive.months[Period(2026, 11)]["list"] = month(list=[player(ONE, "Newcomer", None)])["list"]
    assert found(archive, Period(2026, 11)) == {}


@pytest.mark.parametrize("months", [1, 12, 24])
def test_head_names_rule_and_window(months):
    edition = replace(CLASSIC, inactivity=replace(CLASSIC.inactivity, months=months))
    page, _ = inactive(chain(Period(2024, 10), TWO_YEARS, [ONE]), Period(2026, 11), edition=edition)
    assert f"fewer than 4 rated games in {months} months (classic" in page.blocks[0]


@pytest.mark.parametrize("seed", range(40))
def test_leaving_out_what_is_not_needed_of_active_players_changes_no_answer(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Months with late reports, long gaps and two controls; every month asked about, by both rules and by rules of one's own."""
    chance = np.random.default_rng(seed)
    players = list(range(1000, 1040))
    first, events = Period(2023, int(chance.integers(1, 13))), {}
    for place in range(1, 34):
        period = first.plus(place)
        if chance.random() < 0.15:
            continue
        events[period] = [
            played(
                int(chance.choice(players[: int(chance.integers(1, 41))])),
                date.fromordinal(period.list_date.toordinal() - int(chance.choice([0, 3, 20, 31, 70, 400]))),
                int(chance.integers(0, 8)), f"Event {place}-{number}", str(chance.choice(["standard", "standard", "rapid"])),
            )
            for number in range(int(chance.integers(0, 25)))
        ]  # fmt: skip
    archive = chain(first, events, players, dict.fromkeys(players[::3], "i"))
    for period in list(events)[::4]:
        for edition, more in (
            (CLASSIC, {}),
            (NEWEST, {}),
            (NEWEST, {"months": 5, "min_games": 3}),
            (CLASSIC, {"min_games": 0}),
        ):
            told = inactive_table(archive, period, edition=edition, **more)
            with monkeypatch.context() as patch:
                patch.setattr(asked, "_active", lambda *said: None)
                assert told == inactive_table(archive, period, edition=edition, **more)
