"""The month's page: counts, the distribution before and after, who gained, is new, waits, fell off, and what was not rated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.model import CONTROLS, PREFIX, numbers
from fide_batch.publish import chart
from fide_batch.publish.html_rows import Markup, Row
from fide_batch.publish.html_site import Site

SHOWN = 100
"""Rows of each kind."""

GAINS = 10


def month(site: Site) -> Row:
    """What the template needs."""
    first = sorted(
        site.of_status(["first-rating"]), key=lambda row: (CONTROLS.index(row["control"]), -(row["rating_after"] or 0))
    )
    waiting = sorted(
        site.tables["pending"].to_pylist(), key=lambda row: (site.name(row["fideid"]), row["fideid"], str(row["end"]))
    )
    severities = ("error", "warning", "note")
    problems = sorted(site.tables["problems"].to_pylist(), key=lambda row: severities.index(row["severity"]))
    inactive = _inactive_news(site)
    return {
        "cards": _cards(site, first), "controls": [part for control in CONTROLS if (part := _control(site, control))],
        "new": first[:SHOWN], "new_more": max(0, len(first) - SHOWN), "waiting": waiting[:SHOWN], "waiting_more": max(0, len(waiting) - SHOWN),
        "delisted": site.of_status(["delisted"]), "inactive": inactive[:SHOWN], "inactive_more": max(0, len(inactive) - SHOWN),
        "not_rated": _not_rated(site), "problems": problems[:SHOWN], "problems_more": max(0, len(problems) - SHOWN),
        "decisions": site.about.get("decisions", []),
    }  # fmt: skip


def _cards(site: Site, first: Sequence[Row]) -> list[tuple[str, str]]:
    games, pending = site.tables["games"], site.tables["pending"]
    counted = int(pc.sum(games["counted"]).as_py() or 0)
    waiting = len({(row["fideid"], row["control"]) for row in pending.select(["fideid", "control"]).to_pylist()})
    inactive = None
    if site.inactive is not None:
        inactive = int(pc.sum(pc.equal(site.inactive["status"], "inactive")).as_py() or 0)
    counts = [
        (len(site.ids), "players on the list"), (len(site.events), "events"), (counted, "results counted"),
        (games.num_rows - counted, "results not counted"), (len(site.of_status(["rated"])), "ratings computed"), (len(first), "first ratings"),
        (waiting, "waiting for one"), (len(site.of_status(["delisted"])), "fallen off"), (inactive, "inactive"),
    ]  # fmt: skip
    return [(f"{count:,}", what) for count, what in counts if count is not None]


def _control(site: Site, control: str) -> Row | None:
    """Distribution before and after, biggest gains and losses."""
    after = numbers(site.tables["list"], PREFIX[control] + "rating")
    own = [row for row in site.changes if row["control"] == control]
    if not after.any() and not own:
        return None
    before = _before(site, control)
    bins_before, bins_after = chart.bins(before[before > 0].tolist()), chart.bins(after[after > 0].tolist())
    both = [*bins_before, *bins_after]
    hundreds = range(min(both), max(both) + 1, chart.STEP) if both else ()
    moved = sorted(
        (row for row in own if row["status"] == "rated" and row["change"]),
        key=lambda row: (-row["change"], row["name"], row["fideid"]),
    )
    title = f"{words.CONTROL[control]} ratings, before and after"
    return {
        "key": control, "name": words.CONTROL[control], "chart": Markup(chart.distribution(bins_before, bins_after, title, f"d-{control}")),
        "before": int(np.count_nonzero(before)), "after": int(np.count_nonzero(after)),
        "bins": [(low, bins_before.get(low, 0), bins_after.get(low, 0)) for low in hundreds],
        "gained": [row for row in moved if row["change"] > 0][:GAINS], "lost": [row for row in reversed(moved) if row["change"] < 0][:GAINS],
    }  # fmt: skip


def _before(site: Site, control: str) -> np.ndarray:
    """The ratings before the month: those of the new list with what the month changed taken back."""
    ratings = numbers(site.tables["list"], PREFIX[control] + "rating").copy()
    # The first of several changes of a player says what he had before.
    for row in reversed(site.changes):
        place = site.row_of.get(row["fideid"])
        if row["control"] == control and place is not None:
            ratings[place] = row["rating_before"] or 0
    return ratings


def _inactive_news(site: Site) -> list[Row]:
    if site.inactive is None:
        return []
    news = pc.or_(pc.not_equal(site.inactive["status"], "inactive"), pc.equal(site.inactive["news"], 1))
    found: list[Row] = site.inactive.filter(news).to_pylist()
    return found


def _not_rated(site: Site) -> list[tuple[str, int]]:
    games = site.tables["games"]
    left = games.filter(pc.equal(games["counted"], 0)).select(["reason"])
    grouped = left.group_by("reason").aggregate([([], "count_all")]).to_pylist() if left.num_rows else []
    found = [(row["reason"] or "no reason given", row["count_all"]) for row in grouped]
    return sorted(found, key=lambda item: (-item[1], item[0]))
