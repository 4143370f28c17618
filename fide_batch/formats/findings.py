"""The problems of one file while it is being read: collected in the words of the reader, bounded however bad the file is."""

from __future__ import annotations

from fide_batch.model import Problem

MOST = 100
"""So many problems of one code are told of one file one by one; the rest is counted."""

SHOWN = 400
"""A source line is kept for the caret up to this column."""


class Findings:
    """Problems found in one file, in the order found."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._problems: list[Problem] = []
        self._counts: dict[tuple[str, str], int] = {}

    def error(self, code: str, message: str, hint: str = "", **place: object) -> None:
        """Something that stops the month."""
        self.add(code, "error", message, hint, **place)  # type: ignore[arg-type]

    def warning(self, code: str, message: str, hint: str = "", **place: object) -> None:
        """Something a person should look at."""
        self.add(code, "warning", message, hint, **place)  # type: ignore[arg-type]

    def note(self, code: str, message: str, hint: str = "", **place: object) -> None:
        """A repair, or a choice made."""
        self.add(code, "note", message, hint, **place)  # type: ignore[arg-type]

    def add(
        self,
        code: str,
        severity: str,
        message: str,
        hint: str = "",
        line: int | None = None,
        column: int | None = None,
        source: str = "",
    ) -> None:
        """One more problem; beyond ``MOST`` of a code and severity it is only counted."""
        count = self._counts[code, severity] = self._counts.get((code, severity), 0) + 1
        if count <= MOST:
            shown = source[:SHOWN] if column is None or column <= SHOWN else ""
            self._problems.append(Problem(code, severity, self.file, line, column or None, message, hint, shown))

    @property
    def broken(self) -> bool:
        """Whether an error was found."""
        return any(severity == "error" for _, severity in self._counts)

    def all(self) -> list[Problem]:
        """Every problem, and for a code with more than ``MOST`` a last one that counts the rest."""
        rest = [
            Problem(code, severity, self.file, None, None, f"and {count - MOST} more problems of this kind in the file")
            for (code, severity), count in self._counts.items()
            if count > MOST
        ]
        return self._problems + rest


def shown(text: str, most: int = 40) -> str:
    """A piece of a file for a message: in quotes, control characters visible, cut when long."""
    text = text.strip()
    return repr(text if len(text) <= most else text[:most] + "…")
