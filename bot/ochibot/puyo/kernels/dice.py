"""Random numbers in kernels (imports numba)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.falling.splitmix import GAMMA, MIX_1, MIX_2
from ochibot.jit.lanes import inlined
from ochibot.puyo.kernels.bits import U

_GAMMA: Final = U(GAMMA)
_MIX_1: Final = U(MIX_1)
_MIX_2: Final = U(MIX_2)


@inlined
def rolled(random: Any, limit: Any) -> Any:
    """The next number of SplitMix64, 0 <= n < ``limit``: the high half of the generator's number, times ``limit``,
    divided by 2^32. random[0], uint64: its state.
    """
    random[0] += _GAMMA
    z = random[0]
    z = (z ^ (z >> U(30))) * _MIX_1
    z = (z ^ (z >> U(27))) * _MIX_2
    z ^= z >> U(31)
    return np.int64((z >> U(32)) * U(limit) >> U(32))
