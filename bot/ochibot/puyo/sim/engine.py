"""The compiled kernel of self-play."""

from __future__ import annotations

from typing import Final

from ochibot.jit.library import Kernel
from ochibot.puyo.kernels.engine import RoomKernels

SELF_PLAY_KERNELS: Final = RoomKernels(
    "puyo-sim",
    "the self-play kernel",
    {
        "self_play": Kernel(
            "ochibot.puyo.sim.selfplay", "u8[::1], u8[::1], i8[::1], i8[::1], i8[::1], f8[::1], i8[::1], u8[::1]", 15
        )
    },
)
