"""A single game or a tournament on the back of an envelope: what it does to the players' ratings.

Three ways to count. ``table`` is FIDE's: the expected score from the edition's table, differences capped as it says. ``logistic`` is the formula the
table was made from, E = 1/(1 + 10^(-D/400)), for any difference. ``counter`` knows no ratings at all: so many points up for a win, down for a loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fide_batch import words
from fide_batch.model import POINT, Grid, Page, Problem, Refused
from fide_batch.regulations.edition import Edition
from fide_batch.rules.change import half_away_from_zero, half_up, period_change, rating_change, rounded_change
from fide_batch.rules.difference import counted_difference, not_rated_by_difference, one_upgrade
from fide_batch.rules.expected import expected_score

FORMULAS = ("table", "logistic", "counter")

COUNTER_START = 800
COUNTER_WIN = 20
COUNTER_ABANDONED = 15
"""What the one who walked away loses beside the game."""

_LARGEST = 1_000_000
"""Bytes a file of games may have."""

_SCORES = {
    "1": POINT, "1.0": POINT, "1,0": POINT, "w": POINT, "win": POINT, "0": 0, "0.0": 0, "0,0": 0, "l": 0, "loss": 0,
    "0.5": POINT // 2, "0,5": POINT // 2, ".5": POINT // 2, ",5": POINT // 2, "½": POINT // 2, "=": POINT // 2, "1/2": POINT // 2,
    "d": POINT // 2, "draw": POINT // 2,
}  # fmt: skip


@dataclass(frozen=True)
class Side:
    """One player's side of a game; scores and changes in ten-thousandths."""

    before: int
    score: int
    expected: int | None
    change_exact: int
    change: int
    counted_difference: int | None = None

    @property
    def after_exact(self) -> int:
        """The new rating before it is rounded."""
        return self.before * POINT + self.change_exact

    @property
    def after(self) -> int:
        """The new rating."""
        return self.before + self.change


def read_score(text: str) -> int:
    """A score as people write it (``1``, ``0,5``, ``½``, ``=``, ``0``) in ten-thousandths.

    Raises:
        Refused: for anything else.
    """
    score = _SCORES.get(text.strip().lower())
    if score is None:
        raise Refused(
            Problem(
                "usage", "error", "", None, None, f"{text!r} is no score; expected 1, 0.5 (or ½, =) or 0", "write what the player scored"
            )
        )  # fmt: skip
    return score


def read_games(text: str, file: str = "") -> list[tuple[int, int]]:
    """A tournament as text, ``opponent | score`` a line: ratings, and scores in ten-thousandths. Empty lines and ``#`` are passed over.

    Raises:
        Refused: with every line that is no game.
    """
    games: list[tuple[int, int]] = []
    faults: list[Problem] = []

    def fault(line: int, message: str, source: str, column: int = 1) -> None:
        faults.append(
            Problem("calc-line", "error", file, line, column, message, "write a line a game: 1600 | 1", source[:200])
        )

    for line, source in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        said = source.partition("#")[0].strip()
        if not said:
            continue
        parts = [
            part.strip()
            for part in (said.split("|") if "|" in said else said.replace(";", " ").replace("\t", " ").split())
        ]
        if len(parts) != 2:
            fault(line, f"{said[:60]!r}: expected an opponent's rating and a score, opponent | score", source)
            continue
        rating, score = parts[0], _SCORES.get(parts[1].lower())
        if not rating.isascii() or not rating.isdigit() or not 1 <= int(rating[:6]) <= 4000 or len(rating) > 4:
            fault(line, f"{rating[:60]!r} is no rating; expected a whole number from 1 to 4000", source)
        elif score is None:
            fault(
                line,
                f"{parts[1][:60]!r} is no score; expected 1, 0.5 (or ½, =) or 0",
                source,
                source.find(parts[1]) + 1,
            )
        else:
            games.append((int(rating), score))
    if not games and not faults:
        fault(1, "no game in it; expected a line a game, opponent | score", "")
    if faults:
        raise Refused(*faults)
    return games


def _games_of(path: Path) -> list[tuple[int, int]]:
    """The games of a file."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise OSError(f"more than {_LARGEST:,} bytes")
        return read_games(data.decode("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(
            Problem(
                "calc-file", "error", str(path), None, None, f"the games cannot be read: {reason}", "give a text file with a line a game: 1600 | 1"
            )
        ) from None  # fmt: skip


def calc(
    own: int, opponent: int, score: int | str, k: int = 20, formula: str = "table", *, edition: Edition, control: str = "standard",
    opponent_k: int | None = None, abandoned: bool = False,
) -> Page:  # fmt: skip
    """A single game.

    Args:
        own: rating (``counter``: points).
        opponent: likewise.
        score: own, in ten-thousandths or as people write it.
        k: of both players.
        formula: one of ``FORMULAS``.
        edition: the table and the 400 rule.
        control: the 400 and 600 rules differ by it.
        opponent_k: where the opponent has another.
        abandoned: ``counter`` only: the loser walked away.

    Returns:
        expected scores, changes and new ratings of both; ``data`` holds ``own`` and ``opponent``.

    Raises:
        Refused: for a rating or formula that is none, or an abandoned game nobody lost.
    """
    score = read_score(score) if isinstance(score, str) else score
    _sensible(own, opponent, formula)
    notes: list[str] = []
    if abandoned and (formula != "counter" or score not in (0, POINT)):
        raise Refused(
            Problem("usage", "error", "", None, None, "--abandoned needs --formula counter and a game somebody lost", "give the score 0 or 1")
        )  # fmt: skip
    if formula == "counter":
        sides = _counted(own, opponent, score, abandoned)
        notes.append(
            f"A win is {COUNTER_WIN} points up, a loss {COUNTER_WIN} down, a draw nothing"
            f"{f', walking away a further {COUNTER_ABANDONED} down' if abandoned else ''}; never below 0. New players start with {COUNTER_START}."
        )
    else:
        sides = _rated(own, opponent, score, k, opponent_k or k, formula, edition, control, notes)
    rows = []
    for name, side in zip(("own", "opponent"), sides, strict=True):
        rows.append((
            name, str(side.before), words.score_text(side.score), words.points(side.expected), _decimal(side.change_exact, True),
            words.signed(side.change), _decimal(side.after_exact), str(side.after),
        ))  # fmt: skip
    heads = ("", "Before", "Score", "Expected", "Exact change", "Change", "Exact new", "New")
    places = [
        place
        for place in range(len(heads))
        if formula != "counter" or heads[place] not in ("Expected", "Exact change", "Exact new")
    ]
    grid = Grid(
        tuple(heads[place] for place in places), tuple(tuple(row[place] for place in places) for row in rows), frozenset(heads[1:])
    )  # fmt: skip
    data = {
        "formula": formula,
        "k": None if formula == "counter" else k,
        "own": _side_data(sides[0]),
        "opponent": _side_data(sides[1]),
    }
    return Page(f"{own} against {opponent}, {words.score_text(score)}", (grid, *notes), data)


def _sensible(own: int, opponent: int, formula: str) -> None:
    faults = []
    if formula not in FORMULAS:
        faults.append(
            Problem(
                "usage", "error", "", None, None, f"no formula {formula!r}", f"expected one of {', '.join(FORMULAS)}"
            )
        )
    least = 0 if formula == "counter" else 1
    for who, rating in (("own", own), ("opponent", opponent)):
        if not least <= rating <= 100_000 or (formula != "counter" and rating > 4000):
            faults.append(
                Problem("usage", "error", "", None, None, f"{who} rating {rating}; expected {least} to 4000", "give the rating as a whole number")
            )  # fmt: skip
    if faults:
        raise Refused(*faults)


def _counted(own: int, opponent: int, score: int, abandoned: bool) -> tuple[Side, Side]:
    def side(before: int, scored: int) -> Side:
        change = {POINT: COUNTER_WIN, 0: -COUNTER_WIN}.get(scored, 0)
        if abandoned and scored == 0:
            change -= COUNTER_ABANDONED
        change = max(change, -before)
        return Side(before, scored, None, change * POINT, change)

    return side(own, score), side(opponent, POINT - score)


def _rated(
    own: int, opponent: int, score: int, k: int, opponent_k: int, formula: str, edition: Edition, control: str, notes: list[str]
) -> tuple[Side, Side]:  # fmt: skip
    law = _law(edition, formula)
    if formula == "table" and not_rated_by_difference(
        own - opponent, own, opponent, control, edition.unrated_difference
    ):
        notes.append(
            f"By edition {edition.name} this game is not rated: a difference of {edition.unrated_difference.from_difference} or more with a"
            f" rating above {edition.unrated_difference.above_rating} ({edition.articles.large_difference})."
        )
        return Side(own, score, None, 0, 0), Side(opponent, POINT - score, None, 0, 0)
    sides, capped = [], []
    for before, other, scored, factor in ((own, opponent, score, k), (opponent, own, POINT - score, opponent_k)):
        difference = before - other
        # A single game is the event's largest difference: where one game an event is upgraded, it is this one.
        counted = (
            difference
            if formula == "logistic"
            else int(counted_difference(difference, before, control, edition.difference, True))
        )
        expected = int(expected_score(counted, law.expected_score))
        exact = int(period_change(rating_change(scored, expected), factor))
        sides.append(Side(before, scored, expected, exact, int(rounded_change(exact)), counted))
        if counted != difference:
            capped.append((abs(counted), f" for {before}"))
    for counted in dict.fromkeys(counted for counted, _ in capped):
        whom = [who for size, who in capped if size == counted]
        notes.append(
            f"The difference of {abs(own - opponent)} counts as {counted}{whom[0] if len(whom) == 1 else ''} ({edition.articles.difference})."
        )
    return sides[0], sides[1]


def _law(edition: Edition, formula: str) -> Edition:
    if formula != "logistic":
        return edition
    return replace(edition, expected_score=replace(edition.expected_score, method="formula"))


def tournament(
    own: int, games: Sequence[tuple[int, int]] | Path, k: int = 20, formula: str = "table", *, edition: Edition, control: str = "standard"
) -> Page:  # fmt: skip
    """A tournament: every game's share, the change of the whole event rounded once, and the performance.

    Args:
        own: rating (``counter``: points).
        games: opponents' ratings and scores in ten-thousandths, in the order of rounds; or a file of them (see ``read_games``).
        k: the K-factor; lowered as the edition says when there are too many games for it.
        formula: one of ``FORMULAS``.
        edition: the table, the 400 rule, D(p), and the bound of K times n.
        control: the rules differ by it.

    Raises:
        Refused: for a rating or formula that is none, or no game at all.
    """
    if isinstance(games, Path):
        games = _games_of(games)
    if not games:
        raise Refused(Problem("usage", "error", "", None, None, "no game", "give at least one line: opponent | score"))
    for opponent, _ in games:
        _sensible(own, opponent, formula)
    if formula == "counter":
        return _counted_tournament(own, games)
    law, notes = _law(edition, formula), []
    opponents = np.array([opponent for opponent, _ in games], np.int64)
    scores = np.array([score for _, score in games], np.int64)
    difference = own - opponents
    counted, rated = difference, np.ones(len(games), bool)
    if formula == "table":
        rated = ~not_rated_by_difference(difference, own, opponents, control, edition.unrated_difference)
        upgraded = one_upgrade(np.where(rated, difference, 0), np.zeros(len(games), np.int64), edition.difference)
        counted = counted_difference(difference, np.full(len(games), own), control, edition.difference, upgraded)
    expected = expected_score(counted, law.expected_score)
    chg = np.where(rated, rating_change(scores, expected), 0)
    n = int(rated.sum())
    product = edition.k_factor(control).product if formula == "table" else 0
    if product and n and k * n > product:
        notes.append(
            f"K {k} times {n} games is more than {product}: K {product // n} is used ({edition.articles.k_product})."
        )
        k = product // n
    exact = int(period_change(int(chg.sum()), k))
    change = int(rounded_change(exact))
    if not rated.all():
        notes.append(
            f"- not rated: a difference of {edition.unrated_difference.from_difference} or more ({edition.articles.large_difference})."
        )
    if (counted != difference).any():
        notes.append(f"* counts as {edition.difference.cap} ({edition.articles.difference}).")
    heads = ("Game", "Opponent", "Score", "D", "Counted", "PD", "chg", "K*chg")
    rows = tuple(
        (
            str(place), str(opponents[place - 1]), words.score_text(int(scores[place - 1])), str(difference[place - 1]),
            "-" if not rated[place - 1] else f"{'*' if counted[place - 1] != difference[place - 1] else ''}{counted[place - 1]}",
            words.points(int(expected[place - 1])) if rated[place - 1] else "", words.signed_points(int(chg[place - 1])),
            _decimal(int(chg[place - 1]) * k, True),
        )
        for place in range(1, len(games) + 1)
    )  # fmt: skip
    rc, rp = _performance([int(each) for each in opponents], int(scores.sum()), edition)
    w, e = int(scores[rated].sum()), int(expected[rated].sum())
    total = (
        f"Score {words.points(w)}, expected {words.points(e)} in {words.count_text(n, 'game')}: {words.signed_points(w - e)} times K {k} is"
        f" {_decimal(exact, True)}, rounded once: {words.signed(change)}. {own} becomes {own + change}."
    )
    data = {
        "formula": formula, "k": k, "own": own, "games": n, "score": words.decimal(w), "expected": words.decimal(e),
        "change_exact": exact / POINT, "change": change, "new": own + change, "rc": rc, "rp": rp,
    }  # fmt: skip
    return Page(
        f"{own} in a tournament of {words.count_text(len(games), 'game')}",
        (
            Grid(heads, rows, frozenset(heads) - {"Score"}),
            *notes,
            total,
            f"Average of the opponents Rc {rc}, performance Rp {rp}.",
        ),
        data,
    )


def _performance(opponents: Sequence[int], score: int, edition: Edition) -> tuple[int, int]:
    """Rc rounded, half up, and Rp."""
    from fide_batch.rules.performance import performance_rating

    return int(half_up(sum(opponents), len(opponents))), int(performance_rating(opponents, score, edition.performance))


def _counted_tournament(own: int, games: Sequence[tuple[int, int]]) -> Page:
    standing, rows = own, []
    for place, (opponent, score) in enumerate(games, 1):
        side = _counted(standing, opponent, score, False)[0]
        rows.append((str(place), str(opponent), words.score_text(score), words.signed(side.change), str(side.after)))
        standing = side.after
    heads = ("Game", "Opponent", "Score", "Change", "Points")
    return Page(
        f"{own} points and {words.count_text(len(games), 'game')}",
        (Grid(heads, tuple(rows), frozenset(heads) - {"Score"}), f"{own} becomes {standing}."),
        {"formula": "counter", "own": own, "games": len(games), "change": standing - own, "new": standing},
    )


def _decimal(value: int, signed: bool = False) -> str:
    """Ten-thousandths with two decimals, a half away from zero: ``1520.48``, ``+4.80``."""
    return (words.signed_points if signed else words.points)(
        int(half_away_from_zero(value, POINT // 100)) * (POINT // 100)
    )


def _side_data(side: Side) -> dict[str, Any]:
    return {
        "before": side.before, "score": words.decimal(side.score), "expected": words.decimal(side.expected),
        "change_exact": side.change_exact / POINT, "change": side.change, "new_exact": side.after_exact / POINT, "new": side.after,
    }  # fmt: skip
