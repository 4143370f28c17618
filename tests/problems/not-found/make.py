"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A path nobody has."""
    return [folder / "report.trf"]
