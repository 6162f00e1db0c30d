"""The server: what it answers and what it refuses. Each refusal is one sentence in JSON."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from fastapi import APIRouter
from ochibot.nyaa import Grid, Ruleset, ignite
from ochibot.ui.web import guard
from ochibot.ui.web.app import create_app
from ochibot.ui.web.export import STATIC, names
from ochibot.ui.web.features import Feature
from ochibot.ui.web.guard import Hosts

from tests.ui.web.latency import DENSE
from tests.ui.web.live import serving

BRANCHES = "...R...\n..rr...\n...rr..\n...r..."
FIVE_BLOCKS_THREE_TAILS = 8


@pytest.fixture(scope="module")
def client(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, follow_redirects=True) as opened:
        yield opened


def refused(response: Any, status: int, words: str = "") -> str:
    """Asserts that a response is an error with this status and a sentence with these words. Returns the sentence."""
    assert response.status_code == status, response.text
    assert set(response.json()) == {"error"}
    sentence = str(response.json()["error"])
    assert "Traceback" not in response.text
    assert words in sentence
    return sentence


def raw(address: str, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, dict[str, Any]]:
    """Sends a request with path and headers exactly as given. Returns the status and the JSON ({} if it is none)."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=600)
    try:
        connection.putrequest(method, path, skip_host="Host" in headers)
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        if body is not None:
            sent.setdefault("Content-Length", str(len(body)))
        for name, text in sent.items():
            connection.putheader(name, text)
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        assert "Traceback" not in content.decode()
        if response.headers.get_content_type() != "application/json":
            return response.status, {}
        return response.status, json.loads(content)
    finally:
        connection.close()


# What it answers


def test_the_value_is_that_of_the_rules(client: httpx.Client) -> None:
    response = client.post("/api/nyaa/value", json={"board": BRANCHES})
    assert response.status_code == 200
    answer = response.json()
    assert answer["board"] == ".......\n" * 8 + BRANCHES
    for name in ("mvs", "ps2"):
        assert answer[name]["attack"] == [FIVE_BLOCKS_THREE_TAILS] * 2
        assert (answer[name]["exact"], answer[name]["tails"], answer[name]["t"]) == (True, [2, 3, 3], 3)
    (outcome,) = answer["mvs"]["outcomes"]
    assert [(tail["x"], tail["y"]) for tail in outcome["tails"]] == [(3, 3), (5, 2), (4, 1)]
    assert outcome["tails"][2]["path"] == [[4, 3], [4, 2], [4, 1]]
    assert outcome["steps"][9:] == [[0, 0, 2, 1, 0, 0, 0], [0, 0, 0, 2, 3, 0, 0], [0, 0, 0, 3, 0, 0, 0]]


def test_a_tie_has_all_its_outcomes(client: httpx.Client) -> None:
    tie = "...G...\n...g...\n..ggg..\n..g.g..\n..ggg..\n..g...."
    answer = client.post("/api/nyaa/value", json={"board": tie}).json()["ps2"]
    # both branches reach the ring's bottom cell at once: from the right the tails are 6 + 6, from the left 5 + 6 + 6
    assert (answer["attack"], answer["exact"], answer["open_ties"]) == ([12, 17], False, [[4, 2]])
    assert [outcome["attack"] for outcome in answer["outcomes"]] == [12, 17]


def test_many_ties_are_counted(client: httpx.Client) -> None:
    text = "\n".join(["g.g.g.g", "ggGgGgg"] * 6)
    answer = client.post("/api/nyaa/value", json={"board": text}).json()
    for ruleset in Ruleset:
        value = ignite(Grid.parse(text), ruleset)
        shown = answer[ruleset.value]
        assert shown["attack"] == [value.low, value.high]
        assert shown["outcomes_total"] == len(value.outcomes) > 1
        attacks = [outcome["attack"] for outcome in shown["outcomes"]]
        assert (attacks[0], attacks[-1]) == (value.low, value.high)
        assert len(attacks) <= 6


def test_a_board_with_too_many_ties_is_answered_small_and_said_to_be_incomplete(client: httpx.Client) -> None:
    response = client.post("/api/nyaa/value", json={"board": DENSE})
    assert len(response.content) < 60_000
    shown = response.json()["mvs"]
    assert (shown["complete"], shown["exact"]) == (False, False)
    whole = ignite(Grid.parse(DENSE), Ruleset.MVS)
    assert whole.low <= shown["attack"][0] < shown["attack"][1] <= whole.high
    assert len(shown["outcomes"]) == 6 < shown["outcomes_total"] < whole.total


def test_the_page_and_its_files(client: httpx.Client) -> None:
    shown = client.get("/")
    assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    for name in names():
        answer = client.get(f"/{name}")
        assert (answer.status_code, answer.content) == (200, (STATIC / name).read_bytes())
    assert client.get("/manifest.webmanifest").headers["content-type"] == "application/manifest+json"
    assert client.get("/favicon.ico").headers["content-type"] == "image/svg+xml"
    # the page's former address leads to the present one
    assert client.get("/nyaa", params={"b": "1", "view": "ps2"}).url.raw_path == b"/?b=1&view=ps2"
    assert client.get("/nyaa").url.raw_path == b"/"


def test_a_wrong_address_shows_a_page_to_people(client: httpx.Client) -> None:
    shown = client.get("/no/such/page", headers={"Accept": "text/html,*/*"})
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert 'href="/"' in shown.text
    refused(client.get("/no/such/page"), 404, "/no/such/page")


@pytest.mark.parametrize("path", ["/", "/favicon.ico", "/app.js"])
def test_head_is_get_without_the_body(client: httpx.Client, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]
    assert head.headers["content-length"] == get.headers["content-length"]


def test_everything_comes_from_the_server_itself() -> None:
    for file in STATIC.rglob("*"):
        if file.is_file():
            content = file.read_text("utf-8", errors="replace")
            addresses = set(re.findall(r"(?:https?:)?//[\w.-]+\.[a-z]{2,}\S*", content))
            assert all("www.w3.org" in one for one in addresses), (file, addresses)


@pytest.mark.parametrize("path", ["/", "/sw.js", "/app.js", "/nothing", "/?b=%00"])
def test_every_answer_is_guarded(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert "access-control-allow-origin" not in headers


# What it refuses


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("r......\nrr", "line 2, column 3"),
        ("r......\n..x....", "line 2, column 3"),
        ("r......\n" * 13, "line 13"),
        ("", "no row"),
        ("\x00" * 7, "unknown"),
        ("\ud800......", "unicode"),
        ("😀......", "unknown"),
        (".......\r\n" * 200, "line 13"),
        (". " * 900, "line 1"),
    ],
)
def test_a_text_that_is_no_board(client: httpx.Client, grid: str, words: str) -> None:
    body = json.dumps({"board": grid})
    refused(client.post("/api/nyaa/value", content=body, headers={"Content-Type": "application/json"}), 422, words)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"board=r", 422),
        (b"\xff\xfe\x00", 400),
        (b"[" * 60_000, 400),
        (b'{"board": ' + b"9" * 5_000 + b"}", 400),
        (b"null", 422),
        (b"[]", 422),
        (b"{}", 422),
        (b'{"board": 7}', 422),
        (b'{"board": null}', 422),
        (b'{"board": NaN}', 422),
        (b'{"board": ["......."]}', 422),
        (b'{"board": ".......", "more": 1}', 422),
        (b'{"board": "' + b"." * 3_000 + b'"}', 422),
        (b'{"board": "' + b"r" * 1_000_000 + b'"}', 413),
    ],
    ids=lambda part: part[:20].decode("latin-1") if isinstance(part, bytes) else None,
)
def test_a_body_that_is_no_request(client: httpx.Client, body: bytes, status: int) -> None:
    refused(client.post("/api/nyaa/value", content=body, headers={"Content-Type": "application/json"}), status)


def test_a_long_body_without_a_length(client: httpx.Client) -> None:
    parts = (b"r" * 10_000 for _ in range(100))
    refused(
        client.post("/api/nyaa/value", content=parts, headers={"Content-Type": "application/json"}), 413, "too long"
    )


def test_a_body_that_never_ends(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    status, answer = raw(
        address, "POST", "/api/nyaa/value", b"{", Content_Length="500", Content_Type="application/json"
    )
    assert (status, "time" in answer["error"]) == (408, True)


def test_other_methods_and_types(client: httpx.Client) -> None:
    refused(client.get("/api/nyaa/value"), 405, "GET")
    refused(client.put("/api/nyaa/value", json={"board": "."}), 405, "PUT")
    refused(client.delete("/index.html"), 405)
    refused(client.post("/api/nyaa/value", data={"board": "......."}), 415, "application/json")
    refused(client.post("/api/nyaa/value", content=b"{}", headers={"Content-Type": "text/plain"}), 415)
    refused(client.get("/docs"), 404)
    refused(client.get("/openapi.json"), 404)
    refused(client.get("/static/"), 404)
    refused(client.get("/static"), 404)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/static/../../../../../etc/passwd",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc/passwd",
        "/static/..%5capp.py",
        "/static//etc/passwd",
        "/static/%00",
        "/index.html%00.js",
        "/static/%ff%fe",
        "/static/" + "a" * 1_000,
        "/none?b=%ff",
        "/none?b=1%0d%0aSet-Cookie:x",
        "/api/../nyaa.py",
        "//evil.example/",
    ],
)
def test_a_hostile_address(address: str, path: str) -> None:
    status, answer = raw(address, "GET", path)
    assert 400 <= status < 500
    assert answer["error"]
    assert "root:" not in answer["error"]


@pytest.mark.parametrize("path", ["/nyaa", "/none", "/static", "/api/nyaa/value"])
def test_bytes_in_a_query_that_are_no_text(path: str) -> None:
    """Some HTTP libraries pass such a query on to the app. With an unknown path, the answer was once 500: a bug."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: dict[str, Any] = {"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path}
    scope |= {"root_path": ""} | {
        "raw_path": path.encode(),
        "query_string": b"b=\xf9",
        "headers": [(b"host", b"127.0.0.1")],
    }
    # in a thread of its own: the browser's tests may have left a running loop in this one
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, create_app()(scope, receive, send)).result()
    assert sent[0]["status"] == 400
    assert "error" in json.loads(sent[1]["body"])


def test_an_endless_address(address: str) -> None:
    status, answer = raw(address, "GET", "/nyaa?b=" + "b" * 10_000)
    assert (status, "too long" in answer["error"]) == (414, True)
    # the server's HTTP library itself refuses this longer address, and may hang up before we have sent all of it
    with contextlib.suppress(ConnectionError):
        assert raw(address, "GET", "/" + "b" * 200_000)[0] == 400


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.0.7", "[::2]", ""),
        *(
            "[::1].evil.example",
            "[::1]evil.example:80",
            "[::1",
            "[localhost",
            "127.0.0.1:x",
            "localhost:80.evil.example",
        ),
    ],
)
def test_another_hosts_name_is_refused(address: str, host: str) -> None:
    # DNS rebinding: somebody else's name that resolves to this server's address
    status, answer = raw(address, "GET", "/sw.js", Host=host)
    assert (status, "error" in answer) == (421, True)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1", "[::1]:8017"])
def test_our_own_names_are_not(address: str, host: str) -> None:
    assert raw(address, "GET", "/sw.js", Host=host)[0] == 200


def test_other_sites_are_refused(client: httpx.Client) -> None:
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", f"http://localhost:{client.base_url.port}"):
        answer = client.post("/api/nyaa/value", json={"board": "......."}, headers={"Origin": origin})
        refused(answer, 403, "own page")
    own = {"Origin": f"http://127.0.0.1:{client.base_url.port}", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/nyaa/value", json={"board": "......."}, headers=own).status_code == 200
    refused(client.get("/api/none", headers={"Sec-Fetch-Site": "cross-site"}), 403)
    # but a link on another site may open the page
    assert client.get("/", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_remote_hosts_are_addresses_or_the_name_that_was_given() -> None:
    hosts = Hosts(frozenset({"play.example"}), any_address=True)
    for host in ("192.168.0.7:8017", "[fe80::1]:80", "play.example", "PLAY.example:80"):
        assert hosts.allows(host)
    for host in ("evil.example", "192.168.0.7.evil.example", "", "[", "1.2.3", "[::1].evil.example", "::1"):
        assert not hosts.allows(host)


def test_a_bug_is_a_sentence_too(caplog: pytest.LogCaptureFixture) -> None:
    router = APIRouter()

    @router.get("/bug")
    def bug() -> None:
        raise ZeroDivisionError("secret")

    with caplog.at_level(logging.ERROR, "ochibot.web"), serving((Feature("broken", router),)) as url:
        response = httpx.get(f"{url}/api/broken/bug")
    refused(response, 500, "bug of ochibot")
    assert "secret" not in response.text
    assert response.headers["x-content-type-options"] == "nosniff"
    (line,) = [record.getMessage() for record in caplog.records if record.name == "ochibot.web"]
    assert "/api/broken/bug" in line
    assert "ZeroDivisionError" in line
