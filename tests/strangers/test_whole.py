"""Four strangers are learnt whole, from power-on to files that play 300 pieces from the menu without a fault.

They share no mechanism. What the files say is compared with what the machine says of itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.strangers.maker import Spec, Stranger, Truth
from tests.strangers.several import several
from tests.strangers.whole import Whole, judge_whole

GAMES = {
    "halves": several(1, "halves", "by_columns", "padded", "two_next", "no_pause", colors=3),
    "pixels": several(2, "sinking", "any_codes", "copy_exact", "other_sides", "phase_bits"),
    "cells": several(
        3, "cell_index", "floor_up", "grace", "b_clockwise", "slow_fall", "score_digits", "piece_nibbles", colors=5
    ),
    "box": several(4, "turns_in_a_box", "empty_code", "origin"),
}


@dataclass
class Learnt:
    """A stranger, what was learnt of it, and what it says of itself."""

    spec: Spec
    verdict: Whole
    map: dict[str, Any]
    game: dict[str, Any]
    rules: dict[str, Any]
    truth: dict[str, Any]

    @property
    def entries(self) -> dict[str, Any]:
        found: dict[str, Any] = self.map["entries"]
        return found

    def places(self, *names: str) -> list[int]:
        """The addresses of entries, each once, in the order of the names."""
        return list(dict.fromkeys(self.entries[name]["address"] for name in names))


def learn(name: str, folder: Path) -> Learnt:
    spec = GAMES[name]
    verdict = judge_whole(spec, folder)
    files = {path.name: yaml.safe_load(path.read_text(encoding="utf-8")) for path in folder.glob("*.yaml")}
    truth = Truth(Stranger(spec)).describe()
    ram_map, game, rules = (files.get(f"stranger{part}.yaml", {}) for part in ("-p1", "", "-rules"))
    return Learnt(spec, verdict, ram_map, game, rules, truth)


def check_the_files_play_from_the_menu_without_a_fault(learnt: Learnt) -> None:
    verdict = learnt.verdict
    assert verdict.whole, f"{verdict.stage}: {verdict.why}"
    assert (verdict.agreement, verdict.missing, verdict.from_menu) == (1.0, [], True)
    assert 20_000 < verdict.frames < 200_000


def check_the_field_has_its_place_and_its_codes(learnt: Learnt) -> None:
    field, true = learnt.entries["field"], learnt.truth["field"]["places"][0]
    rows, columns = field["rows"], field["columns"]
    assert rows in (12, 13)
    assert columns == 6
    cells = [
        field["address"] + row * field["row_stride"] + column * field["column_stride"]
        for row in range(rows)
        for column in range(columns)
    ]
    assert cells == true["cells"][-len(cells) :]
    codes = learnt.map["codes"][field["codes"]]["values"]
    assert {code for code, word in codes.items() if word != "nuisance"} == true["codes"].keys()
    assert [code for code, word in codes.items() if word == "empty"] == [
        code for code, word in true["codes"].items() if word == "empty"
    ]


def check_the_piece_and_what_comes_next_have_their_places(learnt: Learnt) -> None:
    true, place = learnt.truth, learnt.truth["place"]
    assert learnt.places("axis", "partner") == true["piece"]["addresses"]
    assert learnt.places("next_axis", "next_partner") == true["next"]["addresses"]
    if learnt.spec.next == 2:
        assert learnt.places("next2_axis", "next2_partner") == true["after"]["addresses"]
    if place["form"] == "halves":
        assert learnt.map["pair"]["denotes"] == "halves"
        assert learnt.places("x", "partner_x", "y", "partner_y") == [*place["x"], *place["y"]]
        assert learnt.entries["x"]["offset"] == 1
        # a half above the first row has 255
        y = learnt.entries["y"]
        assert [(raw - y["origin"]) % y["modulo"] + y["offset"] for raw in (255, 0, 5)] == [0, 1, 6]
        return
    turns, codes = learnt.entries["orientation"], place["orientation"]
    assert turns["address"] == codes["address"]
    assert learnt.map["codes"][turns["symbols"]]["values"] == codes["codes"]
    assert learnt.map.get("pair", {}).get("denotes") == ("box" if learnt.spec.boxed else None)
    if place["form"] == "axis":
        assert learnt.places("x", "y") == [*place["x"], *place["y"]]
        assert [learnt.entries[name].get("divide", 1) for name in ("x", "y")] == [place["pixels"]] * 2


def check_the_score_has_its_place_and_form(learnt: Learnt) -> None:
    score, true = learnt.entries["score"], learnt.truth["score"]
    if true["form"] == "little":
        assert (score["address"], score["type"]) == (true["address"], "u24le")
        return
    # all points are tens, so the lowest digit is always 0 and may be left out
    left = score["address"] - true["address"]
    assert left in (0, 1)
    assert (score["count"], score.get("scale", 1)) == (true["bytes"] - left, 10**left)
    assert (score["order"], score["zero"]) == ("low_first", true["zero"])


def check_the_signs_are_the_game_s_phases(learnt: Learnt) -> None:
    signs, true = learnt.map["signs"], learnt.truth["phase"]
    assert {sign["entry"] for sign in signs.values()} == {"phase_byte"}
    assert learnt.entries["phase_byte"]["address"] == true["address"]
    assert {name: sign["is"] for name, sign in signs.items()} == {
        "spawn": [true["codes"]["announce"]],
        "control": [true["codes"]["control"]],
        "over": [true["codes"]["over"]],
    }


def check_buttons_times_and_the_spawn_are_the_game_s(learnt: Learnt) -> None:
    spec, game = learnt.spec, learnt.game
    turns = ("a", "b") if spec.clockwise else ("b", "a")
    assert game["buttons"] == dict(
        zip(("left", "right", "down", "rotate_cw", "rotate_ccw"), ("left", "right", "down", *turns), strict=True)
    )
    times = game["timing"]
    # a row of pixels takes whole frames for each pixel
    row = spec.gravity // spec.cell * spec.cell if spec.sub == "pixels" else spec.gravity
    assert (times["fall"], times["control"], times["to_spawn"]) == (row, spec.announce, spec.lock + 1)
    assert times["lock"] == row + max(0, spec.grace - 1)
    assert (times["repeat_first"], times["repeat"]) == (spec.repeat_after, spec.repeat_every)
    column, line, _ = spec.spawn
    assert game["spawn"] == {"x": column + 1, "y": line + 14 - spec.height, "orientation": "up"}
    assert game["menu"][-1] == "wait until spawn"


def check_the_rules_are_the_game_s_but_for_what_is_never_seen(learnt: Learnt) -> None:
    assert learnt.verdict.rules.keys() <= {"ceiling", "score.chain_power", "score.cap"}
    rules, spec = learnt.rules, learnt.spec
    assert (rules.get("turns", "axis") == "box", rules["kicks"]) == (spec.boxed, spec.kicks)
    assert rules["score"]["chain_power"][:5] == list(spec.chain_power[:5])
    assert 0.9 < rules["score"]["cap"] / spec.score.most <= 1
    assert rules["score"]["group_bonus"][:8] == list(spec.group_bonus[:8])


@pytest.mark.parametrize("name", GAMES)
def test_a_stranger_is_learnt_whole(name: str, tmp_path: Path) -> None:
    """One test, because learning takes long and all checks look at the same files."""
    learnt = learn(name, tmp_path)
    check_the_files_play_from_the_menu_without_a_fault(learnt)
    check_the_field_has_its_place_and_its_codes(learnt)
    check_the_piece_and_what_comes_next_have_their_places(learnt)
    check_the_score_has_its_place_and_form(learnt)
    check_the_signs_are_the_game_s_phases(learnt)
    check_buttons_times_and_the_spawn_are_the_game_s(learnt)
    check_the_rules_are_the_game_s_but_for_what_is_never_seen(learnt)
