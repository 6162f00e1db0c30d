"""Plays simulated matches of Pochi & Nyaa with the timing of ``ochibot.nyaa.sim.timed``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from ochibot.falling import player as players_of
from ochibot.falling.deciding import play_out
from ochibot.falling.player import Facts
from ochibot.falling.series import SeriesGame, SeriesStanding
from ochibot.falling.series import games as series_of
from ochibot.nyaa.family import FAMILY
from ochibot.nyaa.rules.pair import Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.twoply import Decision
from ochibot.nyaa.sim.match import Deal, Match
from ochibot.nyaa.sim.timed import NEOGEO_TIMING, TimedMatch, Timing

MOST_PIECES = 300
"""A match is a draw once both sides have locked this many pairs."""


Player = players_of.Player[Snapshot, Decision]
"""A player of Pochi & Nyaa."""


@dataclass(frozen=True, slots=True)
class NyaaLock:
    """One lock of a match. seat: 1 or 2."""

    seat: int
    placement: Placement


@dataclass(frozen=True)
class NyaaResult:
    """A finished match.

    loser: seat 1 or 2; None for a draw. pieces, sent, best_attack: the values of seats 1 and 2. locks: all locks in the
    order in which the pairs came to rest. match: the match in its final state. fault: why the loser's engine has lost
    by its own fault, in words. chosen: the placements of each side, with those of pairs that never came to rest.
    """

    loser: int | None
    frames: int
    pieces: tuple[int, int]
    sent: tuple[int, int]
    best_attack: tuple[int, int]
    locks: tuple[NyaaLock, ...]
    match: Match
    fault: str = ""
    chosen: tuple[tuple[Placement, ...], tuple[Placement, ...]] = ((), ())


def play_match(
    deal: Deal,
    players: tuple[Player, Player],
    rules: Rules,
    *,
    timing: Timing = NEOGEO_TIMING,
    max_pieces: int = MOST_PIECES,
) -> NyaaResult:
    """Plays one round from the deal to its end, or to a draw when both sides have locked ``max_pieces``.

    players: those of seats 1 and 2. Raises PlayerError when a player chooses no legal placement.
    """
    match = Match(deal, rules)
    timed = TimedMatch(match, timing)
    chosen: list[list[Placement]] = [[], []]

    def seen(seat: int) -> Snapshot:
        snapshot = timed.snapshot(seat)
        return replace(snapshot, facts=replace(cast(Facts, snapshot.facts), frames=timing.control))

    def lock(seat: int, _: Snapshot, placement: Placement) -> None:
        chosen[seat - 1].append(placement)
        timed.lock(seat, placement)

    loser, fault = play_out(timed, players, FAMILY, rules, max_pieces=max_pieces, seen=seen, lock=lock)
    first, second = match.seats
    ways = iter(chosen[0]), iter(chosen[1])
    return NyaaResult(
        loser=loser,
        frames=timed.frame,
        pieces=(first.pieces, second.pieces),
        sent=(first.sent, second.sent),
        best_attack=(first.best_attack, second.best_attack),
        locks=tuple(NyaaLock(seat, next(ways[seat - 1])) for seat, _ in timed.settled),
        match=match,
        fault=fault,
        chosen=(tuple(chosen[0]), tuple(chosen[1])),
    )


@dataclass
class Series:
    """Several rounds of two contestants. ``wins``, ``sent`` and ``best_attack`` are by contestant, not by seat.

    interval: the 95 % interval of the share of decided rounds that the first contestant wins. pieces, frames: the sums
    over all rounds. best_attack: the largest attack of a single lock.
    """

    games: int = 0
    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    interval: tuple[float, float] = (0.0, 1.0)
    pieces: int = 0
    frames: int = 0
    sent: list[int] = field(default_factory=lambda: [0, 0])
    best_attack: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def rate(self) -> float | None:
        """The share of decided rounds that the first contestant won; None while no round is decided."""
        decided = sum(self.wins)
        return self.wins[0] / decided if decided else None

    def add(self, played: NyaaResult, game: SeriesGame) -> None:
        """Counts a round."""
        self.games += 1
        standing = SeriesStanding((self.wins[0], self.wins[1]), self.draws)
        standing.add(game.winner(played.loser))
        self.wins, self.draws, self.interval = list(standing.wins), standing.draws, standing.interval
        self.pieces += sum(played.pieces)
        self.frames += played.frames
        for side, (sent, attack) in enumerate(
            zip(game.seated(played.sent), game.seated(played.best_attack), strict=True)
        ):
            self.sent[side] += sent
            self.best_attack[side] = max(self.best_attack[side], attack)


def deal_of(seed: int, number: int) -> Deal:
    """The deal of a round in a series. Rounds 2n and 2n + 1 have the same deal."""
    return Deal.at(SeriesGame.of(number).shared_deal(seed * 1_000_003))


def play_series(
    players: tuple[Player, Player],
    rules: Rules,
    games: int,
    seed: int,
    *,
    max_pieces: int = MOST_PIECES,
    after: Callable[[Series], None] | None = None,
) -> Series:
    """Plays rounds; each deal is played from both sides. ``after`` is called after each round with the
    series so far.
    """
    series = Series()
    for game in series_of(games):
        played = play_match(deal_of(seed, game.number), game.seated(players), rules, max_pieces=max_pieces)
        series.add(played, game)
        if after is not None:
            after(series)
    return series
