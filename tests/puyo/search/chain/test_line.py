"""Tests of the line of play that ``explain`` draws for a player that builds chains."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import run
from sys import executable

import pytest
from ochibot.data import data_path
from ochibot.puyo.rules.field import ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.line import promised
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.chain.search import plan_of

from tests.puyo import reference

CONFIG = load_chain_player(data_path("configs/players/chain.yaml"))
TSU = load_rules("tsu")
TSU_LAW = reference.Law(first=2, top=1, roof=0, flips=True, power=TSU.chain_power)
TEXT = "R....G/RR.GGB"
STAIRS = """
    R.....
    GRGBYR
    GRGBYR
    GRGBYR
    RGBYRB
"""


def test_the_line_begins_with_the_decision_and_follows_the_rules() -> None:
    player = ChainPlayer(CONFIG, TSU, 1, nodes=2000)
    field = Field.parse(TEXT.replace("/", "\n"))
    snapshot = Snapshot(field, Pair(1, 2), Pair(3, 3), 0, TSU.spawn, foreseen=(Pair(1, 4),))
    decision, line = player.expect(snapshot)
    assert decision is not None
    assert line is not None
    assert line.steps[0].placement == decision.placement
    assert decision == player.choose(snapshot)
    assert [step.pair for step in line.steps[:3]] == [Pair(1, 2), Pair(3, 3), Pair(1, 4)]
    assert [step.seen for step in line.steps] == [True] * 3 + [False] * (len(line.steps) - 3)
    assert 3 < len(line.steps) <= plan_of(2000).plies
    for step in line.steps:
        assert step.before == field
        assert step.outcome == place(field, step.pair, step.placement, TSU)
        field = step.outcome.field


def test_a_line_ends_with_a_chain_or_promises_one() -> None:
    """The line's last step sets off a chain, or the line promises one that is in reach after it."""
    player = ChainPlayer(CONFIG, TSU, 1, nodes=500)
    snapshot = Snapshot(Field.parse(STAIRS), Pair(1, 1), Pair(1, 1), 0, TSU.spawn, foreseen=(Pair(2, 3),))
    _, line = player.expect(snapshot)
    assert line is not None
    if line.promise is None:
        assert line.steps[-1].outcome.chain > 0
    else:
        assert line.promise.chain > 0


@pytest.mark.parametrize("text", [TEXT, "GR..../GGRRR.", STAIRS.replace("\n", "/")])
def test_what_is_promised_is_the_best_that_one_or_two_puyos_set_off(text: str) -> None:
    field = Field.parse(text.replace("/", "\n"))
    best = 0
    for puyos in (1, 2):
        for color in (1, 2, 3, 4):
            for x in range(6):
                grid = [list(row) for row in field.cells.tolist()]
                for _ in range(puyos):
                    y = max(y for y in range(ROWS) if grid[y][x] == 0)
                    grid[y][x] = color
                best = max(best, reference.resolve(grid, TSU_LAW)[1])
    found = promised(field, TSU, (1, 2, 3, 4))
    assert (found.score if found is not None else 0) == best


@pytest.mark.long
def test_the_command_draws_it(tmp_path: Path) -> None:
    report = tmp_path / "line.json"
    asked = ["--text", TEXT, "--pair", "RG", "--player", "chain", "--rules", "tsu"]
    command = [executable, "-m", "ochibot", "explain", *asked]
    done = run(
        [*command, "--next", "BB,RY", "--json", str(report)], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["line"][0]["placement"] == told["placement"]
    assert [step["pair"] for step in told["line"][:3]] == ["RG", "BB", "RY"]
    assert "  1. RG         2. BB         3. RY         4. " in done.stdout
    done = run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, "give --next" in done.stderr) == (2, True)
