"""Sealed months again: re-rate a chain after a correction, and verify that each month is what its inputs say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch import __version__, formats, regulations
from fide_batch.archive import Archive
from fide_batch.handed import HandedOver, hand_over, standing_decisions
from fide_batch.lists import publish_lists, publish_waiting, unlike_sealed
from fide_batch.model import KEPT, LIST, Period, Problem, Refused, Reports, empty, errors, numbers, problems_table
from fide_batch.run import Inputs, Law, Outcome, Progress, compute, seal, silent
from fide_batch.settings import DECISIONS_FILE, Decision, Settings, read_decisions, read_settings
from fide_batch.starting import Base, lists_before, newest_before, sealed_months, with_our_state


@dataclass(frozen=True)
class Again:
    """One sealed month rated again."""

    period: Period
    outcome: Outcome
    law: Law
    base: Base | None
    received: dict[str, bytes | Path]
    said: dict[str, Any]
    told: dict[str, list[Problem]]
    digests: dict[str, str]


def stored_reports(archive: Archive, period: Period, said: dict[str, Any]) -> tuple[Reports, dict[str, bytes | Path]]:
    """The reports of a sealed month, read again from the bytes as received, and those bytes by their name in the month."""
    received: dict[str, bytes | Path] = {
        name: archive.stored(period, name)
        for name in archive.manifest(period)["files"]
        if name.startswith("reports/") or name == "decisions.csv"
    }
    named = [(name.removeprefix("reports/"), data) for name, data in received.items() if name.startswith("reports/")]
    return formats.read_received(named, control=said.get("control", "")), received  # type: ignore[arg-type]


def again(
    archive: Archive,
    period: Period,
    *,
    fresh: dict[Period, Outcome] | None = None,
    reports: HandedOver | None = None,
    decisions: Sequence[Decision] | None = None,
    progress: Progress = silent,
) -> Again:
    """Rate a sealed month again from its own inputs.

    Args:
        fresh: months before it that were rated again, to stand in for the sealed ones.
        reports: reports that replace its own.
        decisions: rulings that replace its own.

    Raises:
        Refused: when the month's inputs cannot be read.
    """
    fresh = fresh or {}
    manifest = archive.manifest(period)
    said = dict(manifest["said"])
    told = {what: [Problem(**row) for row in rows] for what, rows in manifest.get("told", {}).items()}
    if reports is not None:
        found, received, told = reports.reports, dict(reports.received), {**told, "files": reports.told}
    else:
        found, received = stored_reports(archive, period, said)
        found = replace(found, problems=[*told.get("files", ()), *found.problems])
    if decisions is None:
        decisions = _stored_decisions(archive, period)
    law = _stored_law(archive, period, manifest)
    previous = newest_before(archive, period)
    base = None
    if manifest["base"]:
        base = Base(
            Period.parse(manifest["base"]["period"]), archive.table(period, "base").cast(LIST), manifest["base"]
        )
        if previous is not None and previous in fresh:
            base, told = _imported_again(archive, previous, base, told, fresh[previous])
    found = replace(found, problems=[*told.get("list", ()), *found.problems])
    # The list the month was started from stays: it may have the date of a month rated again.
    lists: list[tuple[Period, Callable[[], pa.Table]]] = [
        (dated, (lambda table=fresh[dated].rated.list: table))  # type: ignore[union-attr,misc]
        if dated in fresh and fresh[dated].rated and not (base and dated == base.period)
        else (dated, load)
        for dated, load in lists_before(archive, period, base)
    ]
    kept = empty(KEPT)
    if previous is not None:
        earlier = fresh.get(previous)
        kept = earlier.rated.kept if earlier and earlier.rated else archive.table(previous, "kept")
    inputs = Inputs(
        period, found, law, lists, kept, sealed_months(archive, [other for other in archive.periods() if other < period]), decisions,
        frozenset(said.get("accept", ())), bool(said.get("skip_faulty")),
    )  # fmt: skip
    digests = reports.digests if reports else {}
    return Again(period, compute(inputs, progress), law, base, received, said, told, digests)


def _imported_again(
    archive: Archive, previous: Period, base: Base, told: dict[str, list[Problem]], earlier: Outcome
) -> tuple[Base, dict[str, list[Problem]]]:
    """A list handed over after a month that was rated again: players it lacks are as that month has them now; and what is told of it.

    They stand at its end. Where they are not the sealed month's, or the month does not say how many they are, the list stays as it was sealed.
    """
    sealed = archive.table(previous, "list").cast(LIST)
    count = base.source.get("added")
    if earlier.rated is None or not isinstance(count, int) or earlier.rated.list.cast(LIST).equals(sealed):
        return base, told
    own = max(base.list.num_rows - count, 0)
    imported, added = base.list.slice(0, own), base.list.slice(own)
    lacking = ~np.isin(numbers(sealed, "fideid"), numbers(imported, "fideid"))
    if not added.equals(sealed.filter(pa.array(lacking))):
        return base, told
    merged, more = with_our_state(imported, earlier.rated.list.cast(LIST))
    others = [problem for problem in told.get("list", ()) if problem.code != "not-in-imported-list"]
    source = {**base.source, "added": merged.num_rows - imported.num_rows}
    return replace(base, list=merged, source=source), {**told, "list": [*others, *more]}


def _stored_law(archive: Archive, period: Period, manifest: dict[str, Any]) -> Law:
    rules = manifest["edition"]["rules"]
    if "edition.toml" in manifest["files"]:
        archive.unaltered(period, "edition.toml")
        path = archive.place(period) / "edition.toml"
        edition = regulations.from_file(path, name=manifest["edition"]["name"])
        return Law(edition.name, edition, path.read_bytes())
    return Law.chosen(rules, archive.folder / "nowhere")


def _stored_decisions(archive: Archive, period: Period) -> list[Decision]:
    if "decisions.csv" not in archive.manifest(period)["files"]:
        return []
    archive.unaltered(period, "decisions.csv")
    name = str(archive.manifest(period)["said"].get("decisions", DECISIONS_FILE))
    return read_decisions(archive.place(period) / "decisions.csv", name)


def rerun(
    workspace: Path,
    start: Period,
    paths: Sequence[Path],
    agreed: Callable[[list[dict[str, Any]], list[Problem]], bool],
    progress: Progress = silent,
) -> list[Outcome]:
    """Re-rate a month and every later sealed one, and seal them anew when ``agreed`` says so, having seen who changes.

    Args:
        paths: the corrected reports of ``start``, all of them; none to keep its own.
        agreed: is given a row for every player, control and month that differs (see ``differences``) and the problems; True replaces the months.

    Raises:
        Refused: with every error of every month; nothing is replaced then.
    """
    settings = read_settings(workspace)
    archive = Archive(settings.archive_folder)
    with archive.locked():
        publish_waiting(settings, archive)
        months = [
            period for period in archive.periods() if period >= start and archive.manifest(period)["kind"] == "month"
        ]
        if start not in archive.periods():
            archive.manifest(start)  # refuses, naming the sealed months
        if not months:
            raise Refused(
                Problem(
                    "no-month",
                    "error",
                    str(archive.folder),
                    None,
                    None,
                    f"no month with reports is sealed from {start} on",
                    "run it first",
                )
            )
        decisions, ruled = standing_decisions(settings)
        fresh: dict[Period, Outcome] = {}
        done: list[Again] = []
        for place, period in enumerate(months):
            progress("re-rating", place, len(months))
            corrected = None
            if paths and period == start:
                said = archive.manifest(period)["said"]
                corrected = hand_over(paths, said.get("control", ""), progress)
            rulings = None if ruled is None else decisions
            month = again(archive, period, fresh=fresh, reports=corrected, decisions=rulings, progress=progress)
            if ruled is not None:
                month.received["decisions.csv"] = ruled
                month.said["decisions"] = settings.decisions
            if month.outcome.rated is None:
                raise Refused(*errors(month.outcome.problems))
            fresh[period] = month.outcome
            done.append(month)
        rows = []
        for place, month in enumerate(done):
            rows += differences(archive, month.outcome, done[place - 1].outcome if place else None)
        if not agreed(rows, [problem for month in done for problem in month.outcome.problems]):
            return []
        _replace(archive, done)
        publish_lists(settings, archive, [month.outcome for month in done])
        return [month.outcome for month in done]


def _replace(archive: Archive, done: Sequence[Again]) -> None:
    """Build every month, each naming the manifest of the one before it, then put them all in place at once."""
    built: list[Period] = []
    seals: dict[Period, str] = {}
    try:
        for month in done:
            previous = newest_before(archive, month.period)
            with archive.building(month.period) as folder:
                own = {} if month.law.own_text is None else {"edition.toml": month.law.own_text}
                folder.keep({**month.received, **own})
                if month.base:
                    folder.table("base", month.base.list)
                manifest = seal(
                    archive, folder, month.outcome, month.law, month.base, month.said, month.told, month.digests,
                    seals.get(previous) if previous else None,
                )  # fmt: skip
            built.append(month.period)
            seals[month.period] = archive.partial_hash(manifest)
    except BaseException:
        archive.discard(built)
        raise
    archive.commit(built, publish=True)


def differences(archive: Archive, outcome: Outcome, earlier: Outcome | None = None) -> list[dict[str, Any]]:
    """Who has another rating than in the sealed month, and because of which events: a row a player and control.

    Keys: ``period``, ``fideid`` (code), ``name``, ``control``, ``old``, ``new`` (None = unrated), ``events`` (names of the events that gave this
    player something else, those of earlier months too whose results were kept for his first rating; empty when only the rating he started from
    did), ``before`` (whether the rating he started from is another one).

    Args:
        archive: the months as sealed.
        outcome: the month rated again.
        earlier: the month before it, where that was rated again too: its kept results are the new ones.
    """
    if outcome.rated is None:
        return []
    sealed = archive.table(outcome.period, "list")
    changed: list[dict[str, Any]] = []
    columns = {"standard": "rating", "rapid": "rapid_rating", "blitz": "blitz_rating"}
    before = _by_id(sealed, ["name", *columns.values()])
    after = _by_id(outcome.rated.list, ["name", *columns.values()])
    suspects = {
        player
        for player in before.keys() | after.keys()
        if before.get(player, (None,) * 4)[1:] != after.get(player, (None,) * 4)[1:]
    }
    if not suspects:
        return []
    old_lines = _event_lines(archive.table(outcome.period, "events"), suspects)
    new_lines = _event_lines(outcome.rated.events, suspects)
    old_kept: dict[tuple[int, str], set[tuple[Any, ...]]] = {}
    new_kept: dict[tuple[int, str], set[tuple[Any, ...]]] = {}
    if earlier is not None and earlier.rated is not None:
        old_kept = _kept_lines(archive.table(earlier.period, "kept"), suspects)
        new_kept = _kept_lines(earlier.rated.kept, suspects)
    old_start = _ratings_before(archive.table(outcome.period, "changes"), suspects)
    new_start = _ratings_before(outcome.rated.changes, suspects)
    for player in sorted(suspects):
        old, new = before.get(player, (None,) * 4), after.get(player, (None,) * 4)
        for place, control in enumerate(columns, 1):
            if old[place] == new[place]:
                continue
            own = (player, control)
            lines = (old_lines.get(own, set()) ^ new_lines.get(own, set())) | (
                old_kept.get(own, set()) ^ new_kept.get(own, set())
            )
            changed.append({
                "period": str(outcome.period), "fideid": player, "name": new[0] or old[0] or "", "control": control, "old": old[place],
                "new": new[place], "events": sorted({line[0] for line in lines}),
                "before": own in old_start and own in new_start and old_start[own] != new_start[own],
            })  # fmt: skip
    return changed


def _by_id(table: pa.Table, names: list[str]) -> dict[int, tuple[Any, ...]]:
    columns = [table.column(name).to_pylist() for name in ("fideid", *names)]
    return {row[0]: row[1:] for row in zip(*columns, strict=True)}


def _rows_of(table: pa.Table, players: set[int]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.filter(
        pa.compute.is_in(table.column("fideid"), pa.array(sorted(players), pa.int64()))
    ).to_pylist()
    return rows


def _event_lines(events: pa.Table, players: set[int]) -> dict[tuple[int, str], set[tuple[Any, ...]]]:
    """What each event gave a player: a rated one points, an unrated one a result. Another own rating that gives the same points is no cause."""
    found: dict[tuple[int, str], set[tuple[Any, ...]]] = {}
    for row in _rows_of(events, players):
        unrated = (row["rc"], row["games"], row["score"]) if row["k_chg"] is None else ()
        found.setdefault((row["fideid"], row["control"]), set()).add((row["event"], row["k_chg"], *unrated))
    return found


def _kept_lines(kept: pa.Table, players: set[int]) -> dict[tuple[int, str], set[tuple[Any, ...]]]:
    """The results of earlier months that wait for a player's first rating."""
    found: dict[tuple[int, str], set[tuple[Any, ...]]] = {}
    for row in _rows_of(kept, players):
        found.setdefault((row["fideid"], row["control"]), set()).add((row["event"], repr(sorted(row.items()))))
    return found


def _ratings_before(changes: pa.Table, players: set[int]) -> dict[tuple[int, str], int | None]:
    return {(row["fideid"], row["control"]): row["rating_before"] for row in _rows_of(changes, players)}


def verify(
    workspace: Path, periods: Sequence[Period], progress: Progress = silent
) -> tuple[list[Period], list[Problem]]:
    """Whether sealed months are whole, chained, and what their inputs say; the months looked at, and every difference named.

    A list outside the archive that is not the sealed one is a warning: the month is sound.

    Raises:
        Refused: when nothing is sealed, or a period is not.
    """
    settings: Settings = read_settings(workspace)
    archive = Archive(settings.archive_folder)
    sealed = archive.periods()
    if not sealed:
        raise Refused(
            Problem(
                "no-month",
                "error",
                str(archive.folder),
                None,
                None,
                "no month is sealed here",
                "fide-batch run --period YYYY-MM PATH seals one",
            )
        )
    for period in periods:
        if period not in sealed:
            archive.manifest(period)
    problems: list[Problem] = []
    wanted = list(periods or sealed)
    for place, period in enumerate(wanted):
        progress("verifying", place, len(wanted))
        damage = archive.damage(period)
        problems += damage
        if not damage and archive.manifest(period)["kind"] == "month":
            problems += _recomputed(archive, period, progress)
            problems += unlike_sealed(settings, archive, period)
    return wanted, problems


def _recomputed(archive: Archive, period: Period, progress: Progress) -> list[Problem]:
    def differs(name: str, message: str) -> Problem:
        return Problem(
            "archive-differs", "error", str(archive.place(period) / name), None, None, message,
            f"sealed by version {archive.manifest(period).get('version')}; fide-batch rerun --from {period} shows who changes",
        )  # fmt: skip

    try:
        outcome = again(archive, period, progress=progress).outcome
    except Refused as refused:
        return [differs("manifest.json", f"the inputs of {period} cannot be rated again: {refused}")]
    if outcome.rated is None:
        return [
            differs("manifest.json", f"the inputs of {period} have errors now: {errors(outcome.problems)[0].message}")
        ]
    rated = outcome.rated
    computed: dict[str, Iterable[pa.Table]] = {
        name: _in_pieces(table)
        for name, table in (
            ("list", rated.list), ("changes", rated.changes), ("events", rated.events), ("pending", rated.pending), ("kept", rated.kept),
            ("problems", problems_table(outcome.problems)),
        )
    } | {"games": rated.in_pieces}  # fmt: skip
    texts: frozenset[str] = frozenset()
    if archive.manifest(period).get("version") != __version__:
        texts = _TEXTS
        del computed["problems"]
    return [
        differs(f"{name}.parquet", f"the sealed {name} is not what the month's inputs give")
        for name, pieces in computed.items()
        if not _same(pieces, archive.table(period, name), texts)
    ]


_TEXTS = frozenset({"why", "reason", "missing"})
"""Columns for people: another version may have worded them otherwise, and told other problems. Figures are the same in every version."""


_ROWS = 1 << 17
"""Rows compared at a time: as plain texts the world's games would take gigabytes."""


def _in_pieces(table: pa.Table) -> Iterator[pa.Table]:
    return (table.slice(start, _ROWS) for start in range(0, table.num_rows, _ROWS))


def _same(computed: Iterable[pa.Table], sealed: pa.Table, but: frozenset[str]) -> bool:
    """Whether a table, in pieces, is the sealed one but for some columns."""
    begin = 0
    for piece in computed:
        rows = sealed.slice(begin, piece.num_rows)
        begin += piece.num_rows
        plain = {
            field.name: pa.string() if pa.types.is_dictionary(field.type) else field.type
            for field in piece.schema
            if field.name not in but
        }
        if not _as(piece, plain).equals(_as(rows, plain)):
            return False
    return begin == sealed.num_rows


def _as(table: pa.Table, kinds: dict[str, pa.DataType]) -> pa.Table:
    """Some columns of some rows, each of the kind wanted."""
    return pa.table({name: table[name].cast(kind) for name, kind in kinds.items()}).combine_chunks()
