"""What a workspace says of itself: ``fide-batch.toml`` and ``decisions.csv``."""

from __future__ import annotations

import csv
import difflib
import io
import tomllib
from dataclasses import dataclass
from pathlib import Path

from fide_batch.model import CONTROLS, Problem, Refused

SETTINGS_FILE = "fide-batch.toml"
DECISIONS_FILE = "decisions.csv"

LARGEST_SETTINGS = 1024 * 1024
LARGEST_DECISIONS = 16 * 1024 * 1024
"""Bytes; more is neither."""

_LONGEST_PATH = 1000
_LONGEST_NAME = 255
"""What common systems take, in bytes."""

DECISION_COLUMNS = ("file", "row", "code", "decision", "reason")


@dataclass(frozen=True)
class Settings:
    """The settings of a workspace; paths are relative to its folder."""

    folder: Path
    list: str = ""
    """The list to start from when no month is sealed."""
    rules: str = "classic"
    """An edition's name, ``in-force``, or the file of a federation's own edition."""
    control: str = ""
    """The control of reports that do not say; '' to be told of them."""
    archive: str = "archive"
    lists: str = "lists/{period}.csv"
    """Where the new list is written after sealing."""
    decisions: str = DECISIONS_FILE
    found: bool = False
    """Whether there was a settings file."""

    @property
    def archive_folder(self) -> Path:
        """The folder of the sealed months."""
        return self.folder / self.archive

    def list_file(self, period: object) -> Path:
        """Where the list of a period goes."""
        return self.folder / self.lists.replace("{period}", str(period))


_KEYS = ("list", "rules", "control", "archive", "lists", "decisions")


def read_settings(folder: Path) -> Settings:
    """The settings of a folder; the defaults where it has no settings file.

    Raises:
        Refused: with every fault of the file: not TOML, an unknown key (the nearest known one is named), a value that is no text or no control,
            a path that leaves the workspace.
    """
    path = folder / SETTINGS_FILE
    if not path.exists():
        return Settings(folder)

    def fault(message: str, hint: str, line: int | None = None) -> Problem:
        return Problem("settings", "error", str(path), line, None, message, hint)

    try:
        text = _text(path, LARGEST_SETTINGS)
        content = tomllib.loads(text.replace("\r\n", "\n"))
    except (OSError, ValueError, RecursionError) as error:
        raise Refused(
            fault(f"the settings cannot be read: {error}", 'write lines such as list = "rating-list.csv"')
        ) from None
    faults = []
    for key, value in content.items():
        line = next((number for number, row in enumerate(text.splitlines(), 1) if row.strip().startswith(key)), None)
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, 1, 0.4)
            faults.append(
                fault(
                    f"unknown setting {key!r:.80}",
                    f"did you mean {near[0]!r}?" if near else f"known are {', '.join(_KEYS)}",
                    line,
                )
            )
        elif not isinstance(value, str):
            faults.append(fault(f"{key} = {value!r:.80} is not text", f'write it in quotes: {key} = "..."', line))
        elif _no_path(value):
            faults.append(
                fault(f"{key} is no name a file can have: {_no_path(value)}", "write a shorter, plain name", line)
            )
        elif key == "control" and value not in ("", *CONTROLS):
            faults.append(fault(f"control = {value!r:.80}", f"expected one of {', '.join(CONTROLS)}", line))
        elif key in ("archive", "lists") and (
            Path(value).is_absolute() or ".." in Path(value).parts or not value.strip()
        ):
            faults.append(fault(f"{key} = {value!r} leaves the workspace", "name a place inside this folder", line))
        elif key == "lists" and "{period}" not in value:
            faults.append(
                fault(
                    f"lists = {value!r} has no {{period}}: every month would overwrite the last",
                    'write lists = "lists/{period}.csv"',
                    line,
                )
            )
    if not faults and _inside(content.get("lists", Settings.lists), content.get("archive", Settings.archive)):
        faults.append(
            fault("lists would be written into the archive, where they alter sealed months", "name another folder")
        )
    if faults:
        raise Refused(*faults)
    return Settings(folder, found=True, **content)


def _text(path: Path, largest: int) -> str:
    """A file in UTF-8.

    Raises:
        OSError: when it cannot be read.
        ValueError: when it is too large, or no UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise ValueError(f"more than {largest:,} bytes")
    return data.decode("utf-8-sig")


def _inside(path: str, folder: str) -> bool:
    parts = Path(folder).parts
    return bool(parts) and Path(path).parts[: len(parts)] == parts


def _no_path(value: str) -> str:
    """What keeps a text from being the path of a file; '' for nothing."""
    if any(ord(sign) < 32 for sign in value):
        return "it holds a control character"
    if len(value.encode()) > _LONGEST_PATH or any(len(part.encode()) > _LONGEST_NAME for part in value.split("/")):
        return f"{len(value)} letters"
    return ""


def write_settings(folder: Path, settings: Settings) -> Path:
    """Write the settings file of a new workspace."""
    path = folder / SETTINGS_FILE
    quoted = {key: getattr(settings, key).replace("\\", "\\\\").replace('"', '\\"') for key in _KEYS}
    path.write_text(
        "# Settings of this fide-batch workspace. Paths are relative to this folder.\n"
        f'list = "{quoted["list"]}"           # the list to start from when no month is sealed\n'
        f'rules = "{quoted["rules"]}"         # an edition (see: fide-batch rules), "in-force", or your own edition file\n'
        f'# control = "standard"       # for reports that do not say\n'
        f'lists = "{quoted["lists"]}" # where each new list is written\n',
        "utf-8",
        newline="\n",
    )
    return path


@dataclass(frozen=True)
class Decision:
    """One ruling of the rating officer: a line of ``decisions.csv``."""

    file: str
    """The report it is about, by its name or the end of its path; '' for any."""
    row: str
    """A start number or line of the report, or '' for the whole report."""
    code: str
    """The problem it answers, or ''."""
    decision: str
    """``accept``, ``id 1234``, ``leave out``, ``control rapid``, ``type swiss`` ..."""
    reason: str
    line: int = 0
    source: str = ""
    """The decisions file itself, for messages."""


def read_decisions(path: Path, name: str = "") -> list[Decision]:
    """The rulings of a workspace; none where there is no file.

    Args:
        path: the file.
        name: what problems call it, the same wherever one stands; '' for its path.

    Raises:
        Refused: with every faulty line.
    """
    if not path.exists():
        return []

    def fault(line: int | None, message: str, hint: str) -> Problem:
        return Problem("decisions", "error", str(path), line, None, message, hint)

    try:
        text = _text(path, LARGEST_DECISIONS)
    except (OSError, ValueError) as error:
        raise Refused(fault(None, f"the decisions cannot be read: {error}", "save the file as CSV in UTF-8")) from None
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    faults: list[Problem] = []
    decisions: list[Decision] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        heads = [head.strip().lower() for head in next(reader, [])]
        if text.strip() and set(heads) != set(DECISION_COLUMNS):
            raise Refused(
                Problem(
                    "decisions", "error", str(path), 1, 1, f"the heading is {', '.join(heads)!r:.200}; expected {', '.join(DECISION_COLUMNS)}",
                    f"make the first line: {','.join(DECISION_COLUMNS)}",
                )
            )  # fmt: skip
        for cells in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            values = dict(zip(heads, (cell.strip() for cell in cells), strict=False))
            if len(cells) != len(heads):
                said = f"{len(cells)} cells; expected {len(heads)}"
                faults.append(fault(line, said, "put a reason with commas in quotes"))
            elif not values["decision"]:
                faults.append(fault(line, "no decision on this line", "write accept, id ..., leave out ..."))
            elif not values["reason"]:
                hint = "say why in the last column: it is printed in the audit"
                faults.append(fault(line, "a decision without a reason", hint))
            else:
                decisions.append(Decision(**values, line=line, source=name or str(path)))
    except csv.Error as error:
        faults.append(fault(reader.line_num, f"not CSV: {error}", "check the quotes on this line"))
    if faults:
        raise Refused(*faults)
    return decisions
