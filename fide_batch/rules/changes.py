"""CHANGES and PENDING: what became of each player in each control, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch.model import CHANGES, CONTROLS, PENDING, STATUSES, empty, nullable, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules import sentences
from fide_batch.rules.audit import words
from fide_batch.rules.games import totals
from fide_batch.rules.outcome import Decided
from fide_batch.rules.players import k_of_list
from fide_batch.rules.pool import rc, ru_alone
from fide_batch.rules.ratings import NewRatings, Sums
from fide_batch.rules.results import control_words, days

Part = tuple[np.ndarray, pa.Table]
"""Rows of the new list, and a row of CHANGES for each."""


def changes_of_control(control: str, new: NewRatings, sums: Sums, k_list: np.ndarray, edition: Edition) -> Part:
    """CHANGES of the rated players of one control, and the rows of the new list they are about; ids and names are filled in later.

    ``k_list`` is the K the newest list prints for each player.
    """
    after = new.rating
    moved_to = new.computed.copy()
    if len(new.adjusted):
        place = np.searchsorted(new.adjusted, new.played)
        place = np.minimum(place, len(new.adjusted) - 1)
        hit = new.adjusted[place] == new.played
        moved_to[hit] = new.adjusted_to[place[hit]]
    played, struck = new.played, new.struck[new.played]
    games = sums.games
    why = sentences.of_sum(
        games,
        new.exact,
        new.change,
        new.k_newest,
        new.k_used,
        new.before,
        new.stood_in,
        new.computed,
        after[played],
        moved_to,
        control,
        edition,
    )
    status = np.where(struck, STATUSES.index("delisted"), STATUSES.index("rated"))
    rated = _changes(
        CONTROLS.index(control), rating_before=nullable(new.before), games=games, score=sums.score, expected=sums.expected,
        k_list=nullable(k_list[played]), k=new.k_used, change_exact=new.exact, change=new.change + (moved_to - new.computed),
        rating_after=nullable(after[played]), status=words(status, list(STATUSES)), why=why,
    )  # fmt: skip
    if not len(new.adjusted):
        return played, rated
    other = ~np.isin(new.adjusted, np.concatenate([played, new.first]))
    rows = new.adjusted[other]
    before, moved = new.adjusted_from[other], new.adjusted_to[other]
    status = np.where(after[rows] == 0, STATUSES.index("delisted"), STATUSES.index("adjusted"))
    adjusted = _changes(
        CONTROLS.index(control), rating_before=nullable(before), games=np.zeros(len(rows), np.int32), k_list=nullable(k_list[rows]), change=moved - before,
        rating_after=nullable(after[rows]), status=words(status, list(STATUSES)),
        why=sentences.of_adjustment(before, moved, after[rows], control, edition),
    )  # fmt: skip
    return np.concatenate([played, rows]), pa.concat_tables([rated, adjusted])


def _changes(control: int | np.ndarray, **columns: Any) -> pa.Table:
    """A part of CHANGES; ids and names are filled in when all parts are there."""
    size = len(columns["games"])
    columns["control"] = control_words(np.broadcast_to(control, size))
    arrays = []
    for column in CHANGES:
        value = columns.get(column.name)
        if value is None:
            value = pa.nulls(size, column.type)
        arrays.append(value if isinstance(value, pa.Array) else pa.array(value).cast(column.type))
    return pa.table(arrays, schema=CHANGES)


def changes_of_pools(decided: Decided, players: pa.Table, missing: list[str], edition: Edition) -> Part:
    """CHANGES of the unrated players who have a result of this month in their pool, or got a first rating; ``missing`` by pool."""
    pools, results = decided.pools, decided.pools.results
    fresh = (results.entry >= 0) & pools.waiting
    told = decided.made.copy()
    told[pools.pool[fresh]] = True
    which = np.flatnonzero(told)
    bounds = np.searchsorted(pools.pool, np.arange(len(pools.row) + 1)).tolist()
    games = totals(pools.pool[fresh], results.games[fresh], len(pools.row))
    score = totals(pools.pool[fresh], results.score[fresh], len(pools.row))
    rows, control, made, published = (
        pools.row[which],
        pools.control[which],
        decided.made[which],
        decided.published[which],
    )
    k_list = np.zeros(len(which), np.int32)
    for place, name in enumerate(CONTROLS):
        k_list[control == place] = k_of_list(players, name)[rows[control == place]]
    used = decided.used
    why = []
    for pool in which.tolist():
        if decided.made[pool]:
            results_used = [row for row in range(bounds[pool], bounds[pool + 1]) if used[row]]
            why.append(sentences.of_first_rating(pools, pool, results_used, int(decided.published[pool]), edition))
        else:
            why.append(f"Waits for a first rating: {missing[pool]}.")
    status = np.where(made, STATUSES.index("first-rating"), STATUSES.index("pending"))
    return rows, _changes(
        control, games=games[which], score=score[which], k_list=nullable(k_list), rating_after=nullable(published.astype(np.int32)),
        status=words(status, list(STATUSES)), why=pa.array(why, pa.string()),
    )  # fmt: skip


def gather(parts: Sequence[Part], players: pa.Table) -> pa.Table:
    """All changes by id and control, with ids and names from the new list."""
    rows = np.concatenate([rows for rows, _ in parts])
    changes = pa.concat_tables([part for _, part in parts]).combine_chunks()
    if not len(rows):
        return empty(CHANGES)
    ids = numbers(players, "fideid")[rows]
    control = changes.column("control").chunk(0).indices.to_numpy()
    order = np.lexsort((control, ids))
    names = players.column("name").take(pa.array(rows[order]))
    changes = changes.take(pa.array(order))
    changes = changes.set_column(0, CHANGES.field(0), pa.array(ids[order], pa.int64()))
    return changes.set_column(1, CHANGES.field(1), names).combine_chunks()


def pending_table(
    decided: Decided, keep: np.ndarray, last_list: np.ndarray, missing: list[str], edition: Edition
) -> pa.Table:
    """PENDING: every result that is kept for a later list.

    ``keep`` are its rows among the pooled results, ``last_list`` is of each of those the last list it can serve, ``missing`` is by pool.
    """
    pools, results = decided.pools, decided.pools.results.only(keep)
    if not len(results):
        return empty(PENDING)
    return pa.table([
        pa.array(results.fideid, pa.int64()), control_words(results.control), pa.array(results.event, pa.string()).dictionary_encode(),
        days(results.start), days(results.end), pa.array(results.games.astype(np.int32)), pa.array(results.score, pa.int64()),
        pa.array(rc(results).astype(np.int32)), pa.array(ru_alone(results, edition).astype(np.int32)),
        days(last_list[keep]), pa.array([missing[pool] for pool in pools.pool[keep].tolist()], pa.string()),
    ], schema=PENDING)  # fmt: skip
