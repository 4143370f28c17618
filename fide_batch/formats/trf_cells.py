"""One round of a player's line: opponent, colour, result."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from fide_batch.formats.trf_columns import LETTERS, WIDTH


class Fault(NamedTuple):
    """What is wrong with a round: its code, the place within the ten columns, and the words."""

    code: str
    place: int
    message: str
    hint: str


class Read(NamedTuple):
    """A round as read."""

    opponent: int
    colour: str
    """``w``, ``b`` or ''."""
    result: str
    """A letter of ``model.RESULTS`` or ``UNPLAYED``."""
    fault: Fault | None = None

    @property
    def empty(self) -> bool:
        """Whether nobody was met and nothing was scored: blank, ``0000 -``, ``0000 w``."""
        return self.result == " " and not self.opponent


_HINT = "compare the round with the columns of TRF16: opponent 92-95, colour 97, result 99, and so on every ten columns"
_CUT_HINT = "the line seems cut: ask for the file again"

_RESULTS = {letter: letter for letter in LETTERS} | {letter.lower(): letter for letter in LETTERS} | {"½": "="}
_COLOURS = {"w": "w", "W": "w", "b": "b", "B": "b", "-": "", " ": ""}

KNOWN = (tuple(_COLOURS), tuple(_RESULTS))
"""The signs a colour and a result may be; any other is a fault."""


@lru_cache(maxsize=200_000)
def read_cell(block: str, last: bool) -> Read:
    """The ten columns of a round as a result.

    Args:
        block: two blanks, opponent (4), blank, colour, blank, result; less than ten columns at the end of a line.
        last: whether the line ends here, so that something missing may have been cut off.
    """
    size = len(block.rstrip())
    cell = block.ljust(WIDTH)
    for place in (0, 1, 6, 8):
        if cell[place] != " ":
            return Read(0, "", " ", Fault("columns-shifted", place, f"{cell.strip()!r}; expected a blank here", _HINT))
    opponent_text = cell[2:6].strip()
    if opponent_text and not (opponent_text.isdecimal() and opponent_text.isascii()):
        message = f"the opponent is {opponent_text!r}; expected a start number, or 0000 for none"
        return Read(0, "", " ", Fault("opponent-unreadable", 2, message, _HINT))
    if last and opponent_text and size < 6:
        return Read(0, "", " ", Fault("line-cut", size, f"the line ends inside a round: {cell.rstrip()!r}", _CUT_HINT))
    opponent = int(opponent_text or 0)
    colour = _COLOURS.get(cell[7])
    if colour is None:
        message = f"the colour is {cell[7]!r}; expected w, b or -"
        return Read(opponent, "", " ", Fault("colour-unknown", 7, message, _HINT))
    result = _RESULTS.get(cell[9])
    if result is None:
        message = f"the result is {cell[9]!r}; expected one of 1 = 0 + - W D L H F U Z * ?"
        return Read(opponent, colour, " ", Fault("result-unknown", 9, message, "correct the result"))
    if last and opponent and size == 6:
        message = "the line ends after an opponent, without colour and result"
        return Read(opponent, "", " ", Fault("line-cut", size, message, _CUT_HINT))
    if not opponent and result == " ":
        colour = ""
    return Read(opponent, colour, result)
