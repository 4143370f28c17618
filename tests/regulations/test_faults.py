"""Faulty edition files: each fault is one clear line with the place, what was found and what to do."""

import os
from pathlib import Path

import pytest

from fide_batch import regulations
from fide_batch.model import Refused

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my-federation.toml"
TEXT = EXAMPLE.read_text("utf-8")
OURS = Path(regulations.__file__).parent


def faults(text, folder, name="my-federation.toml"):
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Refused) as caught:
        regulations.from_file(file)
    for problem in caught.value.problems:
        assert (problem.code, problem.severity, problem.file) == ("edition", "error", str(file))
        assert problem.hint and "\n" not in problem.message + problem.hint
        assert len(problem.message) < 300 and problem.message.isprintable()
    return caught.value.problems


def changed(old, new, text=TEXT):
    """The example with one thing changed, and the line it stands in."""
    assert old in text, f"the example has no {old!r}"
    return text.replace(old, new, 1), text[: text.index(old)].count("\n") + 1


# In the example: what is changed, into what, what the message says, what the hint says.
ONE_FAULT = [
    # typing errors
    ("floor = 800", "flor = 800", "unknown key 'flor' in [lists]", "did you mean 'floor'?"),
    ('title = "Rating', 'titel = "Rating', "unknown key 'titel'", "did you mean 'title'?"),
    ("[one_off]", "[oneoff]", "unknown key 'oneoff'", "did you mean 'one_off'?"),
    ("stand_in = true\n", "stand_in = true\nbonus = 3\n", "unknown key 'bonus' in [lists]", "bonus belongs in [first_rating]"),
    ("stand_in = true\n", "stand_in = true\nsource = 'x'\n", "unknown key 'source' in [lists]", "source belongs above the first section"),
    ("stand_in = true\n", "stand_in = true\nzzzz = 3\n", "unknown key 'zzzz' in [lists]", "known here are floor, controls"),
    ('method = "formula"', 'method = "formulae"', "expected_score.method = 'formulae'", "did you mean 'formula'?"),
    ('method = "pooled"', 'method = "pool"', "first_rating.method = 'pool'", "expected one of 'mean of Ru', 'pooled', 'hypothetical'"),
    ('score_in = "pool"', 'score_in = "event"', "first_rating.score_in = 'event'", "expected one of 'pool', 'first event'"),
    ('controls = ["standard", "rapid", "blitz"]', 'controls = ["standard", "rapid", "blits"]', "lists.controls names 'blits'", "did you mean 'blitz'?"),
    # wrong types
    ("floor = 800", 'floor = "800"', "lists.floor = '800'", "expected a whole number"),
    ("floor = 800", "floor = 800.0", "lists.floor = 800.0", "expected a whole number"),
    ("floor = 800", "floor = true", "lists.floor = True", "expected a whole number"),
    ("floor = 800", "floor = 99999999999999999999", "lists.floor = 99999999999999999999", "expected a smaller number"),
    ("stand_in = true", "stand_in = 1", "lists.stand_in = 1", "expected true or false"),
    ('title = "Rating regulations of the Federation of Nowhere"', "title = 5", "title = 5", "expected text in quotes"),
    ("checked = 2026-11-30", 'checked = "2026-11-30"', "checked = '2026-11-30'", "expected a date such as 2026-11-01"),
    ("checked = 2026-11-30", "checked = 2026-11-30T10:00:00", "checked = 2026-11-30 10:00:00", "expected a date"),
    ("later = []", 'later = [["2020-11", "24"]]', "inactivity.later, item 1, item 2: '24'", "expected a whole number"),
    ("later = []", 'later = ["2020-11", 24]', "inactivity.later, item 1: '2020-11'", "a list"),
    ("later = []", 'later = [["2020-11", 24, 3]]', "inactivity.later, item 1: ", "a row of 2"),
    ("later = []", "later = 24", "inactivity.later = 24", "a list"),
    ("score = 0.5", "score = 0.25", "first_rating.score = 0.25", "half points, such as 0.5 or 1"),
    ("score = 0.5", 'score = "½"', "first_rating.score = '½'", "half points, such as 0.5 or 1"),
    ("bonus = 15", "bonus = 12.55", "first_rating.bonus = 12.55", "points, such as 12.5 or 20"),
    ("bonus = 15", "bonus = nan", "first_rating.bonus = NaN", "points, such as 12.5 or 20"),
    ("bonus = 15", "bonus = 1e9999999", "first_rating.bonus = 1E+9999999", "points, such as 12.5 or 20"),
    ("title = ", 'title = "a\\u001b[31m" #', "title = 'a\\x1b[31m'", "one line of text"),
    # missing
    ("floor = 800\n", "", "[lists] has no floor", "floor = "),
    ('name = "my-federation"', '# name = "my-federation"', "there is no name", "name = "),
    # the name
    ('name = "my-federation"', 'name = "our-federation"', "name = 'our-federation' in a file called my-federation.toml", 'name = "my-federation"'),
    ('source = "Rating', 'source = "" # "Rating', "source is empty", "where its numbers are from"),
    ('floor = "article 6.1"', 'floor = " "', "articles.floor is empty", "the audit prints it"),
    # the table of D and PD
    ("[392,  411, 0.92]", "[393,  411, 0.92]", "has a gap: nothing from 392 to 392", "begins at 392"),
    ("[392,  411, 0.92],", "", "has a gap: nothing from 392 to 411", "begins at 392"),
    ("[392,  411, 0.92]", "[391,  411, 0.92]", "rows 375-391 and 391-411 overlap", "begins at 392"),
    ("[  0,    3, 0.50]", "[  1,    3, 0.50]", "begins at a difference of 1", "begins at 0"),
    ("[736, 9999, 1.00]", "[736,  999, 1.00]", "ends at a difference of 999", "9999"),
    ("[392,  411, 0.92]", "[392,  411, 0.29]", "0.29 in the row 392-411", "from 0.50 to 1.00"),
    ("[392,  411, 0.92]", "[392,  411, 0.921]", "the row [392, 411, 0.921]", "[392, 411, 0.92]"),
    ("[392,  411, 0.92]", "[392,  411, 92]", "the row [392, 411, 92]", "[392, 411, 0.92]"),
    ("[392,  411, 0.92]", "[392,  411]", "the row [392, 411]", "[392, 411, 0.92]"),
    # the table of p and D(p)
    ("-800, -677,", "-677,", "performance has 100 values", "expected 101"),
    ("-800, -677,", "-677, -800,", "performance falls from -677 at 0.00 to -800 at 0.01", "never means a smaller difference"),
    ("366,  383,  401", "366,  384,  401", "performance is -383 at 0.09 and 384 at 0.91", "mirror"),
    # numbers that make no sense
    ("floor = 800", "floor = -1", "lists.floor = -1", "from 0 to 9999"),
    ("games = 5", "games = 0", "first_rating.games = 0", "at least 1"),
    ("window_months = 36", "window_months = 0", "first_rating.window_months = 0", "at least 1"),
    ("bonus = 15", "bonus = 125", "first_rating.bonus = 125", "such as 12.5 or 20"),
    ("score = 0.5", "score = 6", "first_rating.score = 6, more than 5 games can bring", "points"),
    ("highest = 0", "highest = 700", "first_rating.highest = 700, below the floor of 800", "nobody"),
    ("hypothetical_opponents = 0", "hypothetical_opponents = 2", "imaginary opponents", "hypothetical"),
    ('method = "pooled"', 'method = "hypothetical"', "there are no imaginary opponents", "2 of 1800"),
    ("cap = 0", "cap = 400", 'difference.cap is set, and the method is "none"', "cap = 0"),
    ('method = "none"  # or "every', 'method = "every game" # or "every', "difference.cap = 0", 'method = "none"'),
    ("exempt_from = 0", "exempt_from = 2650", "exempt_from and exempt_controls go together", "give both"),
    ("from_difference = 0", "from_difference = 600", "unrated_difference is half given", "0, 0 and []"),
    ("new = 30", "new = 0", "k_standard.new = 0", "at least 1"),
    ("product = 0", "product = 20", "k_standard.product = 20, less than K for a single game", "700"),
    ("junior = 0", "junior = 40", "junior, junior_age and junior_rating go together", "all three"),
    ("months = 1\n", "months = 13\n", "lists.months = 13", "12"),
    ("closing_days = 3", "closing_days = 40", "lists.closing_days = 40", "31"),
    ("late_lists = 3", "late_lists = 0", "lists.late_lists = 0", "at least 1"),
    ("months = 24", "months = 0", "inactivity.months = 0", "at least 1"),
    ("later = []", 'later = [["2020-13", 24]]', "inactivity.later: '2020-13', 24", '["2020-11", 24]'),
    ("later = []", 'later = [["2020-11", 24], ["2020-10", 12]]', "inactivity.later: 2020-10 after 2020-11", "order of date"),
    ('period = ""', 'period = "2024-03"', 'one_off.period is set, and the method is "none"', "period = ''"),
    ('controls = ["standard", "rapid", "blitz"]', 'controls = ["standard", "rapid", "rapid"]', "lists.controls names a control twice", "once"),
    ('controls = ["standard", "rapid", "blitz"]', 'controls = ["standard"]', "lists.stand_in = true without", "stand_in = false"),
]  # fmt: skip


# Where the line told is not the line changed, but one that begins so.
ELSEWHERE = {
    "unknown key 'bonus' in [lists]": "bonus = 3", "unknown key 'source' in [lists]": "source = 'x'", "unknown key 'zzzz' in [lists]": "zzzz = 3",
    "[lists] has no floor": "[lists]", "there is no name": "", "has a gap: nothing from 392 to 411": "  [ 62,", "performance has 100 values": "performance",
    "performance falls from -677 at 0.00 to -800 at 0.01": "performance", "performance is -383 at 0.09 and 384 at 0.91": "performance",
    "there are no imaginary opponents": "hypothetical_opponents", "difference.cap = 0": "cap = 0", "lists.stand_in = true without": "stand_in",
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message", "hint"), ONE_FAULT, ids=[row[2][:50] for row in ONE_FAULT])
def test_a_fault_is_named_with_its_line_and_what_to_do(old, new, message, hint, tmp_path):
    text, line = changed(old, new)
    problems = faults(text, tmp_path)
    [problem] = [problem for problem in problems if message in problem.message] or pytest.fail(f"not told: {problems}")
    assert hint in problem.hint
    assert problem.line == line if message not in ELSEWHERE else _line_of(ELSEWHERE[message], text) == problem.line


def _line_of(start, text):
    """The line that begins so; None for no line at all."""
    return next((number for number, row in enumerate(text.split("\n"), 1) if start and row.startswith(start)), None)


@pytest.mark.parametrize(
    ("old", "new"), [("floor = 800", 'floor = "800"'), ("bonus = 15", "bonus = 12.55"), ("months = 24", "months = 0"), ("cap = 0", "cap = 400"), ("[392,  411, 0.92]", "[391,  411, 0.92]")]
)  # fmt: skip
def test_the_line_is_that_of_the_key_or_row(old, new, tmp_path):
    text, line = changed(old, new)
    assert [problem.line for problem in faults(text, tmp_path)] == [line]


def test_all_faults_of_a_file_come_at_once_in_order_of_line(tmp_path):
    text = TEXT
    for old, new in (
        ("floor = 800", "flor = 800"), ("new = 30", "new = 0"), ("[392,  411, 0.92]", "[393,  411, 0.92]"), ("366,  383,", "366,  388,"),
        ("bonus = 15", "bonus = -1"), ('name = "my-federation"', 'name = "other"'), ('late = "article 7"', "late = 7"),
    ):  # fmt: skip
        text, _ = changed(old, new, text)
    problems = faults(text, tmp_path)
    told = " | ".join(problem.message for problem in problems)
    for message in (
        "name = 'other'",
        "performance is -383",
        "has a gap",
        "k_standard.new = 0",
        "first_rating.bonus = -10",
        "unknown key 'flor'",
        "has no floor",
        "articles.late = 7",
    ):
        assert message in told
    lines = [problem.line or 0 for problem in problems]
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    ("old", "new", "message", "line", "column"),
    [
        ("floor = 800", "floor 800", "Expected '=' after a key", True, True),
        ("floor = 800", "floor = 800\nfloor = 900", "Cannot overwrite a value", False, True),
        ("floor = 800", "floor = 08", "Expected newline or end of document", True, True),
        ("floor = 800", 'floor = "800', "not TOML", True, True),
        ("checked = 2026-11-30", "checked = 2026-13-30", "not TOML", True, True),
        ("[lists]", "[lists", "not TOML", True, True),
    ],
)  # fmt: skip
def test_what_is_not_toml_is_told_with_line_and_column(old, new, message, line, column, tmp_path):
    text, at = changed(old, new)
    [problem] = faults(text, tmp_path)
    assert message in problem.message
    assert problem.line and (not line or problem.line == at) and bool(problem.column) == column


HOSTILE = [
    (b"", "there is no name"),
    (b"\x00" * 1000, "not TOML"),
    (TEXT.encode().replace(b"floor", b"flo\x00r", 1), "not TOML"),
    (b"\xff\xfe" + TEXT.encode("utf-16-le"), "not UTF-8"),
    ("# é\nname = 'é'".encode("latin-1"), "not UTF-8"),
    (b"x = " + b"[\n" * 40_000, "nested too deeply"),
    (b"x = " + b"{a=" * 800, "nested too deeply"),
    (b"x = " + b"[" * 50_000, "a line of 50,004 characters"),
    (b"a" + b".a" * 1200 + b" = 1", "unknown key 'a'"),
    (b"a" + b".a" * 40_000 + b" = 1", "a line of 80,005 characters"),
    (b"x = " + b"9" * 90_000, "a line of 90,004 characters"),
    (b"x = 1" + b"0" * 2000, "unknown key 'x'"),
    (b"[lists]\nfloor = 1" + b"0" * 2000, "lists.floor = 1000"),
    (b"x = 1e" + b"9" * 2000, "not TOML"),
    (b"x = 1\n" * 200_000, "larger than 100,000 bytes"),
    (b"%PDF-1.7\n", "not TOML"),
    (b"PK\x03\x04", "not TOML"),
    (b"lists = 5\n", "lists = 5 is not a section"),
    (b"[[lists]]\nfloor = 5\n", "is not a section"),
    (b"performance = 5\n", "performance = 5"),
    (b"\n".join(b"k%d = 1" % number for number in range(8000)), "unknown key 'k0'"),
]


@pytest.mark.parametrize(("data", "message"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_ends_in_problems(data, message, tmp_path):
    problems = faults(data, tmp_path)
    assert any(message in problem.message for problem in problems)
    assert len(problems) <= 101


def test_a_byte_order_mark_and_carriage_returns_do_no_harm(tmp_path):
    file = tmp_path / "my-federation.toml"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert regulations.from_file(file) == regulations.from_file(EXAMPLE)


def test_a_folder_and_a_pipe_are_no_files(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    os.mkfifo(tmp_path / "pipe.toml")
    for name in ("folder.toml", "pipe.toml"):
        with pytest.raises(Refused, match="is not a file"):
            regulations.from_file(tmp_path / name)


def test_a_path_that_cannot_be_is_told(tmp_path):
    for path in ("a\x00b.toml", "x" * 5000 + ".toml"):
        with pytest.raises(Refused, match=r"cannot be read|there is no file"):
            regulations.from_file(tmp_path / path)


def test_an_edition_named_by_another_month_than_it_begins_in(tmp_path):
    text = (OURS / "fide-2024-12.toml").read_text("utf-8").replace("effective = 2024-12-01", "effective = 2024-11-01")
    [problem] = [p for p in faults(text, tmp_path, "fide-2024-12.toml") if "effective" in p.message]
    assert problem.hint.endswith("fide-2024-11") and "effective = 2024-11-01" in problem.message


def test_a_one_off_for_another_list_than_the_first(tmp_path):
    text = (OURS / "fide-2024-03.toml").read_text("utf-8").replace('period = "2024-03"', 'period = "2024-04"')
    problems = faults(text, tmp_path, "fide-2024-03.toml")
    assert any(
        "one_off.period = 2024-04, and the edition begins on 2024-03-01" in problem.message for problem in problems
    )


def test_a_change_of_inactivity_before_the_first_day(tmp_path):
    text = (OURS / "fide-2017-07.toml").read_text("utf-8").replace('[["2020-11", 24]]', '[["2017-07", 24]]')
    problems = faults(text, tmp_path, "fide-2017-07.toml")
    assert any("2017-07 is not after the first day" in problem.message for problem in problems)


def test_two_editions_on_one_day(tmp_path):
    for name, text in (("first", TEXT), ("second", TEXT)):
        text = text.replace('name = "my-federation"', f'name = "{name}"').replace(
            "checked =", "effective = 2026-01-01\nchecked ="
        )
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    with pytest.raises(Refused) as caught:
        regulations.gather(tmp_path)
    [problem] = caught.value.problems
    assert problem.message == "two editions begin on 2026-01-01: first.toml and second.toml"
    assert (
        problem.file == "second.toml"
        and problem.line == TEXT.split("\n").index("checked = 2026-11-30") + 1
        and problem.hint
    )


def test_the_faults_of_every_file_of_a_folder_come_at_once(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(TEXT, "utf-8")
    with pytest.raises(Refused) as caught:
        regulations.gather(tmp_path)
    assert [problem.file for problem in caught.value.problems] == ["a.toml", "b.toml"]


def test_our_own_editions_begin_on_different_days_and_have_no_fault():
    assert [edition.name for edition in regulations.gather(OURS)] == list(regulations.names())
