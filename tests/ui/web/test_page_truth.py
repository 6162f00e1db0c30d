"""What the page counts and keeps: one's own board, nuisance sent, the board of the day, and certain attacks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from ochibot.nyaa import Grid, Ruleset, best_of_pairs, ignite, practice_board

from tests.ui.web import share
from tests.ui.web.pagetools import BRANCHES, cell, expect, has_values, load, opened, painted, shows, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RING = ".R.....\nrrr....\nr.r....\nrrr...."
SAME_ATTACK = "B.b.bbb\nbbbB...\n...b..."
"""An open tie on MVS with two outcomes that have the same attack."""
ALWAYS_OPEN = "..B....\n.bbb...\n.brb...\nbbbb..."


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def daily_attack(page: Page) -> int:
    day = re.sub(r"\D", "", page.get_by_role("button", name=re.compile("^Board of ")).inner_text())
    return ignite(practice_board(int(day)), Ruleset.MVS).low


def answer(page: Page, guess: int) -> None:
    page.get_by_label("Your answer").fill(str(guess))
    page.get_by_role("button", name="Answer", exact=True).click()


@pytest.mark.parametrize("name", ["Tour", "Practice"])
def test_one_s_own_board_comes_back(page: Page, name: str) -> None:
    load(page, BRANCHES)
    cell(page, 1, 1).click()
    mine = painted(page)
    tab(page, name)
    if name == "Practice":
        page.get_by_role("button", name="Another board").click()
        expect(page.get_by_label("Your answer")).to_be_visible()
        answer(page, 0)
    else:
        page.get_by_role("button", name="Next", exact=True).click()
        cell(page, 7, 12).click()
    assert painted(page) != mine
    # the page's address keeps one's own board, so that a reload doesn't lose it either
    page.wait_for_timeout(400)
    assert f"b={share.encode(mine)}" in page.url
    tab(page, "Value")
    shows(page, mine)
    # and so does undo: nothing of the tour is left in it
    page.get_by_role("button", name="Undo").click()
    shows(page, BRANCHES)
    page.get_by_role("button", name="Redo").click()
    shows(page, mine)


def test_switching_the_language_in_the_tour_keeps_one_s_own_board(page: Page) -> None:
    load(page, BRANCHES)
    tab(page, "Tour")
    page.locator("#language").click()
    expect(page.get_by_role("tab", name="解説", selected=True)).to_be_visible()
    page.locator("#language").click()
    tab(page, "Value")
    shows(page, BRANCHES)


def test_a_board_loaded_in_the_tour_is_one_s_own(page: Page) -> None:
    load(page, RING)
    tab(page, "Tour")
    load(page, BRANCHES)
    tab(page, "Value")
    shows(page, BRANCHES)
    page.get_by_role("button", name="Undo").click()
    shows(page, RING)


def test_undo_takes_back_the_nuisance_sent(page: Page) -> None:
    load(page, BRANCHES)
    tab(page, "Play on")
    sums = page.locator(".playon .sums").first
    page.get_by_role("button", name="Pop, and let it fall").click()
    expect(sums).to_contain_text("MVS: 8")
    expect(page.locator(".playon .message")).to_contain_text("Sent: MVS: +8")
    page.get_by_role("button", name="Undo").click()
    expect(sums).to_contain_text("MVS: 0")
    expect(page.locator(".playon .message")).to_have_text("")
    page.get_by_role("button", name="Redo").click()
    expect(sums).to_contain_text("MVS: 8")
    # another tab doesn't forget the count
    tab(page, "Value")
    tab(page, "Play on")
    expect(sums).to_contain_text("MVS: 8")
    page.get_by_role("button", name="Count anew").click()
    expect(sums).to_contain_text("MVS: 0")
    page.get_by_role("button", name="Undo").click()
    expect(sums).to_contain_text("MVS: 8")


def test_undo_gives_the_dropped_pair_back(page: Page) -> None:
    load(page, BRANCHES)
    tab(page, "Play on")
    pairs = page.locator(".pairs select")
    before = pairs.evaluate_all("all => all.map((one) => one.value)")
    page.get_by_role("button", name="Drop", exact=True).click()
    assert pairs.evaluate_all("all => all.map((one) => one.value)")[:2] == before[2:]
    page.get_by_role("button", name="Undo").click()
    shows(page, BRANCHES)
    assert pairs.evaluate_all("all => all.map((one) => one.value)") == before


def test_the_result_is_shared_without_the_answer(page: Page) -> None:
    page.evaluate(
        """() => { window.shared = []; Object.defineProperty(navigator, "share", {
            configurable: true, value: async (what) => { window.shared.push(what.text); } }); }"""
    )
    tab(page, "Practice")
    page.get_by_role("button", name=re.compile("^Board of ")).click()
    answer(page, daily_attack(page))
    page.get_by_role("button", name="Share the result").click()
    until(page, "shared.length === 1")
    told = page.evaluate("shared[0]")
    assert "read right in" in told
    assert "b=" not in told
    assert told.split("\n")[1] == page.evaluate("location.origin + '/'")


def test_a_daily_board_counts_once_whatever_is_pressed(page: Page) -> None:
    tab(page, "Practice")
    daily = page.get_by_role("button", name=re.compile("^Board of "))
    rows = page.locator(".quiz .sums")
    attack = daily_attack(page)
    # its board isn't shown with its value before it is answered, and its clock isn't set back
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + (window.later ?? 0); }")
    daily.click()
    board = painted(page)
    page.evaluate("window.later = 60000")
    tab(page, "Value")
    assert painted(page) != board
    tab(page, "Practice")
    page.get_by_role("button", name="Another board").click()
    answer(page, 0)
    page.keyboard.press("Control+z")
    assert painted(page) != board
    daily.click()
    answer(page, attack + 1)
    expect(rows).to_contain_text("Right in a row: 0 (most: 0)")
    expect(rows).to_contain_text("Days in a row: 0 (most: 0)")
    # answered again, with what was shown: it counts for nothing
    for _ in range(2):
        daily.click()
        expect(page.locator(".verdict")).to_contain_text("Today's board is answered.")
        answer(page, attack)
        expect(page.locator(".verdict")).to_contain_text("Right, in")
        expect(rows).to_contain_text("Right in a row: 0 (most: 0)")
        expect(rows).to_contain_text("Days in a row: 0 (most: 0)")
    page.reload()
    tab(page, "Practice")
    daily.click()
    answer(page, attack)
    expect(rows).to_contain_text("Days in a row: 0 (most: 0)")


def test_the_clock_of_a_daily_board_runs_from_the_first_look(page: Page) -> None:
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + (window.later ?? 0); }")
    tab(page, "Practice")
    page.get_by_role("button", name=re.compile("^Board of ")).click()
    page.evaluate("window.later = 60000")
    tab(page, "Value")
    tab(page, "Practice")
    page.get_by_role("button", name=re.compile("^Board of ")).click()
    answer(page, daily_attack(page))
    seconds = re.search(r"in ([\d.]+) s", page.locator(".verdict").inner_text())
    assert seconds is not None
    assert float(seconds[1]) >= 60


def test_the_best_move_counts_needles_that_lie_on_the_board(page: Page) -> None:
    drawing = "R......\nrr...gg"
    load(page, drawing)
    tab(page, "Best")
    told = page.locator(".best-moves.mvs")
    # the green needle alone would attack with 2; the red one attacks with 2, too
    expect(told.locator("li").first).to_contain_text("green needle in column 6, row 2, attack 4")
    expect(told.locator("li").nth(1)).to_have_text("As the board lies: attack 2")
    found = best_of_pairs(Grid.parse(drawing), Ruleset.MVS)
    assert found is not None
    expect(told.locator("li").nth(2)).to_contain_text(f"attack {found[1].low}")
    told.locator("li").first.get_by_role("button").click()
    shows(page, "R....G.\nrr...gg")
    expect(page.locator(".lane.mvs .number")).to_have_text("4")


def test_the_best_pair_is_found_where_no_worker_can_start(browser: Browser, address: str) -> None:
    with opened(browser, address) as page:
        page.evaluate("() => { window.Worker = class { constructor() { throw new Error('forbidden'); } }; }")
        load(page, "..rr...\n.brr...\nbbrgg..")
        tab(page, "Best")
        found = best_of_pairs(Grid.parse("..rr...\n.brr...\nbbrgg.."), Ruleset.MVS)
        assert found is not None
        expect(page.locator(".best-moves.mvs li").nth(1)).to_contain_text(f"attack {found[1].low}")


def test_a_certain_attack_is_told_from_open_paths(page: Page) -> None:
    load(page, RING)
    has_values(page, "8", "9")
    expect(page.locator(".lane.mvs .note")).to_have_text("exact")
    expect(page.locator(".lane.ps2 .note")).to_have_text("attack certain, paths open")
    expect(page.locator(".account.ps2 .open")).to_be_hidden()
    load(page, SAME_ATTACK)
    attack = ignite(Grid.parse(SAME_ATTACK), Ruleset.MVS).low
    expect(page.locator(".lane.mvs .number")).to_have_text(str(attack))
    expect(page.locator(".lane.mvs .note")).to_have_text("attack certain, paths open")
    account = page.locator(".account.mvs")
    expect(account.locator(".open")).to_be_hidden()
    expect(account).to_contain_text("The attack is certain.")
    expect(account).to_contain_text("2 outcomes have this attack, and differ in their tails.")
    tails = account.locator(".reckoning").inner_text()
    account.get_by_role("button", name="The next outcome").click()
    assert account.locator(".reckoning").inner_text() != tails
    load(page, ALWAYS_OPEN)
    expect(page.locator(".lane.ps2 .note")).to_have_text("between 10 and 14")
    expect(page.locator(".account.ps2 .open")).to_be_visible()
