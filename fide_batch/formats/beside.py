"""A second process that reads some of the reports while this one reads others, or the list: threads would only take turns.

It is a copy of this process (a fork), and what it has read comes back in memory both see: nothing is written to the disk. It ends with this process,
however that ends.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fide_batch.model import Reports

if TYPE_CHECKING:
    from multiprocessing import connection

Read = Callable[[Callable[[str, int, int], None]], Reports]
"""Reads reports, called with a progress."""


def possible() -> bool:
    """Whether this system has a second processor and can copy a process."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


class Beside:
    """Reports that are being read by another process. To be closed."""

    def __init__(self, read: Read) -> None:
        import multiprocessing  # a hundredth of a second, for those who read much

        self._done = mmap.mmap(-1, 8)
        self._tables = [os.memfd_create(name) for name in ("entries", "cells")]
        self._here, there = multiprocessing.Pipe(duplex=False)
        context = multiprocessing.get_context("fork")
        self._process = context.Process(target=_work, args=(read, self._done, self._tables, there), daemon=True)
        self._process.start()
        there.close()

    @property
    def done(self) -> int:
        """Files read so far."""
        return int.from_bytes(self._done[:8], "little")

    def ended(self, seconds: float) -> bool:
        """Wait for its end, at most so long."""
        return self._here.poll(seconds)

    def reports(self) -> Reports:
        """What was read; waits for it. Whatever was raised there is raised here.

        Raises:
            EOFError: when the process was ended by somebody else before it was through.
        """
        found: BaseException | tuple[Any, Any] = pickle.loads(self._here.recv_bytes())
        if isinstance(found, BaseException):
            raise found
        events, problems = found
        entries, cells = (pa.ipc.open_stream(pa.py_buffer(mmap.mmap(table, 0))).read_all() for table in self._tables)
        return Reports(events, entries, cells, problems)

    def close(self) -> None:
        """End it, should it still be at work."""
        self._process.kill()
        self._process.join()
        self._here.close()
        for table in self._tables:
            os.close(table)


def _work(read: Read, done: mmap.mmap, tables: list[int], there: connection.Connection) -> None:
    """What the second process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both; the first ends this one
    threading.Thread(target=_end_with_the_first, daemon=True).start()

    def progress(_: str, files: int, __: int) -> None:
        done[:8] = files.to_bytes(8, "little")

    try:
        reports = read(progress)
        for table, place in zip((reports.entries, reports.cells), tables, strict=True):
            with os.fdopen(place, "wb", closefd=False) as file, pa.ipc.new_stream(file, table.schema) as stream:
                stream.write_table(table)
        found: object = (reports.events, reports.problems)
    except Exception as error:
        found = error
    there.send_bytes(pickle.dumps(found, pickle.HIGHEST_PROTOCOL))


def _end_with_the_first() -> None:
    import multiprocessing
    from multiprocessing import connection

    first = multiprocessing.parent_process()
    if first is not None:
        connection.wait([first.sentinel])
        os._exit(1)
