"""Answers and problems as text for a terminal, a pipe or a log."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TextIO

from fide_batch.model import Grid, Heading, Page, Problem
from fide_batch.words import column_name

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH = 80
"""Columns when the reader is no terminal."""

_WIDEST = 120
"""On a wider terminal lines of text get no longer than this: they would be hard to read."""

_COLOUR = {"error": "bold red", "warning": "yellow", "note": "cyan"}

_IN_WORKBOOK = re.compile(r"\.(xlsx|xlsm|xls|ods)(/[^/]*)?$", re.IGNORECASE)
"""The name of a workbook, or of the report that one of its sheets is."""

_OF_FOLDERS = frozenset({
    "archive-busy", "archive-unreadable", "archive-unwritable", "empty-folder", "no-month", "no-table", "period-order", "period-sealed",
    "workspace",
})  # fmt: skip
"""Problems placed at the archive or another folder, which is no file to be counted."""

_CONTROLS = dict.fromkeys((*range(32), *range(127, 160), *range(8234, 8239), *range(8294, 8298)), "�")
"""Names come from files of strangers: an escape sequence in one must not reach the terminal, nor turn the line round."""

_IN_LINE = _CONTROLS | dict.fromkeys((9, 10, 11, 12, 13), " ")
_IN_PARAGRAPH = _IN_LINE | {10: "\n"}


def to_text(page: Page, width: int = WIDTH, *, colour: bool = False, ascii_only: bool = False) -> str:
    """A page as text.

    Tables fit ``width`` columns where they can: texts wrap, numbers never, and are never cut off; a table that cannot be narrower than its
    numbers is wider than asked.

    Args:
        page: the answer.
        width: columns.
        colour: with the colour codes of a terminal.
        ascii_only: lines drawn with ``-``, for files that cannot hold ``─``.
    """
    out = io.StringIO()
    console = _console(out, width, colour)
    gap = ""
    for block in (Heading(page.title), *page.blocks) if page.title else page.blocks:
        if isinstance(block, Grid):
            out.write(gap)
            _draw(console, block, width, ascii_only)
        elif block:
            out.write(gap)
            text = str(block).translate(_IN_PARAGRAPH)
            console.print(text, style="bold" if isinstance(block, Heading) else None)
        gap = "\n"
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def show(page: Page, file: TextIO, *, width: int | None = None, colour: bool | None = None) -> None:
    """Write a page to an open file: coloured and as wide as the terminal if it is one, plain and 80 columns wide otherwise.

    A character the file's encoding does not know is written as ``?``.
    """
    _write(
        to_text(page, width or _width_of(file), colour=_coloured(file, colour), ascii_only=not _holds(file, "─")), file
    )


def show_problems(
    problems: Sequence[Problem], file: TextIO, *, width: int | None = None, colour: bool | None = None, most: int = 0
) -> None:
    """Write problems to an open file, as ``problems_text`` puts them."""
    _write(problems_text(problems, width or _width_of(file), colour=_coloured(file, colour), most=most), file)


def problem_line(problem: Problem) -> str:
    """A problem on one line, as editors and compilers write it: ``file:line:column: severity: message [code]``.

    In a workbook the place is the cell: ``matches.xlsx/Summer!K10``.
    """
    place = problem.file
    if place and problem.line and problem.column and _IN_WORKBOOK.search(place):
        place += f"!{column_name(problem.column)}{problem.line}"
    elif place and problem.line:
        place += f":{problem.line}" + (f":{problem.column}" if problem.column else "")
    parts = [place.translate(_IN_LINE)] if place else []
    message = problem.message.translate(_IN_LINE)
    return ": ".join([*parts, problem.severity, message]) + f" [{problem.code}]"


def problems_text(problems: Iterable[Problem], width: int = WIDTH, *, colour: bool = False, most: int = 0) -> str:
    """Problems, file by file, each with the offending line, a caret under the place, and what to do; the counts at the end.

    Args:
        problems: in any order; each is told once.
        width: columns the offending line may take; of a longer line the part around the place is shown.
        colour: with the colour codes of a terminal.
        most: warnings and notes of one code that are shown, over all files; of the others it is said how many there are. 0: all. Errors
            are always shown: nothing goes on before each of them is mended.
    """
    ordered = sorted(dict.fromkeys(problems), key=lambda problem: problem.sort_key)
    if not ordered:
        return ""
    shown, more = _first_of_each_kind(ordered, most)
    out = io.StringIO()
    console = _console(out, width, colour) if colour else None

    def say(text: str, style: str | None = None, end: str = "\n") -> None:
        """Without colour straight to the text: of very many problems the drawing would take longer than the month."""
        if console is None:
            out.write(text + end)
        else:
            console.print(text, style=style, end=end, soft_wrap=True)

    for _, group in itertools.groupby(shown, key=lambda problem: problem.file):
        for problem in group:
            line = problem_line(problem)
            head, _, tail = line.partition(f"{problem.severity}: ")
            say(head, "bold", "")
            say(f"{problem.severity}:", _COLOUR.get(problem.severity, ""), " ")
            say(tail)
            if problem.source:
                part, caret = _excerpt(problem.source, problem.column, width - 4)
                say(f"    {part}", "dim" if colour else None)
                if caret:
                    say(f"    {caret}", _COLOUR.get(problem.severity, ""))
            if problem.hint:
                say(f"    {problem.hint.translate(_IN_LINE)}")
        out.write("\n")
    for (severity, code), count in more.items():
        say(f"... and {count:,} more {severity}s of this kind [{code}]; --verbose shows them all")
    say(
        counts_text(
            ordered, len({problem.file for problem in ordered if problem.file and problem.code not in _OF_FOLDERS})
        )
    )
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _first_of_each_kind(ordered: Sequence[Problem], most: int) -> tuple[list[Problem], dict[tuple[str, str], int]]:
    """All errors, the first warnings and notes of each code, and of how many more each code has."""
    if not most:
        return list(ordered), {}
    seen: dict[tuple[str, str], int] = {}
    shown = []
    for problem in ordered:
        kind = problem.severity, problem.code
        seen[kind] = seen.get(kind, 0) + 1
        if problem.severity == "error" or seen[kind] <= most:
            shown.append(problem)
    return shown, {kind: count - most for kind, count in sorted(seen.items()) if kind[0] != "error" and count > most}


def counts_text(problems: Sequence[Problem], files: int = 0) -> str:
    """``2 errors, 1 note in 3 files``."""
    counts = dict.fromkeys(("error", "warning", "note"), 0)
    for problem in problems:
        counts[problem.severity] = counts.get(problem.severity, 0) + 1
    said = ", ".join(f"{count:,} {word}{'s' if count != 1 else ''}" for word, count in counts.items() if count)
    return (said or "no problems") + (f" in {files:,} file{'s' if files != 1 else ''}" if files else "")


# --- how it is drawn -----------------------------------------------------------------------------


def _console(out: TextIO, width: int, colour: bool) -> Console:
    from rich.console import Console

    return Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None, highlight=False, markup=False,
        emoji=False, legacy_windows=False, no_color=not colour, _environ={},
    )  # fmt: skip


def _draw(console: Console, grid: Grid, width: int, ascii_only: bool) -> None:
    """A grid as a table without side lines; numbers flush right and whole."""
    from rich.box import Box
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    heads = [head.translate(_IN_LINE) for head in grid.heads]
    rows = [[cell.translate(_IN_LINE) for cell in row] for row in grid.rows]
    if grid.title:
        console.print(grid.title.translate(_IN_LINE), style="bold")
    if not heads and not rows:
        return
    line = ("-" if ascii_only else "─") * 4
    box = Box(f"    \n    \n{line}\n    \n    \n    \n    \n    \n")
    drawn: Table = Table(
        box=box, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False, collapse_padding=True, header_style="bold"
    )
    need = 0
    for place, head in enumerate(heads):
        cells = [row[place] for row in rows if place < len(row)]
        natural = max((cell_len(cell) for cell in (head, *cells)), default=1)
        if grid.heads[place] in grid.numeric | grid.whole:
            side: Literal["left", "right"] = "right" if grid.heads[place] in grid.numeric else "left"
            drawn.add_column(Text(head), justify=side, no_wrap=True, min_width=natural)
            need += natural + 2
        else:
            word = max((cell_len(part) for cell in (head, *cells) for part in cell.split()), default=1)
            least = min(natural, word, 16)
            drawn.add_column(Text(head), overflow="fold", min_width=least)
            need += least + 2
    for row in rows:
        drawn.add_row(*[Text(cell) for cell in row])
    asked, console.width = console.width, max(width, need)
    console.print(drawn)
    console.width = asked


def _excerpt(source: str, column: int | None, width: int) -> tuple[str, str]:
    """The part of a line around a column (from 1) that fits, and the caret under it."""
    from rich.cells import cell_len

    line = source.rstrip("\r\n")
    place = (column or 1) - 1
    start = 0
    if len(line) > width and place > width * 2 // 3:
        start = place - width * 2 // 3
    part = line[start : start + width].translate(_IN_LINE)
    if start:
        part = "…" + part[1:]
    if start + width < len(line):
        part = part[:-1] + "…"
    if not column or place > start + len(part):
        return part, ""
    return part, " " * cell_len(part[: place - start]) + "^"


def _width_of(file: TextIO) -> int:
    if not _is_terminal(file):
        return WIDTH
    import os

    try:
        return max(40, min(_WIDEST, os.get_terminal_size(file.fileno()).columns))
    except (OSError, ValueError):
        return WIDTH


def _is_terminal(file: TextIO) -> bool:
    try:
        return file.isatty()
    except (AttributeError, ValueError):
        return False


def _coloured(file: TextIO, colour: bool | None) -> bool:
    """Colour on a terminal, unless the person asked for none in the usual way (no-color.org)."""
    if colour is not None:
        return colour
    import os

    return _is_terminal(file) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _holds(file: TextIO, character: str) -> bool:
    try:
        character.encode(getattr(file, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _write(text: str, file: TextIO) -> None:
    encoding = getattr(file, "encoding", None)
    if encoding:
        text = text.encode(encoding, "replace").decode(encoding, "replace")
    file.write(text)
