"""A sealed month as a workbook that opens right in Excel and LibreOffice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import CONTROLS
from fide_batch.publish.files import replacing
from fide_batch.publish.selection import select
from fide_batch.publish.sheet_rows import MOST_ROWS, Column, Filling, save, written
from fide_batch.publish.workbook_columns import kind_of, month_sheets

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_HEAD_COLOUR = "1F3864"
_GAIN, _LOSS = ("E2F0D9", "375623"), ("FBE5E1", "9C1C10")
_FORMATS = {
    "id": "@", "text": "@", "number": "0", "change": "+0;-0;0", "points": "0.00##", "change points": "+0.00##;-0.00##;0.00", "day": "yyyy-mm-dd",
    "yes": "@",
}  # fmt: skip
_WIDEST = {"text": 60, "id": 14}


def write(
    path: Path, month: Mapping[str, pa.Table], about: Mapping[str, Any], *, fed: str | None = None, control: str | None = None,
    top: int | None = None, women: bool = False, juniors: int | None = None,
) -> None:  # fmt: skip
    """Write a month: Rating list, Changes, New players, Waiting, Delisted, Inactive, Events, Games, Problems, About.

    With a selection every sheet of players holds the selected ones alone.

    Args:
        path: the workbook, replaced when it is complete.
        month: tables by name: ``list``, and as far as there are ``changes``, ``events``, ``games``, ``pending``, ``problems``, ``inactive``.
        about: what the last sheet says, name and value; ``period`` (``2026-11``) also dates the file.
        fed: only players of this federation.
        control: only this rating: its columns, and the players who have it.
        top: only the so many highest rated.
        women: only women.
        juniors: only players born in this year or later.
    """
    chosen = select(month["list"], fed=fed, control=control, top=top, women=women, juniors=juniors)
    selected = None if chosen.num_rows == month["list"].num_rows and not control and not top else chosen["fideid"]
    controls = (control,) if control else CONTROLS
    sheets = month_sheets(month, chosen, selected, controls, bool(top))
    _write(path, sheets, about)


def write_table(path: Path, name: str, source: pa.Table, period: str = "") -> None:
    """Write one table with the columns and names other programs rely on.

    Args:
        path: the workbook, replaced when it is complete.
        name: of the sheet.
        source: one of the tables of ``model.TABLES``.
        period: dates the file.
    """
    columns = [Column(field.name, source[field.name], kind_of(field)) for field in source.schema]
    _write(path, [(name, columns)], {"period": period})


# --- drawing -------------------------------------------------------------------------------------


def _write(path: Path, sheets: Sequence[tuple[str, list[Column]]], about: Mapping[str, Any]) -> None:
    workbook, fillings = draw(sheets, about)
    stamp = str(about.get("period") or "")
    with replacing(path) as file:
        save(workbook, fillings, f"{stamp}-01" if len(stamp) == 7 else "2000-01-01", file)


def draw(
    sheets: Sequence[tuple[str, list[Column]]], about: Mapping[str, Any], most_rows: int = MOST_ROWS
) -> tuple[Workbook, dict[str, Filling]]:
    """Everything of a workbook but its rows, and the rows to be streamed in. A sheet with more than ``most_rows`` goes on in a second one."""
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    workbook = Workbook()
    workbook.remove(workbook.active)
    workbook.properties.creator = f"fide-batch {about.get('version', '')}".strip()
    workbook.properties.title = f"Rating list {about.get('period', '')}".strip()
    fillings: dict[str, Filling] = {}
    for title, columns in sheets:
        total = len(columns[0].values) if columns else 0
        widths = [_width(column) for column in columns]
        letters = [get_column_letter(place) for place in range(1, len(columns) + 1)]
        for part, start in enumerate(range(0, max(total, 1), most_rows), 1):
            stop = min(total, start + most_rows)
            sheet = workbook.create_sheet(title if part == 1 else f"{title} {part}")
            styles = _lay_out(sheet, columns, widths, stop - start)
            fillings[sheet.title] = Filling(columns, letters, styles, start, stop)
    if len(sheets) > 1:
        _about(workbook.create_sheet("About"), about, sheets)
    return workbook, fillings


def _lay_out(sheet: Worksheet, columns: Sequence[Column], widths: Sequence[int], rows: int) -> list[int]:
    """Head, widths, filter, page; returns the number of the style of each column's cells."""
    from openpyxl.formatting.rule import CellIsRule
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    styles = []
    for place, (column, width) in enumerate(zip(columns, widths, strict=True), 1):
        letter = get_column_letter(place)
        head = sheet.cell(1, place, column.head)
        head.font = Font(name="Calibri", size=11, bold=True, color="FFFFFF")
        head.fill = PatternFill("solid", fgColor=_HEAD_COLOUR)
        number = column.kind not in ("text", "yes", "id")
        indent = int(not number and place > 1)
        head.alignment = Alignment(horizontal="right" if number else "left", vertical="center", indent=indent)
        sheet.column_dimensions[letter].width = width
        sample = sheet.cell(2, place)
        sample.number_format = _FORMATS[column.kind]
        long = column.kind == "text" and width >= _WIDEST["text"]
        sample.alignment = Alignment(
            horizontal="right" if number else "left", vertical="top", indent=indent, wrap_text=long
        )
        styles.append(sample.style_id)
        if column.kind == "change" and rows:
            cells = f"{letter}2:{letter}{rows + 1}"
            for operator, (fill, font) in (("greaterThan", _GAIN), ("lessThan", _LOSS)):
                rule = CellIsRule(operator, ["0"], fill=PatternFill("solid", bgColor=fill), font=Font(color=font))
                sheet.conditional_formatting.add(cells, rule)
    sheet.row_dimensions[1].height = 20
    last = get_column_letter(len(columns))
    sheet.freeze_panes = "C2" if columns[0].kind == "id" and len(columns) > 4 else "A2"
    sheet.auto_filter.ref = f"A1:{last}{rows + 1}"
    _page(sheet)
    return styles


def _page(sheet: Worksheet) -> None:
    """On paper: lying A4, as wide as the page, the head on every page, its number at the foot."""
    sheet.print_title_rows = "1:1"
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_margins.left = sheet.page_margins.right = 0.4
    sheet.page_margins.top, sheet.page_margins.bottom, sheet.page_margins.footer = 0.6, 0.8, 0.4
    sheet.oddFooter.left.text, sheet.oddFooter.right.text = "&A", "&P / &N"


def _width(column: Column) -> int:
    """Characters a column needs: its head with the filter's arrow, or its widest cell up to a bound."""
    if column.width:
        return column.width
    widest = 0
    for start in range(0, len(column.values), 1 << 16):
        texts = written(column, start, min(len(column.values), start + (1 << 16)))
        widest = max(widest, pc.max(pc.utf8_length(texts)).as_py() or 0)
        if widest >= 60:
            break
    if column.kind == "day":
        widest = 10
    elif column.kind in ("change", "points", "change points"):
        widest += 2
    return max(len(column.head) + 4, min(widest, _WIDEST.get(column.kind, 20)) + 3)


def _about(sheet: Worksheet, about: Mapping[str, Any], sheets: Sequence[tuple[str, list[Column]]]) -> None:
    """What the workbook is, by which rules, and how many rows each sheet holds."""
    from openpyxl.styles import Alignment, Font

    facts: list[tuple[str, Any]] = []
    for name, value in about.items():
        head = str(name).replace("_", " ").capitalize()
        if name == "rows":
            continue  # Counted below, as the sheets hold them.
        if name == "events":
            facts += [
                ("Events rated", len(value)),
                *((f"Report {place}", event.get("file", "")) for place, event in enumerate(value, 1)),
            ]
        elif name == "decisions":
            facts += [("Decision", ", ".join(f"{key} {said}" for key, said in row.items() if said)) for row in value]
        elif not isinstance(value, dict | list | tuple):
            facts.append((head, value))
    rows: list[tuple[str, Any]] = [*facts, *((f"Rows of {title}", len(columns[0].values)) for title, columns in sheets)]
    for place, (name, value) in enumerate(rows, 1):
        sheet.cell(place, 1, name).font = Font(name="Calibri", size=11, bold=True)
        cell = sheet.cell(place, 2)
        if isinstance(value, bool) or not isinstance(value, int):
            cell.value, cell.data_type, cell.number_format = _clean(str(value)), "s", "@"
        else:
            cell.value = value
        cell.alignment = Alignment(horizontal="left", vertical="top", wrap_text=True)
    sheet.column_dimensions["A"].width = max(len(name) for name, _ in rows) + 4
    sheet.column_dimensions["B"].width = 70
    _page(sheet)
    sheet.print_title_rows = None


def _clean(text: str) -> str:
    return "".join("\ufffd" if ord(char) < 32 and char not in "\t\n" else char for char in text)
