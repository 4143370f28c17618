"""The numbers of each edition, typed from the regulations and not from the product's edition files.

Each edition is written out in full: the tables are short, and a difference between two of them can be read off the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction


@dataclass(frozen=True)
class K:
    """K of newcomers, below 2400, from 2400; K of juniors below 2300 (0: none of their own); K times games at most (0: no limit)."""

    new: int
    standard: int
    top: int
    junior: int
    product: int


@dataclass(frozen=True)
class Law:
    name: str
    floor: int
    games: int
    """Games against rated opponents needed for a first rating."""
    halves: int
    """Half points needed ..."""
    halves_of: str
    """... of the "pool" or of the "first event"."""
    opponents: int
    """Games against rated opponents an event needs, in a Swiss ..."""
    opponents_of: str
    """... "every event" or the "first event" only."""
    window: int
    """Months a result serves."""
    method: str
    bonus: Fraction
    """Points per half point above 50 %."""
    highest: int
    round_robin: bool
    cap: int
    cap_method: str
    """"every game" or "one upgrade"."""
    cap_controls: tuple[str, ...]
    exempt: int
    """From this own rating the cap does not hold, in standard chess; 0: it holds for all."""
    rule_600: bool
    k: K
    k_rapid_blitz: K
    controls: tuple[str, ...]
    one_off: str = ""
    inactive_months: int = 12
    inactive_games: int = 1
    """Inactive with fewer rated games than this in the months before."""


ONLY_STANDARD = ("standard",)
ALL = ("standard", "rapid", "blitz")
NO_K = K(0, 0, 0, 0, 0)
TWENTY = K(20, 20, 20, 0, 0)
TWENTY_700 = K(20, 20, 20, 0, 700)
MODERN = K(40, 20, 10, 40, 0)
MODERN_700 = K(40, 20, 10, 40, 700)
B12, B15, B20, NONE = Fraction(25, 2), Fraction(15), Fraction(20), Fraction(0)

# fmt: off
_ROWS = [
    #   name            floor gm ½  of             opp  of              win method          bonus  high  RR     cap  how            where          2650  600    K           K r/b         controls
    Law("classic",      1000, 5, 1, "pool",        3, "every event", 26, "mean of Ru",   B20,  0,    True,  400, "every game",  ALL,           0,    False, MODERN,     MODERN,     ALL, inactive_games=4),
    Law("fide-2005-01", 1400, 9, 2, "first event", 3, "every event", 24, "pooled",       B12,  0,    True,  350, "every game",  ONLY_STANDARD, 0,    False, K(25, 15, 10, 0, 0), NO_K, ONLY_STANDARD),
    Law("fide-2009-07", 1200, 9, 2, "first event", 3, "every event", 24, "pooled",       B12,  0,    True,  400, "every game",  ONLY_STANDARD, 0,    False, K(25, 15, 10, 0, 0), NO_K, ONLY_STANDARD),
    Law("fide-2011-07", 1200, 9, 2, "first event", 3, "first event", 24, "pooled",       B15,  0,    True,  400, "every game",  ONLY_STANDARD, 0,    False, K(30, 15, 10, 0, 0), NO_K, ONLY_STANDARD),
    Law("fide-2012-07", 1000, 9, 2, "first event", 3, "first event", 24, "pooled",       B15,  0,    True,  400, "every game",  ONLY_STANDARD, 0,    False, K(30, 15, 10, 0, 0), TWENTY, ALL),
    Law("fide-2014-07", 1000, 5, 1, "first event", 1, "every event", 26, "pooled",       B20,  0,    True,  400, "every game",  ONLY_STANDARD, 0,    False, MODERN,     TWENTY,     ALL),
    Law("fide-2017-07", 1000, 5, 1, "first event", 1, "every event", 26, "pooled",       B20,  0,    True,  400, "every game",  ONLY_STANDARD, 0,    False, MODERN,     TWENTY_700, ALL),
    Law("fide-2022-01", 1000, 5, 1, "first event", 1, "every event", 26, "pooled",       B20,  0,    False, 400, "one upgrade", ALL,           0,    False, MODERN_700, TWENTY_700, ALL, inactive_months=24),
    Law("fide-2022-10", 1000, 5, 1, "first event", 1, "every event", 26, "pooled",       B20,  0,    False, 400, "one upgrade", ALL,           0,    False, MODERN_700, MODERN_700, ALL, "raise", 24),
    Law("fide-2024-03", 1400, 5, 1, "first event", 1, "every event", 26, "hypothetical", NONE, 2200, False, 400, "every game",  ALL,           0,    False, MODERN_700, MODERN_700, ALL, "compress"),
    Law("fide-2024-12", 1400, 5, 1, "first event", 1, "every event", 26, "hypothetical", NONE, 2200, False, 400, "every game",  ALL,           0,    True,  MODERN_700, MODERN_700, ALL),
    Law("fide-2025-10", 1400, 5, 1, "first event", 1, "every event", 26, "hypothetical", NONE, 2200, False, 400, "every game",  ALL,           2650, True,  MODERN_700, MODERN_700, ALL),
]
# fmt: on
LAWS = {law.name: law for law in _ROWS}
NAMES = tuple(LAWS)
EFFECTIVE = [
    (date(int(name[5:9]), int(name[10:12]), 1), name) for name in NAMES if name.startswith("fide-")
]  # the first day of each, in order


def in_force(day: date) -> Law:
    """The edition in force on a day; a day before the first one has none."""
    names = [name for first_day, name in EFFECTIVE if first_day <= day]
    if not names:
        raise ValueError(f"no edition is in force on {day}")
    return LAWS[names[-1]]


def law_of(rules: str, day: date) -> Law:
    """The edition a user chose by name, or the one in force on a day."""
    return in_force(day) if rules == "in-force" else LAWS[rules]


# The last difference of each row of the printed table, for the higher rated player's 0.50, 0.51 ... 0.99; above the last it is 1.00.
PD_LAST = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68,
    76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235,
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
]  # fmt: skip

# D(p) for p = 0.50, 0.51 ... 1.00; below one half it is the same with a minus.
DP_UPPER = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
]  # fmt: skip


def expected_score(difference: int) -> Fraction:
    """PD of a difference own - opponent, from the printed table."""
    row = next((row for row, last in enumerate(PD_LAST) if abs(difference) <= last), len(PD_LAST))
    higher = Fraction(50 + row, 100)
    return higher if difference >= 0 else 1 - higher


def dp(p: Fraction) -> int:
    """D(p) of a p of two decimals."""
    hundredths = p * 100
    assert hundredths.denominator == 1 and 0 <= hundredths <= 100
    return DP_UPPER[int(hundredths) - 50] if hundredths >= 50 else -DP_UPPER[50 - int(hundredths)]


def to_nearest(value: Fraction | int) -> int:
    """The nearest whole number, .5 away from zero."""
    half_up = (abs(Fraction(value)) + Fraction(1, 2)).__floor__()
    return half_up if value >= 0 else -half_up


def two_decimals(score: Fraction, games: int) -> Fraction:
    """p = score/games to two decimals, half up."""
    return Fraction((score / games * 100 + Fraction(1, 2)).__floor__(), 100)
