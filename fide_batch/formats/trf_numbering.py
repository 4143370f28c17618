"""Files whose opponents are not start numbers: found out by the games themselves, never guessed.

Two sides of a game name each other. When they do not with the start numbers of columns 5-8, but do in every single game with the
ranks or with the order of the lines, the file counts in that way.
"""

from __future__ import annotations

from collections.abc import Sequence

from fide_batch.formats.findings import Findings
from fide_batch.model import Cell, Entry

_OTHER = {
    "1": "0",
    "0": "1",
    "=": "=",
    "+": "-",
    "-": "+-",
    "W": "L",
    "L": "W",
    "D": "D",
    " ": " *?",
    "*": " *?",
    "?": " *?",
}
_OTHER_COLOUR = {"w": "b", "b": "w", "": ""}


def renumber(entries: Sequence[Entry], cells: list[Cell], found: Findings) -> list[Cell]:
    """The cells with start numbers as opponents; the same cells when they are so already, or when nothing else is proved."""
    own = {entry.number for entry in entries}
    if len(own) < len(entries) or _agrees(cells, {number: number for number in own}):
        return cells
    ways = {
        "ranks": {entry.rank: entry.number for entry in entries if entry.rank},
        "places in the order of the lines": {place: entry.number for place, entry in enumerate(entries, 1)},
    }
    for name, number_of in ways.items():
        if len(number_of) == len(entries) and _agrees(cells, number_of):
            found.warning(
                "numbering",
                f"the opponents are {name}, not start numbers: only so the two sides of every game agree; read so",
                "check a few pairings; ask for opponents by start number",
                line=entries[0].line,
            )
            return [cell._replace(opponent=number_of[cell.opponent]) if cell.opponent else cell for cell in cells]
    return cells


def _agrees(cells: Sequence[Cell], number_of: dict[int, int]) -> bool:
    """Whether every game has two sides that name each other, with the other colour and the fitting result."""
    sides = {(cell.number, cell.round): cell for cell in cells if cell.opponent}
    if not sides:
        return True
    for (number, round_), cell in sides.items():
        opponent = number_of.get(cell.opponent)
        other = sides.get((opponent, round_)) if opponent is not None and opponent != number else None
        if other is None or number_of.get(other.opponent) != number:
            return False
        if other.result not in _OTHER.get(cell.result, "") or other.colour not in (_OTHER_COLOUR[cell.colour], ""):
            return False
    return True
