"""The machine: runs a stranger frame by frame, with the life that RAM is full of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from tests.strangers.maker.dice import Dice
from tests.strangers.maker.flow import Flow
from tests.strangers.maker.memory import OAM, STACK, WORK, Memory
from tests.strangers.maker.picture import draw_picture
from tests.strangers.maker.seat import Seat
from tests.strangers.maker.spec import Spec


def _pads() -> list[int]:
    """The pad's byte of each mask of libretro's buttons (the low nine bits)."""
    bits = {8: 0x80, 0: 0x40, 2: 0x20, 3: 0x10, 4: 0x08, 5: 0x04, 6: 0x02, 7: 0x01}
    return [sum(byte for bit, byte in bits.items() if mask >> bit & 1) for mask in range(512)]


class Stranger:
    """A running game. ``step(first, second)`` runs a frame with a mask of libretro's buttons for each pad.

    ``memory`` is all that there is: ``save`` copies it, ``load`` puts it back.
    """

    step: Callable[..., None]

    def __init__(self, spec: Spec, reserved: Sequence[range] = ()) -> None:
        """reserved: addresses at which the game keeps nothing; with other ones it is the same game elsewhere in RAM."""
        self.spec, self._reserved = spec, reserved
        digest = hashlib.sha256(repr(spec).encode()).hexdigest()
        try:
            rng = self._build(digest, False)
        except MemoryError:
            rng = self._build(digest, True)
        memory, dice = self._memory, self.dice
        self.flow = Flow(memory, spec, dice, self.seats, rng)
        self.flow.boot()
        self.step = self._stepper()

    def _build(self, digest: str, tight: bool) -> Random:
        """Lays all but the flow into memory. Raises MemoryError when there is too little."""
        spec, rng = self.spec, Random(digest)
        memory = self._memory = Memory(rng, spec.area == "cart", spec.area == "hidden", tight, self._reserved)
        self.memory = memory.bytes
        memory.fill(Random(digest + "power"))
        memory.clock = memory.take(2)
        self._raw = memory.take(1, "hidden")
        self._music = memory.take(6)
        self._scroll = memory.take(2)
        self._clocks = [memory.take() for _ in range(spec.copies_of_clock)]
        self.dice = Dice(memory, spec)
        if spec.opponent and spec.twins:
            memory.twin(rng.choice((0, 0, 4, 16)))
        self.seats = [Seat(memory, spec, self.dice, digest + "seat", 0)]
        if spec.opponent:
            if spec.twins:
                memory.again()
            self.seats.append(Seat(memory, spec, self.dice, digest + "seat", 1))
            memory.single()
            self.seats[0].rival, self.seats[1].rival = self.seats[1], self.seats[0]
        return rng

    @property
    def areas(self) -> Memory:
        """Who has which bytes, and their addresses."""
        return self._memory

    def _stepper(self) -> Callable[..., None]:
        """The function that runs a frame; all that it needs is at hand."""
        mem, spec = self.memory, self.spec
        clock, stack, was = self._memory.clock, STACK + 8, self._raw
        seat = self.seats[0]
        held, new = seat.held, seat.new
        pads = _pads()
        poll, debounce = spec.poll, spec.debounce
        modes, mode = self.flow.table, self.flow.mode_at
        live = self._live

        def step(first: int = 0, second: int = 0, *_: int) -> None:  # noqa: ARG001
            now = mem[clock] + 1 & 255
            mem[clock] = now
            if not now & 7:
                live(now)
            mem[stack + (now & 3)] = now ^ first & 255
            if poll == 1 or not now % poll:
                raw = pads[first & 511]
                if debounce:
                    # it counts when it was the same the last time
                    raw, mem[was] = (raw if raw == mem[was] else mem[held]), raw
                before = mem[held]
                if raw != before:
                    mem[new] = raw & ~before
                    mem[held] = raw
                elif mem[new]:
                    mem[new] = 0
            elif mem[new]:
                mem[new] = 0
            modes[mem[mode]]()

        return step

    def _live(self, now: int) -> None:
        """What goes on in any game: every eighth frame."""
        mem, music = self.memory, self._music
        if not now:
            at = self._memory.clock + 1
            mem[at] = mem[at] + 1 & 255
        for number, at in enumerate(self._clocks):
            mem[at] = mem[at] + 1 + number & 255
        note = mem[music] + 1 & 63
        mem[music] = note
        if not note & 3:
            mem[music + 1] = mem[music + 1] + 3 & 255
            mem[music + 2] = 0x80 | note * 7 & 31
            mem[music + 4] = now ^ 0x5A
        mem[self._scroll] = now >> 3
        mem[OAM] = 0xF0
        mem[STACK + (now >> 3 & 7)] = mem[music + 1]

    def save(self) -> bytes:
        """All memory."""
        return bytes(self.memory)

    def load(self, state: bytes) -> None:
        """Puts all memory back. Raises ValueError when it is not of this game."""
        if len(state) != len(self.memory):
            raise ValueError(f"a state of this game has {len(self.memory)} bytes, not {len(state)}")
        self.memory[:] = state

    def reset(self) -> None:
        """The reset button: RAM keeps what lay in it."""
        self.flow.boot()

    def frame(self) -> npt.NDArray[np.uint8]:
        """A picture, (240, 256, 3) uint8, drawn now."""
        return draw_picture(self)

    @property
    def work(self) -> memoryview:
        """The 2 KiB of work RAM."""
        return memoryview(self.memory)[:WORK]
