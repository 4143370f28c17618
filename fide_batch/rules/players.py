"""Everybody who will be on the new list, in columns: the base list's rows in their order, then the new players by id."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import LIST, PREFIX, Reports, numbers, table
from fide_batch.regulations.edition import KFactor
from fide_batch.rules.join import rows_of
from fide_batch.rules.k_factor import UNKNOWN, Past, past_of
from fide_batch.rules.sheet import Sheet

NEVER = -(10**6)
"""In columns of days: not known; long before chess had ratings."""

_WOMENS_TITLES = pa.array(["WGM", "WIM", "WFM", "WCM"])
"""FIDE's lists have them in both columns of titles."""

_TITLES_OF_2400 = ("GM", "IM")
"""Titles for which a rating of 2400 was needed."""


@dataclass(frozen=True)
class Record:
    """One control of every player before the period. Ratings and K: 0 is none; counts and marks: ``UNKNOWN``."""

    rating: np.ndarray
    k_list: np.ndarray
    career_games: np.ndarray
    reached_2400: np.ndarray
    reached_2300: np.ndarray
    last_played: np.ndarray
    """Days since 1970; ``NEVER`` when it is not known."""
    highest: np.ndarray
    """The highest published rating at hand, or what a title shows."""

    def past(self, rows: np.ndarray | slice, junior: np.ndarray, law: KFactor) -> Past:
        """What K looks at, for some players."""
        return past_of(
            self.career_games[rows], self.reached_2400[rows], self.reached_2300[rows], self.k_list[rows], self.rating[rows], self.highest[rows],
            junior, law,
        )  # fmt: skip


def with_new_players(base: pa.Table, new_players: np.ndarray, reports: Reports, sheet: Sheet) -> pa.Table:
    """The base list with a row for each new player at its end: what the first report says of him (article ``rateable``: he was in a rated event)."""
    if not len(new_players):
        return base
    first = np.full(len(new_players), -1, np.int64)
    newcomer = rows_of(new_players, sheet.player)
    entries = np.flatnonzero((newcomer >= 0) & (sheet.player != 0))[::-1]
    first[newcomer[entries]] = sheet.source[entries]
    rows = reports.entries.take(pa.array(first))
    sex, title = _sex(rows.column("sex")), pc.fill_null(rows.column("title"), "")
    birth = pc.utf8_slice_codeunits(pc.fill_null(rows.column("birth"), ""), 0, 10)
    players = pa.concat_tables([
        base.select(LIST.names).cast(LIST),
        table(LIST, {
            "fideid": new_players, "name": rows.column("name"), "country": pc.utf8_upper(rows.column("federation")),
            "sex": sex, "title": title, "w_title": pc.if_else(pc.is_in(title, _WOMENS_TITLES), title, ""), "birthday": birth,
            "flag": pc.if_else(pc.equal(sex, "F"), "w", ""),
        }),
    ])  # fmt: skip
    # Numbers in one piece, for NumPy; texts, most of the list, stay where they are.
    return pa.table(
        [column if pa.types.is_string(column.type) else column.combine_chunks() for column in players.columns],
        schema=LIST,
    )


def _sex(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """As a list writes it: reports say m and w, lists M and F."""
    letter = pc.utf8_upper(pc.fill_null(column, ""))
    return pc.if_else(pc.equal(letter, "W"), "F", letter)


def record(players: pa.Table, control: str, law: KFactor) -> Record:
    """One control of every player; ``law`` says which rating a title stands for.

    Older lists are not asked what they show: what they told is in the marks, and K must not depend on which lists this month's events need.
    """
    prefix = PREFIX[control]
    rating = numbers(players, prefix + "rating")
    k_list, career = k_of_list(players, control), numbers(players, prefix + "career_games", UNKNOWN)
    highest = rating
    if control == "standard":
        titled = np.flatnonzero(
            pc.is_in(players.column("title"), pa.array(_TITLES_OF_2400)).to_numpy(zero_copy_only=False)
        )
        shown = titled[(career[titled] == UNKNOWN) & (k_list[titled] == 0) & (rating[titled] > 0)]
        if len(shown):
            highest = highest.copy()
            highest[shown] = np.maximum(highest[shown], law.top_rating)
    return Record(
        rating, k_list, career, numbers(players, prefix + "reached_2400", UNKNOWN), numbers(players, prefix + "reached_2300", UNKNOWN),
        numbers(players, prefix + "last_played", NEVER), highest,
    )  # fmt: skip


def k_of_list(players: pa.Table, control: str) -> np.ndarray:
    """The K the newest list prints for each player in a control, 0 for none."""
    return numbers(players, PREFIX[control] + "k")


def birth_years(players: pa.Table) -> np.ndarray:
    """The year each player was born in, 0 where it is not known."""
    column = players.column("birthday").combine_chunks()
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], pa.string())
    coded = column.fill_null("").dictionary_encode()
    years = [
        int(text[:4]) if text and text[:4].isdecimal() and text[:4].isascii() else 0
        for text in coded.dictionary.to_pylist()
    ]
    return np.array(years, np.int32)[coded.indices.to_numpy()]
