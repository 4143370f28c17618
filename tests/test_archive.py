"""The sealed months: whole or not there, never overwritten, every altered byte named."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fide_batch.archive import Archive
from fide_batch.manifest import manifest_bytes, misshapen, plain_manifest_bytes, seal, sealed_bytes
from fide_batch.model import Period, Refused

OCTOBER, NOVEMBER, DECEMBER = Period(2026, 10), Period(2026, 11), Period(2026, 12)


def build(archive: Archive, period: Period, tables: dict[str, pa.Table], *, previous: object = None) -> None:
    """A month with one report, not committed."""
    with archive.building(period) as folder:
        for name, table in tables.items():
            folder.table(name, table)
        folder.keep({"reports/open.trf": b"012 Open\n"})
        folder.complete({"kind": "month", "previous": previous})


def month(archive: Archive, period: Period, rating: int) -> None:
    """Seal a month of one player."""
    earlier = [other for other in archive.periods() if other < period]
    previous = {"period": str(earlier[-1]), "manifest": archive.seal_hash(earlier[-1])} if earlier else None
    tables = {"list": pa.table({"fideid": pa.array([1], pa.int64()), "rating": [rating]})}
    build(archive, period, tables, previous=previous)
    archive.commit([period])


def rating(archive: Archive, period: Period) -> int:
    return archive.table(period, "list").column("rating").to_pylist()[0]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    made = Archive(tmp_path / "archive")
    with made.locked():
        month(made, OCTOBER, 2000)
        month(made, NOVEMBER, 2010)
    return made


def test_a_sound_archive_has_nothing_to_say(archive: Archive) -> None:
    assert archive.periods() == [OCTOBER, NOVEMBER]
    assert archive.damage(OCTOBER) == archive.damage(NOVEMBER) == []


def test_the_list_in_force_is_the_newest_not_after_the_day(archive: Archive) -> None:
    assert archive.list_in_force(date(2026, 9, 30)) is None
    assert archive.list_in_force(date(2026, 10, 1)) == OCTOBER
    assert archive.list_in_force(date(2026, 10, 31)) == OCTOBER
    assert archive.list_in_force(date(2026, 11, 1)) == NOVEMBER


def test_any_altered_byte_is_found_and_its_file_named(archive: Archive) -> None:
    for path in sorted((archive.folder / "2026-10").rglob("*")):
        if path.is_dir():
            continue
        sound = path.read_bytes()
        for place in {0, len(sound) // 3, len(sound) // 2, len(sound) - 1}:
            altered = bytearray(sound)
            altered[place] ^= 1
            path.write_bytes(bytes(altered))
            problems = Archive(archive.folder).damage(OCTOBER)
            assert any(problem.file.endswith(path.name) for problem in problems), (path.name, place)
        path.write_bytes(sound)
    assert Archive(archive.folder).damage(OCTOBER) == []


def test_a_manifest_rewritten_with_care_is_found_by_its_own_seal(archive: Archive) -> None:
    path = archive.folder / "2026-10" / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["rows"]["list"] = 2
    path.write_bytes(manifest_bytes(manifest))
    assert [problem.code for problem in Archive(archive.folder).damage(OCTOBER)] == ["archive-damaged"]


def test_files_missing_and_files_added_are_named(archive: Archive) -> None:
    (archive.folder / "2026-10" / "list.parquet").unlink()
    (archive.folder / "2026-10" / "reports" / "extra.trf").write_text("x")
    messages = {Path(problem.file).name: problem.message for problem in Archive(archive.folder).damage(OCTOBER)}
    assert messages == {
        "list.parquet": "the file is missing",
        "extra.trf": "the file does not belong to the sealed month",
    }


def test_the_chain_breaks_when_an_earlier_month_is_replaced(archive: Archive) -> None:
    with archive.locked():
        month(archive, OCTOBER, 2001)
    assert [problem.code for problem in archive.damage(NOVEMBER)] == ["archive-chain"]


def test_the_chain_breaks_when_an_earlier_month_is_taken_away(archive: Archive) -> None:
    shutil.rmtree(archive.folder / "2026-10")
    assert [problem.code for problem in archive.damage(NOVEMBER)] == ["archive-chain"]


def test_replacing_keeps_the_old_month_beside_it(archive: Archive) -> None:
    with archive.locked():
        month(archive, NOVEMBER, 2011)
        month(archive, NOVEMBER, 2012)
    assert rating(archive, NOVEMBER) == 2012
    assert (archive.folder / "2026-11.superseded-1").is_dir()
    assert (archive.folder / "2026-11.superseded-2").is_dir()
    assert archive.periods() == [OCTOBER, NOVEMBER]


def test_an_unfinished_month_is_no_month_and_is_cleared_away(archive: Archive) -> None:
    build(archive, DECEMBER, {})
    assert Archive(archive.folder).periods() == [OCTOBER, NOVEMBER]
    with archive.locked():
        assert not (archive.folder / "2026-12.partial").exists()


@pytest.mark.parametrize("killed_after", range(6))
def test_killed_between_any_two_renames_all_months_are_new_or_all_are_old(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, killed_after: int
) -> None:
    """Replacing two months takes one rename for the journal and two for each month."""
    renames = 0
    rename = Path.rename

    def dying(self: Path, target: Path) -> Path:
        nonlocal renames
        if renames == killed_after:
            raise KeyboardInterrupt
        renames += 1
        return rename(self, target)

    with archive.locked():
        for period, value in ((OCTOBER, 2001), (NOVEMBER, 2011)):
            tables = {"list": pa.table({"fideid": pa.array([1], pa.int64()), "rating": [value]})}
            build(archive, period, tables)
        monkeypatch.setattr(Path, "rename", dying)
        if killed_after < 5:
            with pytest.raises(KeyboardInterrupt):
                archive.commit([OCTOBER, NOVEMBER])
        else:
            archive.commit([OCTOBER, NOVEMBER])
        monkeypatch.undo()
    expected = {OCTOBER: 2000, NOVEMBER: 2010} if killed_after == 0 else {OCTOBER: 2001, NOVEMBER: 2011}
    seen = Archive(archive.folder)
    assert {period: rating(seen, period) for period in seen.periods()} == expected
    with seen.locked():
        assert {period: rating(seen, period) for period in seen.periods()} == expected
        assert not list(archive.folder.glob("*.partial"))
        assert not (archive.folder / "replacing.json").exists()


def test_the_second_of_two_runs_is_told(archive: Archive) -> None:
    with archive.locked(), pytest.raises(Refused) as refused, Archive(archive.folder).locked():
        pass
    assert refused.value.problems[0].code == "archive-busy"


def test_a_month_of_a_later_layout_is_refused_with_what_to_do(archive: Archive) -> None:
    path = archive.folder / "2026-10" / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"format": 1', b'"format": 2'))
    with pytest.raises(Refused) as refused:
        Archive(archive.folder).manifest(OCTOBER)
    assert refused.value.problems[0].code == "archive-format"
    assert "newer" in refused.value.problems[0].hint


def test_the_same_month_gives_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for name in ("a", "b"):
        made = Archive(tmp_path / name)
        with made.locked():
            month(made, OCTOBER, 2000)
        found.append(
            {
                path.relative_to(made.folder).as_posix(): path.read_bytes()
                for path in sorted((made.folder / "2026-10").rglob("*"))
                if path.is_file()
            }
        )
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "more", [{}, {"told": {"a": ['\n "version": ']}}, {"version": "1", "told": {}}, {"sea": 1, "seals": 2}]
)
def test_a_manifest_sealed_as_it_is_written_is_the_same_as_sealed_and_then_written(more):
    manifest = {"kind": "month", "files": {"reports/ä.trf": "0"}, "rows": {"told": 1}, **more}
    digest, text = sealed_bytes(manifest)
    assert digest == seal(manifest)
    assert text == manifest_bytes({**manifest, "seal": digest})


def long_manifest(**changes: object) -> dict[str, object]:
    """Of a month with very many reports, none of them in the archive."""
    events = [
        {"file": f"open-{place}.trf", "name": f"Open {place}", "format": "TRF16", "sha256": "0" * 64, "fingerprint": "1" * 64, "key": "2" * 400}
        for place in range(400)
    ]  # fmt: skip
    return {
        "kind": "month", "format": 1, "period": "2026-10", "version": "1.0.0", "edition": {"name": "classic", "rules": "classic", "sha256": "3"},
        "events": events, "files": {f"reports/{event['file']}": event["sha256"] * 8 for event in events}, "rows": {"list": 1, "games": 2},
        "left_out": [], "decisions": [], "said": {"control": ""}, "told": {}, "base": None, "previous": None, "days": ["2026-09-01", "2026-09-30"],
    } | changes  # fmt: skip


def with_manifest(folder: Path, text: bytes) -> Archive:
    """An archive of which only a manifest is there."""
    (folder / "2026-10").mkdir(parents=True, exist_ok=True)
    (folder / "2026-10" / "manifest.json").write_bytes(text)
    return Archive(folder)


INSIDE = {"events", "files"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"events": []},
        {"files": {}},
        {"base": {"period": "2026-09", "file": '\n "events": [', "sha256": "4"}},
        {"decisions": [{"file": "a.trf", "reason": "x" * 100_000}]},
        {"told": {"files": [{"message": "y" * 100_000}]}},
        {"version": 'z\n "format": 1,'},
    ],
)
def test_the_cover_is_what_the_manifest_says_but_for_events_and_files(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    manifest = long_manifest(**changes)
    cover = with_manifest(tmp_path, sealed_bytes(manifest)[1]).cover(OCTOBER)
    assert {key: value for key, value in cover.items() if key not in INSIDE | {"seal"}} == {
        key: value for key, value in manifest.items() if key not in INSIDE
    }


def test_the_cover_of_a_month_with_very_many_reports_is_read_without_them(tmp_path: Path) -> None:
    text = sealed_bytes(long_manifest())[1]
    assert len(text) > 300_000
    assert not INSIDE & with_manifest(tmp_path, text).cover(OCTOBER).keys()


def test_the_cover_of_a_month_laid_out_otherwise_is_its_whole_manifest(tmp_path: Path) -> None:
    manifest = long_manifest()
    for text in (json.dumps(manifest), json.dumps(manifest, indent=2), json.dumps(manifest, indent=1)):
        cover = with_manifest(tmp_path, text.encode()).cover(OCTOBER)
        assert {key: value for key, value in cover.items() if key not in INSIDE} == {
            key: value for key, value in manifest.items() if key not in INSIDE
        }


def said_of(ask: object) -> object:
    """What a manifest or cover says, or what is wrong with it."""
    try:
        return {key: value for key, value in ask(OCTOBER).items() if key not in INSIDE}  # type: ignore[operator]
    except Refused as refused:
        return refused.problems


def test_a_cover_with_any_byte_altered_says_what_the_whole_manifest_says(tmp_path: Path) -> None:
    """Only what stands among the events and files is not seen by who reads the cover."""
    manifest = long_manifest(
        base={"period": "2026-09", "file": "list.txt", "sha256": "4"},
        decisions=[{"file": "a.trf", "reason": "ä"}],
        events=[dict.fromkeys(("file", "name", "sha256", "fingerprint", "key", "format"), "x")],
        files={"list.parquet": "0"},
    )
    sound = sealed_bytes(manifest)[1]
    begin, end = sound.index(b'\n "events"') + len(b'\n "events": ['), sound.index(b'\n "format"')
    for place in (*range(begin), *range(end, len(sound))):
        for bit in (0, 1, 4, 5, 7):
            altered = bytearray(sound)
            altered[place] ^= 1 << bit
            archive = with_manifest(tmp_path, bytes(altered))
            assert said_of(archive.cover) == said_of(Archive(tmp_path).manifest), (place, bit, bytes(altered))


@pytest.mark.parametrize("days", ["2026-10-01", ["2026-10-01"], [1, 2], {}, ["a", "b", "c"], 7])
def test_days_that_are_none_are_an_alteration(tmp_path: Path, days: object) -> None:
    archive = with_manifest(tmp_path, manifest_bytes(long_manifest(days=days)))
    for ask in (archive.cover, archive.manifest):
        with pytest.raises(Refused) as refused:
            ask(OCTOBER)
        assert "days are" in refused.value.problems[0].message


@pytest.mark.parametrize("event", ["x", 1, None, [], {}, {"file": "a", "name": "b", "sha256": "c", "fingerprint": "d"}, {"file": "a", "name": "b", "sha256": "c", "fingerprint": "d", "key": None}])  # fmt: skip
@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_no_event_is_named_wherever_it_stands(event: object, place: int) -> None:
    events: list[object] = [dict.fromkeys(("file", "name", "sha256", "fingerprint", "key"), "x")] * 2
    assert misshapen(long_manifest(events=events)) == ""
    events.insert(place, event)
    assert misshapen(long_manifest(events=events)) == f"{event!r:.80} is no event"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), _JSON))
def test_a_manifest_is_written_as_json_indents_it(manifest):
    assert manifest_bytes(json.loads(json.dumps(manifest))) == plain_manifest_bytes(manifest)


def test_a_manifest_of_very_many_levels_is_written_too():
    deep: dict = {}
    for _ in range(400):
        deep = {"a": [deep]}
    assert json.loads(manifest_bytes(deep)) == deep


@pytest.mark.parametrize("columns", [None, ["name", "fideid"], ["word"]])
@pytest.mark.parametrize("fideid", [-5, 1, 7, 200_000, 10**9])
def test_the_rows_of_a_player_are_those_of_the_whole_table(tmp_path, columns, fideid):
    ids = np.random.default_rng(1).integers(0, 100_000, 300_000)
    ids[::999], ids[5] = 7, 200_000
    table = pa.table({
        "fideid": ids, "name": [f"Player {id_}" for id_ in ids.tolist()],
        "word": pa.DictionaryArray.from_arrays(pa.array(ids % 3, pa.int32()), ["a", "b", "c"]),
    })  # fmt: skip
    archive = Archive(tmp_path / "archive")
    with archive.locked():
        build(archive, OCTOBER, {"games": table})
        archive.commit([OCTOBER])
    whole = table.filter(pa.compute.equal(table["fideid"], fideid))
    rows = archive.table(OCTOBER, "games", columns, fideid)
    assert rows.schema.names == (columns or table.column_names)
    assert rows.to_pylist() == whole.select(columns or table.column_names).to_pylist()


@pytest.mark.parametrize("fideid", [0, 8_191, 8_192, 8_193, 24_999, 25_000, -1])
def test_a_player_whose_rows_stand_in_two_blocks_is_found_in_both(tmp_path: Path, fideid: int) -> None:
    """Two rows a player in the order of ids, but for the first, who has one: blocks of 16,384 rows part those of every 8,192nd."""
    ids = np.repeat(np.arange(25_000), 2)[1:]
    kept = pa.table({"fideid": ids, "scores": [[id_, place] for place, id_ in enumerate(ids.tolist())]})
    archive = Archive(tmp_path / "archive")
    with archive.locked():
        build(archive, OCTOBER, {"kept": kept})
        archive.commit([OCTOBER])
    whole = kept.filter(pa.compute.equal(kept["fideid"], fideid))
    assert archive.table(OCTOBER, "kept", None, fideid).to_pylist() == whole.to_pylist()


def test_the_row_of_a_player_is_found_wherever_he_stands_on_the_list(tmp_path: Path) -> None:
    """He is looked for first where he stood in the month before."""
    archive = Archive(tmp_path / "archive")
    ids = np.random.default_rng(2).permutation(400_000)
    with archive.locked():
        for period, order in ((OCTOBER, ids), (NOVEMBER, ids[::-1]), (DECEMBER, ids)):
            build(archive, period, {"list": pa.table({"fideid": order, "rating": order % 1000})})
            archive.commit([period])
    for fideid in (int(ids[0]), int(ids[-1]), int(ids[150_000])):
        for period in (OCTOBER, NOVEMBER, DECEMBER, OCTOBER):
            assert archive.table(period, "list", None, fideid).to_pylist() == [
                {"fideid": fideid, "rating": fideid % 1000}
            ]
    assert archive.table(OCTOBER, "list", None, 400_000).num_rows == 0
