"""The sealed months and one that is not sealed yet, its tables at hand, so that the desk can be asked about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from fide_batch.archive import Archive
from fide_batch.model import Period


class AtHand(Archive):
    """An archive as it will be when a month that has just been rated is sealed."""

    def __init__(
        self, folder: Path, period: Period, cover: Mapping[str, Any], tables: Mapping[str, Callable[[], Iterable[pa.Table]]]
    ) -> None:  # fmt: skip
        """``cover`` is what the month will say of itself, ``tables`` are those that may be asked for, each in pieces."""
        super().__init__(folder)
        self._period = period
        self._cover = dict(cover)
        self._tables = tables

    def periods(self) -> list[Period]:
        """As of the archive, with the month at hand."""
        return sorted({*super().periods(), self._period})

    def cover(self, period: Period) -> dict[str, Any]:
        """As of the archive."""
        return self._cover if period == self._period else super().cover(period)

    def table(
        self, period: Period, name: str, columns: Sequence[str] | None = None, fideid: int | None = None
    ) -> pa.Table:
        """As of the archive; of the month at hand whole, or some columns.

        Raises:
            KeyError: for a table of the month at hand that is not.
        """
        if period != self._period or fideid is not None:
            return super().table(period, name, columns, fideid)
        return pa.concat_tables(piece.select(columns) if columns else piece for piece in self._tables[name]())
