"""Makes docs/media/web.png and web-phone.png, the README's pictures of ``ochibot web``. Needs Debian's Chromium."""

from __future__ import annotations

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from tests.ui.web.live import browsing, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MEDIA = Path(__file__).parent.parent / "docs/media"
BOARD = """
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


def take(browser: Browser, url: str, path: Path, width: int, height: int, scale: float, *, phone: bool) -> None:
    """One picture: of the desktop with a tail's path lit, or of a phone in the dark with the waves under way."""
    page = browser.new_page(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        is_mobile=phone,
        has_touch=phone,
        color_scheme="dark" if phone else "light",
        reduced_motion="reduce",
    )
    page.goto(f"{url}/nyaa?view={'mvs' if phone else 'both'}")
    page.get_by_role("button", name="Board as text").click()
    page.get_by_role("textbox", name="Board").fill(BOARD)
    page.get_by_role("button", name="Load onto the board").click()
    page.get_by_role("dialog").wait_for(state="hidden")
    if phone:
        page.get_by_role("slider").fill("4")
    else:
        page.locator(".account.mvs .chip").nth(5).hover()
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    # few colours: a palette loses nothing that can be seen, and most of the bytes
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path}: {picture.width} x {picture.height}, {path.stat().st_size // 1024} kB")
    page.close()


def main() -> None:
    """Start the server and a browser, and take both pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=MEDIA)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with serving() as url, browsing() as browser:
        take(browser, url, options.folder / "web.png", 1280, 800, 1.0, phone=False)
        take(browser, url, options.folder / "web-phone.png", 390, 844, 1.5, phone=True)


if __name__ == "__main__":
    main()
