"""Why this rating: a player's month laid out as on FIDE's calculation page, and then in plain sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from fide_batch import regulations, words
from fide_batch.desk import first_steps, sealed
from fide_batch.desk.sealed import Sealed
from fide_batch.model import CONTROLS, PREFIX, Grid, Heading, Page, Period, Problem, Refused, id_text
from fide_batch.regulations.edition import Edition

Row = dict[str, Any]


class Rulings(Protocol):
    """What the rating officer decided of a month's games, as far as it is told here."""

    def of_game(self, game: Row) -> str:
        """Why a game was left out; '' where it was not."""
        ...

    def of_event(self, game: Row) -> list[str]:
        """What else was decided of the report a game stands in, or there of its player."""
        ...


_STARTED = "this is the list the workspace started from"
_EVENT_HEADS = ("Ro", "Rc", "W", "n", "chg", "K", "K*chg")
_GAME_HEADS = ("Rd", "Col", "Opponent", "Id", "Rtg", "Res", "D", "Counted", "PD", "chg", "Note")
_GAME_NUMERIC = frozenset({"Rd", "Id", "Rtg", "D", "Counted", "PD", "chg"})


def explain(
    archive: Sealed, player: str, period: Period, control: str = "", edition: Edition | None = None, rulings: Rulings | None = None
) -> Page:  # fmt: skip
    """Everything a month did to a player's ratings, game by game.

    Args:
        archive: the sealed months.
        player: an id or a part of a name. When several players fit, the page lists them (``data`` then holds ``candidates``).
        period: the month.
        control: standard, rapid or blitz; '' for all three.
        edition: the one the month was sealed under; None to look it up by its name.
        rulings: the decisions it was sealed with; None to tell nothing of them.

    Returns:
        the page; ``data`` holds ``player``, ``period``, ``edition`` and a list ``controls`` with the rows the rating was summed from.

    Raises:
        Refused: when the month is not sealed or there is nobody of that id or name.
    """
    if control and control not in CONTROLS:
        raise Refused(
            Problem(
                "usage", "error", "", None, None, f"{control!r} is no control", f"expected one of {', '.join(CONTROLS)}"
            )
        )
    code, several = sealed.find_player(archive, period, player)
    if several:
        return several
    return of_player(archive, code, period, control, edition, rulings)


def of_player(
    archive: Sealed, code: int, period: Period, control: str = "", edition: Edition | None = None, rulings: Rulings | None = None
) -> Page:  # fmt: skip
    """``explain`` for the player of an id code."""
    listed = sealed.row_of(archive, period, code)
    tables = {
        name: sealed.table(archive, period, name, None, code).to_pylist()
        for name in ("changes", "events", "games", "pending")
    }
    for game in tables["games"] if rulings else ():
        game |= {"ruling": rulings.of_game(game), "decided": rulings.of_event(game)}  # type: ignore[union-attr]
    for game in _with_ru(archive, period, tables["games"]):
        game["ru"] = True
    opponents = sealed.names_of(archive, period, (game["opponent"] or 0 for game in tables["games"]))
    name = listed.get("name") or next((row["name"] for row in tables["changes"]), "")
    controls = {
        label: event["control"]
        for event in archive.manifest(period).get("events", ())
        for label in (event["name"], f"{event['name']} ({event['file']})".strip())
    }

    def all_games(event: str) -> list[Row]:
        rows = sealed.table(archive, period, "games")
        found: list[Row] = rows.filter(pc.equal(rows["event"].cast(pa.string()), event)).to_pylist()
        return found

    name_of_edition = sealed.edition_name(archive, period)
    if edition is None:
        edition = regulations.edition(name_of_edition) if name_of_edition in regulations.names() else None
    earlier = sealed.before(archive, period)
    tables["kept"] = archive.table(earlier, "kept", None, code).to_pylist() if earlier else []
    started = archive.cover(period).get("kind") == "list"
    return lay_out(
        code, name, listed, tables, opponents, period, name_of_edition, control, controls, edition, all_games, started
    )


def _with_ru(archive: Sealed, period: Period, games: Sequence[Row]) -> list[Row]:
    """The games whose opponent was unrated: what stands there as a rating is the Ru of a closed round robin."""
    met = [game for game in games if game["opponent"] and game["opponent_rating"]]
    if not met:
        return []
    lines = sealed.table(archive, period, "events", ["fideid", "event", "own_rating"])
    wanted = pa.array(sorted({game["opponent"] for game in met}), pa.int64())
    lines = lines.filter(pc.and_(pc.is_in(lines["fideid"], value_set=wanted), pc.is_null(lines["own_rating"])))
    unrated = set(zip(lines["fideid"].to_pylist(), lines["event"].to_pylist(), strict=True))
    return [game for game in met if (game["opponent"], game["event"]) in unrated]


def lay_out(
    code: int, name: str, listed: Row, tables: dict[str, list[Row]], opponents: dict[int, str], period: Period, edition: str,
    control: str = "", controls: Mapping[str, str] | None = None, law: Edition | None = None,
    all_games: Callable[[str], Sequence[Row]] | None = None, started: bool = False,
) -> Page:  # fmt: skip
    """The page of one player from his rows of a month's tables (``changes``, ``events``, ``games``, ``pending``, ``kept`` of the month before).

    ``controls`` names the control of each event, for events in which none of his games counts; by ``law`` the steps of a first rating are shown, for
    which ``all_games`` gives everybody's rows of GAMES of an event. ``started``: the month is but the list the workspace started from.
    """
    blocks: list[str | Grid] = [_person(listed, edition)] if listed else []
    data: list[dict[str, Any]] = []
    control_of = dict(controls or {}) | {
        row["event"]: row["control"] for table in ("pending", "events") for row in tables[table]
    }
    for each in (control,) if control else CONTROLS:
        own = {
            table: [row for row in tables[table] if row["control"] == each]
            for table in ("changes", "events", "pending", "kept")
        }
        games = [game for game in tables["games"] if control_of.get(game["event"]) == each]
        part, facts = _of_control(each, listed, own, games, opponents, law, all_games, started)
        # An unrated player who met only unrated ones has no rating and no status, and yet games to show.
        if part and (
            facts["status"] or listed.get(PREFIX[each] + "rating") is not None or own["events"] or games or control
        ):
            blocks += [Heading(words.CONTROL[each]), *part]
            data.append(facts)
    rest = [game for game in tables["games"] if game["event"] not in control_of]
    if rest and not control:
        blocks.append(Heading("Games that changed nothing"))
        for event in dict.fromkeys(game["event"] for game in rest):
            games = [game for game in rest if game["event"] == event]
            grid, notes = _games_grid(event, games, opponents)
            blocks += [grid, *notes]
    if not data and not rest:
        reported = _STARTED if started else "no game of this player was reported for this list"
        blocks.append(f"No rating, and {reported}: there is nothing to explain.")
    return Page(
        f"{name} ({id_text(code)}), {words.list_text(period)}",
        tuple(blocks),
        {
            "player": {"fideid": id_text(code), "name": name, "country": listed.get("country", ""), "birthday": listed.get("birthday", "")},
            "period": str(period), "edition": edition, "controls": data,
            "other_games": [_game_data(game, opponents) for game in rest],
        },
    )  # fmt: skip


def _person(listed: Row, edition: str) -> str:
    facts = [listed.get("title") or listed.get("w_title"), listed.get("country"), listed.get("sex")]
    if listed.get("birthday"):
        facts.append(f"born {listed['birthday']}")
    if "i" in (listed.get("flag") or ""):
        facts.append("inactive")
    line = ", ".join(fact for fact in facts if fact)
    return ". ".join(part for part in (line, f"Rated by edition {edition}" if edition else "") if part) + "."


# --- one control ---------------------------------------------------------------------------------


def _of_control(
    control: str,
    listed: Row,
    own: dict[str, list[Row]],
    games: Sequence[Row],
    opponents: dict[int, str],
    law: Edition | None,
    all_games: Callable[[str], Sequence[Row]] | None = None,
    started: bool = False,
) -> tuple[list[str | Grid], dict[str, Any]]:
    changes = own["changes"]
    blocks: list[str | Grid] = [_head(change) for change in changes]
    played = {row["event"] for row in own["events"]}
    for event in sorted(own["events"], key=lambda row: (row["start"] or row["end"], row["end"], row["event"])):
        blocks += _event(event, [game for game in games if game["event"] == event["event"]], opponents)
    for name in dict.fromkeys(game["event"] for game in games if game["event"] not in played):
        grid, notes = _games_grid(name, [game for game in games if game["event"] == name], opponents)
        blocks += [grid, *notes]
    for change in changes:
        total = _sum(change, own["events"])
        if law:
            blocks += first_steps.of_change(change, own["events"], games, own["kept"], law, all_games)
        blocks += [text for text in (total, change["why"]) if text]
    if own["pending"]:
        blocks += _waiting(own["pending"], " ".join(change["why"] for change in changes))
    rating = listed.get(PREFIX[control] + "rating")
    if not changes:
        if own["events"] or games:
            text = "No game of this month counts" + (": the rating stays as it was" if rating is not None else "")
        elif own["pending"]:
            text = "No game in this month; the earlier results wait"
        elif started:
            text = _STARTED[0].upper() + _STARTED[1:]
        else:
            text = "No game was reported in this month: nothing changed"
        blocks.append(text + (f"{':' if started else ','} {rating}." if rating is not None else "; unrated."))
    facts = {
        "control": control,
        "status": changes[-1]["status"] if changes else "pending" if own["pending"] else "",
        "rating": rating,
        "changes": [_change_data(change) for change in changes],
        "events": [
            _event_data(event) | {"games": [_game_data(game, opponents) for game in games if game["event"] == event["event"]]}
            for event in own["events"]
        ],
        "pending": [_pending_data(row) for row in own["pending"]],
    }  # fmt: skip
    return blocks, facts


_STATUS = {
    "rated": "", "first-rating": "first rating", "pending": "waits for more", "delisted": "falls off the list", "adjusted": "adjusted",
}  # fmt: skip


def _head(change: Row) -> Grid:
    """Before, what was added, after."""
    heads = ["Before", "Games", "Score", "Expected", "K", "Sum", "Change", "After", ""]
    k = words.number(change["k"])
    if change["k"] is not None and change["k_list"] is not None and change["k_list"] != change["k"]:
        k += f" (list: {change['k_list']})"
    row: list[str] = [
        "unrated" if change["rating_before"] is None else str(change["rating_before"]), words.number(change["games"]),
        words.points(change["score"]), words.points(change["expected"]), k, words.signed_points(change["change_exact"]),
        words.signed(change["change"]), "unrated" if change["rating_after"] is None else str(change["rating_after"]),
        str(_STATUS.get(change["status"], change["status"])),
    ]  # fmt: skip
    kept = [place for place, cell in enumerate(row) if cell]
    return Grid(
        tuple(heads[place] for place in kept), (tuple(row[place] for place in kept),), frozenset(heads) - {"", "K"}
    )


def _event(event: Row, games: Sequence[Row], opponents: dict[int, str]) -> list[str | Grid]:
    """One event: the line of FIDE's page, then its games."""
    days = " to ".join(dict.fromkeys([words.iso(event[side]) for side in ("start", "end") if event[side]]))
    title = f"{event['event']}, {days}"
    if event["list"]:
        title += f", list {event['list']}" + (f", rules {event['edition']}" if event["edition"] else "")
    own = words.number(event["own_rating"])
    row = (
        own or "unrated", words.number(event["rc"]), words.points(event["score"]), words.number(event["games"]),
        words.signed_points(event["chg"]), words.number(event["k"]), words.signed_points(event["k_chg"]),
    )  # fmt: skip
    kept = [place for place, cell in enumerate(row) if cell]
    blocks: list[str | Grid] = [
        Grid(
            tuple(_EVENT_HEADS[place] for place in kept),
            (tuple(row[place] for place in kept),),
            frozenset(_EVENT_HEADS),
            title,
        )
    ]
    if games:
        grid, notes = _games_grid("", games, opponents)
        blocks += [grid, *notes]
    return blocks


def _games_grid(title: str, games: Sequence[Row], opponents: dict[int, str]) -> tuple[Grid, list[str]]:
    """The games of an event in the order of rounds; why a game does not count, or counts otherwise, under a letter."""
    reasons: dict[str, str] = {}
    rows = []
    for game in sorted(games, key=lambda game: (game["round"] or 0, game["line"] or 0)):
        counted = bool(game["counted"])
        reason = game.get("ruling") or words.remark(game["reason"])
        if game.get("ru") and counted and "closed round robin" not in reason:
            said = "the opponent is unrated, and Rtg the Ru in this closed round robin"
            reason = f"{reason}; {said}" if reason else said
        note = "" if not reason else reasons.setdefault(reason, _letter(len(reasons)))
        capped = game["counted_difference"] is not None and game["counted_difference"] != game["difference"]
        opponent = opponents.get(game["opponent"] or 0, "")
        rows.append((
            words.number(game["round"]), game["colour"] or "", opponent or ("" if game["opponent"] else "-"), id_text(game["opponent"] or 0),
            words.number(game["opponent_rating"]), words.result_text(game["result"]), words.number(game["difference"]),
            (f"*{game['counted_difference']}" if capped else words.number(game["counted_difference"]) or "yes") if counted else "no",
            words.points(game["expected"]) if counted else "", words.signed_points(game["chg"]) if counted else "", note,
        ))  # fmt: skip
    notes = [f"{letter}) {reason}" for reason, letter in reasons.items()]
    notes += list(dict.fromkeys(text for game in games for text in game.get("decided", ())))
    # A newcomer's games have no difference: the columns would be empty.
    kept = [
        place
        for place, head in enumerate(_GAME_HEADS)
        if head not in ("D", "PD", "chg", "Note") or any(row[place] for row in rows)
    ]
    grid = Grid(
        tuple(_GAME_HEADS[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
        _GAME_NUMERIC,
        title,
    )
    return grid, ["\n".join(notes)] if notes else []


def _letter(place: int) -> str:
    """a, b ... z, aa, ab ..."""
    return (chr(96 + place // 26) if place >= 26 else "") + chr(97 + place % 26)


def _sum(change: Row, events: Sequence[Row]) -> str:
    """The events' sums added up and rounded, in figures."""
    if change["status"] not in ("rated", "delisted") or change["change_exact"] is None or change["change"] is None:
        return ""
    parts = [event["k_chg"] for event in events if event["k_chg"] is not None]
    if len(parts) < 2 or sum(parts) != change["change_exact"]:
        return ""
    added = " ".join(
        words.signed_points(part) if not place else f"{'-' if part < 0 else '+'} {words.points(abs(part))}"
        for place, part in enumerate(parts)
    )
    return f"All events together: {added} = {words.signed_points(change['change_exact'])}, rounded once: {words.signed(change['change'])}."


def _waiting(pending: Sequence[Row], said: str) -> list[str | Grid]:
    heads = ("Event", "End", "Games", "W", "Rc", "Ru", "Serves until")
    rows = tuple(
        (
            row["event"], words.iso(row["end"]), words.number(row["games"]), words.points(row["score"]), words.number(row["rc"]),
            words.number(row["ru"]), words.iso(row["expires"]),
        )
        for row in pending
    )  # fmt: skip
    missing = list(dict.fromkeys(row["missing"] for row in pending if row["missing"] and row["missing"] not in said))
    return [
        Grid(heads, rows, frozenset(heads) - {"Event", "End", "Serves until"}, "Results kept for a later list"),
        *([f"Still missing: {'; '.join(missing)}."] if missing else []),
    ]


# --- for programs --------------------------------------------------------------------------------


def _change_data(change: Row) -> dict[str, Any]:
    return {
        "rating_before": change["rating_before"], "games": change["games"], "score": words.decimal(change["score"]),
        "expected": words.decimal(change["expected"]), "k_list": change["k_list"], "k": change["k"],
        "change_exact": words.points(change["change_exact"]) or None, "change": change["change"], "rating_after": change["rating_after"],
        "status": change["status"], "why": change["why"],
    }  # fmt: skip


def _event_data(event: Row) -> dict[str, Any]:
    return {
        "event": event["event"], "start": words.iso(event["start"]) or None, "end": words.iso(event["end"]) or None, "list": event["list"],
        "own_rating": event["own_rating"], "rc": event["rc"], "games_counted": event["games"], "score": words.decimal(event["score"]),
        "expected": words.decimal(event["expected"]), "chg": words.decimal(event["chg"]), "k": event["k"],
        "k_chg": words.points(event["k_chg"]) or None, "edition": event["edition"],
    }  # fmt: skip


def _game_data(game: Row, opponents: dict[int, str]) -> dict[str, Any]:
    return {
        "event": game["event"], "round": game["round"], "opponent": id_text(game["opponent"] or 0),
        "opponent_name": opponents.get(game["opponent"] or 0, ""), "opponent_rating": game["opponent_rating"], "colour": game["colour"] or "",
        "result": game["result"], "own_rating": game["own_rating"], "difference": game["difference"],
        "counted_difference": game["counted_difference"], "expected": words.decimal(game["expected"]), "score": words.decimal(game["score"]),
        "chg": words.decimal(game["chg"]), "counted": bool(game["counted"]), "reason": game["reason"] or "", "file": game["file"],
        "line": game["line"], **({"ruling": game["ruling"], "decided": game["decided"]} if "ruling" in game else {}),
    }  # fmt: skip


def _pending_data(row: Row) -> dict[str, Any]:
    return {
        "event": row["event"], "start": words.iso(row["start"]) or None, "end": words.iso(row["end"]) or None, "games": row["games"],
        "score": words.decimal(row["score"]), "rc": row["rc"], "ru": row["ru"], "expires": words.iso(row["expires"]) or None,
        "missing": row["missing"],
    }  # fmt: skip
