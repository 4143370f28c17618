"""What the checks know besides the reports, and what they give back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fide_batch.model import Event, Period, Problem, Reports
from fide_batch.settings import Decision


@dataclass(frozen=True)
class SealedReport:
    """A report of a sealed month, as its manifest keeps it."""

    period: Period
    file: str
    name: str
    sha256: str
    fingerprint: str
    """Of the event and its games, whatever the file looks like: see ``checks.repeats``."""
    key: str
    """Dates, control and pairings of the event: the same pairings with other results are a correction. See ``checks.repeats``."""


@dataclass(frozen=True)
class SealedMonth:
    """A sealed month, whose reports are read only when they are needed: the world's month has thousands of them."""

    reports: Callable[[], Sequence[SealedReport]]
    days: tuple[str, str] | None = None
    """The first and the last day of its events; None when the month does not say."""


def days_of(events: Iterable[Event]) -> tuple[str, str] | None:
    """The first and the last day of some events; None without any."""
    days = [day for event in events for day in (event.start, event.end) if day]
    return (str(min(days)), str(max(days))) if days else None


def reports_near(sealed: Iterable[SealedMonth], events: Iterable[Event]) -> list[SealedReport]:
    """The reports of the sealed months that some event may have been rated in: what is handed over again has days in common with what was rated."""
    spans = {span for event in events if (span := days_of([event]))}
    return [
        report
        for month in sealed
        if month.days is None or any(month.days[0] <= last and first <= month.days[1] for first, last in spans)
        for report in month.reports()
    ]


@dataclass(frozen=True)
class Situation:
    """The list or lists the reports are held against, and the rulings."""

    period: Period | None = None
    """None for ``check`` and ``preview``."""
    lists: Sequence[tuple[Period | None, pa.Table]] = ()
    """LIST tables by date, the newest last; empty when reports are looked at by themselves."""
    decisions: Sequence[Decision] = ()
    accepted: frozenset[str] = frozenset()
    """Codes accepted by ``--accept``: errors that may be accepted become warnings, warnings notes."""
    sealed: Sequence[SealedMonth] = ()
    closing_days: int = 3
    late_lists: int = 3
    months: int = 1
    """How many months apart lists are, as a rule."""
    dates: Sequence[Period] = ()
    """Of all lists there have been, the oldest first; empty when they are not known."""


@dataclass(frozen=True)
class Checked:
    """The reports with decisions applied and players identified."""

    reports: Reports
    player: np.ndarray
    """int64 per entry: the player's id code; 0 where he is not identified."""
    list_of_event: list[int]
    """Per event the place in ``Situation.lists`` of the list in force on its first day; -1 without lists."""
    fingerprints: list[str]
    keys: list[str]
    problems: list[Problem] = field(default_factory=list)
    """All problems, those found in reading too, with decisions and ``--accept`` applied."""
    decided: list[Decision] = field(default_factory=list)
    """Decisions that were applied, for the audit."""
