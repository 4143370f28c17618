"""CSV in every shape it is sent in: separators, encodings, languages, quotes, rows that are too long."""

from datetime import date

import pytest
from sheet_makers import HEAD, claimants, codes, games, read, table, told
from twins import careful_tables

from fide_batch.formats import sheet_csv

CROSS = [
    *HEAD,
    ["No", "Name", "FideID", "Rating", "R1", "R2", "Pts"],
    [1, "Müller, Ann", 90000011, 2104, "2w1", "3b½", "1,5"],
    [2, "Birch, Bob", 90000029, 1987, "1b0", "-1", "1,0"],
    [3, "Cedar, Cid", "0042", 0, "-½", "1w½", "1"],
]
PLAYED = {
    (1, 1): (2, "w", "1"), (1, 2): (3, "b", "="), (2, 1): (1, "b", "0"), (2, 2): (0, "", "U"), (3, 1): (0, "", "H"), (3, 2): (1, "w", "="),
}  # fmt: skip


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_separators_and_encodings(separator, encoding):
    report = read("open.csv", table(CROSS, separator).encode(encoding))
    assert games(report) == PLAYED
    assert report.entries[0].name == "Müller, Ann"
    assert [entry.points for entry in report.entries] == [15000, 10000, 10000]
    assert not codes(report, "error") and not codes(report, "warning")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_move_the_lines(ends):
    report = read("open.csv", table(CROSS).replace("\n", ends))
    assert [entry.line for entry in report.entries] == [7, 8, 9]
    assert games(report) == PLAYED


@pytest.mark.parametrize(
    "headings",
    [
        ["Nr.", "Name", "FIDE-ID", "Elo", "1.Runde", "2.Runde", "Punkte"],
        ["Num", "Nom", "Code FIDE", "Elo", "Ronde 1", "Ronde 2", "Pts"],
        ["N°", "Nom et prénom", "Id FIDE", "Elo", "R1", "R2", "Points"],
        ["Nº", "Nombre", "ID FIDE", "Elo", "Ronda 1", "Ronda 2", "Puntos"],
        ["No.", "Nome", "FIDE ID", "Rating", "1", "2", "Pontos"],
        ["Num", "Nome", "ID", "Elo", "Turno 1", "Turno 2", "Punti"],
        ["No", "İsim", "FIDE ID", "ELO", "1. Tur", "2. Tur", "Puan"],
        ["NO", "NAME", "FIDEID", "RATING", "RD1", "RD2", "PTS "],
    ],
)
def test_headings_in_other_languages(headings):
    rows = [*CROSS[:5], headings, *CROSS[6:]]
    report = read("open.csv", table(rows, ";"))
    assert games(report) == PLAYED
    assert [(entry.number, entry.rating, entry.points) for entry in report.entries] == [
        (1, 2104, 15000),
        (2, 1987, 10000),
        (3, 0, 10000),
    ]
    assert report.entries[0].fideid == 90000011


@pytest.mark.parametrize(
    "head",
    [
        [["Turnier", "Herbst"], ["Ort", "Nordstadt"], ["Beginn", "03.10.2026"], ["Ende", "04.10.2026"], ["Runden", "2"], ["Bedenkzeit", "90 Min + 30 Sek"]],
        [["Tournoi", "Herbst"], ["Lieu", "Nordstadt"], ["Début", "03/10/2026"], ["Fin", "14/10/2026"], ["Rondes", "2"], ["Cadence", "classique"]],
        [["Torneo", "Herbst"], ["Lugar", "Nordstadt"], ["Inicio", "2026-10-03"], ["Fecha fin", "2026-10-04"], ["Rondas", "2"], ["Ritmo de juego", "clásico"]],
        [["Event:", "Herbst"], ["City:", "Nordstadt"], ["Date:", "2026-10-03 to 2026-10-04"], ["Number of rounds:", "2"], ["Control", "standard"]],
    ],
)  # fmt: skip
def test_head_lines_in_other_languages(head):
    event = read("open.csv", table([*head, [], *CROSS[5:]], ";")).event
    assert (event.name, event.city, event.start, event.rounds, event.control) == (
        "Herbst",
        "Nordstadt",
        date(2026, 10, 3),
        2,
        "standard",
    )


def test_day_and_month_are_never_swapped_in_silence():
    head = [["Event", "Open"], ["Start", "03/10/2026"], ["End", "04/10/2026"], []]
    report = read("open.csv", table([*head, *CROSS[5:]], ";"))
    problem = told(report, "date-ambiguous")
    assert (problem.severity, problem.line, problem.column) == ("error", 2, 2)
    assert "3 October 2026" in problem.message and "10 March 2026" in problem.message


def test_an_unreadable_id_leaves_the_player_unidentified_and_says_where():
    rows = [
        *CROSS[:6],
        [1, "Müller, Ann", "4.31E+07", 2104, "2w1"],
        [2, "Birch, Bob", "11/01/1987", 1987, "1b0"],
        [3, "Stone", "CM1", 0, "-1"],
        [4, "Rook", "'90000045'", 0, "-1"],
    ]
    report = read("open.csv", table(rows, ";"))
    assert [(entry.fideid, entry.id_found) for entry in report.entries] == [
        (0, "4.31E+07"),
        (0, "11/01/1987"),
        (0, "CM1"),
        (90000045, ""),
    ]
    unreadable = [(problem.line, problem.column) for problem in report.problems if problem.code == "id-unreadable"]
    assert unreadable == [(7, 3), (8, 3), (9, 3)]
    assert told(report, "id-mended").line == 10


@pytest.mark.parametrize("zero", [".0", ",0", ",00"])
def test_decimals_of_a_spreadsheet_are_read_alike_in_ids_and_ratings(zero):
    rows = [*CROSS[:6], [1, "Ann", f"90000053{zero}", f"2104{zero}", "2w1"], [2, "Bob", 2, 1800, "1b0"]]
    report = read("open.csv", table(rows, ";"))
    assert (report.entries[0].fideid, report.entries[0].rating) == (90000053, 2104)
    mended = told(report, "id-mended")
    assert (mended.line, mended.column) == (7, 3) and f"90000053{zero} read as 90000053" in mended.message


def test_an_id_parted_otherwise_than_by_thousands_is_not_guessed():
    """3 1503014 may be a start number and an id: read as one it would make a player of nobody."""
    rows = [*CROSS[:6], [1, "Ann", "90 000 053", 2104, "2w1"], [2, "Bob", "9000 0011", 1800, "1b0"]]
    report = read("open.csv", table(rows, ";"))
    assert [entry.fideid for entry in report.entries] == [90000053, 0]
    problem = told(report, "id-unreadable")
    assert (problem.severity, problem.line, problem.column) == ("warning", 8, 3)
    assert "blanks between the digits; if one id is meant, write 90000011" in problem.message


def test_letters_in_the_rating_are_a_warning_and_no_rating():
    rows = [*CROSS[:6], [1, "Ann", 1, "1850P", "2w1"], [2, "Bob", 2, "abc", "1b0"]]
    report = read("open.csv", table(rows, ";"))
    assert [entry.rating for entry in report.entries] == [0, 0]
    assert codes(report, "warning") == ["rating-unreadable"] * 2


def test_a_comma_in_a_name_without_quotes_is_refused_with_its_line():
    text = "Event,Open\nStart,2026-10-03\nNo,Name,FideID,R1\n1,Alder, Ann,90000011,2w1\n2,Birch,90000029,1b0\n"
    problem = told(read("open.csv", text), "row-cells")
    assert (problem.severity, problem.line, problem.column) == ("error", 4, 5)
    assert "'2w1'" in problem.message and "quotes" in problem.hint


def test_a_quotation_mark_that_is_never_closed_is_refused_at_the_line_where_it_opens():
    text = 'Event,Open\nNo,Name,FideID,R1\n1,"Alder, Ann,90000011,2w1\n2,Birch,90000029,1b0\n'
    report = read("open.csv", text)
    problem = told(report, "unreadable")
    assert problem.line == 3 and "quotation mark" in problem.message and not report.cells


def test_an_unknown_cell_is_an_error_and_no_result():
    rows = [*CROSS[:6], [1, "Ann", 1, 0, "2w1", "2x9"], [2, "Bob", 2, 0, "1b0", ""]]
    report = read("open.csv", table(rows, ";"))
    problem = told(report, "result-unreadable")
    assert (problem.severity, problem.line, problem.column) == ("error", 7, 6)
    assert "'2x9'" in problem.message and "12w1" in problem.message
    assert (1, 2) not in games(report)


def test_plus_and_minus_as_wins_and_losses_are_refused():
    """12+ and 5- mean wins and losses in many tables; read as forfeits the whole event would silently not be rated."""
    rows = [
        *CROSS[:6],
        [1, "A", 1, 0, "2+", "3="],
        [2, "B", 2, 0, "1-", "4+"],
        [3, "C", 3, 0, "4+", "1="],
        [4, "D", 4, 0, "3-", "2-"],
    ]
    assert told(read("open.csv", table(rows, ";")), "signs-only").severity == "error"


def test_forfeits_among_played_games_are_forfeits():
    rows = [*CROSS[:6], [1, "A", 1, 0, "2+", "3w1"], [2, "B", 2, 0, "1-", "-1"], [3, "C", 3, 0, "-1", "1b0"]]
    report = read("open.csv", table(rows, ";"))
    assert games(report)[1, 1] == (2, "", "+") and games(report)[2, 1] == (1, "", "-")
    assert not codes(report, "error")


def test_white_and_black_in_the_letters_of_a_language():
    rows = [*CROSS[:6], [1, "A", 1, 0, "2b1"], [2, "B", 2, 0, "1n0"]]
    report = read("open.csv", table(rows, ";"))
    assert games(report) == {(1, 1): (2, "w", "1"), (2, 1): (1, "b", "0")}
    assert "White is written b, Black n" in told(report, "colour-letters").message


def test_a_start_number_that_is_no_number():
    rows = [*CROSS[:6], ["A1", "Ann", 1, 0, "2w1"], [2, "Bob", 2, 0, "1b0"]]
    problem = told(read("open.csv", table(rows, ";")), "number-unreadable")
    assert (problem.severity, problem.line, problem.column) == ("error", 7, 1)


def test_results_without_a_player_and_players_without_anything():
    rows = [*CROSS[:6], [1, "Ann", 1, 0, "2w1"], [2, "", "", "", "1b0"], [3, "", "", "", ""]]
    report = read("open.csv", table(rows, ";"))
    assert told(report, "player-name-missing").line == 8
    assert "1" in told(report, "rows-empty").message


def test_empty_rounds_at_the_end_are_rounds_not_played():
    rows = [
        *CROSS[:5],
        ["No", "Name", "R1", "R2", "R3", "R4"],
        [1, "Ann", "2w1", "", "", ""],
        [2, "Bob", "1b0", "", "", ""],
    ]
    report = read("open.csv", table(rows, ";"))
    assert report.event.rounds == 4 and {round_ for _, round_ in games(report)} == {1}


def test_a_player_who_missed_a_round_has_an_empty_cell_in_it():
    rows = [*CROSS[:5], ["No", "Name", "R1", "R2"], [1, "Ann", "2w1", ""], [2, "Bob", "1b0", "-1"]]
    assert games(read("open.csv", table(rows, ";")))[1, 2] == (0, "", " ")


def test_unknown_columns_and_texts_are_named_and_left_alone():
    rows = [
        *CROSS[:5],
        ["No", "Name", "Shoe size", "R1"],
        [1, "Ann", 38, "2w1"],
        [2, "Bob", 44, "1b0"],
        [],
        ["Signed by the arbiter"],
        ["# a remark"],
    ]
    report = read("open.csv", table(rows, ";"))
    assert "'Shoe size'" in told(report, "columns-ignored").message
    assert told(report, "text-ignored").line == 10
    assert len(report.entries) == 2


def test_a_head_line_that_says_two_things():
    rows = [["Event", "Open"], ["Start", "2026-10-03"], ["Start", "2026-10-04"], ["End", "2026-10-05"], [], *CROSS[5:]]
    report = read("open.csv", table(rows, ";"))
    assert report.event.start == date(2026, 10, 3) and told(report, "head-twice").line == 3


def test_a_control_nobody_knows():
    rows = [["Event", "Open"], ["Control", "quick"], [], *CROSS[5:]]
    report = read("open.csv", table(rows, ";"))
    assert report.event.control == "" and told(report, "control-unknown").line == 2


def test_start_after_end():
    rows = [["Event", "Open"], ["Start", "2026-10-05"], ["End", "2026-10-03"], [], *CROSS[5:]]
    assert told(read("open.csv", table(rows, ";")), "dates-reversed").severity == "error"


# --- a row a game -----------------------------------------------------------------------------------

GAMES = [*HEAD, ["Round", "White", "White ID", "Black", "Black ID", "Result"]]


def test_players_are_known_by_id_when_there_are_no_numbers():
    rows = [
        *GAMES,
        [1, "Alder", 90000011, "Birch", 90000029, "1-0"],
        [2, "Birch", 90000029, "Alder", 90000011, "½-½"],
        [3, "Alder", 90000037, "Birch", 90000029, "0-1"],
    ]
    report = read("match.csv", table(rows, ";"))
    assert [(entry.number, entry.name, entry.fideid) for entry in report.entries] == [
        (1, "Alder", 90000011),
        (2, "Birch", 90000029),
        (3, "Alder", 90000037),
    ]


def test_namesakes_without_ids_are_one_player_and_with_ids_two():
    rows = [*GAMES, [1, "Alder", "", "Birch", "", "1-0"], [2, "Birch", "", "Alder", "", "1-0"]]
    assert len(read("match.csv", table(rows, ";")).entries) == 2


def test_two_games_of_the_same_players_are_two_games():
    """A double round robin: the second game must not replace the first."""
    rows = [*GAMES, [1, "Alder", 1, "Birch", 2, "1-0"], [2, "Birch", 2, "Alder", 1, "1-0"]]
    report = read("match.csv", table(rows, ";"))
    assert games(report) == {(1, 1): (2, "w", "1"), (2, 1): (1, "b", "0"), (2, 2): (1, "w", "1"), (1, 2): (2, "b", "0")}


def test_the_same_number_with_another_name_is_an_error_with_both_lines():
    rows = [
        *HEAD,
        ["Round", "White No", "White", "Black No", "Black", "Result"],
        [1, 1, "Alder", 2, "Birch", "1-0"],
        [2, 1, "Cedar", 2, "Birch", "1-0"],
    ]
    problem = told(read("match.csv", table(rows, ";")), "player-differs")
    assert (problem.severity, problem.line, problem.column) == ("error", 8, 3) and "line 7" in problem.message


def test_a_game_of_somebody_who_is_not_in_the_table_of_players():
    rows = [
        *HEAD,
        ["No", "Name", "FideID"],
        [1, "Alder", 90000011],
        [2, "Birch", 90000029],
        [],
        ["Round", "White No", "Black No", "Result"],
        [1, 1, 7, "1-0"],
    ]
    problem = told(read("match.csv", table(rows, ";")), "player-unlisted")
    assert (problem.severity, problem.line, problem.column) == ("error", 11, 3)


@pytest.mark.parametrize("result", ["2-0", "1.5", "won", "01-Feb"])
def test_an_unknown_result_is_an_error_and_not_zero(result):
    rows = [*GAMES, [1, "Alder", 1, "Birch", 2, result]]
    report = read("match.csv", table(rows, ";"))
    problem = told(report, "result-unreadable")
    assert (problem.severity, problem.line, problem.column) == ("error", 7, 6) and not report.cells


@pytest.mark.parametrize("number", ["", "x", "0", "100", "1.5"])
def test_a_round_that_is_no_number(number):
    rows = [*GAMES, [number, "Alder", 1, "Birch", 2, "1-0"]]
    assert told(read("match.csv", table(rows, ";")), "round-unreadable").line == 7


def test_a_game_without_result_is_paired_and_not_played():
    rows = [*GAMES, [1, "Alder", 1, "Birch", 2, ""], [2, "Alder", 1, "Birch", 2, "*"]]
    assert {cell[2] for cell in games(read("match.csv", table(rows, ";"))).values()} == {"?"}


def test_columns_of_both_sides_without_a_side_in_their_names():
    rows = [*HEAD, ["Round", "White", "Elo", "Black", "Elo", "Result"], [1, "Alder", 2104, "Birch", 1987, "1-0"]]
    assert [entry.rating for entry in read("match.csv", table(rows, ";")).entries] == [2104, 1987]


def test_players_left_and_right_of_the_result():
    rows = [
        *HEAD,
        ["Rd", "No", "Name", "Elo", "Result", "No", "Name", "Elo"],
        [1, 7, "Alder", 2104, "0-1", 9, "Birch", 1987],
    ]
    report = read("match.csv", table(rows, ";"))
    assert [(entry.number, entry.name, entry.rating) for entry in report.entries] == [
        (7, "Alder", 2104),
        (9, "Birch", 1987),
    ]
    assert games(report) == {(7, 1): (9, "w", "0"), (9, 1): (7, "b", "1")}


def test_the_days_of_games_are_the_days_of_rounds():
    rows = [
        *HEAD[:1],
        [],
        ["Round", "Date", "White", "Black", "Result"],
        [1, "2026-10-03", "A", "B", "1-0"],
        [3, "2026-10-05", "B", "A", "1-0"],
    ]
    event = read("match.csv", table(rows, ";")).event
    assert event.round_dates == (date(2026, 10, 3), None, date(2026, 10, 5))
    assert (event.start, event.end) == (date(2026, 10, 3), date(2026, 10, 5))


def test_a_bye_as_the_result_of_two_players_is_no_result():
    rows = [*HEAD, ["Round", "White", "Black", "Result"], [1, "Alder", "Birch", "bye"]]
    problem = told(read("games.csv", table(rows, ";")), "result-unreadable")
    assert problem.line == len(HEAD) + 2 and "with two players" in problem.message


@pytest.mark.parametrize(("result", "letter"), [("½-0", "H"), ("0-½", "Z"), ("1-0", "U")])
def test_what_a_player_got_without_an_opponent(result, letter):
    rows = [*HEAD, ["Round", "White", "Black", "Result"], [1, "Alder", "bye", result], [1, "Birch", "Cedar", "1-0"]]
    assert read("games.csv", table(rows, ";")).cells[0].result == letter


# --- round robin ----------------------------------------------------------------------------------------


def test_a_double_round_robin_holds_two_results_in_a_square():
    rows = [
        *HEAD,
        ["No", "Name", "1", "2", "3", "4"],
        [1, "A", "*", "1½", "10", "11"],
        [2, "B", "0½", "*", "1=", "11"],
        [3, "C", "01", "0=", "*", "00"],
        [4, "D", "00", "00", "11", "*"],
    ]
    report = read("rr.csv", table(rows, ";"))
    assert not codes(report, "error")
    assert len(report.cells) == 24 and {cell.round for cell in report.cells} == set(range(1, 7))
    against_2 = [(cell.round, cell.result) for cell in report.cells if (cell.number, cell.opponent) == (1, 2)]
    assert against_2 == [(2, "1"), (5, "=")]


def test_a_result_against_oneself():
    rows = [
        *HEAD,
        ["No", "Name", "1", "2", "3"],
        [1, "A", "1", "1", "1"],
        [2, "B", "0", "*", "1"],
        [3, "C", "0", "0", "*"],
    ]
    assert told(read("rr.csv", table(rows, ";")), "own-square").line == 7


# --- who reads what -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "fideid,name,country,rating,games,k\n90000011,Alder,GER,2104,0,20\n",
        "ID;Name;Fed;Rtg;K;Birthday\n90000011;Alder;GER;2104;20;2001\n",
        "012 Autumn Open\n042 2026/10/03\n001    1 m    Alder, Ann                        2104 GER    90000011 2001/00/00  1.0    1     2 w 1\n",
        "Dear arbiter,\nplease find the results, as agreed, in the other file.\n",
        '{"players": [{"name": "Alder", "rating": 2104}]}',
        "<html><table><tr><th>No</th><th>Name</th><th>1.Rd</th></tr></table>",
        "No;Name;Elo\n1;Alder;2104\n",
        "",
    ],
)
def test_nobody_claims_lists_trf_letters_and_other_texts(text):
    assert claimants("file.csv", text.encode()) == []


def test_what_is_missing_is_said_in_words():
    from fide_batch.formats import sheet_csv

    assert "only players" in sheet_csv.looks("list.csv", b"ID;Name;Fed;Rtg\n90000011;Alder;GER;2104\n")
    assert "heading" in sheet_csv.looks("letter.txt", b"Dear arbiter,\n")


def test_players_of_an_event_without_games_are_read():
    rows = [*HEAD, ["No", "Name", "FideID", "Rating"], [1, "Alder", 90000011, 2104]]
    report = read("open.csv", table(rows, ";"))
    assert len(report.entries) == 1 and not report.cells and not codes(report, "error")


@pytest.mark.parametrize("seed", range(6))
def test_the_quick_way_through_a_plain_table_and_the_careful_one_agree(seed):
    """Tables of every kind of cell: the quick way either says the same or leaves the table to the careful one."""
    import random

    chance = random.Random(seed)
    cells = [
        "",
        "0",
        "-",
        "-1",
        "-½",
        "-0",
        "H",
        "7w1",
        "3b½",
        "2w+",
        "4b-",
        "1w0",
        "5w*",
        *(["9w1", "2s1", "8n0", "what", "2026-10-03"] if seed > 2 else []),
    ]
    rows = [*HEAD, ["No", "Name", "R1", "R2", "R3", "R4"]]
    rows += [[number, f"Player {number}", *(chance.choice(cells) for _ in range(3)), ""] for number in range(1, 9)]
    quick = read("open.csv", table(rows, ";"))
    with careful_tables():
        careful = read("open.csv", table(rows, ";"))
    assert quick == careful and len(quick.cells) >= 10


def test_rounds_under_unknown_headings_are_named_in_a_warning() -> None:
    sheet = (
        "Event,Club Night\nStart,2026-10-03\nEnd,2026-10-03\nControl,standard\n\n"
        "No,Name,FideID,Rating,Game1,Game2,Pts\n1,Vale Ann,1503014,2003,2w1,2b1,2\n2,Moor Ben,1503022,1880,1b0,1w0,0\n"
    )
    (told,) = [
        problem for problem in sheet_csv.read("night.csv", sheet.encode()).problems if problem.code == "columns-ignored"
    ]
    assert told.severity == "warning" and "'Game1', 'Game2'" in told.message and "R1" in told.hint
