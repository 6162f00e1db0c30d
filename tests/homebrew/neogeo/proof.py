"""The long proof of the Neo Geo cartridge: python -m tests.homebrew.neogeo.proof. Exit code 1 when it fails.

Compares random locks with ``ochibot.nyaa``, replays whole two-player rounds in its Match, counts frames that take too
long, and opens a core 50 times in one process. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from ochibot.console import NEOGEO, Console, find_core, load_romdata

from tests.homebrew.neogeo.driver import ROM, VERSUS, cartridge
from tests.homebrew.neogeo.exchange import replay_rounds
from tests.homebrew.neogeo.rules import compare_locks

OPENED = 50


def _locks(boards: int) -> dict[str, Any]:
    with cartridge(VERSUS) as game:
        result = compare_locks(game, boards, 1)
        return {
            "boards": result.boards,
            "ignited": result.ignited,
            "tied": result.tied,
            "tails": result.tails,
            "longest_wave": result.most_steps,
            "different": len(result.different),
            "overruns": game.state.value("overruns"),
        }


def _rounds(rounds: int) -> dict[str, Any]:
    with cartridge(VERSUS) as game:
        result = replay_rounds(game, rounds, 2)
        return {
            "rounds": result.rounds,
            "locks": result.locks,
            "nuisance_fallen": result.fallen,
            "nuisance_offset": result.offset,
            "wins": [result.winners.count(1), result.winners.count(2)],
            "different": len(result.different),
            "overruns": game.state.value("overruns"),
            "frames": game.state.value("frame"),
        }


def _opened() -> int:
    """Opens, runs and closes the core OPENED times. Returns OPENED, or 0 as soon as the game doesn't run."""
    rom = load_romdata(ROM)
    for _ in range(OPENED):
        with Console.open(find_core("neogeo"), rom, options=NEOGEO.options) as console:
            for _ in range(20):
                console.step()
            if not console.ram[0x100107]:
                return 0
    return OPENED


def prove(boards: int, rounds: int) -> dict[str, Any]:
    """Runs all parts. The report's ``holds`` says whether everything was as it must be."""
    report: dict[str, Any] = {"locks": _locks(boards), "versus": _rounds(rounds), "opened": _opened()}
    parts = (report["locks"], report["versus"])
    report["holds"] = all(part["different"] == part["overruns"] == 0 for part in parts) and report["opened"] == OPENED
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=100)
    given = parser.parse_args()
    report = prove(given.boards, given.rounds)
    print(json.dumps(report))
    sys.exit(not report["holds"])


if __name__ == "__main__":
    main()
