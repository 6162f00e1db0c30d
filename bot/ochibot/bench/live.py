"""Measures what the live page costs the game: the loop of ``play`` with and without it, one after the other in turns.

A reader in a process of its own takes everything that the page's process sends, as a browser would.
"""

from __future__ import annotations

import http.client
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ochibot.games.protocols import Game
from ochibot.report import Reported
from ochibot.session import Session
from ochibot.session.opening import open_title
from ochibot.ui.web.live.console import Broadcast, LiveConsole
from ochibot.ui.web.live.link import Wish, linked
from ochibot.ui.web.live.states import WatchedSeat
from ochibot.wording import counted

READER = (sys.executable, "-P", "-m", "ochibot.bench.live")


@dataclass(frozen=True)
class LiveReport(Reported):
    """Frames per second of ``play``'s whole loop, its player included: medians of the rounds.

    plain_cpu, live_cpu: per second of processor time of the thread that plays, without and with the page. plain_wall,
    live_wall: per second by the clock. cpu_ratio, wall_ratio: the medians of each round's ratio, with the page to
    without; cpu_ratios, wall_ratios: those of all rounds. states: how many states a second were handed over; read: how
    many a second the reader got.
    """

    game: str
    core: str
    machine: str
    frames: int
    rounds: int
    plain_cpu: float
    live_cpu: float
    cpu_ratio: float
    cpu_ratios: list[float]
    plain_wall: float
    live_wall: float
    wall_ratio: float
    wall_ratios: list[float]
    states: float
    read: float

    def table(self) -> str:
        """The report as text for a terminal."""
        return "\n".join(
            [
                f"{self.game} in {self.core} on {self.machine}: medians of {counted(self.rounds, 'round')}, "
                f"{counted(self.frames, 'frame')} each",
                f"{'frames a second of':24} {'without':>9} {'with':>9} {'ratio':>7}   lowest to highest",
                self._row("processor time", self.plain_cpu, self.live_cpu, self.cpu_ratio, self.cpu_ratios),
                self._row("the clock", self.plain_wall, self.live_wall, self.wall_ratio, self.wall_ratios),
                f"states a second: {self.states:.0f} handed over, {self.read:.0f} read",
            ]
        )

    @staticmethod
    def _row(name: str, plain: float, live: float, ratio: float, every: list[float]) -> str:
        return f"{name:24} {plain:9,.0f} {live:9,.0f} {ratio:7.3f}   {min(every):.3f} to {max(every):.3f}"


@dataclass(frozen=True)
class _LiveRun:
    """One run: frames per second of processor time and by the clock, states handed over and read per second."""

    cpu: float
    wall: float
    states: float = 0.0
    read: float = 0.0


def measure(title: Game, frames: int, rounds: int, stopped: Callable[[], bool], **opening: Any) -> LiveReport:
    """Measures a title. ``opening``: further arguments of ``open_title``.

    Raises KeyboardInterrupt once ``stopped()``.
    """
    plain: list[_LiveRun] = []
    live: list[_LiveRun] = []
    core = ""
    for number in range(-1, rounds):
        for kept, shown in [(plain, False), (live, True)][:: 1 if number % 2 else -1]:
            if stopped():
                raise KeyboardInterrupt
            with open_title(title, seed=number + 1, **opening) as session:
                session.leave_out_av()
                core = session.console.core_name
                turn = _shown(session, frames) if shown else _run(session, frames)
            if number >= 0:  # the first round only loads what later ones use
                kept.append(turn)
    cpu = [with_page.cpu / without.cpu for with_page, without in zip(live, plain, strict=True)]
    wall = [with_page.wall / without.wall for with_page, without in zip(live, plain, strict=True)]
    median = statistics.median
    return LiveReport(
        title.name,
        core,
        platform.machine(),
        frames,
        rounds,
        round(median(turn.cpu for turn in plain), 1),
        round(median(turn.cpu for turn in live), 1),
        round(median(cpu), 4),
        [round(one, 4) for one in cpu],
        round(median(turn.wall for turn in plain), 1),
        round(median(turn.wall for turn in live), 1),
        round(median(wall), 4),
        [round(one, 4) for one in wall],
        round(median(turn.states for turn in live), 1),
        round(median(turn.read for turn in live), 1),
    )


def _run(session: Session, frames: int, begun: Callable[[Any], None] = lambda _: None) -> _LiveRun:
    """Plays, and measures from the first pair on."""
    began: list[float] = []

    def on_run(run: Any) -> None:
        begun(run)
        began[:] = [time.thread_time(), time.perf_counter()]

    session.play(frames=frames, restart=True, on_run=on_run)
    cpu, wall = time.thread_time() - began[0], time.perf_counter() - began[1]
    return _LiveRun(frames / cpu, frames / wall)


def _shown(session: Session, frames: int) -> _LiveRun:
    """The same with the page, and a reader."""
    wish = Wish("127.0.0.1", 0, False, {}, session.game.family, session.rules)
    with linked(wish) as link, subprocess.Popen([*READER, link.url], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()  # it is connected
        broadcast = Broadcast(link.sender, {"game": session.game.name}, hurried=True)
        session.machine = LiveConsole(session.console, broadcast)
        sent = 0

        def begun(run: Any) -> None:
            nonlocal sent
            sent = broadcast.sent
            broadcast.watch(lambda: [WatchedSeat(run.player.seat, ("player",), run.player)])

        turn = _run(session, frames, begun)
        handed = broadcast.sent - sent
        broadcast.end("frames")
        seconds = frames / turn.wall
        read = int(reader.communicate()[0])
    return _LiveRun(turn.cpu, turn.wall, handed / seconds, read / seconds)


def main(url: str) -> None:
    """Reads the stream of the page at ``url`` to its end, and prints how many states came in play."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=600)
    connection.request("GET", "/api/live/events")
    answer = connection.getresponse()
    print("connected", flush=True)
    print(sum(1 for line in answer if line.startswith(b"data: ") and b'"field"' in line), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
