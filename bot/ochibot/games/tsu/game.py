"""Puyo Puyo Tsu on the Mega Drive as a Game (``ochibot.games.protocols``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ochibot.console import Machine, Ram
from ochibot.errors import UsageError
from ochibot.games.filed.read import read_shipped
from ochibot.games.filed.title import MadeTitle
from ochibot.games.protocols import AnySeat, Game
from ochibot.games.tsu.seat import Seat
from ochibot.ram import RamMap

DIFFICULTY_OF_COLORS: Final = {3: 2, 4: 3, 5: 4}
"""The difficulty for a number of colours: difficulties 1 and 2 have three, 3 has four, 4 and 5 have five."""


class Tsu(MadeTitle):
    """The title: what its game file says, a seat that reads pools, and a menu whose level fixes the colours."""

    foretells = True
    """The pools in RAM show all pairs to come (``Seat.foresee``)."""

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> Seat:
        """One player's side. Raises MapError when the map is for something else."""
        return Seat(self.table, self.look, ram_map, ram, rules)

    def reach(
        self,
        machine: Machine,
        seat: AnySeat,
        mode: str,
        options: Mapping[str, int],
        stopped: Callable[[], bool] = lambda: False,
    ) -> int:
        """Does what every title's does. The menu offers the difficulty (``level``), which fixes the number of colours.

        Raises UsageError when ``level`` and ``colors`` are both chosen and contradict each other.
        """
        chosen = dict(options)
        colors = chosen.pop("colors", None)
        if colors is not None:
            level = chosen.setdefault("level", DIFFICULTY_OF_COLORS[colors])
            if _colors_of(level) != colors:
                raise UsageError(
                    f"--level {level} has {_colors_of(level)} colours, not {colors}: leave --level or --colors out"
                )
        return super().reach(machine, seat, mode, chosen, stopped)


def _colors_of(level: int) -> int:
    return (3, 3, 4, 5, 5)[level - 1]


GAME: Game = Tsu(read_shipped("tsu"))
