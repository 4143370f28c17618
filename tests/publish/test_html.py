"""The pages of a month: what stands in them, and how they behave in a real browser, from disk and without a network."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

sys.path += [str(Path(__file__).parent.parent / "desk"), str(Path(__file__).parent)]
from browser import CHROMIUM, Browser
from stand_in import IDLE, LUND, NOVEMBER, OCTOBER, OTHER, StandIn, game, month, november, october, player, rows

from fide_batch.model import CHANGES, LIST, PROBLEMS, Grid, Heading, Page, Refused, id_code
from fide_batch.publish import chart, html, html_list, html_site

ABOUT = {"edition": "classic", "edition_title": "The classic rules", "version": "1.0.0", "events": [], "decisions": []}
NASTY = "<script>alert(1)</script>&\"'"
MANY = [
    player(2_000_000 + number, f"Zetterlund{number:03d}, Ida", 1200 + number, country="ISL") for number in range(250)
]


def tables():
    """The month of the stand-in, with a name that is markup, and enough players for several screens of the list."""
    found = november()
    listed = [row for row in found["list"].to_pylist() if row["fideid"] != IDLE]
    found["list"] = rows(LIST, *listed, player(IDLE, NASTY, 1500, flag="i", rapid_rating=1444), *MANY)
    found["problems"] = rows(
        PROBLEMS, {"code": "late", "severity": "warning", "file": NASTY, "line": 3, "message": NASTY, "hint": "look"}
    )
    games = found["games"].to_pylist()
    games += [
        game("Autumn Open", 2, OTHER, LUND, 1617, "1", own=1651, difference=34, expected=5500, chg=4500, colour="b"),
        game("Autumn Open", 3, id_code("0042"), LUND, 1617, "0", own=1525, difference=-92, expected=3700, chg=-3700),
    ]
    found["games"] = month(games=games)["games"]
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("my pages #1")
    archive = StandIn({OCTOBER: october(), NOVEMBER: tables()}, {OCTOBER: {"kind": "list"}})
    html.write(folder / "list.html", archive, NOVEMBER, tables(), ABOUT)
    return folder


class Links(HTMLParser):
    """Every address in a page, and every id."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.ids, self.tags = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name in ("href", "src"):
                self.addresses.append(value)
            if name == "id":
                self.ids.append(value)


def pages(site):
    return sorted(site.rglob("*.html"))


# --- what stands in them


def test_month_events_list_and_a_page_for_everybody_who_played(site):
    names = {str(path.relative_to(site)) for path in pages(site)}
    assert {
        "list.html",
        "list_files/list.html",
        "list_files/events.html",
        "list_files/events/e-1.html",
        "list_files/events/e-2.html",
    } < names
    assert {
        "list_files/players/p-1000011.html",
        "list_files/players/p-0042.html",
        "list_files/players/p-73928E03.html",
    } < names
    assert f"list_files/players/p-{IDLE}.html" not in names


def test_every_link_leads_to_a_file_of_the_folder(site):
    for page in pages(site):
        links = Links(page.read_text("utf-8"))
        assert len(links.ids) == len(set(links.ids)), page
        for address in links.addresses:
            parts = urlsplit(address)
            assert parts.scheme in ("", "data") and not parts.netloc
            if parts.path and not parts.scheme:
                assert (page.parent / unquote(parts.path)).is_file(), f"{page}: {address}"
            if parts.fragment:
                assert parts.fragment in links.ids


def test_what_strangers_wrote_is_text(site):
    for path in [*pages(site), site / "list_files" / "list-data.js"]:
        assert "<script>alert" not in path.read_text("utf-8")
    assert "&lt;script&gt;alert(1)" in (site / "list.html").read_text("utf-8")


def test_signs_nobody_sees_are_made_visible(tmp_path):
    found = november()
    found["changes"] = rows(
        CHANGES, {"fideid": 1, "name": "Eve\x00\u202e\x1b", "control": "standard", "status": "delisted", "why": "x\x07"}
    )
    html.write(tmp_path / "a.html", StandIn({NOVEMBER: found}), NOVEMBER, found, ABOUT)
    for path in tmp_path.rglob("*.html"):
        assert not set(path.read_text("utf-8")) & set("\x00\u202e\x1b\x07")


def test_the_month_says_counts_gains_newcomers_and_why_games_do_not_count(site):
    text = (site / "list.html").read_text("utf-8")
    for said in (
        "255</strong> players on the list",
        "2</strong> events",
        "Lund, Maja",
        "+1",
        "Quist, Otto",
        "1922",
        "4 of 5 games",
        "opponent unrated (5.2)",
        "999 is below the floor of 1000.",
    ):
        assert said in text
    assert "rated by edition classic: The classic rules; fide-batch 1.0.0" in text


def test_player_page_is_fides_calculation_page(site):
    text = re.sub(r"<[^>]+>", " ", (site / "list_files/players/p-1000011.html").read_text("utf-8"))
    text = " ".join(text.split())
    assert "Before 1617 Games 7 Score 2.50 Expected 2.47 K 20 Sum +0.60 Change +1 After 1618" in text
    assert "Ro Rc W n chg K K*chg 1617 1588 1.00 2 -0.08 20 -1.60" in text
    assert "-783 *-400 0.08 -0.08 1000055 yes: difference 783 counts as 400 (8.3.1)" in text
    assert "no: opponent unrated (5.2)" in text
    assert "2026-10 1617 2026-11 1618" in text


def test_event_page_has_a_cross_table_by_points(site):
    text = re.sub(r"<[^>]+>", " ", (site / "list_files/events/e-1.html").read_text("utf-8"))
    text = " ".join(text.split())
    # Lund: two wins and a bye are three points; Ötvös one, =1+1 none. Lund's second round: black... white against number 2, lost.
    assert re.search(r"1 Lund, Maja 1617 \?w1 a 2w0 3b1 U b 3 2 1588 1.00 1.08 -1.60", text)
    assert re.search(r"2 Ötvös, Ada 1651 1b1 1", text)
    assert "a opponent unrated (5.2)" in text and "b pairing-allocated bye: not played (5.1)" in text


def test_the_same_month_gives_the_same_pages(site, tmp_path):
    archive = StandIn({OCTOBER: october(), NOVEMBER: tables()}, {OCTOBER: {"kind": "list"}})
    html.write(tmp_path / "list.html", archive, NOVEMBER, tables(), ABOUT)
    for path in site.rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / path.relative_to(site)).read_bytes()


def test_pages_are_replaced_as_a_whole_and_others_folders_are_not_touched(tmp_path):
    found = november()
    archive = StandIn({NOVEMBER: found})
    html.write(tmp_path / "a.html", archive, NOVEMBER, found, ABOUT)
    (tmp_path / "a_files" / "left-over.html").write_text("old")
    html.write(tmp_path / "a.html", archive, NOVEMBER, found, ABOUT)
    assert not (tmp_path / "a_files" / "left-over.html").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a_files"]
    (tmp_path / "b_files").mkdir()
    (tmp_path / "b_files" / "precious.txt").write_text("mine")
    with pytest.raises(Refused):
        html.write(tmp_path / "b.html", archive, NOVEMBER, found, ABOUT)
    assert (tmp_path / "b_files" / "precious.txt").read_text() == "mine" and not (tmp_path / "b.html").exists()


def test_month_of_nobody(tmp_path):
    found = month()
    html.write(tmp_path / "a.html", StandIn({NOVEMBER: found}), NOVEMBER, found, ABOUT)
    assert "No event was rated" in (tmp_path / "a_files" / "events.html").read_text("utf-8")


def test_one_answer_is_one_file(tmp_path):
    html.write_page(
        tmp_path / "a.html",
        Page(
            "Inactive <b>",
            (Heading("Part"), "text", Grid(("Name", "Rating"), ((NASTY, "1500"),), frozenset({"Rating"}), "Grid")),
        ),
    )
    text = (tmp_path / "a.html").read_text("utf-8")
    assert "Inactive &lt;b&gt;" in text and "<script>alert" not in text
    assert [address for address in Links(text).addresses if not address.startswith(("#", "data:"))] == []
    assert list(tmp_path.iterdir()) == [tmp_path / "a.html"]


# --- pictures


def test_bars_are_as_high_as_their_players():
    svg = chart.distribution({1500: 1}, {1500: 2, 1600: 1}, "Title <", "d")
    heights = [int(height) for height in re.findall(r'class="after"[^>]*height="(\d+)"', svg)]
    assert heights[0] == 2 * heights[1]
    assert "<title>1500 to 1599: 1 before, 2 after</title>" in svg and "Title &lt;" in svg


def test_a_hundred_is_a_bar():
    assert chart.bins([1599, 1500, 1600, 999]) == {1500: 2, 1600: 1, 900: 1}


def test_line_is_broken_where_the_player_was_unrated():
    svg = chart.rating_line([("2026-08", 1500), ("2026-09", None), ("2026-10", 1520), ("2026-11", 1510)], "T", "c")
    path = re.search(r'class="line" d="([^"]+)"', svg).group(1)
    assert path.count("M") == 2 and path.count("L") == 1 and svg.count("<circle") == 3


@pytest.mark.parametrize("months", [[], [("2026-11", 1500)], [("2026-10", None), ("2026-11", 1500)]])
def test_no_line_through_fewer_than_two_ratings(months):
    assert chart.rating_line(months, "T", "c") == ""


# --- in a browser

needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed (Debian: apt install chromium)")


@pytest.fixture(scope="module")
def browser():
    found = Browser()
    yield found
    found.close()


def rows_of(browser, table="#list"):
    return browser.run(
        f"[...document.querySelectorAll('{table} tbody tr')].map(row => [...row.cells].map(cell => cell.textContent.trim()))"
    )


def quiet(browser, site):
    """No complaint, and nothing asked for but files of the folder."""
    assert browser.complaints() == []
    assert all(url.startswith((site.resolve().as_uri(), "data:")) for url in browser.requests()), browser.requests()


@pytest.mark.browser
@needs_chromium
def test_every_page_opens_without_a_complaint_or_a_request(browser, site):
    for page in pages(site):
        browser.open(page)
        quiet(browser, site)
        assert browser.run("getComputedStyle(document.querySelector('.skip')).position") == "absolute", (
            "the style was not read"
        )
        assert browser.run("document.querySelectorAll('h1').length") == 1
    assert browser.run("'pwned' in window") is False


@pytest.mark.browser
@needs_chromium
def test_searching_the_list(browser, site):
    browser.open(site / "list_files" / "list.html")
    assert browser.run("document.getElementById('count').textContent") == "255 players, 1 to 100"
    browser.run("document.getElementById('q').focus()")
    browser.type("otvos")
    assert [row[0] for row in rows_of(browser)] == ["Ötvös, Ada"]
    assert browser.run("document.getElementById('count').textContent") == "1 player"
    browser.run("document.getElementById('q').value = ''")
    browser.type("maja lund")
    assert [row[0] for row in rows_of(browser)] == ["Lund, Maja"]
    browser.run("document.getElementById('q').value = ''")
    browser.type("73928e")
    assert [row[0] for row in rows_of(browser)] == ["Quist, Otto"]
    browser.run("document.getElementById('q').value = ''")
    browser.type("nobody at all")
    assert rows_of(browser) == [] and browser.run("document.getElementById('count').textContent") == "Nobody found"
    quiet(browser, site)


@pytest.mark.browser
@needs_chromium
def test_sorting_the_list_and_turning_pages(browser, site):
    browser.open(site / "list_files" / "list.html")
    browser.run(
        "[...document.querySelectorAll('#list th button')].find(button => button.textContent === 'Standard').click()"
    )
    assert [row[1] for row in rows_of(browser)[:3]] == ["2017", "1922", "1618"]
    assert browser.run("document.querySelector('#list th[aria-sort=descending]').textContent") == "Standard"
    browser.run(
        "[...document.querySelectorAll('#list th button')].find(button => button.textContent === 'Standard').click()"
    )
    assert rows_of(browser)[0][1] == "1200"
    browser.run("document.getElementById('next').click(); document.getElementById('next').click()")
    assert rows_of(browser)[-1][0] == "=1+1", "who has no rating stands last"
    assert browser.run("document.getElementById('next').hidden") is True
    browser.run(
        "document.getElementById('who').value = 'played'; document.getElementById('who').dispatchEvent(new Event('change'))"
    )
    assert len(rows_of(browser)) == 4
    quiet(browser, site)


@pytest.mark.browser
@needs_chromium
def test_markup_in_a_name_stays_text(browser, site):
    browser.open(site / "list_files" / "list.html")
    browser.run(
        "document.getElementById('q').value = 'alert(1)'; document.getElementById('q').dispatchEvent(new Event('input'))"
    )
    assert rows_of(browser)[0][0] == NASTY
    assert browser.run("document.querySelectorAll('#list script').length") == 0


@pytest.mark.browser
@needs_chromium
def test_from_the_month_to_a_player_by_keyboard_alone(browser, site):
    browser.open(site / "list.html")
    browser.press("Tab")
    assert browser.run("document.activeElement.textContent") == "Skip to the content"
    for _ in range(60):
        browser.press("Tab")
        if browser.run("document.activeElement.textContent") == "Lund, Maja":
            break
    assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid", (
        "the place of the keyboard must be seen"
    )
    browser.press("Enter")
    browser.settle("document.readyState === 'complete' && location.pathname.endsWith('p-1000011.html')")
    assert browser.run("document.querySelector('h1').textContent") == "Lund, Maja"
    assert browser.run("document.querySelectorAll('svg.chart').length") == 1
    quiet(browser, site)


@pytest.mark.browser
@needs_chromium
def test_tables_are_sorted_by_keyboard(browser, site):
    browser.open(site / "list_files" / "events" / "e-1.html")
    browser.run("[...document.querySelectorAll('th button')].find(button => button.textContent === 'Points').focus()")
    browser.press("Space")
    browser.press("Space")
    assert [row[1] for row in rows_of(browser, "table.cross")] == ["=1+1", "Ötvös, Ada", "Lund, Maja"]
    quiet(browser, site)


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("width", [390, 1400])
def test_no_page_is_wider_than_the_screen(browser, site, width):
    browser.size(width)
    try:
        for page in (
            site / "list.html",
            site / "list_files/list.html",
            site / "list_files/events/e-1.html",
            site / "list_files/players/p-1000011.html",
        ):
            browser.open(page)
            assert browser.run("document.documentElement.scrollWidth") <= width
    finally:
        browser.size(1400)


_SCROLLED = "[...document.querySelectorAll('.scroll')].filter(part => part.scrollWidth > part.clientWidth + 1).length"


@pytest.mark.browser
@needs_chromium
def test_on_a_phone_rows_stand_under_each_other_and_cells_say_what_they_are(browser, site):
    first = "document.querySelector('table.games tbody tr')"
    for width, media, row in ((390, "screen", "flex"), (1400, "screen", "table-row"), (390, "print", "table-row")):
        browser.size(width)
        browser.call("Emulation.setEmulatedMedia", media=media, features=[])
        try:
            browser.open(site / "list_files/players/p-1000011.html")
            assert browser.run(f"getComputedStyle({first}).display") == row
            label = browser.run(f"getComputedStyle({first}.cells[3], '::before').content")
            assert (label == 'attr(data-label) " "' or "Rating" in label) is (row == "flex")
            if row == "flex":
                for page in ("list.html", "list_files/events.html", "list_files/players/p-1000011.html"):
                    browser.open(site / page)
                    assert browser.run(_SCROLLED) == 0, page
        finally:
            browser.call("Emulation.setEmulatedMedia", media="", features=[])
            browser.size(1400)


def test_every_cell_of_a_stacked_table_has_the_text_of_its_head(site):
    stacked = 0
    for page in pages(site):
        for table in re.findall(r'<table class="[^"]*stack[^"]*">.*?</table>', page.read_text("utf-8"), re.DOTALL):
            heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', table)
            for row in re.findall(r"<tr.*?</tr>", table.partition("<tbody>")[2], re.DOTALL):
                stacked += 1
                assert re.findall(r'data-label="([^"]*)"', row) == heads, page
    assert stacked > 10


def test_a_first_rating_shows_its_steps(tmp_path):
    grid = Grid(("Event", "Ru"), ((NASTY, "1922"),), frozenset({"Ru"}), "The first rating, step by step")
    steps = {(OTHER, "standard"): [grid, "Rn = Ru, rounded 1922."], (OTHER, "rapid"): ["not of this control"]}
    html.write(tmp_path / "list.html", StandIn({NOVEMBER: tables()}), NOVEMBER, tables(), ABOUT, steps)
    text = (tmp_path / "list_files" / "players" / f"p-{OTHER}.html").read_text("utf-8")
    assert "The first rating, step by step" in text and "Rn = Ru, rounded 1922." in text
    assert NASTY not in text and "not of this control" not in text


@pytest.mark.browser
@needs_chromium
def test_screen_readers_find_names_for_everything(browser, site):
    browser.open(site / "list.html")
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node.get("ignored")}
    roles = {role for role, _ in named}
    assert {"navigation", "main", "heading", "table", "columnheader", "rowheader"} <= roles
    assert any(role == "image" and name.startswith("Standard ratings, before and after") for role, name in named)
    assert ("navigation", "Pages") in named
    assert not [role for role, name in named if role in ("link", "button", "image", "region") and not name]


_CONTRAST = """(() => {
  const part = v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
  const light = text => { const c = text.match(/[\\d.]+/g).slice(0, 3).map(part); return .2126 * c[0] + .7152 * c[1] + .0722 * c[2]; };
  const ground = light(getComputedStyle(document.body).backgroundColor), ink = light(getComputedStyle(document.querySelector('SELECTOR')).WHAT);
  return (Math.max(ground, ink) + .05) / (Math.min(ground, ink) + .05); })()"""


def _contrast(browser, selector, what):
    return browser.run(_CONTRAST.replace("SELECTOR", selector).replace("WHAT", what))


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_are_both_readable(browser, site, scheme):
    browser.call(
        "Emulation.setEmulatedMedia", media="screen", features=[{"name": "prefers-color-scheme", "value": scheme}]
    )
    try:
        browser.open(site / "list.html")
        ground = browser.run("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") is (scheme == "light")
        for selector in ("body", "main a", "footer", ".gain", ".cards li"):
            assert _contrast(browser, selector, "color") >= 4.5, selector
        assert _contrast(browser, ".chart .after", "fill") >= 3
    finally:
        browser.call("Emulation.setEmulatedMedia", media="", features=[])


@pytest.mark.browser
@needs_chromium
def test_paper_has_no_buttons_and_cuts_nothing(browser, site):
    browser.call("Emulation.setEmulatedMedia", media="print", features=[])
    try:
        browser.open(site / "list_files/list.html")
        assert browser.run("getComputedStyle(document.querySelector('nav')).display") == "none"
        assert browser.run("getComputedStyle(document.querySelector('.search')).display") == "none"
        assert browser.run("getComputedStyle(document.querySelector('.scroll')).overflowX") == "visible"
    finally:
        browser.call("Emulation.setEmulatedMedia", media="", features=[])


@pytest.mark.browser
@needs_chromium
def test_one_answer_works_alone(browser, tmp_path):
    path = tmp_path / "a.html"
    html.write_page(
        path, Page("Answer", (Grid(("Name", "Rating"), (("A", "1500"), ("B", "1600")), frozenset({"Rating"}), "Grid"),))
    )
    browser.open(path)
    quiet(browser, tmp_path)
    browser.run("[...document.querySelectorAll('th button')].find(button => button.textContent === 'Rating').click()")
    assert [row[0] for row in rows_of(browser, "table")] == ["B", "A"]


# --- very many players


def test_of_very_many_players_the_highest_rated_have_pages_and_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(html_site, "MOST_PLAYERS", 2)
    monkeypatch.setattr(html_list, "MOST", 100)
    archive = StandIn({NOVEMBER: tables()})
    html.write(tmp_path / "list.html", archive, NOVEMBER, tables(), ABOUT)
    # Ötvös 2017 and Quist 1922 are the highest of those who played.
    assert {path.name for path in (tmp_path / "list_files" / "players").iterdir()} == {
        f"p-{OTHER}.html",
        "p-73928E03.html",
    }
    text = (tmp_path / "list_files" / "list.html").read_text("utf-8")
    assert "The list has 255 players; this page holds the 50" in text
    for page in tmp_path.rglob("*.html"):
        for address in Links(page.read_text("utf-8")).addresses:
            path = urlsplit(address)
            assert path.scheme or not path.path or (page.parent / unquote(path.path)).is_file()
