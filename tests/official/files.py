"""Plain months written as the files people hand over: TRF16 reports and a list in CSV."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path
from typing import Any

POINTS = {"1": 2, "=": 1, "0": 0, "+": 2, "F": 2, "H": 1, "U": 2, "W": 2, "D": 1}
"""Half points each result brings on the table of the tournament."""


def trf16(
    name: str,
    start: date,
    end: date,
    players: list[dict[str, Any]],
    cells: list[tuple[int, int, int, str, str]],
    control: str = "standard",
) -> str:
    """A TRF16 report.

    ``players``: start ``number``, ``name``, ``id``, and as far as known ``rating``, ``birth``, ``sex``. ``cells``: start number, round,
    opponent (0: none), colour (w, b or -), result.
    """
    rounds = max(round_ for _, round_, _, _, _ in cells)
    at = {(number, round_): (opponent, colour, result) for number, round_, opponent, colour, result in cells}
    pace = {
        "standard": "90 minutes for the game, 30 seconds a move",
        "rapid": "15 minutes, 10 seconds a move",
        "blitz": "3 minutes, 2 seconds a move",
    }
    lines = [
        f"012 {name}", "022 Testville", "032 FID", f"042 {start:%Y/%m/%d}", f"052 {end:%Y/%m/%d}", f"062 {len(players)}",
        f"072 {sum(bool(player.get('rating')) for player in players)}", "082 0", "092 Individual: Swiss-System", "102 Invented, Arbiter",
        f"122 {pace[control]}",
    ]  # fmt: skip
    for player in players:
        results = [at.get((player["number"], round_), (0, "-", "Z")) for round_ in range(1, rounds + 1)]
        points = sum(POINTS.get(result, 0) for _, _, result in results) / 2
        line = (
            f"001 {player['number']:4d} {player.get('sex', 'm'):1}{'':3} {player['name']:<33} {player.get('rating') or 0:4d} FID "
            f"{player['id'] or '':>11} {player.get('birth', ''):<10} {points:4.1f} {player['number']:4d}"
        )
        lines.append(line + "".join(f"  {opponent:04d} {colour} {result}" for opponent, colour, result in results))
    return "\n".join(lines) + "\n"


def write_list(path: Path, rows: list[dict[str, Any]]) -> None:
    """A list as CSV, with the columns the rows have."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
