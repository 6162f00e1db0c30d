"""Nuisance that waits, the other side, boards that are kept, and the share sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from ochibot.nyaa import Grid, settled
from ochibot.nyaa.rules.lock import drop_nuisance, is_over

from tests.nyaa.profiles import MVS
from tests.ui.web.pagetools import BRANCHES, cell, expect, load, opened, painted, shared, shows, until
from tests.ui.web.test_page_layout import OVERLAPS
from tests.ui.web.test_page_truth import ALWAYS_OPEN, tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

STACKS = {
    "empty": ".......",
    "low": "...r...\nr..r..r",
    "ten high": "\n".join(["...g..."] * 10),
    "eleven high": "\n".join(["...g...", "...g..."] * 5 + ["..gbg.."]),
    "floating": "...g...\n.......\n.......\n...b...",
    "lost": "\n".join(["...g..."] * 12),
}


def waits(page: Page, count: int) -> None:
    field = page.get_by_label("Blocks of nuisance")
    field.fill(str(count))
    field.press("Tab")


def lost_in(grid: Grid, count: int) -> int:
    """In how many of 7 orders of the columns the fall takes the cell that ends the game."""
    orders = [[1 + (first + step) % 7 for step in range(7)] for first in range(7)]
    return sum(
        is_over(drop_nuisance(settled(grid), min(count, MVS.attack.most_per_fall), order), MVS) for order in orders
    )


def told(columns: int) -> str:
    if columns in (0, 7):
        return "the game is lost" if columns else "you survive"
    return f"({columns} in 7)"


@pytest.mark.parametrize("stack", STACKS)
def test_whether_one_survives_is_as_the_rules_say(page: Page, stack: str) -> None:
    load(page, STACKS[stack])
    tab(page, "Play on")
    for count in (1, 3, 7, 8, 13, 14, 21, 40, 255):
        waits(page, count)
        row = page.locator(".threat li").first
        expect(row).to_contain_text(f"MVS: {count} wait above. Light nothing, and {min(count, 21)} fall: ")
        expect(row).to_contain_text(told(lost_in(Grid.parse(STACKS[stack]), count)))


def test_an_attack_cancels_what_waits_first(page: Page) -> None:
    load(page, BRANCHES)
    tab(page, "Play on")
    waits(page, 5)
    row = page.locator(".threat li").first
    expect(row).to_contain_text("Pop now, and 5 are cancelled and 3 sent: nothing is left to fall.")
    waits(page, 30)
    expect(row).to_contain_text("Pop now, and 8 are cancelled and 0 sent; of what is left: you survive.")
    page.get_by_role("button", name="Pop, and let it fall").click()
    expect(page.get_by_label("Blocks of nuisance")).to_have_value("22")
    expect(page.locator(".playon .sums").first).to_contain_text("MVS: 0")
    page.get_by_role("button", name="Let it fall", exact=True).click()
    expect(page.locator(".lane.mvs [role=gridcell][aria-label*='nuisance']")).to_have_count(21)
    expect(page.get_by_label("Blocks of nuisance")).to_have_value("1")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Blocks of nuisance")).to_have_value("22")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Blocks of nuisance")).to_have_value("30")


def test_an_open_tie_leaves_a_range(page: Page) -> None:
    load(page, ALWAYS_OPEN)
    tab(page, "Play on")
    waits(page, 12)
    row = page.locator(".threat li", has_text="PS2")
    expect(row).to_contain_text("Pop now, and 10–12 are cancelled and 0–2 sent; of what is left:")


def test_the_other_side_gets_what_is_sent(page: Page) -> None:
    load(page, BRANCHES)
    tab(page, "Play on")
    page.get_by_role("button", name="A board for the other side").click()
    facts = page.locator(".other .facts")
    expect(facts).to_contain_text("MVS: attack 0, 0 waiting")
    page.get_by_role("button", name="Change sides").first.click()
    shows(page, "\n".join(["......."] * 12))
    expect(facts).to_contain_text("MVS: attack 8, 0 waiting")
    cell(page, 1, 1).click()
    page.get_by_role("button", name="Change sides").first.click()
    shows(page, BRANCHES)
    page.get_by_role("button", name="Pop, and let it fall").click()
    expect(facts).to_contain_text("MVS: attack 0, 8 waiting")
    page.get_by_role("button", name="Undo").click()
    expect(facts).to_contain_text("MVS: attack 0, 0 waiting")
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Change sides").first.click()
    expect(page.get_by_label("Blocks of nuisance")).to_have_value("8")
    assert painted(page) == "r......"
    # what comes back now cancels first
    load(page, BRANCHES)
    page.get_by_role("button", name="Pop, and let it fall").click()
    expect(facts).to_contain_text("MVS: attack 0, 0 waiting")
    expect(page.locator(".playon .sums").first).to_contain_text("MVS: 0")
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator(".other")).to_be_hidden()
    expect(page.get_by_role("button", name="A board for the other side")).to_be_focused()


def test_on_a_desk_both_boards_are_beside_each_other(page: Page) -> None:
    load(page, BRANCHES)
    page.get_by_role("radio", name="MVS", exact=True).check()
    tab(page, "Play on")
    page.get_by_role("button", name="A board for the other side").click()
    theirs = page.locator(".opponent")
    mine, other = page.locator(".lane.mvs .board").bounding_box(), theirs.locator(".board").bounding_box()
    assert mine is not None
    assert other is not None
    assert other["x"] >= mine["x"] + mine["width"]
    assert (other["y"], other["height"]) == (mine["y"], mine["height"])
    expect(theirs.locator(".number")).to_have_text("0")
    # also beside both rulesets, on every desk nothing lies on another part
    page.get_by_role("radio", name="Both", exact=True).check()
    sizes = (1920, 1080), (1280, 800), (1082, 700), (1050, 700), (1024, 600), (1000, 700), (910, 800), (800, 900)
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OVERLAPS, [".board", ".tabs", ".worth", ".lane .note", ".player"]) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("radio", name="MVS", exact=True).check()
    theirs.locator(".board").click()
    expect(theirs.locator(".number")).to_have_text("8")
    # it stays there on other tabs, but not beside a board of the tour
    tab(page, "Value")
    expect(theirs).to_be_visible()
    tab(page, "Tour")
    expect(theirs).to_be_hidden()
    tab(page, "Value")
    expect(theirs).to_be_visible()
    theirs.locator(".board").click()
    shows(page, BRANCHES)


def test_boards_are_kept_by_name(page: Page, address: str) -> None:
    def keep(name: str) -> None:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Keep this board").click()
        expect(page.locator(".kept .take").first).to_have_text(name)

    load(page, BRANCHES)
    shared(page, "Kept boards").click()
    expect(page.get_by_text("No board is kept yet.")).to_be_visible()
    keep("branches")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    load(page, "R......\nr......")
    shared(page, "Kept boards").click()
    keep("small")
    page.goto(f"{address}/?b=1&view=both")
    shared(page, "Kept boards").click()
    expect(page.locator(".kept .take")).to_have_text(["small", "branches"])
    # a name is given once
    keep("branches")
    expect(page.locator(".kept .take")).to_have_text(["branches", "small"])
    page.locator(".kept .take").nth(1).click()
    shows(page, "R......\nr......")
    shared(page, "Kept boards").click()
    page.get_by_role("button", name="Delete small").click()
    expect(page.locator(".kept .take")).to_have_text(["branches"])
    page.get_by_role("button", name="Delete branches").click()
    expect(page.get_by_text("No board is kept yet.")).to_be_visible()
    expect(page.get_by_role("dialog").get_by_role("button", name="Close")).to_be_focused()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("QuotaExceededError", "storage is full: delete a board"),
        ("SecurityError", "doesn't let the page keep anything"),
    ],
)
def test_a_board_that_cannot_be_kept_is_reported(page: Page, error: str, words: str) -> None:
    page.evaluate(
        """(error) => { Storage.prototype.setItem = () => { throw new DOMException("no", error); }; }""", error
    )
    shared(page, "Kept boards").click()
    page.get_by_label("Name", exact=True).fill("mine")
    page.get_by_role("button", name="Keep this board").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text(words)
    expect(page.locator(".kept .take")).to_have_count(0)
    expect(page.get_by_label("Name", exact=True)).to_have_value("mine")


@pytest.mark.long
def test_a_phone_shares_the_picture_and_a_desk_saves_it(browser: Browser, address: str, page: Page) -> None:
    stub = """() => { window.given = []; navigator.canShare = () => true;
        navigator.share = async ({ files: [one] }) => { window.given.push(one.name, one.type, one.size > 1000); }; }"""
    with opened(browser, address, viewport={"width": 390, "height": 664}, is_mobile=True, has_touch=True) as phone:
        phone.evaluate(stub)
        shared(phone, "Save as PNG").click()
        until(phone, "() => given.length === 3")
        assert phone.evaluate("given") == ["pochi-nyaa.png", "image/png", True]
        # where the sheet is refused, the picture is saved
        phone.evaluate("() => { navigator.share = async () => { throw new DOMException('no', 'NotAllowedError'); }; }")
        with phone.expect_download() as saved:
            shared(phone, "Save as PNG").click()
        assert saved.value.suggested_filename == "pochi-nyaa.png"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as PNG").click()
    assert saved.value.suggested_filename == "pochi-nyaa.png"
