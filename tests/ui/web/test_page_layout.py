"""The layout on every screen; and nothing of the previous board stays in view when the engine fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ui.web import share
from tests.ui.web.pagetools import BRANCHES, PHONE, cell, expect, has_values, load, opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TWINS = ".bBb...\n.brb...\nbbbb..."
"""A board with two starts whose tails are equal."""
SCREENS = {
    "1920": (1920, 1080, "en-GB"),
    "1280": (1280, 800, "ja-JP"),
    "1024": (1024, 600, "en-GB"),
    "upright": (390, 844, "en-GB"),
    "sideways": (844, 390, "ja-JP"),
    "narrow": (320, 640, "en-GB"),
    "narrow in Japanese": (320, 640, "ja-JP"),
    "zoomed": (640, 400, "ja-JP"),
}

OVERLAPS = """selectors => {
    const boxes = selectors.flatMap((one) => [...document.querySelectorAll(one)])
        .map((one) => [one, one.getBoundingClientRect()]).filter(([, box]) => box.width > 0 && box.height > 0);
    const found = [];
    boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
        if (one.contains(other) || other.contains(one)) return;
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) {
            found.push(`${one.className || one.tagName} and ${other.className || other.tagName}`);
        }
    }));
    return found;
}"""


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_overlaps_and_nothing_leaves_the_screen(browser: Browser, address: str, screen: str) -> None:
    width, height, locale = SCREENS[screen]
    hand = width < 900
    for board, view in ((TWINS, "both"), (TWINS, "mvs"), ("......." * 12, "mvs")):
        url = f"{address}/?view={view}&b={share.encode(board) if board is TWINS else 1}"
        size = {"width": width, "height": height}
        with opened(browser, url, viewport=size, locale=locale, is_mobile=hand, has_touch=hand) as page:
            parts = [
                ".tails h3",
                ".chip",
                ".worth",
                ".lane .note",
                ".board",
                ".player",
                ".examples",
                ".account",
                ".share",
            ]
            assert page.evaluate(OVERLAPS, parts) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            box = page.locator(".lane:visible .board").first.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            tops = page.locator(".player > button").evaluate_all("buttons => buttons.map(button => button.offsetTop)")
            assert len(set(tops)) == 1
            # all tabs in one row
            tops = page.locator("[role=tab]").evaluate_all("tabs => tabs.map(tab => tab.offsetTop)")
            assert len(set(tops)) == 1
            if not hand:
                # the running total is on the screen too
                total = page.locator(".player .progress").bounding_box()
                assert total is not None
                assert total["y"] + total["height"] <= height


def test_on_a_phone_help_and_tour_are_seen_at_once(browser: Browser, address: str) -> None:
    url = f"{address}/?b={share.encode(TWINS)}"
    with opened(browser, url, viewport=PHONE, is_mobile=True, has_touch=True) as page:
        page.get_by_role("tab", name="Help").tap()
        expect(page.locator(".help h3").first).to_be_in_viewport()
        page.get_by_role("tab", name="Tour").tap()
        for part in (".stop h3", ".lane.mvs .board", ".player button.main"):
            expect(page.locator(part).first).to_be_in_viewport(ratio=1)
        expect(page.locator(".side")).to_be_hidden()


def test_on_a_phone_on_its_side_tools_and_value_stay_in_sight(browser: Browser, address: str) -> None:
    url = f"{address}/?b={share.encode(TWINS)}"
    size = {"width": 844, "height": 390}
    with opened(browser, url, viewport=size, is_mobile=True, has_touch=True) as page:
        page.evaluate("scrollTo(0, 9999)")
        expect(cell(page, 4, 1)).to_be_in_viewport(ratio=1)
        for part in (".lane.mvs .number", ".tools label:first-of-type", ".edits button:last-child", "#tab-value"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_the_running_total_says_what_it_is_of(page: Page) -> None:
    load(page, BRANCHES)
    total = page.locator(".player .sum")
    expect(total).to_have_text("tails in all: 8")
    page.get_by_role("button", name="One step on").click()
    expect(total).to_have_text("tails so far: 0")
    page.get_by_role("button", name="One step on").click()
    expect(total).to_have_text("tails so far: 2")


def test_the_bonus_names_its_start_and_equal_starts_share_a_row(page: Page) -> None:
    load(page, TWINS)
    account = page.locator(".account.mvs")
    expect(account.locator(".reckoning")).to_contain_text("4 % × 1 tail (of start 1) of 8")
    expect(account.locator("h3")).to_have_text(["starts 1 and 2, each"])
    expect(account.locator(".chip")).to_have_text(["4"])
    expect(page.locator(".lane.mvs .start text")).to_have_text(["1", "2"])


def test_a_day_left_out_ends_the_days_in_a_row(page: Page) -> None:
    page.evaluate(
        """() => localStorage.setItem("practice", JSON.stringify(
            { run: 2, bestRun: 5, days: 3, bestDays: 4, last: "2020-01-31" }))"""
    )
    page.get_by_role("tab", name="Practice").click()
    expect(page.locator(".quiz .sums")).to_contain_text("Right in a row: 2 (most: 5)")
    expect(page.locator(".quiz .sums")).to_contain_text("Days in a row: 0 (most: 4)")


def test_nothing_of_another_board_stays_when_the_engine_fails(page: Page) -> None:
    load(page, BRANCHES)
    has_values(page, "8", "8")
    page.evaluate("() => { Uint8Array.prototype.subarray = () => { throw new Error('broken'); }; }")
    cell(page, 1, 1).click()
    has_values(page, "…", "…")
    expect(page.locator("#alert")).to_contain_text("This is a bug of the page: broken")
    for account in page.locator(".account-body").all():
        assert account.inner_text().strip() == ""
    expect(page.locator(".badge")).to_have_count(0)


def test_nothing_of_another_board_stays_when_the_best_moves_fail(page: Page) -> None:
    load(page, BRANCHES)
    page.get_by_role("tab", name="Best").click()
    expect(page.locator(".results li").first).to_be_visible()
    expect(page.locator(".lane.mvs .hint").first).to_be_attached()
    page.evaluate("() => { Array.prototype.unshift = () => { throw new Error('broken'); }; }")
    cell(page, 1, 1).click()
    expect(page.locator(".results")).to_have_text("This is a bug of the page: broken")
    expect(page.locator(".hint")).to_have_count(0)
