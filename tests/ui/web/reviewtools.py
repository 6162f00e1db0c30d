"""Opens a review's page as a file, and watches it: it may load nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ochibot.review.report import page_of

from tests.ui.web.pagetools import DESKTOP, Watch, new_context

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """() => [...document.querySelectorAll("button, a, select, label:has(input), [role=tab], [role=slider]")]
    .filter((one) => one.getClientRects().length > 0 && !one.closest(".hidden") && !one.matches(".skip"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width < 43.5 || box.height < 43.5)
    .map(([one, box]) => `${one.className || one.id || one.tagName} ${one.textContent} ${box.width}x${box.height}`)"""


def written(folder: Path, review: Mapping[str, Any] | None) -> str:
    """Writes the page of a review, and returns its address."""
    path = folder / "review.html"
    path.write_text(page_of(review), encoding="utf-8")
    return path.as_uri()


@contextmanager
def reviewing(browser: Browser, folder: Path, review: Mapping[str, Any] | None, **options: Any) -> Iterator[Page]:
    """The page of a review, opened as a file. At the end, asserts that it had no errors and loaded nothing."""
    options.setdefault("viewport", DESKTOP)
    options.setdefault("locale", "en-GB")
    context = new_context(browser, reduced_motion="reduce", **options)
    try:
        page = context.new_page()
        watch = Watch(page)
        address = written(folder, review)
        page.goto(address)
        yield page
        watch.nothing_but(address, "blob:", "data:")
    finally:
        context.close()


def tab(page: Page, name: str) -> None:
    page.locator(f"#tab-{name}").click()
