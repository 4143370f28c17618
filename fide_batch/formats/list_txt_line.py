"""One line of a text list, cut and read with care: what the block reader does in columns, and all that it leaves to us.

A cell may hold more than its columns: other titles such as ``LSI,FI,SI,SLI,NA`` push everything after them to the right. Such a line is read
from the right, or refused; a rating is never guessed from half a title.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from fide_batch.formats import list_codes
from fide_batch.formats.list_cells import NUMBERS
from fide_batch.formats.list_columns import Gathering
from fide_batch.formats.list_told import Told
from fide_batch.formats.list_txt_layout import Column, Layout

FURTHEST = 24
"""So many places an overflowing cell may push the rest."""

LONGEST_FLAG = 40
"""Some programs write the club where the flag belongs; what is longer than that is no flag and no club."""

_NUMERIC = frozenset(NUMBERS)
_FREE = frozenset(("name", "title", "w_title", "o_title", "foa_title", "flag", ""))
"""Columns in which any text may stand."""
_LETTERS = {"country": re.compile(r"[A-Za-z]{3}"), "sex": re.compile(r"[A-Za-z]")}
_BIRTH = re.compile(r"[ -9]*")
_ID = re.compile(r"[0-9A-Za-z-]+")


def plausible(cell: str, name: str) -> bool:
    """Whether a cell holds what its column is for. The block reader asks the same of its columns."""
    cell = cell.strip(" ")
    if not cell or name in _FREE:
        return name != "flag" or len(cell) <= LONGEST_FLAG
    if name in _NUMERIC:
        return cell.isdigit() and cell.isascii()
    if name == "birthday":
        return _BIRTH.fullmatch(cell) is not None
    if name == "fideid":
        return _ID.fullmatch(cell) is not None
    return _LETTERS[name].fullmatch(cell) is not None


def _cells(line: str, layout: Layout, overflow: Column | None, by: int) -> dict[str, tuple[str, int]]:
    """Text and place (from 1) by column; columns after ``overflow`` stand ``by`` places further right, and it is so much wider."""
    cells: dict[str, tuple[str, int]] = {}
    moved = 0
    for column in layout.columns:
        start, end = column.start + moved, column.end + moved
        if column is overflow:
            moved = by
            end += by
        if column is layout.columns[-1]:
            end = max(end, len(line))
        if column.name:
            cell = line[start:end]
            cells[column.name] = (cell, start + 1 + len(cell) - len(cell.lstrip()))
    return cells


def _touching(line: str, column: Column, by: int = 0) -> bool:
    """Whether a cell runs into the next without a blank."""
    end = column.end + by
    return line[end - 1 : end].strip() != "" and line[end : end + 1].strip() != ""


def _sound(cells: dict[str, tuple[str, int]]) -> bool:
    return all(plausible(cell, name) for name, (cell, _) in cells.items()) and cells["fideid"][0].strip(" ") != ""


def _known_titles(cells: dict[str, tuple[str, int]]) -> bool:
    other = cells["o_title"][0].strip()
    online = cells.get("foa_title", ("", 0))[0].strip()
    return (
        all(part in list_codes.OTHER_TITLES for part in other.split(","))
        and (not online or online in list_codes.ONLINE_TITLES)
    )  # fmt: skip


def _aligned(cells: dict[str, tuple[str, int]], after: Column, layout: Layout) -> bool:
    """Whether the cells after a column begin at the first place of theirs, as in all layouts that have other titles."""
    return all(
        not cells[column.name][0].strip() or cells[column.name][0][:1] != " "
        for column in layout.columns
        if column.name and column.start > after.start
    )


def cut(line: str, layout: Layout) -> tuple[dict[str, tuple[str, int]], str, int] | None:
    """The cells of a line, the column that overflows ('' for none) and by how many places; None when no cut makes sense."""
    titles, name = layout.named("o_title"), layout.named("name")
    if titles is layout.columns[-1]:
        titles = None
    plain = _cells(line, layout, None, 0)
    full_titles = titles is not None and _touching(line, titles)
    full_name = name is not None and _touching(line, name)
    if _sound(plain) and not full_name and (not full_titles or _known_titles(plain)):
        return plain, "", 0
    if titles is not None and full_titles:
        covering = _over_online_title(plain, line, layout, titles)
        if covering is not None:
            return covering, "o_title", 0
        for step in range(1, FURTHEST):
            cells = _cells(line, layout, titles, step)
            if _sound(cells) and _known_titles(cells) and _aligned(cells, titles, layout):
                return cells, "o_title", step
    if name is not None and full_name:
        for step in range(1, FURTHEST):
            cells = _cells(line, layout, name, step)
            country = cells.get("country", ("", 0))[0].strip()
            if _sound(cells) and not _touching(line, name, step) and country in list_codes.KNOWN_FEDERATIONS:
                return cells, "name", step
        if _sound(plain) and not full_titles:
            return plain, "", 0
    return None


def _over_online_title(
    plain: dict[str, tuple[str, int]], line: str, layout: Layout, titles: Column
) -> dict[str, tuple[str, int]] | None:
    """The cells where long other titles stand over an empty online title and push nothing."""
    online = layout.named("foa_title")
    if online is None or online.start != titles.end:
        return None
    found, _, rest = line[titles.start : online.end].partition(" ")
    cells = plain | {"o_title": (found, titles.start + 1), "foa_title": ("", online.start + 1)}
    good = not rest.strip() and _sound(cells) and _known_titles(cells) and _aligned(cells, titles, layout)
    return cells if good else None


class LineReader:
    """Reads lines of one list into a ``Gathering``."""

    def __init__(self, layout: Layout, gathering: Gathering, told: Told, called: Callable[[str], str]) -> None:
        self.layout = layout
        self.gathering = gathering
        self.told = told
        self.called = called

    def read(self, raw: bytes, number: int, encoding: str) -> bool:
        """One line without its end.

        Args:
            raw: the bytes.
            number: of the line, from 1.
            encoding: of the file.

        Returns:
            Whether the line holds a player who was added.

        Raises:
            UnicodeDecodeError: when the bytes are not of this encoding.
        """
        line = raw.decode(encoding)
        if not line.strip():
            return False
        if "\0" in line:
            self.told.error(
                "list-line", "NUL bytes in the line: the file is damaged", "download or export it again", line=number
            )
            return False
        country = self.layout.named("country")
        if country is not None and len(line) <= country.start:
            self.told.error(
                "list-line", f"the line ends after {len(line)} places, before the federation", "was the line or the file cut?", line=number,
                column=len(line) + 1, source=line,
            )  # fmt: skip
            return False
        found = cut(line, self.layout)
        if len(raw) != len(line) and (found is None or len(raw) == self.layout.width):
            found = self._by_bytes(raw, encoding) or found
        if found is None:
            found = self._as_it_stands(line, number)
            if found is None:
                return False
        cells, overflow, step = found
        if overflow:
            self.told.rows(
                "list-overflow", "note", f"the {self.called(overflow)} needs more than its columns: the columns after it read {step} further right",
                number,
            )  # fmt: skip
        self.gathering.add(
            {name: cell for name, (cell, _) in cells.items()},
            number,
            lambda name: cells[name][1] if name in cells else None,
            line.rstrip(),
        )
        return True

    def _by_bytes(self, raw: bytes, encoding: str) -> tuple[dict[str, tuple[str, int]], str, int] | None:
        """The line cut in columns of bytes, as programs write it that count a letter with an accent twice."""
        found = cut(raw.decode("latin-1"), self.layout)
        if found is None:
            return None
        cells, overflow, step = found
        decoded = {
            name: (cell.encode("latin-1").decode(encoding, "replace"), place) for name, (cell, place) in cells.items()
        }
        return decoded, overflow, step

    def _as_it_stands(self, line: str, number: int) -> tuple[dict[str, tuple[str, int]], str, int] | None:
        """A line no cut makes sense of: an error for each cell that is wrong, or for the whole line when it is not one of a list."""
        cells = _cells(line, self.layout, None, 0)
        wrong = [name for name, (cell, _) in cells.items() if not plausible(cell, name)]
        numeric = [name for name in wrong if name in _NUMERIC or name == "birthday"]
        if wrong and wrong == numeric and len(wrong) <= 2 and not self._overflowing(line):
            return cells, "", 0  # one or two bad numbers: told cell by cell
        if wrong == ["fideid"] or (not wrong and not cells["fideid"][0].strip()):
            return cells, "", 0
        place = cells[wrong[0]][1] if wrong else None
        what = f"{self.called(wrong[0])} {cells[wrong[0]][0].strip()!r}" if wrong else f"{len(line.rstrip())} places"
        expected = f"a line of {self.layout.width} places in the columns of the heading"
        self.told.error(
            "list-line", f"the line cannot be read: {what}; expected {expected}", "was the line edited, cut or joined?", line=number, column=place,
            source=line.rstrip(),
        )  # fmt: skip
        return None

    def _overflowing(self, line: str) -> bool:
        titles = self.layout.named("o_title")
        return len(line.rstrip(" ")) > self.layout.width or (titles is not None and _touching(line, titles))
