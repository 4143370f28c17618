"""The workspace's own files are not trusted either: their size, and the names in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fide_batch.model import Refused
from fide_batch.settings import LARGEST_DECISIONS, LARGEST_SETTINGS, read_decisions, read_settings


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (f'list = "{"7" * 300}.csv"', "no name a file can have"),
        ('list = "a\\u0000b.csv"', "control character"),
        (f'decisions = "{"x/" * 600}d.csv"', "no name a file can have"),
        ('lists = "archive/{period}/list.csv"', "alter sealed months"),
        ('archive = "a/b"\nlists = "a/b/{period}.csv"', "alter sealed months"),
        ('lists = "../{period}.csv"', "leaves the workspace"),
        ('archive = "/tmp/x"', "leaves the workspace"),
        (f'{"k" * 5000} = "x"', "unknown setting"),
        ("rules = [" + "[" * 50_000, "cannot be read"),
    ],
)
def test_settings_nobody_can_mean(tmp_path: Path, line: str, word: str) -> None:
    (tmp_path / "fide-batch.toml").write_text(line + "\n")
    with pytest.raises(Refused) as refused:
        read_settings(tmp_path)
    assert word in refused.value.problems[0].message
    assert len(refused.value.problems[0].message) < 1000


def test_lists_beside_the_archive_and_an_archive_that_is_the_workspace_are_fine(tmp_path: Path) -> None:
    (tmp_path / "fide-batch.toml").write_text('archive = "a"\nlists = "ab/{period}.csv"\n')
    assert read_settings(tmp_path).lists == "ab/{period}.csv"
    (tmp_path / "fide-batch.toml").write_text('archive = "."\n')
    assert read_settings(tmp_path).archive == "."


def test_sparse_files_of_any_size_are_not_read(tmp_path: Path) -> None:
    for name, most, read in (
        ("fide-batch.toml", LARGEST_SETTINGS, lambda path: read_settings(path.parent)),
        ("decisions.csv", LARGEST_DECISIONS, read_decisions),
    ):
        path = tmp_path / name
        with path.open("wb") as file:
            file.seek(1 << 34)
            file.write(b"\n")
        with pytest.raises(Refused) as refused:
            read(path)
        assert f"more than {most:,} bytes" in refused.value.problems[0].message
        path.unlink()
