"""What holds in every month, whoever plays whom."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fide_batch import regulations
from fide_batch.model import POINT, Reports
from fide_batch.rules.join import _plainly, rows_of
from fide_batch.rules.month import rate
from tests.rules.build import a_month, event, month

EDITIONS = [*regulations.names()]
RESULTS = "1=0" * 4 + "+-WDL"
RATINGS = st.one_of(
    st.none(), st.integers(1000, 2850), st.sampled_from([1000, 1400, 2000, 2299, 2300, 2399, 2400, 2600, 2650])
)


@st.composite
def months(draw, controls=("standard", "rapid"), unidentified=True, results=RESULTS):
    """A base list, an older one, and up to three events, as the keywords of a month."""
    size = draw(st.integers(3, 9))
    k = st.sampled_from([None, 0, 10, 20, 40])
    base = {
        number: {"rating": draw(RATINGS), "rapid_rating": draw(RATINGS), "k": draw(k), "rapid_k": draw(k), "birthday": draw(st.sampled_from(["", "1980", "2010"]))}
        for number in range(1, size + 1)
    }  # fmt: skip
    older = {number: dict(row, rating=draw(RATINGS)) for number, row in base.items() if draw(st.booleans())}
    people = [*base, 50, 60, *([-70] if unidentified else [])]
    events = []
    for place in range(draw(st.integers(1, 3))):
        players = draw(st.lists(st.sampled_from(people), min_size=2, max_size=7, unique=True))
        pairs = st.lists(st.sampled_from(players), min_size=2, max_size=2, unique=True)
        games = []
        for round_ in range(1, draw(st.integers(1, 8)) + 1):
            white, black = draw(pairs)
            games.append(f"{white}-{black} {draw(st.sampled_from(results))}@{round_}")
            rest = [player for player in players if player not in (white, black)]
            if rest and draw(st.booleans()):
                games.append(f"{rest[0]} {draw(st.sampled_from('HFUZ'))}@{round_}")
        day = draw(st.sampled_from(["2026-09-10", "2026-10-05", "2026-10-20"]))
        events.append(
            event(
                draw(st.sampled_from(["Open", f"Event {place}"])),
                players,
                games,
                day,
                control=draw(st.sampled_from(controls)),
                file=f"{place}.trf",
            )
        )
    return base, events, {"older": {"2026-09": older}}


def shuffled(reports, player, seed):
    """The same reports with files, players and games in another order."""
    chance = random.Random(seed)
    order = list(range(len(reports)))
    chance.shuffle(order)
    gathered, who = [], []
    starts = np.cumsum([0, *(len(report.entries) for report in reports)])
    for place in order:
        report = reports[place]
        rows = list(range(len(report.entries)))
        chance.shuffle(rows)
        cells = list(report.cells)
        chance.shuffle(cells)
        gathered.append(replace(report, entries=[report.entries[row] for row in rows], cells=cells))
        who += [player[starts[place] + row] for row in rows]
    return order, Reports.gather(gathered), np.array(who, np.int64)


@settings(max_examples=30, deadline=None)
@given(months(), st.sampled_from(EDITIONS), st.integers(0, 10**6))
def test_the_order_of_files_players_and_games_never_matters(given_month, rules, seed):
    base, events, more = given_month
    straight = a_month(base, *events, rules=rules, **more)
    order, reports, player = shuffled([each.report() for each in events], straight.player, seed)
    turned = replace(
        straight, reports=reports, player=player, event_editions=[straight.event_editions[place] for place in order],
        list_of_event=[straight.list_of_event[place] for place in order],
    )  # fmt: skip
    one, other = rate(straight), rate(turned)
    for name in ("list", "changes", "events", "games", "pending", "kept"):
        assert getattr(one, name).to_pylist() == getattr(other, name).to_pylist(), name


@settings(max_examples=30, deadline=None)
@given(months(), st.sampled_from(EDITIONS))
def test_games_add_up_to_events_events_to_changes_and_changes_to_the_list(given_month, rules):
    base, events, more = given_month
    rated = month(base, *events, rules=rules, **more)
    games, lines = rated.rated.games.to_pylist(), rated.rated.events.to_pylist()
    for line in lines:
        mine = [
            game
            for game in games
            if game["fideid"] == line["fideid"] and game["event"] == line["event"] and game["counted"]
        ]
        assert line["games"] == len(mine)
        assert line["score"] == sum(game["score"] for game in mine)
        assert (line["expected"] or 0) == sum(game["expected"] or 0 for game in mine)
        assert (line["chg"] or 0) == sum(game["chg"] or 0 for game in mine)
        assert line["k_chg"] is None or line["k_chg"] == line["chg"] * line["k"]
    for change in rated.rated.changes.to_pylist():
        own = [line for line in lines if line["fideid"] == change["fideid"] and line["control"] == change["control"]]
        after = rated.rating(change["fideid"], change["control"])
        assert change["rating_after"] == after
        assert change["games"] == sum(line["games"] for line in own)
        assert (change["score"] or 0) == sum(line["score"] for line in own)
        if change["status"] in ("rated", "delisted"):
            assert change["change_exact"] == sum(line["k_chg"] or 0 for line in own)
            assert abs(change["change"] * POINT - change["change_exact"]) * 2 <= POINT
        if change["status"] == "rated":
            assert change["rating_before"] + change["change"] == after
    told = {(change["fideid"], change["control"]) for change in rated.rated.changes.to_pylist()}
    for row in rated.rated.list.to_pylist():
        for control, prefix in (("standard", ""), ("rapid", "rapid_"), ("blitz", "blitz_")):
            before = base.get(row["fideid"], {}).get(prefix + "rating")
            if (row["fideid"], control) not in told:
                assert row[prefix + "rating"] == before


@settings(max_examples=30, deadline=None)
@given(
    months(unidentified=False, results="1=0"),
    st.sampled_from([name for name in EDITIONS if not regulations.edition(name).first_rating.round_robin]),
    st.data(),
)
def test_a_forfeit_never_changes_a_rating(given_month, rules, data):
    base, events, more = given_month
    with_forfeit = []
    for each in events:
        white, black = data.draw(st.lists(st.sampled_from(each.players), min_size=2, max_size=2, unique=True))
        forfeit = f"{white}-{black} {data.draw(st.sampled_from('+-WDL'))}@9"
        with_forfeit.append(replace(each, games=[*each.games, forfeit]))
    one, other = month(base, *events, rules=rules, **more), month(base, *with_forfeit, rules=rules, **more)
    assert one.rated.list.to_pylist() == other.rated.list.to_pylist()
    assert one.rated.changes.to_pylist() == other.rated.changes.to_pylist()


@settings(max_examples=30, deadline=None)
@given(st.integers(1500, 2600), st.sampled_from([10, 20, 40]), st.sampled_from("1=0"), st.sampled_from(EDITIONS))
def test_two_equal_players_exchange_equal_and_opposite_points(rating, k, result, rules):
    base = {number: {"rating": rating, "k": k} for number in (1, 2)}
    rated = month(base, event("A", [1, 2], [f"1-2 {result}"]), rules=rules)
    assert rated.change(1)["change_exact"] == -rated.change(2)["change_exact"]
    assert rated.change(1)["change"] == -rated.change(2)["change"]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.sampled_from("1=0"), st.integers(0, 2)).filter(lambda game: game[0] != game[1]), min_size=1, max_size=12),
    st.lists(st.integers(1450, 2800), min_size=6, max_size=6),
    st.sampled_from([name for name in EDITIONS if regulations.edition(name).difference.method == "every game"]),
)  # fmt: skip
def test_splitting_the_games_over_events_never_changes_the_sum(games, ratings, rules):
    base = dict(enumerate(ratings, 1))
    whole = event("A", list(base), [f"{white}-{black} {result}" for white, black, result, _ in games])
    parts = [
        event(f"Part {part}", list(base), [f"{white}-{black} {result}" for white, black, result, where in games if where == part])
        for part in range(3)
    ]  # fmt: skip
    one, other = month(base, whole, rules=rules), month(base, *parts, rules=rules)
    assert one.rated.list.to_pylist() == other.rated.list.to_pylist()
    assert one.rated.changes.to_pylist() == other.rated.changes.to_pylist()


@settings(max_examples=25, deadline=None)
@given(months(), st.sampled_from(EDITIONS))
def test_rating_the_same_month_twice_gives_the_same(given_month, rules):
    base, events, more = given_month
    ready = a_month(base, *events, rules=rules, **more)
    one, other = rate(ready), rate(ready)
    for name in ("list", "changes", "events", "games", "pending", "kept"):
        assert getattr(one, name).equals(getattr(other, name)), name


@settings(max_examples=40, deadline=None)
@given(months(), st.sampled_from(EDITIONS), st.integers(1, 40))
def test_a_month_reckoned_in_pieces_is_the_month_reckoned_whole(given_month, rules, piece):
    base, events, more = given_month
    ready = a_month(base, *events, rules=rules, **more)
    whole = rate(ready)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fide_batch.rules.sheet.PIECE", piece)
        parts = rate(ready)
        if piece == 1:
            assert len(list(parts.in_pieces)) == len(events)
        for name in ("list", "changes", "events", "games", "pending", "kept"):
            assert getattr(whole, name).to_pylist() == getattr(parts, name).to_pylist(), name
        tally = parts.in_pieces.tally
    rows = whole.games.to_pylist()
    assert tally.results == Counter(row["file"] for row in rows)
    assert tally.counted == Counter(row["file"] for row in rows if row["counted"])
    assert tally.not_counted == Counter(row["reason"] for row in rows if not row["counted"])
    assert tally.players == Counter(file for file, _ in {(row["file"], row["fideid"]) for row in rows})


# --- the join ---------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(-(2**62), 2**62), max_size=60),
    st.lists(st.integers(-(2**62), 2**62), max_size=60),
    st.randoms(),
)
def test_the_row_of_each_id_is_found(ids, others, chance):
    wanted = [*ids[::2], *others]
    chance.shuffle(wanted)
    expected = [ids.index(each) if each in ids else -1 for each in wanted]
    assert rows_of(np.array(ids, np.int64), np.array(wanted, np.int64)).tolist() == expected


def test_of_an_id_that_stands_twice_the_first_row():
    assert rows_of(np.array([], np.int64), np.array([7, 5])).tolist() == [-1, -1]
    assert rows_of(np.array([7, 5]), np.array([], np.int64)).tolist() == []
    assert rows_of(np.array([5, 7, 5, 7]), np.array([7, 5, 6])).tolist() == [1, 0, -1]


@pytest.mark.parametrize("step", [1, 2**20, 2**40])
def test_ids_that_crowd_together_are_found_too(step):
    ids = np.arange(1, 3000, dtype=np.int64) * step
    wanted = np.concatenate([ids[::-3], ids[:50] + 1])
    assert rows_of(ids, wanted).tolist() == _plainly(ids, wanted).tolist()


def test_ids_made_to_collide_are_looked_up_the_plain_way():
    """All of them fall into one slot of the table."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    ids = np.array([(place * inverse) % 2**64 for place in range(1, 400)], np.uint64).view(np.int64)
    assert rows_of(ids, ids[::-1]).tolist() == list(range(398, -1, -1))
