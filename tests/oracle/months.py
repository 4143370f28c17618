"""Random months of small invented federations, always the same for the same seed.

They crowd the places where a rule turns: ratings around the floors, 2000, 2300, 2400, 2600 and 2650, gaps around 400 and 600, juniors at
18, counts at 30, results at the end of their window, events across the day an edition changes.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from tests.oracle.first_rating import months_later
from tests.oracle.k_factor import PREFIX, is_junior, k_by_rule, k_rules
from tests.oracle.law import EFFECTIVE, LAWS, Law, law_of

ANCHORS = [1000, 1010, 1200, 1400, 1410, 1600, 1800, 2000, 2290, 2300, 2390, 2400, 2410, 2590, 2600, 2640, 2650, 2700]
STYLES = ("state", "state", "k", "k", "bare", "mixed")
Period = tuple[int, int]


def plus(period: Period, months: int) -> Period:
    year, month = divmod(period[0] * 12 + period[1] - 1 + months, 12)
    return year, month + 1


def first_of(period: Period) -> date:
    return date(period[0], period[1], 1)


class Federation:
    """One random federation: its lists at the start, and the events of each following month."""

    def __init__(self, seed: int, rules: str, *, tidy: bool = False) -> None:
        """``tidy``: only what a sound report can hold, so that the months can go through files and the command line."""
        self.rng = random.Random(f"{seed} {rules}")
        self.rules = rules
        self.tidy = tidy
        self.first_period = self._first_period()
        self.style = "state" if tidy else self.rng.choice(STYLES)
        self.number = 0
        self.strength: dict[int, float] = {}
        self.new_id = 9000
        self.births: dict[int, str] = {}
        self.lists = self._lists()

    # --- when ------------------------------------------------------------------------------------

    def _first_period(self) -> Period:
        rng = self.rng
        if self.rules == "in-force":
            day = rng.choice(EFFECTIVE[1:])[0]  # around the day an edition takes effect
            return plus((day.year, day.month), rng.randint(-2, 2))
        own = [(int(self.rules[5:9]), int(self.rules[10:12]))] if self.rules.startswith("fide-") else []
        return rng.choice([*own, *own, (2026, 11), (rng.randint(2015, 2027), rng.randint(1, 12)), (2025, 1)])

    def law(self, day: date) -> Law:
        return law_of(self.rules, day)

    # --- the lists at the start --------------------------------------------------------------------

    def _rating(self, near: int | None = None) -> int:
        rng = self.rng
        if near is not None:
            return max(1, near + rng.randint(-150, 150))
        if rng.random() < 0.6:
            return rng.choice(ANCHORS) + rng.choice([0, 1, -1, rng.randint(-12, 12)])
        return rng.randint(1000, 2720)

    def _row(self, id_: int, law: Law, year: int) -> dict:
        rng = self.rng
        age = rng.choice([rng.randint(9, 60), 17, 18, 19])
        row = {"fideid": id_, "name": f"Player {id_}", "country": "FID", "sex": rng.choice("MF")}
        birthday = rng.choice(
            [f"{year - age}", f"{year - age}-{rng.randint(1, 12):02d}-15", ""] if not self.tidy else [f"{year - age}"]
        )
        row["birthday"] = birthday
        standard = self._rating() if rng.random() < 0.7 else None
        for control, prefix in PREFIX.items():
            rating = standard
            if control != "standard":
                rating = None if control not in law.controls or rng.random() < 0.5 else self._rating(standard)
            row |= {
                prefix + "rating": rating,
                prefix + "games": rng.randint(0, 12) if rating else 0,
                prefix + "k": None,
            }
            row |= {prefix + name: None for name in ("career_games", "reached_2400", "reached_2300", "last_played")}
        return row

    def _fill_past(self, row: dict, law: Law, year: int, peaks: dict[str, int]) -> None:
        """K, counts and marks that fit one another, as far as the list's style has them."""
        rng = self.rng
        style = rng.choice(["state", "k", "bare"]) if self.style == "mixed" else self.style
        for control, prefix in PREFIX.items():
            rating = row[prefix + "rating"]
            if control not in law.controls:
                continue
            rules = k_rules(law, control)
            peak = max(peaks.get(control, 0), rating or 0, self._rating() if rng.random() < 0.1 and rating else 0)
            games = rng.choice([0, 5, 12, 25, 28, 29, 30, 31, 60, 200])
            rated_before = rating is not None or peak > 0
            if style == "state" and rated_before:
                row |= {
                    prefix + "career_games": games, prefix + "reached_2400": int(peak >= 2400), prefix + "reached_2300": int(peak >= 2300),
                    prefix + "last_played": first_of(self.first_period) - timedelta(rng.randint(20, 900)),
                }  # fmt: skip
            if rating is None:
                continue
            if style == "state":
                row[prefix + "k"] = k_by_rule(
                    rules,
                    reached_2400=peak >= 2400,
                    reached_2300=peak >= 2300,
                    junior=is_junior(row, rules, year),
                    games=games,
                )
            elif style == "k":
                row[prefix + "k"] = rng.choice(
                    [
                        rules.new,
                        rules.standard,
                        rules.standard,
                        rules.top,
                        rules.top if rating >= 2400 else rules.new,
                        0,
                    ]
                )

    def _lists(self) -> list[tuple[Period, dict[int, dict]]]:
        rng = self.rng
        base_period = plus(self.first_period, -rng.choice([1, 1, 1, 2]))
        base_year = base_period[0]
        law = self.law(first_of(base_period))
        base = {id_: self._row(id_, law, base_year) for id_ in range(1001, 1001 + rng.randint(15, 40))}
        lists = [(base_period, base)]
        older_period = base_period
        for _ in range(0 if self.tidy else rng.choice([0, 1, 2])):
            older_period = plus(older_period, -rng.choice([1, 1, 2]))
            lists.insert(0, (older_period, self._older(lists[0][1])))
        for id_, row in base.items():
            peaks = {
                control: max([rows[id_][prefix + "rating"] or 0 for _, rows in lists if id_ in rows])
                for control, prefix in PREFIX.items()
            }
            self._fill_past(row, law, base_year, peaks)
        return lists

    def _older(self, rows: dict[int, dict]) -> dict[int, dict]:
        """A list before: other ratings, some not yet rated, some since delisted, some not yet on it."""
        rng = self.rng
        older = {}
        for id_, row in rows.items():
            if rng.random() < 0.05:
                continue
            was = dict(row)
            for prefix in PREFIX.values():
                rating = row[prefix + "rating"]
                if rating is not None and rng.random() < 0.1:
                    was[prefix + "rating"] = None
                elif rating is not None and rng.random() < 0.7:
                    was[prefix + "rating"] = max(1, rating + rng.randint(-40, 40))
                elif rating is None and rng.random() < 0.15 and (not prefix or row["rating"]):
                    was[prefix + "rating"] = self._rating(1000)
            older[id_] = was
        return older

    # --- the events of a month -----------------------------------------------------------------------

    def events(self, period: Period, base: dict[int, dict]) -> list[dict]:
        return [self._event(period, base) for _ in range(self.rng.randint(1, 6))]

    def _dates(self, period: Period) -> tuple[date, date]:
        rng = self.rng
        end = first_of(period) - timedelta(
            rng.choice([0, 1, 2, 5, 12, 20, 28]) if not self.tidy else rng.randint(3, 27)
        )
        if not self.tidy and rng.random() < 0.2:  # late
            late = rng.choice([1, 2, 3, 4, 12, 23, 24, 25, 26])
            end = months_later(first_of(period), -late) + timedelta(rng.choice([-1, 0, 1, 9]))
        start = end - timedelta(rng.choice([0, 0, 1, 2, 8, 8, 30, 45]) if not self.tidy else rng.choice([0, 2, 8]))
        first_day = date(2005, 1, 1)
        return max(start, first_day), max(end, first_day)

    def _control(self, period: Period, start: date) -> str:
        controls = set(self.law(first_of(period)).controls) & set(self.law(start).controls)
        return self.rng.choice(["standard", "standard", "rapid", "blitz"]) if len(controls) > 1 else "standard"

    def _event(self, period: Period, base: dict[int, dict]) -> dict:
        rng = self.rng
        start, end = self._dates(period)
        self.number += 1
        closed = rng.random() < 0.35
        ids = rng.sample(sorted(base), min(len(base), rng.choice([3, 4, 5, 6]) if closed else rng.randint(4, 16)))
        if not closed or rng.random() < 0.5:
            while rng.random() < 0.4:
                self.new_id += 1
                self.births[self.new_id] = rng.choice(["", f"{period[0] - rng.randint(9, 40)}"])
                ids.append(self.new_id)
        waiting = [id_ for id_ in self.births if id_ not in ids and rng.random() < 0.5]
        if not closed:
            ids += waiting
        if not closed and not self.tidy and rng.random() < 0.15:
            ids.append(0)
        rng.shuffle(ids)
        players = {number: {"id": id_, "birthday": self.births.get(id_, "")} for number, id_ in enumerate(ids, 1)}
        cells = self._round_robin(players) if closed else self._swiss(players)
        return {
            "name": f"Event {self.number:03d}", "start": start, "end": end, "control": self._control(period, start), "players": players,
            "cells": cells,
        }  # fmt: skip

    def _result(self, one: int, other: int) -> tuple[str, str]:
        a, b = (self.strength.setdefault(id_, self.rng.random()) for id_ in (one, other))
        draw = self.rng.random()
        if draw < 0.25:
            return "=", "="
        return ("1", "0") if self.rng.random() < 0.1 + 0.8 * (a > b) else ("0", "1")

    def _spoilt(self) -> tuple[str, str] | None:
        """Now and then a game that was not played."""
        if self.rng.random() > 0.06:
            return None
        return self.rng.choice(
            [("+", "-"), ("-", "+"), ("-", "-"), *([] if self.tidy else [("W", "L"), ("D", "D"), ("*", "*")])]
        )

    def _swiss(self, players: dict[int, dict]) -> list[tuple]:
        rng = self.rng
        cells = []
        met: set[tuple[int, int]] = set()
        marathon = not self.tidy and rng.random() < 0.1  # enough games to meet the limit of K times games
        for round_ in range(1, (rng.choice([18, 24, 36, 40]) if marathon else rng.choice([1, 3, 5, 7, 9, 9])) + 1):
            numbers = list(players)
            rng.shuffle(numbers)
            while numbers:
                one = numbers.pop()
                other = next(
                    (number for number in numbers if marathon or (min(one, number), max(one, number)) not in met), None
                )
                if other is None or rng.random() < 0.04:
                    cells.append((one, round_, 0, rng.choice("UHFZ ")))
                    continue
                numbers.remove(other)
                met.add((min(one, other), max(one, other)))
                a, b = self._spoilt() or self._result(players[one]["id"], players[other]["id"])
                cells += [(one, round_, other, a), (other, round_, one, b)]
        return cells

    def _round_robin(self, players: dict[int, dict]) -> list[tuple]:
        """By the circle; now and then one game is spoilt, or everybody meets twice."""
        rng = self.rng
        numbers: list[int] = [*players, *([0] if len(players) % 2 else [])]
        spoil = rng.random() < 0.2
        cells = []
        rounds = len(numbers) - 1
        for tour in range(2 if rng.random() < 0.15 else 1):
            circle = list(numbers)
            for round_ in range(1 + tour * rounds, rounds + 1 + tour * rounds):
                for place in range(len(circle) // 2):
                    one, other = circle[place], circle[-1 - place]
                    if not one or not other:
                        cells.append((one or other, round_, 0, rng.choice("UZ ")))
                        continue
                    a, b = self._result(players[one]["id"], players[other]["id"])
                    if spoil and rng.random() < 0.1:
                        a, b = (
                            rng.choice([("+", "-"), ("-", "-"), ("W", "L"), ("D", "D")])
                            if not self.tidy
                            else ("+", "-")
                        )
                    cells += [(one, round_, other, a), (other, round_, one, b)]
                circle = [circle[0], circle[-1], *circle[1:-1]]
        return cells


def rules_names() -> list[str]:
    """Every edition, and the choice by date."""
    return [*LAWS, "in-force"]
