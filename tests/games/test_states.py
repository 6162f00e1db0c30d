"""Titles that load a savestate instead of going through menus: they count the frames from it to the next spawn."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import GameError
from ochibot.games import title as module

from tests import titles


class Counting:
    """A machine that only counts its frames. A savestate holds the count."""

    core_name, core_version = "counting", "1"

    def __init__(self) -> None:
        self.frames = 0
        self.loads: list[bytes] = []

    def step(self) -> None:
        self.frames += 1

    def save(self) -> bytes:
        return str(self.frames).encode()

    def load(self, state: bytes) -> None:
        self.loads.append(state)
        self.frames = int(state)


class Seat:
    """A seat whose pairs appear on the given frames of the machine."""

    def __init__(self, machine: Counting, spawns: set[int]) -> None:
        self._machine, self._spawns = machine, spawns
        self.map = SimpleNamespace(map=titles.load_seat_map("player1"))
        self.resyncs = 0

    def resync(self) -> None:
        self.resyncs += 1

    def update(self) -> bool:
        return self._machine.frames in self._spawns

    def spawn_in_words(self) -> str:
        return "the spawn sign (spawning at 0x0001, now 0)"


@pytest.fixture
def title(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Our Famicom title with a savestate in place of its menus. The savestate holds frame 100."""
    made: Any = copy(titles.PUYO)
    made._states = {}
    made.table = replace(made.table, states={made.solo_mode: Path("mine.state")})
    monkeypatch.setattr(module, "load_state_file", lambda console, _: console.load(b"100"))
    return made


@pytest.mark.parametrize("after", [1, 37, module.STATE_PATIENCE])
def test_the_frames_from_a_savestate_to_the_next_spawn_are_counted(title: Any, after: int) -> None:
    machine = Counting()
    seat = Seat(machine, {100, 100 + after})  # a pair that appears on the state's own frame is not the next one
    for run in (1, 2):
        assert title.reach(machine, seat, title.solo_mode, {}) == after
        assert machine.frames == 100 + after
        assert seat.resyncs == run
    # the first load is from the file, the second from the copy that the title kept
    assert machine.loads == [b"100", b"100"]


def test_a_savestate_without_a_next_spawn_is_given_up_after_a_minute(title: Any) -> None:
    machine = Counting()
    with pytest.raises(GameError, match=r"no pair has appeared within 3,600 frames of the savestate mine\.state"):
        title.reach(machine, Seat(machine, {100 + module.STATE_PATIENCE + 1}), title.solo_mode, {})
    assert machine.frames == 100 + module.STATE_PATIENCE


def test_a_walk_from_a_savestate_ends_when_somebody_asks_for_it(title: Any) -> None:
    machine = Counting()
    with pytest.raises(KeyboardInterrupt):
        title.reach(machine, Seat(machine, {200}), title.solo_mode, {}, lambda: machine.frames >= 120)
    assert machine.frames == 120
