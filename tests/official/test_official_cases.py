"""FIDE's own figures, exactly: what its calculation pages print, and how its lists moved.

The cases are run in a few months; ``pytest -m soak tests/official`` runs each of them as a month of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.official.cases import OFFICIAL, has_two_lists, run_month
from tests.official.figures import wrong_figures

NAMED_IN_DIFFERENCES = {"MC-2006-07": 30, "MC-2018-07": -2}
"""The two changes FIDE published that its rules do not give, with ours; DIFFERENCES.md explains them."""


def batches() -> dict[str, list[dict[str, Any]]]:
    """Cases that can share a month: the same edition and period; before 2020 the same edition, unless two lists are needed."""
    found: dict[str, list[dict[str, Any]]] = {}
    for case in OFFICIAL:
        if not case["id"].startswith("MC"):
            name = f"{case['rules']} {case['period']}"
        elif has_two_lists(case):
            name = case["id"]
        else:
            name = case["rules"]
        found.setdefault(name, []).append(case)
    return found


BATCHES = batches()


@pytest.mark.parametrize("batch", BATCHES)
def test_fides_own_figures(batch: str, tmp_path: Path) -> None:
    cases = BATCHES[batch]
    month = run_month(tmp_path, cases, max(case["period"] for case in cases))
    assert wrong_figures(month, cases, NAMED_IN_DIFFERENCES) == []


@pytest.mark.soak
@pytest.mark.parametrize("case", OFFICIAL, ids=lambda case: case["id"])
def test_each_case_alone(case: dict[str, Any], tmp_path: Path) -> None:
    assert wrong_figures(run_month(tmp_path, [case]), [case], NAMED_IN_DIFFERENCES) == []


def test_what_the_rules_do_not_give_is_explained() -> None:
    """The cases FIDE itself did not compute by the rules, and only those, are in DIFFERENCES.md."""
    differences = (Path(__file__).parents[2] / "DIFFERENCES.md").read_text("utf-8")
    inconsistent = {case["id"] for case in OFFICIAL if not case["consistent"]}
    assert inconsistent == set(NAMED_IN_DIFFERENCES)
    assert all(id_ in differences for id_ in inconsistent)
