"""How a first rating came about, step by step: Ra, p, the bonus or D(p), Ru of each event, and Rn."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.model import Grid, points_text
from fide_batch.regulations.edition import Edition
from fide_batch.rules import first_rating as first
from fide_batch.rules.change import half_away_from_zero
from fide_batch.rules.round_robin import RoundRobin

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Result:
    """What a newcomer scored against rated opponents in one event."""

    event: str
    opponents: tuple[int, ...]
    score: int
    earlier: bool = False
    """From an earlier month."""
    closed: RoundRobin | None = None
    """What the formula of a closed round robin needs; None for a Swiss."""

    @property
    def games(self) -> int:
        """Against rated opponents."""
        return len(self.opponents)

    @property
    def total(self) -> int:
        """Sum of the opponents' ratings."""
        return sum(self.opponents)

    def ru(self, edition: Edition) -> Fraction:
        """Ru by itself, exact."""
        if self.closed:
            return self.closed.ru(self.score, self.games, edition.performance)
        tenths = first.weighted_ru(self.total, self.score, self.games, edition.first_rating, edition.performance)
        return Fraction(int(tenths), first.TENTHS * self.games)


def results_of(
    events: Sequence[Row], games: Sequence[Row], kept: Sequence[Row], edition: Edition, closed: Callable[[str], Sequence[Row]] | None = None
) -> list[Result]:  # fmt: skip
    """A newcomer's results of a month and those kept from earlier ones.

    Args:
        events: his rows of EVENTS.
        games: his rows of GAMES.
        kept: his rows of KEPT of the month before.
        edition: for the formula of closed round robins.
        closed: all rows of GAMES of an event by its name, when this month's result came from a closed round robin.
    """
    found = [
        Result(row["event"], tuple(row["opponents"]), sum(row["scores"]), True, _kept_formula(row, edition))
        for row in kept
        if row["opponents"] or row["round_robin_rated"]
    ]
    for event in events:
        own = [
            game for game in games if game["event"] == event["event"] and game["counted"] and game["score"] is not None
        ]
        if event["own_rating"] is None and own:
            formula = _formula(closed(event["event"]), edition) if closed else None
            opponents = tuple(game["opponent_rating"] or 0 for game in own)
            found.append(Result(event["event"], opponents, sum(game["score"] for game in own), False, formula))
    return found


def of_change(
    change: Row, events: Sequence[Row], games: Sequence[Row], kept: Sequence[Row], edition: Edition, all_games: Callable[[str], Sequence[Row]] | None
) -> list[str | Grid]:  # fmt: skip
    """The steps of a change, from the player's rows of a month and of KEPT of the month before; none where it is no first rating."""
    if change["status"] != "first-rating":
        return []
    closed = all_games if "closed round robin" in change["why"] else None
    return steps(results_of(events, games, kept, edition, closed), edition, change["rating_after"])


def of_month(
    tables: Mapping[str, pa.Table], kept: pa.Table, edition: Edition
) -> dict[tuple[int, str], list[str | Grid]]:
    """The steps of every first rating of a month by player and control; ``kept`` is KEPT of the month before."""
    changes = (
        tables["changes"].filter(pc.equal(tables["changes"]["status"].cast(pa.string()), "first-rating")).to_pylist()
    )
    players = pa.array([change["fideid"] for change in changes], pa.int64())
    own: dict[str, dict[int, list[Row]]] = {}
    for name, source in (("events", tables["events"]), ("games", tables["games"]), ("kept", kept)):
        for row in source.filter(pc.is_in(source["fideid"], players)).to_pylist():
            own.setdefault(name, {}).setdefault(row["fideid"], []).append(row)

    @functools.cache
    def all_games(event: str) -> list[Row]:
        rows: list[Row] = (
            tables["games"].filter(pc.equal(tables["games"]["event"].cast(pa.string()), event)).to_pylist()
        )
        return rows

    def of(name: str, change: Row) -> list[Row]:
        rows = own.get(name, {}).get(change["fideid"], [])
        return rows if name == "games" else [row for row in rows if row["control"] == change["control"]]

    return {
        (change["fideid"], change["control"]): of_change(
            change, of("events", change), of("games", change), of("kept", change), edition, all_games
        )
        for change in changes
    }


def _kept_formula(row: Row, edition: Edition) -> RoundRobin | None:
    if not row["round_robin_rated"]:
        return None
    return RoundRobin(
        tuple(row["round_robin_rated"]),
        tuple(row["round_robin_dp"]),
        row["round_robin_games"] or 0,
        edition.first_rating.bonus,
    )


def _formula(games: Sequence[Row], edition: Edition) -> RoundRobin | None:
    """What the formula needs, from all games of a closed round robin."""
    played = [game for game in games if game["score"] is not None and game["fideid"]]
    ratings = {game["fideid"]: game["own_rating"] for game in played}
    rated = sorted(code for code, rating in ratings.items() if rating)
    if not rated or len(rated) == len(ratings):
        return None
    scores = [[game["score"] for game in played if game["fideid"] == code] for code in rated]
    dp = tuple(edition.performance[first.percentage(sum(score), len(score))] for score in scores)
    return RoundRobin(tuple(ratings[code] for code in rated), dp, len(ratings) - 1, edition.first_rating.bonus)


def steps(results: Sequence[Result], edition: Edition, published: int | None) -> list[str | Grid]:
    """The reckoning as blocks of a page; none when it does not lead to the rating that was published (then another rule had its say)."""
    law, table = edition.first_rating, edition.performance
    games, score, total = (sum(getattr(result, name) for result in results) for name in ("games", "score", "total"))
    if not games or published is None:
        return []
    if law.method == "mean of Ru" or any(result.closed for result in results):
        if law.method != "mean of Ru" and len(results) > 1:
            return []
        rn = sum(result.games * result.ru(edition) for result in results) / games
        rounded = int(first.at_most_highest(half_away_from_zero(rn, 1), law))
        return _mean_of_ru(results, edition, rn, games, published) if rounded == published else []
    if int(first.rn(0, total, score, games, law, table)) != published:
        return []
    return (
        _pooled(results, edition, published) if law.method == "pooled" else _hypothetical(results, edition, published)
    )


def _mean_of_ru(
    results: Sequence[Result], edition: Edition, rn: Fraction, games: int, published: int
) -> list[str | Grid]:
    rows, parts, notes = [], [], []
    for result in results:
        ru = _text(result.ru(edition))
        rows.append((*_start(result), *_case(result, edition), ru))
        parts.append(f"{result.games} x {ru}")
        if result.closed:
            notes.append(_formula_text(result))
    heads = ("Event", "n", "W", "Ra", "p", "Step", "Ru")
    grid = Grid(heads, tuple(rows), frozenset(heads) - {"Event", "Step"}, "The first rating, step by step")
    if len(results) > 1:
        end = f"Rn = ({' + '.join(parts)}) / {games} = {_text(rn)}, rounded {published}."
    else:
        end = f"Rn = Ru, rounded {published}."
    return [grid, *notes, end]


def _formula_text(result: Result) -> str:
    closed = result.closed
    if closed is None:
        return ""
    rar, dpa = Fraction(sum(closed.rated), len(closed.rated)), Fraction(sum(closed.dp), len(closed.dp))
    n = closed.opponents
    return (
        f"{result.event} is a closed round robin. Rar, the mean of its {len(closed.rated)} rated participants, is {_text(rar)}; dpa, the mean of their"
        f" D(p), is {_text(dpa)}; Ra = Rar - dpa x {n}/{n + 1} = {_text(closed.ra)}. Below 50 % D(p) counts {n}/{n + 1}."
    )


def _pooled(results: Sequence[Result], edition: Edition, published: int) -> list[str | Grid]:
    games, score, total = (sum(getattr(result, name) for result in results) for name in ("games", "score", "total"))
    rows = [(*_start(result), mean_text(result.total, result.games)) for result in results]
    _, p, step = _case(Result("", tuple(each for result in results for each in result.opponents), score), edition)
    return [
        Grid(("Event", "n", "W", "Ra"), tuple(rows), frozenset({"n", "W", "Ra"}), "The first rating, step by step"),
        f"Together Ra = {total} / {games} = {mean_text(total, games)}, p = {points_text(score)} / {games} = {p}. Rn = Ra {step}, rounded {published}.",
    ]  # fmt: skip


def _hypothetical(results: Sequence[Result], edition: Edition, published: int) -> list[str | Grid]:
    law = edition.first_rating
    games, score, total = (sum(getattr(result, name) for result in results) for name in ("games", "score", "total"))
    rows = [(*_start(result), str(result.total)) for result in results]
    more_total, more_score, more_games = first.with_hypothetical(total, score, games, law)
    p = int(first.percentage(more_score, more_games))
    dp = edition.performance[p]
    limit = f", at most {law.highest}" if law.highest and published == law.highest else ""
    return [
        Grid(("Event", "n", "W", "Sum of Ro"), tuple(rows), frozenset({"n", "W", "Sum of Ro"}), "The first rating, step by step"),
        f"With {law.hypothetical_opponents} imaginary opponents of {law.hypothetical_rating}, each drawn: Ra = ({total} + {more_total - total}) /"
        f" {more_games} = {mean_text(more_total, more_games)}, p = {points_text(more_score)} / {more_games} = {p // 100}.{p % 100:02d},"
        f" D(p) = {words.signed(dp)}. Rn = Ra {'-' if dp < 0 else '+'} {abs(dp)}, rounded {published}{limit}.",
    ]  # fmt: skip


def _start(result: Result) -> tuple[str, str, str]:
    return result.event + (" (earlier month)" if result.earlier else ""), str(result.games), points_text(result.score)


def _case(result: Result, edition: Edition) -> tuple[str, str, str]:
    """Ra, p, and what is added to Ra in words."""
    closed = result.closed
    ra = closed.ra if closed else Fraction(result.total, result.games)
    p = int(first.percentage(result.score, result.games))
    added = result.ru(edition) - ra
    if p == 50:
        step = "+ 0 (50 %)"
    elif p > 50:
        halves = int(first.half_points_above(result.score, result.games))
        step = f"+ {_text(added)} ({words.count_text(halves, 'half point')} above 50 %)"
    elif closed:
        step = f"- {_text(-added)} ({-edition.performance[p]} x {closed.opponents}/{closed.opponents + 1})"
    else:
        step = f"- {_text(-added)} (D(p))"
    return _text(ra), f"{p // 100}.{p % 100:02d}", step


def _text(value: Fraction | int) -> str:
    value = Fraction(value)
    return mean_text(value.numerator, value.denominator)


def mean_text(numerator: int, denominator: int) -> str:
    """A quotient with two decimals for the eye, without zeros at the end; the reckoning itself is exact."""
    hundredths = (200 * abs(numerator) + denominator) // (2 * denominator)
    text = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    return f"-{text}" if numerator < 0 else text
