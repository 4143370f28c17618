"""The lists of sealed months, written where the settings say."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from fide_batch.archive import Archive
from fide_batch.disk import why
from fide_batch.model import LIST, Period, Problem, Refused
from fide_batch.settings import Settings

if TYPE_CHECKING:
    from fide_batch.run import Outcome


def publish_lists(settings: Settings, archive: Archive, outcomes: Sequence[Outcome]) -> None:
    """Write the lists of months just sealed where the settings say; their places are added to ``Outcome.files``.

    Raises:
        Refused: when one cannot be written; the next run writes it.
    """
    for outcome in outcomes:
        if outcome.rated is not None:
            outcome.files["list"] = _write_list(settings, outcome.period, outcome.rated.list)
    archive.published()


def publish_waiting(settings: Settings, archive: Archive) -> None:
    """Write the lists that an earlier run sealed and could not write."""
    waiting = archive.to_publish()
    for period in waiting:
        _write_list(settings, period, archive.table(period, "list").cast(LIST))
    if waiting:
        archive.published()


def _write_list(settings: Settings, period: Period, players: pa.Table) -> str:
    from fide_batch.publish import list_csv

    path = settings.list_file(period)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for left_by_killed in path.parent.glob(f".{glob.escape(path.name)}.*.partial"):
            left_by_killed.unlink()
        list_csv.write(path, players)
    except OSError as error:
        raise Refused(
            Problem( "list-unwritten", "error", str(path), None, None, f"{period} is sealed, but its list cannot be written: {why(error)}", "free some space or check the folder's permissions; the next run writes it, or fide-batch export", )
        ) from None  # fmt: skip  # fmt: skip
    return str(path)
