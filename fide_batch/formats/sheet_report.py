"""From the tables of a file to one report."""

from __future__ import annotations

from fide_batch.formats.headings import fold
from fide_batch.formats.sheet_cross import read_cross
from fide_batch.formats.sheet_games import GamesReader
from fide_batch.formats.sheet_grid import Opened, SheetFindings
from fide_batch.formats.sheet_head import Dated, read_event
from fide_batch.formats.sheet_matrix import read_matrix
from fide_batch.formats.sheet_players import Register, completed, ratings_note, read_players
from fide_batch.formats.sheet_tables import (
    CHESS_RESULTS,
    CROSS,
    GAMES,
    MATRIX,
    PLAYERS,
    Found,
    Table,
    find,
    whole_reports,
)
from fide_batch.formats.sheet_values import text
from fide_batch.model import Cell, Entry, Event, Report


def unread(name: str, kind: str, opened: Opened) -> Report:
    """The report of a file that could not be opened: only its problems."""
    findings = SheetFindings(name)
    findings.take(opened.problems)
    return Report(Event(name, kind), problems=findings.all())


def read_reports(name: str, opened: Opened, found: Found, owner: str) -> Report | list[Report]:
    """The event of a workbook, or, where each sheet is a report of its own, the event of each sheet: ``name/Sheet``."""
    sheets = whole_reports(opened, found)
    if not sheets:
        return read_report(name, opened, found, owner)
    reports = []
    for sheet in sheets:
        alone = Opened([sheet], kind=opened.kind)
        reports.append(read_report(f"{name}/{text(sheet.name).replace('/', '-')}", alone, find(alone), owner))
    findings = SheetFindings(name)
    findings.take(opened.problems)
    left = [sheet.name for sheet in opened.sheets if sheet not in sheets and sheet.rows]
    rest = f"; nothing was found in {', '.join(left)}" if left else ""
    findings.note(
        "sheets", f"{len(sheets)} sheets are reports of their own: {', '.join(sheet.name for sheet in sheets)}{rest}"
    )
    reports[0].problems[:0] = findings.all()
    return reports


def read_report(name: str, opened: Opened, found: Found, owner: str) -> Report:
    """One event from everything found in a file; all its problems at once."""
    findings = SheetFindings(name)
    findings.take(opened.problems)
    _notes(found, opened, owner, findings)
    players = _player_tables(found, findings)
    entries: list[Entry] = players
    cells: list[Cell] = []
    days: list[Dated] = []
    crosses = [table for table in found.tables if table.kind in (CROSS, MATRIX)]
    games = [table for table in found.tables if table.kind == GAMES]
    if crosses:
        entries, cells = _cross_tables(crosses, found, findings)
        entries = _with_player_table(entries, players, findings)
        if games:
            findings.note(
                "tables-left",
                f"the lists of games are not read: the {crosses[0].kind} in line {crosses[0].line} holds the results",
                line=games[0].line,
            )
    elif games:
        reader = GamesReader(players, findings)
        for table in games:
            ratings_note(table, findings)
            reader.read(table)
        entries, cells, days = reader.games.entries, reader.games.cells, reader.games.days
    kind = f"{'chess-results' if owner == CHESS_RESULTS else 'sheet'} {opened.kind}"
    event = read_event(name, kind, found, days, findings)
    return Report(event, entries, cells, findings.all())


def _notes(found: Found, opened: Opened, owner: str, findings: SheetFindings) -> None:
    """What was taken and what was left alone."""
    used = {table.sheet.name for table in found.tables} | {line.sheet.name for line in found.head if line.key}
    left = [sheet.name for sheet in opened.sheets if sheet.name not in used and sheet.rows]
    if len(opened.sheets) > 1:
        taken = ", ".join(f"{table.sheet.name} ({table.kind})" for table in found.tables)
        rest = f"; nothing was found in {', '.join(left)}" if left else ""
        findings.note("sheets", f"of {len(opened.sheets)} sheets these are read: {taken}{rest}")
    results = any(table.kind != PLAYERS for table in found.tables)
    for table in found.tables:
        if table.unknown:
            names = ", ".join(repr(heading[:40]) for heading in table.unknown[:8])
            # Where nothing was read as rounds, what was left alone is likely to be them.
            severity, hint = ("note", "") if results else ("warning", "name the columns of rounds R1, R2 and so on")
            findings.at(
                severity, "columns-ignored", table.sheet, table.line, None, f"columns left alone: {names}", hint
            )
    if owner != CHESS_RESULTS:
        for sheet, line, written in found.stray[:20]:
            if not written.startswith("#"):
                findings.at(
                    "note",
                    "text-ignored",
                    sheet,
                    line,
                    None,
                    f"no row of the table: {written[:60]!r}",
                    "begin remarks with #",
                )
        for head in found.head:
            if not head.key and head.values and not head.written.startswith("#"):
                findings.at(
                    "note", "head-unknown", head.sheet, head.line, None, f"head line {head.written[:40]!r} is not known; left alone",
                    "see docs/sheets.md for the head lines",
                )  # fmt: skip


def _player_tables(found: Found, findings: SheetFindings) -> list[Entry]:
    """The players of all tables of players; of two tables with the same players the later adds what the earlier lacks."""
    players: list[Entry] = []
    for table in found.tables:
        if table.kind != PLAYERS:
            continue
        more = read_players(table, findings)
        if not players:
            ratings_note(table, findings)
            players = more
            continue
        register = Register(more)
        known = [register.of(entry) for entry in players]
        if sum(entry is not None for entry in known) * 2 >= len(players):
            players = [completed(entry, other) if other else entry for entry, other in zip(players, known, strict=True)]
            findings.at(
                "note",
                "player-table",
                table.sheet,
                table.line,
                None,
                "a second table of the same players: it fills what the first one lacks",
            )
        else:
            # Other players: a table of its own, such as the rest of a list.
            players += more
    return players


def _cross_tables(tables: list[Table], found: Found, findings: SheetFindings) -> tuple[list[Entry], list[Cell]]:
    """The cross table; a second one is welcome when it says the same, by rank and by start number for instance, of the same event."""
    ratings_note(tables[0], findings)
    read = read_matrix if tables[0].kind == MATRIX else read_cross
    entries, cells = read(tables[0], findings)
    said = _games_by_name(entries, cells) if len(tables) > 1 else set()
    for table in tables[1:]:
        silent = SheetFindings(findings.file)
        others = (read_matrix if table.kind == MATRIX else read_cross)(table, silent)
        same = _games_by_name(*others) == said
        if same and _heads_agree(found, tables[0], table):
            findings.at(
                "note",
                "tables-left",
                table.sheet,
                table.line,
                None,
                "the same results once more; the first table is read",
            )
        else:
            findings.at(
                "error", "tables-several", table.sheet, table.line, None,
                f"a second {table.kind} {'under another head' if same else 'with other results'} than the one in line {tables[0].line}"
                + (f" of sheet {tables[0].sheet.name!r}" if tables[0].sheet.book else ""),
                "hand over one event a file, or an event a sheet, each with its own head lines (Event, Start, End)",
            )  # fmt: skip
    return entries, cells


def _heads_agree(found: Found, first: Table, second: Table) -> bool:
    """Whether the head lines of two tables' sheets speak of one event."""
    one, other = (
        {line.key: fold(text(line.values[0])) for line in found.head if line.sheet is table.sheet and line.key in _OF_AN_EVENT and line.values}
        for table in (first, second)
    )  # fmt: skip
    return all(one[key] == other[key] for key in one.keys() & other.keys())


_OF_AN_EVENT = ("name", "start", "end", "control", "time_control")


def _games_by_name(entries: list[Entry], cells: list[Cell]) -> set[tuple[str, int, str, str, str]]:
    names = {entry.number: entry.name for entry in entries}
    return {
        (names.get(cell.number, ""), cell.round, names.get(cell.opponent, ""), cell.colour, cell.result)
        for cell in cells
    }


def _with_player_table(entries: list[Entry], players: list[Entry], findings: SheetFindings) -> list[Entry]:
    """Ids, births and the rest from the table of players."""
    if not players:
        return entries
    register = Register(players)
    result, missing = [], []
    for entry in entries:
        known = register.of(entry)
        if known is None:
            missing.append(entry)
            result.append(entry)
        else:
            result.append(completed(entry, known))
    if missing:
        findings.warning(
            "player-unlisted", f"{len(missing)} players of the cross table are not in the table of players, the first is {missing[0].name!r}",
            "compare the names of the two tables", line=missing[0].line,
        )  # fmt: skip
    return result
