"""The rules of Pochi & Nyaa (2003): the grid, and ignition values of the arcade version (MVS) and the PlayStation 2.

This module has no search and no emulator. Importing it imports neither numba nor the reader of rules files. The shipped
rules are read at the first use of ``Ruleset.rules``, others by ``ochibot.nyaa.rules.file.load_rules``.

This module is for users of the package; inside the package, every module is imported by its own name.
"""

from ochibot.nyaa.calculator.heat import HeatMap, best_additions, best_ignition, best_of_pairs, best_pair, heat_map
from ochibot.nyaa.calculator.ignition import Ignition, Tail, WaveOutcome, ignite
from ochibot.nyaa.calculator.practice import practice_board
from ochibot.nyaa.rules.grid import COLORS, COLUMNS, EMPTY, NUISANCE, ROWS, Grid, cell_of, parse_boards, place_of
from ochibot.nyaa.rules.profile import Rules, Ruleset, attack_of
from ochibot.nyaa.rules.resolve import Resolution, resolve, settled
from ochibot.nyaa.rules.ties import attack_range

__all__ = [
    "COLORS",
    "COLUMNS",
    "EMPTY",
    "NUISANCE",
    "ROWS",
    "Grid",
    "HeatMap",
    "Ignition",
    "Resolution",
    "Rules",
    "Ruleset",
    "Tail",
    "WaveOutcome",
    "attack_of",
    "attack_range",
    "best_additions",
    "best_ignition",
    "best_of_pairs",
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
