"""What the desk asks of the archive, and how a player is found in it."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import TABLES, Grid, Page, Period, Problem, Refused, empty, id_code, id_text, numbers

MOST = 30
"""Candidates shown when a name fits several players."""


class Sealed(Protocol):
    """The sealed months, as far as the desk needs them."""

    def periods(self) -> list[Period]:
        """The sealed months, oldest first."""
        ...

    def table(
        self, period: Period, name: str, columns: Sequence[str] | None = None, fideid: int | None = None
    ) -> pa.Table:
        """A table of a month, or the rows of one player."""
        ...

    def manifest(self, period: Period) -> dict[str, Any]:
        """What the month says of itself: ``edition``, ``version``, inputs."""
        ...

    def cover(self, period: Period) -> dict[str, Any]:
        """The same, but perhaps without ``events`` and ``files``, which take long to read: ``kind``, ``base``, ``edition``."""
        ...

    def list_in_force(self, day: date) -> Period | None:
        """The sealed list in force on a day."""
        ...


def require_month(archive: Sealed, period: Period) -> None:
    """Nothing, if the month is sealed.

    Raises:
        Refused: naming the months there are.
    """
    sealed = archive.periods()
    if period not in sealed:
        raise Refused(
            Problem(
                "no-month", "error", "", None, None,
                f"{period} is not sealed; sealed months: {', '.join(map(str, sealed)) or 'none'}",
                f"fide-batch run --period {period} PATH seals it",
            )
        )  # fmt: skip


def table(
    archive: Sealed, period: Period, name: str, columns: Sequence[str] | None = None, fideid: int | None = None
) -> pa.Table:
    """A table of a month; empty for a month that is only a list somebody started from."""
    if archive.cover(period).get("kind") == "list" and name not in ("list", "kept", "problems"):
        schema = TABLES[name]
        return empty(pa.schema([schema.field(column) for column in columns]) if columns else schema)
    return archive.table(period, name, columns, fideid)


def are(rows: pa.Table, name: str, word: str) -> np.ndarray:
    """Which rows have a word in a column."""
    column = rows.column(name)
    if not pa.types.is_dictionary(column.type):
        return pc.equal(column, word).fill_null(False).to_numpy()
    found = [np.zeros(0, bool)]
    for chunk in column.chunks:
        place = pc.index(chunk.dictionary, word).as_py()
        found.append(chunk.indices.fill_null(-2).to_numpy() == place if place >= 0 else np.zeros(len(chunk), bool))
    return np.concatenate(found)


def edition_name(archive: Sealed, period: Period) -> str:
    """The edition a month was rated by; '' for a list that was not rated here."""
    edition = archive.cover(period).get("edition") or ""
    return str(edition.get("name", "") if isinstance(edition, dict) else edition)


def before(archive: Sealed, period: Period) -> Period | None:
    """The sealed month before a period."""
    earlier = [other for other in archive.periods() if other < period]
    return earlier[-1] if earlier else None


def row_of(
    archive: Sealed, period: Period, fideid: int, columns: Sequence[str] | None = None, list_: str = "list"
) -> dict[str, Any]:
    """A player's row of the list of a month, or of the list the month started from (``base``); empty when he is not on it."""
    rows: list[dict[str, Any]] = archive.table(period, list_, columns, fideid).to_pylist()
    return rows[0] if rows else {}


def names_of(archive: Sealed, period: Period, ids: Iterable[int]) -> dict[int, str]:
    """The names of some players: from the list of a month, else from its changes."""
    wanted = sorted({code for code in ids if code})
    names: dict[int, str] = {}
    for which in ("list", "changes"):
        missing = [code for code in wanted if code not in names]
        if missing:
            found = table(archive, period, which, ["fideid", "name"])
            found = found.filter(pc.is_in(found["fideid"], value_set=pa.array(missing, pa.int64())))
            names |= dict(zip(found["fideid"].to_pylist(), found["name"].to_pylist(), strict=True))
    return {code: name or "" for code, name in names.items()}


def find_player(archive: Sealed, period: Period, text: str) -> tuple[int, Page | None]:
    """The player an id or a part of a name means; or, when it fits several, a page that lists them.

    A name is found by its words, in any order, whatever their case and accents; a whole name that fits exactly one player wins over
    longer ones.

    Returns:
        the id code and None, or 0 and the page (its ``data`` holds ``candidates``).

    Raises:
        Refused: when there is nobody of that id or name, with the nearest names.
    """
    text = text.strip()
    require_month(archive, period)
    code = _as_id(text)
    if code and any(table(archive, period, which, ["fideid"], code).num_rows for which in ("list", "changes", "games")):
        return code, None
    people = _people(archive, period)
    words = [_plain(word) for word in re.split(r"[\s,]+", text) if word]
    names = people["name"]
    found = people.slice(0, 0)
    for searched in (pc.utf8_lower(names), _plain_column(names)):
        mask = pa.chunked_array([pa.array(np.ones(people.num_rows, bool))])
        for word in words:
            mask = pc.and_(mask, pc.match_substring(searched, word))
        found = people.filter(mask) if words else found
        if found.num_rows:
            break
    exact = [
        place for place, name in enumerate(found["name"].to_pylist()) if sorted(_plain(name).replace(",", " ").split()) == sorted(words)
    ]  # fmt: skip
    if len(exact) == 1:
        return found["fideid"][exact[0]].as_py(), None
    if found.num_rows == 1:
        return found["fideid"][0].as_py(), None
    if found.num_rows:
        return 0, _candidates(text, period, found)
    near = _nearest(names, words)
    raise Refused(
        Problem(
            "no-player", "error", "", None, None, f"nobody on the list of {period} has the id or name {text!r}",
            f"near it: {'; '.join(near)}" if near else "give the id, or a part of the name as the list writes it",
        )
    )  # fmt: skip


def _as_id(text: str) -> int:
    if not re.search(r"\d", text):
        return 0
    try:
        return id_code(text)
    except ValueError:
        return 0


def _people(archive: Sealed, period: Period) -> pa.Table:
    """Everybody of a month by id and name: the list, then those who are only in the changes (whose first results wait)."""
    columns = ["fideid", "name"]
    listed = archive.table(period, "list", columns)
    changed = table(archive, period, "changes", columns)
    fresh = changed.filter(~np.isin(numbers(changed, "fideid"), numbers(listed, "fideid")))
    if fresh.num_rows:
        fresh = fresh.group_by("fideid").aggregate([("name", "min")]).rename_columns(columns)
        listed = pa.concat_tables([listed, fresh.select(columns)])
    return listed


def _plain(text: str) -> str:
    """Lower case, without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _plain_column(names: pa.ChunkedArray) -> pa.ChunkedArray:
    decomposed = pc.utf8_normalize(pc.utf8_lower(names), form="NFKD")
    return pc.replace_substring_regex(decomposed, pattern=r"\p{Mn}", replacement="")


def _candidates(text: str, period: Period, found: pa.Table) -> Page:
    found = found.sort_by([("name", "ascending"), ("fideid", "ascending")])
    rows = tuple((id_text(row["fideid"]), row["name"]) for row in found.slice(0, MOST).to_pylist())
    more = found.num_rows - len(rows)
    return Page(
        f"{found.num_rows:,} players of {period} fit {text!r}",
        (
            Grid(("Id", "Name"), rows, frozenset({"Id"})),
            *([f"... and {more:,} more: give more of the name."] if more else ["Ask again with the id."]),
        ),
        {"candidates": [{"fideid": fideid, "name": name} for fideid, name in rows], "count": found.num_rows},
    )


def _nearest(names: pa.ChunkedArray, words: Sequence[str]) -> list[str]:
    """Up to three names near to what was asked, looked for among those that share a beginning of a word with it."""
    near: list[str] = []
    lower = pc.utf8_lower(names)
    for word in words:
        if len(word) < 3:
            continue
        some = names.filter(pc.match_substring(lower, word[:3])).slice(0, 3000).to_pylist()
        by_plain = {_plain(name): name for name in some}
        near += [by_plain[name] for name in difflib.get_close_matches(" ".join(words), by_plain, 3, 0.5)]
    return list(dict.fromkeys(near))[:3]
