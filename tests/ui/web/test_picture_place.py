"""Where the picture reader puts its grid: rows and columns, the picture's borders, boards of another size."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from tests.ui.web.pagetools import expect, until
from tests.ui.web.pictureart import random_board, screen
from tests.ui.web.picturemaking import png
from tests.ui.web.test_picture import choose, says

if TYPE_CHECKING:
    from PIL import Image
    from playwright.sync_api import Page

SEARCHED = """async ([file, size]) => {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    const job = ochibotPicture.search(await ochibotPicture.decoded(new Blob([bytes])), size);
    for (;;) {
        const { done, value } = job.next();
        if (!done) continue;
        const { left, top, scale } = value.place;
        const boards = value.boards.map(({ rect }) => rect.map((side, at) => side / scale + (at % 2 ? top : left)));
        return { isOther: value.isOther, boards };
    }
}"""
BEST = """async ([file, rect, size]) => {
    const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
    const { sums, place } = await (async () => {
        const given = await ochibotPicture.decoded(new Blob([bytes]));
        const job = ochibotPicture.findBoards(given.pixels, size);
        for (;;) {
            const { done, value } = job.next();
            if (done) return { ...value, place: given.place };
        }
    })();
    const job = new ochibotPicture.Kin(sums, rect.map((side) => side * place.scale), size).best();
    for (;;) {
        const { done, value } = job.next();
        if (done) return [value.x, value.y];
    }
}"""
SIZE = {"columns": 7, "rows": 12}
CELL = 32
EDGE = CELL * 1.5


def searched(page: Page, image: Image.Image) -> dict[str, Any]:
    """What the search finds: the boards' rectangles in pixels of the picture, and whether they have another size."""
    found: dict[str, Any] = page.evaluate(SEARCHED, [base64.b64encode(png(image)).decode(), SIZE])
    return found


def loaded(page: Page) -> None:
    """Loads the reader's script, as the dialog does."""
    choose(page, png(screen([random_board(1)])))
    until(page, "globalThis.ochibotPicture !== undefined")


@pytest.mark.long
@pytest.mark.parametrize("shift", [(0, 0), (0, 1), (0, -1), (1, 0), (-1, 0), (0, 2), (0, -2), (1, 1)])
def test_a_board_that_is_off_by_rows_or_columns_is_moved_back(page: Page, shift: tuple[int, int]) -> None:
    loaded(page)
    image = screen([random_board(3)], cell=CELL)
    x, y = shift
    rect = [EDGE + x * CELL, EDGE + y * CELL, EDGE + (x + 7) * CELL, EDGE + (y + 12) * CELL]
    assert page.evaluate(BEST, [base64.b64encode(png(image)).decode(), rect, SIZE]) == [-x, -y]


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(6, 12), (6, 13), (6, 10)])
def test_a_board_of_another_size_is_refused_in_words(page: Page, columns: int, rows: int) -> None:
    """Six columns and a seventh beside them were once read as a board."""
    choose(page, png(screen([random_board(seed, columns=columns, rows=rows) for seed in (1, 11)])))
    expect(says(page)).to_contain_text("looks like a board of another game")
    # it can be marked all the same
    expect(page.get_by_role("button", name="Mark the board")).to_be_visible()


@pytest.mark.long
def test_a_rectangle_beyond_the_picture_is_no_board(page: Page) -> None:
    """The picture holds the field only, and no side of it."""
    loaded(page)
    for seed in range(20, 26):
        whole = screen([random_board(seed)], cell=CELL)
        edge = round(EDGE)
        found = searched(page, whole.crop((edge, edge, edge + 7 * CELL, edge + 12 * CELL)))
        for left, top, right, bottom in found["boards"]:
            assert left > -CELL / 2
            assert top > -CELL / 2
            assert right < 7.5 * CELL
            assert bottom < 12.5 * CELL
