"""Standard, rapid or blitz: from TRF26's coded time control, from words in their usual spellings and languages, from the folder's name.

The pace is the minutes a player has for 60 moves, increments included: 60 or more is standard, more than 10 and less than 60 rapid, more than 3
and up to 10 blitz. Several sources may speak; the one that says most exactly decides (the coded control, then figures in words, then words, then the
type of tournament, then the folder) and a contradiction is a warning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from fide_batch.model import Problem


class Said(NamedTuple):
    """What one source says."""

    control: str
    """standard, rapid or blitz."""
    source: str
    """In words, for the audit: ``222 5400+30``, ``folder rapid/``."""


def of_minutes(minutes: Fraction | int) -> str:
    """The control of so many minutes for 60 moves; '' for three or fewer (bullet is not rated)."""
    if minutes >= 60:
        return "standard"
    if minutes > 10:
        return "rapid"
    return "blitz" if minutes > 3 else ""


# --- TRF26, record 222 ----------------------------------------------------------------------------

_STAGE = re.compile(r"(?:(\d{1,4})/)?(\d{1,6})(?:\+(\d{1,5}))?", re.ASCII)


@lru_cache(maxsize=4096)
def coded(text: str) -> str:
    """The control of a coded time control: stages ``moves/seconds+increment`` joined by ``:`` (``40/5400+30:1800+30``).

    ``White-Black`` for a game with different times (both must agree). '' when the text is no such code.
    """
    sides = [_coded_minutes(side.strip()) for side in text.strip().split("-")]
    if not sides or len(sides) > 2 or any(side is None for side in sides):
        return ""
    controls = {of_minutes(side) for side in sides if side is not None}
    return controls.pop() if len(controls) == 1 else ""


def _coded_minutes(side: str) -> Fraction | None:
    """Minutes for 60 moves of one side's stages."""
    seconds, left = Fraction(0), 60
    stages = [_STAGE.fullmatch(stage.strip()) for stage in side.split(":")]
    if not stages or any(stage is None for stage in stages):
        return None
    for place, stage in enumerate(stages):
        assert stage is not None
        moves = int(stage[1]) if stage[1] else left
        if not moves:
            return None
        final = place == len(stages) - 1
        counted = min(moves, left)
        # A last stage with a number of moves is repeated until the 60 are made.
        share = Fraction(left, moves) if final and stage[1] and moves < left else Fraction(1)
        seconds += int(stage[2]) * share + int(stage[3] or 0) * (left if final else counted)
        left -= left if final else counted
        if not left:
            break
    return seconds / 60


# --- figures in words: record 122, a sheet's "time control" -----------------------------------------

_HOURS = "hours|hour|hrs|hr|h|std|stunden|stunde|heures|heure|horas|hora|ore|ora|uur|timer|timmar|godz|godziny|часа|часов|час|ч|saat|tuntia|hod"
_MINUTES = "minutes|minute|minuten|minutos|minuto|minuti|minutter|minuter|minut|minuty|minuta|minuuttia|minuten|mins|min|mn|m|perc|dakika|dk|мин|минут|хв|'"
_SECONDS = (
    "seconds|second|secondes|seconde|secondi|secondo|segundos|segundo|sekunden|sekunde|sekunder|sekund|sekundy|secs|sec|seconden|seg|sek|s"
    '|másodperc|mp|saniye|sn|сек|секунд|с|"'
)
_UNIT = {
    **dict.fromkeys(_HOURS.split("|"), "h"),
    **dict.fromkeys(_MINUTES.split("|"), "m"),
    **dict.fromkeys(_SECONDS.split("|"), "s"),
}
_MOVE = (
    "moves|move|mvs|mv|züge|zügen|zuge|zuegen|zuege|zug|coups|coup|jugadas|jugada|movimientos|movimiento|lances|lance|mosse|mossa|zetten|zet|drag"
    "|draget|trekk|træk|ruchów|ruch|posunięć|posunięcie|tahů|tah|lépés|hamle|ходов|ход|хода|siirtoa|siirto|potez|poteza|poteze|jogadas|jogada"
)
_FROM_MOVE = re.compile(
    rf"\b(?:from|since|starting|after|ab|von|desde|vanaf|dès|du|dal|dalla|od|от|с|à partir|a partir|partir)\b[^\d+/]{{0,24}}"
    rf"\b(?:{_MOVE})\b\.?\s*(?:no\.?|nr\.?|n°|#|le|la|1)?\s*\d*"
    rf"|\b(?:from|ab|vom|desde|du|od|fra|från)\b[^\d+/]{{0,12}}\d{{1,2}}(?:st|nd|rd|th|er|re|ère|ª|º|a|o|\.)?\s*(?:{_MOVE})\b"
)
_MOVES = re.compile(rf"\b\d{{1,3}}\s*(?:st|nd|rd|th|\.)?\s*(?:{_MOVE})\b")
_ROUNDS = re.compile(
    r"\b\d{1,2}\s*(?:rounds|rds|rd|runden|rondes|rondas|rodadas|turni|kol|kola|rund|games|partien|parties|partidas)\b"
)
_TOKEN = re.compile(
    r"(?P<clock>(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:]))|(?P<number>\d{1,5}(?:[.,]\d)?)\s*(?P<unit>"
    + "|".join(sorted(map(re.escape, _UNIT), key=len, reverse=True))
    + r")?(?![^\W\d_])"
)


@lru_cache(maxsize=4096)
def figures(text: str) -> str:
    """The control from the figures of a time control in words; '' when there are none or they can be read as different controls.

    ``90 min + 30 sec per move``, ``90'/40 + 30'/end + 30"/move``, ``G/60``, ``3+2``, ``1:30 + 10``, ``2h``, ``15'+10"``, ``120``.
    """
    text = _plain(text)
    if not text or len(text) > 300:
        return ""
    text = _ROUNDS.sub(" ", _MOVES.sub(" ", _FROM_MOVE.sub(" ", text)))
    readings = {of_minutes(minutes) for minutes in _totals(text)}
    return readings.pop() if len(readings) == 1 else ""


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).lower().strip()
    for mark, plain in (
        ("’", "'"),
        ("‘", "'"),
        ("´", "'"),
        ("`", "'"),
        ("′", "'"),
        ("”", '"'),
        ("“", '"'),
        ("″", '"'),
        ("''", '"'),
    ):
        text = text.replace(mark, plain)
    return text.replace("½", ".5").replace("·", "+")


class _Figure(NamedTuple):
    value: Fraction
    unit: str
    """h, m, s, ``clock`` (already minutes) or ''."""
    before: str
    """What stands between this figure and the one before it."""
    after: str


def _figures(text: str) -> list[_Figure]:
    found: list[_Figure] = []
    tokens = list(_TOKEN.finditer(text))
    for place, token in enumerate(tokens):
        before = text[tokens[place - 1].end() if place else 0 : token.start()]
        after = text[token.end() : tokens[place + 1].start() if place + 1 < len(tokens) else len(text)]
        if token["clock"]:
            parts = [int(part) for part in token["clock"].split(":")]
            minutes = Fraction(parts[0] * 60 + parts[1]) + Fraction(parts[2] if len(parts) > 2 else 0, 60)
            found.append(_Figure(minutes, "clock", before, after))
        else:
            found.append(
                _Figure(Fraction(token["number"].replace(",", ".")), _UNIT.get(token["unit"] or "", ""), before, after)
            )
    return found


def _totals(text: str) -> list[Fraction]:
    """Minutes for 60 moves, one for each way to read the figures; empty when they say nothing."""
    found = _figures(text)
    if not found:
        return []
    if any(figure.unit for figure in found):
        return _with_units(found)
    return _without_units(text, found)


def _with_units(found: list[_Figure]) -> list[Fraction]:
    base, increment, plain = Fraction(0), Fraction(0), Fraction(0)
    started = False
    for place, figure in enumerate(found):
        unit, value = figure.unit, figure.value
        following = found[place + 1] if place + 1 < len(found) else None
        added = bool(re.search(r"\+|plus|und|mit|and|avec|con|com|et|inc|delay|bonus|fischer|\bd$", figure.before))
        if unit == "h":
            base, started = base + value * 60, True
        elif unit in ("m", "clock"):
            base, started = base + value, True
        elif unit == "s":
            if started or re.match(r"\s*(?:/|per|pro|par|por|je|a\b|inc)", figure.after):
                increment = max(increment, value)
            else:
                base, started = base + value / 60, True
        elif place and found[place - 1].unit == "h" and not figure.before.strip():
            base += value  # 1h30
        elif figure.after.strip() == "/" and following is not None and following.unit in ("m", "h"):
            continue  # 40/90': moves
        elif figure.before.strip() == "/":
            continue  # 90'/40: moves
        elif started and added and value <= 60:
            plain = max(plain, value)  # 90 min + 30: seconds a move, as in 90+30
    if not started:
        return []
    return [base + max(increment, plain)]


def _without_units(text: str, found: list[_Figure]) -> list[Fraction]:
    values = [figure.value for figure in found]
    bare = re.sub(r"\s+", "", text)
    game = re.search(r"\b(?:g|game|sd)\s*(?:in|/)?\s*(\d{1,3})(?:\s*[;,+/]?\s*(?:\+|d|inc)\s*(\d{1,2}))?\b", text)
    if game:
        return [Fraction(int(game[1]) + int(game[2] or 0))]
    pair = re.search(r"(?<![\d/])(\d{1,5}(?:\.5)?)\s*[+|]\s*(\d{1,3})(?![\d/])", text)
    if pair and len(values) == 2:
        first, second = Fraction(pair[1]), Fraction(int(pair[2]))
        return [(first / 60 if first >= 300 else first) + second]
    stages = re.fullmatch(r"(\d{1,3})/(\d{1,3})(?:[+,;/](?:g/?)?(\d{1,3}))?(?:\+(\d{1,2}))?", bare)
    if stages:
        # 40/120, 60 is moves before minutes, 90/40+30 minutes before moves: it counts only where both come to the same.
        rest = int(stages[3] or 0) + int(stages[4] or 0)
        return [Fraction(int(stages[2]) + rest), Fraction(int(stages[1]) + rest)]
    if len(values) == 1 and re.fullmatch(r"\D{0,12}\d{1,5}\D{0,3}", text) and 3 < values[0] <= 300:
        return [values[0]]
    return []


# --- words -------------------------------------------------------------------------------------------

_WORDS: dict[str, str] = {
    "standard": "standard|standart|classical|classic|classique|classiques|klassisch|klassische|klassiek|klassisk|clásico|clásica|clásicas|clasico|clasica"
    "|clássico|clássica|classico|classica|lento|lenta|lentas|lente|lentes|langzeit|langpartie|turnierpartie|turnierpartien|langschach|longplay|klasyczne"
    "|klasszikus|klasik|klasické|vážný|vážná|классика|классические|классический|långparti|langsjakk|langskak|normaltempo",
    "rapid": "rapid|rapide|rapides|rapido|rápido|rapida|rápida|rápidas|rapidas|rápidos|rapidos|rapidplay|rapidschach|schnellschach|schnell|schnellpartien"
    "|semilampo|snabbschack|snabb|hurtigskak|hurtigsjakk|hurtig|szybkie|szybkich|rapidowy|rapidowe|rychlý|rychlá|rapidák|быстрые|быстрых|рапид"
    "|швидкі|pospešeni|ubrzani|atskák|hızlı|rapidszachy|rapidsakk|active|semirapide|semirápidas|semirapid",
    "blitz": "blitz|blitzschach|blitzturnier|blitzpartien|blits|lampo|relámpago|relampago|relâmpago|lyn|lynskak|lynsjakk|snelschaak|snelschaken|blixt"
    "|blixtschack|villám|villámsakk|błyskawiczne|błyskawicznych|pikashakki|pikašakki|hraðskák|bleskový|blesk|hitropotezni|brzopotezni|блиц|бліц|yıldırım"
    "|blitzchess",
}
_CONTROL_OF = {word: control for control, words in _WORDS.items() for word in words.split("|")}


@lru_cache(maxsize=4096)
def words(text: str) -> str:
    """The control a text names in a word of any language; '' for none, or for words of two controls (``rapid and blitz``)."""
    found = {_CONTROL_OF[word] for word in re.findall(r"[^\W\d_]+", _plain(text)[:300]) if word in _CONTROL_OF}
    return found.pop() if len(found) == 1 else ""


_IN_FOLDER = re.compile(r"[^\W\d_]+")


def folder(file: str) -> Said | None:
    """What the nearest folder of a file's name says: ``results/rapid/open.trf``; None when no folder is called so."""
    return _nearest(file.rpartition("/")[0])


@lru_cache(maxsize=4096)
def _nearest(folders: str) -> Said | None:
    for part in reversed(folders.split("/")):
        control = _CONTROL_OF.get(part.strip().lower())
        if not control:
            named = {_CONTROL_OF[word] for word in _IN_FOLDER.findall(part.lower()) if word in _CONTROL_OF}
            control = named.pop() if len(named) == 1 and re.fullmatch(r"[\W\d_]*[^\W\d_]+[\W\d_]*", part) else ""
        if control:
            return Said(control, f"folder {part}/")
    return None


# --- together ------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def said(
    code: str = "", time_control: str = "", kind: str = "", labels: tuple[str, str, str] = ("222", "122", "092")
) -> tuple[Said, ...]:
    """What a report says of its pace, the most exact source first: the coded control, figures and words of the time control, the type of tournament.

    ``labels`` name the three places in the report, for the audit.
    """
    found = []
    if code.strip() and coded(code):
        found.append(Said(coded(code), f"{labels[0]} {_short(code)}"))
    for read in (figures, words):
        control = read(time_control)
        if control:
            found.append(Said(control, f"{labels[1]} {_short(time_control)}"))
    if words(kind):
        found.append(Said(words(kind), f"{labels[2]} {_short(kind)}"))
    return tuple(found)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def contradiction(sources: Sequence[Said]) -> str:
    """The message when sources name different controls, '' when they agree."""
    if len({source.control for source in sources}) < 2:
        return ""
    first = sources[0]
    other = next(source for source in sources if source.control != first.control)
    return f"{first.source!r} means {first.control}, {other.source!r} means {other.control}; taken as {first.control}"


HINT = 'decide it in decisions.csv ("control rapid") when that is wrong'


def decide(
    control: str, control_from: str, file: str, otherwise: str, line: int | None = None
) -> tuple[str, str, list[Problem]]:
    """The pace of a report when everything has spoken: what the report says, else its folder, else ``otherwise`` (``--control``).

    Returns the control ('' when nobody says), what it was read from, and the problems: a note of what was decided, a warning
    ``pace-contradiction`` when report and folder differ.
    """
    problems = []
    in_folder = folder(file)
    if control and in_folder and in_folder.control != control:
        message = contradiction((Said(control, control_from), in_folder))
        problems.append(Problem("pace-contradiction", "warning", file, line, None, message, HINT))
    if not control and in_folder:
        control, control_from = in_folder
    if not control and otherwise:
        control, control_from = otherwise, "--control"
    if control:
        problems.append(Problem("pace", "note", file, line, None, f"{control}, from {control_from}"))
    return control, control_from, problems
