"""Tournament reports in FIDE's text format: TRF06 (Krause), TRF16 and TRF26, tolerant of what the field makes of them.

A file is read whole, or refused with every reason it gives: file, line, column. What had to be mended is a note.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from fide_batch.formats import trf_byes, trf_numbering
from fide_batch.formats import trf_columns as at
from fide_batch.formats.findings import Findings
from fide_batch.formats.text import decode
from fide_batch.formats.trf_head import read_head
from fide_batch.formats.trf_players import Players
from fide_batch.formats.trf_records import Records, is_player, is_record
from fide_batch.model import Event, Report

NAME = "TRF"

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is read: more than 9,999 players in 150 rounds."""

_LOOK = 300
"""Lines in which a record must be found."""


def looks(name: str, data: bytes) -> str:
    """'' when the file holds a record of TRF, else what it misses."""
    if data[:4] in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0"):
        return "a workbook, not text"
    found = Findings(name)
    lines = decode(data[:200_000], found).lines[:_LOOK]
    if any(is_record(line.lstrip()) for line in lines):
        return ""
    return "no line begins with a record such as 012 or 001 and a blank"


def read(name: str, data: bytes) -> Report:
    """Read one report.

    Args:
        name: of the file, as messages call it.
        data: its bytes.

    Returns:
        The report with its problems; an error among them when it cannot be rated as it stands.
    """
    found = Findings(name)
    digest = hashlib.sha256(data).hexdigest()
    if len(data) > LARGEST:
        found.error(
            "too-large", f"{len(data):,} bytes; a report of {LARGEST:,} bytes is the largest that is read", "split the report"
        )  # fmt: skip
        return Report(Event(name, NAME, sha256=digest), problems=found.all())
    records, players = Records(found), Players(found)
    for number, line in enumerate(decode(data, found).lines, 1):
        if is_player(line):
            players.take(number, line)
        elif line:
            records.take(number, line)
    return finish(name, records, players, found, digest)


def finish(name: str, records: Records, players: Players, found: Findings, sha256: str) -> Report:
    """The report from all its lines."""
    records.finish()
    players.finish()
    event = read_head(name, records, found, sha256)
    cells = trf_numbering.renumber(players.entries, players.cells, found)
    cells, adjusted = trf_byes.apply(records, players.entries, cells, found)
    if adjusted:
        event = replace(event, points_adjusted=adjusted)
    _extra_cells(players.empty_cells, event.rounds or max((cell.round for cell in cells), default=0), found)
    if not players.entries:
        found.note("no-players", "the report has no players")
    elif not cells:
        found.note("no-games", f"the report has {len(players.entries)} players and no games")
    return Report(event, players.entries, cells, found.all())


def _extra_cells(empty: Sequence[tuple[int, int]], rounds: int, found: Findings) -> None:
    """Say that rounds beyond the last, in which nothing happened, are no rounds."""
    beyond = [(line, round_) for line, round_ in empty if round_ > rounds]
    if beyond:
        line, round_ = beyond[0]
        found.note(
            "extra-round",
            f"{len(beyond)} player{'s have' if len(beyond) > 1 else ' has'} an empty round beyond round {rounds}; it is no round",
            "",
            line=line,
            column=at.round_column(round_),
        )
