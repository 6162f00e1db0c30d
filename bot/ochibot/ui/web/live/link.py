"""Starts the process that serves the live page, and connects the game to it."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import pickle
import secrets
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.ui.web import WebError, need_web
from ochibot.ui.web.live.wire import Sender

COMMAND: Final = (sys.executable, "-P", "-m", "ochibot.ui.web.live.process")
START_SECONDS: Final = 60.0
"""How long the process may take to start. It is long, because the machine may be busy with other programs."""
_END_SECONDS: Final = 5.0
PAGE: Final = "live.html"


@dataclass(frozen=True)
class Wish:
    """Where to serve. port: None: the usual one, or another one if that is taken. pages: others to serve, by name."""

    host: str
    port: int | None
    allow_remote: bool
    pages: Mapping[str, str]
    family: Any = None
    rules: Any = None


@dataclass(frozen=True)
class Link:
    """A page that is served. url: its address on this machine. code: what other machines' browsers must type; empty on
    loopback. sender: takes what the page shows. process: the number of the process that serves.
    """

    url: str
    code: str
    sender: Sender
    process: int


@contextlib.contextmanager
def linked(wish: Wish) -> Iterator[Link]:
    """Serves the page while the block runs. Raises WebError or UsageError if it can't be served."""
    need_web()
    home = str(Path(__file__).resolve().parents[4])
    path = os.pathsep.join(part for part in (home, os.environ.get("PYTHONPATH")) if part)
    token = secrets.token_hex(16)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(START_SECONDS)
        given = pickle.dumps((listener.getsockname()[1], token, wish))
        process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            # Ctrl-C is for the game: the process ends when the game's end of the connection closes
            start_new_session=True,
        )
        try:
            told = _begin(process, given)
            sender = Sender(_accept(listener, token))
        except BaseException:
            process.kill()
            process.wait()
            raise
    try:
        yield Link(told["url"], told["code"], sender, process.pid)
    finally:
        sender.close(_END_SECONDS)
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _begin(process: subprocess.Popen[bytes], given: bytes) -> dict[str, str]:
    """Gives the process its task, and returns what it says about the page."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(given)
        process.stdin.close()
        line = process.stdout.readline()
        said: dict[str, str] = json.loads(line)
    except (OSError, ValueError):
        raise WebError("the live page's process has ended at once: see what it wrote above") from None
    finally:
        process.stdout.close()
    if "usage" in said:
        raise UsageError(said["usage"])
    if "error" in said:
        raise WebError(said["error"])
    return said


def _accept(listener: socket.socket, token: str) -> socket.socket:
    """The connection of the process, which knows the token. Others on this machine may connect, but don't."""
    while True:
        try:
            connection, _ = listener.accept()
            connection.settimeout(START_SECONDS)
            said = connection.recv(len(token))
        except OSError:
            raise WebError("the live page's process doesn't answer") from None
        if hmac.compare_digest(said, token.encode()):
            return connection
        connection.close()
