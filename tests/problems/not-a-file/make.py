"""Makes what cannot stand in a repository."""

import os
from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A pipe."""
    os.mkfifo(folder / "report.trf")
    return [folder / "report.trf"]
