"""Finds which of many states fit the first pairs seen, without making their pools (imports numba).

A pool is ``colours[i mod n]`` shuffled by exchanges: for i from the last place down to 0, places i and j(i) are
exchanged. So the puyo that ends up in a place is found by following the place backwards: from i = 0 up, a puyo in place
i came from j(i), and one in place j(i) came from i. If the puyo began in place q, its colour is number q mod n of the
game's colours. Which colour that is doesn't matter: an observation doesn't tell what its letters stand for.

    place 4 after all exchanges      i = 0, 1, 2, 3: j is not 4     it stays 4
                                     i = 4: j = 200                 it was 200
                                     i = 9: j = 200                 it was 9
                                     i = 10 .. 255: j is never 9    it began in 9

Drawing and following are both done for LANES states at once, in loops that LLVM vectorises: the draws are 32-bit
numbers, the places are bytes. The colour numbers of a few places form a key. A table holds, for each key, the
observations that a state with this key may fit.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.bytelanes import BYTES, all_bytes, exchanged, load_bytes, store_bytes
from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.pairs.puyo1 import SHARED, ZERO_STATE
from ochibot.puyo.pairs.tsu import POOL, POOL_STACK, SET_STACK

_U: Final = np.uint32
LANES: Final = 256
"""How many states are processed together. With so many, the fixed cost of each loop doesn't matter."""

SET_DRAWS: Final = 5
"""Tsu makes this many draws for the colour set, before the pools."""

_SET_ADDED: Final = _U(SET_STACK + 4)
_POOL_STACK: Final = _U(POOL_STACK)
_ZERO_STATE: Final = _U(ZERO_STATE)
_SECOND: Final = POOL - SHARED
_FACTOR: Final = _U(41 * 0x10001 & 0xFFFFFFFF)
"""The step of Puyo Puyo 1's generator as one factor. With t = 41 s, the new state has t's low half as its low half, and
the sum of t's halves as its high half. That is t + (t << 16)."""


@inlined
def _turned(mixed: Any, r: Any) -> Any:
    """The next state of Tsu's generator. r: the state. mixed: its sum with the game's register and stack pointer."""
    return _U(_U(_U(mixed << _U(5)) | _U(mixed >> _U(27))) + r + _U(1))


@inlined
def _sift(
    values: Any, cells: Any, table: Any, draws: Any, place: Any, key: Any, states: Any, masks: Any, n: Any
) -> Any:
    """Follows each cell's place backwards, and appends the values whose key is in the table. Returns the new number of
    values found.

    values: the values from which the draws were made, at most LANES.
    """
    for lane in range(LANES):
        key[lane] = _U(0)
    for cell in range(len(cells)):
        row = cells[cell]
        offset, length = row[0] * POOL * LANES, row[1]
        # LANES places are four vectors
        a = b = c = d = all_bytes(np.uint8(row[2]))
        for i in range(length):
            here, at = all_bytes(np.uint8(i)), offset + i * LANES
            a = exchanged(a, here, load_bytes(draws, at))
            b = exchanged(b, here, load_bytes(draws, at + BYTES))
            c = exchanged(c, here, load_bytes(draws, at + 2 * BYTES))
            d = exchanged(d, here, load_bytes(draws, at + 3 * BYTES))
        store_bytes(place, 0, a)
        store_bytes(place, BYTES, b)
        store_bytes(place, 2 * BYTES, c)
        store_bytes(place, 3 * BYTES, d)
        modulus, scale = _U(row[3]), _U(row[4])
        reciprocal = _U((65535 + row[3]) // row[3])  # for a division by multiplying, exact for places below 256
        for lane in range(LANES):
            origin = _U(place[lane])
            number = _U(origin - _U(modulus * _U(_U(origin * reciprocal) >> _U(16))))
            key[lane] += _U(number * scale)
    for lane in range(len(values)):
        mask = table[key[lane]]
        if mask != np.uint64(0):
            states[n] = values[lane]
            masks[n] = mask
            n += 1
    return n


@inlined
def _shuffle_set(r: Any) -> None:
    """Advances LANES states by the five draws for the colour set."""
    for _ in range(SET_DRAWS):
        for lane in range(LANES):
            s = r[lane]
            r[lane] = _turned(_U(s + _SET_ADDED), s)


@compiled
def tsu_sieve(
    values: Any,
    begun: Any,
    both: Any,
    cells: Any,
    table: Any,
    r: Any,
    draws: Any,
    place: Any,
    key: Any,
    states: Any,
    masks: Any,
    found: Any,
) -> None:
    """Passes on the states whose keys have observations in the table.

    values: uint32, the states. begun: whether the draws for the colour set have been made already. both: whether the
    second shuffle is needed (for the 3- and 5-colour pools). cells: (K, 5) int64, for each place followed: its shuffle
    (0, 1), the shuffle's length, the place, the pool's number of colours, the factor in the key. table: uint64, the
    observations, as bits, by key. Scratch: r and key LANES uint32, place LANES uint8, draws 2 * 256 * LANES uint8. Out:
    states and masks, as long as values; found[0] says how many entries are used.
    """
    n = 0
    for done in range(0, len(values), LANES):
        here = values[done : min(done + LANES, len(values))]
        for lane in range(len(here)):
            r[lane] = here[lane]
        if not begun:
            _shuffle_set(r)
        # the first draw for a pool depends on the last one for the colour set
        row = draws[(POOL - 1) * LANES : POOL * LANES]
        for lane in range(LANES):
            s = r[lane]
            s = _turned(_U(s + _POOL_STACK + _U(_U(s & _U(0x3FFF)) << _U(18))), s)
            r[lane] = s
            row[lane] = np.uint8(s)
        for i in range(POOL - 2, -1, -1):
            row = draws[i * LANES : (i + 1) * LANES]
            for lane in range(LANES):
                s = r[lane]
                s = _turned(_U(s + _POOL_STACK + _U(s & _U(0xFFFF00FF))), s)
                r[lane] = s
                row[lane] = np.uint8(s)
        if both:
            row = draws[(2 * POOL - 1) * LANES : 2 * POOL * LANES]
            for lane in range(LANES):
                s = r[lane]
                s = _turned(_U(s + _POOL_STACK + _U(_U(s & _U(0xFFFF0000)) | _U(0xFFFF))), s)
                r[lane] = s
                row[lane] = np.uint8(s)
            for i in range(2 * POOL - 2, POOL - 1, -1):
                row = draws[i * LANES : (i + 1) * LANES]
                for lane in range(LANES):
                    s = r[lane]
                    s = _turned(_U(s + _POOL_STACK + _U(s & _U(0xFFFF00FF))), s)
                    r[lane] = s
                    row[lane] = np.uint8(s)
        n = _sift(here, cells, table, draws, place, key, states, masks, n)
    found[0] = n


@compiled
def puyo1_sieve(
    values: Any,
    begun: Any,  # noqa: ARG001
    both: Any,
    cells: Any,
    table: Any,
    r: Any,
    draws: Any,
    place: Any,
    key: Any,
    states: Any,
    masks: Any,
    found: Any,
) -> None:
    """``tsu_sieve`` for Puyo Puyo 1. both: whether player 2's own pool is needed (its places count from 0)."""
    n = 0
    for done in range(0, len(values), LANES):
        here = values[done : min(done + LANES, len(values))]
        for lane in range(len(here)):
            r[lane] = _ZERO_STATE if here[lane] == _U(0) else here[lane]
        for i in range(POOL - 1, -1, -1):
            row = draws[i * LANES : (i + 1) * LANES]
            for lane in range(LANES):
                s = _U(r[lane] * _FACTOR)
                r[lane] = s
                row[lane] = np.uint8(s >> _U(16))
        if both:
            for i in range(_SECOND - 1, -1, -1):
                row = draws[(POOL + i) * LANES : (POOL + i + 1) * LANES]
                for lane in range(LANES):
                    s = _U(r[lane] * _FACTOR)
                    r[lane] = s
                    row[lane] = np.uint8(_U(_U(s >> _U(16)) * _U(_SECOND)) >> _U(16))
        n = _sift(here, cells, table, draws, place, key, states, masks, n)
    found[0] = n


@compiled
def fitting(pools: Any, first: Any, places: Any, names: Any, ends: Any, masks: Any) -> None:
    """Clears in ``masks`` the bits of the observations that each pool contradicts.

    pools: (n, m) uint8. first: where in a row the pool begins. places, names: int64, the place and the name's index of
    each puyo seen, one observation after another. ends: int64, where each observation ends in these arrays. masks: n
    uint64, a bit for each observation.
    """
    for number in range(len(pools)):
        pool = pools[number]
        left = masks[number]
        begin = 0
        for observation in range(len(ends)):
            bit = np.uint64(1) << np.uint64(observation)
            if left & bit:
                # four bits per entry: ``name_of`` by colour code, ``code_of`` by name; 15 means none
                name_of, code_of = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(0xFFFFFFFFFFFFFFFF)
                for k in range(begin, ends[observation]):
                    code, name = np.uint64(pool[first + places[k]]), np.uint64(names[k])
                    at_code, at_name = np.uint64(code << np.uint64(2)), np.uint64(name << np.uint64(2))
                    known_name = (name_of >> at_code) & np.uint64(15)
                    known_code = (code_of >> at_name) & np.uint64(15)
                    if known_name == np.uint64(15) and known_code == np.uint64(15):
                        name_of ^= (name ^ np.uint64(15)) << at_code
                        code_of ^= (code ^ np.uint64(15)) << at_name
                    elif known_name != name:  # the colour code has another name already, or the name another code
                        left &= ~bit
                        break
            begin = ends[observation]
        masks[number] = left
