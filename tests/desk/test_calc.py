"""calc: single games and tournaments; the figures are the regulations' own or worked out with the printed table."""

import pytest

from fide_batch import regulations
from fide_batch.desk.calc import calc, read_games, read_score, tournament
from fide_batch.model import Grid, Refused

CLASSIC = regulations.edition("classic")
WON, DRAWN, LOST = 10_000, 5_000, 0


def row(page, who=0):
    (grid,) = [block for block in page.blocks if isinstance(block, Grid)]
    return dict(zip(grid.heads, grid.rows[who], strict=True))


def test_1600_beats_1400_with_k_20():
    page = calc(1600, 1400, WON, 20, edition=CLASSIC)
    assert (row(page)["Expected"], row(page)["Change"], row(page)["New"]) == ("0.76", "+5", "1605")
    assert (row(page, 1)["Expected"], row(page, 1)["Change"], row(page, 1)["New"]) == ("0.24", "-5", "1395")


def test_1500_beats_1600_with_k_32_by_the_logistic_formula():
    page = calc(1500, 1600, WON, 32, "logistic", edition=CLASSIC)
    assert row(page)["Expected"] == "0.3599"
    assert row(page)["Exact new"] == "1520.48" and row(page)["New"] == "1520"
    assert row(page, 1)["Expected"] == "0.6401" and row(page, 1)["Exact new"] == "1579.52"


def test_2600_beats_2700_with_k_10():
    page = calc(2600, 2700, WON, 10, edition=CLASSIC)
    assert row(page)["Exact new"] == "2606.40" and row(page)["New"] == "2606"
    assert page.data["own"]["new_exact"] == 2606.4


@pytest.mark.parametrize(("score", "change"), [(WON, "+7.20"), (DRAWN, "-2.80"), (LOST, "-12.80")])
def test_2000_against_1900_with_k_20(score, change):
    assert row(calc(2000, 1900, score, 20, edition=CLASSIC))["Exact change"] == change


def test_difference_above_400_counts_as_400_and_it_is_said():
    page = calc(2000, 1500, WON, 20, edition=CLASSIC)
    assert row(page)["Expected"] == "0.92"
    assert any("500 counts as 400" in block for block in page.blocks if isinstance(block, str))


def test_a_cap_for_both_sides_is_said_once():
    said = [block for block in calc(1500, 2100, WON, 20, edition=CLASSIC).blocks if isinstance(block, str)]
    assert said == ["The difference of 600 counts as 400 (the 400-point rule)."]


def test_a_cap_for_one_side_says_for_whom():
    law = regulations.edition("fide-2025-10")
    said = [block for block in calc(2813, 2400, WON, 10, edition=law).blocks if isinstance(block, str)]
    assert len(said) == 1 and "413 counts as 400 for 2400" in said[0]


def test_exactly_400_is_no_cap():
    assert len(calc(1900, 1500, WON, 20, edition=CLASSIC).blocks) == 1


def test_2650_player_is_not_helped_from_2025_10():
    law = regulations.edition("fide-2025-10")
    page = calc(2813, 2400, WON, 10, edition=law)
    assert row(page)["Expected"] == "0.93" and row(page, 1)["Expected"] == "0.08"


def test_logistic_knows_no_cap():
    page = calc(2400, 1600, WON, 10, "logistic", edition=CLASSIC)
    assert row(page)["Expected"] == "0.9901"


@pytest.mark.parametrize(
    ("own", "opponent", "score", "abandoned", "after"),
    [
        (800, 800, WON, False, ("820", "780")),
        (800, 800, LOST, False, ("780", "820")),
        (800, 810, DRAWN, False, ("800", "810")),
        (800, 800, LOST, True, ("765", "820")),
        (800, 800, WON, True, ("820", "765")),
        (20, 800, LOST, False, ("0", "820")),
        (19, 800, LOST, False, ("0", "820")),
        (34, 800, LOST, True, ("0", "820")),
        (36, 800, LOST, True, ("1", "820")),
    ],
)  # fmt: skip
def test_counter(own, opponent, score, abandoned, after):
    page = calc(own, opponent, score, formula="counter", edition=CLASSIC, abandoned=abandoned)
    assert (row(page)["New"], row(page, 1)["New"]) == after


def test_abandoned_needs_somebody_who_lost():
    with pytest.raises(Refused):
        calc(800, 800, DRAWN, formula="counter", edition=CLASSIC, abandoned=True)
    with pytest.raises(Refused):
        calc(1800, 1800, LOST, formula="table", edition=CLASSIC, abandoned=True)


def test_performance_of_four_and_a_half_from_six():
    games = [(1150, WON), (1490, WON), (1260, WON), (1420, WON), (1510, DRAWN), (1580, LOST)]
    page = tournament(1500, games, edition=CLASSIC)
    assert (page.data["rc"], page.data["rp"]) == (1402, 1595)


def test_tournament_of_seven_games_by_the_rules_of_2022_and_of_2024():
    """A player's published calculation of 2022/23: one upgrade gives -12.2, every upgrade -8.4."""
    games = [(1063, WON), (1299, WON), (1413, WON), (1872, DRAWN), (1851, LOST), (1427, WON), (1682, WON)]
    assert tournament(2000, games, 20, edition=regulations.edition("fide-2022-01")).data["change_exact"] == -12.2
    assert tournament(2000, games, 20, edition=regulations.edition("fide-2024-03")).data["change_exact"] == -8.4


@pytest.mark.parametrize(("score", "k", "change"), [(WON, 25, 13), (LOST, 25, -13)])
def test_whole_event_is_rounded_once_half_away_from_zero(score, k, change):
    """Equal players, one game: 12.5 and -12.5."""
    page = tournament(1600, [(1600, score)], k, edition=CLASSIC)
    assert (page.data["change_exact"], page.data["change"]) == (12.5 if change > 0 else -12.5, change)


def test_rounding_is_of_the_sum_not_of_the_games():
    """Two draws against a player 4 points lower are -0.2 each with K 20: 0 in all, as each alone; five of them are -1."""
    assert tournament(1604, [(1600, DRAWN)] * 5, 20, edition=CLASSIC).data["change"] == -1
    assert tournament(1604, [(1600, DRAWN)] * 2, 20, edition=CLASSIC).data["change"] == 0


@pytest.mark.parametrize(("games", "k"), [(17, 40), (18, 38), (35, 20), (36, 19)])
def test_k_times_games_is_at_most_700_from_2022(games, k):
    asked = 40 if games < 30 else 20
    assert tournament(1600, [(1600, WON)] * games, asked, edition=regulations.edition("fide-2024-03")).data["k"] == k
    assert tournament(1600, [(1600, WON)] * games, asked, edition=CLASSIC).data["k"] == asked


def test_tournament_by_counter_walks_from_game_to_game():
    assert tournament(30, [(800, LOST), (800, LOST), (800, WON)], formula="counter", edition=CLASSIC).data["new"] == 20


@pytest.mark.parametrize("text", ["1", "½", "=", "0.5", "0,5", "1/2", "0"])
def test_scores_as_people_write_them(text):
    assert read_score(text) in (0, 5_000, 10_000)


@pytest.mark.parametrize("text", ["2", "-1", "", "0.7", "x"])
def test_what_is_no_score(text):
    with pytest.raises(Refused):
        read_score(text)


def test_games_from_text():
    assert read_games("# round by round\n1600 | 1\n\n1550 | ½  # long\n1700;0\n") == [
        (1600, WON),
        (1550, DRAWN),
        (1700, LOST),
    ]


def test_every_faulty_line_is_named():
    with pytest.raises(Refused) as refused:
        read_games("1600 | 1\nabc | 1\n1500 | 2\n1400\n", "games.txt")
    assert [(problem.file, problem.line) for problem in refused.value.problems] == [
        ("games.txt", 2),
        ("games.txt", 3),
        ("games.txt", 4),
    ]


def test_no_games_at_all():
    with pytest.raises(Refused):
        read_games("\n# nothing\n")


@pytest.mark.parametrize(("own", "opponent"), [(0, 1500), (1500, 0), (-3, 1500), (1500, 40_000)])
def test_what_is_no_rating(own, opponent):
    with pytest.raises(Refused):
        calc(own, opponent, WON, edition=CLASSIC)
