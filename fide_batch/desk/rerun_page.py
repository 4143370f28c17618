"""What rating sealed months again would change, before anything is replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fide_batch import words
from fide_batch.model import Grid, Page, Period, id_text

SHOWN = 100


def rerun_page(start: Period, rows: Sequence[Mapping[str, Any]]) -> Page:
    """Who changes, old and new, because of which event.

    Args:
        start: the first month rated again.
        rows: one a player, control and month that differs: ``period``, ``fideid`` (code), ``name``, ``control``, ``old``, ``new`` (None =
            unrated), ``events``, the names of the events that gave the player something else, and ``before``: the rating he started from
            is another one too.
    """
    title = f"Rated again from {start} on"
    if not rows:
        return Page(title, ("Nobody's rating changes.",), {"from": str(start), "changes": []})
    blocks: list[str | Grid] = []
    heads = ("Name", "Id", "Control", "Old", "New", "Change", "Because of")
    for period in sorted({row["period"] for row in rows}):
        own = [row for row in rows if row["period"] == period]
        own.sort(key=lambda row: (-_size(row), row["name"], row["fideid"], row["control"]))
        cells = tuple(
            (
                row["name"], id_text(row["fideid"]), row["control"], _rating(row["old"]), _rating(row["new"]), _change(row),
                ", ".join([*row["events"], *(("the rating before",) if row.get("before") or not row["events"] else ())]),
            )
            for row in own[:SHOWN]
        )  # fmt: skip
        blocks.append(
            Grid(
                heads,
                cells,
                frozenset({"Id", "Old", "New", "Change"}),
                f"{period}: {words.count_text(len(own), 'rating')}",
            )
        )
        if len(own) > SHOWN:
            blocks.append(f"... and {len(own) - SHOWN:,} more.")
    players = len({row["fideid"] for row in rows})
    months = len({row["period"] for row in rows})
    blocks.append(
        f"{words.count_text(len(rows), 'rating')} of {words.count_text(players, 'player')} {'change' if len(rows) != 1 else 'changes'} in"
        f" {words.count_text(months, 'month')}."
    )
    data = {"from": str(start), "changes": [{**row, "fideid": id_text(row["fideid"])} for row in rows]}
    return Page(title, tuple(blocks), data)


def _rating(value: int | None) -> str:
    return "unrated" if value is None else str(value)


def _change(row: Mapping[str, Any]) -> str:
    return "" if row["old"] is None or row["new"] is None else words.signed(row["new"] - row["old"])


def _size(row: Mapping[str, Any]) -> int:
    """How much a rating moves; one that comes or goes moves most."""
    return 10_000 if row["old"] is None or row["new"] is None else abs(row["new"] - row["old"])
