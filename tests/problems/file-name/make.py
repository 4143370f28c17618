"""Makes what cannot stand in a repository."""

import os
from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A name of bytes that are no letters."""
    (folder / "results").mkdir()
    with open(os.fsencode(folder) + b"/results/caf\xe9.trf", "wb") as stream:
        stream.write(b"001\n")
    return [folder / "results"]
