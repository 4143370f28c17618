"""A list as XML read event by event: the plain twin of the block reader, and the reader of all that is not in FIDE's regular shape.

Nothing is ever expanded: a document type is refused before an entity of it could be used. Memory is bounded whatever the file holds.
"""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from fide_batch.formats.list_bytes import check_size
from fide_batch.formats.list_cells import NUMBERS, WORDS
from fide_batch.formats.list_columns import Gathering
from fide_batch.formats.list_headings import column_of
from fide_batch.formats.list_told import Told
from fide_batch.model import Refused

CHUNK = 1 << 16
LONGEST_TAG = 1 << 20
"""Bytes a tag may have; expat keeps an unfinished one in memory."""
LONGEST_TEXT = 2_000
"""Characters kept of one element."""
DEEPEST = 40
UNUSED_TOLD = 20

COLUMNS = ("fideid", "name", *NUMBERS, *WORDS)


class NotUtf8(Exception):
    """Raised for a file without a declared encoding that is not UTF-8."""


def column_named(tag: str) -> str:
    """The column of LIST an element or attribute is; '' for one we do not use."""
    name = column_of(tag)[0]
    return name if name in COLUMNS else ""


class Players:
    """Reads players into a gathering."""

    def __init__(self, gathering: Gathering, told: Told) -> None:
        self.gathering = gathering
        self.told = told
        self.seen: set[str] = set()
        """Columns that occurred."""
        self.unused: dict[str, None] = {}
        """Other elements of players, in the order they were met."""
        self.root = ""
        """Tag and attributes of the root."""
        self._depth = 0
        self._inside = 0
        """The depth of the player we are in; 0 outside."""
        self._cells: dict[str, str] = {}
        self._line = 0
        self._name = ""
        self._text: list[str] = []
        self._length = 0

    def read(self, path: Path, encoding: str | None = None) -> None:
        """A whole file.

        Raises:
            Refused: when it is not well-formed, declares a document type, or is built to exhaust memory.
            NotUtf8: when no ``encoding`` is given, the file declares none and is not UTF-8.
        """
        parser = self._parser(encoding)
        fed = 0
        try:
            with path.open("rb") as file:
                check_size(file, self.told)
                while chunk := file.read(CHUNK):
                    parser.Parse(chunk, False)
                    fed += len(chunk)
                    if fed - parser.CurrentByteIndex > LONGEST_TAG:
                        self._refuse(f"a tag of more than {LONGEST_TAG:,} bytes", parser.CurrentLineNumber)
                parser.Parse(b"", True)
        except expat.ExpatError as error:
            if encoding is None and error.code == expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]:
                with path.open("rb") as file:
                    file.seek(max(parser.ErrorByteIndex, 0))
                    if any(byte > 126 for byte in file.read(4)):
                        raise NotUtf8 from None
            self._refuse(f"not well-formed XML: {expat.ErrorString(error.code)}", error.lineno, error.offset + 1)
        except OSError as error:
            self.told.error("list-file", f"the list cannot be read: {error.strerror}", "is it there, and a file?")
            raise Refused(*self.told.problems) from None

    def read_one(self, player: bytes, line: int) -> None:
        """One player's element.

        Raises:
            expat.ExpatError: when it is not well-formed.
        """
        self._depth = self._inside = 0
        before = len(self.gathering)
        parser = self._parser("utf-8")
        self._offset = line - 1
        parser.Parse(b"<list>" + player + b"</list>", True)
        self._offset = 0
        if len(self.gathering) != before + 1:
            raise expat.ExpatError("not one player")

    _offset = 0

    def _parser(self, encoding: str | None) -> expat.XMLParserType:
        parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._letters
        self._now = parser
        return parser

    def _refuse(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.told.error("list-xml", message, "download or export the list again", line=line, column=column)
        raise Refused(*self.told.problems)

    def _doctype(self, *_: object) -> None:
        self.told.error(
            "list-xml", "the file declares a document type (DOCTYPE), which a rating list has no use for", "do not trust this file",
            line=self._now.CurrentLineNumber,
        )  # fmt: skip
        raise Refused(*self.told.problems)

    def _start(self, tag: str, attributes: list[str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            line = self._now.CurrentLineNumber + self._offset
            self._refuse(f"elements inside one another more than {DEEPEST} deep", line)
        if self._inside:
            if self._depth == self._inside + 1:
                self._name = column_named(tag)
                self.met(self._name, tag)
                self._text.clear()
                self._length = 0
        elif tag.lower() == "player":
            self._inside = self._depth
            self._cells = {}
            self._line = self._now.CurrentLineNumber + self._offset
            for key, value in zip(attributes[::2], attributes[1::2], strict=True):
                name = column_named(key)
                self.met(name, key)
                if name:
                    self._cells[name] = value[:LONGEST_TEXT]
        elif self._depth == 1:
            self.root = " ".join([tag, *attributes])[:LONGEST_TEXT]

    def met(self, name: str, tag: str) -> None:
        """An element or attribute of a player occurs."""
        if name:
            self.seen.add(name)
        elif len(self.unused) < UNUSED_TOLD:
            self.unused[tag[:40]] = None

    def _letters(self, text: str) -> None:
        if self._name and self._depth == self._inside + 1 and self._length < LONGEST_TEXT:
            self._text.append(text[: LONGEST_TEXT - self._length])
            self._length += len(text)

    def _end(self, _tag: str) -> None:
        if self._inside and self._depth == self._inside + 1 and self._name:
            self._cells[self._name] = "".join(self._text)
            self._name = ""
        elif self._depth == self._inside:
            self._inside = 0
            self.gathering.add(self._cells, self._line)
        self._depth -= 1
