"""Make the generated pages of this folder: commands, formats, editions, problems, tables. ``make docs``; a test compares them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from fide_batch import checks, formats, model, regulations
from fide_batch.export import ENDINGS
from fide_batch.publish import edition_page

HERE = Path(__file__).parent
COMMANDS = [
    "init",
    "run",
    "check",
    "preview",
    "export",
    "inactive",
    "explain",
    "history",
    "diff",
    "rerun",
    "verify",
    "calc",
    "rules",
]


def help_of(*command: str) -> str:
    """What ``--help`` prints, 100 columns wide."""
    environment = {**os.environ, "COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1"}
    code = "import sys; from fide_batch.cli import main; sys.argv[0] = 'fide-batch'; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "--help"], capture_output=True, text=True, env=environment, check=True
    )
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def commands() -> str:
    """docs/commands.md."""
    parts = [
        "# Commands",
        "Exit status: 0 done; 1 the data have errors and nothing was written; 2 wrong usage or a crash; 130 stopped with Ctrl-C (143 and 129 ended, or the terminal closed). Results are on standard output, talk and the"
        " progress bar on standard error (no bar when that is not a terminal). `--json` wherever a program may want to read.",
        f"```text\n{help_of()}\n```",
    ]
    for command in COMMANDS:
        parts += [f"## {command}", f"```text\n{help_of(command)}\n```"]
    return "\n\n".join(parts) + "\n"


def _first_sentence(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


def formats_page() -> str:
    """docs/formats.md."""
    lines = [
        "# Formats",
        "",
        "Exactly one reader must claim a file; which one is found out from what the file holds, not from its ending.",
        "",
    ]
    for title, names in (("Reports", formats.REPORT_READERS), ("Rating lists", formats.LIST_READERS)):
        lines += [f"## {title}", "", "| reader | what it reads |", "| --- | --- |"]
        for name in names:
            module = import_module(f"fide_batch.formats.{name}")
            lines.append(f"| {module.NAME} | {_first_sentence(module.__doc__)} |")
        lines.append("")
    lines += [
        "Reports may lie in folders of folders and in ZIP files. Tables (CSV, workbooks, chess-results) are described in [sheets.md](sheets.md), lists in"
        " [lists.md](lists.md).", "", "## Exports", "", "| ending | what is written |", "| --- | --- |",
        *(f"| `{ending}` | {words} |" for ending, words in ENDINGS.items()), "",
    ]  # fmt: skip
    return "\n".join(lines)


_TABLE_NOTES = {
    "list": "A row a player. Empty rating = unrated; marks are 1, 0 or empty (not known). Then our state: games ever rated, the marks 2400 and 2300, the"
    " last day of the last event with a rated game, for each control.",
    "changes": "A row a player and control with something to tell. `change_exact` in hundredths as text.",
    "events": "A row a player and event: the columns of FIDE's calculation page.",
    "games": "A row a player and game, those that do not count with their reason.",
    "pending": "A row a player and event whose result is kept for a later list.",
    "problems": "What was found wrong or mended.",
}


def tables_page() -> str:
    """docs/tables.md."""
    lines = [
        "# Tables", "",
        "`fide-batch export --period P FILE --table NAME`: as `.csv` (UTF-8, comma), `.json`, `.parquet`, `.xlsx`. Columns and order are a contract. Scores,"
        " expected scores and changes are exact decimal numbers. Texts that a spreadsheet would take for a formula have an apostrophe before them in"
        " CSV.", "",
    ]  # fmt: skip
    for name, schema in model.TABLES.items():
        lines += [f"## {name}", "", _TABLE_NOTES[name], "", "```text", ",".join(schema.names), "```", ""]
    lines += [f"Status of a change: {', '.join(model.STATUSES)}.", ""]
    return "\n".join(lines)


PAGES: dict[str, Callable[[], str]] = {
    "commands.md": commands,
    "formats.md": formats_page,
    "tables.md": tables_page,
    "editions.md": edition_page.markdown,
    "problems.md": lambda: checks.catalogue.markdown(),
}


def main() -> None:
    """Write every generated page."""
    assert regulations.names()
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
