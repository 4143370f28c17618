"""What the checks know besides the reports, and what they give back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fide_batch.model import Period, Problem, Reports
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
class Situation:
    """The list or lists the reports are held against, and the rulings."""

    period: Period | None = None
    """None for ``check`` and ``preview``."""
    lists: Sequence[tuple[Period | None, pa.Table]] = ()
    """LIST tables by date, the newest last; empty when reports are looked at by themselves."""
    decisions: Sequence[Decision] = ()
    accepted: frozenset[str] = frozenset()
    """Codes accepted by ``--accept``: errors that may be accepted become warnings, warnings notes."""
    sealed: Sequence[SealedReport] = ()
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
