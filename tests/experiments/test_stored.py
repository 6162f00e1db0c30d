"""Learns games that keep the field and the piece in unusual ways, each game with one such way alone."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.colors import ColorByte, pokes_for

from tests.strangers.maker import draw
from tests.strangers.whole import judge_whole

PIECE = ("piece_inside", "sinking", "junk_bits", "piece_index", "next_index", "codes_turn")
FIELD = ("nibbles", "masks", "ring", "pointers", "split")


@pytest.mark.long
@pytest.mark.parametrize("mechanism", [*PIECE, *FIELD])
def test_a_game_with_this_way_of_storing_is_learnt_whole(mechanism: str) -> None:
    verdict = judge_whole(draw(100, "family", mechanism))
    assert (verdict.whole, verdict.why) == (True, "")


@pytest.mark.long
@pytest.mark.parametrize(("mechanism", "seed"), [("junk_bits", 104), ("appears_above", 103)])
def test_what_is_above_the_hidden_row_is_tried(mechanism: str, seed: int) -> None:
    """The first has a solid ceiling; in the second, a half above the hidden row vanishes."""
    spec = draw(seed, "family", mechanism)
    verdict = judge_whole(spec)
    assert verdict.whole
    assert bool(spec.ceiling) == (mechanism == "appears_above")
    assert verdict.rules == {}


def half(table: dict[int, int], mask: int = 0xFF, begun: dict[int, int] | None = None) -> ColorByte:
    values = {kind: value for value, kind in reversed(table.items())}
    return ColorByte(1, mask, values, followed=True, more=table, begun=begun or {})


def test_one_number_gives_both_halves_their_colours() -> None:
    near, far = half({0: 3, 1: 3, 2: 5, 3: 5}), half({0: 5, 1: 3, 2: 3, 3: 5})
    ram = np.array([9, 9], np.uint8)
    assert pokes_for(near, far, (5, 3), ram) == {1: 2}
    with pytest.raises(CalibrationError, match="these two colours"):
        pokes_for(near, half({0: 5, 1: 3}), (5, 3), ram)


def test_two_nibbles_of_one_byte_are_poked_together_as_the_piece_appears() -> None:
    near, far = half({0x01: 3, 0x02: 5}, 0x0F), half({0x30: 3, 0x50: 5}, 0xF0, {3: 0x90, 5: 0xA0})
    assert pokes_for(near, far, (5, 3), np.array([0, 0], np.uint8)) == {1: 0x92}
