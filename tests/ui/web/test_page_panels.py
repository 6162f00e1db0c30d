"""The page in a real Chromium: best moves, playing on, practice, the tour, help, and both languages."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING

import pytest
from ochibot.nyaa import Grid, Ruleset, best_additions, best_ignition, best_of_pairs, ignite, practice_board
from ochibot.nyaa.rules.grid import SYMBOLS, cell_of

from tests.ui.web.pagetools import BRANCHES, cell, expect, has_values, load, opened, painted, shows

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

COLOURS = ("", "red", "green", "blue", "yellow")
BARE = "..rr...\n.brr...\nbbrgg.."


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def test_the_best_moves_are_those_of_the_command(page: Page) -> None:
    load(page, BARE)
    tab(page, "Best")
    grid = Grid.parse(BARE)
    for ruleset in Ruleset:
        told = page.locator(f".best-moves.{ruleset}")
        best = best_ignition(grid, ruleset)
        assert best is not None
        place = f"{COLOURS[best.color]} needle in column {best.x}, row {best.y}"
        expect(told.locator("li").first).to_contain_text(f"{place}, attack {best.low}")
        added = [
            f"Put a {COLOURS[one.color]} block in column {one.x}, row {one.y}: +{one.gain}"
            for one in best_additions(grid, ruleset)
        ]
        first = [re.compile("Best needle"), re.compile("Best pair of all colours")]
        expect(told.locator("li > span")).to_have_text([*first, *added])
        found = best_of_pairs(grid, ruleset)
        assert found is not None
        halves = " and ".join(f"{COLOURS[color]} at {x}, {y}" for x, y, color in found[1].halves)
        expect(told.locator("li").nth(1)).to_contain_text(f"{halves}, attack {found[1].low}")
    # painting a cell updates the best moves at once
    cell(page, 5, 2).click()
    grid = grid.with_block(cell_of(5, 2), 1)
    after = best_additions(grid, Ruleset.MVS)[0]
    expect(page.locator(".best-moves.mvs li").nth(2)).to_contain_text(f"column {after.x}, row {after.y}: +{after.gain}")
    page.locator(".best-moves.mvs li").nth(2).get_by_role("button").click()
    assert SYMBOLS[after.color] == painted(page).split("\n")[-after.y][after.x - 1]
    # the heat map's values on the board vanish when another tab is opened
    expect(page.locator(".lane.mvs .hint")).not_to_have_count(0)
    tab(page, "Value")
    expect(page.locator(".lane.mvs .hint")).to_have_count(0)


def test_the_best_of_a_pair_and_of_the_next(page: Page) -> None:
    load(page, BARE)
    tab(page, "Best")
    for name, colours in (("Pair", ("red", "blue")), ("Next pair", ("green", "red"))):
        for half, colour in zip(("first half", "second half"), colours, strict=True):
            page.get_by_label(f"{name}, {half}", exact=True).select_option(label=colour)
    told = page.locator(".best-moves.mvs")
    for words in ("The pair as needles", "The next pair as needles", "Pair as blocks, then the next as needles"):
        expect(told.get_by_text(words)).to_be_visible()


def test_the_board_is_played_on(page: Page) -> None:
    load(page, BRANCHES + "\nooo.yy.")
    tab(page, "Play on")
    # with reduced motion the blocks pop at once: the wave isn't played first
    page.get_by_role("button", name="Pop, and let it fall").click()
    after = ignite(Grid.parse(BRANCHES + "\nooo.yy."), Ruleset.MVS).after
    shows(page, str(after).lstrip(".\n").rjust(7, ".") if after.count() else "")
    expect(page.locator(".playon .sums")).to_contain_text("MVS: 8")
    page.get_by_role("button", name="Turn").click()
    page.get_by_role("button", name="Move left").click()
    expect(page.locator(".lane.mvs .hint")).to_have_count(2)
    page.get_by_role("button", name="Drop", exact=True).click()
    assert sum(letter.isalpha() for letter in painted(page)) >= 2
    page.get_by_label("Blocks of nuisance").fill("9")
    letters = painted(page).count("o")
    page.get_by_role("button", name="Let it fall", exact=True).click()
    expect(page.locator(".lane.mvs [role=gridcell][aria-label*='nuisance']")).to_have_count(letters + 9)
    page.get_by_role("button", name="Count anew").click()
    expect(page.locator(".playon .sums")).to_contain_text("MVS: 0")


def test_the_nuisance_sent_is_that_of_the_boards_shown(page: Page) -> None:
    page.get_by_role("radio", name="MVS", exact=True).check()
    tab(page, "Play on")
    expect(page.locator(".playon .sums li")).to_have_text(["MVS: 0"])
    page.get_by_role("radio", name="Both", exact=True).check()
    expect(page.locator(".playon .sums li")).to_have_text(["MVS: 0", "PS2: 0"])


def test_a_board_is_read_against_the_clock(page: Page) -> None:
    tab(page, "Practice")
    today = datetime.date.today().isoformat()
    daily = page.get_by_role("button", name=re.compile("^Board of "))
    day = re.sub(r"[^\d-]", "", daily.inner_text())
    assert abs((datetime.date.fromisoformat(day) - datetime.date.fromisoformat(today)).days) <= 1
    for right in (True, False):
        daily.click()
        board = practice_board(int(day.replace("-", "")))
        shows(page, str(board).removeprefix(".......\n" * (12 - len(str(board).lstrip(".\n").split("\n")))))
        # nothing on the page reveals the value before the answer
        has_values(page, "?", "?")
        expect(page.locator(".lane .badge")).to_have_count(0)
        expect(page.locator(".account").first).to_be_hidden()
        attack = ignite(board, Ruleset.MVS).low
        page.get_by_label("Your answer").fill(str(attack if right else attack + 1))
        page.get_by_role("button", name="Answer", exact=True).click()
        verdict = page.locator(".verdict")
        expect(verdict).to_contain_text("Right, in" if right else f"the attack is {attack}")
        expect(page.locator(".lane.mvs .number")).to_have_text(str(attack))
        rows = page.locator(".quiz .sums")
        # the same day's board, answered twice, counts once
        expect(rows).to_contain_text("Right in a row: 1 (most: 1)")
        expect(rows).to_contain_text("Days in a row: 1 (most: 1)")
    page.get_by_role("button", name="Share the result").click()
    page.reload()
    tab(page, "Practice")
    expect(page.locator(".quiz .sums")).to_contain_text("Days in a row: 1 (most: 1)")


def test_a_board_that_is_asked_about_cannot_be_painted(page: Page) -> None:
    tab(page, "Practice")
    page.get_by_role("button", name="Another board").click()
    has_values(page, "?", "?")
    board = painted(page)
    empty = page.locator(".lane.mvs [role=gridcell][aria-label$='empty']").first
    empty.click()
    page.keyboard.press("g")
    page.keyboard.press("Control+z")
    assert painted(page) == board
    expect(page.locator(".side")).to_have_attribute("inert", "")
    page.get_by_role("button", name="Save the wave as an animated GIF").click()
    expect(page.locator(".toast")).to_have_text("The wave can be saved after your answer.")
    # loading a board ends the question without counting an answer
    load(page, BRANCHES)
    has_values(page, "8", "8")
    expect(page.get_by_label("Your answer")).to_be_hidden()
    expect(page.locator(".quiz .sums")).to_contain_text("Right in a row: 0 (most: 0)")
    cell(page, 1, 1).click()
    assert painted(page) != BRANCHES


def test_another_tab_ends_the_question(page: Page) -> None:
    tab(page, "Practice")
    page.get_by_role("button", name="Another board").click()
    has_values(page, "?", "?")
    tab(page, "Value")
    expect(page.locator(".lane.mvs .number")).not_to_have_text("?")


@pytest.mark.long
def test_the_tour_goes_through_the_article(page: Page) -> None:
    """The numbers are those of tests/nyaa/calculator/test_article.py."""
    wanted = {
        "A wave in a line": ("4", "4"),
        "A block alone": ("0", "0"),
        "The game's own lesson: 14": ("15", "14"),
        "Problem 1: a tail of 1 in company": ("2", "3"),
        "Problem 2: where is the extra 1?": ("12", "11"),
        "Problem 4: two structures at once": ("36", "30"),
    }
    tab(page, "Tour")
    seen: dict[str, tuple[str, str]] = {}
    stop = page.locator(".stop")
    while True:
        title = stop.locator("h3").inner_text()
        numbers = [page.locator(f".lane.{one} .number").inner_text() for one in ("mvs", "ps2")]
        seen[title] = (numbers[0], numbers[1])
        on = stop.get_by_role("button", name="Next", exact=True)
        if on.is_disabled():
            break
        on.click()
    assert len(seen) == 18
    assert {title: seen[title] for title in wanted} == wanted
    assert seen["Figure 4: the block that doesn't count"][0] == "7"
    assert seen["Open: two waves from the sides"][1] == seen["Open: from above and below"][1] == "10–14"
    assert seen["Open: two starts in the arcade game"] == ("8–11", "8–11")
    assert seen["Open: two starts on the PlayStation 2"][1] == "11–15"
    # a rule that no source settles is shown with both outcomes, in each game where it is open
    expect(stop.locator(".open")).to_have_text("PS2: 11 or 15")
    stop.get_by_role("button", name="Back", exact=True).click()
    expect(stop.locator(".open")).to_have_text("MVS: 8 or 11 · PS2: 8 or 11")
    # one tap shows either of a stop's two boards
    page.locator(".tour summary").click()
    page.get_by_role("button", name="Problem 3: the same shape, turned").click()
    expect(page.locator(".lane.mvs .number")).to_have_text("6")
    expect(page.get_by_role("button", name="A", exact=True, pressed=True)).to_be_visible()
    page.get_by_role("button", name="B", exact=True).click()
    expect(page.locator(".lane.mvs .number")).to_have_text("7")
    expect(page.get_by_role("button", name="B", exact=True, pressed=True)).to_be_visible()
    expect(page.get_by_role("button", name="A", exact=True, pressed=False)).to_be_visible()
    # the tour opens the sum in words by itself; on other tabs it is as the user left it (closed)
    expect(page.locator(".account.mvs .sentences")).to_be_visible()
    expect(page.locator(".account.mvs .sentences")).to_contain_text("light 2 blocks at once")
    tab(page, "Value")
    expect(page.locator(".account.mvs .sentences")).to_be_hidden()


def test_a_stop_shows_the_ruleset_that_it_is_about(page: Page) -> None:
    page.get_by_role("radio", name="MVS", exact=True).check()
    tab(page, "Tour")
    page.locator(".tour summary").click()
    page.get_by_role("button", name="Open: from above and below").click()
    expect(page.locator(".lane.ps2")).to_be_visible()
    expect(page.locator(".stop .open")).to_have_text("PS2: 10 or 14")


@pytest.mark.long
def test_the_language_is_the_browser_s_and_can_be_switched(browser: Browser, address: str) -> None:
    with opened(browser, address, locale="ja-JP") as page:
        assert page.evaluate("document.documentElement.lang") == "ja"
        expect(page.get_by_role("tab", name="練習")).to_be_visible()
        page.get_by_role("tab", name="解説").click()
        page.get_by_role("button", name="次へ").click()
        page.get_by_role("button", name="English").click()
        assert page.evaluate("document.documentElement.lang") == "en"
        expect(page.get_by_role("tab", name="Tour", exact=True)).to_have_attribute("aria-selected", "true")
        page.reload()
        expect(page.get_by_role("tab", name="Practice")).to_be_visible()
    with opened(browser, address, locale="fr-FR") as page:
        assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.long
def test_tabs_are_gone_through_with_the_keyboard(page: Page) -> None:
    expect(page.get_by_role("tab", name="Value", selected=True)).to_be_visible()
    expect(page.get_by_role("tab", selected=False)).to_have_count(5)
    page.get_by_role("tab", name="Value").focus()
    for name in ("Best", "Play on", "Practice", "Tour", "Help"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("tabpanel")).to_contain_text("Where a wave can go no further")


@pytest.mark.long
def test_a_phone_shows_one_ruleset_with_cells_for_a_finger(browser: Browser, address: str) -> None:
    """The whole board fits on an upright phone, so a low one has smaller cells."""
    for width, height, least in (
        (390, 844, 40),
        (390, 664, 36),
        (360, 640, 34),
        (320, 568, 28),
        (844, 390, 40),
        (667, 375, 40),
    ):
        size = {"width": width, "height": height}
        with opened(browser, address, viewport=size, is_mobile=True, has_touch=True) as page:
            expect(page.locator(".lane.ps2")).to_be_hidden()
            box = cell(page, 4, 6).bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= least


def test_the_board_grows_with_the_window_and_the_account_stays_beside_it(page: Page) -> None:
    sizes = []
    for width, height in ((1024, 600), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        load(page, BRANCHES)
        board, account = (page.locator(one).bounding_box() for one in (".lane.ps2 .board", ".account.mvs"))
        assert board is not None
        assert account is not None
        assert account["x"] >= board["x"] + board["width"]
        assert account["y"] < height / 2
        assert board["y"] + board["height"] <= height
        sizes.append(board["width"])
    assert sizes[0] < sizes[1] < sizes[2]
