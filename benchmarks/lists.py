"""Time and peak memory of reading and writing a rating list, beside what one would write with pandas and lxml.

    python benchmarks/lists.py [PLAYERS] [--peers]

Each line is a process of its own: seconds of wall clock and of the processor inside the call, and how far the peak memory of the process
rose over what it held before. The list is made here, the same every time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TASKS = ("read txt", "read xml", "read csv", "write csv", "write txt", "write xml", "write parquet", "write json")
PEERS = ("pandas read_fwf", "lxml iterparse", "pandas read_csv")


def make(folder: Path, players: int) -> None:
    """A list of invented players in every format, if it is not there."""
    import numpy as np
    import pyarrow as pa

    from fide_batch.model import LIST, nullable, table
    from fide_batch.publish import list_csv, list_fide_txt, list_fide_xml

    if (folder / "list.xml").exists():
        return
    chance = np.random.default_rng(2026)
    syllables = np.array([a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "s")])

    def words(count: int) -> np.ndarray:
        return np.char.capitalize(
            np.char.add(
                syllables[chance.integers(0, len(syllables), count)],
                syllables[chance.integers(0, len(syllables), count)],
            )
        )

    family, given = words(40_000), words(6_000)
    names = np.char.add(
        np.char.add(family[chance.integers(0, len(family), players)], ", "),
        given[chance.integers(0, len(given), players)],
    )
    federations = np.array(
        ["ENG", "IND", "GER", "FRA", "ESP", "ITA", "RUS", "USA", "IRL", "DEN", "NOR", "SWE", "POL", "CZE", "HUN", "IRI"]
    )
    women = chance.random(players) < 0.12
    inactive = chance.random(players) < 0.45
    columns: dict[str, object] = {
        "fideid": chance.permutation(np.arange(100_000, 100_000 + 3 * players, dtype=np.int64))[:players],
        "name": pa.array(names),
        "country": pa.array(federations[chance.integers(0, len(federations), players)]),
        "sex": pa.array(np.where(women, "F", "M")),
        "birthday": pa.array(chance.integers(1935, 2018, players).astype(str)),
        "flag": pa.array(np.where(women, np.where(inactive, "wi", "w"), np.where(inactive, "i", ""))),
    }
    for prefix, share in (("", 0.29), ("rapid_", 0.27), ("blitz_", 0.22)):
        rated = chance.random(players) < share
        columns[prefix + "rating"] = nullable(
            np.where(rated, np.clip(chance.normal(1720, 240, players), 1400, 2880).astype(int), 0)
        )
        columns[prefix + "games"] = nullable(np.where(rated, chance.integers(0, 20, players), -1), missing=-1)
        columns[prefix + "k"] = nullable(np.where(rated, 20, 0))
    made = table(LIST, columns)
    list_csv.write(folder / "list.csv", made)
    list_fide_txt.write(folder / "list.txt", made)
    list_fide_xml.write(folder / "list.xml", made)


def _memory() -> int:
    """The peak memory of this process in KiB."""
    return int(
        next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")).split()[1]
    )


def run(task: str, folder: Path) -> None:
    """One task in this process; prints its figures."""
    what, _, ending = task.partition(" ")
    if what in ("read", "write"):
        from pyarrow import csv, parquet  # noqa: F401

        from fide_batch.formats import list_csv, list_csv_columns, list_fide_txt, list_fide_xml  # noqa: F401
        from fide_batch.publish import list_fide_txt as txt_writer
        from fide_batch.publish import list_fide_xml as xml_writer
        from fide_batch.publish import tables

        reader = {"txt": list_fide_txt, "xml": list_fide_xml, "csv": list_csv}
        given = reader["txt"].read(folder / "list.txt")[0] if what == "write" else None
        target = folder / f"out.{ending}"
        writer = {"txt": txt_writer.write, "xml": xml_writer.write}.get(
            ending, lambda path, rows: tables.write(path, "list", rows)
        )
        call = (
            (lambda: writer(target, given))
            if what == "write"
            else (lambda: reader[ending].read(folder / f"list.{ending}"))
        )
    elif task == "lxml iterparse":
        from lxml import etree

        def call() -> object:
            rows = []
            for _, player in etree.iterparse(str(folder / "list.xml"), tag="player"):
                rows.append({child.tag: child.text for child in player})
                player.clear()
                while player.getprevious() is not None:
                    del player.getparent()[0]
            return rows
    else:
        import pandas as pd

        widths = [15, 61, 4, 4, 5, 5, 15, 4, 6, 4, 3, 6, 4, 3, 6, 4, 3, 6, 4]
        call = (
            (lambda: pd.read_fwf(folder / "list.txt", widths=widths))
            if "fwf" in task
            else (lambda: pd.read_csv(folder / "list.csv"))
        )
    before = resource.getrusage(resource.RUSAGE_SELF)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    used = _memory()
    wall = time.perf_counter()
    kept = call()
    wall = time.perf_counter() - wall
    after = resource.getrusage(resource.RUSAGE_SELF)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps([wall, cpu, (_memory() - used) / 1024]))
    del kept


def main() -> None:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="?", type=int, default=1_700_000)
    parser.add_argument("--peers", action="store_true", help="pandas and lxml too")
    parser.add_argument("--folder", type=Path, help="keep the list there")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.task:
            run(options.task, folder)
            return
        make(folder, options.players)
        print(f"{options.players:,} players\n{'':18}{'seconds':>9}{'cpu':>8}{'MiB more':>10}")
        for task in TASKS + (PEERS if options.peers else ()):
            figures = []
            for _ in range(1 if task in PEERS else options.repeat):
                done = subprocess.run(
                    [sys.executable, __file__, "--folder", folder, "--task", task],
                    capture_output=True,
                    text=True,
                    check=True,
                )
                figures.append(json.loads(done.stdout))
            wall, cpu, memory = sorted(figures)[len(figures) // 2]
            print(f"{task:18}{wall:9.2f}{cpu:8.2f}{memory:10.0f}", flush=True)


if __name__ == "__main__":
    main()
