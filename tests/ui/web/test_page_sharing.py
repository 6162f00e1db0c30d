"""The page in a real Chromium: links, text, pictures and examples."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.ui.web import share
from tests.ui.web.pagetools import TIE, cell, expect, go, has_values, load, opened, shows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.mark.long
def test_a_board_is_shared_by_its_address(page: Page, browser: Browser, address: str) -> None:
    load(page, TIE)
    expect(page).to_have_url(re.compile(r"\?b=1.{10}"))
    with opened(browser, page.url) as other:
        has_values(other, "16", "12–17")
        shows(other, TIE)
        expect(other.get_by_role("button", name="Undo")).to_be_disabled()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".toast")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_both_sides_code_boards_alike(page: Page) -> None:
    chance = random.Random(3)
    texts = ["\n".join("".join(chance.choices(share.LETTERS, k=7)) for _ in range(12)) for _ in range(50)]
    texts += ["\n".join(["......."] * 12), "\n".join(["YYYYYYY"] * 12), "\n".join(["......."] * 11 + ["r......"])]
    script = """(texts) => texts.map((text) => {
        const code = nyaa.encode(nyaa.parse(text));
        return [code, nyaa.toText(nyaa.decode(code))];
    })"""
    assert page.evaluate(script, texts) == [[share.encode(text), text] for text in texts]


@pytest.mark.long
def test_hostile_links_are_reported_on_the_page(page: Page, address: str) -> None:
    for query, words in (
        ("b=1!!", "damaged"),
        ("b=", "format"),
        ("b=2abc", "format"),
        ("b=1&view=<img src=x onerror=alert(1)>", "view"),
        ("b=1&view=constructor", "view"),
    ):
        go(page, f"{address}/?{query}")
        expect(page.get_by_role("alert").first).to_contain_text(words)
        has_values(page, "0", "0")
    page.get_by_role("button", name="Close").click()
    cell(page, 1, 1).click()
    expect(cell(page, 1, 1)).to_have_accessible_name("column 1, row 1: red block")


def test_text_in_and_out(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Board as text").click()
    area = page.get_by_role("textbox", name="Board")
    assert area.input_value() == "\n".join(["......."] * 12)
    for text, words in (
        ("rr", "line 1: the row is 2 wide"),
        ("..z....", "line 1, column 3: “z” is unknown"),
        ("r" * 5_000, "5000 wide"),
        ("r......\n" * 13, "row 13"),
        ("", "no row"),
    ):
        area.fill(text)
        page.get_by_role("button", name="Load onto the board").click()
        expect(dialog.get_by_role("alert")).to_contain_text(words)
    area.fill("  " + TIE.replace("\n", "\n  ") + "\n\n")
    page.get_by_role("button", name="Load onto the board").click()
    expect(dialog).to_be_hidden()
    has_values(page, "16", "12–17")
    page.get_by_role("button", name="Board as text").click()
    assert area.input_value() == ".......\n" * 6 + TIE
    # in the dialog, Ctrl+Z undoes the text, not the board
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    has_values(page, "16", "12–17")


@pytest.mark.long
@pytest.mark.filterwarnings("error")
def test_the_picture_is_saved(page: Page, tmp_path: Path) -> None:
    load(page, "......R\nbbbbrrr")
    for view, boards in (("Both", 2), ("MVS", 1)):
        page.get_by_role("radio", name=view, exact=True).check()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as PNG").click()
        assert download.value.suggested_filename == "pochi-nyaa.png"
        download.value.save_as(tmp_path / "board.png")
        picture = Image.open(tmp_path / "board.png").convert("RGB")
        assert picture.size == (2 * (boards * 300 + 20), 2 * (64 + 480 + 30))
        for board in range(boards):
            left, bottom = 2 * (20 + 300 * board), 2 * (64 + 480)
            # pixels beside the marks of the bottom row's first block, blue, and of its sixth, red
            assert [picture.getpixel((left + x, bottom - 62)) for x in (14, 14 + 5 * 80)] == [
                (47, 107, 228),
                (211, 50, 63),
            ]


def test_the_wave_is_saved_as_a_gif(page: Page, tmp_path: Path) -> None:
    load(page, "......R\nbbbbrrr")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the wave as an animated GIF").click()
    assert download.value.suggested_filename == "pochi-nyaa.gif"
    download.value.save_as(tmp_path / "wave.gif")
    with Image.open(tmp_path / "wave.gif") as picture:
        # the board, each of three steps, and the board again
        assert (getattr(picture, "n_frames", 1), picture.info["loop"]) == (5, 0)
        assert picture.size == (round(0.8 * 620), round(0.8 * 574))
        frames = []
        for number in range(5):
            picture.seek(number)
            frames.append(picture.convert("RGB").copy())
    assert frames[0].tobytes() == frames[4].tobytes()
    assert len({frame.tobytes() for frame in frames}) == 4
    # a pixel beside the mark of the last red block, which the wave reaches in the third step
    place = (round(0.8 * (20 + 14 + 4 * 40)), round(0.8 * (64 + 480 - 31)))
    reds = [abs(frame.getpixel(place)[0] - 211) < 12 for frame in frames]  # type: ignore[index]
    assert reds == [True, True, True, False, True]
    # the first red block has popped by the third step
    first = (round(0.8 * (20 + 6 * 40 + 7)), round(0.8 * (64 + 480 - 31)))
    red = [abs(frame.getpixel(first)[0] - 211) < 12 for frame in frames]  # type: ignore[index]
    assert (red[0], red[3], red[4]) == (True, False, True)


@pytest.mark.long
def test_examples_are_where_an_empty_board_is(page: Page, browser: Browser, address: str) -> None:
    examples = page.locator(".examples")
    for number in range(examples.get_by_role("button").count()):
        page.get_by_role("button", name="Clear").click()
        example = examples.get_by_role("button").nth(number)
        said = re.search(r": ([\d +]+)$", example.inner_text())
        example.click()
        expect(page.locator(".lane.ps2 .number")).not_to_have_text("0")
        expect(examples).to_be_hidden()
        if said:
            expect(page.locator(".account.ps2")).to_contain_text(said.group(1))
    has_values(page, "16", "12–17")
    # an address without a board shows an example
    with opened(browser, address) as other:
        has_values(other, "84", "68")
