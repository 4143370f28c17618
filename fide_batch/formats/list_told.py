"""What is told of a list while it is read: each kind of problem a few times, then counted; a repair once, with its count."""

from __future__ import annotations

from dataclasses import dataclass

from fide_batch.model import Problem, Refused

MOST = 20
"""Errors of one kind told one by one; the rest are counted."""

MOST_ERRORS = 10_000
"""After so many errors reading stops: the file is another than its heading says, and nobody will correct so many lines."""

NOT_A_LIST = "list-not-a-list"
LOOK = "is this the right file? a list needs columns for id, name and rating"


@dataclass
class _Repeat:
    severity: str
    line: int | None
    message: str
    hint: str
    count: int = 0


class Told:
    """The problems of one file. Errors are told one by one up to ``MOST`` a code; what is the same for many rows is told once."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.errors = 0
        self._single: list[Problem] = []
        self._counts: dict[tuple[str, str], int] = {}
        self._repeats: dict[tuple[str, str], _Repeat] = {}

    def error(
        self,
        code: str,
        message: str,
        hint: str = "",
        *,
        line: int | None = None,
        column: int | None = None,
        source: str = "",
    ) -> None:
        """One error at one place.

        Raises:
            Refused: with all that was told, when there are too many.
        """
        self.errors += 1
        if self.errors > MOST_ERRORS:
            hint = "correct the first ones and read the list again"
            self._one(
                Problem(
                    "list-line",
                    "error",
                    self.file,
                    line,
                    None,
                    f"more than {MOST_ERRORS:,} errors: the rest was not read",
                    hint,
                )
            )
            raise Refused(*self.problems)
        self._one(Problem(code, "error", self.file, line, column, message, hint, source[:400]))

    def warning(self, code: str, message: str, hint: str = "", *, line: int | None = None) -> None:
        """One warning about the file."""
        self._one(Problem(code, "warning", self.file, line, None, message, hint))

    def note(self, code: str, message: str, hint: str = "", *, line: int | None = None) -> None:
        """One choice made for the file."""
        self._one(Problem(code, "note", self.file, line, None, message, hint))

    def rows(self, code: str, severity: str, kind: str, line: int | None, hint: str = "", count: int = 1) -> None:
        """Something that happens in many rows: told once, with the first line and the number of rows."""
        seen = self._repeats.get((code, kind))
        if seen is None:
            seen = self._repeats[code, kind] = _Repeat(severity, line, kind, hint)
        elif line is not None and (seen.line is None or line < seen.line):
            seen.line = line
        seen.count += count

    def enough(self, code: str, severity: str) -> bool:
        """Whether so many of a kind have been told that one more is only counted."""
        return self._counts.get((code, severity), 0) >= MOST

    def again(self, problem: Problem) -> None:
        """A problem told before, when a file is read anew."""
        self._one(problem)

    def _one(self, problem: Problem) -> None:
        key = (problem.code, problem.severity)
        self._counts[key] = self._counts.get(key, 0) + 1
        if self._counts[key] <= MOST:
            self._single.append(problem)

    @property
    def problems(self) -> list[Problem]:
        """All of them, by place."""
        told = list(self._single)
        for (code, severity), count in self._counts.items():
            if count > MOST:
                last = [problem for problem in self._single if problem.code == code and problem.severity == severity][
                    -1
                ]
                told.append(
                    Problem(
                        code,
                        severity,
                        self.file,
                        None,
                        None,
                        f"and {count - MOST:,} more like the {MOST} told one by one",
                        last.hint,
                    )
                )
        for (code, _kind), repeat in self._repeats.items():
            rows = f"{repeat.count:,} row" + ("s" if repeat.count != 1 else "")
            first = f", first in line {repeat.line}" if repeat.count > 1 and repeat.line else ""
            told.append(
                Problem(
                    code,
                    repeat.severity,
                    self.file,
                    repeat.line,
                    None,
                    f"{repeat.message} ({rows}{first})",
                    repeat.hint,
                )
            )
        return sorted(told, key=lambda problem: problem.sort_key)
