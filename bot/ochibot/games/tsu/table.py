"""Puyo Puyo Tsu: the tables. The addresses are in ram_maps/tsu; this says what their values mean.

Documented (Puyo Nexus): sprites and colour codes. Of our own cartridge (roms/homebrew/megadrive, README): modes,
phases, states, orientation codes, buttons, menu, how it deals.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ochibot.console import Button, RomFile
from ochibot.falling.orientation import Orientation
from ochibot.falling.pace import Gravity
from ochibot.games.table import Choice, Phases, Table
from ochibot.puyo.rules.pair import Action, PairState

DIFFICULTY_OF_COLORS: Final = {3: 2, 4: 3, 5: 4}
"""The difficulty that a number of colours is had with: 1 and 2 have three, 3 has four, 4 and 5 have five."""

_MENU: Final = {"level": Choice(range(1, 6)), "colors": Choice(range(3, 6))}

TABLE: Final = Table(
    name="tsu",
    system="megadrive",
    family="puyo",
    rules="tsu",
    player="article",
    rom="roms/homebrew/megadrive/nijidama.bin",
    map_folder="tsu",
    map_games=("tsu",),
    modes={"endless": 0, "versus": 1},
    solo="endless",
    solo_map="player1",
    versus_maps=("player12", "player2"),
    options=_MENU,
    versus_options={**_MENU, "margin": Choice(range(2), ("off", "on"))},
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
    },
    # RetroPad B and A are the Mega Drive's B and C
    buttons={
        Action.LEFT: Button.LEFT,
        Action.RIGHT: Button.RIGHT,
        Action.DOWN: Button.DOWN,
        Action.ROTATE_CW: Button.A,
        Action.ROTATE_CCW: Button.B,
    },
    orientations={0: Orientation.DOWN, 1: Orientation.LEFT, 2: Orientation.UP, 3: Orientation.RIGHT},
    # roms/homebrew/megadrive, README
    gravity=Gravity(rows=(40, 32, 24, 18, 11), hurry=2, lock=28, lock_hurry=4),
    spawn=PairState(3, 2, Orientation.UP),
    phases=Phases(spawn=1, control=2, over=5),
    playing=3,
    over=5,
    seed_frames=1021,
    note=(
        "This ROM isn't our own game: only the public addresses are read. They tell fields, next pairs, pools and the "
        "random state; where the falling pair is, a map of your own (--map) must tell, and the first contradiction "
        "stops the run."
    ),
)

ARCADE: Final = replace(
    TABLE,
    name="tsu_c2",
    system="system_c2",
    rom=None,
    map_folder="tsu_c2",
    # FBNeo's pad of two buttons: RetroPad B, A
    buttons={**TABLE.buttons, Action.ROTATE_CW: Button.B, Action.ROTATE_CCW: Button.A},
    # names, sizes and CRCs: FBNeo's and MAME's tables
    sets={
        "puyopuy2": (
            RomFile("epr-17241.ic32", 0x80000, 0x1CAD1149),
            RomFile("epr-17240.ic31", 0x80000, 0xBEECF96D),
            RomFile("epr-17239.ic4", 0x80000, 0x020FF6EF),
        )
    },
    note=(
        "Nobody has tried this set here. Its addresses are those of the Mega Drive game, which is said to keep its "
        "state alike. Where the falling pair is, a map of your own (--map) must tell, and the first contradiction "
        "stops the run."
    ),
)
"""The arcade game on Sega's System C-2."""
