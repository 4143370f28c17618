"""fide-batch as a user runs it: arguments in; output, files and exit status out."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("fide-batch")


def fide_batch(*arguments: object, expect: int = 0) -> str:
    """Run a command and give back what it printed; a wrong exit status shows all it said.

    The command runs inside this process, which saves half a second each time; with FIDE_BATCH_PROCESS=1 it is a process of its own.
    """
    words = [str(argument) for argument in arguments]
    status, printed, said = _own_process(words) if os.environ.get("FIDE_BATCH_PROCESS") else _this_process(words)
    assert status == expect, f"fide-batch {' '.join(words)}: exit status {status}\n{printed}\n{said}"
    return printed


def _own_process(words: list[str]) -> tuple[int, str, str]:
    done = subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def _this_process(words: list[str]) -> tuple[int, str, str]:
    from fide_batch.cli import main

    before, printed, said = sys.argv, io.StringIO(), io.StringIO()
    sys.argv = ["fide-batch", *words]
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            main()
        status = 0
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
    finally:
        sys.argv = before
    return status, printed.getvalue(), said.getvalue()


def exported(workspace: Path, period: str, table: str) -> list[dict[str, str]]:
    """A table of a sealed month, row by row, as text."""
    file = workspace / f"{table}-{period}.csv"
    fide_batch("export", "--workspace", workspace, "--period", period, "--table", table, file)
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))
