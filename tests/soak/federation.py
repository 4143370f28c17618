"""An invented federation that plays month after month: its first list and the reports of any month, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from fide_batch.model import Period, id_code, id_text

_FIRST = [
    "Ada",
    "Bram",
    "Cleo",
    "Dov",
    "Elke",
    "Finn",
    "Gwen",
    "Hal",
    "Ines",
    "Jory",
    "Kit",
    "Lune",
    "Mavis",
    "Nils",
    "Orla",
    "Piers",
    "Quill",
    "Rhea",
    "Sten",
    "Tove",
    "Ulla",
    "Vane",
    "Wilf",
    "Xanthe",
    "Yorick",
    "Zelda",
]
_PARTS = [
    "ash",
    "bell",
    "crow",
    "dell",
    "elm",
    "fen",
    "glen",
    "hart",
    "isle",
    "jay",
    "kirk",
    "lark",
    "moor",
    "nook",
    "oak",
    "pike",
    "quay",
    "reed",
    "stow",
    "thorn",
    "usk",
    "vale",
    "wick",
    "yew",
    "zeal",
    "birch",
]


@dataclass
class Member:
    """A player: who he is, and how well he really plays."""

    number: int
    name: str
    sex: str
    born: int
    strength: int
    listed: bool
    """Whether he has a rating on the first list; the others arrive with their first tournament."""


@dataclass(frozen=True)
class Report:
    """A tournament report, the file's name and its bytes."""

    name: str
    data: bytes


class Federation:
    """So many players, a share of them newcomers without a rating."""

    def __init__(self, players: int, seed: int, *, newcomers: float = 0.08, first: int = 70_000_001) -> None:
        chance = random.Random(f"members {seed}")
        self.seed = seed
        self.members = [
            Member(
                first + place, _name(chance, place), chance.choice("mmmmw"), chance.randint(1945, 2014),
                max(900, min(2640, round(chance.gauss(1600, 290)))), chance.random() >= newcomers,
            )
            for place in range(players)
        ]  # fmt: skip

    def list_csv(self) -> str:
        """The first list: FIDE's columns, a rapid rating for a third, K as the rules have it; nothing of our own state."""
        chance = random.Random(f"list {self.seed}")
        lines = ["fideid,name,country,sex,title,rating,games,k,rapid_rating,rapid_games,rapid_k,birthday,flag"]
        for member in self.members:
            if not member.listed:
                continue
            rating = max(1001, member.strength + chance.randint(-80, 80))
            k = 10 if rating >= 2400 else chance.choice((20, 20, 20, 40))
            rapid = f"{max(1001, rating + chance.randint(-60, 60))},0,20" if chance.random() < 0.33 else ",,"
            lines.append(
                f'{member.number},"{member.name}",INV,{member.sex.upper().replace("W", "F")},,{rating},0,{k},{rapid},{member.born},'
            )
        return "\n".join(lines) + "\n"

    def reports(self, period: Period, events: int, largest: int = 60) -> Iterator[Report]:
        """The month's reports: Swiss tournaments, some round robins, every fifth rapid, some of them handed over a month late."""
        for place in range(events):
            chance = random.Random(f"{self.seed} {period} {place}")
            late = 1 if chance.random() < 0.1 else 0
            last = period.plus(-late).list_date - timedelta(days=chance.randint(4, 24))
            yield self.report(f"event-{place:03d}.trf", f"Event {place} of {period}", last, chance, largest)

    def report(self, name: str, title: str, last: date, chance: random.Random, largest: int = 60) -> Report:
        """One report, drawn by ``chance``."""
        robin = chance.random() < 0.15
        size = min(len(self.members), chance.randint(6, 10) if robin else chance.randint(8, largest))
        # A club is people of about one strength, so that nobody plays only players 600 points away.
        centre = chance.randrange(len(self.members))
        order = self._by_strength()
        start = max(0, min(centre - size, len(order) - 3 * size))
        people = chance.sample(order[start : start + 3 * size], size)
        rounds = (size - 1 + size % 2) if robin else min(chance.choice((7, 7, 5, 4, 3)), size - 1)
        rapid = chance.random() < 0.2
        first = last - timedelta(days=0 if rapid else 2)
        return Report(name, trf(title, people, rounds, first, last, "rapid" if rapid else "standard", chance))

    def _by_strength(self) -> list[Member]:
        if not hasattr(self, "_order"):
            self._order = sorted(self.members, key=lambda member: (member.strength, member.number))
        return self._order

    def write(self, folder: Path, period: Period, events: int, largest: int = 60) -> Path:
        """The month's reports as files of a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for report in self.reports(period, events, largest):
            (folder / report.name).write_bytes(report.data)
        return folder


def _name(chance: random.Random, place: int) -> str:
    family = (chance.choice(_PARTS) + chance.choice(_PARTS)).capitalize()
    return f"{family}, {chance.choice(_FIRST)} {_roman(place)}"


def _roman(number: int) -> str:
    """A second name nobody else has, in letters."""
    letters = ""
    while True:
        number, digit = divmod(number, 20)
        letters += "bcdfghjklmnpqrstvwxz"[digit]
        if not number:
            return letters.capitalize()


def trf(
    title: str, people: list[Member], rounds: int, first: date, last: date, control: str, chance: random.Random
) -> bytes:
    """A report of a tournament: everybody meets somebody new in every round (the circle method), the better player scores more."""
    size = len(people)
    seats: list[int | None] = list(range(size)) + ([None] if size % 2 else [])
    cells: list[list[str]] = [[] for _ in people]
    points = [0] * size
    for number in range(rounds):
        half = len(seats) // 2
        for left, right in zip(seats[:half], reversed(seats[half:]), strict=True):
            if left is None or right is None:
                alone = right if left is None else left
                assert alone is not None
                cells[alone].append("0000 - H")
                points[alone] += 1
                continue
            white, black = (left, right) if (number + left) % 2 else (right, left)
            outcome = _outcome(people[white].strength - people[black].strength, chance)
            for own, other, colour, got in ((white, black, "w", outcome), (black, white, "b", 2 - outcome)):
                if outcome == 3:
                    letter, colour_shown, got = ("+" if own == white else "-"), colour, 2 if own == white else 0
                else:
                    letter, colour_shown = "0=1"[got], colour
                points[own] += got
                cells[own].append(f"{other + 1:4d} {colour_shown} {letter}")
        seats = [seats[0], seats[-1], *seats[1:-1]]
    minutes = "90 min + 30 sec" if control == "standard" else "15 min + 5 sec"
    dates = [first if number * 2 < rounds else last for number in range(rounds)]
    lines = [
        f"012 {title}", "022 Inventon", "032 INV", f"042 {first:%Y/%m/%d}", f"052 {last:%Y/%m/%d}", f"062 {size}", "092 Individual: Swiss-System",
        "102 Arbiter, Ada", f"122 {minutes}", "132" + " " * 88 + "".join(f"{day:%y/%m/%d}".ljust(10) for day in dates),
    ]  # fmt: skip
    for place, member in enumerate(people):
        lines.append(
            f"001 {place + 1:4d} {member.sex}    {member.name:<33}      INV {id_text(member.number):>11} {member.born}/00/00 "
            f"{points[place] / 2:4.1f} {place + 1:4d}  " + "  ".join(cells[place])
        )
    return ("\n".join(line.rstrip() for line in lines) + "\n").encode()


def _outcome(difference: int, chance: random.Random) -> int:
    """White's result in half points; 3: Black did not come."""
    if chance.random() < 0.01:
        return 3
    expected = 1 / (1 + 10 ** (-difference / 400))
    drawn = chance.random()
    if drawn < 0.25:
        return 1
    return 2 if (drawn - 0.25) / 0.75 < expected else 0


def wrong(report: Report, chance: random.Random) -> Report:
    """The same report with one decided game turned round, points and all: what a correction two years later sets right."""
    lines = report.data.decode().split("\n")
    rows = [place for place, line in enumerate(lines) if line.startswith("001") and line[98:99] in ("1", "0")]
    place = chance.choice(rows)
    other = next(number for number, line in enumerate(lines) if line.startswith(f"001 {int(lines[place][91:95]):4d}"))
    for row in (place, other):
        line = lines[row]
        won = line[98] == "1"
        points = float(line[80:84]) + (-1 if won else 1)
        lines[row] = f"{line[:80]}{points:4.1f}{line[84:98]}{'0' if won else '1'}{line[99:]}"
    return Report(report.name, "\n".join(lines).encode())


assert id_code("70000001") == 70_000_001
