"""Every problem the program can tell, by its code: what it means, what to do, whether it may be accepted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fide_batch.model import Problem


@dataclass(frozen=True)
class Code:
    """One kind of problem."""

    code: str
    severity: str
    """``error`` (the month stops), ``warning`` (a person should look), ``note`` (a repair or a choice made); the gravest where it depends."""
    meaning: str
    action: str
    """What to do about it, for people."""
    acceptable: bool = False
    """An error that ``--accept CODE`` or a decision turns into a warning; warnings can always be accepted and become notes."""
    chapter: str = ""
    by_name: bool = False
    """Only a decision that names the code accepts it: it may bring games onto the list twice."""
    severities: str = ""
    """All of them, in words: ``error or warning``."""

    @property
    def may_be_accepted(self) -> bool:
        """Whether accepting it has an effect."""
        return self.acceptable or "warning" in self.severities

    def may_accept(self, severity: str) -> bool:
        """Whether accepting a problem of this severity has an effect."""
        return self.acceptable or severity != "error"


def _load() -> dict[str, Code]:
    from fide_batch.checks import codes_formats, codes_reports, codes_workspace

    found: dict[str, Code] = {}
    for module in (codes_reports, codes_formats, codes_workspace):
        for chapter, rows in module.CHAPTERS.items():
            for code, severity, meaning, action in rows:
                if code in found:
                    raise ValueError(f"code {code} stands twice in the catalogue")
                any_way = severity.removesuffix(" by name")
                severities = any_way.removesuffix(" acceptable")
                first = severities.replace(",", " ").split()[0]
                found[code] = Code(
                    code, first, meaning, action, severities != any_way, chapter, any_way != severity, severities
                )
    return found


LOWER = {"error": "warning", "warning": "note", "note": "note"}
"""What accepting a problem makes of its severity."""


ACCEPTED = "accepted: nothing to do"
"""What to do about an accepted problem; how it could be mended, or accepted, is no longer of use."""


def accepted(problem: Problem) -> Problem:
    """A problem that was accepted: an error as a warning, a warning as a note."""
    lower = LOWER[problem.severity]
    return problem if lower == problem.severity else replace(problem, severity=lower, hint=ACCEPTED)


CODES: dict[str, Code] = _load()
"""All codes, in the order of the chapters."""


WITHOUT_FILE = frozenset({"Rating", "Workspace", "Archive", "Questions"})
"""Chapters of problems that no report or list provokes; they are tested with what tells them."""


def markdown() -> str:
    """The catalogue as a page of documentation."""
    lines = [
        "# Problems",
        "",
        "Every problem has a code, printed at the end of its line. An **error** stops the month, a **warning** is for a person to look at, a **note**",
        "tells a repair or a choice. What may be accepted is accepted for a whole run with `--accept CODE`, or for one report, player or line in",
        "`decisions.csv` with a reason; an accepted error becomes a warning, an accepted warning a note. Of each code the first twenty of a file are",
        "told one by one, the rest are counted. What may be accepted by its code could bring games onto the list twice: a decision has to name it.",
        "",
        "This page is generated from the catalogue in `fide_batch/checks/`; a file that provokes each problem is in `tests/problems/`.",
    ]
    chapter = ""
    for entry in CODES.values():
        if entry.chapter != chapter:
            chapter = entry.chapter
            lines += ["", f"## {chapter}", "", "| code | severity | meaning | what to do |", "|---|---|---|---|"]
        severity = entry.severities + ", may be accepted" * entry.acceptable + " by its code" * entry.by_name
        cells = [cell.replace("|", "\\|") for cell in (entry.meaning, entry.action)]
        lines.append(f"| `{entry.code}` | {severity} | {cells[0]} | {cells[1]} |")
    return "\n".join(lines) + "\n"
