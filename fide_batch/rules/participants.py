"""The participants of the month: who they are on the list, and the rating each plays with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, PREFIX, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules.join import rows_of
from fide_batch.rules.players import NEVER
from fide_batch.rules.rateable import Met, Side
from fide_batch.rules.sheet import Sheet
from fide_batch.rules.stand_in import rating_used


@dataclass(frozen=True)
class Participants:
    """A row a participant, in the order of the sheet. Ratings are points, 0 is unrated."""

    row: np.ndarray
    """His row in the new list: the base list's rows, then the new players; -1 for an unidentified one."""
    in_force: np.ndarray
    """His rating in the list in force when the event began, what his opponents see."""
    own: np.ndarray
    """The rating he himself is rated from: that one, or today's where he had none then (8.2.4)."""
    added_to: np.ndarray
    """What his sum is added to: the rating of the newest list, or the standard rating standing in."""
    side: np.ndarray
    met: np.ndarray
    new_players: np.ndarray
    """Ids that are not on the base list, in order."""


def participants(
    sheet: Sheet, base: pa.Table, lists: list[pa.Table], edition: Edition, base_ids: np.ndarray | None = None
) -> Participants:  # fmt: skip
    """Find everybody on the lists.

    Args:
        sheet: the month's reports.
        base: the newest list.
        lists: by place in ``Month.lists``; the one that is ``base`` itself is not searched twice.
        edition: of the list: which controls there are, and whether the standard rating stands in.
        base_ids: the ids of ``base``, when they are at hand.
    """
    ids = numbers(base, "fideid") if base_ids is None else base_ids
    row = rows_of(ids, sheet.player)
    unknown = row < 0
    new_players = np.unique(sheet.player[unknown & (sheet.player != 0)])
    if len(new_players):
        row = np.where(unknown, len(ids) + np.searchsorted(new_players, sheet.player), row).astype(np.int32)
    row = np.where(sheet.player == 0, -1, row).astype(np.int32)

    size = len(row)
    control = sheet.control[sheet.event]
    place = sheet.place_of_list[sheet.event]
    in_force, added_to = np.zeros(size, np.int32), np.zeros(size, np.int32)
    rated_before = np.zeros(size, bool)
    for which, name in enumerate(CONTROLS):
        here = np.flatnonzero(control == which)
        if not len(here):
            continue
        added_to[here] = _ratings(base, row[here], name, edition)
        in_force[here] = added_to[here]
        for each in np.unique(place[here]).tolist():
            if lists[each] is base:
                continue
            then = here[place[here] == each]
            found = rows_of(numbers(lists[each], "fideid"), sheet.player[then])
            rated_before[then] = _rated_when_it_began(base, row[then], name, sheet.start[sheet.event[then]])
            in_force[then] = _ratings(lists[each], np.where(sheet.player[then] == 0, -1, found), name, edition)

    listed = np.array([name in edition.lists.controls for name in CONTROLS])[control]
    gone = (in_force > 0) | rated_before
    side = np.where(added_to > 0, Side.RATED, np.where(gone, Side.DELISTED, Side.UNRATED)).astype(np.uint8)
    side[~listed] = Side.NO_LIST
    side[row < 0] = Side.UNIDENTIFIED
    met = np.where(in_force > 0, Met.RATED, Met.UNRATED).astype(np.uint8)
    met[row < 0] = Met.UNIDENTIFIED
    own = np.where(in_force > 0, in_force, added_to)
    return Participants(row, in_force, own, added_to, side, met, new_players)


def _column(source: pa.Table, name: str, rows: np.ndarray, missing: int) -> np.ndarray:
    """A column of a list for some rows; ``missing`` where the row is not on it."""
    values = numbers(source, name, missing)
    if not len(values):
        return np.full(len(rows), missing, np.int32)
    on_list = (rows >= 0) & (rows < len(values))
    return np.where(on_list, values[np.where(on_list, rows, 0)], missing)


def _rated_when_it_began(base: pa.Table, rows: np.ndarray, control: str, start: np.ndarray) -> np.ndarray:
    """Whether a player had rated games on or after an event's first day, though the list of that day did not have him yet.

    One who is unrated now has been delisted since, and games before a delisting are not pooled again.
    """
    prefix = PREFIX[control]
    has_games = _column(base, prefix + "career_games", rows, 0) > 0
    return has_games & (start <= _column(base, prefix + "last_played", rows, NEVER))


def _ratings(source: pa.Table, rows: np.ndarray, control: str, edition: Edition) -> np.ndarray:
    """The ratings players count with in a control by one list."""
    own = _column(source, PREFIX[control] + "rating", rows, 0)
    if control == "standard":
        return own
    return rating_used(own, _column(source, "rating", rows, 0), control, edition.lists.stand_in)
