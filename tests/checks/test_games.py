"""Every game from both sides: what is a fault and what is none (icu_tournament's cases restated: BH-01 to 04, 15 to 20, 23)."""

from __future__ import annotations

import pytest

from fide_batch.model import texts
from tests.checks.build import EVENT, FOUR, check, codes, only, report


def results(checked) -> str:
    return "".join(chr(letter) for letter in checked.reports.cells.column("result").to_pylist())


def test_a_sound_event_has_no_problems() -> None:
    assert codes(check(report(*FOUR, points=[1.5, 3, 1.5, 0]))) == []


@pytest.mark.parametrize(
    ("one", "other"), [("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "+"), ("-", "-"), ("W", "L"), ("D", "D")]
)
def test_results_that_fit(one: str, other: str) -> None:
    assert codes(check(report(f"Vale, Ann: 2w{one}", f"Moor, Ben: 1b{other}"))) == []


@pytest.mark.parametrize(
    ("one", "other"), [("1", "="), ("1", "1"), ("=", "0"), ("1", "-"), ("+", "0"), ("1", "Z"), ("W", "0")]
)
def test_sides_of_a_rated_game_that_disagree_are_an_error_with_both_lines(one: str, other: str) -> None:
    problem = only(check(report(f"Vale, Ann: 2w{one}", f"Moor, Ben: 1b{other}")), "sides-disagree")

    assert (problem.severity, problem.line) == ("error", 9)
    for said in ("round 1", "1 Vale, Ann", "2 Moor, Ben", "line 10"):
        assert said in problem.message


@pytest.mark.parametrize(("one", "other"), [("+", "+"), ("+", "Z"), ("W", "D")])
def test_sides_of_an_unrated_game_that_differ_are_a_warning(one: str, other: str) -> None:
    assert codes(check(report(f"Vale, Ann: 2w{one}", f"Moor, Ben: 1b{other}"))) == ["sides-differ"]


def test_a_game_lost_by_both_is_possible_and_worth_a_look() -> None:
    assert only(check(report("Vale, Ann: 2w0", "Moor, Ben: 1b0")), "both-lost").severity == "warning"


@pytest.mark.parametrize("colour", ["w", "b"])
def test_both_with_one_colour(colour: str) -> None:
    problem = only(check(report(f"Vale, Ann: 2{colour}1", f"Moor, Ben: 1{colour}0")), "same-colour")

    assert problem.severity == "error"
    assert {"w": "White", "b": "Black"}[colour] in problem.message


def test_a_colour_that_is_not_told_is_no_fault() -> None:
    assert codes(check(report("Vale, Ann: 2-1", "Moor, Ben: 1b0"))) == []


def test_paired_with_oneself() -> None:
    assert codes(check(report("Vale, Ann: 1w1", "Moor, Ben: -Z"))) == ["oneself"]


def test_an_opponent_nobody_knows() -> None:
    problem = only(check(report("Vale, Ann: 7w1", "Moor, Ben: -Z")), "unknown-opponent")

    assert (problem.line, problem.column) == (9, 92)
    assert "7" in problem.message


def test_a_game_in_one_line_only() -> None:
    problem = only(check(report("Vale, Ann: 2w1", "Moor, Ben: 3b0", "Falk, Cora: 2w1")), "one-sided")

    assert "2 Moor, Ben, who has 3 b 0 in that round (line 10)" in problem.message


def test_a_forfeit_in_one_line_only_changes_nothing_and_is_a_warning() -> None:
    assert codes(check(report("Vale, Ann: 2w+", "Moor, Ben: -Z"))) == ["one-sided-forfeit"]


def test_an_opponent_without_result_is_taken_as_not_played() -> None:
    checked = check(report("Vale, Ann: 2w 2w1", "Moor, Ben: 1b 1b0"))

    assert codes(checked) == ["result-missing"]
    assert results(checked) == " 1 0"


def test_a_colour_without_opponent_and_result_is_no_fault() -> None:
    assert codes(check(report("Vale, Ann: 0w 2w1", "Moor, Ben: -Z 1b0"))) == []


@pytest.mark.parametrize(("cell", "letter"), [("-=", "H"), ("-1", "F"), ("-0", "Z")])
def test_a_result_without_opponent_and_colour_is_read_as_a_bye(cell: str, letter: str) -> None:
    checked = check(report(f"Vale, Ann: {cell} 2w1", "Moor, Ben: -Z 1b0"))

    assert codes(checked) == ["bye-as-result"]
    assert results(checked) == f"{letter}1Z0"


def test_a_win_with_a_colour_and_without_opponent_is_an_error() -> None:
    checked = check(report("Vale, Ann: w1 2w1", "Moor, Ben: -Z 1b0"))

    assert codes(checked, "error") == ["result-without-opponent"]
    assert results(checked) == "F1Z0", "accepted it is a bye, never a game"


def twice(second: str):
    """The second player's first round once more, told by a second line of cells."""
    found = report("Vale, Ann: 2w1", "Moor, Ben: 1b0")
    again = report("Vale, Ann: 2w1", f"Moor, Ben: {second}")
    found.cells += again.cells
    return found


def test_the_same_result_given_twice_counts_once() -> None:
    checked = check(twice("1b0"))

    assert set(codes(checked)) == {"game-twice"}
    assert results(checked) == "10"


def test_two_different_results_in_one_round() -> None:
    assert codes(check(twice("1b1")), "error") == ["two-results"]


def test_a_double_round_robin_is_no_repetition() -> None:
    assert codes(check(report("Vale, Ann: 2w1 2b0", "Moor, Ben: 1b0 1w1"))) == []


def test_the_order_of_cells_does_not_matter() -> None:
    sound, shuffled = report(*FOUR), report(*FOUR)
    shuffled.cells.reverse()

    one, other = check(sound), check(shuffled)

    assert codes(other) == codes(one) == []
    assert other.reports.cells.equals(one.reports.cells)
    assert other.fingerprints == one.fingerprints


def test_faults_after_the_twentieth_of_a_file_are_counted() -> None:
    players = [
        f"Player {number}, A: {number + 1 if number % 2 else number - 1}{'w' if number % 2 else 'b'}1"
        for number in range(1, 61)
    ]

    found = [problem for problem in check(report(*players)).problems if problem.code == "sides-disagree"]

    assert len(found) == 21
    assert sorted(problem.message for problem in found)[0] == "and 10 more like the 20 told one by one"


# --- rounds -------------------------------------------------------------------------------------


def test_fewer_rounds_than_declared_are_rated_only_when_told_so() -> None:
    event = report(*FOUR, rounds=5)

    assert only(check(event), "incomplete").severity == "error"
    assert only(check(event, accept=["incomplete"]), "incomplete").severity == "warning"


def test_as_many_rounds_as_declared() -> None:
    assert codes(check(report(*FOUR, rounds=3))) == []


@pytest.mark.parametrize("letter", ["*", "?"])
def test_a_result_that_is_not_known_leaves_the_event_incomplete(letter: str) -> None:
    problem = only(check(report(f"Vale, Ann: 2w{letter}", f"Moor, Ben: 1b{letter}")), "incomplete")

    assert "1 game has no result" in problem.message


def test_a_last_round_without_results_leaves_the_event_incomplete() -> None:
    assert "incomplete" in codes(check(report("Vale, Ann: 2w1 2b", "Moor, Ben: 1b0 1w")), "error")


def test_later_rounds_of_a_longer_event_are_a_part() -> None:
    assert codes(check(report("Vale, Ann: . . 2w1", "Moor, Ben: . . 1b0", rounds=9))) == ["part"]


def test_first_rounds_are_a_part_when_the_others_are_dated_after_the_end() -> None:
    from datetime import date

    dates = (date(2026, 10, 2), date(2026, 10, 4), date(2026, 11, 6))

    assert codes(check(report("Vale, Ann: 2w1 2b0", "Moor, Ben: 1b0 1w1", rounds=3, round_dates=dates))) == ["part"]


def test_games_after_the_last_declared_round() -> None:
    assert codes(check(report(*FOUR, rounds=2)), "error") == ["more-rounds"]


def test_a_stray_cell_for_who_withdrew_is_no_round() -> None:
    checked = check(report(*FOUR[:3], "Reed, Dan: 1b0 2w0 3b0 --"))

    assert codes(checked) == ["extra-round"]
    assert max(checked.reports.cells.column("round").to_pylist()) == 3


def test_players_without_games_are_told() -> None:
    assert codes(check(report("Vale, Ann", "Moor, Ben"))) == ["no-games"]


def test_no_players_is_told_and_stops_nothing() -> None:
    assert codes(check(report())) == ["no-players"]


# --- totals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rounds", "total", "expected"),
    [
        ("2w1 2b1", 2, []),
        ("2w1 2b1", 1.5, ["points-low"]),
        ("2w1 2b1", 2.5, ["points-bye"]),
        ("2w1 2b1 .", 2.5, ["points-bye"]),
        ("2w1 2b1 .", 3, ["points-high"]),
        ("2w1 2b1 .", 3.5, ["points-wrong"]),
        ("2w1 2b1 -H", 2.5, []),
        ("2w1 2b1 -U", 3, []),
        ("2w1 2b1 -U", 2.5, ["bye-points"]),
        ("2w1 2b1 -U", 2, ["bye-points"]),
        ("2w1 2b1 -F", 3, []),
        ("2w1 2b1 -Z", 2, []),
    ],
)  # fmt: skip
def test_totals(rounds: str, total: float, expected: list[str]) -> None:
    event = report(f"Vale, Ann: {rounds}", "Moor, Ben: 1b0 1w0 3w1", "Falk, Cora: . . 2b0", points=[total, 1, 0])

    assert codes(check(event)) == expected


def test_a_total_higher_than_the_results_with_every_round_played_is_wrong() -> None:
    assert codes(check(report(*FOUR, points=[2, 3, 1.5, 0]))) == ["points-wrong"]


def test_a_bye_of_a_round_not_paired_yet_may_be_missing_in_the_total() -> None:
    assert codes(check(report("Vale, Ann: 2w1 -H", "Moor, Ben: 1b0", points=[1, 0]))) == ["points-ahead"]


def test_totals_may_be_counted_by_other_values() -> None:
    values = (("W", 30000), ("D", 10000), ("L", 0), ("A", 0))

    assert codes(check(report(*FOUR, points=[4, 9, 4, 0], point_values=values))) == []
    assert codes(check(report(*FOUR, points=[4, 9, 4, 0]))) == ["points-3-1-0"]
    assert codes(check(report(*FOUR, points=[1.5, 3, 1.5, 0], point_values=values)), "error")


def test_a_total_changed_by_decision_need_not_add_up() -> None:
    assert codes(check(report(*FOUR, points=[1.5, 2, 1.5, 0], points_adjusted=(2,)))) == []


def test_names_stand_in_messages_as_printed() -> None:
    found = check(report("=HYPERLINK(1), X: 1w1"))

    assert texts(found.reports.entries, "name") == ["=HYPERLINK(1), X"]
    assert EVENT.file in {problem.file for problem in found.problems}
