"""NES ROM files: which are accepted, and the message for each that is refused."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console.nes import ines_size, load_nes_rom
from ochibot.errors import RomError

from tests import nesrom


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def zipped(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return path


def test_a_plain_rom_and_a_zipped_one_are_the_same_image(tmp_path: Path) -> None:
    plain = load_nes_rom(write(tmp_path / "a.nes", nesrom.image()))
    packed = load_nes_rom(zipped(tmp_path / "a.zip", game__nes=nesrom.image(), readme__txt=b"hello"))
    assert plain.sha1 == packed.sha1
    assert packed.name == "game.nes"
    assert plain.data == nesrom.image()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("short.nes", nesrom.image()[:-1], "cut short"),
        ("tiny.nes", b"NES\x1a\x02", "cut short"),
        ("text.nes", b"this is a text file\n" * 10, "doesn't begin with the iNES header"),
        ("empty.nes", b"", "doesn't begin with the iNES header"),
        ("nes2noprg.nes", b"NES\x1a" + bytes([0, 0, 0, 8, 0, 0]) + bytes(6), "no program ROM"),
        ("noprg.nes", nesrom.header(0, 1) + bytes(0x2000), "no program ROM"),
        ("broken.zip", b"PK\x03\x04 and nothing more", "not a readable zip"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, name: str, data: bytes, words: str) -> None:
    with pytest.raises(RomError, match=words):
        load_nes_rom(write(tmp_path / name, data))


def test_a_missing_file_a_folder_and_odd_zips(tmp_path: Path) -> None:
    with pytest.raises(RomError, match="no such ROM"):
        load_nes_rom(tmp_path / "nothing.nes")
    with pytest.raises(RomError, match="not a file"):
        load_nes_rom(tmp_path)
    with pytest.raises(RomError, match="holds 0"):
        load_nes_rom(zipped(tmp_path / "none.zip", readme__txt=b"hello"))
    with pytest.raises(RomError, match="holds 2"):
        load_nes_rom(zipped(tmp_path / "two.zip", a__nes=nesrom.image(), b__nes=nesrom.image()))


@given(prg=st.integers(0, 255), chr_=st.integers(0, 255), trainer=st.booleans())
def test_ines_sizes(prg: int, chr_: int, trainer: bool) -> None:
    header = b"NES\x1a" + bytes([prg, chr_, 4 if trainer else 0, 0]) + bytes(8)
    assert ines_size(header) == 16 + 16384 * prg + 8192 * chr_ + (512 if trainer else 0)


def test_nes2_sizes() -> None:
    plain = bytearray(b"NES\x1a" + bytes([1, 2, 0, 8, 0, 0x21]) + bytes(6))
    assert ines_size(bytes(plain)) == 16 + 16384 * 0x101 + 8192 * 0x202
    plain[9], plain[4], plain[5] = 0x0F, (14 << 2) | 1, 0
    assert ines_size(bytes(plain)) == 16 + (1 << 14) * 3


def test_what_cores_and_users_call_their_files(tmp_path: Path) -> None:
    """Cores look at a file name's ending, and one refused an upper-case ending. So cores always get ``game.nes``."""
    for name in ("GAME.NES", "game.bin", "game"):
        assert load_nes_rom(write(tmp_path / name, nesrom.image())).file_name == "game.nes"
    assert load_nes_rom(zipped(tmp_path / "b.zip", GAME__NES=nesrom.image())).sha1
    # a good image followed by a zip is still read as the image
    behind = nesrom.image() + zipped(tmp_path / "c.zip", x__txt=b"hello").read_bytes()
    assert load_nes_rom(write(tmp_path / "both.nes", behind)).data == behind


def test_damaged_and_hostile_archives(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", game__nes=nesrom.image())
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.nes", nesrom.image())
    data = bytearray(path.read_bytes())
    data[60:90] = bytes(30)
    with pytest.raises(RomError, match="not a readable zip"):
        load_nes_rom(write(tmp_path / "broken.zip", bytes(data)))
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("game.nes", bytes(70 << 20))
    with pytest.raises(RomError, match="too large"):
        load_nes_rom(tmp_path / "bomb.zip")


def test_devices_and_pipes_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(RomError, match="not a file"):
        load_nes_rom(Path("/dev/zero"))
    os.mkfifo(tmp_path / "pipe.nes")
    with pytest.raises(RomError, match="not a file"):
        load_nes_rom(tmp_path / "pipe.nes")


def test_a_nes2_image_whose_size_is_in_the_high_bits() -> None:
    header = bytearray(b"NES\x1a" + bytes([0, 0, 0, 8, 0, 1]) + bytes(6))
    assert ines_size(bytes(header)) == 16 + 16384 * 256
