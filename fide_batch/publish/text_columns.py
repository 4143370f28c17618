"""The cells of FIDE's layouts: which columns of the list, how wide, and what has to be said of those that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fide_batch.model import CONTROLS, PREFIX, Period, Problem, id_text
from fide_batch.publish.printed import letters, places


@dataclass(frozen=True)
class Field:
    """A column of FIDE's text list."""

    name: str
    """Of LIST."""
    head: str
    width: int
    fits: int
    """Characters it may hold; as a rule one less than the width, so that a blank follows."""


_PERSON = (
    Field("fideid", "ID Number", 15, 15),
    Field("name", "Name", 61, 61),
    Field("country", "Fed", 4, 3),
    Field("sex", "Sex", 4, 3),
    Field("title", "Tit", 5, 4),
    Field("w_title", "WTit", 5, 4),
    Field("o_title", "OTit", 15, 15),
    Field("foa_title", "FOA", 4, 3),
)
_REST = (Field("birthday", "B-day", 6, 4), Field("flag", "Flag", 4, 4))
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_RATING_HEADS = {"standard": ("SRtng", "SGm", "SK"), "rapid": ("RRtng", "RGm", "Rk"), "blitz": ("BRtng", "BGm", "BK")}


def _rating(control: str, heads: tuple[str, str, str]) -> tuple[Field, ...]:
    prefix = PREFIX[control]
    return (
        Field(f"{prefix}rating", heads[0], 6, 4),
        Field(f"{prefix}games", heads[1], 4, 3),
        Field(f"{prefix}k", heads[2], 3, 2),
    )


def fields_of(control: str = "", period: Period | None = None) -> tuple[Field, ...]:
    """The columns of the combined list (162 places), or of the list of one control (136).

    Args:
        control: '' for the combined list.
        period: heads the rating of a single control ``OCT26`` as FIDE does; without it the heading names the control (``RRtng``).
    """
    if not control:
        return (*_PERSON, *(field for name in CONTROLS for field in _rating(name, _RATING_HEADS[name])), *_REST)
    heads = (f"{_MONTHS[period.month - 1]}{period.year % 100:02d}", "Gms", "K") if period else _RATING_HEADS[control]
    return (*_PERSON, *_rating(control, heads), *_REST)


class Fitting:
    """What did not fit the columns, told once a kind with its number of players and the first of them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._seen: dict[tuple[str, str, str], tuple[int, str]] = {}

    def tell(self, severity: str, message: str, hint: str, ids: Sequence[int]) -> None:
        """Some players of whom something is to be said."""
        if not len(ids):
            return
        count, first = self._seen.get((severity, message, hint), (0, id_text(int(ids[0]))))
        self._seen[severity, message, hint] = (count + len(ids), first)

    @property
    def problems(self) -> list[Problem]:
        """All that was told."""
        return [
            Problem(
                "export-fit",
                severity,
                self.file,
                None,
                None,
                f"{message} ({count:,} player{'s' if count != 1 else ''}, first id {first})",
                hint,
            )
            for (severity, message, hint), (count, first) in self._seen.items()
        ]


def births(batch: pa.RecordBatch, fitting: Fitting) -> pa.Array:
    """Birth years: FIDE's lists print no days."""
    texts = batch.column("birthday")
    longer = pc.greater(pc.binary_length(texts), 4)
    if pc.any(longer).as_py():
        ids = batch.column("fideid").filter(longer).to_pylist()
        fitting.tell("note", "births are printed as years", "FIDE's lists hold no days; CSV keeps them", ids)
        return pc.utf8_slice_codeunits(texts, 0, 4)
    return texts


def without_controls(batch: pa.RecordBatch, texts: pa.Array, fitting: Fitting) -> pa.Array:
    """Texts with spaces for control characters, which would break a line."""
    found = letters(texts)
    if not len(found) or (found.min() >= 32 and not (found == 127).any()):
        return texts
    odd = pc.match_substring_regex(texts, r"[\x00-\x1f\x7f]")
    fitting.tell(
        "warning",
        "control characters in a name are written as spaces",
        "correct the list",
        batch.column("fideid").filter(odd).to_pylist(),
    )
    return pc.replace_substring_regex(texts, r"[\x00-\x1f\x7f]", " ")


def too_long(batch: pa.RecordBatch, texts: pa.Array, field: Field, fitting: Fitting) -> pa.Array:
    """Texts cut to what fits; other titles at a comma."""
    if not len(texts) or pc.max(pc.binary_length(texts)).as_py() <= field.fits:
        return texts
    long = pc.greater(pc.utf8_length(texts), field.fits)
    if not pc.any(long).as_py():
        return texts
    ids = batch.column("fideid").filter(long).to_pylist()
    fitting.tell(
        "warning", f"{field.name} does not fit {field.fits} places and is cut", "CSV and XML keep it whole", ids
    )
    cut = []
    for text in texts.filter(long).to_pylist():
        shorter = text[: field.fits]
        if field.name == "o_title" and text[field.fits : field.fits + 1] != "," and "," in shorter:
            shorter = shorter.rpartition(",")[0]
        cut.append(shorter.rstrip(", ") if field.name == "o_title" else shorter.rstrip())
    return pc.replace_with_mask(texts, long, pa.array(cut, pa.string()))


def numbers_that_fit(batch: pa.RecordBatch, field: Field, fitting: Fitting) -> np.ndarray:
    """Whole numbers, -1 for none; one too wide for its column is left out."""
    values = places(batch.column(field.name)) - 1
    wide = (values >= 10**field.fits) | (values < -1)
    if not wide.any():
        return values
    ids = batch.column("fideid").filter(pa.array(wide)).to_pylist()
    fitting.tell(
        "warning", f"{field.name} does not fit {field.fits} places and is left empty", "CSV and XML keep it", ids
    )
    return np.where(wide, -1, values)
