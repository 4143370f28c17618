"""The records of a TRF file that are no player's line: sorted by name, and told of in one sentence when the rating does not need them."""

from __future__ import annotations

import re
from collections import Counter

from fide_batch.formats import trf_columns as at
from fide_batch.formats.findings import Findings, shown

_RULER = re.compile(r"\d{20,}\s*", re.ASCII)
_NATIONAL = re.compile(r"[A-Z]{3}")
_PRIVATE = re.compile(r"XX[A-Z0-9]|BB[A-Z0-9]|DAT|00[A-F]")
_PLAYER = re.compile(r"[ \t\xa0]*001[ \t\d]")

KEPT = frozenset((*at.HEAD, *at.TABLES, "XXR", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"))
"""Records whose lines are kept for the reader."""


LONGEST = 60_000
"""Letters of the longest record: 9,999 start numbers of five columns each, and room."""


def is_player(line: str) -> bool:
    """Whether the line is a player's line."""
    return line.startswith("001") and line[3:4] in (" ", "\t", "")


def is_record(line: str) -> bool:
    """Whether the line begins as a record of a TRF file that other files do not have."""
    tag = line[:3]
    return (tag == "001" or tag in at.HEAD or tag in at.TABLES) and line[3:4] in (" ", "\t")


def _count(counts: dict[str, int], what: str) -> None:
    counts[what] = counts.get(what, 0) + 1


class Records:
    """The lines of a file by record, without the players' lines."""

    def __init__(self, found: Findings) -> None:
        self.found = found
        self.lines: dict[str, list[tuple[int, str]]] = {}
        """For each record its lines: number in the file, and the line."""
        self._aside: dict[str, int] = {}
        self._national: dict[str, int] = {}
        self._unknown: list[tuple[int, str]] = []

    def take(self, number: int, line: str) -> None:
        """Sort one line in."""
        if len(line) > LONGEST:
            self.found.error(
                "line-too-long",
                f"a line of {len(line):,} letters; the longest record that is read has {LONGEST:,}",
                "this is no report, or its line ends are lost",
                line=number,
            )
            line = line[:LONGEST]
        tag = line[:3]
        alone = line[3:4] in ("", " ", "\t")
        if tag in KEPT and alone:
            self.lines.setdefault(tag, []).append((number, line))
        elif not line or line.isspace():
            return
        elif line.startswith("###"):
            _count(self._aside, "comment")
        elif _RULER.fullmatch(line) or (tag == "DDD" and alone):
            _count(self._aside, "ruler")
        elif alone and _PRIVATE.fullmatch(tag):
            _count(self._aside, tag)
        elif alone and _NATIONAL.fullmatch(tag) and line[3:8].strip().isdecimal():
            _count(self._national, tag)
        elif len(line) > 20 and _PLAYER.match(line):
            self.found.error(
                "columns-shifted",
                "a player's line that does not begin with 001 and a blank in the first columns",
                "take away what stands before 001, or put a blank after it",
                line=number,
                column=1,
                source=line,
            )
        else:
            self._unknown.append((number, line))

    def text(self, tag: str) -> str:
        """What stands in a record, '' when the file does not have it. Of several the first one counts."""
        lines = self.lines.get(tag)
        return lines[0][1][4:].strip() if lines else ""

    def line(self, tag: str) -> int | None:
        """The number of the first line of a record."""
        lines = self.lines.get(tag)
        return lines[0][0] if lines else None

    def source(self, tag: str) -> str:
        """The first line of a record as it stands."""
        lines = self.lines.get(tag)
        return lines[0][1] if lines else ""

    def place(self, tag: str) -> dict[str, object]:
        """Where the text of a record stands, for a problem."""
        source = self.source(tag)
        if not source:
            return {"line": self.line(tag)}
        text = source[4:]
        return {"line": self.line(tag), "column": 5 + len(text) - len(text.lstrip()), "source": source}

    def finish(self) -> None:
        """Tell of repeated records, and in one sentence each of unknown ones and of those left aside."""
        for tag in at.SINGLE if any(len(lines) > 1 for lines in self.lines.values()) else ():
            lines = self.lines.get(tag, [])
            for number, line in lines[1:]:
                if line[4:].strip() and line[4:].strip() != lines[0][1][4:].strip():
                    self._repeated(tag, number, line, lines[0][0])
        if self._unknown:
            self._tell_unknown()
        if not self._aside and not self._national:
            return
        parts = [
            f"{count} {name}{'s' if count > 1 and name in ('comment', 'ruler') else ''}"
            for name, count in sorted(self._aside.items())
        ]
        parts += [f"{count} national ratings ({tag})" for tag, count in sorted(self._national.items())]
        self.found.note("records-left-aside", f"not needed for the rating and left aside: {', '.join(parts)}")

    def _repeated(self, tag: str, number: int, line: str, first: int) -> None:
        if tag == "012":
            self.found.error(
                "two-events",
                f"a second tournament name, {shown(line[4:])} (the first is in line {first}): two reports in one file?",
                "put each report in a file of its own",
                line=number,
                column=5,
                source=line,
            )
        else:
            self.found.warning(
                "record-repeated",
                f"record {tag} ({at.HEAD.get(tag, 'rounds')}) stands again with another text; line {first} counts",
                "delete the wrong one",
                line=number,
                column=1,
                source=line,
            )

    def _tell_unknown(self) -> None:
        number, line = self._unknown[0]
        count = len(self._unknown)
        tags = Counter(text[:3] if text[3:4] in ("", " ", "\t") else "" for _, text in self._unknown)
        names = [f"{tag!r}{f' ({times} times)' if times > 1 else ''}" for tag, times in sorted(tags.items()) if tag][:5]
        what = f": {', '.join(names)}" if names else ""
        self.found.warning(
            "unknown-record",
            f"{count} line{'s are' if count > 1 else ' is'} no record of a TRF report and not read{what}; the first is {shown(line)}",
            "a broken line belongs to the line before it; anything else may be deleted",
            line=number,
            column=1,
            source=line,
        )
