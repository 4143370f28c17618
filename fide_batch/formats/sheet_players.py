"""The players of a table: one entry a row, and a table of players brought together with a table of results."""

from __future__ import annotations

from typing import Any

from fide_batch.formats import dates, sheet_values
from fide_batch.formats.findings import shown
from fide_batch.formats.headings import fold
from fide_batch.formats.sheet_grid import Row, SheetFindings
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import day_text, text
from fide_batch.model import Entry

PARTS = (
    "number",
    "rank",
    "name",
    "last",
    "first",
    "id",
    "federation",
    "rating",
    "national",
    "birth",
    "sex",
    "title",
    "points",
)


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

    def entry(self, row: Row, number: int, rank: int = 0, name: str | None = None) -> Entry:
        """The player of a row (his name, when it has been read already); what cannot be read is told and left empty."""
        fideid, id_found = self._identity(row)
        title = sheet_values.title(self.cell(row, "title")) if self.places["title"] >= 0 else ""
        birth = self._birth(row) if self.places["birth"] >= 0 else ""
        points = self._points(row) if self.places["points"] >= 0 else -1
        federation = text(self.cell(row, "federation")).upper()
        return Entry(
            number, self.name(row) if name is None else name, fideid, id_found, self._sex(row), title, self._rating(row), federation, birth, points, rank, row.line,
        )  # fmt: skip

    def _identity(self, row: Row) -> tuple[int, str]:
        if self.places["id"] < 0:
            return 0, ""
        cell = self.cell(row, "id")
        try:
            code, mended = sheet_values.identity(cell)
        except ValueError as reason:
            found = text(cell)
            self.told(
                "warning", "id-unreadable", row, "id",
                f"the id {shown(found)} of {self.name(row) or 'a player'} cannot be read ({reason}); expected a number such as 1503014",
                "correct the id: without it the player is not identified, and his games change nobody's rating",
            )  # fmt: skip
            return 0, found
        if mended:
            self.told(
                "note", "id-mended", row, "id", f"the id {mended}", "format the column of ids as text or whole numbers"
            )
        return code, ""

    def _rating(self, row: Row) -> int:
        if self.places[self.rating] < 0:
            return 0
        cell = self.cell(row, self.rating)
        rating = sheet_values.rating(cell)
        if rating is None:
            self.told(
                "warning", "rating-unreadable", row, self.rating, f"the rating {shown(text(cell))} is no number of up to four digits; left empty",
                "the list decides the rating; correct the report if its own ratings matter",
            )  # fmt: skip
            return 0
        return rating

    def _sex(self, row: Row) -> str:
        if self.places["sex"] < 0:
            return ""
        cell = self.cell(row, "sex")
        sex = sheet_values.sex(cell)
        if sex is None:
            self.told(
                "warning", "sex-unreadable", row, "sex", f"the sex {shown(text(cell))} is neither m nor w; left empty"
            )
        return sex or ""

    def _birth(self, row: Row) -> str:
        birth, severity, message = dates.birth(day_text(self.cell(row, "birth")))
        if severity:
            self.told(severity, "birth-unreadable" if severity == "warning" else "birth-day", row, "birth", message)
        return birth

    def _points(self, row: Row) -> int:
        cell = self.cell(row, "points")
        points = sheet_values.points(cell)
        if points is None:
            self.told(
                "warning", "points-unreadable", row, "points", f"the total {shown(text(cell))} is no number of points; not compared",
                "write 5.5, 5,5 or 5½",
            )  # fmt: skip
            return -1
        return points


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
    entries = []
    for ordinal, row in enumerate(table.rows, 1):
        if too_long(table, row, findings):
            continue
        if not columns.name(row) and not text(columns.cell(row, "id")):
            continue
        number = number_of(columns, row, "number") if columns.has("number") else None
        if number is None and columns.has("rank"):
            number = number_of(columns, row, "rank")
        entries.append(columns.entry(row, ordinal if number is None else number))
    return entries


def number_of(columns: PlayerColumns, row: Row, part: str) -> int | None:
    """A start number or rank; None for an empty cell or, with an error, one that cannot be read."""
    cell = columns.cell(row, part)
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
