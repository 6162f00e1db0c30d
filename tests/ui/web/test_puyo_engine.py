"""The browser's engine for Puyo Puyo: it is of the present kernels, equal to them, small, and answers questions."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import web_engine
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import COLUMNS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair, Placement
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.search.chain.config import points_of
from ochibot.puyo.search.chain.line import promised
from webengine.given import GROUP, browser_rules

from tests.puyo.fields import random_cells
from tests.ui.web.puyoengine import (
    CONFIG,
    Seen,
    Watched,
    all_rules,
    compare_boards,
    compare_decision,
    compare_game,
    positions,
)
from tests.ui.web.puyoengine import main as compare_all
from tests.ui.web.puyolive import BUILT, NODE, Ask, BrowserError, in_chromium, in_node

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST = 300_000
TSU = load_rules("tsu")
FIELD = "R...../GGB..Y/YRRB.Y/YGBYRG/YBRGYR"
PAIRS = ["RG", "BY", "GG"]
THREE = re.compile(r"^export const (MADE|RULES|PLAYER|LOCKS) = (.*);$", re.MULTILINE)
needs_node = pytest.mark.skipif(NODE is None, reason="node is missing (Debian: package nodejs)")


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    if NODE is None:
        pytest.skip("node is missing (Debian: package nodejs)")
    with in_node() as asking:
        yield asking


def written() -> dict[str, Any]:
    """The values in the file that the tool writes."""
    return {name: json.loads(value) for name, value in THREE.findall(web_engine.BUILT.read_text(encoding="utf-8"))}


def test_the_engine_is_of_the_present_sources() -> None:
    made = written()
    assert made.pop("MADE")["sources"] == web_engine.stamp()["sources"], (
        "a kernel has changed: run python tools/web_engine.py, then make web"
    )
    assert made == web_engine.given(), "rules or players have changed: run python tools/web_engine.py, then make web"


def test_the_built_script_holds_the_engine() -> None:
    (code,) = re.findall(r"WASM = `\n(.*?)\n`", web_engine.BUILT.read_text(encoding="utf-8"), re.DOTALL)
    assert code.replace("\n", "") in BUILT.read_text(encoding="utf-8").replace("\\n", "").replace("\n", ""), (
        "run make web"
    )


def test_the_built_script_is_small() -> None:
    assert 100_000 < BUILT.stat().st_size <= MOST


def test_the_built_script_may_stand_in_a_page() -> None:
    assert not re.search("</script|<!--", BUILT.read_text(encoding="utf-8"), re.IGNORECASE)


@pytest.mark.long
@pytest.mark.proof
def test_building_gives_the_same_bytes(tmp_path: Path) -> None:
    made, here = written()["MADE"], web_engine.stamp()
    other = [f"{name} {here[name]}" for name in ("python", "numba", "llvmlite", "machine") if here[name] != made[name]]
    if other:
        pytest.skip(f"the engine was built with others than {', '.join(other)}")
    file = tmp_path / "built.js"
    subprocess.run([sys.executable, web_engine.__file__, "-o", str(file)], check=True, capture_output=True)
    assert file.read_bytes() == web_engine.BUILT.read_bytes()


def test_no_path_and_no_words_of_errors_are_in_the_code() -> None:
    raw = web_engine.unpacked(web_engine.BUILT)
    assert raw[:4] == b"\0asm"
    assert b"ochibot" not in raw
    assert b".py" not in raw
    assert b"Error" not in raw


@pytest.mark.long
def test_boards_are_equal_in_node(ask: Ask) -> None:
    seen, dice = Seen(), np.random.default_rng(3)
    for number, rules in enumerate(all_rules()[:2]):
        compare_boards(ask, random_cells(400, 50 + number), rules, dice, seen)
    assert not seen.different, seen.different[:3]
    assert min(seen.quiet, seen.chains, seen.full, seen.with_nuisance, seen.hidden, seen.in_reach) > 20
    assert seen.paths > 100


@pytest.mark.long
def test_decisions_are_equal_in_node(ask: Ask) -> None:
    seen, dice = Seen(), np.random.default_rng(4)
    for snapshot in positions(dice, 150, TSU):
        compare_decision(ask, Watched(TSU, 300), snapshot, 300, seen)
    for _ in range(3):
        compare_game(ask, dice, TSU, 1000, 60, seen)
    assert not seen.different, seen.different[:3]
    assert {"build", "chain", "danger"} <= seen.reasons.keys()
    assert seen.values > 1000


@pytest.mark.long
@needs_node
def test_all_rules_are_equal_in_node(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Boards of each profile of rules, and a game and positions of each that the player plays by."""
    builders = [rules for rules in all_rules() if rules.clear_size == GROUP]
    boards, decisions = 400 * len(all_rules()), 60 * len(builders)
    words = ("--boards", boards, "--batch", 400, "--positions", decisions, "--game", 40, "--nodes", 2000, "--seed", 9)
    monkeypatch.setattr(sys, "argv", ["puyoengine", *map(str, words)])
    assert compare_all() == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["boards"], report["decisions"] >= decisions) == (boards, True)


@pytest.mark.long
def test_boards_and_decisions_are_equal_in_a_page_opened_as_a_file(browser: Browser) -> None:
    seen, dice = Seen(), np.random.default_rng(6)
    with in_chromium(browser) as ask:
        compare_boards(ask, random_cells(300, 60), TSU, dice, seen)
        for snapshot in positions(dice, 20, TSU):
            compare_decision(ask, Watched(TSU, 1000), snapshot, 1000, seen)
        with pytest.raises(BrowserError, match="no pair"):
            ask([("places", {"field": "", "pair": "Ro"})])
    assert not seen.different, seen.different[:3]


def test_a_difference_is_noticed(ask: Ask) -> None:
    def lying(questions: Any) -> list[Any]:
        answers = ask(questions)
        for answer in answers[0]:
            answer["score"] += answer["chain"] > 2
        return answers

    seen = Seen()
    compare_boards(lying, random_cells(200, 70), TSU, np.random.default_rng(7), seen)
    assert seen.different


def test_an_analysis_names_the_best_places_with_their_lines(ask: Ask) -> None:
    (found,) = ask([("analyse", {"rules": "tsu", "field": FIELD, "pairs": PAIRS, "nodes": 3000})])
    places = found["places"]
    assert len(places) == 22
    assert places[0] == found["decision"]
    assert [one["rank"] for one in places] == list(range(1, 23))
    values = [one["value"] for one in places[1:]]
    assert values == sorted(values, reverse=True)
    assert [one["line"] is not None for one in places] == [True] * 3 + [False] * 19
    assert [one["safe"] for one in places] == [True] * 3 + [None] * 19
    for one in places:
        steps = one["expectedChain"]
        assert points_of(steps, TSU) <= one["expected"] < points_of(steps + 1, TSU)
    for one in places[:3]:
        here = Field.parse(FIELD.replace("/", "\n"))
        for step in one["line"]["steps"]:
            placement = Placement(step["x"], step["y"], Orientation(step["orientation"]))
            outcome = place(here, Pair.parse(step["pair"]), placement, TSU)
            here = outcome.field
            assert (str(here).replace("\n", ""), outcome.score) == (step["field"], step["score"])
        assert [step["pair"] for step in one["line"]["steps"]] == PAIRS
        reach, wanted = one["line"]["reach"], promised(here, TSU, range(1, 5))
        assert (reach is None) == (wanted is None)
        if reach is not None and wanted is not None:
            assert reach["score"] <= wanted.score


def test_the_chain_in_reach_of_a_field(ask: Ask) -> None:
    """Two puyos would score 60 points more, but the player prefers the chain that one puyo sets off."""
    (found,) = ask([("reach", {"rules": "tsu", "field": "GR..../GGRRR."})])
    assert found == {"column": 1, "color": 2, "puyos": 1, "chain": 2, "score": 360}
    assert ask([("reach", {"rules": "tsu", "field": "G....."})]) == [None]


def test_a_field_that_clears_is_resolved_first(ask: Ask) -> None:
    (found,) = ask([("analyse", {"rules": "tsu", "field": "RRRR../GGBG..", "pairs": ["RG"], "nodes": 500})])
    assert found["resolved"] == {"score": 40, "chain": 1}
    assert found["field"] == "." * 78 + "GGBG.."


def test_the_answer_for_a_lost_field_is_no_place(ask: Ask) -> None:
    full = "/".join(["RGBYRG", "BYRGBY"] * 6)
    (found,) = ask([("analyse", {"rules": "tsu", "field": full, "pairs": ["RG"], "nodes": 500})])
    assert found["gameOver"]
    assert found["decision"] is None
    assert found["why"] == "over"


@pytest.mark.parametrize(
    ("method", "given", "words"),
    [
        ("resolve", {"field": "R"}, "rows of 6 letters"),
        ("resolve", {"field": "RGX..."}, '"X" is none of the letters'),
        ("resolve", {"field": "RG/BYRGBY"}, "a row of a field has six letters"),
        ("resolve", {"field": "......" * 15}, "up to 14 rows"),
        ("resolve", {"field": "", "rules": "chess"}, "the rules chess aren't known: tsu, famicom, puyo1 are"),
        ("places", {"field": "", "pair": "R"}, '"R" is no pair'),
        ("analyse", {"field": "", "pairs": []}, "give at least the falling pair"),
        ("analyse", {"field": "", "pairs": ["RG"], "ms": 0}, "ms must be more than 0"),
        ("analyse", {"field": "", "pairs": ["RG"], "colors": 2}, "3 to 6 colours"),
    ],
)
def test_wrong_questions_are_answered_with_the_reason(ask: Ask, method: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(BrowserError, match=re.escape(words)):
        ask([(method, given)])


def test_groups_of_three_are_resolved_but_not_built(ask: Ask) -> None:
    rules = browser_rules(replace(TSU, name="threes", clear_size=3), CONFIG)
    (found,) = ask([("resolve", {"rules": rules, "field": "RRR..."})])
    assert (found["chain"], found["cleared"]) == (1, 3)
    with pytest.raises(BrowserError, match="groups of four only"):
        ask([("analyse", {"rules": rules, "field": "", "pairs": ["RG"]})])


def test_questions_can_be_cancelled(browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.add_script_tag(content=BUILT.read_text(encoding="utf-8"))
        found = page.evaluate(
            """async ({ field, pairs }) => {
                const client = new ochibotPuyo.EngineClient();
                const long = client.analyse({ field, pairs, ms: 60000 }).catch((error) => error.message);
                client.cancel();
                const places = await client.places(field, "RG");
                const [chain, steps] = [await client.resolve("RRRR.."), await client.steps("RRRR..", "tsu")];
                client.close();
                return [await long, places.length, chain.score, steps.length];
            }""",
            {"field": FIELD, "pairs": PAIRS},
        )
    assert found == ["cancelled", 22, 40, 1]


@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        ("script-src 'self' 'wasm-unsafe-eval'; worker-src blob:", "40"),
        ("script-src 'self'; worker-src blob:", "WebAssembly"),
        ("script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'", "worker stopped"),
    ],
)
def test_a_server_s_policy_must_allow_it(browser: Browser, policy: str, wanted: str) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        headers = {"content-security-policy": f"default-src 'none'; {policy}"}
        page.route("**/page", lambda route: route.fulfill(body="<script src=engine.js></script>", headers=headers))
        page.route("**/engine.js", lambda route: route.fulfill(path=BUILT))
        page.goto("http://localhost/page")
        found = page.evaluate(
            """() => new ochibotPuyo.EngineClient().resolve("RRRR..")
                .then(({ score }) => String(score), (error) => error.message)"""
        )
    assert wanted in found


def test_a_time_budget_is_kept_roughly(ask: Ask) -> None:
    """The limit is wide, because the machine that tests may be busy."""
    given = {"rules": "tsu", "field": FIELD, "pairs": PAIRS, "ms": 40}
    answers = ask([("warm", {"rules": "tsu"}), ("analyse", given), ("analyse", {**given, "ms": 400})])
    assert answers[1]["ms"] < 2000
    assert answers[1]["nodes"] < answers[2]["nodes"]


def test_javascript_and_python_agree_on_the_powers_of_later() -> None:
    """JavaScript multiplies, because browsers may round a power in different ways."""
    assert CONFIG.deciding.later**2 == CONFIG.deciding.later * CONFIG.deciding.later


def test_letters_of_rows_need_no_separator(ask: Ask) -> None:
    rows = FIELD.split("/")
    assert len("".join(rows)) % COLUMNS == 0
    given = [("resolve", {"field": text}) for text in (FIELD, "\n".join(rows), "".join(rows))]
    first, second, third = ask(given)
    assert first == second == third
