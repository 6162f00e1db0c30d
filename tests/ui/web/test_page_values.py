"""The page in a real Chromium: its numbers, paths and waves are those of the rules."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from ochibot.nyaa import Grid, Ruleset, ignite

from tests.ui.web.latency import DENSE
from tests.ui.web.pagetools import BRANCHES, TIE, cell, expect, has_values, load

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_the_page_says_what_the_rules_say(page: Page) -> None:
    chance = random.Random(7)
    for _ in range(3):
        text = "\n".join("".join(chance.choices("..rrrrgoRG", k=7)) for _ in range(9))
        load(page, text)
        mvs, ps2 = (ignite(Grid.parse(text), ruleset) for ruleset in (Ruleset.MVS, Ruleset.PS2))
        shown = [str(one.low) if one.low == one.high else f"{one.low}–{one.high}" for one in (mvs, ps2)]
        has_values(page, *shown)
        for lane, one in (("mvs", mvs), ("ps2", ps2)):
            drawn = page.locator(f".lane.{lane} .badge text").all_text_contents()
            first = one.outcomes[0].tails
            assert sorted(map(int, drawn)) == sorted(tail.value for tail in first)
            for tail in first:
                expect(cell(page, tail.x, tail.y, lane)).to_have_accessible_name(
                    re.compile(f"tail of {tail.value} ends")
                )


def test_an_open_tie_is_a_range_with_its_outcomes(page: Page) -> None:
    load(page, TIE)
    has_values(page, "16", "12–17")
    expect(page.locator(".lane.mvs .note")).to_have_text("exact")
    expect(page.locator(".lane.ps2 .note")).to_have_text("between 12 and 17")
    assert page.locator(".lane.ps2 .tie").count() == 1
    account = page.locator(".account.ps2")
    expect(account).to_contain_text("6 + 6 = 12")
    account.get_by_role("button", name="The next outcome").press("Enter")
    expect(account).to_contain_text("5 + 6 + 6 = 17")


def test_too_many_ties_are_shown_as_perhaps_more(page: Page) -> None:
    load(page, DENSE)
    expect(page.locator(".lane.mvs .note")).to_contain_text("perhaps more")
    # once painting has stopped, the number is the one that the command gives, with a plus sign
    whole = ignite(Grid.parse(DENSE), Ruleset.MVS)
    expect(page.locator(".lane.mvs .number")).to_have_text(f"{whole.low}–{whole.high}+")
    account = page.locator(".account.mvs")
    expect(account).to_contain_text("too many open ties to try them all")
    expect(account).to_contain_text("6 of them can be looked at")
    expect(account.locator(".pager")).to_contain_text("outcome 1 of 6")


@pytest.mark.long
@pytest.mark.parametrize("waves", ["stepped", "played"])
def test_all_ties_are_tried_while_the_waves_are_shown(page: Page, waves: str) -> None:
    """Two former bugs: playing a wave kept the first range for ever, and stepping through it jumped to its start."""
    whole = ignite(Grid.parse(DENSE), Ruleset.MVS)
    number = page.locator(".lane.mvs .number")
    load(page, DENSE)
    if waves == "played":
        page.get_by_role("button", name="Play", exact=True).click()
    else:
        page.get_by_role("button", name="One step on").click()
    expect(number).not_to_have_text(f"{whole.low}–{whole.high}+")
    expect(number).to_have_text(f"{whole.low}–{whole.high}+")
    if waves == "stepped":
        expect(page.locator(".player .step")).to_contain_text("step 1 of")
        expect(page.locator(".lane.mvs .wave")).not_to_have_count(0)


def test_the_account_adds_up(page: Page) -> None:
    load(page, BRANCHES)
    account = page.locator(".account.mvs")
    for words in ("2 + 3 + 3 = 8", "4 % × 3 tails of 8 → 8.96", "rounded down: 8", "5 blocks in 3 steps"):
        expect(account).to_contain_text(words)


@pytest.mark.parametrize("how", ["hover", "focus"])
def test_a_tails_path_is_lit(page: Page, how: str) -> None:
    load(page, BRANCHES)
    chips = page.locator(".account.mvs .chip")
    expect(chips).to_have_text(["2", "3", "3"])
    badges = page.locator(".lane.mvs .badge")
    for number, path in ((0, "1"), (2, "12")):
        getattr(chips.nth(number), how)()
        expect(badges).to_have_count(1)
        steps = page.locator(".lane.mvs .picture text").all_text_contents()
        assert "".join(steps) == path + chips.nth(number).inner_text()
    # hovering over a tail's last cell on the board, or focusing it, also shows that tail alone
    getattr(cell(page, 3, 3), how)()
    expect(badges).to_have_count(1)
    expect(badges.locator("text")).to_have_text("2")
    assert page.locator(".lane.ps2 .badge").count() == 3


def test_the_waves_are_played(page: Page) -> None:
    load(page, BRANCHES)
    waves, slider = page.locator(".lane.mvs .wave"), page.get_by_role("slider")
    counts = []
    for step in ("1", "2", "3"):
        slider.fill(step)
        counts.append((waves.count(), page.locator(".lane.mvs .badge").count()))
    assert counts == [(1, 0), (2, 1), (2, 3)]
    slider.fill("0")
    assert (waves.count(), page.locator(".lane.mvs .badge").count()) == (0, 3)
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".player .step")).to_have_text("step 3 of 3")
    page.get_by_role("button", name="Pause").click()
    expect(waves).to_have_count(2)
    page.get_by_role("button", name="One step back").click()
    expect(page.locator(".player .progress")).to_contain_text("step 2 of 3")
    expect(page.locator(".player .progress")).to_contain_text("tails so far: 2")
    page.get_by_role("button", name="One step on").click()
    expect(page.locator(".player .progress")).to_contain_text("tails so far: 8")
    # painting a cell ends the display of waves
    cell(page, 1, 1).click()
    expect(waves).to_have_count(0)


def test_rulesets_are_chosen(page: Page) -> None:
    load(page, TIE)
    for name, mvs, ps2 in (("MVS", True, False), ("PS2", False, True), ("Both", True, True)):
        page.get_by_role("radio", name=name, exact=True).check()
        for lane, visible in (("mvs", mvs), ("ps2", ps2)):
            for part in (".lane", ".account"):
                expect(page.locator(f"{part}.{lane}")).to_be_visible(visible=visible)
    page.get_by_role("radio", name="PS2", exact=True).check()
    expect(page).to_have_url(re.compile("view=ps2"))
