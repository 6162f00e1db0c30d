"""Endless self-play in shards: the article's experiment (50 million pieces), on all processors.

A shard is a separate game. Its seed follows from the run's seed and the shard's number, so the result doesn't depend on
the number of workers or on interruptions. Each shard begins with an empty field. The few pieces until the field is as
full as usual hardly matter among 250,000.

On a GPU, many shards are played at the same time. The results are the same as on a processor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Annotated, Any, Final

import numpy as np
from pydantic import Field

from ochibot.errors import GameError, UsageError
from ochibot.falling.player import chosen
from ochibot.lab.contest.contestant import Entrant
from ochibot.lab.selfplay import CHAINS, SelfPlay, Statistics, begin, statistics_of
from ochibot.lab.sharded.folder import Check, CheckedModel, Count, ExperimentFolder
from ochibot.puyo.rules import field as boards
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.sim.dealer import PlainSource, self_play_dealer
from ochibot.wording import counted

AnyConfig = PlayerConfig | Entrant
"""A player of the kind ``two_ply``, whose self-play is a kernel, or a player of any other kind."""

SHARD_PIECES: Final = 250_000
"""Pieces in a shard; the last shard has the rest."""
POOL_PIECES: Final = 1_000
"""Pieces in a game dealt by a published game's generator. The generator's pool of 128 pairs repeats, so a shard plays
many such games, each with its own pool.
"""
SEED_BITS: Final = {"uniform": 64, "tsu": 32, "puyo1": 32, "modern": 16}
"""How many bits a dealer's seed has."""
_SUMS: Final = ("pieces", "game_overs", "field_clears", "score", "cleared", "leaves")


PLAYED_PIECES: Final = 5_000
"""Pieces in a shard for players of other kinds than ``two_ply``. Such players are slower: each piece needs a call."""


@dataclass(frozen=True)
class EndlessTask:
    """One shard to play. seed: the run's seed."""

    player: AnyConfig
    rules: Rules
    colors: int
    source: PlainSource
    seed: int
    number: int
    pieces: int


def endless_tasks(
    player: AnyConfig,
    rules: Rules,
    colors: int,
    source: PlainSource,
    seed: int,
    pieces: int,
    shard_pieces: int | None = None,
) -> Iterator[tuple[int, EndlessTask]]:
    """The shards of a run, with their numbers. pieces: the number in all shards. shard_pieces: the number in each shard
    (None: the usual number).
    """
    length = shard_pieces or _shard_pieces(player)
    for number, first in enumerate(range(0, pieces, length)):
        now = min(length, pieces - first)
        yield number, EndlessTask(player, rules, colors, source, seed, number, now)


def _seed(task: EndlessTask, game: int) -> int:
    """The seed of a game: a hash of the dealer, the run's seed, the shard's number and the game's number."""
    text = f"{task.source} {task.seed} {task.number} {game}"
    bits = SEED_BITS[task.source]
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) >> (64 - bits)


def play_endless(task: EndlessTask) -> dict[str, Any]:
    """Plays a shard. The result has the sums of ``_SUMS`` over its games, and three counts of locks: ``histogram`` by
    puyos on the field, ``chains`` by chain length, ``heights`` by column and by the column's height.
    """
    player, rules, colors, source = task.player, task.rules, task.colors, task.source
    if isinstance(player, Entrant):
        return summed(_asked(task, player, seed, pieces) for seed, pieces in games_of(task))
    return summed(SelfPlay(player, colors, seed, rules, source).play(pieces) for seed, pieces in games_of(task))


def games_of(task: EndlessTask) -> Iterator[tuple[int, int]]:
    """The games of a shard: (seed, number of pieces) of each."""
    length = task.pieces if task.source == "uniform" else POOL_PIECES
    for game, first in enumerate(range(0, task.pieces, length)):
        yield _seed(task, game), min(length, task.pieces - first)


def summed(games: Iterable[Statistics]) -> dict[str, Any]:
    """The result of a shard from its games, as ``play_endless`` returns it."""
    sums = dict.fromkeys(_SUMS, 0)
    histogram, chains = np.zeros(COLUMNS * ROWS + 1, np.int64), np.zeros(CHAINS, np.int64)
    heights = np.zeros((COLUMNS, ROWS + 1), np.int64)
    for seen in games:
        for name in _SUMS:
            sums[name] += getattr(seen, name)
        histogram += seen.counts
        chains += seen.chains
        heights += seen.heights
    return {**sums, "histogram": histogram.tolist(), "chains": chains.tolist(), "heights": heights.tolist()}


def _asked(task: EndlessTask, player: Entrant, seed: int, pieces: int) -> Statistics:
    """Plays a game with a player of any kind but ``two_ply``; returns the same statistics as ``SelfPlay``. The player
    sees the falling and the next pair.
    """
    rules = task.rules
    mind, dealer = player.open("puyo", rules, seed % (1 << 31)), self_play_dealer(task.source, seed, task.colors)
    counts, chains = np.zeros(COLUMNS * ROWS + 1, np.int64), np.zeros(CHAINS, np.int64)
    heights = np.zeros((COLUMNS, ROWS + 1), np.int64)
    sums = dict.fromkeys(_SUMS, 0)
    pair, following = next(dealer), next(dealer)
    here, owed = boards.Field.empty(), False
    for _ in range(pieces):
        decision = chosen(mind, Snapshot(here, pair, following, 0, rules.spawn, colors=task.colors))
        if decision is None:
            raise GameError(f"the player {player.name} finds no placement for {pair}:\n{here}")
        outcome = place(here, pair, decision.placement, rules)
        here = outcome.field
        count = here.count()
        counts[count] += 1
        chains[min(outcome.chain, CHAINS - 1)] += 1
        heights[np.arange(COLUMNS), here.heights()] += 1
        sums["score"] += outcome.score + (rules.all_clear_later if owed and outcome.chain else 0)
        sums["cleared"] += outcome.cleared
        sums["leaves"] += decision.leaves
        owed = count == 0 or (owed and not outcome.chain)
        sums["field_clears"] += count == 0
        if outcome.game_over:
            sums["game_overs"] += 1
            here, owed = boards.Field.empty(), False
        pair, following = following, next(dealer)
    return Statistics(**{**sums, "pieces": pieces}, counts=counts, chains=chains, heights=heights)


def _shard_pieces(player: AnyConfig) -> int:
    return SHARD_PIECES if isinstance(player, PlayerConfig) else PLAYED_PIECES


class _Shard(CheckedModel):
    """The result of a shard, as ``summed`` makes it."""

    pieces: Count
    game_overs: Count
    field_clears: Count
    score: Count
    cleared: Count
    leaves: Count
    histogram: list[Count] = Field(min_length=COLUMNS * ROWS + 1, max_length=COLUMNS * ROWS + 1)
    chains: list[Count] = Field(min_length=CHAINS, max_length=CHAINS)
    heights: list[Annotated[list[Count], Field(min_length=ROWS + 1, max_length=ROWS + 1)]] = Field(
        min_length=COLUMNS, max_length=COLUMNS
    )


def endless_check(identity: Mapping[str, Any]) -> Check:
    """The check of a run's shards: their numbers, and how many pieces each counts. identity: that of the run."""
    length, pieces = int(identity["shard_pieces"]), int(identity["pieces"])

    def check(number: int, result: dict[str, Any]) -> None:
        shard = _Shard.model_validate(result)
        if number * length >= pieces:
            raise ValueError(f"there is no shard {number}")
        now = min(length, pieces - number * length)
        counts = shard.pieces, sum(shard.histogram), sum(shard.chains), *map(sum, shard.heights)
        if set(counts) != {now}:
            raise ValueError(f"shard {number} has {counted(now, 'piece')}")

    return check


class Total:
    """The sum of the shards' results."""

    def __init__(self) -> None:
        self.sums = dict.fromkeys(_SUMS, 0)
        self.histogram, self.chains = np.zeros(COLUMNS * ROWS + 1, np.int64), np.zeros(CHAINS, np.int64)
        self.heights = np.zeros((COLUMNS, ROWS + 1), np.int64)

    def add(self, shard: Mapping[str, Any]) -> None:
        """Adds a shard's result."""
        for name in _SUMS:
            self.sums[name] += shard[name]
        self.histogram += np.array(shard["histogram"], np.int64)
        self.chains += np.array(shard["chains"], np.int64)
        self.heights += np.array(shard["heights"], np.int64)

    def summary(self) -> dict[str, Any]:
        """The result as plain values.

        mean, deviation, mode, most: those of the number of puyos on the field after a lock. chains[n]: how many locks
        led to an n-chain (the last entry also counts longer chains). heights[x][n]: after how many locks column x was n
        puyos high.
        """
        puyos = np.arange(len(self.histogram))
        pieces = max(self.sums["pieces"], 1)
        mean = float(self.histogram @ puyos) / pieces
        square = float(self.histogram @ puyos**2) / pieces
        return {
            "pieces": self.sums["pieces"],
            "histogram": self.histogram.tolist(),
            "heights": self.heights.tolist(),
            "field_clears": self.sums["field_clears"],
            "chains": self.chains.tolist(),
            "most": int(np.max(np.flatnonzero(self.histogram), initial=0)),
            "games_ended": self.sums["game_overs"],
            "mean": round(mean, 6),
            "deviation": round(max(square - mean**2, 0.0) ** 0.5, 6),
            "mode": int(np.argmax(self.histogram)),
            "longest_chain": int(np.max(np.flatnonzero(self.chains), initial=0)),
            "score": self.sums["score"],
            "puyos_cleared": self.sums["cleared"],
            "leaves": self.sums["leaves"],
        }


def endless_identity(
    player: AnyConfig,
    rules: Rules,
    colors: int,
    source: PlainSource,
    seed: int,
    pieces: int,
    shard_pieces: int | None = None,
) -> dict[str, Any]:
    """Everything that the result depends on, as plain values."""
    return {
        "experiment": "selfplay",
        "pieces": pieces,
        "player": player.model_dump(mode="json") if isinstance(player, PlayerConfig) else player.identity(),
        "rules": asdict(rules),
        "colors": colors,
        "dealer": source,
        "seed": seed,
        "shard_pieces": shard_pieces or _shard_pieces(player),
    }


BATCH: Final = 16_384
"""How many shards are played at the same time. A GPU needs some ten thousand games to be busy."""
SLICE: Final = 25
"""Pieces that each game plays between two checks for a request to stop."""


def run_on_gpu(
    folder: ExperimentFolder,
    tasks: Iterable[tuple[int, EndlessTask]],
    stopped: Callable[[], bool] = lambda: False,
    on_done: Callable[[Mapping[str, Any]], object] = lambda _: None,
    on_wait: Callable[[int], None] = lambda _: None,
) -> bool:
    """Plays the remaining shards, like ``ochibot.lab.sharded.workers.run_shards``. Returns whether all are done.

    ``on_wait`` is called with the number of pieces played so far in unfinished shards. When ``stopped()`` returns true,
    unfinished shards are abandoned and finished ones are kept. Raises UsageError when there is no GPU.
    """
    waiting = iter((number, task) for number, task in tasks if number not in folder.done)
    while batch := list(islice(waiting, BATCH)):
        results = play_batch([task for _, task in batch], stopped, on_wait)
        if results is None:
            return False
        for (number, _), result in zip(batch, results, strict=True):
            folder.add(number, result)
            on_done(result)
    return True


def play_batch(
    tasks: list[EndlessTask],
    stopped: Callable[[], bool] = lambda: False,
    on_wait: Callable[[int], None] = lambda _: None,
) -> list[dict[str, Any]] | None:
    """Plays shards of one experiment. Returns the same results as ``play_endless``, or None if ``stopped()`` ended it.

    Raises UsageError for players of other kinds than ``two_ply``, and when there is no GPU.
    """
    from ochibot.puyo.sim.cuda import Games

    first = tasks[0]
    if not isinstance(first.player, PlayerConfig):
        raise UsageError(f"--device cuda plays players of the kind two_ply alone: {first.player.name} is another")
    games = [(task, seed, pieces) for task in tasks for seed, pieces in games_of(task)]
    begun = [begin(task.source, seed, task.colors) for task, seed, _ in games]
    random, states = np.stack([words for words, _ in begun]), np.stack([state for _, state in begun])
    counts = np.zeros((len(games), COLUMNS * ROWS + 1), np.int64)
    chains = np.zeros((len(games), CHAINS), np.int64)
    heights = np.zeros((len(games), COLUMNS * (ROWS + 1)), np.int64)
    left = np.array([pieces for _, _, pieces in games], np.int64)
    factors = np.array(first.player.factors, np.float64)
    played = Games(random, states, counts, chains, heights, factors, first.rules)
    whole = int(left.sum())
    while np.any(left):
        if stopped():
            return None
        now = np.minimum(left, SLICE)
        played.play(now)
        left -= now
        on_wait(whole - int(left.sum()))
    played.finish()
    shapes = heights.reshape(len(games), COLUMNS, ROWS + 1)
    seen = iter(statistics_of(states[n], counts[n], chains[n], shapes[n], first.rules) for n in range(len(games)))
    return [summed(islice(seen, sum(1 for _ in games_of(task)))) for task in tasks]
