"""Colours that more than one value of a byte stands for.

A game may keep a pair as one number, an index into a table of all pairs. And the codes of a pair may turn with it: then
they tell how it lies, and a colour has a code for each way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ochibot.experiments.colors import ColorByte, Sample, candidates, cells_ahead, with_missing
from ochibot.experiments.facts import Stance
from ochibot.experiments.known import Ground
from ochibot.experiments.rig import Bytes
from ochibot.experiments.stance import upright_state
from ochibot.experiments.turning import turned

FEWEST_PAIRS: Final = 5
"""With fewer different pairs, many bytes look like an index."""

MOST_TRIED: Final = 8
MOST_TURNED: Final = 20
"""How many pieces are turned at most to see the codes of all colours."""

Both = tuple[ColorByte, ColorByte]
"""The byte of the half whose position x and y give, and that of the other half."""


def find_index(ground: Ground, samples: Sequence[Sample | None], ahead: int) -> Both | None:
    """The byte whose value stands for both colours of a pair, ``ahead`` pieces before it falls.

    All values that there may be are poked, to see which pair falls then. None when no byte that the game obeys tells
    the pairs.
    """
    both = [(one, fell) for one, fell in zip(samples, samples[ahead:], strict=False) if one and fell]
    pairs = [(fell.near, fell.far) for _, fell in both]
    numbers = {pair: number for number, pair in enumerate(dict.fromkeys(pairs))}
    if len(numbers) < FEWEST_PAIRS or len(numbers) == len(pairs):
        return None
    rams = [one.ram for one, _ in both]
    for place in candidates(rams, [numbers[pair] for pair in pairs], 0xFF)[:MOST_TRIED]:
        seen = {int(ram[place]): pair for ram, pair in zip(rams, pairs, strict=True)}
        one, fell = both[0]
        other = next((value for value, pair in seen.items() if pair not in ((fell.near, fell.far),)), None)
        if other is None or _fallen(ground, one, place, other, ahead) != seen[other]:
            continue
        kinds = {kind for pair in pairs for kind in pair}
        for value in range(len(kinds) ** 2):
            if value not in seen:
                pair = _fallen(ground, one, place, value, ahead)
                if pair is not None:
                    seen[value] = pair
        return _half(place, seen, 0), _half(place, seen, 1)
    return None


def _half(place: int, seen: dict[int, tuple[int, int]], half: int) -> ColorByte:
    table = {value: pair[half] for value, pair in sorted(seen.items())}
    values = {kind: value for value, kind in reversed(table.items())}
    return ColorByte(place, 0xFF, values, followed=True, more=table)


def _fallen(ground: Ground, one: Sample, place: int, value: int, ahead: int) -> tuple[int, int] | None:
    """The kinds (near, far) that a piece leaves when a byte is poked ``ahead`` pieces earlier."""
    column, near_row = ground.spawn_column, one.near_row
    cells = cells_ahead(ground, one.state, {place: value}, ahead)
    if set(cells) != {(column, 0), (column, 1)}:
        return None
    return cells[column, near_row], cells[column, 1 - near_row]


def turning_codes(
    ground: Ground, stance: Stance, samples: Sequence[Sample | None], near: ColorByte, far: ColorByte
) -> tuple[Stance, ColorByte, ColorByte]:
    """The stance and the colours' bytes with all values that they take as pieces turn.

    Where the codes don't turn with the piece, all three are returned as they are.
    """
    ways: tuple[dict[int, set[str]], dict[int, set[str]]] = ({}, {})
    tables: tuple[dict[int, int], dict[int, int]] = ({}, {})
    begun: tuple[dict[int, int], dict[int, int]] = ({}, {})
    place = stance.turning.place
    seen_all: set[tuple[int, int]] = set()
    wanted = {(half, kind) for half, byte in enumerate((near, far)) for kind in byte.values}
    taken = 0
    for one in samples:
        new = one is not None and {(0, one.near), (1, one.far)} - seen_all
        if one is None or not new:
            continue
        rams = turned(ground.rig, upright_state(ground, one.state), stance.turning.button, ground.driver.tap)[:4]
        if not any(_changes(byte, rams) for byte in (near, far)):
            return stance, near, far
        ground.rig.load(one.state)
        first = ground.rig.snap()
        for half, (byte, kind) in enumerate(((near, one.near), (far, one.far))):
            begun[half][kind] = int(first[byte.place(first)]) & byte.mask
            for word, ram in zip(stance.ways, rams, strict=True):
                value = int(ram[byte.place(ram)]) & byte.mask
                tables[half][value] = kind
                ways[half].setdefault(value, set()).add(word)
        seen_all |= new
        taken += 1
        if seen_all >= wanted or taken >= MOST_TURNED:
            break
    own = next((half for half, byte in enumerate((near, far)) if place == byte.offset and byte.mask == 0xFF), None)
    told = {} if own is None else ways[own]
    if _agree(*tables):
        # a colour that one half never had is known from the other
        tables = ({**tables[1], **tables[0]}, {**tables[0], **tables[1]})
        told = told and _as_other(told, ways[1 - (own or 0)])
    if told and all(len(words) == 1 for words in told.values()):
        stance = replace(stance, symbols={value: min(words) for value, words in sorted(told.items())})
    near, far = (
        replace(
            byte,
            more={**tables[half], **{value: kind for kind, value in byte.values.items()}},
            begun=with_missing(begun[half], byte.values),
        )
        for half, byte in enumerate((near, far))
    )
    return stance, near, far


def _as_other(ways: dict[int, set[str]], other: dict[int, set[str]]) -> dict[int, set[str]]:
    """The ways of a half's values, with those that the other half alone had. A value may mean another way there: what
    it means shows in the values that both had.
    """
    same: dict[str, set[str]] = {}
    for value in ways.keys() & other.keys():
        for word in other[value]:
            same.setdefault(word, set()).update(ways[value])
    meant = {value: set().union(*(same.get(word, {word}) for word in words)) for value, words in other.items()}
    return {**meant, **ways}


def _agree(near: dict[int, int], far: dict[int, int]) -> bool:
    """Whether both halves have the same codes: they share most values, and each stands for one colour."""
    shared = near.keys() & far.keys()
    return 2 * len(shared) > min(len(near), len(far)) and all(near[value] == far[value] for value in shared)


def _changes(byte: ColorByte, rams: Sequence[Bytes]) -> bool:
    return len({int(ram[byte.place(ram)]) & byte.mask for ram in rams}) > 1
