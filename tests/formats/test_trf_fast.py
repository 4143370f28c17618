"""The fast reader and its careful twin give the same, to the last field of the last cell."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_trf_fuzz import FRAGMENTS
from trf_lines import HEAD, corpus_files, needs_corpus, player, put, report
from twins import in_place, same_reports

from fide_batch import formats
from fide_batch.formats import files, trf, trf_fast, trf_fast_columns
from fide_batch.formats.dates import birth
from fide_batch.formats.gathered import Gathered
from fide_batch.formats.trf_cells import read_cell
from fide_batch.model import Reports


def both(items):
    """The places the fast reader leaves; what it reads must be what the careful reader reads."""
    fast, left = trf_fast.read_many(items)
    slow = Reports.gather([trf.read(name, data) for place, (name, data) in enumerate(items) if place not in left])
    same_reports(fast, slow)
    return left


def tournament(players, rounds, seed, *, names="ascii", form="usual"):
    """A sound report with every kind of round, made by chance from a seed."""
    chance = np.random.default_rng(seed)
    cells = [[""] * rounds for _ in range(players)]
    for round_ in range(rounds):
        order = (chance.permutation(players) + 1).tolist()
        while len(order) > 1:
            white, black = order.pop(), order.pop()
            own, other = [
                ("1", "0"),
                ("0", "1"),
                ("=", "="),
                ("+", "-"),
                ("-", "-"),
                ("W", "L"),
                ("D", "D"),
                ("w", "l"),
            ][chance.integers(8)]
            cells[white - 1][round_] = f"{black} w {own}"
            cells[black - 1][round_] = f"{white} b {other}"
        for alone in order:
            cells[alone - 1][round_] = ["0000 - U", "0000 - H", "0000 - F", "0000 - Z", ""][chance.integers(5)]
    spelled = {"ascii": "Player, {}", "utf-8": "Pláyèr Øst, {} Ğ", "latin-1": "Pláyèr, {}"}[names]
    lines = [
        player(
            place + 1, spelled.format(place), *cells[place], sex=["m", "w", "", "F"][place % 4], title=["", "g", "WFM", "IM", "wm"][place % 5],
            rating=["", 0, 1234, 2750][place % 4], fed=["SWE", "", "ger"][place % 3], ident=["", 0, 1503014, 12345678901][place % 4],
            birth=["", "1990", "1990/00/00", "1990/12/31", "1990.12.31", "1990-02-03", "0000/00/00"][place % 7],
            points=["0.5", "10.5", "4.0"][place % 3], rank=["", place + 1][place % 2],
        )
        for place in range(players)
    ]  # fmt: skip
    if form == "padded":
        lines = [line.ljust(89 + 10 * rounds + 3) for line in lines]
    head = ("012 Spring Open", "042 2026/09/05", "052 2026/09/06", f"XXR {rounds}", "122 90 min + 30 sec", "XXC white1")
    return lines, head


@pytest.mark.parametrize("names", ["ascii", "utf-8", "latin-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("form", ["usual", "padded"])
def test_sound_files_are_read_by_the_fast_reader(names, end, form):
    items = []
    for seed, (players, rounds) in enumerate([(10, 5), (11, 7), (2, 1), (30, 9), (15, 11)]):
        lines, head = tournament(players, rounds, seed, names=names, form=form)
        text = report(*lines, "013 Lund", head=head, end=end).decode()
        items.append((f"{seed}.trf", text.encode("utf-8" if names == "utf-8" else "latin-1")))
    items.append(("bom.trf", b"\xef\xbb\xbf" + items[0][1]))
    assert both(items) == []


def test_numbers_that_are_not_the_places_and_players_before_the_head():
    lines = [player(9999, "A", "17 w 1", "40 b ="), player(17, "B", "9999 b 0"), player(40, "C", "", "9999 w =")]
    assert both([("x", report(head=(lines[0], *HEAD, *lines[1:])))]) == []


def pair(**fields):
    """A report of one game, whose first player has these fields."""
    return report(player(1, fields.pop("name", "Reed, Ann"), "2 w 1", **fields), player(2, "Stone, Cy", "1 b 0"))


@pytest.mark.parametrize("year", [1, 1849, 1850, 1900, 1996, 1997, 2000, 2199, 2200])
def test_every_day_of_birth_is_read_as_the_careful_reader_reads_it(year):
    births = [f"{year:04}"] + [
        f"{year:04}/{month:02}/{day:02}" for month in range(15) for day in (0, 1, 28, 29, 30, 31, 32)
    ]
    items = [(f"{place}.trf", pair(birth=text)) for place, text in enumerate(births)]
    left = both(items)
    assert {births[place] for place in left} == {text for text in births if birth(text)[2]} | (
        {f"{year:04}"} if not 1850 <= year < 2200 else set()
    )


@pytest.mark.parametrize(
    "name",
    ["Öst", " Öst", "\xa0Öst", "Öst\xa0", "Öst\x85", "Ö\xa0st", "ß" * 33, "ß" * 8 + "x", "ab" + "ß" * 6, "x" * 32 + "é", "_" * 33, "~" * 8, "\xa0", "Øé Ğ", "Ğ ", " Reed", "x",
     "Š. Ž", "œ"],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252"])
def test_names_of_every_kind(name, encoding):
    try:
        items = [
            ("a", SOUND[0][1]),
            ("b", pair(name=name).decode().encode(encoding)),
            ("c", pair(name="Åse").decode().encode("latin-1")),
        ]
    except UnicodeEncodeError:
        return
    left = both(items)
    if encoding == "utf-8":  # in another encoding some of these bytes might be UTF-8: such a file is left
        assert (1 in left) == (not name.strip())


@pytest.mark.parametrize(
    ("title", "fed"), [("wim", "swe"), ("", "SW"), ("G", "  S"), ("WGM", "S-E"), ("xyz", "123"), ("g m", "a b")]
)
def test_titles_and_federations_in_every_spelling(title, fed):
    assert both([("a", SOUND[0][1]), ("b", pair(title=title, fed=fed)), ("c", pair())]) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["013 Lund", "", "XXR 1"],
        ["XXR 1", "XXR 1"],
        ["0122 x"],
        ["082"],
        ["102 " + "x" * 300],
        ["022 " + "x" * 201],
        ["092 x" + " " * 70_000],
    ],
)
def test_records_after_the_players(lines):
    for end in ("\n", "\r\n"):
        both(
            [("a", SOUND[0][1]), ("b", report(*pair().decode().splitlines(), *lines, head=(), end=end)), ("c", pair())]
        )


def test_the_size_of_many_files_is_told_from_some(tmp_path):
    for place in range(1000):
        (tmp_path / f"{place}.trf").write_bytes(b"x" * (place % 7))
    found = files.handed([tmp_path]).files
    assert 2_900 < files.size(found) < 5_000
    assert files.size(found[:150]) == sum(
        place % 7 for place in sorted(range(1000), key=lambda place: f"{place}.trf")[:150]
    )


def test_more_player_rounds_than_the_size_of_the_files_let_expect(monkeypatch, tmp_path):
    for place, (_, data) in enumerate(SOUND * 4):
        (tmp_path / f"{place}.trf").write_bytes(data)
    whole = formats.read_reports([tmp_path])
    monkeypatch.setattr(files, "size", lambda _: 0)
    monkeypatch.setattr(formats, "_BATCH", 1000)
    grown = formats.read_reports([tmp_path])
    assert whole.entries.equals(grown.entries) and whole.cells.equals(grown.cells)


def test_reports_read_by_themselves_are_moved_on_as_they_are_put_together():
    odd = (
        "odd.trf",
        report(player(1, "A", "9 w 1", "0000 - U"), player(2, "B", "", "1 w =")),
    )  # nobody has the number 9
    parts = [
        Reports.gather([trf.read(name, data) for name, data in items])
        for items in ([odd, SOUND[0]], [], [SOUND[1], odd])
    ]
    gathered = Gathered(1)
    for part in parts:
        alone = Gathered(1)
        alone.add(part)
        gathered.append(alone)
    same_reports(gathered.reports(), Reports.concat(parts))


def test_an_id_flush_left():
    lines = [
        put(player(number, "A", f"{3 - number} w 1" if number == 1 else "1 b 0"), 58, "1649011    ")
        for number in (1, 2)
    ]
    assert both([("x", report(*lines))]) == []


@needs_corpus
def test_the_real_files_together_and_alone():
    items = [(path.name, path.read_bytes()) for path in corpus_files()]
    left = both(items)
    assert len(left) < len(items) / 2
    for item in items:
        both([item])


SOUND = [(f"{seed}.trf", report(*tournament(6, 3, seed)[0], head=tournament(6, 3, seed)[1])) for seed in range(3)]


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (1, " 001"), (4, "x"), (5, "   0"), (5, "12  "), (5, " 1 2"), (5, "   !"), (5, "   6"), (9, "x"), (10, "X"), (14, "x"), (15, " " * 33), (48, "x"), (49, "2x00"),
        (49, "20 0"), (54, "é"), (58, "          0x"), (58, "   0042    "), (58, " 12 34     "), (58, "  '1503014'"), (70, "1990/13/01"), (70, "01.02.1990"),
        (70, "1200      "), (70, "90        "), (70, "      1990"), (81, " 4,5"), (81, "4.5 "), (81, "    "), (81, "  4½"), (86, "1st "), (86, "1   "), (90, "x"), (92, "   x"), (92, "1   "),
        (92, "9999"), (92, "0000"), (96, "1"), (97, "x"), (97, " "), (98, "x"), (99, "x"), (99, " "), (99, "*"), (99, "½"), (112, "0000 -  "), (122, "0000 -  "), (122, "0000 - Z"),
        (20, "\t"), (20, "\0"), (20, "\x7f"), (20, "\x0b"), (20, "\r"), (15, "\xa0"), (47, "\u2003"), (15, "ÅÄÖ"), (15, "日本"), (15, "🏆"),
    ],
)  # fmt: skip
def test_something_odd_in_one_file_of_three(column, text):
    name, data = SOUND[1]
    lines = data.decode().split("\n")
    place = next(number for number, line in enumerate(lines) if line.startswith("001"))
    lines[place] = put(lines[place], column, text)
    both([SOUND[0], (name, "\n".join(lines).encode()), SOUND[2]])


@pytest.mark.parametrize(
    "record",
    [
        "240 H   2    1",
        "330 +-   1   1   2",
        "299 W",
        "QQQ x",
        " 001    1 " + " " * 40,
        "001",
        "001\t",
        "012 Again",
        "132 26/09/05",
        "\x1a",
    ],
)
def test_records_that_need_care(record):
    both([SOUND[0], ("x", SOUND[1][1] + record.encode()), SOUND[2]])


def test_files_of_very_different_width_and_one_that_is_alone():
    lines, head = tournament(4, 60, 5)
    assert both([SOUND[0], ("wide", report(*lines, head=head)), SOUND[1]]) == []
    assert both([("wide", report(*lines, head=head))]) == []


def test_nothing_and_nothing_sound():
    for items in ([], [("x", b"")], [("x", b"\n\n"), ("y", b"PK\x03\x04001 ")]):
        _, left = trf_fast.read_many(items)
        assert left == list(range(len(items)))


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.tuples(st.integers(0, len(SOUND[0][1])), st.integers(0, 10), st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=2), st.sampled_from([b" ", b"1", b"w", b"0", b"="]))),
        min_size=1, max_size=4,
    )
)  # fmt: skip
def test_a_sound_file_with_something_changed(changes):
    data = SOUND[0][1]
    for place, removed, put_in in changes:
        data = data[:place] + put_in + data[place + removed :]
    both([("x", data), SOUND[1]])


@pytest.mark.parametrize("batch", [100, 2000, 10_000_000])
def test_through_the_door_files_keep_their_order(tmp_path, monkeypatch, batch):
    monkeypatch.setattr(formats, "_BATCH", batch)
    for place, data in enumerate(
        [
            SOUND[0][1],
            b"nobody's file",
            SOUND[1][1],
            SOUND[1][1].replace(b"001    1", b"001    x"),
            SOUND[2][1],
            b"\n".join(line.ljust(400) for line in SOUND[1][1].splitlines()),  # room for thirty rounds
            SOUND[0][1],
        ]
    ):
        (tmp_path / f"{place}.trf").write_bytes(data)
    reports = formats.read_reports([tmp_path])
    one_by_one = Reports.gather(
        [
            found
            for path in sorted(tmp_path.iterdir())
            for found in formats.read_report(f"{tmp_path.name}/{path.name}", path.read_bytes())
        ]
    )
    assert reports.events == one_by_one.events
    assert reports.entries.equals(one_by_one.entries) and reports.cells.equals(one_by_one.cells)
    assert reports.problems == in_place(one_by_one.problems)


def test_the_columns_may_be_counted_in_batches(monkeypatch, tmp_path):
    for place, (_, data) in enumerate(SOUND * 2):
        (tmp_path / f"{place}.trf").write_bytes(data)
    whole = formats.read_reports([tmp_path])
    monkeypatch.setattr(formats, "_BATCH", 1000)
    pieces = formats.read_reports([tmp_path])
    assert (whole.events, whole.problems) == (pieces.events, pieces.problems)
    assert whole.entries.equals(pieces.entries) and whole.cells.equals(pieces.cells)


def test_every_colour_with_every_result_has_the_code_of_the_careful_reader():
    for colour in range(128):
        for result in range(128):
            cell = read_cell(f"     1 {chr(colour)} {chr(result)}", False)
            code = int(trf_fast_columns._CODES[colour | result << 8])
            if cell.fault is not None:
                assert code == trf_fast_columns._ODD, (chr(colour), chr(result))
            else:
                assert (code >> 4, code & 15) == (
                    ("", "w", "b").index(cell.colour),
                    " 1=0+-WDLHFUZ*?".index(cell.result),
                )
