"""``ochibot web --export``: the page is small, complete and installable, and works on any static host and offline."""

from __future__ import annotations

import contextlib
import functools
import gzip
import hashlib
import http.server
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ochibot.cli import main
from ochibot.errors import UsageError
from ochibot.review.report import page_of
from ochibot.ui.web.export import FIRST_LOAD, STATIC, export, names, with_link
from PIL import Image

from tests.ui.web.pagetools import DESKTOP, TIE, cell, expect, load, new_context, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

WEB = Path(__file__).parents[3] / "web"
ENGINE = STATIC.parent / "puyo" / "engine.js"
REVIEW = Path(__file__).parents[3] / "bot/ochibot/review/static/review.html"
LIVE = STATIC.parent / "live" / "live.html"
MOST_REVIEW = 300_000
MOST_LIVE = 40_000
MOST_FIRST, MOST_ALL = 150_000, 255_000


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextlib.contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serves a folder with Python's own HTTP server, which stands for any static host. Yields its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def visiting(browser: Browser, **options: Any) -> Iterator[tuple[BrowserContext, Page]]:
    context = new_context(browser, viewport=DESKTOP, reduced_motion="reduce", **options)
    try:
        yield context, context.new_page()
    finally:
        context.close()


def test_the_export_is_small_and_whole(tmp_path: Path) -> None:
    written = export(tmp_path / "new" / "page")
    files = {path.name: path.read_bytes() for path in (tmp_path / "new" / "page").iterdir()}
    assert tuple(sorted(files)) == written.files == names()
    assert files == {name: (STATIC / name).read_bytes() for name in names()}
    first = sum(len(gzip.compress(files[name], mtime=0)) for name in FIRST_LOAD)
    assert first == written.first_load <= MOST_FIRST
    assert sum(map(len, files.values())) == written.size <= MOST_ALL
    # an export is renewed in place; a folder with other things in it is left alone
    (tmp_path / "new/page/app.js").write_text("old")
    assert export(tmp_path / "new/page").files == written.files
    assert (tmp_path / "new/page/app.js").read_bytes() == files["app.js"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/diary.txt").write_text("dear diary")
    with pytest.raises(UsageError, match="other files"):
        export(tmp_path / "mine")


def test_it_can_be_installed(tmp_path: Path) -> None:
    export(tmp_path)
    manifest = json.loads((tmp_path / "manifest.webmanifest").read_text())
    assert manifest["name"]
    assert manifest["display"] == "standalone"
    assert manifest["start_url"] == manifest["scope"] == "./"
    sizes = set()
    for icon in manifest["icons"]:
        path = tmp_path / icon["src"]
        assert path.is_file()
        if path.suffix == ".png":
            with Image.open(path) as picture:
                assert icon["sizes"] == f"{picture.width}x{picture.height}"
            sizes.add((icon["sizes"], icon["purpose"]))
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= sizes
    head = (tmp_path / "index.html").read_text()
    with Image.open(tmp_path / "preview.png") as preview:
        assert f'"og:image:width" content="{preview.width}"' in head
        assert f'"og:image:height" content="{preview.height}"' in head


def test_an_address_makes_the_preview_s_whole(tmp_path: Path) -> None:
    export(tmp_path, "https://example.org/games/nyaa")
    head = (tmp_path / "index.html").read_text()
    assert '<meta property="og:image" content="https://example.org/games/nyaa/preview.png">' in head
    assert '<meta property="og:url" content="https://example.org/games/nyaa/">' in head
    wrong = (tmp_path / "404.html").read_text()
    assert 'href="https://example.org/games/nyaa/"' in wrong
    assert 'src="https://example.org/games/nyaa/theme.js"' in wrong
    for url in (
        "example.org",
        "ftp://example.org/",
        "https://",
        "https://example.org/?a=b",
        "http://[",
        "javascript:1",
    ):
        with pytest.raises(UsageError, match="not the address of a page"):
            export(tmp_path, url)


def test_all_its_addresses_are_relative() -> None:
    for name in ("index.html", "manifest.webmanifest", "app.css"):
        for link in re.findall(r'(?:href|src|"src": |"start_url": |url\()="?([^")\s]+)', (STATIC / name).read_text()):
            assert not link.startswith(("/", "http")), (name, link)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*args: object) -> int:
        monkeypatch.setattr("sys.argv", ["ochibot", "web", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main.main()
        return int(ended.value.code or 0)

    assert run("--export", tmp_path / "page", "--json", tmp_path / "told.json") == 0
    assert "any static host" in capsys.readouterr().out
    told = json.loads((tmp_path / "told.json").read_text())
    assert told["files"] == sorted([*names(), "puyo.html"])
    assert told["bytes"] <= MOST_ALL + MOST_REVIEW
    assert (tmp_path / "page/puyo.html").read_text() == with_link(page_of(None), "./")
    # it is renewed in place
    assert run("--export", tmp_path / "page") == 0
    capsys.readouterr()
    (tmp_path / "file").write_text("")
    for args in (("--url", "https://example.org/"), ("--export", tmp_path / "file")):
        assert run(*args) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("where", ["", "/some/folder"])
def test_it_works_without_a_network_after_the_first_load(browser: Browser, tmp_path: Path, where: str) -> None:
    export(tmp_path / where.strip("/"))
    with visiting(browser) as (context, page):
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        with hosted(tmp_path) as host:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.goto(f"{host}{where}/?b=1")
            expect(page.locator(".lane.mvs .number")).to_have_text("0")
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")
            until(page, "navigator.serviceWorker.controller !== null")
            assert all(url.startswith(f"{host}{where}/") for url in asked)
            before = len(asked)
            cell(page, 1, 1).click()
            load(page, TIE)
            expect(page.locator(".lane.ps2 .number")).to_have_text("12–17")
            # the calculator sends no requests (a browser may load the icon again when the address changes)
            assert [url for url in asked[before:] if not url.endswith("/icon.svg")] == []
            # the page's address changes once painting has stopped
            expect(page).not_to_have_url(f"{host}{where}/?b=1")
            shared = page.url
        # the host has gone, and so has the network
        context.set_offline(True)
        page.reload()
        expect(page.locator(".lane.ps2 .number")).to_have_text("12–17")
        page.goto(f"{host}{where}/")
        expect(page.locator(".lane.mvs .number")).to_have_text("84")
        page.goto(shared)
        expect(page.locator(".lane.mvs .number")).to_have_text("16")
        assert wrong == []


def test_the_browser_would_install_it(browser: Browser, address: str) -> None:
    with visiting(browser) as (context, page):
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller !== null")
        session = context.new_cdp_session(page)
        assert session.send("Page.getAppManifest")["errors"] == []
        errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # the test's browser context counts as incognito
        assert {error["errorId"] for error in errors} <= {"in-incognito"}


def test_it_can_be_opened_as_a_file(browser: Browser, tmp_path: Path) -> None:
    export(tmp_path)
    with visiting(browser) as (_, page):
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto((tmp_path / "index.html").as_uri())
        expect(page.locator(".lane.mvs .number")).to_have_text("84")
        load(page, TIE)
        expect(page.locator(".lane.ps2 .number")).to_have_text("12–17")
        assert wrong == []


# What is built


def sources(what: str) -> str:
    """The digest of all files that the build reads for the "calculator", for the "engine" for Puyo Puyo, or for the
    "pages" that are one file (all of them), computed as in web/build.mjs.
    """
    files = [WEB / name for name in ("build.mjs", "package-lock.json", "package.json")]
    for path in (path for folder in ("public", "src") for path in (WEB / folder).rglob("*") if path.is_file()):
        part = path.relative_to(WEB).parts[1]
        pages = dict.fromkeys(("review", "live", "shell"), "pages")
        if what == "pages" or {"puyo": "engine", **pages}.get(part, "calculator") == what:
            files.append(path)
    digest = hashlib.sha256()
    for path in sorted(files, key=lambda path: path.relative_to(WEB).as_posix()):
        digest.update(path.relative_to(WEB).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def test_the_built_page_is_that_of_its_sources() -> None:
    calculator, engine, every = sources("calculator"), sources("engine"), sources("pages")
    wanted = {STATIC / name: calculator for name in ("app.js", "app.css", "theme.js")}
    wanted |= {ENGINE: engine, REVIEW: every, LIVE: every}
    for path, digest in wanted.items():
        assert f"sources {digest}" in path.read_text(), "run make web, and commit what it builds"


def test_the_review_page_is_small() -> None:
    """The page without its review, the engine included; and the live page."""
    assert REVIEW.stat().st_size <= MOST_REVIEW
    assert LIVE.stat().st_size <= MOST_LIVE


def test_the_service_worker_keeps_what_is_there() -> None:
    worker = (STATIC / "sw.js").read_text()
    kept = json.loads(re.search(r"new Set\((\[.*?\])\)", worker).group(1))  # type: ignore[union-attr]
    assert sorted(kept) == sorted(set(names()) - {"404.html", "preview.png", "sw.js"})
    digest = hashlib.sha256()
    for name in kept:
        digest.update(name.encode() + b"\0" + (STATIC / name).read_bytes() + b"\0")
    assert f"${{OURS}}{digest.hexdigest()[:16]}`" in worker


def test_it_is_built_byte_for_byte(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (WEB / "node_modules/esbuild").is_dir():
        pytest.skip("esbuild is not here: make web fetches it")
    copied = tmp_path / "web"
    shutil.copytree(WEB, copied, symlinks=True)
    (tmp_path / "bot/ochibot/ui/web").mkdir(parents=True)
    subprocess.run([node, "build.mjs"], cwd=copied, check=True, capture_output=True)
    built = tmp_path / "bot/ochibot/ui/web/static"
    assert {path.name: path.read_bytes() for path in built.iterdir()} == {
        name: (STATIC / name).read_bytes() for name in names()
    }
    assert (tmp_path / "bot/ochibot/ui/web/puyo/engine.js").read_bytes() == ENGINE.read_bytes()
    assert (tmp_path / "bot/ochibot/review/static/review.html").read_bytes() == REVIEW.read_bytes()
    assert (tmp_path / "bot/ochibot/ui/web/live/live.html").read_bytes() == LIVE.read_bytes()
