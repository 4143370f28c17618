"""The words for results: ``1-0``, ``½-½``, ``+--`` of a game, and ``12w1``, ``5b½``, ``-0`` of a cross table."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_DASHES = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "‒": "-", "－": "-", "：": ":", "\u00a0": " ", "＋": "+"}
)

_DRAW_WORDS = frozenset(
    [
        "=",
        "r",
        "d",
        "x",
        "remis",
        "draw",
        "rem",
        "unentschieden",
        "nulle",
        "tablas",
        "empate",
        "patta",
        "beraberlik",
        "berabere",
        "remi",
        "remíza",
        "0.5",
        ".5",
        "0,5",
        ",5",
        "½",
        "1/2",
    ]
)
_NO_RESULT = frozenset(["*", "?", "...", "tbd"])

BYE_WORDS = {
    "bye": "U", "spielfrei": "U", "exempt": "U", "exempté": "U", "descansa": "U", "descanso": "U", "libre": "U", "pab": "U", "tur atlama": "U",
    "folga": "U", "riposo": "U", "freilos": "U", "u": "U", "f": "F", "h": "H", "z": "Z",
    "fpb": "F", "hpb": "H", "zpb": "Z", "half bye": "H", "half point bye": "H", "full point bye": "F", "zero point bye": "Z", "pairing bye": "U",
    "not paired": " ", "nicht ausgelost": " ", "non apparié": " ", "no pareado": " ", "no emparejado": " ", "absent": "Z", "abs": "Z",
    "não emparceirado": " ", "eşleşmedi": " ", "nicht gepaart": " ", "unpaired": " ", "withdrawn": "Z",
}  # fmt: skip
"""What stands where the opponent would, when there is none, and its TRF letter."""


def _plain(value: str) -> str:
    value = value.translate(_DASHES).strip().casefold()
    value = re.sub(r"\s+", " ", value)
    # One sign for half a point, whatever it was: everything after that knows only "=".
    return re.sub(r"0?[.,]5(?![0-9])|1/2|½", "=", value) if any(char in value for char in "½/.,") else value


_WHITE_BLACK = {
    "1-0": "10", "0-1": "01", "=-=": "==", "1:0": "10", "0:1": "01", "=:=": "==", "1-o": "", "0-0": "00", "0:0": "00",
    "=-0": "=0", "0-=": "0=", "=:0": "=0", "0:=": "0=",
    "+--": "+-", "--+": "-+", "+-": "+-", "-+": "-+", "+:-": "+-", "-:+": "-+", "+/-": "+-", "-/+": "-+",
    "---": "--", "--": "--", "-:-": "--", "-/-": "--",
    "w-d": "", "1": "10", "0": "01", "=": "==", "1/0": "10", "0/1": "01", "10": "", "01": "",
    "1-": "10", "0-": "01", "=-": "==", "2-0": "", "+": "+-", "-": "",
}  # fmt: skip

_FORFEIT_MARK = re.compile(r"(?<=[01=+-]) ?(?:f{1,2}|k|kl|kampflos|wo|w\.o\.?|forfait|forfeit|ff)\b\.?")


@lru_cache(4096)
def game(value: str) -> str | None:
    """A game's result as two letters, White's and Black's (``10``, ``==``, ``+-``; ``**`` none yet); '' for an empty cell, None when unknown.

    A mark of forfeit (``1-0F``, ``1F-0F``, ``1:0 K``, ``kampflos``) makes the same result unplayed.
    """
    plain = _plain(value)
    if not plain:
        return ""
    if plain in _NO_RESULT:
        return "**"
    if plain in _DRAW_WORDS:
        return "=="
    if plain in ("white", "w", "weiss", "weiß"):
        return "10"
    if plain in ("black", "b", "schwarz"):
        return "01"
    plain, marks = _FORFEIT_MARK.subn("", plain)
    plain = plain.replace(" ", "")
    letters = _WHITE_BLACK.get(plain)
    if not letters:
        return None
    if marks:
        unplayed = {"10": "+-", "01": "-+", "00": "--", "+-": "+-", "-+": "-+", "--": "--"}
        return unplayed.get(letters)
    return letters


class Cross(NamedTuple):
    """A cell of a cross table: the opponent's number (0 none), the colour's letter as written ('' none), the TRF result letter."""

    opponent: int
    colour: str
    result: str


_ALONE = {
    "": " ", "0": " ", "-": " ", "--": " ", "---": " ", "-1": "U", "-=": "H", "-0": "Z", "+1": "U", "+=": "H", "+0": "Z", "+": "U",
    "=": "H", "*": "?", "?": "?", "x": " ", ".": " ",
}  # fmt: skip
_COLOURED = re.compile(r"(\d{1,5}) ?([wbsnp]) ?([01=+\-*?]?)( ?(?:k|f|ff|kl))?", re.ASCII)
_BARE = re.compile(r"(\d{1,5})(?: ?/ ?| |:)([01=+\-*?])( ?(?:k|f|ff))?|(\d{1,5})([=+\-*?])( ?(?:k|f|ff))?", re.ASCII)
_BYE_POINTS = re.compile(r"(?:bye|spielfrei|exempt)? ?[-:(]? ?([10=])\)?(?: ?(?:bye|spielfrei|exempt))?")
_FORFEITED = {"1": "+", "0": "-", "=": "D", "+": "+", "-": "-"}


@lru_cache(16384)
def cross(value: str) -> Cross | None:
    """A cell of a cross table; None when it cannot be read.

    ``12w1``, ``5b½``, ``40s0`` are games; ``7w+``, ``7b-``, ``12w1K`` are forfeits; ``-1``, ``-½``, ``-0`` and H F U Z are rounds without an opponent;
    empty, ``0`` and ``-`` is not paired; ``12w`` and ``12w*`` have no result.
    """
    plain = _plain(value)
    alone = _ALONE.get(plain)
    if alone is not None:
        return Cross(0, "", alone)
    found = _COLOURED.fullmatch(plain)
    if found:
        result = found[3] or "?"
        if found[4]:
            result = _FORFEITED.get(result, "")
            if not result:
                return None
        number = int(found[1])
        return Cross(number, found[2], result if result != "*" else "?") if number else _nobody(result)
    found = _BARE.fullmatch(plain)
    if found:
        number, result, mark = int(found[1] or found[4]), found[2] or found[5], found[3] or found[6]
        if mark:
            result = _FORFEITED.get(result, "")
        if not result:
            return None
        return Cross(number, "", result if result != "*" else "?") if number else _nobody(result)
    word = BYE_WORDS.get(plain)
    if word:
        return Cross(0, "", word)
    found = _BYE_POINTS.fullmatch(plain)
    if found and len(plain) > 1:
        return Cross(0, "", {"1": "U", "=": "H", "0": "Z"}[found[1]])
    return None


def _nobody(result: str) -> Cross | None:
    """``0w+``, ``0-1``: a cell that names start number 0 has no opponent."""
    letter = {"1": "U", "=": "H", "0": "Z", "+": "U", "-": "Z", "?": " "}.get(result)
    return Cross(0, "", letter) if letter else None


COLOUR_WORDS: dict[frozenset[str], tuple[str, str]] = {
    frozenset("wb"): ("w", "b"),
    frozenset("ws"): ("w", "s"),
    frozenset("bn"): ("b", "n"),
    frozenset("bs"): ("b", "s"),
    frozenset("bp"): ("b", "p"),
    frozenset("wn"): ("w", "n"),
    frozenset("w"): ("w", "b"),
    frozenset("b"): ("w", "b"),
    frozenset("s"): ("w", "s"),
    frozenset("n"): ("b", "n"),
    frozenset("p"): ("b", "p"),
    frozenset(): ("w", "b"),
}
"""The letters of a table -> White's and Black's: English w b, German w s, Spanish, French and Italian b n, Turkish b s, Portuguese b p."""
