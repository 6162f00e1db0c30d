"""The rules of Pochi & Nyaa (2003): grid, ignition value of the arcade version (MVS) and of the PlayStation 2 port.

Pure: no search, no emulator. Importing this does not import numba.
"""

from bot.nyaa.fall import settled
from bot.nyaa.grid import COLORS, COLUMNS, EMPTY, NUISANCE, ROWS, Grid, cell_of, parse_boards, place_of
from bot.nyaa.heat import HeatMap, best_additions, best_ignition, best_pair, heat_map
from bot.nyaa.ignition import Ignition, Outcome, Tail, ignite
from bot.nyaa.practice import practice_board
from bot.nyaa.resolve import Resolution, resolve
from bot.nyaa.rules import MVS, PS2, Rules, Ruleset, attack_of
from bot.nyaa.ties import attack_range

__all__ = [
    "COLORS",
    "COLUMNS",
    "EMPTY",
    "MVS",
    "NUISANCE",
    "PS2",
    "ROWS",
    "Grid",
    "HeatMap",
    "Ignition",
    "Outcome",
    "Resolution",
    "Rules",
    "Ruleset",
    "Tail",
    "attack_of",
    "attack_range",
    "best_additions",
    "best_ignition",
    "best_pair",
    "cell_of",
    "heat_map",
    "ignite",
    "parse_boards",
    "place_of",
    "practice_board",
    "resolve",
    "settled",
]
