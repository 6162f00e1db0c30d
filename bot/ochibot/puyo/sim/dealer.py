"""Dealers: where pairs come from when no emulator deals them.

The pair generator of our own cartridge, so that a simulated match deals what the cartridge deals.

Source: ``roms/homebrew/famicom`` (README, "pairs").
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError
from ochibot.falling.draws import MASK_32, MASK_64, rolled, step32
from ochibot.puyo.pairs.generators import LETTERS, PAIRS, Generator, pairs_of, place_of, pool_of
from ochibot.puyo.rules.field import COLORS, SYMBOLS
from ochibot.puyo.rules.pair import BIG, CARBUNCLE, Pair
from ochibot.quoting import quoted
from ochibot.wording import counted

Items = Literal["off", "big", "carbuncle", "both"]
"""The items that are dealt. ``both``: alternately, the big puyo first."""


PlainSource = Literal["uniform", "tsu", "puyo1", "modern"]
"""The dealers for games without a cartridge: uniform, or as a published game deals."""


class Dealer(Protocol):
    """An endless iterator of pairs."""

    def __iter__(self) -> Iterator[Pair]: ...

    def __next__(self) -> Pair: ...


def _item(items: Items, interval: int, number: int) -> Pair | None:
    """The item that the ``number``-th piece is; None if it is a pair."""
    turn, rest = divmod(number, interval)
    if items == "off" or rest:
        return None
    big = items == "big" or (items == "both" and turn % 2 == 1)
    return Pair(BIG, BIG) if big else Pair(CARBUNCLE, CARBUNCLE)


class UniformDealer:
    """Deals each half uniformly over colours 1..``colors``, the axis first; the same seed deals the same pairs.

    The generator is SplitMix64 (``ochibot.falling.draws.rolled``). The self-play kernel deals the same pairs.
    """

    def __init__(self, seed: int, colors: int, items: Items = "off", interval: int = 16) -> None:
        """``seed``: any whole number (used mod 2^64). ``colors``: 1..6. ``items``: pieces are counted from 1; each
        whose number is a multiple of ``interval`` is an item. An item uses no random number.

        Raises ConfigError for other numbers or names.
        """
        if not 1 <= colors <= len(COLORS):
            raise ConfigError(f"can't deal {colors} colours: choose 1 to {len(COLORS)}")
        if items not in get_args(Items):
            raise ConfigError(f"can't deal the items {quoted(items)}: choose {', '.join(get_args(Items))}")
        if interval < 1:
            raise ConfigError(f"can't deal an item every {interval} pieces: choose 1 or more")
        self.seed = seed
        self.colors = colors
        self.items = items
        self.interval = interval
        self.dealt = 0
        """Pieces dealt so far."""
        self.state = seed & MASK_64
        """The generator's state. Together with ``dealt`` it determines everything dealt from here on."""

    def __iter__(self) -> UniformDealer:
        return self

    def __next__(self) -> Pair:
        self.dealt += 1
        return _item(self.items, self.interval, self.dealt) or Pair(self._color(), self._color())

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """The dealer's state for kernels, one uint64."""
        return np.array([self.state], np.uint64)

    def _color(self) -> int:
        self.state, color = rolled(self.state, self.colors)
        return 1 + color


class PoolDealer:
    """Deals a player's pairs as a published game does, without end (``ochibot.puyo.pairs.generators``)."""

    def __init__(self, generator: Generator, state: int, colors: int = 4, player: int = 1) -> None:
        """Arguments and errors: see ``pool_of``."""
        self.generator = generator
        self.state = state
        """The random state that the pool was made from."""
        self.dealt = 0
        """Pairs dealt so far."""
        self._pool = pool_of(generator, state, colors, player)

    def __iter__(self) -> PoolDealer:
        return self

    def __next__(self) -> Pair:
        at = 2 * place_of(self.generator, self.dealt)
        self.dealt += 1
        return Pair(CODES[self._pool[at]], CODES[self._pool[at + 1]])

    @property
    def words(self) -> npt.NDArray[np.uint64]:
        """The dealer's state for kernels, 65 uint64: the number of puyos dealt so far, then 512 bytes.

        The bytes are colours from 0 in the order of dealing: those of the first round through the pool, then those of
        all later rounds.
        """
        laps = islice(pairs_of(self.generator, self._pool), 2 * PAIRS)
        codes = [CODES[code] - 1 for pair in laps for code in pair]
        return np.concatenate([np.array([2 * self.dealt], np.uint64), np.array(codes, np.uint8).view(np.uint64)])


def self_play_dealer(source: PlainSource, seed: int, colors: int) -> UniformDealer | PoolDealer:
    """The dealer of a game without items.

    seed: for uniform any whole number, for tsu and puyo1 the state (32 bits), for modern the seed (16 bits). Raises
    ConfigError for colours or seeds that the source can't deal, and for another source.
    """
    if source not in get_args(PlainSource):
        raise ConfigError(f"can't deal by {quoted(source)}: choose {', '.join(get_args(PlainSource))}")
    return UniformDealer(seed, colors) if source == "uniform" else PoolDealer(source, seed, colors)


CODES: Final = tuple(SYMBOLS.index(letter) for letter in LETTERS)
"""The family's colour code for each colour code of a pool."""


_SEED_HIGH: Final = 0xA500_0000
_SEED_STEPS: Final = 16
COLORS_DEALT: Final = (4, 5, 6)


def seeded(frame: int) -> int:
    """The initial state of the pairs' generator. ``frame``: the cartridge's frame counter (24 bits) when the game
    begins.
    """
    x = frame & 0xFF_FFFF | _SEED_HIGH
    for _ in range(_SEED_STEPS):
        x = step32(x)
    return x


class XorshiftDealer:
    """Deals a seat's pieces, given the state that the pairs' generator has before the first piece."""

    def __init__(self, state: int, colors: int, items: Items = "off", interval: int = 16) -> None:
        """``state``: 1..2^32 - 1. ``colors``: 4..6. ``items``: which items are dealt (both: big puyo and carbuncle
        in turn). Pieces are counted from 1; each whose number is a multiple of ``interval`` is an item. An item draws
        no random number. With ``interval`` 0 there are no items.

        Raises ConfigError for other values.
        """
        if not 0 < state <= MASK_32:
            raise ConfigError(f"{state:#x} is no state of the pairs' generator: give 1 to {MASK_32:#x}")
        if colors not in COLORS_DEALT:
            raise ConfigError(f"the cartridge can't deal {counted(colors, 'colour')}: choose 4 to 6")
        if items not in get_args(Items) or interval < 0:
            raise ConfigError(f"can't deal the items {quoted(items)} every {counted(interval, 'piece')}")
        self.state = state
        self.colors = colors
        self.items = items
        self.interval = interval
        self.dealt = 0

    def __iter__(self) -> XorshiftDealer:
        return self

    def __next__(self) -> Pair:
        self.dealt += 1
        item = _item(self.items, self.interval, self.dealt) if self.interval else None
        return item or Pair(self._color(), self._color())

    def _color(self) -> int:
        self.state = step32(self.state)
        return 1 + ((self.state >> 16) * self.colors >> 16)
