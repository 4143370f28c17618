"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """One file more than the limit, which is lowered for the test."""
    (folder / "results").mkdir()
    for number in range(4):
        (folder / "results" / f"{number}.trf").write_text("001\n")
    return [folder / "results"]
