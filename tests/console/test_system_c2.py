"""Sega's System C-2 in FBNeo: our own small program on that board, and a user's set checked file by file."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

import pytest
from ochibot.console import Console, Rom, RomFile, find_core, find_cores, find_system
from ochibot.errors import RomError, UsageError

from tests import megadriverom

HALF = 0x80000


def files() -> dict[str, bytes]:
    """Our program split into even and odd bytes, as on the board, and an empty ROM of samples."""
    image = megadriverom.image() + bytes(2 * HALF - megadriverom.SIZE)
    return {"even.ic32": image[0::2], "odd.ic31": image[1::2], "samples.ic4": bytes(HALF)}


def write_zip(path: Path, contents: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return path


@pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here (make test gets it from stable-retro)")
@pytest.mark.parametrize("driver", ["puyopuy2", "puyo"])
def test_the_core_shows_the_boards_ram_as_the_68000_addresses_it(tmp_path: Path, driver: str) -> None:
    """We have no arcade set: a description (RomData) makes FBNeo run our own program with an arcade game's driver."""
    parts = files()
    lines = ["ZipName: mine", f"DrvName: {driver}", "FullName: Mine"]
    for (name, data), kind in zip(
        parts.items(), ("1, BRF_ESS, BRF_PRG", "1, BRF_ESS, BRF_PRG", "2, BRF_SND"), strict=True
    ):
        lines.append(f"{name}, {len(data):#x}, {zlib.crc32(data):#010x}, {kind}")
    archive = write_zip(tmp_path / "mine.zip", parts)
    rom = Rom(
        archive, "mine.zip", archive.read_bytes(), "system_c2", "mine.zip", (("mine.dat", "\n".join(lines).encode()),)
    )
    with Console.open(find_core("system_c2"), rom) as console:
        console.step()
        console.step()
        assert [console.ram[0xFF0000 + at] for at in range(2)] == [0x12, 0x34]
        assert [console.ram[0xFF0010 + at] for at in range(4)] == [0xA1, 0xB2, 0xC3, 0xD4]


def test_a_users_set_is_checked(tmp_path: Path) -> None:
    row = find_system("system_c2")
    parts = files()
    sets = {"mine": tuple(RomFile(name, len(data), zlib.crc32(data)) for name, data in parts.items())}
    good = write_zip(tmp_path / "mine.zip", parts)
    assert row.load_rom(good, None, sets).file_name == "mine.zip"
    with pytest.raises(UsageError, match="needs no system ROM"):
        row.load_rom(good, tmp_path, sets)
    with pytest.raises(RomError, match=r"no such ROM: .*give the path of your mine\.zip"):
        row.load_rom(tmp_path / "other.zip", None, sets)
    # the file's name doesn't matter; for another game, the message doesn't ask to rename it
    assert row.load_rom(write_zip(tmp_path / "other.zip", parts), None, sets).file_name == "mine.zip"
    with pytest.raises(RomError, match=r"third\.zip is another game.* give the path of your mine\.zip"):
        row.load_rom(write_zip(tmp_path / "third.zip", {"what.ic1": b"else"}), None, sets)
    parts["even.ic32"] = parts["even.ic32"][:-1] + b"\1"
    del parts["samples.ic4"]
    with pytest.raises(RomError, match=r"even\.ic32 has the CRC .*; samples\.ic4 is missing"):
        row.load_rom(write_zip(tmp_path / "mine.zip", parts), None, sets)
