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
from fide_batch.desk.rated_events import Active, History, days, flagged, history
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
    table, law, edition, begins = _answer(archive, period, months, min_games, edition, control)
    return _page(table, period, law, edition, control, begins), table


def inactive_table(
    archive: Sealed, period: Period, months: int | None = None, min_games: int | None = None, edition: Edition | None = None,
    control: str = "standard",
) -> pa.Table:  # fmt: skip
    """The table of ``inactive`` alone."""
    return _answer(archive, period, months, min_games, edition, control)[0]


def _answer(
    archive: Sealed, period: Period, months: int | None, min_games: int | None, edition: Edition | None, control: str
) -> tuple[pa.Table, Inactivity, Edition, Period]:
    """The table, the rule and whose it is, and the list the sealed months start from."""
    sealed.require_month(archive, period)
    if edition is None:
        from fide_batch import regulations

        edition = regulations.edition(sealed.edition_name(archive, period) or "classic")
    law = edition.inactivity
    if months is not None:
        law = replace(law, months=months, later=())
    if min_games is not None:
        law = replace(law, games=min_games)
    players = _Rated.of(archive, period, control)
    known = history(archive, period, control, players.ids, _active(archive, period, law, edition))
    return _table(archive, period, law, edition, control, players, known), law, edition, known.begins


def _active(archive: Sealed, period: Period, law: Inactivity, edition: Edition) -> Active | None:
    """What shows that nothing need be told of a player: neither inactive on the list, nor on the one before or the next."""
    earlier = sealed.before(archive, period)
    if earlier is None:
        return None
    begin = max(first_day(law, list_) for list_ in (earlier, period, period.plus(edition.lists.months)))
    return Active(earlier, begin, max(law.games, 1))


@dataclass(frozen=True)
class _Rated:
    """The players of a list with a rating, by id."""

    list: pa.Table
    """Everybody: names and countries are looked up only for who is told of."""
    rows: np.ndarray
    """Of the rated players in the list."""
    ids: np.ndarray
    noted: np.ndarray
    """The day of each player's last rated game as the list knows it, 0 for unknown."""
    flag: np.ndarray
    """Whether the list calls him inactive."""

    @classmethod
    def of(cls, archive: Sealed, period: Period, control: str) -> _Rated:
        prefix = PREFIX[control]
        players = archive.table(
            period, "list", ["fideid", "name", "country", "flag", prefix + "rating", prefix + "last_played"]
        )
        rows = np.flatnonzero(players[prefix + "rating"].is_valid().to_numpy())
        ids = numbers(players, "fideid")[rows]
        if not (np.diff(ids) > 0).all():
            order = np.argsort(ids, kind="stable")
            rows, ids = rows[order], ids[order]
        return cls(players, rows, ids, numbers(players, prefix + "last_played")[rows], flagged(players)[rows])

    def column(self, name: str, places: np.ndarray) -> pa.ChunkedArray:
        """A column of the list for some of them."""
        return self.list[name].take(pa.array(self.rows[places]))


@dataclass(frozen=True)
class Standing:
    """How players stand on a list."""

    inactive: np.ndarray
    games: np.ndarray
    from_list: np.ndarray


def _standing(
    known: History, played: np.ndarray, flag: np.ndarray, law: Inactivity, period: Period, until: Period
) -> Standing:  # fmt: skip
    """Who is inactive on a list, as known from events rated on the lists up to ``until``.

    Args:
        known: the events.
        played: the day of each player's last rated game as the list knows it, 0 for unknown.
        flag: whether the list calls him inactive.
        law: the rule.
        period: the list.
    """
    begin = first_day(law, period)
    games = known.games_since(begin, until)
    if known.begins.list_date <= begin:
        return Standing(np.asarray(is_inactive(law, games)), games, np.zeros(len(games), bool))
    if known.begins.plus(-1).list_date >= begin:
        # The games of the list they start from are those of the month before it.
        games = games + known.start_games
    enough = ~np.asarray(is_inactive(law, games))
    long_ago = (played > 0) & (played < days(begin))
    # Somebody who was not on the list they start from is new: all his games are in the sealed months.
    decided = enough | long_ago | ~known.on_start
    return Standing(np.where(decided, ~enough, flag | known.start_flag), games, ~decided)


_STATUS = ("inactive", "falls out next", "came back")


def _table(
    archive: Sealed, period: Period, law: Inactivity, edition: Edition, control: str, players: _Rated, known: History
) -> pa.Table:  # fmt: skip
    noted, flag = players.noted, players.flag
    now = _standing(known, noted, flag, law, period, period)
    later = _standing(known, noted, flag, law, period.plus(edition.lists.months), period)
    before = _before(archive, noted, law, period, known, control)
    # By the list alone nobody can tell the month in which somebody falls out, unless his last game says so.
    falls = ~now.inactive & later.inactive & ~later.from_list
    back = ~now.inactive & before & ~falls
    status = np.select([now.inactive, falls, back], [0, 1, 2], -1)
    news = np.where(now.inactive, ~before, back)
    played, row = known.last(noted)
    rows = np.flatnonzero(status >= 0)
    sorted_ = pc.sort_indices(
        pa.table({"status": status[rows], "name": players.column("name", rows), "id": known.ids[rows]}),
        sort_keys=[("status", "ascending"), ("name", "ascending"), ("id", "ascending")],
    )
    rows = rows[sorted_.to_numpy()]
    event = known.event.take(pa.array(row[rows], mask=row[rows] < 0)).cast(pa.string()).fill_null("")
    return pa.table(
        [
            pa.array(known.ids[rows], pa.int64()), players.column("name", rows), players.column("country", rows), pa.array([control] * len(rows), pa.string()),
            players.column(PREFIX[control] + "rating", rows), pa.array(_STATUS, pa.string()).take(pa.array(status[rows])), pa.array(news[rows].astype(np.int32)),
            _since(known, rows, status[rows] == 0, news, noted, law, period),
            pa.array(played[rows].astype(np.int32), pa.int32(), mask=played[rows] == 0).cast(pa.date32()), event,
            pa.array(now.games[rows].astype(np.int32), pa.int32()),
            pa.array((FROM_MONTHS, FROM_LIST), pa.string()).take(pa.array(now.from_list[rows].astype(np.int8))),
        ],
        schema=INACTIVE,
    )  # fmt: skip


def _before(
    archive: Sealed, noted: np.ndarray, law: Inactivity, period: Period, known: History, control: str
) -> np.ndarray:
    """Who was rated on the list before, and inactive there: who had no rating yet does not come back."""
    earlier = sealed.before(archive, period)
    if earlier is None:
        return known.start_flag if known.begins < period else np.zeros(len(known.ids), bool)
    rating = PREFIX[control] + "rating"
    players = archive.table(earlier, "list", ["fideid", "flag", rating])
    players = players.filter(pc.is_valid(players[rating]))
    listed = numbers(players, "fideid")
    flag = np.isin(known.ids, listed[flagged(players)])
    noted = np.where(noted < days(earlier.list_date), noted, 0)
    return np.isin(known.ids, listed) & _standing(known, noted, flag, law, earlier, earlier).inactive


def _since(
    known: History, rows: np.ndarray, wanted: np.ndarray, news: np.ndarray, noted: np.ndarray, law: Inactivity, period: Period
) -> pa.Array:  # fmt: skip
    """The first list on which each player was inactive: the one from whose window the last game that still made up the number has gone."""
    made = known.row_that_made(law.games)[rows]
    first = known.begin[rows]
    has, begun = len(known.end) > 0, first < known.until[rows]
    day_made = np.where(made >= 0, known.end[np.maximum(made, 0)], 0) if has else np.zeros(len(rows), np.int64)
    day_begun = np.where(begun, known.end[np.minimum(first, len(known.end) - 1)], 0) if has else day_made
    # New since the sealed months begin, and never had enough games: from the list after his first event.
    new = begun & ~known.on_start[rows]
    case = np.select([~wanted, made >= 0, news[rows], new, noted[rows] != 0], [0, 1, 2, 3, 4], 5)
    day = np.select([case == 1, case == 3, case == 4], [day_made, day_begun, noted[rows]], 0)

    def told(case: int, day: int) -> str:
        on = date.fromordinal(day + _EPOCH)
        if case == 1:
            return str(_first_list_without(on, law, period))
        if case == 3:
            return str(min(Period.of(on).plus(1), period))
        if case == 4:
            return f"{_first_list_without(on, law, period)}{'' if law.games == 1 else ' or before'}"
        return {0: "", 2: str(period)}.get(case, f"{known.begins} or before")

    # Many players, few days: each text is made once.
    cases, which = np.unique(np.asarray(day, np.int64) * 8 + case, return_inverse=True)
    texts = [told(each % 8, each // 8) for each in cases.tolist()]
    return pa.array(texts, pa.string()).take(pa.array(which))


_EPOCH = date(1970, 1, 1).toordinal()


def _first_list_without(end: date, law: Inactivity, period: Period) -> Period:
    """The first list in whose window an event that ended on a day no longer is; at the latest ``period``."""
    gone = Period.of(add_months(end, window_months(law, period)))
    while first_day(law, gone) <= end and gone < period:
        gone = gone.plus(1)
    return min(gone, period)


# --- for people ----------------------------------------------------------------------------------


def _page(
    table: pa.Table, period: Period, law: Inactivity, edition: Edition, control: str, begins: Period
) -> Page:  # fmt: skip
    begin, length = first_day(law, period), window_months(law, period)
    games = "no rated game" if law.games == 1 else f"fewer than {law.games} rated games"
    blocks: list[str | Grid] = [
        f"Inactive is who played {games} in {length} months ({edition.name}, {edition.articles.inactivity}): in events that ended on"
        f" {words.day_text(begin)} or later."
    ]
    by_list = int(pc.sum(pc.equal(table["source"], FROM_LIST)).as_py() or 0)
    if begins.list_date <= begin:
        blocks.append("Known from the sealed months, which cover all of it.")
    else:
        blocks.append(
            f"The sealed months begin with the list of {begins} and do not cover all of it. Where they cannot tell, that list's own flag and"
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
        "history_from": str(begins), "covered": begins.list_date <= begin,
        "counts": {status.replace(" ", "_"): count for status, count in counts.items()},
        "players": [
            {**row, "fideid": id_text(row["fideid"]), "last_played": words.iso(row["last_played"]) or None, "news": bool(row["news"])}
            for row in table.to_pylist()
        ],
    }  # fmt: skip
    return Page(f"Inactive players, {words.CONTROL[control].lower()}, {words.list_text(period)}", tuple(blocks), data)
