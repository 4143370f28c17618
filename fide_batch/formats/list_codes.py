"""The codes that stand in a rating list: federations, titles, flags; which are known, and how old lists wrote them."""

from __future__ import annotations

_FEDERATIONS = """
AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BEN BER BHU BIH BIZ BLR BOL BOT BRA BRN BRU BUL BUR CAF
CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI ESA ESP EST ETH FAI FID
FIJ FIN FRA GAB GAM GCI GEO GEQ GER GHA GRE GRL GRN GUA GUI GUM GUY HAI HKG HON HUN INA IND IOM IRI IRL IRQ ISL ISR ISV ITA IVB
JAM JCI JOR JPN KAZ KEN KGZ KOR KOS KSA KUW LAO LAT LBA LBN LBR LCA LES LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MKD MLI
MLT MNC MNE MOZ MRI MTN MYA NAM NCA NCL NED NEP NGR NIG NON NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PUR QAT ROU
RSA RUS RWA SCO SEN SEY SGP SKN SLE SLO SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TGA THA TJK TKM TLS TOG TPE
TTO TUN TUR UAE UGA UKR URU USA UZB VAN VEN VIE VIN WLS YEM ZAM ZIM
"""

_FORMER = "CSR FRG GDR LIB ROM SCG SIN TCH TRI URS YUG ZAI"

FEDERATIONS = frozenset((_FEDERATIONS + _FORMER).split())
"""FIDE's codes (they follow no other standard), ``FID`` and ``NON`` for players of none, and those of earlier lists."""

TITLES = frozenset(("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"))
OLD_TITLES = {"G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM"}
"""How lists until 2012 wrote them."""

OTHER_TITLES = frozenset(("IA", "FA", "NA", "IO", "FT", "FST", "DI", "NI", "SI", "FI", "LSI", "SLI", "AO", "RTO", "NO"))
"""Arbiters, trainers, instructors, organisers."""

ONLINE_TITLES = frozenset(("AGM", "AIM", "AFM", "ACM", "WAGM", "WAIM", "WAFM", "WACM"))

FLAGS = frozenset(("", "i", "w", "wi"))

SEXES = {"M": "M", "F": "F", "W": "F"}
