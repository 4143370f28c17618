"""The month as the regulations tell it: which games count, what each player gained, who is new, who falls below the floor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, Period, Problem, Reports, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules import law, notes, sentences
from fide_batch.rules.audit import events_tables
from fide_batch.rules.changes import changes_of_control, changes_of_pools, gather, pending_table
from fide_batch.rules.next_list import new_list
from fide_batch.rules.outcome import (
    counting,
    decide,
    fates,
    games_of_period,
    k_of_participants,
    last_days,
    sums_of_control,
    without_the_rated,
)  # fmt: skip
from fide_batch.rules.participants import participants
from fide_batch.rules.players import birth_years, k_of_list, record, with_new_players
from fide_batch.rules.pool import first_ratings, last_lists, pooled, rc
from fide_batch.rules.ratings import NewRatings, Sums, new_ratings
from fide_batch.rules.reckoning import pieces_of_games, reckoned
from fide_batch.rules.results import of_earlier_months, together
from fide_batch.rules.sheet import lay_out
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
    """The edition in force on a day, for the K the newest list prints and for results kept from earlier months and for later ones; None when an
    edition was named outright and holds for all days."""


@dataclass(frozen=True)
class Rated:
    """What the month came to: the tables of ``model`` under their own names, each made when it is asked for.

    So a table can be on its way to the disk while the next is made, and is gone when it is written.
    """

    in_pieces: Games
    """GAMES."""
    kept: pa.Table
    problems: Sequence[Problem]
    _list: Callable[[], pa.Table]
    _changes: Callable[[], pa.Table]
    events_in_pieces: Callable[[], Iterator[pa.Table]]
    """EVENTS, made anew each time they are asked for."""
    _pending: Callable[[], pa.Table]

    @cached_property
    def list(self) -> pa.Table:
        """LIST after the period."""
        return self._list()

    @cached_property
    def changes(self) -> pa.Table:
        """CHANGES."""
        return self._changes()

    @cached_property
    def pending(self) -> pa.Table:
        """PENDING."""
        return self._pending()

    @property
    def events(self) -> pa.Table:
        """EVENTS, whole."""
        return pa.concat_tables(self.events_in_pieces()).unify_dictionaries().combine_chunks()

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
    sheet, rounds = lay_out(reports, month.player, list(month.event_editions), list(month.list_of_event))
    base_ids = numbers(month.base, "fideid")
    people = participants(sheet, month.base, [rows for _, rows in month.lists], edition, base_ids)

    # which games count, and with what ratings
    found = reckoned(sheet, rounds, people)

    # unrated players: this month's results and the kept ones
    players = with_new_players(month.base, people.new_players, reports, sheet)
    first_day = law.by_first_day(sheet.events, sheet.editions, month.edition_of, edition)
    earlier = of_earlier_months(month.kept, base_ids, people.new_players, first_day)
    kept, problems = without_the_rated(earlier, players)
    pools = pooled(together([found.fresh, kept]), month.period, edition, first_day)

    # ratings, control by control: rapid and blitz may look at the new standard rating
    newest = month.lists[-1][0]
    edition_then = law.of_newest_list(month.edition_of, newest, edition)
    rated_controls = [name for name in CONTROLS if name in edition.lists.controls]
    standard, years = numbers(players, "rating"), birth_years(players)
    sums: dict[str, Sums] = {}
    new: dict[str, NewRatings] = {}
    for name in rated_controls:
        k_then = law.k_of_newest_list(edition_then, edition, name)
        before = record(players, name, k_then)
        sums[name] = sums_of_control(name, sheet, people, found.sums, players.num_rows)
        new[name] = new_ratings(
            name, before, standard, new["standard"].rating if "standard" in new else standard, years, sums[name],
            first_ratings(pools, name, sums[name].row), month.period, newest, edition, k_then,
        )  # fmt: skip
        problems += notes.no_k(name, before, sums[name])
    decided, dropped = decide(pools, new)
    last_list = last_lists(pools.results.end, edition, first_day)
    keep = decided.kept(month.period, last_list)

    # what the month came to; of what it was rated from nothing is held that these do not need
    period, list_dates = month.period, [str(each) for each, _ in month.lists]

    def next_list() -> pa.Table:
        played = {name: games_of_period(name, sums[name], decided, players.num_rows) for name in rated_controls}
        last = {name: last_days(name, players, sheet, people, found.sums, decided) for name in CONTROLS}
        return new_list(players, new, played, last, period, edition)

    def changes() -> pa.Table:
        parts = [
            changes_of_control(name, new[name], sums[name], k_of_list(players, name), edition)
            for name in rated_controls
        ]
        return gather([*parts, changes_of_pools(decided, players, missing(), edition)], players)

    def events() -> Iterator[pa.Table]:
        k, counts = k_of_participants(sheet, people, new), counting(sheet, found.fresh, decided)
        return events_tables(sheet, people, found.sums, k, list_dates, found.fresh, counts, rc(found.fresh))

    @cache
    def missing() -> list[str]:
        return sentences.missing(pools, edition)

    fate = fates(sheet, decided)
    return Rated(
        events_in_pieces=events,
        in_pieces=Games(lambda: pieces_of_games(sheet, rounds, people, found, fate)),
        kept=pools.results.only(keep).to_kept(),
        problems=[
            *problems, *dropped, *notes.no_list_of_control(sheet, edition), *notes.forced_round_robins(sheet, found.closed),
            *notes.expired(pools, edition), *notes.islands(sheet, people.side, found.met_unrated, found.met_rated),
        ],
        _list=next_list, _changes=changes, _pending=lambda: pending_table(decided, keep, last_list, missing(), edition),
    )  # fmt: skip
