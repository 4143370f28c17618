"""What a person wants to see when a month has been rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.desk.sealed import are
from fide_batch.model import CONTROLS, POINT, PREFIX, Event, Grid, Heading, Page, Period, Problem, id_text, numbers
from fide_batch.regulations.edition import Edition
from fide_batch.rules.change import half_away_from_zero
from fide_batch.rules.tally import Tally

EVENTS_SHOWN = 30
PLAYERS_SHOWN = 10
GAINS_SHOWN = 5


def summary(
    period: Period, rated: Any, events: Sequence[Event], problems: Sequence[Problem], edition: Edition, edition_in_force_name: str,
    files: Mapping[str, str], *, left_out: Sequence[str] = (), inactive: pa.Table | None = None, sealed: bool = True,
) -> Page:  # fmt: skip
    """What was read, rated, not rated and why; who gained most, is new, waits, fell out; by which rules; where the files are.

    Args:
        period: the month.
        rated: its tables as attributes: ``list``, ``changes``, ``events``, ``pending``, and the games ``in_pieces``.
        events: the heads of the reports that were rated.
        problems: of the whole month.
        edition: of the list.
        edition_in_force_name: FIDE's own edition on the list's date; '' when there is none.
        files: what was written, by what it is.
        left_out: reports left out as faulty.
        inactive: the table of ``desk.inactive``, for who became inactive.
        sealed: False when nothing was kept (a dry run).
    """
    changes = _plain(rated.changes)
    is_first, is_rated = are(changes, "status", "first-rating"), are(changes, "status", "rated")
    blocks: list[str | Grid] = [*_read(events, rated.in_pieces.tally, left_out)]
    blocks += _rated(changes, rated.list)
    blocks += _not_rated(rated.in_pieces.tally)
    blocks += _gains(changes)
    blocks += _new(changes)
    waiting, waiting_blocks = _waiting(changes, rated.pending, rated.list)
    blocks += waiting_blocks
    blocks += _fallen(changes, inactive)
    blocks += [Heading("Rules"), _rules(edition, edition_in_force_name)]
    if problems:
        blocks.append(_problems(problems))
    blocks += _files(files, sealed, period)
    data = {
        "period": str(period), "edition": edition.name, "edition_in_force": edition_in_force_name, "sealed": sealed,
        "events": len(events), "left_out": list(left_out), "players_on_list": rated.list.num_rows,
        "rated": {control: _count(is_rated & are(changes, "control", control)) for control in CONTROLS},
        "new": _count(is_first), "delisted": _count(are(changes, "status", "delisted")), "waiting": waiting,
        "problems": {severity: sum(problem.severity == severity for problem in problems) for severity in ("error", "warning", "note")},
        "files": dict(files),
    }  # fmt: skip
    return Page(f"Rating {words.list_text(period)}", tuple(blocks), data)


def _plain(table: pa.Table) -> pa.Table:
    """The same rows in one piece, so that the words of a column are one set."""
    return table.unify_dictionaries().combine_chunks()


def _count(mask: np.ndarray) -> int:
    return int(np.count_nonzero(mask))


def _rows(table: pa.Table, mask: np.ndarray, names: Sequence[str]) -> pa.Table:
    """Some rows and columns, words as texts."""
    found = table.select(list(names)).take(pa.array(np.flatnonzero(mask)))
    return pa.table([
        column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column for column in found.columns
    ], names=found.column_names)  # fmt: skip


def _read(events: Sequence[Event], games: Tally, left_out: Sequence[str]) -> list[str | Grid]:
    shown = sorted(events, key=lambda event: (event.start is None, event.start, event.file))[:EVENTS_SHOWN]
    rows = []
    for event in shown:
        players, all_games, rated = (column[event.file] for column in (games.players, games.results, games.counted))
        rows.append(
            (event.name or event.file, words.iso(event.start), words.iso(event.end), event.control, str(players), str(rated), str(all_games - rated))
        )  # fmt: skip
    heads = ("Event", "From", "To", "Control", "Players", "Counted", "Not")
    blocks: list[str | Grid] = [
        Heading("Read"),
        f"{words.count_text(len(events), 'event')}, {words.count_text(games.results.total(), 'result')} (one for each side of a game).",
        Grid(heads, tuple(rows), frozenset(heads[4:])),
    ]
    if len(events) > EVENTS_SHOWN:
        blocks.append(f"... and {len(events) - EVENTS_SHOWN:,} more events.")
    if left_out:
        blocks.append("Left out because of errors: " + ", ".join(left_out) + ".")
    return blocks if events else [*blocks[:2], *blocks[3:]]


def _rated(changes: pa.Table, new: pa.Table) -> list[str | Grid]:
    heads = ("Control", "On the list", "Changed by games", "First ratings", "Adjusted", "Average change")
    rows = []
    change, known = numbers(changes, "change"), changes.column("change").is_valid().to_numpy()
    is_rated, is_first, is_adjusted = (are(changes, "status", word) for word in ("rated", "first-rating", "adjusted"))
    for control in CONTROLS:
        own = are(changes, "control", control)
        moved = change[own & is_rated & known]
        rating = new.column(PREFIX[control] + "rating")
        on_list = (
            int(np.count_nonzero(numbers(new, PREFIX[control] + "rating"))) if rating.null_count < len(rating) else 0
        )
        if not own.any() and not on_list:
            continue
        total = int(moved.sum(dtype=np.int64))
        average = int(half_away_from_zero(100 * total, len(moved))) * (POINT // 100) if len(moved) else None
        rows.append((
            words.CONTROL[control], f"{on_list:,}", f"{len(moved):,}", f"{_count(own & is_first):,}", f"{_count(own & is_adjusted):,}",
            words.signed_points(average),
        ))  # fmt: skip
    return [Heading("Rated"), Grid(heads, tuple(rows), frozenset(heads[1:]))] if rows else []


def not_rated(games: Tally) -> list[tuple[str, int]]:
    """Why results do not count, and how many: the most frequent reason first."""
    counts = {name or "no reason given": count for name, count in games.not_counted.items()}
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _not_rated(games: Tally) -> list[str | Grid]:
    reasons = not_rated(games)
    if not reasons:
        return []
    total = sum(count for _, count in reasons)
    rows = [(f"{count:,}", reason) for reason, count in reasons[:12]]
    if reasons[12:]:
        rows.append((f"{sum(count for _, count in reasons[12:]):,}", "other reasons"))
    return [
        Heading("Not rated"),
        Grid(("Results", "Why"), tuple(rows), frozenset({"Results"}), f"{words.count_text(total, 'result')} do not count"),
    ]  # fmt: skip


def _gains(changes: pa.Table) -> list[str | Grid]:
    blocks: list[str | Grid] = []
    change, is_rated = numbers(changes, "change"), are(changes, "status", "rated")
    shown = ("name", "fideid", "rating_before", "change", "rating_after", "games")
    heads = ("Name", "Id", "Before", "Change", "After", "Games")
    for control in CONTROLS:
        own = is_rated & are(changes, "control", control)
        for title, sign in (("gained most", 1), ("lost most", -1)):
            gain = np.where(own, sign * change, 0)
            places = np.flatnonzero(gain > 0)
            if not len(places):
                continue
            # Everybody who gained as much as the last one shown; among equals the name decides.
            least = np.partition(gain[places], -min(GAINS_SHOWN, len(places)))[-min(GAINS_SHOWN, len(places))]
            found = _rows(changes, gain >= least, shown).to_pylist()
            found.sort(key=lambda row: (-row["change"], row["name"], row["fideid"]), reverse=sign < 0)
            rows = tuple(
                (
                    row["name"], id_text(row["fideid"]), words.number(row["rating_before"]), words.signed(row["change"]),
                    words.number(row["rating_after"]), words.number(row["games"]),
                )
                for row in found[:GAINS_SHOWN]
            )  # fmt: skip
            blocks.append(Grid(heads, rows, frozenset(heads[1:]), f"{words.CONTROL[control]}: {title}"))
    return [Heading("Gains and losses"), *blocks] if blocks else []


def _new(changes: pa.Table) -> list[str | Grid]:
    new = _rows(
        changes, are(changes, "status", "first-rating"), ("name", "fideid", "control", "games", "score", "rating_after")
    )  # fmt: skip
    place = pc.index_in(new["control"], pa.array(CONTROLS))
    order = pc.sort_indices(
        pa.table({"control": place, "rating": new["rating_after"].fill_null(0), "name": new["name"]}),
        sort_keys=[("control", "ascending"), ("rating", "descending"), ("name", "ascending")],
    )
    rows = [
        (
            row["name"], id_text(row["fideid"]), row["control"], words.number(row["games"]), words.points(row["score"]),
            words.number(row["rating_after"]),
        )
        for row in new.take(order.slice(0, PLAYERS_SHOWN)).to_pylist()
    ]  # fmt: skip
    heads = ("Name", "Id", "Control", "Games", "Score", "Rating")
    return _some("New on the list", heads, rows, new.num_rows, {"Id", "Games", "Score", "Rating"})


def _waiting(changes: pa.Table, pending: pa.Table, new: pa.Table) -> tuple[int, list[str | Grid]]:
    """How many players wait for a first rating in a control, and those shown: who played this month first, by name."""
    kept = pa.table({
        "fideid": pending["fideid"], "control": pending["control"].cast(pa.string()), "games": pending["games"], "expires": pending["expires"]
    })  # fmt: skip
    waiting = kept.group_by(["fideid", "control"], use_threads=False).aggregate([("games", "sum"), ("expires", "max")])
    told = _rows(
        changes, np.isin(numbers(changes, "fideid"), numbers(pending, "fideid")), ("fideid", "control", "status", "why")
    )  # fmt: skip
    played = told.filter(are(told, "status", "pending"))
    fresh = np.zeros(waiting.num_rows, bool)
    for control in CONTROLS:
        fresh |= are(waiting, "control", control) & np.isin(
            numbers(waiting, "fideid"), numbers(played.filter(are(played, "control", control)), "fideid")
        )
    people = new.select(["fideid", "name"]).filter(
        pc.is_in(new["fideid"], value_set=waiting["fideid"].combine_chunks())
    )
    name = people["name"].take(pc.index_in(waiting["fideid"], people["fideid"].combine_chunks())).fill_null("")
    order = pc.sort_indices(
        pa.table({"old": ~fresh, "name": name, "fideid": waiting["fideid"]}),
        sort_keys=[("old", "ascending"), ("name", "ascending"), ("fideid", "ascending")],
    )[:PLAYERS_SHOWN]
    rows = []
    for row, known_as in zip(waiting.take(order).to_pylist(), name.take(order).to_pylist(), strict=True):
        whys = [
            why
            for table, column in ((pending, "missing"), (played, "why"))
            for why in _of(table, row["fideid"], row["control"]).column(column).to_pylist()
            if why
        ]
        rows.append((
            known_as, id_text(row["fideid"]), row["control"], str(row["games_sum"] or 0), whys[0] if whys else "", words.iso(row["expires_max"]),
        ))  # fmt: skip
    heads = ("Name", "Id", "Control", "Games", "Missing", "Until")
    return waiting.num_rows, _some("Waiting for a first rating", heads, rows, waiting.num_rows, {"Id", "Games"})


def _of(table: pa.Table, fideid: int, control: str) -> pa.Table:
    """A player's rows in a control."""
    return table.filter(
        pc.and_(pc.equal(table["fideid"], fideid), pc.equal(table["control"].cast(pa.string()), control))
    )


def _fallen(changes: pa.Table, inactive: pa.Table | None) -> list[str | Grid]:
    gone = are(changes, "status", "delisted")
    found = _rows(
        changes, gone & (np.cumsum(gone) <= PLAYERS_SHOWN), ("name", "fideid", "control", "rating_before", "why")
    )
    rows = [
        (row["name"], id_text(row["fideid"]), row["control"], words.number(row["rating_before"]), row["why"])
        for row in found.to_pylist()
    ]  # fmt: skip
    blocks = _some(
        "Fallen off the list", ("Name", "Id", "Control", "Before", "Why"), rows, _count(gone), {"Id", "Before"}
    )
    if inactive is not None and inactive.num_rows:
        fresh = are(inactive, "status", "inactive") & (numbers(inactive, "news") != 0)
        shown = _rows(inactive, fresh & (np.cumsum(fresh) <= PLAYERS_SHOWN), ("name", "fideid", "last_played"))
        listed = [(row["name"], id_text(row["fideid"]), words.iso(row["last_played"])) for row in shown.to_pylist()]
        blocks += _some("Inactive from this list on", ("Name", "Id", "Last event"), listed, _count(fresh), {"Id"})
    return blocks


def _some(
    title: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], count: int, numeric: set[str]
) -> list[str | Grid]:  # fmt: skip
    """The first rows under a heading with the count of all; nothing when there are none."""
    if not count:
        return []
    blocks: list[str | Grid] = [Heading(f"{title}: {count:,}"), Grid(heads, tuple(rows), frozenset(numeric))]
    if count > len(rows):
        blocks.append(f"... and {count - len(rows):,} more.")
    return blocks


def _rules(edition: Edition, in_force: str) -> str:
    text = f"Rated by edition {edition.name}: {edition.title}."
    if in_force and in_force != edition.name:
        text += (
            f" FIDE's own on this date is {in_force}: choose it with --rules {in_force}, or --rules in-force for each event's own."
        )  # fmt: skip
    return text


def _problems(problems: Sequence[Problem]) -> str:
    counts = [
        words.count_text(count, severity)
        for severity in ("error", "warning", "note")
        if (count := sum(problem.severity == severity for problem in problems))
    ]
    return f"The checks had to say: {', '.join(counts)}."


def _files(files: Mapping[str, str], sealed: bool, period: Period) -> list[str | Grid]:
    if not sealed:
        return [Heading("Files"), "A dry run: nothing was written."]
    if not files:
        return []
    rows = tuple((what, where) for what, where in files.items())
    return [
        Heading("Files"), Grid(("What", "Where"), rows),
        f"Why a rating is what it is: fide-batch explain NAME --period {period}",
    ]  # fmt: skip
