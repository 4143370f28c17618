"""The catalogue, first part: what the checks say of reports, players and decisions."""

from __future__ import annotations

Row = tuple[str, str, str, str]
"""Code, severity (``error acceptable`` where it may be accepted), meaning, what to do."""

_GAMES: tuple[Row, ...] = (
    ("sides-disagree", "error", "The two sides of a rated game do not tell the same result.", "correct the wrong side, or leave the game out by decision"),
    ("sides-differ", "warning", "The two sides tell different things of a game that is not rated (a forfeit, a bye).", "nothing for the ratings; correct the report"),
    ("both-lost", "warning", "Both sides of a game have a loss; taken as played and lost by both.", "write a double forfeit as - and -; correct a side that won"),
    ("same-colour", "error acceptable", "Both players of a game have the same colour.", "correct one side; often the opponent's number is wrong"),
    ("oneself", "error", "A player is paired with the own start number.", "correct the opponent's number, or leave the game out by decision"),
    ("unknown-opponent", "error", "A result or an opponent has a start number nobody has.", "add the missing player, or correct the number"),
    ("one-sided", "error", "A rated game stands in one player's line only.", "correct the side that is wrong, or leave the game out by decision"),
    ("one-sided-forfeit", "warning", "A forfeit stands in one player's line only.", "nothing for the ratings; correct the report"),
    ("result-missing", "warning", "Two players are paired but there is no result; the game is taken as not played.", "add the result if the game was played"),
    ("result-without-opponent", "error acceptable", "A win, draw or loss with a colour but without opponent.", "add the opponent; accepted, it is taken as a bye"),
    ("bye-as-result", "note", "A win, draw or loss without opponent and colour, read as a bye.", "nothing"),
    ("game-twice", "note", "The same game stands twice in one player's line; it counts once.", "nothing"),
    ("two-results", "error", "A player has two different results in one round.", "correct the round, or give the second game a round of its own"),
)  # fmt: skip

_ROUNDS: tuple[Row, ...] = (
    ("incomplete", "error acceptable", "Rounds or results are missing: the event is not over, or the report holds a part of it.", "wait for the whole report; accepted, what was played is rated"),
    ("part", "note", "The report holds some rounds of a longer event.", "nothing"),
    ("more-rounds", "error acceptable", "Games in a round after the last one the report declares.", "correct the number of rounds or the games"),
    ("extra-round", "note", "Cells after the last round that was held; ignored.", "nothing"),
    ("players-differ", "warning", "The report says another number of players than it holds: it may be cut.", "compare with the event's page, or ask for the file again"),
    ("no-games", "warning", "A report with players and without games.", "ask for the report after the last round"),
    ("no-players", "warning", "A report without players.", "check that the right file was sent"),
)  # fmt: skip

_POINTS: tuple[Row, ...] = (
    ("points-low", "error acceptable", "A printed total is lower than the results.", "ask the arbiter which is right: a result may be wrong"),
    ("points-wrong", "error acceptable", "A printed total is higher than the results and nothing explains it.", "ask the arbiter which is right: a result may be wrong"),
    ("points-high", "warning", "A printed total is higher than the results; rounds without a game may hold the difference.", "ask for byes to be written as F, H or U"),
    ("points-bye", "note", "A printed total counts half-point byes that have no letter.", "nothing"),
    ("points-ahead", "warning", "A printed total does not count byes of rounds that are not paired yet.", "nothing"),
    ("bye-points", "note", "The printed totals give the pairing-allocated bye another value than a win.", "nothing"),
    ("points-3-1-0", "note", "The printed totals count 3 for a win and 1 for a draw.", "nothing: results are taken from the cells"),
)  # fmt: skip

_PLAYERS: tuple[Row, ...] = (
    ("repeated-number", "error", "A start number stands twice in a report.", "correct one of the two, or leave a line out by decision"),
    ("repeated-id", "error acceptable", "An id stands twice in a report.", "correct one of the two; accepted, the line whose name fits the list keeps the id, the other is unidentified"),
    ("id-unreadable", "warning", "What stands in the column of ids is no id; the player is unidentified.", "find the id and write it in the report, or decide `id ...`"),
    ("unidentified", "warning", "A player without id, whose games change nobody's rating.", "find the id and write it in the report, or decide `id ...`"),
    ("new-player", "note", "An id that is not on the list: a new player with the report's data.", "nothing, if the id is right"),
    ("new-player-same-name", "warning", "An id that is not on the list, of a player whose name is there under another.", "look whether the id is right"),
    ("local-ids", "warning", "None of a report's ids is on the list and all are too short for FIDE's: the players are unidentified.", "ask for FIDE's ids; accepted, they are taken as ids"),
    ("id-zeros", "note", "An id that differs from the list's by leading zeros only; taken as the same.", "nothing"),
    ("wrong-person", "error acceptable", "The name and something more (sex, birth, federation) do not fit the id.", "correct the id, or decide `id ...`; accept it when it is the same person"),
    ("name-differs", "warning", "The name is not the list's name for that id. Prefixes, order, initials, accents and transliterations are no fault.", "look whether the id is right"),
    ("sex-differs", "warning", "The sex is not that of the list.", "look whether the id is right"),
    ("birth-differs", "warning", "The year of birth differs by more than one from the list's.", "look whether the id is right"),
    ("birth-year", "note", "The year of birth differs by one; the list decides.", "nothing"),
    ("federation-differs", "warning", "The federation is not that of the list; the list decides.", "nothing, if the player has changed"),
    ("title-differs", "warning", "A title the list does not have for the player; the list decides.", "nothing, if the title is new"),
    ("unknown-federation", "warning", "A federation code FIDE does not know; kept as it stands.", "correct it if it matters"),
    ("unknown-title", "warning", "A title nobody knows; kept as it stands.", "correct it if it matters"),
    ("rating-differs", "warning", "Printed ratings are not those of the list in force at the start; the list decides.", "nothing, unless many differ: then look at dates and control"),
    ("unlikely-result", "warning", "A performance 600 points or more from the rating.", "look whether the id is right and no two players are exchanged"),
    ("two-ids", "warning", "Two ids that played have one name and birth on the list: perhaps one person.", "ask the federation; nothing is merged"),
)  # fmt: skip

_EVENTS: tuple[Row, ...] = (
    ("name-missing", "error acceptable", "The report names no event.", "add the name"),
    ("start-missing", "error", "The report does not say when the event began: the list in force cannot be told.", "add it, or decide `start 2026-10-03`"),
    ("end-missing", "error", "The report does not say when the event ended: the period cannot be told.", "add it, or decide `end 2026-10-05`"),
    ("dates-reversed", "error", "The event ends before it starts.", "correct one of the two, or decide `start ...` or `end ...`"),
    ("long-event", "warning", "An event of more than 30 days in one report.", "hand it over in parts, a report a month"),
    ("pace-unclear", "error", "Standard, rapid or blitz? The report does not say.", "`--control`, a folder called rapid, or decide `control rapid`"),
    ("after-period", "error", "The event ends after the month the period is named after.", "rate it in the period named, or correct the date"),
    ("after-closing", "warning", "The event ends after the closing day of the list; rated all the same.", "leave it for the next period if FIDE's list is to be met"),
    ("late", "warning", "The event belongs to an earlier list.", "nothing: it is rated with the ratings of its start"),
    ("too-late", "warning", "The event is so late that FIDE would not rate it.", "leave it out if FIDE's list is to be met"),
    ("before-oldest-list", "warning", "The event began before the oldest list here; that one is used.", "seal the months before"),
    ("duplicate-report", "error acceptable by name", "The same event with the same games, in this run or a sealed month.", "leave one out; accepted, both are rated as two events"),
    ("correction", "error acceptable by name", "The same event with other results or players, in this run or a sealed month.", "leave one out, or run the sealed month again with `--replace`; accepted, both are rated as two events"),
    ("rounds-again", "error acceptable by name", "Rounds that were handed over or rated before, with new ones added.", "hand over only the new rounds, or decide `leave out rounds 1-3`; accepted, both are rated as two events"),
)  # fmt: skip

_DECISIONS: tuple[Row, ...] = (
    ("decided", "note", "A decision was applied, with its reason.", "nothing"),
    ("decision-unused", "warning", "A decision matches nothing.", "correct the file or row, or delete the line"),
    ("decision-unknown", "error", "A decision that is not understood.", "write it as shown"),
    ("accept-unknown", "error", "`--accept` names a code that does not exist or may not be accepted.", "use a code of this page"),
    ("left-out", "note", "A report was left out: it is faulty and `--skip-faulty` was given.", "correct it and hand it over again"),
)  # fmt: skip

CHAPTERS: dict[str, tuple[Row, ...]] = {
    "Games": _GAMES,
    "Rounds": _ROUNDS,
    "Totals": _POINTS,
    "Players": _PLAYERS,
    "Events": _EVENTS,
    "Decisions": _DECISIONS,
}
