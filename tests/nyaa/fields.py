"""Random grids at rest for tests, and strategies that draw them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from ochibot.nyaa import Grid


def random_grid(dice: np.random.Generator, highest: int, nuisance: float = 0.15) -> Grid:
    """A random grid at rest with columns of up to ``highest`` rows. Neighbours often share a colour; the top centre is
    free.
    """
    rows = np.full((12, 7), ".")
    for c in range(7):
        top = int(dice.integers(0, highest + 1))
        for r in range(12 - min(top, 11 if c == 3 else 12), 12):
            below = rows[r - 1, c] if r else "."
            left = rows[r, c - 1] if c else "."
            near = [letter for letter in (below, left) if letter in "rgby"]
            if near and dice.random() < 0.4:
                rows[r, c] = near[int(dice.integers(len(near)))]
            else:
                rows[r, c] = "o" if dice.random() < nuisance else "rgby"[int(dice.integers(4))]
    return Grid.parse("\n".join("".join(row) for row in rows))


grids = st.builds(
    lambda seed, highest: random_grid(np.random.default_rng(seed), highest), st.integers(0, 2**32), st.integers(0, 12)
)


def drawing(grid: Grid) -> list[str]:
    """The grid in the reference's form (``tests.nyaa.search.reference``): a list of rows, the top row first."""
    return str(grid).split("\n")
