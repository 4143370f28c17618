"""Pages and problems as text: whole numbers, 80 columns, no colour in a pipe, nothing a stranger's file could do to a terminal."""

import io
import re

import pytest

from fide_batch.model import Grid, Heading, Page, Problem
from fide_batch.publish.terminal import problem_line, problems_text, show, show_problems, to_text

GAMES = Grid(
    ("Rd", "Opponent", "Id", "Rtg", "chg"),
    (("1", "Karlsen-Longname, Maximilian Otto Theodor", "73928E03", "2017", "-0.42"), ("2", "Ötvös, Ada", "0042", "", "+0.08")),
    frozenset({"Rd", "Id", "Rtg", "chg"}), "Autumn Open",
)  # fmt: skip


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def test_page_in_a_pipe_is_plain_text_of_80_columns():
    file = io.StringIO()
    show(Page("Lund, Maja", (Heading("Standard"), "word " * 40, GAMES)), file)
    text = file.getvalue()
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("Lund, Maja\n\nStandard\n\nword word")
    assert not any(line.endswith(" ") for line in text.splitlines())


@pytest.mark.parametrize("width", [30, 40, 60, 80, 200])
def test_numbers_and_ids_are_never_cut_off(width):
    text = to_text(Page("", (GAMES,)), width)
    assert all(value in text for value in ("73928E03", "2017", "-0.42", "0042", "+0.08"))
    assert "…" not in text


def test_long_names_wrap_instead():
    text = to_text(Page("", (GAMES,)), 50)
    assert "Karlsen-Longname," in text and "Theodor" in text


def test_numbers_stand_flush_right():
    lines = to_text(
        Page("", (Grid(("Name", "Rating"), (("A", "5"), ("B", "1500")), frozenset({"Rating"})),))
    ).splitlines()
    assert lines[2:] == ["A          5", "B       1500"]


def test_colour_on_a_terminal_unless_it_is_refused(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    file = Terminal()
    show_problems([Problem("bad", "error", "a.trf", 3, 5, "wrong", "mend it")], file)
    assert "\x1b[" in file.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    file = Terminal()
    show_problems([Problem("bad", "error", "a.trf", 3, 5, "wrong", "mend it")], file)
    assert "\x1b" not in file.getvalue()


def test_escape_sequences_and_turned_lines_in_names_are_shown_not_obeyed():
    nasty = "Eve\x1b[2J\x1b]0;x\x07 \u202egnirts\u2066 \x00\x9b31m"
    text = to_text(Page(nasty, (nasty, Grid((nasty,), ((nasty,),), title=nasty))))
    text += problems_text([Problem("x", "error", nasty, 1, 1, nasty, nasty, nasty)])
    assert not set(text) & set("\x1b\x07\x00\x9b\u202e\u2066")


def test_markup_of_the_table_maker_is_text():
    assert "[bold]Eve[/bold] :smile:" in to_text(Page("", ("[bold]Eve[/bold] :smile:",)))


def test_file_that_knows_ascii_only():
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show(Page("Ötvös", (GAMES,)), file)
    file.seek(0)
    text = file.read()
    assert "?tv?s" in text and "----" in text


def test_problem_on_one_line_as_editors_read_it():
    assert (
        problem_line(Problem("bad", "error", "results/a.trf", 12, 45, "not a rating: 'x'"))
        == "results/a.trf:12:45: error: not a rating: 'x' [bad]"
    )
    assert (
        problem_line(Problem("bad", "warning", "results/a.trf", 12, None, "late"))
        == "results/a.trf:12: warning: late [bad]"
    )
    assert (
        problem_line(Problem("bad", "note", "results/a.trf", None, None, "mended"))
        == "results/a.trf: note: mended [bad]"
    )
    for file, place in (
        ("results/a.xlsx", "results/a.xlsx!K10"),
        ("results/a.xlsx/Summer", "results/a.xlsx/Summer!K10"),
        ("A.ODS", "A.ODS!K10"),
        ("a.xlsx.csv", "a.xlsx.csv:10:11"),
        ("a.xlsx/b/c.trf", "a.xlsx/b/c.trf:10:11"),
    ):
        assert problem_line(Problem("bad", "error", file, 10, 11, "no")) == f"{place}: error: no [bad]"
    assert problem_line(Problem("bad", "error", "a.xlsx", 10, None, "no")) == "a.xlsx:10: error: no [bad]"
    assert problem_line(Problem("bad", "error", "a.xlsx/Summer", 703, 703, "no")).startswith("a.xlsx/Summer!AAA703: ")
    assert problem_line(Problem("usage", "error", "", None, None, "no list")) == "error: no list [usage]"
    assert "\n" not in problem_line(Problem("bad", "error", "a", 1, 1, "two\nlines"))


def test_problems_stand_by_file_and_line_with_the_line_a_caret_and_the_hint():
    text = problems_text([
        Problem("late", "warning", "b.trf", 2, None, "late"),
        Problem("bad", "error", "a.trf", 12, 5, "not a rating", "write a number", "001 x99"),
        Problem("bad", "error", "a.trf", 3, 1, "no id"),
    ])  # fmt: skip
    assert text.splitlines() == [
        "a.trf:3:1: error: no id [bad]",
        "a.trf:12:5: error: not a rating [bad]",
        "    001 x99",
        "        ^",
        "    write a number",
        "",
        "b.trf:2: warning: late [late]",
        "",
        "2 errors, 1 warning in 2 files",
    ]


def test_caret_stands_under_the_place_in_a_very_long_line():
    source = "a" * 5000 + "X" + "b" * 5000
    lines = problems_text([Problem("bad", "error", "a.trf", 1, 5001, "there", "", source)]).splitlines()
    assert len(lines[1]) <= 80 and lines[1][lines[2].index("^")] == "X"


def test_caret_under_wide_characters():
    lines = problems_text([Problem("bad", "error", "a.trf", 1, 4, "there", "", "日本 x")]).splitlines()
    assert lines[2] == "    " + " " * 5 + "^"


def test_the_same_problem_is_told_once():
    problem = Problem("bad", "error", "a.trf", 1, 1, "there")
    assert problems_text([problem, problem]).endswith("1 error in 1 file\n")
    assert problems_text([]) == ""


def test_of_very_many_warnings_of_a_kind_the_first_are_shown_and_the_others_counted():
    warnings = [Problem("late", "warning", f"{file:04}.trf", 1, None, "it is late") for file in range(1500)]
    other = Problem("title", "warning", "0900.trf", 2, None, "another title")
    lines = problems_text([*reversed(warnings), other], most=3).splitlines()
    assert [line for line in lines if line.endswith("[late]")] == [
        f"000{file}.trf:1: warning: it is late [late]" for file in range(3)
    ]
    assert "0900.trf:2: warning: another title [title]" in lines
    assert lines[-2:] == [
        "... and 1,497 more warnings of this kind [late]; --verbose shows them all",
        "1,501 warnings in 1,500 files",
    ]


def test_every_error_is_shown_however_many_there_are():
    text = problems_text([Problem("bad", "error", "a.trf", line, 1, "wrong") for line in range(1, 501)], most=3)
    assert text.count("[bad]") == 500 and "more" not in text


def test_as_many_as_are_shown_are_not_more():
    assert "more" not in problems_text([Problem("late", "warning", "a", line, 1, "late") for line in (1, 2, 3)], most=3)


def test_without_colour_the_same_words_as_with_it():
    nasty = "tab\there [bold]x[/bold] :smile: 日本 \x1b[31m\u202e end  "
    problems = [
        Problem("bad", severity, nasty, place, place, nasty * 9, nasty, nasty * place)
        for place, severity in enumerate(("error", "warning", "note"), 1)
    ]
    drawn = re.sub(r"\x1b\[[0-9;]*m", "", problems_text(problems, colour=True))
    assert "\n".join(line.rstrip() for line in drawn.splitlines()) + "\n" == problems_text(problems)


def test_a_folder_is_not_counted_as_a_file():
    """What is said of the archive is no fault of a file."""
    sealed = Problem("period-sealed", "error", "archive", None, None, "2026-11 is sealed already")
    assert problems_text([sealed]).splitlines()[-1] == "1 error"
    late = Problem("late", "warning", "results/a.trf", None, None, "late")
    assert problems_text([sealed, late]).splitlines()[-1] == "1 error, 1 warning in 1 file"
