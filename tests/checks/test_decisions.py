"""Rulings of the rating officer: ``decisions.csv``, ``--accept`` and ``--skip-faulty``."""

from __future__ import annotations

from datetime import date

import pytest

from fide_batch import checks
from fide_batch.checks.control_list import control_list
from fide_batch.checks.decisions import concerns
from fide_batch.checks.situation import SealedMonth, SealedReport, Situation
from fide_batch.model import Period, Reports
from tests.checks.build import FOUR, check, codes, decide, only, rating_list, report

FAULTY = ("Vale, Ann: 4w1 3b= 2w0", "Moor, Ben: 3w1 4b1 1b=", *FOUR[2:])
"""Round 3 of the first two disagrees."""


def letters(checked) -> str:
    return "".join(chr(letter) for letter in checked.reports.cells.column("result").to_pylist())


def test_a_row_is_given_an_id() -> None:
    checked = check(report(*FOUR, entries={1: {"fideid": 0, "name": "Vale A"}}), decisions=[decide("id 1503014", "1")])

    assert codes(checked) == ["decided"]
    assert checked.player.tolist()[0] == 1503014
    assert [decision.decision for decision in checked.decided] == ["id 1503014"]
    assert "reason: the arbiter has confirmed it" in only(checked, "decided").message


def test_the_decision_wins_over_the_report() -> None:
    checked = check(report(*FOUR, entries={1: {"fideid": 1503057}}), decisions=[decide("id 1503014", "line 9")])

    assert checked.player.tolist()[0] == 1503014


def test_a_row_that_is_no_start_number_is_a_line_of_the_report() -> None:
    """Row 9 of a sheet with four players is its ninth line: the player written there."""
    checked = check(report(*FOUR, entries={1: {"fideid": 0}}), decisions=[decide("id 1503014", "9")])

    assert codes(checked) == ["decided"]
    assert checked.player.tolist()[0] == 1503014


def test_a_start_number_goes_before_a_line() -> None:
    """The first player stands in line 9; where somebody has start number 9, row 9 is his."""
    players = [
        f"Player {number}, A: {number + 1 if number % 2 else number - 1}{'w' if number % 2 else 'b'}{number % 2}"
        for number in range(1, 11)
    ]
    checked = check(report(*players), decisions=[decide("id 77000001", "9")])

    assert checked.player.tolist()[8] == 77000001
    assert checked.player.tolist()[0] != 77000001


def test_the_file_is_named_by_the_end_of_its_path() -> None:
    event = report(*FOUR, file="results/autumn/open.trf", entries={1: {"fideid": 0}})

    assert codes(check(event, decisions=[decide("id 1503014", "1", "autumn/open.trf")])) == ["decided"]
    assert "decision-unused" in codes(check(event, decisions=[decide("id 1503014", "1", "pen.trf")]))


def test_a_problem_of_one_row_is_accepted() -> None:
    event = report(
        *FOUR, entries={1: {"name": "Petit, Lea", "birth": "2014"}, 2: {"name": "Petit, Paul", "birth": "1999"}}
    )

    checked = check(event, decisions=[decide("accept", "1", code="wrong-person")])

    told = {problem.line: problem.severity for problem in checked.problems if problem.code == "wrong-person"}
    assert told == {9: "warning", 10: "error"}


def test_a_decision_about_a_row_beyond_those_told_one_by_one() -> None:
    players = [
        f"Player {number}, A: {number + 1 if number % 2 else number - 1}{'w' if number % 2 else 'b'}{number % 2}"
        for number in range(1, 61)
    ]
    found = check(report(*players, points=[2] * 60), decisions=[decide("accept", "57", code="points-wrong")])

    assert [
        problem.line for problem in found.problems if problem.code == "points-wrong" and problem.severity == "warning"
    ] == [65]


def test_of_an_accepted_problem_it_is_not_said_how_to_accept_it() -> None:
    """Not by a decision of one row, not by ``--accept``, and not of those that are only counted."""
    event = report(*FOUR, entries={1: {"name": "Petit, Lea", "birth": "2014"}})
    as_found = only(check(event), "wrong-person")
    assert as_found.severity == "error" and "'accept'" in as_found.hint
    for ruled in ({"decisions": [decide("accept", "1", code="wrong-person")]}, {"accept": ["wrong-person"]}):
        taken = only(check(event, **ruled), "wrong-person")
        assert (taken.severity, taken.hint, taken.message) == ("warning", "accepted: nothing to do", as_found.message)

    players = [
        f"Player {number}, A: {number + 1 if number % 2 else number - 1}{'w' if number % 2 else 'b'}{number % 2}"
        for number in range(1, 61)
    ]
    many = check(report(*players, points=[2] * 60), accept=["points-wrong"]).problems
    told = [problem for problem in many if problem.code == "points-wrong"]
    assert len(told) == 21 and {problem.hint for problem in told} == {"accepted: nothing to do"}


def test_some_errors_cannot_be_accepted() -> None:
    checked = check(report(*FAULTY), decisions=[decide("accept", code="sides-disagree")], accept=["oneself"])

    assert set(codes(checked, "error")) == {"sides-disagree", "decision-unknown", "accept-unknown"}


def test_a_game_is_left_out_on_both_sides() -> None:
    checked = check(report(*FAULTY, points=[1.5, 3, 1.5, 0]), decisions=[decide("leave out round 3", "1")])

    assert codes(checked) == ["decided"]
    assert letters(checked) == "1=?11?0=1000"


def test_a_player_is_left_out_with_all_his_games() -> None:
    checked = check(
        report(*FOUR, entries={4: {"name": "Petit, Lea", "birth": "1950"}}), decisions=[decide("leave out", "4")]
    )

    assert codes(checked) == ["decided"]
    assert letters(checked) == "?=01?10=????"
    assert checked.player.tolist()[3] == 0


def test_whole_rounds_are_left_out() -> None:
    checked = check(report(*FOUR), decisions=[decide("leave out rounds 1-2")])

    assert letters(checked) == "??0??1??1??0"


def test_an_event_is_left_out_with_its_problems() -> None:
    checked = check(
        report(*FAULTY), report("Falk, Cora: 2w1", "Reed, Dan: 1b0", file="two.trf"), decisions=[decide("leave out")]
    )

    assert codes(checked) == ["decided"]
    assert [event.file for event in checked.reports.events] == ["two.trf"]
    assert len(checked.fingerprints) == len(checked.keys) == len(checked.list_of_event) == 1
    assert len(checked.player) == 2


def test_rows_of_other_reports_keep_their_decisions_when_one_is_left_out() -> None:
    second = report(
        *FOUR,
        file="two.trf",
        start=date(2026, 10, 10),
        end=date(2026, 10, 12),
        entries={1: {"name": "Petit, Lea", "birth": "2014"}},
    )
    decisions = [decide("leave out"), decide("accept", "1", "two.trf", "wrong-person")]

    assert codes(check(report(*FAULTY), second, decisions=decisions), "error") == []


def test_the_one_of_two_duplicates_that_is_left_out_is_no_duplicate() -> None:
    checked = check(report(*FOUR), report(*FOUR, file="again.trf"), decisions=[decide("leave out", file="again.trf")])

    assert codes(checked) == ["decided"]


@pytest.mark.parametrize(("decision", "name", "value"), [
    ("control rapid", "control", "rapid"), ("type swiss", "forced_kind", "swiss"), ("type round robin", "forced_kind", "round robin"),
    ("start 2026-10-01", "start", date(2026, 10, 1)), ("end 2026-10-05", "end", date(2026, 10, 5)),
])  # fmt: skip
def test_what_a_report_does_not_say_is_decided(decision: str, name: str, value: object) -> None:
    checked = check(
        report(*FOUR, control="", **({name: None} if name in ("start", "end") else {})),
        decisions=[decide(decision), decide("control standard")][: 1 if name == "control" else 2],
    )

    assert getattr(checked.reports.events[0], name) == value
    assert codes(checked, "error") == []


@pytest.mark.parametrize(
    ("decision", "row"),
    [
        ("id 1503014", "99"), ("leave out", "line 99"), ("leave out round 7", "1"), ("accept", "1"), ("accept", ""),
    ],
)  # fmt: skip
def test_a_decision_that_matches_nothing_is_a_warning(decision: str, row: str) -> None:
    assert codes(check(report(*FOUR), decisions=[decide(decision, row)])) == ["decision-unused"]


@pytest.mark.parametrize(
    ("decision", "row"),
    [
        ("excuse", ""), ("id", "1"), ("id 1503014", ""), ("id ???", "1"), ("control fast", ""), ("control rapid", "1"), ("type knockout", ""),
        ("start yesterday", ""), ("leave out round", "1"), ("leave out rounds 3-1", ""), ("accept", "Vale"), ("", "1"),
    ],
)  # fmt: skip
def test_a_decision_that_is_not_understood_is_an_error(decision: str, row: str) -> None:
    problem = only(check(report(*FOUR), decisions=[decide(decision, row)]), "decision-unknown")

    assert (problem.severity, problem.file, problem.line) == ("error", "decisions.csv", 2)


def test_accept_with_an_unknown_code_names_the_nearest() -> None:
    assert "'wrong-person'" in only(check(report(*FOUR), accept=["wrong-persons"]), "accept-unknown").message


# --- leaving out what is faulty -----------------------------------------------------------------


def test_faulty_reports_are_left_out_and_the_rest_is_kept() -> None:
    sound = report("Falk, Cora: 2w1", "Reed, Dan: 1b0", file="two.trf")
    checked, left_out = checks.skip_faulty(check(report(*FAULTY), sound))

    assert left_out == ["open.trf"]
    assert [event.file for event in checked.reports.events] == ["two.trf"]
    assert codes(checked, "error") == [] and "left-out" in codes(checked, "note")
    assert checked.player.tolist() == [1503030, 1503049]
    assert len(checked.fingerprints) == len(checked.keys) == len(checked.list_of_event) == 1


def test_nothing_faulty_nothing_left_out() -> None:
    checked = check(report(*FOUR))

    assert checks.skip_faulty(checked) == (checked, [])


def test_errors_of_no_report_still_stop_the_month() -> None:
    checked, left_out = checks.skip_faulty(check(report(*FAULTY), decisions=[decide("excuse")], accept=["nonsense"]))

    assert left_out == ["open.trf"]
    assert sorted(codes(checked, "error")) == ["accept-unknown", "decision-unknown"]


def test_a_decision_that_served_in_a_sealed_month_is_not_called_unused() -> None:
    sealed = [SealedReport(Period(2026, 10), "results/spring.trf", "Spring", "", "", "")]

    served = decide("id 1503014", "1", "spring.trf")
    nowhere = decide("id 1503014", "1", "summer.trf")

    assert codes(check(report(*FOUR), decisions=[served, nowhere], sealed=sealed)) == ["decision-unused"]


@pytest.mark.parametrize(
    ("named", "known"),
    [
        ("spring.trf", True),
        ("results/spring.trf", True),
        ("/results\\spring.trf/", True),
        ("2026/results/spring.trf", True),
        ("sults/spring.trf", False),
        ("results", False),
        ("pring.trf", False),
    ],
)
def test_the_report_of_a_month_long_ago_is_known_by_the_end_of_its_path(named: str, known: bool) -> None:
    long_ago = SealedMonth(lambda: [SealedReport(Period(2024, 1), "2026/results/spring.trf", "Spring", "", "", "")], ("2024-01-01", "2024-01-09"))  # fmt: skip
    decision = decide("id 1503014", "1", named)

    checked = checks.check(Reports.gather([report(*FOUR)]), Situation(Period(2026, 11), [(Period(2026, 10), rating_list())], [decision], sealed=[long_ago]))  # fmt: skip

    assert ("decision-unused" not in codes(checked)) is known
    assert concerns(decision, "2026/results/spring.trf") is known


# --- the control list ---------------------------------------------------------------------------


def test_the_control_list_has_a_line_an_event() -> None:
    event = report(*FOUR, entries={4: {"fideid": 0}})
    faulty = report(*FAULTY, file="bad.trf", start=date(2026, 10, 10), end=date(2026, 10, 12))
    reports = Reports.gather([event, faulty])
    checked, _ = checks.skip_faulty(check(event, faulty))

    page = control_list(reports, checked)

    rows = {row["file"]: row for row in page.data["events"]}
    first = rows["open.trf"]
    assert (first["rounds"], first["players"], first["games"], first["count"], first["warnings"]) == (3, 4, 6, 3, 1)
    assert rows["bad.trf"]["left_out"] and rows["bad.trf"]["warnings"] == 1
    grid = page.blocks[0]
    assert grid.heads[:5] == ("file", "event", "start", "end", "control")
    assert grid.rows[0][2:5] == ("2026-10-02", "10-04", "standard")
    assert page.data["events"][0]["control_from"] == "test"
