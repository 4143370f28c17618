"""FIDE's list as text: each layout by its heading, encodings and line ends, cells that overflow, lines that are no good."""

import pytest
from list_makers import (
    COMBINED,
    LEGACY,
    LISTS,
    MOOR,
    PLAYERS,
    REED,
    SINGLE,
    as_read,
    legacy,
    line,
    needs_lists,
    only,
    rows,
    single,
    text_list,
    told,
)  # fmt: skip

from fide_batch.formats import list_fide_txt
from fide_batch.model import LIST, Refused, id_code


def read(path):
    table, problems = list_fide_txt.read(path)
    assert table.schema.equals(LIST)
    table.validate(full=True)
    return table, problems


def refusal(path):
    with pytest.raises(Refused) as refused:
        list_fide_txt.read(path)
    return refused.value.problems


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_combined_list_with_every_line_end(tmp_path, end):
    table, problems = read(text_list(tmp_path / "list.txt", [line(**player) for player in PLAYERS], end=end))

    assert rows(table) == [as_read(player) for player in PLAYERS]
    assert problems == []


def test_last_line_may_lack_its_end_and_blank_lines_are_nothing(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes("\n".join([COMBINED, line(**REED), "", "   ", line(**MOOR)]).encode())

    assert rows(read(path)[0]) == [as_read(REED), as_read(MOOR)]


def test_lines_stripped_of_their_blanks(tmp_path):
    table, _ = read(text_list(tmp_path / "list.txt", [line(**player).rstrip() for player in PLAYERS]))

    assert rows(table) == [as_read(player) for player in PLAYERS]


def test_legacy_list_of_158_places(tmp_path):
    assert len(legacy(**REED)) == 158
    moor = {name: value for name, value in MOOR.items() if name != "foa_title"}
    table, _ = read(text_list(tmp_path / "players_list.txt", [legacy(**REED), legacy(**moor)], LEGACY))

    assert rows(table) == [as_read(REED), as_read(moor)]


@pytest.mark.parametrize(
    ("name", "control", "prefix"),
    [("standard_oct26frl.txt", "standard", ""), ("rapid_rating_list.txt", "rapid", "rapid_"), ("blitz_rating_list.txt", "blitz", "blitz_"),
     ("october.txt", "standard", "")],
)  # fmt: skip
def test_single_control_list_of_136_places_fills_its_control(tmp_path, name, control, prefix):
    assert len(single(**REED)) == 136
    table, problems = read(text_list(tmp_path / name, [single(**REED)], SINGLE))
    (row,) = rows(table)

    assert (row[f"{prefix}rating"], row[f"{prefix}games"], row[f"{prefix}k"]) == (2105, 9, 20)
    others = [column for column in row if column.endswith(("rating", "games")) and row[column] is not None]
    assert others == [f"{prefix}rating", f"{prefix}games"]
    assert (row["birthday"], row["flag"]) == ("1994", "w")
    note = only(problems, "list-control")
    assert (note.severity, f"{control} ratings" in note.message) == ("note", True)


def test_columns_are_found_by_the_heading_wherever_they_stand(tmp_path):
    heading = "ID number Name                              TitlFed  Mar11 GamesBorn  Flag"
    lines = [
        " 4009998  Brook, Daniel                     g   ENG  2601    9  1990      ",
        "10009999  Vale, Edith                       wf  WLS  2003   11  1987  wi  ",
    ]
    table, _ = read(text_list(tmp_path / "mar11.txt", lines, heading))

    assert [(row["fideid"], row["title"], row["country"], row["rating"], row["games"], row["birthday"], row["flag"]) for row in rows(table)] == [
        (4009998, "GM", "ENG", 2601, 9, "1990", ""),
        (10009999, "WFM", "WLS", 2003, 11, "1987", "wi"),
    ]  # fmt: skip


def test_unrated_is_blank_or_zero_and_k_0_is_none(tmp_path):
    zero = line(
        fideid=8, name="Hale, Finn", country="WLS", rating=0, games=0, k=0, rapid_rating=1700, rapid_games=3, rapid_k=0
    )
    table, _ = read(text_list(tmp_path / "list.txt", [line(**REED), zero]))
    row = rows(table)[1]

    assert (row["rating"], row["games"], row["k"]) == (None, 0, None)
    assert (row["rapid_rating"], row["rapid_games"], row["rapid_k"]) == (1700, 3, None)


def test_ids_with_letters_or_leading_zeros_are_ids_of_their_own(tmp_path):
    table, problems = read(
        text_list(tmp_path / "list.txt", [line(**{**REED, "fideid": found}) for found in ("0042", "42", "73928E03")])
    )

    assert table.column("fideid").to_pylist() == [id_code("0042"), 42, id_code("73928E03")]
    assert [problem for problem in problems if problem.severity == "error"] == []


def test_empty_names_and_names_that_begin_with_a_comma_are_kept(tmp_path):
    table, problems = read(
        text_list(tmp_path / "list.txt", [line(**{**REED, "name": ""}), line(**{**MOOR, "name": ", Ben"})])
    )

    assert table.column("name").to_pylist() == ["", ", Ben"]
    assert problems == []


# --- letters ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_letters_with_accents_in_columns_of_characters(tmp_path, encoding):
    players = [{**REED, "name": "Müller-Šmid, Zoë"}, MOOR]
    table, problems = read(text_list(tmp_path / "list.txt", [line(**player) for player in players], encoding=encoding))

    assert rows(table) == [as_read(player) for player in players]
    assert [code for code, _ in told(problems)] == ([] if encoding == "utf-8" else ["list-encoding"])


def test_letters_with_accents_in_columns_of_bytes(tmp_path):
    padded = line(**{**REED, "name": ""}).encode()
    name = "Müller, Zoë".encode()
    raw = padded[:15] + name.ljust(61) + padded[76:]
    path = tmp_path / "list.txt"
    path.write_bytes(COMBINED.encode() + b"\r\n" + raw + b"\r\n" + line(**MOOR).encode() + b"\r\n")

    table, _ = read(path)
    assert rows(table) == [as_read({**REED, "name": "Müller, Zoë"}), as_read(MOOR)]


def test_byte_order_mark_before_the_heading(tmp_path):
    table, _ = read(text_list(tmp_path / "list.txt", [line(**REED)], encoding="utf-8-sig"))

    assert rows(table) == [as_read(REED)]


# --- cells that overflow --------------------------------------------------------------------------------------


OVERFLOW = "LSI,FI,SI,SLI,NA"


def pushed(whole, online):
    """A line whose other titles are one place too long and push everything after them one place to the right."""
    head, tail = whole[:94], whole[109:]
    return head + OVERFLOW + (online.ljust(4) if online is not None else tail[:4]) + tail[4:]


@pytest.mark.parametrize("online", ["", "AFM"])
@pytest.mark.parametrize("strip", [False, True])
def test_other_titles_that_push_the_rating_are_read_from_the_right(tmp_path, online, strip):
    player = {**REED, "rating": 1946}
    long = pushed(line(**player), online)
    assert len(long) == 163
    table, problems = read(text_list(tmp_path / "list.txt", [line(**MOOR), long.rstrip() if strip else long]))

    assert rows(table)[1] == as_read({**player, "o_title": OVERFLOW, "foa_title": online})
    assert only(problems, "list-overflow").line == 3


def test_legacy_list_where_the_titles_touch_the_rating(tmp_path):
    player = {**REED, "rating": 1946}
    whole = legacy(**player)
    long = whole[:94] + OVERFLOW + whole[109:]
    assert long[108:114] == "NA1946"  # a reader of fixed places finds A1946
    table, _ = read(text_list(tmp_path / "list.txt", [long], LEGACY))

    assert rows(table) == [as_read({**player, "o_title": OVERFLOW})]


def test_titles_that_cover_the_online_title_and_push_nothing(tmp_path):
    unrated = line(fideid=9, name="Hale, Finn", country="WLS", sex="M", birthday=1970)
    covered = unrated[:94] + OVERFLOW + unrated[110:]
    table, _ = read(text_list(tmp_path / "list.txt", [line(**REED), covered]))

    assert (rows(table)[1]["o_title"], rows(table)[1]["birthday"]) == (OVERFLOW, "1970")


def test_titles_written_over_the_rating_are_refused_with_the_line(tmp_path):
    whole = legacy(**{**REED, "rating": 1946})
    damaged = whole[:94] + OVERFLOW + whole[110:]  # the first digit of the rating is lost
    _, problems = read(text_list(tmp_path / "list.txt", [legacy(**MOOR), damaged], LEGACY))

    assert only(problems, "list-line").line == 3


def test_long_name_that_pushes_the_rest(tmp_path):
    name = "Featherstonehaugh-Montgomery-Cholmondeley, Alexandrina Victoria Bo"
    long = f"{'700009':15}{name} " + line(**REED)[76:]
    table, problems = read(text_list(tmp_path / "list.txt", [long]))

    assert (rows(table)[0]["name"], rows(table)[0]["country"], rows(table)[0]["rating"]) == (name, "ENG", 2105)
    assert told(problems) == [("list-overflow", 2)]


# --- what is wrong with a file --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "text", "code"),
    [
        ("rating", "21A5", "list-rating"),
        ("rating", "9999", "list-rating"),
        ("k", "4x", "list-number"),
        ("games", "-1", "list-number"),
    ],
)
def test_numbers_that_are_none_are_errors_at_their_place(tmp_path, cell, text, code):
    path = text_list(tmp_path / "list.txt", [line(**MOOR), line(**{**REED, cell: text})])
    problem = only(list_fide_txt.read(path)[1], code)

    assert (problem.severity, problem.file, problem.line) == ("error", str(path), 3)
    assert problem.column == {"rating": 114, "games": 120, "k": 124}[cell]
    assert text in problem.message
    assert problem.source.startswith("700001")


def test_rating_of_3500_is_one_and_3501_is_none(tmp_path):
    table, problems = read(
        text_list(tmp_path / "list.txt", [line(**{**REED, "rating": 3500}), line(**{**MOOR, "rating": 3501})])
    )

    assert table.column("rating").to_pylist() == [3500, None]
    assert told(problems, "error") == [("list-rating", 3)]


def test_id_twice_is_an_error_with_both_lines(tmp_path):
    _, problems = read(
        text_list(tmp_path / "list.txt", [line(**REED), line(**MOOR), line(**{**MOOR, "fideid": 700001})])
    )

    problem = only(problems, "list-id-repeated")
    assert (problem.severity, problem.line) == ("error", 4)
    assert "line 2" in problem.message and "line 4" in problem.message and "700001" in problem.message


def test_missing_and_unreadable_ids(tmp_path):
    _, problems = read(
        text_list(
            tmp_path / "list.txt",
            [line(**REED), line(**{**MOOR, "fideid": ""}), line(**{**MOOR, "fideid": "11/01/87"})],
        )
    )

    assert told(problems, "error") == [("list-id", 3), ("list-id", 4)]


def test_line_cut_in_the_middle_and_lines_joined(tmp_path):
    joined = line(**REED) + line(**MOOR)
    _, problems = read(
        text_list(
            tmp_path / "list.txt", [line(**MOOR), line(**{**REED, "fideid": 5})[:40], "700004 " + "X" * 90, joined]
        )
    )

    assert told(problems, "error") == [("list-line", 3), ("list-line", 4), ("list-line", 5)]


def test_line_shorter_than_all_others_is_cut(tmp_path):
    lines = [line(**{**REED, "fideid": 10 + place}) for place in range(99)]
    path = text_list(tmp_path / "list.txt", [*lines, line(**MOOR)])
    path.write_bytes(path.read_bytes()[:-48])  # within the rating of the last line: 251
    _, problems = read(path)

    assert told(problems, "error") == [("list-line", 101)]
    assert "116 places" in only(problems, "list-line").message


def test_federations_in_small_letters_are_mended_and_told_once(tmp_path):
    table, problems = read(
        text_list(tmp_path / "list.txt", [line(**{**REED, "country": "ind"}), line(**{**MOOR, "country": "ncl"})])
    )

    assert table.column("country").to_pylist() == ["IND", "NCL"]
    note = only(problems, "list-spelling")
    assert (note.severity, note.line, "2 rows" in note.message) == ("note", 2, True)


def test_unknown_codes_are_kept_and_told_once_each_with_their_count(tmp_path):
    lines = [line(**{**REED, "fideid": 10 + place, "country": "XQZ", "title": "ZM", "flag": "q"}) for place in range(7)]
    table, problems = read(text_list(tmp_path / "list.txt", lines))

    assert set(table.column("country").to_pylist()) == {"XQZ"}
    assert set(table.column("title").to_pylist()) == {"ZM"}
    for code in ("list-federation", "list-title", "list-flag"):
        problem = only(problems, code)
        assert (problem.severity, problem.line, "7 rows" in problem.message) == ("warning", 2, True)


def test_thousands_of_faults_of_one_kind_are_counted(tmp_path):
    lines = [line(**{**REED, "fideid": 10 + place, "rating": "x"}) for place in range(3000)]
    _, problems = read(text_list(tmp_path / "list.txt", [line(**MOOR), *lines]))

    found = [problem for problem in problems if problem.code == "list-rating"]
    assert len(found) == 21
    assert sum(problem.line is not None for problem in found) == 20
    assert any("2,980 more" in problem.message for problem in found)


def test_players_without_birth_year_are_listed_in_one_note(tmp_path):
    lines = [
        line(**{**REED, "fideid": 10 + place, "birthday": year}) for place, year in enumerate(["0000", "", "0", "1999"])
    ]
    table, problems = read(text_list(tmp_path / "list.txt", lines))

    assert table.column("birthday").to_pylist() == ["", "", "", "1999"]
    note = only(problems, "list-incomplete")
    assert (note.severity, note.line, "3 rows" in note.message) == ("note", 2, True)


def test_heading_without_a_rating_column_is_no_rating_list(tmp_path):
    heading = COMBINED.replace("SRtng SGm SK RRtng RGm Rk BRtng BGm BK ", " " * 39)
    problems = refusal(text_list(tmp_path / "list.txt", [line(fideid=1, name="Reed, Ann")], heading))

    assert told(problems, "error") == [("list-not-a-list", 1)]
    assert "does not look like a rating list" in problems[0].message


@pytest.mark.parametrize("rating", ["", "0"])
def test_list_in_which_nobody_is_rated_is_no_rating_list(tmp_path, rating):
    lines = [line(fideid=place, name="Reed, Ann", rating=rating) for place in range(1, 12)]
    problems = refusal(text_list(tmp_path / "list.txt", lines))

    assert "does not look like a rating list" in only(problems, "list-not-a-list").message


def test_looks_says_what_it_missed():
    assert list_fide_txt.looks("list.txt", (COMBINED + "\r\n" + line(**REED)).encode()) == ""
    for other in (
        b"",
        b"fideid,name,rating\n1,A,2000\n",
        b"<playerslist>",
        b"012 Open\n001    1 m    Reed, Ann",
        b"PK\x03\x04",
        b"PAR1",
    ):
        assert list_fide_txt.looks("list.txt", other) != ""


# --- the real ones --------------------------------------------------------------------------------------------


@needs_lists
@pytest.mark.parametrize(
    "file", ["fide_2001-01_id_number_header.txt", "fide_2002-04_birthday_sex.txt", "fide_2003-10_no_header.txt"]
)
def test_lists_of_2001_to_2003_line_by_line(file):
    """Read again by blanks: the last words of a line are title, federation, rating, games and so on, whatever the columns."""
    table, problems = list_fide_txt.read(LISTS / file)
    found = rows(table)
    lines = (LISTS / file).read_bytes().decode("latin-1").splitlines()
    words = [each.split() for each in lines if each.split() and each.split()[0].isdigit()]

    assert len(found) == len(words) == 301
    for row, parts in zip(found, words, strict=True):
        at = next(place for place in range(2, len(parts)) if len(parts[place]) == 4 and parts[place].isdigit())
        assert row["fideid"] == int(parts[0])
        assert row["rating"] == int(parts[at])
        assert row["country"] == parts[at - 1]
        assert row["games"] == int(parts[at + 1])
        titled = len(parts[at - 2]) <= 2 and parts[at - 2].islower()
        assert bool(row["title"]) == titled
        assert row["name"].split() == list(parts[1 : at - 2 if titled else at - 1])
        flags = [part for part in parts[at + 2 :] if part.isalpha() and part.islower()]
        assert row["flag"] == (flags[0] if flags else "")
    assert [problem for problem in problems if problem.severity == "error" and problem.code != "list-id-repeated"] == []


@needs_lists
def test_births_of_2002_and_2003():
    table, _ = list_fide_txt.read(LISTS / "fide_2002-04_birthday_sex.txt")
    assert table.column("birthday").to_pylist()[:3] == ["1967-09-01", "1972-01-17", ""]
    assert set(table.column("sex").to_pylist()) == {"M", "F"}

    table, problems = list_fide_txt.read(LISTS / "fide_2003-10_no_header.txt")
    assert table.column("birthday").to_pylist()[:2] == ["1972-01-17", "1985-06-26"]
    assert any("two digits" in problem.message for problem in problems)


@needs_lists
def test_combined_list_of_2018_by_places():
    table, _ = list_fide_txt.read(LISTS / "fide_2018_players_list_foa.txt")
    lines = (LISTS / "fide_2018_players_list_foa.txt").read_bytes().decode("ascii").split("\r\n")[1:-1]

    found = rows(table)
    assert len(found) == len(lines) == 301
    for row, text in zip(found, lines, strict=True):
        assert str(row["fideid"]) == text[:15].strip()
        assert row["name"] == text[15:76].strip()
        assert (row["rating"] or "") == (int(text[113:117]) if text[113:117].strip() else "")
        assert (row["blitz_k"] or "") == (int(text[149:151]) if text[149:151].strip() else "")
        assert row["birthday"] == text[152:156].replace("0000", "")
        assert row["flag"] == text[158:].strip()


def test_text_list_of_swiss_manager_with_rapid_behind_the_flag(tmp_path):
    heading = "ID number Name                              TitlFed  Rating GamesBorn  Flag Rapid RGames"
    reed = f"{'700001':>9} {'Reed, Ann':34}{'wf':4}{'ENG':5}{'2105':7}{'9':>4} {'1994':6}{'w':5}{'2040':6}{'3':6}"
    table, _ = read(text_list(tmp_path / "list.txt", [reed], heading))
    (row,) = rows(table)

    assert (row["rating"], row["games"], row["birthday"], row["flag"], row["rapid_rating"], row["rapid_games"]) == (
        2105,
        9,
        "1994",
        "w",
        2040,
        3,
    )


def test_file_that_is_not_there_and_folder(tmp_path):
    for path in (tmp_path / "nowhere.txt", tmp_path):
        assert told(refusal(path)) == [("list-file", None)]
