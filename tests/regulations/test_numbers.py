"""Each edition against the regulations: a column of numbers an arbiter can check with the handbook open."""

import dataclasses
from datetime import date

import pytest

from fide_batch import regulations

NAMES = [
    "classic", "fide-2005-01", "fide-2009-07", "fide-2011-07", "fide-2012-07", "fide-2014-07", "fide-2017-07", "fide-2022-01", "fide-2022-10",
    "fide-2024-03", "fide-2024-12", "fide-2025-10",
]  # fmt: skip

STANDARD, ALL, RAPID_BLITZ = ("standard",), ("standard", "rapid", "blitz"), ("rapid", "blitz")
EVERY, UPGRADE = "every game", "one upgrade per event"
POOL, FIRST = "pool", "first event"
MEAN, POOLED, IMAGINARY = "mean of Ru", "pooled", "hypothetical"
K25, K30, K40, K20 = (25, 15, 10), (30, 15, 10), (40, 20, 10), (20, 20, 20)
LATER = (("2020-11", 24),)

# What the regulations say, a row a rule, a column an edition in the order of NAMES. Scores in half points, bonuses in tenths of a point.
ROWS = {
    #                                       classic 2005-01 2009-07 2011-07 2012-07 2014-07 2017-07 2022-01 2022-10 2024-03 2024-12 2025-10
    "lists.floor":                         (1000, 1400, 1200, 1200, 1000, 1000, 1000, 1000, 1000, 1400, 1400, 1400),
    "lists.controls":                      (ALL, STANDARD, STANDARD, STANDARD, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL),
    "lists.stand_in":                      (True, False, False, False, True, True, True, True, True, True, True, True),
    "lists.months":                        (1, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1),
    "lists.late_lists":                    (3,) * 12,
    "first_rating.games":                  (5, 9, 9, 9, 9, 5, 5, 5, 5, 5, 5, 5),
    "first_rating.score":                  (1, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1),
    "first_rating.score_in":               (POOL, *(FIRST,) * 11),
    "first_rating.opponents":              (3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1),
    "first_rating.opponents_in":           ("every event", "every event", "every event", FIRST, FIRST, *("every event",) * 7),
    "first_rating.window_months":          (26, 24, 24, 24, 24, 26, 26, 26, 26, 26, 26, 26),
    "first_rating.method":                 (MEAN, *(POOLED,) * 8, *(IMAGINARY,) * 3),
    "first_rating.bonus":                  (200, 125, 125, 150, 150, 200, 200, 200, 200, 0, 0, 0),
    "first_rating.highest":                (*(0,) * 9, 2200, 2200, 2200),
    "first_rating.hypothetical_opponents": (*(0,) * 9, 2, 2, 2),
    "first_rating.hypothetical_rating":    (*(0,) * 9, 1800, 1800, 1800),
    "first_rating.round_robin":            (*(True,) * 7, *(False,) * 5),
    "difference.cap":                      (400, 350, *(400,) * 10),
    "difference.method":                   (*(EVERY,) * 7, UPGRADE, UPGRADE, EVERY, EVERY, EVERY),
    "difference.controls":                 (ALL, *(STANDARD,) * 6, *(ALL,) * 5),
    "difference.exempt_from":              (*(0,) * 11, 2650),
    "difference.exempt_controls":          (*((),) * 11, STANDARD),
    "unrated_difference.from_difference":  (*(0,) * 10, 600, 600),
    "unrated_difference.above_rating":     (*(0,) * 10, 2600, 2600),
    "unrated_difference.controls":         (*((),) * 10, RAPID_BLITZ, RAPID_BLITZ),
    "K in standard chess":                 (K40, K25, K25, K30, K30, *(K40,) * 7),
    "K in rapid and blitz":                (K40, K25, K25, K30, K20, K20, K20, K20, *(K40,) * 4),
    "k_standard.games":                    (30,) * 12,
    "k_standard.top_rating":               (2400,) * 12,
    "k_standard.junior":                   (40, 0, 0, 0, 0, *(40,) * 7),
    "k_standard.junior_age":               (18, 0, 0, 0, 0, *(18,) * 7),
    "k_standard.junior_rating":            (2300, 0, 0, 0, 0, *(2300,) * 7),
    "k_standard.product":                  (*(0,) * 7, *(700,) * 5),
    "k_rapid_blitz.games":                 (30,) * 12,
    "k_rapid_blitz.top_rating":            (2400,) * 12,
    "k_rapid_blitz.junior":                (40, *(0,) * 7, *(40,) * 4),
    "k_rapid_blitz.junior_age":            (18, *(0,) * 7, *(18,) * 4),
    "k_rapid_blitz.junior_rating":         (2300, *(0,) * 7, *(2300,) * 4),
    "k_rapid_blitz.product":               (*(0,) * 6, *(700,) * 6),
    "inactivity.games":                    (4, *(1,) * 11),
    "inactivity.months":                   (12, 12, 12, 12, 12, 12, 12, 24, 24, 12, 12, 12),
    "inactivity.later":                    (*((),) * 6, LATER, *((),) * 5),
    "one_off.method":                      (*("none",) * 8, "rapid and blitz raised", "compression", "none", "none"),
    "one_off.period":                      (*("",) * 8, "2022-10", "2024-03", "", ""),
    "one_off.below":                       (*(0,) * 9, 2000, 0, 0),
    "one_off.percent":                     (*(0,) * 9, 40, 0, 0),
    "one_off.margin":                      (*(0,) * 8, 100, 0, 0, 0),
    "expected_score.method":               ("table",) * 12,
}  # fmt: skip


def found(edition, rule):
    if rule.startswith("K in "):
        k = edition.k_standard if "standard" in rule else edition.k_rapid_blitz
        return k.new, k.standard, k.top
    section, key = rule.split(".")
    return getattr(getattr(edition, section), key)


@pytest.mark.parametrize(("name", "column"), [(name, place) for place, name in enumerate(NAMES)])
def test_every_number_is_that_of_the_regulations(name, column):
    edition = regulations.edition(name)
    assert {rule: found(edition, rule) for rule in ROWS} == {rule: row[column] for rule, row in ROWS.items()}


def test_the_rows_above_leave_nothing_out():
    """A key added to the schema needs its row here."""
    edition = regulations.edition("classic")
    keys = {
        f"{section.name}.{key.name}"
        for section in dataclasses.fields(edition)
        if dataclasses.is_dataclass(part := getattr(edition, section.name)) and not section.name.startswith("articles")
        for key in dataclasses.fields(part)
    }
    in_a_row_of_k = {
        f"{section}.{key}" for section in ("k_standard", "k_rapid_blitz") for key in ("new", "standard", "top")
    }
    elsewhere = {"expected_score.table", "lists.closing_days"}
    assert keys - in_a_row_of_k - elsewhere == {rule for rule in ROWS if not rule.startswith("K in ")}


def test_the_closing_date_is_three_days_before_a_monthly_list_and_was_seven_before_2012():
    days = {name: regulations.edition(name).lists.closing_days for name in NAMES}
    assert {name for name, count in days.items() if count == 7} == {"fide-2005-01", "fide-2009-07", "fide-2011-07"}
    assert set(days.values()) == {3, 7}


def test_the_editions_are_these_and_classic_comes_first():
    assert list(regulations.names()) == NAMES


@pytest.mark.parametrize("name", NAMES[1:])
def test_an_edition_of_fide_is_named_by_its_first_day(name):
    edition = regulations.edition(name)
    assert edition.effective == date(int(name[5:9]), int(name[10:]), 1)


def test_classic_is_chosen_by_name_only():
    assert regulations.edition("classic").effective is None


@pytest.mark.parametrize("name", NAMES)
def test_an_edition_says_its_source_what_changed_and_when_it_was_checked(name):
    edition = regulations.edition(name)
    assert edition.checked == date(2026, 11, 30)
    assert edition.title and edition.source and edition.changed and edition.decisions


# The decisions an edition must own up to: where the texts are silent or contradict each other.
DECIDED = [
    ("classic", "pooled over 26 months"),
    ("fide-2005-01", "as in the edition of July 2009"),
    ("fide-2009-07", "window of 24 months"),
    ("fide-2011-07", "window of 24 months"),
    ("fide-2012-07", "window of 24 months"),
    ("fide-2014-07", "manual of 2016 still prints 15"),
    ("fide-2014-07", "No limit of K times games"),
    ("fide-2014-07", "end of the year of the 18th birthday"),
    ("fide-2017-07", "No limit of K times games is applied in standard chess"),
    ("fide-2022-01", "games of the lower rated side all count as 400"),
    ("fide-2022-10", "games of the lower rated side all count as 400"),
    ("fide-2022-01", "24 months"),
    ("fide-2022-10", "24 months"),
    ("fide-2022-10", "standard rating of the new list"),
    ("fide-2024-03", "before the floor is asked"),
    ("fide-2024-12", "difference before the 400 rule"),
    ("fide-2025-10", "difference before the 400 rule"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "words"), DECIDED)
def test_what_is_our_decision_is_said_to_be_ours(name, words):
    assert any(words in decision for decision in regulations.edition(name).decisions)


@pytest.mark.parametrize("name", NAMES[1:])
def test_every_edition_of_fide_says_what_in_force_takes_from_the_event_and_what_from_the_list(name):
    assert any(decision.startswith("Chosen as in-force") for decision in regulations.edition(name).decisions)


# Handbook B.02 and its Rapid and Blitz chapter, as in force since March 2024.
ARTICLES = {
    "unplayed": "5.1", "floor": "7.2.1", "inactivity": "7.2.2", "expected_score": "8.1.2", "first_event": "8.2.1", "rated_meanwhile": "8.2.4",
    "difference": "8.3.1", "change": "8.3.2", "k_factor": "8.3.3", "k_product": "8.3.3", "rounding": "8.3.4", "late": "9.1",
}  # fmt: skip
RAPID_ARTICLES = {
    "stand_in": "7.2.1",
    "difference": "7.3.1",
    "k_factor": "7.3.3",
    "rounding": "7.3.4",
    "rated_meanwhile": "7.2.5",
}


@pytest.mark.parametrize("name", NAMES[-3:])
def test_articles_are_those_of_the_handbook(name):
    edition = regulations.edition(name)
    assert {key: getattr(edition.articles_of("standard"), key) for key in ARTICLES} == ARTICLES
    for control in RAPID_BLITZ:
        articles = edition.articles_of(control)
        assert {key: getattr(articles, key) for key in RAPID_ARTICLES} == {
            key: f"Rapid and Blitz {article}" for key, article in RAPID_ARTICLES.items()
        }


def test_the_600_rule_is_cited_from_the_rapid_and_blitz_chapter_since_december_2024():
    cited = [regulations.edition(name).articles_of("blitz").large_difference for name in NAMES[-3:]]
    assert cited == ["no such rule in this edition", "Rapid and Blitz 7.3.1", "Rapid and Blitz 7.3.1"]


def test_k_was_article_8_56_before_2017():
    assert [regulations.edition(name).articles.k_factor for name in ("fide-2012-07", "fide-2014-07")] == [
        "8.56",
        "8.56",
    ]


def test_articles_fall_back_on_those_of_standard_chess():
    edition = regulations.edition("fide-2009-07")
    assert edition.articles_of("rapid") is edition.articles_of("standard") is edition.articles
