"""The two tables of the regulations, against official values kept here and against the whole tables where they are at hand."""

import json
import os
from pathlib import Path

import pytest

from fide_batch import regulations

SHARED = Path(os.environ.get("FIDE_BATCH_SHARED", Path(__file__).parents[3] / "shared"))

# D, the expected score of the higher rated in hundredths: both ends of some rows of table 8.1.2.
PD = [
    (0, 50), (3, 50), (4, 51), (10, 51), (11, 52), (17, 52), (25, 53), (26, 54), (46, 56), (92, 63), (98, 63), (99, 64), (122, 67), (197, 75),
    (198, 76), (245, 80), (246, 81), (328, 87), (329, 88), (344, 88), (345, 89), (357, 89), (358, 90), (374, 90), (375, 91), (391, 91), (392, 92),
    (400, 92), (411, 92), (412, 93), (413, 93), (432, 93), (433, 94), (456, 94), (484, 95), (517, 96), (559, 97), (560, 98), (619, 98), (620, 99),
    (735, 99), (736, 100), (1500, 100),
]  # fmt: skip

# p in hundredths, D(p), of table 8.1.1.
DP = [
    (0, -800),
    (1, -677),
    (10, -366),
    (40, -72),
    (49, -7),
    (50, 0),
    (51, 7),
    (57, 50),
    (60, 72),
    (75, 193),
    (90, 366),
    (92, 401),
    (99, 677),
    (100, 800),
]


@pytest.fixture(params=regulations.names())
def edition(request):
    return regulations.edition(request.param)


def expected(edition, difference):
    [score] = [pd for low, high, pd in edition.expected_score.table if low <= difference <= high]
    return score


@pytest.mark.parametrize(("difference", "score"), PD)
def test_expected_score_of_a_difference(edition, difference, score):
    assert expected(edition, difference) == score


@pytest.mark.parametrize(("p", "d"), DP)
def test_difference_of_a_fractional_score(edition, p, d):
    assert edition.performance[p] == d


def test_the_table_of_expected_scores_has_the_51_rows_of_the_handbook(edition):
    assert len(edition.expected_score.table) == 51
    assert [score for _, _, score in edition.expected_score.table] == list(range(50, 101))


def test_the_table_of_performances_has_a_value_for_each_hundredth_and_is_its_own_mirror(edition):
    assert len(edition.performance) == 101
    assert [-d for d in reversed(edition.performance)] == list(edition.performance)


@pytest.mark.skipif(
    not SHARED.is_dir(), reason=f"the folder of facts {SHARED} is not here (FIDE_BATCH_SHARED names it)"
)
class TestWholeTables:
    def test_pd(self, edition):
        printed = json.loads((SHARED / "regulations" / "pd_table.json").read_text())
        rows = [(low, 9999 if high is None else high, higher) for low, high, higher, _ in printed]
        assert [(low, high, f"{score / 100:.2f}") for low, high, score in edition.expected_score.table] == rows

    def test_dp(self, edition):
        printed = json.loads((SHARED / "regulations" / "dp_table.json").read_text())
        assert {f"{p / 100:.2f}": d for p, d in enumerate(edition.performance)} == printed
