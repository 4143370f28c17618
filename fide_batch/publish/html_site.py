"""What all pages of a month share: who played, names, the address of each page, the events, the ratings over the sealed lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, PREFIX, TABLES, Grid, Period, empty, id_text, numbers
from fide_batch.publish.html_rows import Grouped, Markup, Row, by_player, iso, span, visible, who

MOST_PLAYERS = 30_000
"""Players who get a page of their own."""


class Lists(Protocol):
    """The sealed lists."""

    def periods(self) -> list[Period]:
        """The sealed months, oldest first."""
        ...

    def table(
        self, period: Period, name: str, columns: Sequence[str] | None = None, fideid: int | None = None
    ) -> pa.Table:
        """A table of a month."""
        ...

    def cover(self, period: Period) -> dict[str, Any]:
        """What a month says of itself, perhaps without its events and files: ``base``."""
        ...


Steps = Mapping[tuple[int, str], Sequence[str | Grid]]
"""How first ratings came about, by player and control."""


class Site:
    """The pages of a month."""

    def __init__(
        self, archive: Lists, period: Period, tables: Mapping[str, pa.Table], about: Mapping[str, Any], steps: Steps | None = None
    ) -> None:  # fmt: skip
        self.archive, self.period, self.about, self.steps = archive, period, about, steps or {}
        self.tables = {name: tables[name] if name in tables else empty(schema) for name, schema in TABLES.items()}
        self.inactive = tables.get("inactive")
        self.changes: list[Row] = self.tables["changes"].to_pylist()
        self.ids = numbers(self.tables["list"], "fideid")
        self.row_of = {code: place for place, code in enumerate(self.ids.tolist())}
        self.players = self._who_played()
        self.has_page = set(self.players)
        self._place_of = {code: place for place, code in enumerate(self.players)}
        self._links: dict[tuple[int, str], Markup] = {}
        self.names = self._all_names()
        self.history = self._ratings_by_month()
        self.events = self._all_events()
        self.event_of = {event["label"]: event for event in self.events}
        players = np.array(self.players, np.int64)
        self.of_player = {
            name: by_player(self.tables[name], players) for name in ("changes", "events", "games", "pending")
        }
        listed = self.tables["list"].filter(pa.array(np.isin(self.ids, players))).to_pylist()
        self.listed: dict[int, Row] = {row["fideid"]: row for row in listed}
        self.games_of_event = Grouped(self.tables["games"], "event")
        self.lines_of_event = Grouped(self.tables["events"], "event")

    @property
    def pages(self) -> int:
        """How many pages there are beside the month's own."""
        return 2 + len(self.events) + len(self.players)

    def highest(self, ids: np.ndarray) -> np.ndarray:
        """The highest of each player's ratings, 0 for none."""
        rating = np.max([numbers(self.tables["list"], PREFIX[control] + "rating") for control in CONTROLS], axis=0)
        place = np.array([self.row_of.get(code, -1) for code in ids.tolist()], np.int64)
        return np.where(place >= 0, rating[place] if len(rating) else 0, 0)

    def _who_played(self) -> list[int]:
        """Everybody with a game, a change or a waiting result; of very many the highest rated."""
        tables = ("games", "changes", "pending")
        ids = np.unique(np.concatenate([numbers(self.tables[name], "fideid") for name in tables]))
        ids = ids[ids != 0]
        if len(ids) > MOST_PLAYERS:
            ids = np.sort(ids[np.argsort(-self.highest(ids), kind="stable")[:MOST_PLAYERS]])
        return [int(code) for code in ids]

    def _all_names(self) -> dict[int, str]:
        """The names of everybody a page may name."""
        wanted = set(self.players) | set(np.unique(numbers(self.tables["games"], "opponent")).tolist())
        wanted |= set(np.unique(numbers(self.tables["games"], "fideid")).tolist())
        if self.inactive is not None:
            wanted |= set(self.inactive["fideid"].to_pylist())
        names = {row["fideid"]: row["name"] for row in self.changes}
        places = [place for code in wanted if (place := self.row_of.get(code)) is not None]
        listed = self.tables["list"].select(["fideid", "name"]).take(pa.array(places, pa.int64()))
        return names | dict(zip(listed["fideid"].to_pylist(), listed["name"].to_pylist(), strict=True))

    def _ratings_by_month(self) -> list[tuple[str, dict[str, np.ndarray]]]:
        """For each sealed list up to this one the ratings of who played, by control, in the order of ``players``; 0 for unrated."""
        wanted = np.array(self.players, np.int64)
        columns = ["fideid", *(PREFIX[control] + "rating" for control in CONTROLS)]
        found: list[tuple[str, dict[str, np.ndarray]]] = []
        for period in self.archive.periods():
            if period > self.period:
                break
            base = self.archive.cover(period).get("base")
            if base and not found:
                # The list the first month started from is no sealed month, but it belongs to the picture.
                found.append((base["period"], _ratings_of(self.archive.table(period, "base", columns), wanted)))
            source = self.tables["list"] if period == self.period else self.archive.table(period, "list", columns)
            found.append((str(period), _ratings_of(source, wanted)))
        return found

    def _all_events(self) -> list[Row]:
        """The month's events by date, with counts and the names of their pages."""
        games = self.tables["games"]
        if not games.num_rows:
            return []
        plain = games.select(["event", "counted"])
        plain = plain.append_column("who", pa.array(who(games))).append_column("file", games["file"].cast(pa.string()))
        counts = [("who", "count_distinct"), ("who", "count"), ("counted", "sum"), ("file", "min")]
        grouped = plain.group_by("event").aggregate(counts).to_pylist()
        lines = self.tables["events"].select(["event", "control", "start", "end"])
        heads = {
            row["event"]: row for row in lines.group_by(["event", "control", "start", "end"]).aggregate([]).to_pylist()
        }
        sealed = {
            label: event
            for event in self.about.get("events", [])
            for label in (event["name"], f"{event['name']} ({event['file']})".strip())
        }
        found = []
        for row in grouped:
            head, manifest = heads.get(row["event"], {}), sealed.get(row["event"], {})
            counted = row["counted_sum"] or 0
            found.append({
                "name": row["event"] or "unnamed event", "label": row["event"] or "", "file": row["file_min"] or "",
                "control": head.get("control") or manifest.get("control", ""),
                "start": iso(head.get("start") or manifest.get("start")), "end": iso(head.get("end") or manifest.get("end")),
                "players": row["who_count_distinct"], "counted": counted, "not_counted": row["who_count"] - counted,
            })  # fmt: skip
        found.sort(key=lambda event: (event["start"], event["end"], event["name"]))
        for place, event in enumerate(found, 1):
            event["page"] = f"events/e-{place}.html"
            event["dates"] = span(event["start"], event["end"])
        return found

    # --- what templates ask

    def name(self, code: int) -> str:
        """The name of a player, or his id."""
        return self.names.get(code, "") or id_text(code) or "unidentified"

    def page_of(self, code: int) -> str:
        """Where a player's page is in the folder; '' when he has none. The letter keeps an id like CON from being a device's name."""
        return f"players/p-{id_text(code)}.html" if code in self.has_page else ""

    def link(self, code: int, prefix: str) -> Markup:
        """A player's name, leading to his page if he has one; ``prefix`` leads to the folder."""
        if (code, prefix) not in self._links:
            name = f"<bdi>{escape(visible(self.name(code)))}</bdi>"
            page = self.page_of(code)
            self._links[code, prefix] = Markup(f'<a href="{escape(prefix + page)}">{name}</a>' if page else name)
        return self._links[code, prefix]

    def months(self, code: int, control: str) -> list[tuple[str, int | None]]:
        """A player's rating on each sealed list, from the first on which he has one."""
        place = self._place_of[code]
        months = [(period, int(ratings[control][place]) or None) for period, ratings in self.history]
        begin = next((number for number, (_, rating) in enumerate(months) if rating), len(months))
        return months[begin:]

    def of_status(self, statuses: Iterable[str]) -> list[Row]:
        """The changes of some statuses by name."""
        wanted = set(statuses)
        return sorted(
            (row for row in self.changes if row["status"] in wanted), key=lambda row: (row["name"], row["fideid"])
        )


def _ratings_of(source: pa.Table, wanted: np.ndarray) -> dict[str, np.ndarray]:
    """The ratings of some players by control, 0 for unrated or not on the list."""
    ids = numbers(source, "fideid")
    if not len(ids):
        return {control: np.zeros(len(wanted), np.int32) for control in CONTROLS}
    order = np.argsort(ids, kind="stable")
    place = order[np.minimum(np.searchsorted(ids[order], wanted), len(ids) - 1)]
    known = ids[place] == wanted
    return {control: np.where(known, numbers(source, PREFIX[control] + "rating")[place], 0) for control in CONTROLS}
