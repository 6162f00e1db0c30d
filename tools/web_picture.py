"""Makes the pictures of the web page: docs/media/web*.png for the docs, and web/public/*.png for the page itself.

Needs Debian's Chromium. After ``--public`` the page must be built again (make web).
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from tests.ui.web import share
from tests.ui.web.live import browsing, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
BOARD = """
.......
.......
.b...r.
.bb.rrr
bb...rb
.b.R.rr
bbbrrrr
b.brb.r
gBbbbgr
g..bygo
gg.byyo
ogybbyo
"""
SIZES = (
    # name, view, width, height, scale, dark theme, phone, what is shown ("tail", "wave", or a tab)
    ("web", "both", 1280, 800, 1.0, False, False, "tail"),
    ("web-phone", "mvs", 390, 844, 1.5, True, True, "wave"),
    ("web-best", "mvs", 1024, 600, 1.0, True, False, "best"),
    ("web-tour-ja", "both", 1920, 1080, 0.6, False, False, "tour"),
    ("web-landscape", "mvs", 844, 390, 1.0, False, True, "play"),
    ("web-narrow", "mvs", 320, 568, 1.0, False, True, "quiz"),
    ("web-zoomed", "mvs", 640, 400, 1.0, True, False, "value"),
)

SCREENS = (
    # width, height, phone; the last one is a page of 1280 x 800 at 200 %
    (1920, 1080, False),
    (1280, 800, False),
    (1024, 600, False),
    (390, 844, True),
    (844, 390, True),
    (320, 640, True),
    (640, 400, False),
)
SMALL = 200
"""The height of each screen in the overview, in pixels."""


def save(shot: bytes, path: Path, colors: int = 256) -> None:
    """Saves a picture with a palette, which makes the file much smaller and loses nothing visible."""
    picture = Image.open(io.BytesIO(shot))
    picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {picture.width} x {picture.height}, {path.stat().st_size / 1000:.1f} kB")


def take(browser: Browser, url: str, folder: Path, which: int) -> None:
    """Makes the picture of one row of SIZES."""
    name, view, width, height, scale, dark, phone, what = SIZES[which]
    page = browser.new_page(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        is_mobile=phone,
        has_touch=phone,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        locale="ja-JP" if name.endswith("ja") else "en-US",
    )
    page.goto(f"{url}/?view={view}&b={share.encode(BOARD.strip())}")
    if what == "wave":
        page.get_by_role("slider").fill("4")
    elif what == "tail":
        page.locator(".account.mvs .chip").nth(5).hover()
    else:
        page.locator(f"#tab-{what}").click()
    page.wait_for_timeout(500)
    save(page.screenshot(animations="disabled"), folder / f"{name}.png")
    page.close()


def overview(browser: Browser, url: str, folder: Path, theme: str) -> None:
    """Makes one small picture of the page on all screens, in both languages: one row for each."""
    rows = []
    for locale in ("en-US", "ja-JP"):
        row = []
        for width, height, phone in SCREENS:
            page = browser.new_page(
                viewport={"width": width, "height": height},
                is_mobile=phone,
                has_touch=phone,
                color_scheme="dark" if theme == "dark" else "light",
                reduced_motion="reduce",
                locale=locale,
            )
            page.goto(url)
            page.locator(".account-body .chip").first.wait_for()
            with Image.open(io.BytesIO(page.screenshot(animations="disabled"))) as shot:
                size = round(shot.width * SMALL / shot.height), SMALL
                row.append(shot.convert("RGB").resize(size, Image.Resampling.LANCZOS))
            page.close()
        rows.append(row)
    sheet = Image.new("RGB", (sum(one.width + 8 for one in rows[0]) - 8, 2 * SMALL + 8), "#808080")
    for number, row in enumerate(rows):
        left = 0
        for one in row:
            sheet.paste(one, (left, number * (SMALL + 8)))
            left += one.width + 8
    whole = io.BytesIO()
    sheet.save(whole, "png")
    save(whole.getvalue(), folder / f"web-sizes-{theme}.png", 160)


def icons(browser: Browser, folder: Path) -> None:
    """Makes the page's icons in several sizes."""
    drawing = (folder / "icon.svg").read_text()
    for name, size, part, ground in (
        ("icon-180", 180, 0.82, "#11131b"),
        ("icon-192", 192, 1.0, "transparent"),
        ("icon-512", 512, 1.0, "transparent"),
        ("icon-maskable", 512, 0.7, "#11131b"),
    ):
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(
            f"<style>*{{margin:0}}body{{height:100vh;display:grid;place-items:center;background:{ground}}}"
            f"svg{{width:{part * 100}%;height:{part * 100}%}}</style>{drawing}"
        )
        shot = page.screenshot(omit_background=True)
        picture = Image.open(io.BytesIO(shot)).convert("RGBA")
        picture.quantize(32, method=Image.Quantize.FASTOCTREE).save(folder / f"{name}.png", optimize=True)
        page.close()


def preview(browser: Browser, url: str, folder: Path) -> None:
    """Makes the preview picture that other sites show when somebody shares the page."""
    page = browser.new_page(viewport={"width": 1200, "height": 630}, color_scheme="dark", reduced_motion="reduce")
    page.goto(f"{url}/?b={share.encode(BOARD.strip())}")
    page.wait_for_timeout(300)
    save(page.screenshot(animations="disabled"), folder / "preview.png", 160)
    page.close()


def main() -> None:
    """Starts the server and a browser, and takes the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "docs/media")
    parser.add_argument("--public", action="store_true", help="the page's own icons and preview picture instead")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with serving() as url, browsing() as browser:
        if options.public:
            icons(browser, ROOT / "web/public")
            preview(browser, url, ROOT / "web/public")
            return
        for which in range(len(SIZES)):
            take(browser, url, options.folder, which)
        for theme in ("light", "dark"):
            overview(browser, url, options.folder, theme)


if __name__ == "__main__":
    main()
