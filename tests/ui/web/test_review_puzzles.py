"""The puzzles: solved by keys, buttons and touch; what is said about other places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ochibot.puyo.rules.field import SYMBOLS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.motion import resting_cells
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.search.locks import lock_positions

from tests.ui.web.pagetools import PHONE, expect
from tests.ui.web.reviewdata import made_review
from tests.ui.web.reviewtools import reviewing, tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KEYS = {"LEFT": "ArrowLeft", "RIGHT": "ArrowRight", "ROTATE_CW": "x", "ROTATE_CCW": "z"}
NAMES = {"LEFT": "Left", "RIGHT": "Right", "ROTATE_CW": "Turn right", "ROTATE_CCW": "Turn left"}


def puzzles(review: dict[str, Any]) -> list[dict[str, Any]]:
    return [move for move in review["moves"] if move["grade"] in ("mistake", "blunder") and move["seat"] == 1]


def presses(move: dict[str, Any], cells: Sequence[Sequence[int]]) -> list[str]:
    """The shortest presses that bring the pair of a move to these cells."""
    rules = load_rules("tsu")
    field, pair = Field.parse("\n".join(move["field"])), Pair(*(SYMBOLS.index(letter) for letter in move["pair"]))
    for lock in lock_positions(field, pair, rules):
        rest = sorted([x - 1, y, code] for x, y, code in resting_cells(field, pair, lock))
        if rest == [list(cell) for cell in cells]:
            return [action.name for action in lock.path]
    raise AssertionError(f"no way to {cells}")


def test_solved_by_keys(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    with reviewing(browser, tmp_path, review) as page:
        tab(page, "puzzles")
        for number, move in enumerate(puzzles(review), 1):
            expect(page.locator(".puzzlehead h2")).to_have_text(f"Puzzle {number} of {len(puzzles(review))}")
            # the answer can't be seen
            assert page.locator(".steer svg.board path[fill='#0b6b3a']").count() == 0
            expect(page.locator(".answer")).to_be_empty()
            for press in presses(move, move["choices"][0]["cells"]):
                page.keyboard.press(KEYS[press])
            page.keyboard.press(" ")
            expect(page.locator(".answer p").first).to_have_text("That is the best placement!")
            expect(page.locator(".sums")).to_have_text(f"Solved: {number} of {len(puzzles(review))}")
            if number < len(puzzles(review)):
                page.get_by_role("button", name="Next puzzle").click()


def test_other_places_by_buttons(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    move = puzzles(review)[0]
    with reviewing(browser, tmp_path, review) as page:
        tab(page, "puzzles")
        answer = page.locator(".answer p").first

        def drop(cells: Sequence[Sequence[int]]) -> None:
            for press in presses(move, cells):
                page.get_by_role("button", name=NAMES[press], exact=True).click()
            page.get_by_role("button", name="Drop").click()

        drop(move["played"]["cells"])
        expect(answer).to_have_text("That is what was played. There is a better place.")
        # the pad is gone, and the keys' focus is on what comes next
        expect(page.get_by_role("button", name="Try again")).to_be_focused()
        page.get_by_role("button", name="Try again").click()
        drop(move["choices"][1]["cells"])
        expect(answer).to_contain_text("That is among the three best (number 2). The best is column")
        page.get_by_role("button", name="Try again").click()
        known = [choice["cells"] for choice in (*move["choices"], move["played"])]
        field, pair = Field.parse("\n".join(move["field"])), Pair(*(SYMBOLS.index(one) for one in move["pair"]))
        locks = lock_positions(field, pair, load_rules("tsu"))
        every = (sorted([x - 1, y, code] for x, y, code in resting_cells(field, pair, lock)) for lock in locks)
        drop(next(cells for cells in every if cells not in [list(map(list, one)) for one in known]))
        expect(answer).to_have_text("That isn't among the three best places.")
        page.get_by_role("button", name="Show the answer").click()
        expect(answer).to_contain_text("The best place: column")
        # the arrow to the best place
        assert page.locator(".steer svg.board path[fill='#0b6b3a']").count() == 1
        page.get_by_role("button", name="See it in the game").click()
        expect(page.locator(".movetitle")).to_contain_text(f"Move {move['number']} of")


def drag(page: Page, dx: float, dy: float) -> None:
    """A finger's swipe across the board, told to the page as a browser tells it."""
    box = page.locator(".steered").bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3

    def touch(kind: str, *points: tuple[float, float]) -> None:
        found = [{"x": px, "y": py} for px, py in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    touch("touchStart", (x, y))
    for part in range(1, 9):
        touch("touchMove", (x + dx * part / 8, y + dy * part / 8))
    touch("touchEnd")
    session.detach()


def test_solved_by_touch(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    move = puzzles(review)[0]
    with reviewing(browser, tmp_path, review, viewport=PHONE, is_mobile=True, has_touch=True) as page:
        page.locator("#tab-puzzles").tap()
        page.locator(".steered").scroll_into_view_if_needed()
        box = page.locator(".steered").bounding_box()
        assert box is not None
        cell = box["width"] / 6
        path = presses(move, move["choices"][0]["cells"])
        turns = sum({"ROTATE_CW": 1, "ROTATE_CCW": 3}.get(press, 0) for press in path) % 4
        for _ in range(turns):
            page.locator(".steered").tap()
        # to the wall, and back to the wanted column
        drag(page, -3 * cell, 0)
        wanted = min(x for x, _, _ in move["choices"][0]["cells"])
        if wanted:
            drag(page, wanted * cell, 0)
        drag(page, 0, 120)
        expect(page.locator(".answer p").first).to_have_text("That is the best placement!")


def test_none_without_mistakes(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    for move in review["moves"]:
        move["grade"] = "best"
    with reviewing(browser, tmp_path, review) as page:
        tab(page, "puzzles")
        expect(page.locator(".puzzles")).to_contain_text("nothing to find")
