"""The shipped rules profiles, and wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.nyaa import Ruleset
from ochibot.nyaa.rules.file import load_profile, shipped_profile


@pytest.mark.parametrize("ruleset", Ruleset)
def test_shipped_profiles_are_the_rules_in_code_and_say_where_each_entry_comes_from(ruleset: Ruleset) -> None:
    profile = shipped_profile(ruleset)
    assert profile.rules == ruleset.rules
    assert profile.rules.ruleset is ruleset
    assert profile.sources["ignition.ruleset"] == "documented"
    assert profile.sources["ignition.tie_rule"] == "assumed"
    assert profile.sources["attack.nuisance_each"] == "inferred"
    assert len(profile.sources) == 14


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        (("ignition", "tie_rule"), {"value": "dice", "source": "assumed"}, "ignition.tie_rule.value: "),
        (("ignition", "ruleset"), {"value": "mvs"}, "ignition.ruleset.source: is missing"),
        (("attack", "offset"), {"value": 1, "source": "assumed"}, "attack.offset.value: "),
        (("attack", "offset"), {"value": True, "source": "heard"}, "attack.offset.source: "),
        (("field", "over_cell"), {"value": [8, 1], "source": "assumed"}, "field.over_cell.value.0: "),
        (("field", "more"), {"value": 1, "source": "assumed"}, "field.more: is not a known name here"),
        (("name",), None, "name: is missing"),
    ],
)
def test_wrong_entries_are_named(tmp_path: Path, path: tuple[str, ...], content: object, reason: str) -> None:
    profile = yaml.safe_load(data_path("configs/rules/nyaa_mvs.yaml").read_text(encoding="utf-8"))
    part = profile
    for key in path[:-1]:
        part = part[key]
    if content is None:
        del part[path[-1]]
    else:
        part[path[-1]] = content
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump(profile), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_profile(file)
    assert str(file) in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
