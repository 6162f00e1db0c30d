"""Links of chain simulators: written and read back, known ones, and those that can't be read."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from ochibot.puyo.notes import board_of
from ochibot.puyo.rules.file import load_rules

from tests.ui.web.reviewtools import written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EMPTY = "......"
# the example of a public program's own test of puyop.com's addresses
KNOWN = [".....Y", ".G..YY", "RGRRBB", "RRGRGB"]
KNOWN_PUYOP = "http://www.puyop.com/s/420Aa9r9hj"

WRITE = """([rows, pairs, board]) => {
    const { field, links } = ochibotReview;
    const cells = field.fieldOf(rows, board);
    const told = (make) => { try { return make(); } catch (error) { return `fault ${error.what}`; } };
    const codes = pairs.map((pair) => field.pairOf(pair, board));
    return [told(() => links.puyopLink(cells, codes, board)), told(() => links.nexusLink(cells, board))];
}"""
READ = """([text, board]) => {
    const { field, links } = ochibotReview;
    try {
        const found = links.fromLink(text, board);
        const pairs = found?.pairs.map((pair) => pair.map((code) => board.letters[code]).join(""));
        return found && [field.rowsOf(found.cells, board), pairs];
    } catch (error) { return error.what ?? String(error); }
}"""


@pytest.fixture(scope="module")
def links(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(written(tmp_path_factory.mktemp("links"), None))
    yield page
    context.close()


def full(rows: list[str]) -> list[str]:
    return [EMPTY] * (14 - len(rows)) + rows


def test_known_links(links: Page) -> None:
    board = board_of(load_rules("tsu"))
    puyop, nexus = links.evaluate(WRITE, [full(KNOWN), [], board])
    assert puyop == KNOWN_PUYOP
    assert nexus == "https://puyonexus.com/chainsim/?w=6&h=12&hr=1&chain=6070066474455447475"
    for link in (puyop, nexus, KNOWN_PUYOP.removeprefix("http://www."), KNOWN_PUYOP.replace("http", "https")):
        assert links.evaluate(READ, [link, board]) == [full(KNOWN), []], link
    # 3-1 stairs, from the wiki of Puyo Nexus; without sizes, and in the oldest form
    stairs = full([".RGYB.", ".BRGYB", ".BRGYB", "BBRGYB"])
    for link in (
        "https://puyonexus.com/chainsim/?chain=47650054765054765554765",
        "http://www.puyonexus.net/chainsim/??47650054765054765554765",
        "https://puyonexus.com/chainsim/??(6,12)47650054765054765554765",
    ):
        assert links.evaluate(READ, [link, board]) == [stairs, []], link


@pytest.mark.parametrize("name", ["tsu", "famicom"])
def test_what_is_written_is_read_back(links: Page, name: str) -> None:
    board, chance = board_of(load_rules(name)), random.Random(3)
    for _ in range(60):
        heights = [chance.randint(0, 13) for _ in range(6)]
        columns = ["".join(chance.choice("RGBYPo") for _ in range(height)).rjust(14, ".") for height in heights]
        rows = ["".join(column[y] for column in columns) for y in range(14)]
        pairs = ["".join(chance.choices("RGBYP", k=2)) for _ in range(chance.randint(0, 3))]
        puyop, nexus = links.evaluate(WRITE, [rows, pairs, board])
        assert links.evaluate(READ, [puyop, board]) == [rows, pairs]
        assert links.evaluate(READ, [nexus, board]) == [rows, []]


def test_what_a_link_cannot_say(links: Page) -> None:
    board = board_of(load_rules("famicom"))
    puyop, nexus = links.evaluate(WRITE, [["R....."] * 14, [], board])
    assert puyop == "fault tooHigh"
    assert "h=13&hr=1" in nexus
    assert links.evaluate(READ, [nexus, board]) == [["R....."] * 14, []]
    assert links.evaluate(WRITE, [full(["CC...."]), [], board]) == ["fault cyan"] * 2
    assert links.evaluate(WRITE, [full(KNOWN), ["CR"], board])[0] == "fault cyan"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("http://www.puyop.com/s/4!0", "damaged"),
        ("http://www.puyop.com/s/%E3%", "damaged"),
        ("http://www.puyop.com/s/" + "9" * 40, "damaged"),
        ("http://www.puyop.com/s/=77", "kinds"),
        ("http://www.puyop.com/s/7", "kinds"),
        ("https://puyonexus.com/chainsim/chain/kh4xF", "stored"),
        ("https://puyonexus.com/chainsim/", "damaged"),
        ("https://puyonexus.com/chainsim/?chain=9", "damaged"),
        ("https://puyonexus.com/chainsim/?chain=A", "kinds"),
        ("https://puyonexus.com/chainsim/?w=8&chain=4", "size"),
        ("https://example.org/?chain=4", "unknown"),
    ],
)
def test_links_that_cannot_be_read(links: Page, text: str, fault: str) -> None:
    assert links.evaluate(READ, [text, board_of(load_rules("tsu"))]) == fault


def test_nuisance_that_falls_ends_the_pairs(links: Page) -> None:
    board = board_of(load_rules("tsu"))
    # red and green in the third column; a row of nuisance; red and red
    assert links.evaluate(READ, ["http://www.puyop.com/s/_1o" + "0" + "V" + "00", board])[1] == ["RG"]
    assert links.evaluate(READ, ["RRR...", board]) is None
