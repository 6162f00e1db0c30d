"""Tests of Famicom Disk System disks, with a disk and a system ROM that we made, and of other forms of NES ROMs."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest
from ochibot.console import Console, find_core, find_cores, find_system
from ochibot.console.nes import load_nes_rom
from ochibot.errors import RomError, UsageError

from tests import nesrom

SIDE = b"\x01*NINTENDO-HVC*" + bytes(65_500 - 15)


def bios() -> bytes:
    """A system ROM that counts up $10 for ever: inc $10; jmp $e000."""
    program = bytes.fromhex("E6 10 4C 00 E0")
    return program + bytes(8192 - 6 - len(program)) + struct.pack("<HHH", 0xE000, 0xE000, 0xE000)


@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
@pytest.mark.parametrize("header", [b"", b"FDS\x1a\x01" + bytes(11)])
def test_a_disk_runs_where_its_system_rom_is(tmp_path: Path, header: bytes) -> None:
    disk = tmp_path / "game.fds"
    disk.write_bytes(header + SIDE)
    (tmp_path / "bios").mkdir()
    (tmp_path / "bios/disksys.rom").write_bytes(bios())
    for system in (tmp_path / "bios", tmp_path / "bios/disksys.rom"):
        rom = find_system("nes").load_rom(disk, system, {})
        with Console.open(find_core("nes", "fceumm"), rom) as console:
            seen = set()
            for _ in range(20):
                console.step()
                seen.add(console.ram[0x10])
        assert len(seen) > 5


def test_a_disk_without_its_system_rom_says_what_to_do(tmp_path: Path) -> None:
    disk = tmp_path / "game.fds"
    disk.write_bytes(SIDE)
    with pytest.raises(RomError, match=r"disk of the Famicom Disk System.* no disksys\.rom beside it: put yours there"):
        load_nes_rom(disk)
    with pytest.raises(RomError, match=r"no disksys\.rom in .*nowhere"):
        load_nes_rom(disk, tmp_path / "nowhere")
    (tmp_path / "disksys.rom").write_bytes(bytes(100))
    with pytest.raises(RomError, match=r"is no ROM of the Famicom Disk System: that has 8,192 bytes"):
        load_nes_rom(disk)
    (tmp_path / "disksys.rom").write_bytes(bios())
    assert load_nes_rom(disk).system_files == (("disksys.rom", bios()),)
    with zipfile.ZipFile(tmp_path / "game.zip", "w") as archive:
        archive.writestr("inside.fds", SIDE + SIDE)
    assert load_nes_rom(tmp_path / "game.zip").name == "inside.fds"


@pytest.mark.parametrize("data", [SIDE[:-1], b"FDS\x1a\x02" + bytes(11) + SIDE, b"FDS\x1a", SIDE + b"more"])
def test_a_damaged_disk_is_reported(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "game.fds").write_bytes(data)
    with pytest.raises(RomError, match=r"is cut short: a disk has 65,500 bytes a side|is no whole disk"):
        load_nes_rom(tmp_path / "game.fds")


def test_unif_is_named_and_a_cartridge_takes_no_system_rom(tmp_path: Path) -> None:
    (tmp_path / "game.unf").write_bytes(b"UNIF" + bytes(100))
    with pytest.raises(RomError, match=r"in the form UNIF, which isn't read here: give the game as a \.nes file"):
        load_nes_rom(tmp_path / "game.unf")
    (tmp_path / "game.nes").write_bytes(nesrom.image())
    with pytest.raises(UsageError, match="leave --system out"):
        load_nes_rom(tmp_path / "game.nes", tmp_path)
