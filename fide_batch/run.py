"""The month from top to bottom: read -> check -> rate -> publish -> seal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch import __version__, checks, regulations
from fide_batch.archive import Archive
from fide_batch.at_hand import AtHand
from fide_batch.building import Building
from fide_batch.checks.situation import Checked, SealedMonth, Situation, days_of
from fide_batch.desk import inactive
from fide_batch.handed import handing_over, problem_row, standing_decisions, steady
from fide_batch.lists import list_beside, publish_waiting
from fide_batch.model import (
    KEPT,
    Period,
    Problem,
    Refused,
    Reports,
    empty,
    errors,
    problems_table,
)
from fide_batch.regulations.edition import Edition
from fide_batch.rules.month import Month, Rated, rate
from fide_batch.settings import Decision, Settings, read_settings
from fide_batch.starting import Base, base_of, list_size, lists_before, newest_before, read_base, sealed_months

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is (0: not known)."""


def silent(stage: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Options:
    """What may be said on the command line beside the period and the reports."""

    list_file: Path | None = None
    rules: str = ""
    control: str = ""
    dry_run: bool = False
    skip_faulty: bool = False
    accept: frozenset[str] = frozenset()
    replace: bool = False


@dataclass(frozen=True)
class Law:
    """The edition or editions a month is rated by."""

    rules: str
    own: Edition | None = None
    """A federation's own edition, or one named outright; None for ``in-force``."""
    own_text: bytes | None = None
    """The file of a federation's own edition, to be sealed with the month."""

    def of_list(self, period: Period) -> Edition:
        """The edition of the list's date."""
        return self.own or regulations.in_force(period.list_date)

    def of_day(self, day: date) -> Edition:
        """The edition of an event's first day, or of another."""
        return self.own or regulations.in_force(day)

    @classmethod
    def chosen(cls, rules: str, folder: Path) -> Law:
        """By name, ``in-force``, or the path of a file (relative to a folder).

        Raises:
            Refused: for a name nobody knows or a faulty file.
        """
        if rules == "in-force":
            return cls(rules)
        path = folder / rules
        if rules not in regulations.names() and (rules.endswith(".toml") or path.is_file()):
            edition, text = steady(path, regulations.from_file)
            return cls(edition.name, edition, text)
        return cls(rules, regulations.edition(rules))


@dataclass
class Inputs:
    """Everything a month is computed from; the same inputs give the same bytes.

    ``reports`` are as they were read, and once the month is checked their heads only: millions of player-rounds that nobody needs any more can go.
    """

    period: Period
    reports: Reports
    law: Law
    lists: Sequence[tuple[Period, Callable[[], pa.Table]]]
    """By date; the last one is the newest, to which the changes are added."""
    kept: pa.Table
    sealed: Sequence[SealedMonth] = ()
    decisions: Sequence[Decision] = ()
    accepted: frozenset[str] = frozenset()
    skip_faulty: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a month came to. ``rated`` is None when it was stopped by errors."""

    period: Period
    edition: Edition
    problems: list[Problem]
    checked: Checked | None = None
    rated: Rated | None = None
    left_out: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    """What was written, by what it is."""
    inactive: pa.Table | None = None
    """The table of ``desk.inactive`` for the new list."""


def compute(inputs: Inputs, progress: Progress = silent) -> Outcome:
    """Check and rate a month; writes nothing."""
    edition = inputs.law.of_list(inputs.period)
    lists = needed_lists(inputs.lists, inputs.reports)
    situation = Situation(
        inputs.period, lists, inputs.decisions, inputs.accepted, inputs.sealed, edition.lists.closing_days, edition.lists.late_lists,
        edition.lists.months, [dated for dated, _ in inputs.lists],
    )  # fmt: skip
    progress("checking", 0, 0)
    checked = checks.check(inputs.reports, situation)
    left_out: Sequence[str] = ()
    if inputs.skip_faulty:
        checked, left_out = checks.skip_faulty(checked)
    if errors(checked.problems):
        return Outcome(inputs.period, edition, checked.problems, checked, None, tuple(left_out))
    reports = checked.reports.for_rating()
    inputs.reports = reports.heads()
    checked = replace(checked, reports=inputs.reports)
    progress("rating", 0, 0)
    rated = rate(
        Month(
            inputs.period, edition, [inputs.law.of_day(_first_day(event.start)) for event in reports.events], lists[-1][1], lists,
            checked.list_of_event, reports, checked.player, inputs.kept, None if inputs.law.own else inputs.law.of_day,
        )
    )  # fmt: skip
    problems = [*checked.problems, *rated.problems]
    return Outcome(inputs.period, edition, problems, checked, None if errors(problems) else rated, tuple(left_out))


def _first_day(start: date | None) -> date:
    if start is None:
        raise AssertionError("an event without a first day passed the checks")
    return start


def needed_lists(
    lists: Sequence[tuple[Period, Callable[[], pa.Table]]], reports: Reports
) -> list[tuple[Period, pa.Table]]:
    """The newest list, and of the others only those in force on some event's first day."""
    if not lists:
        return []
    dates = [period.list_date for period, _ in lists]
    wanted = {len(lists) - 1}
    for event in reports.events:
        if event.start is not None:
            wanted.add(max(0, int(np.searchsorted(np.array(dates, "M8[D]"), np.datetime64(event.start), "right")) - 1))
    return [(lists[place][0], lists[place][1]()) for place in sorted(wanted)]


# --- the month ---------------------------------------------------------------------------------


def run(
    workspace: Path, period: Period, paths: Sequence[Path], options: Options, progress: Progress = silent
) -> Outcome:
    """Turn a month of reports into the next list; nothing is written when there are errors.

    Raises:
        Refused: when the month cannot be started at all.
    """
    settings = read_settings(workspace)
    archive = Archive(settings.archive_folder)
    if options.dry_run:
        return _run(settings, archive, period, paths, options, progress)
    new_folder = not archive.folder.exists()
    try:
        with archive.locked():
            publish_waiting(settings, archive)
            outcome = _run(settings, archive, period, paths, options, progress)
    finally:
        if new_folder and not archive.periods():
            archive.remove_if_empty()
    return outcome


def _run(
    settings: Settings, archive: Archive, period: Period, paths: Sequence[Path], options: Options, progress: Progress
) -> Outcome:
    _may_be_sealed(archive, period, options)
    # What a month is computed from is kept while it is read and computed; with an error it is taken away again.
    with contextlib.nullcontext() if options.dry_run else archive.building(period) as month:
        inputs, base, told, digests = _read(settings, archive, period, month, paths, options, progress)
        law = inputs.law
        outcome = compute(inputs, progress)
        pa.default_memory_pool().release_unused()  # what reading, checking and rating needed for a while
        if outcome.rated is None:
            return outcome
        if month is None:
            return replace(outcome, inactive=_inactive(archive, outcome, base))
        said = {
            "control": options.control or settings.control,
            "accept": sorted(options.accept),
            "skip_faulty": options.skip_faulty,
            "decisions": settings.decisions,
        }
        progress("sealing and writing the list", 0, 0)
        # While the games are written the list is made, while that is written the other tables, and so on.
        month.table("games", outcome.rated.in_pieces)
        with list_beside(settings, period, outcome.rated.list) as in_place:
            month.table("list", outcome.rated.list)
            month.table("events", outcome.rated.events_in_pieces())
            outcome = replace(outcome, inactive=_inactive(archive, outcome, base))
            pa.default_memory_pool().release_unused()
            seal(archive, month, outcome, law, base, said, told, digests)
            archive.commit([period], publish=True)
            files = {"sealed month": str(archive.folder / str(period)), "list": in_place()}
    archive.published()
    return replace(outcome, files=files)


def _read(
    settings: Settings, archive: Archive, period: Period, month: Building | None, paths: Sequence[Path], options: Options, progress: Progress
) -> tuple[Inputs, Base | None, dict[str, list[Problem]], dict[str, str]]:  # fmt: skip
    """Everything the month is computed from, kept in its folder where it has one.

    Returns:
        The inputs; the list the month starts from, where it is no sealed month's; problems that the sealed files alone would not show; and the
        SHA-256 of the files as they were read.

    Raises:
        Refused: when the list, the decisions or the edition cannot be read.
    """
    law = Law.chosen(options.rules or settings.rules, Path() if options.rules else settings.folder)
    decisions, ruled = standing_decisions(settings)
    previous = newest_before(archive, period)
    control = options.control or settings.control
    with handing_over(paths, control, month, list_size(settings, options.list_file, previous)) as finish:
        base, told_of_list = base_of(settings, archive, period, previous, options.list_file, options.accept)
        if errors(told_of_list):
            raise Refused(*told_of_list)  # no report is at fault, so none can be left out for it
        handed = finish(progress)
    if month:
        if base:  # now, while one process is enough for the checks
            month.table("base", base.list)
        more = {"decisions.csv": ruled, "edition.toml": law.own_text}
        there = {name: handed.digests[name] for name in handed.received}
        month.keep({name: data for name, data in more.items() if data is not None}, there)
    inputs = Inputs(
        period, replace(handed.reports, problems=[*told_of_list, *handed.reports.problems]), law, lists_before(archive, period, base),
        archive.table(previous, "kept") if previous else empty(KEPT),
        sealed_months(archive, [other for other in archive.periods() if other != period]), decisions, options.accept, options.skip_faulty,
    )  # fmt: skip
    return inputs, base, {"list": told_of_list, "files": handed.told}, handed.digests


def _inactive(archive: Archive, outcome: Outcome, base: Base | None) -> pa.Table:
    """Who is inactive by the list of a month that has just been rated."""
    if (rated := outcome.rated) is None:
        raise ValueError("a month with errors has no list")
    tables: dict[str, Callable[[], Iterable[pa.Table]]] = {
        "list": lambda: [rated.list],
        "events": rated.events_in_pieces,
    }
    if base:
        tables["base"] = lambda: [base.list]
    cover = {"kind": "month", "base": base.source if base else None}
    at_hand = AtHand(archive.folder, outcome.period, cover, tables)
    return inactive.inactive_table(at_hand, outcome.period, edition=outcome.edition)


def _may_be_sealed(archive: Archive, period: Period, options: Options) -> None:
    newest = archive.newest()
    if newest is None or period > newest or options.dry_run:
        return
    if period not in archive.periods():
        raise Refused(
            Problem(
                "period-order", "error", str(archive.folder), None, None,
                f"{period} is not later than the newest sealed month, {newest}", f"the next period is {newest.plus(1)} or later",
            )
        )  # fmt: skip
    if not options.replace:
        raise Refused(
            Problem(
                "period-sealed", "error", str(archive.folder), None, None, f"{period} is sealed already",
                f"--replace seals it anew and keeps the old one as {period}.superseded-1; --dry-run only shows what would come out",
            )
        )  # fmt: skip
    if archive.manifest(period).get("kind") == "list":
        raise Refused(
            Problem(
                "period-sealed", "error", str(archive.folder), None, None, f"{period} is the list this workspace started from; it has no reports",
                "start another workspace with fide-batch init to begin from another list",
            )
        )  # fmt: skip


def seal(
    archive: Archive,
    month: Building,
    outcome: Outcome,
    law: Law,
    base: Base | None,
    said: dict[str, Any],
    told: dict[str, list[Problem]],
    digests: Mapping[str, str],
    previous_hash: str | None = None,
) -> dict[str, Any]:
    """Complete the month's folder, which its inputs are in or on their way to, to be committed; returns its manifest.

    Args:
        told: problems that the sealed files alone would not show: of the list the month started from, and of what was handed over.
        digests: the SHA-256 of received files as they were read.
        previous_hash: given where the month before was itself built anew and is not in place yet.

    Raises:
        Refused: when the disk is full, or a file changed since it was read; nothing is left then.
    """
    rated, checked = outcome.rated, outcome.checked
    if rated is None or checked is None:
        raise ValueError("a month with errors cannot be sealed")
    # The largest first: two are written at a time.
    for name, made in (
        ("games", lambda: rated.in_pieces), ("list", lambda: rated.list), ("events", lambda: rated.events_in_pieces()), ("changes", lambda: rated.changes),
        ("pending", lambda: rated.pending), ("kept", lambda: rated.kept),
    ):  # fmt: skip
        if name not in month.begun:
            month.table(name, made())
    month.table("problems", problems_table(outcome.problems))
    previous = newest_before(archive, outcome.period)
    days = days_of(checked.reports.events)
    manifest = {
        "kind": "month",
        "version": __version__,
        "edition": {"rules": law.rules, "name": outcome.edition.name, "sha256": regulations.fingerprint(outcome.edition)},
        "events": [
            {
                "file": event.file, "name": event.name, "format": event.format, "sha256": event.sha256, "fingerprint": fingerprint, "key": key,
                "start": str(event.start), "end": str(event.end), "control": event.control, "edition": law.of_day(_first_day(event.start)).name,
            }
            for event, fingerprint, key in sorted(
                zip(checked.reports.events, checked.fingerprints, checked.keys, strict=True), key=lambda item: item[0].file
            )
        ],
        "days": list(days) if days else None,
        "left_out": sorted(outcome.left_out),
        "decisions": [
            {"file": decision.file, "row": decision.row, "code": decision.code, "decision": decision.decision, "reason": decision.reason}
            for decision in checked.decided
        ],
        "said": said,
        "told": {what: [problem_row(problem) for problem in problems] for what, problems in told.items()},
        "base": base.source if base else None,
        "previous": {"period": str(previous), "manifest": previous_hash or archive.seal_hash(previous)} if previous else None,
    }  # fmt: skip
    built = month.complete(manifest)
    if changed := [name for name in sorted(digests) if built["files"].get(name, digests[name]) != digests[name]]:
        archive.discard([outcome.period])
        raise Refused(*[
            Problem("changed-while-read", "error", name.removeprefix("reports/"), None, None, "it changed since it was read; nothing was sealed", "run again when nobody works on it")
            for name in changed
        ])  # fmt: skip
    return built


def init(
    folder: Path, list_file: Path, period: Period, rules: str, accepted: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """A workspace: its settings, and a list sealed as the first month.

    Raises:
        Refused: when the folder is a workspace already, the list cannot be read, or a code cannot be accepted.
    """
    from fide_batch.settings import SETTINGS_FILE, write_settings

    if (folder / SETTINGS_FILE).exists() or Archive(folder / "archive").periods():
        raise Refused(
            Problem(
                "workspace",
                "error",
                str(folder),
                None,
                None,
                "this folder is a workspace already",
                "name an empty or new folder",
            )
        )
    Law.chosen(rules, Path())
    if faults := checks.unknown_accepts(accepted):
        raise Refused(*faults)
    base, problems = read_base(list_file, period, accepted)
    if errors(problems):
        raise Refused(*problems)
    if Path(rules).is_file():
        rules = str(Path(rules).resolve())
    folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(folder, rules=rules)
    archive = Archive(settings.archive_folder)
    with archive.locked():
        with archive.building(period) as month:
            month.table("list", base.list)
            month.table("kept", empty(KEPT))
            month.table("problems", problems_table(problems))
            manifest = month.complete({
                "kind": "list", "version": __version__, "events": [], "left_out": [], "decisions": [], "said": {}, "base": None, "previous": None,
                "source": {**base.source, "period": str(period)},
            })  # fmt: skip
        archive.commit([period])
    write_settings(folder, settings)
    return {
        "folder": str(folder),
        "period": str(period),
        "players": base.list.num_rows,
        "problems": problems,
        "seal": manifest["seal"],
    }
