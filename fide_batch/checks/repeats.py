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
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
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
    rounds: np.ndarray = field(default_factory=lambda: np.zeros((0, 4), np.uint64))
    """uint64, a row a round in order: its number, two sums over its games, the smallest mark of its pairings."""
    games: int = 0
    people: int = 0
    """A sum over the players, for reports without games."""

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of dates and games."""
        head = f"{self.event.start}\n{self.event.end}\n"
        if not len(self.rounds):
            return hashlib.sha256(f"{head}{plain(self.event.name)}\n{self.people:016x}".encode()).hexdigest()
        return hashlib.sha256(head.encode() + self.rounds[:, :3].astype("<u8").tobytes()).hexdigest()

    @cached_property
    def key(self) -> str:
        """What of the event a later report is recognised by: dates, control, players, games, and for each round its games and pairings."""
        event = self.event
        rounds = self.rounds[:, _IN_KEY].astype("<u8").tobytes().hex()
        return f"{event.start or ''}|{event.end or ''}|{event.control}|{self.players}|{self.games}|{rounds}"


_IN_KEY = [0, 1, 3]


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
    letters = _mixed((np.arange(256, dtype=np.uint64) + np.uint64(1)) * _A, _C)
    for piece in columns.slices():
        _sum_up(columns, piece, person, letters, found)
    return found


def _sum_up(columns: Columns, piece: slice, person: np.ndarray, letters: np.ndarray, found: list[Summary]) -> None:
    """The reports of a piece of player-rounds. Of a game the side of the smaller mark is taken, whichever stands first."""
    opponent = columns.opponent[piece]
    own, other = person[columns.entry[piece]], np.take(person, opponent, mode="clip")
    rows = np.flatnonzero((opponent >= 0) & (own < other) & (columns.round[piece] < _ROUND_LIMIT))
    if not len(rows):
        return
    event, rounds = columns.event[piece][rows], columns.round[piece][rows]
    mark = _mixed((own[rows] * _B) ^ other[rows] + rounds.astype(np.uint64), _C)
    one = _mixed(mark ^ letters[columns.result[piece][rows]], _B)
    first = int(event[0])
    most = int(rounds.max()) + 1
    group = (event - first).astype(np.int64) * most + rounds
    count = (int(event[-1]) - first + 1) * most
    if count > 4 * len(rows) + 1000:
        numbers, group = np.unique(group, return_inverse=True)
        count = len(numbers)
    else:
        numbers = np.arange(count)
    # Sums of 32-bit halves in floating point are exact below 2^53, and several times faster than adding whole numbers at places.
    halves = [
        np.bincount(group, (one >> shift & _LOW).astype(np.float64), count).astype(np.uint64)
        for shift in (np.uint64(0), _HALF)
    ]
    least = np.full(count, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(least, group, mark)
    held = np.bincount(group, minlength=count)
    there = np.flatnonzero(held)
    table = np.stack(
        [numbers[there] % most, halves[0][there], halves[1][there], least[there]],
        axis=1,
        dtype=np.uint64,
        casting="unsafe",
    )
    of_event = numbers[there] // most
    starts = np.flatnonzero(np.diff(of_event, prepend=-1))
    games = np.add.reduceat(held[there], starts)
    for start, stop, at, number in zip(
        starts.tolist(), [*starts[1:].tolist(), len(there)], of_event[starts].tolist(), games.tolist(), strict=True
    ):
        summary = found[first + at]
        summary.rounds, summary.games = table[start:stop], number


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
    """A report that shares pairings with another: of this run (``place``) or of a sealed month."""

    file: str
    where: str
    start: str
    end: str
    control: str
    players: int
    games: int
    rounds: dict[int, tuple[int, int]]
    """Round -> sum of its games, smallest mark of its pairings."""
    place: int = -1


def _where(report: SealedReport) -> str:
    return f"{report.file}, rated in {report.period}"


def _table(report: SealedReport) -> np.ndarray:
    """The rounds of a sealed report's key: uint64, number, sum and mark; no rows where the key is of another kind."""
    try:
        return np.frombuffer(bytes.fromhex(report.key.rpartition("|")[2]), "<u8").reshape(-1, 3)
    except ValueError:
        return np.zeros((0, 3), np.uint64)


def _known(head: str, file: str, where: str, rounds: np.ndarray, place: int = -1) -> _Known:
    start, end, control, players, games = head.split("|")[:5]
    marks = {number: (one, mark) for number, one, mark in rounds.tolist()}
    return _Known(file, where, start, end, control, int(players), int(games), marks, place)


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
    by_print = {report.fingerprint: (_where(report), -1) for report in reversed(sealed)}
    tables = [_table(report) for report in sealed] + [summary.rounds[:, _IN_KEY] for summary in found]
    suspects = _sharing(tables)
    by_mark: dict[tuple[int, int], list[_Known]] = {}

    def remember(known: _Known) -> None:
        for number, (_, mark) in known.rounds.items():
            by_mark.setdefault((number, mark), []).append(known)

    for place, report in enumerate(sealed):
        if suspects[place]:
            remember(_known(report.key, report.file, _where(report), tables[place]))
    # By name, so that which of two is called the first does not depend on the order they were handed over in.
    for place in sorted(range(len(found)), key=lambda place: found[place].event.file):
        summary = found[place]
        file = summary.event.file
        twin = by_print.get(summary.fingerprint)
        if twin and summary.players:
            findings.add(
                "duplicate-report", place, f"the same event with the same games as {twin[0]}",
                ("leave one of the two out" if twin[1] >= 0 else "leave it out: it has been rated") + _two_events("duplicate-report"),
                summary.event.line,
            )  # fmt: skip
            continue
        by_print.setdefault(summary.fingerprint, (file, place))
        rounds = tables[len(sealed) + place]
        if not suspects[len(sealed) + place]:
            continue
        if place in left_out:
            rounds = rounds[[int(number) not in left_out[place] for number in rounds[:, 0]]]
        own = _known(summary.key, file, file, rounds, place)
        relatives = {
            id(known): known for number, (_, mark) in own.rounds.items() for known in by_mark.get((number, mark), ())
        }
        for known in relatives.values():
            if _related(own, known) and _alike(columns, own, known):
                _tell(columns, findings, own, known)
                break
        remember(own)


def _two_events(code: str) -> str:
    """The end of a hint: what to do when the report is of an event of its own."""
    return f"; if it is another event, decide 'accept' with the code {code} for this file"


def _sharing(tables: Sequence[np.ndarray]) -> np.ndarray:
    """bool per report: some round of it is paired as in another report."""
    if not tables:
        return np.zeros(0, bool)
    rounds = np.concatenate(tables)
    owner = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    marks = rounds[:, 2] ^ (rounds[:, 0] * _A)
    order = np.argsort(marks)
    same = marks[order][1:] == marks[order][:-1]
    shared = np.zeros(len(tables), bool)
    shared[owner[order[1:][same]]] = True
    shared[owner[order[:-1][same]]] = True
    return shared


def _related(one: _Known, two: _Known) -> bool:
    """Whether two reports are of one event: the same control, days that overlap, and half of the rounds both hold paired alike.

    A report without dates is related to none: it is refused for that, and looked at when it has them.
    """
    if one.control != two.control or not (one.start and one.end and two.start and two.end):
        return False
    if one.start > two.end or two.start > one.end:
        return False
    common = one.rounds.keys() & two.rounds.keys()
    alike = sum(one.rounds[number][1] == two.rounds[number][1] for number in common)
    return alike * 2 >= len(common)


def _alike(columns: Columns, own: _Known, known: _Known) -> bool:
    """Whether a third of the pairings of the smaller report are in the other too, in the rounds both hold.

    The mark of a round is one of its pairings, and one pairing can come up in two events of a day; a corrected report has far more in
    common. Of a sealed report the marks alone are known: there it is left to whoever looks.
    """
    if known.place < 0:
        return True
    common = own.rounds.keys() & known.rounds.keys()
    one, two = ({key for key in _games(columns, each.place) if key[0] in common} for each in (own, known))
    return 3 * len(one & two) >= min(len(one), len(two))


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
            (f"hand over only the new rounds, or decide 'leave out rounds {shared[0]}-{shared[-1]}' for this file" if more
            else f"leave this report out: {known.file} holds all of it") + _two_events("rounds-again"), line,
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
    if own.start and own.end and (own.start, own.end) != (known.start, known.end):
        changes.append(f"dates {known.start} to {known.end} -> {own.start} to {own.end}")
    said = "; ".join(changes) or "other games"
    if known.place < 0:
        hint = (
            "to correct a sealed month put this report in the place of the old one and run that month again with --replace, then rerun the later ones"
            + _two_events("correction")
        )
        findings.add("correction", own.place, f"the same event as {known.where}, with changes: {said}", hint, line)
        return
    hint = f"leave out the one that is wrong: {known.file} or {own.file}" + _two_events("correction")
    told = [(own, known, f"{known.file}, with changes"), (known, own, f"{own.file}, which has changes")]
    for one, twin, which in told:
        message = f"the same event as {which}: {said}"
        findings.add("correction", one.place, message, hint, columns.events[one.place].line, twin=twin.place)


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
