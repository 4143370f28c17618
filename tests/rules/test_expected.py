"""PD, the expected score of a rating difference: the printed table (8.1.2) and the formula it was made from."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fide_batch import regulations
from fide_batch.rules.expected import expected_score

TABLE = regulations.edition("fide-2025-10").expected_score
FORMULA = replace(TABLE, method="formula")


@pytest.mark.parametrize(
    ("difference", "hundredths"),
    [
        (0, 50), (3, 50), (4, 51), (10, 51), (11, 52), (53, 57), (54, 58), (91, 62), (92, 63), (98, 63), (99, 64), (100, 64), (197, 75),
        (198, 76), (302, 85), (303, 86), (344, 88), (345, 89), (357, 89), (358, 90), (391, 91), (392, 92), (400, 92), (411, 92), (412, 93),
        (413, 93), (619, 98), (620, 99), (735, 99), (736, 100), (737, 100), (9999, 100),
    ],
)  # fmt: skip
def test_the_table_at_the_edges_of_its_rows(difference, hundredths):
    assert expected_score(difference, TABLE) == hundredths * 100
    assert expected_score(-difference, TABLE) == (100 - hundredths) * 100


@pytest.mark.parametrize(
    ("difference", "expected"), [(0, 5000), (100, 6401), (-100, 3599), (200, 7597), (400, 9091), (-400, 909), (800, 9901), (3000, 10000)]
)  # fmt: skip
def test_the_formula_has_four_decimals(difference, expected):
    assert expected_score(difference, FORMULA) == expected


@given(st.integers(-3000, 3000))
@pytest.mark.parametrize("law", [TABLE, FORMULA], ids=["table", "formula"])
def test_what_two_players_expect_is_one_point(law, difference):
    assert expected_score(difference, law) + expected_score(-difference, law) == 10_000


@given(st.integers(-3000, 3000))
@pytest.mark.parametrize("law", [TABLE, FORMULA], ids=["table", "formula"])
def test_the_stronger_never_expects_less(law, difference):
    assert expected_score(difference + 1, law) >= expected_score(difference, law)


def test_a_column_is_reckoned_like_each_of_its_numbers():
    differences = np.arange(-900, 901)
    column = expected_score(differences, TABLE)
    assert column.tolist() == [int(expected_score(int(each), TABLE)) for each in differences]
