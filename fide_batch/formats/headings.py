"""What the columns and head lines of a table of chess players are called, in one place and several languages.

``column_of`` and ``key_of`` give our own name for a heading as a person or a program wrote it; '' when nobody is known to
write that. Accents, case, points and spaces do not count: ``Pts. ``, ``Pkt.`` and ``PUNKTE`` are all ``points``.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

COLUMNS: dict[str, str] = {
    "number": "no|nr|num|n°|number|start no|start number|starting number|start|sno|snr|startnr|startnummer|start nr|startno|tnr"
    "|teilnehmer nr|teilnehmernr|nummer|numero|numéro|num depart|n depart|nº inicial|no inicial|no ini|noini|n inicial|numero inicial"
    "|ranking inicial|seed|bsno|bs no|baş no|başlangıç no|pairing no|pairing number|id no|snum|player no|#",
    "rank": "rk|rank|ranking|place|pl|pos|position|rg|rang|rangliste|platz|class|classement|clasificación|clasif|puesto|posição|lugar|cl"
    "|classifica|posizione|sıra|sira|sr|sıra no|rnk|final rank",
    "name": "name|names|player|players|player name|full name|spieler|spielername|teilnehmer|nom|nom prénom|nom et prénom|joueur|nombre"
    "|jugador|apellidos y nombre|apellido nombre|nome|jogador|giocatore|cognome nome|nominativo|isim|i̇sim|adı soyadı|ad soyad|oyuncu"
    "|namn|naam|speler|navn|nimi|imię i nazwisko|nazwisko i imię|jméno|ime|név",
    "last": "last|last name|surname|family name|nachname|familienname|nom de famille|apellido|apellidos|sobrenome|cognome|soyadı|lastname",
    "first": "first|first name|forename|given name|vorname|prénom|prenom|nombre de pila|primeiro nome|adı|firstname",
    "id": "fideid|fide id|fide no|fide number|fide nr|fide nummer|id fide|fide code|code fide|codigo fide|código fide|cód fide|fide kimlik"
    "|id|ident|identnr|ident number|idn|id number|id no fide|fide ıd|n fide|no fide|nº fide|numero fide|numéro fide|fide kodu|player id|pid|kimlik",
    "federation": "fed|federation|country|land|verband|föderation|nation|nat|pays|fédération|federación|país|federação|federazione"
    "|nazione|paese|ülke|fed land|noc|ctry|landesverband|kraj",
    "rating": "rtg|rating|elo|fide elo|elo fide|fide rating|rtgi|rtg i|eloi|elo i|elointl|elo int|intl rtg|rtg int|rating fide|puan elo"
    "|fide rtg|int rtg|rat|wertungszahl|elozahl|classement elo|ranking elo|elo i̇nt|ukd fide|std|standard",
    "national": "rtgn|rtg n|elon|elo n|elo nat|rtg nat|national rating|national|nat rtg|nwz|dwz|tz|nro|elo nac|elo nacional|elo national"
    "|puntuación nacional|rating nacional|ukd|ulusal rating|rtgnat|nelo",
    "birth": "birth|birthday|birth date|date of birth|dob|born|year|year of birth|birth year|b day|bday|geboren|geburtsdatum|geburtstag"
    "|geburtsjahr|geb|jahrgang|jg|naissance|date de naissance|année|né|nacimiento|fecha de nacimiento|fecha nac|año|nascimento"
    "|data de nascimento|nascita|data di nascita|anno|doğum|doğum tarihi|d tarihi|doğum yılı|birthdate|yob",
    "sex": "sex|gender|geschlecht|sexe|genre|sexo|género|sesso|cinsiyet|m f|mf|m w|f m",
    "title": "title|titel|titre|título|titulo|titolo|unvan|ünvan|tit|ttl|fide title",
    "points": "pts|points|score|total|pkt|punkte|pkte|punktzahl|pt|puntos|ptos|pontos|punti|puan|pn|poäng|punten|point|total points",
    "club": "club city|club|city|verein ort|verein|ort|club ville|ville|ciudad|club ciudad|clube cidade|cidade|kulüp i̇l|kulüp|il|team|equipe|mannschaft"
    "|equipo|equipa|squadra|takım",
    "board": "bo|board|br|brett|table|tisch|échiquier|ech|tab|tablero|mesa|tavolo|masa|scacchiera|bord",
    "round": "round|rd|rnd|runde|rde|ronde|ronda|rodada|turno|tur|r|rund|kolo|runda",
    "result": "result|res|ergebnis|erg|résultat|resultat|resultado|risultato|ris|sonuç|sonuc|resultaat|uitslag|score white black|wynik",
    "date": "date|datum|fecha|data|tarih|day|game date",
    "white": "white|weiß|weiss|blancs|blanc|blancas|brancas|bianco|beyaz|wit|hvit|vit|white name|white player|weißspieler|name white"
    "|białe",
    "black": "black|schwarz|noirs|noir|negras|pretas|nero|siyah|zwart|svart|sort|black name|black player|schwarzspieler|name black"
    "|czarne",
    "group": "gr|grp|group|gruppe|groupe|grupo|gruppo|grup|typ|type|tipo|tip|cat|category|kategorie|kat|categoría",
    "tiebreak": "rp|perf|performance|n|w|we|w we|ww|k|krtg|kfactor|rtg +-|elo +-|chg|ratg|flag|remark|remarks|bemerkung|email|licence|license"
    "|lizenz|federation id|id nat|national id|nat id|no nat|sp|var|rating change",
}  # fmt: skip
"""Our name of a column and everything it is known to be called. ``club``, ``group`` and ``tiebreak`` are recognised and left alone."""

SIDES: dict[str, str] = {
    "white": "white|w|weiß|weiss|blancs|blancas|brancas|bianco|beyaz",
    "black": "black|b|schwarz|noirs|negras|pretas|nero|siyah",
}

KEYS: dict[str, str] = {
    "name": "event|tournament|name|title|event name|tournament name|turnier|turniername|veranstaltung|tournoi|nom du tournoi|torneo"
    "|nombre del torneo|torneio|nome do torneio|nome|turnuva|turnuva adı",
    "city": "city|place|location|venue|site|ort|spielort|stadt|austragungsort|ville|lieu|ciudad|lugar|local|cidade|luogo|città|sede|yer|şehir",
    "federation": "federation|fed|country|verband|föderation|land|fédération|pays|federación|país|federação|federazione|federasyon|ülke",
    "start": "start|start date|begin|from|first day|begins|beginn|anfang|von|début|date de début|du|inicio|fecha inicio|fecha de inicio"
    "|desde|início|data de início|inizio|data inizio|başlangıç|başlangıç tarihi|startdatum",
    "end": "end|end date|to|last day|ends|ende|bis|enddatum|fin|date de fin|au|fecha fin|fecha de fin|hasta|fim|data de término|término|fine"
    "|data fine|bitiş|bitiş tarihi",
    "dates": "date|dates|datum|zeitraum|termin|fecha|fechas|data|datas|tarih|period",
    "rounds": "rounds|number of rounds|no of rounds|runden|rundenzahl|anzahl runden|rondes|nombre de rondes|rondas|número de rondas"
    "|rodadas|número de rodadas|turni|numero turni|tur sayısı",
    "players": "players|number of players|participants|teilnehmer|anzahl teilnehmer|teilnehmerzahl|joueurs|nombre de joueurs|jugadores"
    "|número de jugadores|jogadores|giocatori|oyuncu sayısı",
    "kind": "type|tournament type|system|format|turnierart|turniertyp|modus|système|type de tournoi|tipo|tipo de torneo|sistema|sistem",
    "control": "control|pace|rate of play|rating list|rated as|kind of play|spielart|disziplin|cadence|ritmo|kategori|rating type|discipline",
    "time_control": "time control|time|tempo|bedenkzeit|spieltempo|zeitkontrolle|cadence de jeu|temps de réflexion|ritmo de juego|control de tiempo"
    "|tiempo|ritmo de jogo|tempo di gioco|tempo di riflessione|süre|düşünme süresi|time control standard|time control rapid|time control blitz"
    "|time control standard rapid blitz|bedenkzeit standard|bedenkzeit rapid|bedenkzeit blitz",
    "round_dates": "round dates|dates of rounds|rundentermine|dates des rondes|fechas de las rondas|datas das rodadas|date turni",
    "ignored": "organizer|organizers|organiser|organisers|organizer s|organiser s|veranstalter|ausrichter|organisateur|organizador|organizzatore"
    "|arbiter|chief arbiter|deputy chief arbiter|deputy arbiter|director|tournament director|hauptschiedsrichter|schiedsrichter|turnierleiter|turnierdirektor|arbitre"
    "|arbitre principal|árbitro|árbitro principal|árbitro principal adjunto|arbitro|başhakem|hakem|website|web|homepage|url|link|remark|remarks|note|notes|comment"
    "|rating calculation|rating ø|rating average|average rating|average age|elo schnitt|eloschnitt|durchschnittselo|ratingschnitt|wertungsberechnung"
    "|pairing program|program used|programm|paarungsprogramm|tie break|tie breaks|feinwertung|e mail|email|telephone|phone|prize fund|fide event id|event id|event code"
    "|elo calculation|version|time of play|schedule|fide homologation|homologation|arbiters|rated games|tournament organizer|elo berechnung|last update",
}  # fmt: skip
"""Our name of a head line (``key,value`` above the table) and everything it is known to be called."""


def fold(text: str) -> str:
    """The letters and digits of a heading without case, accents and punctuation, words parted by one space; ``#`` stays when alone."""
    text = text.strip()
    if text == "#":
        return text
    text = text.casefold().replace("ß", "ss").replace("°", "o").replace("ı", "i").replace("ø", "o").replace("ł", "l")
    text = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return " ".join(re.findall(r"[^\W_]+", text))


@cache
def _columns() -> dict[str, str]:
    return _index(COLUMNS)


@cache
def _keys() -> dict[str, str]:
    return _index(KEYS)


def _index(table: dict[str, str]) -> dict[str, str]:
    index: dict[str, str] = {}
    for name, known in table.items():
        for word in [name.replace("_", " "), *known.split("|")]:
            index.setdefault(fold(word), name)
            index.setdefault(fold(word).replace(" ", ""), name)
    return index


_SIDE = _index(SIDES)

PLAYER_PARTS = ("number", "name", "last", "first", "id", "federation", "rating", "national", "birth", "sex", "title", "points")  # fmt: skip
"""What a table may say of a player."""

_ROUND_WORDS = r"(?:round|rd|rnd|r|runde|rde|ronde|ronda|rodada|turno|tur|t|kolo|runda|rond)"
_ROUND = re.compile(rf"(?:{_ROUND_WORDS} ?(\d{{1,2}})|(\d{{1,2}}) ?{_ROUND_WORDS}|(\d{{1,2}}))")
_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])")
"""Where ``WhiteFideId`` parts into words."""
_TIEBREAK = re.compile(
    r"(?:tb|wtg|wertung|des|desempate|dep|fw|feinw|buch\w*|bh|sb|tie ?break|crit|ep|esb|rp|rtg|krtg|k) ?\d*(?: .*)?"
)


@lru_cache(4096)
def column_of(heading: str) -> str:
    """Our name of a column; '' for a heading nobody is known to use. ``w_name``, ``white id``, ``black rating`` come as ``white.id``..."""
    folded = fold(_HUMP.sub(" ", heading))
    if not folded or len(folded) > 60:
        return ""
    known = _columns().get(folded) or _columns().get(folded.replace(" ", ""))
    if known:
        return known
    for words in (folded.split(" ", 1), folded.rsplit(" ", 1)[::-1]):
        if len(words) == 2 and words[0] in _SIDE:
            part = _columns().get(words[1])
            if part in PLAYER_PARTS:
                return f"{_SIDE[words[0]]}.{part}"
    return "tiebreak" if _TIEBREAK.fullmatch(folded) else ""


@lru_cache(4096)
def round_of(heading: str) -> int:
    """The round a column is for (``1.Rd``, ``R3``, ``Runde 5``, ``7``); 0 when it is none."""
    found = _ROUND.fullmatch(fold(heading))
    return int(found[1] or found[2] or found[3]) if found else 0


@lru_cache(4096)
def key_of(text: str) -> str:
    """Our name of a head line, the part before its value; '' when it is none we know."""
    if len(text) > 80:
        return ""
    folded = fold(re.sub(r"\(.*?\)", " ", text))
    return _keys().get(folded) or _keys().get(folded.replace(" ", ""), "")
