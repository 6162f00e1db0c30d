"""Deals the pairs of many games (imports numba): ``ochibot.puyo.sim.vectors``, whose arrays these are."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.kernels.bits import ONE, U
from ochibot.puyo.kernels.dice import rolled
from ochibot.puyo.pairs.kernels import modern_pools, puyo1_pools, tsu_pools
from ochibot.puyo.sim.layout import CARTRIDGE, COLORS, DEALT, LABELS, MODERN, SOURCE, TSU, UNIFORM, USED

_LABEL: Final = 15
_PAIRS: Final = 128
_MASK_32: Final = U(0xFFFF_FFFF)


@inlined
def _cartridge_color(random: Any, colors: Any) -> Any:
    """The next colour of ``ochibot.puyo.sim.xorshift.XorshiftDealer``, from 0. ``random`` [0]: its state."""
    x = random[0]
    x ^= (x << U(13)) & _MASK_32
    x ^= x >> U(17)
    x ^= (x << U(5)) & _MASK_32
    random[0] = x
    return np.int64((x >> U(16)) * U(colors) >> U(16))


@inlined
def _label(game: Any, code: Any) -> Any:
    """The label of a colour code; a code that hasn't come yet gets the next one."""
    label = (game[LABELS] >> (4 * code)) & _LABEL
    if label == 0:
        game[USED] += 1
        label = game[USED]
        game[LABELS] |= label << (4 * code)
    return label


@inlined
def deal_pair(game: Any, random: Any, pool: Any, numbers: Any, at: Any) -> None:
    """Deals the next pair to ``at``, the place of its axis in ``game``."""
    source = numbers[SOURCE]
    if source == UNIFORM:
        axis = rolled(random[DEALT:], numbers[COLORS])
        partner = rolled(random[DEALT:], numbers[COLORS])
    elif source == CARTRIDGE:
        axis = _cartridge_color(random, numbers[COLORS])
        partner = _cartridge_color(random, numbers[COLORS])
    else:
        number = np.int64(random[DEALT])
        random[DEALT] += ONE
        # the first three pairs of Tsu (``ochibot.puyo.pairs.tsu.FIRST_PAIRS``)
        place = 2 - number if source == TSU and number < 3 else number % _PAIRS
        axis, partner = np.int64(pool[2 * place]), np.int64(pool[2 * place + 1])
    game[at] = _label(game, axis)
    game[at + 1] = _label(game, partner)


@compiled
def make_pool(source: Any, colors: Any, seed: Any, pool: Any, room: Any) -> None:
    """Makes the pool of a published game (``ochibot.puyo.pairs.generators.pool_of``). ``seed``: one uint32."""
    begin = 256 * (colors - 3)
    if source == TSU:
        tsu_pools(seed, False, room)
    elif source == MODERN:
        seed[0] &= np.uint32(0xFFFF)
        modern_pools(seed, room)
    else:
        puyo1_pools(seed, colors, room)
        begin = 0
    for k in range(256):
        pool[k] = room[0, begin + k]
