"""Compiles and loads the kernels of self-play."""

from __future__ import annotations

from typing import Final

from ochibot.jit.library import Kernel
from ochibot.puyo.kernels.engine import RoomKernels
from ochibot.puyo.rules.field import BOARD_WORDS

STATE_NUMBERS: Final = 15
"""Length of the array that holds a self-play's state (``ochibot.puyo.sim.selfplay.self_play``)."""

SELF_PLAY_KERNELS: Final = RoomKernels(
    "puyo-sim",
    "the self-play kernel",
    {
        "self_play": Kernel(
            "ochibot.puyo.sim.selfplay",
            "u8[::1], u8[::1], i8[::1], i8[::1], i8[::1], i8[::1], f8[::1], i8[::1], u8[::1]",
            15,
        )
    },
)

CERTAIN: Final = 1 << 32
"""The chance of a random lock is given in as many parts (``ochibot.puyo.sim.recording.record_play``)."""
RECORD_NUMBERS: Final = 10
"""Numbers that this kernel writes for a decision, beside the cells and the value."""

RECORD_KERNELS: Final = RoomKernels(
    "puyo-record",
    "the kernel that exports positions",
    {
        "record_play": Kernel(
            "ochibot.puyo.sim.recording",
            "u1[:,::1], i8[:,::1], f8[::1], f8[:,::1], u8[::1], u8[::1], i8[::1], f8[::1], i8[::1], u8[::1]",
            15,
        )
    },
)

EXCURSION_KERNELS: Final = RoomKernels(
    "puyo-excursions",
    "the kernel of the tail",
    {
        "excursions": Kernel(
            "ochibot.puyo.sim.excursions",
            "u8[:,::1], i8[::1], u8[:,::1], u8[::1], u8[::1], i8[::1], i8[::1], i8[::1], f8[::1], u8[::1]",
            15,
        )
    },
)
EXCURSION_WORDS: Final = BOARD_WORDS + 1
"""uint64 words of a moment between two pieces: the field and the next pair."""

_BATCH: Final = "i8[::1], u8[:,::1], i8[:,::1], u8[:,::1], u1[:,::1], u1[:,::1], u4[::1], u4[:,::1]"
_SEEN: Final = "u2[:,::1], u1[:,::1], u2[:,::1]"

MANY_KERNELS: Final = RoomKernels(
    "puyo-many",
    "the kernels of many games",
    {
        "begin_games": Kernel("ochibot.puyo.sim.vectors", f"i8, i8, u1[::1], {_BATCH}, {_SEEN}", 4),
        "step_games": Kernel(
            "ochibot.puyo.sim.vectors",
            f"i8, i8, i8[::1], i8[::1], i8[::1], {_BATCH.removeprefix('i8[::1], ')}, {_SEEN}, f8[::1], u1[:,::1]",
            6,
        ),
        "look_ahead": Kernel(
            "ochibot.puyo.sim.vectors",
            "i8, i8, i8[::1], i8[::1], u8[:,::1], i8[:,::1], u2[:,::1], f8[:,::1], u1[:,::1]",
            4,
        ),
        "drop_nuisance": Kernel(
            "ochibot.puyo.sim.vectors",
            f"i8, i8, i8[::1], i8[::1], u8[:,::1], i8[:,::1], u8[:,::1], u4[:,::1], {_SEEN}, u1[:,::1]",
            3,
        ),
        "find_reach": Kernel("ochibot.puyo.sim.vectors", "u8[::1], u4[:,::1]", 1),
        "random_locks": Kernel("ochibot.puyo.sim.vectors", "i8, i8, i8[:,::1], u8[:,::1], i8[::1]", 1),
    },
)
"""The kernels that play a batch of games (``ochibot.puyo.sim.many``)."""
