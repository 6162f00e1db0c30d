"""The review's page for everybody: axe finds nothing, nothing overflows, and fingers can hit every control."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.web.pagetools import DESKTOP, LOOKS, NARROW, PHONE
from tests.ui.web.reviewdata import made_nyaa_review, made_review
from tests.ui.web.reviewtools import OVERFLOW, SMALL, reviewing, tab

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    pytest.skip("axe-core is missing: pip install axe-playwright-python", allow_module_level=True)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TABS = ("game", "puzzles", "summary", "board", "help")


def violations(page: Page) -> list[tuple[str, list[str]]]:
    found = Axe().run(page).response["violations"]
    return [(one["id"], [str(node["target"]) for node in one["nodes"]]) for one in found]


def every_state(page: Page, check: Any) -> None:
    """Calls check(name) in every state of a match's page worth looking at."""
    for name in TABS:
        tab(page, name)
        check(name)
    tab(page, "game")
    for at in range(6):
        page.locator(".film button").nth(at).click()
        check(f"move {at + 1}")
    page.locator(".choice").nth(1).click()
    check("a choice")
    tab(page, "puzzles")
    page.keyboard.press(" ")
    check("dropped")
    page.locator(".puzzledesk button").nth(1).click()
    check("the answer")
    tab(page, "board")
    page.get_by_role("textbox").fill("RRR")
    page.locator("button.main").last.click()
    check("a fault")
    page.locator(".pairedit button").nth(0).click()
    page.locator(".pairedit button").nth(1).click()
    page.locator("button.main").first.click()
    page.locator(".results li").first.wait_for()
    check("places")


@pytest.mark.long
@pytest.mark.parametrize(("theme", "phone", "locale"), LOOKS)
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, theme: str, phone: bool, locale: str) -> None:
    size = PHONE if phone else DESKTOP
    options = {"color_scheme": theme, "locale": locale, "viewport": size, "is_mobile": phone, "has_touch": phone}
    with reviewing(browser, tmp_path, made_review(seats=2, pieces=8), bypass_csp=True, **options) as page:

        def check(state: str) -> None:
            assert violations(page) == [], state

        every_state(page, check)


@pytest.mark.long
@pytest.mark.parametrize(("width", "locale"), NARROW)
def test_fingers_hit_everything_and_nothing_overflows(
    browser: Browser, tmp_path: Path, width: int, locale: str
) -> None:
    options = {"viewport": {"width": width, "height": 700}, "locale": locale, "is_mobile": True, "has_touch": True}
    with reviewing(browser, tmp_path, made_review(seats=2, pieces=8), **options) as page:

        def check(state: str) -> None:
            assert page.evaluate(OVERFLOW) == 0, state
            assert page.evaluate(SMALL) == [], state

        every_state(page, check)
    with reviewing(browser, tmp_path, made_nyaa_review(), **options) as page:
        for name in ("game", "puzzles", "summary", "help"):
            tab(page, name)
            assert page.evaluate(OVERFLOW) == 0, name
            assert page.evaluate(SMALL) == [], name


@pytest.mark.long
@pytest.mark.parametrize("size", [(1920, 1080), (1024, 600), (844, 390), (640, 400)])
def test_nothing_overflows_on_other_screens(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with reviewing(
        browser, tmp_path, made_review(seats=2, pieces=8), viewport={"width": size[0], "height": size[1]}
    ) as page:
        for name in TABS:
            tab(page, name)
            assert page.evaluate(OVERFLOW) == 0, name
