"""Every problem the program can tell has a file that provokes it, and is told in exactly these words.

A folder a code: the reports (any file that is not one of the others; or ``make.py``, which makes what cannot stand in a repository), ``list.csv`` (the list of ``list_period``, by default the one before the
period), ``decisions.csv``, ``case.toml`` (period, list_period, accept, skip_faulty, control, limits: limits of the program that are lowered; also: the other errors the file cannot avoid), and
``expected.txt``: the lines printed for this code, each hint below its problem.
"""

from __future__ import annotations

import importlib
import runpy
import tomllib
from pathlib import Path

import pytest

from fide_batch import checks, formats
from fide_batch.checks.situation import Checked, Situation
from fide_batch.model import Period, Refused, Reports
from fide_batch.publish.terminal import problem_line
from fide_batch.settings import read_decisions

FOLDER = Path(__file__).parent
OURS = {"decisions.csv", "case.toml", "expected.txt", "make.py"}
CASES = sorted(path.parent.name for path in FOLDER.glob("*/expected.txt"))


def provoke(code: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Checked, dict]:
    """What a case comes to; ``place`` is a folder for what it makes."""
    folder = FOLDER / code
    case = tomllib.loads((folder / "case.toml").read_text()) if (folder / "case.toml").exists() else {}
    files = [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name not in OURS and not path.name.startswith("list")
    ]
    for limit, value in case.get("limits", {}).items():
        module, _, name = limit.rpartition(".")
        monkeypatch.setattr(importlib.import_module(module), name, value)
    if (folder / "make.py").exists():
        made = runpy.run_path(str(folder / "make.py"))
        files += made["make"](place)
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


def printed(checked: Checked, code: str, *folders: Path) -> str:
    lines = []
    for problem in checked.problems:
        if problem.code == code:
            lines.append(problem_line(problem))
            if problem.hint:
                lines.append(f"  {problem.hint}")
    text = "\n".join(lines) + "\n"
    for folder in folders:
        text = text.replace(f"{folder}/", "")
    return text


@pytest.mark.parametrize("code", CASES)
def test_problem_is_told_in_these_words(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked, _ = provoke(code, tmp_path, monkeypatch)

    assert printed(checked, code, FOLDER / code, tmp_path) == (FOLDER / code / "expected.txt").read_text("utf-8")


@pytest.mark.parametrize("code", CASES)
def test_nothing_else_stops_the_month(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked, case = provoke(code, tmp_path, monkeypatch)

    others = {problem.code for problem in checked.problems if problem.severity == "error"} - {code}
    assert others == set(case.get("also", ()))
