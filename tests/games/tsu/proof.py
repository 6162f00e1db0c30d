"""The long proof of the title tsu: every piece agrees, and every pair is what the pools and the generator foretold.

    python -m tests.games.tsu.proof --pieces 5000 --json -

After a game over the run begins again, each time from another random state. Exit code 1 when anything differs.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import ochibot
from ochibot.errors import OchibotError
from ochibot.puyo.pairs.tsu import tsu
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.dealer import CODES
from ochibot.report import check_target, write_json

TOLD = 20
"""How many pairs are foretold at each spawn."""


class Witness:
    """Plays as another player does, and compares each pair with what was foretold for it at earlier spawns."""

    foresees = TOLD

    def __init__(self, player: Any, seed: Any) -> None:
        """``seed``: returns the random state that the round's pools were made from, and the number of colours."""
        self._player = player
        self._seed = seed
        self._round: tuple[int, int] | None = None
        self._piece = 0
        self._told: dict[int, list[Pair]] = {}
        self.name = player.name
        self.foretold = self.wrong = self.dealt = self.dealt_otherwise = self.rounds = 0

    def prepare(self) -> None:
        """Prepares the player."""
        self._player.prepare()

    def choose(self, snapshot: Snapshot) -> Any:
        """Checks the pair against what was foretold, and keeps what is foretold now. Returns the player's choice."""
        if snapshot.field.count() == 0 and self._seed() != self._round:
            self._round, self._piece, self._told = self._seed(), 0, {}
            self.rounds += 1
        assert self._round is not None
        told = self._told.pop(self._piece, [])
        self.foretold += len(told)
        self.wrong += sum(pair != snapshot.pair for pair in told)
        state, colors = self._round
        pool, piece = tsu(state).pool(colors), self._piece
        at = 2 * ((2, 1, 0)[piece] if piece < 3 else piece % 128)
        self.dealt += 1
        self.dealt_otherwise += Pair(CODES[pool[at]], CODES[pool[at + 1]]) != snapshot.pair
        for ahead, pair in enumerate((snapshot.next_pair, *snapshot.foreseen), 1):
            self._told.setdefault(self._piece + ahead, []).append(pair)
        self._piece += 1
        return self._player.choose(snapshot)


def prove(pieces: int, seed: int, level: int, core: str | None = None) -> dict[str, Any]:
    """Plays ``pieces`` pieces. Returns the report; its ``holds`` says whether everything agreed."""
    with ochibot.open("tsu", seed=seed, options={"level": level}, core=core) as game:
        game.console.keep_video(False)
        seat = game.seats()[0]
        witness = Witness(game.open_player(), lambda: (seat.counter("seed"), seat.counter("colors")))
        run = game.endless(witness, restart=lambda: game.reach(run.player.seat))
        witness.prepare()
        game.wait()
        game.reach(run.player.seat)
        run.run(pieces=pieces)
        report = run.result().as_dict()
    told = {"foretold": witness.foretold, "foretold_wrong": witness.wrong, "rounds": witness.rounds}
    told |= {"dealt": witness.dealt, "dealt_otherwise": witness.dealt_otherwise}
    holds = (
        report["pieces"] == report["compared"] == pieces
        and report["agreement"] == 1.0
        and report["misplaced"] == report["contradictions"] == report["logic_overruns"] == 0
        and witness.foretold > pieces
        and witness.wrong == witness.dealt_otherwise == 0
    )
    return {**report, **told, "holds": holds}


def main(arguments: list[str] | None = None) -> int:
    """Runs the command. Returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.tsu.proof", description=__doc__)
    parser.add_argument("--pieces", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", type=int, choices=range(1, 6), default=4)
    parser.add_argument("--core", help="a libretro core: a file, or a name")
    parser.add_argument("--json", metavar="FILE", default="-", help="write the report there (default: stdout)")
    options = parser.parse_args(arguments)
    check_target(options.json)
    report = prove(options.pieces, options.seed, options.level, options.core)
    write_json(report, options.json)
    return 0 if report["holds"] else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OchibotError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
