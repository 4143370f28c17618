"""CHECK: reports held against the lists and against each other; all problems at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from fide_batch.checks import catalogue, decisions, events, games, identity, players, points, repeats, rounds, strength
from fide_batch.checks.columns import Columns
from fide_batch.checks.control_list import control_list
from fide_batch.checks.findings import Findings
from fide_batch.checks.listed import Listed, accepted_list
from fide_batch.checks.situation import Checked, Situation, reports_near
from fide_batch.model import Event, Page, Problem, Reports, numbers, with_columns

__all__ = ["Checked", "Page", "Situation", "accepted_list", "check", "control_list", "skip_faulty", "unknown_accepts"]


def check(reports: Reports, situation: Situation) -> Checked:
    """Every report against the lists, the decisions, the sealed months and the others of its month.

    Returns:
        The reports with decisions applied, byes told from games and players identified, and every problem found, in reading too.
    """
    columns = Columns.of(reports)
    summaries = repeats.summaries(columns)
    rulings = decisions.Rulings.of(situation.decisions, reports)
    applied = decisions.apply(rulings, reports)
    handed_over, reports = reports, applied.reports
    if applied.gone:
        rulings = _renumbered(rulings, applied.kept)
    summaries = [summary for summary, kept in zip(summaries, applied.kept, strict=True) if kept]
    for summary, event in zip(summaries, reports.events, strict=True):
        summary.event = event

    result = numbers(reports.cells, "result")
    if applied.left_out.any():
        result = np.where(applied.left_out, games.LEFT_OUT, result).astype(np.uint8)
        reports = replace(reports, cells=with_columns(reports.cells, result=result))
    if reports is not handed_over:
        columns = Columns.of(reports)
    findings = Findings(reports.events, rulings, situation.accepted)
    _from_reading(findings, columns, applied)

    listed = [Listed(table) for _, table in situation.lists]
    newest = listed[-1] if listed else None
    repeated = players.repeated_numbers(columns, findings, applied.out)
    aside = repeated | _not_read_whole(columns)
    found = games.check(columns, findings, aside)
    rounds.check(columns, findings, found.result, found.drop)
    points.check(columns, findings, found.result, applied.out | aside)
    events.check(reports.events, findings, situation, reports.problems, np.diff(columns.entry_start).tolist())
    list_of_event = events.lists_in_force(reports.events, findings, situation)
    identified = players.identify(columns, findings, newest, applied.out)
    identity.check(columns, findings, newest, identified.row, applied.out)
    rating = strength.in_force(columns, identified.player, identified.row, listed, list_of_event)
    strength.printed_ratings(
        columns, findings, rating, identified.player, [period for period, _ in situation.lists], list_of_event
    )
    strength.unlikely(columns, findings, rating, found.result)
    if newest is not None:
        strength.two_ids(columns, findings, newest, identified.row)
    rounds_out = {place: rulings.rounds_out(place) for place in rulings.of_event}
    repeats.check(columns, findings, summaries, reports_near(situation.sealed, reports.events), rounds_out)

    problems = [
        *findings.problems, *rulings.faults, *unknown_accepts(situation.accepted), *decisions.notes(rulings, handed_over, situation.sealed),
    ]  # fmt: skip
    return Checked(
        _rated_cells(columns, found),
        identified.player,
        list_of_event,
        [summary.fingerprint for summary in summaries],
        [summary.key for summary in summaries],
        sorted(dict.fromkeys(problems), key=lambda problem: problem.sort_key),
        [ruling.decision for ruling in rulings.everything if ruling.decision in rulings.used],
    )


def _not_read_whole(columns: Columns) -> np.ndarray:
    """bool per player: the reader found an error in his line, so what it lacks is no fault of its own."""
    aside = np.zeros(len(columns.number), bool)
    lines: dict[str, set[int]] = {}
    for problem in columns.reports.problems:
        if problem.severity == "error" and problem.line:
            lines.setdefault(problem.file, set()).add(problem.line)
    if lines:
        for place, event in enumerate(columns.events):
            if event.file in lines:
                rows = columns.entries_of(place)
                aside[rows] = np.isin(columns.entry_line[rows], list(lines[event.file]))
    return aside


def _renumbered(rulings: decisions.Rulings, kept: np.ndarray) -> decisions.Rulings:
    """The rulings with the places the reports have once some are left out."""
    place = np.cumsum(kept) - 1
    rulings.of_event = {int(place[event]): found for event, found in rulings.of_event.items() if kept[event]}
    rulings.line_numbers = {
        (int(place[event]), number): lines for (event, number), lines in rulings.line_numbers.items() if kept[event]
    }
    return rulings


def _from_reading(findings: Findings, columns: Columns, applied: decisions.Applied) -> None:
    """The readers' problems, with decisions applied; those of reports left out by decision are gone."""
    reports = columns.reports
    places: dict[str, list[int]] = {}
    for place, event in enumerate(reports.events):
        places.setdefault(event.file, []).append(place)
    gone = {event.file for event in applied.gone} - set(places)
    answered = {
        (reports.events[place].file, code)
        for place in findings.rulings.of_event
        for verb in {ruling.verb for ruling in findings.rulings.verbs(place, "start", "end", "control")}
        for code in (_OF_PACE if verb == "control" else _OF_DATES if _dated(reports.events[place]) else ())
    }
    identified = {
        (reports.events[event].file, line)
        for event in findings.rulings.of_event
        for ruling in findings.rulings.verbs(event, "id")
        for line in findings.rulings.lines_of(event, ruling)
    }
    for problem in reports.problems:
        if problem.file in gone or problem.code in _SAID_HERE or (problem.file, problem.code) in answered:
            continue
        if problem.code == "id-unreadable" and (problem.file, problem.line) in identified:
            continue
        if problem.code == "round-dates-outside" and all(
            rounds.is_part(columns, place) for place in places.get(problem.file, ())
        ):
            continue
        findings.take(problem, places.get(problem.file, ()))


def _dated(event: Event) -> bool:
    return event.start is not None and event.end is not None


_SAID_HERE = ("no-games", "no-players")
"""What readers note and the checks warn of."""


_OF_DATES = ("start-missing", "end-missing", "date-unreadable", "date-ambiguous", "dates-reversed")
"""Readers' problems that are answered when decisions give the dates."""

_OF_PACE = ("pace-unclear", "pace-contradiction", "control-unknown")
"""... when a decision gives the control."""


def unknown_accepts(accepted: frozenset[str]) -> list[Problem]:
    """An error for each accepted code that does not exist or cannot be accepted."""
    problems = []
    for code in sorted(accepted):
        known = catalogue.CODES.get(code)
        if known is None:
            message = f"--accept {code}: no problem has this code{decisions.near(code, catalogue.CODES)}"
        elif not known.may_be_accepted:
            message = f"--accept {code}: this cannot be accepted: {known.action}"
        else:
            continue
        problems.append(
            Problem(
                "accept-unknown",
                "error",
                message=message,
                hint="the codes are printed at the end of each problem's line",
            )
        )
    return problems


def _rated_cells(columns: Columns, found: games.Found) -> Reports:
    """The reports with byes told from games, repeated cells dropped, and games left out by decision marked as without result."""
    reports = columns.reports
    cells, result = reports.cells, found.result
    out = result == games.LEFT_OUT
    if result is not columns.result or out.any():
        result = np.where(out, ord("?"), result).astype(np.uint8)
        cells = with_columns(cells, result=result)
    if out.any():
        unknown = out & (columns.opponent < 0)
        cells = with_columns(cells, opponent=np.where(unknown, -1, columns.opponent))
    if found.drop.any():
        cells = cells.filter(pa.array(~found.drop))
    return replace(reports, cells=cells)


def skip_faulty(checked: Checked) -> tuple[Checked, list[str]]:
    """The reports without an error of their own; each that is left out is told in a note, its errors as warnings.

    Errors that belong to no report (decisions, ``--accept``) stay.

    Returns:
        What remains, and the files left out, in order of name.
    """
    ours = {"decision-unknown", "accept-unknown", "decisions", "settings"}
    faulty: dict[str, list[Problem]] = {}
    for problem in checked.problems:
        if problem.severity == "error" and problem.file and problem.code not in ours:
            faulty.setdefault(problem.file, []).append(problem)
    if not faulty:
        return checked, []
    keep = np.array([event.file not in faulty for event in checked.reports.events], bool)
    entries = keep[numbers(checked.reports.entries, "event")] if checked.reports.entries.num_rows else np.zeros(0, bool)
    problems = [
        replace(problem, severity="warning") if problem.severity == "error" and problem.file in faulty else problem
        for problem in checked.problems
    ]
    for file, found in faulty.items():
        many = "1 error" if len(found) == 1 else f"{len(found)} errors, the first"
        line = f" (line {found[0].line})" if found[0].line else ""
        problems.append(
            Problem(
                "left-out",
                "note",
                file,
                None,
                None,
                f"left out: {many}{line}: {found[0].message}",
                "correct it and hand it over again",
            )
        )

    def kept(values: Sequence) -> list:
        return [value for value, stays in zip(values, keep, strict=True) if stays]

    return (
        replace(
            checked,
            reports=replace(checked.reports, problems=[]).only(keep),
            player=checked.player[entries],
            list_of_event=kept(checked.list_of_event),
            fingerprints=kept(checked.fingerprints),
            keys=kept(checked.keys),
            problems=sorted(problems, key=lambda problem: problem.sort_key),
        ),
        sorted(faulty),
    )
