"""Crowds of bad clients of the page's server: they send or read slowly, send nonsense, or leave."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
from functools import cache
from pathlib import Path

from ochibot.ui.web import connections, guard
from ochibot.ui.web.connections import Refusals

from tests.fuzz.mutate import spoilt
from tests.fuzz.trial import Trial

PATIENCE = 120.0
"""Seconds within which a good client must have its answer. On an idle machine it has it within milliseconds."""
LIMITS = {
    "HEAD_SECONDS": 5.0,
    "WRITE_SECONDS": 5.0,
    "WAIT_SECONDS": 30.0,
    "MOST_CONNECTIONS": 24,
    "MOST_AT_ONCE": 6,
}
"""Small limits, so that a small crowd reaches them."""
SORTS = 7
"""How many sorts of bad clients there are (see ``_sent``)."""
AGAIN = 20
"""How often a good client that is reset tries again, after a twentieth of a second. The server may be busy with as many
requests as it has connections; but a slow client, which has five seconds, must not keep it busy."""

GET = b"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BODY = b'{"board": "R......\\nr......"}'
POST = b"POST /api/nyaa/value HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
POST += b"Content-Length: %d\r\n\r\n" % len(BODY)
CHUNKED = POST.replace(b"Content-Length: %d" % len(BODY), b"Transfer-Encoding: chunked")


@cache
def _port() -> int:
    """The port of this process's server, which runs in a thread until the process ends."""
    from ochibot.ui.web.app import prepare
    from ochibot.ui.web.server import bind, make_server

    prepare()
    listener = bind("127.0.0.1", 0)
    # these stay as long as the process, which runs other kinds of inputs in turn; none of those opens connections
    for name, value in LIMITS.items():
        setattr(connections, name, value)
    guard.BODY_SECONDS = 5.0
    server = make_server("127.0.0.1", listener, refusals=Refusals())
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return int(listener.getsockname()[1])


def _sent(dice: random.Random, how: int) -> bytes:
    """What a bad client of the sort ``how`` sends, before it waits, leaves, or reads a little."""
    if how == 0:
        return GET * dice.choice((2, 30, 200))
    if how == 1:
        return (POST + BODY) * dice.choice((2, 30))
    if how == 2:
        return POST + BODY[: dice.randrange(len(BODY))]
    if how == 3:
        return CHUNKED + dice.choice((b"", b"5\r\n", b'5\r\n{"boa', b"fffffffff\r\n{", b"x\r\n", b"0\r\n"))
    if how == 4:
        return dice.choice((GET, POST))[: dice.randrange(60)]
    if how == 5:
        return spoilt(dice, dice.choice((GET * 3, POST + BODY, CHUNKED)))
    return b"\r\n" * dice.choice((1, 5000)) + dice.choice((GET, b"", POST))


def _good_client(port: int, number: int) -> str | None:
    """What is wrong with the answer to a good client, or None."""
    for _ in range(AGAIN):
        try:
            return _asked(port, number)
        except ConnectionError:
            time.sleep(0.05)
        except OSError as error:
            return f"a good client gets {type(error).__name__}: {error}"
    return "a good client is reset again and again"


def _asked(port: int, number: int) -> str | None:
    request = (GET if number % 2 else POST + BODY).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as one:
        one.sendall(request)
        answer = b""
        while block := one.recv(65536):
            answer += block
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200 ") or len(body) < 300:
        return f"a good client gets {head[:60]!r} and {len(body)} bytes"
    return None


def visitors(dice: random.Random, _seeds: Path) -> Trial:
    """A crowd of 5 to 60 bad clients, and among them three good ones, each of which must be answered at once."""
    all_alike = dice.randrange(SORTS) if dice.random() < 0.6 else None
    crowd = []
    for _ in range(dice.choice((5, 30, 60))):
        how = dice.randrange(SORTS) if all_alike is None else all_alike
        leaves = all_alike is None and dice.random() < 0.2
        crowd.append((_sent(dice, how), dice.choice((0, 0, 0, 1, 500)), leaves))

    def call() -> str | None:
        port = _port()
        with contextlib.ExitStack() as stack:
            for number, (sent, read, leaves) in enumerate(crowd):
                one = stack.enter_context(socket.socket())
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.settimeout(0.05)
                # such a client may be closed at any moment, or find that the server doesn't read on
                with contextlib.suppress(OSError):
                    one.connect(("127.0.0.1", port))
                    one.sendall(sent)
                    if read:
                        one.recv(read)
                if leaves:
                    one.close()
                if number % (len(crowd) // 3) == 1 and (complaint := _good_client(port, number)) is not None:
                    return complaint
        return None

    return Trial(("web", f"(a crowd of {len(crowd)})"), call=call)
