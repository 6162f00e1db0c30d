"""The memory of the machine: 2 KiB of work RAM, cartridge RAM in some games, and registers that nobody sees.

All of it is one bytearray, so that a savestate is one copy. Places are indices in it: work RAM has its CPU addresses,
cartridge RAM follows, the registers come last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal

WORK: Final = 0x800
CART: Final = 0x2000
REGISTERS: Final = 0x100
UNSEEN: Final = 0xC00
CART_AT: Final = 0x6000
OAM: Final = 0x200
STACK: Final = 0x1E0

Where = Literal["zero", "main", "cart", "hidden"]


class Memory:
    """Bytes, and who has which of them."""

    def __init__(
        self, rng: Random, cart: bool, unseen: bool = False, tight: bool = False, reserved: Sequence[range] = ()
    ) -> None:
        """cart: whether there is cartridge RAM. unseen: whether there is room for what no core shows.
        tight: whether large things stand close together. reserved: addresses that nobody gets.
        """
        self._tight = tight
        self.cart = CART if cart else 0
        self.hidden = WORK + self.cart
        self.bytes = bytearray(self.hidden + (UNSEEN if unseen else REGISTERS))
        self._rng = rng
        self._used = bytearray(len(self.bytes))
        self._used[0:4] = b"\1" * 4
        self._used[0x1A0:0x300] = b"\1" * 0x160
        for part in reserved:
            for address in part:
                if address < WORK or cart:
                    self._used[self.place(address)] = 1
        self._spread = -1
        self._twins: list[int] = []
        self._handing: Iterator[int] | None = None
        self.clock = 0
        """The place of the frame counter; the machine takes it first."""
        self._last = {"zero": 0x10, "main": 0x300, "cart": WORK, "hidden": self.hidden}

    def fill(self, rng: Random) -> None:
        """Puts into work and cartridge RAM what a console has there at power-on: runs of equal bytes and noise."""
        at = 0
        while at < self.hidden:
            size = rng.choice((1, 4, 8, 16, 64))
            kind = rng.randrange(4)
            run = (bytes(size), b"\xff" * size, bytes([rng.randrange(256)]) * size, rng.randbytes(size))[kind]
            self.bytes[at : at + size] = run[: max(0, min(size, self.hidden - at))]
            at += size

    def twin(self, spread: int) -> None:
        """From now on each thing that is taken leaves room for the same thing of a second seat: beside it, or
        ``spread`` bytes behind it. ``again`` hands that room out in the same order.
        """
        self._spread = spread
        self._twins = []

    def again(self) -> None:
        """From now on the room that ``twin`` has left is handed out."""
        self._handing = iter(self._twins)

    def single(self) -> None:
        """From now on each thing is taken once."""
        self._spread, self._handing = -1, None

    def take(self, size: int = 1, where: Where = "zero") -> int:
        """The first of ``size`` free places in a row. Single bytes often stand beside the last ones taken."""
        if self._handing is not None:
            return next(self._handing)
        if self._spread < 0:
            return self._take(size, where)
        apart = size + self._spread if size > 16 or where != "zero" else size
        at = self._take(size + apart, where)
        self._twins.append(at + apart)
        return at

    def _take(self, size: int, where: Where) -> int:
        if where == "cart" and not self.cart:
            where = "main"
        low, high = self._area(where)
        free, starts = bytes(size), []
        at = self._used.find(free, low, high)
        while at >= 0:
            starts.append(at)
            at = self._used.find(free, at + 1, high)
        if not starts:
            if where == "zero":
                return self._take(size, "main")
            if where == "main" and self.cart:
                return self._take(size, "cart")
            raise MemoryError(f"no {size} bytes are left in {where}")
        if where == "hidden" or (self._tight and size > 16):
            at = starts[0]
        elif self._rng.random() < 0.6:
            # beside the last ones taken, sometimes with a gap
            near = self._last[where] + self._rng.choice((0, 0, 0, 1, 2))
            at = next((start for start in starts if start >= near), starts[0])
        elif size > 16:
            at = self._rng.choice((starts[0], starts[-1], starts[len(starts) // 2]))
            if size <= 256 and self._rng.random() < 0.5:
                at = next((start for start in starts if start & 255 == 0), at)
        else:
            at = self._rng.choice(starts)
        self._used[at : at + size] = b"\1" * size
        self._last[where] = at + size
        return at

    def _area(self, where: Where) -> tuple[int, int]:
        if where == "zero":
            return 4, 0x100
        if where == "main":
            return 0x100, WORK
        if where == "cart":
            return WORK, self.hidden
        return self.hidden, len(self.bytes)

    def address(self, place: int) -> int | None:
        """The CPU address of a place; None for a register that no processor sees."""
        if place < WORK:
            return place
        return CART_AT + place - WORK if place < self.hidden else None

    def place(self, address: int) -> int:
        """The place of a CPU address."""
        return address if address < CART_AT else WORK + address - CART_AT
