"""The chance model: symmetry, and what is wrong with a file of weights."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import ConfigError
from ochibot.falling.chance import ChanceModel, load_chance

FEATURES = ("room", "reach")
GOOD = "kind: chance\nname: mine\nfamily: puyo\nweights: {room: 1.5, reach: 0}\n"
MODEL = ChanceModel((1.5, 0.25))
numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers)
def test_the_sides_chances_add_up_to_one(room: float, reach: float) -> None:
    chance = MODEL.chance((room, reach))
    assert 0 <= chance <= 1
    assert chance + MODEL.chance((-room, -reach)) == 1


@given(numbers, numbers, st.floats(0, 1e6))
def test_more_of_a_feature_is_never_worse(room: float, reach: float, more: float) -> None:
    assert MODEL.chance((room + more, reach)) >= MODEL.chance((room, reach))


def test_even_sides_have_even_chances() -> None:
    assert MODEL.chance((0, 0)) == 0.5


def test_a_file_of_weights_is_read_in_the_order_of_the_features(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD)
    assert load_chance(tmp_path / "mine.yaml", "puyo", ("reach", "room")).weights == (0, 1.5)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("reach: 0}", "}", "weights.reach is missing"),
        ("reach: 0}", "reach: 0, reech: 1}", "weights.reech is no feature; give room, reach"),
        ("reach: 0}", "reach: -1}", "weights.reach: input should be greater than or equal to 0"),
        ("reach: 0}", "reach: .nan}", "weights.reach"),
        ("reach: 0}", "reach: lots}", "weights.reach"),
        ("family: puyo", "family: nyaa", "family: is nyaa, but the match is of puyo"),
        ("kind: chance", "kind: two_ply", "kind: "),
        ("name: mine\n", "", "name: is missing"),
        ("weights:", "wieghts:", "weights: is missing"),
        ("weights: {", "weights: {{", "not valid YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_entry(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(ConfigError, match=r"mine\.yaml") as caught:
        load_chance(file, "puyo", FEATURES)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_chance(tmp_path / "none.yaml", "puyo", FEATURES)
