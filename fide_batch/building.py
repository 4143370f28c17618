"""A month's folder while it is filled."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fide_batch.disk import sha256_of, sync, why, write
from fide_batch.manifest import FORMAT, sealed_bytes
from fide_batch.model import Period, Problem, Refused

MANIFEST = "manifest.json"
SPACE = "free some space or check the folder's permissions, then run again"


def refusal(code: str, place: Path, message: str, hint: str) -> Refused:
    """An error of the archive, at a file or folder of it."""
    return Refused(Problem(code, "error", str(place), None, None, message, hint))


def _received(path: Path) -> bytes:
    """A file handed over, read once more to be kept.

    Raises:
        Refused: when it is gone.
    """
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall()
    except OSError as error:
        raise refusal(
            "changed-while-read", path, f"it was there and now cannot be read: {why(error)}", "run again when nobody works on it"
        ) from None  # fmt: skip


Pieces = Iterable[pa.Table]
"""A table too large to be held whole, in pieces of the same schema, at least one; each becomes blocks of rows of its own."""


class Building:
    """A month's folder while it is filled: tables and files are written beside whatever else goes on, and are there once ``complete`` is through.

    What cannot be written is told by ``complete``.
    """

    def __init__(self, folder: Path, period: Period) -> None:
        self.folder = folder
        self.period = period
        self.manifest: dict[str, Any] = {}
        """Of the month, when it is complete."""
        # Two tables at a time: each is a file of its own, so its bytes are the same whatever is written beside it.
        self._tables = ThreadPoolExecutor(2)
        self._files = ThreadPoolExecutor(1)
        self._given_up = False
        self._made: set[str] = set()
        self._written: dict[str, Future[tuple[str, str, int]]] = {}
        self._kept: list[Future[dict[str, str]]] = []

    @property
    def begun(self) -> frozenset[str]:
        """The tables that are written or on their way."""
        return frozenset(self._written)

    def table(self, name: str, table: pa.Table | Pieces) -> None:
        """Begin to write a table."""
        self._written[name] = self._tables.submit(_write_table, self.folder, name, table, lambda: self._given_up)

    def put(self, name: str, data: bytes) -> None:
        """Write a file as it was received, by its name inside the month; ``keep`` is told of it when all are there.

        A second process may do so too.

        Raises:
            Refused: when the disk is full or the folder cannot be written.
        """
        path = f"{self.folder}{os.sep}{name}"
        inside = os.path.dirname(path)
        try:
            if inside not in self._made:
                os.makedirs(inside, exist_ok=True)
                self._made.add(inside)
            write(path, data)
        except OSError as error:
            raise not_written(self.folder, error) from None

    def keep(self, received: Mapping[str, bytes | Path], there: Mapping[str, str] | None = None) -> None:
        """Begin to write files as they were received, by their name inside the month; ``there`` are the SHA-256 of those ``put`` wrote."""
        self._kept.append(self._files.submit(self._keep, received, dict(there or {})))

    def _keep(self, received: Mapping[str, bytes | Path], files: dict[str, str]) -> dict[str, str]:
        for name, content in sorted(received.items()):
            if self._given_up:
                break
            data = _received(content) if isinstance(content, Path) else content
            self.put(name, data)
            files[name] = hashlib.sha256(data).hexdigest()
        _to_disk([self.folder / name for name in files])
        return files

    def complete(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Wait for all that is written, see that it is on the disk, and write the manifest last; it is given back as written.

        Raises:
            Refused: when the disk is full, the folder cannot be written, or a file received is gone.
        """
        files: dict[str, str] = {}
        rows: dict[str, int] = {}
        try:
            for kept in self._kept:
                files.update(kept.result())
            for name in sorted(self._written):
                file, files[file], rows[name] = self._written[name].result()
            complete = {**manifest, "format": FORMAT, "period": str(self.period), "files": files, "rows": rows}
            complete["seal"], text = sealed_bytes(complete)
            for inside in {os.path.dirname(name) for name in files} - {""}:
                for folder in (self.folder / inside, *(self.folder / inside).parents):
                    if folder != self.folder and self.folder in folder.parents:
                        sync(folder)
            write(self.folder / MANIFEST, text)
            sync(self.folder / MANIFEST)
            sync(self.folder)
        except (OSError, pa.ArrowException) as error:
            raise not_written(self.folder, error) from None
        self.manifest = complete
        return complete

    def close(self) -> None:
        """Nothing more is written; a month that is not complete is taken away."""
        self._given_up = True
        self._tables.shutdown(cancel_futures=True)
        self._files.shutdown(cancel_futures=True)
        if not self.manifest:
            shutil.rmtree(self.folder, ignore_errors=True)


def _to_disk(written: Sequence[Path]) -> None:
    """See that files are on the disk: each by itself, or where they are many all that waits to be written."""
    if len(written) > _MANY:
        os.sync()
        return
    for path in written:
        sync(path)


_MANY = 100


def not_written(folder: Path, error: Exception) -> Refused:
    """The error of a month that could not be written."""
    return refusal(
        "archive-unwritable", folder, f"the month cannot be written: {why(error)}", f"nothing was sealed; {SPACE}"
    )


def _write_table(
    folder: Path, name: str, table: pa.Table | Pieces, given_up: Callable[[], bool]
) -> tuple[str, str, int]:
    """Write a table into a month's folder; its file's name, SHA-256 and number of rows."""
    path = folder / f"{name}.parquet"
    pieces = iter([table] if isinstance(table, pa.Table) else table)
    first = next(pieces)
    rows = 0
    # Rows are looked up by player only; words of a dictionary pay for all but names and running numbers. A third of the time less.
    with pq.ParquetWriter(
        path, first.schema, compression="zstd", compression_level=1, write_statistics=["fideid"],
        use_dictionary=[column for column in first.column_names if column not in (*_RUNNING, *_AS_DIFFERENCES.get(name, ()))],
        column_encoding=dict.fromkeys(_AS_DIFFERENCES.get(name, ()), "DELTA_BINARY_PACKED") or None,
    ) as file:  # fmt: skip
        for piece in chain([first], pieces):
            if given_up():
                break
            file.write_table(piece, _BLOCKS.get(name, _BLOCK) if piece is table else max(piece.num_rows, 1))
            rows += piece.num_rows
    sync(path)
    pa.default_memory_pool().release_unused()  # a month has several large tables, each of which leaves much free behind it
    return path.name, sha256_of(path), rows


_BLOCK = 1 << 17
"""Rows of a block of a table that is there whole ..."""
_BLOCKS = dict.fromkeys(("changes", "pending", "kept"), 1 << 14)
"""... and of one in the order of ids: the smallest and largest id of its blocks say which one a player is in, and only that one is read."""


_AS_DIFFERENCES = {
    **dict.fromkeys(("base", "list", "changes", "events", "pending", "kept"), ("fideid",)),
    "games": ("opponent_rating", "difference", "counted_difference", "counted"),
}
"""Columns by their table of which only the differences from row to row are written. Ids are smaller so, and read in less than half the time when a
player is looked for (in the games one player's rows stand together, and ids as they are pack best); of the games these are written sooner than by
words, and no larger."""


_RUNNING = ("fideid", "opponent", "name", "line", "round", "own_rating")
"""Columns with nearly as many values as rows, or with values in runs."""
