"""Bytes to text: marks of order, UTF-8, UTF-16 and the eight-bit files of old programs, and lines with any ends.

Columns of a report are characters, so a file must be decoded before it is cut. What had to be assumed is said, line by line where it matters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fide_batch.formats.findings import Findings

_ENDS = re.compile("\r\n|\n|\r")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CONTROLS_BYTES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True)
class Text:
    """The text of a file: its lines without their ends, and the encoding they were read in (``utf-8``, ``cp1252``, ``utf-16-le``…)."""

    lines: list[str]
    encoding: str


def decode(data: bytes, found: Findings) -> Text:
    """The lines of a text file.

    UTF-8 (with or without a byte order mark) and UTF-16 with one are read in silence; anything else is read as Windows-1252, which holds
    Latin-1, and that is a note. In a file that is mostly UTF-8 a name cut inside a letter is a warning with its line. NUL bytes are an error:
    the file is damaged.
    """
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    guessed = _utf16(data)
    if guessed:
        return _from_utf16(data, guessed, found)
    if data.endswith(b"\x1a"):
        data = data.rstrip(b"\x1a")
    try:
        text, encoding = data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = eight_bit(data, found)
    return Text(_clean(text, found), encoding)


def _split(text: str) -> list[str]:
    if "\r" not in text:
        return text.split("\n")
    return _ENDS.split(text)


def _utf16(data: bytes) -> str:
    """The name of the UTF-16 variant, '' when it is none. Without a mark: when every second byte of the beginning is NUL."""
    if data.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if data.startswith(b"\xfe\xff"):
        return "utf-16-be"
    start = data[:400]
    if len(start) < 8 or b"\x00" not in start:
        return ""
    odd, even = start[1::2], start[::2]
    if odd.count(0) > 0.9 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if even.count(0) > 0.9 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return ""


def _from_utf16(data: bytes, encoding: str, found: Findings) -> Text:
    marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    body = data[2:] if marked else data
    text = body.decode(encoding, "replace")
    if "\ufffd" in text or len(body) % 2:
        place = text.count("\n", 0, text.find("\ufffd")) + 1 if "\ufffd" in text else None
        found.error(
            "encoding-broken",
            "the file begins as UTF-16 but is not UTF-16 to its end",
            "save it again as UTF-8",
            line=place,
        )
    else:
        found.note("encoding", f"read as {encoding.upper()}; reports are usually UTF-8")
    return Text(_clean(text, found), encoding)


def eight_bit(data: bytes, found: Findings) -> tuple[str, str]:
    """The text and encoding of a file that is not UTF-8 throughout: Windows-1252 where no line is UTF-8, else line by line."""
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    high = [place for place, line in enumerate(lines) if not line.isascii()]
    other = [place for place in high if not _is_utf8(lines[place])]
    if len(high) > len(other):
        return _mixed(data, frozenset(other), found), "utf-8"
    found.note(
        "encoding",
        f"not UTF-8 (first at line {other[0] + 1}): letters with accents are read as Windows-1252 (Latin-1)",
        "save the file as UTF-8 if names look wrong",
        line=other[0] + 1,
    )
    return _cp1252(data), "cp1252"


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _mixed(data: bytes, other: frozenset[int], found: Findings) -> str:
    """The text of a file that is UTF-8 except in some lines."""
    pieces = re.split(b"(\r\n|\n|\r)", data)
    texts = []
    for place, piece in enumerate(pieces):
        if place % 2 or place // 2 not in other:
            texts.append(piece.decode("utf-8"))
            continue
        line = place // 2 + 1
        cut = piece.decode("utf-8", "replace")
        if (cut.count("\ufffd") == 1 and not cut.replace("\ufffd", "").isascii()) or _cut_letter(piece):
            texts.append(cut)
            found.warning(
                "letter-cut",
                "a letter is cut in two: the file is UTF-8 and this line is not",
                "compare the name with the list",
                line=line,
                column=cut.index("\ufffd") + 1,
                source=cut,
            )
        else:
            texts.append(_cp1252(piece))
            found.note(
                "encoding",
                "this line is not UTF-8 as the others are: read as Windows-1252 (Latin-1)",
                "save the file as UTF-8 if the name looks wrong",
                line=line,
            )
    return "".join(texts)


def _cut_letter(piece: bytes) -> bool:
    """Whether the only thing wrong is the first byte of a letter whose rest is missing (names cut at 33 bytes)."""
    return bool(re.search(rb"[\xc3-\xc5\xd0\xd1] ", piece)) and not re.search(rb"[\x80-\xff][^ ]", piece)


def _cp1252(data: bytes) -> str:
    """Windows-1252; the five bytes it does not define as Latin-1 has them."""
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return "".join(
            chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes((byte,)).decode("cp1252") for byte in data
        )


def _clean(text: str, found: Findings) -> list[str]:
    """Lines without control characters: each becomes a blank, so that columns stay; NUL is an error, the others a warning."""
    lines = _split(text)
    if not _CONTROLS.search(text):
        return lines
    for place, line in enumerate(lines):
        control = _CONTROLS.search(line)
        if control:
            column, source = control.start() + 1, _CONTROLS.sub(" ", line)
            if "\x00" in line:
                column = line.index("\x00") + 1
                found.error(
                    "damaged",
                    f"a NUL byte in column {column}: the file is damaged",
                    "ask for the file again",
                    line=place + 1,
                    column=column,
                    source=source,
                )
            else:
                found.warning(
                    "control-character",
                    f"a control character ({ord(control[0])}) in column {column} is read as a blank",
                    "",
                    line=place + 1,
                    column=column,
                    source=source,
                )
            lines[place] = source
    return lines


def plain(data: bytes) -> bool:
    """Whether the bytes are ASCII text without control characters: nothing ``decode`` would have to say."""
    return data.isascii() and not _CONTROLS_BYTES.search(data)
