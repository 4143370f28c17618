"""What an edition of the rating regulations says, as typed, frozen data.

The classes are the schema of the TOML files beside this module, key for key: a table of the file is a class here. Everything a rule
needs to know of the law is here; a rule holds no number and no date of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal


@dataclass(frozen=True)
class ExpectedScore:
    """The conversion of a rating difference D into an expected score PD."""

    method: Literal["table", "formula"]
    """``table``: the printed table; ``formula``: 1/(1 + 10^(-D/400)), to four decimals."""
    table: tuple[tuple[int, int, int], ...]
    """Rows as printed: lowest and highest D of the row, expected score of the higher rated in hundredths. The lower rated has the rest. The
    first row begins at 0; the last row's highest D is 9999. Kept for ``formula`` too: performances are from tables. (The file prints
    ``[392, 411, 0.92]``, rows in any order.)"""


@dataclass(frozen=True)
class Difference:
    """The 400 rule: how large a difference may count."""

    method: Literal["every game", "one upgrade per event", "none"]
    cap: int
    """A larger difference counts as this. 0 with ``none``."""
    exempt_from: int
    """A player whose own rating is this or more is not helped (nor harmed) by the rule; 0: nobody is exempt."""
    exempt_controls: tuple[str, ...]
    """Where the exemption holds."""
    controls: tuple[str, ...]
    """Where the 400 rule holds at all."""


@dataclass(frozen=True)
class UnratedDifference:
    """The 600 rule: differences at which a game is not rated at all."""

    from_difference: int
    """A game with this difference or more is not rated; 0: no such rule."""
    above_rating: int
    """... if either player's rating is higher than this."""
    controls: tuple[str, ...]


@dataclass(frozen=True)
class KFactor:
    """The development coefficient of one or more controls."""

    new: int
    """Until ``games`` games have been rated."""
    games: int
    standard: int
    """After that, below ``top_rating``."""
    top: int
    """Once a published rating has reached ``top_rating``, for good."""
    top_rating: int
    junior: int
    """Under ``junior_rating``, to the end of the year of the ``junior_age``th birthday; 0: juniors have no K of their own."""
    junior_age: int
    junior_rating: int
    product: int
    """K times the games of the period is at most this (700); 0: no such limit."""


@dataclass(frozen=True)
class FirstRating:
    """How an unrated player gets a rating."""

    method: Literal["mean of Ru", "pooled", "hypothetical"]
    games: int
    """Games against rated opponents needed in all."""
    score: int
    """Score needed, in halves of a point (1 = half a point). (The file prints points: ``0.5``.)"""
    score_in: Literal["pool", "first event"]
    """Of what the score is asked: of all pooled results, or of the first event (which is dropped until one has it)."""
    opponents: int
    """Games against rated opponents an event needs to count, in a Swiss."""
    opponents_in: Literal["every event", "first event"]
    window_months: int
    """A result serves lists dated up to so many months after the end of its event."""
    bonus: int
    """Ru above Ra for each half point above 50 %, in tenths of a point (200 = 20, 125 = 12.5). 0 with ``hypothetical``. (The file prints
    points: ``12.5``.)"""
    hypothetical_opponents: int
    """Imaginary opponents, each drawn, that are added to the results; 0 except with ``hypothetical``."""
    hypothetical_rating: int
    highest: int
    """The highest first rating; 0: no such limit."""
    round_robin: bool
    """Whether games with unrated players of a closed round robin are rated by its formula."""


@dataclass(frozen=True)
class Lists:
    """What the list holds."""

    floor: int
    """Below this a player is unrated."""
    controls: tuple[str, ...]
    """Which ratings there are."""
    stand_in: bool
    """Whether the standard rating stands in where a rapid or blitz rating is missing."""
    months: int
    """How many months apart lists are, as a rule."""
    closing_days: int
    """Events that end up to so many days before the list's date are rated on it."""
    late_lists: int
    """An event is late for good after so many lists since its end."""


@dataclass(frozen=True)
class Inactivity:
    """When a player is called inactive."""

    months: int
    games: int
    """Inactive with fewer rated games than this in the last ``months`` months."""
    later: tuple[tuple[str, int], ...]
    """Changed while the edition was in force: for lists from this period on (``2020-11``) so many months; in order of date, may be empty."""


@dataclass(frozen=True)
class OneOff:
    """A change FIDE made once, to the list of this edition's first day; ``none`` in the editions without one."""

    method: Literal["none", "compression", "rapid and blitz raised"]
    period: str
    """The list it was made for (``2024-03``); '' with ``none``."""
    below: int
    """``compression``: ratings below this move ``percent`` per cent of the way to it."""
    percent: int
    margin: int
    """``rapid and blitz raised``: to the standard rating less this, where lower."""


@dataclass(frozen=True)
class Articles:
    """The article of the edition for each rule, as the audit cites it (``8.3.1``); our words where an edition has no numbers."""

    rateable: str
    unrated_opponent: str
    unplayed: str
    expected_score: str
    difference: str
    large_difference: str
    k_factor: str
    k_product: str
    change: str
    rounding: str
    list_in_force: str
    first_rating: str
    first_event: str
    rated_meanwhile: str
    """A player whose first rating was published before an earlier event of his is rated (8.2.4)."""
    round_robin: str
    floor: str
    stand_in: str
    late: str
    inactivity: str
    one_off: str


@dataclass(frozen=True)
class Edition:
    """One edition of the regulations, complete."""

    name: str
    """``classic``, ``fide-2024-03``, or the name a federation gives its own."""
    title: str
    effective: date | None
    """The first day it is in force; None for an edition that is chosen by name only."""
    checked: date
    """When its numbers were last compared with the source."""
    source: str
    changed: tuple[str, ...]
    """What changed against the edition before."""
    decisions: tuple[str, ...]
    """Where the text leaves a choice, ours: nobody should take these for law."""
    expected_score: ExpectedScore
    performance: tuple[int, ...]
    """D(p) for p = 0.00, 0.01 ... 1.00: 101 whole numbers."""
    difference: Difference
    unrated_difference: UnratedDifference
    k_standard: KFactor
    k_rapid_blitz: KFactor
    first_rating: FirstRating
    lists: Lists
    inactivity: Inactivity
    one_off: OneOff
    articles: Articles
    """Of standard chess; a rule that only rapid and blitz have is cited here too."""
    articles_rapid_blitz: Articles | None = None
    """Of the Rapid and Blitz Rating Regulations, whose numbers are others; None where the edition has no such chapter."""

    def articles_of(self, control: str) -> Articles:
        """The articles to cite for a game or rating of a control."""
        return (
            self.articles if control == "standard" or self.articles_rapid_blitz is None else self.articles_rapid_blitz
        )

    def k_factor(self, control: str) -> KFactor:
        """The K rules of a control."""
        return self.k_standard if control == "standard" else self.k_rapid_blitz
