"""The law as data: one complete TOML file per edition beside this module, and the ways to choose one.

    names()             every edition we have, ``classic`` first, then by date
    edition(name)       one of them
    in_force(day)       FIDE's edition in force on a day
    from_file(path)     a federation's own edition
    choose(rules, day)  what ``--rules`` says: a name, ``in-force``, or a file
    fingerprint(e)      what a manifest keeps of an edition

Every fault of an edition file is a ``Problem`` of code ``edition``; they arrive together, in one ``Refused``.
"""

from __future__ import annotations

import difflib
import functools
import hashlib
import json
import stat
from collections.abc import Iterable
from dataclasses import asdict
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

from fide_batch.model import Problem, Refused
from fide_batch.regulations.edition import Edition
from fide_batch.regulations.reading import LARGEST, Read, read

__all__ = ["IN_FORCE", "choose", "edition", "fingerprint", "from_file", "gather", "in_force", "last_day", "names"]

IN_FORCE = "in-force"
"""Not an edition but a way to choose: by the day of the event and of the list."""

_PROSE = ("title", "checked", "source", "changed", "decisions")


@functools.cache
def names() -> tuple[str, ...]:
    """The editions we have: ``classic`` first, then FIDE's in order of date."""
    found = sorted(
        entry.name.removesuffix(".toml") for entry in files(__package__).iterdir() if entry.name.endswith(".toml")
    )
    return tuple(sorted(found, key=lambda name: (name != "classic", name)))


@functools.cache
def edition(name: str) -> Edition:
    """The edition of a name.

    Raises:
        Refused: when there is no such edition; the hint names the nearest.
    """
    if name not in names():
        raise Refused(Problem("edition", "error", message=f"there is no edition {name[:60]!r}", hint=_meant(name)))
    file = files(__package__) / f"{name}.toml"
    return _whole([read(file.read_bytes(), f"{name}.toml", name)])[0]


def in_force(day: date) -> Edition:
    """The edition of FIDE in force on a day.

    Raises:
        Refused: for a day before the first edition.
    """
    # An edition is named by the month it begins in, and each file is held to that: no need to read them all.
    for name in reversed(_of_fide()):
        if name <= f"fide-{day:%Y-%m}":
            found = edition(name)
            if found.effective and found.effective <= day:
                return found
    first = edition(_of_fide()[0])
    raise Refused(
        Problem(
            "edition", "error", message=f"no edition was in force on {day}: the oldest here begins on {first.effective}",
            hint=f"choose an edition by name, e.g. --rules {first.name}",
        )
    )  # fmt: skip


def last_day(name: str) -> date | None:
    """The last day an edition of FIDE was in force; None for the newest, and for one that is chosen by name only."""
    for found, follower in zip(_of_fide(), _of_fide()[1:], strict=False):
        begins = edition(follower).effective
        if found == name and begins:
            return begins - timedelta(days=1)
    return None


def from_file(path: str | Path, *, name: str = "") -> Edition:
    """A federation's own edition: a file of the same keys, named as the edition is (``my-federation.toml``).

    Args:
        path: the file.
        name: the edition's name where the file has another one, as the copy in a sealed month has.

    Raises:
        Refused: with every fault of the file.
    """
    path = Path(path)
    name = name or path.stem
    found = read(_bytes(path), str(path), name)
    if found.edition and name in names() and fingerprint(found.edition) != fingerprint(edition(name)):
        found.problems.append(
            Problem(
                "edition", "error", str(path), found.line("name"), None,
                f"name = {name!r} is the name of a built-in edition, and the numbers here are others",
                "give the file and the edition a name of their own",
            )
        )  # fmt: skip
    return _whole([found])[0]


def choose(rules: str, day: date | None = None, *, folder: str | Path = ".") -> Edition:
    """What ``--rules`` says: an edition's name, ``in-force`` (on ``day``), or a file (ending ``.toml``, relative to ``folder``).

    Raises:
        Refused: when there is no such edition or file, or the file has faults.
        ValueError: for ``in-force`` without a day.
    """
    rules = rules.strip()
    if rules == IN_FORCE:
        if day is None:
            raise ValueError("in-force needs a day")
        return in_force(day)
    if rules in names():
        return edition(rules)
    if rules.lower().endswith(".toml") or "/" in rules or "\\" in rules:
        return from_file(Path(folder) / rules)
    return edition(rules)


def gather(folder: Any) -> tuple[Edition, ...]:
    """All editions of a folder, those chosen by name only first, then in order of date.

    Raises:
        Refused: with every fault of every file, and for two editions that begin on one day.
    """
    entries = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda entry: entry.name
    )
    found = [read(entry.read_bytes(), entry.name, entry.name.removesuffix(".toml")) for entry in entries]
    begins: dict[date, str] = {}
    for one in found:
        if one.edition and one.edition.effective:
            other = begins.setdefault(one.edition.effective, one.file)
            if other != one.file:
                one.problems.append(
                    Problem(
                        "edition", "error", one.file, one.line("effective"), None,
                        f"two editions begin on {one.edition.effective}: {other} and {one.file}", "give each a first day of its own",
                    )
                )  # fmt: skip
    return tuple(sorted(_whole(found), key=lambda e: (e.effective or date.min, e.name)))


def fingerprint(edition: Edition) -> str:
    """The sha256 of everything a rating and its audit depend on: all numbers, methods and articles, and the name.

    What is only about the edition (title, source, when it was checked, what changed, our decisions in words) is left out, so that a better
    sentence does not look like another law. The order of keys and the layout of the file do not matter.
    """
    content = {key: value for key, value in asdict(edition).items() if key not in _PROSE}
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _of_fide() -> tuple[str, ...]:
    """FIDE's own editions, the oldest first."""
    return tuple(name for name in names() if name.startswith("fide-"))


def _whole(found: Iterable[Read]) -> list[Edition]:
    found = list(found)
    problems = [problem for one in found for problem in one.problems]
    if problems:
        raise Refused(*problems)
    return [one.edition for one in found if one.edition]


def _meant(name: str) -> str:
    """The hint for a name we do not have."""
    known = ", ".join(names())
    if name.strip().lower() in ("in force", "inforce", "in_force", "fide"):
        return f"write {IN_FORCE} for FIDE's edition in force on each day; or one of {known}"
    near = difflib.get_close_matches(name.strip().lower()[:60], (*names(), IN_FORCE), 1, 0.6)
    for known_name in names():
        if known_name.removeprefix("fide-") == name.strip():
            near = [known_name]
    own = "; a file of your own is named with its ending, my-federation.toml"
    return f"did you mean {near[0]}? known are {known}" if near else f"known are {known}{own}"


def _bytes(path: Path) -> bytes:
    def refuse(message: str, hint: str) -> Refused:
        return Refused(Problem("edition", "error", str(path), message=message, hint=hint))

    try:
        if not path.exists():
            near = (
                difflib.get_close_matches(path.name, [p.name for p in path.parent.glob("*.toml")][:1000], 1)
                if path.parent.is_dir()
                else []
            )
            raise refuse(
                f"there is no file {path.name[:60]!r}",
                f"did you mean {near[0]}?" if near else "check the name; known editions: " + ", ".join(names()),
            )
        if not stat.S_ISREG(path.stat().st_mode):
            raise refuse(
                f"{path.name[:60]!r} is not a file", "name the edition file itself, e.g. --rules my-federation.toml"
            )
        with path.open("rb") as opened:
            return opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refuse(f"the edition file cannot be read: {reason}", "check the path and the permissions") from None
