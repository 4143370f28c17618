"""summary, history, diff, rerun and preview: the page and the data of each."""

import json
from datetime import date
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from stand_in import (
    IDLE,
    LUND,
    NOVEMBER,
    OCTOBER,
    OTHER,
    QUIST,
    WAITS,
    StandIn,
    game,
    month,
    november,
    player,
    rows,
    two_months,
)

from fide_batch import regulations
from fide_batch.desk.diff import diff, differences
from fide_batch.desk.history import history, plot
from fide_batch.desk.inactive import inactive
from fide_batch.desk.preview import preview
from fide_batch.desk.rerun_page import rerun_page
from fide_batch.desk.summary import not_rated, summary
from fide_batch.model import LIST, Event, Grid, Page, Problem, Refused, Report, Reports, id_text
from fide_batch.rules.tally import Games

CLASSIC = regulations.edition("classic")


def grid(page, title):
    return next(block for block in page.blocks if isinstance(block, Grid) and title in block.title)


def texts(page):
    return [block for block in page.blocks if isinstance(block, str)]


def rated_november():
    tables = november()
    return SimpleNamespace(**tables, in_pieces=Games(lambda: iter([tables["games"]])))


# --- summary


def summed(**more):
    rated = rated_november()
    events = [
        Event(
            "results/a.trf", "trf16", "Autumn Open", start=date(2026, 10, 1), end=date(2026, 10, 22), control="standard"
        )
    ]
    problems = [Problem("late", "warning"), Problem("repaired", "note")]
    return summary(NOVEMBER, rated, events, problems, CLASSIC, "fide-2025-10", {"list": "lists/2026-11.csv"}, **more)


def test_summary_says_what_was_read_rated_and_why_not():
    page = summed()
    assert grid(page, "do not count").rows == (
        ("1", "opponent unrated (5.2)"),
        ("1", "pairing-allocated bye: not played (5.1)"),
    )
    read = next(block for block in page.blocks if isinstance(block, Grid) and block.heads[0] == "Event")
    assert read.rows == (("Autumn Open", "2026-10-01", "2026-10-22", "standard", "1", "3", "2"),)


def test_summary_names_gains_newcomers_waiting_and_fallen():
    page = summed()
    assert grid(page, "gained most").rows[0] == ("Lund, Maja", "1000011", "1617", "+1", "1618", "7")
    said = texts(page)
    assert "New on the list: 1" in said and "Waiting for a first rating: 1" in said and "Fallen off the list: 1" in said


def test_summary_names_who_waits_since_an_earlier_month_by_the_list():
    """He has no row among the changes: nothing happened to him."""
    rated = rated_november()
    waits, name = (rated.list.column(column)[0] for column in ("fideid", "name"))
    ids = pa.array([waits.as_py()] * rated.pending.num_rows, pa.int64())
    rated.pending = rated.pending.set_column(rated.pending.column_names.index("fideid"), "fideid", ids)
    rated.changes = rated.changes.filter(pc.not_equal(rated.changes["fideid"], waits))
    page = summary(NOVEMBER, rated, [], [], CLASSIC, "classic", {})
    (waiting,) = (block for block in page.blocks if isinstance(block, Grid) and "Until" in block.heads)
    assert {row[0] for row in waiting.rows} == {name.as_py()}


def test_summary_names_the_edition_in_force_and_how_to_choose_it():
    (rules,) = [text for text in texts(summed()) if text.startswith("Rated by edition")]
    assert "classic" in rules and "--rules fide-2025-10" in rules and "--rules in-force" in rules
    same = summary(NOVEMBER, rated_november(), [], [], CLASSIC, "classic", {})
    assert not any("--rules" in text for text in texts(same))


def test_summary_of_a_dry_run_says_that_nothing_was_written():
    assert "A dry run: nothing was written." in texts(summed(sealed=False))


def test_summary_counts_for_programs():
    data = json.loads(json.dumps(summed().data))
    assert data["new"] == 1 and data["waiting"] == 1 and data["delisted"] == 1 and data["rated"]["standard"] == 1
    assert data["problems"] == {"error": 0, "warning": 1, "note": 1}


def test_summary_with_the_inactive_of_the_month():
    archive = two_months()
    archive.manifests = {OCTOBER: {"kind": "list"}}
    table = inactive(archive, NOVEMBER, edition=CLASSIC)[1]
    assert any(text.startswith("Inactive from this list on") for text in texts(summed(inactive=table)))


def test_reasons_are_counted_the_most_frequent_first():
    games = month(games=[
        game("A", 1, LUND, None, None, "H", counted=0, reason="bye"), game("A", 2, LUND, None, None, "-", counted=0, reason="forfeit"),
        game("A", 3, LUND, None, None, "-", counted=0, reason="forfeit"), game("A", 4, LUND, OTHER, 1600, "1"),
    ])["games"]  # fmt: skip
    assert not_rated(Games(lambda: iter([games])).tally) == [("forfeit", 2), ("bye", 1)]


# --- history


def test_history_over_all_sealed_months():
    page = history(two_months(), "Lund, Maja")
    table = next(block for block in page.blocks if isinstance(block, Grid))
    assert [row[:4] for row in table.rows] == [("2026-10", "1617", "", "0"), ("2026-11", "1618", "+1", "7")]
    assert table.rows[1][4] == "Autumn Open, Late Cup"
    assert any("1617" in text and "▁█" in text and "1618" in text for text in texts(page))


def test_history_begins_with_the_list_the_first_month_started_from():
    archive = two_months()
    archive.months = {NOVEMBER: dict(november(), base=archive.months[OCTOBER]["list"])}
    archive.manifests = {NOVEMBER: {"base": {"period": "2026-10"}, "edition": {"name": "classic"}}}
    assert [row["period"] for row in history(archive, str(LUND)).data["months"]["standard"]] == ["2026-10", "2026-11"]


def test_history_of_who_left_the_list():
    archive = two_months()
    archive.months[OCTOBER] = month(list=[player(1000099, "Gone, Anna", 1400)])
    assert history(archive, "gone").data["months"]["standard"][0]["rating"] == 1400


def test_history_calls_the_player_what_the_newest_month_calls_him():
    archive = two_months()
    archive.months[OCTOBER] = month(list=[player(LUND, "Berg, Maja", 1617), player(IDLE, "Berg, Bo", 1500)])
    assert history(archive, str(LUND)).title.startswith("Lund, Maja")
    archive.months[NOVEMBER] = dict(november(), list=november()["list"].slice(1))
    assert history(archive, str(LUND)).title.startswith("Lund, Maja"), "off the list, and yet in the changes"
    archive.months[NOVEMBER] = month()
    assert history(archive, str(LUND)).title.startswith("Berg, Maja")


def listed(archive, text):
    """What ``history`` says of the list: the rows on the page, and those for programs."""
    page = history(archive, text)
    told = [block for block in page.blocks if isinstance(block, Grid) and "What" in block.heads]
    return (list(told[0].rows) if told else []), [tuple(row.values()) for row in page.data["listed"]]


def test_history_tells_a_change_of_name_and_of_federation():
    archive = two_months()
    archive.months[OCTOBER] = month(list=[player(LUND, "Berg, Maja", 1617, country="NOR")])
    assert listed(archive, str(LUND)) == (
        [("2026-11", "name", "Berg, Maja", "Lund, Maja"), ("2026-11", "federation", "NOR", "SVL")],
        [("2026-11", "name", "Berg, Maja", "Lund, Maja"), ("2026-11", "federation", "NOR", "SVL")],
    )
    assert listed(two_months(), str(LUND)) == ([], []), "nothing changed but the rating"


def test_history_tells_when_somebody_joined_the_list_and_left_it():
    december = OCTOBER.plus(2)
    archive = two_months()
    archive.months[december] = month(list=[player(1000098, "Young, Una")])
    assert listed(archive, "Young") == ([("2026-12", "joined the list")], [("2026-12", "joined", "", "")])
    assert listed(archive, str(IDLE))[0] == [("2026-12", "not on it any more")]
    assert listed(archive, id_text(QUIST))[1] == [("2026-11", "joined", "", ""), ("2026-12", "left", "", "")]
    assert listed(archive, str(WAITS)) == ([], []), "never on a list: the first results wait"


def test_history_compares_the_first_month_with_the_list_it_started_from():
    archive = two_months()
    base = rows(LIST, player(LUND, "Berg, Maja", 1617), player(IDLE, "Lundqvist, Bo", 1500))
    archive.months = {NOVEMBER: dict(november(), base=base)}
    archive.manifests = {NOVEMBER: {"base": {"period": "2026-10"}, "edition": {"name": "classic"}}}
    assert listed(archive, str(LUND))[0] == [("2026-11", "name", "Berg, Maja", "Lund, Maja")]
    assert listed(archive, id_text(QUIST))[0] == [("2026-11", "joined the list")]
    assert listed(archive, str(IDLE)) == ([], [])


def test_history_of_nobody_and_without_a_month():
    with pytest.raises(Refused):
        history(two_months(), "nobody")
    with pytest.raises(Refused):
        history(StandIn({}), "Lund")


@pytest.mark.parametrize(
    ("ratings", "line"),
    [([1600], ""), ([], ""), ([None, 1600], ""), ([1600, 1700], "1600 ▁█ 1700   (lowest 1600, highest 1700)"),
     ([1600, None, 1700, 1650], "1600 ▁ █▄ 1650   (lowest 1600, highest 1700)"), ([1500, 1500], "1500 ▁▁ 1500   (lowest 1500, highest 1500)")],
)  # fmt: skip
def test_rating_as_a_line_of_text(ratings, line):
    assert plot(ratings) == line


# --- diff


def lists(left, right, **names):
    return month(list=left)["list"], month(list=right)["list"]


def test_every_difference_is_classified():
    a, b = lists(
        [player(1, "Same", 1500), player(2, "Higher", 1500), player(3, "Gone", 1400), player(4, "Flag", 1400, flag=""), player(5, "K", 1400, k=40), player(6, "Off", 1400)],
        [player(1, "Same", 1500), player(2, "Higher", 1512, 5), player(4, "Flag", 1400, flag="i"), player(5, "K", 1400, k=20), player(6, "Off", None), player(7, "New", 1450)],
    )  # fmt: skip
    rows = [
        (row["kind"], row["fideid"], row["control"], row["a"], row["b"], row["by"])
        for row in differences(a, b, ("ours", "FIDE")).to_pylist()
    ]
    assert rows == [
        ("only in A", 3, "", "1400", "", None),
        ("only in B", 7, "", "", "1450", None),
        ("rating", 6, "standard", "1400", "unrated", None),
        ("rating", 2, "standard", "1500", "1512", 12),
        ("K", 5, "standard", "40", "20", -20),
        ("games", 2, "standard", "0", "5", 5),
        ("flag", 4, "", "", "i", None),
    ]
    page = diff(a, b, ("ours", "FIDE"))
    assert page.data["counts"] == {
        "only in A": 1, "only in B": 1, "rating standard": 2, "K standard": 1, "games standard": 1, "flag": 1,
    }  # fmt: skip
    json.dumps(page.data)


def test_order_of_the_rows_does_not_matter():
    a, b = lists([player(2, "B", 1500), player(1, "A", 1600)], [player(1, "A", 1600), player(2, "B", 1500)])
    assert "The two lists say the same." in texts(diff(a, b, ("x", "y")))


def test_a_column_one_list_lacks_is_not_compared():
    a, b = lists([player(1, "A", 1600, k=20, games=5)], [{"fideid": 1, "name": "A", "rating": 1600}])
    assert diff(a, b, ("x", "y")).data["counts"] == {}


def test_k_0_and_no_k_are_one_thing():
    a, b = lists(
        [player(1, "A", 1600, k=0), player(2, "B", 1600)], [player(1, "A", 1600, k=None), player(2, "B", 1600)]
    )
    assert diff(a, b, ("x", "y")).data["counts"] == {}


def test_why_comes_from_the_sealed_month():
    archive = two_months()
    archive.manifests = {OCTOBER: {"kind": "list"}}
    rows = {row["fideid"]: row for row in differences(archive.months[NOVEMBER]["list"], archive.months[OCTOBER]["list"], ("2026-11", "2026-10"), archive).to_pylist() if row["kind"] in ("rating", "only in A")}  # fmt: skip
    assert (
        rows[LUND]["why"] == "2026-11: 7 games, K 20: +0.60; not counted: 1 opponent unrated (5.2), 1 not played (5.1)"
    )
    assert rows[QUIST]["why"] == "2026-11: Ru = Ra + 36 = 1922."


# --- rerun


def test_rerun_lists_who_changes_old_and_new_and_because_of_what():
    rows = [
        {"period": "2026-12", "fideid": LUND, "name": "Lund, Maja", "control": "standard", "old": 1620, "new": 1622, "events": []},
        {"period": "2026-11", "fideid": LUND, "name": "Lund, Maja", "control": "standard", "old": 1618, "new": 1620, "events": ["Autumn Open"]},
        {"period": "2026-11", "fideid": QUIST, "name": "Quist, Otto", "control": "standard", "old": None, "new": 1500, "events": ["Autumn Open"]},
    ]  # fmt: skip
    page = rerun_page(NOVEMBER, rows)
    first, second = [block for block in page.blocks if isinstance(block, Grid)]
    assert first.rows[0][:6] == ("Quist, Otto", "73928E03", "standard", "unrated", "1500", "")
    assert first.rows[1][3:] == ("1618", "1620", "+2", "Autumn Open")
    assert second.rows[0][3:] == ("1620", "1622", "+2", "the rating before")
    assert texts(page)[-1] == "3 ratings of 2 players change in 2 months."
    assert page.data["changes"][2]["fideid"] == "73928E03"


def test_rerun_that_changes_nobody():
    assert texts(rerun_page(NOVEMBER, [])) == ["Nobody's rating changes."]


# --- preview


def test_preview_shows_change_performance_and_newcomers():
    event = Event(
        "open.trf", "trf16", "Autumn Open", start=date(2026, 10, 1), end=date(2026, 10, 22), control="standard"
    )
    page = preview(rated_november(), Reports.gather([Report(event)]), regulations.edition("fide-2025-10"))
    assert isinstance(page, Page) and page.title == "Preview: Autumn Open"
    rows = dict(zip(grid(page, "Autumn Open").heads, grid(page, "Autumn Open").rows[0], strict=True))
    # Against 1651 (lost) and 1525 (won): Rc 1588, 50 per cent, Rp 1588.
    assert rows["Rp"] == "1588" and rows["Change"] == "-1.60" and rows["New"] == "1618"
    newcomers = next(block for block in page.blocks if isinstance(block, Grid) and "First rating" in block.heads)
    assert [row[0] for row in newcomers.rows] == ["Quist, Otto", "Lund, Per"] and newcomers.rows[1][-2] == "waits"
    json.dumps(page.data)
    assert {WAITS, IDLE}.isdisjoint({row["fideid"] for row in page.data["players"]})
