"""Exports of chess-results: heads, headings in several languages, tied ranks, forfeits, footnotes, and what the numbers in the cells mean."""

import random
from datetime import date

import pytest
from sheet_makers import claimants, codes, games, ods, read, table, told, xlsx

SOURCE = ["From the Tournament-Database of Chess-Results https://chess-results.com"]
HEAD = [
    SOURCE, ["Harbour Open 2026"], ["Last update 06.09.2026 12:00:00"], ["Organizer(s) : Harbour Chess Club"], ["Federation : Austria ( AUT )"],
    ["Chief Arbiter : Fir, Fay"], ["Time control (Standard) : 90 min + 30 sec"], ["Number of rounds : 3"], ["Tournament type : Swiss-System"],
    ["Rating calculation : Rating international"], ["Date : 2026/09/01 to 2026/09/03"], [], ["Final Ranking crosstable after 3 Rounds"],
]  # fmt: skip
TAIL = [
    [],
    ["Annotation: tie break 1: Buchholz Cut 1, 2: Buchholz"],
    ["You find all details to this tournament under https://chess-results.com/tnr1.aspx?lan=1"],
]
BY_START_NUMBER = [
    ["Rk.", "SNo", None, "Name", "FED", "Rtg", "Club/City", "1.Rd", "2.Rd", "3.Rd", "Pts. ", "TB1", "TB2", "Rp"],
    [1, 2, "FM", "Alder Ann", "AUT", 2104, "Harbour", "3w1", "1b½", "4w1", 2.5, 4, "5,5", 2300],
    [2, 1, None, "Birch Bob", "AUT", 2187, None, "4b1", "2w½", "3b½", 2, 4, 5, 2200],
    [None, 3, None, "Cedar Cid", "GER", 0, "Northtown", "2b0", "4w1", "1w½", "1,5", 5, 5, 0],
    [4, 4, "WCM", "Dogwood Dan", "GER", 1900, None, "1w0", "3b0", "2b0", 0, 4, 5, 0],
]
GAMES = {
    (2, 1): (3, "w", "1"), (2, 2): (1, "b", "="), (2, 3): (4, "w", "1"),
    (1, 1): (4, "b", "1"), (1, 2): (2, "w", "="), (1, 3): (3, "b", "="),
    (3, 1): (2, "b", "0"), (3, 2): (4, "w", "1"), (3, 3): (1, "w", "="),
    (4, 1): (1, "w", "0"), (4, 2): (3, "b", "0"), (4, 3): (2, "b", "0"),
}  # fmt: skip


@pytest.mark.parametrize("make", [xlsx, ods])
def test_the_long_head(make):
    report = read("export.xlsx", make([*HEAD, *BY_START_NUMBER, *TAIL]))
    event = report.event
    assert (event.name, event.federation, event.rounds, event.control) == ("Harbour Open 2026", "AUT", 3, "standard")
    assert (event.start, event.end, event.kind) == (date(2026, 9, 1), date(2026, 9, 3), "Swiss-System")
    assert games(report) == GAMES
    assert [(entry.number, entry.rank, entry.rating, entry.title, entry.points) for entry in report.entries] == [
        (2, 1, 2104, "FM", 25000), (1, 2, 2187, "", 20000), (3, 2, 0, "", 15000), (4, 4, 1900, "WCM", 0),
    ]  # fmt: skip
    assert not codes(report, "error") and not codes(report, "warning")


@pytest.mark.parametrize(
    "head",
    [
        [SOURCE, ["Harbour Open 2026"]],
        [["Harbour Open 2026"], ["Final Ranking crosstable after 3 Rounds"]],
        [["Harbour Open 2026"]],
    ],
)
def test_the_short_head(head):
    report = read("export.xlsx", xlsx([*head, *BY_START_NUMBER, *TAIL]))
    assert report.event.name == "Harbour Open 2026" and games(report) == GAMES


def test_as_csv_with_semicolons():
    assert games(read("export.csv", table([*HEAD, *BY_START_NUMBER, *TAIL], ";"))) == GAMES


def test_footnotes_and_links_are_no_players():
    report = read(
        "export.csv",
        table([*HEAD, *BY_START_NUMBER, ["Annotation: tie break 1", "Buchholz"], ["Tie Break2", "x"], *TAIL], ";"),
    )
    assert [entry.name for entry in report.entries] == ["Alder Ann", "Birch Bob", "Cedar Cid", "Dogwood Dan"]


@pytest.mark.parametrize(
    ("headings", "colours"),
    [
        (["Rg.", "Snr", None, "Name", "Land", "Elo", "Verein/Ort", "1.Rd", "2.Rd", "3.Rd", "Pkt. ", "Wtg1", "Wtg2", "Rp"], "ws"),
        (["Sıra", "Baş No", None, "İsim", "Ülke", "Elo", "Kulüp/İl", "1.Tur", "2.Tur", "3.Tur", "Puan", "TB1", "TB2", "Rp"], "bs"),
        (["Rk.", "Nº Ini", None, "Nome", "FED", "Elo", "Clube/Cidade", "1.Rd", "2.Rd", "3.Rd", "Pts. ", "Des1", "Des2", "Rp"], "bp"),
        (["Rk.", "No.Ini.", None, "Nombre", "FED", "Elo", "Club/Ciudad", "1.Rd", "2.Rd", "3.Rd", "Pts. ", "Des 1", "Des 2", "Rp"], "bn"),
        (["Cl.", "SNr", None, "Nom", "FED", "Elo", "Ville", "1.Rde", "2.Rde", "3.Rde", "Pts", "Dep 1", "Dep 2", "Rp"], "bn"),
        (["Rk.", "SNo", None, "Name", "FED", "Rtg", "Club/City", "1.Rd", "2.Rd", "3.Rd", "Pts. ", "TB1", "TB2", "Rp"], "wb"),
    ],
)  # fmt: skip
def test_headings_and_colours_in_other_languages(headings, colours):
    exchange = str.maketrans("wb", colours)
    rows = [headings]
    for row in BY_START_NUMBER[1:]:
        rows.append([cell.translate(exchange) if place in (7, 8, 9) else cell for place, cell in enumerate(row)])
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows, *TAIL]))
    assert games(report) == GAMES
    first = report.entries[0]
    assert (first.number, first.rank, first.rating, first.points) == (2, 1, 2104, 25000)


def test_of_two_ratings_the_international_one_is_taken_and_said():
    rows = [["Rk.", "SNo", "Name", "RtgI", "RtgN", "1.Rd"], [1, 1, "A", 2104, 2050, "2w1"], [2, 2, "B", 0, 1800, "1b0"]]
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows]))
    assert [entry.rating for entry in report.entries] == [2104, 0]
    assert "'RtgI'" in told(report, "rating-column").message


def test_only_national_ratings_are_said():
    rows = [["Rk.", "SNo", "Name", "RtgN", "1.Rd"], [1, 1, "A", 2050, "2w1"], [2, 2, "B", 1800, "1b0"]]
    assert "national" in told(read("export.xlsx", xlsx([SOURCE, ["Open"], *rows])), "rating-column").message


def test_forfeits_byes_and_rounds_without_an_opponent():
    rows = [
        ["Rk.", "SNo", "Name", "1.Rd", "2.Rd", "3.Rd", "4.Rd", "5.Rd", "Pts."],
        [1, 1, "A", "2w1K", "3b1", "-½", "2b+", "-1", 4.5],
        [2, 2, "B", "1b0K", "-1", "3w0", "1w-", "-0", 1],
        [3, 3, "C", "-0", "1w0", "2b1", None, "-1", 2],
    ]
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows]))
    assert games(report) == {
        (1, 1): (2, "w", "+"), (1, 2): (3, "b", "1"), (1, 3): (0, "", "H"), (1, 4): (2, "b", "+"), (1, 5): (0, "", "U"),
        (2, 1): (1, "b", "-"), (2, 2): (0, "", "U"), (2, 3): (3, "w", "0"), (2, 4): (1, "w", "-"), (2, 5): (0, "", "Z"),
        (3, 1): (0, "", "Z"), (3, 2): (1, "w", "0"), (3, 3): (2, "b", "1"), (3, 4): (0, "", " "), (3, 5): (0, "", "U"),
    }  # fmt: skip


def test_tied_players_without_a_rank_are_all_read():
    rows = [
        ["Rk.", None, "Name", "1.Rd", "Pts."],
        [1, None, "A", "2w1", 1],
        [2, None, "B", "1b0", 0.5],
        [None, None, "C", "4w½", 0.5],
        [4, None, "D", "3b½", 0.5],
    ]
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows]))
    assert [(entry.name, entry.rank, entry.number) for entry in report.entries] == [
        ("A", 1, 1),
        ("B", 2, 2),
        ("C", 2, 3),
        ("D", 4, 4),
    ]
    assert games(report)[4, 1] == (3, "b", "=")


def test_the_date_as_the_day_number_of_a_spreadsheet():
    rows = [SOURCE, ["Open"], ["Date :", 46266], *BY_START_NUMBER]
    assert read("export.xlsx", xlsx(rows)).event.start == date(2026, 9, 1)


def test_a_cross_table_without_ids_has_players_without_ids():
    report = read("export.xlsx", xlsx([*HEAD, *BY_START_NUMBER]))
    assert all(entry.fideid == 0 and entry.id_found == "" for entry in report.entries)


def test_a_starting_list_on_another_sheet_brings_the_ids():
    """Start numbers and names must both fit; an alphabetical list has other numbers and is joined by name."""
    starting = [SOURCE, ["Harbour Open 2026"], ["Alphabetical list"], ["No.", None, "Name", "FideID", "FED", "Rtg", "sex"],
                [1, None, "Dogwood Dan", 90000045, "GER", 1900, None], [2, "FM", "Alder Ann", 90000011, "AUT", 2104, "w"], [3, None, "Birch Bob", 90000029, "AUT", 2187, None]]  # fmt: skip
    report = read("export.xlsx", xlsx(("Cross", [*HEAD, *BY_START_NUMBER, *TAIL]), ("Players", starting)))
    assert {entry.name: entry.fideid for entry in report.entries} == {
        "Alder Ann": 90000011,
        "Birch Bob": 90000029,
        "Cedar Cid": 0,
        "Dogwood Dan": 90000045,
    }
    assert report.entries[0].sex == "w" and games(report) == GAMES
    assert "Cedar Cid" in told(report, "player-unlisted").message


def test_a_starting_list_alone_has_no_results():
    starting = [
        SOURCE,
        ["Open"],
        ["Starting rank"],
        ["No.", None, "Name", "FideID", "FED", "Rtg"],
        [1, None, "Alder", 90000011, "AUT", 2104],
    ]
    report = read("export.xlsx", xlsx(starting))
    assert len(report.entries) == 1 and not report.cells


def test_a_round_robin():
    text = (
        ";Final Ranking crosstable after 3 Rounds\nRk.;;Name;Rtg;FED;1;2;3;4;Pts.;TB1\n1;GM;Alder;2482;GER;*;1;½;1;2,5;3,5\n2;;Birch;2055;GER;0;*;1;+;2;1\n"
        "3;;Cedar;0;SUI;½;0;*;1;1,5;1\n4;;Dogwood;1700;SUI;0;-;0;*;0;0\n# Annotation:\n"
    )
    report = read("export.csv", text)
    assert report.entries[0].title == "GM" and len(report.cells) == 12
    assert {(cell.opponent, cell.result) for cell in report.cells if cell.number == 2} == {(1, "0"), (3, "1"), (4, "+")}
    assert all(len({cell.round for cell in report.cells if cell.number == number}) == 3 for number in (1, 2, 3, 4))


# --- what the numbers in the cells mean ------------------------------------------------------------------


def swiss(players, rounds, seed):
    """Rows of a made-up Swiss by start number: (score, {round: (opponent, colour, result)}) a player."""
    random_ = random.Random(seed)
    played = {number: {} for number in range(1, players + 1)}
    for round_ in range(1, rounds + 1):
        order = list(played)
        random_.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=False):
            result = random_.choice("1=0")
            played[white][round_] = (black, "w", result)
            played[black][round_] = (white, "b", {"1": "0", "0": "1", "=": "="}[result])
    return played


def points_of(rounds):
    return sum({"1": 2, "=": 1, "0": 0}[result] for _, _, result in rounds.values())


def ranked(played, rounds, name_by):
    """The cross table in order of points; opponents by start number (``SNo``) or by place (``Rk.``)."""
    order = sorted(played, key=lambda number: (-points_of(played[number]), number))
    place = {number: at for at, number in enumerate(order, 1)}
    rows = [["Rk.", "SNo", None, "Name", *[f"{round_}.Rd" for round_ in range(1, rounds + 1)], "Pts. "]]
    for number in order:
        cells = []
        for round_ in range(1, rounds + 1):
            opponent, colour, result = played[number].get(round_, (0, "", ""))
            shown = opponent if name_by == "SNo" else place.get(opponent)
            cells.append(f"{shown}{colour}{result.replace('=', '½')}" if opponent else "-1")
        rows.append([place[number], number, None, f"Player {number}", *cells, points_of(played[number]) / 2])
    return rows


@pytest.mark.parametrize("name_by", ["SNo", "Rk."])
@pytest.mark.parametrize("players", [6, 7, 30, 101])
def test_opponents_are_named_by_the_number_that_makes_the_games_answer_one_another(name_by, players):
    played = swiss(players, 5, players)
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *ranked(played, 5, name_by)]))
    expected = {(number, round_): game for number, rounds in played.items() for round_, game in rounds.items()}
    assert {place: game for place, game in games(report).items() if game[0]} == expected
    assert ("start number" if name_by == "SNo" else "place") in told(report, "numbering").message


def test_one_wrong_result_does_not_change_the_reading():
    played = swiss(20, 5, 1)
    opponent, colour, _ = played[4][2]
    played[4][2] = (opponent, colour, "1" if played[opponent][2][2] != "0" else "0")
    for name_by in ("SNo", "Rk."):
        report = read("export.xlsx", xlsx([SOURCE, ["Open"], *ranked(played, 5, name_by)]))
        assert not codes(report, "error") and games(report)[4, 2] == played[4][2]


def test_when_neither_reading_answers_nothing_is_guessed():
    played = swiss(20, 5, 2)
    rows = ranked(played, 5, "SNo")
    numbers = [row[1] for row in rows[1:]]
    for row, number in zip(rows[1:], numbers[7:] + numbers[:7], strict=True):
        row[1] = number
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows]))
    assert told(report, "numbering").severity == "error" and not report.cells


def test_places_that_are_start_numbers_need_no_decision():
    rows = [["Rk.", "SNo", "Name", "1.Rd"], [1, 1, "A", "2w1"], [2, 2, "B", "1b0"]]
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows]))
    assert not codes(report, "error") and games(report) == {(1, 1): (2, "w", "1"), (2, 1): (1, "b", "0")}


# --- who reads what ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        [*HEAD, *BY_START_NUMBER, *TAIL],
        [["Open"], *BY_START_NUMBER],
        [["Endtabelle nach 9 Runden"], ["Rg.", None, None, "Name", "Land", "1.Rd", "2.Rd", "Pkt."], [1, None, None, "A", "AUT", "2s1", "-0", 1], [2, None, None, "B", "AUT", "1w0", "-0", 0]],
    ],
)  # fmt: skip
def test_exports_are_chess_results_and_nobody_elses(rows):
    assert claimants("export.xlsx", xlsx(rows)) == ["chess-results"]
    assert claimants("export.csv", table(rows, ";").encode()) == ["chess-results"]


def test_our_own_sheet_with_pointed_round_headings_stays_ours():
    rows = [
        ["Event", "Open"],
        ["Start", "2026-10-03"],
        [],
        ["No", "Name", "1.Rd", "2.Rd"],
        [1, "A", "2w1", ""],
        [2, "B", "1b0", ""],
    ]
    assert claimants("open.xlsx", xlsx(rows)) == ["workbook sheet"]
    assert claimants("open.csv", table(rows, ";").encode()) == ["CSV sheet"]


def test_start_numbers_under_a_heading_nobody_knows_are_found_by_the_games():
    played = swiss(20, 5, 3)
    rows = ranked(played, 5, "SNo")
    rows[0][1] = "Başl.Sıra."
    report = read("export.xlsx", xlsx([SOURCE, ["Open"], *rows]))
    names = {entry.number: entry.name for entry in report.entries}
    by_name = {(names[cell.number], cell.round): names[cell.opponent] for cell in report.cells}
    assert by_name == {
        (f"Player {number}", round_): f"Player {game[0]}"
        for number, rounds in played.items()
        for round_, game in rounds.items()
    }
    assert "'Başl.Sıra.'" in told(report, "numbering").message


def test_the_national_id_beside_the_fide_id_is_left_alone():
    starting = [
        SOURCE,
        ["Open"],
        ["Starting rank"],
        ["No.", None, "Name", "ID", "FideID", "FED", "RtgN", "RtgI"],
        [1, None, "Alder", 77, 90000011, "AUT", 2000, 2104],
    ]
    entry = read("export.xlsx", xlsx(starting)).entries[0]
    assert (entry.fideid, entry.rating) == (90000011, 2104)
