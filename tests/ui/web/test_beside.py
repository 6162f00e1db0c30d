"""The calculator and the analysis board link to each other where both are served or exported, and nowhere else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ochibot.cli.livepage import pages
from ochibot.review.report import page_of
from ochibot.ui.web.export import STATIC, export

from tests.ui.web.live import serving
from tests.ui.web.pagetools import DESKTOP, Watch, expect, new_context, until
from tests.ui.web.reviewtools import OVERFLOW
from tests.ui.web.test_export import hosted

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = {
    "en-GB": ("Analysis board for Puyo Puyo", "Calculator for Pochi & Nyaa", "Share and save"),
    "ja-JP": ("ぷよぷよの検討盤", "ポチッとにゃ〜 計算機", "共有と保存"),
}


def opened(browser: Browser, **options: Any) -> Page:
    options.setdefault("viewport", DESKTOP)
    return new_context(browser, reduced_motion="reduce", **options).new_page()


def faults(page: Page) -> list[str]:
    """What axe finds."""
    playwright = pytest.importorskip("axe_playwright_python.sync_playwright")
    return [one["id"] for one in playwright.Axe().run(page).response["violations"]]


def go(page: Page, name: str, *, touch: bool) -> None:
    """Follows a link by touch, or by keyboard alone."""
    link = page.get_by_role("link", name=name, exact=True)
    if touch:
        box = link.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        link.tap()
        return
    for _ in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("(one) => one === document.activeElement"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{name} isn't reached by Tab")


@pytest.mark.parametrize(
    ("small", "locale"),
    [
        pytest.param(small, locale, marks=() if (small, locale) == (True, "ja-JP") else pytest.mark.long)
        for small in (True, False)
        for locale in NAMES
    ],
)
def test_each_leads_to_the_other_and_back(browser: Browser, locale: str, small: bool) -> None:
    board, calculator, more = NAMES[locale]
    size = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True} if small else {}
    with serving(pages=pages()) as address:
        page = opened(browser, locale=locale, service_workers="block", **size)
        watch = Watch(page)
        page.goto(f"{address}/")
        expect(page.locator(".lane.mvs .number")).not_to_be_empty()
        assert page.evaluate(OVERFLOW) <= 0
        if small:
            page.get_by_role("button", name=more).tap()
        assert faults(page) == []
        go(page, board, touch=small)
        page.wait_for_url("**/puyo.html")
        assert page.evaluate(OVERFLOW) <= 0
        assert faults(page) == []
        # the link is named anew in the other language, once
        page.locator("#language").click()
        expect(page.get_by_role("link", name=calculator, exact=True)).to_have_count(0)
        expect(page.locator(".beside")).to_have_count(1)
        page.locator("#language").click()
        go(page, calculator, touch=small)
        expect(page.locator(".lane.mvs .number")).not_to_be_empty()
        watch.nothing_but("blocked by Playwright", "data:", "blob:")
        page.context.close()


@pytest.mark.long
def test_an_export_has_them_only_with_both(browser: Browser, tmp_path: Path) -> None:
    for name, beside, count in (("both", pages(), 1), ("one", None, 0)):
        export(tmp_path / name, pages=beside)
        page = opened(browser, service_workers="block")
        with hosted(tmp_path / name) as address:
            for file in ("", "index.html", *(beside or ())):
                page.goto(f"{address}/{file}")
                expect(page.locator(".player, .analysis").first).to_be_visible()
                assert page.locator(".beside").count() == count, file
        page.context.close()


def test_a_file_that_is_opened_from_a_disk_has_none(browser: Browser, tmp_path: Path) -> None:
    export(tmp_path / "page", pages=pages())
    (tmp_path / "review.html").write_text(page_of(None), encoding="utf-8")
    page = opened(browser)
    for path in ("page/index.html", "page/puyo.html", "review.html"):
        page.goto((tmp_path / path).as_uri())
        expect(page.locator(".player, .analysis").first).to_be_visible()
        assert page.locator(".beside").count() == 0, path
    page.context.close()


def test_the_shipped_files_have_none() -> None:
    assert "beside" not in (STATIC / "index.html").read_text()
    assert 'name="beside"' not in page_of(None)


@pytest.mark.long
def test_a_board_that_was_visited_is_there_without_a_network(browser: Browser, tmp_path: Path) -> None:
    export(tmp_path, pages=pages())
    page = opened(browser)
    with hosted(tmp_path) as address:
        page.goto(f"{address}/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller !== null")
        page.goto(f"{address}/puyo.html")
        expect(page.locator(".analysis")).to_be_visible()
    page.goto(f"{address}/")
    page.locator(".beside").click()
    expect(page.locator(".analysis")).to_be_visible()
    page.context.close()
