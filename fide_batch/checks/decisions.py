"""The rating officer's rulings: which report, player or problem each line of ``decisions.csv`` is about, and what it changes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from fide_batch.checks import catalogue
from fide_batch.checks.situation import SealedMonth
from fide_batch.model import CONTROLS, Event, Problem, Reports, id_code, numbers, with_columns
from fide_batch.settings import Decision

KINDS = ("swiss", "round robin")
"""What the type of a tournament can be forced to."""

FORMS = (
    "accept", "id 123456", "leave out", "leave out round 3", "leave out rounds 1-3", "control rapid", "type swiss", "type round robin", "start 2026-10-01",
    "end 2026-10-05",
)  # fmt: skip
"""How decisions are written."""


@dataclass(frozen=True)
class Ruling:
    """A decision understood: ``verb`` is accept, id, leave out, control, type, start or end; ``value`` what follows it."""

    decision: Decision
    verb: str
    value: str = ""
    number: int = 0
    """The id code of ``id``, the round of ``leave out round``."""
    start_number: int = 0
    """Of the player it is about; 0 for the whole report or a line."""
    line: int = 0
    last: int = 0
    """Of ``leave out rounds``: the last one."""


def understand(decision: Decision) -> Ruling | str:
    """A decision's words as a ruling, or, as text, what is wrong with them."""
    words = " ".join(decision.decision.lower().split())
    start_number = line = 0
    row = " ".join(decision.row.lower().split())
    if row:
        found = re.fullmatch(r"(line |#)?(\d{1,9})", row)
        if not found:
            return f"row {decision.row!r}; expected a start number such as 12, or line 34"
        if found[1] == "line ":
            line = int(found[2])
        else:
            start_number = int(found[2])
    verb, _, rest = words.partition(" ")
    if words == "accept":
        if decision.code and decision.code not in catalogue.CODES:
            return f"no problem has the code {decision.code!r}{near(decision.code, catalogue.CODES)}"
        if decision.code and not catalogue.CODES[decision.code].may_be_accepted:
            return f"{decision.code} cannot be accepted: {catalogue.CODES[decision.code].action}"
        return Ruling(decision, "accept", start_number=start_number, line=line)
    if verb == "id" and rest:
        if not row:
            return "an id needs a row: whose id is it?"
        try:
            code = id_code(decision.decision.strip().partition(" ")[2].strip(" '\""))
        except ValueError:
            code = 0
        if not code:
            return f"{rest!r} cannot be an id"
        return Ruling(decision, "id", rest, code, start_number, line)
    if words == "leave out":
        return Ruling(decision, "leave out", start_number=start_number, line=line)
    if found := re.fullmatch(r"leave out rounds? (\d{1,4})(?: ?(?:-|to) ?(\d{1,4}))?", words):
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last:
            return f"rounds {first} to {last}: the last is before the first"
        return Ruling(decision, "leave out round", found[1], first, start_number, line, last)
    if verb == "control" and rest in CONTROLS and not row:
        return Ruling(decision, "control", rest)
    if verb == "type" and rest.replace("-", " ") in KINDS and not row:
        return Ruling(decision, "type", rest.replace("-", " "))
    if verb in ("start", "end") and not row:
        try:
            date.fromisoformat(rest)
        except ValueError:
            return f"{rest!r} is not a date; expected year-month-day such as 2026-10-01"
        return Ruling(decision, verb, rest)
    if verb in ("control", "type", "start", "end") and row:
        return f"{words!r} is about the whole report; leave the row empty"
    return f"unknown decision {decision.decision!r}{near(words, FORMS)}"


def near(word: str, known: Iterable[str]) -> str:
    """`` (did you mean ...?)`` where a known word is near."""
    found = difflib.get_close_matches(word, list(known), 1, 0.5)
    return f" (did you mean {found[0]!r}?)" if found else ""


def _wanted(decision: Decision) -> str:
    return decision.file.replace("\\", "/").strip("/")


def _named_in(sealed: Iterable[SealedMonth]) -> set[str]:
    """What a decision may call the reports of sealed months, as ``concerns`` has it: no name, their names, and every end of their paths."""
    files = [report.file.replace("\\", "/") for month in sealed for report in month.reports()]
    return {
        file[place:] for file in files for place in (0, len(file), *(slash.end() for slash in re.finditer("/", file)))
    }


def concerns(decision: Decision, file: str) -> bool:
    """Whether a decision is about a file: no name, its name, or the end of its path."""
    wanted = _wanted(decision)
    name = file.replace("\\", "/")
    return not wanted or name == wanted or name.endswith("/" + wanted)


@dataclass
class Rulings:
    """The decisions, by the reports they are about."""

    of_event: dict[int, list[Ruling]] = field(default_factory=dict)
    faults: list[Problem] = field(default_factory=list)
    everything: list[Ruling] = field(default_factory=list)
    used: set[Decision] = field(default_factory=set)
    line_numbers: dict[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    """Lines of an event's start number, for those a decision names."""

    @classmethod
    def of(cls, decisions: Sequence[Decision], reports: Reports) -> Rulings:
        """Decisions understood and matched with reports. Those not understood are among ``faults``."""
        rulings = cls()
        number = line = start = None
        for decision in decisions:
            ruling = understand(decision)
            if isinstance(ruling, str):
                rulings.faults.append(
                    Problem(
                        "decision-unknown", "error", decision.source or "decisions.csv", decision.line or None, None, ruling,
                        "known are: " + "; ".join(FORMS),
                    )
                )  # fmt: skip
                continue
            rulings.everything.append(ruling)
            for place, event in enumerate(reports.events):
                if not concerns(decision, event.file):
                    continue
                meant = ruling
                if ruling.start_number:
                    if number is None or line is None or start is None:
                        number, line = numbers(reports.entries, "number"), numbers(reports.entries, "line")
                        start = np.searchsorted(numbers(reports.entries, "event"), np.arange(len(reports.events) + 1))
                    rows = slice(int(start[place]), int(start[place + 1]))
                    found = line[rows][number[rows] == ruling.start_number]
                    if not len(found) and (line[rows] == ruling.start_number).any():
                        # Nobody has that start number, and a player stands in that line: who counts rows of a sheet means the line.
                        meant = replace(ruling, start_number=0, line=ruling.start_number)
                    else:
                        rulings.line_numbers[place, ruling.start_number] = frozenset(found.tolist())
                rulings.of_event.setdefault(place, []).append(meant)
        return rulings

    def has_accept(self, event: int) -> bool:
        """Whether any problem of an event is accepted by decision."""
        return any(ruling.verb == "accept" for ruling in self.of_event.get(event, ()))

    def accepts(self, event: int, code: str, line: int | None) -> bool:
        """Whether a decision accepts a problem; that decision then counts as used."""
        known = catalogue.CODES.get(code)
        codes = (code,) if known and known.by_name else ("", code)
        accepted = False
        for ruling in self.of_event.get(event, ()):
            if ruling.verb == "accept" and ruling.decision.code in codes:
                if ruling.line and ruling.line != line:
                    continue
                if ruling.start_number and line not in self.line_numbers.get((event, ruling.start_number), ()):
                    continue
                self.used.add(ruling.decision)
                accepted = True
        return accepted

    def verbs(self, event: int, *verbs: str) -> list[Ruling]:
        """The rulings of an event with one of some verbs."""
        return [ruling for ruling in self.of_event.get(event, ()) if ruling.verb in verbs]

    def rounds_out(self, event: int) -> frozenset[int]:
        """The rounds of an event that are left out whole."""
        return frozenset(
            number
            for ruling in self.verbs(event, "leave out round")
            if not ruling.line and not ruling.start_number
            for number in range(ruling.number, ruling.last + 1)
        )

    def lines_of(self, event: int, ruling: Ruling) -> frozenset[int]:
        """The lines of the player a ruling is about."""
        if ruling.line:
            return frozenset({ruling.line})
        return self.line_numbers.get((event, ruling.start_number), frozenset())

    def rows_of(self, event: int, ruling: Ruling, number: np.ndarray, line: np.ndarray, rows: slice) -> np.ndarray:
        """The rows of players a ruling is about; all of the report where it names none."""
        if not ruling.line and not ruling.start_number:
            return np.arange(rows.start, rows.stop)
        if ruling.line:
            return rows.start + np.flatnonzero(line[rows] == ruling.line)
        return rows.start + np.flatnonzero(number[rows] == ruling.start_number)


@dataclass(frozen=True)
class Applied:
    """The reports as ruled."""

    reports: Reports
    kept: np.ndarray
    """bool per event handed over: not left out."""
    left_out: np.ndarray
    """bool per player-round of ``reports``: left out by decision."""
    out: np.ndarray
    """bool per player of ``reports``: left out by decision."""
    gone: list[Event]
    """The reports left out."""


def apply(rulings: Rulings, reports: Reports) -> Applied:
    """The reports with the rulings about whole reports, ids and games applied. Rulings that found something to change count as used."""
    changes: dict[str, dict[int, object]] = {}
    keep = np.ones(len(reports.events), bool)
    for event, of_event in rulings.of_event.items():
        for ruling in of_event:
            whole = not (ruling.start_number or ruling.line)
            if ruling.verb == "leave out" and whole:
                keep[event] = False
            elif ruling.verb in ("control", "type", "start", "end"):
                name = {"type": "forced_kind"}.get(ruling.verb, ruling.verb)
                value = date.fromisoformat(ruling.value) if ruling.verb in ("start", "end") else ruling.value
                changes.setdefault(name, {})[event] = value
                if ruling.verb == "control":
                    changes.setdefault("control_from", {})[event] = "decisions.csv"
            else:
                continue
            rulings.used.add(ruling.decision)
    if changes:
        reports = reports.with_events(
            **{
                name: [of.get(place, getattr(event, name)) for place, event in enumerate(reports.events)]
                for name, of in changes.items()
            }
        )
    reports, marked, out = _rows(rulings, reports, keep)
    gone = [event for event, kept in zip(reports.events, keep, strict=True) if not kept]
    if gone:
        marked = marked[keep[numbers(reports.cells, "event")]]
        out = out[keep[numbers(reports.entries, "event")]]
        reports = reports.only(keep)
    return Applied(reports, keep, marked, out, gone)


def _rows(rulings: Rulings, reports: Reports, keep: np.ndarray) -> tuple[Reports, np.ndarray, np.ndarray]:
    """Ids given to players, and which player-rounds and players are left out."""
    marked = np.zeros(reports.cells.num_rows, bool)
    out = np.zeros(reports.entries.num_rows, bool)
    wanted = [
        (event, ruling)
        for event in rulings.of_event
        if keep[event]
        for ruling in rulings.verbs(event, "id", "leave out", "leave out round")
        if ruling.start_number or ruling.line or ruling.verb == "leave out round"
    ]
    if not wanted:
        return reports, marked, out
    number, line = numbers(reports.entries, "number"), numbers(reports.entries, "line")
    starts = np.searchsorted(numbers(reports.entries, "event"), np.arange(len(reports.events) + 1))
    fideid = numbers(reports.entries, "fideid").copy()
    id_found = None
    own, other, rounds = (numbers(reports.cells, name) for name in ("entry", "opponent", "round"))
    for event, ruling in wanted:
        rows = rulings.rows_of(event, ruling, number, line, slice(int(starts[event]), int(starts[event + 1])))
        if not len(rows):
            continue
        if ruling.verb == "id":
            fideid[rows] = ruling.number
            id_found = id_found or reports.entries.column("id_found").to_pylist()
            for row in rows.tolist():
                id_found[row] = ""
        else:
            cells = np.isin(own, rows) | np.isin(other, rows)
            if ruling.verb == "leave out round":
                cells &= (rounds >= ruling.number) & (rounds <= ruling.last)
                if not cells.any():
                    continue
            else:
                out[rows] = True
            marked |= cells
        rulings.used.add(ruling.decision)
    columns: dict[str, object] = {"fideid": fideid}
    if id_found is not None:
        columns["id_found"] = id_found
    entries = with_columns(reports.entries, **columns)
    return Reports(reports.events, entries, reports.cells, reports.problems), marked, out


def notes(rulings: Rulings, reports: Reports, sealed: Sequence[SealedMonth] = ()) -> list[Problem]:
    """A note for each decision applied, a warning for each that matched nothing.

    A decision on a report of a sealed month has served there: nothing is said of it.
    """
    found = []
    named: set[str] | None = None
    for ruling in rulings.everything:
        decision = ruling.decision
        what = " ".join(filter(None, [
            decision.decision, f"({decision.code})" if decision.code else "",
            f"for row {decision.row}" if decision.row else "", f"of {decision.file}" if decision.file else "",
        ]))  # fmt: skip
        place = (decision.source or "decisions.csv", decision.line or None, None)
        if decision in rulings.used:
            found.append(Problem("decided", "note", *place, f"applied: {what}; reason: {decision.reason}"))
        else:
            if decision.file:
                named = _named_in(sealed) if named is None else named
                if _wanted(decision) in named:
                    continue
            known = not decision.file or any(concerns(decision, event.file) for event in reports.events)
            why = "nothing there to decide" if known else f"no report is called {decision.file}"
            found.append(
                Problem(
                    "decision-unused", "warning", *place, f"matches nothing: {what}; {why}",
                    "correct the file or row, or delete the line when it has served",
                )
            )  # fmt: skip
    return found
