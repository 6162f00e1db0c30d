"""Plays matches between equal players, and measures both sides at their decisions.

A match is a shard. Its deal and the players' seeds follow from the run's seeds and its number, so the result doesn't
depend on the number of workers or on interruptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import Field

from ochibot.errors import UsageError
from ochibot.falling.chance import Floats
from ochibot.falling.player import AnyPlayer, foresees, tell_end
from ochibot.lab.chance.fit import STAGES
from ochibot.lab.contest.contestant import Entrant
from ochibot.lab.contest.table import MatchTable, NyaaTable, PuyoTable, deal_number
from ochibot.lab.sharded.folder import Check, CheckedModel, Count
from ochibot.nyaa import chance as nyaa_chance
from ochibot.puyo import chance as puyo_chance
from ochibot.quoting import quoted

Ints = npt.NDArray[np.int64]


class _PuyoSides:
    """What is measured of both sides in Puyo Puyo. numbers: how many. signed: the indices of those that may be < 0."""

    family, names, numbers = "puyo", puyo_chance.FEATURES, 2 * len(puyo_chance.SideNumbers._fields) + 2
    signed: frozenset[int] = frozenset()

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._chance = puyo_chance.Chance(rules)

    def measure(self, snapshot: Any) -> tuple[int, ...] | None:
        """Both sides in numbers, the snapshot's own first; None if it doesn't show the other side."""
        return self._chance.measure(snapshot)

    def features(self, rows: Ints) -> tuple[Floats, Floats]:
        """The features of the own side and of the other, for rows of ``measure``."""
        return puyo_chance.sides(rows, self._rules)


class _NyaaSides:
    """The same in Pochi & Nyaa; the worth of a side may be below 0."""

    family, names, numbers = "nyaa", nyaa_chance.FEATURES, 2 * len(nyaa_chance.SideNumbers._fields)
    signed = frozenset({numbers // 2 - 1, numbers - 1})

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._chance = nyaa_chance.Chance(rules)

    def measure(self, snapshot: Any) -> tuple[int, ...] | None:
        """Both sides in numbers, the snapshot's own first; None if it doesn't show the other side."""
        return self._chance.measure(snapshot)

    def features(self, rows: Ints) -> tuple[Floats, Floats]:
        """The features of the own side and of the other, for rows of ``measure``."""
        return nyaa_chance.sides(rows, self._rules)


AnySides = _PuyoSides | _NyaaSides


def sides_of(table: MatchTable) -> AnySides:
    """What is measured at this table. Raises UsageError for a family without features."""
    if isinstance(table, PuyoTable):
        return _PuyoSides(table.rules)
    if isinstance(table, NyaaTable):
        return _NyaaSides(table.rules)
    raise UsageError(f"nothing tells the chances in matches of {quoted(table.game)}: give puyo, tsu or nyaa")


@dataclass(frozen=True)
class Sizes:
    """How much is played. games, held: matches of each player to fit by and to measure by. moments: of each match."""

    games: int
    held: int
    moments: int


@dataclass(frozen=True)
class ChanceTask:
    """A match of a player against itself. seed, label: what its deal follows from, with its number. moments: how many
    decisions of the match are measured, besides those at its stages.
    """

    table: MatchTable
    player: Entrant
    seed: int
    label: str
    number: int
    moments: int


@dataclass(frozen=True)
class MatchPlan:
    """A run: which matches are played, in which order."""

    table: MatchTable
    players: tuple[Entrant, ...]
    sizes: Sizes
    seed: int
    held_seed: int

    def place(self, number: int) -> tuple[bool, int, int]:
        """For a shard's number: (whether its match is held out, the player's number, the match's number)."""
        fitted = self.sizes.games * len(self.players)
        held = number >= fitted
        match, player = divmod(number - fitted * held, len(self.players))
        return held, player, match

    @property
    def tasks(self) -> int:
        """How many matches there are."""
        return (self.sizes.games + self.sizes.held) * len(self.players)

    def task(self, number: int) -> ChanceTask:
        """The task of a shard's number."""
        held, player, match = self.place(number)
        seed, label = (self.held_seed, "chance held out") if held else (self.seed, "chance")
        return ChanceTask(self.table, self.players[player], seed, label, match, self.sizes.moments)

    def each(self) -> Iterator[tuple[int, ChanceTask]]:
        """All tasks with their numbers."""
        return ((number, self.task(number)) for number in range(self.tasks))

    def identity(self) -> dict[str, Any]:
        """Everything that the matches depend on, as plain values."""
        return {
            "experiment": "chance",
            "table": self.table.identity(),
            "players": [player.identity() for player in self.players],
            "games": self.sizes.games,
            "held": self.sizes.held,
            "moments": self.sizes.moments,
            "seed": self.seed,
            "held_seed": self.held_seed,
        }


class _Watching:
    """A player with a list to which its snapshots are added."""

    watches = True

    def __init__(self, player: AnyPlayer, seat: int, seen: list[tuple[int, Any]]) -> None:
        self._player, self._seat, self._seen = player, seat, seen
        self.foresees = foresees(player)

    def ended(self, result: str) -> None:
        """Tells the player how the match has ended."""
        tell_end(self._player, result)

    def choose(self, snapshot: Any) -> Any:
        """The player's decision; the snapshot is kept."""
        self._seen.append((self._seat, snapshot))
        return self._player.choose(snapshot)


def stage(decisions: int, sixth: int) -> int:
    """The index of a match's last decision at or before so many sixths of its decisions."""
    return max(0, -(-decisions * sixth // STAGES) - 1)


def moments_of(decisions: int, moments: int) -> list[int]:
    """The indices of the decisions that are measured: so many, evenly spread, and those at the stages."""
    spread = {(2 * number + 1) * decisions // (2 * moments) for number in range(moments)}
    return sorted(spread | {stage(decisions, sixth) for sixth in range(1, STAGES + 1)})


def play_match(task: ChanceTask) -> dict[str, Any]:
    """Plays a match. In the result, ``rows`` has for each measured decision [its index, the seat, the numbers]."""
    table, sides = task.table, sides_of(task.table)
    seen: list[tuple[int, Any]] = []
    first, second = (
        _Watching(
            task.player.open(table.game, table.rules, deal_number(task.seed, f"{task.label} ties {seat}", task.number)),
            seat,
            seen,
        )
        for seat in (1, 2)
    )
    record = table.play(deal_number(task.seed, task.label, task.number), (first, second))
    rows: list[list[int]] = []
    for index in moments_of(len(seen), task.moments) if record["loser"] else ():
        seat, snapshot = seen[index]
        numbers = sides.measure(snapshot)
        assert numbers is not None  # both seats watch each other
        rows.append([index, seat, *numbers])
    return {"deal": record["deal"], "loser": record["loser"], "decisions": len(seen), "rows": rows}


class _Match(CheckedModel):
    """The result of ``play_match``."""

    deal: Count
    loser: int = Field(ge=0, le=2)
    decisions: Count
    rows: list[list[Annotated[int, Field(gt=-(1 << 53), lt=1 << 53)]]]


def check_of(plan: MatchPlan) -> Check:
    """The check of a match's number and result."""
    sides = sides_of(plan.table)
    wide, signed = 2 + sides.numbers, sides.signed

    def check(number: int, result: dict[str, Any]) -> None:
        match = _Match.model_validate(result)
        if number >= plan.tasks:
            raise ValueError(f"there is no match {number}")
        task = plan.task(number)
        if match.deal != deal_number(task.seed, task.label, task.number):
            raise ValueError("it has another deal")
        wanted = moments_of(match.decisions, task.moments) if match.loser and match.decisions else []
        if [row[:1] for row in match.rows] != [[index] for index in wanted]:
            raise ValueError("other decisions of it were measured")
        if any(len(row) != wide or row[1] not in (1, 2) for row in match.rows):
            raise ValueError("its rows have other numbers")
        if any(number < 0 and place not in signed for row in match.rows for place, number in enumerate(row[2:])):
            raise ValueError("a number that counts is below 0")

    return check


@dataclass(frozen=True)
class MatchMoments:
    """The measured decisions of many matches, one row each.

    own, other: the features of the deciding side, and of the other. won: 1 where the deciding side won its match.
    shares: one divided by the number of the match's rows. number: how many decisions came before. player: the player's
    number. stages: for each stage, the rows at it. matches: how many matches of each player were decided.
    """

    own: Floats
    other: Floats
    won: Floats
    shares: Floats
    number: Ints
    player: Ints
    stages: dict[int, Ints]
    matches: Ints


def moments(sides: AnySides, plan: MatchPlan, results: Mapping[int, Mapping[str, Any]], *, held: bool) -> MatchMoments:
    """The measured decisions of the matches to fit by, or of those held out, in the order of their numbers."""
    numbers: list[list[int]] = []
    won: list[float] = []
    shares: list[float] = []
    before: list[int] = []
    player: list[int] = []
    stages: dict[int, list[int]] = {sixth: [] for sixth in range(1, STAGES + 1)}
    matches = np.zeros(len(plan.players), np.int64)
    for number in sorted(results):
        apart, who, _ = plan.place(number)
        result = results[number]
        if apart is not held or not result["rows"]:
            continue
        matches[who] += 1
        places = {row[0]: len(numbers) + place for place, row in enumerate(result["rows"])}
        for sixth, found in stages.items():
            found.append(places[stage(result["decisions"], sixth)])
        for index, seat, *measured in result["rows"]:
            before.append(index)
            numbers.append(measured)
            won.append(float(result["loser"] != seat))
            shares.append(1 / len(result["rows"]))
            player.append(who)
    own, other = sides.features(np.array(numbers, np.int64).reshape(len(numbers), sides.numbers))
    return MatchMoments(
        own=own,
        other=other,
        won=np.array(won),
        shares=np.array(shares),
        number=np.array(before, np.int64),
        player=np.array(player, np.int64),
        stages={sixth: np.array(found, np.int64) for sixth, found in stages.items()},
        matches=matches,
    )
