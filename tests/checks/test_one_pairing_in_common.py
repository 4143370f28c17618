"""Two events of the same day in which a pairing came up in both are two events; with half of the pairings in common they are one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from fide_batch.model import Report
from tests.checks.build import check, codes, report

NAMES = ["Vale, Ann", "Moor, Ben", "Falk, Cora", "Reed, Dan", "Pike, Finn", "Lake, Gil", "Hale, Ida", "Rowe, Jon"]
SATURDAY = date(2026, 10, 3)
Round = list[tuple[int, int]]
MORNING: Round = [(0, 1), (2, 3), (4, 5), (6, 7)]


def all_rounds(players: Sequence[int]) -> Iterator[Round]:
    """Every way to pair some players."""
    if not players:
        yield []
    for place in range(1, len(players)):
        for others in all_rounds([*players[1:place], *players[place + 1 :]]):
            yield [(players[0], players[place]), *others]


def rounds_in_common(pairings: int) -> list[Round]:
    """The rounds of the eight in which so many pairings are as in the morning."""
    return [each for each in all_rounds(range(8)) if len(set(each) & set(MORNING)) == pairings]


def of_one_round(pairs: Round, result: str, file: str) -> Report:
    """An event of one round, all games of one result for White."""
    number = {player: 2 * board + side + 1 for board, pair in enumerate(pairs) for side, player in enumerate(pair)}
    rows = {number[white]: f"{NAMES[white]}: {number[black]}w{result}" for white, black in pairs}
    rows |= {
        number[black]: f"{NAMES[black]}: {number[white]}b{'0' if result == '1' else '='}" for white, black in pairs
    }
    return report(*(rows[place] for place in sorted(rows)), file=file, name=file, start=SATURDAY, end=SATURDAY)


def told(afternoon: Round) -> bool:
    """Whether the afternoon is taken for the morning corrected."""
    found = codes(check(of_one_round(MORNING, "1", "morning.trf"), of_one_round(afternoon, "=", "afternoon.trf")))
    assert not {"rounds-again", "duplicate-report"} & set(found)
    return "correction" in found


def test_one_pairing_of_four_in_common_is_chance() -> None:
    afternoons = rounds_in_common(1)

    assert len(afternoons) == 32
    assert [each for each in afternoons if told(each)] == []


def test_half_of_the_pairings_in_common_is_a_correction() -> None:
    """As far as it is found: a round is known again by one of its pairings, which must be among those in common."""
    assert sum(told(each) for each in rounds_in_common(2)) >= 3
    assert told(MORNING)


def test_a_long_event_is_known_again_when_a_round_was_paired_anew() -> None:
    """Three rounds of two boards; in the corrected report two players of the third have changed places."""
    first = report(
        "Vale, Ann: 4w1 3b= 2w0", "Moor, Ben: 3w1 4b1 1b1", "Falk, Cora: 2b0 1w= 4w1", "Reed, Dan: 1b0 2w0 3b0"
    )
    other = report(
        "Vale, Ann: 4w1 3b= 3w0", "Moor, Ben: 3w1 4b1 4b1", "Falk, Cora: 2b0 1w= 1b1", "Reed, Dan: 1b0 2w0 2w0", file="two.trf"
    )  # fmt: skip

    assert "correction" in codes(check(first, other))
