"""Dates in every spelling of the field; day and month are never swapped in silence.

TRF16 writes dates 2026/09/05 and those of rounds 26/09/05. Files also hold ``2008-02-01``, ``25.02.2011``, ``28. 07. 2005``, ``08/04/2018``,
``11.25.02``, ``May 29, 2020``, ``23/09/24``. A text has one or more *readings*; ``settle`` chooses for a whole report, because one date of a report
proves how its program writes the others. What cannot be decided is an error, what was decided by other dates is a note.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

EXPECTED = "year/month/day such as 2026/09/05"

ORDERS = ("ymd", "dmy", "ydm", "mdy")
"""How day, month and year may follow one another; what TRF16 prescribes first."""

_ORDER_WORDS = {"ymd": "year/month/day", "dmy": "day/month/year", "ydm": "year/day/month", "mdy": "month/day/year"}

_NUMERIC = re.compile(
    r"(\d{1,4})\s*([./\-])\s*(\d{1,2})\s*[./\-]\s*(\d{1,4})\.?(?:(?:T|\s)\s*\d{1,2}[:.h]\d{2}.{0,20})?", re.ASCII
)
_COMPACT = re.compile(r"((?:19|20)\d{2})(\d{2})(\d{2})", re.ASCII)
_WORDS = re.compile(r"[^\W\d_]+|\d+")

_MONTHS = {
    stem: month
    for month, stems in enumerate(
        (
            "jan gen ene janv янв ιαν sty led oca sij tammi",
            "feb fev febr фев lut úno únor şub subat vel helmi",
            "mar mär mrz maa mars мар bře brez ozu maalis",
            "apr avr abr апр kwi dub nis tra huhti",
            "may mai mag mei maj май мая kvě kvet svi touko",
            "jun jui giu juin июн cze čer haz lip kesä",
            "jul lug juil июл heinä",
            "aug aou ago août авг sie srp ağu agu kol elo",
            "sep set sett сен wrz zář eyl ruj syys",
            "oct okt ott out окт paź ří eki loka",
            "nov noi ноя kas marras",
            "dec dez dic déc дек gru pro ara joulu",
        ),
        1,
    )
    for stem in stems.split()
}
_AMBIGUOUS_STEMS = {"kas": 11, "lis": 0, "lip": 0, "srp": 8}
"""Stems that are different months in different languages (lipca, lipanj; listopad): 0 is not read."""


class Reading(NamedTuple):
    """One way to read a date."""

    order: str
    """One of ``ORDERS``, or ``words`` for a month by its name."""
    day: date


@lru_cache(maxsize=20_000)
def readings(text: str) -> tuple[Reading, ...]:
    """Every way to read a text as a date, what TRF16 prescribes first; empty when it is no date."""
    text = unicodedata.normalize("NFKC", text).strip().strip("\"'")
    if not text or len(text) > 60:
        return ()
    compact = _COMPACT.fullmatch(text)
    if compact:
        return _valid(("ymd", compact[1], compact[2], compact[3]))
    numeric = _NUMERIC.fullmatch(text)
    if not numeric:
        return _in_words(text)
    first, separator, second, third = numeric[1], numeric[2], numeric[3], numeric[4]
    if len(first) == 4 and len(third) <= 2:
        found = _valid(("ymd", first, second, third))
        return found or _valid(("ydm", first, third, second))
    if len(third) == 4 and len(first) <= 2:
        day_first = _valid(("dmy", third, second, first))
        month_first = _valid(("mdy", third, first, second))
        # With points the day is first wherever points are used; with strokes and hyphens both orders are in use.
        return (day_first or month_first) if separator == "." else day_first + month_first
    if len(first) == len(second) == len(third) == 2:
        return (
            _valid(("ymd", first, second, third))
            + _valid(("dmy", third, second, first))
            + _valid(("ydm", first, third, second))
            + _valid(("mdy", third, first, second))
        )
    if len(third) == 2 and len(first) <= 2:
        return _valid(("dmy", third, second, first)) + _valid(("mdy", third, first, second))
    return ()


def _valid(parts: tuple[str, str, str, str]) -> tuple[Reading, ...]:
    order, year, month, day = parts[0], int(parts[1]), int(parts[2]), int(parts[3])
    if len(parts[1]) == 2:
        year += 2000 if year < 70 else 1900
    if not 1900 <= year <= 2199:
        return ()
    try:
        return (Reading(order, date(year, month, day)),)
    except ValueError:
        return ()


def _in_words(text: str) -> tuple[Reading, ...]:
    """``May 29, 2020``, ``29. Mai 2020``, ``sábado 5 de septiembre de 2026``."""
    months = [month for month in map(_month, _WORDS.findall(text)) if month]
    figures = [word for word in _WORDS.findall(text) if word.isdecimal() and word.isascii()]
    years = [word for word in figures if len(word) == 4]
    days = [word for word in figures if len(word) <= 2]
    if len(months) != 1 or len(years) != 1 or len(days) != 1 or len(figures) != 2:
        return ()
    return _valid(("words", years[0], str(months[0]), days[0]))


def _month(word: str) -> int:
    word = word.lower()
    if len(word) < 3 or word.isdecimal():
        return 0
    for length in (6, 5, 4, 3):
        stem = word[:length]
        if stem in _AMBIGUOUS_STEMS:
            return _AMBIGUOUS_STEMS[stem]
        if stem in _MONTHS:
            return _MONTHS[stem]
    return 0


# --- the dates of a report together --------------------------------------------------------------


class Remark(NamedTuple):
    """Something to say about one of the texts: its place in what was handed to ``settle``, and the problem."""

    place: int
    code: str
    severity: str
    message: str
    hint: str = ""


@dataclass(frozen=True)
class Settled:
    """The dates of a report: one for each text, None for an empty or unreadable one, and what is to be said about them."""

    days: tuple[date | None, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def start(self) -> date | None:
        """The first day of the event."""
        return self.days[0]

    @property
    def end(self) -> date | None:
        """The last day of the event."""
        return self.days[1]

    @property
    def rounds(self) -> tuple[date | None, ...]:
        """The days of the rounds."""
        return self.days[2:]


@lru_cache(maxsize=20_000)
def settle(start: str, end: str, rounds: tuple[str, ...] = ()) -> Settled:
    """The first and last day of an event and the days of its rounds, from their texts.

    All texts of one shape are read in one order. An order that some text forbids, or that puts the end before the start or a round outside the
    event, gives way to one that fits. ``remarks`` holds an error where two orders fit (``05/09/2026``), and a note where another order than TRF16's
    was taken or other dates decided.
    """
    texts = (start, end, *rounds)
    shapes: dict[str, list[int]] = {}
    ways: dict[int, dict[str, date]] = {}
    remarks: list[Remark] = []
    for place, text in enumerate(texts):
        if not text.strip():
            continue
        ways[place] = {reading.order: reading.day for reading in readings(text)}
        if ways[place]:
            shapes.setdefault(_shape(text), []).append(place)
        else:
            what = ("the start", "the end")[place] if place < 2 else f"the date of round {place - 1}"
            code, severity = ("date-unreadable", "error") if place < 2 else ("round-date-unreadable", "warning")
            remarks.append(
                Remark(
                    place,
                    code,
                    severity,
                    f"{what} is {text.strip()[:40]!r}; expected a date: {EXPECTED}",
                    "correct the date",
                )
            )
    orders = [_orders_of([ways[place] for place in places]) for places in shapes.values()]
    choices = [_days(len(texts), shapes, ways, combination) for combination in product(*orders)]
    fitting = [choice for choice in choices if fits(choice)]
    chosen = (fitting or choices)[0]
    for shape, places in shapes.items():
        remarks += _remarks(texts, shape, places, ways, chosen, fitting, choices)
    return Settled(chosen, tuple(sorted(remarks)))


def _shape(text: str) -> str:
    """What texts must share to be read in the same order."""
    numeric = _NUMERIC.fullmatch(unicodedata.normalize("NFKC", text).strip().strip("\"'"))
    if not numeric:
        return "plain"
    if len(numeric[1]) == 4:
        return "year first"
    if len(numeric[4]) == 4:
        return "year last, points" if numeric[2] == "." else "year last"
    return "two digits"


def _orders_of(ways: list[dict[str, date]]) -> list[str]:
    """The orders in which every text of a shape can be read; '' (each its own first) when there is none."""
    shared = [order for order in (*ORDERS, "words") if all(order in way for way in ways)]
    return shared or [""]


def _days(
    size: int, shapes: dict[str, list[int]], ways: dict[int, dict[str, date]], orders: Sequence[str]
) -> tuple[date | None, ...]:
    days: list[date | None] = [None] * size
    for places, order in zip(shapes.values(), orders, strict=True):
        for place in places:
            way = ways[place]
            days[place] = way[order] if order else next(iter(way.values()))
    return tuple(days)


def fits(days: Sequence[date | None]) -> bool:
    """Whether start, end and rounds go together: no end before the start, no round outside, none before the one before it."""
    start, end, rounds = days[0], days[1], [day for day in days[2:] if day]
    if start and end and start > end:
        return False
    if any((start and day < start) or (end and day > end) for day in rounds):
        return False
    return all(earlier <= later for earlier, later in pairwise(rounds))


def _remarks(
    texts: Sequence[str],
    shape: str,
    places: list[int],
    ways: dict[int, dict[str, date]],
    chosen: tuple[date | None, ...],
    fitting: list[tuple[date | None, ...]],
    choices: list[tuple[date | None, ...]],
) -> list[Remark]:
    first = next((place for place in places if len(set(ways[place].values())) > 1), None)
    head = [place for place in places if place < 2]
    if first is None:
        odd = [place for place in places if next(iter(ways[place])) in ("ydm", "mdy")]
        return [_read_as(texts, odd[0], ways, chosen, "that is the only way to read it")] if odd else []
    if shape == "year last":
        rivals = [choice for choice in fitting or choices if any(choice[place] != chosen[place] for place in places)]
        if rivals:
            place = next(place for place in places if any(choice[place] != chosen[place] for choice in rivals))
            other = next(choice[place] for choice in rivals if choice[place] != chosen[place])
            return [
                Remark(
                    place,
                    "date-ambiguous" if place < 2 else "round-date-ambiguous",
                    "error" if place < 2 else "warning",
                    f"{texts[place].strip()!r} may be {_long(chosen[place])} or {_long(other)}, and no other date of the report decides it",
                    f"write it as {EXPECTED}",
                )
            ]
        return [_read_as(texts, first, ways, chosen, "the other dates of the report decide it")]
    if shape == "two digits":
        order = _order(ways[places[0]], chosen[places[0]])
        if order != "ymd":
            place = next((place for place in places if _order(ways[place], chosen[place]) != "ymd"), places[0])
            return [_read_as(texts, place, ways, chosen, "so the report's dates fit together")]
        if head:
            return [_read_as(texts, head[0], ways, chosen, "as in the records of rounds")]
    return []


def _order(way: dict[str, date], day: date | None) -> str:
    return next((order for order, value in way.items() if value == day), "")


def _read_as(
    texts: Sequence[str],
    place: int,
    ways: dict[int, dict[str, date]],
    chosen: tuple[date | None, ...],
    why: str,
) -> Remark:
    order = _order(ways[place], chosen[place])
    return Remark(
        place,
        "date-order",
        "note",
        f"{texts[place].strip()!r} is read as {_ORDER_WORDS.get(order, order)}, {_long(chosen[place])}: {why}",
        f"dates are best written {EXPECTED}",
    )


_MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def _long(day: date | None) -> str:
    return f"{day.day} {_MONTH_NAMES[day.month - 1]} {day.year}" if day else "no date"


@lru_cache(maxsize=20_000)
def judge(
    start: str, end: str, rounds: tuple[str, ...] = (), declared_rounds: int = 0
) -> tuple[Settled, tuple[Remark, ...]]:
    """``settle``, and every remark on the dates: its own and ``contradictions``."""
    settled = settle(start, end, rounds)
    return settled, (*settled.remarks, *contradictions(settled, declared_rounds))


def contradictions(settled: Settled, declared_rounds: int = 0) -> list[Remark]:
    """What is wrong between the dates of a report: start after end, a round outside the event or before the round before it; and, as a warning,
    a first or last round on another day than the first or last of the event.

    The last round is held against the end only when as many dates are given as there are rounds (``declared_rounds``, 0 = not known).
    """
    remarks: list[Remark] = []
    start, end = settled.start, settled.end
    if start and end and start > end:
        remarks.append(
            Remark(
                0, "dates-reversed", "error", f"the event starts on {start} and ends on {end}", "correct the two dates"
            )
        )
        return remarks
    dated = [(place, day) for place, day in enumerate(settled.rounds) if day]
    for (_, earlier), (place, later) in pairwise(dated):
        if later < earlier:
            remarks.append(
                Remark(
                    place + 2,
                    "round-dates-decrease",
                    "error",
                    f"round {place + 1} is dated {later}, before the round before it ({earlier})",
                    "correct the dates of the rounds",
                )
            )
    if not dated:
        return remarks
    outside = next(((place, day) for place, day in dated if (start and day < start) or (end and day > end)), None)
    if outside:
        place, day = outside
        message = f"round {place + 1} is dated {day}, outside the event ({start} to {end})"
        return [*remarks, Remark(place + 2, "round-dates-outside", "error", message, _DECIDE)]
    if start and dated[0][0] == 0 and dated[0][1] != start:
        message = f"the first round is dated {dated[0][1]}, the event starts on {start}"
        remarks.append(Remark(2, "round-dates-differ", "warning", message, _DECIDE))
    if end and len(settled.rounds) >= declared_rounds and all(settled.rounds) and dated[-1][1] != end:
        message = f"the last round is dated {dated[-1][1]}, the event ends on {end}"
        remarks.append(Remark(dated[-1][0] + 2, "round-dates-differ", "warning", message, _DECIDE))
    return remarks


_DECIDE = "correct the dates if they are wrong: they decide which list is in force and which month rates the event"


# --- birth ----------------------------------------------------------------------------------------

BIRTH_YEARS = range(1850, 2200)
"""Years in which a player may be born."""

_BIRTH = re.compile(r"(\d{4})\s*[./\-]\s*(\d{1,2}|\?{1,2}|x{1,2})\s*[./\-]\s*(\d{1,2}|\?{1,2}|x{1,2})", re.ASCII | re.I)
_EMPTY = re.compile(r"[\s./\-0?]*")


@lru_cache(maxsize=100_000)
def birth(text: str) -> tuple[str, str, str]:
    """A birth date as ``2008-03-04`` or, when only the year is sure, ``2008``; with it the severity and text of what is to be said ('' twice for nothing).

    ``2008``, ``2008/00/00``, ``2008.03.04``, ``04.03.2008`` and blank or ``0000/00/00`` (no date) are read in silence. Where day and month may be
    swapped only the year is kept.
    """
    text = text.strip()
    if _EMPTY.fullmatch(text):
        return "", "", ""
    if re.fullmatch(r"\d{4}", text, re.ASCII):
        return (text, "", "") if _possible(int(text)) else _no_birth(text)
    parts = _BIRTH.fullmatch(text)
    if parts and _possible(int(parts[1])):
        month, day = (int(part) if part.isdecimal() else 0 for part in (parts[2], parts[3]))
        if not month or not day:
            return parts[1], "", ""
        try:
            return date(int(parts[1]), month, day).isoformat(), "", ""
        except ValueError:
            return parts[1], "warning", f"{text!r} is no day of the calendar; only the year is kept"
    days = {reading.day for reading in readings(text)}
    years = {day.year for day in days}
    if len(years) != 1 or not _possible(next(iter(years))) or not re.search(r"\d{4}", text):
        return _no_birth(text)
    year = str(next(iter(years)))
    if len(days) == 1:
        return next(iter(days)).isoformat(), "", ""
    return year, "note", f"in {text!r} day and month may be swapped; only the year is kept"


def _possible(year: int) -> bool:
    return year in BIRTH_YEARS


def _no_birth(text: str) -> tuple[str, str, str]:
    return "", "warning", f"{text[:40]!r} is no date of birth; expected a year or year/month/day"
