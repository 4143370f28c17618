"""What the rating officer is told of the rules as they were applied, and when he is told nothing."""

import pytest

from tests.rules.build import against, event, month

FIELD = dict.fromkeys(range(1, 8), 1800)


def told(rated, code):
    return [problem.message for problem in rated.rated.problems if problem.code == code]


def test_a_list_without_k_but_with_our_record_is_no_list_without_k():
    known = {"rating": 2000, "career_games": 50, "reached_2400": 0, "reached_2300": 0}
    assert told(month({1: known, 2: known}, event("A", [1, 2], ["1-2 1"])), "no-k-in-list") == []


def test_who_has_the_standard_rating_standing_in_is_not_counted_among_those_without_k():
    players = {1: {"rating": 1800, "k": 20, "rapid_rating": 1800}, 2: {"rating": 1800, "k": 20}}
    (note,) = told(month(players, event("A", [1, 2], ["1-2 1"], control="rapid")), "no-k-in-list")
    assert note.startswith("the list has no K for rapid ratings: K of 1 players by age and rating")


def test_only_what_was_kept_can_expire():
    """An event of 27 months ago is too old too, but nothing that was kept."""
    late = event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0"), start="2024-07-10")
    rated = month(FIELD, late, older={"2024-07": FIELD}, rules="fide-2025-10")
    assert told(rated, "kept-result-expired") == []
    assert {game["reason"].rpartition(": ")[2] for game in rated.games(99)} == {
        "the event ended more than 26 months before the list"
    }


def test_a_kept_result_that_waits_on_has_not_expired():
    october = month(FIELD, event("A", [99, 1, 2, 3], against(99, [1, 2, 3], "1=0")), rules="fide-2025-10").rated
    november = month(october.list, rules="fide-2025-10", period="2026-12", kept=october.kept)
    assert november.rated.problems == []


@pytest.mark.parametrize("alone", ["91 U", "91 H", "91-1 -", "91-91 1", "91--5 1"])
def test_a_bye_a_forfeit_or_an_unknown_opponent_is_no_bridge_from_an_island(alone):
    group = event("Group", [1, 91, 92, -5], ["91-92 1", alone])
    (note,) = told(month({1: 1800}, group, rules="fide-2025-10"), "unrated-island")
    assert note.startswith("2 unrated players met nobody with a rating (the first: start number 2, id 91)")


def test_one_player_alone_on_an_island():
    (note,) = told(month({1: 1800}, event("Open", [1, 91, 92], ["1-91 1", "91-92 1"])), "unrated-island")
    assert note.startswith("1 unrated player met nobody with a rating (the first: start number 3, id 92)")


def test_who_gets_his_first_rating_was_not_rated_by_another_way():
    rated = month(FIELD, event("A", [99, *range(1, 6)], against(99, range(1, 6), "1====")), rules="fide-2025-10")
    assert rated.change(99)["status"] == "first-rating"
    assert told(rated, "kept-result-dropped") == []
