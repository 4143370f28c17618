"""A tournament report in FIDE's text format TRF16, columns as in the handbook (C.04, annex 2)."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

from fide_batch.model import Cell, Entry, Event, Report, id_text, points_text

_BLANKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")


def text(report: Report) -> str:
    """The report as TRF16, lines ended by CR LF.

    Names are cut at 33 letters. Reading the text again gives the same players and games.

    Raises:
        ValueError: for what has no place in the columns: a start number over 9999, a round before the first.
    """
    lines = [f"{tag} {value}".rstrip() for tag, value in _head(report.event, report.entries)]
    rounds: dict[tuple[int, int], dict[int, Cell]] = {}
    own = {(entry.number, entry.line) for entry in report.entries}
    first = {entry.number: entry.line for entry in reversed(report.entries)}
    for cell in report.cells:
        line = cell.line if (cell.number, cell.line) in own else first.get(cell.number)
        if line is None:
            raise ValueError(f"a round of start number {cell.number}, which nobody has")
        rounds.setdefault((cell.number, line), {})[cell.round] = cell
    lines += [_player(entry, rounds.get((entry.number, entry.line), {})) for entry in report.entries]
    return "".join(f"{line}\r\n" for line in lines)


def write(path: Path, report: Report) -> None:
    """Write a report as a TRF16 file in UTF-8."""
    path.write_bytes(text(report).encode("utf-8"))


def _clean(value: str) -> str:
    """One line of text."""
    return _BLANKS.sub(" ", value).strip()


def _day(day: date | None, form: str = "%Y/%m/%d") -> str:
    return f"{day:{form}}" if day else ""


def _head(event: Event, entries: list[Entry]) -> list[tuple[str, str]]:
    kind = event.kind
    if event.control and not event.time_control and event.control not in kind.lower():
        kind = f"{kind} ({event.control.capitalize()})".strip()
    head = [
        ("012", event.name),
        ("022", event.city),
        ("032", event.federation),
        ("042", _day(event.start)),
        ("052", _day(event.end)),
        ("062", str(len(entries))),
        ("072", str(sum(entry.rating > 0 for entry in entries))),
        ("092", kind),
        ("122", event.time_control),
    ]
    found = [(tag, _clean(value)) for tag, value in head]
    if any(event.round_dates):
        days = "".join(f"  {_day(day, '%y/%m/%d'):8}" for day in event.round_dates)
        found.append(("132", " " * 85 + days))
    if event.rounds:
        found.append(("XXR", str(event.rounds)))
    if event.point_values:
        pairs = "".join(f" {letter}{points_text(value, 1):>4}   " for letter, value in event.point_values)
        found.append(("162", pairs))
    return found


def _player(entry: Entry, rounds: dict[int, Cell]) -> str:
    if not 0 < entry.number <= 9999:
        raise ValueError(f"start number {entry.number} has no place in four columns")
    identity = id_text(entry.fideid) or _clean(entry.id_found)[:11]
    title = entry.title if len(entry.title) <= 3 else ""
    points = points_text(entry.points, 1) if entry.points >= 0 else ""
    if len(points) > 4:
        points = points.removesuffix(".0")  # 100 and more leave no room for the tenths
    return (
        f"001 {entry.number:4d} {entry.sex:1}{title:>3} {_clean(entry.name)[:33]:33} {entry.rating or '':>4} {entry.federation[:3]:3} "
        f"{identity:>11} {entry.birth.replace('-', '/'):10} {points:>4} {entry.rank or '':>4}" + _rounds(rounds)
    ).rstrip()


def _rounds(rounds: dict[int, Cell]) -> str:
    if rounds and min(rounds) < 1:
        raise ValueError("rounds are counted from 1")
    return "".join(_cell(rounds.get(round_)) for round_ in range(1, max(rounds, default=0) + 1))


def _cell(cell: Cell | None) -> str:
    if cell is None or (not cell.opponent and cell.result == " "):
        return " " * 10
    return f"  {f'{cell.opponent:4d}' if cell.opponent else '0000'} {cell.colour or '-'} {cell.result}"
