"""The search's compiled kernels, and the array sizes and constants that they share with Python."""

from __future__ import annotations

from typing import Final

from ochibot.jit.library import Kernel
from ochibot.puyo.kernels.engine import RoomKernels
from ochibot.puyo.rules.field import BOARD_WORDS, ROWS
from ochibot.puyo.rules.profile import Rules

OVER_NOW: Final = -2e9
"""The value of a lock that ends the game. OVER_NEXT: the value if every lock of the next piece ends it."""
OVER_NEXT: Final = -1e9

FLOOD_WORDS: Final = 16
"""Words for the positions of a flood (``ochibot.puyo.search.reach``)."""
SPOT_WORDS: Final = FLOOD_WORDS + 2 * 24 + 2 * 30
"""Words of the search's array *spots*: those of a flood, then the entries of both halves of a reply
(``ochibot.puyo.search.replies``), then the notes on the colours of two boards, the field and the field after the
current piece (``ochibot.puyo.search.measure.note_colors``).
"""
MEMORY: Final = 32
"""Fields after the current piece that a search remembers, to notice when another lock leads to the same one."""
STATES: Final = 4 * 96
"""The number of states that a piece can have (``ochibot.puyo.search.ways``)."""
MOST_LOCKS: Final = 22 * ROWS
"""An upper limit of the locks on a board."""
WORK_WORDS: Final = SPOT_WORDS + (BOARD_WORDS + 1) * MEMORY
"""Words of scratch memory that a search needs (``ochibot.puyo.search.kernels.search``)."""

BEAM_BOARDS: Final = 24
"""Boards of memory that a beam (``ochibot.puyo.search.beam``) needs for each board that it keeps: 2 plus 22 locks."""

_MODULE: Final = "ochibot.puyo.search.kernels"
_WAYS: Final = "ochibot.puyo.search.ways"

SEARCH_KERNELS: Final = RoomKernels(
    "puyo-search",
    "the search kernels",
    {
        "two_ply": Kernel(_MODULE, "u8[::1], i8[::1], f8[::1], i8[::1], u8[::1], i8[::1], u8[::1]", 14),
        "measure_boards": Kernel(_MODULE, "u8[:,::1], i8[:,::1]", 0.4),
        "lock_boards": Kernel(_WAYS, "u8[:,::1], i8[::1], i8, u8[::1], i8[:,::1]", 0.4),
        "find_ways": Kernel(_WAYS, "u8[::1], i8[::1], i8, u8[::1], i8[::1], i8[::1], i8[::1]", 0.8),
    },
)

BEAM_KERNELS: Final = RoomKernels(
    "puyo-beam",
    "the search along known pairs",
    {
        "beam": Kernel(
            "ochibot.puyo.search.beam",
            "u8[::1], i8[::1], i8[:,::1], f8[::1], f8[::1], i8[::1], u8[::1], u8[::1], f8[::1], f8[::1], i8[::1], "
            "i8[::1], i8[::1], i8[::1]",
            10,
        )
    },
)
"""These kernels are separate from the others, because only clairvoyant players need them."""


def prepare(rules: Rules) -> None:
    """Loads (or compiles) what the two-ply player needs, so that its first decision is quick."""
    SEARCH_KERNELS.kernel("two_ply", rules)


def prepare_placements(rules: Rules) -> None:
    """Loads (or compiles) the kernels that find placements and paths (``ochibot.puyo.search.placements``)."""
    for name in ("lock_boards", "find_ways"):
        SEARCH_KERNELS.kernel(name, rules)
