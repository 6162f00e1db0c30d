"""The page in a real Chromium: accessible names, shapes, sizes, themes, and a wrong address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from ochibot.nyaa import Grid

from tests.ui.web import share
from tests.ui.web.pagetools import TIE, Watch, expect, go, load, new_context

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_every_control_has_a_name(page: Page) -> None:
    load(page, TIE)
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    controls = ("button", "radio", "slider", "combobox", "gridcell", "grid", "link", "textbox")
    found = [node for node in nodes if not node["ignored"] and node["role"]["value"] in controls]
    assert len(found) > 2 * 84 + 20
    assert [node["role"]["value"] for node in found if not node.get("name", {}).get("value")] == []


def test_colours_are_never_all_there_is(page: Page) -> None:
    """The marks of the four colours and of nuisance have five different shapes."""
    marks = page.locator(".tools label:nth-of-type(-n+5) svg path:last-of-type").evaluate_all(
        "paths => paths.map(path => path.getAttribute('d'))"
    )
    assert len(marks) == len(set(marks)) == 5


def test_it_fits_every_screen(page: Page, address: str) -> None:
    go(page, f"{address}/?view=both&b={share.encode(str(Grid.parse(TIE)))}")
    for width, height in ((320, 568), (768, 1024), (1280, 720), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        wide = page.evaluate(
            "[...document.querySelectorAll('body *')].filter((one) => !one.closest('.hidden, nav, legend, .name')"
            " && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"
        )
        assert wide == [], (width, wide)
        for lane in ("mvs", "ps2"):
            board = page.locator(f".lane.{lane} .board").bounding_box()
            number = page.locator(f".lane.{lane} .number").bounding_box()
            assert board is not None
            assert number is not None
            assert number["x"] + number["width"] <= board["x"] + board["width"] + 2
            assert board["y"] + board["height"] <= height


def brightness(page: Page) -> int:
    """The sum of the background's red, green and blue."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


@pytest.mark.long
def test_a_wrong_address_shows_a_page_in_the_same_style(browser: Browser, address: str) -> None:
    context = new_context(browser, color_scheme="dark", locale="ja-JP")
    try:
        page = context.new_page()
        watch = Watch(page)
        page.goto(f"{address}/no/such/page")
        assert brightness(page) < 150
        page.emulate_media(color_scheme="light")
        assert brightness(page) > 600
        # as if the dark theme had been chosen on the calculator's page
        page.evaluate("localStorage.setItem('theme', 'dark')")
        page.reload()
        assert brightness(page) < 150
        expect(page.get_by_text("このページはありません")).to_be_visible()
        page.get_by_role("link", name="Go to the calculator").click()
        expect(page.locator(".lane.mvs .number")).to_have_text("84")
        watch.nothing_but("404")
    finally:
        context.close()


def test_light_and_dark(page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    button = page.get_by_role("button", name="Theme", exact=False)
    assert brightness(page) < 150
    button.click()
    assert brightness(page) > 600
    page.reload()
    assert brightness(page) > 600
    expect(button).to_have_accessible_name("Theme: light")
    button.click()
    button.click()
    expect(button).to_have_accessible_name("Theme: auto")
    assert brightness(page) < 150
    page.emulate_media(color_scheme="light")
    assert brightness(page) > 600
