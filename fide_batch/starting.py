"""Where a month starts: a list from a file, or the months sealed before."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fide_batch import checks, formats, words
from fide_batch.archive import Archive
from fide_batch.checks.situation import SealedMonth, SealedReport
from fide_batch.disk import sha256_of
from fide_batch.formats.list_bytes import LARGEST
from fide_batch.model import LIST, STATE_COLUMNS, Period, Problem, Refused, numbers
from fide_batch.settings import Settings


@dataclass(frozen=True)
class Base:
    """The list a month starts from, when it does not come from a sealed month."""

    period: Period
    list: pa.Table
    source: dict[str, Any]
    """``file``, its ``sha256``, its ``period``; and ``added``, how many players of the month before it lacked: they stand at the end."""


def named_period(path: Path, period: Period) -> Period:
    """The date of a list from its file's name (``list-2026-10.csv``, ``standard_oct26frl.txt``); else the month before the period."""
    months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    name = path.name.lower()
    if found := re.search(r"(?<!\d)(\d{4})[-_]?(0[1-9]|1[0-2])(?!\d)", name):
        guess = Period(int(found[1]), int(found[2]))
    elif found := re.search(r"(" + "|".join(months) + r")(\d{2})(?!\d)", name):
        guess = Period(2000 + int(found[2]), months.index(found[1]) + 1)
    else:
        return period.plus(-1)
    return guess if guess < period and guess.year > 1900 else period.plus(-1)


def read_base(path: Path, period: Period, accepted: frozenset[str] = frozenset()) -> tuple[Base, list[Problem]]:
    """A list from a file, to start a month from, with problems of the accepted codes accepted.

    Raises:
        Refused: when it is missing or is not a rating list.
    """
    if not path.is_file():
        raise Refused(
            Problem(
                "no-list",
                "error",
                str(path),
                None,
                None,
                "there is no such list",
                'check the name after --list, or list = "..." in fide-batch.toml',
            )
        )
    before = path.stat()
    with ThreadPoolExecutor(1) as beside:
        # What is too large to be a list is refused at once, not after its hash.
        digested = beside.submit(sha256_of, path) if before.st_size <= LARGEST else None
        found, problems = formats.read_list(path)
        digest = digested.result() if digested else sha256_of(path)
    after = path.stat()
    if (before.st_size, before.st_mtime_ns, before.st_ino) != (after.st_size, after.st_mtime_ns, after.st_ino):
        said = "it changed while it was read"
        raise Refused(
            Problem("changed-while-read", "error", str(path), None, None, said, "run again when nobody works on it")
        )
    dated = named_period(path, period)
    found, problems = checks.accepted_list(found, problems, accepted)
    return Base(dated, found, {"file": path.name, "sha256": digest, "period": str(dated)}), problems


def with_our_state(imported: pa.Table, ours: pa.Table) -> tuple[pa.Table, list[Problem]]:
    """An imported list with what we know of its players: games counted, marks, last games; players it lacks are kept as they were."""
    ids, own_ids = numbers(imported, "fideid"), numbers(ours, "fideid")
    order = np.argsort(own_ids, kind="stable")
    place = np.searchsorted(own_ids[order], ids)
    place = order[np.minimum(place, len(order) - 1)] if len(order) else np.zeros(len(ids), int)
    known = own_ids[place] == ids if len(order) else np.zeros(len(ids), bool)
    rows = pa.array(place, mask=~known)
    for name in STATE_COLUMNS:
        theirs, kept = imported.column(name).combine_chunks(), ours.column(name).combine_chunks().take(rows)
        at = imported.schema.get_field_index(name)
        imported = imported.set_column(at, imported.schema.field(at), pa.compute.coalesce(theirs, kept))
    missing = ~np.isin(own_ids, ids)
    if not missing.any():
        return imported, []
    note = Problem(
        "not-in-imported-list", "warning", "", None, None,
        f"not in the imported list, kept as on the newest sealed one: {words.count_text(int(missing.sum()), 'player')}",
        "compare the two lists with fide-batch diff",
    )  # fmt: skip
    return pa.concat_tables([imported, ours.filter(pa.array(missing))]).combine_chunks(), [note]


def lists_before(archive: Archive, period: Period, base: Base | None) -> list[tuple[Period, Callable[[], pa.Table]]]:
    """The lists by date; a list the month starts from is the newest."""
    lists: list[tuple[Period, Callable[[], pa.Table]]] = [
        (dated, lambda path=path: archive.read_list_file(path))  # type: ignore[misc]
        for dated, path in archive.lists(period)
        if base is None or dated < base.period
    ]
    return [*lists, (base.period, lambda: base.list)] if base else lists


def sealed_months(archive: Archive, periods: Sequence[Period]) -> list[SealedMonth]:
    """Sealed months, whose reports must not be rated again."""

    def reports(period: Period) -> list[SealedReport]:
        return [
            SealedReport(period, item["file"], item["name"], item["sha256"], item["fingerprint"], item["key"])
            for item in archive.manifest(period).get("events", [])
        ]

    return [SealedMonth(partial(reports, period), archive.cover(period).get("days")) for period in periods]


def newest_before(archive: Archive, period: Period) -> Period | None:
    """The last month sealed before a period."""
    earlier = [other for other in archive.periods() if other < period]
    return earlier[-1] if earlier else None


def base_of(
    settings: Settings, archive: Archive, period: Period, previous: Period | None, list_file: Path | None, accepted: frozenset[str]
) -> tuple[Base | None, list[Problem]]:  # fmt: skip
    """The list named on the command line, or, when no month is sealed, in the settings.

    Raises:
        Refused: when there is none, or it cannot be read.
    """
    if list_file is None and previous is not None:
        return None, []
    if list_file is None and not settings.list:
        raise Refused(
            Problem(
                "no-list", "error", str(settings.folder / "fide-batch.toml"), None, None,
                "no list to start from: no month is sealed before this period and no list is named",
                'name one: --list FILE, or list = "FILE" in fide-batch.toml, or fide-batch init DIR --list FILE --period YYYY-MM',
            )
        )  # fmt: skip
    base, problems = read_base(list_file or settings.folder / settings.list, period, accepted)
    if previous is not None:
        merged, more = with_our_state(base.list, archive.table(previous, "list").cast(LIST))
        added = merged.num_rows - base.list.num_rows
        base, problems = replace(base, list=merged, source={**base.source, "added": added}), [*problems, *more]
    return base, problems


def list_size(settings: Settings, list_file: Path | None, previous: Period | None) -> int:
    """Bytes of the list that ``base_of`` will read."""
    if list_file is None and (previous is not None or not settings.list):
        return 0
    try:
        return (list_file or settings.folder / settings.list).stat().st_size
    except OSError:
        return 0
