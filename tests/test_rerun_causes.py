"""rerun names the event that moved a rating, in whichever month it was, and keeps the list a later month was started from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fide_batch import run
from fide_batch.archive import Archive
from fide_batch.model import Period
from fide_batch.rerun import rerun, verify

LIST = """fideid,name,rating,k
90000011,"Alder, Ann",2000,20
90000029,"Birch, Bob",1900,20
90000037,"Cedar, Cid",1800,20
90000053,"Elm, Eve",1700,20
90000061,"Fir, Fay",1600,20
90000070,"Gorse, Guy",1300,20
"""
HEAD = "Event,{name}\nStart,2026-{month}-10\nEnd,2026-{month}-12\nControl,standard\n\n"
# The newcomer meets three rated players; they do not meet one another, so it is no round robin.
FIRST = """No,Name,FideID,R1,R2,R3
1,"Alder, Ann",90000011,4w1,,
2,"Birch, Bob",90000029,,4w1,
3,"Cedar, Cid",90000037,,,4w½
4,"Newman, Ned",90000045,1b0,2b0,3b½
"""
SECOND = """No,Name,FideID,R1,R2,R3
1,"Alder, Ann",90000011,2w1,,4w1
2,"Elm, Eve",90000053,1b0,4w½,
3,"Fir, Fay",90000061,4w0,,
4,"Newman, Ned",90000045,3b1,2b½,1b0
"""


def changes_after_a_correction(folder: Path, first: str, corrected: str, second: str) -> dict[tuple[str, int], Any]:
    """Two months, then the first with its corrected report: the rows by month and player."""
    (folder / "list.csv").write_text(LIST)
    (folder / "first.csv").write_text(HEAD.format(name="First Open", month="01") + first)
    (folder / "second.csv").write_text(HEAD.format(name="Second Open", month="02") + second)
    workspace = folder / "federation"
    run.init(workspace, folder / "list.csv", Period(2026, 1), "classic")
    for month, report in ((2, "first.csv"), (3, "second.csv")):
        outcome = run.run(workspace, Period(2026, month), [folder / report], run.Options())
        assert outcome.rated is not None, outcome.problems
    (folder / "first.csv").write_text(HEAD.format(name="First Open", month="01") + corrected)
    seen: list[dict[str, Any]] = []

    def agreed(rows: list[dict[str, Any]], problems: list[Any]) -> bool:
        seen.extend(rows)
        return False

    rerun(workspace, Period(2026, 2), [folder / "first.csv"], agreed)
    return {(row["period"], row["fideid"]): row for row in seen}


def test_a_first_rating_names_the_earlier_month_whose_result_was_corrected(tmp_path: Path) -> None:
    corrected = FIRST.replace("4w½", "4w0").replace("3b½", "3b1")
    newman = changes_after_a_correction(tmp_path, FIRST, corrected, SECOND)["2026-03", 90000045]
    assert newman["old"] is not None and newman["new"] > newman["old"]
    assert newman["events"] == ["First Open"]


def test_an_event_that_gave_the_same_points_to_another_rating_is_no_cause(tmp_path: Path) -> None:
    """2010 or 2000 against 1300: the difference counts as 400 either way."""
    first = 'No,Name,FideID,R1\n1,"Alder, Ann",90000011,2w1\n2,"Birch, Bob",90000029,1b0\n'
    second = 'No,Name,FideID,R1\n1,"Alder, Ann",90000011,2w1\n2,"Gorse, Guy",90000070,1b0\n'
    rows = changes_after_a_correction(tmp_path, first, first.replace("2w1", "2w½").replace("1b0", "1b½"), second)
    assert rows["2026-02", 90000011]["events"] == ["First Open"] and not rows["2026-02", 90000011]["before"]
    assert rows["2026-03", 90000011]["events"] == [] and rows["2026-03", 90000011]["before"]


def test_a_later_month_that_started_from_a_list_of_its_own_starts_from_it_again(tmp_path: Path) -> None:
    """The list handed over has the date of the month before, which is rated again too."""
    imported = tmp_path / "imported.csv"
    imported.write_text(LIST.replace('"Elm, Eve",1700', '"Oak, Eve",1777'))
    (tmp_path / "list.csv").write_text(LIST)
    workspace = tmp_path / "federation"
    run.init(workspace, tmp_path / "list.csv", Period(2026, 1), "classic")
    for month, report, list_file in ((2, FIRST, None), (3, SECOND, imported)):
        sheet = tmp_path / f"{month}.csv"
        sheet.write_text(HEAD.format(name=f"Open {month}", month=f"{month - 1:02}") + report)
        sealed = run.run(workspace, Period(2026, month), [sheet], run.Options(list_file=list_file))
        assert sealed.rated is not None, sealed.problems
    seen: list[dict[str, Any]] = []

    def agreed(rows: list[dict[str, Any]], problems: list[Any]) -> bool:
        seen.extend(rows)
        return True

    rerun(workspace, Period(2026, 2), [], agreed)
    assert seen == []
    assert verify(workspace, [])[1] == []


def test_a_correction_reaches_who_is_missing_in_a_list_of_a_later_month(tmp_path: Path) -> None:
    """Cid is not in the list handed over for March: his rating comes from February, also when February is corrected. Ann's comes from that list."""
    (tmp_path / "list.csv").write_text(LIST)
    imported = tmp_path / "imported.csv"
    imported.write_text("".join(line for line in LIST.splitlines(True) if "Cedar" not in line).replace("2000", "2055"))
    first = 'No,Name,FideID,R1\n1,"Alder, Ann",90000011,2w1\n2,"Cedar, Cid",90000037,1b0\n'
    corrected = first.replace("2w1", "2w0").replace("1b0", "1b1")
    sheets = {name: tmp_path / f"{name}.csv" for name in ("first", "second", "corrected")}
    second = 'No,Name,FideID,R1\n1,"Birch, Bob",90000029,2w1\n2,"Elm, Eve",90000053,1b0\n'
    for name, month, report in (("first", 1, first), ("second", 2, second), ("corrected", 1, corrected)):
        sheets[name].write_text(HEAD.format(name=f"Open {month}", month=f"{month:02}") + report)

    def lived(workspace: Path, february: str) -> dict[int, int]:
        run.init(workspace, tmp_path / "list.csv", Period(2026, 1), "classic")
        for month, name, list_file in ((2, february, None), (3, "second", imported)):
            assert run.run(workspace, Period(2026, month), [sheets[name]], run.Options(list_file=list_file)).rated
        return ratings(workspace)

    def ratings(workspace: Path) -> dict[int, int]:
        players = Archive(workspace / "archive").table(Period(2026, 3), "list")
        return dict(zip(players["fideid"].to_pylist(), players["rating"].to_pylist(), strict=True))

    before, right = lived(tmp_path / "federation", "first"), lived(tmp_path / "right", "corrected")
    assert before[90000037] == 1795 and right[90000037] == 1815 and before[90000011] == right[90000011] == 2055

    assert rerun(tmp_path / "federation", Period(2026, 2), [sheets["corrected"]], lambda *_: True)
    assert ratings(tmp_path / "federation") == right
    assert verify(tmp_path / "federation", [])[1] == []
    bases = [Archive(tmp_path / name / "archive").table(Period(2026, 3), "base") for name in ("federation", "right")]
    assert bases[0].equals(bases[1])
    said = [Archive(tmp_path / name / "archive").manifest(Period(2026, 3))["base"] for name in ("federation", "right")]
    assert said[0] == said[1] and said[0]["added"] == 1
