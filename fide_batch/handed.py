"""What is handed over: the reports of a month read, and what must hold when the files they came from are kept."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fide_batch import formats
from fide_batch.building import Building
from fide_batch.disk import sha256_of, why
from fide_batch.formats import files
from fide_batch.model import PROBLEMS, Problem, Refused, Reports
from fide_batch.settings import Decision, Settings, read_decisions

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class HandedOver:
    """The reports of a month, the files they came from, and what must hold when those are kept."""

    reports: Reports
    received: Mapping[str, bytes | Path]
    """The files by their name inside the month."""
    digests: dict[str, str]
    """The SHA-256 of each as it was read."""
    told: list[Problem]
    """Problems that reading the received files again would not find: links, notes, files that could not be read."""


def hand_over(paths: Sequence[Path], control: str, progress: Progress) -> HandedOver:
    """Read the reports of some paths, and remember what was read."""
    with handing_over(paths, control) as finish:
        return finish(progress)


@contextlib.contextmanager
def handing_over(
    paths: Sequence[Path], control: str, month: Building | None = None, meanwhile: int = 0
) -> Iterator[Callable[[Progress], HandedOver]]:
    """Begin to read the reports of some paths; of very many a second process reads some while something else is done here.

    Args:
        paths: files and folders.
        control: for reports that do not say.
        month: where each file is kept as it is read; without one the files are read once more when they are kept.
        meanwhile: bytes of a list that is read here before what is given is called.

    Yields:
        What reads the rest; called with a progress.
    """
    handed = files.handed(paths)
    found = [(name, Path(path)) for name, path in handed.files]

    def finished(progress: Progress) -> HandedOver:
        read = finish(progress)
        reports = replace(read, problems=[*handed.problems, *read.problems])
        digests = {event.file: event.sha256 for event in reports.events if event.sha256}
        # Of a ZIP or workbook only the members or sheets may be reports, with names of their own.
        at = {name: month.folder / "reports" / name if month else path for name, path in found if name not in digests}
        before = {name: sha256_of(path) for name, path in at.items() if _is_packed(path)}
        digests |= before
        received = {f"reports/{name}": path for name, path in found if name in digests}
        unread = {
            event.file for event in reports.events if not event.sha256 and f"reports/{event.file}" not in received
        }
        unread = {file for file in unread if not any(file.startswith(f"{name}/") for name in before)}
        told = [*handed.problems, *(problem for problem in reports.problems if problem.file in unread)]
        return HandedOver(reports, received, {f"reports/{name}": digest for name, digest in digests.items()}, told)

    keep = None if month is None else lambda name, data: month.put(f"reports/{name}", data)
    with formats.reading(handed.files, control=control, keep=keep, meanwhile=meanwhile) as finish:
        yield finished


def _is_packed(path: Path) -> bool:
    """Whether a file is a ZIP or a workbook (which begins as a ZIP or, XLS, as an OLE file)."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read(2) in (b"PK", b"\xd0\xcf")
    except OSError:
        return False


def steady(path: Path, read: Callable[[Path], Any]) -> tuple[Any, bytes]:
    """What a file says, and its bytes, which were the same before and after.

    Raises:
        Refused: when it cannot be read, or somebody is writing to it.
    """
    try:
        found, text, again = read(path), path.read_bytes(), read(path)
        if found == again:
            return found, text
        said = "it changed while it was read"
    except OSError as error:
        said = f"cannot be read: {why(error)}"
    raise Refused(
        Problem("changed-while-read", "error", str(path), None, None, said, "run again when nobody works on it")
    )  # fmt: skip


def standing_decisions(settings: Settings) -> tuple[list[Decision], bytes | None]:
    """The rulings that stand in a workspace, and the bytes of their file; None where there is none.

    Raises:
        Refused: with every faulty line, or when somebody is writing to it.
    """
    path = settings.folder / settings.decisions
    return steady(path, lambda file: read_decisions(file, settings.decisions)) if path.exists() else ([], None)


def problem_row(problem: Problem) -> dict[str, Any]:
    """A problem as a manifest keeps it."""
    return {name: getattr(problem, name) for name in PROBLEMS.names}
