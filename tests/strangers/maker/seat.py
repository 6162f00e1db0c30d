"""A seat: a field, its pieces and its score, and the phases that it goes through. All of its state is in RAM."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.strangers.maker.board import Board
from tests.strangers.maker.codes import DOWN, LEFT, NUISANCE, RIGHT, SEED, UP, make_codes
from tests.strangers.maker.dice import Dice
from tests.strangers.maker.hand import Hand
from tests.strangers.maker.intruders import Intruders
from tests.strangers.maker.memory import Memory
from tests.strangers.maker.motion import Motion
from tests.strangers.maker.numbers import Number
from tests.strangers.maker.phases import Phase, PhaseByte
from tests.strangers.maker.rules import make_rules
from tests.strangers.maker.rules_more import Tetris
from tests.strangers.maker.spec import Spec


def _unnoticed(points: int) -> None:
    """Nobody keeps a high score."""


class Seat:
    """One of two seats. ``tick`` runs a frame of it; ``held`` and ``new`` are the places of its pad's bytes."""

    def __init__(self, memory: Memory, spec: Spec, dice: Dice, seed: str, number: int) -> None:
        # the codes and the form of what lies in RAM are the same for both seats
        rng = Random(seed)
        self._mem, self._memory, self.spec, self._dice = memory.bytes, memory, spec, dice
        self.rules = make_rules(spec)
        codes = make_codes(
            rng,
            self.rules.things(),
            spec.codes,
            spec.empty,
            spec.rest,
            spec.junk,
            spec.links,
            4 if spec.field.form == "nibbles" else 8,
        )
        self.phase = PhaseByte(memory, spec, rng)
        self.board = Board(memory, spec, codes, rng)
        self.hand = Hand(memory, spec, self.rules, dice, codes, rng)
        self.motion = Motion(memory, spec, self.rules, self.board, self.hand, number)
        self.held, self.new = memory.take(), memory.take()
        self._timer = memory.take()
        self._chain = memory.take()
        self.level = memory.take()
        self.pieces = memory.take(2)
        self._fallen = memory.take()
        self.intruders = Intruders(memory, self, dice)
        self.rival: Seat | None = None
        self.score = Number(memory, spec.score, "zero", rng.choice((2, -2)) if spec.beside else 0)
        self.beside = self.score.beside if spec.beside else -1
        self._gain = memory.take(2) if spec.gain else -1
        self.total = Number(memory, spec.score, "main") if spec.rolls else self.score
        self._limit = min(spec.cap or spec.score.most, spec.score.most)
        self._first_level = -1
        self.high: Callable[[int], None] = _unnoticed
        self.motion.paid = self._soft
        self.tick = self._ticks()

    def _ticks(self) -> Callable[[], None]:
        """The function that runs a frame: by the byte of the phase."""
        mem, at = self._mem, self.phase.at
        names = {
            Phase.SPAWN: self._spawn,
            Phase.ANNOUNCE: self._announce,
            Phase.CONTROL: self._controlled(),
            Phase.BOUNCE: self._bounce,
            Phase.LOCK: self._lock,
            Phase.FALL: self._fall,
            Phase.POP: self._pop,
            Phase.GARBAGE: self._garbage_falls,
        }

        def nothing() -> None:
            """Idle, over, or a byte that is no phase: the game hangs."""

        table: list[Callable[[], None]] = [nothing] * 256
        for phase, run in names.items():
            table[self.phase.codes[phase]] = run
        if self.spec.rolls or self.spec.copy == "late":
            left, score, total = self.board.left, self.score, self.total
            rolls, first, other, size = self.spec.rolls, score.at, total.at, self.spec.score.size

            def both() -> None:
                table[mem[at]]()
                if left >= 0 and mem[left]:
                    self.board.late()
                if rolls and mem[first : first + size] != mem[other : other + size]:
                    self._roll()

            return both
        return lambda: table[mem[at]]()

    def _roll(self) -> None:
        """The score that is shown runs after the true one."""
        shown, total = self.score.get(), self.total.get()
        step = self.spec.rolls * self.spec.score.unit
        self.score.set(min(total, shown + step) if shown < total else total)

    def choose_level(self, place: int) -> None:
        """Says in which byte the level is with which a game begins."""
        self._first_level = place

    def begin(self) -> None:
        """A new game."""
        mem, spec = self._mem, self.spec
        self.board.clean()
        self.hand.begin()
        mem[self.level] = mem[self._first_level] if self._first_level >= 0 else 0
        mem[self._chain] = mem[self._fallen] = 0
        self.intruders.begin()
        mem[self.pieces : self.pieces + 2] = b"\0\0"
        if self.beside >= 0:
            # a round number that never changes
            mem[self.beside : self.beside + 2] = b"\xa0\x86"
        self.score.set(0)
        self.total.set(0)
        self._speed()
        self._fill()
        mem[self._timer] = spec.announce
        self.phase.set(Phase.SPAWN)

    def _fill(self) -> None:
        """Puts into the field what is there at the start."""
        cells = self.board.read()
        self._set_up(cells)
        self.board.write(cells)
        self.board.settled()

    def _set_up(self, cells: list[int]) -> None:
        spec, width, height, dice = self.spec, self.spec.width, self.spec.height, self._dice
        if spec.begin == "empty":
            return
        wanted = max(6, width * 2)
        low = height - max(3, (height - spec.hidden) // 3)
        for _ in range(40 * wanted):
            if wanted <= 0:
                break
            column, row = dice.next() % width, low + dice.next() % (height - low)
            at = row * width + column
            if spec.begin != "seeds":
                # heaps stand on the floor
                while row + 1 < height and not cells[at + width]:
                    row, at = row + 1, at + width
            if cells[at]:
                continue
            value = 1 + dice.next() % spec.colors
            if spec.begin == "seeds":
                value = SEED + 1 + (value - 1) % min(spec.colors, 3)
            cells[at] = value
            if self.rules.find(cells) is not None or row < low:
                cells[at] = 0
                continue
            wanted -= 1

    def _speed(self) -> None:
        spec, mem = self.spec, self._mem
        mem[self.motion.speed] = max(spec.gravity_least, spec.gravity - mem[self.level] * spec.faster)

    def _soft(self, rows: int) -> None:
        if self.spec.drop_points:
            self._pay(rows * self.spec.drop_points)

    def _pay(self, points: int) -> None:
        self.total.set(min(self._limit, self.total.get() + points))
        self.high(self.total.get())

    def _spawn(self) -> None:
        mem, spec = self._mem, self.spec
        if not mem[self._fallen] and self.intruders.due(mem[self._chain] > 0):
            mem[self._timer] = 6
            self.phase.set(Phase.GARBAGE)
            return
        mem[self._fallen] = 0
        if spec.begin == "seeds" and not any(SEED < value & 15 <= SEED + 3 for value in self.board.read()):
            # all seeds are gone: the next stage
            self.board.clean()
            self._fill()
            mem[self.level] = min(20, mem[self.level] + 1)
        kind = self.hand.draw()
        count = mem[self.pieces] + 1
        mem[self.pieces] = count & 255
        if count > 255:
            mem[self.pieces + 1] = mem[self.pieces + 1] + 1 & 255
        if spec.pieces_per_level and count % spec.pieces_per_level == 0 and mem[self.level] < 20:
            mem[self.level] += 1
            self._speed()
        self.motion.show_next()
        if not self.motion.enter(kind):
            self.phase.set(Phase.OVER)
            return
        mem[self._timer] = spec.announce
        self.phase.set(Phase.ANNOUNCE if spec.announce else Phase.CONTROL)

    def _announce(self) -> None:
        left = self._mem[self._timer]
        if left > 1:
            self._mem[self._timer] = left - 1
            return
        self._mem[self._timer] = 0
        self.motion.appear()
        self.phase.set(Phase.CONTROL)

    def _controlled(self) -> Callable[[], None]:
        """The function for a frame in which the pad counts."""
        mem, held, new, control = self._mem, self.held, self.new, self.motion.control
        timer, bounce = self._timer, self.spec.bounce

        def controlled() -> None:
            if control(mem[held], mem[new]):
                if bounce:
                    mem[timer] = bounce
                    self.phase.set(Phase.BOUNCE)
                else:
                    self._land()

        return controlled

    def _bounce(self) -> None:
        mem = self._mem
        left = mem[self._timer]
        # up and down again, by as much as up
        steps = self.spec.bounce
        self.motion.shake(-1 if left > steps // 2 else 1)
        mem[self._timer] = max(0, left - 1)
        if left <= 1:
            self._land()

    def _land(self) -> None:
        mem, board, motion = self._mem, self.board, self.motion
        column, row, turn = motion.place.load()
        for x, y, value in motion.cells(self.hand.get(), column, row, turn):
            if 0 <= y < board.height and 0 <= x < board.width:
                board.put(x, y, value)
        board.changed()
        self.hand.locked()
        if self.spec.piece_points:
            self._pay(self.spec.piece_points)
        mem[self._chain] = 0
        mem[self._timer] = self.spec.lock
        self.phase.set(Phase.LOCK)

    def _lock(self) -> None:
        left = self._mem[self._timer]
        if left > 1:
            self._mem[self._timer] = left - 1
            return
        self._resolve()

    def _resolve(self) -> None:
        """What hangs falls, then what is alike clears, then the next piece comes."""
        mem, board, rules, spec = self._mem, self.board, self.rules, self.spec
        cells = board.read()
        fallen = rules.fall(cells)
        if fallen != cells:
            if spec.fall:
                mem[self._timer] = spec.fall
                self.phase.set(Phase.FALL)
                return
            board.write(fallen)
            cells = fallen
        if rules.find(cells) is None:
            self._done()
            return
        mem[self._timer] = spec.pop
        self.phase.set(Phase.POP)

    def _fall(self) -> None:
        mem = self._mem
        left = mem[self._timer]
        if left > 1:
            mem[self._timer] = left - 1
            return
        mem[self._timer] = self.spec.fall
        cells = self.board.read()
        sunk = self.rules.sink(cells)
        if sunk == cells:
            self._resolve()
            return
        self.board.write(sunk)

    def _pop(self) -> None:
        mem = self._mem
        left = mem[self._timer]
        if left > 1:
            mem[self._timer] = left - 1
            return
        cells = self.board.read()
        cleared = self.rules.find(cells)
        if cleared is None:
            # somebody has written into the field meanwhile
            self._done()
            return
        step = mem[self._chain] = min(255, mem[self._chain] + 1)
        after = self.rules.after(cells, cleared)
        points = self.rules.points(step, cleared, mem[self.level])
        bonus, own = self.rules.emptied(step, after)
        self._pay(points + bonus)
        self.intruders.send(points + (bonus if own else 0))
        if self._gain >= 0:
            mem[self._gain : self._gain + 2] = (points & 0xFFFF).to_bytes(2, "little")
        if isinstance(self.rules, Tetris):
            self.board.remove(after, self.rules.rows(cells))
        else:
            self.board.write(after)
        mem[self._timer] = 1
        self.phase.set(Phase.LOCK)

    def _done(self) -> None:
        if self.spec.links == "bits" and self.spec.rules != "capsules":
            self._link()
        self.board.settled()
        self.phase.set(Phase.SPAWN)

    def _garbage_falls(self) -> None:
        mem = self._mem
        left = mem[self._timer]
        if left > 1:
            mem[self._timer] = left - 1
            return
        self.intruders.fall()
        mem[self._fallen] = 1
        mem[self._chain] = 0
        self._resolve()

    def _link(self) -> None:
        """Cells tell which neighbours are alike."""
        width, height, cells = self.spec.width, self.spec.height, self.board.read()
        linked = []
        for at, value in enumerate(cells):
            thing, column, link = value & 15, at % width, 0
            if 0 < thing < NUISANCE and at >= self.spec.hidden * width:
                link |= UP * (at >= width and cells[at - width] & 15 == thing)
                link |= DOWN * (at < (height - 1) * width and cells[at + width] & 15 == thing)
                link |= LEFT * (column > 0 and cells[at - 1] & 15 == thing)
                link |= RIGHT * (column < width - 1 and cells[at + 1] & 15 == thing)
            linked.append(thing | link << 4)
        self.board.write(linked)

    def curtain(self, frame: int) -> None:
        """The game is over: the field fills up from the floor, a row at a time."""
        row = self.spec.height - 1 - frame // 4
        if frame % 4 == 0 and row >= 0:
            for column in range(self.spec.width):
                self.board.put(column, row, 1 + row % self.spec.colors)
            self.board.changed()

    def describe(self) -> dict[str, Any]:
        """Where and how the seat's state lies in RAM."""
        address = self._memory.address
        said: dict[str, Any] = {
            "field": self.board.describe(),
            "place": self.motion.place.describe(),
            "phase": self.phase.describe(),
            "score": self.score.describe() | {"rolls": self.spec.rolls},
            "level": {"address": address(self.level)},
            "pieces": {"address": address(self.pieces), "bytes": 2},
            "timer": {"address": address(self._timer)},
            "chain": {"address": address(self._chain)},
            "others": self.motion.describe() | ({"gain": address(self._gain)} if self._gain >= 0 else {}),
        }
        if self.intruders.pending >= 0:
            said["pending"] = {"address": address(self.intruders.pending)}
        if self.spec.rolls:
            said["score_total"] = self.total.describe()
        return said | self.hand.describe()
