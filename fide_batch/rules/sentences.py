"""The plain sentence beside each change: how the number came about. Columns of text, built without a loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import POINT, points_text
from fide_batch.regulations.edition import Edition
from fide_batch.rules import first_rating as first
from fide_batch.rules.games import totals
from fide_batch.rules.pool import Pools
from fide_batch.rules.rateable import Kind

MINUS = "−"


def joined(*parts: Any) -> pa.Array:
    """Texts side by side; whole-number columns are written out, single texts repeated."""
    columns = [part if isinstance(part, str | pa.Array) else pa.array(part).cast(pa.string()) for part in parts]
    return pc.binary_join_element_wise(*columns, "")


def where(mask: np.ndarray, text: Any, otherwise: Any = "") -> pa.Array:
    """A text where the mask holds, another elsewhere."""
    return pc.if_else(pa.array(mask), text, otherwise)


def signed(values: np.ndarray) -> pa.Array:
    """Whole numbers with their sign: ``+12``, ``−12``, ``0``."""
    return joined(_sign(values), np.abs(values))


def signed_points(values: np.ndarray) -> pa.Array:
    """Ten-thousandths with their sign and two decimals (four where two do not hold them): ``−12.40``."""
    size = np.abs(values)
    whole, rest = size // POINT, size % POINT
    long = rest % 100 != 0
    decimals = pc.utf8_slice_codeunits(pa.array(rest + POINT).cast(pa.string()), 1, 5)
    if long.any():
        decimals = where(~long, pc.utf8_slice_codeunits(decimals, 0, 2), decimals)
    else:
        decimals = pc.utf8_slice_codeunits(decimals, 0, 2)
    return joined(_sign(values), whole, ".", decimals)


def _sign(values: np.ndarray) -> pa.Array:
    return where(values < 0, MINUS, where(values > 0, "+"))


def games_text(games: np.ndarray) -> pa.Array:
    """``1 game``, ``9 games``."""
    return joined(games, where(games == 1, " game", " games"))


def of_sum(
    games: np.ndarray, exact: np.ndarray, change: np.ndarray, k_newest: np.ndarray, k_used: np.ndarray, before: np.ndarray,
    stood_in: np.ndarray, computed: np.ndarray, after: np.ndarray, moved_to: np.ndarray, control: str, edition: Edition,
) -> pa.Array:  # fmt: skip
    """Why a rated player's new rating is what it is.

    ``moved_to`` is what a one-off change made of the computed rating (the same where there was none), ``after`` the published rating, 0 for unrated.
    """
    article, floor = edition.articles_of(control), edition.lists.floor
    text = joined("Sum of ", games_text(games), " ", signed_points(exact), ", rounded ", signed(change))

    def and_where(mask: np.ndarray, *parts: Any) -> None:
        nonlocal text
        rows = np.flatnonzero(mask)
        if len(rows):
            some = joined(text.take(pa.array(rows)), *(part if isinstance(part, str) else part[rows] for part in parts))
            text = pc.replace_with_mask(text, pa.array(mask), some)

    and_where(
        k_used != k_newest, "; K ", k_used, " (", article.k_product, "): ", games, " games with K ", k_newest,
        f" are more than {edition.k_factor(control).product}",
    )  # fmt: skip
    and_where(
        stood_in, f"; without a {control} rating the standard rating ", before, f" stands in ({article.stand_in})"
    )
    and_where(
        moved_to != computed,
        "; computed ",
        computed,
        f", after the one-off change of {edition.one_off.period} ",
        moved_to,
    )
    struck = after == 0
    plain = struck & (moved_to == computed)
    and_where(plain, f"; below {floor}: computed ", computed, f", unrated from this list ({article.floor})")
    and_where(struck & ~plain, f"; below {floor}: unrated from this list ({article.floor})")
    return joined(text, ".")


def of_adjustment(
    before: np.ndarray, moved_to: np.ndarray, after: np.ndarray, control: str, edition: Edition
) -> pa.Array:
    """Why the rating of a player without games is another one."""
    article, floor = edition.articles_of(control), edition.lists.floor
    text = joined(f"One-off change of {edition.one_off.period} ({article.one_off}): ", before, " becomes ", moved_to)
    return joined(text, where(after == 0, f"; below {floor}: unrated from this list ({article.floor})"), ".")


def of_first_rating(pools: Pools, pool: int, rows: Sequence[int], published: int, edition: Edition) -> str:
    """How a first rating came about; ``rows`` are the results that went into it."""
    law, results = edition.first_rating, pools.results
    games, rating = int(pools.games[pool]), int(pools.rating[pool])
    events = f" of {len(rows)} events" if len(rows) > 1 else ""
    text = (
        f"First rating {rating} from {_games(games)} against rated opponents{events}: {how(pools, pool, rows, edition)}"
    )
    earlier = sum(int(results.games[row]) for row in rows if results.entry[row] < 0)
    if earlier:
        text += f"; {_games(earlier)} of earlier months included"
    if law.highest and rating == law.highest:
        text += f"; {law.highest} is the highest first rating"
    if published != rating:
        text += f"; after the one-off change of {edition.one_off.period} {published}"
    return text + "."


def how(pools: Pools, pool: int, rows: Sequence[int], edition: Edition) -> str:
    """The reckoning of a first rating in figures."""
    law, results = edition.first_rating, pools.results
    games, score = int(pools.games[pool]), int(pools.score[pool])
    closed = [row for row in rows if row in results.closed]
    points = points_text(score, 1)
    if closed:
        formula = f"by the formula of closed round robins ({edition.articles.round_robin})"
        return f"{points} points, {formula if len(closed) == len(rows) else f'{len(closed)} of the events {formula}'}"
    total = sum(int(results.total[row]) for row in rows)
    if law.method == "mean of Ru":
        each = []
        for row in rows:
            n = int(results.games[row])
            tenths = int(
                first.weighted_ru(int(results.total[row]), int(results.score[row]), n, law, edition.performance)
            )
            each.append(
                f"Ru {_decimal(tenths, first.TENTHS * n)} in {_games(n)} ({points_text(int(results.score[row]), 1)} points)"
            )
        return ", ".join(each)
    drawn = ""
    if law.method == "hypothetical":
        total, score, games = first.with_hypothetical(total, score, games, law)
        drawn = f" and {law.hypothetical_opponents} imaginary draws with {law.hypothetical_rating}"
    p = first.percentage(score, games)
    text = f"{points} points{drawn}, Ra {_decimal(total, games)}, p {p // 100}.{p % 100:02d}"
    if law.method == "pooled" and p > 50:
        halves = first.half_points_above(score, games)
        return (
            f"{text}, {halves} half point{'' if halves == 1 else 's'} above 50% at {_decimal(law.bonus, first.TENTHS)}"
        )
    dp = edition.performance[p]
    return f"{text}, D(p) {MINUS if dp < 0 else '+' if dp else ''}{abs(dp)}"


def missing(pools: Pools, edition: Edition) -> list[str]:
    """What each pool still needs for a first rating; where nothing is missing, ''."""
    law, size = edition.first_rating, len(pools.row)
    short = pools.score < first.score_needed(law) if law.score_in == "pool" else np.zeros(size, bool)
    dropped = [
        totals(pools.pool[pools.fate == fate], np.ones(int((pools.fate == fate).sum()), np.int64), size)
        for fate in (Kind.FIRST_HEAD, Kind.FIRST_FEW, Kind.FIRST_EXPIRED)
    ]
    columns = (pools.games, np.where(short, pools.score, -1), pools.rating, pools.row >= 0, *dropped)
    known: dict[tuple[Any, ...], str] = {}
    texts = []
    for each in zip(*(column.tolist() for column in columns), strict=True):
        if each not in known:
            known[each] = _missing(edition, *each)
        texts.append(known[each])
    return texts


def _missing(
    edition: Edition, games: int, short: int, rating: int, listed: bool, heads: int, few: int, old: int
) -> str:  # fmt: skip
    law = edition.first_rating
    needed = first.score_needed(law)
    parts = []
    if games < law.games:
        parts.append(f"{games} of {law.games} games")
    if short >= 0:
        parts.append(f"score {points_text(short, 1)}, {points_text(needed, 1)} needed")
    if 0 < rating < edition.lists.floor:
        parts.append(f"rating {rating} below {edition.lists.floor}")
    if not listed:
        parts.append("not on the list")
    if heads:
        score = "no point" if needed <= POINT // 2 else f"less than {points_text(needed, 1)}"
        opponents = first.opponents_needed(law, "first event")
        or_opponents = f" or fewer than {opponents} games against rated opponents" if opponents > 1 else ""
        parts.append(f"first event{'s' if heads > 1 else ''} disregarded: {score}{or_opponents}")
    if few:
        parts.append(f"{few} event{'s' if few > 1 else ''} with too few games against rated opponents disregarded")
    if old:
        parts.append(f"results older than {law.window_months} months expired")
    return "; ".join(parts)


def _games(games: int) -> str:
    return f"{games} game" if games == 1 else f"{games} games"


def _decimal(numerator: int, denominator: int) -> str:
    """A mean with two decimals for the eye, cut of zeros; the reckoning itself is exact."""
    hundredths = (200 * abs(numerator) + denominator) // (2 * denominator)
    text = f"{hundredths // 100}.{hundredths % 100:02d}".rstrip("0").rstrip(".")
    return MINUS + text if numerator < 0 else text
