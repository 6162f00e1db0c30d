"""Panels of endless play: the probability curve, its tail, chains, the field's heights."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.lab.plots.fit import (
    ARTICLE_CLEARS,
    ARTICLE_MODE,
    ARTICLE_MOST,
    ARTICLE_ODDS,
    ARTICLE_PIECES,
    Gaussian,
)
from ochibot.lab.plots.found import SelfPlayRun, TailRun
from ochibot.lab.plots.style import BLUE, GREEN, GREY, INK, ORANGE, RED, Panel

_PUYOS: Final = "puyos on the field after a lock"
_FULL: Final = 84


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
