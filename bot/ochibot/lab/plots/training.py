"""The panels of trainings and arenas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ochibot.lab.plots.found import ArenaRun, Generation
from ochibot.lab.plots.style import BLUE, DASHES, GREY, ORANGE, SERIES, Panel, plain
from ochibot.wording import counted


def training(log: Sequence[Generation]) -> Panel:
    """The panel of the best and the mean value of each generation."""

    def panel(axes: Any) -> None:
        numbers = [each.generation for each in log]
        few = "o-" if len(log) < 60 else "-"
        axes.plot(numbers, [each.best for each in log], few, color=BLUE, linewidth=2, markersize=4, label="best")
        axes.plot(numbers, [each.mean for each in log], few, color=ORANGE, linewidth=2, markersize=4, label="mean")
        played = log[-1].evaluations
        text = f", {played:,} evaluations" if played is not None else ""
        axes.set(title=f"Training: {len(log):,} generations{text}", xlabel="generation", ylabel="value")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(loc="best")

    return panel


def weights(log: Sequence[Generation]) -> Panel:
    """The panel of the trainer's weights after each generation."""

    def panel(axes: Any) -> None:
        numbers = [each.generation for each in log]
        names = list(dict.fromkeys(name for each in log for name in each.weights))
        for number, name in enumerate(names):
            values = [each.weights.get(name, float("nan")) for each in log]
            dash = DASHES[number // len(SERIES) % len(DASHES)]
            axes.plot(
                numbers,
                values,
                dash,
                marker="o" if len(log) < 60 else None,
                markersize=3.5,
                color=SERIES[number % len(SERIES)],
                linewidth=1.8,
                label=plain(name.replace("_", " ")),
            )
        axes.set(title="Mean weights", xlabel="generation", ylabel="weight")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))

    return panel


def ratings(run: ArenaRun) -> Panel:
    """The panel of Elo ratings with their intervals, the best on top."""

    def panel(axes: Any) -> None:
        players = sorted(run.players, key=lambda player: player.elo)
        rows = range(len(players))
        for row, player in zip(rows, players, strict=True):
            axes.plot([player.low, player.high], [row, row], color=BLUE, linewidth=3, solid_capstyle="round")
            axes.plot([player.elo], [row], "o", color=BLUE, markersize=8)
            text = f"{player.elo:+.0f}"
            axes.annotate(text, (player.elo, row), xytext=(0, 9), textcoords="offset points", ha="center", fontsize=9.5)
        axes.axvline(0, color=GREY, linewidth=1, linestyle=":")
        axes.set_yticks(rows, [f"{_short(player.name)}\n{counted(player.games, 'game')}" for player in players])
        axes.set_ylim(-0.6, len(players) - 0.3)
        axes.set(title="Ratings in the arena", xlabel="Elo, with its interval")
        axes.grid(axis="y", visible=False)

    return panel


def _short(name: str) -> str:
    return plain(name if len(name) <= 24 else f"…{name[-23:]}")
