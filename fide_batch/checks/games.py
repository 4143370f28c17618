"""Every game seen from both sides: opponents that are not there, sides that disagree, results without a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fide_batch.checks.columns import NO_RESULT, PLAYED, Columns
from fide_batch.checks.findings import Findings

LEFT_OUT = ord("x")
"""Stands in ``Columns.result`` for a game left out by decision while the checks run."""

BLANK = ord(" ")

_MIRROR = {
    "1": "0", "0": "1", "=": "=", "+": "-", "-": "-+", "W": "L", "L": "W", "D": "D", " ": " *?", "*": " *?", "?": " *?",
    "H": "HFUZ ", "F": "HFUZ ", "U": "HFUZ ", "Z": "HFUZ ",
}  # fmt: skip
"""For each result what the other side may say of the same game. Both may have lost by forfeit (``- -``)."""

_FITS, _DISAGREE, _DIFFER, _BOTH_LOST = 0, 1, 2, 3

_PAIR = np.full(65536, _DIFFER, np.uint8)
"""By the two letters (own * 256 + other): fits, disagrees about a rated game, differs in what is not rated, lost by both."""
for _own in range(256):
    for _other in range(256):
        if PLAYED[_own] or PLAYED[_other]:
            _PAIR[_own * 256 + _other] = _DISAGREE
for _letter, _others in _MIRROR.items():
    for _fit in _others:
        _PAIR[ord(_letter) * 256 + ord(_fit)] = _FITS
        _PAIR[ord(_fit) * 256 + ord(_letter)] = _FITS
_PAIR[ord("0") * 256 + ord("0")] = _BOTH_LOST
_PAIR[LEFT_OUT * 256 : LEFT_OUT * 256 + 256] = _FITS
_PAIR[LEFT_OUT::256] = _FITS

_AS_BYE = np.arange(256, dtype=np.uint8)
_AS_BYE[[ord("1"), ord("="), ord("0")]] = [ord("F"), ord("H"), ord("Z")]

WORDS = {
    "1": "a win", "=": "a draw", "0": "a loss", "+": "a forfeit win", "-": "a forfeit loss", " ": "no result", "*": "no result",
    "?": "no result", "W": "a win in less than one move", "D": "a draw in less than one move", "L": "a loss in less than one move",
    "H": "a half-point bye", "F": "a full-point bye", "U": "a pairing-allocated bye", "Z": "a zero-point bye",
}  # fmt: skip


@dataclass
class Found:
    """What came to light of the games, per player-round of ``Columns``."""

    result: np.ndarray
    """The letters, with results without opponent read as byes."""
    drop: np.ndarray
    """bool: the same game a second time in one line, or a cell that is no round."""


def check(columns: Columns, findings: Findings, aside: np.ndarray) -> Found:
    """Every game of every report.

    Args:
        columns: the player-rounds.
        findings: where problems are written down.
        aside: bool per player: not to be compared with his opponents. His start number stands in an earlier line of the report, which they
            mean, or his line could not be read whole.

    Returns:
        The results as they are to be rated.
    """
    _orphans(columns, findings)
    drop, doubled = _doubles(columns, findings)
    found = Found(columns.result, drop)
    some_aside = bool(aside.any())
    if not len(columns.entry):
        return found
    head = columns.first[:-1]
    base = head - columns.round[np.minimum(head, len(columns.round) - 1)]
    tells: dict[str, list[np.ndarray]] = {}
    for piece in columns.slices():
        rows = _look(columns, piece, base, aside if some_aside else None, doubled)
        for code, places in rows.items():
            if len(places):
                tells.setdefault(code, []).append(places)
    for code, parts in tells.items():
        _tell(columns, findings, code, np.concatenate(parts))
    byes = [part for code in ("result-without-opponent", "bye-as-result") for part in tells.get(code, ())]
    if byes:
        found.result = columns.result.copy()
        rows_of_byes = np.concatenate(byes)
        found.result[rows_of_byes] = _AS_BYE[columns.result[rows_of_byes]]
    return found


def _tell(columns: Columns, findings: Findings, code: str, rows: np.ndarray) -> None:
    findings.rows(
        code, columns.event[rows], columns.line[rows], columns.column[rows],
        lambda place: _WORDING[code](columns, int(rows[place])),
    )  # fmt: skip


def _orphans(columns: Columns, findings: Findings) -> None:
    orphans = columns.orphans
    if orphans.num_rows:
        findings.rows(
            "unknown-opponent", orphans.column("event").to_numpy(), orphans.column("line").to_numpy(),
            orphans.column("column").to_numpy(),
            lambda row: (
                f"a result in round {orphans.column('round')[row]} for a start number nobody has",
                "add the player's line, or correct the number",
            ),
        )  # fmt: skip


def _doubles(columns: Columns, findings: Findings) -> tuple[np.ndarray, np.ndarray | None]:
    """Two cells of one player in one round: the same twice is dropped, two different ones are an error.

    Returns:
        bool per player-round: dropped; and bool per player-round, or None for none: not to be compared with the other side.
    """
    drop = np.zeros(len(columns.entry), bool)
    twice = np.flatnonzero((columns.entry[1:] == columns.entry[:-1]) & (columns.round[1:] == columns.round[:-1]))
    if not len(twice):
        return drop, None
    first, second = twice, twice + 1
    empty = [(columns.opponent_number[rows] == 0) & (columns.result[rows] == BLANK) for rows in (first, second)]
    alike = (
        (columns.opponent_number[first] == columns.opponent_number[second])
        & (columns.result[first] == columns.result[second])
        & (
            (columns.colour[first] == columns.colour[second])
            | (columns.colour[first] == 0)
            | (columns.colour[second] == 0)
        )
    )
    drop[first[empty[0]]] = True
    drop[second[empty[1]]] = True
    same = second[alike & ~empty[0] & ~empty[1]]
    drop[same] = True
    findings.rows(
        "game-twice", columns.event[same], columns.line[same], columns.column[same],
        lambda row: (
            f"{columns.who(columns.entry[same[row]])} has the same game twice in round {columns.round[same[row]]}; it counts once", ""),
    )  # fmt: skip
    other = second[~alike & ~empty[0] & ~empty[1]]
    findings.rows(
        "two-results", columns.event[other], columns.line[other], columns.column[other],
        lambda row: (
            f"{columns.who(columns.entry[other[row]])} has two results in round {columns.round[other[row]]}: "
            f"{_cell(columns, other[row] - 1)} and {_cell(columns, other[row])}; expected one",
            "correct the round, or give a second game of the day a round of its own",
        ),
    )  # fmt: skip
    aside = drop.copy()
    aside[other] = aside[other - 1] = True
    return drop, aside


def _look(
    columns: Columns, piece: slice, base: np.ndarray, aside: np.ndarray | None, doubled: np.ndarray | None
) -> dict[str, np.ndarray]:
    """Some whole events: the rows of each kind of fault, as places in ``columns``."""
    cells = _doubtful(columns, piece, base)
    entry, rounds, opponent = columns.entry[cells], columns.round[cells], columns.opponent[cells]
    result, colour = columns.result[cells], columns.colour[cells]
    there = result != LEFT_OUT
    if aside is not None:
        there &= ~(aside[entry] | (np.take(aside, opponent, mode="clip") & (opponent >= 0)))
    if doubled is not None:
        there &= ~doubled[cells]
    nobody = opponent < 0
    met = ~nobody & there
    guess = _guessed(columns, base, opponent, rounds)
    proved = _proved(columns, guess, entry, rounds, opponent)
    partner = np.where(proved & met, guess, -1)
    looked = np.flatnonzero(met & ~proved)
    if len(looked):
        partner[looked] = _partners(columns, piece, entry[looked], opponent[looked], rounds[looked])
    other = columns.result[partner]
    verdict = _PAIR[(result.astype(np.uint16) << 8) | other]
    two = partner >= 0
    # Each pair is told of once.
    once = two & (entry < opponent)
    played = PLAYED[result]
    faulty = once & (verdict != _FITS)
    both = once & (colour != 0) & (colour == columns.colour[partner]) & played
    oneself = met & (opponent == entry)
    alone = met & ~two & ~oneself
    empty = there & nobody
    unknown = empty & (columns.opponent_number[cells] > 0)
    without = empty & ~unknown & played
    missing = met & (result == BLANK) & (~two | (entry < opponent) & (verdict == _FITS))
    rows = {
        "sides-disagree": faulty & (verdict == _DISAGREE),
        "sides-differ": faulty & (verdict == _DIFFER),
        "both-lost": faulty & (verdict == _BOTH_LOST),
        "same-colour": both,
        "oneself": oneself,
        "unknown-opponent": unknown,
        "one-sided": alone & played,
        "one-sided-forfeit": alone & ~played & (result != BLANK) & ~NO_RESULT[result],
        "result-missing": missing,
        "result-without-opponent": without & (colour != 0),
        "bye-as-result": without & (colour == 0),
    }
    return {code: cells[mask] for code, mask in rows.items()}


def _doubtful(columns: Columns, piece: slice, base: np.ndarray) -> np.ndarray:
    """The places of all player-rounds but those of sound games: both sides tell of the game, with results that fit and other colours."""
    entry, rounds, opponent = columns.entry[piece], columns.round[piece], columns.opponent[piece]
    result, colour = columns.result[piece], columns.colour[piece]
    guess = _guessed(columns, base, opponent, rounds)
    sound = _proved(columns, guess, entry, rounds, opponent)
    sound &= opponent != entry
    sound &= result != BLANK
    sound &= np.take(_PAIR, (result.astype(np.uint16) << 8) | np.take(columns.result, guess)) == _FITS
    sound &= (colour != np.take(columns.colour, guess)) | (colour == 0)
    return piece.start + np.flatnonzero(~sound)


def _guessed(columns: Columns, base: np.ndarray, opponent: np.ndarray, rounds: np.ndarray) -> np.ndarray:
    """The opponents' cells, where both players' rounds stand one after the other: known without looking for them, and to be proved."""
    guess = np.take(base, opponent, mode="clip")
    guess += rounds
    return np.clip(guess, 0, len(columns.entry) - 1, out=guess)


def _proved(
    columns: Columns, guess: np.ndarray, entry: np.ndarray, rounds: np.ndarray, opponent: np.ndarray
) -> np.ndarray:
    """Where a cell that was guessed is the opponent's of that round, and tells of the same two players."""
    proved = np.take(columns.opponent, guess) == entry
    proved &= np.take(columns.round, guess) == rounds
    proved &= np.take(columns.entry, guess) == opponent
    return proved


def _partners(
    columns: Columns, piece: slice, entry: np.ndarray, opponent: np.ndarray, rounds: np.ndarray
) -> np.ndarray:
    """The opponents' cells of some games, looked for by player and round; -1 where there is none."""
    keys = (columns.entry[piece].astype(np.int64) << 32) | columns.round[piece]
    place = np.searchsorted(keys, (opponent.astype(np.int64) << 32) | rounds)
    found = np.full(len(entry), -1, np.int64)
    # A player may wrongly have more than one cell in a round: the game may be any of the first three.
    for step in range(3):
        at = np.minimum(place + step, len(keys) - 1) + piece.start
        fits = (columns.entry[at] == opponent) & (columns.round[at] == rounds) & (columns.opponent[at] == entry)
        found = np.where((found < 0) & fits, at, found)
    return found


# --- what is said of each -----------------------------------------------------------------------


def _said(columns: Columns, row: int) -> str:
    """A cell in words: ``a win (1)``."""
    letter = chr(columns.result[row])
    return f"{WORDS.get(letter, 'a result')} ({letter.strip() or 'blank'})"


def _cell(columns: Columns, row: int) -> str:
    """A cell as a report prints it: ``15 w 1``."""
    colour = chr(columns.colour[row]) if columns.colour[row] else "-"
    return f"{columns.opponent_number[row] or '0000'} {colour} {chr(columns.result[row]).strip() or '(blank)'}"


def _other_side(columns: Columns, row: int) -> int:
    """The opponent's cell of the same game, or else any of his in that round; -1 for none."""
    opponent = int(columns.opponent[row])
    rows = np.arange(columns.first[opponent], columns.first[opponent + 1])
    rows = rows[columns.round[rows] == columns.round[row]]
    exact = rows[columns.opponent[rows] == columns.entry[row]]
    return int(exact[0]) if len(exact) else int(rows[0]) if len(rows) else -1


def _leave_out(columns: Columns, row: int) -> str:
    return f"leave the game out: decision 'leave out round {columns.round[row]}' for row {columns.number[columns.entry[row]]}"


def _sides(columns: Columns, row: int) -> tuple[str, str]:
    other = _other_side(columns, row)
    fits = " or ".join(char if char != " " else "blank" for char in _MIRROR.get(chr(columns.result[row]), "?"))
    return (
        f"round {columns.round[row]}: {columns.who(columns.entry[row])} has {_said(columns, row)}, "
        f"{columns.who(columns.opponent[row])} in line {columns.line[other]} has {_said(columns, other)}; expected {fits} there",
        f"ask the arbiter which side is right and correct the other, or {_leave_out(columns, row)}",
    )


def _pairing(columns: Columns, row: int) -> str:
    """``round 3: 7 Vale, Ann and 9 Moor, Ben in line 12``."""
    two = f"{columns.who(columns.entry[row])} and {columns.who(columns.opponent[row])}"
    return f"round {columns.round[row]}: {two} in line {columns.line[_other_side(columns, row)]}"


def _both_lost(columns: Columns, row: int) -> tuple[str, str]:
    return (
        f"{_pairing(columns, row)} both have a loss (0); taken as played and lost by both",
        f"if it was a forfeit write - for both; if one of them won, correct the winner's side, or {_leave_out(columns, row)}",
    )


def _colours(columns: Columns, row: int) -> tuple[str, str]:
    colour = "White" if columns.colour[row] == ord("w") else "Black"
    return (
        f"{_pairing(columns, row)} both have {colour}; expected one of each",
        "correct one side: often the opponent's number is wrong",
    )


def _oneself(columns: Columns, row: int) -> tuple[str, str]:
    return (
        f"round {columns.round[row]}: {columns.who(columns.entry[row])} is paired with the own start number",
        f"correct the opponent's number, or {_leave_out(columns, row)}",
    )


def _unknown(columns: Columns, row: int) -> tuple[str, str]:
    return (
        f"round {columns.round[row]}: the opponent of {columns.who(columns.entry[row])} is {columns.opponent_number[row]}, "
        "a start number nobody has",
        "add the missing player's line, or correct the number",
    )


def _one_sided(columns: Columns, row: int) -> tuple[str, str]:
    other = _other_side(columns, row)
    opponent = int(columns.opponent[row])
    where = f"line {columns.entry_line[opponent]}"
    has = f"has {_cell(columns, other)}" if other >= 0 else "has nothing"
    return (
        f"round {columns.round[row]}: {columns.who(columns.entry[row])} has {_said(columns, row)} against {columns.who(opponent)}, "
        f"who {has} in that round ({where}); expected {columns.number[columns.entry[row]]} there",
        f"correct the side that is wrong, or {_leave_out(columns, row)}",
    )


def _missing(columns: Columns, row: int) -> tuple[str, str]:
    return (
        f"round {columns.round[row]}: {columns.who(columns.entry[row])} against {columns.who(columns.opponent[row])} has no result; "
        "taken as not played",
        "add the result if the game was played",
    )


def _no_opponent(columns: Columns, row: int) -> tuple[str, str]:
    return (
        f"round {columns.round[row]}: {columns.who(columns.entry[row])} has {_said(columns, row)} as "
        f"{'White' if columns.colour[row] == ord('w') else 'Black'} but no opponent",
        "add the opponent's number; write a bye as H, F, U or Z without colour",
    )


def _bye(columns: Columns, row: int) -> tuple[str, str]:
    return (
        f"round {columns.round[row]}: {columns.who(columns.entry[row])} has {_said(columns, row)} without opponent; read as "
        f"{WORDS[chr(_AS_BYE[columns.result[row]])]}, which is not rated",
        "",
    )


_WORDING: dict[str, Callable[[Columns, int], tuple[str, str]]] = {
    "sides-disagree": _sides, "sides-differ": _sides, "both-lost": _both_lost,
    "same-colour": _colours, "oneself": _oneself, "unknown-opponent": _unknown,
    "one-sided": _one_sided, "one-sided-forfeit": _one_sided, "result-missing": _missing, "result-without-opponent": _no_opponent,
    "bye-as-result": _bye,
}  # fmt: skip
