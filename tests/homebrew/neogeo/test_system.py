"""Our system ROM runs a cartridge that others might have written (guest.S)."""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import numpy as np
import pytest
from ochibot.console import NEOGEO, Button, Console, find_core, load_romdata

from tests.homebrew.neogeo import toolchain
from tests.homebrew.neogeo.driver import ROM, needs_fbneo

COUNT, LOOPS, COINS, STARTS, BLANKS, SEEN, NOW = 0x10, 0x12, 0x14, 0x15, 0x16, 0x20, 0x40
STATUS, PREVIOUS, CURRENT, CHANGE, REPEAT = range(5)
SECOND, START_BUTTONS = 6, 12
WORK_RAM = 0x100000
D = Button.X


def _guest(folder: Path, *flags: str) -> Path:
    """Builds the guest's program and writes our archive with it in the game's place. Returns the archive's path."""
    p, here = toolchain.PREFIX, Path(__file__).parent
    subprocess.run([f"{p}gcc", "-m68000", *flags, "-c", here / "guest.S", "-o", folder / "g.o"], check=True)
    subprocess.run([f"{p}ld", "-Ttext=0", "-e", "0x400", folder / "g.o", "-o", folder / "g.elf"], check=True)
    subprocess.run([f"{p}objcopy", "-O", "binary", "-j", ".text", folder / "g.elf", folder / "g.bin"], check=True)
    code = (folder / "g.bin").read_bytes().ljust(0x20000, b"\xff")
    target = folder / "guest.zip"
    with zipfile.ZipFile(ROM) as ours, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name in ours.namelist():
            swapped = bytes(code[at ^ 1] for at in range(len(code)))
            made.writestr(name, swapped if name == "p1.bin" else ours.read(name))
    # our own cartridge's .dat without its checksums, since the guest's program is another file
    told = ROM.with_suffix(".dat").read_text(encoding="ascii")
    (folder / "guest.dat").write_text(re.sub(r"0x[0-9a-f]{8}\b", "0", told), encoding="ascii")
    return target


@needs_fbneo
@pytest.mark.parametrize("flags", [(), ("-Wa,--defsym,OWN_VBLANK=1",)], ids=["SYSTEM_INT1", "SYSTEM_IO"])
def test_a_guest_cartridge_boots_and_reads_pads(tmp_path: Path, flags: tuple[str, ...]) -> None:
    if toolchain.missing():
        pytest.skip(toolchain.missing())
    with Console.open(find_core("neogeo"), load_romdata(_guest(tmp_path, *flags)), options=NEOGEO.options) as console:

        def byte(at: int) -> int:
            return console.ram[WORK_RAM + at]

        def word(at: int) -> int:
            return byte(at) << 8 | byte(at + 1)

        for _ in range(20):
            console.step()
        # the system ROM has asked the guest for start-up, its own eye-catcher and the demo, once each
        assert [byte(i) for i in range(word(COUNT))] == [1, 2, 3]
        assert word(LOOPS) > 100
        blanks = word(BLANKS)
        for _ in range(200):  # a watchdog that is never reset would restart the machine meanwhile
            console.step()
        assert word(BLANKS) == blanks + 200
        assert word(COUNT) == 3
        assert np.max(console.frame()[:, :, 0]) > 200, "the letter on the fix layer isn't there"

        console.step(Button.LEFT | Button.B, Button.DOWN | Button.A)
        console.step(Button.LEFT | Button.B, Button.DOWN | Button.A)
        assert byte(NOW + STATUS) == byte(NOW + SECOND + STATUS) == 1
        assert byte(NOW + CURRENT) == 0x04 | 0x10
        assert byte(NOW + SECOND + CURRENT) == 0x02 | 0x20
        console.step(Button.LEFT | Button.B)
        console.step(Button.LEFT | Button.B)
        assert byte(NOW + PREVIOUS) == byte(NOW + CURRENT) == 0x14
        assert byte(NOW + CHANGE) == 0
        assert byte(SEEN + CHANGE) == 0x14, "the edge was never there"
        repeats = 0
        for _ in range(32):
            console.step(Button.LEFT | Button.B)
            repeats += byte(NOW + REPEAT) == 0x14
        assert repeats == 3, "16 frames, then every 8"

        console.step(Button.START)  # no credit, no free play: the guest program isn't informed
        console.step()
        assert (byte(COINS), byte(STARTS)) == (0, 0)
        for _ in range(6):
            console.step(Button.SELECT)
        for _ in range(6):
            console.step()
        assert byte(COINS) == 1
        console.step(0, Button.START)
        console.step(0, Button.START)
        assert byte(NOW + START_BUTTONS) == 4
        assert byte(STARTS) == 1
        console.step()
        console.step()

        for _ in range(6):  # another coin: once D gives back control, the system asks for the title
            console.step(Button.SELECT)
        for _ in range(4):
            console.step()
        console.step(D)
        console.step(D)
        for _ in range(3):
            console.step()
        assert [byte(i) for i in range(4)] == [1, 2, 3, 4]
