"""The library: read a list, read reports, rate a month; pandas DataFrames in and out.

import fide_batch

players = fide_batch.read_list("rating-list-2026-10.csv")
reports = fide_batch.read_reports(["results/"])
month = fide_batch.rate(reports, players, period="2026-11")
month.list, month.changes, month.games          # DataFrames with the columns of the tables
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from fide_batch import formats
from fide_batch.model import KEPT, LIST, TABLES, Period, Refused, Reports, empty, errors, problems_table, table
from fide_batch.publish import tables as printed_tables
from fide_batch.run import Inputs, Law, compute

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RatedMonth:
    """A month's tables as DataFrames; the columns are those of the exports, numbers as printed."""

    list: pd.DataFrame
    changes: pd.DataFrame
    events: pd.DataFrame
    games: pd.DataFrame
    pending: pd.DataFrame
    problems: pd.DataFrame
    kept: pa.Table
    """What ``rate`` takes as ``kept`` for the month after."""


def read_list(path: str | Path) -> pd.DataFrame:
    """A rating list in any format read, a row a player, with the columns of table ``list``; unrated is missing (NA).

    Raises:
        Refused: when the file is not a rating list or has errors.
    """
    found, problems = formats.read_list(Path(path))
    if errors(problems):
        raise Refused(*errors(problems))
    return _frame("list", found)


def read_reports(paths: Sequence[str | Path] | str | Path, control: str = "") -> Reports:
    """Reports of any format read: ``.events``, ``.entries`` and ``.cells`` (Arrow tables) and ``.problems``.

    Args:
        paths: files, folders of folders, ZIP archives.
        control: standard, rapid or blitz, for reports that do not say.
    """
    several = [paths] if isinstance(paths, str | Path) else paths
    return formats.read_reports([Path(path) for path in several], control=control)


def rate(
    reports: Reports, players: pd.DataFrame, period: str, rules: str = "classic", kept: pa.Table | None = None
) -> RatedMonth:
    """Check and rate a month.

    Args:
        reports: from ``read_reports``.
        players: the newest list, as ``read_list`` gives it; ``fideid``, ``name`` and ``rating`` are enough.
        period: the list the month leads to, ``2026-11``.
        rules: an edition's name, ``in-force`` or the path of a file.
        kept: the waiting results of the month before (``RatedMonth.kept``).

    Raises:
        Refused: with every error of the reports.
        ValueError: for a period that is none, or columns a list does not have.
    """
    when = Period.parse(period)
    base = _list_table(players)
    waiting = kept if kept is not None else empty(KEPT)
    outcome = compute(Inputs(when, reports, Law.chosen(rules, Path()), [(when.plus(-1), lambda: base)], waiting))
    if outcome.rated is None:
        raise Refused(*errors(outcome.problems))
    frames = {name: _frame(name, getattr(outcome.rated, name)) for name in TABLES if name != "problems"}
    return RatedMonth(**frames, problems=_frame("problems", problems_table(outcome.problems)), kept=outcome.rated.kept)


def _frame(name: str, columns: pa.Table) -> pd.DataFrame:
    import pandas as pd

    shown = columns if name in ("list", "problems") else printed_tables.printed(columns)
    return shown.to_pandas(types_mapper={pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}.get)


def _list_table(players: pd.DataFrame) -> pa.Table:
    unknown = set(players.columns) - set(LIST.names)
    if unknown or "fideid" not in players.columns:
        raise ValueError(
            f"a list has the columns of fide_batch.model.LIST and at least fideid; found {', '.join(players.columns)}"
        )
    found = pa.Table.from_pandas(players, preserve_index=False)
    columns = {}
    for name in players.columns:
        kind = LIST.field(name).type
        column = found.column(name).cast(kind)
        columns[name] = column.fill_null("") if kind == pa.string() else column
    return table(LIST, columns)
