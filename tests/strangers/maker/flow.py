"""What is around play: power-on, title, demo, menus, pause, game over, the entry of a name."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from random import Random
from typing import Any

from tests.strangers.maker.dice import Dice
from tests.strangers.maker.memory import Memory
from tests.strangers.maker.motion import DOWN, LEFT, RIGHT, SELECT, START, UP, A, B
from tests.strangers.maker.numbers import Number
from tests.strangers.maker.phases import Phase
from tests.strangers.maker.seat import Seat
from tests.strangers.maker.spec import Spec


class Mode(IntEnum):
    """Where one is in the game."""

    BOOT = 0
    TITLE = 1
    DEMO = 2
    MENU = 3
    OPTIONS = 4
    READY = 5
    PLAY = 6
    PAUSED = 7
    OVER = 8
    ENTRY = 9


DEMO_AFTER = 240
DEMO_FRAMES = 1200
ROWS = 3
"""The rows of a menu."""


class Flow:
    """The modes of a game. ``tick`` runs a frame."""

    def __init__(self, memory: Memory, spec: Spec, dice: Dice, seats: list[Seat], rng: Random) -> None:
        mem = self._mem = memory.bytes
        self._memory, self.spec, self._dice, self._seats = memory, spec, dice, seats
        self.mode_at = at = memory.take()
        codes = rng.sample(range(rng.choice((10, 16, 256))), 10)
        self.codes = codes
        self._timer = memory.take(2)
        self.cursor = memory.take()
        self.option = memory.take()
        self._stars = memory.take(16, "main")
        self._auto = memory.take(3)
        self._time = memory.take(5) if spec.play_clock else -1
        self._letters = memory.take(4)
        self.high = Number(memory, spec.score) if spec.high else None
        self.high_at_first = 1000 * spec.score.unit
        for seat in seats[:1]:
            seat.high = self._high
            if spec.menu != "none" and spec.faster:
                seat.choose_level(self.option)
        self._from = self._start_row()
        table: list[Callable[[], None]] = [lambda: None] * 256
        for mode, run in {
            Mode.BOOT: self._boot,
            Mode.TITLE: self._title,
            Mode.DEMO: self._demo,
            Mode.MENU: self._menu,
            Mode.OPTIONS: self._options,
            Mode.READY: self._ready,
            Mode.PLAY: self._play(),
            Mode.PAUSED: self._paused,
            Mode.OVER: self._over,
            Mode.ENTRY: self._entry,
        }.items():
            table[codes[mode]] = run
        self.table = table
        self.tick: Callable[[], None] = lambda: table[mem[at]]()

    def _start_row(self) -> int:
        return self.spec.seed % 3 if self.spec.menu == "cursor" else 0

    @property
    def mode(self) -> Mode | None:
        """The mode that RAM says; None where it says none."""
        byte = self._mem[self.mode_at]
        return Mode(self.codes.index(byte)) if byte in self.codes else None

    def set(self, mode: Mode) -> None:
        """Enters a mode."""
        self._mem[self.mode_at] = self.codes[mode]
        self._wait(0)

    def _wait(self, frames: int) -> None:
        self._mem[self._timer], self._mem[self._timer + 1] = frames & 255, frames >> 8

    def _count(self) -> int:
        """One more frame in this mode."""
        mem, at = self._mem, self._timer
        low = mem[at] + 1 & 255
        mem[at] = low
        if not low:
            mem[at + 1] = mem[at + 1] + 1 & 255
        return low | mem[at + 1] << 8

    def boot(self) -> None:
        """Power-on and reset: what lay in RAM stays, but for what a game clears first."""
        for seat in self._seats:
            seat.phase.set(Phase.IDLE)
            self._mem[seat.held] = self._mem[seat.new] = 0
        self._dice.begin()
        self.set(Mode.BOOT)

    def _boot(self) -> None:
        if self._count() >= self.spec.boot:
            if self.high is not None:
                self.high.set(self.high_at_first)
            self._mem[self._letters : self._letters + 4] = b"AAA\0"
            self._mem[self.option] = 0
            self.set(Mode.TITLE)

    def _high(self, points: int) -> None:
        if self.high is not None and points > self.high.get():
            self.high.set(points)

    def _stir(self) -> None:
        if self.spec.stir == "menu":
            self._dice.stir()

    def _title(self) -> None:
        self._stir()
        mem, spec = self._mem, self.spec
        count = self._count()
        if spec.decor and not count & 3:
            # things fall over the title, and look like a piece
            at = self._stars
            for star in range(0, 16, 4):
                mem[at + star] = mem[at + star] + 1 + (star >> 2) & 255
                mem[at + star + 3] = 40 + star * 9 & 255
        if mem[self._seats[0].new] & START:
            mem[self.cursor] = 0
            mem[self._letters + 3] = 1
            if spec.entry_first:
                self.set(Mode.ENTRY)
            else:
                self._on()
        elif spec.demo and count >= DEMO_AFTER:
            for seat in self._seats:
                seat.begin()
            self.set(Mode.DEMO)

    def _on(self) -> None:
        """From the title, or the name that is asked for first, to the menu or to play."""
        self._mem[self.cursor] = self._from if self.spec.menu == "cursor" else 0
        self.set(Mode.MENU if self.spec.menu != "none" else Mode.READY)

    def _demo(self) -> None:
        seat = self._seats[0]
        mem = self._mem
        if mem[seat.new] & START or self._count() >= DEMO_FRAMES or seat.phase.get() is Phase.OVER:
            for one in self._seats:
                one.phase.set(Phase.IDLE)
            self.set(Mode.TITLE)
            return
        self._steer(seat)
        seat.tick()
        if len(self._seats) > 1:
            self._steer(self._seats[1])
            self._seats[1].tick()

    def _steer(self, seat: Seat) -> None:
        """Plays by itself: takes a piece where its colour is on top or where there is room; turns it now and then."""
        mem, at = self._mem, self._auto
        waited = mem[at] + 1
        if waited < 10:
            mem[at] = waited
            if mem[seat.new]:
                mem[seat.new] = 0
            return
        mem[at] = 0
        if mem[at + 1] != mem[seat.pieces]:
            mem[at + 1] = mem[seat.pieces]
            mem[at + 2] = self._target(seat)
            press = A if self._dice.next() & 1 else 0
        else:
            column = seat.motion.place.load()[0]
            press = LEFT if column > mem[at + 2] else RIGHT if column < mem[at + 2] else DOWN
            if mem[seat.held] == press and press != DOWN:
                press = 0
        mem[seat.new] = press & ~mem[seat.held] & 255
        mem[seat.held] = press

    def _target(self, seat: Seat) -> int:
        width, cells, best = self.spec.width, seat.board.read(), (-1, 0)
        want, start = seat.hand.get()[0], self._dice.next() % width
        for offset in range(width):
            column = (start + offset) % width
            line = cells[column::width]
            top = next((row for row, value in enumerate(line) if value), len(line))
            alike = top < len(line) and line[top] & 15 == want
            worth = top + 4 * alike if top > 3 else top
            if worth > best[0]:
                best = worth, column
        return best[1]

    def _menu(self) -> None:
        self._stir()
        mem, spec = self._mem, self.spec
        new = mem[self._seats[0].new]
        if not new:
            return
        rows = ROWS
        if spec.menu == "select":
            if new & SELECT:
                mem[self.cursor] = (mem[self.cursor] + 1) % rows
        elif new & (UP | DOWN):
            mem[self.cursor] = (mem[self.cursor] + (1 if new & DOWN else rows - 1)) % rows
        if new & B and spec.menu != "select":
            self.set(Mode.TITLE)
        elif new & (START | A):
            row = mem[self.cursor] % rows
            if row == 0:
                self.set(Mode.READY)
            elif row == 1:
                self.set(Mode.OPTIONS)
            elif spec.menu == "options":
                mem[self.option] = (mem[self.option] + 1) % 3

    def _options(self) -> None:
        self._stir()
        mem = self._mem
        new = mem[self._seats[0].new]
        if new & LEFT and mem[self.option]:
            mem[self.option] -= 1
        elif new & RIGHT and mem[self.option] < 4:
            mem[self.option] += 1
        elif new & B or (new & START and self.spec.menu != "options"):
            self.set(Mode.MENU)

    def _ready(self) -> None:
        if self._count() >= self.spec.ready:
            if self._time >= 0:
                self._mem[self._time : self._time + 5] = bytes(5)
            for seat in self._seats:
                seat.begin()
            self.set(Mode.PLAY)

    def _play(self) -> Callable[[], None]:
        """The function for a frame of play."""
        mem, seat = self._mem, self._seats[0]
        new, over = seat.new, seat.phase.codes[Phase.OVER]
        phase = seat.phase.at
        stop = {"start": START, "select": SELECT, "nothing": 0}[self.spec.pause]
        seconds = self._seconds if self.spec.play_clock else None
        stir = self._dice.stir if self.spec.stir == "always" else None
        tick = seat.tick
        rival = self._seats[1] if len(self._seats) > 1 else None

        rival_phase, rival_over = (rival.phase.at, rival.phase.codes[Phase.OVER]) if rival else (0, 0)

        def play() -> None:
            if mem[new] & stop:
                self.set(Mode.PAUSED)
                return
            tick()
            if stir is not None:
                stir()
            if seconds is not None:
                seconds()
            if rival is not None:
                self._steer(rival)
                rival.tick()
                if mem[rival_phase] == rival_over:
                    rival.begin()
            if mem[phase] == over:
                self.set(Mode.OVER)

        return play

    def _seconds(self) -> None:
        """Minutes and seconds of play, in digits."""
        mem, at = self._mem, self._time
        frames = mem[at] + 1
        if frames < 60:
            mem[at] = frames
            return
        mem[at] = 0
        for digit, most in ((4, 10), (3, 6), (2, 10), (1, 10)):
            more = mem[at + digit] + 1
            mem[at + digit] = more % most
            if more < most:
                break

    def _paused(self) -> None:
        stop = {"start": START, "select": SELECT, "nothing": 0}[self.spec.pause]
        if self._mem[self._seats[0].new] & stop:
            self.set(Mode.PLAY)

    def _over(self) -> None:
        count = self._count()
        if self.spec.curtain:
            self._seats[0].curtain(count - 1)
        pressed = self._mem[self._seats[0].new] & (START | A)
        if count >= self.spec.over and (pressed or (self.spec.over_by_itself and count >= self.spec.over + 240)):
            self._seats[0].phase.set(Phase.IDLE)
            self._mem[self.cursor] = self._mem[self._letters + 3] = 0
            self.set(Mode.ENTRY if self.spec.entry else Mode.TITLE)

    def _entry(self) -> None:
        mem = self._mem
        new = mem[self._seats[0].new]
        at = self._letters + mem[self.cursor] % 3
        if new & (UP | DOWN):
            mem[at] = (mem[at] - 65 + (1 if new & UP else 25)) % 26 + 65
        elif new & A:
            mem[self.cursor] = mem[self.cursor] + 1 & 255
        if new & START or mem[self.cursor] >= 3:
            mem[self.cursor] = 0
            if mem[self._letters + 3]:
                self._on()
            else:
                self.set(Mode.TITLE)

    def describe(self) -> dict[str, Any]:
        """Where and how the modes lie in RAM."""
        address = self._memory.address
        said: dict[str, Any] = {
            "mode": {
                "address": address(self.mode_at),
                "codes": {mode.name.lower(): self.codes[mode] for mode in Mode},
            },
            "cursor": {"address": address(self.cursor)},
        }
        if self.high is not None:
            said["high_score"] = self.high.describe()
        return said
