"""Who the players are: ids, names, and the person the list has under an id."""

from __future__ import annotations

import pytest

from fide_batch.checks.names import verdict
from fide_batch.model import id_code
from tests.checks.build import FOUR, OCTOBER, PEOPLE, check, codes, only, rating_list, report

# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "listed"),
    [
        ("Featherstonehaugh-Montgomery, Ale", "Featherstonehaugh-Montgomery, Alexandrina"),
        ("Featherstonehaugh-Montgomery, Al", "Featherstonehaugh-Montgomery, Alexandrina"),
        ("Ann Vale", "Vale, Ann"),
        ("VALE, ANN", "Vale, Ann"),
        ("Vale,Ann", "Vale, Ann"),
        ("Vale, A.", "Vale, Ann Mary"),
        ("Vale, Ann", "Vale, Ann Mary"),
        ("Müller, Jürgen", "Mueller, Juergen"),
        ("Muller, Jurgen", "Müller, Jürgen"),
        ("Strasse, Max", "Straße, Max"),
        ("O'Brien, Sean", "OBrien, Seán"),
        ("Mc Donald, Ian", "McDonald, Ian"),
        ("Søndergård, Åse", "Sondergard, Ase"),
        ("Чайкин, Юрий", "Chaikin, Yuri"),
        ("Chaykin, Iurii", "Chaikin, Yuri"),
        ("Kowalski, Jan", "Kovalsky, Ian"),
        ("", "Vale, Ann"),
    ],
)
def test_one_name_in_two_spellings(printed: str, listed: str) -> None:
    assert verdict(printed, listed) == "same"
    assert verdict(listed, printed) == "same"


@pytest.mark.parametrize(
    ("printed", "listed"), [("Petit, Lea", "Vale, Ann"), ("Vale, Bess", "Vale, Ann"), ("Stone, Anna", "Moor, Anna")]
)
def test_two_names(printed: str, listed: str) -> None:
    assert verdict(printed, listed) == "other"


def test_a_slip_of_the_pen_is_neither() -> None:
    assert verdict("Jonson, Ann", "Johnson, Ann") == "near"


# --- the person under an id ---------------------------------------------------------------------


def with_first(**changes: object):
    return report(*FOUR, entries={1: changes})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": "Vale-Stone, Bess"}, ["name-differs"]),
        ({"sex": "m"}, ["sex-differs"]),
        ({"birth": "2002-12-31"}, ["birth-year"]),
        ({"birth": "2004"}, ["birth-year"]),
        ({"birth": "2005"}, ["birth-differs"]),
        ({"birth": "2001"}, ["birth-differs"]),
        ({"federation": "FRA"}, ["federation-differs"]),
        ({"federation": "eng"}, []),
        ({"federation": ""}, []),
        ({"title": "WFM"}, ["title-differs"]),
        ({"sex": "", "birth": "", "federation": "", "title": ""}, []),
        ({"sex": "m", "federation": "FRA"}, ["federation-differs", "sex-differs"]),
        ({"name": "Petit, Lea", "federation": "FRA"}, ["wrong-person"]),
        ({"name": "Petit, Lea", "birth": "2014"}, ["wrong-person"]),
        ({"name": "Petit, Paul", "sex": "m"}, ["wrong-person"]),
        ({"name": "Petit, Lea", "birth": "2004"}, ["birth-year", "name-differs"]),
        ({"name": "Vail, Ann", "federation": "FRA"}, ["federation-differs", "name-differs"]),
    ],
)
def test_one_difference_is_a_warning_several_with_the_name_are_the_wrong_person(
    changes: dict, expected: list[str]
) -> None:
    assert sorted(codes(check(with_first(**changes)))) == expected


def test_wrong_person_stops_the_month_until_accepted() -> None:
    event = with_first(name="Petit, Lea", birth="2014")

    problem = only(check(event), "wrong-person")
    assert problem.severity == "error"
    assert "Petit, Lea" in problem.message and "Vale, Ann (ENG, w, 2003)" in problem.message
    assert only(check(event, accept=["wrong-person"]), "wrong-person").severity == "warning"


def test_the_hint_names_who_bears_the_name() -> None:
    people = {**PEOPLE, "Petit, Lea": (1503057, "F", "FRA", "2014", 0)}

    problem = only(check(with_first(name="Petit, Lea", birth="2014"), players=rating_list(people)), "wrong-person")

    assert "1503057 Petit, Lea (FRA, 2014)" in problem.hint


def test_club_codes_as_federation_are_kept_and_are_no_sign_of_another_person() -> None:
    checked = check(with_first(name="Vale-Stone, Bess", federation="KIL"))

    assert sorted(codes(checked)) == ["name-differs", "unknown-federation"]
    assert checked.reports.entries.column("federation")[0].as_py() == "KIL"


@pytest.mark.parametrize("code", ["NCL", "GRL", "CGO", "ncl", "FID", "GER", "DEU"])
def test_federations_fide_knows(code: str) -> None:
    assert "unknown-federation" not in codes(
        check(report("Vale, Ann: 2w1", "Pike, Finn: 1b0", entries={2: {"federation": code, "fideid": 1503065}}))
    )


def test_a_code_the_list_has_too_is_not_told_of() -> None:
    people = {**PEOPLE, "Pike, Finn": (1503065, "M", "XYZ", "2012", 0)}
    event = report("Vale, Ann: 2w1", "Pike, Finn: 1b0", entries={2: {"federation": "XYZ", "fideid": 1503065}})

    assert codes(check(event, players=rating_list(people))) == []


@pytest.mark.parametrize(
    ("title", "expected"),
    [("GM", ["title-differs"]), ("g", ["title-differs"]), ("XM", ["unknown-title"]), ("NM", []), ("", [])],
)
def test_titles(title: str, expected: list[str]) -> None:
    assert codes(check(with_first(title=title))) == expected


def test_a_womans_title_of_the_list() -> None:
    assert codes(check(with_first(title="wf"), players=rating_list(w_title=["WFM", "", "", ""]))) == []


# --- ids ----------------------------------------------------------------------------------------


def test_the_id_decides() -> None:
    assert check(report(*FOUR)).player.tolist() == [row[0] for row in PEOPLE.values()]


def test_an_id_that_is_not_on_the_list_is_a_new_player() -> None:
    checked = check(report("Vale, Ann: 2w1", "Pike, Finn: 1b0", entries={2: {"fideid": 1503065}}))

    assert codes(checked) == ["new-player"]
    assert only(checked, "new-player").severity == "note"
    assert checked.player.tolist() == [1503014, 1503065]


def test_swapped_digits_of_a_known_name_are_worth_a_look() -> None:
    problem = only(check(with_first(fideid=1530014)), "new-player-same-name")

    assert problem.severity == "warning"
    assert "1503014 Vale, Ann (ENG, 2003)" in problem.hint


def test_without_id_nobody_is_identified_and_the_hint_names_candidates() -> None:
    checked = check(with_first(fideid=0, name="Ann Vale"))

    problem = only(checked, "unidentified")
    assert (problem.severity, problem.line) == ("warning", 9)
    assert problem.hint == "same name as 1503014 Vale, Ann (ENG, 2003): decide 'id ...' for row 1"
    assert checked.player.tolist()[0] == 0


@pytest.mark.parametrize("found", ["11/01/1987", "CM1;", "4.31E+07"])
def test_what_cannot_be_an_id_is_told_with_its_line(found: str) -> None:
    checked = check(with_first(fideid=0, id_found=found))

    problem = only(checked, "id-unreadable")
    assert problem.line == 9 and repr(found) in problem.message
    assert checked.player.tolist()[0] == 0


@pytest.mark.parametrize("text", ["Z56538", "CM1"])
def test_letters_are_an_id_only_when_the_list_has_it(text: str) -> None:
    stranger = check(with_first(fideid=id_code(text)))
    member = check(
        with_first(fideid=id_code(text)), players=rating_list({**PEOPLE, "Vale, Ann": (text, "F", "ENG", "2003", 2100)})
    )

    assert codes(stranger) == ["id-unreadable"] and stranger.player.tolist()[0] == 0
    assert codes(member) == [] and member.player.tolist()[0] == id_code(text)


@pytest.mark.parametrize(
    ("printed", "listed"), [("42", "0042"), ("0042", "42"), ("01503014", "1503014"), ("0042", "00042")]
)
def test_leading_zeros_are_one_id_where_only_one_is_on_the_list(printed: str, listed: str) -> None:
    players = rating_list({**PEOPLE, "Vale, Ann": (id_code(listed), "F", "ENG", "2003", 2100)})

    checked = check(with_first(fideid=id_code(printed)), players=players)

    assert codes(checked) == ["id-zeros"]
    assert checked.player.tolist()[0] == id_code(listed)


def test_zeros_matter_where_the_list_has_both() -> None:
    people = {"Vale, Ann": (42, "F", "ENG", "2003", 2100), "Moor, Ben": ("0042", "M", "ENG", "1985", 1950)}
    event = report("Vale, Ann: 2w1", "Moor, Ben: 1b0", entries={1: {"fideid": 42}, 2: {"fideid": id_code("0042")}})

    checked = check(event, players=rating_list(people))

    assert codes(checked) == []
    assert checked.player.tolist() == [42, id_code("0042")]


def test_short_numbers_none_of_which_is_on_the_list_are_local() -> None:
    event = report(*FOUR, entries={number: {"fideid": 10 + number} for number in range(1, 5)})

    checked = check(event)
    assert codes(checked) == ["local-ids"] and set(checked.player.tolist()) == {0}
    accepted = check(event, accept=["local-ids"])
    assert accepted.player.tolist() == [11, 12, 13, 14]


def test_short_numbers_are_ids_where_the_list_has_short_ids() -> None:
    people = {name: (number, *row[1:]) for number, (name, row) in enumerate(PEOPLE.items(), 1)}
    event = report("Pike, Finn: 2w1", "Lake, Gil: 1b0", entries={1: {"fideid": 7}, 2: {"fideid": 8}})

    checked = check(event, players=rating_list(people))

    assert codes(checked) == ["new-player", "new-player"] and checked.player.tolist() == [7, 8]


def test_a_start_number_twice_is_refused_with_both_lines() -> None:
    event = report(*FOUR)
    event.entries.append(event.entries[1]._replace(name="Marsh, Eve", fideid=1503057, line=13))

    problem = only(check(event), "repeated-number")

    assert problem.severity == "error" and problem.line == 13
    assert "Marsh, Eve" in problem.message and "Moor, Ben in line 10" in problem.message


def test_an_id_twice_is_refused_with_both_lines() -> None:
    checked = check(report(*FOUR, entries={3: {"fideid": 1503014}}))

    problem = only(checked, "repeated-id")
    assert problem.severity == "error" and problem.line == 11
    assert "1 Vale, Ann in line 9" in problem.message


def test_an_id_twice_accepted_stays_with_who_fits_the_list() -> None:
    checked = check(
        report(*FOUR, entries={1: {"name": "Falk, Cora", "sex": "w"}, 3: {"fideid": 1503014, "name": "Vale, Ann"}}),
        accept=["repeated-id"],
    )

    assert codes(checked, "error") == []
    assert checked.player.tolist()[0] == 0 and checked.player.tolist()[2] == 1503014


def test_the_same_rank_or_birth_twice_is_no_fault() -> None:
    assert codes(check(report(*FOUR, entries={1: {"rank": 1}, 2: {"rank": 1}}))) == []


def test_two_ids_of_one_name_and_birth_are_told_and_not_merged() -> None:
    people = {**PEOPLE}
    table = rating_list({**people, "Moor, Ben ": (1503065, "M", "FRA", "1985", 1700)})
    names = [name.strip() for name in table.column("name").to_pylist()]
    players = rating_list({**people, "Moor, Ben ": (1503065, "M", "FRA", "1985", 1700)}, name=names)
    event = report(
        "Vale, Ann: 2w1 3w1",
        "Moor, Ben: 1b0",
        "Moor, Ben: . 1b0",
        entries={3: {"fideid": 1503065, "federation": "FRA", "rating": 1700}},
    )

    checked = check(event, players=players)

    assert codes(checked) == ["two-ids"]
    assert checked.player.tolist() == [1503014, 1503022, 1503065]


# --- strength -----------------------------------------------------------------------------------


def test_printed_ratings_never_decide_and_are_summed_up() -> None:
    problem = only(check(report(*FOUR, entries={1: {"rating": 2090}, 2: {"rating": 1951}})), "rating-differs")

    assert problem.severity == "warning"
    assert problem.message.startswith("2 of 4 printed ratings differ from the list of 2026-10")


def test_printed_ratings_are_those_of_the_control_or_the_standard_one_standing_in() -> None:
    players = rating_list(rapid_rating=[2000, None, None, None])

    assert codes(check(report(*FOUR, control="rapid", entries={1: {"rating": 2000}}), players=players)) == []


def test_the_list_of_the_start_decides_not_the_newest() -> None:
    from datetime import date

    newest = rating_list(rating=[2150, 1950, 1800, 1650])
    lists = [(OCTOBER, rating_list()), (OCTOBER.plus(1), newest)]

    october = check(report(*FOUR, start=date(2026, 10, 31), end=date(2026, 11, 2)), lists=lists, period=OCTOBER.plus(2))
    november = check(report(*FOUR, start=date(2026, 11, 1), end=date(2026, 11, 2)), lists=lists, period=OCTOBER.plus(2))

    assert october.list_of_event == [0] and codes(october) == []
    assert november.list_of_event == [1] and codes(november) == ["rating-differs"]


def five(score: str, opponents: int):
    others = [f"Player {number}, X: {'. ' * (number - 1)}1b{'0' if score == '1' else '1'}" for number in range(1, 6)]
    people = {"Vale, Ann": (1503014, "F", "ENG", "2003", 2100)}
    people |= {f"Player {number}, X": (1503100 + number, "M", "ENG", "1980", opponents) for number in range(1, 6)}
    event = report(
        "Vale, Ann: " + " ".join(f"{number}w{score}" for number in range(2, 7)), *others,
        entries={number + 1: {"fideid": 1503100 + number, "sex": "m", "birth": "1980", "federation": "ENG"} for number in range(1, 6)},
    )  # fmt: skip
    return event, rating_list(people)


def test_a_performance_far_below_the_rating_is_a_warning_that_can_be_accepted() -> None:
    event, players = five("0", 1000)

    assert only(check(event, players=players), "unlikely-result").severity == "warning"
    assert only(check(event, players=players, accept=["unlikely-result"]), "unlikely-result").severity == "note"


@pytest.mark.parametrize(("score", "opponents"), [("1", 1900), ("0", 2300)])
def test_a_clean_score_against_ones_own_class_is_likely(score: str, opponents: int) -> None:
    event, players = five(score, opponents)

    assert codes(check(event, players=players)) == []


def test_without_a_list_reports_are_looked_at_by_themselves() -> None:
    checked = check(report(*FOUR), lists=[])

    assert codes(checked) == []
    assert checked.list_of_event == [-1] and checked.player.tolist() == [row[0] for row in PEOPLE.values()]
