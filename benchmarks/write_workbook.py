"""The sheet of a rating list of many players: our streamed rows against openpyxl writing cell by cell.

    .venv/bin/python benchmarks/write_workbook.py [PLAYERS]

Prints seconds of the processor and the memory over the data for each, and the ratio of the seconds.
"""

from __future__ import annotations

import io
import resource
import sys
import time

import numpy as np
import pyarrow as pa
from openpyxl import Workbook

from fide_batch.model import id_text
from fide_batch.publish import workbook
from fide_batch.publish.sheet_rows import Column, save


def columns(players: int) -> list[Column]:
    """Made-up players with the columns of the list."""
    chance = np.random.default_rng(1)

    def whole(low: int, high: int) -> pa.Array:
        return pa.array(chance.integers(low, high, players), pa.int32(), mask=chance.random(players) < 0.3)

    text = [
        Column("Id", pa.array(np.arange(players) + 1_000_000), "id"),
        Column("Name", pa.array([f"Surname{number % 9973}, Name{number % 977}" for number in range(players)]), "text"),
        Column("Fed", pa.array([("NOR", "SVL", "ISL")[number % 3] for number in range(players)]), "text"),
    ]
    return [*text, *(Column(f"Column {number}", whole(1000, 2800), "number") for number in range(14))]


def ours(sheet: list[Column]) -> float:
    """Draw and stream."""
    begin = time.process_time()
    book, fillings = workbook.draw([("Rating list", sheet)], {})
    save(book, fillings, "2026-11-01", io.BytesIO())
    return time.process_time() - begin


def plain(sheet: list[Column]) -> float:
    """Cell by cell, in openpyxl's normal mode."""
    begin = time.process_time()
    book = Workbook()
    page = book.active
    page.append([column.head for column in sheet])
    lists = [column.values.to_pylist() for column in sheet]
    lists[0] = [id_text(code) for code in lists[0]]
    for row in zip(*lists, strict=True):
        page.append(row)
    book.save(io.BytesIO())
    return time.process_time() - begin


def main() -> None:
    """Both, and how much faster."""
    sheet = columns(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    data = _peak()
    streamed = ours(sheet)
    with_ours = _peak()
    cell_by_cell = plain(sheet)
    sys.stdout.write(
        f"streamed {streamed:.2f} s, {with_ours - data:.0f} MiB; cell by cell {cell_by_cell:.2f} s, {_peak() - data:.0f} MiB:"
        f" {cell_by_cell / streamed:.1f} times\n"
    )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
