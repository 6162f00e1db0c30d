"""Game Boy ROM files, and the cores that run them, with a tiny program of our own."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from pathlib import Path

import pytest
from ochibot.cli import main
from ochibot.console import Button, Console, Rom, check_console, find_core, find_cores, find_system, load_gameboy_rom
from ochibot.console import gameboy as rules
from ochibot.console.rom import kind_of_file
from ochibot.errors import ConsoleError, MapError, RomError, UsageError
from ochibot.ram import load_map

from tests import gameboyrom

IMAGE = gameboyrom.image()
OPTIONS = find_system("gameboy").options


@pytest.fixture(autouse=True)
def our_logo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's logo takes the place of the console's, which isn't in this repository."""
    monkeypatch.setattr(rules, "LOGO_CRC", zlib.crc32(IMAGE[0x104:0x134]))


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def changed(at: int, data: bytes) -> bytes:
    return IMAGE[:at] + data + IMAGE[at + len(data) :]


def test_plain_and_zipped_roms_are_the_same_image(tmp_path: Path) -> None:
    plain = load_gameboy_rom(write(tmp_path / "a.gb", IMAGE))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("folder/game.gb", IMAGE)
        archive.writestr("readme.txt", "hello")
    packed = load_gameboy_rom(tmp_path / "a.zip")
    assert plain.data == packed.data == IMAGE
    assert plain.sha1 == packed.sha1 == hashlib.sha1(IMAGE).hexdigest()
    assert (plain.note, plain.system, plain.file_name) == ("", "gameboy", "game.gb")
    assert (packed.note, packed.name) == ("", "game.gb")
    color = load_gameboy_rom(write(tmp_path / "b.gbc", gameboyrom.image(color=True)))
    assert (color.note, color.file_name) == ("", "game.gbc")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (changed(0x110, b"\x01"), "^The logo in its header isn't the console's: a console wouldn't start this ROM$"),
        (changed(0x134, b"U"), "^The checksum of its header is .., the header says ..: a console wouldn't"),
        (changed(0x110, b"\x01" * 0x30), "^The logo in its header isn't the console's and the checksum of its header"),
        (changed(0x104, bytes(4)), "^The logo"),
        (IMAGE[:0x200], "^$"),
        (IMAGE + bytes(17), "^$"),
    ],
)
def test_an_odd_header_or_size_is_only_noted(tmp_path: Path, data: bytes, words: str) -> None:
    assert re.search(words, load_gameboy_rom(write(tmp_path / "game.gb", data)).note)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (IMAGE[:0x14F], "cut short: a Game Boy header alone is longer than its 335 bytes"),
        (b"", "longer than its 0 bytes"),
        (b"text " * 1000, "is not a Game Boy ROM; its header has neither the logo nor a right checksum"),
        (bytes(0x8000), "is not a Game Boy ROM; its header has neither"),
        (b"NES\x1a" + bytes(0x8000), "is not a Game Boy ROM: it is a NES ROM"),
        (b"\x89PNG", "is not a Game Boy ROM: it is a picture"),
        (b"PK\x03\x04 and nothing more", "it is a zip archive"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, data: bytes, words: str) -> None:
    with pytest.raises(RomError, match=words):
        load_gameboy_rom(write(tmp_path / "game.gb", data))


def test_missing_files_folders_odd_zips_and_system_roms(tmp_path: Path) -> None:
    with pytest.raises(RomError, match=r"no such ROM: .* a \.gb file or a \.zip"):
        load_gameboy_rom(tmp_path / "nothing.gb")
    with pytest.raises(RomError, match="not a file"):
        load_gameboy_rom(tmp_path)
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.gb", IMAGE)
        archive.writestr("b.gbc", IMAGE)
    with pytest.raises(RomError, match=r"holds 2 \.gb or \.gbc files"):
        load_gameboy_rom(tmp_path / "two.zip")
    with pytest.raises(UsageError, match="leave --system out"):
        find_system("gameboy").load_rom(write(tmp_path / "a.gb", IMAGE), tmp_path, {})


def test_other_systems_name_it(tmp_path: Path) -> None:
    from ochibot.console import load_nes_rom

    with pytest.raises(RomError, match="is not a NES ROM: it is a Game Boy ROM;"):
        load_nes_rom(write(tmp_path / "a.gb", IMAGE))
    assert kind_of_file(tmp_path / "a.gb") == "a Game Boy ROM"


@pytest.fixture(params=["gambatte", "mgba"])
def core(request: pytest.FixtureRequest) -> Path:
    if not find_cores(request.param):
        pytest.skip(f"no {request.param} core here (make test gets it from stable-retro)")
    return find_core("gameboy", request.param)


@pytest.fixture(params=[False, True], ids=["gb", "gbc"])
def rom(request: pytest.FixtureRequest, tmp_path: Path) -> Rom:
    path = tmp_path / ("game.gbc" if request.param else "game.gb")
    return load_gameboy_rom(write(path, gameboyrom.image(color=request.param)))


def opened(core: Path, rom: Rom) -> Console:
    return Console.open(core, rom, options=OPTIONS)


def test_ram_has_the_processors_addresses(core: Path, rom: Rom) -> None:
    """mGBA says that its block has 256 KiB; reading all of it ended the process."""
    with opened(core, rom) as console:
        for _ in range(4):
            console.step()
        ram = console.ram
        assert len(ram) == len(ram.snapshot()) == 0x2000
        assert [ram[address] for address in (0xC000, 0xC001, 0xC002, 0xD000)] == [0x12, 0x34, 0x6D, 0x11]
        ram[0xC021] = 0x5B
        count = ram[0xC004]
        console.step()
        assert ram[0xC004] == count + 1
        hram = core.name.startswith("gambatte")
        assert [0xFF80 in ram, 0xFFFE in ram, 0xFFFF in ram, 0xE000 in ram] == [hram, hram, False, False]
        if hram:
            assert (ram[0xFF80], ram[0xFFFE], ram[0xFF83]) == (0x9A, 0xBC, 0x5B)
            ram[0xFF84] = 0xC5
            console.step()
            assert ram[0xC022] == 0xC5
        else:
            with pytest.raises(ConsoleError, match="0xff80 is not in RAM"):
                ram[0xFF80]
        assert console.fps == pytest.approx(59.73, abs=0.01)
        assert console.frame().shape == (144, 160, 3)


def test_a_rom_may_end_in_the_middle_of_a_bank(core: Path, tmp_path: Path) -> None:
    """Gambatte leaves out a bank that isn't whole. A homebrew game of 17 KiB so had no tiles."""
    whole = load_gameboy_rom(write(tmp_path / "whole.gb", IMAGE))
    short = load_gameboy_rom(write(tmp_path / "short.gb", IMAGE[:0x4101]))
    tiny = load_gameboy_rom(write(tmp_path / "tiny.gb", IMAGE[:0x300]))
    assert [len(rom.data) for rom in (whole, short, tiny)] == [0x8000] * 3
    assert whole.sha1 == hashlib.sha1(IMAGE).hexdigest()
    assert short.sha1 == hashlib.sha1(IMAGE[:0x4101]).hexdigest()
    for rom, byte in ((whole, 0x6D), (short, 0x6D), (tiny, 0xFF)):
        with opened(core, rom) as console:
            for _ in range(4):
                console.step()
            assert console.ram[0xC002] == byte


def test_the_banks_of_a_color_have_addresses_of_their_own(core: Path, tmp_path: Path) -> None:
    for color in (False, True):
        with opened(core, load_gameboy_rom(write(tmp_path / "a.gbc", gameboyrom.image(color=color)))) as console:
            for _ in range(4):
                console.step()
            assert console.ram[0xD000] == 0x11
            assert [0x10000 in console.ram, 0x15FFF in console.ram, 0x16000 in console.ram] == [color, color, False]
            if color:
                assert console.ram[0x10000] == 0x22


def test_pads_reach_the_program_as_the_hardware_shows_them(core: Path, rom: Rom) -> None:
    bits = {Button.A: 1, Button.B: 2, Button.SELECT: 4, Button.START: 8}
    bits |= {Button.RIGHT: 0x10, Button.LEFT: 0x20, Button.UP: 0x40, Button.DOWN: 0x80}
    with opened(core, rom) as console:
        for _ in range(4):
            console.step()
        for button, bit in bits.items():
            # the program takes up to three frames to look at the pad after SELECT
            for _ in range(5):
                console.step(button)
            assert console.ram[0xC020] == bit, button
        # mGBA would fire A and B on X and Y, and its savestates don't contain how far that is
        for button in (Button.X, Button.Y, Button.L, Button.R):
            seen = []
            for _ in range(8):
                console.step(button)
                seen.append(console.ram[0xC020])
            assert not any(seen[1:]), button
        console.step(0, Button.A)
        console.step(0, Button.A)
        assert console.ram[0xC020] == 0


def test_the_cores_are_fit_for_use(core: Path, rom: Rom) -> None:
    assert check_console(lambda: opened(core, rom)) == []


def test_frames_after_a_savestate_are_the_same_while_the_screen_goes_off(core: Path, rom: Rom) -> None:
    """Gambatte's savestates don't contain what it does next while the screen is off, so such frames once differed."""
    pads = [Button.SELECT if 6 <= frame < 16 else Button.NONE for frame in range(40)]
    states, seen = [], []
    with opened(core, rom) as console:
        for pad in pads:
            console.step(pad)
            states.append(console.save())
            seen.append(console.ram.snapshot())
        assert seen[-1][0x40] != seen[4][0x40]
        for start, state in enumerate(states):
            console.load(state)
            for pad, expected in zip(pads[start + 1 : start + 9], seen[start + 1 : start + 9], strict=True):
                console.step(pad)
                assert console.ram.snapshot() == expected, start


def test_maps_name_hram_and_the_banks_and_nothing_between(tmp_path: Path) -> None:
    text = "game: tiny\nname: tiny\nsystem: gameboy\nseat: 1\nentries:\n"
    entries = "  a: {address: 0xFF81, source: calibrated}\n  b: {address: 0x12345, source: calibrated}\n"
    whole = load_map(write(tmp_path / "tiny.yaml", (text + entries).encode()), {})
    assert sorted(whole.entries) == ["a", "b"]
    for address in ("0xE000", "0xFF7F", "0xFFFF"):
        write(tmp_path / "bad.yaml", (text + entries.replace("0xFF81", address)).encode())
        with pytest.raises(
            MapError, match=r"is outside RAM \(0xc000 to 0xdfff, 0xff80 to 0xfffe, 0x10000 to 0x15fff\)"
        ):
            load_map(tmp_path / "bad.yaml", {})


@pytest.mark.long
def test_the_commands_take_such_roms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not find_cores("gambatte"):
        pytest.skip("no gambatte core here (make test gets it from stable-retro)")
    write(tmp_path / "tiny.gbc", gameboyrom.image(color=True))
    (tmp_path / "tiny.yaml").write_text(
        "game: tiny\nname: tiny\nsystem: gameboy\nseat: 1\nentries:\n"
        "  x: {address: 0xC050, source: calibrated}\n  y: {address: 0xFF90, source: calibrated}\n"
    )
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> None:
        monkeypatch.setattr("sys.argv", ["ochibot", *words])
        assert main._run() == 0

    run("explore", "tiny.gbc", "-o", "way", "--json", "explore.json")
    found = json.loads((tmp_path / "explore.json").read_text())
    assert found["taps"] == []
    assert found["across"] == {str(0xC050): 1}
    assert found["falls"] == {str(0xFF90): 1}
    # the ending says nothing, but the machine may be named
    (tmp_path / "tiny.gbc").rename("tiny.bin")
    common = ("--machine", "gameboy", "--json", "seen.json")
    run("ram", "watch", "tiny.bin", "--map", "tiny.yaml", "--pads", "right:20", "--frames", "40", *common)
    seen = {each["name"]: each for each in json.loads((tmp_path / "seen.json").read_text())["watched"]}
    assert [seen[name]["last"] for name in ("x", "y")] == ["4", "2"]
    poke = ("ram", "poke", "--rom", "tiny.bin", "--frames", "5")
    run(*poke, "0xFF84=90", *common)
    elsewhere = json.loads((tmp_path / "seen.json").read_text())["elsewhere"]
    assert [(each["address"], each["after"]) for each in elsewhere] == [("0xc022", "5a")]
    run(*poke, "--save-state", "one.state", *common)
    run(*poke, "0x10001=1", "0xC100=2", "--save-state", "two.state", *common)
    run("ram", "diff", "one.state", "two.state", "--rom", "tiny.bin", *common)
    differences = json.loads((tmp_path / "seen.json").read_text())["differences"]
    assert [each["address"] for each in differences] == ["0xc100", "0x10001"]
