"""Whether somebody plays over the network is seen in the system's sockets."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from ochibot.console.netcommands import PORT, plays_online

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"


def line(local: int, remote: int, state: str) -> str:
    return f"   0: 0100007F:{local:04X} 00000000:{remote:04X} {state} 00000000:00000000 00:00000000 00000000 0 0 1\n"


@pytest.mark.parametrize(
    ("lines", "plays"),
    [
        ("", False),
        (line(PORT, 0, "0A"), True),  # a host that listens
        (line(40000, PORT, "01"), True),  # a guest
        (line(PORT, 40000, "06"), False),  # a connection that has just ended
        (line(55355, 0, "0A"), False),
        ("nonsense\n", False),
    ],
)
def test_the_table(tmp_path: Path, lines: str, plays: bool) -> None:
    table = tmp_path / "tcp"
    table.write_text(HEAD + lines)
    assert plays_online((tmp_path / "none", table)) is plays


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux shows its sockets so")
def test_a_real_socket() -> None:
    with socket.socket() as host:
        host.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            host.bind(("127.0.0.1", PORT))
        except OSError:
            pytest.skip("something uses the port here")
        host.listen()
        assert plays_online()
