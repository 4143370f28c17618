"""Records of TRF26 that change what the players' lines say: 240, 299, 330."""

import pytest
from trf_lines import HEAD, codes, only, player, put, report

from fide_batch.formats import trf


def read(*records, lines):
    return trf.read("open.trf", report(*lines, *records, head=(*HEAD, "142 3")))


def cells(result, number):
    return [(cell.round, cell.opponent, cell.result) for cell in result.cells if cell.number == number]


TWO = (player(1, "A", "2 w 1", "", "0000 - H"), player(2, "B", "1 b 0"))


@pytest.mark.parametrize("record", ["240 H   2    1", "240\tH\t2\t1", "240 h 2 1", "240 H 002 0001 0000"])
def test_a_bye_fills_the_blank_round(record):
    result = read(record, lines=TWO)
    assert cells(result, 1) == [(1, 2, "1"), (2, 0, "H"), (3, 0, "H")] and codes(result) == []


def test_a_bye_after_the_end_of_a_line():
    assert cells(read("240 Z   3    2", lines=TWO), 2) == [(1, 1, "0"), (3, 0, "Z")]


def test_a_bye_the_line_holds_already():
    result = read("240 H   3    1", lines=TWO)
    assert cells(result, 1)[2] == (3, 0, "H") and codes(result) == []


def test_a_bye_in_a_round_that_was_played_is_an_error():
    problem = only(read("240 H   1    1", lines=TWO), "bye-contradicts")
    assert (problem.severity, problem.line) == ("error", 9)


def test_another_bye_than_in_the_line_is_a_warning_and_the_line_counts():
    result = read("240 F   3    1", lines=TWO)
    assert only(result, "bye-differs").severity == "warning" and cells(result, 1)[2] == (3, 0, "H")


def test_a_bye_of_nobody():
    assert only(read("240 F   3    9", lines=TWO), "bye-unknown-player").severity == "warning"


@pytest.mark.parametrize("record", ["240", "240 Q 1 1", "240 H x 1", "240 H"])
def test_a_bye_record_that_cannot_be_read(record):
    assert only(read(record, lines=TWO), "record-unreadable").line == 9


# --- 330 --------------------------------------------------------------------------------------------------


def team(number, name, *players):
    line = put(put(put("310", 5, f"{number:>3}"), 9, name), 74, "")
    return line.ljust(73) + " ".join(f"{player:>4}" for player in players)


MATCH = (player(1, "A", "3 w 1"), player(2, "B", "4 b ="), player(3, "C", "1 b 0"), player(4, "D", "2 w ="))
TEAMS = (team(1, "Lund", 1, 2), team(2, "Malmö", 3, 4))


@pytest.mark.parametrize(("kind", "first", "second"), [("+-", "+", "-"), ("-+", "-", "+"), ("--", "-", "-")])
def test_the_boards_of_a_forfeited_match_are_not_rated(kind, first, second):
    result = read(*TEAMS, f"330 {kind}   1   1   2", lines=MATCH)
    assert [cell.result for cell in result.cells] == [first, first, second, second]
    note = only(result, "match-forfeited")
    assert note.severity == "note" and "2 boards" in note.message


def test_only_the_round_of_the_forfeit_is_touched():
    result = read(*TEAMS, "330 +-   2   1   2", lines=MATCH)
    assert [cell.result for cell in result.cells] == ["1", "=", "0", "="] and codes(result) == []


def test_games_against_other_teams_stay():
    lines = (*MATCH, player(5, "E", "6 w 1"), player(6, "F", "5 b 0"))
    result = read(*TEAMS, team(3, "Ystad", 5, 6), "330 +-   1   1   3", lines=lines)
    assert [cell.result for cell in result.cells] == ["1", "=", "0", "=", "1", "0"]


def test_a_forfeited_match_of_an_unknown_team():
    assert only(read(*TEAMS, "330 +-   1   1   9", lines=MATCH), "team-unknown").severity == "warning"


# --- 299 --------------------------------------------------------------------------------------------------


def abnormal(letter, round_, *players):
    return put(
        put(put("299", 5, letter), 14, " 1.0"), 19, f"{round_:>3}" + "".join(f" {player:>4}" for player in players)
    )


def test_points_by_decision_do_not_touch_a_game_that_counts_as_played():
    result = read(abnormal("W", 1, 2), lines=TWO)
    assert cells(result, 2) == [(1, 1, "0")] and result.event.points_adjusted == (2,) and codes(result) == []


def test_a_game_that_is_decided_to_be_a_forfeit_is_not_rated():
    result = read(abnormal("-", 1, 2), lines=TWO)
    assert cells(result, 2) == [(1, 1, "-")] and only(result, "result-by-decision").severity == "note"


def test_a_record_299_that_cannot_be_read():
    assert only(read("299 W x y z", lines=TWO), "record-unreadable").severity == "warning"
