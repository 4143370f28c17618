"""The files that are handed over: files and folders of folders, in an order of their own, links not followed out of them."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fide_batch.formats import pace
from fide_batch.model import Problem

LARGEST = 64 * 1024 * 1024
"""Bytes of the largest report that is read."""

LARGEST_ARCHIVE = 256 * 1024 * 1024
"""Bytes of the largest ZIP file."""

MOST_FILES = 100_000

_LOOKED_AT = 200
"""So many files at least say how large all are."""

_SYSTEM = frozenset({"thumbs.db", "desktop.ini", "__macosx", "icon\r"})
_READMES = frozenset({"readme", "read me", "liesmich", "lisezmoi", "leeme", "leggimi", "license"})

_Identity = tuple[int, int]
"""What tells a file from every other whatever it is called: device and number."""


def left_aside(name: str) -> bool:
    """Whether a file or folder is nobody's report by its name: hidden, an office program's lock, a system's own."""
    return name.startswith((".", "~$")) or name.lower() in _SYSTEM


def is_readme(name: str) -> bool:
    """Whether a file in a folder is a note to people."""
    stem, _, ending = name.lower().rpartition(".")
    return ending == "md" or (stem or ending) in _READMES


@dataclass
class Handed:
    """What was handed over: names as reports are called in every message and table, with where they are; and what was wrong."""

    files: list[tuple[str, str]] = field(default_factory=list)
    """Names and paths."""
    problems: list[Problem] = field(default_factory=list)

    def tell(self, code: str, severity: str, file: str, message: str, hint: str = "") -> None:
        """One more problem."""
        self.problems.append(Problem(code, severity, file, None, None, message, hint))


def handed(paths: Sequence[Path]) -> Handed:
    """Every file of some paths that may be a report, sorted by name; the order of the paths does not matter.

    Folders are looked through with all folders in them; hidden files, locks and read-me notes in them are left aside. A link in a folder
    that leads out of it is a warning. A path that does not exist, an empty folder, a path that is neither file nor folder are errors.
    """
    found = Handed()
    seen: set[_Identity] = set()
    for path in sorted({Path(path) for path in paths}, key=lambda path: path.as_posix()):
        shown = path.as_posix()
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            found.tell("not-found", "error", shown, f"cannot be opened: {_why(error)}", "check the path")
            continue
        if stat.S_ISDIR(status.st_mode):
            before = len(found.files)
            known = len(seen)
            _folder(path, status.st_dev, found, seen)
            if len(found.files) == before and len(seen) == known:
                found.tell(
                    "empty-folder", "error", shown, "the folder holds no report", "put the month's reports into it"
                )
        elif stat.S_ISREG(status.st_mode):
            _add((status.st_dev, status.st_ino), _name(path), os.fspath(path), found, seen)
        else:
            found.tell("not-a-file", "error", shown, "neither a file nor a folder", "hand over files or folders")
    found.files = _distinct(found.files)
    return found


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__


def _name(path: Path) -> str:
    """A path as messages call it: as typed when it leads down from here, else its last part (and a folder that says rapid or blitz)."""
    if not path.is_absolute() and ".." not in path.parts:
        return path.as_posix() if path.parts else ""
    name = path.name or path.resolve().name
    if not path.is_dir() and pace.folder(f"{path.parent.name}/x"):
        return f"{path.parent.name}/{name}"
    return name


def _add(identity: _Identity, name: str, path: str, found: Handed, seen: set[_Identity]) -> None:
    if identity not in seen:
        seen.add(identity)
        found.files.append((name, path))


def _folder(top: Path, device: int, found: Handed, seen: set[_Identity]) -> None:
    """All files of a folder and of the folders in it."""
    name, inside = _name(top), os.path.realpath(top)
    waiting = [(os.fspath(top), name)]
    while waiting:
        folder, folder_name = waiting.pop()
        try:
            items = sorted(os.scandir(folder), key=lambda item: item.name)
        except OSError as error:
            found.tell(
                "unreadable", "error", folder_name, f"the folder cannot be read: {_why(error)}", "check its permissions"
            )
            continue
        for item in items:
            if left_aside(item.name):
                continue
            if len(found.files) >= MOST_FILES:
                found.tell(
                    "too-many-files", "error", name, f"more than {MOST_FILES:,} files", "hand over the month's reports only"
                )  # fmt: skip
                return
            item_name = f"{folder_name}/{item.name}" if folder_name else item.name
            if not item.name.isprintable() or not _encodable(item_name):
                found.tell("file-name", "error", ascii(item_name), "the name of the file is no text", "rename it")
            elif item.is_symlink():
                if not _inside(item.path, inside):
                    found.tell(
                        "link-outside", "warning", item_name, "a link that leads out of the folder; it is not followed",
                        "hand over the file it leads to",
                    )  # fmt: skip
                # What a link inside leads to is found in its own place.
            elif item.is_dir():
                waiting.append((item.path, item_name))
            elif not item.is_file():
                found.tell("not-a-file", "error", item_name, "neither a file nor a folder", "take it out of the folder")
            elif is_readme(item.name) and not _is_text_report(item.path):
                found.tell("left-aside", "note", item_name, "a note to people by its name; not read as a report")
            else:
                _add((device, item.inode()), item_name, item.path, found, seen)


def _encodable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _inside(path: str, top: str) -> bool:
    real = os.path.realpath(path)
    return os.path.commonpath([real, top]) == top and os.path.exists(real)


def _is_text_report(path: str) -> bool:
    """Whether a file called readme is a report after all."""
    from fide_batch.formats import trf

    try:
        with open(path, "rb") as stream:
            return not trf.looks(path, stream.read(4096))
    except OSError:
        return False


def _distinct(files: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The files by name; of two with the same name each takes more of its path until they differ, and so does one named as a folder of another."""
    for depth in range(1, 20):
        names: dict[str, list[int]] = {}
        for place, (name, _) in enumerate(files):
            names.setdefault(name, []).append(place)
        folders = _folders(names)
        if len(names) == len(files) and folders.isdisjoint(names):
            break
        for name, places in names.items():
            for place in places if len(places) > 1 or name in folders else ():
                path = Path(files[place][1]).resolve()
                length = len(Path(files[place][0]).parts) + (1 if depth else 0)
                files[place] = ("/".join(path.parts[1:][-length:]), files[place][1])
    return sorted(files, key=lambda item: item[0])


def _folders(names: Iterable[str]) -> set[str]:
    """Every folder that some names stand in."""
    found: set[str] = set()
    for name in names:
        folder = name.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


_OPEN = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""A pipe put in a file's place is not waited for."""


def _read(descriptor: int, size: int, most: int) -> bytes:
    """What is left of a file, of at most ``most`` bytes and one more."""
    data = os.read(descriptor, min(size, most) + 1)
    if len(data) == size:
        return data
    parts, total = [data], len(data)
    while parts[-1] and total <= most:
        parts.append(os.read(descriptor, min(1 << 20, most + 1 - total)))
        total += len(parts[-1])
    return b"".join(parts)


def read_bytes(name: str, path: str | Path) -> bytes | Problem:
    """A file's bytes, or the problem with it: gone, not readable, too large."""
    try:
        descriptor = os.open(path, _OPEN)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Problem(
                    "not-a-file", "error", name, None, None, "not a regular file", "hand over files or folders"
                )
            largest = LARGEST
            if status.st_size > LARGEST:
                largest = LARGEST_ARCHIVE if os.read(descriptor, 2) == b"PK" else LARGEST
                os.lseek(descriptor, 0, os.SEEK_SET)
            # One that says it is too large is not read at all.
            data = b"" if status.st_size > largest else _read(descriptor, status.st_size, largest)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        return Problem(
            "unreadable", "error", name, None, None, f"cannot be read: {_why(error)}", "check that the file is there and may be read"
        )  # fmt: skip
    if max(len(data), status.st_size) > largest:
        message = f"more than {largest:,} bytes; the largest report that is read has {largest // 1024 // 1024} MB"
        return Problem("too-large", "error", name, None, None, message, "this is no tournament report; take it out")
    return data


def size(files: Sequence[tuple[str, str]]) -> int:
    """About how many bytes the files hold together; of those that cannot be looked at nothing, of large ones what may be read.

    Of many files some are looked at, evenly spread: as many again for every one of them, and a quarter more, since some are larger than others.
    """
    step = max(len(files) // _LOOKED_AT, 1)
    total = 0
    for _, path in files[::step]:
        with contextlib.suppress(OSError):
            total += min(os.stat(path).st_size, LARGEST)
    return total if step == 1 else total * step * 5 // 4


def contents(files: Sequence[tuple[str, str]]) -> Iterator[tuple[str, bytes | Problem]]:
    """The files' bytes one by one."""
    for name, path in files:
        yield name, read_bytes(name, path)
