"""The rating difference D of a game, and how much of it counts: the 400 rule and the 600 rule."""

from __future__ import annotations

from typing import Any

import numpy as np

from fide_batch.regulations.edition import Difference, UnratedDifference


def counted_difference(difference: Any, own: Any, control: str, law: Difference, upgraded: Any = False) -> Any:
    """The difference a game is rated by (article ``difference``): columns or whole numbers, in points.

    Args:
        difference: own less opponent's rating, positive for the higher rated.
        own: the player's own rating; one of ``law.exempt_from`` or more is neither helped nor harmed.
        control: standard, rapid or blitz.
        upgraded: with ``one upgrade per event``, whether this is the game of the event that counts as 400 for the higher rated
            (see ``one_upgrade``); the lower rated side counts as 400 in every game.
    """
    if law.method == "none" or control not in law.controls:
        return difference
    lowered = np.minimum(difference, law.cap)
    if law.method == "one upgrade per event":
        lowered = np.where(upgraded, lowered, difference)
    counted = np.maximum(lowered, -law.cap)
    if law.exempt_from and control in law.exempt_controls:
        counted = np.where(np.asarray(own) >= law.exempt_from, difference, counted)
    return counted[()]


def one_upgrade(difference: np.ndarray, participant: np.ndarray, law: Difference) -> np.ndarray:
    """Which games count as 400 for the higher rated: of each participant's games beyond the cap in an event, the largest difference.

    ``participant`` numbers the player-events; the games are in the order of rounds. Of equal largest differences the first one.
    """
    upgraded = np.zeros(len(difference), bool)
    beyond = np.flatnonzero(difference > law.cap)
    if len(beyond):
        order = beyond[np.lexsort((-difference[beyond], participant[beyond]))]
        first = np.ones(len(order), bool)
        first[1:] = participant[order[1:]] != participant[order[:-1]]
        upgraded[order[first]] = True
    return upgraded


def not_rated_by_difference(difference: Any, own: Any, opponent: Any, control: str, law: UnratedDifference) -> Any:
    """Whether a game of two rated players is not rated because they are too far apart (article ``large_difference``).

    It looks at the difference before the 400 rule; ``own`` and ``opponent`` are the ratings used.
    """
    if not law.from_difference or control not in law.controls:
        return np.zeros(np.shape(difference), bool)[()]
    return (np.abs(difference) >= law.from_difference) & (np.maximum(own, opponent) > law.above_rating)
