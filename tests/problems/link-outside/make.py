"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A link from the folder of reports to somewhere else."""
    (folder / "results").mkdir()
    (folder / "elsewhere.trf").write_text("001\n")
    (folder / "results" / "report.trf").symlink_to(folder / "elsewhere.trf")
    return [folder / "results"]
