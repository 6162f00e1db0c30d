"""Two players in a simulated match, by the frames of the cartridge: what wins here wins there (docs/match.md).

python -m ochibot.lab.match --rounds 20 --plies2 1 --json -
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from ochibot.data import data_path
from ochibot.errors import GameError, OchibotError, OutputError, UsageError
from ochibot.lab.hands import Hands
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import Decision, TwoPly
from ochibot.puyo.sim.match import VERSUS, Deal, Match
from ochibot.puyo.sim.timed import TimedMatch
from ochibot.statistics import wilson_interval


class Player(Protocol):
    """Anything that chooses a placement for a snapshot, as in ``ochibot.play.seat``."""

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision for the piece that has just spawned."""


@dataclass(frozen=True, slots=True)
class PlayedLock:
    """One lock of a simulated match. spawned: the frame of the piece's spawn. control: frames under control."""

    seat: int
    placement: Placement
    spawned: int
    control: int


@dataclass(frozen=True)
class MatchResult:
    """A played match. loser: seat 0 or 1; None for a draw. Pairs of values are by seat."""

    loser: int | None
    frames: int
    pieces: tuple[int, int]
    scores: tuple[int, int]
    nuisance_sent: tuple[int, int]
    best_chain: tuple[int, int]
    locks: tuple[PlayedLock, ...]


def play_match(
    deal: Deal,
    players: tuple[Player, Player],
    speeds: tuple[int, int] = (10, 10),
    *,
    rules: Rules = VERSUS,
    counter: int = 0,
    max_pieces: int = 500,
) -> MatchResult:
    """Plays one round from the deal to its end, or to a draw when both sides have locked ``max_pieces``.

    ``counter``: see ``TimedMatch``. Raises GameError when a player has no placement for a piece that it can place.
    """
    match = Match(deal, rules)
    timed = TimedMatch(match, counter=counter)
    hands = Hands(speeds[0]), Hands(speeds[1])
    locks = []
    while (seat := timed.waiting()) is not None:
        if min(side.pieces for side in match.seats) >= max_pieces:
            break
        snapshot = match.snapshot(seat)
        decision = players[seat].choose(snapshot)
        if decision is None:
            raise GameError(f"the player of seat {seat + 1} finds no placement:\n{snapshot}")
        landed, control = hands[seat].steer(snapshot, decision.placement)
        locks.append(PlayedLock(seat, landed, timed.spawned(seat), control))
        timed.lock(seat, landed, control)
    first, second = match.seats
    return MatchResult(
        loser=timed.loser,
        frames=timed.frame,
        pieces=(first.pieces, second.pieces),
        scores=(first.score, second.score),
        nuisance_sent=(first.sent, second.sent),
        best_chain=(first.best_chain, second.best_chain),
        locks=tuple(locks),
    )


@dataclass
class SeriesResult:
    """Rounds of two contestants, the sides swapped in every other one; ``wins`` is by contestant."""

    rounds: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    win_rate_interval: tuple[float, float] = (0.0, 1.0)
    locks: int = 0
    seconds: float = 0.0
    locks_per_second: float = 0.0
    seed: int = 0


def play_series(
    players: tuple[Player, Player], speeds: tuple[int, int], *, rounds: int, seed: int, level: int, colors: int
) -> SeriesResult:
    """Plays rounds; round n is dealt as the cartridge deals at frame ``seed + 389 * (n // 2)``, so that each deal is
    played from both sides. Raises UsageError for less than one round or a speed that there isn't.
    """
    if rounds < 1:
        raise UsageError(f"can't play {rounds} rounds: give 1 or more")
    began = time.perf_counter()
    wins, draws, locks = [0, 0], 0, 0
    for number in range(rounds):
        order = (1, 0) if number % 2 else (0, 1)
        deal = Deal.at(seed + 389 * (number // 2), level, colors)
        sides = players[order[0]], players[order[1]]
        played = play_match(deal, sides, (speeds[order[0]], speeds[order[1]]))
        locks += len(played.locks)
        if played.loser is None:
            draws += 1
        else:
            wins[order[1 - played.loser]] += 1
    seconds = time.perf_counter() - began
    low, high = wilson_interval(wins[0], sum(wins))
    return SeriesResult(
        rounds, (wins[0], wins[1]), draws, (round(low, 4), round(high, 4)), locks, seconds, locks / seconds, seed
    )


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.match", description=__doc__)
    for side in "12":
        parser.add_argument(f"--p{side}", type=Path, default=data_path("configs/players/article.yaml"))
        parser.add_argument(f"--plies{side}", type=int, choices=(1, 2), default=2)
        parser.add_argument(f"--speed{side}", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", type=int, choices=(1, 2, 3, 4), default=1)
    parser.add_argument("--colors", type=int, choices=(4, 5, 6), default=5)
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    options = parser.parse_args(arguments)
    check_target(options.json)
    players = (
        TwoPly(load_player(options.p1), options.plies1, seed=options.seed),
        TwoPly(load_player(options.p2), options.plies2, seed=options.seed + 1),
    )
    speeds = options.speed1, options.speed2
    result = play_series(
        players, speeds, rounds=options.rounds, seed=options.seed, level=options.level, colors=options.colors
    )
    report_json(asdict(result), options.json)
    if options.json != "-":
        low, high = result.win_rate_interval
        print(
            f"{result.rounds} rounds from seed {result.seed}: wins {result.wins[0]} to {result.wins[1]}, draws "
            f"{result.draws}; the first wins {low:.1%} to {high:.1%} of decided rounds (95 %); {result.locks:,} locks, "
            f"{result.locks_per_second:,.0f} per second"
        )


def check_target(target: str | None) -> None:
    """Makes sure that a report can be written there, before a long run. Raises OutputError."""
    if target is not None and target != "-":
        _write(target, "", "a")


def report_json(data: dict[str, object], target: str | None) -> None:
    """Writes a report to a file, or to stdout for ``-``; nothing for None. Raises OutputError."""
    text = json.dumps(data, indent=2) + "\n"
    if target == "-":
        sys.stdout.write(text)
    elif target is not None:
        _write(target, text, "w")


def _write(target: str, text: str, mode: str) -> None:
    try:
        with Path(target).open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise OutputError(f"can't write {target}: {error.strerror}; give another path") from error


if __name__ == "__main__":
    try:
        main()
    except OchibotError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
