"""The page of an event: its cross table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fide_batch import words
from fide_batch.model import points_text
from fide_batch.publish.html_rows import Row
from fide_batch.publish.html_site import Site


def cross_table(site: Site, event: Row) -> Row:
    """An event with its players by points and a cell a round."""
    lines = {line["fideid"]: line for line in site.lines_of_event.of(event["label"])}
    of_player: dict[tuple[int, int], list[Row]] = {}
    for game in site.games_of_event.of(event["label"]):
        # Players nobody identified have no id in common; the line of the report tells them apart.
        key = (game["fideid"] or 0, 0 if game["fideid"] else game["line"] or 0)
        of_player.setdefault(key, []).append(game)
    rounds = sorted({game["round"] for own in of_player.values() for game in own if game["round"] is not None})
    points = {key: sum(_worth(game["result"]) for game in own) for key, own in of_player.items()}
    ratings = {
        key: next((game["own_rating"] for game in own if game["own_rating"]), None) for key, own in of_player.items()
    }
    ranked = sorted(of_player, key=lambda key: (-points[key], -(ratings[key] or 0), site.name(key[0]), key))
    place_of = {key[0]: place for place, key in enumerate(ranked, 1) if key[0]}
    letters: dict[str, str] = {}
    rows = []
    for place, key in enumerate(ranked, 1):
        line = lines.get(key[0], {})
        by_round: dict[int, list[Row]] = {}
        for game in of_player[key]:
            by_round.setdefault(game["round"], []).append(game)
        rows.append({
            "place": place, "fideid": key[0], "own_rating": ratings[key] or "",
            "cells": [_cell(by_round.get(number, []), place_of, letters) for number in rounds],
            "points": words.score_text(points[key]), "points_sort": points_text(points[key]), "n": words.number(line.get("games")),
            "rc": words.number(line.get("rc")), "w": points_text(line.get("score")), "expected": points_text(line.get("expected")),
            "k_chg": words.signed_points(line.get("k_chg")),
        })  # fmt: skip
    return {
        **event,
        "rounds": rounds,
        "rows": rows,
        "reasons": [(letter, reason) for reason, letter in letters.items()],
    }


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
        met = game["opponent"] is not None and game["result"] in ("1", "=", "0")
        opponent = place_of.get(game["opponent"] or 0, "?" if met else "")
        texts.append(f"{opponent}{game['colour'] or ''}{words.result_text(game['result'])}")
        if words.remark(game["reason"]):
            reasons.append(game["reason"])
    reason = "; ".join(dict.fromkeys(reasons))
    if reason and reason not in letters:
        place = len(letters)
        letters[reason] = (chr(96 + place // 26) if place >= 26 else "") + chr(97 + place % 26)
    out = not all(game["counted"] for game in games)
    return {"text": " ".join(texts), "reason": reason, "letter": letters.get(reason, ""), "out": out}
