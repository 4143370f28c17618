"""Killed at any moment: the archive is as it was before or as it is after, no half file passes for a result, and the next command works."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from fide_batch.archive import Archive
from tests.reliability.workplace import Commands, standing, tree


@dataclass(frozen=True)
class Deed:
    """A command that changes something, and what it makes of the workspace when nobody kills it."""

    name: str
    args: tuple[str, ...]
    before: dict[str, str]
    after: dict[str, str]
    lists_before: dict[str, bytes]
    lists_after: dict[str, bytes]
    seconds: float
    changes: list[str]
    """The calls that change the file system, in order."""


DEEDS = {
    "run": ("run", "--period", "2027-01", "reports/2027-01", "-q"),
    "replace": ("run", "--replace", "--period", "2026-12", "corrected/2026-12", "-q"),
    "rerun": ("rerun", "--from", "2026-11", "--yes", "corrected/2026-11", "-q"),
}
EXPORTS = ("list.csv", "month.xlsx", "month.html", "list.xml", "list.txt", "list.json", "list.parquet")


def deed(fide_batch: Commands, sealed: Path, folder: Path, name: str) -> Deed:
    workspace, log = folder / "whole", folder / "changes"
    shutil.copytree(sealed, workspace)
    before, lists_before = standing(workspace / "archive"), tree(workspace / "lists")
    done = fide_batch(workspace, *DEEDS[name], at={"below": str(workspace), "log": str(log)})
    assert done.code == 0, done.err
    after, lists_after = standing(workspace / "archive"), tree(workspace / "lists")
    assert before != after
    return Deed(name, DEEDS[name], before, after, lists_before, lists_after, done.seconds, log.read_text().splitlines())


def survives(
    fide_batch: Commands, sealed: Path, folder: Path, done: Deed, moment: dict[str, object], *, again: bool = True
) -> str:
    """Kill the deed at a moment, and ask everything that must hold; which of the two states it was."""
    workspace = folder / "killed"
    shutil.rmtree(workspace, ignore_errors=True)
    shutil.copytree(sealed, workspace)
    killed = fide_batch(workspace, *done.args, **moment)
    assert killed.code in (-9, 0), killed.err

    found = standing(workspace / "archive")
    assert found in (done.before, done.after), (moment, "neither as before nor as after")
    for name, data in tree(workspace / "lists").items():
        if not name.startswith("."):
            assert data in (done.lists_before.get(name), done.lists_after[name]), (moment, name)

    if again:
        next_run(fide_batch, workspace, done, found == done.after)
        assert standing(workspace / "archive") == done.after, moment
        assert tree(workspace / "lists") == done.lists_after, moment
    else:
        with Archive(workspace / "archive").locked():
            assert standing(workspace / "archive") == found, moment
    left = {path.name for path in (workspace / "archive").iterdir() if not path.is_dir() or path.suffix == ".partial"}
    assert left <= {"lock"} if again else left <= {"lock", "publishing.json"}, moment
    return "before" if found == done.before else "after"


def next_run(fide_batch: Commands, workspace: Path, done: Deed, sealed_already: bool) -> None:
    """The same command once more."""
    again = fide_batch(workspace, *done.args)
    if done.name == "run" and sealed_already:
        assert again.code == 1
        assert "is sealed already" in again.err
    else:
        assert again.code == 0, again.err


@pytest.mark.parametrize("name", DEEDS)
def test_killed_at_every_renaming_and_some_other_changes(
    fide_batch: Commands, sealed: Path, tmp_path: Path, name: str
) -> None:
    done = deed(fide_batch, sealed, tmp_path, name)
    renames = [place for place, change in enumerate(done.changes, 1) if change.startswith("os.rename")]
    others = random.Random(name).sample([place for place in range(1, len(done.changes)) if place not in renames], 2)
    states = {
        place: survives(
            fide_batch, sealed, tmp_path, done, {"at": {"below": str(tmp_path / "killed"), "number": place}}
        )
        for place in sorted(renames + others)
    }
    assert list(states.values()) == sorted(states.values(), reverse=True), (
        "once the new months stand, they go on standing"
    )
    assert set(states.values()) == {"before", "after"}


def test_killed_while_two_processes_read(fide_batch: Commands, sealed: Path, tmp_path: Path) -> None:
    """Any of the two, at every third change of the file system and at random: the other ends with the first, or reads the rest."""
    done = deed(fide_batch, sealed, tmp_path, "run")
    below = {"below": str(tmp_path / "killed")}
    for place in range(1, len(done.changes) + 1, 3):
        survives(fide_batch, sealed, tmp_path, done, {"two": True, "at": {**below, "number": place}})
    chance = random.Random("two")
    for _ in range(6):
        moment = {"two": True, "kill_after": chance.uniform(0.1, 1) * done.seconds}
        survives(fide_batch, sealed, tmp_path, done, moment)


@pytest.mark.parametrize("name", DEEDS)
def test_killed_at_random_moments(fide_batch: Commands, sealed: Path, tmp_path: Path, name: str) -> None:
    done = deed(fide_batch, sealed, tmp_path, name)
    chance = random.Random(f"short {name}")
    for _ in range(4):
        survives(fide_batch, sealed, tmp_path, done, {"kill_after": chance.uniform(0.1, 1) * done.seconds})


@pytest.mark.soak
@pytest.mark.parametrize("name", DEEDS)
def test_killed_at_every_change_of_the_file_system(
    fide_batch: Commands, sealed: Path, tmp_path: Path, name: str
) -> None:
    done = deed(fide_batch, sealed, tmp_path, name)
    for place in range(1, len(done.changes) + 1):
        survives(fide_batch, sealed, tmp_path, done, {"at": {"below": str(tmp_path / "killed"), "number": place}})


@pytest.mark.soak
@pytest.mark.parametrize("name", DEEDS)
def test_killed_at_two_hundred_random_moments(fide_batch: Commands, sealed: Path, tmp_path: Path, name: str) -> None:
    done = deed(fide_batch, sealed, tmp_path, name)
    chance = random.Random(f"long {name}")
    states = [
        survives(fide_batch, sealed, tmp_path, done, {"kill_after": chance.uniform(0.02, 1.05) * done.seconds})
        for _ in range(200)
    ]
    assert set(states) == {"before", "after"}


def exported(folder: Path, name: str) -> dict[str, bytes]:
    """What an export of this name is: the file, and for pages the folder beside it."""
    return {
        file: data for file, data in tree(folder).items() if not any(part.startswith(".") for part in Path(file).parts)
    }


def killed_export(fide_batch: Commands, sealed: Path, folder: Path, name: str, moments: int, seed: str) -> None:
    """An export of December over one of November: after a kill each file is wholly the one or the other."""
    out = folder / "out"
    states = {}
    for period in ("2026-11", "2026-12"):
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        done = fide_batch(sealed, "export", "--period", period, out / name)
        assert done.code == 0, done.err
        states[period] = exported(out, name)
    chance = random.Random(seed)
    seconds = done.seconds
    for _ in range(moments):
        shutil.rmtree(out)
        out.mkdir()
        assert fide_batch(sealed, "export", "--period", "2026-11", out / name).code == 0
        fide_batch(sealed, "export", "--period", "2026-12", out / name, kill_after=chance.uniform(0.02, 1.05) * seconds)
        for file, data in exported(out, name).items():
            assert data in (states["2026-11"].get(file), states["2026-12"].get(file)), file
        again = fide_batch(sealed, "export", "--period", "2026-12", out / name)
        assert again.code == 0, again.err
        assert exported(out, name) == states["2026-12"]


@pytest.mark.parametrize("name", ["list.csv", "month.xlsx", "month.html"])
def test_an_export_killed_is_the_old_file_or_the_new(
    fide_batch: Commands, sealed: Path, tmp_path: Path, name: str
) -> None:
    killed_export(fide_batch, sealed, tmp_path, name, 2, f"short {name}")


@pytest.mark.soak
@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_killed_at_two_hundred_random_moments(
    fide_batch: Commands, sealed: Path, tmp_path: Path, name: str
) -> None:
    killed_export(fide_batch, sealed, tmp_path, name, 200 // len(EXPORTS) + 1, f"long {name}")


def test_everything_is_on_the_disk_before_a_month_gets_its_name(
    fide_batch: Commands, sealed: Path, tmp_path: Path
) -> None:
    """A power cut keeps what was synced: every file and folder of the month, and the notes, before each renaming that relies on them."""
    done = deed(fide_batch, sealed, tmp_path, "replace")
    workspace = tmp_path / "whole"
    sure: set[str] = set()
    named: list[str] = []
    for change in done.changes:
        event, _, path = change.partition(" ")
        if event == "fsync":
            sure.add(str(Path(path).relative_to(workspace)))
        elif event == "os.rename":
            named.append(path)
            if path.endswith("12.partial"):
                month = "archive/2026-12"
                content = list((workspace / month).rglob("*"))
                needed = {f"{month}.partial"} | {
                    f"{month}.partial/{item.relative_to(workspace / month)}" for item in content
                }
                assert needed <= sure
                assert "archive/replacing.new" in sure
    assert [Path(path).name.split(".csv")[0] for path in named] == [
        "publishing.new", "replacing.new", "2026-12", "2026-12.partial", ".2026-12",
    ]  # fmt: skip
