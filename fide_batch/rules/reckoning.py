"""The player-rounds of the month reckoned, some whole events at a time: once for what they add up to, once more for the rows of the audit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.model import GAMES, empty
from fide_batch.rules.audit import EntrySums, entry_sums, games_table, sums_of_pieces
from fide_batch.rules.games import rated_games
from fide_batch.rules.participants import Participants
from fide_batch.rules.rateable import Kind, kinds
from fide_batch.rules.results import Results, of_this_month, together
from fide_batch.rules.round_robin import ClosedEvents, closed_events, ru_for_opponents, tell_unplayed
from fide_batch.rules.sheet import Rounds, Sheet


@dataclass(frozen=True)
class Reckoned:
    """What the player-rounds came to."""

    kind: np.ndarray
    """uint8, a ``Kind`` for each player-round in the order of the sheet; of unrated players' games what became of them is told in ``rate``."""
    sums: EntrySums
    """What the rated games of each participant add up to."""
    as_opponent: np.ndarray
    """For each participant the rating his opponents see ..."""
    met: np.ndarray
    """... and as what they meet him, a ``Met``."""
    closed: ClosedEvents
    fresh: Results
    """This month's results of unrated players, in the order of the sheet."""
    met_unrated: np.ndarray
    """For each participant whether he played somebody unrated, ..."""
    met_rated: np.ndarray
    """... and whether he played somebody with a rating."""


def reckoned(sheet: Sheet, rounds: Rounds, people: Participants) -> Reckoned:
    """Which games count, with what ratings, and what they add up to."""
    size = len(sheet.event)
    kind = np.empty(len(rounds), np.uint8)
    as_opponent, met = np.empty(size, people.in_force.dtype), np.empty(size, people.met.dtype)
    met_unrated, met_rated = np.zeros(size, bool), np.zeros(size, bool)
    sums, closed, fresh = [], [], []
    for piece in rounds.pieces(sheet):
        seats, own = piece.seats, people.own[piece.seats]
        round_robins = closed_events(piece, people.met[seats], people.in_force[seats])
        seen, met_as = ru_for_opponents(piece, people.met[seats], people.in_force[seats], round_robins)
        here = kinds(piece.entry, piece.opponent, piece.result, people.side[seats], met_as)
        sums.append(entry_sums(piece, rated_games(piece, here, own, seen), own))
        tell_unplayed(piece, here, round_robins)
        fresh.append(of_this_month(piece, here, people.row[seats], seen, round_robins.formula))
        closed.append((piece.places.start, round_robins))
        among_unrated = (here == Kind.OPPONENT_UNRATED) | (here == Kind.OPPONENT_UNRATED_UNPLAYED)
        met_unrated[seats][piece.entry[among_unrated]] = True
        met_rated[seats][piece.entry[(here != Kind.OPPONENT_UNIDENTIFIED) & (here < Kind.HIMSELF) & ~among_unrated]] = (
            True
        )
        kind[piece.cells], as_opponent[seats], met[seats] = here, seen, met_as
    return Reckoned(
        kind, sums_of_pieces(sums), as_opponent, met, ClosedEvents.together(closed), together(fresh), met_unrated, met_rated
    )  # fmt: skip


def pieces_of_games(
    sheet: Sheet, rounds: Rounds, people: Participants, found: Reckoned, fate: np.ndarray
) -> Iterator[pa.Table]:
    """GAMES, piece by piece: the rated games are reckoned once more rather than remembered.

    ``fate`` says of each participant what became of his games for a first rating, a ``Kind``.
    """
    if not sheet.events:
        yield empty(GAMES)
    for piece in rounds.pieces(sheet):
        seats, own, here = piece.seats, people.own[piece.seats], found.kind[piece.cells]
        first = np.flatnonzero(here == Kind.FIRST)
        if len(first):
            here = here.copy()
            here[first] = fate[seats][piece.entry[first]]
        games = rated_games(piece, here, own, found.as_opponent[seats])
        yield games_table(piece, own, games, here, found.as_opponent[seats], found.met[seats])
