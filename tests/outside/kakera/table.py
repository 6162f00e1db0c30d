"""Kakera's ``Table``: its files, modes, codes, buttons and phases."""

from __future__ import annotations

from pathlib import Path

from ochibot.console import Button
from ochibot.games.table import Phases, Table

from kakera.family import Action

HERE = Path(__file__).resolve().parent
CARTRIDGE = HERE.parent.parent / "toy"

TABLE = Table(
    name="kakera",
    system="nes",
    family="kakera",
    rules="kakera",
    player=f"{HERE / 'player.py'}:Greedy",
    rom=str(CARTRIDGE / "toy.nes"),
    map_folder=str(CARTRIDGE / "maps"),
    map_games=("kakera",),
    modes={"solo": 0, "versus": 1},
    solo="solo",
    solo_map="solo",
    versus_maps=("versus1", "versus2"),
    codes={"empty": 0, "red": 1, "green": 2, "blue": 3, "grey": 4},
    buttons={Action.LEFT: Button.LEFT, Action.RIGHT: Button.RIGHT, Action.SWAP: Button.A, Action.DOWN: Button.DOWN},
    phases=Phases(spawn=1, control=2, over=4),
    spawn=(3, 1),
    orientations={},
    seed_frames=251,
)
