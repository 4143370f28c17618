"""XLS, the binary workbook of Excel until 2003, read by a process of its own.

Its counts and sizes cannot be checked without reading it, and a count of four thousand million makes the library ask for so much memory that
its process dies. That must not be ours: the child has little memory and little time, and what it says is rows or nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date, datetime
from typing import Any

from fide_batch.formats.sheet_guard import AGAIN, PASSWORD, SAVE, WITHOUT_PASSWORD, Fault, damaged

MOST_MEMORY = 2 << 30
MOST_SECONDS = 60

_CHILD = """
import io, json, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
except (ImportError, OSError, ValueError):
    pass
import python_calamine as calamine

def plain(value):
    return {"day": value.isoformat()} if hasattr(value, "year") else str(value)

def sheets(book):
    for place, meta in enumerate(book.sheets_metadata):
        if meta.typ != calamine.SheetTypeEnum.WorkSheet:
            continue
        if meta.visible != calamine.SheetVisibleEnum.Visible:
            yield [meta.name, False, []]
            continue
        sheet = book.get_sheet_by_index(place)
        if sheet.total_height * sheet.total_width > CELLS:
            raise OverflowError(f"sheet {meta.name!r} spans {sheet.total_height} rows and {sheet.total_width} columns")
        rows = enumerate(sheet.to_python(skip_empty_area=False), 1)
        yield [meta.name, True, [[line, cells] for line, cells in rows if cells.count("") != len(cells)]]

try:
    answer = {"sheets": list(sheets(calamine.CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))))}
except calamine.PasswordError:
    answer = {"password": True}
except OverflowError as error:
    answer = {"spans": str(error)}
except BaseException as error:
    answer = {"damaged": str(error) or type(error).__name__}
sys.stdout.write(json.dumps(answer, default=plain))
"""


def read(data: bytes, most_cells: int) -> list[tuple[str, bool, list[tuple[int, list[Any]]]]]:
    """The sheets of a workbook: name, whether it is visible, and the rows that are not empty with their numbers.

    Raises:
        Fault: when it cannot be read.
    """
    script = _CHILD.replace("MEMORY", str(MOST_MEMORY)).replace("CELLS", str(most_cells))
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-c", script], input=data, capture_output=True, timeout=MOST_SECONDS, check=False
        )
        answer: dict[str, Any] = {"damaged": "it cannot be laid out"}
        if child.returncode == 0:
            answer = json.loads(child.stdout, object_hook=_day)
    except subprocess.TimeoutExpired:
        raise Fault(f"the workbook is not read within {MOST_SECONDS} seconds", SAVE) from None
    except (OSError, ValueError) as error:
        raise Fault(f"XLS workbooks cannot be read here: {error}", SAVE) from None
    if "password" in answer:
        raise Fault(PASSWORD, WITHOUT_PASSWORD)
    if "spans" in answer:
        raise Fault(answer["spans"], AGAIN)
    if "damaged" in answer:
        raise damaged(answer["damaged"])
    return [(name, visible, rows) for name, visible, rows in answer["sheets"]]


def _day(value: dict[str, Any]) -> Any:
    """A date as the child writes it."""
    if set(value) != {"day"}:
        return value
    found = datetime.fromisoformat(value["day"])
    return found if "T" in value["day"] else date(found.year, found.month, found.day)
