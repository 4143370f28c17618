"""The rating list as FIDE's XML: a flat element a player, combined or of one control; an empty element for what there is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import LIST, LIST_COLUMNS, PREFIX, Problem, id_texts
from fide_batch.publish.files import replacing
from fide_batch.publish.printed import letters
from fide_batch.publish.text_columns import Fitting, births, without_controls

ROWS = 1 << 14
"""Rows written at a time."""


def elements_of(control: str = "") -> tuple[tuple[str, str], ...]:
    """The elements of a player in FIDE's order, each with its column of LIST; of one control the plain names ``rating``, ``games``, ``k``."""
    if not control:
        return tuple((name, name) for name in LIST_COLUMNS)
    ratings = tuple((name, PREFIX[control] + name) for name in ("rating", "games", "k"))
    person = tuple((name, name) for name in LIST_COLUMNS[: LIST_COLUMNS.index("rating")])
    return (*person, *ratings, ("birthday", "birthday"), ("flag", "flag"))


def write(path: Path, players: pa.Table, *, control: str = "") -> list[Problem]:
    """Write a list as FIDE's XML, in UTF-8.

    Args:
        path: the file.
        players: LIST; our own state has no place in this layout.
        control: for the list of one control.

    Returns:
        What could not be written as it stands.

    Raises:
        OSError: when the file cannot be written; then there is none, or the one before.
    """
    fitting = Fitting(str(path))
    with replacing(path) as file:
        for piece in pieces(players.select(LIST.names), elements_of(control), fitting):
            file.write(piece)
    return fitting.problems


def pieces(players: pa.Table, elements: tuple[tuple[str, str], ...], fitting: Fitting) -> Iterator[bytes | memoryview]:
    """The bytes of the file, some thousand players at a time."""
    yield b"<playerslist>\n"
    for start in range(0, players.num_rows, ROWS):
        batch = players.slice(start, ROWS).combine_chunks().to_batches()[0]
        cells: list[pa.Array | str] = []
        between = "<player>\n"
        for element, column in elements:
            texts = _texts(batch, column, fitting)
            between += f"<{element}>"
            if texts is not None:
                cells += [between, texts]
                between = ""
            between += f"</{element}>\n"
        cells.append(between + "</player>\n")
        joined = pc.binary_join_element_wise(*cells, "")
        yield np.frombuffer(joined.buffers()[2], np.uint8).data
    yield b"</playerslist>\n"


def _texts(batch: pa.RecordBatch, name: str, fitting: Fitting) -> pa.Array | None:
    """A column as text of an element; None where it is empty for all."""
    column = batch.column(name)
    if name == "fideid":
        return id_texts(column.to_numpy())
    if column.null_count == len(column):
        return None
    if pa.types.is_integer(column.type):
        return column.cast(pa.string()).fill_null("")
    if name == "birthday":
        column = births(batch, fitting)
    if not pc.max(pc.binary_length(column)).as_py():
        return None
    column = without_controls(batch, column, fitting)
    found = letters(column)
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        if (found == ord(char)).any():
            column = pc.replace_substring(column, char, entity)
    return column
