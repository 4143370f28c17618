"""The examples of docs/sheets.md are read as they stand there, as CSV and as XLSX and ODS of the same cells."""

import csv
import io
import re
from datetime import date
from pathlib import Path

import pytest
from sheet_makers import claimants, codes, games, ods, read, xlsx

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "sheets.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"```csv (\S+)\n(.*?)```", PAGE, re.DOTALL))
CHESS_RESULTS = {"chess-results.csv", "pairings.csv"}


def rows_of(text):
    separator = ";" if text.count(";") > text.count(",") else ","
    return list(csv.reader(io.StringIO(text), delimiter=separator))


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_example_is_read_without_error_or_warning(name):
    report = read(name, EXAMPLES[name])
    assert [problem for problem in report.problems if problem.severity != "note"] == []
    assert report.event.name and report.event.start and report.event.control and report.entries and report.cells


@pytest.mark.parametrize("name", sorted(EXAMPLES))
@pytest.mark.parametrize("make", [xlsx, ods], ids=["xlsx", "ods"])
def test_the_same_cells_in_a_workbook_are_the_same_report(name, make):
    text = EXAMPLES[name]
    from_csv, from_book = read(name, text), read(name[:-3] + make.__name__, make(rows_of(text)))
    assert games(from_book) == games(from_csv)
    assert [entry._replace(line=0) for entry in from_book.entries] == [
        entry._replace(line=0) for entry in from_csv.entries
    ]
    for what in ("name", "start", "end", "control", "federation", "rounds"):
        assert getattr(from_book.event, what) == getattr(from_csv.event, what)


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_exactly_the_reader_of_its_chapter_claims_an_example(name):
    expected = "chess-results" if name in CHESS_RESULTS else "CSV sheet"
    assert claimants(name, EXAMPLES[name].encode()) == [expected]


def test_the_cross_table_of_the_page():
    report = read("autumn-open.csv", EXAMPLES["autumn-open.csv"])
    event = report.event
    assert (event.name, event.city, event.federation, event.rounds) == ("Autumn Open", "Northtown", "GER", 3)
    assert (event.start, event.end, event.control) == (date(2026, 10, 3), date(2026, 10, 4), "standard")
    assert games(report) == {
        (1, 1): (3, "w", "1"), (1, 2): (2, "b", "="), (1, 3): (4, "w", "1"),
        (2, 1): (4, "b", "1"), (2, 2): (1, "w", "="), (2, 3): (0, "", "H"),
        (3, 1): (1, "b", "0"), (3, 2): (5, "w", "+"), (3, 3): (0, "", "H"),
        (4, 1): (2, "w", "0"), (4, 2): (0, "", "U"), (4, 3): (1, "b", "0"),
        (5, 1): (0, "", " "), (5, 2): (3, "b", "-"), (5, 3): (0, "", " "),
    }  # fmt: skip
    ann, dan = report.entries[0], report.entries[3]
    assert (ann.name, ann.fideid, ann.rating, ann.birth, ann.sex, ann.title, ann.points) == (
        "Alder, Ann",
        90000011,
        2104,
        "2001-05-17",
        "w",
        "WFM",
        25000,
    )
    assert (dan.rating, dan.points, dan.line) == (0, 10000, 14)


def test_the_row_a_game_of_the_page():
    report = read("club-evening.csv", EXAMPLES["club-evening.csv"])
    assert report.event.control == "rapid" and report.event.start == date(2026, 10, 3)
    assert games(report) == {
        (1, 1): (2, "w", "1"), (2, 1): (1, "b", "0"), (3, 1): (0, "", "U"),
        (3, 2): (1, "w", "="), (1, 2): (3, "b", "="), (2, 2): (0, "", "H"),
        (2, 3): (3, "w", "0"), (3, 3): (2, "b", "1"), (1, 3): (0, "", "H"),
        (1, 4): (2, "w", "+"), (2, 4): (1, "b", "-"),
        (2, 5): (1, "w", "+"), (1, 5): (2, "b", "-"),
    }  # fmt: skip


def test_the_match_of_the_page():
    report = read("match.csv", EXAMPLES["match.csv"])
    assert [(entry.name, entry.fideid, entry.rating) for entry in report.entries] == [
        ("Alder, Ann", 90000011, 2104),
        ("Birch, Bob", 90000029, 1987),
    ]
    assert [games(report)[1, number] for number in (1, 2, 3)] == [(2, "w", "1"), (2, "b", "="), (2, "w", "0")]
    assert report.event.round_dates == (date(2026, 10, 10), date(2026, 10, 11), date(2026, 10, 12))


def test_the_round_robin_of_the_page():
    report = read("masters.csv", EXAMPLES["masters.csv"])
    assert codes(report) == ["rounds-by-berger"]
    # Berger for four players: 1-4 2-3, 4-3 1-2, 2-4 3-1.
    assert games(report) == {
        (1, 1): (4, "", "1"), (4, 1): (1, "", "0"), (2, 1): (3, "", "="), (3, 1): (2, "", "="),
        (3, 2): (4, "", "1"), (4, 2): (3, "", "0"), (1, 2): (2, "", "="), (2, 2): (1, "", "="),
        (2, 3): (4, "", "+"), (4, 3): (2, "", "-"), (1, 3): (3, "", "1"), (3, 3): (1, "", "0"),
    }  # fmt: skip


def test_the_chess_results_cross_table_of_the_page():
    report = read("chess-results.csv", EXAMPLES["chess-results.csv"])
    assert report.event.federation == "AUT" and report.event.end == date(2026, 9, 3)
    assert [(entry.number, entry.rank, entry.rating, entry.title) for entry in report.entries] == [
        (2, 1, 2104, "FM"),
        (1, 2, 2187, ""),
        (3, 2, 0, ""),
        (4, 4, 1900, ""),
    ]
    assert games(report)[3, 2] == (4, "w", "+") and games(report)[4, 2] == (3, "b", "-")
    assert {"rating-column", "rank-filled", "numbering"} <= set(codes(report, "note"))


def test_the_pairings_of_the_page():
    report = read("pairings.csv", EXAMPLES["pairings.csv"])
    assert [entry.fideid for entry in report.entries] == [90000011, 90000029, 90000037]
    assert games(report) == {
        (1, 1): (2, "w", "1"), (2, 1): (1, "b", "0"), (3, 1): (0, "", "U"),
        (2, 2): (3, "w", "-"), (3, 2): (2, "b", "+"), (1, 2): (0, "", "H"),
        (3, 3): (1, "w", "="), (1, 3): (3, "b", "="), (2, 3): (0, "", "U"),
    }  # fmt: skip
    assert report.event.round_dates == (date(2026, 9, 5),) * 3
