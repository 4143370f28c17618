"""A player over all sealed months."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fide_batch import words
from fide_batch.desk import sealed
from fide_batch.desk.sealed import Sealed
from fide_batch.model import CONTROLS, PREFIX, Grid, Heading, Page, Period, Problem, Refused, id_text

_LEVELS = "▁▂▃▄▅▆▇█"


def history(archive: Sealed, player: str) -> Page:
    """Rating, change, games and events of every sealed month, the rating as a line of text, and what else of the player changed on the list.

    Args:
        archive: the sealed months.
        player: an id or a part of a name, looked for in the newest month. When several players fit, the page lists them (``data`` then
            holds ``candidates``).

    Raises:
        Refused: when nothing is sealed or there is nobody of that id or name.
    """
    periods = archive.periods()
    if not periods:
        raise Refused(
            Problem("no-month", "error", "", None, None, "no month is sealed here", "fide-batch run --period YYYY-MM PATH seals one")
        )  # fmt: skip
    code, several = _find(archive, periods, player)
    return several or of_player(archive, code)


def _find(archive: Sealed, periods: Sequence[Period], player: str) -> tuple[int, Page | None]:
    """In the newest month, else in an older one: who has left the list still has a history."""
    refused = None
    for period in reversed(periods):
        try:
            return sealed.find_player(archive, period, player)
        except Refused as error:
            refused = refused or error
    raise refused or Refused()


_OF_LIST = ["name", "country", *[PREFIX[control] + column for control in CONTROLS for column in ("rating", "games")]]

Listed = dict[str, Any]
"""What became of a player's line on the list: ``period``, ``what`` (``joined``, ``name``, ``federation``, ``left``), ``before``, ``now``."""


def months_of(archive: Sealed, code: int) -> tuple[dict[str, list[dict[str, Any]]], list[Listed]]:
    """A player's months, and what became of his line on the list from month to month.

    Returns:
        For each control the sealed months in which the player had a rating or something happened: ``period``, ``rating``, ``change``, ``games``,
        ``status``, ``events``; and when he joined a list later than the first that is known, or has another name or federation there.
    """
    found: dict[str, list[dict[str, Any]]] = {control: [] for control in CONTROLS}
    listed: list[Listed] = []
    known: dict[str, Any] = {}
    first = True
    for period, on_list, changes, events in _read(archive, code):
        base = archive.cover(period).get("base")
        if base and not known and not any(found.values()):
            # The list the first month started from is no sealed month, but what the player's rating was on it is known.
            row = sealed.row_of(archive, period, code, _OF_LIST, "base")
            listed += [] if first else _on_the_list(base["period"], known, row)
            known = row
            for control in CONTROLS:
                rating = row.get(PREFIX[control] + "rating")
                if rating is not None:
                    games = row.get(PREFIX[control] + "games")
                    found[control].append(
                        {
                            "period": base["period"],
                            "rating": rating,
                            "change": None,
                            "games": games,
                            "status": "",
                            "events": [],
                        }
                    )
            first = False
        row = on_list
        listed += [] if first else _on_the_list(str(period), known, row)
        known, first = row, False
        for control in CONTROLS:
            own = [change for change in changes if change["control"] == control]
            rating = row.get(PREFIX[control] + "rating")
            if rating is None and not own:
                continue
            moved = [change["change"] for change in own if change["change"] is not None]
            found[control].append({
                "period": str(period), "rating": rating, "change": sum(moved) if moved else None,
                "games": next((change["games"] for change in own if change["games"] is not None), row.get(PREFIX[control] + "games") or 0),
                "status": own[-1]["status"] if own else "",
                "events": [event["event"] for event in events if event["control"] == control],
            })  # fmt: skip
    return found, listed


_Rows = list[dict[str, Any]]


def _read(archive: Sealed, code: int) -> Iterator[tuple[Period, dict[str, Any], _Rows, _Rows]]:
    """The player's row of each sealed list, and the month's changes and events; two months are read at a time."""

    def month(period: Period) -> tuple[Period, dict[str, Any], _Rows, _Rows]:
        changes = sealed.table(archive, period, "changes", ["control", "games", "change", "status"], code)
        events = sealed.table(archive, period, "events", ["control", "event"], code)
        return period, sealed.row_of(archive, period, code, _OF_LIST), changes.to_pylist(), events.to_pylist()

    with ThreadPoolExecutor(2) as readers:
        yield from readers.map(month, archive.periods())


def _on_the_list(period: str, known: dict[str, Any], row: dict[str, Any]) -> list[Listed]:
    """What another list says otherwise of a player; both are empty where he is not on it."""
    if not known and not row:
        return []
    if not known or not row:
        return [{"period": period, "what": "joined" if row else "left", "before": "", "now": ""}]
    return [
        {"period": period, "what": what, "before": known[column] or "", "now": row[column] or ""}
        for what, column in (("name", "name"), ("federation", "country"))
        if (known[column] or "") != (row[column] or "")
    ]


def newest_name(archive: Sealed, code: int) -> str:
    """The player's name as the newest month that knows him has it."""
    for period in reversed(archive.periods()):
        for name in ("list", "changes"):
            for row in sealed.table(archive, period, name, ["name"], code).to_pylist():
                if row["name"]:
                    return str(row["name"])
    return ""


def of_player(archive: Sealed, code: int) -> Page:
    """``history`` for the player of an id code."""
    (found, listed), name = months_of(archive, code), newest_name(archive, code)
    blocks: list[str | Grid] = []
    heads = ("List", "Rating", "Change", "Games", "Events", "")
    for control, months in found.items():
        if not months:
            continue
        blocks.append(Heading(words.CONTROL[control]))
        line = plot([month["rating"] for month in months])
        if line:
            blocks.append(line)
        rows = tuple(
            (
                month["period"], "unrated" if month["rating"] is None else str(month["rating"]), words.signed(month["change"]),
                words.number(month["games"]), ", ".join(month["events"]), "" if month["status"] == "rated" else month["status"],
            )
            for month in months
        )  # fmt: skip
        kept = [place for place in range(len(heads)) if place < 4 or any(row[place] for row in rows)]
        blocks.append(
            Grid(
                tuple(heads[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in rows),
                frozenset({"Rating", "Change", "Games"}),
            )
        )  # fmt: skip
    if not blocks:
        blocks.append("No rating and no result that counted in any sealed month.")
    if listed:
        blocks += [Heading("On the list"), _listed_grid(listed)]
    return Page(
        f"{name} ({id_text(code)})",
        tuple(blocks),
        {"player": {"fideid": id_text(code), "name": name}, "months": found, "listed": listed},
    )


def _listed_grid(listed: Sequence[Listed]) -> Grid:
    said = {"joined": "joined the list", "left": "not on it any more"}
    heads = ("List", "What", "Before", "Now")
    rows = [(each["period"], said.get(each["what"], str(each["what"])), each["before"], each["now"]) for each in listed]
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    return Grid(tuple(heads[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in rows))


def plot(ratings: Sequence[int | None], width: int = 60) -> str:
    """The ratings as a line of blocks between their lowest and highest: ``1617 ▁▃▂█ 1702``; '' for fewer than two. A gap is a month unrated."""
    known = [rating for rating in ratings if rating is not None]
    if len(known) < 2:
        return ""
    shown = list(ratings)[-width:]
    low, high = min(known), max(known)
    span = high - low or 1
    line = "".join(" " if rating is None else _LEVELS[(rating - low) * (len(_LEVELS) - 1) // span] for rating in shown)
    return f"{known[0]} {line} {known[-1]}   (lowest {low}, highest {high})"
