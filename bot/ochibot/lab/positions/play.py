"""Plays the games of which positions are exported.

A shard is a file. Its games have seeds that follow from the run's seed and the shard's number, so the files don't
depend on the number of workers or on interruptions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from ochibot.lab.endless import SEED_BITS
from ochibot.lab.positions.files import SCHEMA, VALUES, Arrays, columns_of
from ochibot.lab.selfplay import begin
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.search.player import PlayerConfig
from ochibot.puyo.sim.dealer import PlainSource
from ochibot.puyo.sim.engine import CERTAIN, RECORD_KERNELS, RECORD_NUMBERS

SHARD_POSITIONS: Final = 250_000
"""Positions in a file; the last file has the rest."""


@dataclass(frozen=True)
class Playing:
    """How positions are played: everything that they depend on but their number.

    length: pieces after which a game is cut off. epsilon: the share of placements that are random. shard: positions in
    a file. all_values: whether the value of each placement is written, not only that of the best one.
    """

    player: PlayerConfig
    rules: Rules
    colors: int
    source: PlainSource
    seed: int
    length: int
    epsilon: float
    shard: int = SHARD_POSITIONS
    all_values: bool = False

    def identity(self, positions: int, form: str) -> dict[str, Any]:
        """Everything that the files depend on, as plain values. form: the files' format."""
        return {
            "experiment": "positions",
            "schema": SCHEMA,
            "format": form,
            "positions": positions,
            "player": self.player.model_dump(mode="json"),
            "rules": asdict(self.rules),
            "colors": self.colors,
            "dealer": self.source,
            "seed": self.seed,
            "length": self.length,
            "epsilon": self.epsilon,
            "shard": self.shard,
            "all_values": self.all_values,
        }


@dataclass(frozen=True)
class PositionsTask:
    """One file to make: its number, its number of positions, and its format."""

    playing: Playing
    number: int
    positions: int
    form: str


def position_tasks(playing: Playing, positions: int, form: str) -> Iterator[tuple[int, PositionsTask]]:
    """The files of a run, with their numbers. positions: the number in all files."""
    for number, first in enumerate(range(0, positions, playing.shard)):
        yield number, PositionsTask(playing, number, min(playing.shard, positions - first), form)


def game_seeds(playing: Playing, shard: int, game: int) -> tuple[int, int]:
    """The seeds of a game, a hash of the dealer, the run's seed, the shard and the game: the dealer's, and that of the
    random placements.
    """
    text = f"positions {playing.source} {playing.seed} {shard} {game}"
    digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8]) >> (64 - SEED_BITS[playing.source]), int.from_bytes(digest[8:])


def play_positions(task: PositionsTask) -> Arrays:
    """The positions of a file, in the order in which they were played."""
    playing, count = task.playing, task.positions
    record = RECORD_KERNELS.kernel("record_play", playing.rules)
    columns = columns_of(playing.all_values)
    made: Arrays = {column.name: np.zeros((count, *column.shape), column.type) for column in columns}
    cells = made["field"].reshape(count, ROWS * COLUMNS)
    numbers = np.zeros((count, RECORD_NUMBERS), np.int64)
    all_values = made.get(VALUES.name, np.zeros((0, *VALUES.shape)))
    factors = np.array(playing.player.factors, np.float64)
    table, work = score_table(playing.rules), zeros(WORK_WORDS)
    bonuses = playing.rules.all_clear_now, playing.rules.all_clear_later
    game = first = 0
    while first < count:
        seed, dice = game_seeds(playing, task.number, game)
        words, state = begin(playing.source, seed, playing.colors)
        end = min(first + playing.length, count)
        how = np.array([first, end, *state[1:6], round(playing.epsilon * CERTAIN), *bonuses, 0], np.int64)
        own_dice = np.array([dice], np.uint64)
        record(cells, numbers, made["value"], all_values, words, own_dice, how, factors, table, work)
        end = int(how[0])
        made["game"][first:end] = game
        made["piece"][first:end] = np.arange(end - first)
        made["left"][first:end] = np.arange(end - first)[::-1]
        made["rest"][first:end] = numbers[first:end, 8][::-1].cumsum()[::-1]
        made["ended"][first:end] = how[10]
        game, first = game + 1, end
    made["pair"][:], made["next_pair"][:] = numbers[:, 0:2], numbers[:, 2:4]
    for name, at in (("owed", 4), ("legal", 5), ("best", 6), ("played", 7), ("points", 8), ("chain", 9)):
        made[name][:] = numbers[:, at]
    return made
