"""TRF16 as it is written: every field in the columns of the handbook, and read again the same."""

from datetime import date

import pytest
from trf_lines import HEAD, codes, player, report

from fide_batch.formats import trf
from fide_batch.model import Cell, Entry, Event, Report
from fide_batch.publish import report_trf16

EVENT = Event(
    "open.trf", "TRF16", "Spring Open", "Lund", "SWE", date(2026, 9, 5), date(2026, 9, 6), 3, "rapid", "--control", "Swiss",
    round_dates=(date(2026, 9, 5), None, date(2026, 9, 6)), point_values=(("D", 10_000), ("W", 30_000)),
)  # fmt: skip
FULL = Entry(12, "Reed, Ann", 1700123, "", "w", "WGM", 2301, "SWE", "1990-11-30", 105_000, 7, 1)


def test_every_field_in_its_columns():
    text = report_trf16.text(Report(EVENT, [FULL], [Cell(12, 1, 3, "w", "1", 1), Cell(12, 3, 0, "", "H", 1)]))
    line = next(line for line in text.split("\r\n") if line.startswith("001"))
    columns = {(5, 8): "  12", (10, 10): "w", (11, 13): "WGM", (15, 23): "Reed, Ann", (49, 52): "2301", (54, 56): "SWE", (58, 68): "    1700123",
               (70, 79): "1990/11/30", (81, 84): "10.5", (86, 89): "   7", (92, 99): "   3 w 1", (102, 109): " " * 8, (112, 119): "0000 - H"}  # fmt: skip
    for (first, last), value in columns.items():
        assert line[first - 1 : last] == value


def test_the_head_is_read_again():
    again = trf.read("x", report_trf16.text(Report(EVENT, [FULL])).encode()).event
    for field in ("name", "city", "federation", "start", "end", "rounds", "round_dates", "point_values", "control"):
        assert getattr(again, field) == getattr(EVENT, field), field


def test_an_entry_is_read_again():
    odd = [
        FULL,
        Entry(1, "Moor, Ben", -1, "CM1", "", "", 0, "", "2008", -1, 0, 2),
        Entry(9999, "Åström, Åsa", 42, "", "m", "IM", 900, "NED", "", 1_200_000, 9999, 3),
    ]
    again = trf.read("x", report_trf16.text(Report(EVENT, [odd[0], odd[2]])).encode())
    assert [entry._replace(line=0) for entry in again.entries] == [entry._replace(line=0) for entry in (odd[0], odd[2])]


def test_line_breaks_in_texts_make_no_new_lines():
    event = Event("x", "", "A\n012 B", "C\r\nD", start=date(2026, 9, 5), end=date(2026, 9, 5))
    again = trf.read("x", report_trf16.text(Report(event, [Entry(1, "Reed\n001    2, Ann", points=0)])).encode())
    assert (again.event.name, again.event.city, len(again.entries)) == ("A 012 B", "C D", 1)


def test_a_name_is_cut_at_33_letters():
    text = report_trf16.text(Report(EVENT, [Entry(1, "Featherstonehaugh-Montgomery, Alexandrina", points=0)]))
    assert "Featherstonehaugh-Montgomery, Ale" + " " * 2 in text


@pytest.mark.parametrize("number", [0, 10_000, -1])
def test_a_start_number_without_room_is_refused(number):
    with pytest.raises(ValueError, match="start number"):
        report_trf16.text(Report(EVENT, [Entry(number, "A")]))


def test_rounds_of_nobody_are_refused():
    with pytest.raises(ValueError, match="nobody"):
        report_trf16.text(Report(EVENT, [FULL], [Cell(1, 1, 2, "w", "1")]))


def test_a_report_with_two_lines_of_one_number_keeps_both():
    first = trf.read("x", report(player(1, "A", "2 w 1"), player(1, "B", "2 w ="), player(2, "C", "1 b 0"), head=HEAD))
    second = trf.read("x", report_trf16.text(first).encode())
    assert [(cell.number, cell.result) for cell in second.cells] == [(1, "1"), (1, "="), (2, "0")] and codes(
        second, "error"
    ) == []
