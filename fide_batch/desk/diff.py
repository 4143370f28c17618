"""Two lists side by side: who differs, by how much, and why where we know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.desk import sealed
from fide_batch.desk.sealed import Sealed
from fide_batch.model import CONTROLS, PREFIX, Grid, Page, Period, id_text, numbers

SHOWN = 15
"""Differences of each kind a page shows."""

IN_DATA = 100_000
"""Differences ``data`` holds at most; the counts are of all."""

DIFFERENCES = pa.schema([
    pa.field("kind", pa.string()), pa.field("fideid", pa.int64()), pa.field("name", pa.string()), pa.field("control", pa.string()),
    pa.field("a", pa.string()), pa.field("b", pa.string()), pa.field("by", pa.int32()), pa.field("why", pa.string()),
])  # fmt: skip
"""A row a difference. ``kind``: only in A, only in B, rating, K, games, flag; ``a`` and ``b`` as the lists print it; ``by`` = b less a."""

KINDS = ("only in A", "only in B", "rating", "K", "games", "flag")


def diff(a: pa.Table, b: pa.Table, names: tuple[str, str], archive: Sealed | None = None) -> Page:
    """Compare two lists.

    Args:
        a: LIST.
        b: LIST.
        names: what to call them; a sealed period's name (``2026-11``) lets the archive say why a rating is what it is.
        archive: the sealed months.

    Returns:
        the page; ``data`` holds ``counts`` by kind (and control) and ``differences``, at most ``IN_DATA``.
    """
    return page_of(differences(a, b, names, archive), a, b, names)


def differences(a: pa.Table, b: pa.Table, names: tuple[str, str], archive: Sealed | None = None) -> pa.Table:
    """Every difference as a row of DIFFERENCES: the kinds in the order of KINDS, in each the largest first."""
    ids_a, ids_b = numbers(a, "fideid"), numbers(b, "fideid")
    rows_a, rows_b = _common(ids_a, ids_b)
    alone_a, alone_b = np.ones(len(ids_a), bool), np.ones(len(ids_b), bool)
    alone_a[rows_a], alone_b[rows_b] = False, False
    parts = [_alone("only in A", a, alone_a), _alone("only in B", b, alone_b)]
    for kind, column in (("rating", "rating"), ("K", "k"), ("games", "games")):
        for control in CONTROLS:
            name = PREFIX[control] + column
            if _empty(a, name) or _empty(b, name):
                continue
            parts.append(_numbers_differ(kind, control, a, b, rows_a, rows_b, name))
    if not (_blank(a, "flag") and _blank(b, "flag")):
        parts.append(_flags_differ(a, b, rows_a, rows_b))
    found = pa.concat_tables([DIFFERENCES.empty_table(), *parts]).combine_chunks()
    return _with_reasons(found, names, archive) if found.num_rows else found


def _common(ids_a: np.ndarray, ids_b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the players on both lists, by id; of an id that stands twice on a list the first row."""
    order_a, order_b = np.argsort(ids_a, kind="stable"), np.argsort(ids_b, kind="stable")
    sorted_a, sorted_b = ids_a[order_a], ids_b[order_b]
    if not len(sorted_a) or not len(sorted_b):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    first = np.concatenate([[True], sorted_a[1:] != sorted_a[:-1]])
    place = np.minimum(np.searchsorted(sorted_b, sorted_a), len(sorted_b) - 1)
    both = first & (sorted_b[place] == sorted_a)
    return order_a[both], order_b[place[both]]


def _empty(source: pa.Table, name: str) -> bool:
    """Whether a list does not have a column at all: then there is nothing to compare."""
    column = source[name]
    return bool(column.null_count == len(column))


def _blank(source: pa.Table, name: str) -> bool:
    return not pc.any(pc.not_equal(source[name], "")).as_py()


def _rows(kind: str, control: str, ids: np.ndarray, name: Any, a: Any, b: Any, by: Any) -> pa.Table:
    count = len(ids)
    return pa.table(
        [
            pa.array([kind] * count, pa.string()), pa.array(ids, pa.int64()), name, pa.array([control] * count, pa.string()), a, b, by,
            pa.array([""] * count, pa.string()),
        ],
        schema=DIFFERENCES,
    )  # fmt: skip


def _alone(kind: str, source: pa.Table, mask: np.ndarray) -> pa.Table:
    rows = source.filter(pa.array(mask))
    rating = pc.coalesce(*(rows[PREFIX[control] + "rating"].cast(pa.string()) for control in CONTROLS), "unrated")
    empty = pa.array([""] * rows.num_rows, pa.string())
    a, b = (rating, empty) if kind == "only in A" else (empty, rating)
    return _rows(kind, "", numbers(rows, "fideid"), rows["name"], a, b, pa.nulls(rows.num_rows, pa.int32()))


def _numbers_differ(
    kind: str, control: str, a: pa.Table, b: pa.Table, rows_a: np.ndarray, rows_b: np.ndarray, name: str
) -> pa.Table:
    # Unrated, no K and K 0 are one thing: lists write it in each of the three ways.
    left, right = numbers(a, name)[rows_a], numbers(b, name)[rows_b]
    places = np.flatnonzero(left != right)
    by = right[places].astype(np.int64) - left[places]
    both = (left[places] != 0) & (right[places] != 0) if kind != "games" else np.ones(len(places), bool)
    order = np.lexsort((numbers(a, "fideid")[rows_a[places]], -np.abs(by)))
    places, by, both = places[order], by[order], both[order]

    def texts(values: np.ndarray) -> pa.Array:
        array = pa.array(values[places]).cast(pa.string())
        missing = {"rating": "unrated", "K": "none", "games": "0"}[kind]
        return pc.if_else(pc.equal(array, "0"), missing, array)

    return _rows(
        kind, control, numbers(a, "fideid")[rows_a[places]], a["name"].take(pa.array(rows_a[places])), texts(left), texts(right),
        pa.array(by.astype(np.int32), pa.int32(), mask=~both),
    )  # fmt: skip


def _flags_differ(a: pa.Table, b: pa.Table, rows_a: np.ndarray, rows_b: np.ndarray) -> pa.Table:
    left, right = a["flag"].take(pa.array(rows_a)), b["flag"].take(pa.array(rows_b))
    places = np.flatnonzero(pc.not_equal(pc.utf8_lower(left), pc.utf8_lower(right)).fill_null(False).to_numpy())
    chosen = pa.array(rows_a[places])
    return _rows(
        "flag", "", numbers(a, "fideid")[rows_a[places]], a["name"].take(chosen), left.take(pa.array(places)), right.take(pa.array(places)),
        pa.nulls(len(places), pa.int32()),
    )  # fmt: skip


# --- why -----------------------------------------------------------------------------------------


def _with_reasons(found: pa.Table, names: tuple[str, str], archive: Sealed | None) -> pa.Table:
    """The differences, with what a sealed month among the two knows of the player."""
    known = dict(_reasons(names, archive, set(found["fideid"].to_pylist()))) if archive else {}
    if not known:
        return found
    whys = [
        known.get((fideid, control if kind in ("rating", "K", "games") else ""), "") if kind != "flag" else known.get((fideid, "flag"), "")
        for kind, fideid, control in zip(found["kind"].to_pylist(), found["fideid"].to_pylist(), found["control"].to_pylist(), strict=True)
    ]  # fmt: skip
    return found.set_column(found.schema.get_field_index("why"), "why", pa.array(whys, pa.string()))


def _reasons(names: tuple[str, str], archive: Sealed, players: set[int]) -> Iterator[tuple[tuple[int, str], str]]:
    sealed_periods = {str(period): period for period in archive.periods()}
    wanted = pa.array(sorted(players), pa.int64())
    for name in names:
        period = sealed_periods.get(name)
        if period is None or archive.cover(period).get("kind") == "list":
            continue
        yield from _of_month(archive, period, wanted)


def _of_month(archive: Sealed, period: Period, wanted: pa.Array) -> Iterator[tuple[tuple[int, str], str]]:
    """What a month says of the players: their change there, what still waits, games that did not count."""

    def rows(name: str, columns: list[str]) -> list[dict[str, Any]]:
        source = sealed.table(archive, period, name, ["fideid", *columns])
        found: list[dict[str, Any]] = source.filter(pc.is_in(source["fideid"], value_set=wanted)).to_pylist()
        return found

    left_out: dict[int, dict[str, int]] = {}
    for game in rows("games", ["counted", "reason"]):
        if not game["counted"] and game["reason"]:
            reasons = left_out.setdefault(game["fideid"], {})
            reasons[game["reason"]] = reasons.get(game["reason"], 0) + 1
    for row in rows("pending", ["control", "missing"]):
        if row["missing"]:
            text = f"waits in {period}: {row['missing']}"
            yield (row["fideid"], row["control"]), text
            yield (row["fideid"], ""), text
    for change in rows("changes", ["control", "status", "games", "change_exact", "change", "k", "why"]):
        text = _change_text(period, change)
        reasons = left_out.get(change["fideid"], {})
        if reasons:
            said = (f"{count} {reason.partition(': ')[2] or reason}" for reason, count in sorted(reasons.items()))
            text = f"{text.rstrip('.')}; not counted: {', '.join(said)}"
        yield (change["fideid"], change["control"]), text
        yield (change["fideid"], ""), text


def _change_text(period: Period, change: dict[str, Any]) -> str:
    if change["status"] == "rated":
        return f"{period}: {words.count_text(change['games'] or 0, 'game')}, K {change['k']}: {words.signed_points(change['change_exact'])}"
    return f"{period}: {change['why'] or change['status']}"


# --- for people ----------------------------------------------------------------------------------


def page_of(found: pa.Table, a: pa.Table, b: pa.Table, names: tuple[str, str]) -> Page:
    """The differences as a page."""
    blocks: list[str | Grid] = [
        f"A is {names[0]}, {words.count_text(a.num_rows, 'player')}; B is {names[1]}, {words.count_text(b.num_rows, 'player')}."
    ]
    grouped = found.group_by(["kind", "control"]).aggregate([([], "count_all")]).to_pylist()
    counts = {(row["kind"], row["control"]): row["count_all"] for row in grouped}
    if not counts:
        return Page(
            f"{names[0]} and {names[1]}", (*blocks, "The two lists say the same."), {"counts": {}, "differences": []}
        )
    ordered = [(kind, control) for kind in KINDS for control in ("", *CONTROLS) if (kind, control) in counts]
    title = {"only in A": f"Only in {names[0]}", "only in B": f"Only in {names[1]}"}
    rows = tuple((title.get(kind, kind), control, f"{counts[kind, control]:,}") for kind, control in ordered)
    blocks.append(Grid(("Difference", "Control", "Players"), rows, frozenset({"Players"})))
    for kind, control in ordered:
        own = found.filter(pc.and_(pc.equal(found["kind"], kind), pc.equal(found["control"], control)))
        heads = ("Name", "Id", "A", "B", "By", "Why")
        cells = [
            (row["name"], id_text(row["fideid"]), row["a"], row["b"], words.signed(row["by"]), row["why"])
            for row in own.slice(0, SHOWN).to_pylist()
        ]
        kept = [place for place in range(len(heads)) if place < 2 or any(row[place] for row in cells)]
        said = title.get(kind, f"{words.CONTROL[control]}: {kind}" if control else kind.capitalize())
        blocks.append(
            Grid(
                tuple(heads[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in cells),
                frozenset({"Id", "By"} | ({"A", "B"} if kind != "flag" else set())), f"{said}: {own.num_rows:,}",
            )
        )  # fmt: skip
        if own.num_rows > SHOWN:
            blocks.append(f"... and {own.num_rows - SHOWN:,} more.")
    data = {
        "a": names[0], "b": names[1],
        "counts": {f"{kind} {control}".strip(): count for (kind, control), count in counts.items()},
        "differences": [{**row, "fideid": id_text(row["fideid"])} for row in found.slice(0, IN_DATA).to_pylist()],
    }  # fmt: skip
    return Page(f"{names[0]} and {names[1]}", tuple(blocks), data)
