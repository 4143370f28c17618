"""The examples of docs/lists.md are read as they stand there."""

import re
from pathlib import Path

import pytest

from fide_batch import formats
from fide_batch.model import LIST_COLUMNS, id_code

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "lists.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"```(?:csv|txt|xml) (\S+)\n(.*?)```", PAGE, re.DOTALL))


def example(tmp_path, name):
    path = tmp_path / name
    path.write_text(EXAMPLES[name], "utf-8", newline="")
    table, problems = formats.read_list(path)
    assert [problem for problem in problems if problem.severity != "note"] == []
    return table.to_pylist(), problems


def test_page_has_these_examples():
    assert set(EXAMPLES) == {
        "three-columns.csv",
        "verband.csv",
        "players_list_foa.txt",
        "rapid_rating_list.txt",
        "players_list_foa.xml",
    }
    assert all(name in PAGE for name in LIST_COLUMNS)


def test_three_columns(tmp_path):
    rows, _ = example(tmp_path, "three-columns.csv")
    assert [(row["fideid"], row["name"], row["rating"]) for row in rows] == [
        (90000011, "Alder, Ann", 2104), (90000029, "Birch, Bob", 1987), (90000045, "Dogwood, Dan", None),
    ]  # fmt: skip


def test_federation_list(tmp_path):
    rows, problems = example(tmp_path, "verband.csv")
    assert [(row["fideid"], row["name"], row["rating"], row["k"], row["birthday"], row["sex"], row["country"]) for row in rows] == [
        (90000011, "Alder, Ann", 2104, 20, "2001", "F", "GER"), (id_code("0042"), "Birch, Bob", 1987, 20, "1990", "M", "GER"),
    ]  # fmt: skip
    assert any("Verein" in problem.message for problem in problems)


@pytest.mark.parametrize("name", ["players_list_foa.txt", "players_list_foa.xml"])
def test_combined_lists(tmp_path, name):
    rows, problems = example(tmp_path, name)
    ann = rows[0]
    assert [ann[column] for column in LIST_COLUMNS] == [
        90000011, "Alder, Ann", "GER", "F", "WFM", "WFM", "", "", 2104, 9, 20, 2040, 0, 20, None, None, None, "2001", "w",
    ]  # fmt: skip
    assert problems == []
    if name.endswith("txt"):
        assert [(row["rating"], row["o_title"], row["blitz_rating"], row["flag"]) for row in rows[1:]] == [
            (1987, "FA,NI", 1822, "i"),
            (None, "", None, ""),
        ]


def test_single_control(tmp_path):
    rows, problems = example(tmp_path, "rapid_rating_list.txt")
    assert (rows[0]["rating"], rows[0]["rapid_rating"], rows[0]["rapid_k"], rows[0]["flag"]) == (None, 2040, 20, "w")
    assert [problem.code for problem in problems] == ["list-control"]
