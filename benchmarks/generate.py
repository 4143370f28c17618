"""A month of invented players and tournaments, always the same: what ``run.py`` measures with.

    python benchmarks/generate.py FOLDER [--scale 0.1 | --national] [--reports N]

At scale 1 it is the world's month: 1,700,000 players, 8,000 reports in TRF16, about 6.4 million player-rounds; at 0.1 a tenth of each. ``--national``
is 20,000 players and 60 reports. ``--reports`` makes so many of them for the same list. Writes ``list.txt``, ``list.xml``, ``list.csv`` and ``reports/``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import lists
import numpy as np

PLAYERS, REPORTS = 1_700_000, 8_000
NATIONAL = (20_000, 60)


def make(folder: Path, players: int, reports: int) -> None:
    """The list and the reports, if they are not there."""
    folder.mkdir(parents=True, exist_ok=True)
    lists.make(folder, players)
    if (folder / "reports").exists():
        return
    from fide_batch.formats import list_fide_txt
    from fide_batch.model import numbers

    table = list_fide_txt.read(folder / "list.txt")[0]
    ids, rating, birth = numbers(table, "fideid"), numbers(table, "rating"), table["birthday"].to_pylist()
    names, sexes, federations = (table[name].to_pylist() for name in ("name", "sex", "country"))
    chance = np.random.default_rng(8)
    # Six in ten of the rated players play, and one in twenty of the others; neighbours in strength meet.
    active = np.flatnonzero(chance.random(len(ids)) < np.where(rating > 0, 0.6, 0.05))
    strength = np.where(rating > 0, rating, chance.normal(1600, 150, len(ids)))
    active = active[np.argsort(strength[active] + chance.normal(0, 150, len(active)), kind="stable")]
    (folder / "reports.new").mkdir(exist_ok=True)
    for place in range(reports):
        size, rounds = min(int(chance.integers(60, 141)), len(active)), int(chance.integers(7, 10))
        near = int(chance.integers(0, max(1, len(active) - 3 * size)))
        who = chance.choice(active[near : near + 3 * size], size, replace=False)
        who = who[np.argsort(-rating[who], kind="stable")]
        lines = _report(place, who, rounds, chance, ids, rating, names, sexes, federations, birth)
        # Half of them come from Windows; every fourth has letters beyond ASCII.
        text = ("\r\n" if place % 2 else "\n").join([*lines, ""])
        (folder / "reports.new" / f"open-{place:05}.trf").write_bytes(text.encode())
    (folder / "reports.new").rename(folder / "reports")


def _report(place, who, rounds, chance, ids, rating, names, sexes, federations, birth) -> list[str]:
    """The lines of one Swiss: pairings by lot, results by strength, a few forfeits, a bye for the odd player."""
    size = len(who)
    cells = [""] * size
    points = np.zeros(size)
    for _ in range(rounds):
        lot = chance.permutation(size)
        half = size // 2
        white, black = lot[:half], lot[half : 2 * half]
        expected = 1 / (1 + 10 ** ((rating[who[black]] - rating[who[white]]) / 400))
        throw, forfeit = chance.random(half), chance.random(half) < 0.01
        for one, two, score, luck, absent in zip(
            white.tolist(), black.tolist(), expected.tolist(), throw.tolist(), forfeit.tolist(), strict=True
        ):
            won = 1.0 if luck < score - 0.13 else 0.5 if luck < score + 0.13 else 0.0
            marks = ("+", "-") if absent else {1.0: ("1", "0"), 0.5: ("=", "="), 0.0: ("0", "1")}[won]
            cells[one] += f"  {two + 1:4} w {marks[0]}"
            cells[two] += f"  {one + 1:4} b {marks[1]}"
            points[one] += 1.0 if absent else won
            points[two] += 0.0 if absent else 1 - won
        if size % 2:
            cells[lot[-1]] += "  0000 - U"
            points[lot[-1]] += 1
    rank = np.empty(size, int)
    rank[np.argsort(-points, kind="stable")] = np.arange(1, size + 1)
    day = 1 + place % 9
    head = [
        f"012 Open {place:05}", f"022 Town {place % 977}", f"032 {federations[who[0]]}", f"042 2026/09/{day:02}", f"052 2026/09/{day + rounds - 1:02}",
        f"062 {size}", f"072 {int((rating[who] > 0).sum())}", "082 0", "092 Individual: Swiss-System", "102 Arbiter, Chief", "122 90 min + 30 sec per move",
        "132" + " " * 88 + "  ".join(f"26/09/{day + round_:02}" for round_ in range(rounds)),
    ]  # fmt: skip
    rows = []
    for number, player in enumerate(who.tolist()):
        name = names[player][:33]
        if place % 4 == 0 and number % 3 == 0:
            name = name.replace("a", "á").replace("o", "ö")
        born = f"{birth[player]}/00/00" if birth[player] else ""
        rows.append(
            f"001 {number + 1:4} {'w' if sexes[player] == 'F' else 'm'}    {name:<33} {rating[player] or '':>4} {federations[player]:3}"
            f" {ids[player]:>11} {born:<10} {points[number]:4.1f} {rank[number]:4}{cells[number]}"
        )
    return head + rows


def main() -> None:
    """The files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--national", action="store_true")
    parser.add_argument("--reports", type=int)
    options = parser.parse_args()
    players, reports = (
        NATIONAL if options.national else (round(PLAYERS * options.scale), round(REPORTS * options.scale))
    )
    make(options.folder, players, options.reports or reports)


if __name__ == "__main__":
    main()
