"""A sealed month altered by one byte anywhere is found and named, and nothing is built upon it."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fide_batch.archive import Archive
from fide_batch.manifest import manifest_bytes, seal
from fide_batch.model import Period, Refused
from tests.reliability.test_faults import copy
from tests.reliability.test_killed import DEEDS
from tests.reliability.workplace import Commands

NOVEMBER, DECEMBER = Period(2026, 11), Period(2026, 12)


@pytest.fixture
def archive(sealed: Path, tmp_path: Path) -> Path:
    return copy(sealed, tmp_path / "workspace") / "archive"


def files(archive: Path) -> Iterator[Path]:
    for path in sorted(archive.rglob("*")):
        if path.is_file() and path.name != "lock":
            yield path


def damage(archive: Path) -> list[str]:
    """The files that are named, in all months."""
    opened = Archive(archive)
    found = []
    for period in opened.periods():
        found += [problem.file for problem in opened.damage(period)]
    return found


def altered(archive: Path, places: int, seed: str) -> int:
    """Alter bytes of every file, one at a time; how many were tried."""
    chance = random.Random(seed)
    tried = 0
    for path in files(archive):
        sound = path.read_bytes()
        ends = {0, len(sound) - 1} if sound else set()
        for place in sorted(ends | {chance.randrange(len(sound)) for _ in range(places)}):
            changed = bytearray(sound)
            changed[place] ^= 1 << chance.randrange(8)
            path.write_bytes(bytes(changed))
            assert str(path) in damage(archive), (path, place)
            tried += 1
        path.write_bytes(sound)
    assert damage(archive) == []
    return tried


def test_any_byte_of_any_file_of_any_month(archive: Path) -> None:
    assert altered(archive, 2, "short") > 60


@pytest.mark.soak
def test_ten_thousand_bytes(archive: Path) -> None:
    assert altered(archive, 640, "long") >= 10_000


@pytest.mark.parametrize(
    "what", ["list.parquet", "games.parquet", "reports/reports/2026-11/event-000.trf", "manifest.json"]
)
def test_verify_names_the_file_and_nothing_is_rated_from_it(
    fide_batch: Commands, sealed: Path, tmp_path: Path, what: str
) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    month = "2026-12" if what == "list.parquet" else "2026-11"
    path = workspace / "archive" / month / what
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(bytes(data))
    done = fide_batch(workspace, "verify")
    assert done.code == 1
    assert f"archive/{month}/{what}" in done.out
    assert f"{month}  NOT SOUND" in done.out
    builds_on_it = {"list.parquet": "run", "reports/reports/2026-11/event-000.trf": "rerun"}.get(what)
    if builds_on_it:
        args = DEEDS["run"] if builds_on_it == "run" else ("rerun", "--from", "2026-11", "--yes")
        before = sorted(files(workspace / "archive"))
        done = fide_batch(workspace, *args)
        assert done.code == 1
        assert "altered after sealing" in done.err
        assert path.name in done.err
        assert sorted(files(workspace / "archive")) == before


@pytest.mark.parametrize(
    "old", ['"list.parquet": "', '"reports/reports/2026-11/event-000.trf": "', '"list.par', '"rows": {\n  "']
)
def test_an_altered_manifest_is_accused_and_no_file_on_its_word(
    fide_batch: Commands, sealed: Path, tmp_path: Path, old: str
) -> None:
    """A hash or a name changed in the manifest alone: the files are as they were sealed, and are not called altered, missing or strange."""
    workspace = copy(sealed, tmp_path / "workspace")
    path = workspace / "archive/2026-11/manifest.json"
    text = path.read_text("utf-8")
    place = text.index(old) + len(old)
    path.write_text(text[:place] + ("1" if text[place] != "1" else "2") + text[place + 1 :], "utf-8")

    told = Archive(workspace / "archive").damage(NOVEMBER)
    assert [(problem.code, problem.file) for problem in told] == [("archive-damaged", str(path))]
    assert "altered" in told[0].message
    done = fide_batch(workspace, "verify")
    assert done.code == 1 and "2026-11  NOT SOUND" in done.out
    assert "list.parquet" not in done.out and "event-000" not in done.out
    for args in (["rerun", "--from", "2026-11", "--yes"], ["export", "--period", "2026-11", "list.csv"]):
        done = fide_batch(workspace, *args)
        if old.startswith('"list.parquet') or (old.startswith('"reports') and args[0] == "rerun"):
            assert done.code == 1
        if done.code:
            assert "manifest.json: error: the manifest was altered" in done.err
            assert "list.parquet" not in done.err and "event-000" not in done.err


def test_an_altered_manifest_written_otherwise_still_vouches_for_the_files(archive: Path) -> None:
    """Its own seal holds: only the spaces are other ones."""
    path = archive / "2026-11/manifest.json"
    path.write_text(json.dumps(json.loads(path.read_bytes())), "utf-8")
    (archive / "2026-11/events.parquet").write_bytes(b"")
    assert damage(archive)[:2] == [str(path), str(archive / "2026-11/events.parquet")]


def test_a_file_missing_added_cut_lengthened_or_made_a_link(archive: Path) -> None:
    path = archive / "2026-11/events.parquet"
    sound = path.read_bytes()
    for change in (sound[:-1], sound + b"\0", b""):
        path.write_bytes(change)
        assert damage(archive) == [str(path)]
    path.unlink()
    assert damage(archive) == [str(path)]
    elsewhere = archive.parent / "events.parquet"
    elsewhere.write_bytes(sound)
    path.symlink_to(elsewhere)
    assert str(path) in damage(archive)
    path.unlink()
    path.write_bytes(sound)
    extra = archive / "2026-12/reports/extra.trf"
    extra.write_bytes(b"")
    assert damage(archive) == [str(extra)]
    extra.unlink()
    (archive / "2026-12/reports/elsewhere").symlink_to(archive.parent)
    assert damage(archive) == [str(archive / "2026-12/reports/elsewhere")]


@pytest.mark.parametrize("month", ["2026-11", "2026-12"])
def test_a_month_without_its_manifest(archive: Path, month: str) -> None:
    (archive / month / "manifest.json").unlink()
    assert str(archive / month / "manifest.json") in damage(archive)


def test_the_first_month_taken_away_or_forged_is_seen_in_the_next(archive: Path) -> None:
    path = archive / "2026-11/manifest.json"
    sound = path.read_bytes()
    manifest = json.loads(sound)
    manifest["edition"]["name"] = "fide-2024-03"
    manifest["seal"] = seal(manifest)
    path.write_bytes(manifest_bytes(manifest))
    opened = Archive(archive)
    assert opened.damage(NOVEMBER) == [], "forged with care"
    assert [problem.code for problem in opened.damage(DECEMBER)] == ["archive-chain"]
    shutil.rmtree(archive / "2026-11")
    assert [problem.code for problem in Archive(archive).damage(DECEMBER)] == ["archive-chain"]


def test_a_month_whose_figures_and_hashes_were_forged_together_is_not_what_its_inputs_say(
    fide_batch: Commands, sealed: Path, tmp_path: Path
) -> None:
    """Somebody raises a rating in the newest month and makes every hash fit: the reports still say otherwise."""
    import hashlib

    import pyarrow as pa
    import pyarrow.parquet as pq

    workspace = copy(sealed, tmp_path / "workspace")
    month = workspace / "archive/2026-12"
    players = pq.read_table(month / "list.parquet")
    ratings = players["rating"].to_pylist()
    ratings[0] += 100
    place = players.schema.get_field_index("rating")
    pq.write_table(
        players.set_column(place, players.schema.field(place), [pa.array(ratings, pa.int32())]), month / "list.parquet"
    )
    manifest = json.loads((month / "manifest.json").read_bytes())
    manifest["files"]["list.parquet"] = hashlib.sha256((month / "list.parquet").read_bytes()).hexdigest()
    manifest["seal"] = seal(manifest)
    (month / "manifest.json").write_bytes(manifest_bytes(manifest))
    done = fide_batch(workspace, "verify")
    assert done.code == 1
    assert "the sealed list is not what the month's inputs give" in done.out


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": 2}, "archive-format"),
        ({"format": 99}, "archive-format"),
        ({"format": 0}, "archive-damaged"),
        ({"format": "1"}, "archive-damaged"),
        ({"format": None}, "archive-damaged"),
        ({"files": []}, "archive-damaged"),
        ({"files": {"../../fide-batch.toml": "0"}}, "archive-damaged"),
        ({"files": {"/etc/passwd": "0"}}, "archive-damaged"),
        ({"events": [{"file": 1}]}, "archive-damaged"),
        ({"base": {"period": "soon"}}, "archive-damaged"),
        ({"previous": {"period": "soon"}}, "archive-damaged"),
        ({"previous": {"manifest": "0"}}, "archive-damaged"),
        ({"said": []}, "archive-damaged"),
        ({"previous": "2026-10"}, "archive-damaged"),
    ],
)
def test_a_manifest_of_another_layout_or_shape_is_refused_with_what_to_do(
    archive: Path, change: dict[str, object], code: str
) -> None:
    path = archive / "2026-12/manifest.json"
    path.write_bytes(manifest_bytes(json.loads(path.read_bytes()) | change))
    with pytest.raises(Refused) as refused:
        Archive(archive).table(DECEMBER, "list")
    assert refused.value.problems[0].code == code
    assert "install the version" in refused.value.problems[0].hint or "restore" in refused.value.problems[0].hint


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"format"', "[" * 100_000, "\udcff", '{"format": 1' + "0" * 5000 + "}"]
)
def test_a_manifest_that_is_none(fide_batch: Commands, sealed: Path, tmp_path: Path, text: str) -> None:
    workspace = copy(sealed, tmp_path / "workspace")
    (workspace / "archive/2026-12/manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Refused):
        Archive(workspace / "archive").manifest(DECEMBER)
    if text in ("[]", "\udcff"):
        for args in (["verify"], ["export", "--period", "2026-12", "x.csv"], ["history", "70000049"], DEEDS["run"]):
            done = fide_batch(workspace, *args)
            assert done.code == 1, done.err
            assert "manifest" in done.out + done.err


@pytest.mark.parametrize("text", ["", "{}", '["soon"]', '["../2026-11"]', "[" * 100_000, "[1]"])
def test_a_note_of_months_being_replaced_that_is_none(archive: Path, text: str) -> None:
    (archive / "replacing.json").write_text(text)
    with pytest.raises(Refused) as refused, Archive(archive).locked():
        pass
    assert refused.value.problems[0].code == "archive-damaged"
    assert len(list(files(archive))) > 20
