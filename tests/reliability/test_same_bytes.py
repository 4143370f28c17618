"""The same inputs give the same bytes: whatever the order, locale, time zone, hash seed, umask, dates of files, machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.test_faults import copy
from tests.reliability.workplace import ROOT, tree

EXPORTS = ("list.csv", "month.xlsx", "month.html", "list.xml", "list.txt", "list.json", "list.parquet")

VARIANTS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "everything else": {
        "reverse": True, "stamps": True, "umask": 0o077,
        "env": {
            "LC_ALL": "C", "LANG": "C", "TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1", "ARROW_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
            "ARROW_USER_SIMD_LEVEL": "NONE", "NPY_DISABLE_CPU_FEATURES": "AVX2 AVX512F",
        },
    },
    "Turkish, the same file twice": {
        "twice": True, "stamps": True, "umask": 0o000,
        "env": {"LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns", "PYTHONHASHSEED": "4294967295", "PYTHONUTF8": "0"},
    },
    "optimised, the folder by its full path": {"absolute": True, "env": {"PYTHONOPTIMIZE": "2", "PYTHONHASHSEED": "7"}},
}  # fmt: skip
"""What differs from one run to the next: the arguments' order, dates of files, umask, and the environment."""


def prepared(sealed: Path, folder: Path) -> Path:
    """A workspace of its own: the first month is in folder ``reports``, the second spread over files and folders."""
    workspace = copy(sealed, folder)
    for name in ("archive", "lists", "corrected"):
        shutil.rmtree(workspace / name)
    (workspace / "more").mkdir()
    (workspace / "more/event-900.trf").write_bytes((workspace / "reports/2027-01/event-001.trf").read_bytes().replace(b"of 2027-01", b"of winter").replace(b"2026/12", b"2026/11").replace(b"26/12", b"26/11"))  # fmt: skip
    second = workspace / "second"
    second.mkdir()
    (workspace / "reports/2026-12").rename(second / "2026-12")
    shutil.rmtree(workspace / "reports/2027-01")
    (workspace / "reports/2026-11").rename(workspace / "reports/first")
    return workspace


def run_variant(
    sealed: Path, folder: Path, name: str, program: list[str], exports: Sequence[str] = ()
) -> dict[str, bytes]:
    """Two months and some exports, each command a process of its own from the very start; every file that came out."""
    workspace = prepared(sealed, folder)
    how = VARIANTS[name]
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "PYTHON", "ARROW"))}
    env |= {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **how.get("env", {})}
    if how.get("stamps"):
        for place, path in enumerate(sorted(workspace.rglob("*"))):
            os.utime(path, (10**9 + place, 10**9 - place))
    second = ["second/2026-12/event-000.trf", "second/2026-12/event-001.trf", "more"]
    if how.get("reverse"):
        second.reverse()
    if how.get("twice"):
        second.append(second[0])
    first = [str(workspace / "reports")] if how.get("absolute") else ["reports"]
    commands = [["run", "-q", "--period", "2026-11", *first], ["run", "-q", "--period", "2026-12", *second]]
    (workspace / "out").mkdir()
    commands += [["export", "-q", "--period", "2026-12", f"out/{file}"] for file in exports]
    for args in commands:
        done = subprocess.run(
            [*program, *args],
            cwd=workspace,
            env={**env, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            umask=how.get("umask", 0o022),
        )
        assert done.returncode == 0, (args, done.stderr)
    return {path: data for path, data in tree(workspace).items() if path.startswith(("archive/", "lists/", "out/"))}


def differing(sealed: Path, folder: Path, variants: Sequence[str], exports: Sequence[str]) -> dict[str, list[str]]:
    """The files that are not the same in each variant as in the plain one."""
    program = [sys.executable, "-m", "fide_batch.cli"]
    expected = run_variant(sealed, folder / "plain", "as it is", program, exports)
    assert {name.split("/")[0] for name in expected} >= {"archive", "lists"}
    found = {}
    for place, name in enumerate(variants):
        got = run_variant(sealed, folder / str(place), name, program, exports)
        assert got.keys() == expected.keys()
        found[name] = [path for path, data in got.items() if data != expected[path]]
    return found


def test_the_same_bytes_under_other_circumstances(sealed: Path, tmp_path: Path) -> None:
    assert differing(sealed, tmp_path, ["everything else"], ["month.xlsx"]) == {"everything else": []}


@pytest.mark.soak
def test_the_same_bytes_under_every_circumstance(sealed: Path, tmp_path: Path) -> None:
    variants = list(VARIANTS)[1:]
    assert differing(sealed, tmp_path, variants, EXPORTS) == {name: [] for name in variants}


@pytest.mark.soak
def test_the_same_bytes_under_newer_pythons(sealed: Path, tmp_path: Path) -> None:
    """Any newer interpreter that has the libraries; FIDE_BATCH_PYTHONS may name some, separated by colons."""
    named = os.environ.get("FIDE_BATCH_PYTHONS", "").split(":")
    candidates = [path for path in (*named, *(shutil.which(f"python3.{minor}") for minor in range(12, 20))) if path]
    usable = [
        path for path in candidates
        if subprocess.run([path, "-c", "import typer, numpy, pyarrow, openpyxl, lxml, jinja2, python_calamine"], capture_output=True).returncode == 0
    ]  # fmt: skip
    if not usable:
        pytest.skip("no newer Python with the libraries on this machine; name some in FIDE_BATCH_PYTHONS")
    expected = run_variant(sealed, tmp_path / "0", "as it is", [sys.executable, "-m", "fide_batch.cli"])
    for place, python in enumerate(usable, 1):
        found = run_variant(sealed, tmp_path / str(place), "as it is", [python, "-m", "fide_batch.cli"])
        assert [path for path, data in found.items() if data != expected[path]] == [], python
