"""Engines play in all commands that take a player, and their faults end a game or a run there."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import ochibot as package
import pytest
from ochibot.console import find_cores
from ochibot.falling.player import EngineError
from ochibot.lab.contest.arena import Arena, play_pair
from ochibot.lab.contest.contestant import contestant
from ochibot.lab.contest.replay import ArenaReplay
from ochibot.lab.contest.table import PuyoTable, table_of
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.play.versus import Versus

from tests.commands import ochibot
from tests.engines.test_engines import BAD, GOOD, REPOSITORY, engine, needs_core


@needs_core
def test_battles_and_solo_runs_of_the_console() -> None:
    with package.open("puyo", seed=1) as game:
        assert game.play(f"engine:{GOOD}", pieces=5).agreement == 1.0
    with package.open("puyo", seed=1) as game:
        result = game.battle(f"engine:{BAD} crash", f"engine:{GOOD}", games=2, max_pieces=10)
    assert (result.wins, result.games, result.agreement) == ([0, 2], 2, 1.0)
    for one in result.games_detail:
        assert "has ended by signal 6" in str(one["forfeit"])
    done = ochibot("play", "--player", f"engine:{BAD} crash", "--pieces", "9", "--seed", "1")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("has ended by signal 6")
    assert "pieces 2" in done.stdout


def test_the_command_that_checks() -> None:
    done = ochibot("engine", "check", GOOD, "--games", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("lowest: every answer was legal; ")
    done = ochibot("engine", "check", f"{BAD} column")
    assert done.returncode == 1
    assert done.stderr.startswith("ochibot: the engine column answered {'column': 9, ")


def test_an_arena_says_who_has_lost_by_a_fault() -> None:
    table = table_of("puyo", max_pieces=5)
    players = (
        contestant(f"engine:{BAD} fine", "puyo", table.rules),
        contestant(f"engine:{BAD} crash", "puyo", table.rules),
    )
    assert isinstance(table, PuyoTable)
    arena = Arena(table, players, 2, 1)
    number, task = arena.take() or pytest.fail("no task")
    result = json.loads(json.dumps(play_pair(task)))
    arena.check(number, result)
    arena.done(number, result)
    (fault,) = arena.summary()["faults"]
    assert (fault["player"], fault["games"]) == ("crash", 2)
    assert fault["first"].endswith("has ended by signal 6")
    for game in result["games"]:
        assert ArenaReplay(table, ("fine", "crash"), game).frames > game["frames"]


@needs_core
def test_versus() -> None:
    """Seat 2 is an engine's; nobody moves the pairs of seat 1. After two locks the engine crashes."""
    with package.open("puyo", seed=1) as game:
        mode = game.game.versus_mode
        person, seat = game.seats(mode)
        game.reach(person, mode)
        seat.resync()
        running = Versus(game.machine, person, SeatPlayer(seat, engine("crash"), speed_of(10)))
        with pytest.raises(EngineError, match="has ended by signal 6"):
            running.run(1)
    result = running.result
    assert (result.pieces, result.agreement, result.stopped_by) == (2, 1.0, "error")


@pytest.mark.long
@needs_core
def test_versus_as_a_command() -> None:
    pytest.importorskip("pygame")
    env = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
    done = ochibot("versus", "--player", f"engine:{BAD} crash", "--speed", 10, "--seed", 1, env=env)
    assert done.returncode == 1
    assert "you against crash (speed 10)" in done.stdout
    assert "(stopped by an error)" in done.stdout
    assert done.stderr.splitlines()[-1].endswith("has ended by signal 6")


CORES = {"puyo": "fceumm", "tsu": "genesis_plus_gx", "nyaa": "fbneo"}


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
        for name, core in CORES.items()
    ],
)
def test_whole_battles(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Games to their end, at a speed at which not all is reached, with an engine that ponders."""
    with package.open(name, seed=1) as game:
        game.leave_out_av()
        result = game.battle(f"engine:{BAD} ponder", f"engine:{BAD} log", games=2, speed=6)
    assert (result.games, result.draws, result.agreement) == (2, 0, 1.0)
    assert not any(one["forfeit"] for one in result.games_detail)
    ends = [line for line in capfd.readouterr().err.splitlines() if line.startswith("end ")]
    assert len(ends) == 2
    assert set(ends) <= {"end won", "end lost"}


PAGE = (REPOSITORY / "docs/engines.md").read_text(encoding="utf-8")
SLOW = ("ochibot battle", "ochibot arena")


@needs_core
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(line, marks=pytest.mark.long if line.startswith(SLOW) else ())
        for line in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()
    ],
)
def test_the_commands_of_the_page(command: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(REPOSITORY / "examples")
    done = ochibot(*shlex.split(command)[1:], cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_options_of_the_page(tmp_path: Path) -> None:
    """The page's other commands are read as it says: the missing program is what is wrong with them."""
    commands = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[1].splitlines()
    assert len(commands) == 2
    for command in commands:
        done: Any = ochibot(*shlex.split(command)[1:], cwd=tmp_path)
        assert done.returncode == 2
        assert re.search("the engine ./mine.* can't be started: No such file", done.stderr)
