"""Every table as CSV, JSON and Parquet: the same printed numbers everywhere, read by the standard library."""

import csv
import io
import json
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fide_batch.formats import list_parquet
from fide_batch.model import (
    CHANGES,
    EVENTS,
    GAMES,
    LIST,
    PENDING,
    PROBLEMS,
    TABLES,
    Problem,
    Refused,
    id_code,
    problems_table,
    table,
)
from fide_batch.publish import tables

CHANGE = {
    "fideid": id_code("0042"), "name": "=cmd|' /C calc'!A0", "control": "standard", "rating_before": 1500, "games": 9, "score": 45_000, "expected": 51_200,
    "k_list": 20, "k": 20, "change_exact": -124_000, "change": -12, "rating_after": 1488, "status": "rated", "why": 'he said "no", twice',
}  # fmt: skip
FIRST = {
    "fideid": 1503014,
    "name": "Lund, Cara",
    "control": "rapid",
    "games": 5,
    "score": 30_000,
    "change_exact": None,
    "status": "first-rating",
}


def one(schema, *rows):
    return table(
        schema,
        {
            name: [row.get(name, "" if schema.field(name).type == pa.string() else None) for row in rows]
            for name in schema.names
        },
    )


def as_csv(path):
    text = path.read_bytes().decode("utf-8")
    assert "\r" not in text and text.endswith("\n")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def written(tmp_path, name, columns):
    for ending in ("csv", "json", "parquet"):
        tables.write(tmp_path / f"{name}.{ending}", name, columns)
    return (
        as_csv(tmp_path / f"{name}.csv"),
        json.loads((tmp_path / f"{name}.json").read_text("utf-8")),
        pq.read_table(tmp_path / f"{name}.parquet"),
    )


@pytest.mark.parametrize("name", list(TABLES))
def test_columns_are_those_of_the_contract(tmp_path, name):
    empty_csv, empty_json, empty_parquet = written(tmp_path, name, TABLES[name].empty_table())
    assert (empty_csv, empty_json, empty_parquet.num_rows) == ([], [], 0)
    assert (tmp_path / f"{name}.csv").read_text() == ",".join(TABLES[name].names) + "\n"

    blank_csv, blank_json, parquet = written(tmp_path, name, one(TABLES[name], {}, {}))
    assert [list(row) for row in blank_csv] == [list(row) for row in blank_json] == [TABLES[name].names] * 2
    assert parquet.column_names == TABLES[name].names
    assert all(value in ("", None) for row in blank_json for value in row.values())


def test_changes_as_printed(tmp_path):
    in_csv, in_json, in_parquet = written(tmp_path, "changes", one(CHANGES, CHANGE, FIRST))

    first = in_csv[0]
    assert (first["fideid"], first["score"], first["expected"], first["change_exact"], first["change"]) == (
        "0042",
        "4.5",
        "5.12",
        "-12.40",
        "-12",
    )
    assert first["name"] == "'" + CHANGE["name"]
    assert first["why"] == CHANGE["why"]
    assert (in_csv[1]["rating_before"], in_csv[1]["change_exact"], in_csv[1]["score"]) == ("", "", "3.0")

    assert in_json[0]["name"] == CHANGE["name"]
    assert (in_json[0]["fideid"], in_json[0]["games"], in_json[0]["change_exact"]) == ("0042", 9, "-12.40")
    assert (in_json[1]["rating_before"], in_json[1]["change_exact"]) == (None, None)

    row = in_parquet.to_pylist()[0]
    assert (row["fideid"], row["change_exact"], row["change"], row["name"]) == (
        "0042",
        Decimal("-12.4"),
        -12,
        CHANGE["name"],
    )


@pytest.mark.parametrize(
    ("column", "value", "text"),
    [("score", 5_000, "0.5"), ("score", 10_000, "1.0"), ("score", 0, "0.0"), ("score", 2_500, "0.2500"), ("expected", 9_200, "0.92"), ("expected", 3_599, "0.3599"),
     ("chg", -800, "-0.08"), ("chg", -1, "-0.0001"), ("k_chg", 46_000, "4.60"), ("k_chg", -4_000, "-0.40"), ("k_chg", 0, "0.00")],
)  # fmt: skip
def test_decimals_are_exact_and_the_same_everywhere(tmp_path, column, value, text):
    in_csv, in_json, in_parquet = written(tmp_path, "events", one(EVENTS, {"fideid": 1, column: value}))

    assert in_csv[0][column] == in_json[0][column] == text
    assert in_parquet.column(column).to_pylist() == [Decimal(value) / 10_000]
    assert tables.printed(one(EVENTS, {column: value})).column(column).to_pylist() == [text]


def test_days_words_and_lists_of_games(tmp_path):
    game = {
        "event": "Open, Round 1",
        "round": 3,
        "fideid": 7,
        "opponent": 0,
        "colour": "w",
        "result": "=",
        "counted": 0,
        "reason": "bye",
        "line": 12,
    }
    in_csv, in_json, _ = written(tmp_path, "games", one(GAMES, game, {**game, "opponent": 8, "result": "+"}))
    assert [(row["event"], row["opponent"], row["result"], row["counted"]) for row in in_csv] == [
        ("Open, Round 1", "", "=", "0"),
        ("Open, Round 1", "8", "+", "0"),
    ]
    assert [(row["opponent"], row["round"]) for row in in_json] == [("", 3), ("8", 3)]

    waiting = {
        "fideid": 7,
        "event": "Open",
        "start": date(2026, 10, 1),
        "end": date(2026, 10, 9),
        "expires": date(2028, 12, 1),
        "missing": "1 game",
    }
    in_csv, in_json, in_parquet = written(tmp_path, "pending", one(PENDING, waiting))
    assert in_csv[0]["start"] == in_json[0]["start"] == "2026-10-01"
    assert in_parquet.column("expires").to_pylist() == [date(2028, 12, 1)]


def test_problems_with_quotes_line_breaks_and_backslashes(tmp_path):
    problem = Problem("sides-disagree", "error", 'a\\b "c".trf', 3, None, "one\ntwo\ttab \x01 é 健", "=do, this")
    in_csv, in_json, _ = written(tmp_path, "problems", problems_table([problem]))

    assert (in_csv[0]["file"], in_csv[0]["message"], in_csv[0]["hint"], in_csv[0]["line"]) == (
        problem.file,
        problem.message,
        "'=do, this",
        "3",
    )
    assert (in_json[0]["file"], in_json[0]["message"], in_json[0]["hint"], in_json[0]["line"], in_json[0]["column"]) == (
        problem.file, problem.message, problem.hint, 3, None,
    )  # fmt: skip


def test_any_table_is_written_and_other_endings_are_not(tmp_path):
    mine = pa.table(
        {"fideid": pa.array([id_code("0042")]), "months": pa.array([13]), "since": pa.array([date(2025, 1, 1)])}
    )
    in_csv, in_json, _ = written(tmp_path, "inactive", mine)
    assert in_csv == [{"fideid": "0042", "months": "13", "since": "2025-01-01"}]
    assert in_json == [{"fideid": "0042", "months": 13, "since": "2025-01-01"}]

    with pytest.raises(ValueError, match=r"list\.doc"):
        tables.write(tmp_path / "list.doc", "list", LIST.empty_table())


def test_slices_and_chunks_give_the_same_bytes(tmp_path):
    rows = [{**CHANGE, "fideid": place, "name": f'"{place}", é'} for place in range(1, 2000)]
    whole = one(CHANGES, *rows)
    pieces = pa.concat_tables([whole.slice(0, 7), whole.slice(7, 1000), whole.slice(1007)])
    for ending in ("csv", "json", "parquet"):
        tables.write(tmp_path / f"a.{ending}", "changes", whole)
        tables.write(tmp_path / f"b.{ending}", "changes", pieces)
        tables.write(tmp_path / f"c.{ending}", "changes", pa.concat_tables([whole.slice(1000), whole]).slice(999))
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"c.{ending}").read_bytes()


def test_more_rows_than_are_written_at_a_time(tmp_path):
    many = one(PROBLEMS, {"code": "x", "message": "m"}).take(pa.array([0] * 150_000))
    in_csv, in_json, parquet = written(tmp_path, "problems", many)

    assert len(in_csv) == len(in_json) == parquet.num_rows == 150_000


def test_parquet_holds_no_trace_of_the_program_that_made_the_table(tmp_path):
    with_metadata = one(CHANGES, CHANGE).replace_schema_metadata({"pandas": "{}", "made": "today"})
    tables.write(tmp_path / "a.parquet", "changes", with_metadata)
    tables.write(tmp_path / "b.parquet", "changes", one(CHANGES, CHANGE))

    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert b"today" not in (tmp_path / "a.parquet").read_bytes()


GROUP = 1 << 17
"""Rows of a group in our Parquet files."""


def coded(known, places):
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(known, pa.string()))


@pytest.mark.parametrize(
    "chunks",
    [
        [coded(["M", "F"], [0, 0, 1, 0])],
        [coded(["F", "M"], [1, 0, 0])],
        [coded(["M", "F", "X"], [0, 1, 0])],
        [coded(["M", "M"], [0, 1, 0])],
        [coded(["", "i", "wi"], [0, 1, 0, None, 2])],
        [coded([None, "i"], [0, 1, 0])],
        [coded(["M"], [0]), coded(["F", "M"], [0, 1])],
        [coded(["M", "F"], [0, 1] * (GROUP // 2)), coded(["F", "M"], [0, 0, 1])],
        [coded(["M", "F"], [0, 1] * (GROUP // 2)), coded(["F", "M"], [1, 0])],
        [coded(["M", "F"], [0, 1] * (GROUP // 2 + 1)), coded(["F", "M"], [0, 1])],
        [coded(["M", "F"], [0, 1] * GROUP)],
        [coded([f"name {place}" for place in range(GROUP)], range(GROUP))],
        [coded([f"{place}" for place in range(9_000)], [*range(9_000), *range(0, 9_000, 7)])],
    ],
)  # fmt: skip
def test_texts_in_dictionaries_are_the_same_parquet_as_plain_ones(tmp_path, chunks):
    column = pa.chunked_array(chunks)
    plain = column.cast(pa.string())
    for file, texts in (("a.parquet", column), ("b.parquet", plain)):
        tables.write(tmp_path / file, "list", pa.table({"fideid": np.arange(1, len(column) + 1), "sex": texts}))
    assert pq.read_table(tmp_path / "a.parquet")["sex"].to_pylist() == plain.to_pylist()
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_list_comes_back_from_parquet(tmp_path):
    players = one(
        LIST,
        {"fideid": id_code("0042"), "name": "Müller, Zoë", "country": "GER", "rating": 2105, "games": 0, "birthday": "1990-05-04", "career_games": 31,
         "reached_2400": 0, "last_played": date(2026, 9, 30)},
        {"fideid": 77, "name": "=1+1", "country": "ENG", "rapid_rating": 1500, "rapid_k": 20, "flag": "wi"},
    )  # fmt: skip
    tables.write(tmp_path / "list.parquet", "list", players)

    found, problems = list_parquet.read(tmp_path / "list.parquet")
    assert found.equals(players)
    assert {problem.severity for problem in problems} <= {"note"}
    assert list_parquet.looks("list.parquet", (tmp_path / "list.parquet").read_bytes()) == ""


def test_parquet_of_other_programs_and_files_that_are_none(tmp_path):
    pq.write_table(
        pa.table({"FIDE ID": [7, 8], "Elo": [1500.0, None], "Name": ["Reed", "'t Hoen"], "Club": ["x", "y"]}),
        tmp_path / "a.parquet",
    )
    found, problems = list_parquet.read(tmp_path / "a.parquet")
    assert [found.column(name).to_pylist() for name in ("fideid", "name", "rating")] == [
        [7, 8],
        ["Reed", "'t Hoen"],
        [1500, None],
    ]

    pq.write_table(
        pa.table({"fideid": ["7", "x/y"], "rating": [1500, 9999], "name": ["Reed", "Moor"]}), tmp_path / "b.parquet"
    )
    _, problems = list_parquet.read(tmp_path / "b.parquet")
    assert [(problem.code, problem.line) for problem in problems if problem.severity == "error"] == [
        ("list-id", 2),
        ("list-rating", 2),
    ]

    (tmp_path / "c.parquet").write_bytes(b"PAR1 and nothing else PAR1")
    with pytest.raises(Refused):
        list_parquet.read(tmp_path / "c.parquet")
    pq.write_table(
        pa.table({"fideid": pa.array([1]).take(pa.array([0] * 1000)), "name": ["x"] * 1000}), tmp_path / "d.parquet"
    )
    with pytest.raises(Refused, match="no rating column"):
        list_parquet.read(tmp_path / "d.parquet")
