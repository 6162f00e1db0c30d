"""The bot in a stock RetroArch without a screen: pieces and battles while the game runs on, at 60 frames a second.

``python -m tests.console.retroarch_proof`` prints a report as JSON. In lockstep everything must be as foretold, and no
frame may be missed; while the game runs on, at least 99.5 % of all pieces, and the report says of each other one what
was otherwise, and how many frames the bot missed meanwhile. All datagrams pass a counter, because RetroArch's log
doesn't name what writes memory: no command may begin with WRITE.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.console.badnetwork import BadNetwork
from tests.console.realretroarch import MISSING, found, started

LEAST = 0.995
_KEPT = (
    *("pieces", "compared", "misplaced", "disagreements", "contradictions", "contradicted", "given_up", "cut_off"),
    *("agreement", "frames", "missed", "delay", "misses", "games", "wins", "draws", "game_overs"),
)


def _run(folder: Path, *words: object) -> dict[str, Any]:
    """Runs a command against a RetroArch of its own. Returns what matters of its report, and what it has sent."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as own,
        started(Path(own)) as there,
        BadNetwork(there.address, seed=0) as network,
    ):
        command = [sys.executable, "-m", "ochibot", *map(str, words), "--retroarch", network.where, "--json", "-"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        report = json.loads(done.stdout) if done.stdout else {}
        log = there.log.read_text(errors="replace").lower()
        return {
            "exit_code": done.returncode,
            **{name: report[name] for name in _KEPT if name in report},
            "commands": dict(network.words),
            "writes": sum(count for word, count in network.words.items() if word.startswith("WRITE")),
            "log_names_writes": "hardcore" in log or "write_core" in log,
        }


def _explained(one: dict[str, Any]) -> bool:
    """Whether each piece that wasn't as foretold is in the list."""
    bad: int = one["pieces"] - round(one["agreement"] * one["pieces"])
    return bad <= len(one["misses"])


def main() -> int:
    """Prints the report. Returns 0 when everything holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=1000)
    parser.add_argument("--battles", type=int, default=20)
    parser.add_argument("--max-pieces", type=int, default=500)
    asked = parser.parse_args()
    if not found():
        print(json.dumps({"skipped": MISSING}))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few = max(10, asked.pieces // 10)
        most = ("--max-pieces", asked.max_pieces, "--seed", 1)
        runs = {
            "lockstep": _run(folder, "play", "--lockstep", "--pieces", few, "--restart", "--keep-going"),
            "lockstep_battle": _run(
                folder, "battle", "--lockstep", "--games", 1, "--max-pieces", few, "--seed", 1, "--keep-going"
            ),
            "running": _run(folder, "play", "--pieces", asked.pieces, "--restart", "--keep-going"),
            "battles": _run(folder, "battle", "--games", asked.battles, *most, "--keep-going"),
        }
    locked = [runs["lockstep"], runs["lockstep_battle"]]
    free = [runs["running"], runs["battles"]]
    holds = (
        all(one["exit_code"] == 0 and one["writes"] == 0 and not one["log_names_writes"] for one in runs.values())
        and all(one["agreement"] == 1 and one["missed"] == 0 for one in locked)
        and all(one["agreement"] >= LEAST and _explained(one) for one in free)
        and runs["running"]["pieces"] >= asked.pieces
        and runs["battles"]["games"] == asked.battles
    )
    print(json.dumps({"holds": holds, **runs}, indent=2))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
