"""Federations and titles as reports write them, and what they are on the list."""

from __future__ import annotations

WITHOUT = frozenset({"", "FID", "FIDE", "NON", "UNK", "---", "IBCA", "ICCD", "IPCA"})
"""Printed where a player has no federation or plays for an organisation; no fault."""

FORMER = {
    "ROM": "ROU", "YUG": "SRB", "SCG": "SRB", "GDR": "GER", "URS": "RUS", "TCH": "CZE", "LIB": "LBN", "SIN": "SGP", "TRI": "TTO",
    "DEU": "GER", "NLD": "NED", "CHE": "SUI", "DNK": "DEN", "HRV": "CRO", "SVN": "SLO", "PRT": "POR", "GRC": "GRE", "BGR": "BUL",
    "ZAF": "RSA", "LVA": "LAT", "MCO": "MNC", "IRN": "IRI", "SAU": "KSA", "PHL": "PHI", "VNM": "VIE", "MYS": "MAS", "TWN": "TPE",
    "WAL": "WLS", "GGY": "GCI", "JEY": "JCI", "FRO": "FAI", "URY": "URU", "PRY": "PAR", "CHL": "CHI", "IDN": "INA", "MNG": "MGL",
}  # fmt: skip
"""Older codes and those of ISO 3166 that reports use for one of FIDE's."""

TITLES = frozenset({"GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"})
"""Titles over the board."""

LESSER_TITLES = frozenset(
    {"AGM", "AIM", "AFM", "ACM", "NM", "WNM", "LM", "HGM", "HM", "NI", "FI", "FA", "IA", "FST", "IO", "SI", "DI", "NA"}
)
"""Arena, national, honorary and trainers' titles that turn up in the column; no fault, not compared with the list."""

SHORT_TITLES = {
    "G": "GM",
    "M": "IM",
    "F": "FM",
    "C": "CM",
    "WG": "WGM",
    "WM": "WIM",
    "WF": "WFM",
    "WC": "WCM",
    "W": "WIM",
}
"""The one- and two-letter titles of older programs."""


def federation(code: str) -> str:
    """A code as FIDE prints it: upper case, older and ISO codes replaced; anything else as it stands."""
    upper = code.strip().upper()
    return FORMER.get(upper, upper)


def title(text: str) -> str:
    """A title in full: ``g`` and ``GM`` are one; anything unknown as it stands."""
    upper = text.strip().upper()
    return SHORT_TITLES.get(upper, upper)
