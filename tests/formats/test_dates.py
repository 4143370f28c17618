"""Dates as they stand in reports of the field, and the promise that day and month are never swapped in silence."""

from datetime import date

import pytest

from fide_batch.formats.dates import birth, contradictions, readings, settle


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/09/05", date(2026, 9, 5)),
        ("2008-02-01", date(2008, 2, 1)),
        ("2005.07.28", date(2005, 7, 28)),
        ("25.02.2011", date(2011, 2, 25)),
        ("28. 07. 2005", date(2005, 7, 28)),
        ("1.9.2026", date(2026, 9, 1)),
        ("20260905", date(2026, 9, 5)),
        ("May 29, 2020", date(2020, 5, 29)),
        ("29. Mai 2020", date(2020, 5, 29)),
        ("5 août 2026", date(2026, 8, 5)),
        ("5 de septiembre de 2026", date(2026, 9, 5)),
        ("Saturday, 5 September 2026", date(2026, 9, 5)),
        ("2026/09/05 10:00", date(2026, 9, 5)),
        ("24/09/2010", date(2010, 9, 24)),
        ("2026/25/02", date(2026, 2, 25)),
    ],
)
def test_a_date_with_one_reading(text, day):
    assert [reading.day for reading in readings(text)] == [day]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026",
        "2026/02/30",
        "31.04.2026",
        "99/99/99",
        "September 2026",
        "5 6 2026 May",
        "0000/00/00",
        "2/3",
    ],
)
def test_no_date(text):
    assert readings(text) == ()


def test_a_date_with_strokes_and_the_year_last_has_two_readings():
    assert {reading.day for reading in readings("08/04/2018")} == {date(2018, 4, 8), date(2018, 8, 4)}


# --- the dates of a report together ---------------------------------------------------------------


def told(settled):
    return [(remark.severity, remark.code, remark.place) for remark in settled.remarks]


def test_dates_as_the_handbook_prescribes_say_nothing():
    settled = settle("2026/09/05", "2026/09/06", ("26/09/05", "26/09/06"))
    assert settled.days == (date(2026, 9, 5), date(2026, 9, 6), date(2026, 9, 5), date(2026, 9, 6))
    assert settled.remarks == () and contradictions(settled) == []


def test_day_or_month_first_is_an_error_when_nothing_decides():
    settled = settle("05/09/2026", "06/09/2026")
    assert told(settled) == [("error", "date-ambiguous", 0)]
    assert "5 September 2026" in settled.remarks[0].message and "9 May 2026" in settled.remarks[0].message


def test_the_other_date_decides_and_that_is_a_note():
    settled = settle("24/09/2010", "02/10/2010")
    assert settled.days == (date(2010, 9, 24), date(2010, 10, 2))
    assert told(settled) == [("note", "date-order", 1)]


def test_the_month_first_when_the_other_date_says_so():
    assert settle("09/05/2026", "09/26/2026").days == (date(2026, 9, 5), date(2026, 9, 26))


def test_the_dates_of_the_rounds_decide():
    settled = settle("08/04/2018", "10/06/2018", ("18/04/08", "18/05/27"))
    assert settled.days[:2] == (date(2018, 4, 8), date(2018, 6, 10))
    assert told(settled) == [("note", "date-order", 0)]


def test_points_put_the_day_first_without_a_word():
    assert told(settle("25.02.2011", "27.02.2011")) == []


def test_the_same_day_and_month_is_not_ambiguous():
    assert settle("05/05/2020", "05/05/2020").remarks == ()


def test_two_digits_are_year_month_day_and_that_is_said_of_the_head():
    settled = settle("11.09.26", "12.04.01")
    assert settled.days == (date(2011, 9, 26), date(2012, 4, 1))
    assert told(settled) == [("note", "date-order", 0)]


def test_rounds_written_year_day_month_are_read_so_with_a_note():
    settled = settle("25.02.2011", "27.02.2011", ("11.25.02", "11.26.02", "11.27.02"))
    assert settled.rounds == (date(2011, 2, 25), date(2011, 2, 26), date(2011, 2, 27))
    assert told(settled) == [("note", "date-order", 2)]


def test_rounds_written_day_month_year_are_read_so_with_a_note():
    settled = settle("2026/09/05", "2026/09/06", ("05.09.26", "06.09.26"))
    assert settled.rounds == (date(2026, 9, 5), date(2026, 9, 6))
    assert told(settled) == [("note", "date-order", 2)]


def test_a_start_that_is_no_date_is_an_error_and_a_round_that_is_none_a_warning():
    assert told(settle("soon", "2026/09/06", ("x",))) == [
        ("error", "date-unreadable", 0),
        ("warning", "round-date-unreadable", 2),
    ]


def test_start_after_end():
    assert [(remark.severity, remark.code) for remark in contradictions(settle("2026/09/06", "2026/09/05"))] == [
        ("error", "dates-reversed")
    ]


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        (("26/09/05", "26/09/06"), []),
        (("26/09/05", ""), []),
        (("26/09/06", "26/09/06"), ["warning round-dates-differ"]),
        (("26/09/05", "26/09/05"), ["warning round-dates-differ"]),
        (("26/09/04", "26/09/06"), ["error round-dates-outside"]),
        (("26/09/05", "26/09/07"), ["error round-dates-outside"]),
        (("25/09/05", "25/09/06"), ["error round-dates-outside"]),
        (
            ("26/09/06", "26/09/05"),
            ["error round-dates-decrease", "warning round-dates-differ", "warning round-dates-differ"],
        ),
    ],
)
def test_rounds_lie_inside_the_event_and_should_begin_and_end_it(rounds, told):
    remarks = contradictions(settle("2026/09/05", "2026/09/06", rounds))
    assert [f"{remark.severity} {remark.code}" for remark in remarks] == told


def test_a_report_of_three_rounds_of_five_need_not_end_with_the_last_date():
    settled = settle("2026/09/05", "2026/09/09", ("26/09/05", "26/09/06", "26/09/07"))
    assert contradictions(settled, declared_rounds=5) == []
    assert len(contradictions(settled, declared_rounds=3)) == 1


# --- birth -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2008", "2008"),
        ("2008/03/04", "2008-03-04"),
        ("1969.12.06", "1969-12-06"),
        ("2005-10-01", "2005-10-01"),
        ("2008/00/00", "2008"),
        ("0000/00/00", ""),
        ("    .  .  ", ""),
        ("", ""),
        ("25.02.2011", "2011-02-25"),
    ],
)
def test_birth_dates_of_the_field_are_read_in_silence(text, read):
    assert birth(text) == (read, "", "")


def test_of_a_birth_date_that_may_be_swapped_only_the_year_is_kept():
    read, severity, _ = birth("04/03/2008")
    assert (read, severity) == ("2008", "note")


@pytest.mark.parametrize(
    ("text", "read"), [("2008/13/40", "2008"), ("CM1", ""), ("67", ""), ("1234", ""), ("26/09/05", "")]
)
def test_a_birth_date_that_is_none_is_a_warning(text, read):
    assert birth(text)[:2] == (read, "warning")
