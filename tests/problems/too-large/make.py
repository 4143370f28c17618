"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """65 MB of nothing, which take no place on the disk."""
    path = folder / "report.trf"
    with open(path, "wb") as stream:
        stream.truncate(65 * 1024 * 1024)
    return [path]
