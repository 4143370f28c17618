"""A list as XML in FIDE's regular shape, scanned in blocks of bytes with NumPy; None for any other file.

FIDE writes every player alike: the same elements in the same order, no attributes. Where every ``<`` stands is then enough to cut a block into
cells, and each tag is compared with the one the shape wants. A player that differs (an entity in his name, an element missing) is read by
``list_xml_events``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from xml.parsers import expat

import numpy as np

from fide_batch.formats.list_assembly import Assembly
from fide_batch.formats.list_columns import Rows
from fide_batch.formats.list_txt_block import BLANK, rows_of
from fide_batch.formats.list_txt_layout import Column, Layout
from fide_batch.formats.list_xml_events import Players, column_named

BLOCK = 1 << 22
_WIDTHS = {"fideid": 20, "name": 80, "o_title": 24, "birthday": 12, "country": 6, "sex": 3, "flag": 6}
"""Places for a cell, with at least one blank after it; a longer cell makes its player odd."""
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
        head = file.read(BLOCK)
        start = _PROLOGUE.match(head)
        end = head.find(_END)
        if not start or end < 0:
            return None
        shape = shape_of(head[start.end() : end + len(_END)])
        if shape is None:
            return None
        players.root = start[1].decode()
        for place, name in shape.elements:
            players._met(name, shape.tags[place][:-1].decode())
        scan = _Scan(shape, players)
        file.seek(start.end())
        begin = start.end()
        line = 1 + head[:begin].count(b"\n")
        tail = b""
        for block, tail in _blocks(file):
            if block and not scan.block(block, begin, line):
                return None
            begin += len(block)
            line += block.count(b"\n")
        if not re.fullmatch(rb"\s*</" + re.escape(start[1]) + rb">\s*", tail):
            return None
        return scan.rows(path)


def _blocks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Blocks of whole players, and what is left after the last one."""
    kept = b""
    while True:
        read = file.read(BLOCK)
        data = kept + read
        last = data.rfind(_END)
        cut = last + len(_END) if last >= 0 else 0
        kept = data[cut:]
        yield data[:cut], kept
        if not read or len(kept) > BLOCK:
            return


class _Scan:
    """The blocks of one file, as far as they have been scanned."""

    def __init__(self, shape: Shape, players: Players) -> None:
        self.shape = shape
        self.players = players
        columns: list[Column] = []
        for _, name in shape.elements:
            begin = columns[-1].end if columns else 0
            columns.append(Column(name, begin, begin + (_WIDTHS.get(name, _WIDTH) if name else 0)))
        self.layout = Layout(tuple(columns), "", 0)
        self.assembly = Assembly([column.name for column in columns], players.gathering)
        self.words = [_words(tag) for tag in shape.tags]
        self.begins: list[int] = []
        self.lines: list[int] = []
        self.counts: list[int] = []
        self.offsets: list[np.ndarray] = []

    def block(self, data: bytes, begin: int, line: int) -> bool:
        """One block of whole players; False when it cannot be cut into players."""
        view = np.frombuffer(data + b"\0" * 8, np.uint8)
        opened = np.flatnonzero(view == 60)
        # The eight bytes after each "<" as one number.
        after = np.ndarray((len(data),), "<u8", view.data, 1, (1,))[opened]
        first, mask, _ = self.words[0]
        starts = np.flatnonzero((after & mask) == first)
        per_player = len(self.shape.tags)
        if not len(starts) or starts[0] != 0 or data[: opened[0]].strip():
            return False
        count = np.diff(starts, append=len(opened))
        odd = count != per_player
        row_starts = opened[starts]
        regular = np.where(odd, 0, starts)
        regular = np.minimum(regular, len(opened) - per_player) if len(opened) >= per_player else regular * 0
        if len(opened) < per_player:
            odd[:] = True
            lines = np.full((len(starts), self.layout.width), BLANK, np.uint8)
        else:
            lines = self._cells(view, opened, after, regular, odd)
        for byte in _elsewhere(view[: len(data)]):
            odd[np.searchsorted(row_starts, byte, "right") - 1] = True
        block = rows_of(lines, self.layout, odd)
        for row in np.flatnonzero(block.odd):
            stop = row_starts[row + 1] if row + 1 < len(row_starts) else len(data)
            player = data[row_starts[row] : stop]
            if player.count(_END) != 1 or player[player.find(_END) + len(_END) :].strip():
                return False
            try:
                self.players.read_one(player, line + data.count(b"\n", 0, int(row_starts[row])))
            except expat.ExpatError:
                return False
        self.assembly.add(block, np.ones(len(starts), bool))
        self.begins.append(begin)
        self.lines.append(line)
        self.counts.append(len(starts))
        self.offsets.append(row_starts.astype(np.int32))
        return True

    def _cells(self, view: np.ndarray, opened: np.ndarray, after: np.ndarray, regular: np.ndarray, odd: np.ndarray) -> np.ndarray:
        """The texts of the elements side by side in columns; players whose tags differ are marked odd."""
        for place, tag in enumerate(self.shape.tags):
            first, mask, second = self.words[place]
            odd |= (after[regular + place] & mask) != first
            if second is not None:
                ends = np.ndarray((len(view) - len(tag),), "<u8", view.data, len(tag) - 7, (1,))
                # The last eight bytes of a longer tag; past the end of the block only when the tag is wrong anyway.
                odd |= ends[np.minimum(opened[regular + place], len(ends) - 1)] != second
        lines = np.full((len(regular), self.layout.width), BLANK, np.uint8)
        for column, (place, name) in zip(self.layout.columns, self.shape.elements, strict=True):
            if not name:
                continue
            text = opened[regular + place] + 1 + len(self.shape.tags[place])
            length = opened[regular + place + 1] - text
            wide = column.end - column.start - 1
            odd |= length > wide
            length = np.clip(length, 0, wide)
            longest = int(length.max())
            if not longest:
                continue
            steps = np.arange(longest)
            cells = view[np.minimum(text[:, None] + steps, len(view) - 1)]
            np.copyto(lines[:, column.start : column.start + longest], cells, where=steps < length[:, None])
        return lines

    def rows(self, path: Path) -> Rows:
        """All rows; the line of one is counted in its block when somebody asks."""
        ends = np.cumsum(self.counts)

        def line_of(row: int) -> int:
            block = int(np.searchsorted(ends, row, "right"))
            within = row - (int(ends[block - 1]) if block else 0)
            with path.open("rb") as file:
                file.seek(self.begins[block])
                return self.lines[block] + file.read(int(self.offsets[block][within])).count(b"\n")

        return self.assembly.rows(line_of)


def _words(tag: bytes) -> tuple[np.uint64, np.uint64, np.uint64 | None]:
    """The first eight bytes of a tag as a number, which of them count, and the last eight of a longer tag."""
    begin = tag[:8]
    mask = int.from_bytes(b"\xff" * len(begin), "little")
    second = np.uint64(int.from_bytes(tag[-8:], "little")) if len(tag) > 8 else None
    return np.uint64(int.from_bytes(begin, "little")), np.uint64(mask), second


def _elsewhere(view: np.ndarray) -> np.ndarray:
    """Where a byte stands that only the careful reader understands: an entity, a letter outside ASCII, a control character in a text."""
    strange = (view == 38) | (view > 126) | ((view < BLANK) & (view != 10) & (view != 13) & (view != 9))
    return np.flatnonzero(strange)
