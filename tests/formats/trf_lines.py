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


def codes(read, severity=None):
    return [problem.code for problem in read.problems if severity in (None, problem.severity)]


def only(read, code):
    """The one problem of a code."""
    found = [problem for problem in read.problems if problem.code == code]
    assert len(found) == 1, [f"{problem.severity} {problem.code}: {problem.message}" for problem in read.problems]
    return found[0]
