"""The bytes of a list file: its encoding, its line ends, its lines in blocks of bounded size."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from fide_batch.formats.list_told import Told
from fide_batch.model import Problem, Refused

HEAD = 65_536
BLOCK = 1 << 22
"""Bytes read at a time; no line may be longer."""

LARGEST = 1 << 31
"""Bytes of a list. The world's, of 1.9 million players, has 320 MB as text and 860 MB as XML."""

LARGEST_WIDE = 1 << 28
"""A file in UTF-16 is turned as a whole; up to this size."""

ENCODINGS = ("utf-8", "cp1252", "latin-1")
"""Tried in this order: the first that fits every line is the file's."""


@contextlib.contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turns what the system says of a file (not there, no permission, a disk that fails) into a problem.

    Raises:
        Refused: ``list-file``.
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(
            Problem(
                "list-file",
                "error",
                str(path),
                message=f"the list cannot be read: {why}",
                hint="is it there, and a file?",
            )
        ) from None


def open_list(path: Path, told: Told) -> BinaryIO:
    """The file as UTF-8 (or an 8-bit encoding) without byte order mark.

    Raises:
        Refused: ``list-file`` when it cannot be opened or read.
    """
    try:
        file = path.open("rb")
        check_size(file, told)
        start = file.read(4)
        if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            with file:
                rest = file.read(LARGEST_WIDE)
                if file.read(1):
                    raise Refused(
                        Problem(
                            "list-file", "error", told.file, message="UTF-16 file too large", hint="save it as UTF-8"
                        )
                    )
            told.note("list-encoding", "the file is in UTF-16")
            return io.BytesIO((start + rest).decode("utf-16").encode("utf-8"))
        file.seek(3 if start.startswith(codecs.BOM_UTF8) else 0)
        return file
    except OSError as error:
        raise Refused(
            Problem(
                "list-file",
                "error",
                told.file,
                message=f"the list cannot be read: {error.strerror}",
                hint="is it there, and a file?",
            )
        ) from None
    except UnicodeDecodeError:
        raise Refused(
            Problem("list-file", "error", told.file, message="begins as UTF-16 and is not", hint="save it as UTF-8")
        ) from None


def check_size(file: BinaryIO, told: Told) -> None:
    """Refuse a file larger than any list.

    Raises:
        Refused: ``list-file``.
    """
    size = os.fstat(file.fileno()).st_size
    if size > LARGEST:
        file.close()
        told.error(
            "list-file",
            f"the file has {size / (1 << 30):.1f} GB; a list of at most {LARGEST >> 30} GB is read",
            "this is no rating list",
        )
        raise Refused(*told.problems)


def head_text(data: bytes) -> str:
    """The beginning of a file as text, whatever its encoding; '' for what is no text."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data[: len(data) // 2 * 2].decode("utf-16", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"PAR1")):
        return ""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def head_lines(text: str) -> list[str]:
    """The lines of a beginning; the last one, perhaps cut, only when it is the only one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if len(lines) > 1 else lines


def missed(data: bytes, kind: str, begins: Callable[[list[str]], object], heading: str) -> str:
    """'' when the beginning of a file is that of a list in text, else what was missed.

    Args:
        data: the beginning.
        kind: what the list is, beside XML.
        begins: finds its heading in the first lines; None when there is none.
        heading: what is said then.
    """
    text = head_text(data)
    if not text.strip():
        return "no text"
    if text.lstrip().startswith("<"):
        return f"XML, not {kind}"
    return heading if begins(head_lines(text)) is None else ""


def newline_of(head: bytes) -> int:
    """The byte that ends the lines: LF, or CR in files of old Macintoshes."""
    return 13 if b"\r" in head and b"\n" not in head else 10


def blocks(file: BinaryIO, newline: int, told: Told) -> Iterator[np.ndarray]:
    """Whole lines in blocks of about ``BLOCK`` bytes, each ending with ``newline``. A block is good until the next is asked for.

    Raises:
        Refused: ``list-line`` for a line longer than a block.
    """
    buffer = np.empty(2 * BLOCK, np.uint8)
    kept = 0
    lines = 0
    while True:
        count = file.readinto(buffer[kept : kept + BLOCK].data)  # type: ignore[attr-defined]
        filled = kept + count
        if not count:
            if filled:
                buffer[filled] = newline
                yield buffer[: filled + 1]
            return
        # From the end: the last line of the block is as a rule cut.
        last = filled
        while last > 0 and buffer[last - 1] != newline:
            step = max(0, last - 4096)
            found = np.flatnonzero(buffer[step:last] == newline)
            last = step + int(found[-1]) + 1 if len(found) else step
        if not last:
            if filled >= BLOCK:
                told.error(
                    "list-line",
                    f"a line of more than {BLOCK:,} bytes",
                    "this is no text list, or its line ends are lost",
                    line=lines + 1,
                )
                raise Refused(*told.problems)
            kept = filled
            continue
        yield buffer[:last]
        lines += 1
        kept = filled - last
        buffer[:kept] = buffer[last:filled].copy()
