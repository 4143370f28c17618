"""The disk is full, the folder may not be written, a file goes or changes meanwhile, the clock is wrong: one clear line, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.reliability.test_killed import DEEDS, Deed, deed
from tests.reliability.workplace import Commands, Done, standing, tree

RUN = DEEDS["run"]


def copy(sealed: Path, to: Path) -> Path:
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(sealed, to)
    return to


def told_in_one_line(done: Done, *words: str) -> None:
    """Status 1, one error that says what happened, and no crash."""
    assert done.code == 1, (done.code, done.err)
    assert done.err.count(": error: ") == 1, done.err
    for word in words:
        assert word in done.err
    assert "unexpected" not in done.err
    assert "LET THROUGH" not in done.err


def failing(fide_batch: Commands, sealed: Path, folder: Path, done: Deed, number: int, how: str) -> None:
    """Let one change of the file system fail; the archive is as before or as after, and the next run brings about what was wanted."""
    workspace = copy(sealed, folder / "failed")
    failed = fide_batch(workspace, *done.args, at={"below": str(workspace), "number": number, "how": how})
    if failed.code == 0:
        return  # something the command can do without, such as telling a folder to the disk
    change = done.changes[number - 1]
    assert failed.code == 1, (number, change, failed.err)
    told_in_one_line(failed, os.strerror(getattr(__import__("errno"), how)))
    found = standing(workspace / "archive")
    assert found in (done.before, done.after), change
    if found == done.before:
        assert tree(workspace / "lists") == done.lists_before, change
    else:
        assert "sealed" in failed.err, f"{change}: sealed, and not a word of it: {failed.err}"
    again = fide_batch(workspace, *done.args)
    assert again.code == (1 if done.name == "run" and found == done.after else 0), (change, again.err)
    assert standing(workspace / "archive") == done.after, change
    assert tree(workspace / "lists") == done.lists_after, change


@pytest.mark.parametrize("name", DEEDS)
def test_the_disk_fails_at_some_changes(fide_batch: Commands, sealed: Path, tmp_path: Path, name: str) -> None:
    done = deed(fide_batch, sealed, tmp_path, name)
    renames = [place for place, change in enumerate(done.changes, 1) if change.startswith("os.rename")]
    for number in {renames[0], renames[-1], len(done.changes) // 2} | ({renames[2]} if name == "rerun" else set()):
        failing(fide_batch, sealed, tmp_path, done, number, "ENOSPC")


@pytest.mark.soak
@pytest.mark.parametrize("how", ["ENOSPC", "EIO", "EACCES", "EROFS"])
@pytest.mark.parametrize("name", DEEDS)
def test_the_disk_fails_at_every_change(
    fide_batch: Commands, sealed: Path, tmp_path: Path, name: str, how: str
) -> None:
    done = deed(fide_batch, sealed, tmp_path, name)
    for number in range(1, len(done.changes) + 1):
        failing(fide_batch, sealed, tmp_path, done, number, how)


@contextmanager
def mounted(where: Path, *how: str) -> Iterator[Path]:
    where.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(["mount", *how, str(where)], capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("no mount command here")
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.strip()}")
    try:
        yield where
    finally:
        subprocess.run(["umount", str(where)], check=True)


def room_for(workspace: Path) -> int:
    return sum(path.stat().st_size + 4096 for path in workspace.rglob("*"))


def fill(folder: Path, leave: int) -> None:
    """Fill a small file system up to so many bytes."""
    free = os.statvfs(folder)
    (folder / "filler").write_bytes(b"x" * max(0, free.f_bavail * free.f_bsize - leave))


@pytest.mark.parametrize("leave", [0, 8192, 40_000, 64_000])
def test_the_disk_is_full(fide_batch: Commands, sealed: Path, tmp_path: Path, leave: int) -> None:
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=3m", "tmpfs") as disk:
        workspace = disk / "workspace"
        shutil.copytree(sealed, workspace)
        before, lists = standing(workspace / "archive"), tree(workspace / "lists")
        fill(disk, leave)
        told_in_one_line(fide_batch(workspace, *RUN), "No space left on device")
        found = standing(workspace / "archive")
        if found == before:
            assert tree(workspace / "lists") == lists
            assert not list((workspace / "archive").glob("*.partial"))
        (disk / "filler").unlink()
        done = fide_batch(workspace, *RUN)
        assert done.code == (0 if found == before else 1), done.err
        assert len(standing(workspace / "archive")) == 3
        assert (workspace / "lists/2027-01.csv").exists()


@pytest.mark.parametrize("largest", [600, 5_000, 7_000])
def test_no_file_may_grow_beyond_a_size(fide_batch: Commands, sealed: Path, tmp_path: Path, largest: int) -> None:
    """What a quota does; it fails inside the writers of tables too."""
    workspace = copy(sealed, tmp_path / "workspace")
    before = standing(workspace / "archive")
    told_in_one_line(fide_batch(workspace, *RUN, limits={"RLIMIT_FSIZE": largest}), "File too large")
    assert standing(workspace / "archive") == before or (workspace / "archive/publishing.json").exists()
    assert len(standing(workspace / "archive")) == 2 or largest > 5_000
    assert not list((workspace / "archive").glob("*.partial"))
    fide_batch(workspace, *RUN)
    assert (workspace / "lists/2027-01.csv").exists()


@pytest.mark.parametrize(
    "name", ["list.csv", "month.xlsx", "month.html", "list.xml", "list.txt", "list.json", "list.parquet"]
)
def test_an_export_to_a_full_disk_leaves_the_old_file(
    fide_batch: Commands, sealed: Path, tmp_path: Path, name: str
) -> None:
    with mounted(tmp_path / "small", "-t", "tmpfs", "-o", "size=2m", "tmpfs") as disk:
        assert fide_batch(sealed, "export", "--period", "2026-11", disk / name).code == 0
        before = tree(disk)
        fill(disk, 0)
        told_in_one_line(fide_batch(sealed, "export", "--period", "2026-12", disk / name), "No space left on device")
        (disk / "filler").unlink()
        assert tree(disk) == before


def test_a_folder_that_may_only_be_read(fide_batch: Commands, sealed: Path, tmp_path: Path) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    with mounted(workspace, "--bind", "-o", "ro", str(workspace)):
        told_in_one_line(fide_batch(workspace, *RUN), "Read-only file system")
        assert fide_batch(workspace, "verify").code == 0
        assert fide_batch(workspace, "explain", "70000049", "--period", "2026-11").code == 0
        told_in_one_line(fide_batch(workspace, "export", "--period", "2026-12", "list.csv"), "Read-only file system")
        told_in_one_line(fide_batch(workspace, "export", "--period", "2026-12", "pages.html"), "Read-only file system")
    assert tree(workspace) == tree(sealed)


@pytest.mark.skipif(os.getuid() != 0, reason="only the superuser can become somebody else")
@pytest.mark.parametrize(
    "closed", ["archive", "lists", "archive/2026-12", "reports/2027-01/event-000.trf", "fide-batch.toml"]
)
def test_somebody_without_permission(fide_batch: Commands, sealed: Path, closed: str) -> None:
    workspace = copy(sealed, fide_batch.folder / "workspace")
    for path in [workspace, *workspace.rglob("*")]:
        os.chown(path, 65534, 65534)
        path.chmod(0o700 if path.is_dir() else 0o600)
    place = workspace / closed
    place.chmod(0o500 if closed == "lists" else 0o000)
    done = fide_batch(workspace, *RUN, user=65534)
    told_in_one_line(done, "Permission denied")
    place.chmod(0o700)
    assert len(standing(workspace / "archive")) == (3 if closed == "lists" else 2)


def test_an_archive_folder_that_cannot_be_made(fide_batch: Commands, sealed: Path, tmp_path: Path) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    shutil.rmtree(workspace / "archive")
    (workspace / "archive").write_text("a file where the folder should be")
    told_in_one_line(fide_batch(workspace, *RUN), "archive")
    assert (workspace / "archive").read_text() == "a file where the folder should be"


@pytest.mark.parametrize("do", ["append", "remove"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_report_that_goes_or_changes_once_it_was_read_is_sealed_as_it_was_read(
    fide_batch: Commands, sealed: Path, tmp_path: Path, do: str, packed: bool
) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    report = one_packed(workspace / "reports/2027-01", packed)
    as_read = report.read_bytes()
    assert fide_batch(workspace, *RUN, between={"do": do, "file": str(report)}).code == 0
    assert (workspace / "archive/2027-01/reports/reports/2027-01" / report.name).read_bytes() == as_read
    assert fide_batch(workspace, "verify").code == 0


@pytest.mark.parametrize("do", ["append", "remove"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_corrected_report_that_goes_or_changes_before_the_month_is_sealed_anew(
    fide_batch: Commands, sealed: Path, tmp_path: Path, do: str, packed: bool
) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    report = one_packed(workspace / "reports/2026-12", packed)
    before = tree(workspace / "archive")
    done = fide_batch(
        workspace, "rerun", "--from", "2026-12", "reports/2026-12", "--yes", between={"do": do, "file": str(report)}
    )
    told_in_one_line(done, report.name, "nothing was sealed" if do == "append" else "cannot be read")
    assert tree(workspace / "archive") == before


def one_packed(folder: Path, packed: bool) -> Path:
    """A report of a folder, put into a ZIP or left as it is."""
    report = folder / "event-001.trf"
    if not packed:
        return report
    with zipfile.ZipFile(folder / "event-001.zip", "w") as archive:
        archive.write(report, "event-001.trf")
    report.unlink()
    return folder / "event-001.zip"


def test_the_clock_is_not_asked(fide_batch: Commands, sealed: Path, tmp_path: Path) -> None:
    """Clock and files of another century: the same bytes, in the archive, in lists and in exports."""
    found = []
    for name, seconds in (("then", 0), ("now", 4_102_444_800)):
        workspace = copy(sealed, tmp_path / name)
        for path in workspace.rglob("*"):
            os.utime(path, (seconds, seconds))
        assert fide_batch(workspace, *RUN, clock=seconds).code == 0
        for file in ("list.csv", "month.xlsx", "month.html", "list.xml", "list.txt", "list.json", "list.parquet"):
            (workspace / "out").mkdir(exist_ok=True)
            done = fide_batch(workspace, "export", "--period", "2027-01", f"out/{file}", clock=seconds)
            assert done.code == 0, done.err
        found.append(tree(workspace))
    assert found[0].keys() == found[1].keys()
    assert [name for name, data in found[0].items() if data != found[1][name]] == []
