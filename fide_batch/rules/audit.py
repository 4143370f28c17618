"""The audit: every player-round, every player and event, in the columns the ratings were summed from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from fide_batch.model import CONTROLS, EVENTS, GAMES, RESULTS, UNPLAYED, nullable, with_gaps
from fide_batch.rules.change import half_up
from fide_batch.rules.games import RatedGames, by_law, totals
from fide_batch.rules.participants import Participants
from fide_batch.rules.rateable import COUNTED, SCORE, Kind, Met, difference_reason, large_reason, reason
from fide_batch.rules.results import Results, control_words, days
from fide_batch.rules.sheet import PIECE, Piece, Sheet


@dataclass(frozen=True)
class EntrySums:
    """What each participant's rated games add up to; ten-thousandths, int32."""

    games: np.ndarray
    score: np.ndarray
    expected: np.ndarray
    chg: np.ndarray
    opponents: np.ndarray
    """Sum of the opponents' ratings after the 400 rule."""


def entry_sums(piece: Piece, games: RatedGames, own: np.ndarray) -> EntrySums:
    """Add up the rated games of each participant."""
    size = len(piece.event)
    met = own[games.entry] - games.counted
    count = np.bincount(games.entry, minlength=size) if size else np.zeros(0, np.int64)
    sums = (totals(games.entry, column, size) for column in (games.score, games.expected, games.chg, met))
    return EntrySums(*(column.astype(np.int32) for column in (count, *sums)))


def sums_of_pieces(pieces: Sequence[EntrySums]) -> EntrySums:
    """The sums of the pieces of a sheet as those of the whole."""
    columns = ("games", "score", "expected", "chg", "opponents")
    if not pieces:
        return EntrySums(*[np.zeros(0, np.int32)] * len(columns))
    return EntrySums(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in columns))


_KINDS = 64
"""Room for the numbers of ``Kind``."""


def words(codes: np.ndarray, texts: list[str]) -> pa.DictionaryArray:
    """A column of words from their places in a list."""
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32, copy=False)), pa.array(texts, pa.string()))


def letters(codes: np.ndarray, known: str) -> pa.DictionaryArray:
    """A column of single letters from their codes; anything else is ''."""
    place = np.full(256, len(known), np.int32)
    for index, letter in enumerate(known):
        place[ord(letter)] = index
    return words(place[codes], [*known, ""])


def games_table(
    piece: Piece, own: np.ndarray, games: RatedGames, kind: np.ndarray, as_opponent: np.ndarray, met: np.ndarray
) -> pa.Table:  # fmt: skip
    """GAMES: a row a player-round of every participant, counted or not.

    Args:
        piece: some of the month's reports, with their rated ``games``.
        own: for each participant the rating he plays with.
        kind: for each player-round a ``Kind``.
        as_opponent: for each participant the rating his opponents see, and as what they meet him (``met``).
    """
    size = len(piece.entry)
    other = np.maximum(piece.opponent, 0)
    has_opponent = piece.opponent >= 0
    known = has_opponent & (met >= Met.RATED)[other] if len(met) else has_opponent
    rating = as_opponent[other] if len(as_opponent) else np.zeros(size, np.int32)
    opponent = np.where(has_opponent, piece.player[other], 0) if len(piece.player) else np.zeros(size, np.int64)
    counted = np.zeros(256, np.int32)
    counted[list(COUNTED)] = 1
    file: dict[str, int] = {}
    file_of_event = np.array([file.setdefault(event.file, len(file)) for event in piece.events], np.int32)
    event = piece.event[piece.entry]
    rated = np.zeros(size, bool)
    rated[games.cell] = True
    score = SCORE[piece.result]
    own_rating = own[piece.entry]

    def of_rated(values: np.ndarray) -> pa.Array:
        column = np.zeros(size, np.int32)
        column[games.cell] = values
        return with_gaps(column, rated)

    difference = of_rated(games.difference)
    large = np.flatnonzero(kind == Kind.LARGE)
    if len(large):
        apart = np.zeros(size, np.int32)
        apart[games.cell] = games.difference
        apart[large] = own_rating[large] - rating[large]
        told = rated.copy()
        told[large] = True
        difference = with_gaps(apart, told)
    return pa.table([
        words(event, piece.labels or [""]), pa.array(piece.round, pa.int32()), pa.array(piece.player[piece.entry], pa.int64()),
        nullable(opponent, pa.int64()), letters(piece.colour, "wb"), letters(piece.result, "".join([*RESULTS, *UNPLAYED])),
        nullable(own_rating), with_gaps(rating, known), difference, of_rated(games.counted), of_rated(games.expected),
        with_gaps(score.astype(np.int32), score >= 0), of_rated(games.chg), pa.array(counted[kind]), _reasons(piece, own, games, kind, as_opponent),
        words(file_of_event[event], list(file) or [""]), pa.array(piece.line, pa.int32()),
    ], schema=GAMES)  # fmt: skip


def _reasons(
    piece: Piece, own: np.ndarray, games: RatedGames, kind: np.ndarray, as_opponent: np.ndarray
) -> pa.DictionaryArray:
    """The reason of each row, as a column of a few words."""
    texts: dict[str, int] = {}

    def place(text: str) -> int:
        return texts.setdefault(text, len(texts))

    # One look-up for all rows: by the law of the event and the kind.
    examples, of_entry = piece.laws
    law_and_kind = of_entry[piece.entry] * np.uint16(_KINDS) + kind
    of_case = np.zeros(max(len(examples), 1) * _KINDS, np.int32)
    for case in np.flatnonzero(np.bincount(law_and_kind, minlength=len(of_case))).tolist():
        event = examples[case // _KINDS]
        of_case[case] = place(reason(case % _KINDS, piece.editions[event], CONTROLS[piece.control[event]]))
    code = of_case[law_and_kind]
    for edition, control, rows in by_law(piece, games.entry):
        law = edition.difference
        size = np.abs(games.difference[rows])
        beyond = np.flatnonzero((size > law.cap) & (law.method != "none") & (control in law.controls))
        beyond = beyond if isinstance(rows, slice) else rows[beyond]
        if not len(beyond):
            continue
        difference, counted = games.difference[beyond], games.counted[beyond]
        in_full = counted == difference
        exempt = in_full & (own[games.entry[beyond]] >= law.exempt_from) & (control in law.exempt_controls)
        _, first, which = np.unique(
            np.abs(difference).astype(np.int64) * 4 + in_full * 2 + exempt, return_index=True, return_inverse=True
        )
        of_size = [
            place(difference_reason(int(difference[index]), int(counted[index]), law.method, bool(exempt[index]), edition, control))
            for index in first.tolist()
        ]  # fmt: skip
        code[games.cell[beyond]] = np.array(of_size, np.int32)[which]
    large = np.flatnonzero(kind == Kind.LARGE)
    for edition, control, rows in by_law(piece, piece.entry[large]):
        cells = large[rows]
        difference = own[piece.entry[cells]] - as_opponent[piece.opponent[cells]]
        sizes, which = np.unique(np.abs(difference), return_inverse=True)
        of_size = [place(large_reason(int(each), edition, control)) for each in sizes.tolist()]
        code[cells] = np.array(of_size, np.int32)[which]
    return words(code, list(texts) or [""])


def events_tables(
    sheet: Sheet, people: Participants, sums: EntrySums, k: np.ndarray, list_texts: list[str], fresh: Results, counts: np.ndarray, rc: np.ndarray
) -> Iterator[pa.Table]:  # fmt: skip
    """EVENTS in pieces of ``PIECE`` rows: a row an identified participant and event, the columns of FIDE's calculation page.

    Args:
        sheet: the month's reports, with ``people`` and their ``sums``.
        k: for each participant the K used for him, 0 for none.
        list_texts: the dates of ``Month.lists``.
        fresh: unrated players' results of this month, ``counts`` whether each of them counts, and ``rc`` its Rc.
    """
    editions: dict[str, int] = {}
    edition_of_event = np.array(
        [editions.setdefault(edition.name, len(editions)) for edition in sheet.editions], np.int32
    )
    first = np.flatnonzero(counts)
    identified = np.flatnonzero(people.row >= 0)
    for begin in range(0, max(len(identified), 1), PIECE):
        rows = identified[begin : begin + PIECE]
        games, score, met, expected, chg = (
            column[rows].astype(np.int64)
            for column in (sums.games, sums.score, sums.opponents, sums.expected, sums.chg)
        )
        mean = np.where(games > 0, half_up(met, np.maximum(games, 1)), 0)
        # Of an unrated player the games that count for a first rating.
        place = np.searchsorted(fresh.entry[first], rows)
        his = first[np.minimum(place, len(first) - 1)] if len(first) else np.zeros(len(rows), np.int64)
        who = np.flatnonzero(fresh.entry[his] == rows) if len(first) else np.zeros(0, np.int64)
        games[who], score[who], mean[who] = fresh.games[his[who]], fresh.score[his[who]], rc[his[who]]
        own, event, k_used = people.own[rows], sheet.event[rows], k[rows]
        no_change = own == 0
        no_k = no_change | (k_used == 0)
        lowest = int(event[0]) if len(event) else 0
        labels = sheet.labels[lowest : int(event[-1]) + 1] if len(event) else []
        yield pa.table([
            pa.array(sheet.player[rows], pa.int64()), control_words(sheet.control[event]), words(event - lowest, labels or [""]),
            days(sheet.start[event]), days(sheet.end[event]), words(sheet.place_of_list[event], list_texts or [""]), nullable(own),
            pa.array(mean.astype(np.int32), mask=games == 0), pa.array(games.astype(np.int32)), pa.array(score),
            pa.array(expected, mask=no_change), pa.array(chg, mask=no_change), pa.array(k_used.astype(np.int32), mask=no_k),
            pa.array(chg * k_used, mask=no_k), words(edition_of_event[event], list(editions) or [""]),
        ], schema=EVENTS)  # fmt: skip
