"""A build of the sources equals the committed cartridge, whose header is as the console requires."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from ochibot.console import load_megadrive_rom

from tests.homebrew.megadrive import toolchain
from tests.homebrew.megadrive.driver import ROM

MOST_BYTES = 200_000


@pytest.mark.long
def test_build_gives_the_committed_cartridge(tmp_path: Path) -> None:
    if toolchain.missing():
        pytest.skip(toolchain.missing())
    found, recorded = toolchain.versions(), toolchain.recorded()
    if found != recorded:
        pytest.skip(f"the tools are {found}, recorded are {recorded}")
    target = tmp_path / ROM.name
    subprocess.run(["sh", toolchain.FOLDER / "build.sh", target], check=True, capture_output=True)
    assert target.read_bytes() == ROM.read_bytes()


def test_header() -> None:
    data = ROM.read_bytes()
    assert data[0x100:0x110] == b"SEGA MEGA DRIVE "
    assert data[0x120:0x128] == b"NIJIDAMA"
    assert data[0x1F0:0x1F3] == b"JUE"
    assert int.from_bytes(data[0x1A0:0x1A4], "big") == 0
    assert int.from_bytes(data[0x1A4:0x1A8], "big") == len(data) - 1
    words = sum(data[at] << 8 | data[at + 1] for at in range(0x200, len(data), 2))
    assert int.from_bytes(data[0x18E:0x190], "big") == words & 0xFFFF
    assert load_megadrive_rom(ROM).note == ""


def test_the_cartridge_is_small() -> None:
    assert ROM.stat().st_size < MOST_BYTES
