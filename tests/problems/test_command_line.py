"""The same words and places through the command line, and a month that has errors writes nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fide_batch.cli import app
from tests.problems.test_problems import FOLDER

FAULTS = (
    "sides-disagree",
    "wrong-person",
    "repeated-id",
    "duplicate-report",
    "incomplete",
    "pace-unclear",
    "after-period",
)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a list."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "results").mkdir()
    return tmp_path


def hand_over(workspace: Path, *codes: str) -> None:
    """The reports of some cases, each in a folder of its own, and the list of the first."""
    shutil.copy(FOLDER / codes[0] / "list.csv", workspace / "list.csv")
    for code in codes:
        place = workspace / "results" / code
        place.mkdir()
        for path in (FOLDER / code).glob("*.trf"):
            shutil.copy(path, place / path.name)


@pytest.mark.parametrize("code", FAULTS)
def test_a_faulty_report_stops_the_month_with_the_same_words(workspace: Path, code: str) -> None:
    hand_over(workspace, code)

    done = CliRunner().invoke(app, ["run", "--period", "2026-11", "--list", "list.csv", "results"])

    assert done.exit_code == 1, done.output
    for line in (FOLDER / code / "expected.txt").read_text("utf-8").splitlines():
        place, _, said = line.partition(": ")
        if f"[{code}]" in line:
            assert (
                f"results/{code}/{place}: {said}".replace(" as again.trf", f" as results/{code}/again.trf")
                in done.output
            )
    assert not (workspace / "archive").exists() and not (workspace / "lists").exists()


def test_all_faults_of_all_reports_are_told_at_once(workspace: Path) -> None:
    hand_over(workspace, *(code for code in FAULTS if code != "duplicate-report"))

    done = CliRunner().invoke(app, ["run", "--period", "2026-11", "--list", "list.csv", "results"])

    assert done.exit_code == 1
    for code in FAULTS:
        assert code == "duplicate-report" or f"[{code}]" in done.output


def test_a_list_of_codes_is_accepted(workspace: Path) -> None:
    hand_over(workspace, "wrong-person")

    done = CliRunner().invoke(
        app, ["run", "--period", "2026-11", "--list", "list.csv", "--accept", "wrong-person", "--dry-run", "results"]
    )

    assert done.exit_code == 0, done.output
    assert "warning: 1 Petit, Lea" in done.output


def test_decisions_are_applied_and_shown(workspace: Path) -> None:
    hand_over(workspace, "sides-disagree")
    (workspace / "decisions.csv").write_text(
        "file,row,code,decision,reason\nreport.trf,1,,leave out round 3,the players cannot agree\n"
    )

    done = CliRunner().invoke(app, ["run", "--period", "2026-11", "--list", "list.csv", "--json", "results"])

    assert done.exit_code == 0, done.output
    problems = json.loads(done.stdout)["problems"]
    assert any(row["code"] == "decided" and "the players cannot agree" in row["message"] for row in problems)


def test_check_prints_a_control_list_and_changes_nothing(workspace: Path) -> None:
    hand_over(workspace, "unidentified")

    done = CliRunner().invoke(app, ["check", "--period", "2026-11", "--list", "list.csv", "results"])

    assert done.exit_code == 0, done.output
    assert "Control list" in done.output and "Harbour" in done.output
    assert "same name as 1503014 Vale, Ann (ENG, 2003)" in done.output
    assert sorted(path.name for path in workspace.iterdir()) == ["list.csv", "results"]


def test_faulty_reports_are_skipped_when_told_so(workspace: Path) -> None:
    hand_over(workspace, "after-closing", "sides-disagree")

    done = CliRunner().invoke(
        app, ["run", "--period", "2026-11", "--list", "list.csv", "--skip-faulty", "--json", "results"]
    )

    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["left_out"] == ["results/sides-disagree/report.trf"]
