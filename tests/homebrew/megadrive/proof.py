"""The long proof of the Mega Drive cartridge: python -m tests.homebrew.megadrive.proof. Exit code 1 when it fails.

Compares the pools made from random states with those of the Python generator, and random locks and presses with
``ochibot.puyo``. In random rounds of two players, no frame may be late. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import Any

from tests.homebrew.megadrive.driver import ENDLESS, OVER, VERSUS, cartridge, presses, random_field
from tests.homebrew.megadrive.pools import different_pools
from tests.homebrew.megadrive.rules import compare_locks, compare_moves

MOST_FRAMES = 10_000
"""The most frames of a random round, which normally ends long before."""


def prove_pools(states: int, seed: int = 1) -> dict[str, Any]:
    """Compares the pools of ``states`` random states, a third each with 3, 4 and 5 colours."""
    dice, different, seen = random.Random(seed), [], 0
    for difficulty, share in ((1, states // 3), (3, states // 3), (5, states - 2 * (states // 3))):
        with cartridge() as game:
            game.to_menu(VERSUS, difficulty)
            different += different_pools(game, (dice.randrange(1 << 32) for _ in range(share)))
            seen += share
    return {"states": seen, "different": len(different)}


def prove_locks(locks: int, seed: int = 2) -> dict[str, Any]:
    with cartridge() as game:
        game.to_menu(VERSUS, 5)
        game.begin(seed)
        result = compare_locks(game, locks, seed)
        return {
            "locks": result.locks,
            "clears": result.clears,
            "longest": result.longest,
            "fallen": result.fallen,
            "offset": result.offset,
            "all_clears": result.all_clears,
            "lost": result.lost,
            "different": len(result.different),
            "late": game.game("overruns") + game.game("late"),
        }


def prove_moves(pairs: int, seed: int = 3) -> dict[str, Any]:
    with cartridge() as game:
        game.to_menu(ENDLESS, 5)
        game.begin(seed)
        return {"pairs": pairs, "different": len(compare_moves(game, pairs, seed))}


def prove_rounds(rounds: int) -> dict[str, Any]:
    """Plays random rounds of two players and counts late frames. In every other round, each
    spawn gets a random field and pending nuisance.
    """
    frames = late = latest = 0
    for number in range(rounds):
        with cartridge() as game:
            game.to_menu(VERSUS, 1 + number % 5)
            game.begin(number)
            dice = random.Random(number)
            pads = presses(random.Random(2 * number)), presses(random.Random(2 * number + 1))
            for one, other in zip(*pads, strict=True):
                game.step(one, other)
                for seat in (0, 1) if number % 2 else ():
                    if game.seat(seat, "spawn_delay") == 6:
                        game.put_field(seat, random_field(dice))
                        game.set_seat(seat, pending=dice.choice((0, 30, 77)))
                if game.game("state") == OVER or game.game("time") > MOST_FRAMES:
                    break
            frames += game.game("time")
            late += game.game("overruns") + game.game("late")
            latest = max(latest, game.game("latest"))
    return {"rounds": rounds, "frames": frames, "late": late, "latest": latest}


def prove(states: int, locks: int, pairs: int, rounds: int) -> dict[str, Any]:
    """Runs all parts. The report's ``holds`` says whether nothing differed and no frame was late."""
    report: dict[str, Any] = {
        "pools": prove_pools(states),
        "locks": prove_locks(locks),
        "moves": prove_moves(pairs),
        "rounds": prove_rounds(rounds),
    }
    report["holds"] = all(part.get("different", 0) == part.get("late", 0) == 0 for part in report.values())
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--locks", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=20)
    given = parser.parse_args()
    report = prove(given.states, given.locks, given.pairs, given.rounds)
    print(json.dumps(report))
    sys.exit(not report["holds"])


if __name__ == "__main__":
    main()
