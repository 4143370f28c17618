"""Files made to exhaust memory or time: each ends in a problem, within bounds that a child process may not leave."""

import resource
import subprocess
import sys
import time

import pytest
from list_makers import COMBINED, REED, line

MEMORY = 700 << 20
"""Bytes of address space above what the libraries take."""
SECONDS = 60

READ = """
import resource, sys
from pathlib import Path
from fide_batch import formats
from fide_batch.model import Refused
import fide_batch.formats.list_csv_columns, fide_batch.formats.list_fide_txt, fide_batch.formats.list_fide_xml, pyarrow.csv
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]), -1))
try:
    table, problems = formats.read_list(Path(sys.argv[1]))
    print(table.num_rows, *sorted({problem.code for problem in problems if problem.severity == "error"}))
except Refused as refused:
    print("refused", *sorted({problem.code for problem in refused.problems if problem.severity == "error"}))
"""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are set as on Linux")


def read_within_bounds(path):
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path), str(MEMORY)],
        capture_output=True,
        text=True,
        timeout=SECONDS * 3,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert time.monotonic() - begin < SECONDS
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 << 20
    return done.stdout.split()


TEXT = COMBINED + "\n" + line(**REED) + "\n"
CSV = "fideid,name,rating\n1001,Reed,1850\n"
XML = "<playerslist><player><fideid>1001</fideid><name>Reed</name><rating>1850</rating></player>"


@pytest.mark.parametrize("begin", [TEXT, CSV, XML], ids=["text", "csv", "xml"])
@pytest.mark.parametrize("what", ["zeros", "letters"])
def test_line_without_end(tmp_path, begin, what):
    path = tmp_path / "list"
    with path.open("wb") as file:
        file.write(begin.encode())
        if what == "letters":
            for _ in range(16):
                file.write(b"x" * (1 << 20))
    if what == "zeros":
        with path.open("r+b") as file:
            file.truncate(10 << 30)  # ten gigabytes that take no place on the disk

    verdict = read_within_bounds(path)
    assert verdict[0] == "refused"
    assert verdict[1:] in (["list-line"], ["list-xml"], ["list-file"])


def test_quotation_mark_never_closed_before_many_lines(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text(CSV + '1002,"Moor,1700\n' + "1003,Lund,1600\n" * 1_000_000)

    verdict = read_within_bounds(path)
    assert "list-line" in verdict


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE list [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
        + XML.replace("Reed", "&c;") + "</playerslist>",
        '<!DOCTYPE list [<!ENTITY file SYSTEM "file:///etc/passwd">]>' + XML.replace("Reed", "&file;") + "</playerslist>",
        '<!DOCTYPE list SYSTEM "http://127.0.0.1:9/list.dtd">' + XML + "</playerslist>",
    ],
    ids=["laughs", "file", "network"],
)  # fmt: skip
def test_document_types_are_refused(tmp_path, text):
    path = tmp_path / "list.xml"
    path.write_text(text)

    assert read_within_bounds(path) == ["refused", "list-xml"]


def test_tag_without_end_and_elements_without_end(tmp_path):
    path = tmp_path / "list.xml"
    path.write_text(XML + "<player " + 'a="' + "x" * (16 << 20))
    assert read_within_bounds(path) == ["refused", "list-xml"]

    path.write_text(XML + "<a>" * 3_000_000)
    assert read_within_bounds(path) == ["refused", "list-xml"]


def test_element_of_endless_text_and_endless_kinds_of_elements(tmp_path):
    path = tmp_path / "list.xml"
    path.write_text(XML + "<player><fideid>2</fideid><name>" + "x" * (16 << 20) + "</name></player></playerslist>")
    assert read_within_bounds(path) == ["2"]

    kinds = "".join(f"<e{place}/>" for place in range(200_000))
    path.write_text(XML + f"<player><fideid>2</fideid>{kinds}</player></playerslist>")
    assert read_within_bounds(path) == ["2"]


def test_reading_stops_after_ten_thousand_errors(tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("fideid,name,rating\n1,Reed,1850\n" + "2,Moor,maybe\n" * 100_000)
    assert read_within_bounds(path) == ["refused", "list-line", "list-rating"]

    path = tmp_path / "list.txt"
    path.write_text(TEXT + (line(**{**REED, "rating": "maybe"}) + "\n") * 100_000)
    assert read_within_bounds(path) == ["refused", "list-line", "list-rating"]

    path = tmp_path / "repeated.csv"
    path.write_text("fideid,name,rating\n" + "1,Reed,1850\n" * 1_000_000)
    assert read_within_bounds(path) == ["refused", "list-id-repeated", "list-line"]
