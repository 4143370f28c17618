"""The page of a player who played, laid out like FIDE's calculation page."""

from __future__ import annotations

from fide_batch import words
from fide_batch.model import CONTROLS, PREFIX, id_text, points_text
from fide_batch.publish import chart
from fide_batch.publish.html_rows import Markup, Row, kind_of, span
from fide_batch.publish.html_site import Site


def player(site: Site, code: int) -> Row:
    """What the template needs."""
    own = {name: rows.get(code, []) for name, rows in site.of_player.items()}
    listed: Row = site.listed.get(code, {})
    control_of = {row["event"]: row["control"] for name in ("pending", "events") for row in own[name]}
    controls = [part for control in CONTROLS if (part := _part(site, code, control, own, control_of, listed))]
    return {"name": site.name(code), "facts": _facts(code, listed), "controls": controls}


def _part(
    site: Site, code: int, control: str, own: dict[str, list[Row]], control_of: dict[str, str], listed: Row
) -> Row | None:
    """One control; None when nothing happened in it."""

    def control_is(label: str) -> bool:
        known = control_of.get(label) or site.event_of.get(label, {}).get("control") or "standard"
        return bool(known == control)

    changes = [row for row in own["changes"] if row["control"] == control]
    pending = [row for row in own["pending"] if row["control"] == control]
    lines = {row["event"]: row for row in own["events"] if row["control"] == control}
    games: dict[str, list[Row]] = {}
    for game in own["games"]:
        if control_is(game["event"]):
            games.setdefault(game["event"], []).append(game)
    labels = list(dict.fromkeys([*lines, *games]))
    if not changes and not pending and not labels:
        return None
    labels.sort(
        key=lambda label: (
            site.event_of.get(label, {}).get("start", ""),
            site.event_of.get(label, {}).get("end", ""),
            label,
        )
    )
    months = site.months(code, control)
    if not changes:
        changes = [_unchanged(listed.get(PREFIX[control] + "rating"), bool(pending))]
    title = f"{words.CONTROL[control]} rating of {site.name(code)} by list"
    return {
        "key": control, "name": words.CONTROL[control], "changes": changes, "pending": pending, "months": months,
        "steps": [(kind_of(block), block) for block in site.steps.get((code, control), ())],
        "events": [_event(site, label, lines.get(label), games.get(label, [])) for label in labels],
        "chart": Markup(chart.rating_line(months, title, f"c-{control}")),
    }  # fmt: skip


def _unchanged(rating: int | None, waits: bool) -> Row:
    empty = dict.fromkeys(("games", "score", "expected", "k", "k_list", "change_exact", "change"))
    why = "" if waits else "No game of this month counts: the rating stays as it was."
    return {**empty, "rating_before": rating, "rating_after": rating, "why": why}


def _event(site: Site, label: str, line: Row | None, games: list[Row]) -> Row:
    """One event: the line of FIDE's page, and the games in the order of rounds."""
    event = site.event_of.get(label, {})
    dates = span(words.iso(line["start"]), words.iso(line["end"])) if line else event.get("dates", "")
    ordered = sorted(games, key=lambda game: (game["round"] or 0, game["line"] or 0))
    return {
        "event": label or "unnamed event", "page": event.get("page", ""), "dates": dates, "list": line["list"] if line else "",
        "edition": line["edition"] if line else "", "row": line, "games": [_game(site, game) for game in ordered],
    }  # fmt: skip


def _game(site: Site, game: Row) -> tuple[object, ...]:
    """The cells of a game, and whether it counts: FIDE's asterisk marks a difference that was cut to 400."""
    counted, cut = bool(game["counted"]), game["counted_difference"] != game["difference"]
    shown = counted and game["counted_difference"] is not None
    remark = words.remark(game["reason"])
    verdict = (f"yes: {remark}" if remark else "yes") if counted else f"no: {game['reason']}"
    return (
        counted, words.number(game["round"]), game["colour"] or "", site.link(game["opponent"], "../") if game["opponent"] else "–",
        words.number(game["opponent_rating"]), words.result_text(game["result"]), words.number(game["difference"]),
        f"{'*' if cut else ''}{game['counted_difference']}" if shown else "", points_text(game["expected"]) if counted else "",
        words.signed_points(game["chg"]) if counted else "", id_text(game["opponent"] or 0), verdict,
    )  # fmt: skip


def _facts(code: int, listed: Row) -> str:
    facts = [
        f"Id {id_text(code)}",
        listed.get("title") or listed.get("w_title"),
        listed.get("country"),
        listed.get("sex"),
    ]
    if listed.get("birthday"):
        facts.append(f"born {listed['birthday']}")
    if "i" in (listed.get("flag") or ""):
        facts.append("inactive")
    if not listed:
        facts.append("not on the list")
    return ", ".join(str(fact) for fact in facts if fact)
