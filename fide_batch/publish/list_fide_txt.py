"""The rating list in FIDE's columns: lines of 162 places (136 for one control) that end with CR LF, under FIDE's heading."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import LIST, Period, Problem, Refused, id_texts
from fide_batch.publish.files import replacing
from fide_batch.publish.printed import letters, places
from fide_batch.publish.text_columns import (
    Field,
    Fitting,
    births,
    fields_of,
    numbers_that_fit,
    too_long,
    without_controls,
)

ROWS = 1 << 15
"""Rows written at a time."""

_BLANK = 32


def write(path: Path, players: pa.Table, *, control: str = "", period: Period | None = None) -> list[Problem]:
    """Write a list in FIDE's columns.

    The file is ASCII where all names are; else UTF-8, with columns counted in characters. Nothing ever moves a column: what does not fit is cut or left
    out, and told.

    Args:
        path: the file.
        players: LIST, its texts plain or in dictionaries; our own state has no place in this layout.
        control: for the list of one control.
        period: for the heading of the list of one control.

    Returns:
        What did not fit.

    Raises:
        Refused: for an id of more than 15 places: a cut id would be another player.
        OSError: when the file cannot be written; then there is none, or the one before.
    """
    fields = fields_of(control, period)
    fitting = Fitting(str(path))
    players = players.select(LIST.names)
    _all_ids_fit(path, players)
    with replacing(path) as file:
        file.write(heading(fields))
        for start in range(0, players.num_rows, ROWS):
            batch = players.slice(start, ROWS).combine_chunks().to_batches()[0]
            for piece in lines(batch, fields, fitting):
                file.write(piece)
    return fitting.problems


def _all_ids_fit(path: Path, players: pa.Table) -> None:
    ids = players.column("fideid")
    if not players.num_rows or (pc.max(ids).as_py() < 10**15 and pc.min(ids).as_py() > -(37**11)):
        return
    texts = pa.chunked_array([id_texts(chunk.to_numpy()) for chunk in ids.chunks])
    long = texts.filter(pc.greater(pc.binary_length(texts), 15)).to_pylist()
    if long:
        raise Refused(
            Problem(
                "export-fit", "error", str(path), None, None, f"{len(long)} ids have more than the 15 places of FIDE's layout, first {long[0]}",
                "write the list as CSV or XML",
            )
        )  # fmt: skip


def heading(fields: tuple[Field, ...]) -> bytes:
    """The first line."""
    return "".join(field.head.ljust(field.width) for field in fields).encode() + b"\r\n"


def lines(batch: pa.RecordBatch, fields: tuple[Field, ...], fitting: Fitting) -> list[bytes]:
    """The lines of some players, as pieces of a file."""
    sheet = np.empty(batch.num_rows, [*((field.name, f"V{field.width}") for field in fields), ("", "V2")])
    sheet[sheet.dtype.names[-1]] = np.void(b"\r\n")
    texts: dict[str, pa.Array] = {}
    wide = np.zeros(batch.num_rows, bool)
    for field in fields:
        column = batch.column(field.name)
        if pa.types.is_integer(LIST.field(field.name).type) and field.name != "fideid":
            values = numbers_that_fit(batch, field, fitting)
            sheet[field.name] = _digits(field.width).take(values, mode="wrap")
            continue
        if pa.types.is_dictionary(column.type):
            words = _words(column, field)
            if words is not None:
                sheet[field.name] = words
                continue
            batch = batch.set_column(batch.schema.get_field_index(field.name), field.name, column.cast(pa.string()))
        found = texts[field.name] = _texts(batch, field, fitting)
        if letters(found).max(initial=0) > 126:
            ascii_ = pc.string_is_ascii(found)
            wide |= ~np.asarray(ascii_)
            found = pc.if_else(ascii_, found, "")
        sheet[field.name] = _padded(found, field.width)
    letters_of = sheet.view(np.uint8).reshape(batch.num_rows, -1)
    if not wide.any():
        return [letters_of.data]  # type: ignore[list-item]
    return _with_wide(letters_of, np.flatnonzero(wide), fields, texts)


def _words(column: pa.DictionaryArray, field: Field) -> np.ndarray | None:
    """A column of a dictionary as it is printed; None where something in it does not fit, or is not ASCII."""
    known = column.dictionary
    found = letters(known)
    if column.null_count or known.null_count or (len(found) and (found.min() < _BLANK or found.max() > 126)):
        return None
    if pc.max(pc.binary_length(known)).as_py() > field.fits:
        return None
    return _padded(_as_printed(known, field), field.width).take(places(column.indices, 1), mode="clip")


def _texts(batch: pa.RecordBatch, field: Field, fitting: Fitting) -> pa.Array:
    """A text column as it is printed."""
    if field.name == "fideid":
        return id_texts(batch.column("fideid").to_numpy())
    if field.name == "birthday":
        return _as_printed(births(batch, fitting), field)
    return too_long(batch, without_controls(batch, batch.column(field.name), fitting), field, fitting)


def _as_printed(texts: pa.Array, field: Field) -> pa.Array:
    """Births: no year is 0000."""
    return pc.if_else(pc.equal(texts, ""), "0000", texts) if field.name == "birthday" else texts


def _padded(texts: pa.Array, width: int) -> np.ndarray:
    """ASCII texts that fit, filled up with blanks, as cells of so many bytes; one for all where all are empty."""
    if not len(letters(texts)):
        return np.full(1, np.void(b" " * width))
    padded = pc.ascii_rpad(texts, width)
    return np.frombuffer(padded.buffers()[2], f"V{width}", len(texts))


@functools.cache
def _digits(width: int) -> np.ndarray:
    """The digits of 0 to 9999 at the left of a cell, and as last (for -1) a blank cell."""
    texts = [str(value).ljust(width)[:width] for value in range(10_000)] + [" " * width]
    return np.frombuffer("".join(texts).encode(), f"V{width}")


def _with_wide(
    sheet: np.ndarray, wide: np.ndarray, fields: tuple[Field, ...], texts: dict[str, pa.Array]
) -> list[bytes]:
    """The lines with those in between whose letters are not ASCII: columns are characters there."""
    pieces: list[bytes] = []
    before = 0
    for row in wide:
        pieces.append(sheet[before:row].tobytes())
        line, place = [], 0
        for field in fields:
            found = texts.get(field.name)
            cell = (
                sheet[row, place : place + field.width].tobytes().decode()
                if found is None
                else found[int(row)].as_py().ljust(field.width)
            )
            line.append(cell)
            place += field.width
        pieces.append(("".join(line) + "\r\n").encode())
        before = row + 1
    pieces.append(sheet[before:].tobytes())
    return pieces
