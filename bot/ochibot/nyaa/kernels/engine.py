"""The compiled ignition of Pochi & Nyaa: which kernels there are, and the values of many grids at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.jit.library import Kernel, KernelLibrary
from ochibot.nyaa.kernels.packed import boards_of
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.profile import Ruleset

_MODULE: Final = "ochibot.nyaa.kernels.ignite"
_KERNELS: Final = {
    "resolve_boards": Kernel(_MODULE, "u8[:,::1], b1, u8[::1], i8[:,::1]", 3),
    "value_boards": Kernel(_MODULE, "u8[:,::1], b1, u8[::1], i8[:,::1]", 3),
    "repeat_resolve": Kernel(_MODULE, "u8[:,::1], b1, i8, b1, u8[::1], u8[::1], i8[::1]", 3),
}

LIBRARY: Final = KernelLibrary("nyaa", "the ignition kernels", _KERNELS)


class Values(NamedTuple):
    """What ``values`` tells of n boards: arrays of n int64, ``tied`` of bool. See
    ``ochibot.nyaa.calculator.ignition.Outcome``.

    Ties are settled by the tie rule; where ``tied`` is set there was one. popped: blocks, nuisance not included.
    t is 0 on the PS2, where it doesn't count.
    """

    attack: npt.NDArray[np.int64]
    s0: npt.NDArray[np.int64]
    s1: npt.NDArray[np.int64]
    t: npt.NDArray[np.int64]
    popped: npt.NDArray[np.int64]
    tied: npt.NDArray[np.bool_]


def values(grids: Sequence[Grid], ruleset: Ruleset) -> Values:
    """Ignites many grids with the kernel."""
    from ochibot.nyaa.kernels.ignite import RESULTS, WORK_WORDS

    results = np.zeros((len(grids), RESULTS), np.int64)
    work = np.zeros(WORK_WORDS, np.uint64)
    kernel("value_boards")(boards_of(grids), ruleset is Ruleset.MVS, work, results)
    attack, s0, s1, t, popped, tied = results.T
    return Values(attack, s0, s1, t, popped, tied.astype(np.bool_))


def kernel(name: str) -> Callable[..., Any]:
    """A compiled kernel of ``ochibot.nyaa.kernels.ignite``, by its name (see ``_KERNELS`` and
    ``KernelLibrary.load``).
    """
    return LIBRARY.load(name)
