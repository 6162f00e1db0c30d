"""Plays simulated matches with the cartridge's timing, so that the same player wins as on the console (docs/match.md).

python -m ochibot.lab.match --rounds 20 --plies2 1 --json -
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import get_args

from ochibot import interrupts
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.falling.deciding import play_out
from ochibot.falling.player import Player, foresees, watches
from ochibot.falling.series import SeriesStanding, games
from ochibot.lab.hands import SimulatedHands
from ochibot.puyo.family import FAMILY
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.clairvoyant import Clairvoyant
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import Decision, TwoPly
from ochibot.puyo.sim.match import Deal, Source, facing
from ochibot.puyo.sim.megadrive import CARTRIDGES, FAMICOM, Cartridge
from ochibot.report import check_target, write_json
from ochibot.wording import counted

PuyoPlayer = Player[Snapshot, Decision]

_LEVEL_OF = {3: 2, 4: 3, 5: 4, 6: 5}
"""The Mega Drive game's difficulty for each number of colours (the game has no 6 colours; dealing them raises an
error).
"""


@dataclass(frozen=True, slots=True)
class PlayedLock:
    """One lock of a simulated match. seat: 1 or 2. spawned: the frame of the piece's spawn. control: frames under
    control. soft_rows: rows that it sank with Down held.
    """

    seat: int
    placement: Placement
    spawned: int
    control: int
    soft_rows: int = 0


@dataclass(frozen=True)
class MatchResult:
    """A finished match. loser: seat 1 or 2; None for a draw. Pairs of values are those of seats 1 and 2. fault: why the
    loser's engine has lost by its own fault, in words.
    """

    loser: int | None
    frames: int
    pieces: tuple[int, int]
    scores: tuple[int, int]
    nuisance_sent: tuple[int, int]
    best_chain: tuple[int, int]
    locks: tuple[PlayedLock, ...]
    fault: str = ""


def play_match(
    deal: Deal,
    players: tuple[PuyoPlayer, PuyoPlayer],
    speeds: tuple[int, int] = (10, 10),
    *,
    rules: Rules,
    counter: int = 0,
    max_pieces: int = 500,
    cartridge: Cartridge = FAMICOM,
) -> MatchResult:
    """Plays one round from the deal to its end, or to a draw when both sides have locked ``max_pieces``.

    ``counter``: see ``TimedMatch``. Raises PlayerError when a player chooses no legal placement.
    """
    match = cartridge.match(deal, rules)
    timed = cartridge.timed(match, cartridge.timing, counter)
    hands = tuple(SimulatedHands(speed, rules, cartridge.timing) for speed in speeds)
    foreseen = tuple(foresees(player) for player in players)
    watch = tuple(watches(player) for player in players)
    locks = []

    def seen(seat: int) -> Snapshot:
        snapshot = hands[seat - 1].seen(match.snapshot(seat, foreseen[seat - 1]))
        if watch[seat - 1]:
            return facing(snapshot, match, seat, timed.rival(seat), timed.frame)
        return snapshot

    def lock(seat: int, snapshot: Snapshot, placement: Placement) -> None:
        own = hands[seat - 1]
        landed, control = own.steer(snapshot, placement)
        locks.append(PlayedLock(seat, landed, timed.spawned(seat), control, own.soft_rows))
        timed.lock(seat, landed, control, own.soft_rows)

    loser, fault = play_out(timed, players, FAMILY, rules, max_pieces=max_pieces, seen=seen, lock=lock)
    first, second = match.seats
    return MatchResult(
        loser=loser,
        frames=timed.frame,
        pieces=(first.pieces, second.pieces),
        scores=(first.score, second.score),
        nuisance_sent=(first.sent, second.sent),
        best_chain=(first.best_chain, second.best_chain),
        locks=tuple(locks),
        fault=fault,
    )


@dataclass
class SeriesResult:
    """Several rounds of two contestants, who swap sides after each round. wins: by contestant, not by seat."""

    rounds: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    win_rate_interval: tuple[float, float] = (0.0, 1.0)
    locks: int = 0
    seconds: float = 0.0
    locks_per_second: float = 0.0
    seed: int = 0


def play_series(
    players: tuple[PuyoPlayer, PuyoPlayer],
    speeds: tuple[int, int],
    *,
    rules: Rules,
    rounds: int,
    seed: int,
    level: int,
    colors: int,
    source: Source | None = None,
    cartridge: Cartridge = FAMICOM,
) -> SeriesResult:
    """Plays rounds; each deal is played from both sides.

    A round's deal is the Famicom cartridge's random state at the frame ``Game.shared_deal(seed)``. ``source``: the
    generator that deals pairs from this state (None: the cartridge's own). Raises UsageError for fewer than one round
    or an unknown speed.
    """
    if rounds < 1:
        raise UsageError(f"can't play {counted(rounds, 'round')}: give 1 or more")
    began = time.perf_counter()
    standing, locks = SeriesStanding(), 0
    for game in games(rounds):
        deal = replace(Deal.at(game.shared_deal(seed), level, colors), source=source or cartridge.source)
        played = play_match(deal, game.seated(players), game.seated(speeds), rules=rules, cartridge=cartridge)
        locks += len(played.locks)
        standing.add(game.winner(played.loser))
    seconds = time.perf_counter() - began
    return SeriesResult(rounds, standing.wins, standing.draws, standing.interval, locks, seconds, locks / seconds, seed)


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.match", description=__doc__)
    for side in "12":
        parser.add_argument(f"--p{side}", type=Path, default=data_path("configs/players/article.yaml"))
        parser.add_argument(f"--plies{side}", type=int, choices=(1, 2), default=2)
        parser.add_argument(f"--speed{side}", type=int, default=10)
        parser.add_argument(f"--clairvoyant{side}", action="store_true", help="the player knows the coming pairs")
    parser.add_argument("--cartridge", choices=list(CARTRIDGES), default="famicom", help="whose frames and chance")
    parser.add_argument("--rules", help="a rules file of puyo, or the name of a shipped one (default: the cartridge's)")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--level", type=int, choices=(1, 2, 3, 4, 5), help="famicom 1 to 4 (default 1), megadrive 1 to 5"
    )
    parser.add_argument("--colors", type=int, choices=(3, 4, 5, 6), default=5)
    parser.add_argument("--dealer", choices=get_args(Source), help="whose generator deals (default: the cartridge's)")
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    options = parser.parse_args(arguments)
    check_target(options.json)
    cartridge = CARTRIDGES[options.cartridge]
    rules = load_rules(options.rules or cartridge.rules)
    players = (
        _player(options.p1, rules, options.plies1, options.seed, options.clairvoyant1),
        _player(options.p2, rules, options.plies2, options.seed + 1, options.clairvoyant2),
    )
    level = options.level or (_LEVEL_OF[options.colors] if cartridge is not FAMICOM else 1)
    if cartridge is FAMICOM and level > len(cartridge.timing.frames_per_row):
        raise UsageError(f"--level of the cartridge famicom goes to {len(cartridge.timing.frames_per_row)}")
    result = play_series(
        players,
        (options.speed1, options.speed2),
        rules=rules,
        rounds=options.rounds,
        seed=options.seed,
        level=level,
        colors=options.colors,
        source=options.dealer,
        cartridge=cartridge,
    )
    write_json(asdict(result), options.json)
    if options.json != "-":
        low, high = result.win_rate_interval
        print(
            f"{counted(result.rounds, 'round')} from seed {result.seed}: wins {result.wins[0]} to {result.wins[1]}, "
            f"draws {result.draws}; the first wins {low:.1%} to {high:.1%} of decided rounds (95 %); "
            f"{counted(result.locks, 'lock')}, {result.locks_per_second:,.0f} per second"
        )


def _player(file: Path, rules: Rules, plies: int, seed: int, clairvoyant: bool) -> PuyoPlayer:
    config = load_player(file)
    return Clairvoyant(config, rules, plies, seed) if clairvoyant else TwoPly(config, rules, plies, seed)


if __name__ == "__main__":
    interrupts.run(main)
