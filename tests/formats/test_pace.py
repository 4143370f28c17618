"""Standard, rapid or blitz: minutes for 60 moves with increments; 60 and more, more than 10 and less than 60, more than 3 up to 10."""

from fractions import Fraction

import pytest

from fide_batch.formats import pace


@pytest.mark.parametrize(
    ("minutes", "control"),
    [(61, "standard"), (60, "standard"), (Fraction(3599, 60), "rapid"), (11, "rapid"), (Fraction(601, 60), "rapid"), (10, "blitz"), (4, "blitz"), (Fraction(181, 60), "blitz"), (3, "")],
)  # fmt: skip
def test_the_limits_of_the_three_controls(minutes, control):
    assert pace.of_minutes(minutes) == control


@pytest.mark.parametrize(
    ("code", "control"),
    [
        ("5400+30", "standard"),
        ("40/5400+30:1800+30", "standard"),
        ("40/7200:20/3600:900", "standard"),
        ("3600", "standard"),
        ("3599", "rapid"),
        ("1800+30", "standard"),
        ("1800+29", "rapid"),
        ("900+10", "rapid"),
        ("600", "blitz"),
        ("601", "rapid"),
        ("180+2", "blitz"),
        ("180", ""),
        ("300-240", "blitz"),
        ("3600-300", ""),
        ("40/1800:40/1800", "standard"),
        ("40/1800:40/1799", "rapid"),
        ("20/1200", "standard"),
        ("90 min", ""),
        ("", ""),
        ("0/0", ""),
        (":", ""),
    ],
)
def test_the_coded_time_control_of_trf26(code, control):
    assert pace.coded(code) == control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("90 min + 30 sec", "standard"),
        ("90 min + 30 sec per move from move 1", "standard"),
        ("90 minutes + 30 seconds per move", "standard"),
        ("90'/40 + 30'/end + 30\"/move from move 1", "standard"),
        ("90’/40 + 30’/end + 30”/move from move 1", "standard"),
        ("90 Minuten für 40 Züge + 30 Minuten + 30 Sek./Zug ab Zug 1", "standard"),
        ("90 minutes pour 40 coups puis 30 minutes, avec 30 secondes par coup", "standard"),
        ("All moves in 90 minutes, plus 10 seconds per move", "standard"),
        ("1:30 + 10 from move 1", "standard"),
        ("1h30 + 30s", "standard"),
        ("2 hours", "standard"),
        ("90+30", "standard"),
        ("120", "standard"),
        ("120 minutes per player per game", "standard"),
        ("40/120, 60", "standard"),
        ("90/40+30", "standard"),
        ("40 moves in 90 minutes + 30 min to the end", "standard"),
        ("G/60", "standard"),
        ("60 minutes", "standard"),
        ("30 min + 30 sec", "standard"),
        ("59'", "rapid"),
        ("G/25 d5", "rapid"),
        ("15'+10\"", "rapid"),
        ("15' + 10''", "rapid"),
        ("15+10", "rapid"),
        ("15 Minuten + 5 Sekunden pro Zug", "rapid"),
        ("15 minutos + 10 segundos", "rapid"),
        ("10 min. + 3 s/coup", "rapid"),
        ("7 rounds, 15 min + 5 sec", "rapid"),
        ("0:15:00 + 10", "rapid"),
        ("10+5", "rapid"),
        ("10 min", "blitz"),
        ("3+2", "blitz"),
        ("5'", "blitz"),
        ("3 min + 2 sec", "blitz"),
        ("3 minutes plus 2 seconds increment", "blitz"),
        ("5+0", "blitz"),
    ],
)
def test_figures_of_a_time_control_in_words(text, control):
    assert pace.figures(text) == control


@pytest.mark.parametrize(
    "text",
    [
        "moves/time, increment",
        "",
        "as announced",
        "1 min",
        "7 rounds",
        "FIDE laws of 2023",
        "see www.example.org/2026/09",
    ],
)
def test_figures_that_say_nothing(text):
    assert pace.figures(text) == ""


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("Standard Team Round Robin", "standard"),
        ("Individual: Swiss-System (Standard)", "standard"),
        ("partie classique", "standard"),
        ("Turnierpartie", "standard"),
        ("Rapid", "rapid"),
        ("parties rapides", "rapid"),
        ("partidas rápidas", "rapid"),
        ("Schnellschach", "rapid"),
        ("SCHNELLSCHACH", "rapid"),
        ("Blitz", "blitz"),
        ("Blitzschach", "blitz"),
        ("ajedrez relámpago", "blitz"),
        ("snelschaak", "blitz"),
        ("rapid and blitz", ""),
        ("Rapidly growing", ""),
        ("Swiss", ""),
    ],
)
def test_words_of_many_languages(text, control):
    assert pace.words(text) == control


@pytest.mark.parametrize(
    ("file", "control"),
    [
        ("results/rapid/open.trf", "rapid"),
        ("Blitz/open.trf", "blitz"),
        ("rapide/open.trf", "rapid"),
        ("schnell/open.trf", "rapid"),
        ("rapid/blitz/open.trf", "blitz"),
        ("2026-11 Rapid/open.trf", "rapid"),
        ("all.zip/rapid/open.trf", "rapid"),
    ],
)
def test_a_folder_that_says_so(file, control):
    assert pace.folder(file).control == control


@pytest.mark.parametrize("file", ["rapid.trf", "results/blitz.trf", "rapid city open/x.trf", "x.trf", ""])
def test_a_folder_that_does_not(file):
    assert pace.folder(file) is None


def test_the_coded_control_speaks_before_words_and_figures_before_words():
    said = pace.said("900+10", "90 min, rapid", "Standard")
    assert [source.control for source in said] == ["rapid", "standard", "rapid", "standard"]
    assert said[0].source == "222 900+10"


def test_sources_that_differ_are_a_contradiction_in_words():
    message = pace.contradiction(pace.said("", "Blitz 90 min"))
    assert "standard" in message and "blitz" in message
    assert pace.contradiction(pace.said("", "Blitz 5 min")) == ""


def test_what_the_report_says_beats_the_folder_and_the_folder_beats_the_command_line():
    assert pace.decide("standard", "122 90+30", "rapid/x.trf", "blitz")[0] == "standard"
    assert pace.decide("", "", "rapid/x.trf", "blitz")[:2] == ("rapid", "folder rapid/")
    assert pace.decide("", "", "x.trf", "blitz")[:2] == ("blitz", "--control")
    assert pace.decide("", "", "x.trf", "") == ("", "", [])


def test_what_was_decided_and_from_what_is_a_note():
    _, _, problems = pace.decide("", "", "rapid/x.trf", "")
    assert [(problem.code, problem.severity, problem.message) for problem in problems] == [
        ("pace", "note", "rapid, from folder rapid/")
    ]


def test_a_folder_that_contradicts_the_report_is_a_warning():
    _, _, problems = pace.decide("standard", "122 90+30", "rapid/x.trf", "")
    assert ("pace-contradiction", "warning") in [(problem.code, problem.severity) for problem in problems]
    assert pace.decide("rapid", "122 15+10", "rapid/x.trf", "")[2][0].code == "pace"
