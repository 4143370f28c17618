"""explain: FIDE's calculation page, the rows the rating was summed from, and the reason in words."""

import json

import pytest
from stand_in import IDLE, LUND, NOVEMBER, OCTOBER, month, player, two_months

from fide_batch.desk.explain import explain
from fide_batch.model import Grid, Period, Refused


def text_of(page):
    return [block for block in page.blocks if isinstance(block, str)]


def grids(page):
    return [block for block in page.blocks if isinstance(block, Grid)]


def test_rated_player_reads_like_fides_page(archive):
    page = explain(archive, str(LUND), NOVEMBER)
    assert page.title == "Lund, Maja (1000011), list of 1 November 2026"
    head, autumn, games, late, _ = grids(page)
    assert dict(zip(head.heads, head.rows[0], strict=True)) == {
        "Before": "1617", "Games": "7", "Score": "2.50", "Expected": "2.47", "K": "20", "Sum": "+0.60", "Change": "+1", "After": "1618",
    }  # fmt: skip
    assert autumn.heads == ("Ro", "Rc", "W", "n", "chg", "K", "K*chg")
    assert autumn.rows == (("1617", "1588", "1.00", "2", "-0.08", "20", "-1.60"),)
    assert "2026-10-01 to 2026-10-22" in autumn.title and "2026-10" in autumn.title
    assert late.rows[0][-1] == "+2.20"
    assert games.rows[1] == ("2", "w", "Ötvös, Ada", "1000055", "1651", "0", "-34", "-34", "0.45", "-0.45", "")


def test_game_that_does_not_count_stands_with_its_reason(archive):
    games = grids(explain(archive, str(LUND), NOVEMBER))[2]
    first, bye = games.rows[0], games.rows[3]
    assert first[2] == "Quist, Otto" and first[7:10] == ("no", "", "") and first[10] == "a"
    assert bye[2] == "-" and bye[5] == "U" and bye[10] == "b"
    notes = text_of(explain(archive, str(LUND), NOVEMBER))
    assert "a) opponent unrated (5.2)\nb) pairing-allocated bye: not played (5.1)" in notes


def test_capped_difference_is_starred_as_fide_does(archive):
    assert grids(explain(archive, str(LUND), NOVEMBER))[4].rows[0][6:9] == ("-783", "*-400", "0.08")


def test_sum_over_events_is_added_and_rounded_once(archive):
    sentences = text_of(explain(archive, str(LUND), NOVEMBER))
    assert "All events together: -1.60 + 2.20 = +0.60, rounded once: +1." in sentences
    assert "Seven games with K 20 (8.3.3)." in sentences


def test_data_for_programs_are_json_and_hold_every_game(archive):
    data = json.loads(json.dumps(explain(archive, "Lund, Maja", NOVEMBER).data))
    assert data["player"]["fideid"] == "1000011"
    (standard,) = data["controls"]
    assert standard["status"] == "rated"
    assert standard["changes"][0]["change_exact"] == "0.60"
    assert [len(event["games"]) for event in standard["events"]] == [4, 1]
    assert standard["events"][0]["games"][1]["expected"] == 0.45


def test_whole_name_wins_over_longer_names(archive):
    assert explain(archive, "Maja Lund", NOVEMBER).title.startswith("Lund, Maja")


def test_part_of_a_name_that_fits_several_lists_them(archive):
    page = explain(archive, "lund", NOVEMBER)
    assert {row["fideid"] for row in page.data["candidates"]} == {"1000011", "1000044", "1000066"}


def test_accents_are_not_needed(archive):
    assert explain(archive, "otvos", NOVEMBER).title.startswith("Ötvös, Ada")


def test_id_with_letters_and_id_with_zeros(archive):
    assert explain(archive, "73928e03", NOVEMBER).title.startswith("Quist, Otto")
    assert explain(archive, "0042", NOVEMBER).title.startswith("=1+1 (0042)")


def test_nobody_of_that_name_is_refused_with_near_names(archive):
    with pytest.raises(Refused) as refused:
        explain(archive, "Lundquist", NOVEMBER)
    (problem,) = refused.value.problems
    assert "Lundquist" in problem.message and "Lundqvist, Bo" in problem.hint


def test_month_that_is_not_sealed_names_those_that_are(archive):
    with pytest.raises(Refused) as refused:
        explain(archive, "Lund", Period(2026, 12))
    assert "2026-10, 2026-11" in refused.value.problems[0].message


def test_unrated_player_whose_results_wait_is_told_what_is_missing(archive):
    page = explain(archive, "1000044", NOVEMBER)
    assert "4 of 5 games; first event disregarded: no point" in text_of(page)
    assert grids(page)[-1].rows == (("Autumn Open", "2026-10-22", "4", "2.00", "1600", "1600", "2028-12-01"),)


def test_delisted_player_sees_the_sum_that_took_him_below_the_floor(archive):
    page = explain(archive, "0042", NOVEMBER)
    assert "999 is below the floor of 1000." in text_of(page)
    assert grids(page)[0].rows[0] == ("1003", "2", "0.00", "0.20", "20", "-4.00", "-4", "unrated", "falls off the list")


def test_player_who_did_not_play_keeps_his_rating_and_is_told_so(archive):
    page = explain(archive, "Lundqvist", NOVEMBER)
    assert "No game was reported in this month: nothing changed, 1500." in text_of(page)


def test_the_month_of_the_starting_list_says_that_it_is_one():
    """No reports could come with it, so nothing is said of games."""
    archive = two_months()
    archive.manifests = {OCTOBER: {"kind": "list"}}
    said = " ".join(text_of(explain(archive, str(IDLE), OCTOBER)))
    assert "the list the workspace started from: 1500." in said and "No game" not in said
    archive.months[OCTOBER] = month(list=[player(IDLE, "Lundqvist, Bo")])
    said = " ".join(text_of(explain(archive, str(IDLE), OCTOBER)))
    assert "No rating" in said and "the list the workspace started from" in said and "game" not in said


def test_one_control_alone(archive):
    page = explain(archive, str(LUND), NOVEMBER, "rapid")
    assert page.data["controls"][0]["control"] == "rapid"
    assert any("unrated" in text for text in text_of(page))
    with pytest.raises(Refused):
        explain(archive, str(LUND), OCTOBER, "bullet")
