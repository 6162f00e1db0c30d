"""Togetama without picture and sound: after each frame, RAM is the same as with them, also after a savestate."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import ochibot
import pytest
from ochibot.console import NEOGEO, Console, Made, find_cores
from ochibot.errors import ConsoleError
from ochibot.record.verify import assert_replays

from tests.cli.test_bad_input import refused
from tests.commands import ochibot as command
from tests.titles import NYAA, PUYO, open_console

pytestmark = pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here (it comes with stable-retro)")


def mashing(seed: int) -> Iterator[tuple[int, int]]:
    """Yields two pads on which random buttons are pressed, START too."""
    dice = random.Random(seed)
    while True:
        pads = tuple((1 << dice.randrange(12)) if dice.random() < 0.8 else 0 for _ in range(2))
        yield from [(pads[0], pads[1])] * 2
        yield from [(0, 0)] * dice.randrange(1, 5)


def course(console: Console, pads: Iterator[tuple[int, int]], frames: int) -> list[bytes]:
    """A hash of the work RAM after each frame."""
    seen = []
    work = console.ram.view(NEOGEO.ram.last - NEOGEO.ram.base + 1)
    for held in islice(pads, frames):
        console.step(*held)
        seen.append(hashlib.blake2b(work, digest_size=8).digest())
    return seen


@pytest.mark.long
def test_each_frame_leaves_the_same_ram_from_power_on_to_games_and_a_reset() -> None:
    courses = []
    for made in (Made.ALL, Made.SOUND, Made.NOTHING):
        with open_console(None, game=NYAA) as console:
            console.make(made)
            assert console.made is made
            pads = mashing(2)
            first = course(console, pads, 1200)
            console.reset()
            courses.append(first + course(console, pads, 800))
            assert (console.frames_shown > 1900) is (made is Made.ALL)
    assert courses[0] == courses[1] == courses[2]


@pytest.mark.parametrize("made_in", [pytest.param(Made.ALL, marks=pytest.mark.long), Made.NOTHING])
def test_savestates_of_either_go_on_in_the_other_with_the_same_ram_and_pictures(made_in: Made) -> None:
    with open_console(None, game=NYAA) as console:
        pads = mashing(5)
        console.make(made_in)
        course(console, pads, 1200)
        state, rest = console.save(), list(islice(pads, 900))
        courses, pictures = [], []
        for made in (Made.ALL, Made.NOTHING):
            console.make(made)
            console.load(state)
            courses.append(course(console, iter(rest), 900))
            console.make(Made.ALL)
            console.step()
            pictures.append(console.frame().tobytes())
        assert courses[0] == courses[1]
        assert pictures[0] == pictures[1]


def test_what_is_left_out_is_not_shown() -> None:
    with open_console(None, game=NYAA) as console:
        console.make(Made.SOUND)
        console.step()
        with pytest.raises(ConsoleError, match=r"^there is no picture: none is kept$"):
            console.frame()


@pytest.mark.long
def test_play_and_battle_come_to_the_same() -> None:
    for words in (["play", "nyaa", "--pieces", 40], ["battle", "nyaa", "--games", 1, "--max-pieces", 15]):
        reports: list[dict[str, Any]] = []
        for av in ("--av", None):
            asked = [] if av is None else [av]
            done = command(*words, "--seed", 4, *asked, "--json", "-")
            assert done.returncode == 0, done.stderr
            reports.append(json.loads(done.stdout))
            for told in ("seconds", "frames_per_second"):
                reports[-1].pop(told, None)
        assert [report.pop("made") for report in reports] == [Made.ALL, Made.NOTHING]
        assert reports[0] == reports[1]
        assert reports[0]["agreement"] == 1.0


@pytest.mark.long
def test_a_record_that_begins_after_frames_without_verifies(tmp_path: Path) -> None:
    with ochibot.open("nyaa", seed=1) as game:
        assert game.leave_out_av() is Made.NOTHING
        game.start()
        for _ in range(3):
            game.place(game.placements()[0])
        game.console.make(Made.ALL)
        game.record(tmp_path / "run", command="test", from_here=True)
        for _ in range(400):
            game.machine.step(1)
    assert_replays(tmp_path / "run")


def test_a_user_s_set_keeps_its_sound_program_unless_asked() -> None:
    with ochibot.open("nyaa") as game:
        ours = game.rom.sha1
        assert game.game.unseen(ours) is Made.NOTHING
        other = ours[::-1]
        assert game.game.unseen(other) is Made.SOUND
        # tests have no user's set, so the same game stands in for it under another hash
        object.__setattr__(game, "rom", type("AnotherRom", (), {"sha1": other})())
        assert game.leave_out_av() is Made.SOUND
        assert game.leave_out_av(False) is Made.SOUND
        assert game.leave_out_av(True) is Made.NOTHING
    assert PUYO.unseen(PUYO.open_rom(None).sha1) is Made.SOUND


def test_what_is_refused(tmp_path: Path) -> None:
    for option in (["--screenshot", tmp_path / "shot.png"], ["--record", tmp_path / "run"], ["--window"]):
        told = refused("play", "nyaa", "--no-av", "--pieces", 1, *option)
        assert f"{option[0]} needs the picture that --no-av leaves out" in told
    assert "--record needs the picture" in refused("battle", "nyaa", "--no-av", "--record", tmp_path / "run")
    assert "FCEUmm can't leave out picture and sound" in refused("play", "--no-av", "--pieces", 1)
