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
from fide_batch.formats.sheet_values import text
from fide_batch.model import Cell, Entry

EXPECTED = (
    "opponent, colour and result such as 12w1, 5b½, 7w+; -1, -½ or -0 without an opponent; nothing when not paired"
)


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
    cells, letters = _cells(table, rows, findings)
    read_as = _colours(table, letters, findings)
    _signs_only(table, cells, findings)
    readings = _readings(rows)
    games = []
    if len(readings) > 1:
        games = [
            Played(row, number, found.opponent, read_as.get(found.colour, ""), found.result)
            for row, number, _, found in cells
            if found.opponent
        ]
    best, sure = choose(readings, games)
    _tell_numbering(table, readings, best, sure, findings)
    entries = [
        columns.entry(row, rows.numbers[index] or rows.places[index], rows.ranks[index], rows.names[index])
        for index, row in enumerate(rows.rows)
    ]
    if not sure:
        return entries, []
    numbers = [entry.number for entry in entries]
    taken = set(numbers)
    number_of_opponent = {written: numbers[row] for written, row in best.row_of.items()}
    result: list[Cell] = []
    for row, number, place, found in cells:
        opponent = found.opponent
        if opponent:
            written, opponent = opponent, number_of_opponent.get(opponent, 0)
            if not opponent:
                if written in taken:
                    _no_such_opponent(table, entries[row], number, written, place, findings)
                    continue
                opponent = written
        result.append(
            Cell(
                numbers[row],
                number,
                opponent,
                read_as.get(found.colour, ""),
                found.result,
                entries[row].line,
                place + 1,
            )
        )
    return entries, result


def _colours(table: Table, letters: set[str], findings: SheetFindings) -> dict[str, str]:
    """Letters of the table -> w and b."""
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
    return {colours[0]: "w", colours[1]: "b"}


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


def _cells(table: Table, rows: Rows, findings: SheetFindings) -> tuple[list[tuple[int, int, int, Cross]], set[str]]:
    """Every round cell of every player up to the last round anybody played, and the letters of colours used."""
    sheet = table.sheet
    read: list[tuple[int, int, int, Cross]] = []
    letters: set[str] = set()
    last = 0
    order = sorted(table.rounds.items())
    for index, row in enumerate(rows.rows):
        cells, count = row.cells, len(row.cells)
        for number, place in order:
            cell: Any = cells[place] if place < count else ""
            found = cross(cell if type(cell) is str else text(cell))
            if found is None or isinstance(cell, date):
                _unreadable(cell, number, place, row, sheet, findings)
                last = max(last, number)
                continue
            if found.opponent:
                letters.add(found.colour)
                last = max(last, number)
            elif found.result != " " or text(cell):
                last = max(last, number)
            read.append((index, number, place, found))
    letters.discard("")
    return [piece for piece in read if piece[1] <= last], letters


def _unreadable(cell: Any, number: int, place: int, row: Row, sheet: Any, findings: SheetFindings) -> None:
    if isinstance(cell, date):
        message = f"round {number} holds the date {text(cell)}: the spreadsheet has turned what was typed into a date; expected {EXPECTED}"
        hint = "format the column as text and type the cell again"
    else:
        message = f"round {number} is {shown(text(cell))}; expected {EXPECTED}"
        hint = "correct the cell"
    findings.at("error", "result-unreadable", sheet, row.line, place + 1, message, hint)


def _signs_only(table: Table, cells: list[tuple[int, int, int, Cross]], findings: SheetFindings) -> None:
    """A table of nothing but ``12+`` and ``5-`` means wins and losses, not forty forfeits."""
    results = [found.result for _, _, _, found in cells if found.opponent]
    signs = results.count("+") + results.count("-")
    if signs >= 4 and signs * 2 >= len(results) and "1" not in results and "0" not in results:
        findings.at(
            "error", "signs-only", table.sheet, table.line, None,
            f"{signs} of {len(results)} results are + or -, and none is 1 or 0; + and - stand for forfeits, which are not rated",
            "write wins and losses as 1 and 0 (12w1, 5b0)",
        )  # fmt: skip


def _readings(rows: Rows) -> dict[str, list[int]]:
    """The numberings opponents may be named by, the usual one first."""
    readings = {}
    if any(rows.numbers):
        readings["start number"] = [number or -1 - index for index, number in enumerate(rows.numbers)]
    if "start number" not in readings or readings["start number"] != rows.places:
        readings["place"] = rows.places
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
    readings = _readings(rows)
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
    entries = [
        columns.entry(row, rows.numbers[index] or rows.places[index], rows.ranks[index])
        for index, row in enumerate(rows.rows)
    ]
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
