"""The page on a phone held upright: what a newcomer needs is in sight, and can be used by touch alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from ochibot.nyaa import Grid, Ruleset, best_of_pairs, ignite

from tests.ui.web import share
from tests.ui.web.pagetools import NARROW, TIE, cell, expect, opened, painted, shows, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

SIZES = ((390, 844), (390, 664), (360, 640), (320, 568))
LOW = ((390, 664), (320, 568))
TABS = ("value", "best", "play", "quiz", "tour", "help")

SMALL_TARGETS = """() => [...document.querySelectorAll("button, select, label, summary, input, textarea, a[href]")]
    .filter((one) => !one.closest("[hidden]") && !one.matches("label input, .skip") && one.getClientRects().length > 0)
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => Math.round(box.width) < 44 || Math.round(box.height) < 44)
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} is ${box.width} x ${box.height}`)"""
"""The controls that are smaller than a finger. A label's input is as large as its label."""
OUTSIDE = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".hidden, svg, .skip")
        && getComputedStyle(one).clipPath === "none")
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.left < -0.5 || box.right > innerWidth + 0.5))
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} from ${box.left} to ${box.right}`)"""
UNCOVERED = """(one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const found = document.elementFromPoint(x, y);
    const whole = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight + 0.5 && box.right <= innerWidth + 0.5;
    return whole && found !== null && (one.contains(found) || found.contains(one));
}"""
"""Whether a control lies whole in the window, and nothing lies on its middle."""


def phone(width: int, height: int) -> dict[str, object]:
    return {"viewport": {"width": width, "height": height}, "is_mobile": True, "has_touch": True}


def in_sight(control: Locator) -> Locator:
    """Asserts that a control can be seen and touched where the page is now, without scrolling."""
    expect(control).to_be_visible()
    assert control.evaluate(UNCOVERED), control
    return control


def tap(control: Locator) -> None:
    """Taps a control that is in sight. Playwright itself would scroll to it."""
    in_sight(control)
    box = control.bounding_box()
    assert box is not None
    control.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def swipe(page: Page, start: Locator, right: float, down: float) -> None:
    """Draws a finger across the page, by so many pixels."""
    box = in_sight(start).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 9):
        at = {"x": x + right * part / 8, "y": y + down * part / 8}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def tab(page: Page, name: str) -> None:
    tap(page.locator(f"#tab-{name}"))
    expect(page.locator(f"#tab-{name}")).to_have_attribute("aria-selected", "true")


def all_states(page: Page, name: str) -> None:
    """Opens a tab with all that it can show."""
    page.locator(f"#tab-{name}").tap()
    if name == "best":
        expect(page.locator(".best-now p")).to_be_visible()
        expect(page.locator(".best-moves li").first).to_be_attached()
    if name == "play":
        page.locator(".sides .small").evaluate("one => one.click()")
        page.locator(".threat").evaluate("one => { one.hidden = false; }")
        expect(page.locator(".other")).to_be_visible()
    if name == "quiz":
        page.locator(".quiz button.main").first.tap()
    if name == "tour":
        page.locator(".tour summary").evaluate("one => { one.parentElement.open = true; }")


@pytest.mark.long
@pytest.mark.parametrize(("width", "locale"), NARROW)
def test_targets_are_as_large_as_a_finger_and_nothing_leaves_the_screen(
    browser: Browser, address: str, width: int, locale: str
) -> None:
    height = 568 if width == 320 else 664
    for board, view in ((TIE, "mvs"), ("", "mvs"), (TIE, "both")):
        url = f"{address}/?view={view}&b={share.encode(board) if board else 1}"
        with opened(browser, url, locale=locale, **phone(width, height)) as page:
            for name in TABS:
                all_states(page, name)
                assert page.evaluate(SMALL_TARGETS) == [], (name, view)
                assert page.evaluate(OUTSIDE) == [], (name, view)
                assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.locator("#tab-value").tap()
            page.locator(".more").tap()
            assert page.evaluate(SMALL_TARGETS) == []
            assert page.evaluate(OUTSIDE) == []
            for at in (2, 3):
                page.locator(".share button").nth(at).dispatch_event("click")
                expect(page.locator("dialog[open]")).to_be_visible()
                assert page.evaluate(SMALL_TARGETS) == []
                assert page.evaluate(OUTSIDE) == []
                page.locator("dialog[open] .buttons button:last-child").tap()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_tabs_and_the_whole_board_are_in_sight_at_the_start(
    browser: Browser, address: str, width: int, height: int
) -> None:
    with opened(browser, address, **phone(width, height)) as page:
        for name in TABS:
            in_sight(page.locator(f"#tab-{name}"))
        for x, y in ((1, 1), (7, 1), (1, 12), (7, 12)):
            in_sight(cell(page, x, y))
        for part in page.locator(".edits button").all():
            in_sight(part)
        in_sight(page.locator(".lane.mvs .number"))


@pytest.mark.parametrize(("width", "height"), [pytest.param(390, 664, marks=pytest.mark.long), (320, 568)])
def test_a_newcomer_s_five_tasks_by_touch_alone(browser: Browser, address: str, width: int, height: int) -> None:
    """Paints, finds the best move, plays on, answers a question, and takes the tour. The test scrolls nothing."""
    with opened(browser, address, **phone(width, height)) as page:
        # paint a board and read its attack
        tap(page.get_by_role("button", name="Clear"))
        for x in (2, 3, 4):
            tap(cell(page, x, 1))
        tap(page.get_by_role("button", name="Needles instead of blocks"))
        tap(cell(page, 1, 1))
        expect(in_sight(page.locator(".lane.mvs .number"))).to_have_text("3")
        mine = painted(page)
        assert mine == "Rrrr..."
        # find the best move, and put it there
        tab(page, "best")
        found = best_of_pairs(Grid.parse("rrr...."), Ruleset.MVS)
        assert found is not None
        tap(page.get_by_role("button", name="Undo"))
        shows(page, ".rrr...")
        move = page.locator(".best-now")
        found = best_of_pairs(Grid.parse(".rrr..."), Ruleset.MVS)
        assert found is not None
        expect(move).to_contain_text(f"attack {found[1].low}")
        tap(move.get_by_role("button", name="Put it there"))
        expect(in_sight(page.locator(".lane.mvs .number"))).to_have_text(str(found[1].low))
        tap(page.get_by_role("button", name="Undo"))
        shows(page, ".rrr...")
        # steer a pair and drop it: with buttons, and with a finger on the board
        tab(page, "play")
        ghost = page.locator(".lane.mvs .ghost")
        expect(ghost).to_have_count(2)
        tap(page.get_by_role("button", name="Move left"))
        tap(page.get_by_role("button", name="Turn"))
        tap(page.get_by_role("button", name="Drop", exact=True))
        side = cell(page, 4, 6).bounding_box()
        assert side is not None
        before = painted(page)
        # columns 3 and 4 have one block each more
        assert before.split("\n")[-2][2:4].isalpha()
        swipe(page, cell(page, 4, 6), 2 * side["width"] + 4, 3)
        tap(cell(page, 4, 8))
        swipe(page, cell(page, 6, 9), 3, 4 * side["width"])
        after = painted(page)
        # the pair of blocks lies in columns 6 and 7
        assert after.split("\n")[-1][5:7].isalpha(), after
        assert len(after.replace(".", "")) == len(before.replace(".", "")) + 2
        own = after
        # answer a question
        tab(page, "quiz")
        tap(page.get_by_role("button", name="Another board"))
        field = page.get_by_label("Your answer")
        assert field.evaluate("one => one.inputMode") == "none"
        expect(field).not_to_be_focused()
        for x, y in ((1, 1), (7, 12)):
            in_sight(cell(page, x, y))
        answer = ignite(Grid.parse(painted(page)), Ruleset.MVS).low
        for digit in str(answer):
            tap(page.locator(".keypad").get_by_role("button", name=digit, exact=True))
        in_sight(field)
        tap(page.get_by_role("button", name="Answer", exact=True))
        expect(in_sight(page.locator(".verdict"))).to_contain_text("Right, in")
        # take the tour, and come back to one's own board
        tab(page, "tour")
        in_sight(page.locator(".stop h3"))
        tap(page.locator(".stop").get_by_role("button", name="Next", exact=True))
        expect(page.locator(".stop h3")).to_have_text("A block alone")
        assert painted(page) != own
        tab(page, "value")
        shows(page, own)


def test_a_finger_beside_the_board_scrolls_past_it(browser: Browser, address: str) -> None:
    with opened(browser, address, **phone(390, 664)) as page:
        board = painted(page)
        rail = page.get_by_role("button", name="Scroll past the board")
        swipe(page, rail, 0, -200)
        until(page, "scrollY > 100")
        assert painted(page) == board
        # until the page has come to rest
        page.evaluate(
            """() => new Promise((done) => { let last = -1; const look = () => {
                if (scrollY === last) done();
                else { last = scrollY; setTimeout(look, 250); }
            }; look(); })"""
        )
        page.evaluate("scrollTo(0, 0)")
        tap(rail)
        expect(page.locator(".account.mvs .chip").first).to_be_in_viewport()
        # the tabs stay in sight
        in_sight(page.locator("#tab-best"))


@pytest.mark.parametrize(("width", "height"), LOW)
def test_a_toast_is_beside_the_dock(browser: Browser, address: str, width: int, height: int) -> None:
    with opened(browser, address, **phone(width, height)) as page:
        tap(page.get_by_role("button", name="Clear"))
        for name, dock in (("value", ".tools"), ("best", ".best-now"), ("play", ".steer"), ("quiz", ".panel")):
            tab(page, name)
            tap(page.locator(".more"))
            tap(page.get_by_role("button", name="Save the wave as an animated GIF"))
            toast = page.locator(".toast").last.bounding_box()
            tools = page.locator(dock).bounding_box()
            assert toast is not None
            assert tools is not None
            assert toast["y"] + toast["height"] <= tools["y"]


def test_the_menu_closes(browser: Browser, address: str) -> None:
    with opened(browser, address, **phone(390, 664)) as page:
        item = page.get_by_role("button", name="Board as text")
        expect(item).to_be_hidden()
        tap(page.locator(".more"))
        in_sight(item)
        tap(cell(page, 4, 3))
        expect(item).to_be_hidden()
        page.locator(".more").focus()
        page.keyboard.press("Enter")
        expect(item).to_be_visible()
        page.keyboard.press("Escape")
        expect(item).to_be_hidden()
        expect(page.locator(".more")).to_be_focused()
