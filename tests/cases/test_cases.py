"""Whole months as folders of files, each worked by hand in its README.

A case holds ``case.toml`` (period, rules, what it shows), ``list.csv`` (of the
month before, or of the month in its name), ``reports/`` and the tables expected: ``expected-changes.csv``,
whose rows are all there are, and where it matters ``expected-list.csv``, ``expected-pending.csv`` or ``expected-events.csv``, whose rows
must be among those of the month. Only the columns an expected table has are compared.
"""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import pytest

from tests.official.command_line import exported, fide_batch

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/*/case.toml"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def shown(row: dict[str, str], columns: list[str]) -> tuple[str, ...]:
    return tuple(row[column] for column in columns)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_case(case: Path, tmp_path: Path) -> None:
    said = tomllib.loads((case / "case.toml").read_text("utf-8"))
    fide_batch(
        "run", "--workspace", tmp_path, "--list", next(case.glob("list*.csv")), "--rules", said["rules"], "--period", said["period"],
        case / "reports",
    )  # fmt: skip
    for expected in sorted(case.glob("expected-*.csv")):
        table = expected.stem.removeprefix("expected-")
        wanted, found = rows(expected), exported(tmp_path, said["period"], table)
        columns = list(wanted[0])
        mine, theirs = [shown(row, columns) for row in wanted], [shown(row, columns) for row in found]
        if table == "changes":
            assert sorted(theirs) == sorted(mine), f"{table}: {columns}"
        else:
            assert [row for row in mine if row not in theirs] == [], f"{table}: not among {theirs}"


def test_every_edition_has_its_cases() -> None:
    from tests.oracle.law import NAMES

    for name in NAMES:
        assert len(list((HERE / name).glob("*/README.md"))) >= 2, name
