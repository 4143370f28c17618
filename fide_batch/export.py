"""Sealed months to files: which table, which players, which format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fide_batch import regulations
from fide_batch.archive import Archive
from fide_batch.model import KEPT, LIST, TABLES, Page, Period, Problem, Refused, empty
from fide_batch.settings import read_settings

ENDINGS = {
    ".csv": "comma-separated values", ".xlsx": "Excel workbook", ".txt": "FIDE's list in columns", ".xml": "FIDE's list in XML",
    ".html": "pages to look at", ".json": "JSON", ".parquet": "Apache Parquet",
}  # fmt: skip


class UnknownFormat(Exception):
    """The ending of the file is none of ENDINGS, or cannot hold the table asked for."""


@dataclass(frozen=True)
class Selection:
    """Which players."""

    fed: str = ""
    control: str = ""
    top: int | None = None
    women: bool = False
    juniors: int | None = None

    @property
    def everybody(self) -> bool:
        """Whether no player is left out."""
        return not self.fed and self.top is None and not self.women and self.juniors is None

    def __str__(self) -> str:
        """As it is written on the command line."""
        options = {
            "fed": self.fed,
            "control": self.control,
            "top": self.top,
            "women": self.women,
            "juniors": self.juniors,
        }
        return " ".join(f"--{name}" + f" {value}" * (name != "women") for name, value in options.items() if value)

    def players(self, ratings: pa.Table) -> pa.Table:
        """The players of a list who are meant; with ``top`` the highest rated, in order."""
        from fide_batch.publish.selection import select

        return select(
            ratings, fed=self.fed or None, control=self.control or None, top=self.top, women=self.women, juniors=self.juniors
        )  # fmt: skip


def export(workspace: Path, period: Period, file: Path, name: str, selection: Selection) -> tuple[str, list[Problem]]:
    """Write a table of a sealed month, or with ``.xlsx`` and ``.html`` and no table the whole month; says what was written.

    Raises:
        Refused: when the month is not sealed or the file cannot be written.
        UnknownFormat: for an ending we do not write.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise UnknownFormat(f"{file.name}: the ending names the format; expected one of {known}")
    if ending == ".html" and str(selection):
        raise UnknownFormat(
            ".html shows the whole month; use --fed, --control, --top, --women and --juniors with another format"
        )
    if name not in ("", "list") and ending in (".txt", ".xml", ".html"):
        raise UnknownFormat(f"{ending} holds the rating list only; for {name} use .csv, .xlsx, .json or .parquet")
    archive = Archive(read_settings(workspace).archive_folder)
    archive.manifest(period)
    try:
        return _write(archive, period, file, ending, name, selection)
    except OSError as error:
        raise Refused(
            Problem(
                "unwritable", "error", str(file), None, None, f"the file cannot be written: {error.strerror or error}",
                "check the folder, its permissions and the disk",
            )
        ) from None  # fmt: skip


def _write(
    archive: Archive, period: Period, file: Path, ending: str, name: str, selection: Selection
) -> tuple[str, list[Problem]]:
    if ending == ".html":
        return _html(archive, period, file, selection), []
    if ending == ".xlsx" and not name:
        return _workbook(archive, period, file, selection)
    in_words = name in ("", "list") and ending in (".csv", ".txt", ".parquet") and not str(selection)
    columns = _list_in_words(archive, period) if in_words else None
    if columns is None:
        columns = _selected(archive, period, name or "list", selection)
    said = f"{file}: {columns.num_rows} rows"
    problems = _nobody(file, period, selection, columns.num_rows)
    if ending == ".txt":
        from fide_batch.publish import list_fide_txt

        problems += list_fide_txt.write(file, columns, control=selection.control)
    elif ending == ".xml":
        from fide_batch.publish import list_fide_xml

        problems += list_fide_xml.write(file, columns, control=selection.control)
    elif ending == ".xlsx":
        from fide_batch.publish import workbook

        workbook.write_table(file, name, columns)
    else:
        from fide_batch.publish import tables

        tables.write(file, name or "list", columns)
    return said, problems


def _nobody(file: Path, period: Period, selection: Selection, rows: int) -> list[Problem]:
    """A warning when something was selected and nothing fits."""
    if rows or not str(selection):
        return []
    said = f"nothing of {period} fits {selection}: the file has no rows"
    return [Problem("export-empty", "warning", str(file), None, None, said)]


def _selected(archive: Archive, period: Period, name: str, selection: Selection) -> pa.Table:
    """The rows of a table that are about the players and the control meant."""
    columns = archive.table(period, name)
    columns = columns.cast(TABLES[name]) if set(columns.column_names) == set(TABLES[name].names) else columns
    if name == "list":
        return selection.players(columns)
    if selection.control and "control" in columns.column_names:
        columns = columns.filter(pc.equal(columns.column("control"), selection.control))
    if not selection.everybody and "fideid" in columns.column_names:
        players = selection.players(archive.table(period, "list").cast(LIST)).column("fideid")
        columns = columns.filter(pc.is_in(columns.column("fideid"), players.combine_chunks()))
    return columns


def _list_in_words(archive: Archive, period: Period) -> pa.Table | None:
    """The list, its texts but the names in dictionaries as they lie in the file: each is looked at once.

    None for a list that is not sealed so, or cannot be read; reading it as any other table then says why.

    Raises:
        Refused: when it was altered after sealing.
    """
    kinds = [
        pa.field(column.name, pa.dictionary(pa.int32(), pa.string()) if column.type == pa.string() and column.name != "name" else column.type)
        for column in LIST
    ]  # fmt: skip
    file = "list.parquet"
    archive.unaltered(period, file)
    words = [column.name for column in kinds if pa.types.is_dictionary(column.type)]
    try:
        found = pq.read_table(archive.place(period) / file, partitioning=None, read_dictionary=words)
        return found.cast(pa.schema(kinds)) if found.column_names == LIST.names else None
    except (OSError, pa.ArrowException, LookupError, TypeError, ValueError):
        return None


def month_tables(archive: Archive, period: Period) -> dict[str, pa.Table]:
    """All tables of a sealed month, those it does not have (a list sealed by init) empty, and the inactive players."""
    sealed = set(archive.manifest(period)["files"])
    found = {
        name: archive.table(period, name).cast(schema) if f"{name}.parquet" in sealed else schema.empty_table()
        for name, schema in TABLES.items()
    }
    return {**found, "inactive": inactive_table(archive, period)}


def about(archive: Archive, period: Period) -> dict[str, Any]:
    """What a publication says of itself: period, edition, version, counts."""
    manifest = archive.manifest(period)
    edition = manifest.get("edition", {}).get("name", "")
    return {
        "period": str(period), "edition": edition, "edition_title": regulations.edition(edition).title if edition in regulations.names() else edition, "version": manifest.get("version", ""),
        "rows": manifest.get("rows", {}), "events": manifest.get("events", []), "decisions": manifest.get("decisions", []),
    }  # fmt: skip


def _workbook(archive: Archive, period: Period, file: Path, selection: Selection) -> tuple[str, list[Problem]]:
    from fide_batch.publish import workbook

    tables = month_tables(archive, period)
    workbook.write(
        file, tables, about(archive, period), fed=selection.fed or None, control=selection.control or None, top=selection.top, women=selection.women,
        juniors=selection.juniors,
    )  # fmt: skip
    players = (selection.players(tables["list"]) if str(selection) else tables["list"]).num_rows
    return f"{file}: workbook of {period}, {players} players", _nobody(file, period, selection, players)


def _html(archive: Archive, period: Period, file: Path, selection: Selection) -> str:
    from fide_batch.desk import first_steps, sealed
    from fide_batch.publish import html

    tables, earlier = month_tables(archive, period), sealed.before(archive, period)
    kept = archive.table(earlier, "kept") if earlier else empty(KEPT)
    steps = first_steps.of_month(tables, kept, edition_of(archive, period))
    return html.write(file, archive, period, tables, about(archive, period), steps)


def inactive_table(
    archive: Archive, period: Period, months: int | None = None, games: int | None = None, control: str = "standard"
) -> pa.Table:
    """Who is inactive, as a table."""
    from fide_batch.desk import inactive as question

    return question.inactive_table(archive, period, months, games, edition_of(archive, period), control)


def edition_of(archive: Archive, period: Period) -> Any:
    """The edition a month was sealed under; that of ``classic`` for a list sealed by init."""
    manifest = archive.manifest(period)
    if "edition.toml" in manifest["files"]:
        return regulations.from_file(archive.place(period) / "edition.toml", name=manifest["edition"]["name"])
    return regulations.edition(manifest.get("edition", {}).get("name", "classic"))


def inactive(
    workspace: Path, period: Period, file: Path | None, months: int | None, games: int | None, control: str
) -> tuple[Page, str]:
    """The inactive players of a sealed month as a page, and written to a file where one is named.

    Raises:
        Refused: when the month is not sealed or the file cannot be written.
        UnknownFormat: for an ending we do not write.
    """
    from fide_batch.desk import inactive as question

    archive = Archive(read_settings(workspace).archive_folder)
    page, rows = question.inactive(archive, period, months, games, edition=edition_of(archive, period), control=control)
    if file is None:
        return page, ""
    writers: dict[str, Callable[[Path, Page, pa.Table], None]] = {
        ".csv": _inactive_table_file, ".json": _inactive_table_file, ".parquet": _inactive_table_file, ".xlsx": _inactive_workbook,
        ".html": _inactive_html,
    }  # fmt: skip
    writer = writers.get(file.suffix.lower())
    if writer is None:
        raise UnknownFormat(f"{file.name}: the ending names the format; expected one of {', '.join(writers)}")
    try:
        writer(file, page, rows)
    except OSError as error:
        raise Refused(
            Problem(
                "unwritable",
                "error",
                str(file),
                None,
                None,
                f"the file cannot be written: {error.strerror or error}",
                "check the folder and the disk",
            )
        ) from None
    return page, f"{file}: {rows.num_rows} inactive players"


def _inactive_table_file(file: Path, page: Page, rows: pa.Table) -> None:
    from fide_batch.publish import tables

    tables.write(file, "inactive", rows)


def _inactive_workbook(file: Path, page: Page, rows: pa.Table) -> None:
    from fide_batch.publish import workbook

    workbook.write_table(file, "inactive", rows)


def _inactive_html(file: Path, page: Page, rows: pa.Table) -> None:
    from fide_batch.publish import html

    html.write_page(file, page)
