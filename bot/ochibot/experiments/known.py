"""What most experiments use: ``Ground`` pokes cells into the field, drops pieces and reads the cells they leave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ochibot.experiments.driver import MOST_FALL, Driver, Fallen
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.setting import Setting, pokes_of
from ochibot.experiments.turning import Turning

Cells = dict[tuple[int, int], int]
"""Maps (column from the left, row from the floor), both counted from 0, to the raw byte there."""


@dataclass
class Ground:
    """A field that can be emptied and painted, and a piece that can be dropped on it.

    state: a savestate with the first piece under control. columns: raw x by column. place: the field as landings
    showed it; setting: how it is set. floor_y: raw y of a piece that stands upright on the floor. cell_y: what a row
    upwards adds to raw y. visible: rows from the floor to where pieces appear. mask: the bits of a cell that hold its
    kind.
    """

    rig: Rig
    driver: Driver
    state: bytes
    columns: tuple[int, ...]
    grid: Grid
    place: Field
    setting: Setting
    turning: Turning
    floor_y: int
    cell_y: int
    visible: int
    spawn_column: int
    mask: int = 0xFF
    colors: tuple[int, ...] = ()
    """The kinds of the colours that pieces had, in order."""
    pause: int = 0
    """Frames from a group's vanishing until cells are written that vanish in the chain's next step."""
    agree: int = 1
    """In so many of the field and its mirrors a group must have vanished."""

    def painted(self, cells: Mapping[tuple[int, int], int] | None = None) -> dict[int, int]:
        """Pokes that make the field hold these cells and nothing else."""
        return pokes_of(self.place, self.setting, cells or {})

    def of_field(self, above: int = 0) -> set[int]:
        """Offsets of the bytes of the field and of its mirrors, with so many rows above the visible ones."""
        rows = range(max(self.visible + above, self.place.rows))
        view = self.rig.view
        found = set() if view is None else set(view.bytes)
        return found | {grid.cell(column, row) for grid, _ in self.setting.every(self.grid)
                        for column in range(grid.columns) for row in rows}  # fmt: skip

    def cells(self, ram: Bytes) -> Cells:
        """The cells that aren't empty, with their whole bytes."""
        found = {}
        for column in range(self.grid.columns):
            for row in range(self.visible):
                value = int(ram[self.grid.cell(column, row)])
                if value & self.mask != self.grid.empty & self.mask:
                    found[column, row] = value
        return found

    def kinds(self, ram: Bytes) -> Cells:
        """The cells that aren't empty, with only the bits that hold their kinds."""
        return {place: value & self.mask for place, value in self.cells(ram).items()}

    def drop(
        self,
        state: bytes | None = None,
        cells: Mapping[tuple[int, int], int] | None = None,
        *,
        column: int | None = None,
        turns: Sequence[int] = (),
        pokes: Mapping[int, int] | None = None,
        keep: bool = False,
        most: int = MOST_FALL,
    ) -> Fallen:
        """Paint the field and drop a piece on it. Defaults: an empty field, the first piece, no move to a column.

        Raises CalibrationError when the piece can't get to the column, or no next piece comes.
        """
        return self.driver.fall(
            self.state if state is None else state,
            column=None if column is None else self.columns[column],
            turns=tuple(turns),
            pokes={**self.painted(cells), **(pokes or {})},
            keep=keep,
            most=most,
        )
