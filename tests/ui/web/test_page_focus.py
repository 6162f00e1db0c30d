"""The page by keyboard: a control that its own press turns off, hides or replaces doesn't lose the keyboard's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.web.pagetools import BRANCHES, TIE, cell, expect, go, load, painted, until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SMALL = "...R...\n...r..."
TABS = ("Value", "Best", "Play on", "Practice", "Tour", "Help")


def rendered(page: Page) -> None:
    """Waits for the next two pictures: Chromium takes the focus from a control at once, or when it draws the page."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def press(control: Locator, key: str = "Enter") -> None:
    control.focus()
    control.page.keyboard.press(key)
    rendered(control.page)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def stays(control: Locator) -> None:
    """Asserts that the control has kept the focus, although it is off."""
    expect(control).to_be_focused()
    expect(control).to_be_disabled()


def test_the_outcomes_of_a_tie(page: Page) -> None:
    load(page, TIE)
    account = page.locator(".account.ps2")
    on, back = button(page, "The next outcome"), button(page, "The outcome before")
    for control, words in ((on, "5 + 6 + 6 = 17"), (back, "6 + 6 = 12")):
        press(control)
        stays(control)
        press(control)
        stays(control)
        expect(account.locator(".reckoning")).to_contain_text(words)


def test_the_steps_of_a_wave(page: Page) -> None:
    load(page, BRANCHES)
    for name, shown in (("One step on", "step 3 of 3"), ("One step back", "step 0 of 3")):
        control = button(page, name)
        for _ in range(4):
            press(control)
        stays(control)
        expect(page.locator(".player .step")).to_have_text(shown)


def test_undo_and_redo(page: Page) -> None:
    """Somebody who holds Enter on Undo must not redo at the end."""
    load(page, SMALL)
    load(page, BRANCHES)
    for name, board in (("Undo", ""), ("Redo", BRANCHES)):
        control = button(page, name)
        for _ in range(4):
            press(control)
        stays(control)
        assert painted(page).strip(".\n") == board.strip(".\n")


@pytest.mark.parametrize("name", ["Play", "slider"])
def test_the_player_of_an_empty_board(page: Page, name: str) -> None:
    load(page, SMALL)
    control = page.get_by_role("slider") if name == "slider" else button(page, name)
    press(control, "Control+z")
    stays(control)
    press(control)
    stays(control)
    expect(page.locator(".player .step")).to_have_text("no waves")


def test_the_stops_of_the_tour(page: Page) -> None:
    page.get_by_role("tab", name="Tour", exact=True).click()
    page.locator(".tour summary").click()
    stops = page.locator(".stops button")
    last = stops.count()
    for name, near, there, end in (("Next", last - 2, last - 1, last), ("Back", 3, 2, 1)):
        stops.nth(near - 1).click()
        control = page.locator(".stop").get_by_role("button", name=name)
        for at in (there, end, end):
            press(control)
            expect(control).to_be_focused()
            expect(page.locator(".stop")).to_contain_text(f"{at} of {last}")
        stays(control)


def test_the_variants_of_a_stop(page: Page) -> None:
    page.get_by_role("tab", name="Tour", exact=True).click()
    press(page.locator(".tour summary"))
    chosen = page.get_by_role("button", name="Problem 3: the same shape, turned")
    press(chosen)
    expect(chosen).to_be_focused()
    for name in "BAB":
        press(button(page, name))
        expect(button(page, name)).to_be_focused()
        expect(page.get_by_role("button", name=name, exact=True, pressed=True)).to_be_visible()


def test_an_example(page: Page) -> None:
    press(page.locator(".examples button").first)
    expect(page.locator(".examples")).to_be_hidden()
    expect(button(page, "Play")).to_be_focused()


def test_the_tails_of_the_account(page: Page) -> None:
    load(page, SMALL)
    load(page, BRANCHES)
    chips = page.locator(".account.ps2 .chip")
    expect(chips).to_have_count(3)
    press(chips.nth(2), "Control+z")
    expect(chips).to_have_count(1)
    expect(chips.nth(0)).to_be_focused()
    page.keyboard.press("Control+z")
    rendered(page)
    expect(cell(page, 4, 1, "ps2")).to_be_focused()


def test_the_best_moves(page: Page) -> None:
    load(page, BRANCHES)
    page.get_by_role("tab", name="Best", exact=True).click()
    puts = page.locator(".best-moves").get_by_role("button")
    expect(puts).not_to_have_count(0)
    before = painted(page)
    old = puts.nth(1).element_handle()
    assert old is not None
    press(puts.nth(1))
    assert painted(page) != before
    until(page, "old => !old.isConnected", old)
    rendered(page)
    expect(puts.nth(1)).to_be_focused()


def test_the_best_moves_of_a_board_that_has_none(page: Page) -> None:
    load(page, BRANCHES)
    page.get_by_role("tab", name="Best", exact=True).click()
    puts = page.locator(".best-moves").get_by_role("button")
    expect(puts).not_to_have_count(0)
    press(puts.first, "Control+z")
    expect(puts).to_have_count(0)
    rendered(page)
    expect(page.locator(".best input[type=checkbox]")).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize("ends", ["Answer", "Show me", "typed"])
@pytest.mark.parametrize("asked", ["Board of", "Another board"])
def test_a_question_that_has_been_answered(page: Page, asked: str, ends: str) -> None:
    page.get_by_role("tab", name="Practice", exact=True).click()
    asker = page.get_by_role("button", name=asked)
    press(asker)
    expect(page.get_by_label("Your answer")).to_be_focused()
    page.keyboard.type("7")
    if ends == "typed":
        press(page.get_by_label("Your answer"))
    else:
        press(button(page, ends))
    expect(page.get_by_label("Your answer")).to_be_hidden()
    expect(asker).to_be_focused()


def test_an_alert_that_is_closed(page: Page, address: str) -> None:
    go(page, f"{address}/?b=1&view=neither")
    press(button(page, "Close"))
    expect(page.get_by_role("alert").get_by_role("button")).to_have_count(0)
    expect(page.locator("input[name=view]:checked")).to_be_focused()


def test_a_board_that_vanishes_when_one_goes_back(page: Page, address: str) -> None:
    go(page, f"{address}/?b=1&view=mvs")
    page.evaluate("history.pushState(null, '', '?b=1&view=both')")
    page.get_by_role("radio", name="Both", exact=True).check()
    cell(page, 4, 1, "ps2").focus()
    page.evaluate("history.back()")
    expect(page.locator(".lane.ps2")).to_be_hidden()
    rendered(page)
    expect(cell(page, 4, 1)).to_be_focused()


@pytest.mark.long
@pytest.mark.parametrize("tab", TABS)
def test_no_press_loses_the_focus(page: Page, tab: str) -> None:
    """Presses every button of a tab in turn; on the first tab all others too, but those that share."""
    load(page, TIE)
    page.get_by_role("tab", name=tab, exact=True).click()
    where = ".nyaa :not(.share) > button" if tab == "Value" else "#panel button"
    controls = page.locator(f"{where}, #panel summary")
    pressed = 0
    for at in range(100):
        # the best moves of the board before are replaced a little later
        expect(page.locator(".results.stale")).to_have_count(0)
        if at >= controls.count():
            break
        control = controls.nth(at)
        if control.is_visible() and control.evaluate("control => control.closest('[inert]') === null"):
            name = control.inner_text()
            press(control)
            assert page.evaluate("document.activeElement !== document.body"), name
            pressed += 1
    assert pressed > 2 or tab == "Help"
