"""Whatever the bytes are: problems, never an exception, never more than a little time."""

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trf_lines import HEAD, TRF26, codes, player, put, report

from fide_batch import formats
from fide_batch.formats import dates, pace, trf, zip_reports
from fide_batch.model import RESULTS, UNPLAYED, Report, Reports
from fide_batch.publish import report_trf16

FRAGMENTS = [
    b"\n", b"\r", b"\t", b"\0", b"\x1a", b"\xff", b"\xc3", b"\xe2\x80\xa8", b"\xc2\xa0", b"001 ", b"012 ", b"132 ", b"240 ", b"330 +-", b"162 ", b"222 5400+30:",
    b"0000 - ", b"9999 w 1", b"  12 b =", b"99/99/99", b"05/09/2026", "½".encode(), "٣".encode(), "²".encode(), b"-1", b"1e9", b"PK\x03\x04", b"042 ", b"\xfe\xff",
]  # fmt: skip


def sane(read):
    """What must hold of a report, whatever it was read from."""
    assert isinstance(read, Report)
    for problem in read.problems:
        assert problem.code and problem.severity in ("error", "warning", "note") and problem.message
        assert problem.line is None or problem.line >= 1
        assert problem.column is None or problem.column >= 1
    for cell in read.cells:
        assert cell.result in RESULTS or cell.result in UNPLAYED
        assert cell.colour in ("", "w", "b") and cell.round >= 1 and 0 <= cell.opponent <= 9999
    for entry in read.entries:
        assert 1 <= entry.number <= 9999 and 0 <= entry.rating <= 9999
    Reports.gather([read])


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=600))
def test_any_bytes(data):
    trf.looks("x", data)
    sane(trf.read("x", data))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06", b"001 ", b"\xff\xfe0\x000\x001\x00 \x00"]),
)
def test_any_bytes_through_the_door(data, start):
    for found in formats.read_report("x", start + data):
        sane(found)


edits = st.lists(
    st.tuples(
        st.integers(0, len(TRF26)), st.integers(0, 12), st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=3))
    ),
    min_size=1,
    max_size=6,
)


def edited(changes):
    data = TRF26
    for place, removed, put_in in changes:
        data = data[:place] + put_in + data[place + removed :]
    return data


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits)
def test_a_sound_file_with_something_changed(changes):
    sane(trf.read("x", edited(changes)))


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits)
def test_what_was_read_can_be_written_and_read_again(changes):
    first = trf.read("x", edited(changes))
    second = trf.read("x", report_trf16.text(first).encode())
    assert [cell[:5] for cell in second.cells if cell.opponent] == [
        cell[:5] for cell in first.cells if cell.opponent
    ] or _repeated(first)


def _repeated(read):
    """Two lines with one start number, a round twice, or opponents that are found to be ranks the second time: not the same file any more."""
    numbers = [entry.number for entry in read.entries]
    rounds = [(cell.number, cell.round) for cell in read.cells]
    return len(set(numbers)) < len(numbers) or len(set(rounds)) < len(rounds)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_any_text_as_date_birth_and_pace(text):
    dates.readings(text)
    dates.birth(text)
    dates.settle(text, text, (text, "26/09/05"))
    assert pace.coded(text) in ("", "standard", "rapid", "blitz")
    assert pace.figures(text) in ("", "standard", "rapid", "blitz")
    pace.words(text)
    pace.folder(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 255)), max_size=5), st.integers(0, 400))
def test_any_damage_to_a_zip(changes, cut):
    import io
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.trf", TRF26)
        archive.writestr("b/c.trf", TRF26[:300])
    data = bytearray(stream.getvalue())
    for place, value in changes:
        data[place % len(data)] = value
    data = bytes(data[: len(data) - cut])
    if zip_reports.is_archive(data):
        list(zip_reports.members("z.zip", data))


# --- size -----------------------------------------------------------------------------------------------


def seconds(data):
    started = time.process_time()
    read = trf.read("x", data)
    return time.process_time() - started, read


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 10_000_000,
        b"012 " + b"x" * 10_000_000,
        b"001    1 " + b" " * 10_000_000,
        b"001    1 " + b"1 w 1 " * 1_600_000,
        player(1).encode() + b"  " + b"     2 w 1" * 1_000_000,
        b"132 " + b"26/09/05  " * 1_000_000,
        b"132 " + b"x" * 10_000_000,
        b"122 " + b"90 min + " * 1_000_000,
        b"222 " + b"40/5400+30:" * 900_000,
        b"042 " + b"1/" * 5_000_000,
        b"240 H 1 " + b"1 " * 5_000_000,
        b"330 " + b"+- 1 1 2 " * 1_000_000,
        b"162 " + b"W 3.0 " * 1_500_000,
        b"\t" * 10_000_000,
        b"\r" * 5_000_000,
    ],
    ids=lambda line: line[:12].decode(),
)
def test_a_line_of_ten_megabytes(line):
    spent, read = seconds(report() + line)
    assert spent < 6
    sane(read)


def test_ten_thousand_rounds_are_refused():
    spent, read = seconds(report(player(1, "A") + "  " + "     2 w 1" * 10_000))
    assert "too-many-rounds" in codes(read, "error") and spent < 2


def test_nine_hundred_rounds_are_read():
    _, read = seconds(report(player(1, "A").ljust(89) + "     2 w 1" * 900))
    assert len(read.cells) == 900


def test_the_highest_start_number():
    _, read = seconds(report(player(9999, "A", "9998 w 1"), player(9998, "B", "9999 b 0")))
    assert codes(read, "error") == [] and [cell.opponent for cell in read.cells] == [9998, 9999]


def test_a_hundred_thousand_players_are_refused():
    lines = [player(1 + place % 9999, "A") for place in range(100_000)]
    spent, read = seconds(report(*lines))
    assert "too-many-players" in codes(read, "error") and len(read.entries) == 9999 and spent < 5


def test_a_file_beyond_the_limit_is_refused():
    _, read = seconds(report() + b" " * trf.LARGEST)
    assert codes(read, "error") == ["too-large"]


def test_a_hundred_thousand_faults_are_told_in_a_hundred_lines():
    lines = [put(player(1 + place, "A", "2 x 1"), 10, "q") for place in range(9_999)]
    _, read = seconds(report(*lines))
    assert len(codes(read)) < 300 and any("and 9899 more problems" in problem.message for problem in read.problems)


def test_the_shown_source_of_a_problem_is_never_long():
    _, read = seconds(report("001    x" + " " * 100_000 + "x", head=HEAD))
    assert max(len(problem.source) for problem in read.problems) <= 400


def test_the_limit_of_a_report_is_stated(tmp_path: Path):
    place = tmp_path / "x.trf"
    with open(place, "wb") as stream:
        stream.truncate(200_000_000)
    (problem,) = formats.read_reports([place]).problems
    assert "64 MB" in problem.message
