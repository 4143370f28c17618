"""Worked examples that manuals, programs and players published, each under the edition it belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.official.cases import PUBLISHED, control_of, has_two_lists, run_month
from tests.official.figures import wrong_figures


def batches() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for case in PUBLISHED:
        name = case["id"] if has_two_lists(case) else f"{case['rules']} {case['period']} {control_of(case)}"
        found.setdefault(name, []).append(case)
    return found


BATCHES = batches()


@pytest.mark.parametrize("batch", BATCHES)
def test_published_figures(batch: str, tmp_path: Path) -> None:
    cases = BATCHES[batch]
    assert wrong_figures(run_month(tmp_path, cases), cases) == []


@pytest.mark.soak
@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["id"])
def test_each_case_alone(case: dict[str, Any], tmp_path: Path) -> None:
    assert wrong_figures(run_month(tmp_path, [case]), [case]) == []
