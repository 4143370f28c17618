"""Whether the numbers of an edition make sense together: a table without gaps, limits that can be met, rules that do not contradict each other."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict

from fide_batch.model import CONTROLS, Period
from fide_batch.regulations.edition import Edition, KFactor

Fault = tuple[str, str, str]
"""Where (``lists.floor``, or ``expected_score.table 392`` for the row that begins with 392), what was found, what to do."""

TOP_DIFFERENCE = 9999
"""The highest D of the table's last row: no difference is larger."""


def sense(edition: Edition, unsound: frozenset[str] = frozenset()) -> list[Fault]:
    """Everything wrong with an edition whose values have the right types.

    Args:
        edition: may hold None in its unsound parts.
        unsound: keys and sections that could not be read; what depends on them is not looked at.
    """
    return [fault for check, needed in _CHECKS if not unsound.intersection(needed) for fault in check(edition)]


def _name(e: Edition) -> Iterator[Fault]:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", e.name) or e.name == "in-force":
        yield (
            "name",
            f"name = {e.name[:60]!r}",
            "expected small letters, digits and hyphens, such as my-federation (in-force is taken)",
        )
    elif e.effective and re.fullmatch(r"fide-\d{4}-\d{2}", e.name) and e.name != f"fide-{e.effective:%Y-%m}":
        yield (
            "effective",
            f"effective = {e.effective} in {e.name}",
            f"an edition is named by its first day: fide-{e.effective:%Y-%m}",
        )


def _prose(e: Edition) -> Iterator[Fault]:
    for key in ("title", "source"):
        if getattr(e, key) is not None and not getattr(e, key).strip():
            yield key, f"{key} is empty", "say in a few words what this edition is, and where its numbers are from"
    for section in ("articles", "articles_rapid_blitz"):
        for key, text in asdict(getattr(e, section)).items() if getattr(e, section) else ():
            if not text.strip():
                yield (
                    f"{section}.{key}",
                    f"{section}.{key} is empty",
                    "cite the article, or say in a few words which rule it is: the audit prints it",
                )


def _not_negative(e: Edition) -> Iterator[Fault]:
    for section, content in asdict(e).items():
        for key, value in content.items() if isinstance(content, dict) else ():
            if type(value) is int and not 0 <= value <= TOP_DIFFERENCE:
                yield f"{section}.{key}", f"{section}.{key} = {value}", f"expected a number from 0 to {TOP_DIFFERENCE}"


def _expected_score(e: Edition) -> Iterator[Fault]:
    rows = e.expected_score.table
    key = "expected_score.table"
    if not rows:
        yield key, f"{key} has no rows", "print the table: performances need it with a formula too"
        return
    if rows[0][0] != 0:
        yield f"{key} {rows[0][0]}", f"{key} begins at a difference of {rows[0][0]}", "the first row begins at 0"
    if rows[-1][1] != TOP_DIFFERENCE:
        yield (
            f"{key} {rows[-1][0]}",
            f"{key} ends at a difference of {rows[-1][1]}",
            f"the last row ends at {TOP_DIFFERENCE}",
        )
    for low, high, score in rows:
        if high < low:
            yield (
                f"{key} {low}",
                f"{key}: the row {low}-{high} ends before it begins",
                "expected lowest D, highest D, expected score",
            )
        if not 50 <= score <= 100:
            yield (
                f"{key} {low}",
                f"{key}: {score / 100:.2f} in the row {low}-{high}",
                "the higher rated is expected to score from 0.50 to 1.00",
            )
    for (low, high, score), (next_low, next_high, next_score) in itertools.pairwise(rows):
        if next_low > high + 1:
            yield (
                f"{key} {next_low}",
                f"{key} has a gap: nothing from {high + 1} to {next_low - 1}",
                f"the row after {low}-{high} begins at {high + 1}",
            )
        if next_low <= high:
            yield (
                f"{key} {next_low}",
                f"{key}: the rows {low}-{high} and {next_low}-{next_high} overlap",
                f"the row after {low}-{high} begins at {high + 1}",
            )
        if next_score < score:
            yield (
                f"{key} {next_low}",
                f"{key} falls from {score / 100:.2f} to {next_score / 100:.2f} at {next_low}",
                "a larger difference never means a smaller expected score",
            )


def _performance(e: Edition) -> Iterator[Fault]:
    d = e.performance
    if len(d) != 101:
        yield "performance", f"performance has {len(d)} values", "expected 101: D(p) for p = .00, .01 ... 1.00"
        return
    for p in range(100):
        if d[p + 1] < d[p]:
            yield (
                "performance",
                f"performance falls from {d[p]} at {p / 100:.2f} to {d[p + 1]} at {(p + 1) / 100:.2f}",
                "a larger score never means a smaller difference",
            )
    for p in range(51):
        if d[p] != -d[100 - p]:
            yield (
                "performance",
                f"performance is {d[p]} at {p / 100:.2f} and {d[100 - p]} at {1 - p / 100:.2f}",
                "the two halves mirror each other, and .50 is 0",
            )


def _controls(e: Edition) -> Iterator[Fault]:
    named = {
        "lists.controls": e.lists.controls,
        "difference.controls": e.difference.controls,
        "difference.exempt_controls": e.difference.exempt_controls,
        "unrated_difference.controls": e.unrated_difference.controls,
    }
    for key, controls in named.items():
        for control in controls:
            if control not in CONTROLS:
                near = difflib.get_close_matches(control.lower()[:20], CONTROLS, 1, 0.5)
                yield (
                    key,
                    f"{key} names {control[:30]!r}",
                    (f"did you mean {near[0]!r}? " if near else "") + f"known are {', '.join(CONTROLS)}",
                )
            elif control not in e.lists.controls:
                yield (
                    key,
                    f"{key} names {control}, which has no list",
                    f"add {control} to lists.controls, or take it out here",
                )
        if len(set(controls)) != len(controls):
            yield key, f"{key} names a control twice", "name each once"
    if not e.lists.controls:
        yield "lists.controls", "lists.controls is empty", f"name at least one of {', '.join(CONTROLS)}"


def _difference(e: Edition) -> Iterator[Fault]:
    d = e.difference
    if d.method == "none":
        for key in ("cap", "exempt_from", "controls", "exempt_controls"):
            if getattr(d, key):
                yield (
                    f"difference.{key}",
                    f'difference.{key} is set, and the method is "none"',
                    f"write {key} = {'[]' if 'controls' in key else '0'}, or another method",
                )
    else:
        if d.cap == 0:
            yield (
                "difference.cap",
                "difference.cap = 0",
                'give the largest difference that counts, or write method = "none"',
            )
        if not d.controls:
            yield (
                "difference.controls",
                "difference.controls is empty",
                'name the controls where the rule holds, or write method = "none"',
            )
    if bool(d.exempt_from) != bool(d.exempt_controls):
        yield (
            "difference.exempt_from",
            "difference.exempt_from and exempt_controls go together",
            "give both, or 0 and []",
        )
    for control in d.exempt_controls:
        if d.method != "none" and control in e.lists.controls and control not in d.controls:
            yield (
                "difference.exempt_controls",
                f"difference.exempt_controls names {control}, where the rule does not hold anyway",
                "take it out",
            )


def _unrated_difference(e: Edition) -> Iterator[Fault]:
    u = e.unrated_difference
    if len({bool(u.from_difference), bool(u.above_rating), bool(u.controls)}) > 1:
        yield (
            "unrated_difference.from_difference",
            "unrated_difference is half given",
            "give from_difference, above_rating and controls, or 0, 0 and []",
        )


def _k(e: Edition) -> Iterator[Fault]:
    for section in ("k_standard", "k_rapid_blitz"):
        if getattr(e, section):
            yield from _k_of(section, getattr(e, section))


def _k_of(section: str, k: KFactor) -> Iterator[Fault]:
    for key in ("new", "standard", "top", "top_rating"):
        if not getattr(k, key):
            yield (
                f"{section}.{key}",
                f"{section}.{key} = 0",
                "expected at least 1; for one K for all write the same number in new, standard and top",
            )
    if len({bool(k.junior), bool(k.junior_age), bool(k.junior_rating)}) > 1:
        yield (
            f"{section}.junior",
            f"{section}: junior, junior_age and junior_rating go together",
            "give all three, or 0 in all three",
        )
    if 0 < k.product < max(k.new, k.standard, k.top, k.junior):
        yield (
            f"{section}.product",
            f"{section}.product = {k.product}, less than K for a single game",
            "give the highest K times games (FIDE: 700), or 0 for no limit",
        )


def _first_rating(e: Edition) -> Iterator[Fault]:
    f = e.first_rating
    for key in ("games", "opponents", "window_months"):
        if not getattr(f, key):
            yield f"first_rating.{key}", f"first_rating.{key} = 0", "expected at least 1"
    if f.bonus > 1000:
        yield (
            "first_rating.bonus",
            f"first_rating.bonus = {f.bonus / 10:g}",
            "expected points for each half point, such as 12.5 or 20",
        )
    if f.score > 2 * f.games:
        yield (
            "first_rating.score",
            f"first_rating.score = {f.score / 2:g}, more than {f.games} games can bring",
            "expected points, such as 0.5 or 1",
        )
    imaginary = (f.hypothetical_opponents, f.hypothetical_rating)
    if f.method == "hypothetical":
        if not all(imaginary):
            yield (
                "first_rating.hypothetical_opponents",
                'the method is "hypothetical", and there are no imaginary opponents',
                "give their number and rating (FIDE: 2 of 1800)",
            )
        if f.bonus:
            yield (
                "first_rating.bonus",
                'first_rating.bonus is set, and the method is "hypothetical"',
                "write bonus = 0: Ru is Ra + D(p) for every score",
            )
        if f.round_robin:
            yield (
                "first_rating.round_robin",
                'round_robin = true, and the method is "hypothetical"',
                "write round_robin = false: the closed formula belongs to the older methods",
            )
    elif any(imaginary):
        yield (
            "first_rating.hypothetical_opponents",
            f'imaginary opponents, and the method is "{f.method}"',
            'write 0 and 0, or method = "hypothetical"',
        )
    if f.highest and f.highest < e.lists.floor:
        yield (
            "first_rating.highest",
            f"first_rating.highest = {f.highest}, below the floor of {e.lists.floor}",
            "nobody could get a first rating; 0 is no limit",
        )


def _lists(e: Edition) -> Iterator[Fault]:
    if not 1 <= e.lists.months <= 12:
        yield "lists.months", f"lists.months = {e.lists.months}", "expected 1 (monthly) to 12"
    if e.lists.closing_days > 31:
        yield "lists.closing_days", f"lists.closing_days = {e.lists.closing_days}", "expected at most 31"
    if not e.lists.late_lists:
        yield "lists.late_lists", "lists.late_lists = 0", "expected at least 1 (FIDE: 3)"
    if e.lists.stand_in and not ("standard" in e.lists.controls and len(e.lists.controls) > 1):
        yield (
            "lists.stand_in",
            "lists.stand_in = true without standard and a rapid or blitz list",
            "write stand_in = false",
        )


def _inactivity(e: Edition) -> Iterator[Fault]:
    for key in ("months", "games"):
        if not getattr(e.inactivity, key):
            yield f"inactivity.{key}", f"inactivity.{key} = 0", "expected at least 1"
    last: Period | None = None
    for text, months in e.inactivity.later:
        period = _period(text)
        if period is None or months < 1:
            yield (
                "inactivity.later",
                f"inactivity.later: {text[:20]!r}, {months}",
                'expected a period and months, such as ["2020-11", 24]',
            )
        elif last and period <= last:
            yield "inactivity.later", f"inactivity.later: {period} after {last}", "write the changes in order of date"
        elif e.effective and period.list_date <= e.effective:
            yield (
                "inactivity.later",
                f"inactivity.later: {period} is not after the first day {e.effective}",
                "change inactivity.months instead",
            )
        last = period or last


def _one_off(e: Edition) -> Iterator[Fault]:
    o = e.one_off
    needed = {
        "none": (),
        "compression": ("period", "below", "percent"),
        "rapid and blitz raised": ("period", "margin"),
    }[o.method]
    for key in ("period", "below", "percent", "margin"):
        if key in needed and not getattr(o, key):
            yield (
                f"one_off.{key}",
                f'one_off.{key} is not given, and the method is "{o.method}"',
                "say for which list (2024-03) and by how much",
            )
        if key not in needed and getattr(o, key):
            yield (
                f"one_off.{key}",
                f'one_off.{key} is set, and the method is "{o.method}"',
                f"write {key} = {repr('') if key == 'period' else 0}",
            )
    period = _period(o.period)
    if o.period and period is None:
        yield "one_off.period", f"one_off.period = {o.period[:20]!r}", "expected a period such as 2024-03"
    elif period and e.effective and period != Period.of(e.effective):
        yield (
            "one_off.period",
            f"one_off.period = {period}, and the edition begins on {e.effective}",
            "a one-off belongs to the list of the edition's first day",
        )
    if o.percent > 100:
        yield "one_off.percent", f"one_off.percent = {o.percent}", "expected 1 to 100"
    if o.method == "rapid and blitz raised" and not ("standard" in e.lists.controls and len(e.lists.controls) > 1):
        yield (
            "one_off.method",
            "one_off raises rapid and blitz ratings, and there are no such lists",
            'write method = "none"',
        )


def _period(text: str) -> Period | None:
    try:
        return Period.parse(text)
    except ValueError:
        return None


_CHECKS: tuple[tuple[Callable[[Edition], Iterator[Fault]], tuple[str, ...]], ...] = (
    (_name, ("name", "effective")),
    (_prose, ()),
    (_not_negative, ()),
    (_expected_score, ("expected_score",)),
    (_performance, ("performance",)),
    (_controls, ("lists", "difference", "unrated_difference")),
    (_difference, ("difference", "lists")),
    (_unrated_difference, ("unrated_difference",)),
    (_k, ()),
    (_first_rating, ("first_rating", "lists")),
    (_lists, ("lists",)),
    (_inactivity, ("inactivity", "effective")),
    (_one_off, ("one_off", "lists", "effective")),
)
"""Each check with the parts of an edition it looks at."""
