"""Figures and days as people write them."""

from __future__ import annotations

from datetime import date
from typing import Any

from fide_batch.model import POINT, RESULTS, UNPLAYED, Period, points_text

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip

CONTROL = {"standard": "Standard", "rapid": "Rapid", "blitz": "Blitz"}
COLOUR = {"w": "w", "b": "b"}


def day_text(day: date | None) -> str:
    """``1 November 2026``; empty for None."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}" if day else ""


def list_text(period: Period) -> str:
    """``list of 1 November 2026``."""
    return f"list of {day_text(period.list_date)}"


def iso(day: date | None) -> str:
    """``2026-11-01``; empty for None."""
    return day.isoformat() if day else ""


def count_text(count: int, word: str, several: str = "") -> str:
    """``1 game``, ``1,204 games``."""
    return f"{count:,} {word if count == 1 else several or word + 's'}"


def number(value: Any) -> str:
    """A whole number or nothing."""
    return "" if value is None else str(value)


def signed(value: int | None) -> str:
    """A whole number with its sign: ``+5``, ``-5``, ``0``."""
    return "" if value is None else f"{value:+d}" if value else "0"


def points(value: int | None) -> str:
    """Ten-thousandths as a decimal number."""
    return points_text(value)


def signed_points(value: int | None) -> str:
    """Ten-thousandths with their sign: ``+2.20``."""
    text = points_text(value)
    return f"+{text}" if value and value > 0 else text


def score_text(value: int | None) -> str:
    """A score as chess players write it: ``3½``."""
    if value is None:
        return ""
    whole, part = divmod(value, POINT)
    if part not in (0, POINT // 2):
        return points_text(value)
    return (str(whole) if whole or not part else "") + ("½" if part else "")


def result_text(code: str | None) -> str:
    """A result code as printed: ``½`` for a draw, the code itself otherwise."""
    return "½" if code == "=" else (code or "").strip()


def result_meaning(code: str | None) -> str:
    """A result code in words: ``won``, ``forfeit win``."""
    code = code or " "
    if code in RESULTS:
        return {POINT: "won", POINT // 2: "drawn", 0: "lost"}[RESULTS[code]]
    return UNPLAYED.get(code, code)


def remark(reason: str | None) -> str:
    """What the reason of a game says beyond that it is rated: '' for a game rated as usual."""
    return "" if not reason or reason.endswith(": rated") else reason


def decimal(value: int | None) -> float | None:
    """Ten-thousandths as a number for programs: ``9200`` -> ``0.92``."""
    return None if value is None else value / POINT


def column_name(column: int) -> str:
    """The letters of a spreadsheet column: 1 is A, 27 is AA."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
