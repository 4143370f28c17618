"""The manifest of a sealed month: how it is written, what seals it, and what every reader of it relies on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from typing import Any

FORMAT = 1
"""The version of the layout; a month of a later one is refused."""

MONTH = re.compile(r"(?!0000)[0-9]{4}-(0[1-9]|1[0-2])")
"""The name of a sealed month's folder."""

HALF_SIGN = re.compile(rb"\\u[dD][89a-fA-F]")
"""A surrogate written out, which can be read and never be written as text again; we write none."""


def manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The one way a manifest is written; anything else in the file is an alteration."""
    try:
        return (_indented(manifest) + "\n").encode()
    except RecursionError:
        return plain_manifest_bytes(manifest)


def plain_manifest_bytes(manifest: Mapping[str, Any]) -> bytes:
    """The same, plainly: ten times slower, since ``json`` indents in Python."""
    return (json.dumps(manifest, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _indented(value: Any, line: str = "\n") -> str:
    """JSON with keys in order, indented by one space a level; what holds nothing nested is written by ``json`` in one go."""
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    inner = line + " "
    if not any(
        isinstance(each, dict | list | tuple) for each in (value.values() if isinstance(value, dict) else value)
    ):
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=("," + inner, ": "))
        return text[0] + inner + text[1:-1] + line + text[-1]
    if isinstance(value, list):
        return "[" + inner + ("," + inner).join([_indented(each, inner) for each in value]) + line + "]"
    pairs = [f"{json.dumps(key, ensure_ascii=False)}: {_indented(value[key], inner)}" for key in sorted(value)]
    return "{" + inner + ("," + inner).join(pairs) + line + "}"


def seal(manifest: Mapping[str, Any]) -> str:
    """The SHA-256 of a manifest without this very line."""
    return hashlib.sha256(manifest_bytes({key: value for key, value in manifest.items() if key != "seal"})).hexdigest()


def sealed_bytes(manifest: Mapping[str, Any]) -> tuple[str, bytes]:
    """``seal`` of a manifest that has none yet, and ``manifest_bytes`` of it with the seal: written once, which for 8,000 reports is 7 MB."""
    text = manifest_bytes(manifest)
    digest = hashlib.sha256(text).hexdigest()
    after = min((key for key in manifest if key > "seal"), default="")
    # Only keys of the manifest itself stand one space in.
    place = text.index(f"\n {json.dumps(after)}: ".encode()) if after else -1
    if place < 0:
        return digest, manifest_bytes({**manifest, "seal": digest})
    return digest, text[:place] + f'\n "seal": "{digest}",'.encode() + text[place:]


_OF_EVENT = ("file", "name", "sha256", "fingerprint", "key")


def misshapen(manifest: Any) -> str:
    """'' for a manifest that holds what every reader of it relies on; else what is wrong with it."""
    if not isinstance(manifest, dict):
        return "it is not a table of keys"
    kinds: dict[str, tuple[type, ...]] = {
        "format": (int,), "period": (str,), "kind": (str,), "version": (str,), "files": (dict,), "rows": (dict,), "events": (list,),
        "left_out": (list,), "decisions": (list,), "said": (dict,), "base": (dict, type(None)), "previous": (dict, type(None)),
    }  # fmt: skip
    optional = {"version", "events", "left_out", "decisions", "said", "base"}
    for key, kind in kinds.items():
        if not isinstance(manifest[key], kind) if key in manifest else key not in optional:
            return f"{key} is {manifest.get(key, 'missing')!r:.80}"
    if manifest["format"] < 1:
        return f"format is {manifest['format']}"
    for name, digest in manifest["files"].items():
        if (
            not isinstance(digest, str)
            or (".." in name and ".." in name.split("/"))
            or name.startswith("/")
            or "\0" in name
        ):
            return f"{name!r:.80} is no file of a month"
    if fault := _no_event(manifest.get("events", [])):
        return fault
    days = manifest.get("days")
    if days is not None and not (
        isinstance(days, list) and len(days) == 2 and all(isinstance(day, str) for day in days)
    ):
        return f"days are {days!r:.80}"
    for other in ("base", "previous"):
        if (month := manifest.get(other)) and not MONTH.fullmatch(str(month.get("period"))):
            return f"{other} is of {month.get('period')!r:.80}"
    return ""


def _no_event(events: list[Any]) -> str:
    """'' when of every event all is said that readers rely on; else which is the first that is none."""
    if set(map(type, events)) <= {dict}:
        with contextlib.suppress(KeyError):
            if all(set(map(type, map(itemgetter(key), events))) <= {str} for key in _OF_EVENT):
                return ""
    return next(
        f"{event!r:.80} is no event"
        for event in events
        if not isinstance(event, dict) or set(map(type, map(event.get, _OF_EVENT))) != {str}
    )


_EVENTS, _LAYOUT = b'\n "events": [', b'\n "format": '
"""Where in a manifest, as it is written, the events begin, and where it goes on after them and the files."""
_ENDS = 1 << 16
"""Bytes read at either end of a manifest."""


def read_cover(path: Path) -> dict[str, Any] | None:
    """A manifest without its events and files, from the two ends of its file; None where it does not look as it was written.

    Of the world's month the manifest has 7 MB, and all but some hundred bytes at its ends are events and files.

    Raises:
        OSError: when the file cannot be read.
    """
    with open(path, "rb", buffering=0) as file:
        head = file.read(_ENDS)
        file.seek(max(0, os.fstat(file.fileno()).st_size - _ENDS))
        tail = file.read(_ENDS)
    before, events, _ = head.partition(_EVENTS)
    after = tail[tail.find(_LAYOUT) :] if _LAYOUT in tail else b""
    if not events or not after or HALF_SIGN.search(before + after):
        return None
    try:
        cover = json.loads((before + after).decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(cover, dict) or misshapen({"files": {}, **cover}) or cover["format"] > FORMAT:
        return None
    return cover
