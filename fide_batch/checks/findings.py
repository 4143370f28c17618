"""Where the checks write down what they find: severity from the catalogue, decisions applied, repeats summed up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from fide_batch.checks import catalogue
from fide_batch.checks.decisions import Rulings
from fide_batch.model import Event, Problem

MOST = 20
"""Problems of one code in one file that are told one by one; the rest are counted."""


def one_by_one(event_of: np.ndarray, rows: np.ndarray) -> list[int]:
    """Those of some rows that are told one by one: the first of each event, as many as ``MOST``."""
    seen: dict[int, int] = {}
    told = []
    for row, event in zip(rows.tolist(), event_of[rows].tolist(), strict=True):
        seen[event] = seen.get(event, 0) + 1
        if seen[event] <= MOST:
            told.append(row)
    return told


Wording = Callable[[int], tuple[str, str]]
"""From the place of a row in the columns handed over to message and hint."""


class Findings:
    """Collects problems; knows the decisions, so that an accepted problem is written down as accepted."""

    def __init__(self, events: list[Event], rulings: Rulings, accepted: Iterable[str] = ()) -> None:
        self.events = events
        self.rulings = rulings
        self.accepted = frozenset(accepted)
        self.problems: list[Problem] = []

    def add(
        self, code: str, event: int, message: str, hint: str = "", line: int | None = None, column: int | None = None,
        twin: int | None = None,
    ) -> str:  # fmt: skip
        """One problem of an event; ``twin`` is another it is told of as well: a decision about either accepts both.

        Returns:
            The severity it was written down with.
        """
        severity = self._severity(code, event, line)
        if twin is not None and severity == catalogue.CODES[code].severity:
            severity = self._severity(code, twin, self.events[twin].line)
        if severity != catalogue.CODES[code].severity:
            hint = catalogue.ACCEPTED
        self.problems.append(
            Problem(code, severity, self.events[event].file, line or None, column or None, message, hint)
        )
        return severity

    def add_plain(self, problem: Problem) -> None:
        """A problem that belongs to no report."""
        self.problems.append(problem)

    def take(self, problem: Problem, events: Iterable[int]) -> None:
        """A problem found in reading, with decisions and ``--accept`` applied."""
        known = catalogue.CODES.get(problem.code)
        # One milder than its code ever is has been accepted with the list.
        may = bool(known and problem.severity in known.severities and known.may_accept(problem.severity))
        if may and (
            problem.code in self.accepted
            or any(self.rulings.accepts(event, problem.code, problem.line) for event in events)
        ):
            problem = catalogue.accepted(problem)
        self.problems.append(problem)

    def rows(
        self, code: str, event: np.ndarray, line: np.ndarray, column: np.ndarray | None, word: Wording
    ) -> np.ndarray:
        """A problem for each row of some columns; wording is made only for those that are told one by one.

        Args:
            code: of the catalogue.
            event: int, the place of the report of each row.
            line: int, the line of each row; 0 for none.
            column: int, or None when the column does not matter.
            word: makes message and hint of a row.

        Returns:
            bool, per row: accepted by a decision or ``--accept``.
        """
        count = len(event)
        accepted = np.zeros(count, bool)
        if not count:
            return accepted
        order = np.argsort(event, kind="stable")
        starts = np.flatnonzero(np.diff(event[order], prepend=-1))
        for start, stop in zip(starts, [*starts[1:], count], strict=True):
            group = order[start:stop]
            place = int(event[group[0]])
            severities: dict[str, list[int] | np.ndarray] = {}
            if not self.rulings.has_accept(place):
                severities[self._severity(code, place, None)] = group
            else:
                told: dict[str, list[int]] = {}
                for row in group.tolist():
                    told.setdefault(self._severity(code, place, int(line[row])), []).append(row)
                severities.update(told)
            for severity, members in severities.items():
                taken = severity != catalogue.CODES[code].severity
                accepted[members] = taken
                file = self.events[place].file
                for row in map(int, members[:MOST]):
                    message, hint = word(row)
                    where = int(column[row]) if column is not None else None
                    self.problems.append(
                        Problem(
                            code,
                            severity,
                            file,
                            int(line[row]) or None,
                            where or None,
                            message,
                            catalogue.ACCEPTED if taken else hint,
                        )
                    )
                if len(members) > MOST:
                    more = len(members) - MOST
                    hint = catalogue.ACCEPTED if taken else word(int(members[MOST]))[1]
                    self.problems.append(
                        Problem(
                            code, severity, file, None, None, f"and {more} more like the {MOST} told one by one", hint
                        )
                    )
        return accepted

    def _severity(self, code: str, event: int, line: int | None) -> str:
        known = catalogue.CODES[code]
        if known.severity == "error" and not known.acceptable:
            return "error"
        if code in self.accepted or self.rulings.accepts(event, code, line):
            return catalogue.LOWER[known.severity]
        return known.severity
