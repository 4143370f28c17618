"""The order of the sheet, and the names events have on it."""

import pytest

from tests.rules.build import event, month

FIELD = {1: 1800, 2: 1800}


def order(*events):
    rated = month(FIELD, *events, older={"2026-09": FIELD})
    return list(dict.fromkeys(rated.rated.games.column("event").to_pylist()))


def game(name, start, end="", **more):
    return event(name, [1, 2], ["1-2 ="], start=start, end=end, **more)


def test_events_stand_by_first_day_last_day_name_and_file():
    events = [
        game("A", "2026-10-12"),
        game("B", "2026-10-10", "2026-10-12"),
        game("C", "2026-10-10", "2026-10-11"),
        game("D", "2026-09-05"),
        game("E", "2026-10-12"),
    ]
    for turned in (events, events[::-1], [*events[2:], *events[:2]]):
        assert order(*turned) == ["D", "C", "B", "A", "E"]


@pytest.mark.parametrize(
    ("named", "labels"),
    [
        ([("Cup", "a.trf"), ("Open", "b.trf")], ["Cup", "Open"]),
        ([("Cup", "a.trf"), ("Cup", "b.trf"), ("Open", "c.trf")], ["Cup (a.trf)", "Cup (b.trf)", "Open"]),
        ([("", "a.trf"), ("Open", "b.trf")], ["(a.trf)", "Open"]),
        ([("", "a.trf"), ("", "b.trf")], ["(a.trf)", "(b.trf)"]),
        ([("Cup", "a.trf"), ("Cup", "a.trf"), ("Cup", "a.trf")], ["Cup (a.trf)", "Cup (a.trf) 2", "Cup (a.trf) 3"]),
        ([("Cup", "a.trf"), ("Cup", "b.trf"), ("Cup (a.trf)", "c.trf")], ["Cup (a.trf) 2", "Cup (b.trf)", "Cup (a.trf)"]),
    ],
)  # fmt: skip
def test_events_of_one_name_are_told_apart_by_their_files(named, labels):
    assert order(*(game(name, "2026-10-10", file=file) for name, file in named)) == labels
