"""Which of the three ratings a list with a single rating column holds, and of which year a list is: from its name and heading."""

from __future__ import annotations

import re
from pathlib import PurePath

from fide_batch.formats.list_told import Told
from fide_batch.model import PREFIX

_WORDS = {
    "rapid": r"rapid|rapids|rapide|rapido|rápido|rpd|schnellschach|schnell|rapidplay|active",
    "blitz": r"blitz|blz|blitzschach",
    "standard": r"standard|std|classic|classical|klassisch|classique|clasico|slow",
}
_PATTERNS = {
    control: re.compile(rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])", re.IGNORECASE) for control, words in _WORDS.items()
}

MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_YEARS = (
    re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)"),
    re.compile(rf"(?<![a-z])(?:{MONTHS})[a-z]{{0,6}}[ _-]?(\d\d)(?!\d)", re.IGNORECASE),
)


def named_in(text: str) -> set[str]:
    """The controls a text names."""
    return {control for control, pattern in _PATTERNS.items() if pattern.search(text)}


def single_control(path: PurePath, heading: str, told: Told) -> str:
    """The control of a list with one rating column: named in the file's name, else in the heading, else standard; the choice is a note."""
    for where, text in (("file name", path.stem), ("heading", heading)):
        named = named_in(text)
        if len(named) == 1:
            control = named.pop()
            told.note("list-control", f"one rating column: taken as {control} ratings (from the {where})", _HINT)
            return control
        if named:
            told.warning(
                "list-control",
                f"one rating column, and the {where} names {' and '.join(sorted(named))}: taken as standard ratings",
                _HINT,
            )
            return "standard"
    told.note("list-control", "one rating column and no word of its control: taken as standard ratings", _HINT)
    return "standard"


_HINT = "put rapid_ or blitz_ into the file's name for a rapid or blitz list"


def in_columns_of(control: str, name: str) -> str:
    """The column of LIST for a column of a single-control list: ``games`` of a rapid list is ``rapid_games``."""
    return (
        PREFIX[control] + name
        if name in ("rating", "games", "k", "career_games", "reached_2400", "reached_2300", "last_played")
        else name
    )


def year_of(*texts: str) -> int:
    """The year a list is of, from its name or heading (``OCT26``, ``2003-10``); 0 when neither says."""
    for text in texts:
        for pattern in _YEARS:
            found = pattern.search(text)
            if found:
                year = int(found[1])
                return year if year > 99 else 2000 + year if year < 70 else 1900 + year
    return 0
