"""TRF text for tests, built column by column from the handbook's table, and the corpus where it is."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("FIDE_BATCH_SHARED", ROOT.parent / "shared"))
CORPUS = SHARED / "corpus" / "trf"

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason=f"no corpus of real files at {CORPUS}")


def corpus_files():
    return sorted(CORPUS.glob("*")) if CORPUS.is_dir() else []


def put(line, column, text):
    """The line with a text beginning in a column (from 1)."""
    return line.ljust(column - 1)[: column - 1] + text + line.ljust(column - 1 + len(text))[column - 1 + len(text) :]


def player(
    number, name="Reed, Ann", *rounds, sex="", title="", rating="", fed="", ident="", birth="", points="0.0", rank=""
):
    """A 001 line; a round is ``12 w 1``, ``0000 - H`` or '' for blank columns."""
    line = put("001", 5, f"{number:>4}")
    for column, text in (
        (10, sex),
        (11, f"{title:>3}"),
        (15, name),
        (49, f"{rating:>4}"),
        (54, fed),
        (58, f"{ident:>11}"),
        (70, birth),
    ):
        line = put(line, column, text)
    line = put(put(line, 81, f"{points:>4}"), 86, f"{rank:>4}")
    for place, text in enumerate(rounds):
        if text:
            opponent, colour, result = (*text.split(" "), "", "")[:3]
            column = 92 + 10 * place
            line = put(put(put(line, column, f"{opponent:>4}"), column + 5, colour), column + 7, result)
    return line.rstrip()


HEAD = ("012 Spring Open", "022 Lund", "032 SWE", "042 2026/09/05", "052 2026/09/06")


def report(*lines, head=HEAD, end="\n"):
    return "".join(line + end for line in (*head, *lines)).encode()


TRF26 = report(
    *(f"062 {3}", "072 2", "092 Swiss", "122 90 min + 30 sec", put("132", 92, "26/09/05  26/09/06"), "XXR 3", "162  W 3.0"),
    player(1, "Åström, Åsa", "2 w 1", "3 b =", "0000 - H", sex="w", title="WFM", rating=2000, fed="SWE", ident=1700123, birth="1990/01/01", points="2.0", rank=1),
    player(2, "Moor, Ben", "1 b 0", "", "3 w +", sex="m", ident=1700124, points="1.0", rank=2),
    player(3, "Stone, Cy", "", "1 w =", "2 b -", points="0.5", rank=3),
    "240 Z   2    2", "310   1 Lund".ljust(73) + "   1    2", "310   2 Moor".ljust(73) + "   3", "330 +-   1   1   2", "299 W" + " " * 14 + "1    1", "FRA    1    A", "### words", "DAT 1",
)  # fmt: skip
"""A report with every kind of record of TRF26."""

TRF06 = report(
    player(1, "Oak, Di", "4 w 1", "4 b =", rating=1900, birth="01.02.1990", points="1.5", rank=7),
    player(2, "Elm, Bo", "7 b 0", "7 w =", rating=2100, birth="90", points="0.5", rank=4),
    put("132", 92, "05.09.26  06.09.26"), "299 F" + " " * 14 + "1    1", "240 H   2    9", "163 x",
    head=("012 Spring Open", "042 05.09.2026", "052 06.09.2026", "122 G/25; 10 sec increment", "222 40/5400+30:1800+30"),
)  # fmt: skip
"""An older report: days in another order, opponents by rank, points by decision without teams."""


def codes(read, severity=None):
    return [problem.code for problem in read.problems if severity in (None, problem.severity)]


def only(read, code):
    """The one problem of a code."""
    found = [problem for problem in read.problems if problem.code == code]
    assert len(found) == 1, [f"{problem.severity} {problem.code}: {problem.message}" for problem in read.problems]
    return found[0]
