"""The catalogue of problems: complete, nothing in it that nobody tells, and the page made from it is up to date."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from fide_batch.checks import catalogue

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fide_batch"
CASES = {path.parent.name for path in Path(__file__).parent.glob("*/expected.txt")}
CATALOGUE_FILES = {"catalogue.py", "codes_reports.py", "codes_formats.py", "codes_workspace.py"}

LIKE_A_CODE = re.compile(r"[a-z]+(-[a-z]+)+")
SEVERITIES = {"error", "warning", "note"}
TELLERS = {"Problem", "Remark", *SEVERITIES}

OTHER_WORDS = {
    "chess-results", "swiss-manager", "tie-breaks", "first-rating", "in-force", "fide-batch", "re-rating", "w-d", "round-robin", "single-control",
    "right-aligned", "no-wrap", "in-place", "dry-run", "skip-faulty", "min-games", "half-point", "full-point", "zero-point", "pre-wrap",
}  # fmt: skip
"""Words of the source with a hyphen that are no codes."""

WITHOUT_FILE = {
    "claimed-twice": "no file is known by two readers; tests/formats makes such readers",
    "changed-while-read": "takes a file that changes while it is read",
}

MADE_OF_PARTS = {"start-missing", "end-missing", "start-from-rounds", "end-from-rounds"}
"""Codes the source puts together: f"{what}-missing"."""


def sources() -> list[tuple[Path, ast.Module]]:
    paths = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name not in CATALOGUE_FILES]
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def strings(tree: ast.Module) -> list[ast.Constant]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_page_is_up_to_date() -> None:
    page = ROOT / "docs" / "problems.md"

    assert page.read_text("utf-8") == catalogue.markdown(), "write it again with: make docs"


def test_every_code_of_the_catalogue_is_told_somewhere() -> None:
    told = {node.value for _, tree in sources() for node in strings(tree)}

    assert [code for code in catalogue.CODES if code not in told | MADE_OF_PARTS] == []


def test_every_word_of_the_source_that_looks_like_a_code_is_in_the_catalogue() -> None:
    """The rooms that find problems: a word with hyphens there is a code, or one of a few known others."""
    missing = {
        f"{node.value} ({path.relative_to(ROOT)}:{node.lineno})"
        for path, tree in sources()
        if path.parent.name in ("formats", "checks", "rules", "fide_batch")
        for node in strings(tree)
        if LIKE_A_CODE.fullmatch(node.value)
        if node.value not in catalogue.CODES and node.value not in OTHER_WORDS
    }

    assert missing == set()


def test_every_problem_written_down_with_its_code_has_it_in_the_catalogue() -> None:
    """``Problem("code", ...)``, ``found.error("code", ...)``: codes of one word too."""
    missing = set()
    for path, tree in sources():
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            code = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
            if name not in TELLERS or not isinstance(code, str) or not re.fullmatch(r"[a-z-]+", code):
                continue
            if code not in catalogue.CODES and code not in SEVERITIES:
                missing.add(f"{code} ({path.relative_to(ROOT)}:{call.lineno})")

    assert missing == set()


@pytest.mark.parametrize("code", sorted(catalogue.CODES))
def test_every_code_has_a_file_that_provokes_it(code: str) -> None:
    if catalogue.CODES[code].chapter in catalogue.WITHOUT_FILE:
        pytest.skip("told of the archive or of settings, not of a report or list: tested with them")
    if code in WITHOUT_FILE:
        pytest.skip(WITHOUT_FILE[code])
    assert code in CASES


def test_severities_of_the_catalogue_are_known() -> None:
    words = {word for entry in catalogue.CODES.values() for word in re.findall(r"[a-z]+", entry.severities)}

    assert words <= SEVERITIES | {"or"}
    assert all(entry.severity == "error" for entry in catalogue.CODES.values() if entry.acceptable)
