"""The month as the regulations tell it: which games count, what each player gained, who is new, who falls below the floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, GAMES, Period, Problem, Reports, empty, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules import law, notes, sentences
from fide_batch.rules.audit import EntrySums, entry_sums, events_table, games_table, sums_of_pieces
from fide_batch.rules.changes import changes_of_control, changes_of_pools, gather, pending_table
from fide_batch.rules.games import rated_games
from fide_batch.rules.next_list import new_list
from fide_batch.rules.outcome import (
    counting,
    decide,
    games_of_period,
    k_of_participants,
    last_days,
    sums_of_control,
    tell_first_results,
    without_the_rated,
)  # fmt: skip
from fide_batch.rules.participants import Participants, participants
from fide_batch.rules.players import birth_years, record, with_new_players
from fide_batch.rules.pool import first_ratings, pooled, rc
from fide_batch.rules.rateable import kinds
from fide_batch.rules.ratings import NewRatings, new_ratings
from fide_batch.rules.results import of_earlier_months, of_this_month, together
from fide_batch.rules.round_robin import closed_events, ru_for_opponents, tell_unplayed
from fide_batch.rules.sheet import Sheet, lay_out
from fide_batch.rules.tally import Games


@dataclass(frozen=True)
class Month:
    """Everything a period is rated from."""

    period: Period
    edition: Edition
    """Of the list: K, floor, first rating, one-off, inactivity (EDITIONS, reading 1)."""
    event_editions: Sequence[Edition]
    """Of each event's first day: 400 and 600 rule, closed round robin and its bonus, rated opponents needed. One per event of ``reports``; all
    the same object when an edition was named outright."""
    base: pa.Table
    """LIST: the newest list; changes are added to its ratings."""
    lists: Sequence[tuple[Period, pa.Table]]
    """LIST tables in order of date, the last one ``base``."""
    list_of_event: Sequence[int]
    """For each event the place in ``lists`` of the list in force on its first day."""
    reports: Reports
    """Sound reports: every event has start, end and control."""
    player: np.ndarray
    """int64, one per row of ``reports.entries``: the id code of the player, 0 for an unidentified one (his games change nobody)."""
    kept: pa.Table
    """KEPT: unrated players' results of earlier months."""
    edition_of: Callable[[date], Edition] | None = None
    """The edition in force on a day, for the K the newest list prints and for results kept from earlier months; None when an edition was named
    outright and holds for all days."""


@dataclass(frozen=True)
class Rated:
    """What the month came to: the tables of ``model`` under their own names."""

    list: pa.Table
    changes: pa.Table
    events: pa.Table
    in_pieces: Games
    """GAMES."""
    pending: pa.Table
    kept: pa.Table
    problems: Sequence[Problem]

    @property
    def games(self) -> pa.Table:
        """GAMES, whole."""
        return self.in_pieces.table()


def rate(month: Month) -> Rated:
    """Rate one period.

    Raises:
        ValueError: for an event without dates or control; the checks let none through.
    """
    edition, reports = month.edition, month.reports
    sheet = lay_out(reports, month.player, list(month.event_editions), list(month.list_of_event))
    lists = [rows for _, rows in month.lists]
    base_ids = numbers(month.base, "fideid")
    people = participants(sheet, month.base, lists, edition, base_ids)

    # which games count, and with what ratings
    closed = closed_events(sheet, people.met, people.in_force)
    as_opponent, met = ru_for_opponents(sheet, people.met, people.in_force, closed)
    kind, of_entry = reckoned(sheet, people, as_opponent, met)
    tell_unplayed(sheet, kind, closed)

    # unrated players: this month's results and the kept ones
    players = with_new_players(month.base, people.new_players, reports, sheet)
    first_day = law.by_first_day(sheet.events, sheet.editions, month.edition_of, edition)
    fresh = of_this_month(sheet, kind, people.row, as_opponent, closed.formula)
    earlier = of_earlier_months(month.kept, base_ids, people.new_players, first_day)
    kept, problems = without_the_rated(earlier, players)
    pools = pooled(together(fresh, kept), month.period, edition, first_day)

    # ratings, control by control: rapid and blitz may look at the new standard rating
    newest = month.lists[-1][0]
    edition_then = law.of_newest_list(month.edition_of, newest, edition)
    k_then = {name: law.k_of_newest_list(edition_then, edition, name) for name in CONTROLS}
    records = {name: record(players, name, k_then[name]) for name in CONTROLS}
    rated_controls = [name for name in CONTROLS if name in edition.lists.controls]
    sums = {name: sums_of_control(name, sheet, people, of_entry, players.num_rows) for name in rated_controls}
    standard, years = records["standard"].rating, birth_years(players)
    new: dict[str, NewRatings] = {}
    for name in rated_controls:
        new[name] = new_ratings(
            name, records[name], standard, new["standard"].rating if "standard" in new else standard, years, sums[name],
            first_ratings(pools, name, sums[name].row), month.period, newest, edition, k_then[name],
        )  # fmt: skip

    # what the month came to
    decided, dropped = decide(pools, new)
    tell_first_results(sheet, kind, decided)
    keep = decided.kept(month.period, edition.first_rating.window_months)
    played = {name: games_of_period(name, sums[name], decided, players.num_rows) for name in rated_controls}
    last = {name: last_days(name, records[name], sheet, people, of_entry, decided) for name in CONTROLS}
    missing = sentences.missing(pools, edition)
    changes = [changes_of_control(name, new[name], sums[name], records[name], edition) for name in rated_controls]
    changes.append(changes_of_pools(decided, records, missing, edition))
    k, list_dates = k_of_participants(sheet, people, new), [str(period) for period, _ in month.lists]
    return Rated(
        list=new_list(players, new, played, records, last, month.period, edition),
        changes=gather(changes, players),
        events=events_table(sheet, people, of_entry, k, list_dates, fresh, counting(sheet, fresh, decided), rc(fresh)),
        in_pieces=Games(lambda: pieces_of_games(sheet, people, kind, as_opponent, met)),
        pending=pending_table(decided, keep, missing, edition),
        kept=pools.results.only(keep).to_kept(),
        problems=[
            *problems, *dropped, *notes.no_list_of_control(sheet, edition), *notes.forced_round_robins(sheet, closed), *notes.no_k(records, sums),
            *notes.expired(pools, edition), *notes.islands(sheet, people.side, kind),
        ],
    )  # fmt: skip


def reckoned(
    sheet: Sheet, people: Participants, as_opponent: np.ndarray, met: np.ndarray
) -> tuple[np.ndarray, EntrySums]:
    """What becomes of each player-round, and what the rated games of each participant add up to; piece by piece."""
    kind = np.empty(len(sheet.entry), np.uint8)
    sums = []
    for piece in sheet.pieces():
        part, seats, own = piece.sheet, piece.seats, people.own[piece.seats]
        here = kinds(part.entry, part.opponent, part.result, people.side[seats], met[seats])
        sums.append(entry_sums(part, rated_games(part, here, own, as_opponent[seats]), own))
        kind[piece.cells] = here
    return kind, sums_of_pieces(sums)


def pieces_of_games(
    sheet: Sheet, people: Participants, kind: np.ndarray, as_opponent: np.ndarray, met: np.ndarray
) -> Iterator[pa.Table]:
    """GAMES, piece by piece: the rated games are reckoned once more rather than remembered."""
    if not sheet.events:
        yield empty(GAMES)
    for piece in sheet.pieces():
        part, seats, own, here = piece.sheet, piece.seats, people.own[piece.seats], kind[piece.cells]
        games = rated_games(part, here, own, as_opponent[seats])
        yield games_table(part, own, games, here, as_opponent[seats], met[seats])
