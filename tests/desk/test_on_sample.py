"""The desk on the sample month, from the reports to the page."""

import shutil
from pathlib import Path

import pytest

from fide_batch import run
from fide_batch.archive import Archive
from fide_batch.desk.explain import explain, of_player
from fide_batch.desk.history import of_player as history_of
from fide_batch.desk.inactive import inactive
from fide_batch.model import Grid, Period, numbers
from fide_batch.publish.terminal import to_text

SAMPLE = Path(__file__).parent.parent.parent / "sample_data"
NOVEMBER = Period(2026, 11)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "workspace"
    shutil.copytree(SAMPLE, folder)
    outcome = run.run(folder, NOVEMBER, [folder / "results"], run.Options())
    assert outcome.rated is not None
    return Archive(folder / "archive")


def everybody(archive):
    return sorted(
        {
            *numbers(archive.table(NOVEMBER, "list"), "fideid").tolist(),
            *numbers(archive.table(NOVEMBER, "changes"), "fideid").tolist(),
        }
    )


def test_every_players_page_fits_80_columns(archive):
    for code in everybody(archive):
        for page in (of_player(archive, code, NOVEMBER), history_of(archive, code)):
            assert max(map(len, to_text(page).splitlines())) <= 80, page.title


def test_every_first_rating_is_shown_step_by_step(archive):
    changes = archive.table(NOVEMBER, "changes").to_pylist()
    new = [change for change in changes if change["status"] == "first-rating"]
    assert len(new) >= 2
    for change in new:
        page = of_player(archive, change["fideid"], NOVEMBER)
        grid = next(
            block
            for block in page.blocks
            if isinstance(block, Grid) and block.title == "The first rating, step by step"
        )
        assert grid.rows
        assert any(
            isinstance(block, str) and block.endswith(f"rounded {change['rating_after']}.") for block in page.blocks
        )


def test_closed_round_robin_shows_its_formula(archive):
    text = to_text(explain(archive, "Kestrel", NOVEMBER), 200)
    assert "is a closed round robin. Rar, the mean of its" in text


def test_games_of_a_page_add_up_to_its_event(archive):
    for code in everybody(archive):
        for control in of_player(archive, code, NOVEMBER).data["controls"]:
            for event in control["events"]:
                counted = [game for game in event["games"] if game["counted"]]
                assert len(counted) == event["games_counted"]
                if event["chg"] is not None:
                    assert round(sum(game["chg"] for game in counted) * 10_000) == round(event["chg"] * 10_000)


def test_inactive_says_which_of_the_two_it_used(archive):
    page, table = inactive(archive, NOVEMBER)
    assert table.num_rows and set(table["source"].to_pylist()) <= {"sealed months", "list"}
    assert any(isinstance(block, str) and "flag" in block for block in page.blocks)


def test_unrated_player_who_met_only_unrated_ones_sees_his_games(tmp_path):
    folder = tmp_path / "workspace"
    shutil.copytree(SAMPLE, folder)
    sheet = folder / "newcomers.csv"
    sheet.write_text(
        "Event,Newcomers\nStart,2026-10-10\nEnd,2026-10-10\nControl,standard\n\n"
        "No,Name,FideID,Rating,R1\n"
        '1,"Newly, Nan",90000901,,2w1\n2,"Fresher, Fay",90000902,,1b0\n'
    )
    assert run.run(folder, NOVEMBER, [sheet], run.Options()).rated is not None
    page = explain(Archive(folder / "archive"), "90000901", NOVEMBER)
    text = to_text(page)
    assert "Fresher, Fay" in text
    assert "opponent unrated" in text
    assert "No game of this month counts; unrated." in text
    assert page.data["controls"][0]["events"][0]["games"][0]["opponent"] == "90000902"


def test_a_newcomer_with_his_first_rating_has_not_come_back(tmp_path):
    """Two games in October are too few for a rating; four more in November give him one: he was never away."""
    folder = tmp_path / "workspace"
    shutil.copytree(SAMPLE, folder)
    sheet = folder / "month.csv"
    head = "Event,Month {month}\nStart,2026-{month}-03\nEnd,2026-{month}-04\nControl,standard\n\nRound,White,White ID,Black,Black ID,Result\n"
    rivals = [(90000110, "Hollis, Peter"), (90000107, "Marsh, Ivor"), (90000106, "Marsh, Edwin"), (90000114, "Garrick, Owen")]  # fmt: skip
    for month, period, games in (("10", NOVEMBER, 3), ("11", Period(2026, 12), 4)):
        played = "".join(
            f'{round_},"Newly, Nan",90000901,"{name}",{rival},1-0\n'
            for round_, (rival, name) in enumerate(rivals[:games], 1)
        )
        sheet.write_text(head.format(month=month) + played)
        assert run.run(folder, period, [sheet], run.Options()).rated is not None
    archive = Archive(folder / "archive")
    listed = {row["fideid"]: row["rating"] for row in archive.table(Period(2026, 12), "list").to_pylist()}
    assert listed[90000901] is not None
    _, table = inactive(archive, Period(2026, 12), edition=None)
    assert 90000901 not in table["fideid"].to_pylist()


def test_an_unrated_opponents_ru_is_called_that_wherever_it_stands_as_a_rating(archive):
    """Wren is unrated and stands with 1348: for who is 407 above him, and for the other newcomer, as for everybody else."""
    for code in (90000113, 90000130, 90000114):
        (data,) = [
            event
            for control in of_player(archive, code, NOVEMBER).data["controls"]
            for event in control["events"]
            if event["event"] == "Coast Round Robin"
        ]
        (game,) = [game for game in data["games"] if game["opponent_name"] == "Wren, Saul"]
        page = to_text(of_player(archive, code, NOVEMBER))
        (line,) = [line for line in page.splitlines() if "Wren, Saul" in line]
        letter = line.split()[-1]
        said = " ".join(page.partition("Coast Round Robin,")[2].split())
        note = said.partition(f" {letter}) ")[2].partition(") ")[0]
        assert game["opponent_rating"] == 1348 and "unrated" in note and "Ru in this closed round robin" in note, code
