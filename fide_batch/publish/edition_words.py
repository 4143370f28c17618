"""The numbers of an edition in plain words: what each key says, under which article it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fide_batch.model import CONTROLS
from fide_batch.regulations.edition import Edition

NO_RULE = "no such rule"


@dataclass(frozen=True)
class Line:
    """One key of an edition as a line of the page."""

    key: str
    """``first_rating.bonus``"""
    label: str
    words: Callable[[Any], str] = str
    """From the value to what is printed."""
    article: str = ""
    """The key of ``Articles`` that cites it."""

    def value(self, edition: Edition) -> Any:
        """The value of the key."""
        value: Any = edition
        for part in self.key.split("."):
            value = getattr(value, part)
        return value

    def say(self, edition: Edition) -> str:
        """The value in words."""
        return self.words(self.value(edition))


@dataclass(frozen=True)
class Section:
    """Lines that belong together."""

    title: str
    lines: tuple[Line, ...]


def controls(names: Sequence[str]) -> str:
    """``standard, rapid, blitz``, or that there are none."""
    return "all" if tuple(names) == CONTROLS else " and ".join(names) if names else "none"


def day(value: Any) -> str:
    """A day as ``1 March 2024``, whatever the language of the machine."""
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    return f"{value.day} {months[value.month - 1]} {value.year}" if value else "chosen by name only"


def _or(none: str, words: str = "{}") -> Callable[[Any], str]:
    return lambda value: words.format(value) if value else none


def _points(unit: int) -> Callable[[int], str]:
    """Halves or tenths of a point as decimals: 125 tenths -> ``12.5``."""

    def say(value: int) -> str:
        whole, rest = divmod(value, unit)
        return f"{whole}.{rest * 10 // unit}" if rest else str(whole)

    return say


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _later(value: Sequence[tuple[str, int]]) -> str:
    return "; ".join(f"{months} for lists from {period} on" for period, months in value) or "never"


_METHODS = {
    "table": "the table below",
    "formula": "1/(1 + 10^(-D/400)), to four decimals",
    "every game": "in every game",
    "one upgrade per event": "for the higher rated, in one game of an event; for the lower rated, in every game",
    "mean of Ru": "mean of the Ru of each event, weighted by games",
    "pooled": "one Ru of all pooled games",
    "hypothetical": "Ra + D(p) of all pooled games and imaginary draws",
    "pool": "of all pooled results together",
    "first event": "in the first event; it is dropped until one has it",
    "compression": "ratings below a limit move toward it",
    "rapid and blitz raised": "rapid and blitz ratings raised toward the standard rating",
    "none": NO_RULE,
}


def _method(value: str) -> str:
    return _METHODS[value]


def _k_lines(section: str) -> tuple[Line, ...]:
    k = "k_factor"
    return (
        Line(f"{section}.new", "K of a new player", article=k),
        Line(f"{section}.games", "... until so many rated games", article=k),
        Line(f"{section}.standard", "K after that", article=k),
        Line(f"{section}.top", "K once the top rating was reached, for good", article=k),
        Line(f"{section}.top_rating", "... the top rating", article=k),
        Line(f"{section}.junior", "K of a junior", _or(NO_RULE), k),
        Line(f"{section}.junior_age", "... to the end of the year of this birthday", _or("-"), k),
        Line(f"{section}.junior_rating", "... who never reached", _or("-"), k),
        Line(f"{section}.product", "K times the games of a period at most", _or("no limit"), "k_product"),
    )


SECTIONS = (
    Section(
        "Expected score",
        (
            Line("expected_score.method", "PD from the difference D", _method, "expected_score"),
            Line("expected_score.table", "table of D and PD", lambda rows: f"{len(rows)} rows", "expected_score"),
            Line("performance", "table of p and D(p)", lambda values: f"{len(values)} values", "expected_score"),
        ),
    ),
    Section(
        "The 400 rule",
        (
            Line("difference.method", "a larger difference is cut", _method, "difference"),
            Line("difference.cap", "the largest difference that counts", _or("no limit"), "difference"),
            Line("difference.controls", "where the rule holds", controls, "difference"),
            Line("difference.exempt_from", "not for an own rating of", _or("nobody is exempt", "{} or more"), "difference"),
            Line("difference.exempt_controls", "where the exception holds", controls, "difference"),
        ),
    ),
    Section(
        "The 600 rule",
        (
            Line("unrated_difference.from_difference", "a game is not rated from a difference of", _or(NO_RULE), "large_difference"),
            Line("unrated_difference.above_rating", "... if either rating is above", _or("-"), "large_difference"),
            Line("unrated_difference.controls", "where the rule holds", controls, "large_difference"),
        ),
    ),
    Section("K in standard chess", _k_lines("k_standard")),
    Section("K in rapid and blitz", _k_lines("k_rapid_blitz")),
    Section(
        "The first rating",
        (
            Line("first_rating.method", "method", _method, "first_rating"),
            Line("first_rating.games", "games against rated opponents", article="first_rating"),
            Line("first_rating.score", "score needed", _points(2), "first_event"),
            Line("first_rating.score_in", "... where it is asked", _method, "first_event"),
            Line("first_rating.opponents", "rated opponents an event needs (Swiss)", article="first_rating"),
            Line("first_rating.opponents_in", "... which event", str, "first_rating"),
            Line("first_rating.window_months", "results are pooled over months", article="first_rating"),
            Line("first_rating.bonus", "points for each half point above 50 %", lambda tenths: _points(10)(tenths) if tenths else "none: D(p)", "first_rating"),
            Line("first_rating.hypothetical_opponents", "imaginary opponents, each drawn", _or("none"), "first_rating"),
            Line("first_rating.hypothetical_rating", "... their rating", _or("-"), "first_rating"),
            Line("first_rating.highest", "highest first rating", _or("no limit"), "first_rating"),
            Line("first_rating.round_robin", "games with unrated players of a closed round robin are rated", _yes, "round_robin"),
        ),
    ),
    Section(
        "The list",
        (
            Line("lists.floor", "floor: below this a player is unrated", article="floor"),
            Line("lists.controls", "ratings", controls),
            Line("lists.stand_in", "the standard rating stands in for a missing rapid or blitz rating", _yes, "stand_in"),
            Line("lists.months", "months from list to list"),
            Line("lists.closing_days", "days before the list an event must end"),
            Line("lists.late_lists", "an event is late for good after so many lists", article="late"),
        ),
    ),
    Section(
        "Inactive players",
        (
            Line("inactivity.months", "months looked at", article="inactivity"),
            Line("inactivity.games", "inactive with fewer rated games than", article="inactivity"),
            Line("inactivity.later", "months changed later", _later, "inactivity"),
        ),
    ),
    Section(
        "Once only",
        (
            Line("one_off.method", "a change made once", _method, "one_off"),
            Line("one_off.period", "... for the list of", _or("-"), "one_off"),
            Line("one_off.below", "... ratings below", _or("-"), "one_off"),
            Line("one_off.percent", "... move this part of the way there", _or("-", "{} %"), "one_off"),
            Line("one_off.margin", "... to the standard rating less", _or("-"), "one_off"),
        ),
    ),
)  # fmt: skip
"""Everything an edition says in numbers, in the order of its file."""

RULES = {
    "rateable": "which games can be rated",
    "unrated_opponent": "games against unrated opponents",
    "unplayed": "unplayed games",
    "expected_score": "expected score",
    "difference": "the 400 rule",
    "large_difference": "the 600 rule",
    "k_factor": "K",
    "k_product": "K times games",
    "change": "the change of a period",
    "rounding": "rounding",
    "list_in_force": "ratings used",
    "first_rating": "the first rating",
    "first_event": "the score needed for a first rating",
    "rated_meanwhile": "a newcomer rated before an earlier event is rated",
    "round_robin": "round robins with unrated players",
    "floor": "the floor",
    "stand_in": "the standard rating stands in",
    "late": "late events",
    "inactivity": "inactive players",
    "one_off": "changes made once",
}
"""The keys of ``Articles`` in plain words."""
