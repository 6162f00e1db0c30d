"""Rules of a file are compared with the locks of a game that plays by other ones: what differs is found and mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Bank
from ochibot.errors import CalibrationError
from ochibot.experiments.checking import rules as comparing
from ochibot.experiments.checking.rules import RulesEntries
from ochibot.experiments.checking.scenes import EVERY, PAINTED, PIECES, Reading, _fall, half_of, painted, watch_falls
from ochibot.experiments.facts import Kicks
from ochibot.experiments.grid import Grid
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import Rules, Turns
from ochibot.ram import RamMap
from ochibot.ramtools.findings import Report

SAID = replace(load_rules("tsu"), drop_bonus=1, kicks=True)


def compared(
    true: Rules, said: Rules, monkeypatch: pytest.MonkeyPatch, *, steps: int = 9, unit: int = 10, broken: bool = False,
    colors: int = 5, wall: bool | None = None, denotes: str = "axis",
) -> Report:  # fmt: skip
    """What is found when a game that plays by ``true`` is compared with ``said``. unit: the points of a cell, as the
    game counts. broken: long chains can't be made. wall: whether kicks were seen (None: as the true rules have it).
    denotes: what x and y are of.
    """
    size = true.clear_size

    def times(step: int, groups: list[int], many: int) -> int:
        return true.step_score(step, groups, many) // (true.score_unit * sum(groups))

    seen = [(f"group {count}", 10 * count * times(1, [count], 1)) for count in range(size, 12)]
    seen += [(f"colours {many}", 10 * size * many * times(1, [size] * many, many)) for many in range(2, colors + 1)]
    chains = [10 * size * times(step, [size], 1) for step in range(1, steps + 1)]
    seen += [(f"chain {step}", sum(chains[:step])) for step in range(2, steps + 1)]

    def long_chain(*_: Any) -> list[int]:
        if broken:
            raise CalibrationError("step 2 of the chain doesn't come")
        return [unit * points // 10 for points in chains]

    monkeypatch.setattr(comparing, "long_chain", long_chain)
    drop = true.drop_bonus * unit // true.score_unit
    learnt: Any = SimpleNamespace(
        formula=SimpleNamespace(unit=unit, seen=seen, drop_bonus=drop, doubt="", other_form=False, all_clear=None),
        score="score", size=size, kicks=Kicks(true.kicks if wall is None else wall),
        stance=SimpleNamespace(denotes=denotes),
    )  # fmt: skip
    report = Report()
    RulesEntries(said, learnt, "poker", report).compare()  # type: ignore[arg-type]
    return report


ALL = ["rules.kicks", "rules.drop_bonus", "rules.chain_power", "rules.group_bonus", "rules.color_bonus"]


@pytest.mark.parametrize("unit", [1, 10, 20])
def test_rules_that_are_right_hold(unit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    true = replace(SAID, drop_bonus=10)
    report = compared(true, true, monkeypatch, unit=unit)
    assert (report.holds, report.findings, report.notes) == (ALL, [], [])


def changed(table: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    return (*table[:at], table[at] + by, *table[at + 1 :])


@pytest.mark.parametrize(
    ("wrong", "about", "says", "mend"),
    [
        (
            {"kicks": False}, "rules.kicks", "the rules say kicks: false", {"kicks": True},
        ),
        (
            {"drop_bonus": 3}, "rules.score.drop_bonus", "a row with Down held is worth 3 points by the rules",
            {"score": {"drop_bonus": 1}},
        ),
        (
            {"group_bonus": changed(SAID.group_bonus, 7, 2)}, "rules.score.group_bonus",
            "groups of 5, 6, 7, 8, 9, 10, 11 multiply by ", {"score": {"group_bonus": [*SAID.group_bonus]}},
        ),
        (
            {"color_bonus": changed(SAID.color_bonus, 3, -1)}, "rules.score.color_bonus",
            "colours of 2, 3, 4, 5 multiply by ", {"score": {"color_bonus": [*SAID.color_bonus]}},
        ),
        (
            {"chain_power": changed(SAID.chain_power, 4, 5)}, "rules.score.chain_power",
            f"step 5 of a chain is worth {SAID.chain_power[4] + 5} by the rules",
            {"score": {"chain_power": [*SAID.chain_power]}},
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("unit", [10, 30])
def test_a_rule_that_is_wrong_is_mended(
    wrong: dict[str, Any], about: str, says: str, mend: Any, unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = compared(SAID, replace(SAID, **wrong), monkeypatch, unit=unit)
    (found,) = report.findings
    assert found.about == about
    assert found.says.startswith(says)
    assert found.rules == mend
    ((part, value),) = mend.get("score", mend).items()
    written = ", ".join(map(str, value)) if isinstance(value, list) else str(value).lower()
    assert found.mend == (f"{part}: [{written}]" if isinstance(value, list) else f"{part}: {written}")
    assert report.holds == [name for name in ALL if name != about.replace("score.", "")]


def test_powers_beyond_those_seen_stay_and_equal_ones_at_the_end_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    flat = replace(SAID, chain_power=(0, 8, 16, 32, 64, 64))
    # four steps were seen, and the table is longer
    report = compared(flat, replace(flat, chain_power=(0, 8, 20, 32, 64, 64)), monkeypatch, steps=4)
    (found,) = report.findings
    assert found.rules == {"score": {"chain_power": [0, 8, 16, 32, 64]}}
    assert found.seen == "the steps of a chain of 4 were worth 1, 8, 16, 32"
    # what follows the table is like its last power
    report = compared(flat, replace(flat, chain_power=(0, 8, 16, 32)), monkeypatch, steps=8)
    (found,) = report.findings
    assert found.rules == {"score": {"chain_power": [0, 8, 16, 32, 64]}}
    assert compared(flat, replace(flat, chain_power=(0, 8, 16, 32, 64)), monkeypatch, steps=8).findings == []


def test_a_sum_stops_at_the_greatest_multiplier(monkeypatch: pytest.MonkeyPatch) -> None:
    capped = replace(SAID, max_multiplier=100)
    report = compared(capped, capped, monkeypatch, steps=12)
    assert report.findings == []
    assert "rules.chain_power" in report.holds


@pytest.mark.parametrize("steps", [2, 5])
def test_without_a_long_chain_those_that_were_built_are_compared(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    report = compared(SAID, SAID, monkeypatch, steps=steps, broken=True)
    assert report.notes == [f"chains: only {steps} steps compared: step 2 of the chain doesn't come"]
    assert report.findings == []
    wrong = replace(SAID, chain_power=changed(SAID.chain_power, steps - 1, 8))
    (found,) = compared(SAID, wrong, monkeypatch, steps=steps, broken=True).findings
    assert found.says == f"step {steps} of a chain is worth {wrong.chain_power[steps - 1]} by the rules"


@pytest.mark.parametrize(("wall", "notes", "about"), [(True, 0, None), (False, 0, "rules.kicks")])
def test_kicks_are_compared_where_they_were_seen(
    wall: bool, notes: int, about: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = compared(SAID, SAID, monkeypatch, wall=wall)
    assert [one.about for one in report.findings] == ([] if about is None else [about])
    assert len(report.notes) == notes
    for one in report.findings:
        assert one.seen.endswith("doesn't turn")


@pytest.mark.parametrize(("denotes", "turns"), [("box", "box"), ("axis", "axis"), ("partner", "axis")])
def test_what_stays_as_a_pair_turns_is_compared(denotes: str, turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: tuple[Turns, ...] = ("axis", "box")
    for said in kinds:
        rules = replace(SAID, turns=said, quick_turn=False)
        report = compared(SAID, rules, monkeypatch, denotes=denotes)
        if said == turns:
            assert ("rules.turns" in report.holds, report.findings) == (said == "box", [])
            continue
        (found,) = report.findings
        assert (found.about, found.mend, found.rules["turns"]) == ("rules.turns", f"turns: {turns}", turns)
        # the mended rules are rules, even if those that were given have a quick turn
        assert replace(SAID, **found.rules).turns == turns


@pytest.mark.parametrize("kicks", [None, Kicks()])
def test_a_game_without_kicks_or_a_score_is_compared_in_nothing(kicks: Kicks | None) -> None:
    report = Report()
    stance = SimpleNamespace(denotes="axis")
    learnt: Any = SimpleNamespace(formula=None, score=None, size=None, kicks=kicks, stance=stance)
    RulesEntries(SAID, learnt, "poker", report).compare()  # type: ignore[arg-type]
    assert (report.holds, report.findings) == ([], [])
    assert [note.split(":")[0] for note in report.notes] == ["kicks", "rules of the score"]


# -- scenes


def test_where_the_halves_of_a_pair_are() -> None:
    for side, place in {"UP": (3, 4), "RIGHT": (4, 5), "DOWN": (3, 6), "LEFT": (2, 5)}.items():
        assert half_of((3, 5, Orientation[side]), "axis") == (3, 5)
        assert half_of((3, 5, Orientation[side]), "partner") == place


def test_cells_that_are_painted_stand_and_none_equals_its_neighbour() -> None:
    ground: Any = SimpleNamespace(colors=(1, 2, 3), grid=SimpleNamespace(columns=6))
    heights = set()
    for number in range(20):
        for also in ((), (7,)):
            cells = painted(ground, number, also)
            assert bool(cells) is bool(number % 2)
            assert set(cells.values()) <= {1, 2, 3, *also}
            for (column, row), kind in cells.items():
                assert row == 0 or (column, row - 1) in cells
                assert kind not in (cells.get((column + 1, row)), cells.get((column, row + 1)))
            heights |= {sum(c == column for c, _ in cells) for column in range(6)}
    assert {0, PAINTED} < heights <= set(range(PAINTED + 1))


@pytest.mark.parametrize("system", ["nes", "megadrive"])
def test_a_map_reads_copies_of_ram_and_of_its_banks(system: str) -> None:
    raw = np.zeros(0x800, np.uint8)
    banks = [Bank(0x6000, np.zeros(16, np.uint8))] if system == "nes" else []
    rig: Any = SimpleNamespace(
        console=SimpleNamespace(rom=SimpleNamespace(system=system), ram=SimpleNamespace(raw=raw, banks=banks))
    )
    base = {"nes": 0, "megadrive": 0xFF0000}[system]
    entries = {"x": base + 0x31, "y": base + 0x7F0} | ({"level": 0x6007} if banks else {})
    made = RamMap.model_validate(
        {"game": "mine", "name": "a", "system": system, "seat": 1, "signs": {},
         "entries": {name: {"address": at, "source": "calibrated"} for name, at in entries.items()}}
    )  # fmt: skip
    reading = Reading(made, rig, {})
    # as the processor sees it
    ram = (np.arange(0x800 + 16 * len(banks)) * 7).astype(np.uint8)
    wanted = {"x": 0x31 * 7 & 255, "y": 0x7F0 * 7 & 255, "level": 0x807 * 7 & 255}
    assert {name: reading.value(name, ram) for name in entries} == {name: wanted[name] for name in entries}
    # nothing of the console itself was written
    assert not raw.any()
    assert not any(bank.raw.any() for bank in banks)
    assert ("x" in reading, "score" in reading, reading.value("score", ram)) == (True, False, None)


def trace_of(lock: int, size: int) -> Any:
    """A piece that sinks a row every five frames until it locks, and is between places on each first of them."""
    trace = np.zeros((size, 8), np.uint8)
    frames = np.arange(size)
    trace[:, 0] = np.minimum(frames // 5, (lock - 1) // 5)
    trace[lock:, 4] = 1
    trace[:, 7] = frames
    return trace


@pytest.mark.parametrize("announced", [[52], [55], [20], [], [52, 56], [30]])
def test_moments_in_which_a_piece_is_steady_are_kept(announced: list[int]) -> None:
    ground: Any = SimpleNamespace(grid=Grid(4, 1, 1, 1, 0), visible=1)
    truth: Any = SimpleNamespace(place=lambda ram: (1, int(ram[0]), Orientation.UP))
    trace = trace_of(30, 60)
    found = _fall(ground, truth, trace, lambda _: announced)
    # a new row is seen once it has lasted two frames
    moving = [scene for scene in found.scenes if scene.moving]
    assert {int(scene.ram[0]) for scene in moving} == set(range(6))
    assert all(not scene.ram[4] for scene in moving)
    frames = [int(scene.ram[7]) for scene in found.scenes]
    assert frames == sorted({*frames})
    # those about the lock, the last one, and one of every few
    assert {*frames} >= {*range(0, 60, EVERY), *range(30 - EVERY, 31 + EVERY), 59}
    assert len(frames) < 60
    right = len(announced) == 1 and announced[0] >= 30
    assert (found.spawn is not None) is right
    if found.spawn is not None:
        assert (found.spawn == trace[announced[0]]).all()
    assert (found.end == trace[-1]).all()


def test_a_trace_in_which_nothing_locks_is_steady_to_its_end() -> None:
    ground: Any = SimpleNamespace(grid=Grid(4, 1, 1, 1, 0), visible=1)
    truth: Any = SimpleNamespace(place=lambda ram: (1, int(ram[0]), Orientation.UP))
    found = _fall(ground, truth, trace_of(40, 40), lambda _: [39])
    assert {int(scene.ram[0]) for scene in found.scenes if scene.moving} == set(range(8))
    assert found.spawn is None
    # where RAM makes no sense, nothing is steady
    nothing: Any = SimpleNamespace(place=lambda _: None)
    assert not any(scene.moving for scene in _fall(ground, nothing, trace_of(30, 40), lambda _: []).scenes)


def test_pieces_fall_in_all_columns_and_turned_in_all_ways() -> None:
    """The first one and two in a row don't get down: they are left out, and the first piece falls again."""
    asked: list[tuple[int, int, int, object]] = []

    def fall(state: int, *, column: int, turns: tuple[int, ...], pokes: object, keep: bool, about: bool) -> Any:
        assert keep
        assert about
        assert set(turns) <= {9}
        asked.append((state, column, len(turns), pokes))
        if len(asked) in (1, 4, 5):
            raise CalibrationError("no next piece comes")
        return SimpleNamespace(trace=trace_of(30, 40), state=state + 1)

    ground: Any = SimpleNamespace(
        state=100, columns=tuple(range(10, 16)), turning=SimpleNamespace(button=9), painted=lambda cells: cells,
        colors=(5, 6, 7), grid=Grid(4, 1, 6, 6, 0), visible=0,
        driver=SimpleNamespace(fall=fall),
    )  # fmt: skip
    truth: Any = SimpleNamespace(place=lambda _: None)
    assert len(watch_falls(ground, truth, lambda _: [], [8])) == PIECES - 3 == len(asked) - 3
    assert [state for state, *_ in asked] == [100, 100, 101, 102, 100, *range(100, 100 + PIECES - 5)]
    assert {column for _, column, _, _ in asked} == {*ground.columns}
    assert {turns for _, _, turns, _ in asked} == {0, 1, 2, 3}
    # two columns meet all turns, so that no column has but one
    assert len({(column, turns) for _, column, turns, _ in asked}) > 12
    assert [cells for *_, cells in asked] == [painted(ground, number, [8]) for number in range(PIECES)]


@pytest.mark.parametrize(
    ("step", "groups", "colors"),
    [(None, (), 0), (1, (4,), 1), (3, (11,), 1), (1, (5, 4), 1), (2, (6, 4), 1), (1, (4, 4, 4), 3), (1, (7,), 1)],
)
def test_a_formula_of_another_form_is_compared_step_by_step(
    step: int | None, groups: tuple[int, ...], colors: int
) -> None:
    """The game counts twice as the rules say them, and pays one point more in one kind of step."""

    def worth(number: int, sizes: Sequence[int], many: int) -> int:
        return 10 * sum(sizes) * (number + many + len(sizes))

    def points(size: int, one: Any) -> int:
        assert size == 4
        more = 10 if (one.step, one.groups, one.colors) == odd else 0
        return 2 * (worth(one.step, one.groups, one.colors) + more)

    odd = step, groups, colors
    compared_, report = RulesEntries.__new__(RulesEntries), Report()
    compared_.size, compared_.report = 4, report
    compared_.rules = SimpleNamespace(step_score=worth)  # type: ignore[assignment]
    formula: Any = SimpleNamespace(chain_power=[1, 2, 3], color_bonus={2: 3, 3: 6}, points=points)
    compared_._whole(formula, 10, 20)
    if step is None:
        assert (report.holds, report.findings) == (["rules.score"], [])
        return
    (finding,) = report.findings
    said = worth(step, groups, colors)
    sizes = ", ".join(map(str, groups))
    assert report.holds == []
    assert finding.about == "rules.score"
    assert finding.says == f"step {step} with groups of {sizes} is worth {said} points by the rules"
    assert (finding.seen, finding.rules) == (f"it is worth {said + 10} points", {})
