"""Who the players are: the id decides; what cannot be read, is not on the list, or stands twice is told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from fide_batch.checks.columns import Columns
from fide_batch.checks.findings import Findings, one_by_one
from fide_batch.checks.listed import LOCAL_BELOW, Listed
from fide_batch.checks.names import verdict
from fide_batch.model import id_text


@dataclass
class Identified:
    """The players found."""

    player: np.ndarray
    """int64 per player of a report: his id code, 0 where he is not identified."""
    row: np.ndarray
    """His row in the newest list, -1 where he is not on it."""


def repeated_numbers(columns: Columns, findings: Findings, out: np.ndarray) -> np.ndarray:
    """bool per player: his start number stands in an earlier line of the same report (an error, with both lines)."""
    repeated = np.zeros(len(columns.number), bool)
    keys = (columns.event_of_entry.astype(np.int64) << 32) | columns.number.astype(np.int64)
    if len(keys) < 2 or bool((keys[1:] > keys[:-1]).all()):
        return repeated
    seen: dict[int, int] = {}
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    for place in same.tolist():
        earlier, later = int(order[place]), int(order[place + 1])
        if out[later] or out[earlier]:
            continue
        repeated[later] = True
        seen[later] = seen.get(earlier, earlier)
    rows = np.flatnonzero(repeated)
    findings.rows(
        "repeated-number", columns.event_of_entry[rows], columns.entry_line[rows], None,
        lambda at: (
            f"start number {columns.number[rows[at]]} stands twice: {columns.name(int(rows[at]))} here, "
            f"{columns.name(seen[int(rows[at])])} in line {columns.entry_line[seen[int(rows[at])]]}",
            f"correct one of the two numbers, or leave a line out: decision 'leave out' for row 'line {columns.entry_line[rows[at]]}'",
        ),
    )  # fmt: skip
    return repeated


def identify(columns: Columns, findings: Findings, newest: Listed | None, out: np.ndarray) -> Identified:
    """Every player's id against the newest list.

    Args:
        columns: the players.
        findings: where problems are written down.
        newest: the newest list; None when reports are looked at by themselves.
        out: bool per player: left out by decision.
    """
    player = np.where(out, 0, columns.fideid)
    row = newest.rows(player) if newest else np.full(len(player), -1, np.int64)
    missing = np.flatnonzero((player != 0) & (row < 0))
    if newest and len(missing):
        _padded(columns, findings, newest, player, row, missing)
        missing = missing[row[missing] < 0]
        odd = missing[player[missing] < 0]
        _unreadable(columns, findings, odd, [id_text(int(code)) for code in player[odd]])
        player[odd] = 0
        missing = missing[player[missing] > 0]
        missing = _local(columns, findings, newest, player, row, missing)
        _new(columns, findings, newest, player, missing)
    without = np.flatnonzero((columns.fideid == 0) & ~out)
    _without(columns, findings, newest, without)
    _repeated(columns, findings, newest, player, row)
    return Identified(player, row)


def _padded(
    columns: Columns, findings: Findings, newest: Listed, player: np.ndarray, row: np.ndarray, missing: np.ndarray
) -> None:
    """Leading zeros: 0042 in one place and 42 in the other is one id where only one of them is on the list."""
    codes = player[missing]
    padded = newest.padded() if (newest.ids < 0).any() else {}
    found: list[tuple[int, int]] = []
    for at in np.flatnonzero(codes < 0).tolist():
        text = id_text(int(codes[at]))
        if text.isdigit() and int(text):
            found.append((int(missing[at]), padded.get(int(text), int(text))))
    found += [(int(at), padded[int(code)]) for at, code in zip(missing, codes, strict=True) if int(code) in padded]
    if not found:
        return
    rows, other = (np.array(part, np.int64) for part in zip(*found, strict=True))
    there = newest.rows(other)
    rows, other, there = rows[there >= 0], other[there >= 0], there[there >= 0]
    findings.rows(
        "id-zeros", columns.event_of_entry[rows], columns.entry_line[rows], None,
        lambda at: (f"{columns.who(int(rows[at]))}: id {id_text(int(columns.fideid[rows[at]]))} taken as {id_text(int(other[at]))} of the list", ""),
    )  # fmt: skip
    player[rows], row[rows] = other, there


def _unreadable(columns: Columns, findings: Findings, rows: np.ndarray, found: list[str]) -> None:
    findings.rows(
        "id-unreadable", columns.event_of_entry[rows], columns.entry_line[rows], None,
        lambda at: (
            f"{columns.who(int(rows[at]))}: {found[at]!r} is no id; expected a number, or an id of the list; taken as unidentified",
            _give_id(columns, int(rows[at])),
        ),
    )  # fmt: skip


def _give_id(columns: Columns, row: int) -> str:
    return f"find the id and write it in the report, or decide 'id ...' for row {columns.number[row]}"


def _local(
    columns: Columns, findings: Findings, newest: Listed, player: np.ndarray, row: np.ndarray, missing: np.ndarray
) -> np.ndarray:
    """Reports whose ids are all short and none of them on the list: local numbers, which identify nobody.

    Returns:
        The rows that remain to be told of as new.
    """
    short = missing[player[missing] < LOCAL_BELOW]
    if not len(short) or newest.local:
        return missing
    count = len(columns.events)
    with_id = np.bincount(columns.event_of_entry[player > 0], minlength=count)
    events = np.flatnonzero((with_id > 0) & (np.bincount(columns.event_of_entry[short], minlength=count) == with_id))
    for place in events.tolist():
        number = int(with_id[place])
        severity = findings.add(
            "local-ids", place, f"ids look like local numbers: none of the {number} is on the list and all have fewer than six digits; taken as unidentified",
            "ask for FIDE's ids; if they are ids all the same: --accept local-ids", columns.events[place].line,
        )  # fmt: skip
        if severity == "warning":
            rows = np.arange(columns.entry_start[place], columns.entry_start[place + 1])
            player[rows] = 0
            missing = missing[columns.event_of_entry[missing] != place]
    return missing


def _bearers(columns: Columns, newest: Listed | None, rows: np.ndarray) -> dict[str, list[int]]:
    """People of the list with the names of some players, by name; only for players who will be told of one by one."""
    if newest is None or not len(rows):
        return {}
    return newest.bearing([columns.name(row) for row in one_by_one(columns.event_of_entry, rows)])


def _new(columns: Columns, findings: Findings, newest: Listed, player: np.ndarray, rows: np.ndarray) -> None:
    """Ids that are not on the list: new players with the report's data."""
    bearers = _bearers(columns, newest, rows)

    def word(members: np.ndarray, at: int) -> tuple[str, str]:
        row = int(members[at])
        same = bearers.get(columns.name(row), [])
        hint = (
            "same name as " + "; ".join(map(newest.person, same)) + ": if it is one of these, correct the id"
            if same
            else ""
        )
        return (
            f"{columns.who(row)}: id {id_text(int(player[row]))} is not on the list; taken as a new player with the report's data",
            hint,
        )

    known = np.zeros(len(rows), bool)
    if bearers:
        told = np.searchsorted(rows, one_by_one(columns.event_of_entry, rows))
        known[told] = [bool(bearers.get(columns.name(int(rows[at])))) for at in told]
    for code, members in (("new-player-same-name", rows[known]), ("new-player", rows[~known])):
        findings.rows(code, columns.event_of_entry[members], columns.entry_line[members], None, partial(word, members))


def _without(columns: Columns, findings: Findings, newest: Listed | None, rows: np.ndarray) -> None:
    """Players without an id, or with something in its place that is none."""
    if not len(rows):
        return
    found = columns.reports.entries.column("id_found").take(rows).to_pylist()
    odd = np.array([bool(text) for text in found], bool)
    # What the reader has said of the cell is not said again.
    told = {(problem.file, problem.line) for problem in columns.reports.problems if problem.code == "id-unreadable"}
    new = np.array(
        [
            (columns.events[columns.event_of_entry[row]].file, columns.entry_line[row]) not in told
            for row in rows.tolist()
        ],
        bool,
    )
    _unreadable(columns, findings, rows[odd & new], [text for text, tell in zip(found, odd & new, strict=True) if tell])
    rows = rows[~odd]
    bearers = _bearers(columns, newest, rows)

    def word(at: int) -> tuple[str, str]:
        row = int(rows[at])
        same = bearers.get(columns.name(row), []) if newest else []
        hint = "same name as " + "; ".join(newest.person(place) for place in same) if newest and same else ""
        return (
            f"{columns.who(row)} has no id: these games change nobody's rating",
            f"{hint}: decide 'id ...' for row {columns.number[row]}" if hint else _give_id(columns, row),
        )

    findings.rows("unidentified", columns.event_of_entry[rows], columns.entry_line[rows], None, word)


def _repeated(columns: Columns, findings: Findings, newest: Listed | None, player: np.ndarray, row: np.ndarray) -> None:
    """One id twice in a report: the line whose name fits the list keeps it (all lines of that name do); the others are unidentified."""
    # Event and id stirred into one number: without equal ones no id stands twice in a report.
    marks = (player * np.int64(0x1E3779B97F4A7C15)) ^ (
        columns.event_of_entry.astype(np.int64) * np.int64(0x3F58476D1CE4E5B9)
    )
    marks = np.sort(marks[player != 0])
    if not (marks[1:] == marks[:-1]).any():
        return
    keyed = np.flatnonzero(player != 0)
    order = keyed[np.lexsort((player[keyed], columns.event_of_entry[keyed]))]
    same = (player[order][1:] == player[order][:-1]) & (
        columns.event_of_entry[order][1:] == columns.event_of_entry[order][:-1]
    )
    if not same.any():
        return
    groups: dict[tuple[int, int], list[int]] = {}
    for place in np.flatnonzero(same).tolist():
        one, two = int(order[place]), int(order[place + 1])
        groups.setdefault((int(columns.event_of_entry[one]), int(player[one])), [one]).append(two)
    first: dict[int, int] = {}
    for members in groups.values():
        members.sort()
        first.update(dict.fromkeys(members[1:], members[0]))
    later = np.array(sorted(first), np.int64)
    findings.rows(
        "repeated-id", columns.event_of_entry[later], columns.entry_line[later], None,
        lambda at: (
            f"id {id_text(int(player[later[at]]))} stands twice: {columns.who(int(later[at]))} here, "
            f"{columns.who(first[int(later[at])])} in line {columns.entry_line[first[int(later[at])]]}",
            f"correct the id of one of the two, decide 'id ...' for row {columns.number[later[at]]}, or accept it: then only who fits the list keeps the id",
        ),
    )  # fmt: skip
    for members in groups.values():
        names = {member: columns.name(member) for member in members}
        listed = newest.text("name", int(row[members[0]])) if newest and row[members[0]] >= 0 else names[members[0]]
        fitting = [member for member in members if verdict(names[member], listed) == "same"]
        for member in members:
            if member not in (fitting or members[:1]):
                player[member], row[member] = 0, -1
