"""Cross tables: a row a player with a column a round (``12w1``), and round robin tables with a column an opponent."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fide_batch.formats.findings import shown
from fide_batch.formats.sheet_grid import Row, SheetFindings
from fide_batch.formats.sheet_numbering import Fit, Played, choose, fit
from fide_batch.formats.sheet_players import PlayerColumns, number_of, too_long
from fide_batch.formats.sheet_results import COLOUR_WORDS, Cross, cross
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import text, whole
from fide_batch.model import Cell, Entry

EXPECTED = (
    "opponent, colour and result such as 12w1, 5b½, 7w+; -1, -½ or -0 without an opponent; nothing when not paired"
)


Column = tuple[int, int]
"""A round and the place of its column, from 0."""

Found = tuple[int, int, int, Cross]
"""One round cell: the row, the round, the column from 0, and what stands in it."""


@dataclass
class Rows:
    """The players of a cross table before it is known what its numbers mean."""

    rows: list[Row] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """Start numbers; 0 where there are none."""
    places: list[int] = field(default_factory=list)
    """Places in the table: the printed rank where every printed rank is another, else the row."""
    ranks: list[int] = field(default_factory=list)
    """Printed ranks, an empty one as the one above: tied players."""


def read_cross(table: Table, findings: SheetFindings) -> tuple[list[Entry], list[Cell]]:
    """The players and player-rounds of a cross table; opponents are given by start number."""
    columns = PlayerColumns(table, findings)
    rows = _rows(table, columns, findings)
    order, words = _words(table, rows)
    readings = _readings(table, rows)
    numbers = [number or place for number, place in zip(rows.numbers, rows.places, strict=True)]
    if len(readings) == 1:
        cells = _plain_cells(rows, numbers, order, words)
        if cells is not None:
            _tell_numbering(table, readings, choose(readings, ())[0], True, findings)
            return columns.entries(rows.rows, numbers, rows.ranks, rows.names), cells
    return _careful_cells(table, columns, rows, numbers, order, words, readings, findings)


def _plain_cells(rows: Rows, numbers: list[int], order: list[Column], words: list[Any]) -> list[Cell] | None:
    """The player-rounds of a table with one way to read it and nothing to tell: w and b, every cell readable, every opponent there; else None.

    What ``_careful_cells`` finds for such a table, in a third of the time.
    """
    own = {number: number for number in numbers}
    own[0] = 0
    # What Cell(...) does, without its layer in Python.
    new, letters, places = tuple.__new__, {"w": "w", "b": "b", "": ""}, [(number, place + 1) for number, place in order]
    spots = [
        (number, row.line, at, place) for number, row in zip(numbers, rows.rows, strict=True) for at, place in places
    ]
    try:
        cells = [
            new(Cell, (number, at, own[opponent], letters[colour], result, line, place))
            for (number, line, at, place), (opponent, colour, result) in zip(spots, words, strict=True)
        ]
    except (KeyError, TypeError):
        return None
    return cells if any(cell.result in "10" for cell in cells) else None


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
    _tell_numbering(table, readings, best, sure, findings)
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


def _rows(table: Table, columns: PlayerColumns, findings: SheetFindings) -> Rows:
    """The rows that are players, with their numbers."""
    rows = Rows()
    printed: list[int] = []
    empty = 0
    has_number, has_rank = columns.has("number"), columns.has("rank")
    for row in table.rows:
        if too_long(table, row, findings):
            continue
        name = columns.name(row)
        if not name and not text(columns.cell(row, "id")):
            if any(_says_something(row, place) for place in table.rounds.values()):
                findings.at(
                    "error", "player-name-missing", table.sheet, row.line, max(columns.places["name"], columns.places["last"]) + 1,
                    "a row with results and without name or id; expected a player", "write the player's name or delete the row",
                )  # fmt: skip
            else:
                empty += 1
            continue
        number = number_of(columns, row, "number") if has_number else None
        rank = number_of(columns, row, "rank") if has_rank else None
        rows.rows.append(row)
        rows.names.append(name)
        rows.numbers.append(number or 0)
        printed.append(rank or 0)
    if empty:
        findings.at(
            "note",
            "rows-empty",
            table.sheet,
            table.line,
            None,
            f"rows without a player are left out: {empty}",
        )
    _number_rows(table, columns, rows, printed, findings)
    return rows


def _says_something(row: Row, place: int) -> bool:
    return place < len(row.cells) and text(row.cells[place]) not in ("", "0", "-")


def _number_rows(table: Table, columns: PlayerColumns, rows: Rows, printed: list[int], findings: SheetFindings) -> None:
    """Fill down the ranks of tied players and give places; rows without a start number are told."""
    rank = 0
    filled = 0
    for own in printed:
        if own == 0 and rank and columns.has("rank"):
            filled += 1
        rank = own or rank
        rows.ranks.append(rank)
    given = [own for own in printed if own]
    ordinals = list(range(1, len(printed) + 1))
    by_rank = [own or ordinal for own, ordinal in zip(printed, ordinals, strict=True)]
    rows.places = by_rank if len(set(by_rank)) == len(by_rank) and given else ordinals
    if filled:
        findings.at(
            "note", "rank-filled", table.sheet, table.line, columns.places["rank"] + 1,
            f"no rank in {filled} rows: tied with the player above",
        )  # fmt: skip
    if columns.has("number") and any(rows.numbers):
        for row, number in zip(rows.rows, rows.numbers, strict=True):
            if not number and not text(columns.cell(row, "number")):
                columns.told(
                    "error", "number-missing", row, "number", f"{columns.name(row)} has no start number; expected a whole number",
                    "write the start number: the cells of the other players name it",
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
    places = [place for _, place in order]
    return order, [
        cross(cell) if (cell := cells[place]).__class__ is str else _cell(cell) for cells in full for place in places
    ]


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


def _readings(table: Table, rows: Rows) -> dict[str, list[int]]:
    """The numberings opponents may be named by, the usual one first; a column nobody knows may be one when it holds other numbers in every row."""
    readings = {}
    if any(rows.numbers):
        readings["start number"] = [number or -1 - index for index, number in enumerate(rows.numbers)]
    if "start number" not in readings or readings["start number"] != rows.places:
        readings["place"] = rows.places
    for heading in table.unknown:
        place = table.headings.index(heading)
        numbers = [whole(row.cells[place]) if place < len(row.cells) else None for row in rows.rows]
        given = [number for number in numbers if number]
        if len(given) == len(set(numbers)) == len(numbers) > 1:
            readings[f"the column {heading[:40]!r}"] = given
    return readings


def _tell_numbering(
    table: Table, readings: dict[str, list[int]], best: Fit, sure: bool, findings: SheetFindings
) -> None:
    if len(readings) < 2:
        if best.name == "place" and "rank" not in table.columns:
            findings.at(
                "note", "numbering", table.sheet, table.line, None,
                "the table has no start numbers; opponents are read as rows of the table",
            )  # fmt: skip
        return
    if sure:
        if best.games:
            findings.at(
                "note", "numbering", table.sheet, table.line, None,
                f"opponents are read by {best.name}: {best.answered} of {best.games} results are answered by the opponent's row",
            )  # fmt: skip
        return
    findings.at(
        "error", "numbering", table.sheet, table.line, None,
        f"it cannot be told whether opponents are named by start number or by place: at best {best.answered} of {best.games} results are answered"
        " by the opponent's row",
        "give the players' start numbers in a column No and name opponents by them",
    )  # fmt: skip


# --- round robin tables -----------------------------------------------------------------------------

_MATRIX = {"1": "1", "0": "0", "½": "=", "=": "=", "+": "+", "-": "-"}
_OWN_SQUARE = frozenset(("*", "**", "x", "xx", "X", "XX", "■", "█", "", "\\", "--", "***", "#", "•", "/"))


def read_matrix(table: Table, findings: SheetFindings) -> tuple[list[Entry], list[Cell]]:
    """The players and games of a round robin table. It does not say in which round a game was played: Berger's tables number the rounds."""
    columns = PlayerColumns(table, findings)
    rows = _rows(table, columns, findings)
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
    readings = _readings(table, rows)
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
    _tell_numbering(table, readings, best, sure, findings)
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
                "error", "own-square", table.sheet, entry.line, place + 1, f"{entry.name} has a result against himself",
                "the square of a player and himself stays empty",
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
