"""A falling-pair game in Python with a console's interface, for tests of what no real core can be made to do.

It keeps its state at the addresses of ram_maps/famicom_puyo. It can misbehave: presses that act late or get lost,
other colour codes, a player in seat 2, a wrong score. It takes its rules from ``ochibot.puyo``, so it can't test them:
the cartridge in a real core does that.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from ochibot.console import NES, Button, Ram
from ochibot.puyo import Action, Field, PairState, Placement, Rules, move, place
from ochibot.puyo.rules.motion import dropped
from ochibot.puyo.rules.pair import Pair

from tests.puyo import FAMICOM

EDGES = {
    Button.A: Action.ROTATE_CW,
    Button.B: Action.ROTATE_CCW,
    Button.LEFT: Action.LEFT,
    Button.RIGHT: Action.RIGHT,
}


@dataclass
class FakeGame:
    """``lag``: frames until a press acts. ``lost``: the chance that a frame's buttons are missed. ``seat``: 1 or 2.

    ``code_of``: codes in RAM by colour (default: the colour itself). ``wrong_score_at``: the lock that scores 10 too
    many. ``drop_points``: points for each row that a pair sinks with Down held; ``lock_point``: a lock with Down held
    counts as one more row. ``later``: points for an emptied field, given with the next chain. ``dealt``: the first
    pairs.
    """

    seed: int = 1
    seat: int = 1
    colors: int = 4
    lag: int = 0
    lost: float = 0.0
    drop_frames: int = 20
    code_of: dict[int, int] = field(default_factory=dict)
    wrong_score_at: int | None = None
    rules: Rules = FAMICOM
    drop_points: int = 0
    lock_point: bool = False
    later: int = 0
    dealt: tuple[Pair, ...] = ()

    def __post_init__(self) -> None:
        self.ram = Ram(np.zeros(2048, np.uint8), NES.ram)
        self.random = random.Random(self.seed)
        self.field = Field.empty()
        self.score = 0
        self.locks = 0
        self.over = False
        self.soft_rows = 0
        self.paid = 0
        self._owes = False
        self._coming = deque(self.dealt)
        self._late: deque[Button] = deque([Button.NONE] * self.lag)
        self._held = Button.NONE
        self._delay = -1
        self._state = self.rules.spawn
        self._timer = self.drop_frames
        self._lock = 28
        self.ram[0x6F] = 0 if self.seat == 1 else 2
        self.ram[0x70], self.ram[0x701], self.ram[0x700] = 1, self.colors, 3
        self._next = self._deal()
        self._spawn()

    def _deal(self) -> Pair:
        if self._coming:
            return self._coming.popleft()
        return Pair(self.random.randint(1, self.colors), self.random.randint(1, self.colors))

    def _code(self, color: int) -> int:
        return self.code_of.get(color, color)

    def _at(self, address: int) -> int:
        return address + self.seat - 1

    def _write(self) -> None:
        ram, state = self.ram, self._state
        base = 0x303 if self.seat == 1 else 0x403
        for y, row in enumerate(self.field.cells.tolist()):
            for x, color in enumerate(row):
                ram[base + 16 * y + 2 * x] = self._code(color)
        for place_, value in (
            (0x669, state.x),
            (0x66D, state.y),
            (0x6D5, int(state.orientation)),
            (0x679, self._code(self._pair.axis)),
            (0x67D, self._code(self._pair.partner)),
        ):
            ram[self._at(place_)] = value
        following = 0x67 if self.seat == 1 else 0x69
        ram[following], ram[following + 1] = self._code(self._next.axis), self._code(self._next.partner)
        score = 0x7A if self.seat == 1 else 0x7D
        for i, byte in enumerate((self.score // 10).to_bytes(3, "little")):
            ram[score + i] = byte
        sign = int(self._delay > 0)
        if self.seat == 1:
            ram[0x4A] = sign
        ram[self._at(0x605)] = sign
        ram[self._at(0x615)] = max(self._delay, 0)
        ram[self._at(0x705)] = 5 if self.over else 1 if sign else 2
        ram[0x700] = 5 if self.over else 3

    def _spawn(self) -> None:
        self._pair, self._next = self._next, self._deal()
        self._state, self._delay, self._timer, self._lock = self.rules.spawn, 12, self.drop_frames, 28
        self._write()

    def step(self, *pads: int) -> None:
        """Runs one frame."""
        port = self.seat - 1
        pad = Button(pads[port]) if port < len(pads) else Button.NONE
        if self.random.random() < self.lost:
            pad = Button.NONE
        self._late.append(pad)
        pad = self._late.popleft()
        pressed, self._held = pad & ~self._held, pad
        if self.over:
            return
        if self._delay > 0:
            self._delay -= 1
        else:
            self._control(pressed, pad)
        self._write()

    def _control(self, pressed: Button, pad: Button) -> None:
        cells = self.field.cells.tolist()
        for button, action in EDGES.items():
            if pressed & button:
                self._state = move(cells, self._state, action, None, self.rules)
        down = bool(pad & Button.DOWN)
        if dropped(cells, self._state, None, self.rules) == self._state:
            self._lock -= 4 if down else 1
            if self._lock <= 0:
                self.soft_rows += down and self.lock_point
                self._settle()
            return
        self._timer = min(self._timer, 2) if down else self._timer
        self._timer -= 1
        if self._timer <= 0:
            self.soft_rows += down
            self._state, self._timer = move(cells, self._state, Action.DOWN, None, self.rules), self.drop_frames

    def _settle(self) -> None:
        state = self._state
        outcome = place(self.field, self._pair, Placement(state.x, state.y, state.orientation), self.rules)
        self.locks += 1
        gained = outcome.score + self.drop_points * self.soft_rows
        self.soft_rows = 0
        if outcome.chain:
            gained += self.later * self._owes
            self.paid += self.later * self._owes
            self._owes = outcome.field.count() == 0
        self.field, self.score = outcome.field, min(self.score + gained, 99_999_990)
        if self.locks == self.wrong_score_at:
            self.score += 10
        self.over = outcome.game_over
        if not self.over:
            self._spawn()

    def frame(self) -> npt.NDArray[np.uint8]:
        """A black picture."""
        return np.zeros((224, 240, 3), np.uint8)

    def save(self) -> bytes:
        """Raises NotImplementedError: this game makes no savestates."""
        raise NotImplementedError

    def load(self, state: bytes) -> None:
        """Raises NotImplementedError: this game loads no savestates."""
        raise NotImplementedError

    @property
    def position(self) -> PairState:
        """Where the pair is; RAM may show something else."""
        return self._state
