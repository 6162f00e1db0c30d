"""The page's own engine compared with the one in Python on 240 boards; tests/ui/web/engine.py compares 50,000."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from ochibot.data import data_path
from ochibot.nyaa import Grid, Ruleset, best_pair, practice_board

from tests.ui.web.engine import Seen, boards, compare
from tests.ui.web.latency import DENSE

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_both_engines_say_the_same(page: Page) -> None:
    seen = Seen()
    compare(page, list(boards(7, 240)), 7, seen)
    assert seen.different == []
    assert (seen.boards, seen.moves) == (240, 10)
    assert seen.tied > 10
    assert seen.not_exact > 10


def test_a_long_search_comes_in_slices_and_says_the_same(page: Page) -> None:
    slices, same = page.evaluate(
        """text => {
            const search = nyaa.igniteInSlices(nyaa.parse(text), "mvs");
            let [slices, step] = [0, search.next()];
            for (; !step.done; step = search.next()) slices += 1;
            const [one, other] = [step.value, nyaa.ignite(nyaa.parse(text), "mvs")];
            return [slices, JSON.stringify(one) === JSON.stringify(other) && !one.complete];
        }""",
        DENSE,
    )
    assert slices == 2048 // 128
    assert same


@pytest.mark.parametrize("seed", [0, 5, 20261122, 2**40 + 1])
def test_both_deal_the_same_practice_board(page: Page, seed: int) -> None:
    assert page.evaluate("seed => nyaa.toText(nyaa.practiceBoard(seed))", seed) == str(practice_board(seed))
    assert page.evaluate("seed => nyaa.toText(nyaa.practiceBoard(seed, 2))", seed) == str(practice_board(seed, 2))


def test_the_page_s_rules_are_those_of_the_files(page: Page) -> None:
    mine: dict[str, Any] = page.evaluate("nyaa.RULES")
    for ruleset in Ruleset:
        parts = yaml.safe_load(data_path(f"configs/rules/nyaa_{ruleset}.yaml").read_text())
        entries = {
            name: entry["value"] for part in ("ignition", "field", "attack") for name, entry in parts[part].items()
        }
        assert {name: entries[name] for name in mine} == mine
        assert entries["repeated_ignition"] is False


def test_the_best_build_is_the_best_of_all_drops(page: Page) -> None:
    """The page's best build is worth the most that Python's ``best_pair`` finds after any drop of the first pair."""
    grid = Grid.parse("r......\nrb...g.\nrbb.ggy\nbrbyygy")
    pair, following = (1, 3), (3, 1)
    given = {"text": str(grid), "pair": pair, "next": following}
    found = page.evaluate(
        "({text, pair, next}) => nyaa.finish(nyaa.bestBuild(nyaa.parse(text), pair, next, 'mvs'))", given
    )
    script = "({text, pair}) => [...nyaa.drops(nyaa.parse(text), pair)].map((one) => nyaa.toText(one.cells))"
    drops = page.evaluate(script, given)
    # 7 columns upright and 6 places flat, each with either half first
    assert len(drops) == len(set(drops)) == 2 * (7 + 6)
    values = [best_pair(Grid.parse(text), following, Ruleset.MVS) for text in drops]
    assert found["needles"]["low"] == max(one.low for one in values if one is not None) > 0


def test_every_text_is_there_in_both_languages(page: Page) -> None:
    script = """() => {
        const shape = (one, path) => typeof one === "function" ? [`${path}(${one.length})`]
            : typeof one === "object" ? Object.keys(one).flatMap((name) => shape(one[name], `${path}.${name}`))
            : [`${path}${one === "" && !path.endsWith("colours.0") ? " is empty" : ""}`];
        return Object.values(nyaa.texts).map((one) => shape(one, ""));
    }"""
    english, japanese = page.evaluate(script)
    assert english == japanese or set(english) ^ set(japanese) == set()
    assert not [name for name in english + japanese if name.endswith("is empty")]


def test_the_tour_has_a_text_for_each_stop(page: Page) -> None:
    """The tour has as many stops as texts for them. test_article.py checks the article's numbers."""
    source = (Path(__file__).parents[3] / "web/src/page/tour.js").read_text()
    assert source.count("name:") == len(page.evaluate("Object.keys(nyaa.texts.en.tour.stops)"))
