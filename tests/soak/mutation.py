"""Is every line of the rules held by a test? Each is altered a little, and the tests must notice.

``python -m tests.soak.mutation 300`` alters 300 places drawn from all of ``fide_batch/rules/`` one by one, runs the tests on each, and prints
those that nobody noticed. A seed may follow; ``python -m tests.soak.mutation 0 0 change.py:41`` tries the places of one line.
"""

from __future__ import annotations

import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
RULES = ROOT / "fide_batch" / "rules"
KILLERS = (
    ("tests/rules", "--deselect=tests/rules/test_properties.py"),
    ("tests/rules/test_properties.py", "tests/oracle"),
)
"""Tests that must notice, the fast ones first."""
PATIENCE = 300
"""Seconds of processor time a set of tests may take; one that does not end has noticed."""

_OTHER: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
_NAMES = {
    "minimum": "maximum",
    "maximum": "minimum",
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "left": "right",
    "right": "left",
}


@dataclass(frozen=True)
class Mutant:
    """One place altered: the file, the line, what stood there and what stands there now."""

    file: str
    line: int
    was: str
    now: str
    source: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.was}  ->  {self.now}"


def mutants_of(path: Path) -> list[Mutant]:
    """Every place of a file that can be altered, with each alteration."""
    tree = ast.parse(path.read_text("utf-8"))
    found = []
    for number, node in enumerate(ast.walk(tree)):
        for change in _changes(node):
            altered = copy.deepcopy(tree)
            twin = next(other for place, other in enumerate(ast.walk(altered)) if place == number)
            before = ast.unparse(node)
            change(twin)
            found.append(Mutant(path.name, node.lineno, before, ast.unparse(twin), ast.unparse(altered)))  # type: ignore[attr-defined]
    return [mutant for mutant in found if mutant.was != mutant.now]


def _changes(node: ast.AST) -> Iterator[Any]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            if type(operator) in _OTHER:
                kind = _OTHER[type(operator)]
                yield lambda twin, place=place, kind=kind: twin.ops.__setitem__(place, kind())
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        if type(node.op) in _OTHER and not _is_text(node):
            kind = _OTHER[type(node.op)]
            yield lambda twin, kind=kind: setattr(twin, "op", kind())
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda twin: setattr(twin, "value", twin.value + 1)
        if node.value:
            yield lambda twin: setattr(twin, "value", twin.value - 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda twin: setattr(twin, "value", not twin.value)
    elif isinstance(node, ast.Constant) and node.value in ("left", "right"):
        yield lambda twin: setattr(twin, "value", _NAMES[twin.value])
    elif (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.Invert | ast.USub)
        and not isinstance(node.operand, ast.Constant)
    ):
        yield lambda twin: setattr(twin, "op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda twin: setattr(twin, "operand", ast.UnaryOp(ast.Not(), twin.operand))
    elif isinstance(node, ast.Attribute) and node.attr in _NAMES:
        yield lambda twin: setattr(twin, "attr", _NAMES[twin.attr])
    elif isinstance(node, ast.Name) and node.id in ("min", "max", "any", "all"):
        yield lambda twin: setattr(twin, "id", _NAMES[twin.id])


def _is_text(node: ast.AST) -> bool:
    """A type such as ``int | None``, or texts and lists put together."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return any(part.value is None or isinstance(part.value, str) for part in parts)


class Altered(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the altered source when its module is imported."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = f"fide_batch.rules.{Path(mutant.file).stem}"

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name == self.name:
            return importlib.util.spec_from_file_location(name, RULES / self.mutant.file, loader=self)
        return None

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        exec(compile(self.mutant.source, str(RULES / self.mutant.file), "exec"), module.__dict__)


def noticed(mutant: Mutant | None, tests: tuple[str, ...]) -> bool:
    """Run tests in a process of their own on the altered rules: whether one failed."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            if mutant:
                sys.meta_path.insert(0, Altered(mutant))
            with open(os.devnull, "w") as nothing:
                os.dup2(nothing.fileno(), 1)
                os.dup2(nothing.fileno(), 2)
            os.chdir(ROOT)
            import pytest

            with tempfile.TemporaryDirectory() as folder:
                options = [
                    "-x",
                    "-q",
                    "-p",
                    "no:cacheprovider",
                    "-p",
                    "no:xdist",
                    "-m",
                    "not soak",
                    f"--basetemp={folder}/t",
                ]
                os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
                code = int(pytest.main([*options, *tests]))
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0


def survives(mutant: Mutant) -> bool:
    """Whether no test noticed."""
    return not any(noticed(mutant, tests) for tests in KILLERS)


def load() -> None:
    """What the tests import, except the rules."""
    import hypothesis
    import numpy
    import pyarrow.compute
    import pyarrow.parquet
    import pytest

    import fide_batch.model
    import fide_batch.regulations

    assert hypothesis and numpy and pyarrow and pytest and fide_batch
    for name in fide_batch.regulations.names():
        fide_batch.regulations.edition(name)


def main() -> None:
    """The campaign from the command line."""
    count, seed, only = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0, sys.argv[3:]
    load()
    everything = [mutant for path in sorted(RULES.glob("*.py")) for mutant in mutants_of(path)]
    chosen = (
        [mutant for mutant in everything if f"{mutant.file}:{mutant.line}" in only]
        if only
        else random.Random(seed).sample(everything, min(count, len(everything)))
    )
    for tests in KILLERS:
        if noticed(None, tests):
            sys.exit(f"the tests fail on the rules as they are: {' '.join(tests)}")
    began, survivors = time.monotonic(), []
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for done, (mutant, alive) in enumerate(zip(chosen, pool.map(survives, chosen), strict=True), 1):
            if alive:
                survivors.append(mutant)
                print(f"{done:4d}  nobody noticed  {mutant}", flush=True)
    print(
        f"{len(chosen)} of {len(everything)} possible alterations, {len(chosen) - len(survivors)} noticed, {len(survivors)} not; {time.monotonic() - began:,.0f} s"
    )


if __name__ == "__main__":
    main()
