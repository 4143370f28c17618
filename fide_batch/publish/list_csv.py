"""The rating list as CSV: FIDE's columns under FIDE's names, then our own state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from fide_batch.model import LIST
from fide_batch.publish import tables


def write(path: Path, players: pa.Table) -> None:
    """Write a list; reading it back gives the same list.

    Names that a spreadsheet would take for a formula get an apostrophe, which the reader takes away.

    Args:
        path: the file.
        players: LIST.

    Raises:
        OSError: when the file cannot be written; then there is none, or the one before.
    """
    tables.write_csv(path, players.select(LIST.names))


def pieces(players: pa.Table) -> Iterator[bytes | memoryview]:
    """What ``write`` writes, some thousand rows at a time."""
    return tables.csv_pieces(players.select(LIST.names))
