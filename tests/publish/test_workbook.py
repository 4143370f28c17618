"""The workbook: what a rating officer opens in Excel or LibreOffice."""

import io
import shutil
import subprocess
import sys
import zipfile
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

sys.path.append(str(Path(__file__).parent.parent / "desk"))
from stand_in import november, player, rows

from fide_batch.model import CHANGES, GAMES, LIST, PROBLEMS, id_code, id_text, table
from fide_batch.publish import sheet_rows, workbook
from fide_batch.publish.selection import select
from fide_batch.publish.sheet_rows import Column, save

openpyxl = pytest.importorskip("openpyxl")

ABOUT = {
    "period": "2026-11",
    "edition": "classic",
    "version": "1.0.0",
    "rows": {"list": 5},
    "events": [{"file": "a.trf"}],
    "decisions": [],
}
SHEETS = [
    "Rating list",
    "Changes",
    "New players",
    "Waiting",
    "Delisted",
    "Inactive",
    "Events",
    "Games",
    "Problems",
    "About",
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    path = tmp_path_factory.mktemp("workbook") / "list.xlsx"
    workbook.write(path, november(), ABOUT)
    return openpyxl.load_workbook(path)


def cells(sheet):
    """Rows by head."""
    lines = list(sheet.iter_rows(values_only=True))
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def test_sheets_in_their_order(opened):
    assert opened.sheetnames == SHEETS


def test_ids_and_names_are_text_whatever_they_look_like(opened):
    sheet = opened["Rating list"]
    by_name = {row[1].value: row for row in sheet.iter_rows(min_row=2)}
    formula = by_name["=1+1"]
    assert (formula[0].value, formula[0].data_type, formula[1].data_type) == ("0042", "s", "s")
    assert (by_name["Quist, Otto"][0].value, by_name["Quist, Otto"][0].data_type) == ("73928E03", "s")
    assert by_name["Lund, Maja"][0].value == "1000011" and by_name["Lund, Maja"][0].number_format == "@"


def test_numbers_are_numbers_and_unrated_is_empty(opened):
    rated = {row["Name"]: row for row in cells(opened["Rating list"])}
    assert rated["Lund, Maja"]["Std"] == 1618 and rated["Lund, Maja"]["Std +/-"] == 1
    assert rated["=1+1"]["Std"] is None and rated["=1+1"]["Std +/-"] == -4
    assert rated["Lundqvist, Bo"]["Std +/-"] is None and rated["Lundqvist, Bo"]["Std games"] == 0


def test_dates_are_dates(opened):
    (row,) = cells(opened["Waiting"])
    assert row["End"] == datetime(2026, 10, 22) and row["Serves until"] == datetime(2028, 12, 1)
    assert opened["Waiting"]["F2"].number_format == "yyyy-mm-dd"


def test_decimals_are_exact_and_the_rounded_number_is_the_audits(opened):
    row = {row["Name"]: row for row in cells(opened["Changes"])}["Lund, Maja"]
    assert (row["Sum"], row["Change"], row["Before"], row["After"]) == (0.6, 1, 1617, 1618)
    event = cells(opened["Events"])[0]
    assert (event["chg"], event["K*chg"], event["W"]) == (-0.08, -1.6, 1)


@pytest.mark.parametrize(("exact", "change"), [(125_000, 13), (-125_000, -13)])
def test_half_a_point_is_rounded_as_in_the_list(tmp_path, exact, change):
    """The number that is rounded is the one of the changes; nothing rounds again."""
    month = november()
    month["changes"] = rows(CHANGES, {"fideid": 1000011, "name": "Lund, Maja", "control": "standard", "change_exact": exact, "change": change, "status": "rated"})  # fmt: skip
    workbook.write(tmp_path / "x.xlsx", month, ABOUT)
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    assert cells(book["Changes"])[0]["Change"] == change
    assert {row["Name"]: row["Std +/-"] for row in cells(book["Rating list"])}["Lund, Maja"] == change


def test_games_stand_with_their_reason(opened):
    games = cells(opened["Games"])
    assert [(game["Counted"], game["Reason"]) for game in games[:2]] == [
        ("no", "opponent unrated (5.2)"),
        ("yes", None),
    ]
    assert games[0]["Opponent"] == "Quist, Otto" and games[0]["Opponent's id"] == "73928E03"
    assert games[3]["Opponent's id"] is None


def test_a_draw_is_a_sign_of_its_own_and_no_formula(tmp_path):
    month = november()
    month["games"] = rows(
        GAMES, {"event": "A", "round": 1, "fideid": 1, "opponent": 2, "result": "=", "counted": 1, "file": "a.trf"}
    )
    workbook.write(tmp_path / "x.xlsx", month, ABOUT)
    assert cells(openpyxl.load_workbook(tmp_path / "x.xlsx")["Games"])[0]["Result"] == "½"


def test_head_is_frozen_filtered_wide_enough_and_printed_on_every_page(opened):
    for name in SHEETS[:-1]:
        sheet = opened[name]
        assert sheet.freeze_panes in ("A2", "C2")
        assert sheet.auto_filter.ref == sheet.dimensions if sheet.max_row > 1 else sheet.auto_filter.ref
        assert sheet.print_title_rows == "$1:$1"
        assert sheet.page_setup.orientation == "landscape" and sheet.sheet_properties.pageSetUpPr.fitToPage
        for letter, dimension in sheet.column_dimensions.items():
            assert dimension.width >= len(str(sheet[f"{letter}1"].value)) + 2
    names = opened["Rating list"].column_dimensions["B"].width
    assert names >= len("Lundqvist, Bo")


def test_gains_and_losses_are_coloured(opened):
    rules = [rule for found in opened["Changes"].conditional_formatting for rule in found.rules]
    assert {rule.operator for rule in rules} == {"greaterThan", "lessThan"}
    assert opened["Changes"]["K2"].number_format == "+0;-0;0"


def test_about_names_period_edition_version_and_counts(opened):
    facts = {row[0]: row[1] for row in opened["About"].iter_rows(values_only=True)}
    assert facts["Period"] == "2026-11" and facts["Edition"] == "classic" and facts["Version"] == "1.0.0"
    assert facts["Rows of Rating list"] == 5 and facts["Rows of Games"] == 5 and facts["Events rated"] == 1


def test_markup_control_signs_and_what_looks_like_an_escape(tmp_path):
    names = ["<b>&amp;</b>", "a\x00b\x1bc", "_x0041_", " space ", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "'quoted", "@cmd", "+1", "-1", "\uffff", "line\nbreak"]  # fmt: skip
    month = november()
    month["list"] = rows(LIST, *(player(place, name, 1500) for place, name in enumerate(names, 1)))
    workbook.write(tmp_path / "x.xlsx", month, ABOUT)
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    found = {row["Id"]: row["Name"] for row in cells(book["Rating list"])}
    assert (
        found["1"] == "<b>&amp;</b>"
        and found["2"] == "a\ufffdb\ufffdc"
        and found["4"] == " space "
        and found["5"] == "😀"
    )
    assert [found[str(place)] for place in (6, 7, 8, 9)] == ["'quoted", "@cmd", "+1", "-1"] and found["10"] == "\ufffd"
    # A workbook writes _x0041_ for A: the underscore itself is written so.
    assert found["3"] == "_x005F_x0041_"
    assert all(cell.data_type in ("s", "n") for row in book["Rating list"].iter_rows(min_row=2) for cell in row)


def test_the_same_month_gives_the_same_bytes(tmp_path):
    for name in ("a.xlsx", "b.xlsx"):
        workbook.write(tmp_path / name, november(), ABOUT)
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"2026-11-01T00:00:00Z" in archive.read("docProps/core.xml")


def test_a_write_that_breaks_off_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "list.xlsx"
    path.write_bytes(b"old")

    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr(workbook, "save", broken)
    with pytest.raises(OSError, match="disk full"):
        workbook.write(path, november(), ABOUT)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_more_rows_than_a_sheet_holds_go_on_in_the_next():
    columns = [Column("Id", pa.array(range(1, 8)), "id"), Column("Rating", pa.array(range(1501, 1508)), "number")]
    book, fillings = workbook.draw([("Rating list", columns)], ABOUT, most_rows=3)
    file = io.BytesIO()
    save(book, fillings, "2026-11-01", file)
    found = openpyxl.load_workbook(file)
    assert found.sheetnames == ["Rating list", "Rating list 2", "Rating list 3"]
    assert [[row["Id"] for row in cells(sheet)] for sheet in found] == [["1", "2", "3"], ["4", "5", "6"], ["7"]]
    assert workbook.MOST_ROWS == 1_048_575


def plain_twin(sheets, file):
    """The same sheets written cell by cell, as openpyxl does it."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, columns in sheets:
        sheet = book.create_sheet(title)
        for number, column in enumerate(columns, 1):
            sheet.cell(1, number, column.head)
            for place, value in enumerate(column.values.to_pylist(), 2):
                if value is not None and column.kind in ("points", "change points"):
                    value = value / 10_000
                elif column.kind == "yes" and value is not None:
                    value = "yes" if value else "no"
                elif column.kind == "id":
                    value = id_text(value or 0)
                if value not in ("", None):
                    cell = sheet.cell(place, number, value)
                    cell.data_type = "s" if isinstance(value, str) else cell.data_type
    book.save(file)


def test_streamed_rows_are_what_openpyxl_would_write(monkeypatch):
    """Rows of every kind, gaps among them, over several blocks."""
    monkeypatch.setattr(sheet_rows, "_BLOCK", 1000)
    rng = np.random.default_rng(7)
    count = 2500

    def gappy(values, kind):
        return pa.array(values, kind, mask=rng.random(count) < 0.2)

    columns = [
        Column("Id", pa.array(np.where(rng.random(count) < 0.1, id_code("0042"), rng.integers(1, 10**9, count))), "id"),
        Column("Name", gappy([f"Näme {number} <&> \"'" for number in range(count)], pa.string()), "text"),
        Column("Word", gappy([("won", "lost", "=1+1")[number % 3] for number in range(count)], pa.string()).dictionary_encode(), "text"),
        Column("Rating", gappy(rng.integers(-3000, 3000, count), pa.int32()), "number"),
        Column("Change", pa.chunked_array([gappy(rng.integers(-99, 99, count), pa.int32())]), "change"),
        Column("Points", gappy(rng.integers(-90_000, 90_000, count), pa.int64()), "points"),
        Column("Day", gappy(rng.integers(15_000, 30_000, count).astype(np.int32), pa.int32()).cast(pa.date32()), "day"),
        Column("Counted", gappy(rng.integers(0, 2, count), pa.int32()), "yes"),
    ]  # fmt: skip
    book, fillings = workbook.draw([("Sheet", columns)], {})
    ours, twin = io.BytesIO(), io.BytesIO()
    save(book, fillings, "2026-11-01", ours)
    plain_twin([("Sheet", columns)], twin)
    found = [
        list(openpyxl.load_workbook(file, read_only=True)["Sheet"].iter_rows(values_only=True)) for file in (ours, twin)
    ]
    assert len(found[0]) == count + 1
    assert [[as_day(cell) for cell in row] for row in found[0]] == [[as_day(cell) for cell in row] for row in found[1]]


def as_day(cell):
    return cell.date() if isinstance(cell, datetime) else cell


def test_read_back_by_another_reader(tmp_path):
    calamine = pytest.importorskip("python_calamine")
    workbook.write(tmp_path / "x.xlsx", november(), ABOUT)
    book = calamine.load_workbook(str(tmp_path / "x.xlsx"))
    assert book.sheet_names == SHEETS
    lines = book.get_sheet_by_name("Waiting").to_python()
    assert lines[1][0] == "1000044" and lines[1][5] == date(2026, 10, 22) and lines[1][6] == 4


# --- a part of the list


def people():
    return rows(
        LIST, player(1, "Ash, Ann", 1500, sex="F", country="SVL", birthday="2010-05-01"), player(2, "Bow, Bo", 1700, country="NOR", birthday="1990"),
        player(3, "Cox, Cy", 1500, country="svl", birthday=""), player(4, "Dee, Di", None, sex="F", country="SVL", birthday="2012", rapid_rating=1600),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        ({}, [1, 2, 3, 4]),
        ({"fed": "SVL"}, [1, 3, 4]),
        ({"women": True}, [1, 4]),
        ({"juniors": 2010}, [1, 4]),
        ({"juniors": 2011}, [4]),
        ({"control": "rapid"}, [4]),
        ({"top": 2}, [2, 1]),
        ({"top": 9}, [2, 1, 3]),
        ({"top": 1, "control": "rapid"}, [4]),
        ({"fed": "nor", "women": True}, []),
    ],
)
def test_selection(asked, ids):
    assert select(people(), **asked)["fideid"].to_pylist() == ids


def test_selected_players_alone_are_in_every_sheet(tmp_path):
    month = november()
    month["list"] = rows(
        LIST, player(1000011, "Lund, Maja", 1618, sex="F"), player(id_code("73928E03"), "Quist, Otto", 1922)
    )
    workbook.write(tmp_path / "x.xlsx", month, ABOUT, women=True)
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    for name in ("Rating list", "Changes", "Events", "Games"):
        assert {row["Id"] for row in cells(book[name])} == {"1000011"}
    assert cells(book["New players"]) == [] and cells(book["Waiting"]) == []


def test_one_control_has_its_columns_alone(tmp_path):
    month = november()
    month["list"] = people()
    workbook.write(tmp_path / "x.xlsx", month, ABOUT, control="rapid")
    heads = [cell.value for cell in openpyxl.load_workbook(tmp_path / "x.xlsx")["Rating list"][1]]
    assert "Rapid" in heads and not any(head.startswith(("Std", "Blitz")) for head in heads)


# --- one table


def test_one_table_with_the_names_other_programs_rely_on(tmp_path):
    workbook.write_table(tmp_path / "x.xlsx", "changes", november()["changes"])
    book = openpyxl.load_workbook(tmp_path / "x.xlsx")
    assert book.sheetnames == ["changes"]
    assert [cell.value for cell in book["changes"][1]] == CHANGES.names
    assert cells(book["changes"])[0]["change_exact"] == 0.6 and cells(book["changes"])[2]["fideid"] == "0042"


def test_empty_table_has_its_heads(tmp_path):
    workbook.write_table(tmp_path / "x.xlsx", "problems", table(PROBLEMS, {}))
    assert [cell.value for cell in openpyxl.load_workbook(tmp_path / "x.xlsx")["problems"][1]] == PROBLEMS.names


@pytest.mark.office
@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice (soffice) is not installed")
def test_libreoffice_opens_it_and_reads_the_same(tmp_path):
    workbook.write(tmp_path / "x.xlsx", november(), ABOUT)
    command = ["soffice", f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to", "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false", "--outdir", str(tmp_path), str(tmp_path / "x.xlsx")]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    lines = (tmp_path / "x.csv").read_text("utf-8").splitlines()
    assert lines[0].startswith("Id,Name,Fed,Sex,Title,Std,Std +/-")
    assert lines[1].startswith("0042,=1+1,SVL,M,,,-4,2")
    assert lines[2].startswith('1000011,"Lund, Maja",SVL,F,,1618,1,7')
