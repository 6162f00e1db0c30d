"""The panels of a chance model: its reliability, and its Brier score at each sixth of the matches."""

from __future__ import annotations

from typing import Any

from ochibot.lab.plots.found import ChanceRun
from ochibot.lab.plots.style import BLUE, DASHES, GREY, INK, SERIES, Panel, plain


def reliability(run: ChanceRun) -> Panel:
    """The panel of how many matches were won of those with a chance in each of ten bins."""

    def panel(axes: Any) -> None:
        axes.plot([0, 1], [0, 1], ":", color=GREY, linewidth=1.2, label="perfect")
        said, won = [one.chance for one in run.reliability], [one.won for one in run.reliability]
        axes.plot(said, won, "-", color=BLUE, linewidth=1.5)
        sizes = [20 + 900 * one.share for one in run.reliability]
        label = f"held-out matches: error {run.calibration:.3f}"
        axes.scatter(said, won, s=sizes, color=BLUE, alpha=0.7, label=label)
        axes.set(title=f"{plain(run.game)}: reliability", xlabel="chance", ylabel="share won", xlim=(0, 1), ylim=(0, 1))
        legend = axes.legend(loc="upper left")
        for handle in legend.legend_handles[1:]:
            handle.set_sizes([40])

    return panel


def stages(run: ChanceRun) -> Panel:
    """The panel of the Brier score after each sixth of the matches, for all players and for each."""

    def panel(axes: Any) -> None:
        axes.axhline(run.constant, color=GREY, linewidth=1.2, linestyle=":", label="always one half")
        least = 0.75 * run.constant
        axes.axhline(least, color=GREY, linewidth=1, linestyle="--", label="25 % below it")
        for number, player in enumerate(run.players):
            dash = DASHES[(1 + number // len(SERIES)) % len(DASHES)]
            color = SERIES[(1 + number) % len(SERIES)]
            at, scores = [one.sixth for one in player.stages], [one.brier for one in player.stages]
            axes.plot(at, scores, dash, color=color, linewidth=1.3, label=plain(player.name))
        at, scores = [one.sixth for one in run.stages], [one.brier for one in run.stages]
        below = [max(0.0, one.brier - one.low) for one in run.stages]
        above = [max(0.0, one.high - one.brier) for one in run.stages]
        axes.errorbar(at, scores, yerr=[below, above], fmt="o-", color=INK, linewidth=2, capsize=3, label="all")
        axes.set(title=f"{plain(run.game)}: Brier score", xlabel="sixths of the match", ylim=(0, None))
        axes.set_xticks(range(1, 7))
        axes.legend(loc="lower left")

    return panel
