"""FIDE's list as XML: combined, single, the old one with attributes; entities, encodings, files that are no XML."""

from xml.sax.saxutils import escape

import pytest
from list_makers import LISTS, LUND, MOOR, PLAYERS, REED, as_read, needs_lists, only, rows, told
from twins import same_list

from fide_batch.formats import list_fide_xml
from fide_batch.model import LIST, Refused

ELEMENTS = (
    "fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title", "rating", "games", "k", "rapid_rating", "rapid_games",
    "rapid_k", "blitz_rating", "blitz_games", "blitz_k", "birthday", "flag",
)  # fmt: skip
SINGLE = tuple(name for name in ELEMENTS if not name.startswith(("rapid", "blitz")))


def player(cells, elements=ELEMENTS):
    """A player as FIDE writes him: an element a line."""
    inner = "".join(f"<{name}>{escape(str(cells.get(name, '')))}</{name}>\n" for name in elements)
    return f"<player>\n{inner}</player>\n"


def document(players, elements=ELEMENTS, declaration=""):
    return declaration + "<playerslist>\n" + "".join(player(cells, elements) for cells in players) + "</playerslist>\n"


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
    return path


def read(path):
    table, problems = list_fide_xml.read(path)
    assert table.schema.equals(LIST)
    table.validate(full=True)
    plain, plain_problems = list_fide_xml.read(path, plain=True)
    assert (table.equals(plain), problems) == (True, plain_problems)
    return table, problems


def refusal(path):
    found = []
    for plain in (False, True):
        with pytest.raises(Refused) as refused:
            list_fide_xml.read(path, plain=plain)
        found.append(refused.value.problems)
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="utf-8"?>\n'])
def test_combined_list(tmp_path, declaration):
    table, problems = read(write(tmp_path / "list.xml", document(PLAYERS, declaration=declaration)))

    assert rows(table) == [as_read(cells) for cells in PLAYERS]
    assert problems == []


def test_shape_does_not_matter(tmp_path):
    """Indented, elements in another order, missing or self-closed, attributes, comments, CDATA."""
    text = """<?xml version='1.0'?>
    <playerslist date="2026-10"><!-- a comment with <player> in it -->
      <player><name>Reed, Ann</name><fideid>700001</fideid><rating>2105</rating><title/><country>ENG</country></player>
      <player fideid="700002"><name><![CDATA[Moor & Sons, <Ben>]]></name><RATING>2511</RATING><rapid_rating/></player>
    </playerslist>"""
    table, _ = read(write(tmp_path / "list.xml", text))

    assert [(row["fideid"], row["name"], row["rating"]) for row in rows(table)] == [
        (700001, "Reed, Ann", 2105), (700002, "Moor & Sons, <Ben>", 2511),
    ]  # fmt: skip


def test_one_odd_player_among_regular_ones(tmp_path):
    odd = "<player><fideid>8</fideid><rating>1500</rating><name>Hale, <b>F</b>inn</name></player>\n"
    text = document(PLAYERS).replace("<player>\n<fideid>700002", odd + "<player>\n<fideid>700002")
    table, _ = read(write(tmp_path / "list.xml", text))

    assert table.column("fideid").to_pylist() == [700001, 8, 700002, 700003]
    assert table.column("rating").to_pylist() == [2105, 1500, 2511, None]


def test_what_the_first_player_lacks_is_read_of_the_others(tmp_path):
    """A list may leave out elements without content: those of its first player are not those of the list."""
    for first in (player(PLAYERS[0], ELEMENTS[:9]), player(PLAYERS[0], ELEMENTS[:15])):
        text = "<playerslist>\n" + first + "".join(map(player, PLAYERS[1:])) + "</playerslist>\n"
        table, _ = read(write(tmp_path / "list.xml", text))

        assert rows(table)[1:] == [as_read(cells) for cells in PLAYERS[1:]]


LACKING = tuple(name for name in ELEMENTS if name != "w_title")


@pytest.mark.parametrize(
    "others",
    [(ELEMENTS, LACKING, (*ELEMENTS, "club")), (ELEMENTS, (*ELEMENTS, "club"), LACKING), (ELEMENTS, LACKING, LACKING)],
)
@pytest.mark.parametrize("times", [1, 300])
def test_elements_of_one_player_are_never_put_to_the_next(tmp_path, others, times):
    """One lacks an element and the next has one more: together they have as many tags as two regular players."""
    inner = "".join(player({**cells, "club": "x"}, elements) for cells, elements in zip(PLAYERS, others, strict=True))
    more = document([{**REED, "fideid": place} for place in range(1, times)]).removeprefix("<playerslist>\n")
    table, _ = read(write(tmp_path / "list.xml", f"<playerslist>\n{inner}{more}"))

    expected = [
        as_read({name: value for name, value in cells.items() if name in elements})
        for cells, elements in zip(PLAYERS, others, strict=True)
    ]
    assert rows(table)[:3] == expected
    assert table.num_rows == 2 + times


@pytest.mark.parametrize(
    ("was", "now"),
    [("<sex>M</sex>\n<title>GM</title>", "<title>GM</title>\n<sex>M</sex>"), ("<flag>", "<flog>"), ("</flag>", "</flog>"), ("rapid_rating>", "rapid_ratinx>"),
     ("<rapid_rating>", "<rapid_ratinx>"), ("blitz_games>", "blitz_gamez>"), ("<title>", "<Title>"), ("title>", "titel>"), ("</player>", "</plaier>")],
)  # fmt: skip
def test_one_tag_that_differs(tmp_path, was, now):
    text = document(PLAYERS)
    begin = text.index("700002")
    changed = text[:begin] + text[begin:].replace(was, now)
    assert was in text[begin:] or was.startswith("<sex>")
    for altered in (changed, changed.replace("<playerslist>\n", "<playerslist>\n" + player({**LUND, "fideid": 7}))):
        same_list(list_fide_xml, write(tmp_path / "list.xml", altered))


@pytest.mark.parametrize("length", [1, 7, 8, 9, 15, 16, 23, 24, 25, 79, 80, 81, 300])
@pytest.mark.parametrize("column", ["name", "o_title", "country", "rating", "fideid"])
def test_texts_of_every_length(tmp_path, length, column):
    text = ("1" if column in ("rating", "fideid") else "x") * length
    found = same_list(list_fide_xml, write(tmp_path / "list.xml", document([REED, {**MOOR, column: text}, LUND])))
    assert found is not None and len(found) == 3
    if column in ("name", "o_title"):
        assert [row[column] for row in found] == [REED.get(column, ""), text, LUND.get(column, "")]


@pytest.mark.parametrize("name", ["Reed [Ann]", "Reed]", "]", "]]", "Reed]] >", "Reed]]>", "Reed\tAnn", "Reed\nAnn", "Reed\r\nAnn", "Reed\rAnn", "Reed\x7fAnn", "Reed\x01"])  # fmt: skip
def test_signs_that_need_care(tmp_path, name):
    text = document([REED, {**MOOR, "name": "NAME"}, LUND]).replace("NAME", name)
    same_list(list_fide_xml, write(tmp_path / "list.xml", text.encode()))


@pytest.mark.parametrize("length", [63, 64, 65, 300, 5_000])
def test_elements_with_long_names(tmp_path, length):
    elements = (*ELEMENTS, "c" * length)
    players = [{**REED, "fideid": place} for place in range(1, 50)]
    table, problems = read(write(tmp_path / "list.xml", document(players, elements)))
    assert table.num_rows == 49
    assert only(problems, "list-columns").severity == "note"


@pytest.mark.parametrize(
    "name", ["O'Neill & Daughter, <X>", "Müller, Zoë", " Orr  ,  Mark  J  L", "", ", Ben", "Šmíd, Ján"]
)
def test_names(tmp_path, name):
    table, _ = read(write(tmp_path / "list.xml", document([REED, {**MOOR, "name": name}, LUND])))

    assert table.column("name").to_pylist() == ["Reed, Ann", name.strip(), "Lund, Cara"]


@pytest.mark.parametrize(
    ("name", "prefix"), [("standard_oct26frl_xml.xml", ""), ("rapid.xml", "rapid_"), ("blitz_list.xml", "blitz_")]
)
def test_single_control_by_the_name_of_the_file(tmp_path, name, prefix):
    table, problems = read(write(tmp_path / name, document([REED], SINGLE)))
    row = rows(table)[0]

    assert (row[f"{prefix}rating"], row[f"{prefix}games"], row[f"{prefix}k"]) == (2105, 9, 20)
    assert only(problems, "list-control").severity == "note"


def test_single_control_by_the_root(tmp_path):
    text = document([REED], SINGLE).replace("playerslist", "rapid_list")
    table, _ = read(write(tmp_path / "list.xml", text))

    assert table.column("rapid_rating").to_pylist() == [2105]


@needs_lists
def test_old_list_with_the_id_as_an_attribute_and_full_births():
    table, problems = read(LISTS / "fide_old_xml_id_attribute.xml")
    text = (LISTS / "fide_old_xml_id_attribute.xml").read_text()

    assert table.num_rows == text.count("<player ") == 12
    first = rows(table)[0]
    assert (first["fideid"], first["rating"], first["birthday"], first["flag"]) == (2676455, 2197, "1962-02-02", "i")
    assert set(table.column("title").to_pylist()) == {"", "GM", "IM", "FM", "WCM"}
    assert told(problems, "error") == []


def test_record_without_birth_sex_and_rating_is_read_and_named_incomplete(tmp_path):
    table, problems = read(
        write(tmp_path / "list.xml", document([REED, {"fideid": 5, "name": "Hale, Finn", "country": "WLS"}]))
    )

    assert rows(table)[1] == as_read({"fideid": 5, "name": "Hale, Finn", "country": "WLS"})
    incomplete = [problem for problem in problems if problem.code == "list-incomplete"]
    assert {problem.line for problem in incomplete} == {23}
    assert {problem.severity for problem in incomplete} == {"note"}


def test_faults_are_told_with_the_line_of_the_player(tmp_path):
    players = [REED, {**MOOR, "rating": "25l1"}, {**LUND, "fideid": 700001}, {**LUND, "fideid": "a b"}]
    _, problems = read(write(tmp_path / "list.xml", document(players)))

    # A player has 21 lines, the first one begins in line 2.
    assert sorted(told(problems, "error")) == [("list-id", 65), ("list-id-repeated", 44), ("list-rating", 23)]


def test_latin_letters_without_a_declared_encoding(tmp_path):
    table, problems = read(write(tmp_path / "list.xml", document([{**REED, "name": "Müller, Zoë"}]), "cp1252"))

    assert table.column("name").to_pylist() == ["Müller, Zoë"]
    assert only(problems, "list-encoding").severity == "note"


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "utf-16"])
def test_declared_encodings(tmp_path, encoding):
    text = document([{**REED, "name": "Müller, Zoë"}], declaration=f'<?xml version="1.0" encoding="{encoding}"?>\n')
    table, _ = read(write(tmp_path / "list.xml", text, encoding))

    assert table.column("name").to_pylist() == ["Müller, Zoë"]


@pytest.mark.parametrize("where", ["end", "tag", "text"])
def test_file_cut_off_is_refused_with_the_line(tmp_path, where):
    text = document(PLAYERS)
    cut = {"end": text.rindex("</playerslist>"), "tag": text.rindex("<k>") + 2, "text": text.index("Moor") + 2}[where]
    problem = only(refusal(write(tmp_path / "list.xml", text[:cut])), "list-xml")

    assert problem.line == text[:cut].count("\n") + 1
    assert "not well-formed" in problem.message


@pytest.mark.parametrize("after", ["<player>", "x", "<a/>"])
def test_nothing_may_follow_the_list(tmp_path, after):
    only(refusal(write(tmp_path / "list.xml", document(PLAYERS) + after)), "list-xml")


def test_list_without_ratings_is_none(tmp_path):
    elements = tuple(name for name in ELEMENTS if "rating" not in name)
    problems = refusal(write(tmp_path / "list.xml", document(PLAYERS, elements)))
    assert "no rating column" in only(problems, "list-not-a-list").message

    unrated = [{**LUND, "fideid": place, "rating": 0} for place in range(1, 12)]
    problems = refusal(write(tmp_path / "zero.xml", document(unrated)))
    assert "does not look like a rating list" in only(problems, "list-not-a-list").message


def test_elements_nobody_uses_are_named(tmp_path):
    table, problems = read(
        write(tmp_path / "list.xml", document([{**REED, "club": "Rooks & Co"}], (*ELEMENTS, "club")))
    )

    assert rows(table) == [as_read(REED)]
    assert "club" in only(problems, "list-columns").message


def test_looks():
    assert list_fide_xml.looks("list.xml", document(PLAYERS).encode()) == ""
    for other in (b"", b"<html><body>", b"fideid,name,rating", b"PK\x03\x04"):
        assert list_fide_xml.looks("list.xml", other) != ""
