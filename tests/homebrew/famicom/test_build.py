"""A build of the sources equals the committed cartridge, and its code writes to the PPU only where it may."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.homebrew.famicom.machine import ROM, SimulatedMachine
from tests.homebrew.famicom.opcodes import NAMES, length, tables

FOLDER = ROM.parent
PPU_WRITES = {0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x4014}
ROUTINES = (("nmi", "_wait_frame"), ("_load_screen", "_str_begin"))
"""First and last label of the code that may write to the PPU: the NMI, and two loaders with the picture off."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """A fresh build and its labels; "CODE end" is where the code ends. Skips without the recorded toolchain."""
    recorded = (FOLDER / "TOOLCHAIN.txt").read_text(encoding="ascii").strip()
    if not shutil.which("cc65"):
        pytest.skip(f"no cc65 here; {recorded} is needed")
    found = subprocess.run(["cc65", "--version"], capture_output=True, text=True, check=True)
    if (found.stdout + found.stderr).strip() != recorded:
        pytest.skip(f"cc65 is {(found.stdout + found.stderr).strip()!r}, {recorded!r} is recorded")
    out = tmp_path_factory.mktemp("build")
    rom, labels, listing = out / "ochidama.nes", out / "labels.txt", out / "map.txt"
    path = "/usr/local/bin:/usr/bin:/bin"
    subprocess.run(
        ["sh", FOLDER / "build.sh", rom], check=True, env={"PATH": path, "LABELS": str(labels), "MAP": str(listing)}
    )
    lines = (line.split() for line in labels.read_text(encoding="ascii").splitlines())
    found_labels = {name.removeprefix("."): int(address, 16) for _, address, name in lines}
    segment = re.search(r"^CODE +[0-9A-F]+ +([0-9A-F]+) ", listing.read_text(encoding="ascii"), re.MULTILINE)
    assert segment
    return rom, found_labels | {"CODE end": int(segment[1], 16)}


def test_build_gives_the_committed_cartridge(built: tuple[Path, dict[str, int]]) -> None:
    assert built[0].read_bytes() == ROM.read_bytes()


def stores(machine: SimulatedMachine, start: int, end: int) -> set[int]:
    """Addresses of the stores to PPU registers in a stretch of code, read instruction by instruction."""
    operation, mode, _, _ = tables()
    found, at = set(), start
    while at < end:
        code = machine.byte(at)
        assert operation[code], f"{at:04X}: {code:02X} is no instruction, the reading is out of step"
        size = length(int(mode[code]))
        if size == 3 and NAMES[operation[code]] in ("STA", "STX", "STY"):
            to = machine.byte(at + 1) | machine.byte(at + 2) << 8
            found |= {at} if to in PPU_WRITES else set()
        at += size
    return found


def test_ppu_stores_stand_only_in_the_nmi_and_the_loaders(built: tuple[Path, dict[str, int]]) -> None:
    machine, labels = SimulatedMachine(), built[1]
    allowed = {at for first, last in ROUTINES for at in stores(machine, labels[first], labels[last])}
    assert len(allowed) > 30
    anywhere = stores(machine, 0x8000, labels["CODE end"])
    assert anywhere == allowed, [f"{at:04X}" for at in sorted(anywhere - allowed)]
