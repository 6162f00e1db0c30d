"""The server under load: half-open connections, many clients at once, and Ctrl-C while requests are open."""

from __future__ import annotations

import contextlib
import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import pytest
import uvicorn
from fastapi import APIRouter
from ochibot.ui.web import connections
from ochibot.ui.web.connections import Refusals
from ochibot.ui.web.features import Feature

from tests.ui.web.live import serving, serving_as

BRANCHES = "...R...\n..rr...\n...rr..\n...r..."


def connect(url: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), 600)


@contextmanager
def half_open(url: str, many: int) -> Iterator[list[socket.socket]]:
    """Opens connections that send nothing, half a Host line, or a head without the empty line at its end."""
    starts = [b"", b"GET / HTTP/1.1\r\nHost: 127", b"POST /api/nyaa/value HTTP/1.1\r\nHost: 127.0.0.1\r\n"]
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(url)) for _ in range(many)]
        for number, one in enumerate(opened):
            one.sendall(starts[number % len(starts)])
        yield opened


def ask(url: str) -> int:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=600)
    try:
        connection.request("GET", "/index.html")
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


def test_half_open_connections_block_nobody() -> None:
    with serving() as url, half_open(url, 99):
        assert [ask(url) for _ in range(3)] == [200] * 3


def test_half_open_connections_are_closed_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    refusals = Refusals()
    with serving(refusals=refusals) as url, half_open(url, 99) as opened:
        for one in opened:
            while one.recv(1000):
                pass
    assert (refusals.slow, refusals.busy, refusals.crowded) == (99, 0, 0)
    assert str(refusals) == "99 connections closed for want of a request"


def test_a_head_that_comes_in_drops_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    with serving() as url, connect(url) as one:
        one.settimeout(0.05)
        dropped = 0
        for letter in b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 2000:
            try:
                one.sendall(bytes([letter]))
                if one.recv(1000) == b"":
                    break
            except TimeoutError:
                dropped += 1
            except ConnectionError:
                break
        else:
            pytest.fail("the server waited for the whole head")
        assert dropped > 0


@pytest.mark.long
def test_a_connection_that_has_asked_may_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time limit for the head starts again with each request, and is lifted once the head is complete."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 2.0)
    refusals = Refusals()
    with serving(refusals=refusals) as url, httpx.Client(base_url=url, timeout=600) as client:
        for _ in range(6):
            assert client.get("/sw.js").status_code == 200
            time.sleep(0.5)
    assert refusals.slow == 0


def test_a_newcomer_takes_the_place_of_an_idle_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 20)
    refusals = Refusals()
    with serving(refusals=refusals) as url, half_open(url, 40) as opened:
        assert ask(url) == 200
        assert opened[0].recv(1000) == b""
    assert refusals.crowded >= 21


HEAD = (
    b"POST /api/nyaa/value HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
)
ASKS = b"GET /app.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100
"""A hundred requests. Their answers have megabytes, more than the system keeps for a connection that nobody reads."""


@contextmanager
def slow_bodies(url: str, many: int) -> Iterator[list[socket.socket]]:
    """Opens connections that send the head and the beginning of a body."""
    with ExitStack() as stack:
        opened = [stack.enter_context(connect(url)) for _ in range(many)]
        for one in opened:
            with contextlib.suppress(ConnectionError):  # it may have been closed to make room
                one.sendall(HEAD + b'{"board"')
        yield opened


@contextmanager
def never_reading(url: str, many: int) -> Iterator[list[socket.socket]]:
    """Opens connections that ask again and again, and never read the answers."""
    host, port = "127.0.0.1", int(url.rpartition(":")[2])
    with ExitStack() as stack:
        opened = []
        for _ in range(many):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.settimeout(600)
            one.connect((host, port))
            one.sendall(ASKS)
            opened.append(one)
        yield opened


def stuck(server: uvicorn.Server) -> int:
    """How many connections of the server wait for their client to read."""
    return sum(one.flow.write_paused for one in list(server.server_state.connections))  # type: ignore[union-attr]


def wait_until(true: Callable[[], bool]) -> None:
    """Waits, however slow the machine is: up to ten minutes."""
    for _ in range(60_000):
        if true():
            return
        time.sleep(0.01)
    pytest.fail("it never comes to that")


def test_slow_bodies_block_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, they reset all new connections, because none of them was idle."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 20)
    refusals = Refusals()
    with serving(refusals=refusals) as url, slow_bodies(url, 30):
        assert [ask(url) for _ in range(3)] == [200] * 3
    # 10 bodies, and three times the newcomer's own place, unless it had already left
    assert 11 <= refusals.crowded <= 13
    assert (refusals.busy, refusals.slow) == (0, 0)


def test_those_who_never_read_block_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, they kept all the places, and everybody else was refused with 503."""
    monkeypatch.setattr(connections, "MOST_AT_ONCE", 8)
    refusals = Refusals()
    with serving_as(refusals) as (url, server), never_reading(url, 12):
        wait_until(lambda: stuck(server) == 12)
        assert [ask(url) for _ in range(3)] == [200] * 3
    assert (refusals.busy, refusals.crowded) == (0, 0)


def test_they_make_room_for_newcomers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 8)
    refusals = Refusals()
    with serving_as(refusals) as (url, server), never_reading(url, 8):
        wait_until(lambda: stuck(server) == 8)
        assert [ask(url) for _ in range(3)] == [200] * 3
    assert (refusals.busy, refusals.crowded) == (0, refusals.crowded)
    assert 1 <= refusals.crowded <= 3


def test_those_who_never_read_are_closed_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WRITE_SECONDS", 0.3)
    refusals = Refusals()
    with serving_as(refusals) as (_, server), never_reading(_, 5):
        wait_until(lambda: refusals.unread == 5)
        wait_until(lambda: not server.server_state.connections)
    assert str(refusals) == "5 connections closed because nobody read the answers"


def test_reading_in_drops_gains_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WRITE_SECONDS", 0.5)
    refusals = Refusals()
    with serving_as(refusals) as (url, server), never_reading(url, 1) as (one,):
        wait_until(lambda: stuck(server) == 1)
        with contextlib.suppress(ConnectionError):
            while one.recv(1):
                if refusals.unread:
                    break
                time.sleep(0.01)
    assert refusals.unread == 1


def test_who_reads_late_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """All hundred answers, in their order, although the client begins to read only when the server can't go on."""
    monkeypatch.setattr(connections, "WRITE_SECONDS", 600.0)
    whole = httpx.Client()
    with serving_as(Refusals()) as (url, server), never_reading(url, 1) as (one,), whole:
        expected = whole.get(f"{url}/app.js").content
        wait_until(lambda: stuck(server) == 1)
        with one.makefile("rb") as stream:
            for _ in range(100):
                assert stream.readline() == b"HTTP/1.1 200 OK\r\n"
                heads = dict(line.split(b": ", 1) for line in iter(stream.readline, b"\r\n"))
                assert stream.read(int(heads[b"content-length"])) == expected


def test_a_client_that_never_reads_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_FAREWELL", 0.1)
    with serving_as(Refusals()) as (url, server), never_reading(url, 3):
        wait_until(lambda: stuck(server) == 3)
        server.should_exit = True
        wait_until(lambda: not server.server_state.connections)


def test_200_clients_at_once_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "WAIT_SECONDS", 600.0)
    monkeypatch.setattr(connections, "HEAD_SECONDS", 600.0)
    refusals = Refusals()
    with serving(refusals=refusals) as url:
        together = threading.Barrier(200)

        def client(number: int) -> bool:
            connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=600)
            try:
                connection.connect()
                together.wait(600)
                if number % 2:
                    connection.request("GET", "/app.js")
                else:
                    body = '{"board": "' + BRANCHES.replace("\n", "\\n") + '"}'
                    connection.request("POST", "/api/nyaa/value", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                return response.status == 200 and len(response.read()) > 500
            finally:
                connection.close()

        with ThreadPoolExecutor(200) as threads:
            assert all(threads.map(client, range(200)))
    assert str(refusals) == ""


def test_over_the_limit_newcomers_are_asked_to_come_again_while_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "MOST_AT_ONCE", 2)
    monkeypatch.setattr(connections, "WAIT_SECONDS", 0.2)
    router, leave, inside = APIRouter(), threading.Event(), threading.Semaphore(0)

    @router.get("/work")
    def work() -> str:
        inside.release()
        leave.wait(600)
        return "done"

    refusals = Refusals()
    with serving((Feature("slow", router),), refusals=refusals) as url, ThreadPoolExecutor(2) as threads:
        going = [threads.submit(httpx.get, f"{url}/api/slow/work", timeout=600) for _ in range(2)]
        for _ in going:
            inside.acquire()
        answer = httpx.get(f"{url}/", timeout=600)
        leave.set()
        assert [one.result().text for one in going] == ['"done"'] * 2
        assert httpx.get(f"{url}/", timeout=600).status_code == 200
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert "come again" in answer.json()["error"]
    assert refusals.busy == 1


def test_ctrl_c_in_the_middle_of_bodies_is_quiet() -> None:
    command = [sys.executable, "-m", "ochibot", "web", "--no-open", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+:\d+", server.stdout.readline())
        assert found is not None
        url = found.group()
        with half_open(url, 9) as opened:
            head = b"POST /api/nyaa/value HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            for one in opened[:5]:
                one.close()
            with connect(url) as one, connect(url) as other:
                for started in (one, other):
                    started.sendall(head + b'Content-Length: 50\r\n\r\n{"board"')
                assert ask(url) == 200
                server.send_signal(signal.SIGINT)
                rest, complaints = server.communicate(timeout=600)
    finally:
        server.kill()
    assert (server.returncode, complaints) == (0, "")
    assert rest.startswith("the server has ended")
