"""Published performances, through ``calc``: Rp = Rc, rounded half up, + D(p) with p to a whole per cent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.official.command_line import fide_batch

MASTERS = [2662, 2657, 2641, 2696, 2708, 2790, 2749, 2723, 2788, 2720, 2712, 2739, 2675]
PERFORMANCES = {
    "GRP-6": ([2772, 2597, 2698, 2615, 2665, 2715, 2707], "1==11==", 2839),
    "GRP-7": ([2250] * 5, "11000", 2178),
    "GRP-3, GR-105": (MASTERS, "=11===1=011==", 2822),
    "GRP-5": ([2730, 2682, 2702, 2684, 2745, 2660, 2676, 2700, 2677], "01===0=1=", 2695),
    "GRP-8, GR-01: opponents as they are, not cut": ([1700, 2250], "1=", 2168),
    "GR-107": ([2662, 2657, 2641, 2696, 2708, 2810, 2749, 2790, 2788, 2720, 2712, 2739, 2675], "111=0==0===11", 2806),
    "GR-109": ([2657, 2641, 2696, 2790, 2810, 2749, 2723, 2788, 2720, 2712, 2739, 2675, 2662], "=11===100===1", 2777),
    "GR-111": ([2676, 2700, 2677, 2730, 2690, 2702, 2684, 2682, 2660], "0000==0==", 2469),
    "SC-38": ([1500], "1", 2300),
    "SC-39": ([1500, 1500], "11", 2300),
    "SC-40": ([1500], "0", 700),
    "SC-41": ([1500], "=", 1500),
    "SC-42": ([1500, 1500], "10", 1500),
    "SC-43": ([1500, 1700], "10", 1600),
    "SC-44": ([1500, 1500], "1=", 1693),
    "SC-45": ([1500, 1500, 1500], "1==", 1625),
    "PB-16": ([2200, 2100, 2000], "1=1", 2373),
}


@pytest.mark.parametrize("name", PERFORMANCES)
def test_performance(name: str, tmp_path: Path) -> None:
    opponents, results, rp = PERFORMANCES[name]
    games = tmp_path / "games.txt"
    lines = [
        f"{opponent} | {'0.5' if result == '=' else result}"
        for opponent, result in zip(opponents, results, strict=True)
    ]
    games.write_text("\n".join(lines) + "\n", "utf-8")
    assert json.loads(fide_batch("calc", 2000, "--games", games, "--json"))["rp"] == rp
