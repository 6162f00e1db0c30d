"""What a byte of a cell or of a piece means.

The rules know cells as numbers: the low four bits are what is there (0 nothing, 1 to 6 a colour, 7 nuisance, 8 to 14
special things), the high bits are a link (1 up, 2 right, 4 down, 8 left; 0 none).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

EMPTY: Final = 0
NUISANCE: Final = 7
SEED: Final = 8
"""Things of a level that don't fall; SEED + c has colour c (1 to 3)."""
BOMB: Final = 12
DETONATOR: Final = 13
ITEMS: Final = [
    "empty",
    "red",
    "green",
    "blue",
    "yellow",
    "purple",
    "cyan",
    "nuisance",
    "?",
    "virus1",
    "virus2",
    "virus3",
    "bomb",
    "detonator",
    "?",
    "?",
]
UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8


def word(value: int) -> str:
    """The name of what a cell holds, without links."""
    return ITEMS[value & 15]


@dataclass(frozen=True)
class Codes:
    """to: the byte of each value. rest: the bit of cells that rest (0: none). junk: bits that mean nothing.

    links: whether links are told by the byte. back: the value of each byte.
    """

    to: tuple[int, ...]
    back: tuple[int, ...]
    rest: int = 0
    junk: int = 0
    links: bool = False
    write: tuple[int, ...] = ()
    """The byte that is written for each value: for one that has no code, some byte that is no code either."""

    def __post_init__(self) -> None:
        codes = {code for code in self.to if code >= 0}
        spare = next((byte for byte in range(16) if byte not in codes), 255)
        object.__setattr__(self, "write", tuple(code if code >= 0 else spare for code in self.to))

    def values(self) -> dict[int, str]:
        """Byte to word, for all bytes without rest and junk bits."""
        return {code: word(value) for value, code in enumerate(self.to) if code >= 0}

    @property
    def mask(self) -> int:
        """The bits that tell what a cell holds."""
        return 255 & ~(self.rest | self.junk)


def make_codes(
    rng: Random, values: Iterable[int], how: str, empty: int, rest: bool, junk: bool, links: str, bits: int = 8
) -> Codes:
    """Draws codes for ``values`` (what a cell may hold, without links).

    how: plain (0, 1, 2, …), shifted (in other bits), tiles (in steps of two or four), or any. empty: the code of
    nothing, or -1 for any. links: none, bits, or any (each value and link has a code of its own).
    """
    things = sorted({0, *values})
    flags = rest or junk or links == "bits"
    to = [-1] * 256
    room = 16 if flags or bits == 4 else 256
    if links == "any":
        picked = rng.sample(range(1, 256), len(things) * 16)
        for at, thing in enumerate(things):
            for link in range(16):
                to[thing | link << 4] = picked[at * 16 + link]
        for link in range(16):
            to[link << 4] = empty if empty >= 0 else picked[0]
        return Codes(tuple(to), _back(to, 255), links=True)
    if how == "any":
        picked = rng.sample(range(room), len(things))
    elif how == "tiles" and room == 256:
        step, first = rng.choice((2, 4, 8, 16)), rng.randrange(0, 64)
        picked = [first + step * at for at in range(len(things))]
        if rng.random() < 0.5:
            picked.reverse()
    else:
        first = rng.choice((0, 0, 1, 2)) if len(things) < 13 else 0
        picked = [first + at for at in range(len(things))]
    if empty >= 0 and empty < room:
        if empty in picked:
            picked[picked.index(empty)] = picked[0]
        picked[0] = empty
    shift = 4 if flags and rng.random() < 0.4 else 0
    spare = [1, 2, 4, 8]
    if shift == 0:
        spare = [bit << 4 for bit in spare]
    rng.shuffle(spare)
    by_bits = links == "bits"
    rest_bit = spare.pop() if rest and not by_bits else 0
    junk_bits = (spare.pop() | spare.pop()) if junk and not by_bits else 0
    for thing, code in zip(things, picked, strict=True):
        for link in range(16):
            if by_bits:
                to[thing | link << 4] = code << shift | link << (4 - shift)
            else:
                to[thing | link << 4] = code << shift
    mask = 255 & ~(rest_bit | junk_bits)
    return Codes(tuple(to), _back(to, mask), rest_bit, junk_bits, by_bits)


def _back(to: list[int], mask: int) -> tuple[int, ...]:
    """The value of each byte. A byte that is nothing's code counts as nuisance: something is in the way."""
    first: dict[int, int] = {}
    for value, code in enumerate(to):
        if code >= 0:
            first.setdefault(code & mask, value)
    return tuple(first.get(byte & mask, NUISANCE) for byte in range(256))
