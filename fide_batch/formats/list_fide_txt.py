"""FIDE's list as text in columns, of any year: combined, legacy, of one control, and the lists before 2012.

The heading says where the columns stand. Lines of 162 places (158 in the legacy list, 136 in that of one control) end with CR LF, LF or CR;
columns are characters, or bytes in files of programs that pad UTF-8 as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.formats.list_bytes import ENCODINGS, HEAD, blocks, head_lines, head_text, newline_of, open_list
from fide_batch.formats.list_cells import NUMBERS, WORDS
from fide_batch.formats.list_columns import CENTURY_END, Gathering, Rows, Words, finish
from fide_batch.formats.list_control import in_columns_of, single_control, year_of
from fide_batch.formats.list_told import LOOK, NOT_A_LIST, Told
from fide_batch.formats.list_txt_block import BLANK, Block, as_lines, rows_of
from fide_batch.formats.list_txt_layout import ANY_CONTROL, Layout, of_lines
from fide_batch.formats.list_txt_line import LineReader
from fide_batch.model import Problem, Refused

NAME = "FIDE list, text"

_CALLED = {
    "fideid": "id", "country": "federation", "k": "K", "w_title": "women's title", "o_title": "other titles", "foa_title": "online title",
    "birthday": "birth",
}  # fmt: skip


def called(column: str) -> str:
    """A column in words."""
    return _CALLED.get(column, column.replace("_", " "))


def looks(name: str, data: bytes) -> str:
    """'' when the beginning of a file is that of a text list, else what was missed."""
    text = head_text(data)
    if not text.strip():
        return "no text"
    if text.lstrip().startswith("<"):
        return "XML, not columns of text"
    if of_lines(head_lines(text)) is None:
        return "no heading with ID and Name in columns, and no lines as in FIDE's old lists"
    return ""


def read(path: Path, *, plain: bool = False) -> tuple[pa.Table, list[Problem]]:
    """A text list as the table LIST, and what was found.

    Args:
        path: the file.
        plain: read every line with care, none in columns: the same, slower.

    Raises:
        Refused: when it is not a rating list or cannot be read at all.
    """
    for encoding in ENCODINGS:
        told = Told(str(path))
        try:
            rows = _read(path, told, encoding, plain)
        except UnicodeDecodeError:
            continue
        return finish(rows)
    raise AssertionError("every byte is a letter of Latin-1")


def _read(path: Path, told: Told, encoding: str, plain: bool) -> Rows:
    with open_list(path, told) as file:
        begin = file.tell()
        head = file.read(HEAD)
        file.seek(begin)
        layout = of_lines(head_lines(head_text(head)))
        if layout is None:
            told.error(NOT_A_LIST, "does not look like a rating list: no heading with ID and Name", LOOK)
            raise Refused(*told.problems)
        layout = _with_control(layout, path, told)
        year = year_of(layout.heading, path.name)
        reading = _Reading(layout, told, encoding, year - 5 if year else CENTURY_END, plain)
        newline = newline_of(head)
        for block in blocks(file, newline, told):
            reading.block(block, newline)
    if encoding != "utf-8":
        told.note(
            "list-encoding",
            f"letters outside ASCII are not UTF-8: read as {encoding}",
            "save the list as UTF-8 if names look wrong",
        )
    return reading.rows


def _with_control(layout: Layout, path: Path, told: Told) -> Layout:
    """The layout with every rating column named as in LIST.

    Raises:
        Refused: when it has no rating column.
    """
    if not any(column.name.endswith("rating") for column in layout.columns):
        heads = " ".join(layout.heading.split())
        told.error(
            NOT_A_LIST,
            f"does not look like a rating list: its heading has no rating column ({heads})",
            LOOK,
            line=layout.heading_line,
        )
        raise Refused(*told.problems)
    control = single_control(path, layout.heading, told) if layout.single else "standard"
    names = {found: in_columns_of(control, name) for found, name in ANY_CONTROL.items()}
    present = {column.name for column in layout.columns}
    return layout.renamed({found: name if name not in present else "" for found, name in names.items()})


@dataclass
class _Reading:
    """The list as far as it has been read."""

    layout: Layout
    told: Told
    encoding: str
    century_end: int
    plain: bool
    line: int = 0
    blocks: list[Block] = field(default_factory=list)
    names: list[pa.Array] = field(default_factory=list)
    kept: list[np.ndarray] = field(default_factory=list)
    odd: list[int] = field(default_factory=list)
    """Rows read with care and kept, among all lines."""

    def __post_init__(self) -> None:
        self.gathering = Gathering(self.told, {column.name: None for column in self.layout.columns}, self.century_end)
        self.reader = LineReader(self.layout, self.gathering, self.told, called)

    def block(self, block: np.ndarray, newline: int) -> None:
        """Some whole lines more."""
        lines, longer, starts, ends = as_lines(block, newline, self.layout.width)
        odd = np.ones(len(lines), bool) if self.plain else longer
        head = max(0, min(self.layout.heading_line - self.line, len(lines)))
        found = rows_of(lines, self.layout, odd)
        kept = ~found.odd
        kept[:head] = False
        for row in np.flatnonzero(found.odd[head:]) + head:
            raw = block[starts[row] : ends[row]].tobytes()
            if self.reader.read(raw, self.line + int(row) + 1, self.encoding):
                kept[row] = True
                self.odd.append(self.line + int(row))
        found.names[found.odd] = BLANK
        for cells in found.words.values():
            cells[found.odd] = BLANK
        self.names.append(_texts(found.names))
        found.names = found.names[:0]
        self.blocks.append(found)
        self.kept.append(kept)
        self.line += len(lines)

    @property
    def rows(self) -> Rows:
        """All rows: those read in columns with those read with care in their places."""
        careful = self.gathering.rows
        kept = np.concatenate(self.kept) if self.kept else np.zeros(0, bool)
        lines = np.flatnonzero(kept) + 1
        everything = len(lines) == len(kept)
        places = np.searchsorted(lines, np.array(self.odd, np.int64) + 1)

        def column(pieces: list[np.ndarray], careful_values: np.ndarray) -> np.ndarray:
            values = np.concatenate(pieces) if pieces else careful_values
            values = values if everything else values[kept]
            values[places] = careful_values
            return values

        names = pa.concat_arrays(self.names) if self.names else pa.array([], pa.string())
        self.names = []
        names = names if everything else names.filter(pa.array(kept))
        if len(places):
            mask = np.zeros(len(names), bool)
            mask[places] = True
            names = pc.replace_with_mask(names, pa.array(mask), careful.names)
        ids = column([block.ids for block in self.blocks], careful.ids)
        numbers, words = {}, {}
        for found in self.layout.columns:
            name = found.name
            if name in NUMBERS:
                numbers[name] = column([block.numbers.pop(name) for block in self.blocks], careful.numbers[name])
            elif name in WORDS:
                raw = [block.words.pop(name) for block in self.blocks]
                words[name] = _words(np.concatenate(raw) if raw else None, kept, places, careful.words[name])
        return Rows(self.told, ids, names, numbers, words, lambda row: int(lines[row]), self.century_end)


def _texts(cells: np.ndarray) -> pa.Array:
    """Cells of equal width as texts without the blanks around them."""
    rows, width = cells.shape
    offsets = np.arange(0, (rows + 1) * width, width, dtype=np.int32)
    texts = pa.Array.from_buffers(pa.string(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(cells)])
    return pc.ascii_trim(texts, characters=" ")


def _words(cells: np.ndarray | None, kept: np.ndarray, places: np.ndarray, careful: Words) -> Words:
    """A column of few different texts."""
    if cells is None or not len(cells):
        return careful
    rows, width = cells.shape
    encoded = pa.Array.from_buffers(pa.binary(width), rows, [None, pa.py_buffer(cells)]).dictionary_encode()
    known: dict[str, int] = {}
    moved = np.array(
        [known.setdefault(value.decode("ascii").strip(), len(known)) for value in encoded.dictionary.to_pylist()],
        np.int32,
    )
    found = moved[encoded.indices.to_numpy()]
    if not kept.all():
        found = found[kept]
    if len(places):
        again = np.array([known.setdefault(value, len(known)) for value in careful.values], np.int32)
        found[places] = again[careful.places]
    return Words(found, list(known))
