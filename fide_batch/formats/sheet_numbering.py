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
    answered = 0
    for game in games:
        other = at.get((row_of.get(game.opponent, -1), game.round))
        if (
            other is not None
            and other.opponent == numbers[game.row]
            and (game.colour != other.colour or not game.colour)
            and other.result in _ANSWER.get(game.result, "")
        ):
            answered += 1
    return Fit(name, answered, len(games), row_of)


def choose(readings: Mapping[str, Sequence[int]], games: Sequence[Played]) -> tuple[Fit, bool]:
    """The reading that fits best, the first of equals, and whether it can be trusted.

    A single reading is: what is wrong with it is told game by game. One of several must answer most games, and clearly more than the others.
    """
    fits = [fit(name, numbers, games) for name, numbers in readings.items()]
    best = max(fits, key=lambda found: found.answered)
    rivals = [found for found in fits if found is not best and found.row_of != best.row_of]
    if not rivals or not games:
        return best, True
    second = max(found.answered for found in rivals)
    return best, best.share >= 0.6 and best.answered - second >= 0.3 * best.games
