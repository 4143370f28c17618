"""The rating floor: below it a player is unrated."""

from __future__ import annotations

from typing import Any


def below_floor(rating: Any, floor: int) -> Any:
    """Whether a rating computed in the period is too low to be published (article ``floor``); exactly the floor is published."""
    return rating < floor
