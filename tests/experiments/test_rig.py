"""The rig reads and writes RAM as the game's processor sees it, with banks and views behind it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Bank, Button
from ochibot.console.systems import find_system
from ochibot.errors import CalibrationError
from ochibot.experiments.rig import OTHER_PAD, Rig, signed
from ochibot.experiments.views import View

WORK = 64


class Console:
    """RAM in which each frame adds the pads to some bytes."""

    def __init__(self, system: str, banks: tuple[int, ...] = ()) -> None:
        dice = np.random.default_rng(8)
        self.rom = SimpleNamespace(system=system)
        rams = [dice.integers(0, 256, 16).astype(np.uint8) for _ in banks]
        of_banks = [Bank(first, raw) for first, raw in zip(banks, rams, strict=True)]
        self.ram = SimpleNamespace(raw=dice.integers(0, 256, WORK).astype(np.uint8), banks=of_banks)
        self.pads: list[tuple[int, int]] = []

    def step(self, one: int, other: int) -> None:
        self.pads.append((one, other))
        self.ram.raw[5] += 1
        self.ram.raw[6] += 3
        for bank in self.ram.banks:
            bank.raw[2] += 7

    def save(self) -> bytes:
        return b"".join([self.ram.raw.tobytes(), *(bank.raw.tobytes() for bank in self.ram.banks)])

    def load(self, state: bytes) -> None:
        self.ram.raw[:] = np.frombuffer(state[:WORK], np.uint8)
        for number, bank in enumerate(self.ram.banks):
            bank.raw[:] = np.frombuffer(state[WORK + 16 * number : WORK + 16 * number + 16], np.uint8)

    def frame(self) -> Any:
        return np.full((2, 3, 3), self.ram.raw[5])


def opened(system: str, banks: tuple[int, ...] = (), port: int = 0) -> tuple[Rig, Any]:
    console: Any = Console(system, banks)
    return Rig(console, port), console


SYSTEMS = [("nes", ()), ("nes", (0x6000,)), ("megadrive", ()), ("megadrive", (0x200000, 0x210000))]


@pytest.mark.parametrize(("system", "banks"), SYSTEMS)
def test_all_ways_to_read_a_byte_give_the_same(system: str, banks: tuple[int, ...]) -> None:
    rig, console = opened(system, banks)
    layout = find_system(system).ram
    assert (rig.size, rig.own, rig.frames) == (WORK + 16 * len(banks),) * 2 + (0,)
    ram = rig.snap()
    for offset in range(rig.size):
        address = rig.address(offset)
        assert rig.offset(address) == offset
        if offset < WORK:
            assert address == layout.base + offset
            raw = console.ram.raw[offset ^ layout.swap]
        else:
            assert address == banks[(offset - WORK) // 16] + offset % 16
            raw = console.ram.banks[(offset - WORK) // 16].raw[offset % 16]
        assert ram[offset] == rig.peek(offset) == raw
    # a copy
    rig.poke({3: 300, WORK - 1: -1})
    assert (rig.peek(3), rig.peek(WORK - 1)) == (44, 255)
    now = rig.snap()
    assert np.flatnonzero(now != ram).tolist() == [3, WORK - 1]
    for wrong in (layout.base + WORK, 0x205, 0x6010, 0x200010):
        if not any(bank <= wrong < bank + 16 for bank in banks) and not 0 <= wrong - layout.base < WORK:
            with pytest.raises(CalibrationError, match=f"no RAM at {wrong:#06x}"):
                rig.offset(wrong)
    areas = [f"{first:#06x} to {first + size - 1:#06x}" for first, size in
             [(layout.base, WORK), *((bank, 16) for bank in banks)]]  # fmt: skip
    assert rig.areas == ", ".join(areas)


@pytest.mark.parametrize(("system", "banks"), SYSTEMS)
def test_a_trace_is_what_ram_was_after_each_frame(system: str, banks: tuple[int, ...]) -> None:
    rig, _ = opened(system, banks)
    begun = rig.save()
    wanted = []
    for _ in range(5):
        rig.step()
        wanted.append(rig.snap())
    assert rig.frames == 5
    assert (rig.branch(begun, [0] * 5) == wanted).all()
    assert (rig.after(begun, [0] * 3) == wanted[2]).all()
    assert rig.frames == 13
    assert (rig.after(begun, []) == rig.with_cells(rig.after(begun, []))).all()
    poked = rig.after(begun, [0] * 5, {1: 99})
    assert np.flatnonzero(poked != wanted[-1]).tolist() == [1]
    assert poked[1] == 99


def test_cells_of_a_view_follow_ram() -> None:
    rig, _ = opened("megadrive", (0x200000,))
    view = View(2, ((5,), (4,), (WORK + 2,), (WORK,)), (4, 0, 4, 0), 4)
    rig.look(view)
    own = WORK + 16
    assert (rig.own, rig.size) == (own, own + 4)
    begun = rig.save()
    trace = rig.branch(begun, [0, 0])
    for seen in (trace[-1], rig.snap(), rig.with_cells(rig.snap()[:own])):
        assert seen[own:].tolist() == [seen[5] >> 4, seen[4] & 15, seen[WORK + 2] >> 4, seen[WORK] & 15]
    assert [rig.peek(own + number) for number in range(4)] == trace[-1][own:].tolist()
    assert [rig.address(own + number) for number in range(4)] == [
        rig.address(place) for place in (5, 4, WORK + 2, WORK)
    ]
    low = rig.peek(5) & 15
    rig.poke({own: 9, own + 3: 6, 7: 1})
    assert (rig.peek(5), rig.peek(WORK) & 15, rig.peek(7)) == (9 << 4 | low, 6, 1)
    rig.look(None)
    assert (rig.size, len(rig.snap())) == (own, own)


@pytest.mark.parametrize("port", [0, 1])
def test_the_other_pad_s_buttons_are_shifted(port: int) -> None:
    rig, console = opened("nes", port=port)
    rig.run([int(Button.A), int(Button.LEFT) << OTHER_PAD, int(Button.B) | int(Button.UP) << OTHER_PAD])
    pads = [(Button.A, 0), (0, Button.LEFT), (Button.B, Button.UP)]
    assert console.pads == [pad[::-1] if port else pad for pad in pads]


def test_frames_are_limited() -> None:
    rig, _ = opened("nes")
    assert (rig.left, rig.spent) == (None, False)
    rig.check()
    rig.run([0] * 10)
    rig.limit(3)
    rig.run([0] * 3)
    assert (rig.left, rig.spent, rig.ran_out) == (0, False, False)
    rig.check()
    rig.step()
    assert (rig.left, rig.spent) == (0, True)
    with pytest.raises(CalibrationError, match="frames for this step are used up"):
        rig.check()
    assert rig.ran_out
    rig.limit(2, hard=True)
    assert (rig.left, rig.spent) == (2, False)
    rig.run([0, 0])
    with pytest.raises(CalibrationError, match="used up"):
        rig.step()
    assert rig.frames == 16
    rig.limit(None)
    rig.step()
    assert (rig.left, rig.spent) == (None, False)


def test_the_picture_is_that_of_a_savestate_s_next_frame() -> None:
    rig, console = opened("nes")
    console.ram.raw[5] = 40
    state = rig.save()
    assert rig.picture()[0, 0, 0] == 40
    console.ram.raw[5] = 90
    assert rig.picture(state)[0, 0, 0] == 41


def test_differences_of_bytes_have_signs() -> None:
    assert signed(np.array([0, 1, 127, 128, 255], np.uint8)).tolist() == [0, 1, 127, -128, -1]
