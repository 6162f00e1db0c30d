"""``ochibot doctor --retroarch``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from ochibot.console import retroarchcfg
from ochibot.errors import ConfigError

from tests.commands import ochibot
from tests.console.fakeretroarch import FakeRetroArch

SETTINGS = """# a comment: network_cmd_enable = "true"
video_driver = "gl"
network_cmd_enable = "false"
network_remote_enable = true
  network_remote_enable_user_p1 = "false"
last = "line with \udce9"
""".encode(errors="surrogateescape")


def settings_of(tmp_path: Path, there: FakeRetroArch | None, *, good: bool = False) -> Path:
    path = tmp_path / "retroarch.cfg"
    ports = (
        b""
        if there is None
        else (
            f'network_cmd_port = "{there.address.port}"\nnetwork_remote_base_port = {there.address.pad_port}\n'.encode()
        )
    )
    path.write_bytes((b"" if good else SETTINGS) + ports)
    if good:
        path.write_bytes(ports + "".join(f'{name} = "true"\n' for name in retroarchcfg.NEEDED).encode())
    return path


def examined(*words: object) -> tuple[int, dict[str, Any], str]:
    done = ochibot("doctor", "--retroarch", *words, "--json", "-")
    return done.returncode, json.loads(done.stdout), done.stderr


def test_it_says_what_is_wrong_and_changes_nothing(tmp_path: Path) -> None:
    with FakeRetroArch(crc=1) as there:
        path = settings_of(tmp_path, there)
        before = path.read_bytes()
        code, report, text = examined(path)
    assert code == 1
    assert [one["name"] for one in report["settings"] if not one["right"]] == [
        "network_cmd_enable",
        "network_remote_enable_user_p1",
        "network_remote_enable_user_p2",
    ]
    assert report["connection"]["version"] == "1.14.0"
    assert report["connection"]["memory"] == "READ_CORE_RAM"
    assert 'network_cmd_enable: "false", must be "true"' in text
    assert "network_remote_enable_user_p2: missing" in text
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["retroarch.cfg"]


def test_it_writes_with_a_backup_if_asked(tmp_path: Path) -> None:
    with FakeRetroArch(crc=1) as there:
        path = settings_of(tmp_path, there)
        before = path.read_bytes()
        code, report, text = examined(path, "--write")
        assert code == 0, text
        backup = Path(report["backup"])
        assert backup.read_bytes() == before
        lines = path.read_bytes().splitlines()
        assert lines[:6] == [
            b'# a comment: network_cmd_enable = "true"',
            b'video_driver = "gl"',
            b'network_cmd_enable = "true"',
            b"network_remote_enable = true",
            b'network_remote_enable_user_p1 = "true"',
            b'last = "line with \xe9"',
        ]
        assert lines[-1] == b'network_remote_enable_user_p2 = "true"'
        # nothing is left to write, so no second copy is made
        code, report, _ = examined(path, "--write")
        assert (code, report["backup"]) == (0, None)
        # an earlier copy is kept
        path.write_bytes(before)
        _, report, _ = examined(path, "--write")
        assert report["backup"] == f"{backup}-1"


def test_the_connection(tmp_path: Path) -> None:
    with FakeRetroArch(crc=1) as there:
        path = settings_of(tmp_path, there, good=True)
        code, report, text = examined(path)
        assert (code, report["problems"]) == (0, [])
        assert f"ready to play with --retroarch {there.where}" in text
        there.state = "CONTENTLESS"
        code, report, text = examined(path)
        assert (code, report["connection"]["memory"]) == (0, None)
        assert "no game runs there" in text
        there.state, there.shows = "PLAYING", False
        code, report, text = examined(path)
        assert code == 1
        assert "choose another core" in text
        assert "achievements" not in text
        there.shows, there.deaf = True, {"READ_CORE_RAM"}
        code, report, text = examined(path)
        assert (code, report["connection"]["memory"]) == (1, None)
        assert "or use a RetroArch that was built with achievements" in text
    code, report, text = examined(path)
    assert code == 1
    assert "no RetroArch answers at 127.0.0.1" in text


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the places of Linux")
@pytest.mark.parametrize(
    "place",
    [
        "conf/retroarch/retroarch.cfg",
        ".var/app/org.libretro.RetroArch/config/retroarch/retroarch.cfg",
        "snap/retroarch/current/.config/retroarch/retroarch.cfg",
        ".retroarch.cfg",
    ],
)
def test_where_it_looks(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "conf"))
    assert retroarchcfg.find() is None
    path = tmp_path / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert retroarchcfg.find() == path


def test_what_it_refuses(tmp_path: Path) -> None:
    done = ochibot("doctor", "--write")
    assert (done.returncode, "--write belongs to --retroarch" in done.stderr) == (2, True)
    done = ochibot("doctor", "--retroarch", tmp_path / "none.cfg")
    assert (done.returncode, "can't read" in done.stderr) == (2, True)
    path = tmp_path / "retroarch.cfg"
    path.write_text("network_cmd_port = 99999\n")
    with pytest.raises(ConfigError, match="network_cmd_port is no port"):
        retroarchcfg.Settings.load(path).address()
    empty = {**os.environ, "HOME": str(tmp_path / "x"), "XDG_CONFIG_HOME": str(tmp_path / "x")}
    done = ochibot("doctor", "--retroarch", "--write", env=empty)
    assert (done.returncode, "no retroarch.cfg is in the usual places" in done.stderr) == (2, True)


def test_lines_of_windows_stay_so(tmp_path: Path) -> None:
    path = tmp_path / "retroarch.cfg"
    path.write_bytes(b'network_cmd_enable = "false"\r\nlast = "1"')
    retroarchcfg.Settings.load(path).write()
    assert path.read_bytes().startswith(
        b'network_cmd_enable = "true"\r\nlast = "1"\r\nnetwork_remote_enable = "true"\r\n'
    )
