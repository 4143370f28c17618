"""What the columns of a rating list are called in tables (CSV, workbooks), in several languages.

FIDE's own names and ours come first; where two headings could be the same column the better known one wins and the other is not used.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from fide_batch.formats.headings import fold
from fide_batch.formats.list_control import MONTHS
from fide_batch.model import LIST

_ALSO: dict[str, str] = {
    "fideid": "fide id|id fide|fide no|fide nr|fide number|fide nummer|fide code|fide ident|numero fide|no fide|n fide|codigo fide|codice fide|code fide|cod fide"
    "|id number|idnumber|id no|id nr|ident nr|ident|player id|playerid|licence|id",
    "name": "full name|player name|player|players|spieler|spielername|nom prenom|nom et prenom|joueur|nombre completo|apellidos y nombre|jugador|nome"
    "|cognome nome|giocatore|jogador|naam|navn|namn|nimi|ad soyad|nom|nombre",
    "last": "last name|lastname|surname|family name|nachname|familienname|nom de famille|apellidos|apellido|cognome|sobrenome",
    "first": "first name|firstname|given name|forename|vorname|prenom|nombre de pila|primeiro nome",
    "country": "fed|federation|verband|foderation|land|pays|pais|federacion|federacao|federazione|nazione|paese|nation|nat|ctry|ulke",
    "sex": "gender|geschlecht|sexe|sexo|sesso|genre|genero|cinsiyet|m f|m w",
    "title": "tit|titel|titre|titulo|titolo|fide title|unvan|ttl",
    "w_title": "wtit|wtitle|women title|women s title|womens title|frauentitel|titre feminin|titulo femenino",
    "o_title": "otit|otitle|other titles|other title|weitere titel|autres titres|otros titulos|altri titoli",
    "foa_title": "foa|arena title|online title|foa title",
    "rating": "srtng|standard rating|std rating|rating std|rating standard|elo standard|elo std|classical rating|classical|standard|std|fide rating|fide elo"
    "|elo fide|rtg fide|rtgfide|fide rtg|rtgi|rtg i|rtg int|elo int|rtng|rtg|elo|elozahl|wertungszahl|klassisch|classique|rating nat|rtg nat|rtgn",
    "games": "sgm|gms|standard games|std games|games std|number of games|partien|anzahl partien|parties|partidas|partite|partijen",
    "k": "sk|k factor|kfactor|factor k|k faktor|kfaktor|k koeffizient|coefficient k|coef k|koef|k standard|k std|standard k|std k",
    "rapid_rating": "rrtng|rapid|rapid elo|elo rapid|rating rapid|rpd|rapid rtg|rtg rapid|schnellschach|elo schnellschach|rapide|elo rapide|rapido|elo rapido",
    "rapid_games": "rgm|games rapid|partien rapid|parties rapides|rpd games",
    "rapid_k": "k rapid|rapid k factor|rpd k",
    "blitz_rating": "brtng|blitz|blitz elo|elo blitz|rating blitz|blz|blitz rtg|rtg blitz|blitzschach",
    "blitz_games": "bgm|games blitz|partien blitz|parties blitz|blz games",
    "blitz_k": "bk|k blitz|blitz k factor|blz k",
    "birthday": "birth date|date of birth|dob|b day|bday|birthdate|year of birth|birth year|birthyear|yob|born|birth|geburtsdatum|geburtstag|geburtsjahr"
    "|geboren|jahrgang|date de naissance|annee de naissance|naissance|fecha de nacimiento|ano de nacimiento|nacimiento|data de nascimento|nascimento"
    "|data di nascita|anno di nascita|nascita|dogum tarihi|dogum|year|jahr|annee|ano|anno",
    "flag": "flags|status",
    "career_games": "total games|totalnumgames|total num games|career games|games played|gesamtpartien|spiele gesamt",
}  # fmt: skip

_INDEX: dict[str, tuple[str, int]] = {}
for _place, _name in enumerate(LIST.names):
    _INDEX[fold(_name)] = (_name, 0)
    _INDEX.setdefault(fold(_name).replace(" ", ""), (_name, 1))
for _name, _words in _ALSO.items():
    for _rank, _word in enumerate([_name.replace("_", " "), *_words.split("|")], 2):
        _INDEX.setdefault(_word, (_name, _rank))
        _INDEX.setdefault(_word.replace(" ", ""), (_name, _rank))
_MONTHS = tuple(MONTHS.split("|"))

FIRST, LAST = "first", "last"
"""Columns of a name in two cells: they make ``Last, First``."""


def column_of(heading: str) -> tuple[str, int]:
    """The column a heading means and how far it is from FIDE's own name (0); ``("", 0)`` when it is none we know."""
    if len(heading) > 60:
        return "", 0
    folded = fold(heading)
    if len(folded) == 5 and folded[:3] in _MONTHS and folded[3:].isdigit():
        return "rating", 1
    return _INDEX.get(folded) or _INDEX.get(folded.replace(" ", "")) or ("", 0)


@dataclass(frozen=True)
class Heading:
    """A heading row understood."""

    cells: tuple[str, ...]
    line: int
    """Its line, from 1."""
    columns: dict[str, int]
    """The place of each column of LIST (and of ``first`` and ``last``)."""
    unused: tuple[str, ...]
    twice: tuple[str, ...]
    """Headings that stand there more than once under the very same name."""
    separator: str = ""

    @property
    def score(self) -> int:
        """How much it looks like the heading of a list."""
        known = self.columns
        return (
            len(known)
            + 4 * ("fideid" in known)
            + 2 * ("rating" in known or "rapid_rating" in known or "blitz_rating" in known)
        )

    @property
    def is_one(self) -> bool:
        """Whether it names players and something about them: an id, or a name and a rating."""
        known = set(self.columns)
        ratings = {"rating", "rapid_rating", "blitz_rating"} & known
        return len(known) >= 2 and bool(
            ("fideid" in known and known - {"fideid"}) or ({"name", LAST} & known and ratings)
        )

    @property
    def single(self) -> bool:
        """Whether there is one rating column, whose control its heading leaves open."""
        if "rating" not in self.columns or any(name.startswith(("rapid_", "blitz_")) for name in self.columns):
            return False
        words = fold(self.cells[self.columns["rating"]]).split()
        return not {"standard", "std", "srtng", "classical", "klassisch", "classique"} & set(words)


def heading_of(cells: Sequence[str], line: int, separator: str = "") -> Heading:
    """A row read as a heading; nothing may come of it."""
    best: dict[str, tuple[int, int]] = {}
    for place, cell in enumerate(cells):
        name, rank = column_of(cell)
        if name and (name not in best or rank < best[name][0]):
            best[name] = (rank, place)
    columns = {name: place for name, (_, place) in best.items()}
    if "name" in columns and FIRST in columns and LAST not in columns:
        columns[LAST] = columns.pop("name")  # Nom, Prénom: the family name alone is called the name
    if LAST in columns and "name" not in columns and FIRST not in columns:
        columns["name"] = columns.pop(LAST)
    if "name" in columns:
        columns.pop(FIRST, None)
        columns.pop(LAST, None)
    used = set(columns.values())
    folded = [fold(cell) for cell in cells]
    twice = tuple(cells[place] for place in used if folded.count(folded[place]) > 1)
    unused = tuple(cell.strip() for place, cell in enumerate(cells) if place not in used and cell.strip())
    return Heading(tuple(cells), line, columns, unused, twice, separator)


SEPARATORS = (",", ";", "\t", "|")
HEADING_WITHIN = 20


def heading_in(lines: Sequence[str]) -> Heading | None:
    """The heading among the first lines of a CSV file with the separator under which it is one; None when there is none."""
    found: Heading | None = None
    for number, line in enumerate(lines[:HEADING_WITHIN], 1):
        if len(line) > 20_000:
            continue
        for separator in SEPARATORS:
            if separator not in line:
                continue
            try:
                cells = next(csv.reader([line], delimiter=separator), [])
            except csv.Error:
                continue
            heading = heading_of(cells, number, separator)
            if heading.is_one and (found is None or heading.score > found.score):
                found = heading
    return found
