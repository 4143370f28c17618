"""Whatever comes, the readers of tables answer with a report and its problems: no exception leaves them, and at most one claims a file."""

import io
import zipfile

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sheet_makers import READERS, ods, table, xlsx

from fide_batch.model import RESULTS, UNPLAYED, Reports

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

HEADINGS = st.sampled_from(
    ["No", "Rk.", "SNo", "Name", "Last name", "First name", "FideID", "Fed", "Rtg", "RtgN", "Birth", "Sex", "", "Pts. ", "R1", "R2", "1.Rd", "3", "Round", "White",
     "Black", "Result", "White No", "Black ID", "Bo.", "TB1", "Club", "???", "Event", "Start", "Rounds"]
)  # fmt: skip
CELLS = st.one_of(
    st.sampled_from(
        ["", "1", "2", "3", "2w1", "1b0", "3b½", "-1", "-½", "-0", "H", "bye", "1-0", "½-½", "+--", "0", "*", "12w1K", "4.31E+07", "0042", "1503014", "2026-10-03", "03/04/2026",
         "GM", "m", "Alder, Ann", "5,5", "5½", "# x", "https://chess-results.com", "Round 1 on 2026/10/03", "Date : 2026/10/01 to 2026/10/03", "∞", "²", "٣", "99999999999999999999"]
    ),
    st.integers(-5, 10**19).map(float),
    st.integers(0, 30),
    st.dates(),
    st.text(max_size=12).map(lambda text: "".join(char for char in text if char.isprintable())),
)  # fmt: skip
ROWS = st.lists(st.lists(st.one_of(CELLS, HEADINGS), max_size=9), max_size=6)
SHEETS = st.tuples(ROWS, st.lists(HEADINGS, min_size=2, max_size=10), ROWS).map(
    lambda parts: [*parts[0], parts[1], *parts[2]]
)


def answered(name, data):
    """Look and read with every reader; what is read fits the tables of the model."""
    claims = []
    for reader in READERS:
        reason = reader.looks(name, data)
        assert isinstance(reason, str)
        report = reader.read(name, data)
        if not reason:
            claims.append(reader.NAME)
            assert report.event.file == name and report.event.format
        for cell in report.cells:
            assert cell.result in RESULTS or cell.result in UNPLAYED
            assert cell.colour in ("w", "b", "") and cell.round >= 1 and cell.opponent >= 0
        for problem in report.problems:
            assert (
                problem.code
                and problem.message
                and problem.file == name
                and problem.severity in ("error", "warning", "note")
            )
        Reports.gather([report])
    assert len(claims) <= 1, claims
    return claims


@SETTINGS
@given(SHEETS, st.sampled_from([",", ";", "\t"]), st.sampled_from(["utf-8", "cp1252", "utf-16"]))
def test_any_table_as_csv(rows, separator, encoding):
    answered("any.csv", table(rows, separator).encode(encoding, "replace"))


@SETTINGS
@given(st.lists(SHEETS, min_size=1, max_size=2), st.sampled_from([xlsx, ods]))
def test_any_table_as_workbook(sheets, make):
    answered("any.xlsx", make(*sheets))


@SETTINGS
@given(st.binary(max_size=400))
@example(b"\xff\xfe")
@example(b"\0")
@example(b"PK\x03\x04")
@example(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
@example(b"PK\x03\x04" + b"[Content_Types].xmlxl/workbook.xml")
@example(b"No,Name,R1\r\n1,A,\x00")
@example(b'No,Name,R1\n1,"')
def test_any_bytes(data):
    answered("any.bin", data)


GOOD_CSV = table([["Event", "Open"], ["Start", "2026-10-03"], [], ["No", "Name", "FideID", "R1", "R2"], [1, "Alder, Ann", 90000011, "2w1", "-1"], [2, "Birch", "0042", "1b0", "H"]]).encode()  # fmt: skip
GOOD_XLSX = xlsx([["Event", "Open"], ["Start", "2026-10-03"], [], ["No", "Name", "FideID", "R1", "R2"], [1, "Alder, Ann", 90000011, "2w1", "-1"], [2, "Birch", "0042", "1b0", "H"]])  # fmt: skip


@SETTINGS
@given(st.integers(0, len(GOOD_CSV)), st.integers(0, 20), st.binary(max_size=12))
def test_a_sound_csv_with_a_hole(place, length, other):
    answered("open.csv", GOOD_CSV[:place] + other + GOOD_CSV[place + length :])


@SETTINGS
@given(st.integers(0, len(GOOD_XLSX)), st.integers(0, 40), st.binary(max_size=12))
def test_a_sound_workbook_with_a_hole(place, length, other):
    answered("open.xlsx", GOOD_XLSX[:place] + other + GOOD_XLSX[place + length :])


PARTS = (
    "xl/worksheets/sheet1.xml",
    "xl/workbook.xml",
    "xl/styles.xml",
    "xl/sharedStrings.xml",
    "xl/_rels/workbook.xml.rels",
)


@SETTINGS
@given(
    st.sampled_from(PARTS),
    st.integers(0, 3000),
    st.integers(0, 30),
    st.sampled_from([b"", b"<", b'"', b"99999999999", b"<row/>", b"\xff", b'r="ZZZ9999999"']),
)
@example("xl/worksheets/sheet1.xml", 990, 27, b'r="ZZZ9999999"')  # a cell with three names took five terabytes
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_sound_zip_around_broken_xml(part, place, length, other):
    """The checksums are right and the XML is not: nothing but the reader of the cells can notice."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(GOOD_XLSX)) as source, zipfile.ZipFile(stream, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == part:
                at = place % max(len(content), 1)
                content = content[:at] + other + content[at + length :]
            target.writestr(name, content)
    answered("open.xlsx", stream.getvalue())
