"""Whether two spellings are one name: prefixes, order, initials, accents, transliteration, punctuation and case are no fault."""

from __future__ import annotations

import difflib
import re
import unicodedata
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_SINGLE = str.maketrans({
    "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ə": "a",
    "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z", "и": "i", "й": "i", "к": "k", "л": "l",
    "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh",
    "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya", "і": "i", "ї": "i", "є": "e", "ґ": "g",
})  # fmt: skip
"""Letters that no decomposition takes to a-z."""

_ALIKE = [
    (re.compile(pattern), letter)
    for pattern, letter in (
        ("shch|sch|sh|sz", "s"), ("tch|ch|cz|tsch", "c"), ("zh|kh|gh", "h"), ("ph", "f"), ("th", "t"), ("ts|tz", "c"), ("ks", "x"),
        ("ae", "a"), ("oe", "o"), ("ue", "u"), ("w", "v"), ("[yj]", "i"), ("ii+", "i"), ("ie", "e"), (r"(.)\1+", r"\1"),
    )
]  # fmt: skip
"""Spellings of one sound that transliterations waver between, in the order they are applied to both names."""

_APART = re.compile(r"[^a-z0-9]+")

CUT = 31
"""A printed name of this many characters or more may have been cut (reports hold 32 or 33)."""


@lru_cache(200_000)
def plain(name: str) -> str:
    """A name in letters a-z and single blanks, accents and apostrophes gone: ``O'Brien, Séan`` -> ``obrien sean``."""
    text = name.casefold().translate(_SINGLE)
    text = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return _APART.sub(
        " ", re.sub(r"['`´’ʼ.]", "", text) if "'" in text or "’" in text else text.replace(".", " ")
    ).strip()


@lru_cache(200_000)
def sound(name: str) -> str:
    """``plain`` with the spellings of one sound made one: ``Müller`` and ``Mueller``, ``Yuri`` and ``Iurii``."""
    text = plain(name)
    for pattern, letter in _ALIKE:
        text = pattern.sub(letter, text)
    return text


@lru_cache(200_000)
def _outline(name: str) -> tuple[frozenset[str], frozenset[str], str, str]:
    """The initials of a name's parts and its letters in order, as it is spelled and as it sounds."""
    one, two = plain(name), sound(name)
    initials = (frozenset(part[0] for part in spelled.split()) for spelled in (one, two))
    return (*initials, *("".join(sorted(spelled.replace(" ", ""))) for spelled in (one, two)))  # type: ignore[return-value]


def may_be_same(printed: str, listed: str) -> bool:
    """A look at initials and letters before ``same``: False only where that is False, and many times faster."""
    if len(printed) >= CUT or len(listed) >= CUT:
        return True
    one, two = _outline(printed), _outline(listed)
    return (
        one[0] <= two[0] or two[0] <= one[0] or one[1] <= two[1] or two[1] <= one[1] or one[2] == two[2] or one[3] == two[3]
    )  # fmt: skip


@lru_cache(100_000)
def same(printed: str, listed: str) -> bool:
    """Whether the name a report prints can be the name on the list. A name that is missing on one side is the same."""
    for spell in (plain, sound):
        one, two = spell(printed), spell(listed)
        if not one or not two or one == two:
            return True
        if _tokens_match(one.split(), two.split(), len(printed) >= CUT, len(listed) >= CUT):
            return True
        # Mc Donald and McDonald, de la Cruz and Delacruz: without blanks, in any order of the parts.
        joined = one.replace(" ", ""), two.replace(" ", "")
        if sorted(joined[0]) == sorted(joined[1]):
            return True
        if len(printed) >= CUT and joined[1].startswith(joined[0]):
            return True
    return False


@lru_cache(100_000)
def verdict(printed: str, listed: str) -> str:
    """``same``, ``near`` (a slip of the pen) or ``other``. A name that is missing on one side is the same."""
    if same(printed, listed):
        return "same"
    one, two = (" ".join(sorted(sound(name).split())) for name in (printed, listed))
    return "near" if difflib.SequenceMatcher(None, one, two).ratio() >= 0.8 else "other"


def _tokens_match(one: list[str], two: list[str], one_cut: bool, two_cut: bool) -> bool:
    """Whether every part of the shorter name is a part of the longer one, an initial of it, or its beginning where the name was cut."""
    short, long = (one, two) if len(one) <= len(two) else (two, one)
    left = list(long)
    whole = False
    for token in sorted(short, key=len, reverse=True):
        cut = one_cut or two_cut
        match = next((other for other in left if other == token), None) or next(
            (
                other
                for other in left
                if (len(token) == 1 and other.startswith(token))
                or (len(other) == 1 and token.startswith(other))
                or (cut and (other.startswith(token) or token.startswith(other)))
            ),
            None,
        )  # fmt: skip
        if match is None:
            return False
        whole |= len(token) > 1 and len(match) > 1
        left.remove(match)
    return whole


def differing(printed: pa.Array, listed: pa.Array) -> np.ndarray:
    """The places where two columns of names need a closer look: not equal, nor equal after cutting to what a report holds, nor but for accents."""
    printed, listed = (
        column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column for column in (printed, listed)
    )
    places = _places(pc.not_equal(printed, listed))
    printed, listed = (column.take(pa.array(places)) for column in (printed, listed))
    cut = _places(pc.not_equal(printed, pc.utf8_rtrim_whitespace(pc.utf8_slice_codeunits(listed, 0, 33))))
    if not len(cut):
        return cut
    one, two = (_folded(column.take(pa.array(cut))) for column in (printed, listed))
    unlike = _places(pc.and_(pc.not_equal(one, two), pc.not_equal(one, pc.utf8_slice_codeunits(two, 0, 33))))
    return places[cut[unlike]]


def _places(marks: pa.Array) -> np.ndarray:
    return np.flatnonzero(marks.to_numpy(zero_copy_only=False))


def _folded(names: pa.Array) -> pa.Array:
    """Lower case without accents, for a whole column."""
    lowered = pc.utf8_lower(names)
    if pc.all(pc.string_is_ascii(lowered)).as_py():
        return lowered
    return pc.replace_substring_regex(pc.utf8_normalize(lowered, "NFKD"), r"\p{Mn}", "")
