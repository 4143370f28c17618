"""A list in a ZIP, as FIDE's downloads are."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from fide_batch import formats
from fide_batch.model import Refused

LIST = "fideid,name,rating\n1503014,Vale Ann,2003\n1503022,Moor Ben,1880\n1503030,Lund Cid,1955\n"


def zipped(path: Path, **members: str | bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return path


def test_the_list_in_a_zip_is_read_as_it_is_outside(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text(LIST, "utf-8")
    packed, _ = formats.read_list(zipped(tmp_path / "players_list.zip", list_csv=LIST))
    plain, _ = formats.read_list(tmp_path / "list.csv")
    assert packed.equals(plain)


def test_a_fault_is_told_with_the_archive_and_the_line(tmp_path: Path) -> None:
    faulty = LIST.replace("1880", "188o")
    _, problems = formats.read_list(zipped(tmp_path / "players_list.zip", list_csv=faulty))
    (problem,) = [problem for problem in problems if problem.severity == "error"]
    assert problem.file == str(tmp_path / "players_list.zip") + "/list.csv" and problem.line == 3


@pytest.mark.parametrize("members", [{}, {"a_csv": LIST, "b_csv": LIST}])
def test_none_or_several_files_are_refused(tmp_path: Path, members: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        formats.read_list(zipped(tmp_path / "lists.zip", **members))
    assert refused.value.problems[0].code == "list-archive"


def test_a_bomb_is_refused_before_it_is_unpacked_whole(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        formats.read_list(zipped(tmp_path / "bomb.zip", list_txt=b" " * 300_000_000))
    assert refused.value.problems[0].code == "archive-bomb"


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    sound = zipped(tmp_path / "list.zip", list_csv=LIST * 50).read_bytes()
    (tmp_path / "list.zip").write_bytes(sound[:60] + b"\x00" * 40 + sound[100:])
    with pytest.raises(Refused) as refused:
        formats.read_list(tmp_path / "list.zip")
    assert refused.value.problems[0].code == "damaged"


def test_a_large_workbook_is_no_archive(tmp_path: Path) -> None:
    """Programs put the entries of a workbook in any order."""
    book = openpyxl.Workbook()
    book.active.append(["fideid", "name", "rating"])
    for number in range(20_000):
        book.active.append(
            [1_000_000 + number * 7919 % 999_983, f"Name {number * 31337 % 100_003}", 1400 + number % 1000]
        )
    buffer = io.BytesIO()
    book.save(buffer)
    (tmp_path / "list.xlsx").write_bytes(buffer.getvalue())
    assert len(buffer.getvalue()) > 300_000
    assert formats.read_list(tmp_path / "list.xlsx")[0].num_rows == 20_000
