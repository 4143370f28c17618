"""The rows of a cross table that are players, and the numbers they can be named by."""

from __future__ import annotations

from dataclasses import dataclass, field

from fide_batch.formats.sheet_grid import Row, SheetFindings
from fide_batch.formats.sheet_numbering import Fit
from fide_batch.formats.sheet_players import PlayerColumns, too_long
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import text, whole


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


def read_rows(table: Table, columns: PlayerColumns, findings: SheetFindings) -> Rows:
    """The rows that are players, with their numbers."""
    rows = Rows()
    printed: list[int] = []
    empty = 0
    sound = [row for row in table.rows if not too_long(table, row, findings)]
    names, cells = columns.names(sound), columns.cells(sound)
    numbers = columns.whole_numbers(sound, cells, "number")
    ranks = columns.whole_numbers(sound, cells, "rank")
    for row, name, number, rank in zip(sound, names, numbers, ranks, strict=True):
        if not name and not text(columns.cell(row, "id")):
            if any(_says_something(row, place) for place in table.rounds.values()):
                findings.at(
                    "error", "player-name-missing", table.sheet, row.line, max(columns.places["name"], columns.places["last"]) + 1,
                    "a row with results and without name or id; expected a player", "write the player's name or delete the row",
                )  # fmt: skip
            else:
                empty += 1
            continue
        rows.rows.append(row)
        rows.names.append(name)
        rows.numbers.append(number)
        printed.append(rank)
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


def readings_of(table: Table, rows: Rows) -> dict[str, list[int]]:
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


def tell_numbering(
    table: Table, readings: dict[str, list[int]], best: Fit, sure: bool, findings: SheetFindings
) -> None:
    """Say by which numbers opponents are read, where there was a choice; an error where it is not sure."""
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
