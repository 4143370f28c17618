"""CHANGES and PENDING: what became of each player in each control, and why."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from fide_batch.model import CHANGES, CONTROLS, PENDING, STATUSES, empty, nullable, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules import sentences
from fide_batch.rules.audit import words
from fide_batch.rules.join import rows_of
from fide_batch.rules.outcome import Decided
from fide_batch.rules.players import Record
from fide_batch.rules.pool import Pools, expiry, rc, ru_alone
from fide_batch.rules.rateable import Kind
from fide_batch.rules.ratings import NewRatings, Sums
from fide_batch.rules.results import control_words, days


def changes_of_control(
    control: str, new: NewRatings, sums: Sums, record: Record, edition: Edition
) -> tuple[np.ndarray, pa.Table]:
    """CHANGES of the rated players of one control, and the rows of the new list they are about; ids and names are filled in later."""
    after = new.rating
    moved_to = new.computed.copy()
    if len(new.adjusted):
        place = np.searchsorted(new.adjusted, new.played)
        place = np.minimum(place, len(new.adjusted) - 1)
        hit = new.adjusted[place] == new.played
        moved_to[hit] = new.adjusted_to[place[hit]]
    played, struck = new.played, new.struck[new.played]
    games = sums.games[played]
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
        control, rating_before=nullable(new.before), games=games, score=sums.score[played], expected=sums.expected[played],
        k_list=nullable(record.k_list[played]), k=new.k_used, change_exact=new.exact, change=new.change + (moved_to - new.computed),
        rating_after=nullable(after[played]), status=words(status, list(STATUSES)), why=why,
    )  # fmt: skip
    other = ~np.isin(new.adjusted, np.concatenate([played, new.first]))
    rows = new.adjusted[other]
    if not len(rows):
        return played, rated
    before, moved = new.adjusted_from[other], new.adjusted_to[other]
    status = np.where(after[rows] == 0, STATUSES.index("delisted"), STATUSES.index("adjusted"))
    adjusted = _changes(
        control, rating_before=nullable(before), games=np.zeros(len(rows), np.int32), k_list=nullable(record.k_list[rows]), change=moved - before,
        rating_after=nullable(after[rows]), status=words(status, list(STATUSES)),
        why=sentences.of_adjustment(before, moved, after[rows], control, edition),
    )  # fmt: skip
    return np.concatenate([played, rows]), pa.concat_tables([rated, adjusted])


def _changes(control: str, **columns: object) -> pa.Table:
    size = len(columns["games"])  # type: ignore[arg-type]
    arrays = []
    for column in CHANGES:
        if column.name == "control":
            arrays.append(control_words(np.full(size, CONTROLS.index(control))))
        elif column.name in columns:
            value = columns[column.name]
            arrays.append(value if isinstance(value, pa.Array) else pa.array(value).cast(column.type))
        else:
            arrays.append(pa.nulls(size, column.type))
    return pa.table(arrays, schema=CHANGES)


def changes_of_pools(decided: Decided, records: Mapping[str, Record], edition: Edition) -> pa.Table:
    """CHANGES of the unrated players who played this month or got a first rating."""
    pools, results = decided.pools, decided.pools.results
    fresh = results.entry >= 0
    told = decided.made.copy()
    told[pools.pool[fresh]] = True
    which = np.flatnonzero(told)
    if not len(which):
        return empty(CHANGES)
    bounds = np.searchsorted(pools.pool, np.arange(len(pools.row) + 1))
    counts = fresh & pools.waiting
    games, score = _per_pool(results.games, counts, pools), _per_pool(results.score, counts, pools)
    rows: list[dict[str, object]] = []
    used, fate = decided.used, pools.fate
    for pool in which.tolist():
        here = range(int(bounds[pool]), int(bounds[pool + 1]))
        made = bool(decided.made[pool])
        control = CONTROLS[int(pools.control[pool])]
        k_list = int(records[control].k_list[pools.row[pool]]) if pools.row[pool] >= 0 else 0
        published = int(decided.published[pool]) if made else None
        if made:
            why = sentences.of_first_rating(
                pools, pool, [row for row in here if used[row]], int(decided.published[pool]), edition
            )
        else:
            wanted = sentences.missing(
                pools, pool, fate[here.start : here.stop].tolist(), int(pools.rating[pool]), edition
            )
            waits = any(fate[row] == Kind.FIRST_WAITS for row in here)
            why = f"{'Waits for a first rating' if waits else 'No first rating'}: {wanted}."
        rows.append({
            "fideid": int(pools.fideid[pool]), "control": control, "games": int(games[pool]), "score": int(score[pool]),
            "k_list": k_list or None, "rating_after": published, "status": "first-rating" if made else "pending", "why": why,
        })  # fmt: skip
    columns = [
        pa.array(
            [row.get(column.name) for row in rows], pa.string() if pa.types.is_dictionary(column.type) else column.type
        )
        for column in CHANGES
    ]
    return pa.table(
        [
            array.dictionary_encode() if pa.types.is_dictionary(column.type) else array
            for array, column in zip(columns, CHANGES, strict=True)
        ],
        schema=CHANGES,
    )


def _per_pool(values: np.ndarray, mask: np.ndarray, pools: Pools) -> np.ndarray:
    total = np.zeros(len(pools.row), np.int64)
    np.add.at(total, pools.pool[mask], values[mask])
    return total


def gather(parts: list[tuple[np.ndarray, pa.Table]], of_pools: pa.Table, players: pa.Table) -> pa.Table:
    """All changes by id and control, with ids and names from the new list."""
    ids = numbers(players, "fideid")
    tables = [
        part.set_column(0, CHANGES.field(0), pa.array(ids[rows], pa.int64())) for rows, part in parts if part.num_rows
    ]
    changes = pa.concat_tables([empty(CHANGES), *tables, of_pools], promote_options="none").combine_chunks()
    changes = changes.unify_dictionaries().combine_chunks()
    control = np.zeros(0, np.int64)
    if changes.num_rows:
        coded = changes.column("control").chunk(0)
        control = np.array([CONTROLS.index(word) for word in coded.dictionary.to_pylist()])[coded.indices.to_numpy()]
    order = np.lexsort((control, numbers(changes, "fideid")))
    changes = changes.take(pa.array(order))
    rows = rows_of(ids, numbers(changes, "fideid"))
    names = players.column("name").take(pa.array(rows, mask=rows < 0))
    return changes.set_column(
        1, CHANGES.field(1), names.combine_chunks().fill_null("") if len(names) else pa.array([], pa.string())
    )


def pending_table(decided: Decided, keep: np.ndarray, edition: Edition) -> pa.Table:
    """PENDING: every result that is kept for a later list; ``keep`` are its rows among the pooled results."""
    pools, results = decided.pools, decided.pools.results.only(keep)
    if not len(results):
        return empty(PENDING)
    bounds = np.searchsorted(pools.pool, np.arange(len(pools.row) + 1))
    texts: dict[int, str] = {}
    for pool in np.unique(pools.pool[keep]).tolist():
        fates = pools.fate[bounds[pool] : bounds[pool + 1]].tolist()
        texts[pool] = sentences.missing(pools, pool, fates, int(pools.rating[pool]), edition)
    return pa.table([
        pa.array(results.fideid, pa.int64()), control_words(results.control), pa.array(results.event, pa.string()).dictionary_encode(),
        days(results.start), days(results.end), pa.array(results.games.astype(np.int32)), pa.array(results.score, pa.int64()),
        pa.array(rc(results).astype(np.int32)), pa.array(ru_alone(results, edition).astype(np.int32)),
        days(expiry(results.end, edition.first_rating.window_months)), pa.array([texts[pool] for pool in pools.pool[keep].tolist()], pa.string()),
    ], schema=PENDING)  # fmt: skip
