"""Closed round robins with unrated participants: games against them count by a formula (until 2021, and in ``classic``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from fide_batch.rules.change import half_away_from_zero
from fide_batch.rules.first_rating import TENTHS, half_points_above, percentage
from fide_batch.rules.rateable import SCORE, Kind, Met
from fide_batch.rules.sheet import Piece


@dataclass(frozen=True)
class RoundRobin:
    """What the formula needs of an event."""

    rated: tuple[int, ...]
    """Ratings of the rated participants."""
    dp: tuple[int, ...]
    """D(p) of each of them, p taken over all his games."""
    opponents: int
    """n: opponents each, one less than the participants."""
    bonus: int
    """Per half point above 50 per cent, in tenths."""

    @property
    def ra(self) -> Fraction:
        """Ra = Rar - dpa x n/(n + 1): what an unrated participant with 50 per cent is worth (article ``round_robin``)."""
        rar = Fraction(sum(self.rated), len(self.rated))
        dpa = Fraction(sum(self.dp), len(self.dp))
        return rar - dpa * Fraction(self.opponents, self.opponents + 1)

    def ru(self, score: int, games: int, performance: Sequence[int]) -> Fraction:
        """Ru of an unrated participant: Ra, with the bonus above 50 per cent, with D(p) x n/(n + 1) below; ``score`` in ten-thousandths."""
        p = percentage(score, games)
        if p > 50:
            return self.ra + Fraction(self.bonus * half_points_above(score, games), TENTHS)
        if p < 50:
            return self.ra + performance[p] * Fraction(self.opponents, self.opponents + 1)
        return self.ra


def everybody_met_everybody(player: np.ndarray, opponent: np.ndarray, size: int) -> bool:
    """Whether the games, each from both sides, are a round robin of so many participants: every two of them met equally often."""
    seats, place = np.unique(np.concatenate([player, opponent]), return_inverse=True)
    if size < 2 or len(seats) != size or len(player) % (size * (size - 1)):
        return False
    own, other = place[: len(player)], place[len(player) :]
    met = np.bincount(own * size + other, minlength=size * size).reshape(size, size)
    off_diagonal = ~np.eye(size, dtype=bool)
    return not met.diagonal().any() and bool((met[off_diagonal] == len(player) // (size * (size - 1))).all())


@dataclass(frozen=True)
class ClosedEvents:
    """The closed round robins of the month or of a piece of it, and the events that would be one but for a game not played."""

    formula: dict[int, RoundRobin]
    """By the event's place in the piece."""
    unplayed: frozenset[int]
    without_unrated: frozenset[int]
    """Events with nobody rated or nobody unrated: there the formula has no part."""

    @classmethod
    def together(cls, pieces: Sequence[tuple[int, ClosedEvents]]) -> ClosedEvents:
        """Those of the pieces of a sheet, each with the place of its first event."""
        return cls(
            {first + place: formula for first, piece in pieces for place, formula in piece.formula.items()},
            frozenset(first + place for first, piece in pieces for place in piece.unplayed),
            frozenset(first + place for first, piece in pieces for place in piece.without_unrated),
        )


def closed_events(piece: Piece, met: np.ndarray, rating: np.ndarray) -> ClosedEvents:
    """Find the events whose games with unrated participants are rated by the formula (reading 10).

    At least one rated and one unrated participant, everybody in the report met everybody equally often, and every game was played. Free rounds are no games. Only in
    editions that have the rule (of the event's first day), and not where a decision says the event is a Swiss.

    Args:
        piece: some of the month's reports.
        met: for each participant a ``Met``; an unidentified one takes part without a rating.
        rating: for each participant the rating his opponents see.
    """
    formula: dict[int, RoundRobin] = {}
    unplayed: set[int] = set()
    asked = np.array([
        edition.first_rating.round_robin and event.forced_kind != "swiss"
        for edition, event in zip(piece.editions, piece.events, strict=True)
    ], bool)  # fmt: skip
    if not asked.any():
        return ClosedEvents(formula, frozenset(), frozenset())
    cells, seats = piece.cell_bounds, piece.entry_bounds
    with_opponent = piece.opponent != -1
    size, paired = np.diff(seats), _counts(with_opponent, cells)
    played = _counts((piece.opponent >= 0) & (SCORE[piece.result] >= 0), cells)
    mixed = (_counts(met == Met.RATED, seats) > 0) & (_counts(met != Met.RATED, seats) > 0)
    asked &= mixed
    # A round robin of p has a multiple of p(p - 1) player-games: hardly a Swiss gets past this.
    asked &= (size > 1) & (paired % np.maximum(size * (size - 1), 1) == 0)
    for place in np.flatnonzero(asked).tolist():
        here = slice(cells[place], cells[place + 1])
        own, opponent, result = piece.entry[here], piece.opponent[here], piece.result[here]
        met_somebody = opponent != -1
        own, opponent, result = own[met_somebody], opponent[met_somebody], result[met_somebody]
        if (opponent < 0).any() or not everybody_met_everybody(own, opponent, int(size[place])):
            continue
        if played[place] < paired[place] or np.isin(piece.result[here], _NOT_PLAYED).any():
            unplayed.add(place)
            continue
        seat = np.unique(own)
        rated = [each for each in seat.tolist() if met[each] == Met.RATED]
        if len(rated) in (0, len(seat)):
            continue
        edition = piece.editions[place]
        scores = [SCORE[result[own == each]] for each in rated]
        formula[place] = RoundRobin(
            tuple(int(rating[each]) for each in rated),
            tuple(edition.performance[percentage(int(score.sum()), len(score))] for score in scores),
            len(seat) - 1,
            edition.first_rating.bonus,
        )
    return ClosedEvents(formula, frozenset(unplayed), frozenset(np.flatnonzero(~mixed).tolist()))


_NOT_PLAYED = np.array([ord(letter) for letter in "+-WDL*?"], np.uint8)
"""Make a Swiss of a round robin even where no opponent is named."""


def _counts(mark: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """How many of a mark lie between each two bounds."""
    return np.diff(np.concatenate([[0], np.cumsum(mark, dtype=np.int64)])[bounds])


def ru_for_opponents(
    piece: Piece, met: np.ndarray, rating: np.ndarray, closed: ClosedEvents
) -> tuple[np.ndarray, np.ndarray]:
    """The rating each participant has for his opponents, and as what they meet him: in a closed round robin the unrated stand with their Ru, rounded."""
    if not closed.formula:
        return rating, met
    rating, met = rating.copy(), met.copy()
    cells = piece.cell_bounds
    for place, formula in closed.formula.items():
        here = slice(cells[place], cells[place + 1])
        own = piece.entry[here][piece.opponent[here] >= 0]
        score = SCORE[piece.result[here][piece.opponent[here] >= 0]]
        performance = piece.editions[place].performance
        for each in np.unique(own).tolist():
            if met[each] == Met.UNRATED:
                points = score[own == each]
                rating[each] = half_away_from_zero(formula.ru(int(points.sum()), len(points), performance), 1)
                met[each] = Met.RU
    return rating, met


def tell_unplayed(piece: Piece, kind: np.ndarray, closed: ClosedEvents) -> None:
    """Give the games with unrated opponents their reason where a game not played made a Swiss of a round robin; changes ``kind``."""
    cells = piece.cell_bounds
    for place in closed.unplayed:
        here = kind[cells[place] : cells[place + 1]]
        here[here == Kind.OPPONENT_UNRATED] = Kind.OPPONENT_UNRATED_UNPLAYED
