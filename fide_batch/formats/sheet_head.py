"""The lines above a table: which event it is, when and where, and at what pace it was played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from fide_batch.formats import dates, pace
from fide_batch.formats.findings import shown
from fide_batch.formats.headings import fold
from fide_batch.formats.sheet_grid import Sheet, SheetFindings
from fide_batch.formats.sheet_tables import CROSS, Found, Head
from fide_batch.formats.sheet_values import day_range, day_text, text, whole
from fide_batch.model import Event


class Dated(NamedTuple):
    """A round's date as a table gives it."""

    round: int
    text: str
    sheet: Sheet
    line: int
    column: int | None


_AFTER_ROUNDS = re.compile(
    r"(?:after|nach|depois de|apos|despues de|apres|dopo)(?: la| a)?(?: round| runde| ronda| rodada| ronde)? (\d{1,2})\b"
)
_NO_NAME = re.compile(
    r"chess results|tournament database|turnierdatenbank|last update|zuletzt aktualisiert|ultima atuali|ultima actuali|derniere mise|son guncelleme|ultimo aggiorn"
    r"|^note|^search for|^nach spieler"
)
_ROUND_LINE = re.compile(
    r"(?:after|nach) |^(?:round|runde|ronda|rodada|ronde|turno|tur|rank|ranking|final|endtabelle|endstand|rangliste|starting rank|startrang|cross|kreuz)"
)


def read_event(name: str, kind: str, found: Found, round_days: Sequence[Dated], findings: SheetFindings) -> Event:
    """The head of a report from the lines above its tables; what contradicts itself is told."""
    lines: dict[str, Head] = {}
    for line in found.head:
        if not line.key or line.key == "ignored":
            continue
        before = lines.setdefault(line.key, line)
        if before is not line and _value(before) != _value(line) and line.key != "time_control":
            findings.at(
                "warning", "head-twice", line.sheet, line.line, line.column,
                f"{line.written} is {shown(_value(line))} here and {shown(_value(before))} in line {before.line}; the first is taken",
                "keep one of the two lines",
            )  # fmt: skip
    rounds = _rounds(found, lines, findings)
    start, end, round_dates = _days(lines, round_days, findings)
    control, control_from = _control(lines, findings)
    declared: tuple[tuple[str, int], ...] = ()
    if "players" in lines and (count := whole(lines["players"].values[0])) is not None:
        declared = (("players", count),)
    return Event(
        file=name, format=kind, name=_value(lines["name"]) if "name" in lines else _free_name(found), city=_value(lines.get("city")),
        federation=_federation(_value(lines.get("federation"))), start=start, end=end, rounds=rounds, control=control, control_from=control_from,
        kind=_value(lines.get("kind")), time_control=_value(lines.get("time_control")), round_dates=round_dates, declared=declared,
        line=lines["name"].line if "name" in lines else 1,
    )  # fmt: skip


def _value(line: Head | None) -> str:
    """The value of a head line. A name cut up by the separator of an unquoted CSV cell is put together again."""
    if line is None:
        return ""
    filled = [text(value) for value in line.values]
    while filled and not filled[-1]:
        filled.pop()
    if line.key in ("name", "city", "kind", "time_control") and not line.sheet.book:
        return ", ".join(part for part in filled if part)
    return filled[0] if filled else ""


def _free_name(found: Found) -> str:
    """The first line above the table that is a plain text: what chess-results writes the tournament's name on."""
    for line in found.head:
        if not line.key and line.written and not any(text(value) for value in line.values):
            folded = fold(line.written)
            if not _NO_NAME.search(folded) and not _ROUND_LINE.search(folded) and "://" not in line.written:
                return line.written
    return ""


def _federation(value: str) -> str:
    """``Austria ( AUT )`` as AUT; a code of three letters in capitals; any other text as it stands."""
    code = re.search(r"\(\s*([A-Za-z]{3})\s*\)", value)
    if code:
        return code[1].upper()
    return value.upper() if re.fullmatch(r"[A-Za-z]{3}", value) else value


def _rounds(found: Found, lines: dict[str, Head], findings: SheetFindings) -> int:
    if "rounds" in lines:
        line = lines["rounds"]
        count = whole(line.values[0])
        if count is None or count > 99:
            findings.at(
                "warning", "rounds-unreadable", line.sheet, line.line, line.column,
                f"the number of rounds is {shown(text(line.values[0]))}; expected a number such as 9",
            )  # fmt: skip
        else:
            return count
    columns = max((max(table.rounds) for table in found.tables if table.kind == CROSS), default=0)
    for line in found.head:
        said = _AFTER_ROUNDS.search(fold(line.written)) if not line.key else None
        if said and found.results:
            return max(int(said[1]), columns)
    return columns


def _days(
    lines: dict[str, Head], round_days: Sequence[Dated], findings: SheetFindings
) -> tuple[date | None, date | None, tuple[date | None, ...]]:
    """Start, end and the days of the rounds, read together: one date shows how the others are written."""
    start_line, end_line = lines.get("start"), lines.get("end")
    start = day_text(start_line.values[0]) if start_line else ""
    end = day_text(end_line.values[0]) if end_line else ""
    if "dates" in lines:
        first, last = day_range(lines["dates"].values[0])
        start, end = start or first, end or last
        start_line, end_line = start_line or lines["dates"], end_line or lines["dates"]
    if start and not end and day_range(start)[0] != day_range(start)[1]:
        start, end = day_range(start)
        end_line = start_line
    texts: list[str] = []
    places: list[tuple[Sheet, int, int | None]] = []
    if "round_dates" in lines:
        line = lines["round_dates"]
        values = [value for value in line.values if text(value)]
        if len(values) == 1 and isinstance(values[0], str):
            values = [part for part in re.split(r"[;,]\s*", values[0]) if part.strip()]
        texts = [day_text(value) for value in values]
        places = [(line.sheet, line.line, line.column + place) for place in range(len(texts))]
    elif round_days:
        of_round = {dated.round: dated for dated in reversed(round_days)}
        for number in range(1, min(max(of_round), 99) + 1):
            dated = of_round.get(number)
            texts.append(dated.text if dated else "")
            places.append(
                (dated.sheet, dated.line, dated.column) if dated else (round_days[0].sheet, round_days[0].line, None)
            )
    settled = dates.settle(start, end, tuple(texts))
    for remark in (*settled.remarks, *dates.contradictions(settled)):
        head = (start_line, end_line)[remark.place] if remark.place < 2 else None
        if head is not None:
            findings.at(remark.severity, remark.code, head.sheet, head.line, head.column, remark.message, remark.hint)
        elif remark.place >= 2:
            findings.at(remark.severity, remark.code, *places[remark.place - 2], remark.message, remark.hint)
        else:
            findings.add(remark.code, remark.severity, remark.message, remark.hint)
    start_day, end_day, days = settled.start, settled.end, [day for day in settled.rounds if day]
    if days and (start_day is None or end_day is None) and not (start or end):
        start_day, end_day = min(days), max(days)
        findings.note(
            "dates-from-rounds", f"start and end are not given; the rounds were played from {start_day} to {end_day}"
        )
    return start_day, end_day, settled.rounds


def _control(lines: dict[str, Head], findings: SheetFindings) -> tuple[str, str]:
    """The pace: the line that names it, else the time control, else the kind of tournament."""
    sources: list[pace.Said] = []
    if "control" in lines:
        line, value = lines["control"], _value(lines["control"])
        named = pace.words(value) or pace.figures(value)
        if named:
            sources.append(pace.Said(named, f"{fold(line.written)} {value}"))
        elif value:
            findings.at(
                "warning", "control-unknown", line.sheet, line.line, line.column,
                f"{line.written} is {shown(value)}; expected standard, rapid or blitz", "write standard, rapid or blitz",
            )  # fmt: skip
    label = "time control"
    time_line = lines.get("time_control")
    if time_line is not None:
        named = pace.words(time_line.written)
        if named:
            # "Time control (Rapid) : 15 min + 10 sec"
            sources.append(pace.Said(named, time_line.written.strip()))
    sources += pace.said("", _value(time_line), _value(lines.get("kind")), ("", label, "type"))
    clash = pace.contradiction(sources)
    if clash:
        place = lines.get("control") or time_line or lines["kind"]
        findings.at("warning", "pace-contradiction", place.sheet, place.line, place.column, clash, pace.HINT)
    return (sources[0].control, sources[0].source) if sources else ("", "")
