"""Very many reports are read by two processes: the same reports, every file handed on once, and the second never outlives the first."""

from __future__ import annotations

import errno
import mmap
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from fide_batch import formats, run
from fide_batch.formats import beside
from fide_batch.model import Period, Refused

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"

pytestmark = pytest.mark.skipif(not beside.possible(), reason="one processor, or a system that cannot copy a process")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sound reports, faulty ones, a ZIP, a table, a file nobody can read, an empty one."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(SAMPLES / "results", "results")
    trf = next(path for path in sorted(Path("results").rglob("*.trf")))
    text = trf.read_text(encoding="utf-8")
    Path("results/broken.trf").write_text(text.replace("001 ", "001x", 1), encoding="utf-8")
    Path("results/accents.trf").write_text(text.replace("a", "é"), encoding="latin-1")
    Path("results/empty.trf").write_bytes(b"")
    Path("results/what.bin").write_bytes(b"\x00\x01\x02")
    with zipfile.ZipFile("results/more.zip", "w") as archive:
        archive.writestr("one.trf", text.replace("012 ", "012 Another "))
        archive.writestr("inside/two.trf", text.replace("012 ", "012 Third "))
    return Path("results")


def test_the_same_reports_whoever_reads_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = formats.read_reports([folder])
    assert alone.problems and len(alone.events) > 5
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    found = [(name, str(path)) for name, path in formats.find([folder])]
    size = sum(os.stat(path).st_size for _, path in found)
    for meanwhile in (0, size // 4, size, 5 * size):
        with formats.reading(found, meanwhile=meanwhile) as finish:
            both = finish(None)
        assert both.events == alone.events
        assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)
        assert both.problems == alone.problems
    one = found[:1]
    with formats.reading(one) as finish:
        assert len(finish(None).events) == 1


def test_a_program_is_copied_only_when_it_says_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    both = formats.read_reports([folder], second=True)
    monkeypatch.setattr(beside, "Beside", None)
    alone = formats.read_reports([folder])
    assert alone.events == both.events and alone.problems == both.problems
    assert alone.entries.equals(both.entries) and alone.cells.equals(both.cells)


def test_the_same_reports_where_more_came_than_there_was_room_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = formats.read_reports([folder])
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    for size in (1, 10, 3000):
        monkeypatch.setattr(formats.files, "size", lambda _, size=size: size)
        both = formats.read_reports([folder], second=True)
        assert both.events == alone.events and both.problems == alone.problems
        assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)


def test_every_file_that_can_be_read_is_handed_on(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    Path("results/gone.trf").symlink_to(folder / "nowhere.trf")
    seen = tmp_path / "seen"
    seen.mkdir()

    def keep(name: str, data: bytes) -> None:
        with open(seen / name.replace("/", "|"), "xb") as file:
            file.write(data)

    found = [(name, str(path)) for name, path in formats.find([folder])]
    told: list[tuple[str, int, int]] = []
    with formats.reading(found, keep=keep) as finish:
        finish(lambda *step: told.append(step))
    there = {name: Path(path).read_bytes() for name, path in found}
    assert {path.name.replace("|", "/"): path.read_bytes() for path in seen.iterdir()} == there
    assert told and all(done <= total == len(found) for _, done, total in told)


def test_what_is_raised_there_is_raised_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    first = os.getpid()

    def keep(name: str, data: bytes) -> None:
        if os.getpid() != first:
            raise Refused(formats.Problem("archive-unwritable", "error", name, message="the disk is full"))

    found = [(name, str(path)) for name, path in formats.find([folder])]
    with pytest.raises(Refused, match="the disk is full"), formats.reading(found, keep=keep) as finish:
        finish(None)


def test_what_a_process_that_was_killed_had_to_read_is_read_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = formats.read_reports([folder])
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    first = os.getpid()

    def keep(name: str, data: bytes) -> None:
        if os.getpid() != first:
            os.kill(os.getpid(), signal.SIGKILL)

    found = [(name, str(path)) for name, path in formats.find([folder])]
    with formats.reading(found, keep=keep) as finish:
        both = finish(None)
    assert both.events == alone.events and both.problems == alone.problems
    assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)


def test_what_a_process_killed_while_it_told_had_to_read_is_read_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of what it found has come then."""
    alone = formats.read_reports([folder])
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    monkeypatch.setattr(beside.pickle, "dumps", lambda *_: bytes(1 << 22))
    found = [(name, str(path)) for name, path in formats.find([folder])]
    with formats.reading(found) as finish:
        pid = _child()
        while _state(pid) != "S":
            time.sleep(0.01)
        time.sleep(0.5)  # it waits until somebody reads what it tells
        os.kill(pid, signal.SIGKILL)
        both = finish(None)
    assert both.events == alone.events and both.problems == alone.problems
    assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)


@pytest.mark.parametrize("refused", ["thread", "memory", "pickle"])
def test_what_a_second_cannot_watch_or_tell_is_read_here_without_a_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], refused: str
) -> None:
    alone = formats.read_reports([folder])
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    raised = {
        "thread": RuntimeError("can't start new thread"), "memory": MemoryError(), "pickle": TypeError("cannot pickle it")
    }[refused]  # fmt: skip

    def none_left(*_: object, **__: object) -> None:
        raise raised

    place, name = (threading.Thread, "start") if refused == "thread" else (beside.pickle, "dumps")
    monkeypatch.setattr(place, name, none_left)
    both = formats.read_reports([folder], second=True)
    assert both.events == alone.events and both.problems == alone.problems
    assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")


def test_what_a_second_has_no_memory_for_is_read_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = formats.read_reports([folder])
    monkeypatch.setattr(formats, "WORTH_TWO", 0)
    first = os.getpid()

    def keep(name: str, data: bytes) -> None:
        if os.getpid() != first:
            raise MemoryError

    found = [(name, str(path)) for name, path in formats.find([folder])]
    with formats.reading(found, keep=keep) as finish:
        both = finish(None)
    assert both.events == alone.events and both.problems == alone.problems
    assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)


@pytest.mark.parametrize("refused", ["process", "memory", "pipe"])
def test_all_is_read_here_where_the_system_has_nothing_left_for_a_second(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    alone = formats.read_reports([folder])
    monkeypatch.setattr(formats, "WORTH_TWO", 0)

    def none_left(*_: object, **__: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    place, name = {"process": (os, "fork"), "memory": (mmap, "mmap"), "pipe": (multiprocessing, "Pipe")}[refused]
    monkeypatch.setattr(place, name, none_left)
    found = [(name, str(path)) for name, path in formats.find([folder])]
    kept: list[str] = []
    with formats.reading(found, keep=lambda name, _: kept.append(name)) as finish:
        both = finish(None)
    assert both.events == alone.events and both.problems == alone.problems
    assert both.entries.equals(alone.entries) and both.cells.equals(alone.cells)
    assert kept == [name for name, _ in found]


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("where", ["after_in_child", "after_in_parent"])
def test_ctrl_c_at_the_very_beginning_ends_the_first_alone(tmp_path: Path, where: str, watched: bool) -> None:
    """It reaches both processes before the second has said that it does not listen, or before the first knows of it.

    Where a progress bar has a thread of its own the signal may reach that one.
    """
    script = (
        "import os, signal, sys, threading; from fide_batch import cli, formats; formats.WORTH_TWO = 0;"
        f"threading.Thread(target=threading.Event().wait, daemon=True).start() if {watched} else None;"
        f"os.register_at_fork({where}=lambda: os.kill(os.getpid(), signal.SIGINT));"
        f"sys.argv = ['fide-batch', 'run', '-q', '--period', '2026-11', 'results']; cli.main()"
    )
    shutil.copytree(SAMPLES, tmp_path / "month")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path / "month", check=False)  # fmt: skip
    if where == "after_in_child":
        assert done.returncode == 0 and "Traceback" not in done.stderr and "stopped" not in done.stderr
    else:
        assert (done.returncode, done.stderr) == (130, "stopped; nothing half done was left\n")
        assert not (tmp_path / "month" / "archive").exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_whoever_stops_a_month_it_leaves_nothing(tmp_path: Path, name: str) -> None:
    """Ctrl-C, an end that is asked for, a terminal that is closed: all processes of the group are told."""
    number = getattr(signal, name)
    script = (
        "import os, signal, sys; from fide_batch import cli, formats, run; formats.WORTH_TWO = 0;"
        f"run.base_of = lambda *_: (os.killpg(0, {int(number)}), __import__('time').sleep(20));"
        "sys.argv = ['fide-batch', 'run', '-q', '--period', '2026-11', 'results']; cli.main()"
    )
    shutil.copytree(SAMPLES, tmp_path / "month")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path / "month", check=False, start_new_session=True
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (128 + number, "stopped; nothing half done was left\n")
    assert not (tmp_path / "month" / "archive").exists()


def test_a_terminal_that_is_closed_does_not_stop_a_month_under_nohup(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); from fide_batch import cli, formats, run; formats.WORTH_TWO = 0;"
        "base = run.base_of; run.base_of = lambda *said: (os.killpg(0, signal.SIGHUP), base(*said))[1];"
        "sys.argv = ['fide-batch', 'run', '-q', '--period', '2026-11', 'results']; cli.main()"
    )
    shutil.copytree(SAMPLES, tmp_path / "month")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path / "month", check=False, start_new_session=True
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def _child() -> int:
    return int(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()[-1])


def _state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def _asleep(place: Path) -> beside.Work:
    def read(_: object) -> None:
        place.write_text(str(os.getpid()))
        time.sleep(60)
        raise AssertionError

    return read


def _number(place: Path) -> int:
    deadline = time.monotonic() + 20
    while not place.exists() or not place.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return int(place.read_text())


def _ends(pid: int) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_closed_it_is_ended(tmp_path: Path) -> None:
    other = beside.Beside()
    other.begin(_asleep(tmp_path / "pid"))
    pid = _number(tmp_path / "pid")
    other.close()
    assert _ends(pid)


def test_it_ends_when_the_first_is_killed(tmp_path: Path) -> None:
    first = os.fork()
    if first == 0:
        other = beside.Beside()
        other.begin(_asleep(tmp_path / "pid"))
        time.sleep(60)
        os._exit(0)
    second = _number(tmp_path / "pid")
    os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
    assert _ends(second)


def test_the_month_sealed_is_the_same_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = []
    for name, worth in (("one", 1 << 40), ("two", 0)):
        workspace = tmp_path / name
        shutil.copytree(SAMPLES, workspace)
        monkeypatch.chdir(workspace)
        monkeypatch.setattr(formats, "WORTH_TWO", worth)
        outcome = run.run(Path(), Period(2026, 11), [Path("results")], run.Options())
        assert outcome.files
        sealed.append(
            {path.relative_to(workspace): path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
        )
    assert sealed[0] == sealed[1]
