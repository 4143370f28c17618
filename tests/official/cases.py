"""Official cases as months: each case its own players and its own events, several cases side by side in one month."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tests.official.command_line import exported, fide_batch
from tests.official.files import trf16, write_list

HERE = Path(__file__).parent


def _read(name: str, first_id: int) -> list[dict[str, Any]]:
    cases = [json.loads(line) for line in (HERE / name).read_text("utf-8").splitlines()]
    return [case | {"hero": first_id + 100 * place} for place, case in enumerate(cases)]


OFFICIAL = _read("official_cases.jsonl", 7_000_000)
"""What FIDE's calculation pages and lists say."""
PUBLISHED = _read("published_cases.jsonl", 8_000_000)
"""Worked examples of manuals, programs and players, as far as they agree with the rules."""


def hero_id(case: dict[str, Any]) -> int:
    """The id of the player the case is about; his opponents have the ids after it."""
    return case["hero"]


def control_of(case: dict[str, Any]) -> str:
    return case.get("control", "standard")


def opponents(case: dict[str, Any]) -> list[list[tuple[int, list[Any]]]]:
    """Event by event the ids of the opponents and the games as the case has them: a person a game."""
    events, next_id = [], hero_id(case)
    for event in case["events"]:
        events.append([(next_id := next_id + 1, game) for game in event["games"]])
    return events


def list_row(id_: int, rating: int | None, k: int | None, control: str = "standard") -> dict[str, Any]:
    prefix = "" if control == "standard" else f"{control}_"
    rated = {f"{prefix}rating": rating or "", f"{prefix}k": k or ""}
    return {"fideid": id_, "name": f"Player, Number {id_}", "country": "FID", "sex": "M", **rated, "birthday": 1980}


def list_rows(cases: Sequence[dict[str, Any]], older: bool = False) -> list[dict[str, Any]]:
    """The newest list, or the one before it, on which the player had the rating his first events used."""
    rows = []
    for case in cases:
        control = control_of(case)
        rows.append(list_row(hero_id(case), case["events"][0]["own"] if older else case["rating"], case["k"], control))
        rows += [list_row(id_, game[0], 20, control) for event in opponents(case) for id_, game in event]
    return rows


def event_name(case: dict[str, Any], number: int) -> str:
    return f"{case['id']} event {number}"


def write_reports(folder: Path, cases: Sequence[dict[str, Any]]) -> None:
    """A report an event: the player meets one opponent a round, the opponents nobody else."""
    folder.mkdir()
    for case in cases:
        hero = hero_id(case)
        for number, (event, against) in enumerate(zip(case["events"], opponents(case), strict=True), 1):
            players = [
                {"number": 1, "name": f"Player, Number {hero}", "id": hero, "rating": event["own"], "birth": "1980"}
            ]
            cells = []
            for round_, (id_, game) in enumerate(against, 1):
                players.append(
                    {
                        "number": round_ + 1,
                        "name": f"Player, Number {id_}",
                        "id": id_,
                        "rating": game[0],
                        "birth": "1980",
                    }
                )
                colours = ("w", "b") if game[2] == "w" else ("b", "w")
                cells += [
                    (1, round_, round_ + 1, colours[0], game[1]),
                    (round_ + 1, round_, 1, colours[1], {"1": "0", "0": "1"}.get(game[1], "=")),
                ]
            name = event_name(case, number)
            start, end = date.fromisoformat(event["start"]), date.fromisoformat(event["end"])
            text = trf16(name, start, end, players, cells, control_of(case))
            (folder / f"{case['id']}-{number}.trf").write_text(text, "utf-8")


@dataclass(frozen=True)
class Month:
    """A sealed month with some cases in it."""

    workspace: Path
    period: str

    def table(self, name: str) -> list[dict[str, str]]:
        return exported(self.workspace, self.period, name)


def has_two_lists(case: dict[str, Any]) -> bool:
    """The player's rating changed between the lists his events were played by."""
    return any(event["own"] != case["rating"] for event in case["events"])


def run_month(folder: Path, cases: Sequence[dict[str, Any]], period: str | None = None) -> Month:
    """Cases of one edition as one month, from files through the command line."""
    period = period or cases[0]["period"]
    workspace = folder / "workspace"
    if any(has_two_lists(case) for case in cases):
        (case,) = cases
        older = folder / "list-before.csv"
        write_list(older, list_rows(cases, older=True))
        fide_batch(
            "init", workspace, "--list", older, "--period", case["events"][0]["start"][:7], "--rules", case["rules"]
        )
        newest = folder / f"list-{case['list']}.csv"
    else:
        workspace.mkdir()
        newest = folder / "list.csv"
    write_list(newest, list_rows(cases))
    write_reports(folder / "reports", cases)
    start = ["--list", newest, "--rules", cases[0]["rules"], "--control", control_of(cases[0])]
    fide_batch("run", "--workspace", workspace, "--period", period, *start, folder / "reports")
    return Month(workspace, period)
