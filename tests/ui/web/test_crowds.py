"""The server under load: half-open connections, many clients at once, and Ctrl-C while requests are open."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import httpx
import pytest
from fastapi import APIRouter
from ochibot.ui.web import connections
from ochibot.ui.web.connections import Refusals
from ochibot.ui.web.features import Feature

from tests.ui.web.live import serving

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
