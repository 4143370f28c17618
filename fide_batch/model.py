"""The vocabulary: periods, problems, ids, and the columns of every table.

Everything that passes from one stage to the next is one of the values here. Tables are
``pyarrow.Table`` with the schemas below; inside, numbers are whole numbers:

* a rating is points (``int32``); *unrated* is null in tables and 0 in NumPy columns;
* a score or an expected score is in ten-thousandths of a point (``POINT`` = one won game), so that the
  table's hundredths and a formula's four decimals are both exact;
* a change is in ten-thousandths of a rating point until the rule says round.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

POINT = 10_000
"""One won game, the unit of scores, expected scores and exact changes."""

CONTROLS = ("standard", "rapid", "blitz")
"""The three rating lists; the order is the order of the columns of a list."""

PREFIX = {"standard": "", "rapid": "rapid_", "blitz": "blitz_"}
"""What stands before ``rating``, ``games``, ``k``, ``career_games`` ... in the columns of a list."""


# --- the period -------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Period:
    """A rating period, named as FIDE names it: by the list it leads to (``2026-11`` is the list of 1 November 2026)."""

    year: int
    month: int

    @classmethod
    def parse(cls, text: str) -> Period:
        """``"2026-11"`` as a period.

        Raises:
            ValueError: when the text is not a year and a month, e.g. ``2026-13`` or ``11/2026``.
        """
        found = re.fullmatch(r"(\d{4})-(\d{2})", text.strip())
        if not found or not 1 <= int(found[2]) <= 12 or int(found[1]) < 1:
            raise ValueError(f"{text!r} is not a period; expected year-month such as 2026-11")
        return cls(int(found[1]), int(found[2]))

    @classmethod
    def of(cls, day: date) -> Period:
        """The period whose list is dated in the month of a day."""
        return cls(day.year, day.month)

    @property
    def list_date(self) -> date:
        """The day the list takes effect: the first of the month."""
        return date(self.year, self.month, 1)

    @property
    def last_day(self) -> date:
        """The last day of the month the period is named after."""
        return date(self.year, self.month, calendar.monthrange(self.year, self.month)[1])

    def plus(self, months: int) -> Period:
        """The period so many months later (earlier when negative)."""
        count = self.year * 12 + self.month - 1 + months
        return Period(count // 12, count % 12 + 1)

    def months_since(self, earlier: Period) -> int:
        """How many months lie between two lists."""
        return (self.year - earlier.year) * 12 + self.month - earlier.month

    def __str__(self) -> str:
        return f"{self.year:04d}-{self.month:02d}"


def add_months(day: date, months: int) -> date:
    """The same day so many months later; the last of the month where there is no such day (31 January + 1 = 28 February)."""
    month = Period(day.year, day.month).plus(months)
    return date(month.year, month.month, min(day.day, month.last_day.day))


# --- problems ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """One thing found wrong, or mended, in what was handed over.

    ``severity`` is ``error`` (the month stops), ``warning`` (a person should look) or ``note`` (a repair or a
    choice made, nothing is mended in silence). ``message`` says what was found and what was expected, ``hint``
    what to do next. ``line`` and ``column`` count from 1; None where the problem has no such place. ``source`` is the
    offending line itself, for the caret under it; it is not part of the table of problems.
    """

    code: str
    severity: str
    file: str = ""
    line: int | None = None
    column: int | None = None
    message: str = ""
    hint: str = ""
    source: str = field(default="", compare=False)

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """By place: file, line, column; then by code and message."""
        return (self.file, self.line or 0, self.column or 0, self.code, self.message)


class Refused(Exception):
    """Raised where nothing sensible can be returned; carries the problems that say why."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = list(problems)

    def __reduce__(self) -> tuple[type[Refused], tuple[Problem, ...]]:
        """As it was raised, from another process too."""
        return type(self), tuple(self.problems)


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """Those that stop the month."""
    return [problem for problem in problems if problem.severity == "error"]


# --- ids --------------------------------------------------------------------------------------
# The id decides who somebody is. FIDE's ids are numbers; federations also use 0042 or 73928E03, which are other ids
# than 42 and 7.3928E+07. A whole-number column holds both: a plain number stands for itself, any other id of up to twelve letters,
# digits and hyphens is written in base 37 and stored as a negative number. 0 is "no id".

_ID_CHARS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-"
_PLAIN_ID = re.compile(r"[1-9]\d{0,17}")
_OTHER_ID = re.compile(r"[0-9A-Z-]{1,12}")


def id_code(text: str) -> int:
    """The whole number that stands for an id in a table; 0 for none.

    Raises:
        ValueError: when the text cannot be an id: more than 18 digits, or more than 12 letters, digits and hyphens.
    """
    text = text.strip().upper()
    if not text or not text.strip("0"):
        return 0
    if _PLAIN_ID.fullmatch(text):
        return int(text)
    if not _OTHER_ID.fullmatch(text):
        raise ValueError(f"{text!r} cannot be an id")
    code = 1
    for char in text:
        code = code * 37 + _ID_CHARS.index(char)
    # The leading 1 keeps the zeros of 0042; thirteen base-37 digits with it would not fit, so 12 characters use the full width.
    return -code if len(text) < 12 else -(code - 37**12) - 2 * 37**11


def id_text(code: int) -> str:
    """The id as people write it; empty for 0."""
    if code >= 0:
        return str(code) if code else ""
    value = -code
    if value >= 2 * 37**11:
        value, width = value - 2 * 37**11, 12
    else:
        width = None
    chars: list[str] = []
    while value > (0 if width else 1) or (width and len(chars) < width):
        value, digit = divmod(value, 37)
        chars.append(_ID_CHARS[digit])
    return "".join(reversed(chars))


def id_texts(codes: np.ndarray) -> pa.Array:
    """``id_text`` of a column."""
    codes = np.asarray(codes, np.int64)
    texts = pa.array(codes).cast(pa.string())
    if len(codes) and codes.min() <= 0:
        odd = codes <= 0
        replaced = texts.to_numpy(zero_copy_only=False)
        replaced[odd] = [id_text(int(code)) for code in codes[odd]]
        texts = pa.array(replaced, pa.string())
    return texts


# --- tables -----------------------------------------------------------------------------------


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, kind) for name, kind in columns.items()])


_i16, _i32, _i64, _day, _text = pa.int16(), pa.int32(), pa.int64(), pa.date32(), pa.string()
_word = pa.dictionary(pa.int32(), pa.string())

LIST_COLUMNS = (
    "fideid",
    "name",
    "country",
    "sex",
    "title",
    "w_title",
    "o_title",
    "foa_title",
    "rating",
    "games",
    "k",
    "rapid_rating",
    "rapid_games",
    "rapid_k",
    "blitz_rating",
    "blitz_games",
    "blitz_k",
    "birthday",
    "flag",
)
"""FIDE's own XML names, in FIDE's order."""

MARKS = (2400, 2300)
"""The ratings of the two marks a list keeps: whether a published rating of the control ever reached them."""

STATE_COLUMNS = tuple(
    prefix + name
    for prefix in PREFIX.values()
    for name in ("career_games", "reached_2400", "reached_2300", "last_played")
)
"""Our state: games ever rated, the two marks (1, 0 or empty = not known), and the last day of the last event with a rated game."""


def _list_type(name: str) -> pa.DataType:
    if name == "fideid":
        return _i64
    if name.endswith("last_played"):
        return _day
    if name.endswith(("rating", "games", "_k", "reached_2400", "reached_2300")) or name == "k":
        return _i32
    return _text


LIST = pa.schema([pa.field(name, _list_type(name)) for name in LIST_COLUMNS + STATE_COLUMNS])
"""A rating list, a row a player. Unrated and unknown are null; texts are never null but ''. ``birthday`` is ``2008`` or ``2008-03-04``."""

CHANGES = _schema(
    fideid=_i64, name=_text, control=_word, rating_before=_i32, games=_i32, score=_i64, expected=_i64, k_list=_i32, k=_i32,
    change_exact=_i64, change=_i32, rating_after=_i32, status=_word, why=_text,
)  # fmt: skip
"""A row a player and control with something to tell. Scores and ``change_exact`` in ten-thousandths; null where it does not apply."""

EVENTS = _schema(
    fideid=_i64, control=_word, event=_word, start=_day, end=_day, list=_word, own_rating=_i32, rc=_i32, games=_i32, score=_i64,
    expected=_i64, chg=_i64, k=_i32, k_chg=_i64, edition=_word,
)  # fmt: skip
"""A row a player and event: the columns of FIDE's calculation page. Scores, ``chg`` and ``k_chg`` in ten-thousandths."""

GAMES = _schema(
    event=_word, round=_i32, fideid=_i64, opponent=_i64, colour=_word, result=_word, own_rating=_i32, opponent_rating=_i32,
    difference=_i32, counted_difference=_i32, expected=_i32, score=_i32, chg=_i32, counted=_i32, reason=_word, file=_word, line=_i32,
)  # fmt: skip
"""A row a player and game, counted or not. ``expected``, ``score`` and ``chg`` in ten-thousandths."""

PENDING = _schema(
    fideid=_i64, control=_word, event=_word, start=_day, end=_day, games=_i32, score=_i64, rc=_i32, ru=_i32, expires=_day, missing=_text,
)  # fmt: skip
"""A row a player, control and event whose result is kept for a later list; ``expires`` is the last list date it can serve."""

KEPT = pa.schema([
    pa.field("fideid", _i64), pa.field("control", _word), pa.field("event", _word), pa.field("start", _day), pa.field("end", _day),
    pa.field("opponents", pa.list_(_i32)), pa.field("scores", pa.list_(_i32)),
    pa.field("round_robin_rated", pa.list_(_i32)), pa.field("round_robin_dp", pa.list_(_i32)), pa.field("round_robin_games", _i32),
])  # fmt: skip
"""What a later month needs of a result in ``pending``: the opponents' ratings and the scores game by game (ten-thousandths), and for a
closed round robin the ratings of its rated participants, D(p) of each, and n (participants less one); empty lists and null in a Swiss."""

PROBLEMS = _schema(code=_text, severity=_text, file=_text, line=_i32, column=_i32, message=_text, hint=_text)

TABLES: dict[str, pa.Schema] = {
    "list": LIST, "changes": CHANGES, "events": EVENTS, "games": GAMES, "pending": PENDING, "problems": PROBLEMS,
}  # fmt: skip
"""The tables other programs rely on; columns and order are a contract."""

STATUSES = ("rated", "first-rating", "pending", "delisted", "adjusted")

IN_TEN_THOUSANDTHS = frozenset({"score", "expected", "chg", "k_chg", "change_exact"})
"""Columns printed as decimal numbers (``points_text``)."""


def points_text(value: int | None, decimals: int = 2) -> str:
    """Ten-thousandths as text: ``9200`` -> ``0.92``, ``-124000`` -> ``-12.40``; four decimals only where two do not hold it (``3599`` -> ``0.3599``)."""
    if value is None:
        return ""
    step = 10 ** (4 - decimals)
    if value % step:
        decimals, step = 4, 1
    sign, whole = ("-" if value < 0 else ""), abs(value) // step
    return f"{sign}{whole // 10**decimals}.{whole % 10**decimals:0{decimals}d}"


def table(schema: pa.Schema, columns: dict[str, Any]) -> pa.Table:
    """A table of a schema from columns by name; a column left out is null (texts: '').

    Raises:
        ValueError: for a column the schema does not have, or columns of unequal length.
    """
    unknown = set(columns) - set(schema.names)
    if unknown:
        raise ValueError(f"no such column: {', '.join(sorted(unknown))}")
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise ValueError("columns of unequal length")
    rows = lengths.pop() if lengths else 0
    zeros = pa.py_buffer(bytes(8 * (rows + 1)))
    arrays = []
    for column in schema:
        value = columns.get(column.name)
        if value is None:
            value = _blank(column.type, rows, zeros)
        elif not isinstance(value, pa.Array | pa.ChunkedArray):
            value = pa.array(value, column.type)
        elif value.type != column.type:
            value = value.cast(column.type) if not pa.types.is_dictionary(column.type) else value.dictionary_encode()
        arrays.append(value)
    return pa.table(arrays, schema=schema)


def _blank(kind: pa.DataType, rows: int, zeros: pa.Buffer) -> pa.Array:
    """A column in which nothing is known: null, texts ''. ``zeros`` are eight bytes a row and eight more, which all such columns share."""
    if kind == _text:
        return pa.Array.from_buffers(kind, rows, [None, zeros, zeros])
    if pa.types.is_dictionary(kind) or pa.types.is_nested(kind):
        return pa.nulls(rows, kind)
    return pa.Array.from_buffers(kind, rows, [zeros, zeros], null_count=rows)


def empty(schema: pa.Schema) -> pa.Table:
    """A table of no rows."""
    return schema.empty_table()


def numbers(source: pa.Table, name: str, missing: int = 0) -> np.ndarray:
    """A whole-number column as NumPy, null as ``missing``. Dates come as days since 1970."""
    column = source.column(name)
    if column.null_count and column.null_count == len(column):
        # One number for all rows: a column a list does not have costs nothing.
        kind = np.int32 if pa.types.is_date32(column.type) else column.type.to_pandas_dtype()
        return np.broadcast_to(np.array(missing, kind), len(column))
    if pa.types.is_date32(column.type):
        column = column.cast(pa.int32())
    if column.null_count:
        column = column.fill_null(missing)
    return column.to_numpy()


def nullable(values: np.ndarray, kind: pa.DataType = _i32, missing: int = 0) -> pa.Array:
    """A NumPy column as a table column, ``missing`` as null: the way back from ``numbers``. Where the type is the same it is not copied."""
    return with_gaps(values, np.asarray(values) != missing, kind)


def with_gaps(values: np.ndarray, present: np.ndarray, kind: pa.DataType = _i32) -> pa.Array:
    """A NumPy column of whole numbers as a table column, null but where ``present``. Where the type is the same it is not copied."""
    values = np.asarray(values)
    if values.dtype != kind.to_pandas_dtype() or not values.flags.c_contiguous:
        return pa.array(values, kind, mask=~present)
    bits = np.packbits(present, bitorder="little")
    return pa.Array.from_buffers(kind, len(values), [pa.py_buffer(bits), pa.py_buffer(values)])


def texts(source: pa.Table, name: str) -> list[str]:
    """A text column as Python strings, null as ''."""
    return [value or "" for value in source.column(name).to_pylist()]


def problems_table(problems: Sequence[Problem]) -> pa.Table:
    """Problems by place, without repeats."""
    ordered = sorted(dict.fromkeys(problems), key=lambda problem: problem.sort_key)
    return table(PROBLEMS, {name: [getattr(problem, name) for problem in ordered] for name in PROBLEMS.names})


# --- an answer, before anybody has decided how it is shown ---------------------------------------


@dataclass(frozen=True)
class Grid:
    """Rows and columns with heads. Cells are finished text; ``numeric`` names the columns set flush right."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[str] = frozenset()
    title: str = ""
    whole: frozenset[str] = frozenset()
    """Columns whose cells are never broken into lines."""


class Heading(str):
    """A paragraph of a page that stands above a part of it."""

    __slots__ = ()


@dataclass(frozen=True)
class Page:
    """An answer to a question: a title, paragraphs, headings and grids in order for people, and ``data`` (JSON values) for programs."""

    title: str
    blocks: tuple[str | Grid, ...]
    data: dict[str, Any] = field(default_factory=dict)


# --- reports as read ----------------------------------------------------------------------------

RESULTS = {"1": POINT, "=": POINT // 2, "0": 0}
"""Results of games that were played, with what they score."""

UNPLAYED = {
    "+": "forfeit win", "-": "forfeit loss", "W": "win in less than one move", "D": "draw in less than one move",
    "L": "loss in less than one move", "H": "half-point bye", "F": "full-point bye", "U": "pairing-allocated bye",
    "Z": "zero-point bye", " ": "not paired", "*": "no result", "?": "no result",
}  # fmt: skip
"""Result codes (TRF16's letters, upper case) that are no rated game, and what they mean."""


@dataclass(frozen=True)
class Event:
    """The head of one report. ``file`` is its name as handed over (``results/open.trf``, ``results/all.zip/open.trf``)."""

    file: str
    format: str
    name: str = ""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    rounds: int = 0
    """Rounds the report says there are; 0 when it does not say."""
    control: str = ""
    """standard, rapid or blitz; '' when the report does not say."""
    control_from: str = ""
    """What the control was read from, in words: ``222 5400+30``, ``folder rapid/``, ``--control``."""
    kind: str = ""
    """The header's word for the type of tournament, as it stands."""
    time_control: str = ""
    round_dates: tuple[date | None, ...] = ()
    declared: tuple[tuple[str, int], ...] = ()
    """What the head claims and the body can confirm: ``(("players", 62), ("rated", 60))``."""
    point_values: tuple[tuple[str, int], ...] = ()
    """What a result is worth in the printed totals, where the report says so (TRF26 162), in ten-thousandths: ``(("W", 30000), ("D", 10000))``.
    Letters W D L, A and Z (absent, forfeit loss), P (pairing-allocated bye), F and H (byes), X (unknown result)."""
    points_adjusted: tuple[int, ...] = ()
    """Start numbers whose printed total holds points given or taken by decision (TRF26 299): it need not add up."""
    sha256: str = ""
    """Of the bytes as received."""
    line: int = 1
    forced_kind: str = ""
    """``swiss`` or ``round robin`` where a decision forces the type of tournament; '' when it is taken from the games."""


class Entry(NamedTuple):
    """One player of an event as the report prints him. 0 and '' where it says nothing."""

    number: int
    name: str = ""
    fideid: int = 0
    id_found: str = ""
    """The id as printed when it could not be read (``11/01/1987``)."""
    sex: str = ""
    title: str = ""
    rating: int = 0
    federation: str = ""
    birth: str = ""
    """``2008`` or ``2008-03-04``."""
    points: int = -1
    """The printed total in ten-thousandths; -1 when there is none."""
    rank: int = 0
    line: int = 0


class Cell(NamedTuple):
    """One round of one player. ``opponent`` is the opponent's start number, 0 for none; ``result`` one of RESULTS or UNPLAYED."""

    number: int
    round: int
    opponent: int
    colour: str
    result: str
    line: int = 0
    column: int = 0


@dataclass
class Report:
    """One report read whole, or as far as it can be read: then an error among its problems says where it broke."""

    event: Event
    entries: list[Entry] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


ENTRIES = _schema(
    event=_i32, number=_i32, fideid=_i64, id_found=_text, name=_text, sex=_text, title=_text, rating=_i32, federation=_text, birth=_text,
    points=_i32, rank=_i32, line=_i32,
)  # fmt: skip
"""The players of all reports; ``event`` is the place of the report in ``Reports.events``."""

CELLS = _schema(
    event=_i32, entry=_i32, round=_i32, opponent=_i32, opponent_number=_i32, colour=pa.uint8(), result=pa.uint8(), line=_i32, column=_i32,
)  # fmt: skip
"""The player-rounds of all reports. ``entry`` and ``opponent`` are rows of ENTRIES (-1 no opponent, -2 a start number nobody has);
``colour`` and ``result`` are the letter's code (``ord("w")``), 0 for no colour."""


@dataclass(frozen=True)
class Reports:
    """All reports of a month in columns."""

    events: list[Event]
    entries: pa.Table
    cells: pa.Table
    problems: list[Problem]

    @classmethod
    def gather(cls, reports: Sequence[Report]) -> Reports:
        """Reports side by side, in the order given. Of a start number that stands twice the first row is the one opponents mean."""
        # Column by column: a cell of seven fields is looked at once a report, not once a field.
        people: dict[str, list[Any]] = {name: [] for name in ("event", *Entry._fields)}
        games: dict[str, list[Any]] = {name: [] for name in ("event", "entry", "met", *Cell._fields)}
        problems: list[Problem] = []
        for place, report in enumerate(reports):
            row_of: dict[int, int] = {}
            own_row: dict[tuple[int, int], int] = {}
            for row, entry in enumerate(report.entries, len(people["number"])):
                row_of.setdefault(entry.number, row)
                own_row.setdefault((entry.number, entry.line), row)
            people["event"] += repeat(place, len(report.entries))
            for name, values in zip(Entry._fields, zip(*report.entries, strict=True), strict=False):
                people[name] += values
            columns = dict(zip(Cell._fields, zip(*report.cells, strict=True), strict=False))
            for name, values in columns.items():
                games[name] += values
            if columns:
                games["event"] += repeat(place, len(report.cells))
                who = list(zip(columns["number"], columns["line"], strict=True))
                try:
                    games["entry"] += [own_row[number_line] for number_line in who]
                except KeyError:
                    games["entry"] += [own_row.get((number, line), row_of.get(number, -2)) for number, line in who]
                games["met"] += map((row_of | {0: -1}).get, columns["opponent"], repeat(-2))
            problems += report.problems
        colours = map({"w": ord("w"), "b": ord("b")}.get, games["colour"], repeat(0))
        changed = {
            "opponent": games["met"], "opponent_number": games["opponent"], "colour": list(colours), "result": list(map(ord, games["result"])),
        }  # fmt: skip
        return cls(
            [report.event for report in reports],
            _from_columns(ENTRIES, people),
            _from_columns(CELLS, games | changed),
            problems,
        )

    @classmethod
    def concat(cls, parts: Sequence[Reports]) -> Reports:
        """Several gatherings as one: rows and places move on."""
        events: list[Event] = []
        entries: list[pa.Table] = []
        cells: list[pa.Table] = []
        problems: list[Problem] = []
        rows = 0
        for part in parts:
            entries.append(_moved(part.entries, {"event": len(events)}))
            cells.append(_moved(part.cells, {"event": len(events), "entry": rows, "opponent": rows}))
            rows += part.entries.num_rows
            events += part.events
            problems += part.problems
        return cls(
            events,
            pa.concat_tables([empty(ENTRIES), *entries]).combine_chunks(),
            pa.concat_tables([empty(CELLS), *cells]).combine_chunks(),
            problems,
        )

    def only(self, keep: np.ndarray) -> Reports:
        """The reports marked in a boolean column over ``events``, with their problems; problems of no report stay."""
        keep = np.asarray(keep, bool)
        if keep.all():
            return self
        files = {event.file for event in self.events}
        left_out = files - {event.file for event, kept in zip(self.events, keep, strict=True) if kept}
        place = np.cumsum(keep) - 1
        entry_kept = keep[numbers(self.entries, "event")] if self.entries.num_rows else np.zeros(0, bool)
        cell_kept = keep[numbers(self.cells, "event")] if self.cells.num_rows else np.zeros(0, bool)
        # Two more places, so that -1 and -2 (no opponent, nobody's number) can be looked up too.
        row = np.append(np.cumsum(entry_kept) - 1, [-1, -1])
        entries = self.entries.filter(pa.array(entry_kept))
        cells = self.cells.filter(pa.array(cell_kept))
        own, opponent = numbers(cells, "entry"), numbers(cells, "opponent")
        return Reports(
            [event for event, kept in zip(self.events, keep, strict=True) if kept],
            with_columns(entries, event=place[numbers(entries, "event")]),
            with_columns(
                cells,
                event=place[numbers(cells, "event")],
                entry=np.where(own >= 0, row[own], own) if len(own) else own,
                opponent=np.where(opponent >= 0, row[opponent], opponent) if len(opponent) else opponent,
            ),
            [problem for problem in self.problems if problem.file not in left_out],
        )

    def heads(self) -> Reports:
        """The same without players and games."""
        return replace(self, entries=empty(ENTRIES), cells=empty(CELLS))

    def for_rating(self) -> Reports:
        """The same reports without the columns that only the checks look at, and rounds and lines in as few bytes as hold them."""
        cells = self.cells.drop_columns(["event", "opponent_number", "column"])
        for name in ("round", "line"):
            place, values = cells.schema.get_field_index(name), numbers(cells, name)
            if len(values) and values.min() >= 0:
                cells = cells.set_column(place, name, pa.array(values.astype(np.min_scalar_type(values.max()))))
        return replace(
            self, entries=self.entries.drop_columns(["fideid", "id_found", "rating", "points", "rank"]), cells=cells
        )

    def with_events(self, **changes: Sequence[Any]) -> Reports:
        """The same reports with some fields of their heads replaced, a value an event."""
        events = [
            replace(event, **{name: values[place] for name, values in changes.items()})
            for place, event in enumerate(self.events)
        ]
        return replace(self, events=events)


def _from_columns(schema: pa.Schema, columns: dict[str, list[Any]]) -> pa.Table:
    return pa.table([pa.array(columns[column.name], column.type) for column in schema], schema=schema)


def with_columns(source: pa.Table, **columns: Any) -> pa.Table:
    """The table with some columns replaced; each keeps its type."""
    for name, values in columns.items():
        place = source.schema.get_field_index(name)
        if place < 0:
            raise ValueError(f"no such column: {name}")
        kind = source.schema.field(place).type
        array = values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(values, kind)
        source = source.set_column(place, source.schema.field(place), array.cast(kind) if array.type != kind else array)
    return source


def _moved(source: pa.Table, by: dict[str, int]) -> pa.Table:
    shifted = {}
    for name, step in by.items():
        values = numbers(source, name)
        shifted[name] = np.where(values >= 0, values + step, values)
    return with_columns(source, **shifted)
