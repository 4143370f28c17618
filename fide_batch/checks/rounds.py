"""The rounds of an event: more than declared, fewer than declared, games without result, no games at all."""

from __future__ import annotations

import numpy as np

from fide_batch.checks.columns import NO_RESULT, Columns
from fide_batch.checks.findings import Findings
from fide_batch.checks.games import LEFT_OUT

_WORTH = np.zeros(256, bool)
"""By result letter: a bye with points, which may be of a round not paired yet."""
_WORTH[[ord(letter) for letter in "HFU"]] = True


def check(columns: Columns, findings: Findings, result: np.ndarray, drop: np.ndarray) -> None:
    """The rounds of every report; cells of a round that is none are marked in ``drop``."""
    events = columns.events
    count = len(events)
    last, first, unfinished, unknown = (np.zeros(count, np.int64) for _ in range(4))
    end = np.zeros(count, np.int64)
    for piece in columns.slices():
        event, rounds, letters = columns.event[piece], columns.round[piece], result[piece]
        places = np.arange(event[0], event[-1] + 1)
        starts = columns.cell_start[places] - piece.start
        filled = columns.cell_start[places + 1] - piece.start > starts
        places, starts = places[filled], starts[filled]
        game = (columns.opponent_number[piece] > 0) & (letters != LEFT_OUT)
        # Forfeits count as rounds held; blanks and unknown results do not.
        open_ = game & np.take(NO_RESULT, letters)
        held = game & (letters != ord(" ")) & ~open_
        last[places] = np.maximum.reduceat(np.where(held, rounds, 0), starts)
        first[places] = np.minimum.reduceat(np.where(held, rounds, np.iinfo(np.int32).max), starts)
        end[places] = np.maximum.reduceat(rounds, starts)
        for counts, marks in ((unknown, game & ~held), (unfinished, open_)):
            if marks.any():
                counts[places] = np.add.reduceat(marks.astype(np.int32), starts)
    players = np.diff(columns.entry_start)
    broken = {problem.file for problem in columns.reports.problems if problem.severity == "error"}
    for place in range(count):
        declared = events[place].rounds
        if not players[place]:
            if events[place].file not in broken:
                findings.add(
                    "no-players",
                    place,
                    "the report holds no players",
                    "check that the right file was sent",
                    events[place].line,
                )
            continue
        said = dict(events[place].declared).get("players", 0)
        if said and said != players[place]:
            findings.add(
                "players-differ", place, f"the report says {said} players and holds {players[place]}",
                "compare with the event's page: a part may be missing, or ask for the file again", events[place].line,
            )  # fmt: skip
        if not last[place] and not unfinished[place] and not _paired(columns, place):
            findings.add(
                "no-games", place, f"{players[place]} players and no games: nothing to rate", "ask for the report after the last round",
                events[place].line,
            )  # fmt: skip
            continue
        if end[place] > max(declared, last[place]) or last[place] > declared > 0:
            _beyond(columns, findings, place, int(last[place]), drop)
        if unknown[place] or declared > last[place]:
            _complete(
                columns, findings, place, int(first[place]), int(last[place]), int(unfinished[place]) // 2, result
            )


def _paired(columns: Columns, place: int) -> bool:
    return bool((columns.opponent_number[columns.cells_of(place)] > 0).any())


def _beyond(columns: Columns, findings: Findings, place: int, last: int, drop: np.ndarray) -> None:
    """Rounds after the declared ones: games are an error, a stray cell is left away with a note."""
    cells = columns.cells_of(place)
    declared = columns.events[place].rounds
    rounds = columns.round[cells]
    game = columns.opponent_number[cells] > 0
    if declared and last > declared:
        rows = cells.start + np.flatnonzero(game & (rounds > declared))
        _, starts = np.unique(columns.round[rows], return_index=True)
        rows = rows[starts]
        findings.rows(
            "more-rounds", columns.event[rows], columns.line[rows], columns.column[rows],
            lambda at: (
                f"games in round {columns.round[rows[at]]}; the report says there are {declared} rounds",
                "correct the number of rounds or the games",
            ),
        )  # fmt: skip
    # A round in which nobody was paired is none when most players have no cell in it: a program's mark for who withdrew.
    players = columns.entries_of(place)
    held = max(declared, last, int(rounds[game].max(initial=0)))
    stray = (rounds > held) & ~_WORTH[columns.result[cells]]
    if not stray.any():
        return
    if not declared and np.bincount(rounds[stray]).max() * 2 > players.stop - players.start:
        return
    drop[cells.start + np.flatnonzero(stray)] = True
    stray &= columns.result[cells] != ord(" ")
    if not stray.any():
        return
    row = cells.start + int(np.flatnonzero(stray)[0])
    number = int(stray.sum())
    findings.add(
        "extra-round", place,
        f"{number} {'cell' if number == 1 else 'cells'} after round {held}, the last that was held; ignored "
        f"(the first is of {columns.who(columns.entry[row])})",
        line=int(columns.line[row]), column=int(columns.column[row]),
    )  # fmt: skip


def is_part(columns: Columns, place: int) -> bool:
    """Whether every round that is dated outside the event has no games in the report: it is a part, with the dates of the whole."""
    event = columns.events[place]
    if event.start is None or event.end is None:
        return False
    cells = columns.cells_of(place)
    held = set(columns.round[cells][columns.opponent_number[cells] > 0].tolist())
    return all(
        event.start <= day <= event.end for number, day in enumerate(event.round_dates, 1) if day and number in held
    )


def _complete(
    columns: Columns, findings: Findings, place: int, first: int, last: int, unfinished: int, result: np.ndarray
) -> None:
    """Whether the event is over: every round held, every game with a result."""
    event = columns.events[place]
    cells = columns.cells_of(place)
    rounds = columns.round[cells]
    open_ = (columns.opponent_number[cells] > 0) & ((result[cells] == ord(" ")) | NO_RESULT[result[cells]])
    waiting = np.unique(rounds[open_ & (rounds > last)]) if open_.any() else np.zeros(0, int)
    hint = "wait for the whole report, or, to rate what was played, --accept incomplete or a decision 'accept'"
    if unfinished or len(waiting):
        row = cells.start + int(np.flatnonzero(open_)[0])
        many = int(open_.sum() + 1) // 2
        what = f"{many} {'game has' if many == 1 else 'games have'} no result, the first in round {columns.round[row]}: {columns.who(columns.entry[row])}"
        if len(waiting):
            what += f"; round {', '.join(map(str, waiting[:5]))} has no results at all"
        findings.add("incomplete", place, what, hint, int(columns.line[row]), int(columns.column[row]))
    elif event.rounds > last:
        missing = [day for day in event.round_dates[last : event.rounds] if day]
        outside = (
            event.end is not None and len(missing) == event.rounds - last and all(day > event.end for day in missing)
        )
        if first > 1 or outside:
            findings.add(
                "part", place, f"rounds {first} to {last} of {event.rounds}: taken as a part of a longer event"
            )
        else:
            findings.add(
                "incomplete",
                place,
                f"the report says {event.rounds} rounds and holds results of {last}",
                hint,
                event.line,
            )
