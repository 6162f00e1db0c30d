"""The phases of a seat, and how RAM tells them."""

from __future__ import annotations

from enum import IntEnum
from random import Random
from typing import Any

from tests.strangers.maker.memory import Memory
from tests.strangers.maker.spec import Spec


class Phase(IntEnum):
    """What a seat does now."""

    IDLE = 0
    SPAWN = 1
    ANNOUNCE = 2
    CONTROL = 3
    BOUNCE = 4
    LOCK = 5
    FALL = 6
    POP = 7
    GARBAGE = 8
    OVER = 9


COARSE = {Phase.ANNOUNCE: 2, Phase.CONTROL: 2, Phase.SPAWN: 2, Phase.BOUNCE: 3, Phase.LOCK: 3, Phase.FALL: 3}


class PhaseByte:
    """The phase of a seat. ``at`` is the byte that the game goes by, ``codes`` are its values by phase."""

    def __init__(self, memory: Memory, spec: Spec, rng: Random) -> None:
        self._mem, self._memory, self.form = memory.bytes, memory, spec.phase
        count = len(Phase)
        self._high = -1
        self._shown = -1
        if spec.phase in ("timer", "coarse"):
            self.at = memory.take(1, "hidden")
            self.codes = list(range(count))
            if spec.phase == "coarse":
                self._shown = memory.take()
                self._coarse = [COARSE.get(phase, int(phase)) * 3 for phase in Phase]
            return
        if spec.phase == "pointer":
            self.at = memory.take(2)
            self._high = self.at + 1
            lows = sorted(rng.sample(range(256), count))
            self.codes = rng.sample(lows, count)
            self._page = rng.randrange(0x80, 0xFF)
        elif spec.phase == "bits":
            self.at = memory.take()
            # bit 7: in play; bit 6: the pad counts; the low bits tell what else
            rest = rng.sample(range(1, 16), count)
            flags = {Phase.CONTROL: 0xC0, Phase.IDLE: 0, Phase.OVER: 0}
            self.codes = [flags.get(phase, 0x80) | rest[phase] << 1 for phase in Phase]
        else:
            self.at = memory.take()
            room = rng.choice((range(count), range(16), range(0, 256, 4), range(256)))
            self.codes = rng.sample(list(room), count)

    def set(self, phase: Phase) -> None:
        """Enters a phase."""
        mem = self._mem
        mem[self.at] = self.codes[phase]
        if self._high >= 0:
            mem[self._high] = self._page
        elif self._shown >= 0:
            mem[self._shown] = self._coarse[phase]

    def get(self) -> Phase | None:
        """The phase that the byte says; None where it says none."""
        byte = self._mem[self.at]
        return Phase(self.codes.index(byte)) if byte in self.codes else None

    def describe(self) -> dict[str, Any]:
        """Where and how the phase lies in RAM."""
        if self.form == "timer":
            return {"form": "none"}
        if self.form == "coarse":
            codes = {phase.name.lower(): self._coarse[phase] for phase in Phase}
            return {"form": "coarse", "address": self._memory.address(self._shown), "codes": codes}
        said: dict[str, Any] = {"form": self.form, "address": self._memory.address(self.at)}
        if self._high >= 0:
            said["bytes"] = 2
            return said | {"codes": {phase.name.lower(): self.codes[phase] | self._page << 8 for phase in Phase}}
        return said | {"codes": {phase.name.lower(): self.codes[phase] for phase in Phase}}
