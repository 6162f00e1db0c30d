"""One server and one browser for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.ui.web.live import CHROMIUM, browsing, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.ui.web.pagetools import Watch


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """The real server's address."""
    with serving() as url:
        yield url


# not of scope "session": while Playwright runs, other tests can't start an event loop
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    if CHROMIUM is None:
        pytest.skip("chromium is missing (Debian: package chromium)")
    with browsing() as started:
        yield started


@pytest.fixture(scope="package")
def watched(browser: Browser) -> Iterator[tuple[Page, Watch]]:
    """One page for most tests: a new one for each would double their time."""
    from tests.ui.web.pagetools import DESKTOP, Watch, new_context

    context = new_context(browser, reduced_motion="reduce", viewport=DESKTOP)
    page = context.new_page()
    yield page, Watch(page)
    context.close()


@pytest.fixture
def page(watched: tuple[Page, Watch], address: str) -> Iterator[Page]:
    from tests.ui.web.pagetools import DESKTOP, go

    page, watch = watched
    page.set_viewport_size(DESKTOP)
    go(page, f"{address}/?b=1&view=both")
    # the page stores data such as streaks of days; what the last test has stored must not stay
    if page.evaluate("() => { const kept = localStorage.length; localStorage.clear(); return kept; }"):
        go(page, f"{address}/?b=1&view=both")
    yield page
    watch.nothing_but("blob:")
