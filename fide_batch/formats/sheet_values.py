"""What stands in one cell of a table: numbers, points, ids, dates, ratings, as people and spreadsheets write them.

A cell is a ``str`` (CSV, text cells), a ``float`` or ``int`` (number cells), a ``bool``, a ``date`` or ``datetime`` (date cells) or None.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from fide_batch.model import POINT, id_code

SERIAL_DAY_0 = date(1899, 12, 30)
"""Day 0 of the spreadsheets' day numbers, from 1 March 1900 on."""

_SPACES = re.compile(r"[\s\u00a0\u2007\u202f\ufeff\u200b]+")
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "‒": "-"})


def text(cell: object) -> str:
    """A cell as one line of text: ``12.0`` as ``12``, a date as ``2026-10-31``, spaces single and none around."""
    if cell == "":
        return ""
    if type(cell) is str:
        if cell.isprintable() and "  " not in cell and cell[:1] != " " and cell[-1:] != " ":
            return cell
        return _SPACES.sub(" ", cell).strip()
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(" ", "seconds")
    return _SPACES.sub(" ", str(cell)).strip()


def whole(cell: object) -> int | None:
    """A whole number of 0 or more (start numbers, ranks): ``12``, ``12.0``, ``12.``; None when it is none."""
    if type(cell) is float:
        return int(cell) if cell.is_integer() and 0 <= cell < 1e9 else None
    found = re.fullmatch(r"(\d{1,9})(?:[.,]0*|\.)?", text(cell), re.ASCII)
    return int(found[1]) if found else None


_HALF = re.compile(r"(\d{0,4}) ?(?:½|1/2)")
_DECIMAL = re.compile(r"(\d{0,4})(?:[.,](\d{0,4}))?", re.ASCII)


def points(cell: object) -> int | None:
    """A total in ten-thousandths (``5½``, ``5,5``, ``5.5``, ``5 1/2``); -1 for an empty cell, None when it cannot be read."""
    if isinstance(cell, bool):
        return None
    if isinstance(cell, int | float):
        scaled = cell * POINT
        return int(scaled) if 0 <= cell < 10_000 and scaled == int(scaled) else None
    return _points(text(cell))


@lru_cache(1024)
def _points(value: str) -> int | None:
    if value in ("", "-"):
        return -1
    found = _HALF.fullmatch(value)
    if found:
        return int(found[1] or 0) * POINT + POINT // 2
    found = _DECIMAL.fullmatch(value)
    if not found or not (found[1] or found[2]):
        return None
    return int(found[1] or 0) * POINT + int((found[2] or "").ljust(4, "0"))


_QUOTES = "'\"`´‘’“”«» "
_ID = re.compile(r"\d[\dA-Z-]{0,11}|\d{1,18}", re.ASCII)


def identity(cell: object) -> tuple[int, str]:
    """An id as ``(id_code, what was mended)``: quotes and spaces taken away, ``1503014.0`` and ``1503014,0`` as 1503014; ``(0, "")`` for an empty cell.

    Text keeps its zeros: ``0042`` is another id than 42.

    Raises:
        ValueError: for what cannot be an id (a date, ``4.31E+07``, ``CM1``, ``Z56538``), with the reason.
    """
    if isinstance(cell, bool):
        raise ValueError("a TRUE/FALSE cell")
    if isinstance(cell, int | float):
        if not 0 <= cell < 10**15 or cell != int(cell):
            raise ValueError("no whole number")
        return int(cell), ""
    if isinstance(cell, date | time | timedelta):
        raise ValueError("a date")
    value = text(cell)
    if value in ("", "-", "--", "n/a", "N/A", "?"):
        return 0, ""
    bare = value.strip(_QUOTES)
    grouped = re.fullmatch(r"\d{1,3}( \d{3})+", bare)
    if grouped:
        bare = bare.replace(" ", "")
    elif re.fullmatch(r"\d+(?: \d+)+", bare, re.ASCII):
        raise ValueError(f"blanks between the digits; if one id is meant, write {bare.replace(' ', '')}")
    cut = re.fullmatch(r"(\d{1,15})[.,]0+", bare, re.ASCII)
    if cut:
        bare = cut[1]
    upper = bare.upper()
    if re.fullmatch(r"\d+[.,]?\d*E\+\d+", upper):
        raise ValueError("a number the spreadsheet has shortened: its last digits are lost")
    if upper.count("-") == 2 and re.fullmatch(r"\d{1,4}-\d{1,2}-\d{1,4}", upper):
        raise ValueError("a date")
    if not upper:
        return 0, "quotes"
    if not _ID.fullmatch(upper):
        raise ValueError(
            "no id: an id is a number" if not re.search(r"\d[./]\d", upper) else "a date or a decimal number"
        )
    return id_code(upper), "" if bare == value else f"{value} read as {upper}"


_RATING = re.compile(r"(\d{1,4})(?:[.,]0+)?", re.ASCII)


def rating(cell: object) -> int | None:
    """A rating in points; 0 for none (empty, 0, ``-``, ``unr.``); None when it cannot be read."""
    if isinstance(cell, float | int) and not isinstance(cell, bool):
        return int(cell) if 0 <= cell < 4000 and cell == int(cell) else None
    value = text(cell)
    if value.casefold().strip(". ") in ("", "-", "--", "unr", "unrated", "none", "nr", "n/a", "ohne", "sans"):
        return 0
    found = _RATING.fullmatch(value)
    return int(found[1]) if found and int(found[1]) < 4000 else None


_SEX = dict.fromkeys(("m", "male", "man", "h", "homme", "männlich", "masculin", "masculino", "maschio", "mann", "erkek", "boy"), "m") | (
    dict.fromkeys(("w", "f", "female", "woman", "weiblich", "femme", "féminin", "femenino", "feminino", "femmina", "frau", "kadın", "girl"), "w")
)  # fmt: skip


def sex(cell: object) -> str | None:
    """``m`` or ``w``; '' for an empty cell, None when it cannot be read."""
    value = text(cell).casefold().strip(". -")
    return _SEX.get(value) if value else ""


_TITLES = {
    "G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM",
    "GM": "GM", "IM": "IM", "FM": "FM", "CM": "CM", "WGM": "WGM", "WIM": "WIM", "WFM": "WFM", "WCM": "WCM", "MI": "IM", "MF": "FM", "GMF": "WGM",
    "MC": "CM",
}  # fmt: skip


def title(cell: object) -> str:
    """FIDE's letters for a title (``m`` and ``MI`` as ``IM``); any other text as it stands."""
    value = text(cell)
    return _TITLES.get(value.upper(), value)


# --- dates ----------------------------------------------------------------------------------------


def day_text(cell: object) -> str:
    """A day as text for ``dates.settle``: date cells and the spreadsheets' day numbers as ``2026-10-31``, anything else as it stands."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return (SERIAL_DAY_0 + timedelta(days=int(cell))).isoformat() if 20_000 <= cell < 80_000 else text(cell)
    value = text(cell)
    if value.isdigit() and re.fullmatch(r"[2-7]\d{4}(?:\.0*)?", value, re.ASCII):
        return (SERIAL_DAY_0 + timedelta(days=int(value[:5]))).isoformat()
    return value[:10] if isinstance(cell, datetime) else value


_RANGE = re.compile(
    r"\s(?:to|bis|au|al|até|a|until|til|ile)\s|\s[-/]\s|(?<=\d{4})\s?-\s?(?=\d{4}[-./])|(?<=\.)\s?-\s?(?=\d{1,2}\.)|(?<=/\d{4})-(?=\d)|(?<=\.\d{4})-(?=\d)"
    r"|(?<=\d{4}/\d\d/\d\d)-(?=\d{4}/)|(?<=\d{4}-\d\d-\d\d)/(?=\d{4}-)"
)


_OF_MONTH = re.compile(
    r"((?:[^\W\d_]{3,12}\.? )?)(\d{1,2}\.?) ?(?:-|to|bis) ?(\d{1,2}\.?)((?: [^\W\d_]{3,12}\.?)?,? \d{4})"
)
"""``3-5 October 2026``, ``3.-5. Oktober 2026``, ``October 3-5, 2026``."""


def day_range(cell: object) -> tuple[str, str]:
    """The two days of ``2026/10/01 to 2026/10/09``, as texts; the same text twice when it is one day."""
    value = day_text(cell)
    of_month = _OF_MONTH.fullmatch(value.translate(_DASHES))
    if of_month:
        before, first, last, after = of_month.groups()
        return f"{before}{first}{after}", f"{before}{last}{after}"
    parts = [part.strip() for part in _RANGE.split(value.translate(_DASHES)) if part and part.strip()]
    if len(parts) != 2:
        return value, value
    first, last = parts
    short = re.fullmatch(r"(\d{1,2})\.(?:(\d{1,2})\.)?", first)
    whole_day = re.fullmatch(r"\d{1,2}\.(\d{1,2})\.(\d{4})", last)
    if short and whole_day:
        first = f"{short[1]}.{short[2] or whole_day[1]}.{whole_day[2]}"
    return first, last
