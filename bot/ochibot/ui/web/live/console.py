"""A console that is watched by the live page: it takes the place of the real one."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ochibot.console import SoundingConsole, WrappedConsole
from ochibot.errors import OchibotError
from ochibot.games.protocols import AnySeat
from ochibot.ui.clock import Pacer
from ochibot.ui.web.live.link import ABOUT, END, STATE, THINK, Sender
from ochibot.ui.web.live.states import Stage, WatchedSeat

A_SECOND: Final = 62.0
"""The most states a second. The consoles' 60 frames a second stay below it."""
_BURST: Final = 6.0
"""How many states may come at once after a rest, so that frames which come a little early aren't left out."""
_PASSED: Final = 15
"""Hurried, only each sixteenth frame looks at the clock."""
THINK_SECONDS: Final = 0.25
"""A seat's snapshot is handed over at most this often. In play that can be followed by eye, that is each one."""


class Broadcast:
    """Hands what the seats show to the page's process, at most A_SECOND times a second. Nothing waits.

    frames: those that have run. sent: the states that were handed over.
    """

    def __init__(
        self,
        sender: Sender,
        about: Mapping[str, Any],
        *,
        hurried: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """``hurried``: frames follow each other as fast as the processor allows. Then the seconds are those of this
        thread's processor time, so that the page costs the same share of it on a busy machine, and only each sixteenth
        frame looks at the clock. ``about``: what the page learns of the game.
        """
        self.frames = 0
        self.passed = _PASSED if hurried else 0
        """A mask: frames whose number has any of these bits aren't shown."""
        self.sent = 0
        self._sender = sender
        self._stage = Stage(about)
        self._clock = clock = time.thread_time if hurried else clock
        self._seats: Callable[[], Sequence[WatchedSeat]] = lambda: ()
        self._names: tuple[object, ...] = ("",)
        self._last = clock()
        self._credit = _BURST
        self._thinks = 0.0
        self._ended = False

    def watch(self, seats: Callable[[], Sequence[WatchedSeat]]) -> None:
        """Sets what is shown: ``seats`` is called for each state."""
        self._seats = seats

    def due(self) -> bool:
        """Whether a state may be sent now."""
        now = self._clock()
        credit = self._credit + (now - self._last) * A_SECOND
        self._last = now
        self._credit = credit if credit < _BURST else _BURST
        return self._credit >= 1.0

    def show(self, *, paused: bool = False) -> None:
        """Hands over what the seats show now."""
        sender, stage = self._sender, self._stage
        if not sender.free:
            return
        self._credit -= 1.0
        watched = self._seats()
        names = tuple((id(one.seat), one.titles) for one in watched)
        if names != self._names:
            self._names = names
            sender.send(ABOUT, stage.about(watched), keep=True)
        self.sent += sender.send(STATE, stage.state(self.frames, watched, paused=paused))
        if self._last >= self._thinks:
            for seat, snapshot in stage.news(watched):
                self._thinks = self._last + THINK_SECONDS
                sender.send(THINK, pickle.dumps((seat, _plain(snapshot))))

    def end(self, why: str = "") -> None:
        """Tells that the game has ended, after what it shows last. Further calls do nothing. ``why``: see a report's
        ``stopped_by``; empty if nobody knows.
        """
        if self._ended:
            return
        self._ended = True
        with contextlib.suppress(OchibotError):  # the run may have ended because nothing can be read
            self.show()
        self._sender.send(END, json.dumps({"why": why, "frame": self.frames}).encode(), keep=True)


def _plain(snapshot: Any) -> Any:
    """A snapshot without what belongs to this process."""
    gone = {name: None for name in ("hands", "facts") if hasattr(snapshot, name)}
    return dataclasses.replace(snapshot, **gone) if gone else snapshot


class LiveConsole(WrappedConsole[SoundingConsole]):
    """Shows each frame before it runs the next one, when the seats have looked at it and the players have decided.

    pacer: waits for each frame's time, except in menus; None: frames follow each other as fast as the console runs.
    follows: seats that nobody else updates.
    """

    def __init__(
        self,
        console: SoundingConsole,
        broadcast: Broadcast,
        *,
        pacer: Pacer | None = None,
        in_menus: Callable[[], bool] = lambda: False,
        follows: Sequence[AnySeat] = (),
    ) -> None:
        super().__init__(console)
        self.broadcast = broadcast
        self._pacer = pacer
        self._in_menus = in_menus
        self._follows = follows

    def step(self, *pads: int) -> None:
        """Shows the frame if a state is due, and runs the next one."""
        broadcast = self.broadcast
        if not broadcast.frames & broadcast.passed and broadcast.due():
            broadcast.show()
        if self._pacer is not None:
            if self._in_menus():
                self._pacer.restart()
            else:
                self._pacer.wait()
        self._console.step(*pads)
        broadcast.frames += 1
        for seat in self._follows:
            seat.update()

    def rest(self) -> None:
        """Shows that the game is paused. Call it as often as you like during a pause."""
        if self.broadcast.due():
            self.broadcast.show(paused=True)
