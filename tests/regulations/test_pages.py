"""The editions as people read them: on the screen and in the documentation."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from fide_batch import regulations
from fide_batch.model import Grid
from fide_batch.publish import edition_page
from fide_batch.publish.edition_words import RULES, SECTIONS
from fide_batch.regulations.edition import Articles

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "my-federation.toml"


def grids(page):
    return [block for block in page.blocks if isinstance(block, Grid)]


def rows(page):
    """What stands beside each rule of a page: the value, or the two values."""
    return {row[0]: row[1:] for grid in grids(page) for row in grid.rows}


def text(page):
    return "\n".join(str(block) for block in page.blocks if not isinstance(block, Grid))


def test_the_words_cover_every_number_and_every_article():
    edition = regulations.edition("classic")
    said = {line.key for section in SECTIONS for line in section.lines}
    keys = {"performance"}
    for part in dataclasses.fields(edition):
        value = getattr(edition, part.name)
        if dataclasses.is_dataclass(value) and not part.name.startswith("articles"):
            keys |= {f"{part.name}.{key.name}" for key in dataclasses.fields(value)}
    assert said == keys
    assert list(RULES) == [key.name for key in dataclasses.fields(Articles)]
    assert {line.article for section in SECTIONS for line in section.lines} <= {"", *RULES}


def test_the_listing_has_every_edition_with_its_first_and_last_day():
    page = edition_page.listing()
    [grid] = grids(page)
    days = {row[0]: row[1:3] for row in grid.rows}
    assert list(days) == list(regulations.names())
    assert days["classic"] == ("", "")
    assert days["fide-2022-01"] == ("2022-01-01", "2022-09-30")
    assert days["fide-2024-03"] == ("2024-03-01", "2024-11-30")
    assert days["fide-2025-10"] == ("2025-10-01", "")
    assert all(regulations.edition(row[0]).title in row[3] for row in grid.rows)


def test_an_edition_is_printed_with_every_number_its_article_and_both_tables():
    page = edition_page.printed(regulations.edition("fide-2022-01"))
    said = {row[0]: row[1:] for grid in grids(page)[:-3] for row in grid.rows if grid.title != "K in rapid and blitz"}
    assert said["floor: below this a player is unrated"][0] == "1000"
    assert said["points for each half point above 50 %"] == ("20", "7.1.4 and 8.2")
    assert said["a larger difference is cut"] == (
        "for the higher rated, in one game of an event; for the lower rated, in every game",
        "8.3.1",
    )
    assert said["K times the games of a period at most"] == ("700", "8.3.3")
    assert said["score needed"][0] == "0.5"
    expected, performance = [grid for grid in grids(page) if grid.title.startswith("Table")]
    cells = [row[start : start + 3] for start in (0, 3, 6) for row in expected.rows]
    assert len(cells) == 51 and ("392-411", "0.92", "0.08") in cells and cells[-1] == ("736 and more", "1.00", "0.00")
    assert performance.rows[5] == (".5", "0", "7", "14", "21", "29", "36", "43", "50", "57", "65")
    assert performance.rows[10][:2] == ("1.00", "800")


@pytest.mark.parametrize("name", regulations.names())
def test_what_is_ours_stands_under_a_heading_that_says_so(name):
    edition = regulations.edition(name)
    page = edition_page.printed(edition)
    heading = page.blocks.index(edition_page.DECISIONS)
    assert all(decision in page.blocks[heading + 1] for decision in edition.decisions)
    assert edition.source in text(page) and "Last compared with the source on 30 November 2026." in text(page)
    assert all(sentence in text(page) for sentence in edition.changed)


def test_the_bonus_of_2009_is_printed_as_the_regulations_print_it():
    said = rows(edition_page.printed(regulations.edition("fide-2009-07")))
    assert said["points for each half point above 50 %"][0] == "12.5"
    assert said["score needed"][0] == "1"


def test_programs_get_the_numbers_as_json():
    page = edition_page.printed(regulations.edition("fide-2017-07"))
    data = json.loads(json.dumps(page.data))
    assert data["edition"]["effective"] == "2017-07-01"
    assert data["edition"]["inactivity"] == {"months": 12, "games": 1, "later": [["2020-11", 24]]}
    assert data["fingerprint"] == regulations.fingerprint(regulations.edition("fide-2017-07"))
    assert {row["name"]: (row["from"], row["to"]) for row in edition_page.listing().data["editions"]}["classic"] == (
        None,
        None,
    )


# What FIDE changed from one edition to the next: the keys, and nothing else.
CHANGES = [
    ("fide-2005-01", "fide-2009-07", {"difference.cap", "lists.floor", "lists.months"}),
    ("fide-2009-07", "fide-2011-07", {"k_standard.new", "k_rapid_blitz.new", "first_rating.bonus", "first_rating.opponents_in"}),
    ("fide-2022-01", "fide-2022-10", {
        "k_rapid_blitz.new", "k_rapid_blitz.top", "k_rapid_blitz.junior", "k_rapid_blitz.junior_age", "k_rapid_blitz.junior_rating",
        "one_off.method", "one_off.period", "one_off.margin",
    }),
    ("fide-2024-03", "fide-2024-12", {
        "unrated_difference.from_difference", "unrated_difference.above_rating", "unrated_difference.controls",
        "one_off.method", "one_off.period", "one_off.below", "one_off.percent",
    }),
    ("fide-2024-12", "fide-2025-10", {"difference.exempt_from", "difference.exempt_controls"}),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "keys"), CHANGES)
def test_the_difference_of_two_editions_is_what_fide_changed(a, b, keys):
    page = edition_page.differences(regulations.edition(a), regulations.edition(b))
    assert {row["key"] for row in page.data["differences"]} == keys
    assert all(sentence in text(page) for sentence in regulations.edition(b).changed)


def test_differences_are_said_in_words_and_numbers():
    page = edition_page.differences(regulations.edition("fide-2024-12"), regulations.edition("fide-2025-10"))
    assert rows(page)["The 400 rule: not for an own rating of"] == ("nobody is exempt", "2650 or more")
    page = edition_page.differences(regulations.edition("fide-2009-07"), regulations.edition("fide-2011-07"))
    assert rows(page)["The first rating: points for each half point above 50 %"] == ("12.5", "15")


def test_an_edition_does_not_differ_from_itself():
    page = edition_page.differences(regulations.edition("classic"), regulations.edition("classic"))
    assert page.data["differences"] == [] and not grids(page)
    assert "Every number and method is the same." in page.blocks


def test_a_changed_table_is_shown_row_by_row():
    edition = regulations.edition("classic")
    table = tuple((low, high, 93 if low == 392 else score) for low, high, score in edition.expected_score.table)
    d = tuple({8: -402, 92: 402}.get(p, value) for p, value in enumerate(edition.performance))
    other = dataclasses.replace(
        edition, name="other", expected_score=dataclasses.replace(edition.expected_score, table=table), performance=d
    )
    page = edition_page.differences(edition, other)
    assert rows(page) == {"392-411": ("0.92", "0.93"), "0.08": ("-401", "-402"), "0.92": ("401", "402")}


def test_the_page_of_editions_is_up_to_date():
    assert (DOCS / "editions.md").read_text("utf-8") == edition_page.markdown(), (
        "make docs writes docs/editions.md anew"
    )


def test_the_page_of_editions_shows_every_edition_and_every_decision():
    page = edition_page.markdown()
    for name in regulations.names():
        edition = regulations.edition(name)
        assert f"### {name}\n" in page and edition.source in page
        assert all(sentence in page for sentence in (*edition.changed, *edition.decisions))


# --- a federation's own edition -----------------------------------------------------------------


def test_the_example_of_an_own_edition_says_what_the_documentation_says():
    edition = regulations.from_file(EXAMPLE)
    assert edition.name == "my-federation" and edition.effective is None
    assert edition.lists.floor == 800
    for control in ("standard", "rapid", "blitz"):
        k = edition.k_factor(control)
        assert (k.new, k.standard, k.top, k.junior, k.product) == (30, 30, 30, 0, 0)
    assert edition.expected_score.method == "formula"
    assert edition.difference.method == "none"
    assert (edition.first_rating.method, edition.first_rating.bonus, edition.first_rating.window_months) == (
        "pooled",
        150,
        36,
    )
    assert edition.performance == regulations.edition("classic").performance


def test_the_documentation_of_an_own_edition_explains_every_key_of_the_file():
    page = (DOCS / "own-edition.md").read_text("utf-8")
    for key in re.findall(r"^([a-z_]+) =", EXAMPLE.read_text("utf-8").split("[articles]")[0], re.M):
        assert f"`{key}`" in page, key
    for section in re.findall(r"^\[([a-z_]+)\]", EXAMPLE.read_text("utf-8"), re.M):
        assert f"[{section}]" in page, section


def test_the_difference_of_the_example_from_fide_can_be_printed():
    page = edition_page.differences(regulations.edition("fide-2025-10"), regulations.from_file(EXAMPLE))
    said = rows(page)
    assert said["The list: floor: below this a player is unrated"] == ("1400", "800")
    assert said["Expected score: PD from the difference D"] == (
        "the table below",
        "1/(1 + 10^(-D/400)), to four decimals",
    )
