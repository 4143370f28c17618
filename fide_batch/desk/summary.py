"""What a person wants to see when a month has been rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.model import CONTROLS, POINT, PREFIX, Event, Grid, Heading, Page, Period, Problem, id_text, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules.change import half_away_from_zero

EVENTS_SHOWN = 30
PLAYERS_SHOWN = 10
GAINS_SHOWN = 5


def summary(
    period: Period, rated: Any, events: Sequence[Event], problems: Sequence[Problem], edition: Edition, edition_in_force_name: str,
    files: Mapping[str, str], *, left_out: Sequence[str] = (), inactive: pa.Table | None = None, sealed: bool = True,
) -> Page:  # fmt: skip
    """What was read, rated, not rated and why; who gained most, is new, waits, fell out; by which rules; where the files are.

    Args:
        period: the month.
        rated: its tables as attributes: ``list``, ``changes``, ``events``, ``games``, ``pending``.
        events: the heads of the reports that were rated.
        problems: of the whole month.
        edition: of the list.
        edition_in_force_name: FIDE's own edition on the list's date; '' when there is none.
        files: what was written, by what it is.
        left_out: reports left out as faulty.
        inactive: the table of ``desk.inactive``, for who became inactive.
        sealed: False when nothing was kept (a dry run).
    """
    changes: list[dict[str, Any]] = rated.changes.to_pylist()
    blocks: list[str | Grid] = [*_read(events, rated.games, left_out)]
    blocks += _rated(changes, rated.list)
    blocks += _not_rated(rated.games)
    blocks += _gains(changes)
    blocks += _new(changes)
    blocks += _waiting(changes, rated.pending)
    blocks += _fallen(changes, inactive)
    blocks += [Heading("Rules"), _rules(edition, edition_in_force_name)]
    if problems:
        blocks.append(_problems(problems))
    blocks += _files(files, sealed, period)
    status = {name: sum(change["status"] == name for change in changes) for name in ("first-rating", "delisted")}
    data = {
        "period": str(period), "edition": edition.name, "edition_in_force": edition_in_force_name, "sealed": sealed,
        "events": len(events), "left_out": list(left_out), "players_on_list": rated.list.num_rows,
        "rated": {control: sum(change["status"] == "rated" and change["control"] == control for change in changes) for control in CONTROLS},
        "new": status["first-rating"], "delisted": status["delisted"],
        "waiting": len({(row["fideid"], row["control"]) for row in rated.pending.select(["fideid", "control"]).to_pylist()}),
        "problems": {severity: sum(problem.severity == severity for problem in problems) for severity in ("error", "warning", "note")},
        "files": dict(files),
    }  # fmt: skip
    return Page(f"Rating {words.list_text(period)}", tuple(blocks), data)


def _read(events: Sequence[Event], games: pa.Table, left_out: Sequence[str]) -> list[str | Grid]:
    counted = _counts(games)
    rows = []
    for event in sorted(events, key=lambda event: (event.start is None, event.start, event.file))[:EVENTS_SHOWN]:
        players, all_games, rated = counted.get(event.file, (0, 0, 0))
        rows.append(
            (event.name or event.file, words.iso(event.start), words.iso(event.end), event.control, str(players), str(rated), str(all_games - rated))
        )  # fmt: skip
    heads = ("Event", "From", "To", "Control", "Players", "Counted", "Not")
    blocks: list[str | Grid] = [
        Heading("Read"),
        f"{words.count_text(len(events), 'event')}, {words.count_text(games.num_rows, 'result')} (one for each side of a game).",
        Grid(heads, tuple(rows), frozenset(heads[4:])),
    ]
    if len(events) > EVENTS_SHOWN:
        blocks.append(f"... and {len(events) - EVENTS_SHOWN:,} more events.")
    if left_out:
        blocks.append("Left out because of errors: " + ", ".join(left_out) + ".")
    return blocks if events else [*blocks[:2], *blocks[3:]]


def _counts(games: pa.Table) -> dict[str, tuple[int, int, int]]:
    """Of each report: players, results, results that count."""
    if not games.num_rows:
        return {}
    # Players nobody identified have no id in common; the line of the report tells them apart.
    ids, lines = numbers(games, "fideid"), numbers(games, "line").astype(np.int64)
    who = pa.array(np.where(ids != 0, ids, -(2**62) - lines))
    plain = pa.table({"file": games["file"].cast(pa.string()), "who": who, "counted": games["counted"]})
    grouped = plain.group_by("file").aggregate([("who", "count_distinct"), ("who", "count"), ("counted", "sum")])
    return {
        row["file"]: (row["who_count_distinct"], row["who_count"], row["counted_sum"] or 0)
        for row in grouped.to_pylist()
    }


def _rated(changes: Sequence[dict[str, Any]], new: pa.Table) -> list[str | Grid]:
    heads = ("Control", "On the list", "Changed by games", "First ratings", "Adjusted", "Average change")
    rows = []
    for control in CONTROLS:
        own = [change for change in changes if change["control"] == control]
        moved = [change["change"] for change in own if change["status"] == "rated" and change["change"] is not None]
        on_list = int(np.count_nonzero(numbers(new, PREFIX[control] + "rating")))
        if not own and not on_list:
            continue
        average = int(half_away_from_zero(100 * sum(moved), len(moved))) * (POINT // 100) if moved else None
        rows.append((
            words.CONTROL[control], f"{on_list:,}", f"{len(moved):,}", f"{sum(row['status'] == 'first-rating' for row in own):,}",
            f"{sum(row['status'] == 'adjusted' for row in own):,}", words.signed_points(average),
        ))  # fmt: skip
    return [Heading("Rated"), Grid(heads, tuple(rows), frozenset(heads[1:]))] if rows else []


def not_rated(games: pa.Table) -> list[tuple[str, int]]:
    """Why results do not count, and how many: the most frequent reason first."""
    left = games.filter(pc.equal(games["counted"], 0)).select(["reason"])
    if not left.num_rows:
        return []
    grouped = left.group_by("reason").aggregate([([], "count_all")])
    reasons = [(row["reason"] or "no reason given", row["count_all"]) for row in grouped.to_pylist()]
    return sorted(reasons, key=lambda item: (-item[1], item[0]))


def _not_rated(games: pa.Table) -> list[str | Grid]:
    reasons = not_rated(games)
    if not reasons:
        return []
    total = sum(count for _, count in reasons)
    rows = [(f"{count:,}", reason) for reason, count in reasons[:12]]
    if reasons[12:]:
        rows.append((f"{sum(count for _, count in reasons[12:]):,}", "other reasons"))
    return [
        Heading("Not rated"),
        Grid(("Results", "Why"), tuple(rows), frozenset({"Results"}), f"{words.count_text(total, 'result')} do not count"),
    ]  # fmt: skip


def _gains(changes: Sequence[dict[str, Any]]) -> list[str | Grid]:
    blocks: list[str | Grid] = []
    for control in CONTROLS:
        moved = [
            change
            for change in changes
            if change["control"] == control and change["status"] == "rated" and change["change"]
        ]
        moved.sort(key=lambda change: (-change["change"], change["name"], change["fideid"]))
        gained = [change for change in moved if change["change"] > 0][:GAINS_SHOWN]
        lost = [change for change in reversed(moved) if change["change"] < 0][:GAINS_SHOWN]
        for title, found in (("gained most", gained), ("lost most", lost)):
            rows = tuple(
                (
                    change["name"], id_text(change["fideid"]), words.number(change["rating_before"]), words.signed(change["change"]),
                    words.number(change["rating_after"]), words.number(change["games"]),
                )
                for change in found
            )  # fmt: skip
            heads = ("Name", "Id", "Before", "Change", "After", "Games")
            if rows:
                blocks.append(Grid(heads, rows, frozenset(heads[1:]), f"{words.CONTROL[control]}: {title}"))
    return [Heading("Gains and losses"), *blocks] if blocks else []


def _new(changes: Sequence[dict[str, Any]]) -> list[str | Grid]:
    new = [change for change in changes if change["status"] == "first-rating"]
    new.sort(key=lambda change: (CONTROLS.index(change["control"]), -(change["rating_after"] or 0), change["name"]))
    rows = [
        (
            change["name"], id_text(change["fideid"]), change["control"], words.number(change["games"]), words.points(change["score"]),
            words.number(change["rating_after"]),
        )
        for change in new
    ]  # fmt: skip
    return _some(
        "New on the list",
        ("Name", "Id", "Control", "Games", "Score", "Rating"),
        rows,
        {"Id", "Games", "Score", "Rating"},
    )


def _waiting(changes: Sequence[dict[str, Any]], pending: pa.Table) -> list[str | Grid]:
    names = {change["fideid"]: change["name"] for change in changes}
    whys = {(change["fideid"], change["control"]): change["why"] for change in changes if change["status"] == "pending"}
    players: dict[tuple[int, str], dict[str, Any]] = {}
    for row in pending.to_pylist():
        own = players.setdefault(
            (row["fideid"], row["control"]), {"games": 0, "missing": "", "expires": row["expires"]}
        )
        own["games"] += row["games"] or 0
        own["missing"] = row["missing"] or own["missing"]
        own["expires"] = max(filter(None, (own["expires"], row["expires"])), default=None)
    fresh = sorted(players, key=lambda key: (key not in whys, names.get(key[0], ""), key[0]))
    rows = [
        (
            names.get(key[0], ""), id_text(key[0]), key[1], str(players[key]["games"]), players[key]["missing"] or whys.get(key, ""),
            words.iso(players[key]["expires"]),
        )
        for key in fresh
    ]  # fmt: skip
    return _some(
        "Waiting for a first rating", ("Name", "Id", "Control", "Games", "Missing", "Until"), rows, {"Id", "Games"}
    )


def _fallen(changes: Sequence[dict[str, Any]], inactive: pa.Table | None) -> list[str | Grid]:
    rows = [
        (change["name"], id_text(change["fideid"]), change["control"], words.number(change["rating_before"]), change["why"])
        for change in changes
        if change["status"] == "delisted"
    ]  # fmt: skip
    blocks = _some("Fallen off the list", ("Name", "Id", "Control", "Before", "Why"), rows, {"Id", "Before"})
    if inactive is not None and inactive.num_rows:
        fresh = [row for row in inactive.to_pylist() if row["status"] == "inactive" and row["news"]]
        listed = [(row["name"], id_text(row["fideid"]), words.iso(row["last_played"])) for row in fresh]
        blocks += _some("Inactive from this list on", ("Name", "Id", "Last event"), listed, {"Id"})
    return blocks


def _some(title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], numeric: set[str]) -> list[str | Grid]:
    """The first rows under a heading with their count; nothing when there are none."""
    if not rows:
        return []
    blocks: list[str | Grid] = [
        Heading(f"{title}: {len(rows):,}"), Grid(heads, tuple(rows[:PLAYERS_SHOWN]), frozenset(numeric))
    ]  # fmt: skip
    if len(rows) > PLAYERS_SHOWN:
        blocks.append(f"... and {len(rows) - PLAYERS_SHOWN:,} more.")
    return blocks


def _rules(edition: Edition, in_force: str) -> str:
    text = f"Rated by edition {edition.name}: {edition.title}."
    if in_force and in_force != edition.name:
        text += (
            f" FIDE's own on this date is {in_force}: choose it with --rules {in_force}, or --rules in-force for each event's own."
        )  # fmt: skip
    return text


def _problems(problems: Sequence[Problem]) -> str:
    counts = [
        words.count_text(count, severity)
        for severity in ("error", "warning", "note")
        if (count := sum(problem.severity == severity for problem in problems))
    ]
    return f"The checks had to say: {', '.join(counts)}."


def _files(files: Mapping[str, str], sealed: bool, period: Period) -> list[str | Grid]:
    if not sealed:
        return [Heading("Files"), "A dry run: nothing was written."]
    if not files:
        return []
    rows = tuple((what, where) for what, where in files.items())
    return [
        Heading("Files"), Grid(("What", "Where"), rows),
        f"Why a rating is what it is: fide-batch explain NAME --period {period}",
    ]  # fmt: skip
