"""What a case says and what a month says, side by side."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.official.cases import Month, event_name, hero_id


def _by_id(rows: list[dict[str, str]]) -> dict[int, dict[str, str]]:
    return {int(row["fideid"]): row for row in rows}


def _whole(row: dict[str, str], name: str) -> int | None:
    return int(row[name]) if row[name] else None


def wrong_figures(month: Month, cases: list[dict[str, Any]], instead: dict[str, int] | None = None) -> list[str]:
    """Every figure of the cases the month does not give. ``instead``: changes to expect in place of the official one."""
    changes = _by_id(month.table("changes"))
    lines = {(int(row["fideid"]), row["event"]): row for row in month.table("events")}
    asked = {what for case in cases for what in case["official"]}
    players = _by_id(month.table("list")) if "k_next" in asked else {}
    pending = _by_id(month.table("pending")) if "ru" in asked else {}
    games = month.table("games") if "per_game" in asked else []
    wrong = []
    for case in cases:
        id_, official = hero_id(case), dict(case["official"])
        if instead and case["id"] in instead:
            official |= {"change": instead[case["id"]], "new": case["rating"] + instead[case["id"]]}
        if official.get("status") == "not rated":
            wrong += [f"{case['id']}: a change {changes[id_]}"] if id_ in changes else []
            continue
        if id_ not in changes:
            wrong.append(f"{case['id']}: no change at all")
            continue
        row = changes[id_]
        found: dict[str, object] = {
            "change": _whole(row, "change"), "new": _whole(row, "rating_after"), "games": _whole(row, "games"), "k_used": _whole(row, "k"),
            "change_exact": row["change_exact"], "expected": row["expected"], "status": row["status"],
        }  # fmt: skip
        if "chg" in official or "rc" in official:  # a line of FIDE's calculation page
            line = lines[id_, event_name(case, 1)]
            found |= {"n": _whole(line, "games"), "rc": _whole(line, "rc"), "chg": line["chg"], "k_chg": line["k_chg"]}
            official["w"], found["w"] = Decimal(official["w"]), Decimal(line["score"])
        if "events" in official:
            mine = [lines[id_, event_name(case, number)] for number in range(1, len(case["events"]) + 1)]
            found["events"] = [
                {what: int(line[what]) if what == "rc" else line[what] for what in wanted}
                for line, wanted in zip(mine, official["events"], strict=True)
            ]
        if "per_game" in official:
            rows = sorted((game for game in games if int(game["fideid"]) == id_), key=lambda game: int(game["round"]))
            found["per_game"] = [game["chg"] for game in rows]
        if "k_next" in official:
            found["k_next"] = _whole(players[id_], "k")
        if "ru" in official:
            found["ru"] = _whole(pending[id_], "ru")
        wrong += [
            f"{case['id']}: {what}: expected {value}, ours {found[what]}"
            for what, value in official.items()
            if value != found[what]
        ]
    return wrong
