"""Famicom Puyo Puyo: the table. The addresses are in ram_maps/famicom_puyo; this says what their values mean.

Documented (Data Crystal): the values of the mode byte, the orientation codes, where pieces appear, the highest score.
Of our own cartridge (roms/homebrew/famicom, README): phases, states, colours, buttons, menu, how it deals.
"""

from __future__ import annotations

from typing import Final

from ochibot.console import Button
from ochibot.falling.orientation import Orientation
from ochibot.falling.pace import Gravity
from ochibot.games.table import Choice, Phases, Table
from ochibot.puyo.rules.pair import Action, PairState

_MENU: Final = {
    "level": Choice(range(1, 5)),
    "colors": Choice(range(4, 7)),
    "items": Choice(range(4), ("off", "big", "carbuncle", "both")),
}

TABLE: Final = Table(
    name="puyo",
    system="nes",
    family="puyo",
    rules="famicom",
    player="article",
    rom="roms/homebrew/famicom/ochidama.nes",
    rom_name="Ochidama",
    earlier_roms=("50e4ebb1247492254b412d0c98c22e782d2b52b8",),
    map_folder="famicom_puyo",
    map_games=("famicom_puyo",),
    modes={"endless": 0, "versus": 2},  # 1 is Mission
    solo="endless",
    solo_map="player1",
    versus_maps=("player12", "player2"),
    options=_MENU,
    versus_options=_MENU,
    defaults={"battle": {"colors": 5}, "versus": {"colors": 4}},
    codes={
        "empty": 0,
        "red": 1,
        "green": 2,
        "blue": 3,
        "yellow": 4,
        "purple": 5,
        "cyan": 6,
        "nuisance": 7,
        "wall": 8,
        "big": 9,
        "carbuncle": 10,
    },
    buttons={
        Action.LEFT: Button.LEFT,
        Action.RIGHT: Button.RIGHT,
        Action.DOWN: Button.DOWN,
        Action.ROTATE_CW: Button.A,
        Action.ROTATE_CCW: Button.B,
    },
    orientations={0: Orientation.DOWN, 1: Orientation.LEFT, 2: Orientation.UP, 3: Orientation.RIGHT},
    # roms/homebrew/famicom, README
    gravity=Gravity(rows=(40, 28, 18, 11), hurry=2, lock=28, lock_hurry=4),
    spawn=PairState(3, 1, Orientation.UP),
    phases=Phases(spawn=1, control=2, over=5),
    playing=3,
    over=5,
    # for seats without the documented spawn flag (004A): a spawn is when one of these is other than 0 and the pair is
    # on the row where pairs appear
    spawn_signs=("spawn_phase", "spawn_delay"),
    seed_frames=1021,
    note=(
        "This ROM isn't our own game: only the public addresses are read. What their values mean (colour codes, which "
        "half of the pair x and y denote) is taken to be as in our game, and is not calibrated for it: the first "
        "contradiction stops the run. Calibrate with a map of your own and --map."
    ),
)
