"""The players' lines: every column of the handbook's table, as the field fills it."""

import pytest
from trf_lines import codes, only, player, put, report

from fide_batch.formats import trf
from fide_batch.model import id_text


def read(*lines, **how):
    return trf.read("open.trf", report(*lines, **how))


def one(line):
    """The player and the report of a file with this one line."""
    result = read(line)
    assert len(result.entries) == 1
    return result.entries[0], result


def test_every_field_of_a_full_line():
    entry, result = one(
        player(
            7,
            "Reed, Ann",
            sex="w",
            title="WGM",
            rating=2301,
            fed="SWE",
            ident=1700123,
            birth="1990/11/30",
            points="10.5",
            rank=12,
        )
    )
    assert codes(result) == ["no-games"]
    assert (entry.number, entry.name, entry.sex, entry.title, entry.rating, entry.federation) == (
        7,
        "Reed, Ann",
        "w",
        "WGM",
        2301,
        "SWE",
    )
    assert (entry.fideid, entry.birth, entry.points, entry.rank, entry.line) == (1700123, "1990-11-30", 105_000, 12, 6)


def test_blank_fields_are_no_values():
    entry, result = one(player(1, points="0.0"))
    assert (entry.sex, entry.title, entry.rating, entry.federation, entry.fideid, entry.birth, entry.rank) == (
        "",
        "",
        0,
        "",
        0,
        "",
        0,
    )
    assert codes(result) == ["no-games"]


@pytest.mark.parametrize(("letter", "sex"), [("m", "m"), ("M", "m"), ("w", "w"), ("W", "w"), ("f", "w"), ("F", "w")])
def test_sex(letter, sex):
    assert one(player(1, sex=letter))[0].sex == sex


def test_an_unknown_sex_is_a_warning_with_its_column():
    entry, result = one(player(1, sex="X"))
    problem = only(result, "sex-unknown")
    assert (entry.sex, problem.severity, problem.line, problem.column) == ("", "warning", 6, 10)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("g", "GM"), ("m", "IM"), ("f", "FM"), ("c", "CM"), ("w", "WIM"), ("wg", "WGM"), ("wm", "WIM"), ("wf", "WFM"), ("wc", "WCM"), ("GM", "GM"),
        ("WGM", "WGM"), ("wim", "WIM"), ("IM", "IM"), ("g ", "GM"), (" m ", "IM"), ("IM ", "IM"), ("XY", "XY"), ("AGM", "AGM"),
    ],
)  # fmt: skip
def test_titles_in_both_styles(written, title):
    assert one(player(1, title=written))[0].title == title


def test_letters_in_the_rating_are_a_warning_and_no_rating():
    entry, result = one(player(1, rating="20x0"))
    problem = only(result, "rating-unreadable")
    assert (entry.rating, problem.severity, problem.column) == (0, "warning", 49)


@pytest.mark.parametrize(
    ("written", "points"),
    [("10.5", 105_000), ("4,5", 45_000), ("4½", 45_000), ("½", 5_000), ("0.0", 0), ("11.5", 115_000), ("3", 30_000)],
)
def test_totals(written, points):
    entry, result = one(player(1, points=written))
    assert entry.points == points and codes(result, "error") == []


@pytest.mark.parametrize("written", ["4..5", "x", "-1.0", "1O.5"])
def test_a_total_that_is_none_is_an_error(written):
    _, result = one(player(1, points=written, rank=1))
    problem = only(result, "points-unreadable")
    assert (problem.severity, problem.line, problem.column) == ("error", 6, 81)


def test_a_blank_rank_of_everybody_is_accepted():
    assert codes(read(player(1, "A", "2 w 1", points="1.0"), player(2, "B", "1 b 0", points="0.0"))) == []


def test_a_rank_in_letters_is_a_warning():
    assert only(one(player(1, rank="1st"))[1], "rank-unreadable").severity == "warning"


# --- ids ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("1503014", "1503014"),
        ("0", ""),
        ("", ""),
        ("00000000", ""),
        ("0042", "0042"),
        ("73928E03", "73928E03"),
        ("6530", "6530"),
    ],
)
def test_ids(written, found):
    entry, result = one(player(1, ident=written))
    assert id_text(entry.fideid) == found and entry.id_found == "" and codes(result) == ["no-games"]


def test_quotes_around_an_id_are_taken_away_with_a_note():
    entry, result = one(player(1, ident="'34179178'"))
    assert entry.fideid == 34179178 and only(result, "id-mended").severity == "note"


@pytest.mark.parametrize("written", ["Z56538", "11/01/1987", "CM1", "12 34", "1.5E+06"])
def test_what_is_no_id_is_a_warning_with_line_and_column_and_the_player_is_unidentified(written):
    entry, result = one(player(1, ident=written))
    problem = only(result, "id-unreadable")
    assert (entry.fideid, entry.id_found) == (0, written)
    assert (problem.severity, problem.line, problem.column) == ("warning", 6, 58)
    assert written in problem.message


# --- broken lines -----------------------------------------------------------------------------------


FULL = player(
    1, "Reed, Ann", "2 w 1", sex="w", rating=2000, fed="SWE", ident=1700123, birth="1990/01/01", points="1.0", rank=1
)
OTHER = player(
    2, "Moor, Ben", "1 b 0", sex="m", rating=1900, fed="SWE", ident=1700124, birth="1991/01/01", points="0.0", rank=2
)


def test_a_line_cut_after_column_60_is_an_error_with_line_and_column():
    problem = only(read(FULL[:60], OTHER), "line-cut")
    assert (problem.severity, problem.line, problem.column) == ("error", 6, 61)


def test_a_file_whose_only_line_is_cut_inside_the_id():
    assert only(read(FULL[:60]), "line-cut").severity == "error"


@pytest.mark.parametrize("length", [*range(60, 83), 95])
def test_a_line_cut_anywhere_before_the_rounds_end_is_an_error(length):
    cut = FULL[:length]
    result = read(cut, OTHER)
    assert codes(result, "error") != [], cut


def test_a_list_of_entrants_without_totals_is_no_cut_file():
    lines = [put(put("001", 5, f"{number:>4}"), 15, f"Player {number}") for number in (1, 2)]
    result = read(*lines)
    assert len(result.entries) == 2 and codes(result, "error") == []


@pytest.mark.parametrize("column", [9, 14, 48, 53, 57, 69, 80, 85])
def test_something_between_the_columns_means_a_shifted_line(column):
    problem = only(read(put(FULL, column, "x"), OTHER), "columns-shifted")
    assert (problem.severity, problem.line, problem.column) == ("error", 6, column)


def test_a_shifted_line_is_told_of_once_and_the_player_stays_known():
    result = read(FULL[:20] + "z" * 20 + FULL[20:], OTHER)
    assert codes(result, "error") == ["columns-shifted"] and [entry.number for entry in result.entries] == [1, 2]


@pytest.mark.parametrize("written", ["    ", "   x", "   0", "-001"])
def test_no_start_number(written):
    problem = only(read(put(FULL, 5, written), OTHER), "start-number")
    assert (problem.severity, problem.line, problem.column) == ("error", 6, 5)


def test_a_start_number_on_the_left_is_read():
    assert one(put(FULL, 5, "12  "))[0].number == 12


def test_two_lines_with_one_start_number_stay_both():
    result = read(FULL, put(OTHER, 5, "   1"))
    assert [(entry.number, entry.line) for entry in result.entries] == [(1, 6), (1, 7)]
    assert [(cell.number, cell.line) for cell in result.cells] == [(1, 6), (1, 7)]


def test_a_line_that_begins_with_blanks_is_not_lost():
    problem = only(read(" " + FULL, OTHER), "columns-shifted")
    assert (problem.severity, problem.line) == ("error", 6)


def test_a_start_number_without_its_blank_is_not_lost():
    assert only(read("001" + FULL[4:], OTHER), "columns-shifted").line == 6


def test_a_tab_is_read_as_a_blank_with_a_note():
    result = read(FULL.replace("  ", " \t", 1), OTHER)
    assert only(result, "tab").severity == "note" and codes(result, "error") == []


# --- letters and bytes -----------------------------------------------------------------------------


def with_name(name):
    return player(1, name, "2 w 1", rating=2000, fed="SWE", ident=1700123, points="1.0", rank=1), OTHER


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("latin-1", b""), ("cp1252", b"")]
)
def test_columns_are_letters_in_every_encoding(encoding, mark):
    name = "Ångström-Müller, Åsa Éva"
    result = trf.read("x", mark + report(*with_name(name)).decode().encode(encoding))
    assert [entry.name for entry in result.entries] == [name, "Moor, Ben"]
    assert result.entries[0].fideid == 1700123 and codes(result, "error") == []
    assert result.event.name == "Spring Open"
    assert ("encoding" in codes(result, "note")) == (encoding != "utf-8")


def test_windows_1252_letters_that_latin_1_does_not_have():
    data = report(*with_name("Sedl@k, Ji#")).replace(b"@", b"\x8a").replace(b"#", b"\x9e")
    assert trf.read("x", data).entries[0].name == "SedlŠk, Již"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("mark", [True, False])
def test_utf_16_is_read_and_said(encoding, mark):
    text = report(*with_name("Åsa")).decode()
    result = trf.read("x", (("\ufeff" if mark else "") + text).encode(encoding))
    assert [entry.name for entry in result.entries] == ["Åsa", "Moor, Ben"] and codes(result) == ["encoding"]
    assert trf.looks("x", (("\ufeff" if mark else "") + text).encode(encoding)) == ""


def test_half_a_utf_16_file_is_an_error():
    data = ("\ufeff" + report(*with_name("Åsa")).decode()).encode("utf-16-le")
    assert "encoding-broken" in codes(trf.read("x", data[:-1]), "error")


def test_a_line_padded_by_bytes_is_read_by_bytes_with_a_note():
    name = "Ångström, Åsa"
    line, other = with_name(name)
    padding = 33 - len(name)
    shifted = line.replace(name + " " * padding, name + " " * (33 - len(name.encode())))
    assert len(shifted) < len(line)
    result = read(shifted, other)
    assert only(result, "columns-in-bytes").line == 6
    assert (result.entries[0].name, result.entries[0].rating, result.entries[0].fideid) == (name, 2000, 1700123)
    assert len(result.cells) == 2 and codes(result, "error") == []


def test_a_name_cut_inside_a_letter_is_a_warning_in_a_utf_8_file():
    line, other = with_name("Ååååååååååååååååååååååååååååååååå"[:32] + "X")
    good = player(3, "Müller, Jörg")
    data = report(line, other, good).replace(b"X", b"\xc3", 1)
    result = trf.read("x", data)
    assert only(result, "letter-cut").severity == "warning" and only(result, "letter-cut").line == 6
    assert result.entries[2].name == "Müller, Jörg"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    result = read(FULL, OTHER, end=end)
    assert [entry.line for entry in result.entries] == [6, 7] and codes(result) == []


def test_mixed_line_ends_are_counted_as_lines():
    result = trf.read("x", report(end="\r\n") + (FULL + "\r" + OTHER + "\n").encode())
    assert [entry.line for entry in result.entries] == [6, 7] and codes(result) == []


def test_no_end_after_the_last_line():
    assert len(trf.read("x", report(FULL, OTHER).rstrip(b"\n")).cells) == 2


def test_a_nul_byte_is_an_error_with_line_and_column():
    result = trf.read("x", report(put(FULL, 20, "\0"), OTHER))
    problem = only(result, "damaged")
    assert (problem.severity, problem.line, problem.column) == ("error", 6, 20)


def test_other_control_characters_are_a_warning():
    assert only(trf.read("x", report(put(FULL, 20, "\x0b"), OTHER)), "control-character").severity == "warning"


def test_the_end_mark_of_old_systems_is_no_fault():
    assert codes(trf.read("x", report(FULL, OTHER) + b"\x1a")) == []
