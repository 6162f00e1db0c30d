"""The long proof that the cartridge fits the hardware's limits: python -m tests.homebrew.famicom.proof [--frames N].

In each mode it runs 20,000 frames in the simulation and 10,000 on two cores. It prints one line of JSON, and its exit
code is 1 when the proof fails.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ochibot.console import find_cores

from tests.homebrew.famicom import driver
from tests.homebrew.famicom.machine import SimulatedMachine
from tests.homebrew.famicom.test_hardware import FRAME, NMI_LIMIT, worst_nmi
from tests.homebrew.famicom.test_second_core import differences


def hardware(frames: int, two_players: bool) -> dict[str, Any]:
    """Plays this many frames of ``Stress`` in the simulation. Returns what was measured, and whether it holds."""
    machine = SimulatedMachine()
    stress = driver.Stress(machine, 7, {driver.LEVEL: 4, driver.ITEMS: 3}, two_players)
    for _ in range(frames):
        stress.frame()
    ram = machine.ram
    seen = {
        "frames": frames,
        "games": stress.games,
        "illicit_writes": machine.illicit,
        "logic_overruns": ram[driver.OVERRUN] | ram[driver.OVERRUN + 1] << 8,
        "sprite_overflows": ram[driver.OVERFLOW] | ram[driver.OVERFLOW + 1] << 8,
        "longest_logic_cycles": machine.longest_logic,
        "nmi_cycles": machine.nmi_worst,
        "most_sprites_on_a_line": machine.most_sprites,
        "lowest_stack": machine.lowest_stack,
    }
    seen["holds"] = (
        seen["illicit_writes"] == seen["logic_overruns"] == seen["sprite_overflows"] == 0
        and machine.longest_logic < FRAME
        and machine.nmi_worst < NMI_LIMIT
    )
    return seen


def prove(frames: int = 20_000) -> dict[str, Any]:
    """Runs the whole proof. The report's ``holds`` says whether everything was as it must be."""
    machine = SimulatedMachine()
    driver.start(machine, {})
    nmi = worst_nmi(machine)
    report: dict[str, Any] = {
        "nmi_fullest_queues": nmi,
        "endless": hardware(frames, False),
        "two_players": hardware(frames, True),
    }
    report["holds"] = max(nmi.values()) < NMI_LIMIT and report["endless"]["holds"] and report["two_players"]["holds"]
    if find_cores("nestopia"):
        for name, two_players in (("cores_endless", False), ("cores_two_players", True)):
            compared, cleared, differing = differences(frames // 2, 9, two_players)
            report[name] = {"compared": compared, "blocks_cleared": cleared, "different": len(differing)}
            report["holds"] = report["holds"] and compared > frames // 2 - 100 and not differing
    else:
        report["cores"] = "nestopia not found: not compared"
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=20_000)
    report = prove(parser.parse_args().frames)
    print(json.dumps(report))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
