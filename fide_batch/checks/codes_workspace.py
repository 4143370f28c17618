"""The catalogue, third part: what is said of the month, its archive and questions to it."""

from __future__ import annotations

from fide_batch.checks.codes_reports import Row

_RATING: tuple[Row, ...] = (
    ("no-list-of-control", "warning", "The edition has no list of the event's control: its games are not rated.", "choose an edition with `--rules`, or correct the pace"),
    ("round-robin-not-closed", "warning", "A decision says round robin, and the games do not: rated as a Swiss.", "take the decision back, or complete the report"),
    ("no-k-in-list", "note", "The list has no K: K by age and rating, 30 games taken as played.", "start from a list with its K column"),
    ("kept-result-expired", "note", "An unrated player's kept result has expired.", "nothing"),
    ("kept-result-dropped", "note", "A kept result is dropped: the player has been rated by another way, or delisted.", "nothing"),
    ("unrated-island", "note", "Unrated players of an event met nobody with a rating: not rateable, the others are rated.", "nothing"),
    ("not-in-imported-list", "warning", "Players of the newest sealed list are not in the imported one; kept as they were.", "compare the two with `fide-batch diff`"),
)  # fmt: skip

_WORKSPACE: tuple[Row, ...] = (
    ("workspace", "error", "The folder is a workspace already, or is none.", "name another folder"),
    ("settings", "error", "`fide-batch.toml` cannot be read, or says what is not known.", "correct the line"),
    ("decisions", "error", "`decisions.csv` cannot be read, or a line lacks its decision or reason.", "correct the line"),
    ("edition", "error", "No such edition, or a fault of a federation's own.", "see `fide-batch rules`"),
    ("no-list", "error", "There is no list to start from.", "`--list FILE`, or `list = ...` in `fide-batch.toml`"),
    ("period-sealed", "error", "The period is sealed already.", "`--replace`, or `--dry-run`"),
    ("period-order", "error", "The period is not later than the newest sealed one.", "choose a later one, or `fide-batch rerun`"),
    ("list-unwritten", "error", "The month is sealed, but its list could not be written.", "the next run writes it"),
    ("list-altered", "warning", "`verify`: the list `run` wrote was altered or is missing; the archive is sound.", "`fide-batch export` writes it anew"),
    ("unwritable", "error", "A file cannot be written.", "check the folder and the disk"),
    ("export-empty", "warning", "Nobody fits what was selected: the file has no rows.", "look at `--fed`, `--control`, `--top`, `--women`, `--juniors`"),
    ("export-fit", "error or warning", "A text or number that does not fit FIDE's columns.", "export CSV or XML instead"),
)  # fmt: skip

_ARCHIVE: tuple[Row, ...] = (
    ("archive-busy", "error", "Another run is at work on the archive.", "wait until it has ended"),
    ("archive-chain", "error", "A sealed month does not rest on the month before it.", "`fide-batch rerun --from ...`"),
    ("archive-differs", "error", "A sealed month is not what its inputs say.", "`fide-batch rerun --from ...` shows who changes"),
    ("archive-format", "error", "A month sealed in a layout this version does not read.", "use the version that sealed it, or a newer one"),
    ("archive-unreadable", "error", "The archive cannot be read.", "check its permissions"),
    ("archive-unwritable", "error", "The archive cannot be written; nothing was sealed.", "check permissions and the disk"),
)  # fmt: skip

_QUESTIONS: tuple[Row, ...] = (
    ("no-month", "error", "The month asked about is not sealed.", "run it"),
    ("no-table", "error", "The month has no such table.", "it was sealed from a list"),
    ("no-player", "error", "Nobody has that id or name.", "give the id, or a part of the name as the list writes it"),
    ("calc-file", "error", "The file of games cannot be read.", "a text file with a line a game"),
    ("calc-line", "error", "A line that is no game.", "write `1600 | 1`"),
    ("usage", "error", "Something typed that is not understood.", "write it as shown"),
)  # fmt: skip

CHAPTERS: dict[str, tuple[Row, ...]] = {
    "Rating": _RATING,
    "Workspace": _WORKSPACE,
    "Archive": _ARCHIVE,
    "Questions": _QUESTIONS,
}
