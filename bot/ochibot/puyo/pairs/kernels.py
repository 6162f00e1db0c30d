"""The generators for many states at once (imports numba); ``ochibot.puyo.pairs.engine`` loads them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled
from ochibot.puyo.pairs.modern import INCREMENT, MULTIPLIER, PALETTE
from ochibot.puyo.pairs.puyo1 import COLORS, SECOND_COLORS, SHARED, ZERO_STATE
from ochibot.puyo.pairs.tsu import COLOR_SET, POOL_STACK, SET_STACK

_U: Final = np.uint32
_COLOR_SET: Final = np.array(COLOR_SET, np.uint8)
_PALETTE: Final = np.array(PALETTE, np.uint8)
_MULTIPLIER: Final = _U(MULTIPLIER)
_INCREMENT: Final = _U(INCREMENT)
_COLORS: Final = np.array(COLORS, np.uint8)
_ZERO_STATE: Final = _U(ZERO_STATE)
_SET_ADDED: Final = _U(SET_STACK + 4)
_POOL_STACK: Final = _U(POOL_STACK)


@compiled
def tsu_pools(states: Any, begun: Any, pools: Any) -> None:
    """The pools of ``ochibot.puyo.pairs.tsu.tsu``. states: n uint32. pools: (n, 768) uint8, of 3, 4 and 5 colours.

    begun: whether the states are those after the shuffle of the colour set, which then keeps its initial order.
    """
    for number in range(len(states)):
        r = states[number]
        out = pools[number]
        # the set is shuffled in the memory where pool 5 will be
        for i in range(8):
            out[512 + i] = _COLOR_SET[i]
        for k in range(0 if begun else 5):
            mixed = _U(r + _SET_ADDED)
            r = _U(_U(_U(mixed << _U(5)) | _U(mixed >> _U(27))) + r + _U(1))
            product = _U(_U(r & _U(0xFFFF)) << _U(2))
            j = np.int64(product >> _U(16))
            out[512 + k], out[512 + j] = out[512 + j], out[512 + k]
        d0 = _U(_U(r & _U(0x3FFF)) << _U(18))
        c0, c1, c2, c3, c4 = out[512], out[513], out[514], out[515], out[516]
        for i in range(0, 256, 4):
            out[256 + i], out[257 + i], out[258 + i], out[259 + i] = c0, c1, c2, c3
        for i in range(255, -1, -1):
            mixed = _U(r + d0 + _POOL_STACK)
            r = _U(_U(_U(mixed << _U(5)) | _U(mixed >> _U(27))) + r + _U(1))
            d0 = _U(r & _U(0xFFFF00FF))
            j = np.int64(r & _U(0xFF))
            out[256 + i], out[256 + j] = out[256 + j], out[256 + i]
        d0 = _U(d0 | _U(0xFFFF))
        # the same draws shuffle both other pools: a byte holds a puyo of pool 3 (low) and one of pool 5 (high)
        third = 0
        fifth = 0
        for i in range(256):
            low = c0 if third == 0 else c1 if third == 1 else c2
            high = c0 if fifth == 0 else c1 if fifth == 1 else c2 if fifth == 2 else c3 if fifth == 3 else c4
            out[512 + i] = np.uint8(low | high << 4)
            third = third + 1 if third < 2 else 0
            fifth = fifth + 1 if fifth < 4 else 0
        for i in range(255, -1, -1):
            mixed = _U(r + d0 + _POOL_STACK)
            r = _U(_U(_U(mixed << _U(5)) | _U(mixed >> _U(27))) + r + _U(1))
            d0 = _U(r & _U(0xFFFF00FF))
            j = np.int64(r & _U(0xFF))
            out[512 + i], out[512 + j] = out[512 + j], out[512 + i]
        for i in range(256):
            out[i] = out[512 + i] & 15
            out[512 + i] >>= 4
        for i in range(4):
            out[256 + i] = out[i]
            out[512 + i] = out[i]
            out[516 + i] = out[260 + i]


@compiled
def modern_pools(seeds: Any, pools: Any) -> None:
    """The pools of ``ochibot.puyo.pairs.modern.modern``. seeds: n uint32. pools: (n, 768) uint8, of 3, 4, 5 colours."""
    for number in range(len(seeds)):
        s = seeds[number]
        out = pools[number]
        # the palette is made in the memory of pool 3; the colours still to be chosen lie after it
        for i in range(5):
            out[5 + i] = _PALETTE[i]
        for i in range(5):
            s = _U(s * _MULTIPLIER + _INCREMENT)
            j = np.int64(_U(s >> _U(16)) * _U(5 - i) >> _U(16))
            out[i] = out[5 + j]
            for k in range(j, 4 - i):
                out[5 + k] = out[6 + k]
        c0, c1, c2, c3, c4 = out[0], out[1], out[2], out[3], out[4]
        for colors in range(3, 6):
            begin = 256 * (colors - 3)
            turn = 0
            for i in range(256):
                code = c0 if turn == 0 else c1 if turn == 1 else c2 if turn == 2 else c3 if turn == 3 else c4
                out[begin + i] = code
                turn = turn + 1 if turn + 1 < colors else 0
            for power in range(4, 7):
                length = 1 << power
                for row in range(begin, begin + 256 - length, length):
                    for _ in range(length // 2):
                        s = _U(s * _MULTIPLIER + _INCREMENT)
                        a = row + np.int64(_U(s >> _U(16)) * _U(length) >> _U(16))
                        s = _U(s * _MULTIPLIER + _INCREMENT)
                        b = row + length + np.int64(_U(s >> _U(16)) * _U(length) >> _U(16))
                        out[a], out[b] = out[b], out[a]
        for i in range(4):
            out[256 + i] = out[i]
            out[512 + i] = out[i]


@compiled
def puyo1_pools(states: Any, colors: Any, pools: Any) -> None:
    """The pools of ``ochibot.puyo.pairs.puyo1.puyo1``. states: n uint32. pools: (n, 512) uint8, player 1's first."""
    for number in range(len(states)):
        s = states[number]
        if s == _U(0):
            s = _ZERO_STATE
        out = pools[number]
        turn = 0
        for i in range(256):
            out[i] = _COLORS[turn]
            turn = turn + 1 if turn + 1 < colors else 0
        for i in range(255, -1, -1):
            t = _U(s * _U(41))
            s = _U(t + _U(t << _U(16)))
            j = np.int64(_U(s >> _U(16)) & _U(0xFF))
            out[i], out[j] = out[j], out[i]
        for i in range(SHARED):
            out[256 + i] = out[i]
        begin = 256 + SHARED
        turn = 0
        for i in range(begin, 512):
            out[i] = _COLORS[turn]
            turn = turn + 1 if turn + 1 < SECOND_COLORS else 0
        for i in range(511, begin - 1, -1):
            t = _U(s * _U(41))
            s = _U(t + _U(t << _U(16)))
            j = np.int64(begin) + np.int64(_U(_U(s >> _U(16)) * _U(256 - SHARED)) >> _U(16))
            out[i], out[j] = out[j], out[i]
