"""The catalogue of problems: complete, nothing in it that nobody tells, and the page made from it is up to date."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from fide_batch.checks import catalogue

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fide_batch"
CASES = {path.parent.name for path in Path(__file__).parent.glob("*/expected.txt")}
CATALOGUE_FILES = {"catalogue.py", "codes_reports.py", "codes_formats.py", "codes_workspace.py"}


def strings_of_the_source() -> dict[str, str]:
    """Every string of the source, with a place where it stands."""
    found: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name in CATALOGUE_FILES:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.setdefault(node.value, f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_page_is_up_to_date() -> None:
    page = ROOT / "docs" / "problems.md"

    assert page.read_text("utf-8") == catalogue.markdown(), "write it again with: make docs"


def test_every_code_of_the_catalogue_is_told_somewhere() -> None:
    source = strings_of_the_source()

    assert [code for code in catalogue.CODES if code not in source] == []


@pytest.mark.parametrize("code", sorted(catalogue.CODES))
def test_every_code_has_a_file_that_provokes_it(code: str) -> None:
    if catalogue.CODES[code].chapter in catalogue.WITHOUT_FILE:
        pytest.skip("told of the archive or of settings, not of a report or list: tested with them")
    assert code in CASES
