"""READ: one file per format; here it is found out which reader a file belongs to.

A report reader is a module with ``NAME``, ``looks(name, data) -> str`` ('' for "this is mine", else what was missed) and
``read(name, data) -> Report`` (a list of them where a file may hold several); a list reader has ``read(path) -> (LIST, problems)`` instead. Exactly one must claim a file.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

from fide_batch.formats import beside, files, pace, trf_fast, zip_reports
from fide_batch.formats import trf_columns as at
from fide_batch.formats.gathered import Gathered
from fide_batch.model import Event, Problem, Refused, Report, Reports

REPORT_READERS = ("trf", "sheet_csv", "sheet_xlsx", "chess_results")
"""Modules of this package that read reports."""

LIST_READERS = ("list_fide_txt", "list_fide_xml", "list_csv", "list_xlsx", "list_parquet")
"""Modules of this package that read rating lists."""

Progress = Callable[[str, int, int], None]
Keep = Callable[[str, bytes], None]

WORTH_TWO = 16 * 1024 * 1024
"""Bytes of reports from which on a second process pays."""

_BATCH = 2 * 1024 * 1024
"""Bytes of reports that are read together."""

_LIST_HEAD = 256 * 1024
"""Bytes of a list that are shown to the readers."""

_PROGRAMS = {
    ".tunx": "Swiss-Manager", ".turx": "Swiss-Manager", ".tumx": "Swiss-Manager", ".tutx": "Swiss-Manager", ".tun": "Swiss-Manager",
    ".tur": "Swiss-Manager", ".tum": "Swiss-Manager", ".swt": "Swiss-Chess", ".swi": "Swiss-Chess", ".swx": "Swiss-Chess", ".veg": "Vega",
    ".vegx": "Vega", ".tdf": "Vega", ".trn": "SwissPerfect", ".sco": "SwissPerfect", ".papi": "Papi", ".mdb": "Papi", ".scx": "Sharly Chess",
    ".tma": "TournamentManager",
}  # fmt: skip
"""Files of pairing programmes that hold more than a report, by their ending."""


def read_reports(
    paths: Sequence[Path], *, control: str = "", progress: Progress | None = None, second: bool = False
) -> Reports:
    """Read every report of some files and folders.

    Args:
        paths: files, ZIP files, folders of folders; the result does not depend on their order.
        control: standard, rapid or blitz, for reports that do not say.
        progress: called with ``"reading"``, the files done and all files.
        second: whether a second process may read some of very many: sooner done, with more memory. Not for a program that may have threads,
            of which a copy is not safe.

    Returns:
        The reports sorted by the names of their files, and every problem found in reading. A file that nobody can read is a
        report without players, whose problem says why.
    """
    handed = files.handed(paths)
    if second:
        with reading(handed.files, control=control) as finish:
            found = finish(progress)
    else:
        listed = handed.files
        found = _read_all(files.contents(listed), files.size(listed), control, progress, len(listed))
    return replace(found, problems=[*handed.problems, *found.problems])


@contextlib.contextmanager
def reading(
    found: Sequence[tuple[str, str]], *, control: str = "", keep: Keep | None = None, meanwhile: int = 0
) -> Iterator[Callable[[Progress | None], Reports]]:
    """Begin to read files; of very many a second process reads some while something else is done here.

    Args:
        found: names and paths, in order.
        control: for reports that do not say.
        keep: called with the name and the bytes of each file that could be read, in whichever process reads it.
        meanwhile: bytes of a list that is read here before what is given is called.

    Yields:
        What reads the rest; called with a progress it gives all reports, in the order of the files.
    """
    size = files.size(found)

    def alone(progress: Progress | None) -> Reports:
        return _read_all(_kept(found, keep), size, control, progress, len(found))

    if size < WORTH_TWO or not beside.possible():
        yield alone
        return
    # Of a list's bytes, read here at the same time, three take as long as one of the reports, which are kept too.
    share = max(0.0, 0.5 - meanwhile / (6 * size))
    here, there = found[: round(share * len(found))], found[round(share * len(found)) :]
    room = (size if not here else size * len(there) // len(found) * 5 // 4) // at.WIDTH
    other = beside.Beside()

    def read(progress: Progress) -> tuple[list[Problem], Any]:
        told = _read_into(rest, _kept(there, keep), control, progress, len(there))
        return told, rest.written()

    def by_two(progress: Progress | None) -> Reports:
        def both(stage: str, done: int, _: int) -> None:
            if progress is not None:
                progress(stage, done + other.done, len(found))

        gathered = Gathered(size // at.WIDTH)
        told = _read_into(gathered, _kept(here, keep), control, both, len(here))
        while not other.ended(0.1):
            both("reading", len(here), 0)
        try:
            told_there, written = other.result()
            told += told_there
            rest.take(written)
            gathered.append(rest)
        except EOFError:  # it was ended, perhaps for want of memory: what it had is read here
            told += _read_into(gathered, _kept(there, keep), control, progress, len(found))
        reports = gathered.reports()
        return replace(reports, problems=[*told, *reports.problems]) if told else reports

    finish = alone
    try:
        with contextlib.suppress(OSError):  # no process or no memory left for it: all is read here
            rest = Gathered(room, shared=True)
            other.begin(read)
            finish = by_two
        yield finish
    finally:
        other.close()


def _kept(found: Sequence[tuple[str, str]], keep: Keep | None) -> Iterator[tuple[str, bytes | Problem]]:
    for name, data in files.contents(found):
        if keep is not None and isinstance(data, bytes):
            keep(name, data)
        yield name, data


def read_received(received: Sequence[tuple[str, bytes | Path]], *, control: str = "") -> Reports:
    """The same for reports given by name and bytes (or by name and the file that holds them)."""
    items = (
        (name, files.read_bytes(name, data) if isinstance(data, Path) else data)
        for name, data in sorted(received, key=lambda item: item[0])
    )
    size = sum(len(data) for _, data in received if isinstance(data, bytes))
    return _read_all(items, size, control, None, len(received))


def find(paths: Sequence[Path]) -> list[tuple[str, Path]]:
    """The files that ``read_reports`` reads: each with the name its reports have."""
    return [(name, Path(path)) for name, path in files.handed(paths).files]


def read_report(name: str, data: bytes, *, control: str = "") -> list[Report]:
    """Read one file's bytes.

    Args:
        name: of the file as messages call it, with its folders: ``results/rapid/open.trf``.
        data: its bytes.
        control: for a report that does not say.

    Returns:
        One report; as many as it holds for a ZIP file, or for a workbook with an event a sheet.
    """
    reports = []
    for inner, content in _unpacked(name, data):
        for report in _read_one(inner, content):
            event, said = _with_pace(report.event, control)
            reports.append(replace(report, event=event, problems=[*report.problems, *said]))
    return reports


def read_list(path: Path) -> tuple[pa.Table, list[Problem]]:
    """Read a rating list in whatever format it is.

    Returns:
        LIST, and what was found on the way.

    Raises:
        Refused: when no reader claims the file, more than one does, or it is no rating list.
    """
    path = Path(path)
    try:
        with open(path, "rb") as stream:
            head = stream.read(_LIST_HEAD)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise Refused(
            Problem("unreadable", "error", str(path), None, None, f"the list cannot be read: {why}", "check the path")
        ) from None
    if head.startswith(b"PK"):
        from fide_batch.formats import list_zip

        if member := list_zip.packed(path):
            with list_zip.unpacked(path, member) as plain:
                try:
                    found, problems = read_list(plain)
                except Refused as refused:
                    raise Refused(*(_of_archive(problem, path, plain) for problem in refused.problems)) from None
            return found, [_of_archive(problem, path, plain) for problem in problems]
    reader, problem = _claimed(LIST_READERS, path.name, head, "rating list")
    if reader is None:
        raise Refused(replace(problem, file=str(path)) if problem else Problem("unclaimed", "error", str(path)))
    table, problems = reader.read(path)
    return table, problems


def _of_archive(problem: Problem, path: Path, plain: Path) -> Problem:
    """A problem of an unpacked list as one of the file in its ZIP."""
    return replace(problem, file=problem.file.replace(str(plain), f"{path}/{plain.name}"))


# --- one file ---------------------------------------------------------------------------------------


def _read_all(
    items: Iterable[tuple[str, bytes | Problem]], size: int, control: str, progress: Progress | None, total: int
) -> Reports:
    """Read files as they come: ``size`` bytes of them in ``total`` files."""
    gathered = Gathered(size // at.WIDTH)
    told = _read_into(gathered, items, control, progress, total)
    reports = gathered.reports()
    return replace(reports, problems=[*told, *reports.problems]) if told else reports


def _read_into(
    gathered: Gathered,
    items: Iterable[tuple[str, bytes | Problem]],
    control: str,
    progress: Progress | None,
    total: int,
) -> list[Problem]:
    """Read files as they come, after those that are gathered already; the problems of what was left aside."""
    told: list[Problem] = []
    collecting = gc.isenabled()
    gc.disable()  # many small objects that all stay: looking through them again and again costs more than reading
    try:
        for batch in _batches(items, progress, total):
            aside = [content for _, content in batch if isinstance(content, Problem) and content.severity != "error"]
            if aside:  # a link in a ZIP is left aside as one in a folder is: it is no report without players
                told += aside
                batch = [item for item in batch if item[1] not in aside]
            gathered.add(_read_batch(batch, control, gathered))
    finally:
        if collecting:
            gc.enable()
    return told


def _batches(
    items: Iterable[tuple[str, bytes | Problem]], progress: Progress | None, total: int
) -> Iterator[list[tuple[str, bytes | Problem]]]:
    """The files, those in ZIP files too, in pieces of about ``_BATCH`` bytes."""
    batch: list[tuple[str, bytes | Problem]] = []
    size = 0
    for done, (name, data) in enumerate(items, 1):
        for inner, content in [(name, data)] if isinstance(data, Problem) else _unpacked(name, data):
            batch.append((inner, content))
            size += len(content) if isinstance(content, bytes) else 0
            if size >= _BATCH:
                yield batch
                batch, size = [], 0
        if progress is not None:
            progress("reading", done, total)
    yield batch


def _read_batch(batch: Sequence[tuple[str, bytes | Problem]], control: str, before: Gathered) -> Reports:
    """Sound TRF files by the fast reader, everything else one by one; in the order given, with places counted on from the reports before."""
    event, row = before.events, before.rows
    places = [place for place, (_, content) in enumerate(batch) if isinstance(content, bytes)]
    plain = [(name, content) for name, content in batch if isinstance(content, bytes)]
    sound, left = trf_fast.read_many(plain, event, row, before.room)
    taken = sorted(set(places) - {places[place] for place in left})
    if len(taken) == len(batch):
        return _paced(sound, control)
    others = [place for place in range(len(batch)) if place not in set(taken)]
    read = [(place, report) for place in others for report in _read_one(*batch[place])]
    one_by_one = Reports.gather([report for _, report in read])
    both = Reports.concat([trf_fast.moved(sound, -event, -row), one_by_one])
    return _paced(trf_fast.moved(trf_fast.in_order(both, [*taken, *(place for place, _ in read)]), event, row), control)


def _unpacked(name: str, data: bytes) -> Iterator[tuple[str, bytes | Problem]]:
    if zip_reports.is_archive(data):
        yield from zip_reports.members(name, data)
    else:
        yield name, data


def _read_one(name: str, content: bytes | Problem) -> list[Report]:
    """The report of one file by the reader that claims it, or several; without players, with the reason, when there is none."""
    if isinstance(content, Problem):
        return [Report(Event(name, ""), problems=[content])]
    digest = hashlib.sha256(content).hexdigest()
    if not content.strip(b"\x00\t\n\r \xef\xbb\xbf"):
        problem = Problem("empty-file", "error", name, None, None, "the file is empty", "ask for the file again")
        return [Report(Event(name, "", sha256=digest), problems=[problem])]
    reader, refusal = _claimed(REPORT_READERS, name, content, "report")
    if reader is None:
        return [Report(Event(name, "", sha256=digest), problems=[refusal] if refusal else [])]
    found: Report | list[Report] = reader.read(name, content)
    return [
        report if report.event.sha256 else replace(report, event=replace(report.event, sha256=digest))
        for report in (found if isinstance(found, list) else [found])
    ]


def _claimed(modules: Sequence[str], name: str, data: bytes, what: str) -> tuple[Any, Problem | None]:
    """The one reader that claims a file, or the problem: nobody does, or more than one."""
    readers = [import_module(f"{__name__}.{module}") for module in modules]
    missed = [(reader, reader.looks(name, data)) for reader in readers]
    mine = [reader for reader, reason in missed if not reason]
    if len(mine) == 1:
        return mine[0], None
    if mine:
        message = f"{' and '.join(reader.NAME for reader in mine)} both claim the file"
        return None, Problem(
            "claimed-twice", "error", name, None, None, message, "save it in one of these formats only"
        )
    reasons = "; ".join(f"{reader.NAME}: {reason}" for reader, reason in missed)
    program = _PROGRAMS.get(PurePosixPath(name).suffix.lower())
    hint = (
        f"this is {program}'s own file: export TRF16 from it"
        if program
        else f"take it out, or save it as a {what} in one of these formats"
    )
    return None, Problem(
        "unclaimed", "error", name, None, None, f"no reader knows this file as a {what} ({reasons})", hint
    )


def _paced(reports: Reports, control: str) -> Reports:
    """The reports with the pace decided."""
    events, problems = [], list(reports.problems)
    for event in reports.events:
        event, said = _with_pace(event, control)
        events.append(event)
        problems += said
    return replace(reports, events=events, problems=problems)


def _with_pace(event: Event, control: str) -> tuple[Event, list[Problem]]:
    if not event.format:
        return event, []
    decided, source, problems = pace.decide(event.control, event.control_from, event.file, control, event.line)
    if (decided, source) != (event.control, event.control_from):
        event = replace(event, control=decided, control_from=source)
    return event, problems
