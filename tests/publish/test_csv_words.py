"""Lines of CSV laid in words are those joined cell by cell, and those the standard library writes, whatever stands in the cells."""

import csv
import io
import os
from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fide_batch.model import EVENTS, LIST, id_code, table
from fide_batch.publish import list_csv, tables

MANY = settings(max_examples=int(os.environ.get("FIDE_BATCH_EXAMPLES", "150")), deadline=None)


def as_csv(columns):
    """The file; both ways of writing it give the same bytes."""
    laid = b"".join(tables.csv_pieces(columns))
    assert laid == b"".join(tables.csv_pieces(columns, plain=True))
    return laid


def by_the_standard_library(columns):
    """The same by Python's own writer; its quotation marks stand where a comma, a quotation mark or a line end is."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns.column_names)
    for row in columns.to_pylist():
        writer.writerow(["" if value is None else value for value in row.values()])
    return text.getvalue().encode()


def listed(*rows):
    texts = [name for name in LIST.names if LIST.field(name).type == "string"]
    return table(LIST, {name: [row.get(name, "" if name in texts else None) for row in rows] for name in LIST.names})


# --- cells --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, 9, 10, 999, 1_000, 9_999, 10_000, 12_345_678_901, -1, -5, None, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)])  # fmt: skip
@pytest.mark.parametrize("others", [[], [7], [None, 2105], [9_999, 0]])
def test_whole_numbers(value, others):
    for kind in (pa.int32(), pa.int64()):
        if kind == pa.int64() or value is None or -(2**31) <= value < 2**31:
            columns = pa.table({"id": pa.array([1, *range(len(others))]), "rating": pa.array([value, *others], kind)})
            assert as_csv(columns) == by_the_standard_library(columns)


@pytest.mark.parametrize(
    "first", [date(1, 1, 1), date(1969, 12, 31), date(1970, 1, 1), date(2026, 10, 31), date(9999, 12, 31)]
)
@pytest.mark.parametrize("later", [None, 0, 1, 4_096, 4_097, 40_000])
def test_days(first, later):
    second = None if later is None else date.fromordinal(min(first.toordinal() + later, date.max.toordinal()))
    columns = pa.table({"start": pa.array([first, second, None, first], pa.date32()), "round": [1, 2, 3, 4]})
    assert as_csv(columns) == by_the_standard_library(columns)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1_000])
@pytest.mark.parametrize("letter", ["x", "é", "健", "♔"])
def test_texts_of_every_length(length, letter):
    columns = pa.table({"name": [letter * length, "", "Reed, Ann", letter * length + ","], "k": [20, None, 0, 10]})
    assert as_csv(columns) == by_the_standard_library(columns)


@pytest.mark.parametrize(
    ("name", "cell"),
    [("Reed", "Reed"), ("Reed, Ann", '"Reed, Ann"'), ('The "Rook"', '"The ""Rook"""'), ('"', '""""'), (",", '","'), ("a\nb", '"a\nb"'), ("a\rb", '"a\rb"'),
     ("=1+1", "'=1+1"), ("=1,1", "\"'=1,1\""), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("'=1", "''=1"), ("'t Hoen", "'t Hoen"), ("-", "-"), ("", ""),
     ("Müller, Zoë", '"Müller, Zoë"'), ("健太", "健太"), ("a\0b", "a\0b"), ("\tx", "'\tx"), ("12345678", "12345678"), ("x" * 70, "x" * 70)],
)  # fmt: skip
def test_one_odd_name_among_plain_ones(name, cell):
    players = listed(
        *[{"fideid": place, "name": f"Reed {place}", "rating": 2105} for place in range(1, 40)],
        {"fideid": 40, "name": name},
    )
    lines = as_csv(players)
    assert lines.endswith(f"\n40,{cell}".encode() + b"," * (len(LIST) - 2) + b"\n")
    assert b"\n39,Reed 39,,,,,,,2105," in lines


@pytest.mark.parametrize("marked", ["score", "expected", "chg", "k_chg"])
def test_decimals_are_no_formulas(marked):
    columns = table(EVENTS, {"fideid": [1, 2, 3], marked: [-800, None, 12_000]})
    assert b"'" not in as_csv(columns)


def test_numbers_below_nothing_are_no_formulas():
    assert as_csv(pa.table({"a": [-5, 3], "b": [-10_000, None]})) == b"a,b\n-5,-10000\n3,\n"


# --- columns ------------------------------------------------------------------------------------------------------


def test_columns_without_anything():
    players = listed(*[{"fideid": place} for place in (1, 22, id_code("0042"))])
    assert as_csv(players).splitlines()[1:] == [mark + b"," * (len(LIST) - 1) for mark in (b"1", b"22", b"0042")]
    assert as_csv(pa.table({"a": [None, None], "b": ["", ""]})) == b"a,b\n,\n,\n"
    assert as_csv(pa.table({"a": ["", ""]})) == b"a\n\n\n"
    assert as_csv(pa.table({"a": pa.array([], pa.int32())})) == b"a\n"


def test_words_of_a_dictionary():
    words = ["standard", None, "=1", "a, b", 'he said "no"', "", "standard", "é" * 20]
    for kept in (words, [*words, "x" * 65]):
        plain = pa.table({"event": kept, "line": list(range(len(kept)))})
        coded = plain.set_column(0, "event", plain["event"].dictionary_encode())
        assert as_csv(coded) == as_csv(plain)
        assert as_csv(coded.slice(3)) == as_csv(plain.slice(3))
    assert as_csv(coded.slice(1, 1)) == b"event,line\n,1\n"


def test_missing_cells_may_hold_anything_in_memory():
    """Only the bits say which cells are missing; what lies in their places is left over from something else."""
    bits = pa.py_buffer(np.packbits([1, 0, 1, 0], bitorder="little"))
    numbers = pa.Array.from_buffers(pa.int32(), 4, [bits, pa.py_buffer(np.array([2105, -7, 3, 2**31 - 1], np.int32))])
    days = pa.Array.from_buffers(
        pa.date32(), 4, [bits, pa.py_buffer(np.array([20_000, -(2**31), 20_001, 2**31 - 1], np.int32))]
    )
    codes = pa.Array.from_buffers(pa.int32(), 4, [bits, pa.py_buffer(np.array([1, 99, 0, -5], np.int32))])
    words = pa.DictionaryArray.from_arrays(codes, pa.array(["w", "b"]), safe=False)
    lines = as_csv(pa.table({"a": numbers, "b": days, "c": words}))
    assert lines == b"a,b,c\n2105,2024-10-04,b\n,,\n3,2024-10-05,w\n,,\n"


@pytest.mark.parametrize("rows", [1, 2, 3, 8_191, tables.ROWS - 1, tables.ROWS, tables.ROWS + 1, 2 * tables.ROWS + 3])
@pytest.mark.parametrize("begin", ["", "Reed"])
def test_lines_at_the_ends_of_blocks(rows, begin):
    columns = pa.table(
        {
            "a": np.arange(rows) % 1_001,
            "b": [f"{begin}{'n' * (place % 23)}" for place in range(rows)],
            "c": np.arange(rows) % 7,
        }
    )
    assert as_csv(columns) == by_the_standard_library(columns)


@pytest.mark.parametrize("shortest", [0, 1, 2, 3, 4, 5, 9])
def test_lines_about_as_long_as_a_word(shortest):
    """A line of less than eight bytes is covered by the end of the line before; of eight and more only the beginning is."""
    lengths = [shortest + place * 7 % 5 for place in range(200)]
    columns = pa.table(
        {"a": ["n" * length for length in lengths], "k": [place % 3 or None for place in range(200)], "b": ["m"] * 200}
    )
    assert as_csv(columns) == by_the_standard_library(columns)
    assert as_csv(columns.select(["k", "b", "a"])) == by_the_standard_library(columns.select(["k", "b", "a"]))


def test_block_with_a_long_text_between_others():
    names = [f"Reed, {place}" for place in range(3 * tables.ROWS)]
    names[tables.ROWS + 5] = "Reed, " + "n" * 500
    columns = pa.table({"name": names, "k": pa.array([20] * len(names), pa.int32())})
    assert as_csv(columns) == by_the_standard_library(columns)


# --- anything -----------------------------------------------------------------------------------------------------

TEXTS = st.one_of(
    st.sampled_from(
        ["", "", "M", "ENG", "Reed, Ann", "=1+1", "'=1", "-", '"', "a\nb", "a\rb", "é", "x" * 64, "x" * 65]
    ),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40),
)
COLUMNS = [
    (TEXTS, pa.string()),
    (st.integers(0, 3_500), pa.int32()),
    (st.integers(-(2**31), 2**31 - 1), pa.int32()),
    (st.integers(0, 12_000), pa.int64()),
    (st.dates(date(2025, 1, 1), date(2026, 12, 31)), pa.date32()),
    (st.dates(), pa.date32()),
    (TEXTS, pa.dictionary(pa.int32(), pa.string())),
    (st.booleans(), pa.bool_()),
]


@st.composite
def any_table(draw):
    rows = draw(st.integers(1, 12))
    columns = {}
    for place in range(draw(st.integers(1, 9))):
        values, kind = draw(st.sampled_from(COLUMNS))
        if draw(st.booleans()):
            values = st.one_of(st.none(), values)
        column = draw(st.lists(values, min_size=rows, max_size=rows))
        columns[f"{place}"] = (
            pa.array(column, kind)
            if not pa.types.is_dictionary(kind)
            else pa.array(column, pa.string()).dictionary_encode()
        )
    columns[draw(st.sampled_from(["fideid", "opponent"]))] = pa.array(
        [draw(st.integers(0, 10**12)) for _ in range(rows)]
    )
    columns["chg"] = pa.array(
        [draw(st.one_of(st.none(), st.integers(-(10**7), 10**7))) for _ in range(rows)], pa.int64()
    )
    start = draw(st.integers(0, rows - 1))
    return pa.table(columns).slice(start, draw(st.integers(1, rows)))


@given(any_table())
@MANY
def test_any_table_is_laid_as_it_is_joined(columns):
    as_csv(columns)


ROWS = st.lists(
    st.fixed_dictionaries(
        {"fideid": st.one_of(st.integers(1, 10**12), st.sampled_from([id_code("0042"), id_code("73928E03")])), "name": TEXTS, "country": TEXTS,
         "title": st.sampled_from(["GM", "", ""]), "rating": st.one_of(st.none(), st.integers(0, 12_000)), "games": st.one_of(st.none(), st.integers(0, 99_999)),
         "k": st.one_of(st.none(), st.sampled_from([10, 20, 40])), "last_played": st.one_of(st.none(), st.dates(date(1971, 1, 1), date(2100, 1, 1)))}
    ),
    min_size=1, max_size=12,
)  # fmt: skip


@given(ROWS)
@MANY
def test_any_list_is_laid_as_it_is_joined(rows):
    players = listed(*rows)
    lines = as_csv(players)
    assert b"".join(list_csv.pieces(players)) == lines
    found = list(csv.reader(io.StringIO(lines.decode(), newline=""), strict=True))
    assert found[0] == LIST.names
    assert [row[8:11] for row in found[1:]] == [
        ["" if row[name] is None else str(row[name]) for name in ("rating", "games", "k")] for row in rows
    ]
