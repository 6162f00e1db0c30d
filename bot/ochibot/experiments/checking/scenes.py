"""Moments of play with the truth about them, and the map under check read at these moments.

An entry is right if it reads what the learnt entry reads, wherever its bytes are and whatever its form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from ochibot.console import Ram, find_system
from ochibot.errors import CalibrationError, OchibotError
from ochibot.experiments.known import Cells, Ground
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.mapfile import map_of
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.stance import offsets
from ochibot.falling.orientation import STEP, Orientation
from ochibot.ram import BoundMap, RamMap
from ochibot.ramtools.mapping import AnySymbols

PIECES: Final = 20
"""How many pieces are dropped to compare what a map reads as they fall."""

PAINTED: Final = 5
"""Most rows that are painted before a piece is dropped."""

EVERY: Final = 6
"""Where nothing happens, one frame in so many is compared."""

Place = tuple[int, int, Orientation]
"""Where a pair is: the axis's column and row as the family counts them, and the partner's side."""


class Reading:
    """A map that reads copies of RAM instead of a running console.

    ``symbols``: the family's numbers of code names; words beyond them are allowed.
    """

    def __init__(self, ram_map: RamMap, rig: Rig, symbols: Mapping[str, int]) -> None:
        console = rig.console
        layout = find_system(console.rom.system).ram
        self.map = ram_map
        self.symbols = AnySymbols(symbols)
        self._banks = [replace(bank, raw=bank.raw.copy()) for bank in console.ram.banks]
        self.ram = Ram(np.zeros(len(console.ram.raw), np.uint8), layout, self._banks)
        self._work = min(len(console.ram.raw), layout.last - layout.base + 1)
        self._order = np.arange(self._work) ^ layout.swap
        self.bound = BoundMap(ram_map, self.ram, self.symbols)

    def show(self, ram: Bytes) -> None:
        """Makes a copy of RAM the one that is read from now on."""
        self.ram.raw[self._order] = ram[: self._work]
        start = self._work
        for bank in self._banks:
            bank.raw[:] = ram[start : start + len(bank.raw)]
            start += len(bank.raw)

    def __contains__(self, name: str) -> bool:
        return name in self.map.entries

    def value(self, name: str, ram: Bytes) -> int | None:
        """A single entry's value; None where a pointer leads nowhere, or the map lacks the entry."""
        if name not in self.map.entries:
            return None
        self.show(ram)
        try:
            return self.bound.value(name)
        except OchibotError:
            return None

    def symbol(self, name: str, ram: Bytes) -> str | None:
        """The symbol of a single entry; None for a byte that its table lacks."""
        value = self.value(name, ram)
        return None if value is None else self.symbols.name_of(value)

    def cells(self, name: str, ram: Bytes) -> list[list[str | None]]:
        """The symbols of a grid, row by row from its first row."""
        self.show(ram)
        return [[self.symbols.name_of(int(cell)) for cell in row] for row in self.bound.grid(name)]


@dataclass(frozen=True, eq=False)
class Scene:
    """RAM at a moment. moving: whether the piece was under control, in the same place as in the frame before."""

    ram: Bytes
    moving: bool


@dataclass(frozen=True, eq=False)
class Fall:
    """A piece from its first frame under control to that of the next piece. spawn: RAM when the map announced the next
    piece; None if it didn't, or not just once. end: RAM as the next piece was under control.
    """

    scenes: tuple[Scene, ...]
    spawn: Bytes | None
    end: Bytes


class Truth:
    """What the experiments learnt, as a map that reads what the family calls things.

    names: the check's name of each colour that the learnt map calls otherwise.
    """

    def __init__(self, learnt: Learnt, rig: Rig, symbols: Mapping[str, int], names: Mapping[str, str]) -> None:
        made = map_of(learnt, rig, "learnt")
        for table in made["codes"].values():
            table["values"] = {value: names.get(word, word) for value, word in table["values"].items()}
        self.data: dict[str, Any] = made
        self.reading = Reading(RamMap.model_validate(made), rig, symbols)
        self.learnt = learnt

    def place(self, ram: Bytes) -> Place | None:
        """Where the pair is; None where RAM makes no sense of it."""
        reading, denotes = self.reading, self.reading.map.pair.denotes
        x, y = reading.value("x", ram), reading.value("y", ram)
        if x is None or y is None:
            return None
        if denotes == "halves":
            u, v = reading.value("partner_x", ram), reading.value("partner_y", ram)
            if u is None or v is None:
                return None
            side = next((word for word in Orientation if STEP[word] == (u - x, v - y)), None)
            return None if side is None else (x, y, side)
        word = self._word(ram)
        if word is None:
            return None
        (across, up), _ = offsets(denotes, word.word)
        return x + across, y - up, word

    def _word(self, ram: Bytes) -> Orientation | None:
        if "orientation" not in self.reading:
            return None
        value = self.reading.value("orientation", ram)
        word = None if value is None else self.reading.bound.words("orientation").get(value)
        return None if word is None else Orientation[word.upper()]


def half_of(place: Place, which: str) -> tuple[int, int]:
    """Where the axis, the partner or the box of a pair is: (x, y)."""
    x, y, side = place
    dx, dy = STEP[side]
    return {"partner": (x + dx, y + dy), "box": (min(x, x + dx), max(y, y + dy))}.get(which, (x, y))


def painted(ground: Ground, number: int, also: Sequence[int] = ()) -> Cells:
    """Cells of different kinds, no two equal ones side by side; others for each number. also: kinds beside colours."""
    kinds = (*ground.colors, *also)
    heights = [(number * 3 + column * 2) % (PAINTED + 1) if number % 2 else 0 for column in range(ground.grid.columns)]
    return {
        (column, row): kinds[(column + row + number) % len(kinds)]
        for column, height in enumerate(heights)
        for row in range(height)
    }


def watch_falls(
    ground: Ground, truth: Truth, announced: Callable[[Bytes], list[int]], also: Sequence[int]
) -> list[Fall]:
    """Drops PIECES one after another, in all columns and turned in all ways, on fields of many heights.

    ``announced``: the frames of a trace in which the map under check announces a piece. also: kinds of cells beside
    those of colours.
    """
    found: list[Fall] = []
    state, button = ground.state, ground.turning.button
    for number in range(PIECES):
        turns = (number + number // 4) % 4
        raw = ground.columns[(number * 5 + 1) % len(ground.columns)]
        try:
            fallen = ground.driver.fall(
                state,
                column=raw,
                turns=(int(button),) * turns,
                pokes=ground.painted(painted(ground, number, also)),
                keep=True,
                about=True,
            )
        except CalibrationError:
            state = ground.state
            continue
        assert fallen.trace is not None
        found.append(_fall(ground, truth, fallen.trace, announced))
        state = fallen.state
    return found


def _fall(ground: Ground, truth: Truth, trace: Bytes, announced: Callable[[Bytes], list[int]]) -> Fall:
    cells = [ground.grid.cell(c, r) for c in range(ground.grid.columns) for r in range(ground.visible)]
    changed = (trace[:, cells] != trace[0, cells]).any(axis=1)
    lock = int(changed.argmax()) if changed.any() else len(trace)
    places = [truth.place(trace[number]) for number in range(min(lock + 1, len(trace)))]
    scenes = []
    for number in range(len(trace)):
        steady = 0 < number < lock - 1 and places[number - 1] == places[number] is not None
        fresh = steady and places[number] not in places[: number - 1]
        if fresh or number % EVERY == 0 or abs(number - lock) <= EVERY or number == len(trace) - 1:
            scenes.append(Scene(trace[number].copy(), steady))
    spawns = announced(trace)
    spawn = trace[spawns[0]].copy() if len(spawns) == 1 and spawns[0] >= lock else None
    return Fall(tuple(scenes), spawn, trace[-1].copy())
