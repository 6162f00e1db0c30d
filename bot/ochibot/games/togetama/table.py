"""Pochi & Nyaa on the Neo Geo, and our own game Togetama: the table.

All values are those of our own game (roms/homebrew/neogeo, README): what the original's bytes mean isn't public.
"""

from __future__ import annotations

from typing import Final

from ochibot.console import Button
from ochibot.falling.orientation import Orientation
from ochibot.falling.pace import Gravity
from ochibot.games.table import Choice, Phases, Table
from ochibot.games.togetama.sets import SETS
from ochibot.nyaa.rules.pair import Action, NyaaState

TABLE: Final = Table(
    name="nyaa",
    system="neogeo",
    family="nyaa",
    rules="nyaa_mvs",
    player="nyaa",
    rom="roms/homebrew/neogeo/togetama.zip",
    rom_name="Togetama",
    earlier_roms=(
        "8e4d283f798b8749c9c300639db773e21ced96a3",
        "878a7e1aab6f9b2f3a8c3cf12a6e3793dd02cc22",
        "3ebc3859c56453637baa82189fc4f3110ca89629",
    ),
    map_folder="nyaa_homebrew",
    foreign_map_folder="pnyaa",
    modes={"solo": 0, "versus": 1},
    solo="solo",
    solo_map="player1",
    versus_maps=("player12", "player2"),
    options={"level": Choice(range(1, 5))},
    versus_options={},  # pairs of two players fall at one speed
    codes={
        "empty": 0,
        "red": 1,
        "green": 2,
        "blue": 3,
        "yellow": 4,
        "nuisance": 5,
        "red_needle": 6,
        "green_needle": 7,
        "blue_needle": 8,
        "yellow_needle": 9,
        "wall": 10,
    },
    # FBNeo's classic pad: RetroPad B, A, Y are the Neo Geo's A, B, C
    buttons={
        Action.LEFT: Button.LEFT,
        Action.RIGHT: Button.RIGHT,
        Action.DOWN: Button.DOWN,
        Action.ROTATE_CW: Button.B,
        Action.ROTATE_CCW: Button.A,
        Action.NEEDLE: Button.Y,
    },
    orientations={0: Orientation.DOWN, 1: Orientation.LEFT, 2: Orientation.UP, 3: Orientation.RIGHT},
    # roms/homebrew/neogeo, README
    gravity=Gravity(rows=(40, 28, 18, 11), hurry=2, lock=28, lock_hurry=4, versus_row=24),
    spawn=NyaaState(4, 1, Orientation.UP),
    phases=Phases(spawn=1, control=2, over=5),
    playing=3,
    seed_frames=1021,
    sets=SETS,
    # its sound program only listens (tests/games/togetama/test_soundless.py)
    soundless=True,
    note=(
        "This isn't our own game. Where Pochi & Nyaa keeps its field and pairs isn't public: a map of your own (--map) "
        "must tell, and the first contradiction stops the run."
    ),
)
