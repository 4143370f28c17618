"""The rounds in a player's line: opponent, colour, result, and what is no round at all."""

import pytest
from trf_lines import HEAD, codes, only, player, put, report

from fide_batch.formats import trf
from fide_batch.model import RESULTS, UNPLAYED


def read(*lines, head=HEAD):
    return trf.read("open.trf", report(*lines, head=head))


def cells(result, number):
    return [(cell.round, cell.opponent, cell.colour, cell.result) for cell in result.cells if cell.number == number]


@pytest.mark.parametrize("letter", [*RESULTS, *(letter for letter in UNPLAYED if letter != " ")])
def test_every_result_letter_in_both_cases(letter):
    for written in {letter, letter.lower()}:
        result = read(player(1, "A", f"2 w {written}"))
        assert cells(result, 1) == [(1, 2, "w", letter)] and codes(result, "error") == []


@pytest.mark.parametrize(("colour", "read_as"), [("w", "w"), ("W", "w"), ("b", "b"), ("B", "b"), ("-", "")])
def test_colours(colour, read_as):
    assert cells(read(player(1, "A", f"2 {colour} 1")), 1) == [(1, 2, read_as, "1")]


def test_byes_have_no_opponent():
    result = read(player(1, "A", "0000 - H", "0000 - F", "0000 - U", "0000 - Z", "0000 - -", "0000 - +"))
    assert cells(result, 1) == [(place, 0, "", letter) for place, letter in enumerate("HFUZ-+", 1)]


def test_the_half_point_bye_of_older_files_stays_as_it_is_written():
    assert cells(read(player(1, "A", "0000 - =")), 1) == [(1, 0, "", "=")]


def test_blank_rounds_in_the_middle_are_not_paired_and_keep_the_count():
    result = read(player(1, "A", "2 w 1", "", "", "3 b 0"))
    assert cells(result, 1) == [(1, 2, "w", "1"), (2, 0, "", " "), (3, 0, "", " "), (4, 3, "b", "0")]


def test_blanks_cut_from_the_end_and_blanks_left_there_are_the_same():
    line = player(1, "A", "2 w 1", "3 b 0")
    assert read(line).cells == read(line + " " * 37).cells


def test_the_place_of_a_round():
    result = read(player(1, "A", "2 w 1", "3 b 0"))
    assert [(cell.line, cell.column) for cell in result.cells] == [(6, 92), (6, 102)]


@pytest.mark.parametrize("written", ["0000 w", "0000 -", "- ", "  w"])
def test_a_colour_without_opponent_and_result_is_not_paired(written):
    line = put(
        player(1, "A", "2 w 1", "", "3 b 0"), 102, f"{written.split(' ')[0]:>4}" if written[0] == "0" else "    "
    )
    line = put(line, 107, written.strip()[-1])
    result = read(line)
    assert cells(result, 1)[1] == (2, 0, "", " ") and codes(result, "error") == []


def test_an_opponent_and_a_colour_without_result_keep_the_opponent():
    assert cells(read(player(1, "A", "12 w", "3 b 0")), 1)[0] == (1, 12, "w", " ")
    assert cells(read(player(1, "A", "3 b 0", "12 w")), 1)[1] == (2, 12, "w", " ")


def test_an_extra_round_of_withdrawn_players_is_no_round():
    lines = [player(1, "A", "2 w 1", "0000 - Z", "0000 -"), player(2, "B", "1 b 0", "0000 - U", "0000 -")]
    result = read(*lines, head=(*HEAD, "XXR 2"))
    assert max(cell.round for cell in result.cells) == 2
    problem = only(result, "extra-round")
    assert problem.severity == "note" and problem.column == 112 and "2 players" in problem.message


def test_a_game_beyond_the_declared_rounds_is_kept():
    assert cells(read(player(1, "A", "2 w 1", "3 w 1"), head=(*HEAD, "XXR 1")), 1)[1] == (2, 3, "w", "1")


def test_start_numbers_of_four_digits():
    assert cells(read(player(9999, "A", "1234 w 1", "9998 b 0")), 9999) == [(1, 1234, "w", "1"), (2, 9998, "b", "0")]


@pytest.mark.parametrize(
    ("column", "text", "code", "at"),
    [
        (102, "  x2", "opponent-unreadable", 102),
        (102, "1  2", "opponent-unreadable", 102),
        (107, "x", "colour-unknown", 107),
        (109, "x", "result-unknown", 109),
        (106, "w", "columns-shifted", 106),
        (108, "1", "columns-shifted", 108),
        (100, "1", "columns-shifted", 100),
        (101, "1", "columns-shifted", 101),
    ],
)
def test_a_round_that_cannot_be_read_is_an_error_with_its_column(column, text, code, at):
    result = read(put(player(1, "A", "2 w 1", "3 b 0", "4 w 1"), column, text))
    problem = only(result, code)
    assert (problem.severity, problem.line, problem.column) == ("error", 6, at)
    assert "round 2" in problem.message and problem.source.startswith("001")


def test_all_faults_of_a_file_at_once():
    bad = put(put(player(1, "A", "2 w 1", "3 b 0"), 97, "x"), 109, "x")
    assert codes(read(bad, put(bad, 5, "   2")), "error") == ["colour-unknown", "result-unknown"] * 2


def test_a_line_cut_inside_a_round():
    line = player(1, "A", "2 w 1", "13 b 0")
    for length in (104, 105):
        assert "line-cut" in codes(read(line[:length]), "error"), line[:length]


# --- opponents by another numbering --------------------------------------------------------------------


def ranked(opponents):
    """Four players whose start numbers are 10, 20, 30, 40 and whose ranks are 3, 1, 4, 2; rank 1 beats 2, rank 3 draws with 4."""
    results = {20: "w 1", 40: "b 0", 10: "w =", 30: "b ="}
    ranks = {10: 3, 20: 1, 30: 4, 40: 2}
    return [
        player(number, f"P{number}", f"{opponents[number]} {results[number]}", points="0.5" if results[number].endswith("=") else "0.0", rank=ranks[number])
        for number in (10, 20, 30, 40)
    ]  # fmt: skip


def test_opponents_by_rank_are_found_out_by_the_games_and_that_is_a_warning():
    result = read(*ranked({20: 2, 40: 1, 10: 4, 30: 3}))
    assert [(cell.number, cell.opponent) for cell in result.cells] == [(10, 30), (20, 40), (30, 10), (40, 20)]
    assert only(result, "numbering").severity == "warning"


def test_opponents_by_the_order_of_the_lines():
    result = read(*ranked({20: 4, 40: 2, 10: 3, 30: 1}))
    assert [(cell.number, cell.opponent) for cell in result.cells] == [(10, 30), (20, 40), (30, 10), (40, 20)]


def test_opponents_by_start_number_need_no_word():
    result = read(*ranked({20: 40, 40: 20, 10: 30, 30: 10}))
    assert codes(result) == [] and [cell.opponent for cell in result.cells] == [30, 40, 10, 20]


def test_nothing_is_renumbered_when_one_game_does_not_agree():
    result = read(*ranked({20: 2, 40: 1, 10: 4, 30: 1}))
    assert [cell.opponent for cell in result.cells] == [4, 2, 1, 1] and "numbering" not in codes(result)
