"""Games with several mechanisms together are learnt whole: some pieces go as their files predict, and the rules are
those of the game.
"""

from __future__ import annotations

import pytest

from tests.strangers.several import several
from tests.strangers.whole import judge_whole


@pytest.mark.parametrize(
    ("seed", "names"),
    [
        (0, ("halves", "lying", "no_soft_drop")),
        (1, ("masks", "pixels")),
        (2, ("ring", "piece_inside", "two_next")),
        (3, ("pointers", "alike", "score_bcd")),
        (4, ("nibbles", "next_ring", "attacks")),
        (8, ("junk_bits", "next_index")),
        (9, ("wide_cells", "copy_picture", "score_digits")),
        (10, ("landing_mirror", "other_sides", "no_next")),
        (11, ("cartridge", "slow_pad", "one_way")),
        pytest.param(12, ("rest_flag", "appears_above", "sinking"), marks=pytest.mark.long),
        (14, ("copy_exact", "tile_codes", "drop_button", "twins")),
    ],
)
def test_what_several_mechanisms_hide_together_is_learnt(seed: int, names: tuple[str, ...]) -> None:
    verdict = judge_whole(several(seed, *names), pieces=12)
    assert verdict.whole, verdict.why
    assert verdict.rules == {}
