"""How the falling piece moves: the pad, sinking, landing. All of its state is in RAM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tests.strangers.maker.board import Board
from tests.strangers.maker.hand import Hand
from tests.strangers.maker.memory import OAM, Memory
from tests.strangers.maker.place import Place
from tests.strangers.maker.rules import Kind, Rules
from tests.strangers.maker.spec import Spec

A, B, SELECT, START, UP, DOWN, LEFT, RIGHT = (1 << bit for bit in range(7, -1, -1))
"""The pad's byte as most NES games keep it."""

BUTTONS: Final = {
    "a": A,
    "b": B,
    "select": SELECT,
    "start": START,
    "up": UP,
    "down": DOWN,
    "left": LEFT,
    "right": RIGHT,
}


def _unpaid(rows: int) -> None:
    """Before the seat says what soft drop is worth."""


class Motion:
    """The falling piece of one seat."""

    def __init__(self, memory: Memory, spec: Spec, rules: Rules, board: Board, hand: Hand, seat: int) -> None:
        self._mem, self._spec, self._rules, self.board, self.hand = memory.bytes, spec, rules, board, hand
        self.place = Place(memory, spec, board.store, hand.turn if hand.by_codes else None)
        self._pixels = self.place.steps if spec.sub == "pixels" else 0
        self._tick = memory.take() if self._pixels else self.place.sunk_at
        self._repeat = memory.take()
        self._rest = memory.take()
        self.speed = memory.take()
        """The frames that a row takes now."""
        self._fresh = memory.take() if spec.fresh_down else -1
        self._angle = memory.take() if spec.angle else -1
        self._tested = memory.take(2) if spec.tested else -1
        self._oam = OAM + 16 + 32 * seat
        self._tile = seat * 0x20 + 0x40
        self._ways = self._keys()
        self._drop = BUTTONS[spec.drop] if spec.drop else 0
        self._known: dict[tuple[Kind, int], tuple[tuple[int, int, int], ...]] = {}
        self.control = self._controller()
        self.paid: Callable[[int], None] = _unpaid
        """Called with the rows of soft drop."""

    def _keys(self) -> dict[int, int]:
        """By button: how far it turns."""
        spec = self._spec
        way = 1 if spec.clockwise else -1
        if spec.turns == "both":
            return {A: way, B: -way}
        if spec.turns == "one":
            return {A: way, B: way}
        return {BUTTONS[spec.turns]: way}

    def fits(self, kind: Kind, column: int, row: int, turn: int) -> bool:
        """Whether the piece may be there."""
        width, height, top = self.board.width, self.board.height, -self._spec.ceiling
        solid = self.board.solid
        first = True
        for dx, dy in self._rules.shape(kind, turn):
            x, y = column + dx, row + dy
            if not 0 <= x < width or y >= height or y < top:
                return False
            if y < 0:
                if first and self._spec.rules == "pairs":
                    return False
            elif solid(x, y):
                return False
            first = False
        return True

    def cells(self, kind: Kind, column: int, row: int, turn: int) -> list[tuple[int, int, int]]:
        """Column, row and value of the piece's cells."""
        known = self._known.get((kind, turn))
        if known is None:
            shape, values = self._rules.shape(kind, turn), self._rules.values(kind, turn)
            known = tuple((dx, dy, value) for (dx, dy), value in zip(shape, values, strict=True))
            if len(self._known) < 5000:
                self._known[kind, turn] = known
        return [(column + dx, row + dy, value) for dx, dy, value in known]

    def lift(self) -> None:
        """Takes the piece out of the field, where it is written into it."""
        if self._spec.inside:
            self._stamp(False)

    def _stamp(self, there: bool) -> None:
        column, row, turn = self.place.load()
        for x, y, value in self.cells(self.hand.get(), column, row, turn):
            if 0 <= y < self.board.height and 0 <= x < self.board.width:
                self.board.put(x, y, value if there else 0, False)

    def enter(self, kind: Kind) -> bool:
        """A new piece at the top; False when it doesn't fit."""
        spec = self._spec
        column, row, turn = spec.spawn
        self.hand.set(kind, turn)
        late = spec.late_place and spec.announce > 0
        if not late:
            self.place.store(column, row, turn, max(0, self._pixels - 1))
        if self._fresh >= 0:
            self._mem[self._fresh] = 0
        self._mem[self._rest] = 0
        self._mem[self._repeat] = spec.repeat_after
        self._reload()
        fits = self.fits(kind, column, row, turn)
        if not late:
            if spec.inside and fits:
                self._stamp(True)
            self._sprites()
        return fits

    def appear(self) -> None:
        """The piece begins to answer. In some games it gets its place only now."""
        spec = self._spec
        if spec.late_place:
            self.place.store(*spec.spawn, max(0, self._pixels - 1))
            if spec.inside:
                self._stamp(True)
            self._sprites()

    def _reload(self) -> None:
        mem, spec = self._mem, self._spec
        if spec.sub == "fraction":
            mem[self.place.sunk_at] = 0
        else:
            mem[self._tick] = max(1, mem[self.speed] // (self._pixels or 1))

    def _controller(self) -> Callable[[int, int], bool]:
        """The function for a frame in which the pad counts: True when the piece has landed for good."""
        mem, spec = self._mem, self._spec
        tick, repeat, soft = self._tick, self._repeat, spec.soft or 1
        fraction, every, drop = spec.sub == "fraction", spec.repeat_every, self._drop
        fresh, angle, turn = self._fresh, self._angle, self.place.turn

        def control(held: int, new: int) -> bool:
            if new:
                if new & drop:
                    self._fall_at_once()
                    return True
                self._press(new)
            elif every and held & 3:
                left = mem[repeat]
                if left > 1:
                    mem[repeat] = left - 1
                else:
                    mem[repeat] = every
                    self._move(-1 if held & LEFT else 1)
            if angle >= 0:
                # it runs after the orientation, in eight steps
                now = mem[angle]
                if now != mem[turn] << 3 & 255:
                    mem[angle] = now + (1 if (mem[turn] << 3) - now & 128 == 0 else -1) & 255
            if fresh >= 0 and new & DOWN:
                mem[fresh] = 1
            fast = soft if held & DOWN and (fresh < 0 or mem[fresh]) else 1
            if fraction:
                sunk = mem[tick] + max(1, 256 * fast // (mem[self.speed] or 1))
                if sunk < 256:
                    mem[tick] = sunk
                    return False
                mem[tick] = sunk & 255
            else:
                left = mem[tick] - fast
                if left > 0:
                    mem[tick] = left
                    return False
                self._reload()
            return self._step(fast > 1)

        return control

    def _press(self, new: int) -> None:
        spec = self._spec
        if new & (LEFT | RIGHT):
            self._mem[self._repeat] = spec.repeat_after
            self._move(-1 if new & LEFT else 1)
        for button, by in self._ways.items():
            if new & button:
                self._turn(by)
                break
        if spec.hold and new & SELECT:
            self._hold()

    def _hold(self) -> None:
        kind = self.hand.get()
        self.lift()
        other = self.hand.swap(kind)
        if other is None:
            if self._spec.inside:
                self._stamp(True)
            return
        self.enter(other)
        self.appear()

    def _sunk(self) -> int:
        return self.place.sunk() if self._pixels else 0

    def _move(self, by: int) -> None:
        column, row, turn = self.place.load()
        kind = self.hand.get()
        self.lift()
        if self._tested >= 0:
            self._mem[self._tested], self._mem[self._tested + 1] = column + by & 255, row & 255
        if self.fits(kind, column + by, row, turn):
            self.place.store(column + by, row, turn, self._sunk())
        if self._spec.inside:
            self._stamp(True)
        self._sprites()

    def _turn(self, by: int) -> None:
        column, row, turn = self.place.load()
        kind = self.hand.get()
        after, side = self._rules.turned(kind, turn, by)
        sunk = self._sunk()
        self.lift()
        for dx, dy in self._rules.kicks(after, side):
            if self.fits(after, column + dx, row + dy, side):
                self._set(after, column + dx, row + dy, side, sunk)
                break
        else:
            over = (turn + 2) % 4
            if self._spec.quick_turn and turn in (0, 2):
                dx, dy = self._rules.shape(kind, over)[1]
                for x, y in ((column, row), (column - dx, row - dy)):
                    if self.fits(kind, x, y, over):
                        self._set(kind, x, y, over, sunk)
                        break
        if self._spec.inside:
            self._stamp(True)
        self._sprites()

    def _set(self, kind: Kind, column: int, row: int, turn: int, sunk: int) -> None:
        self.hand.set(kind, turn)
        self.place.store(column, row, turn, sunk)

    def _fall_at_once(self) -> None:
        column, row, turn = self.place.load()
        kind = self.hand.get()
        self.lift()
        while self.fits(kind, column, row + 1, turn):
            row += 1
        self.place.store(column, row, turn, max(0, self._pixels - 1))
        if self._spec.inside:
            self._stamp(True)
        self._sprites()

    def _step(self, fast: bool) -> bool:
        """A pixel or a row down. True when the piece has landed for good."""
        mem, spec = self._mem, self._spec
        if self._pixels and self.place.deeper():
            mem[self._oam] = mem[self._oam] + 1 & 255
            return False
        column, row, turn = self.place.load()
        kind = self.hand.get()
        self.lift()
        if self._tested >= 0:
            mem[self._tested], mem[self._tested + 1] = column & 255, row + 1 & 255
        if self.fits(kind, column, row + 1, turn):
            self.place.store(column, row + 1, turn, 0)
            if spec.inside:
                self._stamp(True)
            mem[self._rest] = 0
            if fast:
                self.paid(1)
            self._sprites()
            return False
        if spec.inside:
            self._stamp(True)
        if spec.grace:
            rest = min(255, mem[self._rest] + 1)
            mem[self._rest] = rest
            if rest < spec.grace:
                if spec.sub == "timer" or self._pixels:
                    mem[self._tick] = 1
                else:
                    mem[self.place.sunk_at] = 255
                return False
        return True

    def shake(self, by: int) -> None:
        """Bouncing: moves y by some pixels for the picture's sake."""
        mem = self._mem
        by = -by if self._spec.count_up else by
        for at in self.place.y:
            mem[at] = mem[at] + by & 255

    def show_next(self) -> None:
        """The sprites of what comes next."""
        mem, at = self._mem, self._oam + 16
        for kind in self.hand.coming()[:1]:
            for number, value in enumerate(self._rules.values(kind, self._spec.spawn[2])[:4]):
                mem[at], mem[at + 1] = 40 + 8 * number, self._tile + (value & 15)
                mem[at + 2], mem[at + 3] = value & 3, 208
                at += 4

    def describe(self) -> dict[str, Any]:
        """Where else RAM has something of the piece: what looks like it and isn't, and exact copies."""
        said: dict[str, Any] = {"sprites": self._oam, "next_sprites": self._oam + 16, "repeat": self._repeat}
        said["speed"] = self.speed
        for name, at in (("angle", self._angle), ("tested", self._tested), ("fresh", self._fresh)):
            if at >= 0:
                said[name] = at
        return said

    def _sprites(self) -> None:
        """The sprites follow the piece."""
        mem, at = self._mem, self._oam
        column, row, turn = self.place.load()
        kind = self.hand.get()
        for x, y, value in self.cells(kind, column, row, turn):
            mem[at], mem[at + 1] = 24 + 8 * y & 255, self._tile + (value & 15)
            mem[at + 2], mem[at + 3] = value & 3, 40 + 8 * x & 255
            at += 4
