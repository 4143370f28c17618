"""The expected score PD of a rating difference D: the printed table, or the formula it was made from."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from typing import Any

import numpy as np

from fide_batch.model import POINT
from fide_batch.regulations.edition import ExpectedScore


def expected_score(difference: Any, law: ExpectedScore) -> Any:
    """PD of a player whose rating is ``difference`` above his opponent's (article ``expected_score``), in ten-thousandths.

    A column or a whole number; positive D is the higher rated. What the two players expect makes one point.
    """
    table = _both_sides(law)
    farthest = len(table) // 2
    return table[np.clip(difference, -farthest, farthest) + farthest]


@lru_cache(maxsize=64)
def _both_sides(law: ExpectedScore) -> np.ndarray:
    """PD for every D from minus to plus the difference at which it changes no more."""
    higher = _by_formula() if law.method == "formula" else _by_table(law.table)
    table = np.concatenate([POINT - higher[:0:-1], higher])
    table.setflags(write=False)
    return table


def _by_table(rows: tuple[tuple[int, int, int], ...]) -> np.ndarray:
    """PD of the higher rated for D = 0, 1 ... to the beginning of the last row."""
    ordered = sorted(rows)
    columns = [np.full(high - low + 1, expected * POINT // 100, np.int32) for low, high, expected in ordered[:-1]]
    return np.concatenate([*columns, np.full(1, ordered[-1][2] * POINT // 100, np.int32)])


def _by_formula() -> np.ndarray:
    """1/(1 + 10^(-D/400)) to four decimals for D = 0, 1 ... until it is 1.0000; decimals of 40 digits, so that no half is rounded wrongly."""
    expected: list[int] = []
    with localcontext() as context:
        context.prec = 40
        step = Decimal(10) ** (Decimal(-1) / Decimal(400))
        odds = Decimal(1)
        while not expected or expected[-1] < POINT:
            expected.append(int((POINT / (1 + odds)).quantize(Decimal(1), ROUND_HALF_UP)))
            odds *= step
    return np.array(expected, np.int32)
