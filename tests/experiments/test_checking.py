"""``ram check`` of a dull stranger: faults are planted in the files that its own truth wrote, and the check mends them.

The stranger is a machine in plain Python that imports nothing of ochibot, so its truth is independent of the check.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from ochibot.experiments.checking.checker import Checked, Checker
from ochibot.games.choosing import find_rules, resolve_game
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import Rules

from tests.strangers.filed import map_by_truth, write_by_truth
from tests.strangers.maker import Spec, Truth, draw
from tests.strangers.maker.console import StrangerConsole

DULL = draw(1, "family", "no_pause")
BOXED = draw(1, "family", "turns_in_a_box")


@dataclass
class Files:
    """What is in the files of a game."""

    map: dict[str, Any]
    rules: dict[str, Any]
    game: dict[str, Any]


Change = Callable[[Files], None]

ENTRIES = {"field", "x", "y", "orientation", "axis", "partner", "next_axis", "next_partner", "score"}
COLORS = ("axis", "partner", "next_axis", "next_partner")
RULES = {"rules.kicks", "rules.drop_bonus", "rules.chain_power", "rules.group_bonus", "rules.color_bonus"}


def check(folder: Path, change: Change, spec: Spec = DULL) -> tuple[Checked, Rules]:
    """Checks the map, the rules and the game file by truth after a change of all three. Returns also the true rules."""
    game, _ = write_by_truth(spec, folder)
    true = load_rules(folder / "dull-rules.yaml")
    files = [folder / name for name in ("dull-p1.yaml", "dull-rules.yaml", "dull.yaml")]
    made = Files(*(yaml.safe_load(file.read_text(encoding="utf-8")) for file in files))
    change(made)
    for file, part in zip(files, (made.map, made.rules, made.game), strict=True):
        file.write_text(yaml.safe_dump(part, sort_keys=False), encoding="utf-8")
    title: Any = resolve_game(game)
    (name,) = title.map_names(title.solo_mode)
    with StrangerConsole(spec) as console:
        return Checker(title, title.load_map(name), console, find_rules(title)).run(pieces=8), true


def nothing(_: Files) -> None:
    pass


def forms(files: Files) -> None:
    entries = files.map["entries"]
    entries["x"]["offset"] += 1
    entries["y"] |= {"scale": -1, "offset": 13}
    values = files.map["codes"]["sides"]["values"]
    values[1], values[3] = values[3], values[1]
    entries["score"] |= {"scale": 10}
    entries["axis"]["address"], entries["partner"]["address"] = 40, 39
    score = files.rules["score"]
    score["chain_power"][2] += 8
    score["group_bonus"][5] += 1
    score["color_bonus"][2] += 3
    score["drop_bonus"] = 1
    files.rules["kicks"] = False


def places(files: Files) -> None:
    entries = files.map["entries"]
    entries["field"] |= {"address": entries["field"]["address"] + 0x60, "rows": 12, "top": 2}
    entries["x"]["address"] = 0x300
    entries["y"]["address"] = 0x301
    entries["orientation"]["address"] = 0x302
    entries["score"]["address"] = 0x303
    entries["next_axis"]["address"] = 0x308
    files.game["buttons"] |= {"rotate_cw": "b", "rotate_ccw": "a"}
    files.game["timing"] = {"fall": DULL.gravity + 1, "lock_delay": 1}


def colors(files: Files) -> None:
    values = files.map["codes"]["cells"]["values"]
    del values[3]
    values[9] = "blue"
    files.map["pair"] = {"denotes": "partner"}


def around_a_half(files: Files) -> None:
    del files.map["pair"], files.rules["turns"]


def sign(files: Files) -> None:
    files.map["signs"]["spawn"]["is"] = [0x77]


TRUTH = Truth(StrangerConsole(DULL).game).describe()
ELSEWHERE = {"sprite_x": 0x613, "sprite_y": 0x614, "blocks": 0x610, "marks": 0x611, "spawn_phase": 0x612}
"""Bytes that do nothing."""


def extras(files: Files) -> None:
    places = {**ELSEWHERE, "drop_timer": TRUTH["place"]["sunk"]["address"], "level": TRUTH["level"]["address"]}
    for name, address in places.items():
        files.map["entries"][name] = {"address": address, "source": "calibrated"}


def read(checked: Checked, truth: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    """Where an entry's bytes are, and what they mean: of the mended map, and by the truth."""
    entry, true = checked.ram_map.entries[name], truth["entries"][name]
    got, wanted = [], []
    for word, usual in {"address": 0, "offset": 0, "scale": 1, "divide": 1, "type": "u8", "top": 0}.items():
        got.append(getattr(entry, word) or usual)
        wanted.append(true.get(word, usual))
    table = true.get("codes") or true.get("symbols")
    if table is not None:
        # no piece is empty
        tables = checked.ram_map.codes[str(entry.table)].values, truth["codes"][table]["values"]
        for side, values in zip((got, wanted), tables, strict=True):
            side.append({byte: word for byte, word in values.items() if word != "empty" or name == "field"})
    return tuple(got), tuple(wanted)


WRONG: dict[Change, dict[str, str]] = {
    nothing: {},
    forms: {
        "x": "it reads 3 where it must be 2: 1 too large",
        "y": "0x03 is 4, 0x04 is 5, 0x05 is 6, 0x06 is 7, 0x07 is 8, 0x08 is 9, and 4 more",
        "orientation": "the byte 0x01 is taken for left; it was right",
        "axis": "exchange axis and partner: axis is at 0x0027",
        "partner": "it is the other half's colour",
        "score": "it rose by 400 where it must rise by 40\n  seen: it must have risen by 40, 100, 180\n",
        "rules.kicks": "beside a wall that is turned towards it moves off the wall",
        "rules.score.drop_bonus": "worth 1 point by the rules\n  seen: it was worth 0 points",
        "rules.score.chain_power": "step 3 of a chain is worth 24 by the rules",
        "rules.score.group_bonus": "groups of 5, 6, 7, 8, 9, 10, 11 multiply by 3, 3, 4, 5, 6, 7, 10 by the rules",
        "rules.score.color_bonus": "multiply by 6, 6, 12 by the rules\n  seen: they multiplied by 3, 6, 12",
    },
    places: {
        "field": "the floor of column 1 is at 0578, that of column 2 at 0579, the cell above the first at 0572",
        "x": "x (0300, 002C): its byte doesn't hold where the pair is",
        "y": "mend: address: 0x00ab, offset: 1",
        "orientation": "orientation (0302, 00EF): its byte doesn't hold how the pair lies",
        "score": "mend: address: 0x002d, type: u24le",
        "next_axis": "the colour is elsewhere",
        "game.buttons": "b turns clockwise and a the other way by the game's table\n"
        "  seen: a turns by rotate_cw, b turns by rotate_ccw\n  mend: exchange rotate_cw and rotate_ccw",
        "game.timing.fall": "the game file says 31 frames\n  seen: it was 30 frames\n  mend: timing: {fall: 30}",
        "game.timing.lock_delay": "the game file says 1 frame\n",
    },
    colors: {
        "pair": "with the pair turned to the right, the axis in column",
        **dict.fromkeys(("field", *COLORS), "the byte 0x03 is unknown; it was blue"),
    },
    extras: {
        "sprite_x": "does not follow a poked x",
        "sprite_y": "does not follow a poked y",
        "blocks": "grew by 0 as 4 cells vanished",
        "marks": "two equal neighbours and a cell alone have 0x8d, 0x8d, 0x8d",
        "spawn_phase": "0 in 0 of 10 falls\n  mend: spawn_phase: null, the game is played without it",
    },
    sign: {"spawning": "it announced 0 of 20 pieces\n  mend: signs by phase_byte at 0x0026"},
}


@pytest.mark.parametrize("change", WRONG)
def test_planted_faults_are_found_and_mended(change: Change, tmp_path: Path) -> None:
    checked, rules = check(tmp_path, change)
    report, truth, wrong = checked.report, map_by_truth(DULL), WRONG[change]
    said = {finding.about: finding.text() for finding in report.findings}
    assert said.keys() == wrong.keys()
    for name, words in wrong.items():
        assert words in said[name]
    # a score that is told wrongly isn't right, though its rules are
    right = {*ENTRIES, *RULES, "game.buttons"} - {name.replace("rules.score", "rules") for name in wrong}
    assert set(report.holds) == right | ({"drop_timer"} if change is extras else set())
    assert report.unchecked == ([] if change is sign else ["phase_byte", "level"][: 1 + (change is extras)])
    assert not checked.ram_map.entries.keys() & ELSEWHERE.keys()
    for name in ENTRIES:
        got, wanted = read(checked, truth, name)
        assert got == wanted, name
    assert checked.ram_map.pair.denotes == "axis"
    assert checked.rules == rules
    assert report.measured == {
        "spawn_delay": DULL.announce,
        "auto_repeat_first": DULL.repeat_after,
        "auto_repeat": DULL.repeat_every,
        "fall": DULL.gravity,
        "soft_drop": -(-DULL.gravity // DULL.soft),
        "lock_delay": DULL.gravity - 1,
    }
    assert (report.exam["pieces"], report.exam["agreement"], report.exam["contradictions"]) == (8, 1, 0)


@pytest.mark.parametrize("change", [nothing, around_a_half])
def test_a_game_whose_pairs_turn_within_a_box(change: Change, tmp_path: Path) -> None:
    checked, rules = check(tmp_path, change, BOXED)
    report = checked.report
    wrong = {"pair", "rules.turns"} if change is around_a_half else set()
    assert {finding.about: finding.mend for finding in report.findings} == {
        name: {"pair": "pair: {denotes: box}", "rules.turns": "turns: box"}[name] for name in wrong
    }
    assert set(report.holds) >= {*ENTRIES, *RULES, "game.buttons"} | ({"rules.turns"} - wrong)
    assert (checked.ram_map.pair.denotes, checked.rules) == ("box", rules)
    assert (report.exam["pieces"], report.exam["agreement"], report.exam["contradictions"]) == (8, 1, 0)
