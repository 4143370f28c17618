"""The command line: arguments -> run -> print -> exit code. No chess in here.

Exit status: 0 done; 1 the data have errors and nothing was written; 2 wrong usage or a crash.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from fide_batch import stopping

if TYPE_CHECKING:
    from fide_batch.archive import Archive
    from fide_batch.model import Page, Period, Problem
    from fide_batch.run import Outcome, Progress

app = typer.Typer(
    name="fide-batch",
    help="A month of chess tournament reports in, the next rating list by the FIDE procedure out, with the reason for every number.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class Control(StrEnum):
    """The three lists."""

    standard = "standard"
    rapid = "rapid"
    blitz = "blitz"


class Table(StrEnum):
    """The tables of a sealed month."""

    list = "list"
    changes = "changes"
    events = "events"
    games = "games"
    pending = "pending"
    problems = "problems"


class Formula(StrEnum):
    """How ``calc`` computes."""

    table = "table"
    logistic = "logistic"
    counter = "counter"


def _whole(example: int, least: int = 1) -> Callable[[str], int]:
    """Reads a whole number; what is none is told with an example."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
            raise typer.BadParameter(f"{text!r} is no whole number of {least} or more; write one such as {example}")
        return int(text)

    return read


def _period(text: str) -> Period:
    from fide_batch.model import Period

    try:
        return Period.parse(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


PeriodOption = Annotated[
    str, typer.Option("--period", "-p", metavar="YYYY-MM", help="The list the month leads to: 2026-11 is the list of 1 November 2026.")
]  # fmt: skip
WorkspaceOption = Annotated[
    Path, typer.Option("--workspace", "-w", metavar="DIR", help="The folder with fide-batch.toml and the archive.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
ControlOption = Annotated[Control | None, typer.Option("--control", help="Which rating.")]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules", metavar="NAME|in-force|FILE", help="The edition of the regulations; see: fide-batch rules."
    ),
]
AcceptOption = Annotated[
    list[str] | None,
    typer.Option("--accept", metavar="CODE", help="Accept problems of this code (may be repeated)."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Say only what is wrong.")]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show notes too: every repair and every choice made.")
]


# --- printing


def _out(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def _talk(text: str) -> None:
    sys.stderr.write(text if text.endswith("\n") else text + "\n")


def _show(page: Page, as_json: bool) -> None:
    if as_json:
        _out(json.dumps(page.data, indent=2, ensure_ascii=False))
    else:
        from fide_batch.publish import terminal

        terminal.show(page, sys.stdout)


_MOST_OF_A_KIND = 100
"""Warnings of one code that are shown."""


def _problem_rows(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    from fide_batch.model import PROBLEMS, problems_table

    return [dict(zip(PROBLEMS.names, row.values(), strict=True)) for row in problems_table(problems).to_pylist()]


def _report(
    problems: Sequence[Problem], verbose: bool | None = None, quiet: bool = False, to_stdout: bool = False
) -> None:
    """Problems by file: errors always, warnings unless quiet; notes, and the rest of very many of one kind, when verbose.

    ``verbose`` is None for a command that has no such option: it shows all warnings.
    """
    from fide_batch.publish import terminal

    wanted = {"error"} if quiet else {"error", "warning", "note"} if verbose else {"error", "warning"}
    shown = [problem for problem in problems if problem.severity in wanted]
    if shown:
        terminal.show_problems(
            shown, sys.stdout if to_stdout else sys.stderr, most=_MOST_OF_A_KIND if verbose is False else 0
        )


def _refuse(problems: Sequence[Problem], as_json: bool) -> NoReturn:
    if as_json:
        _out(json.dumps({"problems": _problem_rows(problems)}, indent=2, ensure_ascii=False))
    else:
        _report(problems)
    raise typer.Exit(2 if problems and all(problem.code == "usage" for problem in problems) else 1)


class _Watch:
    """A progress bar on the terminal's error stream; nothing at all when that is not a terminal."""

    def __init__(self, quiet: bool) -> None:
        self.bar: Any = None
        self.task: Any = None
        self.stage = ""
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
            )

            self.bar = Progress(
                SpinnerColumn(), TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                console=Console(file=sys.stderr), transient=True,
            )  # fmt: skip

    def __enter__(self) -> Progress:
        if self.bar:
            self.bar.start()
        return self.see

    def __exit__(self, *_: object) -> None:
        if self.bar:
            with contextlib.suppress(OSError):  # the terminal may be gone
                self.bar.stop()

    def see(self, stage: str, done: int, total: int) -> None:
        """One step of progress."""
        if not self.bar:
            return
        if stage != self.stage:
            if self.task is not None:
                self.bar.remove_task(self.task)
            self.task, self.stage = self.bar.add_task(stage, total=total or None), stage
        self.bar.update(self.task, completed=done, total=total or None)


# --- the month


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The new workspace.")],
    list_file: Annotated[
        Path, typer.Option("--list", metavar="FILE", help="The list to start from, in any format read.")
    ],
    period: PeriodOption,
    rules: RulesOption = "classic",
    accept: AcceptOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a workspace from a rating list.

    Writes a settings file and seals the list as the first month.
    """
    from fide_batch import run as month
    from fide_batch.model import Refused

    when = _period(period)
    try:
        made = month.init(folder, list_file, when, rules, frozenset(accept or ()))
    except Refused as refused:
        _refuse(refused.problems, as_json)
    problems = made.pop("problems")
    if as_json:
        _out(json.dumps({**made, "problems": _problem_rows(problems)}, indent=2, ensure_ascii=False))
        return
    _report(problems)
    _out(f"{folder}: {made['players']} players sealed as the list of {when}, rules {rules}")
    _out(f"Next: fide-batch run --workspace {folder} --period {when.plus(1)} REPORTS")


@app.command()
def run(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Reports: files, folders of folders, ZIP archives.")
    ],
    period: PeriodOption,
    list_file: Annotated[
        Path | None,
        typer.Option("--list", metavar="FILE", help="Start from this list; what we know of its players is kept."),
    ] = None,
    rules: RulesOption = "",
    control: Annotated[Control | None, typer.Option("--control", help="For reports that do not say.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would come out; write nothing.")] = False,
    skip_faulty: Annotated[
        bool, typer.Option("--skip-faulty", help="Leave faulty reports out and rate the others.")
    ] = False,
    accept: AcceptOption = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Seal a sealed month anew; the old one is kept beside it.")
    ] = False,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Rate the month.

    Reads the reports, checks and rates them, seals the month and writes the next list. With any error nothing is written.
    """
    from fide_batch import run as month
    from fide_batch.model import Refused, errors

    when = _period(period)
    options = month.Options(
        list_file, rules, control.value if control else "", dry_run, skip_faulty, frozenset(accept or ()), replace
    )  # fmt: skip
    try:
        with _Watch(quiet or as_json) as progress:
            outcome = month.run(workspace, when, paths, options, progress)
    except Refused as refused:
        _refuse(refused.problems, as_json)
    page = _summary(outcome, dry_run)
    if as_json:
        data = {
            "period": period, "sealed": outcome.rated is not None and not dry_run, "edition": outcome.edition.name, "files": outcome.files,
            "left_out": list(outcome.left_out), "summary": page.data if page else None, "problems": _problem_rows(outcome.problems),
        }  # fmt: skip
        _out(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _report(outcome.problems, verbose, quiet)
        if page and not quiet:
            _show(page, False)
    if outcome.rated is None:
        if not as_json:
            found = len(errors(outcome.problems))
            _talk(f"{period}: {found} error{'s' if found != 1 else ''}; nothing was written")
        raise typer.Exit(1)


def _summary(outcome: Outcome, dry_run: bool) -> Page | None:
    """What came out, or None when the month was stopped."""
    if outcome.rated is None or outcome.checked is None:
        return None
    from fide_batch import regulations
    from fide_batch.desk import summary
    from fide_batch.model import Refused

    try:
        in_force = regulations.in_force(outcome.period.list_date).name
    except Refused:
        in_force = ""
    return summary.summary(
        outcome.period,
        outcome.rated,
        outcome.checked.reports.events,
        outcome.problems,
        outcome.edition,
        in_force,
        outcome.files,
        left_out=outcome.left_out,
        inactive=outcome.inactive,
        sealed=not dry_run,
    )


@app.command()
def check(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Reports: files, folders of folders, ZIP archives.")
    ],
    list_file: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="The list to hold them against.")
    ] = None,
    period: Annotated[
        str, typer.Option("--period", "-p", metavar="YYYY-MM", help="Check the dates against this period too.")
    ] = "",
    control: Annotated[Control | None, typer.Option("--control", help="For reports that do not say.")] = None,
    accept: AcceptOption = None,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Show every problem of every report.

    Prints a control list (one line an event: what would count) and all problems by file. Changes nothing.
    """
    from fide_batch import look
    from fide_batch.model import Refused, errors

    when = _period(period) if period else None
    try:
        with _Watch(quiet or as_json) as progress:
            page, problems = look.check(
                workspace, paths, list_file, when, control.value if control else "", frozenset(accept or ()), progress
            )
    except Refused as refused:
        _refuse(refused.problems, as_json)
    if as_json:
        _out(json.dumps({**page.data, "problems": _problem_rows(problems)}, indent=2, ensure_ascii=False))
    else:
        if not quiet:
            _show(page, False)
        _report(problems, verbose, quiet, to_stdout=True)
    if errors(problems):
        raise typer.Exit(1)


@app.command()
def preview(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Reports: a single TRF is enough.")],
    list_file: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="Rate by this list instead of the ratings printed.")
    ] = None,
    rules: RulesOption = "in-force",
    control: Annotated[Control | None, typer.Option("--control", help="For reports that do not say.")] = None,
    accept: AcceptOption = None,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Rate reports alone, without a workspace.

    What a tournament does to its players' ratings, by the ratings printed in it or those of a list.
    """
    from fide_batch import look
    from fide_batch.model import Refused, errors

    try:
        with _Watch(quiet or as_json) as progress:
            page, problems = look.preview(
                paths, list_file, rules, control.value if control else "", progress, frozenset(accept or ())
            )
    except Refused as refused:
        _refuse(refused.problems, as_json)
    if page is None or as_json:
        if as_json:
            _out(
                json.dumps(
                    {**(page.data if page else {}), "problems": _problem_rows(problems)}, indent=2, ensure_ascii=False
                )
            )
        else:
            _report(problems, verbose, quiet)
    else:
        _report(problems, verbose, quiet)
        _show(page, False)
    if errors(problems):
        raise typer.Exit(1)


# --- sealed months


@app.command()
def export(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Its ending is the format: .csv .xlsx .txt .xml .html .json .parquet")
    ],
    period: PeriodOption,
    table: Annotated[
        Table | None,
        typer.Option("--table", help="What to export; without it the list (.xlsx and .html: the whole month)."),
    ] = None,
    fed: Annotated[str, typer.Option("--fed", metavar="XXX", help="Only players of this federation.")] = "",
    control: ControlOption = None,
    top: Annotated[
        int | None, typer.Option("--top", parser=_whole(100), metavar="N", help="Only the N highest rated.")
    ] = None,
    women: Annotated[bool, typer.Option("--women", help="Only women.")] = False,
    juniors: Annotated[
        int | None,
        typer.Option("--juniors", parser=_whole(2008), metavar="YEAR", help="Only players born in this year or later."),
    ] = None,
    workspace: WorkspaceOption = Path("."),
    quiet: QuietOption = False,
) -> None:
    """Write a sealed month to a file.

    The list, another table, a workbook, or pages to look at: the ending of FILE picks the format.
    """
    from fide_batch import export as exports
    from fide_batch.model import Refused

    when = _period(period)
    selection = exports.Selection(fed, control.value if control else "", top, women, juniors)
    try:
        with _Watch(quiet):
            said, problems = exports.export(workspace, when, file, table.value if table else "", selection)
    except exports.UnknownFormat as unknown:
        raise typer.BadParameter(str(unknown)) from None
    except Refused as refused:
        _refuse(refused.problems, False)
    _report(problems, quiet=quiet)
    if not quiet:
        _talk(said)


@app.command()
def inactive(
    period: PeriodOption,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Write it to a file: .csv .xlsx .html .json .parquet")
    ] = None,
    months: Annotated[
        int | None,
        typer.Option("--months", parser=_whole(12), metavar="N", help="The window; without it the edition's."),
    ] = None,
    min_games: Annotated[
        int | None,
        typer.Option(
            "--min-games", parser=_whole(4), metavar="N", help="Games needed in the window; without it the edition's."
        ),
    ] = None,
    control: ControlOption = None,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Who is inactive, and who falls out next."""
    from fide_batch import export as exports
    from fide_batch.model import Refused

    when = _period(period)
    try:
        page, said = exports.inactive(
            workspace, when, file, months, min_games, control.value if control else "standard"
        )
    except exports.UnknownFormat as unknown:
        raise typer.BadParameter(str(unknown)) from None
    except Refused as refused:
        _refuse(refused.problems, as_json)
    if file is not None and not quiet:
        _talk(said)
    if file is None or as_json:
        _show(page, as_json)


@app.command()
def explain(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="An id, or part of a name.")],
    period: PeriodOption,
    control: ControlOption = None,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
) -> None:
    """Why this rating: every game, every sum, every rule."""
    from fide_batch import export as exports
    from fide_batch.desk import explain as question

    def rulings(archive: Archive) -> question.Rulings | None:
        if not archive.cover(when).get("decisions"):
            return None
        from fide_batch.ruled import Ruled

        return Ruled(archive, when)

    when = _period(period)
    _ask(
        workspace,
        as_json,
        lambda archive: question.explain(
            archive,
            player,
            when,
            control.value if control else "",
            exports.edition_of(archive, when),
            rulings(archive),
        ),
    )


@app.command()
def history(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="An id, or part of a name.")],
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
) -> None:
    """A player over all sealed months.

    Ratings, games and events month by month; when the player joined the list, and every other name or federation there.
    """
    from fide_batch.desk import history as question

    _ask(workspace, as_json, lambda archive: question.history(archive, player))


@app.command()
def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A sealed period, or the file of a list.")],
    b: Annotated[str, typer.Argument(metavar="B", help="A sealed period, or the file of a list.")],
    accept: AcceptOption = None,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
) -> None:
    """Compare two lists and say why they differ."""
    from fide_batch import look

    told: list[Problem] = []

    def compared(archive: Any) -> Page:
        page, problems = look.diff(archive, a, b, frozenset(accept or ()))
        told.extend(problems)
        return page

    _ask(workspace, as_json, compared)
    _report(told)


def _ask(workspace: Path, as_json: bool, question: Any) -> None:
    from fide_batch.archive import Archive
    from fide_batch.model import Refused
    from fide_batch.settings import read_settings

    try:
        page = question(Archive(read_settings(workspace).archive_folder))
    except Refused as refused:
        _refuse(refused.problems, as_json)
    _show(page, as_json)


@app.command()
def rerun(
    start: Annotated[str, typer.Option("--from", metavar="YYYY-MM", help="The first month to rate again.")],
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH...]", help="The corrected reports of that month, all of them; without them its own."
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Replace the months without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show who changes; replace nothing.")] = False,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Rate a sealed month and all later ones again.

    Shows who changes, old and new, because of which event, before anything is replaced.
    """
    from fide_batch import rerun as chain
    from fide_batch.desk import rerun_page
    from fide_batch.model import Refused

    when = _period(start)
    pages: list[Page] = []

    def agreed(rows: list[dict[str, Any]], problems: list[Problem]) -> bool:
        page = rerun_page.rerun_page(when, rows)
        pages.append(page)
        if not as_json:
            _report(problems, verbose, quiet=not verbose)
            _show(page, False)
        if dry_run or yes:
            return yes and not dry_run
        if not sys.stdin.isatty():
            _talk("nothing was replaced; say --yes to replace the months")
            return False
        return typer.confirm("Replace these months?", err=True)

    try:
        outcomes = chain.rerun(workspace, when, paths or [], agreed)
    except Refused as refused:
        _refuse(refused.problems, as_json)
    if as_json:
        replaced = [str(outcome.period) for outcome in outcomes]
        _out(json.dumps({**(pages[0].data if pages else {}), "replaced": replaced}, indent=2, ensure_ascii=False))
    elif outcomes and not quiet:
        _talk(f"replaced: {', '.join(str(outcome.period) for outcome in outcomes)}")


@app.command()
def verify(
    periods: Annotated[
        list[str] | None, typer.Argument(metavar="[PERIOD...]", help="The months to verify; without any, all.")
    ] = None,
    workspace: WorkspaceOption = Path("."),
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Is each sealed month what its inputs say.

    A list written by `run` that was altered or is missing is told too; the month is sound then, and the exit status 0.
    """
    from fide_batch import rerun as chain
    from fide_batch.model import Refused, errors

    asked = [_period(text) for text in periods or []]
    try:
        with _Watch(quiet or as_json) as progress:
            checked, problems = chain.verify(workspace, asked, progress)
    except Refused as refused:
        _refuse(refused.problems, as_json)
    if as_json:
        _out(
            json.dumps(
                {"verified": [str(period) for period in checked], "problems": _problem_rows(problems)},
                indent=2,
                ensure_ascii=False,
            )
        )
    else:
        _report(problems, to_stdout=True)
        faulty = {problem.file for problem in errors(problems)}
        if not quiet:
            for period in checked:
                sound = not any(f"/{period}" in file for file in faulty)
                _out(f"{period}  {'sound: every file as sealed, and what its inputs give' if sound else 'NOT SOUND'}")
    if errors(problems):
        raise typer.Exit(1)


# --- without a workspace


@app.command(context_settings={"ignore_unknown_options": False})
def calc(
    own: Annotated[
        int, typer.Argument(metavar="OWN", parser=_whole(1600, 0), help="Own rating (with counter: own points).")
    ],
    opponent: Annotated[
        int | None, typer.Argument(metavar="OPPONENT", parser=_whole(1600, 0), help="The opponent's rating.")
    ] = None,
    score: Annotated[str | None, typer.Argument(metavar="SCORE", help="1, 0.5 (or ½, =) or 0.")] = None,
    k: Annotated[
        int | None, typer.Option("--k", parser=_whole(20), metavar="N", help="The K-factor; without it 20.")
    ] = None,
    games: Annotated[
        Path | None, typer.Option("--games", metavar="FILE", help="A tournament: a line 'opponent | score' a game.")
    ] = None,
    formula: Annotated[
        Formula, typer.Option("--formula", help="FIDE's table, the logistic formula, or a plain counter.")
    ] = Formula.table,
    rules: RulesOption = "classic",
    control: ControlOption = None,
    abandoned: Annotated[bool, typer.Option("--abandoned", help="With counter: the game was abandoned.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Compute a single game or a tournament."""
    from fide_batch import look
    from fide_batch.model import Refused

    if games is None and (opponent is None or score is None):
        raise typer.BadParameter("expected OPPONENT and SCORE, or --games FILE")
    if games is not None and opponent is not None:
        raise typer.BadParameter("either OPPONENT and SCORE, or --games FILE, not both")
    try:
        page = look.calc(
            own,
            opponent,
            score,
            games,
            k or 20,
            formula.value,
            rules,
            control.value if control else "standard",
            abandoned,
        )
    except Refused as refused:
        _refuse(refused.problems, as_json)
    _show(page, as_json)


@app.command()
def rules(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="An edition, to print all its numbers; or a file of your own."),
    ] = None,
    compare: Annotated[
        tuple[str, str] | None, typer.Option("--diff", metavar="A B", help="What changed between two editions.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The editions of the regulations.

    Lists them, prints one, or says what changed between two.
    """
    from fide_batch import look
    from fide_batch.model import Refused

    try:
        page = look.rules(name, compare)
    except Refused as refused:
        _refuse(refused.problems, as_json)
    _show(page, as_json)


def _version(wanted: bool) -> None:
    if wanted:
        from fide_batch import __version__

        _out(f"fide-batch {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the full traceback of a crash.")] = False,
) -> None:
    """What every command understands."""


class _WithoutPandas:
    """Says that there is no pandas. (An entry None in ``sys.modules`` is taken for the module itself by compiled code.)"""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        """As importers are asked."""
        if name == "pandas":
            raise ModuleNotFoundError("no command uses pandas", name=name)


def main() -> None:
    """Run the command line; a crash is one line and status 2, and status 130 when it was stopped with Ctrl-C."""
    stopping.open_streams()
    stopping.heed()
    # Arrow imports pandas at its first array, if it can: half a second, and no command uses it (the library does).
    sys.meta_path.insert(0, _WithoutPandas())
    # A month makes many small objects that all stay; looking through them again and again for rings would cost a tenth of the time.
    gc.set_threshold(100_000, 20, 20)
    # Arrow's own pool keeps what is free again for each of the threads that write; together a tenth of the memory.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # nothing here is linear algebra; its threads take time to start
    debug = "--debug" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    try:
        app(args=arguments)
    except stopping.Stopped as stopped:
        with contextlib.suppress(OSError):  # the terminal may be gone
            _talk("stopped; nothing half done was left")
        sys.exit(128 + stopped.args[0])
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as error:
        if debug:
            raise
        if stopping.no_memory(error):
            _talk("fide-batch: there is not enough memory; nothing half done was left (free some, then run again)")
            sys.exit(2)
        _talk(
            f"fide-batch: unexpected {type(error).__name__}: {error} (run again with --debug and send us what it prints)"
        )
        sys.exit(2)


if __name__ == "__main__":
    main()
