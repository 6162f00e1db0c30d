"""Plays the games of docs/strength.md with the browser's engine: ``python -m tests.ui.web.puyostrength --games 20``.

The engine has a time budget, by the clock, or a budget of boards (``--nodes``). ``--in`` chooses Node or a real
Chromium, in which the engine runs in a worker. Writes the report of ``ochibot bench strength`` to stdout, with
``--json`` as JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Final

from ochibot.bench.strength import measure
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.snapshot import Snapshot

from tests.ui.web.puyoengine import CONFIG
from tests.ui.web.puyolive import PLACES, Ask

RULES: Final = "tsu"


class BrowserPlayer:
    """The engine as a player. It counts the decisions on fields with many puyos, as the player ``chain`` does."""

    def __init__(self, ask: Ask, name: str, budget: dict[str, int]) -> None:
        self.name = name
        self.boards: list[int] = []
        """How many boards each decision has examined."""
        self._ask = ask
        self._budget = budget
        self._waited = 0

    def choose(self, snapshot: Snapshot) -> Placement | None:
        """The engine's decision."""
        count, waiting = snapshot.field.count(), CONFIG.deciding.waiting
        if count == 0:
            self._waited = 0
        if count >= waiting:
            self._waited += 1
        elif count < waiting // 2:
            self._waited = 0
        pairs = [str(pair) for pair in (snapshot.pair, snapshot.next_pair, *snapshot.foreseen) if not pair.is_unknown]
        given: dict[str, Any] = {"rules": RULES, "field": str(snapshot.field), "pairs": pairs, "waited": self._waited}
        (answer,) = self._ask([("analyse", {**given, **self._budget, "colors": snapshot.colors, "lines": 0})])
        self.boards.append(answer["nodes"])
        best = answer["decision"]
        return best and Placement(best["x"], best["y"], Orientation(best["orientation"]))


def main() -> int:
    """Plays, and prints the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--ms", type=int, default=100)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--in", dest="place", choices=sorted(PLACES), default="node")
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    budget = {"ms": wanted.ms} if wanted.nodes is None else {"nodes": wanted.nodes}
    with PLACES[wanted.place]() as ask:
        ask([("warm", {"rules": RULES})])
        player = BrowserPlayer(ask, f"the browser's engine in {wanted.place}", budget)
        seeds = range(wanted.first_seed, wanted.first_seed + wanted.games)
        report = measure(player, load_rules(RULES), seeds, budget, on_game=lambda game: print(game, file=sys.stderr))
    boards = sum(player.boards) / len(player.boards)
    if wanted.json:
        print(json.dumps(report.as_dict() | {"boards_per_decision": round(boards)}, indent=2))
    else:
        print(report.table(), f"{boards:,.0f} boards per decision", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
