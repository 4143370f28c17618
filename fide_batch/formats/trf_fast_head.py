"""The head of a usual TRF file without detours; its twin is ``trf_head.read_head``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from fide_batch.formats import dates, pace
from fide_batch.formats import trf_columns as at
from fide_batch.formats.findings import Findings
from fide_batch.formats.trf_head import LONGEST, usual_dates
from fide_batch.model import Event

_RECORD = re.compile(r"^(...) (.*)\n?", re.MULTILINE)
"""A record and what it holds (before a carriage return, in a file that has them)."""

_READ = frozenset(("012", "022", "032", "042", "052", "062", "072", "082", "092", "122", "132", "142", "XXR", "222"))
_SKIPPED = frozenset(("102", "112", "152", "172", "182", "202", "212", "013"))
"""Records that say nothing the rating needs and of which nothing is said."""

_KNOWN = _READ | _SKIPPED

_COUNTS = (("062", "players"), ("072", "rated"), ("082", "teams"))

_LONGEST_HEAD = 50_000
"""Letters of a run; a longer one may hold a record that is too long."""


class Run(NamedTuple):
    """Lines one after the other, none of them a player's and none empty."""

    number: int
    """Of the first line in the file, from 1."""
    lines: int
    begin: int
    """Where the first begins in the file, in letters."""
    end: int
    """Where the last ends."""


def usual_head(file: str, text: str, runs: Sequence[Run], found: Findings, sha256: str) -> Event | None:
    """The event, when every record of the head is one of the usual ones, stands once, and can be read without a word.

    Args:
        file: its name.
        text: of the file, as far as the runs lead.
        runs: all lines that are no player's; a carriage return in them ends a line.
        found: takes warnings on the dates of rounds.
        sha256: of the bytes.

    Returns:
        None when the head is for ``read_head``; then nothing has been written to ``found``.
    """
    records: dict[str, str] = {}
    for run in runs:
        if run.end - run.begin > _LONGEST_HEAD:
            return None
        records.update(_RECORD.findall(text, run.begin, run.end))
    if len(records) != sum([run.lines for run in runs]) or not records.keys() <= _KNOWN:
        return None
    said = {tag: value.strip() for tag, value in records.items()}
    get = said.get
    name, kind, time_control, city, federation = (
        get("012", ""), get("092", ""), get("122", ""), get("022", ""), get("032", ""),
    )  # fmt: skip
    if not name or max(map(len, said.values())) > LONGEST or get("222"):
        return None
    counts = {tag: _number(said[tag]) for tag in ("062", "072", "082", "142", "XXR") if get(tag)}
    rounds = counts.get("142", 0) or counts.get("XXR", 0)
    if -1 in counts.values() or rounds > at.MOST_ROUNDS or ("142" in counts and "XXR" in counts):
        return None
    round_dates = records["132"].removesuffix("\r") if "132" in records else None
    days = _days(get("042", ""), get("052", ""), round_dates, rounds)
    control = _control(time_control, kind)
    if days is None or control is None:
        return None
    for remark in days.remarks:
        column = at.CELLS + 3 + at.WIDTH * (remark.place - 2)
        number = _line("132", records, runs)
        found.add(remark.code, remark.severity, remark.message, remark.hint, number, column, f"132 {round_dates}")
    return Event(
        file=file,
        format="TRF16" if at.TRF26.isdisjoint(records) else "TRF26",
        name=name,
        city=city,
        federation=federation,
        start=days.start,
        end=days.end,
        rounds=rounds,
        control=control[0],
        control_from=control[1],
        kind=kind,
        time_control=time_control,
        round_dates=days.rounds,
        declared=tuple([(what, counts[tag]) for tag, what in _COUNTS if tag in counts]),
        sha256=sha256,
        line=_line("012", records, runs),
    )


def _line(tag: str, records: Iterable[str], runs: Sequence[Run]) -> int:
    """The number of a record's line: the records stand in the order of the lines."""
    place = list(records).index(tag)
    for run in runs:
        if place < run.lines:
            return run.number + place
        place -= run.lines
    raise AssertionError("more records than lines")


# The same dates, time controls and numbers stand in the heads of many files.


class _Days(NamedTuple):
    start: date
    end: date
    rounds: tuple[date | None, ...]
    remarks: tuple[dates.Remark, ...]
    """On the dates of rounds."""


@lru_cache(maxsize=5_000)
def _days(start: str, end: str, round_dates: str | None, rounds: int) -> _Days | None:
    """The dates of an event from records 042, 052 and 132; None when something is to be said of the first two, or when 132 is written in another way."""
    usual = usual_dates("132 " + round_dates) if round_dates is not None else ()
    if (round_dates is not None and not usual) or len(start) > 60 or len(end) > 60:
        return None
    settled, remarks = dates.judge(start, end, usual, rounds)
    if not settled.start or not settled.end or any(remark.place < 2 for remark in remarks):
        return None
    return _Days(settled.start, settled.end, settled.rounds, remarks)


@lru_cache(maxsize=5_000)
def _control(time_control: str, kind: str) -> tuple[str, str] | None:
    """The control and what it is read from; None where two sources contradict each other."""
    sources = pace.said("", time_control, kind)
    if pace.contradiction(sources):
        return None
    return (sources[0].control, sources[0].source) if sources else ("", "")


@lru_cache(maxsize=5_000)
def _number(text: str) -> int:
    """A number of up to six figures; -1 for anything else."""
    return int(text) if len(text) <= 6 and text.isdecimal() and text.isascii() else -1
