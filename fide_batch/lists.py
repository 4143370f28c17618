"""The lists of sealed months, written where the settings say."""

from __future__ import annotations

import contextlib
import glob
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
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
            with list_beside(settings, outcome.period, outcome.rated.list) as in_place:
                outcome.files["list"] = in_place()
    archive.published()


def publish_waiting(settings: Settings, archive: Archive) -> None:
    """Write the lists that an earlier run sealed and could not write."""
    waiting = archive.to_publish()
    for period in waiting:
        with list_beside(settings, period, archive.table(period, "list").cast(LIST)) as in_place:
            try:
                in_place()
            except Refused as refused:
                said = "; that was sealed by an earlier run, nothing was done now"
                raise Refused(
                    *[replace(problem, message=problem.message + said) for problem in refused.problems]
                ) from None
    if waiting:
        archive.published()


def unlike_sealed(settings: Settings, archive: Archive, period: Period) -> list[Problem]:
    """A warning where the written list of a month is missing, or is not the one that was sealed: the archive is none the worse for it.

    Raises:
        Refused: when the sealed list was altered.
    """
    from fide_batch import __version__
    from fide_batch.publish import list_csv

    path = settings.list_file(period)
    version = archive.cover(period).get("version")
    by_another = "" if version == __version__ else f", or version {version} wrote it otherwise"
    players = archive.table(period, "list").cast(LIST)
    try:
        with path.open("rb") as file:
            same = all(file.read(len(piece)) == piece for piece in list_csv.pieces(players)) and not file.read(1)
    except (FileNotFoundError, NotADirectoryError):
        said = f"the list of {period} is missing here"
    except OSError as error:
        said = f"the list of {period} cannot be read here: {why(error)}"
    else:
        if same:
            return []
        said = f"not the list of {period} as sealed: the file was altered since{by_another}"
    folder = "" if path.parent.is_dir() else f"make the folder {path.parent}; "
    anew = path if path.suffix == ".csv" else "FILE.csv"
    hint = f"{folder}fide-batch export --period {period} {anew} writes it anew from the archive"
    return [Problem("list-altered", "warning", str(path), None, None, said, hint)]


@contextlib.contextmanager
def list_beside(settings: Settings, period: Period, players: pa.Table) -> Iterator[Callable[[], str]]:
    """Begin at once to write a list beside the place the settings name; what is called when the month is sealed puts it there.

    It gives the place, and raises Refused where the list could not be written.
    """
    path = settings.list_file(period)
    with contextlib.ExitStack() as until_named, ThreadPoolExecutor(1) as at_once:
        writing = at_once.submit(_write, path, players, until_named)

        def in_place() -> str:
            try:
                writing.result()()
            except OSError as error:
                said = f"{period} is sealed, but its list cannot be written: {why(error)}"
                hint = "free some space or check the folder's permissions; the next run writes it, or fide-batch export"
                raise Refused(Problem("list-unwritten", "error", str(path), None, None, said, hint)) from None
            return str(path)

        yield in_place


def _write(path: Path, players: pa.Table, until_named: contextlib.ExitStack) -> Callable[[], None]:
    """Write a list beside its place; what is given back gives it its name."""
    from fide_batch.publish import list_csv
    from fide_batch.publish.files import beside

    path.parent.mkdir(parents=True, exist_ok=True)
    for left_by_killed in path.parent.glob(f".{glob.escape(path.name)}.*.partial"):
        left_by_killed.unlink()
    file, finish = until_named.enter_context(beside(path))
    for piece in list_csv.pieces(players):
        file.write(piece)
    return finish
