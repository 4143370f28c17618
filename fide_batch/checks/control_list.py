"""The control list: one line an event, before anything is rated."""

from __future__ import annotations

from collections import Counter

import numpy as np

from fide_batch.checks.columns import PLAYED
from fide_batch.checks.situation import Checked
from fide_batch.model import Event, Grid, Page, Reports, numbers
from fide_batch.words import count_text

_HEADS = ("file", "event", "start", "end", "control", "rds", "players", "games", "count", "problems")
_WIDEST = 20
"""Columns a name may take, so that an event is one line; ``data`` has it whole."""


def control_list(reports: Reports, checked: Checked) -> Page:
    """One line an event: file, name, dates, control and what it was read from, rounds, players, games played, games that will count, problems.

    A game will count when it was played and both players are identified; whether their ratings let it be rated is for the rules to say.

    Args:
        reports: as handed over; those left out by decision or with ``skip_faulty`` are listed too.
        checked: what ``check`` (and ``skip_faulty``) made of them.
    """
    severities = Counter((problem.file, problem.severity) for problem in checked.problems)
    played, counting = _games(checked)
    players = np.bincount(numbers(checked.reports.entries, "event"), minlength=len(checked.reports.events))
    rounds = _rounds(checked.reports)
    place_of: dict[tuple[str, int], int] = {}
    seen: Counter[str] = Counter()
    for place, event in enumerate(checked.reports.events):
        place_of[event.file, seen[event.file]] = place
        seen[event.file] += 1
    rows, data = [], []
    seen.clear()
    for event in reports.events:
        at = place_of.get((event.file, seen[event.file]))
        seen[event.file] += 1
        told = {severity: severities[event.file, severity] for severity in ("error", "warning", "note")}
        if at is None:
            row = {"rounds": event.rounds, "players": 0, "games": 0, "count": 0, "left_out": True}
        else:
            event = checked.reports.events[at]
            row = {
                "rounds": int(rounds[at]), "players": int(players[at]), "games": int(played[at]), "count": int(counting[at]),
                "left_out": False,
            }  # fmt: skip
        problems = ", ".join(f"{count} {name[0].upper()}" for name, count in told.items() if count) or "none"
        rows.append((
            _short(event.file, keep_end=True), _short(event.name), str(event.start or "?"), _end(event), event.control or "unclear", str(row["rounds"]), str(row["players"]), str(row["games"]), str(row["count"]),
            f"left out; {problems}" if row["left_out"] else problems,
        ))  # fmt: skip
        data.append({
            "file": event.file, "event": event.name, "start": str(event.start or ""), "end": str(event.end or ""), "control": event.control,
            "control_from": event.control_from, **row, "errors": told["error"], "warnings": told["warning"], "notes": told["note"],
        })  # fmt: skip
    total = (
        f"{count_text(len(rows), 'event')}, {count_text(int(players.sum()), 'player')}, {count_text(int(played.sum()), 'game')} played, "
        f"{int(counting.sum())} with both players identified (count). Problems: E errors, W warnings, N notes."
    )
    grid = Grid(_HEADS, tuple(rows), frozenset({"rds", "players", "games", "count"}), whole=frozenset(_HEADS))
    return Page("Control list", (grid, total), {"events": data})


def _end(event: Event) -> str:
    """The last day without what it shares with the first."""
    if not event.end or event.end == event.start:
        return "" if event.end else "?"
    return f"{event.end:%m-%d}" if event.start and event.start.year == event.end.year else str(event.end)


def _short(text: str, keep_end: bool = False) -> str:
    """A name that fits its column."""
    if len(text) > _WIDEST:
        text = f"…{text[1 - _WIDEST :]}" if keep_end else f"{text[: _WIDEST - 1]}…"
    return text


def _games(checked: Checked) -> tuple[np.ndarray, np.ndarray]:
    """Per event the games played, and those of two identified players. A game stands on two lines, or on one."""
    reports = checked.reports
    count = len(reports.events)
    event, entry, opponent = (numbers(reports.cells, name) for name in ("event", "entry", "opponent"))
    met = PLAYED[numbers(reports.cells, "result")] & (opponent >= 0) & (opponent != entry)
    event, entry, opponent = event[met], entry[met], opponent[met]
    both = (checked.player[entry] != 0) & (checked.player[opponent] != 0) if len(entry) else np.zeros(0, bool)
    return (np.bincount(event, minlength=count) + 1) // 2, (np.bincount(event[both], minlength=count) + 1) // 2


def _rounds(reports: Reports) -> np.ndarray:
    """Per event the rounds in which somebody was paired."""
    event, rounds = numbers(reports.cells, "event"), numbers(reports.cells, "round").astype(np.int64)
    paired = numbers(reports.cells, "opponent_number") > 0
    pairs = np.unique((event[paired].astype(np.int64) << 32) | rounds[paired])
    return np.bincount(pairs >> 32, minlength=len(reports.events))
