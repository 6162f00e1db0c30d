"""The real server in a thread, and a real Chromium, for tests and measurements."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import uvicorn
from ochibot.ui.web.app import FEATURES, prepare
from ochibot.ui.web.connections import Refusals
from ochibot.ui.web.features import Feature
from ochibot.ui.web.server import bind, make_server, url_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIREFOX = os.environ.get("OCHIBOT_FIREFOX")
CHROMIUM = shutil.which("chromium")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextlib.contextmanager
def serving(
    features: tuple[Feature, ...] = FEATURES,
    host: str = "127.0.0.1",
    refusals: Refusals | None = None,
    pages: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Runs the server on a free port of ``host``, and yields its address without a slash at the end."""
    with serving_as(refusals, features, host, pages) as (url, _):
        yield url


@contextlib.contextmanager
def serving_as(
    refusals: Refusals | None,
    features: tuple[Feature, ...] = FEATURES,
    host: str = "127.0.0.1",
    pages: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, uvicorn.Server]]:
    """Like ``serving``; also yields the server."""
    prepare(features)
    with bind(host, 0) as listener:
        server = make_server(host, listener, features, refusals, pages)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield url_of(listener).rstrip("/"), server
        finally:
            server.should_exit = True
            thread.join(600)


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """Starts this machine's Chromium, or the Firefox that OCHIBOT_FIREFOX names, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        if FIREFOX is None:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        else:
            browser = playwright.firefox.launch(channel="moz-firefox", executable_path=FIREFOX)
        try:
            yield browser
        finally:
            browser.close()
