"""fide-batch as a user runs it: a process of its own, its output and its files."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("fide-batch")


def fide_batch(*arguments: object, expect: int = 0) -> str:
    """Run a command and give back what it printed; a wrong exit status shows all it said."""
    done = subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == expect, f"{arguments}: exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def exported(workspace: Path, period: str, table: str) -> list[dict[str, str]]:
    """A table of a sealed month, row by row, as text."""
    file = workspace / f"{table}-{period}.csv"
    fide_batch("export", "--workspace", workspace, "--period", period, "--table", table, file)
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))
