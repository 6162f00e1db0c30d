"""The long proof of endless play: python -m tests.play.proof [--pieces N]. Exit code 1 when it fails.

Prints one line of JSON. Our Famicom game (level 4, 5 colours, both items, a new game after a game over) is played in
one process. Every lock must go as the rules say, and memory must hardly grow. The resident memory is read every 100
pieces. Growth counts from piece 1,000 on, because by then tables and the allocator's pools are filled.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import ochibot
from ochibot.falling.player import prepare
from ochibot.play.endless import Endless

PIECES = 20_000
WARM = 1_000
EVERY = 100
MOST_GROWTH = 4.0
"""MB that memory may grow by after the first thousand pieces; a leak of one byte a frame would come to one megabyte."""

OPTIONS: dict[str, str | int] = {"level": 4, "colors": 5, "items": "both"}


def resident() -> float:
    """This process's resident memory in MB, as the kernel reports it."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def prove(pieces: int = PIECES, seed: int = 3) -> dict[str, Any]:
    """Plays and reports. The entry ``holds`` is true if all locks were as predicted and memory hardly grew."""
    memory: dict[int, float] = {}

    def note(run: Endless) -> None:
        if run.player.tally.pieces % EVERY == 0:
            memory[run.player.tally.pieces] = resident()

    with ochibot.open("puyo", seed=seed, options=OPTIONS) as session:
        mind = session.open_player()
        prepare(mind)
        run = session.endless(mind, on_piece=note, restart=lambda: session.reach(run.player.seat))
        session.wait()
        session.reach(run.player.seat)
        start = resident()
        run.run(pieces=pieces)
        end = resident()
        result = run.result()
    warm = memory[min(WARM, pieces // EVERY * EVERY)]
    growth = max(end, *(megabytes for piece, megabytes in memory.items() if piece >= WARM), warm) - warm
    report: dict[str, Any] = {
        **result.as_dict(),
        "megabytes_at_start": round(start, 2),
        "megabytes_after_1000": round(warm, 2),
        "megabytes_by_thousands": [round(memory[piece], 2) for piece in sorted(memory) if piece % 1000 == 0],
        "megabytes_at_end": round(end, 2),
        "growth": round(growth, 2),
    }
    report["holds"] = (
        result.pieces == result.compared == pieces
        and result.agreement == 1.0
        and result.misplaced == result.disagreements == result.contradictions == 0
        and growth <= MOST_GROWTH
    )
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=PIECES)
    parser.add_argument("--seed", type=int, default=3)
    asked = parser.parse_args()
    report = prove(asked.pieces, asked.seed)
    print(json.dumps(report))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
