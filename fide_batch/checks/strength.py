"""Printed ratings against the list in force, results nobody would expect, one person under two ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fide_batch.checks.columns import Columns
from fide_batch.checks.findings import MOST, Findings
from fide_batch.checks.listed import Listed
from fide_batch.model import CONTROLS, POINT, Period, id_text, points_text

UNLIKELY = 600
"""A performance so many points from the rating is worth a look."""

FEWEST_GAMES = 4
"""... when it rests on so many games."""


def in_force(
    columns: Columns, player: np.ndarray, row: np.ndarray, lists: Sequence[Listed], list_of_event: Sequence[int]
) -> np.ndarray:
    """Per player of a report the rating he is rated from: of the list at the event's start, the standard one standing in; 0 for none.

    Args:
        columns: the players.
        player: their ids.
        row: their rows in the newest list, -1 for none.
        lists: by date.
        list_of_event: per report the place of its list.
    """
    rating = np.zeros(len(player), np.int32)
    events = columns.events
    if not len(player) or not lists:
        return rating
    place_of = np.array(list_of_event, np.int64)
    control_of = np.array([CONTROLS.index(event.control) if event.control else 0 for event in events], np.int64)
    for place, listed in enumerate(lists):
        of_list = place_of == place
        if not of_list.any():
            continue
        members = np.flatnonzero(of_list[columns.event_of_entry])
        there = row[members] if place == len(lists) - 1 else listed.rows(player[members])
        members, there = members[there >= 0], there[there >= 0]
        standard = listed.ratings("standard")[there]
        rating[members] = standard
        for number, control in enumerate(CONTROLS[1:], 1):
            if not (control_of[of_list] == number).any():
                continue
            of = control_of[columns.event_of_entry[members]] == number
            own = listed.ratings(control)[there[of]]
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
    # Games, opponents' ratings and half points of a player are summed in one number: 20 bits of half points, 28 of ratings, the rest games.
    one_game = np.zeros(256, np.int64)
    for halves, letter in enumerate("0=1"):
        one_game[ord(letter)] = (1 << 48) + halves
    totals = np.zeros(players, np.int64)
    for piece in columns.slices():
        opponent = np.take(rating, columns.opponent[piece], mode="clip")
        worth = np.take(one_game, result[piece])
        counted = (worth != 0) & (columns.opponent[piece] >= 0) & (opponent > 0)
        worth += opponent.astype(np.int64) << 20
        worth *= counted
        columns.add_up(worth, piece, totals)
    games, against, score = totals >> 48, (totals >> 20) & ((1 << 28) - 1), (totals & ((1 << 20) - 1)) * (POINT // 2)
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
    here, other = _pairs(newest, row, newest.namesakes(there))
    if len(other) and np.bincount(columns.event_of_entry[other]).max() > MOST:
        # Which of very many are told one by one is decided by the order in which all names stand.
        here, other = _pairs(newest, row, there)

    def word(at: int) -> tuple[str, str]:
        first, second = int(here[at]), int(other[at])
        return (
            f"{columns.who(second)}: id {id_text(int(newest.ids[row[second]]))} and id {id_text(int(newest.ids[row[first]]))} "
            f"({columns.events[int(columns.event_of_entry[first])].file}, line {columns.entry_line[first]}) have one name and birth on the "
            "list: perhaps one person; each is rated by itself",
            "ask the federation; a decision 'id ...' gives one of them the other's id",
        )

    findings.rows("two-ids", columns.event_of_entry[other], columns.entry_line[other], None, word)


def _pairs(newest: Listed, row: np.ndarray, there: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Players of one name and birth by the list, two and two, the first that was read first.

    Args:
        newest: the list.
        row: per player his row in the list, -1 for none.
        there: rows of the list that are compared, each of a player.
    """
    name = newest.take("name", there).dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)
    birth = newest.take("birthday", there).dictionary_encode()
    key = (name << 32) | birth.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(key, kind="stable")
    same = np.flatnonzero(key[order][1:] == key[order][:-1])
    blank = {place for place, text in enumerate(birth.dictionary.to_pylist()) if not text}
    seat: dict[int, int] = {}
    wanted = np.zeros(newest.table.num_rows, bool)
    wanted[there[order[np.concatenate([same, same + 1])]]] = True
    for entry in np.flatnonzero((row >= 0) & wanted[row]).tolist():
        seat.setdefault(int(row[entry]), entry)
    pairs = []
    for at in same.tolist():
        one, two = int(there[order[at]]), int(there[order[at + 1]])
        if int(key[order[at]]) & 0xFFFFFFFF not in blank and newest.text("name", one):
            pairs.append(sorted((seat[one], seat[two])))
    here, other = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    return here, other
