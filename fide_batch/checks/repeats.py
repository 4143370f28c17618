"""The same event twice: under another name, in another file, with corrections, or grown by some rounds.

Each round of a report is summed up in three numbers that do not depend on the order of rows, start numbers, names of files or events: a sum over its
games (who, against whom, result) and the smallest mark of its pairings (without results). Equal sums are the same games; equal marks are the
same pairings, even when some results differ.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow.compute as pc

from fide_batch.checks.columns import Columns
from fide_batch.checks.findings import Findings
from fide_batch.checks.games import WORDS
from fide_batch.checks.names import plain
from fide_batch.checks.situation import SealedReport
from fide_batch.model import Event

_A, _B, _C = (np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_HALF = np.uint64(32)
_ROUND_LIMIT = 100_000


def _mixed(values: np.ndarray, by: np.uint64) -> np.ndarray:
    """64-bit numbers well stirred (a step of splitmix64); equal ones stay equal."""
    values = (values ^ (values >> np.uint64(30))) * by
    return values ^ (values >> _HALF)


@dataclass
class Summary:
    """A report summed up."""

    event: Event
    players: int = 0
    games: int = 0
    rounds: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Round -> two sums of its games, smallest mark of its pairings."""
    people: int = 0
    """A sum over the players, for reports without games."""

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of dates and games."""
        parts = [str(self.event.start), str(self.event.end)]
        parts += [f"{number}:{one:016x}{two:016x}" for number, (one, two, _) in sorted(self.rounds.items())]
        if not self.rounds:
            parts += [plain(self.event.name), f"{self.people:016x}"]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @cached_property
    def key(self) -> str:
        """What of the event a later report is recognised by: dates, control, players, games, and for each round its games and pairings."""
        rounds = ",".join(f"{number}:{one:016x}:{mark:016x}" for number, (one, _, mark) in sorted(self.rounds.items()))
        event = self.event
        return f"{event.start or ''}|{event.end or ''}|{event.control}|{self.players}|{self.games}|{rounds}"


def summaries(columns: Columns) -> list[Summary]:
    """Every report summed up."""
    found = [
        Summary(event, int(count)) for event, count in zip(columns.events, np.diff(columns.entry_start), strict=True)
    ]
    if not len(columns.number):
        return found
    person = _people(columns)
    people = np.add.reduceat(np.append(_mixed(person, _C), np.uint64(0)), columns.entry_start[:-1])
    for place, summary in enumerate(found):
        summary.people = int(people[place]) if summary.players else 0
    left, right = person * _B, _mixed(person, _A)
    letters = _mixed((np.arange(256, dtype=np.uint64) + np.uint64(1)) * _A, _C)
    for piece in columns.slices():
        rows = piece.start + np.flatnonzero((columns.opponent[piece] >= 0) & (columns.round[piece] < _ROUND_LIMIT))
        if not len(rows):
            continue
        event, rounds = columns.event[rows], columns.round[rows]
        pairing = left[columns.entry[rows]] ^ right[columns.opponent[rows]]
        pairing += rounds.astype(np.uint64)
        mark = _mixed(pairing, _C)
        one = _mixed(mark ^ letters[columns.result[rows]], _B)
        two = _mixed(one, _A)
        most = int(rounds.max()) + 1
        group = (event - event[0]).astype(np.int64) * most + rounds
        count = (int(event[-1] - event[0]) + 1) * most
        if count > 4 * len(rows) + 1000:
            _, group = np.unique(group, return_inverse=True)
            count = int(group.max()) + 1
        sums = np.zeros((2, count), np.uint64)
        least = np.full(count, np.iinfo(np.uint64).max, np.uint64)
        np.add.at(sums[0], group, one)
        np.add.at(sums[1], group, two)
        np.minimum.at(least, group, mark)
        held = np.bincount(group, minlength=count)
        some = np.zeros(count, np.int64)
        some[group] = np.arange(len(rows))
        for at in np.flatnonzero(held).tolist():
            summary = found[int(event[some[at]])]
            summary.rounds[int(rounds[some[at]])] = (int(sums[0, at]), int(sums[1, at]), int(least[at]))
            summary.games += int(held[at] + 1) // 2
    return found


def _people(columns: Columns) -> np.ndarray:
    """A number for each player of a report: of his id, or of his name where he has none."""
    person = columns.fideid.astype(np.uint64)
    without = np.flatnonzero(columns.fideid == 0)
    if len(without):
        names = columns.reports.entries.column("name").take(without).combine_chunks().dictionary_encode()
        marks = [
            int.from_bytes(
                hashlib.blake2b(" ".join(sorted(plain(name or "").split())).encode(), digest_size=8).digest(), "little"
            )
            for name in names.dictionary.to_pylist()
        ]
        coded = pc.fill_null(names.indices, 0).to_numpy(zero_copy_only=False)
        person[without] = np.array(marks, np.uint64)[coded] if marks else 0
    return _mixed(person * _A + _B, _C)


# --- comparing ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Known:
    """A report seen before: in this run (``place``) or in a sealed month."""

    file: str
    where: str
    start: str
    end: str
    control: str
    players: int
    games: int
    rounds: dict[int, tuple[int, int]]
    """Round -> sum of its games, smallest mark of its pairings."""
    fingerprint: str
    place: int = -1


def _sealed(report: SealedReport) -> _Known | None:
    parts = report.key.split("|")
    if len(parts) != 6:
        return None
    rounds = {}
    for part in filter(None, parts[5].split(",")):
        number, _, marks = part.partition(":")
        one, _, mark = marks.partition(":")
        rounds[int(number)] = (int(one, 16), int(mark, 16))
    return _Known(
        report.file, f"{report.file}, rated in {report.period}", parts[0], parts[1], parts[2], int(parts[3]), int(parts[4]), rounds,
        report.fingerprint,
    )  # fmt: skip


def check(
    columns: Columns,
    findings: Findings,
    found: Sequence[Summary],
    sealed: Sequence[SealedReport],
    left_out: Mapping[int, frozenset[int]],
) -> None:
    """Reports of an event that has been handed over or rated already.

    Parts of a long event (other rounds, or dates that do not overlap) are not repeats, nor are rounds left out by decision.

    Args:
        columns: the games, to say what has changed.
        findings: where problems are written down.
        found: the reports summed up.
        sealed: the reports of the months before.
        left_out: per report the rounds left out by decision.
    """
    by_print: dict[str, _Known] = {}
    by_mark: dict[tuple[int, int], list[_Known]] = {}

    def remember(known: _Known) -> None:
        by_print.setdefault(known.fingerprint, known)
        for number, (_, mark) in known.rounds.items():
            by_mark.setdefault((number, mark), []).append(known)

    for report in sealed:
        if known := _sealed(report):
            remember(known)
        else:
            by_print.setdefault(
                report.fingerprint,
                _Known(
                    report.file, f"{report.file}, rated in {report.period}", "", "", "", 0, 0, {}, report.fingerprint
                ),
            )
    # By name, so that which of two is called the first does not depend on the order they were handed over in.
    for place in sorted(range(len(found)), key=lambda place: found[place].event.file):
        summary = found[place]
        event = summary.event
        out = left_out.get(place, frozenset())
        rounds = {number: (one, mark) for number, (one, _, mark) in summary.rounds.items() if number not in out}
        own = _Known(
            event.file, event.file, str(event.start or ""), str(event.end or ""), event.control, summary.players, summary.games, rounds,
            summary.fingerprint, place,
        )  # fmt: skip
        if (twin := by_print.get(own.fingerprint)) and summary.players:
            findings.add(
                "duplicate-report", place, f"the same event with the same games as {twin.where}",
                "leave one of the two out" if twin.place >= 0 else "leave it out: it has been rated", event.line,
            )  # fmt: skip
            continue
        relatives = {
            id(known): known for number, (_, mark) in own.rounds.items() for known in by_mark.get((number, mark), ())
        }
        for known in relatives.values():
            if _related(own, known):
                _tell(columns, findings, own, known)
                break
        remember(own)


def _related(one: _Known, two: _Known) -> bool:
    """Whether two reports are of one event: the same control, days that overlap, and half of the rounds both hold paired alike.

    A report without dates overlaps with any.
    """
    if one.control != two.control:
        return False
    if (one.start and two.end and one.start > two.end) or (two.start and one.end and two.start > one.end):
        return False
    common = one.rounds.keys() & two.rounds.keys()
    alike = sum(one.rounds[number][1] == two.rounds[number][1] for number in common)
    return alike * 2 >= len(common)


def _tell(columns: Columns, findings: Findings, own: _Known, known: _Known) -> None:
    shared = sorted(number for number, marks in own.rounds.items() if known.rounds.get(number) == marks)
    other = sorted(number for number in own.rounds.keys() & known.rounds.keys() if number not in shared)
    line = columns.events[own.place].line
    more = sorted(own.rounds.keys() - known.rounds.keys())
    less = sorted(known.rounds.keys() - own.rounds.keys())
    if shared and not other and (more or less):
        new = f"; new: {_rounds(more)}" if more else ""
        findings.add(
            "rounds-again", own.place,
            f"{_rounds(shared)} {'is' if len(shared) == 1 else 'are'} the same as in {known.where}: these games would be rated twice{new}",
            f"hand over only the new rounds, or decide 'leave out rounds {shared[0]}-{shared[-1]}' for this file" if more
            else f"leave this report out: {known.file} holds all of it", line,
        )  # fmt: skip
        return
    changes = _differences(columns, own.place, known.place) if known.place >= 0 else []
    if not changes:
        if own.players != known.players:
            changes.append(f"players {known.players} -> {own.players}")
        if other:
            changes.append(f"{_rounds(other)} changed")
        if more:
            changes.append(f"{_rounds(more)} added")
        if less:
            changes.append(f"{_rounds(less)} gone")
        if own.games != known.games:
            changes.append(f"games {known.games} -> {own.games}")
    if (own.start, own.end) != (known.start, known.end):
        changes.append(f"dates {known.start} to {known.end} -> {own.start} to {own.end}")
    said = "; ".join(changes) or "other games"
    if known.place < 0:
        hint = "to correct a sealed month put this report in the place of the old one and run that month again with --replace, then rerun the later ones"
        findings.add("correction", own.place, f"the same event as {known.where}, with changes: {said}", hint, line)
        return
    hint = f"leave out the one that is wrong: {known.file} or {own.file}"
    findings.add("correction", own.place, f"the same event as {known.file}, with changes: {said}", hint, line)
    findings.add(
        "correction",
        known.place,
        f"the same event as {own.file}, which has changes: {said}",
        hint,
        columns.events[known.place].line,
    )


def _rounds(numbers: Sequence[int]) -> str:
    if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"rounds {numbers[0]} to {numbers[-1]}"
    return f"{'round' if len(numbers) == 1 else 'rounds'} {', '.join(map(str, numbers))}"


def _differences(columns: Columns, new: int, old: int, most: int = 5) -> list[str]:
    """What changed between two reports of this run, in words."""
    before, after = (_games(columns, place) for place in (old, new))
    people_before, people_after = (dict(_named(columns, place)) for place in (old, new))
    changes = []
    for word, there, gone in (("added", people_after, people_before), ("gone", people_before, people_after)):
        names = [who for key, who in there.items() if key not in gone]
        if names:
            changes.append(
                f"{len(names)} {'player' if len(names) == 1 else 'players'} {word}: {'; '.join(names[:3])}{' ...' if len(names) > 3 else ''}"
            )
    results = [
        f"round {key[0]}, {who}: {WORDS.get(before[key][1], before[key][1])} -> {WORDS.get(letter, letter)}"
        for key, (who, letter) in after.items()
        if key in before and before[key][1] != letter and str(key[1]) < str(key[2])
    ]
    if results:
        changes.append(
            f"{len(results)} {'result' if len(results) == 1 else 'results'} changed: {'; '.join(results[:most])}{' ...' if len(results) > most else ''}"
        )
    games = [len(after.keys() - before.keys()) // 2, len(before.keys() - after.keys()) // 2]
    for count, word in zip(games, ("new", "gone"), strict=True):
        if count:
            changes.append(f"{count} {'pairing' if count == 1 else 'pairings'} {word}")
    return changes


def _named(columns: Columns, place: int) -> list[tuple[object, str]]:
    rows = columns.entries_of(place)
    names = columns.names(rows)
    ids = columns.fideid[rows].tolist()
    return [(code or " ".join(sorted(plain(name).split())), name) for code, name in zip(ids, names, strict=True)]


def _games(columns: Columns, place: int) -> dict[tuple[int, object, object], tuple[str, str]]:
    """Round, player and opponent -> the player's name and his result."""
    start = int(columns.entry_start[place])
    people = _named(columns, place)
    cells = columns.cells_of(place)
    games = {}
    for row in range(cells.start, cells.stop):
        if columns.opponent[row] >= 0:
            key, who = people[columns.entry[row] - start]
            other = people[columns.opponent[row] - start][0]
            games[int(columns.round[row]), key, other] = (who, chr(columns.result[row]))
    return games
