"""The live page in a real browser: it shows what real games show, says how its connection stands, fits every screen."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from ochibot.review.report import page_of
from ochibot.ui.web.app import FEATURES
from ochibot.ui.web.live.api import TRIES, Door, Feed, feature_of
from ochibot.ui.web.live.link import PAGE
from ochibot.ui.web.live.process import _PAGE_FILE

from tests.titles import NYAA, PUYO
from tests.ui.web.live import serving_as
from tests.ui.web.livegames import moments
from tests.ui.web.pagetools import DESKTOP, LOOKS, NARROW, PHONE, Watch, expect, new_context, until
from tests.ui.web.reviewtools import OVERFLOW, SMALL
from tests.ui.web.share import encode

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Moments = list[dict[str, Any]]


@pytest.fixture(scope="module")
def solo() -> Moments:
    return moments(PUYO, 420)


@pytest.fixture(scope="module")
def needles() -> Moments:
    return moments(NYAA, 700)


@pytest.fixture(scope="module")
def match() -> Moments:
    return moments(PUYO, 0, pieces=10, versus=True)


class Game:
    """A game that the test tells moment by moment."""

    def __init__(self, url: str, server: Any, feed: Feed, door: Door) -> None:
        self.url, self.server, self.feed, self.door = url, server, feed, door

    def tell(self, kind: str, content: Any, *, last: bool = False) -> None:
        self.feed.put(kind, json.dumps(content).encode(), last=last)

    def show(self, found: Moments, at: int = -1) -> dict[str, Any]:
        """Tells the newest ``about`` and the state at an index. Returns the state."""
        about = [one["content"] for one in found if one["kind"] == "about"][-1]
        state: dict[str, Any] = [one["content"] for one in found if one["kind"] == "state"][at]
        self.tell("about", about)
        self.tell("state", state)
        return state


@contextlib.contextmanager
def game(*, closed: bool = False) -> Iterator[Game]:
    feed, door = Feed(), Door(closed=closed)
    pages = {PAGE: _PAGE_FILE.read_text("utf-8"), "puyo.html": page_of(None)}
    with serving_as(None, (*FEATURES, feature_of(feed, door, 2)), pages=pages) as (url, server):
        try:
            yield Game(url, server, feed, door)
        finally:
            feed.close()


@contextlib.contextmanager
def opened(browser: Browser, game: Game, *problems: str, **options: Any) -> Iterator[Page]:
    """The page in a new context. At the end, asserts that it had no errors but ``problems``."""
    options.setdefault("viewport", DESKTOP)
    options.setdefault("locale", "en-GB")
    context = new_context(browser, **options)
    try:
        page = context.new_page()
        watch = Watch(page)
        page.goto(f"{game.url}/{PAGE}")
        yield page
        watch.nothing_but("blob:", "data:", *problems)
    finally:
        context.close()


def falling(found: Moments) -> list[int]:
    """The indices of the states in which all seats have a piece and a plan."""
    states = [one["content"] for one in found if one["kind"] == "state"]
    return [
        at
        for at, state in enumerate(states)
        if state["seats"] and all(seat.get("piece") and "plan" in seat for seat in state["seats"])
    ]


DRAWN = """(at) => {
    const seat = document.querySelectorAll(".seat")[at];
    const places = (layer) => [...seat.querySelectorAll(`svg.board .${layer} > g`)]
        .map((one) => /translate\\((-?\\d+) (-?\\d+)\\)/.exec(one.getAttribute("transform")))
        .map(([, x, y]) => `${x / 40},${y / 40}`).sort();
    return {field: places("field"), piece: places("piece"), plan: places("plan")};
}"""


def placed(cells: Any) -> list[str]:
    return sorted(f"{x},{y}" for x, y, *_ in cells)


def test_it_draws_what_the_game_shows(browser: Browser, solo: Moments, needles: Moments, match: Moments) -> None:
    with game() as one:
        for found in (solo, needles, match):
            at = falling(found)[-1]
            state = one.show(found, at)
            with opened(browser, one) as page:
                expect(page.locator(".status")).to_have_text("Live")
                expect(page.locator(".frames")).to_contain_text(f"Frame {state['frame']:,}")
                columns = 7 if found is needles else 6
                for number, seat in enumerate(state["seats"]):
                    drawn = page.evaluate(DRAWN, number)
                    cells = [
                        (cell % columns, cell // columns) for cell, code in enumerate(seat["field"]) if code != "."
                    ]
                    assert drawn["field"] == placed(cells)
                    assert drawn["piece"] == placed(seat["piece"])
                    assert drawn["plan"] == placed(seat["plan"]["cells"])
                    box = page.locator(".seat").nth(number)
                    expect(box.locator(".of-score dd")).to_have_text(f"{seat['score']:,}")
                    expect(box.locator(".of-pieces dd")).to_have_text(str(seat["pieces"]))
                    expect(box.locator(".of-plan dd")).to_contain_text(f"column {seat['plan']['column']}")
                    assert box.locator(".next").count() == len(seat["next"])


def test_a_wait_goes_on_under_the_page_s_policy(browser: Browser, solo: Moments) -> None:
    """The page forbids ``eval``: Playwright's own wait fails there unless its first look finds the condition true."""
    with game() as one:
        one.show(solo, falling(solo)[0])
        with opened(browser, one) as page:
            page.evaluate("() => { setTimeout(() => { window.later = true; }, 100); }")
            until(page, "window.later === true")


def test_it_follows_the_game(browser: Browser, solo: Moments) -> None:
    """Each of a hundred frames replaces the one before."""
    states = [one["content"] for one in solo if one["kind"] == "state"]
    first = falling(solo)[0]
    with game() as one:
        one.show(solo, first)
        with opened(browser, one) as page:
            expect(page.locator(".of-score")).to_be_visible()
            for state in states[first : first + 100]:
                one.tell("state", state)
            last = states[first + 99]["seats"][0]
            until(page, f"({DRAWN})(0).piece.join() === {json.dumps(','.join(placed(last['piece'])))}")
            one.tell("reach", {"1": {"steps": 3, "made": 1234, "sent": 17}})
            expect(page.locator(".of-reach dd")).to_have_text("1,234 points, at most a 3-chain")
            expect(page.locator(".of-sends dd")).to_have_text("17")


@pytest.mark.long
def test_little_motion_where_it_is_wanted(browser: Browser, solo: Moments) -> None:
    states = [one["content"] for one in solo if one["kind"] == "state"]
    first = falling(solo)[0]
    pictures = {}
    for motion in ("reduce", "no-preference"):
        with game() as one:
            one.show(solo, first)
            with opened(browser, one, reduced_motion=motion) as page:
                expect(page.locator(".of-score")).to_be_visible()
                page.evaluate(
                    """() => {
                        globalThis.pictures = 0;
                        const piece = document.querySelector(".piece");
                        new MutationObserver(() => { globalThis.pictures += 1; })
                            .observe(piece, {subtree: true, attributes: true, childList: true});
                    }"""
                )
                for state in states[first : first + 120]:
                    one.tell("state", state)
                    page.wait_for_timeout(8)
                pictures[motion] = page.evaluate("globalThis.pictures")
    assert pictures["reduce"] <= 5 < 15 < pictures["no-preference"]


@pytest.mark.long
def test_it_says_how_the_connection_stands(browser: Browser, solo: Moments) -> None:
    at = falling(solo)[0]
    with game() as one, opened(browser, one, "Failed to load", "ERR_") as page:
        status = page.locator(".status")
        expect(status).to_have_text("Going through the menus")
        state = one.show(solo, at)
        expect(status).to_have_text("Live")
        one.tell("state", {**state, "paused": True})
        expect(status).to_have_text("Paused")
        one.tell("state", {**state, "seats": [{"seat": 1, "phase": "menus"}]})
        expect(status).to_have_text("Going through the menus")
        one.tell("state", {**state, "seats": [{**state["seats"][0], "phase": "over"}]})
        expect(page.locator(".badge")).to_have_text("Game over")
        # nothing comes any more, and the connection stands
        expect(status).to_contain_text("No new frame")
        one.tell("state", state)
        expect(status).to_have_text("Live")
        expect(page.locator(".badge")).to_be_hidden()
        one.server.should_exit = True
        one.feed.close()
        expect(status).to_have_text("The connection is lost. Trying again …")
        assert page.evaluate(DRAWN, 0)["piece"] == placed(state["seats"][0]["piece"]), "the last picture stays"


@pytest.mark.long
def test_it_says_that_the_game_has_ended(browser: Browser, solo: Moments) -> None:
    with game() as one, opened(browser, one, "Failed to load", "ERR_") as page:
        one.show(solo)
        expect(page.locator(".status")).to_have_text("Live")
        one.tell("end", {"why": "pieces", "frame": 1}, last=True)
        expect(page.locator(".status")).to_have_text("The game has ended: all pieces were played")
        one.server.should_exit = True
        page.wait_for_timeout(5_000)
        # that the server has gone is no news after the end
        expect(page.locator(".status")).to_have_text("The game has ended: all pieces were played")


def test_a_frozen_moment_is_edited_on_the_analysis_board(browser: Browser, solo: Moments) -> None:
    at = falling(solo)[-1]
    with game() as one, opened(browser, one) as page:
        state = one.show(solo, at)
        expect(page.locator(".status")).to_have_text("Live")
        assert page.locator(".edit:visible").count() == 0
        page.keyboard.press(" ")
        expect(page.locator(".status")).to_have_text("Frozen: the game goes on")
        one.show(solo, at - 1)
        one.show(solo, 30)
        page.wait_for_timeout(200)
        seat = state["seats"][0]
        assert page.evaluate(DRAWN, 0)["piece"] == placed(seat["piece"]), "the picture stands still"
        with page.expect_popup() as popup:
            page.get_by_role("link", name="Edit on the analysis board").click()
        board = popup.value
        board.get_by_role("button", name="This field as text").click()
        rows = re.findall("." * 6, seat["field"])
        assert board.get_by_role("textbox").input_value() == "\n".join(rows[min(12, _first(rows)) :])
        assert board.get_by_role("combobox", name="Rules").input_value() == "famicom"
        letters = ".RGBYPCo"
        colours = {"R": "red", "G": "green", "B": "blue", "Y": "yellow", "P": "purple", "C": "cyan"}
        pairs = [[code for *_, code in seat["piece"]], *seat["next"]]
        for number, pair in enumerate(pairs):
            names = (
                board.locator(".pairedit")
                .nth(number)
                .locator("button")
                .evaluate_all("all => all.map(e => e.ariaLabel)")
            )
            partner, axis = (next(word for word in colours.values() if word in name) for name in names)
            assert [axis, partner] == [colours[letters[code]] for code in pair]
        board.close()
        page.get_by_role("button", name="Go on").click()
        expect(page.locator(".status")).to_have_text("Live")
        assert page.locator(".edit:visible").count() == 0


def _first(rows: list[str]) -> int:
    return next((at for at, row in enumerate(rows) if row != "......"), len(rows))


def test_a_frozen_moment_is_edited_in_the_calculator(browser: Browser, needles: Moments) -> None:
    at = falling(needles)[-1]
    with game() as one, opened(browser, one) as page:
        state = one.show(needles, at)
        page.get_by_role("button", name="Freeze").click()
        link = page.get_by_role("link", name="Edit in the calculator")
        field = "\n".join(re.findall("." * 7, state["seats"][0]["field"]))
        assert link.get_attribute("href") == f"./?b={encode(field)}"
        with page.expect_popup() as popup:
            link.click()
        expect(popup.value.locator(".lane.mvs .number")).not_to_have_text("…")
        shown = popup.value.locator(".lane.mvs [role=gridcell]").evaluate_all("all => all.map((one) => one.ariaLabel)")
        assert sum("empty" not in name for name in shown) == sum(letter not in ".\n" for letter in field)


def test_the_code_is_typed_once(browser: Browser, solo: Moments) -> None:
    problems = ("401", "403", "429")
    with game(closed=True) as one, opened(browser, one, *problems, viewport=PHONE) as page:
        one.show(solo, falling(solo)[0])
        field = page.get_by_role("textbox", name="The code")
        expect(field).to_be_focused()
        assert page.locator(".seat").count() == 0
        field.fill("000000" if one.door.code != "000000" else "111111")
        page.get_by_role("button", name="Watch").click()
        expect(page.get_by_role("alert")).to_have_text("This isn't the code.")
        field.fill(one.door.code)
        page.keyboard.press("Enter")
        expect(page.locator(".status")).to_have_text("Live")
        page.reload()
        expect(page.locator(".status")).to_have_text("Live")
        # an address from this machine's terminal has the code; it doesn't stay in the address
        page.context.clear_cookies()
        page.goto("about:blank")
        page.goto(f"{one.url}/{PAGE}#code={one.door.code}")
        expect(page.locator(".status")).to_have_text("Live")
        assert page.url.endswith(PAGE)
        page.context.clear_cookies()
        page.reload()
        for _ in range(TRIES):
            page.get_by_role("textbox", name="The code").fill("x")
            page.get_by_role("button", name="Watch").click()
            expect(page.get_by_role("alert")).not_to_be_empty()
        expect(page.get_by_role("alert")).to_contain_text(re.compile("isn't the code|too many"))
        page.get_by_role("button", name="Watch").click()
        expect(page.get_by_role("alert")).to_contain_text("too many wrong codes")


def test_both_languages_say_the_same_things(browser: Browser, solo: Moments) -> None:
    shape = """(texts) => {
        const parts = (one, path = "") => Object.entries(one).flatMap(([name, value]) => typeof value === "object"
            ? parts(value, `${path}${name}.`)
            : [`${path}${name}:${typeof value}:${value.length * (typeof value === "function")}`]);
        return Object.values(ochibotLive.texts).map((text) => parts(text));
    }"""
    with game() as one, opened(browser, one, locale="ja-JP") as page:
        one.show(solo, falling(solo)[0])
        english, japanese = page.evaluate(shape)
        assert english == japanese
        expect(page.locator(".status")).to_have_text("ライブ")
        expect(page.locator("h2")).to_contain_text("速さ10")
        page.get_by_role("button", name="English").click()
        expect(page.locator(".status")).to_have_text("Live")
        expect(page.locator(".of-score dt")).to_have_text("Score")
        assert page.locator("html").get_attribute("lang") == "en"
        page.get_by_role("button", name="Colours: automatic").click()
        page.get_by_role("button", name="Colours: light").click()
        assert page.locator("html").get_attribute("data-theme") == "dark"


@contextlib.contextmanager
def every_state(browser: Browser, found: Moments, check: Any, **options: Any) -> Iterator[None]:
    """Calls check(page, name) in every state of the page worth looking at."""
    with game() as one, opened(browser, one, "Failed to load", "ERR_", **options) as page:
        check(page, "nothing yet")
        state = one.show(found, falling(found)[-1])
        one.tell("reach", {str(seat["seat"]): {"steps": 12, "made": 123_456, "sent": 999} for seat in state["seats"]})
        page.locator(".of-sends").first.wait_for()
        check(page, "live")
        page.locator("button.main").click()
        page.locator(".edit").first.wait_for()
        check(page, "frozen")
        page.locator("button.main").click()
        over = [{**seat, "phase": "over"} for seat in state["seats"]]
        one.tell("state", {**state, "seats": over})
        page.locator(".badge").first.wait_for()
        check(page, "over")
        one.tell("end", {"why": "contradiction", "frame": 1}, last=True)
        expect(page.locator(".status")).to_have_attribute("data-link", "ended")
        check(page, "ended")
    with game(closed=True) as one, opened(browser, one, "401", "403", **options) as page:
        page.locator("#code").fill("1")
        page.locator("button.main").click()
        expect(page.get_by_role("alert")).not_to_be_empty()
        check(page, "the code")
    yield


@pytest.mark.parametrize(
    ("width", "locale"),
    [
        pytest.param(width, locale, marks=() if (width, locale) == (320, "en-GB") else pytest.mark.long)
        for width, locale in (*NARROW, (844, "ja-JP"), (1280, "en-GB"))
    ],
)
def test_fingers_hit_everything_and_nothing_overflows(
    browser: Browser, match: Moments, needles: Moments, width: int, locale: str
) -> None:
    def check(page: Page, name: str) -> None:
        assert page.evaluate(OVERFLOW) == 0, name
        assert page.evaluate(SMALL) == [], name

    options = {"viewport": {"width": width, "height": 640}, "locale": locale, "is_mobile": width < 1000}
    for found in (match, needles):
        with every_state(browser, found, check, has_touch=width < 1000, **options):
            pass


@pytest.mark.parametrize(
    ("theme", "phone", "locale"),
    [pytest.param(*look, marks=() if look == ("dark", True, "en-GB") else pytest.mark.long) for look in LOOKS],
)
def test_axe_finds_nothing(browser: Browser, match: Moments, theme: str, phone: bool, locale: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install axe-playwright-python").Axe

    def check(page: Page, name: str) -> None:
        found = axe().run(page).response["violations"]
        assert [(one["id"], [str(node["target"]) for node in one["nodes"]]) for one in found] == [], name

    size = PHONE if phone else DESKTOP
    options = {"color_scheme": theme, "viewport": size, "locale": locale, "is_mobile": phone, "has_touch": phone}
    with every_state(browser, match, check, bypass_csp=True, **options):
        pass
