"""``ochibot web`` as a process: starting, ending, and what it refuses."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from ochibot.cli import main
from ochibot.cli.livepage import pages
from ochibot.errors import OchibotError, UsageError
from ochibot.ui.web import WebError, need_web
from ochibot.ui.web.server import bind, is_local, is_loopback, url_of

from tests.ui.web.live import serving


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "ochibot", "web", "--no-open", *map(str, args)]


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
        with urllib.request.urlopen(url, timeout=600) as page:
            assert b"Pochi" in page.read()
        assert f"{url}puyo.html" in first
        with urllib.request.urlopen(f"{url}puyo.html", timeout=600) as page:
            assert page.read().decode() == pages()["puyo.html"]
        server.send_signal(signal.SIGINT)
        rest, complaints = server.communicate(timeout=600)
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


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "0", "::ffff:192.168.0.7"])
def test_no_such_address_is_bound(host: str) -> None:
    with pytest.raises(UsageError, match=f"^{host} can be reached from other machines.*--allow-remote"):
        bind(host, 0)


@pytest.mark.parametrize(
    ("addresses", "local"), [(("127.0.0.1",), True), (("192.0.2.7",), False), (("127.0.0.1", "192.0.2.7"), False)]
)
def test_a_name_is_bound_when_all_its_addresses_are_this_machine_s(
    addresses: tuple[str, ...], local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The resolver is replaced, so that the test decides which addresses the name has."""
    real = socket.getaddrinfo

    def named(host: str, *args: Any, **options: Any) -> list[Any]:
        assert host == "page.example"
        return [found for address in addresses for found in real(address, *args, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", named)
    if local:
        with bind("page.example", 0) as listener:
            assert is_local(listener)
        return
    with pytest.raises(UsageError, match="--allow-remote"):
        bind("page.example", 0)


@pytest.mark.parametrize("allow_remote", [False, True])
def test_no_host_is_said_to_be_empty(allow_remote: bool) -> None:
    for host in ("", " "):
        with pytest.raises(UsageError, match="--host is empty: give an address"):
            bind(host, 0, allow_remote=allow_remote)


def test_hosts_that_are_bound() -> None:
    for host in ("127.0.0.1", "127.1.2.3", "127.1", "0x7f.1", "localhost"):
        with bind(host, 0) as listener:
            assert is_loopback(listener.getsockname()[0])
            assert is_local(listener)
            assert url_of(listener).startswith("http://")
    assert is_loopback("::1")
    assert is_loopback("::ffff:127.0.0.1")
    with bind("0.0.0.0", 0, allow_remote=True) as listener:
        assert not is_local(listener)
        assert url_of(listener).startswith("http://127.0.0.1:")


@pytest.mark.parametrize("host", ["127.1", "127.1.2.3"])
def test_the_page_is_served_at_the_address_that_is_printed(host: str) -> None:
    with serving(host=host) as url, urllib.request.urlopen(url, timeout=600) as page:
        assert b"Pochi" in page.read()


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
