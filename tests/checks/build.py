"""Reports and lists in a few words, for the tests of the checks. Every name is invented."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pyarrow as pa

from fide_batch import checks
from fide_batch.checks.situation import Checked, SealedMonth, SealedReport, Situation
from fide_batch.model import LIST, POINT, Cell, Entry, Event, Period, Report, Reports, id_code, table
from fide_batch.settings import Decision

OCTOBER, NOVEMBER = Period(2026, 10), Period(2026, 11)

EVENT = Event(
    "open.trf", "TRF16", "Harbour Open", start=date(2026, 10, 2), end=date(2026, 10, 4), control="standard", control_from="test"
)  # fmt: skip

PEOPLE = {
    "Vale, Ann": (1503014, "F", "ENG", "2003", 2100),
    "Moor, Ben": (1503022, "M", "ENG", "1985", 1950),
    "Falk, Cora": (1503030, "F", "SCO", "1990", 1800),
    "Reed, Dan": (1503049, "M", "IRL", "2008", 1650),
}


def player(text: str, number: int, line: int, **changes: object) -> tuple[Entry, list[Cell]]:
    """``Vale, Ann: 4w1 3b= -H .`` as a player with his rounds; ``.`` is a round without a cell. A known name brings id, sex and so on."""
    name, _, rounds = text.partition(":")
    fideid, sex, country, birth, rating = PEOPLE.get(name.strip(), (0, "", "", "", 0))
    entry = Entry(
        number, name.strip(), fideid, "", sex.lower().replace("f", "w"), "", rating, country, birth, line=line
    )
    cells = []
    for place, cell in enumerate(rounds.split(), 1):
        found = re.fullmatch(r"(\d*)([wb-]?)(.?)", cell)
        assert found, cell
        if cell != ".":
            cells.append(
                Cell(number, place, int(found[1] or 0), found[2].strip("-"), found[3] or " ", line, 82 + 10 * place)
            )
    return entry._replace(**changes), cells


def report(
    *players: str,
    event: Event = EVENT,
    points: Sequence[float] = (),
    entries: dict[int, dict] | None = None,
    **changes: object,
) -> Report:
    """A report of players in order of start number; ``entries`` changes what is printed of a start number."""
    found = Report(replace(event, **changes))
    for number, text in enumerate(players, 1):
        extra: dict[str, object] = dict((entries or {}).get(number, {}))
        if points:
            extra.setdefault("points", int(points[number - 1] * POINT))
        entry, cells = player(text, number, number + 8, **extra)
        found.entries.append(entry)
        found.cells += cells
    return found


FOUR = ("Vale, Ann: 4w1 3b= 2w0", "Moor, Ben: 3w1 4b1 1b1", "Falk, Cora: 2b0 1w= 4w1", "Reed, Dan: 1b0 2w0 3b0")
"""A sound event: every game from both sides."""


def rating_list(people: dict[str, tuple] | None = None, **columns: Sequence[object]) -> pa.Table:
    """A list of some people: id (a number, or text such as ``0042``), sex, country, birth, rating."""
    rows = people or PEOPLE
    ids = [row[0] if isinstance(row[0], int) else id_code(row[0]) for row in rows.values()]
    return table(
        LIST,
        {
            "fideid": ids, "name": list(rows), "sex": [row[1] for row in rows.values()], "country": [row[2] for row in rows.values()],
            "birthday": [row[3] for row in rows.values()], "rating": [row[4] or None for row in rows.values()], **columns,
        },
    )  # fmt: skip


def check(
    *reports: Report,
    players: pa.Table | None = None,
    lists: Sequence[tuple[Period | None, pa.Table]] | None = None,
    period: Period | None = NOVEMBER,
    decisions: Sequence[Decision] = (),
    accept: Sequence[str] = (),
    sealed: Sequence[SealedReport] = (),
) -> Checked:
    """What the checks make of some reports, with the list of October unless said otherwise."""
    if lists is None:
        lists = [(OCTOBER, rating_list() if players is None else players)]
    months = [SealedMonth(lambda: sealed)] if sealed else []
    return checks.check(Reports.gather(reports), Situation(period, lists, decisions, frozenset(accept), months))


def codes(checked: Checked, *severities: str) -> list[str]:
    """The codes found, in order of place; all of them or those of some severities."""
    return [problem.code for problem in checked.problems if not severities or problem.severity in severities]


def only(checked: Checked, code: str):
    """The one problem of a code."""
    found = [problem for problem in checked.problems if problem.code == code]
    assert len(found) == 1, [problem.message for problem in checked.problems]
    return found[0]


def decide(decision: str, row: str = "", file: str = "open.trf", code: str = "") -> Decision:
    return Decision(file, row, code, decision, "the arbiter has confirmed it", 2, "decisions.csv")
