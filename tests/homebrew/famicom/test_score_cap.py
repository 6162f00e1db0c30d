"""The score at its cap (published: 99,999,990): it stays there, and play goes on."""

from __future__ import annotations

import json
from pathlib import Path

import ochibot
import pytest

from tests.commands import ochibot as command

CAP = 99_999_990
NEAR = CAP - 400


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A savestate of the first spawn with a score that a few clears bring to the cap."""
    path = tmp_path_factory.mktemp("cap") / "near.state"
    with ochibot.open("puyo", seed=1, options={"level": 4}) as game:
        game.start()
        game.manual.seat.map.write("score", NEAR)
        path.write_bytes(game.console.save())
    return path


def test_it_stays_there_and_play_goes_on(near: Path) -> None:
    words = ["play", "--from-state", str(near), "--pieces", "60", "--json", "-"]
    done = command(*words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["score"] == CAP
    assert report["pieces"] == report["compared"] == 60
    assert report["agreement"] == 1.0


@pytest.mark.long
def test_it_is_reached_by_the_rules(near: Path) -> None:
    """The score never falls, rises in more than one step, and ends at the cap."""
    with ochibot.open("puyo") as game:
        game.load_state(near)
        scores = [NEAR]
        game.endless(on_piece=lambda run: scores.append(run.player.seat.score())).run(pieces=60)
    assert scores == sorted(scores)
    assert scores[-1] == CAP
    assert len(set(scores)) > 2
