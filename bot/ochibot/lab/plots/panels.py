"""Panels of the lab's pictures.

Endless play has the probability curve, its tail, chains, and the field's heights. The article's model of its curve is a
Gaussian, fitted and extrapolated. A chance model has its reliability, and its Brier score at each sixth of the matches.
Trainings and arenas have panels, too.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ochibot.errors import ConfigError
from ochibot.lab.plots.found import ArenaRun, ChanceRun, Generation, SelfPlayRun, TailRun
from ochibot.lab.plots.style import BLUE, DASHES, GREEN, GREY, INK, ORANGE, RED, SERIES, Panel, plain
from ochibot.wording import counted

ARTICLE_PIECES: Final = 50_000_000
"""How many pieces the article played. The next three constants are from the article, too: the most puyos on the field,
the most frequent number of puyos, and the field clears.
"""
ARTICLE_MOST: Final = 37
ARTICLE_MODE: Final = 10
ARTICLE_CLEARS: Final = 3_326
ARTICLE_ODDS: Final = {42: 17, 84: 89}
"""Numbers of puyos on the field, and the article's probability of each: n stands for 10^-n."""


@dataclass(frozen=True)
class Gaussian:
    """height * exp(-(n - mean)^2 / (2 sigma^2)): the probability of n puyos after a lock."""

    height: float
    mean: float
    sigma: float

    def at(self, puyos: Any) -> Any:
        """The probability of this number of puyos. For an array, it returns an array."""
        return self.height * np.exp(-0.5 * ((puyos - self.mean) / self.sigma) ** 2)

    def exponent(self, puyos: float) -> float:
        """The probability's decimal logarithm."""
        return math.log10(self.height) - 0.5 * ((puyos - self.mean) / self.sigma) ** 2 / math.log(10)


def fitted(histogram: Sequence[int]) -> Gaussian:
    """Fits the Gaussian by least squares to the probabilities. As in the article, all have the same weight.

    Raises ConfigError when fewer than four different numbers of puyos occurred, or when no Gaussian fits.
    """
    from scipy.optimize import OptimizeWarning, curve_fit

    counts = np.array(histogram, np.float64)
    if np.count_nonzero(counts) < 4:
        raise ConfigError("too few pieces for a curve: play more")
    puyos, shares = np.arange(len(counts)), counts / counts.sum()
    mean = float(puyos @ shares)
    sigma = math.sqrt(float((puyos - mean) ** 2 @ shares))

    def gaussian(n: Any, height: float, middle: float, width: float) -> Any:
        return Gaussian(height, middle, width).at(n)

    try:
        with warnings.catch_warnings():
            # of the covariance, which isn't used
            warnings.simplefilter("ignore", OptimizeWarning)
            (height, middle, width), _ = curve_fit(gaussian, puyos, shares, p0=(shares.max(), mean, sigma))
    except RuntimeError:
        raise ConfigError("no Gaussian fits these pieces: play more") from None
    return Gaussian(float(height), float(middle), abs(float(width)))


_PUYOS: Final = "puyos on the field after a lock"


def million(number: int) -> str:
    """A number as text: 50,000,000 is "50 million", 5000 is "5,000"."""
    return f"{number / 1e6:,.3g} million" if number >= 1_000_000 else f"{number:,}"


def power(exponent: float) -> str:
    """10 to the power of ``exponent``, in matplotlib's markup."""
    return f"$10^{{{exponent:.0f}}}$"


def curve(run: SelfPlayRun, fit: Gaussian) -> Panel:
    """The panel of the probability curve with a linear axis."""

    def panel(axes: Any) -> None:
        shares = np.array(run.histogram) / run.pieces
        shown = range(max(run.most, ARTICLE_MOST) + 3)
        axes.bar(shown, shares[: len(shown)], width=0.85, color=BLUE, alpha=0.75, label="played")
        fine = np.linspace(0, shown[-1], 400)
        label = f"Gaussian fit: mean {fit.mean:.2f}, σ {fit.sigma:.2f}"
        axes.plot(fine, fit.at(fine), color=RED, linewidth=2, label=label)
        top = max(shares.tolist())
        for puyos, word in ((ARTICLE_MODE, "article: mostly\naround 10"), (ARTICLE_MOST, "article: never\nabove 37")):
            axes.axvline(puyos, ymax=1.0 if puyos < 30 else 0.38, color=GREY, linestyle=":", linewidth=1.3)
            side = -1 if puyos > 30 else 1
            height = 0.42 if side < 0 else 1.13
            where = "right" if side < 0 else "left"
            axes.annotate(word, (puyos + 0.5 * side, top * height), ha=where, va="top", fontsize=9.5, color=GREY)
        clears = run.field_clears * ARTICLE_PIECES / run.pieces
        facts = (
            f"most seen: {run.most}\nfield clears in 50 million: {clears:,.0f}\n"
            f"(article: {ARTICLE_CLEARS:,})\ngames ended: {run.games_ended:,}"
        )
        axes.text(0.985, 0.80, facts, transform=axes.transAxes, ha="right", va="top", fontsize=9.5, linespacing=1.4)
        axes.set(title=f"{million(run.pieces)} pieces of endless play", xlabel=_PUYOS, ylabel="probability")
        axes.set_xlim(-1, shown[-1])
        axes.set_ylim(0, top * 1.18)
        axes.legend(loc="upper right")

    return panel


def log_curve(run: SelfPlayRun | None, fit: Gaussian | None, tail: TailRun | None) -> Panel:
    """The panel with a logarithmic axis: the played curve, the Gaussian and the measured tail (None: not shown)."""

    def panel(axes: Any) -> None:
        axes.set_yscale("log")
        lowest, last = 1e-19, 46
        if tail is not None:
            rows = np.array(tail.frequencies)
            # the interval is meaningful only if at least half of the replicas saw this number of puyos
            good = (rows[:, 0] > 0) & (rows[:, 3] >= 0.5)
            puyos = np.flatnonzero(good)
            axes.fill_between(puyos, rows[good, 1], rows[good, 2], color=GREEN, alpha=0.25, linewidth=0)
            label = f"multilevel splitting, {million(tail.pieces)} pieces, 95 %"
            axes.plot(puyos, rows[good, 0], color=GREEN, linewidth=2, label=label)
            last = max(last, int(puyos[-1]) + 2)
            lowest = min(lowest, float(rows[good, 0].min()) / 30)
        if run is not None:
            shares = np.array(run.histogram) / run.pieces
            seen = np.flatnonzero(shares)
            label = f"direct play, {million(run.pieces)} pieces"
            axes.plot(seen, shares[seen], "o", color=BLUE, markersize=4.5, label=label)
        if fit is not None:
            fine = np.linspace(0, last, 500)
            axes.plot(fine, fit.at(fine), color=RED, linewidth=1.8, label="Gaussian fit")
        for puyos_at, odds in ARTICLE_ODDS.items():
            if puyos_at <= last and 10.0**-odds > lowest:
                axes.plot([puyos_at], [10.0**-odds], "D", color=ORANGE, markersize=8, markeredgecolor=INK)
                words = f"the article's Gaussian:\n1 in {power(odds)} at {puyos_at}"
                axes.annotate(
                    words,
                    (puyos_at, 10.0**-odds),
                    xytext=(-14, -4),
                    textcoords="offset points",
                    ha="right",
                    fontsize=9.5,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 2},
                    zorder=1,
                )
        axes.axvline(ARTICLE_MOST, color=GREY, linestyle=":", linewidth=1.3, zorder=0.5)
        axes.set(title="Probability of full fields" if tail is not None else "The same, logarithmic", xlabel=_PUYOS)
        axes.set_ylabel("probability")
        axes.set_xlim(-1, last)
        axes.set_ylim(lowest, 3)
        axes.legend(loc="upper right" if tail is not None else "lower left")

    return panel


def chains(run: SelfPlayRun) -> Panel:
    """The panel of how often chains of each length occurred."""

    def panel(axes: Any) -> None:
        longest = max(int(np.max(np.flatnonzero(np.array(run.chains)), initial=1)), 1)
        lengths = np.arange(1, longest + 1)
        counts = np.array(run.chains[1 : longest + 1])
        axes.set_yscale("log")
        bars = axes.bar(lengths, counts / run.pieces, width=0.75, color=BLUE, alpha=0.8)
        axes.bar_label(bars, [f"{count:,}" for count in counts], fontsize=9.5, padding=2)
        axes.set(
            title=f"Chains in {million(run.pieces)} pieces", xlabel="length of the chain", ylabel="share of all locks"
        )
        names = [str(n) for n in lengths]
        if longest == len(run.chains) - 1:
            names[-1] += "+"
        axes.set_xticks(lengths, names)
        axes.set_ylim(top=float(counts.max()) / run.pieces * 6)
        axes.grid(axis="x", visible=False)

    return panel


def heights(run: SelfPlayRun) -> Panel:
    """The panel of column heights: the share of locks after which each column has each height."""

    def panel(axes: Any) -> None:
        shares = np.array(run.heights or [[0]], np.float64).T / run.pieces
        shown = min(int(np.flatnonzero(shares.sum(axis=1) > 0)[-1]) + 2, len(shares))
        picture = axes.imshow(shares[:shown] * 100, origin="lower", cmap="YlGnBu", aspect="auto", vmin=0)
        dark = 0.55 * max(shares.ravel().tolist())
        for height in range(shown):
            for column in range(shares.shape[1]):
                share = float(shares[height, column])
                color = "white" if share > dark else INK if share >= 0.001 else GREY
                axes.text(column, height, _percent(share), ha="center", va="center", fontsize=9, color=color)
        axes.set(title="Height of each column after a lock, %", xlabel="column", ylabel="puyos high")
        axes.set_xticks(range(shares.shape[1]), [str(n + 1) for n in range(shares.shape[1])])
        axes.set_yticks(range(shown))
        axes.grid(visible=False)
        axes.tick_params(length=0)
        axes.get_figure(root=False).colorbar(picture, ax=axes, shrink=0.85, label="% of all locks").outline.set_visible(
            False
        )

    return panel


def _percent(share: float) -> str:
    """A share in percent, without the percent sign: an empty text for 0, and "< 0.1" for less than 0.1 %."""
    if share == 0:
        return ""
    return f"{share:.1%}".rstrip("%") if share >= 0.001 else "< 0.1"


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
