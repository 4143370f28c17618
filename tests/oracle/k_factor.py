"""K: which one is used in a period, which one the new list prints, and what a list without our own columns tells of a player's past."""

from __future__ import annotations

from tests.oracle.law import K, Law

PREFIX = {"standard": "", "rapid": "rapid_", "blitz": "blitz_"}


def k_rules(law: Law, control: str) -> K:
    return law.k if control == "standard" else law.k_rapid_blitz


def is_junior(row: dict, rules: K, list_year: int) -> bool:
    """To the end of the year of the 18th birthday: the year of the list that prints the K (reading 2)."""
    return bool(rules.junior and row.get("birthday")) and list_year - int(row["birthday"][:4]) <= 18


def k_by_rule(rules: K, *, reached_2400: bool, reached_2300: bool, junior: bool, games: int) -> int:
    """2400 once: 10. A junior who never reached 2300: 40. Fewer than 30 games: 40. Else 20. (Or the edition's own numbers.)"""
    if reached_2400:
        return rules.top
    if junior and not reached_2300:
        return rules.junior
    return rules.new if games < 30 else rules.standard


def knows(row: dict, control: str) -> bool:
    """Our own columns are filled."""
    return row[PREFIX[control] + "career_games"] is not None


def past(row: dict, control: str, rules: K, list_year: int, published: list[int]) -> dict:
    """Games and marks before the period: our own columns, or what the list's K tells (K; readings 3 and 18).

    ``published``: the rating of this control on the newest list, if any.
    """
    prefix = PREFIX[control]
    reached_2400 = any(rating >= 2400 for rating in published)
    reached_2300 = any(rating >= 2300 for rating in published)
    if knows(row, control):
        return {
            "games": row[prefix + "career_games"],
            "reached_2400": reached_2400 or row[prefix + "reached_2400"] == 1,
            "reached_2300": reached_2300 or row[prefix + "reached_2300"] == 1,
        }
    k = row[prefix + "k"] or 0
    junior = is_junior(row, rules, list_year)
    newcomer = k == rules.new and k != rules.standard and not junior
    tells_top = k == rules.top and k != rules.standard
    return {
        "games": 0 if newcomer else 30,
        "reached_2400": reached_2400 or tells_top,
        "reached_2300": reached_2300 or tells_top or (junior and k == rules.standard),
    }


def k_used(row: dict, control: str, rules: K, list_year: int, published: list[int]) -> int:
    """K before K x n: what the newest list prints, or by the rule where our own columns are filled or it prints none."""
    prefix = PREFIX[control]
    junior = is_junior(row, rules, list_year)
    if row[prefix + "rating"] is None:  # the standard rating stands in (readings 4 and 15)
        standing_in = row["rating"]
        if not knows(row, control):
            return rules.top if standing_in >= 2400 else rules.standard
        before = past(row, control, rules, list_year, published)
        return k_by_rule(
            rules,
            reached_2400=before["reached_2400"] or standing_in >= 2400,
            reached_2300=before["reached_2300"] or standing_in >= 2300,
            junior=junior,
            games=before["games"],
        )
    if not knows(row, control) and row[prefix + "k"]:
        return row[prefix + "k"]
    return k_by_rule(rules, junior=junior, **past(row, control, rules, list_year, published))


def k_times_games(k: int, games: int, rules: K) -> int:
    """K x n is at most 700: K becomes the largest whole number that keeps to it."""
    if rules.product and k * games > rules.product:
        return rules.product // games
    return k
