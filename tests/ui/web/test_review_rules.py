"""The page's own rules are those of Python: chains step by step, how pairs move, and the boards of the profiles."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from ochibot.falling.orientation import Orientation
from ochibot.puyo.notes import board_of
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.motion import fits, move, resting_cells
from ochibot.puyo.rules.pair import Action, Pair, PairState
from ochibot.puyo.rules.profile import Extra, GroupBonusPer, Rules, Turns
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.search.locks import lock_positions

from tests.ui.web.reviewtools import written

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROFILES = ("tsu", "famicom", "puyo1")
MOST = 400
"""How many fields of each profile a quick test compares; the long one compares ten times as many."""

RESOLVE = """([texts, board]) => {
    const { chain, field } = ochibotReview;
    return texts.map((text) => {
        const found = chain.resolve(field.fieldOf(text.split("/"), board), board);
        const { points, steps, cleared, over } = found;
        return [field.rowsOf(found.cells, board).join("/"), points, steps.length, cleared, over];
    });
}"""
PLACES = """([texts, pair, board]) => {
    const { field, pair: pairs } = ochibotReview;
    const places = (text) => pairs.placesOf(field.fieldOf(text.split("/"), board), pair, board);
    return texts.map((text) => places(text).map(({ cells }) => cells));
}"""

PRESSES = """([texts, board]) => {
    const { field, pair } = ochibotReview;
    return texts.map((text) => {
        const cells = field.fieldOf(text.split("/"), board);
        const told = [];
        const { columns, rows } = board;
        for (let at = 0; at < 4 * rows * columns; at += 1) {
            const [x, y, turn] = [at % columns, Math.floor(at / columns) % rows, Math.floor(at / columns / rows)];
            const state = { x, y, turn, needle: false };
            if (!pair.fits(cells, state, board)) continue;
            for (const press of ["left", "right", "down", "clockwise", "counterclockwise"]) {
                const after = pair.pressed(cells, state, press, board);
                told.push([x, y, turn, after.x, after.y, after.turn]);
            }
        }
        return told;
    });
}"""


@pytest.fixture(scope="module")
def board_page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(written(tmp_path_factory.mktemp("board"), None))
    yield page
    context.close()


def fields(count: int, seed: int) -> list[str]:
    """Fields of all kinds: low and high, settled and floating, of few and of many colours, with nuisance."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        colors = "RGBYPC"[: chance.randint(1, 5)] + "o" * chance.randint(0, 1)
        share, top = chance.random(), chance.randint(0, ROWS - 1)
        floats = chance.random() < 0.3
        columns = []
        for _ in range(COLUMNS):
            height = ROWS - chance.randint(top, ROWS)
            cells = [chance.choice(colors) if not floats or chance.random() < share else "." for _ in range(height)]
            columns.append("".join(cells).rjust(ROWS, "."))
        found.append("/".join("".join(column[y] for column in columns) for y in range(ROWS)))
    return found


def turning(rules: Rules, turns: Turns, *, kicks: bool = True) -> Rules:
    """Rules in which pairs turn so."""
    return replace(rules, turns=turns, kicks=kicks, quick_turn=rules.quick_turn and turns == "axis")


def compared(page: Page, rules: Rules, count: int, seed: int) -> int:
    """Compares chains; returns how many fields had one."""
    texts, chains = fields(count, seed), 0
    for text, found in zip(texts, page.evaluate(RESOLVE, [texts, board_of(rules)]), strict=True):
        outcome = resolve(Field.parse(text.replace("/", "\n")), rules)
        told = [str(outcome.field).replace("\n", "/"), outcome.score, outcome.chain, outcome.cleared, outcome.game_over]
        assert found == told, text
        chains += outcome.chain > 0
    return chains


@pytest.mark.parametrize("name", PROFILES)
def test_chains_are_those_of_python(board_page: Page, name: str) -> None:
    rules = load_rules(name)
    assert compared(board_page, rules, MOST, 1) > MOST / 10
    # rules that no profile has
    other = replace(rules, hidden_clear=True, clear_size=3, group_bonus_per="excess", all_clear_bonus=300)
    assert compared(board_page, other, MOST // 2, 2) > MOST / 20
    assert compared(board_page, replace(other, group_bonus_per="step"), MOST // 2, 3) > MOST / 20
    extra = Extra(per_cell=7, by_size=(0, 0, 0, 0, 3, 11), by_step=(5, 0, 40), multiplied=name == "tsu", per_nuisance=5)
    parts = replace(rules, multiplier="product", extra=extra, all_clear_bonus=2100, all_clear_when="lowest_row")
    ways: tuple[GroupBonusPer, ...] = ("group", "step", "excess")
    for number, per in enumerate(ways, 5):
        assert compared(board_page, replace(parts, group_bonus_per=per), MOST // 2, number) > MOST / 20
    # a chain of two steps that leaves nothing, and points for further groups, which are multiplied or not
    assert compared(board_page, replace(parts, all_clear_per="step"), MOST // 2, 8) > MOST / 20
    for multiplied in (False, True):
        groups = replace(rules, extra=Extra(per_group=25, groups_multiplied=multiplied), all_clear_bonus=500)
        groups = replace(groups, all_clear_per="step")
        emptied = resolve(Field.parse(".BBB..\nRRRRB."), groups)
        (found,) = board_page.evaluate(
            RESOLVE, [[str(Field.parse(".BBB..\nRRRRB.")).replace("\n", "/")], board_of(groups)]
        )
        assert found[1:3] == [emptied.score, 2]
        assert emptied.score == resolve(Field.parse(".BBB..\nRRRRB."), rules).score + 1000
        assert compared(board_page, groups, MOST // 2, 9) > MOST / 20


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
def test_many_chains_are_those_of_python(board_page: Page, name: str) -> None:
    assert compared(board_page, load_rules(name), 10 * MOST, 4) > MOST


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("kicks", [True, False])
@pytest.mark.parametrize("turns", ["axis", "box"])
def test_every_press_does_what_it_does_in_python(board_page: Page, name: str, kicks: bool, turns: Turns) -> None:
    rules = turning(load_rules(name), turns, kicks=kicks)
    # narrow shafts, where pairs turn over, and fields of all kinds
    texts = ["/".join(["RR.RRR"] * ROWS), "/".join(["......", "......", *["RR.RRR"] * (ROWS - 2)]), *fields(8, 11)]
    found: list[Any] = board_page.evaluate(PRESSES, [texts, board_of(rules)])
    moved = 0
    for text, states in zip(texts, found, strict=True):
        rows = Field.parse(text.replace("/", "\n")).rows()
        told = []
        for turn in Orientation:
            for y in range(ROWS):
                for x in range(1, COLUMNS + 1):
                    state = PairState(x, y, turn)
                    if not fits(rows, state, None, rules):
                        continue
                    for action in (Action.LEFT, Action.RIGHT, Action.DOWN, Action.ROTATE_CW, Action.ROTATE_CCW):
                        after = move(rows, state, action, None, rules)
                        moved += after != state
                        told.append([x - 1, y, int(turn), after.x - 1, after.y, int(after.orientation)])
        assert states == told, text
    assert moved > 1000


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("turns", ["axis", "box"])
def test_pairs_get_where_they_get_in_python(board_page: Page, name: str, turns: Turns) -> None:
    rules, chance = turning(load_rules(name), turns), random.Random(7)
    for number in range(6):
        pair = Pair(chance.randint(1, 4), chance.randint(1, 4))
        texts = [text for text in fields(20, 100 + number) if Field.parse(text.replace("/", "\n")).is_settled()]
        found: list[Any] = board_page.evaluate(PLACES, [texts, list(pair), board_of(rules)])
        for text, places in zip(texts, found, strict=True):
            field = Field.parse(text.replace("/", "\n"))
            told = {
                tuple(sorted((x - 1, y, code) for x, y, code in resting_cells(field, pair, lock)))
                for lock in lock_positions(field, pair, rules)
            }
            assert {tuple(map(tuple, cells)) for cells in places} == told, (text, str(pair))


def test_the_profiles_are_those_of_the_rules(board_page: Page) -> None:
    found = board_page.evaluate("ochibotReview.profiles")
    assert sorted(found) == sorted(PROFILES)
    for name, board in found.items():
        assert board == board_of(load_rules(name)), name
