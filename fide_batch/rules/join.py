"""Who is who: the rows of a list that hold certain ids."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""2^64 over the golden ratio: neighbouring ids land far apart."""
_ROUNDS = 64
"""So many neighbours of a slot are tried; ids made to collide are then looked up the plain way."""


def rows_of(ids: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """For each wanted id its row among ``ids`` (the first, should it stand there twice), -1 where it is not there; int32.

    A hash table of the wanted ids, which are few, asked for every row of the list, which are many: nothing is sorted.
    """
    ids, wanted = np.asarray(ids, np.int64), np.asarray(wanted, np.int64)
    if not len(ids) or not len(wanted):
        return np.full(len(wanted), -1, np.int32)
    bits = max(4, (2 * len(wanted)).bit_length())
    shift, last = np.uint64(64 - bits), (1 << bits) - 1
    slots = np.full(last + 1, -1, np.int32)
    holder_of = np.empty(len(wanted), np.int32)

    rows = np.arange(len(wanted), dtype=np.int32)
    at = (wanted.view(np.uint64) * _SPREAD >> shift).astype(np.int32)
    for _ in range(_ROUNDS):
        free = slots[at] < 0
        slots[at[free]] = rows[free]
        holder = slots[at]
        same = wanted[holder] == wanted[rows]
        holder_of[rows[same]] = holder[same]
        rows, at = rows[~same], (at[~same] + 1) & last
        if not len(rows):
            break
    else:
        return _plainly(ids, wanted)

    found = np.full(len(wanted), -1, np.int32)
    at = (ids.view(np.uint64) * _SPREAD >> shift).astype(np.int32)[::-1]
    rows = np.arange(len(ids) - 1, -1, -1, dtype=np.int32)
    for _ in range(_ROUNDS):
        holder = slots[at]
        taken = np.flatnonzero(holder >= 0)
        rows, at, holder = rows[taken], at[taken], holder[taken]
        same = wanted[holder] == ids[rows]
        found[holder[same]] = rows[same]
        other = np.flatnonzero(~same)
        rows, at = rows[other], (at[other] + 1) & last
        if not len(rows):
            return found[holder_of]
    return _plainly(ids, wanted)


def _plainly(ids: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The same by Arrow's own table."""
    found = pc.index_in(pa.array(wanted, pa.int64()), value_set=pa.array(ids, pa.int64()))
    return found.fill_null(-1).to_numpy()
