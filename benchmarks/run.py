"""`make bench`: time, peak memory and the ratio to a peer that does the same beside it, whole process, on data made here.

    python benchmarks/run.py [--scale 0.1] [--repeat 3] [--folder DIR] [--peers DIR] [WORD ...]

Scale 1 is the world's month; the usual 0.1 takes minutes. WORDs choose lines by their names. The peers are pandas, lxml and openpyxl, and the PyPI
library ``trf``, which is not among what fide-batch needs: ``pip install --target DIR trf`` and say ``--peers DIR``; without it its lines are left
out. Each line is a process of its own from its start to its end; ours and the peer's take turns, and medians are shown.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ASIDE = "set-aside-"
HERE = Path(__file__).resolve().parent
PERIOD = "2026-10"

READ_REPORTS = "import sys, pathlib; from fide_batch import formats; print(formats.read_reports([pathlib.Path(sys.argv[1])]).cells.num_rows)"
READ_REPORTS_TRF = (
    "import sys, pathlib, trf; t = [trf.load(p.open(encoding='utf-8')) for p in sorted(pathlib.Path(sys.argv[1]).iterdir())];"
    " print(sum(len(p.games) for each in t for p in each.players))"
)
READ_LIST = "import sys, pathlib; from fide_batch import formats; print(formats.read_list(pathlib.Path(sys.argv[1]))[0].num_rows)"
READ_FWF = "import sys, pandas as pd; print(len(pd.read_fwf(sys.argv[1], widths=[15, 61, 4, 4, 5, 5, 15, 4, 6, 4, 3, 6, 4, 3, 6, 4, 3, 6, 4])))"
ITERPARSE = """
import sys
from lxml import etree
rows = []
for _, player in etree.iterparse(sys.argv[1], tag="player"):
    rows.append({child.tag: child.text for child in player})
    player.clear()
    while player.getprevious() is not None:
        del player.getparent()[0]
print(len(rows))
"""


@dataclass(frozen=True)
class Line:
    """What is measured, and what beside it."""

    name: str
    ours: Sequence[str | Path]
    peer: Sequence[str | Path] = ()
    peer_name: str = ""
    before: Callable[[], object] = lambda: None
    """Done before each turn, not measured."""


@dataclass(frozen=True)
class Figures:
    """Seconds and MiB of one process."""

    wall: float
    cpu: float
    memory: float


def measured(command: Sequence[str | Path], path: Path | None) -> Figures:
    """Run a command to its end."""
    environment = {**os.environ, "PYTHONPATH": str(path)} if path else dict(os.environ)
    with tempfile.TemporaryFile() as said:
        begun = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=said, env=environment, cwd=HERE.parent
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(
                f"{' '.join(map(str, command))}: status {process.returncode}\n{said.read().decode()[-2000:]}"
            )
    return Figures(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def middle(figures: Sequence[Figures]) -> Figures:
    """The medians."""
    return Figures(*(statistics.median(getattr(each, name) for each in figures) for name in ("wall", "cpu", "memory")))


def lines(folder: Path, world: Path, national: Path) -> list[Line]:
    """The table."""
    python = sys.executable
    batch = (python, "-m", "fide_batch.cli") if not (own := Path(python).with_name("fide-batch")).exists() else (own,)

    def month(data: Path, name: str) -> Line:
        workspace = folder / f"workspace-{name}"

        def fresh() -> None:
            # The one before is set aside, not removed: ext4 takes seconds for thousands of new files where as many have just been removed.
            if workspace.exists():
                workspace.rename(folder / f"{ASIDE}{time.time_ns()}")
            workspace.mkdir()

        return Line(
            f"run, {name} month",
            (*batch, "run", "--workspace", workspace, "--period", PERIOD, "--list", data / "list.txt", "--rules", "fide-2025-10", data / "reports"),
            (python, HERE / "straightforward.py", data / "list.txt", data / "reports", folder / "straightforward.csv"), "pandas + trf", fresh,
        )  # fmt: skip

    sealed = ("--workspace", folder / "workspace-world")

    def of_month(name: str, *arguments: str | Path) -> Line:
        return Line(name, (*batch, *arguments, *sealed))

    def ending(kind: str) -> Line:
        return of_month(f"export, {kind}", "export", "--period", PERIOD, folder / f"out.{kind}")

    with open(world / "list.csv", encoding="utf-8") as file:
        some = [next(file), next(file)][1].split(",")[0]
    return [
        Line("--help", (*batch, "--help")),
        month(national, "national"),
        month(world, "world"),
        Line("read reports", (python, "-c", READ_REPORTS, world / "reports"), (python, "-c", READ_REPORTS_TRF, world / "reports"), "trf"),
        Line("read list, TXT", (python, "-c", READ_LIST, world / "list.txt"), (python, "-c", READ_FWF, world / "list.txt"), "read_fwf"),
        Line("read list, XML", (python, "-c", READ_LIST, world / "list.xml"), (python, "-c", ITERPARSE, world / "list.xml"), "lxml"),
        ending("csv"),
        ending("txt"),
        ending("parquet"),
        of_month("explain", "explain", "--period", PERIOD, some),
        of_month("history", "history", some),
        of_month("inactive", "inactive", "--period", PERIOD),
        of_month("verify", "verify"),
    ]  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only lines with one of these in their names")
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("--peers", type=Path, help="the folder that holds the library trf")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        world, national = folder / f"data-{options.scale:g}", folder / "data-national"
        for place, which in ((world, ("--scale", str(options.scale))), (national, ("--national",))):
            measured((sys.executable, HERE / "generate.py", place, *which), None)
        has_trf = not subprocess.run(
            [sys.executable, "-c", "import trf"], env={**os.environ, "PYTHONPATH": str(options.peers or "")}, capture_output=True
        ).returncode  # fmt: skip
        print(_machine(options.scale, options.repeat), flush=True)
        if not has_trf:
            print("trf is not installed, its lines are left out: pip install --target DIR trf, and say --peers DIR")
        print(
            f"{'':22}{'wall s':>8}{'cpu s':>8}{'MiB':>7}   {'peer':14}{'wall s':>8}{'cpu s':>8}{'MiB':>7}{'times':>8}{'by wall':>9}"
        )
        for line in lines(folder, world, national):
            if options.words and not any(word in line.name for word in options.words):
                continue
            with_peer = bool(line.peer) and (has_trf or "trf" not in line.peer_name)
            ours, peers = [], []
            for _ in range(options.repeat):
                line.before()
                ours.append(measured(line.ours, None))
                if with_peer:
                    peers.append(measured(line.peer, options.peers))
            own = middle(ours)
            text = f"{line.name:22}{own.wall:8.2f}{own.cpu:8.2f}{own.memory:7.0f}"
            if peers:
                other = middle(peers)
                text += f"   {line.peer_name:14}{other.wall:8.2f}{other.cpu:8.2f}{other.memory:7.0f}{other.cpu / own.cpu:8.1f}{other.wall / own.wall:9.1f}"
            print(text, flush=True)
        for old in folder.glob(f"{ASIDE}*"):
            shutil.rmtree(old)
        events, players = (
            round(3770 * options.scale),
            round(1_700_000 * options.scale),
        )  # 2.5 million counted player-games
        for script, arguments in (
            ("rate_games.py", ("--events", events, "--players", players, "--loop")),
            ("write_workbook.py", (max(10_000, round(100_000 * options.scale)),)),
            ("read_sheets.py", (max(20, round(500 * options.scale)),)),
        ):
            if options.words and not any(word in script for word in options.words):
                continue
            print(f"\n{script} {' '.join(map(str, arguments))}", flush=True)
            subprocess.run([sys.executable, HERE / script, *map(str, arguments)], check=True)


def _machine(scale: float, repeat: int) -> str:
    # Nothing is imported here: what this process holds would count as the peak memory of those it starts.
    fide_batch, numpy, pyarrow = (metadata.version(name) for name in ("fide-batch", "numpy", "pyarrow"))
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    return (
        f"fide-batch {fide_batch}, Python {platform.python_version()}, NumPy {numpy}, Arrow {pyarrow}, {platform.machine()},"
        f" {os.cpu_count()} processors, load {load}; scale {scale:g}, medians of {repeat}; times: the peer's processor seconds by ours, by wall: its seconds by ours"
    )


if __name__ == "__main__":
    main()
