"""A part of a rating list: a federation, a control, the best, the women, the juniors."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import PREFIX, numbers


def select(
    players: pa.Table, *, fed: str | None = None, control: str | None = None, top: int | None = None, women: bool = False,
    juniors: int | None = None,
) -> pa.Table:  # fmt: skip
    """The players of a list somebody asked for, as LIST.

    Args:
        players: LIST.
        fed: only this federation, whatever its case.
        control: only who is rated in it.
        top: the so many highest rated (of ``control``, else standard), highest first; equal ratings by name, then id.
        women: only women.
        juniors: only who was born in this year or later; without a birth year nobody.
    """
    mask = np.ones(players.num_rows, bool)
    if fed:
        mask &= pc.equal(pc.utf8_upper(players["country"]), fed.upper()).fill_null(False).to_numpy()
    if women:
        mask &= pc.is_in(pc.utf8_upper(players["sex"]), value_set=pa.array(["F", "W"])).to_numpy()
    if juniors is not None:
        mask &= birth_years(players) >= juniors
    rating = PREFIX[control or "standard"] + "rating"
    if control or top:
        mask &= numbers(players, rating) > 0
    chosen = players if mask.all() else players.filter(pa.array(mask))
    if top:
        order = pc.sort_indices(
            chosen, sort_keys=[(rating, "descending"), ("name", "ascending"), ("fideid", "ascending")]
        )
        chosen = chosen.take(order.slice(0, top))
    return chosen


def birth_years(players: pa.Table) -> np.ndarray:
    """The year of birth of each player; 0 where it is not known."""
    years = pc.utf8_slice_codeunits(players["birthday"], 0, 4)
    known = pc.match_substring_regex(years, "^[0-9]{4}$")
    return pc.if_else(known, years, "0").cast(pa.int32()).to_numpy()
