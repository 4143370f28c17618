"""Reports in a ZIP file: its members one by one, within bounds that no sound archive comes near.

Nothing is written to disk, so a name that climbs out can do no harm; such an archive is refused all the same, since nobody's program makes it.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Iterator

from fide_batch.formats.files import left_aside
from fide_batch.model import Problem

MOST_MEMBERS = 20_000
LARGEST_MEMBER = 64 * 1024 * 1024
LARGEST_TOTAL = 1024 * 1024 * 1024
HIGHEST_RATIO = 200
"""A member may unpack to so many times its size; only one of a megabyte or more is held against it."""
DEEPEST = 2
"""A ZIP in a ZIP is opened, one in that is not."""

_LARGEST_DIRECTORY = 8 * 1024 * 1024


def is_archive(data: bytes) -> bool:
    """Whether the bytes are a ZIP of files: not a workbook (XLSX, ODS) or document, which are ZIPs inside."""
    if not data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return False
    head = data[30:80]
    if head.startswith((b"[Content_Types].xml", b"_rels/", b"mimetypeapplication/")):
        return False
    # The entry of a workbook may stand anywhere; its name is in the directory at the end, uncompressed.
    return b"[Content_Types].xml" not in data[-_LARGEST_DIRECTORY:]


class _Room:
    """How many bytes may still be unpacked from one archive and all archives in it."""

    def __init__(self) -> None:
        self.left = LARGEST_TOTAL


def members(name: str, data: bytes, depth: int = 1, room: _Room | None = None) -> Iterator[tuple[str, bytes | Problem]]:
    """The files of an archive in the order of their names: each with its name (``reports.zip/rapid/open.trf``), and its bytes or the problem with it.

    ``depth`` and ``room`` are for archives in archives.
    """
    room = room or _Room()
    opened = _open(name, data, depth)
    if isinstance(opened, Problem):
        yield name, opened
        return
    seen: set[str] = set()
    for info in sorted(opened.infolist(), key=lambda info: info.filename):
        if (
            not info.filename
            or info.filename.endswith("/")
            or any(left_aside(part) for part in info.filename.replace("\\", "/").split("/") if part not in (".", ".."))
        ):
            continue
        inner = _inner(name, info)
        problem = _refused(name, info, seen)
        seen.add(info.filename)
        if problem:
            yield inner, problem
            continue
        content = _unpack(opened, info, inner, room.left)
        room.left -= len(content) if isinstance(content, bytes) else 0
        if isinstance(content, bytes) and is_archive(content):
            yield from members(inner, content, depth + 1, room)
        else:
            yield inner, content
    if not seen:
        yield name, _error(name, "empty-archive", "the ZIP file holds no report", "hand over the reports themselves")


def _error(file: str, code: str, message: str, hint: str) -> Problem:
    return Problem(code, "error", file, None, None, message, hint)


def _open(name: str, data: bytes, depth: int) -> zipfile.ZipFile | Problem:
    if depth > DEEPEST:
        return _error(
            name, "archive-nested", f"a ZIP in a ZIP in a ZIP; {DEEPEST} deep is the most that is opened", "unpack it"
        )
    directory = data.rfind(b"PK\x05\x06")
    if directory < 0 or directory + 22 > len(data):
        return _damaged(name, "its directory is missing")
    count, size = struct.unpack_from("<HI", data, directory + 10)
    if count > MOST_MEMBERS or size > _LARGEST_DIRECTORY:
        return _error(
            name, "archive-too-large", f"the ZIP file says it holds {count} files or more; {MOST_MEMBERS} is the most", "split it"
        )  # fmt: skip
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:
        return _damaged(name, str(error) or type(error).__name__)


def _damaged(name: str, why: str) -> Problem:
    return _error(name, "archive-damaged", f"the ZIP file cannot be opened: {why}", "ask for the file again")


def _inner(name: str, info: zipfile.ZipInfo) -> str:
    """What a file in a ZIP is called in messages and tables: in one line."""
    return f"{name}/{''.join(letter if letter.isprintable() else '_' for letter in info.filename)}"


def _refused(name: str, info: zipfile.ZipInfo, seen: set[str]) -> Problem | None:
    path = info.filename.replace("\\", "/")
    inner = _inner(name, info)
    if path.startswith("/") or ".." in path.split("/") or (len(path) > 1 and path[1] == ":"):
        return _error(
            inner,
            "archive-path",
            "a name in the ZIP file leads out of it",
            "do not trust this file; ask where it comes from",
        )
    if info.filename in seen:
        return _error(inner, "archive-repeated", "two files of this name in the ZIP file", "pack it again")
    if stat.S_ISLNK(info.external_attr >> 16):
        return Problem(
            "link-outside",
            "warning",
            inner,
            None,
            None,
            "a link in the ZIP file; it is not followed",
            "pack the file itself",
        )
    if info.flag_bits & 0x1:
        return _error(
            inner, "archive-encrypted", "the file in the ZIP is encrypted", "unpack it with its password first"
        )
    if info.file_size > LARGEST_MEMBER:
        return _error(
            inner, "too-large", f"{info.file_size:,} bytes unpacked; {LARGEST_MEMBER:,} is the most", "this is no tournament report"
        )  # fmt: skip
    return None


def _unpack(archive: zipfile.ZipFile, info: zipfile.ZipInfo, inner: str, room: int) -> bytes | Problem:
    """A member's bytes; what the directory claims of their number is not believed."""
    allowed = min(LARGEST_MEMBER, room, max(1024 * 1024, HIGHEST_RATIO * info.compress_size))
    try:
        with archive.open(info) as stream:
            content = stream.read(allowed + 1)
    except Exception as error:
        return _error(
            inner,
            "archive-damaged",
            f"cannot be unpacked: {str(error) or type(error).__name__}",
            "ask for the file again",
        )
    if len(content) > allowed:
        return _error(
            inner, "archive-bomb", f"unpacks to more than {allowed:,} bytes from {info.compress_size:,}", "this is no tournament report"
        )  # fmt: skip
    return content
