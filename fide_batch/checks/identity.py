"""Whether the person a report describes is the one the list has under that id: name, sex, year of birth, federation, title."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.checks.columns import Columns
from fide_batch.checks.federations import LESSER_TITLES, TITLES, WITHOUT, federation, title
from fide_batch.checks.findings import MOST, Findings, one_by_one
from fide_batch.checks.listed import Listed, by_value
from fide_batch.checks.names import differing, verdict
from fide_batch.federations import FEDERATIONS
from fide_batch.model import id_text

Bearers = dict[str, list[int]]
"""Name -> rows of the list with people of that name."""

_WOMEN = {"F": 2, "f": 2, "W": 2, "w": 2, "M": 1, "m": 1}
"""Sex as printed: 1 man, 2 woman; 0 for anything else."""


def check(columns: Columns, findings: Findings, newest: Listed | None, row: np.ndarray, out: np.ndarray) -> None:
    """Every identified player against the newest list, and codes nobody knows.

    Args:
        columns: the players.
        findings: where problems are written down.
        newest: the list; None when there is none.
        row: per player his row in the list, -1 for none.
        out: bool per player: left out by decision.
    """
    _unknown_codes(columns, findings, newest, row, out)
    if newest is None:
        return
    rows = np.flatnonzero((row >= 0) & ~out)
    if not len(rows):
        return
    there = row[rows]
    name = _names(columns, newest, rows, there)
    sex = _sexes(columns, newest, rows, there)
    birth = _births(columns, newest, rows, there)
    country = _federations(columns, newest, rows, there)
    faults = (name == 2).astype(np.int8) + (sex > 0) + (birth > 1) + (country > 0)
    wrong = (name == 2) & (faults >= 2)
    what = {
        "name-differs": name > 0,
        "sex-differs": sex > 0,
        "birth-differs": birth > 1,
        "birth-year": birth == 1,
        "federation-differs": country > 0,
    }

    bearers = newest.bearing([columns.name(row) for row in one_by_one(columns.event_of_entry, rows[wrong])])

    def tell(code: str, mask: np.ndarray) -> None:
        members = np.flatnonzero(mask)
        findings.rows(
            code, columns.event_of_entry[rows[members]], columns.entry_line[rows[members]], None,
            lambda at: _WORDS[code](columns, newest, int(rows[members[at]]), int(there[members[at]]), bearers),
        )  # fmt: skip

    tell("wrong-person", wrong)
    for code, mask in what.items():
        tell(code, mask & ~wrong)
    tell("title-differs", _titles(columns, newest, rows, there) & ~wrong)


def _taken(columns: Columns, name: str, rows: np.ndarray) -> pa.Array:
    column = columns.reports.entries.column(name)
    column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column if len(rows) == len(column) else column.take(pa.array(rows))


def _printed_values(columns: Columns, name: str, rows: np.ndarray, meaning: Callable[[str], int]) -> np.ndarray:
    """What the texts of a column of the reports mean: a number a row."""
    return by_value(_taken(columns, name, rows), meaning)


def _names(columns: Columns, newest: Listed, rows: np.ndarray, there: np.ndarray) -> np.ndarray:
    """0 the same, 1 nearly, 2 another."""
    printed, listed = _taken(columns, "name", rows), newest.take("name", there)
    answer = np.zeros(len(rows), np.int8)
    open_ = differing(printed, listed)
    places = pa.array(open_)
    for place, one, two in zip(
        open_.tolist(), printed.take(places).to_pylist(), listed.take(places).to_pylist(), strict=True
    ):
        answer[place] = {"same": 0, "near": 1, "other": 2}[verdict(one or "", two or "")]
    return answer


def _sexes(columns: Columns, newest: Listed, rows: np.ndarray, there: np.ndarray) -> np.ndarray:
    printed = _printed_values(columns, "sex", rows, lambda text: _WOMEN.get(text, 0))
    listed = newest.values("sex", there, lambda text: _WOMEN.get(text, 0))
    return ((printed > 0) & (listed > 0) & (printed != listed)).astype(np.int8)


def _year(text: str) -> int:
    return int(text[:4]) if text[:4].isascii() and text[:4].isdigit() else 0


def _births(columns: Columns, newest: Listed, rows: np.ndarray, there: np.ndarray) -> np.ndarray:
    """How many years apart; 0 where one side does not say."""
    printed = _printed_values(columns, "birth", rows, _year)
    listed = newest.values("birthday", there, _year)
    return np.where((printed > 0) & (listed > 0), np.abs(printed - listed), 0)


def _federations(columns: Columns, newest: Listed, rows: np.ndarray, there: np.ndarray) -> np.ndarray:
    """1 where both say a federation FIDE knows, and not the same one."""
    codes = {code: place for place, code in enumerate(sorted(FEDERATIONS), 1)}
    printed = _printed_values(columns, "federation", rows, lambda text: codes.get(federation(text), 0))
    listed = newest.values("country", there, lambda text: codes.get(federation(text), 0))
    return ((printed > 0) & (listed > 0) & (printed != listed)).astype(np.int8)


def _titles(columns: Columns, newest: Listed, rows: np.ndarray, there: np.ndarray) -> np.ndarray:
    """A title over the board that the list does not have for the player."""
    codes = {code: place for place, code in enumerate(sorted(TITLES), 1)}
    printed = _printed_values(columns, "title", rows, lambda text: codes.get(title(text), 0))
    answer = printed > 0
    some = np.flatnonzero(answer)  # few have a title
    for name in ("title", "w_title"):
        answer[some] &= printed[some] != newest.values(name, there[some], lambda text: codes.get(title(text), 0))
    return answer


def _other_than(values: pa.Array, known: Callable[[str], bool]) -> np.ndarray:
    """bool for each text of a column: none of those that are known."""
    return by_value(values, lambda text: int(not known(text))) > 0


def _unknown_codes(
    columns: Columns, findings: Findings, newest: Listed | None, row: np.ndarray, out: np.ndarray
) -> None:
    """Federations and titles nobody knows, the list neither: kept as they stand, one warning a report."""
    for column, code, known, expected in (
        ("federation", "unknown-federation", lambda text: federation(text) in FEDERATIONS or federation(text) in WITHOUT, "FIDE's three letters such as ENG"),
        ("title", "unknown-title", lambda text: not title(text) or title(text) in TITLES or title(text) in LESSER_TITLES, "GM, IM, FM, CM, WGM, WIM, WFM or WCM"),
    ):  # fmt: skip
        values = _taken(columns, column, np.arange(len(out)))
        odd = np.flatnonzero(_other_than(values, known) & ~out)
        if newest is not None and column == "federation" and len(odd):
            on_list = odd[row[odd] >= 0]
            same = pc.equal(values.take(pa.array(on_list)), newest.take("country", row[on_list]))
            odd = np.setdiff1d(odd, on_list[same.to_numpy(zero_copy_only=False)], assume_unique=True)
        seen: dict[int, dict[str, list[int]]] = {}
        for place, text in zip(odd.tolist(), values.take(pa.array(odd)).to_pylist(), strict=True):
            seen.setdefault(int(columns.event_of_entry[place]), {}).setdefault(text or "", []).append(place)
        for event, codes in seen.items():
            first = next(iter(codes.values()))[0]
            told = [
                f"{text!r}" + (f" ({len(members)} players)" if len(members) > 1 else "")
                for text, members in codes.items()
            ]
            more = f" and {len(told) - MOST} more" if len(told) > MOST else ""
            findings.add(
                code, event, f"unknown {column} {', '.join(told[:MOST])}{more}; expected {expected}; kept as it stands",
                f"correct it if it matters (the first: {columns.who(first)})", int(columns.entry_line[first]),
            )  # fmt: skip


# --- what is said of each -----------------------------------------------------------------------


def _printed(columns: Columns, row: int, name: str) -> str:
    return columns.reports.entries.column(name)[row].as_py() or ""


def _describe(name: str, sex: str, birth: str, country: str) -> str:
    woman = {1: "m", 2: "w"}.get(_WOMEN.get(sex, 0), "")
    details = ", ".join(filter(None, [country.upper(), woman, birth[:4]]))
    return name + (f" ({details})" if details else "")


def _wrong_person(columns: Columns, newest: Listed, row: int, there: int, bearers: Bearers) -> tuple[str, str]:
    printed = _describe(columns.name(row), *(_printed(columns, row, name) for name in ("sex", "birth", "federation")))
    listed = _describe(*(newest.text(name, there) for name in ("name", "sex", "birthday", "country")))
    number = columns.number[row]
    same = bearers.get(columns.name(row), [])
    hint = "the list has " + "; ".join(map(newest.person, same)) + ": " if same else ""
    return (
        f"{number} {printed}: id {id_text(int(columns.fideid[row]))} is {listed} on the list; several things differ: probably the wrong person",
        f"{hint}correct the id, decide 'id ...' for row {number}, or 'accept' if it is the same person",
    )


def _differs(what: str, printed: str, listed: str):
    def word(columns: Columns, newest: Listed, row: int, there: int, bearers: Bearers) -> tuple[str, str]:
        one, two = (
            _printed(columns, row, printed),
            " or ".join(filter(None, (newest.text(name, there) for name in listed.split()))),
        )
        return (
            f"{columns.who(row)}: {what} {one}, the list has {two or 'none'} for id {id_text(int(columns.fideid[row]))}; the list decides",
            "look whether the id is right",
        )

    return word


_WORDS = {
    "wrong-person": _wrong_person,
    "name-differs": _differs("name", "name", "name"),
    "sex-differs": _differs("sex", "sex", "sex"),
    "birth-differs": _differs("born", "birth", "birthday"),
    "birth-year": _differs("born", "birth", "birthday"),
    "federation-differs": _differs("federation", "federation", "country"),
    "title-differs": _differs("title", "title", "title w_title"),
}
