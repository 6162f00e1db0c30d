"""Tests that a run with a limit of frames ends even if it never gets out of the menus."""

from __future__ import annotations

import json
from pathlib import Path

import ochibot
import pytest
from ochibot.console import find_cores
from ochibot.errors import GameError
from ochibot.games.menu import FIRST, SHARE, STILL_FRAMES, MenuLimit

from tests import nesrom
from tests.commands import ochibot as command

needs_core = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here (it comes with stable-retro)")


@pytest.fixture
def no_game(tmp_path: Path) -> Path:
    """A cartridge whose program never begins a game."""
    path = tmp_path / "pads.nes"
    path.write_bytes(nesrom.image())
    return path


def test_all_walks_of_a_run_count_together() -> None:
    limit = MenuLimit(100)
    for _ in range(FIRST + SHARE * 100):
        assert not limit()
    with pytest.raises(GameError, match="the menus have had 8,400 frames"):
        limit()


def test_without_a_limit_only_the_stop_is_asked() -> None:
    asked = iter([False, False, True])
    limit = MenuLimit(None, lambda: next(asked))
    assert [limit() for _ in range(3)] == [False, False, True]


@needs_core
def test_a_rom_that_never_plays_ends_a_short_run_soon(no_game: Path) -> None:
    with ochibot.open("puyo", rom=no_game, seed=1) as game:
        with pytest.raises(GameError, match=r"spawning at 0x004a, now 255\) never rose; it may be another game"):
            game.play(frames=10)
        assert game.console.frames_shown <= STILL_FRAMES + 2


@needs_core
def test_the_command_says_so_in_a_line(no_game: Path) -> None:
    done = command("play", "--rom", no_game, "--seed", 1, "--frames", 5)
    assert done.returncode == 2
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ochibot: play did not begin after 6,000 frames in the menus: ")
    assert len(last) < 300


@needs_core
def test_the_longest_of_our_menus_fits() -> None:
    chosen = ["--level", "4", "--colors", "5", "--items", "both"]
    done = command("play", "--seed", 1, "--frames", 1, "--json", "-", *chosen)
    assert json.loads(done.stdout)["stopped_by"] == "frames"
