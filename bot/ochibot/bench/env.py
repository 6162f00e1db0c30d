"""Measures environments under random legal play: batches, Gymnasium's vector of single ones, a peer's, self-play."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ochibot.bench.search import SearchedGame, processor
from ochibot.errors import OchibotError, UsageError
from ochibot.puyo.kernels.engine import uses_pext
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search.player import load_player
from ochibot.puyo.sim.many import ManyGames
from ochibot.quoting import brief
from ochibot.report import Reported
from ochibot.wording import counted

_BATCH: Final = 0.2
"""About how many seconds of processor time one timing takes."""
_CHECKED: Final = 200
_SINGLE: Final = 8
PEER: Final = "gym_puyopuyo"


@dataclass(frozen=True)
class StepSpeed:
    """Placements per second of processor time: the median and the most of the rounds. ``steps`` that begin a game are
    no placements. None: left out, for the reason ``why``.
    """

    name: str
    median: float | None
    most: float | None
    why: str = ""


@dataclass(frozen=True)
class EnvReport(Reported):
    """All speeds, on one thread. games: in a batch."""

    processor: str
    python: str
    pext: bool
    rules: str
    colors: int
    source: str
    games: int
    rounds: int
    rows: tuple[StepSpeed, ...]

    def table(self) -> str:
        """The report as text."""
        lines = [
            f"{self.processor}; rules {self.rules}, {counted(self.colors, 'colour')} dealt by {self.source}, "
            f"{counted(self.games, 'game')} in a batch, one thread, {counted(self.rounds, 'round')}",
            f"{'placements per second of processor':52}{'median':>14}{'most':>14}",
        ]
        for row in self.rows:
            if row.median is None or row.most is None:
                lines.append(f"{row.name:52}left out: {row.why}")
            else:
                lines.append(f"{row.name:52}{row.median:14,.0f}{row.most:14,.0f}")
        return "\n".join(lines)


Play = Callable[[int], int]
"""Plays about so many steps, and returns how many placements those were."""


def _timed(name: str, plays: Play, rounds: int, steps: int) -> StepSpeed:
    """Times a way to play. ``steps``: about how many take the time of one round."""
    plays(max(steps // 4, 1))
    speeds = []
    for _ in range(rounds):
        began = time.process_time()
        placed = plays(steps)
        speeds.append(placed / max(time.process_time() - began, 1e-9))
    return StepSpeed(name, statistics.median(speeds), max(speeds))


def _batch(games: ManyGames) -> Play:
    actions = np.empty(games.count, np.int64)
    for number in range(games.count):
        games.seed(number, number + 1, number)
    games.begin()

    def plays(steps: int) -> int:
        turns, ended = max(steps // games.count, 1), 0
        for _ in range(turns):
            games.random_locks(actions)
            games.step(actions)
            ended += int(np.count_nonzero(games.terminated))
        return turns * games.count - ended  # each end is followed by a step that begins a game

    return plays


def _vector(env: Any, choose: Callable[[Any], Any]) -> Play:
    """A vector of Gymnasium. ``choose``: the actions for an observation."""
    seen, _ = env.reset(seed=1)
    state = [seen]

    def plays(steps: int) -> int:
        placed, ended = 0, np.zeros(env.num_envs, np.bool_)
        for _ in range(max(steps // env.num_envs, 1)):
            state[0], _, over, cut, _ = env.step(choose(state[0]))
            placed += env.num_envs - int(ended.sum())
            ended = over | cut
        return placed

    return plays


def _legal(random: np.random.Generator) -> Callable[[Any], Any]:
    """Random legal actions, chosen by numpy."""

    def choose(seen: Any) -> Any:
        masks = seen["mask"]
        return np.argmax(random.random(masks.shape) * (masks + 1e-9), axis=1)

    return choose


def _peer(colors: int) -> Play:
    """The endless Tsu environment of gym_puyopuyo, with its own mask. Raises ImportError."""
    from gym_puyopuyo.env.endless import PuyoPuyoEndlessEnv  # type: ignore[import-not-found]

    env = PuyoPuyoEndlessEnv(13, 6, colors, 3, tsu_rules=True)
    env.seed(1)
    env.reset()
    random = np.random.default_rng(1)

    def plays(steps: int) -> int:
        for _ in range(steps):
            legal = np.flatnonzero(env.get_action_mask())
            over = True
            if len(legal):
                _, _, over, _ = env.step(int(random.choice(legal)))
            if over:
                env.reset()
        return steps

    return plays


def _self_play(rules: Any, colors: int) -> Play:
    from ochibot.data import data_path

    game = SearchedGame(load_player(data_path("configs/players/article.yaml")), colors, rules)

    def plays(steps: int) -> int:
        game.play(steps)
        return steps

    return plays


def _check(options: dict[str, Any]) -> None:
    """Plays a batch beside single environments. Raises OchibotError if they differ."""
    from gymnasium.vector import SyncVectorEnv

    from ochibot.env import solo, vector

    ours = vector.PuyoVectorEnv(_SINGLE, **options)
    theirs = SyncVectorEnv([lambda: solo.endless(**options)] * _SINGLE)
    seen, _ = ours.reset(seed=1)
    theirs.reset(seed=1)
    choose = _legal(np.random.default_rng(1))
    for _ in range(_CHECKED):
        actions = choose(seen)
        seen, points, over, *_ = ours.step(actions)
        there, made, ended, *_ = theirs.step(actions)
        same = all(np.array_equal(seen[name], there[name]) for name in seen)
        if not same or not np.array_equal(points, made) or not np.array_equal(over, ended):
            raise OchibotError("a batch and single environments differ, so there is nothing to time")


def measure(rules_name: str, colors: int, source: Any, games: int, rounds: int) -> EnvReport:
    """Measures all ways in turn. ``games``: in a batch. Raises OchibotError if a batch and single ones differ,
    UsageError if Gymnasium is missing.
    """
    try:
        from gymnasium.vector import SyncVectorEnv

        from ochibot.env import solo, vector
    except ImportError:
        raise UsageError("environments need Gymnasium: pip install 'ochibot[env]'") from None

    rules = load_rules(rules_name)
    shown = 1 if rules_name == "famicom" else 2
    options = {"rules": rules_name, "colors": colors, "next_pairs": shown, "source": source}
    _check(options)

    def many(planes: bool) -> Play:
        return _batch(ManyGames(games, rules, colors=colors, shown=shown, source=source, planes=planes))

    random = np.random.default_rng(1)
    whole, views = (vector.PuyoVectorEnv(games, copy=copy, **options) for copy in (True, False))
    rows = [
        _timed("a batch, with planes", many(True), rounds, int(_BATCH * 6e6)),
        _timed("a batch, without planes", many(False), rounds, int(_BATCH * 12e6)),
        _timed("make_vec without copies", _vector(views, lambda _: views.random_actions()), rounds, 900_000),
        _timed("make_vec", _vector(whole, lambda _: whole.random_actions()), rounds, 900_000),
        _timed("make_vec, random actions by numpy", _vector(whole, _legal(random)), rounds, 200_000),
        _timed(
            f"SyncVectorEnv of {counted(_SINGLE, 'single one')}",
            _vector(SyncVectorEnv([lambda: solo.endless(**options)] * _SINGLE), _legal(random)),
            rounds,
            600,
        ),
    ]
    try:
        rows.append(_timed(f"{PEER}, one", _peer(colors), rounds, 4000))
    except Exception as error:  # a foreign package may raise anything
        rows.append(StepSpeed(f"{PEER}, one", None, None, brief(str(error), 80)))
    rows.append(_timed("self-play of the article's player", _self_play(rules, colors), rounds, 10_000))
    version = ".".join(map(str, sys.version_info[:3]))
    return EnvReport(processor(), version, uses_pext(), rules_name, colors, str(source), games, rounds, tuple(rows))
