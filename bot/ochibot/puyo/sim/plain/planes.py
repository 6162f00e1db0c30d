"""Functions that move planes of cells and read column heights."""

from __future__ import annotations

from typing import Any, NamedTuple

from ochibot.puyo.sim.plain.shape import COLORS_OF_ALL, EAST, LANE, ONE, ZERO, Target, U

_C1, _C3 = U(16), U(48)


class Planes(NamedTuple):
    """The functions on planes, compiled for one target."""

    rightward: Any
    leftward: Any
    towards: Any
    puyos: Any
    height: Any


def planes_of(target: Target) -> Planes:
    """Makes the functions for a target."""
    jit, popcount = target.jit, target.popcount

    @jit
    def rightward(west: Any, east: Any) -> Any:
        return west << _C1, ((east << _C1) & EAST) | (west >> _C3)

    @jit
    def leftward(west: Any, east: Any) -> Any:
        return (west >> _C1) | (east << _C3), east >> _C1

    @jit
    def towards(west: Any, east: Any, turn: Any) -> Any:
        """A plane moved one cell in the direction of an orientation: 0 down, 1 left, 2 up, 3 right."""
        if turn == 0:
            return west >> ONE, east >> ONE
        if turn == 1:
            return leftward(west, east)
        if turn == 2:
            return west << ONE, east << ONE
        return rightward(west, east)

    @jit
    def puyos(board: Any) -> Any:
        west, east = ZERO, ZERO
        for k in range(COLORS_OF_ALL):
            west |= board[2 * k]
            east |= board[2 * k + 1]
        return west, east

    @jit
    def height(west: Any, east: Any, x: Any) -> Any:
        word = west if x < 4 else east
        return popcount((word >> U(16 * (x & 3))) & LANE)

    return Planes(rightward, leftward, towards, puyos, height)
