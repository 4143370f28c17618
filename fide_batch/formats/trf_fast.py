"""Many sound TRF files at once, as blocks of bytes: the careful reader's twin for speed.

The heads are read by the careful reader's own code. The players' lines of many files are put into one matrix of bytes (one byte a letter;
letters outside ASCII are only marked there) and cut into columns. A file with anything odd is not read here at all: the caller hands it to
``trf.read``, which explains it. A file that is read here gives the same to the last field.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa

from fide_batch.formats import arrow, trf
from fide_batch.formats import trf_columns as at
from fide_batch.formats import trf_fast_columns as fast
from fide_batch.formats.findings import Findings
from fide_batch.formats.text import eight_bit
from fide_batch.formats.trf_fast_head import Run, usual_head
from fide_batch.formats.trf_fast_tables import Room, Words, cells_table, entries_table, new_room, opponent_rows
from fide_batch.formats.trf_head import read_head
from fide_batch.formats.trf_records import Records
from fide_batch.model import CELLS, ENTRIES, Event, Problem, Reports, with_columns

_NEED_CARE = frozenset({"240", "330", "299"})
"""Records that change rounds."""

_WIDE = 24
"""A file with more rounds than this is cut by itself, so that the lines of others are not padded to its width."""

_LF, _CR, _BLANK = 10, 13, 32

_KEPT = 30 * 1024 * 1024

np.empty(_KEPT, np.uint8)
# An array of this size, given back at once, tells the C library to keep so much memory for the next batch instead of
# returning it to the system after each: a sixth of the time of reading.

_CONTINUED = bytes(range(0x80, 0xC0))
"""The bytes of UTF-8 that continue a letter: without them there is a byte a letter."""


@dataclass
class _File:
    """One file on its way."""

    place: int
    """In what was handed over."""
    name: str
    raw: bytes
    """A byte a letter."""
    text: str | None
    """The text, where ``raw`` is not the same in Latin-1."""
    found: Findings
    sha256: str


@dataclass
class _Lines:
    """The lines of some files that stand in one buffer, one after the other."""

    buffer: np.ndarray
    begin: np.ndarray
    """Per file where it begins in the buffer."""
    start: np.ndarray
    """Per line where it begins."""
    end: np.ndarray
    """One past its last letter."""
    file: np.ndarray
    """Which file it is of."""
    first: np.ndarray
    """Per file its first line, and one past the last."""
    is_player: np.ndarray
    odd: np.ndarray
    """bool per file: not to be read here."""
    heads: list[list[Run]]
    """Per file its other lines."""


@dataclass
class Block:
    """The players' lines of some files, and the matrix they are cut from."""

    matrix: np.ndarray
    """uint8, a row a line, padded with blanks."""
    rounds: int
    file: np.ndarray
    """Per row the place of its file among those of the block."""
    line: np.ndarray
    """Per row its number in the file, from 1."""
    rows: np.ndarray
    """Per file its first row, and one past the last."""
    offset: np.ndarray
    """Per row where the line begins in its file."""
    longest: np.ndarray
    """Per row the rounds there is room for in the longest line of its file."""


def read_many(
    items: Sequence[tuple[str, bytes]], event: int = 0, row: int = 0, room: Room = new_room
) -> tuple[Reports, list[int]]:
    """Read the sound files among some.

    Args:
        items: names and bytes.
        event: the place of the first report among all reports that are read.
        row: the place of the first player among all players.
        room: where their player-rounds may stand.

    Returns:
        The reports of the files that were read, in the order given, and the places in ``items`` of those that were not.
    """
    files = [file for place, (name, data) in enumerate(items) if (file := _prepared(place, name, data)) is not None]
    parts: list[tuple[list[int], Reports]] = []
    if files:
        lines = _lines(files)
        heads = {
            index: head
            for index, file in enumerate(files)
            if not lines.odd[index] and (head := _head(file, lines, index)) is not None
        }
        groups = _groups(list(heads), lines)
        for group in groups:
            taken, reports = _read(group, files, lines, heads, event, row, room if len(groups) == 1 else new_room)
            if taken:
                parts.append(([files[index].place for index in taken], reports))
    places = [place for taken, _ in parts for place in taken]
    left = set(range(len(items))) - set(places)
    if not parts:
        return Reports.gather([]), sorted(left)
    if len(parts) == 1:
        return parts[0][1], sorted(left)
    joined = Reports.concat([moved(part, -event, -row) for _, part in parts])
    return moved(in_order(joined, places), event, row), sorted(left)


# --- files, lines, heads --------------------------------------------------------------------------------


def _prepared(place: int, name: str, data: bytes) -> _File | None:
    """A file that may be sound, as a byte a letter; None for one that is for the careful reader."""
    if len(data) > trf.LARGEST or b"001 " not in data or data[:2] in (b"PK", b"\xff\xfe", b"\xfe\xff"):
        return None
    found = Findings(name)
    body = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
    text = None
    if not body.isascii():
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            text, encoding = eight_bit(body, found)
            if encoding != "cp1252":
                return None
            latin = _in_latin_1(text)
        else:
            latin = _in_latin_1(text)
            body = body.translate(None, _CONTINUED) if latin is None else latin
        text = text if latin is None else None
    return _File(place, name, body, text, found, hashlib.sha256(data).hexdigest())


def _in_latin_1(text: str) -> bytes | None:
    """A text as a byte a letter, each what the letter is in Latin-1; None where there are other letters."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return None


def _lines(files: Sequence[_File]) -> _Lines:
    joined = b"\n".join([*(file.raw for file in files), b"    "])
    buffer = np.frombuffer(joined, np.uint8)
    sizes = np.array([len(file.raw) + 1 for file in files], np.int64)
    begin = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))
    odd = np.zeros(len(files), bool)
    # All control characters at once: line ends, and what makes a file odd (tabs, NUL and others, a CR that ends no line).
    control = np.flatnonzero(buffer < _BLANK)
    which = buffer[control]
    end = control[which == _LF]
    bare = control[which == _CR]
    bare = bare[buffer[bare + 1] != _LF]
    other = control[(which != _LF) & (which != _CR)]
    start = np.concatenate((np.zeros(1, np.int64), end[:-1] + 1))
    first = np.searchsorted(start, begin)
    file = np.repeat(np.arange(len(files), dtype=np.int32), np.diff(first))
    for places in (other, bare, np.flatnonzero(buffer == 127) if b"\x7f" in joined else other):
        odd[np.searchsorted(begin, places, "right") - 1] = True
    end = end - ((buffer[end - 1] == _CR) & (end > start))
    tag = [buffer[start + place] for place in range(4)]
    is_player = (tag[0] == 48) & (tag[1] == 48) & (tag[2] == 49) & (end - start >= 3)
    follows = np.where(end - start == 3, _LF, tag[3])
    odd[file[is_player & (follows == _LF)]] = True
    is_player &= follows == _BLANK
    count = np.bincount(file[is_player], minlength=len(files))
    odd |= (count == 0) | (count > at.MOST_PLAYERS)
    heads = _runs(np.flatnonzero(~is_player & (end > start)), file, first, start, end, begin)
    return _Lines(buffer, begin, start, end, file, first, is_player, odd, heads)


def _runs(
    lines: np.ndarray, file: np.ndarray, first: np.ndarray, start: np.ndarray, end: np.ndarray, begin: np.ndarray
) -> list[list[Run]]:
    """Per file its runs of some lines.

    Args:
        lines: some of all lines, ascending.
        file: of every line its file.
        first: of every file its first line, and one past the last.
        start: of every line where it begins.
        end: where it ends.
        begin: of every file where it begins.
    """
    of = file[lines]
    if not len(lines):
        return [[] for _ in first[1:]]
    starts = np.append(0, np.flatnonzero((lines[1:] - lines[:-1] != 1) | (of[1:] != of[:-1])) + 1)
    run, last, of = lines[starts], lines[np.append(starts[1:], len(lines)) - 1], of[starts]
    columns = run - first[of] + 1, last - run + 1, start[run] - begin[of], end[last] - begin[of]
    runs = list(map(Run, *(column.tolist() for column in columns)))
    bounds = np.searchsorted(of, np.arange(len(first))).tolist()
    return [runs[low:high] for low, high in pairwise(bounds)]


def _head(file: _File, lines: _Lines, index: int) -> tuple[Event, list[Problem]] | None:
    """The event and the problems of a file's head; None when its records need the careful reader."""
    runs = lines.heads[index]
    text = file.text if file.text is not None else file.raw[: runs[-1].end if runs else 0].decode("latin-1")
    usual = usual_head(file.name, text, runs, file.found, file.sha256)
    if usual is not None:
        return usual, file.found.all()
    records = Records(file.found)
    for run in runs:
        for number, line in enumerate(text[run.begin : run.end].split("\n"), run.number):
            records.take(number, line.removesuffix("\r"))
    if _NEED_CARE & records.lines.keys():
        return None
    records.finish()
    event = read_head(file.name, records, file.found, file.sha256)
    return event, file.found.all()


# --- players and rounds -------------------------------------------------------------------------------------


def _groups(indices: list[int], lines: _Lines) -> list[list[int]]:
    """Files to be cut together: all with a usual number of rounds, every other one alone."""
    width = np.zeros(len(lines.odd), np.int64)
    np.maximum.at(width, lines.file[lines.is_player], (lines.end - lines.start)[lines.is_player])
    usual = [index for index in indices if width[index] <= at.CELLS + at.WIDTH * _WIDE]
    alone = [
        [index]
        for index in indices
        if at.CELLS + at.WIDTH * _WIDE < width[index] <= at.CELLS + at.WIDTH * at.MOST_ROUNDS
    ]
    return ([usual] if usual else []) + alone


def _read(
    indices: list[int],
    files: Sequence[_File],
    lines: _Lines,
    heads: dict[int, tuple[Event, list[Problem]]],
    event: int,
    row: int,
    room: Room,
) -> tuple[list[int], Reports]:
    """The reports of those of some files that are sound."""
    while indices:
        block = _block(indices, lines)
        people = fast.players(block.matrix)
        games = fast.rounds(block.matrix, block.rounds, block.longest)
        opponents, odd = opponent_rows(people.number, games.opponent, block)
        odd |= people.odd | games.odd | fast.shifted(block.matrix, block.rounds) | fast.disagreeing(opponents, games)
        words = Words.of(block, people, [files[index].text for index in indices])
        odd |= words.odd
        odd_file = np.logical_or.reduceat(odd, block.rows[:-1])
        odd_file |= np.maximum.reduceat(games.happened, block.rows[:-1]) == 0
        if not odd_file.any():
            events = [heads[index][0] for index in indices]
            problems = [problem for index in indices for problem in heads[index][1]]
            entries = entries_table(people, words, block, event)
            return indices, Reports(events, entries, cells_table(games, opponents, block, event, row, room), problems)
        indices = [index for index, is_odd in zip(indices, odd_file, strict=True) if not is_odd]
    return [], Reports.gather([])


def _block(indices: Sequence[int], lines: _Lines) -> Block:
    """The players' lines of some files as a matrix."""
    local = np.full(len(lines.odd), -1, np.int32)
    local[indices] = np.arange(len(indices), dtype=np.int32)
    of = np.flatnonzero(lines.is_player & (local >= 0)[lines.file])
    file = lines.file[of]
    start, length = lines.start[of], (lines.end - lines.start)[of]
    rows = np.searchsorted(local[file], np.arange(len(indices) + 1))
    room = np.maximum(-(-(np.maximum.reduceat(length, rows[:-1]) - at.CELLS) // at.WIDTH), 0).astype(np.int32)
    rounds = int(room.max())
    width = fast.width(rounds)
    matrix = np.full((len(of), width), _BLANK, np.uint8)
    # Lines of one length, one after the other, are copied as they lie.
    head = rows[:-1]
    same = np.diff(start, append=0)
    same[rows[1:] - 1] = same[head]
    regular = np.logical_and.reduceat((length == length[head][local[file]]) & (same == same[head][local[file]]), head)
    regular &= np.diff(rows) > 1
    spans = zip(
        rows[:-1].tolist(),
        rows[1:].tolist(),
        start[head].tolist(),
        length[head].tolist(),
        same[head].tolist(),
        regular,
        strict=True,
    )
    irregular = []
    for first, stop, begin, letters, stride, is_regular in spans:
        if is_regular:
            lying = np.ndarray((stop - first, letters), np.uint8, lines.buffer, begin, (stride, 1))
            matrix[first:stop, :letters] = lying
        else:
            irregular.append(np.arange(first, stop))
    if irregular:
        some = np.concatenate(irregular)
        columns = np.arange(width)
        places = np.minimum(start[some][:, None] + columns, len(lines.buffer) - 1)
        matrix[some] = np.where(columns < length[some][:, None], lines.buffer[places], _BLANK)
    return Block(
        matrix,
        rounds,
        local[file],
        (of - lines.first[file] + 1).astype(np.int32),
        rows,
        start - lines.begin[file],
        room[local[file]],
    )


# --- order ------------------------------------------------------------------------------------------------------


def moved(reports: Reports, events: int, rows: int) -> Reports:
    """Reports whose events and players have other places: so many later (earlier when negative)."""
    if not events and not rows:
        return reports
    entries, cells = reports.entries, reports.cells

    def later(table: pa.Table, name: str, by: int) -> pa.Array:
        values = arrow.values(table.column(name))
        moved = values + np.int32(by)
        # -1 and -2, no opponent and nobody's number, stay what they are.
        return arrow.numbers(np.where(values < 0, values, moved) if name == "opponent" else moved)

    entries = with_columns(entries, event=later(entries, "event", events))
    cells = with_columns(
        cells,
        event=later(cells, "event", events),
        entry=later(cells, "entry", rows),
        opponent=later(cells, "opponent", rows),
    )
    return Reports(reports.events, entries, cells, reports.problems)


def in_order(reports: Reports, places: Sequence[int]) -> Reports:
    """Reports put in the order of ``places``, a number an event."""
    order = np.argsort(np.asarray(places, np.int64), kind="stable")
    if bool((order == np.arange(len(order))).all()):
        return reports
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)

    def column(table: pa.Table, name: str) -> np.ndarray:
        return arrow.values(table.column(name))

    entry_event = rank[column(reports.entries, "event")]
    entry_order = np.argsort(entry_event, kind="stable")
    row = np.empty(len(entry_order) + 2, np.int32)
    row[entry_order] = np.arange(len(entry_order), dtype=np.int32)
    row[-2:] = -2, -1  # nobody has that number, no opponent: stay what they are
    cell_event = rank[column(reports.cells, "event")]
    cell_order = np.argsort(cell_event, kind="stable")
    entries = reports.entries.take(pa.array(entry_order)).set_column(
        0, ENTRIES.field("event"), pa.array(entry_event[entry_order])
    )
    cells = reports.cells.take(pa.array(cell_order))
    for name, values in (
        ("event", cell_event[cell_order]),
        ("entry", row[column(cells, "entry")]),
        ("opponent", row[column(cells, "opponent")]),
    ):
        place = CELLS.get_field_index(name)
        cells = cells.set_column(place, CELLS.field(place), pa.array(values))
    return Reports([reports.events[place] for place in order], entries, cells, reports.problems)
