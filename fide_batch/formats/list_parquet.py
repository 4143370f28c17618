"""A rating list as Parquet, as ``export`` writes it: columns named as in CSV, ids as text."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from fide_batch.formats.list_bytes import LARGEST
from fide_batch.formats.list_columns import CENTURY_END, Gathering, finish
from fide_batch.formats.list_control import year_of
from fide_batch.formats.list_csv import checked_columns
from fide_batch.formats.list_csv_columns import kind, rows_of
from fide_batch.formats.list_headings import FIRST, LAST, heading_of
from fide_batch.formats.list_told import Told
from fide_batch.model import Problem, Refused

NAME = "Parquet list"

MOST_ROWS = 20_000_000
"""A few kilobytes of Parquet can stand for a billion equal rows."""


def looks(name: str, data: bytes) -> str:
    """'' when the beginning of a file is that of Parquet, else what was missed."""
    return "" if data.startswith(b"PAR1") else "no Parquet"


def read(path: Path) -> tuple[pa.Table, list[Problem]]:
    """A Parquet file as the table LIST, and what was found. Lines are rows, from 1.

    Raises:
        Refused: when it is not a rating list or cannot be read at all.
    """
    from pyarrow import parquet

    told = Told(str(path))
    try:
        with parquet.ParquetFile(path) as file:
            groups = range(file.metadata.num_row_groups)
            unpacked = sum(file.metadata.row_group(group).total_byte_size for group in groups)
            if file.metadata.num_rows > MOST_ROWS or unpacked > LARGEST:
                told.error("list-file", f"the file holds {file.metadata.num_rows:,} rows", "this is no rating list")
                raise Refused(*told.problems)
            heading = heading_of(file.schema_arrow.names, 1)
            columns = checked_columns(heading, path, told)
            names = file.schema_arrow.names
            found = file.read([names[place] for place in columns.values()])
            found.validate(full=True)  # that texts are UTF-8 nobody has looked at yet
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        why = " ".join(str(error).split())[:200]  # some of these have two lines
        told.error("list-file", f"the list cannot be read: {why}", "export it again, or ask for it as CSV")
        raise Refused(*told.problems) from None
    year = year_of(path.name)
    century_end = year - 5 if year else CENTURY_END
    by_name = {name: found.column(names[place]) for name, place in columns.items()}
    rows = None
    if "name" in by_name and LAST not in by_name:
        try:
            typed = {
                name: column.cast(pa.string() if kind(name) == pa.string() else kind(name))
                for name, column in by_name.items()
            }
            texts = {
                name: column.fill_null("") if column.type == pa.string() else column for name, column in typed.items()
            }
            rows = rows_of(texts, told, lambda row: row + 1, century_end)
        except pa.ArrowException:
            rows = None
    if rows is None:
        gathering = Gathering(told, by_name, century_end)
        cells = {name: [_text(value) for value in column.to_pylist()] for name, column in by_name.items()}
        for row in range(found.num_rows):
            player = {name: column[row] for name, column in cells.items()}
            if LAST in player:
                player["name"] = ", ".join(part for part in (player[LAST], player.get(FIRST, "")) if part)
            gathering.add(player, row + 1)
        rows = gathering.rows
    return finish(rows)


def _text(value: object) -> str:
    return "" if value is None else str(value)
