"""What comes after the pairs that somebody saw: in that person's words, and how probable it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from ochibot.puyo.pairs.engine import States, pools_of
from ochibot.puyo.pairs.generators import Generator
from ochibot.puyo.pairs.observation import UNKNOWN, Observation, places_after

FORETOLD: Final = 8
"""Pairs that are told of each candidate."""

CONTINUATIONS: Final = 20
"""Continuations that are told at the most."""

_AT_ONCE: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Foretold:
    """The pairs after an observation. next: (FORETOLD pairs, the share of the candidates that deal them), the largest
    share first, CONTINUATIONS at the most. certain: the first of these pairs, as far as all candidates agree. then: the
    pairs that may come after those, each with its share; none if all candidates agree on all.
    """

    next: tuple[tuple[tuple[str, ...], float], ...]
    certain: tuple[str, ...]
    then: tuple[tuple[str, float], ...]


def next_pairs(
    generator: Generator, observation: Observation, states: States, colors: int, player: int
) -> npt.NDArray[np.uint8]:
    """(n, 2 * FORETOLD) letters as ASCII: what each of n candidates deals after the observation.

    In the letters of whoever saw it; ``?`` is a colour that wasn't seen yet.
    """
    seen = observation.seen(generator)
    after = places_after(generator, observation.pairs, FORETOLD)
    names = np.frombuffer(observation.names.encode(), np.uint8)
    parts = [np.empty((0, len(after)), np.uint8)]
    for begin in range(0, len(states), _AT_ONCE):
        pools = pools_of(generator, states[begin : begin + _AT_ONCE], colors, player)
        rows = np.arange(len(pools))
        called = np.full((len(pools), 8), ord(UNKNOWN), np.uint8)
        for place, name in seen:
            called[rows, pools[:, place]] = names[name]
        parts.append(called[rows[:, None], pools[:, after]])
    return np.concatenate(parts)


def in_words(letters: npt.NDArray[np.uint8]) -> tuple[str, ...]:
    """A row of ``next_pairs`` as pairs."""
    text = letters.tobytes().decode()
    return tuple(text[k : k + 2] for k in range(0, len(text), 2))


def foretell(generator: Generator, observation: Observation, states: States, colors: int, player: int) -> Foretold:
    """What the candidates deal next, each weighted equally. Without any there is nothing to tell."""
    if not len(states):
        return Foretold((), (), ())
    letters = next_pairs(generator, observation, states, colors, player)
    rows, counts = np.unique(letters.view(f"V{letters.shape[1]}").reshape(-1), return_counts=True)
    told = Counter(
        {in_words(np.frombuffer(row, np.uint8)): int(count) for row, count in zip(rows, counts, strict=True)}
    )
    agreed = (letters == letters[0]).all(axis=0)
    certain = int(np.argmin([*(agreed[::2] & agreed[1::2]), False]))
    then: Counter[str] = Counter()
    for pairs, count in told.items() if certain < FORETOLD else ():
        then[pairs[certain]] += count
    return Foretold(_shares(told)[:CONTINUATIONS], in_words(letters[0])[:certain], _shares(then))


_Told = TypeVar("_Told", str, tuple[str, ...])


def _shares(counts: Counter[_Told]) -> tuple[tuple[_Told, float], ...]:
    """The largest first; equal ones in the order of the alphabet."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((told, count / counts.total()) for told, count in ranked)
