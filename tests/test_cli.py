"""The command line as other programs and people call it: exact exit codes, what is written and what is not."""

from __future__ import annotations

import csv
import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fide_batch import cli
from fide_batch.archive import Archive
from fide_batch.model import LIST, TABLES, Period
from fide_batch.publish import list_fide_txt, tables

SAMPLE = Path(__file__).parent.parent / "sample_data"
PROGRAM = Path(sys.executable).parent / "fide-batch"


class Said:
    """What a command said and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def say(folder: Path, *arguments: str) -> Said:
    """Run a command in this process, standing in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = CliRunner().invoke(cli.app, list(arguments), env={"COLUMNS": "80", "NO_COLOR": "1"})
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Said(done.exit_code, done.stdout, done.stderr)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "month"
    shutil.copytree(SAMPLE, folder)
    return folder


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample month, sealed once; tests that use it change nothing."""
    folder = tmp_path_factory.mktemp("sealed") / "month"
    shutil.copytree(SAMPLE, folder)
    assert say(folder, "run", "--period", "2026-11", "results/").code == 0
    return folder


# --- the three commands as the customer wrote them


def test_the_three_commands_in_the_sample_folder(workspace: Path) -> None:
    for command in (
        "run --period 2026-11 results/",
        "export --period 2026-11 list.xlsx",
        "inactive --period 2026-11",
    ):
        done = subprocess.run([PROGRAM, *command.split()], cwd=workspace, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert {path.name for path in workspace.iterdir()} >= {"archive", "lists", "list.xlsx"}
    assert "Stroud" in done.stdout


def test_the_story_of_the_sample_month(sealed: Path) -> None:
    """Every line of sample_data/README.md that names a number."""
    assert say(sealed, "export", "--period", "2026-11", "changes.csv", "--table", "changes").code == 0
    change = {(row["name"], row["control"]): row for row in rows(sealed / "changes.csv")}
    assert change["Quill, Ada", "standard"]["rating_after"] == "1690"
    assert change["Quill, Ada", "standard"]["status"] == "first-rating"
    assert change["Sparrow, Ned", "standard"]["status"] == change["Finch, Leo", "standard"]["status"] == "pending"
    assert change["Bramble, Tom", "standard"]["status"] == "delisted"
    assert change["Bramble, Tom", "standard"]["rating_after"] == ""
    assert [change[name, "standard"]["k"] for name in ("Marsh, Edwin", "Marsh, Ivor", "Thorne, Gideon", "Petit, Ann")] == [
        "40", "20", "10", "40",
    ]  # fmt: skip
    assert change["Moor, Jessamy", "rapid"]["rating_before"] == "1750"
    assert change["Kestrel, Mia", "standard"]["rating_after"] == "1653"
    say(sealed, "export", "--period", "2026-11", "games.csv", "--table", "games")
    games = rows(sealed / "games.csv")
    thorne = {game["difference"]: game["counted_difference"] for game in games if game["fideid"] == "90000102"}
    assert {"400": "400", "401": "400", "600": "400"}.items() <= thorne.items()
    assert {game["result"] for game in games} >= {"1", "=", "0", "+", "-", "H", "F", "U", "Z"}
    assert all(game["counted"] == "0" for game in games if game["event"] == "School Day")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ending", [".csv", ".json"])
def test_every_table_is_exported_with_exactly_its_columns(sealed: Path, name: str, ending: str) -> None:
    file = sealed / f"{name}{ending}"
    assert say(sealed, "export", "--period", "2026-11", file.name, "--table", name).code == 0
    if ending == ".csv":
        with file.open(encoding="utf-8") as opened:
            assert next(csv.reader(opened)) == TABLES[name].names
    else:
        assert all(list(row) == TABLES[name].names for row in json.loads(file.read_text("utf-8")))


@pytest.mark.parametrize("ending", [".csv", ".txt", ".parquet"])
def test_the_whole_list_is_exported_as_its_table_is_written(sealed: Path, ending: str) -> None:
    """It is read from the archive another way, its texts in dictionaries."""
    whole, plain = sealed / f"whole{ending}", sealed / f"plain{ending}"
    assert say(sealed, "export", "--period", "2026-11", whole.name).code == 0
    players = Archive(sealed / "archive").table(Period(2026, 11), "list").cast(LIST)
    if ending == ".txt":
        list_fide_txt.write(plain, players)
    else:
        tables.write(plain, "list", players)
    assert whole.read_bytes() == plain.read_bytes()


@pytest.mark.parametrize("ending", [".csv", ".txt", ".parquet"])
def test_a_whole_list_that_was_altered_is_not_exported(workspace: Path, ending: str) -> None:
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    path = workspace / "archive" / "2026-11" / "list.parquet"
    raw = path.read_bytes()
    for altered in (raw[:-9] + b"x" + raw[-8:], b"", raw[:100], b"PAR1 and nothing else PAR1"):
        path.write_bytes(altered)
        said = say(workspace, "export", "--period", "2026-11", f"list{ending}")
        assert said.code != 0
        assert "the file was altered after sealing" in said.err
        assert not (workspace / f"list{ending}").exists()


def test_the_audit_adds_up(sealed: Path) -> None:
    """Games to events, events to changes, changes to the list: to the hundredth."""
    for name in ("games", "events", "changes", "list"):
        say(sealed, "export", "--period", "2026-11", f"sum-{name}.csv", "--table", name)
    games, events, changes, listed = (
        rows(sealed / f"sum-{name}.csv") for name in ("games", "events", "changes", "list")
    )

    def hundredths(text: str) -> int:
        return int(text.replace(".", "")) if text else 0

    for event in events:
        if not event["own_rating"]:
            continue
        own = [
            game
            for game in games
            if (game["event"], game["fideid"]) == (event["event"], event["fideid"]) and game["counted"] == "1"
        ]
        assert sum(hundredths(game["chg"]) for game in own) == hundredths(event["chg"])
        assert len(own) == int(event["games"])
        assert hundredths(event["chg"]) * int(event["k"]) == hundredths(event["k_chg"])
    rating = {"standard": "rating", "rapid": "rapid_rating", "blitz": "blitz_rating"}
    list_row = {row["fideid"]: row for row in listed}
    for change in changes:
        assert list_row[change["fideid"]][rating[change["control"]]] == change["rating_after"]
        if change["status"] != "rated":
            continue
        own_events = [
            event for event in events if (event["fideid"], event["control"]) == (change["fideid"], change["control"])
        ]
        assert sum(hundredths(event["k_chg"]) for event in own_events) == hundredths(change["change_exact"])
        assert int(change["rating_before"]) + int(change["change"]) == int(change["rating_after"])
        assert abs(100 * int(change["change"]) - hundredths(change["change_exact"])) <= 50


def test_explain_as_text_and_as_json(sealed: Path) -> None:
    text = say(sealed, "explain", "Quill", "--period", "2026-11")
    assert text.code == 0 and "Rn = (5 x 1735.4 + 5 x 1645.4) / 10 = 1690.4, rounded 1690" in text.out
    data = json.loads(say(sealed, "explain", "90000128", "--period", "2026-11", "--json").out)
    assert json.dumps(data).count("1690") >= 1
    nobody = say(sealed, "explain", "Zzyzx", "--period", "2026-11")
    assert nobody.code == 1 and "Zzyzx" in nobody.err


def test_a_workbook_with_an_event_a_sheet_is_sealed_and_found_again(workspace: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    for name, control, score in (("Morning", "rapid", "2w1"), ("Evening", "standard", "2w½")):
        sheet = book.create_sheet(name)
        for row in (
            ["Event", f"{name} Match"], ["Start", "2026-10-24"], ["End", "2026-10-24"], ["Control", control], [], ["No", "Name", "FideID", "R1"],
            [1, "Vane, Rosalind", 90000101, score], [2, "Thorne, Gideon", 90000102, "1b½" if "½" in score else "1b0"],
        ):  # fmt: skip
            sheet.append(row)
    book.remove(book["Sheet"])
    book.save(workspace / "results" / "matches.xlsx")
    (workspace / "decisions.csv").write_text(
        "file,row,code,decision,reason\nmatches.xlsx/Evening,,,control blitz,3 minutes\n"
    )

    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    assert say(workspace, "verify").code == 0
    assert say(workspace, "rerun", "--from", "2026-11", "--yes").code == 0
    assert say(workspace, "verify").code == 0
    assert say(workspace, "export", "--period", "2026-11", "events.csv", "--table", "events").code == 0
    controls = {row["event"]: row["control"] for row in rows(workspace / "events.csv")}
    assert controls["Morning Match"] == "rapid" and controls["Evening Match"] == "blitz"
    assert len(list((workspace / "archive").rglob("matches.xlsx"))) == 2  # of the month and of the one it replaced
    again = say(workspace, "run", "--period", "2026-12", "results/matches.xlsx")
    assert again.code == 1 and again.err.count("[duplicate-report]") == 2


@pytest.mark.parametrize("name", ["decisions.csv", "rulings/2026.csv"])
def test_a_month_sealed_with_decisions_is_sound_wherever_one_stands(workspace: Path, name: str) -> None:
    """Two events that look like one are rated by decision; verify and rerun find the same month."""
    again = workspace / "results" / "second" / "harbour-open.trf"
    again.parent.mkdir()
    shutil.copy(workspace / "results" / "harbour-open.trf", again)
    (workspace / name).parent.mkdir(exist_ok=True)
    (workspace / name).write_text(
        "file,row,code,decision,reason\nsecond/harbour-open.trf,,duplicate-report,accept,a second open\n"
    )
    with (workspace / "fide-batch.toml").open("a") as settings:
        settings.write(f'\ndecisions = "{name}"\n')
    away = workspace.parent

    assert say(away, "run", "--period", "2026-11", "month/results", "--workspace", "month").code == 0
    assert say(workspace, "verify").code == say(away, "verify", "--workspace", "month").code == 0
    assert say(workspace, "rerun", "--from", "2026-11", "--yes").code == 0
    assert say(workspace, "verify").code == 0
    assert say(workspace, "export", "--period", "2026-11", "problems.csv", "--table", "problems").code == 0
    told = {row["code"]: row for row in rows(workspace / "problems.csv")}
    assert told["duplicate-report"]["severity"] == "warning"
    assert told["decided"]["file"] == name and "a second open" in told["decided"]["message"]


def test_explain_gives_the_reason_of_a_ruling(workspace: Path) -> None:
    """Games left out whole, of one player, of one player in a round; another id; the pace of a report."""
    (workspace / "decisions.csv").write_text(
        "file,row,code,decision,reason\n"
        "harbour-open.trf,,,leave out round 3,the hall was flooded\n"
        "lantern-club.csv,2,,leave out,a player of another club\n"
        "lantern-club.csv,line 17,,leave out round 2,a friendly game\n"
        "school-day.csv,1,,id 90000120,confirmed by telephone\n"
        "friday-rapid.trf,,,control blitz,five minutes each\n"
        "coast-round-robin.trf,3,unlikely-result,accept,nobody's game\n"
    )
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0

    def told(player: str) -> dict[tuple[str, int], str]:
        said = json.loads(say(workspace, "explain", "--period", "2026-11", player, "--json").out)
        games = [game for control in said["controls"] for event in control["events"] for game in event["games"]]
        return {(game["event"], game["round"]): game["ruling"] for game in games if game["ruling"]}

    flooded = {("Harbour Open", 3): "left out by decision: the hall was flooded"}
    friendly = {("Lantern Club Championship", 2): "left out by decision: a friendly game"}
    club = "left out by decision: a player of another club"
    assert told("Quill") == flooded | {("Lantern Club Championship", 1): club}
    assert told("Petit") == flooded | friendly  # line 17 of the club's sheet, start number 6
    opponents = [
        player
        for player in ("Hollis", "Marsh, Ivor", "Marsh, Edwin", "Yarrow", "Ivey", "Ward")
        if friendly.items() <= told(player).items()
    ]
    assert len(opponents) == 1
    pages = {
        player: say(workspace, "explain", "--period", "2026-11", player).out
        for player in ("Quill", "Pike, Rowena", "Moor")
    }
    assert "the hall was flooded" in pages["Quill"] and "no result" not in pages["Quill"]
    assert "By decision: id 90000120 (confirmed by telephone)" in pages["Pike, Rowena"]
    assert "By decision: control blitz (five minutes each)" in pages["Moor"]
    assert "By decision" not in pages["Quill"]


def test_a_list_with_an_id_twice_is_accepted_and_the_first_line_kept(workspace: Path) -> None:
    path = workspace / "rating-list-2026-10.csv"
    first = rows(path)[0]
    path.write_text(
        path.read_text("utf-8") + path.read_text("utf-8").splitlines()[1].replace(first["name"], "Other, Otto") + "\n",
        "utf-8",
    )
    started = [str(workspace.parent / "new"), "--list", str(path), "--period", "2026-10"]

    for command in (["run", "--period", "2026-11", "results/"], ["init", *started]):
        refused = say(workspace, *command)
        assert refused.code == 1 and "--accept list-id-repeated" in refused.err
        done = say(workspace, *command, "--accept", "list-id-repeated")
        assert done.code == 0 and "warning: id" in done.err and "the first is kept" in done.err

    assert (
        say(workspace, "check", "results/", "-p", "2026-11", "--list", str(path), "--accept", "list-id-repeated").code
        == 0
    )
    assert [row["name"] for row in rows(workspace / "lists" / "2026-11.csv") if row["fideid"] == first["fideid"]] == [
        first["name"]
    ]
    assert say(workspace, "verify").code == say(workspace.parent / "new", "verify").code == 0
    assert say(workspace, "export", "--period", "2026-11", "problems.csv", "--table", "problems").code == 0
    told = {row["code"]: row for row in rows(workspace / "problems.csv")}
    assert told["list-id-repeated"]["severity"] == "warning"
    assert say(workspace, "init", *started, "--accept", "list-id-twice").code == 1

    compared = ["diff", str(path), "2026-11"]
    assert say(workspace, *compared).code == say(workspace, *compared, "--accept", "list-id-twice").code == 1
    done = say(workspace, *compared, "--accept", "list-id-repeated")
    assert done.code == 0 and "the first is kept" in done.err


def test_history_verify_diff_and_rules(sealed: Path) -> None:
    assert "1690" in say(sealed, "history", "Quill").out
    assert say(sealed, "verify").code == 0
    difference = say(sealed, "diff", "rating-list-2026-10.csv", "2026-11")
    assert difference.code == 0 and "Quill" in difference.out
    assert "fide-2025-10" in say(sealed, "rules").out
    assert "2650" in say(sealed, "rules", "fide-2025-10").out
    assert "2650" in say(sealed, "rules", "--diff", "fide-2024-12", "fide-2025-10").out


def test_verify_tells_of_a_list_outside_the_archive_that_is_not_as_sealed(workspace: Path) -> None:
    """The month is sound, so the status is 0; what is said to type writes the list anew."""
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    path = workspace / "lists" / "2026-11.csv"
    sealed = path.read_bytes()
    assert "list-altered" not in say(workspace, "verify").out

    for change, said in (
        (sealed.replace(b"Quill", b"Quilt"), "the file was altered"),
        (sealed + b"\n", "the file was altered"),
        (sealed[:-1], "the file was altered"),
        (b"", "the file was altered"),
        (None, "missing"),
    ):
        path.unlink()
        if change is not None:
            path.write_bytes(change)
        told = say(workspace, "verify")
        assert told.code == 0, told.out
        assert "lists/2026-11.csv: warning: " in told.out and said in told.out and "[list-altered]" in told.out
        assert "2026-11  sound" in told.out
        assert "fide-batch export --period 2026-11 lists/2026-11.csv" in told.out
        problems = json.loads(say(workspace, "verify", "--json").out)["problems"]
        assert [(row["code"], row["severity"]) for row in problems] == [("list-altered", "warning")]
        assert say(workspace, "export", "--period", "2026-11", "lists/2026-11.csv").code == 0
        assert path.read_bytes() == sealed
        assert "list-altered" not in say(workspace, "verify").out

    shutil.rmtree(path.parent)
    told = say(workspace, "verify")
    assert told.code == 0 and "make the folder lists" in told.out


def test_the_run_names_its_edition_and_fides_own_in_force(workspace: Path) -> None:
    said = say(workspace, "run", "--period", "2026-11", "results/")
    words = " ".join(said.out.split())
    assert "edition classic" in words
    assert "--rules fide-2025-10" in words and "--rules in-force" in words


def test_json_of_a_run(workspace: Path) -> None:
    data = json.loads(say(workspace, "run", "--period", "2026-11", "results/", "--json").out)
    assert data["sealed"] is True and data["edition"] == "classic"
    assert data["files"]["list"] == "lists/2026-11.csv"
    assert {problem["code"] for problem in data["problems"]} >= {"unidentified", "new-player", "pace"}


def test_a_dry_run_writes_nothing(workspace: Path) -> None:
    before = sorted(path for path in workspace.rglob("*"))
    assert say(workspace, "run", "--period", "2026-11", "results/", "--dry-run").code == 0
    assert sorted(path for path in workspace.rglob("*")) == before


def test_waiting_results_serve_in_the_next_month(workspace: Path) -> None:
    """Leo Finch has three games in October; two more in November make five."""
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    report = (
        "Event,November Match\nStart,2026-11-14\nEnd,2026-11-15\nControl,standard\n\n"
        "Round,White,White ID,White Rating,Black,Black ID,Black Rating,Result\n"
        '1,"Finch, Leo",90000201,,"Garrick, Owen",90000114,,1-0\n'
        '2,"Finch, Leo",90000201,,"Ivey, Mabel",90000115,,½-½\n'
        '3,"Aldous, Finn",90000113,,"Finch, Leo",90000201,,1-0\n'
    )
    (workspace / "november.csv").write_text(report, "utf-8")
    assert say(workspace, "run", "--period", "2026-12", "november.csv").code == 0
    say(workspace, "export", "--period", "2026-12", "c.csv", "--table", "changes")
    finch = {row["name"]: row for row in rows(workspace / "c.csv")}["Finch, Leo"]
    assert finch["status"] == "first-rating"
    assert "from 6 games" in finch["why"]
    assert say(workspace, "export", "--period", "2026-12", "p.csv", "--table", "pending").code == 0
    assert [row["fideid"] for row in rows(workspace / "p.csv")] == ["90000129"]


def test_init_then_run_elsewhere(tmp_path: Path) -> None:
    made = say(tmp_path, "init", "fed", "--list", str(SAMPLE / "rating-list-2026-10.csv"), "--period", "2026-10")
    assert made.code == 0 and (tmp_path / "fed" / "fide-batch.toml").exists()
    done = say(tmp_path, "run", "--workspace", "fed", "--period", "2026-11", str(SAMPLE / "results"))
    assert done.code == 0 and (tmp_path / "fed" / "lists" / "2026-11.csv").exists()
    again = say(tmp_path, "init", "fed", "--list", str(SAMPLE / "rating-list-2026-10.csv"), "--period", "2026-10")
    assert again.code == 1 and "workspace already" in again.err


def test_a_correction_is_shown_before_it_replaces(workspace: Path) -> None:
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    report = workspace / "results" / "harbour-open.trf"
    text = report.read_text("utf-8")
    # Sofie Lund and Beatrix Crane drew in round 5; it should have been a win for Crane.
    text = text.replace("   7 w +    11 b =", "   7 w +    11 b 0").replace("2001/00/00  2.5", "2001/00/00  2.0")
    text = text.replace("   9 w 1     5 w =", "   9 w 1     5 w 1").replace("1999/00/00  3.5", "1999/00/00  4.0")
    report.write_text(text, "utf-8", newline="\n")
    shown = say(workspace, "rerun", "--from", "2026-11", "results/")
    assert shown.code == 0 and "Crane" in shown.out and "Lund" in shown.out and "Harbour Open" in shown.out
    assert not (workspace / "archive" / "2026-11.superseded-1").exists()
    assert say(workspace, "rerun", "--from", "2026-11", "results/", "--yes").code == 0
    assert (workspace / "archive" / "2026-11.superseded-1").exists()
    assert say(workspace, "verify").code == 0


# --- bad input: exit 1, everything at once, nothing written


def refused(folder: Path, *arguments: str) -> str:
    said = say(folder, *arguments)
    assert said.code == 1, said.out + said.err
    assert not (folder / "archive").exists() and not (folder / "lists").exists(), "something was written"
    return said.out + said.err


def test_a_missing_list(workspace: Path) -> None:
    (workspace / "rating-list-2026-10.csv").unlink()
    said = refused(workspace, "run", "--period", "2026-11", "results/")
    assert "rating-list-2026-10.csv" in said and "no such list" in said


def test_no_list_at_all(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE / "results", tmp_path / "results")
    assert "--list FILE" in refused(tmp_path, "run", "--period", "2026-11", "results/")


def test_an_empty_folder_and_a_missing_one(workspace: Path) -> None:
    (workspace / "empty").mkdir()
    said = refused(workspace, "run", "--period", "2026-11", "empty/", "nowhere/")
    assert "empty" in said and "nowhere" in said


def test_all_faults_of_all_reports_at_once(workspace: Path) -> None:
    results = workspace / "results"
    (results / "holiday.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")
    text = (results / "coast-round-robin.trf").read_text("utf-8")
    (results / "coast-round-robin.trf").write_text(
        text.replace("     6 w 1     2 w =", "     6 w 0     2 w ="), "utf-8"
    )
    text = (results / "rapid" / "friday-rapid.trf").read_text("utf-8")
    (results / "rapid" / "friday-rapid.trf").write_text(text.replace("90000127", "90000102"), "utf-8")
    said = refused(workspace, "run", "--period", "2026-11", "results/")
    assert "holiday.jpg" in said and "[unclaimed]" in said
    assert "coast-round-robin.trf:13" in said and "round 1" in said
    assert "friday-rapid.trf" in said and "[repeated-id]" in said


def test_skip_faulty_rates_the_others_and_records_it(workspace: Path) -> None:
    (workspace / "results" / "holiday.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")
    data = json.loads(say(workspace, "run", "--period", "2026-11", "results/", "--skip-faulty", "--json").out)
    assert data["sealed"] and data["left_out"] == ["results/holiday.jpg"]
    manifest = json.loads((workspace / "archive" / "2026-11" / "manifest.json").read_text("utf-8"))
    assert manifest["left_out"] == ["results/holiday.jpg"]
    assert say(workspace, "verify").code == 0


def test_periods_only_go_forward_but_gaps_are_fine(workspace: Path) -> None:
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    for period in ("2026-10", "2026-11"):
        said = say(workspace, "run", "--period", period, "results/")
        assert said.code == 1 and period in said.err
    (workspace / "later").mkdir()
    report = (workspace / "results" / "coast-round-robin.trf").read_text("utf-8")
    (workspace / "later" / "coast.trf").write_text(
        report.replace("2026/10/", "2027/01/").replace("26/10/", "27/01/"), "utf-8"
    )
    assert say(workspace, "run", "--period", "2027-02", "later/").code == 0


def test_the_same_report_twice_in_a_run_and_across_months(workspace: Path) -> None:
    shutil.copy(workspace / "results" / "harbour-open.trf", workspace / "results" / "copy.trf")
    assert "[duplicate-report]" in refused(workspace, "run", "--period", "2026-11", "results/")
    (workspace / "results" / "copy.trf").unlink()
    assert say(workspace, "run", "--period", "2026-11", "results/").code == 0
    again = say(workspace, "run", "--period", "2026-12", "results/harbour-open.trf")
    assert again.code == 1 and "2026-11" in again.err and "[duplicate-report]" in again.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "results/"],
        ["run", "--period", "2026-13", "results/"],
        ["run", "--period", "11/2026", "results/"],
        ["export", "--period", "2026-11", "list.doc"],
        ["calc", "1500"],
        ["frobnicate"],
    ],
)  # fmt: skip
def test_wrong_usage_ends_with_2(workspace: Path, arguments: list[str]) -> None:
    done = subprocess.run([PROGRAM, *arguments], cwd=workspace, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr and done.stderr.strip()


def test_a_crash_is_one_line_and_2(workspace: Path) -> None:
    code = (
        "import sys, fide_batch.run as month\n"
        "def broken(*_, **__): raise RuntimeError('broken')\n"
        "month.run = broken\n"
        "sys.argv = ['fide-batch', 'run', '--period', '2026-11', 'results/']\n"
        "from fide_batch.cli import main; main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=workspace, capture_output=True, text=True)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and "RuntimeError" in done.stderr


def test_an_unknown_setting_names_the_nearest(workspace: Path) -> None:
    with (workspace / "fide-batch.toml").open("a", encoding="utf-8") as file:
        file.write('rule = "classic"\n')
    assert "did you mean 'rules'" in refused(workspace, "run", "--period", "2026-11", "results/")


def test_preview_of_a_tournament_still_going_on_takes_what_was_played(tmp_path):
    sheet = tmp_path / "open.csv"
    sheet.write_text(
        "Event,Open\nStart,2026-08-30\nEnd,2026-10-04\nRounds,2\nControl,standard\n\n"
        'No,Name,FideID,Rating,R1\n1,"Alder, Ann",90000011,1800,2w1\n2,"Birch, Bob",90000029,1800,1b0\n'
    )
    refused = say(tmp_path, "preview", str(sheet))
    assert refused.code == 1 and "--accept incomplete" in refused.err and not refused.out
    taken = say(tmp_path, "preview", "--accept", "incomplete", str(sheet))
    assert taken.code == 0 and "+10.00" in taken.out
    # It needs no list of an earlier month, and speaks of none.
    assert "oldest list" not in taken.err


def test_a_score_or_rating_nobody_can_have_is_wrong_usage(tmp_path):
    assert say(tmp_path, "calc", "1600", "1400", "2").code == 2
    assert say(tmp_path, "calc", "1600", "0", "1").code == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["none.csv", "--fed", "XYZ"], "--fed XYZ"),
        (["none.json", "--table", "changes", "--control", "blitz"], "--control blitz"),
        (["none.txt", "--women", "--juniors", "2026"], "--women --juniors 2026"),
        (["none.xlsx", "--fed", "XYZ", "--top", "5"], "--fed XYZ --top 5"),
    ],
)
def test_a_selection_nobody_fits_is_told(sealed: Path, tmp_path: Path, options: list[str], said: str) -> None:
    done = say(sealed, "export", "--period", "2026-11", str(tmp_path / options[0]), *options[1:])
    assert done.code == 0 and (tmp_path / options[0]).exists()
    assert f"warning: nothing of 2026-11 fits {said}: the file has no rows [export-empty]" in " ".join(done.err.split())


def test_the_page_of_a_new_player_has_the_steps_that_explain_shows(sealed: Path, tmp_path: Path) -> None:
    assert say(sealed, "export", "--period", "2026-11", str(tmp_path / "list.html")).code == 0
    for code in ("90000128", "90000130"):
        page = (tmp_path / "list_files" / "players" / f"p-{code}.html").read_text("utf-8")
        seen = html.unescape(re.sub(r"<[^>]+>", " ", page))
        told = say(sealed, "explain", "--period", "2026-11", code).out.partition("The first rating, step by step")[2]
        told = told.partition("First rating ")[0]
        assert "Rn = " in told and set(re.findall(r"[\w.]+", told)) <= set(re.findall(r"[\w.]+", seen))


def test_a_selection_somebody_fits_and_an_empty_table_are_no_warning(sealed: Path, tmp_path: Path) -> None:
    for options in (["some.csv", "--fed", "ENG"], ["some.xlsx", "--women"], ["pending.csv", "--table", "pending"]):
        done = say(sealed, "export", "--period", "2026-11", str(tmp_path / options[0]), *options[1:])
        assert done.code == 0 and "warning" not in done.err


@pytest.mark.parametrize(
    ("arguments", "name", "said", "example"),
    [
        (["calc", "abc", "1400", "1"], "OWN", "'abc'", "1600"),
        (["calc", "1600", "1400,5", "1"], "OPPONENT", "'1400,5'", "1600"),
        (["calc", "1600", "1400", "1", "--k", "ten"], "--k", "'ten'", "20"),
        (["calc", "1600", "1400", "1", "--k", "0"], "--k", "'0'", "20"),
        (["inactive", "--period", "2026-11", "--months", "a year"], "--months", "'a year'", "12"),
        (["inactive", "--period", "2026-11", "--min-games", "-"], "--min-games", "'-'", "4"),
        (["export", "--period", "2026-11", "x.csv", "--top", "ten"], "--top", "'ten'", "100"),
        (["export", "--period", "2026-11", "x.csv", "--juniors", "U18"], "--juniors", "'U18'", "2008"),
    ],
)  # fmt: skip
def test_letters_for_a_number_are_told_in_plain_words(
    sealed: Path, arguments: list[str], name: str, said: str, example: str
) -> None:
    done = say(sealed, *arguments)
    assert done.code == 2
    assert f"'{name}'" in done.err and f"{said} is no whole number" in done.err and f"such as {example}" in done.err
    assert "integer" not in done.err


def test_a_month_sealed_under_a_federations_own_edition_can_be_asked_about(workspace: Path) -> None:
    example = Path(__file__).parent.parent / "docs" / "examples" / "my-federation.toml"
    shutil.copy(example, workspace / "my-federation.toml")
    said = say(workspace, "run", "--period", "2026-11", "--rules", "my-federation.toml", "results/")
    assert said.code == 0, said.err
    (workspace / "my-federation.toml").unlink()  # the month holds its own copy
    verified = say(workspace, "verify", "2026-11")
    assert verified.code == 0 and "sound" in verified.out and "NOT" not in verified.out, verified.err
    explained = say(workspace, "explain", "--period", "2026-11", "Crane")
    assert explained.code == 0 and "my-federation" in explained.out, explained.err
    assert say(workspace, "inactive", "--period", "2026-11").code == 0
    assert say(workspace, "export", "--period", "2026-11", "list.html").code == 0
    assert say(workspace, "rerun", "--from", "2026-11", "--dry-run").code == 0


def test_ctrl_c_ends_with_one_line_and_status_130(tmp_path: Path) -> None:
    """Typer alone would end without a word."""
    stopped = (
        "import os, signal, sys; from fide_batch import cli, look;"
        "look.rules = lambda *_: os.kill(os.getpid(), signal.SIGINT); sys.argv = ['fide-batch', 'rules']; cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", stopped], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr.strip()) == (130, "stopped; nothing half done was left")


def test_too_little_memory_is_said_in_one_line_and_status_2(tmp_path: Path) -> None:
    for raised in (
        "MemoryError",
        "OSError(12, 'Cannot allocate memory')",
        "__import__('pyarrow').ArrowMemoryError('realloc of size 10 failed')",
        'RuntimeError("can\'t start new thread")',
        "__import__('pyarrow').ArrowException('Unknown error: Failed to launch worker thread: Resource temporarily unavailable')",
    ):
        script = (
            "import sys; from fide_batch import cli, look\n"
            f"def rules(*_): raise {raised}\n"
            "look.rules = rules; sys.argv = ['fide-batch', 'rules']; cli.main()"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert (
            done.stderr
            == "fide-batch: there is not enough memory; nothing half done was left (free some, then run again)\n"
        )


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
def test_a_month_is_rated_whatever_streams_are_closed(workspace: Path, closed: str) -> None:
    """A file opened in place of a closed stream would have the messages written into it."""
    command = f"exec {PROGRAM} run --period 2026-11 results/ {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=workspace, check=False)
    assert done.returncode == 0, done.stderr
    assert Archive(workspace / "archive").damage(Period(2026, 11)) == []
    assert say(workspace, "verify").code == 0
