"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A note to people beside the reports."""
    (folder / "results").mkdir()
    (folder / "results" / "README.txt").write_text("the reports of October\n")
    return [folder / "results"]
