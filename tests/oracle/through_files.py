"""A random month as a user has it: a list in CSV, reports in TRF16, the command line, and its tables read back as text."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from fide_batch.model import LIST_COLUMNS, STATE_COLUMNS
from tests.official.command_line import exported, fide_batch
from tests.official.files import trf16, write_list
from tests.oracle.first_rating import last_list
from tests.oracle.k_factor import PREFIX
from tests.oracle.months import Federation, Period, plus
from tests.oracle.oracle import rating_in


def text(period: Period) -> str:
    return f"{period[0]}-{period[1]:02d}"


def write_federations_list(path: Path, rows: dict[int, dict]) -> None:
    columns = LIST_COLUMNS + STATE_COLUMNS
    write_list(path, [{name: "" if row.get(name) is None else row[name] for name in columns} for row in rows.values()])


def write_report(path: Path, event: dict, newest: dict[int, dict]) -> None:
    players = [
        {
            "number": number, "name": f"Player {player['id']}", "id": player["id"],
            "rating": rating_in(newest.get(player["id"]), event["control"]) or 0,
            "birth": newest.get(player["id"], player).get("birthday") or "", "sex": newest.get(player["id"], {}).get("sex") or "m",
        }
        for number, player in event["players"].items()
    ]  # fmt: skip
    cells = [
        (
            number,
            round_,
            opponent,
            ("w" if number < opponent else "b") if opponent else "-",
            "Z" if result == " " else result,
        )
        for number, round_, opponent, result in event["cells"]
    ]
    path.write_text(trf16(event["name"], event["start"], event["end"], players, cells, event["control"]), "utf-8")


def chain_through_files(federation: Federation, months: int, folder: Path, rate: Any) -> list[str]:
    """So many months through the command line, and what they say that the oracle does not."""
    lists, kept, period = list(federation.lists), [], federation.first_period
    ((base_period, base),) = lists
    write_federations_list(folder / "start.csv", base)
    workspace = folder / "workspace"
    fide_batch(
        "init", workspace, "--list", folder / "start.csv", "--period", text(base_period), "--rules", federation.rules
    )
    for _ in range(months):
        events = federation.events(period, lists[-1][1])
        reports = folder / f"reports-{text(period)}"
        reports.mkdir()
        for event in events:
            write_report(reports / f"{event['name'].replace(' ', '-')}.trf", event, lists[-1][1])
        fide_batch("run", "--workspace", workspace, "--period", text(period), reports)
        month = {"period": period, "rules": federation.rules, "lists": lists, "kept": kept, "events": events}
        ours = rate(month)
        found = unlike(workspace, text(period), federation.rules, ours)
        if found:
            return [f"{text(period)}: {line}" for line in found]
        lists, kept, period = [*lists, (period, ours["list"])], ours["kept"], plus(period, 1)
    return []


def _shown(value: Any) -> Any:
    if isinstance(value, Fraction):
        return Decimal(value.numerator) / Decimal(value.denominator)
    return None if value is None else Decimal(value)


def _read(cell: str) -> Any:
    return Decimal(cell) if cell else None


def unlike(workspace: Path, period: str, rules: str, ours: dict) -> list[str]:
    """The tables of a sealed month against the oracle's."""
    found = []
    changes = {(int(row["fideid"]), row["control"]): row for row in exported(workspace, period, "changes")}
    for key in sorted(set(changes) | set(ours["changes"])):
        mine, row = ours["changes"].get(key), changes.get(key)
        if (mine or row)["status"] == "pending" and not int((mine or row)["games"] or 0):  # type: ignore[index]
            continue
        if mine is None or row is None:
            found.append(f"change {key}: oracle {mine}, product {row}")
            continue
        found += [f"change {key}: status {mine['status']} {row['status']}"] if mine["status"] != row["status"] else []
        for name in ("games", "score", "expected", "k", "change_exact", "change", "rating_after"):
            if name in mine and _shown(mine[name]) != _read(row[name]) and (mine[name] or row[name]):
                found.append(f"change {key}: {name} oracle {mine[name]}, product {row[name]}")
    listed = {int(row["fideid"]): row for row in exported(workspace, period, "list")}
    for id_, mine in ours["list"].items():
        for prefix in PREFIX.values():
            for name in ("rating", "k"):
                if (mine[prefix + name] or None) != (int(listed[id_][prefix + name] or 0) or None):
                    found.append(
                        f"list {id_}: {prefix}{name} oracle {mine[prefix + name]}, product {listed[id_][prefix + name]}"
                    )
    pending = {
        (int(row["fideid"]), row["control"], row["event"]): row for row in exported(workspace, period, "pending")
    }
    today = date.fromisoformat(f"{period}-01")
    kept = {
        (result["id"], result["control"], result["event"]): result
        for result in ours["kept"]
        if last_list(result, today, rules) > today
    }
    found += [f"pending: oracle {sorted(kept)}, product {sorted(pending)}"] if set(kept) != set(pending) else []
    for key in set(kept) & set(pending):
        numbers = (len(kept[key]["scores"]), _shown(sum(kept[key]["scores"], Fraction(0))))
        if numbers != (int(pending[key]["games"]), _read(pending[key]["score"])):
            found.append(f"pending {key}: oracle {numbers}, product {pending[key]}")
    return found
