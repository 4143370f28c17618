"""Where things stand in a TRF file: record names and the columns of a player's line (FIDE handbook C.04, annex 2; TRF06 and TRF26 alike).

Columns here count from 0, as Python slices do; messages count from 1, as the handbook does.
"""

from __future__ import annotations

NUMBER = slice(4, 8)
SEX = slice(9, 10)
TITLE = slice(10, 13)
NAME = slice(14, 47)
RATING = slice(48, 52)
FEDERATION = slice(53, 56)
IDENTITY = slice(57, 68)
BIRTH = slice(69, 79)
POINTS = slice(80, 84)
RANK = slice(85, 89)

GAPS = (3, 8, 13, 47, 52, 56, 68, 79, 84)
"""Columns of a player's line that are blank in every sound file: something else there means the line is shifted."""

CELLS = 89
"""The first column of the first round: two blanks, opponent (4), blank, colour, blank, result."""

WIDTH = 10
"""Columns of one round."""

MOST_ROUNDS = 999
MOST_PLAYERS = 9_999
"""Start numbers have four digits."""

HEAD = {
    "012": "name", "022": "city", "032": "federation", "042": "start", "052": "end", "062": "players", "072": "rated players", "082": "teams",
    "092": "type", "102": "chief arbiter", "112": "deputy arbiter", "122": "time control", "132": "round dates", "142": "rounds",
    "152": "initial colour", "162": "points", "172": "starting rank", "182": "pairing programme", "192": "coded type", "202": "tie-breaks",
    "212": "standings", "222": "coded time control", "352": "board colours", "362": "match points",
}  # fmt: skip
"""Records of the tournament, and what they hold."""

SINGLE = ("012", "022", "032", "042", "052", "062", "072", "082", "092", "122", "142", "222", "XXR")
"""Records that may stand once."""

TABLES = {
    "013": "team", "240": "byes", "250": "acceleration", "260": "forbidden pairs", "299": "abnormal points", "300": "board order",
    "310": "team", "320": "team byes", "330": "forfeited matches",
}  # fmt: skip
"""Records that stand any number of times."""

TRF26 = frozenset((
    "142", "152", "162", "172", "182", "192", "202", "212", "222", "240", "250", "260", "299", "300", "310", "320", "330", "352", "362",
))  # fmt: skip
"""Records that only the edition of 2026 has."""

LETTERS = "1=0+-WDLHFUZ*? "
"""What may stand for a result."""


def round_column(round_: int) -> int:
    """The column (from 1) in which the opponent of a round begins."""
    return CELLS + 3 + WIDTH * (round_ - 1)
