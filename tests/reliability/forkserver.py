"""Runs the command line again and again, each time in a process of its own: loaded once, forked for every command.

A line of JSON on standard input is a command, a line on standard output is what became of it. The process that runs is a real one: it may be killed
at any moment, run out of disk at any write, be bound in memory, or belong to another user.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

_CHANGES = frozenset(
    {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "os.link", "os.symlink", "fsync"}
)


def load() -> None:
    """Everything a command may import, so that a forked one starts at once; which modules these are, one that runs to its end tells."""
    import importlib

    import fide_batch.regulations

    root = Path(__file__).parent.parent.parent
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "modules"
        pid = os.fork()
        if pid == 0:
            try:
                shutil.copytree(root / "sample_data", f"{folder}/sample")
                os.chdir(f"{folder}/sample")
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                _main(["run", "--period", "2026-11", "results"])
                for name in ("a.csv", "a.xlsx", "a.html", "a.xml", "a.txt", "a.json", "a.parquet", "nowhere/a.csv"):
                    _main(["export", "--period", "2026-11", name])
                _main(["explain", "Petit", "--period", "2026-11"])
                _main(["verify", "--json"])
                told.write_text("\n".join(sys.modules))
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        for name in told.read_text().split("\n"):
            with contextlib.suppress(Exception):
                importlib.import_module(name)
    for name in fide_batch.regulations.names():
        fide_batch.regulations.fingerprint(fide_batch.regulations.edition(name))


def child(asked: dict[str, Any]) -> None:
    """The command itself; never returns."""
    code = 70
    try:
        os.chdir(asked["cwd"])
        for descriptor, name, flags in (
            (0, os.devnull, os.O_RDONLY), (1, asked["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), (2, asked["err"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):  # fmt: skip
            os.dup2(os.open(name, flags, 0o666), descriptor)
        os.environ.update(asked.get("env", {}))
        if "umask" in asked:
            os.umask(asked["umask"])
        for name, value in asked.get("limits", {}).items():
            resource.setrlimit(getattr(resource, name), (value, value))
        if asked.get("user"):
            os.setgroups([])
            os.setgid(asked["user"])
            os.setuid(asked["user"])
        if "clock" in asked:
            _set_clock(asked["clock"])
        if asked.get("two"):
            _by_two()
        if asked.get("between"):
            _between(asked["between"])
        if asked.get("at"):
            _watch(asked["at"])
        code = _main(asked["args"])
    except BaseException as error:  # the command line lets nothing through
        os.write(2, f"LET THROUGH: {error!r}\n".encode())
    finally:
        os._exit(code)


def _main(args: list[str]) -> int:
    from fide_batch import cli

    sys.argv = ["fide-batch", *args]
    sys.stdout, sys.stderr = (
        open(1, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
        open(2, "w", encoding="utf-8", closefd=False),  # noqa: SIM115
    )
    try:
        cli.main()
        return 0
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else 1 if left.code else 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def _watch(at: dict[str, Any]) -> None:
    """Count the calls that change the file system below a folder; at one of them die, or fail as a full or broken disk does."""
    inside, number, how, log = at["below"], at.get("number"), at.get("how", "kill"), at.get("log")
    seen = 0
    telling = threading.local()  # files are written by several threads at a time
    one = threading.Lock()
    real = os.fsync

    def fsync(descriptor: int) -> None:
        sys.audit("fsync", os.readlink(f"/proc/self/fd/{descriptor}"))
        real(descriptor)

    os.fsync = fsync  # type: ignore[assignment]

    def hook(event: str, args: tuple[Any, ...]) -> None:
        nonlocal seen
        if getattr(telling, "busy", False) or (event != "open" and event not in _CHANGES):
            return
        if event == "open" and not (isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)):
            return
        if isinstance(args[0], int):
            return  # standard output and error, opened by their number
        path = os.fsdecode(args[0]) if isinstance(args[0], str | bytes | os.PathLike) else ""
        if not os.path.abspath(path).startswith(inside) and not (
            event in ("os.remove", "os.rmdir") and "/" not in path
        ):
            return  # shutil.rmtree names what it removes by its last part
        with one:
            seen += 1
            mine = seen
            if log:
                telling.busy = True
                with open(log, "a") as file:
                    file.write(f"{event} {path}\n")
                telling.busy = False
        if mine == number:
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(getattr(errno, how), os.strerror(getattr(errno, how)))

    sys.addaudithook(hook)


def _set_clock(seconds: int) -> None:
    """The time of day as Python tells it."""
    localtime, gmtime = time.localtime, time.gmtime
    time.time = lambda: float(seconds)  # type: ignore[assignment]
    time.time_ns = lambda: seconds * 10**9  # type: ignore[assignment]
    time.localtime = lambda moment=None: localtime(seconds if moment is None else moment)  # type: ignore[assignment]
    time.gmtime = lambda moment=None: gmtime(seconds if moment is None else moment)  # type: ignore[assignment]


def _by_two() -> None:
    """Reports are read by two processes, few as they are."""
    from fide_batch import formats

    formats.WORTH_TWO = 0


def _between(what: dict[str, str]) -> None:
    """Change a file as soon as the reports have been read and before the month is sealed."""
    from fide_batch import rerun, run

    hand_over, compute = rerun.hand_over, run.compute

    def change() -> None:
        if what["do"] == "append":
            with open(what["file"], "ab") as file:
                file.write(b" ")
        elif what["do"] == "remove":
            os.remove(what["file"])
        elif what["do"] == "wait":
            open(what["file"], "w").close()
            time.sleep(60)

    def then_changed(*args: Any, **named: Any) -> Any:
        handed = hand_over(*args, **named)
        change()
        return handed

    def changed_before(*args: Any, **named: Any) -> Any:
        change()
        return compute(*args, **named)

    rerun.hand_over, run.compute = then_changed, changed_before


def serve() -> None:
    """Until standard input ends."""
    load()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.monotonic()
        pid = os.fork()
        if pid == 0:
            child(asked)
        kill_after, deadline = asked.get("kill_after"), began + asked.get("timeout", 120)
        if kill_after is not None:
            time.sleep(kill_after)
            os.kill(pid, signal.SIGKILL)
        while True:
            done, status, usage = os.wait4(pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
                deadline += 10
            time.sleep(0.001)
        answer = {
            "code": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - began, "cpu": usage.ru_utime + usage.ru_stime,
            "peak": usage.ru_maxrss // 1024,
        }  # fmt: skip
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
