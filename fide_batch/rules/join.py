"""Who is who: the rows of a list that hold certain ids."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def rows_of(ids: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """For each wanted id its row among ``ids`` (the first, should it stand there twice), -1 where it is not there; int32."""
    if not len(ids) or not len(wanted):
        return np.full(len(wanted), -1, np.int32)
    found = pc.index_in(pa.array(wanted, pa.int64()), value_set=pa.array(ids, pa.int64()))
    return found.fill_null(-1).to_numpy()
