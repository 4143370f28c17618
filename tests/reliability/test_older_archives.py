"""A month sealed by an older version is read, verified and built upon; what that version said in other words is no fault."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fide_batch.manifest import manifest_bytes, seal
from tests.reliability.test_faults import copy
from tests.reliability.workplace import Commands

ARCHIVES = Path(__file__).parent / "archives"


@pytest.mark.parametrize("layout", sorted(path.name for path in ARCHIVES.iterdir()))
def test_an_archive_of_every_layout_there_was(fide_batch: Commands, tmp_path: Path, layout: str) -> None:
    """Sealed once, by version 0.9.0, and kept: figures must come out the same for ever."""
    workspace = copy(ARCHIVES / layout, tmp_path / "workspace")
    done = fide_batch(workspace, "verify")
    assert done.code == 0, done.out
    assert done.out.count("sound") == 3
    for args in (
        ["export", "--period", "2026-12", "list.csv"],
        ["history", "70000003"],
        ["explain", "70000003", "--period", "2026-11"],
    ):
        done = fide_batch(workspace, *args)
        assert done.code == 0, done.err
    done = fide_batch(workspace, "rerun", "--from", "2026-11", "--yes")
    assert done.code == 0, done.err
    assert "Nobody's rating changes" in done.out


def resealed(month: Path, version: str, column: str, value: object) -> None:
    """Give the first row of changes another value, and the month another version, with all hashes right."""
    changes = pq.read_table(month / "changes.parquet")
    values = changes[column].to_pylist()
    values[0] = value
    place = changes.schema.get_field_index(column)
    changes = changes.set_column(
        place, changes.schema.field(place), [pa.array(values, changes.schema.field(place).type)]
    )
    pq.write_table(changes, month / "changes.parquet")
    manifest = json.loads((month / "manifest.json").read_bytes())
    manifest["version"] = version
    manifest["files"]["changes.parquet"] = hashlib.sha256((month / "changes.parquet").read_bytes()).hexdigest()
    manifest["seal"] = seal(manifest)
    (month / "manifest.json").write_bytes(manifest_bytes(manifest))


@pytest.mark.parametrize(
    ("column", "value", "old", "new"),
    [("why", "in other words", 0, 1), ("change", 77, 1, 1), ("rating_after", 1234, 1, 1)],
)
def test_other_words_of_another_version_are_no_fault_other_figures_are(
    fide_batch: Commands, tmp_path: Path, column: str, value: object, old: int, new: int
) -> None:
    from fide_batch import __version__

    for version, code in (("0.9.0", old), (__version__, new)):
        workspace = copy(ARCHIVES / "layout-1", tmp_path / version)
        resealed(workspace / "archive/2026-12", version, column, value)
        assert fide_batch(workspace, "verify", "2026-12").code == code
