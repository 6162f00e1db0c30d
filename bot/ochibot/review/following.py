"""Follows the seats of a game that is replayed, and notes every placement that a person or a player made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ochibot.console import Button
from ochibot.errors import FieldError, GameError, PointerError
from ochibot.games.protocols import AnySeat, Facing, Paced
from ochibot.play.reach import Hands
from ochibot.play.speed import SPEEDS

_STEERS: Final = Button.LEFT | Button.RIGHT | Button.A | Button.B | Button.X | Button.Y | Button.L | Button.R
"""Buttons whose presses steer a piece. Those of a soft drop are not among them."""


@dataclass(frozen=True, slots=True)
class FollowedPlacement:
    """One placement of a game.

    seat, round, number: whose, in which round (from 1), and the how manieth piece of it (from 1). snapshot: what was to
    be seen when the piece appeared, without what only a bot knows. placement: where it locked. frame, locked: the
    frames, from 1, in which it appeared and locked. presses: how often a button that steers was pressed; needed: how
    often it had to be. least: the fewest frames from the first one under control to the lock that the pad allows; None
    where the game's pace isn't known. taken: those that it took.
    """

    seat: int
    round: int
    number: int
    snapshot: Any
    placement: Any
    frame: int
    locked: int
    presses: int | None
    needed: int
    taken: int
    least: int | None


@dataclass
class _Piece:
    """The piece that falls at a seat. landed: where it was seen last. since: the first frame under control."""

    snapshot: Any
    frame: int
    landed: Any = None
    since: int | None = None
    presses: int = 0


class _FollowedSide:
    """One seat that is followed."""

    def __init__(self, seat: AnySeat) -> None:
        self.seat = seat
        self.unread = 0
        self.piece: _Piece | None = None
        self._held = 0

    def look(self, frame: int, pad: int) -> tuple[_Piece, int] | None:
        """Looks at RAM after a frame. Returns the piece that has just locked, if one has, and the frame."""
        seat, done = self.seat, None
        fresh, self._held = pad & ~self._held & int(_STEERS), pad
        if seat.update():
            done = self._done(frame)
            try:
                self.piece = _Piece(plain(seat.snapshot()), frame)
            except (GameError, FieldError, PointerError):
                self.piece, self.unread = None, self.unread + 1
            return done
        piece = self.piece
        if piece is None:
            return None
        if seat.has_locked():
            return self._done(frame)
        if seat.falling():
            piece.presses += fresh.bit_count()
            piece.landed = seat.pair_state() or piece.landed
            if piece.since is None and seat.ready():
                piece.since = frame
        return None

    def _done(self, frame: int) -> tuple[_Piece, int] | None:
        piece, self.piece = self.piece, None
        return None if piece is None or piece.landed is None else (piece, frame)


def plain(snapshot: Any) -> Any:
    """A snapshot without what only a bot knows."""
    return replace(snapshot, hands=None, facts=None)


class Follower:
    """Follows all seats of one mode. ``frame`` returns the placements that are known after a frame.

    played: how many there were. unread: pieces whose field or pair couldn't be read, or whose place wasn't found.
    losers: (frame, seat) of rounds that were lost.
    """

    def __init__(self, seats: Sequence[AnySeat]) -> None:
        self.losers: list[tuple[int, int]] = []
        self.unread = self.played = 0
        self._sides = [_FollowedSide(seat) for seat in sorted(seats, key=lambda seat: seat.number)]
        self._round, self._numbers = 1, {seat.number: 0 for seat in seats}
        self._over = False
        if len(seats) == 2:
            for seat, other in zip(seats, reversed(seats), strict=True):
                if isinstance(seat, Facing):
                    seat.face(other)

    @property
    def active(self) -> bool:
        """Whether the game is in the mode of these seats, as far as the map shows it."""
        seat = self._sides[0].seat
        seen, wanted = seat.counter("mode"), seat.map.map.mode
        return None in (seen, wanted) or seen == wanted

    def frame(self, frame: int, pads: Sequence[int] | None = None) -> list[FollowedPlacement]:
        """Looks at RAM after a frame. ``pads``: both ports' buttons in it; None if nobody knows them."""
        found = []
        for side in self._sides:
            pad = 0 if pads is None else pads[min(side.seat.number, len(pads)) - 1]
            locked = side.look(frame, pad)
            if locked is not None and (one := self._played(side.seat, *locked, pads is not None)) is not None:
                found.append(one)
            self.unread, side.unread = self.unread + side.unread, 0
        self._watch_rounds(frame)
        self.played += len(found)
        return found

    def _watch_rounds(self, frame: int) -> None:
        loser = next((side.seat.number for side in self._sides if side.seat.over()), 0)
        if loser and not self._over:
            self.losers.append((frame, loser))
            self._round += 1
            self._numbers = dict.fromkeys(self._numbers, 0)
        self._over = bool(loser)

    def _played(self, seat: AnySeat, piece: _Piece, frame: int, seen: bool) -> FollowedPlacement | None:
        placement = placed(seat, piece.snapshot, piece.landed)
        if placement is None:
            self.unread += 1
            return None
        self._numbers[seat.number] += 1
        since = piece.since or piece.frame
        needed = sum(action.name != "DOWN" for action in placement.path)
        return FollowedPlacement(
            seat.number,
            self._round,
            self._numbers[seat.number],
            piece.snapshot,
            placement,
            piece.frame,
            frame,
            piece.presses if seen else None,
            needed,
            frame - since,
            _least(seat, piece.snapshot, placement),
        )


def placed(seat: AnySeat, snapshot: Any, landed: Any) -> Any | None:
    """The placement of a piece that was last seen at ``landed``; None if no placement is like that."""
    for one in seat.placements(snapshot):
        try:
            if not seat.forecast(snapshot, one).misses(landed):
                return one
        except (GameError, FieldError):
            continue
    return None


def _least(seat: AnySeat, snapshot: Any, placement: Any) -> int | None:
    """The fewest frames under control that the fastest hands need."""
    pace = seat.pace() if isinstance(seat, Paced) else None
    if pace is None:
        return None
    try:
        return Hands(seat, snapshot, pace, SPEEDS[-1]).frames(placement)
    except (GameError, FieldError):
        return None
