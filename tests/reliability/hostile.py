"""Documents made to do harm, each with what must come of it. Written from what a machine has to fear, not from any format's fine points."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tests.soak.federation import Federation, Member

HEAD = "012 Cup\n022 Inventon\n032 INV\n042 2026/10/10\n052 2026/10/11\n092 Individual: Swiss-System\n122 90 min + 30 sec\n"


def row(
    number: int,
    name: str,
    ident: object,
    cells: str = "",
    *,
    rating: object = "",
    birth: str = "1990/00/00",
    points: str = "0.0",
) -> str:
    """A player's line of a report."""
    return f"001 {number:4d} m    {name:<33.33} {rating!s:>4} INV {ident!s:>11} {birth:>10} {points:>4} {number:4d}  {cells}"


def pair(one: str = "Ash, Al", two: str = "Elm, Bo", **said: object) -> str:
    """Two players who played one game."""
    return (
        HEAD
        + row(1, one, 70000001, "   2 w 1", points="1.0", **said)
        + "\n"
        + row(2, two, 70000002, "   1 b 0", **said)
        + "\n"
    )  # type: ignore[arg-type]


@dataclass(frozen=True)
class Hostile:
    """A document and its bounds."""

    name: str
    make: Callable[[Path], None]
    """Writes it to a path."""
    code: int
    """The exit status of ``check`` (0 sound or with warnings, 1 refused)."""
    says: str = ""
    """A word of the message."""
    seconds: float = 10.0
    megabytes: int = 500
    """Of the whole process; the program itself takes about 130."""
    long: bool = False


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content, "utf-8") and None


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def put(data: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data) and None


def zip_bomb(path: Path) -> None:
    """A gigabyte of zeros in a megabyte."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("bomb.trf", "w", force_zip64=True) as out,
    ):
        block = bytes(1 << 20)
        for _ in range(1024):
            out.write(block)


def zip_liar(path: Path) -> None:
    """A member that says it has ten bytes and unpacks to 300 MB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(bytes(300 << 20)) + packer.flush()
    found = bytearray(packed(("bomb.trf", b"0123456789")))
    with zipfile.ZipFile(io.BytesIO(found)) as archive:
        info = archive.infolist()[0]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(zipfile.ZipInfo("bomb.trf"), data)
    found = bytearray(out.getvalue())
    for place in (found.find(b"PK\x03\x04") + 8, found.find(b"PK\x01\x02") + 10):
        found[place : place + 2] = (8).to_bytes(2, "little")
    for place in (found.find(b"PK\x03\x04") + 22, found.find(b"PK\x01\x02") + 24):
        found[place : place + 4] = info.file_size.to_bytes(4, "little")
    path.write_bytes(found)


def zip_of_many(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(60_000):
            archive.writestr(f"{number}.trf", b"")


def zip_overlapping(path: Path) -> None:
    """Two hundred names for the same ten megabytes."""
    one = packed(("a.trf", b"012 " + bytes(10 << 20)))
    at = one.find(b"PK\x01\x02")
    entry, end = one[at : one.find(b"PK\x05\x06")], one[one.find(b"PK\x05\x06") :]
    many = b"".join(entry.replace(b"a.trf", b"%05d" % number) for number in range(200))
    tail = bytearray(end)
    tail[8:12] = (200).to_bytes(2, "little") * 2
    tail[12:16] = len(many).to_bytes(4, "little")
    path.write_bytes(one[:at] + many + bytes(tail))


def zip_nested(path: Path) -> None:
    data = packed(("a.trf", pair().encode()))
    for _ in range(12):
        data = packed(("inner.zip", data))
    path.write_bytes(data)


def zip_link(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("link.trf")
        info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
        archive.writestr("sound.trf", pair())


def book(sheet: Callable[[zipfile.ZipFile], None], strings: str = "") -> Callable[[Path], None]:
    """A workbook made by hand around one sheet."""

    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr(
                "[Content_Types].xml",
                '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>'
                '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
                '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
            )  # fmt: skip
            kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
            relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
            archive.writestr(
                "_rels/.rels",
                f'<Relationships {relations}><Relationship Id="a" Type="{kind}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            )
            archive.writestr(
                "xl/_rels/workbook.xml.rels",
                f'<Relationships {relations}><Relationship Id="a" Type="{kind}/worksheet" Target="worksheets/sheet1.xml"/>'
                f'<Relationship Id="b" Type="{kind}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
            )  # fmt: skip
            archive.writestr(
                "xl/workbook.xml",
                f'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{kind}"><sheets><sheet name="a" sheetId="1" r:id="a"/></sheets></workbook>',
            )  # fmt: skip
            if strings:
                archive.writestr("xl/sharedStrings.xml", strings)
            sheet(archive)

    return make


MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def rows_without_end(archive: zipfile.ZipFile) -> None:
    """A million rows, each empty, with a cell in the last column of the last."""
    with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as out:
        out.write(f"<worksheet {MAIN}><sheetData>".encode())
        for start in range(0, 1_048_576, 4096):
            out.write(
                b"".join(
                    b'<row r="%d"><c r="XFD%d" t="n"><v>1</v></c></row>' % (number + 1, number + 1)
                    for number in range(start, start + 4096)
                )
            )
        out.write(b"</sheetData></worksheet>")


def two_cells_far_apart(archive: zipfile.ZipFile) -> None:
    archive.writestr(
        "xl/worksheets/sheet1.xml",
        f'<worksheet {MAIN}><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>',
    )  # fmt: skip


def entities(archive: zipfile.ZipFile) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    archive.writestr(
        "xl/worksheets/sheet1.xml",
        f'<!DOCTYPE x [<!ENTITY l0 "lol">{laughs}]><worksheet {MAIN}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row></sheetData></worksheet>',
    )  # fmt: skip


def spaces(archive: zipfile.ZipFile) -> None:
    """Half a gigabyte of blanks in one cell."""
    with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as out:
        out.write(f'<worksheet {MAIN}><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>'.encode())
        block = b" " * (1 << 20)
        for _ in range(512):
            out.write(block)
        out.write(b"</t></is></c></row></sheetData></worksheet>")


def sparse(start: bytes, size: int, end: bytes = b"\n") -> Callable[[Path], None]:
    """A file that says it is so large and takes no room: NUL bytes between a beginning and an end."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.write(start)
            file.seek(size)
            file.write(end)

    return make


def one_line(start: bytes, size: int, letter: bytes = b"7") -> Callable[[Path], None]:
    """A line without an end, of real letters."""

    def make(path: Path) -> None:
        with path.open("wb") as file:
            file.write(start)
            block = letter * (1 << 20)
            for _ in range(size >> 20):
                file.write(block)

    return make


def players(count: int) -> Callable[[Path], None]:
    """So many players in one report, numbered round and round, a game each."""

    def make(path: Path) -> None:
        with path.open("w") as file:
            file.write(HEAD)
            for number in range(1, count + 1):
                place = (number - 1) % 9999 + 1
                other = place + 1 if place % 2 else place - 1
                file.write(row(place, f"Name {number}", 80_000_000 + number, f"{other:4d} w 1") + "\n")

    return make


def rounds(count: int) -> str:
    cells = "  ".join("   2 w 1" for _ in range(count)), "  ".join("   1 b 0" for _ in range(count))
    return HEAD + row(1, "Ash, Al", 70000001, cells[0]) + "\n" + row(2, "Elm, Bo", 70000002, cells[1]) + "\n"


def large_report(path: Path) -> None:
    """Nine rounds of 9,998 players, and every number means somebody."""
    import random

    federation = Federation(9998, seed=5)
    members: list[Member] = federation.members
    from tests.soak.federation import trf

    path.write_bytes(trf("Great Open", members, 9, date(2026, 10, 1), date(2026, 10, 9), "standard", random.Random(5)))


CASES = [
    Hostile("zip-bomb.zip", zip_bomb, 1, "unpacked"),
    Hostile("zip-liar.zip", zip_liar, 1),
    Hostile("zip-many.zip", zip_of_many, 1, "20000", seconds=10),
    Hostile("zip-overlap.zip", zip_overlapping, 1, seconds=30, megabytes=600, long=True),
    Hostile("zip-nested.zip", zip_nested, 1, "ZIP in a ZIP"),
    Hostile("zip-climbing.zip", put(packed(("../../../../tmp/x.trf", pair().encode()))), 1, "leads out"),
    Hostile("zip-absolute.zip", put(packed(("/etc/cron.d/x.trf", pair().encode()))), 1, "leads out"),
    Hostile("zip-backslash.zip", put(packed(("..\\..\\x.trf", pair().encode()))), 1, "leads out"),
    Hostile("zip-link.zip", zip_link, 0, "link"),
    Hostile("book-rows.xlsx", book(rows_without_end), 1, seconds=60, megabytes=900, long=True),
    Hostile("book-far.xlsx", book(two_cells_far_apart), 1),
    Hostile("book-entities.xlsx", book(entities), 1),
    Hostile("book-blanks.xlsx", book(spaces), 1, seconds=30, megabytes=900),
    Hostile("entities.trf", text('<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'), 1),
    Hostile("binary.trf", put(bytes(range(256)) * 4000), 1),
    Hostile("nul.trf", put(pair().replace("Ash", "A\0h").encode()), 1, "NUL"),
    Hostile("sparse.trf", sparse(b"012 Cup\n", 1 << 34), 1, "bytes"),
    Hostile("line.trf", one_line(b"001    1 ", 15 << 20), 1, seconds=20),
    Hostile("line-gigabyte.trf", one_line(b"001    1 ", 1 << 30), 1, "bytes", long=True),
    Hostile("line-header.trf", one_line(b"012 ", 15 << 20), 1, seconds=20),
    Hostile("line.csv", one_line(b"No,Name,FideID,1,2\n1,", 15 << 20), 1, seconds=20),
    Hostile("quote.csv", one_line(b'No,Name,FideID,1,2\n1,"', 15 << 20, b"x\n"), 1, seconds=20),
    Hostile("rounds.trf", text(rounds(10_000)), 1, seconds=20),
    Hostile("number-9999.trf", text(HEAD + row(9999, "Ash, Al", 70000001, "9998 w 1", points="1.0") + "\n" + row(9998, "Elm, Bo", 70000002, "9999 b 0") + "\n"), 0),
    Hostile("number-10000.trf", text(HEAD + row(9999, "Ash, Al", 70000001, "10000 w 1") + "\n001 10000 m    Elm, Bo\n"), 1),
    Hostile("players-100000.trf", players(100_000), 1, seconds=60, megabytes=1000),
    Hostile("players-9998.trf", large_report, 0, seconds=30, megabytes=500),
    Hostile("id-11.trf", text(pair().replace("   70000001", "99999999999")), 0),
    Hostile("id-30.csv", text("Event,Cup\nStart,2026-10-01\nEnd,2026-10-02\nControl,rapid\n\nNo,Name,FideID,1\n1,Ash,123456789012345678901234567890,2w1\n2,Elm,70000002,1b0\n"), 0),
    Hostile("rating-0.trf", text(pair(rating=0)), 0),
    Hostile("rating-minus.trf", text(pair(rating=-1)), 0),
    Hostile("rating-9999.trf", text(pair(rating=9999)), 0),
    Hostile("born-0.trf", text(pair(birth="0000/00/00")), 0),
    Hostile("born-9999.trf", text(pair(birth="9999/12/31")), 0),
    Hostile("year-0.trf", text(pair().replace("2026/10", "0000/10")), 1),
    Hostile("year-9999.trf", text(pair().replace("2026/10", "9999/12")), 1),
    Hostile("year-10000.trf", text(pair().replace("2026/10/10", "10000/10/10")), 1),
    Hostile("markup.trf", text(pair('<script>alert("1")</script>', '"><img src=x onerror=a(1)>')), 0),
    Hostile("formula.trf", text(pair('=HYPERLINK("http://x","y")', "@SUM(1+1)*cmd|' /C calc'!A0")), 0),
    Hostile("escapes.trf", text(pair("\x1b[2J\x1b]0;owned\x07", "\u202eelmB")), 0),
]  # fmt: skip


LISTS = [
    Hostile("list-line.txt", one_line(b"", 15 << 20), 1, seconds=20),
    Hostile("list-line-gigabyte.txt", one_line(b"ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\n7", 1 << 30), 1, seconds=30, long=True),
    Hostile("list-sparse.csv", sparse(b"fideid,name,rating\n70000001,", 1 << 34), 1, seconds=30),
    Hostile("list-entities.xml", text("<!DOCTYPE x [" + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)) + "]><playerslist><player><fideid>1</fideid><name>&l9;</name></player></playerslist>"), 1),
    Hostile("list-outside.xml", text('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><playerslist><player><fideid>1</fideid><name>&e;</name><rating>1500</rating></player></playerslist>'), 1),
    Hostile("list-deep.xml", text("<playerslist>" + "<player>" * 500_000), 1, seconds=20),
    Hostile("list-name.xml", one_line(b"<playerslist><player><fideid>1</fideid><name>", 64 << 20), 1, seconds=20),
    Hostile("list-far.xlsx", book(two_cells_far_apart), 1),
    Hostile("list-bomb.xlsx", book(spaces), 1, seconds=30, megabytes=900),
    Hostile("list-columns.csv", text("fideid,name,rating" + ",x" * 200_000 + "\n1,a,1500\n"), 1, seconds=20),
]  # fmt: skip
