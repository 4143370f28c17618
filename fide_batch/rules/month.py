"""The month as the regulations tell it: which games count, what each player gained, who is new, who falls below the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.model import Period, Problem, Reports
from fide_batch.regulations.edition import Edition


@dataclass(frozen=True)
class Month:
    """Everything a period is rated from."""

    period: Period
    edition: Edition
    """Of the list: K, floor, first rating, one-off, inactivity (EDITIONS, reading 1)."""
    event_editions: Sequence[Edition]
    """Of each event's first day: 400 and 600 rule, closed round robin and its bonus, rated opponents needed. One per event of ``reports``; all
    the same object when an edition was named outright."""
    base: pa.Table
    """LIST: the newest list; changes are added to its ratings."""
    lists: Sequence[tuple[Period, pa.Table]]
    """LIST tables in order of date, the last one ``base``."""
    list_of_event: Sequence[int]
    """For each event the place in ``lists`` of the list in force on its first day."""
    reports: Reports
    """Sound reports: every event has start, end and control."""
    player: np.ndarray
    """int64, one per row of ``reports.entries``: the id code of the player, 0 for an unidentified one (his games change nobody)."""
    kept: pa.Table
    """KEPT: unrated players' results of earlier months."""


@dataclass(frozen=True)
class Rated:
    """What the month came to: the tables of ``model`` under their own names."""

    list: pa.Table
    changes: pa.Table
    events: pa.Table
    games: pa.Table
    pending: pa.Table
    kept: pa.Table
    problems: Sequence[Problem]


def rate(month: Month) -> Rated:
    """Rate one period."""
    raise NotImplementedError
