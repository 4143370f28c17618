"""What stands in one cell of a rating list, read with care: the plain twin of every fast way of reading numbers.

Numbers come as ``int`` with -1 for an empty cell. A cell that cannot be read raises ``Fault``, which says what was found and what was
expected; the caller knows the file, the line and the column.
"""

from __future__ import annotations

import re
from datetime import date

from fide_batch.model import id_code

EMPTY = -1
"""In NumPy columns of a list that is being read: the cell was empty."""

HIGHEST_RATING = 3500
HIGHEST_GAMES = 99_999
HIGHEST_K = 100

NUMBERS = tuple(prefix + name for prefix in ("", "rapid_", "blitz_") for name in ("rating", "games", "k"))
STATE_NUMBERS = tuple(
    prefix + name for prefix in ("", "rapid_", "blitz_") for name in ("career_games", "reached_2400", "reached_2300")
)
STATE_DAYS = tuple(prefix + "last_played" for prefix in ("", "rapid_", "blitz_"))
WORDS = ("country", "sex", "title", "w_title", "o_title", "foa_title", "birthday", "flag")


class Fault(ValueError):
    """A cell that cannot be read. ``code`` is the problem's, ``hint`` what to do."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


_BLANK = frozenset(("", "-", "--", "–", "—"))
_WHOLE = re.compile(r"(\d{1,9})(?:[.,]0{1,6})?", re.ASCII)

_CALLED = {"rating": "rating", "games": "number of games", "k": "K", "career_games": "number of games"}
_HIGHEST = {"rating": HIGHEST_RATING, "games": HIGHEST_GAMES, "k": HIGHEST_K, "career_games": 999_999}


def clean(text: str) -> str:
    """A text cell without spaces around it; control characters inside become spaces."""
    text = text.strip()
    if text.isprintable():
        return text
    return "".join(" " if ord(char) < 32 or ord(char) == 127 else char for char in text).strip()


def number(text: str, column: str) -> int:
    """A number of the list; -1 when the cell is empty, or 0 where 0 means *none* (rating, K).

    ``2100.0`` is read as 2100: spreadsheets write whole numbers so.

    Raises:
        Fault: ``list-rating`` or ``list-number``: no whole number, or none that a rating, a count or a K can be.
    """
    kind = column.removeprefix("rapid_").removeprefix("blitz_")
    text = text.strip()
    if text in _BLANK:
        return EMPTY
    found = _WHOLE.fullmatch(text if text.strip("-0") else text.lstrip("-"))  # -0 is 0
    if kind.startswith("reached"):
        if found and int(found[1]) in (0, 1):
            return int(found[1])
        raise Fault(
            "list-number", f"{column} {text[:40]!r}; expected 1, 0 or nothing", "1: reached, 0: not, empty: not known"
        )
    code = "list-rating" if kind == "rating" else "list-number"
    highest, called = _HIGHEST[kind], column.replace("_", " ") if column != kind else _CALLED[kind]
    if not found or int(found[1]) > highest:
        expected = f"a whole number from 0 to {highest}"
        raise Fault(code, f"{called} {text[:40]!r}; expected {expected}", "correct the cell; leave it empty for none")
    value = int(found[1])
    return EMPTY if value == 0 and kind in ("rating", "k") else value


_QUOTES = "'\"`´‘’“”"
_GROUPED_ZERO = re.compile(r"(\d{1,15})[.,]0{1,6}", re.ASCII)
_POWER = re.compile(r"\d+[.,]?\d*E\+\d+", re.ASCII)


def identity(text: str) -> int:
    """The id's code (``model.id_code``). Zeros in front are part of an id: ``0042`` is another than 42.

    Raises:
        Fault: ``list-id``: there is none, or what stands there cannot be one.
    """
    hint = "every player of a list needs an id"
    found = (
        text.strip().removeprefix("=").strip(_QUOTES).strip()
    )  # ="0042" keeps a spreadsheet from making a number of it
    if found in _BLANK or not found.strip("0"):
        raise Fault("list-id", f"no id ({text.strip()!r})" if text.strip() else "no id", hint)
    whole = _GROUPED_ZERO.fullmatch(found)
    if whole:
        found = whole[1]
    if _POWER.fullmatch(found.upper()):
        raise Fault(
            "list-id",
            f"id {found!r} is a number the spreadsheet has shortened",
            "format the column as text and save again",
        )
    try:
        return id_code(found)
    except ValueError:
        raise Fault(
            "list-id",
            f"{found[:40]!r} cannot be an id; expected a number, or up to 12 letters, digits and hyphens",
            hint,
        ) from None


def day(text: str, column: str) -> int:
    """A day as days since 1970; -1 for an empty cell.

    Raises:
        Fault: ``list-date``: no day of the form 2026-10-31.
    """
    text = text.strip()
    if text in _BLANK:
        return EMPTY
    try:
        found = date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) else None
    except ValueError:
        found = None
    if found is None or found.year < 1971:
        raise Fault(
            "list-date",
            f"{column} {text[:40]!r}; expected a day such as 2026-10-31",
            "correct the cell or leave it empty",
        )
    return (found - date(1970, 1, 1)).days


_YEAR = re.compile(r"(18[5-9]\d|19\d\d|20\d\d)(?:\.0)?", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})", re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{2})", re.ASCII)
_EIGHT = re.compile(r"((?:18|19|20)\d\d)(\d\d)(\d\d)", re.ASCII)


def birth(text: str, century_end: int) -> tuple[str, str]:
    """A birth year or day as the list holds it (``2008``, ``2008-03-04``, '' for none), and what had to be decided about it in words.

    Years of two digits are read as the latest year not after ``century_end``. Where day and month could be swapped only the year is kept: no rule
    needs more.

    Raises:
        Fault: ``list-birth``: it cannot be read.
    """
    text = text.strip().removesuffix(" 00:00:00")
    if not text.strip("0-./ "):
        return "", ""
    found = _YEAR.fullmatch(text)
    if found:
        return found[1], ""
    found = _EIGHT.fullmatch(text) or _YEAR_FIRST.fullmatch(text)
    decided = ""
    if found:
        *_, year_found, month_found, day_found = [group for group in found.groups() if group.isdigit()]
        year, month, of_month = int(year_found), int(month_found), int(day_found)
    else:
        found = _YEAR_LAST.fullmatch(text)
        if not found:
            raise _no_birth(text)
        of_month, month, year = int(found[1]), int(found[3]), int(found[4])
        if len(found[4]) == 2:
            year += century_end // 100 * 100
            year -= 100 if year > century_end else 0
            decided = "years of two digits"
        if found[2] != "." and month > 12:
            of_month, month = month, of_month
        elif found[2] != "." and of_month <= 12 and of_month != month:
            return str(year), "day and month could be swapped"
    if month == 0 or of_month == 0:
        month, of_month = 0, 0
    if not 1850 <= year <= 2100:
        raise _no_birth(text)
    if not month:
        return str(year), decided
    try:
        return date(year, month, of_month).isoformat(), decided
    except ValueError:
        raise _no_birth(text) from None


def _no_birth(text: str) -> Fault:
    return Fault(
        "list-birth",
        f"birth {text[:40]!r}; expected a year or a day such as 2008-03-04",
        "correct the cell or leave it empty",
    )


# A name such as =HYPERLINK(...) is a formula to a spreadsheet. Our CSV writer puts an apostrophe before such text (and before text that begins
# with apostrophes and then such a sign, so that nothing is lost); here it is taken away again.
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r].", re.DOTALL)


def without_apostrophe(text: str) -> str:
    """The text as it was before a CSV writer made it harmless to spreadsheets: ``'=1+1`` -> ``=1+1``; ``'t Hoen`` stays."""
    return text[1:] if text[:1] == "'" and _NEUTRALISED.match(text) else text
