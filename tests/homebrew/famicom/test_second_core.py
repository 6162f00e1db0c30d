"""Two cores play the same game: presses timed by the game's own frame counter give the same mapped bytes in both."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from ochibot.console import Button, Console, find_core, find_cores, load_nes_rom

from tests.homebrew.famicom import driver
from tests.homebrew.famicom.machine import ROM

MAPPED = np.r_[
    0x4A, 0x67:0x6B, 0x6F:0x71, 0x7A:0x80, 0x300:0x3E0, 0x400:0x4E0, 0x605:0x607, 0x615:0x617, 0x631:0x633, 0x645:0x647,
    0x64D:0x64F, 0x669:0x66B, 0x66D:0x66F, 0x679:0x67B, 0x67D:0x67F, 0x695:0x697, 0x699:0x69B, 0x6D5:0x6D7, 0x700:0x71D,
]  # fmt: skip
"""All documented and homebrew bytes except the scratch byte at 0087; not the stack, the sprites and the drawing."""

BEGIN = 200
"""The frame counter's value from which random presses are sent. The game is running in both cores by then."""


def recording(core: Path, seed: int, frames: int, two_players: bool) -> tuple[dict[int, bytes], int]:
    """Plays with random presses and fields drawn from ``seed``. The game's own frame counter times the presses.

    Returns the mapped bytes at each value of that counter, and how many blocks were cleared.
    """
    dice = random.Random(seed)
    pads = [[0] * (frames + BEGIN + 200) for _ in range(2)]
    for at in (60, 61, 120, 121):
        pads[0][at] = Button.START
    if two_players:
        pads[0][90] = pads[0][91] = Button.DOWN
    for seat in (0, 1):
        for at, pad in zip(range(BEGIN, frames + BEGIN), driver.presses(dice), strict=False):
            pads[seat][at] = pad
    fields = [random.Random(seed * 1000 + n) for n in range(frames // 50 + 10)]
    seen: dict[int, bytes] = {}
    cleared = poked = 0
    with Console.open(core, load_nes_rom(ROM)) as console:
        ram = console.ram
        while ram[driver.STATE] != driver.TITLE or driver.frame_count(ram) > 59:
            console.step(0)
        while (count := driver.frame_count(ram)) < frames + BEGIN:
            if ram[driver.STATE] == driver.PLAYING and ram[driver.SPAWN_DELAY] == 6:
                driver.fill(ram, fields[poked])
                poked += 1
            if ram[driver.STATE] == driver.OVER and two_players and count % 64 == 0:
                pads[0][count + 1] = Button.START
            if ram[driver.STATE] in (driver.TITLE, driver.MENU) and count > BEGIN:
                pads[0][count + 1] = Button.START if count % 16 < 2 else 0
            before = ram[0x695]
            console.step(pads[0][count + 1], pads[1][count + 1])
            cleared += (ram[0x695] - before) & 0xFF if ram[driver.STATE] == driver.PLAYING else 0
            seen[driver.frame_count(ram)] = np.frombuffer(ram.snapshot(), np.uint8)[MAPPED].tobytes()
        assert ram[driver.OVERRUN] == ram[driver.OVERRUN + 1] == ram[driver.OVERFLOW] == 0
    return seen, cleared


def differences(frames: int, seed: int, two_players: bool) -> tuple[int, int, list[int]]:
    """How many frames were compared and how many blocks cleared; the frames in which fceumm and nestopia differ."""
    first, cleared = recording(find_core("nes", "fceumm"), seed, frames, two_players)
    second, _ = recording(find_core("nes", "nestopia"), seed, frames, two_players)
    common = sorted(set(first) & set(second))
    return len(common), cleared, [count for count in common if first[count] != second[count]]


@pytest.mark.long
@pytest.mark.parametrize("two_players", [False, True], ids=["endless", "2 player"])
def test_nestopia_plays_the_same_game(two_players: bool) -> None:
    if not find_cores("nestopia"):
        pytest.skip("no nestopia core here (apt package libretro-nestopia; see docs/install.md)")
    compared, cleared, differing = differences(2000, 5, two_players)
    assert compared > 1900
    assert cleared > 100
    assert differing == []
