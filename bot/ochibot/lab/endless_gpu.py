"""Plays shards of endless self-play on a GPU, many at the same time. The results are the same as on a processor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

import numpy as np

from ochibot.errors import UsageError
from ochibot.lab.endless import EndlessTask, games_of, summed
from ochibot.lab.selfplay import CHAINS, begin, statistics_of
from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.search.player import PlayerConfig

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
