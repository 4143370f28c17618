"""Records of TRF26 that say more about rounds than the players' lines: byes (240), forfeited matches (330), points given by decision (299)."""

from __future__ import annotations

from collections.abc import Sequence

from fide_batch.formats.findings import Findings, shown
from fide_batch.formats.trf_records import Records
from fide_batch.model import RESULTS, Cell, Entry

_FORFEITS = {"+-": ("+", "-"), "-+": ("-", "+"), "--": ("-", "-")}

_MOST = 20_000
"""Lines of one record that are looked at."""


class Rounds:
    """The rounds of a report while records are applied to them."""

    def __init__(self, entries: Sequence[Entry], cells: Sequence[Cell], found: Findings) -> None:
        self.found = found
        self.place = {entry.number: place for place, entry in reversed(list(enumerate(entries)))}
        self._place_of_line = {(entry.number, entry.line): place for place, entry in enumerate(entries)}
        self.cells = {(cell.number, cell.round, cell.line): cell for cell in cells}
        self.at = {(cell.number, cell.round): key for key, cell in reversed(self.cells.items())}
        self.changed = False

    def get(self, number: int, round_: int) -> Cell | None:
        """What a player's line says of a round."""
        key = self.at.get((number, round_))
        return self.cells[key] if key else None

    def put(self, cell: Cell) -> None:
        """Put a round in place of what the player's line says."""
        key = self.at.setdefault((cell.number, cell.round), (cell.number, cell.round, cell.line))
        self.cells[key] = cell
        self.changed = True

    def ordered(self) -> list[Cell]:
        """All rounds by player and round."""
        last = len(self.place)

        def key(cell: Cell) -> tuple[int, int]:
            first = self.place.get(cell.number, last)
            return self._place_of_line.get((cell.number, cell.line), first), cell.round

        return sorted(self.cells.values(), key=key)


def apply(
    records: Records, entries: Sequence[Entry], cells: list[Cell], found: Findings
) -> tuple[list[Cell], tuple[int, ...]]:
    """The rounds as all records together tell them, and the start numbers whose printed total was changed by decision."""
    if not ({"240", "330", "299"} & records.lines.keys()):
        return cells, ()
    rounds = Rounds(entries, cells, found)
    for number, line in records.lines.get("240", [])[:_MOST]:
        _bye(rounds, number, line)
    teams = _teams(records)
    for number, line in records.lines.get("330", [])[:_MOST]:
        _forfeited_match(rounds, teams, number, line)
    adjusted: set[int] = set()
    for number, line in records.lines.get("299", [])[:_MOST]:
        adjusted |= _abnormal(rounds, bool(teams), number, line)
    return (rounds.ordered() if rounds.changed else cells), tuple(sorted(adjusted))


def _numbers(words: Sequence[str]) -> list[int] | None:
    """Words as numbers without the zeros that fill a record; None when one is no number."""
    if not all(word.isdecimal() and word.isascii() and len(word) <= 6 for word in words):
        return None
    return [int(word) for word in words if int(word)]


def _malformed(rounds: Rounds, tag: str, number: int, line: str, expected: str) -> None:
    rounds.found.warning(
        "record-unreadable",
        f"record {tag} is {shown(line[4:])}; expected {expected}",
        "correct the record; it is not read",
        line=number,
        column=5,
        source=line,
    )


# --- 240 -------------------------------------------------------------------------------------------


def _bye(rounds: Rounds, number: int, line: str) -> None:
    words = line[3:].split()
    letter = words[0].upper() if words else ""
    numbers = _numbers(words[1:])
    if letter not in ("F", "H", "Z", "U") or not numbers:
        _malformed(rounds, "240", number, line, "F, H or Z, a round and start numbers")
        return
    round_, players = numbers[0], numbers[1:]
    for player in players:
        if player not in rounds.place:
            rounds.found.warning(
                "bye-unknown-player",
                f"a bye in round {round_} for start number {player}, which no player has",
                "correct record 240",
                line=number,
                column=1,
                source=line,
            )
            continue
        cell = rounds.get(player, round_)
        if cell is None or (not cell.opponent and cell.result == " "):
            rounds.put(Cell(player, round_, 0, "", letter, number, 1))
        elif cell.opponent and cell.result in RESULTS:
            rounds.found.error(
                "bye-contradicts",
                f"player {player} has a bye ({letter}) in round {round_}, and a game with {cell.opponent} in line {cell.line}",
                "correct one of the two",
                line=number,
                column=1,
                source=line,
            )
        elif cell.result != letter:
            rounds.found.warning(
                "bye-differs",
                f"player {player} has a bye ({letter}) in round {round_}, and {cell.result!r} in line {cell.line}, which counts",
                "correct one of the two",
                line=number,
                column=1,
                source=line,
            )


# --- 330 -------------------------------------------------------------------------------------------


def _teams(records: Records) -> dict[int, set[int]]:
    """The players of each team: by the number in 310, or by the order of the 013 records."""
    teams: dict[int, set[int]] = {}
    for _, line in records.lines.get("310", [])[:_MOST]:
        number = line[4:7].strip()
        members = _numbers(line[72:].split())
        if number.isdecimal() and members:
            teams[int(number)] = set(members)
    if not teams:
        for place, (_, line) in enumerate(records.lines.get("013", [])[:_MOST], 1):
            teams[place] = set(_numbers(line[36:].split()) or ())
    return teams


def _forfeited_match(rounds: Rounds, teams: dict[int, set[int]], number: int, line: str) -> None:
    words = line[3:].split()
    numbers = _numbers(words[1:])
    sides = _FORFEITS.get(words[0]) if words else None
    if sides is None or numbers is None or len(numbers) != 3:
        _malformed(rounds, "330", number, line, "+-, -+ or --, a round and two teams")
        return
    round_, white, black = numbers
    if white not in teams or black not in teams:
        unknown = white if white not in teams else black
        rounds.found.warning(
            "team-unknown",
            f"a forfeited match of team {unknown}, which no record 310 names",
            "correct record 330",
            line=number,
            column=1,
            source=line,
        )
        return
    boards = 0
    for own, other, letter in ((white, black, sides[0]), (black, white, sides[1])):
        for player in sorted(teams[own]):
            cell = rounds.get(player, round_)
            if cell and cell.opponent in teams[other] and cell.result not in ("+", "-"):
                rounds.put(cell._replace(result=letter))
                boards += 1
    if boards:
        rounds.found.note(
            "match-forfeited",
            f"round {round_}, team {white} against team {black}: forfeited ({words[0]}), so the {(boards + 1) // 2} boards listed are not rated",
            "",
            line=number,
            column=1,
            source=line,
        )


# --- 299 -------------------------------------------------------------------------------------------


def _abnormal(rounds: Rounds, teams: bool, number: int, line: str) -> set[int]:
    """Points given or taken by decision. The letter says whether the game still counts as played."""
    letter = line[4:5].upper().strip()
    numbers = _numbers(line[17:].split())
    if numbers is None or not numbers or letter not in ("", "W", "D", "L", "F", "H", "Z", "+", "-"):
        _malformed(rounds, "299", number, line, "a letter, points, a round and start numbers in their columns")
        return set()
    round_, players = numbers[0], {player for player in numbers[1:] if player in rounds.place}
    if teams:
        return set()
    for player in sorted(players):
        cell = rounds.get(player, round_)
        if cell and letter in ("F", "H", "Z", "+", "-") and cell.result in RESULTS:
            rounds.put(cell._replace(result=letter))
            rounds.found.note(
                "result-by-decision",
                f"round {round_} of player {player}: {cell.result} in the player's line counts as {letter} by record 299, which is not rated",
                "",
                line=number,
                column=1,
                source=line,
            )
    return players
