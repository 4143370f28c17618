"""Round robin tables: a row a player with a column an opponent. They say who met whom, and not when."""

from __future__ import annotations

from datetime import date

from fide_batch.formats.findings import shown
from fide_batch.formats.sheet_grid import SheetFindings
from fide_batch.formats.sheet_numbering import Played, fit
from fide_batch.formats.sheet_players import PlayerColumns
from fide_batch.formats.sheet_rows import read_rows, readings_of, tell_numbering
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import text
from fide_batch.model import Cell, Entry

_MATRIX = {"1": "1", "0": "0", "½": "=", "=": "=", "+": "+", "-": "-"}
_OWN_SQUARE = frozenset(("*", "**", "x", "xx", "X", "XX", "■", "█", "", "\\", "--", "***", "#", "•", "/"))


def read_matrix(table: Table, findings: SheetFindings) -> tuple[list[Entry], list[Cell]]:
    """The players and games of a round robin table. It does not say in which round a game was played: Berger's tables number the rounds."""
    columns = PlayerColumns(table, findings)
    rows = read_rows(table, columns, findings)
    squares: list[tuple[int, int, str, int, int]] = []
    for index, row in enumerate(rows.rows):
        for opponent, place in sorted(table.rounds.items()):
            cell = row.cells[place] if place < len(row.cells) else ""
            results = _matrix_results(text(cell))
            if results is None or isinstance(cell, date):
                findings.at(
                    "error", "result-unreadable", table.sheet, row.line, place + 1,
                    f"the result against {opponent} is {shown(text(cell))}; expected 1, ½ or 0 (two of them in a double round robin), + or - for a forfeit",
                    "correct the cell",
                )  # fmt: skip
                continue
            squares += [(index, opponent, result, cycle, place) for cycle, result in enumerate(results)]
    readings = readings_of(table, rows)
    games_of = {
        name: [
            Played(index, cycle * 1000 + _berger(numbers[index], opponent, len(numbers)), opponent, "", result)
            for index, opponent, result, cycle, _ in squares
        ]
        for name, numbers in readings.items()
    }
    fits = [fit(name, numbers, games_of[name]) for name, numbers in readings.items()]
    best = max(fits, key=lambda found: found.answered)
    rivals = [found.answered for found in fits if found is not best]
    sure = not rivals or (best.share >= 0.6 and best.answered > max(rivals))
    tell_numbering(table, readings, best, sure, findings)
    numbers = [number or place for number, place in zip(rows.numbers, rows.places, strict=True)]
    entries = columns.entries(rows.rows, numbers, rows.ranks, rows.names)
    if not sure:
        return entries, []
    findings.at(
        "note", "rounds-by-berger", table.sheet, table.line, None,
        "the table says who met whom and not when: the rounds are numbered by Berger's tables, colours are not known",
    )  # fmt: skip
    count = len(entries)
    result = []
    for index, opponent, letter, cycle, place in squares:
        entry, target = entries[index], best.row_of.get(opponent)
        other = entries[target].number if target is not None else opponent
        if other == entry.number:
            findings.at(
                "error", "own-square", table.sheet, entry.line, place + 1, f"{entry.name} has a result in the player's own square",
                "the square where a player's row and column meet stays empty",
            )  # fmt: skip
            continue
        number = _berger(readings[best.name][index], opponent, count) + cycle * (count - 1 + count % 2)
        result.append(Cell(entry.number, number, other, "", letter, entry.line, place + 1))
    result.sort(key=lambda cell: (cell.line, cell.round))
    return entries, result


def _matrix_results(value: str) -> list[str] | None:
    """The results of one square; none on the diagonal, None when they cannot be read."""
    if value in _OWN_SQUARE:
        return []
    plain = value.replace("0,5", "½").replace("0.5", "½").replace("1/2", "½").replace(",5", "½").replace(".5", "½")
    unplayed = plain[-1:].casefold() in ("k", "f") and len(plain) > 1
    letters = [_MATRIX.get(char, "") for char in (plain[:-1] if unplayed else plain) if char not in " /:;"]
    if not 1 <= len(letters) <= 4 or not all(letters):
        return None
    if unplayed:
        letters = [{"1": "+", "0": "-", "=": "D"}.get(letter, letter) for letter in letters]
    return letters


def _berger(own: int, opponent: int, players: int) -> int:
    """The round in which Berger's tables pair two numbers; with an odd number of players the last number is the bye."""
    size = players + players % 2
    first, second = min(own, opponent), max(own, opponent)
    if second == size:
        second = first
    return (first + second - 2) % max(size - 1, 1) + 1
