"""Years of a federation: after every month the books balance, and a correction of long ago gives what a history right from the start gives."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from fide_batch.model import Period
from tests.reliability.workplace import Commands, tree
from tests.soak import ledger
from tests.soak.federation import Federation, Report, wrong

RESULT, IDENTITY = "event-001.trf", "event-002.trf"
"""The reports of a month in which a result and a player's id may be mistaken."""
STRANGER = 79_999_999


def life(
    fide_batch: Commands,
    folder: Path,
    federation: Federation,
    months: list[Period],
    events: int,
    largest: int,
    *,
    wrong_result: Period | None = None,
    two_ids: Period | None = None,
    ruled: bool = False,
) -> Path:
    """A workspace in which month after month was run.

    One month may hold a wrong result; of one month a report may know its first player by an id nobody has, which may be ruled upon in time.
    """
    folder.mkdir(parents=True)
    (folder / f"rating-list-{months[0].plus(-1)}.csv").write_text(federation.list_csv())
    (folder / "fide-batch.toml").write_text(f'list = "rating-list-{months[0].plus(-1)}.csv"\nrules = "in-force"\n')
    for period in months:
        reports = federation.write(folder / "reports" / str(period), period, events, largest)
        if wrong_result == period:
            path = reports / RESULT
            path.write_bytes(wrong(Report(path.name, path.read_bytes()), random.Random(3)).data)
        if two_ids == period:
            path = reports / IDENTITY
            lines = path.read_text().split("\n")
            row = next(place for place, line in enumerate(lines) if line.startswith("001"))
            known = int(lines[row][57:68])
            lines[row] = f"{lines[row][:57]}{STRANGER:11d}{lines[row][68:]}"
            path.write_text("\n".join(lines))
            if ruled:
                rule(folder, period, known)
            (folder / "known").write_text(str(known))
        done = fide_batch(folder, "run", "--period", period, f"reports/{period}", "-q", timeout=1200)
        assert done.code == 0, (period, done.err)
    return folder


def rule(folder: Path, period: Period, known: int) -> None:
    """The two ids are one person's."""
    (folder / "decisions.csv").write_text(
        f"file,row,code,decision,reason\n{period}/{IDENTITY},1,,id {known},one person with two cards\n"
    )


def standing_files(archive: Path) -> dict[str, bytes]:
    return {name: data for name, data in tree(archive).items() if ".superseded" not in name}


def lives(
    fide_batch: Commands, folder: Path, players: int, first: Period, count: int, events: int, largest: int, back: int
) -> ledger.Counts:
    """Two lives of one federation, one with mistakes that are corrected ``back`` months later; the books of both."""
    federation = Federation(players, seed=players)
    months = [first.plus(place) for place in range(count)]
    when = months[-back - 1]
    right = life(fide_batch, folder / "right", federation, months, events, largest, two_ids=when, ruled=True)
    counts = ledger.audit(right / "archive")
    assert counts.faults == []

    corrected = life(
        fide_batch, folder / "corrected", federation, months, events, largest, wrong_result=when, two_ids=when
    )
    assert standing_files(corrected / "archive") != standing_files(right / "archive")
    assert ledger.audit(corrected / "archive").faults == []
    shutil.copy(right / "reports" / str(when) / RESULT, corrected / "reports" / str(when) / RESULT)
    rule(corrected, when, int((corrected / "known").read_text()))
    done = fide_batch(corrected, "rerun", "--from", when, "--yes", "-q", f"reports/{when}", timeout=1200)
    assert done.code == 0, done.err
    found, expected = standing_files(corrected / "archive"), standing_files(right / "archive")
    assert found.keys() == expected.keys()
    assert [name for name, data in found.items() if data != expected[name]] == []
    assert tree(corrected / "lists") == tree(right / "lists")
    assert ledger.audit(corrected / "archive").faults == []
    for workspace in (corrected, right):
        done = fide_batch(workspace, "verify", "-q", timeout=1200)
        assert done.code == 0, done.out

    plain = life(fide_batch, folder / "plain", federation, months, events, largest)
    for name in ("list", "changes", "events", "games", "pending", "kept"):
        for period in months:
            file = f"archive/{period}/{name}.parquet"
            assert (plain / file).read_bytes() == (corrected / file).read_bytes(), "as if he had had one id always"
    return counts


def test_six_months_of_three_hundred_players(fide_batch: Commands, tmp_path: Path) -> None:
    counts = lives(fide_batch, tmp_path, 300, Period(2023, 11), 6, 8, 24, back=4)
    assert counts.counted > 3000
    assert counts.rated > 300
    assert counts.adjusted > 100, "the one-off change of March 2024"
    assert counts.first_ratings > 5
    assert counts.waiting > 5
    assert counts.served > 0


def test_the_books_do_not_balance_when_anything_is_missing(fide_batch: Commands, tmp_path: Path) -> None:
    """What the ledger is worth: each of these faults is seen."""
    months = [Period(2025, 1), Period(2025, 2), Period(2025, 3)]
    folder = life(fide_batch, tmp_path / "life", Federation(120, seed=2), months, 8, 16)
    archive = folder / "archive"
    before = ledger.Month(archive / "2025-02")

    def faults(name: str = "", change: Callable[[pd.DataFrame], object] | None = None) -> list[str]:
        month, counts = ledger.Month(archive / "2025-03"), ledger.Counts()
        if change:
            frame = getattr(month, name)
            changed = change(frame)
            setattr(month, name, frame if changed is None else changed)
        ledger.balance(before.list, before.pending, month, counts)
        return counts.faults

    changes = ledger.Month(archive / "2025-03").changes.query("status == 'rated' and control == 'standard'")
    known = before.list[before.list["career_games"].notna()]["fideid"]
    played = changes[changes["fideid"].isin(known)]["fideid"].iloc[0]

    def add(column: str, amount: int) -> Callable[[pd.DataFrame], None]:
        def change(frame: pd.DataFrame) -> None:
            frame.loc[frame["fideid"] == played, column] += amount

        return change

    assert faults() == []
    assert len(before.pending) > 0
    assert faults("list", add("rating", 1))
    assert faults("list", add("career_games", -1))
    assert faults("list", lambda frame: frame[frame["fideid"] != played])
    assert faults("list", lambda frame: frame.assign(last_played=None))
    assert faults("changes", add("change", 1))
    assert faults("changes", lambda frame: frame[frame["fideid"] != played])
    assert faults("events", add("k_chg", 10_000))
    assert faults("games", lambda frame: frame.iloc[1:])
    assert faults("games", add("chg", 100))
    if len(ledger.Month(archive / "2025-03").kept):
        assert faults("kept", lambda frame: frame.iloc[:0])


@pytest.mark.soak
def test_thirty_six_months_of_twenty_thousand_players(fide_batch: Commands, tmp_path: Path) -> None:
    counts = lives(fide_batch, tmp_path, 20_000, Period(2022, 1), 36, 60, 60, back=24)
    print(counts)
    assert counts.counted > 250_000
    assert counts.delisted > 10
    assert counts.first_ratings > 500
    assert counts.served > 100
