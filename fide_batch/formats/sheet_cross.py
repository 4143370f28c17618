"""Cross tables: a row a player with a column a round (``12w1``)."""

from __future__ import annotations

from datetime import date
from itertools import repeat
from typing import Any

from fide_batch.formats.findings import shown
from fide_batch.formats.sheet_grid import Row, SheetFindings
from fide_batch.formats.sheet_numbering import Played, choose
from fide_batch.formats.sheet_players import PlayerColumns
from fide_batch.formats.sheet_results import COLOUR_WORDS, Cross, cross
from fide_batch.formats.sheet_rows import Rows, read_rows, readings_of, tell_numbering
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import text
from fide_batch.model import Cell, Entry

EXPECTED = (
    "opponent, colour and result such as 12w1, 5b½, 7w+; -1, -½ or -0 without an opponent; nothing when not paired"
)


Column = tuple[int, int]
"""A round and the place of its column, from 0."""

Found = tuple[int, int, int, Cross]
"""One round cell: the row, the round, the column from 0, and what stands in it."""


def read_cross(table: Table, findings: SheetFindings) -> tuple[list[Entry], list[Cell]]:
    """The players and player-rounds of a cross table; opponents are given by start number."""
    columns = PlayerColumns(table, findings)
    rows = read_rows(table, columns, findings)
    order, words = _words(table, rows)
    readings = readings_of(table, rows)
    numbers = [number or place for number, place in zip(rows.numbers, rows.places, strict=True)]
    if len(readings) == 1:
        cells = _plain_cells(rows, numbers, order, words)
        if cells is not None:
            tell_numbering(table, readings, choose(readings, ())[0], True, findings)
            return columns.entries(rows.rows, numbers, rows.ranks, rows.names), cells
    return _careful_cells(table, columns, rows, numbers, order, words, readings, findings)


def _plain_cells(rows: Rows, numbers: list[int], order: list[Column], words: list[Any]) -> list[Cell] | None:
    """The player-rounds of a table with one way to read it and nothing to tell: w and b, every cell readable, every opponent there; else None.

    What ``_careful_cells`` finds for such a table, in a third of the time.
    """
    if not words or None in words:
        return None
    opponents, colours, results = zip(*words, strict=True)
    if not ({*opponents} <= {0, *numbers} and {*colours} <= {"", "w", "b"} and ("1" in results or "0" in results)):
        return None
    rounds = [number for number, _ in order] * len(numbers)
    places = [place + 1 for _, place in order] * len(numbers)
    each = range(len(order))
    own = [number for number in numbers for _ in each]
    lines = [line for line in [row.line for row in rows.rows] for _ in each]
    # What Cell(...) does, without its layer in Python.
    fields = zip(own, rounds, opponents, colours, results, lines, places, strict=True)
    return list(map(tuple.__new__, repeat(Cell), fields))


def _careful_cells(
    table: Table,
    columns: PlayerColumns,
    rows: Rows,
    numbers: list[int],
    order: list[Column],
    words: list[Cross | None],
    readings: dict[str, list[int]],
    findings: SheetFindings,
) -> tuple[list[Entry], list[Cell]]:
    """The same for every table: letters of colours, what the numbers mean, and everything that cannot be read."""
    cells, letters = _cells(table, rows, order, words, findings)
    read_as = _colours(table, letters, findings)
    _signs_only(table, cells, findings)
    games = [
        Played(row, number, found.opponent, read_as[found.colour], found.result)
        for row, number, _, found in cells
        if found.opponent and len(readings) > 1
    ]
    best, sure = choose(readings, games)
    tell_numbering(table, readings, best, sure, findings)
    entries = columns.entries(rows.rows, numbers, rows.ranks, rows.names)
    if not sure:
        return entries, []
    number_of_opponent = {written: numbers[row] for written, row in best.row_of.items()} | {0: 0}
    taken = set(numbers)
    result = []
    for row, number, place, found in cells:
        opponent = number_of_opponent.get(found.opponent)
        if opponent is None:
            # A start number nobody has stays what it is, and the checks tell it; here only what would come to mean somebody else.
            opponent = found.opponent
            if opponent in taken:
                _no_such_opponent(table, entries[row], number, opponent, place, findings)
                continue
        line = entries[row].line
        result.append(Cell(numbers[row], number, opponent, read_as[found.colour], found.result, line, place + 1))
    return entries, result


def _colours(table: Table, letters: set[str], findings: SheetFindings) -> dict[str, str]:
    """Letters of the table -> w and b."""
    letters = letters - {""}
    colours = COLOUR_WORDS.get(frozenset(letters))
    if colours is None:
        findings.error(
            "colour-letters", f"the colours are written {', '.join(sorted(letters))}; expected two letters such as w and b, w and s, b and n",
            "write w for White and b for Black", line=table.line,
        )  # fmt: skip
        colours = ("w", "b")
    elif letters and colours != ("w", "b"):
        message = f"White is written {colours[0]}, Black {colours[1]}"
        findings.at("note", "colour-letters", table.sheet, table.line, None, message)
    return dict.fromkeys(letters | {""}, "") | {colours[0]: "w", colours[1]: "b"}


def _no_such_opponent(
    table: Table, entry: Entry, number: int, written: int, place: int, findings: SheetFindings
) -> None:
    findings.at(
        "error", "opponent-unknown", table.sheet, entry.line, place + 1,
        f"{entry.name} met {written} in round {number}; there is no such player in the table",
        "add the missing row, or correct the number",
    )  # fmt: skip


def _cell(cell: Any) -> Cross | None:
    """What a cell says that is no text; None where it cannot be read."""
    return None if isinstance(cell, date | bool) else cross(text(cell))


def _words(table: Table, rows: Rows) -> tuple[list[Column], list[Cross | None]]:
    """The round columns up to the last one with anything in it, and what every player's cells in them say, row by row."""
    order = sorted(table.rounds.items())
    width = max(table.rounds.values()) + 1
    full = [
        row.cells if len(row.cells) >= width else [*row.cells, *[""] * (width - len(row.cells))] for row in rows.rows
    ]
    while order and not any(text(cells[order[-1][1]]) for cells in full):
        order.pop()
    written = [cells[place] for cells in full for _, place in order]
    if {*map(type, written)} <= {str}:
        return order, list(map(cross, written))
    return order, [cross(cell) if cell.__class__ is str else _cell(cell) for cell in written]


def _cells(
    table: Table, rows: Rows, order: list[Column], words: list[Cross | None], findings: SheetFindings
) -> tuple[list[Found], set[str]]:
    """Every cell that can be read with its place, and the letters of colours used; the others are told."""
    known: list[Found] = []
    letters = {""}
    reading = iter(words)
    for index, row in enumerate(rows.rows):
        for number, place in order:
            found = next(reading)
            if found is None:
                _unreadable(row.cells[place], number, place, row, table.sheet, findings)
            else:
                known.append((index, number, place, found))
                letters.add(found.colour)
    return known, letters


def _unreadable(cell: Any, number: int, place: int, row: Row, sheet: Any, findings: SheetFindings) -> None:
    if isinstance(cell, date):
        message = f"round {number} holds the date {text(cell)}: the spreadsheet has turned what was typed into a date; expected {EXPECTED}"
        hint = "format the column as text and type the cell again"
    else:
        message = f"round {number} is {shown(text(cell))}; expected {EXPECTED}"
        hint = "correct the cell"
    findings.at("error", "result-unreadable", sheet, row.line, place + 1, message, hint)


def _signs_only(table: Table, cells: list[Found], findings: SheetFindings) -> None:
    """A table of nothing but ``12+`` and ``5-`` means wins and losses, not forty forfeits."""
    if any(found.opponent and found.result in "10" for _, _, _, found in cells):
        return
    results = [found.result for _, _, _, found in cells if found.opponent]
    signs = results.count("+") + results.count("-")
    if signs >= 4 and signs * 2 >= len(results):
        findings.at(
            "error", "signs-only", table.sheet, table.line, None,
            f"{signs} of {len(results)} results are + or -, and none is 1 or 0; + and - stand for forfeits, which are not rated",
            "write wins and losses as 1 and 0 (12w1, 5b0)",
        )  # fmt: skip
