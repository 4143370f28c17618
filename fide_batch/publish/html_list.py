"""The searchable rating list: data for the script, and the first rows for who has no scripts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.model import CONTROLS, PREFIX, id_texts, numbers
from fide_batch.publish.html_rows import Row, clean
from fide_batch.publish.html_site import Site

MOST = 60_000
"""Players the page holds; of a longer list those who played and the highest rated."""

SHOWN = 100
"""Rows that stand in the page itself."""


def rating_list(site: Site) -> tuple[Row, Row]:
    """The data for the script, and what the template needs."""
    listed = _listed(site)
    columns = _columns(site, listed)
    keys = [column[0] for column in columns]
    signed = [place for place, key in enumerate(keys) if key.endswith("-change")]
    ids = numbers(listed, "fideid").tolist()
    sexes = [(sex or "").upper().replace("W", "F") for sex in listed["sex"].to_pylist()]
    active = ["i" not in (flag or "").lower() for flag in listed["flag"].to_pylist()]
    rows = [
        [*cells, site.page_of(code), sex, is_active, code in site.has_page]
        for cells, code, sex, is_active in zip(
            zip(*(column[3] for column in columns), strict=True), ids, sexes, active, strict=True
        )
    ]
    data = {
        "name": keys.index("name"),
        "search": [keys.index(key) for key in ("name", "id", "fed")],
        "signed": signed,
        "rows": rows,
    }
    first = []
    for row in rows[:SHOWN]:
        cells = [words.signed(cell) if place in signed else cell for place, cell in enumerate(row[: len(columns)])]
        first.append({"cells": cells, "page": row[len(columns)]})
    heads = [{"key": key, "text": head, "numeric": numeric} for key, head, numeric, _ in columns]
    total = site.tables["list"].num_rows
    return data, {"heads": heads, "first": first, "total": total, "shown": len(rows), "left_out": len(rows) < total}


def _listed(site: Site) -> pa.Table:
    """The players of the page, by name."""
    players = site.tables["list"]
    if players.num_rows > MOST:
        keep = np.isin(site.ids, np.array(site.players, np.int64))
        keep[np.argsort(-site.highest(site.ids), kind="stable")[: MOST // 2]] = True
        players = players.filter(pa.array(keep))
    keys = [("name", "ascending"), ("fideid", "ascending")]
    return players.take(pc.sort_indices(players.select(["name", "fideid"]), sort_keys=keys))


def _columns(site: Site, listed: pa.Table) -> list[tuple[str, str, bool, list[Any]]]:
    """Key, head, whether numbers, cells; a control nobody is rated in is left out."""
    columns: list[tuple[str, str, bool, list[Any]]] = [("name", "Name", False, clean(listed["name"].to_pylist()))]
    ids = numbers(listed, "fideid").tolist()
    for control in CONTROLS:
        ratings = listed[PREFIX[control] + "rating"].to_pylist()
        if control != "standard" and not any(ratings):
            continue
        own = (row for row in site.changes if row["control"] == control and row["change"] is not None)
        moved = {row["fideid"]: row["change"] for row in own}
        columns += [
            (control, words.CONTROL[control], True, ratings),
            (f"{control}-change", "+/-", True, [moved.get(code) for code in ids]),
        ]
    titles = zip(listed["title"].to_pylist(), listed["w_title"].to_pylist(), strict=True)
    return [
        *columns,
        ("fed", "Fed", False, clean(listed["country"].to_pylist())),
        ("title", "Title", False, [title or w_title or "" for title, w_title in titles]),
        ("born", "Born", True, [_year(text) for text in listed["birthday"].to_pylist()]),
        ("id", "Id", False, id_texts(numbers(listed, "fideid")).to_pylist()),
    ]


def _year(text: str | None) -> int | None:
    year = (text or "")[:4]
    return int(year) if year.isascii() and year.isdigit() and len(year) == 4 and int(year) else None
