"""A player of strangers, for their tests: sees by ``Truth`` and acts with the pad alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.strangers.maker.machine import Stranger
from tests.strangers.maker.rules import Kind
from tests.strangers.maker.truth import Truth

MASKS: Final = {"b": 1, "select": 4, "start": 8, "up": 16, "down": 32, "left": 64, "right": 128, "a": 256}
"""libretro's buttons."""

PATIENCE: Final = 6000
"""Frames after which a game that doesn't go on is stuck."""


@dataclass(frozen=True)
class Landed:
    """A piece that came to rest: the field before, the piece's cells there, the score before, the level."""

    before: tuple[int, ...]
    cells: tuple[tuple[int, int, int], ...]
    kind: Kind
    place: tuple[int, int, int]
    score: int
    level: int


@dataclass
class Played:
    """What came of playing."""

    pieces: int = 0
    score: int = 0
    games: int = 0
    frames: int = 0
    missed: int = 0
    """Pieces that didn't land in the column that was wanted."""
    problems: list[str] = field(default_factory=list)


class Player:
    """Plays greedily. ``settled`` is called when a piece has been worked off, ``seen`` after each frame."""

    def __init__(
        self,
        game: Stranger,
        settled: Callable[[Landed, Truth], None] | None = None,
        seen: Callable[[Truth], None] | None = None,
    ) -> None:
        self.game, self.truth, self.spec = game, Truth(game), game.spec
        self.played = Played()
        self._settled, self._seen = settled, seen
        self._pad = game.spec.poll * (2 if game.spec.debounce else 1)
        self._landed: Landed | None = None
        self._was = ""
        self._flying: Landed | None = None

    def step(self, mask: int = 0) -> None:
        """A frame; notes what comes to rest."""
        truth = self.truth
        if truth.control:
            self._flying = self._look()
        # where a press drops the piece at once, it lands elsewhere than it was: seen after the frame
        self.game.step(mask)
        self.played.frames += 1
        phase = truth.phase
        if phase != self._was:
            if self._was == "control" and self._flying is not None and truth.mode == "play":
                place = self.game.seats[0].motion.place.load()
                kind = self.game.seats[0].hand.get()
                cells = tuple(self.game.seats[0].motion.cells(kind, *place))
                one = self._flying
                self._landed = Landed(one.before, cells, kind, place, one.score, one.level)
            if phase in ("spawn", "garbage") and self._landed is not None:
                if self._settled is not None:
                    self._settled(self._landed, truth)
                self._landed = None
                self.played.pieces += 1
            self._was = phase
        if self._seen is not None:
            self._seen(truth)

    def _look(self) -> Landed:
        truth = self.truth
        return Landed(tuple(truth.cells()), (), (), (0, 0, 0), truth.score, truth.level)

    def press(self, button: str, until: Callable[[], bool]) -> bool:
        """Holds a button until something is so, then lets it go. False when it never was."""
        for _ in range(3 * self._pad + 4):
            self.step(MASKS[button])
            if until():
                break
        done = until()
        self.rest()
        return done

    def rest(self) -> None:
        """Lets all buttons go, as long as the game needs to see it."""
        for _ in range(self._pad + 1):
            self.step()

    def start(self) -> None:
        """Goes through title and menus into play. Raises RuntimeError when that takes too long."""
        for _ in range(PATIENCE // 20):
            if self.truth.playing and self.truth.mode == "play":
                return
            way, mode, cursor = self.truth.way(), self.truth.mode, self._cursor()
            if way is None:
                self.step()
                continue
            self.press(way, lambda mode=mode, cursor=cursor: (self.truth.mode, self._cursor()) != (mode, cursor))  # type: ignore[misc]
            for _ in range(8):
                self.step()
        raise RuntimeError(f"the game doesn't begin: it stands in {self.truth.mode}")

    def _cursor(self) -> int:
        return self.game.memory[self.game.flow.cursor]

    def play(self, pieces: int) -> Played:
        """Plays until so many pieces have come to rest, in several games if need be."""
        idle = 0
        while self.played.pieces < pieces:
            if self.truth.control:
                idle = 0
                self._place()
            elif self.truth.mode == "play":
                self.step()
                idle += 1
            else:
                # before the first game, RAM has garbage where the score will be
                if self.truth.over:
                    self.played.score = max(self.played.score, self.truth.score)
                self.played.games += 1
                self._landed, self._was = None, ""
                self.start()
            if idle > PATIENCE:
                raise RuntimeError(f"the game stands in phase {self.truth.phase} after {self.played.pieces} pieces")
        self.played.score = max(self.played.score, self.truth.score)
        return self.played

    def _place(self) -> None:
        truth = self.truth
        number = truth.pieces
        column, turn, kind = self._choose()
        self._turn(number, turn, kind)
        for _ in range(2 * self.spec.width):
            place = truth.place()
            if not truth.control or truth.pieces != number or place is None or place[0] == column:
                break
            way = "left" if place[0] > column else "right"
            if not self.press(way, lambda place=place: truth.place() != place or not truth.control):  # type: ignore[misc]
                break
        if truth.control and truth.pieces == number:
            place = truth.place()
            self.played.missed += place is None or place[0] != column
        hand = self.spec.drop if self.spec.drop else "down" if self.spec.soft else ""
        for _ in range(PATIENCE):
            if not truth.control or truth.pieces != number:
                return
            self.step(MASKS[hand] if hand else 0)
        raise RuntimeError("the piece never lands")

    def _turn(self, number: int, turn: int, kind: Kind) -> None:
        truth = self.truth
        keys = {"both": "a", "one": "a"}.get(self.spec.turns, self.spec.turns)
        for _ in range(5):
            if not truth.control or truth.pieces != number:
                return
            place, now = truth.place(), truth.kind()
            if place is None or (place[2] == turn and now == kind):
                return
            if not self.press(keys, lambda p=place, k=now: truth.place() != p or truth.kind() != k):  # type: ignore[misc]
                return

    def _choose(self) -> tuple[int, int, Kind]:
        """The column, orientation and kind (pieces may change by turning) of the best placement."""
        truth, spec = self.truth, self.spec
        place, kind = truth.place(), truth.kind()
        assert place is not None
        assert kind is not None
        rules, cells = truth.seat.rules, truth.cells()
        best: tuple[float, int, int, Kind] | None = None
        seen = set()
        turn, by = place[2], 1 if spec.clockwise else -1
        for _ in range(6):
            if (turn, kind) in seen:
                break
            seen.add((turn, kind))
            for column in range(-1, spec.width + 1):
                worth = self._worth(cells, kind, column, place[1], turn)
                if worth is not None:
                    worth -= abs(column - place[0]) * 0.01
                    if best is None or worth > best[0]:
                        best = worth, column, turn, kind
            kind, turn = rules.turned(kind, turn, by)
            if spec.orientation == "codes" and spec.rules == "capsules" and turn >= 2:
                kind, turn = kind[::-1], turn - 2
        return best[1:] if best is not None else (place[0], place[2], kind)

    def _worth(self, cells: Sequence[int], kind: Kind, column: int, row: int, turn: int) -> float | None:
        spec, rules = self.spec, self.truth.seat.rules
        width, height = spec.width, spec.height
        shape, values = rules.shape(kind, turn), rules.values(kind, turn)

        def free(to: int) -> bool:
            for dx, dy in shape:
                x, y = column + dx, to + dy
                if not 0 <= x < width or y >= height or (y >= 0 and cells[y * width + x]):
                    return False
            return True

        if not free(row):
            return None
        while free(row + 1):
            row += 1
        after = list(cells)
        lost = 0
        for (dx, dy), value in zip(shape, values, strict=True):
            if row + dy >= 0:
                after[(row + dy) * width + column + dx] = value
            else:
                lost += 1
        gained = 0
        after = rules.fall(after)
        while (cleared := rules.find(after)) is not None:
            gained += len(cleared.gone)
            after = rules.fall(rules.after(after, cleared))
        return gained * 3 - lost * 50 + self._shape(after)

    def _shape(self, cells: Sequence[int]) -> float:
        """How good a field is to go on with: low, even, without holes, the alike together."""
        width, height = self.spec.width, self.spec.height
        worth = 0.0
        heights = []
        for column in range(width):
            line = cells[column::width]
            top = next((at for at, value in enumerate(line) if value), height)
            heights.append(height - top)
            worth -= 4 * sum(1 for value in line[top:] if not value)
        for at, tall in enumerate(heights):
            worth -= tall * tall * 0.15
            if at:
                worth -= abs(tall - heights[at - 1]) * 0.6
        middle = self.spec.spawn[0]
        worth -= max(0, heights[min(middle, width - 1)] - height + self.spec.spawn[1] + 4) * 8
        for at, value in enumerate(cells):
            if value & 15:
                worth += 0.5 * (at % width < width - 1 and cells[at + 1] & 15 == value & 15)
                worth += 0.5 * (at + width < len(cells) and cells[at + width] & 15 == value & 15)
        return worth
