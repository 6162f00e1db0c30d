"""Tests of player files: the weights of ``article``, and that wrong files are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.search import METRICS, load_player

ARTICLE = data_path("configs/players/article.yaml")


def test_the_article_s_weights() -> None:
    player = load_player(ARTICLE)
    assert [getattr(player.weights, metric) for metric in METRICS] == [16, 25, 8, 8, 16, 2, 25]
    assert player.provenance.normalisers_are == "fitted"
    assert [factor > 0 for factor in player.factors] == [False, False, False, False, True, False, True]


@pytest.mark.parametrize(
    ("section", "entry", "content", "reason"),
    [
        ("weights", "links", None, "weights.links: is missing"),
        ("normalisers", "colored", None, "normalisers.colored: is missing"),
        ("normalisers", "colored", 0, "normalisers.colored: input should be greater than 0"),
        ("weights", "edge", -1, "weights.edge: input should be greater than or equal to 0"),
        ("weights", "edge", "much", "weights.edge: input should be a valid number"),
        ("weights", "edge", float("nan"), "weights.edge: input should be a finite number"),
        ("weights", "edge", 1e308, "the weight of edge over its normaliser is"),
        ("normalisers", "edge", 1e-320, "the weight of edge over its normaliser is"),
        ("weights", "beauty", 3, "weights.beauty: is not a known name here"),
        ("provenance", "normalisers_are", "guessed", "provenance.normalisers_are: input should be"),
    ],
)
def test_wrong_entries_are_named(tmp_path: Path, section: str, entry: str, content: object, reason: str) -> None:
    player = yaml.safe_load(ARTICLE.read_text(encoding="utf-8"))
    if content is None:
        del player[section][entry]
    else:
        player[section][entry] = content
    path = tmp_path / "player.yaml"
    path.write_text(yaml.safe_dump(player), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_player(path)
    assert str(path) in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"- 1", b"weights: [", b"\xff\xfe\x00"])
def test_what_is_not_a_player_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "player.yaml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"player\.yaml") as caught:
        load_player(path)
    assert "\n" not in str(caught.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_player(tmp_path / "nobody.yaml")
