"""Two players in simulated matches of Pochi & Nyaa, by the frames of ``ochibot.nyaa.sim.durations``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ochibot.errors import GameError
from ochibot.nyaa.rules.pair import Placement
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.twoply import Decision
from ochibot.nyaa.sim.durations import NEOGEO_TIMING, Timing
from ochibot.nyaa.sim.match import Deal, Match
from ochibot.nyaa.sim.timed import TimedMatch
from ochibot.statistics import wilson_interval

MOST_PIECES = 300
"""When both sides have locked this many pairs the match is a draw."""


class Player(Protocol):
    """Anything that chooses a placement for a snapshot; None when no placement is possible."""

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision for the pair that has just spawned."""


@dataclass(frozen=True, slots=True)
class PlayedLock:
    """One lock of a match. seat: 1 or 2."""

    seat: int
    placement: Placement


@dataclass(frozen=True)
class MatchResult:
    """A played match.

    loser: seat 1 or 2; None for a draw. pieces, sent, best_attack: of seat 1 and of seat 2. locks: those that came to
    rest, in that order. match: as it was at the end.
    """

    loser: int | None
    frames: int
    pieces: tuple[int, int]
    sent: tuple[int, int]
    best_attack: tuple[int, int]
    locks: tuple[PlayedLock, ...]
    match: Match


def play_match(
    deal: Deal,
    players: tuple[Player, Player],
    rules: Rules,
    *,
    timing: Timing = NEOGEO_TIMING,
    max_pieces: int = MOST_PIECES,
) -> MatchResult:
    """Plays one round from the deal to its end, or to a draw when both sides have locked ``max_pieces``.

    players: of seat 1 and of seat 2. Raises GameError when a player has no placement for a pair that it can place.
    """
    match = Match(deal, rules)
    timed = TimedMatch(match, timing)
    chosen: list[list[Placement]] = [[], []]
    while (seat := timed.waiting()) is not None:
        if min(side.pieces for side in match.seats) >= max_pieces:
            break
        snapshot = match.snapshot(seat)
        decision = players[seat - 1].choose(snapshot)
        if decision is None:
            raise GameError(f"the player of seat {seat} finds no placement:\n{snapshot}")
        chosen[seat - 1].append(decision.placement)
        timed.lock(seat, decision.placement)
    first, second = match.seats
    ways = iter(chosen[0]), iter(chosen[1])
    return MatchResult(
        loser=timed.loser,
        frames=timed.frame,
        pieces=(first.pieces, second.pieces),
        sent=(first.sent, second.sent),
        best_attack=(first.best_attack, second.best_attack),
        locks=tuple(PlayedLock(seat, next(ways[seat - 1])) for seat, _ in timed.settled),
        match=match,
    )


@dataclass
class Series:
    """Rounds of two contestants; ``wins``, ``sent`` and ``best_attack`` are by contestant.

    interval: of the first one's share of the decided rounds (95 %). pieces, frames: of all rounds. best_attack: of a
    single lock.
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
        """The first contestant's share of the decided rounds; None before the first."""
        decided = sum(self.wins)
        return self.wins[0] / decided if decided else None

    def add(self, played: MatchResult, swapped: bool) -> None:
        """Counts a round; ``swapped``: the first contestant sat at seat 2."""
        seats = (2, 1) if swapped else (1, 2)
        self.games += 1
        if played.loser is None:
            self.draws += 1
        else:
            self.wins[1 - seats.index(played.loser)] += 1
        self.pieces += sum(played.pieces)
        self.frames += played.frames
        for side, seat in enumerate(seats):
            self.sent[side] += played.sent[seat - 1]
            self.best_attack[side] = max(self.best_attack[side], played.best_attack[seat - 1])
        low, high = wilson_interval(self.wins[0], sum(self.wins))
        self.interval = (round(low, 4), round(high, 4))


def deal_of(seed: int, number: int) -> Deal:
    """The deal of round ``number`` of a series; rounds 2n and 2n + 1 have the same one."""
    return Deal.at(seed * 1_000_003 + 389 * (number // 2))


def play_series(
    players: tuple[Player, Player],
    rules: Rules,
    games: int,
    seed: int,
    *,
    max_pieces: int = MOST_PIECES,
    after: Callable[[Series], None] | None = None,
) -> Series:
    """Plays rounds, each deal twice with the sides swapped. ``after`` is called with the series so far."""
    series = Series()
    for number in range(games):
        swapped = bool(number % 2)
        sides = (players[1], players[0]) if swapped else players
        series.add(play_match(deal_of(seed, number), sides, rules, max_pieces=max_pieces), swapped)
        if after is not None:
            after(series)
    return series


def margin(played: MatchResult, seat: int) -> float:
    """How well seat 1 or 2 did, from -1 to 1: near 1 for a quick win, near -1 for a quick loss, within 0.25 for a draw.

    A win counts 0.5 and more, the more the fewer pairs it took (what it counts beyond 0.5 fades by e in 100). A draw
    counts by who has sent more.
    """
    if played.loser is None:
        own, other = played.sent[seat - 1], played.sent[2 - seat]
        return 0.25 * (own - other) / max(own + other, 1)
    worth = 0.5 + 0.5 * math.exp(-min(played.pieces) / 100)
    return -worth if played.loser == seat else worth
