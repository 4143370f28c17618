"""Every fast way of reading a list has a plain twin: both give the same table and the same problems, whatever the file."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from list_makers import COMBINED, LEGACY, LISTS, PLACES, SINGLE, legacy, line, needs_lists, single
from twins import same_list

from fide_batch.formats import list_csv, list_fide_txt, list_fide_xml
from fide_batch.formats.list_cells import EMPTY
from fide_batch.formats.list_txt_block import Codes, whole_numbers, words_of

MANY = settings(
    max_examples=int(os.environ.get("FIDE_BATCH_EXAMPLES", "100")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@needs_lists
@pytest.mark.parametrize("path", sorted(LISTS.glob("*")), ids=lambda path: path.name)
def test_real_lists(path):
    assert same_list(list_fide_xml if path.suffix == ".xml" else list_fide_txt, path)


# --- numbers ----------------------------------------------------------------------------------------------------


@given(st.lists(st.text("0123456789 x-", min_size=1, max_size=20), min_size=1, max_size=20), st.integers(1, 20))
@settings(max_examples=300, deadline=None)
def test_whole_numbers_of_a_column_as_python_reads_them(cells, width):
    cells = [cell[:width].ljust(width) for cell in cells]
    lines = np.frombuffer("".join(cell + "1 2x4567" for cell in cells).encode(), np.uint8).reshape(-1, width + 8)
    values, sound, digits = whole_numbers(words_of(lines, 0, width))

    expected_sound = [not cell.strip() or cell.strip().isdigit() for cell in cells]
    if width <= 18:
        assert sound.tolist() == expected_sound
    assert all(expected_sound[place] for place in np.flatnonzero(sound))
    for cell, value, good in zip(cells, values.tolist(), sound.tolist(), strict=True):
        if good:
            assert value == (int(cell) if cell.strip() else EMPTY)
    assert all(
        count == len(cell.strip())
        for cell, count, good in zip(cells, digits.tolist(), sound.tolist(), strict=True)
        if good
    )


# --- codes ------------------------------------------------------------------------------------------------------


def looked_at(codes, cells, width):
    """What ``Codes`` makes of some cells, told by their texts, and which of them are what the column is for."""
    lines = np.frombuffer("".join(cell.ljust(width)[:width] + "next one" for cell in cells).encode("latin-1"), np.uint8)
    into = np.empty(len(cells), np.int32)
    sound = codes.places(words_of(lines.reshape(len(cells), -1), 0, width), into)
    return [codes.values[place] for place in into], np.broadcast_to(sound, len(cells)).tolist()


@pytest.mark.parametrize("width", [4, 6, 8, 15, 16])
def test_each_cell_has_its_own_text_however_many_there_are(width):
    """Far more texts than the table of slots holds: most of them share one with another."""
    chance = np.random.default_rng(width)
    codes = Codes("o_title")
    for count in (1, 5, 300, 20_000, 300, 5):
        letters = chance.integers(65, 91, (count, 3 if count < 1_000 else min(width, 9)), np.uint8)
        cells = [bytes(row).decode() for row in letters] + ["", "GM", "FA,NI"[:width]]
        cells = [cells[place] for place in chance.integers(0, len(cells), 2 * len(cells))]
        assert looked_at(codes, cells, width) == (cells, [True] * len(cells))
    assert len(codes.values) == len(set(codes.values))


def test_cells_that_are_no_codes_stay_so_when_they_come_again():
    codes = Codes("country")
    for _ in range(3):
        assert looked_at(codes, ["ENG", "E1G", "", "ENG", "12", "IND"], 4)[1] == [True, False, True, True, False, True]
    assert looked_at(codes, ["", ""], 4) == (["", ""], [True, True])
    assert looked_at(codes, ["12", "12"], 4)[1] == [False, False]


def test_cells_of_control_characters_are_no_empty_slots():
    codes = Codes("title")
    cells = ["\0" * 8, "\1" + "\0" * 7, "GM", "\0" * 8]
    for _ in range(2):
        assert looked_at(codes, cells, 8) == (cells, [True] * 4)


# --- text in columns --------------------------------------------------------------------------------------------

IDS = st.one_of(st.integers(1, 10**9).map(str), st.sampled_from(["", "0", "0042", "73928E03", "1/2", "12 3", "x" * 15]))
NAMES = st.one_of(
    st.sampled_from(
        [
            "Reed, Ann",
            ", Ben",
            "",
            "Müller, Zoë",
            "'t Hoen",
            "=1+1",
            "A  B",
            "x" * 61,
            "Tab\tName",
            "-",
            "Lund & Co <x>",
        ]
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=20),
)
NUMBERS = st.one_of(
    st.sampled_from(["", "", "0", "1850", "2400", "10", "20", "40", "3500", "3501", "x", "-1", "1 2", "07"]),
    st.integers(0, 999).map(str),
)
PLAYER = st.fixed_dictionaries(
    {"fideid": IDS, "name": NAMES},
    optional={
        "country": st.sampled_from(["ENG", "eng", "XQZ", "", "EN", "NCL"]),
        "sex": st.sampled_from(["M", "F", "w", "", "x", "MF"]),
        "title": st.sampled_from(["GM", "g", "wf", "ZM", ""]),
        "o_title": st.sampled_from(["FA", "IA,FI", "LSI,FI,SI,SLI,N", "XX", ""]),
        "foa_title": st.sampled_from(["AGM", "", "A"]),
        "birthday": st.sampled_from(["1990", "0000", "", "04.05", "19x0", "1.1.90"]),
        "flag": st.sampled_from(["", "i", "w", "wi", "I", "n"]),
        **{name: NUMBERS.filter(lambda text, wide=last - first + 1: len(text) <= wide) for name, (first, last) in PLACES.items() if name.endswith(("rating", "games", "k"))},
    },
)  # fmt: skip
DAMAGE = st.one_of(
    st.none(), st.tuples(st.just("strip"), st.just(0)), st.tuples(st.just("cut"), st.integers(0, 161)), st.tuples(st.just("insert"), st.integers(0, 161)),
    st.tuples(st.just("delete"), st.integers(0, 161)), st.tuples(st.just("long"), st.just(94)),
)  # fmt: skip


def damaged(text, damage):
    if damage is None:
        return text
    what, place = damage
    if what == "strip":
        return text.rstrip(" ")
    if what == "cut":
        return text[:place]
    if what == "insert":
        return text[:place] + "x" + text[place:]
    if what == "delete":
        return text[:place] + text[place + 1 :]
    return text[:place] + "LSI,FI,SI,SLI,NA" + text[place + 15 :]


@given(
    players=st.lists(st.tuples(PLAYER, DAMAGE), max_size=12),
    layout=st.sampled_from([(line, COMBINED), (legacy, LEGACY), (single, SINGLE)]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "latin-1", "cp1252"]),
    last_end=st.booleans(),
)
@MANY
def test_text_lists(tmp_path, players, layout, end, encoding, last_end):
    make, heading = layout
    lines = [damaged(make(**cells), damage) for cells, damage in players]
    text = end.join([heading, *lines]) + end * last_end
    path = tmp_path / "list.txt"
    path.write_bytes(text.encode(encoding, "replace"))

    same_list(list_fide_txt, path)


@given(st.lists(st.binary(max_size=200), max_size=8))
@MANY
def test_text_lists_of_any_bytes(tmp_path, lines):
    path = tmp_path / "list.txt"
    path.write_bytes(
        COMBINED.encode() + b"\n" + line(fideid=1, name="Reed", rating=1500).encode() + b"\n" + b"\n".join(lines)
    )

    same_list(list_fide_txt, path)


# --- XML ----------------------------------------------------------------------------------------------------------


def element(name, text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<{name}>{escaped}</{name}>"


@given(
    players=st.lists(
        st.tuples(
            PLAYER, st.sampled_from(["", "", "", "drop", "twice", "attribute", "empty", "space", "comment", "broken"])
        ),
        max_size=10,
    ),
    encoding=st.sampled_from(["utf-8", "latin-1"]),
)
@MANY
def test_xml_lists(tmp_path, players, encoding):
    parts = []
    for cells, oddity in players:
        inner = [element(name, cells.get(name, "")) for name in PLACES]
        opening = "<player>"
        if oddity == "drop":
            del inner[5]
        elif oddity == "twice":
            inner.append(inner[1])
        elif oddity == "attribute":
            opening = '<player fideid="9">'
        elif oddity == "empty":
            inner[4] = "<title/>"
        elif oddity == "space":
            inner[0] = inner[0].replace("<fideid>", "<fideid >")
        elif oddity == "comment":
            inner.insert(3, "<!-- <player> -->")
        elif oddity == "broken":
            inner[2] = "<country>ENG</contry>"
        parts.append("\n".join([opening, *inner, "</player>"]))
    path = tmp_path / "list.xml"
    text = "<playerslist>\n" + "\n".join(parts) + "\n</playerslist>\n"
    path.write_bytes("".join(char for char in text if char in "\n\t" or char >= " ").encode(encoding, "replace"))

    same_list(list_fide_xml, path)


# --- CSV ----------------------------------------------------------------------------------------------------------

CELLS = st.one_of(
    st.sampled_from(["", "1001", "1002", "0042", "1850", "2100.0", "0", "-1", "0x10", " 7 ", "Reed", "'=1+1", "''-x", "'t Hoen", "ENG", "eng", "1990", "04.05.1990",
                     "2026-10-31", "1", "2", "wi", "Müller", "a\tb"]),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8),
)  # fmt: skip
COLUMNS = ["fideid", "name", "rating", "k", "country", "birthday", "flag", "reached_2400", "last_played", "club"]


def quoted(cell, separator, always):
    if always or any(char in cell for char in (separator, '"', "\n", "\r")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


@given(
    rows=st.lists(st.lists(CELLS, min_size=9, max_size=11), max_size=8),
    separator=st.sampled_from([",", ";", "\t"]),
    end=st.sampled_from(["\n", "\r\n"]),
    always=st.booleans(),
    blank=st.integers(0, 3),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252"]),
)
@MANY
def test_csv_lists(tmp_path, rows, separator, end, always, blank, encoding):
    lines = [
        separator.join(quoted(cell, separator, always) for cell in row)
        for row in [COLUMNS, ["77", "A", "1500", *[""] * 7], *rows]
    ]
    text = end.join(lines) + end * blank
    path = tmp_path / "list.csv"
    path.write_bytes(text.encode(encoding, "replace"))

    same_list(list_csv, path)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=300))
@MANY
def test_csv_lists_of_any_text(tmp_path, text):
    path = tmp_path / "list.csv"
    path.write_bytes(("fideid,name,rating\n1,A,1500\n" + text).encode())

    same_list(list_csv, path)
