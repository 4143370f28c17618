"""Which edition it is: by name, by the day, from a file."""

import time
from datetime import date, timedelta
from pathlib import Path

import pytest

from fide_batch import regulations
from fide_batch.model import Refused

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my-federation.toml"

# The first day of each edition of FIDE.
FIRST_DAYS = [
    ("fide-2005-01", date(2005, 1, 1)), ("fide-2009-07", date(2009, 7, 1)), ("fide-2011-07", date(2011, 7, 1)), ("fide-2012-07", date(2012, 7, 1)),
    ("fide-2014-07", date(2014, 7, 1)), ("fide-2017-07", date(2017, 7, 1)), ("fide-2022-01", date(2022, 1, 1)), ("fide-2022-10", date(2022, 10, 1)),
    ("fide-2024-03", date(2024, 3, 1)), ("fide-2024-12", date(2024, 12, 1)), ("fide-2025-10", date(2025, 10, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "first"), FIRST_DAYS)
def test_an_edition_is_in_force_on_its_first_day(name, first):
    assert regulations.in_force(first).name == name


@pytest.mark.parametrize(("place", "first"), [(place, first) for place, (_, first) in enumerate(FIRST_DAYS) if place])
def test_on_the_eve_the_edition_before_is_in_force(place, first):
    eve = first - timedelta(days=1)
    before = FIRST_DAYS[place - 1][0]
    assert regulations.in_force(eve).name == before
    assert regulations.last_day(before) == eve


def test_the_newest_edition_has_no_last_day():
    assert regulations.last_day("fide-2025-10") is None
    assert regulations.in_force(date(2031, 5, 17)).name == "fide-2025-10"


def test_classic_is_never_in_force():
    assert regulations.last_day("classic") is None
    assert all(regulations.in_force(first).name != "classic" for _, first in FIRST_DAYS)


def refused(act, *arguments, **named):
    with pytest.raises(Refused) as caught:
        act(*arguments, **named)
    assert all(
        problem.code == "edition" and problem.severity == "error" and problem.hint for problem in caught.value.problems
    )
    return caught.value.problems


@pytest.mark.parametrize("day", [date(2004, 12, 31), date(1999, 7, 1), date.min])
def test_a_day_before_the_first_edition_is_an_error(day):
    [problem] = refused(regulations.in_force, day)
    assert str(day) in problem.message and "2005-01-01" in problem.message
    assert "--rules fide-2005-01" in problem.hint


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("fide-2024-3", "fide-2024-03"), ("2024-03", "fide-2024-03"), ("clasic", "classic"), ("Classic", "classic"), ("FIDE-2022-10", "fide-2022-10"),
        ("in force", "in-force"), ("inforce", "in-force"), ("fide-2022-11", "fide-2022-"),
    ],
)  # fmt: skip
def test_a_name_nobody_knows_is_answered_with_the_nearest(name, meant):
    [problem] = refused(regulations.edition, name)
    assert name in problem.message
    assert meant in problem.hint.split(" known are ")[0]


def test_a_name_like_no_other_is_answered_with_all_of_them():
    [problem] = refused(regulations.edition, "zzzz")
    assert all(name in problem.hint for name in regulations.names())


@pytest.mark.parametrize("name", ["", "../classic", "classic.toml", "a" * 100_000, "\x00", "\x1b[31m"])
def test_a_hostile_name_is_one_short_line(name):
    [problem] = refused(regulations.edition, name)
    assert len(problem.message) < 200 and problem.message.isprintable()


def test_choosing_by_what_the_command_line_says():
    assert regulations.choose("classic").name == "classic"
    assert regulations.choose(" fide-2022-01 ").name == "fide-2022-01"
    assert regulations.choose("in-force", date(2022, 10, 1)).name == "fide-2022-10"
    assert regulations.choose("my-federation.toml", folder=EXAMPLE.parent).name == "my-federation"
    assert regulations.choose(str(EXAMPLE)).name == "my-federation"


def test_in_force_without_a_day_is_a_mistake_of_the_program():
    with pytest.raises(ValueError, match="day"):
        regulations.choose("in-force")


@pytest.mark.parametrize("rules", ["nosuch.toml", "rules/mine"])
def test_a_file_that_is_not_there(rules, tmp_path):
    [problem] = refused(regulations.choose, rules, folder=tmp_path)
    assert problem.file.endswith(rules) and "there is no file" in problem.message


def test_a_misspelt_file_is_answered_with_the_nearest(tmp_path):
    (tmp_path / "my-federation.toml").write_bytes(EXAMPLE.read_bytes())
    [problem] = refused(regulations.from_file, tmp_path / "my-federaton.toml")
    assert "my-federation.toml" in problem.hint


def test_a_built_in_edition_can_be_handed_over_as_a_file(tmp_path):
    copy = tmp_path / "fide-2025-10.toml"
    copy.write_bytes((Path(regulations.__file__).parent / copy.name).read_bytes())
    assert regulations.from_file(copy) == regulations.edition("fide-2025-10")


def test_other_numbers_under_the_name_of_a_built_in_edition_are_refused(tmp_path):
    copy = tmp_path / "fide-2025-10.toml"
    text = (Path(regulations.__file__).parent / copy.name).read_text("utf-8")
    copy.write_text(text.replace("floor = 1400", "floor = 1300"), "utf-8")
    [problem] = refused(regulations.from_file, copy)
    assert "built-in" in problem.message and problem.line == text.split("\n").index('name = "fide-2025-10"') + 1


def test_the_fingerprint_follows_the_numbers_and_not_the_words(tmp_path):
    text = EXAMPLE.read_text("utf-8")
    same = {
        "mine": text,
        "words": text.replace("Federation of Nowhere", "Chess Union of Nowhere"),
        "layout": text.replace(" = ", "   =  "),
    }
    prints = set()
    for folder, content in same.items():
        (tmp_path / folder).mkdir()
        file = tmp_path / folder / "my-federation.toml"
        file.write_text(content, "utf-8")
        prints.add(regulations.fingerprint(regulations.from_file(file)))
    assert len(prints) == 1
    file.write_text(text.replace("floor = 800", "floor = 801"), "utf-8")
    assert regulations.fingerprint(regulations.from_file(file)) not in prints


def test_no_two_editions_have_one_fingerprint():
    assert len({regulations.fingerprint(regulations.edition(name)) for name in regulations.names()}) == len(
        regulations.names()
    )


def test_an_edition_is_read_once():
    regulations.edition("classic")
    start = time.perf_counter()
    for _ in range(100):
        assert regulations.edition("classic") is regulations.edition("classic")
    assert time.perf_counter() - start < 0.05
