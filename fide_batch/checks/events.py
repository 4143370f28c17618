"""The head of a report: name, dates, pace, the period it belongs to, and the list in force at its start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import MAXYEAR, date, timedelta

from fide_batch.checks.findings import Findings
from fide_batch.checks.situation import Situation
from fide_batch.model import Event, Period, Problem

LONG = 30
"""FIDE asks for the games of longer events in parts, each with its own report."""


def check(
    events: Sequence[Event], findings: Findings, situation: Situation, read: Sequence[Problem], players: Sequence[int]
) -> None:
    """Every head.

    Args:
        events: the heads.
        findings: where problems are written down.
        situation: the period, closing day and lateness.
        read: what the readers have said: it is not said again.
        players: how many each report has; one that could not be read has none, and its head is not looked at.
    """
    told = {(problem.file, problem.code) for problem in read}
    broken = {problem.file for problem in read if problem.severity == "error"}
    for place, event in enumerate(events):
        if not players[place] and event.file in broken:
            continue
        if not event.name.strip() and (event.file, "name-missing") not in told:
            findings.add(
                "name-missing",
                place,
                "the report names no event; expected its name",
                "add it (TRF: line 012)",
                line=event.line,
            )
        _dates(place, event, findings, situation.period is not None, told)
        if not event.control and (event.file, "pace-unclear") not in told:
            said = (
                f"the report says {event.time_control!r}" if event.time_control.strip() else "the report does not say"
            )
            findings.add(
                "pace-unclear", place, f"standard, rapid or blitz: {said}",
                "say it with --control standard, put the file in a folder called rapid, or decide 'control rapid' for it", event.line,
            )  # fmt: skip
        if situation.period and event.end:
            _period(place, event, event.end, situation, findings)


def _dates(place: int, event: Event, findings: Findings, needed: bool, told: set[tuple[str, str]]) -> None:
    for what, day, line in (("start", event.start, "042"), ("end", event.end, "052")):
        code = f"{what}-missing"
        if (
            day is None
            and not {(event.file, code), (event.file, "date-unreadable"), (event.file, "date-ambiguous")} & told
        ):
            findings.add(
                code, place, f"the report does not say the day of its {what}; expected a date such as 2026-10-03",
                f"add it (TRF: line {line}), or decide '{what} 2026-10-03' for this file", event.line,
            )  # fmt: skip
    if event.start and event.end:
        if event.start > event.end:
            if (event.file, "dates-reversed") not in told:
                findings.add(
                    "dates-reversed", place, f"starts {event.start}, ends {event.end}: the end is before the start",
                    "correct one of the two, or decide 'start ...' or 'end ...' for this file", event.line,
                )  # fmt: skip
        elif (event.end - event.start).days > LONG:
            days = (event.end - event.start).days + 1
            findings.add(
                "long-event", place,
                f"lasts {days} days in one report; expected a report a month with its own dates and rounds when it is over {LONG} days",
                "hand it over in parts, so that each round is rated by the list of its time", event.line,
            )  # fmt: skip


def _period(place: int, event: Event, end: date, situation: Situation, findings: Findings) -> None:
    """Whether the event belongs on this list."""
    period = situation.period
    assert period is not None
    closing = closing_day(period, situation.closing_days)
    if end > period.last_day:
        findings.add(
            "after-period", place, f"ends {end}, after the last day of the month of {period} ({period.last_day})",
            f"rate it in {first_list(end, situation.closing_days)}, or correct the date", event.line,
        )  # fmt: skip
    elif end > closing:
        findings.add(
            "after-closing", place, f"ends {end}; the list of {period} takes events that end up to {closing}; rated all the same",
            f"leave it for {period.plus(1)} if FIDE's list is to be met", event.line,
        )  # fmt: skip
    elif end <= closing_day(period.plus(-1), situation.closing_days):
        own = first_list(end, situation.closing_days)
        late = _lists_missed(own, period, situation)
        days = (period.list_date - end).days
        lists = "1 list" if late == 1 else f"{late} lists"
        say = f"ended {end}, {days} days before the list of {period}: it belongs to {own}, {lists} late"
        if late >= situation.late_lists:
            findings.add(
                "too-late", place, f"{say}; FIDE does not rate events later than the {_nth(situation.late_lists)} list after their end; rated all the same",
                "leave it out if FIDE's list is to be met", event.line,
            )  # fmt: skip
        elif late:
            findings.add("late", place, f"{say}; rated with the ratings of its start", "", event.line)


def _nth(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")


def closing_day(period: Period, closing_days: int) -> date:
    """The last day an event may end on to be rated in a period."""
    return period.list_date - timedelta(days=closing_days)


def first_list(end: date, closing_days: int) -> Period:
    """The first monthly list that takes an event with this last day."""
    if end.year >= MAXYEAR:
        return Period.of(end)  # a slip of the pen, and the calendar ends there
    period = Period.of(end).plus(1)
    return period if end <= closing_day(period, closing_days) else period.plus(1)


def _lists_missed(own: Period, period: Period, situation: Situation) -> int:
    """How many lists an event could have been on before this one: those there have been, else as many as there are as a rule."""
    if situation.dates and situation.dates[0] <= own:
        return sum(own <= date < period for date in situation.dates)
    return period.months_since(own) // situation.months


def lists_in_force(events: Sequence[Event], findings: Findings, situation: Situation) -> list[int]:
    """Per event the place of the list in force on its first day: the newest one dated on or before it; -1 without lists."""
    lists = situation.lists
    if not lists:
        return [-1] * len(events)
    places = []
    for place, event in enumerate(events):
        chosen = len(lists) - 1
        if event.start:
            dated = [(number, period) for number, (period, _) in enumerate(lists) if period is not None]
            before = [number for number, period in dated if period.list_date <= event.start]
            if before:
                chosen = max(before)
            elif dated and len(dated) == len(lists):
                chosen, oldest = dated[0]
                findings.add(
                    "before-oldest-list", place,
                    f"starts {event.start}, before the oldest list here ({oldest}); that one is used",
                    "seal the months before to have the list that was in force", event.line,
                )  # fmt: skip
        places.append(chosen)
    return places
