"""Finding the tables in a sheet: the head lines, each heading row, and what kind of table stands under it.

A file is *ours* or *chess-results* by what its head and headings say (``claimed``), so that exactly one reader takes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from fide_batch.formats.headings import PLAYER_PARTS, column_of, fold, key_of, round_of
from fide_batch.formats.sheet_grid import Opened, Row, Sheet
from fide_batch.formats.sheet_results import cross
from fide_batch.formats.sheet_values import text

MOST_COLUMNS = 500
"""A heading row is read so far."""

OURS, CHESS_RESULTS = "ours", "chess-results"

CROSS, MATRIX, GAMES, PLAYERS = "cross table", "round robin table", "games", "players"

_PLAYER_PARTS = frozenset((*PLAYER_PARTS, "club"))


@dataclass
class Head:
    """One line above or between the tables: a key and its value, or just a text (``key`` is '' then)."""

    sheet: Sheet
    line: int
    key: str
    values: list[Any]
    """The value and what stands to its right."""
    column: int = 1
    """Where the value stands, from 1."""
    written: str = ""
    """The key or the text as it stands."""


@dataclass
class Table:
    """A heading row and the rows under it."""

    sheet: Sheet
    kind: str
    line: int
    columns: dict[str, int]
    """Our name of a column -> its place from 0. Of a games table the players' columns are ``white.name``, ``black.id`` ..."""
    rounds: dict[int, int]
    """Round (of a round robin table: opponent's place) -> its place from 0."""
    unknown: list[str] = field(default_factory=list)
    """Headings nobody knows; their columns are left alone."""
    width: int = 0
    rows: list[Row] = field(default_factory=list)
    round: int = 0
    """The round all games of the table belong to, from the line above it (``Round 3 on 2026/10/03``)."""
    round_line: Head | None = None
    """That line, which may hold the round's day."""
    headings: list[str] = field(default_factory=list)


@dataclass
class Found:
    """What lies in a file."""

    tables: list[Table] = field(default_factory=list)
    head: list[Head] = field(default_factory=list)
    stray: list[tuple[Sheet, int, str]] = field(default_factory=list)
    """Texts under a table that are no row of it."""

    def value(self, key: str) -> Head | None:
        """The head line of a key; the first when there are several."""
        return next((line for line in self.head if line.key == key), None)

    @property
    def results(self) -> list[Table]:
        """The tables with results."""
        return [table for table in self.tables if table.kind != PLAYERS]


def find(opened: Opened) -> Found:
    """Every table and head line of every sheet."""
    found = Found()
    for sheet in opened.sheets:
        _Scan(sheet, found).run()
    return found


def whole_reports(opened: Opened, found: Found) -> list[Sheet]:
    """The sheets that are each the report of an event of its own, in the order of their names; none where that is doubtful.

    Every sheet with a table or a head line has a line *Event* and results, and no event's name stands twice.
    """
    events = {
        line.sheet.name: fold(text(line.values[0])) for line in found.head if line.key == "name" and line.column > 1
    }
    used = {table.sheet.name for table in found.tables} | {line.sheet.name for line in found.head if line.key}
    whole = {table.sheet.name for table in found.results} & events.keys()
    if len(used) < 2 or used != whole or len({events[name] for name in used}) < len(used):
        return []
    return sorted((sheet for sheet in opened.sheets if sheet.name in used), key=lambda sheet: sheet.name)


_ROUND_LINE = re.compile(
    r"(?:round|rd|runde|ronde|ronda|rodada|turno|tur|kolo)\.? ?(\d{1,2})\b(?!.* (?:after|nach|rounds?\b|runden))|(\d{1,2})\.? ?(?:round|runde|ronde|ronda|rodada|turno|tur|rd)\b",
    re.IGNORECASE,
)


class _Scan:
    """One sheet from top to bottom."""

    def __init__(self, sheet: Sheet, found: Found) -> None:
        self.sheet = sheet
        self.found = found
        self.table: Table | None = None
        self.ended = False
        self.round = 0
        self.round_line: Head | None = None
        self.last_line = 0

    def run(self) -> None:
        for row in self.sheet.rows:
            line, cells = row
            if line == self.last_line + 1 and self.table is not None and not self.ended and cells[0].__class__ is float:
                # By far most rows: a player's or a game's that begins with a number, right below the one before.
                self.table.rows.append(row)
                self.last_line = line
                continue
            gap = bool(self.table) and row.line > self.last_line + 1
            self.last_line = row.line
            table = heading_row(self.sheet, row) if self._may_be_heading(row) else None
            if table is not None:
                self._close()
                table.round, table.round_line = self.round, self.round_line
                self.round, self.round_line = 0, None
                self.table, self.ended = table, False
                continue
            if self.table is not None and not self.ended and not self._is_text(row, gap):
                self.table.rows.append(row)
                continue
            self._text(row)
        self._close()

    def _may_be_heading(self, row: Row) -> bool:
        """A quick look before the careful one: rows of players and games begin with a number, a title or a name."""
        if self.table is None:
            # A key and its value are two cells, a heading at least three.
            return len(row.cells) - row.cells.count("") > 2
        for cell in row.cells[:4]:
            if cell == "" or cell is None:
                continue
            if not isinstance(cell, str) or not (stripped := cell.strip()):
                return False
            return not stripped[0].isdigit() and bool(column_of(stripped))
        return False

    def _is_text(self, row: Row, gap: bool) -> bool:
        """Whether a row under a heading is no row of the table: a title, a footnote, the line of a link."""
        table = self.table
        assert table is not None
        cells = row.cells
        if not gap and len(cells) - cells.count("") > 1 and not isinstance(cells[0], str):
            return False
        filled = [place for place, cell in enumerate(cells) if text(cell)]
        if not filled:
            return True
        first = text(cells[filled[0]])
        if first.startswith("#") or "://" in first or first.casefold().startswith("www."):
            return True
        if len(filled) == 1 and isinstance(row.cells[filled[0]], str) and not first.isdigit():
            if _ROUND_LINE.match(first) and table.kind == GAMES:
                self.ended = True
                return True
            name = table.columns.get("name", table.columns.get("last", -1))
            return filled[0] != name or gap
        if gap and filled[0] == 0 and not first[0].isdigit() and first[0] not in "-+":
            # After a blank row a text in the column of the numbers: the footnotes have begun.
            leading = {table.columns.get(name, -1) for name in ("number", "rank", "board", "round", "white.number")}
            if 0 in leading:
                self.ended = True
                return True
        return False

    def _text(self, row: Row) -> None:
        """A line outside the tables."""
        filled = [place for place, cell in enumerate(row.cells) if text(cell)]
        if not filled:
            return
        first = filled[0]
        written = text(row.cells[first])
        marker = _ROUND_LINE.match(written)
        if marker:
            self.round = int(marker[1] or marker[2])
            self.round_line = Head(self.sheet, row.line, "", [], first + 1, written)
        if self.table is not None:
            self.found.stray.append((self.sheet, row.line, written))
            return
        key, values, column = written.rstrip(": "), list(row.cells[first + 1 :]), first + 2
        while values and not text(values[0]):
            del values[0]
            column += 1
        if ":" in written and not key_of(key):
            # One cell for both: "Federation : Austria ( AUT )".
            key, _, value = written.partition(":")
            values, column = [value.strip(), *values], first + 1
        known = key_of(key) if values else ""
        self.found.head.append(Head(self.sheet, row.line, known, values, column, key if known else written))

    def _close(self) -> None:
        table = self.table
        if table is None:
            return
        if table.kind == CROSS and _is_matrix(table):
            table.kind = MATRIX
        _unnamed_titles(table)
        self.found.tables.append(table)
        self.table = None


def heading_row(sheet: Sheet, row: Row) -> Table | None:
    """The table a heading row begins; None when the row is no heading."""
    headings = [text(cell) for cell in row.cells[:MOST_COLUMNS]]
    columns: dict[str, int] = {}
    rounds: dict[int, int] = {}
    unknown: list[str] = []
    places: list[tuple[int, str]] = []
    known = 0
    for place, heading in enumerate(headings):
        if not heading:
            continue
        name = column_of(heading)
        if name:
            places.append((place, name))
            known += 1
            continue
        number = round_of(heading)
        if number:
            rounds.setdefault(number, place)
            known += 1
        else:
            unknown.append(heading)
    names = [name for _, name in places]
    if len(set(names)) < 2 or known <= len(unknown):
        return None
    result = next((place for place, name in places if name == "result"), None)
    sided = any(name.startswith(("white", "black")) for name in names)
    twice = result is not None and names.count("name") == 2
    if result is not None and (sided or twice):
        columns = _sides(places, result)
        kind = GAMES
        if not any(name.startswith("white.") for name in columns) or not any(
            name.startswith("black.") for name in columns
        ):
            return None
    else:
        for place, name in places:
            before = columns.setdefault(name, place)
            if name in ("id", "rating") and "fide" not in fold(headings[before]) and "fide" in fold(headings[place]):
                # "ID" beside "FideID" is the national one.
                columns[name] = place
        if "name" not in columns and "last" not in columns and "id" not in columns:
            return None
        if "last" in columns and "first" not in columns and "name" in columns:
            # "nombre" and "nom" beside a family name are given names.
            columns["first"] = columns.pop("name")
        if len(rounds) > 1 or (rounds and ("number" in columns or "rank" in columns)):
            kind = CROSS
        elif set(columns) & {"number", "id", "rating", "federation", "birth", "national", "rank"}:
            kind = PLAYERS
        else:
            return None
    return Table(
        sheet,
        kind,
        row.line,
        columns,
        rounds,
        unknown,
        max(place for place, head in enumerate(headings) if head) + 1,
        headings=headings,
    )


def _sides(places: list[tuple[int, str]], result: int) -> dict[str, int]:
    """The columns of a table of games: what names no side belongs to White before the result and to Black after it."""
    columns: dict[str, int] = {}
    white = [place for place, name in places if name.startswith("white")]
    black = [place for place, name in places if name.startswith("black")]
    # "Round, White, WhiteId, Black, BlackId, Result": nothing of a player stands behind the result, every column names its side.
    parted = (
        not black
        or (bool(white) and min(black) > result > max(white))
        or any(place > result and name in _PLAYER_PARTS for place, name in places)
    )
    for place, name in places:
        if name in ("white", "black"):
            columns.setdefault(f"{name}.name", place)
        elif name in _PLAYER_PARTS and parted:
            columns.setdefault(f"{'white' if place < result else 'black'}.{name}", place)
        elif name in _PLAYER_PARTS:
            columns.setdefault(f"{_side_before(place, white, black)}.{name}", place)
        else:
            columns.setdefault(name, place)
    return columns


def _side_before(place: int, white: list[int], black: list[int]) -> str:
    """The side whose named column stands last before a column (``White, Rtg, Black, Rtg``)."""
    last_white = max((at for at in white if at < place), default=-1)
    last_black = max((at for at in black if at < place), default=-1)
    return "black" if last_black > last_white else "white"


_TWO_RESULTS = re.compile(r"[01½=+\-]{2}")


def _is_matrix(table: Table) -> bool:
    """Whether the numbered columns are opponents and not rounds: as many as players, and results without opponents in them."""
    count = len(table.rounds)
    if (
        sorted(table.rounds) != list(range(1, count + 1))
        or not 3 <= count <= 40
        or not count - 1 <= len(table.rows) <= count + 1
    ):
        return False
    results = 0
    for row in table.rows:
        for place in table.rounds.values():
            cell = text(row.cells[place]) if place < len(row.cells) else ""
            read = cross(cell)
            if read is not None and read.opponent and not _TWO_RESULTS.fullmatch(cell):
                return False
            results += cell in ("1", "½", "=", "0.5", "0,5", "+", "1/2") or bool(_TWO_RESULTS.fullmatch(cell))
    return results > 0


_TITLE = re.compile(r"(?:W?[GIFC]M|W?[gmfc]|M[IFC]|GMF|MIF|MMF|A[GIFC]M|NM|WNM|[IF]A)", re.ASCII)


def _unnamed_titles(table: Table) -> None:
    """A column without a heading that stands before a name and holds titles is the title."""
    for side in ("white.", "black.") if table.kind == GAMES else ("",):
        name = table.columns.get(f"{side}name", table.columns.get(f"{side}last", 0))
        for place in (name - 1, name - 2):
            if f"{side}title" in table.columns or place < 0 or (place < len(table.headings) and table.headings[place]):
                break
            values = {text(row.cells[place]) for row in table.rows[:500] if place < len(row.cells)} - {""}
            if values and all(_TITLE.fullmatch(value) for value in values):
                table.columns[f"{side}title"] = place


# --- whose table it is ------------------------------------------------------------------------------

_POINTED_ROUND = re.compile(r"\s*\d{1,2}\s*\.\s*[^\W\d_]{1,6}\.?\s*")
_TITLE_LINE = re.compile(
    r"crosstable|cross table|kreuztabelle|endtabelle|tabelle nach|endstand|final ranking|rank after|starting rank|startrangliste|cuadro cruzado|ranking final"
    r"|classificacao final|tabela cruzada|grille americaine|classement final|capraz tablo|son siralama|baslangic siralamasi|alphabetical list|alphabetische"
)


def claimed(found: Found) -> tuple[str, str]:
    """Whose table it is and what is missing: ``(OURS, "")``, ``(CHESS_RESULTS, "")``, or ``("", why)`` when nobody can read it."""
    if not found.tables:
        return "", "no heading row with a name and round columns (R1, 1.Rd ...), or with White, Black and Result"
    if _says_chess_results(found):
        return CHESS_RESULTS, ""
    if any(line.key == "name" and line.column > 1 for line in found.head):
        return OURS, ""
    if not found.results:
        return "", "only players: no round columns, no column of results, and no head line Event"
    titled = any(not line.key and _TITLE_LINE.search(fold(line.written)) for line in found.head)
    for table in found.results:
        pointed = any(_POINTED_ROUND.fullmatch(table.headings[place]) for place in table.rounds.values())
        by_round_line = table.kind == GAMES and "round" not in table.columns
        if titled or pointed or by_round_line:
            return CHESS_RESULTS, ""
    return OURS, ""


def _says_chess_results(found: Found) -> bool:
    lines = [line.written for line in found.head] + [written for _, _, written in found.stray]
    return any("chess-results" in written.casefold() or "swiss-manager" in written.casefold() for written in lines)
