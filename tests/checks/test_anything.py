"""Whatever a reader hands over, the checks answer with problems and never with an exception, and the order of reports and rows does not matter."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fide_batch.checks import skip_faulty
from fide_batch.checks.control_list import control_list
from fide_batch.model import Cell, Entry, Report, Reports, id_code
from tests.checks.build import EVENT, OCTOBER, PEOPLE, check, decide, rating_list

IDS = [0, *[row[0] for row in PEOPLE.values()], 42, id_code("0042"), id_code("Z56538"), 10**17]
LETTERS = "10=+-WDLHFUZ *?"

entries = st.builds(
    Entry, number=st.integers(1, 5), name=st.sampled_from(["", "Vale, Ann", "Moor, Ben", "Ünal, Ö.", "=1+1"]), fideid=st.sampled_from(IDS),
    id_found=st.sampled_from(["", "CM1"]), sex=st.sampled_from(["", "m", "w", "x"]), title=st.sampled_from(["", "GM", "g", "?"]),
    rating=st.sampled_from([0, 1400, 2100, 9999]), federation=st.sampled_from(["", "ENG", "eng", "Ü"]),
    birth=st.sampled_from(["", "2003", "2003-01-01", "x"]), points=st.sampled_from([-1, 0, 5000, 10000, 123456]), rank=st.just(0), line=st.integers(0, 9),
)  # fmt: skip
cells = st.builds(
    Cell, number=st.integers(1, 6), round=st.sampled_from([0, 1, 2, 3, 9999]), opponent=st.integers(0, 6), colour=st.sampled_from(["", "w", "b"]),
    result=st.sampled_from(LETTERS), line=st.integers(0, 9), column=st.integers(0, 200),
)  # fmt: skip
days = st.sampled_from(
    [None, date(2026, 10, 1), date(2026, 10, 31), date(2026, 12, 24), date(1, 1, 1), date(9999, 12, 31)]
)
events = st.builds(
    lambda **head: replace(EVENT, **head), name=st.sampled_from(["", "Open"]), start=days, end=days, rounds=st.sampled_from([0, 2, 5]),
    control=st.sampled_from(["", "standard", "blitz"]), round_dates=st.sampled_from([(), (None, date(2026, 10, 2))]),
)  # fmt: skip
reports = st.lists(
    st.builds(Report, events, st.lists(entries, max_size=6), st.lists(cells, max_size=20)), min_size=0, max_size=3
).map(
    lambda found: [
        replace(report, event=replace(report.event, file=f"{place}.trf")) for place, report in enumerate(found)
    ]
)
decisions = st.lists(
    st.builds(
        decide, st.sampled_from(["accept", "leave out", "leave out round 1", "id 42", "control rapid", "start 2026-10-01", "nonsense"]),
        st.sampled_from(["", "1", "line 3", "x"]), st.sampled_from(["", "0.trf", "1.trf"]), st.sampled_from(["", "one-sided-forfeit", "nonsense"]),
    ),
    max_size=3,
)  # fmt: skip
LIST = rating_list({**PEOPLE, "Ünal, Öz": ("0042", "F", "TUR", "", 0)})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports, decisions, st.booleans())
def test_any_reports_are_answered_with_problems(found: list[Report], rulings: list, with_list: bool) -> None:
    lists = [(OCTOBER, LIST)] if with_list else []

    checked = check(*found, lists=lists, decisions=rulings)

    assert len(checked.player) == checked.reports.entries.num_rows
    assert len(checked.list_of_event) == len(checked.fingerprints) == len(checked.keys) == len(checked.reports.events)
    for kept, _ in (skip_faulty(checked), (checked, ())):
        control_list(Reports.gather(found), kept)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports, st.randoms(use_true_random=False))
def test_the_order_of_reports_does_not_matter(found: list[Report], random) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)

    assert check(*shuffled, players=LIST).problems == check(*found, players=LIST).problems


@pytest.mark.parametrize("count", [0, 1])
def test_a_list_of_nobody(count: int) -> None:
    assert check(*[Report(EVENT)] * count, players=LIST.slice(0, 0)).player.tolist() == []
