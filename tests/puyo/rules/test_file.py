"""Rules files: an error is reported with the file, the entry and the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.rules.file import load_rules

TSU = data_path("configs/rules/tsu.yaml")


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        (("clear_size",), None, "clear_size: is missing"),
        (("clear_size",), 9, "choose 2 to 6"),
        (("clear_size",), "four", "clear_size: input should be a valid integer"),
        (("ceiling",), "glass", "ceiling: input should be 'solid' or 'vanish'"),
        (("score", "chain_power"), [1, -1], "score.chain_power.1: input should be greater"),
        (("score", "color_bonus"), [0], "color_bonus needs 7"),
        (("score", "color_bonus"), ["0", "3"], "score.color_bonus.0: input should be a valid integer"),
        (("score", "max_multiplier"), "999", "score.max_multiplier: input should be a valid integer"),
        (("nuisance", "excess"), "keep", "nuisance.excess: input should be"),
        (("nuisance", "more"), 3, "nuisance.more: is not a known name here"),
        (("hidden_rows",), 3, "too many"),
    ],
)
def test_wrong_entries_are_named(tmp_path: Path, path: tuple[str, ...], content: object, reason: str) -> None:
    rules = yaml.safe_load(TSU.read_text(encoding="utf-8"))
    part = rules
    for key in path[:-1]:
        part = part[key]
    if content is None:
        del part[path[-1]]
    else:
        part[path[-1]] = content
    file = tmp_path / "rules.yaml"
    file.write_text(yaml.safe_dump(rules), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_rules(file)
    assert str(file) in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_shipped_rules_by_name_and_others_by_path(tmp_path: Path) -> None:
    assert load_rules("tsu") == load_rules(TSU)
    copy = tmp_path / "mine.yaml"
    copy.write_text(TSU.read_text(encoding="utf-8"), encoding="utf-8")
    assert load_rules(str(copy)) == load_rules(TSU)
    with pytest.raises(ConfigError, match="famicom, puyo1, tsu"):
        load_rules("mine")
