"""Finds a table of pointers to a field's rows, and by it the rows in which no piece has landed yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import gcd
from typing import Final

import numpy as np

from ochibot.experiments.rig import Bytes

FEWEST: Final = 4
"""So many rows must be in their places by a table."""

RIGHT: Final = 0.75
"""The share of the known rows that a table has; the others were taken for rows by mistake."""

STEPS: Final = (-1, 1, -2, 2)
"""From a row's pointer to that of the row above it: low and high bytes may stand apart, or side by side."""

MOST: Final = 8
"""How many further rows may lie above, and how many below."""

MOST_HIGHS: Final = 32
"""How many bytes are tried as the first high byte."""

Table = tuple[int, int, int]
"""Where the pointer to row 0 is (its low byte, its high byte), and what pointers add to offsets."""


def pointed(ram: Bytes, known: Mapping[int, int], wide: int) -> dict[int, int]:
    """Where all rows begin, by a table that has those known (offsets by numbers from the floor up); empty without one.
    wide: how many bytes a row has at least.
    """
    if len(known) < FEWEST:
        return {}
    ways = (_rows(ram, known, table, step, wide) for step in STEPS for table in _tables(ram, known, step))
    return max(ways, key=lambda one: one[:2], default=(False, 0, {}))[2]


def _tables(ram: Bytes, known: Mapping[int, int], step: int) -> Iterator[Table]:
    reach, wanted = step * np.array(list(known)), np.array(list(known.values()))
    places = np.arange(max(0, -reach.min()), len(ram) - max(0, reach.max()))
    seen = ram[places[:, None] + reach].astype(np.int64)
    fewest = max(FEWEST, RIGHT * len(known))
    bases = seen - wanted & 0xFF
    usual = np.sort(bases, axis=1)[:, [len(known) // 2]]
    for low in np.flatnonzero((bases == usual).sum(axis=1) >= fewest).tolist():
        right = bases[low] == usual[low]
        base = (seen[low] + 256 * seen - wanted & 0xFFFF)[:, right]
        highs = np.flatnonzero((base == base[:, :1]).all(axis=1))
        highs = highs[highs != low]
        # where all known rows are in one page, many bytes are alike
        for high in highs[np.argsort(np.abs(highs - low), kind="stable")][:MOST_HIGHS].tolist():
            yield int(places[low]), int(places[high]), int(base[high, 0])


def _rows(ram: Bytes, known: Mapping[int, int], table: Table, step: int, wide: int) -> tuple[bool, int, dict[int, int]]:
    """The rows from the lowest to the highest known one, and those below and above: (whether they lie beside each other
    without a gap, in any order, how many they are, where they begin). Empty if some between are none.
    """
    low, high, base = table
    first, last = min(known), max(known)

    def start(row: int) -> int:
        places = low + step * row, high + step * row
        inside = min(places) >= 0 and max(places) < len(ram)
        return int(ram[places[0]]) + 256 * int(ram[places[1]]) - base & 0xFFFF if inside else len(ram)

    found = {row: start(row) for row in range(first, last + 1)}
    line = gcd(*(one - found[first] for one in found.values()))
    if line < wide or len(set(found.values())) < len(found) or max(found.values()) + line > len(ram):
        return False, 0, {}

    def on(rows: range) -> int:
        """How many of these rows there may be."""
        for number, row in enumerate(rows):
            one = start(row)
            if (one - found[first]) % line or one in found.values() or one + line > len(ram):
                return number
            found[row] = one
        return len(rows)

    above, below = on(range(last + 1, last + MOST + 1)), on(range(first - 1, first - MOST - 1, -1))
    best = False, 0, found
    for more, less in product(range(above + 1), range(below + 1)):
        rows = {row: found[row] for row in range(first - less, last + more + 1)}
        starts = rows.values()
        best = max(best, (max(starts) - min(starts) < line * len(rows), len(rows), rows), key=lambda one: one[:2])
    return best
