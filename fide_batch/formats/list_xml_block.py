"""A list as XML in FIDE's regular shape, scanned in blocks of bytes with NumPy; None for any other file.

FIDE writes every player alike: the same elements in the same order, no attributes. Where every ``<`` stands is then enough to cut a block into
cells, and each tag is compared with the one the shape wants. A player that differs (an entity in his name, an element missing) is read by
``list_xml_events``.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

import numpy as np

from fide_batch.formats.list_assembly import Assembly
from fide_batch.formats.list_bytes import check_size
from fide_batch.formats.list_columns import Rows
from fide_batch.formats.list_txt_block import BLANK, BLANKS, FIRST_BYTES, rows_of, strange
from fide_batch.formats.list_txt_layout import Column, Layout
from fide_batch.formats.list_xml_events import Players, column_named

BLOCK = 1 << 21
_WIDTHS = {"fideid": 24, "name": 80, "o_title": 24, "birthday": 16}
"""Places for a cell, in words of eight, with at least one blank after it; a longer cell makes its player odd."""
_WIDTH = 8

_PROLOGUE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'](?:utf-8|UTF-8|us-ascii)[\"'])?(?: standalone=[\"']yes[\"'])?\s*\?>)?\s*"
    rb"<([A-Za-z_][\w.-]*)>\s*"
)
_TAG = re.compile(rb"<(/?)([a-z_0-9]+)>([^<]*)")
_END = b"</player>"


@dataclass(frozen=True)
class Shape:
    """The tags of a player in order, without ``<``: ``player>``, ``fideid>``, ``/fideid>`` ... ``/player>``."""

    tags: tuple[bytes, ...]

    @property
    def elements(self) -> list[tuple[int, str]]:
        """For each element its place among the tags and its column ('' for one we do not use)."""
        return [(place, column_named(self.tags[place][:-1].decode())) for place in range(1, len(self.tags) - 1, 2)]


def shape_of(player: bytes) -> Shape | None:
    """The shape of a player; None when it is not flat and plain."""
    found = _TAG.findall(player)
    if b"".join(b"<" + slash + name + b">" + rest for slash, name, rest in found) != player:
        return None
    names = [name for _, name, _ in found]
    slashes = [slash for slash, _, _ in found]
    inner = names[1:-1]
    flat = inner[::2] == inner[1::2] and len(inner) % 2 == 0 and names[0] == names[-1] == b"player"
    if not flat or slashes != [b"", *[b"", b"/"] * (len(inner) // 2), b"/"] or not inner:
        return None
    columns = [column_named(name.decode()) for name in inner[::2]]
    known = [column for column in columns if column]
    if len(known) != len(set(known)) or "fideid" not in known or "name" not in known:
        return None
    return Shape(tuple(slash + name + b">" for slash, name, _ in found))


def in_blocks(path: Path, players: Players) -> Rows | None:
    """The rows of a file of regular shape; None when it is none, or has anything between its players.

    Args:
        path: the file.
        players: reads the odd ones, and keeps what was seen.
    """
    with path.open("rb") as file:
        check_size(file, players.told)
        head = file.read(BLOCK)
        start = _PROLOGUE.match(head)
        end = head.find(_END)
        if not start or end < 0:
            return None
        shape = shape_of(head[start.end() : end + len(_END)])
        if shape is None or _strange_ends(head, start.end()):
            return None
        players.root = start[1].decode()
        for place, name in shape.elements:
            players.met(name, shape.tags[place][:-1].decode())
        room = os.fstat(file.fileno()).st_size // max(end - start.end(), 1) + 1
        scan = _Scan(shape, players, start.end(), 1 + head.count(b"\n", 0, start.end()), room)
        file.seek(start.end())
        buffer = bytearray(2 * BLOCK + 256)
        kept = 0
        while True:
            count = file.readinto(memoryview(buffer)[kept : kept + BLOCK])  # type: ignore[attr-defined]
            filled = kept + count
            last = buffer.rfind(_END, 0, filled)
            cut = last + len(_END) if last >= 0 else 0
            if cut and not scan.block(buffer, cut):
                return None
            kept = filled - cut
            if not count or kept > BLOCK:
                break
            buffer[:kept] = buffer[cut:filled]
        if not re.fullmatch(rb"\s*</" + re.escape(start[1]) + rb">\s*", buffer[cut:filled]):
            return None
        return scan.rows(path)


class _Scan:
    """The blocks of one file, as far as they have been scanned."""

    def __init__(self, shape: Shape, players: Players, begin: int, line: int, room: int) -> None:
        self.shape = shape
        self.players = players
        columns: list[Column] = []
        for _, name in shape.elements:
            first = columns[-1].end if columns else 0
            columns.append(Column(name, first, first + (_WIDTHS.get(name, _WIDTH) if name else 0)))
        self.layout = Layout(tuple(columns), "", 0)
        self.assembly = Assembly([column.name for column in columns], players.gathering, room)
        self.columns = {name for _, name in shape.elements}
        self.words = [_words(tag) for tag in shape.tags]
        self.begin = begin
        self.line = line
        self.blocks: list[tuple[int, int, int]] = []
        """Where each block begins in the file, in which line, and how many players came before it."""
        self.offsets: list[np.ndarray] = []
        self.count = 0

    def block(self, buffer: bytearray, size: int) -> bool:
        """The players in the first ``size`` bytes of a buffer; False when they cannot be told apart."""
        if _strange_ends(buffer, size):
            return False
        data = np.frombuffer(buffer, np.uint8, size)
        opened = np.flatnonzero(data == 60)
        # The eight bytes after each "<" as one number.
        after = np.ndarray((size,), "<u8", buffer, 1, (1,))[opened]
        first, mask, _ = self.words[0]
        starts = np.flatnonzero((after & mask) == first)
        tags = len(self.shape.tags)
        if not len(starts) or starts[0] != 0 or buffer[: opened[0]].strip():
            return False
        odd = np.diff(starts, append=len(opened)) != tags
        row_starts = opened[starts]
        lines = np.full((len(starts), self.layout.width // 8), BLANKS)
        if not odd.any():
            self._cells(
                buffer,
                np.ascontiguousarray(opened.reshape(-1, tags).T),
                np.ascontiguousarray(after.reshape(-1, tags).T),
                odd,
                lines,
            )
        elif not odd.all():
            # Odd players are cut like the first regular one, and read with care afterwards.
            cut = np.arange(tags)[:, None] + np.where(odd, starts[int(np.argmin(odd))], starts)
            self._cells(buffer, opened[cut], after[cut], odd, lines)
        newlines = int(np.count_nonzero(data == 10))
        for place in _elsewhere(buffer, data, newlines):
            odd[np.searchsorted(row_starts, place, "right") - 1] = True
        odd |= strange(lines.view(np.uint8))
        block = rows_of(lines.view(np.uint8), self.layout, odd, self.assembly.codes, self.assembly.next)
        for row in np.flatnonzero(block.odd):
            stop = int(row_starts[row + 1]) if row + 1 < len(row_starts) else size
            player = bytes(buffer[row_starts[row] : stop])
            if player.count(_END) != 1 or player[player.find(_END) + len(_END) :].strip():
                return False
            try:
                self.players.read_one(player, self.line + buffer.count(b"\n", 0, int(row_starts[row])))
            except expat.ExpatError:
                return False
        if not self.players.seen <= self.columns:  # what the first player lacks has no place here
            return False
        self.assembly.add(block, np.ones(len(starts), bool))
        self.blocks.append((self.begin, self.line, self.count))
        self.offsets.append(row_starts.astype(np.int32))
        self.begin += size
        self.line += newlines
        self.count += len(starts)
        return True

    def _cells(
        self, buffer: bytearray, opened: np.ndarray, after: np.ndarray, odd: np.ndarray, lines: np.ndarray
    ) -> None:
        """Put the texts of the elements side by side in columns; players whose tags differ become odd.

        Args:
            buffer: the bytes, with room after the last player.
            opened: where the "<" stand, a row a tag, a column a player.
            after: the eight bytes after each.
            odd: bool, per player.
            lines: uint64, shape (players, words of a line), blank.
        """
        at = np.ndarray((len(buffer) - 8,), "<u8", buffer, 0, (1,))
        wrong = np.zeros(len(odd), bool)
        for place, tag in enumerate(self.shape.tags):
            first, mask, second = self.words[place]
            wrong |= (after[place] & mask) != first
            if second is not None:
                wrong |= at[opened[place] + (len(tag) - 7)] != second  # the last eight bytes of a longer tag
        for column, (place, name) in zip(self.layout.columns, self.shape.elements, strict=True):
            if not name:
                continue
            text = opened[place] + (1 + len(self.shape.tags[place]))
            length = opened[place + 1] - text
            wide = column.end - column.start - 1
            wrong |= length > wide
            for word in range((min(int(length.max()), wide) + 7) // 8):
                keep = FIRST_BYTES[np.clip(length - 8 * word, 0, 8)]
                lines[:, column.start // 8 + word] = (at[text + 8 * word] & keep) | (BLANKS & ~keep)
        odd |= wrong

    def rows(self, path: Path) -> Rows:
        """All rows; the line of one is counted in its block when somebody asks."""
        before = np.array([count for _, _, count in self.blocks])

        def line_of(row: int) -> int:
            block = int(np.searchsorted(before, row, "right")) - 1
            begin, line, count = self.blocks[block]
            with path.open("rb") as file:
                file.seek(begin)
                return line + file.read(int(self.offsets[block][row - count])).count(b"\n")

        return self.assembly.rows(line_of)


def _strange_ends(data: bytes | bytearray, size: int) -> bool:
    """Whether a CR without LF, a line end of its own in XML, stands in the first ``size`` bytes: lines are counted by their LF here."""
    if not size:
        return False
    letters = np.frombuffer(data, np.uint8, size)
    returns = np.flatnonzero(letters == 13)
    return len(returns) > 0 and bool(returns[-1] == size - 1 or (letters[returns + 1] != 10).any())


def _words(tag: bytes) -> tuple[np.uint64, np.uint64, np.uint64 | None]:
    """The first eight bytes of a tag as a number, which of them count, and the last eight of a longer tag."""
    begin = tag[:8]
    mask = int.from_bytes(b"\xff" * len(begin), "little")
    second = np.uint64(int.from_bytes(tag[-8:], "little")) if len(tag) > 8 else None
    return np.uint64(int.from_bytes(begin, "little")), np.uint64(mask), second


def _elsewhere(buffer: bytearray, data: np.ndarray, newlines: int) -> list[int]:
    """Where a byte stands that only the careful reader understands: an entity, an end without its section, a letter outside ASCII, a control character."""
    found: list[int] = []
    for text in (b"&", b"]]>"):
        place = buffer.find(text, 0, len(data))
        while place >= 0:
            found.append(place)
            place = buffer.find(text, place + 1, len(data))
    if data.max() > 126:
        found += np.flatnonzero(data > 126).tolist()
    controls = data < BLANK
    if np.count_nonzero(controls) != newlines:
        found += np.flatnonzero(controls & (data != 10) & (data != 13) & (data != 9)).tolist()
    return found
