"""The rules and the game file of a game with needles: what was measured stands in the published profile."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from ochibot.console import Button
from ochibot.data import data_path
from ochibot.experiments.needles import RULES, Needles
from ochibot.experiments.pad import Tap
from ochibot.experiments.rulesfile import game_of, rules_of
from ochibot.experiments.write import dump


def learnt_of(idle: str = "block", each: int | None = 30, **others: Any) -> Any:
    needles = Needles(Button.Y, 3, (0, 8), idle, (0x25,), 9)
    basis = SimpleNamespace(columns=range(7), visible=12, spawn_column=2, appears=11)
    return SimpleNamespace(
        **{"size": None, "needles": needles, "basis": basis, "attack_each": each, "profile": None, **others}
    )


@pytest.mark.parametrize(("idle", "each"), [("block", 30), ("vanish", None)])
def test_the_published_profile_has_the_measured_values(idle: str, each: int | None) -> None:
    made, said = rules_of(learnt_of(idle, each), "mine") or ({}, [])
    written = yaml.safe_load(dump(made))
    published = yaml.safe_load(data_path(f"configs/rules/{RULES}.yaml").read_text(encoding="utf-8"))
    assert (written.pop("name"), published.pop("name")) == ("mine", RULES)
    measured = {("ignition", "idle_needle"): idle, ("ignition", "nuisance_pops"): True, ("field", "spawn_column"): 3}
    measured |= {} if each is None else {("attack", "score_each"): each}
    for part, values in published.items():
        assert written[part].keys() == values.keys()
        for name, entry in values.items():
            own = written[part][name]
            wanted = measured.get((part, name), entry["value"])
            source = "inferred" if (part, name) in measured else entry["source"]
            assert (own["value"], own["source"]) == (wanted, source), name
    names = ["idle_needle", "nuisance_pops", "spawn_column", *(["score_each"] if each else [])]
    assert said[0].startswith(f"all but {', '.join(names)}: as in the profile {RULES}, ")
    assert len(said) == 1


def test_rules_of_another_family_are_not_taken() -> None:
    _, said = rules_of(learnt_of(profile="tsu"), "mine") or ({}, [])
    assert said[1:] == ["the rules tsu are of another family than the game: they aren't used"]


@pytest.mark.parametrize("denotes", ["axis", "partner"])
@pytest.mark.parametrize(("way", "across", "down"), [("up", 0, -1), ("right", 1, 0), ("down", 0, 1), ("left", -1, 0)])
def test_the_game_file_says_where_the_axis_appears(denotes: str, way: str, across: int, down: int) -> None:
    stance = SimpleNamespace(
        ways=(way,), near_row=0, denotes=denotes, start=way, clockwise="a", counter=None,
    )  # fmt: skip
    learnt = learnt_of(stance=stance, appears=None, timing=None, tap=Tap(1, 1))
    rig: Any = SimpleNamespace(console=SimpleNamespace(rom=SimpleNamespace(system="neogeo", sha1="ab")))
    made = game_of(learnt, rig, "mine", rules="mine-rules.yaml", core=None)
    # the near half is in the third column, eleven rows up from the floor, which is row 12
    axis = (3, 2) if denotes == "axis" else (3 - across, 2 - down)
    assert made["spawn"] == {"x": axis[0], "y": axis[1], "orientation": way}
    assert made["buttons"] == {"left": "left", "right": "right", "down": "down", "rotate_cw": "a", "needle": "y"}
    assert (made["family"], made["system"], made["sha1"]) == ("nyaa", "neogeo", ["ab"])
    assert not made.keys() & {"core", "tap", "timing"}
    slow = learnt_of(stance=stance, appears=(5, 1, "down"), timing=SimpleNamespace(fall=20, lock=None), tap=Tap(2, 3))
    other = game_of(slow, rig, "mine", rules="mine-rules.yaml", core="geolith")
    assert other["spawn"] == {"x": 5, "y": 1, "orientation": "down"}
    assert (other["tap"], other["timing"], other["core"]) == ({"hold": 2, "release": 3}, {"fall": 20}, "geolith")
