"""The picture dialog in all states: axe-core finds nothing, controls are large enough, and nothing overflows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.ui.web.pagetools import DESKTOP, expect, opened, shared
from tests.ui.web.pictureart import random_board, screen
from tests.ui.web.picturemaking import png
from tests.ui.web.test_accessibility import violations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

BUTTONS = {"en-GB": ("From a picture", "Mark the board"), "ja-JP": ("画像から", "盤面の場所を示す")}
SMALL = """() => [...document.querySelectorAll(".from-picture :is(button, [role=gridcell], .check), .stage > button")]
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
WIDE = """() => [document.documentElement.scrollWidth - innerWidth,
    ...[...document.querySelectorAll(".from-picture, .from-picture *")].filter((one) => one.getClientRects().length > 0
        && !one.classList.contains("hidden")).map((one) => Math.max(one.getBoundingClientRect().right - innerWidth,
        -one.getBoundingClientRect().left))].filter((over) => over > 0.5)"""


def states(page: Page, locale: str) -> Iterator[str]:
    """Goes through the dialog; yields the name of each state."""
    start, mark = BUTTONS[locale]
    give = page.locator(".from-picture input[type=file]")
    shared(page, start).click()
    expect(page.locator(".picture-known")).to_be_visible()
    yield "start"
    give.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": png(Image.linear_gradient("L"))})
    expect(page.get_by_role("button", name=mark)).to_be_visible()
    yield "no board"
    page.get_by_role("button", name=mark).click()
    expect(page.locator(".marker-corner").first).to_be_visible()
    yield "marking"
    boards = [random_board(1), random_board(2)]
    give.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": png(screen(boards))})
    expect(page.locator(".picture-choice")).to_have_count(2)
    yield "choosing"
    page.locator(".picture-choice").first.click()
    expect(page.locator(".read-cells .doubtful").first).to_be_visible()
    yield "read"
    page.locator(".read-bar > button").click()
    expect(page.locator(".from-picture")).to_be_hidden()
    shared(page, start).click()
    expect(page.locator(".picture-known button")).to_be_visible()
    yield "taught"


@pytest.mark.parametrize(
    ("theme", "width", "locale"),
    [
        pytest.param("light", 320, "ja-JP", marks=pytest.mark.long),
        pytest.param("dark", 320, "en-GB", marks=pytest.mark.long),
        pytest.param("light", 360, "en-GB", marks=pytest.mark.long),
        pytest.param("dark", 390, "ja-JP", marks=pytest.mark.long),
        pytest.param("dark", 1280, "en-GB", marks=pytest.mark.long),
        pytest.param("light", 1280, "ja-JP", marks=pytest.mark.long),
    ],
)
def test_every_state_is_accessible_and_fits(
    browser: Browser, address: str, theme: str, width: int, locale: str
) -> None:
    hand = width < 900
    options = {"color_scheme": theme, "locale": locale, "is_mobile": hand, "has_touch": hand, "bypass_csp": True}
    viewport = {"width": width, "height": 640} if hand else DESKTOP
    with opened(browser, f"{address}/?b=1", "blob:", viewport=viewport, **options) as page:
        for state in states(page, locale):
            assert violations(page) == [], state
            assert page.evaluate(SMALL) == [], state
            assert page.evaluate(WIDE) == [], state


@pytest.mark.long
def test_the_focus_stays_in_the_dialog(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/?b=1", "blob:") as page:
        for state in states(page, "en-GB"):
            assert page.evaluate("document.activeElement.closest('.from-picture') !== null"), state
        page.keyboard.press("Escape")
        expect(page.locator(".from-picture")).to_be_hidden()
        expect(page.get_by_role("button", name="From a picture")).to_be_focused()


def test_a_board_can_be_corrected_by_keyboard(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/?b=1", "blob:") as page:
        shared(page, "From a picture").click()
        page.locator(".from-picture input[type=file]").set_input_files(
            {"name": "a.png", "mimeType": "image/png", "buffer": png(screen([random_board(1)]))}
        )
        cells = page.locator(".read-cells [role=gridcell]")
        expect(cells.first).to_have_attribute("aria-label", "column 1, row 12: empty")
        focused = page.locator(".read-cells [tabindex='0']")
        expect(focused).to_be_focused()
        for _ in range(12):
            page.keyboard.press("ArrowUp")
        for _ in range(7):
            page.keyboard.press("ArrowLeft")
        expect(cells.first).to_be_focused()
        page.keyboard.press("G")
        expect(cells.first).to_have_attribute("aria-label", "column 1, row 12: green needle")
        # the next doubtful cell has the focus
        expect(page.locator(".read-cells .doubtful").first).to_be_focused()
        cells.first.focus()
        page.keyboard.press("Delete")
        expect(cells.first).to_have_attribute("aria-label", "column 1, row 12: empty")
