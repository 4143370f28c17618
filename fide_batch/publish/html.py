"""A sealed month as pages to look at: one file and a folder beside it, from disk, without a network.

``list.html`` is the month; ``list_files/`` holds the rating list, a page for every event and for every player who played, the style and the script.
Everything a stranger wrote (names, events, files) is escaped by the templates or put into the pages as text by the script.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fide_batch import words
from fide_batch.model import Page, Period, Problem, Refused, points_text
from fide_batch.publish.files import replacing
from fide_batch.publish.html_event import cross_table
from fide_batch.publish.html_list import rating_list
from fide_batch.publish.html_month import month
from fide_batch.publish.html_player import player
from fide_batch.publish.html_rows import kind_of, visible
from fide_batch.publish.html_site import Lists, Site, Steps

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_TEMPLATES = Path(__file__).parent / "templates"
_MARK = "made-by-fide-batch"
"""A file in our folders; a folder without it is somebody's own and is not touched."""

_NOTHING: dict[str, Any] = {"edition": "", "edition_title": "", "version": ""}


def write(
    file: Path, archive: Lists, period: Period, tables: Mapping[str, pa.Table], about: Mapping[str, Any], steps: Steps | None = None
) -> str:  # fmt: skip
    """Write the pages of a month.

    Args:
        file: the month's page (``list.html``); the others go into the folder ``list_files`` beside it, which is replaced if it is ours.
        archive: the sealed lists, for the rating over the months.
        period: the month.
        tables: ``list``, ``changes``, ``events``, ``games``, ``pending``, ``problems`` and, if there is one, ``inactive``.
        about: ``edition``, ``edition_title``, ``version``, and as far as known ``events`` and ``decisions`` as the manifest has them.
        steps: how each first rating came about, by player and control.

    Returns:
        what was written, in words.

    Raises:
        Refused: when the folder belongs to somebody else.
    """
    folder = file.with_name(f"{file.stem}_files")
    site = Site(archive, period, tables, about, steps)
    common = {"site": site, "about": _NOTHING | dict(about), "list_name": f"Rating {words.list_text(period)}"}
    # A dead run's folder is nobody's; a living one has another number.
    partial = folder.with_name(f".{folder.name}.{os.getpid()}.partial")
    _may_be_replaced(folder)
    try:
        shutil.rmtree(partial, ignore_errors=True)
        _folder_pages(partial, file.name, site, common)
        _replace(folder, partial)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    root = f"{folder.name}/"
    _put(file, _render("month.html", **common, root=root, home=file.name, here="month", **month(site)))
    return f"{file}: {words.count_text(site.pages, 'page')} in {folder.name}, {words.count_text(len(site.players), 'player')} who played"


def write_page(file: Path, page: Page) -> None:
    """Write one answer as a page that needs no other file: style and script stand in it.

    Args:
        file: replaced when the page is complete.
        page: the answer.
    """
    text = _render(
        "page.html",
        page=page,
        blocks=[(kind_of(block), block) for block in page.blocks],
        about=_NOTHING,
        list_name="fide-batch",
        root="",
        home="",
        here="",
    )
    _put(file, _in_one(text))


def _in_one(text: str) -> str:
    """A page with its style and script inside; the policy allows just these two, by their hash."""
    import base64
    import hashlib

    style, script = (_TEMPLATES / "style.css").read_text("utf-8"), (_TEMPLATES / "site.js").read_text("utf-8")

    def allowed(content: str) -> str:
        return "'sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() + "'"

    text = text.replace("style-src 'self' file:", f"style-src {allowed(style)}")
    text = text.replace("script-src 'self' file:", f"script-src {allowed(script)}")
    text = text.replace('<link rel="stylesheet" href="style.css">', f"<style>{style}</style>")
    text = text.replace('<script src="site.js" defer></script>', "")
    return text.replace("</body>", f"<script>{script}</script>\n</body>")


def _folder_pages(folder: Path, home: str, site: Site, common: dict[str, Any]) -> None:
    for name in ("players", "events"):
        (folder / name).mkdir(parents=True)

    def put(name: str, text: str) -> None:
        (folder / name).write_text(text, "utf-8", newline="\n")

    put(_MARK, "This folder is replaced when the pages are written again.\n")
    for name in ("style.css", "site.js"):
        shutil.copyfile(_TEMPLATES / name, folder / name)
    data, first_rows = rating_list(site)
    outer = {**common, "root": "", "home": f"../{home}"}
    put("list-data.js", f"window.ratingList = {_script_data(data)};\n")
    put("list.html", _render("list.html", **outer, here="list", **first_rows))
    put("events.html", _render("events.html", **outer, here="events", events=site.events))
    inner = {**common, "root": "../", "home": f"../../{home}", "here": ""}
    for event in site.events:
        put(event["page"], _render("event.html", **inner, event=cross_table(site, event)))
    for code in site.players:
        put(site.page_of(code), _render("player.html", **inner, player=player(site, code)))


def _script_data(data: Any) -> str:
    """Data as a script may hold it: no end of a script, no line ends that scripts know and JSON does not."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=_shown, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {
        "points": points_text, "signed_points": words.signed_points, "signed": words.signed, "day": words.iso,
    }  # fmt: skip
    return environment


def _shown(value: Any) -> Any:
    """What a template prints: nothing for None, and no sign that cannot be seen or turns the line round."""
    if value is None:
        return ""
    return visible(value) if type(value) is str else value


@functools.cache
def _template(name: str) -> Template:
    return _environment().get_template(name)


def _render(name: str, **said: Any) -> str:
    """A page from its template, without the empty lines the templates leave."""
    return re.sub(r"\n\s*\n+", "\n", _template(name).render(**said))


def _put(path: Path, text: str) -> None:
    """Write a file whole: the old one stands until the new one is complete."""
    with replacing(path) as file:
        file.write(text.encode())


def _may_be_replaced(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not (folder / _MARK).is_file()):
        raise Refused(
            Problem(
                "unwritable", "error", str(folder), None, None, "the folder for the pages is there already and is not one of ours",
                "give the file another name, or move the folder away",
            )
        )  # fmt: skip


def _replace(folder: Path, partial: Path) -> None:
    old = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    if folder.exists():
        folder.rename(old)
    partial.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
