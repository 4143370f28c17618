"""Questions that seal nothing: check and preview reports, compare lists, compute a game, print an edition."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from fide_batch import checks, formats, regulations
from fide_batch.archive import Archive
from fide_batch.checks.situation import Situation
from fide_batch.model import KEPT, LIST, Page, Period, Problem, Refused, Reports, empty, errors, numbers, table, texts
from fide_batch.regulations.edition import Edition
from fide_batch.rules.month import Month, rate
from fide_batch.run import Law, Progress, needed_lists, silent
from fide_batch.settings import read_decisions, read_settings
from fide_batch.starting import Base, lists_before, newest_before, read_base, sealed_months


def check(
    workspace: Path,
    paths: Sequence[Path],
    list_file: Path | None,
    period: Period | None,
    control: str,
    accepted: frozenset[str],
    progress: Progress = silent,
) -> tuple[Page, list[Problem]]:
    """The control list of the reports and every problem of them.

    They are held against ``list_file``, else the sealed lists, else the list named in the settings, else only against themselves.

    Raises:
        Refused: when the list or the settings cannot be read.
    """
    settings = read_settings(workspace)
    archive = Archive(settings.archive_folder)
    until = period or (archive.periods()[-1].plus(1) if archive.periods() else Period(9999, 12))
    base: Base | None = None
    problems: list[Problem] = []
    if list_file is None and newest_before(archive, until) is None and settings.list:
        list_file = settings.folder / settings.list
    if list_file is not None:
        base, problems = read_base(list_file, until, accepted)
    reports = formats.read_reports(paths, control=control or settings.control, progress=progress, second=True)
    lists = lists_before(archive, until, base)
    law = Law.chosen(settings.rules, settings.folder)
    edition = law.of_list(period) if period else (law.own or regulations.edition(regulations.names()[-1]))
    situation = Situation(
        period,
        needed_lists(lists, reports) if base is None or period else [(None, base.list)],
        read_decisions(settings.folder / settings.decisions, settings.decisions),
        accepted,
        sealed_months(archive, [other for other in archive.periods() if other != period]),
        edition.lists.closing_days,
        edition.lists.late_lists,
        edition.lists.months,
        [dated for dated, _ in lists],
    )
    checked = checks.check(reports, situation)
    return checks.control_list(reports, checked), [*problems, *checked.problems]


def preview(
    paths: Sequence[Path],
    list_file: Path | None,
    rules: str,
    control: str,
    progress: Progress = silent,
    accepted: frozenset[str] = frozenset(),
) -> tuple[Page | None, list[Problem]]:
    """Rate reports by themselves, by a list or by the ratings printed in them; no page when there are errors but the accepted ones.

    Raises:
        Refused: when the list or the edition cannot be read.
    """
    from fide_batch.desk import preview as question

    reports = formats.read_reports(paths, control=control, progress=progress, second=True)
    days = [day for event in reports.events for day in (event.start, event.end) if day]
    last = max(days, default=None)
    period = Period.of(last) if last else Period(9999, 12)
    law = Law.chosen(rules, Path())
    problems: list[Problem] = []
    if list_file is not None:
        base, problems = read_base(list_file, period, accepted)
        lists = [(base.period, base.list)]
    else:
        reports, printed = printed_list(reports)
        lists = [(period.plus(-1), printed)]
    # The one list serves every event, whenever it began: without a day nobody is told to seal the months before.
    checked = checks.check(reports, Situation(None, [(None, one) for _, one in lists], accepted=accepted))
    problems = [*problems, *checked.problems]
    if errors(problems) or not checked.reports.events or last is None:
        return None, problems
    edition = law.of_list(period)
    rated = rate(
        Month(
            period, edition, [law.of_day(event.start) for event in checked.reports.events if event.start], lists[-1][1], lists,
            checked.list_of_event, checked.reports, checked.player, empty(KEPT), None if law.own else law.of_day,
        )
    )  # fmt: skip
    return question.preview(
        rated, checked.reports, edition, "the list given" if list_file else "the ratings printed in the report"
    ), [
        *problems,
        *rated.problems,
    ]


_NUMBERED = 9 * 10**17
"""Players without an id get numbers from here on for the time of a preview."""


def printed_list(reports: Reports) -> tuple[Reports, pa.Table]:
    """A list made of what reports print of their players, the first report that has a player deciding; players without id are numbered."""
    ids = numbers(reports.entries, "fideid").copy()
    nameless = ids == 0
    ids[nameless] = _NUMBERED + np.flatnonzero(nameless)
    entries = reports.entries
    at = entries.schema.get_field_index("fideid")
    entries = entries.set_column(at, entries.schema.field(at), pa.array(ids, pa.int64()))
    ratings = numbers(entries, "rating")
    controls = [event.control or "standard" for event in reports.events]
    of_event = numbers(entries, "event")
    unique, first = np.unique(ids, return_index=True)
    place_of = {int(player): place for place, player in enumerate(unique)}
    columns = {name: np.zeros(len(unique), np.int32) for name in ("rating", "rapid_rating", "blitz_rating")}
    for player, event, rating in zip(ids.tolist(), of_event.tolist(), ratings.tolist(), strict=True):
        name = {"standard": "rating", "rapid": "rapid_rating", "blitz": "blitz_rating"}[controls[event]]
        place = place_of[player]
        columns[name][place] = columns[name][place] or rating
    rows = entries.take(pa.array(first))
    made = table(
        LIST,
        {
            "fideid": pa.array(unique, pa.int64()), "name": texts(rows, "name"), "country": texts(rows, "federation"), "sex": texts(rows, "sex"),
            "title": texts(rows, "title"), "birthday": texts(rows, "birth"),
            **{name: pa.array(values, pa.int32(), mask=values == 0) for name, values in columns.items()},
        },
    )  # fmt: skip
    return Reports(reports.events, entries, reports.cells, reports.problems), made


def _list_of(archive: Archive, text: str, accepted: frozenset[str]) -> tuple[str, pa.Table, list[Problem]]:
    """A list by its period or its file, and what was accepted of it."""
    try:
        period = Period.parse(text)
    except ValueError:
        path = Path(text)
        if not path.is_file():
            raise Refused(
                Problem(
                    "no-list",
                    "error",
                    text,
                    None,
                    None,
                    "neither a sealed period nor the file of a list",
                    "name a period such as 2026-11, or a file",
                )
            ) from None
        found, problems = checks.accepted_list(*formats.read_list(path), accepted)
        if errors(problems):
            raise Refused(*errors(problems)) from None
        return path.name, found, [problem for problem in problems if problem.code in accepted]
    if period not in archive.periods() and archive.periods():
        raise Refused(
            Problem(
                "no-month", "error", str(archive.folder), None, None,
                f"{period} is not sealed; sealed months: {', '.join(map(str, archive.periods()))}", "name one of them, or the file of that list",
            )
        )  # fmt: skip
    return str(period), archive.table(period, "list"), []


def diff(archive: Archive, a: str, b: str, accepted: frozenset[str] = frozenset()) -> tuple[Page, list[Problem]]:
    """Two lists compared, and the problems of theirs that were accepted.

    Raises:
        Refused: when one of them is neither a sealed period nor a readable list, or a code cannot be accepted.
    """
    from fide_batch.desk import diff as question

    if faults := checks.unknown_accepts(accepted):
        raise Refused(*faults)
    (name_a, list_a, told_a), (name_b, list_b, told_b) = (_list_of(archive, each, accepted) for each in (a, b))
    return question.diff(list_a, list_b, (name_a, name_b), archive), [*told_a, *told_b]


def edition_named(name: str) -> Edition:
    """An edition by name or file.

    Raises:
        Refused: for a name nobody knows or a faulty file.
    """
    law = Law.chosen(name, Path())
    if law.own is None:
        raise Refused(
            Problem(
                "edition",
                "error",
                name,
                None,
                None,
                "in-force is a way to choose, not an edition",
                "name one: fide-batch rules lists them",
            )
        )
    return law.own


def calc(
    own: int,
    opponent: int | None,
    score: str | None,
    games: Path | None,
    k: int,
    formula: str,
    rules: str,
    control: str,
    abandoned: bool,
) -> Page:
    """A single game, or a tournament from a file of games.

    Raises:
        Refused: for a score nobody can read, or a faulty file of games.
    """
    from fide_batch.desk import calc as question

    edition = edition_named(rules)
    if games is not None:
        return question.tournament(own, games, k=k, formula=formula, edition=edition, control=control)
    return question.calc(
        own, opponent or 0, score or "", k=k, formula=formula, edition=edition, control=control, abandoned=abandoned
    )


def rules(name: str | None, compare: tuple[str, str] | None) -> Page:
    """The editions; one of them; or what changed between two.

    Raises:
        Refused: for a name nobody knows or a faulty file.
    """
    from fide_batch.publish import edition_page

    if compare:
        return edition_page.differences(edition_named(compare[0]), edition_named(compare[1]))
    return edition_page.printed(edition_named(name)) if name else edition_page.listing()
