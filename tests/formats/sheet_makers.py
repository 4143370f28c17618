"""Tables for tests: CSV text, XLSX by openpyxl, ODS by hand, and hostile workbooks; and the one reader that claims a file."""

import io
import zipfile
from datetime import date, datetime
from xml.sax.saxutils import escape

from fide_batch.formats import chess_results, sheet_csv, sheet_xlsx

READERS = (sheet_csv, sheet_xlsx, chess_results)


def claimants(name, data):
    """The names of the readers that claim a file."""
    return [reader.NAME for reader in READERS if not reader.looks(name, data)]


def read(name, data):
    """The report of the one reader that claims the file."""
    data = data.encode() if isinstance(data, str) else data
    mine = [reader for reader in READERS if not reader.looks(name, data)]
    assert len(mine) == 1, [(reader.NAME, reader.looks(name, data)) for reader in READERS]
    return mine[0].read(name, data)


def table(rows, separator=","):
    """Rows as CSV; a cell with the separator in quotes."""
    lines = []
    for row in rows:
        cells = ["" if cell is None else str(cell) for cell in row]
        lines.append(separator.join(f'"{cell}"' if separator in cell else cell for cell in cells))
    return "\n".join(lines) + "\n"


def xlsx(*sheets):
    """A workbook; a sheet is a list of rows, or a pair of its name and such a list."""
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for place, sheet in enumerate(sheets, 1):
        name, rows = sheet if isinstance(sheet, tuple) else (f"Sheet{place}", sheet)
        page = book.create_sheet(name)
        for row in rows:
            page.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


_NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)


def ods_cell(cell):
    if cell is None or cell == "":
        return "<table:table-cell/>"
    if isinstance(cell, datetime | date):
        return f'<table:table-cell office:value-type="date" office:date-value="{cell.isoformat()}"><text:p>{cell:%d.%m.%y}</text:p></table:table-cell>'
    if isinstance(cell, int | float):
        return f'<table:table-cell office:value-type="float" office:value="{cell}"><text:p>{cell}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="string"><text:p>{escape(cell)}</text:p></table:table-cell>'


def ods_rows(rows):
    return "".join(f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows)


def ods_of(body):
    """An ODS whose tables are given as XML."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        book.writestr("META-INF/manifest.xml", "<manifest/>")
        book.writestr(
            "content.xml",
            f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {_NAMES}><office:body><office:spreadsheet>{body}'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return stream.getvalue()


def ods(*sheets):
    """An ODS as LibreOffice ends it: a row of so many empty cells, so many times."""
    tail = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    return ods_of(
        "".join(
            f'<table:table table:name="Sheet{place}">{ods_rows(rows)}{tail}</table:table>'
            for place, rows in enumerate(sheets, 1)
        )
    )


_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def raw_xlsx(sheet_xml, *others):
    """A workbook of one sheet given as XML, with further parts as pairs of name and content."""
    parts = [
        (
            "[Content_Types].xml",
            f'<Types xmlns="{_TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml"'
            ' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        ),
        ("_rels/.rels", f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'),
        ("xl/workbook.xml", f'<workbook xmlns="{MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>'),
        (
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        ),
        ("xl/worksheets/sheet1.xml", sheet_xml),
        *others,
    ]  # fmt: skip
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in parts:
            book.writestr(name, content)
    return stream.getvalue()


def sheet_xml(rows):
    """The XML of a sheet from the XML of its rows."""
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def codes(report, severity=""):
    """The codes of a report's problems, in order."""
    return [problem.code for problem in report.problems if not severity or problem.severity == severity]


def told(report, code):
    """The one problem of a code."""
    found = [problem for problem in report.problems if problem.code == code]
    assert len(found) == 1, report.problems
    return found[0]


def games(report):
    """The rounds as ``number.round: opponent colour result``, for comparison."""
    return {(cell.number, cell.round): (cell.opponent, cell.colour, cell.result) for cell in report.cells}


HEAD = [["Event", "Autumn Open"], ["Start", "2026-10-03"], ["End", "2026-10-04"], ["Control", "standard"], []]
