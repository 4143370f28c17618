"""The page of licences: what is installed with fide-batch and under which terms. ``python -m tests.soak.licences > docs/licences.md``."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOR = {
    "typer": "the command line", "rich": "tables and the progress bar on a terminal", "numpy": "columns of whole numbers", "pandas": "DataFrames of the library",
    "pyarrow": "tables, Parquet, CSV", "openpyxl": "writing workbooks", "python-calamine": "reading workbooks", "lxml": "XML", "jinja2": "pages",
}  # fmt: skip


def plain(name: str) -> str:
    """A package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure(names: list[str]) -> dict[str, tuple[str, set[str]]]:
    """Everything installed for some packages: its licence, and which of the others asked for it."""
    from packaging.requirements import Requirement

    found: dict[str, tuple[str, set[str]]] = {}
    waiting = [(plain(name), "") for name in names]
    while waiting:
        name, by = waiting.pop()
        try:
            metadata = distribution(name).metadata
        except PackageNotFoundError:
            continue
        if name in found:
            found[name][1].add(by)
            continue
        classified = "; ".join(
            line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if line.startswith("License")
        )
        found[name] = (
            metadata.get("License-Expression") or classified or (metadata.get("License") or "unknown")[:60],
            {by},
        )
        for line in distribution(name).requires or []:
            needed = Requirement(line)
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                waiting.append((plain(needed.name), name))
    return found


def direct() -> list[str]:
    """The packages named in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [plain(re.match(r"[\w.-]+", line)[0]) for line in project["dependencies"]]  # type: ignore[index]


def page() -> str:
    """docs/licences.md."""
    named = direct()
    found = closure(named)
    lines = [
        "# Licences", "",
        "fide-batch is under the MIT licence. It needs these packages, all free software that may be used and passed on with it; every version is pinned",
        "with its hashes in `requirements.txt`. The packages themselves carry the full texts.", "",
        "| package | licence | for |", "|---|---|---|",
        *(f"| {name} | {found[name][0]} | {FOR.get(name, '')} |" for name in sorted(named)), "",
        "Brought along by these:", "", "| package | licence | by |", "|---|---|---|",
        *(f"| {name} | {licence} | {', '.join(sorted(by - {''}))} |" for name, (licence, by) in sorted(found.items()) if name not in named),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
