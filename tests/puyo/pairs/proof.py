"""The long proof of ``deal --find``: ``python -m tests.puyo.pairs.proof --generator tsu --games 20``.

It takes the first five pairs that each of twenty random states deals, and searches all states for them in one pass.
Five pairs leave thousands of candidates. By comparing their pools, it counts how many are left after six pairs, seven
and so on. Writes a JSON report to stdout. ``holds``: whether each state was found, no list of candidates was cut short,
and separate searches of some ranges found the same candidates. ``next_alike``: which share of the candidates deals the
next pair, and the next eight pairs, as the true state does.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from ochibot.data import cache_dir
from ochibot.puyo.pairs.engine import States, pools_of
from ochibot.puyo.pairs.generators import Generator, order_of
from ochibot.puyo.pairs.search import LISTED, FoundStates, StateSearch, find, states_of

from tests.puyo.pairs.seen import seen

PAIRS = 128
RANGES = 8
"""How many ranges, each of a million states, are searched once more, separately."""
TOLD = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 64, 128)
"""Numbers of pairs for which the report tells how many candidates are left."""


def agreed(generator: Generator, state: int, states: States, colors: int = 4, player: int = 1) -> npt.NDArray[np.int64]:
    """How many pairs, 128 at the most, each of n states deals like ``state`` before they differ. Pairs that differ only
    by exchanged colours count as alike.
    """
    order = [2 * pair + half for pair in islice(order_of(generator), PAIRS) for half in (0, 1)]
    own = pools_of(generator, np.array([state], np.uint32), colors, player)[0, order]
    pools = pools_of(generator, states, colors, player)[:, order]
    rows = np.arange(len(states))
    theirs, ours = np.full((len(states), 8), 9, np.uint8), np.full((len(states), 8), 9, np.uint8)
    same = np.full(len(states), PAIRS)
    for number, code in enumerate(own):
        other = pools[:, number]
        new = (theirs[rows, code] == 9) & (ours[rows, other] == 9)
        theirs[rows[new], code] = other[new]
        ours[rows[new], other[new]] = code
        differs = (theirs[rows, code] != other) | (ours[rows, other] != code)
        same[differs] = np.minimum(same[differs], number // 2)
    return same


def by_pairs(generator: Generator, state: int, states: States) -> tuple[list[int], int, int]:
    """Counts a state's candidates (``states``). Returns how many are left after each number of pairs from 0 to 128;
    after how many pairs only those are left that deal all 128 pairs alike; and how many these are.
    """
    same = agreed(generator, state, states)
    left = [int(np.count_nonzero(same >= pairs)) for pairs in range(PAIRS + 1)]
    return left, left.index(left[-1]), left[-1]


def prove(
    generator: Generator, games: int, pairs: int, seed: int, first: int, last: int, threads: int
) -> dict[str, Any]:
    """Runs the proof for one generator. Returns the report, without ``holds``."""
    chance = random.Random(seed)
    states = [chance.randint(first, last) for _ in range(games)]
    search = StateSearch(generator, tuple(seen(generator, state, pairs) for state in states), 4, 1, first, last)
    progress = _Progress()
    began, began_cpu = time.perf_counter(), time.process_time()
    found = find(search, threads, cache_dir() / "searches" / f"proof-{search.name}.npz", progress)
    seconds, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    rows = [by_pairs(generator, state, found.candidates(k)) for k, state in enumerate(states)]
    ranges = [chance.randint(first, max(first, last - 0xFFFFF)) for _ in range(RANGES)]
    return {
        "states": search.states,
        "ranges_compared": RANGES,
        "ranges_different": sum(not _agrees(search, found, begin) for begin in ranges),
        "games": games,
        "found": sum(state in found.candidates(k) for k, state in enumerate(states)),
        "whole": all(count <= LISTED for count in found.counts),
        "candidates": {
            str(number): {
                "mean": round(statistics.fmean(left[number] for left, _, _ in rows), 1),
                "most": max(left[number] for left, _, _ in rows),
            }
            for number in TOLD
            if number >= pairs
        },
        "next_alike": {
            str(number): {
                str(more): round(statistics.fmean(left[number + more] / left[number] for left, _, _ in rows), 4)
                for more in (1, 8)
            }
            for number in TOLD
            if pairs <= number <= PAIRS - 8
        },
        "settled": {
            "median": statistics.median(settled for _, settled, _ in rows),
            "most": max(settled for _, settled, _ in rows),
        },
        "alike": {
            "mean": round(statistics.fmean(alike for _, _, alike in rows), 1),
            "least": min(alike for _, _, alike in rows),
            "most": max(alike for _, _, alike in rows),
        },
        "threads": threads,
        "gone_on_from": progress.first,
        "seconds": round(seconds, 1),
        "processor_seconds": round(cpu, 1),
        "million_states_per_processor_second": round((found.done - progress.first) / max(cpu, 1e-9) / 1e6, 2),
        "looked_at": found.done,
    }


def _agrees(search: StateSearch, found: FoundStates, begin: int) -> bool:
    """Whether a separate search of a range of a million states, which takes no short cuts, finds the same states."""
    end = min(begin + 0xFFFFF, search.last)
    alone = find(replace(search, first=begin, last=end))
    for k in range(len(search.observations)):
        states = found.candidates(k)
        if not np.array_equal(states[(states >= begin) & (states <= end)], alone.candidates(k)):
            return False
    return True


class _Progress:
    """Shows the progress on stderr if it is a terminal. first: how many states were done when the search began."""

    def __init__(self) -> None:
        self.first = -1

    def __call__(self, found: FoundStates) -> None:
        if self.first < 0:
            self.first = found.done
        if sys.stderr.isatty():
            print(f"\r{(found.done + found.under_way) / found.total:.1%}", end="", file=sys.stderr)


def main(arguments: list[str] | None = None) -> None:
    """Runs the proof and prints its report. The exit code is 0 if it holds, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.puyo.pairs.proof", description=__doc__)
    parser.add_argument("--generator", choices=["tsu", "puyo1", "modern"], default="tsu")
    parser.add_argument("--games", type=int, default=20, help="random states, all looked for in one pass")
    parser.add_argument("--pairs", type=int, default=5, help="of each that are searched by")
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--first", type=lambda text: int(text, 0), default=0)
    parser.add_argument("--last", type=lambda text: int(text, 0), help="the last state (default: of all)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    last = states_of(options.generator) - 1 if options.last is None else options.last
    report = prove(options.generator, options.games, options.pairs, options.seed, options.first, last, options.threads)
    report = {"generator": options.generator, "pairs": options.pairs, "seed": options.seed, **report}
    report["holds"] = report["found"] == options.games > 0 and report["whole"] and not report["ranges_different"]
    print(json.dumps(report, indent=2))
    raise SystemExit(not report["holds"])


if __name__ == "__main__":
    main()
