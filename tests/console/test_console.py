"""The console with real cores and a tiny program of our own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ochibot.console import Button, Console, Rom, find_core, find_cores, load_nes_rom
from ochibot.errors import ConsoleError

from tests import nesrom

CORES = [name for name in ("fceumm", "nestopia") if find_cores(name)]
NO_CORE = "no {} core here (make test gets fceumm from stable-retro; nestopia: apt package libretro-nestopia)"


@pytest.fixture(params=["fceumm", "nestopia"])
def core(request: pytest.FixtureRequest) -> Path:
    if request.param not in CORES:
        pytest.skip(NO_CORE.format(request.param))
    return find_core("nes", request.param)


@pytest.fixture
def rom(tmp_path: Path) -> Rom:
    path = tmp_path / "pads.nes"
    path.write_bytes(nesrom.image())
    return load_nes_rom(path)


def test_pads_reach_the_program_as_the_hardware_shifts_them(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        for _ in range(10):
            console.step()
        expected = {Button.A: 0x80, Button.B: 0x40, Button.SELECT: 0x20, Button.START: 0x10}
        expected |= {Button.UP: 0x08, Button.DOWN: 0x04, Button.LEFT: 0x02, Button.RIGHT: 0x01}
        for button, bit in expected.items():
            console.step(button)
            console.step(button)
            assert console.ram[0x20] == bit, button
            assert console.ram[0x21] == 0
            console.step(0, button)
            console.step(0, button)
            assert console.ram[0x21] == bit, button
            assert console.ram[0x20] == 0


def test_same_pads_give_the_same_ram_and_picture(core: Path, rom: Rom) -> None:
    seen = []
    for _ in range(2):
        with Console.open(core, rom) as console:
            for frame in range(120):
                console.step(Button(frame & 0xFF))
            seen.append((console.ram.snapshot(), console.frame().tobytes()))
    assert seen[0] == seen[1]


def test_the_core_s_version_can_stand_in_a_sentence(core: Path, rom: Rom) -> None:
    """The version that Nestopia reports ends with a space, which must not be shown."""
    with Console.open(core, rom) as console:
        assert console.core_version
        assert " ".join(console.core_version.split()) == console.core_version


def test_a_savestate_brings_everything_back(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        for _ in range(30):
            console.step()
        state = console.save()
        runs = []
        for _ in range(2):
            for frame in range(60):
                console.step(Button(frame & 0xF))
            runs.append(console.ram.snapshot())
            console.load(state)
        assert runs[0] == runs[1]


def test_two_consoles_side_by_side_share_nothing(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as one, Console.open(core, rom) as two:
        for _ in range(20):
            one.step(Button.A)
        two.step(Button.B)
        for _ in range(5):
            two.step(Button.B)
        assert (one.ram[0x20], two.ram[0x20]) == (0x80, 0x40)
        loops = [c.ram[0x10] + 256 * c.ram[0x11] for c in (one, two)]
        assert loops[0] > 2 * loops[1]


def test_a_console_can_be_opened_many_times(core: Path, rom: Rom) -> None:
    seen = set()
    for _ in range(6):
        with Console.open(core, rom) as console:
            for _ in range(10):
                console.step(Button.UP)
            seen.add((console.ram[0x30], console.ram[0x20]))
    assert len(seen) == 1
    assert seen.pop()[1] == 0x08


def test_reset_starts_the_program_again(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        for _ in range(10):
            console.step()
        starts = console.ram[0x30]
        console.reset()
        for _ in range(10):
            console.step()
        assert console.ram[0x30] == (starts + 1) % 256


def test_frames_are_rgb_and_ram_writes_stick(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        assert not console.frame().any()
        for _ in range(5):
            console.step()
        frame = console.frame()
        assert frame.dtype == np.uint8
        assert frame.shape[0] in (224, 240)
        assert frame.shape[1] in (240, 256)
        assert frame.shape[2] == 3
        console.ram[0x7F0] = 0xA5
        console.step()
        assert console.ram[0x7F0] == 0xA5
        with pytest.raises(ConsoleError, match="not in RAM"):
            console.ram[0x800]


def test_sound_is_kept_only_when_asked_for(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        console.step()
        assert len(console.audio()) == 0
        console.keep_audio(True)
        for _ in range(60):
            console.step()
        assert len(console.audio()) == pytest.approx(console.sample_rate * 60 / console.fps, rel=0.05)
        assert len(console.audio()) == 0


def test_the_bare_loop_runs_the_same_frames(core: Path, rom: Rom) -> None:
    counts = []
    for bare in (True, False):
        with Console.open(core, rom) as console:
            if bare:
                console.run_bare(50)
            else:
                for _ in range(50):
                    console.step()
            counts.append(console.ram.snapshot())
    assert counts[0] == counts[1]


def test_a_closed_console_says_so(core: Path, rom: Rom) -> None:
    console = Console.open(core, rom)
    console.close()
    console.close()
    with pytest.raises(ConsoleError, match="closed"):
        console.step()


def test_a_file_that_is_no_core_is_refused(rom: Rom, tmp_path: Path) -> None:
    text = tmp_path / "thing_libretro.so"
    text.write_text("not a library")
    with pytest.raises(ConsoleError, match="not a libretro core"):
        Console.open(text, rom)
    libc = next(iter(Path("/lib").glob("*/libm.so.6")), None)
    if libc is not None:
        with pytest.raises(ConsoleError, match="not a libretro core"):
            Console.open(libc, rom)


def test_a_state_of_another_core_is_refused(core: Path, rom: Rom) -> None:
    with Console.open(core, rom) as console:
        console.step()
        with pytest.raises(ConsoleError, match="refused the savestate"):
            console.load(b"nothing")


def test_callbacks_live_in_a_fresh_process_each_time(rom: Rom) -> None:
    """The compiled code contains the address of the console's state, so it must not be cached for another process."""
    program = (
        "import sys; from pathlib import Path\n"
        "from ochibot.console import Button, Console, find_core, load_nes_rom\n"
        "c = Console.open(find_core('nes'), load_nes_rom(Path(sys.argv[1])))\n"
        "[c.step(Button.START) for _ in range(9)]; print(c.ram[0x20]); c.close()\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program, str(rom.source)], capture_output=True, text=True, check=True
        )
        assert done.stdout == "16\n"


@pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here (it comes with stable-retro)")
def test_before_the_first_picture_the_screen_is_black() -> None:
    """FBNeo gives no picture for its first frame. Showing this frame in a window once failed with an error."""
    from tests.titles import NYAA as GAME

    with Console.open(find_core("neogeo"), GAME.open_rom(None), options=GAME.core_options) as console:
        console.step()
        black = console.frame()
        assert black.shape == (console.picture_size[1], console.picture_size[0], 3)
        assert not black.any()
        for _ in range(60):
            console.step()
        assert console.frame().shape == black.shape
        assert console.frame().any()
