"""Foretells which pairs come after those that a person saw, and how probable they are.

Colours are written with the letters that the person used.
"""

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
"""How many pairs of each candidate are foretold."""

CONTINUATIONS: Final = 20
"""The most continuations (sequences of FORETOLD pairs) that are listed."""

_AT_ONCE: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Foretold:
    """The pairs after an observation.

    next: (FORETOLD pairs, the share of the candidates that deal them), at most CONTINUATIONS, largest share first.
    certain: the first pairs, as far as all candidates agree. then: what the pair after ``certain`` may be, each
    possibility with its share; empty if all candidates agree on all pairs.
    """

    next: tuple[tuple[tuple[str, ...], float], ...]
    certain: tuple[str, ...]
    then: tuple[tuple[str, float], ...]


def next_pairs(
    generator: Generator, observation: Observation, states: States, colors: int, player: int
) -> npt.NDArray[np.uint8]:
    """The pairs that each candidate (one of n ``states``) deals after the observation: ASCII, (n, 2 * FORETOLD).

    Colours are written with the observation's letters; ``?`` is a colour that doesn't occur in the observation.
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
    """A row of ``next_pairs`` as a tuple of pairs, two letters each."""
    text = letters.tobytes().decode()
    return tuple(text[k : k + 2] for k in range(0, len(text), 2))


def foretell(generator: Generator, observation: Observation, states: States, colors: int, player: int) -> Foretold:
    """What the candidates deal next, each weighted equally. Empty when there are no candidates."""
    if not len(states):
        return Foretold((), (), ())
    letters = next_pairs(generator, observation, states, colors, player)
    rows, counts = np.unique(letters.view(f"V{letters.shape[1]}").reshape(-1), return_counts=True)
    continuations = Counter(
        {in_words(np.frombuffer(row, np.uint8)): int(count) for row, count in zip(rows, counts, strict=True)}
    )
    agreed = (letters == letters[0]).all(axis=0)
    certain = int(np.argmin([*(agreed[::2] & agreed[1::2]), False]))
    then: Counter[str] = Counter()
    for pairs, count in continuations.items() if certain < FORETOLD else ():
        then[pairs[certain]] += count
    return Foretold(_shares(continuations)[:CONTINUATIONS], in_words(letters[0])[:certain], _shares(then))


_Continuation = TypeVar("_Continuation", str, tuple[str, ...])


def _shares(counts: Counter[_Continuation]) -> tuple[tuple[_Continuation, float], ...]:
    """Each continuation with its share of all counts, the largest share first; ties in alphabetical order."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    total = counts.total()
    return tuple((continuation, count / total) for continuation, count in ranked)
