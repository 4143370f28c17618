"""A rating list as the checks ask it: who has an id, what rating stood there, who bears a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.checks.catalogue import CODES, accepted
from fide_batch.checks.columns import order_of
from fide_batch.checks.names import may_be_same, plain, same
from fide_batch.model import PREFIX, Problem, id_text, numbers

LOCAL_BELOW = 100_000
"""FIDE's ids have six digits and more; shorter numbers are a club's or a federation's own."""


LOOKED_FOR = 500
"""So many names are looked for in the list, to say who else it may be."""


def accepted_list(
    table: pa.Table, problems: Sequence[Problem], codes: frozenset[str]
) -> tuple[pa.Table, list[Problem]]:
    """A list as it is used when problems of some codes are accepted, and its problems as they are told then.

    Of an id that stands twice the first line is kept.
    """
    told = []
    for problem in problems:
        known = CODES.get(problem.code)
        if problem.code in codes and known and known.may_accept(problem.severity):
            said = "; accepted: the first is kept" if problem.code == _TWICE and problem.line else ""
            problem = accepted(replace(problem, message=problem.message + said))
        told.append(problem)
    if _TWICE in codes and any(problem.code == _TWICE for problem in problems):
        ids = numbers(table, "fideid")
        _, first = np.unique(ids, return_index=True)
        table = table.take(pa.array(np.sort(np.append(first, np.flatnonzero(ids == 0)[1:]))))
    return table, told


_TWICE = "list-id-repeated"


def by_value(values: pa.Array, meaning: Callable[[str], int]) -> np.ndarray:
    """A number for each text of a column, worked out once a distinct text."""
    coded = values.dictionary_encode()
    table = np.array([meaning(text or "") for text in coded.dictionary.to_pylist()] or [0], np.int32)
    places = coded.indices.fill_null(0) if coded.indices.null_count else coded.indices
    return np.take(table, places.to_numpy(zero_copy_only=False))


def _eight(letters: np.ndarray, start: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The first eight bytes of texts as one number, or all of a shorter text."""
    words = np.ndarray(len(letters) - 7, "<u8", letters, 0, (1,))
    place = np.minimum(start, len(letters) - 8)  # at the end of the column the word begins before the text
    found = words[place] >> (8 * (start - place)).astype(np.uint64)
    beyond = 64 - 8 * np.minimum(length, 8).astype(np.uint64)
    return np.where(length > 0, (found << beyond) >> beyond, 0)


class Listed:
    """A list with its ids in order; made once a run."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self.ids = numbers(table, "fideid")
        in_order = len(self.ids) < 2 or bool((self.ids[1:] >= self.ids[:-1]).all())
        self._order: np.ndarray | None = None
        self._sorted = self.ids
        if not in_order:
            self._order, self._sorted = order_of(self.ids)
        self._texts: dict[str, pa.Array] = {}

    def rows(self, ids: np.ndarray) -> np.ndarray:
        """The row of each id; -1 where the list does not have it (and for 0)."""
        if not len(self._sorted) or not len(ids):
            return np.full(len(ids), -1, np.int64)
        # Ids looked for in ascending order find their places several times faster.
        order, asked = order_of(ids)
        place = np.minimum(np.searchsorted(self._sorted, asked), len(self._sorted) - 1)
        found = (self._sorted[place] == asked) & (asked != 0)
        row = np.empty(len(ids), np.int64)
        row[order] = np.where(found, place if self._order is None else self._order[place], -1)
        return row

    def padded(self) -> dict[int, int]:
        """Ids written with leading zeros (``0042``), by their number."""
        texts = [id_text(int(code)) for code in self._sorted[: np.searchsorted(self._sorted, 0)]]
        return {int(text): code for text, code in zip(texts, self._sorted.tolist(), strict=False) if text.isdigit()}

    @property
    def local(self) -> bool:
        """Whether the list's own ids are short: then size does not tell a local number from an id."""
        positive = self._sorted[np.searchsorted(self._sorted, 1) :]
        return bool(len(positive)) and int(positive[len(positive) // 2]) < LOCAL_BELOW

    def column(self, name: str) -> pa.Array:
        """A text column in one piece."""
        if name not in self._texts:
            column = self.table.column(name)
            self._texts[name] = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        return self._texts[name]

    def take(self, name: str, rows: np.ndarray) -> pa.Array:
        """A text column at some rows."""
        return self.column(name).take(pa.array(rows))

    def values(self, name: str, rows: np.ndarray, meaning: Callable[[str], int]) -> np.ndarray:
        """What the texts of a column mean at some rows: a number a row."""
        if 2 * len(rows) < self.table.num_rows:
            return by_value(self.take(name, rows), meaning)
        return np.take(by_value(self.column(name), meaning), rows)  # faster than looking at texts here and there

    def namesakes(self, rows: np.ndarray) -> np.ndarray:
        """Of some rows those whose name another of them has, all of them, and perhaps some more: what is looked at are the first and the last eight
        bytes of a name, and how long it is.
        """
        names = self.column("name")
        _, offsets, buffer = names.buffers()
        letters = np.frombuffer(buffer, np.uint8) if buffer is not None else np.zeros(0, np.uint8)
        if names.null_count or len(letters) < 8:
            return rows
        ends = np.frombuffer(offsets, np.int32, len(names) + 1, 4 * names.offset)
        start, stop = ends[rows].astype(np.int64), ends[rows + 1].astype(np.int64)
        length = stop - start
        key = _eight(letters, start, length) * np.uint64(0x9E3779B97F4A7C15)
        key ^= _eight(letters, np.maximum(stop - 8, start), length) + length.astype(np.uint64)
        order = np.argsort(key, kind="stable")
        same = np.flatnonzero(key[order[1:]] == key[order[:-1]])
        return rows[np.unique(np.concatenate([order[same], order[same + 1]]))]

    def text(self, name: str, row: int) -> str:
        """One text."""
        return self.column(name)[row].as_py() or ""

    def ratings(self, control: str) -> np.ndarray:
        """A control's ratings, 0 for unrated."""
        return numbers(self.table, PREFIX.get(control, "") + "rating")

    def person(self, row: int) -> str:
        """A row of the list as messages tell it: ``1503014 Vale, Ann (ENG, 2003)``."""
        details = ", ".join(filter(None, [self.text("country", row), self.text("birthday", row)[:4]]))
        return f"{id_text(int(self.ids[row]))} {self.text('name', row)}" + (f" ({details})" if details else "")

    def bearing(self, names: list[str], most: int = 3) -> dict[str, list[int]]:
        """The rows of people who bear some names, at most so many each; the whole list is looked through once, for the first names only
        where they are very many: this is for hints.
        """
        wanted = {name: plain(name).split() for name in list(dict.fromkeys(names))[:LOOKED_FOR] if len(plain(name)) > 2}
        if not wanted or not self.table.num_rows:
            return {}
        column = self.column("name")
        # The list's surname begins as some part of the wanted name does; what is left is small enough to be looked at name by name.
        starts = sorted({token[:3] for tokens in wanted.values() for token in tokens if len(token) > 1})
        pattern = "^(" + "|".join(map(re.escape, starts)) + ")"
        lowered = pc.utf8_lower(pc.utf8_slice_codeunits(column, 0, 24))
        folded = pc.replace_substring_regex(pc.utf8_normalize(lowered, "NFKD"), r"[^a-z ,-]", "")
        rows = np.flatnonzero(pc.match_substring_regex(folded, pattern).to_numpy(zero_copy_only=False))
        by_token: dict[str, list[str]] = {}
        for name, tokens in wanted.items():
            for token in tokens:
                by_token.setdefault(token, []).append(name)
        found: dict[str, list[int]] = {}
        for row, text in zip(rows.tolist(), column.take(pa.array(rows)).to_pylist(), strict=True):
            listed = text or ""
            for name in {name for token in plain(listed).split() for name in by_token.get(token, ())}:
                if len(found.get(name, ())) < most and may_be_same(name, listed) and same(name, listed):
                    found.setdefault(name, []).append(row)
        return found
