"""The product's month and the oracle's, side by side: every published number that differs, in words."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch import regulations
from fide_batch.model import KEPT, LIST, Cell, Entry, Event, Period, Report, Reports, empty, table
from fide_batch.rules.month import Month, Rated, rate
from tests.oracle.first_rating import last_list
from tests.oracle.k_factor import PREFIX, is_junior, k_rules
from tests.oracle.law import law_of
from tests.oracle.oracle import first_of

POINT = 10_000


def list_table(rows: dict[int, dict]) -> pa.Table:
    """An oracle's list as the product reads it."""
    ordered = [rows[id_] for id_ in sorted(rows)]
    columns = {}
    for field in LIST:
        values = [row.get(field.name) for row in ordered]
        columns[field.name] = [value or "" for value in values] if pa.types.is_string(field.type) else values
    return table(LIST, columns)


def report(event: dict) -> Report:
    """An event as a report read whole."""
    head = Event(
        file=f"{event['name']}.trf", format="trf16", name=event["name"], start=event["start"], end=event["end"], control=event["control"],
        rounds=max(round_ for _, round_, _, _ in event["cells"]),
    )  # fmt: skip
    entries = [
        Entry(number, name=f"Player {player['id']}", fideid=player["id"], birth=player["birthday"], line=number)
        for number, player in event["players"].items()
    ]
    cells = [
        Cell(number, round_, opponent, ("w" if number < opponent else "b") if opponent else "", result, line=number)
        for number, round_, opponent, result in event["cells"]
    ]
    return Report(head, entries, cells)


def product_month(month: dict, kept: pa.Table, tables: list[pa.Table]) -> Month:
    """The same month for the product; ``tables`` are its own lists."""
    named = month["rules"] != "in-force"
    edition = regulations.edition(month["rules"]) if named else regulations.in_force(first_of(month["period"]))
    reports = Reports.gather([report(event) for event in month["events"]])
    periods = [period for period, _ in month["lists"]]

    def list_of(day: date) -> int:
        return max([place for place, period in enumerate(periods) if first_of(period) <= day], default=0)

    return Month(
        period=Period(*month["period"]),
        edition=edition,
        event_editions=[edition if named else regulations.in_force(event["start"]) for event in month["events"]],
        base=tables[-1],
        lists=[(Period(*period), rows) for period, rows in zip(periods, tables, strict=True)],
        list_of_event=[list_of(event["start"]) for event in month["events"]],
        reports=reports,
        player=np.array([player["id"] for event in month["events"] for player in event["players"].values()], np.int64),
        kept=kept,
        edition_of=None if named else regulations.in_force,
    )


def product_rates(month: dict, kept: pa.Table | None, tables: list[pa.Table]) -> Rated:
    return rate(product_month(month, empty(KEPT) if kept is None else kept, tables))


# --- what differs ---------------------------------------------------------------------------------


def scaled(value: Fraction | None) -> int | None:
    """A score or change in ten-thousandths."""
    if value is None:
        return None
    exact = value * POINT
    assert exact.denominator == 1
    return int(exact)


def differences(month: dict, ours: dict, theirs: Rated) -> list[str]:
    """Every number that differs, ours (the oracle's) first."""
    return [
        *differences_of_lists(month, ours, theirs),
        *differences_of_changes(ours, theirs),
        *differences_of_events(month, ours, theirs),
        *differences_of_games(month, ours, theirs),
        *differences_of_kept(month, ours, theirs),
    ]


def _unlike(where: str, name: str, oracle: Any, product: Any) -> list[str]:
    return [] if oracle == product else [f"{where}: {name} oracle {oracle}, product {product}"]


def differences_of_lists(month: dict, ours: dict, theirs: Rated) -> list[str]:
    found = []
    law = law_of(month["rules"], first_of(month["period"]))
    product = {row["fideid"]: row for row in theirs.list.to_pylist()}
    for id_ in sorted(set(ours["list"]) | set(product)):
        mine, other = ours["list"].get(id_), product.get(id_)
        if mine is None:
            rated = [other[prefix + "rating"] for prefix in PREFIX.values() if other[prefix + "rating"] is not None]
            found += [f"list {id_}: product rates {rated}, oracle does not know him"] if rated else []
            continue
        if other is None:
            found.append(f"list {id_}: missing from the product")
            continue
        for control, prefix in PREFIX.items():
            where = f"list {id_} {control}"
            found += _unlike(where, "rating", mine[prefix + "rating"], other[prefix + "rating"])
            found += _unlike(where, "games", mine[prefix + "games"] or 0, other[prefix + "games"] or 0)
            found += _unlike(where, "k", mine[prefix + "k"] or None, other[prefix + "k"] or None)
            found += _unlike(where, "last_played", mine[prefix + "last_played"], other[prefix + "last_played"])
            found += differences_of_past(
                where, prefix, mine, other, is_junior(mine, k_rules(law, control), month["period"][0])
            )
    return found


def differences_of_past(where: str, prefix: str, mine: dict, other: dict, junior: bool) -> list[str]:
    """Our own columns. After 2400 the count has no effect any more, and 2300 has one for juniors only."""
    names = ["reached_2400"]
    if not mine[prefix + "reached_2400"]:
        names += ["career_games", "reached_2300"] if junior else ["career_games"]
    return [line for name in names for line in _unlike(where, name, mine[prefix + name], other[prefix + name])]


def differences_of_changes(ours: dict, theirs: Rated) -> list[str]:
    found = []
    product = {(row["fideid"], row["control"]): row for row in theirs.changes.to_pylist()}
    for key in sorted(set(ours["changes"]) | set(product)):
        mine, other = ours["changes"].get(key), product.get(key)
        where = f"change {key[0]} {key[1]}"
        if mine is None and other["status"] == "pending" and not other["games"]:
            continue  # says only that his results were disregarded
        if other is None and mine["status"] == "pending" and not mine["games"]:
            continue  # nothing new of his old results
        if mine is None or other is None:
            found.append(f"{where}: oracle {mine}, product {other}")
            continue
        found += _unlike(where, "status", mine["status"], other["status"])
        found += _unlike(where, "rating_after", mine["rating_after"], other["rating_after"])
        found += _unlike(where, "games", mine["games"], other["games"] or 0)
        if "score" in mine:
            found += _unlike(where, "score", scaled(mine["score"]), other["score"])
        for name in ("expected", "change_exact"):
            if name in mine:
                found += _unlike(where, name, scaled(mine[name]), other[name])
        for name in ("k_list", "k", "change"):
            if name in mine and not (name == "k_list" and other[name] is None):
                found += _unlike(where, name, mine[name], other[name])
    return found


def differences_of_events(month: dict, ours: dict, theirs: Rated) -> list[str]:
    found = []
    place = {event["name"]: number for number, event in enumerate(month["events"])}
    product = {
        (row["fideid"], place.get(row["event"], row["event"])): row
        for row in theirs.events.to_pylist()
        if row["own_rating"] and row["games"]
    }
    for key in sorted(set(ours["events"]) | set(product), key=str):
        mine, other = ours["events"].get(key), product.get(key)
        where = f"event {key[1]} of {key[0]}"
        if mine is None or other is None:
            found.append(f"{where}: oracle {mine}, product {other}")
            continue
        for name in ("own_rating", "rc", "games", "k"):
            found += _unlike(where, name, mine[name], other[name])
        for name in ("score", "expected", "chg", "k_chg"):
            found += _unlike(where, name, scaled(mine[name]), other[name])
    return found


def differences_of_games(month: dict, ours: dict, theirs: Rated) -> list[str]:
    found = []
    place = {event["name"]: number for number, event in enumerate(month["events"])}
    product = {
        (place[row["event"]], row["fideid"], row["round"]): row for row in theirs.games.to_pylist() if row["fideid"]
    }
    for key, mine in ours["games"].items():
        if key[1] < 0 or mine["score"] is None:
            continue
        where = f"game of {key[1]} in event {key[0]} round {key[2]}"
        other = product.get(key)
        if other is None:
            found.append(f"{where}: no row")
            continue
        found += _unlike(where, "counted", mine["counted"] or mine["served"], bool(other["counted"]))
        if mine["counted"]:
            found += _unlike(where, "own", mine["own"], other["own_rating"])
            found += _unlike(where, "opponent", mine["opponent"], other["opponent_rating"])
            found += _unlike(where, "difference", mine["difference"], other["difference"])
            found += _unlike(where, "counted difference", mine["counted_difference"], other["counted_difference"])
            found += _unlike(where, "expected", scaled(mine["expected"]), other["expected"])
            found += _unlike(where, "chg", scaled(mine["score"] - mine["expected"]), other["chg"])
    for key, other in product.items():
        if other["counted"] and (key not in ours["games"] or ours["games"][key]["score"] is None):
            found.append(f"game {key}: counted by the product only")
    return found


def differences_of_kept(month: dict, ours: dict, theirs: Rated) -> list[str]:
    """Results that wait. One whose window ends before another list can come is not kept for it."""
    found = []
    today = first_of(month["period"])
    last = {
        (result["id"], result["control"], result["event"]): last_list(result, today, month["rules"])
        for result in ours["kept"]
    }
    mine = {
        key: result
        for result in ours["kept"]
        if last[key := (result["id"], result["control"], result["event"])] > today
    }
    product = {(row["fideid"], row["control"], row["event"]): row for row in theirs.kept.to_pylist()}
    pending = {(row["fideid"], row["control"], row["event"]): row for row in theirs.pending.to_pylist()}
    found += _unlike("pending and kept", "results", sorted(product), sorted(pending))
    for key in sorted(set(mine) | set(product)):
        result, other = mine.get(key), product.get(key)
        where = f"kept {key}"
        if other is None:
            found.append(f"{where}: not in the product")
        elif result is None:
            found.append(f"{where}: product only, {other}")
        else:
            found += _unlike(where, "scores", sorted(scaled(s) for s in result["scores"]), sorted(other["scores"]))
            if not result["closed"]:
                found += _unlike(where, "opponents", sorted(result["opponents"]), sorted(other["opponents"]))
            if key in pending:
                found += _unlike(where, "expires", last[key], pending[key]["expires"])
                found += _unlike(where, "games", len(result["scores"]), pending[key]["games"])
                found += _unlike(where, "score", scaled(sum(result["scores"], Fraction(0))), pending[key]["score"])
    return found


def chain(federation: Any, months: int, oracle_rate: Any) -> list[str]:
    """So many months one after the other, each built on its own last list; the first month that differs, in words."""
    lists = list(federation.lists)
    tables = [list_table(rows) for _, rows in lists]
    kept: list[dict] = []
    product_kept: pa.Table | None = None
    period = federation.first_period
    for _ in range(months):
        month = {
            "period": period,
            "rules": federation.rules,
            "lists": lists,
            "kept": kept,
            "events": federation.events(period, lists[-1][1]),
        }
        ours = oracle_rate(month)
        theirs = product_rates(month, product_kept, tables)
        found = differences(month, ours, theirs)
        if found:
            return [f"{period[0]}-{period[1]:02d}: {line}" for line in found]
        lists, tables = [*lists, (period, ours["list"])], [*tables, theirs.list]
        kept, product_kept = ours["kept"], theirs.kept
        period = (period[0] + period[1] // 12, period[1] % 12 + 1)
    return []
