"""A small archive in memory: two sealed months of invented players, the figures worked out with pencil and table."""

from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import CHANGES, EVENTS, GAMES, KEPT, LIST, PENDING, PROBLEMS, Period, Refused, id_code, table

OCTOBER, NOVEMBER = Period(2026, 10), Period(2026, 11)
LUND, QUIST, OLD, WAITS, OTHER, IDLE = 1000011, id_code("73928E03"), id_code("0042"), 1000044, 1000055, 1000066


class StandIn:
    """The archive's face, over tables in memory."""

    def __init__(self, months, manifests=None):
        self.months, self.manifests = months, manifests or {}

    def periods(self):
        return sorted(self.months)

    def table(self, period, name, columns=None, fideid=None):
        if period not in self.months:
            raise Refused()
        found = self.months[period][name]
        if fideid is not None:
            found = found.filter(pc.equal(found["fideid"], fideid))
        return found.select(list(columns)) if columns else found

    def manifest(self, period):
        return self.manifests.get(period, {"edition": "classic", "version": "1.0.0"})

    def cover(self, period):
        return {name: said for name, said in self.manifest(period).items() if name not in ("events", "files")}

    def list_in_force(self, day):
        return max((period for period in self.months if period.list_date <= day), default=None)


def rows(schema, *dicts):
    """A table from rows by name."""
    return table(
        schema,
        {
            name: [row.get(name, "" if pa.types.is_string(kind) else None) for row in dicts]
            for name, kind in zip(schema.names, schema.types, strict=True)
        },
    )


def month(**tables):
    schemas = {
        "list": LIST, "changes": CHANGES, "events": EVENTS, "games": GAMES, "pending": PENDING, "kept": KEPT, "problems": PROBLEMS,
    }  # fmt: skip
    return {name: rows(schema, *tables.get(name, ())) for name, schema in schemas.items()}


def player(fideid, name, rating=None, games=0, k=20, **more):
    return {
        "fideid": fideid,
        "name": name,
        "country": "SVL",
        "sex": "M",
        "rating": rating,
        "games": games,
        "k": k,
    } | more


def game(
    event,
    round,
    fideid,
    opponent,
    opponent_rating,
    result,
    *,
    own=1617,
    counted=1,
    chg=None,
    expected=None,
    difference=None,
    cap=None,
    reason="",
    colour="w",
):
    scores = {"1": 10000, "=": 5000, "0": 0}
    return {
        "event": event, "round": round, "fideid": fideid, "opponent": opponent, "colour": colour, "result": result, "own_rating": own,
        "opponent_rating": opponent_rating, "difference": difference, "counted_difference": cap if cap is not None else difference,
        "expected": expected, "score": scores.get(result), "chg": chg, "counted": counted, "reason": reason, "file": "results/a.trf", "line": 7,
    }  # fmt: skip


def november():
    """Lund's month is FIDE's own calculation of two events: -1.60 and +2.20 with K 20, 1617 -> 1618."""
    autumn, late = "Autumn Open", "Late Cup"
    return month(
        list=[
            player(LUND, "Lund, Maja", 1618, 7, sex="F", birthday="1990"),
            player(QUIST, "Quist, Otto", 1922, 5, 40, birthday="2010"),
            player(OLD, "=1+1", None, 2, None),
            player(OTHER, "Ötvös, Ada", 2017, 1, sex="F"),
            player(IDLE, "Lundqvist, Bo", 1500, 0, flag="i"),
        ],
        changes=[
            {
                "fideid": LUND, "name": "Lund, Maja", "control": "standard", "rating_before": 1617, "games": 7, "score": 25000, "expected": 24700,
                "k_list": 20, "k": 20, "change_exact": 6000, "change": 1, "rating_after": 1618, "status": "rated",
                "why": "Seven games with K 20 (8.3.3).",
            },
            {
                "fideid": QUIST, "name": "Quist, Otto", "control": "standard", "games": 5, "score": 30000, "rating_after": 1922,
                "status": "first-rating", "why": "Ru = Ra + 36 = 1922.",
            },
            {
                "fideid": OLD, "name": "=1+1", "control": "standard", "rating_before": 1003, "games": 2, "score": 0, "expected": 2000, "k_list": 20,
                "k": 20, "change_exact": -40000, "change": -4, "status": "delisted", "why": "999 is below the floor of 1000.",
            },
            {
                "fideid": WAITS, "name": "Lund, Per", "control": "standard", "games": 4, "score": 20000, "status": "pending",
                "why": "4 of 5 games; first event disregarded: no point",
            },
        ],
        events=[
            {
                "fideid": LUND, "control": "standard", "event": autumn, "start": date(2026, 10, 1), "end": date(2026, 10, 22), "list": "2026-10",
                "own_rating": 1617, "rc": 1588, "games": 2, "score": 10000, "expected": 10800, "chg": -800, "k": 20, "k_chg": -16000,
                "edition": "classic",
            },
            {
                "fideid": LUND, "control": "standard", "event": late, "start": date(2026, 10, 25), "end": date(2026, 10, 27), "list": "2026-10",
                "own_rating": 1617, "rc": 1811, "games": 5, "score": 15000, "expected": 13900, "chg": 1100, "k": 20, "k_chg": 22000,
                "edition": "classic",
            },
        ],
        games=[
            game(autumn, 1, LUND, QUIST, None, "1", counted=0, reason="opponent unrated (5.2)"),
            game(autumn, 2, LUND, OTHER, 1651, "0", difference=-34, expected=4500, chg=-4500),
            game(autumn, 3, LUND, OLD, 1525, "1", difference=92, expected=6300, chg=3700, colour="b"),
            game(autumn, 4, LUND, None, None, "U", counted=0, reason="pairing-allocated bye: not played (5.1)", colour=""),
            game(late, 1, LUND, OTHER, 2400, "0", difference=-783, cap=-400, expected=800, chg=-800, reason="difference 783 counts as 400 (8.3.1)"),
        ],
        pending=[
            {
                "fideid": WAITS, "control": "standard", "event": autumn, "start": date(2026, 10, 1), "end": date(2026, 10, 22), "games": 4,
                "score": 20000, "rc": 1600, "ru": 1600, "expires": date(2028, 12, 1), "missing": "4 of 5 games",
            },
        ],
    )  # fmt: skip


def october():
    return month(
        list=[
            player(LUND, "Lund, Maja", 1617, 0, sex="F", birthday="1990"),
            player(OLD, "=1+1", 1003, 0),
            player(OTHER, "Ötvös, Ada", 2017, 0, sex="F", flag="i"),
            player(IDLE, "Lundqvist, Bo", 1500, 0),
        ],
    )


def two_months():
    return StandIn({OCTOBER: october(), NOVEMBER: november()})
