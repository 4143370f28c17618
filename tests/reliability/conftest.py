from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.workplace import Commands, small
from tests.soak.federation import Report, wrong


@pytest.fixture(scope="session")
def fide_batch() -> Iterator[Commands]:
    commands = Commands()
    yield commands
    commands.close()


@pytest.fixture(scope="session")
def sealed(fide_batch: Commands, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with two sealed months, reports for a third, and corrected reports for both; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("sealed") / "workspace"
    federation = small(folder)
    for period in ("2026-11", "2026-12"):
        done = fide_batch(folder, "run", "--period", period, f"reports/{period}")
        assert done.code == 0, done.err
        corrected = folder / "corrected" / period
        shutil.copytree(folder / "reports" / period, corrected)
        first = corrected / "event-000.trf"
        first.write_bytes(wrong(Report(first.name, first.read_bytes()), random.Random(1)).data)
    assert federation.members
    return folder
