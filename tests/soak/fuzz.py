"""Sound documents damaged in a million ways, and every reader asked to say what is wrong with them: nothing but problems may come back.

Run by hand: ``python -m tests.soak.fuzz 1000000`` (so many inputs over all targets), or ``python -m tests.soak.fuzz 5000 trf`` for one.
Input number 17 of target ``trf`` is always the same bytes: ``damaged("trf", 17)``; FIDE_BATCH_FIRST says at which number to begin.
What is at fault is kept in a folder ``fide-batch-faults`` among the temporary ones, whatever became of the process that tried it.
"""

from __future__ import annotations

import atexit
import functools
import io
import json
import os
import pickle
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from fide_batch import formats, regulations
from fide_batch.archive import Archive
from fide_batch.formats import list_csv, list_fide_txt, list_fide_xml
from fide_batch.model import KEPT, LIST, Period, Problem, Refused, Report, Reports, empty
from fide_batch.publish import terminal
from fide_batch.run import Inputs, Law, compute
from fide_batch.settings import read_decisions, read_settings
from tests.soak import apart
from tests.soak.federation import Federation

ROOT = Path(__file__).parent.parent.parent
sys.path.append(str(ROOT / "tests/formats"))
import twins  # noqa: E402
from sheet_makers import ods, xlsx  # noqa: E402
from trf_lines import TRF06, TRF26  # noqa: E402

SAMPLE = ROOT / "sample_data"
SLOW = 5.0
"""Seconds of processor time after which an input counts as a fault."""
PATIENCE = 300
"""Seconds after which one is given up."""
FAULTS = Path(tempfile.gettempdir()) / "fide-batch-faults"

Document = tuple[str, bytes]
"""The name of a file and its bytes."""

WORDS = [
    b"\0", b"\r", b"\n", b"\r\n", b"\t", b",", b";", b'"', b"'", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff", b"\x1a", b"\x85", b"\xe2\x80\xa8", b"\xc2\xa0",
    "½".encode(), "²".encode(), "٣".encode(), "\U0001f9d9".encode(), b"\xed\xa0\x80", "é".encode("latin-1"), b"0", b"-1", b"-0", b"9999", b"10000", b"1e999",
    b"NaN", b"inf", b"0x10", b"1_000", b"2147483648", b"9223372036854775808", b"99999999999", b"123456789012345678901234567890", b"0000/00/00",
    b"9999/12/31", b"2026/02/30", b"0001-01-01", b"31.12.2026", b"01/02/03", b"=HYPERLINK(\"http://x\")", b"+1", b"@x", b"<b>", b"</script>", b"&lol;", b"%s", b"{period}",
    b"../../x", b"001 ", b"012 ", b"042 ", b"132 ", b"XXR 99999", b"240 H   2    1", b"330 +-   1   1   2", b"299 W", b"310   1", b"222 5400+30:", b"0000 - +", b"  12 w 1", b"[", b"]", b"{", b"}", b"[[", b"[a.b]", b"= ", b"true", b"1979-05-27T07:32:00Z",
    b"id 1234", b"leave out", b"accept", b"control rapid", b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"<![CDATA[", b"]]>", b"PK\x03\x04", b"PK\x05\x06",
]  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A reader, sound documents for it, and how one is handed to it."""

    name: str
    share: int
    """Of every thousand inputs."""
    seeds: Callable[[], Sequence[Document]]
    read: Callable[[Document], object]


# --- damaging -----------------------------------------------------------------------------------


def damage(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """One to five things done to a document."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5))):
        found = bytearray(_ONE[chance.randrange(len(_ONE))](found, others, chance))
    return bytes(found[: 64 * 1024])


def _place(data: bytearray, chance: random.Random) -> int:
    return chance.randrange(len(data) + 1)


def _stretch(data: bytearray, chance: random.Random, longest: int = 40) -> tuple[int, int]:
    start = _place(data, chance)
    return start, min(len(data), start + chance.randint(0, longest))


def _bit(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


def _byte(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)
    return data


def _without(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    start, end = _stretch(data, chance)
    return data[:start] + data[end:]


def _word(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    start, end = _stretch(data, chance, chance.choice((0, 4, 12)))
    return data[:start] + chance.choice(WORDS) + data[end:]


def _twice(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    start, end = _stretch(data, chance, 200)
    return data[:end] + data[start:end] * chance.choice((1, 1, 2, 50)) + data[end:]


def _cut(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    return data[: _place(data, chance)]


def _lines(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    lines = bytes(data).split(b"\n")
    one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
    how = chance.randrange(4)
    if how == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif how == 1:
        del lines[one]
    elif how == 2:
        lines.insert(two, lines[one])
    else:
        lines[one] = (
            lines[one][: chance.randrange(len(lines[one]) + 1)] + lines[two][chance.randrange(len(lines[two]) + 1) :]
        )
    return b"\n".join(lines)


def _number(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    numbers = list(re.finditer(rb"\d+", bytes(data[:20_000])))
    if not numbers:
        return data
    found = chance.choice(numbers)
    value = chance.choice((
        b"0", b"-1", b"1", b"99", b"9999", b"65536", b"99999999999", str(int(found[0][:18]) + chance.choice((-1, 1, 10))).encode(), b"", b"7" * 400,
    ))  # fmt: skip
    if chance.random() < 0.5:
        value = value.rjust(len(found[0]))
    return data[: found.start()] + value + data[found.end() :]


def _cell(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    separator = max((b",", b";", b"\t", b'"', b" ", b">"), key=lambda sign: (data[:2000].count(sign), sign))
    cells = bytes(data).split(separator)
    one, two = chance.randrange(len(cells)), chance.randrange(len(cells))
    cells[one] = chance.choice((b"", cells[two], chance.choice(WORDS), cells[one] + chance.choice(WORDS)))
    return separator.join(cells)


def _other(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    other = chance.choice(others)
    start = chance.randrange(len(other) + 1)
    place = _place(data, chance)
    return data[:place] + other[start : start + chance.randint(0, 300)] + data[place:]


def _ends(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    return bytes(data).replace(b"\n", chance.choice((b"\r", b"\r\n", b"\n\n", b"\x85", b"")))


def _coded(data: bytearray, others: Sequence[bytes], chance: random.Random) -> bytes:
    text = bytes(data).decode("utf-8", "replace")
    return text.encode(
        chance.choice(("utf-16", "utf-16-be", "cp1252", "cp1251", "utf-8-sig", "cp437", "utf-32")), "replace"
    )


_ONE = (
    _bit,
    _byte,
    _without,
    _word,
    _word,
    _twice,
    _cut,
    _lines,
    _lines,
    _number,
    _number,
    _cell,
    _cell,
    _other,
    _ends,
    _coded,
)


Damage = Callable[[bytes, Sequence[bytes], random.Random], bytes]


def damage_zip(data: bytes, others: Sequence[bytes], chance: random.Random, hurt: Damage = damage) -> bytes:
    """A ZIP (a workbook is one) with one part damaged, taken away or named anew; or its own bytes."""
    if chance.random() < 0.3:
        return hurt(data, others, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(parts))
    how = chance.random()
    if how < 0.8:
        parts[name] = hurt(parts[name], list(parts.values()), chance)
    elif how < 0.9:
        del parts[name]
    else:
        parts[chance.choice(("../x", "/x", "x/../../y", "a" * 300, "\u202ex", name.upper(), ""))] = parts.pop(name)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
        for part, content in parts.items():
            archive.writestr(zipfile.ZipInfo(part), content)
    found = bytearray(out.getvalue())
    if chance.random() < 0.2:
        found = bytearray(_ONE[chance.randrange(2)](found, others, chance))
    return bytes(found)


# --- the targets --------------------------------------------------------------------------------


@functools.cache
def federation() -> Federation:
    return Federation(24, seed=11)


_PLACES: list[Path] = []


def place() -> Path:
    """A folder in memory where there is one, or where TMPDIR says."""
    if not _PLACES:
        base = Path(os.environ.get("TMPDIR", "/dev/shm"))
        _PLACES.append(Path(tempfile.mkdtemp(prefix="fuzz-", dir=base if base.is_dir() else None)))
        atexit.register(shutil.rmtree, _PLACES[0], ignore_errors=True)
    return _PLACES[-1]


@functools.cache
def base_list() -> object:
    path = place() / "base.csv"
    path.write_text(federation().list_csv())
    return formats.read_list(path)[0].cast(LIST)


@functools.cache
def trfs() -> list[Document]:
    found = []
    for number, size in enumerate((3, 4, 5, 8)):
        chance = random.Random(number)
        report = federation().report(
            f"r{number}.trf", f"Open {number}", date(2026, 10, 12 + number), chance, largest=max(8, size)
        )
        found.append((report.name, report.data))
    found.append(("harbour.trf", (SAMPLE / "results/harbour-open.trf").read_bytes()))
    found.append(
        (
            "small.trf",
            b"012 Cup\n042 2026/10/01\n052 2026/10/02\n092 Swiss\n122 90 min\nXXR 2\n162  W 3.0\n240 Z   1    2\n"
            + found[0][1][-400:],
        )
    )
    found += [("trf26.trf", TRF26), ("trf06.trf", TRF06)]
    return found


def sheets() -> list[Document]:
    found = [(path.name, path.read_bytes()) for path in sorted((SAMPLE / "results").glob("*.csv"))]
    found.append(
        (
            "cross.csv",
            b"Event;Cup\nStart;2026-10-01\nEnd;2026-10-02\nControl;rapid\n\nNo;Name;FideID;Fed;Rtg;1;2;Pts\n1;Ash, Al;70000001;INV;1800;2w1;-1;2\n2;Elm, Bo;;INV;;1b0;+;1\n",
        )
    )
    found.append(
        (
            "round-robin.csv",
            "Event,Cup\nStart,2026-10-01\nControl,rapid\nNo,Name,FideID,1,2,3,Points\n1,Ash,70000001,*,1,½,1.5\n2,Elm,,0,**,+,1\n3,Fir,,½,-,,0.5\n".encode(),
        )
    )
    found.append(
        (
            "games.csv",
            b"Event,Cup\nStart,2026-10-01\nEnd,2026-10-02\nControl,blitz\n\nRound,White ID,White,Black ID,Black,Result\n1,70000001,Ash,70000002,Elm,1-0\n2,70000002,Elm,70000001,Ash,1/2\n",
        )
    )
    return found


def rows() -> list[list[str | int]]:
    """A cross table with its head."""
    lines = (line.decode().split(";") for line in dict(sheets())["cross.csv"].split(b"\n"))
    return [[int(cell) if cell.isdigit() else cell for cell in line] for line in lines]


@functools.cache
def workbooks() -> list[Document]:
    return [("small.xlsx", xlsx(rows())), ("games.xlsx", (SAMPLE / "results/autumn-weekend.xlsx").read_bytes())]


def open_documents() -> list[Document]:
    return [("small.ods", ods(rows()))]


def old_workbooks() -> list[Document]:
    path = Path(__file__).parent / "seeds/small.xls"
    return [(path.name, path.read_bytes())]


CROSS_TABLE = """\
From the Tournament-Database of Chess-Results https://chess-results.com
Harbour Open 2026
Federation : Austria ( AUT )
Time control (Standard) : 90 min + 30 sec
Number of rounds : 3
Date : 2026/10/01 to 2026/10/03

Final Ranking crosstable after 3 Rounds
Rk.;SNo;;Name;FED;Rtg;1.Rd;2.Rd;3.Rd;Pts. ;TB1
1;2;FM;Ash Al;AUT;2104;3w1;1b½;4w1;2.5;4
2;1;;Elm Bo;AUT;2187;4b1;2w½;3b½;2;4,5
;3;;Fir Cy;GER;0;-1;4w1;1w½;2,5;5
4;4;WCM;Oak Di;GER;1900;1w0;3b0;2b-;0;4
"""
PAIRINGS = """\
From the Tournament-Database of Chess-Results https://chess-results.com
Harbour Open 2026
Time control (Rapid) : 10 min + 5 sec
Starting rank
No.;;Name;FideID;FED;Rtg
1;;Ash Al;70000001;INV;2187
2;WFM;Elm Bo;70000002;INV;2104
3;;Fir Cy;;GER;0

Round 1 on 2026/10/01 at 16:00
Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.
1;1;;Ash Al;2187;0;1 - 0;0;WFM;Elm Bo;2104;2
2;3;;Fir Cy;0;0;1;;;bye;;
Round 2 on 2026/10/02 at 16:00
Bo.;No.;;White;Rtg;Pts.;Result;Pts.;;Black;Rtg;No.
1;2;WFM;Elm Bo;2104;0;½ - ½;1;;Fir Cy;0;3
"""


@functools.cache
def chess_results() -> list[Document]:
    cells = [line.split(";") for line in CROSS_TABLE.splitlines()]
    return [
        ("cross.csv", CROSS_TABLE.encode()),
        ("pairings.csv", PAIRINGS.encode("utf-8-sig")),
        ("cross.xlsx", xlsx([[int(cell) if cell.isdigit() else cell for cell in line] for line in cells])),
    ]


@functools.cache
def zips() -> list[Document]:
    found = []
    for packed in (
        [trfs()[0]],
        [trfs()[1], sheets()[0]],
        [("rapid/a.trf", trfs()[2][1]), ("b/b.xlsx", workbooks()[0][1])],
        [("a.trf", TRF26), ("b.trf", trfs()[0][1]), ("c.trf", TRF06), ("d.trf", trfs()[1][1])],
    ):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in packed:
                archive.writestr(zipfile.ZipInfo(name), data)
        found.append((f"month{len(found)}.zip", out.getvalue()))
    return found


@functools.cache
def lists() -> list[Document]:
    """The same few players in every format of lists."""
    from pyarrow import parquet

    from fide_batch.publish import list_csv, list_fide_txt, list_fide_xml, workbook

    players = base_list().slice(0, 5)  # type: ignore[attr-defined]
    found = []
    for ending, write in (
        (".csv", list_csv.write),
        (".txt", list_fide_txt.write),
        (".xml", list_fide_xml.write),
        (".xlsx", lambda path, players: workbook.write_table(path, "list", players)),
        (".parquet", lambda path, players: parquet.write_table(players, path)),
    ):
        path = place() / f"list{ending}"
        write(path, players)
        found.append((path.name, path.read_bytes()))
    return found


def lists_of(*endings: str) -> list[Document]:
    return [document for document in lists() if document[0].endswith(endings)]


def more_lists() -> list[Document]:
    return [
        *lists_of(".csv"),
        ("short.csv", b'fideid,name,rating\n70000001,"Ash, Al",1800\n0042,Elm,\n'),
        ("de.csv", "ID;Name;Elo;Verein\n70000001;Ä, B;1800;x\n".encode("cp1252")),
    ]


@functools.cache
def zipped_lists() -> list[Document]:
    found = []
    for name, data in lists_of(".txt", ".xml", ".csv"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(name), data)
        found.append((f"{name}.zip", out.getvalue()))
    return found


SETTINGS = [
    ("fide-batch.toml", (SAMPLE / "fide-batch.toml").read_bytes()),
    ("fide-batch.toml", b'list = "a.csv"\nrules = "in-force"\ncontrol = "rapid"\narchive = "archive"\nlists = "lists/{period}.csv"\ndecisions = "d.csv"\n'),
]  # fmt: skip
DECISIONS = [
    ("decisions.csv", b"file,row,code,decision,reason\nr0.trf,,birth-differs,accept,seen the passport\nr0.trf,2,,id 70000003,his card\n,,,leave out,wrong\n"),
    ("decisions.csv", b'file;row;code;decision;reason\nr1.trf;3;;control rapid;"said; so"\nr1.trf;;;type swiss;x\nr0.trf;1;;start 2026-10-01;y\n'),
]  # fmt: skip


def editions() -> list[Document]:
    own = (ROOT / "docs/examples/my-federation.toml").read_bytes()
    return [
        ("my-federation.toml", own),
        ("classic.toml", (Path(regulations.__file__).parent / "classic.toml").read_bytes()),
    ]


@functools.cache
def manifests() -> list[Document]:
    manifest = {
        "format": 1, "period": "2026-11", "kind": "month", "version": "1.0.0", "files": {"list.parquet": "00", "reports/a.trf": "11"}, "rows": {"list": 3},
        "events": [{"file": "a.trf", "name": "Cup", "sha256": "11", "fingerprint": "22", "key": "33", "start": "2026-10-01"}], "left_out": [], "decisions": [],
        "said": {"control": "", "accept": [], "skip_faulty": False}, "base": {"period": "2026-10", "file": "l.csv"}, "previous": None, "seal": "00",
    }  # fmt: skip
    return [("manifest.json", json.dumps(manifest, indent=1).encode())]


def sane(problems: Sequence[Problem]) -> None:
    """What must hold of problems, whatever they are about: they can be shown."""
    for problem in problems:
        assert problem.code and problem.severity in ("error", "warning", "note") and problem.message, problem
        assert (problem.line is None or problem.line >= 1) and (problem.column is None or problem.column >= 1), problem
        for text in (problem.file, problem.message, problem.hint):
            text.encode()
            assert "\n" not in text, problem
    if len(problems) % 7 == 3:
        assert terminal.problems_text(problems[:3])


def _report(document: Document) -> list[Report]:
    reports = formats.read_report(*document)
    for report in reports:
        sane(report.problems)
    return reports


def _report_fast(document: Document) -> None:
    """One by one, and all together by the fast reader of TRF: the same."""
    twins.same_reports(formats.read_received([document]), Reports.gather(_report(document)))


def _report_quick(document: Document) -> None:
    """The plain way through a cross table, and the careful one: the same."""
    quick = _report(document)
    with twins.careful_tables():
        assert quick == _report(document)


def _month(reports: Reports, decisions: Sequence[object] = ()) -> None:
    base = base_list()
    inputs = Inputs(
        Period(2026, 11), reports, Law.chosen("classic", ROOT), [(Period(2026, 10), lambda: base)], empty(KEPT), (), decisions, frozenset(), True
    )  # type: ignore[arg-type] # fmt: skip
    sane(compute(inputs).problems)


def _report_rated(document: Document) -> None:
    reports = formats.read_received([document, ("sound.trf", trfs()[1][1])])
    _month(reports)


def _list_twice(document: Document) -> None:
    """By the reader of its ending the fast way and the plain way: the same; and through the door."""
    path = place() / document[0]
    path.write_bytes(document[1])
    twins.same_list(_LIST_READER[path.suffix], path)
    _list(document)


def _list(document: Document) -> None:
    path = place() / document[0]
    path.write_bytes(document[1])
    players, problems = formats.read_list(path)
    assert players.schema.equals(LIST), players.schema
    sane(problems)


def _settings(document: Document) -> None:
    (place() / document[0]).write_bytes(document[1])
    settings = read_settings(place())
    settings.list_file("2026-11").exists()
    settings.archive_folder.exists()
    (settings.folder / settings.list).exists()


@functools.cache
def _ruled() -> Reports:
    return formats.read_received(trfs()[:2])


def _decisions(document: Document) -> None:
    path = place() / document[0]
    path.write_bytes(document[1])
    read_decisions(path)


def _decisions_rated(document: Document) -> None:
    path = place() / document[0]
    path.write_bytes(document[1])
    _month(_ruled(), read_decisions(path))


def _edition(document: Document) -> None:
    path = place() / document[0]
    path.write_bytes(document[1])
    regulations.from_file(path)


def _manifest(document: Document) -> None:
    folder = place() / "archive"
    (folder / "2026-11").mkdir(parents=True, exist_ok=True)
    (folder / "2026-11/manifest.json").write_bytes(document[1])
    archive = Archive(folder)
    period = Period(2026, 11)
    archive.lists(Period(2026, 12))
    sane(archive.damage(period))


_LIST_READER = {".csv": list_csv, ".txt": list_fide_txt, ".xml": list_fide_xml}

TARGETS = {
    target.name: target
    for target in (
        Target("trf", 160, trfs, _report_fast),
        Target("trf-rated", 3, trfs, _report_rated),
        Target("sheet-csv", 50, sheets, _report_quick),
        Target("sheet-csv-rated", 2, sheets, _report_rated),
        Target("workbook", 4, workbooks, _report),
        Target("ods", 4, open_documents, _report),
        Target("xls", 1, old_workbooks, _report),
        Target("chess-results", 20, chess_results, _report_quick),
        Target("zip", 30, zips, _report_fast),
        Target("list-csv", 20, more_lists, _list_twice),
        Target("list-txt", 20, lambda: lists_of(".txt"), _list_twice),
        Target("list-xml", 30, lambda: lists_of(".xml"), _list_twice),
        Target("list-xlsx", 6, lambda: lists_of(".xlsx"), _list),
        Target("list-parquet", 20, lambda: lists_of(".parquet"), _list),
        Target("list-zip", 10, zipped_lists, _list),
        Target("settings", 175, lambda: SETTINGS, _settings),
        Target("decisions", 230, lambda: DECISIONS, _decisions),
        Target("decisions-rated", 5, lambda: DECISIONS, _decisions_rated),
        Target("edition", 30, editions, _edition),
        Target("manifest", 180, manifests, _manifest),
    )
}


def damaged(name: str, number: int) -> Document:
    """Input ``number`` of a target."""
    seeds = TARGETS[name].seeds()
    chance = random.Random(f"{name} {number}")
    file, data = chance.choice(seeds)
    others = [content for _, content in seeds]
    is_zip = data.startswith(b"PK")
    return file, damage_zip(data, others, chance) if is_zip else damage(data, others, chance)


@dataclass
class Found:
    """What came of some inputs."""

    inputs: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Numbers of inputs that let an exception through or took too long, with what was said."""

    def add(self, part: Found) -> None:
        """More of the same."""
        self.inputs += part.inputs
        self.refused += part.refused
        self.slowest = max(self.slowest, part.slowest)
        self.faults += part.faults


def tried(target: Target, document: Document) -> tuple[bool, str]:
    """Hand one document over: whether it was refused outright, and the fault, '' for none."""
    try:
        target.read(document)
    except Refused as refused:
        sane(refused.problems)
        return True, ""
    return False, ""


def batch(name: str, start: int, count: int, begun: Callable[[int], object] = lambda number: None) -> tuple[str, Found]:
    """Some inputs of a target; ``begun`` is told each number before it is tried."""
    target, found = TARGETS[name], Found()
    for number in range(start, start + count):
        begun(number)
        document = damaged(name, number)
        began = time.process_time()
        try:
            found.refused += tried(target, document)[0]
        except MemoryError:
            raise
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            found.faults.append(
                (number, f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"[:300])
            )
        took = time.process_time() - began
        found.slowest = max(found.slowest, took)
        if took > SLOW:
            found.faults.append((number, f"took {took:.1f} s"))
        found.inputs += 1
    return name, found


def _batch_apart(job: tuple[str, int, int], folder: Path) -> int:
    """The same in a process of its own, which an input may end (a library that aborts) or keep for ever."""
    _PLACES.append(folder)
    at_work = os.open(folder / "at work", os.O_CREAT | os.O_WRONLY)

    def begun(number: int) -> None:
        signal.alarm(PATIENCE)
        os.pwrite(at_work, number.to_bytes(8, "little"), 0)

    (folder / "found").write_bytes(pickle.dumps(batch(*job, begun)[1]))
    return 0


def campaign(total: int, names: Sequence[str] = (), first: int = 0) -> dict[str, Found]:
    """Inputs over all targets by their share, or as many of each target named; what is at fault is kept in ``FAULTS``."""
    plan = [(name, total if names else total * TARGETS[name].share // 1000) for name in names or TARGETS]
    found = {name: Found() for name, _ in plan}
    jobs = [(name, first + start, min(500, count - start)) for name, count in plan for start in range(0, count, 500)]
    random.Random(0).shuffle(jobs)
    for name in found:
        TARGETS[name].seeds()
    for (name, start, count), status, folder in apart.each(jobs, _batch_apart):
        if status == 0:
            part = pickle.loads((folder / "found").read_bytes())
        else:
            number = int.from_bytes((folder / "at work").read_bytes(), "little")
            part = Found(1, faults=[(number, f"ended the process: {status}")])
            jobs += [(name, start, number - start)] * (number > start)
            jobs += [(name, number + 1, start + count - number - 1)] * (start + count > number + 1)
        found[name].add(part)
        for number, _ in part.faults:
            file, data = damaged(name, number)
            FAULTS.mkdir(parents=True, exist_ok=True)
            (FAULTS / f"{name}-{number}-{file}").write_bytes(data)
    return found


def main() -> None:
    """The campaign from the command line; its figures as they belong into the documentation."""
    total, names = int(sys.argv[1]), sys.argv[2:]
    began = time.perf_counter()
    found = campaign(total, names, int(os.environ.get("FIDE_BATCH_FIRST", "0")))
    print("| target | inputs | refused outright | slowest, ms CPU | faults |\n|---|---|---|---|---|")
    for name, part in found.items():
        print(f"| {name} | {part.inputs:,} | {part.refused:,} | {part.slowest * 1000:,.0f} | {len(part.faults)} |")
    print(f"\n{sum(part.inputs for part in found.values()):,} inputs in {time.perf_counter() - began:,.0f} s")
    for name, part in found.items():
        shown: dict[str, int] = {}
        for number, said in part.faults:
            shown.setdefault(re.sub(r"\d+", "#", said)[:90], number)
        for said, number in shown.items():
            print(f"{name} {number}: {next(text for place, text in part.faults if place == number)}", said and "")


if __name__ == "__main__":
    main()
