"""The columns of each sheet of the workbook, with heads for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import IN_TEN_THOUSANDTHS, PREFIX, PROBLEMS, TABLES, empty, numbers
from fide_batch.publish.sheet_rows import Column


def month_sheets(
    month: Mapping[str, pa.Table],
    chosen: pa.Table,
    selected: pa.ChunkedArray | None,
    controls: Sequence[str],
    in_order: bool,
) -> list[tuple[str, list[Column]]]:
    """The sheets of a month but About.

    Args:
        month: its tables.
        chosen: the players of the list's sheet.
        selected: their ids, when the other sheets are to be about them alone.
        controls: which ratings.
        in_order: whether ``chosen`` is in the order wanted; else it is put in that of names.
    """
    control = controls[0] if len(controls) == 1 else None
    names = _Names(month)
    changes = _part(month, "changes", selected, control)
    return [
        ("Rating list", _list_columns(chosen if in_order else _by_name(chosen), changes, controls)),
        ("Changes", _change_columns(_by_name(changes))),
        ("New players", _new_columns(_of_status(changes, "first-rating"), month["list"])),
        ("Waiting", _waiting_columns(_part(month, "pending", selected, control), names)),
        ("Delisted", _delisted_columns(_of_status(changes, "delisted"))),
        ("Inactive", _inactive_columns(month.get("inactive"), selected)),
        ("Events", _event_columns(_part(month, "events", selected, control), names)),
        ("Games", _game_columns(_part(month, "games", selected, None), names)),
        ("Problems", _problem_columns(month.get("problems"))),
    ]


def kind_of(field: pa.Field) -> str:
    """The kind of a column of a table of ``model``."""
    if field.name in ("fideid", "opponent"):
        return "id"
    if field.name in IN_TEN_THOUSANDTHS:
        return "points"
    if pa.types.is_date(field.type):
        return "day"
    return "number" if pa.types.is_integer(field.type) else "text"


class _Names:
    """Names by id, for tables that hold ids alone."""

    def __init__(self, month: Mapping[str, pa.Table]) -> None:
        tables = [month[name].select(["fideid", "name"]) for name in ("list", "changes") if name in month]
        both = pa.concat_tables(tables)
        ids, places = np.unique(numbers(both, "fideid"), return_index=True)
        self.ids, self.places, self.names = ids, places, both["name"]

    def of(self, source: pa.Table, column: str) -> pa.Array:
        codes = numbers(source, column)
        if not len(self.ids):
            return pa.nulls(len(codes), pa.string())
        place = np.minimum(np.searchsorted(self.ids, codes), len(self.ids) - 1)
        return self.names.take(pa.array(self.places[place], mask=self.ids[place] != codes))


def _part(month: Mapping[str, pa.Table], name: str, selected: pa.ChunkedArray | None, control: str | None) -> pa.Table:
    source = month.get(name)
    if source is None:
        return empty(TABLES[name])
    if control:
        source = source.filter(pc.equal(source["control"].cast(pa.string()), control))
    if selected is not None:
        source = source.filter(pc.is_in(source["fideid"], value_set=selected.combine_chunks()))
    return source


def _by_name(source: pa.Table) -> pa.Table:
    order = pc.sort_indices(
        source.select(["name", "fideid"]), sort_keys=[("name", "ascending"), ("fideid", "ascending")]
    )
    return source.take(order)


def _of_status(changes: pa.Table, status: str) -> pa.Table:
    return _by_name(changes.filter(pc.equal(changes["status"].cast(pa.string()), status)))


_HEADS = {"standard": "Std", "rapid": "Rapid", "blitz": "Blitz"}


def _list_columns(players: pa.Table, changes: pa.Table, controls: Sequence[str]) -> list[Column]:
    columns = [
        Column("Id", players["fideid"], "id"), Column("Name", players["name"], "text"), Column("Fed", players["country"], "text"),
        Column("Sex", players["sex"], "text"), Column("Title", players["title"], "text"),
    ]  # fmt: skip
    for control in controls:
        if len(controls) > 1 and control != "standard" and not numbers(players, PREFIX[control] + "rating").any():
            continue
        prefix, head = PREFIX[control], _HEADS[control]
        columns += [
            Column(head, players[prefix + "rating"], "number"), Column(f"{head} +/-", _changes_of(players, changes, control), "change"),
            Column(f"{head} games", players[prefix + "games"], "number"), Column(f"{head} K", players[prefix + "k"], "number"),
        ]  # fmt: skip
    return [
        *columns, Column("Born", players["birthday"], "text"), Column("W-title", players["w_title"], "text"),
        Column("Other titles", players["o_title"], "text"), Column("Flag", players["flag"], "text"),
    ]  # fmt: skip


def _changes_of(players: pa.Table, changes: pa.Table, control: str) -> pa.Array:
    """This month's change of each player of a list; null where there is none."""
    own = changes.filter(pc.equal(changes["control"].cast(pa.string()), control))
    own = own.filter(pc.is_valid(own["change"]))
    ids = numbers(own, "fideid")
    if not len(ids):
        return pa.nulls(players.num_rows, pa.int32())
    order = np.argsort(ids, kind="stable")
    wanted = numbers(players, "fideid")
    place = order[np.minimum(np.searchsorted(ids[order], wanted), len(ids) - 1)]
    return own["change"].take(pa.array(place, mask=ids[place] != wanted))


def _change_columns(source: pa.Table) -> list[Column]:
    return [
        Column("Id", source["fideid"], "id"), Column("Name", source["name"], "text"), Column("Control", source["control"], "text"),
        Column("Before", source["rating_before"], "number"), Column("Games", source["games"], "number"),
        Column("Score", source["score"], "points"), Column("Expected", source["expected"], "points"),
        Column("K on list", source["k_list"], "number"), Column("K used", source["k"], "number"),
        Column("Sum", source["change_exact"], "change points"), Column("Change", source["change"], "change"),
        Column("After", source["rating_after"], "number"), Column("Status", source["status"], "text"), Column("Why", source["why"], "text"),
    ]  # fmt: skip


def _new_columns(source: pa.Table, players: pa.Table) -> list[Column]:
    ids = numbers(players, "fideid")
    wanted = numbers(source, "fideid")
    if len(ids) and len(wanted):
        order = np.argsort(ids, kind="stable")
        place = order[np.minimum(np.searchsorted(ids[order], wanted), len(ids) - 1)]
        rows = pa.array(place, mask=ids[place] != wanted)
    else:
        rows = pa.nulls(len(wanted), pa.int64())
    return [
        Column("Id", source["fideid"], "id"), Column("Name", source["name"], "text"), Column("Fed", players["country"].take(rows), "text"),
        Column("Born", players["birthday"].take(rows), "text"), Column("Control", source["control"], "text"),
        Column("Games", source["games"], "number"), Column("Score", source["score"], "points"),
        Column("Rating", source["rating_after"], "number"), Column("Why", source["why"], "text"),
    ]  # fmt: skip


def _waiting_columns(source: pa.Table, names: _Names) -> list[Column]:
    return [
        Column("Id", source["fideid"], "id"), Column("Name", names.of(source, "fideid"), "text"), Column("Control", source["control"], "text"),
        Column("Event", source["event"], "text"), Column("Start", source["start"], "day"), Column("End", source["end"], "day"),
        Column("Games", source["games"], "number"), Column("Score", source["score"], "points"), Column("Rc", source["rc"], "number"),
        Column("Ru", source["ru"], "number"), Column("Serves until", source["expires"], "day"), Column("Missing", source["missing"], "text"),
    ]  # fmt: skip


def _delisted_columns(source: pa.Table) -> list[Column]:
    return [
        Column("Id", source["fideid"], "id"), Column("Name", source["name"], "text"), Column("Control", source["control"], "text"),
        Column("Before", source["rating_before"], "number"), Column("Games", source["games"], "number"),
        Column("Sum", source["change_exact"], "change points"), Column("Change", source["change"], "change"), Column("Why", source["why"], "text"),
    ]  # fmt: skip


def _inactive_columns(source: pa.Table | None, selected: pa.ChunkedArray | None) -> list[Column]:
    if source is None:
        return [Column("Id", pa.array([], pa.int64()), "id"), Column("Name", pa.array([], pa.string()), "text")]
    if selected is not None:
        source = source.filter(pc.is_in(source["fideid"], value_set=selected.combine_chunks()))
    heads = {
        "fideid": "Id", "name": "Name", "country": "Fed", "control": "Control", "rating": "Rating", "status": "Status", "news": "New",
        "since": "Since", "last_played": "Last played", "last_event": "Last event", "games": "Games in the window", "source": "Known from",
    }  # fmt: skip
    return [
        Column(heads.get(field.name, field.name), source[field.name], "yes" if field.name == "news" else kind_of(field))
        for field in source.schema
    ]


def _event_columns(source: pa.Table, names: _Names) -> list[Column]:
    return [
        Column("Event", source["event"], "text"), Column("Start", source["start"], "day"), Column("End", source["end"], "day"),
        Column("Control", source["control"], "text"), Column("Id", source["fideid"], "id"), Column("Name", names.of(source, "fideid"), "text"),
        Column("List", source["list"], "text"), Column("Ro", source["own_rating"], "number"), Column("Rc", source["rc"], "number"),
        Column("W", source["score"], "points"), Column("n", source["games"], "number"), Column("Expected", source["expected"], "points"),
        Column("chg", source["chg"], "change points"), Column("K", source["k"], "number"), Column("K*chg", source["k_chg"], "change points"),
        Column("Edition", source["edition"], "text"),
    ]  # fmt: skip


def _game_columns(source: pa.Table, names: _Names) -> list[Column]:
    return [
        Column("Event", source["event"], "text"), Column("Round", source["round"], "number"), Column("Id", source["fideid"], "id"),
        Column("Name", names.of(source, "fideid"), "text"), Column("Colour", source["colour"], "text"), Column("Result", _results(source), "text"),
        Column("Ro", source["own_rating"], "number"), Column("Opponent's id", source["opponent"], "id"),
        Column("Opponent", names.of(source, "opponent"), "text"), Column("Opponent's rating", source["opponent_rating"], "number"),
        Column("D", source["difference"], "number"), Column("D counted", source["counted_difference"], "number"),
        Column("PD", source["expected"], "points"), Column("Score", source["score"], "points"), Column("chg", source["chg"], "change points"),
        Column("Counted", source["counted"], "yes"), Column("Reason", source["reason"], "text"), Column("File", source["file"], "text"),
        Column("Line", source["line"], "number"),
    ]  # fmt: skip


def _results(source: pa.Table) -> pa.ChunkedArray:
    """Results as people write them: a draw is ½, not a sign that looks like the start of a formula."""
    results = source["result"].cast(pa.string())
    return pc.if_else(pc.equal(results, "="), "½", results)


def _problem_columns(source: pa.Table | None) -> list[Column]:
    source = empty(PROBLEMS) if source is None else source
    return [
        Column("Severity", source["severity"], "text"), Column("File", source["file"], "text"), Column("Line", source["line"], "number"),
        Column("Column", source["column"], "number"), Column("What was found", source["message"], "text"),
        Column("What to do", source["hint"], "text"), Column("Code", source["code"], "text"),
    ]  # fmt: skip
