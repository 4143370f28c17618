"""What the checks ask of a list's columns at once is what they would ask player by player. Every name is invented."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fide_batch.checks.findings import MOST
from fide_batch.checks.listed import Listed
from fide_batch.model import LIST, table
from tests.checks.build import PEOPLE, check, rating_list, report

NAMES = st.lists(st.sampled_from(["", "A", "Ab", "Moor, B", "Moor, Be", "Moor, Ben", "Moor, Ben Carl", "Moor, Xen Carl", "Öst, Åse", "Ost, Åse", "Vale, Ann-Marie Zoe"]), min_size=1, max_size=30)  # fmt: skip


def a_list(names, **columns):
    found = {"fideid": list(range(1, len(names) + 1)), "name": names, **columns}
    return Listed(table(LIST, found))


@settings(deadline=None)
@given(NAMES, st.data())
def test_namesakes_are_all_found(names, data):
    rows = np.array(data.draw(st.lists(st.sampled_from(range(len(names))), unique=True, min_size=1).map(sorted)))
    listed = a_list(names)

    found = listed.namesakes(rows).tolist()

    count = Counter(names[row] for row in rows)
    assert found == sorted(found) and set(found) <= set(rows.tolist())
    assert {row for row in rows.tolist() if count[names[row]] > 1} <= set(found)


def test_namesakes_in_a_piece_of_a_longer_column():
    whole = table(LIST, {"fideid": [1, 2, 3, 4], "name": ["Vale, Ann", "Moor, Ben", "Falk, Cora", "Moor, Ben"]})
    assert Listed(whole.slice(1, 3)).namesakes(np.array([0, 1, 2])).tolist() == [0, 2]


def test_hardly_anybody_is_taken_for_a_namesake():
    names = [f"Player {place:04}, Nr {place * 7919 % 1000:03}" for place in range(500)]
    assert len(a_list(names).namesakes(np.arange(500))) == 0


@pytest.mark.parametrize("rows", [[], [2], [0, 1, 2, 3], [3, 3, 0]])
def test_what_a_column_means_at_some_rows(rows):
    listed = a_list(["a", "b", "c", "d"], country=["ENG", "", "SCO", "ENG"])
    assert listed.values("country", np.array(rows, np.int64), len).tolist() == [[3, 0, 3, 3][row] for row in rows]


@pytest.mark.parametrize("pairs", [1, MOST + 3])
def test_of_very_many_pairs_the_same_are_told_whether_namesakes_are_looked_for_first(pairs, monkeypatch):
    people = {"Reed, Dan": PEOPLE["Reed, Dan"]}
    players = []
    for place in range(pairs):
        for second in (0, 1):
            birth = str(1990 - place % 3)
            people[f"Moor, Ben {place // 2}{' ' * second}{'  ' * (place % 2)}"] = (
                1600000 + 2 * place + second,
                "M",
                "ENG",
                birth,
                1700,
            )
            players.append(
                {"name": f"Moor, Ben {place // 2}", "fideid": 1600000 + 2 * place + second, "birth": birth, "federation": "ENG", "rating": 1700, "sex": "m"}
            )  # fmt: skip
    known = rating_list(people, name=[name.strip() for name in people])
    count = len(players)
    event = report(
        *(f"X: {place + 2 if place % 2 == 0 else place}{'w1' if place % 2 == 0 else 'b0'}" for place in range(count)),
        entries={place + 1: fields for place, fields in enumerate(players)},
    )

    fast = check(event, players=known)
    monkeypatch.setattr(Listed, "namesakes", lambda _, rows: rows)
    slow = check(event, players=known)

    assert fast.problems == slow.problems
    assert sum(problem.code == "two-ids" for problem in fast.problems) == min(pairs, MOST + 1)
