"""The players of a table: one entry a row, and a table of players brought together with a table of results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from fide_batch.formats import dates, sheet_values
from fide_batch.formats.findings import shown
from fide_batch.formats.headings import PLAYER_PARTS, fold
from fide_batch.formats.sheet_grid import Row, SheetFindings
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import day_text, text
from fide_batch.model import Entry

T = TypeVar("T")

PARTS = (*PLAYER_PARTS, "rank")


class PlayerColumns:
    """Reads players from the rows of one table; of a table of games with ``side`` ``white.`` or ``black.``."""

    def __init__(self, table: Table, findings: SheetFindings, side: str = "") -> None:
        self.table = table
        self.findings = findings
        self.places = {part: table.columns.get(side + part, -1) for part in PARTS}
        self.rating = "rating"
        if self.places["rating"] < 0 and self.places["national"] >= 0:
            self.rating = "national"

    def has(self, part: str) -> bool:
        """Whether the table has such a column."""
        return self.places[part] >= 0

    def cell(self, row: Row, part: str) -> Any:
        """The cell of a column; '' where the row is too short or there is no such column."""
        place = self.places[part]
        return row.cells[place] if 0 <= place < len(row.cells) else ""

    def told(self, severity: str, code: str, row: Row, part: str, message: str, hint: str = "") -> None:
        """A problem at a cell of a player."""
        self.findings.at(severity, code, self.table.sheet, row.line, self.places[part] + 1, message, hint)

    def name(self, row: Row) -> str:
        """The name, from one column or from family and given name."""
        last = text(self.cell(row, "last"))
        if not last:
            return text(self.cell(row, "name"))
        first = text(self.cell(row, "first"))
        return f"{last}, {first}" if first else last

    def names(self, rows: Sequence[Row]) -> list[str]:
        """The names of some rows."""
        place = self.places["name"]
        if self.places["last"] < 0 and place >= 0:
            names = [row.cells[place] if place < len(row.cells) else "" for row in rows]
            if _tidy(names):
                return names
        return [self.name(row) for row in rows]

    def cells(self, rows: Sequence[Row]) -> list[Sequence[Any]]:
        """The cells of some rows, column by column."""
        width = max(self.places.values()) + 1
        full = [
            row.cells if len(row.cells) >= width else [*row.cells, *[""] * (width - len(row.cells))] for row in rows
        ]
        return list(zip(*full, strict=False)) or [()] * width

    def whole_numbers(self, rows: Sequence[Row], cells: Sequence[Sequence[Any]], part: str) -> list[int]:
        """Start numbers or ranks; 0 for an empty cell, a missing column, or (told) for what is no number."""
        if not self.has(part):
            return [0] * len(rows)
        return _wholes(cells[self.places[part]], 10**9) or [number_of(self, row, part) or 0 for row in rows]

    def entry(self, row: Row, number: int) -> Entry:
        """The player of one row; what cannot be read is told and left empty."""
        return self.entries([row], [number], [0], [self.name(row)])[0]

    def entries(
        self, rows: Sequence[Row], numbers: Sequence[int], ranks: Sequence[int], names: Sequence[str]
    ) -> list[Entry]:
        """The players of some rows, column by column; what cannot be read is told and left empty."""
        cells = self.cells(rows)
        ids, ids_found = self._ids(rows, cells)
        columns = (
            numbers,
            names,
            ids,
            ids_found,
            self._column(rows, cells, "sex", sheet_values.sex, self._told_sex, ""),
            self._column(rows, cells, "title", sheet_values.title, None, ""),
            self._ratings(rows, cells),
            self._column(rows, cells, "federation", _capitals, None, ""),
            self._column(rows, cells, "birth", _birth, self._told_birth, ""),
            self._column(rows, cells, "points", sheet_values.points, self._told_points, -1),
            ranks,
            [row.line for row in rows],
        )
        return list(map(Entry._make, zip(*columns, strict=True)))

    def _ids(self, rows: Sequence[Row], cells: Sequence[Sequence[Any]]) -> tuple[list[int], list[str]]:
        place = self.places["id"]
        quick = _wholes(cells[place], 10**15) if place >= 0 else []
        if quick:
            return quick, [""] * len(rows)
        ids = self._column(rows, cells, "id", _identity, self._told_identity, (0, ""))
        return [code for code, _ in ids], [found for _, found in ids]

    def _ratings(self, rows: Sequence[Row], cells: Sequence[Sequence[Any]]) -> list[int]:
        place = self.places[self.rating]
        quick = _wholes(cells[place], 4000) if place >= 0 else []
        return quick or self._column(rows, cells, self.rating, sheet_values.rating, self._told_rating, 0)

    def _column(
        self,
        rows: Sequence[Row],
        cells: Sequence[Sequence[Any]],
        part: str,
        read: Callable[[Any], T | None],
        tell: Callable[[Row, Any], T] | None,
        none: T,
    ) -> list[T]:
        """One column, each different cell read once; a cell with something to tell (None) is told in each row."""
        place = self.places[part]
        if place < 0:
            return [none] * len(rows)
        known = _Known(read)
        values: list[Any] = [known[cell] for cell in cells[place]]
        if tell is not None and None in known.values():
            for index, value in enumerate(values):
                if value is None:
                    values[index] = tell(rows[index], cells[place][index])
        return values

    def _told_identity(self, row: Row, cell: Any) -> tuple[int, str]:
        try:
            code, mended = sheet_values.identity(cell)
        except ValueError as reason:
            found = text(cell)
            self.told(
                "warning", "id-unreadable", row, "id",
                f"the id {shown(found)} of {self.name(row) or 'a player'} cannot be read ({reason}); expected a number such as 1503014",
                "correct the id: without it the player is not identified, and these games change nobody's rating",
            )  # fmt: skip
            return 0, found
        self.told(
            "note", "id-mended", row, "id", f"the id {mended}", "format the column of ids as text or whole numbers"
        )
        return code, ""

    def _told_rating(self, row: Row, cell: Any) -> int:
        self.told(
            "warning", "rating-unreadable", row, self.rating, f"the rating {shown(text(cell))} is no number of up to four digits; left empty",
            "the list decides the rating; correct the report if its own ratings matter",
        )  # fmt: skip
        return 0

    def _told_sex(self, row: Row, cell: Any) -> str:
        message = f"the sex {shown(text(cell))} is neither m nor w; left empty"
        self.told("warning", "sex-unreadable", row, "sex", message, "write m or w")
        return ""

    def _told_birth(self, row: Row, cell: Any) -> str:
        birth, severity, message = dates.birth(day_text(cell))
        code = "birth-unreadable" if severity == "warning" else "birth-day"
        self.told(severity, code, row, "birth", message, "write the year, or year-month-day")
        return birth

    def _told_points(self, row: Row, cell: Any) -> int:
        self.told(
            "warning", "points-unreadable", row, "points", f"the total {shown(text(cell))} is no number of points; not compared",
            "write 5.5, 5,5 or 5½",
        )  # fmt: skip
        return -1


def _wholes(cells: Sequence[Any], below: int) -> list[int]:
    """A column of nothing but number cells with whole numbers from 0; empty for any other, which is read cell by cell."""
    if {*map(type, cells)} != {float}:
        return []
    try:
        numbers = list(map(int, cells))
    except (ValueError, OverflowError):
        return []
    return numbers if numbers == list(cells) and min(numbers) >= 0 and max(numbers) < below else []


def _tidy(names: Sequence[Any]) -> bool:
    """Whether every cell is a text as ``text`` would give it: looked at all at once."""
    if {*map(type, names)} - {str}:
        return False
    row = "|".join(["", *names, ""])
    return row.isprintable() and "  " not in row and "| " not in row and " |" not in row


class _Known(dict[Any, Any]):
    """What each different cell of a column says; None where there is something to tell."""

    def __init__(self, read: Callable[[Any], Any]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, cell: Any) -> Any:
        value = self[cell] = self.read(cell)
        return value


def _identity(cell: Any) -> tuple[int, str] | None:
    if cell.__class__ is float and 0 < cell < 1e15 and cell.is_integer():
        return int(cell), ""
    try:
        code, mended = sheet_values.identity(cell)
    except ValueError:
        return None
    return None if mended else (code, "")


@lru_cache(4096, typed=True)
def _birth(cell: Any) -> str | None:
    birth, severity, _ = dates.birth(day_text(cell))
    return None if severity else birth


def _capitals(cell: Any) -> str:
    return text(cell).upper()


def ratings_note(table: Table, findings: SheetFindings) -> None:
    """Say which of two rating columns was taken."""
    for side in ("", "white."):
        rating, national = table.columns.get(f"{side}rating", -1), table.columns.get(f"{side}national", -1)
        if national >= 0:
            heads = table.headings
            if rating >= 0:
                message = f"the ratings are taken from {heads[rating]!r}, not from {heads[national]!r}"
            else:
                message = f"the only ratings are those of {heads[national]!r}: national ones; they are compared with nothing else"
            findings.at("note", "rating-column", table.sheet, table.line, max(rating, national) + 1, message)
            return


def too_long(table: Table, row: Row, findings: SheetFindings) -> bool:
    """Whether a row has more cells than headings, which in CSV means that its cells have moved."""
    cells = row.cells
    if len(cells) <= table.width or not any(text(cell) for cell in cells[table.width :]):
        return False
    if table.sheet.book:
        return False
    findings.at(
        "error", "row-cells", table.sheet, row.line, table.width + 1,
        f"{len(cells)} cells under {table.width} headings: the first too many is {shown(text(next(cell for cell in cells[table.width :] if text(cell))))}",
        'put a cell that holds the separator in quotes: "Last, First"',
    )  # fmt: skip
    return True


def read_players(table: Table, findings: SheetFindings) -> list[Entry]:
    """The entries of a table of players, numbered by its column of numbers, else by place."""
    columns = PlayerColumns(table, findings)
    rows, numbers, names = [], [], []
    for ordinal, row in enumerate(table.rows, 1):
        name = columns.name(row)
        if too_long(table, row, findings) or not (name or text(columns.cell(row, "id"))):
            continue
        number = number_of(columns, row, "number") if columns.has("number") else None
        if number is None and columns.has("rank"):
            number = number_of(columns, row, "rank")
        rows.append(row)
        names.append(name)
        numbers.append(ordinal if number is None else number)
    return columns.entries(rows, numbers, [0] * len(rows), names)


def number_of(columns: PlayerColumns, row: Row, part: str) -> int | None:
    """A start number or rank; None for an empty cell or, with an error, one that cannot be read."""
    cell = columns.cell(row, part)
    if type(cell) is float and 0 <= cell < 1e9 and cell.is_integer():
        return int(cell)
    number = sheet_values.whole(cell)
    if number is None and text(cell):
        what = "start number" if part == "number" else "rank"
        columns.told(
            "error",
            "number-unreadable",
            row,
            part,
            f"the {what} {shown(text(cell))} is no whole number",
            "correct the cell",
        )
    return number


class Register:
    """A table of players in which the players of the results are looked up: by number and name, by id, by name."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.by_number: dict[int, Entry] = {}
        self.by_id: dict[int, Entry] = {}
        self.by_name: dict[str, Entry | None] = {}
        for entry in entries:
            self.by_number.setdefault(entry.number, entry)
            if entry.fideid:
                self.by_id.setdefault(entry.fideid, entry)
            key = fold(entry.name)
            # A name that stands twice identifies nobody.
            self.by_name[key] = None if key in self.by_name else entry

    def of(self, entry: Entry) -> Entry | None:
        """Who a row of a table of results is."""
        known = self.by_id.get(entry.fideid) if entry.fideid else None
        if known is not None:
            return known
        known = self.by_number.get(entry.number)
        if known is not None and (not entry.name or fold(known.name) == fold(entry.name)):
            return known
        return self.by_name.get(fold(entry.name)) if entry.name else None


def completed(entry: Entry, known: Entry) -> Entry:
    """A player of the results with what the table of players says besides."""
    return entry._replace(
        name=entry.name or known.name,
        fideid=entry.fideid or known.fideid,
        id_found=entry.id_found or ("" if entry.fideid else known.id_found),
        sex=entry.sex or known.sex,
        title=entry.title or known.title,
        rating=entry.rating or known.rating,
        federation=entry.federation or known.federation,
        birth=entry.birth or known.birth,
    )
