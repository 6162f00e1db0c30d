"""``python -m ochibot.ui.web.live.process``: serves the live page for a game that runs in another process."""

from __future__ import annotations

import json
import os
import pickle
import queue
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from ochibot.errors import OchibotError, UsageError
from ochibot.ui.web.app import FEATURES
from ochibot.ui.web.connections import Refusals
from ochibot.ui.web.live.api import Door, Feed, feature_of
from ochibot.ui.web.live.link import ABOUT, END, PAGE, STATE, THINK, Wish, messages
from ochibot.ui.web.server import bind, is_local, make_server, url_of

USUAL_PORT = 8017
THINK_PRIORITY = 10
_PAGE_FILE = Path(__file__).with_name(PAGE)


class Thoughts:
    """Works out in a thread of its own what the visible pieces can set off, for the newest snapshot of each seat."""

    def __init__(self, feed: Feed, wish: Wish) -> None:
        self._feed = feed
        self._wish = wish
        self._newest: dict[int, Any] = {}
        self._calls: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._said: dict[int, dict[str, int] | None] = {}
        if getattr(wish.family, "adviser", None) is not None:
            threading.Thread(target=self._run, daemon=True).start()

    def put(self, seat: int, snapshot: Any) -> None:
        """Asks about a snapshot. An older one of the seat that nobody has looked at is dropped."""
        asked = self._newest.get(seat) is None
        self._newest[seat] = snapshot
        if asked:
            self._calls.put(seat)

    def _run(self) -> None:
        if sys.platform == "linux":  # there a priority is one thread's, and the game may need this processor
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), THINK_PRIORITY)
        adviser = self._wish.family.adviser(self._wish.rules)
        if not hasattr(adviser, "in_reach"):
            return
        while True:
            seat = self._calls.get()
            snapshot, self._newest[seat] = self._newest[seat], None
            try:
                found = adviser.in_reach(snapshot)
            except OchibotError:
                found = None
            self._said[seat] = None if found is None else {"steps": found.steps, "made": found.made, "sent": found.sent}
            self._feed.put("reach", json.dumps(self._said).encode())


def _listener(wish: Wish) -> socket.socket:
    if wish.port is not None:
        return bind(wish.host, wish.port, allow_remote=wish.allow_remote)
    try:
        return bind(wish.host, USUAL_PORT, allow_remote=wish.allow_remote)
    except UsageError:
        raise
    except OchibotError:
        return bind(wish.host, 0, allow_remote=wish.allow_remote)


def _say(**said: str) -> None:
    print(json.dumps(said), flush=True)


def main() -> None:
    """Serves until the game's end of the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    port, token, wish = pickle.loads(sys.stdin.buffer.read())
    try:
        listener = _listener(wish)
    except UsageError as error:
        _say(usage=str(error))
        return
    except OchibotError as error:
        _say(error=str(error))
        return
    feed, door = Feed(), Door(closed=not is_local(listener))
    features = (*FEATURES, feature_of(feed, door, listener.getsockname()[1]))
    pages = {**wish.pages, PAGE: _PAGE_FILE.read_text(encoding="utf-8")}
    server = make_server(wish.host, listener, features, Refusals(), pages)
    with listener, socket.create_connection(("127.0.0.1", port)) as game:
        game.sendall(token.encode())
        serving = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        serving.start()
        _say(url=f"{url_of(listener)}{PAGE}", code=door.code)
        _follow(game, feed, Thoughts(feed, wish))
        feed.close()
        server.should_exit = True
        serving.join()


def _follow(game: socket.socket, feed: Feed, thoughts: Thoughts) -> None:
    names = {ABOUT: "about", STATE: "state", END: "end"}
    for kind, content in messages(game):
        if kind == THINK:
            thoughts.put(*pickle.loads(content))
        elif kind in names:
            feed.put(names[kind], content, last=kind == END)


if __name__ == "__main__":
    main()
