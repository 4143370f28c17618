"""Who is inactive: nobody who played a rated game in the edition's window, on its first day and on the eve, through the command line."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest

from tests.official.command_line import fide_batch
from tests.official.files import trf16, write_list
from tests.oracle.first_rating import months_later
from tests.oracle.law import LAWS

WINDOWS = {(name, "2026-11"): law.inactive_months for name, law in LAWS.items() if name != "fide-2017-07"}
WINDOWS |= {("fide-2017-07", "2020-10"): 12, ("fide-2017-07", "2020-11"): 24}
"""Months without a rated game, by edition and list; of 2017-07 they were doubled for lists from 2020-11."""


@pytest.mark.parametrize(("rules", "period"), WINDOWS)
def test_first_day_and_eve_of_the_window(rules: str, period: str, tmp_path: Path) -> None:
    list_date = date.fromisoformat(f"{period}-01")
    first_day = months_later(list_date, -WINDOWS[rules, period])
    played = {1: None, 2: None, 3: first_day, 4: first_day - timedelta(1)}
    write_list(
        tmp_path / "list.csv",
        [
            {
                "fideid": id_, "name": f"Player, No {id_}", "rating": 1800, "k": 15, "career_games": 50, "reached_2400": 0, "reached_2300": 0,
                "last_played": day or list_date - timedelta(40),
            }
            for id_, day in played.items()
        ],
    )  # fmt: skip
    players = [{"number": id_, "name": f"Player, No {id_}", "id": id_, "rating": 1800} for id_ in (1, 2)]
    day = list_date - timedelta(20)
    (tmp_path / "duel.trf").write_text(
        trf16("Duel", day, day, players, [(1, 1, 2, "w", "="), (2, 1, 1, "b", "=")]), "utf-8"
    )
    fide_batch(
        "run", "--workspace", tmp_path, "--list", tmp_path / "list.csv", "--rules", rules, "--period", period, tmp_path / "duel.trf"
    )  # fmt: skip
    answer = json.loads(fide_batch("inactive", "--workspace", tmp_path, "--period", period, "--json"))
    assert answer["months"] == WINDOWS[rules, period]
    assert answer["min_games"] == LAWS[rules].inactive_games
    assert {row["fideid"] for row in answer["players"] if row["status"] == "inactive"} == {"4"}
