"""The sieve of ``ochibot.puyo.pairs.sieve`` on an NVIDIA GPU, one state per thread (imports numba.cuda).

It examines every state: a GPU is fast enough without the shortcut that ``marks`` gives a processor.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import cuda

from ochibot.jit.library import need_gpu
from ochibot.puyo.pairs.plan import SievePlan
from ochibot.puyo.pairs.puyo1 import SHARED, ZERO_STATE
from ochibot.puyo.pairs.sieve import SET_DRAWS
from ochibot.puyo.pairs.tsu import POOL, POOL_STACK, SET_STACK

BLOCK: Final = 1 << 24
"""States per launch."""

_THREADS: Final = 128
_GRID: Final = 4096
_DRAWS: Final = 2 * POOL
_U: Final = np.uint32
_SET_ADDED: Final = _U(SET_STACK + 4)
_POOL_STACK: Final = _U(POOL_STACK)
_ZERO_STATE: Final = _U(ZERO_STATE)
_SECOND: Final = POOL - SHARED
_FACTOR: Final = _U(41 * 0x10001 & 0xFFFFFFFF)


@cuda.jit(device=True)
def _sift(value: Any, draws: Any, cells: Any, table: Any, states: Any, masks: Any, found: Any) -> None:
    """Follows each cell's place backwards, and appends the value if its key is in the table (see ``sieve``).

    The order in which threads append is not defined.
    """
    key = 0
    for cell in range(cells.shape[0]):
        offset, place = cells[cell, 0] * POOL, cells[cell, 2]
        for i in range(cells[cell, 1]):
            drawn = np.int64(draws[offset + i])
            if place == i:
                place = drawn
            elif place == drawn:
                place = i
        key += place % cells[cell, 3] * cells[cell, 4]
    mask = table[key]
    if mask != np.uint64(0):
        n = cuda.atomic.add(found, 0, 1)
        states[n] = value
        masks[n] = mask


@cuda.jit(device=True)
def _turned(mixed: Any, r: Any) -> Any:
    return _U(_U(_U(mixed << _U(5)) | _U(mixed >> _U(27))) + r + _U(1))


@cuda.jit
def _tsu(first: Any, count: Any, both: Any, cells: Any, table: Any, states: Any, masks: Any, found: Any) -> None:
    draws = cuda.local.array(_DRAWS, np.uint8)
    for number in range(cuda.grid(1), count, cuda.gridsize(1)):
        value = _U(first + _U(number))
        r = value
        for _ in range(SET_DRAWS):
            r = _turned(_U(r + _SET_ADDED), r)
        added = _U(_U(r & _U(0x3FFF)) << _U(18))
        for i in range(POOL - 1, -1, -1):
            r = _turned(_U(_U(r + _POOL_STACK) + added), r)
            added = _U(r & _U(0xFFFF00FF))
            draws[i] = np.uint8(r & _U(0xFF))
        if both:
            added = _U(added | _U(0xFFFF))
            for i in range(2 * POOL - 1, POOL - 1, -1):
                r = _turned(_U(_U(r + _POOL_STACK) + added), r)
                added = _U(r & _U(0xFFFF00FF))
                draws[i] = np.uint8(r & _U(0xFF))
        _sift(value, draws, cells, table, states, masks, found)


@cuda.jit
def _puyo1(first: Any, count: Any, both: Any, cells: Any, table: Any, states: Any, masks: Any, found: Any) -> None:
    draws = cuda.local.array(_DRAWS, np.uint8)
    for number in range(cuda.grid(1), count, cuda.gridsize(1)):
        value = _U(first + _U(number))
        s = _ZERO_STATE if value == _U(0) else value
        for i in range(POOL - 1, -1, -1):
            s = _U(s * _FACTOR)
            draws[i] = np.uint8(_U(s >> _U(16)) & _U(0xFF))
        if both:
            for i in range(_SECOND - 1, -1, -1):
                s = _U(s * _FACTOR)
                draws[POOL + i] = np.uint8(_U(_U(_U(s >> _U(16)) * _U(_SECOND)) >> _U(16)))
        _sift(value, draws, cells, table, states, masks, found)


_KERNELS: Final = {"tsu": _tsu, "puyo1": _puyo1}


class SieveDevice:
    """A GPU that examines states by a plan. Raises UsageError if there is no GPU."""

    def __init__(self, generator: str, made: SievePlan) -> None:
        need_gpu()
        self._kernel = _KERNELS[generator]
        self._both = made.both
        self._cells = cuda.to_device(np.ascontiguousarray(made.cells))
        self._table = cuda.to_device(made.table)

    def look_at(self, first: int, count: int) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
        """Checks the states ``first`` to ``first + count - 1``. Returns those whose keys are in the table, in rising
        order, and their masks.
        """
        states = cuda.device_array(count, np.uint32)
        masks = cuda.device_array(count, np.uint64)
        found = cuda.to_device(np.zeros(1, np.int64))
        blocks = max(1, min(_GRID, -(-count // _THREADS)))
        self._kernel[blocks, min(_THREADS, count)](
            _U(first), count, self._both, self._cells, self._table, states, masks, found
        )
        number = int(found.copy_to_host()[0])
        passed, their_masks = states[:number].copy_to_host(), masks[:number].copy_to_host()
        order = np.argsort(passed, kind="stable")
        return passed[order], their_masks[order]
