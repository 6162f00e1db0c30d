"""The analysis board: painting, text and links, chains step by step, and the best places."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.resolve import resolve
from ochibot.review.report import page_of

from tests.ui.web.live import serving
from tests.ui.web.pagetools import DESKTOP, Watch, expect, new_context
from tests.ui.web.reviewdata import made_review
from tests.ui.web.reviewtools import reviewing, tab

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

CHAIN = "RRRG../GGGY../YYYR../BRRRG./BBBRG."


@pytest.fixture
def board(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page without a review."""
    with reviewing(browser, tmp_path, None) as page:
        yield page


def cell(page: Page, x: int, y: int) -> Locator:
    """The cell in column x from the left and row y from the bottom."""
    return page.locator("[role=gridcell]").nth((14 - y) * 6 + x - 1)


def text(page: Page) -> str:
    page.get_by_role("button", name="This field as text").click()
    return page.get_by_role("textbox").input_value()


def load(page: Page, what: str) -> None:
    page.get_by_role("textbox").fill(what)
    page.get_by_role("button", name="Load").click()


def test_painting_by_mouse_and_keys(board: Page) -> None:
    page = board
    page.get_by_role("radio", name="green").check(force=True)
    first, last = (cell(page, x, 1).bounding_box() for x in (1, 4))
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + 5, last["y"] + 5, steps=8)
    page.mouse.up()
    assert text(page) == "GGGG.."
    expect(cell(page, 2, 1)).to_have_attribute("aria-label", "column 2, row 1: green")
    # again with the same colour: empty
    cell(page, 2, 1).click()
    assert text(page) == "G.GG.."
    cell(page, 2, 1).focus()
    page.keyboard.press("o")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("y")
    page.keyboard.press("Delete")
    assert text(page) == ".G....\nGoGG.."
    page.get_by_role("button", name="Mirror").click()
    assert text(page) == "....G.\n..GGoG"
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    assert text(page) == ".G....\nGoGG.."
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Clear").click()
    assert text(page) == ""


def test_text_and_links_are_loaded(board: Page) -> None:
    page = board
    load(page, "rrgg.. / ....oo")
    assert text(page) == "RRGG..\n....oo"
    load(page, "http://www.puyop.com/s/420Aa9r9hj_1o")
    assert text(page) == ".....Y\n.G..YY\nRGRRBB\nRRGRGB"
    expect(page.get_by_role("button", name="Pair 1, lower piece: red")).to_be_visible()
    expect(page.get_by_role("button", name="Pair 1, upper piece: green")).to_be_visible()
    link = page.get_by_role("link", name="Open in Puyo Nexus").get_attribute("href")
    assert link == "https://puyonexus.com/chainsim/?w=6&h=12&hr=1&chain=6070066474455447475"
    puyop = page.get_by_role("link", name="Open in puyop.com").get_attribute("href")
    page.get_by_role("button", name="Clear").click()
    load(page, str(puyop))
    assert text(page) == ".....Y\n.G..YY\nRGRRBB\nRRGRGB"
    for wrong, words in (
        ("RRX...", "“X” is none of the letters"),
        ("RRR", "Row 1 doesn't have 6 letters"),
        ("R.....\n" * 15, "more than 14 rows"),
        ("https://puyonexus.com/chainsim/chain/kh4xF", "stored on the site"),
    ):
        load(page, wrong)
        expect(page.locator(".fault")).to_contain_text(words)
        assert text(page) == ".....Y\n.G..YY\nRGRRBB\nRRGRGB"


@pytest.mark.parametrize("rules", ["tsu", "famicom"])
def test_a_chain_step_by_step(board: Page, rules: str) -> None:
    page = board
    page.get_by_role("combobox", name="Rules").select_option(rules)
    load(page, CHAIN)
    outcome = resolve(Field.parse(CHAIN.replace("/", "\n")), load_rules(rules))
    assert outcome.chain >= 2
    page.get_by_role("button", name="Play the chain").click()
    told = page.locator(".chainresult")
    expect(told).to_have_text(f"{outcome.chain}-chain, {outcome.score:,} points")
    page.get_by_role("button", name="Back to painting").click()
    for _ in range(2):
        page.get_by_role("button", name="Next step").click()
    expect(told).to_contain_text(f"Step 1 of {outcome.chain}")
    page.get_by_role("button", name="Back to painting").click()
    assert text(page) == CHAIN.replace("/", "\n")


def test_the_best_places(board: Page) -> None:
    page = board
    # red on the three reds of the right column is the only chain
    load(page, ".....R\n.....R\n.....R\nGGYYBG")
    for name, count in (("lower", 1), ("upper", 1)):
        for _ in range(count):
            page.get_by_role("button", name=f"Pair 1, {name} piece: ").click()
    page.get_by_role("button", name="Find the best places").click()
    expect(page.locator(".results .choice").first).to_be_visible()
    expect(page.locator(".analysis")).to_contain_text("boards in")
    fires = page.locator(".results .choice", has_text="sets off a 1-chain")
    if fires.count() == 0:
        expect(page.locator(".results .choice").first).to_contain_text("builds towards")
    # put it there, and it is on the field
    page.locator(".results li").first.get_by_role("button", name="Put it there").click()
    page.get_by_role("button", name="Back to painting").click()
    assert text(page).count("R") in (1, 5)
    expect(page.get_by_role("button", name="Pair 1, lower piece: empty")).to_be_visible()
    # what was found is of another position now
    assert page.locator(".results li").count() == 0


def test_without_a_worker_chains_at_once_are_told(browser: Browser, tmp_path: Path) -> None:
    with reviewing(browser, tmp_path, None) as page:
        page.evaluate("() => { globalThis.Worker = class { constructor() { throw new Error('no workers'); } }; }")
        load(page, "R.....\nR.....\nGGYYBG")
        page.get_by_role("button", name="Find the best places").click()
        expect(page.locator(".analysis")).to_contain_text("No pair is given")
        page.get_by_role("button", name="Pair 1, lower piece: ").click()
        page.get_by_role("button", name="Pair 1, upper piece: ").click()
        page.get_by_role("button", name="Find the best places").click()
        expect(page.locator(".analysis")).to_contain_text("The engine can't run in this browser.")
        expect(page.locator(".results .choice").first).to_contain_text("column 1, upright")
        expect(page.locator(".results .choice").first).to_contain_text("sets off a 1-chain (40 points)")


def test_the_server_has_it_too(browser: Browser) -> None:
    with serving(pages={"puyo.html": page_of(None)}) as address:
        context = new_context(browser, viewport=DESKTOP)
        page = context.new_page()
        watch = Watch(page)
        answer = page.goto(f"{address}/puyo.html")
        assert answer is not None
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert policy.endswith("frame-ancestors 'none'")
        load(page, "R.....\nR.....\nGGYYBG")
        page.get_by_role("button", name="Pair 1, lower piece: ").click()
        page.get_by_role("button", name="Pair 1, upper piece: ").click()
        page.get_by_role("button", name="Find the best places").click()
        # the engine runs under the server's policy, too
        expect(page.locator(".analysis")).to_contain_text("boards in")
        watch.nothing_but("blob:", "data:")
        context.close()


def test_a_moment_of_the_game_is_analysed(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    move = review["moves"][6]
    with reviewing(browser, tmp_path, review) as page:
        page.locator(".film button").nth(6).click()
        page.get_by_role("button", name="Analyse this").click()
        expect(page.locator("#tab-board")).to_have_attribute("aria-selected", "true")
        assert text(page).split("\n") == [row for row in move["field"] if row != "......"]
        expect(page.get_by_role("combobox", name="Rules")).to_have_value("own")
        # it stays while one looks at the game
        tab(page, "game")
        expect(page.locator(".movetitle")).to_contain_text("Move 7 of")
        tab(page, "board")
        assert text(page).split("\n") == [row for row in move["field"] if row != "......"]


@pytest.mark.parametrize(
    ("address", "field", "halves", "rules"),
    [
        ("#f=RG....&p=RG.BB&r=famicom", "RG....", ["red", "green", "blue"], "famicom"),
        ("#f=R...../GY....&r=nothing", "R.....\nGY....", [], "tsu"),
        ("#f=RG....&p=RGB.QQ", "RG....", [], "tsu"),
        ("#f=RGX...", "", [], "tsu"),
        ("#f=RG..", "", [], "tsu"),
        ("#p=RG", "", [], "tsu"),
    ],
)
def test_an_address_opens_with_its_field_pairs_and_rules(
    browser: Browser, address: str, field: str, halves: list[str], rules: str
) -> None:
    with serving(pages={"puyo.html": page_of(None)}) as url:
        context = new_context(browser, viewport=DESKTOP, locale="en-GB")
        page = context.new_page()
        watch = Watch(page)
        page.goto(f"{url}/puyo.html{address}")
        assert text(page) == field
        assert page.get_by_role("combobox", name="Rules").input_value() == rules
        names = page.locator(".pairedit button").evaluate_all("all => all.map((one) => one.ariaLabel)")
        whole = [name for name in names if "empty" not in name]
        assert len(whole) == (4 if halves else 0)
        assert all(any(colour in name for colour in halves) for name in whole)
        watch.nothing_but("data:", "blob:")
        context.close()
