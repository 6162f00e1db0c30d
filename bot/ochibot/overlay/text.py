"""Lines of text on Pillow's images: cut to the available width, and rendered once each."""

from __future__ import annotations

import math
import unicodedata
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont

Color = tuple[int, int, int]

KEPT = 512
"""How many results each cache of this module keeps; a panel has some thirty texts, most of which don't change."""

ELLIPSIS = "…"

_BRIGHTER = [round(255 * (part / 255) ** 0.8) for part in range(256)]
"""For each share of a pixel that a letter covers (0 to 255), a larger one. Without it, thin strokes look faint."""

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font that comes with Pillow, so that text looks the same everywhere. All its digits have the same width."""
    loaded = ImageFont.load_default(size)
    assert isinstance(loaded, ImageFont.FreeTypeFont), "Pillow's wheels have FreeType"
    # Pillow's other layout engine exists on some machines only
    return loaded.font_variant(layout_engine=ImageFont.Layout.BASIC)


def _finer(size: int) -> int:
    """How many times larger a text is drawn before it is reduced.

    Pillow places letters on whole pixels, which looks uneven in small fonts.
    """
    return 4 if size <= 12 else 2 if size <= 20 else 1


@lru_cache(KEPT)
def readable(text: str) -> str:
    """The text without accents and with one kind of dash, because the font has no others. Line breaks become spaces."""
    apart = unicodedata.normalize("NFD", " ".join(text.split()))
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).translate(_DASHES)


@lru_cache(KEPT)
def width_of(text: str, size: int) -> int:
    """The width of a text in pixels, rounded up."""
    times = _finer(size)
    return math.ceil(font(size * times).getlength(readable(text)) / times)


@lru_cache(KEPT)
def fitted(text: str, size: int, width: int) -> str:
    """The text, cut to ``width`` pixels if necessary. A cut text ends in an ellipsis, or is empty if none fits."""
    text = readable(text)
    if width_of(text, size) <= width:
        return text
    fits, cut = 0, len(text)
    while cut - fits > 1:
        middle = (fits + cut) // 2
        if width_of(text[:middle].rstrip() + ELLIPSIS, size) <= width:
            fits = middle
        else:
            cut = middle
    short = text[:fits].rstrip() + ELLIPSIS
    return short if width_of(short, size) <= width else ""


@lru_cache(KEPT)
def _rendered(text: str, size: int) -> tuple[Image.Image, tuple[int, int]]:
    """A mask of how far the text covers each pixel, and the mask's offset from the left end of the text's baseline."""
    times = _finer(size)
    left, top, right, bottom = (edge / times for edge in font(size * times).getbbox(text, anchor="ls"))
    place = math.floor(left), math.floor(top)
    width, height = max(math.ceil(right) - place[0], 1), max(math.ceil(bottom) - place[1], 1)
    mask = Image.new("L", (width * times, height * times))
    start = -place[0] * times, -place[1] * times
    ImageDraw.Draw(mask).text(start, text, 255, font(size * times), anchor="ls")
    return (mask if times == 1 else mask.reduce(times).point(_BRIGHTER)), place


def write(draw: ImageDraw.ImageDraw, text: str, at: tuple[int, int], size: int, color: Color) -> None:
    """Writes a line of text from the left end of its baseline. Call ``fitted`` first."""
    if text:
        mask, (left, top) = _rendered(text, size)
        draw.bitmap((at[0] + left, at[1] + top), mask, color)
