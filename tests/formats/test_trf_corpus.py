"""Real files: each is read whole, or refused with file, line, column and reason."""

from collections import Counter
from datetime import date

import pytest
from trf_lines import CORPUS, codes, corpus_files, needs_corpus, only

from fide_batch import formats
from fide_batch.formats import trf
from fide_batch.publish import report_trf16

pytestmark = needs_corpus


def corpus(name):
    return trf.read(f"trf/{name}", (CORPUS / name).read_bytes())


@pytest.fixture(params=corpus_files(), ids=lambda path: path.name)
def file(request):
    return request.param


def test_every_line_of_a_player_is_an_entry_and_every_printed_game_a_cell(file):
    """Counted with nothing but the places of blanks: an opponent and a result in a round's ten columns."""
    data = file.read_bytes()
    report = trf.read(file.name, data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    lines = [line for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if line.startswith("001 ")]
    assert len(report.entries) == len(lines)
    printed = [
        (int(line[4:8]), place + 1, int(line[begin + 2 : begin + 6]), line[begin + 9 : begin + 10])
        for line in lines
        for place, begin in enumerate(range(89, len(line.rstrip()), 10))
        if line[begin + 2 : begin + 6].strip(" 0")
    ]
    read = [
        (cell.number, cell.round, cell.opponent, cell.result.replace(" ", "")) for cell in report.cells if cell.opponent
    ]
    assert read == [(number, round_, opponent, result.strip()) for number, round_, opponent, result in printed]


def test_every_fault_has_its_place(file):
    for report in formats.read_report(file.name, file.read_bytes()):
        for problem in report.problems:
            assert problem.file == file.name and problem.message
            if problem.column is not None:
                assert problem.line and problem.source


def test_written_as_trf16_and_read_again_the_games_are_the_same(file):
    first = trf.read(file.name, file.read_bytes())
    second = trf.read(file.name, report_trf16.text(first).encode())
    assert [cell[:5] for cell in second.cells] == [cell[:5] for cell in first.cells]
    assert [entry._replace(line=0) for entry in second.entries] == [
        entry._replace(line=0, name=entry.name[:33]) for entry in first.entries
    ]
    assert (second.event.start, second.event.end, second.event.round_dates, second.event.rounds) == (
        first.event.start, first.event.end, first.event.round_dates, first.event.rounds,
    )  # fmt: skip


def test_exactly_one_reader_claims_each_file(file):
    if file.stat().st_size:
        (report,) = formats.read_report(file.name, file.read_bytes())
        assert report.event.format in ("TRF16", "TRF26")


def test_an_empty_file_is_refused():
    (report,) = formats.read_report("empty_file.trf", (CORPUS / "empty_file.trf").read_bytes())
    assert codes(report) == ["empty-file"]


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("no_header_at_all.trf", ["name-missing", "start-missing", "end-missing"]),
        ("minimal_012_only.trf", ["start-missing", "end-missing"]),
        ("cr_line_ends_180_players.trf", ["start-missing", "end-missing"]),
        ("krause_utf8.trf", ["end-missing"]),
        ("krause_latin1_b.trf", ["end-missing"]),
    ],
)
def test_what_a_head_lacks(name, missing):
    assert codes(corpus(name), "error") == missing


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("club_13_players_odd_dates.trf", date(2020, 5, 29), date(2020, 5, 29)),
        ("javafo_52_players_all_bye_letters.trf", date(2010, 9, 24), date(2010, 10, 2)),
        ("krause_160_players_013_teams.trf", date(2010, 9, 13), date(2011, 3, 13)),
        ("krause_bom.trf", date(2011, 9, 26), date(2012, 4, 1)),
        ("krause_club_codes_in_federation.trf", date(2011, 2, 25), date(2011, 2, 27)),
        ("open_284_players_138_unrated.trf", date(2005, 7, 28), date(2005, 7, 31)),
        ("swiss_137_players_all_ids.trf", date(2018, 4, 8), date(2018, 6, 10)),
        ("team_league_season_3037_players.trf", date(2023, 9, 24), date(2024, 4, 21)),
    ],
)
def test_dates_of_every_spelling(name, start, end):
    event = corpus(name).event
    assert (event.start, event.end) == (start, end)


def test_the_last_round_before_the_end_is_told():
    problem = only(corpus("swiss_137_players_all_ids.trf"), "round-dates-differ")
    assert (problem.line, problem.column) == (13, 152)


def test_round_dates_with_the_day_in_the_middle():
    event = corpus("krause_club_codes_in_federation.trf").event
    assert event.round_dates == tuple(date(2011, 2, day) for day in (25, 26, 26, 26, 27, 27))


def test_the_league_round_as_reported():
    report = corpus("team_league_one_round_1728_players.trf")
    assert len(report.entries) == 1728 and dict(report.event.declared) == {"players": 1728, "rated": 1532, "teams": 372}
    assert sum(entry.rating == 0 for entry in report.entries) == 196
    assert sum(entry.fideid == 0 for entry in report.entries) == 46
    assert Counter(entry.title for entry in report.entries)["GM"] == 12
    assert report.event.control == "standard" and codes(report) == []


def test_all_letters_of_byes():
    letters = Counter(cell.result for cell in corpus("swiss_137_players_all_ids.trf").cells if not cell.opponent)
    assert set(letters) == {"F", "H", "U", "Z"}


def test_one_letter_titles():
    titles = Counter(entry.title for entry in corpus("open_284_players_138_unrated.trf").entries)
    assert titles == {"": 264, "IM": 11, "FM": 5, "GM": 3, "WFM": 1}


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("krause_latin1_b.trf", "latin-1"),
        ("krause_latin1_a.trf", "latin-1"),
        ("krause_utf8.trf", "utf-8"),
        ("national_ids_00A_records_8bit.trf", "latin-1"),
    ],
)
def test_names_have_their_letters(name, encoding):
    lines = [line for line in (CORPUS / name).read_bytes().decode(encoding).splitlines() if line.startswith("001")]
    names = [entry.name for entry in corpus(name).entries]
    assert names == [line[14:47].strip() for line in lines] and not all(name.isascii() for name in names)


def test_the_team_report_of_2026():
    report = corpus("trf26_team_records_310_320_300.trf")
    assert report.event.rounds == 3 and dict(report.event.point_values) == {"P": 0}
    assert len([cell for cell in report.cells if cell.opponent and cell.result == " "]) == 12


def test_reading_a_folder_does_not_depend_on_the_order_of_its_files():
    some = [CORPUS / name for name in ("krause_utf8.trf", "small_8_players_5_rounds.trf", "krause_bom.trf")]
    first, second = formats.read_reports(some), formats.read_reports(some[::-1])
    assert first.events == second.events and first.entries.equals(second.entries) and first.cells.equals(second.cells)
    assert first.problems == second.problems
