"""The page in a real Chromium: painting by mouse, finger and keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.ui.web.pagetools import PHONE, cell, choose, expect, has_values, middle, opened, shows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_painting_with_the_mouse(page: Page) -> None:
    has_values(page, "0", "0")
    choose(page, "blue block")
    page.mouse.move(*middle(page, 2, 1))
    page.mouse.down()
    # the pointer jumps there, but the stroke must have no gaps
    page.mouse.move(*middle(page, 6, 1))
    page.mouse.up()
    cell(page, 4, 2, "ps2").click()
    choose(page, "blue needle")
    cell(page, 1, 1).click()
    has_values(page, "9", "9")
    shows(page, "...b...\nBbbbbb.")
    cell(page, 6, 1).click(button="right")
    has_values(page, "8", "8")
    cell(page, 5, 1).click(modifiers=["Shift"])
    has_values(page, "4", "4")
    shows(page, "...b...\nBbbb...")
    choose(page, "eraser")
    cell(page, 1, 1).click()
    has_values(page, "0", "0")


def test_a_stroke_is_one_step_of_undo(page: Page) -> None:
    undo, redo = page.get_by_role("button", name="Undo"), page.get_by_role("button", name="Redo")
    expect(undo).to_be_disabled()
    page.mouse.move(*middle(page, 1, 1))
    page.mouse.down()
    page.mouse.move(*middle(page, 7, 1), steps=4)
    page.mouse.up()
    cell(page, 1, 2).click()
    # painting a cell as it is already adds no step of undo
    cell(page, 1, 2).click()
    undo.click()
    undo.click()
    expect(undo).to_be_disabled()
    expect(cell(page, 4, 1)).to_have_accessible_name("column 4, row 1: empty")
    page.keyboard.press("Control+y")
    expect(cell(page, 4, 1)).to_have_accessible_name("column 4, row 1: red block")
    page.keyboard.press("Control+Shift+z")
    expect(redo).to_be_disabled()
    page.get_by_role("button", name="Flip left and right").click()
    expect(cell(page, 7, 2)).to_have_accessible_name("column 7, row 2: red block")
    page.get_by_role("button", name="Clear").click()
    expect(cell(page, 7, 2)).to_have_accessible_name("column 7, row 2: empty")
    page.keyboard.press("Control+z")
    expect(cell(page, 7, 2)).to_have_accessible_name("column 7, row 2: red block")


def test_painting_with_the_keyboard_alone(page: Page) -> None:
    focused = page.locator("[role=gridcell]:focus")
    for _ in range(40):
        page.keyboard.press("Tab")
        if focused.count():
            break
    expect(focused).to_have_accessible_name("column 4, row 1: empty")
    page.keyboard.type("g")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+G")
    has_values(page, "0", "0")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("r")
    # Shift with an arrow paints a line with the chosen tool, the red block
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("R")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.keyboard.type("o")
    expect(focused).to_have_accessible_name("column 7, row 2: nuisance")
    has_values(page, "3", "3")
    shows(page, "r....Ro\n..Grrr.")
    expect(cell(page, 4, 1)).to_have_accessible_name("column 4, row 1: red block, tail of 3 ends here")
    page.keyboard.press("Delete")
    shows(page, "r....R.\n..Grrr.")
    # only one cell of a board is in the tab order
    assert page.locator(".lane.mvs [role=gridcell][tabindex='0']").count() == 1
    expect(page.get_by_role("status")).to_have_text("Neo Geo MVS: 3; PlayStation 2: 3")


def test_painting_with_a_finger_on_a_phone(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/?b=1", viewport=PHONE, has_touch=True, is_mobile=True) as page:
        page.locator(".tools label").nth(3).tap()
        fingers = page.context.new_cdp_session(page)
        for kind, place in (("touchStart", (2, 3)), ("touchMove", (2, 1)), ("touchMove", (5, 1)), ("touchEnd", None)):
            points = [] if place is None else [dict(zip("xy", middle(page, *place), strict=True))]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        # on a busy machine, a tap could come before the stroke is drawn, and miss its cell when the layout changes
        shows(page, ".y.....\n.y.....\n.yyyy..")
        tool = page.locator(".tools label").nth(8)
        # on a busy machine, Chromium sometimes makes no click of a tap right after a stroke
        for _ in range(20):
            tool.tap()
            if tool.get_by_role("radio").is_checked():
                break
        expect(tool.get_by_role("radio")).to_be_checked()
        page.touchscreen.tap(*middle(page, 2, 4))
        expect(page.locator(".lane.mvs .number")).to_have_text("6")
        shows(page, ".Y.....\n.y.....\n.y.....\n.yyyy..")
        assert page.evaluate("scrollY") == 0
