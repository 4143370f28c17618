"""500 XLSX reports read whole (opened safely, claimed by one reader, every cell understood), against openpyxl read-only just fetching the cells.

    .venv/bin/python benchmarks/read_sheets.py [FILES] [PLAYERS] [ROUNDS]

Prints the medians of five runs, in seconds of the processor, and of their ratios. The files are made in memory beforehand and are not part of the figures.
"""

from __future__ import annotations

import gc
import io
import random
import statistics
import sys
import time
import zipfile
from collections.abc import Callable

from openpyxl import Workbook, load_workbook

from fide_batch.formats import chess_results, sheet_csv, sheet_xlsx

READERS = (sheet_csv, sheet_xlsx, chess_results)


def report(players: int, rounds: int, seed: int) -> bytes:
    """One made-up Swiss in our plain layout."""
    chance = random.Random(seed)
    cells: dict[int, list[str]] = {number: [] for number in range(1, players + 1)}
    for _ in range(rounds):
        order = list(cells)
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = chance.choice("1½0")
            cells[white].append(f"{black}w{result}")
            cells[black].append(f"{white}b{ {'1': '0', '0': '1', '½': '½'}[result] }")
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Report")
    for line in (
        ["Event", f"Open {seed}"],
        ["Start", "2026-10-03"],
        ["End", "2026-10-11"],
        ["Rounds", rounds],
        ["Control", "standard"],
        [],
    ):
        sheet.append(line)
    sheet.append(
        [
            "No",
            "Name",
            "FideID",
            "Fed",
            "Rating",
            "Birth",
            "Sex",
            *[f"R{number}" for number in range(1, rounds + 1)],
            "Pts",
        ]
    )
    for number, row in cells.items():
        total = sum({"1": 1.0, "½": 0.5, "0": 0.0}[cell[-1]] for cell in row)
        row = row + ["-0"] * (rounds - len(row))
        sheet.append(
            [
                number,
                f"Player {seed}-{number}",
                90_000_000 + seed * 1000 + number,
                "GER",
                chance.randrange(1400, 2700),
                1960 + number % 50,
                "m",
                *row,
                total,
            ]
        )
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def ours(files: list[bytes]) -> int:
    """Claim and read every file, the garbage collector off as ``formats`` has it while reading; the player-rounds read."""
    total = 0
    gc.disable()
    for place, data in enumerate(files):
        name = f"results/{place}.xlsx"
        (reader,) = [reader for reader in READERS if not reader.looks(name, data)]
        read = reader.read(name, data)
        assert not [problem for problem in read.problems if problem.severity != "note"]
        total += len(read.cells)
    gc.enable()
    return total


def peer(files: list[bytes]) -> int:
    """openpyxl, read-only: every cell as a value, nothing understood."""
    total = 0
    for data in files:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        for sheet in book.worksheets:
            for row in sheet.iter_rows(values_only=True):
                total += len(row)
    return total


def seconds(work: Callable[[list[bytes]], int], files: list[bytes]) -> float:
    """Of the process, for one pass over fresh copies of the files."""
    fresh = [bytes(bytearray(data)) for data in files]
    started = time.process_time()
    work(fresh)
    return time.process_time() - started


def main() -> None:
    files_count, players, rounds = (int(word) for word in [*sys.argv[1:], *["500", "80", "9"][len(sys.argv) - 1 :]])
    files = [report(players, rounds, seed) for seed in range(files_count)]
    unpacked = sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(files[0])).infolist())
    print(
        f"{files_count} XLSX reports of {players} players and {rounds} rounds, {len(files[0]) >> 10} KB each ({unpacked >> 10} KB unpacked)"
    )
    # Turn and turn about, so that a busy machine is busy for both.
    runs = [(seconds(ours, files), seconds(peer, files)) for _ in range(5)]
    own, other = statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)
    ratio = statistics.median(run[1] / run[0] for run in runs)
    print(f"fide-batch, read and understood   {own:7.2f} s   {own / files_count * 1000:6.2f} ms a file")
    print(f"openpyxl read-only, cells only    {other:7.2f} s   {other / files_count * 1000:6.2f} ms a file")
    print(f"ratio                             {ratio:7.1f}")


if __name__ == "__main__":
    main()
