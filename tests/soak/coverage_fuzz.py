"""The readers of ``tests.soak.fuzz`` again, led by what an input reaches: one that takes a branch of ours nobody took before is kept and damaged on.

    .venv/bin/python -m pip install --target LIBRARY atheris
    PYTHONPATH=LIBRARY .venv/bin/python -m tests.soak.coverage_fuzz TARGET [SECONDS [FOLDER]]

Of TARGET (a name of ``fuzz.TARGETS``) everything of interest is kept in FOLDER/corpus and taken up again the next time; in FOLDER/faults lies the
smallest input of every kind of fault: an exception other than Refused, more than 5 seconds, more than a gigabyte, an end of the process itself.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

GIGABYTE = 1 << 30
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LONGEST = 16 * 1024
"""Bytes of an input; of one in a ZIP twice as many, since it may be unpacked."""

try:
    import atheris
except ImportError:
    atheris = None


def campaign(name: str, seconds: float, folder: Path) -> str:
    """Processes one after another until the time is up (an input may end one); the figures as a row of a table."""
    (folder / "faults").mkdir(parents=True, exist_ok=True)
    began, inputs, edges, kept, slowest = time.monotonic(), 0, "", "", 0.0
    while (left := seconds - (time.monotonic() - began)) > 1:
        with tempfile.TemporaryDirectory(
            prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
        ) as memory:
            command = [
                sys.executable,
                "-m",
                "tests.soak.coverage_fuzz",
                "--one-process",
                name,
                str(int(left) + 1),
                str(folder),
            ]
            ended = subprocess.run(
                command, env=os.environ | {"TMPDIR": memory}, stderr=subprocess.PIPE, text=True, errors="replace"
            )
        (folder / "log.txt").write_text(ended.stderr)
        if ended.returncode == 1:  # libFuzzer has other numbers for what an input does
            sys.exit(f"{ended.stderr[-3000:]}\n{name}: the fuzzer itself is at fault")
        seen = re.findall(r"^#(\d+)\s.*cov: (\d+) ft: \d+ corp: (\d+)/", ended.stderr, re.M)
        if seen:
            inputs += int(seen[-1][0])
            edges, kept = seen[-1][1:]
        slowest = max([slowest, *map(float, re.findall(r"^slowest: ([\d.]+)", ended.stderr, re.M))])
    faults = sorted(path.name for path in (folder / "faults").iterdir())
    took = time.monotonic() - began
    return (
        f"| {name} | {inputs:,} | {took:,.0f} | {edges} | {kept} | {slowest * 1000:,.0f} | {len(faults)} |"
        + "".join(f"\n{folder}/faults/{fault}" for fault in faults)
    )


def one_process(name: str, seconds: int, folder: Path) -> None:
    """libFuzzer until the time is up or an input ends the process; what that was lies in the faults then."""
    with atheris.instrument_imports(include=["fide_batch"]):
        import fide_batch

        for module in pkgutil.walk_packages(fide_batch.__path__, "fide_batch."):
            importlib.import_module(module.name)
    from tests.soak import fuzz

    target = fuzz.TARGETS[name]
    seeds = target.seeds()
    sound = [data for _, data in seeds]
    slowest = 0.0
    longest = LONGEST * (2 if any(data[:2] == b"PK" for data in sound) else 1)

    def named(data: bytes) -> fuzz.Document:
        return next((file for file, seed in seeds if seed[:2] == data[:2]), seeds[0][0]), data

    def keep(kind: str, data: bytes) -> None:
        path = folder / "faults" / (re.sub(r"\W+", "-", kind)[:100] + Path(named(data)[0]).suffix)
        if not path.exists() or len(data) < path.stat().st_size:
            path.write_bytes(data)
            print(f"fault: {path.name}", file=sys.stderr)

    def tried(data: bytes) -> None:
        nonlocal slowest
        began, memory = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            fuzz.tried(target, named(data))
        except Exception as error:
            ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "fide_batch" in frame.filename]
            where = ours[-1] if ours else traceback.extract_tb(error.__traceback__)[-1]
            keep(f"{type(error).__name__}-{Path(where.filename).stem}-{where.lineno}", data)
        took = time.process_time() - began
        if took > slowest:
            slowest = took
            print(f"slowest: {took:.3f}", file=sys.stderr)
        if took > fuzz.SLOW:
            keep("slow", data)
        if (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 > GIGABYTE:
            keep("memory", data)

    def hurt(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
        if chance.random() < 0.5:
            return bytes(atheris.Mutate(bytes(data), min(longest, 2 * len(data) + 64)))
        return inside(data, others, chance) if data[:2] == b"PK" else fuzz.damage(data, others, chance)

    def inside(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
        """A part of a ZIP hurt, and packed again: with its own bytes hurt nothing comes past the checksums."""
        try:
            return fuzz.damage_zip(data, others, chance, hurt)
        except Exception:  # no ZIP any more, or one without parts
            return fuzz.damage(data, others, chance)

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        chance = random.Random(seed)
        if (
            sound[0][:8] == OLE
        ):  # read in another process, whose branches nobody counts: without its first bytes it is soon anything but XLS
            return OLE + hurt(chance.choice(sound), sound, chance)[8:most]
        found = inside(data, sound, chance) if data[:2] == b"PK" else hurt(data, sound, chance)
        return found if len(found) <= most else data[:most]

    for kind in ("corpus", "seeds"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    for place, data in enumerate(sound):
        (folder / "seeds" / str(place)).write_bytes(data)
        tried(data)  # what is read once only, and its memory, belongs to no input
    (folder / "words").write_text(
        "".join('"' + "".join(map(r"\x{:02x}".format, word)) + '"\n' for word in vocabulary())
    )
    resource.setrlimit(resource.RLIMIT_AS, (_size() + 2 * GIGABYTE, resource.RLIM_INFINITY))
    options = [
        f"-max_total_time={seconds}",
        f"-dict={folder}/words",
        f"-max_len={longest}",
        "-len_control=0",
        "-timeout=60",
        "-report_slow_units=60",  # by the clock on the wall; what counts is measured above
        f"-artifact_prefix={folder}/faults/",
        "-rss_limit_mb=4096",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], f"{folder}/corpus", f"{folder}/seeds", *options], tried, custom_mutator=mutated)
    atheris.Fuzz()


def vocabulary() -> list[bytes]:
    """Every word that a table of our readers knows: headings in many languages, records, codes, settings."""

    def words(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list | tuple | set | frozenset):
            for inner in [*value, *value.values()] if isinstance(value, dict) else value:
                yield from words(inner)

    rooms = (
        "fide_batch.formats",
        "fide_batch.settings",
        "fide_batch.regulations.reading",
        "fide_batch.checks.decisions",
    )
    modules = [module for name, module in sys.modules.items() if name.startswith(rooms)]
    tables = [value for module in modules for name, value in vars(module).items() if name[:2] != "__"]
    found = {word.encode() for value in tables if not isinstance(value, str) for word in words(value)}
    return sorted(word for word in found if 2 <= len(word) <= 40)


def _size() -> int:
    """Bytes of this process's memory, used or not."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def main() -> None:
    if atheris is None:
        sys.exit(
            "atheris is missing: python -m pip install --target LIBRARY atheris, then PYTHONPATH=LIBRARY before the command (docs/reliability.md)"
        )
    words = sys.argv[1:]
    if words[:1] == ["--one-process"]:
        one_process(words[1], int(words[2]), Path(words[3]))
        return
    from tests.soak import fuzz

    if not 1 <= len(words) <= 3 or words[0] not in fuzz.TARGETS:
        sys.exit(f"say one of {', '.join(fuzz.TARGETS)}, then the seconds and the folder of the corpus")
    folder = Path(words[2] if len(words) > 2 else f"coverage-fuzz/{words[0]}")
    print(
        "| target | inputs | seconds | edges | inputs kept | slowest, ms CPU | kinds of fault |\n|---|---|---|---|---|---|---|"
    )
    print(campaign(words[0], float(words[1]) if len(words) > 1 else 600, folder))


if __name__ == "__main__":
    main()
