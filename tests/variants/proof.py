"""Plays each variant from its files alone: a long game of Endless and a round of two seats. Writes JSON to stdout."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import ochibot

from tests.variants import NAMES, PARTLY_SEEN, game_file

SEED = 3


def endless(name: str, pieces: int) -> dict[str, Any]:
    """Plays Endless. Returns the figures to report."""
    with ochibot.open(game_file(name), seed=SEED, options={"level": 3} if name != "scattered" else {}) as game:
        result = game.play(pieces=pieces)
    return {part: getattr(result, part) for part in ("pieces", "compared", "misplaced", "agreement", "score")}


def versus(name: str) -> dict[str, Any]:
    """Plays a round of two equal players. Returns the figures to report."""
    with ochibot.open(game_file(name), seed=SEED) as game:
        result = game.battle(games=1)
    return {
        part: getattr(result, part)
        for part in ("pieces", "compared", "misplaced", "disagreements", "agreement", "nuisance_sent")
    }


def main() -> int:
    """Prints the report; exit code 1 unless everything agreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=500)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which variants; all when none is named")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"there is no variant {min(unknown)}; there are {', '.join(NAMES)}")
    report: dict[str, Any] = {"endless": {}, "versus": {}}
    for name in asked.names or NAMES:
        report["endless"][name] = endless(name, asked.pieces)
        report["versus"][name] = versus(name)
        print(f"{name}: {report['endless'][name]}; {report['versus'][name]}", file=sys.stderr, flush=True)
    runs = [*report["endless"].items(), *report["versus"].items()]
    agreed = all(run["compared"] == run["pieces"] for _, run in runs)
    # variants with an unseen hidden row need no full agreement, but must misplace nothing in Endless
    agreed &= all(run["agreement"] == 1 for name, run in runs if name not in PARTLY_SEEN)
    agreed &= not any(run["disagreements"] for run in report["versus"].values())
    whole = all(run["pieces"] == asked.pieces and not run["misplaced"] for run in report["endless"].values())
    report["holds"] = agreed and whole
    print(json.dumps(report, indent=2))
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
