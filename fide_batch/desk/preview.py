"""What a tournament does to its players' ratings, for the arbiter on the last day."""

from __future__ import annotations

from typing import Any

from fide_batch import words
from fide_batch.desk.summary import not_rated
from fide_batch.model import CONTROLS, Grid, Heading, Page, Reports, id_text
from fide_batch.regulations.edition import Edition
from fide_batch.rules.performance import performance_rating

_NUMBERED = 9 * 10**17
"""Ids from here on were given for the time of a preview only: the report has none."""


def preview(rated: Any, reports: Reports, edition: Edition, ratings: str = "the ratings printed in the report") -> Page:
    """Each player's change and performance, the newcomers, and what does not count.

    Args:
        rated: the tables of the month: ``changes``, ``events``, ``games``, ``pending``.
        reports: what was rated.
        edition: by which rules.
        ratings: by which ratings, in words.
    """
    names = {
        row["fideid"]: row["name"] for row in reports.entries.select(["fideid", "name"]).to_pylist() if row["fideid"]
    }
    changes = rated.changes.to_pylist()
    names |= {change["fideid"]: change["name"] for change in changes}
    events = rated.events.to_pylist()
    games = rated.games.to_pylist()
    performance = _performances(games, edition)
    blocks: list[str | Grid] = [f"By edition {edition.name} and {ratings}. Nothing is kept."]
    players: list[dict[str, Any]] = []
    heads = ("Name", "Id", "Rating", "n", "W", "Rc", "Rp", "K", "Change", "New")
    for label in dict.fromkeys(event["event"] for event in events):
        own = [
            event for event in events if event["event"] == label and event["own_rating"] is not None and event["games"]
        ]
        rows = []
        for event in sorted(own, key=lambda event: (-(event["k_chg"] or 0), names.get(event["fideid"], ""))):
            rp = performance.get((label, event["fideid"]))
            after = next(
                (row["rating_after"] for row in changes if row["fideid"] == event["fideid"] and row["control"] == event["control"]), None
            )  # fmt: skip
            rows.append((
                names.get(event["fideid"], ""), _id(event["fideid"]), words.number(event["own_rating"]), words.number(event["games"]),
                words.points(event["score"]), words.number(event["rc"]), words.number(rp), words.number(event["k"]),
                words.signed_points(event["k_chg"]), words.number(after) or "unrated",
            ))  # fmt: skip
            players.append({
                "event": label, "fideid": _id(event["fideid"]), "name": names.get(event["fideid"], ""), "rating": event["own_rating"],
                "games": event["games"], "score": words.decimal(event["score"]), "rc": event["rc"], "performance": rp, "k": event["k"],
                "change_exact": words.points(event["k_chg"]), "new": after,
            })  # fmt: skip
        if rows:
            kept = [place for place in range(len(heads)) if place != 1 or any(row[1] for row in rows)]
            blocks.append(
                Grid(
                    tuple(heads[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in rows), frozenset(heads[1:]), label
                )
            )  # fmt: skip
    newcomers = _newcomers(changes, events, performance, names)
    if newcomers:
        cells = tuple(
            (
                row["name"], row["fideid"], words.number(row["games"]), words.points(row["score"]), words.number(row["performance"]),
                words.number(row["rating"]) or "waits", row["why"],
            )
            for row in newcomers
        )  # fmt: skip
        blocks += [
            Heading("Without a rating"),
            Grid(("Name", "Id", "n", "W", "Rp", "First rating", "Why"), cells, frozenset({"Id", "n", "W", "Rp"})),
        ]
    reasons = not_rated(rated.in_pieces.tally)
    if reasons:
        blocks.append(
            Grid(("Results", "Why"), tuple((f"{count:,}", reason) for reason, count in reasons), frozenset({"Results"}), "Not counted")
        )  # fmt: skip
    title = ", ".join(event.name or event.file for event in reports.events[:3]) or "Preview"
    data = {
        "edition": edition.name, "ratings": ratings, "events": [event.name for event in reports.events], "players": players,
        "newcomers": [{**row, "score": words.decimal(row["score"])} for row in newcomers],
        "not_rated": [{"reason": reason, "results": count} for reason, count in reasons],
    }  # fmt: skip
    return Page(f"Preview: {title}", tuple(blocks), data)


def _id(code: int) -> str:
    return "" if code >= _NUMBERED else id_text(code)


def _performances(games: list[dict[str, Any]], edition: Edition) -> dict[tuple[str, int], int]:
    """Rp of each player and event, over the games played against rated opponents."""
    met: dict[tuple[str, int], tuple[list[int], list[int]]] = {}
    for game in games:
        if game["opponent_rating"] and game["score"] is not None and game["result"] in ("1", "=", "0"):
            ratings, scores = met.setdefault((game["event"], game["fideid"]), ([], []))
            ratings.append(game["opponent_rating"])
            scores.append(game["score"])
    return {
        key: int(performance_rating(ratings, sum(scores), edition.performance))
        for key, (ratings, scores) in met.items()
    }


def _newcomers(
    changes: list[dict[str, Any]], events: list[dict[str, Any]], performance: dict[tuple[str, int], int], names: dict[int, str]
) -> list[dict[str, Any]]:  # fmt: skip
    found = []
    for change in sorted(
        changes, key=lambda row: (CONTROLS.index(row["control"]), -(row["rating_after"] or 0), row["name"])
    ):
        if change["status"] not in ("first-rating", "pending"):
            continue
        own = [
            event["event"]
            for event in events
            if event["fideid"] == change["fideid"] and event["control"] == change["control"]
        ]
        played = [performance[label, change["fideid"]] for label in own if (label, change["fideid"]) in performance]
        found.append({
            "fideid": _id(change["fideid"]), "name": change["name"] or names.get(change["fideid"], ""), "control": change["control"],
            "games": change["games"], "score": change["score"], "performance": played[0] if len(played) == 1 else None,
            "rating": change["rating_after"], "why": change["why"],
        })  # fmt: skip
    return found
