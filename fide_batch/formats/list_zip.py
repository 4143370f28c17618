"""A rating list as it is downloaded: one file in a ZIP."""

from __future__ import annotations

import contextlib
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from fide_batch.formats.list_bytes import LARGEST
from fide_batch.model import Problem, Refused

HIGHEST_RATIO = 200
"""A list of columns full of spaces packs well: FIDE's ten to one."""

_BLOCK = 1 << 20


def packed(path: Path) -> zipfile.ZipInfo | None:
    """The one file in a ZIP; None where the file is no ZIP, or a workbook (which is a ZIP inside).

    Raises:
        Refused: when the ZIP cannot be read, or holds none or several files.
    """
    try:
        if not zipfile.is_zipfile(path):
            return None
        with zipfile.ZipFile(path) as archive:
            found = [
                info
                for info in archive.infolist()
                if info.filename and not info.is_dir() and "__MACOSX" not in info.filename
            ]
    except Exception as error:  # a damaged directory is met with whatever the library's arithmetic meets first
        said = str(error) or type(error).__name__
        raise _refused(path, "damaged", f"the ZIP file cannot be read: {said}", "download it again") from None
    if any(info.filename in ("[Content_Types].xml", "mimetype") for info in found):
        return None
    if len(found) != 1:
        raise _refused(
            path,
            "list-archive",
            f"the ZIP file holds {len(found)} files; expected one list",
            "unpack it and name the list",
        )
    return found[0]


@contextlib.contextmanager
def unpacked(path: Path, member: zipfile.ZipInfo) -> Iterator[Path]:
    """The file of a ZIP in a folder of its own, which is removed at the end.

    Raises:
        Refused: when it is protected, damaged, or larger than a list that is read.
    """
    with tempfile.TemporaryDirectory(prefix="fide-batch-") as folder:
        name = _name(member)
        target = Path(folder) / name
        try:
            with zipfile.ZipFile(path) as archive, archive.open(member) as packed_list, target.open("wb") as plain:
                size = 0
                while block := packed_list.read(_BLOCK):
                    size += len(block)
                    if size > LARGEST or size > HIGHEST_RATIO * max(member.compress_size, _BLOCK):
                        raise _refused(
                            path,
                            "archive-bomb",
                            f"{name} unpacks to more than any list",
                            "it is not a rating list",
                        )
                    plain.write(block)
        except (OSError, RuntimeError, zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as error:
            raise _refused(path, "damaged", f"{name} cannot be unpacked: {error}", "unpack it by hand") from None
        except Exception as error:  # zlib, bz2 and lzma have errors of their own
            if isinstance(error, Refused):
                raise
            raise _refused(path, "damaged", f"{name} cannot be unpacked: {error}", "unpack it by hand") from None
        yield target


def _name(member: zipfile.ZipInfo) -> str:
    """What the file in a ZIP is called here: without its folders, and in one line."""
    name = PurePosixPath(member.filename.replace("\\", "/")).name
    return "".join(letter if letter.isprintable() else "_" for letter in name) or "list"


def _refused(path: Path, code: str, message: str, hint: str) -> Refused:
    return Refused(Problem(code, "error", str(path), None, None, message, hint))
