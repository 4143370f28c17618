"""Whatever is damaged in whatever document: problems come back, and nothing else."""

from __future__ import annotations

import dataclasses
import os
import signal
from pathlib import Path

import pytest

from tests.soak import fuzz

CRASHES = Path(__file__).parent / "crashes"
SHORT = {
    "trf-rated": 25,
    "sheet-csv-rated": 20,
    "workbook": 25,
    "ods": 100,
    "xls": 8,
    "decisions-rated": 60,
    "settings": 500,
    "decisions": 500,
    "manifest": 500,
}


@pytest.mark.parametrize("name", fuzz.TARGETS)
def test_some_damaged_documents(name: str) -> None:
    assert fuzz.batch(name, 0, SHORT.get(name, 250))[1].faults == []


@pytest.mark.soak
def test_a_million_damaged_documents() -> None:
    found = fuzz.campaign(1_000_000)
    assert sum(part.inputs for part in found.values()) >= 1_000_000
    assert {name: part.faults for name, part in found.items() if part.faults} == {}


def test_what_ends_the_process_is_kept_and_the_others_are_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def read(document: fuzz.Document) -> None:
        if document[1] in (fuzz.damaged("settings", 3)[1], fuzz.damaged("settings", 19)[1]):
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setitem(fuzz.TARGETS, "settings", dataclasses.replace(fuzz.TARGETS["settings"], read=read))
    monkeypatch.setattr(fuzz, "FAULTS", tmp_path)
    found = fuzz.campaign(20, ["settings"])["settings"]
    assert sorted(found.faults) == [(3, "ended the process: -9"), (19, "ended the process: -9")]
    assert found.inputs == 20
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        f"settings-{number}-fide-batch.toml": fuzz.damaged("settings", number)[1] for number in (3, 19)
    }


@pytest.mark.parametrize("path", sorted(CRASHES.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_once_let_an_exception_through(path: Path) -> None:
    """Kept as ``crashes/TARGET/what-it-was.ENDING``."""
    target = fuzz.TARGETS[path.parent.name]
    name = {
        "manifest": "manifest.json",
        "settings": "fide-batch.toml",
        "decisions": "decisions.csv",
        "decisions-rated": "decisions.csv",
    }.get(target.name, path.name)
    fuzz.tried(target, (name, path.read_bytes()))


def test_the_same_number_gives_the_same_bytes() -> None:
    assert fuzz.damaged("trf", 17) == fuzz.damaged("trf", 17)
    assert len({fuzz.damaged("trf", number)[1] for number in range(100)}) > 90
