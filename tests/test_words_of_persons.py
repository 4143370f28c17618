"""What the program says of a player fits a woman as well as a man."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "fide_batch"
OF_A_MAN = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
SEALED = {
    ": opponent unrated, his Ru in this closed round robin counts",
    ": against himself",
}
"""Reasons of sealed games: the same figures must give the same bytes."""


def said(path: Path) -> list[ast.Constant]:
    """Every text of a module but its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent
    ]


def test_no_text_calls_every_player_a_man() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in said(path)
        if OF_A_MAN.search(str(node.value)) and node.value not in SEALED
    }
    assert found == set()
