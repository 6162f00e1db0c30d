"""The page in a real Chromium: links, text, pictures and examples."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from ochibot.ui.web import share
from PIL import Image

from tests.ui.web.pagetools import TIE, Watch, cell, expect, go, has_values, load, opened, shows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_a_board_is_shared_by_its_address(page: Page, browser: Browser, address: str) -> None:
    load(page, TIE)
    expect(page).to_have_url(re.compile(r"\?b=1"))
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
    script = """async (texts) => {
        const { encode, decode } = await import("/static/js/nyaa/share.js");
        const { fromText, toText } = await import("/static/js/nyaa/board.js");
        return texts.map((text) => [encode(fromText(text)), toText(decode(encode(fromText(text))))]);
    }"""
    assert page.evaluate(script, texts) == [[share.encode(text), text] for text in texts]


def test_hostile_links_are_told_on_the_page(page: Page, watched: tuple[Page, Watch], address: str) -> None:
    for query, words in (
        ("b=1!!", "damaged"),
        ("b=2abc", "format"),
        ("view=<img src=x onerror=alert(1)>", "view"),
        ("view=constructor", "view"),
    ):
        go(page, f"{address}/nyaa?{query}")
        expect(page.get_by_role("alert").first).to_contain_text(words)
        has_values(page, "0", "0")
    page.get_by_role("button", name="Close").click()
    cell(page, 1, 1).click()
    expect(cell(page, 1, 1)).to_have_accessible_name("column 1, row 1: red block")
    watched[1].nothing_but("status of 400")


def test_text_in_and_out(page: Page, watched: tuple[Page, Watch]) -> None:
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Board as text").click()
    area = page.get_by_role("textbox", name="Board")
    assert area.input_value() == "\n".join(["......."] * 12)
    for text, words in (
        ("rr", "line 1, column 3"),
        ("..z....", "'z' is unknown"),
        ("r" * 5_000, "2000"),
        ("", "no row"),
    ):
        area.fill(text)
        page.get_by_role("button", name="Load onto the board").click()
        expect(dialog.get_by_role("alert")).to_contain_text(words)
    watched[1].nothing_but("status of 422")
    area.fill("  " + TIE.replace("\n", "\n  ") + "\n\n")
    page.get_by_role("button", name="Load onto the board").click()
    expect(dialog).to_be_hidden()
    has_values(page, "16", "12–17")
    page.get_by_role("button", name="Board as text").click()
    assert area.input_value() == ".......\n" * 6 + TIE
    # the undo of the text, not of the board
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    has_values(page, "16", "12–17")


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
            # beside the marks: blue, and further right red
            assert [picture.getpixel((left + x, bottom - 62)) for x in (14, 14 + 5 * 80)] == [
                (47, 107, 228),
                (211, 50, 63),
            ]


def test_examples(page: Page) -> None:
    examples = page.get_by_label("Load an example")
    for number, name in enumerate(examples.locator("option").all_inner_texts()[1:]):
        examples.select_option(str(number))
        expect(page.locator(".lane.ps2 .number")).not_to_have_text("0")
        said = re.search(r": ([\d +]+)", name)
        if said:
            expect(page.locator(".account.ps2")).to_contain_text(said.group(1))
    has_values(page, "16", "12–17")
