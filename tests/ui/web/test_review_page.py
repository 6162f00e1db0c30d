"""The page of a review in a real browser: the game, its marks, the choices, pictures, languages and themes."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ochibot.review.history import reviews_in
from ochibot.review.report import page_of
from PIL import Image

from tests.ui.web.pagetools import expect
from tests.ui.web.reviewdata import made_nyaa_review, made_review
from tests.ui.web.reviewtools import reviewing, tab, written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WRONG = ("inaccuracy", "mistake", "blunder")


@pytest.fixture
def solo(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    with reviewing(browser, tmp_path, made_review()) as page:
        yield page


@pytest.fixture
def match(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    with reviewing(browser, tmp_path, made_review(seats=2, pieces=10)) as page:
        yield page


def shown(page: Page) -> int:
    """The number of the move that is shown."""
    return int(page.locator(".movetitle").inner_text().split()[1])


def test_keys_buttons_and_the_strip_go_through_the_game(solo: Page) -> None:
    page = solo
    assert shown(page) == 1
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next move").click()
    assert shown(page) == 3
    page.keyboard.press("End")
    assert shown(page) == 12
    expect(page.locator(".verdict .grade")).to_have_text("Not judged")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    # the first move that isn't good
    assert shown(page) == 2
    page.locator(".film button").nth(4).click()
    assert shown(page) == 5
    assert page.locator(".film [aria-current]").get_attribute("aria-label") == "Move 5: Best"
    page.locator(".film button").nth(4).press("ArrowLeft")
    assert shown(page) == 4
    expect(page.locator(".film button").nth(3)).to_be_focused()


def test_the_graph_is_a_slider(solo: Page) -> None:
    page = solo
    slider = page.get_by_role("slider", name="Chain in reach")
    slider.press("End")
    assert shown(page) == 12
    slider.press("ArrowLeft")
    assert shown(page) == 11
    assert slider.get_attribute("aria-valuenow") == "11"
    assert slider.get_attribute("aria-valuetext") == "Move 11 of 12: 4-chain, Good"
    slider.click(position={"x": 45, "y": 80})
    assert shown(page) == 1


def test_verdicts_say_why(solo: Page) -> None:
    review = made_review()
    page = solo
    for move in review["moves"]:
        page.locator(".film button").nth(move["number"] - 1).click()
        words = page.locator(".verdict").inner_text()
        if move["grade"] is None:
            continue
        assert move["grade"].capitalize() in words
        assert ("Better:" in words) == (move["grade"] in WRONG)
        # both places are on the board, with an arrow where they are apart
        frames = page.locator(".own svg rect[stroke-dasharray]").count()
        assert (frames > 0) == (move["played_rank"] != 0)


def test_what_is_not_known_is_not_told(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    for move in review["moves"]:
        move["least"] = move["presses"] = move["needed"] = None
    with reviewing(browser, tmp_path, review) as page:
        words = page.locator(".verdict").inner_text()
        assert "more than needed" not in words
        assert "NaN" not in words
    with reviewing(browser, tmp_path, made_review()) as page:
        expect(page.locator(".verdict")).to_contain_text(
            "1 press more than needed, 9 frames (0.1 s) slower than possible."
        )


def test_the_words_lead_to_the_help(solo: Page) -> None:
    solo.get_by_role("button", name="What do these words mean?").click()
    expect(solo.locator("#tab-help")).to_have_attribute("aria-selected", "true")
    expect(solo.locator(".help")).to_contain_text("Blunder (??): a large loss")


PLAYS = """() => {
    const { review: { board, moves }, chain, field, pair } = ochibotReview;
    return moves.filter((move) => move.choices).flatMap((move) => {
        const cells = field.fieldOf(move.field, board);
        const places = pair.placesOf(cells, field.pairOf(move.pair, board), board);
        const reached = places.map((one) => JSON.stringify(one.cells));
        return [...move.choices, move.played].map((choice) => {
            const found = chain.resolve(pair.withCells(cells, choice.cells, board), board);
            const isSame = field.rowsOf(found.cells, board).join("/") === choice.after;
            return isSame && found.steps.length === choice.steps && reached.includes(JSON.stringify(choice.cells));
        });
    });
}"""


@pytest.mark.parametrize("rules", ["tsu", "famicom"])
def test_the_page_plays_what_the_review_says(browser: Browser, tmp_path: Path, rules: str) -> None:
    with reviewing(browser, tmp_path, made_review(pieces=30, rules=rules)) as page:
        found = page.evaluate(PLAYS)
        assert len(found) == 29 * 4
        assert all(found)


def test_choices_are_shown_when_pointed_at(solo: Page) -> None:
    page = solo
    page.locator(".film button").nth(3).click()
    choices = page.locator(".choice")
    assert choices.count() == 4
    expect(choices.last).to_contain_text("played")
    before = page.locator(".own svg").inner_html()
    choices.nth(1).hover()
    pointed = page.locator(".own svg").inner_html()
    assert pointed != before
    page.locator(".movetitle").hover()
    assert page.locator(".own svg").inner_html() == before
    choices.nth(1).click()
    page.locator(".movetitle").hover()
    assert page.locator(".own svg").inner_html() == pointed
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")


@pytest.mark.long
def test_it_plays(solo: Page) -> None:
    page = solo
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".movetitle")).to_contain_text("Move 3 ")
    page.get_by_role("button", name="Pause").click()
    at = shown(page)
    page.wait_for_timeout(1500)
    assert shown(page) == at
    page.get_by_role("button", name="Watch this move").click()
    page.get_by_role("button", name="Watch the best move").click()


def test_moments_jump_to_the_other_player(match: Page) -> None:
    page = match
    review = made_review(seats=2, pieces=10)
    theirs = next(at for at, index in enumerate(review["moments"]) if review["moves"][index]["seat"] == 2)
    page.locator(".moments button").nth(theirs).click()
    expect(page.get_by_role("radio", name="Player 2")).to_be_checked()
    move = review["moves"][review["moments"][theirs]]
    assert shown(page) == move["number"]
    expect(page.locator(".verdict .chance")).to_have_text("50 %")
    # and back, at the same time
    page.get_by_role("radio", name="Player 1").check(force=True)
    mine = [one for one in review["moves"] if one["seat"] == 1 and one["frame"] <= move["frame"]][-1]
    assert shown(page) == mine["number"]
    expect(page.locator(".rival p")).to_contain_text("Player 2")


def test_a_swipe_turns_the_page(browser: Browser, tmp_path: Path) -> None:
    with reviewing(browser, tmp_path, made_review(), viewport={"width": 390, "height": 844}, has_touch=True) as page:
        box = page.locator(".own svg").bounding_box()
        assert box is not None
        x, y = box["x"] + 150, box["y"] + 200
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 80, y + 5, steps=4)
        page.mouse.up()
        assert shown(page) == 2
        page.mouse.down()
        page.mouse.move(x + 20, y + 5, steps=4)
        page.mouse.up()
        assert shown(page) == 1


def test_rounds_are_told(browser: Browser, tmp_path: Path) -> None:
    review = made_review()
    for move in review["moves"][6:]:
        move["round"] = 2
    with reviewing(browser, tmp_path, review) as page:
        expect(page.locator(".movetitle")).to_contain_text("Round 1 · Move 1 of 12")
        lines = page.locator(".curve path[stroke-dasharray='3 4']")
        assert lines.count() == 1
        page.keyboard.press("End")
        expect(page.locator(".movetitle")).to_contain_text("Round 2 · Move 12 of 12")


def test_a_picture_is_saved(solo: Page) -> None:
    page = solo
    page.locator(".film button").nth(3).click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Picture (PNG)").click()
    assert saving.value.suggested_filename == "ochibot-1-4.png"
    with Image.open(io.BytesIO(Path(saving.value.path()).read_bytes())) as picture:
        assert picture.width == 800
        colors = {color for _, color in picture.convert("RGB").getcolors(1 << 24) or []}
        # the page's ground, the well, and the pieces
        assert {(250, 248, 242), (236, 232, 220)} < colors
        assert len(colors) > 50


def test_a_link_is_copied_or_shown(solo: Page) -> None:
    page = solo
    page.evaluate("() => { navigator.clipboard.writeText = async (words) => { globalThis.copied = words; }; }")
    page.get_by_role("button", name="Copy the link for puyop.com").click()
    expect(page.locator(".toast")).to_have_text("Link copied.")
    link = page.get_by_role("link", name="Open in puyop.com").get_attribute("href")
    assert page.evaluate("copied") == link
    # where copying is forbidden, the link can be copied by hand
    page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('forbidden'); }; }")
    page.get_by_role("button", name="Copy the link for puyop.com").click()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_value(str(link))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    # the keys are the game's again
    page.keyboard.press("ArrowRight")
    assert shown(page) == 2


def test_language_and_theme_are_switched_and_kept(solo: Page) -> None:
    page = solo
    page.keyboard.press("End")
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator(".movetitle")).to_contain_text("12手目")
    page.get_by_role("button", name="配色").click()
    page.get_by_role("button", name="配色").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#tab-game")).to_have_text("対局")


def test_the_summary_has_the_numbers(match: Page) -> None:
    page = match
    review = made_review(seats=2, pieces=10)
    tab(page, "summary")
    for seat, card in zip(review["seats"], page.locator(".cards .card").all(), strict=True):
        words = card.inner_text()
        assert f"{seat['accuracy']:.1f} %" in words
        for grade, count in seat["grades"].items():
            assert f"{count}" in card.locator(f"li:has([data-grade={grade}]) b").inner_text()
    expect(page.locator(".summary")).to_contain_text("player 2 lost")


def test_pochi_and_nyaa_too(browser: Browser, tmp_path: Path) -> None:
    with reviewing(browser, tmp_path, made_nyaa_review()) as page:
        expect(page.locator("[role=tab]")).to_have_text(["Game", "Puzzles", "Summary", "Help"])
        page.keyboard.press("ArrowRight")
        expect(page.locator(".verdict")).to_contain_text("Missed: an attack of 3 was on the field")
        expect(page.locator(".choice").first).to_contain_text("column 3, upright, as needles")
        tab(page, "puzzles")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("n")
        page.keyboard.press(" ")
        expect(page.locator(".answer")).to_contain_text("That is the best placement!")


def test_no_text_of_a_game_ends_the_script(browser: Browser, tmp_path: Path) -> None:
    review = made_review(pieces=6)
    review["source"]["name"] = "</script><script>document.title = 'broken'</script><!--"
    with reviewing(browser, tmp_path, review) as page:
        expect(page.locator("#brand")).to_contain_text("</script><script>")
        assert "broken" not in page.title().split(":")[0]


def test_a_review_without_moves_says_so(browser: Browser, tmp_path: Path) -> None:
    review = {**made_review(), "moves": [], "moments": []}
    with reviewing(browser, tmp_path, review) as page:
        expect(page.locator("#page")).to_have_text("No placement was found in this game.")


def test_a_page_is_read_back_by_the_command(tmp_path: Path) -> None:
    review = made_review()
    written(tmp_path, review)
    assert reviews_in(tmp_path) == [("review", json.loads(json.dumps(review)))]


def test_the_page_allows_no_network() -> None:
    page = page_of(None)
    assert "default-src 'none'" in page
    assert "connect-src" not in page
    for outside in ("src=", "@import", "url("):
        assert outside not in page.split("<script>")[0].replace("default-src", ""), outside


def test_both_languages_have_the_same_texts(solo: Page) -> None:
    differs = """() => {
        const walk = (one, other, at) => Object.keys({ ...one, ...other }).flatMap((key) => {
            const [a, b] = [one[key], other[key]];
            if (typeof a !== typeof b) return [`${at}${key}`];
            if (typeof a === "function" && a.length !== b.length) return [`${at}${key} (arguments)`];
            return a !== null && typeof a === "object" ? walk(a, b, `${at}${key}.`) : [];
        });
        return walk(ochibotReview.texts.en, ochibotReview.texts.ja, "");
    }"""
    assert solo.evaluate(differs) == []


def with_nuisance(review: dict[str, Any], seat: int, number: int, count: int) -> None:
    """Lets nuisance land before a move of a seat: on the floor's row of an empty field, so far as there is room."""
    moves = [move for move in review["moves"] if move["seat"] == seat]
    before, move = moves[number - 2], moves[number - 1]
    cells = "".join(before["played"]["after"].split("/")).replace("o", ".")
    width = len(move["field"][0])
    rows = [list(cells[at : at + width]) for at in range(0, len(cells), width)]
    before["played"]["after"] = "/".join("".join(row) for row in rows)
    free = [(y, x) for y in reversed(range(len(rows))) for x in range(width) if rows[y][x] == "."]
    for y, x in free[:count]:
        rows[y][x] = "o"
    move["field"] = ["".join(row) for row in rows]


def texts(page: Page, selector: str) -> list[str]:
    found: list[str] = page.locator(selector).evaluate_all("all => all.map((one) => one.textContent)")
    return found


def test_nuisance_that_lands_is_marked_below_the_graph(browser: Browser, tmp_path: Path) -> None:
    review = made_review(seats=2, pieces=10)
    with_nuisance(review, 1, 4, 6)
    with_nuisance(review, 1, 8, 11)
    with_nuisance(review, 2, 6, 3)
    with reviewing(browser, tmp_path, review) as page:
        expect(page.locator(".graphbox .legend")).to_contain_text("nuisance landed")
        assert (page.locator(".landed").count(), page.locator(".landed-other").count()) == (2, 1)
        assert texts(page, ".landed + text") == ["6", "11"]
        slider = page.locator(".graph")
        slider.focus()
        for _ in range(3):
            slider.press("ArrowRight")
        said = slider.get_attribute("aria-valuetext") or ""
        assert said.startswith("Move 4 of 10: ")
        assert said.endswith("; before it, 6 nuisance landed")
        page.get_by_role("radio", name="Player 2").check(force=True)
        assert (page.locator(".landed").count(), page.locator(".landed-other").count()) == (1, 2)
        assert texts(page, ".landed + text") == ["3"]
        page.locator("#language").click()
        expect(page.locator(".graphbox .legend")).to_contain_text("おじゃまの落下")


def test_nuisance_of_the_other_family_too(browser: Browser, tmp_path: Path) -> None:
    review = made_nyaa_review()
    with_nuisance(review, 1, 2, 4)
    with reviewing(browser, tmp_path, review) as page:
        assert texts(page, ".landed + text") == ["4"]


def test_where_nothing_landed_the_graph_says_nothing_of_it(match: Page) -> None:
    assert match.locator(".landed, .landed-other").count() == 0
    assert "nuisance" not in match.locator(".graphbox").inner_text()
