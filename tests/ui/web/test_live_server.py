"""The live page's server: who is let in, what is sent to whom, and what holds nobody up."""

from __future__ import annotations

import contextlib
import json
import math
import socket
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from ochibot.errors import GameError
from ochibot.ui.web.live import api as feeds
from ochibot.ui.web.live.api import MOST_WRONG, TRIES, WAIT_SECONDS, Door, Feed, feature_of
from ochibot.ui.web.live.console import Broadcast, LiveConsole
from ochibot.ui.web.live.link import ABOUT, END, PAGE, STATE, Sender, messages
from ochibot.ui.web.live.process import _PAGE_FILE

from tests.cli.test_bad_input import refused
from tests.ui.web.live import serving
from tests.ui.web.livegames import Stream, running
from tests.ui.web.test_server import raw
from tests.ui.web.test_server import refused as refused_by


@contextlib.contextmanager
def live(*, closed: bool = False) -> Iterator[tuple[str, Feed, Door]]:
    """A server with the live page. ``closed``: a code has to be typed, as on a server that other machines reach."""
    feed, door = Feed(), Door(closed=closed)
    pages = {PAGE: _PAGE_FILE.read_text("utf-8")}
    with serving((feature_of(feed, door, 1),), pages=pages) as url:
        try:
            yield url, feed, door
        finally:
            feed.close()


# Who is let in


def test_the_server_s_guards_stand_before_it() -> None:
    with live() as (url, feed, _):
        feed.put("state", b'{"frame":1}')
        host = url.removeprefix("http://")
        for path in ("/api/live/now", "/api/live/events"):
            assert raw(url, "GET", path, Host="evil.example")[0] == 421
            assert raw(url, "GET", path, Host=host, Origin="http://evil.example")[0] == 403
            assert raw(url, "GET", path, Host=host, Sec_Fetch_Site="cross-site")[0] == 403
        assert raw(url, "GET", "/api/live/now", Host=host) == (200, {"state": {"frame": 1}})
        code = b'{"code":"1"}'
        assert raw(url, "POST", "/api/live/code", code, Host=host, Content_Type="text/plain")[0] == 415
        assert raw(url, "POST", "/api/live/code", b'{"code":1}', Host=host, Content_Type="application/json")[0] == 422
        page = httpx.get(f"{url}/{PAGE}")
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "connect-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy


def test_without_the_code_nothing_is_told() -> None:
    with live(closed=True) as (url, feed, door), httpx.Client(base_url=url) as client:
        feed.put("state", b'{"frame":1}')
        for path in ("/api/live/now", "/api/live/events"):
            refused_by(client.get(path), 401, "type the code")
            refused_by(client.get(path, headers={"cookie": "ochibot-live-1=guessed"}), 401)
            refused_by(client.get(path, headers={"cookie": f"ochibot-live-1={door.code}"}), 401)
        wrong = "0" if door.code != "0" else "1"
        refused_by(client.post("/api/live/code", json={"code": wrong}), 403, "isn't the code")
        answer = client.post("/api/live/code", json={"code": f" {door.code[:3]} {door.code[3:]} "})
        assert answer.status_code == 200
        said = answer.headers["set-cookie"].lower()
        assert "httponly" in said
        assert "samesite=strict" in said
        assert door.code not in said
        assert client.get("/api/live/now").json() == {"state": {"frame": 1}}
        # another browser is still outside
        refused_by(httpx.get(f"{url}/api/live/now"), 401)


def test_codes_can_not_be_tried_at_will() -> None:
    now = [0.0]
    door = Door(closed=True, clock=lambda: now[0])
    assert len(door.code) == 6
    inside = door.enter(door.code)
    assert inside is not None
    wrong = f"{(int(door.code) + 1) % 10**6:06}"
    for tried in range(MOST_WRONG):
        assert door.waits() == 0
        assert door.enter(wrong) is None
        if (tried + 1) % TRIES == 0 and tried + 1 < MOST_WRONG:
            assert door.waits() == WAIT_SECONDS
            now[0] += WAIT_SECONDS - 1
            assert door.waits() == 1
            now[0] += 1
    now[0] += 1e9
    assert door.waits() == math.inf
    # who is in stays in
    assert door.admits(inside)
    assert not door.admits("")


def test_too_many_codes_are_refused_by_the_server() -> None:
    with live(closed=True) as (url, _, door), httpx.Client(base_url=url) as client:
        for _ in range(TRIES):
            assert client.post("/api/live/code", json={"code": "x"}).status_code == 403
        # now even the right one is refused
        answer = client.post("/api/live/code", json={"code": door.code})
        refused_by(answer, 429, "wait a minute")
        assert 0 < int(answer.headers["retry-after"]) <= WAIT_SECONDS


def test_an_open_door_takes_no_code() -> None:
    door = Door(closed=False)
    assert door.code == ""
    assert door.admits("")
    assert door.enter("") is None


def test_each_server_has_a_code_of_its_own() -> None:
    assert len({Door(closed=True).code for _ in range(20)}) > 15


def test_other_machines_only_when_both_options_ask_for_them() -> None:
    assert "can be reached from other machines" in refused("play", "--web", "--host", "0.0.0.0", "--frames", 5)
    words = ("--host", "0.0.0.0", "--allow-remote", "--frames", 600, "--pace", 1, "--port", 0)
    with running("play", "--web", *words) as (process, address, lines):
        assert process.stdout is not None
        here = next(line for line in process.stdout if "#code=" in line)
        code = lines[-1].rpartition(" ")[2].strip()
        assert here.strip().endswith(f"#code={code}")
        local = f"http://127.0.0.1:{address.rpartition(':')[2]}"
        refused_by(httpx.get(f"{local}/api/live/now"), 401)
        with httpx.Client(base_url=local) as client:
            assert client.post("/api/live/code", json={"code": code}).status_code == 200
            assert "state" in client.get("/api/live/now").json() or client.get("/api/live/now").status_code == 200


def test_options_of_the_page_need_it() -> None:
    for words in (("--host", "127.0.0.1"), ("--port", 0), ("--allow-remote",), ("--pace", 1)):
        assert "belongs to --web" in refused("play", *words, "--frames", 5)
    assert "--web works in one process" in refused("battle", "--web", "--jobs", 2)
    assert "nothing else paces" in refused("play", "--web", "--pace", 1, "--window")
    assert "give --live, too" in refused("web", "nyaa")
    assert "--live shows a game" in refused("web", "--live", "--export", "x")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert "is taken" in refused("play", "--web", "--port", taken.getsockname()[1], "--frames", 5)


# What is sent


def test_a_page_that_comes_late_gets_the_newest() -> None:
    with live() as (url, feed, _):
        feed.put("about", b'{"game":"puyo"}')
        for frame in range(5):
            feed.put("state", b'{"frame":%d}' % frame)
        stream = Stream(url)
        assert stream.answer.getheader("content-type") == "text/event-stream; charset=utf-8"
        assert stream.answer.getheader("cache-control") == "no-store"
        told = stream.read()
        assert [next(told), next(told)] == [("about", {"game": "puyo"}), ("state", {"frame": 4})]
        feed.put("state", b'{"frame":5}')
        assert next(told) == ("state", {"frame": 5})
        feed.put("end", b'{"why":"pieces"}', last=True)
        assert list(told) == [("end", {"why": "pieces"})]


def test_silence_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "BEAT_SECONDS", 0.05)
    with live() as (url, feed, _):
        stream = Stream(url)
        assert next(stream.read())[0] == "beat"
        feed.put("end", b"{}", last=True)
        stream.close()


def test_only_so_many_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    from ochibot.ui.web.live import api

    monkeypatch.setattr(feeds, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(api, "MOST_WATCHERS", 3)
    with live() as (url, feed, _):
        several = [Stream(url) for _ in range(3)]
        for one in several:
            next(one.read())
        refused_by(httpx.get(f"{url}/api/live/events"), 503, "3 pages are watching")
        several[0].close()
        end = time.monotonic() + 60
        while feed.watchers == 3:
            assert time.monotonic() < end
            time.sleep(0.02)
        another = Stream(url)
        assert another.answer.status == 200
        for one in (*several[1:], another):
            one.close()


@pytest.mark.long
def test_a_deaf_client_misses_states_and_holds_nobody() -> None:
    """It never reads; another one gets the newest of 3,000 large states, and so does the deaf one when it wakes."""
    with live() as (url, feed, _):
        deaf = socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])))
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(b"GET /api/live/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        reader = Stream(url)
        told = reader.read()
        filling = "x" * 4000
        for frame in range(3_000):
            feed.put("state", json.dumps({"frame": frame, "filling": filling}).encode())
            if frame % 100 == 0:
                while next(told)[1]["frame"] != frame:
                    pass
        feed.put("end", b'{"why":"pieces"}', last=True)
        assert [*told][-1] == ("end", {"why": "pieces"})
        reader.close()
        received = bytearray()
        while part := deaf.recv(1 << 16):
            received += part
            if b"event: end" in received:
                break
        deaf.close()
        assert b"event: end" in received
        # the system keeps some for it; of 12 MB, most has been skipped
        assert received.count(b"event: state") < 1500


# The way from the game


def test_nothing_waits_for_the_page_s_process() -> None:
    ours, other = socket.socketpair()
    sender = Sender(ours)
    sender.send(ABOUT, b"first", keep=True)
    content = b"x" * 2_000
    began = time.thread_time()
    for _ in range(20_000):
        sender.send(STATE, content)
    assert time.thread_time() - began < 5
    assert sender.dropped > 10_000
    assert sender.send(ABOUT, b"second", keep=True)
    assert sender.send(END, b"last", keep=True)
    assert not sender.free
    found: list[tuple[bytes, bytes]] = []
    reader = threading.Thread(target=lambda: found.extend(messages(other)))
    reader.start()
    sender.close(60)
    reader.join()
    assert [content for kind, content in found if kind != STATE] == [b"first", b"second", b"last"]
    assert {content for kind, content in found if kind == STATE} == {content}
    assert found[0] == (ABOUT, b"first")


@pytest.mark.parametrize("a_second", [1_000, 5_000, 30_000])
def test_a_game_in_a_hurry_hands_over_sixty_states_a_second(a_second: int, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])
    ours, other = socket.socketpair()
    found: list[tuple[bytes, bytes]] = []
    reader = threading.Thread(target=lambda: found.extend(messages(other)))
    reader.start()
    broadcast = Broadcast(Sender(ours), {}, hurried=True)
    console: Any = LiveConsole(types.SimpleNamespace(step=lambda *_: None), broadcast)
    for _ in range(2 * a_second):
        console.step(0)
        now[0] += 1 / a_second
    broadcast.end()
    ours.close()
    reader.join()
    assert 115 <= sum(kind == STATE for kind, _ in found) <= 132


def test_a_process_that_has_gone_is_noticed() -> None:
    ours, other = socket.socketpair()
    sender = Sender(ours)
    other.close()
    for _ in range(3):
        sender.send(STATE, b"x")
    assert sender.gone
    assert not sender.send(END, b"", keep=True)
    sender.close(1)


@pytest.mark.parametrize("sent", [b"", b"s", b"s\0\0\0\5abc", b"s\xff\xff\xff\xff" + b"x" * 50])
def test_broken_messages_end_it(sent: bytes) -> None:
    ours, other = socket.socketpair()
    ours.sendall(sent)
    ours.close()
    assert list(messages(other)) == []


def test_the_page_loads_nothing_from_elsewhere() -> None:
    page: Any = Path(_PAGE_FILE).read_text("utf-8")
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page
    assert "src=" not in page.partition("<script>")[0]


# What can't be read


def test_a_seat_that_can_not_be_read_is_told_as_in_the_menus() -> None:
    """A pointer that leads nowhere yet, or a plan that can't be drawn, must not end the game."""
    from ochibot.errors import PointerError
    from ochibot.ui.web.live.states import Stage, WatchedSeat

    from tests.titles import PUYO, open_console, seat_of

    with open_console(None) as console:
        seat = seat_of(PUYO, console)
        stage, seats = Stage({"game": "puyo"}), [WatchedSeat(seat, ("you",))]
        assert json.loads(stage.about(seats))["board"]["letters"] == ".RGBYPCo"

        def astray() -> int:
            raise PointerError("it leads nowhere")

        seat.in_menus = lambda: False
        seat.score = astray
        assert json.loads(stage.state(7, seats)) == {
            "frame": 7,
            "paused": False,
            "seats": [{"seat": 1, "phase": "menus"}],
        }
        seat.look = object()
        with pytest.raises(GameError, match="without --web"):
            Stage({}).state(1, seats)
