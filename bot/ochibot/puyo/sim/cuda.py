"""Self-play on an NVIDIA GPU, one game per thread (imports numba.cuda).

Every piece is locked just as ``ochibot.puyo.sim.selfplay.self_play`` locks it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import config, cuda

from ochibot.jit.library import need_gpu
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.sim.plain.game import program
from ochibot.puyo.sim.plain.shape import BOARD, WORK, Target, shape_of

_THREADS: Final = 64
_device = cuda.jit(device=True)


@_device
def _popcount(word: Any) -> Any:
    return np.int64(cuda.popc(word))


if config.ENABLE_CUDASIM:
    # numba's simulator lacks ``libdevice``; plain operators do, as it never fuses a product and a sum into one rounding
    @_device
    def _times(a: Any, b: Any) -> Any:
        return a * b

    @_device
    def _plus(a: Any, b: Any) -> Any:
        return a + b
else:

    @_device
    def _times(a: Any, b: Any) -> Any:
        return cuda.libdevice.dmul_rn(a, b)

    @_device
    def _plus(a: Any, b: Any) -> Any:
        return cuda.libdevice.dadd_rn(a, b)


TARGET: Final = Target(_device, _popcount, _times, _plus)
"""What numba compiles for on a GPU."""
_play = program(TARGET)


@cuda.jit
def _play_all(
    boards: Any,
    random: Any,
    states: Any,
    counts: Any,
    chains: Any,
    heights: Any,
    numbers: Any,
    masks: Any,
    stacks: Any,
    factors: Any,
    table: Any,
) -> None:
    n = cuda.grid(1)
    if n < boards.shape[0]:
        work = cuda.local.array(WORK, np.uint64)
        _play(
            boards[n],
            random[n],
            states[n],
            counts[n],
            chains[n],
            heights[n],
            numbers,
            masks,
            stacks,
            factors,
            table,
            work,
        )


class Games:
    """Games that are played at the same time on a GPU, each from an empty field.

    The arrays are those of ``ochibot.puyo.sim.selfplay.self_play`` with one row for each game; ``random`` holds each
    dealer's ``words``. The constructor copies them to the GPU, and only ``finish`` writes to them.
    """

    def __init__(
        self,
        random: npt.NDArray[np.uint64],
        states: npt.NDArray[np.int64],
        counts: npt.NDArray[np.int64],
        chains: npt.NDArray[np.int64],
        heights: npt.NDArray[np.int64],
        factors: npt.NDArray[np.float64],
        rules: Rules,
    ) -> None:
        """Raises UsageError where there is no GPU."""
        need_gpu()
        self._host = random, states, counts, chains, heights
        self._states = states.copy()
        boards = np.zeros((len(states), BOARD), np.uint64)
        self._arrays = [cuda.to_device(np.ascontiguousarray(array)) for array in (boards, *self._host)]
        constants = (*shape_of(rules), factors, score_table(rules))
        self._constants = [cuda.to_device(np.ascontiguousarray(array)) for array in constants]

    def play(self, pieces: npt.NDArray[np.int64]) -> None:
        """Plays ``pieces[n]`` more pieces in the n-th game."""
        device = self._arrays[2]
        states = device.copy_to_host()
        states[:, 0] = pieces
        device.copy_to_device(states)
        blocks = -(-len(states) // _THREADS)
        _play_all[blocks, min(_THREADS, len(states))](*self._arrays, *self._constants)
        cuda.synchronize()

    def finish(self) -> None:
        """Copies the results into the arrays that the constructor was given."""
        for host, array in zip(self._host, self._arrays[1:], strict=True):
            host[...] = array.copy_to_host()
