"""The first pairs of a game as a person saw them, and the places of the pool that they reveal.

Foretells which pairs come after those that a person saw, and how probable they are.

Colours are written with the letters that the person used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError
from ochibot.puyo.pairs.engine import States, pools_of
from ochibot.puyo.pairs.generators import Generator, order_of
from ochibot.wording import counted

WILDCARDS: Final = "?*"
"""Either sign stands for a puyo that nobody saw."""

UNKNOWN: Final = "?"
"""The sign for a puyo that wasn't seen, and, in pairs foretold, for a colour that the observation lacks."""

MOST_PAIRS: Final = 1024
"""The most pairs in one observation. By then the pool has been dealt eight times."""


@dataclass(frozen=True, slots=True)
class Observation:
    """The first pairs of a game. signs: two for each pair, the axis first, upper case; ``?``: a puyo that wasn't seen.

    Equal signs mean equal colours, different signs different colours. Which colour a sign stands for isn't known.
    """

    signs: str

    @property
    def pairs(self) -> int:
        """How many pairs it covers."""
        return len(self.signs) // 2

    @property
    def names(self) -> str:
        """The signs that stand for colours, each once, in the order in which they were seen."""
        return "".join(dict.fromkeys(self.signs.replace(UNKNOWN, "")))

    def seen(self, generator: Generator) -> list[tuple[int, int]]:
        """Each puyo that was seen, as (place in the pool, index of its name), in the order of dealing."""
        names = self.names
        places = (2 * pair + half for pair in islice(order_of(generator), self.pairs) for half in (0, 1))
        return [(place, names.index(sign)) for place, sign in zip(places, self.signs, strict=True) if sign != UNKNOWN]


def observed(pairs: Sequence[str], colors: int) -> Observation:
    """The observation that a person wrote down: pairs of two letters or of two digits, ``?`` or ``*`` for any colour.

    ``colors``: 3, 4 or 5. Raises ConfigError for other numbers, for no pair or more than MOST_PAIRS, for a text that
    isn't a pair, for letters mixed with digits, and for more names than colours.
    """
    if colors not in (3, 4, 5):
        raise ConfigError(f"no game has a pool of {counted(colors, 'colour')}: choose 3, 4 or 5")
    if not pairs:
        raise ConfigError("no pair was seen: give the first ones, such as 'RR PR PY'")
    if len(pairs) > MOST_PAIRS:
        raise ConfigError(f"{len(pairs):,} pairs are more than can be searched for: give at most {MOST_PAIRS:,}")
    for pair in pairs:
        if len(pair) != 2 or not all(sign in WILDCARDS or (sign.isascii() and sign.isalnum()) for sign in pair):
            raise ConfigError(f"{pair[:20]!r} is not a pair: give two letters, the axis first, or ? for any colour")
    digits = [sign.isdigit() for pair in pairs for sign in pair if sign not in WILDCARDS]
    if any(digits) and not all(digits):
        raise ConfigError("letters and digits are mixed: name the colours by letters or by digits, such as 'RR PR'")
    observation = Observation("".join(pairs).upper().replace("*", UNKNOWN))
    seen = len(observation.names)
    if seen > colors:
        raise ConfigError(f"{seen} colours were seen, and the game has {colors}: give another --colors")
    return observation


def places_after(generator: Generator, pairs: int, more: int) -> list[int]:
    """The places in the pool of the pairs dealt after the first ``pairs``, two for each of the next ``more``."""
    return [2 * pair + half for pair in islice(order_of(generator), pairs, pairs + more) for half in (0, 1)]


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
