"""From the text of an edition file to an ``Edition``: the dataclasses of ``edition.py`` are the schema, and every fault is told at once."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import re
import reprlib
import tomllib
import types
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fide_batch.model import Problem
from fide_batch.regulations.edition import Edition
from fide_batch.regulations.sense import sense

LARGEST = 100_000
"""Bytes. Ours have 12,000; more is no edition."""

_LONGEST_LINE = 2500
_MOST_FAULTS = 100
_BAD: Any = object()
_OPTIONAL = ("effective", "articles_rapid_blitz")
_POINTS = {
    "first_rating.score": (2, "half points, such as 0.5 or 1"),
    "first_rating.bonus": (10, "points, such as 12.5 or 20"),
}
"""What the file prints in points and the edition holds in smaller whole units: halves, tenths."""

_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=")
_SECTION = re.compile(r"\s*\[\s*([A-Za-z0-9_-]+)\s*\]")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")
_WORDS = {int: "a whole number", str: "text in quotes", bool: "true or false", date: "a date such as 2026-11-01"}


class _Short(reprlib.Repr):
    """Values as the file writes them, cut short."""

    def repr_Decimal(self, value: Decimal, level: int) -> str:
        """``0.92``, not ``Decimal('0.92')``."""
        return str(value)[:50]

    def repr_date(self, value: date, level: int) -> str:
        """``2026-11-30``."""
        return str(value)

    repr_datetime = repr_date


_short = _Short()
_short.maxstring = _short.maxother = 50


@dataclass
class Read:
    """What reading one file came to: an edition, or the problems that say why not."""

    file: str
    edition: Edition | None = None
    problems: list[Problem] = field(default_factory=list)
    text: str = ""
    places: dict[str, int] = field(default_factory=dict)

    def line(self, path: str) -> int | None:
        """The line of a key (``lists.floor``), of the section it is missing from, or of a row (``expected_score.table 392``)."""
        path, _, low = path.partition(", item")[0].partition(" ")
        if row := re.search(rf"\[\s*{low}\s*,", self.text) if low else None:
            return self.text[: row.start()].count("\n") + 1
        return self.places.get(path) or self.places.get(path.rpartition(".")[0])

    def fault(self, path: str, message: str, hint: str, line: int | None = None) -> None:
        """Note one fault, at the line of its key."""
        self.problems.append(Problem("edition", "error", self.file, line or self.line(path), None, message, hint))


def read(data: bytes, file: str, stem: str) -> Read:
    """Read an edition file.

    Args:
        data: its bytes, at most ``LARGEST`` + 1 of them.
        file: its name for messages.
        stem: the name the edition must have.

    Never raises for what is in the file: a file that cannot be used has problems and no edition.
    """
    found = Read(file)
    content = _parse(data, found)
    if content is None:
        return found
    found.text = data.decode("utf-8-sig")
    found.places = _places(found.text)
    values = _table(Edition, content, "", found)
    unsound = frozenset(key for key, value in values.items() if value is _BAD)
    parts: dict[str, Any] = {key: None if key in unsound else value for key, value in values.items()}
    edition = Edition(**parts)
    if "name" not in unsound and edition.name != stem:
        found.fault(
            "name",
            f"name = {_shown(edition.name)} in a file called {stem}.toml",
            f'write name = "{stem}", or rename the file',
        )
    for path, message, hint in sense(edition, unsound):
        found.fault(path, message, hint)
    found.edition = None if found.problems else edition
    found.problems.sort(key=lambda problem: problem.line or 0)
    if len(found.problems) > _MOST_FAULTS:
        more = len(found.problems) - _MOST_FAULTS
        del found.problems[_MOST_FAULTS:]
        found.fault("", f"... and {more} more faults", "start from a built-in edition: fide-batch rules prints them")
    return found


def _parse(data: bytes, found: Read) -> dict[str, Any] | None:
    if len(data) > LARGEST:
        found.fault(
            "", f"the file is larger than {LARGEST:,} bytes", "an edition has about 200 lines; is this the right file?"
        )
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].count(b"\n")
        found.fault("", f"not UTF-8: byte {data[error.start]:#04x}", "save the file as UTF-8 text", before + 1)
        return None
    for number, row in enumerate(text.split("\n"), 1):
        if len(row) > _LONGEST_LINE:
            # Not for looks: the parser takes quadratic time over a key of ten thousand dots.
            found.fault(
                "", f"a line of {len(row):,} characters", f"an edition has lines of at most {_LONGEST_LINE:,}", number
            )
            return None
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        found.fault("", "lists nested too deeply", "an edition has lists of rows, nothing deeper")
    except (ValueError, ArithmeticError) as error:
        message = str(error) or "a number out of range"
        place = _PLACE.search(message)
        line, column = (int(place[1]), int(place[2])) if place and place[1] else (None, None)
        found.problems.append(
            Problem(
                "edition", "error", found.file, line, column,
                f"not TOML: {_PLACE.sub('', message)[:200]}", 'write key = value, text in quotes: name = "my-federation"',
            )
        )  # fmt: skip
    return None


def _places(text: str) -> dict[str, int]:
    """The line of each section and key. (The parser does not say; rows of lists never begin with ``key =``.)"""
    places: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _SECTION.match(line):
            section = header[1]
            places.setdefault(section, number)
        elif key := _KEY.match(line):
            places.setdefault(f"{section}.{key[1]}" if section else key[1], number)
    return places


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@functools.cache
def _sections() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, kind in _hints(Edition).items():
        whole: Any = _without_none(kind)
        if dataclasses.is_dataclass(whole):
            found[key] = whole
    return found


def _without_none(kind: Any) -> Any:
    if get_origin(kind) in (Union, types.UnionType):
        return next(part for part in get_args(kind) if part is not type(None))
    return kind


def _table(kind: Any, content: Any, path: str, found: Read) -> Any:
    """One table of the file as the arguments of its class; ``_BAD`` when it is none."""
    if not isinstance(content, dict):
        found.fault(
            path,
            f"{path} = {_shown(content)} is not a section",
            f"write [{path}] on a line of its own and its keys below",
        )
        return _BAD
    hints = _hints(kind)
    for key in content:
        if key not in hints:
            found.fault(
                f"{path}.{key}".strip("."),
                f"unknown key {key[:60]!r}{f' in [{path}]' if path else ''}",
                _nearest_key(key, path, hints),
            )
    values: dict[str, Any] = {}
    for key, key_kind in hints.items():
        here = f"{path}.{key}".strip(".")
        if key not in content:
            if here in _OPTIONAL:
                pass
            elif key in _sections() and not path:
                found.fault(
                    here,
                    f"the section [{key}] is missing",
                    "an edition is complete: docs/own-edition.md lists every section",
                )
            else:
                found.fault(here, f"{f'[{path}] has no' if path else 'there is no'} {key}", f"add a line: {key} = ...")
            values[key] = None if here in _OPTIONAL else _BAD
            continue
        values[key] = _value(_without_none(key_kind), content[key], here, found)
    return values


def _value(kind: Any, value: Any, path: str, found: Read) -> Any:
    """One value, checked against the type of its field; faults are noted and ``_BAD`` returned."""
    if dataclasses.is_dataclass(kind):
        values = _table(kind, value, path, found)
        return _BAD if values is _BAD or _BAD in values.values() else kind(**values)  # type: ignore[operator]
    if path in _POINTS:
        unit, words = _POINTS[path]
        scaled = _scaled(value, unit)
        return scaled if scaled is not None else _wrong(path, value, words, found)
    if path == "expected_score.table":
        return _printed_table(value, path, found)
    if get_origin(kind) is Literal:
        return _literal(get_args(kind), value, path, found)
    if get_origin(kind) is tuple:
        return _list(get_args(kind), value, path, found)
    if kind is int and type(value) is int:
        return value if abs(value) < 1_000_000 else _wrong(path, value, "a smaller number", found)
    if kind is str and isinstance(value, str):
        return (
            value
            if value.isprintable() and len(value) <= 2000
            else _wrong(path, value, "one line of text, at most 2,000 characters", found)
        )
    if (kind is bool and type(value) is bool) or (
        kind is date and isinstance(value, date) and not isinstance(value, datetime)
    ):
        return value
    return _wrong(path, value, _WORDS[kind], found)


def _wrong(path: str, value: Any, expected: str, found: Read) -> Any:
    found.fault(path, f"{path}{':' if ', item' in path else ' ='} {_shown(value)}", f"expected {expected}")
    return _BAD


def _literal(known: tuple[str, ...], value: Any, path: str, found: Read) -> Any:
    if value in known and isinstance(value, str):
        return value
    near = difflib.get_close_matches(str(value)[:60].lower(), known, 1, 0.5)
    found.fault(
        path,
        f"{path} = {_shown(value)}",
        (f"did you mean {near[0]!r}? " if near else "") + f"expected one of {', '.join(map(repr, known))}",
    )
    return _BAD


def _list(parts: tuple[Any, ...], value: Any, path: str, found: Read) -> Any:
    """``tuple[int, ...]``, ``tuple[str, ...]``, ``tuple[tuple[str, int], ...]``; faults name the item."""
    if not isinstance(value, list):
        return _wrong(path, value, "a list in [ ]", found)
    if parts[-1] is not ... and len(parts) != len(value):
        return _wrong(path, value, f"a row of {len(parts)}", found)
    kinds = [parts[0]] * len(value) if parts[-1] is ... else list(parts)
    items = [
        _value(kind, item, f"{path}, item {number}", found)
        for number, (kind, item) in enumerate(zip(kinds, value, strict=True), 1)
    ]
    return _BAD if _BAD in items else tuple(items)


def _printed_table(value: Any, path: str, found: Read) -> Any:
    """Rows ``[392, 411, 0.92]`` as whole numbers in order of D. A score without its decimal point would be a guess, and is refused."""
    if not isinstance(value, list):
        return _wrong(path, value, "rows such as [392, 411, 0.92]", found)
    rows = []
    for row in value:
        whole = (
            isinstance(row, list)
            and len(row) == 3
            and all(type(cell) is int and abs(cell) < 100_000 for cell in row[:2])
        )
        score = row[2] if whole else None
        if isinstance(score, str) and re.fullmatch(r"[01]?\.\d{1,2}", score):
            score = Decimal(score)
        hundredths = _scaled(score, 100) if isinstance(score, Decimal) else None
        if hundredths is None:
            low = f" {row[0]}" if isinstance(row, list) and row and type(row[0]) is int else ""
            found.fault(
                path + low,
                f"{path}: the row {_shown(row)}",
                "expected lowest D, highest D and the expected score, such as [392, 411, 0.92]",
            )
        else:
            rows.append((row[0], row[1], hundredths))
    return tuple(sorted(rows)) if len(rows) == len(value) else _BAD


def _scaled(value: Any, unit: int) -> int | None:
    """A number times a unit, where that is whole."""
    if type(value) is int and abs(value) < 1_000_000:
        return value * unit
    if isinstance(value, Decimal) and value.is_finite() and value.adjusted() < 6 and len(value.as_tuple().digits) < 20:
        scaled = value * unit
        return int(scaled) if scaled == scaled.to_integral_value() else None
    return None


def _shown(value: Any) -> str:
    return _short.repr(value)


def _nearest_key(key: str, path: str, hints: dict[str, Any]) -> str:
    near = difflib.get_close_matches(key[:60].lower(), hints, 1, 0.6)
    if near:
        return f"did you mean {near[0]!r}?"
    for section, kind in _sections().items():
        if key in _hints(kind) and section != path:
            return f"{key} belongs in [{section}]"
    if path and key in _hints(Edition):
        return f"{key} belongs above the first section"
    return f"known here are {', '.join(hints)}"
