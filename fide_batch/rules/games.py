"""The rated games of the month in columns, each with the reckoning of one player."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from fide_batch.model import CONTROLS
from fide_batch.regulations.edition import Edition
from fide_batch.rules.change import rating_change
from fide_batch.rules.difference import counted_difference, not_rated_by_difference, one_upgrade
from fide_batch.rules.expected import expected_score
from fide_batch.rules.rateable import SCORE, Kind
from fide_batch.rules.sheet import Piece


@dataclass(frozen=True)
class RatedGames:
    """A row a player and rated game, in the order of the piece."""

    cell: np.ndarray
    """The player-round."""
    entry: np.ndarray
    difference: np.ndarray
    counted: np.ndarray
    """The difference after the 400 rule."""
    expected: np.ndarray
    score: np.ndarray
    chg: np.ndarray
    """Ten-thousandths, before K."""


def rated_games(piece: Piece, kind: np.ndarray, own: np.ndarray, as_opponent: np.ndarray) -> RatedGames:
    """Reckon every rated game; those the 600 rule takes out are marked so in ``kind``.

    Args:
        piece: some of the month's reports.
        kind: for each player-round a ``Kind``; changed in place.
        own: for each participant the rating he plays with.
        as_opponent: ... and the rating his opponents see.
    """
    cell = np.flatnonzero(kind <= Kind.RATED_RU)
    entry = piece.entry[cell]
    opponent = as_opponent[piece.opponent[cell]]
    rating = own[entry]
    difference = rating - opponent
    far = np.zeros(len(cell), bool)
    for edition, control, games in by_law(piece, entry, _difference_alike):
        law = edition.unrated_difference
        if law.from_difference and control in law.controls:
            too_far = not_rated_by_difference(difference[games], rating[games], opponent[games], control, law)
            far[games] = too_far & (kind[cell[games]] == Kind.RATED)
    if far.any():
        kind[cell[far]] = Kind.LARGE
        near = ~far
        cell, entry, difference, rating = cell[near], entry[near], difference[near], rating[near]

    counted, expected = np.empty_like(difference), np.empty(len(cell), np.int32)
    for edition, control, games in by_law(piece, entry, _difference_alike):
        rule, these = edition.difference, difference[games]
        upgraded = one_upgrade(these, entry[games], rule) if rule.method == "one upgrade per event" else False
        counted[games] = counted_difference(these, rating[games], control, rule, upgraded)
        expected[games] = expected_score(counted[games], edition.expected_score)
    score = SCORE[piece.result[cell]].astype(np.int32)
    return RatedGames(cell, entry, difference, counted, expected, score, rating_change(score, expected))


def by_law(
    piece: Piece, entry: np.ndarray, alike: Callable[[Edition, str], Hashable] = lambda edition, control: (id(edition), control)
) -> Iterator[tuple[Edition, str, slice | np.ndarray]]:  # fmt: skip
    """An edition and control of each group of rows that are rated alike, ``entry`` being the participant of each row."""
    if not len(entry):
        return
    examples, of_entry = piece.laws
    groups: dict[Hashable, int] = {}
    group_of_law = np.array([
        groups.setdefault(alike(piece.editions[event], CONTROLS[piece.control[event]]), len(groups)) for event in examples
    ], np.uint16)  # fmt: skip
    if len(groups) == 1:
        yield piece.editions[0], CONTROLS[piece.control[0]], slice(None)
        return
    of_row = group_of_law[of_entry][entry]
    for group in range(len(groups)):
        event = examples[int(np.flatnonzero(group_of_law == group)[0])]
        rows = np.flatnonzero(of_row == group)
        if len(rows):
            yield piece.editions[event], CONTROLS[piece.control[event]], rows


def _difference_alike(edition: Edition, control: str) -> Hashable:
    """What the counted difference and the expected score of a game depend on."""
    rule, large = edition.difference, edition.unrated_difference
    return (
        rule if control in rule.controls else None, control in rule.exempt_controls and rule.exempt_from, control in large.controls and large,
        edition.expected_score,
    )  # fmt: skip


def totals(place: np.ndarray, values: np.ndarray, size: int) -> np.ndarray:
    """Sums of whole numbers by place, int64."""
    total = np.zeros(size, np.int64)
    np.add.at(total, place, values.astype(np.int64, copy=False))
    return total
