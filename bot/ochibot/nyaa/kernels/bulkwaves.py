"""Burns a group of a board, for the kernel of many boards (imports numba); see ``ochibot.nyaa.rules.wave``.

Groups, claims and places are those of ``ochibot.nyaa.kernels.bulkplanes``. A start is identified by its place; a
group's starts are its first places, in reading order.

On MVS, an unfinished burn is a *state* of STATE_WORDS words: the index of the next claim, the places where the second
claim wins, the places from which a wave went on, and from WAVES on two words for each place. These two words hold the
places that the wave at this place has passed, and in the upper half of the second word the wave's start. On the PS2, a
wave's value equals its step, so only the starts are kept.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.kernels.bulkplanes import (
    END,
    FIRST,
    LIT,
    ONE,
    SOURCE,
    SOURCES,
    STEP,
    TWICE,
    ZERO,
    U,
    lowest,
    without_lowest,
)
from ochibot.nyaa.rules.grid import CELLS

AT, SECOND, PARENTS, WAVES = 0, 1, 3, 5
STATE_WORDS: Final = WAVES + 2 * CELLS
WORD: Final = 64
ALL: Final = U((1 << 64) - 1)
START: Final = U(32)
PASSED: Final = U((1 << 32) - 1)


@inlined
def bit(place: Any) -> Any:
    """A word with only the place's bit set.

    A set of places is two words: the first has the places 0 to 63, the second the places from 64 on.
    """
    return ONE << (U(place) & U(63))


@inlined
def has(low: Any, high: Any, place: Any) -> Any:
    """Whether a place is in a set."""
    return ((low if place < WORD else high) & bit(place)) != ZERO


@inlined
def _below(place: Any) -> Any:
    """The set of all places before a place, as two words."""
    if place < WORD:
        return bit(place) - ONE, ZERO
    return ALL, bit(place) - ONE


@inlined
def ends(low: Any, high: Any, one: Any) -> Any:
    """The places of a group that aren't in the set (low, high). If the set holds the places from which a wave went on,
    these are the group's tails.
    """
    last_low, last_high = _below(one[END])
    first_low, first_high = _below(one[FIRST])
    return ~low & last_low & ~first_low, ~high & last_high & ~first_high


@inlined
def light(one: Any, state: Any) -> None:
    """MVS: sets ``state`` to the state after the burn's first step, in which only the starts burn."""
    for k in range(WAVES):
        state[k] = ZERO
    for place in range(one[FIRST], one[LIT]):
        word = U(place) << START
        state[WAVES + 2 * place] = bit(place) if place < WORD else ZERO
        state[WAVES + 2 * place + 1] = word if place < WORD else word | bit(place)


@inlined
def start_of(state: Any, place: Any) -> Any:
    """MVS: the start of the wave at a place."""
    return np.int64(state[WAVES + 2 * place + 1] >> START)


@inlined
def value_of(state: Any, place: Any) -> Any:
    """MVS: how many cells the wave at a place has passed."""
    return np.int64(popcount(state[WAVES + 2 * place]) + popcount(state[WAVES + 2 * place + 1] & PASSED))


@inlined
def merge(claim: Any, place: Any, winner: Any, state: Any, low: Any, high: Any) -> Any:
    """MVS: gives a place to the start ``winner``. All claims of this start on the place merge.

    Returns the set of parents (low, high), to which the places of the merged claims are added.
    """
    wave_low = bit(place) if place < WORD else ZERO
    wave_high = ZERO if place < WORD else bit(place)
    for k in range(SOURCE, SOURCE + claim[SOURCES]):
        source = claim[k]
        source_high = state[WAVES + 2 * source + 1]
        if np.int64(source_high >> START) == winner:
            wave_low |= state[WAVES + 2 * source]
            wave_high |= source_high
            if source < WORD:
                low |= bit(source)
            else:
                high |= bit(source)
    state[WAVES + 2 * place] = wave_low
    state[WAVES + 2 * place + 1] = wave_high
    return low, high


@compiled
def burn(claims: Any, one: Any, second_low: Any, second_high: Any, state: Any, ties: Any) -> Any:
    """MVS: burns a group in one way and lists the tied places in ``ties``. Returns the number of ties.

    ``second_low``, ``second_high``: the set of places where the second claim wins. ``state`` receives the state at the
    end of the burn.
    """
    light(one, state)
    low = high = ZERO
    met = 0
    for place in range(one[LIT], one[END]):
        claim = claims[place]
        winner = start_of(state, claim[SOURCE])
        if claim[TWICE]:
            other = start_of(state, claim[SOURCE + 1])
            if other != winner:
                ties[met] = place
                met += 1
                second = has(second_low, second_high, place)
                winner = max(winner, other) if second else min(winner, other)
        low, high = merge(claim, place, winner, state, low, high)
    state[PARENTS], state[PARENTS + 1] = low, high
    return met


@compiled
def sums(one: Any, state: Any, counts: Any) -> Any:
    """MVS: (s0, s1, t) of a burn that has ended."""
    for at in range(one[FIRST], one[LIT]):
        counts[at] = 0
    s0 = s1 = most = 0
    low, high = ends(state[PARENTS], state[PARENTS + 1], one)
    while (low | high) != ZERO:
        place = lowest(low, high, WORD)
        low, high = without_lowest(low, high)
        value = value_of(state, place)
        s1 += value
        s0 += value if value > 1 else 0
        owner = start_of(state, place)
        counts[owner] += 1
        most = max(most, counts[owner])
    return s0, s1, most


@compiled
def burn_ps2(claims: Any, one: Any, second_low: Any, second_high: Any, starts: Any, state: Any, ties: Any) -> Any:
    """PS2: burns a group in one way, with the arguments and result of ``burn``.

    ``starts`` receives the start of each place's wave. ``state`` receives the places from which a wave went on
    (PARENTS); its first two words receive those from which a wave went on without a tie.
    """
    for place in range(one[FIRST], one[LIT]):
        starts[place] = place
    low = high = sure_low = sure_high = ZERO
    met = 0
    for place in range(one[LIT], one[END]):
        claim = claims[place]
        parent = claim[SOURCE]
        if claim[TWICE]:
            ties[met] = place
            met += 1
            other = claim[SOURCE + 1]
            parent = max(parent, other) if has(second_low, second_high, place) else min(parent, other)
        elif parent < WORD:
            sure_low |= bit(parent)
        else:
            sure_high |= bit(parent)
        if parent < WORD:
            low |= bit(parent)
        else:
            high |= bit(parent)
        starts[place] = starts[parent]
    state[PARENTS], state[PARENTS + 1] = low, high
    state[0], state[1] = sure_low, sure_high
    return met


@compiled
def sums_ps2(claims: Any, one: Any, starts: Any, state: Any, counts: Any) -> Any:
    """PS2: (s0, s1, t) of a burn that has ended."""
    for at in range(one[FIRST], one[LIT]):
        counts[at] = 0
    s0 = s1 = most = 0
    low, high = ends(state[PARENTS], state[PARENTS + 1], one)
    while (low | high) != ZERO:
        place = lowest(low, high, WORD)
        low, high = without_lowest(low, high)
        value = claims[place, STEP]
        s1 += value
        s0 += value if value > 1 else 0
        owner = starts[place]
        counts[owner] += 1
        most = max(most, counts[owner])
    return s0, s1, most
