"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """A report whose second line has no end."""
    path = folder / "report.trf"
    path.write_text(
        "012 Harbour Open 2026\n042 2026/10/02\n052 2026/10/04\n122 90 min + 30 sec per move\n022 "
        + "x" * 100_000
        + "\n001    1      Vale, Ann\n"
    )
    return [path]
