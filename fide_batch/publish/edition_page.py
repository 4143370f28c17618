"""The editions of the regulations on a page: all of them, one with every number, and what changed from one to another."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from datetime import date
from typing import Any

from fide_batch import regulations
from fide_batch.model import Grid, Heading, Page
from fide_batch.publish.edition_words import RULES, SECTIONS, Line, day
from fide_batch.regulations.edition import Articles, Edition

DECISIONS = "Our decisions (the text leaves a choice: do not take these for law)"


def listing() -> Page:
    """All editions: name, first and last day in force, title and what changed."""
    rows, data = [], []
    for name in regulations.names():
        edition = regulations.edition(name)
        first, last = edition.effective, regulations.last_day(name)
        rows.append((name, str(first or ""), str(last or ""), f"{edition.title}. {edition.changed[0]}"))
        data.append(
            {
                "name": name,
                "from": _plain(first),
                "to": _plain(last),
                "title": edition.title,
                "changed": list(edition.changed),
            }
        )
    return Page(
        "Editions of the rating regulations",
        (
            Grid(("Edition", "In force from", "to", "Title, and what changed"), tuple(rows)),
            "fide-batch rules NAME prints one with every number; --diff A B says what changed.",
            "--rules in-force takes, for each event and for the list, the edition in force on its day. --rules my-federation.toml takes a file of your own.",
        ),
        {"editions": data},
    )  # fmt: skip


def printed(edition: Edition) -> Page:
    """One edition with every number, so that it can be checked against the handbook; what is our decision is marked as ours."""
    blocks: list[str | Grid] = [
        _in_force(edition),
        f"Last compared with the source on {day(edition.checked)}.",
        f"Source: {edition.source}",
    ]
    blocks += _list("What changed", edition.changed)
    for section in SECTIONS:
        rows = tuple((line.label, line.say(edition), _cited(edition, line)) for line in section.lines)
        blocks.append(Grid(("Rule", "Value", "Article"), rows, title=section.title))
    blocks += [expected_grid(edition), performance_grid(edition), _articles(edition)]
    blocks += _list(DECISIONS, edition.decisions)
    return Page(
        edition.title,
        tuple(blocks),
        {"edition": _plain(asdict(edition)), "fingerprint": regulations.fingerprint(edition)},
    )


def differences(a: Edition, b: Edition) -> Page:
    """What is not the same in two editions, key by key."""
    changed = [line for section in SECTIONS for line in section.lines if line.value(a) != line.value(b)]
    data = [{"key": line.key, a.name: _plain(line.value(a)), b.name: _plain(line.value(b))} for line in changed]
    rows = []
    for section in SECTIONS:
        for line in section.lines:
            if line in changed and line.key not in ("expected_score.table", "performance"):
                rows.append((f"{section.title}: {line.label}", line.say(a), line.say(b)))
    blocks: list[str | Grid] = [f"{a.name}: {_in_force(a)}", f"{b.name}: {_in_force(b)}"]
    if rows:
        blocks.append(Grid(("Rule", a.name, b.name), tuple(rows), title="Numbers and methods"))
    blocks += _table_differences(a, b)
    if not changed:
        blocks.append("Every number and method is the same.")
    if _follows(a, b):
        blocks += _list(f"What changed, in the words of {b.name}", b.changed)
    cited = [row for row in _article_rows(a, b) if row[1] != row[2] and (_numbered(row[1]) or _numbered(row[2]))]
    if cited:
        blocks.append(Grid(("Rule", a.name, b.name), tuple(cited), title="Articles cited"))
    return Page(f"From {a.name} to {b.name}", tuple(blocks), {"from": a.name, "to": b.name, "differences": data})


def expected_grid(edition: Edition) -> Grid:
    """The table of D and PD, for the higher and the lower rated, three rows side by side, to be read down."""
    rows = [(_span(low, high), _score(pd), _score(100 - pd)) for low, high, pd in edition.expected_score.table]
    third = -(-len(rows) // 3)
    side = [
        sum((rows[place] if place < len(rows) else ("", "", "") for place in (top, top + third, top + 2 * third)), ())
        for top in range(third)
    ]
    return Grid(("D", "higher", "lower") * 3, tuple(side), frozenset(("D", "higher", "lower")), "Table of D and PD")


def performance_grid(edition: Edition) -> Grid:
    """The table of p and D(p), ten values a line."""
    d = edition.performance
    rows = [(f".{tens}", *(str(value) for value in d[tens * 10 : tens * 10 + 10])) for tens in range(10)]
    heads = ("p", *(f"+.0{units}" for units in range(10)))
    return Grid(heads, (*rows, ("1.00", str(d[100]), *[""] * 9)), frozenset(heads), "Table of p and D(p)")


def markdown() -> str:
    """The page of the documentation on editions, from the edition files themselves."""
    editions = [regulations.edition(name) for name in regulations.names()]
    every = [(section, line) for section in SECTIONS for line in section.lines]
    same = [pair for pair in every if len({repr(pair[1].value(edition)) for edition in editions}) == 1]
    short = [edition.name.removeprefix("fide-") for edition in editions]
    text = ["# Editions of the rating regulations", ""]
    text += [
        "This page is made from the edition files in `fide_batch/regulations/`; `make docs` writes it anew. Do not edit it by hand.",
        "",
    ]
    text += ["An edition is chosen by name (`--rules fide-2024-03`), by the day (`--rules in-force`), or as a file of your own ([own-edition.md](own-edition.md)).",
             "`fide-batch rules NAME` prints one with its tables and articles, `fide-batch rules --diff A B` says what changed.", ""]  # fmt: skip
    text += _table(
        ("Edition", "In force from", "to", "Title"),
        [
            (f"`{e.name}`", str(e.effective or "by name only"), str(regulations.last_day(e.name) or ""), e.title)
            for e in editions
        ],
    )
    text += ["", "## The numbers side by side", ""]
    rows = [
        (f"{section.title}: {line.label}", *(line.say(edition) for edition in editions))
        for section, line in every
        if (section, line) not in same
    ]
    text += _table(("Rule", *short), rows)
    text += ["", "The same in every edition:", ""]
    text += [f"- {section.title}: {line.label}: {line.say(editions[0])}" for section, line in same]
    text += ["", "## The tables", ""]
    alike = len({(e.performance, e.expected_score.table) for e in editions}) == 1
    for edition in editions[:1] if alike else editions:
        text += [f"{'They are the same in every edition.' if alike else edition.name}", ""]
        for grid in (expected_grid(edition), performance_grid(edition)):
            text += [f"{grid.title}", "", *_table(grid.heads, grid.rows), ""]
    text += ["## What changed, and the sources", ""]
    for edition in editions:
        text += [
            f"### {edition.name}",
            "",
            f"{edition.title}. {_in_force(edition)} Last compared with the source on {day(edition.checked)}.",
            "",
        ]
        text += [f"- {sentence}" for sentence in edition.changed] + ["", f"Source: {edition.source}", ""]
    text += [
        "## Our decisions",
        "",
        "Where the texts leave a choice, these are ours, not law. Each stands in the edition file too.",
        "",
    ]
    held: dict[str, list[str]] = {}
    for edition in editions:
        for decision in edition.decisions:
            held.setdefault(decision, []).append(edition.name)
    for decision, names in held.items():
        text.append(f"- {decision} ({'all editions' if len(names) == len(editions) else _runs(names)})")
    return "\n".join(text) + "\n"


# --- parts ---------------------------------------------------------------------------------------


def _in_force(edition: Edition) -> str:
    if edition.effective is None:
        return "Chosen by name only; no day puts it in force."
    last = regulations.last_day(edition.name)
    return f"In force from {day(edition.effective)}" + (f" to {day(last)}." if last else ".")


def _list(title: str, sentences: tuple[str, ...]) -> list[str | Grid]:
    return [Heading(title), "\n".join(f"- {sentence}" for sentence in sentences)] if sentences else []


def _cited(edition: Edition, line: Line) -> str:
    """The article of a line, where the edition numbers them."""
    if not line.article:
        return ""
    rapid = line.key.startswith(("k_rapid", "unrated_difference", "lists.stand_in"))
    cited = str(getattr(edition.articles_of("rapid" if rapid else "standard"), line.article))
    return cited if _numbered(cited) else ""


def _numbered(cited: str) -> bool:
    """Whether it is an article (``8.3.1``) and not our words (``the 400-point rule``)."""
    return bool(re.search(r"\d\.\d", cited))


def _articles(edition: Edition) -> Grid:
    rules = [(rule, getattr(edition.articles, key)) for key, rule in RULES.items()]
    if edition.articles_rapid_blitz is None:
        return Grid(("Rule", "As the audit cites it"), tuple(rules), title="Articles")
    rows = tuple(
        (rule, cited, getattr(edition.articles_rapid_blitz, key))
        for (rule, cited), key in zip(rules, RULES, strict=True)
    )
    return Grid(("Rule", "Standard", "Rapid and blitz"), rows, title="Articles, as the audit cites them")


def _article_rows(a: Edition, b: Edition) -> list[tuple[str, str, str]]:
    rows = []
    for control, words in (("standard", ""), ("rapid", " (rapid and blitz)")):
        one, other = a.articles_of(control), b.articles_of(control)
        if control == "standard" or (_numbered(one.k_factor) and _numbered(other.k_factor)):
            rows += [
                (RULES[key.name] + words, getattr(one, key.name), getattr(other, key.name)) for key in fields(Articles)
            ]
    return rows


def _table_differences(a: Edition, b: Edition) -> list[str | Grid]:
    blocks: list[str | Grid] = []
    p = [
        (_score(place), str(one), str(other))
        for place, (one, other) in enumerate(zip(a.performance, b.performance, strict=True))
        if one != other
    ]
    if p:
        blocks.append(Grid(("p", a.name, b.name), tuple(p), frozenset((a.name, b.name)), "Table of p and D(p)"))
    spans = [{_span(low, high): _score(pd) for low, high, pd in edition.expected_score.table} for edition in (a, b)]
    if spans[0] != spans[1]:
        keys = sorted({*spans[0], *spans[1]}, key=lambda span: int(span.split("-")[0].split(" ")[0]))
        rows = [
            (key, spans[0].get(key, ""), spans[1].get(key, ""))
            for key in keys
            if spans[0].get(key) != spans[1].get(key)
        ]
        blocks.append(Grid(("D", a.name, b.name), tuple(rows), frozenset((a.name, b.name)), "Table of D and PD"))
    return blocks


def _follows(a: Edition, b: Edition) -> bool:
    last = regulations.last_day(a.name)
    return bool(last and b.effective and (b.effective - last).days == 1)


def _span(low: int, high: int) -> str:
    return f"{low} and more" if high == 9999 else f"{low}-{high}"


def _score(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _runs(names: list[str]) -> str:
    """``fide-2005-01 to fide-2012-07, classic``: editions that follow each other as one."""
    every = list(regulations.names())
    runs: list[list[str]] = []
    for name in names:
        if runs and runs[-1][-1] != "classic" and every.index(name) == every.index(runs[-1][-1]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _plain(value: Any) -> Any:
    """JSON values: dates as text, tuples as lists."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _table(heads: tuple[str, ...], rows: Any) -> list[str]:
    """Rows as a Markdown table."""
    clean = [[cell.replace("|", "\\|") for cell in row] for row in (heads, *rows)]
    return ["| " + " | ".join(row) + " |" for row in (clean[0], ["---"] * len(heads), *clean[1:])]
