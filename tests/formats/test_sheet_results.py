"""The words for results in games and cross tables."""

import pytest

from fide_batch.formats.sheet_results import Cross, cross, game


@pytest.mark.parametrize(
    ("written", "letters"),
    [
        ("1-0", "10"), ("0-1", "01"), ("½-½", "=="), ("1/2-1/2", "=="), ("0.5-0.5", "=="), ("0,5:0,5", "=="), ("1:0", "10"), ("0 : 1", "01"),
        ("1–0", "10"), ("0—1", "01"), ("1 - 0", "10"), ("½ - ½", "=="), ("=", "=="), ("=-=", "=="), ("r", "=="), ("remis", "=="), ("Remis", "=="),
        ("1", "10"), ("0", "01"), ("0.5", "=="), ("0,5", "=="), ("½", "=="), ("0-0", "00"), ("½-0", "=0"),
        ("+--", "+-"), ("--+", "-+"), ("+ - -", "+-"), ("- - +", "-+"), ("+-", "+-"), ("-+", "-+"), ("+:-", "+-"), ("+/-", "+-"), ("---", "--"), ("-:-", "--"),
        ("1-0F", "+-"), ("0-1F", "-+"), ("1-0 ff", "+-"), ("1F-0F", "+-"), ("0F-0F", "--"), ("1:0 K", "+-"), ("1:0 kampflos", "+-"), ("0-1 K", "-+"),
        ("*", "**"), ("?", "**"), ("", ""),
    ],
)  # fmt: skip
def test_a_game(written, letters):
    assert game(written) == letters


@pytest.mark.parametrize("written", ["2-0", "10", "1-1", "won", "1.5", "0-2", "½-½F", "01-Feb", "1-0-1", "e4"])
def test_what_is_no_result_is_not_guessed(written):
    """An unknown text is an error and not a loss (a result text that was never met must not score 0)."""
    assert game(written) is None


@pytest.mark.parametrize(
    ("written", "cell"),
    [
        ("12w1", (12, "w", "1")), ("5b½", (5, "b", "=")), ("40s0", (40, "s", "0")), ("7w+", (7, "w", "+")), ("7b-", (7, "b", "-")),
        ("12W1", (12, "w", "1")), ("12 w 1", (12, "w", "1")), ("5b0,5", (5, "b", "=")), ("5b0.5", (5, "b", "=")), ("5b=", (5, "b", "=")), ("5n½", (5, "n", "=")),
        ("5b1/2", (5, "b", "=")), ("12w1K", (12, "w", "+")), ("12w0K", (12, "w", "-")), ("12w1F", (12, "w", "+")), ("9b½K", (9, "b", "D")),
        ("12w", (12, "w", "?")), ("12w*", (12, "w", "?")), ("12w?", (12, "w", "?")),
        ("12+", (12, "", "+")), ("12/1", (12, "", "1")), ("12=", (12, "", "=")),
        ("-1", (0, "", "U")), ("-½", (0, "", "H")), ("-0", (0, "", "Z")), ("-0.5", (0, "", "H")), ("–1", (0, "", "U")), ("−½", (0, "", "H")),
        ("H", (0, "", "H")), ("f", (0, "", "F")), ("U", (0, "", "U")), ("z", (0, "", "Z")), ("bye", (0, "", "U")), ("spielfrei", (0, "", "U")),
        ("+", (0, "", "U")), ("0w+", (0, "", "U")),
        ("", (0, "", " ")), ("0", (0, "", " ")), ("-", (0, "", " ")), ("--", (0, "", " ")), ("not paired", (0, "", " ")),
    ],
)  # fmt: skip
def test_a_cell_of_a_cross_table(written, cell):
    assert cross(written) == Cross(*cell)


@pytest.mark.parametrize(
    "written", ["1", "12", "w1", "12w2", "12x1", "12w1w", "12w1.5", "120", "won", "12w--", "2026-12-01", "12q1"]
)
def test_an_unknown_cell_is_not_guessed(written):
    assert cross(written) is None
