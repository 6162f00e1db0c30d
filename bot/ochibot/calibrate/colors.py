"""Which bytes hold the colours of the falling piece and of those to come.

Pieces fall one after another on an emptied field, so each cell that they leave is known. A byte that stands for a
colour has equal values where the cells are equal, and different ones where they differ. Poking tells the game's own
byte from its copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Bytes
from ochibot.errors import CalibrationError

PIECES = 28
MASKS = (0xFF, 0x0F, 0xF0, 0x07, 0x70, 0x38, 0x1F, 0xE0)


@dataclass(frozen=True)
class Sample:
    """A piece: the state and RAM under control; the kinds of its two halves where it fell; how it stood, raw."""

    state: bytes
    ram: Bytes
    near: int
    """The half that x and y denote."""
    far: int


@dataclass(frozen=True)
class ColorByte:
    """Where a colour is kept: offset, the bits that say it, and its values by the kind of cell."""

    offset: int
    mask: int
    values: dict[int, int]
    followed: bool
    """Whether poking it changed what fell."""


def sample(ground: Ground, near_row: int, pieces: int = PIECES) -> list[Sample]:
    """Drop pieces upright in the middle. ``near_row``: the row of the half that x and y denote, 0 or 1.

    Raises CalibrationError when other than two cells come of one.
    """
    found = []
    state = ground.state
    column = ground.spawn_column
    for _ in range(pieces):
        ground.lab.load(state)
        ram = ground.lab.snap()
        fallen = ground.drop(state)
        cells = ground.kinds(fallen.ram)
        if set(cells) != {(column, 0), (column, 1)}:
            raise CalibrationError(f"a piece left the cells {sorted(cells)}, not two above each other")
        found.append(Sample(state, ram, cells[column, near_row], cells[column, 1 - near_row]))
        state = fallen.state
    return found


def candidates(samples: Sequence[Bytes], kinds: Sequence[int], mask: int) -> list[int]:
    """Offsets whose masked values say the kind: the same for the same, another for another."""
    stack = np.stack(samples) & mask
    good = np.ones(stack.shape[1], bool)
    first: dict[int, Bytes] = {}
    for row, kind in zip(stack, kinds, strict=True):
        if kind in first:
            good &= row == first[kind]
        else:
            for other in first.values():
                good &= row != other
            first[kind] = row
    return [int(place) for place in np.flatnonzero(good)]


def _values(samples: Sequence[Bytes], kinds: Sequence[int], place: int, mask: int) -> dict[int, int]:
    return {kind: int(ram[place]) & mask for ram, kind in zip(samples, kinds, strict=True)}


def find_byte(
    ground: Ground, samples: Sequence[Sample], half: str, ahead: int, first: Sequence[int] = ()
) -> ColorByte | None:
    """The byte that says the colour of a half (``near`` or ``far``), ``ahead`` pieces before it falls.

    Those come first that the game obeys when they are poked. ``first``: offsets to try before all others.
    """
    count = len(samples) - ahead
    rams = [one.ram for one in samples[:count]]
    kinds = [getattr(one, half) for one in samples[ahead:]]
    if len(set(kinds)) < 3:
        return None
    weak: ColorByte | None = None
    for mask in MASKS:
        for place in sorted(candidates(rams, kinds, mask), key=lambda place: place not in first):
            found = ColorByte(place, mask, _values(rams, kinds, place, mask), followed=True)
            if _obeyed(ground, samples, found, half, ahead):
                return found
            weak = weak or found
    return None if weak is None else ColorByte(weak.offset, weak.mask, weak.values, followed=False)


def _obeyed(ground: Ground, samples: Sequence[Sample], byte: ColorByte, half: str, ahead: int) -> bool:
    """Whether what falls has the colour that was poked, and its other half hasn't."""
    one, fell = samples[0], samples[ahead]
    before = getattr(fell, half)
    other_half = "far" if half == "near" else "near"
    for kind, value in byte.values.items():
        if kind in (before, getattr(fell, other_half)):
            continue
        old = int(one.ram[byte.offset])
        state, pokes = one.state, {byte.offset: old & ~byte.mask | value}
        for number in range(ahead + 1):
            try:
                fallen = ground.drop(state, pokes=pokes if number == 0 else None)
            except CalibrationError:
                return False
            state = fallen.state
        cells = ground.kinds(fallen.ram)
        changed = [place for place, value in cells.items() if value == kind]
        kept = [place for place, value in cells.items() if value == getattr(fell, other_half)]
        return len(changed) == 1 and len(kept) == 1 and len(cells) == 2
    return False
