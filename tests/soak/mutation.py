"""Is every line of the rules held by a test? Each is altered a little, and the tests must notice.

``python -m tests.soak.mutation 300`` alters 300 places drawn from all of ``fide_batch/rules/`` one by one, ``all`` every place there is; a
seed may follow, and lines: ``python -m tests.soak.mutation all 0 change.py:41``. A first pass over the tests sees which lines each of them runs; an
alteration is then shown to the tests that run its statement until one fails. What nobody noticed is printed. What
``equivalent.toml`` tells to be the same in other words, with the reason, is not shown to them. FIDE_BATCH_WORKERS says how many processes work at once.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import inspect
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from tests.soak import apart

ROOT = Path(__file__).parent.parent.parent
RULES = ROOT / "fide_batch" / "rules"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
KILLERS = ("tests/rules", "tests/oracle", "tests/cases", "tests/desk")
"""Tests that must notice."""
PATIENCE = 60
"""Seconds of processor time the tests may take; what does not end has been noticed."""
MEMORY = 3 << 30

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
    """One place altered: the file, the function ('' outside of one), what stood there and what stands there now."""

    file: str
    function: str
    line: int
    lines: range
    """Of the statement, as far as it is run at once: of an ``if`` its condition."""
    was: str
    now: str
    statement: str
    altered: str
    """The statement on one line, before and after."""
    source: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What ``equivalent.toml`` knows it by: no numbers of lines."""
        return self.file, self.function, self.statement, self.altered

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.was}  ->  {self.now}\n        {self.statement[:200]}\n        {self.altered[:200]}"


def mutants_of(path: Path) -> list[Mutant]:
    """Every place of a file that can be altered, with each alteration."""
    tree = ast.parse(path.read_text("utf-8"))
    parent = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    order = {node: place for place, node in enumerate(ast.walk(tree))}
    found = []
    for node, place in order.items():
        if _only_said(node, parent):
            continue
        for change in _changes(node):
            statement = node
            while not isinstance(statement, ast.stmt):
                statement = parent[statement]
            body = getattr(statement, "body", None)
            last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
            altered = copy.deepcopy(tree)
            twins = list(ast.walk(altered))
            before = ast.unparse(node)
            change(twins[place])
            if (now := ast.unparse(twins[place])) == before:
                continue
            found.append(
                Mutant(
                    path.name, _function(node, parent), node.lineno, range(statement.lineno, max(last, statement.lineno) + 1),  # type: ignore[attr-defined]
                    before, now, _one_line(statement), _one_line(twins[order[statement]]), ast.unparse(altered),
                )
            )  # fmt: skip
    return found


def _only_said(node: ast.AST, parent: dict[ast.AST, ast.AST]) -> bool:
    """Whether it stands in a type or a decorator: nothing is reckoned there."""
    while node in parent:
        above = parent[node]
        said = [getattr(above, name, None) for name in ("annotation", "returns")] + getattr(above, "decorator_list", [])
        if any(node is each for each in said):
            return True
        node = above
    return False


def _one_line(statement: ast.AST) -> str:
    return ast.unparse(statement).split("\n")[0]


def _function(node: ast.AST, parent: dict[ast.AST, ast.AST]) -> str:
    """The outermost function whose body the node is in, with its class; '' for what is run when the module is imported."""
    names: list[str] = []
    while node in parent:
        above = parent[node]
        if isinstance(above, ast.FunctionDef) and node in above.body:
            names = [above.name]
        elif isinstance(above, ast.ClassDef) and names:
            names.insert(0, above.name)
        node = above
    return ".".join(names)


def _changes(node: ast.AST) -> Iterator[Callable[[Any], None]]:
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


# --- altering -----------------------------------------------------------------------------------


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


def put_in_place(mutant: Mutant) -> None:
    """Give a function that is loaded already its altered code."""
    code = compile(mutant.source, str(RULES / mutant.file), "exec")
    live: Any = sys.modules[f"fide_batch.rules.{Path(mutant.file).stem}"]
    for name in mutant.function.split("."):
        code = next(part for part in code.co_consts if isinstance(part, CodeType) and part.co_name == name)
        live = inspect.getattr_static(live, name)
    live = getattr(live, "fget", None) or getattr(live, "__func__", live)
    live = inspect.unwrap(live)
    assert isinstance(live, FunctionType), mutant.function
    live.__code__ = code
    forget()


def forget() -> None:
    """Nothing is remembered of what the rules were asked before."""
    for name, module in list(sys.modules.items()):
        if name.startswith("fide_batch.rules."):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


# --- the tests ----------------------------------------------------------------------------------


@dataclass
class Survey:
    """What the tests run, and for how long."""

    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    """By test; of '' what was run while modules were imported."""
    failed: int = 0

    noticed: Counter[str] = field(default_factory=Counter)
    """How many alterations each test has noticed so far."""

    def running(self, mutant: Mutant) -> list[str]:
        """The tests that run the statement, in the order of ``promising``."""
        places = {(mutant.file, line) for line in mutant.lines}
        return self.promising([test for test, lines in self.lines.items() if test and lines & places])

    def promising(self, tests: Sequence[str]) -> list[str]:
        """Those that have noticed most for their time first, then those made for the rules, then the rest, mixed."""
        chance = {test: random.Random(test).random() for test in tests}
        worth = {test: self.noticed[test] / (0.02 + self.seconds[test]) for test in tests}
        return sorted(
            tests,
            key=lambda test: (-worth[test], not test.startswith(KILLERS[0]) or self.seconds[test] > 0.3, chance[test]),
        )


class Surveyor:
    """A plugin of pytest that makes the survey; put in place before anything of the rules is imported."""

    def __init__(self) -> None:
        self.survey = Survey()
        self.seen = self.survey.lines.setdefault("", set())
        sys.settrace(self._call)
        threading.settrace(self._call)

    def _call(self, frame: FrameType, event: str, told: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(str(RULES)) else None

    def _line(self, frame: FrameType, event: str, told: Any) -> Any:
        self.seen.add((os.path.basename(frame.f_code.co_filename), frame.f_lineno))
        return self._line

    def pytest_runtestloop(self, session: Any) -> bool:
        for place, item in enumerate(session.items):
            forget()
            self.seen = self.survey.lines.setdefault(item.nodeid, set())
            began = time.process_time()
            after = session.items[place + 1] if place + 1 < len(session.items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            self.survey.seconds[item.nodeid] = time.process_time() - began
        self.survey.failed = session.testsfailed
        return True


class Chosen:
    """A plugin that runs some tests in the order given, until one fails, and writes down which."""

    def __init__(self, tests: Sequence[str], told: Path) -> None:
        self.tests, self.told = tests, told

    def pytest_runtestloop(self, session: Any) -> bool:
        known = {item.nodeid: item for item in session.items}
        items = [known[test] for test in self.tests if test in known]
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if session.testsfailed:
                self.told.write_text(item.nodeid)
                break
        return True


class Campaign:
    """A plugin that, when all tests are there, shows them one mutant after another, each in a process of its own."""

    def __init__(self, mutants: Sequence[Mutant], survey: Survey, tell: Callable[[Mutant, str], None]) -> None:
        self.mutants, self.survey, self.tell = mutants, survey, tell

    def pytest_runtestloop(self, session: Any) -> bool:
        def show(mutant: Mutant, folder: Path) -> int:
            put_in_place(mutant)
            session.config._tmp_path_factory._given_basetemp = folder / "t"
            Chosen(self.survey.running(mutant), folder / "test").pytest_runtestloop(session)
            return int(bool(session.testsfailed))

        show_each(self.mutants, show, self.survey, self.tell)
        return True


def tests_with(plugin: object, folder: Path, tests: Sequence[str] = KILLERS) -> int:
    """Load tests, and let a plugin run them."""
    import hypothesis
    import pytest

    hypothesis.settings.register_profile(
        "mutation", deadline=None, derandomize=True, database=None, suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )  # fmt: skip
    hypothesis.settings.load_profile("mutation")
    options = ["-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not soak"]
    return int(pytest.main([*options, f"--basetemp={folder}", *tests], plugins=[plugin]))


def show_from_the_start(survey: Survey) -> Callable[[Mutant, Path], int]:
    """For what is run when modules are imported: all tests, loaded on the altered rules, those made for the rules first."""

    def show(mutant: Mutant, folder: Path) -> int:
        sys.meta_path.insert(0, Altered(mutant))
        for tests in (KILLERS[:1], KILLERS[1:]):
            order = survey.promising([test for test in survey.seconds if test.startswith(tests)])
            if code := tests_with(Chosen(order, folder / "test"), folder / "t", tests):
                return code
        return 0

    return show


def show_each(
    mutants: Sequence[Mutant], show: Callable[[Mutant, Path], int], survey: Survey, tell: Callable[[Mutant, str], None]
) -> None:
    """Show every mutant in a process of its own, and tell what came of it."""

    def alone(mutant: Mutant, folder: Path) -> int:
        quiet()
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
        return show(mutant, folder)

    for mutant, status, folder in apart.each(list(mutants)[::-1], alone):
        if (folder / "test").exists():
            survey.noticed[(folder / "test").read_text()] += 1
        tell(mutant, "survived" if status == 0 else "ended" if status < 0 else "noticed")


def quiet() -> None:
    """Bounds, and no output."""
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(10 * PATIENCE)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.chdir(ROOT)


def surveyed() -> Survey:
    """Run all tests on the rules as they are."""
    surveyor = Surveyor()
    with tempfile.TemporaryDirectory() as folder:
        nothing, out = os.open(os.devnull, os.O_WRONLY), os.dup(1)
        os.dup2(nothing, 1)
        tests_with(surveyor, Path(folder) / "t")
        os.dup2(out, 1)
    sys.settrace(None)
    return surveyor.survey


def equivalents() -> dict[tuple[str, str, str, str], str]:
    """The alterations that are the same in other words, each with the reason."""
    told = tomllib.loads(EQUIVALENT.read_text("utf-8"))
    return {
        (file, one["function"], one["was"], now): one["why"]
        for file, rows in told.items() for one in rows for now in ([one["now"]] if isinstance(one["now"], str) else one["now"])
    }  # fmt: skip


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
    assert "fide_batch.rules.month" not in sys.modules


def main() -> None:
    """The campaign from the command line."""
    count, seed, only = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0, sys.argv[3:]
    load()
    everything = [mutant for path in sorted(RULES.glob("*.py")) for mutant in mutants_of(path)]
    chosen = [mutant for mutant in everything if not only or {mutant.file, f"{mutant.file}:{mutant.line}"} & set(only)]
    if count != "all":
        chosen = random.Random(seed).sample(chosen, min(int(count), len(chosen)))
    explained = equivalents()
    for key in explained.keys() - {mutant.key for mutant in everything}:
        print("no longer there:", *key, sep="\n    ")
    began = time.monotonic()
    survey: Survey = apart.one(surveyed)
    if survey.failed:
        sys.exit(f"{survey.failed} tests fail on the rules as they are")
    print(f"{len(survey.seconds)} tests seen, {time.monotonic() - began:.0f} s", flush=True)

    came: Counter[str] = Counter()

    def tell(mutant: Mutant, what: str) -> None:
        if what == "survived" and mutant.function and not survey.running(mutant):
            what = "run by no test"
        came[what] += 1
        if what not in ("noticed", "ended"):
            print(f"{sum(came.values()):4d} {what}: {mutant}", flush=True)

    imported = survey.lines[""]
    shown = [mutant for mutant in chosen if mutant.key not in explained]
    late = [
        mutant
        for mutant in shown
        if mutant.function and not any((mutant.file, line) in imported for line in mutant.lines)
    ]
    early = [mutant for mutant in shown if mutant not in set(late)]

    def functions() -> tuple[Counter[str], Counter[str]]:
        with contextlib.redirect_stderr(None), tempfile.TemporaryDirectory() as folder:
            tests_with(Campaign(late, survey, tell), Path(folder) / "t")
        return came, survey.noticed

    came, survey.noticed = apart.one(functions)
    show_each(early, show_from_the_start(survey), survey, tell)
    noticed, same = came["noticed"] + came["ended"], len(chosen) - len(shown)
    print(
        f"{len(chosen)} of {len(everything)} possible alterations: {noticed} noticed (in {came['ended']} of them the tests did not end), "
        f"{same} the same in other words, {len(shown) - noticed} not noticed; {time.monotonic() - began:,.0f} s"
    )
    sys.exit(len(shown) > noticed)


if __name__ == "__main__":
    main()
