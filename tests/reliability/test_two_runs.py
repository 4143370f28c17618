"""Two runs at once: one works, the other is told. A dead run keeps nobody out."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fide_batch.archive import Archive
from tests.reliability.test_faults import copy, told_in_one_line
from tests.reliability.test_killed import DEEDS
from tests.reliability.workplace import ROOT, Commands, Done, standing

RUN = DEEDS["run"]


@pytest.fixture(scope="module")
def another() -> Iterator[Commands]:
    commands = Commands()
    yield commands
    commands.close()


def test_the_second_is_told_questions_are_answered_and_the_dead_block_nobody(
    fide_batch: Commands, another: Commands, sealed: Path, tmp_path: Path
) -> None:
    workspace, at_work = copy(sealed, tmp_path / "workspace"), tmp_path / "at-work"
    first: list[Done] = []

    def run_and_be_killed() -> None:
        first.append(another(workspace, *RUN, between={"do": "wait", "file": str(at_work)}, timeout=8))

    thread = threading.Thread(target=run_and_be_killed)
    thread.start()
    while not at_work.exists():
        assert thread.is_alive()
        time.sleep(0.01)
    for name in ("run", "replace", "rerun"):
        told_in_one_line(fide_batch(workspace, *DEEDS[name]), "another run is at work on this archive", "wait until")
    for question in (
        ["verify"],
        ["explain", "70000049", "--period", "2026-11"],
        ["export", "--period", "2026-12", "x.csv"],
    ):
        done = fide_batch(workspace, *question)
        assert done.code == 0, done.err
    assert not first
    thread.join()
    assert first[0].code == -9
    assert (workspace / "archive/lock").exists()
    done = fide_batch(workspace, *RUN)
    assert done.code == 0, done.err
    assert len(standing(workspace / "archive")) == 3


def race(fide_batch: Commands, another: Commands, folder: Path, sealed: Path, fresh: bool) -> list[Done]:
    """The same month started twice at the same time."""
    workspace = copy(sealed, folder / "workspace")
    if fresh:
        shutil.rmtree(workspace / "archive")
        shutil.rmtree(workspace / "lists")
    args = ("run", "--period", "2026-11", "reports/2026-11", "-q") if fresh else RUN
    found: list[Done] = []
    threads = [threading.Thread(target=lambda c=c: found.append(c(workspace, *args))) for c in (fide_batch, another)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done.code for done in found) == [0, 1], [done.err for done in found]
    loser = max(found, key=lambda done: done.code)
    assert "another run is at work" in loser.err or "is sealed already" in loser.err
    assert len(standing(workspace / "archive")) == (1 if fresh else 3)
    return found


@pytest.mark.parametrize("fresh", [True, False])
def test_started_at_the_same_time_one_seals_the_month(
    fide_batch: Commands, another: Commands, sealed: Path, tmp_path: Path, fresh: bool
) -> None:
    race(fide_batch, another, tmp_path, sealed, fresh)


@pytest.mark.soak
@pytest.mark.parametrize("fresh", [True, False])
def test_started_at_the_same_time_a_hundred_times(
    fide_batch: Commands, another: Commands, sealed: Path, tmp_path: Path, fresh: bool
) -> None:
    for _ in range(100):
        race(fide_batch, another, tmp_path, sealed, fresh)


HOLD = """
import sys, time
from pathlib import Path
from fide_batch.archive import Archive
from fide_batch.model import Refused
archive, tally = Archive(Path(sys.argv[1])), Path(sys.argv[2])
held = 0
end = time.monotonic() + float(sys.argv[3])
while time.monotonic() < end:
    try:
        with archive.locked():
            mark = tally / "inside"
            mark.open("x").close()  # fails when somebody else is inside
            held += 1
            mark.unlink()
    except Refused as refused:
        assert refused.problems[0].code == "archive-busy", refused
    if sys.argv[4] == "failing":
        archive.remove_if_empty()
print(held)
"""


def test_a_failed_first_run_that_takes_its_folder_back_lets_no_two_in(tmp_path: Path) -> None:
    """The lock file itself comes and goes while three processes lock; never are two of them inside."""
    tally = tmp_path / "tally"
    tally.mkdir()
    runs = [
        subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path / "archive"), str(tally), "1.5", kind], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for kind in ("failing", "failing", "working")
    ]  # fmt: skip
    for run in runs:
        out, err = run.communicate(timeout=60)
        assert run.returncode == 0, err
        assert int(out) > 10


def test_a_failed_first_run_leaves_nothing(fide_batch: Commands, sealed: Path, tmp_path: Path) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    shutil.rmtree(workspace / "archive")
    shutil.rmtree(workspace / "lists")
    before = sorted(workspace.rglob("*"))
    assert fide_batch(workspace, "run", "--period", "2026-11", "nowhere").code == 1
    assert sorted(workspace.rglob("*")) == before


def test_a_folder_that_is_no_month_is_none(sealed: Path, tmp_path: Path) -> None:
    archive = copy(sealed / "archive", tmp_path / "archive")
    for name in ("2026-13", "2026-00", "0000-01", "٢٠٢٧-٠١", "2027-01.partial", "notes"):
        (archive / name).mkdir()
    assert [str(period) for period in Archive(archive).periods()] == ["2026-11", "2026-12"]
