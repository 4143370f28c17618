"""The books of a federation, kept a second time: after every month games add up to events, events to changes, changes to the list.

Nothing of the rating rules is in here, only sums, and who was there before and is there now.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

CONTROLS = {"standard": "", "rapid": "rapid_", "blitz": "blitz_"}
TEN_THOUSANDTHS = 10_000


@dataclass
class Counts:
    """What was looked at, so that no book is empty without anybody noticing."""

    cells: int = 0
    counted: int = 0
    rated: int = 0
    first_ratings: int = 0
    delisted: int = 0
    adjusted: int = 0
    newcomers: int = 0
    waiting: int = 0
    served: int = 0
    expired: int = 0
    dropped: int = 0
    faults: list[str] = field(default_factory=list)


class Month:
    """A sealed month's tables as DataFrames."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("list", "changes", "events", "games", "pending", "kept", "problems"):
            found = pq.read_table(folder / f"{name}.parquet")
            plain = pa.schema(
                [pa.field(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type) for f in found.schema]
            )
            frame = found.cast(plain).to_pandas(
                types_mapper={pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}.get
            )
            setattr(self, name, frame)

    list: pd.DataFrame
    changes: pd.DataFrame
    events: pd.DataFrame
    games: pd.DataFrame
    pending: pd.DataFrame
    kept: pd.DataFrame
    problems: pd.DataFrame


def half_away(value: int) -> int:
    """Ten-thousandths to whole points, .5 away from zero."""
    whole = (abs(value) + TEN_THOUSANDTHS // 2) // TEN_THOUSANDTHS
    return whole if value >= 0 else -whole


def same(one: pd.Series, two: pd.Series) -> pd.Series:
    """Where two columns hold the same, nothing and nothing being the same."""
    return ((one == two).fillna(False) | (one.isna() & two.isna())).astype(bool)


def cells_of(folder: Path) -> int:
    """How many player-rounds the reports of a sealed month hold, by their lines: rounds of ten places from place 92 on."""
    found = 0
    for path in (folder / "reports").rglob("*.trf"):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("001"):
                found += sum(bool(line[place : place + 10].strip()) for place in range(91, len(line), 10))
    return found


def balance(before: pd.DataFrame, pending_before: pd.DataFrame, month: Month, counts: Counts) -> None:
    """Close the books of one month; what does not add up is a fault."""
    fault = counts.faults.append
    name = month.folder.name

    # every player-round of every report is a row, counted or with its reason
    cells = cells_of(month.folder)
    if cells != len(month.games):
        fault(f"{name}: {cells} player-rounds in the reports, {len(month.games)} rows of games")
    if (month.games["reason"].fillna("") == "").any():
        fault(f"{name}: games without a reason")
    counts.cells += cells

    # games add up to events
    counted = month.games[month.games["counted"] == 1]
    counts.counted += len(counted)
    sums = counted.groupby(["fideid", "event"]).agg(games=("score", "size"), score=("score", "sum"), chg=("chg", "sum"))
    lines = month.events.set_index(["fideid", "event"])
    both = lines.merge(sums, how="outer", left_index=True, right_index=True, suffixes=("", "_sum"))
    for column in ("games", "score"):
        wrong = both[(both[column].fillna(0) != both[f"{column}_sum"].fillna(0))]
        for key in wrong.index[:3]:
            fault(f"{name}: {column} of {key}: event {both.loc[key, column]}, games {both.loc[key, f'{column}_sum']}")
    rated = both[both["chg"].notna()]
    for key in rated.index[~same(rated["chg"], rated["chg_sum"].fillna(0))][:3]:
        fault(f"{name}: change of {key} is not the sum of its games")
    for key in rated.index[~same(rated["chg"], rated["score"] - rated["expected"])][:3]:
        fault(f"{name}: change of {key} is not score less expected score")
    # Without K: rated when the event began and delisted since, so there is nothing to add it to.
    for key in rated.index[~same(rated["k_chg"], rated["chg"] * rated["k"])][:3]:
        fault(f"{name}: K times change of {key}")

    # of a game two players have the two halves
    pairs = counted.merge(
        counted, left_on=["event", "round", "fideid", "opponent"], right_on=["event", "round", "opponent", "fideid"]
    )
    if not ((pairs["score_x"] + pairs["score_y"]) == TEN_THOUSANDTHS).all():
        fault(f"{name}: a game with two winners")

    # events add up to changes, changes to the list
    totals = (
        month.events[month.events["k_chg"].notna()]
        .groupby(["fideid", "control"])
        .agg(games=("games", "sum"), exact=("k_chg", "sum"))
    )
    changes = month.changes.set_index(["fideid", "control"])
    if changes.index.has_duplicates:
        fault(f"{name}: two changes of one player")
    one_off = (month.changes["status"] == "adjusted").any()
    moved = changes[changes["change_exact"].notna()].merge(
        totals, how="outer", left_index=True, right_index=True, suffixes=("", "_sum")
    )
    for column, summed in (("games", "games_sum"), ("change_exact", "exact")):
        for key in moved.index[moved[column].fillna(10**9) != moved[summed].fillna(10**9)][:3]:
            fault(f"{name}: {key}: {column} {moved.loc[key, column]}, its events {moved.loc[key, summed]}")
    rounded = moved[(moved["status"] == "rated") & moved["change_exact"].notna()] if not one_off else moved.iloc[:0]
    for key, exact, change in zip(rounded.index, rounded["change_exact"], rounded["change"], strict=True):
        if change != half_away(int(exact)):
            fault(f"{name}: {key}: {exact} rounded to {change}")
    counts.rated += int((month.changes["status"] == "rated").sum())
    counts.first_ratings += int((month.changes["status"] == "first-rating").sum())
    counts.delisted += int((month.changes["status"] == "delisted").sum())
    counts.adjusted += int((month.changes["status"] == "adjusted").sum())

    after = month.list.set_index("fideid")
    was = before.set_index("fideid")
    if after.index.has_duplicates:
        fault(f"{name}: a player twice on the list")
    for player in was.index.difference(after.index)[:3]:
        fault(f"{name}: {player} vanished from the list")
    newcomers = after.index.difference(was.index)
    counts.newcomers += len(newcomers)
    for player in newcomers.difference(pd.Index(month.games["fideid"]))[:3]:
        fault(f"{name}: {player} is new on the list and played nothing")
    was = was.reindex(after.index)
    for control, prefix in CONTROLS.items():
        old, new = was[f"{prefix}rating"], after[f"{prefix}rating"]
        told = month.changes[(month.changes["control"] == control) & (month.changes["status"] != "pending")].set_index(
            "fideid"
        )
        moved_here = old.fillna(0) != new.fillna(0)
        for player in after.index[moved_here].difference(told.index)[:3]:
            fault(f"{name}: {control} of {player} changed without a row of changes")
        listed = after[f"{prefix}rating"].reindex(told.index)
        for player in told.index[(told["rating_after"].fillna(0) != listed.fillna(0)) & (told["status"] != "delisted")][
            :3
        ]:
            fault(
                f"{name}: {control} of {player}: the change says {told.loc[player, 'rating_after']}, the list {listed[player]}"
            )
        gone = told[told["status"] == "delisted"].index
        if after[f"{prefix}rating"].reindex(gone).notna().any():
            fault(f"{name}: delisted and on the list")
        for player in after.index[old.notna() & new.isna()].difference(gone)[:3]:
            fault(f"{name}: {control} of {player} was lost")
        plain = told[told["status"] == "rated"]
        if not one_off:
            summed = plain["rating_before"].fillna(0) + plain["change"].fillna(0)
            for player in plain.index[plain["rating_before"].notna() & (summed != plain["rating_after"])][:3]:
                fault(f"{name}: {control} of {player}: before and change are not after")
        # counts and marks never go back
        for column in ("career_games", "reached_2400", "reached_2300", "last_played"):
            one, two = was[f"{prefix}{column}"], after[f"{prefix}{column}"]
            back = one.notna() & (two.isna() | (two < one))
            for player in after.index[back][:3]:
                fault(f"{name}: {prefix}{column} of {player} went back from {one[player]} to {two[player]}")
        grown = (after[f"{prefix}career_games"] - was[f"{prefix}career_games"]).reindex(plain.index)
        for player in plain.index[grown.notna() & (grown != plain["games"])][:3]:
            fault(
                f"{name}: {prefix}career_games of {player} grew by {grown[player]}, rated were {plain.loc[player, 'games']}"
            )

    # what waited waits on, serves, or is gone for a reason that is told
    key = ["fideid", "control", "event", "end"]
    last_list = dict(
        zip(map(tuple, pending_before[key].astype(str).to_numpy()), pending_before["expires"].astype(str), strict=True)
    )
    waited = last_list.keys()
    waits = set(map(tuple, month.pending[key].astype(str).to_numpy()))
    fresh = set(map(tuple, month.events[["fideid", "control", "event", "end"]].astype(str).to_numpy()))
    counts.waiting += len(waits)
    if waits != set(map(tuple, month.kept[key].astype(str).to_numpy())):
        fault(f"{name}: what is told to wait is not what is kept")
    for row in sorted(waits - waited - fresh)[:3]:
        fault(f"{name}: {row} waits and was never played")
    first = set(
        map(
            tuple,
            month.changes[month.changes["status"] == "first-rating"][["fideid", "control"]].astype(str).to_numpy(),
        )
    )
    said = " ".join(month.problems["message"])
    for row in sorted(waited - waits):
        if row[:2] in first:
            counts.served += 1
        elif last_list[row] <= f"{name}-01":
            counts.expired += 1  # as the list before said it would
        elif row[0] in said:
            counts.dropped += 1
        else:
            fault(f"{name}: {row} waited, and is gone without a word")


def audit(archive: Path, counts: Counts | None = None) -> Counts:
    """The books of all months of an archive, from the list the first one started from."""
    counts = counts or Counts()
    months = sorted(path for path in archive.iterdir() if path.is_dir() and len(path.name) == 7)
    before, pending = None, None
    for folder in months:
        month = Month(folder)
        if before is None:
            found = pq.read_table(folder / "base.parquet")
            before = found.to_pandas(types_mapper={pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}.get)
            pending = month.pending.iloc[:0]
        balance(before, pending, month, counts)
        before, pending = month.list, month.pending
    return counts
