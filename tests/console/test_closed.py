"""After a console is closed, nothing reads the memory that its core has freed: every access raises ConsoleError."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import ochibot
import pytest
from ochibot.console import Console, Ram, find_core, find_cores, find_system, load_nes_rom
from ochibot.errors import ConsoleError
from ochibot.games import find_game
from ochibot.games.choosing import find_rules

from tests import nesrom

CORES = {"puyo": "fceumm", "nyaa": "fbneo"}
TITLES = [
    pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
    for name, core in CORES.items()
]
closed = pytest.raises(ConsoleError, match=r"^the console is closed$")


def each_refuses(*calls: Callable[[], Any]) -> None:
    for call in calls:
        with closed:
            call()


@pytest.mark.parametrize("name", TITLES)
def test_a_session_that_is_over_says_so(name: str) -> None:
    with ochibot.open(name, seed=1) as game:
        game.start()
        (seat,) = game.seats()
        named, placement = game.ram, game.placements()[0]
        score, cells = seat.map.reader("score"), seat.map.cells_reader("field")
        game.tick()
    each_refuses(
        seat.update,
        seat.snapshot,
        seat.score,
        seat.resync,
        seat.in_menus,
        lambda: seat.map.value("score"),
        lambda: seat.map.grid("field"),
        lambda: seat.map.raw_grid("field"),
        lambda: seat.map.write("level", 1),
        score,
        cells,
        lambda: named["score"],
        lambda: named["field"],
        lambda: named.__setitem__("score", 0),
        lambda: game.ram["score"],
        lambda: game.ram[game.console.ram.layout.base],
        game.snapshot,
        game.tick,
        game.start,
        game.save,
        lambda: game.place(placement),
        lambda: game.play(pieces=1),
        lambda: game.battle(games=1),
        game.seats,
    )


@pytest.mark.parametrize("name", TITLES)
def test_a_recorded_session_too(name: str, tmp_path: Path) -> None:
    with ochibot.open(name, seed=1) as game:
        game.record(tmp_path / "run", command="test")
        game.start()
        machine = game.machine
    each_refuses(game.tick, machine.step, machine.reset, machine.save, game.start)


@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
def test_what_a_console_gave_out(tmp_path: Path) -> None:
    path = tmp_path / "pads.nes"
    path.write_bytes(nesrom.image())
    console = Console.open(find_core("nes", "fceumm"), load_nes_rom(path))
    console.step()
    ram, state, view, part = console.ram, console.save(), console.ram.view(), console.ram.view(16)
    console.close()
    console.close()
    each_refuses(
        lambda: ram[0],
        lambda: ram.__setitem__(0, 1),
        lambda: len(ram),
        ram.snapshot,
        lambda: console.ram[0],
        lambda: ram.raw[0],
        lambda: ram.raw.tobytes(),
        console.step,
        console.reset,
        console.save,
        lambda: console.load(state),
        lambda: console.run_bare(1),
    )
    for held in (view, part):
        with pytest.raises(ValueError, match="released"):
            held[0]


@pytest.mark.parametrize("name", CORES)
def test_every_entry_of_every_map_is_read_from_memory_that_can_go(name: str) -> None:
    """No core runs: the test makes the RAM and closes it, and then each entry's reader must raise ConsoleError."""
    game = find_game(name)
    layout = find_system(game.system).ram
    for mode in (game.solo_mode, game.versus_mode):
        for map_name in game.map_names(mode):
            one = game.load_map(map_name)
            ram = Ram(np.zeros(layout.last - layout.base + 1, np.uint8), layout)
            seat = game.seat(one, ram, find_rules(game, None))
            readers = [
                partial(seat.map.grid, entry) if row.is_grid else seat.map.reader(entry)
                for entry, row in one.entries.items()
            ]
            ram.close()
            each_refuses(*readers)
