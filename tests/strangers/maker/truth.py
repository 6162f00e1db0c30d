"""What is true of a running stranger, by the game's own logic, and where its RAM says so.

Columns and rows count from 0, rows from the top of the field with its hidden rows; a piece may be above it (row -1).
"""

from __future__ import annotations

from typing import Any

from tests.strangers.maker.codes import word
from tests.strangers.maker.flow import Mode
from tests.strangers.maker.machine import Stranger
from tests.strangers.maker.motion import BUTTONS
from tests.strangers.maker.phases import Phase
from tests.strangers.maker.place import said_turn
from tests.strangers.maker.rules import Kind

IN_PLAY = (Mode.PLAY, Mode.PAUSED, Mode.DEMO, Mode.OVER)
FLYING = (Phase.ANNOUNCE, Phase.CONTROL, Phase.BOUNCE)


class Truth:
    """The true values of one seat (0: the player's, 1: the opponent's) at this frame. Reading changes nothing."""

    def __init__(self, game: Stranger, seat: int = 0) -> None:
        self.game, self.spec = game, game.spec
        self.number = seat
        self.seat = game.seats[seat]

    @property
    def mode(self) -> str:
        """Where one is: boot, title, demo, menu, options, ready, play, paused, over, entry; "lost" if RAM says none."""
        mode = self.game.flow.mode
        return "lost" if mode is None else mode.name.lower()

    @property
    def phase(self) -> str:
        """What the seat does: idle, spawn, announce, control, bounce, lock, fall, pop, garbage or over; or "lost"."""
        phase = self.seat.phase.get()
        return "lost" if phase is None else phase.name.lower()

    @property
    def control(self) -> bool:
        """Whether a piece answers the pad in the next frame."""
        return self.game.flow.mode is Mode.PLAY and self.seat.phase.get() is Phase.CONTROL

    @property
    def over(self) -> bool:
        """Whether this seat's game is over."""
        return self.game.flow.mode is Mode.OVER

    @property
    def playing(self) -> bool:
        """Whether a game is on that the pad plays (also between pieces, and while it is paused)."""
        return self.game.flow.mode in (Mode.PLAY, Mode.PAUSED)

    def flying(self) -> bool:
        """Whether there is a piece between its appearance and its landing."""
        phases = FLYING if not self.spec.late_place else FLYING[1:]
        return self.game.flow.mode in IN_PLAY and self.seat.phase.get() in phases

    def cells(self) -> list[int]:
        """The field as the rules' values (low four bits: what; high bits: links), without the flying piece."""
        cells = self.seat.board.read()
        if self.spec.inside and self.flying():
            for column, row, _ in self.piece_cells() or ():
                if 0 <= row < self.spec.height and 0 <= column < self.spec.width:
                    cells[row * self.spec.width + column] = 0
        return cells

    def field(self) -> list[list[str]]:
        """What rests, in words, by row and column, without the flying piece."""
        cells, width = self.cells(), self.spec.width
        return [[word(value) for value in cells[at : at + width]] for at in range(0, len(cells), width)]

    def place(self) -> tuple[int, int, int] | None:
        """Column, row and orientation (0 up, 1 right, 2 down, 3 left: of a pair the side of its second half); None
        while no piece flies.
        """
        return self.seat.motion.place.load() if self.flying() else None

    def kind(self) -> Kind | None:
        """The numbers of the flying piece: colours of its cells, or the number of its shape."""
        return self.seat.hand.get() if self.flying() else None

    def piece_cells(self) -> list[tuple[int, int, int]] | None:
        """Column, row and value of each cell of the flying piece."""
        if not self.flying():
            return None
        motion = self.seat.motion
        return motion.cells(self.seat.hand.get(), *motion.place.load())

    def names(self, kind: Kind) -> list[str]:
        """A piece in words."""
        return [f"shape{kind[0]}"] if self.spec.rules == "tetrominoes" else [word(value) for value in kind]

    def coming(self) -> list[list[str]]:
        """What RAM has of the next pieces, the first first; empty in games that deal when a piece appears."""
        return [self.names(kind) for kind in self.seat.hand.coming()] if self.game.flow.mode in IN_PLAY else []

    @property
    def score(self) -> int:
        """The points that have been won."""
        return self.seat.total.get()

    @property
    def score_shown(self) -> int:
        """The points that are shown (behind ``score`` while it rolls up)."""
        return self.seat.score.get()

    @property
    def pieces(self) -> int:
        """How many pieces have appeared."""
        mem, at = self.game.memory, self.seat.pieces
        return mem[at] | mem[at + 1] << 8

    @property
    def level(self) -> int:
        """The level."""
        return self.game.memory[self.seat.level]

    def values(self) -> dict[str, Any]:
        """All of the above, as plain values."""
        place, kind, cells = self.place(), self.kind(), self.piece_cells()
        coming, held = self.coming(), self.seat.hand.held()
        return {
            "mode": self.mode,
            "phase": self.phase,
            "control": self.control,
            "over": self.over,
            "field": self.field(),
            "x": None if place is None else place[0],
            "y": None if place is None else place[1],
            "orientation": None if place is None or self.seat.rules.turns == 1 else said_turn(self.spec, place[2]),
            "piece": None if kind is None else self.names(kind),
            "piece_cells": None if cells is None else [(x, y, word(value)) for x, y, value in cells],
            "next": coming[0] if coming else None,
            "after": coming[1] if len(coming) > 1 else None,
            "hold": None if held is None or self.game.flow.mode not in IN_PLAY else self.names(held),
            "score": self.score,
            "score_shown": self.score_shown,
            "pending": None if self.seat.intruders.pending < 0 else self.game.memory[self.seat.intruders.pending],
            "pieces": self.pieces,
            "level": self.level,
        }

    def describe(self) -> dict[str, Any]:
        """Where and how this seat's values lie in RAM, in plain words and numbers. Addresses are the processor's; None
        is memory that nobody can read. Cells come row by row.
        """
        flow = self.game.flow.describe()
        return self.seat.describe() | {
            "seat": self.number,
            "mode": flow["mode"],
            "high_score": flow.get("high_score"),
            "beside_score": self.game.areas.address(self.seat.beside) if self.seat.beside >= 0 else None,
            "clock": self.game.areas.address(self.game.areas.clock),
            "pad": {"held": self.seat.held, "new": self.seat.new},
        }

    def way(self) -> str | None:
        """The button that leads towards play from here: press it, let it go, ask again. None: wait, or play."""
        mode, spec, memory, flow = self.game.flow.mode, self.spec, self.game.memory, self.game.flow
        if mode in (Mode.TITLE, Mode.DEMO, Mode.ENTRY):
            return "start"
        if mode is Mode.OVER:
            return "start"
        if mode is Mode.PAUSED:
            return spec.pause
        if mode is Mode.OPTIONS:
            return "b"
        if mode is Mode.MENU:
            if memory[flow.cursor] % 3 == 0:
                return "start"
            return "select" if spec.menu == "select" else "up"
        return None

    @property
    def buttons(self) -> dict[str, str]:
        """What each button does while a piece falls."""
        spec = self.spec
        said = {"left": "left", "right": "right"}
        if spec.soft:
            said["down"] = "faster"
        way = ("clockwise", "counter-clockwise")
        a = 0 if spec.clockwise else 1
        if spec.turns == "both":
            said |= {"a": way[a], "b": way[1 - a]}
        elif spec.turns == "one":
            said |= {"a": way[a], "b": way[a]}
        else:
            said[spec.turns] = way[a]
        if spec.drop:
            said[spec.drop] = "drop"
        if spec.hold:
            said["select"] = "hold"
        if spec.pause != "nothing":
            said[spec.pause] = "pause"
        return said


__all__ = ["BUTTONS", "Truth"]
