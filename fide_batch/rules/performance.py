"""The performance rating Rp of an event."""

from __future__ import annotations

from collections.abc import Sequence

from fide_batch.rules.change import half_up
from fide_batch.rules.first_rating import percentage


def performance_rating(opponents: Sequence[int], score: int, performance: Sequence[int]) -> int:
    """Rp = Rc + D(p): the mean of the opponents' ratings, rounded half up, and D of the percentage scored.

    Args:
        opponents: their ratings as they are, without the 400 rule.
        score: in ten-thousandths.
        performance: D(p) for p = 0.00 ... 1.00.

    Raises:
        ValueError: without an opponent.
    """
    if not opponents:
        raise ValueError("a performance needs a game")
    return half_up(sum(opponents), len(opponents)) + performance[percentage(score, len(opponents))]
