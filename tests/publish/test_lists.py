"""Lists written in FIDE's columns, as FIDE's XML and as CSV: read by tiny readers of the layouts, and by our own back to the same list."""

import os
from pathlib import Path
from xml.dom import minidom

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from list_readers import COMBINED, SINGLE, csv_table, text_list, xml_list

from fide_batch import formats
from fide_batch.model import CONTROLS, LIST, LIST_COLUMNS, PREFIX, Period, Refused, id_code, table
from fide_batch.publish import list_csv, list_fide_txt, list_fide_xml

LISTS = Path(os.environ.get("FIDE_BATCH_SHARED", Path(__file__).parents[3] / "shared")) / "corpus" / "lists"
needs_lists = pytest.mark.skipif(not LISTS.is_dir(), reason=f"the corpus of real lists is not at {LISTS}")

HEADING = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)

PLAYERS = [
    {"fideid": 700001, "name": "Reed, Ann", "country": "ENG", "sex": "F", "title": "WFM", "w_title": "WFM", "o_title": "", "foa_title": "", "rating": 2105,
     "games": 9, "k": 20, "rapid_rating": 2040, "rapid_games": 0, "rapid_k": 20, "birthday": "1994", "flag": "w"},
    {"fideid": 700002, "name": "Moor, Ben", "country": "IRL", "sex": "M", "title": "GM", "w_title": "", "o_title": "FA,NI", "foa_title": "AGM", "rating": 2511,
     "games": 0, "k": 10, "blitz_rating": 2480, "blitz_games": 15, "blitz_k": 10, "birthday": "1980", "flag": "i"},
    {"fideid": 700003, "name": "", "country": "DEN", "sex": "", "title": "", "w_title": "", "o_title": "", "foa_title": "", "birthday": "", "flag": ""},
    {"fideid": id_code("0042"), "name": ", Cara", "country": "DEN", "sex": "F", "title": "", "w_title": "", "o_title": "", "foa_title": "", "rating": 1000,
     "birthday": "2011", "flag": "wi"},
]  # fmt: skip


def players(rows=PLAYERS):
    texts = [name for name in LIST.names if LIST.field(name).type == "string"]
    return table(LIST, {name: [row.get(name, "" if name in texts else None) for row in rows] for name in LIST.names})


def printed(rows=PLAYERS):
    """What a reader of FIDE's columns should find."""
    ids = {id_code("0042"): "0042"}
    return [
        {name: row.get(name) for name in COMBINED} | {"fideid": ids.get(row["fideid"], str(row["fideid"]))}
        for row in rows
    ]


def read(path):
    found, problems = formats.read_list(path)
    assert [problem for problem in problems if problem.severity == "error"] == []
    return found


# --- FIDE's columns -----------------------------------------------------------------------------------------------


def test_columns_read_by_their_places(tmp_path):
    assert list_fide_txt.write(tmp_path / "list.txt", players()) == []
    heading, rows = text_list((tmp_path / "list.txt").read_bytes())

    assert heading == HEADING
    expected = printed()
    expected[2]["birthday"] = "0000"
    assert rows == expected
    assert read(tmp_path / "list.txt").equals(players())


@needs_lists
def test_list_of_2018_comes_out_byte_for_byte(tmp_path):
    original = LISTS / "fide_2018_players_list_foa.txt"
    list_fide_txt.write(tmp_path / "list.txt", read(original))

    assert (tmp_path / "list.txt").read_bytes() == original.read_bytes()


@pytest.mark.parametrize("control", CONTROLS)
@pytest.mark.parametrize("period", [None, Period(2026, 10)])
def test_columns_of_one_control(tmp_path, control, period):
    path = tmp_path / f"{control}.txt"
    list_fide_txt.write(path, players(), control=control, period=period)
    heading, rows = text_list(path.read_bytes(), SINGLE)

    assert heading[113:] == (
        "OCT26 Gms K  B-day Flag"
        if period
        else {"s": "SRtng SGm SK ", "r": "RRtng RGm Rk ", "b": "BRtng BGm BK "}[control[0]] + "B-day Flag"
    )
    prefix = PREFIX[control]
    assert [row["rating"] for row in rows] == [row.get(f"{prefix}rating") for row in PLAYERS]
    again = read(path)
    for name in ("rating", "games", "k"):
        assert again.column(prefix + name).equals(players().column(prefix + name))


def test_letters_outside_ascii_never_move_a_column(tmp_path):
    rows = [
        {**PLAYERS[0], "fideid": place, "name": name}
        for place, name in enumerate(["Müller, Zoë", "Reed, Ann", "Šmíd, Ján", "Ōno, 健", "Moor"], 1)
    ]
    list_fide_txt.write(tmp_path / "list.txt", players(rows))

    assert [row["name"] for row in text_list((tmp_path / "list.txt").read_bytes())[1]] == [row["name"] for row in rows]
    assert read(tmp_path / "list.txt").equals(players(rows))


def test_what_does_not_fit_is_told_and_moves_nothing(tmp_path):
    row = {
        **PLAYERS[0],
        "name": "N" * 70,
        "country": "ENGL",
        "o_title": "LSI,FI,SI,SLI,NA,IA",
        "games": 1000,
        "k": 100,
        "birthday": "1994-05-04",
    }
    problems = list_fide_txt.write(tmp_path / "list.txt", players([row, *PLAYERS[1:]]))
    _, rows = text_list((tmp_path / "list.txt").read_bytes())

    assert rows[0] == printed()[0] | {
        "name": "N" * 61,
        "country": "ENG",
        "o_title": "LSI,FI,SI,SLI",
        "games": None,
        "k": None,
    }
    assert {problem.code for problem in problems} == {"export-fit"}
    told = " ".join(problem.message for problem in problems)
    assert all(word in told for word in ("name", "country", "o_title", "games", "k does", "years", "700001"))


def test_line_breaks_in_a_name_break_no_line(tmp_path):
    problems = list_fide_txt.write(tmp_path / "list.txt", players([{**PLAYERS[0], "name": "Reed,\r\nAnn"}]))

    assert text_list((tmp_path / "list.txt").read_bytes())[1][0]["name"] == "Reed,  Ann"
    assert [problem.severity for problem in problems] == ["warning"]


def test_id_too_long_for_the_columns_is_refused_and_nothing_written(tmp_path):
    with pytest.raises(Refused) as refused:
        list_fide_txt.write(tmp_path / "list.txt", players([{**PLAYERS[0], "fideid": 10**15}]))

    assert "1000000000000000" in refused.value.problems[0].message
    assert list(tmp_path.iterdir()) == []


# --- XML ----------------------------------------------------------------------------------------------------------


def test_xml_read_by_its_elements(tmp_path):
    assert list_fide_xml.write(tmp_path / "list.xml", players()) == []
    data = (tmp_path / "list.xml").read_bytes()

    assert xml_list(data) == printed()
    assert tuple(xml_list(data)[0]) == LIST_COLUMNS
    minidom.parseString(data)
    assert read(tmp_path / "list.xml").equals(players())


def test_markup_in_names_is_text(tmp_path):
    rows = [
        {**PLAYERS[0], "fideid": place, "name": name}
        for place, name in enumerate(["A & B <i>", "&amp;", "]]>", "\"'", "Müller"], 1)
    ]
    list_fide_xml.write(tmp_path / "list.xml", players(rows))

    names = minidom.parse(str(tmp_path / "list.xml")).getElementsByTagName("name")
    assert [name.firstChild.data for name in names] == [row["name"] for row in rows]
    assert read(tmp_path / "list.xml").equals(players(rows))


@pytest.mark.parametrize("control", CONTROLS)
def test_xml_of_one_control(tmp_path, control):
    path = tmp_path / f"{control}.xml"
    list_fide_xml.write(path, players(), control=control)

    assert tuple(xml_list(path.read_bytes())[0]) == tuple(
        name for name in LIST_COLUMNS if not name.startswith(("rapid", "blitz"))
    )
    again = read(path)
    for name in ("rating", "games", "k"):
        assert again.column(PREFIX[control] + name).equals(players().column(PREFIX[control] + name))


# --- CSV ----------------------------------------------------------------------------------------------------------


def test_csv_has_the_columns_of_the_list_in_order(tmp_path):
    list_csv.write(tmp_path / "list.csv", players())
    heading, rows = csv_table((tmp_path / "list.csv").read_bytes())

    assert heading == LIST.names
    assert [row["fideid"] for row in rows] == ["700001", "700002", "700003", "0042"]
    assert [row["rating"] for row in rows] == ["2105", "2511", "", "1000"]
    assert (
        (tmp_path / "list.csv")
        .read_text()
        .splitlines()[1]
        .startswith('700001,"Reed, Ann",ENG,F,WFM,WFM,,,2105,9,20,2040,0,20,,,,1994,w,')
    )


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "'=1", "''=1"])
def test_formulas_are_written_as_text_and_read_back_as_they_were(tmp_path, name):
    source = players([{**PLAYERS[0], "name": name}])
    list_csv.write(tmp_path / "list.csv", source)

    cell = csv_table((tmp_path / "list.csv").read_bytes())[1][0]["name"]
    assert cell[0] not in "=+-@\t\r"
    assert read(tmp_path / "list.csv").column("name").to_pylist() == [name.strip()]


@pytest.mark.parametrize("name", ["'t Hoen", "O'Neill", "Reed-Moor", "1-2", "-", "="])
def test_other_names_are_written_as_they_are(tmp_path, name):
    list_csv.write(tmp_path / "list.csv", players([{**PLAYERS[0], "name": name}]))

    assert csv_table((tmp_path / "list.csv").read_bytes())[1][0]["name"] == name


# --- all of them ----------------------------------------------------------------------------------------------------

TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Cf", "Zs", "Zl", "Zp"], include_characters=" "),
    max_size=30,
).map(str.strip)
IDS = st.one_of(st.integers(1, 10**12).map(str), st.from_regex(r"0[0-9A-Z]{1,7}[1-9A-Z]", fullmatch=True)).map(id_code)


def rating(prefix, games=999, k=99):
    return {
        f"{prefix}rating": st.one_of(st.none(), st.integers(1, 3500)),
        f"{prefix}games": st.one_of(st.none(), st.integers(0, games)),
        f"{prefix}k": st.one_of(st.none(), st.integers(1, k)),
    }


ROW = st.fixed_dictionaries({
    "fideid": IDS, "name": TEXT, "country": st.sampled_from(["ENG", "IND", ""]), "sex": st.sampled_from(["M", "F", ""]),
    "title": st.sampled_from(["GM", "WCM", ""]), "w_title": st.sampled_from(["WGM", ""]), "o_title": st.sampled_from(["FA", "IA,FI", ""]),
    "foa_title": st.sampled_from(["AGM", ""]), "birthday": st.sampled_from(["", "1990", "2012"]), "flag": st.sampled_from(["", "i", "w", "wi"]),
    **rating(""), **rating("rapid_"), **rating("blitz_"),
})  # fmt: skip


@given(st.lists(ROW, min_size=1, max_size=8, unique_by=lambda row: row["fideid"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_list_comes_back_from_every_format(tmp_path, rows):
    rows[0]["rating"] = 1500
    source = players(rows)
    list_csv.write(tmp_path / "list.csv", source)
    list_fide_txt.write(tmp_path / "list.txt", source)
    list_fide_xml.write(tmp_path / "list.xml", source)

    for ending in ("csv", "txt", "xml"):
        assert read(tmp_path / f"list.{ending}").to_pylist() == source.to_pylist(), ending


def in_dictionaries(columns):
    """A list whose texts but the names are in dictionaries, as a sealed month is read to be written out whole."""
    for place, field in enumerate(columns.schema):
        if field.type == "string" and field.name != "name":
            columns = columns.set_column(place, field.name, columns[field.name].dictionary_encode())
    return columns


ODD = st.fixed_dictionaries({
    "fideid": st.one_of(IDS, st.integers(10**14, 10**15 - 1)), "name": st.one_of(TEXT, st.text(max_size=80)),
    "country": st.sampled_from(["ENG", "", "ENGL", "É", "E\nG"]), "sex": st.sampled_from(["M", "F", "", "women", "é"]),
    "title": st.sampled_from(["GM", "", "Grandmaster", "=GM"]), "w_title": st.sampled_from(["", "WGM"]),
    "o_title": st.sampled_from(["", "IA,FI", "IA,FI,FT,LSI,SLI,NA,RTO", "健太"]), "foa_title": st.sampled_from(["", "AGM", "WAGM"]),
    "birthday": st.sampled_from(["", "1990", "1990-05-04"]), "flag": st.sampled_from(["", "i", "wi", "inactive", ","]),
    **rating("", 10_000, 2_000), **rating("rapid_", 10_000, 2_000), **rating("blitz_"),
})  # fmt: skip


@given(st.lists(ODD, min_size=1, max_size=8, unique_by=lambda row: row["fideid"]))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_texts_in_dictionaries_are_written_as_plain_ones(tmp_path, rows):
    source = players(rows)
    path = tmp_path / "list"
    for control in ("", "rapid"):
        told = list_fide_txt.write(path, source, control=control)
        plain = path.read_bytes()
        assert list_fide_txt.write(path, in_dictionaries(source), control=control) == told
        assert path.read_bytes() == plain
    list_csv.write(path, source)
    plain = path.read_bytes()
    list_csv.write(path, in_dictionaries(source))
    assert path.read_bytes() == plain


@pytest.mark.parametrize("writer", [list_csv, list_fide_txt, list_fide_xml])
def test_same_list_same_bytes_and_many_blocks(tmp_path, writer):
    many = players([{**PLAYERS[place % 4], "fideid": place} for place in range(1, 70_001)])
    writer.write(tmp_path / "a", many)
    writer.write(tmp_path / "b", many.combine_chunks())

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


@pytest.mark.parametrize("writer", [list_csv, list_fide_txt, list_fide_xml])
def test_writing_that_fails_leaves_what_was_there(tmp_path, writer, monkeypatch):
    path = tmp_path / "list"
    path.write_text("the list of last month")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError):
        writer.write(path, players())

    assert path.read_text() == "the list of last month"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("writer", [list_csv, list_fide_txt, list_fide_xml])
def test_empty_list(tmp_path, writer):
    path = tmp_path / ("list" + {list_csv: ".csv", list_fide_txt: ".txt", list_fide_xml: ".xml"}[writer])
    writer.write(path, LIST.empty_table())
    assert path.read_bytes()
    if writer is not list_fide_xml:
        assert read(path).num_rows == 0
