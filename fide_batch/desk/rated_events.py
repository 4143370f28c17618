"""How many rated games each player had, and when: the sealed months' events in columns, and the list they started from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.desk import sealed
from fide_batch.desk.sealed import Sealed
from fide_batch.model import PREFIX, Period, numbers
from fide_batch.rules.join import rows_of


def days(day: date) -> int:
    """Days since 1970."""
    return (day - date(1970, 1, 1)).days


def months(period: Period) -> int:
    """Months since year 0, to compare lists in columns."""
    return period.year * 12 + period.month


def flagged(players: pa.Table) -> np.ndarray:
    """Whom a list calls inactive."""
    return pc.match_substring(pc.utf8_lower(players["flag"]), "i").fill_null(False).to_numpy()


@dataclass(frozen=True)
class History:
    """The rated events of the sealed months in one control, and how the players of a list stand in them.

    ``begin``, ``until``, ``on_start``, ``start_flag`` and ``start_games`` have a row a player of ``ids``; the other columns a row a player and event.
    """

    begins: Period
    """The list the sealed months start from; what was before it, it alone can tell."""
    end: np.ndarray
    """Of the event, in days since 1970; in order for each player."""
    games: np.ndarray
    event: pa.DictionaryArray | pa.Array
    reported: np.ndarray
    """The list it was rated on (``months``)."""
    ids: np.ndarray
    """The players, in order."""
    begin: np.ndarray
    """Where each player's events begin ..."""
    until: np.ndarray
    """... and end."""
    on_start: np.ndarray
    """Whether he was on the list the months start from, whether it calls him inactive, and its games."""
    start_flag: np.ndarray
    start_games: np.ndarray

    def games_since(self, day: date, list_: Period) -> np.ndarray:
        """Rated games of each player in events that ended on a day or later and were rated on the lists up to one."""
        inside = (self.end >= days(day)) & (self.reported <= months(list_))
        total = np.concatenate([[0], np.cumsum(np.where(inside, self.games, 0))])
        return total[self.until] - total[self.begin]

    def last(self, noted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The last day each player played (0: not known) and the row of the event; -1 where only the list knows the day (``noted``)."""
        found = self.until > self.begin
        row = np.where(found, self.until - 1, 0)
        end = np.where(found, self.end[row], 0) if len(self.end) else np.zeros(len(self.ids), np.int64)
        return np.maximum(end, noted), np.where(found & (end >= noted), row, -1)

    def row_that_made(self, games: int) -> np.ndarray:
        """Of each player the latest row from which on he has at least so many games; -1 for none."""
        total = np.concatenate([[0], np.cumsum(self.games, dtype=np.int64)])
        row = np.searchsorted(total, total[self.until] - games, "right") - 1
        return np.where((row >= self.begin) & (row < self.until), row, -1)


@dataclass(frozen=True)
class Active:
    """An event that shows a player to be active on every list that is asked about."""

    list: Period
    """Rated on this list, or one before it ..."""
    begin: date
    """... ended on this day, or later ..."""
    games: int
    """... and with so many games, at least one."""


def history(archive: Sealed, period: Period, control: str, ids: np.ndarray, active: Active | None = None) -> History:
    """The rated events up to a list, of some players (ids in order); of those with an event of the ``active`` none older than the month of that."""
    periods = [other for other in archive.periods() if other <= period]
    first = periods[0]
    manifest = archive.cover(first)
    columns = ["fideid", "flag", PREFIX[control] + "games"]
    if manifest.get("base"):
        begins, start = Period.parse(manifest["base"]["period"]), archive.table(first, "base", columns)
    elif manifest.get("kind") == "list":
        begins, start = first, archive.table(first, "list", columns)
    else:
        # Nothing is known of the time before: the first list's own flags are those its month began with, as far as anybody can say.
        begins, start = first.plus(-1), archive.table(first, "list", columns)
    rows = pa.concat_tables(_wanted_events(archive, periods, control, active)).unify_dictionaries().combine_chunks()
    player, end = numbers(rows, "fideid"), numbers(rows, "end")
    order = np.lexsort((end, player))
    player = player[order]
    event = rows["event"].combine_chunks()
    event = event.take(pa.array(order)) if len(order) else pa.array([], pa.string())
    on_start, flag, start_games = _on_start(start, ids, PREFIX[control] + "games")
    return History(
        begins, end[order], numbers(rows, "games")[order], event, numbers(rows, "reported")[order], ids, np.searchsorted(player, ids, "left"),
        np.searchsorted(player, ids, "right"), on_start, flag, start_games,
    )  # fmt: skip


def _wanted_events(archive: Sealed, periods: Sequence[Period], control: str, active: Active | None) -> list[pa.Table]:
    """The rated events of months: from the newest back, so that those of players known to be active need not be held and sorted."""
    found: list[pa.Table] = []
    known = np.zeros(0, np.int64)
    for period in reversed(periods):
        rows = _events(archive, period, control)
        if len(known):
            rows = rows.filter(pa.array(np.isin(numbers(rows, "fideid"), known, invert=True)))
        if active and period <= active.list:
            shows = (numbers(rows, "end") >= days(active.begin)) & (numbers(rows, "games") >= active.games)
            known = np.concatenate([known, np.unique(numbers(rows, "fideid")[shows])])
        found.append(rows)
    return found[::-1]


def _events(archive: Sealed, period: Period, control: str) -> pa.Table:
    """The rated events of one month, names as words of a dictionary: very many rows, few names."""
    rows = sealed.table(archive, period, "events", ["fideid", "control", "event", "end", "games"])
    rows = rows.filter(pa.array(sealed.are(rows, "control", control) & (numbers(rows, "games") > 0)))
    event = rows["event"] if pa.types.is_dictionary(rows["event"].type) else rows["event"].dictionary_encode()
    reported = pa.array(np.full(rows.num_rows, months(period), np.int32))
    return pa.table(
        {"fideid": rows["fideid"], "end": rows["end"], "games": rows["games"], "event": event, "reported": reported}
    )


def _on_start(start: pa.Table, ids: np.ndarray, games: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Who of the players is on a list, whom it calls inactive, and its games; by player."""
    place = rows_of(numbers(start, "fideid"), ids)
    known = place >= 0
    if not known.any():
        return known, known, np.zeros(len(ids), np.int32)
    return known, known & flagged(start)[place], np.where(known, numbers(start, games)[place], 0)
