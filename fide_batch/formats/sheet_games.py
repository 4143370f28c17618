"""Tables with a row a game: round, White, Black, result; and the lists of pairings chess-results prints round by round."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from fide_batch.formats.findings import shown
from fide_batch.formats.headings import fold, round_of
from fide_batch.formats.sheet_grid import Row, SheetFindings
from fide_batch.formats.sheet_head import Dated
from fide_batch.formats.sheet_players import PlayerColumns, Register, completed, number_of, too_long
from fide_batch.formats.sheet_results import BYE_WORDS, game
from fide_batch.formats.sheet_tables import Table
from fide_batch.formats.sheet_values import day_text, text, whole
from fide_batch.model import Cell, Entry

EXPECTED = "1-0, ½-½ or 0-1; +--, --+ or 1-0F for a forfeit; * for none yet"

_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", re.ASCII)
_BYE_RESULT = {
    "10": "U",
    "==": "H",
    "01": "Z",
    "+-": "U",
    "-+": "Z",
    "--": "Z",
    "00": "Z",
    "=0": "H",
    "0=": "Z",
    "**": "Z",
    "": "Z",
}


@dataclass
class Games:
    """What tables of games come to: the players in order of appearance, the player-rounds, the days of the rounds."""

    entries: list[Entry] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    days: list[Dated] = field(default_factory=list)


class GamesReader:
    """Reads tables of games one after another into one event."""

    def __init__(self, players: list[Entry], findings: SheetFindings) -> None:
        self.findings = findings
        self.listed = bool(players)
        self.register = Register(players)
        self.games = Games(list(players))
        self.known: dict[tuple[str, object], int] = {}
        """How a player was written -> his place among the entries."""
        self.taken = {entry.number for entry in players}
        self.next_number = 1
        for place, entry in enumerate(players):
            self._remember(entry, place)

    def _remember(self, entry: Entry, place: int) -> None:
        self.known.setdefault(("number", entry.number), place)
        if entry.fideid:
            self.known.setdefault(("id", entry.fideid), place)
        if entry.name:
            self.known.setdefault(("name", fold(entry.name)), place)

    def read(self, table: Table) -> None:
        """All games of one table."""
        white = PlayerColumns(table, self.findings, "white.")
        black = PlayerColumns(table, self.findings, "black.")
        if table.round and table.round_line is not None:
            day = _DAY.search(table.round_line.written)
            if day:
                line = table.round_line
                self.games.days.append(Dated(table.round, day[0], line.sheet, line.line, line.column))
        for row in table.rows:
            if too_long(table, row, self.findings):
                continue
            self._row(table, row, white, black)

    def _row(self, table: Table, row: Row, white: PlayerColumns, black: PlayerColumns) -> None:
        result_place = table.columns["result"]
        cell = row.cells[result_place] if result_place < len(row.cells) else ""
        number = self._round(table, row)
        if number is None:
            return
        sides = [self._player(columns, row) for columns in (white, black)]
        if all(side is None for side in sides) and not text(cell):
            return
        letters = self._result(table, row, cell)
        if letters is None:
            return
        who_white, who_black = sides
        column = result_place + 1
        if isinstance(who_white, int) and isinstance(who_black, int) and len(letters) == 1:
            self.findings.at(
                "error", "result-unreadable", table.sheet, row.line, column,
                f"the result is {shown(text(cell))}, with two players; expected {EXPECTED}", "write the result, or take the player out who has no game",
            )  # fmt: skip
        elif isinstance(who_white, int) and isinstance(who_black, int):
            first, second = self.games.entries[who_white].number, self.games.entries[who_black].number
            own, other = (letters[0], letters[1]) if letters else ("?", "?")
            own, other = own.replace("*", "?"), other.replace("*", "?")
            self.games.cells.append(Cell(first, number, second, "w", own, row.line, column))
            self.games.cells.append(Cell(second, number, first, "b", other, row.line, column))
        else:
            self._unpaired(table, row, number, sides, letters, column)
        self._day(table, row, number)

    def _unpaired(
        self, table: Table, row: Row, number: int, sides: list[int | str | None], letters: str, column: int
    ) -> None:
        """A row with one player: a bye, or not paired."""
        player = next((side for side in sides if isinstance(side, int)), None)
        word = next((side for side in sides if isinstance(side, str)), "")
        if player is None:
            self.findings.at(
                "error", "player-missing", table.sheet, row.line, None, f"a result in round {number} without players",
                "name White and Black, or delete the row",
            )  # fmt: skip
            return
        letter = word
        if len(letters) == 1:
            letter = letters
        elif word in ("U", " ", "") and letters:
            if isinstance(sides[0], int):
                letter = _BYE_RESULT[letters]
            else:
                letter = _BYE_RESULT[letters[::-1]]
        elif not word:
            letter = "Z"
        if word == " " and letter == "Z":
            letter = " "
        self.games.cells.append(Cell(self.games.entries[player].number, number, 0, "", letter, row.line, column))

    def _round(self, table: Table, row: Row) -> int | None:
        place = table.columns.get("round", -1)
        cell = row.cells[place] if 0 <= place < len(row.cells) else ""
        number = whole(cell)
        if number is None:
            number = round_of(text(cell)) or None
        if number is None and not text(cell):
            number = table.round or None
        if number is None or not 1 <= number <= 99:
            self.findings.at(
                "error", "round-unreadable", table.sheet, row.line, place + 1 if place >= 0 else None,
                f"the round is {shown(text(cell))}; expected a number from 1", "write the number of the round",
            )  # fmt: skip
            return None
        return number

    def _result(self, table: Table, row: Row, cell: object) -> str | None:
        """Two letters, one letter for a bye, '' for an empty cell, None (told) when it cannot be read."""
        column = table.columns["result"] + 1
        if isinstance(cell, date):
            if (cell.month, cell.day) in ((1, 2), (2, 1)):
                self.findings.at(
                    "note", "result-date", table.sheet, row.line, column,
                    f"the result is the date {text(cell)}: the spreadsheet's reading of 1/2; read as ½-½", "write ½-½ or 0.5",
                )  # fmt: skip
                return "=="
            letters = None
        else:
            value = text(cell)
            letters = game(value)
            if letters is None and value.casefold() in BYE_WORDS:
                letters = BYE_WORDS[value.casefold()]
        if letters is None:
            self.findings.at(
                "error", "result-unreadable", table.sheet, row.line, column, f"the result is {shown(text(cell))}; expected {EXPECTED}",
                "correct the cell",
            )  # fmt: skip
        return letters

    def _player(self, columns: PlayerColumns, row: Row) -> int | str | None:
        """The place of a player among the entries; a bye's letter (a space for *not paired*); None for nobody."""
        name = columns.name(row)
        for written in (name, text(columns.cell(row, "number"))):
            word = BYE_WORDS.get(written.casefold()) if len(written) > 1 else None
            if word is not None:
                return word
        number = number_of(columns, row, "number") if columns.has("number") else None
        if not name and not number and not text(columns.cell(row, "id")):
            return None
        entry = columns.entry(row, number or 0)
        if not columns.has("number") and name.isdigit() and not columns.has("id"):
            # "White,Black,Result" with start numbers under White and Black.
            entry = entry._replace(number=int(name) if len(name) < 9 else 0, name="")
        return self._place(entry, columns, row)

    def _place(self, entry: Entry, columns: PlayerColumns, row: Row) -> int:
        place = None
        if entry.number:
            place = self.known.get(("number", entry.number))
        elif entry.fideid:
            place = self.known.get(("id", entry.fideid))
        if place is None and not entry.number and entry.name:
            place = self.known.get(("name", fold(entry.name)))
            if place is not None and entry.fideid and self.games.entries[place].fideid not in (0, entry.fideid):
                place = None
        if place is None:
            return self._new(entry, columns, row)
        known = self.games.entries[place]
        self._compare(known, entry, columns, row)
        if not self.listed:
            self.games.entries[place] = completed(known, entry)
        return place

    def _new(self, entry: Entry, columns: PlayerColumns, row: Row) -> int:
        if self.listed:
            found = self.register.of(entry)
            if found is not None:
                return self.known["number", found.number]
            who = entry.number or entry.name or entry.fideid
            part = "number" if entry.number and columns.has("number") else "name" if columns.has("name") else "id"
            columns.told(
                "error", "player-unlisted", row, part, f"{who} is not in the table of players", "add the player to the table of players, or correct the game",
            )  # fmt: skip
        if not entry.number:
            while self.next_number in self.taken:
                self.next_number += 1
            entry = entry._replace(number=self.next_number)
        self.taken.add(entry.number)
        self.games.entries.append(entry)
        place = len(self.games.entries) - 1
        self._remember(entry, place)
        return place

    def _compare(self, known: Entry, entry: Entry, columns: PlayerColumns, row: Row) -> None:
        """One player must be the same in every row."""
        if entry.fideid and known.fideid and entry.fideid != known.fideid:
            columns.told(
                "error", "player-differs", row, "id",
                f"the id of player {known.number} ({known.name}) differs from the one in line {known.line}",
                "one player, one id: correct the wrong row",
            )  # fmt: skip
        elif (
            entry.name
            and known.name
            and fold(entry.name) != fold(known.name)
            and not (entry.fideid == known.fideid != 0)
        ):
            columns.told(
                "error", "player-differs", row, "name" if columns.has("name") else "last",
                f"player {known.number} is {shown(entry.name)} here and {shown(known.name)} in line {known.line}",
                "correct the start number or the name",
            )  # fmt: skip

    def _day(self, table: Table, row: Row, number: int) -> None:
        place = table.columns.get("date", -1)
        if 0 <= place < len(row.cells):
            day = day_text(row.cells[place])
            if day:
                self.games.days.append(Dated(number, day, table.sheet, row.line, place + 1))
