"""What the experiments on rules share: the facts already known about the game, and writing into its live field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, repeat
from typing import Any

from ochibot.console import Button
from ochibot.puyo.rules.pair import PairState
from ochibot.ramtools.colorfits import COLORS, ColorReading
from ochibot.ramtools.drops import DropLab
from ochibot.ramtools.evidence import filled
from ochibot.ramtools.findings import Report
from ochibot.ramtools.grids import Grid
from ochibot.ramtools.image import Image
from ochibot.ramtools.reading import PairReading

Cell = tuple[int, int]


@dataclass
class Bench:
    """What the experiments need. score: reads the score from an image of RAM; None when the map has no score."""

    lab: DropLab
    grid: Grid
    pair: PairReading
    colors: ColorReading
    rules: Any
    report: Report
    state: bytes
    """The savestate in which the first pair answers the pad, in an empty field."""
    spawn: PairState
    score: Callable[[Image], int] | None
    anticlockwise: Button
    score_scale: int = 1
    """The ``scale`` of the map's entry ``score``."""
    twins: tuple[int, ...] = ()
    """The distances from a cell's byte to other bytes that always hold the same value, as when a cell is a word."""
    hurry: bool = True
    """Whether Down is held while a pair falls; False in games that give points for holding Down."""

    def put(self, cells: Sequence[Cell], symbol: str) -> None:
        """Writes a colour into cells of the field."""
        for cell in cells:
            for side in (0, *self.twins):
                self.lab.lab.poke(self.grid.cell(*cell) + side, self.colors.raw[symbol])

    def falling(self) -> Iterator[Button]:
        """The pad, frame by frame: Down for 120 frames while a pair falls (with ``hurry``), then nothing."""
        return chain(islice(repeat(self.lab.pads.down), 120 if self.hurry else 0), repeat(Button.NONE))

    def free(self, cells: Sequence[Cell]) -> bool:
        """Whether all of these cells are empty now."""
        image = self.lab.lab.look()
        return all(self.colors.cell.of(image[self.grid.cell(*cell)]) == "empty" for cell in cells)


def live(lab: DropLab, grid: Grid, state: bytes, byte: int, spawn: PairState) -> bool:
    """Whether a grid is the game's field and not a copy: a byte poked on the floor stays, and a pair lands on it."""
    lab.load(state)
    x, floor = grid.columns, grid.floor
    address = grid.cell(x, floor)
    lab.lab.poke(address, byte)
    for _ in range(4):
        lab.lab.step()
    if lab.lab.look()[address] != byte:
        return False
    drop = lab.drop(None, x - spawn.x)
    changed = {cell for cell in filled(grid, drop.start, drop.end) if cell != (x, floor)}
    return changed == {(x, floor - 1), (x, floor - 2)}


def mixed(bench: Bench) -> bytes | None:
    """A state in which a pair of two colours answers the pad; None when none of five pairs has two colours.

    The pairs before it are dropped into the first column. Returns None also when no spawn follows one of them.
    """
    lab = bench.lab
    state = bench.state
    for _ in range(5):
        lab.load(state)
        axis, partner = bench.colors.of_pair(lab.lab.look())
        if axis != partner and axis in COLORS and partner in COLORS:
            return state
        drop = lab.drop(None, 1 - bench.spawn.x)
        if not drop.spawned:
            return None
        state = lab.to_control()
    return None
