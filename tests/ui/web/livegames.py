"""Runs real games with the live page, and reads what a browser would receive."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ochibot.games.protocols import Game
from ochibot.session import Session
from ochibot.ui.web.live.console import Broadcast, LiveConsole
from ochibot.ui.web.live.link import Sender, messages
from ochibot.ui.web.live.states import WatchedSeat

PATIENCE = 120
HOME = Path(__file__).parents[3]


class Stream:
    """A client of the stream of events. ``read`` returns (kind, content) one after another."""

    def __init__(self, address: str, path: str = "/api/live/events", **headers: str) -> None:
        host, _, port = address.removeprefix("http://").partition(":")
        self.connection = http.client.HTTPConnection(host, int(port.strip("/")), timeout=PATIENCE)
        self.connection.request("GET", path, headers=headers)
        self.answer = self.connection.getresponse()

    def read(self) -> Iterator[tuple[str, Any]]:
        kind = ""
        for raw in self.answer:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield kind, json.loads(line.removeprefix("data: "))

    def close(self) -> None:
        self.connection.close()


@contextlib.contextmanager
def running(*words: object) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """Starts a command with its live page. Yields its process, the page's address, and the lines that it printed."""
    command = [sys.executable, "-P", "-m", "ochibot", *map(str, words)]
    env = {**os.environ, "PYTHONPATH": str(HOME / "bot"), "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    errors: list[str] = []
    assert process.stderr is not None
    reader = threading.Thread(target=lambda stream: errors.extend(stream), args=(process.stderr,))
    reader.start()
    lines: list[str] = []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            if (found := re.search(r"(http://[^ ,/]+)/live\.html", line)) is not None:
                yield process, found[1], lines
                break
        else:
            raise AssertionError(f"the command has ended: {lines} {errors}")
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()  # type: ignore[union-attr]
        process.stderr.close()


def watched(*words: object) -> tuple[dict[str, list[Any]], str]:
    """Runs a command to its end while a client reads everything. Returns what came by kind, and what it printed."""
    found: dict[str, list[Any]] = {"about": [], "state": [], "reach": [], "end": [], "beat": []}
    with running(*words) as (process, address, lines):
        stream = Stream(address)
        for kind, content in stream.read():
            found[kind].append(content)
        stream.close()
        rest = process.communicate(timeout=PATIENCE)[0]
        assert process.returncode == 0, rest
    return found, "".join(lines) + rest


def moments(title: Game, frames: int, *, pieces: int | None = None, versus: bool = False) -> list[dict[str, Any]]:
    """The messages of a real game, played in this process: ``about`` and each ``state``."""
    from ochibot.session.opening import open_title

    ours, other = socket.socketpair()
    found: list[dict[str, Any]] = []

    def hear() -> None:
        for kind, content in messages(other):
            if kind in (b"a", b"s"):
                found.append({"kind": {b"a": "about", b"s": "state"}[kind], "content": json.loads(content)})

    reader = threading.Thread(target=hear)
    reader.start()
    with open_title(title, mode=title.versus_mode if versus else title.solo_mode, seed=1) as session:
        broadcast = _broadcast(session, Sender(ours))
        session.leave_out_av()
        if versus:
            session.options = {**title.defaults("battle", session.maps(title.versus_mode)[0])}
            _fight(session, broadcast, pieces or 20)
        else:
            session.play(
                pieces=pieces,
                frames=frames,
                on_run=lambda run: broadcast.watch(
                    lambda: [WatchedSeat(run.player.seat, ("article", "speed 10"), run.player)]
                ),
            )
        broadcast.show()
        broadcast._sender.close(PATIENCE)
    reader.join()
    return found


def _broadcast(session: Session, sender: Sender) -> Broadcast:
    seconds = iter(range(10**9))  # a state is due in every frame
    about = {"game": session.game.name, "rules": session.rules.name, "family": "", "fps": session.console.fps}
    broadcast = Broadcast(sender, about, clock=lambda: float(next(seconds)))
    session.machine = LiveConsole(session.console, broadcast)
    return broadcast


def _fight(session: Session, broadcast: Broadcast, pieces: int) -> None:
    from ochibot.play.battle import Contestant

    minds = [session.open_player(seed=number) for number in range(2)]
    sides = Contestant("one", minds[0], 10), Contestant("two", minds[1], 10)
    fight = session.contest(sides, seed=3, max_pieces=pieces)
    broadcast.watch(
        lambda: [
            WatchedSeat(hands.seat, (f"player {hands.seat.number}", "speed 10"), hands) for hands in fight.seats or ()
        ]
    )
    fight.run(1)
