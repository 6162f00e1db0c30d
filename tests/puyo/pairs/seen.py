"""Makes observations for tests. ``naive`` is a search without a sieve: it compares the pool of every state."""

from __future__ import annotations

from itertools import islice

import numpy as np
from ochibot.puyo.pairs.engine import pools_of
from ochibot.puyo.pairs.generators import Generator, colors_dealt, order_of, pairs_of, pool_of
from ochibot.puyo.pairs.observation import Observation, observed

NAMES = "ABCDE"


def signs_of(
    generator: Generator, state: int, pairs: int, colors: int = 4, player: int = 1, names: str = NAMES
) -> list[str]:
    """The first pairs that a state deals, written with the letters ``names``."""
    called = dict(zip((0, 1, 3, 4, 5), names, strict=True))
    pool = pool_of(generator, state, colors, player)
    return ["".join(called[code] for code in pair) for pair in islice(pairs_of(generator, pool), pairs)]


def seen(generator: Generator, state: int, pairs: int, colors: int = 4, player: int = 1) -> Observation:
    """An observation of the first pairs that a state deals."""
    return observed(signs_of(generator, state, pairs, colors, player), colors_dealt(generator, colors, player))


def naive(generator: Generator, signs: str, colors: int, player: int, first: int, last: int) -> list[int]:
    """The states from first to last that deal the pairs in ``signs``. ``?`` stands for a puyo that wasn't seen."""
    states = np.arange(first, last + 1, dtype=np.uint32)
    pools = pools_of(generator, states, colors, player)
    places = [2 * pair + half for pair in islice(order_of(generator), len(signs) // 2) for half in (0, 1)]
    known = [(place, sign) for place, sign in zip(places, signs, strict=True) if sign != "?"]
    fits = np.ones(len(states), np.bool_)
    for number, (place, sign) in enumerate(known):
        for other, another in known[:number]:
            fits &= (pools[:, place] == pools[:, other]) == (sign == another)
    return [int(state) for state in states[fits]]
