"""Every problem the program can tell has a file that provokes it, and is told in exactly these words.

A folder a code: the reports (any file that is not one of the others), ``list.csv`` (the list of ``list_period``, by default the one before the
period), ``decisions.csv``, ``case.toml`` (period, list_period, accept, skip_faulty, control, also: the other errors the file cannot avoid), and
``expected.txt``: the lines printed for this code, each hint below its problem.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fide_batch import checks, formats
from fide_batch.checks.situation import Checked, Situation
from fide_batch.model import Period, Refused, Reports
from fide_batch.publish.terminal import problem_line
from fide_batch.settings import read_decisions

FOLDER = Path(__file__).parent
OURS = {"list.csv", "decisions.csv", "case.toml", "expected.txt"}
CASES = sorted(path.parent.name for path in FOLDER.glob("*/expected.txt"))


def provoke(code: str) -> tuple[Checked, dict]:
    folder = FOLDER / code
    case = tomllib.loads((folder / "case.toml").read_text()) if (folder / "case.toml").exists() else {}
    files = [path for path in sorted(folder.iterdir()) if path.name not in OURS and not path.name.startswith("list")]
    reports = formats.read_reports(files, control=case.get("control", ""))
    period = Period.parse(case.get("period", "2026-11"))
    problems = []
    lists = []
    listed = next(iter(sorted(folder.glob("list*"))), None)
    if listed:
        try:
            table, problems = formats.read_list(listed)
            lists = [(Period.parse(case.get("list_period", "2026-10")), table)]
        except Refused as refused:
            problems = refused.problems
    decisions = read_decisions(folder / "decisions.csv")
    reports = Reports(reports.events, reports.entries, reports.cells, [*reports.problems, *problems])
    checked = checks.check(reports, Situation(period, lists, decisions, frozenset(case.get("accept", ()))))
    if case.get("skip_faulty"):
        checked, _ = checks.skip_faulty(checked)
    return checked, case


def printed(checked: Checked, code: str, folder: Path) -> str:
    lines = []
    for problem in checked.problems:
        if problem.code == code:
            lines.append(problem_line(problem).replace(f"{folder}/", ""))
            if problem.hint:
                lines.append(f"  {problem.hint}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("code", CASES)
def test_problem_is_told_in_these_words(code: str) -> None:
    checked, _ = provoke(code)

    assert printed(checked, code, FOLDER / code) == (FOLDER / code / "expected.txt").read_text("utf-8")


@pytest.mark.parametrize("code", CASES)
def test_nothing_else_stops_the_month(code: str) -> None:
    checked, case = provoke(code)

    others = {problem.code for problem in checked.problems if problem.severity == "error"} - {code}
    assert others == set(case.get("also", ()))
