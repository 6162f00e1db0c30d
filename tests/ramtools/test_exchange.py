"""Other programs' files of addresses: hand-written examples of each format, and maps written and read again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ochibot.errors import MapError
from ochibot.ram import RamMap, load_map
from ochibot.ramtools.exchange import FORMATS, format_of, read_file
from ochibot.ramtools.exchange.symbols import map_of
from ochibot.ramtools.mapping import AnySymbols, read_map

RETRO = """{"info": {
  "lives": {"address": 117, "type": "|u1"},
  "x": {"address": 134, "type": "<u2"},
  "speed": {"address": 136, "type": "|i1"},
  "score": {"address": 144, "type": ">n6"},
  "coins": {"address": 152, "type": "|d1"},
  "time": {"address": 160, "type": "<d3"},
  "rom": {"address": 49152, "type": "|u1"},
  "odd": {"address": 10, "type": "><d4"}
}}"""

CHT = """cheats = 3

cheat0_desc = "Infinite lives"
cheat0_code = "SXIOPO"
cheat0_enable = false

cheat1_desc = "Lives"
cheat1_address = "117"
cheat1_handler = "1"
cheat1_memory_search_size = "3"
cheat1_cheat_type = "1"
cheat1_value = "9"
cheat1_enable = true

cheat2_desc = "Timer"
cheat2_address = "256"
cheat2_handler = "1"
cheat2_memory_search_size = "4"
cheat2_big_endian = "true"
"""

WCH = (
    "SystemID NES\r\n0075\tb\tu\t0\tRAM\tLives\r\n0100\tw\ts\t1\tSystem Bus\tTimer: in frames\r\n"
    "0000\tS\t_\t0\t\tmore\r\n0010\tb\tu\t0\tPRG ROM\tprogram\r\n"
)

NL = "$0075#lives#how many are left\n\\of them\n$0300/54#field#\n$0080##only a comment\n$C000#Reset#\nnot a line\n"


def imported(folder: Path, name: str, text: str, system: str = "nes") -> tuple[RamMap, list[str]]:
    (folder / name).write_text(text, newline="")
    found = read_file(folder / name, system)
    path = folder / "map.yaml"
    path.write_text(map_of(found, game="other", name="mine", system=system))
    return load_map(path, AnySymbols()), found.left_out


def test_a_data_json_of_stable_retro(tmp_path: Path) -> None:
    ram_map, left = imported(tmp_path, "data.json", RETRO)
    entries = ram_map.entries
    assert {name: entry.byte_addresses() for name, entry in entries.items()} == {
        "lives": [117],
        "x": [134, 135],
        "speed": [136],
        # the highest digit has the first address; the lowest digit's address is listed first
        "score": [149, 148, 147, 146, 145, 144],
        "coins": [152],
        "time": [160, 161, 162],
    }
    assert [(entries[name].type, entries[name].digits) for name in ("x", "speed", "score", "coins")] == [
        ("u16le", None),
        ("s8", None),
        ("u8", "decimal"),
        ("u8", "bcd"),
    ]
    assert len(left) == 2


def test_a_cht_of_retroarch(tmp_path: Path) -> None:
    ram_map, left = imported(tmp_path, "game.cht", CHT)
    assert {name: (entry.address, entry.type) for name, entry in ram_map.entries.items()} == {
        "lives": (117, "u8"),
        "timer": (256, "u16be"),
    }
    assert "Infinite lives" in left[0]


def test_a_cht_counts_from_the_core_s_block_whose_words_are_swapped(tmp_path: Path) -> None:
    """Genesis Plus GX keeps words in the host's byte order, so the byte at FF0001 is the first one of its block."""
    ram_map, _ = imported(tmp_path, "game.cht", CHT.replace("cheat2_big_endian", "cheat2_other"), "megadrive")
    assert (ram_map.entries["lives"].address, ram_map.entries["timer"].address) == (0xFF0074, 0xFF0100)
    # a word that is big-endian for the 68000 is little-endian in the core's block
    assert ram_map.entries["timer"].type == "u16be"


def test_a_wch_of_bizhawk(tmp_path: Path) -> None:
    ram_map, left = imported(tmp_path, "game.wch", WCH)
    assert {name: (entry.address, entry.type) for name, entry in ram_map.entries.items()} == {
        "lives": (0x75, "u8"),
        "timer": (0x100, "s16be"),
    }
    assert ram_map.entries["timer"].note == "Timer: in frames"
    assert len(left) == 1


def test_a_nl_of_fceux(tmp_path: Path) -> None:
    ram_map, left = imported(tmp_path, "game.nes.ram.nl", NL)
    assert ram_map.entries["lives"].note == "how many are left of them"
    assert (ram_map.entries["field"].address, len(ram_map.entries["field"].byte_addresses())) == (0x300, 64)
    assert len(left) == 3


@pytest.mark.parametrize("kind", FORMATS)
def test_a_shipped_map_comes_back(kind: str, tmp_path: Path) -> None:
    ram_map = read_map(Path("famicom_puyo/player1"))
    made = FORMATS[kind].write(ram_map)
    again, _ = imported(tmp_path, f"out{FORMATS[kind].ending}", made.text)
    plain = [name for name, entry in ram_map.entries.items() if len(entry.byte_addresses()) == 1]
    assert plain
    for name in plain:
        assert again.entries[name].address == ram_map.entries[name].address
    if kind != "cht":
        wide = again.entries["score" if kind == "stable-retro" else "overruns"]
        assert wide.byte_addresses()[0] == (0x7A if kind == "stable-retro" else 0x70A)


def test_data_json_names_the_types_of_a_mega_drive_map() -> None:
    made = FORMATS["stable-retro"].write(read_map(Path("tsu/player1")))
    info = json.loads(made.text)["info"]
    assert all(0xFF0000 <= said["address"] <= 0xFFFFFF for said in info.values())
    assert {said["type"] for said in info.values()} <= {"|u1", ">u2", ">u3", ">u4"}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("data.json", "{", "not valid JSON"),
        ("data.json", "[]", "info"),
        ("data.json", '{"info": {"x": {"address": "12", "type": "|u1"}}}', "info.x"),
        ("data.json", '{"info": {}}', "no address"),
        ("a.cht", "", "cheats = 3"),
        ("a.wch", "SystemID SNES\n", "SNES"),
        ("a.wch", "nothing\n", "tabs"),
        ("a.nl", "nothing\n", r"\$0303"),
        ("a.txt", "", "names no format"),
    ],
)
def test_a_file_that_is_something_else_is_reported(name: str, text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(MapError, match=words) as caught:
        read_file(path, "nes")
    assert name in str(caught.value)


def test_formats_that_a_machine_hasn_t_got_are_reported() -> None:
    with pytest.raises(MapError, match="FCEUX"):
        FORMATS["nl"].write(read_map(Path("tsu/player1")))
    with pytest.raises(MapError, match="BizHawk"):
        FORMATS["wch"].write(read_map(Path("nyaa_homebrew/player1")))
    assert format_of(Path("a.WCH")) is FORMATS["wch"]


GAME_BOY = """
game: other
name: mine
system: gameboy
seat: 1
entries:
  x: {address: 0xC010, source: calibrated}
  y: {address: 0xFF90, source: calibrated}
  far: {address: 0x10005, source: calibrated}
"""


def test_a_game_boys_hram_and_banks(tmp_path: Path) -> None:
    """HRAM is no part of the block that a cheat or BizHawk's WRAM counts in; the banks of a Color are."""
    (tmp_path / "gb.yaml").write_text(GAME_BOY)
    ram_map = load_map(tmp_path / "gb.yaml", AnySymbols())
    wch = FORMATS["wch"].write(ram_map)
    assert [line.split("\t")[:5] for line in wch.text.splitlines()] == [
        ["SystemID GB"],
        ["0010", "b", "u", "0", "WRAM"],
        ["FF90", "b", "u", "0", "System Bus"],
        ["2005", "b", "u", "0", "WRAM"],
    ]
    cht = FORMATS["cht"].write(ram_map)
    assert cht.left_out == ["y: no cheat can name what isn't in work RAM"]
    for name, text, wanted in (
        ("a.wch", wch.text.replace("SystemID GB", "SystemID GBC"), {"x": 0xC010, "y": 0xFF90, "far": 0x10005}),
        ("a.cht", cht.text, {"x": 0xC010, "far": 0x10005}),
        ("data.json", FORMATS["stable-retro"].write(ram_map).text, {"x": 0xC010, "y": 0xFF90, "far": 0x10005}),
    ):
        again, left = imported(tmp_path, name, text, "gameboy")
        assert {key: entry.address for key, entry in again.entries.items()} == wanted
        assert left == []


def test_a_famicom_cartridges_ram_is_no_work_ram(tmp_path: Path) -> None:
    """Such addresses were once written as if the core's block of work RAM reached that far."""
    (tmp_path / "nes.yaml").write_text(
        "game: other\nname: mine\nsystem: nes\nseat: 1\nentries:\n  x: {address: 0x6010, source: calibrated}\n"
    )
    ram_map = load_map(tmp_path / "nes.yaml", AnySymbols())
    assert FORMATS["cht"].write(ram_map).left_out == ["x: no cheat can name what isn't in work RAM"]
    assert FORMATS["wch"].write(ram_map).text.splitlines()[1].split("\t")[::4] == ["6010", "System Bus"]
