"""Tiny readers of FIDE's layouts, written from their description: what others would read in our files."""

import csv
import io
import re
from html import unescape

# Places from 1, as described: the first and the last of each column.
COMBINED = {
    "fideid": (1, 15), "name": (16, 76), "country": (77, 80), "sex": (81, 84), "title": (85, 89), "w_title": (90, 94), "o_title": (95, 109),
    "foa_title": (110, 113), "rating": (114, 119), "games": (120, 123), "k": (124, 126), "rapid_rating": (127, 132), "rapid_games": (133, 136),
    "rapid_k": (137, 139), "blitz_rating": (140, 145), "blitz_games": (146, 149), "blitz_k": (150, 152), "birthday": (153, 158), "flag": (159, 162),
}  # fmt: skip
SINGLE = {**{name: COMBINED[name] for name in list(COMBINED)[:11]}, "birthday": (127, 132), "flag": (133, 136)}
NUMBERS = tuple(prefix + name for prefix in ("", "rapid_", "blitz_") for name in ("rating", "games", "k"))


def value(name, text):
    text = text.strip()
    return (int(text) if text else None) if name in NUMBERS else text


def text_list(data, places=COMBINED):
    """Heading and rows of a text list; a line of any other length fails."""
    width = max(last for _, last in places.values())
    *lines, rest = data.decode("utf-8").split("\r\n")
    assert rest == ""
    assert {len(line) for line in lines} <= {width}
    return lines[0], [
        {name: value(name, line[first - 1 : last]) for name, (first, last) in places.items()} for line in lines[1:]
    ]


def xml_list(data):
    """Rows of a flat XML list."""
    text = data.decode("utf-8")
    assert re.fullmatch(r"<playerslist>\n(<player>\n(<[a-z_]+>[^<>]*</[a-z_]+>\n)+</player>\n)*</playerslist>\n", text)
    return [
        {name: value(name, unescape(inner)) for name, inner in re.findall(r"<([a-z_]+)>([^<]*)</\1>", player)}
        for player in re.findall(r"<player>(.*?)</player>", text, re.DOTALL)
    ]


def csv_table(data):
    """Heading and rows of a CSV file as RFC 4180 has it."""
    text = data.decode("utf-8")
    assert "\r\n" not in text
    heading, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert {len(row) for row in rows} <= {len(heading)}
    return heading, [dict(zip(heading, row, strict=True)) for row in rows]
