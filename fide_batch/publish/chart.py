"""Two pictures as SVG: the distribution of the ratings, and a player's rating from list to list.

Colours come from the page's style sheet (classes ``before``, ``after``, ``line``, ``axis``), so that the pictures follow dark mode and print. Each
has a title and a description for who does not see it. Figures are whole numbers; nothing here depends on the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

STEP = 100
"""Width of a bar of the distribution, in points."""


def bins(ratings: Sequence[int]) -> dict[int, int]:
    """How many ratings lie in each hundred, by its lower bound."""
    counts: dict[int, int] = {}
    for rating in ratings:
        low = rating // STEP * STEP
        counts[low] = counts.get(low, 0) + 1
    return counts


def distribution(before: dict[int, int], after: dict[int, int], title: str, name: str) -> str:
    """The distribution before as a stepped line and after as bars; '' when there is nothing to draw.

    Args:
        before: players by hundred (see ``bins``).
        after: likewise.
        title: read aloud.
        name: makes the ids in the page unique.
    """
    if not before and not after:
        return ""
    lowest, highest = min([*before, *after]), max([*before, *after])
    hundreds = list(range(lowest, highest + STEP, STEP))
    top = _round_up(max([*before.values(), *after.values()]))
    width, height, left, bottom, up = 560, 240, 48, 34, 12
    inner_width, inner_height = width - left - 8, height - bottom - up
    bar = inner_width // len(hundreds) or 1
    drawn_width = bar * len(hundreds)

    def y(count: int) -> int:
        return up + inner_height - count * inner_height // top

    parts = [
        _open(
            width,
            height,
            title,
            f"{sum(before.values())} players before, {sum(after.values())} after, by hundreds.",
            name,
        )
    ]
    for mark in _marks(top):
        parts.append(f'<line class="axis" x1="{left}" y1="{y(mark)}" x2="{left + drawn_width}" y2="{y(mark)}"/>')
        parts.append(f'<text class="scale" x="{left - 8}" y="{y(mark) + 4}" text-anchor="end">{mark:,}</text>')
    gap = 2 if bar > 6 else 0
    for place, low in enumerate(hundreds):
        count = after.get(low, 0)
        if count:
            x = left + place * bar
            parts.append(
                f'<rect class="after" x="{x + gap}" y="{y(count)}" width="{max(bar - 2 * gap, 1)}" height="{y(0) - y(count)}">'
                f"<title>{low} to {low + STEP - 1}: {before.get(low, 0):,} before, {count:,} after</title></rect>"
            )
    steps = [f"M{left} {y(0)}"]
    for place, low in enumerate(hundreds):
        steps.append(f"V{y(before.get(low, 0))}H{left + (place + 1) * bar}")
    parts.append(f'<path class="before" d="{"".join(steps)}V{y(0)}"/>')
    every = max(1, -(-len(hundreds) * 50 // max(drawn_width, 1)))
    for place, low in enumerate(hundreds):
        if place % every == 0:
            parts.append(
                f'<text class="scale" x="{left + place * bar}" y="{height - 12}" text-anchor="middle">{low}</text>'
            )
    return "".join([*parts, "</svg>"])


def rating_line(months: Sequence[tuple[str, int | None]], title: str, name: str) -> str:
    """A player's rating over the lists; a month unrated is a gap. '' for fewer than two ratings.

    Args:
        months: the list (``2026-11``) and the rating on it, in order of date.
        title: read aloud.
        name: makes the ids in the page unique.
    """
    known = [rating for _, rating in months if rating is not None]
    if len(known) < 2:
        return ""
    width, height, left, right, bottom, up = 560, 200, 48, 20, 34, 16
    low, high = min(known) // 20 * 20 - 20, -(-max(known) // 20) * 20 + 20
    inner_width, inner_height = width - left - right, height - bottom - up

    def x(place: int) -> int:
        return left + place * inner_width // max(len(months) - 1, 1)

    def y(rating: int) -> int:
        return up + (high - rating) * inner_height // (high - low)

    parts = [
        _open(width, height, title, f"From {known[0]} to {known[-1]}; lowest {min(known)}, highest {max(known)}.", name)
    ]
    for mark in range(low, high + 1, _step(high - low)):
        parts.append(f'<line class="axis" x1="{left}" y1="{y(mark)}" x2="{width - right}" y2="{y(mark)}"/>')
        parts.append(f'<text class="scale" x="{left - 8}" y="{y(mark) + 4}" text-anchor="end">{mark}</text>')
    path, pen_up = [], True
    for place, (_, rating) in enumerate(months):
        if rating is None:
            pen_up = True
            continue
        path.append(f"{'M' if pen_up else 'L'}{x(place)} {y(rating)}")
        pen_up = False
    parts.append(f'<path class="line" d="{"".join(path)}"/>')
    for place, (month, rating) in enumerate(months):
        if rating is not None:
            parts.append(
                f'<circle class="dot" cx="{x(place)}" cy="{y(rating)}" r="3.5"><title>{escape(month)}: {rating}</title></circle>'
            )
    every = max(1, -(-len(months) * 72 // inner_width))
    for place, (month, _) in enumerate(months):
        if place % every == 0:
            anchor = "start" if place == 0 and len(months) > 1 else "end" if place == len(months) - 1 else "middle"
            parts.append(
                f'<text class="scale" x="{x(place)}" y="{height - 10}" text-anchor="{anchor}">{escape(month)}</text>'
            )
    return "".join([*parts, "</svg>"])


def _open(width: int, height: int, title: str, description: str, name: str) -> str:
    name = escape(name, quote=True)
    return (
        f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{name}-t {name}-d" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(description)}</desc>'
    )


def _round_up(count: int) -> int:
    """The next round number: 1, 2, 5, 10, 20 ..."""
    size = 1
    while True:
        for step in (1, 2, 5):
            if count <= step * size:
                return max(step * size, 1)
        size *= 10


def _marks(top: int) -> list[int]:
    """Whole numbers along the axis from 0 to the top."""
    parts = next(parts for parts in (4, 5, 2, 1) if top % parts == 0)
    return [top * part // parts for part in range(parts + 1)]


def _step(span: int) -> int:
    """Points between two lines, so that there are about five."""
    return next((step for step in (10, 20, 50, 100, 200, 500) if span // step <= 6), 1000)
