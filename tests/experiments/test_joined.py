"""What one half of a pair shows of the colours' codes completes what the other half shows."""

from __future__ import annotations

from ochibot.experiments.colors import ColorByte, joined


def test_a_colour_that_one_half_never_had_is_known_from_the_other() -> None:
    near, far = joined(ColorByte(7, 0x0F, {2: 1, 3: 2, 5: 4}, True), ColorByte(7, 0xF0, {2: 16, 3: 32, 4: 48}, True))
    assert near.values == {2: 1, 3: 2, 4: 3, 5: 4}
    assert far.values == {2: 16, 3: 32, 4: 48, 5: 64}


def test_halves_with_codes_of_their_own_stay_as_they_are() -> None:
    near, far = ColorByte(7, 0xFF, {2: 1, 3: 2, 5: 4}, True), ColorByte(8, 0xFF, {2: 1, 3: 4, 4: 3}, True)
    assert joined(near, far) == (near, far)
    few = ColorByte(8, 0xFF, {2: 1, 4: 3}, True)
    assert joined(near, few) == (near, few)
