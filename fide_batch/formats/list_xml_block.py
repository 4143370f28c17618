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
_FILLING = BLANKS & ~FIRST_BYTES
"""Blanks after the first 0 to 8 places of a word."""


_LONGEST_TAG = 64
"""Letters of an element's name; where a block is looked at beyond its end, there is room."""


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
    if max(map(len, names)) > _LONGEST_TAG:
        return None
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
        self.elements = shape.elements
        self.columns = {name for _, name in self.elements}
        self.places: dict[str, slice] = {}
        """Where the words of a column stand in a sheet."""
        self.width = 0
        for _, name in self.elements:
            if name:
                end = self.width + _WIDTHS.get(name, _WIDTH) // 8
                self.places[name], self.width = slice(self.width, end), end
        self.assembly = Assembly([name for _, name in self.elements], players.gathering, room)
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
        if not len(opened) or buffer[: opened[0]].strip():
            return False
        cut = self._cut(buffer, opened)
        if cut is None:
            return False
        row_starts, tags, odd = cut
        count = len(row_starts)
        sheet = np.full((self.width, count), BLANKS)
        if tags is not None:
            odd |= self._texts(buffer, tags, sheet)
        newlines = int(np.count_nonzero(data == 10))
        for place in _elsewhere(buffer, data, newlines):
            odd[np.searchsorted(row_starts, place, "right") - 1] = True
        letters = sheet.view(np.uint8)
        if letters.min() < BLANK or letters.max() > 126:
            odd |= strange(np.ascontiguousarray(sheet.T).view(np.uint8))
        block = rows_of(
            count, list(self.places), lambda name: sheet[self.places[name]], self._names(sheet), odd, self.assembly.codes, self.assembly.next
        )  # fmt: skip
        for row in np.flatnonzero(block.odd):
            stop = int(row_starts[row + 1]) if row + 1 < count else size
            player = bytes(buffer[row_starts[row] : stop])
            if player.count(_END) != 1 or player[player.find(_END) + len(_END) :].strip():
                return False
            try:
                self.players.read_one(player, self.line + buffer.count(b"\n", 0, int(row_starts[row])))
            except expat.ExpatError:
                return False
        if not self.players.seen <= self.columns:  # what the first player lacks has no place here
            return False
        self.assembly.add(block, np.ones(count, bool))
        self.blocks.append((self.begin, self.line, self.count))
        self.offsets.append(row_starts.astype(np.int32))
        self.begin += size
        self.line += newlines
        self.count += count
        return True

    def _cut(self, buffer: bytearray, opened: np.ndarray) -> tuple[np.ndarray, np.ndarray | None, np.ndarray] | None:
        """The places of "<" put to their players.

        Returns:
            Where each player begins; where his tags stand, a row a tag, a column a player (None where no player has all of them); and bool, the
            players who have others, whose column is that of somebody else. None when the block does not begin with a player.
        """
        count = len(self.shape.tags)
        if len(opened) % count == 0:
            tags = np.ascontiguousarray(opened.reshape(-1, count).T)
            odd = self._differ(buffer, tags)
            if not odd.any():
                return tags[0], tags, odd
        first, mask, _ = self.words[0]
        starts = np.flatnonzero((_eight(buffer, 1)[opened] & mask) == first)
        if not len(starts) or starts[0] != 0:
            return None
        odd = np.diff(starts, append=len(opened)) != count
        if odd.all():
            return opened[starts], None, odd
        # Odd players are cut like the first regular one, and read with care afterwards.
        tags = opened[np.arange(count)[:, None] + np.where(odd, starts[int(np.argmin(odd))], starts)]
        return opened[starts], tags, odd | self._differ(buffer, tags)

    def _differ(self, buffer: bytearray, tags: np.ndarray) -> np.ndarray:
        """bool, per player: whether his tags differ from those of the shape.

        Args:
            buffer: the bytes, with room after the last player.
            tags: where the "<" stand, a row a tag, a column a player.
        """
        wrong = np.zeros(tags.shape[1], np.uint64)
        for opened, tag, (first, mask, last) in zip(tags, self.shape.tags, self.words, strict=True):
            wrong |= (_eight(buffer, 1)[opened] ^ first) & mask
            if last is not None:
                wrong |= _eight(buffer, len(tag) - 7)[opened] ^ last
        return wrong != 0

    def _texts(self, buffer: bytearray, tags: np.ndarray, sheet: np.ndarray) -> np.ndarray:
        """Put the texts of the elements into their words.

        Args:
            buffer: the bytes, with room after the last player.
            tags: where the "<" stand, a row a tag, a column a player.
            sheet: uint64, shape (words, players), blank.

        Returns:
            bool, per player: whether a text is too long for its words.
        """
        wrong = np.zeros(tags.shape[1], bool)
        for place, name in self.elements:
            if not name:
                continue
            begin = 1 + len(self.shape.tags[place])
            length = tags[place + 1] - tags[place] - begin
            longest, words = int(length.max()), sheet[self.places[name]]
            if longest >= 8 * len(words):  # a blank has to follow
                wrong |= length >= 8 * len(words)
            for word, start in zip(words, range(0, longest, 8), strict=False):
                left = length - start
                found = _eight(buffer, begin + start)[tags[place]]
                found &= FIRST_BYTES.take(left, mode="clip")
                np.bitwise_or(found, _FILLING.take(left, mode="clip"), out=word)
        return wrong

    def _names(self, sheet: np.ndarray) -> np.ndarray:
        """The cells of the names, uint8, shape (players, width), as wide as the longest."""
        words = sheet[self.places["name"]]
        used = len(words)
        while used > 1 and (words[used - 1] == BLANKS).all():
            used -= 1
        return np.ascontiguousarray(words[:used].T).view(np.uint8)

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


def _eight(buffer: bytearray, start: int) -> np.ndarray:
    """The eight bytes from each place on, ``start`` further right, as one number."""
    return np.ndarray((len(buffer) - 7 - start,), "<u8", buffer, start, (1,))


def _strange_ends(data: bytes | bytearray, size: int) -> bool:
    """Whether a CR without LF, a line end of its own in XML, stands in the first ``size`` bytes: lines are counted by their LF here."""
    if data.find(b"\r", 0, size) < 0:
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
        if buffer.find(text[:1], 0, len(data)) < 0:  # a single letter is found in no time
            continue
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
