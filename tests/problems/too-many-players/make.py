"""Makes what cannot stand in a repository."""

from pathlib import Path


def make(folder: Path) -> list[Path]:
    """Ten thousand players; start numbers have four digits."""
    head = "012 Harbour Open 2026\n042 2026/10/02\n052 2026/10/04\n122 90 min + 30 sec per move\n"
    lines = (
        f"001 {number % 10000:4d} m    {'Vale, Ann':<33}      ENG {1503000 + number:11d} 2003        0.0    1\n"
        for number in range(1, 10_002)
    )
    path = folder / "report.trf"
    path.write_text(head + "".join(lines))
    return [path]
