"""A small workspace and the commands run in it, as the tests of this folder need them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fide_batch.archive import Archive
from fide_batch.model import Period
from tests.soak.federation import Federation

ROOT = Path(__file__).parent.parent.parent
FIRST = Period(2026, 10)


@dataclass(frozen=True)
class Done:
    """What became of a command."""

    code: int
    """Exit status; negative: the signal that ended it."""
    out: str
    err: str
    seconds: float
    cpu: float
    peak: int
    """MB of memory at most, the program itself included."""


class Commands:
    """The command line in processes of its own (see ``forkserver``)."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fide-batch-"))
        self.folder.chmod(0o777)
        self.server = subprocess.Popen(
            [sys.executable, "-m", "tests.reliability.forkserver"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )  # fmt: skip
        assert json.loads(self._line()) == {"ready": True}

    def _line(self) -> str:
        assert self.server.stdout
        return self.server.stdout.readline()

    def __call__(self, cwd: Path, *args: object, **said: Any) -> Done:
        """Run ``fide-batch args`` in a folder. See ``forkserver`` for what else may be said."""
        out, err = self.folder / "out", self.folder / "err"
        asked = {"cwd": str(cwd), "args": [str(arg) for arg in args], "out": str(out), "err": str(err), **said}
        self.folder.mkdir(exist_ok=True)
        for path in (out, err):
            path.unlink(missing_ok=True)
        assert self.server.stdin
        self.server.stdin.write(json.dumps(asked) + "\n")
        self.server.stdin.flush()
        answer = json.loads(self._line())
        texts = [path.read_text("utf-8", "replace") if path.exists() else "" for path in (out, err)]
        return Done(answer["code"], *texts, answer["seconds"], answer["cpu"], answer["peak"])

    def close(self) -> None:
        """End the server."""
        assert self.server.stdin
        self.server.stdin.close()
        self.server.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


def small(folder: Path, months: int = 3, players: int = 60, events: int = 2) -> Federation:
    """A workspace with its list, and the reports of some months in ``2026-11/``, ``2026-12/`` ..."""
    federation = Federation(players, seed=7)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rating-list-2026-10.csv").write_text(federation.list_csv())
    (folder / "fide-batch.toml").write_text('list = "rating-list-2026-10.csv"\n')
    for place in range(1, months + 1):
        period = FIRST.plus(place)
        federation.write(folder / "reports" / str(period), period, events, largest=10)
    return federation


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def standing(archive: Path) -> dict[str, str]:
    """The months that count, each with the seal of its manifest; every one of them whole and chained."""
    opened = Archive(archive)
    found = {}
    for period in opened.periods():
        assert opened.damage(period) == [], period
        found[str(period)] = opened.manifest(period)["seal"]
    return found
