"""Columns between NumPy and Arrow."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from list_makers import PLAYERS, line, text_list

from fide_batch.formats import arrow

SAMPLE = Path(__file__).parents[2] / "sample_data"


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64, np.uint32, np.uint64])
def test_numbers_there_and_back(kind):
    values = np.array([0, 1, 2, 200, 7], kind)
    for some in (values, values[:0], values[::2]):
        column = arrow.numbers(some)
        column.validate(full=True)
        assert column.equals(pa.array(some)) and arrow.values(column).tolist() == some.tolist()
    parts = pa.chunked_array([pa.array(values), pa.array(values[:0]), pa.array(values)[1:3]], pa.array(values).type)
    assert arrow.values(parts).tolist() == [0, 1, 2, 200, 7, 1, 2]
    assert arrow.values(pa.chunked_array([], pa.int32())).dtype == np.int32


def test_missing_numbers_are_no_numbers():
    with pytest.raises(ValueError, match="missing"):
        arrow.values(pa.array([1, None]))


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1000])
def test_marks(count):
    values = np.arange(count) % 3 == 0
    assert arrow.marks(values).equals(pa.array(values))


@pytest.mark.parametrize("texts", [[], [""], ["Ødegård", "", "Reed, Ann"]])
def test_texts(texts):
    column = arrow.texts(texts)
    column.validate(full=True)
    assert column.equals(pa.array(texts, pa.string()))
    assert arrow.blanks(len(texts)).equals(pa.array([""] * len(texts), pa.string()))


@pytest.mark.parametrize(
    "known",
    [["GER", "IRL"], ["", "GM"], ["", ""], ["Ødegård", "x", ""], ["2008", "never", "2008-03-04"], ["m", "", "w"]],
)
@pytest.mark.parametrize("places", [[], [0], [0, 1, 1, 0], [1] * 9])
def test_texts_by_their_place(known, places):
    column = arrow.looked_up(known, np.array(places, np.int32))
    column.validate(full=True)
    assert column.equals(pa.array([known[place] for place in places], pa.string()))


@pytest.mark.parametrize("texts", [[], [""], ["2008"] * 3, ["2008", "", "2008-03-04"], ["Öst", "x"]])
def test_the_beginnings_of_cells(texts):
    letters = [text.encode() for text in texts]
    cells = np.frombuffer(b"".join(text.ljust(10, b"!") for text in letters), np.uint8).reshape(-1, 10)
    lengths = np.array([len(text) for text in letters], np.int64)
    for column in (arrow.cut(cells, lengths), arrow.joined(b"".join(letters), lengths)):
        column.validate(full=True)
        assert column.equals(pa.array(texts, pa.string()))


def test_readers_do_not_wait_for_pandas(tmp_path):
    """Arrow imports it at its first array: a fifth of a second."""
    text_list(tmp_path / "list.txt", [line(**player) for player in PLAYERS])
    program = f"""
import sys
from pathlib import Path
from fide_batch import formats
formats.read_reports([Path({str(SAMPLE / "results" / "harbour-open.trf")!r})])
formats.read_list(Path({str(tmp_path / "list.txt")!r}))
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])


def test_columns_that_grow():
    numbers, texts = arrow.Growing(np.dtype(np.int32), 2), arrow.GrowingTexts(2)
    assert numbers.column.equals(pa.array([], pa.int32())) and texts.column.equals(pa.array([], pa.string()))
    expected: list[str] = []
    for some in (["a", ""], [], ["Ødegård", "x" * 40, ""], ["", "never", "b"]):
        numbers.next(len(some))[:] = range(len(expected), len(expected) + len(some))
        numbers.add(numbers.next(len(some)))
        texts.add(pa.array([*some, "cut away"], pa.string())[: len(some)])
        expected += some
    texts.add(pa.array(["cut away", "c"], pa.string())[1:])
    numbers.add(np.array([len(expected)], np.int32))
    expected.append("c")
    texts.column.validate(full=True)
    assert texts.column.to_pylist() == expected
    assert numbers.column.to_pylist() == list(range(len(expected)))
