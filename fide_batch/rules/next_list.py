"""The new list: the old one's rows in their order, the new players at its end."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, LIST, PREFIX, Period, nullable, numbers, with_gaps
from fide_batch.regulations.edition import Edition
from fide_batch.rules import inactivity
from fide_batch.rules.k_factor import UNKNOWN
from fide_batch.rules.players import NEVER
from fide_batch.rules.ratings import NewRatings


def new_list(
    players: pa.Table, new: dict[str, NewRatings], games: dict[str, np.ndarray], last_played: dict[str, np.ndarray],
    period: Period, edition: Edition,
) -> pa.Table:  # fmt: skip
    """LIST after the period.

    Args:
        players: the base list with the new players at its end.
        new: the new ratings of each control the edition has; the other controls' columns stay.
        games: rated games of the period by control, a row a player.
        last_played: by control, after the period; ``NEVER`` when not known.
        period: of the new list, with its ``edition``.
    """
    columns = {name: players.column(name) for name in LIST.names}
    for control, ratings in new.items():
        prefix = PREFIX[control]
        rated = ratings.rating > 0
        columns[prefix + "rating"] = nullable(ratings.rating)
        columns[prefix + "games"] = with_gaps(games[control], rated | (games[control] != 0))
        columns[prefix + "k"] = nullable(ratings.k)
        columns[prefix + "career_games"] = nullable(ratings.career_games, missing=UNKNOWN)
        columns[prefix + "reached_2400"] = nullable(ratings.reached_2400, missing=UNKNOWN)
        columns[prefix + "reached_2300"] = nullable(ratings.reached_2300, missing=UNKNOWN)
        columns[prefix + "last_played"] = nullable(last_played[control], pa.int32(), NEVER).cast(pa.date32())
    columns["flag"] = _flags(players, new, games, last_played, period, edition)
    return pa.table([columns[name] for name in LIST.names], schema=LIST)


def _flags(
    players: pa.Table, new: dict[str, NewRatings], games: dict[str, np.ndarray], last_played: dict[str, np.ndarray],
    period: Period, edition: Edition,
) -> pa.Array:  # fmt: skip
    """The flags: who played is active; who is known not to have played within the edition's window is inactive; the others stay as they are.

    A rated game of any control is a game. Not playing is known when the last day is known in every control the player is rated in.
    """
    size = players.num_rows
    played, rated, known = np.zeros(size, bool), np.zeros(size, bool), np.ones(size, bool)
    latest = np.full(size, NEVER, np.int32)
    for control in CONTROLS:
        if control in games:
            played |= games[control] > 0
        rating = new[control].rating if control in new else numbers(players, PREFIX[control] + "rating")
        day = last_played[control]
        rated |= rating > 0
        known &= (rating == 0) | (day > NEVER)
        latest = np.maximum(latest, day)
    known &= rated
    gone = known & inactivity.is_inactive_since(edition.inactivity, period, latest)
    back = played | (known & ~gone & (edition.inactivity.games <= 1))
    return inactivity.flags(players.column("flag").combine_chunks(), back, gone & ~played, players.column("sex"))
