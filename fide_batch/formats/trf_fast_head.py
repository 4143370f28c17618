"""The head of a usual TRF file without detours; its twin is ``trf_head.read_head``."""

from __future__ import annotations

from collections.abc import Sequence

from fide_batch.formats import dates, pace
from fide_batch.formats import trf_columns as at
from fide_batch.formats.findings import Findings
from fide_batch.formats.trf_head import LONGEST, usual_dates
from fide_batch.model import Event

_READ = frozenset(("012", "022", "032", "042", "052", "062", "072", "082", "092", "122", "132", "142", "XXR", "222"))
_SKIPPED = frozenset(("102", "112", "152", "172", "182", "202", "212", "013"))
"""Records that say nothing the rating needs and of which nothing is said."""

_DIGITS = (("062", 6), ("072", 6), ("082", 6), ("142", 3), ("XXR", 3))
"""Records that hold a number, and how many figures it may have."""

_COUNTS = (("062", "players"), ("072", "rated"), ("082", "teams"))


def usual_head(
    file: str, text: str, lines: Sequence[tuple[int, int, int]], found: Findings, sha256: str
) -> Event | None:
    """The event, when every record of the head is one of the usual ones, stands once, and can be read without a word.

    Args:
        file: its name.
        text: of the whole file.
        lines: number, begin and end of every line that is no player's.
        found: takes warnings on the dates of rounds.
        sha256: of the bytes.

    Returns:
        None when the head is for ``read_head``; then nothing has been written to ``found``.
    """
    records: dict[str, str] = {}
    round_line, newer, first = 0, False, 1
    for number, begin, end in lines:
        tag = text[begin : begin + 3]
        if text[begin + 3 : begin + 4] != " " or end - begin > LONGEST + 100 or tag in records:
            return None
        if tag in _READ:
            records[tag] = text[begin:end] if tag == "132" else text[begin + 4 : end].strip()
            if tag == "132":
                round_line = number
            elif tag == "012":
                first = number
        elif tag not in _SKIPPED:
            return None
        newer = newer or tag in at.TRF26
    get = records.get
    name, kind, time_control, city, federation = (
        get("012", ""),
        get("092", ""),
        get("122", ""),
        get("022", ""),
        get("032", ""),
    )
    if not name or max(map(len, (name, kind, time_control, city, federation))) > LONGEST or get("222"):
        return None
    counts = {}
    for tag, most in _DIGITS:
        if count := get(tag):
            if len(count) > most or not count.isdecimal() or not count.isascii():
                return None
            counts[tag] = count
    rounds = int(counts.get("142", 0)) or int(counts.get("XXR", 0))
    if "142" in counts and "XXR" in counts:
        return None
    usual = usual_dates(records["132"]) if round_line else ()
    start, end_text = get("042", ""), get("052", "")
    if bool(round_line) != bool(usual) or len(start) > 60 or len(end_text) > 60:
        return None
    settled, remarks = dates.judge(start, end_text, usual, rounds)
    if not settled.start or not settled.end or any(remark.place < 2 for remark in remarks):
        return None
    sources = pace.said("", time_control, kind)
    if pace.contradiction(sources):
        return None
    for remark in remarks:
        column = at.CELLS + 3 + at.WIDTH * (remark.place - 2)
        found.add(remark.code, remark.severity, remark.message, remark.hint, round_line, column, records["132"])
    control, control_from = sources[0] if sources else ("", "")
    return Event(
        file=file,
        format="TRF26" if newer else "TRF16",
        name=name,
        city=city,
        federation=federation,
        start=settled.start,
        end=settled.end,
        rounds=rounds,
        control=control,
        control_from=control_from,
        kind=kind,
        time_control=time_control,
        round_dates=settled.rounds,
        declared=tuple([(what, int(counts[tag])) for tag, what in _COUNTS if tag in counts]),
        sha256=sha256,
        line=first,
    )
