"""What the pages of a month say: rows for the templates, from the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.model import CONTROLS, PREFIX, TABLES, Period, empty, id_text, id_texts, numbers, points_text
from fide_batch.publish import chart

Row = dict[str, Any]

MOST_PLAYERS = 30_000
"""Players who get a page of their own, and players the searchable list holds besides."""

SHOWN = 100
"""Rows of the month's page of each kind; rows of the list a page without scripts shows."""

GAINS = 10


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

    def manifest(self, period: Period) -> dict[str, Any]:
        """What a month says of itself."""
        ...


class Grouped:
    """The rows of a table by the value of one column."""

    def __init__(self, source: pa.Table, column: str) -> None:
        self.source = source
        if pa.types.is_integer(source.schema.field(column).type):
            keys = numbers(source, column)
        else:
            encoded = source[column].cast(pa.string()).combine_chunks().dictionary_encode()
            self.words = {word: place for place, word in enumerate(encoded.dictionary.to_pylist())}
            keys = encoded.indices.to_numpy(zero_copy_only=False)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        self.sorted = source.take(pa.array(self.order))

    def of(self, key: int | str) -> list[Row]:
        """The rows of one value, in the order of the table."""
        place = self.words.get(key, -1) if isinstance(key, str) else key
        low, high = np.searchsorted(self.keys, [place, place + 1])
        rows: list[Row] = self.sorted.slice(low, high - low).to_pylist()
        return rows


class Site:
    """The pages of a month."""

    def __init__(
        self, archive: Lists, period: Period, tables: Mapping[str, pa.Table], about: Mapping[str, Any]
    ) -> None:
        self.archive, self.period, self.about = archive, period, about
        self.tables = {name: tables[name] if name in tables else empty(schema) for name, schema in TABLES.items()}
        self.inactive = tables.get("inactive")
        self.changes: list[Row] = self.tables["changes"].to_pylist()
        self._by_player = {
            name: Grouped(self.tables[name], "fideid") for name in ("changes", "events", "games", "pending")
        }
        self._games_of_event = Grouped(self.tables["games"], "event")
        self._lines_of_event = Grouped(self.tables["events"], "event")
        self._ids = numbers(self.tables["list"], "fideid")
        self._row_of = {code: place for place, code in enumerate(self._ids.tolist())}
        self.players = self._who_played()
        self._has_page = set(self.players)
        self._names = self._all_names()
        self._history = self._ratings_by_month()
        self.events = self._all_events()
        self._event_page = {event["name"]: event["page"] for event in self.events}

    @property
    def pages(self) -> int:
        """How many pages there are beside the month's own."""
        return 2 + len(self.events) + len(self.players)

    def _who_played(self) -> list[int]:
        """Everybody with a game, a change or a waiting result; of very many the highest rated."""
        ids = np.unique(
            np.concatenate([numbers(self.tables[name], "fideid") for name in ("games", "changes", "pending")])
        )
        ids = ids[ids != 0]
        if len(ids) > MOST_PLAYERS:
            rating = np.array([self._rating(int(code)) for code in ids])
            ids = np.sort(ids[np.argsort(-rating, kind="stable")[:MOST_PLAYERS]])
        return [int(code) for code in ids]

    def _rating(self, code: int) -> int:
        place = self._row_of.get(code)
        if place is None:
            return 0
        return max(self.tables["list"][PREFIX[control] + "rating"][place].as_py() or 0 for control in CONTROLS)

    def _all_names(self) -> dict[int, str]:
        wanted = set(self.players) | set(np.unique(numbers(self.tables["games"], "opponent")).tolist())
        if self.inactive is not None:
            wanted |= set(self.inactive["fideid"].to_pylist())
        names = {row["fideid"]: row["name"] for row in self.changes}
        places = [place for code in wanted if (place := self._row_of.get(code)) is not None]
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
            base = self.archive.manifest(period).get("base")
            if base and not found:
                # The list the first month started from is no sealed month, but it belongs to the picture.
                found.append((base["period"], _ratings_of(self.archive.table(period, "base", columns), wanted)))
            source = self.tables["list"] if period == self.period else self.archive.table(period, "list", columns)
            found.append((str(period), _ratings_of(source, wanted)))
        return found

    # --- what templates ask

    def name(self, code: int) -> str:
        """The name of a player, or his id."""
        return self._names.get(code, "") or id_text(code) or "unidentified"

    def page_of(self, code: int) -> str:
        """Where a player's page is in the folder; '' when he has none. The letter keeps an id like CON from being a device's name."""
        return f"players/p-{id_text(code)}.html" if code in self._has_page else ""

    # --- the month

    def month(self, root: str) -> Row:
        """The month's page."""
        first = sorted(
            self._of_status("first-rating"),
            key=lambda row: (CONTROLS.index(row["control"]), -(row["rating_after"] or 0)),
        )
        waiting = sorted(
            self.tables["pending"].to_pylist(),
            key=lambda row: (self.name(row["fideid"]), row["fideid"], str(row["end"])),
        )
        problems = sorted(
            self.tables["problems"].to_pylist(), key=lambda row: ("error", "warning", "note").index(row["severity"])
        )  # fmt: skip
        inactive = self._inactive_news()
        return {
            "cards": self._cards(first), "controls": [part for control in CONTROLS if (part := self._control(control))],
            "new": first[:SHOWN], "new_more": max(0, len(first) - SHOWN), "waiting": waiting[:SHOWN], "waiting_more": max(0, len(waiting) - SHOWN),
            "delisted": self._of_status("delisted"), "inactive": inactive[:SHOWN], "inactive_more": max(0, len(inactive) - SHOWN),
            "not_rated": self._not_rated(), "problems": problems[:SHOWN], "problems_more": max(0, len(problems) - SHOWN),
            "decisions": self.about.get("decisions", []),
        }  # fmt: skip

    def _of_status(self, status: str) -> list[Row]:
        return sorted(
            (row for row in self.changes if row["status"] == status), key=lambda row: (row["name"], row["fideid"])
        )

    def _cards(self, first: Sequence[Row]) -> list[tuple[str, str]]:
        games = self.tables["games"]
        counted = int(pc.sum(games["counted"]).as_py() or 0)
        waiting = len(
            {
                (row["fideid"], row["control"])
                for row in self.tables["pending"].select(["fideid", "control"]).to_pylist()
            }
        )
        inactive = (
            int(pc.sum(pc.equal(self.inactive["status"], "inactive")).as_py() or 0)
            if self.inactive is not None
            else None
        )
        counts = [
            (len(self._ids), "players on the list"), (len(self.events), "events"), (counted, "results counted"),
            (games.num_rows - counted, "results not counted"), (sum(row["status"] == "rated" for row in self.changes), "ratings computed"),
            (len(first), "first ratings"), (waiting, "waiting for one"), (len(self._of_status("delisted")), "fallen off"), (inactive, "inactive"),
        ]  # fmt: skip
        return [(f"{count:,}", what) for count, what in counts if count is not None]

    def _control(self, control: str) -> Row | None:
        """Distribution before and after, biggest gains and losses."""
        after = numbers(self.tables["list"], PREFIX[control] + "rating")
        own = [row for row in self.changes if row["control"] == control]
        if not after.any() and not own:
            return None
        before = self._before(control)
        bins_before, bins_after = chart.bins(before[before > 0].tolist()), chart.bins(after[after > 0].tolist())
        moved = sorted(
            (row for row in own if row["status"] == "rated" and row["change"]), key=lambda row: (-row["change"], row["name"], row["fideid"])
        )  # fmt: skip
        hundreds = (
            range(min([*bins_before, *bins_after]), max([*bins_before, *bins_after]) + 1, chart.STEP)
            if bins_before or bins_after
            else ()
        )
        title = f"{words.CONTROL[control]} ratings, before and after"
        return {
            "key": control, "name": words.CONTROL[control], "chart": _safe(chart.distribution(bins_before, bins_after, title, f"d-{control}")),
            "before": int(np.count_nonzero(before)), "after": int(np.count_nonzero(after)),
            "bins": [(low, bins_before.get(low, 0), bins_after.get(low, 0)) for low in hundreds],
            "gained": [row for row in moved if row["change"] > 0][:GAINS], "lost": [row for row in reversed(moved) if row["change"] < 0][:GAINS],
        }  # fmt: skip

    def _before(self, control: str) -> np.ndarray:
        """The ratings before the month: those of the new list with what the month changed taken back."""
        ratings = numbers(self.tables["list"], PREFIX[control] + "rating").copy()
        known = [
            (self._row_of.get(row["fideid"]), row["rating_before"] or 0)
            for row in reversed(self.changes)
            if row["control"] == control
        ]
        for place, rating in known:
            if place is not None:
                ratings[place] = rating
        return ratings

    def _inactive_news(self) -> list[Row]:
        if self.inactive is None:
            return []
        rows = self.inactive.filter(
            pc.or_(pc.not_equal(self.inactive["status"], "inactive"), pc.equal(self.inactive["news"], 1))
        )
        found: list[Row] = rows.to_pylist()
        return found

    def _not_rated(self) -> list[tuple[str, int]]:
        games = self.tables["games"]
        left = games.filter(pc.equal(games["counted"], 0)).select(["reason"])
        grouped = left.group_by("reason").aggregate([([], "count_all")]).to_pylist() if left.num_rows else []
        return sorted(
            ((row["reason"] or "no reason given", row["count_all"]) for row in grouped),
            key=lambda item: (-item[1], item[0]),
        )

    # --- the list

    def _list_columns(self) -> list[tuple[str, str, bool, list[Any]]]:
        """Key, head, whether numbers, cells; a control nobody is rated in is left out."""
        listed = self._listed
        columns: list[tuple[str, str, bool, list[Any]]] = [("name", "Name", False, _clean(listed["name"].to_pylist()))]
        ids = numbers(listed, "fideid").tolist()
        for control in CONTROLS:
            ratings = listed[PREFIX[control] + "rating"].to_pylist()
            if control != "standard" and not any(ratings):
                continue
            moved = {
                row["fideid"]: row["change"]
                for row in self.changes
                if row["control"] == control and row["change"] is not None
            }
            columns += [
                (control, words.CONTROL[control], True, ratings), (f"{control}-change", "+/-", True, [moved.get(code) for code in ids]),
            ]  # fmt: skip
        return [
            *columns, ("fed", "Fed", False, _clean(listed["country"].to_pylist())), ("title", "Title", False, _titles(listed)),
            ("born", "Born", True, [_year(text) for text in listed["birthday"].to_pylist()]),
            ("id", "Id", False, id_texts(numbers(listed, "fideid")).to_pylist()),
        ]  # fmt: skip

    @property
    def _listed(self) -> pa.Table:
        """The players of the searchable list, by name: all, or of very many those who played and the highest rated."""
        players = self.tables["list"]
        if players.num_rows > 2 * MOST_PLAYERS:
            rating = np.max([numbers(players, PREFIX[control] + "rating") for control in CONTROLS], axis=0)
            keep = np.isin(self._ids, np.array(self.players, np.int64))
            keep[np.argsort(-rating, kind="stable")[:MOST_PLAYERS]] = True
            players = players.filter(pa.array(keep))
        order = pc.sort_indices(
            players.select(["name", "fideid"]), sort_keys=[("name", "ascending"), ("fideid", "ascending")]
        )
        return players.take(order)

    def list_data(self) -> Row:
        """The searchable list for the script."""
        listed, columns = self._listed, self._list_columns()
        ids = numbers(listed, "fideid").tolist()
        sexes = [(sex or "").upper().replace("W", "F") for sex in listed["sex"].to_pylist()]
        active = ["i" not in (flag or "").lower() for flag in listed["flag"].to_pylist()]
        rows = [
            [*cells, self.page_of(code), sex, is_active, code in self._has_page]
            for cells, code, sex, is_active in zip(zip(*(column[3] for column in columns), strict=True), ids, sexes, active, strict=True)
        ]  # fmt: skip
        keys = [column[0] for column in columns]
        return {
            "name": keys.index("name"), "search": [keys.index(key) for key in ("name", "id", "fed")],
            "signed": [place for place, key in enumerate(keys) if key.endswith("-change")], "rows": rows,
        }  # fmt: skip

    def list_page(self) -> Row:
        """The list's page; its first rows also stand in it for who has no scripts."""
        data, columns = self.list_data(), self._list_columns()
        heads = [{"key": key, "text": head, "numeric": numeric} for key, head, numeric, _ in columns]
        first = []
        for row in data["rows"][:SHOWN]:
            cells = [
                words.signed(cell) if place in data["signed"] else cell
                for place, cell in enumerate(row[: len(columns)])
            ]
            first.append({"cells": cells, "page": row[len(columns)]})
        total, shown = self.tables["list"].num_rows, len(data["rows"])
        return {"heads": heads, "first": first, "total": total, "shown": shown, "left_out": shown < total}

    # --- events

    def _all_events(self) -> list[Row]:
        """The month's events by date, with counts and the names of their pages."""
        games = self.tables["games"]
        if not games.num_rows:
            return []
        # Players nobody identified have no id in common; the line of the report tells them apart.
        ids = numbers(games, "fideid")
        who = np.where(ids != 0, ids, -(2**62) - numbers(games, "line").astype(np.int64))
        plain = (
            games.select(["event", "counted"])
            .append_column("fideid", pa.array(who))
            .append_column("file", games["file"].cast(pa.string()))
        )
        grouped = plain.group_by("event").aggregate(
            [("fideid", "count_distinct"), ("fideid", "count"), ("counted", "sum"), ("file", "min")]
        )
        lines = self.tables["events"].select(["event", "control", "start", "end"])
        heads = {
            row["event"]: row for row in lines.group_by(["event", "control", "start", "end"]).aggregate([]).to_pylist()
        }
        sealed = {
            label: event for event in self.about.get("events", []) for label in (event["name"], f"{event['name']} ({event['file']})".strip())
        }  # fmt: skip
        found = []
        for row in grouped.to_pylist():
            head, manifest = heads.get(row["event"], {}), sealed.get(row["event"], {})
            counted = row["counted_sum"] or 0
            found.append({
                "name": row["event"] or "unnamed event", "label": row["event"], "file": row["file_min"] or "",
                "control": head.get("control") or manifest.get("control", ""),
                "start": _iso(head.get("start") or manifest.get("start")), "end": _iso(head.get("end") or manifest.get("end")),
                "players": row["fideid_count_distinct"], "counted": counted, "not_counted": row["fideid_count"] - counted,
            })  # fmt: skip
        found.sort(key=lambda event: (event["start"], event["end"], event["name"]))
        for place, event in enumerate(found, 1):
            event["page"] = f"events/e-{place}.html"
            event["dates"] = _span(event["start"], event["end"])
        return found

    def cross_table(self, event: Row) -> Row:
        """An event with its players by points and a cell a round."""
        games = self._games_of_event.of(event["label"] or "")
        lines = {line["fideid"]: line for line in self._lines_of_event.of(event["label"] or "")}
        of_player: dict[tuple[int, int], list[Row]] = {}
        for game in games:
            # Players nobody identified have no id in common; the line of the report tells them apart.
            key = (game["fideid"] or 0, 0 if game["fideid"] else game["line"] or 0)
            of_player.setdefault(key, []).append(game)
        rounds = sorted({game["round"] for game in games if game["round"] is not None})
        points = {key: sum(_worth(game["result"]) for game in own) for key, own in of_player.items()}
        ratings = {
            key: next((game["own_rating"] for game in own if game["own_rating"]), None)
            for key, own in of_player.items()
        }
        ranked = sorted(of_player, key=lambda key: (-points[key], -(ratings[key] or 0), self.name(key[0]), key))
        place_of = {key[0]: place for place, key in enumerate(ranked, 1) if key[0]}
        letters: dict[str, str] = {}
        rows = []
        for place, key in enumerate(ranked, 1):
            line = lines.get(key[0], {})
            by_round: dict[int, list[Row]] = {}
            for game in of_player[key]:
                by_round.setdefault(game["round"], []).append(game)
            cells = [_cell(by_round.get(number, []), place_of, letters) for number in rounds]
            rows.append({
                "place": place, "fideid": key[0], "own_rating": ratings[key] or "", "cells": cells, "points": words.score_text(points[key]),
                "points_sort": points_text(points[key]), "n": words.number(line.get("games")), "rc": words.number(line.get("rc")),
                "w": points_text(line.get("score")), "expected": points_text(line.get("expected")), "k_chg": words.signed_points(line.get("k_chg")),
            })  # fmt: skip
        return {
            **event,
            "rounds": rounds,
            "rows": rows,
            "reasons": [(letter, reason) for reason, letter in letters.items()],
        }

    # --- players

    def player(self, code: int) -> Row:
        """A player's page: his month as on FIDE's calculation page."""
        own = {name: grouped.of(code) for name, grouped in self._by_player.items()}
        place = self._row_of.get(code)
        listed: Row = self.tables["list"].slice(place, 1).to_pylist()[0] if place is not None else {}
        control_of = {row["event"]: row["control"] for name in ("pending", "events") for row in own[name]}
        control_of |= {
            event["label"]: event["control"]
            for event in self.events
            if event["control"] and event["label"] not in control_of
        }
        controls = [part for control in CONTROLS if (part := self._part(code, control, own, control_of, listed))]
        return {"name": self.name(code), "facts": _facts(code, listed), "controls": controls}

    def _part(
        self, code: int, control: str, own: dict[str, list[Row]], control_of: dict[str, str], listed: Row
    ) -> Row | None:
        changes = [row for row in own["changes"] if row["control"] == control]
        pending = [row for row in own["pending"] if row["control"] == control]
        lines = {row["event"]: row for row in own["events"] if row["control"] == control}
        games = [game for game in own["games"] if (control_of.get(game["event"]) or "standard") == control]
        labels = list(
            dict.fromkeys(
                [
                    *(event["label"] for event in self.events if event["label"] in lines),
                    *lines,
                    *(game["event"] for game in games),
                ]
            )
        )
        if not changes and not pending and not labels:
            return None
        events = []
        for label in labels:
            line = lines.get(label)
            played = sorted(
                (game for game in games if game["event"] == label),
                key=lambda game: (game["round"] or 0, game["line"] or 0),
            )
            page = self._event_page.get(label, "")
            dates = (
                _span(words.iso(line["start"]), words.iso(line["end"]))
                if line
                else next((each["dates"] for each in self.events if each["label"] == label), "")
            )
            events.append({
                "event": label or "unnamed event", "page": page, "dates": dates, "list": line["list"] if line else "", "edition": line["edition"] if line else "",
                "row": line, "games": played,
            })  # fmt: skip
        months = self._months(code, control)
        rating = listed.get(PREFIX[control] + "rating")
        if not changes:
            after = rating
            changes = [{
                "rating_before": after, "games": None, "score": None, "expected": None, "k": None, "k_list": None, "change_exact": None, "change": None,
                "rating_after": after, "why": "" if pending else "No game of this month counts: the rating stays as it was.",
            }]  # fmt: skip
        name = self.name(code)
        line_chart = chart.rating_line(months, f"{words.CONTROL[control]} rating of {name} by list", f"c-{control}")
        return {
            "key": control, "name": words.CONTROL[control], "changes": changes, "pending": pending, "events": events, "months": months,
            "chart": _safe(line_chart),
        }  # fmt: skip

    def _months(self, code: int, control: str) -> list[tuple[str, int | None]]:
        """The player's rating on each sealed list, from the first on which he has one."""
        place = int(np.searchsorted(np.array(self.players), code))
        months = [(period, int(ratings[control][place]) or None) for period, ratings in self._history]
        begin = next((number for number, (_, rating) in enumerate(months) if rating), len(months))
        return months[begin:]


def _ratings_of(source: pa.Table, wanted: np.ndarray) -> dict[str, np.ndarray]:
    """The ratings of some players by control, 0 for unrated or not on the list."""
    ids = numbers(source, "fideid")
    if not len(ids):
        return {control: np.zeros(len(wanted), np.int32) for control in CONTROLS}
    order = np.argsort(ids, kind="stable")
    place = order[np.minimum(np.searchsorted(ids[order], wanted), len(ids) - 1)]
    known = ids[place] == wanted
    return {control: np.where(known, numbers(source, PREFIX[control] + "rating")[place], 0) for control in CONTROLS}


# --- small things --------------------------------------------------------------------------------


def _safe(svg: str) -> Any:
    """A picture of ours, whose texts are escaped already."""
    from markupsafe import Markup

    return Markup(svg)


def _clean(texts: Sequence[str | None]) -> list[str]:
    return [text or "" for text in texts]


def _titles(listed: pa.Table) -> list[str]:
    return [
        title or w_title or ""
        for title, w_title in zip(listed["title"].to_pylist(), listed["w_title"].to_pylist(), strict=True)
    ]


def _year(text: str | None) -> int | None:
    year = (text or "")[:4]
    return int(year) if year.isascii() and year.isdigit() and len(year) == 4 and int(year) else None


def _iso(day: date | str | None) -> str:
    return "" if not day or day == "None" else day.isoformat() if isinstance(day, date) else str(day)


def _span(start: str, end: str) -> str:
    return " to ".join(dict.fromkeys(day for day in (start, end) if day))


def _facts(code: int, listed: Row) -> str:
    facts = [
        f"Id {id_text(code)}",
        listed.get("title") or listed.get("w_title"),
        listed.get("country"),
        listed.get("sex"),
    ]
    if listed.get("birthday"):
        facts.append(f"born {listed['birthday']}")
    if "i" in (listed.get("flag") or ""):
        facts.append("inactive")
    if not listed:
        facts.append("not on the list")
    return ", ".join(fact for fact in facts if fact)


_WORTH = {"1": 10_000, "+": 10_000, "W": 10_000, "F": 10_000, "U": 10_000, "=": 5_000, "D": 5_000, "H": 5_000}


def _worth(result: str | None) -> int:
    """Points of a result as reports usually count them, in ten-thousandths."""
    return _WORTH.get(result or "", 0)


def _cell(games: Sequence[Row], place_of: Mapping[int, int], letters: dict[str, str]) -> Row:
    """A cell of a cross table: ``12w1``, and the letter of the reason where there is one."""
    if not games:
        return {"text": "", "reason": "", "letter": "", "out": False}
    texts, reasons = [], []
    for game in games:
        opponent = place_of.get(
            game["opponent"] or 0, "?" if game["opponent"] is not None and game["result"] in ("1", "=", "0") else ""
        )
        texts.append(f"{opponent}{game['colour'] or ''}{words.result_text(game['result'])}")
        if words.remark(game["reason"]):
            reasons.append(game["reason"])
    reason = "; ".join(dict.fromkeys(reasons))
    if reason and reason not in letters:
        place = len(letters)
        letters[reason] = (chr(96 + place // 26) if place >= 26 else "") + chr(97 + place % 26)
    out = not all(game["counted"] for game in games)
    return {"text": " ".join(texts), "reason": reason, "letter": letters.get(reason, ""), "out": out}
