"""Another engine's games of ``bench strength``, beside a player's games with the same pairs."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ochibot.data import read_file
from ochibot.errors import UsageError
from ochibot.falling.series import sign_test
from ochibot.puyo.sim.fifty import SHOWN, StrengthGame
from ochibot.quoting import brief
from ochibot.wording import counted

_MOST_BYTES = 64 << 20
_LARGEST = 10**9
_UNNAMED = "the other engine"


@dataclass(frozen=True)
class OtherGames:
    """The games of one engine. visible: how many pairs it saw, the falling one included; None if the file doesn't say.
    best: the points and steps of its best chain, by seed.
    """

    engine: str
    visible: int | None
    best: dict[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Paired:
    """A player's games beside another engine's with the same pairs. games: how many pairs of games. wins, losses,
    draws: by the points of the best chain, from the player's side. sign_test: the p-value of wins and losses. The
    differences are the player's points and steps less the other's, as means with their standard errors; the other
    means are the other engine's own, in these games.
    """

    engine: str
    visible_pairs: int | None
    games: int
    wins: int
    losses: int
    draws: int
    sign_test: float
    score_difference: float
    score_difference_stderr: float
    chain_difference: float
    chain_difference_stderr: float
    other_mean_best_chain: float
    other_median_best_chain: float
    other_mean_best_score: float
    other_without_chain: float

    def line(self) -> str:
        """The comparison as a line of text."""
        return (
            f"beside {self.engine}, {counted(self.games, 'game')} with the same pairs: {self.wins} won, "
            f"{self.losses} lost, {self.draws} drawn (sign test: p = {self.sign_test:.2g}); by "
            f"{self.score_difference:+,.0f} ± {self.score_difference_stderr:,.0f} points and "
            f"{self.chain_difference:+.2f} ± {self.chain_difference_stderr:.2f} steps; the other's chains: mean "
            f"{self.other_mean_best_chain:.2f}, median {self.other_median_best_chain:g}, "
            f"{self.other_without_chain:.0%} without one"
        )


def read_games(path: Path) -> list[OtherGames]:
    """Reads a file with a game on each line, as JSON: ``seed``, ``score`` and ``chain`` of the best chain, perhaps
    ``engine`` and ``known_pairs`` (the visible pairs, the falling one included). The file ``games.jsonl`` of ``bench
    strength -o`` is such a file. Raises UsageError.
    """
    try:
        text = read_file(path, _MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is no text"
        raise UsageError(f"can't read the games of {path}: {said}; give a file with a game on each line") from None
    found: dict[tuple[str, int | None], OtherGames] = {}
    engine, visible = _UNNAMED, None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            game = json.loads(line)
        except (ValueError, RecursionError):
            game = None
        if number == 1 and isinstance(game, dict) and isinstance(game.get("player"), str):
            # the first line of our own files says who played
            engine, visible = _name(game), 1 + _number(game, "next", SHOWN)
            continue
        if not isinstance(game, dict) or not all(_number(game, name, -1) >= 0 for name in ("seed", "score", "chain")):
            raise UsageError(f"{path}, line {number}: this is no game; a line has seed, score and chain")
        known = _number(game, "known_pairs", visible or 0)
        if known < 0:
            raise UsageError(f"{path}, line {number}: known_pairs is no number of pairs")
        key = brief(str(game.get("engine", engine)), 80), known or None
        others = found.setdefault(key, OtherGames(*key))
        if game["seed"] in others.best:
            raise UsageError(f"{path}, line {number}: {key[0]} has a game with seed {game['seed']} already")
        others.best[game["seed"]] = game["score"], game["chain"]
    return list(found.values())


def fitting(others: Sequence[OtherGames], path: Path, seeds: Iterable[int], visible: int) -> list[OtherGames]:
    """The engines that saw as many pairs and have games with some of the seeds. Raises UsageError if there are none."""
    wanted = set(seeds)
    right = [one for one in others if one.visible in (None, visible)]
    found = [one for one in right if wanted & one.best.keys()]
    if found:
        return found
    if not right:
        seen = " or ".join(sorted({str(one.visible) for one in others})) or "no"
        raise UsageError(f"the games of {path} have {seen} visible pairs, not {visible}: give another --next")
    first = min(seed for one in right for seed in one.best)
    raise UsageError(f"{path} has no game with these seeds; its first one is {first}: give --first-seed {first}")


def paired(games: Sequence[StrengthGame], others: OtherGames) -> Paired:
    """Compares games with those of another engine, by their seeds. Raises ValueError when no seed is in both."""
    both = [(game, others.best[game.seed]) for game in games if game.seed in others.best]
    scores = [game.score - score for game, (score, _) in both]
    chains = [game.chain - chain for game, (_, chain) in both]
    wins, losses = sum(one > 0 for one in scores), sum(one < 0 for one in scores)
    theirs = [best for _, best in both]
    return Paired(
        others.engine,
        others.visible,
        len(both),
        wins,
        losses,
        len(both) - wins - losses,
        round(sign_test(wins, losses), 6),
        round(statistics.fmean(scores), 1),
        round(standard_error(scores), 1),
        round(statistics.fmean(chains), 3),
        round(standard_error(chains), 3),
        round(statistics.fmean(chain for _, chain in theirs), 3),
        statistics.median(chain for _, chain in theirs),
        round(statistics.fmean(score for score, _ in theirs), 1),
        round(sum(chain == 0 for _, chain in theirs) / len(theirs), 4),
    )


def standard_error(values: Sequence[int]) -> float:
    """The standard error of the mean; 0 for a single value."""
    return statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0


def _name(identity: Mapping[str, Any]) -> str:
    budget = identity.get("budget")
    words = ", ".join(f"{name} {value}" for name, value in budget.items()) if isinstance(budget, dict) else ""
    return brief(f"{identity['player']} ({words})" if words else str(identity["player"]), 80)


def _number(game: Mapping[str, Any], name: str, missing: int) -> int:
    """A number from 0 to ``_LARGEST``; ``missing`` if the game doesn't have it, -1 for anything else."""
    value = game.get(name, missing)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST else -1
