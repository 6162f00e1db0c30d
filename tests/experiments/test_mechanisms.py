"""Games with one mechanism alone are learnt whole: the files are written, and 300 pieces go as they predict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.strangers.maker import Stranger, Truth, draw
from tests.strangers.several import several
from tests.strangers.whole import judge_whole

PIECES = 100


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("phase_timer", 0),
        pytest.param("phase_timer", 5, marks=pytest.mark.long),
        pytest.param("phase_coarse", 5, marks=pytest.mark.long),
        pytest.param("no_announce", 0, marks=pytest.mark.long),
        pytest.param("no_next", 0, marks=pytest.mark.long),
        pytest.param("garbage", 0, marks=pytest.mark.long),
        pytest.param("garbage", 3, marks=pytest.mark.long),
        pytest.param("attacks", 0, marks=pytest.mark.long),
        pytest.param("slow_pad", 0, marks=pytest.mark.long),
        pytest.param("heights", 0, marks=pytest.mark.long),
        pytest.param("landing_mirror", 0, marks=pytest.mark.long),
        pytest.param("debounced", 3, marks=pytest.mark.long),
        pytest.param("score_blank", 0, marks=pytest.mark.long),
        pytest.param("score_capped", 1, marks=pytest.mark.long),
        pytest.param("score_tens", 0, marks=pytest.mark.long),
    ],
)
def test_a_game_with_one_mechanism_is_learnt_whole(name: str, seed: int) -> None:
    verdict = judge_whole(draw(seed, "family", name), pieces=PIECES)
    assert verdict.whole, verdict.why
    assert verdict.from_menu


@pytest.mark.parametrize("name", ["piece_index", "codes_turn"])
def test_what_stands_for_colours_is_learnt_so_that_a_few_pieces_go_as_predicted(name: str) -> None:
    verdict = judge_whole(draw(0, "family", name), pieces=12)
    assert verdict.whole, verdict.why
    assert verdict.rules == {}


def test_a_last_digit_that_only_drop_points_change_belongs_to_the_score(tmp_path: Path) -> None:
    """The seven digits above it, times ten, grow with all groups, too: no piece was as predicted then."""
    spec = several(4, "score_digits", "two_next")
    spec = replace(spec, drop_points=1, score=replace(spec.score, size=8, low_first=False, zero=0, unit=1))
    verdict = judge_whole(spec, tmp_path, PIECES)
    assert verdict.whole, verdict.why
    assert verdict.rules == {}
    score = yaml.safe_load((tmp_path / "stranger-p1.yaml").read_text(encoding="utf-8"))["entries"]["score"]
    true = Truth(Stranger(spec)).describe()["score"]
    assert (score["address"], score["count"], score.get("scale", 1)) == (true["address"], 8, 1)


@pytest.mark.long
def test_a_field_in_nibbles_is_found_behind_its_plain_copy() -> None:
    # pieces land on nothing that is written into the copy
    verdict = judge_whole(draw(9, "family"), pieces=PIECES)
    assert verdict.whole, verdict.why


@pytest.mark.long
def test_a_ring_is_found_behind_the_mirror_that_pieces_land_on() -> None:
    verdict = judge_whole(draw(506, "family"), pieces=PIECES)
    assert verdict.whole, verdict.why


@pytest.mark.long
def test_a_bit_that_only_cells_at_rest_have_is_none_of_their_kind() -> None:
    # the piece is drawn into the field without it as it falls
    verdict = judge_whole(draw(512, "family"), pieces=PIECES)
    assert verdict.whole, verdict.why


@pytest.mark.long
def test_a_sign_that_comes_before_ram_holds_a_piece_does_not_mislead(tmp_path: Path) -> None:
    # the only sign in this game is a random number, which also changes in the menu and as the first pairs are dealt
    verdict = judge_whole(draw(0, "family", "phase_timer"), tmp_path, pieces=10)
    assert verdict.whole, verdict.why
    menu = yaml.safe_load((tmp_path / "stranger.yaml").read_text(encoding="utf-8"))["menu"]
    assert menu[:2] == ["wait 90", "start"]
    assert menu[-1] == "wait until spawn"
