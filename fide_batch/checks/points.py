"""Whether the printed totals are what the results come to, and what explains it when they are not."""

from __future__ import annotations

from functools import partial

import numpy as np

from fide_batch.checks.columns import PLAYED, Columns
from fide_batch.checks.findings import Findings
from fide_batch.checks.games import LEFT_OUT
from fide_batch.model import POINT, Event, points_text

_LETTERS = {"W": "1W+FU", "D": "=DH", "L": "0L", "A": "-Z", "Z": "-Z", "P": "U", "F": "F", "H": "H", "X": "*?"}
"""The results each letter of TRF26 162 stands for; a letter further on overrules one before. A and Z are one to some programs."""

_USUAL = np.zeros(256, np.int64)
for _letter in "1+WFU":
    _USUAL[ord(_letter)] = POINT
for _letter in "=DH":
    _USUAL[ord(_letter)] = POINT // 2

_FOOTBALL = _USUAL.copy()
_FOOTBALL[[ord(letter) for letter in "1+WFU"]] = 3 * POINT
_FOOTBALL[[ord(letter) for letter in "=DH"]] = POINT

_BYE = ord("U")


def check(columns: Columns, findings: Findings, result: np.ndarray, skip: np.ndarray) -> None:
    """The totals of every player of every report. Results come from the cells; totals are only compared.

    Args:
        columns: the player-rounds.
        findings: where problems are written down.
        result: the letters, with results without opponent read as byes.
        skip: bool per player: not to be looked at.
    """
    players = len(columns.number)
    if not players or not (columns.points >= 0).any():
        return
    total = np.zeros(players, np.int64)
    for piece in columns.slices():
        columns.add_up(_USUAL[result[piece]], piece, total)
    out = (columns.points >= 0) & ~skip
    out[columns.entry[result == LEFT_OUT]] = False
    for place, event in enumerate(columns.events):
        rows = columns.entries_of(place)
        if event.point_values:
            cells = columns.cells_of(place)
            values = _values(event)[result[cells]]
            total[rows] = np.bincount(columns.entry[cells] - rows.start, values, rows.stop - rows.start).astype(
                np.int64
            )
        if event.points_adjusted:
            out[rows] &= ~np.isin(columns.number[rows], event.points_adjusted)
    odd = np.flatnonzero(out & (columns.points != total))
    for place in np.unique(columns.event_of_entry[odd]).tolist():
        _event(columns, findings, place, odd[columns.event_of_entry[odd] == place], total, result)


def _values(event: Event) -> np.ndarray:
    """What each result scores in an event that says so."""
    values = _USUAL.copy()
    declared = dict(event.point_values)
    for letter, letters in _LETTERS.items():
        if letter in declared:
            values[[ord(char) for char in letters]] = declared[letter]
    if "A" in declared and "Z" in declared:
        values[ord("-")] = declared["A"]
    return values


def _event(
    columns: Columns, findings: Findings, place: int, rows: np.ndarray, total: np.ndarray, result: np.ndarray
) -> None:
    """The players of one event whose totals do not fit."""
    players, cells = columns.entries_of(place), columns.cells_of(place)
    local = columns.entry[cells] - players.start
    count = players.stop - players.start
    letters = result[cells]
    printed = columns.points[players]
    shown = printed >= 0
    football = np.bincount(local, _FOOTBALL[letters], count).astype(np.int64)
    if not columns.events[place].point_values and bool((printed == football)[shown].all()):
        findings.add(
            "points-3-1-0",
            place,
            "the printed totals count 3 points for a win and 1 for a draw; results are taken from the cells",
        )
        return
    byes = np.bincount(local[letters == _BYE], minlength=count)
    paired = columns.opponent[cells] >= 0
    met = PLAYED[letters] | paired
    # A round nobody has been paired in yet may hold byes which the totals do not count yet, or count already.
    rounds = columns.round[cells]
    pairings = np.bincount(rounds[met], minlength=int(rounds.max(initial=0)) + 1) if len(rounds) else np.zeros(1, int)
    future = ~met & (pairings[rounds] == 0)
    ahead = np.bincount(local[future], _USUAL[letters[future]], count).astype(np.int64)
    last = int(np.flatnonzero(pairings)[-1]) if pairings.any() else 0
    held = max(last, columns.events[place].rounds)
    busy = np.bincount(local[met], minlength=count)
    free = np.maximum(held - busy, 0)
    given = np.bincount(local[~met], _USUAL[letters[~met]], count).astype(np.int64)
    bye = int(_values(columns.events[place])[_BYE])
    kinds: dict[str, list[int]] = {}
    bye_counts: dict[int, int] = {}
    for row in rows.tolist():
        at = row - players.start
        over = int(printed[at] - total[row])
        counted = next(
            (value for value in (0, POINT // 2, POINT) if byes[at] and over == (value - bye) * byes[at]), None
        )
        room = int(free[at]) * POINT - int(given[at])
        if counted is not None:
            bye_counts[counted] = bye_counts.get(counted, 0) + 1
        elif over < 0 and ahead[at] and 0 < -over <= ahead[at]:
            kinds.setdefault("points-ahead", []).append(row)
        elif over < 0:
            kinds.setdefault("points-low", []).append(row)
        elif over <= room and over <= int(free[at]) * POINT // 2 and over % (POINT // 2) == 0:
            kinds.setdefault("points-bye", []).append(row)
        elif over <= room and over % (POINT // 2) == 0:
            kinds.setdefault("points-high", []).append(row)
        else:
            kinds.setdefault("points-wrong", []).append(row)
    for value, how_many in bye_counts.items():
        findings.add(
            "bye-points",
            place,
            f"the printed totals of {how_many} {'player' if how_many == 1 else 'players'} count the pairing-allocated bye as {points_text(value, 1)}",
        )
    for code, members in kinds.items():
        chosen = np.array(members)
        word = partial(_word, columns, code, chosen, total[chosen], free[chosen - players.start])
        findings.rows(code, columns.event_of_entry[chosen], columns.entry_line[chosen], None, word)


def _word(
    columns: Columns, code: str, rows: np.ndarray, totals: np.ndarray, frees: np.ndarray, at: int
) -> tuple[str, str]:
    row, total, free = int(rows[at]), int(totals[at]), int(frees[at])
    printed = int(columns.points[row])
    begin = f"{columns.who(row)}: the total is {points_text(printed, 1)}, the results add up to {points_text(total, 1)}"
    over = points_text(printed - total, 1)
    rounds = "1 round" if free == 1 else f"{free} rounds"
    if code == "points-bye":
        return f"{begin}; taken as half-point byes in {rounds} without a result", ""
    if code == "points-high":
        return f"{begin}; {rounds} without a game may hold the other {over}", "ask for byes to be written as F, H or U"
    if code == "points-ahead":
        return f"{begin}; the total does not count byes of rounds that are not paired yet", ""
    more = (
        "no round without a game explains it" if code == "points-wrong" else "a total cannot be lower than the results"
    )
    return f"{begin}; {more}", "ask the arbiter which is right: a result may be wrong"
