"""ROM files and cores of the Master System, Game Gear, Super Famicom, PC Engine and Game Boy Advance, with programs of
our own.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ochibot.cli import main
from ochibot.console import Button, Console, check_console, find_core, find_cores, find_system
from ochibot.console import gba as gba_rules
from ochibot.errors import RomError, UsageError
from ochibot.ramtools.opening import open_rom

from tests import consoleroms

DIRECTIONS = (Button.UP, Button.DOWN, Button.LEFT, Button.RIGHT)


@dataclass(frozen=True)
class Wanted:
    """What a console must show. bits: the byte at offset 20 for each button."""

    system: str
    ending: str
    image: bytes
    base: int
    last: int
    bits: dict[Button, int]
    fps: float
    picture: tuple[int, int]


_SMS = {Button.UP: 1, Button.DOWN: 2, Button.LEFT: 4, Button.RIGHT: 8, Button.B: 0x10, Button.A: 0x20}
_SNES = dict(
    zip(
        (Button.B, Button.Y, Button.SELECT, Button.START, *DIRECTIONS),
        (1 << bit for bit in range(7, -1, -1)),
        strict=True,
    )
)
_PCE = {Button.A: 1, Button.B: 2, Button.SELECT: 4, Button.START: 8, Button.UP: 0x10, Button.RIGHT: 0x20}
_PCE |= {Button.DOWN: 0x40, Button.LEFT: 0x80}
_GBA = {Button.A: 1, Button.B: 2, Button.SELECT: 4, Button.START: 8, Button.RIGHT: 0x10, Button.LEFT: 0x20}
_GBA |= {Button.UP: 0x40, Button.DOWN: 0x80}
CONSOLES = {
    "mastersystem": Wanted("mastersystem", ".sms", consoleroms.sega8(), 0xC000, 0xDFFF, _SMS, 59.92, (256, 192)),
    "gamegear": Wanted(
        *("gamegear", ".gg", consoleroms.sega8(game_gear=True), 0xC000, 0xDFFF),
        *(_SMS | {Button.START: 0x80}, 59.92, (160, 144)),
    ),
    "snes": Wanted("snes", ".sfc", consoleroms.snes(), 0x7E0000, 0x7FFFFF, _SNES, 60.1, (256, 224)),
    "hirom": Wanted("snes", ".smc", consoleroms.snes(high=True), 0x7E0000, 0x7FFFFF, _SNES, 60.1, (256, 224)),
    "pcengine": Wanted("pcengine", ".pce", consoleroms.pcengine(), 0x1F0000, 0x1F1FFF, _PCE, 59.82, (256, 240)),
    "gba": Wanted("gba", ".gba", consoleroms.gba(), 0x2000000, 0x203FFFF, _GBA, 59.73, (240, 160)),
}
CORES = [(name, core) for name, wanted in CONSOLES.items() for core in find_system(wanted.system).cores]


@pytest.fixture(autouse=True)
def our_logo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's logo takes the place of the console's, which isn't in this repository."""
    monkeypatch.setattr(gba_rules, "LOGO_CRC", gba_rules.crc16(consoleroms.gba()[0x04:0xA0]))


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def changed(image: bytes, at: int, data: bytes) -> bytes:
    return image[:at] + data + image[at + len(data) :]


def core_of(wanted: Wanted, name: str) -> Path:
    if not find_cores(name):
        pytest.skip(f"no {name} core here (make test gets it from stable-retro)")
    return find_core(wanted.system, name)


@pytest.mark.parametrize(("name", "core_name"), CORES)
def test_a_program_runs_and_its_ram_has_the_processors_addresses(tmp_path: Path, name: str, core_name: str) -> None:
    wanted = CONSOLES[name]
    core = core_of(wanted, core_name)
    rom = open_rom(write(tmp_path / f"tiny{wanted.ending}", wanted.image))
    assert (rom.system, rom.note, rom.data) == (wanted.system, "", wanted.image)
    options = find_system(wanted.system).options

    def opened() -> Console:
        return Console.open(core, rom, options=options)

    with opened() as console:
        ram = console.ram
        for _ in range(10):
            console.step()
        # PicoDrive rounds to whole frames, and puts a Master System's picture into a larger one
        assert console.fps == pytest.approx(wanted.fps, abs=0.1)
        if core_name != "picodrive":
            assert console.frame().shape[1::-1] == wanted.picture
        assert [ram[wanted.base], ram[wanted.base + 1], ram[wanted.base + 0x50]] == [0x12, 0x34, 3]
        assert [address in ram for address in (wanted.base - 1, wanted.base, wanted.last, wanted.last + 1)] == [
            *(False, True, True, False)
        ]
        count = ram[wanted.base + 4]
        console.step()
        assert ram[wanted.base + 4] == count + 1
        for button in map(Button, (1 << bit for bit in range(12))):
            for _ in range(3):
                console.step(button)
            assert ram[wanted.base + 0x20] == wanted.bits.get(button, 0), button
        for _ in range(3):
            console.step(0, ~Button.NONE)
        assert (
            ram[wanted.base + 0x20] in (0, 0x80, 0x40, 0xC0) if name == "mastersystem" else not ram[wanted.base + 0x20]
        )
    assert check_console(opened) == []


def test_further_ram_and_buttons(tmp_path: Path) -> None:
    """The second bank of a Super Famicom's RAM and its further buttons; the RAM inside a GBA's processor, L and R."""
    snes = core_of(CONSOLES["snes"], "snes9x")
    with Console.open(snes, open_rom(write(tmp_path / "a.sfc", consoleroms.snes()))) as console:
        for _ in range(10):
            console.step()
        assert console.ram[0x7F0000] == 0x77
        for button, bit in ((Button.A, 0x80), (Button.X, 0x40), (Button.L, 0x20), (Button.R, 0x10)):
            for _ in range(3):
                console.step(button)
            assert console.ram[0x7E0021] == bit
        for _ in range(3):
            console.step(0, Button.B)
        # the second pad's upper half, whose bit 7 is B
        assert console.ram[0x7E0022] == 0x80
    gba = core_of(CONSOLES["gba"], "mgba")
    with Console.open(gba, open_rom(write(tmp_path / "a.gba", consoleroms.gba()))) as console:
        for _ in range(10):
            console.step()
        assert console.ram[0x3000000] == 0x9A
        assert console.ram[0x3000003] == console.ram[0x2000004]
        assert [0x2FFFFFF in console.ram, 0x3007FFF in console.ram, 0x3008000 in console.ram] == [False, True, False]
        console.ram[0x3000004] = 0xC5
        console.step()
        assert console.ram[0x2000024] == 0xC5
        for button, bit in ((Button.R, 1), (Button.L, 2)):
            for _ in range(3):
                console.step(button)
            assert console.ram[0x2000021] == bit


@pytest.mark.parametrize("core_name", find_system("mastersystem").cores)
def test_start_is_the_pause_button_of_a_master_system(tmp_path: Path, core_name: str) -> None:
    core = core_of(CONSOLES["mastersystem"], core_name)
    # the routine of that button counts at C060: push af; ld a,($c060); inc a; ld ($c060),a; pop af; retn
    image = changed(consoleroms.sega8(), 0x66, bytes.fromhex("F53A60C03C3260C0F1ED45"))
    with Console.open(core, open_rom(write(tmp_path / "a.sms", image))) as console:
        for _ in range(10):
            console.step()
        assert console.ram[0xC060] == 0
        for button in (Button.START, Button.SELECT, Button.A):
            for _ in range(3):
                console.step(button)
        assert console.ram[0xC060] == 1


def _interleaved(image: bytes) -> bytes:
    halves = [image[at : at + 0x8000] for at in range(0, len(image), 0x8000)]
    return b"".join(halves[1::2] + halves[::2])


def _reversed(image: bytes) -> bytes:
    return bytes(sum(1 << 7 - bit for bit in range(8) if byte >> bit & 1) for byte in image)


@pytest.mark.parametrize(
    ("ending", "image", "data"),
    [
        (".sms", consoleroms.sega8(), bytes(512) + consoleroms.sega8()),
        (".gg", consoleroms.sega8(game_gear=True), bytes(512) + consoleroms.sega8(game_gear=True)),
        (".smc", consoleroms.snes(), bytes(512) + consoleroms.snes()),
        (".swc", consoleroms.snes(), bytes(8) + b"\xaa\xbb\x04" + bytes(501) + consoleroms.snes()),
        (".sfc", consoleroms.snes(high=True), _interleaved(consoleroms.snes(high=True))),
        (".fig", consoleroms.snes(high=True), bytes(512) + _interleaved(consoleroms.snes(high=True))),
        (".pce", consoleroms.pcengine(), bytes(512) + consoleroms.pcengine()),
        (".pce", consoleroms.pcengine(), _reversed(consoleroms.pcengine())),
        (".pce", consoleroms.pcengine(), bytes(512) + _reversed(consoleroms.pcengine())),
    ],
)
def test_what_copiers_did_is_undone(tmp_path: Path, ending: str, image: bytes, data: bytes) -> None:
    rom = open_rom(write(tmp_path / f"a{ending}", data))
    assert (rom.data, rom.sha1, rom.note) == (image, hashlib.sha1(image).hexdigest(), "")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(f"folder/tiny{ending}", data)
        archive.writestr("readme.txt", "hello")
    packed = open_rom(tmp_path / "a.zip")
    assert (packed.data, packed.system, packed.name) == (image, rom.system, f"tiny{ending}")


@pytest.mark.parametrize(
    ("ending", "data", "words"),
    [
        (".sms", bytes(0x8000), "The ROM has no header (TMR SEGA): only a Japanese Master System would start it."),
        (".sms", changed(consoleroms.sega8(), 0x300, b"\x01"), "wouldn't start it."),
        (".sms", changed(consoleroms.sega8(), 0x7FFF, b"\x40"), "covers more than the ROM"),
        (".sms", changed(consoleroms.sega8(), 0x7FFF, b"\x3c"), ""),
        (".gg", bytes(0x8000), ""),
        (".sfc", changed(consoleroms.snes(), 0x300, b"\x01"), "its header says"),
        (".sfc", changed(bytes(0x8000), 0x7FFD, b"\x80"), "The ROM has no header"),
        (".gba", changed(consoleroms.gba(), 0x50, b"\x01"), "The logo in its header isn't the console's: a console"),
        (".gba", changed(consoleroms.gba(), 0xA0, b"U"), "The checksum of its header is"),
        (".gba", changed(consoleroms.gba(), 0xB2, b"\x95"), "The byte at b2 is 95 instead of 96 and the checksum"),
    ],
)
def test_an_odd_header_is_only_noted(tmp_path: Path, ending: str, data: bytes, words: str) -> None:
    note = open_rom(write(tmp_path / f"a{ending}", data)).note
    assert words in note
    assert bool(words) == bool(note)


@pytest.mark.parametrize("ending", [".sms", ".gg", ".sfc", ".pce", ".gba"])
@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty|cut short"),
        (b"NES\x1a" + bytes(0x8000), "ROM: it is a NES ROM"),
        (b"\x89PNG", "ROM: it is a picture"),
        (b"PK\x03\x04 and nothing more", "it is a zip archive"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, ending: str, data: bytes, words: str) -> None:
    with pytest.raises(RomError, match=words):
        open_rom(write(tmp_path / f"a{ending}", data))


@pytest.mark.parametrize(
    ("ending", "data", "words"),
    [
        (".sfc", bytes(0x4000), "cut short: no Super Famicom ROM has only 16,384 bytes"),
        (".pce", bytes(0x400), "cut short: no HuCard has only 1,024 bytes"),
        (".gba", consoleroms.gba()[:0xC0], "cut short: it has 192 bytes"),
        (".gg", bytes(512), "cut short: it has only 0 bytes of a program"),
        (".gba", bytes(0x400), "doesn't begin with a jump"),
        (".sfc", bytes(0x8000), "is not a Super Famicom ROM: it names no address where its program begins"),
        (".pce", bytes(0x2000), "is not a PC Engine ROM: it names no address where its program begins"),
        (".sms", b"some text " * 4000, "is not a Master System ROM: it is a text; give a .sms file or a .zip"),
        (".gba", b"some text " * 4000, "ROM: it is a text"),
    ],
)
def test_short_and_odd_files_are_refused(tmp_path: Path, ending: str, data: bytes, words: str) -> None:
    with pytest.raises(RomError, match=words):
        open_rom(write(tmp_path / f"a{ending}", data))


def test_no_folder_of_system_roms_is_taken(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sms", consoleroms.sega8())
    with pytest.raises(UsageError, match="a Master System cartridge needs no system ROM: leave --system out"):
        open_rom(path, system=tmp_path)


def _sum(data: bytes) -> int:
    """The checksum of a Super Famicom ROM, counted in the plainest way."""
    size = 1
    while size < len(data):
        size *= 2
    whole = data
    while len(whole) < size:
        rest = len(data) - size // 2
        whole += data[-rest:]
    return sum(whole[:size]) & 0xFFFF


@pytest.mark.parametrize("kilobytes", [32, 64, 96, 128, 160, 192, 256])
def test_the_rest_beyond_a_power_of_two_counts_as_often_as_it_fits(kilobytes: int) -> None:
    from ochibot.console.snes import checksum

    data = bytes((at * at >> 5) & 0xFF for at in range(kilobytes * 1024))
    assert checksum(data) == _sum(data)


@pytest.mark.parametrize("name", ["gamegear", pytest.param("gba", marks=pytest.mark.long)])
def test_the_commands_take_such_roms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    wanted = CONSOLES[name]
    core_of(wanted, find_system(wanted.system).cores[0])
    write(tmp_path / f"tiny{wanted.ending}", wanted.image)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> dict[str, object]:
        monkeypatch.setattr("sys.argv", ["ochibot", *words, "--json", "seen.json"])
        assert main._run() == 0
        seen: dict[str, object] = json.loads((tmp_path / "seen.json").read_text())
        return seen

    found = run("explore", f"tiny{wanted.ending}", "-o", "way")
    assert found["taps"] == []
    assert found["across"] == {str(wanted.base + 0x50): 1}
    assert found["falls"] == {str(wanted.base + 0x52): 1}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), name=st.sampled_from(sorted(CONSOLES)))
def test_any_damage_is_taken_or_refused_in_one_line(tmp_path: Path, data: st.DataObject, name: str) -> None:
    wanted = CONSOLES[name]
    places = st.one_of(st.integers(0, len(wanted.image) - 1), st.integers(0x7FA0, 0x7FFF), st.integers(0, 0x1FF))
    image = bytearray(wanted.image)
    for at in data.draw(st.lists(places, max_size=12)):
        image[at % len(image)] = data.draw(st.integers(0, 255))
    size = data.draw(
        st.one_of(st.just(len(image)), st.integers(0, len(image)), st.sampled_from([0x40, 0x1FF, 0x200, 0x2200]))
    )
    damaged = data.draw(st.sampled_from([b"", bytes(512), b"\xff" * 512])) + bytes(image[:size])
    path = write(tmp_path / f"a{wanted.ending}", damaged)
    try:
        rom = open_rom(path)
    except RomError as error:
        said = str(error)
    else:
        said = rom.note
        assert rom.data
    assert "\n" not in said
