"""What the rating officer should be told of the rules as they were applied."""

from __future__ import annotations

import numpy as np

from fide_batch.model import CONTROLS, Problem, id_text
from fide_batch.regulations.edition import Edition
from fide_batch.rules.k_factor import UNKNOWN
from fide_batch.rules.players import Record
from fide_batch.rules.pool import Pools
from fide_batch.rules.rateable import Kind, Side
from fide_batch.rules.ratings import Sums
from fide_batch.rules.round_robin import ClosedEvents
from fide_batch.rules.sheet import Sheet


def no_list_of_control(sheet: Sheet, edition: Edition) -> list[Problem]:
    """Events in a control the edition has no list of."""
    return [
        Problem(
            "no-list-of-control", "warning", event.file, event.line, None,
            f"{event.control} games are not rated: {edition.name} has no {event.control} list",
            "choose an edition that has one with --rules, or correct the time control",
        )
        for event in sheet.events
        if event.control not in edition.lists.controls
    ]  # fmt: skip


def forced_round_robins(sheet: Sheet, closed: ClosedEvents) -> list[Problem]:
    """Events a decision calls a round robin though their games do not make one."""
    return [
        Problem(
            "round-robin-not-closed", "warning", event.file, event.line, None,
            "a decision says round robin, but not everybody met everybody equally often with every game played: rated as a Swiss",
            "the formula for unrated participants needs a closed round robin; take the decision back or complete the report",
        )
        for place, event in enumerate(sheet.events)
        if event.forced_kind == "round robin" and sheet.editions[place].first_rating.round_robin and place not in closed.formula
        and place not in closed.without_unrated
    ]  # fmt: skip


def no_k(control: str, record: Record, sums: Sums) -> list[Problem]:
    """A control in which the newest list prints no K at all and our record is empty."""
    rated = record.rating[sums.row] > 0
    blind = rated & (record.k_list[sums.row] == 0) & (record.career_games[sums.row] == UNKNOWN)
    played = int(np.count_nonzero(blind))
    if not played or ((record.k_list > 0) & (record.rating > 0)).any():
        return []
    return [
        Problem(
            "no-k-in-list", "note", "", None, None,
            f"the list has no K for {control} ratings: K of {played} players by age and rating, 30 games taken as played",
            "start from a list with its K column, or with career_games, if newcomers' K matters",
        )
    ]  # fmt: skip


def expired(pools: Pools, edition: Edition) -> list[Problem]:
    """Kept results that are too old for this list."""
    results = pools.results
    old = np.flatnonzero((pools.fate == Kind.FIRST_EXPIRED) & (results.entry < 0))
    return [
        Problem(
            "kept-result-expired", "note", "", None, None,
            f"{id_text(int(results.fideid[row]))}: the {CONTROLS[results.control[row]]} result of {results.event[row]} kept for a first rating has"
            f" expired after {edition.first_rating.window_months} months",
            "nothing to do",
        )
        for row in old.tolist()
    ]  # fmt: skip


def islands(sheet: Sheet, side: np.ndarray, met_unrated: np.ndarray, met_rated: np.ndarray) -> list[Problem]:
    """Unrated participants who met nobody with a rating: their games can give nobody a first rating.

    Args:
        side: for each participant what he is, a ``Side``.
        met_unrated: for each participant whether he played somebody unrated, ...
        met_rated: ... and whether he played somebody with a rating.
    """
    alone = np.flatnonzero((side == Side.UNRATED) & met_unrated & ~met_rated)
    places, first, count = np.unique(sheet.event[alone], return_index=True, return_counts=True)
    return [
        Problem(
            "unrated-island", "note", sheet.events[place].file, sheet.events[place].line, None,
            f"{number} unrated player{'s' if number > 1 else ''} met nobody with a rating (the first: start number {sheet.number[alone[at]]}, id"
            f" {id_text(int(sheet.player[alone[at]]))}): not rateable, these games give nobody a first rating",
            "nothing to do",
        )
        for place, at, number in zip(places.tolist(), first.tolist(), count.tolist(), strict=True)
    ]  # fmt: skip
