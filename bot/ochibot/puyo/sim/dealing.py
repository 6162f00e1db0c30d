"""Deals the pairs of many games (imports numba), on the processor or a GPU. The arrays are those of ``ManyGames``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ochibot.falling.draws import GAMMA, MIX_1, MIX_2
from ochibot.puyo.kernels.bits import ONE, U
from ochibot.puyo.pairs.kernels import modern_pools, puyo1_pools, tsu_pools
from ochibot.puyo.sim.layout import CARTRIDGE, COLORS, DEALT, LABELS, MODERN, SOURCE, TSU, UNIFORM, USED

_LABEL: Final = 15
_PAIRS: Final = 128
_MASK_32: Final = U(0xFFFF_FFFF)
_GAMMA, _MIX_1, _MIX_2 = U(GAMMA), U(MIX_1), U(MIX_2)


class Dealing(NamedTuple):
    """The functions, compiled for one target."""

    rolled: Any
    deal_pair: Any
    make_pool: Any


def dealing_of(jit: Callable[[Any], Any]) -> Dealing:
    """Makes the functions. ``jit``: compiles one for the target."""
    tsu, modern, puyo1 = (jit(one.py_func) for one in (tsu_pools, modern_pools, puyo1_pools))

    @jit
    def rolled(random: Any, at: Any, limit: Any) -> Any:
        """``ochibot.puyo.kernels.bits.rolled`` with the state in the word ``at``."""
        random[at] += _GAMMA
        z = random[at]
        z = (z ^ (z >> U(30))) * _MIX_1
        z = (z ^ (z >> U(27))) * _MIX_2
        z ^= z >> U(31)
        return np.int64(((z >> U(32)) * U(limit)) >> U(32))

    @jit
    def cartridge_color(random: Any, colors: Any) -> Any:
        """The next colour of ``ochibot.puyo.sim.dealer.XorshiftDealer``, from 0."""
        x = random[DEALT]
        x ^= (x << U(13)) & _MASK_32
        x ^= x >> U(17)
        x ^= (x << U(5)) & _MASK_32
        random[DEALT] = x
        return np.int64(((x >> U(16)) * U(colors)) >> U(16))

    @jit
    def label(game: Any, code: Any) -> Any:
        """The label of a colour code; a code that hasn't come yet gets the next one."""
        found = (game[LABELS] >> (4 * code)) & _LABEL
        if found == 0:
            game[USED] += 1
            found = game[USED]
            game[LABELS] |= found << (4 * code)
        return found

    @jit
    def deal_pair(game: Any, random: Any, pool: Any, numbers: Any, at: Any) -> None:
        """Deals the next pair to ``at``, the place of its axis in ``game``."""
        source, colors = numbers[SOURCE], numbers[COLORS]
        if source == UNIFORM:
            axis = rolled(random, DEALT, colors)
            partner = rolled(random, DEALT, colors)
        elif source == CARTRIDGE:
            axis = cartridge_color(random, colors)
            partner = cartridge_color(random, colors)
        else:
            number = np.int64(random[DEALT])
            random[DEALT] += ONE
            # the first three pairs of Tsu (``ochibot.puyo.pairs.tsu.FIRST_PAIRS``)
            place = 2 - number if source == TSU and number < 3 else number % _PAIRS
            axis, partner = np.int64(pool[2 * place]), np.int64(pool[2 * place + 1])
        game[at] = label(game, axis)
        game[at + 1] = label(game, partner)

    @jit
    def make_pool(source: Any, colors: Any, seed: Any, pool: Any, room: Any) -> None:
        """Makes a published game's pool (``ochibot.puyo.pairs.generators.pool_of``). ``seed``: one uint32."""
        begin = 256 * (colors - 3)
        if source == TSU:
            tsu(seed, False, room)
        elif source == MODERN:
            seed[0] &= np.uint32(0xFFFF)
            modern(seed, room)
        else:
            puyo1(seed, colors, room)
            begin = 0
        for k in range(256):
            pool[k] = room[0, begin + k]

    return Dealing(rolled, deal_pair, make_pool)
