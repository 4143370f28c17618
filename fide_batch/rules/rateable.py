"""Which games count, for whom, and why not."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from fide_batch.model import RESULTS, UNPLAYED
from fide_batch.regulations.edition import Edition


class Side(IntEnum):
    """What a participant is in his event."""

    UNIDENTIFIED = 0
    UNRATED = 1
    """His games go into a first rating."""
    RATED = 2
    DELISTED = 3
    """Rated when the event was played and delisted since: his games have nothing to be added to (reading 5)."""
    NO_LIST = 4
    """The edition has no list of this control."""


class Met(IntEnum):
    """What he is to his opponents."""

    UNIDENTIFIED = 0
    UNRATED = 1
    RATED = 2
    RU = 3
    """Unrated in a closed round robin: his Ru stands for a rating."""


class Kind(IntEnum):
    """What becomes of a player-round."""

    RATED = 0
    RATED_RU = 1
    """Against an unrated participant of a closed round robin."""
    FIRST = 2
    """An unrated player's game that counts; what follows says how far it got."""
    FIRST_USED = 3
    FIRST_WAITS = 4
    FIRST_FEW = 5
    FIRST_HEAD = 6
    FIRST_EXPIRED = 7
    LARGE = 8
    """Not rated by the 600 rule."""
    OPPONENT_UNRATED = 9
    OPPONENT_UNRATED_UNPLAYED = 10
    """... in a round robin that is treated as a Swiss because a game was not played."""
    OPPONENT_UNIDENTIFIED = 11
    UNIDENTIFIED = 12
    DELISTED = 13
    NO_LIST = 14
    HIMSELF = 15
    NO_OPPONENT = 16
    UNKNOWN_OPPONENT = 17
    UNPLAYED = 18
    """The rest of the numbers: not played, one for each letter of ``UNPLAYED``."""


COUNTED = (Kind.RATED, Kind.RATED_RU, Kind.FIRST, Kind.FIRST_USED, Kind.FIRST_WAITS)

UNPLAYED_LETTERS = tuple(UNPLAYED)

_KIND_OF_PAIR = np.array([
    [Kind.UNIDENTIFIED] * 4,
    [Kind.OPPONENT_UNIDENTIFIED, Kind.OPPONENT_UNRATED, Kind.FIRST, Kind.FIRST],
    [Kind.OPPONENT_UNIDENTIFIED, Kind.OPPONENT_UNRATED, Kind.RATED, Kind.RATED_RU],
    [Kind.OPPONENT_UNIDENTIFIED, Kind.OPPONENT_UNRATED, Kind.DELISTED, Kind.DELISTED],
    [Kind.NO_LIST] * 4,
], np.uint8)  # fmt: skip
"""By what the player is (``Side``) and what his opponent is to him (``Met``)."""


def _by_letter(default: int, values: dict[str, int], kind: type) -> np.ndarray:
    column: np.ndarray = np.full(256, default, kind)
    for letter, value in values.items():
        column[ord(letter)] = value
    return column


SCORE = _by_letter(-1, RESULTS, np.int16)
"""What a result scores in ten-thousandths, by the letter's code; -1 for one that was not played."""

_UNPLAYED_KIND = _by_letter(
    Kind.UNPLAYED + UNPLAYED_LETTERS.index("?"), {letter: Kind.UNPLAYED + place for place, letter in enumerate(UNPLAYED)}, np.uint8
)  # fmt: skip


def kinds(entry: np.ndarray, opponent: np.ndarray, result: np.ndarray, side: np.ndarray, met: np.ndarray) -> np.ndarray:
    """What becomes of each player-round before the 600 rule and the first ratings are asked.

    Args:
        entry: the participant whose round it is; ``opponent`` the other one, -1 for none, -2 for one nobody knows.
        result: the letter's code.
        side: for each participant, a ``Side``; ``met``: a ``Met``.

    Returns:
        uint8, a ``Kind`` or ``Kind.UNPLAYED`` plus the place of the letter. The first that applies: not played, no opponent, against himself,
        then who the two are.
    """
    own = (np.asarray(side, np.uint8) * 4)[entry]
    other = np.asarray(met, np.uint8)[np.maximum(opponent, 0)] if len(met) else np.zeros(len(entry), np.uint8)
    kind = _KIND_OF_PAIR.ravel()[own + other]
    kind[opponent == entry] = Kind.HIMSELF
    kind[opponent == -1] = Kind.NO_OPPONENT
    kind[opponent == -2] = Kind.UNKNOWN_OPPONENT
    unplayed = np.flatnonzero(SCORE[result] < 0)
    kind[unplayed] = _UNPLAYED_KIND[result[unplayed]]
    return kind


def reason(kind: int, edition: Edition, control: str) -> str:
    """Why a player-round counts or does not, with the article; the differences of the 400 and 600 rule are told apart by ``difference_reason``."""
    article = edition.articles_of(control)
    if kind >= Kind.UNPLAYED:
        return f"{article.unplayed}: {UNPLAYED[UNPLAYED_LETTERS[kind - Kind.UNPLAYED]]}"
    first, needed = edition.first_rating, edition.first_rating.opponents
    return {
        Kind.RATED: f"{article.expected_score}: rated",
        Kind.RATED_RU: f"{article.round_robin}: opponent unrated, his Ru in this closed round robin counts",
        Kind.FIRST: f"{article.first_rating}: counts for a first rating",
        Kind.FIRST_USED: f"{article.first_rating}: goes into the first rating",
        Kind.FIRST_WAITS: f"{article.first_rating}: waits for a first rating",
        Kind.FIRST_FEW: f"{article.first_rating}: an event needs {needed} games against rated opponents to count for a first rating",
        Kind.FIRST_HEAD: f"{article.first_event}: first event without the score needed, disregarded",
        Kind.FIRST_EXPIRED: f"{article.first_rating}: the event ended more than {first.window_months} months before the list",
        Kind.LARGE: f"{article.large_difference}: not rated",
        Kind.OPPONENT_UNRATED: f"{article.unrated_opponent}: opponent unrated",
        Kind.OPPONENT_UNRATED_UNPLAYED: (
            f"{article.round_robin}: opponent unrated; a round robin with a game not played is treated as a Swiss"
        ),
        Kind.OPPONENT_UNIDENTIFIED: "opponent unidentified",
        Kind.UNIDENTIFIED: "unidentified",
        Kind.DELISTED: f"{article.floor}: unrated since, there is no rating to add to",
        Kind.NO_LIST: f"{edition.name}: no {control} rating list",
        Kind.HIMSELF: f"{article.unplayed}: against himself",
        Kind.NO_OPPONENT: f"{article.unplayed}: no opponent",
        Kind.UNKNOWN_OPPONENT: "opponent unidentified: nobody has this start number",
    }[Kind(kind)]


def difference_reason(
    difference: int, counted: int, law_method: str, exempt: bool, edition: Edition, control: str
) -> str:
    """Why a difference beyond the cap counts as it does."""
    article = edition.articles_of(control).difference
    size = abs(difference)
    if counted != difference:
        return f"{article}: difference {size} counts as {abs(counted)}"
    if exempt:
        return (
            f"{article}: difference {size} counts in full, the own rating is {edition.difference.exempt_from} or more"
        )
    return f"{article}: difference {size} counts in full, another game of the event is the one that counts as {edition.difference.cap}"


def large_reason(difference: int, edition: Edition, control: str) -> str:
    """Why a game is not rated by the 600 rule."""
    law = edition.unrated_difference
    return (
        f"{edition.articles_of(control).large_difference}: difference {abs(difference)}, not rated from {law.from_difference} on"
        f" where a rating is above {law.above_rating}"
    )
