"""Measures the strength of a player of Puyo Puyo: its best chain in each of many short games.

docs/strength.md has the protocol.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from ochibot.bench.beside import OtherGames, Paired, paired, standard_error
from ochibot.bench.kept import KeptRun
from ochibot.engines.player import EnginePlayer
from ochibot.falling.player import AnyPlayer
from ochibot.puyo.family import FAMILY
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.sim.fifty import COLORS, PAIRS, SHOWN, StrengthGame, play
from ochibot.report import Reported
from ochibot.wording import counted

TEN: Final = 10

QUANTILES: Final = {"10 %": 0.1, "25 %": 0.25, "50 %": 0.5, "75 %": 0.75, "90 %": 0.9}


@dataclass(frozen=True)
class StrengthReport(Reported):
    """The result of all games. visible_pairs: how many the player saw, the falling one included. stderr, score_stderr:
    the standard errors of the two means. chain_quantiles, score_quantiles: by the names of ``QUANTILES``; a share of
    that size of the games has no more. ten_or_more, without_chain: shares of the games, by the steps of the best chain.
    deaths: how many games ended before the last pair. beside: other engines' games with the same pairs.
    """

    player: str
    budget: dict[str, int]
    rules: str
    colors: int
    visible_pairs: int
    games: int
    first_seed: int
    mean_best_chain: float
    stderr: float
    median_best_chain: float
    mean_best_score: float
    score_stderr: float
    median_best_score: float
    chain_quantiles: dict[str, float]
    score_quantiles: dict[str, float]
    ten_or_more: float
    without_chain: float
    ms_per_decision: float
    cpu_ms_per_decision: float
    deaths: int
    beside: list[Paired] = field(default_factory=list)
    per_game: list[StrengthGame] = field(default_factory=list, repr=False)

    def table(self) -> str:
        """The report as text for a terminal."""
        budget = ", ".join(f"{name} {value}" for name, value in self.budget.items()) or "its own budget"
        who = f"{self.player} ({budget}), {counted(self.games, 'game')} of {PAIRS} pairs from seed {self.first_seed}"
        seen = f"{self.visible_pairs} pairs visible (the falling one and {self.visible_pairs - 1} more)"
        lines = (
            f"{who}, {counted(self.colors, 'colour')}, rules {self.rules}, {seen}",
            f"best chain {self.mean_best_chain:.2f} ± {self.stderr:.2f} (median {self.median_best_chain:g}), "
            f"best score {self.mean_best_score:,.0f} ± {self.score_stderr:,.0f} (median {self.median_best_score:,.0f})",
            f"ten or more {self.ten_or_more:.0%}, without a chain {self.without_chain:.0%}, "
            f"{counted(self.deaths, 'death')}",
            f"quantiles {', '.join(QUANTILES)}: chains {_joined(self.chain_quantiles)}; scores "
            f"{_joined(self.score_quantiles)}",
            *(one.line() for one in self.beside),
            f"{self.ms_per_decision:.2f} ms per decision by the clock, {self.cpu_ms_per_decision:.2f} of the processor",
        )
        return "\n".join(lines)


def measure(
    player: AnyPlayer,
    rules: Rules,
    seeds: Sequence[int],
    budget: dict[str, int],
    *,
    shown: int = SHOWN,
    colors: int = COLORS,
    others: Sequence[OtherGames] = (),
    folder: Path | None = None,
    stopped: Callable[[], bool] = lambda: False,
    on_game: Callable[[StrengthGame], None] = lambda _: None,
) -> StrengthReport:
    """Plays one game for each seed. ``shown``: the number of visible pairs besides the falling one. ``colors``: of the
    pairs. ``others``: other engines' games to compare with. ``folder``: keeps each game, so that a killed run can
    resume.

    Raises KeyboardInterrupt when ``stopped()`` returns true, UsageError for a folder of another run, and
    OutputError for a folder that can't be used.
    """
    name = getattr(player, "name", type(player).__name__)
    who = player.identity if isinstance(player, EnginePlayer) else name
    identity = {"player": who, "budget": budget, "rules": rules.name}
    # left out where they are the protocol's, so that folders of older runs go on
    identity |= ({} if shown == SHOWN else {"next": shown}) | ({} if colors == COLORS else {"colors": colors})
    kept = None
    if folder is not None:
        kept = KeptRun(folder / "games.jsonl", identity, "holds the games of another player or budget")
    done = {} if kept is None else {game["seed"]: StrengthGame(**game) for game in kept.kept}
    for seed in seeds:
        if seed in done:
            continue
        if stopped():
            raise KeyboardInterrupt
        game = play(player, rules, seed, FAMILY, shown, colors)
        done[seed] = game
        if kept is not None:
            kept.keep(asdict(game))
        on_game(game)
    return report(name, budget, rules, [done[seed] for seed in seeds], shown, others, colors)


def report(
    name: str,
    budget: dict[str, int],
    rules: Rules,
    games: Sequence[StrengthGame],
    shown: int = SHOWN,
    others: Sequence[OtherGames] = (),
    colors: int = COLORS,
) -> StrengthReport:
    """Makes the report on some games."""
    chains, scores = [game.chain for game in games], [game.score for game in games]
    decisions = max(1, sum(game.pairs for game in games))
    return StrengthReport(
        name,
        budget,
        rules.name,
        colors,
        1 + shown,
        len(games),
        games[0].seed,
        round(statistics.fmean(chains), 3),
        round(standard_error(chains), 3),
        statistics.median(chains),
        round(statistics.fmean(scores), 1),
        round(standard_error(scores), 1),
        statistics.median(scores),
        _quantiles(chains),
        _quantiles(scores),
        round(sum(chain >= TEN for chain in chains) / len(games), 4),
        round(sum(chain == 0 for chain in chains) / len(games), 4),
        round(1000 * sum(game.seconds for game in games) / decisions, 4),
        round(1000 * sum(game.cpu_seconds for game in games) / decisions, 4),
        sum(game.dead for game in games),
        [paired(games, one) for one in others],
        list(games),
    )


def _quantiles(values: Sequence[int]) -> dict[str, float]:
    """The quantiles by their names, linear between the two values around it."""
    ordered = sorted(values)
    found = {}
    for name, share in QUANTILES.items():
        place = share * (len(ordered) - 1)
        low, high = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
        found[name] = round(low + (high - low) * (place - int(place)), 1)
    return found


def _joined(quantiles: dict[str, float]) -> str:
    return ", ".join(f"{value:,g}" if value < TEN * TEN else f"{value:,.0f}" for value in quantiles.values())
