"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A folder with nothing in it."""
    (folder / "results").mkdir()
    return [folder / "results"]
