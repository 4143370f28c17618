"""What the archive asks of the disk: bytes written for good, the hash of a file, a lock that ends with its process."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def why(error: BaseException) -> str:
    """What the system or a library says of a failure, in one line."""
    said = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    return " ".join(said.split())


def write(path: str | Path, data: bytes) -> None:
    """The file anew."""
    with open(path, "wb") as file:
        file.write(data)


def sync(path: Path) -> None:
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


def try_lock(file: Any) -> bool:
    """Whether the lock on an open file was free and is ours now; it is given back when the file is closed or the process ends, however it ends.

    Raises:
        OSError: where the file system knows no locks.
    """
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
    except BlockingIOError:
        return False
    return True
