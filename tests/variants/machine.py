"""A variant running in a core. Only its truth.yaml says where its RAM is read. The tests of truth.yaml use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ochibot.console import Button, Console

from tests.titles import open_console, open_rom
from tests.variants import rom_file, truth

STEP: Final = {"down": (0, 1), "left": (-1, 0), "up": (0, -1), "right": (1, 0)}
PATIENCE: Final = 2000


def _name_of(codes: Mapping[str, int], code: int) -> str:
    return next(name for name, known in codes.items() if known == code)


class Variant:
    """A running variant. In every variant, columns count from 1 to 6 and rows from 0 (hidden) to 13."""

    def __init__(self, name: str) -> None:
        self.truth: Any = truth(name)
        self.console: Console = open_console(None, open_rom(rom_file(name)))
        self.seat: Any = self.truth["seats"][1]

    def close(self) -> None:
        """End the core."""
        self.console.close()

    def step(self, pad: Button = Button.NONE, frames: int = 1) -> None:
        """Run some frames with buttons held."""
        for _ in range(frames):
            self.console.step(pad)

    def until(self, holds: Callable[[], bool], pad: Button = Button.NONE) -> int:
        """Runs with buttons held until ``holds()`` is true. Returns how many frames that took."""
        for frames in range(PATIENCE):
            if holds():
                return frames
            self.step(pad)
        raise AssertionError(f"not within {PATIENCE} frames")

    def start(self) -> None:
        """Goes from power-on to Endless, until the first pair answers the pad."""
        self.step(frames=60)
        for state in (2, 3):
            self.step(Button.START, 2)
            self.until(lambda wanted=state: self.game("state") == wanted)  # type: ignore[misc]
        self.until(lambda: self.phase == "control")

    def game(self, name: str) -> int:
        """A byte of the whole game, by its name under ``game`` in truth.yaml."""
        return self.console.ram[self.truth["game"][name]["address"]]

    def _byte(self, name: str) -> int:
        return self.console.ram[self.seat[name]["address"]]

    @property
    def phase(self) -> str:
        """The name of the phase."""
        return _name_of(self.truth["phases"], self._byte("phase"))

    @property
    def orientation(self) -> str:
        """The side of the axis on which the partner lies: up, right, down or left."""
        return _name_of(self.truth["orientation"], self._byte("orientation"))

    @property
    def axis(self) -> tuple[int, int]:
        """The axis's column and row."""
        x, y = (self._byte(name) + self.seat[name]["offset"] for name in ("x", "y"))
        if self.truth["denotes"] == "partner":
            across, down = STEP[self.orientation]
            x, y = x - across, y - down
        return x, y

    def colors(self, *names: str) -> tuple[str, ...]:
        """The colours of some halves of pairs, such as ``axis`` or ``next_partner``."""
        return tuple(_name_of(self.truth["codes"]["pair"], self._byte(name)) for name in names)

    def poke_pair(self, axis: str, partner: str) -> None:
        """Give the falling pair other colours."""
        for name, color in (("axis", axis), ("partner", partner)):
            self.console.ram[self.seat[name]["address"]] = self.truth["codes"]["pair"][color]

    def score(self) -> int:
        """The score as the screen shows it."""
        entry = self.seat["score"]
        if "digits" in entry:
            places = (self.console.ram[entry["address"] + place] - entry["zero"] for place in range(entry["count"]))
            return int("".join(str(digit) for digit in places)) * int(entry["scale"])
        assert entry["type"] == "u24le"
        stored = sum(self.console.ram[entry["address"] + byte] << 8 * byte for byte in range(3))
        return int(stored * entry["scale"])

    def cell(self, column: int, row: int, of: Any = None) -> int:
        """The address of a cell of the field. With ``of``, the address in that grid, whose rows count from 0."""
        grid = of or self.seat["field"]
        row -= 0 if of else grid["top"]
        if row < 0:
            hidden: int = self.seat["hidden_row"]["address"] + column - 1
            return hidden
        address: int = grid["address"] + (column - 1) * grid["column_stride"] + row * grid["row_stride"]
        return address

    def code(self, column: int, row: int) -> str:
        """What a cell holds."""
        grid = self.seat["field"]
        value = (self.console.ram[self.cell(column, row)] & grid["mask"]) >> grid["shift"]
        return _name_of(self.truth["codes"]["field"], value)

    def poke(self, column: int, row: int, color: str) -> None:
        """Put a colour without links into a cell."""
        grid = self.seat["field"]
        self.console.ram[self.cell(column, row)] = self.truth["codes"]["field"][color] << grid["shift"]

    def button(self, turn: str) -> Button:
        """The button for a turn (``rotate_cw`` or ``rotate_ccw``)."""
        return Button.A if self.truth["buttons"][turn] == "a" else Button.B

    def tap(self, pad: Button) -> None:
        """Presses for one frame, then runs one frame with nothing pressed."""
        self.step(pad)
        self.step()
