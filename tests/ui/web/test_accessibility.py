"""axe-core finds no violations on any tab, in both themes, on a desktop and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.web.pagetools import DESKTOP, PHONE, TIE, load, opened, shared

try:
    from axe_playwright_python.sync_playwright import Axe
except ImportError:
    pytest.skip("axe-core is missing: pip install axe-playwright-python", allow_module_level=True)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TABS = ("value", "best", "play", "quiz", "tour", "help")


def violations(page: Page) -> list[tuple[str, list[str]]]:
    found = Axe().run(page).response["violations"]
    return [(one["id"], [str(node["target"]) for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize(
    ("theme", "phone"),
    [
        pytest.param("light", False, marks=pytest.mark.long),
        pytest.param("dark", False, marks=pytest.mark.long),
        pytest.param("light", True, marks=pytest.mark.long),
        pytest.param("dark", True, marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing(browser: Browser, address: str, theme: str, phone: bool) -> None:
    options = {"color_scheme": theme, "viewport": PHONE if phone else DESKTOP, "is_mobile": phone, "has_touch": phone}
    with opened(browser, address, "404", bypass_csp=True, **options) as page:
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            assert violations(page) == [], tab
            if tab == "quiz":
                page.get_by_role("button", name="Another board").click()
                assert violations(page) == [], "a question"
        page.locator("#tab-value").click()
        load(page, TIE)
        assert violations(page) == [], "a tie"
        page.get_by_role("button", name="Clear").click()
        assert violations(page) == [], "examples"
        board_as_text = shared(page, "Board as text")
        assert violations(page) == [], "the menu"
        board_as_text.click()
        assert violations(page) == [], "the dialog"
        page.get_by_role("button", name="Load onto the board").click()
        for kept in (False, True):
            shared(page, "Kept boards").click()
            assert violations(page) == [], f"kept boards: {kept}"
            page.get_by_label("Name", exact=True).fill("one")
            page.get_by_role("button", name="Keep this board").click()
            assert violations(page) == [], "a board is kept"
            page.get_by_role("dialog").get_by_role("button", name="Close").click()
        page.locator("#tab-play").click()
        waiting = page.get_by_label("Blocks of nuisance")
        for count in ("5", "30", "255"):
            waiting.fill(count)
            waiting.press("Tab")
            assert violations(page) == [], f"{count} wait above"
        page.goto(f"{address}/no/such/page")
        assert violations(page) == [], "a wrong address"
