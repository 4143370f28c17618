"""Names, dates, pace, the period an event belongs to, the list in force, and the same event twice."""

from __future__ import annotations

from datetime import date

import pytest

from fide_batch import checks
from fide_batch.checks.situation import SealedMonth, SealedReport, Situation, days_of, reports_near
from fide_batch.model import Period, Reports
from tests.checks.build import FOUR, NOVEMBER, OCTOBER, check, codes, decide, only, rating_list, report

OLD = [(Period(2026, 1), rating_list())]


def test_every_fault_of_a_head_is_told_at_once() -> None:
    found = codes(check(report(*FOUR, name=" ", start=None, end=None, control="")), "error")

    assert sorted(found) == ["end-missing", "name-missing", "pace-unclear", "start-missing"]


def test_start_after_end() -> None:
    assert codes(check(report(*FOUR, start=date(2026, 10, 5), end=date(2026, 10, 4)))) == ["dates-reversed"]


@pytest.mark.parametrize(("end", "expected"), [(date(2026, 10, 31), []), (date(2026, 11, 1), ["long-event"])])
def test_an_event_over_thirty_days_wants_to_be_parted(end: date, expected: list[str]) -> None:
    assert [
        code for code in codes(check(report(*FOUR, start=date(2026, 10, 1), end=end))) if code != "after-closing"
    ] == expected


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (date(2026, 12, 1), ["after-period"]),
        (date(2026, 11, 30), ["after-closing"]),
        (date(2026, 10, 30), ["after-closing"]),
        (date(2026, 10, 29), []),
        (date(2026, 9, 29), []),
        (date(2026, 9, 28), ["late"]),
        (date(2026, 7, 30), ["late"]),
        (date(2026, 7, 29), ["too-late"]),
    ],
)
def test_which_list_an_event_belongs_to(end: date, expected: list[str]) -> None:
    """The list of 1 November takes what ends from 29 September to 29 October; it is the third list after 30 July, the fourth after 29 July."""
    assert codes(check(report(*FOUR, start=end, end=end), lists=OLD)) == expected


def test_after_the_period_the_hint_names_the_right_one() -> None:
    assert "2027-01" in only(check(report(*FOUR, start=date(2026, 12, 9), end=date(2026, 12, 10))), "after-period").hint


def test_late_says_how_many_lists_and_days() -> None:
    message = only(check(report(*FOUR, start=date(2026, 9, 28), end=date(2026, 9, 28)), lists=OLD), "late").message

    assert "34 days" in message and "2026-10" in message and "1 list late" in message


def test_without_a_period_dates_are_not_held_against_one() -> None:
    assert (
        codes(
            check(
                report(*FOUR, start=date(2019, 1, 1), end=date(2019, 1, 2)), period=None, lists=[(None, rating_list())]
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("start", "place", "expected"),
    [(date(2026, 9, 30), 0, []), (date(2026, 10, 1), 1, []), (date(2026, 8, 31), 0, ["before-oldest-list"])],
)
def test_the_list_in_force_is_the_newest_on_the_first_day(start: date, place: int, expected: list[str]) -> None:
    lists = [(Period(2026, 9), rating_list()), (OCTOBER, rating_list())]

    checked = check(report(*FOUR, start=start, end=date(2026, 10, 4)), lists=lists)

    assert checked.list_of_event == [place]
    assert [code for code in codes(checked) if code != "long-event"] == expected


# --- the same event twice -----------------------------------------------------------------------

SHUFFLED = ("Reed, Dan: 4b0 3w0 2b0", "Falk, Cora: 3b0 4w= 1w1", "Moor, Ben: 2w1 1b1 4b1", "Vale, Ann: 1w1 2b= 3w0")
"""The games of FOUR with other start numbers."""

CHANGED = ("Vale, Ann: 4w1 3b= 2w=", "Moor, Ben: 3w1 4b1 1b=", *FOUR[2:])


def test_the_same_event_under_another_name_in_another_file_with_other_start_numbers() -> None:
    checked = check(report(*FOUR), report(*SHUFFLED, file="same.trf", name="Harbor Festival"))

    problem = only(checked, "duplicate-report")
    assert problem.severity == "error" and problem.file == "same.trf" and "open.trf" in problem.message
    assert checked.fingerprints[0] == checked.fingerprints[1]


def test_players_without_id_are_known_by_name_in_any_order() -> None:
    one = report("Pike, Finn: 2w1", "Lake, Gil: 1b0")
    two = report("Gil Lake: 2b0", "Finn Pike: 1w1", file="two.trf")

    assert "duplicate-report" in codes(check(one, two))


def test_which_of_two_is_the_first_does_not_depend_on_their_order() -> None:
    one, two = report(*FOUR), report(*SHUFFLED, file="same.trf")

    assert [problem.file for problem in check(one, two).problems] == [
        problem.file for problem in check(two, one).problems
    ]


@pytest.mark.parametrize("change", [{"start": date(2026, 10, 1)}, {"end": date(2026, 10, 5)}])
def test_other_dates_are_another_fingerprint_and_told_as_a_correction(change: dict) -> None:
    checked = check(report(*FOUR), report(*FOUR, file="two.trf", **change))

    assert checked.fingerprints[0] != checked.fingerprints[1]
    assert set(codes(checked, "error")) == {"correction"}


def test_a_correction_says_what_has_changed() -> None:
    checked = check(report(*FOUR), report(*CHANGED, file="open-2.trf"))

    told = [problem for problem in checked.problems if problem.code == "correction"]
    assert {problem.file for problem in told} == {"open.trf", "open-2.trf"}
    assert all("1 result changed: round 3, " in problem.message for problem in told)


def test_a_correction_with_a_new_player() -> None:
    more = report(*FOUR[:3], "Reed, Dan: 1b0 2w0 3b0 5w1", "Pike, Finn: . . . 4b0", file="zz.trf")

    message = only(check(report(*FOUR), more), "rounds-again").message
    assert "rounds 1 to 3 are the same" in message and "new: round 4" in message


def sealed(checked, period: Period = OCTOBER) -> SealedReport:
    return SealedReport(
        period,
        checked.reports.events[0].file,
        checked.reports.events[0].name,
        "",
        checked.fingerprints[0],
        checked.keys[0],
    )


def test_a_report_of_a_sealed_month() -> None:
    before = sealed(check(report(*FOUR, file="autumn.trf", name="Autumn")))

    problem = only(check(report(*SHUFFLED), sealed=[before]), "duplicate-report")

    assert "autumn.trf, rated in 2026-10" in problem.message


def test_a_correction_of_a_sealed_month_says_the_round_and_how_to_replace() -> None:
    before = sealed(check(report(*FOUR, file="autumn.trf")))

    problem = only(check(report(*CHANGED), sealed=[before]), "correction")

    assert problem.severity == "error"
    assert "round 3 changed" in problem.message and "--replace" in problem.hint


@pytest.mark.parametrize(
    ("first", "last", "read"),
    [
        ("2026-09-01", "2026-10-01", False),
        ("2026-09-01", "2026-10-02", True),
        ("2026-10-03", "2026-10-03", True),
        ("2026-10-04", "2026-10-31", True),
        ("2026-10-05", "2026-10-31", False),
    ],
)
def test_sealed_months_are_read_when_their_events_have_days_in_common_with_one_at_hand(
    first: str, last: str, read: bool
) -> None:
    """The event is of 2 to 4 October."""
    before = sealed(check(report(*FOUR)))
    month = SealedMonth(lambda: [before], (first, last))

    assert reports_near([month], [report().event]) == ([before] if read else [])


def test_of_an_event_with_one_day_that_day_is_looked_for_and_without_any_nothing() -> None:
    before = sealed(check(report(*FOUR)))
    month = SealedMonth(lambda: [before], ("2026-10-01", "2026-10-03"))

    assert reports_near([month], [report(start=None).event]) == []
    assert reports_near([month], [report(end=None).event]) == [before]
    assert reports_near([month], [report(start=None, end=None).event]) == []
    assert reports_near([month], [report(start=date(2026, 10, 9), end=date(2026, 10, 2)).event]) == [before], "reversed"


def test_the_days_of_a_month_are_from_its_first_event_to_its_last() -> None:
    events = [report(start=date(2026, 10, 2), end=date(2026, 10, 9)), report(start=date(2026, 9, 5), end=None)]

    assert days_of(found.event for found in events) == ("2026-09-05", "2026-10-09")
    assert days_of([]) is None


def test_days_given_by_decision_are_the_days_a_sealed_month_is_looked_for_by() -> None:
    month = SealedMonth(lambda: [sealed(check(report(*FOUR, file="autumn.trf")))], ("2026-10-02", "2026-10-04"))
    undated = report(*SHUFFLED, start=None, end=None)
    decisions = [decide("start 2026-10-02"), decide("end 2026-10-04")]

    checked = checks.check(
        Reports.gather([undated]), Situation(NOVEMBER, [(OCTOBER, rating_list())], decisions, sealed=[month])
    )

    assert "autumn.trf, rated in 2026-10" in only(checked, "duplicate-report").message


def test_parts_of_a_long_event_are_no_repeats() -> None:
    """A league handed over round by round, with the same start numbers and names, each part with its own dates."""
    first = report("Vale, Ann: 2w1", "Moor, Ben: 1b0", start=date(2026, 9, 5), end=date(2026, 9, 5))
    second = report("Vale, Ann: 2w1", "Moor, Ben: 1b0", start=date(2026, 10, 3), end=date(2026, 10, 3))

    assert codes(check(second, sealed=[sealed(check(first, lists=OLD))])) == []


def test_other_rounds_of_the_same_days_are_no_repeats() -> None:
    assert "error" not in {
        problem.severity
        for problem in check(
            report("Vale, Ann: 2w1", "Moor, Ben: 1b0"), report("Vale, Ann: . 2b0", "Moor, Ben: . 1w1", file="two.trf")
        ).problems
    }


def test_an_interim_report_is_not_counted_twice() -> None:
    interim = sealed(check(report(*(player[:-4] for player in FOUR), start=date(2026, 9, 25), end=date(2026, 10, 20))))
    whole = report(*FOUR, start=date(2026, 9, 25), end=date(2026, 11, 20))

    problem = only(check(whole, sealed=[interim]), "rounds-again")

    assert problem.severity == "error" and "new: round 3" in problem.message and "leave out rounds 1-2" in problem.hint


def test_two_matches_of_the_same_players_on_the_same_days_in_two_controls() -> None:
    rapid = report("Vale, Ann: 2w1 2b=", "Moor, Ben: 1b0 1w=", control="rapid", file="rapid.trf")
    blitz = report("Vale, Ann: 2w0 2b=", "Moor, Ben: 1b1 1w=", control="blitz", file="blitz.trf")

    assert codes(check(rapid, blitz), "error") == []


TWINS = ("duplicate-report", "correction", "rounds-again")


def twins(code: str) -> tuple:
    """Two reports of what looks like one event, told under a code at the second."""
    second = {
        "duplicate-report": report(*SHUFFLED, file="same.trf", control="rapid"),
        "correction": report(*CHANGED, file="same.trf"),
        "rounds-again": report(*(player[:-4] for player in FOUR), file="same.trf"),
    }[code]
    return report(*FOUR), second


@pytest.mark.parametrize("code", TWINS)
def test_what_looks_like_one_event_is_refused_and_the_message_says_how_it_is_overruled(code: str) -> None:
    found = [problem for problem in check(*twins(code)).problems if problem.code == code]

    assert all(problem.severity == "error" for problem in found)
    assert all(f"decide 'accept' with the code {code}" in problem.hint for problem in found)


@pytest.mark.parametrize("code", TWINS)
def test_two_events_that_look_like_one_are_rated_by_decision(code: str) -> None:
    checked = check(*twins(code), decisions=[decide("accept", file="same.trf", code=code)])

    assert codes(checked, "error") == []
    assert set(codes(checked, "warning")) == {code}
    assert "the arbiter has confirmed it" in only(checked, "decided").message


@pytest.mark.parametrize("code", TWINS)
def test_two_events_that_look_like_one_are_accepted_for_a_run(code: str) -> None:
    assert codes(check(*twins(code), accept=[code]), "error") == []


@pytest.mark.parametrize("code", TWINS)
def test_a_decision_that_does_not_name_it_lets_no_event_be_rated_twice(code: str) -> None:
    checked = check(*twins(code), decisions=[decide("accept", file="")])

    assert set(codes(checked, "error")) == {code}


def test_a_third_report_of_the_same_games_needs_a_decision_of_its_own() -> None:
    third = report(*FOUR, file="third.trf")

    checked = check(
        *twins("duplicate-report"), third, decisions=[decide("accept", file="same.trf", code="duplicate-report")]
    )

    assert [problem.file for problem in checked.problems if problem.severity == "error"] == ["third.trf"]


@pytest.mark.parametrize("games", [FOUR, CHANGED])
def test_an_event_like_one_of_a_sealed_month_is_rated_by_decision(games: tuple[str, ...]) -> None:
    before = sealed(check(report(*FOUR, file="autumn.trf")))
    code = "duplicate-report" if games is FOUR else "correction"

    refused = only(check(report(*games), sealed=[before]), code)
    checked = check(report(*games), sealed=[before], decisions=[decide("accept", code=code)])

    assert f"decide 'accept' with the code {code}" in refused.hint
    assert codes(checked, "error") == []


def test_two_reports_without_games_are_not_the_same_event() -> None:
    assert codes(check(report("Vale, Ann"), report("Moor, Ben", file="two.trf")), "error") == []


def test_the_fingerprint_does_not_depend_on_the_period_or_the_list() -> None:
    assert check(report(*FOUR)).fingerprints == check(report(*FOUR), lists=[], period=NOVEMBER.plus(3)).fingerprints


def test_rounds_dated_after_a_part_of_a_longer_event_are_no_fault() -> None:
    """A league handed over in parts whose head keeps the dates of all its rounds."""
    from fide_batch.model import Problem

    part = report(
        "Vale, Ann: 2w1 2b0", "Moor, Ben: 1b0 1w1", rounds=3, round_dates=(date(2026, 10, 2), date(2026, 10, 4), date(2026, 11, 20))
    )  # fmt: skip
    part.problems.append(
        Problem("round-dates-outside", "error", "open.trf", 8, 1, "round 3 is dated 2026-11-20, outside the event")
    )
    whole = report(
        "Vale, Ann: 2w1 2b0 2w=", "Moor, Ben: 1b0 1w1 1b=", rounds=3, round_dates=(date(2026, 10, 2), date(2026, 10, 4), date(2026, 11, 20))
    )  # fmt: skip
    whole.problems += part.problems

    assert codes(check(part)) == ["part"]
    assert codes(check(whole)) == ["round-dates-outside"]


def test_a_list_that_never_was_makes_nobody_late() -> None:
    """Lists every two months: an event of January belongs to March, there was no list of February."""
    january = report(*FOUR, start=date(2026, 1, 10), end=date(2026, 1, 15))
    lists = [(Period(2026, 1), rating_list())]

    def told(dates: list[Period]) -> list[str]:
        situation = Situation(Period(2026, 3), lists, dates=dates)
        return [problem.code for problem in checks.check(Reports.gather([january]), situation).problems]

    assert "late" not in told([Period(2026, 1)])
    assert "late" in told([Period(2026, 1), Period(2026, 2)])
    assert "late" in told([]), "without any history lists are taken as monthly"
