"""A table as it lies in a file, before anybody knows what it means: sheets, rows, cells, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from fide_batch.formats.findings import Findings
from fide_batch.model import Problem
from fide_batch.words import column_name


class Row(NamedTuple):
    """A row that is not empty: the line of the file (CSV) or the row number (workbook), counting from 1, and its cells."""

    line: int
    cells: list[Any]


@dataclass
class Sheet:
    """One sheet of a workbook, or a whole CSV file."""

    name: str
    rows: list[Row]
    book: bool = False
    """Whether cells have names such as C7."""


@dataclass
class Opened:
    """What opening a file gave: its sheets, or the problems that say why there are none. Problems carry no file name yet."""

    sheets: list[Sheet] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    kind: str = ""
    """CSV, XLSX, XLS or ODS."""

    @property
    def failed(self) -> bool:
        """Whether the file could not be opened at all."""
        return not self.sheets and any(problem.severity == "error" for problem in self.problems)


class SheetFindings(Findings):
    """Problems of one table. The message names the cell (C7) where the file is a workbook."""

    def at(
        self, severity: str, code: str, sheet: Sheet, line: int, column: int | None, message: str, hint: str = ""
    ) -> None:
        """One problem at a cell, counted from 1, or at a row when ``column`` is None."""
        if sheet.book:
            place = f"cell {column_name(column)}{line}" if column else f"row {line}"
            message = f"{place} of sheet {sheet.name!r}: {message}"
        self.add(code, severity, message, hint, line=line, column=column)

    def take(self, problems: list[Problem]) -> None:
        """Problems found in opening, under this file's name."""
        for problem in problems:
            self.add(problem.code, problem.severity, problem.message, problem.hint, problem.line, problem.column)


def named(problems: list[Problem], file: str) -> list[Problem]:
    """The same problems under a file's name."""
    return [replace(problem, file=file) for problem in problems]
