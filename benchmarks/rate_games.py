"""How long `rules.month.rate` takes for a month of some million player-games, the join with the list included.

    python benchmarks/rate_games.py [--events 8000] [--players 1700000] [--loop] [--profile]

Everything is generated in memory, always the same. ``--loop`` also reckons the sums with a plain Python loop and compares them; what it does is a part
of what ``rate`` does, so that part is timed by itself too: who is who, which games count, what they add up to for each participant.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import time
from datetime import date

import numpy as np
import pyarrow as pa

from fide_batch import regulations
from fide_batch.model import CELLS, ENTRIES, KEPT, LIST, Event, Period, Reports, empty, nullable, numbers, table
from fide_batch.rules.month import Month, rate
from fide_batch.rules.participants import participants
from fide_batch.rules.reckoning import reckoned
from fide_batch.rules.sheet import lay_out

LIST_DATE = Period(2026, 10)


def rating_list(size: int, rng: np.random.Generator) -> pa.Table:
    ids = rng.permutation(np.unique(rng.integers(100_000, 99_000_000, size * 2))[:size])
    assert len(ids) == size
    rated = rng.random(size) < 0.3
    rating = np.where(rated, np.clip(rng.normal(1720, 240, size), 1400, 2850), 0).astype(np.int32)
    birth = rng.integers(1935, 2018, size)
    k = np.where(rating == 0, 0, np.where(rating >= 2400, 10, np.where(2026 - birth < 18, 40, 20)))
    columns: dict[str, object] = {
        "fideid": ids,
        "rating": nullable(rating),
        "k": nullable(k),
        "games": pa.array(rng.integers(0, 20, size)),
    }
    for control in ("rapid", "blitz"):
        other = np.where(rng.random(size) < 0.25, np.clip(rng.normal(1690, 230, size), 1400, 2800), 0).astype(np.int32)
        columns[control + "_rating"] = nullable(other)
        columns[control + "_k"] = nullable(np.where(other > 0, 20, 0))
    columns["name"] = pa.array([f"Player {number}" for number in range(size)])
    columns["birthday"] = pa.array(birth).cast(pa.string())
    columns["flag"] = pa.array(["", "i", "w", "wi"]).take(pa.array(rng.integers(0, 4, size)))
    return table(LIST, columns)


def reports(base: pa.Table, events: int, rng: np.random.Generator) -> tuple[Reports, np.ndarray]:
    ids, rating = numbers(base, "fideid"), numbers(base, "rating")
    chance = np.where(rating > 0, 0.6, 0.05)
    pool = np.flatnonzero(rng.random(len(ids)) < chance)
    pool = pool[np.argsort(rating[pool] + rng.normal(0, 200, len(pool)))]
    heads, entry_columns, cell_columns, first = [], [], [], 0
    for place in range(events):
        size = min(int(rng.integers(60, 141)), len(pool))
        rounds = int(rng.integers(7, 10))
        at = int(rng.integers(0, max(1, len(pool) - 3 * size)))
        players = rng.choice(pool[at : at + 3 * size], size, replace=False)
        control = "standard" if rng.random() < 0.7 else "rapid"
        heads.append(
            Event(f"t{place:05d}.trf", "trf16", f"Open {place:05d}", start=date(2026, 10, 1 + place % 9), end=date(2026, 10, 20), control=control)
        )  # fmt: skip
        entry_columns.append((np.full(size, place), np.arange(1, size + 1), ids[players]))
        opponent = np.full((size, rounds), -1)
        result = np.full((size, rounds), ord("U"), np.uint8)
        for round_ in range(rounds):
            order = rng.permutation(size)
            white, black = order[: size // 2], order[size // 2 : 2 * (size // 2)]
            opponent[white, round_], opponent[black, round_] = black + first, white + first
            drawn = rng.random(len(white))
            forfeit = rng.random(len(white)) < 0.015
            won = np.where(drawn < 0.4, ord("1"), np.where(drawn < 0.65, ord("="), ord("0")))
            lost = np.where(drawn < 0.4, ord("0"), np.where(drawn < 0.65, ord("="), ord("1")))
            result[white, round_] = np.where(forfeit, ord("+"), won)
            result[black, round_] = np.where(forfeit, ord("-"), lost)
        cell_columns.append((
            np.full(size * rounds, place), np.repeat(np.arange(size) + first, rounds), np.tile(np.arange(1, rounds + 1), size), opponent.ravel(),
            result.ravel(),
        ))  # fmt: skip
        first += size
    event, number, player = (np.concatenate(column) for column in zip(*entry_columns, strict=True))
    entries = table(ENTRIES, {"event": event, "number": number, "fideid": player, "line": number})
    of_event, entry, round_, opponent, result = (np.concatenate(column) for column in zip(*cell_columns, strict=True))
    cells = table(CELLS, {
        "event": of_event, "entry": entry, "round": round_, "opponent": opponent, "opponent_number": opponent, "colour": pa.array(np.full(len(entry), ord("w")), pa.uint8()),
        "result": pa.array(result, pa.uint8()), "line": entry, "column": round_,
    })  # fmt: skip
    return Reports(heads, entries, cells, []), player.astype(np.int64)


def sums_by_player(player: np.ndarray, chg: np.ndarray) -> dict[int, int]:
    """What the games of each player add up to, of those for whom it is not 0."""
    ids, place = np.unique(player, return_inverse=True)
    sums = np.zeros(len(ids), np.int64)
    np.add.at(sums, place, chg)
    return {id_: total for id_, total in zip(ids.tolist(), sums.tolist(), strict=True) if total}


def by_columns(month: Month) -> tuple[float, dict[int, int]]:
    """What ``by_loop`` does as ``rate`` does it: seconds, and each player's sum of chg."""
    begun = time.perf_counter()
    sheet, rounds = lay_out(month.reports, month.player, list(month.event_editions), list(month.list_of_event))
    people = participants(sheet, month.base, [month.base], month.edition)
    found = reckoned(sheet, rounds, people)
    seconds = time.perf_counter() - begun
    return seconds, sums_by_player(sheet.player, found.sums.chg)


def by_loop(month: Month) -> tuple[float, dict[int, int]]:
    """The same in a plain loop over games: seconds, and each player's sum of chg."""
    from fide_batch.rules.expected import expected_score

    begun = time.perf_counter()
    pd = [int(expected_score(d, month.edition.expected_score)) for d in range(-400, 401)]
    ids, standard = month.base.column("fideid").to_pylist(), month.base.column("rating").to_pylist()
    rapid = month.base.column("rapid_rating").to_pylist()
    rating_of = {id_: (one, two or one) for id_, one, two in zip(ids, standard, rapid, strict=True)}
    player = month.player.tolist()
    control = [0 if event.control == "standard" else 1 for event in month.reports.events]
    event = numbers(month.reports.entries, "event").tolist()
    score = {ord("1"): 10000, ord("="): 5000, ord("0"): 0}
    total: dict[int, int] = {}
    for own, other, result in zip(
        *(numbers(month.reports.cells, name).tolist() for name in ("entry", "opponent", "result")), strict=True
    ):
        if result not in score or other < 0:
            continue
        which = control[event[own]]
        mine, his = rating_of[player[own]][which], rating_of[player[other]][which]
        if mine and his:
            difference = max(-400, min(400, mine - his))
            total[player[own]] = total.get(player[own], 0) + score[result] - pd[difference + 400]
    return time.perf_counter() - begun, {id_: each for id_, each in total.items() if each}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--events", type=int, default=3200)
    ask.add_argument("--players", type=int, default=1_700_000)
    ask.add_argument("--rules", default="fide-2024-03")
    ask.add_argument("--loop", action="store_true")
    ask.add_argument("--profile", action="store_true")
    ask.add_argument("--repeat", type=int, default=3)
    options = ask.parse_args()
    rng = np.random.default_rng(16)
    base = rating_list(options.players, rng)
    month_reports, player = reports(base, options.events, rng)
    edition = regulations.edition(options.rules)
    month = Month(
        LIST_DATE.plus(1),
        edition,
        [edition] * options.events,
        base,
        [(LIST_DATE, base)],
        [0] * options.events,
        month_reports,
        player,
        empty(KEPT),
    )
    print(
        f"{base.num_rows:,} players, {options.events:,} events, {month_reports.cells.num_rows:,} player-rounds",
        flush=True,
    )
    before = _peak()
    times = []
    for _ in range(options.repeat):
        begun, worked = time.perf_counter(), time.process_time()
        rated = rate(month)
        times.append((time.perf_counter() - begun, time.process_time() - worked))
    seconds, work = min(times)
    begun = time.perf_counter()
    rows = sum(piece.num_rows for piece in rated.in_pieces)
    audit = time.perf_counter() - begun
    counted = int(numbers(rated.games, "counted").sum())
    print(f"rate: {seconds:.2f} s ({work:.2f} s of work), best of {len(times)}; {counted:,} counted player-games")
    print(f"the audit, a row a player-round: {audit:.2f} s, {rows:,} rows, in pieces")
    print(f"peak memory {_peak():.0f} MiB, {before:.0f} MiB of it before (list, reports and their making)")
    if options.loop:
        looped, total = by_loop(month)
        games = rated.games
        ours = sums_by_player(numbers(games, "fideid"), numbers(games, "chg"))
        found = [by_columns(month) for _ in range(options.repeat)]
        same = all(each == ours for each in (total, *(sums for _, sums in found)))
        fastest = min(each for each, _ in found)
        print(
            f"plain loop over the games: {looped:.2f} s; the same by columns: {fastest:.2f} s, {looped / fastest:.1f} times;"
            f" {f'the same sums of {len(ours):,} players' if same else 'OTHER SUMS'}"
        )
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(rate, month)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(45)


if __name__ == "__main__":
    main()
