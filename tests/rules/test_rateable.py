"""Which player-rounds count: who plays whom, and games that were none."""

import numpy as np
import pytest

from fide_batch import regulations
from fide_batch.rules.rateable import UNPLAYED_LETTERS, Kind, Met, Side, kinds, reason


def kind(opponent, result, side=Side.RATED, met=Met.RATED):
    """Of the first of two participants."""
    sides, mets = np.array([side, Side.RATED]), np.array([Met.RATED, met])
    return int(kinds(np.array([0]), np.array([opponent]), np.array([ord(result)]), sides, mets)[0])


@pytest.mark.parametrize(
    ("opponent", "expected"), [(1, Kind.RATED), (0, Kind.HIMSELF), (-1, Kind.NO_OPPONENT), (-2, Kind.UNKNOWN_OPPONENT)]
)
@pytest.mark.parametrize("result", "1=0")
def test_a_game_needs_somebody_else(opponent, expected, result):
    assert kind(opponent, result) == expected


@pytest.mark.parametrize("opponent", [1, 0, -1, -2])
@pytest.mark.parametrize("result", UNPLAYED_LETTERS)
def test_a_game_that_was_not_played_is_none_whoever_the_opponent(opponent, result):
    assert kind(opponent, result) == Kind.UNPLAYED + UNPLAYED_LETTERS.index(result)


def test_any_other_letter_is_no_result():
    assert kind(1, "x") == kind(1, "?")


@pytest.mark.parametrize(
    ("side", "met", "expected"),
    [
        (Side.UNIDENTIFIED, Met.RATED, Kind.UNIDENTIFIED), (Side.UNIDENTIFIED, Met.UNIDENTIFIED, Kind.UNIDENTIFIED),
        (Side.UNRATED, Met.UNIDENTIFIED, Kind.OPPONENT_UNIDENTIFIED), (Side.UNRATED, Met.UNRATED, Kind.OPPONENT_UNRATED),
        (Side.UNRATED, Met.RATED, Kind.FIRST), (Side.UNRATED, Met.RU, Kind.FIRST),
        (Side.RATED, Met.UNIDENTIFIED, Kind.OPPONENT_UNIDENTIFIED), (Side.RATED, Met.UNRATED, Kind.OPPONENT_UNRATED),
        (Side.RATED, Met.RATED, Kind.RATED), (Side.RATED, Met.RU, Kind.RATED_RU),
        (Side.DELISTED, Met.UNIDENTIFIED, Kind.OPPONENT_UNIDENTIFIED), (Side.DELISTED, Met.UNRATED, Kind.OPPONENT_UNRATED),
        (Side.DELISTED, Met.RATED, Kind.DELISTED), (Side.DELISTED, Met.RU, Kind.DELISTED),
        (Side.NO_LIST, Met.RATED, Kind.NO_LIST), (Side.NO_LIST, Met.UNIDENTIFIED, Kind.NO_LIST), (Side.NO_LIST, Met.RU, Kind.NO_LIST),
    ],
)  # fmt: skip
def test_who_plays_whom(side, met, expected):
    assert kind(1, "1", side, met) == expected


def test_each_kind_has_words_of_its_own():
    edition = regulations.edition("classic")
    words = {each: reason(each, edition, "standard").rpartition(": ")[2] for each in Kind if each is not Kind.UNPLAYED}
    assert len(words) == len(set(words.values())) == 18
    told = (words[Kind.HIMSELF], words[Kind.NO_OPPONENT], words[Kind.UNKNOWN_OPPONENT], words[Kind.RATED])
    assert told == ("against himself", "no opponent", "nobody has this start number", "rated")
