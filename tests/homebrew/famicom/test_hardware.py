"""Checks in a simulation that counts cycles that the cartridge keeps to the hardware's limits."""

from __future__ import annotations

import numpy as np
import pytest

from tests.homebrew.famicom import driver
from tests.homebrew.famicom.machine import SimulatedMachine
from tests.homebrew.famicom.opcodes import NAMES, length, tables

NMI_LIMIT = 2200
FRAME = 29780


@pytest.fixture
def machine() -> SimulatedMachine:
    return SimulatedMachine()


def test_opcode_tables_hold_all_official_opcodes() -> None:
    operation, mode, cycles, _ = tables()
    assert int((operation > 0).sum()) == 150  # all official opcodes but BRK
    assert all(2 <= cycles[code] <= 7 for code in np.flatnonzero(operation))
    assert (NAMES[operation[0x9D]], length(int(mode[0x9D])), int(cycles[0x9D])) == ("STA", 3, 5)


def worst_nmi(machine: SimulatedMachine) -> dict[str, int]:
    """The NMI's cycles with each of the fullest queues, which are written into RAM when the NMI is entered."""
    rows = machine.byte(machine.find(rb"\xA9\x02\x8D\x14\x40\xA4"))
    queue_at = machine.find(rb"\xA2\x00\xAD(?=..\xF0)")
    queue = machine.byte(queue_at) | machine.byte(queue_at + 1) << 8
    texts = {
        "4 rows": (4, []),
        "3 rows, 29 bytes in one piece": (3, [0x20, 0, 29, *[0] * 29]),
        "3 rows, 8 single bytes": (3, [0x20, 0, 1, 0] * 8),
    }
    found = {}
    for name, (count, text) in texts.items():
        for place, value in enumerate([*text, 0]):
            machine.ram[queue + place] = value
        machine.ram[rows] = count
        for place in range(3):
            machine.ram[driver.FRAME + place] = 0xFF  # the frame counter carries into all its bytes
        machine.step()
        found[name] = machine.nmi_last
    return found


@pytest.mark.long
def test_nmi_with_the_fullest_queues_stays_within_vertical_blank(machine: SimulatedMachine) -> None:
    driver.start(machine, {})
    for _ in range(120):
        machine.step()
    found = worst_nmi(machine)
    assert all(1500 < cycles < NMI_LIMIT for cycles in found.values()), found


@pytest.mark.parametrize(
    "two_players", [pytest.param(False, marks=pytest.mark.long), True], ids=["endless", "2 player"]
)
def test_ppu_is_left_alone_and_logic_is_in_time(machine: SimulatedMachine, two_players: bool) -> None:
    stress = driver.Stress(machine, 1, {driver.LEVEL: 4, driver.ITEMS: 3}, two_players)
    for _ in range(1500):
        stress.frame()
    ram = machine.ram
    assert machine.illicit == 0, f"the PPU is written to outside the NMI at {machine.illicit_at:04X}"
    assert machine.nmi_worst < NMI_LIMIT
    assert ram[driver.OVERRUN] == ram[driver.OVERRUN + 1] == ram[driver.OVERFLOW] == ram[driver.OVERFLOW + 1] == 0
    assert machine.longest_logic < FRAME
    assert machine.most_sprites <= 8
    assert machine.lowest_stack > 0xD8  # sound and the row queue are in the bytes below


def test_watch_sees_a_write_outside_the_nmi(machine: SimulatedMachine) -> None:
    driver.start(machine, {})
    wait = machine.find(rb"(?=\xA9\x01\x85.\xA5.\xD0\xFC\x60)")  # the wait for the next frame becomes sta $2006, nop
    machine.prg[wait - 0x8000 : wait - 0x8000 + 4] = [0x8D, 0x06, 0x20, 0xEA]
    machine.step()
    machine.step()
    assert machine.illicit > 0


def test_overrun_counter_counts(machine: SimulatedMachine) -> None:
    """A main loop that hangs makes the counter rise, so its 0 in the other tests means something."""
    driver.start(machine, {})
    wait = machine.find(rb"(?=\xA9\x01\x85.\xA5.\xD0\xFC\x60)")
    machine.prg[wait - 0x8000 : wait - 0x8000 + 3] = [0x4C, wait & 0xFF, wait >> 8]
    for _ in range(4):
        machine.step()
    assert machine.ram[driver.OVERRUN] >= 2
