"""What is delivered: few dependencies, pinned with hashes, licences known; a wheel that works where nothing else is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.reliability.workplace import ROOT, standing
from tests.soak import licences


def test_the_page_of_licences_is_that_of_what_is_installed() -> None:
    page = (ROOT / "docs/licences.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| ([\w-]+) \| (.+?) \| .*\|$", page, re.M))
    rows.pop("package", None)
    found = licences.closure(licences.direct())
    assert not {name for name, (licence, _) in found.items() if licence == "unknown"}
    assert {name: licence for name, (licence, _) in found.items()} == {
        name: licence for name, licence in rows.items() if name in found
    }
    assert set(licences.direct()) <= rows.keys()
    assert not re.search(r"\b(A|L)?GPL", page), "nothing that binds those who pass it on"


def test_every_requirement_is_pinned_with_a_hash_and_everything_needed_is_there() -> None:
    text = (ROOT / "requirements.txt").read_text("utf-8")
    pinned = re.findall(r"^([\w.-]+)==([^\s;]+)[^\n]*\\\n(?:\s+--hash=sha256:[0-9a-f]{64}[^\n]*\n?)+", text, re.M)
    starts = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(pinned) == len(starts), "a requirement without version or hash"
    names = {licences.plain(name) for name, _ in pinned}
    assert licences.closure(licences.direct()).keys() <= names
    dev = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]["dev"]
    assert {licences.plain(re.match(r"[\w.-]+", line)[0]) for line in dev} <= names  # type: ignore[index]


def test_at_most_nine_direct_dependencies() -> None:
    assert len(licences.direct()) <= 9


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if int(version("setuptools").split(".")[0]) < 77:
        pytest.skip("building needs setuptools 77 or newer, as pinned in requirements.txt")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source / name)
    shutil.copytree(ROOT / "fide_batch", source / "fide_batch", ignore=shutil.ignore_patterns("__pycache__"))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", str(source), "--no-deps", "--no-build-isolation", "--no-index", "-q", "-w", str(folder)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.soak
def test_the_wheel_holds_the_law_the_templates_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "fide_batch").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected <= names, "files of the package are missing in the wheel"
    assert all(name.startswith(("fide_batch/", "fide_batch-")) for name in names)
    assert not any(name.endswith(".pyc") for name in names)


@pytest.mark.soak
def test_the_wheel_runs_the_month_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    """A new environment with the wheel and its dependencies alone; the demo's month from a folder far from here."""
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True, capture_output=True
    )
    # The dependencies as they are installed here, without anything of this project: a .pth file does not read other .pth files.
    site = next((tmp_path / "venv").glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    workspace = tmp_path / "far/away"
    shutil.copytree(ROOT / "sample_data", workspace)
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [tmp_path / "venv/bin/fide-batch", *args], cwd=workspace, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done

    where = subprocess.run(
        [python, "-c", "import fide_batch; print(fide_batch.__file__)"],
        cwd=workspace,
        env=env,
        capture_output=True,
        text=True,
    )
    assert str(tmp_path) in where.stdout
    run("run", "--period", "2026-11", "results/")
    for name in ("list.csv", "list.xlsx", "list.html", "list.xml", "list.txt", "list.json", "list.parquet"):
        run("export", "--period", "2026-11", name)
        assert (workspace / name).stat().st_size > 500
    run("inactive", "--period", "2026-11")
    assert "classic" in run("rules").stdout
    assert "sound" in run("verify").stdout
    assert len(standing(workspace / "archive")) == 1
