"""The players' lines (001): who he is, his total, and his rounds."""

from __future__ import annotations

import re
from functools import lru_cache

from fide_batch.formats import trf_columns as at
from fide_batch.formats.dates import birth
from fide_batch.formats.findings import Findings, shown
from fide_batch.formats.sheet_values import identity
from fide_batch.formats.trf_cells import read_cell
from fide_batch.model import POINT, Cell, Entry

_TITLES = {
    "G": "GM", "M": "IM", "F": "FM", "C": "CM", "W": "WIM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM", "MI": "IM", "MF": "FM", "MC": "CM",
}  # fmt: skip
"""Titles of one or two letters, as older programs write them."""

_SEXES = {"m": "m", "M": "m", "w": "w", "W": "w", "f": "w", "F": "w", " ": "", "": ""}

_POINTS = re.compile(r"(\d{1,3})(?:[.,](\d{1,2}))?(½)?|(½)", re.ASCII)

_HINT = "compare the line with the columns of TRF16; a letter too many or too few shifts all that follows"


class Players:
    """The players and rounds of a file as they are read, line by line."""

    def __init__(self, found: Findings) -> None:
        self.found = found
        self.entries: list[Entry] = []
        self.cells: list[Cell] = []
        self.empty_cells: list[tuple[int, int]] = []
        """Line and round of the last cell of a player that holds no game but is printed (``0000 -``)."""
        self._without_points: list[tuple[int, str, int]] = []
        self._refused = False

    def take(self, number: int, line: str) -> None:
        """Read one line.

        Args:
            number: its number in the file, from 1.
            line: the line without its end.
        """
        if len(self.entries) >= at.MOST_PLAYERS:
            if not self._refused:
                self._refused = True
                self.found.error(
                    "too-many-players",
                    f"more than {at.MOST_PLAYERS} players; start numbers have four digits",
                    "split the report",
                    line=number,
                )
            return
        ends = len(line)
        line = self._in_columns(number, line.rstrip(" \t"))
        start = self._start_number(number, line)
        if start is None:
            return
        shift = next((column for column in at.GAPS if line[column : column + 1] not in ("", " ")), None)
        if shift is not None:
            self._fault(
                "columns-shifted",
                number,
                line,
                shift,
                f"{line[shift]!r} in column {shift + 1}; expected a blank",
                _HINT,
            )
            self.entries.append(Entry(start, line[at.NAME].strip(), line=number))
            return
        if len(line) <= at.POINTS.start:
            self._without_points.append((number, line, ends))
        self.entries.append(self._entry(number, line, start))
        self._rounds(number, line, start)

    def finish(self) -> None:
        """What can be said only when all lines are read: a total missing in some lines, but not in all, means that those lines are cut."""
        some = len(self._without_points) < len(self.entries)
        for number, line, ends in self._without_points:
            if some or at.IDENTITY.start < ends < at.IDENTITY.stop:
                self._fault(
                    "line-cut", number, line, ends,
                    f"the line ends after column {ends}; expected the total in columns 81-84", "ask for the file again",
                )  # fmt: skip

    # --- the line as a whole ------------------------------------------------------------------------

    def _in_columns(self, number: int, line: str) -> str:
        """The line with every field in its columns, as far as that can be done without a guess."""
        if "\t" in line:
            column = line.index("\t")
            line = line.replace("\t", " ")
            self.found.note(
                "tab",
                f"a tab in column {column + 1} is read as one blank",
                "",
                line=number,
                column=column + 1,
                source=line,
            )
        if not line.isascii() and not fits(line):
            by_bytes = _cut_by_bytes(line)
            if by_bytes and fits(by_bytes):
                self.found.note(
                    "columns-in-bytes",
                    "the columns of this line count bytes; read so, since counted in letters they do not fit",
                    "",
                    line=number,
                    source=line,
                )
                return by_bytes
        return line

    def _start_number(self, number: int, line: str) -> int | None:
        text = line[at.NUMBER].strip()
        if text.isdecimal() and text.isascii() and int(text):
            return int(text)
        self._fault(
            "start-number", number, line, at.NUMBER.start, f"the start number is {shown(text)}; expected 1 to 9999 in columns 5-8", _HINT
        )  # fmt: skip
        return None

    def _fault(self, code: str, number: int, line: str, column: int, message: str, hint: str = "") -> None:
        self.found.error(code, message, hint, line=number, column=column + 1, source=line)

    def _doubt(self, code: str, number: int, line: str, column: int, message: str, hint: str = "") -> None:
        self.found.warning(code, message, hint, line=number, column=column + 1, source=line)

    # --- the person ------------------------------------------------------------------------------------

    def _entry(self, number: int, line: str, start: int) -> Entry:
        sex = _SEXES.get(line[at.SEX])
        if sex is None:
            self._doubt(
                "sex-unknown",
                number,
                line,
                at.SEX.start,
                f"the sex is {line[at.SEX]!r}; expected m or w",
                "the list decides",
            )
        name = line[at.NAME].strip()
        if not name:
            self._doubt("name-missing-player", number, line, at.NAME.start, f"player {start} has no name")
        identifier, as_found = self._identity(number, line, start)
        born, severity, message = birth(line[at.BIRTH])
        if message:
            self.found.add(
                "birth-unreadable" if severity == "warning" else "birth-day", severity, message, "the list decides",
                line=number, column=at.BIRTH.start + 1, source=line,
            )  # fmt: skip
        return Entry(
            start, name, identifier, as_found, sex or "", title_text(line[at.TITLE]), self._rating(number, line), line[at.FEDERATION].strip().upper(),
            born, self._points(number, line), self._rank(number, line), number,
        )  # fmt: skip

    def _identity(self, number: int, line: str, start: int) -> tuple[int, str]:
        text = line[at.IDENTITY].strip()
        if not text.strip("0"):
            return 0, ""
        if text.isdecimal() and text.isascii() and text[0] != "0":
            return int(text), ""
        try:
            code, mended = identity(text)
        except ValueError as reason:
            self._doubt(
                "id-unreadable", number, line, at.IDENTITY.start,
                f"the id of player {start} is {shown(text)}: {reason}; the player is not identified",
                'correct it, or give the id in decisions.csv ("id 1234")',
            )  # fmt: skip
            return 0, text
        if mended:
            self.found.note(
                "id-mended",
                f"the id of player {start}: {mended}",
                "",
                line=number,
                column=at.IDENTITY.start + 1,
                source=line,
            )
        return code, ""

    def _rating(self, number: int, line: str) -> int:
        text = line[at.RATING].strip()
        if not text:
            return 0
        if text.isdecimal() and text.isascii():
            return int(text)
        self._doubt(
            "rating-unreadable", number, line, at.RATING.start, f"the rating is {shown(text)}; expected a number or nothing",
            "the list decides",
        )  # fmt: skip
        return 0

    def _points(self, number: int, line: str) -> int:
        text = line[at.POINTS].strip()
        if not text:
            return -1
        points = read_points(text)
        if points < 0 or (len(line) < at.POINTS.stop and "." not in text and "," not in text):
            cut = len(line) < at.POINTS.stop
            self._fault(
                "line-cut" if cut else "points-unreadable", number, line, len(line) if cut else at.POINTS.start,
                f"the line ends inside the total: {text!r}" if cut else f"the total is {shown(text)}; expected points such as 4.5",
                "ask for the file again" if cut else _HINT,
            )  # fmt: skip
            return -1
        return points

    def _rank(self, number: int, line: str) -> int:
        text = line[at.RANK].strip()
        if not text:
            return 0
        if text.isdecimal() and text.isascii():
            return int(text)
        self._doubt(
            "rank-unreadable", number, line, at.RANK.start, f"the rank is {shown(text)}; expected a number or nothing"
        )
        return 0

    # --- the rounds --------------------------------------------------------------------------------------

    def _rounds(self, number: int, line: str, start: int) -> None:
        """The rounds up to the last in which something happened."""
        size = len(line)
        rounds = -(-(size - at.CELLS) // at.WIDTH)
        if rounds > at.MOST_ROUNDS:
            self._fault(
                "too-many-rounds", number, line, at.round_column(at.MOST_ROUNDS + 1) - 1,
                f"player {start} has {rounds} rounds; expected at most {at.MOST_ROUNDS}", "ask for the file again",
            )  # fmt: skip
            return
        cells: list[Cell] = []
        happened = 0
        printed = 0
        for place in range(rounds):
            begin = at.CELLS + at.WIDTH * place
            block = line[begin : begin + at.WIDTH]
            cell = read_cell(block, begin + at.WIDTH >= size)
            if cell.fault is not None:
                fault = cell.fault
                self._fault(
                    fault.code, number, line, begin + fault.place, f"round {place + 1} of player {start}: {fault.message}", fault.hint
                )  # fmt: skip
            if not cell.empty:
                happened = place + 1
            elif block.strip():
                printed = place + 1
            cells.append(Cell(start, place + 1, cell.opponent, cell.colour, cell.result, number, begin + 3))
        self.cells += cells[:happened]
        if printed > happened:
            self.empty_cells.append((number, printed))


@lru_cache(maxsize=1000)
def title_text(text: str) -> str:
    """FIDE's letters for a title in either style; any other text in capitals."""
    text = text.strip().upper()
    return _TITLES.get(text, text)


@lru_cache(maxsize=10_000)
def read_points(text: str) -> int:
    """Points in ten-thousandths: ``4.0``, ``10.5``, ``4,5``, ``4½``; -1 when they cannot be read."""
    found = _POINTS.fullmatch(text)
    if not found:
        return -1
    if found[4]:
        return POINT // 2
    if found[3] and found[2]:
        return -1
    return int(found[1]) * POINT + int((found[2] or "").ljust(4, "0")) + (POINT // 2 if found[3] else 0)


def fits(line: str) -> bool:
    """Whether the fields of a player's line stand where they should: blanks between them, and figures where figures belong."""
    if any(line[column : column + 1] not in ("", " ") for column in at.GAPS):
        return False
    figures = (line[at.NUMBER], line[at.RATING], line[at.RANK])
    if any(text.strip() and not text.strip().isdecimal() for text in figures):
        return False
    if line[at.POINTS].strip() and read_points(line[at.POINTS].strip()) < 0:
        return False
    size = len(line)
    return all(
        read_cell(line[begin : begin + at.WIDTH], begin + at.WIDTH >= size).fault is None
        for begin in range(at.CELLS, min(size, at.CELLS + at.WIDTH * at.MOST_ROUNDS), at.WIDTH)
    )


def _cut_by_bytes(line: str) -> str:
    """The line as a program means it that pads names to 33 bytes: the fields after the name are moved to where 33 letters would put them."""
    raw = line.encode("utf-8", "replace")
    try:
        head, name, tail = raw[: at.NAME.start].decode(), raw[at.NAME].decode(), raw[at.NAME.stop :].decode()
    except UnicodeDecodeError:
        return ""
    return head + name.ljust(at.NAME.stop - at.NAME.start) + tail
