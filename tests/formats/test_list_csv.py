"""Lists as CSV and as workbooks: any order, separator and heading; ids, numbers, names and rows that are not as they should be."""

import datetime as dt

import openpyxl
import pytest
from list_makers import only, told

from fide_batch.formats import list_csv, list_xlsx
from fide_batch.model import LIST, LIST_COLUMNS, STATE_COLUMNS, Refused, id_code


def write(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def read(path):
    """The list, read in columns and row by row: both must come to the same."""
    table, problems = list_csv.read(path)
    assert table.schema.equals(LIST)
    table.validate(full=True)
    plain, plain_problems = list_csv.read(path, plain=True)
    assert (table.equals(plain), problems) == (True, plain_problems)
    return table, problems


def values(table, *names):
    return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))


def refusal(path, reader=list_csv):
    with pytest.raises(Refused) as refused:
        reader.read(path)
    return refused.value.problems


def test_id_name_and_rating_are_enough(tmp_path):
    table, problems = read(
        write(
            tmp_path / "list.csv", 'fideid,name,rating\n1001,"Reed, Ann",1850\n1002,"Moor, Ben",\n1003,"Lund, Cara",0\n'
        )
    )

    assert values(table, "fideid", "name", "rating") == [
        (1001, "Reed, Ann", 1850),
        (1002, "Moor, Ben", None),
        (1003, "Lund, Cara", None),
    ]
    assert told(problems, "error") == told(problems, "warning") == []


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_line_ends_and_order_of_columns(tmp_path, separator, end):
    lines = [
        ["rating", "k", "country", "name", "fideid"],
        ["1850", "20", "ENG", '"Reed, Ann"', "1001"],
        ["", "", "IRL", '"Moor, Ben"', "1002"],
    ]
    table, _ = read(write(tmp_path / "list.csv", "".join(separator.join(line) + end for line in lines)))

    assert values(table, "fideid", "name", "country", "rating", "k") == [
        (1001, "Reed, Ann", "ENG", 1850, 20),
        (1002, "Moor, Ben", "IRL", None, None),
    ]


@pytest.mark.parametrize(
    "heading",
    [
        "ID Number;Name;Fed;SRtng;SK;B-day;Sex",
        "FIDE-ID;Spieler;Land;Elo;K-Faktor;Geburtsjahr;Geschlecht",
        "N° FIDE;Nom Prénom;Fédération;Elo Standard;Coefficient K;Année de naissance;Sexe",
        "Código FIDE;Nombre completo;País;Elo FIDE;Factor K;Fecha de nacimiento;Sexo",
        "FIDE ID ;Player Name; FED;OCT26;K;Birth year;Gender",
        "Codice FIDE;Cognome Nome;Federazione;Rating;K;Anno di nascita;Sesso",
    ],
)
def test_headings_people_use(tmp_path, heading):
    table, _ = read(write(tmp_path / "list.csv", heading + "\n1001;Reed, Ann;ENG;1850;20;1994;F\n"))

    assert values(table, "fideid", "name", "country", "rating", "k", "birthday", "sex") == [
        (1001, "Reed, Ann", "ENG", 1850, 20, "1994", "F")
    ]


def test_names_in_two_columns(tmp_path):
    table, _ = read(write(tmp_path / "list.csv", "FIDE-ID;Nachname;Vorname;Elo\n1001;Reed;Ann;1850\n1002;Moor;;1700\n"))

    assert table.column("name").to_pylist() == ["Reed, Ann", "Moor"]


def test_national_list_with_other_columns_beside(tmp_path):
    text = "\ufeffId_No;Id_CBX;Title;Name;Rtg_Nat;ClubName;Birthday;Sex;Fed;TotalNumGames;SumOpponRating\n"
    table, problems = read(
        write(tmp_path / "list.csv", text + "0042;7;FM;Reed, Ann;1850;Rooks;04/03/2008;F;BRA;31;55000\n")
    )

    assert values(table, "fideid", "title", "rating", "birthday", "career_games") == [
        (id_code("0042"), "FM", 1850, "2008", 31)
    ]
    assert "ClubName" in only(problems, "list-columns").message
    assert any("swapped" in problem.message for problem in problems)


@pytest.mark.parametrize(
    ("name", "heading", "column"),
    [("rapid-2026-10.csv", "fideid,name,rating", "rapid_rating"), ("list.csv", "fideid,name,rapid", "rapid_rating"),
     ("Blitz.csv", "fideid,name,elo", "blitz_rating"), ("rapid.csv", "fideid,name,standard rating", "rating"), ("list.csv", "fideid,name,rating", "rating"),
     ("rapidly-growing.csv", "fideid,name,rating", "rating")],
)  # fmt: skip
def test_control_of_a_list_with_one_rating(tmp_path, name, heading, column):
    table, _ = read(write(tmp_path / name, f"{heading}\n1001,Reed,1850\n"))

    assert [each for each in LIST.names if each.endswith("rating") and table.column(each).to_pylist() == [1850]] == [
        column
    ]


def test_our_state_is_read(tmp_path):
    names = [*LIST_COLUMNS, *STATE_COLUMNS]
    row = {"fideid": "1001", "rating": "2390", "k": "10", "career_games": "120", "reached_2400": "1", "reached_2300": "1", "last_played": "2026-09-12",
           "rapid_reached_2400": "0"}  # fmt: skip
    table, _ = read(
        write(tmp_path / "list.csv", ",".join(names) + "\n" + ",".join(row.get(name, "") for name in names) + "\n")
    )

    assert values(table, "career_games", "reached_2400", "last_played", "rapid_reached_2400", "rapid_reached_2300") == [
        (120, 1, dt.date(2026, 9, 12), 0, None)
    ]


@pytest.mark.parametrize("zero", [".0", ",0"])
def test_decimals_of_a_spreadsheet_are_read_alike_in_ids_and_ratings(tmp_path, zero):
    table, problems = read(write(tmp_path / "list.csv", f"fideid;name;rating\n90000053{zero};Reed;2105{zero}\n"))

    assert values(table, "fideid", "rating") == [(90000053, 2105)]
    assert told(problems, "error") == []


def test_numbers_as_spreadsheets_save_them(tmp_path):
    table, problems = read(
        write(
            tmp_path / "list.csv",
            "fideid;name;rating;k\n1503014.0;Reed;2105,0;20.0\n=\"0042\";Moor; 1900 ;0\n'77';Lund;-;\n",
        )
    )

    assert values(table, "fideid", "rating", "k") == [
        (1503014, 2105, 20),
        (id_code("0042"), 1900, None),
        (77, None, None),
    ]
    assert told(problems, "error") == []


@pytest.mark.parametrize(
    ("cells", "code"),
    [("1001,Reed,2100x,20", "list-rating"), ("1001,Reed,2100.5,20", "list-rating"), ("1001,Reed,-5,20", "list-rating"), ("1001,Reed,0x7D0,20", "list-rating"),
     ("1001,Reed,3501,20", "list-rating"), ("1001,Reed,2100,forty", "list-number"), ("4.31E+07,Reed,2100,20", "list-id"), (",Reed,2100,20", "list-id"),
     ("11/01/1987,Reed,2100,20", "list-id")],
)  # fmt: skip
def test_cells_that_cannot_be_read(tmp_path, cells, code):
    path = write(tmp_path / "list.csv", f'fideid,name,rating,k\n1,"A, B",1500,20\n{cells}\n')
    _, problems = read(path)

    problem = only(problems, code)
    place = {"list-id": 0, "list-rating": 2, "list-number": 3}[code]
    assert (problem.severity, problem.file, problem.line) == ("error", str(path), 3)
    assert problem.column == sum(len(cell) + 1 for cell in cells.split(",")[:place]) + 1
    assert problem.source == cells


def test_name_with_a_comma_outside_quotes(tmp_path):
    _, problems = read(write(tmp_path / "list.csv", "fideid,name,rating\n1001,Reed, Ann,1850\n1002,Moor,1700\n"))

    problem = only(problems, "list-line")
    assert (problem.severity, problem.line, "quotes" in problem.hint) == ("error", 2, True)


def test_quotation_mark_never_closed(tmp_path):
    _, problems = read(
        write(tmp_path / "list.csv", 'fideid,name,rating\n1001,Reed,1850\n1002,"Moor,1700\n1003,Lund,1600\n')
    )

    assert told(problems, "error") == [("list-line", 3)]


def test_cells_of_several_lines_and_blank_lines_keep_the_line_numbers(tmp_path):
    _, problems = read(
        write(tmp_path / "list.csv", 'fideid,name,rating\n1001,"Reed,\nAnn",1850\n\n  \n1002,Moor,17OO\n')
    )

    assert told(problems, "error") == [("list-rating", 6)]


def test_lines_before_the_heading(tmp_path):
    table, _ = read(
        write(tmp_path / "list.csv", "Rating list of the league\n;;;\nNr;FIDE ID;Name;Elo\n1;1001;Reed;1850\n")
    )

    assert values(table, "fideid", "rating") == [(1001, 1850)]


def test_apostrophe_before_a_formula_is_taken_away_and_others_stay(tmp_path):
    names = ["'=1+1", "''=1+1", "'t Hoen", "O'Neill", "'", "'=", "=1+1"]
    text = "fideid;name;rating\n" + "".join(f"{place};{name};1500\n" for place, name in enumerate(names, 1))
    table, _ = read(write(tmp_path / "list.csv", text))

    assert table.column("name").to_pylist() == ["=1+1", "'=1+1", "'t Hoen", "O'Neill", "'", "'=", "=1+1"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_encodings(tmp_path, encoding):
    table, problems = read(write(tmp_path / "list.csv", "fideid;name;rating\n1001;Müller, Zoë;1850\n", encoding))

    assert table.column("name").to_pylist() == ["Müller, Zoë"]
    assert told(problems, "error") == []


@pytest.mark.parametrize(
    ("heading", "missed"),
    [("fideid,name,country", "no rating column"), ("name,country,rating", "no id column"), ("a,b,c", "no heading")],
)
def test_heading_that_is_none_of_a_rating_list(tmp_path, heading, missed):
    problems = refusal(write(tmp_path / "list.csv", f"{heading}\n1,x,2\n2,y,3\n"))

    assert missed in only(problems, "list-not-a-list").message


def test_all_ratings_zero_is_no_rating_list(tmp_path):
    problems = refusal(
        write(tmp_path / "list.csv", "fideid,name,rating\n" + "".join(f"{place},P,0\n" for place in range(1, 5)))
    )

    assert "does not look like a rating list" in only(problems, "list-not-a-list").message


def test_two_columns_of_one_name(tmp_path):
    assert (
        "two columns"
        in only(
            refusal(write(tmp_path / "list.csv", "fideid,name,rating,rating\n1,x,1500,1600\n")), "list-columns"
        ).message
    )


def test_repeated_id_names_both_lines(tmp_path):
    _, problems = read(
        write(tmp_path / "list.csv", "fideid,name,rating\n1001,Reed,1850\n1002,Moor,1700\n1001,Lund,1600\n")
    )

    problem = only(problems, "list-id-repeated")
    assert (problem.severity, problem.line) == ("error", 4)
    assert "line 2" in problem.message


def test_same_person_under_two_ids_is_told_and_nothing_merged(tmp_path):
    text = "fideid,name,birthday,rating\n1001,Reed,1990-05-04,1850\n1002,REED,1990-05-04,1700\n1003,Reed,1991,1600\n"
    table, problems = read(write(tmp_path / "list.csv", text))

    problem = only(problems, "list-same-person")
    assert (problem.severity, problem.line, table.num_rows) == ("warning", 3, 3)
    assert "1001" in problem.message and "1002" in problem.message


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("1985", "1985-03-04", True), ("1985-03-04", "1985", True), ("1985-03-04", "1985-03-05", False), ("1984", "1985-03-04", False),
    ],
)  # fmt: skip
def test_a_day_and_the_year_alone_may_be_one_birth(tmp_path, one, two, same):
    text = f'fideid,name,rating,birthday\n1001,"Moor, Ben",1950,{one}\n1002,"Oak, Ann",1800,1990\n1003,"Moor, Ben",1700,{two}\n'
    _, problems = read(write(tmp_path / "list.csv", text))

    assert ("list-same-person" in {problem.code for problem in problems}) == same


def test_old_floor_is_no_fault(tmp_path):
    table, problems = read(write(tmp_path / "list-2023-05.csv", "fideid,name,rating\n1001,Reed,1123\n"))

    assert table.column("rating").to_pylist() == [1123]
    assert told(problems, "error") == told(problems, "warning") == []


@pytest.mark.parametrize(
    ("found", "read_as"),
    [("1990", "1990"), ("1990-05-04", "1990-05-04"), ("04.05.1990", "1990-05-04"), ("1990/05/04", "1990-05-04"), ("31/05/1990", "1990-05-31"),
     ("05/31/1990", "1990-05-31"), ("04/05/1990", "1990"), ("04/04/1990", "1990-04-04"), ("1990/00/00", "1990"), ("19900504", "1990-05-04"), ("0000", ""),
     (".  .", ""), ("04.05.90", "1990-05-04"), ("04.05.12", "2012-05-04"), ("30.02.1990", ""), ("soon", ""), ("1770", "")],
)  # fmt: skip
def test_births(tmp_path, found, read_as):
    table, problems = read(write(tmp_path / "list.csv", f"fideid,name,birthday,rating\n1001,Reed,{found},1850\n"))

    assert table.column("birthday").to_pylist() == [read_as]
    unreadable = found in ("30.02.1990", "soon", "1770")
    assert [problem.severity for problem in problems if problem.code == "list-birth"] == ["warning"] * unreadable


def test_years_of_two_digits_end_with_the_year_of_the_list(tmp_path):
    table, _ = read(
        write(
            tmp_path / "list-2003-10.csv",
            "fideid,name,birthday,rating\n1001,Reed,04.05.12,1850\n1002,Moor,04.05.98,1850\n",
        )
    )

    assert table.column("birthday").to_pylist() == ["1912-05-04", "1998-05-04"]


def test_looks():
    assert list_csv.looks("list.csv", b"fideid,name,rating\n") == ""
    for other in (
        b"",
        b"<playerslist>",
        b"hello\n",
        b"PK\x03\x04",
        b"ID Number      Name            Fed SRtng\n1              Reed, Ann       ENG 2000",
    ):
        assert list_csv.looks("list.csv", other) != ""


# --- workbooks ------------------------------------------------------------------------------------------------


def workbook(path, rows, *more):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for title in more:
        book.create_sheet(title).append(["nothing", "here"])
    book.save(path)
    return path


def test_workbook_with_numbers_texts_and_dates(tmp_path):
    rows = [
        ["List of the league", None, None, None, None], [None] * 5, ["Name", "FIDE ID", "Elo", "Birthday", "K"],
        ["Reed, Ann", 1503014, 2105, dt.date(1994, 5, 4), 20], ["Moor, Ben", "0042", None, 1980, None], ["=1+1", "73928E03", 1700.0, "04.05.2001", 40],
    ]  # fmt: skip
    path = workbook(tmp_path / "list.xlsx", rows, "Notes")
    book = openpyxl.load_workbook(path)
    book.active["A6"].data_type = "s"  # text, as our own workbooks write such a name
    book.active["A6"].value = "=1+1"
    book.active["A6"].data_type = "s"
    book.save(path)
    assert list_xlsx.looks("list.xlsx", path.read_bytes()[:65536]) == ""
    table, problems = list_xlsx.read(path)

    assert values(table, "fideid", "name", "rating", "birthday", "k") == [
        (1503014, "Reed, Ann", 2105, "1994-05-04", 20), (id_code("0042"), "Moor, Ben", None, "1980", None),
        (id_code("73928E03"), "=1+1", 1700, "2001-05-04", 40),
    ]  # fmt: skip
    assert told(problems, "error") == []
    assert only(problems, "list-sheet").severity == "note"


def test_workbook_faults_name_the_cell(tmp_path):
    path = workbook(
        tmp_path / "list.xlsx",
        [["fideid", "name", "rating"], [1, "Reed", 1500], [2, "Moor", "15OO"], [1, "Lund", 1400]],
    )
    _, problems = list_xlsx.read(path)

    rating = only(problems, "list-rating")
    assert (rating.line, rating.column, "cell C3" in rating.message) == (3, 3, True)
    assert only(problems, "list-id-repeated").line == 4


def test_workbook_that_is_no_list(tmp_path):
    assert (
        "no sheet"
        in only(refusal(workbook(tmp_path / "a.xlsx", [["a", "b"], [1, 2]]), list_xlsx), "list-not-a-list").message
    )
    problems = refusal(workbook(tmp_path / "b.xlsx", [["fideid", "name"], [1, "Reed"]]), list_xlsx)
    assert "no rating column" in only(problems, "list-not-a-list").message
    broken = tmp_path / "c.xlsx"
    broken.write_bytes(b"PK\x03\x04 and nothing else")
    assert refusal(broken, list_xlsx)[0].severity == "error"
