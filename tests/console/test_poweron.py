"""Runs with the same inputs from power-on stay equal, whatever the memory contained that the core allocated."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest
from ochibot.console import find_core, find_cores
from ochibot.console.poweron import settled
from ochibot.data import data_path

from tests import nesrom

CORES = [name for name in ("fceumm", "nestopia") if find_cores(name)]

RUN = """
import hashlib, sys
from pathlib import Path
from ochibot.console import Button, Console, load_nes_rom
with Console.open(Path(sys.argv[1]), load_nes_rom(Path(sys.argv[2]))) as console:
    seen = hashlib.sha256(console.save())
    for frame in range(int(sys.argv[3])):
        console.step(Button.START if frame % 40 < 6 else 0)
        seen.update(console.ram.snapshot())
    print(seen.hexdigest(), console.ram.snapshot()[0x200:0x300].hex())
"""

_COPIES_WRAM = bytes.fromhex(
    "78 D8 A2 00"  # sei; cld; ldx #0
    "BD 00 60 9D 00 02 E8 D0 F7"  # copy: lda $6000,x; sta $0200,x; inx; bne copy
    "4C 0D 80"  # here: jmp here
)
"""A program that copies the first 256 bytes of the cartridge's work RAM to $0200."""


def _mutated() -> bytes:
    """Our game with one byte of its program changed. (An earlier build then strayed into the cartridge's work RAM.)"""
    data = bytearray(data_path("roms/homebrew/famicom/ochidama.nes").read_bytes())
    data[15477] = 0xBC
    return bytes(data)


def _copies_wram() -> bytes:
    prg = bytearray(b"\xea" * 0x8000)
    prg[: len(_COPIES_WRAM)] = _COPIES_WRAM
    prg[0x7FFA:] = struct.pack("<HHH", 0x8000, 0x8000, 0x8000)
    return nesrom.header() + bytes(prg) + bytes(0x2000)


@pytest.mark.long
@pytest.mark.parametrize("name", ["fceumm", "nestopia"])
@pytest.mark.parametrize("rom", ["mutated", "wram"])
def test_equal_runs_in_processes_of_their_own_are_equal(tmp_path: Path, name: str, rom: str) -> None:
    if name not in CORES:
        pytest.skip(f"no {name} core here")
    path = tmp_path / "game.nes"
    path.write_bytes(_mutated() if rom == "mutated" else _copies_wram())
    command = [sys.executable, "-c", RUN, str(find_core("nes", name)), str(path), "300"]
    ends = {subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(4)}
    assert len(ends) == 1
    if rom == "wram":
        shown = bytes.fromhex(ends.pop().split()[1])
        assert len(set(shown)) == 1, "the work RAM is filled evenly"


def _entry(name: bytes, data: bytes) -> bytes:
    return name.ljust(4, b"\0") + struct.pack("<I", len(data)) + data


def _state(*sections: tuple[int, bytes]) -> bytes:
    parts = [bytes([kind]) + struct.pack("<I", len(body)) + body for kind, body in sections]
    return b"FCS\xff" + bytes(12) + b"".join(parts)


def test_only_the_cartridge_s_memory_is_cleared() -> None:
    console, registers, noise = _entry(b"RAM", b"\xff" * 2048), _entry(b"REGS", b"\7" * 8), b"\x55" * 8192
    state = _state((1, console), (16, registers + _entry(b"WRAM", noise) + registers))
    clear = _state((1, console), (16, registers + _entry(b"WRAM", bytes(8192)) + registers))
    assert settled("FCEUmm", state) == clear
    assert settled("FCEUmm", clear) is None
    assert settled("Nestopia", state) is None


@pytest.mark.parametrize("cut", [0, 4, 17, 20, 2082, 2090, 9000])
def test_a_state_that_ends_early_is_left_as_it_is_there(cut: int) -> None:
    whole = _state((1, _entry(b"RAM", b"\xff" * 2048)), (16, _entry(b"WRAM", b"\x55" * 8192)))
    assert settled("FCEUmm", whole[:cut]) is None
