"""The records of the tournament, and the records that are no rating matter."""

from datetime import date

import pytest
from trf_lines import HEAD, codes, only, player, put, report

from fide_batch.formats import trf

ANN, BEN = player(1, "Reed, Ann", "2 w 1", points="1.0"), player(2, "Moor, Ben", "1 b 0")


def read(*more, head=HEAD, lines=(ANN, BEN)):
    return trf.read("open.trf", report(*more, *lines, head=head))


def without(tag):
    return tuple(line for line in HEAD if not line.startswith(tag))


def test_the_head():
    event = read(
        "062 2", "072 1", "082 0", "092 Individual: Swiss-System", "102 Arbiter, Chief", "122 90 min + 30 sec", "142 5"
    ).event
    assert (event.name, event.city, event.federation) == ("Spring Open", "Lund", "SWE")
    assert (event.start, event.end, event.rounds) == (date(2026, 9, 5), date(2026, 9, 6), 5)
    assert event.declared == (("players", 2), ("rated", 1), ("teams", 0))
    assert (event.kind, event.time_control, event.control, event.control_from) == (
        "Individual: Swiss-System", "90 min + 30 sec", "standard", "122 90 min + 30 sec",
    )  # fmt: skip
    assert (event.format, event.line) == ("TRF26", 1)
    assert read().event.format == "TRF16"


@pytest.mark.parametrize("name", [(), ("012",), ("012   ",)])
def test_a_missing_or_blank_name_is_an_error(name):
    result = read(head=(*name, *without("012")))
    assert codes(result, "error") == ["name-missing"] and len(result.cells) == 2


@pytest.mark.parametrize(("tag", "code"), [("042", "start-missing"), ("052", "end-missing")])
def test_a_missing_date_is_an_error(tag, code):
    assert codes(read(head=without(tag)), "error") == [code]
    assert only(read(head=(*without(tag), tag)), code).line == 5


def test_a_file_without_any_head_is_read_to_its_end_and_every_lack_is_told():
    result = read(head=())
    assert codes(result, "error") == ["name-missing", "start-missing", "end-missing"]
    assert len(result.entries) == 2 and len(result.cells) == 2


def test_dates_taken_from_the_rounds_are_a_note():
    result = read(put("132", 92, "26/09/05  26/09/06"), head=HEAD[:3])
    assert (result.event.start, result.event.end) == (date(2026, 9, 5), date(2026, 9, 6))
    assert codes(result) == ["start-from-rounds", "end-from-rounds"]


def test_start_after_end_is_an_error_with_its_line():
    result = read(head=(*HEAD[:3], "042 2026/09/07", "052 2026/09/06"))
    problem = only(result, "dates-reversed")
    assert (problem.severity, problem.line) == ("error", 4)


def test_a_date_that_is_none_is_an_error_with_its_column():
    problem = only(read(head=(*HEAD[:3], "042   soon", HEAD[4])), "date-unreadable")
    assert (problem.severity, problem.line, problem.column) == ("error", 4, 7)


def test_round_dates_belong_to_the_round_of_their_column():
    line = put(put("132", 92, "26/09/05"), 112, "26/09/06")
    assert read(line).event.round_dates == (date(2026, 9, 5), None, date(2026, 9, 6))


def test_round_dates_one_a_line_are_counted_as_they_come():
    lines = [f"132                          2026/09/0{day}" for day in (5, 6)]
    result = read(*lines)
    assert result.event.round_dates == (date(2026, 9, 5), date(2026, 9, 6)) and codes(result) == []


def test_round_dates_that_go_back_are_an_error_where_they_do():
    problem = only(read(put("132", 92, "26/09/05  26/09/06  26/09/05  26/09/06")), "round-dates-decrease")
    assert (problem.severity, problem.line, problem.column) == ("error", 6, 112)


def test_the_first_round_on_another_day_than_the_start_is_a_warning():
    problem = only(read(put("132", 92, "26/09/06  26/09/06")), "round-dates-differ")
    assert (problem.severity, problem.line, problem.column) == ("warning", 6, 92)


def test_a_wrong_year_in_the_round_dates_is_an_error():
    assert only(read(put("132", 92, "25/09/05  26/09/06")), "round-dates-outside").severity == "error"


def test_a_byte_order_mark_before_the_name():
    assert trf.read("x", b"\xef\xbb\xbf" + report(ANN, BEN)).event.name == "Spring Open"


def test_two_names_are_two_reports():
    problem = only(read("012 Autumn Open"), "two-events")
    assert (problem.severity, problem.line) == ("error", 6)
    assert codes(read("012 Spring Open")) == []


def test_another_record_twice_is_a_warning_and_the_first_counts():
    result = read("022 Malmö")
    assert result.event.city == "Lund" and only(result, "record-repeated").line == 6


@pytest.mark.parametrize("text", ["142 seven", "062 many", "XXR x"])
def test_a_number_that_is_none_is_a_warning(text):
    assert only(read(text), "count-unreadable").line == 6


def test_two_numbers_of_rounds():
    assert read("142 7", "XXR 9").event.rounds == 7
    assert only(read("142 7", "XXR 9"), "rounds-contradict").severity == "warning"
    assert read("XXR 9").event.rounds == 9


# --- pace --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "control", "source"),
    [
        (("222 5400+30",), "standard", "222 5400+30"),
        (("222 900+10",), "rapid", "222 900+10"),
        (("222 180+2", "122 3 min + 2 sec"), "blitz", "222 180+2"),
        (("122 Schnellschach",), "rapid", "122 Schnellschach"),
        (("092 Individual: Swiss-System (Blitz)",), "blitz", "092 Individual: Swiss-System (Blitz)"),
        (("122 moves/time, increment",), "", ""),
        ((), "", ""),
    ],
)
def test_the_pace(records, control, source):
    event = read(*records).event
    assert (event.control, event.control_from) == (control, source)


def test_a_code_and_words_that_differ_are_a_warning_and_the_code_counts():
    result = read("122 90 min + 30 sec", "222 900+10")
    assert result.event.control == "rapid" and only(result, "pace-contradiction").severity == "warning"


# --- records that are no rating matter ---------------------------------------------------------------


def test_private_records_are_left_aside_with_one_note():
    result = read(
        "DAT 0001 EMAIL x",
        "DAT 0002 EMAIL y",
        "XXC white1",
        "XXZ 3",
        "### words",
        "00A ### words",
        "DDD SSSS sTTT",
        "0123456789" * 15,
    )
    note = only(result, "records-left-aside")
    assert note.severity == "note" and codes(result) == ["records-left-aside"]
    for part in ("2 DAT", "1 XXC", "1 XXZ", "1 comment", "1 00A", "2 rulers"):
        assert part in note.message


def test_national_ratings_are_no_unknown_records_and_no_players():
    result = read(put(put("FRA    1    A", 49, "2200 IDF"), 61, "D50113"))
    assert len(result.entries) == 2 and "1 national ratings (FRA)" in only(result, "records-left-aside").message


def test_an_unknown_record_is_a_warning_and_the_rest_is_read():
    result = read("QQQ something", "QQQ more", "and a line of nothing")
    problem = only(result, "unknown-record")
    assert (problem.severity, problem.line) == ("warning", 6)
    assert "3 lines" in problem.message and "QQQ" in problem.message and len(result.cells) == 2


@pytest.mark.parametrize(
    "tag",
    [
        "152 B",
        "172 SWE FIDON",
        "182 Pair",
        "192 FIDE_DUTCH_2026",
        "202 BH",
        "212 PTS,BH",
        "352 WBBW",
        "362 TW 3.0",
        "250 x",
        "260 1 2",
        "300   1   1   3   10",
        "320  2.0  5.0   5",
    ],
)
def test_records_of_trf26_that_the_rating_does_not_need_say_nothing(tag):
    assert codes(read(tag)) == []


def test_players_before_the_head():
    result = trf.read("x", report(head=(ANN, BEN, *HEAD)))
    assert result.event.name == "Spring Open" and result.event.line == 3 and len(result.cells) == 2


def test_players_and_no_games():
    result = read(lines=(player(1, "A"), player(2, "B")))
    assert (len(result.entries), len(result.cells)) == (2, 0) and only(result, "no-games").severity == "note"


def test_no_players():
    assert codes(read(lines=())) == ["no-players"]


# --- 162 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "values"),
    [
        (("162  W 3.0     D 1.0     L 0.0     A 0.0",), {"W": 30_000, "D": 10_000, "L": 0, "A": 0}),
        (("162 W 3.0 D 1.0 L 0.0 Z 0.0",), {"W": 30_000, "D": 10_000, "L": 0, "A": 0, "Z": 0}),
        (("162  P 0.5",), {"P": 5_000}),
        (("BBW  3.0", "BBD  1.0", "BBU  1.0"), {"W": 30_000, "D": 10_000, "P": 10_000}),
        ((), {}),
    ],
)
def test_what_results_are_worth(records, values):
    assert dict(read(*records).event.point_values) == values


def test_the_team_bye_is_worth_nothing_to_a_player():
    assert dict(read("162  P 5.0", "310   1 Lund").event.point_values) == {"P": 0}
