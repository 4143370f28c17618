"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of ``path`` when everything has been written; until then, and when writing fails, ``path`` stays as it was.

    Raises:
        OSError: when the folder cannot be written or the disk is full.
    """
    with beside(path) as (file, finish):
        yield file
        finish()


@contextlib.contextmanager
def beside(path: Path) -> Iterator[tuple[BinaryIO, Callable[[], None]]]:
    """A file beside ``path``, and what puts it in its place once it is written; it is gone afterwards where that was not asked for.

    Raises:
        OSError: when the folder cannot be written or the disk is full.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")

    def finish() -> None:
        file.flush()
        os.fsync(file.fileno())
        partial.replace(path)

    try:
        file = partial.open("wb")
        try:
            yield file, finish
        finally:
            with contextlib.suppress(OSError):  # what is not on the disk by now is given up
                file.close()
    finally:
        with contextlib.suppress(OSError):  # it is gone once it has its name; on a disk that fails it may stay
            partial.unlink()
