"""The rules of Pochi & Nyaa (2003): grid, ignition value of the arcade version (MVS) and of the PlayStation 2 port.

Pure: no search, no emulator. Importing this does not import numba, nor what reads rules files: the shipped ones are
read when ``Ruleset.rules`` is first asked for, others by ``ochibot.nyaa.rules.file.load_rules``.

For users of the package. Inside it every module is imported by its own name.
"""

from ochibot.nyaa.calculator.heat import HeatMap, best_additions, best_ignition, best_pair, heat_map
from ochibot.nyaa.calculator.ignition import Ignition, Outcome, Tail, ignite
from ochibot.nyaa.calculator.practice import practice_board
from ochibot.nyaa.rules.fall import settled
from ochibot.nyaa.rules.grid import COLORS, COLUMNS, EMPTY, NUISANCE, ROWS, Grid, cell_of, parse_boards, place_of
from ochibot.nyaa.rules.profile import Rules, Ruleset, attack_of
from ochibot.nyaa.rules.resolve import Resolution, resolve
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
