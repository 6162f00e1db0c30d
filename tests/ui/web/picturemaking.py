"""Makes screenshots as people take them from a picture of the game: other scales, crops, windows, filters and JPEG."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from tests.ui.web.picturedata import Shot

FIELDS = ((8, 16, 120, 208), (184, 16, 296, 208))
"""Where the two fields lie in a picture of 304 x 224 pixels."""
CROPS = ("whole", "whole", "field", "loose", "letterbox", "window", "desktop")
SCALES = (1, 1.5, 2, 2.37, 3, 3.3, 4, 5, 6)
ASPECTS = (1, 1, 1, 0.9375, 1.07)
FILTERS = (Image.Resampling.NEAREST, Image.Resampling.BILINEAR, Image.Resampling.BICUBIC)
EFFECTS = ("none", "none", "gamma", "brightness", "scanlines")
QUALITIES = (0, 0, 60, 70, 80, 90, 95)
"""Of a JPEG; 0 is a PNG."""

Rect = tuple[float, float, float, float]


@dataclass(frozen=True)
class Made:
    """A file, how it was made, and the boards in it: (seat, its rectangle in pixels)."""

    file: bytes
    how: str
    boards: tuple[tuple[int, Rect], ...]


def _box(crop: str, seat: int, size: tuple[int, int], chance: random.Random) -> tuple[int, int, int, int]:
    left, top, right, bottom = FIELDS[seat]
    if crop == "field":
        return left, top, right, bottom
    if crop == "loose":
        return (
            max(0, left - chance.randrange(10)),
            max(0, top - chance.randrange(14)),
            min(size[0], right + chance.randrange(10)),
            min(size[1], bottom + chance.randrange(14)),
        )
    return (0, 0, *size)


def _placed(image: Image.Image, crop: str, chance: random.Random) -> tuple[Image.Image, int, int]:
    """Puts the picture between black bars or into a window. Returns it with the place of its corner."""
    if crop == "letterbox":
        x, y = chance.randrange(200), chance.randrange(80)
        ground = Image.new("RGB", (image.width + 2 * x, image.height + 2 * y))
    elif crop == "window":
        x, y = chance.randrange(8, 300), chance.randrange(30, 120)
        size = (image.width + x + chance.randrange(8, 200), image.height + y + chance.randrange(8, 60))
        ground = Image.new("RGB", size, tuple(chance.randrange(256) for _ in range(3)))
        border = (x - 4, y - 26, x + image.width + 4, y + image.height + 4)
        ImageDraw.Draw(ground).rectangle(border, fill=(236, 236, 236))
    elif crop == "desktop" and image.width < 1600 and image.height < 900:
        ground = desktop(chance)
        x, y = chance.randrange(8, 1912 - image.width), chance.randrange(30, 1040 - image.height)
        border = (x - 4, y - 26, x + image.width + 4, y + image.height + 4)
        ImageDraw.Draw(ground).rectangle(border, fill=(236, 236, 236))
    else:
        return image, 0, 0
    ground.paste(image, (x, y))
    return ground, x, y


def desktop(chance: random.Random) -> Image.Image:
    """A desktop of 1920 x 1080 with icons, a bar and a window with text."""
    ground = Image.new("RGB", (1920, 1080), tuple(chance.randrange(40, 160) for _ in range(3)))
    pen = ImageDraw.Draw(ground)
    for at in range(8):
        pen.rectangle((30, 30 + at * 110, 94, 94 + at * 110), fill=tuple(chance.randrange(256) for _ in range(3)))
        pen.text((36, 98 + at * 110), f"file {at}", fill=(255, 255, 255))
    pen.rectangle((0, 1040, 1920, 1080), fill=(30, 30, 36))
    x, y = chance.randrange(120, 900), chance.randrange(20, 300)
    pen.rectangle((x, y, x + 900, y + 600), fill=(250, 250, 250), outline=(90, 90, 90))
    pen.rectangle((x, y, x + 900, y + 28), fill=(60, 90, 160))
    for line in range(30):
        pen.text((x + 12, y + 40 + line * 18), "a line of a text in another window " * 4, fill=(20, 20, 20))
    return ground


def _changed(image: Image.Image, effect: str, scale: float, chance: random.Random) -> Image.Image:
    levels = np.asarray(image).astype(float)
    if effect == "gamma":
        levels = 255 * (levels / 255) ** chance.choice([0.85, 0.92, 1.1, 1.2])
    elif effect == "brightness":
        levels = levels * chance.uniform(0.88, 1.08) + chance.uniform(0, 10)
    elif effect == "scanlines" and scale >= 2:
        period = max(2, round(scale))
        levels[np.arange(len(levels)) % period >= period - max(1, period // 3)] *= 0.72
    return Image.fromarray(levels.clip(0, 255).astype(np.uint8))


def made(shot: Shot, chance: random.Random) -> Made:
    """One screenshot of a moment, made in a way that ``chance`` decides."""
    image = Image.fromarray(shot.picture)
    crop, seat = chance.choice(CROPS), chance.randrange(2)
    scale, aspect = chance.choice(SCALES), chance.choice(ASPECTS)
    kernel, effect, quality = chance.choice(FILTERS), chance.choice(EFFECTS), chance.choice(QUALITIES)
    box = _box(crop, seat, image.size, chance)
    cut = image.crop(box)
    size = (round(cut.width * scale), round(cut.height * scale * aspect))
    across, down = size[0] / cut.width, size[1] / cut.height
    placed, x, y = _placed(cut.resize(size, kernel), crop, chance)
    seats = (seat,) if crop in ("field", "loose") else (0, 1)
    boards = tuple(
        (
            one,
            (
                (FIELDS[one][0] - box[0]) * across + x,
                (FIELDS[one][1] - box[1]) * down + y,
                (FIELDS[one][2] - box[0]) * across + x,
                (FIELDS[one][3] - box[1]) * down + y,
            ),
        )
        for one in seats
    )
    file = io.BytesIO()
    final = _changed(placed, effect, scale * aspect, chance)
    if quality:
        final.save(file, "JPEG", quality=quality)
    else:
        final.save(file, "PNG")
    how = f"{crop}, {scale} x {scale * aspect:.2f}, {kernel.name.lower()}, {effect}, JPEG {quality or 'no'}"
    return Made(file.getvalue(), how, boards)


def png(image: Image.Image) -> bytes:
    """The picture as a PNG file."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def without_board(seed: int) -> dict[str, bytes]:
    """Pictures without a board, by what they show."""
    chance = random.Random(seed)
    pictures = {"one colour and a dot": Image.new("RGB", (500, 400), (30, 40, 90))}
    ImageDraw.Draw(pictures["one colour and a dot"]).point((9, 9), fill=(255, 255, 255))
    noise = np.random.default_rng(seed).integers(0, 256, (400, 600, 3), np.uint8)
    pictures["noise"] = Image.fromarray(noise)
    table = Image.new("RGB", (700, 900), (255, 255, 255))
    pen = ImageDraw.Draw(table)
    for at in range(13):
        if at < 8:
            pen.line((100 + at * 60, 80, 100 + at * 60, 800), fill=(0, 0, 0))
        pen.line((100, 80 + at * 60, 520, 80 + at * 60), fill=(0, 0, 0))
    for cell in range(84):
        pen.text((110 + cell % 7 * 60, 90 + cell // 7 * 60), str(cell), fill=(0, 0, 0))
    pictures["a table of 7 x 12 numbers"] = table
    window = Image.new("RGB", (700, 900), (10, 10, 10))
    pen = ImageDraw.Draw(window)
    pen.rectangle((100, 80, 520, 800), fill=(200, 200, 240))
    for line in range(40):
        pen.text((110, 90 + line * 17), "some words in a window " * 3, fill=(0, 0, 0))
    pictures["a window with text"] = window
    heap = Image.new("RGB", (700, 900), (10, 10, 10))
    pen = ImageDraw.Draw(heap)
    for _ in range(200):
        x, y = chance.randrange(700), chance.randrange(900)
        color = tuple(chance.randrange(256) for _ in range(3))
        pen.rectangle((x, y, x + chance.randrange(10, 200), y + chance.randrange(10, 200)), fill=color)
    pictures["a heap of rectangles"] = heap
    pictures["a desktop"] = desktop(chance)
    ramp = np.linspace(0, 255, 640 * 480 * 3).reshape(480, 640, 3).astype(np.uint8)
    pictures["a gradient"] = Image.fromarray(ramp)
    return {name: png(picture) for name, picture in pictures.items()}
