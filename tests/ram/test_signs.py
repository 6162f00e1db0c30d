"""The signs of a map: spawn, control, over and paused, as conditions on RAM."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from ochibot.console import NES, Ram
from ochibot.errors import MapError
from ochibot.games import find_game
from ochibot.ram import BoundMap, RamMap, Sign, load_map
from ochibot.ram.conditions import Condition
from pydantic import ValidationError

COLORS = {"empty": 0, "red": 1}
PHASE, COUNT, DOOR = 0x10, 0x11, 0x12
ENTRIES = {
    "phase": {"address": PHASE, "source": "calibrated"},
    "count": {"address": COUNT, "source": "calibrated"},
    "door": {"address": DOOR, "symbols": "doors", "source": "calibrated"},
    "far": {"pointer": {"address": 0x20, "type": "u16le"}, "source": "calibrated"},
    "field": {"address": 0x100, "rows": 2, "columns": 2, "row_stride": 2, "column_stride": 1, "source": "calibrated"},
}
CODES = {"doors": {"source": "calibrated", "values": {0: "shut", 8: "ajar", 9: "open"}}}
HEAD = {"game": "g", "name": "m", "system": "nes", "seat": 1}


def map_of(**signs: Any) -> RamMap:
    return RamMap.model_validate({**HEAD, "entries": ENTRIES, "codes": CODES, "signs": signs})


def sign_of(condition: dict[str, Any]) -> tuple[Ram, Sign]:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    sign = BoundMap(map_of(spawn=condition), ram, COLORS).sign("spawn")
    assert sign is not None
    return ram, sign


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"entry": "phase", "is": 3}, {3}),
        ({"entry": "phase", "is": [3, 5]}, {3, 5}),
        ({"entry": "phase", "is_not": [0, 1]}, {2, 3, 4, 5}),
        ({"all": [{"entry": "phase", "is_not": 0}, {"entry": "phase", "is_not": [4, 5]}]}, {1, 2, 3}),
        ({"any": [{"entry": "phase", "is": 1}, {"entry": "phase", "is": [4]}]}, {1, 4}),
        ({"any": [{"entry": "phase", "is": 1}, {"all": [{"entry": "count", "is": 0}]}]}, {0, 1, 2, 3, 4, 5}),
    ],
)  # fmt: skip
def test_values(condition: dict[str, Any], holds: set[int]) -> None:
    ram, sign = sign_of(condition)
    assert not sign.is_edge
    for value in range(6):
        ram[PHASE] = value
        assert sign() == (value in holds)


def test_symbols() -> None:
    ram, sign = sign_of({"entry": "door", "is": ["open", "shut"]})
    for value, holds in ((0, True), (8, False), (9, True), (10, False)):
        ram[DOOR] = value
        assert sign() is holds
    ram, closed = sign_of({"entry": "door", "is_not": "open"})
    assert closed()


def test_edges_hold_until_they_are_kept_and_looking_changes_nothing() -> None:
    ram, rises = sign_of({"entry": "phase", "rises": True})
    assert rises.is_edge
    seen = []
    for value in (0, 2, 2, 3, 0, 0, 1, 0):
        ram[PHASE] = value
        seen.append(rises())
        assert rises() == seen[-1]
        rises.keep()
    assert seen == [False, True, False, False, False, False, True, False]
    ram, changes = sign_of({"entry": "count", "changes": True})
    seen = []
    for value in (0, 1, 1, 2, 1):
        ram[COUNT] = value
        seen.append(changes())
        changes.keep()
    assert seen == [False, True, False, True, True]


def test_two_signs_of_one_map_remember_each_for_itself() -> None:
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    bound = BoundMap(map_of(spawn={"entry": "count", "changes": True}), ram, COLORS)
    first, second = bound.sign("spawn"), bound.sign("spawn")
    assert first is not None
    assert second is not None
    ram[COUNT] = 1
    first.keep()
    assert (first(), second()) == (False, True)
    assert bound.sign("over") is None


def test_while_a_pointer_leads_nowhere_no_condition_holds() -> None:
    for condition in ({"entry": "far", "is": 0}, {"entry": "far", "is_not": 7}, {"entry": "far", "changes": True}):
        ram, sign = sign_of(condition)
        ram[0x21] = 0x40
        sign.keep()
        assert not sign()
        ram[0x21] = 0x03
        assert sign() == ("changes" not in condition)
    ram, sign = sign_of({"entry": "far", "rises": True})
    ram[0x21], ram[0x300] = 0x03, 1
    sign.keep()
    assert not sign()


@pytest.mark.parametrize(
    ("signs", "words"),
    [
        ({"spawn": {"entry": "phase"}}, "exactly one of is, is_not, rises and changes"),
        ({"spawn": {"entry": "phase", "is": 1, "rises": True}}, "exactly one of"),
        ({"spawn": {"is": 1}}, "give an entry"),
        ({"spawn": {}}, "give an entry"),
        ({"spawn": {"all": []}}, "signs.spawn.all"),
        ({"spawn": {"all": [{"entry": "phase", "is": 1}], "any": [{"entry": "phase", "is": 1}]}}, "give an entry"),
        ({"spawn": {"entry": "phase", "rises": 1}}, "give true"),
        ({"spawn": {"entry": "phase", "is": True}}, r"signs\.spawn\.is"),
        ({"spawn": {"entry": "phase", "is": []}}, r"signs\.spawn\.is"),
        ({"spawn": {"entry": "phase", "is": "three"}}, "has no symbols: give numbers"),
        ({"spawn": {"entry": "door", "is": 8}}, "8 is no symbol of the entry 'door'; it has shut, ajar, open"),
        ({"over": {"entry": "door", "is": "opened"}}, r"signs\.over: 'opened' is no symbol"),
        ({"spawn": {"any": [{"entry": "fase", "is": 1}]}}, r"signs\.spawn: the map has no entry 'fase'"),
        ({"spawn": {"entry": "field", "is": 1}}, "is a grid"),
        ({"contrl": {"entry": "phase", "is": 1}}, r"signs\.contrl: is not a known name here, did you mean control\?"),
        ({"spawn": {"entry": "phase", "isnot": 1}}, r"isnot: is not a known name here, did you mean is_not\?"),
    ],
)
def test_wrong_signs_are_refused(tmp_path: Path, signs: dict[str, Any], words: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**HEAD, "entries": ENTRIES, "codes": CODES, "signs": signs}))
    with pytest.raises(MapError, match=words):
        load_map(path, COLORS)


def test_a_map_with_signs_and_forms_survives_a_record() -> None:
    signs = {"spawn": {"any": [{"entry": "phase", "is": [1, 2]}, {"entry": "door", "is_not": "open"}]}}
    made = map_of(**signs, over={"entry": "count", "changes": True})
    again = RamMap.model_validate_json(made.model_dump_json(exclude_defaults=True))
    assert again == made
    assert made.model_dump(exclude_defaults=True)["signs"]["over"] == {"entry": "count", "changes": True}
    assert '"is":[1,2]' in made.model_dump_json(exclude_defaults=True)


def test_signs_are_inherited_changed_and_dropped_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "below.yaml").write_text(
        "extends: famicom_puyo/player1\nsigns:\n  spawn: {entry: spawning, is: 1}\n  over: {entry: phase, is: 5}\n"
    )
    (tmp_path / "above.yaml").write_text(
        "extends: below.yaml\nsigns: {over: null, control: {entry: phase, is: 2}, paused: {entry: state, is: 4}}\n"
    )
    loaded = find_game("puyo").load_map(tmp_path / "above.yaml")
    assert set(loaded.signs.given()) == {"spawn", "control", "paused"}
    # phase and state are known only for our own game, so ``public`` drops the signs that use them
    assert set(loaded.public().signs.given()) == {"spawn"}


def test_an_entry_that_only_a_sign_asks_for_need_not_be_known(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    text = "extends: famicom_puyo/player1\nentries: {pieces: {address: 0x7F0, source: calibrated}}\n"
    path.write_text(text + "signs: {spawn: {any: [{entry: pieces, changes: true}]}}\n")
    assert "pieces" in find_game("puyo").load_map(path).entries
    path.write_text(text)
    with pytest.raises(MapError, match=r"entries\.pieces: the game knows no such entry"):
        find_game("puyo").load_map(path)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (
            "codes: {turn: {source: calibrated, values: {0: up, 1: rihgt}}}",
            "unknown code name 'rihgt', did you mean right",
        ),
        ("codes: {turn: {source: calibrated, values: {0: up, 1: up}}}", "up is the meaning of 0 already"),
        ("codes: {turn: {source: calibrated, values: {0: red}}}", "unknown code name 'red'; known are down, left, up"),
    ],
)
def test_orientation_words_are_checked(tmp_path: Path, more: str, words: str) -> None:
    path = tmp_path / "mine.yaml"
    turn = "entries: {orientation: {address: 0x6D5, symbols: turn, source: calibrated}}\n"
    path.write_text(f"extends: famicom_puyo/player1\n{turn}{more}\n")
    with pytest.raises(MapError, match=words):
        find_game("puyo").load_map(path)


def test_words_of_the_games_own_are_taken_under_symbols_and_misspelt_colours_arent(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    head = "extends: famicom_puyo/player1\nentries: {phase: {address: 0x705, symbols: moods, source: calibrated}}\n"
    path.write_text(head + "codes: {moods: {source: calibrated, values: {1: waking, 2: hunting}}}\n")
    loaded = find_game("puyo").load_map(path)
    ram = Ram(np.zeros(0x800, np.uint8), NES.ram)
    bound = BoundMap(loaded, ram, {"empty": 0, "red": 1, **dict.fromkeys(loaded.codes["puyo"].values.values(), 2)})
    ram[0x705] = 2
    assert bound.words("phase")[bound.value("phase")] == "hunting"
    path.write_text(head + "codes: {moods: {source: calibrated, values: {1: red, 2: geen}}}\n")
    with pytest.raises(MapError, match=r"moods\.values\.2: unknown code name 'geen', did you mean green\?"):
        find_game("puyo").load_map(path)


@pytest.mark.parametrize("join", ["all", "any"])
def test_sixteen_conditions_may_be_joined(join: str) -> None:
    one = {"entry": "phase", "is": 1}
    assert len(list(Condition.model_validate({join: [one] * 16}).questions())) == 16
    for wrong in ([], [one] * 17):
        with pytest.raises(ValidationError):
            Condition.model_validate({join: wrong})
