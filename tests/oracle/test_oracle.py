"""The product against the oracle on random months of every edition: every published number of both is the same.

Each federation is followed for three months, each month built on the last. ``pytest -m soak tests/oracle`` follows hundreds of each
edition; FIDE_BATCH_SOAK sets how many.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.oracle.agreement import chain
from tests.oracle.law import LAWS
from tests.oracle.months import Federation, rules_names
from tests.oracle.oracle import rate
from tests.oracle.through_files import chain_through_files

FEDERATIONS = 7
"""Of each edition and of the choice by date: 13 x 7 x 3 = 273 months."""
MONTHS = 3


@pytest.mark.parametrize("seed", range(FEDERATIONS))
@pytest.mark.parametrize("rules", rules_names())
def test_random_months(rules: str, seed: int) -> None:
    assert chain(Federation(seed, rules), MONTHS, rate) == []


@pytest.mark.soak
@pytest.mark.parametrize("rules", rules_names())
def test_many_random_months(rules: str) -> None:
    seeds = range(FEDERATIONS, FEDERATIONS + int(os.environ.get("FIDE_BATCH_SOAK", "300")))
    found = {seed: chain(Federation(seed, rules), MONTHS + seed % 2, rate) for seed in seeds}
    assert {seed: lines[:3] for seed, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "rules", ["classic", "fide-2009-07", "fide-2022-01", "fide-2024-03", "fide-2025-10", "in-force"]
)
def test_random_months_through_files(rules: str, tmp_path: Path) -> None:
    assert chain_through_files(Federation(1, rules, tidy=True), 2, tmp_path, rate) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("rules", rules_names())
def test_more_random_months_through_files(rules: str, seed: int, tmp_path: Path) -> None:
    assert chain_through_files(Federation(seed, rules, tidy=True), MONTHS, tmp_path, rate) == []


def test_the_months_meet_what_they_are_for() -> None:
    """Over the months of the normal tests every kind of outcome comes up, so that agreement says something."""
    statuses, reasons = set(), {"cut at 400": 0, "600": 0, "exempt": 0, "700": 0, "closed": 0}
    for rules in LAWS:
        for seed in range(FEDERATIONS):
            federation = Federation(seed, rules)
            month = {
                "period": federation.first_period, "rules": rules, "lists": federation.lists, "kept": [],
                "events": federation.events(federation.first_period, federation.lists[-1][1]),
            }  # fmt: skip
            out = rate(month)
            statuses |= {line["status"] for line in out["changes"].values()}
            for game in out["games"].values():
                if game["counted"]:
                    reasons["cut at 400"] += game["difference"] != game["counted_difference"]
                    reasons["exempt"] += abs(game["counted_difference"]) > 400 and game["own"] >= 2650
                elif "own" in game and game["standing"] in ("rated", "rated since"):
                    reasons["600"] += 1
            reasons["700"] += sum("k" in line and line["k"] < line["k_list"] for line in out["changes"].values())
            reasons["closed"] += sum(bool(result["closed"]) for result in out["kept"])
    assert statuses == {"rated", "first-rating", "pending", "delisted", "adjusted"}
    assert all(reasons.values()), reasons
