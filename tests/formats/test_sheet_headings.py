"""What columns and head lines are called."""

import pytest

from fide_batch.formats.headings import column_of, key_of, round_of


@pytest.mark.parametrize(
    ("column", "headings"),
    [
        ("number", "No. No Nr. SNo Snr Snr. Num Nº N° Start-Nr. #"), ("rank", "Rk. Rg. Rang Platz Rank Cl. Sıra"), ("name", "Name NAME Nom Nombre Nome İsim Spieler"),
        ("federation", "FED Fed. Land País Pays Verband Federation"), ("rating", "Rtg Elo ELO RtgI EloI Rating"), ("national", "RtgN EloN DWZ NWZ"),
        ("points", "Pts. Pts Pkt. Punkte Puntos Pontos PUNKTE"), ("id", "FideID FIDE-ID fide_id Fide-Id. FIDEID ID"), ("birth", "Geb. Geburtsdatum Jahrgang Naissance Nacimiento Birthday"),
        ("sex", "sex Sexo Geschlecht Sexe"), ("title", "Titel Title Titre Título"), ("result", "Result Ergebnis Résultat Resultado Risultato"),
        ("white", "White Weiß WEISS Blancs Blancas Bianco"), ("black", "Black Schwarz Noirs Negras Nero"), ("round", "Round Runde Rd Ronde Ronda Tur"),
        ("club", "Club/City Verein/Ort"), ("tiebreak", "TB1 TB5 Wtg1 Rp K"), ("board", "Bo. Brett Board"),
        ("white.id", "WhiteID WhiteFideId white_id"), ("white.number", "WhiteNo"), ("black.rating", "BlackElo BlackRating black_rating"),
    ],
)  # fmt: skip
def test_columns_in_several_languages(column, headings):
    assert {heading: column_of(heading) for heading in headings.split()} == dict.fromkeys(headings.split(), column)


@pytest.mark.parametrize("heading", ["Pts. ", " Name", "Start number", "Last name", "White No", "FIDE ID"])
def test_spaces_do_not_count(heading):
    assert column_of(heading)


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("1.Rd", 1),
        ("9.Rd.", 9),
        ("R3", 3),
        ("Rd 4", 4),
        ("Runde 5", 5),
        ("Round 11", 11),
        ("7", 7),
        ("2. Tur", 2),
        ("3.Ronda", 3),
        ("Name", 0),
        ("R", 0),
        ("1900", 0),
        ("TB1", 0),
    ],
)
def test_round_columns(heading, number):
    assert round_of(heading) == number


@pytest.mark.parametrize(
    ("key", "written"),
    [("name", "Event"), ("name", "Turnier"), ("start", "Beginn"), ("end", "Fin"), ("rounds", "Number of rounds"), ("time_control", "Time control (Standard)"),
     ("time_control", "Bedenkzeit"), ("control", "Control"), ("dates", "Date"), ("federation", "Federation"), ("city", "Ort"), ("ignored", "Chief arbiter"), ("", "Alder, Ann"), ("", "")],
)  # fmt: skip
def test_head_lines(key, written):
    assert key_of(written) == key


def test_the_headings_of_a_rating_list_have_no_rounds():
    assert not any(
        round_of(heading)
        for heading in [
            "fideid",
            "name",
            "country",
            "sex",
            "title",
            "w_title",
            "o_title",
            "foa_title",
            "rating",
            "games",
            "k",
            "rapid_rating",
            "rapid_games",
            "rapid_k",
            "birthday",
            "flag",
        ]
    )
