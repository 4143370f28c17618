"""Every fast way of reading has a careful twin: what must be the same of both."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from fide_batch.formats import sheet_cross
from fide_batch.model import Refused, Reports, numbers


def in_place(problems):
    return sorted(problems, key=lambda problem: problem.sort_key)


def same_reports(fast: Reports, slow: Reports) -> None:
    """To the last field of the last cell."""
    assert fast.events == slow.events
    assert in_place(fast.problems) == in_place(slow.problems)
    assert fast.entries.schema == slow.entries.schema and fast.cells.schema == slow.cells.schema
    for name in slow.entries.column_names:
        assert fast.entries.column(name).to_pylist() == slow.entries.column(name).to_pylist(), name
    for name in slow.cells.column_names:
        assert np.array_equal(numbers(fast.cells, name), numbers(slow.cells, name)), name


@contextmanager
def careful_tables() -> Iterator[None]:
    """Cross tables are read the careful way."""
    with patch.object(sheet_cross, "_plain_cells", lambda *_: None):
        yield


def outcome(reader: Any, path: Path, plain: bool) -> Any:
    """What a reader of lists makes of a file."""
    try:
        table, problems = reader.read(path, plain=plain)
    except Refused as refused:
        return None, refused.problems
    table.validate(full=True)
    return table.to_pylist(), problems


def same_list(reader: Any, path: Path) -> Any:
    """The rows of a list, or None, and that the fast way and the plain one agree in them and in what they say."""
    fast, plain = outcome(reader, path, False), outcome(reader, path, True)
    assert fast == plain
    return fast[0]
