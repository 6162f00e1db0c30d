"""What one half of a pair shows of the colours' codes completes what the other half shows."""

from __future__ import annotations

from ochibot.experiments.colors import ColorByte, joined


def test_a_colour_that_one_half_never_had_is_known_from_the_other() -> None:
    near, far = joined(ColorByte(7, 0x0F, {2: 1, 3: 2, 5: 4}, True), ColorByte(7, 0xF0, {2: 16, 3: 32, 4: 48}, True))
    assert near.values == {2: 1, 3: 2, 4: 3, 5: 4}
    assert far.values == {2: 16, 3: 32, 4: 48, 5: 64}


def test_codes_of_one_half_may_all_be_so_much_more_than_those_of_the_other() -> None:
    # they tell how the piece lies, too
    near = ColorByte(212, 0xFF, {196: 145, 20: 17, 240: 97, 55: 161}, True)
    assert joined(near, ColorByte(213, 0xFF, {240: 100, 196: 148, 55: 164}, True))[1].values[20] == 20
    # two may be so by chance
    few = ColorByte(213, 0xFF, {240: 100, 196: 148}, True)
    assert joined(near, few) == (near, few)
    # a code that a byte can't hold is none
    high = ColorByte(213, 0xFF, {240: 240, 196: 30, 55: 49}, True)
    assert 1 not in joined(ColorByte(212, 0xFF, {240: 220, 196: 10, 55: 29, 1: 240}, True), high)[1].values


def test_halves_with_codes_of_their_own_stay_as_they_are() -> None:
    near, far = ColorByte(7, 0xFF, {2: 1, 3: 2, 5: 4}, True), ColorByte(8, 0xFF, {2: 1, 3: 4, 4: 3}, True)
    assert joined(near, far) == (near, far)
    few = ColorByte(8, 0xFF, {2: 1, 4: 3}, True)
    assert joined(near, few) == (near, few)
