"""Mega Drive ROM files, and the cores that run them, with a tiny program of our own."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from ochibot.console import Button, Console, Rom, check_console, find_core, find_cores, load_megadrive_rom
from ochibot.console.rom import kind_of_file
from ochibot.errors import RomError

from tests import megadriverom

IMAGE = megadriverom.image()


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def changed(at: int, data: bytes) -> bytes:
    return IMAGE[:at] + data + IMAGE[at + len(data) :]


def test_plain_torn_and_zipped_roms_are_the_same_image(tmp_path: Path) -> None:
    plain = load_megadrive_rom(write(tmp_path / "a.md", IMAGE))
    torn = load_megadrive_rom(write(tmp_path / "a.smd", megadriverom.torn(IMAGE)))
    bare = load_megadrive_rom(write(tmp_path / "b.bin", megadriverom.torn(IMAGE)[512:]))
    headed = load_megadrive_rom(write(tmp_path / "c.smd", megadriverom.torn(IMAGE)[:512] + IMAGE))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("folder/game.gen", IMAGE)
        archive.writestr("readme.txt", "hello")
    packed = load_megadrive_rom(tmp_path / "a.zip")
    assert plain.data == torn.data == bare.data == headed.data == packed.data == IMAGE
    assert {rom.note for rom in (plain, torn, bare, headed, packed)} == {""}
    assert (packed.name, plain.system) == ("game.gen", "megadrive")


def test_the_checksum_is_reported_and_a_changed_rom_taken(tmp_path: Path) -> None:
    rom = load_megadrive_rom(write(tmp_path / "a.md", changed(0x10000, b"\x5a\x5b")))
    said = megadriverom.checksum(IMAGE)
    assert f"{said + 1 & 0xFFFF:04x}" in rom.note
    assert f"says {said:04x}" in rom.note
    # the checksum doesn't include bytes after the ROM's end
    assert load_megadrive_rom(write(tmp_path / "b.md", IMAGE + b"\xff" * 512)).note == ""
    assert load_megadrive_rom(write(tmp_path / "c.md", megadriverom.image(b" SEGA MEGA DRIVE"))).note == ""


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (IMAGE[:-0x4000], "cut short: its header promises 131072 bytes, it has 114688, and its checksum is"),
        (IMAGE[:0x180], "hardly more than a header"),
        (IMAGE[:0x80], "a Mega Drive header alone is longer than its 128 bytes"),
        (b"", "longer than its 0 bytes"),
        (b"text " * 1000, "its header at 0x100 doesn't say SEGA"),
        (b"NES\x1a" + bytes(0x8000), "not a Mega Drive ROM: it is a NES ROM"),
        (changed(0x100, b"ESAG"), "swapped in pairs"),
        (megadriverom.image(b"SEGA 32X        "), "for the 32X"),
        (megadriverom.torn(IMAGE)[:-0x2000], "it is a Mega Drive ROM of the copier Super Magic Drive"),
        (b"PK\x03\x04 and nothing more", "it is a zip archive"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(RomError, match=words):
        load_megadrive_rom(write(tmp_path / "game.md", data))


def test_missing_files_folders_and_odd_zips(tmp_path: Path) -> None:
    with pytest.raises(RomError, match=r"no such ROM: .* a \.md file or a \.zip"):
        load_megadrive_rom(tmp_path / "nothing.md")
    with pytest.raises(RomError, match="not a file"):
        load_megadrive_rom(tmp_path)
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.md", IMAGE)
        archive.writestr("b.bin", IMAGE)
    with pytest.raises(RomError, match=r"holds 2 \.md or \.bin or \.gen or \.smd files"):
        load_megadrive_rom(tmp_path / "two.zip")


def test_other_systems_name_it(tmp_path: Path) -> None:
    from ochibot.console import load_nes_rom

    with pytest.raises(RomError, match="is not a NES ROM: it is a Mega Drive ROM;"):
        load_nes_rom(write(tmp_path / "a.md", IMAGE))
    with pytest.raises(RomError, match="Super Magic Drive"):
        load_nes_rom(write(tmp_path / "a.smd", megadriverom.torn(IMAGE)))
    assert kind_of_file(write(tmp_path / "b.md", b"# A text\n" * 100)) is None


@pytest.fixture(params=["genesis_plus_gx", "picodrive"])
def core(request: pytest.FixtureRequest) -> Path:
    if not find_cores(request.param):
        pytest.skip(f"no {request.param} core here (make test gets it from stable-retro)")
    return find_core("megadrive", request.param)


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    return load_megadrive_rom(write(tmp_path / "pads.md", IMAGE))


def test_ram_is_addressed_as_the_68000_does(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        console.step()
        assert len(console.ram) == 0x10000
        assert [console.ram[0xFF0000 + at] for at in range(2)] == [0x12, 0x34]
        assert [console.ram[0xFF0010 + at] for at in range(4)] == [0xA1, 0xB2, 0xC3, 0xD4]
        assert console.fps == pytest.approx(59.92, abs=0.1)


def test_pads_reach_the_program_as_the_hardware_shows_them(core: Path, rom: Rom) -> None:
    """RetroPad Y, B, A are the Mega Drive's A, B, C."""
    high = {Button.UP: 1, Button.DOWN: 2, Button.LEFT: 4, Button.RIGHT: 8, Button.B: 16, Button.A: 32}
    low = {Button.Y: 16, Button.START: 32}
    with Console.open(core, rom) as console:
        for _ in range(4):
            console.step()
        for seat, address in ((0, 0xFF0020), (1, 0xFF0022)):
            for button in (*high, *low):
                pads = (button, 0) if seat == 0 else (0, button)
                console.step(*pads)
                console.step(*pads)
                assert ~console.ram[address] & 0x3F == high.get(button, 0), button
                assert ~console.ram[address + 1] & 0x30 == low.get(button, 0), button
                assert ~console.ram[address ^ 2] & 0x3F == 0


def test_the_cores_are_fit_for_use(core: Path, rom: Rom) -> None:
    """Two runs of PicoDrive once differed, because it starts at a random cycle."""
    assert check_console(lambda: Console.open(core, rom)) == []
