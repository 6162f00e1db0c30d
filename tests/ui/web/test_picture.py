"""A board from a picture: chosen, pasted or dropped; corrected by taps; taught, kept and forgotten."""

from __future__ import annotations

import base64
import io
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from ochibot.ui.web.export import export
from PIL import Image

from tests.ui.web.pagetools import PHONE, Watch, expect, go, new_context, opened, shared, shows, until
from tests.ui.web.pictureart import STRANGE, random_board, screen
from tests.ui.web.picturemaking import desktop, png

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

BOARD = random_board(1)
NAMES = {".": "empty", "r": "red block", "g": "green block", "b": "blue block", "y": "yellow block", "o": "nuisance"}
NAMES |= {color[0].upper(): f"{color} needle" for color in ("red", "green", "blue", "yellow")}


def dialog(page: Page) -> Locator:
    return page.locator(".from-picture")


def says(page: Page) -> Locator:
    return page.locator(".picture-says")


def choose(page: Page, file: bytes, name: str = "shot.png") -> None:
    if not dialog(page).is_visible():
        shared(page, "From a picture").click()
    page.locator(".from-picture input[type=file]").set_input_files(
        {"name": name, "mimeType": f"image/{name.rpartition('.')[2]}", "buffer": file}
    )


def is_read(page: Page) -> None:
    expect(says(page)).to_contain_text(re.compile("in doubt|Every cell is clear"))


def cells_read(page: Page) -> str:
    """The board in the dialog, as rows of letters."""
    is_read(page)
    names = page.locator(".read-cells [role=gridcell]").evaluate_all("cells => cells.map(cell => cell.ariaLabel)")
    letter = {name: one for one, name in NAMES.items()}
    row = "".join(letter[re.split(", in doubt|, left out", name.split(": ")[1])[0]] for name in names)
    return "\n".join(row[at : at + 7] for at in range(0, 84, 7))


def correct(page: Page, board: str) -> int:
    """Names all cells that are read wrongly or in doubt, by tap. Returns how many."""
    is_read(page)
    count = 0
    while True:
        seen, wanted = cells_read(page).replace("\n", ""), board.replace("\n", "")
        doubtful = page.locator(".read-cells [role=gridcell]").evaluate_all(
            "cells => cells.map(cell => cell.classList.contains('doubtful'))"
        )
        wrong = [at for at in range(84) if seen[at] != wanted[at] or doubtful[at]]
        if not wrong:
            return count
        cell = page.locator(".read-cells [role=gridcell]").nth(wrong[0])
        cell.click()
        page.locator(".read-pieces").get_by_role("button", name=NAMES[wanted[wrong[0]]]).click()
        expect(cell).to_have_class(re.compile("said"))
        count += 1


def use(page: Page) -> None:
    page.get_by_role("button", name="Use it").click()
    expect(dialog(page)).to_be_hidden()


def stripped(board: str) -> str:
    return re.sub(r"^(\.{7}\n)+", "", board)


def test_a_chosen_picture_becomes_the_board(page: Page) -> None:
    choose(page, png(screen([BOARD])))
    correct(page, BOARD)
    expect(says(page)).to_contain_text("Every cell is clear")
    use(page)
    shows(page, stripped(BOARD))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".examples")).to_be_visible()


HANDED = """async ([file, how]) => {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "shot.png", { type: "image/png" }));
    const given = { bubbles: true, cancelable: true };
    if (how === "paste") document.body.dispatchEvent(new ClipboardEvent("paste", { ...given, clipboardData: data }));
    else {
        const over = new DragEvent("dragover", { ...given, dataTransfer: data });
        document.body.dispatchEvent(over);
        // otherwise the browser shows the file in place of the page
        if (!over.defaultPrevented) throw new Error("a drop isn't taken");
        document.body.dispatchEvent(new DragEvent("drop", { ...given, dataTransfer: data }));
    }
}"""


@pytest.mark.parametrize("how", ["paste", "drop"])
def test_a_picture_can_be_pasted_or_dropped(page: Page, how: str) -> None:
    page.evaluate(HANDED, [base64.b64encode(png(screen([BOARD]))).decode(), how])
    assert sum(a != b for a, b in zip(cells_read(page), BOARD, strict=True)) <= 3
    expect(page.locator("html")).not_to_have_class("picture-drop")


CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: { read: %s }, configurable: true })"


def test_the_paste_button_says_what_it_lacks(page: Page) -> None:
    page.evaluate(CLIPBOARD % "async () => []")
    shared(page, "From a picture").click()
    page.get_by_role("button", name="Paste").click()
    expect(says(page)).to_contain_text("There is no picture on the clipboard")
    page.evaluate(CLIPBOARD % "() => Promise.reject(new Error())")
    page.get_by_role("button", name="Paste").click()
    expect(says(page)).to_contain_text("doesn't let the page read the clipboard")
    file = base64.b64encode(png(screen([BOARD]))).decode()
    page.evaluate(
        """(file) => {
            const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
            const blob = new Blob([bytes], { type: "image/png" });
            const read = async () => [{ types: ["image/png"], getType: async () => blob }];
            Object.defineProperty(navigator, "clipboard", { value: { read }, configurable: true });
        }""",
        file,
    )
    page.get_by_role("button", name="Paste").click()
    is_read(page)


def test_of_two_boards_one_is_chosen(page: Page) -> None:
    other = random_board(2)
    choose(page, png(screen([BOARD, other])))
    expect(says(page)).to_contain_text("more than one board")
    page.get_by_role("button", name="Board 2").click()
    assert sum(a != b for a, b in zip(cells_read(page), other, strict=True)) <= 3


@pytest.mark.long
def test_a_small_game_on_a_large_desktop_is_found(page: Page) -> None:
    """In the size that is searched first, its cells are too small."""
    whole = desktop(random.Random(5))
    whole.paste(screen([BOARD, random_board(2)], cell=12), (1100, 640))
    choose(page, png(whole))
    page.get_by_role("button", name="Board 1").click()
    assert sum(a != b for a, b in zip(cells_read(page), BOARD, strict=True)) <= 3


@pytest.mark.long
def test_colours_are_taught_once_kept_and_forgotten(page: Page, address: str) -> None:
    """The art has none of the usual colours. What was taught on two boards is enough for others."""
    needed = []
    for seed in (11, 12):
        board = random_board(seed, needles=5)
        choose(page, png(screen([board], STRANGE)))
        needed.append(correct(page, board))
        use(page)
    assert needed[0] > 4 > needed[1]
    # the browser keeps it
    go(page, f"{address}/?b=1&view=both")
    for seed in (13, 14):
        board = random_board(seed)
        choose(page, png(screen([board], STRANGE, cell=41)))
        assert cells_read(page) == board
        page.get_by_role("button", name="Close", exact=True).last.click()
    shared(page, "From a picture").click()
    expect(page.locator(".picture-known")).to_contain_text("are remembered on this device")
    page.get_by_role("button", name="Forget them").click()
    expect(page.locator(".picture-known")).to_contain_text("Forgotten")
    assert page.evaluate("localStorage.getItem('looks')") is None
    choose(page, png(screen([random_board(13)], STRANGE)))
    assert cells_read(page) != random_board(13)


@pytest.mark.long
def test_it_teaches_nothing_if_that_is_not_wanted(page: Page) -> None:
    choose(page, png(screen([BOARD])))
    correct(page, BOARD)
    page.get_by_role("checkbox", name="Remember what the pieces look like").uncheck()
    use(page)
    assert page.evaluate("localStorage.getItem('looks')") is None


@pytest.mark.long
def test_it_says_if_nothing_can_be_stored(page: Page) -> None:
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); }; }"
    )
    choose(page, png(screen([BOARD], STRANGE)))
    correct(page, BOARD)
    page.get_by_role("button", name="Use it").click()
    expect(says(page)).to_contain_text("doesn't let the page store anything")
    shows(page, stripped(BOARD))
    # it lasts as long as the page
    choose(page, png(screen([BOARD], STRANGE, cell=41)))
    assert cells_read(page) == BOARD


def test_a_tap_on_one_cell_settles_those_that_look_like_it(page: Page) -> None:
    choose(page, png(screen([BOARD], STRANGE)))
    is_read(page)
    cells = BOARD.replace("\n", "")
    at = cells.index("g")
    page.locator(".read-cells [role=gridcell]").nth(at).click()
    page.keyboard.press("g")
    expect(page.locator(".read-cells [role=gridcell]").nth(at)).to_have_class(re.compile("said"))
    read = cells_read(page).replace("\n", "")
    assert all(read[one] == "g" for one in range(84) if cells[one] == "g")


def test_a_falling_pair_is_left_out(page: Page) -> None:
    rows = random_board(4).split()
    rows[0] = "..rb..."
    assert rows[1][2:4] == rows[2][2:4] == ".."
    choose(page, png(screen(["\n".join(rows)])))
    rows[0] = "......."
    correct(page, "\n".join(rows))
    expect(says(page)).to_contain_text("A falling pair was left out")
    use(page)
    shows(page, stripped("\n".join(rows)))


def _bytes(image: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


FAULTS = {
    "empty": (b"", "This file is empty"),
    "no picture": (b"not a picture", "can't show this file"),
    "cut off": (png(screen([BOARD]))[:40], "can't show this file"),
    "tiny": (png(Image.new("RGB", (20, 20), (9, 9, 9))), "too small"),
    "one colour": (png(Image.new("RGB", (300, 300), (9, 9, 9))), "one colour only"),
    "huge": (_bytes(Image.new("1", (9000, 8000)), "PNG"), "too large"),
    "no board": (png(Image.linear_gradient("L")), "No board was found"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_it_says_what_is_wrong_with_a_picture(page: Page, fault: str) -> None:
    file, words = FAULTS[fault]
    choose(page, file)
    expect(says(page)).to_contain_text(words)
    # and another one can be given at once
    choose(page, png(screen([BOARD])))
    is_read(page)


def test_of_an_animated_picture_the_first_frame_is_read(page: Page) -> None:
    frames = [screen([BOARD]), screen([random_board(9)])]
    choose(page, _bytes(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=90, loop=0), "shot.gif")
    assert sum(a != b for a, b in zip(cells_read(page), BOARD, strict=True)) <= 3
    expect(dialog(page)).to_contain_text("its first frame was read")


def test_a_board_that_is_not_found_can_be_marked(page: Page) -> None:
    """The board has no frame, and its ground is that of the well."""
    cell, left, top = 30, 95, 62
    whole = Image.new("RGB", (500, 480), (20, 22, 40))
    board = screen([BOARD], cell=cell)
    edge = round(cell * 1.5)
    whole.paste(board.crop((edge, edge, edge + 7 * cell, edge + 12 * cell)), (left, top))
    choose(page, png(whole))
    expect(says(page)).to_contain_text(re.compile("No board was found|in doubt|clear"))
    page.get_by_role("button", name="Mark the board").click()
    shown = page.locator(".marker canvas")
    for name, x, y in (("Top left", left, top), ("Bottom right", left + 7 * cell, top + 12 * cell)):
        box = shown.bounding_box()
        assert box is not None
        corner = page.get_by_role("button", name=f"{name} corner").bounding_box()
        assert corner is not None
        page.mouse.move(corner["x"] + 22, corner["y"] + 22)
        page.mouse.down()
        page.mouse.move(box["x"] + x / 500 * box["width"], box["y"] + y / 480 * box["height"], steps=4)
        page.mouse.up()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Read this part").click()
    assert sum(a != b for a, b in zip(cells_read(page), BOARD, strict=True)) <= 3


def test_the_work_is_done_in_steps_and_can_be_cancelled(page: Page) -> None:
    choose(page, png(screen([BOARD, BOARD], cell=48)))
    page.get_by_role("button", name="Cancel").click()
    expect(says(page)).to_contain_text("Give a screenshot")
    page.wait_for_timeout(300)
    expect(says(page)).to_contain_text("Give a screenshot")
    steps = page.evaluate(
        """async (file) => {
            const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
            const { pixels } = await ochibotPicture.decoded(new Blob([bytes]));
            return [...ochibotPicture.findBoards(pixels, { columns: 7, rows: 12 })].length;
        }""",
        base64.b64encode(png(screen([BOARD, BOARD], cell=48))).decode(),
    )
    assert steps > 300


def test_nothing_can_be_put_on_the_board_of_a_quiz(page: Page) -> None:
    page.get_by_role("tab", name="Practice").click()
    page.get_by_role("button", name="Another board").click()
    page.evaluate(HANDED, [base64.b64encode(png(screen([BOARD]))).decode(), "paste"])
    page.wait_for_timeout(200)
    expect(dialog(page)).to_be_hidden()


def test_the_language_of_the_dialog_follows_the_page(page: Page) -> None:
    shared(page, "From a picture").click()
    page.get_by_role("button", name="Close", exact=True).last.click()
    page.get_by_role("button", name="日本語").click()
    page.get_by_role("button", name="画像から").click()
    expect(page.get_by_role("heading", name="画像から盤面を読む")).to_be_visible()
    assert dialog(page).count() == 1
    page.get_by_role("button", name="閉じる").last.click()
    page.get_by_role("button", name="English").click()


def test_both_languages_have_the_same_entries(page: Page) -> None:
    shared(page, "From a picture").click()
    expect(dialog(page)).to_be_visible()
    kinds = page.evaluate(
        """() => {
            const entries = (one) => Object.entries(one).map(([key, value]) => [key, shape(value)]).sort();
            const shape = (one) => (typeof one !== "object" ? typeof one : entries(one));
            return Object.values(ochibotPicture.TEXTS).map((text) => JSON.stringify(shape(text)));
        }"""
    )
    assert len(kinds) == 2
    assert kinds[0] == kinds[1]


@pytest.mark.long
def test_it_works_in_a_page_opened_as_a_file(browser: Browser, tmp_path: Path) -> None:
    export(tmp_path)
    with opened(
        browser, (tmp_path / "index.html").as_uri() + "?b=1&view=both", "Failed to load", "blob:", "file:"
    ) as page:
        choose(page, png(screen([BOARD])))
        assert sum(a != b for a, b in zip(cells_read(page), BOARD, strict=True)) <= 3


@pytest.mark.long
def test_it_works_without_a_network(browser: Browser, address: str) -> None:
    """Also if the reader wasn't used while there was one."""
    context = new_context(browser)
    try:
        page = context.new_page()
        watch = Watch(page)
        go(page, f"{address}/?b=1")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        until(page, "navigator.serviceWorker.controller !== null")
        context.set_offline(True)
        page.reload()
        choose(page, png(screen([BOARD])))
        assert sum(a != b for a, b in zip(cells_read(page), BOARD, strict=True)) <= 3
        watch.nothing_but("blob:", "ERR_INTERNET_DISCONNECTED")
    finally:
        context.close()


@pytest.mark.long
def test_a_finger_can_do_it_all(browser: Browser, address: str) -> None:
    with opened(browser, f"{address}/?b=1", "blob:", viewport=PHONE, is_mobile=True, has_touch=True) as page:
        shared(page, "From a picture").tap()
        expect(dialog(page)).to_be_visible()
        choose(page, png(screen([BOARD])))
        is_read(page)
        wanted = BOARD.replace("\n", "")
        for at, (seen, piece) in enumerate(zip(cells_read(page).replace("\n", ""), wanted, strict=True)):
            if seen != piece:
                page.locator(".read-cells [role=gridcell]").nth(at).tap()
                page.locator(".read-pieces").get_by_role("button", name=NAMES[piece]).tap()
        expect(page.get_by_role("button", name="Use it")).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name="Use it").tap()
        expect(dialog(page)).to_be_hidden()
        shows(page, stripped(BOARD))
