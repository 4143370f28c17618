"""The documentation can fail: generated pages are compared, commands of the README are run, examples of the library are run."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = Path(sys.executable).parent / "fide-batch"


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_make", ROOT / "docs" / "make.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(maker().PAGES))
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == maker().PAGES[name](), "run: make docs"


def readme_blocks() -> dict[str, str]:
    """The blocks of real output in the README, by their mark."""
    text = (ROOT / "README.md").read_text("utf-8")
    return dict(re.findall(r"<!-- (\w+) -->\n```text\n(.*?)```", text, re.DOTALL))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's files a reader of the README would stand in, with the sample month rated."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "sample_data", folder / "sample_data")
    shutil.copytree(ROOT / "sample_data", folder, dirs_exist_ok=True)
    return folder


def say(folder: Path, command: str) -> str:
    words = shlex.split(command, comments=True)
    assert words[0] == "fide-batch"
    done = subprocess.run(
        [PROGRAM, *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1"},
    )
    assert done.returncode == 0, f"{command}: {done.stderr or done.stdout}"
    return done.stdout


def test_the_readme_shows_what_the_program_says(workspace: Path) -> None:
    blocks = readme_blocks()
    assert say(workspace, "fide-batch run --period 2026-11 results/").startswith(blocks["demo"])
    assert say(workspace, "fide-batch explain --period 2026-11 Quill") == blocks["explain"]


def test_every_command_of_the_readme_runs(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    shutil.copytree(ROOT / "sample_data", tmp_path, dirs_exist_ok=True)
    text = (ROOT / "README.md").read_text("utf-8")
    commands = [
        line.strip() for line in text.splitlines() if line.startswith("    fide-batch ") or line.startswith("    cd ")
    ]
    assert len(commands) > 12
    folder, sealed = tmp_path, False
    for command in commands:
        if command.startswith("cd "):
            folder = folder / command.removeprefix("cd ")
            shutil.copytree(ROOT / "sample_data" / "results", folder / "results")
            shutil.copytree(ROOT / "sample_data", folder / "sample_data")
            sealed = False
            continue
        if " run " in command and sealed:
            command = command.replace(" run ", " run --replace ")
        sealed |= " run " in command
        say(folder, command)


def test_the_worked_examples_print_what_the_page_shows(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path, dirs_exist_ok=True)
    say(tmp_path, "fide-batch run --period 2026-11 results/")
    text = (ROOT / "docs" / "computing.md").read_text("utf-8")
    for name, content in re.findall(r"```text (\S+)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content, "utf-8")
    examples = re.findall(r"```console\n\$ (.*?)\n(.*?)```", text, re.DOTALL)
    assert len(examples) >= 12
    for command, shown in examples:
        assert say(tmp_path, command) == shown, command


def test_the_examples_of_the_library_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "library.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        exec(compile(block, "docs/library.md", "exec"), names)
    month, later = names["month"], names["later"]
    first = month.changes[month.changes["status"] == "first-rating"].set_index("name")["rating_after"]  # type: ignore[attr-defined]
    assert first["Quill, Ada"] == 1690
    assert set(later.pending["missing"]) == {"rating 751 below 1000", "3 of 5 games"}  # type: ignore[attr-defined]


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "sample_data").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"
