"""``ochibot web`` as a process: starting, ending, and what it refuses."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from bot.cli import main
from bot.errors import OchibotError, UsageError
from bot.ui.web import WebError, need_web
from bot.ui.web.server import bind, is_loopback, url_of


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "bot", "web", "--no-open", *map(str, args)]


def test_it_serves_until_ctrl_c(tmp_path: Path) -> None:
    told = tmp_path / "web.json"
    server = subprocess.Popen(
        command("--port", 0, "--json", told), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        first = server.stdout.readline()
        url = json.loads(told.read_text())["url"]
        assert url in first
        with urllib.request.urlopen(url, timeout=180) as page:
            assert b"Ochibot" in page.read()
        server.send_signal(signal.SIGINT)
        rest, complaints = server.communicate(timeout=180)
    finally:
        server.kill()
    assert (server.returncode, rest, complaints) == (0, "the server has ended\n", "")


def test_the_command_refuses_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with bind("127.0.0.1", 0) as listener:
        taken = listener.getsockname()[1]
        for args, words in (
            (("--port", taken), "is taken: give another with --port"),
            (("--port", 0, "--host", "0.0.0.0"), "--allow-remote"),
            (("--port", 0, "--host", ""), "ochibot: --host is empty"),
        ):
            monkeypatch.setattr(sys, "argv", ["ochibot", "web", "--no-open", *map(str, args)])
            with pytest.raises(SystemExit) as ended:
                main.main()
            out, err = capsys.readouterr()
            assert (ended.value.code, out) == (2, "")
            (line,) = err.strip().splitlines()
            assert line.startswith("ochibot: ")
            assert words in line


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.org", "127.0.0.1.evil.example", "0"])
def test_no_such_host_is_bound(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unwanted(*_: object, **__: object) -> None:
        raise AssertionError("it must be refused before its address is looked up")

    monkeypatch.setattr(socket, "getaddrinfo", unwanted)
    assert not is_loopback(host)
    with pytest.raises(UsageError, match="--allow-remote"):
        bind(host, 0)


@pytest.mark.parametrize("allow_remote", [False, True])
def test_no_host_is_said_to_be_empty(allow_remote: bool) -> None:
    for host in ("", " "):
        with pytest.raises(UsageError, match="--host is empty: give an address"):
            bind(host, 0, allow_remote=allow_remote)


def test_hosts_that_are_bound() -> None:
    for host in ("127.0.0.1", "127.1.2.3", "localhost"):
        with bind(host, 0) as listener:
            assert is_loopback(listener.getsockname()[0])
            assert url_of(listener).startswith("http://")
    with bind("0.0.0.0", 0, allow_remote=True) as listener:
        assert url_of(listener).startswith("http://127.0.0.1:")


def test_addresses_that_can_not_be_bound() -> None:
    with pytest.raises(WebError, match=r"can't listen on 192\.0\.2\.1"):
        bind("192.0.2.1", 0, allow_remote=True)
    with pytest.raises(WebError, match="no address is known"):
        bind("no such host", 0, allow_remote=True)


def test_the_extra_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    need_web()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(OchibotError, match=r'pip install "ochibot\[web\]"'):
        need_web()
