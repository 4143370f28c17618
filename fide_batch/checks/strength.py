"""Printed ratings against the list in force, results nobody would expect, one person under two ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from fide_batch.checks.columns import Columns
from fide_batch.checks.findings import Findings
from fide_batch.checks.listed import Listed
from fide_batch.model import CONTROLS, POINT, Period, id_text, points_text

UNLIKELY = 600
"""A performance so many points from the rating is worth a look."""

FEWEST_GAMES = 4
"""... when it rests on so many games."""


def in_force(columns: Columns, player: np.ndarray, lists: Sequence[Listed], list_of_event: Sequence[int]) -> np.ndarray:
    """Per player of a report the rating he is rated from: of the list at the event's start, the standard one standing in; 0 for none."""
    rating = np.zeros(len(player), np.int32)
    events = columns.events
    place_of = np.array(list_of_event, np.int64) if len(events) else np.zeros(0, np.int64)
    control_of = np.array([CONTROLS.index(event.control) if event.control else 0 for event in events], np.int64)
    for place, listed in enumerate(lists):
        members = np.flatnonzero(place_of[columns.event_of_entry] == place) if len(events) else np.zeros(0, np.int64)
        if not len(members):
            continue
        row = listed.rows(player[members])
        there = row >= 0
        members, row = members[there], row[there]
        standard = listed.ratings("standard")[row]
        rating[members] = standard
        for number, control in enumerate(CONTROLS[1:], 1):
            of = control_of[columns.event_of_entry[members]] == number
            if of.any():
                own = listed.ratings(control)[row[of]]
                rating[members[of]] = np.where(own > 0, own, standard[of])
    return rating


def printed_ratings(
    columns: Columns,
    findings: Findings,
    rating: np.ndarray,
    player: np.ndarray,
    names: Sequence[Period | None],
    list_of_event: Sequence[int],
) -> None:
    """Ratings a report prints that the list in force does not have: one warning a report. The list decides."""
    differ = (columns.rating > 0) & (player != 0) & (columns.rating != rating) & (rating > 0)
    compared = (columns.rating > 0) & (rating > 0)
    count = len(columns.events)
    totals = np.bincount(columns.event_of_entry[compared], minlength=count)
    wrong = np.bincount(columns.event_of_entry[differ], minlength=count)
    for place in np.flatnonzero(wrong).tolist():
        rows = columns.entries_of(place)
        row = rows.start + int(np.flatnonzero(differ[rows])[0])
        period = names[list_of_event[place]]
        findings.add(
            "rating-differs", place,
            f"{wrong[place]} of {totals[place]} printed ratings {'differs' if wrong[place] == 1 else 'differ'} from the list "
            f"{f'of {period} ' if period else ''}in force at the start; "
            f"the list decides (the first: {columns.who(row)} {columns.rating[row]}, list {rating[row]})",
            "nothing to do, unless many differ: then look at the dates and the control", int(columns.entry_line[row]),
        )  # fmt: skip


def unlikely(columns: Columns, findings: Findings, rating: np.ndarray, result: np.ndarray) -> None:
    """Performances 600 points and more from the rating: often two players exchanged, or a wrong id."""
    from fide_batch import regulations

    players = len(rating)
    if not players or not rating.any():
        return
    value = np.full(256, -1, np.int64)
    value[[ord("1"), ord("="), ord("0")]] = POINT, POINT // 2, 0
    games = np.zeros(players, np.int64)
    against = np.zeros(players, np.int64)
    score = np.zeros(players, np.int64)
    for piece in columns.slices():
        worth = value[result[piece]]
        opponent = np.take(rating, columns.opponent[piece], mode="clip")
        counted = (worth >= 0) & (columns.opponent[piece] >= 0) & (opponent > 0)
        entry = columns.entry[piece]
        low, high = int(entry[0]), int(entry[-1]) + 1
        bounds = columns.first[low : high + 1] - piece.start
        for total, values in (
            (games, counted),
            (against, np.where(counted, opponent, 0)),
            (score, np.where(counted, worth, 0)),
        ):
            running = np.zeros(len(entry) + 1, np.int64)
            np.cumsum(values, out=running[1:])
            total[low:high] = running[bounds[1:]] - running[bounds[:-1]]
    rows = np.flatnonzero((games >= FEWEST_GAMES) & (rating > 0))
    n, w, own = games[rows], score[rows], rating[rows]
    mean = (2 * against[rows] + n) // (2 * n)
    # All or nothing says little of how strong: half a point less (more) is what it is compared with.
    w = np.clip(w, POINT // 2, n * POINT - POINT // 2)
    percent = (200 * w + n * POINT) // (2 * n * POINT)
    dp = np.array(regulations.edition("classic").performance)
    performance = mean + dp[percent]
    far = np.abs(performance - own) >= UNLIKELY
    odd, shown = rows[far], performance[far]
    findings.rows(
        "unlikely-result", columns.event_of_entry[odd], columns.entry_line[odd], None,
        lambda at: (
            f"{columns.who(int(odd[at]))}, rated {rating[odd[at]]}, has {points_text(int(score[odd[at]]), 1)} in {games[odd[at]]} games, "
            f"a performance of about {shown[at]}: {abs(int(shown[at]) - int(rating[odd[at]]))} points "
            f"{'above' if shown[at] > rating[odd[at]] else 'below'} the rating",
            "look whether the id is right and no two players are exchanged; if all is well, --accept unlikely-result or a decision 'accept'",
        ),
    )  # fmt: skip


def two_ids(columns: Columns, findings: Findings, newest: Listed, row: np.ndarray) -> None:
    """One name and birth on the list under two ids that both played: perhaps one person; nothing is merged."""
    played = np.zeros(newest.table.num_rows, bool)
    played[row[row >= 0]] = True
    there = np.flatnonzero(played)
    if len(there) < 2:
        return
    name = newest.take("name", there).dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)
    birth = newest.take("birthday", there).dictionary_encode()
    key = (name << 32) | birth.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(key, kind="stable")
    same = np.flatnonzero(key[order][1:] == key[order][:-1])
    if not len(same):
        return
    blank = {place for place, text in enumerate(birth.dictionary.to_pylist()) if not text}
    seat: dict[int, int] = {}
    wanted = there[order[np.unique(np.concatenate([same, same + 1]))]]
    places = np.flatnonzero(np.isin(row, wanted))
    for entry in places.tolist():
        seat.setdefault(int(row[entry]), entry)
    pairs = []
    for at in same.tolist():
        one, two = int(there[order[at]]), int(there[order[at + 1]])
        if int(key[order[at]]) & 0xFFFFFFFF not in blank and newest.text("name", one):
            pairs.append(sorted((seat[one], seat[two])))
    here, other = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))

    def word(at: int) -> tuple[str, str]:
        first, second = int(here[at]), int(other[at])
        return (
            f"{columns.who(second)}: id {id_text(int(newest.ids[row[second]]))} and id {id_text(int(newest.ids[row[first]]))} "
            f"({columns.events[int(columns.event_of_entry[first])].file}, line {columns.entry_line[first]}) have one name and birth on the "
            "list: perhaps one person; each is rated by itself",
            "ask the federation; a decision 'id ...' gives one of them the other's id",
        )

    findings.rows("two-ids", columns.event_of_entry[other], columns.entry_line[other], None, word)


def duplicates(newest: Listed) -> list[tuple[str, str]]:
    """Pairs of people of a list with one name and full birth date or year: for the report on duplicates, nothing is merged.

    Returns:
        The two as messages tell them: ``1503014 Vale, Ann (ENG, 2003)``.
    """
    key = pc.binary_join_element_wise(
        pc.utf8_lower(newest.column("name")), newest.column("birthday"), "|"
    ).dictionary_encode()
    code = key.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(code, kind="stable")
    same = np.flatnonzero(code[order][1:] == code[order][:-1])
    pairs = ((int(order[at]), int(order[at + 1])) for at in same)
    return [
        (newest.person(one), newest.person(two))
        for one, two in pairs
        if newest.text("birthday", one) and newest.text("name", one)
    ]
