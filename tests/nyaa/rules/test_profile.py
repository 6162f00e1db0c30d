"""The shipped rules files, edited ones, and wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.nyaa import Ruleset
from ochibot.nyaa.rules.file import load_profile, load_rules

from tests.nyaa.profiles import MVS, edited


@pytest.mark.parametrize("ruleset", Ruleset)
def test_shipped_files_are_found_by_name_and_say_where_each_entry_comes_from(ruleset: Ruleset) -> None:
    rules = load_rules(f"nyaa_{ruleset}")
    assert rules is load_rules(str(ruleset)) is ruleset.rules  # the file is read only once
    assert rules == load_rules(data_path(f"configs/rules/nyaa_{ruleset}.yaml"))
    assert (rules.name, rules.ruleset) == (f"nyaa_{ruleset}", ruleset)
    profile = load_profile(str(ruleset))
    assert profile.rules is rules
    assert profile.sources["ignition.ruleset"] == "documented"
    assert profile.sources["ignition.tie_rule"] == "assumed"
    assert profile.sources["attack.nuisance_each"] == "inferred"
    assert len(profile.sources) == 14


def test_a_file_of_ones_own_is_read_anew_each_time(tmp_path: Path) -> None:
    assert edited(tmp_path, name="nyaa_mvs") == MVS
    first = edited(tmp_path, over_cell=[4, 11], offset=False)
    assert (first.name, first.over_cell, first.attack.offset) == ("mine", (4, 11), False)
    assert first.attack.most_per_fall == MVS.attack.most_per_fall
    assert edited(tmp_path, most_per_fall=5) == load_rules(str(tmp_path / "mine.yaml")) != first


@pytest.mark.parametrize("wanted", ["tsumo", "no/such/file.yaml", "x" * 5000])
def test_rules_that_are_nowhere(wanted: str) -> None:
    with pytest.raises(
        ConfigError, match=r"no such rules file: .*; give a YAML file, .*: nyaa_mvs, nyaa_ps2$"
    ) as caught:
        load_rules(wanted)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        (("ignition", "tie_rule"), {"value": "dice", "source": "assumed"}, "ignition.tie_rule.value: "),
        (("ignition", "ruleset"), {"value": "mvs"}, "ignition.ruleset.source: is missing"),
        (("attack", "offset"), {"value": 1, "source": "assumed"}, "attack.offset.value: "),
        (("attack", "offset"), {"value": True, "source": "heard"}, "attack.offset.source: "),
        (("field", "over_cell"), {"value": [8, 1], "source": "assumed"}, "field.over_cell.value.0: "),
        (("field", "over_cell"), {"value": ["4", 1], "source": "assumed"}, "field.over_cell.value.0: "),
        (("field", "spawn_column"), {"value": 4.0, "source": "assumed"}, "field.spawn_column.value: "),
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
        load_rules(file)
    assert str(file) in str(caught.value)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
