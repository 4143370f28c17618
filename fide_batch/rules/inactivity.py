"""Who is inactive."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import Period, add_months
from fide_batch.regulations.edition import Inactivity


def window_months(law: Inactivity, period: Period) -> int:
    """Over how many months a list looks back (article ``inactivity``); an edition may have changed it while it was in force."""
    months = law.months
    for since, later in law.later:
        if str(period) >= since:
            months = later
    return months


def first_day(law: Inactivity, period: Period) -> date:
    """Games of events that ended on this day or later are within a list's window."""
    return add_months(period.list_date, -window_months(law, period))


def is_inactive(law: Inactivity, games: Any) -> Any:
    """Inactive with fewer rated games in the window than the edition asks for; a column or a whole number."""
    return np.asarray(games) < law.games


def is_inactive_since(law: Inactivity, period: Period, last_played: Any) -> Any:
    """Inactive for certain: the last event with a rated game ended before the window. ``last_played`` in days since 1970."""
    return last_played < (first_day(law, period) - date(1970, 1, 1)).days


def flags(
    flag: pa.Array, active: np.ndarray, inactive: np.ndarray, sex: pa.Array | pa.ChunkedArray | None = None
) -> pa.Array:
    """The list's flags: ``i`` set for the inactive and taken from the active; other letters (``w``) stay.

    A woman whose flag changes gets the ``w`` she has in FIDE's lists; a flag that nothing happens to stays as the list has it.
    """
    if isinstance(flag, pa.ChunkedArray):
        flag = pa.concat_arrays(flag.chunks) if flag.num_chunks else pa.array([], pa.string())
    if not len(flag):
        return flag
    marked = pc.match_substring(flag.fill_null(""), "i", ignore_case=True).to_numpy(zero_copy_only=False)
    change = (active & marked) | (inactive & ~active & ~marked)
    rows = np.flatnonzero(change)
    if not len(rows):
        return flag
    before = flag.take(pa.array(rows)).fill_null("")
    if sex is not None:
        bare = pc.and_(
            pc.equal(sex.take(pa.array(rows)), "F"), pc.invert(pc.match_substring(before, "w", ignore_case=True))
        )
        before = pc.if_else(bare, pc.binary_join_element_wise("w", before, ""), before)
    if isinstance(before, pa.ChunkedArray):
        before = before.combine_chunks()
    coded = before.dictionary_encode()
    turned = [
        text.replace("i", "").replace("I", "") if "i" in text.lower() else text + "i" for text in coded.dictionary.to_pylist()
    ]  # fmt: skip
    return pc.replace_with_mask(flag, pa.array(change), pa.array(turned, pa.string()).take(coded.indices))
