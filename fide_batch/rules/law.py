"""Which edition is asked for what (reading 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from fide_batch.model import Event, Period, Refused
from fide_batch.regulations.edition import Edition, KFactor

EditionOf = Callable[[date], Edition]


def by_first_day(
    events: Sequence[Event], editions: Sequence[Edition], edition_of: EditionOf | None, edition: Edition
) -> EditionOf:
    """The edition of an event by its first day: of this month's events as given, of earlier ones by the calendar; ``edition`` where neither knows."""
    known = {event.start: each for event, each in zip(events, editions, strict=True)}

    def of(day: date) -> Edition:
        found = known.get(day)
        if found is None:
            found = known[day] = edition if edition_of is None else _asked(edition_of, day, edition)
        return found

    return of


def of_newest_list(edition_of: EditionOf | None, newest: Period, edition: Edition) -> Edition:
    """The edition of the newest list, by which it prints its K."""
    return edition if edition_of is None else _asked(edition_of, newest.list_date, edition)


def k_of_newest_list(then: Edition, now: Edition, control: str) -> KFactor:
    """K by the edition of the newest list; by the new list's where the old edition had no list of the control."""
    return (then if control in then.lists.controls else now).k_factor(control)


def _asked(edition_of: EditionOf, day: date, edition: Edition) -> Edition:
    """The edition of a day; a day before the first edition has the one at hand."""
    try:
        return edition_of(day)
    except Refused:
        return edition
