"""Colours in some bits of a byte, in tables of all kinds, and points that are worth nuisance at all known rates."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.experiments import colors, told
from ochibot.experiments.colors import Sample, find_byte, in_tables, indices
from ochibot.experiments.motion import Motion
from ochibot.experiments.versus import _suggested

DICE = np.random.default_rng(12)
PLACE, SIZE = 40, 64


def numbers(bits: int) -> list[int]:
    """Numbers of so many bits, which no fewer of them tell apart."""
    return [0, *(1 << bit for bit in range(bits)), *([3] if bits == 2 else [])]


def packed(low: int, bits: int, pieces: int = 60) -> tuple[list[Any], list[int]]:
    """RAM with a number in some bits of a byte, whose others are random, and the numbers."""
    kinds = [numbers(bits)[number % len(numbers(bits))] for number in DICE.permutation(pieces)]
    rams = []
    for kind in kinds:
        ram = DICE.integers(0, 256, SIZE).astype(np.uint8)
        mask = (1 << bits) - 1 << low
        ram[PLACE] = int(ram[PLACE]) & ~mask & 255 | kind << low
        rams.append(ram)
    return rams, kinds


@pytest.mark.parametrize(
    ("low", "bits"),
    # a byte, its nibbles, three bits beside others, and bytes that several colours share
    [(0, 8), (0, 4), (4, 4), (0, 3), (4, 3), (3, 3), (0, 5), (5, 3), (0, 2), (2, 2), (4, 2), (6, 2)],
)
@pytest.mark.parametrize("half", ["near", "far"])
def test_a_colour_in_any_bits_of_a_byte_is_found(
    half: str, low: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rams, kinds = packed(low, bits)
    samples: list[Sample | None] = [
        Sample(b"", ram, *((kind, 7) if half == "near" else (7, kind))) for ram, kind in zip(rams, kinds, strict=True)
    ]
    monkeypatch.setattr(colors, "_obeyed", lambda *said: said[2].offset == PLACE)
    ground: Any = SimpleNamespace(of_field=set)
    found = find_byte(ground, samples, half, 0)
    assert found is not None
    assert (found.offset, found.mask) == (PLACE, (1 << bits) - 1 << low)
    assert found.values == {kind: kind << low for kind in set(kinds)}


@pytest.mark.parametrize(("low", "bits"), [(0, 8), (0, 4), (4, 4), (0, 3), (4, 3), (0, 6)])
def test_a_piece_in_any_bits_of_a_byte_is_told(low: int, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rams, kinds = packed(low, bits, 80)
    left = [SimpleNamespace(landing=SimpleNamespace(flying=ram, game=0, state=bytes([number])))
            for number, ram in enumerate(rams)]  # fmt: skip
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)
    search = told._Search(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    search.dealt = list(range(len(rams)))
    found = search.find("piece", rams, kinds, {kind: str(kind) for kind in set(kinds)})
    assert found is not None
    assert (found.byte.offset, found.byte.mask) == (PLACE, (1 << bits) - 1 << low)
    assert found.byte.values == {kind: kind << low for kind in set(kinds)}


@pytest.mark.parametrize("step", [1, 2, 3, 4, 8, 16])
def test_pieces_may_lie_any_usual_distance_apart_in_a_table(step: int) -> None:
    index, table, pieces = 3, 60, 24
    kinds = [number % 4 + (number // 5) % 2 for number in range(pieces)]
    rams = []
    for number in range(pieces):
        ram = DICE.integers(0, 256, 600).astype(np.uint8)
        ram[index] = number
        ram[[table + step * at for at in range(pieces)]] = [9 + kind for kind in kinds]
        rams.append(ram)
    assert indices(rams) == [index]
    found = [(one.index, one.offset, one.step) for one in in_tables(rams, kinds) if one.mask == 0xFF]
    assert found == [(index, table, step)]


@pytest.mark.parametrize("most", [127, 128, 129])
def test_an_index_stays_below_some_number(most: int) -> None:
    rams = []
    for number in range(20):
        high = most - 19 + number
        rams.append(np.array([high, 5, number % 3, 2 * number, 2 * number + number % 2], np.uint8))
    assert indices(rams) == ([0, 3] if most <= 128 else [3])
    # what has few values is no index
    assert indices(rams[:3]) == []
    assert indices(rams[:4]) == [0, 3]


@pytest.mark.parametrize("each", [20, 30, 60, 70, 80, 120, 190, 200])
def test_points_may_be_worth_any_usual_amount_of_nuisance(each: int) -> None:
    seen = []
    for points in (5 * each + 3, 9 * each, 13 * each + 7, 20 * each + 1):
        ram = DICE.integers(0, 256, 32).astype(np.uint8)
        ram[20] = points // each
        seen.append((points, ram))
    found = [(one.place, one.each, one.kind) for one in _suggested(seen)]
    assert (20, each, "u8") in found
    assert {place for place, _, kind in found if kind == "u8"} == {20}
