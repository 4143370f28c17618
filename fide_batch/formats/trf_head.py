"""The head of a TRF file: the event's name, place, dates, rounds, declared numbers and pace."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from fide_batch.formats import dates, pace
from fide_batch.formats import trf_columns as at
from fide_batch.formats.findings import Findings, shown
from fide_batch.formats.trf_players import read_points
from fide_batch.formats.trf_records import Records
from fide_batch.model import Event

LONGEST = 200
"""Names and other texts of the head are cut here."""

_ROUND_DATES = at.CELLS + 2
"""The column (from 0) of the first round's date in record 132."""

_USUAL_DATES = re.compile(r"132 {88}\d\d[/.]\d\d[/.]\d\d(?:  \d\d[/.]\d\d[/.]\d\d){0,200} *", re.ASCII)
"""The dates of all rounds in their columns."""

_POINT_PAIRS = re.compile(r"([A-Z])\s*(\d{1,3}(?:[.,]\d{1,2})?)", re.ASCII)

_BB = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "A", "BBU": "P"}
"""The pairing programme's own records of what a result is worth, as letters of 162."""

_POINT_RECORDS = frozenset(("162", *_BB))


def read_head(file: str, records: Records, found: Findings, sha256: str) -> Event:
    """The event as the records tell it, with an error for every thing it must have and has not."""
    name = _text(records, "012", found)
    if not name:
        found.error(
            "name-missing",
            "the tournament has no name; expected a record 012 with its name",
            "add a line such as: 012 Spring Open 2026",
            line=records.line("012"),
        )
    rounds = _rounds(records, found)
    start, end, round_dates = _dates(records, found, rounds)
    kind = _text(records, "092", found) or records.text("192")[:LONGEST]
    time_control = _text(records, "122", found)
    sources = pace.said(records.text("222"), time_control, kind)
    contradiction = pace.contradiction(sources)
    if contradiction:
        found.warning(
            "pace-contradiction", contradiction, pace.HINT, **records.place("222" if records.text("222") else "122")
        )
    return Event(
        file=file,
        format="TRF26" if at.TRF26 & records.lines.keys() else "TRF16",
        name=name,
        city=_text(records, "022", found),
        federation=_text(records, "032", found),
        start=start,
        end=end,
        rounds=rounds,
        control=sources[0].control if sources else "",
        control_from=sources[0].source if sources else "",
        kind=kind,
        time_control=time_control or records.text("222")[:LONGEST],
        round_dates=round_dates,
        declared=_declared(records, found),
        point_values=_point_values(records),
        sha256=sha256,
        line=records.line("012") or 1,
    )


def _text(records: Records, tag: str, found: Findings) -> str:
    text = records.text(tag)
    if len(text) <= LONGEST:
        return text
    found.warning(
        "text-too-long",
        f"the {at.HEAD[tag]} has {len(text)} letters; the first {LONGEST} are kept",
        "shorten it",
        **records.place(tag),
    )
    return text[:LONGEST]


def _count(records: Records, tag: str, found: Findings) -> int | None:
    """The number a record begins with; None for a blank one."""
    text = records.text(tag)
    if not text:
        return None
    if len(text) < 8 and text.isdecimal() and text.isascii():
        return int(text)
    number = re.match(r"\d{1,7}(?!\d)", text, re.ASCII)
    if number:
        return int(number[0])
    found.warning(
        "count-unreadable",
        f"record {tag} ({at.HEAD.get(tag, 'rounds')}) is {shown(text)}; expected a number",
        "",
        **records.place(tag),
    )
    return None


def _declared(records: Records, found: Findings) -> tuple[tuple[str, int], ...]:
    counts = (
        (name, _count(records, tag, found)) for tag, name in (("062", "players"), ("072", "rated"), ("082", "teams"))
    )
    return tuple((name, count) for name, count in counts if count is not None)


def _rounds(records: Records, found: Findings) -> int:
    first, second = _count(records, "142", found), _count(records, "XXR", found)
    if first and second and first != second:
        found.warning(
            "rounds-contradict", f"142 says {first} rounds, XXR says {second}; 142 counts", "correct one of them", **records.place("XXR")
        )  # fmt: skip
    rounds = first or second or 0
    return rounds if rounds <= at.MOST_ROUNDS else 0


# --- dates ----------------------------------------------------------------------------------------


def _dates(records: Records, found: Findings, rounds: int) -> tuple[date | None, date | None, tuple[date | None, ...]]:
    """The first and the last day, and the days of the rounds."""
    start, end = records.text("042"), records.text("052")
    lines = records.lines.get("132", ())
    usual = usual_dates(lines[0][1]) if len(lines) == 1 else ()
    if usual:
        settled, remarks = dates.judge(start[:60], end[:60], usual, rounds)
        if not remarks and settled.start and settled.end:
            return settled.start, settled.end, settled.rounds
    texts, places = _round_dates(records)
    settled, remarks = dates.judge(start[:60], end[:60], texts, rounds)
    spots = [records.place("042"), records.place("052"), *places]
    for remark in remarks:
        found.add(remark.code, remark.severity, remark.message, remark.hint, **spots[remark.place])  # type: ignore[arg-type]
    known = [day for day in settled.rounds if day]
    first, last = settled.start, settled.end
    for tag, text, what, day in (
        ("042", start, "start", min(known, default=None)),
        ("052", end, "end", max(known, default=None)),
    ):
        if text:
            continue
        if day is None:
            found.error(
                f"{what}-missing",
                f"the {what} of the tournament is missing; expected a record {tag} with a date",
                f"add a line such as: {tag} 2026/09/05",
                line=records.line(tag),
            )
            continue
        found.note(
            f"{what}-from-rounds",
            f"record {tag} has no date; the {what} is taken from the rounds: {day}",
            "",
            **spots[2],
        )
        first, last = (day, last) if what == "start" else (first, day)
    return first, last, settled.rounds


def _round_dates(records: Records) -> tuple[tuple[str, ...], list[dict[str, object]]]:
    """The texts of the rounds' dates, in the order of the rounds, and where each stands.

    In the columns of TRF16 (92, 102 …) a date belongs to the round of its column; anywhere else dates are counted as they come.
    """
    lines = records.lines.get("132", [])
    texts: list[str] = []
    places: list[dict[str, object]] = []
    for number, line in lines:
        pieces = _pieces(line)
        aligned = not texts and all(
            column >= _ROUND_DATES and (column - _ROUND_DATES) % at.WIDTH == 0 for column, _ in pieces
        )
        for column, text in pieces:
            spot: dict[str, object] = {"line": number, "column": column + 1, "source": line}
            if aligned:
                missing = min((column - _ROUND_DATES) // at.WIDTH, at.MOST_ROUNDS) - len(texts)
                texts += [""] * missing
                places += [spot] * missing
            if len(texts) < at.MOST_ROUNDS:
                texts.append(text[:60])
                places.append(spot)
    return tuple(texts), places


@lru_cache(maxsize=5_000)
def usual_dates(line: str) -> tuple[str, ...]:
    """The dates of a record 132 in its columns; none when it is written in another way."""
    return tuple(line[_ROUND_DATES:].split()) if _USUAL_DATES.fullmatch(line) else ()


def _pieces(line: str) -> list[tuple[int, str]]:
    """The dates of a record 132 with their columns: parted by two blanks, or by one where that is no date."""
    pieces: list[tuple[int, str]] = []
    for found in re.finditer(r"\S+(?: \S+)*", line[4:].replace("\t", "  ")):
        text, column = found[0], found.start() + 4
        if " " not in text or dates.readings(text):
            pieces.append((column, text))
        else:
            pieces += [(column + word.start(), word[0]) for word in re.finditer(r"\S+", text)]
        if len(pieces) > at.MOST_ROUNDS:
            break
    return pieces


# --- points ----------------------------------------------------------------------------------------


def _point_values(records: Records) -> tuple[tuple[str, int], ...]:
    """What a result is worth in the printed totals: record 162, or the BB records."""
    if not (_POINT_RECORDS & records.lines.keys()):
        return ()
    values: dict[str, int] = {}
    for _, line in records.lines.get("162", [])[:20]:
        for letter, points in _POINT_PAIRS.findall(line[3:400].upper()):
            values.setdefault(letter, read_points(points))
    for tag, letter in _BB.items():
        points_text = records.text(tag).split()
        if points_text and read_points(points_text[0]) >= 0:
            values.setdefault(letter, read_points(points_text[0]))
    if "Z" in values:
        values.setdefault("A", values["Z"])
    if "P" in values and ("310" in records.lines or "320" in records.lines):
        # In a team event the pairing-allocated bye is worth so much to the team; its players score nothing.
        values["P"] = 0
    return tuple(sorted((letter, value) for letter, value in values.items() if value >= 0))
