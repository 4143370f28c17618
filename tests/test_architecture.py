"""The arrows of the house: who may import whom, and what may stand where."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "fide_batch"
ROOMS = ("formats", "checks", "rules", "desk", "publish")
ALLOWED = {("desk", "rules")}
COMMON = {"model", "settings", "regulations", "words", "federations"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The parts of the package a module imports anywhere in it: ``rules``, ``model`` ..."""
    own = path.relative_to(PACKAGE.parent).with_suffix("").parts
    package = own[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            start = ".".join(part for part in (base, node.module or "") if part)
            names = [f"{start}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "fide_batch" and len(parts) > 1:
                found.add(parts[1])
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_follow_the_arrows(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    room = parts[0] if len(parts) > 1 else ""
    if room == "regulations":
        assert imported(path) <= {"model", "regulations"}
    elif room:
        others = {other for other in ROOMS if other != room and (room, other) not in ALLOWED}
        assert not imported(path) & others
        assert imported(path) <= {*COMMON, *ROOMS, "__version__"}, "a room knows only the common things and itself"
    elif path.stem == "model":
        assert not imported(path)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_line_prints_and_exits(path: Path) -> None:
    if path.stem == "cli":
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("print", "breakpoint", "sys.exit", "exit", "quit"), f"line {node.lineno}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").glob("*.py")), ids=lambda path: path.name)
def test_rules_are_exact_and_hold_no_dates(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in ("float", "round", "open", "np.float64", "datetime.now", "date.today")
        if isinstance(node, ast.Constant) and not isinstance(node.value, bool):
            assert not isinstance(node.value, float), f"a float, line {node.lineno}"
            logistic = path.stem == "expected" and node.value == 400  # the scale of the formula is not the 400 rule
            assert logistic or node.value not in (350, 400, 600, 700, 1400, 1800, 2200, 2300, 2400, 2600, 2650), (
                f"a number of the law outside the editions, line {node.lineno}"
            )


def test_help_does_not_import_pandas_or_numpy() -> None:
    code = "import sys, fide_batch.cli; print(sorted({'pandas', 'numpy', 'pyarrow', 'openpyxl', 'lxml', 'jinja2'} & set(sys.modules)))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_every_dependency_is_imported_and_every_import_is_a_dependency() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    declared = {line.split(">")[0].strip().replace("-", "_") for line in project["dependencies"]}
    names = {"python_calamine": "python_calamine"}
    used: set[str] = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                used |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                used.add(node.module.split(".")[0])
    outside = used - set(sys.stdlib_module_names) - {"fide_batch"}
    assert {names.get(name, name) for name in outside} == declared
