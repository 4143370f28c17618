"""Who is inactive: since when, the last event, who falls out next, who came back.

The sealed months tell how many rated games a player had in the edition's window. Where they do not reach back to its beginning, the list they
started from has to stand in for the time before: its flag and its games. For each player it is said which of the two decided.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import words
from fide_batch.desk import sealed
from fide_batch.desk.sealed import Sealed
from fide_batch.model import PREFIX, Grid, Page, Period, add_months, id_text, numbers
from fide_batch.regulations.edition import Edition, Inactivity
from fide_batch.rules.inactivity import first_day, is_inactive, window_months

SHOWN = 40
"""Players a page shows of each kind; the table holds all."""

INACTIVE = pa.schema([
    pa.field("fideid", pa.int64()), pa.field("name", pa.string()), pa.field("country", pa.string()), pa.field("control", pa.string()),
    pa.field("rating", pa.int32()), pa.field("status", pa.string()), pa.field("news", pa.int32()), pa.field("since", pa.string()),
    pa.field("last_played", pa.date32()), pa.field("last_event", pa.string()), pa.field("games", pa.int32()), pa.field("source", pa.string()),
])  # fmt: skip
"""A row a player who is ``inactive``, ``falls out next`` or ``came back`` (``status``). ``news`` is 1 where the list before said otherwise;
``since`` the first list on which he is inactive; ``games`` those known in the window; ``source`` what decided: ``sealed months`` or ``list``."""

FROM_MONTHS, FROM_LIST = "sealed months", "list"


def inactive(
    archive: Sealed, period: Period, months: int | None = None, min_games: int | None = None, edition: Edition | None = None,
    control: str = "standard",
) -> tuple[Page, pa.Table]:  # fmt: skip
    """The inactive players of a sealed list.

    Args:
        archive: the sealed months.
        period: the list.
        months: the window; None for the edition's.
        min_games: inactive with fewer rated games than this; None for the edition's.
        edition: whose rule; None for the one the month was sealed under.
        control: which rating.

    Returns:
        a page, and a table as INACTIVE with every player it is about.

    Raises:
        Refused: when the month is not sealed.
    """
    sealed.require_month(archive, period)
    if edition is None:
        from fide_batch import regulations

        edition = regulations.edition(sealed.edition_name(archive, period) or "classic")
    law = edition.inactivity
    if months is not None:
        law = replace(law, months=months, later=())
    if min_games is not None:
        law = replace(law, games=min_games)
    history = _history(archive, period, control)
    table = _table(archive, period, law, edition, control, history)
    return _page(table, period, law, edition, control, history), table


@dataclass(frozen=True)
class History:
    """The rated events of the sealed months in one control, a row a player and event, and the list they started from."""

    begins: Period
    """The list the sealed months start from."""
    player: np.ndarray
    """int64, in order."""
    end: np.ndarray
    """Days since 1970."""
    games: np.ndarray
    event: pa.Array
    reported: np.ndarray
    """The list each event was rated on, in months since year 0."""
    start_ids: np.ndarray
    """The players of the list they start from, in order; of each whether it calls him inactive, and its games."""
    start_flag: np.ndarray
    start_games: np.ndarray


@dataclass(frozen=True)
class Standing:
    """How some players stand on a list: columns over the ids asked for."""

    inactive: np.ndarray
    games: np.ndarray
    from_list: np.ndarray


def _history(archive: Sealed, period: Period, control: str) -> History:
    periods = [other for other in archive.periods() if other <= period]
    first = periods[0]
    base = archive.manifest(first).get("base")
    if base:
        begins, start = Period.parse(base["period"]), archive.table(first, "base")
    elif archive.manifest(first).get("kind") == "list":
        begins, start = first, archive.table(first, "list")
    else:
        # Nothing is known of the time before: the first list's own flags are those its month began with, as far as anybody can say.
        begins, start = first.plus(-1), archive.table(first, "list")
    parts = []
    for other in periods:
        rows = sealed.table(archive, other, "events", ["fideid", "control", "event", "end", "games"])
        rows = rows.filter(pc.and_(pc.equal(rows["control"].cast(pa.string()), control), pc.greater(rows["games"], 0)))
        reported = pa.array(np.full(rows.num_rows, _months(other), np.int32))
        parts.append(
            rows.select(["fideid", "end", "games"])
            .append_column("event", rows["event"].cast(pa.string()))
            .append_column("reported", reported)
        )
    rows = pa.concat_tables(parts)
    player, end = numbers(rows, "fideid"), numbers(rows, "end")
    order = np.lexsort((end, player))
    start_ids = numbers(start, "fideid")
    by_id = np.argsort(start_ids, kind="stable")
    return History(
        begins, player[order], end[order], numbers(rows, "games")[order], rows["event"].combine_chunks().take(pa.array(order)), numbers(rows, "reported")[order],
        start_ids[by_id], _flagged(start)[by_id], numbers(start, PREFIX[control] + "games")[by_id],
    )  # fmt: skip


def _days(day: date) -> int:
    return (day - date(1970, 1, 1)).days


def _months(period: Period) -> int:
    return period.year * 12 + period.month


def _games_since(history: History, ids: np.ndarray, day: date, until: Period) -> np.ndarray:
    """Rated games of each player in events that ended on a day or later and were rated on the lists up to ``until``."""
    inside = (history.end >= _days(day)) & (history.reported <= _months(until))
    low = np.searchsorted(history.player, ids, "left")
    high = np.searchsorted(history.player, ids, "right")
    total = np.concatenate([[0], np.cumsum(np.where(inside, history.games, 0))])
    return total[high] - total[low]


def _standing(
    history: History, ids: np.ndarray, played: np.ndarray, flagged: np.ndarray, law: Inactivity, period: Period, until: Period
) -> Standing:  # fmt: skip
    """Who of ``ids`` is inactive on a list, as known from events reported for lists up to ``until``.

    ``played``: the day of each player's last rated game as the list knows it, 0 for unknown; ``flagged``: whether the list calls him inactive.
    """
    begin = first_day(law, period)
    games = _games_since(history, ids, begin, until)
    by_games = np.asarray(is_inactive(law, games))
    if history.begins.list_date <= begin:
        return Standing(by_games, games, np.zeros(len(ids), bool))
    place = np.minimum(np.searchsorted(history.start_ids, ids), max(len(history.start_ids) - 1, 0))
    known = history.start_ids[place] == ids if len(history.start_ids) else np.zeros(len(ids), bool)
    flag = flagged | (known & history.start_flag[place]) if len(history.start_ids) else flagged
    # The games of the list they start from are those of the month before it.
    in_window = history.begins.plus(-1).list_date >= begin
    earlier = np.where(known, history.start_games[place], 0) if in_window and len(history.start_ids) else 0
    games = games + earlier
    enough = ~np.asarray(is_inactive(law, games))
    long_ago = (played > 0) & (played < _days(begin))
    # Somebody who was not on the list they start from is new: all his games are in the sealed months.
    fresh = ~known
    decided = enough | long_ago | fresh
    return Standing(np.where(decided, ~enough, flag), games, ~decided)


def _table(
    archive: Sealed, period: Period, law: Inactivity, edition: Edition, control: str, history: History
) -> pa.Table:  # fmt: skip
    prefix = PREFIX[control]
    columns = ["fideid", "name", "country", "flag", prefix + "rating", prefix + "last_played"]
    players = archive.table(period, "list", columns)
    players = players.filter(pc.is_valid(players[prefix + "rating"]))
    ids = numbers(players, "fideid")
    noted = numbers(players, prefix + "last_played")
    played, event = _last(history, ids, noted)
    flagged = _flagged(players)
    now = _standing(history, ids, noted, flagged, law, period, period)
    later = _standing(history, ids, noted, flagged, law, period.plus(edition.lists.months), period)
    before = _before(archive, ids, noted, law, period, history)
    # By the list alone nobody can tell the month in which somebody falls out, unless his last game says so.
    falls = ~now.inactive & later.inactive & ~later.from_list
    back = ~now.inactive & before & ~falls
    status = np.select([now.inactive, falls, back], [0, 1, 2], -1)
    rows = np.flatnonzero(status >= 0)
    order = (
        np.lexsort((ids[rows], np.array(players["name"].take(pa.array(rows)).to_pylist(), object), status[rows]))
        if len(rows)
        else rows
    )
    rows = rows[order] if len(rows) else rows
    chosen = pa.array(rows)
    news = np.where(now.inactive, ~before, back)[rows].astype(np.int32)
    return pa.table(
        [
            pa.array(ids[rows], pa.int64()), players["name"].take(chosen), players["country"].take(chosen), pa.array([control] * len(rows)),
            players[prefix + "rating"].take(chosen), pa.array(np.array(["inactive", "falls out next", "came back"], object)[status[rows]], pa.string()),
            pa.array(news), pa.array(_since(history, ids[rows], status[rows] == 0, news, noted[rows], law, period), pa.string()),
            pa.array(played[rows].astype(np.int32), pa.int32(), mask=played[rows] == 0).cast(pa.date32()), event.take(chosen),
            pa.array(now.games[rows], pa.int32()), pa.array(np.where(now.from_list, FROM_LIST, FROM_MONTHS)[rows].astype(object), pa.string()),
        ],
        schema=INACTIVE,
    )  # fmt: skip


def _flagged(players: pa.Table) -> np.ndarray:
    """Whom a list calls inactive."""
    return pc.match_substring(pc.utf8_lower(players["flag"]), "i").fill_null(False).to_numpy()


def _before(
    archive: Sealed, ids: np.ndarray, noted: np.ndarray, law: Inactivity, period: Period, history: History
) -> np.ndarray:
    """Who of ``ids`` was on the list before, and inactive there."""
    earlier = sealed.before(archive, period)
    if earlier is None:
        place = np.minimum(np.searchsorted(history.start_ids, ids), max(len(history.start_ids) - 1, 0))
        if not len(history.start_ids) or history.begins >= period:
            return np.zeros(len(ids), bool)
        return (history.start_ids[place] == ids) & history.start_flag[place]
    players = archive.table(earlier, "list", ["fideid", "flag"])
    known = np.isin(ids, numbers(players, "fideid"))
    flagged = np.isin(ids, numbers(players, "fideid")[_flagged(players)])
    noted = np.where(noted < _days(earlier.list_date), noted, 0)
    return known & _standing(history, ids, noted, flagged, law, earlier, earlier).inactive


def _last(history: History, ids: np.ndarray, noted: np.ndarray) -> tuple[np.ndarray, pa.Array]:
    """The last day each player played, in days since 1970 (0: not known), and the event, '' where only the list knows the day."""
    high = np.searchsorted(history.player, ids, "right") - 1
    found = (
        (high >= 0) & (history.player[np.maximum(high, 0)] == ids) if len(history.player) else np.zeros(len(ids), bool)
    )
    end = np.where(found, history.end[np.maximum(high, 0)], 0) if len(history.player) else np.zeros(len(ids), np.int32)
    from_event = found & (end >= noted)
    event = (
        history.event.take(pa.array(high, mask=~from_event)).fill_null("")
        if len(history.player)
        else pa.array([""] * len(ids), pa.string())
    )
    return np.maximum(end, noted), event


def _since(
    history: History, ids: np.ndarray, wanted: np.ndarray, news: np.ndarray, noted: np.ndarray, law: Inactivity, period: Period
) -> list[str]:  # fmt: skip
    """The first list on which each player was inactive: the one from whose window the last game that still made up the number has gone."""
    low = np.searchsorted(history.player, ids, "left")
    high = np.searchsorted(history.player, ids, "right")
    texts = []
    for place in range(len(ids)):
        if not wanted[place]:
            texts.append("")
            continue
        games = 0
        for row in range(high[place] - 1, low[place] - 1, -1):
            games += int(history.games[row])
            if games >= law.games:
                end = date.fromordinal(int(history.end[row]) + _EPOCH)
                texts.append(str(_first_list_without(end, law, period)))
                break
        else:
            texts.append(
                str(period)
                if news[place]
                else _no_later_than(history, ids[place], low[place], int(noted[place]), law, period)
            )
    return texts


def _no_later_than(history: History, code: int, row: int, noted: int, law: Inactivity, period: Period) -> str:
    """Since when a player with too few known games is inactive, as far as it can be told."""
    if row < len(history.player) and history.player[row] == code and code not in history.start_ids:
        # New since the sealed months begin, and never had enough games.
        return str(min(Period.of(date.fromordinal(int(history.end[row]) + _EPOCH)).plus(1), period))
    if noted:
        return f"{_first_list_without(date.fromordinal(noted + _EPOCH), law, period)}{'' if law.games == 1 else ' or before'}"
    return f"{history.begins} or before"


_EPOCH = date(1970, 1, 1).toordinal()


def _first_list_without(end: date, law: Inactivity, period: Period) -> Period:
    """The first list in whose window an event that ended on a day no longer is; at the latest ``period``."""
    gone = Period.of(add_months(end, window_months(law, period)))
    while first_day(law, gone) <= end and gone < period:
        gone = gone.plus(1)
    return min(gone, period)


# --- for people ----------------------------------------------------------------------------------


def _page(
    table: pa.Table, period: Period, law: Inactivity, edition: Edition, control: str, history: History
) -> Page:  # fmt: skip
    begin, length = first_day(law, period), window_months(law, period)
    games = "no rated game" if law.games == 1 else f"fewer than {law.games} rated games"
    blocks: list[str | Grid] = [
        f"Inactive is who played {games} in {length} months ({edition.name}, {edition.articles.inactivity}): in events that ended on"
        f" {words.day_text(begin)} or later."
    ]
    by_list = int(pc.sum(pc.equal(table["source"], FROM_LIST)).as_py() or 0)
    if history.begins.list_date <= begin:
        blocks.append("Known from the sealed months, which cover all of it.")
    else:
        blocks.append(
            f"The sealed months begin with the list of {history.begins} and do not cover all of it. Where they cannot tell, that list's own flag and"
            f" games decide: for {words.count_text(by_list, 'player')} below (source: list), for {table.num_rows - by_list:,} the sealed months do."
        )
    kinds = (
        ("inactive", f"Inactive on the {words.list_text(period)}"),
        ("falls out next", "Falls out with the next list unless there are more games"),
        ("came back", "Came back"),
    )
    heads = ("Name", "Id", "Rating", "Since", "Last played", "Last event", "Games", "Source")
    counts = {}
    for status, title in kinds:
        own = table.filter(pc.equal(table["status"], status))
        counts[status] = own.num_rows
        cells = tuple(
            (
                row["name"], id_text(row["fideid"]), words.number(row["rating"]), row["since"] + (" (new)" if row["news"] and status == "inactive" else ""),
                words.iso(row["last_played"]), row["last_event"], words.number(row["games"]), row["source"],
            )
            for row in own.slice(0, SHOWN).to_pylist()
        )  # fmt: skip
        if not cells:
            if status == "inactive":
                blocks.append("Nobody is inactive.")
            continue
        kept = [place for place, head in enumerate(heads) if any(row[place] for row in cells)]
        blocks.append(
            Grid(
                tuple(heads[place] for place in kept), tuple(tuple(row[place] for place in kept) for row in cells),
                frozenset({"Id", "Rating", "Games"}), f"{title}: {own.num_rows:,}",
            )
        )  # fmt: skip
        if own.num_rows > SHOWN:
            blocks.append(f"... and {own.num_rows - SHOWN:,} more; name a file (.csv, .xlsx) to have them all.")
    data = {
        "period": str(period), "control": control, "edition": edition.name, "months": length, "min_games": law.games, "window_from": begin.isoformat(),
        "history_from": str(history.begins), "covered": history.begins.list_date <= begin,
        "counts": {status.replace(" ", "_"): count for status, count in counts.items()},
        "players": [
            {**row, "fideid": id_text(row["fideid"]), "last_played": words.iso(row["last_played"]) or None, "news": bool(row["news"])}
            for row in table.to_pylist()
        ],
    }  # fmt: skip
    return Page(f"Inactive players, {words.CONTROL[control].lower()}, {words.list_text(period)}", tuple(blocks), data)
