"""Lists made by hand, from FIDE's layouts as they are described, with nothing of the product in it."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("FIDE_BATCH_SHARED", Path(__file__).parents[3] / "shared"))
LISTS = SHARED / "corpus" / "lists"
needs_lists = pytest.mark.skipif(not LISTS.is_dir(), reason=f"the corpus of real lists is not at {LISTS}")

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)
LEGACY = COMBINED.replace("FOA ", "")
SINGLE = COMBINED[:113] + "OCT26 Gms K  B-day Flag"

# Places from 1, as in the description of the layout; the last place is that of the column, not of its text.
PLACES = {
    "fideid": (1, 15), "name": (16, 76), "country": (77, 80), "sex": (81, 84), "title": (85, 89), "w_title": (90, 94), "o_title": (95, 109),
    "foa_title": (110, 113), "rating": (114, 119), "games": (120, 123), "k": (124, 126), "rapid_rating": (127, 132), "rapid_games": (133, 136),
    "rapid_k": (137, 139), "blitz_rating": (140, 145), "blitz_games": (146, 149), "blitz_k": (150, 152), "birthday": (153, 158), "flag": (159, 162),
}  # fmt: skip


def line(**cells):
    """A line of 162 places."""
    places = [" "] * 162
    for name, value in cells.items():
        first, last = PLACES[name]
        text = str(value)
        assert len(text) <= last - first + 1, (name, text)
        places[first - 1 : first - 1 + len(text)] = text
    return "".join(places)


def single(**cells):
    """A line of 136 places: one rating, games and K."""
    return line(**{name: value for name, value in cells.items() if name not in ("birthday", "flag")})[:126] + (
        str(cells.get("birthday", "")).ljust(6) + cells.get("flag", "").ljust(4)
    )


def legacy(**cells):
    """A line of 158 places: no column for online titles."""
    whole = line(**cells)
    return whole[:109] + whole[113:]


REED = {"fideid": 700001, "name": "Reed, Ann", "country": "ENG", "sex": "F", "title": "WFM", "w_title": "WFM", "rating": 2105, "games": 9, "k": 20,
        "rapid_rating": 2040, "rapid_games": 0, "rapid_k": 20, "birthday": 1994, "flag": "w"}  # fmt: skip
MOOR = {"fideid": 700002, "name": "Moor, Ben", "country": "IRL", "sex": "M", "title": "GM", "o_title": "FA,NI", "foa_title": "AGM", "rating": 2511,
        "games": 0, "k": 10, "blitz_rating": 2480, "blitz_games": 15, "blitz_k": 10, "birthday": 1980, "flag": "i"}  # fmt: skip
LUND = {"fideid": 700003, "name": "Lund, Cara", "country": "DEN", "sex": "F", "birthday": 2011, "flag": "wi"}
PLAYERS = (REED, MOOR, LUND)


def text_list(path, lines, heading=COMBINED, end="\r\n", encoding="ascii"):
    """A file of these lines."""
    path.write_bytes("".join(each + end for each in [*([heading] if heading else []), *lines]).encode(encoding))
    return path


def as_read(cells):
    """What the table should hold of a player: '' for no text, None for no number."""
    row = {}
    for name in PLACES:
        value = cells.get(name)
        if name in ("name", "country", "sex", "title", "w_title", "o_title", "foa_title", "birthday", "flag"):
            row[name] = "" if value is None else str(value)
        else:
            row[name] = value
    return row


def rows(table):
    """FIDE's columns of a table, a dictionary a player."""
    return table.select(list(PLACES)).to_pylist()


def told(problems, severity=None):
    """Codes of problems with their lines."""
    return [(problem.code, problem.line) for problem in problems if severity in (None, problem.severity)]


def only(problems, code):
    """The one problem of a code."""
    (found,) = [problem for problem in problems if problem.code == code]
    return found
