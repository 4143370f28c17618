"""Hostile documents end to end, through the command line: told, bounded in time and memory, and nothing of them gets out."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.hostile import CASES, LISTS, Hostile, pair
from tests.reliability.test_faults import copy
from tests.reliability.workplace import Commands, Done, tree

FIGURES: list[tuple[str, float, int]] = []
SLOWNESS = float(os.environ.get("FIDE_BATCH_SLOWNESS", "1"))
"""How many times slower than usual this machine is; bounds are on processor time."""


@pytest.fixture(scope="module", autouse=True)
def figures() -> Iterator[None]:
    """What each took, for the documentation: into the file named by FIDE_BATCH_FIGURES."""
    yield
    if name := os.environ.get("FIDE_BATCH_FIGURES"):
        with open(name, "a", encoding="utf-8") as file:
            for case, seconds, megabytes in FIGURES:
                file.write(f"| {case} | {seconds:.2f} | {megabytes} |\n")


def bounded(case: Hostile, done: Done) -> None:
    FIGURES.append((case.name, done.cpu, done.peak))
    said = done.out + done.err
    assert done.code == case.code, (done.code, said[:2000])
    assert case.says in said, said[:2000]
    assert "unexpected" not in said, said[:2000]
    assert "LET THROUGH" not in said
    assert done.cpu < case.seconds * SLOWNESS, f"{done.cpu:.1f} s"
    assert done.peak < case.megabytes, f"{done.peak} MB"
    assert len(said) < 200_000, "told at length"
    assert "\x1b" not in said
    assert "\u202e" not in said


def cases(all_cases: list[Hostile]) -> list[object]:
    return [pytest.param(case, id=case.name, marks=[pytest.mark.soak] if case.long else []) for case in all_cases]


@pytest.mark.parametrize("case", cases(CASES))
def test_a_hostile_report(fide_batch: Commands, tmp_path: Path, case: Hostile) -> None:
    (tmp_path / "reports").mkdir()
    path = tmp_path / "reports" / case.name
    case.make(path)
    before = sorted(tmp_path.rglob("*"))
    bounded(case, fide_batch(tmp_path, "check", f"reports/{case.name}", "--verbose", timeout=300))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("case", cases(LISTS))
def test_a_hostile_list(fide_batch: Commands, tmp_path: Path, case: Hostile) -> None:
    path = tmp_path / case.name
    case.make(path)
    done = fide_batch(tmp_path, "init", "workspace", "--list", case.name, "--period", "2026-10", timeout=300)
    bounded(case, done)
    assert "root:" not in done.out + done.err
    assert not (tmp_path / "workspace").exists()


def test_a_hostile_report_among_sound_ones_stops_the_month_or_is_left_out(
    fide_batch: Commands, sealed: Path, tmp_path: Path
) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    folder = workspace / "reports/2027-01"
    for case in CASES:
        if case.name in ("zip-climbing.zip", "book-entities.xlsx", "binary.trf", "sparse.trf", "zip-nested.zip"):
            case.make(folder / case.name)
    before = tree(workspace / "archive")
    done = fide_batch(workspace, "run", "--period", "2027-01", "reports/2027-01")
    assert done.code == 1
    assert tree(workspace / "archive") == before
    done = fide_batch(workspace, "run", "--period", "2027-01", "reports/2027-01", "--skip-faulty")
    assert done.code == 0, done.err
    assert done.peak < 500
    manifest = json.loads((workspace / "archive/2027-01/manifest.json").read_bytes())
    assert len(manifest["events"]) == 2
    assert "reports/2027-01/binary.trf" in manifest["left_out"]
    assert all(size.stat().st_size < 1 << 24 for size in (workspace / "archive/2027-01").rglob("*"))
    done = fide_batch(workspace, "verify")
    assert done.code == 0, done.out


def test_links_out_of_the_folder_are_not_followed(fide_batch: Commands, sealed: Path, tmp_path: Path) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    folder = workspace / "reports/2027-01"
    secret = tmp_path / "secret.trf"
    secret.write_text(pair("Secret, S"))
    (folder / "link.trf").symlink_to(secret)
    (folder / "up").symlink_to(tmp_path)
    (folder / "round").symlink_to(folder)
    (folder / "README.md").write_text("a note to people")
    done = fide_batch(workspace, "run", "--period", "2027-01", "reports/2027-01")
    assert done.code == 0, done.err
    assert "not followed" in done.err
    assert not any(b"Secret" in data for data in tree(workspace / "archive").values())
    assert fide_batch(workspace, "verify").code == 0


@pytest.fixture(scope="module")
def poisoned(fide_batch: Commands, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed month whose players, event and federation are named by somebody who means harm."""
    workspace = tmp_path_factory.mktemp("poisoned")
    names = [
        '=HYPERLINK("http://x"),y',
        "+1+1, a",
        "-2+3, b",
        "@SUM(A1), c",
        "<script>alert(1)</script>, d",
        '"><img src=x onerror=a()>',
        "{{7*7}}, e",
        "\t=1+1, f",
    ]
    rows = [
        f'{70000001 + place},"{name.replace(chr(34), chr(34) * 2)}",INV,,,{1500 + place * 10},0,20,,,,,,,1990,'
        for place, name in enumerate(names)
    ]
    (workspace / "list.csv").write_text(
        "fideid,name,country,sex,title,rating,games,k,rapid_rating,rapid_games,rapid_k,blitz_rating,blitz_games,blitz_k,birthday,flag\n"
        + "\n".join(rows)
        + "\n"
    )
    (workspace / "fide-batch.toml").write_text('list = "list.csv"\n')
    (workspace / "reports").mkdir()
    text = (
        pair(names[0], names[1])
        .replace("012 Cup", "012 =cmd|'/C calc'!A0 <b>Cup</b> ${7*7}")
        .replace("022 Inventon", "022 </title><script>alert(2)</script>")
    )
    (workspace / "reports/=1+1<i>.trf").write_text(text)
    done = fide_batch(workspace, "run", "--period", "2026-11", "reports")
    assert done.code == 0, done.err
    return workspace


def test_no_formula_gets_into_a_spreadsheet(fide_batch: Commands, poisoned: Path, tmp_path: Path) -> None:
    for table in ("list", "changes", "events", "games", "problems"):
        assert (
            fide_batch(poisoned, "export", "--period", "2026-11", tmp_path / f"{table}.csv", "--table", table).code == 0
        )
        for cells in csv.reader(io.StringIO((tmp_path / f"{table}.csv").read_text("utf-8"))):
            for cell in cells:
                assert not cell.startswith(("=", "@", "\t", "\r")), cell
                assert not re.match(r"[+-](?!\d+(\.\d+)?$)", cell), cell
    for args in ([], ["--table", "list"], ["--table", "events"], ["--table", "problems"]):
        assert fide_batch(poisoned, "export", "--period", "2026-11", tmp_path / "month.xlsx", *args).code == 0
        with zipfile.ZipFile(tmp_path / "month.xlsx") as archive:
            for name in archive.namelist():
                content = archive.read(name)
                assert b"<f>" not in content and b"<f " not in content, name
                assert b"TargetMode" not in content, name


def test_no_markup_gets_into_pages_or_xml(fide_batch: Commands, poisoned: Path, tmp_path: Path) -> None:
    from xml.etree import ElementTree

    assert fide_batch(poisoned, "export", "--period", "2026-11", tmp_path / "month.html").code == 0
    assert fide_batch(poisoned, "inactive", "--period", "2026-11", tmp_path / "inactive.html").code == 0
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 4
    for page in pages:
        text = page.read_text("utf-8")
        for harm in ("<script>alert", "<img src=x", "<b>Cup", "<i>.trf", "onerror=a()>"):
            assert harm not in text, (page, harm)
        assert "49" not in re.findall(r"\{\{.*?\}\}|>49<", text)
    for script in tmp_path.rglob("*.js"):
        assert "</script" not in script.read_text("utf-8").lower() or script.name == "site.js"
    assert fide_batch(poisoned, "export", "--period", "2026-11", tmp_path / "list.xml").code == 0
    tags = {element.tag for element in ElementTree.parse(tmp_path / "list.xml").iter()}
    assert "player" in tags
    assert not {"script", "img", "b", "i"} & tags


def test_what_a_terminal_shows_turns_nothing_round(fide_batch: Commands, poisoned: Path, tmp_path: Path) -> None:
    (tmp_path / "x.trf").write_text(pair("\x1b[31mRed, A\x07", "\u202eelm, B\u0000"))
    done = fide_batch(tmp_path, "preview", "x.trf", "--verbose")
    assert not set("\x1b\x07\u202e\0") & set(done.out + done.err)
