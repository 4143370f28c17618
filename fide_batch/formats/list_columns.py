"""From the rows of any list format to the table LIST: codes, births and repeats looked at once per value, not once per row.

Every reader of lists fills a ``Rows`` and hands it to ``finish``. ``Gathering`` fills one row by row; the fast readers fill one with
columns. Both must come to the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow, list_cells, list_codes
from fide_batch.formats.list_cells import EMPTY, NUMBERS, STATE_DAYS, STATE_NUMBERS, WORDS, Fault
from fide_batch.formats.list_told import LOOK, NOT_A_LIST, Told
from fide_batch.model import LIST, Problem, Refused, id_text

FEW = 2
"""A list of so few players may do without a single rating."""

PERSONS_LOOKED_AT = 50_000
"""Up to so many players the same person is looked for under two ids; in the world's list there are too many namesakes."""

MOST_CODES = 100_000
"""Different texts a column of codes or births may hold; FIDE has 200 federations, and a century has 36,525 days."""

UNKNOWN_TOLD = 20
"""Unknown codes of one column told one by one."""

CENTURY_END = 2024
"""Years of two digits are not after this, when the list does not say of which year it is."""


@dataclass
class Words:
    """A column of few different texts: for each row the place of its text in ``values``."""

    places: np.ndarray
    values: list[str]


@dataclass
class Rows:
    """A list as read, before its codes are looked at. All columns are of the same length."""

    told: Told
    ids: np.ndarray
    """int64, ``model.id_code``; 0 where it could not be read (then there is an error)."""
    names: pa.Array
    numbers: dict[str, np.ndarray] = field(default_factory=dict)
    """int32, -1 for empty; ratings, games, K, our marks, and days since 1970. Only columns the file has."""
    words: dict[str, Words] = field(default_factory=dict)
    line_of: Callable[[int], int] = lambda row: row + 1
    """The line of a row."""
    century_end: int = CENTURY_END


class Gathering:
    """Rows added one by one, each cell read with care."""

    def __init__(self, told: Told, columns: Mapping[str, object], century_end: int = CENTURY_END) -> None:
        self.told = told
        self.century_end = century_end
        self._ids = array("q")
        self._lines = array("q")
        self._names: list[str] = []
        self._numbers = {name: array("i") for name in columns if name in NUMBERS or name in STATE_NUMBERS}
        self._days = {name: array("i") for name in columns if name in STATE_DAYS}
        self._words = {name: array("i") for name in columns if name in WORDS}
        self._places: dict[str, dict[str, int]] = {name: {} for name in self._words}

    def __len__(self) -> int:
        return len(self._ids)

    def add(
        self,
        cells: Mapping[str, str],
        line: int,
        column_of: Callable[[str], int | None] = lambda _name: None,
        source: str = "",
        cell_of: Callable[[str], str] | None = None,
    ) -> None:
        """One player. Cells that cannot be read become errors at ``column_of(name)`` and stay empty.

        Args:
            cells: text by the columns of LIST.
            line: of the file, from 1.
            column_of: the place of a cell in its line, from 1.
            source: the line itself.
            cell_of: the name of a cell (``C14``) in a workbook.
        """

        def fault(error: Fault, name: str) -> None:
            where = f"cell {cell_of(name)}: " if cell_of and name in cells else ""
            self.told.error(
                error.code, where + error.message, error.hint, line=line, column=column_of(name), source=source
            )

        try:
            self._ids.append(list_cells.identity(cells.get("fideid", "")))
        except Fault as error:
            self._ids.append(0)
            fault(error, "fideid")
        self._lines.append(line)
        self._names.append(list_cells.clean(cells.get("name", "")))
        for name, column in self._numbers.items():
            text = cells.get(name, "")
            try:
                column.append(list_cells.number(text, name) if text else EMPTY)
            except Fault as error:
                column.append(EMPTY)
                fault(error, name)
        for name, column in self._days.items():
            try:
                column.append(list_cells.day(cells.get(name, ""), name))
            except Fault as error:
                column.append(EMPTY)
                fault(error, name)
        for name, column in self._words.items():
            places = self._places[name]
            found = list_cells.clean(cells.get(name, ""))
            if len(places) >= MOST_CODES and found not in places:
                self.told.error(
                    "list-line",
                    f"more than {MOST_CODES:,} different texts in column {name}",
                    "is this the right column?",
                    line=line,
                )
                found = next(iter(places))
            column.append(places.setdefault(found, len(places)))

    @property
    def rows(self) -> Rows:
        """All rows added so far."""
        lines = np.array(self._lines, np.int64)
        numbers = {name: np.array(column, np.int32) for name, column in (self._numbers | self._days).items()}
        words = {
            name: Words(np.array(column, np.int32), list(self._places[name])) for name, column in self._words.items()
        }
        return Rows(
            self.told, np.array(self._ids, np.int64), arrow.texts(self._names), numbers, words, lambda row: int(lines[row]),
            self.century_end,
        )  # fmt: skip


def finish(rows: Rows) -> tuple[pa.Table, list[Problem]]:
    """The table LIST of what was read, and all problems by place.

    Raises:
        Refused: when it does not look like a rating list: no rating column, or not one rating.
    """
    told, count = rows.told, len(rows.ids)
    ratings = [name for name in NUMBERS if name.endswith("rating") and name in rows.numbers]
    if not ratings:
        told.error(NOT_A_LIST, "does not look like a rating list: it has no rating column", LOOK)
        raise Refused(*told.problems)
    if count == 0:
        told.warning("list-empty", "the list has no players", "is this the right file?")
    elif not any((rows.numbers[name] > 0).any() for name in ratings):
        message = f"not one of the {count:,} players has a rating"
        if count > FEW:
            told.error(NOT_A_LIST, f"does not look like a rating list: {message}", LOOK)
            raise Refused(*told.problems)
        told.warning("list-unrated", message, "is this the right file?")
    _repeated_ids(rows)
    found: dict[str, pa.Array] = {"fideid": arrow.numbers(rows.ids), "name": rows.names}
    for name in WORDS:
        if name in rows.words:
            found[name] = _codes(rows, name)
    for name, values in rows.numbers.items():
        found[name] = _with_nulls(values, LIST.field(name).type)
    _incomplete(rows, found)
    if count <= PERSONS_LOOKED_AT:
        _same_person(rows, found)
    zeros = pa.py_buffer(bytes(8 * (count + 1)))
    arrays = []
    for column in LIST:
        array_ = found.get(column.name)
        if array_ is None and column.type == pa.string():
            array_ = pa.Array.from_buffers(column.type, count, [None, zeros, pa.py_buffer(b"")])
        elif array_ is None:
            array_ = pa.Array.from_buffers(column.type, count, [zeros, zeros])
        arrays.append(array_)
    return pa.table(arrays, schema=LIST), told.problems


def _with_nulls(values: np.ndarray, kind: pa.DataType) -> pa.Array:
    present = values >= 0
    if present.all():
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(np.ascontiguousarray(values))])
    bits = np.packbits(present, bitorder="little")
    values = np.maximum(values, 0, out=values if values.flags.writeable else None)
    return pa.Array.from_buffers(kind, len(values), [pa.py_buffer(bits), pa.py_buffer(values)])


def _repeated_ids(rows: Rows) -> None:
    """An id that stands twice would silently hide the first player."""
    ids = rows.ids
    if len(ids) and ids.min() >= -(1 << 31) and ids.max() < 1 << 31:
        ids = ids.astype(np.int32)  # sorted in half the time
    ordered = np.sort(ids)
    twice = ordered[1:][(ordered[1:] == ordered[:-1]) & (ordered[1:] != 0)]
    if not len(twice):
        return
    places = np.flatnonzero(np.isin(rows.ids, twice))
    first: dict[int, int] = {}
    for place in places:
        code = int(rows.ids[place])
        if code not in first:
            first[code] = int(place)
            continue
        if rows.told.enough("list-id-repeated", "error"):
            rows.told.error("list-id-repeated", "")  # counted
            continue
        names = [rows.names[first[code]].as_py(), rows.names[int(place)].as_py()]
        rows.told.error(
            "list-id-repeated",
            f"id {id_text(code)} stands in line {rows.line_of(first[code])} ({names[0]}) and in line {rows.line_of(int(place))} ({names[1]})",
            "one id is one player: correct or delete one of the lines; with --accept list-id-repeated the first is kept",
            line=rows.line_of(int(place)),
            column=1,
        )


def _codes(rows: Rows, name: str) -> pa.Array:
    """A column of codes as LIST holds it; unknown ones are kept and told once each."""
    words = rows.words[name]
    read = [_CODE[name](found, rows.century_end) for found in words.values]
    if all(known and not repair for _, repair, known in read):
        return arrow.looked_up([value for value, _, _ in read], words.places)
    counts = (
        np.bincount(words.places, minlength=len(words.values))
        if len(words.places)
        else np.zeros(len(words.values), int)
    )

    def first_line(*places: int) -> int:
        """The first line with one of some texts."""
        wanted = np.zeros(len(words.values), bool)
        wanted[list(places)] = True
        return rows.line_of(int(np.argmax(wanted[words.places])))

    values: list[str] = []
    unknown: list[tuple[int, str]] = []
    mended: dict[str, list[int]] = {}
    for place, (value, repair, known) in enumerate(read):
        if not counts[place]:
            values.append("")
            continue
        if repair:
            mended.setdefault(repair, []).append(place)
        if not known:
            unknown.append((place, value))
        values.append(value)
    for repair, places in mended.items():
        rows.told.rows(
            "list-spelling", "note", repair, first_line(*places), count=int(sum(counts[place] for place in places))
        )
    unknown.sort(key=lambda entry: -counts[entry[0]])
    code = _CODES[name]
    for place, _ in unknown[:UNKNOWN_TOLD]:
        kept = "left empty" if name == "birthday" else "kept as it stands"
        rows.told.rows(
            code, "warning", f"{_CALLED[name]} {words.values[place][:40]!r} is not known: {kept}", first_line(place),
            "correct it in the list if it is a slip", int(counts[place]),
        )  # fmt: skip
    if len(unknown) > UNKNOWN_TOLD:
        rest = unknown[UNKNOWN_TOLD:]
        rows.told.rows(
            code, "warning", f"{len(rest)} more codes of this kind ({_CALLED[name]}) are not known", first_line(*(place for place, _ in rest)),
            "correct them in the list if they are slips", int(sum(counts[place] for place, _ in rest)),
        )  # fmt: skip
    return arrow.looked_up(values, words.places)


_CALLED = {
    "country": "federation", "sex": "sex", "title": "title", "w_title": "women's title", "o_title": "other title", "foa_title": "online title",
    "birthday": "birth", "flag": "flag",
}  # fmt: skip

_CODES = {
    "country": "list-federation", "sex": "list-sex", "title": "list-title", "w_title": "list-title", "o_title": "list-title",
    "foa_title": "list-title", "birthday": "list-birth", "flag": "list-flag",
}  # fmt: skip

_Reading = tuple[str, str, bool]
"""The code as kept, what was mended in words ('' for nothing), whether it is known."""


def _country(found: str, _century: int) -> _Reading:
    code = found.upper()
    return (
        code,
        "federation written in small letters: read in capitals" if code != found else "",
        not code or code in list_codes.KNOWN_FEDERATIONS,
    )


def _sex(found: str, _century: int) -> _Reading:
    code = list_codes.SEXES.get(found.upper()[:1], "") if found.isalpha() else ""
    if not code:
        return found, "", not found
    return code, "sex written otherwise than M or F: read as M or F" if code != found else "", True


def _title(found: str, _century: int) -> _Reading:
    code = found.upper()
    code = list_codes.OLD_TITLES.get(code, code)
    if code not in list_codes.TITLES:
        return found, "", not found
    return code, "titles as old lists write them (g, m, wf): read as GM, IM, WFM ..." if code != found else "", True


def _other_title(found: str, _century: int) -> _Reading:
    return found, "", all(part.strip() in list_codes.OTHER_TITLES for part in found.split(",")) if found else True


def _online_title(found: str, _century: int) -> _Reading:
    return found, "", not found or found in list_codes.ONLINE_TITLES


def _flag(found: str, _century: int) -> _Reading:
    code = found.lower()
    return code, "flags in capitals: read as small letters" if code != found else "", code in list_codes.FLAGS


def _birthday(found: str, century: int) -> _Reading:
    try:
        value, decided = list_cells.birth(found, century)
    except Fault:
        return "", "", False
    if decided == "years of two digits":
        decided = f"births with years of two digits: read as the years {century - 99} to {century}"
    elif decided:
        decided = "births in which day and month could be swapped: only the year is kept"
    return value, decided, True


_CODE: dict[str, Callable[[str, int], _Reading]] = {
    "country": _country, "sex": _sex, "title": _title, "w_title": _title, "o_title": _other_title, "foa_title": _online_title,
    "birthday": _birthday, "flag": _flag,
}  # fmt: skip


def _incomplete(rows: Rows, columns: dict[str, pa.Array]) -> None:
    """Players without birth year or sex, in one note each: they are read, the rule on age cannot be applied to them."""
    count = len(rows.ids)
    if not count:
        return
    for name, called, so in (
        ("birthday", "birth year", "their K is found without the rule on age"),
        ("sex", "sex", "nothing depends on it"),
    ):
        if name not in columns:
            if name == "birthday":
                rows.told.note(
                    "list-incomplete", f"the list has no birth years: {so}", "add a column birthday for juniors' K"
                )
            continue
        offsets = np.frombuffer(columns[name].buffers()[1], np.int32, count + 1)
        missing = np.flatnonzero(offsets[1:] == offsets[:-1])
        if len(missing):
            rows.told.rows(
                "list-incomplete",
                "note",
                f"players without {called}: {so}",
                rows.line_of(int(missing[0])),
                count=len(missing),
            )


def _same_person(rows: Rows, columns: dict[str, pa.Array]) -> None:
    """Two ids with the same name and the same birth: perhaps one person. Nothing is merged."""
    if "birthday" not in columns:
        return
    first: dict[tuple[str, str], int] = {}
    births = columns["birthday"].to_pylist()
    for place, (name, birth) in enumerate(zip(rows.names.to_pylist(), births, strict=True)):
        if not name or not birth:
            continue
        folded = name.casefold()
        before = first.setdefault((folded, birth), place)
        if before == place and len(birth) > 4:
            # A day and a year alone may be one birth; two different days are not.
            year = first.setdefault((folded, birth[:4]), place)
            before = year if births[year] == birth[:4] else place
        if before != place and rows.ids[before] != rows.ids[place]:
            if rows.told.enough("list-same-person", "warning"):
                rows.told.warning("list-same-person", "")  # counted
                continue
            pair = f"{id_text(int(rows.ids[before]))} and {id_text(int(rows.ids[place]))}"
            rows.told.warning(
                "list-same-person",
                f"{name}, born {birth}, stands under two ids, {pair} (lines {rows.line_of(before)} and {rows.line_of(place)}): nothing is merged",
                "if it is one person, keep one id",
                line=rows.line_of(place),
            )
