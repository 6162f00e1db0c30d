"""Tests of the comparison of a learnt field with the picture."""

from __future__ import annotations

import numpy as np
import pytest

from tests.experiments.shown import Cells, Pixels, agreement

CODES = 5
SHAPE = (6, 4)


def shown(draws: np.random.Generator, tiles: Pixels, turned: int) -> tuple[Pixels, Cells]:
    """A picture of a field, and its codes. The cell 2, 2 has the code 1, drawn upside down if ``turned``."""
    cells = draws.integers(0, CODES, SHAPE).astype(np.int16)
    cells[2, 2] = 1
    parts = [[tiles[code] for code in row] for row in cells]
    parts[2][2] = parts[2][2][::-1] if turned else parts[2][2]
    picture = np.zeros((8 * SHAPE[0] + 16, 8 * SHAPE[1] + 16, 3), np.uint8)
    picture[8:-8, 8:-8] = np.concatenate([np.concatenate(row, axis=1) for row in parts])
    return picture, cells


@pytest.mark.parametrize(("wrong", "share"), [(None, 1.0), (3, 23 / 24)])
def test_a_tile_that_is_drawn_upside_down_is_of_its_code(wrong: int | None, share: float) -> None:
    draws = np.random.default_rng(1)
    tiles = draws.integers(0, 256, (CODES, 8, 8, 3)).astype(np.uint8)
    fields = [shown(draws, tiles, number >= 60) for number in range(120)]
    if wrong is not None:
        for _, cells in fields[60:]:
            cells[2, 2] = wrong
    good, compared = agreement(*map(list, zip(*fields, strict=True)))
    assert (good, compared) == pytest.approx((share, 60 * 24))


def test_a_tile_that_is_another_codes_mirror_image_is_no_mirror_image_of_this_one() -> None:
    draws = np.random.default_rng(1)
    tiles = draws.integers(0, 256, (CODES, 8, 8, 3)).astype(np.uint8)
    tiles[0] = tiles[1][::-1]
    fields = [shown(draws, tiles, number >= 60) for number in range(120)]
    # the first half shows it as the code 0
    good, compared = agreement(*map(list, zip(*fields, strict=True)))
    assert (good, compared) == pytest.approx((23 / 24, 60 * 24))
