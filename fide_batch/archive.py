"""The sealed months: lay out, seal, verify, find the list in force on a day.

A month is a folder ``2026-11/``: the tables as Parquet, the reports as received, and ``manifest.json``, which names every file with its
SHA-256 and the manifest of the month before. It is built in ``2026-11.partial/`` and renamed when complete. Where sealed months are replaced,
the list of replaced periods is written to ``replacing.json`` first: from that moment the new months count, and whoever opens the archive next
completes the renaming. So at any moment, whatever is killed, the archive is either as it was before or as it is after. Likewise
``publishing.json`` names the months whose lists are still to be written where the settings say.

What is read for rating is held against its SHA-256 first: an altered month is never built upon.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from fide_batch.building import MANIFEST, SPACE, Building, not_written, refusal
from fide_batch.disk import sha256_of, sync, try_lock, why, write
from fide_batch.manifest import FORMAT, HALF_SIGN, MONTH, manifest_bytes, misshapen, read_cover, seal
from fide_batch.model import LIST, Period, Problem, Refused
from fide_batch.player_rows import rows_of_player

_JOURNAL = "replacing.json"
_PUBLISHING = "publishing.json"
_LOCK = "lock"

_TRIES = 100
_ENDING = 15
"""Times the lock is asked for, a fiftieth of a second apart."""
_HELD = 6
"""Manifests kept in memory: that of the world's month takes 20 MB."""
_UNFINISHED = re.compile(r"[0-9]{4}-[0-9]{2}\.partial|replacing\.new|publishing\.new")
_ALTERED = "the file was altered after sealing"
_UNTOLD = "what it says of the month and its files is not relied on"
_RESTORE = "restore this month from a copy; fide-batch verify names what is damaged"


class Archive:
    """The sealed months of a workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._manifests: dict[Period, dict[str, Any]] = {}
        self._covers: dict[Period, dict[str, Any]] = {}
        self._last_seen: dict[int, dict[str, int]] = {}

    # --- reading

    def _named(self, file: str) -> tuple[str, ...]:
        """The months a journal names; none where it is not there.

        Raises:
            Refused: when it is there and cannot be read, since then nobody knows which months count.
        """
        path = self.folder / file
        try:
            names = json.loads(path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except (OSError, ValueError, RecursionError) as error:
            names = error
        if isinstance(names, list) and all(isinstance(name, str) and MONTH.fullmatch(name) for name in names):
            return tuple(names)
        said = why(names) if isinstance(names, Exception) else "it does not name months"
        raise refusal(
            "archive-damaged", path, f"the note of months being replaced cannot be read: {said}", "restore the archive from a copy"
        )  # fmt: skip

    def _journal(self) -> tuple[str, ...]:
        return self._named(_JOURNAL)

    def place(self, period: Period) -> Path:
        """The folder of a sealed month, where it is now."""
        partial = self.folder / f"{period}.partial"
        if str(period) in self._journal() and (partial / MANIFEST).exists():
            return partial
        return self.folder / str(period)

    def periods(self) -> list[Period]:
        """The sealed months, oldest first."""
        try:
            names = {entry.name for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False)}
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise refusal(
                "archive-unreadable", self.folder, f"the archive cannot be read: {why(error)}", "check the folder's permissions"
            ) from None  # fmt: skip
        sealed = {name for name in names if MONTH.fullmatch(name)} | set(self._journal())
        return sorted(Period.parse(name) for name in sealed)

    def newest(self) -> Period | None:
        """The last sealed month."""
        periods = self.periods()
        return periods[-1] if periods else None

    def manifest(self, period: Period) -> dict[str, Any]:
        """The manifest of a sealed month.

        Raises:
            Refused: when there is no such month, its manifest cannot be read, or a later version of the program sealed it.
        """
        if period not in self._manifests:
            path = self.place(period) / MANIFEST
            try:
                raw = path.read_bytes()
                manifest = json.loads(raw.decode())  # in UTF-8, as it was written, and nothing else
                if HALF_SIGN.search(raw):
                    raise ValueError("it holds half a sign")
            except FileNotFoundError:
                if path.parent.is_dir():
                    raise refusal("archive-damaged", path, "the manifest is missing", _RESTORE) from None
                raise Refused(self._no_month(period)) from None
            except (OSError, ValueError, RecursionError) as error:
                raise refusal(
                    "archive-damaged", path, f"the manifest cannot be read: {why(error)}", _RESTORE
                ) from None  # fmt: skip
            layout = manifest.get("format") if isinstance(manifest, dict) else None
            if isinstance(layout, int) and layout > FORMAT:
                raise refusal(
                    "archive-format", path, f"sealed in layout {layout}; this version reads layouts 1 to {FORMAT}",
                    "install the version that sealed it, or a newer one",
                )  # fmt: skip
            if fault := misshapen(manifest):
                raise refusal("archive-damaged", path, f"the manifest was altered: {fault}", _RESTORE)
            if len(self._manifests) >= _HELD:
                del self._manifests[next(iter(self._manifests))]
            self._manifests[period] = manifest
        return self._manifests[period]

    def cover(self, period: Period) -> dict[str, Any]:
        """The manifest of a sealed month as far as it says what the month is: all of it, or all but ``events`` and ``files``.

        Raises:
            Refused: as ``manifest``.
        """
        if period in self._manifests:
            return self._manifests[period]
        if period not in self._covers:
            try:
                cover = read_cover(self.place(period) / MANIFEST)
            except OSError:
                cover = None
            if cover is None:
                return self.manifest(period)  # or it says what is wrong with it
            self._covers[period] = cover
        return self._covers[period]

    def _forget_manifests(self) -> None:
        self._manifests.clear()
        self._covers.clear()

    def _no_month(self, period: Period) -> Problem:
        periods = self.periods()
        hint = f"fide-batch run --period {period} PATH seals it"
        if periods and period < periods[-1]:
            hint = "name one of these, or restore the month from a copy of the archive"
        return Problem(
            "no-month", "error", str(self.folder), None, None,
            f"{period} is not sealed; sealed months: {', '.join(map(str, periods)) or 'none'}", hint,
        )  # fmt: skip

    def table(
        self, period: Period, name: str, columns: Sequence[str] | None = None, fideid: int | None = None
    ) -> pa.Table:
        """A table of a sealed month (``list``, ``changes``, ``events``, ``games``, ``pending``, ``kept``, ``problems``), or the rows of one player.

        Raises:
            Refused: when the month is not sealed or the file is damaged.
        """
        if name not in self.cover(period)["rows"]:
            self._manifest_unaltered(period)
            raise refusal(
                "no-table", self.place(period), f"{period} holds no {name}", "it was sealed from a list, without reports"
            )  # fmt: skip
        if columns is None and fideid is None:
            self.unaltered(period, f"{name}.parquet")
        return self._read(self.place(period) / f"{name}.parquet", columns, fideid)

    def unaltered(self, period: Period, *names: str) -> None:
        """Refuse to build on files that are not as they were sealed.

        Raises:
            Refused: ``archive-damaged``, naming the first of them, or the manifest where that was altered itself.
        """
        for name in names:
            path = self.place(period) / name
            try:
                fault = "" if sha256_of(path) == self.manifest(period)["files"].get(name) else _ALTERED
            except OSError as error:
                fault = f"cannot be read: {why(error)}"
            if not fault:
                continue
            self._manifest_unaltered(period)
            raise refusal("archive-damaged", path, fault, _RESTORE)

    def _manifest_unaltered(self, period: Period) -> None:
        """Before a file is accused on the manifest's word: refuse, naming the manifest, where that was altered itself."""
        manifest = self.manifest(period)
        if manifest.get("seal") != seal(manifest):
            said = f"the manifest was altered after sealing: {_UNTOLD}"
            raise refusal("archive-damaged", self.place(period) / MANIFEST, said, _RESTORE)

    def _read(self, path: Path, columns: Sequence[str] | None = None, fideid: int | None = None) -> pa.Table:
        try:
            if fideid is not None:
                return rows_of_player(path, columns, fideid, self._last_seen.setdefault(fideid, {}))
            return pq.read_table(path, columns=list(columns) if columns else None, partitioning=None)
        except (OSError, pa.ArrowException, LookupError, TypeError) as error:
            raise refusal("archive-damaged", path, f"the table cannot be read: {why(error)}", _RESTORE) from None

    def lists(self, before: Period) -> list[tuple[Period, Path]]:
        """The lists that were or are in force before a period, by date: those of sealed months and those a month started from."""
        found: dict[Period, Path] = {}
        for period in self.periods():
            if period >= before:
                break
            base = self.cover(period).get("base")
            if base:
                found[Period.parse(base["period"])] = self.place(period) / "base.parquet"
            found[period] = self.place(period) / "list.parquet"
        return sorted(found.items())

    def read_list_file(self, path: Path) -> pa.Table:
        """A list named by ``lists``, as it was sealed.

        Raises:
            Refused: when it was altered.
        """
        self.unaltered(Period.parse(path.parent.name.removesuffix(".partial")), path.name)
        return self._read(path).cast(LIST)

    def list_in_force(self, day: date) -> Period | None:
        """The sealed list in force on a day."""
        in_force = [period for period in self.periods() if period.list_date <= day]
        return in_force[-1] if in_force else None

    def stored(self, period: Period, name: str) -> bytes:
        """A file of a sealed month as received.

        Raises:
            Refused: when it was altered or is missing.
        """
        self.unaltered(period, name)
        return (self.place(period) / name).read_bytes()

    def seal_hash(self, period: Period) -> str:
        """The SHA-256 of a month's manifest, which the next month names."""
        path = self.place(period) / MANIFEST
        try:
            return sha256_of(path)
        except OSError as error:
            raise refusal("archive-damaged", path, f"the manifest cannot be read: {why(error)}", _RESTORE) from None

    # --- writing

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the archive for writing; what a killed run left behind is cleared away first.

        The lock belongs to the process and ends with it, so a dead process never blocks the next.

        Raises:
            Refused: when another run holds it, or the folder cannot be written.
        """
        try:
            lock = self._lock()
            try:
                self._recover()
            except BaseException:
                lock.close()
                raise
        except OSError as error:
            raise refusal(
                "archive-unwritable", self.folder, f"the archive cannot be written: {why(error)}", SPACE
            ) from None  # fmt: skip
        with lock:
            yield

    def _lock(self) -> IO[str]:
        """The lock file, open and held."""
        path = self.folder / _LOCK
        for tries in range(_TRIES):
            # Another first run may make the folder, or take it back, between any two of these lines.
            try:
                if not self.folder.is_dir():
                    self.folder.mkdir(parents=True, exist_ok=True)
                    sync(self.folder.parent)
                lock = path.open("a+")
            except (FileExistsError, FileNotFoundError):
                if tries == _TRIES - 1:
                    raise
                continue
            if not _locked_soon(lock):
                lock.close()
                raise refusal(
                    "archive-busy", self.folder, "another run is at work on this archive", "wait until it has ended, then run again"
                )  # fmt: skip
            # A failed first run takes its archive folder back: a lock on a file that is gone would keep nobody out.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(lock.fileno()), path.stat()):
                    return lock
            lock.close()
        raise FileNotFoundError(2, "the folder comes and goes", str(path))

    def remove_if_empty(self) -> None:
        """Take back an archive folder in which nothing was ever sealed, unless another run has begun to work there."""
        with contextlib.suppress(OSError, Refused), self._lock():
            if {entry.name for entry in os.scandir(self.folder)} == {_LOCK}:
                (self.folder / _LOCK).unlink()
                self.folder.rmdir()

    def _recover(self) -> None:
        for name in self._journal():
            self._put_in_place(Period.parse(name))
        self._forget(_JOURNAL)
        for entry in list(os.scandir(self.folder)):
            if _UNFINISHED.fullmatch(entry.name):
                shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)
        self._forget_manifests()

    def _note(self, file: str, periods: Sequence[Period]) -> None:
        """Write a journal: whole, and on the disk before anything that relies on it."""
        fresh = (self.folder / file).with_suffix(".new")
        write(fresh, json.dumps([str(period) for period in periods]).encode())
        sync(fresh)
        fresh.rename(self.folder / file)
        sync(self.folder)

    def _forget(self, file: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            (self.folder / file).unlink()
            sync(self.folder)

    def _put_in_place(self, period: Period) -> None:
        partial, final = self.folder / f"{period}.partial", self.folder / str(period)
        if not (partial / MANIFEST).exists():
            return
        if final.exists():
            count = 1
            while (self.folder / f"{period}.superseded-{count}").exists():
                count += 1
            final.rename(self.folder / f"{period}.superseded-{count}")
        partial.rename(final)
        sync(self.folder)

    @contextlib.contextmanager
    def building(self, period: Period) -> Iterator[Building]:
        """Build a month in ``PERIOD.partial/``, which is taken away unless it is complete in the end. Call ``commit`` after.

        Raises:
            Refused: when the folder cannot be written.
        """
        partial = self.folder / f"{period}.partial"
        try:
            if partial.exists():
                shutil.rmtree(partial)
            partial.mkdir()
        except OSError as error:
            raise not_written(partial, error) from None
        with contextlib.closing(Building(partial, period)) as month:
            yield month

    def commit(self, periods: Sequence[Period], *, publish: bool = False) -> None:
        """Put built months in place, all of them or none.

        Args:
            periods: the months.
            publish: whether their lists are to be written elsewhere too: ``to_publish`` names them until ``published`` is called.

        Raises:
            Refused: when the disk is full or the folder cannot be written. Nothing was sealed then; or, where the message says so, all of it was.
        """
        replacing = len(periods) > 1 or any((self.folder / str(period)).exists() for period in periods)
        try:
            if publish:
                self._note(_PUBLISHING, sorted({*self.to_publish(), *periods}))
            if replacing:
                self._note(_JOURNAL, periods)
            else:
                self._put_in_place(periods[0])
        except OSError as error:
            self.discard(periods)
            raise refusal(
                "archive-unwritable", self.folder, f"the archive cannot be written: {why(error)}", f"nothing was sealed; {SPACE}"
            ) from None  # fmt: skip
        self._forget_manifests()
        if not replacing:
            return
        try:
            for period in periods:
                self._put_in_place(period)
            self._forget(_JOURNAL)
        except OSError as error:
            said = f"the new months are sealed, but could not all be given their names: {why(error)}"
            raise refusal("archive-unwritable", self.folder, said, f"the next run completes it; {SPACE}") from None

    def to_publish(self) -> list[Period]:
        """Sealed months whose lists were not yet written where the settings say: a run was killed, or the disk was full."""
        return [period for period in map(Period.parse, self._named(_PUBLISHING)) if period in self.periods()]

    def published(self) -> None:
        """All lists are written.

        Raises:
            Refused: when the note that they are not cannot be taken away.
        """
        try:
            self._forget(_PUBLISHING)
        except OSError as error:
            said = f"everything is sealed and written, but the note of it cannot be removed: {why(error)}"
            raise refusal(
                "archive-unwritable", self.folder / _PUBLISHING, said, f"the next run removes it; {SPACE}"
            ) from None

    def discard(self, periods: Sequence[Period]) -> None:
        """Take back built months that were not committed."""
        for period in periods:
            shutil.rmtree(self.folder / f"{period}.partial", ignore_errors=True)

    @staticmethod
    def partial_hash(manifest: Mapping[str, Any]) -> str:
        """What ``seal_hash`` will give for a month just built."""
        return hashlib.sha256(manifest_bytes(manifest)).hexdigest()

    # --- verifying

    def damage(self, period: Period) -> list[Problem]:
        """Whatever differs between a sealed month and its manifest, and whether its chain to the month before holds."""
        folder = self.place(period)

        def found(name: str, message: str) -> Problem:
            return Problem(
                "archive-damaged", "error", str(folder / name), None, None, message, "restore this file from a copy of the archive"
            )  # fmt: skip

        try:
            manifest = self.manifest(period)
            raw = (folder / MANIFEST).read_bytes()
        except OSError as error:
            return [found(MANIFEST, f"the manifest cannot be read: {why(error)}")]
        except Refused as refused:
            return refused.problems
        problems: list[Problem] = []
        if manifest.get("seal") != seal(manifest):
            hint = "restore this file from a copy of the archive; fide-batch verify then tells whether the other files are as sealed"
            return [replace(found(MANIFEST, f"the manifest was altered after sealing: {_UNTOLD}"), hint=hint)]
        if raw != manifest_bytes(manifest):
            problems.append(found(MANIFEST, "the manifest was altered after sealing"))
        files = manifest["files"]
        for name, digest in files.items():
            path = folder / name
            try:
                if path.is_symlink() or not path.is_file():
                    problems.append(found(name, "the file is missing"))
                elif sha256_of(path) != digest:
                    problems.append(found(name, _ALTERED))
            except OSError as error:
                problems.append(found(name, f"the file cannot be read: {why(error)}"))
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if (path.is_symlink() or not path.is_dir()) and name != MANIFEST and name not in files:
                problems.append(found(name, "the file does not belong to the sealed month"))
        if manifest.get("period") != str(period):
            problems.append(found(MANIFEST, f"the manifest is that of {manifest.get('period')}"))
        return problems + self._chain(period, manifest)

    def _chain(self, period: Period, manifest: Mapping[str, Any]) -> list[Problem]:
        earlier = [other for other in self.periods() if other < period]
        previous = manifest.get("previous")
        if earlier and not (self.place(earlier[-1]) / MANIFEST).is_file():
            return []  # told of the earlier month
        expected = {"period": str(earlier[-1]), "manifest": self.seal_hash(earlier[-1])} if earlier else None
        if previous == expected:
            return []
        if earlier and previous and previous.get("period") == str(earlier[-1]):
            message = (
                f"sealed after another {earlier[-1]} than the one here: {earlier[-1]} was altered or replaced since"
            )
        else:
            message = f"sealed after {previous.get('period') if previous else 'no month'}, but before it now stands {earlier[-1] if earlier else 'no month'}"
        hint = f"fide-batch rerun --from {period} rates it again from the month before"
        if previous and Period.parse(previous["period"]) not in earlier:
            hint = f"restore {previous['period']} from a copy of the archive; {hint}, as if that month had never been"
        return [Problem("archive-chain", "error", str(self.place(period) / MANIFEST), None, None, message, hint)]


def _locked_soon(lock: IO[str]) -> bool:
    """Whether the lock is ours: at once, or when the second process of a run that was killed has ended too, which takes some thousandths of a second."""
    for _ in range(_ENDING):
        if try_lock(lock):
            return True
        time.sleep(0.02)
    return False
