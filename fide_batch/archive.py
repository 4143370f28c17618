"""The sealed months: lay out, seal, verify, find the list in force on a day.

A month is a folder ``2026-11/``: the tables as Parquet, the reports as received, and ``manifest.json``, which names every file with its
SHA-256 and the manifest of the month before. It is built in ``2026-11.partial/`` and renamed when complete. Where sealed months are replaced,
the list of replaced periods is written to ``replacing.json`` first: from that moment the new months count, and whoever opens the archive next
completes the renaming. So at any moment, whatever is killed, the archive is either as it was before or as it is after.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fide_batch.model import LIST, Period, Problem, Refused

FORMAT = 1
"""The version of the layout; a month of a later one is refused."""

_MANIFEST = "manifest.json"
_JOURNAL = "replacing.json"
_LOCK = "lock"
_MONTH = re.compile(r"\d{4}-\d{2}")
_PARTIAL = re.compile(r"\d{4}-\d{2}\.partial")


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The one way a manifest is written; anything else in the file is an alteration."""
    return (json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


class Archive:
    """The sealed months of a workspace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._manifests: dict[Period, dict[str, Any]] = {}

    # --- reading

    def _journal(self) -> tuple[str, ...]:
        try:
            return tuple(json.loads((self.folder / _JOURNAL).read_bytes()))
        except (OSError, ValueError):
            return ()

    def place(self, period: Period) -> Path:
        """The folder of a sealed month, where it is now."""
        partial = self.folder / f"{period}.partial"
        if str(period) in self._journal() and (partial / _MANIFEST).exists():
            return partial
        return self.folder / str(period)

    def periods(self) -> list[Period]:
        """The sealed months, oldest first."""
        try:
            names = {entry.name for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False)}
        except OSError:
            return []
        sealed = {name for name in names if _MONTH.fullmatch(name)} | set(self._journal())
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
            path = self.place(period) / _MANIFEST
            try:
                manifest = json.loads(path.read_bytes())
                layout = manifest["format"]
            except FileNotFoundError:
                raise Refused(self._no_month(period)) from None
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise Refused(
                    Problem(
                        "archive-damaged", "error", str(path), None, None, f"the manifest cannot be read: {error}",
                        "restore this month from a copy; fide-batch verify names what is damaged",
                    )
                ) from None  # fmt: skip
            if not isinstance(layout, int) or not 1 <= layout <= FORMAT:
                raise Refused(
                    Problem(
                        "archive-format", "error", str(path), None, None,
                        f"sealed in layout {layout}; this version reads layouts 1 to {FORMAT}", "install the version that sealed it, or a newer one",
                    )
                )  # fmt: skip
            self._manifests[period] = manifest
        return self._manifests[period]

    def _no_month(self, period: Period) -> Problem:
        sealed = ", ".join(map(str, self.periods())) or "none"
        return Problem(
            "no-month", "error", str(self.folder), None, None, f"{period} is not sealed; sealed months: {sealed}",
            f"fide-batch run --period {period} PATH seals it",
        )  # fmt: skip

    def table(
        self, period: Period, name: str, columns: Sequence[str] | None = None, fideid: int | None = None
    ) -> pa.Table:
        """A table of a sealed month (``list``, ``changes``, ``events``, ``games``, ``pending``, ``kept``, ``problems``), or the rows of one player.

        Raises:
            Refused: when the month is not sealed or the file is damaged.
        """
        self.manifest(period)
        return self._read(self.place(period) / f"{name}.parquet", columns, fideid)

    def _read(self, path: Path, columns: Sequence[str] | None = None, fideid: int | None = None) -> pa.Table:
        try:
            filters = None if fideid is None else pc.field("fideid") == fideid
            return pq.read_table(path, columns=list(columns) if columns else None, filters=filters, partitioning=None)
        except (OSError, pa.ArrowException) as error:
            raise Refused(
                Problem(
                    "archive-damaged", "error", str(path), None, None, f"the table cannot be read: {error}",
                    "restore this month from a copy; fide-batch verify names what is damaged",
                )
            ) from None  # fmt: skip

    def lists(self, before: Period) -> list[tuple[Period, Path]]:
        """The lists that were or are in force before a period, by date: those of sealed months and those a month started from."""
        found: dict[Period, Path] = {}
        for period in self.periods():
            if period >= before:
                break
            base = self.manifest(period).get("base")
            if base:
                found[Period.parse(base["period"])] = self.place(period) / "base.parquet"
            found[period] = self.place(period) / "list.parquet"
        return sorted(found.items())

    def read_list_file(self, path: Path) -> pa.Table:
        """A list named by ``lists``."""
        return self._read(path).cast(LIST)

    def list_in_force(self, day: date) -> Period | None:
        """The sealed list in force on a day."""
        in_force = [period for period in self.periods() if period.list_date <= day]
        return in_force[-1] if in_force else None

    def stored(self, period: Period, name: str) -> bytes:
        """A file of a sealed month as received."""
        return (self.place(period) / name).read_bytes()

    def seal_hash(self, period: Period) -> str:
        """The SHA-256 of a month's manifest, which the next month names."""
        return sha256_of(self.place(period) / _MANIFEST)

    # --- writing

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the archive for writing; what a killed run left behind is cleared away first.

        The lock belongs to the process and ends with it, so a dead process never blocks the next.

        Raises:
            Refused: when another run holds it, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / _LOCK).open("a+")
        except OSError as error:
            raise Refused(
                Problem(
                    "archive-unwritable",
                    "error",
                    str(self.folder),
                    None,
                    None,
                    f"the archive cannot be written: {error.strerror}",
                    "check the folder's permissions and the disk",
                )
            ) from None
        with lock:
            if not _try_lock(lock):
                raise Refused(
                    Problem(
                        "archive-busy",
                        "error",
                        str(self.folder),
                        None,
                        None,
                        "another run is at work on this archive",
                        "wait until it has ended, then run again",
                    )
                )
            self._recover()
            yield

    def remove_if_empty(self) -> None:
        """Take back an archive folder in which nothing was ever sealed."""
        (self.folder / _LOCK).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def _recover(self) -> None:
        for name in self._journal():
            self._put_in_place(Period.parse(name))
        (self.folder / _JOURNAL).unlink(missing_ok=True)
        for entry in self.folder.iterdir():
            if _PARTIAL.fullmatch(entry.name):
                shutil.rmtree(entry)
        self._manifests.clear()

    def _put_in_place(self, period: Period) -> None:
        partial, final = self.folder / f"{period}.partial", self.folder / str(period)
        if not (partial / _MANIFEST).exists():
            return
        if final.exists():
            count = 1
            while (self.folder / f"{period}.superseded-{count}").exists():
                count += 1
            final.rename(self.folder / f"{period}.superseded-{count}")
        partial.rename(final)
        _sync(self.folder)

    def build(
        self,
        period: Period,
        tables: Mapping[str, pa.Table],
        received: Mapping[str, bytes | Path],
        manifest: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Build a month in ``PERIOD.partial/``: tables, files as received (by their name inside the month), manifest. Call ``commit`` after.

        Raises:
            Refused: when the disk is full or the folder cannot be written; the unfinished month is removed.
        """
        partial = self.folder / f"{period}.partial"
        try:
            if partial.exists():
                shutil.rmtree(partial)
            partial.mkdir()
            files: dict[str, str] = {}
            for name, content in sorted(received.items()):
                path = partial / name
                path.parent.mkdir(parents=True, exist_ok=True)
                data = content.read_bytes() if isinstance(content, Path) else content
                _write(path, data)
                files[name] = hashlib.sha256(data).hexdigest()
            for name, columns in sorted(tables.items()):
                path = partial / f"{name}.parquet"
                pq.write_table(columns, path, compression="zstd", compression_level=1, row_group_size=1 << 17)
                files[path.name] = sha256_of(path)
            rows = {name: columns.num_rows for name, columns in tables.items()}
            complete = {**manifest, "format": FORMAT, "period": str(period), "files": files, "rows": rows}
            complete["seal"] = _seal(complete)
            if len(received) > 100:
                os.sync()
            else:
                for name in files:
                    _sync(partial / name)
            _write(partial / _MANIFEST, manifest_bytes(complete))
            _sync(partial / _MANIFEST)
            _sync(partial)
        except (OSError, pa.ArrowException) as error:
            shutil.rmtree(partial, ignore_errors=True)
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise Refused(
                Problem(
                    "archive-unwritable", "error", str(partial), None, None, f"the month cannot be written: {reason}",
                    "nothing was sealed; free some space or check the folder's permissions, then run again",
                )
            ) from None  # fmt: skip
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise
        return complete

    def commit(self, periods: Sequence[Period]) -> None:
        """Put built months in place, all of them or none."""
        if len(periods) > 1 or any((self.folder / str(period)).exists() for period in periods):
            journal = self.folder / _JOURNAL
            fresh = journal.with_suffix(".new")
            _write(fresh, json.dumps([str(period) for period in periods]).encode())
            _sync(fresh)
            fresh.rename(journal)
            _sync(self.folder)
        for period in periods:
            self._put_in_place(period)
        (self.folder / _JOURNAL).unlink(missing_ok=True)
        self._manifests.clear()

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
                "archive-damaged",
                "error",
                str(folder / name),
                None,
                None,
                message,
                "restore this file from a copy of the archive",
            )

        try:
            manifest = self.manifest(period)
            raw = (folder / _MANIFEST).read_bytes()
        except Refused as refused:
            return refused.problems
        problems: list[Problem] = []
        if raw != manifest_bytes(manifest) or manifest.get("seal") != _seal(manifest):
            problems.append(found(_MANIFEST, "the manifest was altered after sealing"))
        files = manifest.get("files")
        if not isinstance(files, dict):
            return [*problems, found(_MANIFEST, "the manifest names no files")]
        for name, digest in files.items():
            path = folder / name
            if path.is_symlink() or not path.is_file():
                problems.append(found(name, "the file is missing"))
            elif sha256_of(path) != digest:
                problems.append(found(name, "the file was altered after sealing"))
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and name != _MANIFEST and name not in files:
                problems.append(found(name, "the file does not belong to the sealed month"))
        if manifest.get("period") != str(period):
            problems.append(found(_MANIFEST, f"the manifest is that of {manifest.get('period')}"))
        return problems + self._chain(period, manifest)

    def _chain(self, period: Period, manifest: Mapping[str, Any]) -> list[Problem]:
        earlier = [other for other in self.periods() if other < period]
        previous = manifest.get("previous")
        expected = {"period": str(earlier[-1]), "manifest": self.seal_hash(earlier[-1])} if earlier else None
        if previous == expected:
            return []
        if earlier and previous and previous.get("period") == str(earlier[-1]):
            message = (
                f"sealed after another {earlier[-1]} than the one here: {earlier[-1]} was altered or replaced since"
            )
        else:
            message = f"sealed after {previous.get('period') if previous else 'no month'}, but before it now stands {earlier[-1] if earlier else 'no month'}"
        return [
            Problem(
                "archive-chain", "error", str(self.place(period) / _MANIFEST), None, None, message,
                f"fide-batch rerun --from {period} rates it again from the month before",
            )
        ]  # fmt: skip


def _seal(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of a manifest without this very line."""
    return hashlib.sha256(manifest_bytes({key: value for key, value in manifest.items() if key != "seal"})).hexdigest()


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)


def _sync(path: Path) -> None:
    """To the disk itself; a folder where the system allows it."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        if path.is_file():
            raise
    finally:
        os.close(handle)


def _try_lock(file: Any) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
