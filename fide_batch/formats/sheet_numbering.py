"""Which number the cells of a cross table mean: the start number or the place. Both readings are tried; the games must answer one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Played(NamedTuple):
    """One cell that names an opponent."""

    row: int
    round: int
    opponent: int
    colour: str
    """``w``, ``b`` or ''."""
    result: str


@dataclass(frozen=True)
class Fit:
    """How well one reading answers: games whose other side says the same, of all."""

    name: str
    answered: int
    games: int
    row_of: dict[int, int]
    numbers: Sequence[int]
    fits: Sequence[bool]
    """Game by game, whether it is answered."""

    @property
    def share(self) -> float:
        """Part of the games that are answered; 1 where there are none."""
        return self.answered / self.games if self.games else 1.0


_ANSWER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+-", "?": "?", "D": "D"}


def fit(name: str, numbers: Sequence[int], games: Sequence[Played]) -> Fit:
    """How well the games answer one another when players have these numbers."""
    row_of: dict[int, int] = {}
    for row, number in enumerate(numbers):
        row_of.setdefault(number, row)
    at = {(game.row, game.round): game for game in games}
    fits = []
    for game in games:
        other = at.get((row_of.get(game.opponent, -1), game.round))
        fits.append(
            other is not None
            and other.opponent == numbers[game.row]
            and (game.colour != other.colour or not game.colour)
            and other.result in _ANSWER.get(game.result, "")
        )
    return Fit(name, sum(fits), len(games), row_of, numbers, fits)


def choose(readings: Mapping[str, Sequence[int]], games: Sequence[Played]) -> tuple[Fit, bool]:
    """The reading that fits best, the first of equals, and whether it can be trusted.

    A single reading is: what is wrong with it is told game by game. One of several must answer most games, and clearly more than the others.
    """
    fits = [fit(name, numbers, games) for name, numbers in readings.items()]
    best = max(fits, key=lambda found: found.answered)
    return best, all(_clearly(best, rival, games) for rival in fits if rival is not best)


def _clearly(best: Fit, rival: Fit, games: Sequence[Played]) -> bool:
    """Whether one reading beats another where they differ: players whose place is their start number tell nothing."""
    differing = [
        place
        for place, game in enumerate(games)
        if best.row_of.get(game.opponent) != rival.row_of.get(game.opponent)
        or best.numbers[game.row] != rival.numbers[game.row]
    ]
    if not differing:
        return True
    own = sum(best.fits[place] for place in differing)
    other = sum(rival.fits[place] for place in differing)
    return own >= 0.6 * len(differing) and own - other >= 0.3 * len(differing)
