"""What anybody could know of a match of Pochi & Nyaa: ``python -m tests.lab.chance.limit nyaa --matches 200``.

A match of a player against itself is played. At one sixth of it, both sides are taken over by the same player along
many other futures: other pairs after those that are dealt already, other columns for nuisance. The share of them that
the deciding side wins is what somebody would say who knew everything but the future. Its Brier score against how the
match really ended is reported beside the shipped model's, without the noise of counting few futures. With ``--keep`` a
killed run goes on.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

from ochibot.falling.deciding import decision_of
from ochibot.falling.player import AnyPlayer
from ochibot.lab.chance.fit import CONSTANT
from ochibot.lab.chance.matches import stage
from ochibot.lab.contest.contestant import Entrant, contestant
from ochibot.lab.contest.table import NyaaTable, deal_number, table_of
from ochibot.nyaa.chance import Chance
from ochibot.nyaa.family import FAMILY
from ochibot.nyaa.rules.pair import Pair, Placement
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.sim.match import Match, PairDealer
from ochibot.nyaa.sim.timed import TimedMatch

LABEL = "chance held out"

Kept = list[tuple[int, Placement, Snapshot]]


class After(Iterator[Pair]):
    """Deals the pairs that the side ahead has seen already, then others."""

    def __init__(self, dealt: list[Pair], others: PairDealer) -> None:
        self._dealt, self._others = list(dealt), others

    def __next__(self) -> Pair:
        return self._dealt.pop(0) if self._dealt else next(self._others)


def played_on(timed: TimedMatch, players: tuple[AnyPlayer, ...], most: int) -> tuple[int, Kept]:
    """Plays a match to its end: (who lost, 0 for a draw; all decisions: seat, placement, what was seen)."""
    kept: Kept = []
    rules = timed.match.rules
    while (seat := timed.waiting()) is not None:
        if min(side.pieces for side in timed.match.seats) >= most:
            return 0, kept
        seen: Any = timed.snapshot(seat)
        snapshot = replace(seen, facts=replace(seen.facts, frames=timed.timing.control))
        decision = decision_of(players[seat - 1], FAMILY, snapshot, rules)
        assert decision is not None
        kept.append((seat, decision.placement, snapshot))
        timed.lock(seat, decision.placement)
    return timed.loser or 0, kept


def other_future(timed: TimedMatch, dice: random.Random) -> TimedMatch:
    """The match as it stands, with another future."""
    other = copy.deepcopy(timed)
    state = dice.getrandbits(32) | 1
    furthest = max(side.pieces for side in other.match.seats)
    for side in other.match.seats:
        dealer: Any = After([next(side.dealer) for _ in range(furthest - side.pieces)], PairDealer(state))
        side.dealer = dealer
        side.dice.state = dice.getrandbits(16) | 1
    return other


def one_match(
    table: NyaaTable, who: Entrant, chance: Chance, *, seed: int, number: int, sixth: int, futures: int
) -> dict[str, Any] | None:
    """What a match says; None for a draw."""
    deal = table.deal(deal_number(seed, LABEL, number))

    def opened(*seeds: int) -> tuple[AnyPlayer, ...]:
        return tuple(who.open(table.game, table.rules, one) for one in seeds)

    own = (deal_number(seed, f"{LABEL} ties {seat}", number) for seat in (1, 2))
    loser, kept = played_on(TimedMatch(Match(deal, table.rules)), opened(*own), table.max_pieces)
    if not loser:
        return None
    at = stage(len(kept), sixth)
    timed = TimedMatch(Match(deal, table.rules))
    for seat, placement, _ in kept[:at]:
        assert timed.waiting() == seat
        timed.lock(seat, placement)
    deciding = timed.waiting()
    assert deciding == kept[at][0]
    dice = random.Random(f"{who.name} {number} {sixth}")
    ends = []
    for _ in range(futures):
        future = other_future(timed, dice)
        lost, _ = played_on(future, opened(dice.getrandbits(24), dice.getrandbits(24)), table.max_pieces)
        ends.append(lost)
    return {
        "match": number,
        "said": chance.chance(kept[at][2]),
        "won": int(loser != deciding),
        "wins": sum(lost == 3 - deciding for lost in ends),
        "draws": ends.count(0),
        "futures": futures,
    }


def scores(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The Brier scores of the model and of playing on, with their standard errors."""
    model = [(row["said"] - row["won"]) ** 2 for row in rows]
    known = []
    for row in rows:
        decided = row["futures"] - row["draws"]
        if decided >= 2:
            share = row["wins"] / decided
            # a share of few futures is off by chance, which adds this much on average
            known.append((share - row["won"]) ** 2 - share * (1 - share) / (decided - 1))

    def told(errors: list[float]) -> dict[str, float]:
        return {"brier": round(fmean(errors), 4), "error": round(pstdev(errors) / len(errors) ** 0.5, 4)}

    return {"matches": len(rows), "constant": CONSTANT, "model": told(model), "playing_on": told(known)}


def main() -> int:
    """Prints the report as JSON. Returns 0."""
    parser = argparse.ArgumentParser(description="what anybody could know of a match of Pochi & Nyaa")
    parser.add_argument("player")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--sixth", type=int, default=5, choices=range(1, 7))
    parser.add_argument("--futures", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5001)
    parser.add_argument("--keep", type=Path, help="a file that keeps what is done")
    given = parser.parse_args()
    table = table_of("nyaa")
    assert isinstance(table, NyaaTable)
    who, chance = contestant(given.player, "nyaa", table.rules), Chance(table.rules)
    about = [given.player, given.seed, given.sixth, given.futures]
    done: dict[int, dict[str, Any] | None] = {}
    if given.keep is not None and given.keep.exists():
        for line in given.keep.read_text(encoding="utf-8").splitlines():
            name, number, row = json.loads(line)
            if name == about:
                done[number] = row
    for number in range(given.matches):
        if number not in done:
            done[number] = one_match(
                table, who, chance, seed=given.seed, number=number, sixth=given.sixth, futures=given.futures
            )
            if given.keep is not None:
                with given.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([about, number, done[number]]) + "\n")
    rows = [row for number in range(given.matches) if (row := done[number]) is not None]
    json.dump({"player": who.name, "sixth": given.sixth, **scores(rows)}, sys.stdout, indent=2)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
