"""The codes of FIDE's federations: a table of facts, new ones included. A code that is not here is kept and warned of."""

from __future__ import annotations

_CODES = """
AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BER BHU BIH BIZ BLR BOL BOT BRA BRN BRU BUL BUR CAF CAM CAN
CAY CGO CHA CHI CHN CIV CMR COD COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI ESA ESP EST ETH FAI FID FIJ FIN FRA
GAB GAM GCI GEO GEQ GER GHA GRE GRL GRN GUA GUM GUY HAI HKG HON HUN INA IND IRI IRL IRQ ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN
KGZ KOR KOS KSA KUW LAO LAT LBA LBN LBR LCA LES LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI MLT MNC MNE MOZ MRI MTN MYA
NAM NCA NCL NED NEP NGR NIG NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PUR QAT ROU RSA RUS RWA SCO SEN SEY SGP SKN SLE
SLO SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TJK TKM TLS TOG TPE TTO TUN TUR UAE UGA UKR URU USA UZB VAN VEN VIE
VIN WLS YEM ZAM ZIM
"""

FEDERATIONS = frozenset(_CODES.split())
"""Three-letter codes as FIDE prints them; FID is a player under FIDE's own flag."""

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
