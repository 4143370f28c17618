"""Small lists and reports, written as an arbiter would say them.

    month(
        {1: 2000, 2: 1900},
        event("Open", [1, 2], ["1-2 1"]),
        rules="fide-2025-10",
    )

A player of a list is his rating or a dict of columns; a game is ``white-black result`` by id, the result White's (``1 = 0 + - W D L * ?``);
``round`` is the place in the list unless ``@3`` follows. ``7 U`` is a bye of player 7, as is any letter without an opponent. Id 0 stands for an unidentified player; write such players as
negative numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch import regulations
from fide_batch.model import KEPT, LIST, Cell, Entry, Event, Period, Report, Reports, empty, table
from fide_batch.rules.month import Month, Rated, rate

OTHER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+", "W": "L", "L": "W", "D": "D", "*": "*", "?": "?"}


def rating_list(players: dict[int, Any]) -> pa.Table:
    """A list; a player is a rating, None for unrated, or a dict of the list's columns."""
    rows = [({"rating": row} if not isinstance(row, dict) else row) | {"fideid": id_} for id_, row in players.items()]
    columns: dict[str, list[Any]] = {}
    for column in LIST:
        text = pa.types.is_string(column.type)
        columns[column.name] = [row.get(column.name, "" if text else None) for row in rows]
        if column.name == "name":
            columns["name"] = [row.get("name", f"Player {row['fideid']}") for row in rows]
    return table(LIST, columns)


@dataclass
class Tournament:
    head: Event
    players: list[int]
    games: list[str]
    births: dict[int, str] = field(default_factory=dict)
    federations: dict[int, str] = field(default_factory=dict)
    sexes: dict[int, str] = field(default_factory=dict)
    titles: dict[int, str] = field(default_factory=dict)

    def report(self, order: Sequence[int] | None = None) -> Report:
        number = {player: place for place, player in enumerate(self.players, 1)}
        cells = []
        for place, game in enumerate(self.games, 1):
            game, _, round_ = game.partition("@")
            pair, result = game.split()
            at = int(round_) if round_ else place
            if "-" not in pair[1:]:
                cells.append(Cell(number[int(pair)], at, 0, "", result, line=at))
                continue
            cut = pair.index("-", 1)
            white, black = int(pair[:cut]), int(pair[cut + 1 :])
            cells.append(Cell(number[white], at, number[black], "w", result, line=at))
            cells.append(Cell(number[black], at, number[white], "b", OTHER[result], line=at))
        entries = [
            Entry(
                number[player], f"Player {player}", max(player, 0), birth=self.births.get(player, ""), line=number[player],
                federation=self.federations.get(player, ""), sex=self.sexes.get(player, ""), title=self.titles.get(player, ""),
            )
            for player in self.players
        ]  # fmt: skip
        return Report(self.head, entries, cells)


def event(
    name: str, players: Sequence[int], games: Sequence[str], start: str = "2026-10-10", end: str = "", control: str = "standard", file: str = "",
    **more: Any,
) -> Tournament:  # fmt: skip
    """An event; the dates fall in the period 2026-11 and the list of 2026-10 unless said otherwise."""
    births, federations, sexes, titles = (more.pop(name, {}) for name in ("births", "federations", "sexes", "titles"))
    first = date.fromisoformat(start)
    last = date.fromisoformat(end) if end else first
    return Tournament(
        Event(file or f"{name}.trf", "trf16", name, start=first, end=last, control=control, rounds=len(games), **more),
        list(players), list(games), births, federations, sexes, titles,
    )  # fmt: skip


def against(player: int, opponents: Sequence[int], results: str) -> list[str]:
    """One player's games against others in turn: ``against(1, [2, 3], "1=")``."""
    return [f"{player}-{opponent} {result}" for opponent, result in zip(opponents, results, strict=True)]


def a_month(
    base: dict[int, Any] | pa.Table, *events: Tournament, rules: Any = "classic", period: str = "2026-11", base_period: str = "",
    older: dict[str, dict[int, Any]] | None = None, kept: pa.Table | None = None, in_force: bool = False,
) -> Month:  # fmt: skip
    """A month ready to be rated. ``older`` are earlier lists by period; ``rules`` an edition or its name."""
    when = Period.parse(period)
    newest = rating_list(base) if isinstance(base, dict) else base
    newest_period = Period.parse(base_period) if base_period else when.plus(-1)
    lists = sorted(
        ((Period.parse(name), rating_list(rows)) for name, rows in (older or {}).items()), key=lambda item: item[0]
    )
    lists.append((newest_period, newest))
    edition = regulations.edition(rules) if isinstance(rules, str) else rules
    reports = Reports.gather([each.report() for each in events])

    def list_of(day: date) -> int:
        return max([place for place, (dated, _) in enumerate(lists) if dated.list_date <= day], default=0)

    return Month(
        when,
        regulations.in_force(when.list_date) if in_force else edition,
        [regulations.in_force(each.head.start) if in_force else edition for each in events],
        newest,
        lists,
        [list_of(each.head.start) for each in events],
        reports,
        np.array([max(player, 0) for each in events for player in each.players], np.int64),
        empty(KEPT) if kept is None else kept,
        regulations.in_force if in_force else None,
    )


def month(base: dict[int, Any] | pa.Table, *events: Tournament, **more: Any) -> Result:
    """A month rated."""
    return Result(rate(a_month(base, *events, **more)))


def with_law(name: str, **parts: dict[str, Any]) -> Any:
    """An edition with some numbers changed: ``with_law("classic", lists={"floor": 800})``."""
    edition = regulations.edition(name)
    return replace(edition, **{part: replace(getattr(edition, part), **values) for part, values in parts.items()})


@dataclass
class Result:
    """A rated month to be asked."""

    rated: Rated

    def player(self, id_: int) -> dict[str, Any]:
        return next(row for row in self.rated.list.to_pylist() if row["fideid"] == id_)

    def rating(self, id_: int, control: str = "standard") -> int | None:
        return self.player(id_)[{"standard": "", "rapid": "rapid_", "blitz": "blitz_"}[control] + "rating"]

    def change(self, id_: int, control: str = "standard") -> dict[str, Any]:
        found = [row for row in self.rated.changes.to_pylist() if row["fideid"] == id_ and row["control"] == control]
        assert len(found) == 1, found
        return found[0]

    def changes(self, id_: int) -> list[dict[str, Any]]:
        return [row for row in self.rated.changes.to_pylist() if row["fideid"] == id_]

    def games(self, id_: int) -> list[dict[str, Any]]:
        return [row for row in self.rated.games.to_pylist() if row["fideid"] == id_]

    def events(self, id_: int) -> list[dict[str, Any]]:
        return [row for row in self.rated.events.to_pylist() if row["fideid"] == id_]

    def pending(self, id_: int) -> list[dict[str, Any]]:
        return [row for row in self.rated.pending.to_pylist() if row["fideid"] == id_]
