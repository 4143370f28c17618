"""Work done in processes of its own, some at once: whatever it does to its process, the next piece of work is done."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Job = TypeVar("Job")

FAILED = 70
"""The exit status of work that ended with an exception."""


def workers() -> int:
    """How many processes work at once; FIDE_BATCH_WORKERS bounds them."""
    return int(os.environ.get("FIDE_BATCH_WORKERS") or os.cpu_count() or 1)


def each(jobs: list[Job], work: Callable[[Job, Path], int]) -> Iterator[tuple[Job, int, Path]]:
    """Do the jobs, the last one first, and tell of each how it ended: the exit status ``work`` came to, or less than nothing, the signal.

    What is added to ``jobs`` meanwhile is done too. ``work`` gets a folder of its own, in memory where there is one; it is there until the next is told.
    """
    base = Path("/dev/shm")
    at_work: dict[int, tuple[Job, Path]] = {}
    while jobs or at_work:
        while jobs and len(at_work) < workers():
            job = jobs.pop()
            folder = Path(tempfile.mkdtemp(prefix="fide-batch-", dir=base if base.is_dir() else None))
            sys.stdout.flush()
            pid = os.fork()
            if pid == 0:
                code = FAILED
                try:
                    code = work(job, folder)
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stdout.flush()
                    os._exit(code)
            at_work[pid] = job, folder
        time.sleep(0.002)
        for pid in list(at_work):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                job, folder = at_work.pop(pid)
                yield job, os.waitstatus_to_exitcode(status), folder
                shutil.rmtree(folder, ignore_errors=True)


def one(work: Callable[[], Any]) -> Any:
    """What work comes to, of which nothing stays loaded here."""

    def write(job: None, folder: Path) -> int:
        (folder / "answer").write_bytes(pickle.dumps(work()))
        return 0

    for _, status, folder in each([None], write):
        if status == 0:
            return pickle.loads((folder / "answer").read_bytes())
        sys.exit(f"ended with {status}")
