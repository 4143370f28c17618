"""Published examples that are told in words: a rating standing in, an island of unrated players."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tests.official.command_line import exported, fide_batch
from tests.official.files import trf16, write_list


def test_a_standard_rating_stands_in_and_counts_for_the_opponent(tmp_path: Path) -> None:
    """PB-18: standard 1850 without a rapid rating beats rapid 1900; both are rated."""
    write_list(
        tmp_path / "list.csv",
        [
            {"fideid": 1, "name": "Ash, Ada", "rating": 1850, "k": 20, "rapid_rating": "", "rapid_k": ""},
            {"fideid": 2, "name": "Birch, Bo", "rating": 1880, "k": 20, "rapid_rating": 1900, "rapid_k": 20},
        ],
    )
    players = [
        {"number": 1, "name": "Ash, Ada", "id": 1, "rating": 1850},
        {"number": 2, "name": "Birch, Bo", "id": 2, "rating": 1900},
    ]
    report = trf16(
        "Rapid", date(2026, 10, 4), date(2026, 10, 4), players, [(1, 1, 2, "w", "1"), (2, 1, 1, "b", "0")], "rapid"
    )
    (tmp_path / "rapid.trf").write_text(report, "utf-8")
    fide_batch(
        "run", "--workspace", tmp_path, "--list", tmp_path / "list.csv", "--rules", "fide-2025-10", "--period", "2026-11",
        tmp_path / "rapid.trf",
    )  # fmt: skip
    changes = {row["fideid"]: row for row in exported(tmp_path, "2026-11", "changes")}
    # D = 50: .43 and .57
    assert [(changes[id_]["change_exact"], changes[id_]["rating_after"]) for id_ in "12"] == [
        ("11.40", "1861"),
        ("-11.40", "1889"),
    ]
    events = {row["fideid"]: row for row in exported(tmp_path, "2026-11", "events")}
    assert events["1"]["own_rating"] == "1850"


def test_an_island_of_unrated_players_gets_nothing(tmp_path: Path) -> None:
    """PB-19: unrated players who met only one another; the others of the tournament are rated."""
    write_list(
        tmp_path / "list.csv",
        [
            {
                "fideid": id_,
                "name": f"Player, No {id_}",
                "rating": 1800 if id_ <= 2 else "",
                "k": 20 if id_ <= 2 else "",
            }
            for id_ in range(1, 9)
        ],
    )
    players = [
        {"number": id_, "name": f"Player, No {id_}", "id": id_, "rating": 1800 if id_ <= 2 else 0}
        for id_ in range(1, 9)
    ]
    cells = [(1, 1, 2, "w", "1"), (2, 1, 1, "b", "0")]
    island = [3, 4, 5, 6, 7, 8]
    for round_ in range(1, 6):  # all against all, by the circle
        circle = [3, *island[1:][round_ - 1 :], *island[1:][: round_ - 1]]
        for place in range(3):
            one, other = circle[place], circle[-1 - place]
            cells += [(one, round_, other, "w", "="), (other, round_, one, "b", "=")]
    (tmp_path / "island.trf").write_text(trf16("Island", date(2026, 10, 4), date(2026, 10, 8), players, cells), "utf-8")
    fide_batch(
        "run", "--workspace", tmp_path, "--list", tmp_path / "list.csv", "--rules", "fide-2025-10", "--period", "2026-11",
        tmp_path / "island.trf",
    )  # fmt: skip
    changes = {row["fideid"]: row["rating_after"] for row in exported(tmp_path, "2026-11", "changes")}
    assert changes == {"1": "1810", "2": "1790"}
    assert exported(tmp_path, "2026-11", "pending") == []
    listed = {row["fideid"]: row["rating"] for row in exported(tmp_path, "2026-11", "list")}
    assert {listed[str(id_)] for id_ in island} == {""}
