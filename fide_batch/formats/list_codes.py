"""The codes that stand in a rating list: federations, titles, flags; which are known, and how old lists wrote them."""

from __future__ import annotations

from fide_batch.federations import EARLIER, FEDERATIONS, NONE

KNOWN_FEDERATIONS = FEDERATIONS | EARLIER | {NONE}
"""Codes that may stand in a list of any year."""

TITLES = frozenset(("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"))
OLD_TITLES = {"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM"}
"""How lists until 2012 wrote them."""

OTHER_TITLES = frozenset(("IA", "FA", "NA", "IO", "FT", "FST", "DI", "NI", "SI", "FI", "LSI", "SLI", "AO", "RTO", "NO"))
"""Arbiters, trainers, instructors, organisers."""

ONLINE_TITLES = frozenset(("AGM", "AIM", "AFM", "ACM", "WAGM", "WAIM", "WAFM", "WACM"))

FLAGS = frozenset(("", "i", "w", "wi"))

SEXES = {"M": "M", "F": "F", "W": "F"}
