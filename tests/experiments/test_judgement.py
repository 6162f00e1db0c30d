"""Parts of ``ram check``, each by things whose truth is written down here: names, buttons, verdicts, the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError, GameError
from ochibot.experiments.checking import checker, compare
from ochibot.experiments.checking.checker import Checker
from ochibot.experiments.checking.compare import Comparison
from ochibot.experiments.checking.scenes import Fall, Scene
from ochibot.experiments.checking.signs import Announced
from ochibot.experiments.checking.values import Values
from ochibot.experiments.digits import Form
from ochibot.experiments.grid import Grid
from ochibot.experiments.score import Score
from ochibot.puyo.rules.pair import Action
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Finding, Report


def map_of(entries: Mapping[str, Any], codes: Mapping[str, Any] | None = None, **said: Any) -> RamMap:
    every = {name: {"source": "calibrated", **entry} for name, entry in entries.items()}
    tables = {name: {"source": "calibrated", "values": values} for name, values in (codes or {}).items()}
    return RamMap.model_validate(
        {"game": "a", "name": "a", "system": "nes", "seat": 1, "signs": {}, "entries": every, "codes": tables, **said}
    )


def comparison(ram_map: RamMap, **said: Any) -> Comparison:
    found = Comparison.__new__(Comparison)
    found.map, found.report, found._blind = ram_map, Report(), False
    for name, value in said.items():
        setattr(found, name, value)
    return found


# -- names of colours


FIELD = {"address": 0x100, "rows": 2, "columns": 2, "row_stride": 2, "column_stride": 1}
RAW = {0x11: 1, 0x21: 2, 0x31: 3}
"""The piece's byte for each kind of cell."""


@pytest.mark.parametrize(
    ("codes", "names"),
    [
        # the piece's table names them
        ({"axis": {1: "blue", 2: "red", 3: "green"}}, ("blue", "red", "green")),
        # or the field's does, with or without a shift
        ({"axis": {9: "red"}, "field": {0x11: "green", 0x21: "blue", 0x31: "red"}}, ("green", "blue", "red")),
        ({"field": {1: "green", 2: "blue", 3: "red"}}, ("green", "blue", "red")),
        # no table has a word for each, or one has the same for two
        ({"axis": {1: "blue", 2: "red"}}, None),
        ({"axis": {1: "blue", 2: "red", 3: "red"}}, None),
        ({}, None),
    ],
)
def test_colours_are_called_what_the_map_calls_them(
    codes: dict[str, dict[int, str]], names: tuple[str, ...] | None
) -> None:
    entries: dict[str, Any] = {"axis": {"address": 1}, "field": dict(FIELD)}
    for name in codes:
        entries[name]["codes"] = name
    one = comparison(map_of(entries, codes))
    sort = SimpleNamespace(nuisance=(0x51,))
    learnt: Any = SimpleNamespace(
        shape=SimpleNamespace(colors=(0x11, 0x21, 0x31), mask=0xF1), near=SimpleNamespace(values=RAW), sort=sort,
        needles=None, basis=SimpleNamespace(grid=SimpleNamespace(empty=0x0F)),
    )  # fmt: skip
    told = one._names(learnt)
    assert told == {0x01: "empty", **dict(zip(RAW, names or ("red", "green", "blue"), strict=True)), 0x51: "nuisance"}
    assert len(one.report.notes) == (names is None)
    # of several sorts of nuisance none is called so, and needles have their own
    learnt.sort = SimpleNamespace(nuisance=(0x51, 0x61))
    assert "nuisance" not in one._names(learnt).values()
    learnt.needles = SimpleNamespace(nuisance=(0x71,))
    assert one._names(learnt)[0x71] == "nuisance"
    learnt.needles, learnt.sort = None, None
    assert "nuisance" not in one._names(learnt).values()


# -- buttons


@pytest.mark.parametrize("turns", [1, -1])
@pytest.mark.parametrize("swapped", [False, True])
def test_the_buttons_that_turn_a_pair_are_tried(swapped: bool, turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("up", "right", "down", "left")
    way = {Button.A: turns, Button.B: -turns}
    said = {Action.ROTATE_CW: Button.A, Action.ROTATE_CCW: Button.B}
    if (turns == -1) is not swapped:
        said = {Action.ROTATE_CW: Button.B, Action.ROTATE_CCW: Button.A}
    rig = SimpleNamespace(after=lambda _, pads: sum(way[Button(pad)] for pad in pads if pad) % 4)
    monkeypatch.setattr(compare, "upright_state", lambda *_: b"")
    monkeypatch.setattr(compare, "standing", lambda _, __, ram: words[ram])
    clockwise = "a" if turns == 1 else "b"
    stance = SimpleNamespace(
        readable=True, clockwise=clockwise, counter="b" if turns == 1 else "a",
        turning=SimpleNamespace(button=Button.A), ways=tuple(words[turns * taps % 4] for taps in range(4)),
    )  # fmt: skip
    ground: Any = SimpleNamespace(
        state=b"", driver=SimpleNamespace(tap=SimpleNamespace(pads=lambda button: [int(button)]))
    )
    one = comparison(map_of({"x": {"address": 1}}), table=SimpleNamespace(buttons=said), rig=rig)
    one._buttons(SimpleNamespace(stance=stance), ground)  # type: ignore[arg-type]
    right = {"rotate_cw": Button[clockwise.upper()], "rotate_ccw": Button.B if clockwise == "a" else Button.A}
    if swapped:
        (found,) = one.report.findings
        assert (found.about, found.mend, found.buttons) == ("game.buttons", "exchange rotate_cw and rotate_ccw", right)
        assert one.report.holds == []
    else:
        assert (one.report.holds, one.report.findings) == (["game.buttons"], [])
    stance.readable = False
    dark = comparison(map_of({"x": {"address": 1}}), table=SimpleNamespace(buttons=said), rig=rig)
    dark._buttons(SimpleNamespace(stance=stance), ground)  # type: ignore[arg-type]
    assert (dark.report.holds, dark.report.findings) == ([], [])
    assert dark.report.notes == ["buttons: not checked, RAM doesn't show how a pair lies"]


# -- verdicts, and entries that nothing confirmed


def test_verdicts_on_documented_entries_are_taken_over() -> None:
    places = {name: {"address": at} for at, name in enumerate(("blocks", "marks", "level", "mode", "x", "sprite_x"), 9)}
    one = comparison(map_of(places))
    one.report.holds = ["mode"]
    one.report.findings = [Finding("level", (), "wrong", "seen", None, entries={"level": None})]
    values: Any = Values(SimpleNamespace(table=None), SimpleNamespace(map=one.map), one.report)  # type: ignore[arg-type]
    judged = [
        ("blocks", "grew by 4", "0009", "confirmed"), ("marks", "all alike", "000A", "CONTRADICTED"),
        ("level", "1 throughout play", "000B", "CONTRADICTED"), ("mode", "0", "000C", "CONTRADICTED"),
        ("x", "follows", "000D", "confirmed"), ("sprite_x", "nothing", "000E", "not tried"),
    ]  # fmt: skip
    one._judged(SimpleNamespace(judged=judged), values)  # type: ignore[arg-type]
    assert one.report.holds == ["mode", "blocks"]
    _, found = one.report.findings
    assert (found.about, found.seen, found.entries) == ("marks", "all alike", {"marks": None})
    # what is left has been confirmed by nothing
    one._drop_the_rest()
    rest = one.report.findings[-1]
    assert (rest.about, rest.entries) == ("other entries", {"x": None, "sprite_x": None})
    assert "x, sprite_x" in rest.says
    one._drop_the_rest()
    assert len(one.report.findings) == 3


# -- the score


@pytest.mark.parametrize(
    ("entry", "unit", "own", "holds", "says"),
    [
        ({"type": "u16le"}, 10, 10, True, ""),
        # the file's cells are worth ten, and the game's own number is a tenth of it
        ({"type": "u16le", "scale": 10}, 10, 1, True, ""),
        ({"type": "u16le", "scale": 10}, 10, 10, False, "it rose by 400 where it must rise by 40"),
        ({"type": "u16be"}, 10, 10, False, "it rose by "),
        ({"type": "u16le", "offset": 5}, 10, 10, False, "it rose by 0 where it must rise by 0"),
    ],
)
def test_the_score_must_rise_as_locks_are_worth(
    entry: dict[str, Any], unit: int, own: int, holds: bool, says: str
) -> None:
    rams = []
    for points in (0, 40, 100, 300):
        ram = np.zeros(64, np.uint8)
        ram[20], ram[21] = points & 255, points >> 8
        rams.append(ram)
    ram_map = map_of({"score": {"address": 20, **entry}})
    size = 1 if entry["type"] == "u16le" else -1

    class Reading:
        map = ram_map

        def value(self, _: str, ram: Any) -> int:
            number = int(ram[20]) + 256 * int(ram[21]) if size > 0 else 256 * int(ram[20]) + int(ram[21])
            scaled: int = number * entry.get("scale", 1) + entry.get("offset", 0)
            return scaled

    report = Report()
    values = Values(SimpleNamespace(table=None), Reading(), report)  # type: ignore[arg-type]
    patch = {"address": 20, "type": "u16le", "source": "calibrated", "note": ""}
    values.score(Score(20, Form(2, little=True), 1, kept=True), patch, rams, unit, own)
    assert report.holds == (["score"] if holds else [])
    assert [one.says[: len(says)] for one in report.findings] == ([] if holds else [says])


def test_a_score_that_is_nowhere_is_not_compared() -> None:
    for entries, learnt, why in (
        ({"x": {"address": 1}}, Score(20, Form(2, little=True), 1, kept=True), "the map has none"),
        ({"score": {"address": 20}}, None, "no number in RAM grows as a score does"),
    ):
        report = Report()
        reading: Any = SimpleNamespace(map=map_of(entries))
        Values(SimpleNamespace(table=None), reading, report).score(learnt, {}, [])
        assert (report.notes, report.holds, report.findings) == ([f"score: not checked, {why}"], [], [])


def test_fields_with_groups_of_different_sizes_are_locked() -> None:
    sizes: list[int] = []

    def lock(cells: Mapping[Any, int], column: int, low: int, high: int, *, pad: int) -> Any:
        assert (column, low, high, pad) == (0, 1, 3, 0)
        sizes.append(len(cells) + 1)
        if len(cells) == 4:
            raise CalibrationError("no next piece comes")
        return SimpleNamespace(ram=len(cells) + 1)

    ground = SimpleNamespace(state=b"", colors=(1, 2, 3), grid=Grid(0, 1, 6, 6, 0))
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: 0)
    one = comparison(map_of({"x": {"address": 1}}), rig=rig)
    seen: list[Any] = one._scored(SimpleNamespace(ground=ground, lock=lock), 4)  # type: ignore[arg-type]
    assert sizes == [4, 5, 6]
    # the first is RAM before any lock; what can't be locked is left out
    assert seen == [0, 4, 6]


# -- signs


@pytest.mark.parametrize(
    ("spawns", "holds", "blind"),
    [([1, 1, 1], ["spawning"], False), ([1, None, 1], [], True), ([], [], True)],
)
def test_a_map_that_does_not_announce_each_piece_is_blind(
    spawns: list[Any], holds: list[str], blind: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []

    def signs(*said: Any) -> str:
        told.append(said[3:])
        return "the finding"

    monkeypatch.setattr(compare, "learnt_signs", signs)
    places = {name: {"address": at} for at, name in enumerate(("spawning", "x", "spawn_phase"))}
    one = comparison(map_of(places), table=SimpleNamespace(spawn_signs=("spawn_phase", "spawn_delay")), rig=None)
    one.report.holds = ["mode"]
    ram = np.zeros(4, np.uint8)
    falls = [Fall((Scene(ram, True),), None if spawn is None else ram, ram) for spawn in spawns]
    learnt: Any = SimpleNamespace(route=SimpleNamespace(buttons=("start", "a")))
    one._signs(learnt, falls)
    assert one._blind is blind
    if blind:
        count = sum(spawn is not None for spawn in spawns)
        assert told == [(count, len(spawns), ["spawning", "spawn_phase"])]
        findings: list[Any] = [*one.report.findings]
        assert (one.report.holds, findings) == ([], ["the finding"])
        assert one.report.notes == ["play was reached by 2 taps, without the map's mode: start, a"]
    else:
        assert (one.report.holds, one.report.findings, told) == (["mode", *holds], [], [])


def test_frames_on_which_a_map_announces_pieces() -> None:
    shown: list[int] = []

    class Seat:
        synced = False

        def resync(self) -> None:
            self.synced = True

        def update(self) -> bool:
            assert self.synced
            if shown[-1] == 99:
                raise GameError("it can't be read")
            return shown[-1] == 7

    reading: Any = SimpleNamespace(map=None, ram=None, show=lambda ram: shown.append(int(ram[0])))
    title = SimpleNamespace(seat=lambda *_: Seat())
    trace = np.array([[1], [7], [2], [2], [7], [3]], np.uint8)
    assert Announced(title, reading, None).frames(trace) == [1, 4]
    # the first frame is shown before the seat begins
    assert shown[:2] == [1, 1]
    assert Announced(title, reading, None).frames(np.array([[1], [7], [99]], np.uint8)) == []


# -- the way into the game


@dataclass
class Tried:
    """What a checker did."""

    told: list[str] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)


@pytest.mark.parametrize("state", [None, b"given"])
@pytest.mark.parametrize(("reached", "learns"), [(True, 1), (True, 2), (False, 1), (False, 0), (True, 0)])
def test_where_the_map_leads_into_no_game_the_menus_are_searched(
    reached: bool, learns: int, state: bytes | None
) -> None:
    """learns: with which savestate the experiments succeed: the map's (1), or another one (2)."""
    tried = Tried()
    one = Checker.__new__(Checker)
    one.map, one.report, one._blind = map_of({"mode": {"address": 3}}, mode=1), Report(), False
    one.rig = SimpleNamespace(load=lambda state: tried.states.append(state))  # type: ignore[assignment]
    one.tell = tried.told.append
    learnt = SimpleNamespace(route=SimpleNamespace(state=b"play"))

    def reach(given: Any) -> Any:
        assert given == state
        if not reached:
            raise GameError("the menu leads nowhere")
        return b"spawn", b"control"

    def experiments(at: Any) -> Any:
        tried.states.append(("learn", at))
        if learns == 0 or (learns == 2 and at == b"control"):
            raise CalibrationError("nothing falls")
        return learnt

    one._reach, one._experiments = reach, experiments  # type: ignore[method-assign, assignment]
    if not learns:
        why = "nothing falls; nothing falls" if reached else "the menu leads nowhere; nothing falls"
        with pytest.raises(GameError, match=why):
            one._learnt(state, b"power-on")
        return
    found: Any
    found, begins = one._learnt(state, b"power-on")
    assert found is learnt
    blind = not reached or learns == 2
    assert one._blind is blind
    assert begins == (b"play" if blind else b"spawn")
    assert one.report.holds == (["mode"] if state is None and not blind else [])
    assert tried.told == (["looking for a way to play"] if blind else [])
    if blind:
        assert tried.states[-1] == ("learn", state)
        assert (b"power-on" in tried.states) is (state is None)


def test_the_way_to_a_game_of_two_needs_a_savestate() -> None:
    one = Checker.__new__(Checker)
    one.map = map_of({"x": {"address": 3}}, seat=2)

    def reach(_: Any) -> Any:
        raise GameError("the menu leads nowhere")

    one._reach = reach  # type: ignore[method-assign, assignment]
    with pytest.raises(GameError, match="give a savestate of its first pair with --from-state"):
        one._learnt(None, b"power-on")


def test_entries_that_nothing_looked_at_are_unchecked() -> None:
    one = Checker.__new__(Checker)
    one.map = map_of({name: {"address": at} for at, name in enumerate(("x", "y", "axis", "partner", "level"))})
    one.report = Report()
    one.report.holds = ["x"]
    one.report.findings = [Finding("y", (), "", "", None), Finding("pair", (), "", "", None, entries={"axis": {}})]
    assert one._unchecked() == ["partner", "level"]
    assert checker.CONTROL > 0
