"""What a rig does, for naive games that are played frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


class Frames:
    """A game in place of a rig. A subclass says ``step``, ``save`` and ``load``, and keeps its RAM in ``ram`` or says
    ``snap`` and ``poke``.
    """

    ram: Any

    def save(self) -> Any:
        raise NotImplementedError

    def load(self, state: Any) -> None:
        raise NotImplementedError

    def step(self, pad: int = 0) -> None:
        raise NotImplementedError

    def snap(self) -> Any:
        return self.ram.copy()

    def peek(self, offset: int) -> int:
        return int(self.snap()[offset])

    def poke(self, pokes: Mapping[int, int]) -> None:
        for place, value in pokes.items():
            self.ram[place] = value & 255

    def run(self, pads: Sequence[int]) -> None:
        for pad in pads:
            self.step(pad)

    def trace(self, pads: Sequence[int]) -> Any:
        seen = []
        for pad in pads:
            self.step(pad)
            seen.append(self.snap())
        return np.array(seen).reshape(len(seen), len(self.snap()))

    def branch(self, state: Any, pads: Sequence[int], pokes: Mapping[int, int] | None = None) -> Any:
        self.load(state)
        self.poke(pokes or {})
        return self.trace(pads)

    def after(self, state: Any, pads: Sequence[int], pokes: Mapping[int, int] | None = None) -> Any:
        self.load(state)
        self.poke(pokes or {})
        self.run(pads)
        return self.snap()
