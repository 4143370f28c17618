"""Rows of tables for the pages: grouped by player or event, and small things about them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch.model import Grid, Heading, numbers

Row = dict[str, Any]


_UNSEEN = dict.fromkeys(
    (*range(9), 11, 12, *range(14, 32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd"
)


def visible(text: str) -> str:
    """A text without signs that nobody sees or that turn the line round."""
    return text if text.isprintable() else text.translate(_UNSEEN)


class Grouped:
    """The rows of a table by the value of one column, each group turned into Python when it is asked for."""

    def __init__(self, source: pa.Table, column: str) -> None:
        if pa.types.is_integer(source.schema.field(column).type):
            keys = numbers(source, column)
            self._place: dict[Any, int] | None = None
        else:
            encoded = source[column].cast(pa.string()).combine_chunks().dictionary_encode()
            self._place = {word: place for place, word in enumerate(encoded.dictionary.to_pylist())}
            keys = encoded.indices.to_numpy(zero_copy_only=False)
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._sorted = source.take(pa.array(order)).combine_chunks()

    def of(self, key: int | str) -> list[Row]:
        """The rows of one value, in the order of the table."""
        place = key if self._place is None else self._place.get(key, -1)
        low, high = np.searchsorted(self._keys, [place, place + 1])  # type: ignore[operator]
        rows: list[Row] = self._sorted.slice(low, high - low).to_pylist() if high > low else []
        return rows


def by_player(source: pa.Table, players: np.ndarray) -> dict[int, list[Row]]:
    """The rows of some players, each player's in the order of the table."""
    found: dict[int, list[Row]] = {}
    for row in source.filter(pa.array(np.isin(numbers(source, "fideid"), players))).to_pylist():
        found.setdefault(row["fideid"], []).append(row)
    return found


def who(games: pa.Table) -> np.ndarray:
    """Who played each result. Players nobody identified have no id in common; the line of the report tells them apart."""
    ids = numbers(games, "fideid")
    return np.where(ids != 0, ids, -(2**62) - numbers(games, "line").astype(np.int64))


class Markup(str):
    """A piece of a page whose texts are escaped already; the templates take it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        """What the templates ask for."""
        return str(self)


def kind_of(block: str | Heading | Grid) -> str:
    """What the templates make of a block of a page: heading, grid or text."""
    return "heading" if isinstance(block, Heading) else "grid" if isinstance(block, Grid) else "text"


def clean(texts: Sequence[str | None]) -> list[str]:
    """Texts to be seen, None as ''."""
    return [visible(text or "") for text in texts]


def iso(day: date | str | None) -> str:
    """A day as ``2026-11-01``; '' for none, also as the manifest writes it."""
    return "" if not day or day == "None" else day.isoformat() if isinstance(day, date) else str(day)


def span(start: str, end: str) -> str:
    """``2026-10-01 to 2026-10-22``, or one day."""
    return " to ".join(dict.fromkeys(day for day in (start, end) if day))
