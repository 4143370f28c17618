"""Workbooks: what stands in their cells, which sheets are read, and workbooks made to do harm."""

import io
import shutil
import subprocess
import time
import tracemalloc
import zipfile
from datetime import date, datetime

import pytest
from sheet_makers import (
    HEAD,
    claimants,
    codes,
    games,
    ods,
    ods_of,
    ods_rows,
    raw_xlsx,
    read,
    sheet_xml,
    told,
    xlsx,
)  # fmt: skip

from fide_batch import formats
from fide_batch.formats import sheet_plain
from fide_batch.formats.sheet_book import open_book
from fide_batch.model import id_text

REPORT = [
    ["Event", "Autumn Open"],
    ["Start", date(2026, 10, 3)],
    ["End", datetime(2026, 10, 4)],
    ["Rounds", 2],
    ["Control", "standard"],
    [],
    ["No", "Name", "FideID", "Rating", "Birth", "R1", "R2", "Pts"],
    [1, "Alder, Ann", 1503014, 2104, date(2001, 5, 17), "2w1", "3b½", 1.5],
    [2, "Birch, Bob", "0042", 1987, 1990, "1b0", -1, 1],
    [3, "Cedar, Cid", 4.31e7, None, 39511, -0.5, "1w½", "1,0"],
]
PLAYED = {
    (1, 1): (2, "w", "1"), (1, 2): (3, "b", "="), (2, 1): (1, "b", "0"), (2, 2): (0, "", "U"), (3, 1): (0, "", "H"), (3, 2): (1, "w", "="),
}  # fmt: skip


@pytest.mark.parametrize("make", [xlsx, ods])
def test_numbers_dates_and_texts_of_cells(make):
    report = read("open.book", make(REPORT))
    assert not codes(report, "error") and not codes(report, "warning")
    assert games(report) == PLAYED
    assert (report.event.start, report.event.end) == (date(2026, 10, 3), date(2026, 10, 4))
    assert [id_text(entry.fideid) for entry in report.entries] == ["1503014", "0042", "43100000"]
    assert [entry.birth for entry in report.entries] == ["2001-05-17", "1990", "2008-03-04"]
    assert [entry.points for entry in report.entries] == [15000, 10000, 10000]
    assert [entry.line for entry in report.entries] == [8, 9, 10]


def test_a_problem_names_the_cell():
    rows = [*REPORT[:8], [2, "Birch, Bob", "4.31E+07", 1987, 1990, "1b7", None, 0]]
    report = read("open.xlsx", xlsx(("Report", rows)))
    id_, result = told(report, "id-unreadable"), told(report, "result-unreadable")
    assert (id_.line, id_.column) == (9, 3) and id_.message.startswith("cell C9 of sheet 'Report'")
    assert (result.line, result.column) == (9, 6) and result.message.startswith("cell F9 of sheet 'Report'")


def test_one_half_that_the_spreadsheet_made_a_date():
    rows = [
        *HEAD,
        ["Round", "White", "Black", "Result"],
        [1, "A", "B", date(2026, 2, 1)],
        [2, "B", "A", date(2026, 5, 5)],
    ]
    report = read("match.xlsx", xlsx(rows))
    assert told(report, "result-date").severity == "note" and games(report)[1, 1][2] == "="
    assert told(report, "result-unreadable").line == 8


def test_players_and_games_on_two_sheets():
    players = [*HEAD, ["No", "Name", "FideID"], [1, "Alder", 90000011], [2, "Birch", 90000029]]
    rounds = [["Round", "White No", "Black No", "Result"], [1, 1, 2, "1-0"], [2, 2, 1, "0-1"]]
    report = read("open.xlsx", xlsx(("Players", players), ("Games", rounds), ("Prizes", [["first", 100]])))
    assert [entry.fideid for entry in report.entries] == [90000011, 90000029] and len(report.cells) == 4
    message = told(report, "sheets").message
    assert "Players (players), Games (games)" in message and "nothing was found in Prizes" in message


def test_hidden_sheets_are_not_read_and_a_note_says_so():
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(xlsx(("Report", REPORT), ("Old", REPORT))))
    book["Old"].sheet_state = "hidden"
    stream = io.BytesIO()
    book.save(stream)
    report = read("open.xlsx", stream.getvalue())
    assert games(report) == PLAYED and "Old" in told(report, "workbook").message


def test_the_same_results_on_two_sheets_are_read_once():
    report = read("open.xlsx", xlsx(("Report", REPORT), ("Copy", REPORT)))
    assert games(report) == PLAYED and told(report, "tables-left").severity == "note"


def test_two_events_in_one_workbook_are_refused():
    """Reading the first and forgetting the second would silently lose an event."""
    other = [*REPORT[:7], [1, "Elm", 5, 0, "", "2w1", ""], [2, "Fir", 6, 0, "", "1b0", ""]]
    problem = told(read("open.xlsx", xlsx(("A", REPORT), ("B", other))), "tables-several")
    assert problem.severity == "error" and "one event a file" in problem.hint


def another(name, first=5):
    """A whole report of an event of its own."""
    return [["Event", name], *REPORT[1:7], [1, "Elm", first, 0, "", "2w1", ""], [2, "Fir", first + 1, 0, "", "1b0", ""]]


def test_sheets_that_are_whole_reports_of_several_events_are_read_each_for_itself():
    found = formats.read_report(
        "results/autumn.xlsx", xlsx(("Rapid", another("Rapid Cup")), ("Open", REPORT), ("Prizes", [["first", 100]]))
    )
    assert [report.event.file for report in found] == ["results/autumn.xlsx/Open", "results/autumn.xlsx/Rapid"]
    assert [report.event.name for report in found] == ["Autumn Open", "Rapid Cup"]
    assert games(found[0]) == PLAYED and [entry.name for entry in found[1].entries] == ["Elm", "Fir"]
    assert not [code for report in found for code in codes(report, "error")]
    (note,) = [problem for report in found for problem in report.problems if problem.code == "sheets"]
    assert note.file == "results/autumn.xlsx" and "Prizes" in note.message
    assert found[0].event.sha256 == found[1].event.sha256 != ""


def test_sheets_of_an_ods_that_are_whole_reports():
    found = formats.read_report("autumn.ods", ods(REPORT, another("Cup")))
    assert [report.event.file for report in found] == ["autumn.ods/Sheet1", "autumn.ods/Sheet2"]


def test_a_problem_of_a_sheet_that_is_a_report_is_told_under_its_name():
    (_, other) = formats.read_report(
        "a.xlsx", xlsx(("A", REPORT), ("B", [*another("Cup"), [3, "Ash", "CM1", 0, "", "-1", ""]]))
    )
    problem = told(other, "id-unreadable")
    assert (problem.file, problem.line, problem.column) == ("a.xlsx/B", 10, 3)


@pytest.mark.parametrize(
    "sheets",
    [
        (("A", REPORT), ("B", another("Cup")), ("Players", [["No", "Name", "FideID"], [1, "Alder, Ann", 1503014]])),
        (("A", REPORT), ("B", another("Cup")[6:])),
        (("A", REPORT), ("B", another("Cup")), ("Head", [["Start", date(2026, 10, 3)]])),
        (("A", REPORT), ("B", another("autumn  OPEN"))),
    ],
    ids=["players apart", "no head", "head apart", "one name"],
)
def test_where_it_is_doubtful_whether_sheets_are_several_events_they_are_refused(sheets):
    (report,) = formats.read_report("a.xlsx", xlsx(*sheets))
    assert told(report, "tables-several").severity == "error"


@pytest.mark.parametrize("line", [["Start", date(2026, 10, 10)], ["End", date(2026, 10, 20)], ["Control", "rapid"]])
def test_the_same_results_under_a_head_of_another_event_are_refused(line):
    """Two events of one name and the same small result cells would be one event, and the games of the other lost."""
    other = [line if row and row[0] == line[0] else row for row in REPORT]
    (report,) = formats.read_report("a.xlsx", xlsx(("A", REPORT), ("B", other)))
    problem = told(report, "tables-several")
    assert problem.severity == "error" and "another head" in problem.message


def test_the_same_table_twice_under_one_head_is_read_once():
    (report,) = formats.read_report("a.xlsx", xlsx(("A", REPORT), ("B", REPORT)))
    assert not codes(report, "error") and games(report) == PLAYED


def test_merged_cells_of_tied_ranks():
    import openpyxl

    rows = [*HEAD, ["Rk.", "Name", "R1"], [1, "A", "2w½"], [None, "B", "1b½"], [3, "C", "-1"]]
    book = openpyxl.load_workbook(io.BytesIO(xlsx(rows)))
    book.active.merge_cells("A7:A8")
    stream = io.BytesIO()
    book.save(stream)
    report = read("open.xlsx", stream.getvalue())
    assert [(entry.number, entry.rank) for entry in report.entries] == [(1, 1), (2, 1), (3, 3)]
    assert games(report)[2, 1] == (1, "b", "=")


def test_workbooks_are_ours_and_nobody_elses():
    assert claimants("open.xlsx", xlsx(REPORT)) == ["workbook sheet"]
    assert claimants("open.ods", ods(REPORT)) == ["workbook sheet"]


@pytest.mark.parametrize("make", [xlsx, ods])
def test_a_rating_list_in_a_workbook_is_no_report(make):
    rows = [
        ["ID Number", "Name", "Fed", "Rtg", "B-day"],
        [90000011, "Alder", "GER", 2104, 2001],
        [90000029, "Birch", "GER", 1987, 1990],
    ]
    assert claimants("list.xlsx", make(rows)) == []


# --- harm -------------------------------------------------------------------------------------------------


def refused(data, *words, name="open.xlsx"):
    """The one problem of a workbook that cannot be opened, within two seconds and 200 MB of Python's memory."""
    tracemalloc.start()
    started = time.monotonic()
    report = read(name, data)
    spent, peak = time.monotonic() - started, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert codes(report, "error") == ["unreadable"] and not report.entries and not report.cells
    problem = told(report, "unreadable")
    for word in words:
        assert word in problem.message
    assert problem.hint and problem.file == name
    assert spent < 20 and peak < 200 << 20
    return problem


CELLS = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


@pytest.mark.parametrize(
    "cells",
    [CELLS, CELLS.replace('"', "'"), CELLS.replace('<c r="XFD1048576">', '<c  s="0" r="XFD1048576">'), CELLS.replace(' r="XFD1048576"', "").replace('<row r="1048576">', '<row r="1048576">' + "<c><v>1</v></c>" * 50)],
)  # fmt: skip
def test_two_cells_in_opposite_corners(cells):
    """A block of 17 thousand million cells may not be laid out."""
    refused(raw_xlsx(sheet_xml(cells)), "cells", "at most 2,000,000")


def test_corners_behind_a_namespace():
    cells = (
        CELLS.replace("<row", "<x:row")
        .replace("</row", "</x:row")
        .replace("<c", "<x:c")
        .replace("</c", "</x:c")
        .replace("<v>", "<x:v>")
        .replace("</v>", "</x:v>")
    )
    xml = (
        sheet_xml(cells)
        .replace("xmlns=", "xmlns:x=")
        .replace("<worksheet", "<x:worksheet")
        .replace("</worksheet", "</x:worksheet")
        .replace("<sheetData", "<x:sheetData")
        .replace("</sheetData", "</x:sheetData")
    )
    refused(raw_xlsx(xml), "cells")


@pytest.mark.parametrize("row", ['<row r="{}"/>', '<row r="{0}"><c r="A{0}" s="0"/></row>'])
def test_a_million_empty_rows_are_no_rows(row):
    data = raw_xlsx(sheet_xml("".join(row.format(line) for line in range(1, 1_000_001))))
    started = time.monotonic()
    assert claimants("open.xlsx", data) == []
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("corner", ["A1", "C3"])
def test_rows_without_content_are_left_out_wherever_the_table_stands(corner):
    column, line = corner[0], int(corner[1])
    cells = f'<row r="{line}"><c r="{corner}"><v>1</v></c></row><row r="{line + 2}"><c r="{column}{line + 2}"><v>2</v></c></row>'
    rows = open_book(raw_xlsx(sheet_xml(cells))).sheets[0].rows
    assert [(row.line, row.cells[-1]) for row in rows] == [(line, 1.0), (line + 2, 2.0)]


def test_a_report_above_very_many_empty_rows_is_read():
    filler = "".join(f'<row r="{line}"><c r="A{line}" s="0"/></row>' for line in range(10, 200_001))
    texts = [["Event", "Open"], ["No", "Name", "R1"], [1, "A", "2w1"], [2, "B", "1b0"]]
    rows = "".join(
        f'<row r="{line}">' + "".join(f'<c r="{column}{line}" t="inlineStr"><is><t>{cell}</t></is></c>' for column, cell in zip("ABC", row, strict=False)) + "</row>"
        for line, row in enumerate(texts, 1)
    )  # fmt: skip
    assert len(read("open.xlsx", raw_xlsx(sheet_xml(rows + filler))).cells) == 2


def test_a_zip_bomb_is_measured_and_not_unpacked():
    refused(raw_xlsx(sheet_xml(""), ("xl/media/image1.png", b"\0" * (200 << 20))), "unpacks to", "at most 64 MB")


def test_a_part_that_unpacks_to_more_than_it_says():
    data = raw_xlsx(sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row>' * 50_000))
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        size = book.getinfo("xl/worksheets/sheet1.xml").file_size
    lying = data.replace(size.to_bytes(4, "little"), (100).to_bytes(4, "little"))
    assert lying != data
    refused(lying, "damaged")


def test_one_long_text_in_very_many_cells():
    shared = (
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>'
        + "x" * 5_000_000
        + "</t></si></sst>"
    )
    cells = "".join(f'<row r="{line}"><c r="A{line}" t="s"><v>0</v></c></row>' for line in range(1, 2000))
    refused(raw_xlsx(sheet_xml(cells), ("xl/sharedStrings.xml", shared)), "very long text")


def test_entities_are_refused():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    refused(raw_xlsx(bomb + sheet_xml('<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>')), "entities")


def test_a_formula_without_its_value_is_told_with_its_cell():
    """Written by a program that never calculated it, the cell would be read as empty: a result would be lost."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(xlsx(REPORT)))
    book.active["G8"] = '="3b"&"½"'
    stream = io.BytesIO()
    book.save(stream)
    refused(stream.getvalue(), "cell G8", "formula")


def test_macros_are_left_alone_and_noted():
    data = io.BytesIO(xlsx(REPORT))
    with zipfile.ZipFile(data, "a") as book:
        book.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0")
    report = read("open.xlsm", data.getvalue())
    assert games(report) == PLAYED and "macros" in told(report, "workbook").message


def test_passwords():
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(1000)
    refused(ole, "password")
    encrypted = io.BytesIO()
    with zipfile.ZipFile(encrypted, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", "<manifest:manifest><manifest:encryption-data/></manifest:manifest>")
        book.writestr("content.xml", b"\x13\x37")
    refused(encrypted.getvalue(), "password", name="open.ods")


def test_binary_workbooks_are_not_read():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as book:
        book.writestr("xl/workbook.bin", b"\0")
    refused(stream.getvalue(), "XLSB", name="open.xlsb")


@pytest.mark.parametrize("make", [xlsx, ods])
def test_damaged_workbooks(make):
    data = make(REPORT)
    refused(data[:-40], "damaged")
    middle = len(data) // 2
    broken = data[: middle - 20] + bytes(255 - byte for byte in data[middle - 20 : middle + 20]) + data[middle + 20 :]
    for reader_says in claimants("open.xlsx", broken):
        assert reader_says == "workbook sheet"


@pytest.mark.parametrize("make", [xlsx, ods])
def test_a_small_workbook_is_read_as_a_large_one(make, monkeypatch):
    """Small ones are read without packing, large ones as they were handed over."""
    data = make(REPORT)
    small = read("open.book", data)
    monkeypatch.setattr(sheet_plain, "MOST", 0)
    assert read("open.book", bytes(bytearray(data))) == small


def test_a_plain_workbook_holds_the_same_parts():
    with zipfile.ZipFile(io.BytesIO(xlsx(REPORT))) as book:
        parts = [(part, book.read(part)) for part in book.infolist()]
    with zipfile.ZipFile(io.BytesIO(sheet_plain.plain_zip(parts))) as plain:
        assert plain.testzip() is None and plain.namelist() == [part.filename for part, _ in parts]
        assert [plain.read(part.filename).replace(b"<mergeCells></mergeCells>", b"") for part, _ in parts] == [
            content for _, content in parts
        ]


def test_a_sheet_whose_bytes_have_changed_is_damaged():
    """Its checksum tells."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx(REPORT))) as source, zipfile.ZipFile(stream, "w") as book:
        for name in source.namelist():
            book.writestr(name, source.read(name))
    data = stream.getvalue()
    assert data.count(b"2104") == 1
    refused(data.replace(b"2104", b"2401"), "damaged")


def test_repeated_cells_of_an_ods():
    row = '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000" office:value-type="float" office:value="1"/></table:table-row>'
    refused(ods_of(f'<table:table table:name="S">{row}</table:table>'), "cells", name="open.ods")
    far = '<table:table-row table:number-rows-repeated="900000"/>' + ods_rows([[1]])
    assert claimants("open.ods", ods_of(f'<table:table table:name="S">{ods_rows([[1]])}{far}</table:table>')) == []


def test_repeated_results_of_an_ods_stand_in_every_cell():
    """LibreOffice writes equal neighbours once."""
    head = ods_rows([["Event", "Open"], ["No", "Name", "R1", "R2"]])
    row = '<table:table-row><table:table-cell office:value-type="float" office:value="1"/><table:table-cell office:value-type="string"><text:p>A</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2" office:value-type="string"><text:p>2w1</text:p></table:table-cell></table:table-row>'
    body = head + row + ods_rows([[2, "B", "1b0", "1b0"]])
    report = read("open.ods", ods_of(f'<table:table table:name="S">{body}</table:table>'))
    assert games(report)[1, 1] == games(report)[1, 2] == (2, "w", "1")


def test_a_page_from_the_web_is_no_workbook():
    from fide_batch.formats import sheet_csv, sheet_xlsx

    page = b"<html><body><table><tr><td>Rk.</td></tr></table></body></html>"
    assert claimants("export.xls", page) == []
    assert "not a workbook" in sheet_xlsx.looks("export.xls", page) and "HTML" in sheet_csv.looks("export.xls", page)


@pytest.mark.office
def test_xls_and_ods_as_libreoffice_writes_them(tmp_path):
    if not shutil.which("soffice"):
        pytest.skip("LibreOffice is not installed")
    (tmp_path / "open.xlsx").write_bytes(xlsx(REPORT))
    for ending in ("ods", "xls"):
        command = [
            "soffice",
            f"-env:UserInstallation=file://{tmp_path}/profile",
            "--headless",
            "--convert-to",
            ending,
            "--outdir",
            str(tmp_path),
            str(tmp_path / "open.xlsx"),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        report = read(f"open.{ending}", (tmp_path / f"open.{ending}").read_bytes())
        assert games(report) == PLAYED
        assert [id_text(entry.fideid) for entry in report.entries] == ["1503014", "0042", "43100000"]


@pytest.mark.parametrize("name", ["A99999999999", "a4294967295", "4294967295", "xfd1048576", "XFD1048576", "A", "$A$1"])
def test_cells_called_as_no_cell_is_called(name):
    """The library that reads cells takes any figures for a row and lays out as many: its process dies, and so would the run."""
    cells = f'<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="{name}"><v>1</v></c></row>'
    refused(raw_xlsx(sheet_xml(cells)))
    refused(raw_xlsx(sheet_xml(cells.replace('<row r="2"><c r="', '<row r="2"><c  r="'))))


@pytest.mark.parametrize("second", [" r='{}'", " r ='{}'", "\tr='{}'", 'r="{}"', " r\n= '{}'"])
@pytest.mark.parametrize("name", ["XFD1048576", "ZZZ9999999"])
def test_cells_with_two_names(second, name):
    """The library takes the second name, and lays out a block as far as there."""
    cells = f'<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"{second.format(name)}><v>1</v></c></row>'
    refused(raw_xlsx(sheet_xml(cells)), "damaged")


@pytest.mark.parametrize(
    "around",
    ['<pageMargins header="0.5" footer="0.5"/>', '<x:uid xmlns:x="x" x:r="1" xr:r="2"/>', "<extLst><x14:cfRule/></extLst>"],
)  # fmt: skip
def test_a_usual_sheet_is_measured_at_once(around):
    """Other attributes that end in r, and other elements that begin with c, are no reason to follow the tags one by one: that takes ten times as long."""
    from fide_batch.formats.sheet_guard import cells_of

    sheet = sheet_xml('<row r="1"><c r="A1"><v>1</v></c></row>').replace("</sheetData>", "</sheetData>" + around)
    assert around in sheet and cells_of(sheet.encode()) is not None


@pytest.mark.parametrize("times", ["99999999999", "+99999999999", "many"])
def test_cells_repeated_without_end(times):
    row = f'<table:table-row table:number-rows-repeated="{times}"><table:table-cell office:value-type="float" office:value="1"/></table:table-row>'
    refused(ods_of(f'<table:table table:name="S">{row}</table:table>'), name="open.ods")


def test_a_workbook_of_two_kinds_is_measured_as_both():
    """Where the XLSX in it cannot be read, the library tries the ODS in it."""
    row = '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000" office:value-type="float" office:value="1"/></table:table-row>'
    with zipfile.ZipFile(io.BytesIO(ods_of(f'<table:table table:name="S">{row}</table:table>'))) as book:
        parts = [(name, book.read(name)) for name in book.namelist()]
    refused(raw_xlsx("<broken", *parts), "cells")


def test_a_damaged_xls_costs_its_own_process_only():
    """An XLS is read by another process: 512 bytes of nothing, and counts of sectors without end."""
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + b"\x3e\x00\x03\x00\xfe\xff\x09\x00\x06\x00" + b"\xff" * 478
    )
    refused(header, "damaged", name="open.xls")
    refused(header + bytes(4096), "damaged", name="open.xls")
