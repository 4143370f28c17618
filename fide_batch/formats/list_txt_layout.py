"""Where the columns of a text list stand: told by its heading, or, where there is none, seen in the lines themselves."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fide_batch.formats.list_cells import NUMBERS
from fide_batch.formats.list_control import MONTHS

ANY_CONTROL = {"any_rating": "rating", "any_games": "games", "any_k": "k"}
"""Columns of a list with one rating: whose they are is decided by the file's name or heading."""

_HEADS: dict[str, str] = {
    "fideid": "id number|id_number|idnumber|id no|fideid|fide id|fide_id|id|code",
    "name": "name",
    "country": "federation|country|fed|ctry",
    "sex": "sex",
    "title": "title|titl|tit",
    "w_title": "wtitle|wtit",
    "o_title": "otitle|otit",
    "foa_title": "foa",
    "rating": "srtng",
    "games": "sgm",
    "k": "sk",
    "rapid_rating": "rrtng|rapid",
    "rapid_games": "rgm|rgames",
    "rapid_k": "rk",
    "blitz_rating": "brtng|blitz",
    "blitz_games": "bgm|bgames",
    "blitz_k": "bk",
    "any_rating": rf"rating|rtng|rtg|elo|(?:{MONTHS}) ?\d\d",
    "any_games": "games|gms|game|gm",
    "any_k": "k",
    "birthday": "birthday|b-day|bday|born|birth",
    "flag": "flag",
}
_ONE_HEAD = "|".join(
    f"(?P<{name}>{words})" for name, words in sorted(_HEADS.items(), key=lambda item: item[0] == "any_k")
)
# Two heads may touch (TitlFed, GamesBorn); a head that only begins with words we know is one we do not know.
_WORD = r"(?:ID[ _]number|ID[ _]no\b|FIDE[ _]id|\S+)"
_TOKEN = re.compile(_WORD, re.IGNORECASE)
_PART = re.compile(_ONE_HEAD, re.IGNORECASE)

HEADING_WITHIN = 20
"""The heading stands in the first so many lines."""


@dataclass(frozen=True)
class Column:
    """A column of the text: its name in LIST ('' for one we do not use) and its places in the line, from 0, the end not included."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Layout:
    """The columns of a list in the order of the line."""

    columns: tuple[Column, ...]
    heading: str
    """The heading as it stands; '' when there is none."""
    heading_line: int
    """Its line, from 1; 0 when there is none. Lines before it are no players."""

    @property
    def width(self) -> int:
        """Places of a complete line."""
        return self.columns[-1].end

    def named(self, name: str) -> Column | None:
        """The column of a name."""
        return next((column for column in self.columns if column.name == name), None)

    @property
    def single(self) -> bool:
        """Whether there is one rating column of no named control."""
        return self.named("any_rating") is not None and not any(
            column.name.endswith("rating") and column.name in NUMBERS for column in self.columns
        )

    def renamed(self, names: dict[str, str]) -> Layout:
        """The layout with columns under other names."""
        return Layout(
            tuple(Column(names.get(column.name, column.name), column.start, column.end) for column in self.columns),
            self.heading, self.heading_line,
        )  # fmt: skip


def _parts(word: str) -> list[tuple[str, int]]:
    """The heads in a word with their places: one, or several that touch; ``("", 0)`` for a word we do not know."""
    found: list[tuple[str, int]] = []
    place = 0
    while place < len(word):
        part = _PART.match(word, place)
        if not part or (part.lastgroup == "any_k" and part.end() < len(word)):
            return [("", 0)]
        found.append((str(part.lastgroup), place))
        place = part.end()
    return found


def by_heading(heading: str) -> tuple[Column, ...]:
    """The columns a heading announces; () when it is no heading of a list (no id, no name, or separators in it)."""
    if any(separator in heading for separator in ",;\t<"):
        return ()
    heads: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(heading.rstrip()):
        heads += [(name, token.start() + place) for name, place in _parts(token[0])]
    names = [name for name, _ in heads if name]
    if "fideid" not in names or "name" not in names or len(names) != len(set(names)) or names[0] != "fideid":
        return ()
    ends = [start for _, start in heads[1:]]
    last_name, last_start = heads[-1]
    ends.append(last_start + 4 if last_name == "flag" else max(last_start + 6, len(heading.rstrip())))
    starts = [0] + [start for _, start in heads[1:]]
    return tuple(Column(name, start, end) for (name, _), start, end in zip(heads, starts, ends, strict=True))


_BARE = re.compile(
    r" *(?P<fideid>[1-9]\d{3,9}) +(?P<name>\S.*?)(?:  +(?P<title>w?[gmfc]))? +(?P<country>[A-Z]{3}) +(?P<rating>\d{4}) +(?P<games>\d{1,3})"
    r"(?: +(?P<birthday>\d\d\.\d\d\.\d\d(?:\d\d)?|\. *\. *))?(?: +(?P<flag>[wi]{1,2}))? *"
)
_BARE_NAMES = (
    ("fideid", "fideid"), ("name", "name"), ("title", "title"), ("country", "country"), ("rating", "any_rating"), ("games", "any_games"),
    ("birthday", "birthday"), ("flag", "flag"),
)  # fmt: skip


def by_lines(lines: Sequence[str]) -> tuple[Column, ...]:
    """The columns of a list without a heading (FIDE's of 2003), seen in its lines; () when most of them are no such lines."""
    seen = [line for line in lines if line.strip()][:400]
    found = [match for match in map(_BARE.fullmatch, seen) if match]
    if len(found) < 2 or len(found) * 10 < len(seen) * 8:
        return ()
    starts: list[tuple[str, int]] = []
    for group, name in _BARE_NAMES:
        places = [match.start(group) for match in found if match[group] is not None]
        if not places:
            continue
        if group == "fideid":
            start = 0
        elif group in ("rating", "name", "country"):
            start = Counter(places).most_common(1)[0][0]
        elif group == "games":
            start = starts[-1][1] + 4  # three digits of games begin further left than any seen
        else:
            start = min(places)
        starts.append((name, start))
    if any(later <= earlier for (_, earlier), (_, later) in itertools.pairwise(starts)):
        return ()
    width = max([len(line.rstrip()) for line in seen] + [starts[-1][1] + 4])
    ends = [start for _, start in starts[1:]] + [width]
    return tuple(Column(name, start, end) for (name, start), end in zip(starts, ends, strict=True))


def of_lines(lines: Sequence[str]) -> Layout | None:
    """The layout of a list from its first lines; None when they are not those of a text list."""
    for number, line in enumerate(lines[:HEADING_WITHIN], 1):
        columns = by_heading(line)
        if columns:
            return Layout(columns, line.rstrip(), number)
    columns = by_lines(lines)
    return Layout(columns, "", 0) if columns else None
