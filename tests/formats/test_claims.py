"""Which files are read, by which reader, and what is said of the others: folders, links, ZIP files, files nobody knows."""

import io
import os
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from trf_lines import codes, player, report

from fide_batch import formats
from fide_batch.formats import files, zip_reports
from fide_batch.model import Refused, Reports

REPORT = report(player(1, "Reed, Ann", "2 w 1", points="1.0"), player(2, "Moor, Ben", "1 b 0"))


def folder(tmp_path, *names, data=REPORT):
    for name in names:
        place = tmp_path / "results" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return tmp_path / "results"


def names(reports):
    return [event.file for event in reports.events]


def said(reports, severity=None):
    return {problem.code for problem in reports.problems if severity in (None, problem.severity)} - {"pace"}


# --- folders ----------------------------------------------------------------------------------------


def test_a_folder_of_folders_is_read_in_the_order_of_names(tmp_path):
    top = folder(tmp_path, "b.trf", "a.trf", "north/x.trf", "north/rapid/y.trf")
    reports = formats.read_reports([top], control="standard")
    assert names(reports) == ["results/a.trf", "results/b.trf", "results/north/rapid/y.trf", "results/north/x.trf"]
    assert [event.control for event in reports.events] == ["standard", "standard", "rapid", "standard"]
    assert reports.entries.num_rows == 8 and reports.cells.num_rows == 8 and said(reports) == set()


def test_names_are_as_typed_when_they_lead_down_from_here(tmp_path, monkeypatch):
    folder(tmp_path, "a.trf")
    monkeypatch.chdir(tmp_path)
    assert names(formats.read_reports([Path("results")])) == ["results/a.trf"]
    assert names(formats.read_reports([Path("results/a.trf")])) == ["results/a.trf"]
    monkeypatch.chdir(tmp_path / "results")
    assert names(formats.read_reports([Path(".")])) == ["a.trf"]
    assert names(formats.read_reports([Path("../results/a.trf")])) == ["a.trf"]


def test_a_report_handed_over_twice_is_read_once(tmp_path):
    top = folder(tmp_path, "a.trf")
    assert names(formats.read_reports([top, top / "a.trf", top])) == ["results/a.trf"]


def test_two_files_of_one_name_keep_apart(tmp_path):
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "a.trf").write_bytes(REPORT)
    assert names(formats.read_reports([tmp_path / "one" / "a.trf", tmp_path / "two" / "a.trf"])) == [
        "one/a.trf",
        "two/a.trf",
    ]


def test_a_file_named_as_a_folder_of_others_keeps_apart(tmp_path):
    """Both are kept in one folder, where no file can stand in a folder's place."""
    (tmp_path / "north" / "may").mkdir(parents=True)
    (tmp_path / "south").mkdir()
    for place in ("north/may/a.trf", "south/may"):
        (tmp_path / place).write_bytes(REPORT)
    found = formats.find([tmp_path / "north" / "may", tmp_path / "south" / "may"])
    assert [name for name, _ in found] == ["may/a.trf", "south/may"]


@pytest.mark.parametrize(
    "name", [".hidden.trf", "~$open.xlsx", ".DS_Store", "Thumbs.db", ".git/config", "__MACOSX/a.trf"]
)
def test_hidden_files_locks_and_files_of_the_system_are_nobodys_report(tmp_path, name):
    top = folder(tmp_path, "a.trf", name)
    reports = formats.read_reports([top])
    assert names(reports) == ["results/a.trf"] and said(reports) == set()


@pytest.mark.parametrize("name", ["README.md", "readme.txt", "notes.md"])
def test_notes_to_people_in_a_folder_are_left_aside_with_a_note(tmp_path, name):
    top = folder(tmp_path, "a.trf")
    (top / name).write_text("The reports of September.")
    reports = formats.read_reports([top])
    assert names(reports) == ["results/a.trf"] and said(reports) == {"left-aside"} and said(reports, "error") == set()


def test_a_text_file_is_a_report_by_its_content(tmp_path):
    top = folder(tmp_path, "open.txt", "readme.txt")
    assert names(formats.read_reports([top])) == ["results/open.txt", "results/readme.txt"]


def test_an_empty_folder_is_an_error(tmp_path):
    (tmp_path / "results" / "deep").mkdir(parents=True)
    reports = formats.read_reports([tmp_path / "results"])
    assert said(reports, "error") == {"empty-folder"} and names(reports) == []


def test_a_path_that_does_not_exist_is_an_error_and_the_others_are_read(tmp_path):
    top = folder(tmp_path, "a.trf")
    reports = formats.read_reports([tmp_path / "nowhere", top])
    assert names(reports) == ["results/a.trf"] and said(reports, "error") == {"not-found"}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    top = folder(tmp_path, "a.trf")
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "b.trf").write_bytes(REPORT)
    (top / "file.trf").symlink_to(outside / "b.trf")
    (top / "folder").symlink_to(outside)
    (top / "gone.trf").symlink_to(outside / "nothing.trf")
    reports = formats.read_reports([top])
    assert names(reports) == ["results/a.trf"] and said(reports) == {"link-outside"}
    assert len([problem for problem in reports.problems if problem.code == "link-outside"]) == 3


def test_a_link_inside_the_folder_is_no_second_report_and_a_circle_has_an_end(tmp_path):
    top = folder(tmp_path, "deep/a.trf")
    (top / "again.trf").symlink_to(top / "deep" / "a.trf")
    (top / "deep" / "circle").symlink_to(top)
    reports = formats.read_reports([top])
    assert names(reports) == ["results/deep/a.trf"] and said(reports) == set()


def test_a_link_that_is_named_outright_is_followed(tmp_path):
    top = folder(tmp_path, "a.trf")
    (tmp_path / "link.trf").symlink_to(top / "a.trf")
    assert len(formats.read_reports([tmp_path / "link.trf"]).events) == 1


def test_a_pipe_is_not_waited_for(tmp_path):
    top = folder(tmp_path, "a.trf")
    os.mkfifo(top / "pipe.trf")
    reports = formats.read_reports([top])
    assert names(reports) == ["results/a.trf"] and said(reports, "error") == {"not-a-file"}


def test_a_file_that_vanishes_is_an_error(tmp_path):
    place = folder(tmp_path, "a.trf") / "a.trf"
    assert files.read_bytes("a.trf", place) == REPORT
    place.unlink()
    assert files.read_bytes("a.trf", place).code == "unreadable"


def test_a_file_that_is_too_large_is_an_error_and_is_not_read_to_its_end(tmp_path):
    place = tmp_path / "huge.trf"
    with open(place, "wb") as stream:
        stream.seek(20_000_000_000)
        stream.write(b"x")
    reports = formats.read_reports([place])
    assert said(reports, "error") == {"too-large"} and names(reports) == ["huge.trf"]


def test_progress_counts_files(tmp_path):
    told = []
    formats.read_reports([folder(tmp_path, "a.trf", "b.trf")], progress=lambda *what: told.append(what))
    assert told == [("reading", 1, 2), ("reading", 2, 2)]


def test_the_files_to_keep_are_those_that_are_read(tmp_path):
    top = folder(tmp_path, "b.trf", "a.trf", ".hidden")
    assert formats.find([top]) == [("results/a.trf", top / "a.trf"), ("results/b.trf", top / "b.trf")]


def test_reports_received_are_read_as_they_were_handed_over(tmp_path):
    top = folder(tmp_path, "rapid/b.trf", "a.trf")
    first = formats.read_reports([top])
    for again in (
        formats.read_received([(name, path.read_bytes()) for name, path in formats.find([top])][::-1]),
        formats.read_received(formats.find([top])),
    ):
        assert (again.events, again.problems) == (first.events, first.problems) and again.cells.equals(first.cells)


# --- who claims a file -----------------------------------------------------------------------------------


def test_a_file_nobody_knows_names_the_readers_and_what_each_missed():
    (found,) = formats.read_report("results/photo.jpg", b"\xff\xd8\xff\xe0 JFIF")
    (problem,) = found.problems
    assert (problem.code, problem.severity, problem.file) == ("unclaimed", "error", "results/photo.jpg")
    assert "TRF: no line begins with a record such as 012" in problem.message
    assert problem.message.count(";") == len(formats.REPORT_READERS) - 1


def test_a_pairing_programmes_own_file_is_named():
    (found,) = formats.read_report("open.TUNX", b"\x93\xff\x89\x44" * 10)
    assert "Swiss-Manager" in found.problems[0].hint and "TRF16" in found.problems[0].hint


def test_two_readers_that_claim_a_file(monkeypatch):
    from fide_batch.formats import trf

    monkeypatch.setattr(formats, "REPORT_READERS", ("trf", "trf"))
    (found,) = formats.read_report("a.trf", REPORT)
    assert codes(found) == ["claimed-twice"] and trf.NAME in found.problems[0].message


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", b"   \r\n"])
def test_an_empty_file(data):
    assert codes(formats.read_report("a.trf", data)[0]) == ["empty-file"]


def test_a_refused_file_is_a_report_without_players_so_that_it_can_be_left_out():
    (found,) = formats.read_report("a.bin", b"\x00\x01\x02\x03")
    assert found.event.file == "a.bin" and found.entries == [] and found.event.sha256


def test_the_pace_is_told_as_a_note_and_the_command_line_speaks_for_those_that_do_not():
    (found,) = formats.read_report("x.trf", REPORT, control="blitz")
    assert (found.event.control, found.event.control_from) == ("blitz", "--control")
    assert [(problem.severity, problem.message) for problem in found.problems if problem.code == "pace"] == [
        ("note", "blitz, from --control")
    ]
    assert formats.read_report("x.trf", REPORT)[0].event.control == ""


# --- ZIP -----------------------------------------------------------------------------------------------


def packed(*members, **how):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", how.get("compression", zipfile.ZIP_DEFLATED)) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return data.getvalue()


def test_a_zip_of_reports_is_read_in_the_order_of_names():
    data = packed(
        ("b.trf", REPORT), ("rapid/a.trf", REPORT), ("a.trf", REPORT), ("__MACOSX/._a.trf", b"x"), ("empty/", b"")
    )
    found = formats.read_report("results/all.zip", data)
    assert [each.event.file for each in found] == [
        "results/all.zip/a.trf",
        "results/all.zip/b.trf",
        "results/all.zip/rapid/a.trf",
    ]
    assert [each.event.control for each in found] == ["", "", "rapid"] and len(found[0].cells) == 2


def test_the_hash_is_that_of_the_report_in_the_zip():
    (inside,) = formats.read_report("a.zip", packed(("a.trf", REPORT)))
    assert inside.event.sha256 == formats.read_report("a.trf", REPORT)[0].event.sha256


def test_a_zip_in_a_zip_is_opened_and_one_in_that_is_not():
    inner = packed(("a.trf", REPORT))
    middle = packed(("in.zip", inner))
    assert len(formats.read_report("o.zip", middle)[0].cells) == 2
    (found,) = formats.read_report("o.zip", packed(("m.zip", middle)))
    assert codes(found) == ["archive-nested"]


@pytest.mark.parametrize("name", ["../a.trf", "/etc/a.trf", "x/../../a.trf", "C:\\a.trf", "..\\a.trf"])
def test_a_name_that_climbs_out_is_refused(name):
    (found, good) = sorted(
        formats.read_report("o.zip", packed((name, REPORT), ("b.trf", REPORT))), key=lambda each: len(each.cells)
    )
    assert codes(found) == ["archive-path"] and len(good.cells) == 2


def test_two_members_of_one_name():
    with pytest.warns(UserWarning, match="Duplicate"):
        data = packed(("a.trf", REPORT), ("a.trf", REPORT))
    assert [codes(found, "error") for found in formats.read_report("o.zip", data)] == [[], ["archive-repeated"]]


def test_an_encrypted_member_is_refused():
    data = bytearray(packed(("a.trf", REPORT)))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert codes(formats.read_report("o.zip", bytes(data))[0]) == ["archive-encrypted"]


def test_a_link_in_a_zip_is_not_followed():
    info = zipfile.ZipInfo("link.trf")
    info.external_attr = 0o120777 << 16
    data = packed((info, "/etc/passwd"), ("a.trf", REPORT))
    found = formats.read_report("o.zip", data)
    assert codes(found[1]) == ["link-outside"] and len(found[0].cells) == 2


def test_a_zip_bomb_ends_in_a_problem_within_bounds():
    data = packed(("bomb.trf", b"\0" * 60_000_000))
    tracemalloc.start()
    started = time.process_time()
    (found,) = formats.read_report("o.zip", data)
    spent, peak = time.process_time() - started, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert codes(found) == ["archive-bomb"] and spent < 2 and peak < 40_000_000


def test_a_zip_that_lies_about_the_size_of_a_member():
    data = bytearray(packed(("bomb.trf", b" " * 40_000_000)))
    place = data.index(b"PK\x01\x02")
    data[place + 24 : place + 28] = (1000).to_bytes(4, "little")
    (found,) = formats.read_report("o.zip", bytes(data))
    assert codes(found, "error")


def test_a_member_that_is_too_large(monkeypatch):
    monkeypatch.setattr(zip_reports, "LARGEST_MEMBER", 100)
    assert codes(formats.read_report("o.zip", packed(("a.trf", REPORT)))[0]) == ["too-large"]


def test_all_members_together_are_too_large(monkeypatch):
    monkeypatch.setattr(zip_reports, "LARGEST_TOTAL", len(REPORT) + 10)
    found = formats.read_report("o.zip", packed(("a.trf", REPORT), ("b.trf", REPORT)))
    assert [codes(each, "error") for each in found] == [[], ["archive-bomb"]]


def test_archives_in_an_archive_share_its_bounds(monkeypatch):
    inner = packed(("a.trf", REPORT), ("b.trf", REPORT))
    monkeypatch.setattr(zip_reports, "LARGEST_TOTAL", 2 * len(inner) + 3 * len(REPORT))
    found = formats.read_report("o.zip", packed(("1.zip", inner), ("2.zip", inner)))
    assert [codes(each, "error") for each in found] == [[], [], [], ["archive-bomb"]]


def test_too_many_members(monkeypatch):
    monkeypatch.setattr(zip_reports, "MOST_MEMBERS", 1)
    assert codes(formats.read_report("o.zip", packed(("a.trf", REPORT), ("b.trf", REPORT)))[0]) == ["archive-too-large"]


def test_a_zip_without_a_report():
    assert codes(formats.read_report("o.zip", packed(("x/", b"")))[0]) == ["empty-archive"]
    assert codes(formats.read_report("o.zip", packed())[0]) == ["empty-archive"]


@pytest.mark.parametrize("cut", [4, 30, 100, -1, -22])
def test_a_broken_zip_is_refused(cut):
    data = packed(("a.trf", REPORT))
    found = formats.read_report("o.zip", data[:cut])
    assert all(codes(each, "error") for each in found)


def test_a_damaged_member():
    data = bytearray(packed(("a.trf", REPORT)))
    data[45] ^= 0xFF
    assert codes(formats.read_report("o.zip", bytes(data))[0], "error") in (["archive-damaged"], ["unclaimed"])


def test_a_workbook_is_no_archive_of_reports():
    assert not zip_reports.is_archive(packed(("[Content_Types].xml", "<x/>"), ("xl/workbook.xml", "<x/>")))
    assert not zip_reports.is_archive(packed(("docProps/app.xml", "<x/>"), ("[Content_Types].xml", "<x/>")))
    assert not zip_reports.is_archive(
        packed(("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), compression=zipfile.ZIP_STORED)
    )
    assert zip_reports.is_archive(packed(("a.trf", REPORT)))


# --- lists -------------------------------------------------------------------------------------------------


def test_a_list_that_is_not_there(tmp_path):
    with pytest.raises(Refused) as refused:
        formats.read_list(tmp_path / "none.csv")
    assert refused.value.problems[0].code == "unreadable"


def test_a_list_nobody_knows(tmp_path):
    (tmp_path / "x.bin").write_bytes(b"\x00\x01\x02")
    with pytest.raises(Refused) as refused:
        formats.read_list(tmp_path / "x.bin")
    assert refused.value.problems[0].code == "unclaimed" and refused.value.problems[0].file.endswith("x.bin")


def test_a_list_is_read_by_the_reader_that_claims_it(tmp_path):
    (tmp_path / "list.csv").write_text('fideid,name,rating\n1700123,"Reed, Ann",2000\n')
    table, _ = formats.read_list(tmp_path / "list.csv")
    assert table.column("rating").to_pylist() == [2000]


def test_a_report_is_no_list(tmp_path):
    (tmp_path / "a.trf").write_bytes(REPORT)
    with pytest.raises(Refused):
        formats.read_list(tmp_path / "a.trf")


def test_nothing_handed_over():
    reports = formats.read_reports([])
    assert isinstance(reports, Reports) and reports.events == []


def test_a_file_whose_name_has_two_lines_is_told_in_one(tmp_path):
    (tmp_path / "open\nrated.trf").write_text("012 Open\n")
    found = files.handed([tmp_path])
    assert not found.files
    assert found.problems[0].code == "file-name" and "\n" not in found.problems[0].file
