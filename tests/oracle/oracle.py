"""The month, article by article, for a federation small enough to be worked out the slow way.

A month is a plain dict:

* ``period``: (year, month); ``rules``: an edition's name or ``in-force``;
* ``lists``: ``[((year, month), {id: row}), ...]`` in order of date, the last one the newest; a row has FIDE's columns and our own, None
  where nothing is known;
* ``events``: dicts with ``name``, ``start``, ``end``, ``control``, ``players`` ({start number: {"id": ..., "birthday": ...}}, id 0 for
  somebody not identified) and ``cells`` (start number, round, opponent's start number or 0, result letter);
* ``kept``: results of earlier months, as in ``first_rating`` with ``id`` and ``control``.

``rate`` returns ``list``, ``changes``, ``events``, ``games`` and ``kept``, keyed by id and control or event.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction

from tests.oracle import first_rating as first
from tests.oracle.k_factor import PREFIX, is_junior, k_by_rule, k_rules, k_times_games, k_used, knows, past
from tests.oracle.law import K, Law, dp, expected_score, law_of, to_nearest, two_decimals

PLAYED = {"1": Fraction(1), "=": Fraction(1, 2), "0": Fraction(0)}
FREE = {"H", "F", "U", "Z", " "}
CONTROLS = ("standard", "rapid", "blitz")


def first_of(period: tuple[int, int]) -> date:
    return date(period[0], period[1], 1)


def rating_in(row: dict | None, control: str) -> int | None:
    """The rating that counts in a control: its own, or the standard one standing in."""
    if row is None:
        return None
    own = row[PREFIX[control] + "rating"]
    return own if own is not None else row["rating"]


def rate(month: dict) -> dict:
    """The next list and how it came about."""
    return _Month(month).rate()


class _Month:
    def __init__(self, month: dict) -> None:
        self.rules = month["rules"]
        self.period = month["period"]
        self.list_date = first_of(month["period"])
        self.law = law_of(self.rules, self.list_date)
        self.lists = month["lists"]
        self.base_period, self.base = month["lists"][-1]
        self.law_of_base = law_of(self.rules, first_of(self.base_period))
        self.events = month["events"]
        self.kept = month["kept"]
        self.new_players: dict[int, dict] = {}
        self.games: dict[tuple, dict] = {}  # (event's place, player, round) -> what became of it
        self.results: dict[tuple[int, str], list[dict]] = {}  # this period's results of unrated players

    def rate(self) -> dict:
        for place in range(len(self.events)):
            self.judge_event(place)
        self.out = {
            "list": {id_: dict(row) for id_, row in self.base.items()},
            "changes": {},
            "events": {},
            "games": self.games,
        }
        self.pasts = {}
        for control in self.law.controls:
            self.list_games_to_zero(control)
            self.change(control)
            self.first_ratings(control)
        self.one_offs_and_floor()
        self.keep()
        self.print_k()
        return self.out

    # --- who is what in an event ------------------------------------------------------------------

    def list_in_force(self, day: date) -> dict:
        """The newest list dated on or before a day; the oldest one for an older event (reading 21)."""
        dated = [rows for period, rows in self.lists if first_of(period) <= day]
        return dated[-1] if dated else self.lists[0][1]

    def standing(self, event: dict, player: int) -> tuple[str, int | None]:
        """How a player stands in an event, and the rating he himself is rated from."""
        control = event["control"]
        then = rating_in(self.list_in_force(event["start"]).get(player), control)
        now = rating_in(self.base.get(player), control)
        if then is not None:
            return ("rated", then) if now is not None else ("delisted since", None)  # reading 5
        if now is not None:
            return "rated since", now  # 8.2.4, reading 16
        return ("delisted since", None) if self.before_a_delisting(event, player) else ("unrated", None)

    def before_a_delisting(self, event: dict, player: int) -> bool:
        """Games before a delisting are not pooled again: the event is older than the newest list, and than his last rated games."""
        row, prefix = self.base.get(player), PREFIX[event["control"]]
        if row is None or self.list_in_force(event["start"]) is self.base or not row[prefix + "career_games"]:
            return False
        return row[prefix + "last_played"] is not None and event["start"] <= row[prefix + "last_played"]

    def judge_event(self, place: int) -> None:
        """Every game of an event: does it count for the one player, and how."""
        event = self.events[place]
        law = law_of(self.rules, event["start"])
        control = event["control"]
        in_force = self.list_in_force(event["start"])
        ids = {number: player["id"] for number, player in event["players"].items()}
        for player in event["players"].values():
            self.new_players.setdefault(player["id"], player)
        # What a player counts as for his opponents: the rating of the list in force when the event began.
        for_opponents = {number: rating_in(in_force.get(id_), control) if id_ else None for number, id_ in ids.items()}
        closed = self.closed_round_robin(event, for_opponents) if law.round_robin else None
        if closed:
            for number, points in closed["points"].items():
                if for_opponents[number] is None:
                    ru = first.closed_ru(closed, points, closed["games"], law.bonus)
                    for_opponents[number] = to_nearest(ru)  # reading 10
        for number, round_, opponent, result in event["cells"]:
            id_ = ids[number]
            game = {"counted": False, "score": PLAYED.get(result), "control": control, "pooled": False, "served": False}
            self.games[place, id_ or -number, round_] = game
            if result not in PLAYED or not opponent or opponent == number or not id_ or not ids[opponent]:
                continue
            opponent_rating = for_opponents[opponent]
            if opponent_rating is None:
                continue  # an unrated opponent, in a Swiss
            standing, own = self.standing(event, id_)
            game |= {"own": own, "opponent": opponent_rating, "standing": standing}
            if standing == "unrated":
                game["pooled"] = True
            elif standing != "delisted since" and not self.too_far_apart(law, control, own, opponent_rating):
                game["counted"] = True
        for id_ in {id_ for id_ in ids.values() if id_}:
            mine = {key: game for key, game in self.games.items() if key[0] == place and key[1] == id_}
            self.count_differences(law, control, [game for game in mine.values() if game["counted"]])
            self.note_result(event, law, id_, [mine[key] for key in sorted(mine) if mine[key]["pooled"]], closed)

    @staticmethod
    def too_far_apart(law: Law, control: str, own: int, opponent: int) -> bool:
        """The 600 rule of rapid and blitz: the uncapped difference of two rated players (reading 13)."""
        return law.rule_600 and control != "standard" and abs(own - opponent) >= 600 and max(own, opponent) > 2600

    @staticmethod
    def count_differences(law: Law, control: str, games: list[dict]) -> None:
        """The 400 rule for one player's rated games of one event."""
        for game in games:
            difference = game["own"] - game["opponent"]
            exempt = law.exempt and control == "standard" and game["own"] >= law.exempt
            capped = control in law.cap_controls and not exempt
            game["difference"] = difference
            game["counted_difference"] = max(-law.cap, min(law.cap, difference)) if capped else difference
        if law.cap_method == "one upgrade" and control in law.cap_controls:
            upgraded = sorted(
                (game for game in games if game["difference"] > law.cap), key=lambda game: -game["difference"]
            )
            for game in upgraded[1:]:  # only the largest counts as 400 for the higher rated player
                game["counted_difference"] = game["difference"]
        for game in games:
            game["expected"] = expected_score(game["counted_difference"])

    def closed_round_robin(self, event: dict, ratings: dict[int, int | None]) -> dict | None:
        """The round robin's own numbers, or None when it is treated as a Swiss (reading 10)."""
        numbers = list(event["players"])
        if any(result not in PLAYED and (opponent or result not in FREE) for _, _, opponent, result in event["cells"]):
            return None
        met = Counter((number, opponent) for number, _, opponent, result in event["cells"] if result in PLAYED)
        everybody = Counter({(a, b): 1 for a in numbers for b in numbers if a != b})
        times = set(met.values())
        rated = [number for number in numbers if ratings[number] is not None]
        if set(met) != set(everybody) or len(times) != 1 or not rated or len(rated) == len(numbers):
            return None
        games = (len(numbers) - 1) * times.pop()
        points = {
            number: sum((PLAYED[r] for own, _, _, r in event["cells"] if own == number and r in PLAYED), Fraction(0))
            for number in numbers
        }
        return {
            "ratings": [ratings[number] for number in rated],
            "dps": [dp(two_decimals(points[number], games)) for number in rated],
            "n": len(numbers) - 1,
            "games": games,
            "points": points,
        }

    def note_result(self, event: dict, law: Law, id_: int, games: list[dict], closed: dict | None) -> None:
        """An unrated player's result, if the event counts for him at all."""
        if not games:
            return
        result = {
            "id": id_, "control": event["control"], "event": event["name"], "start": event["start"], "end": event["end"],
            "opponents": [game["opponent"] for game in games], "scores": [game["score"] for game in games],
            "closed": closed and {key: closed[key] for key in ("ratings", "dps", "n")}, "bonus": law.bonus, "games": games,
        }  # fmt: skip
        if first.enough_opponents(result, law, "every event"):
            self.results.setdefault((id_, event["control"]), []).append(result)

    # --- the change --------------------------------------------------------------------------------

    def published(self, id_: int, control: str) -> list[int]:
        """What the newest list shows to have been published; older ratings live on in the marks."""
        rating = self.base.get(id_, {}).get(PREFIX[control] + "rating")
        return [] if rating is None else [rating]

    def list_games_to_zero(self, control: str) -> None:
        for row in self.out["list"].values():
            row[PREFIX[control] + "games"] = 0

    def change(self, control: str) -> None:
        """Sum of (score - expected) x K over all events of the period, rounded once, added to the newest list's rating."""
        prefix = PREFIX[control]
        rules_of_base = self.k_rules_of_base(control)
        for id_, row in self.base.items():
            counted = {
                key: game
                for key, game in self.games.items()
                if key[1] == id_ and game["control"] == control and game["counted"]
            }
            if not counted:
                continue
            n = len(counted)
            k_list = k_used(row, control, rules_of_base, self.base_period[0], self.published(id_, control))
            k = k_times_games(k_list, n, k_rules(self.law, control))
            score = sum((game["score"] for game in counted.values()), Fraction(0))
            expected = sum((game["expected"] for game in counted.values()), Fraction(0))
            exact = k * (score - expected)
            new = self.out["list"][id_]
            new[prefix + "rating"] = rating_in(row, control) + to_nearest(exact)
            new[prefix + "games"] = n
            ends = [self.events[place]["end"] for place, _, _ in counted]
            new[prefix + "last_played"] = max(ends + [day for day in [row[prefix + "last_played"]] if day])
            self.pasts[id_, control] = self.past_with(row, control, n)
            self.out["changes"][id_, control] = {
                "games": n, "score": score, "expected": expected, "k_list": k_list, "k": k, "change_exact": exact,
                "change": to_nearest(exact), "status": "rated",
            }  # fmt: skip
            for place in sorted({place for place, _, _ in counted}):
                self.event_line(id_, place, k, [game for key, game in counted.items() if key[0] == place])

    def k_rules_of_base(self, control: str) -> K:
        """K as the newest list prints it; of a control that list did not have yet, as the new one does."""
        return k_rules(self.law_of_base if control in self.law_of_base.controls else self.law, control)

    def past_with(self, row: dict, control: str, games: int) -> dict:
        before = past(
            row,
            control,
            k_rules(self.law_of_base, control),
            self.base_period[0],
            self.published(row["fideid"], control),
        )
        return before | {"games": before["games"] + games}

    def event_line(self, id_: int, place: int, k: int, games: list[dict]) -> None:
        """The line of FIDE's calculation page; Rc is the mean of the opponents after the 400 rule, half up."""
        chg = sum((game["score"] - game["expected"] for game in games), Fraction(0))
        counted_as = [game["own"] - game["counted_difference"] for game in games]
        self.out["events"][id_, place] = {
            "own_rating": games[0]["own"], "rc": to_nearest(Fraction(sum(counted_as), len(games))), "games": len(games),
            "score": sum((game["score"] for game in games), Fraction(0)),
            "expected": sum((game["expected"] for game in games), Fraction(0)), "chg": chg, "k": k, "k_chg": k * chg,
        }  # fmt: skip

    # --- first ratings ------------------------------------------------------------------------------

    def first_ratings(self, control: str) -> None:
        prefix = PREFIX[control]
        pools: dict[int, list[dict]] = {}
        for result in self.kept:
            if result["control"] == control:
                pools.setdefault(result["id"], []).append(result)
        for (id_, of), results in self.results.items():
            if of == control:
                pools.setdefault(id_, []).extend(results)
        self.waiting = getattr(self, "waiting", {})
        for id_, pool in pools.items():
            row = self.out["list"].get(id_)
            if row is not None and row[prefix + "rating"] is not None:
                continue  # rated in this control by another way meanwhile: dropped (readings 14 and 17)
            pool = [result for result in pool if first.serves(result, self.list_date, self.law)]
            pool = first.without_bad_beginning(pool, self.law, self.rules)
            for result in pool:
                for game in result.get("games", []):
                    game["served"] = True
            if not pool:
                continue
            rating = first.first_rating(pool, self.law) if first.enough_for_a_rating(pool, self.law) else None
            if rating is None or self.after_one_off(rating) < self.law.floor:
                self.waiting[id_, control] = pool  # kept and tried again (reading 7)
                continue
            n = sum(len(result["scores"]) for result in pool)
            new = self.out["list"].setdefault(id_, self.new_row(id_))
            ends = [result["end"] for result in pool] + [day for day in [new[prefix + "last_played"]] if day]
            now = self.of_this_period(id_, control, pool)
            games_now = sum(len(result["scores"]) for result in now)
            new |= {prefix + "rating": rating, prefix + "games": games_now, prefix + "last_played": max(ends)}
            marks = past(
                new | {prefix + "rating": None, prefix + "k": None},
                control,
                k_rules(self.law, control),
                self.list_date.year,
                self.published(id_, control),
            )
            self.pasts[id_, control] = marks | {"games": (new[prefix + "career_games"] or 0) + n}
            self.out["changes"][id_, control] = {
                "games": games_now, "score": sum((first.score(result) for result in now), Fraction(0)), "status": "first-rating",
            }  # fmt: skip

    def new_row(self, id_: int) -> dict:
        """Somebody who is not on the list: a new player with the report's data."""
        names = [
            prefix + name
            for prefix in PREFIX.values()
            for name in ("rating", "games", "k", "career_games", "reached_2400", "reached_2300", "last_played")
        ]
        return dict.fromkeys(names) | {
            "fideid": id_,
            "birthday": self.new_players.get(id_, {}).get("birthday", ""),
        }

    # --- one-offs, the floor, what is kept ------------------------------------------------------------

    def has_one_off(self, which: str) -> bool:
        """Only on the list of the edition's own first day."""
        return self.law.one_off == which and self.law.name == f"fide-{self.period[0]}-{self.period[1]:02d}"

    def after_one_off(self, rating: int) -> int:
        """2024-03: every rating below 2000 moves 40 per cent of the way to it."""
        if self.has_one_off("compress") and rating < 2000:
            return to_nearest(rating + Fraction(40, 100) * (2000 - rating))
        return rating

    def one_offs_and_floor(self) -> None:
        touched = set(self.out["changes"])
        for control in self.law.controls:
            name = PREFIX[control] + "rating"
            for id_, row in self.out["list"].items():
                if row[name] is None:
                    continue
                raised = self.after_one_off(row[name])
                if control != "standard" and self.has_one_off("raise") and row["rating"] is not None:
                    raised = max(raised, row["rating"] - 100)
                if raised != row[name]:
                    line = self.out["changes"].get((id_, control), {})
                    if "change" in line:
                        line["change"] += raised - row[name]
                    row[name] = raised
                    touched.add((id_, control))
                    self.out["changes"].setdefault((id_, control), {"status": "adjusted", "games": 0})
                if row[name] < self.law.floor and (id_, control) in touched:
                    row[name] = None
                    self.out["changes"][id_, control]["status"] = "delisted"
                    if (id_, control) not in self.pasts:
                        self.pasts[id_, control] = self.past_with(self.base[id_], control, 0)
        for (id_, control), line in self.out["changes"].items():
            line["rating_after"] = self.out["list"][id_][PREFIX[control] + "rating"]

    def keep(self) -> None:
        self.out["kept"] = []
        for (id_, control), pool in sorted(self.waiting.items()):
            self.out["kept"] += pool
            now = self.of_this_period(id_, control, pool)
            self.out["changes"].setdefault(
                (id_, control),
                {"status": "pending", "rating_after": None, "games": sum(len(result["scores"]) for result in now),
                 "score": sum((first.score(result) for result in now), Fraction(0))},
            )  # fmt: skip

    def of_this_period(self, id_: int, control: str, pool: list[dict]) -> list[dict]:
        """The results of a pool that are new in this period: the others were counted in their own."""
        return [result for result in self.results.get((id_, control), []) if result in pool]

    # --- K of the new list -----------------------------------------------------------------------------

    def print_k(self) -> None:
        """The K of the rule after this period's games, uncapped; blank for the unrated. Marks look at published ratings only.

        Of somebody who did not play and whose past only the list's K told, the K goes on telling it: his own columns stay empty.
        """
        for control in self.law.controls:
            prefix = PREFIX[control]
            rules = k_rules(self.law, control)
            for id_, row in self.out["list"].items():
                rating = row[prefix + "rating"]
                after = self.pasts.get((id_, control))
                if after is None:
                    if rating is None:
                        continue
                    after = self.past_with(self.base[id_], control, 0)
                after["reached_2400"] |= rating is not None and rating >= 2400
                after["reached_2300"] |= rating is not None and rating >= 2300
                if (id_, control) in self.pasts or knows(row, control):
                    row[prefix + "career_games"] = after["games"]
                    row[prefix + "reached_2400"] = int(after["reached_2400"])
                    row[prefix + "reached_2300"] = int(after["reached_2300"])
                row[prefix + "k"] = None
                if rating is not None:
                    row[prefix + "k"] = k_by_rule(
                        rules,
                        reached_2400=after["reached_2400"],
                        reached_2300=after["reached_2300"],
                        junior=is_junior(row, rules, self.list_date.year),
                        games=after["games"],
                    )
