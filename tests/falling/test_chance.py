"""The chance model: symmetry, and what is wrong with a file of weights."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import ConfigError
from ochibot.falling.chance import ChanceModel, load_chance

FEATURES = ("room", "reach")
GOOD = "kind: chance\nname: mine\nfamily: puyo\nweights: {room: 1.5, reach: 0}\n"
HIDDEN = GOOD + "hidden: [{weight: 2, bias: -1, own: {room: 1}, other: {reach: 0.5}}]\n"
MODELS = {
    "plain": ChanceModel.plain((1.5, 0.25)),
    "hidden": ChanceModel(
        np.array([0.5, 0.0]), np.array([[1.0], [0.5]]), np.array([[0.0], [2.0]]), np.array([-1.0]), np.array([3.0])
    ),
}
numbers = st.floats(-1e6, 1e6)
sides = st.tuples(numbers, numbers)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@given(own=sides, other=sides)
def test_the_sides_chances_add_up_to_one(
    model: ChanceModel, own: tuple[float, float], other: tuple[float, float]
) -> None:
    chance = model.chance(own, other)
    assert 0 <= chance <= 1
    assert chance + model.chance(other, own) == 1


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@given(own=sides, other=sides, more=st.floats(0, 1e6))
def test_more_of_a_feature_is_never_worse(
    model: ChanceModel, own: tuple[float, float], other: tuple[float, float], more: float
) -> None:
    assert model.chance((own[0] + more, own[1]), other) >= model.chance(own, other)
    assert model.chance(own, (other[0], other[1] + more)) <= model.chance(own, other)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_even_sides_have_even_chances(model: ChanceModel) -> None:
    assert model.chance((3, 1), (3, 1)) == 0.5


def test_a_file_of_weights_is_read_in_the_order_of_the_features(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(GOOD)
    assert load_chance(tmp_path / "mine.yaml", "puyo", ("reach", "room")).weights.tolist() == [0, 1.5]


def test_hidden_units_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(HIDDEN)
    model = load_chance(tmp_path / "mine.yaml", "puyo", ("reach", "room"))
    assert (model.own.tolist(), model.other.tolist()) == ([[0], [1]], [[0.5], [0]])
    assert (model.bias.tolist(), model.units.tolist()) == ([-1], [2])
    lead = 1.5 * 4 + 2 * (math.tanh(4 - 1) - math.tanh(-0.5 * 3 - 1))
    assert model.chance((3, 4), (0, 0)) == pytest.approx(1 / (1 + math.exp(-lead)))


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
        ("own: {room", "own: {rooom", "hidden.0.own.rooom is no feature; give room, reach"),
        ("other: {reach: 0.5", "other: {reach: -0.5", "hidden.0.other.reach"),
    ],
)
def test_a_wrong_file_is_refused_with_its_entry(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(HIDDEN.replace(old, new, 1))
    with pytest.raises(ConfigError, match=r"mine\.yaml") as caught:
        load_chance(file, "puyo", FEATURES)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_chance(tmp_path / "none.yaml", "puyo", FEATURES)
