"""The games of a month counted: what each report holds, and why results do not count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fide_batch.model import numbers


@dataclass
class Tally:
    """Counts over GAMES, whose rows stand by report and player."""

    players: Counter[str] = field(default_factory=Counter)
    """By report; who is not identified is told from the next by his rounds, which begin anew."""
    results: Counter[str] = field(default_factory=Counter)
    """By report: rows, one for each side of a game."""
    counted: Counter[str] = field(default_factory=Counter)
    """By report: rows that count."""
    not_counted: Counter[str] = field(default_factory=Counter)
    """Rows that do not count, by their reason."""

    def add(self, games: pa.Table) -> None:
        """Count some more rows of GAMES."""
        report, files = _words(games.column("file"))
        ids, round_, counts = numbers(games, "fideid"), numbers(games, "round"), numbers(games, "counted") > 0
        begins = np.ones(len(ids), bool)
        begins[1:] = (
            (report[1:] != report[:-1]) | (ids[1:] != ids[:-1]) | ((ids[1:] == 0) & (round_[1:] <= round_[:-1]))
        )
        reason, reasons = _words(games.column("reason"))
        for total, places, texts in (
            (self.players, report[begins], files), (self.results, report, files), (self.counted, report[counts], files),
            (self.not_counted, reason[~counts], reasons),
        ):  # fmt: skip
            times = np.bincount(places, minlength=len(texts)).tolist()
            total.update({text: number for text, number in zip(texts, times, strict=True) if number})


def _words(column: pa.ChunkedArray) -> tuple[np.ndarray, list[str]]:
    """A column of few texts as places among them, and the texts."""
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.array([], column.type)
    return whole.indices.to_numpy(), whole.dictionary.to_pylist()


class Games:
    """GAMES in pieces of whole events, made anew each time they are asked for: whole, they would be larger than all else of a month."""

    def __init__(self, pieces: Callable[[], Iterator[pa.Table]]) -> None:
        self._pieces = pieces
        self._tally: Tally | None = None

    def __iter__(self) -> Iterator[pa.Table]:
        tally = Tally()
        for piece in self._pieces():
            tally.add(piece)
            yield piece
        self._tally = tally

    @property
    def tally(self) -> Tally:
        """The counts; nothing is made again for them once the pieces were."""
        if self._tally is None:
            for _ in self:
                pass
        return self._tally or Tally()

    def table(self) -> pa.Table:
        """All pieces together."""
        return pa.concat_tables(self).unify_dictionaries().combine_chunks()
