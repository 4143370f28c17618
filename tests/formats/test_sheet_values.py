"""Numbers, ids, points and days as people and spreadsheets write them."""

from datetime import date, datetime

import pytest

from fide_batch.formats.sheet_values import day_range, day_text, identity, points, rating, sex, title, whole
from fide_batch.model import id_text


@pytest.mark.parametrize(
    ("cell", "id_"),
    [
        (1503014.0, "1503014"), (1503014, "1503014"), ("1503014", "1503014"), ("1503014.0", "1503014"), ("0042", "0042"), (42.0, "42"),
        (4.31e7, "43100000"), ("'34179178'", "34179178"), ('"34179178"', "34179178"), (" 1503014 ", "1503014"), ("1 503 014", "1503014"),
        ("1503014\u00a0", "1503014"), ("73928E03", "73928E03"), ("", ""), (None, ""), (0.0, ""), ("0", ""), ("-", ""),
    ],
)  # fmt: skip
def test_an_id_is_the_lists_id(cell, id_):
    """Number cells, quotes and the spreadsheet's .0 do not change an id; zeros of a text do."""
    assert id_text(identity(cell)[0]) == id_


@pytest.mark.parametrize("cell", ["4.31E+07", "1.5E+06", "4,31E+07", "CM1", "Z56538", "11/01/1987", "1987-01-11", date(1987, 1, 11), 1503014.5, -5.0, True, float("nan"), float("inf"), 1e20, "Alder, Ann"])  # fmt: skip
def test_what_is_no_id_is_refused(cell):
    with pytest.raises(ValueError):
        identity(cell)


@pytest.mark.parametrize(
    ("cell", "mended"),
    [
        ("'34179178'", True),
        ("1503014.0", True),
        ("1 503 014", True),
        (1503014.0, False),
        ("1503014", False),
        ("0042", False),
    ],
)
def test_a_mended_id_is_told(cell, mended):
    assert bool(identity(cell)[1]) is mended


@pytest.mark.parametrize(
    ("cell", "value"),
    [("5.5", 55000), ("5,5", 55000), ("5½", 55000), ("5 1/2", 55000), ("½", 5000), ("0", 0), (5.5, 55000), (10, 100000), ("10.5", 105000), ("5,25", 52500),
     ("", -1), ("x", None), ("5.5.5", None), (-1.0, None), (True, None)],
)  # fmt: skip
def test_points(cell, value):
    assert points(cell) == value


@pytest.mark.parametrize(("cell", "value"), [("2100", 2100), (2100.0, 2100), ("2100,0", 2100), ("0", 0), ("", 0), ("unr.", 0), ("-", 0), ("1850P", None), ("21000", None), (2100.5, None), ("abc", None)])  # fmt: skip
def test_ratings(cell, value):
    assert rating(cell) == value


@pytest.mark.parametrize(
    ("cell", "value"),
    [("12", 12), (12.0, 12), ("12.", 12), ("12.0", 12), ("", None), ("12a", None), (12.5, None), (-1.0, None)],
)
def test_start_numbers(cell, value):
    assert whole(cell) == value


@pytest.mark.parametrize(
    ("cell", "value"),
    [("m", "m"), ("M", "m"), ("W", "w"), ("F", "w"), ("weiblich", "w"), ("homme", "m"), ("", ""), ("x", None)],
)
def test_sex(cell, value):
    assert sex(cell) == value


@pytest.mark.parametrize(
    ("cell", "value"), [("m", "IM"), ("wf", "WFM"), ("GM", "GM"), ("wgm", "WGM"), ("MI", "IM"), ("", ""), ("NM", "NM")]
)
def test_titles(cell, value):
    assert title(cell) == value


@pytest.mark.parametrize(
    ("cell", "value"),
    [(date(2026, 10, 3), "2026-10-03"), (datetime(2026, 10, 3, 15, 0), "2026-10-03"), (46298.0, "2026-10-03"), ("46298", "2026-10-03"), ("2026/10/03", "2026/10/03"), ("03.10.2026", "03.10.2026")],
)  # fmt: skip
def test_days_and_the_day_numbers_of_spreadsheets(cell, value):
    assert day_text(cell) == value


@pytest.mark.parametrize(
    ("cell", "first", "last"),
    [
        ("2024/05/01 to 2024/05/09", "2024/05/01", "2024/05/09"), ("01.05.2024 bis 09.05.2024", "01.05.2024", "09.05.2024"), ("2024-05-01 - 2024-05-09", "2024-05-01", "2024-05-09"),
        ("1.-9.5.2026", "1.5.2026", "9.5.2026"), ("28.4.-9.5.2026", "28.4.2026", "9.5.2026"), ("01/05/2024-19/05/2024", "01/05/2024", "19/05/2024"),
        ("3-5 October 2026", "3 October 2026", "5 October 2026"), ("3.-5. Oktober 2026", "3. Oktober 2026", "5. Oktober 2026"), ("October 3-5, 2026", "October 3, 2026", "October 5, 2026"),
        ("2024-05-01", "2024-05-01", "2024-05-01"),
    ],
)  # fmt: skip
def test_two_days_in_one_cell(cell, first, last):
    assert day_range(cell) == (first, last)
