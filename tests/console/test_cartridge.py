"""RAM of a Famicom cartridge at 6000 to 7FFF, seen in real cores with a tiny program of our own."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest
from ochibot.cli import main
from ochibot.console import Button, Console, find_core
from ochibot.console.nes import load_nes_rom
from ochibot.errors import ConsoleError, MapError
from ochibot.ram import BoundMap, load_map
from ochibot.ramtools.image import image_of

from tests.ram.writing import write_grid

_PROGRAM = bytes.fromhex(
    "78 D8 A2 FF 9A"  # sei; cld; ldx #$ff; txs
    "EE 10 60 AD 10 60 85 40"  # loop: inc $6010; lda $6010; sta $40
    "AD 00 61 85 41"  # lda $6100; sta $41
    "A9 01 8D 16 40 A9 00 8D 16 40 AD 16 40 8D FF 7F"  # strobe the pads; the A button goes to $7fff
    "4C 05 80"  # jmp loop
)

CORES = ("fceumm", "nestopia")

MAP = """
game: tiny
name: tiny
system: nes
seat: 1
entries:
  count: {address: 0x0040, source: calibrated}
  there: {address: 0x6010, source: calibrated}
  apart: {addresses: [0x0041, 0x6100], source: calibrated}
  field: {address: 0x6200, rows: 2, columns: 3, row_stride: 16, column_stride: 2, codes: cells, source: calibrated}
codes:
  cells: {source: calibrated, values: {0: empty, 1: red, 2: green}}
"""


def cartridge(folder: Path, *, battery: bool) -> Path:
    """Writes a cartridge whose program uses the cartridge's own RAM. With a battery, all cores show this RAM."""
    prg = bytearray(b"\xea" * 0x8000)
    prg[: len(_PROGRAM)] = _PROGRAM
    prg[0x7FFA:] = struct.pack("<HHH", 0x8000, 0x8000, 0x8000)
    path = folder / "tiny.nes"
    path.write_bytes(b"NES\x1a" + bytes([2, 1, 2 * battery, 0]) + bytes(8) + bytes(prg) + bytes(0x2000))
    return path


def opened(path: Path, core: str) -> Console:
    try:
        found = find_core("nes", core)
    except ConsoleError:
        pytest.skip(f"the core {core} isn't installed here")
    return Console.open(found, load_nes_rom(path, None))


@pytest.mark.parametrize("core", CORES)
def test_the_cartridges_ram_is_read_written_and_kept_in_savestates(core: str, tmp_path: Path) -> None:
    with opened(cartridge(tmp_path, battery=True), core) as console:
        for _ in range(20):
            console.step()
        # the program counts up $6010, then copies it to $40, and a frame may end in between
        assert (console.ram[0x6010] - console.ram[0x40]) % 256 in (0, 1)
        state, there = console.save(), console.ram[0x6010]
        console.ram[0x6100] = 0x5A
        console.step(Button.A)
        assert console.ram[0x41] == 0x5A
        assert console.ram[0x7FFF] & 1 == 1
        assert console.ram[0x6010] != there
        console.load(state)
        assert (console.ram[0x6010], console.ram[0x6100]) == (there, 0)
        with pytest.raises(ConsoleError, match="0x0 to 0x7ff, 0x6000 to 0x7fff"):
            console.ram[0x5FFF]
        assert 0x6000 in console.ram
        assert 0x5FFF not in console.ram
        kept = console.ram
    with pytest.raises(ConsoleError, match="closed"):
        kept[0x6010]


@pytest.mark.parametrize("core", CORES)
def test_maps_name_the_cartridges_ram(core: str, tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(MAP)
    symbols = {"empty": 0, "red": 1, "green": 2}
    ram_map = load_map(tmp_path / "tiny.yaml", symbols)
    with opened(cartridge(tmp_path, battery=True), core) as console:
        bound = BoundMap(ram_map, console.ram, symbols)
        several = bound.several("count", "there", "apart")
        for _ in range(10):
            console.step()
        console.ram[0x6100] = 7
        console.step()
        assert several() == (console.ram[0x40], console.ram[0x6010], 7 + 7 * 256)
        assert bound.value("apart") == 7 + 7 * 256
        cells = np.array([[0, 1, 2], [2, 0, 1]], np.uint8)
        write_grid(bound, "field", cells)
        assert bound.grid("field").tolist() == cells.tolist()
        assert bound.raw_grid("field").tolist() == cells.tolist()
        assert bound.cells_reader("field")() == cells.tobytes()
        assert console.ram[0x6212] == 0
        assert console.ram[0x6210] == 2
        assert bound.name_of(0x6210) == "field[1,0]"


def test_an_image_has_all_of_it_and_no_addresses_between(tmp_path: Path) -> None:
    with opened(cartridge(tmp_path, battery=True), "fceumm") as console:
        for _ in range(10):
            console.step()
        image = image_of(console.ram)
        assert image[0x6010] == console.ram[0x6010] != 0
        assert list(image.addresses()) == [*range(0x800), *range(0x6000, 0x8000)]


def test_fceumm_reports_such_ram_without_a_battery(tmp_path: Path) -> None:
    with opened(cartridge(tmp_path, battery=False), "fceumm") as console:
        for _ in range(10):
            console.step()
        assert console.ram[0x6010] != 0
        assert [bank.sure for bank in console.ram.banks] == [False]


def test_an_address_that_no_cartridge_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(MAP.replace("0x6010", "0x5010"))
    with pytest.raises(MapError, match=r"0x5010 is outside RAM \(0x0000 to 0x07ff, 0x6000 to 0x7fff\)"):
        load_map(tmp_path / "tiny.yaml", {"empty": 0, "red": 1, "green": 2})


@pytest.mark.long
def test_the_tools_on_ram_reach_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cartridge(tmp_path, battery=True)
    (tmp_path / "tiny.yaml").write_text(MAP)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> None:
        monkeypatch.setattr("sys.argv", ["ochibot", "ram", *words])
        assert main._run() == 0, capsys.readouterr().err

    run("watch", "tiny.nes", "--frames", "10", "--address", "0x6010", "--address", "0x40", "--json", "watch.json")
    watched = {each["name"]: each for each in json.loads((tmp_path / "watch.json").read_text())["watched"]}
    assert watched["6010"]["changes"] > 5
    run("watch", "tiny.nes", "--frames", "10", "--map", "tiny.yaml", "--json", "watch.json")
    run("poke", "0x6100=90", "--rom", "tiny.nes", "--frames", "5", "--json", "poke.json")
    effect = json.loads((tmp_path / "poke.json").read_text())
    assert {"address": "0x0041", "name": None, "before": "00", "after": "5a"} in effect["elsewhere"]
    run("poke", "--rom", "tiny.nes", "--frames", "5", "--save-state", "one.state")
    run("poke", "0x6100=90", "--rom", "tiny.nes", "--frames", "5", "--save-state", "two.state")
    run("diff", "one.state", "two.state", "--rom", "tiny.nes", "--json", "diff.json")
    assert [each["address"] for each in json.loads((tmp_path / "diff.json").read_text())["differences"]] == [
        "0x0041",
        "0x6100",
    ]
    looks = ("load one.state", "look", "load two.state", "increased by 90")
    run("search", "found.json", *looks, "--rom", "tiny.nes")
    assert json.loads((tmp_path / "found.json").read_text())["addresses"] == [0x41, 0x6100]
    run("search", "zero.json", "load one.state", "look", "--rom", "tiny.nes")
    assert len(json.loads((tmp_path / "zero.json").read_text())["addresses"]) == 0x800 + 0x2000


def test_a_search_says_before_it_runs_that_its_state_cant_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message once came only after all search steps had run, and their result was lost."""
    path = cartridge(tmp_path, battery=True)
    words = ["search", str(tmp_path / "found.json"), "look", "--rom", str(path)]
    monkeypatch.setattr("sys.argv", ["ochibot", "ram", *words, "--save-state", str(path / "a.state")])
    assert main._run() == 2
    said = capsys.readouterr()
    assert "the state" in said.err
    assert "candidate" not in said.out
