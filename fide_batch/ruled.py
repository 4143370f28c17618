"""What the rating officer ruled on the games of a sealed month, for answers that show those games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fide_batch import formats
from fide_batch.archive import Archive
from fide_batch.checks.decisions import Ruling, concerns, understand
from fide_batch.model import Period, numbers
from fide_batch.settings import DECISION_COLUMNS, Decision

_Cell = tuple[int, int, str]
"""Where a report tells a game of a player: line, round, colour."""


@dataclass
class _Lines:
    """The lines of one report in which its players stand."""

    of_number: dict[int, set[int]] = field(default_factory=dict)
    """By start number."""
    of_player: dict[_Cell, set[int]] = field(default_factory=dict)
    of_opponent: dict[_Cell, set[int]] = field(default_factory=dict)


class Ruled:
    """The decisions a month was sealed with, by the games they are about."""

    def __init__(self, archive: Archive, period: Period) -> None:
        self._archive, self._period = archive, period
        self._lines: dict[tuple[str, str], _Lines] = {}
        said = archive.cover(period).get("decisions") or []
        found = [understand(Decision(**{name: str(one.get(name, "")) for name in DECISION_COLUMNS})) for one in said]  # type: ignore[arg-type]
        self._rulings = [ruling for ruling in found if isinstance(ruling, Ruling)]

    def of_game(self, game: Mapping[str, Any]) -> str:
        """Why a game (a row of GAMES) was left out by decision; '' where it was not."""
        if game["result"] != "?":
            return ""
        for ruling in self._rulings:
            if not ruling.verb.startswith("leave out") or not concerns(ruling.decision, game["file"]):
                continue
            if ruling.verb == "leave out round" and not ruling.number <= (game["round"] or 0) <= ruling.last:
                continue
            if not _row(ruling) or self._meant(ruling, game) & (self._own(game) | self._opponents(game)):
                return f"left out by decision: {ruling.decision.reason}"
        return ""

    def of_event(self, game: Mapping[str, Any]) -> list[str]:
        """What was decided of the report a game stands in, or there of its player: ``By decision: id 1234 (the reason)``."""
        found = []
        for ruling in self._rulings:
            if ruling.verb.startswith("leave out") or not concerns(ruling.decision, game["file"]):
                continue
            if self._own(game) & self._meant(ruling, game) if _row(ruling) else ruling.verb != "accept":
                words = " ".join(filter(None, [ruling.decision.decision, ruling.decision.code]))
                found.append(f"By decision: {words} ({ruling.decision.reason})")
        return found

    def _meant(self, ruling: Ruling, game: Mapping[str, Any]) -> set[int]:
        """The lines of the player a ruling is about: as ``Rulings.of`` has it."""
        if ruling.line:
            return {ruling.line}
        return self._lines_of(game).of_number.get(ruling.start_number, {ruling.start_number})

    def _own(self, game: Mapping[str, Any]) -> set[int]:
        return self._lines_of(game).of_player.get(_cell(game), set())

    def _opponents(self, game: Mapping[str, Any]) -> set[int]:
        return self._lines_of(game).of_opponent.get(_cell(game), set())

    def _lines_of(self, game: Mapping[str, Any]) -> _Lines:
        """The lines of the report a game stands in, read again from what was received."""
        file, label = game["file"], game["event"]
        if (file, label) in self._lines:
            return self._lines[file, label]
        lines = self._lines[file, label] = _Lines()
        manifest = self._archive.manifest(self._period)
        stored = max((name for name in manifest["files"] if f"reports/{file}".startswith(name)), key=len, default="")
        if not stored:
            return lines
        received = [(stored.removeprefix("reports/"), self._archive.stored(self._period, stored))]
        reports = formats.read_received(received, control=str(manifest["said"].get("control", "")))
        places = [
            place for place, event in enumerate(reports.events) if event.file == file and label.startswith(event.name)
        ]
        line = numbers(reports.entries, "line").tolist()
        entries = [numbers(reports.entries, name).tolist() for name in ("event", "number", "line")]
        for place, number, own in zip(*entries, strict=True):
            if place in places:
                lines.of_number.setdefault(number, set()).add(own)
        names = ("event", "entry", "opponent", "line", "round", "colour")
        for place, entry, opponent, *where, colour in zip(
            *(numbers(reports.cells, name).tolist() for name in names), strict=True
        ):
            if place in places:
                cell = (*where, chr(colour) if colour else "")
                lines.of_player.setdefault(cell, set()).add(line[entry])
                if opponent >= 0:
                    lines.of_opponent.setdefault(cell, set()).add(line[opponent])
        return lines


def _cell(game: Mapping[str, Any]) -> _Cell:
    return game["line"], game["round"], game["colour"] or ""


def _row(ruling: Ruling) -> bool:
    """Whether a ruling is about one player."""
    return bool(ruling.start_number or ruling.line)
