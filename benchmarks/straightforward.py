"""The month as one would write it in an afternoon, with pandas and the PyPI library ``trf``: what ``fide-batch run`` is measured against.

    python benchmarks/straightforward.py LIST.txt REPORTS OUT.csv

Reads the list with ``read_fwf`` and each report with ``trf.load``, adds up the standard changes of rated players game by game and writes the list.
No check, no first rating, no inactivity, no audit, no archive: what is left out would make it slower still.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import trf

WIDTHS = [15, 61, 4, 4, 5, 5, 15, 4, 6, 4, 3, 6, 4, 3, 6, 4, 3, 6, 4]
NAMES = [
    "fideid",
    "name",
    "country",
    "sex",
    "title",
    "w_title",
    "o_title",
    "foa_title",
    "rating",
    "games",
    "k",
    "rapid_rating",
    "rapid_games",
    "rapid_k",
    "blitz_rating",
    "blitz_games",
    "blitz_k",
    "birthday",
    "flag",
]
SCORE = {"1": 1.0, "=": 0.5, "0": 0.0}


def expected(difference: int) -> float:
    """The expected score by the formula of the normal distribution, in hundredths, as the table prints it."""
    from statistics import NormalDist

    return round(NormalDist(0, 2000 / 7).cdf(difference), 2)


def main(list_file: str, reports: str, out: str) -> None:
    """The month."""
    players = pd.read_fwf(list_file, widths=WIDTHS, names=NAMES, skiprows=1)
    rating = dict(zip(players["fideid"], players["rating"].fillna(0).astype(int), strict=True))
    k = dict(zip(players["fideid"], players["k"].fillna(40).astype(int), strict=True))
    table = {difference: expected(difference) for difference in range(-400, 401)}
    change: dict[int, float] = {}
    games: dict[int, int] = {}
    for path in sorted(Path(reports).iterdir()):
        with path.open(encoding="utf-8") as file:
            tournament = trf.load(file)
        by_number = {player.startrank: player for player in tournament.players}
        for player in tournament.players:
            own = rating.get(player.id, 0)
            for game in player.games:
                other = by_number.get(game.startrank)
                if not own or other is None or game.result not in SCORE or not rating.get(other.id):
                    continue
                difference = max(-400, min(400, own - rating[other.id]))
                change[player.id] = change.get(player.id, 0) + SCORE[game.result] - table[difference]
                games[player.id] = games.get(player.id, 0) + 1
    moved = players["fideid"].map(lambda fideid: round(k[fideid] * change.get(fideid, 0)))
    players["rating"] = players["rating"] + moved
    players["games"] = players["fideid"].map(games)
    players.to_csv(out, index=False)


if __name__ == "__main__":
    main(*sys.argv[1:4])
