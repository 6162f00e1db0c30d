"""Pictures in each pixel format of libretro, compared with arithmetic on single pixels."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.console.native import RGB565, XRGB1555, XRGB8888, rgb


def widened(value: int, bits: int) -> int:
    """Widens a colour part of 5 or 6 bits to 8 bits: its first bits are repeated at the end."""
    text = f"{value:0{bits}b}"
    return int((text + text)[:8], 2)


def parts(pixel: int, pixel_format: int) -> tuple[int, int, int]:
    text = f"{pixel:016b}"
    red, green, blue = (
        (text[:5], text[5:11], text[11:]) if pixel_format == RGB565 else (text[1:6], text[6:11], text[11:])
    )
    return widened(int(red, 2), len(red)), widened(int(green, 2), len(green)), widened(int(blue, 2), len(blue))


@pytest.mark.parametrize("pixel_format", [RGB565, XRGB1555])
def test_every_pixel_of_16_bits(pixel_format: int) -> None:
    # 256 rows of 256 pixels, each row followed by bytes that don't belong to the picture
    rows = np.full((256, 2 * 256 + 24), 0xA5, np.uint8)
    rows[:, :512] = np.arange(1 << 16, dtype="<u2").view(np.uint8).reshape(256, 512)
    picture = rgb(rows, 256, pixel_format)
    assert picture.shape == (256, 256, 3)
    assert picture.dtype == np.uint8
    expected = [parts(pixel, pixel_format) for pixel in range(1 << 16)]
    assert (picture.reshape(-1, 3) == np.array(expected)).all()


def test_pixels_of_32_bits_are_blue_green_red_and_nothing() -> None:
    rows = np.array([[1, 2, 3, 0, 4, 5, 6, 0, 9, 9], [7, 8, 9, 0, 10, 11, 12, 0, 9, 9]], np.uint8)
    assert rgb(rows, 2, XRGB8888).tolist() == [[[3, 2, 1], [6, 5, 4]], [[9, 8, 7], [12, 11, 10]]]


def test_a_picture_is_a_copy() -> None:
    for pixel_format in (XRGB1555, XRGB8888, RGB565):
        rows = np.zeros((2, 16), np.uint8)
        picture = rgb(rows, 4, pixel_format)
        rows[:] = 255
        assert not picture.any()
        picture[:] = 7
        assert not rgb(np.zeros((2, 16), np.uint8), 4, pixel_format).any()
