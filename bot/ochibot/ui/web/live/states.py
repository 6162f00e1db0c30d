"""What a running game shows at a moment, as plain values for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ochibot.errors import FieldError, GameError, PointerError
from ochibot.games.protocols import AnySeat, Drawing, DrawnLook
from ochibot.play.seat import AnySeatPlayer

UNREADABLE: Final = (GameError, FieldError, PointerError)
_UNKNOWN: Final = "?"
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@dataclass(frozen=True, slots=True)
class Advised:
    """What a coach says of a piece: the snapshot, and the decision that it would take (None: nothing yet)."""

    snapshot: Any
    decision: Any | None


@dataclass(frozen=True, slots=True)
class WatchedSeat:
    """One seat to show. titles: the lines that name who plays there. player: the AI; None for a person. advised: what a
    coach says to that person.
    """

    seat: AnySeat
    titles: tuple[str, ...]
    player: AnySeatPlayer | None = None
    advised: Advised | None = None


@dataclass(slots=True)
class _Planned:
    """A decision and what is said of it."""

    decision: Any
    said: dict[str, Any]


class SeatReader:
    """Reads one seat. What follows from a decision is worked out once."""

    def __init__(self, seat: AnySeat) -> None:
        """Raises GameError for a seat of a game that can't be drawn."""
        if not isinstance(seat.look, DrawnLook):
            raise GameError("this game's family can't be drawn on a page: play without --web")
        self.seat = seat
        self.drawing: Drawing = seat.look.drawing(seat)
        self._letters = _table(str(self.drawing.board["letters"]))
        self._plan: _Planned | None = None
        self._plans = 0

    def read(self, watched: WatchedSeat) -> dict[str, Any]:
        """What the seat shows now; of a seat in the menus, or whose memory can't be read yet, only its number."""
        try:
            if not self.seat.in_menus():
                return self._read(watched)
        except UNREADABLE:
            pass
        return {"seat": self.seat.number, "phase": "menus"}

    def _read(self, watched: WatchedSeat) -> dict[str, Any]:
        seat, drawing, player = self.seat, self.drawing, watched.player
        said: dict[str, Any] = {"seat": seat.number, "phase": _phase(seat)}
        said["field"] = drawing.field().translate(self._letters).decode()
        said["piece"] = drawing.piece()
        said["next"] = drawing.nexts()
        if getattr(seat, "knows_score", True):
            said["score"] = seat.score()
        said["waiting"] = seat.pending()
        said["sent"] = seat.sent
        chain = seat.counter("chain")
        if seat.has_locked() and not seat.over():
            said["chain"] = (0 if player is None else player.forecast_chain) if chain is None else chain
        if player is not None:
            tally = player.tally
            said["pieces"], said["best"], said["missed"] = tally.pieces, tally.best_chain, tally.contradicted
        plan = self._planned(watched)
        if plan is not None:
            said["plan"] = plan
        return said

    def _planned(self, watched: WatchedSeat) -> dict[str, Any] | None:
        player, advised = watched.player, watched.advised
        if player is not None:
            snapshot, decision = player.snapshot, player.plan
        elif advised is not None and self.seat.in_hand():
            snapshot, decision = advised.snapshot, advised.decision
        else:
            return None
        if decision is None or snapshot is None:
            return None
        if self._plan is None or self._plan.decision is not decision:
            self._plans += 1
            self._plan = _Planned(decision, self._tell(snapshot, decision))
        return self._plan.said

    def _tell(self, snapshot: Any, decision: Any) -> dict[str, Any]:
        said: dict[str, Any] = {"number": self._plans, **self.drawing.told(decision), "cells": (), "way": ()}
        value = getattr(decision, "value", None)
        said["value"] = round(value, 2) if isinstance(value, float) else None
        try:
            said["cells"] = self.drawing.planned(snapshot, decision)
            course = self.seat.course(snapshot, decision.placement)
            states = [snapshot.state]
            for action in course.presses:
                states.append(course.after(states[-1], action))
            said["way"] = self.drawing.way([*states, decision.placement])
        except UNREADABLE:
            pass  # such as a field that the map doesn't show whole: the rest is shown all the same
        return said


def _phase(seat: AnySeat) -> str:
    if seat.over():
        loser = seat.loser() if getattr(seat, "knows_loser", False) else 0
        return "won" if loser not in (0, seat.number) else "over"
    return "falling" if seat.in_hand() else "settling" if seat.has_locked() else "waiting"


def _table(letters: str) -> bytes:
    """The letter of each code, for ``bytes.translate``; what has none is a question mark."""
    return bytes(ord(letters[code]) if code < len(letters) else ord(_UNKNOWN) for code in range(256))


class Stage:
    """Reads all seats of a running game."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        """``about``: what stays the same (``game``, ``rules``, ``family``)."""
        self._about = dict(about)
        self._readers: dict[int, SeatReader] = {}
        self._thought: dict[int, Any] = {}

    def reader(self, seat: AnySeat) -> SeatReader:
        """The reader of a seat; a battle makes new seats for each game."""
        known = self._readers.get(seat.number)
        if known is None or known.seat is not seat:
            known = self._readers[seat.number] = SeatReader(seat)
            self._thought.pop(seat.number, None)
        return known

    def about(self, watched: Sequence[WatchedSeat]) -> bytes:
        """Who plays what, as JSON; with the board once there is a seat."""
        said = {**self._about, "seats": [{"seat": one.seat.number, "titles": one.titles} for one in watched]}
        if watched:
            said["board"] = dict(self.reader(watched[0].seat).drawing.board)
            said["best"] = watched[0].seat.best
        return _encode(said).encode()

    def state(self, frame: int, watched: Sequence[WatchedSeat], *, paused: bool = False) -> bytes:
        """What frame ``frame`` shows, as JSON."""
        said = {"frame": frame, "paused": paused, "seats": [self.reader(one.seat).read(one) for one in watched]}
        return _encode(said).encode()

    def news(self, watched: Sequence[WatchedSeat]) -> list[tuple[int, Any]]:
        """(seat, snapshot) of each snapshot that hasn't been returned before."""
        found = []
        for one in watched:
            snapshot = one.player.snapshot if one.player is not None else one.advised and one.advised.snapshot
            if snapshot is not None and self._thought.get(one.seat.number) is not snapshot:
                self._thought[one.seat.number] = snapshot
                found.append((one.seat.number, snapshot))
        return found
