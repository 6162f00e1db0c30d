"""Self-play: the two-ply player alone with a dealer, as fast as the kernels go, for any number of pieces.

    python -m ochibot.lab.selfplay --colors 5 --pieces 50000000 --state runs/five.npz

This command plays in slices and saves its state after each slice, so that it can be stopped and started again at any
time. It repeats the article's experiment: 50 million pieces, counting the puyos on the field after each lock.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import numpy.typing as npt

from ochibot import interrupts
from ochibot.arrayfile import read_arrays
from ochibot.data import data_path
from ochibot.errors import ConfigError, FieldError, OutputError
from ochibot.leftovers import whole_file
from ochibot.puyo.kernels.engine import zeros
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.search.engine import WORK_WORDS
from ochibot.puyo.search.player import PlayerConfig, load_player
from ochibot.puyo.sim.dealer import PlainSource, self_play_dealer
from ochibot.puyo.sim.engine import SELF_PLAY_KERNELS, STATE_NUMBERS
from ochibot.wording import counted

CHAINS = 20
"""How many chain lengths are counted separately, from 0 on. The last one includes all longer chains."""
_OLDEST_NUMBERS: Final = 13
"""How many numbers the state of the oldest version has."""
SOURCES: Final = get_args(PlainSource)
"""The choices of --dealer."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of a self-play, counted after each lock.

    counts[n]: how often n puyos were on the field. chains[n]: how often a lock led to a chain of n steps (the last
    entry includes longer chains). field_clears: how often the field became empty. heights[x, n]: how often column x was
    n puyos high.
    """

    pieces: int
    game_overs: int
    field_clears: int
    score: int
    cleared: int
    leaves: int
    counts: npt.NDArray[np.int64]
    chains: npt.NDArray[np.int64]
    heights: npt.NDArray[np.int64]

    @property
    def mean(self) -> float:
        """Puyos on the field, on average."""
        return float(self.counts @ np.arange(len(self.counts)) / max(self.pieces, 1))

    @property
    def deviation(self) -> float:
        """The standard deviation of the puyos on the field."""
        square = float(self.counts @ np.arange(len(self.counts)) ** 2 / max(self.pieces, 1))
        return float(max(square - self.mean**2, 0.0) ** 0.5)

    @property
    def mode(self) -> int:
        """The most frequent number of puyos on the field."""
        return int(np.argmax(self.counts))

    @property
    def most(self) -> int:
        """The most puyos that were on the field."""
        return int(np.max(np.flatnonzero(self.counts), initial=0))

    @property
    def longest_chain(self) -> int:
        """The longest chain."""
        return int(np.max(np.flatnonzero(self.chains), initial=0))

    def per_50_million(self, number: int) -> float:
        """A number of events, scaled to the article's 50 million pieces."""
        return number * 50e6 / max(self.pieces, 1)

    def __str__(self) -> str:
        return (
            f"{counted(self.pieces, 'piece')}: {counted(self.game_overs, 'game over')}, mean {self.mean:.2f}, "
            f"deviation {self.deviation:.2f}, mode {self.mode}, most {self.most} (x{int(self.counts[self.most])}), "
            f"field clears {self.field_clears:,} ({self.per_50_million(self.field_clears):,.0f} per 50 million), "
            f"longest chain {self.longest_chain}"
        )


def begin(source: PlainSource, seed: int, colors: int) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """The dealer's words and the state with which a game begins (see ``ochibot.puyo.sim.selfplay.self_play``).

    Errors: see ``self_play_dealer``.
    """
    dealer = self_play_dealer(source, seed, colors)
    first, second = next(dealer), next(dealer)
    state = np.zeros(STATE_NUMBERS, np.int64)
    state[1:6] = (colors if source == "uniform" else 0, *(color - 1 for color in (*first, *second)))
    return dealer.words, state


def statistics_of(
    state: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
    chains: npt.NDArray[np.int64],
    heights: npt.NDArray[np.int64],
    rules: Rules,
) -> Statistics:
    """Makes the statistics from the arrays of a game (see ``ochibot.puyo.sim.selfplay.self_play``)."""
    pieces, overs, score, clears, leaves, cleared = state[6:12].tolist()
    # self-play deals only pairs, no items: a field becomes empty only when a chain clears it
    score += clears * rules.all_clear_now + int(state[14]) * rules.all_clear_later
    return Statistics(pieces, overs, clears, score, cleared, leaves, counts, chains, heights)


class SelfPlay:
    """An endless game: after a game over it continues on an empty field. The same seed plays the same game.

    The kernel releases the GIL, so several games can be played in threads.
    """

    def __init__(
        self, config: PlayerConfig, colors: int, seed: int, rules: Rules, source: PlainSource = "uniform"
    ) -> None:
        """``source``: the generator of the pairs. The pool of 128 pairs of a published game's generator repeats, and it
        stays the same after a game over.

        ``seed``, ``colors`` and errors: see ``self_play_dealer``.
        """
        self._random, self._state = begin(source, seed, colors)
        self.source = source
        self.config = config
        self.colors = colors
        self.seed = seed
        self.rules = rules
        self._board = zeros(BOARD_WORDS)
        self._counts = np.zeros(85, np.int64)
        self._chains = np.zeros(CHAINS, np.int64)
        self._heights = np.zeros((COLUMNS, ROWS + 1), np.int64)

    def play(self, pieces: int) -> Statistics:
        """Plays this many more pieces. Returns the statistics of the whole game so far."""
        self._state[0] = pieces
        factors = np.array(self.config.factors, np.float64)
        work = zeros(WORK_WORDS)
        SELF_PLAY_KERNELS.kernel("self_play", self.rules)(
            self._board,
            self._random,
            self._state,
            self._counts,
            self._chains,
            self._heights.reshape(-1),
            factors,
            score_table(self.rules),
            work,
        )
        return self.statistics

    @property
    def looked_at(self) -> int:
        """Leaves evaluated. Equal fields after a lock count once here, but each time in ``Statistics.leaves``."""
        return int(self._state[12])

    @property
    def field(self) -> Field:
        """The current field."""
        return Field.from_planes(self._board)

    @property
    def statistics(self) -> Statistics:
        """The statistics of the whole game so far."""
        return statistics_of(self._state, self._counts.copy(), self._chains.copy(), self._heights.copy(), self.rules)

    def save(self, path: Path) -> None:
        """Saves everything that is needed to continue, as .npz. Raises OutputError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # savez gets an open file, because it would append its own ending to a file name
            with whole_file(path) as partial, partial.open("wb") as file:
                np.savez(file, allow_pickle=False, **self._arrays())
        except OSError as error:
            raise OutputError(f"can't write {path}: {error.strerror}") from error

    def load(self, path: Path) -> None:
        """Continues from a saved state. Raises ConfigError for a file that can't be read, and for a state of another
        player, geometry of the rules, dealer, seed or number of colours.
        """
        wanted = self._arrays()
        try:
            arrays = read_arrays(path, tuple(wanted))
            # first of all, since another dealer has arrays of other forms
            if not np.array_equal(arrays["who"], self._who()):
                raise ConfigError(
                    f"{path} was played by another player, dealer, seed or number of colours: use another file"
                )
            planes = Field.from_cells(arrays["cells"]).planes
            for name, own in wanted.items():
                read = arrays[name]
                # states of older versions are shorter: they don't count field clears whose bonus is paid later
                older = name == "who" or (name == "state" and _OLDEST_NUMBERS <= read.size <= own.size)
                if read.dtype != own.dtype or read.ndim != own.ndim or (read.shape != own.shape and not older):
                    raise ValueError(f"{name} has another form")
            dealt, state = arrays["random"], arrays["state"].tolist()
            known = np.array_equal(dealt[1:], self._random[1:]) and state[1] == self._state[1]
            if not known or not all(0 <= color < self.colors for color in state[2:6]) or min(state) < 0:
                raise ValueError("no game has such a state")
        except (ValueError, FieldError) as error:
            raise ConfigError(f"{path} is not a self-play that this Ochibot saved: {error}") from error
        self._board[:] = planes
        self._random = arrays["random"]
        self._state[:] = 0
        self._state[: len(arrays["state"])] = arrays["state"]
        self._counts, self._chains, self._heights = arrays["counts"], arrays["chains"], arrays["heights"]

    def _who(self) -> npt.NDArray[np.float64]:
        # older versions knew the published formula alone, and pairs that turn around their axis; they saved neither
        geometry = self.rules.geometry()
        numbers = geometry if geometry.box else geometry[:-1] if geometry.general else geometry[:-2]
        who = [*self.config.factors, *numbers, self.colors, self.seed]
        # older versions knew only the uniform dealer, and saved no number for the dealer
        return np.array(who if self.source == "uniform" else [*who, SOURCES.index(self.source)], np.float64)

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        return {
            "who": self._who(),
            "cells": self.field.cells,
            "random": self._random,
            "state": self._state,
            "counts": self._counts,
            "chains": self._chains,
            "heights": self._heights,
        }


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.selfplay", description=__doc__)
    parser.add_argument("--player", type=Path, default=data_path("configs/players/article.yaml"))
    parser.add_argument("--rules", default="famicom", help="a rules file of puyo, or the name of a shipped one")
    parser.add_argument("--colors", type=int, default=5)
    parser.add_argument("--dealer", choices=SOURCES, default="uniform", help="whose generator deals")
    parser.add_argument("--seed", type=int, default=1, help="of the dealer: the state of tsu and puyo1")
    parser.add_argument("--pieces", type=int, default=1_000_000, help="in all, those of a saved state included")
    parser.add_argument("--slice", type=int, default=1_000_000, help="pieces between two saves")
    parser.add_argument("--state", type=Path, help="where the state is kept (.npz)")
    options = parser.parse_args(arguments)
    rules = load_rules(options.rules)
    game = SelfPlay(load_player(options.player), options.colors, options.seed, rules, options.dealer)
    if options.state and options.state.exists():
        game.load(options.state)
    done = game.statistics.pieces
    while done < options.pieces:
        started = time.perf_counter()
        now = min(options.slice, options.pieces - done)
        seen = game.play(now)
        done = seen.pieces
        print(f"{seen}; {now / (time.perf_counter() - started):,.0f} pieces/s", flush=True)
        if options.state:
            game.save(options.state)
    print(f"{counted(options.colors, 'colour')}, seed {options.seed}: {game.statistics}")
    print("puyos on the field: " + " ".join(f"{n}:{k}" for n, k in enumerate(game.statistics.counts) if k))


if __name__ == "__main__":
    interrupts.run(main)
