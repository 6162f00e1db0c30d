"""Finds the locks that a pair can reach, with the same results as ``ochibot.puyo.search.reach``."""

from __future__ import annotations

from typing import Any, Final

from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.sim.plain.shape import (
    BOX,
    KEPT_EAST,
    KEPT_WEST,
    KICKS,
    LANE,
    LOCK_COLUMN,
    LOCK_TURN,
    LOCKS,
    MOVING_EAST,
    MOVING_WEST,
    ONE,
    QUICK_TURN,
    SPAWN,
    VISIBLE,
    ZERO,
    Planes,
    Target,
    U,
)

_LEFT_OF_SPAWN: Final = U((1 << 16 * SPAWN) - 1)
_RIGHT_OF_SPAWN: Final = U(0xFFFF << 16 * (SPAWN + 1))


def locks_of(target: Target, planes: Planes) -> Any:
    """Makes the function ``locks`` for a target."""
    jit = target.jit
    rightward, leftward, towards, puyos, height = planes

    @jit
    def in_boxes(spots: Any, turn: Any, before: Any) -> None:
        """Puts the lower left cells of the boxes that pairs turn in where their axes are, if ``before``; else the
        reverse. So turns leave positions alone. ``turn``: 0 or 1; the others' axes are there anyway.
        """
        to = turn if before else turn + 2
        for first in range(turn, 16, 8):
            spots[first], spots[first + 4] = towards(spots[first], spots[first + 4], to)

    @jit
    def grow(spots: Any, kicks: Any, quick: Any, box: Any, turn: Any) -> Any:
        """Does one orientation's part of a step of the flood. Returns whether it found a new position."""
        west, east = spots[8 + turn], spots[12 + turn]
        (left_west, left_east), (right_west, right_east) = leftward(west, east), rightward(west, east)
        more_west = (west | left_west | right_west | (west >> ONE)) & spots[turn]
        more_east = (east | left_east | right_east | (east >> ONE)) & spots[4 + turn]
        new = more_west != west or more_east != east
        spots[8 + turn], spots[12 + turn] = more_west, more_east
        for side in range(1, 4, 2):
            to = (turn + side) & 3
            fit_west, fit_east = spots[to], spots[4 + to]
            turned_west = spots[8 + to] | (more_west & fit_west)
            turned_east = spots[12 + to] | (more_east & fit_east)
            stuck_west, stuck_east = more_west & ~fit_west, more_east & ~fit_east
            if kicks != 0:
                kick_west, kick_east = towards(stuck_west, stuck_east, 1 if box != 0 else (to + 2) & 3)
                kick_west &= fit_west
                kick_east &= fit_east
                turned_west |= kick_west
                turned_east |= kick_east
                if quick != 0:
                    kick_west, kick_east = towards(kick_west, kick_east, to)
                    stuck_west &= ~kick_west
                    stuck_east &= ~kick_east
            if quick != 0 and turn & 1 == 0:
                over = turn ^ 2
                kick_west, kick_east = towards(stuck_west & ~spots[over], stuck_east & ~spots[4 + over], turn)
                over_west = spots[8 + over] | ((stuck_west | kick_west) & spots[over])
                over_east = spots[12 + over] | ((stuck_east | kick_east) & spots[4 + over])
                new = new or over_west != spots[8 + over] or over_east != spots[12 + over]
                spots[8 + over], spots[12 + over] = over_west, over_east
            new = new or turned_west != spots[8 + to] or turned_east != spots[12 + to]
            spots[8 + to], spots[12 + to] = turned_west, turned_east
        return new

    @jit
    def locks(board: Any, numbers: Any, masks: Any, single: Any, spots: Any) -> Any:
        """The locks that a pair can reach from the spawn on a settled board, one bit each in the search's order.

        ``spots``: 16 words of scratch (``ochibot.puyo.search.reach``). ``single``: both halves have one colour; of two
        locks on the same cells, the later one is left out.
        """
        west, east = puyos(board)
        empty_west, empty_east = masks[MOVING_WEST] & ~west, masks[MOVING_EAST] & ~east
        highest = 0
        for x in range(COLUMNS):
            highest = max(highest, height(west, east, x))
        for turn in range(4):
            there_west, there_east = towards(empty_west, empty_east, (turn + 2) & 3)
            spots[turn] = masks[KEPT_WEST] & empty_west & there_west
            spots[4 + turn] = masks[KEPT_EAST] & empty_east & there_east
            spots[8 + turn], spots[12 + turn] = spots[turn], spots[4 + turn]
        if highest > numbers[VISIBLE] - 2:
            for i in range(8, 16):
                spots[i] = ZERO
            spots[10] = (ONE << U(16 * SPAWN + numbers[VISIBLE] - 1)) & spots[2]
            for turn in range(2 * numbers[BOX]):
                in_boxes(spots, turn, True)
            growing = True
            while growing:
                growing = False
                for turn in range(4):
                    growing = grow(spots, numbers[KICKS], numbers[QUICK_TURN], numbers[BOX], turn) or growing
            for turn in range(2 * numbers[BOX]):
                in_boxes(spots, turn, False)
        for i in range(8):
            spots[8 + i] &= ~(spots[i] << ONE)
        if single:
            spots[8] &= ~(spots[10] << ONE)
            spots[12] &= ~(spots[14] << ONE)
            right_west, _ = leftward(spots[9], spots[13])
            left_west, left_east = rightward(spots[11], spots[15])
            spots[11] &= ~(right_west & _LEFT_OF_SPAWN)
            spots[9] &= ~(left_west & _RIGHT_OF_SPAWN)
            spots[13] &= ~left_east
        found = 0
        for i in range(LOCKS):
            x = LOCK_COLUMN[i]
            if (spots[8 + LOCK_TURN[i] + 4 * (x // 4)] >> U(16 * (x & 3))) & LANE != ZERO:
                found |= 1 << i
        return found

    return locks
