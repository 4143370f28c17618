"""One player's rows of a sealed table, found without reading the whole of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fide_batch.model import numbers


def rows_of_player(path: Path, columns: Sequence[str] | None, fideid: int, last_seen: dict[str, int]) -> pa.Table:
    """A player's rows of a table: of every block of rows only the ids are read, and the other columns where he is among them.

    In a list he stands once, and from month to month in much the same place: the block he was ``last_seen`` in is looked at first.
    """
    once = path.stem in ("list", "base")
    with pq.ParquetFile(path) as file:
        place = file.schema_arrow.get_field_index("fideid")
        found = []
        first = last_seen.get(path.stem, 0) if once else 0
        for block in sorted(range(file.num_row_groups), key=lambda block: block != first):
            told = file.metadata.row_group(block).column(place).statistics
            if told is not None and told.has_min_max and not told.min <= fideid <= told.max:
                continue
            his = np.flatnonzero(numbers(file.read_row_group(block, ["fideid"]), "fideid") == fideid)
            if len(his):
                found.append(_first_rows(file, block, int(his[-1]) + 1, columns).take(his))
                if once:
                    last_seen[path.stem] = block
                    break
        rows = pa.concat_tables(found) if found else file.schema_arrow.empty_table()
    return rows.select(list(columns)) if columns else rows


def _first_rows(file: pq.ParquetFile, block: int, count: int, columns: Sequence[str] | None) -> pa.Table:
    """The rows of a block up to a player's last: what comes after them is not decoded."""
    batches: list[pa.RecordBatch] = []
    for batch in file.iter_batches(count, [block], list(columns) if columns else None):
        batches.append(batch)
        count -= batch.num_rows
        if count <= 0:
            break
    return pa.Table.from_batches(batches)
