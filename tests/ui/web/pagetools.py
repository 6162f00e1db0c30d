"""Helpers for the tests of the page: they open it, watch it for errors, and read and change its board."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest

try:
    from playwright.sync_api import expect as _expect
except ImportError:
    pytest.skip("playwright is missing: pip install playwright", allow_module_level=True)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize
    from playwright.sync_api import expect as expect

TIE = "...G...\n...g...\n..ggg..\n..g.g..\n..ggg..\n..g...."
BRANCHES = "...R...\n..rr...\n...rr..\n...r..."
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}

LOOKS: Final = (
    ("light", False, "en-GB"),
    ("light", True, "ja-JP"),
    ("dark", False, "ja-JP"),
    ("dark", True, "en-GB"),
)
"""A theme, whether on a phone, and a language: every two of them occur together."""
NARROW: Final = ((320, "en-GB"), (320, "ja-JP"), (360, "ja-JP"), (390, "en-GB"))
"""Widths of phones with languages. The narrowest screen has both, because only there words are short of room."""

PATIENCE = int(os.environ.get("OCHIBOT_TEST_PATIENCE_MS", "30000"))
"""How many milliseconds any wait for the page may take. It only keeps tests from hanging."""
LOOK: Final = 15
"""After so many milliseconds ``expect`` looks again."""


class _Soon:
    """What ``expect`` gives: every assertion is tried until it holds or PATIENCE has passed."""

    def __init__(self, target: Any) -> None:
        self._page: Page = target if hasattr(target, "goto") else target.page
        self._assertions = _expect(target)

    def __getattr__(self, name: str) -> Callable[..., None]:
        assertion = getattr(self._assertions, name)

        def soon(*given: Any, **options: Any) -> None:
            end = time.monotonic() + PATIENCE / 1000
            while True:
                try:
                    assertion(*given, **options, timeout=1)
                    return
                except AssertionError:
                    if time.monotonic() > end:
                        raise
                self._page.wait_for_timeout(LOOK)

        return soon


if not TYPE_CHECKING:

    def expect(target: Page | Locator) -> _Soon:
        """Playwright's ``expect``, but it looks every few milliseconds.

        Playwright itself looks again after 100, 250 and 500 ms and then once a second, so a page that takes 400 ms
        would cost a test 850.
        """
        return _Soon(target)


class Watch:
    """Notes a page's errors and warnings, and the addresses that it requests from elsewhere than its own server."""

    def __init__(self, page: Page) -> None:
        self.seen: list[str] = []
        page.on("console", lambda said: self.seen.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.seen.append(str(error)))
        page.on("request", lambda asked: None if "//127.0.0.1:" in asked.url else self.seen.append(asked.url))

    def nothing_but(self, *known: str) -> None:
        """Asserts that each noted text contains one of ``known``, and forgets the texts."""
        seen, self.seen = self.seen, []
        assert [text for text in seen if not any(part in text for part in known)] == []


def go(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.locator(".lane.mvs .number")).not_to_have_text("…")


def until(page: Page, condition: str, arg: Any = None) -> None:
    """Waits until ``condition``, an expression or a function in JavaScript, is true.

    Playwright's own ``wait_for_function`` evaluates the text inside the page from its second try on. A page whose
    Content-Security-Policy forbids ``eval`` refuses that.
    """
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(condition, arg):
        assert time.monotonic() < end, f"not true after {PATIENCE} ms: {condition}"
        page.wait_for_timeout(20)


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A new browser context, in which every wait ends after PATIENCE."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


@contextmanager
def opened(browser: Browser, url: str, *problems: str, **options: Any) -> Iterator[Page]:
    """Opens a page in a new browser context. At the end, asserts that it had no errors but ``problems``."""
    options.setdefault("viewport", DESKTOP)
    context = new_context(browser, reduced_motion="reduce", **options)
    try:
        page = context.new_page()
        watch = Watch(page)
        go(page, url)
        yield page
        watch.nothing_but(*problems)
    finally:
        context.close()


def cell(page: Page, x: int, y: int, lane: str = "mvs") -> Locator:
    """The cell of a board in column x from the left and row y from the bottom."""
    return page.locator(f".lane.{lane} [role=gridcell]").nth((12 - y) * 7 + x - 1)


def middle(page: Page, x: int, y: int) -> tuple[float, float]:
    box = cell(page, x, y).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def choose(page: Page, tool: str) -> None:
    page.get_by_role("radio", name=tool, exact=True).check()


def painted(page: Page) -> str:
    """The board as text, read from its cells' accessible names, without the empty rows at the top."""
    names = page.locator(".lane.mvs [role=gridcell]").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")
    kinds = ("empty", "red block", "green block", "blue block", "yellow block", "nuisance")
    letter = dict(zip(kinds, ".rgbyo", strict=True))
    letter |= {f"{color} needle": color[0].upper() for color in ("red", "green", "blue", "yellow")}
    cells = "".join(letter[re.split(": |, tail", name)[1]] for name in names)
    rows = [cells[i : i + 7] for i in range(0, 84, 7)]
    return "\n".join(rows).removeprefix(".......\n" * next((i for i, row in enumerate(rows) if row != "......."), 0))


def shows(page: Page, board: str) -> None:
    """Waits until the page shows this board; fails if it doesn't within PATIENCE."""
    end = time.monotonic() + PATIENCE / 1000
    while painted(page) != board and time.monotonic() < end:
        page.wait_for_timeout(20)
    assert painted(page) == board


def shared(page: Page, name: str) -> Locator:
    """A button that shares the board or reads another one. On a phone, it opens the menu that the button is in."""
    button = page.get_by_role("button", name=name)
    more = page.locator(".more")
    if more.is_visible() and more.get_attribute("aria-expanded") == "false":
        more.click()
    return button


def load(page: Page, text: str) -> None:
    shared(page, "Board as text").click()
    page.get_by_role("textbox", name="Board").fill(text)
    page.get_by_role("button", name="Load onto the board").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


def has_values(page: Page, mvs: str, ps2: str) -> None:
    expect(page.locator(".lane.mvs .number")).to_have_text(mvs)
    expect(page.locator(".lane.ps2 .number")).to_have_text(ps2)
